"""GradientTape: write down what happens to watched values, then walk back."""

from __future__ import annotations

import enum
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from . import nest
from .entry import Entry
from .errors import InvalidArgumentError, NoSlope, TapesPileUp
from .ops.shapes import reshape, stack
from .record.alarm import warn
from .record.events import Label, emit, here, state
from .record.ledger import FLIGHT, PYTHON, ledger
from .record.log import Diary, walked
from .record.refusal import refusal
from .record.silent import look_at
from .record.why import explain
from .tensor import Operand, Tag, Tensor, convert, make
from .trace import Application, pop, push
from .walk import Cotangents, arrive, as_tensor, walk_back

REMEMBERED = 2000  # entries that a tape still describes after it dropped them while recording
SHORT = 64  # entries up to which the slope of every single number is noted on the way back, for `why`

MANY = 100  # persistent tapes that may be alive at once before that looks like a leak
_persistent: weakref.WeakSet[GradientTape] = weakref.WeakSet()

_SPENT = "A non-persistent GradientTape can only be used to compute one set of gradients (or jacobians)"
_PERSISTENT = (
    "Ask for everything at once, g.gradient(y, [a, b]), or make it with tf.GradientTape(persistent=True) and `del` it when "
    "you are done."
)


class UnconnectedGradients(enum.Enum):
    """What a gradient is where no path leads from the target to the source."""

    NONE = "none"
    ZERO = "zero"

    @classmethod
    def read(cls, value: Any) -> UnconnectedGradients:
        """The member for a member or its value; raises ValueError for anything else."""
        try:
            return cls(value)
        except ValueError:
            raise refusal(
                ValueError, f"Unknown value for unconnected_gradients: {value!r}. Write 'none' or 'zero'."
            ) from None


class GradientTape:
    """Records the ops on watched values inside its `with` block, to differentiate them afterwards.

    Trainable variables are watched by themselves, anything else with `watch`.  A tape answers once and then lets go of what
    it kept; a persistent one answers until it is deleted.  (TensorFlow: `tf.GradientTape`.)

    >>> import minitape as tf
    >>> x = tf.constant(3.0)
    >>> with tf.GradientTape() as g:
    ...     g.watch(x)
    ...     y = x * x
    >>> g.gradient(y, x)
    <tf.Tensor: shape=(), dtype=float32, numpy=6.0>
    """

    sees_inside = False

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        self.label = Label("tape", here())
        self.took: tuple[tuple[Label, str], ...] = ((self.label, ""),)
        self._persistent = persistent
        self._watch_accessed = watch_accessed_variables
        self._recording = False
        self._state = "new"  # new | open (has something to answer from) | spent
        self._reference = weakref.ref(self)
        self._alone = (self._reference,)  # the writers of most values: one tuple for all of them
        self._forget_everything()

    def __del__(self) -> None:
        if state is not None and state.listeners and any(entry.held for entry in self._entries):
            emit("deleted", label=self.label)

    def _forget_everything(self) -> None:
        self.diary = Diary()
        self._entries: list[Entry] = []
        self._dropped = 0
        self._watched: set[Tag] = set()
        self._variables: dict[Tag, Any] = {}
        self._producer: dict[Tag, Entry] = {}

    # ---- listening ----------------------------------------------------------------------------------------------------

    def __enter__(self) -> GradientTape:
        if self._recording:
            raise refusal(
                ValueError,
                "Tape is still recording, This can happen if you try to re-enter an already-active tape. "
                "To nest, make a second one: with tf.GradientTape() as outer, tf.GradientTape() as inner.",
            )
        if self._state == "spent":
            self._forget_everything()
        self._state = "open"
        self._start("enter")
        if self._persistent:
            _persistent.add(self)
            if len(_persistent) > MANY:
                _pile_up()
        return self

    def __exit__(self, kind: type[BaseException] | None, *exception: object) -> None:
        if self._recording:
            self._stop("exit", "" if kind is None else kind.__name__)

    def _start(self, how: str) -> None:
        self._recording = True
        self.diary.note(how)
        push(self)
        if state.listeners:
            emit(how, label=self.label, persistent=self._persistent)

    def _stop(self, how: str, error: str = "") -> None:
        self._recording = False
        self.diary.note(how)
        pop(self)
        if state.listeners:
            emit(how, label=self.label, error=error)

    def _must_record(self) -> None:
        if not self._recording:
            raise refusal(
                ValueError, "Tape is not recording.", "Call this inside the tape's `with` block: indent this line."
            )

    @contextmanager
    def stop_recording(self) -> Iterator[None]:
        """Let this tape, and no other, overlook what happens inside the block; it goes on as the innermost recorder.

        >>> import minitape as tf
        >>> x = tf.Variable(3.0)
        >>> with tf.GradientTape(persistent=True) as g:
        ...     y = x * x
        ...     with g.stop_recording():
        ...         print(g.gradient(y, x).numpy())
        6.0
        """
        self._must_record()
        self._stop("pause")
        try:
            yield
        finally:
            if self._state == "spent":  # it answered inside the block: it goes on as a new tape, as in TensorFlow
                self._forget_everything()
                self._state = "open"
            self._start("resume")

    def reset(self) -> None:
        """Forget all entries and everything watched, and go on recording; raises ValueError outside the block."""
        self._must_record()
        pop(self)
        self._forget_everything()
        self._state = "open"
        self.diary.note("enter")
        push(self)
        if state.listeners:
            emit("reset", label=self.label)

    def watch(self, tensor: Any) -> None:
        """Follow these tensors or variables (or a structure of them) from here on.

        Raises ValueError for anything that is no tensor, and for a tape that was never entered; warns for a dtype that has
        no slope.
        """
        for one in nest.flatten(tensor):
            if not isinstance(one, Operand):
                raise refusal(
                    ValueError,
                    f"Passed in object {one} of type {type(one).__name__!r}, not tf.Tensor or tf.Variable or ExtensionType."
                    " Make it a tensor first: x = tf.constant(...).",
                )
            if self._state == "new":
                raise refusal(
                    ValueError, "this tape does not listen yet: call watch inside its `with` block, as its first line"
                )
            if one._tag.dtype.kind not in "fc":
                warn(
                    NoSlope,
                    f"The dtype of the watched tensor must be floating (e.g. tf.float32), got tf.{one.dtype.name}: "
                    "whole numbers have no slope. Write 3.0 instead of 3, or tf.cast(x, tf.float32).",
                )
                continue
            self._watch(one, explicit=True)

    def _watch(self, one: Any, explicit: bool) -> None:
        tag = one._tag
        if tag.variable:
            self._variables[tag] = one
        if tag not in self._watched:
            self._watched.add(tag)
            self.diary.watch(tag, explicit)
            if state.listeners:
                emit("watch", label=self.label, tag=tag, explicit=explicit)

    def watched_variables(self) -> tuple[Any, ...]:
        """The variables that it watches, in the order in which they were made."""
        return tuple(self._variables[tag] for tag in sorted(self._variables, key=lambda tag: tag.id))

    @property
    def entries(self) -> tuple[Entry, ...]:
        """What it wrote down, in order; still there, to be looked at, when the tape was used."""
        return tuple(self._entries)

    @property
    def persistent(self) -> bool:
        """Whether it can answer more than once."""
        return self._persistent

    # ---- the recorder's side (trace.Recorder) ---------------------------------------------------------------------------

    def accessed(self, variable: Any) -> None:
        """Watch a trainable variable that is about to be read."""
        tag = variable._tag
        if tag not in self._watched and self._watch_accessed and variable.trainable and tag.dtype.kind in "fc":
            self._watch(variable, explicit=False)

    def record(self, application: Application, inputs: tuple[Tensor, ...], outputs: tuple[Tensor, ...]) -> str:
        """Write the application down if a watched value flows into it."""
        primitive, watched, producer, tags = application.primitive, self._watched, self._producer, application.inputs
        makers: tuple[Entry | None, ...]
        wanted: tuple[bool, ...]
        if len(tags) == 2:  # written out: a comprehension costs as much as a small multiplication
            x, y = tags
            makers = made_x, made_y = producer.get(x), producer.get(y)
            wanted = (made_x is not None or x in watched, made_y is not None or y in watched)
        elif len(tags) == 1:
            maker = producer.get(tags[0])
            makers, wanted = (maker,), (maker is not None or tags[0] in watched,)
        else:
            makers = tuple([producer.get(tag) for tag in tags])
            wanted = tuple([tag in producer or tag in watched for tag in tags])
        if True in wanted and (primitive.inert or primitive.kind == "flat"):
            wanted = tuple([want and primitive.differentiable(position) for position, want in enumerate(wanted)])
            if primitive.kind == "flat":
                return "no derivative"
        if True not in wanted:
            return "unwatched"
        made = application.outputs
        if len(made) > 1 or made[0].dtype.kind not in "fc":
            made = tuple([tag for tag in made if tag.dtype.kind in "fc"])
            if not made:
                return "no derivative"
        entry = Entry(application, wanted, inputs, outputs)
        self._entries.append(entry)
        alone = self._alone
        for want, maker, tag in zip(wanted, makers, tags):
            if want and maker is not None:
                maker.users += 1
                if tag.writers is alone:  # its handles may come and go unheard, until this entry is dropped
                    tag.writers = ()
        for tag in made:
            producer[tag] = entry
            tag.writers = (*tag.writers, self._reference) if tag.writers else alone
        return ""

    def forget(self, tag: Tag) -> None:
        """Drop the entries that can no longer be reached, now that nobody has a handle on this value."""
        entry = self._producer.get(tag)
        if entry is None or entry.users or not self._recording:
            return
        candidates = [entry]
        while candidates:
            entry = candidates.pop()
            if not entry.held:  # dropped meanwhile: what an entry lets go may be the last that another was kept for
                continue
            if entry.reachable():
                for out in entry.application.outputs:
                    if self._reference not in out.writers:
                        out.writers += (self._reference,)
                continue
            for out in entry.application.outputs:
                self._producer.pop(out, None)
            for want, source in zip(entry.wanted, entry.application.inputs, strict=True):
                maker = self._producer.get(source)
                if want and maker is not None:
                    maker.users -= 1
                    if not maker.users:
                        candidates.append(maker)
            entry.let_go()
            self._dropped += 1
        if self._dropped > 2 * REMEMBERED:
            self._fold_dropped()

    def _fold_dropped(self) -> None:
        surplus = self._dropped - REMEMBERED
        kept = []
        for entry in self._entries:
            if surplus and not entry.held:
                surplus -= 1
            else:
                kept.append(entry)
        self._entries, self._dropped = kept, REMEMBERED

    # ---- the way back -------------------------------------------------------------------------------------------------

    def gradient(
        self,
        target: Any,
        sources: Any,
        output_gradients: Any = None,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
    ) -> Any:
        """The derivative of the (summed) target by each source, in the structure of `sources`.

        Args: target, a tensor or a structure of them; sources, what to differentiate by; output_gradients, one seed per
        target instead of ones; unconnected_gradients, "none" or "zero": the answer where no path leads to a source.
        Raises RuntimeError when a plain tape is asked a second time, InvalidArgumentError for seeds that do not fit.

        >>> import minitape as tf
        >>> x = tf.Variable([1.0, 2.0])
        >>> with tf.GradientTape() as g:
        ...     y = tf.reduce_sum(x * x)
        >>> g.gradient(y, {"by x": x})
        {'by x': <tf.Tensor: shape=(2,), dtype=float32, numpy=array([2., 4.], dtype=float32)>}
        """
        unconnected = self._ready(unconnected_gradients)
        if target is None:
            raise refusal(
                TypeError,
                "Argument `target` should be a list or nested structure of Tensors or Variables, but received None.",
                "Was it itself a gradient that came out as None? Then ask that tape: tape.why(target, source).",
            )
        targets, flat_sources = _leaves(target, "target"), _leaves(sources, "source")
        given = [None] * len(targets) if output_gradients is None else nest.flatten(output_gradients)
        if len(given) != len(targets):
            raise refusal(
                ValueError,
                f"output_gradients must give one seed per target: there are {len(targets)} targets and {len(given)} seeds. "
                "Write None where a seed of ones will do.",
            )
        if self._recording and not self._persistent:
            self._stop("exit")
        try:
            answers = self._walk_back(targets, given, flat_sources, unconnected)
        finally:
            if not self._persistent:
                self._spend()
        question = self.diary.ask(targets, flat_sources, answers, seeded=output_gradients is not None)
        if not (state.recorders or state.listeners):
            walked(self.label, question, tuple([None if one is None else one._tag for one in answers]), state.context)
        look_at(self, targets, flat_sources, answers)
        return nest.pack_sequence_as(sources, answers)

    def why(self, target: Any, source: Any) -> Any:
        """Why the gradient of the target by the source is None, or this number; it can be asked at any time, also afterwards.

        Says where the path stops, on which line, and how to mend it; for a number, along which paths it comes.  With a
        structure of sources, the same structure of explanations.

        >>> import minitape as tf
        >>> x = tf.constant(3.0)
        >>> with tf.GradientTape() as tape:
        ...     y = x * x
        >>> tape.why(y, x).code
        'M01'
        """
        targets = nest.flatten(target)
        if self._state == "open" and all(isinstance(one, Operand) for one in (*targets, *nest.flatten(source))):
            self._try_out(targets, nest.flatten(source))
        if isinstance(source, Operand):
            return explain(self, targets, source)
        return nest.map_structure(lambda one: explain(self, targets, one), source)

    def _try_out(self, targets: Sequence[Any], sources: Sequence[Any]) -> None:
        """Walk back unseen, and spend nothing, so that the diary knows the numbers."""
        before = self._persistent, state.recorders, state.listeners
        self._persistent, state.recorders, state.listeners = True, (), ()
        try:
            answers = self._walk_back(targets, [None] * len(targets), sources, UnconnectedGradients.NONE)
        finally:
            self._persistent, state.recorders, state.listeners = before
        self.diary.ask(targets, sources, answers, seeded=False, tried=True)

    def _ready(self, unconnected_gradients: Any) -> UnconnectedGradients:
        if self._state != "open":
            self.diary.note("refused")
            spent = self.diary.last("spent")
            if self._state == "spent":
                said, advice = f"It has answered already, at {spent and spent.site}", _PERSISTENT
            else:
                said, advice = "This one was never entered.", "Record something inside `with tape:` first."
            raise refusal(RuntimeError, f"{_SPENT}. {said}", advice)
        return UnconnectedGradients.read(unconnected_gradients)

    def _spend(self) -> None:
        self._state = "spent"
        self.diary.note("spent")
        for entry in self._entries:
            entry.let_go()
        self._producer, self._watched = {}, set()
        if state.listeners:
            emit("release", label=self.label)

    def _walk_back(
        self,
        targets: Sequence[Any],
        seeds: Sequence[Any],
        sources: Sequence[Any],
        unconnected: UnconnectedGradients,
        row: int | None = None,
    ) -> list[Tensor | None]:
        holder, state.holder = state.holder, FLIGHT
        try:
            if state.listeners:
                wanted = {"targets": [one._tag for one in targets], "sources": [one._tag for one in sources]}
                emit("gradient", label=self.label, row=row, **wanted)
            cotangents: Cotangents = {}
            for target, seed in zip(targets, seeds, strict=True):
                if target._tag.dtype.kind in "fc":
                    arrive(self.label, cotangents, target._tag, _seed(target, seed), None)
            self._reverse(cotangents, {one._tag for one in sources})
            answers = [self._answer(cotangents.get(one._tag), one, unconnected) for one in sources]
            if state.listeners:
                tags = [None if one is None else one._tag for one in answers]
                sourced = [one._tag for one in sources]
                emit("gradients", tuple(answers), label=self.label, answers=tags, sources=sourced, row=row)
            return answers
        finally:
            state.holder = holder

    def pull(self, cotangents: Cotangents, sources: Sequence[Any]) -> list[Tensor | None]:
        """What comes back to the sources from cotangents that have arrived; uses up the dict, and a plain tape.

        For a walk within a walk: unlike `gradient` it holds on to nothing that is passed in, targets included.
        """
        tags = [one._tag for one in sources]
        if state.listeners:
            emit("gradient", label=self.label, row=None, targets=list(cotangents), sources=tags)
            for tag, seed in cotangents.items():
                emit("seed", (seed,), label=self.label, into=tag, part=seed._tag, position=None, first=True)
            del seed
        try:
            self._reverse(cotangents, set(tags))
            answers = [as_tensor(cotangents.get(tag)) for tag in tags]
        finally:
            if not self._persistent:
                self._spend()
        if state.listeners:
            found = [None if one is None else one._tag for one in answers]
            emit("gradients", tuple(answers), label=self.label, answers=found, sources=tags, row=None)
        return answers

    def _reverse(self, cotangents: Cotangents, sources: set[Tag]) -> None:
        slope = self.diary.slope if len(self._entries) <= SHORT else None
        # A copy, because a persistent tape may be recording this.
        walk_back(self.label, self._entries[:], cotangents, sources, self._persistent, slope)

    def _answer(self, cotangent: Any, source: Any, unconnected: UnconnectedGradients) -> Tensor | None:
        if isinstance(cotangent, np.generic):
            return make(np.asarray(cotangent), PYTHON)
        if cotangent is not None:
            return cotangent.handle(PYTHON)
        if unconnected is UnconnectedGradients.ZERO:
            return make(np.zeros(source._tag.shape, source._tag.dtype), PYTHON)
        return None

    # ---- Jacobians ------------------------------------------------------------------------------------------------------

    def jacobian(
        self,
        target: Any,
        sources: Any,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """The derivative of every element of one target tensor: shape `target.shape + source.shape`, a row per way back.

        Raises RuntimeError when a plain tape is asked a second time, or asked for TensorFlow's loop options.

        >>> import minitape as tf
        >>> x = tf.Variable([1.0, 2.0])
        >>> with tf.GradientTape() as g:
        ...     y = x * x
        >>> g.jacobian(y, x).numpy()
        array([[2., 0.],
               [0., 4.]], dtype=float32)
        """
        unconnected = self._ready(unconnected_gradients)
        self._loop_options(parallel_iterations, experimental_use_pfor)
        target, flat_sources = _differentiable(target, "target"), _leaves(sources, "source")
        shape, size = target._tag.shape, int(np.prod(target._tag.shape, dtype=int))
        seeds = np.eye(size, dtype=target._tag.dtype).reshape(size, *shape)
        rows = self._rows(target, seeds, flat_sources)
        answers: list[Tensor | None] = []
        for source, column in zip(flat_sources, rows, strict=True):
            whole = (*shape, *source._tag.shape)
            if column is not None:
                answers.append(
                    reshape(stack(column), whole) if column else make(np.zeros(whole, source._tag.dtype), PYTHON)
                )
            else:
                zero = unconnected is UnconnectedGradients.ZERO
                answers.append(make(np.zeros(whole, source._tag.dtype), PYTHON) if zero else None)
        return nest.pack_sequence_as(sources, answers)

    def batch_jacobian(
        self,
        target: Any,
        source: Any,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Tensor:
        """One Jacobian per example, for a batch whose examples do not depend on each other.

        target has shape [b, ...], source [b, ...]; the answer [b, *target.shape[1:], *source.shape[1:]].  Raises ValueError
        when the first axes differ or are missing.

        >>> import minitape as tf
        >>> x = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
        >>> with tf.GradientTape() as g:
        ...     y = x * x
        >>> g.batch_jacobian(y, x).shape
        TensorShape([2, 2, 2])
        """
        self._ready(unconnected_gradients)
        self._loop_options(parallel_iterations, experimental_use_pfor)
        target, source = _differentiable(target, "target"), _differentiable(source, "source")
        for shape in (target.shape, source.shape):
            if len(shape) < 2:
                raise refusal(
                    ValueError,
                    f"Shape {shape} must have rank at least 2: the first axis is the batch.",
                    "For tensors without a batch use tape.jacobian(y, x).",
                )
        if target.shape[0] != source.shape[0]:
            raise refusal(
                ValueError,
                f"Need first dimension of target shape ({target.shape}) and source shape ({source.shape}) to match. "
                "The first axis is the batch; for tensors without one use jacobian.",
            )
        batch, inner = target._tag.shape[0], target._tag.shape[1:]
        size = int(np.prod(inner, dtype=int))
        # The same element of every example is seeded at once: what comes back to an example is its own row only.
        seeds = np.repeat(np.eye(size, dtype=target._tag.dtype)[:, None], batch, 1).reshape(size, batch, *inner)
        (column,) = self._rows(target, seeds, [source])
        whole = (batch, *inner, *source._tag.shape[1:])
        if not column:
            return make(np.zeros(whole, source._tag.dtype), PYTHON)
        return reshape(stack(column, axis=1), whole)

    def _loop_options(self, parallel_iterations: int | None, use_pfor: bool) -> None:
        if (parallel_iterations is not None or not use_pfor) and not self._persistent:
            raise refusal(
                RuntimeError,
                "GradientTape must be created with persistent=True to compute the jacobian "
                "with parallel_iterations or with experimental_use_pfor=False. Leave both out: here they change nothing.",
            )

    def _rows(self, target: Any, seeds: np.ndarray, sources: list[Any]) -> list[list[Tensor] | None]:
        if self._recording and not self._persistent:
            self._stop("exit")
        persistent, self._persistent = self._persistent, True  # many ways back over one set of entries
        try:
            none = UnconnectedGradients.NONE
            walks = [
                self._walk_back([target], [make(seed.copy(), FLIGHT)], sources, none, row)
                for row, seed in enumerate(seeds)
            ]
        finally:
            self._persistent = persistent
            if not persistent:
                self._spend()
        columns: list[list[Tensor] | None] = []
        for position, source in enumerate(sources):
            column = [walk[position] for walk in walks]
            if walks and all(one is None for one in column):
                columns.append(None)
                continue
            shape, dtype = source._tag.shape, source._tag.dtype
            columns.append([make(np.zeros(shape, dtype), PYTHON) if one is None else one for one in column])
        return columns


def _pile_up() -> None:
    holding = [tape for tape in _persistent if any(entry.held for entry in tape.entries)]
    if len(holding) > MANY:
        _persistent.clear()
        warn(
            TapesPileUp,
            f"more than {MANY} persistent tapes are alive, and hold {ledger.held_for_backward} bytes for their way back.\n"
            "  `del` each when it has answered, or leave persistent=True out: a plain tape lets go by itself.",
        )


def _leaves(structure: Any, what: str) -> list[Any]:
    values = nest.flatten(structure)
    for value in values:
        if not isinstance(value, Operand):
            _differentiable(value, what)
    return values


def _differentiable(value: Any, what: str) -> Any:
    if not isinstance(value, Operand):
        raise refusal(
            TypeError,
            f"a {what} of a gradient must be a tensor or variable that the tape has seen, got {value!r} "
            f"of type {type(value).__name__}: plain Python numbers leave no trace",
            "Make it a tensor before the tape listens: x = tf.constant(...).",
        )
    return value


def _seed(target: Any, seed: Any) -> Tensor:
    tag = target._tag
    if seed is None:
        return make(np.ones(tag.shape, tag.dtype))
    seed = convert(seed, hint=tag.dtype)
    if seed._tag.shape == tag.shape:
        return seed
    try:
        spread = np.broadcast_to(seed._array, tag.shape).copy()
    except ValueError:
        raise refusal(
            InvalidArgumentError,
            f"output_gradients of shape {seed.shape} do not fit the target of shape {target.shape}: give one number per element",
        ) from None
    return make(spread)
