"""The network's first layer for processors without a GPU, compiled when it is first used: see cell_sums.cpp."""

import ctypes
import functools
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

SOURCE = Path(__file__).with_name("cell_sums.cpp")
CHANNELS = 64
"""As in the source."""


@functools.cache
def _library() -> ctypes.CDLL:
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "cell_sums.so"
        compiler = os.environ.get("CXX", "g++")
        options = ("-std=c++20", "-O3", "-march=native", "-shared", "-fPIC", "-pthread")
        subprocess.run([compiler, *options, str(SOURCE), "-o", str(library)], check=True)
        return ctypes.CDLL(str(library))


def _pointers(*tensors: Tensor) -> tuple[ctypes.c_void_p, ...]:
    assert all(tensor.is_contiguous() for tensor in tensors)
    return tuple(ctypes.c_void_p(tensor.data_ptr()) for tensor in tensors)


class CellSums(torch.autograd.Function):
    """`(moving[own] + waiting[other]).clamp(0, most).sum(1)` for the codes (int16) of positions x cells.

    Codes without a row, by `has_row` (uint8), must have rows of zeros.
    """

    @staticmethod
    def forward(
        ctx: Any, own: Tensor, other: Tensor, has_row: Tensor, moving: Tensor, waiting: Tensor, most: float
    ) -> Tensor:
        assert moving.shape[1] == CHANNELS
        ctx.save_for_backward(own, other, has_row, moving, waiting)
        ctx.most = most
        sums = torch.empty(len(own), CHANNELS)
        sizes = (ctypes.c_int64(own.shape[0]), ctypes.c_int64(own.shape[1]))
        _library().sums_of_cells(
            *_pointers(own, other, has_row),
            *sizes,
            *_pointers(moving, waiting),
            ctypes.c_float(most),
            *_pointers(sums),
            ctypes.c_int(torch.get_num_threads()),
        )
        return sums

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        own, other, has_row, moving, waiting = ctx.saved_tensors
        threads = torch.get_num_threads()
        of_moving, of_waiting = torch.zeros(2, threads, *moving.shape)
        sizes = (ctypes.c_int64(own.shape[0]), ctypes.c_int64(own.shape[1]))
        _library().gradients_of_cells(
            *_pointers(own, other, has_row),
            *sizes,
            *_pointers(moving, waiting),
            ctypes.c_float(ctx.most),
            *_pointers(gradients[0].contiguous()),
            ctypes.c_int64(len(moving)),
            *_pointers(of_moving, of_waiting),
            ctypes.c_int(threads),
        )
        return None, None, None, of_moving.sum(0), of_waiting.sum(0), None
