"""Recompute wrappers: layers that say themselves how their gradient is computed from what is left of the forward pass.

The class of the documented module `tf.layers.AbstractRecomputeWrapper`, on tapes.  A child writes the forward pass in `call` and
the backward pass in `_gradient`; what one has rebuilt is handed up to the layer before, so that a reversible chain keeps
nothing but its last outputs.
"""

from __future__ import annotations

import abc
import threading
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any, ClassVar

import numpy as np

from .. import nest
from ..call import Call, distinct
from ..errors import MinitapeWarning
from ..frames import Frame, frame_of
from ..ops.shapes import zeros_like_tag
from ..record.events import Context, state, ticks, within
from ..record.refusal import refusal, type_error, value_error
from ..tape import GradientTape
from ..tensor import Operand, Tag, Tensor, convert, make, moment
from ..trace import Application, Sees, announce
from ..why.log import assignments
from . import chance
from .account import Account, rerunning
from .determinism import Readings, changed_variables, other_numbers, side_effects
from .errors import warn
from .inside import Inside, followed_by, run_body, tangents_within, unseen_by, with_outputs
from .wrapped_call import WrappedCall, attach, attached


class CtrlFlowWarning(MinitapeWarning):
    """A variable of a layer in a while loop was never read in that loop."""


class _CallsAtWork(threading.local):
    def __init__(self) -> None:
        self.records: list[WrappedCall] = []


_calls = _CallsAtWork()


class AbstractRecomputeWrapper(abc.ABC):
    """Backbone of recompute wrappers and reversible layers: the forward pass keeps little, `_gradient` brings back the rest.

    A child overrides `call`, the forward computation, and `_gradient(grad_ys, rev_ys, variables=...)`, which returns
    `(grad_xs, rev_xs, grad_vars)`, or `(grad_xs, rev_xs)` where no variables are read.  `rev_ys` are the outputs, rebuilt by the
    layer after this one if it did; `rev_xs` are this layer's rebuilt inputs, or None for what was not rebuilt.  Any structure of
    tensors can go in and come out; keyword arguments reach `call` untouched and get no gradient; tensors from outside get theirs
    where `_block_recompute_and_gradients` finds it.  Nothing of a call is kept on the layer, so a layer may be called again and
    again.

    Raises TypeError, as abstract classes do, for a child without `call` and `_gradient`.

    >>> class Doubled(tf.AbstractRecomputeWrapper):
    ...     def call(self, x):
    ...         return 2.0 * x
    ...     def _gradient(self, grad_ys, rev_ys):
    ...         return (2.0 * grad_ys[0],), (rev_ys[0] / 2.0,)
    >>> x = tf.constant(3.0)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = Doubled()(x)
    >>> float(tape.gradient(y, x))
    2.0
    """

    CtrlFlowWarnedOnce: ClassVar[bool] = False

    keeps_inputs: ClassVar[bool] = True  # whether tapes keep what goes in: `self._record.inputs` in `_gradient`
    keeps_outputs: ClassVar[bool] = True  # whether `rev_ys` are there where no later layer rebuilt them
    # Whether every rev_xs is rebuilt, so that the layer before need not keep its outputs.
    hands_up: ClassVar[bool] = False
    compares: ClassVar[bool] = False  # whether what `call` does is noted, for the backward pass to be compared with
    preserve_rng: bool = True  # whether random numbers come out the same in the backward pass
    determinism: str = "metadata"  # "off": say nothing of variables and assignments; "values": refuse

    @abc.abstractmethod
    def call(self, *args: Any, **kwargs: Any) -> Any:
        """The forward computation."""

    @abc.abstractmethod
    def _gradient(self, grad_ys: tuple[Any, ...], rev_ys: tuple[Any, ...], **grad_kwargs: Any) -> tuple[Any, ...]:
        """The backward pass: `(grad_xs, rev_xs, grad_vars)` or `(grad_xs, rev_xs)`."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._call(args, kwargs)

    # ---- what a child may use ---------------------------------------------------------------------------------------------

    def _set_recomputed_tensor(self, tensor: Any, recomputed: Any) -> None:
        """Store a rebuilt value for a tensor of the forward pass and for its identities; None stores nothing.

        Raises TypeError for anything that is no tensor.
        """
        if recomputed is None:
            return
        for what, value in (("tensor", tensor), ("recomputed", recomputed)):
            if not isinstance(value, Tensor):
                raise type_error(f"{what} must be a tensor, got {value!r} of type {type(value).__name__}")
        attach(tensor, recomputed)

    def _check_get_recomputed_tensor(self, tensor: Any) -> Tensor:
        """The rebuilt value stored for this tensor, or the tensor itself; raises TypeError for anything else."""
        if not isinstance(tensor, Tensor):
            raise type_error(
                f"only a tensor has a recomputed tensor, got {tensor!r} of type {type(tensor).__name__}",
                "Pass on what `call` was given.",
            )
        found = attached(tensor)
        return tensor if found is None else found

    def _block_recompute_and_gradients(
        self, block: Callable[..., Any], inputs: Any, grad_outputs: Any, variables: Sequence[Any], **kwargs: Any
    ) -> tuple[Any, Any, list[Any], dict[str, Any]]:
        """Run a block of the forward pass again, and take its gradients.

        Returns its output; the gradients of the inputs, in their structure; of the variables; and of the tensors among the
        keyword arguments, by name (the original computes those and drops them).  What comes back to tensors that the block takes
        from outside goes to the tape by itself.
        """
        side = {key: value for key, value in kwargs.items() if any(isinstance(x, Operand) for x in nest.flatten(value))}
        sources = [list(inputs), list(variables), side]
        floats = [leaf for leaf in nest.flatten(sources) if isinstance(leaf, Operand) and leaf.tag.dtype.kind in "fc"]
        record = _calls.records[-1] if _calls.records else None
        known = {tensor.tag for tensor in floats}
        captured = [capture for capture in record.captured if capture.tag not in known] if record is not None else []
        number = record.account.runs if record is not None else 1
        with rerunning(self._called, number), GradientTape(watch_accessed_variables=False) as tape:
            tape.watch([*floats, *captured])
            output = block(*inputs, **kwargs)
        outputs, seeds = nest.flatten(output), nest.flatten(grad_outputs)
        if len(seeds) != len(outputs):
            raise value_error(
                f"{type(self).__name__}: the block has {len(outputs)} outputs, and {len(seeds)} gradients came",
                "Give one per output, and None for one that has none.",
            )
        gradients = tape.gradient(outputs, [*floats, *captured], seeds)
        if record is not None:
            record.accumulate(captured, gradients[len(floats) :])
        found = dict(zip([tensor.tag for tensor in floats], gradients, strict=False))
        answers = nest.map_structure(
            lambda value: found.get(value.tag) if isinstance(value, Operand) else None, sources
        )
        return output, type(inputs)(answers[0]) if isinstance(inputs, tuple) else answers[0], answers[1], answers[2]

    def _get_clean_grad_scope(self, graph: Any = None) -> str:
        """The name scope without a last part that ends in "_grad", with a slash at its end.

        Args: graph, a context to look at instead of the present one.  Raises ValueError where no such part is there.
        """
        scope = (state.context if graph is None else graph).scope.rstrip("/")
        head, _, last = scope.rpartition("/")
        if not last.endswith("_grad"):
            raise value_error(
                f"the name scope {scope!r} does not end in a gradient's part, such as 'a/b/recompute_1_grad'",
                "Ask inside _gradient, with the scope that is current there.",
            )
        return f"{head}/" if head else ""

    def _update_variables_for_context(self, in_tensors: Sequence[Any], variables: Sequence[Any]) -> list[Any]:
        """The variables as the control flow of the forward pass knows them: a new list, in the same order.

        They are told apart by identity, never by name.  One that was not read in the loop stays as it is, with a warning, the
        first time in a process.
        """
        frame = frame_of()
        if frame is not None and frame.in_while_loop:
            for variable in variables:
                if not _read_in(frame, variable) and not AbstractRecomputeWrapper.CtrlFlowWarnedOnce:
                    AbstractRecomputeWrapper.CtrlFlowWarnedOnce = True
                    warn(
                        f"variable {variable.name} was not read in the loop {frame.loop}; it is used from outside",
                        CtrlFlowWarning,
                    )
        return list(variables)

    @staticmethod
    def is_in_while_loop(graph: Any = None) -> bool:
        """True in the body of a while loop, in its condition, and in the backward pass through it.

        Args: graph, a context to ask about instead of the present one.  A branch of `cond` is no loop (the original says it is).
        """
        frame = frame_of(graph if isinstance(graph, Context) else None)
        return frame is not None and frame.in_while_loop

    @property
    def _called(self) -> str:
        """The name of its calls in records."""
        return type(self).__name__

    @property
    def _at_work(self) -> bool:
        return bool(_calls.records)

    @property
    def _record(self) -> WrappedCall:
        """The record of the running call; while `_gradient` runs it holds the call's inputs.  Raises RuntimeError elsewhere."""
        if not _calls.records:
            raise refusal(RuntimeError, f"{type(self).__name__} is not at work: ask inside `call` or `_gradient`")
        return _calls.records[-1]

    def _undone(self, record: WrappedCall) -> Any:
        """The inputs of a call, rebuilt by the layer's `inverse`, which every layer with `hands_up` must have."""
        rev_ys = record.rev_ys()
        _calls.records.append(record)
        try:
            inverse: Any = self.inverse  # type: ignore[attr-defined]
            return inverse(*rev_ys)
        finally:
            _calls.records.pop()

    # ---- one call ---------------------------------------------------------------------------------------------------------

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any], anchor: bool = False, watch: Any = None) -> Any:
        name = self._called
        closed = [recorder for recorder in state.recorders if recorder.sees is Sees.CALL]
        account = Account(name, (*state.context.region, name))
        record = WrappedCall(self, kwargs, anchor, watch, account)
        _calls.records.append(record)
        try:
            # With an accumulator inside of a tape, the tape must see its tangents made.
            if not closed or tangents_within(closed)[1]:
                return self.call(*args, **kwargs)
            args = nest.map_structure(
                lambda value: make(value.copy()) if isinstance(value, np.ndarray) else value, args
            )
            flat = [leaf for leaf in nest.flatten(args) if isinstance(leaf, Operand)]
            inside = Inside(
                name, {leaf.tag for leaf in flat}, values=self.determinism == "values", follows=followed_by(closed)
            )
            # What is rebuilt puts back its own draws, block by block.
            before = None if self.hands_up else chance.states()
            with account.running(0), unseen_by(closed), within(region=account.path):
                value, outputs = run_body(lambda leaves: self.call(*args, **kwargs), [], inside)
        finally:
            _calls.records.pop()
        inputs, names = self._taken(record, flat, inside)
        record.made(args, list(inputs[: len(flat)]), outputs)
        if before is not None:
            record.sources = chance.drawn_from(before, chance.states())
            record.drawn = before if record.sources and self.preserve_rng else None
        account.keeps(inputs[: len(flat)] if self.keeps_inputs else (), inside.plain)
        account.closes()
        call = Call(
            name, record, distinct(names), len(outputs), account=account,
            always=range(len(flat)) if self.keeps_inputs else (),
            if_wanted=range(len(flat) + len(record.variables), len(inputs)),
        )  # fmt: skip
        announce(call, inputs, tuple(outputs), {}, to=(Sees.CALL,))
        account.plain = set()
        return with_outputs(value, outputs)

    def _taken(self, record: WrappedCall, flat: list[Any], inside: Inside) -> tuple[tuple[Tensor, ...], list[str]]:
        """All that a call took, and what it is called: what it was given, variables that it read, tensors from outside."""
        given = {leaf.tag for leaf in flat}
        # A variable that was handed in is kept as it was.
        read = {tag: reading for tag, reading in inside.read.items() if tag not in given}
        record.readings = Readings(read)
        record.variables = tuple([variable for variable, _ in read.values() if variable.trainable])
        record.script = inside.steps if self.compares else []
        by_name = {leaf.tag for leaf in nest.flatten(record.kwargs) if isinstance(leaf, Tensor)}
        captured = [tensor for tag, tensor in inside.captured.items() if tag not in by_name]
        names = [variable.name.split(":")[0] for variable in record.variables]
        return (
            tuple([value.tensor_now for value in (*flat, *record.variables, *captured)]),
            ["x"] * len(flat) + names + ["captured"] * len(captured),
        )

    def _back(
        self, record: WrappedCall, application: Application, values: Sequence[Any], cotangents: list[Any]
    ) -> list[Tensor | None]:
        """The gradients of the inputs and of the variables; hands what was rebuilt up to the layers before."""
        account, name = record.account, self._called
        number = account.runs = account.runs + 1
        scope = "/".join(filter(None, [application.context.scope, f"{name}_grad"]))
        with within(scope=scope, cause=application):
            variables = self._update_variables_for_context([], record.variables)
            scope = self._get_clean_grad_scope()
        if changed_variables(name, self.determinism, record.readings, rebuilds=self.hands_up):
            record.unwatched()
        other_numbers(name, self.determinism, [] if self.preserve_rng else record.sources)
        grad_ys = [
            zeros_like_tag(tag) if cotangent is None else cotangent
            for cotangent, tag in zip(cotangents, application.outputs, strict=True)
        ]
        cotangents.clear()
        record.recalls(list(values[: len(application.inputs)]), keeps=self.keeps_inputs)
        phase, since, began = "rebuild" if self.hands_up else "recompute", next(ticks), moment()
        with (
            # What is rebuilt comes in another order than it was made in: that is no second run.
            nullcontext() if self.hands_up else account.running(number),
            within(scope=scope.rstrip("/"), phase=phase, region=account.path, cause=application),
            chance.drawing_from(record.drawn),
        ):
            answer, arrived = self._answer(record, grad_ys, variables)
        if not self.hands_up:
            account.closes()
        side_effects(
            name,
            self.determinism,
            number,
            [assignment for assignment in assignments(since) if assignment.tag.id < began],
        )
        grad_xs, rev_xs, grad_vars = self._read_answer(answer, record.count, variables)
        record.hand_up(rev_xs)
        answers = [None if answer is None else convert(answer) for answer in (*grad_xs, *grad_vars)]
        return answers + [arrived.get(tag) for tag in application.inputs[len(answers) :]]

    def _answer(self, record: WrappedCall, grad_ys: list[Any], variables: list[Any]) -> tuple[Any, dict[Tag, Any]]:
        """What the child's `_gradient` answers, and what came back to tensors from outside meanwhile."""
        _calls.records.append(record)
        try:
            # Nothing here holds on to what the child may let go of while it works.
            if variables:
                answer = self._gradient(_emptied(grad_ys), record.rev_ys(), variables=variables)
            else:
                answer = self._gradient(_emptied(grad_ys), record.rev_ys())
            return answer, record.arrived
        finally:
            _calls.records.pop()
            record.forgets()

    def _read_answer(
        self, answer: Any, inputs: int, variables: Sequence[Any]
    ) -> tuple[list[Any], list[Any], list[Any]]:
        name = type(self).__name__
        if not isinstance(answer, tuple | list) or len(answer) not in (2, 3):
            odd = f"{len(answer)} values" if isinstance(answer, tuple | list) else type(answer).__name__
            raise value_error(
                f"{name}._gradient must return (grad_xs, rev_xs, grad_vars) or (grad_xs, rev_xs), not {odd}"
            )
        grad_xs, rev_xs, grad_vars = [nest.flatten(part) for part in (*answer, [])[:3]]
        rev_xs = rev_xs if rev_xs != [None] else [None] * inputs
        for what, got, wanted in (
            ("grad_xs", grad_xs, inputs),
            ("rev_xs", rev_xs, inputs),
            ("grad_vars", grad_vars, len(variables)),
        ):
            if len(got) != wanted and not (what == "grad_vars" and not variables):
                raise value_error(f"{name}._gradient returned {len(got)} {what} for {wanted} of them")
        return grad_xs, rev_xs, grad_vars[: len(variables)]


def _read_in(frame: Frame | None, variable: Any) -> bool:
    while frame is not None:
        if variable.tag in frame.captures:
            return True
        frame = frame.outer
    return False


def _emptied(values: list[Any]) -> tuple[Any, ...]:
    taken = tuple(values)
    values.clear()
    return taken
