"""The one function that every op goes through, and the one rule that all of autodiff follows.

Compute the op; then show the finished application to each active recorder, outermost first; while recorder *i* works, only
`recorders[:i]` is active.  Nested tapes, accumulators inside accumulators, forward over reverse and reverse over forward all
follow: an outer recorder sees everything that an inner one does, never the reverse.
"""

from __future__ import annotations

import enum
from collections.abc import Collection
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from . import misfits
from .definition import no_array
from .errors import InvalidArgumentError
from .record.blocks import Block
from .record.events import Context, Label, Verdict, changed, emit, state, ticks
from .record.ledger import FLIGHT, Buffer, ledger
from .record.provenance import Site, learner_frame
from .record.refusal import invalid_argument, unexplained
from .record.tasks import leaves
from .record.trail import UNLOGGED, applied, unseen
from .tensor import Operand, Tag, Tensor, convert, fresh

if TYPE_CHECKING:
    from .primitive import Primitive

Tensors = tuple[Tensor, ...]


class Application:
    """One op, applied: what a recorder is shown and an entry describes.  It holds tags, never arrays."""

    __slots__ = ("code", "context", "first", "lasti", "outcome", "params", "primitive", "second", "tick", "verdicts")

    def __init__(
        self,
        primitive: Primitive,
        inputs: tuple[Tag, ...],
        outputs: tuple[Tag, ...],
        params: dict[str, Any],
        context: Context,
        site: Site | None,
    ) -> None:
        self.tick = next(ticks)
        self.primitive = primitive
        # Nearly all ops take one or two values and make one.  These are kept without a tuple around them: Python's collector
        # visits every object of a long tape again and again, and two more for each op cost as much as computing it.
        self.first: Any
        self.second: Tag | None = None
        if len(inputs) == 2:
            self.first, self.second = inputs
        else:
            self.first = inputs[0] if len(inputs) == 1 else inputs
        self.outcome: Any = outputs[0] if len(outputs) == 1 else outputs  # a tag, or a tuple of them
        self.params = params
        if site is None:
            frame = learner_frame(3)  # above: __init__ and what shows it
            self.code, self.lasti = frame.f_code, frame.f_lasti
        else:
            self.code, self.lasti = site
        self.context = context
        self.verdicts: Verdicts = ()  # of each recorder that was shown this

    @property
    def inputs(self) -> tuple[Tag, ...]:
        """The tags of the values that went in."""
        first, second = self.first, self.second
        if second is not None:
            return first, second
        return first if type(first) is tuple else (first,)

    @property
    def outputs(self) -> tuple[Tag, ...]:
        """The tags of the values that came out."""
        outcome = self.outcome
        return outcome if type(outcome) is tuple else (outcome,)

    @property
    def op(self) -> str:
        """The op's name."""
        return self.primitive.name

    @property
    def site(self) -> Site:
        """The learner's instruction that applied it."""
        return Site(self.code, self.lasti)

    def __repr__(self) -> str:
        return f"<application {self.tick}: {self.op} at {self.site}>"


class Sees(enum.Enum):
    """What a recorder sees of a whole call (a recompute region, a custom gradient): the one question that calls ask it."""

    CALL = enum.auto()  # one application, for a backward pass
    OPS = enum.auto()  # its body, op by op, because it keeps nothing for later
    TANGENTS = enum.auto()  # its body, op by op, with a tangent beside every value


EVERYBODY = tuple(Sees)
Verdicts = tuple[tuple[Label, Verdict], ...]


class Recorder(Protocol):
    """What the trace asks of a tape, an accumulator, or anything else that wants to see ops."""

    label: Label
    sees: Sees
    straight: bool  # whether the engine's generated functions do what its `record` would
    took: Verdicts  # what it says of each op that it wrote down: ((label, Verdict.RECORDED),)

    def record(self, application: Application, inputs: Tensors, outputs: Tensors) -> Verdict:
        """See one application, and say what was done with it."""
        ...

    def accessed(self, variable: Any) -> None:
        """A variable is about to be read."""
        ...

    def forget(self, tag: Tag) -> None:
        """A handle on a followed value is gone; `tag.handles` says how many there are still."""
        ...


def apply(primitive: Primitive, operands: tuple[Any, ...], params: dict[str, Any]) -> Any:
    """Compute an op on the operands and show it to whoever is recording.

    Returns a tensor, or a tuple of them for an op with several outputs.  Raises InvalidArgumentError where the operands'
    dtypes or shapes do not fit the op.
    """
    return primitive.run(*operands, params=params)


def general(primitive: Primitive, operands: tuple[Any, ...], params: dict[str, Any]) -> Any:
    """An op where somebody listens, or where somebody else computes ops at the moment (`state.instead`)."""
    instead = state.instead
    if instead is not None:
        return instead(primitive, operands, params)
    return primitive.run_heard(*operands, params=params) if state.listeners else compute(primitive, operands, params)


def compute(primitive: Primitive, operands: tuple[Any, ...], params: dict[str, Any]) -> Any:
    """Compute the op here, plainly, for every row and all operands, and show it.  (heart.py: `apply`.)"""
    inputs = as_tensors(primitive, operands)
    misfits.check_dtypes(primitive, inputs)
    try:
        result = primitive.forward(*[x.array for x in inputs], **params)
    except InvalidArgumentError as problem:  # the op's own words; the line may be missing
        raise problem if hasattr(problem, "site") else invalid_argument(problem.message) from None
    except Exception as problem:
        raise misfits.refused(primitive, inputs, params, problem) if unexplained(problem) else problem from None
    holder = state.holder
    made = [wrap(array, inputs, holder, primitive) for array in (result if type(result) is tuple else (result,))]
    outputs = tuple(made)
    if state.recorders or state.listeners:
        announce(primitive, inputs, outputs, params)
    elif state.context.role is not UNLOGGED:
        unseen(primitive, tuple([x.tag for x in inputs]), tuple([y.tag for y in outputs]), state.context)
    return outputs if type(result) is tuple else outputs[0]


def announce(
    primitive: Primitive, inputs: Tensors, outputs: Tensors, params: dict[str, Any], to: Collection[Sees] = EVERYBODY
) -> Application:
    """Tell whoever listens of an application whose outputs are there: those of an op, or of a whole call.

    `to`: which recorders to show it to; the others know already.
    """
    tags = tuple([x.tag for x in inputs])
    made = tuple([y.tag for y in outputs])
    application = Application(primitive, tags, made, params, state.context, state.site)
    _show(application, inputs, outputs, to)
    return application


def _show(application: Application, inputs: Tensors, outputs: Tensors, to: Collection[Sees]) -> None:
    """The one rule.  (heart.py: `show`.)"""
    if state.listeners:
        emit("op", (*inputs, *outputs), application=application)
    for recorder in state.recorders:
        if recorder.sees in to:
            application.verdicts += shown(recorder, application, inputs, outputs)
    applied(application)


def shown(recorder: Recorder, application: Application, inputs: Tensors, outputs: Tensors) -> Verdicts:
    """Show an application to one recorder, while only those outside of it are active; returns its verdict."""
    recorders = state.recorders
    state.recorders = recorders[: recorders.index(recorder)]
    try:
        verdict = recorder.record(application, inputs, outputs)
    finally:
        state.recorders = recorders
    return recorder.took if not verdict else ((recorder.label, verdict),)


class recording(Block):
    """Make the recorder the innermost one while the block runs."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    def __enter__(self) -> None:
        self.entered = True
        push(self._recorder)

    def put_back(self) -> None:
        """Let it stop listening."""
        pop(self._recorder)
        self.entered = False


def push(recorder: Recorder) -> None:
    """Let the recorder listen, innermost."""
    state.recorders = (*state.recorders, recorder)


def pop(recorder: Recorder) -> None:
    """Let the recorder stop listening, wherever in the stack it stands."""
    recorders = state.recorders
    if recorders and recorders[-1] is recorder:
        state.recorders = recorders[:-1]
    else:
        leaves(recorder)
        state.recorders = tuple([other for other in recorders if other is not recorder])


def no_recording() -> changed:
    """A block that no recorder sees."""
    return changed(recorders=())


class in_flight(Block):
    """Run a block whose new values are charged as in flight; afterwards context, holder and site are what they were."""

    def __enter__(self) -> None:
        now = state.__dict__
        self._before = now["context"], now["holder"], now["site"]
        self.entered = True
        now["holder"] = FLIGHT

    def put_back(self) -> None:
        """Set them back."""
        now = state.__dict__
        now["context"], now["holder"], now["site"] = self._before
        self.entered = False


def unwind(recorder: Any, before: Any) -> None:
    """Restore the state from outside of a recorder's block, which an error has left; name scopes restore theirs themselves.

    `before`: what `state` was outside of the block.  Recorders of other tasks that were entered meanwhile go on.
    """
    outer, context = before["recorders"], before["context"]
    state.holder, state.site = before["holder"], before["site"]
    state.context = state.context.at_work(context.phase, context.cause, context.actor, context.role)
    others = [other for other in state.recorders if other is not recorder and other not in outer]
    state.recorders = (*[other for other in outer if getattr(other, "entered", True)], *others)


def recorders(leave: bool = False) -> tuple[Any, ...]:
    """The tapes and accumulators that listen on this thread, outermost first; with `leave=True` they stop.

    Outside of all `with` blocks there are none, but for those that were entered without `with` and never left.

    >>> lost = tf.GradientTape().__enter__()
    >>> tf.recorders() == (lost,)
    True
    >>> _ = tf.recorders(leave=True)
    >>> tf.recorders()
    ()
    """
    found = tuple([recorder for recorder in state.recorders if isinstance(recorder, Block)])
    for recorder in reversed(found) if leave else ():
        recorder.leave(None, None, None)
    return found


def as_tensors(primitive: Primitive, operands: tuple[Any, ...]) -> Tensors:
    """The operands as tensors: a variable is read, which recorders hear of; Python's numbers take the others' dtype."""
    tags = [operand.tag for operand in operands if isinstance(operand, Operand)] if primitive.same_dtype else []
    hint = tags[0].dtype if tags else None
    inputs: list[Tensor] = []
    for operand in operands:
        if isinstance(operand, Operand):
            inputs.append(operand.tensor_now)
        else:
            inputs.append(convert(operand, hint=hint))
            if hint is None and primitive.same_dtype:
                hint = inputs[0].tag.dtype  # Python's numbers only: the first decides
    return tuple(inputs)


def wrap(result: Any, inputs: tuple[Any, ...], holder: int, primitive: Primitive | None = None) -> Tensor:
    """What NumPy made of the inputs' arrays, as a tensor on bytes of its own or, where it is a view, on theirs."""
    if not isinstance(result, BARE):
        if not isinstance(result, int | float | complex | bytes):
            raise no_array(primitive, result)
        result = np.asarray(result, object if isinstance(result, bytes) else None)
    if result.base is not None:
        return _view(result, inputs, holder)
    for x in inputs:
        if x.array is result:
            return Tensor(result, Tag(result.shape, result.dtype, result.nbytes), x.buffer, holder)
    return fresh(result, holder)


def _view(result: np.ndarray, inputs: tuple[Any, ...], holder: int) -> Tensor:
    base: Any = result.base
    while type(base.base) is np.ndarray:
        base = base.base
    buffer: Buffer | None = None
    for x in inputs:
        if x.array is base or x.array.base is base:
            buffer = x.buffer
            break
    return Tensor(result, Tag(result.shape, result.dtype, result.nbytes), buffer or ledger.buffer_for(result), holder)


BARE = np.ndarray, np.generic  # an array, or the scalar that NumPy hands back where there is one number
