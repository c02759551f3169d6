"""Forward mode: dual levels, the tangents that ops carry along, and the ops that work these out.

PyTorch works a tangent out right after the op whose result it belongs to, and then asks whether the two are laid out alike.
That question is shown to the dispatch mode like any op, and says whose tangent is there.
"""

from __future__ import annotations

import functools
import sys
import weakref
from contextlib import ExitStack
from typing import Any

import torch
from torch.autograd import forward_ad

from ..block import stand_in
from ..borrowed import is_library, learner_frame
from ..records import Carried, Context, Entered, Left, LookedUp, Op, Recorder, Value
from .notes import Notes

ALIKE = "_has_same_storage_numel"  # (tangent, primal), where both begin at the same place of their storage
LIKE = "_new_zeros_with_same_feature_meta"  # (tangent, primal): what it gives is filled with the tangent and takes its place


class Duals:
    """The forward mode of a run: one level at a time, as PyTorch has it."""

    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        self.recorder: Recorder | None = None  # of the level that is open
        self.op: Op | None = None  # whose tangent is being worked out
        self._count = 0
        self._from: dict[Value, Op] = {}  # which op gave a value
        self._tangents: dict[Value, Any] = {}  # by value: a weak handle of its tangent
        self._waits: Any = None  # what takes the place of a tangent, and its primal
        self._asked: Any = None  # the call that the op came from
        self._target: Any = None  # what an op in place has changed

    def put_on(self, stack: ExitStack) -> None:
        """Stand around the three doors of forward mode."""
        for name, ours in (
            ("enter_dual_level", self._enters), ("exit_dual_level", self._leaves), ("unpack_dual", self._unpacks),
        ):  # fmt: skip
            stand_in(stack, forward_ad, name, functools.partial(ours, getattr(forward_ad, name)))

    # ---- what the program asks ------------------------------------------------------------------------------------------

    def _enters(self, plain: Any) -> Any:
        level = plain()
        if not self.notes.transformed():
            self._count += 1
            self.recorder = Recorder(f"d{self._count}", "accumulator", "dual level")
            self.notes.add(Entered(recorder=self.recorder))
        return level

    def _leaves(self, plain: Any, **kwargs: Any) -> Any:
        answer = plain(**kwargs)
        if self.recorder is not None and not self.notes.transformed():
            self.done()
            self.notes.add(Left(recorder=self.recorder))
            self.recorder = None
            self._from.clear()
            self._tangents.clear()
        return answer

    def _unpacks(self, plain: Any, tensor: Any, **kwargs: Any) -> Any:
        notes = self.notes
        if self.recorder is None or notes.transformed() or not isinstance(tensor, torch.Tensor):
            return plain(tensor, **kwargs)
        if is_library[sys._getframe(2).f_code.co_filename]:  # PyTorch, which prints a tensor
            with notes.tensors.unseen():
                return plain(tensor, **kwargs)
        self.done()
        notes.settle()
        of = notes.value(tensor)
        with notes.tensors.unseen():
            answer = plain(tensor, **kwargs)
        found = None
        if answer.tangent is not None:
            found = notes.tensors.put(answer.tangent, notes.tensors.known(answer.tangent))
        notes.tensors.put(answer.primal, of)
        notes.add(LookedUp(recorder=self.recorder, of=of, found=found))
        return answer

    # ---- what the dispatch mode shows -----------------------------------------------------------------------------------

    def begins(self) -> bool:
        """An op is about to run: whether it works out the tangent of the one before it."""
        if self.op is not None and self._asked != _call():
            self.done()  # the program has gone on: the op before it is complete
        return self.op is not None

    def applied(self, op: Op, outs: list[Any], target: Any = None) -> None:
        """An op of the program's, or of a backward pass's, was applied, perhaps in place of `target`."""
        if self.op is not None or op.row.name.endswith("_like"):
            return
        carries = any(value in self._tangents for value in op.takes)
        if carries and any(out.is_floating_point() or out.is_complex() for out in outs):
            self._from.update(dict.fromkeys(op.gives, op))
            self.op, self._asked, self._target = op, _call(), target

    def alike(self, tangent: Any, primal: Any) -> None:
        """PyTorch gives a tensor its tangent."""
        notes = self.notes
        of, value = notes.value(primal), notes.tensors.known(tangent)
        op = self._from.get(of)
        if op is not None or of not in self._tangents and not notes.passes:
            self._carried(of, value, tangent, op)
        self._tangents[of] = weakref.ref(tangent)
        self.op = self._target = None

    def likens(self, out: Any, primal: Any) -> None:
        """A tangent that is laid out otherwise is about to be copied."""
        self._waits = out, primal

    def copied(self, target: Any) -> bool:
        """Whether an op has filled the copy that takes the place of a tangent; then the tangent is recorded."""
        if self._waits is None or self._waits[0] is not target:
            return False
        (out, primal), self._waits = self._waits, None
        self.alike(out, primal)
        return True

    def is_of_changed(self, tensor: Any) -> bool:
        """Whether a tensor is the tangent of what an op in place has changed: it is written last."""
        return self._target is not None and tensor is self._before()

    def _before(self) -> Any:
        """The tangent of what the op at work took."""
        takes = () if self.op is None else self.op.takes
        return next((self._tangents[value]() for value in takes if value in self._tangents), None)

    def context(self) -> Context:
        """What is going on while a tangent is worked out."""
        return Context(phase="jvp", cause=self.op, actor=self.recorder)

    def done(self) -> None:
        """The op at work is complete: one in place has changed its tangent in place, too."""
        op, tangent = self.op, self._before()
        if op is not None and self._target is not None and tangent is not None:
            self._carried(op.gives[0], self.notes.value(tangent), tangent, op)
        self.op = self._target = None

    def _carried(self, of: Value, value: Value, tangent: Any, op: Op | None) -> None:
        assert self.recorder is not None
        self._tangents[of] = weakref.ref(tangent)
        numbers = {value: self.notes.tensors.see(tangent)}
        self.notes.add(Carried(recorder=self.recorder, of=of, tangent=value, seed=op is None, op=op, numbers=numbers))


def is_placeholder(tensor: Any) -> bool:
    """Whether a tensor only stands for a shape, or for zeros that nobody has to add."""
    return bool(tensor.device.type == "meta" or tensor._is_zerotensor())


def _call() -> Any:
    """The call of the program's that is running."""
    frame = learner_frame()
    return id(frame), frame.f_lasti
