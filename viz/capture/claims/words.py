"""A claim, the table that rows are entered in, and the words that all of them share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from ..numbers import number, shape_text

Shape = tuple[int, ...]

STAYS = " if d ≠ 0 else 0"  # ends a rule of TensorFlow's that makes nothing of nothing, also where a slope is infinite

WHOLE = " × sum(labels"  # how much the labels of an example are together: 1, where they are chances


class Claims(NamedTuple):
    """The formulas of one call; by each argument what comes back to it, and what its tangent adds to that of the result."""

    formula: str
    back: tuple[str, ...] = ()
    push: tuple[str, ...] = ()


class Use(NamedTuple):
    """What a row may ask: how many operands of which shapes, the shapes of the results, the settings."""

    name: str
    arguments: Sequence[str]
    takes: Sequence[Shape]
    gives: Sequence[Shape]
    settings: Mapping[str, Any]

    @property
    def x(self) -> Shape:
        """The shape of the first operand."""
        return self.takes[0]

    @property
    def out(self) -> Shape:
        """The shape of the first result."""
        return self.gives[0]


ROWS: dict[str, Callable[[Use], Claims]] = {}


def claims(use: Use) -> Claims | None:
    """The formulas of a call; None for an op that has no row here."""
    found = ROWS.get(use.name)
    return None if found is None else found(use)


def row(*ops: str) -> Callable[[Callable[[Use], Claims]], Callable[[Use], Claims]]:
    """Enter a function as the row of these ops."""

    def enter(made: Callable[[Use], Claims]) -> Callable[[Use], Claims]:
        ROWS.update(dict.fromkeys(ops, made))
        return made

    return enter


def always(said: Mapping[str, Claims]) -> None:
    """Enter ops that say the same of every call."""
    ROWS.update({name: partial(lambda claims, _: claims, claims) for name, claims in said.items()})


def linear(formula: str, back: str, others: int = 0) -> Claims:
    """An op of one operand that is its own derivative; `back` is its transpose, `others` are operands that only say where."""
    nothing = ("",) * others
    return Claims(formula.format(x="x"), (back, *nothing), (formula.format(x="d"), *nothing))


def axes_of(setting: Any, ndim: int) -> tuple[int, ...]:
    """An axis setting as places from the front; None is all of them."""
    if setting is None:
        return tuple(range(ndim))
    many = setting if isinstance(setting, list | tuple) else (setting,)
    return tuple(sorted({int(axis) % max(1, ndim) for axis in many}))


def along(axes: Sequence[int], ndim: int, keepdims: bool = False) -> str:
    """Which axes a function runs along, as its last words: nothing where it is all of them.

    >>> along((0,), 2), along((0, 2), 3, keepdims=True), along((0, 1), 2)
    (', axis 0', ', axes 0 2, kept', '')
    """
    every = len(axes) == ndim
    said = "" if every else f", ax{'i' if len(axes) == 1 else 'e'}s {' '.join(map(str, axes))}"
    return said + (", kept" if keepdims and ndim else "")


def shaped(shape: Shape) -> str:
    """A shape as the last words of a function."""
    return f"shape {shape_text(shape)}" if len(shape) > 1 else f"shape {[*shape]}"


def repeated(what: str, small: Shape, big: Shape, axes: Sequence[int] = ()) -> str:
    """An array once more along axes that it does not have, or has a single number on.

    >>> repeated("d", (3,), (3, 4), (1,)), repeated("d", (4,), (3, 4)), repeated("d", (), ())
    ('repeat(d, axis 1, shape 3×4)', 'repeat(d, shape 3×4)', 'd')
    """
    if small == big:
        return what
    behind = bool(axes) and len(small) < len(big) and tuple(axes) != tuple(range(len(axes)))
    return f"repeat({what}{along(axes, len(big)) if behind else ''}, {shaped(big)})"


def summed(what: str, big: Shape, small: Shape) -> str:
    """An array summed over the axes along which another one was repeated to have its shape.

    >>> summed("d", (16, 8), (8,)), summed("d", (3, 4), (3, 1)), summed("d", (2, 3), ()), summed("d", (2, 3, 4), (3, 1))
    ('sum(d, axis 0)', 'sum(d, axis 1, kept)', 'sum(d)', 'reshape(sum(d, axes 0 2), shape 3×1)')
    """
    if big == small:
        return what
    lead = len(big) - len(small)
    ones = [lead + axis for axis, length in enumerate(small) if length == 1 and big[lead + axis] != 1]
    axes = [*range(lead), *ones]
    if lead and ones:
        return f"reshape(sum({what}{along(axes, len(big))}), {shaped(small)})"
    return f"sum({what}{along(axes, len(big), keepdims=bool(ones))})"


def key_text(key: Any) -> str | None:
    """An index as it is written; None for one that is too long to say.

    >>> key_text((1, ("slice", None, None, -2))), key_text(("...", None))
    ('1, ::−2', '..., new')
    """
    said = [_part(index) for index in parts_of(key)]
    return None if None in said else ", ".join(map(str, said))


def parts_of(key: Any) -> list[Any]:
    """The parts of an index, in whichever of two ways it was noted: numbers, None, "..." and ("slice", start, stop, step)."""
    parts = list(key) if isinstance(key, tuple) and not (key and key[0] == "slice") else [key]
    parts = ["..." if part is Ellipsis else part for part in parts]
    return [("slice", part.start, part.stop, part.step) if isinstance(part, slice) else part for part in parts]


def _part(index: Any) -> str | None:
    if index is None:
        return "new"
    if index == "...":
        return "..."
    if isinstance(index, int):
        return number(index)
    if isinstance(index, tuple) and index[:1] == ("slice",):
        start, stop, step = ["" if bound is None else number(bound) for bound in index[1:]]
        return f"{start}:{stop}:{step}" if step not in ("", "1") else f"{start}:{stop}"
    return None
