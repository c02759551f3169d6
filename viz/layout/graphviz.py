"""Positions of a scene's graph: by Graphviz if it is there, with several tries for a small graph, else by our own engine."""

from __future__ import annotations

from itertools import product
from typing import Any

from ..scene import Scene
from .clear import clear
from .dotfile import Plan, Wish, ranks, source
from .engine import ENGINES, LayoutError, drawn, missing
from .judge import faults, sound
from .layered import drawings
from .read import Drawing, read
from .sizes import card_rows
from .wrap import wrapped

MOST = 300  # values that one picture can hold
FEW, FAR = 1200, 4000  # effort (values, and ranks that edges pass over) that allows two tries, and that allows one

DIRECTIONS = ("LR", "TB")


def place(scene: Scene, engine: str = "auto", *, quick: bool = False) -> dict[str, Any] | None:
    """The `layout` block of a scene, for both directions; None where the graph is too big to read.

    `engine` is "auto" (pygraphviz in this process, else the program `dot`, else "layered", our own), or one of them by name.
    Asked for by name, an engine that is missing or fails raises LayoutError; any other name raises ValueError.  `quick` takes
    the first answer, where many pictures are wanted at once.
    """
    if engine not in ("auto", *ENGINES):
        raise ValueError(f"engine is one of auto, {', '.join(ENGINES)}, not {engine!r}")
    if engine != "auto" and (why := missing(engine)):
        raise LayoutError(why)
    if not scene.values or len(scene.values) > MOST:
        return None
    plan = Plan.of(scene)
    if effort(plan) > FAR:
        return None
    for name in ENGINES if engine == "auto" else (engine,):
        if missing(name):
            continue
        try:
            if name == "layered":
                found = drawings(plan, quick or effort(plan) > FEW)
            else:
                found = {direction: _best(plan, name, direction, quick) for direction in DIRECTIONS}
        except LayoutError:
            if engine != "auto":
                raise
            continue
        found["LR"] = wrapped(plan, found["LR"])
        for drawing in found.values():
            clear(plan, drawing)
            for edge in plan.unseen:
                del drawing.edges[edge]
        blocks = {direction: found[direction].block() for direction in DIRECTIONS}
        rows = {key: card_rows(value) for key, value in plan.values.items()}
        return {"engine": name, "rows": rows, **blocks}
    return None


def _best(plan: Plan, engine: str, direction: str, quick: bool) -> Drawing:
    small = effort(plan) <= FEW and not quick
    both = (False, True)
    ways = product(both, both) if not plan.scene.groups else ((False, False), (True, False))  # a long run is in a hurry
    wishes = [Wish(direction, *how) for how in ways] if small else [Wish(direction, quick=True)]
    drawings = [read(plan, wish, drawn(engine, source(plan, wish))) for wish in wishes]
    good = [drawing for drawing in drawings if sound(plan, drawing)]
    if not good:
        raise LayoutError("Graphviz drew cards over each other; please report this scene")
    return min(good, key=lambda drawing: faults(plan, drawing)) if len(good) > 1 else good[0]


def effort(plan: Plan) -> int:
    """How hard a graph is for Graphviz: its values, and for each edge the ranks that it passes over.

    Many long edges (every value of a long run used again in its backward pass) keep Graphviz busy for minutes, and inside this
    process nothing can stop it.
    """
    rank = ranks(plan)
    return len(rank) + sum(abs(rank[edge["b"]] - rank[edge["a"]]) for edge in plan.edges)


def effort_of(scene: Scene) -> int:
    """How hard the graph of a scene is to place."""
    return effort(Plan.of(scene))
