"""Checkpoints: a region that keeps what goes into it, and runs again when the backward pass comes to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..records import (
    Answered,
    Applied,
    Asked,
    Context,
    Entered,
    Left,
    Op,
    Recorder,
    RegionClosed,
    RegionOpened,
    RegionReplayed,
    Released,
)
from .equations import Equation
from .notes import Array
from .plan import Checkpoint
from .tapes import Done, Tape

if TYPE_CHECKING:
    from .interpreter import Interpreter


class Region:
    """A call of `jax.checkpoint` that has run."""

    def __init__(self, identity: str, name: str, path: tuple[str, ...]) -> None:
        self.id, self.name, self.path = identity, name, (*path, name)
        self.runs = 0
        self.entry: Op | None = None
        self.told: list[Op | None] = []  # by equation of the plan, what the first run told it as


def first_run(machine: Interpreter, eqn: Equation, env: dict[int, Array], tapes: Sequence[Tape]) -> Op:
    """Run a region for its results, and for what its policy saves."""
    notes, checkpoint = machine.notes, eqn.stands_for
    machine.regions += 1
    region = Region(f"region {machine.regions}", checkpoint.name, tuple([one.name for one in notes.regions]))
    notes.add(RegionOpened(region=region.id, path=region.path, run=0, context=notes.context()))
    notes.regions.append(region)
    region.told = _run(machine, checkpoint, checkpoint.first, env, tapes)
    notes.regions.remove(region)
    _closed(machine, region, checkpoint, 0, notes.context())
    outs = [machine.array(one, env) for one in checkpoint.plan.made.gives]
    env.update(zip(eqn.gives, outs, strict=True))
    takes = list(dict.fromkeys([env[one] for one in eqn.takes if isinstance(one, int)]))
    op = notes.op(
        notes.rows.own(region.name, len(takes)), tuple([one.value for one in takes]), tuple([one.value for one in outs]),
        site=notes.at(eqn), context=notes.context(eqn), region=region.id,
    )  # fmt: skip
    notes.add(Applied(op=op, site=op.site, context=op.context))
    region.entry = op
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


def _closed(machine: Interpreter, region: Region, checkpoint: Checkpoint, run: int, context: Context) -> None:
    machine.notes.add(RegionClosed(
        region=region.id, path=region.path, run=run, saved=checkpoint.kept, plain=checkpoint.plain, context=context
    ))  # fmt: skip
    region.runs = run + 1


def second_run(
    machine: Interpreter, tape: Tape, done: Done, arrived: dict[int, Array], got: dict[Array, Array],
    outer: Sequence[Tape],
) -> None:  # fmt: skip
    """Run a region again for its residuals, go back through it, and hand on what has come to its operands."""
    notes, checkpoint = machine.notes, done.entry.checkpoint
    assert checkpoint is not None
    region, plan = machine.ran[done.op], checkpoint.plan
    around = notes.work
    work = Context(phase="gradient", cause=done.op, actor=tape.recorder, region=region.path)
    inner = Context(phase="recompute", cause=done.op, actor=tape.recorder, region=region.path)
    notes.add(RegionReplayed(region=region.id, path=region.path, run=region.runs, context=work))
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
    _closed(machine, region, checkpoint, region.runs, work)
    outs = [machine.array(one, env) for one in plan.made.gives]
    sources = [env[done.entry.takes[at]] for at in done.entry.positions]
    notes.work = work
    targets = [outs[at] for at in arrived]
    notes.add(Asked(
        recorder=rerun.recorder, targets=tuple([one.value for one in targets]),
        sources=tuple([one.value for one in dict.fromkeys(sources)]), context=work,
    ))  # fmt: skip
    back = machine.back(rerun, list(zip(targets, arrived.values(), strict=True)), outer)
    unique = list(dict.fromkeys(sources))
    notes.add(Released(recorder=rerun.recorder, context=work))
    answers = tuple([back[one].value if one in back else None for one in unique])
    notes.add(Answered(
        recorder=rerun.recorder, sources=tuple([one.value for one in unique]), answers=answers, context=work
    ))  # fmt: skip
    notes.work = around
    with notes.during("gradient", done.op, tape.recorder):
        for one in unique:
            if one in back:
                position = done.op.takes.index(one.value)
                machine.adds(tape, done, got, one, back[one], outer, position)
