"""Why two accounts of one program differ where they are meant to: each reason has its row in docs/differences.md."""

from __future__ import annotations

from collections.abc import Callable

from viz.tell.twins import Difference

Test = Callable[[str, Difference, "set[str]"], bool]


def _words(difference: Difference) -> tuple[str, ...]:
    fact = difference.one or difference.other
    return () if fact is None else fact.words


def _kept(aspect: str, difference: Difference, facts: set[str]) -> bool:
    return aspect == "kept"


def _inside(aspect: str, difference: Difference, facts: set[str]) -> bool:
    return aspect == "rules"


def _sums(aspect: str, difference: Difference, facts: set[str]) -> bool:
    """Sums, and what comes back through the entries that outer tapes have of them."""
    through = {"AddN", "add"} & {*_words(difference)}
    return aspect == "sums" or ("sums" in facts and aspect == "back" and bool(through))


def _rerun(aspect: str, difference: Difference, facts: set[str]) -> bool:
    """TensorFlow's rerun watches all arguments, and has a gradient for each: more of the same tape's; or as many shares of what
    minitape's has in one piece.
    """
    of = [f"rerun {word}" for word in _words(difference)]
    more = difference.one is None and aspect in ("recorders", "back", "answers") and not facts.isdisjoint(of)
    whole = aspect in ("back", "answers") and f"in shares {difference.one or difference.other}" in facts
    return more or whole


def _moved(aspect: str, difference: Difference, facts: set[str]) -> bool:
    """Both have the entry, at different places."""
    fact = difference.one or difference.other
    return aspect == "back" and f"moved {fact}" in facts


def _unseen(aspect: str, difference: Difference, facts: set[str]) -> bool:
    """A region that no tape will ask to run again, and what begins where nothing leads back."""
    region = aspect in ("regions", "ops") and difference.one is None
    seed = aspect == "back" and difference.other is None and "begins" in _words(difference)
    return "unrecorded" in facts and (region or seed)


def _rule(aspect: str, difference: Difference, facts: set[str]) -> bool:
    """The body of a custom gradient stays on TensorFlow's tape."""
    return "rule" in facts and aspect == "ops"


def _tangents(aspect: str, difference: Difference, facts: set[str]) -> bool:
    """Tangents of the arithmetic that works out a tangent, and all that comes back through it."""
    words = _words(difference)
    more = aspect == "tangents" and difference.other is None and "through" in " ".join(words)
    return more or (aspect == "back" and f"through tangents {words[0]}" in facts)


def _failed(aspect: str, difference: Difference, facts: set[str]) -> bool:
    """A backward pass that raises: the end of its tape is told by minitape alone."""
    return aspect == "recorders" and difference.other is None and _words(difference)[0] == "release"


def _refused(aspect: str, difference: Difference, facts: set[str]) -> bool:
    """What was watched of a call that was then refused."""
    return aspect == "recorders" and difference.one is None and _words(difference)[::2] == ("watch", "by itself")


def _normalized(aspect: str, difference: Difference, facts: set[str]) -> bool:
    """The ops inside a layer that normalizes, and what comes back through them."""
    return "normalizes" in facts and aspect in ("ops", "back")


# By the first words of the row of docs/differences.md that says it.
REASONS: dict[str, Test] = {
    "what an entry of a tape keeps": _kept,
    "the ops inside the rule of an op": _inside,
    "the backward pass of a value that is used *n* times": _sums,
    "the rerun of a `recompute_grad`": _rerun,
    "the order in which entries are reversed": _moved,
    "what nobody records": _unseen,
    "what a `custom_gradient` body hands out by the back door": _rule,
    "the arithmetic of a tangent": _tangents,
    "a tape whose backward pass raises": _failed,
    "a function that `custom_gradient` refuses": _refused,
    "the ops of a layer that normalizes": _normalized,
}


def reason(aspect: str, difference: Difference, facts: set[str]) -> str:
    """Why an entry differs, as a row of docs/differences.md begins; "" where none says it."""
    return next((row for row, test in REASONS.items() if test(aspect, difference, facts)), "")
