"""The pieces of a learner's own tape (notebook 16) as they stand in the notebook, where each may be written before the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from .bank import find, unpacked
from .judge import Unjudged, called, empty


class Bare:
    """What a tape is without its methods."""

    def __init__(self, followed: Sequence[Any], entries: Sequence[Any] = ()) -> None:
        self.followed, self.entries = set(followed), list(entries)


PIECES = {"apply": "16.5", "multiply_back": "16.3", "sin_back": "16.4", "record": "16.6", "gradient": "16.7"}
RULES = {"multiply": "multiply_back", "sin": "sin_back"}


@contextmanager
def filled(answer: Any) -> Iterator[None]:
    """A block in which the other pieces that still hold dots are replaced by their solutions."""
    space = _space(answer)
    before, back = {name: space[name] for name in PIECES if name in space}, space.get("BACK", {})
    rules = dict(back)
    try:
        for name, piece in before.items():
            if piece is not answer and _unwritten(name, piece, space["Value"]):
                exec(unpacked(find(PIECES[name])["solution"]), space)
        for op, name in RULES.items():  # the learner's, too, if the cell of BACK was run before it was written
            if op in rules and _unwritten(name, rules[op], space["Value"]):
                back[op] = space[name]
        yield
    finally:
        space.update(before)
        back.update(rules)


def _space(answer: Any) -> dict[str, Any]:
    """The names of the cell that a function or a class stands in."""
    for member in vars(answer).values() if isinstance(answer, type) else [answer]:
        if "Value" in (space := getattr(member, "__globals__", {})):
            return space
    return {}


def _unwritten(name: str, piece: Any, value: Any) -> bool:
    """Whether a piece still holds dots: called with numbers, since it may hold them in one branch alone."""
    if name == "record":
        return empty(piece)
    numbers = (value(1.0), value(2.0))
    given = {"apply": ("add", *numbers), "sin_back": numbers, "gradient": (Bare([]), *numbers)}
    try:
        called(piece, *given.get(name, (*numbers, value(3.0))))
    except Unjudged as why:
        return why.fault is ...
    return False
