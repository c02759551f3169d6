"""What lines of the program gave, as the records say that a fold stands for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..capture.records import Op, Record, Site, Value
from .spelling import flat

Given = tuple[Site, str, tuple[Value | None, ...]]


def given_last(records: list[Record], name_of: Callable[[Value], str]) -> list[Given]:
    """What each line gave last under each of its names; a variable has the name that the run calls it by."""
    used = {(value, record.op.site) for record in records if record.kind == "op" for value in record.op.takes}  # type: ignore[attr-defined]
    last: dict[tuple[Site, str], tuple[Value | None, ...]] = {}
    for record in records:
        for site, name, values in _given(record, name_of):
            if name and not (record.kind == "op" and site.form == "call" and (values[0], site) in used):
                last.pop((site, name), None)  # two instructions of a line: the later one has given last
                last[site, name] = values
    return [(site, name, values) for (site, name), values in last.items()]


def _given(record: Any, name_of: Callable[[Value], str]) -> Iterator[Given]:
    match record.kind:
        case "op" if record.op.gives and record.op.site is not None and _of_the_program(record.op):
            yield record.op.site, record.op.site.name, record.op.gives[:1]
        case "made" | "assign" if record.site is not None:
            yield record.site, name_of(record.value), (record.value,)
        case "look-up" if record.site is not None:
            yield record.site, record.site.name, (record.found,)
        case "gradients" if record.site is not None and record.row is None:
            names = record.site.names
            if isinstance(names, str):
                yield record.site, names, record.answers
            else:
                for name, answer in zip(flat(names), record.answers, strict=False):
                    yield record.site, name, (answer,)


def _of_the_program(op: Op) -> bool:
    """Whether an op ran on a line of the program's own: on the way forward, or in a rule that the program wrote."""
    cause = op.context.cause
    return op.context.phase == "forward" or op.context.phase == "gradient" and cause is not None and cause.own_rule
