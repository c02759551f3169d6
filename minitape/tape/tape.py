"""GradientTape: write down what happens to watched values, then walk back."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from typing import Any

import numpy as np

from .. import nest
from ..record.busy import NOT_GIVEN, too_many, unexpected, without_door
from ..record.diary import Noted, moment, tag_of
from ..record.events import emit, state, unobserved
from ..record.ledger import FLIGHT
from ..record.refusal import refusal
from ..record.trail import remember
from ..tensor import Operand, Tag, Tensor, make
from ..trace import in_flight
from ..walk import Cotangents, answers_of, as_tensor, begin, let_go, ones, own_slopes, walk_back, walk_on_arrays
from . import jacobians
from .question import NONE, UnconnectedGradients, differentiable, leaves, seed_of, seeds_for
from .recording import Recording

_SPENT = "A non-persistent GradientTape can only be used to compute one set of gradients (or jacobians)"
_PERSISTENT = (
    "Ask for everything at once, {tape}.gradient(y, [a, b]), or make it with tf.GradientTape(persistent=True) and `del` it when "
    "you are done."
)
_EACH_TURN = (
    "A tape knows one pass: put `with tf.GradientTape() as {tape}:` into the loop, with the lines that compute what is "
    "differentiated. A persistent tape would give the gradient of the first pass again."
)


# Where Python refuses an argument it names the function: these two by the class that a learner knows.
Recording.__init__.__qualname__ = "GradientTape.__init__"
Recording.watch.__qualname__ = "GradientTape.watch"


class GradientTape(Recording):
    """Records the ops on watched values inside its `with` block, to differentiate them afterwards.

    Trainable variables are watched by themselves, anything else with `watch`.  A tape answers once and then lets go of what
    it kept; a persistent one answers until it is deleted.  (TensorFlow: `tf.GradientTape`.)

    >>> x = tf.constant(3.0)
    >>> with tf.GradientTape() as g:
    ...     g.watch(x)
    ...     y = x * x
    >>> g.gradient(y, x)
    <tf.Tensor: shape=(), dtype=float32, numpy=6.0>
    """

    @without_door("tf.GradientTape.gradient")
    def gradient(
        self,
        target: Any = NOT_GIVEN,
        sources: Any = NOT_GIVEN,
        output_gradients: Any = None,
        unconnected_gradients: Any = NONE,
        *surplus: Any,
        **unknown: Any,
    ) -> Any:
        """The derivative of the (summed) target by each source, in the structure of `sources`.

        Args: target, a tensor or a structure of them; sources, what to differentiate by; output_gradients, one seed per
        target instead of ones; unconnected_gradients, "none" or "zero": the answer where no path leads to a source.
        Raises RuntimeError when a plain tape is asked a second time, InvalidArgumentError for seeds that do not fit.

        >>> x = tf.Variable([1.0, 2.0])
        >>> with tf.GradientTape() as g:
        ...     y = tf.reduce_sum(x * x)
        >>> g.gradient(y, {"by x": x})
        {'by x': <tf.Tensor: shape=(2,), dtype=float32, numpy=array([2., 4.], dtype=float32)>}
        """
        if unknown:
            raise unexpected(unknown)
        if surplus:
            raise too_many(surplus, ". Several sources go in one list: tape.gradient(y, [a, b])")
        if self._state != "open" or unconnected_gradients is not NONE:
            unconnected_gradients = self._ready(unconnected_gradients, target, sources)
        targets = [target] if target.__class__ is Tensor else leaves(target, "target")
        flat_sources = [sources] if sources.__class__ is Tensor else leaves(sources, "source")
        seeds = None if output_gradients is None else seeds_for(targets, output_gradients)
        if self._recording and not self._persistent:
            self.diary.note("exit")
            self._stop("exit")
        tags = tuple(map(tag_of, flat_sources))
        try:
            answers = self._walk_back(targets, seeds, tags, unconnected_gradients)
        finally:
            asked = moment("asked", 2)
            if self._persistent:
                self.diary.shorten()
            else:
                self._spend(asked)
        question = self.diary.ask(asked, targets, tags, answers, seeds is not None, self.label)
        if not (state.recorders or state.listeners):
            remember(question)
        self.diary.look_at(self, targets, flat_sources, answers)
        if isinstance(sources, Operand):
            return answers[0]
        return answers if flat_sources is sources else nest.pack_sequence_as(sources, answers)

    def why(self, target: Any, source: Any) -> Any:
        """Why the gradient of the target by the source is None, or this number; it can be asked at any time, also afterwards.

        Says where the path stops, on which line, and how to mend it; for a number, along which paths it comes.  With a
        structure of sources, the same structure of explanations.

        >>> x = tf.constant(3.0)
        >>> with tf.GradientTape() as tape:
        ...     y = x * x
        >>> tape.why(y, x).code
        'M01'
        """
        targets = nest.flatten(target)
        if self._state == "open" and all(isinstance(leaf, Operand) for leaf in (*targets, *nest.flatten(source))):
            self._try_out(targets, nest.flatten(source))
        if isinstance(source, Operand):
            return self.diary.explain(self, targets, source)
        of_leaves = zip(nest.flatten(source), nest.places(source), strict=True)
        return nest.pack_sequence_as(
            source, [self.diary.explain(self, targets, leaf, place=place) for leaf, place in of_leaves]
        )

    def _try_out(self, targets: Sequence[Any], sources: Sequence[Any]) -> None:
        """Walk back unseen, and spend nothing, so that the diary knows the numbers."""
        persistent, self._persistent = self._persistent, True
        tags = tuple(map(tag_of, sources))
        try:
            with unobserved():
                answers = self._walk_back(targets, None, tags, NONE)
                own_slopes(self.written, self.diary.slopes)
        finally:
            self._persistent = persistent
        self.diary.ask(moment("tried", 3), targets, tags, answers, False, self.label)
        self.diary.shorten()

    def _ready(self, unconnected_gradients: Any, target: Any = None, sources: Any = None) -> UnconnectedGradients:
        if self._state != "open":
            self.diary.note("refused", 2)
            spent = self.diary.spent
            if self._state == "spent":
                said = f"It has answered already, at {spent and spent.site}"
                ends = [
                    [leaf.tag for leaf in nest.flatten(end) if isinstance(leaf, Operand)] for end in (target, sources)
                ]
                again = all(ends) and self.diary.asked_again(*ends)
                advice = (_EACH_TURN if again else _PERSISTENT).format(tape=self.label.name or "tape")
            else:
                said, advice = "This one was never entered.", "Record something inside `with tape:` first."
            raise refusal(RuntimeError, f"{_SPENT}. {said}", advice)
        return UnconnectedGradients.read(unconnected_gradients)

    def _spend(self, at: Noted) -> None:
        self._state = "spent"
        self.diary.spent_at = at
        self.written.let_go()
        self.followed = {}
        if state.listeners:
            emit("release", label=self.label)

    def _walk_back(
        self,
        targets: Sequence[Any],
        seeds: Sequence[Any] | None,
        sources: Sequence[Tag],
        unconnected: UnconnectedGradients,
        row: int | None = None,
    ) -> list[Tensor | None]:
        if state.recorders or state.listeners or seeds or len(targets) != 1:
            with in_flight():  # tensors will be made
                return self._walk_back_seen(targets, seeds, sources, unconnected, row)
        cotangents = ones(targets[0].tag)
        try:
            walk_on_arrays(self.label, self.written, cotangents, {*sources}, self._persistent, self.diary.slopes)
            return answers_of(cotangents, sources, unconnected is not NONE)
        except BaseException:
            let_go(cotangents)
            raise

    def _walk_back_seen(
        self,
        targets: Sequence[Any],
        seeds: Sequence[Any] | None,
        sources: Sequence[Tag],
        unconnected: UnconnectedGradients,
        row: int | None,
    ) -> list[Tensor | None]:
        """The backward pass where somebody sees it, or where it has seeds or several targets."""
        cotangents: Cotangents = {}
        try:
            if state.listeners:
                emit("gradient", label=self.label, row=row, targets=list(map(tag_of, targets)), sources=sources)
            for target, seed in zip(targets, seeds or repeat(None)):
                if target.tag.dtype.kind in "fc":
                    begin(self.label, cotangents, target.tag, None if seed is None else seed_of(target, seed))
            walk_back(self.label, self.written, cotangents, set(sources), self._persistent, self.diary.slopes)
            answers = answers_of(cotangents, sources, unconnected is not NONE)
            if state.listeners:
                found = [None if answer is None else answer.tag for answer in answers]
                emit("gradients", tuple(answers), label=self.label, answers=found, sources=sources, row=row)
            return answers
        finally:
            let_go(cotangents)

    def pull(self, cotangents: Cotangents, sources: Sequence[Any]) -> list[Tensor | None]:
        """What comes back to the sources from cotangents that have arrived; uses up the dict, and a plain tape.

        For a walk within a walk: unlike `gradient` it holds on to nothing that is passed in, targets included.
        """
        tags = [source.tag for source in sources]
        if state.listeners:
            emit("gradient", label=self.label, row=None, targets=list(cotangents), sources=tags)
            for tag, seed in cotangents.items():
                emit("seed", (seed,), label=self.label, into=tag, part=seed.tag, position=None, first=True)
            del seed
        try:
            walk_back(self.label, self.written, cotangents, set(tags), self._persistent, self.diary.slopes)
            for tag in tags:
                cotangents[tag] = as_tensor(cotangents.get(tag), state.holder)
            answers = [cotangents[tag] for tag in tags]
        finally:
            let_go(cotangents)
            if not self._persistent:
                self._spend(moment("spent", 2))
        if state.listeners:
            found = [None if answer is None else answer.tag for answer in answers]
            emit("gradients", tuple(answers), label=self.label, answers=found, sources=tags, row=None)
        return answers

    # ---- Jacobians ------------------------------------------------------------------------------------------------------

    def jacobian(
        self,
        target: Any,
        sources: Any,
        unconnected_gradients: Any = NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """The derivative of every element of one target tensor: shape `target.shape + source.shape`, a row per backward pass.

        Raises RuntimeError when a plain tape is asked a second time, or asked for TensorFlow's loop options.

        >>> x = tf.Variable([1.0, 2.0])
        >>> with tf.GradientTape() as g:
        ...     y = x * x
        >>> g.jacobian(y, x).numpy()
        array([[2., 0.],
               [0., 4.]], dtype=float32)
        """
        zero = self._ready(unconnected_gradients) is UnconnectedGradients.ZERO
        self._loop_options(parallel_iterations, experimental_use_pfor)
        target, flat_sources = differentiable(target, "target"), leaves(sources, "source")
        answers = jacobians.whole(self._rows, target, flat_sources, zero)
        self.diary.look_at(self, [target], flat_sources, answers, whole=True)
        return nest.pack_sequence_as(sources, answers)

    def batch_jacobian(
        self,
        target: Any,
        source: Any,
        unconnected_gradients: Any = NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Tensor:
        """One Jacobian per example, for a batch whose examples do not depend on each other.

        target has shape [b, ...], source [b, ...]; the answer [b, *target.shape[1:], *source.shape[1:]].  Raises ValueError
        when the first axes differ or are missing.

        >>> x = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
        >>> with tf.GradientTape() as g:
        ...     y = x * x
        >>> g.batch_jacobian(y, x).shape
        TensorShape([2, 2, 2])
        """
        self._ready(unconnected_gradients)
        self._loop_options(parallel_iterations, experimental_use_pfor)
        target, source = differentiable(target, "target"), differentiable(source, "source")
        answer = jacobians.by_example(self._rows, target, source)
        self.diary.look_at(self, [target], [source], [answer], whole=True)
        return answer

    def _loop_options(self, parallel_iterations: int | None, use_pfor: bool) -> None:
        if (parallel_iterations is not None or not use_pfor) and not self._persistent:
            raise refusal(
                RuntimeError,
                "GradientTape must be created with persistent=True to compute the jacobian "
                "with parallel_iterations or with experimental_use_pfor=False. Leave both out: here they change nothing.",
            )

    def _rows(self, target: Any, seeds: np.ndarray, sources: list[Any]) -> list[list[Tensor | None]]:
        """What comes back to each source, for one seed after the other."""
        if self._recording and not self._persistent:
            self.diary.note("exit", 4)
            self._stop("exit")
        persistent, self._persistent = self._persistent, True  # many backward passes over one set of entries
        try:
            tags = tuple(map(tag_of, sources))
            return [
                self._walk_back([target], [make(seed.copy(), FLIGHT)], tags, NONE, row)
                for row, seed in enumerate(seeds)
            ]
        finally:
            self._persistent = persistent
            if not persistent:
                self._spend(moment("spent", 4))
