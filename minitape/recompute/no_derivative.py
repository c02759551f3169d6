"""A gradient that nobody can differentiate, as TensorFlow's `recompute_grad` has it: for `compat("tf")`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..call import Call, Derivative, distinct
from ..tensor import Tensor
from ..trace import Application, announce


class _Refusal(Derivative):
    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def pull(self, application: Application, values: Any, cotangents: Any, wanted: Any) -> Iterator[Any]:
        raise self._error()

    def pushforward(self, application: Application, values: Any, tangents: Any) -> tuple[Tensor | None, ...]:
        raise self._error()

    def _error(self) -> NotImplementedError:
        return NotImplementedError(
            f"in TensorFlow the gradient of {self._name!r} under recompute_grad has no derivative of its own: no "
            'accumulator goes through it, nor a second tape. It has one here outside of `with tf.compat("tf"):`.'
        )


def refuse(name: str, inputs: Sequence[Tensor], answers: Sequence[Tensor | None]) -> None:
    """Show one more application to whoever records: from these inputs to the answers, and without a derivative.

    Where none of the inputs is followed the recorders overlook it, and the ops that made the answers stand.
    """
    outputs = tuple([answer for answer in answers if answer is not None])
    if outputs:
        derivative = _Refusal(name)
        call = Call(f"gradient of {name}", derivative, distinct(["upstream"] * len(inputs)), len(outputs))
        announce(call, tuple(inputs), outputs, {})
