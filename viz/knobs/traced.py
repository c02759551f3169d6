"""A program traced at one position of its knobs: the scene, clipped to the program, with the positions of its structure."""

from __future__ import annotations

import inspect
import json
import pickle
import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..capture import called
from ..layout import place
from ..layout.sizes import lines
from ..paint.state import states_of
from ..scene import Scene
from ..style import GHOST
from ..tell.scenes import scene_of

NUMBER = re.compile(r"−?\d[\d.]*(e[−+]?\d+)?|−?∞|nan")
WIDE, SOME = "−0.0000", -0.1234  # the room that a moving number is given, and a number of that width
# What of a scene are words and numbers; all the rest is its structure, memory included.
TOLD = {
    "say", "text", "data", "formula", "produced", "title", "lead", "name", "label", "notes", "layout", "why", "ghost",
}  # fmt: skip


class Traced:
    """One run: its scene, the program's result, and its error."""

    def __init__(
        self, program: Callable[..., Any], arguments: Mapping[str, Any], title: str, again: list[Any] | None = None
    ) -> None:
        run, self.result, self.error = called(program, arguments, title, again)
        self.scene = scene_of(run.stream, placed=False)
        _clip(self.scene, program)
        if self.error is not None:  # the places that the message names are in the picture
            self.scene.steps[-1]["say"] = self.scene.steps[-1]["say"].split("␊")[0].split("\n")[0]
        self.scene.alarms = []  # sentences say them; a mark that comes and goes would shift what stands below it
        self.structure = json.dumps(_skeleton(self.scene.to_dict()), separators=(",", ":"))


def _skeleton(part: Any) -> Any:
    if isinstance(part, dict):
        return {key: _skeleton(inner) for key, inner in part.items() if key not in TOLD}
    if isinstance(part, list | tuple):
        return [_skeleton(inner) for inner in part]
    return part


def _clip(scene: Scene, program: Callable[..., Any]) -> None:
    """Leave only the program's own lines: its caller is not shown."""
    try:
        lines, first = inspect.getsourcelines(inspect.unwrap(program))
    except (OSError, TypeError):
        return
    last, begins = first + len(lines) - 1, (first, lines[0].strip())
    homes = (source for source in scene.sources if any((n, line.strip()) == begins for n, line in source["lines"]))
    if (home := next(homes, None)) is None:
        return
    home["lines"] = [line for line in home["lines"] if first <= line[0] <= last]
    scene.sources = [home]

    def inside(spot: Any) -> bool:
        return spot is not None and spot[0] == home["id"] and first <= spot[1] <= last

    for step in scene.steps:
        for key in ("place", "cause"):
            if key in step and not inside(step[key]):
                del step[key]
        if "produced" in step:
            step["produced"] = [made for made in step["produced"] if inside(made[0])]
    for value in scene.values:
        if "place" in value and not inside(value["place"]):
            del value["place"]


class Places:
    """Layouts by structure: each is made once, with room for the numbers that move, and then serves every position."""

    def __init__(self) -> None:
        self.known: dict[str, Any] = {}

    def settle(self, run: Traced, others: Callable[[], list[Traced]]) -> None:
        """Give a run's scene its positions; `others` gives runs at other positions, which tell what moves."""
        if run.structure not in self.known:
            alike = [other for other in others() if other.structure == run.structure]
            self.known[run.structure] = place(roomy(run.scene, [other.scene for other in alike]))
        layout = self.known[run.structure]
        rows = {} if layout is None else layout["rows"]
        if any(len(rows.get(value["id"], value["cells"])) != len(value["cells"]) for value in run.scene.values):
            layout = None
        run.scene.layout = layout


def _texts(scene: Scene) -> list[dict[str, Any]]:
    """Whatever shows a number on a card or an edge."""
    return [*states_of(*scene.values), *(state for edge in scene.edges for state in edge.get("carried", []))]


def roomy(scene: Scene, others: list[Scene]) -> Scene:
    """The scene as wide as it may become: where a number differs from position to position, any number has room, and on a card
    also what it was before, under it."""
    wide: Scene = pickle.loads(pickle.dumps(scene))  # a deep copy, in a quarter of the time
    cells = [[cell for value in shown.values for cell in value["cells"]] for shown in [wide, *others]]
    for cell, *alike in zip(*cells, strict=True):
        told = {tuple(state.get("text", "") for state in same.get("states", [])) for same in [cell, *alike]}
        plain = not any("data" in state for state in cell.get("states", []))
        if len(told) > 1 and plain and any(NUMBER.fullmatch(text) for words in told for text in words):
            cell["room"] = GHOST
    every = [_texts(shown) for shown in [scene, *others]]
    for at, state in enumerate(_texts(wide)):
        texts = [texts[at].get("text", "") for texts in every]
        if len(set(texts)) > 1 and any(NUMBER.fullmatch(text) or text.startswith("[") for text in texts):
            state["text"] = max([WIDE, *texts], key=len)
        if len({tuple(lines(some[at])) for some in every}) > 1:
            state["data"] = {**state["data"], "numbers": np.full(state["data"]["shape"], SOME).tolist()}
        if "data" in state and "low" in state["data"]:
            state["data"] = {**state["data"], "low": -0.123, "high": -0.123}
    return wide
