"""The recorder inside a region: notes what comes from outside, and whether a rerun does what the first run did."""

from __future__ import annotations

import functools
import weakref
import zlib
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any, NamedTuple

from .. import nest
from ..call import Call
from ..ops.shapes import identity
from ..record.events import Event, Label, Verdict, changed, listening, state
from ..record.ledger import Buffer
from ..record.provenance import Site
from ..tensor import Operand, Tag, Tensor, moment
from ..trace import Application, Sees, Verdicts, recording
from .early import Origin, Rest
from .errors import RecomputeMismatchError
from .policies import Policy

Body = Callable[[list[Any]], Any]


class Step(NamedTuple):
    """One op of a run: what it was and what it made."""

    op: str
    made: tuple[tuple[tuple[int, ...], str], ...]
    site: Site
    tick: int
    digest: int | None = None

    def __str__(self) -> str:
        outputs = ", ".join(f"{dtype}{list(shape)}" for shape, dtype in self.made)
        return f"{self.op} -> {outputs}  at {self.site}"

    def like(self, other: Step) -> bool:
        """Whether it is the same op with outputs of the same shapes, dtypes and (if they were noted) numbers."""
        return (self.op, self.made, self.digest) == (other.op, other.made, other.digest)


class Inside:
    """Sees the ops of one run of a region's body.

    The first run writes the script; a rerun is compared with it, op by op.  What an op takes from outside is a capture: made
    before the body began, and no argument.  `carries` says whether accumulators inside of the tape go along.
    """

    straight = False
    sees = Sees.CALL
    # One label and one verdict for all: the trail remembers each op inside as seen by a region and written down by no tape.
    label = Label("region", Site(compile("", "<region>", "exec"), 0))
    took: Verdicts = ((label, Verdict.IN_A_REGION),)

    def __init__(
        self, name: str, arguments: set[Tag], *, values: bool, policy: Policy | None = None,
        script: list[Step] | None = None, rest: Rest | None = None, needs: set[Origin] | None = None,
        carries: bool = False, follows: Callable[[Tag], bool] | None = None,
    ) -> None:  # fmt: skip
        self.name = name
        self.carries = carries
        self.began = moment()
        self.captured: dict[Tag, Tensor] = {}
        self.read: dict[Tag, tuple[Any, weakref.ref[Any]]] = {}
        self.residuals: dict[tuple[int, int], Tensor] = {}  # (step, output): what the policy keeps
        self.steps: list[Step] = []
        self.returned: list[Origin | None] = []  # where each result was made
        self._arguments = arguments
        self.values = values  # whether numbers are compared too
        self._policy = policy
        self._script = script
        self._rest = rest  # of the first run: to be noted
        self._needs = needs or set()  # of a rerun that stops early: what to hold on to
        self.made: dict[Origin, Tensor] = {}
        self._made_at: dict[Tag, Origin] = {}
        self._followed: set[Tag] = set(arguments)  # what a tape that watches all arguments and captures would follow
        self._follows = follows or followed_by(())
        self.followed = set(filter(self._follows, arguments))  # what a tape that is really there would follow
        self.plain: set[Buffer] = set()  # what a tape would keep of this run if there were no region, here or in it

    def _at_hand(self, tag: Tag) -> bool:
        """Whether a rerun will have this value before it begins."""
        return tag in self._arguments or tag in self.read

    # ---- the recorder's side (trace.Recorder) -----------------------------------------------------------------------------

    def record(self, application: Application, inputs: tuple[Tensor, ...], outputs: tuple[Tensor, ...]) -> Verdict:
        """Note one op; raises RecomputeMismatchError where a rerun leaves the script."""
        if self._script is None:
            for value in inputs:
                tag = value.tag
                if tag.id < self.began and not tag.variable and tag not in self._arguments and tag.dtype.kind in "fc":
                    self.captured.setdefault(tag, value)
            self._count(application, (*inputs, *outputs))
            saved = self._kept(application, self._followed, lambda tag: True)
            if self._rest is not None:
                self._rest.note(len(self.steps), application, saved, self._at_hand)
            if self._policy is not None:
                for position, output in enumerate(outputs):
                    if self._policy(application, output):
                        self.residuals[len(self.steps), position] = output
        for position, output in enumerate(outputs if self._needs else ()):
            if (len(self.steps), position) in self._needs:
                self.made[len(self.steps), position] = output
        for position, tag in enumerate(application.outputs):
            self._made_at[tag] = len(self.steps), position
        # Of a region in this one, tangents may go along in one run and not in the other.
        primitive = application.primitive
        own = outputs[: primitive.returned] if isinstance(primitive, Call) else outputs
        made = tuple([(output.tag.shape, output.tag.dtype.name) for output in own])
        self._note(Step(application.op, made, application.site, application.tick, self._digest(own)))
        return Verdict.RECORDED

    def accessed(self, variable: Any) -> None:
        """Note a variable, and the value that it has now."""
        self.read.setdefault(variable.tag, (variable, weakref.ref(variable.array_now)))

    def forget(self, tag: Tag) -> None:
        """Nothing is followed."""

    def hear(self, event: Event, tensors: tuple[Any, ...]) -> None:
        """Note a value that no op made, such as a random draw: a listener for runs whose numbers are compared."""
        if event.kind == "made" and event.facts["kind"] != "variable" and state.recorders[-1:] == (self,):
            made = tuple([(tensor.tag.shape, tensor.tag.dtype.name) for tensor in tensors])
            self._note(Step(event.facts.get("op", "new value"), made, event.site, event.tick, self._digest(tensors)))

    # ---- how --------------------------------------------------------------------------------------------------------------

    def _digest(self, tensors: tuple[Tensor, ...]) -> int | None:
        return zlib.crc32(b"".join([tensor.array.tobytes() for tensor in tensors])) if self.values else None

    def _note(self, step: Step) -> None:
        index = len(self.steps)
        self.steps.append(step)
        if self._script is None:
            return
        if index >= len(self._script):
            raise RecomputeMismatchError(self.name, index, None, step)
        if not step.like(self._script[index]):
            raise RecomputeMismatchError(self.name, index, self._script[index], step)

    def ended(self, outputs: Sequence[Tensor]) -> None:
        """The body returned these; raises RecomputeMismatchError if the script goes on."""
        self.returned = [self._made_at.get(output.tag) for output in outputs]
        if self._script is not None and len(self.steps) < len(self._script):
            raise RecomputeMismatchError(self.name, len(self.steps), self._script[len(self.steps)], None)

    def _kept(
        self, application: Application, followed: set[Tag], follows: Callable[[Tag], bool]
    ) -> tuple[int, ...] | None:
        """The positions of what a tape that follows these values would keep of an op; None if it would not write it down.

        `followed` takes the op's outputs in; `follows` says which of the captures the tape follows.
        """
        primitive = application.primitive
        wanted = tuple(
            [
                (tag in followed or tag.variable or (tag in self.captured and follows(tag)))
                and primitive.differentiable(position)
                for position, tag in enumerate(application.inputs)
            ]
        )
        if not any(wanted):
            return None
        followed.update(application.outputs)
        return primitive.plan(wanted).positions

    def _count(self, application: Application, values: tuple[Tensor, ...]) -> None:
        """Count what the tapes around the region would keep of an op if they saw it."""
        positions = self._kept(application, self.followed, self._follows)
        if positions is not None:
            primitive = application.primitive
            account = primitive.account if isinstance(primitive, Call) else None
            self.plain.update([values[at].buffer for at in positions] if account is None else account.plain)


def followed_by(recorders: Sequence[Any]) -> Callable[[Tag], bool]:
    """Whether one of these tapes, or the region around, follows a value."""
    return lambda tag: any([tag in recorder.followed for recorder in recorders if recorder.sees is Sees.CALL])


class At:
    """Takes the place of a tensor in a structure: its position among the inputs."""

    __slots__ = ("position",)

    def __init__(self, position: int) -> None:
        self.position = position


at = functools.cache(At)  # a long tape holds many, for few positions


def with_outputs(value: Any, outputs: Sequence[Tensor]) -> Any:
    """What a body returned, with these tensors instead of its own."""
    rest = iter(outputs)
    leaves = [next(rest) if isinstance(leaf, Operand) else leaf for leaf in nest.flatten(value)]
    return nest.pack_sequence_as(value, leaves)


def unseen_by(closed: Sequence[Any]) -> changed:
    """A block that these recorders do not see, and in which every op is computed as always."""
    return changed(recorders=tuple([recorder for recorder in state.recorders if recorder not in closed]), instead=None)


def tangents_within(closed: Sequence[Any]) -> tuple[list[Any], bool]:
    """The accumulators inside of the outermost of these tapes, and whether tangents go along, theirs or an outer region's."""
    recorders = state.recorders
    inner = recorders[recorders.index(closed[0]) :] if closed else ()
    found = [recorder for recorder in inner if recorder.sees is Sees.TANGENTS and recorder not in closed]
    return found, bool(found) or any([isinstance(recorder, Inside) and recorder.carries for recorder in closed])


def run_body(body: Body, leaves: list[Any], inside: Inside) -> tuple[Any, list[Tensor]]:
    """Run the body once: what it returns, and the tensors in that.

    A tensor from outside, or one that is returned twice, becomes an identity of itself.
    """
    with ExitStack() as stack:
        stack.enter_context(recording(inside))
        if inside.values:
            stack.enter_context(listening(inside.hear))
        value = body(leaves)
        outputs: list[Tensor] = []
        for leaf in nest.flatten(value):
            if isinstance(leaf, Operand):
                foreign = leaf.tag.variable or leaf.tag.id < inside.began or any([leaf is other for other in outputs])
                outputs.append(identity(leaf) if foreign else leaf.tensor_now)
        inside.ended(outputs)
    return value, outputs
