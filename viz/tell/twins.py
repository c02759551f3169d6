"""One program in two frameworks: their accounts held against each other, entry by entry."""

from __future__ import annotations

from collections import Counter
from difflib import SequenceMatcher
from typing import NamedTuple

from .account import ASPECTS, Account, Fact, near

SAME, ORDER, OTHER = "the same", "in another order", "different"


class Difference(NamedTuple):
    """An entry that only one of two accounts has; or both, with other numbers."""

    place: int  # how many entries of the first come before it
    one: Fact | None
    other: Fact | None


class Compared(NamedTuple):
    """An aspect of two accounts."""

    verdict: str  # the same | in another order | different
    shared: int  # entries that both have
    counts: tuple[int, int]
    differences: tuple[Difference, ...]


def compared(one: Account, other: Account) -> dict[str, Compared]:
    """Both accounts, aspect by aspect; aspects that neither has are left out."""
    return {aspect: _aspect(one[aspect], other[aspect]) for aspect in ASPECTS if one[aspect] or other[aspect]}


def _aspect(one: list[Fact], other: list[Fact]) -> Compared:
    matcher = SequenceMatcher(None, [*map(_key, one)], [*map(_key, other)], autojunk=False)
    differences: list[Difference] = []
    for what, a, a_end, b, b_end in matcher.get_opcodes():
        if what != "equal":
            differences += _between(a, one[a:a_end], other[b:b_end])
    shared = len(one) - sum(difference.one is not None for difference in differences)
    verdict = SAME if not differences else ORDER if _as_sets(one, other) else OTHER
    return Compared(verdict, shared, (len(one), len(other)), tuple(differences))


def _key(fact: Fact) -> tuple[str, ...]:
    return (*fact.words, *[f"{number + 0.0:.3g}" for number in fact.numbers])


def _between(place: int, one: list[Fact], other: list[Fact]) -> list[Difference]:
    """Entries that stand at the same place in both accounts: those of the same words are pairs."""
    found, left = [], [*other]
    for at, mine in enumerate(one, place):
        pair = next((theirs for theirs in left if theirs.words == mine.words), None)
        if pair is not None:
            left.remove(pair)
        if pair is None or not near(mine, pair):
            found.append(Difference(at, mine, pair))
    return found + [Difference(place + len(one), None, theirs) for theirs in left]


def _as_sets(one: list[Fact], other: list[Fact]) -> bool:
    """Whether both have the same entries, in whatever order."""
    if Counter(fact.words for fact in one) != Counter(fact.words for fact in other):
        return False
    left = [*other]
    for fact in one:
        place = next((at for at, theirs in enumerate(left) if theirs.words == fact.words and near(fact, theirs)), None)
        if place is None:
            return False
        del left[place]
    return True
