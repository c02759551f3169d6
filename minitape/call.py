"""A whole call as one application: what a custom gradient and a recompute region put on a tape.

The mechanism is that of any op: tags in, tags out, a pullback and a pushforward.  Only the rules are not in the table: they
belong to this one call, as do the closures and values that they use.  An entry keeps the call's `Derivative`, not the call; when
the last such entry lets go, that is freed, and with it the learner's closure and all that it held.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Iterator, Sequence
from typing import Any

from .notes import Notes
from .primitive import Primitive
from .rule import Plan
from .tensor import Tensor
from .trace import Application


class Derivative:
    """The derivative of one call: its pullback and its pushforward."""

    __slots__ = ("__weakref__",)

    def pull(
        self, application: Application, values: Sequence[Any], cotangents: Sequence[Any], wanted: tuple[bool, ...]
    ) -> Iterator[tuple[int, Tensor | None]]:
        """The cotangents of the wanted inputs."""
        raise NotImplementedError

    def pushforward(
        self, application: Application, values: Sequence[Any], tangents: Sequence[Any]
    ) -> tuple[Tensor | None, ...]:
        """The tangents of the outputs."""
        raise NotImplementedError


class Call(Primitive):
    """An op made for a single call.

    `always` lists the inputs that an entry keeps whatever is watched, `if_wanted` those that it keeps when they are, and
    `residuals` the outputs that it keeps.  The first `returned` outputs are what the function returned; those
    after them exist for derivatives alone.
    """

    __slots__ = ("_always", "_derivative", "_if_wanted", "_planned", "_residuals", "account", "grad_code", "returned")

    kind = "call"
    listed = False  # in no table

    def __init__(
        self, name: str, derivative: Derivative, arguments: Sequence[str], outputs: int, *, always: Sequence[int] = (),
        if_wanted: Sequence[int] = (), residuals: Sequence[int] = (), returned: int | None = None, formula: str = "",
        account: Any = None, grad_code: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            name,
            _ran_already,
            arguments=arguments,
            outputs=outputs,
            notes=Notes(phrase=formula, title=name, doc=name, same_dtype=False),
        )
        self.returned = outputs if returned is None else returned
        self.account = account  # the facts of the call, which outlive its derivative
        self.grad_code = (
            grad_code  # of a gradient function of the learner's own: `why` reads its source, long after it is gone
        )
        self._derivative = weakref.ref(derivative)
        self._planned: Plan | None = None
        self._always, self._if_wanted, self._residuals = tuple(always), tuple(if_wanted), tuple(residuals)
        self.inert = _NOTHING  # one object for all calls: a deep net has a call for each layer

    def derivative(self) -> Derivative | None:
        """The derivative, for an entry to keep."""
        return self._derivative()

    def plan(self, wanted: tuple[bool, ...]) -> Plan:
        """What a backward pass needs; the last plan is remembered, since mostly one tape asks."""
        plan = self._planned
        if plan is None or plan.wanted != wanted:
            plan = self._planned = Plan(self.name, wanted, self.saves(wanted), None, of_call=True)
        return plan

    def saves(self, wanted: tuple[bool, ...]) -> tuple[int, ...]:
        """The positions of the inputs and (as ~position) of the outputs that an entry keeps for the backward pass."""
        inputs = {*self._always, *[i for i, want in enumerate(wanted) if want and i in self._if_wanted]}
        return (*sorted(inputs), *[~position for position in self._residuals])

    def pull(
        self, application: Application, values: Any, cotangents: Any, wanted: tuple[bool, ...]
    ) -> Iterator[tuple[int, Tensor | None]]:
        """All wanted cotangents at once, since they come out of one run."""
        derivative = self._derivative()
        assert derivative is not None
        return derivative.pull(application, values, cotangents, wanted)

    def pushforward(
        self, application: Application, values: Any, tangents: Any, space: Any = None
    ) -> tuple[Tensor | None, ...]:
        """The tangents of the outputs, always as tensors."""
        derivative = self._derivative()
        assert derivative is not None
        return derivative.pushforward(application, values, tangents)


_NOTHING: frozenset[int] = frozenset()


def _ran_already(*arrays: Any, **params: Any) -> Any:
    raise NotImplementedError("a call was computed by its body")


def distinct(names: Sequence[str]) -> tuple[str, ...]:
    """The names, with a number where one comes again.

    >>> distinct(["x", "x", "k"])
    ('x', 'x_1', 'k')
    """
    return _distinct(tuple(names))


@functools.lru_cache(maxsize=256)  # the layers of a deep net mostly have the same names: one tuple for all of them
def _distinct(names: tuple[str, ...]) -> tuple[str, ...]:
    seen: dict[str, int] = {}
    answer = []
    for name in names:
        count = seen[name] = seen.get(name, -1) + 1
        answer.append(f"{name}_{count}" if count else name)
    return tuple(answer)
