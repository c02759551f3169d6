"""ForwardAccumulator: carry a tangent beside every value, while the program runs."""

from __future__ import annotations

import weakref
from collections.abc import Iterable
from typing import Any, Self

import numpy as np

from . import nest
from .definition import faulty
from .errors import NoSlope
from .ops.joins import stack_, unstack_
from .record.blocks import Block
from .record.busy import NOT_GIVEN, WithBrackets, missing, unexpected, without_door
from .record.copies import Alone
from .record.diary import Diary, moment
from .record.events import Label, Verdict, emit, here, state
from .record.ledger import ACCUMULATOR, FLIGHT, PYTHON
from .record.refusal import described, type_error, value_error
from .record.trail import pushed
from .record.warning import quiet, warn
from .spaces import ARRAY_BATCH, ARRAYS, TENSOR_BATCH, TENSORS, Space
from .tape import UnconnectedGradients
from .tensor import Operand, Tag, Tensor, convert, make
from .trace import Application, Sees, Verdicts, pop, push, unwind, wrap


class ForwardAccumulator(Block, Alone, metaclass=WithBrackets):
    """Computes Jacobian-vector products while it listens: the tangent of an output, given tangents of the primals.

    Nothing is kept for later: `jvp` looks a tangent up, as often as wanted, also after the block; it is gone when its
    primal is.  An accumulator does not see what an outer one computes.  (TensorFlow: `tf.autodiff.ForwardAccumulator`.)

    Args: primals, a tensor or variable or a structure of them; tangents, the same structure, shapes and dtypes.  Raises
    ValueError for a primal given twice, another structure, another shape or dtype.

    >>> x = tf.constant(3.0)
    >>> with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
    ...     y = x * x
    >>> acc.jvp(y)
    <tf.Tensor: shape=(), dtype=float32, numpy=6.0>
    """

    straight = False
    sees = Sees.TANGENTS
    _with = "with tf.autodiff.ForwardAccumulator(x, tangent) as acc:"

    @without_door("tf.autodiff.ForwardAccumulator")
    def __init__(self, primals: Any = NOT_GIVEN, tangents: Any = NOT_GIVEN, **unknown: Any) -> None:
        if unknown:
            raise unexpected(unknown)
        if tangents is NOT_GIVEN:
            raise missing()
        self.label = Label("accumulator", here())
        self.took: Verdicts = ((self.label, Verdict.RECORDED),)
        self._before: Any = ()  # what `state` was outside of its block
        self.diary = Diary()
        self._tangents: dict[Tag, Tensor] = {}
        self._reference = weakref.ref(self)
        if isinstance(primals, Operand) and isinstance(tangents, list | tuple):
            raise value_error(
                "The two structures don't have the same nested structure: one primal has one tangent, got a "
                f"{type(tangents).__name__} of {len(tangents)}.",
                f"Make a tensor of it: tf.constant({described(tangents)}).",
            )
        nest.assert_same_structure(primals, tangents)
        for primal, tangent in zip(nest.flatten(primals), nest.flatten(tangents), strict=True):
            self._seed(primal, tangent)

    def __repr__(self) -> str:
        count, name = len(self._tangents), self.label.name
        return (
            f"<ForwardAccumulator {name}: holds {count} tangent{'' if count == 1 else 's'}; {name}.jvp(y) looks one up>"
        )

    def _seed(self, primal: Any, tangent: Any) -> None:
        if not isinstance(primal, Operand):
            raise value_error(
                f"a primal must be a tensor or a variable, got {described(primal)}: make it one with tf.constant(...)"
            )
        tag = primal.tag
        if tag.dtype.kind not in "fc":
            self.diary.refused += (tag,)
            warn(
                NoSlope,
                f"The dtype of the watched primal must be floating (e.g. tf.float32), got tf.{primal.dtype.name}: "
                "whole numbers carry no tangent. Write 3.0 instead of 3.",
            )
            return
        if tag in self._tangents:
            raise value_error(
                f"Tensor {described(primal)} was specified as a primal multiple times. This may indicate an error. "
                "If it was intended, please sum the corresponding tangents."
            )
        tangent = convert(tangent, dtype=tag.dtype)
        self._check_shape(primal, tangent)
        self._keep(tag, tangent.handle(ACCUMULATOR))
        self.diary.watched[tag] = moment("watch", 2)
        if state.listeners:
            emit("tangent", (tangent,), label=self.label, of=tag, tangent=tangent.tag, seed=True)

    def _check_shape(self, primal: Any, tangent: Tensor) -> None:
        if tangent.tag.shape != primal.tag.shape:
            raise value_error(
                f"the tangent of shape {tangent.shape} does not fit its primal of shape {primal.shape}: "
                "a tangent has one number per element of the primal",
                "Write tf.ones_like(x) for the direction of ones, or one number per element in x's shape.",
            )

    def _keep(self, tag: Tag, tangent: Tensor) -> None:
        self._tangents[tag] = tangent
        # A variable outlives many accumulators: those that are gone need not hear any more.
        others = [follower for follower in tag.followers if follower() is not None] if tag.followers else ()
        tag.followers = (*others, self._reference)

    def __enter__(self) -> Self:
        if self.entered:
            raise value_error(
                "Accumulator is already recording. To nest, make a second one: ForwardAccumulator(x, tangent) once more."
            )
        self._before = state.__dict__.copy()
        self.entered = True
        self.diary.begin(moment("enter", 2))
        push(self)
        if state.listeners:
            emit("enter", label=self.label)
        return self

    def leave(self, kind: type[BaseException] | None, *problem: object) -> None:
        """Stop listening; `with` calls it at the end of the block."""
        self.diary.note("exit")
        pop(self)
        if state.listeners:
            emit("exit", label=self.label, error="" if kind is None else kind.__name__)
        if self.entered and kind is not None and kind is not GeneratorExit:
            unwind(self, self._before)
        self.entered = False
        self._before = ()

    def put_back(self) -> None:
        """Stop listening, and tell no listener: entering or leaving was interrupted."""
        unwind(self, self._before)
        self.entered = False
        self._before = ()

    # ---- the recorder's side (trace.Recorder) -------------------------------------------------------------------------

    def accessed(self, variable: Any) -> None:
        """Nothing to do: a variable's tangent belongs to the place, whatever value it holds."""

    def record(self, application: Application, inputs: tuple[Tensor, ...], outputs: tuple[Tensor, ...]) -> Verdict:
        """Compute the tangents of the outputs, seen by the outer recorders only.  (heart.py: `Accumulator.record`.)"""
        tangents = [self._tangents.get(tag) for tag in application.inputs]
        moving = tuple([tangent is not None for tangent in tangents])
        if True not in moving:
            return Verdict.NO_TANGENT
        if application.primitive.kind == "flat" or not any([tag.dtype.kind in "fc" for tag in application.outputs]):
            return Verdict.NO_DERIVATIVE
        if not state.recorders and not state.listeners and self._runs_on_arrays(application, moving):
            self._push_unheard(application, (*inputs, *outputs), tangents)
            return Verdict.RECORDED
        before = state.context, state.holder, state.site
        state.context = before[0].at_work("jvp", application, self.label)
        state.holder = FLIGHT
        if application.primitive.kind != "call":  # a call may run lines of the learner's own
            state.site = application.site
        try:
            moved = self._push(application, (*inputs, *outputs), tangents, TENSORS)
        finally:
            state.context, state.holder, state.site = before
        for tag, tangent in zip(application.outputs, moved, strict=True):
            if tangent is not None:
                self._keep(tag, tangent.handle(ACCUMULATOR))
                if state.listeners:
                    facts = {"label": self.label, "of": tag, "tangent": tangent.tag, "seed": False}
                    emit("tangent", (tangent,), application=application, **facts)
        return Verdict.RECORDED

    def _runs_on_arrays(self, application: Application, moving: tuple[bool, ...]) -> bool:
        """Whether the rules can run on plain arrays; asked where nobody would see tensors."""
        primitive = application.primitive
        if primitive.kind == "call" or primitive.outputs != 1 or application.outcome.dtype.kind != "f":
            return False
        able = primitive.pushes.get(moving)
        if able is None:
            able = primitive.pushes[moving] = primitive.pushes_arrays(moving)
        return able

    def _push_unheard(self, application: Application, values: tuple[Tensor, ...], tangents: Any) -> None:
        moving = [None if tangent is None else tangent.array for tangent in tangents]
        (moved,) = self._push(application, [value.array for value in values], moving, ARRAYS)
        known = tuple([tangent for tangent in tangents if tangent is not None])
        tangent = wrap(moved, known + values, ACCUMULATOR)
        self._keep(application.outcome, tangent)
        pushed(application, tuple([each.tag for each in known]), (tangent.tag,), self.label, state.context)

    @quiet  # an infinite slope is an answer, as in TensorFlow, and no warning
    def _push(self, application: Application, values: Any, tangents: Any, space: Space) -> tuple[Any, ...]:
        """The tangents of the outputs."""
        try:
            return self._pushforward(application, values, tangents, space)
        except (AttributeError, NameError) as problem:
            raise faulty(application.primitive, problem) from None

    def _pushforward(self, application: Application, values: Any, tangents: Any, space: Space) -> tuple[Any, ...]:
        return application.primitive.pushforward(application, values, tangents, space)

    def forget(self, tag: Tag) -> None:
        """Drop the tangent of a value that nobody has any more."""
        if not tag.handles:
            self._tangents.pop(tag, None)

    # ---- looking up ---------------------------------------------------------------------------------------------------

    def jvp(self, primals: Any, unconnected_gradients: Any = UnconnectedGradients.NONE) -> Any:
        """The tangent of each primal, in the structure of `primals`; None (or zeros) where it has none.

        A look-up, not a computation: it may stand anywhere and be repeated.
        """
        unconnected = UnconnectedGradients.read(unconnected_gradients, "{} is not a valid UnconnectedGradients")
        flat = nest.flatten(primals)
        found = [self._look_up(primal, unconnected, part, len(flat)) for part, primal in enumerate(flat)]
        return nest.pack_sequence_as(primals, found)

    def _look_up(self, primal: Any, unconnected: UnconnectedGradients, part: int, parts: int) -> Tensor | None:
        if primal is None:
            return None  # what a look-up in the wrong order gave; asking for its tangent gives nothing either
        if not isinstance(primal, Operand):
            raise type_error(
                f"jvp looks up a tensor or variable, got {described(primal)} of type {type(primal).__name__}: numbers that left "
                "for Python or NumPy have no tangent; ask for the tensor that they were made from"
            )
        tangent = self._tangents.get(primal.tag)
        zeros = None
        if tangent is None and unconnected is UnconnectedGradients.ZERO:
            zeros = make(np.zeros(primal.tag.shape, primal.tag.dtype), PYTHON)
        found = zeros if tangent is None else tangent
        if state.listeners:
            if zeros is not None:
                emit("made", (zeros,), tag=zeros.tag, kind="constant", implicit=True)
            tensors, tag = ((), None) if found is None else ((found,), found.tag)
            emit("look-up", tensors, label=self.label, of=primal.tag, found=tag, part=part, parts=parts)
        if tangent is None:
            return zeros
        self.diary.look_at_tangent(self, primal, tangent)
        return tangent.handle(PYTHON)

    def tangent(self, tag: Tag) -> Tensor | None:
        """The tangent of the value with this tag: the accumulator's own handle."""
        return self._tangents.get(tag)

    @classmethod
    def beginning_with(cls, tangents: Iterable[tuple[Tag, Tensor]]) -> ForwardAccumulator:
        """An accumulator that carries these tangents on."""
        accumulator = cls([], [])
        for tag, tangent in tangents:
            accumulator._keep(tag, tangent.handle(ACCUMULATOR))
            if state.listeners:
                emit("tangent", (tangent,), label=accumulator.label, of=tag, tangent=tangent.tag, seed=True)
        return accumulator

    def why(self, primal: Any) -> Any:
        """Why `jvp` of this value is None, or this number; it can be asked at any time, also afterwards.

        >>> x = tf.constant(3.0)
        >>> with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
        ...     pass
        >>> acc.why(x * x).code
        'F01'
        """
        tangent = self._tangents.get(primal.tag) if isinstance(primal, Operand) else None
        return self.diary.explain(self, [primal], None, tangent)

    @classmethod
    def _batch_accumulator(cls, primals: Any, tangents: Any) -> ForwardAccumulator:
        """An accumulator whose tangents have one more axis in front: many directions in one run of the program.

        With all unit vectors for directions, what comes out is the Jacobian by the primal, one column after the other.
        (It has no public name in TensorFlow either.)

        >>> x = tf.constant([1.0, 2.0])
        >>> with tf.autodiff.ForwardAccumulator._batch_accumulator(x, tf.eye(2)) as acc:
        ...     y = x * x[0]
        >>> tf.transpose(acc.jvp(y)).numpy()
        array([[2., 0.],
               [2., 1.]], dtype=float32)
        """
        return _Batch(primals, tangents)


class _Batch(ForwardAccumulator):
    def _check_shape(self, primal: Any, tangent: Tensor) -> None:
        first = next(iter(self._tangents.values()), tangent)  # says how many directions there are
        count = first.tag.shape[0] if first.tag.shape else 0
        if not count or tangent.tag.shape != (count, *primal.tag.shape):
            raise value_error(
                f"a batch of tangents for {primal.shape} has one more axis in front: "
                f"shape [{count or 'directions'}, *{primal.shape.as_list()}], not {tangent.shape.as_list()}",
                "tf.stack([direction, other_direction]) makes such a batch; every primal has as many directions.",
            )

    def _pushforward(self, application: Application, values: Any, tangents: Any, space: Space) -> tuple[Any, ...]:
        row = application.primitive
        if row.takes_batches:
            batch = ARRAY_BATCH if space.arrays else TENSOR_BATCH
            rank = max([len(tag.shape) for tag in application.inputs])
            return row.pushforward(application, values, batch.in_line(tangents, rank), batch)
        # A row whose settings name axes, or a whole call, takes one direction after the other.
        directions = [None if tangent is None else space.row(unstack_)(tangent, axis=0) for tangent in tangents]
        rows = []
        for index in range(next(len(direction) for direction in directions if direction is not None)):
            here = [None if direction is None else direction[index] for direction in directions]
            rows.append(row.pushforward(application, values, here, space))
        return tuple(
            [None if column[0] is None else space.row(stack_)(*column, axis=0) for column in zip(*rows, strict=True)]
        )
