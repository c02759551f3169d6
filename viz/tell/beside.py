"""What is shown beside the lines of the program: under each name, the last value that the line gave."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..capture.records import Site, Value
from ..layout.sizes import columns
from .program import Program
from .spelling import key_in
from .told import Region

TOGETHER = 8  # values that are told beside one line of code
SHARED = 30  # columns of a value that shares its place beside a line of code with others

Line = tuple[Any, ...]  # a place in the code, as a key
Texts = tuple[str, str]  # a value in words, and shorter


def few_of(told: list[str]) -> list[str]:
    """The first few of many values, and the newest.

    >>> few_of(list("abcdefghijk"))
    ['a', 'b', 'c', 'd', 'e', 'f', 'g', '…', 'k']
    """
    return told if len(told) <= TOGETHER else [*told[: TOGETHER - 1], "…", told[-1]]


class Beside:
    """By line the names that stand beside it, and what is told of each; a step shows what it changed there."""

    def __init__(self, program: Program, text_of: Callable[[Value], Texts]) -> None:
        self._program = program
        self._text_of = text_of
        self.changed: dict[Value, None] = {}  # variables that may have changed since the last step
        self._given: dict[Line, dict[str, list[Texts]]] = {}
        self._keyed = set[tuple[Line, str]]()  # names of dicts
        self._items: dict[tuple[Line, str], list[Value]] = {}  # by name of a list: what it holds so far
        self._crowded = set[Line]()  # lines that gave several values: what is left of them stays short
        self._variables: dict[Value, dict[Line, str]] = {}  # by line beside which one stands: its name there

    def stands(self, place: list[Any], name: str) -> bool:
        """Whether something stands beside a line under this name."""
        return name in self._given.get(tuple(place), {})

    def gave(self, step: dict[str, Any], name: str, *values: Value | None) -> None:
        """Say beside the line what it gave; a line that gives several values shows them all, a long one by its shape."""
        if not name or "place" not in step:
            return
        self.give(step, step["place"], name, *values)

    def hand_out(
        self, step: dict[str, Any], value: Value, inside: Region | None = None, old: bool = False,
        to: Iterable[tuple[Site, str]] | None = None,
    ) -> None:  # fmt: skip
        """Say beside the lines that get a value from a function, or as an item, what they have got; or only where `old` stands.

        A line that calls a region gets it when that has ended: its entry says so.  `to` are the lines that have it now, by
        themselves all.
        """
        called = set[Site | None]()
        while inside is not None:
            if inside.entry is not None:
                called.add(inside.entry.site)
            inside = inside.parent
        for site, name in value.given_to if to is None else to:
            if site in called:
                continue
            place, (of, _, item) = self._program.place(site), name.partition("[")
            if place is None or old and not self.stands(place, of):
                continue
            if not item:
                self.give(step, place, name, value)
                continue
            items = self._items.setdefault((tuple(place), of), [])
            if item == "0]":
                items.clear()
            if item == f"{len(items)}]":  # of a dict nobody knows the order here
                items.append(value)
                self.give(step, place, of, *items)

    def give(self, step: dict[str, Any], place: list[Any], name: str, *values: Value | None) -> None:
        """Show beside a line what it gave last."""
        line = tuple(place)
        texts, keys = self._texts(*values), [value and key_in(name, value.name) for value in values]
        if all(keys):  # a dict of several
            texts = [(f"{key}: {whole}", f"{key}: {brief}") for key, (whole, brief) in zip(keys, texts, strict=True)]
            self._keyed.add((line, name))
        elif len(values) == 1 and values[0] is not None and values[0].name == f"{name}[0]":  # a list of one
            self._items.setdefault((line, name), [values[0]])
        self._given.setdefault(line, {})[name] = texts
        for value in values:
            if value is not None and value.variable:
                self._variables.setdefault(value, {})[line] = name
        self._say(step, place)

    def _texts(self, *values: Value | None) -> list[tuple[str, str]]:
        return [("None", "") if value is None else self._text_of(value) for value in values]

    def without_old(self, step: dict[str, Any]) -> None:
        """Remove a variable that has changed from beside the other lines that made or changed it."""
        for value in self.changed:
            lines = self._variables.get(value, {})
            for line, name in list(lines.items()):
                if self._given[line].get(name) != self._texts(value):
                    self._given[line].pop(name, None)
                    del lines[line]
                    self._say(step, list(line))
        self.changed.clear()

    def _say(self, step: dict[str, Any], place: list[Any]) -> None:
        given, told = self._given[tuple(place)], []
        if sum(map(len, given.values())) > 1:
            self._crowded.add(tuple(place))
        crowded = tuple(place) in self._crowded
        for of, texts in given.items():
            said = [brief if crowded and columns(whole) > SHARED else whole for whole, brief in texts]
            listed = ", ".join(few_of(said))
            keyed = (tuple(place), of) in self._keyed
            single = len(said) == 1 and (tuple(place), of) not in self._items
            told.append(f"{of} = " + (f"{{{listed}}}" if keyed else said[0] if single else f"[{listed}]"))
        step.setdefault("produced", [])[:] = [
            *[result for result in step.get("produced", []) if result[0] != place],
            [place, ", ".join(few_of(told))],
        ]
