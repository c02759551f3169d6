"""What is compared: two runs by value, two frameworks entry by entry, of more runs the memory and where each first differs."""

from __future__ import annotations

from typing import Any

from ..capture import stream_of
from ..figure import Figure
from . import scene_from
from .curves import curves_of
from .runs import Told, others_said
from .sides import sides_of


def comparison_of(runs: tuple[Any, ...], named: dict[str, Any], view: str) -> Figure:
    """The facts of a comparison; raises TypeError for what is no run, ValueError for none and for another view."""
    if not runs and not named:
        raise ValueError("nothing to compare: viz.compare(plain=run, again=other)")
    if view not in ("", "memory"):
        raise ValueError(f'view is "memory", or nothing for all that is told of two runs, not {view!r}')
    things = (*runs, *named.values())
    streams = [stream_of(thing) for thing in things]
    if len(streams) == 2 and streams[0] is not None and streams[1] is not None:
        one, other = streams[0].framework or "minitape", streams[1].framework or "minitape"
        if one != other:
            keys = [key.replace("_", " ") for key in named]
            names = (keys[0], keys[1]) if len(keys) == 2 else (one, other)
            return Figure("twins", **sides_of(streams[0], streams[1], names))
    curves = curves_of(runs, named)
    known, called = [stream for stream in streams if stream is not None], [curve["name"] for curve in curves]
    if view == "memory" or len(known) < max(2, len(curves)):
        return Figure("curves", curves=curves)
    if len(known) > 2:
        return Figure("curves", curves=curves, said=others_said(known, called))
    facts = Told(known[0], known[1], (called[0], called[1])).facts((scene_from(things[0]), scene_from(things[1])))
    return Figure("runs", **facts, curves=curves)
