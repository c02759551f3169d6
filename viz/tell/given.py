"""What lines of the program gave during the records that a fold stands for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..capture.numbers import flat
from ..capture.records import Made, Op, Record, Site, Value
from .names import Names

Given = tuple[Site, str, tuple[Value | None, ...]]


def given_last(records: list[Record], names: Names, name_of: Callable[[Value], str]) -> Iterator[Given]:
    """What each line gave last under each of its names; a variable has the name that the run calls it by.

    Of the ops of one call the last makes what the call returns, and of all rounds the last is asked for: so each instruction is
    looked at once, from the end.
    """
    found: list[Given] = []
    seen = set[tuple[Site, Any]]()
    record: Any
    for record in reversed(records):
        kind = record.kind
        if kind not in _GIVING or kind == "made" and record.implicit:
            continue
        site = record.op.site if kind == "op" else record.site
        key = (site, record.value if kind in ("made", "assign") else kind)
        if site is None or key in seen or kind == "op" and not _of_the_program(record.op):
            continue
        seen.add(key)
        if kind == "op" and not names.is_result(record.op.gives[0], record.op):
            continue  # a fold that ends within a call: it has not returned yet
        found += reversed([given for given in _given(record, site, name_of) if given[1]])
    return reversed(found)


_GIVING = {"op", "made", "assign", "look-up", "gradients"}


def _given(record: Any, site: Site, name_of: Callable[[Value], str]) -> Iterator[Given]:
    match record.kind:
        case "op":
            yield site, site.name, record.op.gives[:1]
        case "made":
            yield site, name_beside(record, name_of(record.value)), (record.value,)
        case "assign":
            yield site, name_of(record.value), (record.value,)
        case "look-up":
            yield site, site.name, (record.found,)
        case "gradients" if record.row is None and isinstance(site.names, str):
            yield site, site.names, record.answers
        case "gradients" if record.row is None:
            for name, answer in zip(flat(site.names), record.answers, strict=False):
                yield site, name, (answer,)


def name_beside(record: Made, name: str) -> str:
    """The name of what a line makes: a constant takes the place of the last turn's, variables are all there.

    What only a function calls by a name, which the line hands a constant to, is no name of the line's; what holds it is.
    Nor is the number of what nobody calls by a name.
    """
    if record.value.variable or record.site is None:
        return name
    held = record.value.name and not record.value.name.isidentifier()
    return record.site.name or (name if held else "")


def _of_the_program(op: Op) -> bool:
    """Whether an op gives a line something: on the way forward, or in a rule that the program wrote."""
    cause = op.context.cause
    return bool(op.gives) and (
        op.context.phase == "forward" or op.context.phase == "gradient" and cause is not None and cause.own_rule
    )
