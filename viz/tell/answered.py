"""The names that assignments give to gradients and tangents, and that questions give to values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..capture.numbers import flat
from ..capture.records import Op, Site, Value
from .spelling import argument_names, home_of, operands_of

# Functions that Python makes of comprehensions, up to 3.11 of all: their names last as long as a turn.
COMPREHENSIONS = "<listcomp>", "<dictcomp>", "<setcomp>", "<genexpr>"

Inside = Callable[[Op], Iterable[Op]]  # the ops that are told as one
Regions = dict[Value, Op]  # of what a region made: the region as one op
Maker = Callable[[Value], Op | None]  # the op of the program's that made a value
Named = dict[Value, str]


def answered(records: Sequence[Any], inside: Inside, regions: Regions, maker: Maker) -> Named:
    """The program's names for the gradients and tangents that it asks for, and for the values that it asks about."""
    found = _asked_for(records, inside, regions, maker)
    for record in records:
        if record.site is None:
            continue
        if record.kind == "gradients" and record.row is None:
            names = flat(record.site.names)
            if len(names) == len(record.answers):
                # Of two names for one value the first stands; of a list of one gradient the line names the list.
                found.update(
                    {
                        value: value.name if value.name.startswith(f"{name}[") else name
                        for value, name in reversed([*zip(record.answers, names, strict=True)])
                        if value is not None and name
                    }
                )
        elif record.kind == "look-up" and record.found is not None and record.site.name:
            found.setdefault(record.found, record.site.name)
    return found


def _asked_for(records: Sequence[Any], inside: Inside, regions: Regions, maker: Maker) -> Named:
    """What a function made, under the name that it has where a gradient of it is asked for, or where it is used there."""
    found: Named = {}
    homes = set()
    for record in records:
        if record.kind == "gradient" and record.site is not None and record.context.phase == "forward":
            if record.site.form == "training":
                found.update(dict.fromkeys(record.targets, "loss"))
                continue
            homes.add(home_of(record.site))
            targets, sources = argument_names(record.site.text)
            for values, given in ((record.targets, targets), (record.sources, sources)):
                if len(given) == len(values):
                    _name_from(zip(values, given, strict=True), record.site, regions, maker, found)
    for record in records:
        told = getattr(record, "op", None) if record.kind == "op" else None
        for op in () if told is None else inside(told):
            if op.site is not None and op.context.phase == "forward" and home_of(op.site) in homes:
                _name_from(zip(op.takes, operands_of(op), strict=False), op.site, regions, maker, found)
    return found


def _name_from(pairs: Iterable[tuple[Value, str]], here: Site, regions: Regions, maker: Maker, found: Named) -> None:
    """Names for what other functions made: the one that a line beside `here` gave it, before the one that it has `here`."""
    for value, name in pairs:
        op = regions.get(value) or maker(value)
        if not name or op is None or op.site is None or op.context.phase != "forward":
            continue
        if home_of(op.site) != home_of(here):
            around = here.function in COMPREHENSIONS
            own = (given for line, given in value.given_to if around or home_of(line) == home_of(here))
            found.setdefault(value, next(own, name))
