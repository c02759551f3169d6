"""Two runs compared by value: which moments belong together, and where they first differ.

First the moments of the way forward are laid beside each other, as two versions of a text are: what stands there again in the
same words belongs together, then what is the same op, then what stands in the same place.  Then each step back goes with the op
that it reverses.  What is left over happened in one run alone.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from ..capture.stream import Stream
from .distance import APART, ROUNDING, SAME, SHAPE, UNKNOWN, Distance, distance
from .moments import QUIET, Moment, Moments

WINDOW = 240  # moments that are laid beside each other at once
BACK = ("seed", "back", "answer", "tangent", "look-up", "through")  # they go with what they lead back from

DTYPE, ANOTHER, SETTING, ONLY, ERROR = "dtype", "another", "setting", "only", "error"
REAL = (APART, SHAPE, ANOTHER, SETTING, ONLY, ERROR)  # rounding does not do this


@dataclass(slots=True, eq=False)
class Pair:
    """A moment of each run that belong together; or one that only one of them has."""

    one: Moment | None
    other: Moment | None
    verdict: str  # same | rounding | dtype | apart | shape | another | setting | only | error | unknown
    far: Distance | None = None

    @property
    def moment(self) -> Moment:
        """What happened, in the first run if it did there."""
        found = self.one or self.other
        assert found is not None
        return found

    @property
    def quiet(self) -> bool:
        """Whether only one run does it, but it gives no other numbers: a region, and what runs again."""
        return self.verdict == ONLY and self.moment.kind in QUIET

    @property
    def real(self) -> bool:
        """Whether it is more than rounding, another dtype, or running something again."""
        return self.verdict in REAL and not self.quiet


@dataclass(slots=True, eq=False)
class Differences:
    """The outcome of a comparison: all pairs in the order of the runs."""

    pairs: list[Pair]
    moments: tuple[Moments, Moments]

    @property
    def first(self) -> Pair | None:
        """The first pair that is not the same to the bit; None where all are."""
        return next((pair for pair in self.pairs if pair.verdict not in (SAME, UNKNOWN)), None)

    @property
    def real(self) -> Pair | None:
        """The first pair whose difference is more than rounding, another dtype, or running something again."""
        return next((pair for pair in self.pairs if pair.real), None)

    @property
    def unsure(self) -> int:
        """How many values that both have were not kept whole: what was kept of them is the same."""
        return sum(pair.verdict == UNKNOWN for pair in self.pairs)

    @property
    def shared(self) -> int:
        """How many ops both runs have."""
        return sum(pair.one is not None and pair.other is not None and pair.moment.kind == "op" and pair.verdict != ANOTHER
                   for pair in self.pairs)  # fmt: skip


def differences(one: Stream, other: Stream) -> Differences:
    """Where two runs differ, moment by moment.

    >>> def program(factor):
    ...     with viz.record() as run:
    ...         y = tf.constant(3.0) * factor
    ...     return run.stream
    >>> found = differences(program(2.0), program(4.0))
    >>> [(pair.moment.kind, pair.verdict) for pair in found.pairs]
    [('made', 'same'), ('made', 'apart'), ('op', 'apart')]
    """
    both = Moments(one), Moments(other)
    rows = _heard(aligned(*[[moment for moment in run.all if moment.kind != "full"] for run in both]), *both)
    calm, pairs = True, []
    for a, b in rows:
        pairs.append(_judged(a, b, calm))
        calm = calm and not pairs[-1].real
    return Differences(pairs, both)


def _heard(rows: list[Row], one: Moments, other: Moments) -> list[Row]:
    """Without the end that only one run has because the recording of the other was full: it may have done the same."""
    while rows and (rows[-1][0] is None and one.limit or rows[-1][1] is None and other.limit):
        rows.pop()
    return rows


# ---- which moments belong together ---------------------------------------------------------------------------------------------

Row = tuple[Moment | None, Moment | None]


def aligned(one: Sequence[Moment], other: Sequence[Moment]) -> list[Row]:
    """The moments of two runs beside each other; a moment that only one has stands where it happened."""
    ahead = [[moment for moment in run if moment.kind not in BACK] for run in (one, other)]
    partner: dict[str, int] = {}  # ops that belong together have a number in common
    for number, (a, b) in enumerate(_paired(ahead[0], ahead[1], [_in_words, _by_op, _by_place])):
        for side, moment in (("a", a), ("b", b)):
            if moment is not None:
                partner[f"{side}{id(moment)}"] = number
                if moment.op is not None and moment.kind == "op":
                    partner[f"{side}{moment.op.id}"] = number
    keys = [_with_partner("a", partner), _with_partner("b", partner)]
    return _paired(one, other, [keys, _by_op])


Key = Callable[[Moment], Hashable]


def _in_words(moment: Moment) -> Hashable:
    """The same words on the same constants."""
    text = moment.site.text if moment.site is not None else ""
    number = moment.number.numbers if moment.number is not None and moment.kind == "made" else None
    constant = float(number) if number is not None and not number.shape else None
    return moment.kind, moment.word, moment.position, text, constant if constant == constant else "nan"


def _by_op(moment: Moment) -> Hashable:
    return moment.kind, moment.word, moment.position


def _by_place(moment: Moment) -> Hashable:
    return "op" if moment.kind in ("op", "error") else (moment.kind, moment.position)


def _with_partner(side: str, partner: dict[str, int]) -> Key:
    """A step back is known by the op that it reverses, the others by what they were laid beside."""

    def key(moment: Moment) -> Hashable:
        if moment.kind not in BACK:
            return partner[f"{side}{id(moment)}"]
        cause = partner.get(f"{side}{moment.op.id}", moment.op.id) if moment.op is not None else ""
        return moment.kind, cause, moment.position

    return key


def _paired(one: Sequence[Moment], other: Sequence[Moment], ways: Sequence[Any]) -> list[Row]:
    """Pair what is the same by the first kind of key; in the gaps between, pair the rest by the next kinds."""
    if not ways or not one or not other:
        return [*((a, None) for a in one), *((None, b) for b in other)]
    mine, theirs = ways[0] if isinstance(ways[0], list) else (ways[0], ways[0])
    out: list[Row] = []
    a = b = 0
    for start, begin, size in _blocks([*map(mine, one)], [*map(theirs, other)]):
        out += _paired(one[a:start], other[b:begin], ways[1:])
        out += zip(one[start : start + size], other[begin : begin + size], strict=True)
        a, b = start + size, begin + size
    return out


def _blocks(one: list[Hashable], other: list[Hashable]) -> list[tuple[int, int, int]]:
    """Where keys come again in the same order, as (place, place, length); the last, empty, is the end of both.

    Long rows are taken a window at a time, so that the time grows with their length alone.
    """
    out: list[tuple[int, int, int]] = []
    a = b = 0
    while a < len(one) and b < len(other):
        size = 0
        while a + size < len(one) and b + size < len(other) and one[a + size] == other[b + size]:
            size += 1
        if size:
            out.append((a, b, size))
            a, b = a + size, b + size
            continue
        matcher = SequenceMatcher(None, one[a : a + WINDOW], other[b : b + WINDOW], autojunk=False)
        found = [block for block in matcher.get_matching_blocks() if block.size]
        whole = a + WINDOW >= len(one) and b + WINDOW >= len(other)
        some = (
            found if whole else [block for block in found if block.a < WINDOW / 2 and block.b < WINDOW / 2] or found[:1]
        )
        if not some:
            if whole:
                break
            a, b = min(len(one), a + WINDOW // 2), min(len(other), b + WINDOW // 2)
            continue
        out += [(a + block.a, b + block.b, block.size) for block in some]
        a, b = a + some[-1].a + some[-1].size, b + some[-1].b + some[-1].size
        if whole:
            break
    return [*out, (len(one), len(other), 0)]


# ---- what is to be said of two moments ------------------------------------------------------------------------------------


def _judged(one: Moment | None, other: Moment | None, calm: bool) -> Pair:
    if one is None or other is None:
        return Pair(one, other, ONLY)
    if "error" in (one.kind, other.kind):
        return Pair(
            one, other, SAME if (one.kind, one.word, one.text) == (other.kind, other.word, other.text) else ERROR
        )
    if one.kind == "op" and one.word != other.word:
        return Pair(one, other, ANOTHER, _far(one, other, calm=False))
    if one.number is None or other.number is None:
        return Pair(one, other, SAME if one.number is other.number else APART)
    same_kind = one.number.dtype == other.number.dtype
    far = _far(one, other, calm)
    if far.verdict not in (SAME, ROUNDING, UNKNOWN):
        return Pair(one, other, far.verdict, far)
    if same_kind and one.kind == "op" and _set_otherwise(one, other):
        return Pair(one, other, SETTING, far)
    return Pair(one, other, far.verdict if same_kind else DTYPE, far)


def _far(one: Moment, other: Moment, calm: bool) -> Distance:
    if one.number is None or other.number is None:
        return Distance(UNKNOWN)
    reads = max(one.reads, other.reads) if calm else None
    return distance(one.number, other.number, computed=one.kind not in ("made", "given"), calm=reads)


def _set_otherwise(one: Moment, other: Moment) -> bool:
    """Whether the settings of two calls differ, compared as text, since not all can be compared.  JSON has none."""
    settings = [moment.op.settings if moment.op is not None else None for moment in (one, other)]
    return None not in settings and repr(settings[0]) != repr(settings[1])
