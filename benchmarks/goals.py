"""What each figure must be, and what is aimed at: ratios within one run, or bytes."""

from __future__ import annotations

from typing import NamedTuple


class Goal(NamedTuple):
    """The largest value that will do, and the one to work towards."""

    must: float
    aim: float


GOALS = {
    "chain of 1,000": Goal(10, 7),
    "chain of 10,000": Goal(10, 7),
    "chain of 100,000": Goal(10, 7),
    "chain, 100,000 over 1,000": Goal(1.3, 1.15),
    "MLP, float64": Goal(1.3, 1.1),
    "MLP, float32": Goal(1.6, 1.4),
    "two moons, float64": Goal(2.6, 2.3),
    "two moons, float32": Goal(4.4, 3.0),
    "Hessian times vector, reverse over reverse": Goal(4, 2.6),
    "Hessian times vector, forward over reverse": Goal(6, 4.5),
    "JVP over the net alone": Goal(4, 3.5),
    "nested, 6 over 1": Goal(13, 13),
    "bytes of bookkeeping an entry": Goal(600, 450),
    "import beyond NumPy, ms": Goal(100, 50),
    "viz.record on over off": Goal(2.5, 1.5),
    "stepper of 300 entries, s": Goal(0.5, 0.3),
    "stepper of 300 entries, MB": Goal(1.0, 0.5),
    "10,000 entries folded, s": Goal(2.0, 1.0),
    "10,000 entries folded, MB": Goal(3.0, 2.0),
}


def verdict(name: str, value: float) -> str:
    """ "aim", "met" or "missed" for a figure with a goal; "" for one without."""
    goal = GOALS.get(name)
    if goal is None:
        return ""
    return "aim" if value <= goal.aim else "met" if value <= goal.must else "missed"
