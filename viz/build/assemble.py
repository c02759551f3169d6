"""Puts a Scene together: the cast, the story, the program, the memory."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from minitape.record.ledger import HOLDERS

from .. import style
from ..scene import Scene
from .cast import Cast
from .code import Program
from .regions import regions_of
from .reruns import amount
from .run import Run
from .story import Story


def scene_of(run: Run, open_: Iterable[str] = (), *, quick: bool = False) -> Scene:
    """The run as a scene, positions included where an engine can place it; of a long run, folded, what is named is open.

    `quick` takes the first positions that come.
    """
    from ..layout import place

    cast = Cast(run, open_)
    program = Program(run.site)
    story = Story(run, cast, program)
    scene = Scene(title=run.title, lead=run.lead)
    scene.recorders = [_recorder(cast, story, label) for label in cast.recorders]
    regions_of(cast, story, scene)
    scene.values = [story.values[tag] for tag in cast.cards if tag in story.values]
    scene.notes += [
        f"Region {region.name} saved nothing: it keeps {amount(region.kept)}, as a plain tape would."
        for region in story.regions
        if region.kind == "recompute" and 0 < region.plain <= region.kept
    ]
    scene.names = story.names
    scene.groups = story.groups
    if story.groups:
        scene.notes.append(_what_is_folded(story.groups))
    scene.edges = list(story.edges.values())
    scene.steps = story.steps
    used = {name for step in scene.steps for name in step["memory"]}
    scene.holders = [{"id": name, "label": style.HOLDERS[name]} for name in HOLDERS if name in used]
    scene.sources = program.sources()
    scene.layout = place(scene, quick=quick)
    if scene.layout is None:
        scene.notes.append(_why_no_graph(scene))
    return scene


def _recorder(cast: Cast, story: Story, label: Any) -> dict[str, Any]:
    return {
        "id": cast.recorder_ids[label],
        "name": cast.recorder_names[label],
        "kind": label.kind,
        "order": cast.order[label],
        "states": story.recorder_states.get(label, []),
    }


def _what_is_folded(groups: list[dict[str, Any]]) -> str:
    count = sum(one["values"] for one in groups)
    first = groups[0]
    return (
        f"This run is long: {count} values are folded into {len(groups)} group{'s' * (len(groups) > 1)}. "
        f"In the player F opens the one at hand; unfold=[{first['id']!r}] the first of them."
    )


def _why_no_graph(scene: Scene) -> str:
    from ..layout import MOST

    if len(scene.values) > MOST:
        return f"{len(scene.values)} values are too many for one graph (it shows up to {MOST}): the lanes below show them all."
    return "Too many edges lead far in this graph to place it; the lanes below show all of its values."
