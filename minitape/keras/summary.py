"""`model.summary()`: the layers of a model, the shapes of their outputs, and how many numbers they hold.

Where layers do not form a chain, a fourth column names the input of each: "dense[0][1]" is the second output of the first call
of `dense`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

HEADS = ("Layer (type)", "Output Shape", "Param #", "Connected to")
WIDTHS = (33, 24, 15)  # of the columns of a chain
WIDTHS_OF_A_NET = (21, 19, 12, 19)


def summary(model: Any) -> str:
    """The table as text."""
    net = model.connections() if hasattr(model, "connections") else None
    widths = WIDTHS if net is None else WIDTHS_OF_A_NET
    rows = [list(_row(layer, widths, [] if net is None else net[layer])) for layer in model.layers]
    lines = [f'Model: "{model.name}"', _rule("┏┳┓", "━", widths), _line(HEADS, "┃", widths), _rule("┡╇┩", "━", widths)]
    for number, row in enumerate(rows):
        if number:
            lines.append(_rule("├┼┤", "─", widths))
        lines += [_line(part, "│", widths) for part in row]
    lines.append(_rule("└┴┘", "─", widths))
    return "\n".join([*lines, *_totals(model)])


def _row(layer: Any, widths: tuple[int, ...], inputs: list[str]) -> Iterator[tuple[str, ...]]:
    """A layer's cells, on further lines where its name and class, or its inputs, do not fit on one."""
    name, kind = layer.name, f"({type(layer).__name__})"
    fits = len(name) + len(kind) + 1 <= widths[0] - 2
    shapes = layer._shapes[1] if layer._shapes else None
    first = [f"({', '.join(map(str, shapes))})" if shapes else "?"]
    second = [f"{layer.count_params():,}" if layer.built else "0 (unbuilt)"]
    yield from zip_longest([f"{name} {kind}"] if fits else [name, kind], first, second, inputs or ["-"], fillvalue="")


def _line(texts: tuple[str, ...], bar: str, widths: tuple[int, ...]) -> str:
    cells = []
    for column, (text, width) in enumerate(zip(texts, widths, strict=False)):
        text = text if len(text) <= width - 2 else f"{text[: width - 3]}…"
        cells.append(f"{text:{'>' if column == 2 else '<'}{width - 2}}")
    return f"{bar} {f' {bar} '.join(cells)} {bar}"


def _rule(corners: str, line: str, widths: tuple[int, ...]) -> str:
    first, middle, last = list(corners)
    return first + middle.join(line * width for width in widths) + last


def _totals(model: Any) -> Iterator[str]:
    learns = _size(model.trainable_variables)
    others = _size(model.non_trainable_variables)
    optimizer = model.optimizer
    remembers = _size(optimizer.variables) if optimizer is not None and int(optimizer.iterations) else (0, 0)
    if remembers[0]:
        remembers = remembers[0] + 1, remembers[1] + 8  # and the number of steps
    total = learns[0] + others[0] + remembers[0], learns[1] + others[1] + remembers[1]
    kinds = {"Total": total, "Trainable": learns, "Non-trainable": others}
    if remembers[0]:
        kinds["Optimizer"] = remembers
    for kind, (count, nbytes) in kinds.items():
        yield f" {kind} params: {count:,} ({_readable(nbytes)})"


def _size(variables: Any) -> tuple[int, int]:
    """How many numbers, and in how many bytes."""
    arrays = [variable.array_now for variable in variables]
    return sum(array.size for array in arrays), sum(array.nbytes for array in arrays)


def _readable(nbytes: float) -> str:
    for unit in ("B", "KB", "MB"):
        if nbytes < 1024:
            return f"{nbytes:.2f} {unit}"
        nbytes /= 1024
    return f"{nbytes:.2f} GB"
