"""The lowest point of a smooth convex function of many numbers: L-BFGS, with the last few steps as its memory."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

MEMORY = 12
ENOUGH_DESCENT = 1e-4
"""Of what the slope promises."""
HALVINGS = 30
"""So often a step that leads up is halved."""


def minimise(
    function: Callable[[Vector], tuple[float, Vector]],
    start: Vector,
    iterations: int,
    on_step: Callable[[int, float, Vector], None] | None = None,
) -> Vector:
    """`function` gives the value and its gradient; `on_step` hears of the number, the value and the place of each step.

    Ends after so many iterations, or when no step leads further down.
    """
    place = start
    value, gradient = function(place)
    steps: list[tuple[Vector, Vector]] = []  # how far, and by how much the gradient changed
    for number in range(1, iterations + 1):
        direction = -_curved(gradient, steps)
        slope = float(gradient @ direction)
        length = 1.0 if steps else 1.0 / max(1.0, float(np.abs(gradient).sum()))
        for _ in range(HALVINGS):
            there = place + length * direction
            value_there, gradient_there = function(there)
            if value_there <= value + ENOUGH_DESCENT * length * slope:
                break
            length /= 2
        else:
            return place
        step, change = there - place, gradient_there - gradient
        if float(step @ change) > 0:
            steps = [*steps[1 - MEMORY :], (step, change)]
        place, value, gradient = there, value_there, gradient_there
        if on_step is not None:
            on_step(number, value, place)
    return place


def _curved(gradient: Vector, steps: list[tuple[Vector, Vector]]) -> Vector:
    """The gradient times the inverse curvature that the steps have shown: the two loops of L-BFGS."""
    result = gradient.copy()
    shares = []
    for step, change in reversed(steps):
        share = float(step @ result) / float(step @ change)
        result -= share * change
        shares.append(share)
    if steps:
        step, change = steps[-1]
        result *= float(step @ change) / float(change @ change)
    for (step, change), share in zip(steps, reversed(shares), strict=True):
        result += step * (share - float(change @ result) / float(step @ change))
    return result
