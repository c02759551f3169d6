"""Memory over time, of a run of any length: a curve of at most so many points that still has its peak."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..capture import stream_of
from ..scene import Scene
from ..schema import clean

POINTS = 600


def thinned(levels: list[tuple[float, float]], most: int = POINTS) -> list[tuple[int, float, float]]:
    """(place, level after it, most within it) for runs of places that share a point; the highest of each is kept.

    >>> thinned([(1, 1), (2, 9), (3, 3), (4, 4)], most=2)
    [(0, 2, 9), (2, 4, 4)]
    """
    size = -(-len(levels) // most) if levels else 1
    return [
        (start, levels[min(start + size, len(levels)) - 1][0], max(high for _, high in levels[start : start + size]))
        for start in range(0, len(levels), size)
    ]


def curve_of(thing: Any, name: str) -> dict[str, Any]:
    """A run's memory as facts: its points, its peak and its end; raises TypeError for what is no run and no scene."""
    levels = list(_levels(thing))
    at = max(range(len(levels)), key=lambda place: (levels[place][1], -place), default=0)
    return {
        "name": clean(name), "events": len(levels), "points": thinned(levels),
        "peak": levels[at][1] if levels else 0, "at": at, "end": levels[-1][0] if levels else 0,
    }  # fmt: skip


def _levels(thing: Any) -> Iterable[tuple[float, float]]:
    if isinstance(thing, Scene):
        totals = [sum(step.get("memory", {}).values()) for step in thing.steps]
        return [(total, max(total, step.get("high", 0))) for total, step in zip(totals, thing.steps, strict=True)]
    stream = stream_of(thing)
    if stream is None:
        raise TypeError(
            f"runs are compared, not {type(thing).__name__}: record each with `with viz.record() as run: …`, "
            "then viz.compare(plain=run, again=other)"
        )
    weighed = [record for record in stream.records if record.memory]
    return [(sum(record.memory), max(record.high, sum(record.memory))) for record in weighed]


def curves_of(runs: tuple[Any, ...], named: dict[str, Any]) -> list[dict[str, Any]]:
    """The curves of several runs, each under its keyword, its title, or its number; of those of one title, the number as well."""
    titles = [clean(str(getattr(run, "title", "") or "run")) for run in runs]
    told = [
        f"{title} {at}" if title == "run" or titles.count(title) > 1 else title for at, title in enumerate(titles, 1)
    ]
    return [
        curve_of(run, name)
        for name, run in zip([*told, *[key.replace("_", " ") for key in named]], [*runs, *named.values()], strict=True)
    ]
