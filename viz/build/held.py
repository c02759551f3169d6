"""Who holds the bytes of each value, step by step: what the ledger told while the program ran, on the cards of the picture."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

from minitape.record.ledger import HOLDERS, VARIABLE, Buffer
from minitape.tensor import Tag

from .run import Run


class Held:
    """The holder of each value's bytes as the story goes on; a value that comes again has its first run's card."""

    def __init__(self, run: Run, cards: Collection[Tag], first: Callable[[Tag], Tag]) -> None:
        self._run, self._cards, self._first = run, cards, first
        self._charged: dict[Tag, dict[Tag, int]] = {}  # by value: who holds it, and each of its reruns
        for tag, holder in run.held_early.items():
            if first(tag) in cards:
                self._charge(tag, holder)

    def moved(self, changes: Iterable[tuple[Buffer, int]]) -> list[Tag]:
        """Note that bytes changed hands (-1: nobody has them any more); the values that this concerns, without repeats."""
        touched: dict[Tag, None] = {}
        for buffer, holder in changes:
            for tag in self._run.values_in(buffer):
                card = self._first(tag)
                if (
                    card in self._cards and not tag.variable
                ):  # a variable's bytes change with its value, and stay its own
                    self._charge(tag, holder)
                    touched[card] = None
        return list(touched)

    def _charge(self, tag: Tag, holder: int) -> None:
        card = self._first(tag)
        holders = self._charged.setdefault(card, {})
        if holder < 0:
            holders.pop(tag, None)
        else:
            holders[tag] = holder

    def by(self, tag: Tag) -> str:
        """Who holds its bytes now; empty for nobody."""
        holders = self._charged.get(tag, {})
        return HOLDERS[min(holders.values())] if holders else ""

    def write(self, tag: Tag, value: dict[str, Any], now: int) -> None:
        """Put the change into the value's spans, from this step on."""
        if tag.variable:
            value.setdefault("held", [{"by": HOLDERS[VARIABLE], "from": now}])
            return
        by = self.by(tag)
        spans = value.setdefault("held", [])
        if spans and "to" not in spans[-1]:
            if spans[-1]["by"] == by:
                return
            spans[-1]["to"] = now
            if spans[-1]["from"] == now:
                spans.pop()
        if by:
            if spans and spans[-1]["by"] == by and spans[-1]["to"] == now:
                del spans[-1]["to"]  # it changed hands and came back within the step
            else:
                spans.append({"by": by, "from": now})
