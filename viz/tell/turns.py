"""Where loops are among the ops that ran, and how large their values are in each turn."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import Any, NamedTuple

import numpy as np

from ..capture.numbers import Snapshot, flat, measured
from ..capture.records import Op, Site
from .spelling import MODULE

LEAST = 3  # turns
ROUNDED = 4e-3  # a smaller size, of numbers that were rounded to a millionth, is not known to three digits
DISTANCES = 48  # of an op to the next one like it, that are tried as the length of a turn


class Turns(NamedTuple):
    """Where a loop is among the ops of a run: its first op, how many ops a turn has, and how many turns there are."""

    first: int
    length: int
    times: int

    @property
    def end(self) -> int:
        """The first op after it."""
        return self.first + self.length * self.times


def turns_of(keys: list[Any]) -> list[Turns]:
    """The loops in a row of ops, each known by its place in the program; those in a turn of another follow it.

    >>> turns_of(list("aabxabxabxc"))
    [Turns(first=1, length=3, times=3)]
    >>> turns_of(list("aaaabbbx" * 3))[:2]
    [Turns(first=0, length=8, times=3), Turns(first=0, length=1, times=4)]
    """
    found = _near(keys)
    if not found:
        return found
    units: list[Any] = []  # the same row, with each loop as one
    starts: list[int] = []
    alike = Counter[Any]()  # how often the same loop comes
    tops: list[Turns] = []
    outer: set[Turns] = set()  # with loops in their turns
    at = 0
    for turns in found:
        if turns.first < at:
            outer.add(tops[-1])
            continue
        tops.append(turns)
        starts += [*range(at, turns.first), turns.first]
        units += [*keys[at : turns.first], (*keys[turns.first : turns.first + turns.length], turns.times)]
        alike[units[-1]] += 1
        at = turns.end
    units, starts = [*units, *keys[at:]], [*starts, *range(at, len(keys) + 1)]
    around = {_whole(keys, tops, *turns) for turns in outer}
    for turns in turns_of(units) if max(alike.values()) >= LEAST else ():
        first, after = starts[turns.first], starts[turns.first + turns.length]
        around.add(_whole(keys, tops, first, after - first, turns.times))
    inner = {turns for turns in found if turns not in outer and not any(_again(turns, other) for other in around)}
    return sorted(around | inner, key=lambda turns: (turns.first, -turns.end, -turns.length))


def _whole(keys: list[Any], others: list[Turns], first: int, length: int, times: int) -> Turns:
    """A loop from its beginning, which is no place within another, to its end.

    The end of one loop in it may look as if it belonged to the next, and its turns as if they began later.
    """
    end = first + length * times
    while first and keys[first - 1] == keys[first - 1 + length]:
        first -= 1
    while end < len(keys) and keys[end] == keys[end - length]:
        end += 1
    first = max([first, *[other.end for other in others if other.first < first < other.end]])
    return Turns(first, length, (end - first) // length)


def _again(turns: Turns, other: Turns) -> bool:
    """Whether a loop lies in a later turn of another one: the first has it already."""
    return other.first + other.length < turns.end and turns.first < other.end


def _near(keys: list[Any]) -> list[Turns]:
    """The loops whose turns begin with an op that comes again soon."""
    places: dict[Any, list[int]] = {}
    for at, key in enumerate(keys):
        places.setdefault(key, []).append(at)
    index = {at: place for row in places.values() for place, at in enumerate(row)}
    found: list[Turns] = []
    at = 0
    while at < len(keys):
        row, place = places[keys[at]], index[at]
        best = None
        for after in row[place + 1 : place + 1 + DISTANCES]:
            if best is not None and after <= best.end and (after - at) % best.length == 0:
                continue  # several of its turns at once come to the same end
            repeat = _repeated(keys, at, after - at)
            if repeat.times >= LEAST and (best is None or repeat.end > best.end):
                best = repeat
        if best is None:
            at += 1
            continue
        found.append(best)
        inner = _near(keys[best.first : best.first + best.length]) if best.length > LEAST else []
        found += [Turns(best.first + turns.first, turns.length, turns.times) for turns in inner]
        at = best.end
    return found


def _repeated(keys: list[Any], first: int, length: int) -> Turns:
    count, at = 1, first + length
    while keys[at : at + length] == keys[first : first + length]:
        count, at = count + 1, at + length
    return Turns(first, length, count)


class Size(NamedTuple):
    """How large a value is, the root of the sum of its squares, and what is left out of that because it has no size."""

    size: float | None = None
    nan: int = 0  # numbers that are none
    infinite: int = 0  # numbers that are ∞ or −∞


def size_of(snap: Snapshot | None) -> Size:
    """How large a value is.

    >>> size_of(Snapshot("", None, -2.0)), size_of(Snapshot("", {"shape": [3], "numbers": [3, "inf", "nan"]}))
    (Size(size=2.0, nan=0, infinite=0), Size(size=3.0, nan=1, infinite=1))
    """
    if snap is None:
        return Size()
    if snap.value is not None:
        real = float(snap.value)
        return Size(abs(real)) if math.isfinite(real) else Size(None, int(math.isnan(real)), int(math.isinf(real)))
    if snap.whole is not None and (found := measured(snap)) is not None:
        count = math.prod(snap.whole.shape)
        told = count > found.nan + found.infinite
        return Size(math.sqrt(found.squares) if told else None, found.nan, found.infinite)
    if snap.data is None or "numbers" not in snap.data:
        return Size()
    array = np.array(flat(snap.data["numbers"]), "f8")
    finite, nan = np.isfinite(array), int(np.isnan(array).sum())
    size = float(np.sqrt(np.square(array[finite]).sum()))
    told = size >= ROUNDED and bool(finite.any())
    return Size(size if told else None, nan, int(array.size - finite.sum()) - nan)


def sum_of(parts: list[Snapshot]) -> Snapshot | None:
    """Several shares of one turn as one."""
    if len(parts) == 1:
        return parts[0]
    if all(part.value is not None for part in parts):
        return Snapshot(None, None, sum(float(part.value or 0.0) for part in parts))
    wholes = [part.whole for part in parts if part.whole is not None]
    if len(wholes) < len(parts):
        return None
    array, total = np.sum([whole.array for whole in wholes], axis=0), Snapshot("", None)
    total.whole = wholes[0]._replace(dtype="f8", data=np.ascontiguousarray(array, "<f8").tobytes())
    return total


def row_of(name: str, snaps: list[Snapshot | None]) -> dict[str, Any]:
    """Sizes by turn, and in which turn how many numbers are none, or infinite; nothing where no turn has any."""
    plain = [snap.value if snap is not None else None for snap in snaps]
    if plain and all([value is not None and math.isfinite(value) for value in plain]):
        return {name: [float(f"{abs(value):.4g}") for value in plain if value is not None]}
    sizes = [size_of(snap) for snap in snaps]
    if all(size == Size() for size in sizes):
        return {}
    told: dict[str, Any] = {name: [None if size.size is None else float(f"{size.size:.4g}") for size in sizes]}
    odd = [[turn, size.nan, size.infinite] for turn, size in enumerate(sizes) if size.nan or size.infinite]
    return {**told, f"{name}_odd": odd} if odd else told


def line_of(ops: list[Op], times: int) -> str:
    """The line that says it is a loop: the nearest `for` or `while` around most lines of its body, else the first of these.

    Lines of the program itself say it before those of functions that it calls, which may have loops of their own; and one
    that goes round so often before one that says another number.
    """
    sites = sorted({op.site for op in ops if op.site is not None}, key=lambda site: site.line)
    around = [loops_around(site) for site in sites if site.function == MODULE]
    found = Counter(loop for loops in (around if any(around) else map(loops_around, sites)) for loop in loops)
    if found:
        most = max(found.values())
        nearest = [
            (_may_go_round(text, times), line, text) for (_, line, text), count in found.items() if count == most
        ]
        return max(nearest)[2]
    lines = sites[0].source.lines if sites[0].source is not None else ()
    return lines[sites[0].line - 1].strip() if 0 < sites[0].line <= len(lines) else f"line {sites[0].line}"


def _may_go_round(text: str, times: int) -> bool:
    said = re.search(r" in range\((\d+)\):", text)
    return said is None or int(said[1]) == times


def loops_around(site: Site) -> list[tuple[str, int, str]]:
    """Each `for` and `while` around a line, in its own function: the file's id, the line's number and text."""
    source, found = site.source, list[tuple[str, int, str]]()
    if source is None or not 0 < site.line <= len(source.lines):
        return found
    within = len(source.lines[site.line - 1]) + 1  # a loop may stand on the line itself
    for line in range(site.line, 0, -1):
        text = source.lines[line - 1]
        begins = text.lstrip()
        if not begins or begins.startswith("#") or len(text) - len(begins) >= within:
            continue
        within = len(text) - len(begins)
        if begins.startswith(("for ", "while ")):
            found.append((source.id, line, begins.split("#")[0].strip()))
        if begins.startswith("def "):
            break
    return found
