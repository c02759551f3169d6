"""One row per op: which numbers take part in which.  Values, VJPs and JVPs are read off it (`rule.py`).

A row is a function of the shapes of what an op takes and gives, and of the settings of the call.  Ops that work number by number
need none: their rows in the table of derivatives say it all, and `rule` reads those.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any, NamedTuple

from ..capture.claims.words import axes_of, key_text, parts_of
from .relation import OUT, Line, Lines, Relation, Shape, letter


class Call(NamedTuple):
    """What a row may ask: the shapes by operand, those of the results, and the settings of the call."""

    shapes: Mapping[str, Shape]
    gives: Sequence[Shape]
    settings: Mapping[str, Any]
    out: int = 0  # which of several results

    @property
    def x(self) -> Shape:
        """The shape of the first operand."""
        return next(iter(self.shapes.values()))

    @property
    def result(self) -> Shape:
        """The shape of the result at hand."""
        return self.gives[self.out]


ROWS: dict[str, Callable[[Call], list[Relation]]] = {}


def row(*ops: str) -> Callable[[Callable[[Call], list[Relation]]], Callable[[Call], list[Relation]]]:
    """Enter a function as the row of these ops."""

    def enter(made: Callable[[Call], list[Relation]]) -> Callable[[Call], list[Relation]]:
        ROWS.update(dict.fromkeys(ops, made))
        return made

    return enter


def letters(shape: Shape, name: str = "i") -> tuple[dict[str, int], Lines]:
    """A letter for each axis: their lengths, and the lines."""
    lengths = {f"{name}{axis}": length for axis, length in enumerate(shape)}
    return lengths, tuple(map(letter, lengths))


def stretched(lines: Lines, shape: Shape) -> Lines:
    """The lines of an array that is broadcast: the last ones, and 0 where it has a single number."""
    last = lines[len(lines) - len(shape) :]
    return tuple([Line() if length == 1 else line for line, length in zip(last, shape, strict=True)])


def reduced(call: Call) -> tuple[dict[str, int], Lines, Lines, int]:
    """Of a reduction: the letters of x, its lines, those of the result, and how many numbers make one."""
    lengths, lines = letters(call.x)
    axes = axes_of(call.settings.get("axis"), len(call.x))
    kept = [line for axis, line in enumerate(lines) if axis not in axes]
    if call.settings.get("keepdims"):
        kept = [Line() if axis in axes else line for axis, line in enumerate(lines)]
    return lengths, lines, tuple(kept), prod([call.x[axis] for axis in axes])


def moved(call: Call, at: Lines, lengths: Mapping[str, int], out: Lines, **more: Any) -> list[Relation]:
    """A number of x goes to places of the result, unchanged."""
    return [Relation(lengths, {next(iter(call.shapes)): at, OUT: out}, **more)]


def taken(call: Call, forth: bool, at: Lines, lengths: Mapping[str, int], piece: Lines) -> list[Relation]:
    """A piece is taken from these places of x; or, of the transpose, x is put at these places of the result."""
    return moved(call, at, lengths, piece) if forth else moved(call, piece, lengths, at)


# ---- products -------------------------------------------------------------------------------------------------------------


@row("matmul")
def _matmul(call: Call) -> list[Relation]:
    (_, x), (_, y) = call.shapes.items()
    turned = bool(call.settings.get("transpose_a")), bool(call.settings.get("transpose_b"))
    lengths, batch = letters(call.result[:-2], "b")
    inner = x[-2] if turned[0] else x[-1]
    i, j, k = map(letter, "ijk")
    at = {
        "x": (*stretched(batch, x[:-2]), *((k, i) if turned[0] else (i, k))),
        "y": (*stretched(batch, y[:-2]), *((j, k) if turned[1] else (k, j))),
        OUT: (*batch, i, j),
    }
    return [Relation({**lengths, "i": call.result[-2], "j": call.result[-1], "k": inner}, at)]


@row("einsum")
def _einsum(call: Call) -> list[Relation]:
    texts = [call.settings[name] for name in ("left", "right", "result")]
    if not all(text.isalpha() for text in texts):
        return []
    shapes = [*call.shapes.values(), call.result]
    lengths: dict[str, int] = {}
    for text, shape in zip(texts, shapes, strict=True):
        for name, size in zip(text, shape, strict=True):
            lengths[name] = size if lengths.get(name, 1) == 1 else lengths[name]
    at = {
        role: tuple([letter(name) if size == lengths[name] else Line() for name, size in zip(text, shape, strict=True)])
        for role, text, shape in zip(("x", "y", OUT), texts, shapes, strict=True)
    }
    return [Relation(lengths, at)]


def seen(window: Any, row: str = "a", column: str = "b") -> tuple[Line, Line]:
    """Where the windows' numbers lie in an image: step × window + spread × point − border."""
    (down, right), (rows, columns), border = window.strides, window.dilations, window.border
    return (
        letter("i") * down + letter(row) * rows + -border[0][0],
        letter("j") * right + letter(column) * columns + -border[1][0],
    )


@row("conv2d", "conv2d_image", "conv2d_filter")
def _convolution(call: Call) -> list[Relation]:
    """One relation of three arrays: image, filter and their product; which of them is the result depends on the op."""
    window, shapes = call.settings["window"], [*call.shapes.values()]
    down, right = seen(window)
    n, i, j, a, b, c, o = map(letter, "nijabco")
    places = {"image": (n, down, right, c), "filter": (a, b, c, o), "product": (n, i, j, o)}
    made = {
        "conv2d": "image filter product",
        "conv2d_image": "product filter image",
        "conv2d_filter": "image product filter",
    }
    roles = made[call.settings["op"]].split()
    known = dict(zip(roles, [*shapes, call.result], strict=True))
    sizes = {"n": known["image"][0], "i": known["product"][1], "j": known["product"][2], "o": known["product"][3]}
    lengths = {**sizes, "a": known["filter"][0], "b": known["filter"][1], "c": known["filter"][2]}
    at = {name: places[role] for name, role in zip(("x", "y", OUT), roles, strict=True)}
    return [Relation(lengths, at)]


@row("windows", "unwindows")
def _windows(call: Call) -> list[Relation]:
    forth = call.settings["op"] == "windows"
    cut = call.result if forth else call.x
    down, right = seen(call.settings["window"])
    lengths = dict(zip("nijabc", cut, strict=True))
    return taken(call, forth, (letter("n"), down, right, letter("c")), lengths, tuple(map(letter, "nijabc")))


# ---- sums -----------------------------------------------------------------------------------------------------------------


@row("reduce_sum", "reduce_mean")
def _sum(call: Call) -> list[Relation]:
    lengths, lines, out, count = reduced(call)
    return moved(call, lines, lengths, out, scale=1 / count if call.settings["op"] == "reduce_mean" and count else 1.0)


@row("cumsum")
def _running(call: Call) -> list[Relation]:
    lengths, lines = letters(call.x)
    axis = call.settings["axis"] % len(call.x)
    other, length = letter("j"), call.x[axis]
    before = (lines[axis] + other * -1) * (-1 if call.settings["reverse"] else 1)
    at = (*lines[:axis], other, *lines[axis + 1 :])
    when = ((before + (-1 if call.settings["exclusive"] else 0), length),)
    return moved(call, at, {**lengths, "j": length}, lines, when=when)


@row("broadcast_to", "sum_to")
def _broadcast(call: Call) -> list[Relation]:
    small, big = sorted((call.x, call.result), key=lambda shape: (len(shape), prod(shape)))
    lengths, lines = letters(big)
    return taken(call, call.settings["op"] == "broadcast_to", stretched(lines, small), lengths, lines)


# ---- numbers that only move -----------------------------------------------------------------------------------------------


@row("identity", "cast", "stop_gradient", "real", "conj")
def _same(call: Call) -> list[Relation]:
    lengths, lines = letters(call.x)
    return moved(call, lines, lengths, lines)


@row("reshape")
def _reshaped(call: Call) -> list[Relation]:
    lengths, lines = letters(call.result)
    return moved(call, lines, lengths, lines, views={next(iter(call.shapes)): (call.x, call.result)})


@row("transpose")
def _transposed(call: Call) -> list[Relation]:
    lengths, lines = letters(call.x)
    perm = call.settings["perm"]
    order = tuple(reversed(range(len(call.x)))) if perm is None else [axis % len(call.x) for axis in perm]
    return moved(call, lines, lengths, tuple([lines[axis] for axis in order]))


@row("reverse")
def _reversed(call: Call) -> list[Relation]:
    lengths, lines = letters(call.x)
    axes = axes_of(call.settings["axis"], len(call.x))
    out = tuple([line * -1 + (call.x[axis] - 1) if axis in axes else line for axis, line in enumerate(lines)])
    return moved(call, lines, lengths, out)


@row("concat", "stack")
def _joined(call: Call) -> list[Relation]:
    stacked, start, parts = call.settings["op"] == "stack", 0, []
    axis = call.settings["axis"] % len(call.result)
    for name, shape in call.shapes.items():
        lengths, lines = letters(shape)
        here = Line(constant=start) if stacked else lines[axis] + start
        out = (*lines[:axis], here, *(lines[axis:] if stacked else lines[axis + 1 :]))
        parts.append(Relation(lengths, {name: lines, OUT: out}))
        start += 1 if stacked else shape[axis]
    return parts


@row("add_n")
def _added(call: Call) -> list[Relation]:
    return [
        Relation(lengths, {name: lines, OUT: lines})
        for name in call.shapes
        for lengths, lines in [letters(call.result)]
    ]


@row("split", "unstack")
def _parted(call: Call) -> list[Relation]:
    lengths, lines = letters(call.result)
    axis = call.settings["axis"] % len(call.x)
    if call.settings["op"] == "unstack":
        return moved(call, (*lines[:axis], Line(constant=call.out), *lines[axis:]), lengths, lines)
    start = sum([shape[axis] for shape in call.gives[: call.out]])
    return moved(call, (*lines[:axis], lines[axis] + start, *lines[axis + 1 :]), lengths, lines)


@row("pad")
def _padded(call: Call) -> list[Relation]:
    lengths, lines = letters(call.x)
    if call.settings["value"] or not call.settings["paddings"]:
        return []
    out = [line + low for line, (low, _) in zip(lines, call.settings["paddings"], strict=True)]
    return moved(call, lines, lengths, tuple(out))


@row("tile")
def _tiled(call: Call) -> list[Relation]:
    lengths, lines = letters(call.x)
    often, copies = letters(tuple(call.settings["multiples"]), "m")
    out = tuple([line + copy * length for line, copy, length in zip(lines, copies, call.x, strict=True)])
    return moved(call, lines, {**lengths, **often}, out)


@row("diag_part", "diag")
def _diagonal(call: Call) -> list[Relation]:
    lengths, lines = letters(min(call.x, call.result, key=len))
    return taken(call, call.settings["op"] == "diag_part", (*lines, lines[-1]), lengths, lines)


@row("band_part")
def _band(call: Call) -> list[Relation]:
    lengths, lines = letters(call.x)
    (i, j), most = lines[-2:], max(call.x[-2:])
    sides = (i * -1 + j, call.settings["lower"]), (j * -1 + i, call.settings["upper"])
    when = tuple([(line + reach, 2 * most + reach) for line, reach in sides if reach >= 0])
    return moved(call, lines, lengths, lines, when=when)


@row("getitem", "put")
def _piece(call: Call) -> list[Relation]:
    """x[key], and its transpose: a piece in a field of zeros."""
    whole, part = (call.x, call.result) if call.settings["op"] == "getitem" else (call.result, call.x)
    found = _places(call.settings["key"], whole)
    if found is None:
        return []
    at, kept = found
    lengths = {name: part[axis] for axis, name in enumerate(kept) if name}
    piece = tuple([letter(name) if name else Line() for name in kept])
    return taken(call, call.settings["op"] == "getitem", at, lengths, piece)


def _places(key: Any, shape: Shape) -> tuple[Lines, list[str]] | None:
    """The lines of an array that a key of numbers and slices takes, and the letters of what it gives ("" for a new axis)."""
    if key_text(key) is None:
        return None
    parts = parts_of(key)
    axes = sum([part is not None and part != "..." for part in parts])
    if "..." not in parts:
        parts.append("...")
    at: list[Line] = []
    kept: list[str] = []
    for part in parts:
        if part is None:
            kept.append("")
        elif part == "...":
            for _ in range(len(shape) - axes):
                kept.append(f"i{len(kept)}")
                at.append(letter(kept[-1]))
        elif isinstance(part, int):
            at.append(Line(constant=part % max(1, shape[len(at)])))
        else:
            start, _, step = slice(*part[1:]).indices(shape[len(at)])
            kept.append(f"i{len(kept)}")
            at.append(letter(kept[-1]) * step + start)
    return tuple(at), kept


@row("gather", "scatter_add")
def _gathered(call: Call) -> list[Relation]:
    """x[…, indices, …], and its transpose, which adds up at the indices."""
    forth = call.settings["op"] == "gather"
    places = call.shapes["indices"]
    whole, part = (call.x, call.result) if forth else (call.result, call.x)
    axis = call.settings["axis"] % len(whole)
    lengths, lines = letters(part)
    there = Line(look=("indices", lines[axis : axis + len(places)]), length=whole[axis])
    at = (*lines[:axis], there, *lines[axis + len(places) :])
    return taken(call, forth, at, lengths, lines)


@row("take_along", "put_along")
def _along(call: Call) -> list[Relation]:
    forth = call.settings["op"] == "take_along"
    lengths, lines = letters(call.result if forth else call.x)
    whole = call.x if forth else call.result
    at = (*lines[: len(whole) - 1], Line(look=("indices", lines), length=whole[-1]))
    return taken(call, forth, at, lengths, lines)
