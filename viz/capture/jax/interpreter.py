"""Equations run with real numbers, one by one, and what each gradient around them writes down and goes back through.

Tapes stand outermost first, as transformations do in JAX: the innermost replaces each equation by those that it becomes under
differentiation, and hands these to the next one outwards.  Only what comes out at the end runs and is recorded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from jax.extend.core.primitives import add_jaxvals_p as add_any

from ..records import Answered, Contributed, Op, Recorder, Released, Seeded, Summed
from .equations import CUSTOM, Equation, Flat, Number, Taken, called, new_place
from .notes import Array, Notes, values_of
from .plan import Checkpoint, Entry, Plan, Rule, body_of, leading_to
from .regions import Region, first_run, second_run
from .rules import Rules, is_checkpoint
from .tapes import Done, Tape

Arrays = dict[int, Array]


class Interpreter:
    """Runs equations under tapes."""

    def __init__(self, notes: Notes, rules: Rules) -> None:
        self.notes, self.rules = notes, rules
        self.tapes: list[Tape] = []  # all of them, outermost first
        self.regions = 0  # how many have been made
        self.ran: dict[Op, Region] = {}  # by the entry that stands for it

    # ---- forwards -------------------------------------------------------------------------------------------------------

    def run(self, made: Flat, env: Arrays, tapes: Sequence[Tape]) -> list[Op | None]:
        """Run equations under these tapes; returns the op that each was recorded as."""
        for place, data in made.consts.items():
            if place not in env:
                env[place] = self.notes.meet(data)
        if not tapes:
            return [self._one(eqn, env) for eqn in made.equations]
        told: list[Op | None] = []
        chunk: list[Equation] = []
        for eqn in [*made.equations, None]:
            if eqn is not None and not isinstance(eqn.stands_for, Checkpoint):
                chunk.append(eqn)
                continue
            told += self._under(Flat((), (), chunk, made.avals), env, tapes)
            chunk = []
            if eqn is not None:
                told.append(first_run(self, eqn, env, tapes))
        return told

    def _under(self, made: Flat, env: Arrays, tapes: Sequence[Tape]) -> list[Op | None]:
        tape, outer = tapes[-1], tapes[:-1]
        reads = {place for eqn in made.equations for place in eqn.reads}
        reads |= {result for eqn in made.equations if isinstance(eqn.stands_for, Rule) for result in eqn.stands_for.results
                  if isinstance(result, int)}  # fmt: skip
        plan = Plan(made, {place for place in reads if place in env and env[place] in tape.follows}, self.rules)
        told = self.run(plan.made, env, outer)
        for eqn in made.equations:
            for place in eqn.gives:
                there = plan.read(place)
                if there != place:
                    env[place] = self.array(there, env)
        for entry in plan.entries:
            self.writes_down(tape, plan, entry, env, told, told)
        for at, reason in plan.constant.items():
            op = told[at]
            if op is not None and all(by is not tape.recorder for by, _ in op.refused):
                op.refused += ((tape.recorder, reason),)
        for at, eqn in enumerate(plan.made.equations):
            op = told[at]
            if eqn.helps and op is not None and tape.recorder not in op.taken and not op.refused:
                op.refused += ((tape.recorder, "it only works out what the backward pass needs"),)
        return [told[at] for at in plan.at]

    def array(self, taken: Taken, env: Arrays) -> Array:
        """What stands at a place, or a literal."""
        return self.notes.number(taken) if isinstance(taken, Number) else env[taken]

    def writes_down(
        self, tape: Tape, plan: Plan, entry: Entry, env: Arrays, told: list[Op | None], otherwise: list[Op | None]
    ) -> None:
        """A tape takes an equation that has run as an entry."""
        op = told[entry.main] or otherwise[entry.main]
        assert op is not None
        takes = tuple([None if isinstance(taken, Number) else env[taken] for taken in entry.takes])
        gives = tuple([env[place] for place in entry.gives])
        residuals = tuple([residual if isinstance(residual, Number) else env[residual] for residual in entry.residuals])
        eqn = plan.made.equations[entry.main]
        again = env if entry.checkpoint is not None else None
        tape.entries.append(Done(entry, eqn, op, takes, gives, residuals, again))
        live = entry.linear.live if entry.linear is not None else range(len(gives))
        tape.follows.update([gives[at] for at in live])
        if entry.linear is None and entry.checkpoint is None:
            return  # it stands for equations that have entries of their own
        if op in told:
            _taken(op, tape.recorder)
        for residual in residuals:
            if isinstance(residual, Array):
                self._keeps(tape, op, residual, bool(entry.checkpoint))

    def _keeps(self, tape: Tape, op: Op, residual: Array, region: bool) -> None:
        """A residual: an operand or result of the equation, or what another one made."""
        tape.residuals.setdefault(residual, residual.op)
        value = residual.value
        if value in op.takes:
            op.save(tape.recorder, op.takes.index(value))
        elif value in op.gives:
            op.save(tape.recorder, ~op.gives.index(value))
        elif residual.op is not None and not region:
            _taken(residual.op, tape.recorder)
            residual.op.save(tape.recorder, ~residual.op.gives.index(value))

    def _one(self, eqn: Equation, env: Arrays) -> Op | None:
        """Run one equation that nobody differentiates any more."""
        notes = self.notes
        if isinstance(eqn.stands_for, Rule):
            results = [self.array(result, env) for result in eqn.stands_for.results]
            return self._stands(eqn, env, results, eqn.stands_for.name, eqn.stands_for.own)
        if isinstance(eqn.stands_for, Checkpoint):
            return first_run(self, eqn, env, ())
        if eqn.name in CUSTOM or is_checkpoint(eqn):
            return self._opened(eqn, env)
        takes = [
            notes.number(taken, eqn, at) if isinstance(taken, Number) else env[taken]
            for at, taken in enumerate(eqn.takes)
        ]
        with eqn.around.manager:
            out = eqn.primitive.bind(*[array.data for array in takes], **eqn.primitive.get_bind_params(eqn.params))
        outs = list(out) if eqn.primitive.multiple_results else [out]
        op = notes.applied(eqn, takes, outs)
        env.update(zip(eqn.gives, notes.made, strict=True))
        return op

    def _opened(self, eqn: Equation, env: Arrays) -> Op | None:
        """A call whose own rule is not needed here: its equations run one by one."""
        avals: dict[int, Any] = {}
        body = body_of(eqn, self.rules.boxes).again(eqn.takes, avals, eqn)
        told = self.run(body, env, ())
        outs = [self.array(out, env) for out in body.gives]
        followed = any(env[place] in tape.follows for tape in self.tapes for place in eqn.reads)
        made_at_once = told and told[-1] is not None and all(out.op is told[-1] for out in outs) and len(told) == 1
        if followed and not made_at_once:
            for tape in self.tapes:
                for inner in told:
                    if inner is not None and tape.recorder not in inner.taken:
                        inner.refused += (
                            (tape.recorder, f"it runs inside {body_name(eqn)}, which has a rule of its own"),
                        )
            return self._stands(eqn, env, outs, body_name(eqn), True)
        env.update(zip(eqn.gives, outs, strict=True))
        return told[-1] if told else None

    def _stands(self, eqn: Equation, env: Arrays, results: list[Array], name: str, own: bool) -> Op:
        takes = [self.array(taken, env) for taken in eqn.takes]
        op = self.notes.applied(eqn, takes, [result.data for result in results], name, own)
        env.update(zip(eqn.gives, self.notes.made, strict=True))
        return op

    def forget(self, tape: Tape, target: Array) -> None:
        """Drop the entries that no cotangent of the target reaches: JAX does not transpose them."""
        entries = [(done.entry, done.takes, done.gives) for done in tape.entries]
        leading = {id(entry) for entry in leading_to(entries, [target])}
        leads = [done for done in tape.entries if id(done.entry) in leading]
        kept = {residual for done in leads for residual in done.residuals if isinstance(residual, Array)}
        for done in tape.entries:
            if id(done.entry) in leading:
                continue
            done.op.saved = tuple([saved for saved in done.op.saved if saved[0] is not tape.recorder])
            for op in {
                residual.op for residual in done.residuals if isinstance(residual, Array) and residual not in kept
            }:
                if op is not None and op is not done.op and op.context.role == "residual" and tape.recorder in op.taken:
                    op.taken = tuple([by for by in op.taken if by is not tape.recorder])
                    op.saved = tuple([saved for saved in op.saved if saved[0] is not tape.recorder])
                    op.refused += ((tape.recorder, "nothing comes back to it from the result"),)
        tape.entries = leads
        tape.residuals = {array: op for array, op in tape.residuals.items() if array in kept}

    # ---- backwards ------------------------------------------------------------------------------------------------------

    def back(self, tape: Tape, seeds: list[tuple[Array, Array]], outer: Sequence[Tape]) -> dict[Array, Array]:
        """Go back through the entries of a tape; returns the cotangents that arrived at values from before it."""
        got: dict[Array, Array] = {}
        for into, part in seeds:
            self.notes.add(Seeded(recorder=tape.recorder, into=into.value, part=part.value, numbers=part.numbers()))
            got[into] = part
        for done in reversed(tape.entries):
            arrived = {at: got.pop(array) for at, array in enumerate(done.gives) if array in got}
            if not arrived:
                continue
            if done.entry.checkpoint is not None:
                second_run(self, tape, done, arrived, got, outer)
            elif done.entry.linear is None:  # it stands for equations, and their entries go on
                assert done.takes[0] is not None
                self.adds(tape, done, got, done.takes[0], arrived[0], outer, told=False)
            else:
                self._through(tape, done, arrived, got, outer)
        return got

    def _through(
        self, tape: Tape, done: Done, arrived: dict[int, Array], got: dict[Array, Array], outer: Sequence[Tape]
    ) -> None:
        linear = done.entry.linear
        assert linear is not None
        wanted = tuple([at for at in linear.live if at in arrived])
        if not wanted:
            return
        back = linear.back(wanted)
        env: Arrays = {}
        avals: dict[int, Any] = {}
        operands: list[Taken] = []
        for place, given in zip(back.flat.takes, (*done.residuals, *[arrived[at] for at in wanted]), strict=True):
            operands.append(self._put(given, env, back.flat.avals[place], avals))
        flat = back.flat.again(operands, avals, done.eqn)
        where = {place: at for at, eqn in enumerate(flat.equations) for place in eqn.gives}
        gives = dict(zip(back.flat.gives, flat.gives, strict=True))
        begun = 0
        with self.notes.during("gradient", done.op, tape.recorder):
            for position, place in back.gives:  # each share as soon as it is there
                made = gives[place]
                until = max(begun, where.get(made, -1) + 1) if isinstance(made, int) else begun
                self.run(replace(flat, equations=flat.equations[begun:until]), env, outer)
                begun = until
                into = done.takes[position]
                if into is not None:
                    self.adds(tape, done, got, into, self.array(made, env), outer, position)
            self.run(replace(flat, equations=flat.equations[begun:]), env, outer)

    @staticmethod
    def _put(given: Any, env: Arrays, aval: Any, avals: dict[int, Any]) -> Taken:
        if isinstance(given, Number):
            return given
        place = new_place(aval, avals)
        env[place] = given
        return place

    def adds(
        self, tape: Tape, done: Done, got: dict[Array, Array], into: Array, part: Array, outer: Sequence[Tape],
        position: int = 0, told: bool = True,
    ) -> None:  # fmt: skip
        """A share has come back to an array."""
        notes, before = self.notes, got.get(into)
        if told:
            places = [at for at, value in enumerate(done.op.takes) if value is into.value]
            at = position if position in places else places[0] if places else None
            if at is None and done.op.context.region:  # the op is the first run's, and `into` was made anew
                at = position if len(done.op.takes) == len(done.takes) else None
            if at is not None:
                notes.add(Contributed(
                    recorder=tape.recorder, into=into.value, part=part.value, position=at, first=before is None,
                    numbers=part.numbers(),
                ))  # fmt: skip
        if before is None:
            got[into] = part
            return
        avals: dict[int, Any] = {}
        env: Arrays = {}
        operands = [self._put(array, env, array.aval, avals) for array in (before, part)]
        place = new_place(into.aval, avals)
        eqn = Equation(add_any, {}, tuple(operands), (place,), done.eqn.around, done.eqn.site, done.eqn.layer)
        with notes.during("gradient", done.op, tape.recorder, "accumulate"):
            self.run(Flat((), (), [eqn], avals), env, outer)
        total = got[into] = env[place]
        notes.add(Summed(recorder=tape.recorder, into=into.value, total=total.value, numbers=total.numbers()))

    def ends(self, tape: Tape, sources: list[Array], got: dict[Array, Array]) -> None:
        """A backward pass is over."""
        self.notes.add(Released(recorder=tape.recorder))
        arrays = [got[source] for source in sources]
        numbers = {value: snap for array in arrays for value, snap in array.numbers().items()}
        self.notes.add(Answered(
            recorder=tape.recorder, sources=values_of(sources), answers=values_of(arrays), numbers=numbers
        ))  # fmt: skip


def body_name(eqn: Equation) -> str:
    """The program's name for the function that is called."""
    inner = eqn.params.get("jaxpr") or eqn.params["call_jaxpr"]
    return called(getattr(inner, "jaxpr", inner), eqn.name)


def _taken(op: Op, recorder: Recorder) -> None:
    if recorder not in op.taken:
        op.taken = (*op.taken, recorder)
        op.refused = tuple([(by, reason) for by, reason in op.refused if by is not recorder])
