"""Checkpoints: a region that keeps what goes into it, and runs again when the backward pass comes to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from .. import regions
from ..records import Answered, Asked, Entered, Left, Op, Recorder, Released
from .equations import Equation
from .notes import Array, values_of
from .plan import Checkpoint
from .tapes import Done, Tape

if TYPE_CHECKING:
    from .interpreter import Interpreter


class Region(regions.Region):
    """A call of `jax.checkpoint` that has run."""

    told: list[Op | None]  # by equation of the plan: the op of its first run


def first_run(machine: Interpreter, eqn: Equation, env: dict[int, Array], tapes: Sequence[Tape]) -> Op:
    """Run a region for its results, and for what its policy saves."""
    notes, checkpoint = machine.notes, eqn.stands_for
    machine.regions += 1
    region = Region(machine.regions, checkpoint.name, tuple([around.name for around in notes.regions]))
    region.saved, region.plain = checkpoint.kept, checkpoint.plain
    notes.add(region.opened(context=notes.context()))
    notes.regions.append(region)
    region.told = _run(machine, checkpoint, checkpoint.first, env, tapes)
    notes.regions.remove(region)
    notes.add(region.closed(context=notes.context()))
    outs = [machine.array(out, env) for out in checkpoint.plan.made.gives]
    env.update(zip(eqn.gives, outs, strict=True))
    takes = list(dict.fromkeys([env[place] for place in eqn.reads]))
    op = region.entry = notes.op(
        notes.rows.own(region.name, len(takes)), values_of(takes), values_of(outs), site=notes.at(eqn),
        context=notes.context(eqn), region=region.id,
    )  # fmt: skip
    notes.ran(op)
    machine.ran[op] = region
    return op


def _run(
    machine: Interpreter, checkpoint: Checkpoint, which: list[int], env: dict[int, Array], tapes: Sequence[Tape]
) -> list[Op | None]:
    made = checkpoint.plan.made
    told: list[Op | None] = [None] * len(made.equations)
    some = replace(made, equations=[made.equations[at] for at in which])
    for at, op in zip(which, machine.run(some, env, tapes), strict=True):
        told[at] = op
    return told


def second_run(
    machine: Interpreter, tape: Tape, done: Done, arrived: dict[int, Array], got: dict[Array, Array],
    outer: Sequence[Tape],
) -> None:  # fmt: skip
    """Run a region again for its residuals, go back through it, and hand on what has come to its operands."""
    notes, checkpoint = machine.notes, done.entry.checkpoint
    assert checkpoint is not None
    region, plan = machine.ran[done.op], checkpoint.plan
    around = notes.work
    work, inner = region.during("gradient", tape.recorder), region.during("recompute", tape.recorder)
    notes.add(region.replayed(context=work))
    rerun = Tape(Recorder(f"{tape.recorder.id} {region.id} {region.runs}", "tape", "rerun"))
    notes.add(Entered(recorder=rerun.recorder, context=inner))
    env = dict(done.again)
    notes.regions.append(region)
    with notes.during("recompute", done.op, tape.recorder):
        told = _run(machine, checkpoint, checkpoint.again, env, outer)
        for entry in plan.entries:
            machine.writes_down(rerun, plan, entry, env, told, region.told)
    notes.regions.remove(region)
    notes.add(Left(recorder=rerun.recorder, context=inner))
    notes.add(region.closed(context=work))
    outs = [machine.array(out, env) for out in plan.made.gives]
    sources = list(dict.fromkeys([env[done.entry.takes[at]] for at in done.entry.positions]))
    notes.work = work
    targets = [outs[at] for at in arrived]
    asked = values_of(sources)
    notes.add(Asked(recorder=rerun.recorder, targets=values_of(targets), sources=asked, context=work))
    back = machine.back(rerun, list(zip(targets, arrived.values(), strict=True)), outer)
    notes.add(Released(recorder=rerun.recorder, context=work))
    answers = tuple([back[source].value if source in back else None for source in sources])
    notes.add(Answered(recorder=rerun.recorder, sources=asked, answers=answers, context=work))
    notes.work = around
    with notes.during("gradient", done.op, tape.recorder):
        for source in sources:
            if source in back:
                machine.adds(tape, done, got, source, back[source], outer, done.op.takes.index(source.value))
