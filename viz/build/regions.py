"""The grounds of the graph: what each tape knows, and the recorded work of each recorder."""

from __future__ import annotations

from typing import Any

from minitape.record.events import Label
from minitape.tensor import Tag

from ..scene import Scene
from .again import Region
from .cast import Cast
from .story import Story


def regions_of(cast: Cast, story: Story, scene: Scene) -> None:
    """Give every value its region, and the scene the regions that are used."""
    regions: dict[str, dict[str, Any]] = {}
    for tag in cast.cards:
        if tag not in story.values:
            continue
        parent = None
        for label in _nested(cast, _knowing(cast, story, tag)):
            parent = _tape_region(cast, story, regions, label, parent)
        inside = cast.again.home.get(tag)
        if inside is not None:
            home = _again_region(cast, story, regions, inside)
        else:
            home = _work_region(cast, story, regions, tag, parent) or parent
        if home is not None:
            story.values[tag]["region"] = home
    scene.regions = list(regions.values())


def _again_region(cast: Cast, story: Story, regions: dict[str, Any], region: Region) -> str | None:
    """The ground of what a tape knows as one entry: it lies on the ground of the tapes that know its results."""
    if region.parent is not None:
        parent = _again_region(cast, story, regions, region.parent)
    else:
        parent = None
        outputs = region.call.outputs if region.call is not None else ()
        for label in _nested(cast, list(dict.fromkeys(one for tag in outputs for one in story.known_by.get(tag, [])))):
            parent = _tape_region(cast, story, regions, label, parent)
    facts = story.regions.get(region)
    if facts is None:
        if region.call is None or region.kind != "custom":
            return parent
        facts = {
            "id": f"again{len(story.regions)}",
            "label": f"{region.name}, by its own rule",
            "kind": "custom",
            "states": [],
        }
        story.regions[region] = facts
    facts["parent"] = parent
    regions.setdefault(facts["id"], facts)
    return str(facts["id"])


def _knowing(cast: Cast, story: Story, tag: Tag) -> list[Label]:
    """The recorders that know a value; a seed or a factor inside recorded work stands with the entry that uses it."""
    if tag in cast.applications or story.work_of(tag)[0] is None:
        return story.known_by.get(tag, [])
    for out, application in cast.applications.items():
        if tag in application.inputs and application.context.phase != "forward":
            return story.known_by.get(out, [])
    return story.known_by.get(tag, [])


def _nested(cast: Cast, labels: list[Label]) -> list[Label]:
    """The recorders that know a value, outermost first, as far as each lies inside the one before."""
    chain: list[Label] = []
    for label in sorted((one for one in labels if one.kind == "tape"), key=cast.recorders.index):
        first, last = cast.spans[label]
        if not chain or (cast.spans[chain[-1]][0] <= first and last <= cast.spans[chain[-1]][1]):
            chain.append(label)
    return chain


def _tape_region(cast: Cast, story: Story, regions: dict[str, Any], label: Label, parent: str | None) -> str:
    identity = f"{parent}/{cast.recorder_ids[label]}" if parent else cast.recorder_ids[label]
    if identity not in regions:
        regions[identity] = {
            "id": identity, "label": cast.recorder_names[label], "kind": "tape", "recorder": cast.recorder_ids[label],
            "parent": parent, "states": story.recorder_states.get(label, []),
        }  # fmt: skip
    return identity


def _work_region(cast: Cast, story: Story, regions: dict[str, Any], tag: Tag, parent: str | None) -> str | None:
    """The ground of a backward or tangent computation that somebody recorded, or that was looked at."""
    actor, kind = story.work_of(tag)
    if actor is None:
        return None
    identity = f"{parent or ''}:{kind}:{cast.recorder_ids[actor]}"
    if identity not in regions:
        second = "2" if cast.order[actor] > 1 else ""
        word = "the way back of" if kind == "gradient" else "tangents of"
        regions[identity] = {
            "id": identity, "label": f"{word} {cast.recorder_names[actor]}", "kind": kind + second,
            "recorder": cast.recorder_ids[actor], "parent": parent, "states": [],
        }  # fmt: skip
    return identity
