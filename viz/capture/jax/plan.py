"""Which equations will run when a list of equations is differentiated; only shapes are needed to know it.

A plan has the equations of the forward pass, and the entries that the backward pass will go through.  It holds
places and no arrays, so that a checkpoint can be run by its plan twice: for its results, and later for its residuals.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

from jax.extend.core import ClosedJaxpr

from ...schema import clean
from .equations import Equation, Flat, Taken, called, flat, new_place
from .rules import Linear, Rules, is_checkpoint, is_custom

SAVED = ("SaveableType", "Saveable", "Offloadable")  # answers of a checkpoint's policy that mean True


class Rule(NamedTuple):
    """One equation that stands for several: a function with a rule of its own, under its name."""

    name: str
    results: tuple[Taken, ...]  # its results, as those equations made them
    own: bool  # the rule is the program's


class Entry(NamedTuple):
    """One step of the backward pass."""

    takes: tuple[Taken, ...]
    gives: tuple[int, ...]
    main: int  # the equation of the plan that it is recorded as
    positions: tuple[int, ...]  # by active operand: its position there
    linear: Linear | None  # none for a checkpoint
    residuals: tuple[Taken, ...]
    checkpoint: Checkpoint | None = None


class Checkpoint:
    """The plan of a call of `jax.checkpoint`: its body, differentiated, and what of it is kept."""

    def __init__(self, plan: Plan, name: str, takes: tuple[Taken, ...], active: tuple[int, ...], policy: Any) -> None:
        self.plan, self.name, self.takes, self.active = plan, name, takes, active
        made = plan.made
        inputs = dict.fromkeys(made.takes)
        self.results = {out for out in made.gives if isinstance(out, int)}
        residuals = plan.residuals()
        self.saved: set[int] = set()
        for eqn in made.equations if policy is not None else ():
            if eqn.primitive is not None and eqn.stands_for is None:
                said = policy(eqn.primitive, *[made.aval(taken) for taken in eqn.takes], **eqn.params)
                if said is True or type(said).__name__ in SAVED:
                    self.saved.update(eqn.gives)
        again = self._closure(residuals, self.saved)
        self.again = [at for at, eqn in enumerate(made.equations) if again.intersection(eqn.gives)]
        # What the second run reads and does not make is kept from the first.
        reads = {place for at in self.again for place in made.equations[at].reads} | residuals
        self.saved &= reads
        self.inputs = tuple([place for place in inputs if place in reads])
        wanted = self._closure(self.results | self.saved, set())
        self.first = [at for at, eqn in enumerate(made.equations) if wanted.intersection(eqn.gives) or not eqn.gives]
        self.kept = sum(nbytes(made.avals[place]) for place in (*self.inputs, *self.saved))
        self.plain = sum(nbytes(made.avals[place]) for place in residuals)

    def _closure(self, wanted: set[int], given: set[int]) -> set[int]:
        needed = set(wanted) - given
        for eqn in reversed(self.plan.made.equations):
            if needed.intersection(eqn.gives):
                reads = eqn.stands_for.results if isinstance(eqn.stands_for, Rule) else eqn.takes
                needed.update([taken for taken in reads if isinstance(taken, int) and taken not in given])
        return needed


class Plan:
    """A list of equations under differentiation by some of what goes in."""

    def __init__(self, made: Flat, active: set[int], rules: Rules) -> None:
        self.rules = rules
        self.active = set(active)
        self.entries: list[Entry] = []
        self.at: list[int] = []  # by equation of the list: the equation of the plan that it is recorded as
        self.constant: dict[int, str] = {}  # equations that nothing comes back through, with the reason
        self._same: dict[int, Taken] = {}
        self.made = Flat(made.takes, (), [], dict(made.avals), dict(made.consts))
        for eqn in made.equations:
            self._add(eqn)
            self.at.append(self._last)
        self.made.gives = tuple(map(self.read, made.gives))

    def residuals(self) -> set[int]:
        """The places that the backward pass reads; of a checkpoint inside, those that it keeps."""
        leading = leading_to([(entry, entry.takes, entry.gives) for entry in self.entries], self.made.gives)
        found = {residual for entry in leading for residual in entry.residuals}
        return {place for place in found if isinstance(place, int) and place not in self.made.consts}

    def read(self, taken: Taken) -> Taken:
        """The place in the plan for a place in the list."""
        return self._same.get(taken, taken) if isinstance(taken, int) else taken

    def _add(self, eqn: Equation) -> None:
        takes = tuple(map(self.read, eqn.takes))
        active = tuple([at for at, taken in enumerate(takes) if isinstance(taken, int) and taken in self.active])
        eqn = replace(eqn, takes=takes)
        if eqn.primitive is None:  # it stands for equations that are here too
            self._stands(eqn)
            return
        if not active:
            self._plain(eqn, "unwatched")
            return
        if is_checkpoint(eqn):
            self._checkpoint(eqn, active)
            return
        avals = [self.made.aval(taken) for taken in takes]
        linear = self.rules.linear(eqn, avals, active)
        if linear is None:
            self._plain(eqn, "no derivative")
            return
        known = linear.known.again(eqn.reads, self.made.avals, eqn)
        self.made.consts.update(known.consts)
        begins = len(self.made.equations)
        self.made.equations += known.equations
        results, residuals = known.gives[: linear.results], known.gives[linear.results :]
        main = self._main(begins, takes, active, results, linear.live)
        gives: list[int] = []
        if main is None:
            main = len(self.made.equations)
            gives = [new_place(self.made.aval(result), self.made.avals) for result in results]
            name = called(eqn.params["call_jaxpr"].jaxpr, eqn.name) if is_custom(eqn) else eqn.name
            stands = Rule(clean(name), results, is_custom(eqn))
            self.made.equations.append(replace(eqn, primitive=None, gives=tuple(gives), stands_for=stands))
        else:
            gives = [result for result in results if isinstance(result, int)]
        for at in range(begins, len(self.made.equations)):
            self.made.equations[at].helps = eqn.helps or at != main
        for place, out in zip(eqn.gives, gives or results, strict=True):
            self._same[place] = out
        self.active.update([gives[at] for at in linear.live])
        self._last = main
        self.entries.append(Entry(takes, tuple(gives), main, active, linear, residuals))

    def _main(
        self, begins: int, takes: tuple[Taken, ...], active: tuple[int, ...], results: tuple[Taken, ...], live: Any
    ) -> int | None:
        """The one equation that makes all results of all active operands, if there is one."""
        if not all(isinstance(result, int) for result in results):
            return None
        for at in range(begins, len(self.made.equations)):
            eqn = self.made.equations[at]
            if all(takes[place] in eqn.takes for place in active) and all(result in eqn.gives for result in results):
                return at
        return None

    def _plain(self, eqn: Equation, reason: str) -> None:
        self._last = len(self.made.equations)
        self.constant[self._last] = reason
        self.made.equations.append(eqn)

    def _stands(self, eqn: Equation) -> None:
        """Add an equation that stands for others: cotangents of its results go on to theirs."""
        results = tuple([self.read(result) for result in eqn.stands_for.results])
        self._last = len(self.made.equations)
        self.made.equations.append(replace(eqn, stands_for=eqn.stands_for._replace(results=results)))
        for place, result in zip(eqn.gives, results, strict=True):
            if isinstance(result, int) and result in self.active:
                self.active.add(place)
                self.entries.append(Entry((result,), (place,), self._last, (0,), None, ()))

    def _checkpoint(self, eqn: Equation, active: tuple[int, ...]) -> None:
        body = body_of(eqn, self.rules.boxes).again(eqn.takes, self.made.avals, None)
        for inside in body.equations:
            inside.layer = "/".join([part for part in (eqn.layer, inside.layer) if part])
            inside.site = inside.site or eqn.site
        body.takes = tuple(dict.fromkeys(body.takes))
        body.avals = self.made.avals
        inner = Plan(body, {eqn.takes[at] for at in active}, self.rules)  # type: ignore[misc]
        name = called(eqn.params["jaxpr"], "checkpoint")
        region = Checkpoint(inner, name, eqn.takes, active, eqn.params.get("policy"))
        gives = []
        for place, out in zip(eqn.gives, inner.made.gives, strict=True):
            if isinstance(out, int) and out in inner.active:
                self.active.add(place)
            gives.append(place)
        kept = (*region.inputs, *region.saved)
        self.made.avals.update(inner.made.avals)
        self._last = len(self.made.equations)
        self.made.equations.append(replace(eqn, stands_for=region))
        self.entries.append(Entry(eqn.takes, tuple(gives), self._last, active, None, kept, region))


def leading_to(entries: list[tuple[Entry, Any, Any]], targets: Iterable[Any]) -> list[Entry]:
    """The entries that a backward pass from these targets comes to, each given with what it takes and gives."""
    reached, found = set(targets), []
    for entry, takes, gives in reversed(entries):
        live = range(len(gives)) if entry.linear is None else entry.linear.live
        wanted = tuple([at for at in live if gives[at] in reached])
        if wanted:
            back = entry.positions if entry.linear is None else [at for at, _ in entry.linear.back(wanted).gives]
            reached.update([takes[at] for at in back])
            found.append(entry)
    return found[::-1]


def body_of(eqn: Equation, boxes: bool = False) -> Flat:
    """The equations inside of a call."""
    inner = eqn.params["jaxpr"] if "jaxpr" in eqn.params else eqn.params["call_jaxpr"]
    closed = inner if hasattr(inner, "consts") else ClosedJaxpr(inner, ())
    return flat(closed, boxes=boxes)


def nbytes(aval: Any) -> int:
    """The bytes of an array, from its shape and dtype."""
    return int(math.prod(aval.shape) * aval.dtype.itemsize)
