"""Forward mode: a tangent is carried along beside every array, equation by equation, as `jax.jvp` does."""

from __future__ import annotations

from dataclasses import replace

from ..records import Carried, Op, Recorder
from .equations import Equation, Flat, Number, called, new_place
from .interpreter import Arrays, Interpreter
from .notes import Array
from .plan import Rule, body_of
from .rules import is_checkpoint, is_custom


class Carrier:
    """Runs equations with tangents beside them."""

    def __init__(self, machine: Interpreter, recorder: Recorder) -> None:
        self.machine, self.recorder = machine, recorder
        self.tangents: dict[Array, Array] = {}

    def seeds(self, of: Array, tangent: Array) -> None:
        """The direction in which an argument moves."""
        self.tangents[of] = tangent
        self._told(of, tangent, None)

    def run(self, made: Flat, env: Arrays) -> None:
        """Run equations, and carry the tangents that come to them."""
        for place, data in made.consts.items():
            env.setdefault(place, self.machine.notes.meet(data))
        for eqn in made.equations:
            moving = tuple(
                [at for at, taken in enumerate(eqn.takes) if isinstance(taken, int) and env[taken] in self.tangents]
            )
            if is_checkpoint(eqn):  # forward mode keeps nothing, so a checkpoint is just the equations in it
                body = body_of(eqn, self.machine.rules.boxes).again(eqn.takes, dict(made.avals), eqn)
                self.run(body, env)
                env.update(zip(eqn.gives, [self.machine.array(out, env) for out in body.gives], strict=True))
            elif moving:
                self._carried(eqn, made, env, moving)
            else:
                self.machine.run(Flat((), (), [eqn], made.avals), env, ())

    def _carried(self, eqn: Equation, made: Flat, env: Arrays, moving: tuple[int, ...]) -> None:
        machine, notes = self.machine, self.machine.notes
        rule = machine.rules.forward(eqn, [made.aval(taken) for taken in eqn.takes], moving)
        arrays = eqn.reads
        operands, avals = [*arrays], dict(made.avals)
        for at in moving:
            arrived = self.tangents[env[eqn.takes[at]]]  # type: ignore[index]
            place = new_place(arrived.aval, avals)
            operands.append(place)
            env[place] = arrived
        flat = rule.flat.again(operands, avals, eqn)
        for place, data in flat.consts.items():
            env[place] = notes.meet(data)
        results, moved = flat.gives[: rule.results], flat.gives[rule.results :]
        op: Op | None = None
        for at, part in enumerate(flat.equations):
            if at not in rule.moving:
                made_here = set(part.gives) >= {out for out in results if isinstance(out, int)}
                part.helps = part.helps or not made_here
                told = machine.run(Flat((), (), [part], avals), env, ())
                if part.helps and told[0] is not None:
                    told[0].refused += ((self.recorder, "it only works out what the tangent needs"),)
                op = told[0] if made_here and all(t in part.takes for t in arrays) else op
        outs = [machine.array(result, env) for result in results]
        if op is None:
            name = called(eqn.params["call_jaxpr"].jaxpr, eqn.name) if is_custom(eqn) else eqn.name
            stands = replace(eqn, primitive=None, stands_for=Rule(name, results, is_custom(eqn)))
            (op,) = machine.run(Flat((), (), [stands], avals), env, ())
            outs = [env[place] for place in eqn.gives]
        assert op is not None
        env.update(zip(eqn.gives, outs, strict=True))
        op.taken = (*op.taken, self.recorder)
        with notes.during("jvp", op, self.recorder):
            for number in sorted(rule.moving):
                machine.run(Flat((), (), [flat.equations[number]], avals), env, ())
            for out, tangent in zip(outs, moved, strict=True):
                if not isinstance(tangent, Number):
                    self.tangents[out] = env[tangent]
                    self._told(out, env[tangent], op)

    def _told(self, of: Array, tangent: Array, op: Op | None) -> None:
        self.machine.notes.add(Carried(
            recorder=self.recorder, of=of.value, tangent=tangent.value, seed=op is None, op=op, numbers=tangent.numbers()
        ))  # fmt: skip
