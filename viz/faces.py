"""How things show themselves as the last line of a cell: a run, a tape, a variable, an explanation, a plan."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

from . import capture
from .capture import Recorded, Stream
from .tell import scene_from

Bundle = dict[str, Any]
View = Callable[[Any], Any]


def give(step: View, graph: View, cut: View, schedule: View) -> None:
    """A run is `step` in a notebook and the table elsewhere; tape, explanation and plan have their view, a variable its card."""

    def stepped(run: Any, include: Any = None, exclude: Any = None) -> Any:
        return step(run)._repr_mimebundle_(include=include, exclude=exclude)

    def explained(why: Any, include: Any = None, exclude: Any = None) -> Any:
        return cut(why)._repr_mimebundle_(include=include, exclude=exclude)

    def planned(plan: Any, include: Any = None, exclude: Any = None) -> Bundle:
        return {**schedule(plan)._repr_mimebundle_(), "text/plain": str(plan)}

    def taped(tape: Any, include: Any = None, exclude: Any = None) -> Bundle:
        plain = {"text/plain": repr(tape)}
        return {**graph(tape)._repr_mimebundle_(), **plain} if tape.entries else plain

    kinds: list[Any] = [Recorded, Stream]
    for kind in kinds:
        kind.__repr__ = _listed
        kind._repr_mimebundle_ = stepped
        kind.scene = property(scene_from)
    capture.give_faces(explained, planned, taped, _held)


def _listed(run: Any) -> str:
    from .paint.text import table

    return table(scene_from(run))


def _held(variable: Any, include: Any = None, exclude: Any = None) -> Bundle:
    """A variable shows its card, and says in one sentence what it is."""
    from .picture import Picture
    from .tell.variable import variable_scene

    scene = variable_scene(capture.variable_facts(variable))
    shown = Picture(scene, ("graph",))._repr_mimebundle_()["text/html"]
    return {"text/plain": repr(variable), "text/html": f"{shown}<p>{escape(scene.steps[0]['say'])}</p>"}
