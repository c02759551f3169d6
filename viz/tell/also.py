"""Second names: `h = c = tf.zeros([2])` makes one value, and each line calls it by one of its names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from ..capture.records import Made, Op, Site, Source, Value
from .formula import Operand
from .spelling import operands_of

_CHAINED = re.compile(r"\s*((?:[\w.]+\s*=\s*){2,})[^=\s]")


def second_names(
    sites: Iterable[Site | None], made: Mapping[Value, Made], ops: Mapping[Value, Op]
) -> dict[Value, list[str]]:
    """By value the names behind the first, where the line that makes it has several.  Few programs have such a line."""
    chains: dict[tuple[Source | None, int], list[str]] = {
        (source, number): [name.strip().rpartition(".")[2] for name in found[1].split("=")[:-1]]
        for source in {site.source for site in sites if site is not None and site.source is not None}
        for number, line in enumerate(source.lines, 1)
        if (found := _CHAINED.match(line))
    }
    if not chains:
        return {}
    lines = {value: record.site for value, record in made.items()} | {value: op.site for value, op in ops.items()}
    sites_of = {value: site for value, site in lines.items() if site is not None and site.name}
    known = {value: chains.get((site.source, site.line), [""]) for value, site in sites_of.items()}
    return {value: names[1:] for value, names in known.items() if names[0] == sites_of[value].name}


def by_their_lines(
    operands_of_row: Callable[[Op], dict[str, Operand]], also: Mapping[Value, Mapping[str, str]], op: Op
) -> dict[str, Operand]:
    """The operands of an op, each by that of its names which the op's line has."""
    operands = operands_of_row(op)
    for (name, operand), value, written in zip([*operands.items()], op.takes, operands_of(op), strict=False):
        if written in also.get(value, ()):
            operands[name] = operand._replace(symbol=also[value][written])
    return operands
