"""Limits: any combination, nothing senseless."""

from typing import Any

import pytest

from inarow import InvalidLimit, Limit


def test_any_combination() -> None:
    assert Limit().to_dict() == {}
    limit = Limit(seconds=0.05, nodes=1, depth=3, clock=0, increment=0.1)
    assert limit.to_dict() == {"seconds": 0.05, "nodes": 1, "depth": 3, "clock": 0, "increment": 0.1}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"seconds": 0}, "seconds must be more than 0, not 0"),
        ({"seconds": -1.5}, "seconds must be more than 0, not -1.5"),
        ({"seconds": float("nan")}, "seconds must be a number, not nan"),
        ({"seconds": float("inf")}, "seconds must be at most 1000000000"),
        ({"seconds": 10**400}, "seconds must be at most 1000000000"),
        ({"nodes": 10**20}, "nodes must be at most "),
        ({"depth": 10**10}, "depth must be at most "),
        ({"seconds": "1"}, "seconds must be a number, not '1'"),
        ({"seconds": True}, "seconds must be a number, not True"),
        ({"nodes": 0}, "nodes must be a whole number of at least 1, not 0"),
        ({"nodes": 1.5}, "nodes must be a whole number of at least 1, not 1.5"),
        ({"depth": -2}, "depth must be a whole number of at least 1, not -2"),
        ({"clock": -1}, "clock must be 0 or more, not -1"),
        ({"increment": 1}, "an increment needs a clock"),
    ],
)
def test_a_senseless_limit_is_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidLimit, match=message):
        Limit(**fields)
