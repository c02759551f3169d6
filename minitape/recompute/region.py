"""A region: a piece of program that a tape writes down as one entry, and runs again in the backward pass.

Forward, the body runs with the tapes looking away; only a small recorder is inside, which notes what is taken from outside.
Tapes are then shown one application: arguments and captures in, results out.  An entry keeps the arguments, the watched
captures, and what a policy asks for.  In the backward pass it runs again under a tape of its own, on the same values with
the same tags, so whoever is still listening can differentiate that too (Chen, Xu, Zhang and Guestrin 2016).

Accumulators follow the body op by op, for they keep nothing.  Those inside of a tape hand the region their tangents
(`tangents.py`), and a rerun carries them again when the gradient of one is asked for.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any, NamedTuple

import numpy as np

from ..call import Call, Derivative, distinct
from ..ops.shapes import zeros_like_tag
from ..record.events import changed, state, ticks, within
from ..tape import GradientTape
from ..tensor import Tag, Tensor, make, moment
from ..trace import Application, Sees, announce, as_tensors, compute
from ..why.log import assignments
from . import chance
from .account import Account, rerunning
from .determinism import Readings, changed_variables, checksums, other_numbers, same_numbers, side_effects
from .early import Origin, Rest, Stopped
from .errors import CaptureWarning, RecomputeMismatchError, warn
from .inside import At, Body, Inside, Step, at, followed_by, run_body, tangents_within, unseen_by, with_outputs
from .no_derivative import refuse
from .policies import Policy
from .tangents import Carried, carried_through


class Settings(NamedTuple):
    """How a region behaves; `recompute_grad` explains each."""

    name: str
    higher_order: str = "record"
    preserve_rng: bool = True
    determinism: str = "metadata"
    policy: Policy | None = None
    early_stop: bool = False
    # TensorFlow's ways, for `compat("tf")`: how many leaves are differentiated, whether captures are; zeros for no path;
    # a gradient that no accumulator and no second tape can go through.
    leaves: int | None = None
    captures: bool = True
    zeros: bool = False
    transposes: bool = True


def run(body: Body, leaves: Sequence[Any], names: Sequence[str], settings: Settings) -> Any:
    """Run the body on the leaves as a region, and return what it returns.

    `names` says what to call each leaf.  Where no tape listens the body simply runs.
    """
    path = (*state.context.region, settings.name)
    as_one = (Sees.CALL,) if settings.transposes else (Sees.CALL, Sees.TANGENTS)
    closed = [recorder for recorder in state.recorders if recorder.sees in as_one]
    leaves = [make(np.array(leaf)) if isinstance(leaf, np.ndarray | np.generic) else leaf for leaf in leaves]
    if not closed:
        with within(region=path):
            return body(leaves)
    account = Account(settings.name, path)
    values = settings.determinism == "values"
    tail = Rest() if settings.early_stop and not values else None
    accumulators, carries = tangents_within(closed)
    follows = followed_by(closed)
    inside = Inside(
        settings.name, {leaf.tag for leaf in leaves if isinstance(leaf, Tensor)}, values=values, policy=settings.policy,
        rest=tail, carries=carries, follows=follows,
    )  # fmt: skip
    before = chance.states() if settings.preserve_rng or settings.determinism == "metadata" else None
    with account.running(0), unseen_by(closed), within(region=path):
        value, outputs = run_body(body, leaves, inside)
    if not outputs:  # nothing that a gradient could be asked of
        account.closes()
        return value
    drawn = Drawn(before, chance.drawn_from(before, chance.states())) if before is not None else Drawn(None, [])

    inputs, captures = _taken(leaves, settings, inside)
    own = len(inputs)
    results, carried = carried_through(accumulators, inputs, outputs)
    residuals = {key: len(results) + n for n, key in enumerate(inside.residuals)}
    results += inside.residuals.values()

    tail = tail if tail is not None and not carried and tail.ended(outputs) else None
    region = Region(
        body, leaves, list(inputs), settings, inside, len(outputs), carried, residuals, drawn, account, tail
    )
    region.remember_numbers(outputs)
    places = {tag: place for place, tag in enumerate(inputs)}
    moved = [places[tangent] for along in carried for _, tangent in along.seeds]  # one may be a capture, too
    always = sorted({*range(captures.start), *range(own, len(inputs)), *moved})
    call = Call(
        settings.name, region, _names(inputs, leaves, names, inside), len(results),
        always=always, if_wanted=captures, residuals=tuple(residuals.values()), returned=len(outputs),
        account=account,
    )  # fmt: skip
    kept = [value for place, value in enumerate(inputs.values())
            if place in always or (place in captures and follows(value.tag))]  # fmt: skip
    account.keeps([*kept, *inside.residuals.values()], inside.plain)
    account.closes()
    announce(call, tuple(inputs.values()), tuple(results), {}, to=as_one)
    account.plain = set()
    return with_outputs(value, outputs)


def _taken(leaves: Sequence[Any], settings: Settings, inside: Inside) -> tuple[dict[Tag, Any], range]:
    """All that a region takes: arguments, then captures, then variables that it read; and where the captures stand."""
    inputs = {leaf.tag: leaf for leaf in leaves[: settings.leaves] if isinstance(leaf, Tensor)}
    arguments = len(inputs)
    if settings.captures:
        inputs |= inside.captured
    elif inside.captured:
        warn(f"region {settings.name!r} takes a tensor from outside: pass it in as an argument", CaptureWarning)
    captures = range(arguments, len(inputs))
    for variable, _ in inside.read.values():
        if variable.tag.dtype.kind in "fc" and (variable.trainable or settings.captures):
            inputs[variable.tag] = variable.tensor_now  # which tells the tapes that it was read
    return inputs, captures


def _names(inputs: dict[Tag, Any], leaves: Sequence[Any], names: Sequence[str], inside: Inside) -> tuple[str, ...]:
    """What the inputs are called: variables by their own names, leaves as `names` says."""
    own = {tag: str(variable.name.split(":")[0]) for tag, (variable, _) in inside.read.items()}
    own = {leaf.tag: name for leaf, name in zip(leaves, names, strict=True) if isinstance(leaf, Tensor)} | own
    return distinct([own.get(tag) or ("captured" if tag in inside.captured else "tangent") for tag in inputs])


# ---- the backward pass -------------------------------------------------------------------------------------------------


class Region(Derivative):
    """The backward pass through one run of a region: all that a rerun needs but the values, which the entry keeps."""

    __slots__ = (
        "_account", "_body", "_carried", "_checksums", "_drawn", "_goes_along", "_leaves", "_outputs", "_readings", "_residuals",
        "_rest", "_results", "_returned", "_script", "_settings",
    )  # fmt: skip

    def __init__(
        self, body: Body, leaves: list[Any], inputs: list[Tag], settings: Settings, inside: Inside, outputs: int,
        carried: list[Carried], residuals: dict[Origin, int], drawn: Drawn, account: Account, rest: Rest | None,
    ) -> None:  # fmt: skip
        self._body, self._settings, self._account = body, settings, account
        positions = {tag: position for position, tag in enumerate(inputs)}
        # A tensor among the inputs is replaced by its position.
        self._leaves = [
            at(positions[leaf.tag]) if isinstance(leaf, Tensor) and leaf.tag in positions else leaf for leaf in leaves
        ]
        self._outputs, self._carried, self._residuals, self._drawn, self._rest = (
            outputs,
            carried,
            residuals,
            drawn,
            rest,
        )
        self._results = outputs + sum([len(tangents.moved) for tangents in carried]) + len(residuals)
        self._script, self._returned, self._goes_along = inside.steps, inside.returned, inside.carries
        self._readings = Readings(inside.read)

    def remember_numbers(self, outputs: Sequence[Tensor]) -> None:
        """Note what the first run made."""
        self._checksums = checksums(self._settings.determinism, outputs)

    def pull(
        self, application: Application, values: Any, cotangents: Any, wanted: tuple[bool, ...]
    ) -> Iterator[tuple[int, Tensor | None]]:
        """Run again, and take the gradient of that run."""
        number = self._account.runs = self._account.runs + 1
        positions = [position for position, want in enumerate(wanted) if want]
        gradient = functools.partial(self._gradient, application, positions, number)
        given, settings = [*values, *cotangents], self._settings
        upstream = [] if settings.transposes else [cotangent for cotangent in cotangents if cotangent is not None]
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
        if not self._settings.transposes:
            read = [variable.tensor_now for variable, _ in self._readings.by_tag.values() if variable.trainable]
            refuse(self._settings.name, [*upstream, *read], answers)
        yield from zip(positions, answers, strict=True)

    def pushforward(
        self, application: Application, values: Sequence[Any], tangents: Sequence[Any]
    ) -> tuple[Tensor | None, ...]:
        """TensorFlow's way: through the transpose of the gradient, which is refused.  (Ours follow the body op by op.)"""
        upstream = [make(np.ones(tag.shape, tag.dtype)) for tag in application.outputs]
        with GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(upstream)
            wanted = tuple([tangent is not None for tangent in tangents])
            found = dict(self.pull(application, list(values), list(upstream), wanted))
        moved = [(tensor, tangents[position]) for position, tensor in found.items() if tensor is not None]
        return tuple(tape.gradient([tensor for tensor, _ in moved], upstream, [tangent for _, tangent in moved]))

    def _gradient(self, application: Application, positions: list[int], number: int, given: list[Any]) -> list[Any]:
        settings = self._settings
        name, level = settings.name, settings.determinism
        other = [] if settings.preserve_rng else self._drawn.sources
        if changed_variables(name, level, self._readings) or other:
            self._checksums = None  # a warning has said already that numbers may differ
        other_numbers(name, level, other)
        sources = [self._source(application.inputs[position], given[position]) for position in positions]
        before = application.context
        path, scope = (
            (*before.region, settings.name),
            "/".join(filter(None, [before.scope, f"recompute_{number}_grad"])),
        )
        with within(region=path, scope=scope, cause=application):
            tape = GradientTape(watch_accessed_variables=False)
            stops = self._stops()
            inside = Inside(
                settings.name, set(), values=settings.determinism == "values", script=self._expected(),
                needs=stops.needs if stops is not None else None, carries=self._goes_along,
            )  # fmt: skip
            since, began = next(ticks), moment()
            again = self._drawn.before if settings.preserve_rng and self._drawn.sources else None
            with (
                self._account.running(number), rerunning(settings.name, number), chance.drawing_from(again),
                within(phase="recompute"), tape,
            ):  # fmt: skip
                tape.watch([source for source in sources if source.dtype.is_floating or source.dtype.is_complex])
                results, arrived = self._again(application, inside, given, stops)
            del results  # not earlier: while the tape listens it drops what nobody can reach any more
            given.clear()
            self._account.closes(list(zip(self._script, inside.steps, strict=False)))
            side_effects(
                name, level, number, [assignment for assignment in assignments(since) if assignment.tag.id < began]
            )
            answers: list[Any] = tape.pull(arrived, sources)
        if settings.zeros:
            tags = [source.tag for source in sources]
            answers = [
                zeros_like_tag(tag) if answer is None else answer for answer, tag in zip(answers, tags, strict=True)
            ]
        return answers

    def _stops(self) -> Rest | None:
        """The rest that this rerun need not compute; None in a picture, which shows all, or where tangents need the numbers."""
        seen = state.listeners or any([recorder.sees is Sees.TANGENTS for recorder in state.recorders])
        return None if seen else self._rest

    def _again(
        self, application: Application, inside: Inside, given: list[Any], stops: Rest | None
    ) -> tuple[list[Tensor], dict[Tag, Tensor]]:
        """Run again; returns the results, and what has come back to each."""
        values, cotangents = given[: -len(application.outputs)], given[-len(application.outputs) :]
        carried = self._carried if any([cotangent is not None for cotangent in cotangents[self._outputs :]]) else []
        by_tag = dict(zip(application.inputs, values, strict=False))
        accumulators = [
            carrying.kind.beginning_with([(tag, by_tag[moved]) for tag, moved in carrying.seeds])
            for carrying in carried
        ]
        leaves = [values[leaf.position].handle(state.holder) if isinstance(leaf, At) else leaf for leaf in self._leaves]
        with ExitStack() as stack:
            for accumulator in reversed(accumulators):
                stack.enter_context(accumulator)
            if self._residuals or stops is not None:
                stack.enter_context(changed(instead=self._instead(inside, values, stops)))
            try:
                _, results = run_body(self._body, leaves, inside)
                self._same_results(inside, carried)
                same_numbers(self._settings.name, self._checksums, results)
            except Stopped:
                assert stops is not None
                results = self._rest_of(stops, inside, by_tag)
        for accumulator, carrying in zip(accumulators, carried, strict=True):
            tangents = [accumulator.tangent(results[index].tag) for index in carrying.moved]
            results += [tangent for tangent in tangents if tangent is not None]
        arrived = {result.tag: seed for result, seed in zip(results, cotangents, strict=False) if seed is not None}
        return results, arrived

    def _same_results(self, inside: Inside, carried: Sequence[Carried]) -> None:
        """Raises RecomputeMismatchError if a rerun returned something else than the first run."""
        first, again = self._returned, inside.returned
        if first == again or (self._settings.determinism == "off" and not (carried and len(first) != len(again))):
            return
        found = [f"returned {len(first)} tensors", f"returned {len(again)}"]
        if len(first) == len(again):
            found = [
                f"returned what op {', '.join(str(origin[0] + 1) for origin in origins if origin)} made"
                for origins in (first, again)
            ]
        raise RecomputeMismatchError(self._settings.name, len(self._script), *found)

    def _rest_of(self, stops: Rest, inside: Inside, by_tag: dict[Tag, Any]) -> list[Tensor]:
        """The results of a rerun that stopped early."""
        state.change(instead=None)
        outside = {tag: tensor for tag, tensor in by_tag.items() if tensor is not None}
        outside |= {
            tag: variable.tensor_now for tag, (variable, _) in self._readings.by_tag.items() if tag in stops.outside
        }
        return stops.show(inside.made, outside)

    def _instead(self, inside: Inside, values: Sequence[Any], stops: Rest | None) -> Callable[..., Any]:
        """Who computes the ops of the rerun: what the policy kept is only shown, everything else is computed as always.

        Raises Stopped where nothing more is needed.
        """
        first = len(values) - self._results

        def known_or_computed(primitive: Any, operands: Any, params: Any) -> Any:
            index = len(inside.steps)
            if index >= len(self._script) or self._script[index].op != primitive.name or inside not in state.recorders:
                return compute(primitive, operands, params)
            if stops is not None and index >= stops.begins:
                raise Stopped
            kept = [self._residuals.get((index, output)) for output in range(len(self._script[index].made))]
            if None in kept:
                return compute(primitive, operands, params)
            outputs = tuple([_anew(values[first + position]) for position in kept if position is not None])
            announce(primitive, as_tensors(primitive, operands), outputs, params)
            return outputs if len(outputs) > 1 else outputs[0]

        return known_or_computed

    def _source(self, tag: Tag, value: Any) -> Any:
        read = self._readings.by_tag
        return read[tag][0] if tag in read else value

    def _expected(self) -> list[Step] | None:
        return None if self._settings.determinism == "off" else self._script


class Drawn(NamedTuple):
    """Where the generators were before a region, and from which of them it drew."""

    before: list[Any] | None
    sources: list[str]


def _anew(kept: Tensor) -> Tensor:
    """The same array as a new value."""
    tag = kept.tag
    return Tensor(kept.array, Tag(tag.shape, tag.dtype, tag.nbytes), kept.buffer, state.holder)
