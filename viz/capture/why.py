"""What the sources of other frameworks read from the records of a run, to say why a gradient is what it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from .records import Op, Site, Value


def place(site: Site | None) -> str:
    """A line as a sentence names it."""
    return "" if site is None or site.source is None else f" ({site.source.label}, line {site.line}: {site.text})"


def made_of(
    values: Iterable[Value], ops: Iterable[Op], written: Callable[[Op], bool] = lambda op: True
) -> tuple[set[Value], list[Op]]:
    """These values and all that is made of them by ops that are written down, and the ops that are not, where that ends."""
    made, ends = set(values), []
    for op in ops:
        if made.intersection(op.takes):
            if written(op):
                made.update(op.gives)
            else:
                ends.append(op)
    return made, ends


def through(shares: Iterable[Any]) -> str:
    """The ops that shares of a gradient came back through."""
    return " and ".join(dict.fromkeys(share.context.cause.row.name for share in shares))
