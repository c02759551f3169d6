"""A region: a piece of program that a tape writes down as one entry, and runs again on the way back.

Forward, the body runs with the tapes looking away; only a small recorder is inside, which notes what is taken from outside.
Tapes are then shown one application: arguments and captures in, results out.  An entry keeps the arguments, the watched
captures, and what a policy asks for.  On the way back the body runs again under a tape of its own, on the same values with the
same tags, so whoever is still listening can differentiate that too (Chen, Xu, Zhang and Guestrin 2016).

Accumulators follow the body op by op, for they keep nothing.  Those inside of a tape lift the region: their tangents come in and
go out beside the values, and a rerun carries them again when the gradient of a tangent is asked for.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple

import numpy as np

from .. import nest
from ..call import Call, Way, distinct
from ..forward import ForwardAccumulator
from ..ops.shapes import identity
from ..record.events import listening, state, ticks, within
from ..record.log import Assigned, assignments
from ..tape import GradientTape
from ..tensor import Operand, Tag, Tensor, make, moment
from ..trace import Application, announce, recording
from . import chance
from .account import Account, rerunning
from .errors import (
    CaptureWarning,
    RecomputeMismatchError,
    RecomputeSideEffectWarning,
    VariableChangedWarning,
    warn,
)
from .inside import Inside, Step
from .policies import Policy

Body = Callable[[list[Any]], Any]


class Settings(NamedTuple):
    """How a region behaves; `recompute_grad` explains each."""

    name: str
    higher_order: str = "record"
    preserve_rng: bool = True
    determinism: str = "metadata"
    policy: Policy | None = None
    # TensorFlow's ways, for `compat("tf")`: how many leaves are differentiated, whether captures are; zeros for no path.
    leaves: int | None = None
    captures: bool = True
    zeros: bool = False


def run(body: Body, leaves: Sequence[Any], names: Sequence[str], settings: Settings) -> Any:
    """Run the body on the leaves as a region, and return what it returns.

    `names` says what to call each leaf.  With no tape to look away the body just runs.
    """
    outer, path = state.recorders, (*state.context.region, settings.name)
    closed = tuple([one for one in outer if not one.sees_inside])
    leaves = [make(np.array(leaf)) if isinstance(leaf, np.ndarray | np.generic) else leaf for leaf in leaves]
    if not closed:
        with within(region=path):
            return body(leaves)
    account = Account(settings.name, path)
    arguments = {leaf._tag: leaf for leaf in leaves[: settings.leaves] if isinstance(leaf, Tensor)}
    given = {leaf._tag for leaf in leaves if isinstance(leaf, Tensor)}
    inside = Inside(settings.name, given, values=settings.determinism == "values", policy=settings.policy)
    before = chance.states() if settings.preserve_rng else None
    account.opens(0)
    with seen_by(tuple([one for one in outer if one.sees_inside])), within(region=path):
        value, outputs = run_body(body, leaves, inside)
    drawn = before if before is not None and not chance.same(before, chance.states()) else None

    inputs = dict(arguments)
    if settings.captures:
        inputs |= inside.captured
    elif inside.captured:
        warn(f"region {settings.name!r} takes a tensor from outside: pass it in as an argument", CaptureWarning)
    if_wanted = range(len(arguments), len(inputs))
    # Reading a variable tells the tapes that it was read.
    inputs |= {tag: variable._read() for tag, (variable, _) in inside.read.items() if tag.dtype.kind in "fc"}
    own = len(inputs)
    accumulators = [one for one in outer[outer.index(closed[0]) :] if isinstance(one, ForwardAccumulator)]
    results, lifts = _lift(accumulators, inputs, outputs)
    residuals = {key: len(results) + n for n, key in enumerate(inside.residuals)}
    results += inside.residuals.values()

    region = Region(body, leaves, list(inputs), settings, inside, len(outputs), lifts, residuals, drawn, account)
    called = dict(zip([leaf._tag if isinstance(leaf, Tensor) else None for leaf in leaves], names, strict=True))
    always = [*range(len(arguments)), *range(own, len(inputs))]
    call = Call(
        settings.name, region, distinct([_name(tag, called, inside) for tag in inputs]), len(results),
        always=always, if_wanted=if_wanted, residuals=tuple(residuals.values()), account=account,
    )  # fmt: skip
    kept = [list(inputs.values())[position] for position in (*always, *if_wanted)]
    account.closes(inside, [*kept, *inside.residuals.values()], [])
    announce(call, tuple(inputs.values()), tuple(results), {}, audience=closed)
    rest = iter(outputs)
    flat = [next(rest) if isinstance(one, Operand) else one for one in nest.flatten(value)]
    return nest.pack_sequence_as(value, flat)


def _name(tag: Tag, called: dict[Any, str], inside: Inside) -> str:
    if tag in inside.read:
        return str(inside.read[tag][0].name.split(":")[0])
    return called.get(tag) or ("captured" if tag in inside.captured else "tangent")


@contextmanager
def seen_by(recorders: tuple[Any, ...]) -> Iterator[None]:
    """Run a block that only these recorders see, and in which nothing is foreseen."""
    before, foreseen = state.recorders, state.foreseen
    state.recorders, state.foreseen = recorders, None
    try:
        yield
    finally:
        state.recorders, state.foreseen = before, foreseen


def run_body(body: Body, leaves: list[Any], inside: Inside) -> tuple[Any, list[Tensor]]:
    """One run: what the body returns, and the tensors in that, each made inside and each another."""
    with ExitStack() as stack:
        stack.enter_context(recording(inside))
        if inside.values:
            stack.enter_context(listening(inside.hear))
        value = body(leaves)
        outputs: list[Tensor] = []
        for one in nest.flatten(value):
            if isinstance(one, Operand):
                foreign = one._tag.variable or one._tag.id < inside.began or any([one is other for other in outputs])
                outputs.append(identity(one) if foreign else one._read())
        inside.ended()
    return value, outputs


# ---- accumulators that lift a region ------------------------------------------------------------------------------------------


class Lift(NamedTuple):
    """What one accumulator adds to a region: tangents of inputs come in, tangents of results go out."""

    kind: type[ForwardAccumulator]
    seeds: list[tuple[Tag, Tag]]  # (an input, its tangent)
    moved: list[int]  # the results that have a tangent, which follows among the results


def _lift(
    accumulators: list[ForwardAccumulator], inputs: dict[Tag, Tensor], outputs: list[Tensor]
) -> tuple[list[Tensor], list[Lift]]:
    """The results with their tangents, innermost accumulator first, because an outer one moves an inner one's tangents."""
    results, lifts = list(outputs), []
    for accumulator in reversed(accumulators):
        seeds = []
        for tag in list(inputs):
            tangent = accumulator.tangent(tag)
            if tangent is not None:
                inputs.setdefault(tangent._tag, tangent)
                seeds.append((tag, tangent._tag))
        found = [(index, accumulator.tangent(one._tag)) for index, one in enumerate(results)]
        if seeds:
            lifts.append(Lift(type(accumulator), seeds, [index for index, one in found if one is not None]))
            results += [one for _, one in found if one is not None]
    return results, lifts


# ---- the way back -------------------------------------------------------------------------------------------------------------


class Region(Way):
    """The way back through one run of a region: all that a rerun needs but the values, which the entry keeps."""

    __slots__ = (
        "_account", "_assigned", "_body", "_chance", "_leaves", "_lifts", "_outputs", "_read", "_residuals", "_results",
        "_script", "_settings",
    )  # fmt: skip

    def __init__(
        self, body: Body, leaves: list[Any], inputs: list[Tag], settings: Settings, inside: Inside, outputs: int,
        lifts: list[Lift], residuals: dict[tuple[int, int], int], drawn: list[Any] | None, account: Account,
    ) -> None:  # fmt: skip
        self._body, self._settings, self._account = body, settings, account
        places = {tag: position for position, tag in enumerate(inputs)}
        # In the place of a tensor stands where to find it.
        self._leaves = [
            _At(places[leaf._tag]) if isinstance(leaf, Tensor) and leaf._tag in places else leaf for leaf in leaves
        ]
        self._outputs, self._lifts, self._residuals, self._chance = outputs, lifts, residuals, drawn
        self._results = outputs + sum([len(lift.moved) for lift in lifts]) + len(residuals)
        self._script = inside.steps
        self._read = inside.read
        self._assigned = [variable for variable, now in inside.read.values() if now() is not variable._handle]

    def back(
        self, application: Application, values: Any, cotangents: Any, wanted: tuple[bool, ...]
    ) -> Iterator[tuple[int, Tensor | None]]:
        """Run again, and take the gradient of that run."""
        number = self._account.runs = self._account.runs + 1
        positions = [position for position, want in enumerate(wanted) if want]
        gradient = functools.partial(self._gradient, application, positions, number)
        given, settings = [*values, *cotangents], self._settings
        # The caller's lists would hold on to these while the region runs and is reversed.
        values.clear()
        cotangents.clear()
        if settings.higher_order == "recompute":
            settings = Settings(
                f"gradient of {settings.name}", "recompute", settings.preserve_rng, settings.determinism
            )
            answers = run(lambda leaves: gradient(list(leaves)), given, ["x"] * len(given), settings)
        else:
            answers = gradient(given)
        yield from zip(positions, answers, strict=True)

    def _gradient(self, application: Application, positions: list[int], number: int, given: list[Any]) -> list[Any]:
        settings = self._settings
        self._compare_variables()
        sources = [self._source(application.inputs[position], given[position]) for position in positions]
        before = application.context
        path, scope = (
            (*before.region, settings.name),
            "/".join(filter(None, [before.scope, f"recompute_{number}_grad"])),
        )
        with within(region=path, scope=scope, cause=application):
            tape = GradientTape(watch_accessed_variables=False)
            inside = Inside(settings.name, set(), values=settings.determinism == "values", script=self._expected())
            self._account.opens(number)
            since, began = next(ticks), moment()
            with rerunning(settings.name, number), chance.put_back(self._chance), within(phase="recompute"), tape:
                tape.watch([one for one in sources if one.dtype.is_floating or one.dtype.is_complex])
                results, arrived = self._again(application, inside, given)
            del results  # not before the tape has stopped: it drops what nobody can ask for any more
            given.clear()
            self._account.closes(inside, [], list(zip(self._script, inside.steps, strict=False)))
            self._tell_side_effects(number, [one for one in assignments(since) if one.tag.id < began])
            answers: list[Any] = tape.pull(arrived, sources)
        if settings.zeros:
            tags = [one._tag for one in sources]
            answers = [
                make(np.zeros(tag.shape, tag.dtype)) if one is None else one
                for one, tag in zip(answers, tags, strict=True)
            ]
        return answers

    def _again(
        self, application: Application, inside: Inside, given: list[Any]
    ) -> tuple[list[Tensor], dict[Tag, Tensor]]:
        """Run again; returns the results, and what has come back to each."""
        values, cotangents = given[: -len(application.outputs)], given[-len(application.outputs) :]
        lifts = self._lifts if any([one is not None for one in cotangents[self._outputs :]]) else []
        places = dict(zip(application.inputs, values, strict=False))
        twins = [lift.kind.beginning_with([(tag, places[moved]) for tag, moved in lift.seeds]) for lift in lifts]
        leaves = [
            values[leaf.position].handle(state.holder) if isinstance(leaf, _At) else leaf for leaf in self._leaves
        ]
        with ExitStack() as stack:
            for twin in reversed(twins):
                stack.enter_context(twin)
            if self._residuals:
                foreseen, state.foreseen = state.foreseen, self._foresee(inside, values)
                stack.callback(setattr, state, "foreseen", foreseen)
            _, results = run_body(self._body, leaves, inside)
        if len(results) != self._outputs:
            raise RecomputeMismatchError(
                self._settings.name, len(self._script), f"returned {self._outputs} tensors", f"returned {len(results)}"
            )
        for twin, lift in zip(twins, lifts, strict=True):
            tangents = [twin.tangent(results[index]._tag) for index in lift.moved]
            results += [one for one in tangents if one is not None]
        arrived = {one._tag: seed for one, seed in zip(results, cotangents, strict=False) if seed is not None}
        return results, arrived

    def _foresee(self, inside: Inside, values: Sequence[Any]) -> Callable[..., Any]:
        """What is asked before an op of the rerun is computed: its outputs, where the policy kept them."""
        first = len(values) - self._results

        def known(primitive: Any, inputs: Any) -> tuple[Tensor, ...] | None:
            index = len(inside.steps)
            if index >= len(self._script) or self._script[index].op != primitive.name or inside not in state.recorders:
                return None
            kept = [self._residuals.get((index, output)) for output in range(len(self._script[index].made))]
            if None in kept:
                return None
            arrays = [values[first + position] for position in kept if position is not None]
            return tuple([_anew(one) for one in arrays])

        return known

    def _source(self, tag: Tag, value: Any) -> Any:
        return self._read[tag][0] if tag in self._read else value

    def _expected(self) -> list[Step] | None:
        return None if self._settings.determinism == "off" else self._script

    def _compare_variables(self) -> None:
        for variable, now in self._read.values():
            if now() is variable._handle or any([variable is one for one in self._assigned]):
                continue
            name = self._settings.name
            if self._settings.determinism == "values":
                raise RecomputeMismatchError(name, 0, f"read {variable.name} as it was then", "it has a new value now")
            if self._settings.determinism == "metadata":
                warn(
                    f"variable {variable.name} has changed since region {name!r} ran: it runs again with the new value, "
                    "and the gradient is taken there. Ask for gradients before you assign.",
                    VariableChangedWarning,
                )

    def _tell_side_effects(self, number: int, assigned: list[Assigned]) -> None:
        if self._settings.determinism != "off":
            for one in {one.tag: one for one in assigned}.values():
                warn(
                    f"region {self._settings.name!r} assigns to {one.tag.name or 'a variable'} at {one.site}: it did so when it "
                    f"ran, and {number} time(s) again for gradients. Ask tf.is_recomputing() to do it once.",
                    RecomputeSideEffectWarning,
                )


class _At(NamedTuple):
    position: int


def _anew(kept: Tensor) -> Tensor:
    """The same array as a new value."""
    tag = kept._tag
    return Tensor(kept._array, Tag(tag.shape, tag.dtype, tag.nbytes), kept._buffer, state.holder)
