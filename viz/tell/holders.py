"""Who holds the bytes of each value, step by step: what was counted while the program ran, on the cards of the picture."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from ..capture.records import Value
from .replays import Replays


class Holders:
    """The holder of each value's bytes as the steps go on; a value that comes again has its first run's card."""

    def __init__(self, order: tuple[str, ...], cards: Collection[Value], replays: Replays) -> None:
        self._order, self._cards, self._first, self._again = order, cards, replays.first, replays.again
        self._charged: dict[Value, dict[Value, str]] = {}  # by value: who holds it, and each of its reruns

    def begin(self, values: Iterable[Value]) -> None:
        """Note who held what was there before the run."""
        for value in values:
            if value.held and self._first(value) in self._cards:
                self._charge(value, value.held)

    def moved(self, changes: Iterable[tuple[Value, str]]) -> list[Value]:
        """Note that bytes changed hands ("": nobody has them any more); the cards that this concerns, without repeats."""
        touched: dict[Value, None] = {}
        cards, again = self._cards, self._again
        for value, holder in changes:
            # A variable's bytes change with its value, and stay its own.
            if not value.variable and (value in cards or value in again) and (card := self._first(value)) in cards:
                self._charge(value, holder)
                touched[card] = None
        return list(touched)

    def _charge(self, value: Value, holder: str) -> None:
        holders = self._charged.setdefault(self._first(value), {})
        if holder:
            holders[value] = holder
        else:
            holders.pop(value, None)

    def by(self, value: Value) -> str:
        """Who holds its bytes now; empty for nobody."""
        return min(self._charged.get(value, {}).values(), key=self._order.index, default="")

    def write(self, value: Value, card: dict[str, Any], now: int) -> None:
        """Put the change into the card's spans, from this step on."""
        if not self._order:
            return  # bytes were not measured
        if value.variable:
            card.setdefault("held", [{"by": "variable", "from": now}])
            return
        by = self.by(value)
        spans = card.setdefault("held", [])
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
