"""Where a long run is cut: into the layers that the program called, as it calls them, and into lines between.

A path is the layers and scopes that an op lies in, outermost first.  A called layer is one piece, however many ops ran in it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby, pairwise, takewhile
from typing import Any

from ..capture.records import Context, Made, Op, Record, Site, Value
from ..scene import joined
from .spelling import home_of, parsed
from .turns import turns_of

Path = tuple[str, ...]
Called = dict[Path, str]  # what the program calls the layer of a path
Piece = list[list[Op]]  # of each round, its ops

_NONE: dict[Op, Op] = {}
SLACK = 1.5  # how far above the most a turn of a loop, or what a function does, may be and stay one piece
BACK = "back through "  # before the name of a layer: what its backward pass did


def path_of(op: Op) -> Path:
    """The layers that an op lies in, outermost first; what goes back through a layer, or forward as a tangent, lies in it."""
    context = op.context
    while context.phase in ("gradient", "jvp") and context.cause is not None:
        context = context.cause.context
    return path_in(context)


def path_in(context: Context) -> Path:
    """The layers that something happens in."""
    where = context.scope or context.layer.replace(".", "/")
    return _parts(where) if where else ()


@lru_cache(maxsize=4096)  # a run has few layers, and very many ops
def _parts(where: str) -> Path:
    return tuple([part for part in where.split("/") if part and not _REGION.fullmatch(part)])


_REGION = re.compile(r"recompute_\d+_grad")  # a scope of TensorFlow's around what runs again, which is no layer


class Cut:
    """How ops are told apart: by layers as the program calls them, or by layers and regions down to a depth."""

    def __init__(self, called: Called, depth: int, as_called: bool = False) -> None:
        self.called, self.depth, self.as_called = called, depth, as_called
        self._keys: dict[tuple[Context, Site | None], tuple[Any, ...]] = {}  # very many ops share theirs

    def path(self, op: Op) -> Path:
        """The layers that count for an op."""
        path = path_of(op)
        if self.as_called:
            return next((path[:length] for length in range(len(path), 0, -1) if path[:length] in self.called), path)
        return path[: self.depth]

    def key(self, op: Op) -> tuple[Any, ...]:
        """The kind of work, region and layers of an op, and of a layer the line that called it."""
        context, site = op.context, op.site
        known = self._keys.get((context, site))
        if known is None:
            path = self.path(op)
            known = self._keys[context, site] = (
                context.phase, context.region[: self.depth], path, site if path in self.called else None, context.actor,
            )  # fmt: skip
        return known

    def pieces(self, ops: list[Op], most: int, whole: bool, split: set[Op], calls: dict[Op, Op] = _NONE) -> list[Piece]:
        """Pieces of one kind of work: at most `most` ops in one, but for layers where they stay `whole`, and large calls.

        At each op of `split` begins another.
        """
        found: list[Piece] = []
        length = 0  # ops in the last piece
        for part, another in self._turns(self._rounds(ops, calls), most):
            kept_whole = bool(whole and self.path(part[0]))
            same = found and self.key(found[-1][0][0]) == self.key(part[0])
            if same and (kept_whole or length + len(part) <= most and not another) and part[0] not in split:
                found[-1].append(part)
                length += len(part)
            elif len(part) > SLACK * most and not kept_whole and part[0] not in calls:
                found += [[some] for some in _at_lines(part, -(-len(part) // most))]
                length = len(found[-1][0])
            else:
                found.append([part])
                length = len(part)
        return found

    def _turns(self, rounds: list[list[Op]], most: int) -> Iterator[tuple[list[Op], bool]]:
        """Rounds, joined to turns of a loop as far as a turn is one kind of work and not much more than a piece has.

        Each with whether it is where a loop of some length begins, or what comes after one.
        """
        keys = [(self.key(part[0]), *[op.site and op.site.id for op in part]) for part in rounds]
        joined: dict[int, int] = {}  # by round with which a turn begins, the first that is of no such turn
        apart, end = set[int](), 0
        for turns in turns_of(keys):  # the outermost first
            first = rounds[turns.first : turns.first + turns.length]
            size, alike = sum(map(len, first)), len({self.key(part[0]) for part in first}) == 1
            if turns.first >= end and turns.length > 1 and alike and size <= SLACK * most:
                end = turns.end
                joined |= {at: at + turns.length for at in range(turns.first, end, turns.length)}
                apart |= {turns.first, end} if size * turns.times > most / 2 else set()
        at = 0
        while at < len(rounds):
            after = joined.get(at, at + 1)
            yield [op for part in rounds[at:after] for op in part], at in apart
            at = after

    def _rounds(self, ops: list[Op], calls: dict[Op, Op]) -> list[list[Op]]:
        """Each large call by itself, and between them what one turn of a loop runs."""
        if not calls:
            return self._rounds_of_lines(ops)
        runs = [(call, list(run)) for call, run in groupby(ops, key=calls.get)]
        return [part for call, run in runs for part in ([run] if call else self._rounds_of_lines(run))]

    def _rounds_of_lines(self, ops: list[Op]) -> list[list[Op]]:
        """Ops cut where an instruction comes again, or another layer, region or function begins: what one turn of a loop runs.

        What comes before the first turn, or after the last, is not part of it.
        """
        cut: list[list[Op]] = []
        met: set[Any] = set()
        begun: Any = None  # the key of the first of them
        for op in ops:
            place, key = (op.site, op.row.name), (self.key(op), op.site and home_of(op.site))
            if not cut or place in met or key != begun:
                cut.append([])
                met, begun = set(), key
            met.add(place)
            cut[-1].append(op)
        found: list[list[Op]] = []
        counts = [0, *map(len, cut), 0]
        for at, (part, before, count, after) in enumerate(zip(cut, counts, counts[1:], counts[2:], strict=False)):
            if 0 < before < count and _alike(part[:before], cut[at - 1]):
                found.append(part[:before])
                part = part[before:]
            if 0 < after < count and after < len(part) and _alike(part[-after:], cut[at + 1]):
                found.append(part[:-after])
                part = part[-after:]
            found.append(part)
        return found


def _at_lines(ops: list[Op], count: int) -> Iterator[list[Op]]:
    """So many pieces of about equal length, cut where a line of the program ends, if one does nearby; fewer where that is one
    end for two of them."""
    lines = [op.site and (home_of(op.site), op.site.line) for op in ops]
    ends = [at for at in range(1, len(ops)) if lines[at] != lines[at - 1]]
    size, start = len(ops) / count, 0
    for even in (round(number * size) for number in range(1, count)):
        near = min(ends, key=lambda end: abs(end - even), default=even)
        after = near if abs(near - even) <= size / 2 else even
        if after > start:
            yield ops[start:after]
        start = after
    yield ops[start:]


def _alike(some: list[Op], others: list[Op]) -> bool:
    return all(
        one.site is other.site and one.row.name == other.row.name for one, other in zip(some, others, strict=True)
    )


def apart(ops: list[Op], most: int) -> set[Op]:
    """The ops before which a function begins or has returned that does too much for one piece: no piece goes across that."""
    sites = {op.site for op in ops}
    if len({home_of(site) for site in sites if site is not None}) < 2:
        return set()
    runs = [list(run) for _, run in groupby(ops, key=lambda op: op.site and home_of(op.site))]
    return {here[0] for before, here in pairwise(runs) if max(len(before), len(here)) > most}


def in_turns(cut: list[Piece], least: int = 3) -> list[Piece]:
    """Pieces with one for all turns of a loop, where the same pieces follow each other at least three times."""
    signs = [
        (piece[0][0].context.phase, path_of(piece[0][0]), frozenset(op.site for part in piece for op in part))
        for piece in cut
    ]
    found: list[Piece] = []
    at = 0
    while at < len(cut):
        best, period = 1, 1
        for width in range(1, min(12, (len(cut) - at) // least) + 1):
            times = 1
            while signs[at + times * width : at + (times + 1) * width] == signs[at : at + width]:
                times += 1
            if times >= least and times * width > best * period:
                best, period = times, width
        if best == 1:
            found.append(cut[at])
        else:
            turns = [cut[at + turn * period : at + (turn + 1) * period] for turn in range(best)]
            found.append([[op for piece in turn for part in piece for op in part] for turn in turns])
        at += best * period
    return found


def named(piece: Piece, depth: int, called: Called, whole: bool = True) -> tuple[str, str]:
    """What a piece is called, and its kind: layer, region, repeat or ops."""
    ops, times = [op for part in piece for op in part], len(piece)
    paths = [path_of(op) for op in ops]
    region, path = ops[0].context.region[:depth], _common(paths) if depth else ()
    if path:
        back = "" if ops[0].context.phase == "forward" else BACK
        inner = [way[len(path)] for way in (paths[0], paths[-1]) if len(way) > len(path)]
        part = "" if whole or not inner else f"/{'–'.join(dict.fromkeys(inner))}"
        return back + spelled(path, called) + part, "layer"
    layers = list(dict.fromkeys(spelled(layer[:1], called) for layer in map(path_of, piece[0]) if layer))
    if layers and times > 1:
        return f"{', '.join(layers[:2])}{', …' if len(layers) > 2 else ''} ×{times}", "repeat"
    rounds = [{op.site for op in part if op.site is not None} for part in piece]
    # Those that only begin alike are no rounds of one thing, and what goes back has the one line that asks for it.
    times = times if ops[0].context.phase != "gradient" and all(sites == rounds[0] for sites in rounds) else 1
    sites = set[Site]().union(*rounds)
    where = _where(sites)
    functions = {site.function for site in sites}
    if len(functions) == 1 and all(re.fullmatch(r"(?!__)\w+", name) for name in functions):
        where = f"{functions.pop()}, {where}"
    name = region[-1] if region else where
    kind = "repeat" if times > 1 or not depth else "region" if region else "ops"
    return (f"{name} ×{times}" if times > 1 else name), kind


HULLS = 4  # parts of a program that a name can tell apart


def _where(sites: set[Site]) -> str:
    """The lines of these instructions, those of each function for themselves, so that no line lies among them that has no part.

    >>> there = [Site("a", line=7, begins=6), Site("b", line=10, begins=9), Site("c", line=12, begins=9)]
    >>> _where({*there}), _where({*there[:1]}), _where({*there, Site("d", line=8, begins=6)})
    ('lines 7 and 10–12', 'line 7', 'lines 7–8 and 10–12')
    """
    by_function: dict[int, list[int]] = {}
    for site in sorted(sites, key=lambda site: site.line):
        by_function.setdefault(site.begins, []).append(site.line)
    hulls = joined([(lines[0], lines[-1]) for lines in by_function.values()] or [(0, 0)], gap=1)
    if len(hulls) > HULLS:
        hulls = [[hulls[0][0], hulls[-1][1]]]
    *first, last = [f"{begin}" if begin == end else f"{begin}–{end}" for begin, end in hulls]
    return f"line{'s' * bool(first or '–' in last)} {', '.join(first)}{' and ' * bool(first)}{last}"


def spelled(path: Path, called: Called) -> str:
    """A layer as the program calls it, and below that by its own name: "encoder/dense_1"; without such a call, its own name."""
    for length in range(len(path), 0, -1):
        if path[:length] in called:
            return "/".join([called[path[:length]], *path[length:]])
    return path[-1]


def with_layers(weights: dict[Value, str], records: list[Record]) -> dict[Value, str]:
    """The names of weights behind the name of the layer that uses them first, or else made them; behind those around it too
    where two are alike."""
    found: dict[Value, list[str]] = {}
    ops: list[Op] = [record.op for record in records if record.kind == "op"] if weights else []  # type: ignore[attr-defined]
    called = called_layers(ops) if ops else {}
    for op in ops:
        for value in op.takes:
            if value in weights and value not in found and (path := path_of(op)):
                found[value] = [*spelled(path, called).split("/"), weights[value]]
    for record in records if weights else ():
        if isinstance(record, Made) and record.value in weights and (path := path_in(record.context)):
            found.setdefault(record.value, [*path, weights[record.value].rpartition("/")[2]])
    names: dict[Value, str] = {}
    for length in (2, 3, 99):
        for value, parts in found.items():
            short = parts[-length:]
            if value not in names and sum(other[-length:] == short for other in found.values()) == 1 or length == 99:
                names.setdefault(value, "/".join(short))
    return names


def called_layers(ops: list[Op]) -> Called:
    """The names by which the program calls its layers: of `self.encoder(x)`, "encoder" for the path that its ops share.

    Only what is sure: one name that stands for one layer, and for nothing else.
    """
    found: dict[Path, dict[str, None]] = {}
    ends: dict[str, set[Path]] = {}
    modules: set[str] = set()
    callees: dict[Site | None, tuple[str, str]] = {}  # of a loop's line they are looked for once
    start = 0
    for place in range(1, len(ops) + 1):
        if place < len(ops) and ops[place].site is ops[start].site:
            continue
        run, site = ops[start:place], ops[start].site
        start = place
        if site not in callees:
            callees[site] = _callee(site)
        root, name = callees[site] if run[0].context.phase == "forward" else ("", "")
        path = _common([path_of(op) for op in run])
        if not path:
            modules.add(root)  # what is called here is no layer, but tf, a module of functions
        found.setdefault(path, {})[name if root not in modules else ""] = None
        if name:
            ends.setdefault(name, set()).add(path)
    answer: Called = {}
    for path, names in found.items():
        sure = [name for name in names if name and len(ends[name]) == 1]
        if path and sure and "" not in names:
            answer[path] = sure[0]
    return answer


def _callee(site: Site | None) -> tuple[str, str]:
    """Where the function that a line calls is looked up, and its name; "" for what is no plain name, or that of a loop."""
    if site is None or site.form not in ("call", "training"):
        return "", ""
    call = parsed(site.text.strip())
    function = call.func if isinstance(call, ast.Call) else None
    name = (
        function.attr if isinstance(function, ast.Attribute) else function.id if isinstance(function, ast.Name) else ""
    )
    root: Any = function
    while isinstance(root, ast.Attribute):
        root = root.value
    where = root.id if isinstance(root, ast.Name) else ""
    lines = site.source.lines if site.source is not None else ()
    turning = re.compile(rf"\bfor\b[^:]*\b{re.escape(where or name)}\b[^:]*\bin\b")
    return (where, name) if where and name and not any(turning.search(line) for line in lines) else (where, "")


def _common(paths: list[Path]) -> Path:
    """The longest path that all of them begin with."""
    low, high = min(paths), max(paths)  # all others lie between
    alike = takewhile(lambda both: both[0] == both[1], zip(low, high, strict=False))
    return tuple([part for part, _ in alike])
