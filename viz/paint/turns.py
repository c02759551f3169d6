"""A page that stays while its numbers change: of a run that was traced anew, what is told differently.

All that tells numbers lies in a few parts of the page (`Page.part`).  Here every mark of them has a number, whether or not it
changes from step to step.  A run of the same structure is painted again part by part and compared with what was told: what
differs goes to the player, as one line of (step, value) for an attribute.  Places stay: the eye would
lose a mark that moved.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..scene import Scene
from .frame import IDS, parts_of, sheet
from .sheet import Line, Mark, Page, attribute, told

STAYS = {"transform"}  # where a mark stands was decided when its page was made
GROWS = {"data_longest", "data_widest"}  # the room of a text, which is never given back

Known = dict[tuple[str, str], Any]
Change = list[Any]  # number, attribute, [step, value, step, value, …]

ALWAYS = ("words", "code", "formula")
SEEN = {"graph": ("graph", "graph LR", "graph TB"), "score": ("names", "strings")}


class Turning(Page):
    """A page of which the parts that tell numbers are remembered."""

    def __init__(
        self, scene: Scene, signature: tuple[str, str] = ("", ""), below: Mark | None = None, **how: Any
    ) -> None:
        super().__init__(max(1, len(scene.steps)), IDS)
        self._signature = signature  # the line of the code panel, by key, that is the panel of knobs, and its HTML
        self._parts: dict[str, Mark] = {}
        self.sheet = sheet(scene, out=self, below=below, **how)
        self._fixed = {
            (key, attr) for plans in self._rooms.values() for plan in plans for key, attr, _ in plan["place"]
        }
        self._known = {name: dict(self._told(mark)) for name, mark in self._parts.items()}
        self._first: dict[tuple[int, str], tuple[str, tuple[str, str], list[Any]]] = {}  # of what was turned
        self._marks = {name: _marks(mark) for name, mark in self._parts.items()}

    def part(self, name: str, mark: Mark) -> Mark:
        """Remember a part, and give each of its marks a key."""
        self._parts[name] = self._keyed(name, mark)
        self._keys.update(inner.key for inner in every(mark))
        return mark

    def _keyed(self, name: str, mark: Mark) -> Mark:
        for at, inner in enumerate(every(mark)):
            inner.key = inner.key or f"{name}/{at}"
            if inner.key == self._signature[0]:
                inner.kids[1] = Mark("code", html=self._signature[1], cls="text signature", key=f"{name}/signature")
        return mark

    def _told(self, mark: Mark) -> Iterator[tuple[tuple[str, str], Any]]:
        for inner in every(mark):
            for name, value in inner.attrs.items():
                if name not in STAYS and (inner.key, attribute(name)) not in self._fixed:
                    yield (inner.key, name), self.known(value)

    def turn(self, scene: Scene, view: str = "") -> list[Change] | None:
        """What is told differently now, in the parts that a view shows ("": in all); None where the marks are others."""
        wanted = {*ALWAYS, *(SEEN[view] if view else (part for parts in SEEN.values() for part in parts))}
        found: dict[str, Known] = {}
        part = parts_of(scene)
        for name in self._known:
            if name in wanted:
                mark = self._keyed(name, part(name))
                if _marks(mark) != self._marks[name]:
                    return None
                found[name] = dict(self._told(mark))
        out = []
        for name, now in found.items():
            before = self._known[name]
            for key in {**now, **before}:
                value, old = now.get(key), before.get(key)
                if value != old and not (key[1] in GROWS and len(str(value)) <= len(str(old))):
                    before[key] = value
                    self._first.setdefault(self._slot(key), (name, key, self._line(key, old)))
                    out.append(self._change(key, value))
        return out

    def first(self, number: int, name: str) -> list[Any]:
        """What an attribute that was turned was on the page when it was made."""
        return self._first[number, name][2]

    def since(self) -> list[Change]:
        """Everything that is told differently since the page was made: it may be shown again, as it is now."""
        return [self._change(key, self._known[part].get(key)) for part, key, _ in self._first.values()]

    def _change(self, key: tuple[str, str], value: Any) -> Change:
        return [*self._slot(key), self._line(key, value)]

    def _slot(self, key: tuple[str, str]) -> tuple[int, str]:
        return self.number(key[0]), attribute(key[1])

    def _line(self, key: tuple[str, str], value: Any) -> list[Any]:
        line = value if isinstance(value, Line) else [(0, value)]
        return [part for step, known in line for part in (step, told(key[1], known))]


def every(mark: Mark) -> list[Mark]:
    """A mark and all that is in it, in the order of the document."""
    found, waiting = [], [mark]
    while waiting:
        inner = waiting.pop()
        found.append(inner)
        waiting += reversed(inner.kids)
    return found


def _marks(mark: Mark) -> list[tuple[str, str]]:
    return [(inner.tag, inner.key) for inner in every(mark)]
