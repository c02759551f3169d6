"""Iterations of a loop that are run again, or undone, in the backward pass: what `while_loop(recompute=...)` does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from .. import nest
from ..record.refusal import type_error, value_error
from .grad import recompute_grad
from .wrapper import AbstractRecomputeWrapper


def iteration(body: Callable[..., Any], recompute: bool | str, name: str) -> Callable[..., Any]:
    """The body of a loop, with what `while_loop` was given as `recompute`; raises ValueError for another value of that.

    Raises TypeError for "reversible" and a body without an inverse.
    """
    if recompute is False:
        return body
    if recompute is True:
        return recompute_grad(body, name=name)
    if recompute != "reversible":
        raise value_error(f'recompute is True, False or "reversible", got {recompute!r}')
    if not callable(getattr(body, "inverse", None)):
        raise type_error(
            f'recompute="reversible" needs a body with an inverse; {getattr(body, "__name__", type(body).__name__)} has none. '
            "Write a class: `__call__(self, *loop_vars)` goes on, `inverse(self, *loop_vars)` comes back; or use recompute=True."
        )
    return Undone(body)


class Undone(AbstractRecomputeWrapper):
    """One iteration that keeps nothing: its inputs are rebuilt from its outputs, by the body's own inverse."""

    keeps_inputs: ClassVar[bool] = False
    hands_up: ClassVar[bool] = True

    def __init__(self, body: Any) -> None:
        self.body = body

    def call(self, *loop_vars: Any) -> Any:
        """The body."""
        return self.body(*loop_vars)

    def inverse(self, *loop_vars: Any) -> Any:
        """The loop variables before it."""
        before = self.body.inverse(*loop_vars)
        return before if isinstance(before, tuple | list) else (before,)

    def _gradient(self, grad_ys: Any, rev_ys: Any, **grad_kwargs: Any) -> tuple[Any, ...]:
        before = list(self.inverse(*rev_ys))
        variables = grad_kwargs.get("variables", ())
        again = self._block_recompute_and_gradients(self.body, before, list(grad_ys), variables)
        return nest.flatten(again[1]), before, again[2]
