"""From a stream of records to a Scene: what a picture can be drawn from, and the scene of it."""

from __future__ import annotations

import weakref
from collections.abc import Iterable
from itertools import zip_longest
from typing import Any

from ..capture import Recorded, stream_of
from ..layout import effort
from ..scene import Scene
from .scenes import closed, scene_of

TOLD = 60_000  # records that an export tells once more for the folds of its page: a second or two
DRAWN = 6_000  # and the effort of drawing their graphs without Graphviz: about twenty seconds

DEEPER = 12  # folds inside of folds that a page has
WRITTEN = 8_000  # and cards times steps of all of them: about a second

_scenes: weakref.WeakKeyDictionary[Any, tuple[Any, Scene]] = weakref.WeakKeyDictionary()  # a run is laid out once


def scene_from(thing: Any, open_: Iterable[str] = ()) -> Scene:
    """The scene of a run, a stream, a tape or a scene; of a long run, the folds that are named are open.

    Raises TypeError for anything else.
    """
    open_ = list(open_)
    if not all(isinstance(name, str) for name in open_):
        raise TypeError("unfold is a list of the ids of folds, such as ['fold 2']: run.scene.groups lists them")
    if isinstance(thing, Scene):
        return thing
    stream = stream_of(thing)
    if stream is None:
        raise TypeError(
            f"a picture is drawn from a run or a tape, not from {type(thing).__name__}: "
            "record one with `with viz.record() as run: …`"
        )
    if not isinstance(thing, Recorded):
        return scene_of(stream, open_)
    what = (len(stream), *sorted(open_))
    known = _scenes.get(thing)
    if known is None or known[0] != what:
        known = _scenes[thing] = what, scene_of(stream, open_)
    return known[1]


def opened_folds(thing: Any, everything: bool) -> dict[str, Scene]:
    """A long run with one of its folds open, by the way to that fold ("fold 3/fold 3.2"), for a page that has no kernel to ask.

    Each is told and drawn anew, so where that takes long there are none unless everything is asked for; and of those that lie
    in others the first few of each, so that every fold leads one level further before any leads two.
    """
    stream = None if isinstance(thing, Scene) else stream_of(thing)
    if stream is None:
        return {}
    scene = scene_from(thing)
    folds = [group["id"] for group in scene.groups if not group["parent"]]
    own = scene.layout is not None and scene.layout["engine"] == "layered"
    long = len(folds) * len(stream) > TOLD or (own and len(folds) * effort(scene) > DRAWN)
    if long and not everything:
        return {}
    out = {fold: scene_of(stream, [fold], quick=True) for fold in folds}
    level, left = list(out), WRITTEN
    while level:
        inside = [
            [
                f"{way}/{group['id']}"
                for group in out[way].groups
                if group["parent"] == way.split("/")[-1] and group["values"] > 1  # a sole op is shown already
            ]
            for way in level
        ]
        wanted = [way for ways in zip_longest(*inside) for way in ways if way][: max(0, len(folds) + DEEPER - len(out))]
        level = []
        for way in wanted:
            if left > 0 or everything:
                out[way] = scene_of(stream, way.split("/"), quick=True)
                left -= len(out[way].values) * len(out[way].steps)
                level.append(way)
    return out


def unfolded(thing: Any, scene: Scene, open_: Iterable[str]) -> dict[str, Scene]:
    """The run with each fold of its scene open, told and not drawn, for a search; none where that takes long."""
    stream, folds = stream_of(thing), [group["id"] for group in scene.groups]
    if stream is None or len(folds) * len(stream) > TOLD:
        return {}
    return {fold: scene_of(stream, [*open_, fold], placed=False) for fold in folds}
