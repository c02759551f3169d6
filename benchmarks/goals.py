"""What each figure must be, and what is aimed at: ratios within one run, seconds, or bytes."""

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
    "JVP over the net alone, float64": Goal(4, 3.5),
    "nested, 6 over 1": Goal(13, 13),
    "bytes of bookkeeping an entry": Goal(600, 450),
    "import beyond NumPy, ms": Goal(100, 50),
    "viz.record on over off, small net": Goal(2.5, 1.5),
    "viz.record on over off, chain of 30": Goal(2.5, 1.5),
    "viz.record on over off, chain of 10,000": Goal(2.5, 1.5),
    "page, chain of 300 entries": Goal(0.5, 0.3),
    "page, training of 300 entries": Goal(0.5, 0.3),
    "page, layers of 300 entries": Goal(0.5, 0.3),
    "page, chain of 10,000 entries": Goal(2.0, 1.0),
    "page, training of 10,000 entries": Goal(2.0, 1.0),
    "page, layers of 10,000 entries": Goal(2.0, 1.0),
}
PAGE_SIZES = {300: Goal(1.0, 0.5), 10_000: Goal(3.0, 2.0)}  # MB, by entries


def verdict(goal: Goal | None, values: list[float]) -> str:
    """ "aim", "met" or "missed" where every round says so, else "within noise"; "" where there is no goal.

    >>> [verdict(Goal(2, 1), rounds) for rounds in ([0.9, 1.0], [0.9, 1.1], [1.9, 2.1], [2.1, 2.2])]
    ['aim', 'met', 'within noise', 'missed']
    """
    if goal is None or not values:
        return ""
    if max(values) <= goal.must:
        return "aim" if max(values) <= goal.aim else "met"
    return "missed" if min(values) > goal.must else "within noise"


def against(ours: list[float], theirs: list[float]) -> str:
    """ "quicker", "slower", or "level" where the rounds do not agree on it.

    >>> against([1.0, 1.1], [2.0, 2.1]), against([1.0, 2.0], [1.5, 1.5])
    ('quicker', 'level')
    """
    ratios = [a / b for a, b in zip(ours, theirs, strict=False)]  # who takes too long is asked in the first round only
    return "quicker" if max(ratios) < 1 else "slower" if min(ratios) > 1 else "level"
