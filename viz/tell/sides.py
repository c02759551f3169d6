"""One program in two frameworks, side by side: what each did, where they first differ, what each keeps and runs again."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..capture.records import Applied, Op, Recorder, Site, Value
from ..capture.stream import Stream
from ..schema import clean
from ..style import amount
from .account import ASPECTS, Fact, Teller
from .twins import OTHER, SAME, Compared, compared
from .words import Words

QUIET = ("kept", "rules")  # aspects in which frameworks differ by design, whatever the program


def sides_of(one: Stream, other: Stream, names: tuple[str, str]) -> dict[str, Any]:
    """The facts of the figure of two twins."""
    words = Words()
    named = {by.name for by in _recorders(one)} == {by.name for by in _recorders(other)}
    tellers = Teller(one, named), Teller(other, named)
    found = compared(tellers[0].facts, tellers[1].facts)
    if not named:  # recorders without names cannot be told apart
        found.pop("recorders", None)
    again = [_again(stream, words) for stream in (one, other)]
    rows = []
    for aspect, verdict in found.items():
        counts = [str(count) if count else words("twins.nothing") for count in verdict.counts]
        if aspect == "kept":
            counts = [_kept(stream, words) for stream in (one, other)]
        elif aspect == "regions":
            counts = again
        said = OTHER if verdict.verdict == SAME and counts[0] != counts[1] else _verdict(verdict, words)
        rows.append({"what": ASPECTS[aspect], "one": counts[0], "other": counts[1], "verdict": said})
    return {"names": names, "said": _said(found, tellers, names, words), "aspects": rows}


def _ops(stream: Stream) -> list[Op]:
    return [record.op for record in stream.records if isinstance(record, Applied)]


def _recorders(stream: Stream) -> set[Recorder]:
    return {by for op in _ops(stream) for by in op.taken}


def _verdict(verdict: Compared, words: Words) -> str:
    if verdict.verdict != OTHER:
        return verdict.verdict
    return words("twins.shared", shared=verdict.shared) if verdict.shared else OTHER


def _kept(stream: Stream, words: Words) -> str:
    """How many values recorders keep of the program's own ops, and how many bytes these have."""
    values: dict[Value, None] = {}
    for op in _ops(stream):
        if op.context.phase == "forward":
            values.update({value: None for recorder in op.taken for value in op.saves(recorder) if not value.variable})
    bytes_ = amount(sum(value.bytes for value in values), "B")
    if len(values) == 1:
        return words("twins.kept.one", bytes=bytes_)
    return words("twins.kept.many", count=len(values), bytes=bytes_) if values else words("twins.nothing")


def _again(stream: Stream, words: Words) -> str:
    """Which regions run again, and how many of their ops do."""
    ops = [op for op in _ops(stream) if op.context.region and not op.region]
    again = [op for op in ops if op.context.phase == "recompute"]
    if not again:
        return words("twins.nothing")
    first = sum(op.context.phase == "forward" for op in ops)
    names = ", ".join(dict.fromkeys(op.context.region[-1] for op in again))
    return words("twins.again", names=names, again=len(again), ops=first)


def _said(found: dict[str, Compared], tellers: tuple[Teller, Teller], names: tuple[str, str], words: Words) -> str:
    """Whether they do the same, or where they first differ."""
    differing = [aspect for aspect, verdict in found.items() if verdict.verdict != SAME]
    if not differing:
        return words("twins.same", one=names[0], other=names[1])
    loud = [aspect for aspect in differing if aspect not in QUIET]
    if not loud:
        what = " and ".join(ASPECTS[aspect] for aspect in differing)
        return words("twins.same_but", one=names[0], other=names[1], what=what)
    first = {aspect: _first(aspect, found[aspect], tellers) for aspect in loud}
    aspect = min(loud, key=lambda aspect: first[aspect].at)
    there = first[aspect]
    return words(
        "twins.first", where=_where(there.site, words), what=ASPECTS[aspect], one=names[0], other=names[1],
        mine=_fact(there.mine, words), theirs=_fact(there.theirs, words),
    )  # fmt: skip


class First(NamedTuple):
    """Where an aspect first differs."""

    at: float  # how far the first run has come
    site: Site | None
    mine: Fact | None
    theirs: Fact | None


def _first(aspect: str, verdict: Compared, tellers: tuple[Teller, Teller]) -> First:
    """The first difference of an aspect; what only one has stands beside what only the other has there."""
    earliest = verdict.differences[0]
    same_place = [
        difference for difference in verdict.differences
        if difference.place <= earliest.place + 1 or earliest.other is None
    ]  # fmt: skip
    mine = earliest.one or next((difference.one for difference in same_place if difference.other is None), None)
    theirs = earliest.other or next((difference.other for difference in same_place if difference.one is None), None)
    records = tellers[0].records[aspect]
    at = tellers[0].order[id(records[earliest.place])] if earliest.place < len(records) else len(tellers[0].order)
    if earliest.one is not None:
        return First(at, records[earliest.place].site, mine, theirs)
    at_theirs = next(place for place, fact in enumerate(tellers[1].facts[aspect]) if fact is earliest.other)
    return First(at, tellers[1].records[aspect][at_theirs].site, mine, theirs)


def _where(site: Site | None, words: Words) -> str:
    if site is None or not site.line:
        return words("twins.somewhere")
    return words("twins.where", line=site.line, text=clean(site.text))


def _fact(fact: Fact | None, words: Words) -> str:
    return words("twins.nothing") if fact is None else str(fact)
