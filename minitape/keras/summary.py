"""`model.summary()`: the layers of a model, the shapes of their outputs, and how many numbers they hold.

Where layers do not form a chain, a fourth column names the input of each: "dense[0][1]" is the second output of the first call
of `dense`.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from ..record.refusal import described, value_error

HEADS = ("Layer (type)", "Output Shape", "Param #", "Connected to")
LINE = 76  # what Keras takes of a terminal of 80 columns
ENDS = (0.45, 0.8, 1.0)  # of the columns of a chain, as shares of the line
ENDS_OF_A_NET = (0.3, 0.56, 0.74, 1.0)


class Table:
    """The columns of one summary, and what stands in them."""

    def __init__(
        self, model: Any, length: int | None, ends: Sequence[float] | None, nested: bool, trains: bool
    ) -> None:
        self.net = model.connections() if hasattr(model, "connections") else None
        self.nested, self.trains = nested, trains
        heads = HEADS[:3] if self.net is None else HEADS
        shares = list(ends or (ENDS if self.net is None else ENDS_OF_A_NET))
        if trains:
            heads, shares = (*heads, "Trainable"), [*(share * 0.9 for share in shares), 1.0]
        if len(shares) != len(heads):
            raise value_error(
                f"`positions` says where columns end: {len(shares)} of them for {len(heads)} columns, {list(heads)}",
                f"Write positions={list(ENDS if self.net is None else ENDS_OF_A_NET)}.",
            )
        self.heads = heads
        self.widths = _widths(LINE if length is None else length, shares)

    def text(self, layers: Sequence[Any]) -> str:
        """A line above, the heads, and each layer between two lines."""
        rows = [line for layer in layers for line in self._rows(layer, 0)]
        parts = [self._rule("┏┳┓", "━"), *self._row(self.heads, "┃"), self._rule("┡╇┩", "━")]
        for number, row in enumerate(rows):
            parts += [*([self._rule("├┼┤", "─")] if number else []), *self._row(row, "│")]
        return "\n".join([*parts, self._rule("└┴┘", "─")])

    def _rows(self, layer: Any, depth: int) -> Iterator[tuple[str, ...]]:
        """The cells of a layer, and of the layers in it."""
        begin = f"{'   ' * depth}└ " if depth else ""
        cells = [f"{begin}{layer.name} ({layer._class_name})", _shape(layer)]
        cells.append(f"{layer.count_params():,}" if layer.built else "0 (unbuilt)")
        if self.net is not None:
            cells.append(", ".join(self.net.get(layer, ())) or "-")
        if self.trains:
            cells.append(("Y" if layer.trainable else "N") if layer.weights else "-")
        yield tuple(cells)
        for inner in getattr(layer, "layers", ()) if self.nested else ():
            yield from self._rows(inner, depth + 1)

    def _row(self, cells: Sequence[str], bar: str) -> Iterator[str]:
        """One row, on further lines where words of a cell do not fit; of a word that is too wide the end is left out."""
        parts = [
            textwrap.wrap(cell, width - 2, break_long_words=False, break_on_hyphens=False)
            for cell, width in zip(cells, self.widths, strict=True)
        ]
        for line in zip_longest(*parts, fillvalue=""):
            texts = [
                _placed(text, head, width - 2) for text, head, width in zip(line, self.heads, self.widths, strict=True)
            ]
            yield f"{bar} {f' {bar} '.join(texts)} {bar}"

    def _rule(self, corners: str, line: str) -> str:
        first, middle, last = list(corners)
        return first + middle.join(line * width for width in self.widths) + last


def summary(
    model: Any, line_length: int | None, positions: Sequence[float] | None, expand_nested: bool, show_trainable: bool,
    layer_range: Sequence[str] | None,
) -> str:  # fmt: skip
    """The table as text."""
    table = Table(model, line_length, positions, expand_nested, show_trainable)
    layers = getattr(model, "operations", model.layers)
    layers = layers if layer_range is None else _between(layers, layer_range)
    return "\n".join([f'Model: "{model.name}"', table.text(layers), *_totals(model)])


def _between(layers: list[Any], names: Sequence[str]) -> list[Any]:
    """The layers from one name to another, either of which may be a pattern."""
    if isinstance(names, str) or len(names) != 2 or not all(isinstance(name, str) for name in names):
        raise value_error(
            f"`layer_range` should be the names of the first and the last layer, got {described(names)}",
            f"Write layer_range=[{layers[0].name!r}, {layers[-1].name!r}].",
        )
    found = [[place for place, layer in enumerate(layers) if re.match(name, layer.name)] for name in names]
    if not all(found):
        raise value_error(
            f"Passed layer_names do not match the layer names in the model. Received: {list(names)}",
            f"The layers are {[layer.name for layer in layers]}.",
        )
    first, last = found if min(found[0]) <= max(found[1]) else found[::-1]
    return layers[min(first) : max(last) + 1]


def _widths(length: int, ends: Sequence[float]) -> list[int]:
    """The widths of the columns: their shares of a line, with a blank at each side, less what the lines between them take."""
    stops = [0, *(int(end * length) for end in ends)]
    wanted = [last - first + 2 for first, last in zip(stops, stops[1:], strict=False)]
    if min(wanted) < 6:
        raise value_error(
            "Insufficient console width to print summary.",
            f"Of line_length={length} the narrowest column is {min(wanted) - 2} wide.",
        )
    excess, widths = sum(wanted) + len(wanted) + 1 - length, []
    for left, width in zip(range(len(wanted), 0, -1), wanted, strict=True):
        less = round(excess / left)
        excess -= less
        widths.append(width - less)
    return widths


def _placed(text: str, head: str, width: int) -> str:
    """A cell's text, as wide as the cell."""
    text = text if len(text) <= width else f"{text[: width - 1]}…"
    if head == "Trainable":
        left = (width - len(text)) // 2
        return f"{' ' * left}{text}".ljust(width)
    return text.rjust(width) if head == "Param #" else text.ljust(width)


def _shape(layer: Any) -> str:
    """The shape of a layer's output; of several outputs a list, or a tuple where it was given tensors and gave one."""
    made = layer._shapes[1] if layer._shapes else None
    shapes = [f"({', '.join(map(str, shape))})" for shape in _flat(made)]
    if len(shapes) < 2:
        return shapes[0] if shapes else "?"
    several = ", ".join(shapes)
    return f"({several})" if type(made) is tuple and not layer.symbol_calls else f"[{several}]"


def _flat(shapes: Any) -> list[Any]:
    if shapes is None:
        return []
    inside = list(shapes.values()) if isinstance(shapes, dict) else list(shapes)
    one = not any(isinstance(item, tuple | list | dict) for item in inside)
    return [shapes] if one else [shape for item in inside for shape in _flat(item)]


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
