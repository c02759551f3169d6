"""`model.summary()`: the layers of a model, the shapes of their outputs, and how many numbers they hold."""

from __future__ import annotations

from typing import Any

WIDTHS = (33, 24, 15)


def summary(model: Any) -> str:
    """The table as text."""
    rows = [_row(layer) for layer in model.layers]
    lines = [
        f'Model: "{model.name}"',
        _rule("┏┳┓", "━"),
        _cells(("Layer (type)", "Output Shape", "Param #"), "┃"),
        _rule("┡╇┩", "━"),
    ]
    for number, row in enumerate(rows):
        if number:
            lines.append(_rule("├┼┤", "─"))
        lines += [_cells(part, "│") for part in row]
    lines.append(_rule("└┴┘", "─"))
    learns = sum(_count(one) for one in model.trainable_variables)
    total = sum(_count(one) for one in model.variables)
    for what, count in (("Total", total), ("Trainable", learns), ("Non-trainable", total - learns)):
        lines.append(f" {what} params: {count:,} ({_size(4 * count)})")
    return "\n".join(lines)


def _row(layer: Any) -> list[tuple[str, str, str]]:
    """A layer's cells, on two lines where name and class do not fit on one."""
    name, kind = layer.name, f"({type(layer).__name__})"
    shape = f"({', '.join(map(str, layer._shapes[1]))})" if layer._shapes else "?"
    count = f"{layer.count_params():,}" if layer.built else "0 (unbuilt)"
    if len(name) + len(kind) + 1 <= WIDTHS[0] - 2:
        return [(f"{name} {kind}", shape, count)]
    return [(name, shape, count), (kind, "", "")]


def _cells(texts: tuple[str, str, str], bar: str) -> str:
    left, middle, right = WIDTHS
    return f"{bar} {texts[0]:<{left - 2}} {bar} {texts[1]:<{middle - 2}} {bar} {texts[2]:>{right - 2}} {bar}"


def _rule(corners: str, line: str) -> str:
    first, middle, last = list(corners)
    return first + middle.join(line * width for width in WIDTHS) + last


def _count(variable: Any) -> int:
    return int(variable._array_now.size)


def _size(count: float) -> str:
    for unit in ("B", "KB", "MB"):
        if count < 1024:
            return f"{count:.2f} {unit}"
        count /= 1024
    return f"{count:.2f} GB"
