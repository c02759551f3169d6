"""Marks with timelines: what a run looks like at every step, computed once.

A mark is a tag, a key and attributes; an attribute is a plain value, or a `Line` of (step, value).  A still is the same tree with
every attribute resolved at a step (`still.py`); a page is the tree as it stands at the last step, and a table of what each step
back changes (`Page`).  Another layout and another room are the same marks with other attributes: one more row of the table.

Steps change classes, texts and the outlines of arrays; rooms change places.  Neither writer knows what a mark means.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

from ..layout.curve import relative
from .ink import clean, number, printable

VOID = {"rect", "circle", "path", "line", "input"}  # elements without an end
HTML_EMPTY = {"input"}
LONG = 60_000  # letters of what may stand apart
PREFIX = "mt-"  # of classes in a page, where a host has classes of its own; of ids, until a player gives them its own
NAMES = {
    "viewbox": "viewBox", "textlength": "textLength", "lengthadjust": "lengthAdjust", "fixed": "preserveAspectRatio",
}  # fmt: skip

_NUMBER = re.compile(r"(?!-0$)-?(?:0|[1-9]\d{0,6})(?:\.\d{0,2}[1-9])?")  # as a player spells it again


class Line(list[tuple[int, Any]]):
    """What an attribute is over the steps: [(step, value), ...], the first at step 0, each until the next.

    >>> Line([(0, "a"), (4, "b")]).at(3)
    'a'
    """

    def at(self, step: int) -> Any:
        """The value that holds at a step."""
        found = self[0][1]
        for begin, value in self:
            if begin > step:
                break
            found = value
        return found


class Share(float):
    """A place on the time axis as a part of its width: a page writes it in percent, a still in px."""

    def __str__(self) -> str:
        return f"{100 * self:.2f}".rstrip("0").rstrip(".") + "%"


def over(dates: Iterable[int | None], look: Callable[[int], Any]) -> Any:
    """`look` as a `Line`, asked only at the dates of the facts that it depends on; a plain value where it never changes.

    >>> over([2, 5], lambda step: "on" if step >= 5 else "")
    [(0, ''), (5, 'on')]
    """
    line = Line()
    for step in sorted({0, *(date for date in dates if date is not None and date > 0)}):
        value = look(step)
        if not line or line[-1][1] != value:
            line.append((step, value))
    return line if len(line) > 1 else line[0][1]


class Known(dict[str, Any]):
    """What was worked out before for the same mark: another direction and another room have the same timelines."""

    def once(self, key: str, make: Callable[[], Any]) -> Any:
        """What is known by this name, made where nothing is."""
        if key not in self:
            self[key] = make()
        return self[key]


def around(dates: Iterable[int]) -> list[int]:
    """Each date and the step after it: where something begins and, a step later, is no longer new."""
    return [date + after for date in dates for after in (0, 1)]


def resolved(value: Any, step: int) -> Any:
    """An attribute at a step."""
    return value.at(step) if isinstance(value, Line) else value


def said(*names: Any) -> str:
    """Words of a class, without the gaps."""
    return " ".join(name for name in names if name)


class Mark:
    """One element: `cls` begins with the part that it is (the looks know it by that name), then come its states.

    Of the other attributes `text` and `html` are what stands in it, and in names `_` is written `-`.
    """

    __slots__ = ("attrs", "key", "kids", "tag")

    def __init__(self, tag: str, *kids: Any, key: str = "", **attrs: Any) -> None:
        self.tag, self.key, self.attrs = tag, key, attrs
        self.kids: list[Mark] = [kid for kid in kids if kid is not None]

    def now(self, name: str, step: int) -> Any:
        """One of its attributes at a step."""
        return resolved(self.attrs.get(name), step)


@cache
def attribute(name: str) -> str:
    """How an attribute is called in a document."""
    return "class" if name == "cls" else NAMES.get(name) or name.replace("_", "-")


def quoted(value: Any) -> str:
    """A value as it stands between the quotation marks of an attribute."""
    return (number(value) if type(value) is float else clean(str(value))).replace('"', "&quot;")


@lru_cache(maxsize=1 << 16)  # sheets of one run say much the same
def _written(name: str, value: str) -> str:
    """An attribute as it stands in a document."""
    value = PREFIX + value if name == "cls" else value
    return f' {attribute(name)}="{quoted(value)}"' if value else f" {attribute(name)}"


def told(name: str, value: Any) -> str | None:
    """A value as the table has it; of a class a document has the prefix as well."""
    if value is None or (name == "cls" and value == ""):
        return None
    if name in ("html", "d"):
        return relative(value) if name == "d" else str(value)
    return number(value) if type(value) is float else printable(str(value))


class Page:
    """Writes marks as they stand at the last step, numbers those that change, and gathers what changes.

    A number is an element's place among those that say `data-k`; where several elements are one mark, the others say the number.
    The table leads back from step to step: numbers, attributes and the values before; the way forward follows from the document
    itself.  `rooms` are planned places: {name: [{least, place, back}, ...]}, the widest first, of which the document has the
    first and a player takes the first whose `least` px there are.
    """

    def __init__(self, steps: int, prefix: str = "") -> None:
        self.prefix = prefix  # of ids
        self._back = _rows(max(1, steps))
        self._rooms: dict[str, list[dict[str, Any]]] = {}
        self.apart: Mark | None = None  # what stands in it, where that is long, goes beside the document
        self.beside = ""
        self._keys: set[str] = set()  # of the marks that change
        self._numbers: dict[str, int] = {}  # of those that are written
        self._seen: dict[tuple[str, str], Line] = {}

    def number(self, key: str) -> int:
        """The number of a mark that was written."""
        return self._numbers[key]

    def part(self, name: str, mark: Mark) -> Mark:
        """A part of the page that tells numbers, by name: one that stays while its numbers change remembers it (`turns.py`)."""
        return mark

    def _note(self, rows: Rows, key: str, name: str, line: Line) -> None:
        self._keys.add(key)
        for (_, before), (step, _) in pairwise(line):
            rows[step].append((key, attribute(name), told(name, before)))

    def known(self, value: Any) -> Any:
        """A Line without what lies beyond the last step: a thing that is new there is old a step later."""
        if not isinstance(value, Line) or value[-1][0] < len(self._back):
            return value
        return Line(change for change in value if change[0] < len(self._back))

    def planned(self, name: str, plans: Sequence[tuple[Any, Mark]]) -> Mark:
        """The same marks at the places of several rooms, as (least px, marks), the widest first, or as (size, marks), where the
        window says which comes out largest: returns those to be written.

        What the plans do not agree in is written as the widest has it, and stands in the table for the others.
        """
        rooms: list[dict[str, Any]] = [
            {"least": least, "place": [], "back": _rows(len(self._back))} for least, _ in plans
        ]
        self._plan(rooms, name, [mark for _, mark in plans])
        if any(room["place"] for room in rooms):
            self._rooms[name] = rooms
        return plans[0][1]

    def _plan(self, rooms: list[dict[str, Any]], path: str, marks: list[Mark]) -> None:
        """Note what the plans of a mark do not agree in, and of all that is in it."""
        first, *others = marks
        if all(mark is first for mark in others):
            return
        same = all(mark.attrs.keys() == first.attrs.keys() for mark in others)
        for attr in list(first.attrs) if same else dict.fromkeys(attr for mark in marks for attr in mark.attrs):
            given = first.attrs.get(attr)
            if all(mark.attrs.get(attr) == given for mark in others):
                continue
            values = [self.known(mark.attrs.get(attr)) for mark in marks]
            if all(value == values[0] for value in values[1:]):
                continue
            first.key = first.key or path
            for room, value in zip(rooms, values, strict=True):
                line = value if isinstance(value, Line) else Line([(0, value)])
                room["place"].append((first.key, attribute(attr), told(attr, line[-1][1])))
                self._note(room["back"], first.key, attr, line)
            first.attrs[attr] = values[0][-1][1] if isinstance(values[0], Line) else values[0]
        for at, kids in enumerate(zip(*(mark.kids for mark in marks), strict=True)):
            self._plan(rooms, f"{path}/{at}", list(kids))

    def write(self, mark: Mark) -> str:
        """A mark as it stands at the last step."""
        words, inner = [], ""
        if mark.attrs.get("d") == "" and mark.key not in self._keys:  # it is empty at every step
            return ""
        for name, given in mark.attrs.items():
            value = self.known(given)
            if isinstance(value, Line):
                value = self._noted(mark, name, value)
            if name == "html":
                inner = str(value)
                continue
            value = told(name, value)
            if name == "id":
                value = f"{self.prefix}-{value}"
            elif value and value.startswith("url(#"):
                value = value.replace("#", f"#{self.prefix}-", 1)
            if name == "text":
                inner = clean(value) if value else ""
            elif value is not None:
                words.append(_written(name, value))
        if mark.key in self._keys:
            words.insert(0, f' data-k="{self._numbers[mark.key]}"' if mark.key in self._numbers else " data-k")
            self._numbers.setdefault(mark.key, len(self._numbers))
        inner += "".join(map(self.write, mark.kids))
        if mark is self.apart and len(inner) > LONG:
            self.beside, inner = inner, ""
        if mark.tag in VOID and not inner:
            return f"<{mark.tag}{''.join(words)}{'' if mark.tag in HTML_EMPTY else '/'}>"
        return f"<{mark.tag}{''.join(words)}>{inner}</{mark.tag}>"

    def _noted(self, mark: Mark, name: str, line: Line) -> Any:
        """The last value of an attribute whose changes go into the table, once for all elements that are one mark."""
        if not mark.key:
            raise ValueError(f"a {mark.tag} that changes its {name} needs a key")
        if (mark.key, name) not in self._seen:
            self._note(self._back, mark.key, name, line)
        if self._seen.setdefault((mark.key, name), line) != line:
            raise ValueError(f"two marks are called {mark.key}, and their {name} differs")
        return line[-1][1]

    def table(self) -> dict[str, Any]:
        """Everything that a player needs beside the document, in columns."""
        rooms: dict[str, list[dict[str, Any]]] = {}
        for name, plans in self._rooms.items():
            rooms[name] = []
            for place, plan in enumerate(plans):
                # Of the first the document has it.
                room = {"least": plan["least"], "place": self._columns([plan["place"]]) if place else {}}
                rooms[name].append(room | ({"back": self._columns(plan["back"])} if any(plan["back"]) else {}))
        return {"steps": len(self._back), "back": self._columns(self._back), "rooms": rooms}

    def _columns(self, rows: Rows) -> dict[str, list[Any]]:
        """Rows by attribute, as [numbers, values, steps], mark by mark: a number as the distance from the one before, 0 within a
        mark; the first step of a mark as the distance from the mark before, further steps from each other.  A single row needs no
        steps.  Values that are numbers, all of them, are distances as well.  Told so, a table takes half of what it takes row by
        row."""
        changes: dict[str, list[tuple[int, int, str | None]]] = {}
        for step, row in enumerate(rows):
            for key, name, value in row:
                changes.setdefault(name, []).append((self._numbers[key], step, value))
        out: dict[str, list[Any]] = {}
        for name, told_ in changes.items():
            numbers, steps, before, first, last = list[int](), list[int](), 0, 0, 0
            told_.sort(key=lambda change: change[:2])
            for number_, step, _ in told_:
                begins = number_ > before or not numbers
                steps.append(step - (first if begins else last))
                numbers.append(number_ - before)
                before, first, last = number_, step if begins else first, step
            out[name] = [numbers, _apart([value for *_, value in told_]), *([steps] if len(rows) > 1 else [])]
        return out


def _apart(values: list[str | None]) -> list[Any]:
    """Numbers as how far each is from the one before, which is much the same from one to the next; other values as they are.

    >>> _apart(["8.5", "9", "10.1"]), _apart(["8.50", "9"])
    ([8.5, 0.5, 1.1], ['8.50', '9'])
    """
    if not all(value is not None and _NUMBER.fullmatch(value) for value in values):
        return values
    apart = [round(b - a, 3) for a, b in pairwise([0.0, *(float(str(value)) for value in values)])]
    return [int(number) if number.is_integer() else number for number in apart]


Rows = list[list[tuple[str, str, str | None]]]


def _rows(steps: int) -> Rows:
    return [[] for _ in range(steps)]
