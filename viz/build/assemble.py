"""Puts a Scene together: the cast, the story, the program, the memory."""

from __future__ import annotations

from typing import Any

from minitape.record.ledger import HOLDERS

from .. import style
from ..scene import Scene
from .cast import Cast
from .code import Program
from .regions import regions_of
from .run import Run
from .story import Story


def scene_of(run: Run) -> Scene:
    """The run as a scene, positions included where an engine can place it."""
    from ..layout import place

    cast = Cast(run)
    program = Program(run.site)
    story = Story(run, cast, program)
    scene = Scene(title=run.title, lead=run.lead)
    scene.recorders = [_recorder(cast, story, label) for label in cast.recorders]
    regions_of(cast, story, scene)
    scene.values = [story.values[tag] for tag in cast.cards if tag in story.values]
    scene.edges = list(story.edges.values())
    scene.steps = story.steps
    used = {name for step in scene.steps for name in step["memory"]}
    scene.holders = [{"id": name, "label": style.HOLDERS[name]} for name in HOLDERS if name in used]
    scene.sources = program.sources()
    scene.layout = place(scene)
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


def _why_no_graph(scene: Scene) -> str:
    from ..layout import MOST

    if len(scene.values) > MOST:
        return f"{len(scene.values)} values are too many for one graph (it shows up to {MOST}): the lanes below show them all."
    return (
        "The graph needs Graphviz for its positions, and none was found: pip install pygraphviz brings it. "
        "Everything else is here."
    )
