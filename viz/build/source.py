"""What a picture can be drawn from: a run, a tape, or a scene that is there already."""

from __future__ import annotations

import weakref
from collections.abc import Iterable
from typing import Any

from minitape.record.events import Event
from minitape.tape import GradientTape
from minitape.tensor import Tag

from ..scene import Scene
from .assemble import scene_of
from .numbers import Snapshot, shape_text, snapshot
from .run import Moment, Run

TOLD = 60_000  # moments that an export tells once more for the folds of its page: a second or two

_scenes: weakref.WeakKeyDictionary[Run, tuple[tuple[Any, ...], Scene]] = (
    weakref.WeakKeyDictionary()
)  # a run is laid out once


def scene_from(thing: Any, open_: Iterable[str] = ()) -> Scene:
    """The scene of a run, a tape or a scene; of a long run, the folds that are named are open.  Raises TypeError for the rest."""
    if isinstance(thing, Scene):
        return thing
    if isinstance(thing, Run):
        what = (len(thing.moments), *sorted(open_))
        known = _scenes.get(thing)
        if known is None or known[0] != what:
            known = _scenes[thing] = (what, scene_of(thing, open_))
        return known[1]
    if isinstance(thing, GradientTape):
        return scene_of(run_of(thing))
    raise TypeError(
        f"a picture is drawn from a run or a tape, not from {type(thing).__name__}: "
        "record one with `with viz.record() as run: …`"
    )


def opened_folds(thing: Any, everything: bool) -> dict[str, Scene]:
    """A long run with one of its folds open, by the fold's id, for a page that has no kernel to ask.

    Each is told anew, so of a very long run there are none unless everything is asked for.
    """
    if not isinstance(thing, Run):
        return {}
    folds = [one["id"] for one in scene_from(thing).groups if not one["parent"]]
    if len(folds) * len(thing.moments) > TOLD and not everything:
        return {}
    return {one: scene_of(thing, [one], quick=True) for one in folds}


def run_of(tape: GradientTape) -> Run:
    """A tape's entries as a run: what was written down, with the numbers that the tape still holds."""
    run = Run(tape.label.site)
    run.title = tape.label.name
    entries = tape.entries
    known: dict[Tag, Snapshot] = {}
    for entry in entries:
        for tag, tensor in zip((*entry.application.inputs, *entry.application.outputs), entry.values(), strict=True):
            if tensor is not None:
                known[tag] = snapshot(tensor._array)
            else:
                known.setdefault(tag, Snapshot(shape_text(tag.shape) or "?", None))
    made: set[Tag] = set()
    context = entries[0].application.context if entries else None
    site = tape.label.site
    if context is not None:
        _note(
            run,
            Event("enter", 0, site, context._replace(phase="forward", cause=None, actor=None), {"label": tape.label}),
            {},
        )
    for entry in entries:
        application = entry.application
        for want, tag in zip(entry.wanted, application.inputs, strict=True):
            if tag not in made:
                run.early[tag] = known[tag]
                if want:
                    plain = application.context._replace(phase="forward", cause=None, actor=None)
                    facts = {"label": tape.label, "tag": tag, "explicit": False}
                    _note(run, Event("watch", application.tick, application.site, plain, facts), {})
        made.update(application.outputs)
        event = Event("op", application.tick, application.site, application.context, {"application": application})
        _note(run, event, {tag: known[tag] for tag in application.outputs})
    return run


def _note(run: Run, event: Event, numbers: dict[Tag, Snapshot]) -> None:
    run.moments.append(Moment(event, numbers))
