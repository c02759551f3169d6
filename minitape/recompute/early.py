"""Early stop: how far a rerun has to go, and what a tape is shown instead of the rest.

Rules often read nothing of what the last ops make: the backward pass of `tanh(x @ w) @ v + b` needs its inputs, never its
result.  So a rerun may stop as soon as the last number that a rule reads is computed.  The remaining ops are not computed.
The tape is shown them with their shapes and no numbers, because gradients pass through them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..primitive import Primitive
from ..record.events import state
from ..tensor import Tag, Tensor, make
from ..trace import Application, announce

Origin = tuple[int, int]  # (number of the op in its run, which of its outputs)


class Stopped(BaseException):
    """Ends a rerun when all that is needed has been rebuilt; no `except Exception` in the region's function catches it."""


class _Op(NamedTuple):
    primitive: Primitive
    inputs: tuple[Origin | Tag, ...]  # where an input was made; for one from outside its tag
    outputs: tuple[Tag, ...]
    params: dict[str, Any]


class Rest:
    """What a run does after the last number that a rule will read: noted in the first run, shown in each rerun that stops.

    `begins` is the number of the first op that need not be computed.
    """

    def __init__(self) -> None:
        self.begins = 0
        self._ops: dict[int, _Op] = {}
        self._made: dict[Tag, Origin] = {}
        self._results: list[Origin] = []

    # ---- the first run ------------------------------------------------------------------------------------------------------

    def note(
        self, index: int, application: Application, saved: Sequence[int] | None, at_hand: Callable[[Tag], bool]
    ) -> None:
        """One more op.

        Args: saved, the positions among its inputs and then outputs that its pullback reads, or None where it must be computed
        in any case; at_hand, whether a rerun has a value from outside before it begins.
        """
        origins = tuple([self._made.get(tag, tag) for tag in application.inputs])
        for position, tag in enumerate(application.outputs):
            self._made[tag] = index, position
        self._ops[index] = _Op(application.primitive, origins, application.outputs, application.params)
        if saved is None or application.primitive.kind == "call":
            self.begins = index + 1
            return
        for position in saved:
            origin = origins[position] if position < len(origins) else None
            if isinstance(origin, tuple):
                self.begins = max(self.begins, origin[0] + 1)
            elif origin is None or not at_hand(origin):
                self.begins = index + 1

    def ended(self, outputs: Sequence[Tensor]) -> bool:
        """Note what the run returned; True where it has a rest that a rerun need not compute."""
        found = [self._made.get(output.tag) for output in outputs]
        self._made.clear()
        self._results = [origin for origin in found if origin is not None]
        self._ops = {index: op for index, op in self._ops.items() if index >= self.begins}
        return bool(self._ops) and len(self._results) == len(outputs)

    # ---- a rerun ------------------------------------------------------------------------------------------------------------

    @property
    def needs(self) -> set[Origin]:
        """What was made before the rest begins and goes into it."""
        used = [
            *self._results,
            *[value for op in self._ops.values() for value in op.inputs if isinstance(value, tuple)],
        ]
        return {origin for origin in used if origin[0] < self.begins}

    @property
    def outside(self) -> set[Tag]:
        """The values from outside that go into the rest."""
        return {value for op in self._ops.values() for value in op.inputs if not isinstance(value, tuple)}

    def show(self, made: dict[Origin, Tensor], outside: Mapping[Tag, Tensor]) -> list[Tensor]:
        """Show the rest to whoever records, and return what the region returns; uses up `made`."""
        for index, op in self._ops.items():
            inputs = [
                made[value] if isinstance(value, tuple) else outside[value] if value in outside else _blank(value)
                for value in op.inputs
            ]
            outputs = [_blank(tag) for tag in op.outputs]
            announce(op.primitive, tuple(inputs), tuple(outputs), op.params)
            made |= {(index, position): output for position, output in enumerate(outputs)}
        results = [made[origin] for origin in self._results]
        made.clear()
        return results


def _blank(tag: Tag) -> Tensor:
    """A tensor of the same shape and dtype with no numbers of its own: nobody will read them."""
    return make(np.broadcast_to(np.zeros((), tag.dtype), tag.shape), state.holder)
