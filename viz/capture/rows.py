"""The words for ops of another framework: those of the row of minitape's table that computes the same, where there is one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ..schema import clean
from .borrowed import row_of, texts
from .claims import ROWS, STAYS, Claims, Use, claims
from .records import Row

Shapes = Sequence[tuple[int, ...]]


class Same(NamedTuple):
    """A row of minitape's that computes what an op computes, and what it says of the call."""

    row: Any
    said: Claims

    def facts(self, stays: bool = False) -> dict[str, Any]:
        """The fields of a row of a stream that says the same; `stays`: nothing comes of nothing, as in TensorFlow's rules."""
        row, said = self
        back = said.back if stays else [words.removesuffix(STAYS) for words in said.back]
        return {
            "sign": clean(row.sign), "formula": clean(said.formula), "derivatives": tuple(map(clean, back)),
            "pushes": tuple(map(clean, said.push)), "variadic": row.variadic, "arguments": tuple(row.arguments),
            "same": row.name,
        }  # fmt: skip


def same(name: str, takes: Shapes, gives: Shapes, settings: Callable[[], Mapping[str, Any]]) -> Same | None:
    """The row of that name for operands and results of these shapes; None if there is no such row, or it does not compute this.

    `settings` are those of the call under the row's own names, and raise ValueError for a call that the row does not do.
    """
    row = row_of(name, len(takes))
    if row is None:
        return None
    if name not in ROWS:
        return Same(row, Claims(*texts(row, {})))
    try:
        said = claims(Use(name, row.arguments, takes, gives, settings()))
    except (KeyError, IndexError, TypeError, ValueError):
        return None
    return None if said is None else Same(row, said)


def letters(count: int) -> tuple[str, ...]:
    """The names of the operands of an op that no row speaks of."""
    return tuple(["abcdefgh"[at] if at < 8 else f"a{at}" for at in range(count)])


class KnownRows:
    """The rows of one stream, each once."""

    def __init__(self) -> None:
        self._known: dict[Any, Row] = {}

    def once(self, key: Any, name: str, facts: Callable[[], Mapping[str, Any]]) -> Row:
        """The row under a key.  A new one has an id made of the name, and the fields that `facts` gives."""
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = Row(f"{name} {len(self._known) + 1}", **{"name": name, **facts()})
        return known

    def own(self, name: str, count: int) -> Row:
        """The row of a function of the program's own."""
        return self.once(("", name, count), clean(name), lambda: {"arguments": letters(count)})
