"""The derivative of one equation, as JAX has it: `jax.vjp` and `jax.jvp` of its primitive alone, traced to equations.

Forward, an equation under differentiation becomes the equations that JAX runs in its place, and gives residuals besides its
results.  Backward, residuals and cotangents become cotangents of its operands.  Both are asked of JAX by its public functions,
so that a custom rule, a loop or a solver is differentiated by whatever rule it has.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import jax
import numpy as np

from .equations import CHECKPOINT, CUSTOM, Equation, Flat, Number, flat


class Linear(NamedTuple):
    """What an equation becomes where it is differentiated by some of its operands."""

    known: Flat  # takes the operands that are arrays, gives results and then residuals
    results: int
    live: tuple[int, ...]  # results that a cotangent can come back from
    back: Callable[[tuple[int, ...]], Back]


class Back(NamedTuple):
    """The way back through an equation from some of its results: takes residuals and cotangents."""

    flat: Flat
    gives: tuple[tuple[int, Any], ...]  # by position of the operand, in the order in which JAX adds them up


class Forward(NamedTuple):
    """What an equation becomes where tangents are carried through it: takes operands and tangents."""

    flat: Flat
    results: int
    moved: tuple[bool, ...]  # of each result, whether it has a tangent
    moving: frozenset[int]  # equations that work on tangents


class Rules:
    """The derivatives of a run's equations, each traced once."""

    def __init__(self, boxes: bool) -> None:
        self.boxes = boxes
        self._known: dict[Any, Any] = {}

    def linear(self, eqn: Equation, avals: Sequence[Any], active: tuple[int, ...]) -> Linear | None:
        """The rule of an equation by its operands at these positions; None where nothing comes back through it."""
        made: Linear | None = self._once("linear", eqn, avals, active, self._linear)
        return made

    def forward(self, eqn: Equation, avals: Sequence[Any], active: tuple[int, ...]) -> Forward:
        """How tangents of the operands at these positions are carried through an equation."""
        made: Forward = self._once("forward", eqn, avals, active, self._forward)
        return made

    def _once(self, what: str, eqn: Equation, avals: Sequence[Any], active: Any, make: Callable[..., Any]) -> Any:
        kinds = [
            ("number", np.asarray(given.data).tobytes(), str(aval)) if isinstance(given, Number) else str(aval)
            for given, aval in zip(eqn.takes, avals, strict=True)
        ]
        try:
            key = what, eqn.primitive, tuple(sorted(eqn.params.items())), tuple(kinds), active
            known = self._known.get(key, False)
        except TypeError:  # a parameter that cannot be a key
            return make(eqn, avals, active)
        if known is False:
            known = self._known[key] = make(eqn, avals, active)
        return known

    # ---- backward -------------------------------------------------------------------------------------------------------

    def _linear(self, eqn: Equation, avals: Sequence[Any], active: tuple[int, ...]) -> Linear | None:
        arrays, bound = _bound(eqn, active)
        trees: list[Any] = []
        smooth: list[int] = []

        def forwards(*given: Any) -> Any:
            of, here = bound(given)
            outs, back = jax.vjp(of, *here)
            leaves, tree = jax.tree_util.tree_flatten(back)
            trees[:] = [tree]
            smooth[:] = [at for at, out in enumerate(outs) if _smooth(out)]
            return outs, leaves

        with eqn.around.manager:
            closed, shapes = jax.make_jaxpr(forwards, return_shape=True)(*[_like(avals[at]) for at in arrays])
        known = flat(closed, boxes=self.boxes)
        count = len(shapes[0])
        residuals = [known.aval(given) for given in known.gives[count:]]
        if not smooth:
            return None

        def traced(wanted: tuple[int, ...]) -> Back:
            def backwards(leaves: Any, arrives: Any) -> Any:
                there = dict(zip(wanted, arrives, strict=True))
                cotangents = [
                    there[at] if at in there else np.zeros(shape.shape, jax.dtypes.float0) if at not in smooth
                    else jax.numpy.zeros(shape.shape, shape.dtype)
                    for at, shape in enumerate(shapes[0])
                ]  # fmt: skip
                return jax.tree_util.tree_unflatten(trees[0], leaves)(cotangents)

            cotangents = [_like(shapes[0][at], cotangent=True) for at in wanted]
            with eqn.around.manager:
                closed = jax.make_jaxpr(backwards)([_like(aval) for aval in residuals], cotangents)
            made = flat(closed, boxes=self.boxes)
            depends = _depends(made, made.takes[len(residuals) :])
            order = {place: at for at, part in enumerate(made.equations) for place in part.gives}
            found = [
                (at, given) for at, given in zip(active, made.gives, strict=True)
                if isinstance(given, int) and given in depends
            ]  # fmt: skip
            made.equations = _needed(made.equations, {given for _, given in found}, depends)
            found.sort(key=lambda pair: order.get(pair[1], -1))
            return Back(made, tuple(found))

        backs: dict[tuple[int, ...], Back] = {}

        def back(wanted: tuple[int, ...]) -> Back:
            if wanted not in backs:
                backs[wanted] = traced(wanted)
            return backs[wanted]

        live = tuple(at for at in smooth if back((at,)).gives)
        return Linear(known, count, live, back) if live else None

    # ---- forward --------------------------------------------------------------------------------------------------------

    def _forward(self, eqn: Equation, avals: Sequence[Any], active: tuple[int, ...]) -> Forward:
        arrays, bound = _bound(eqn, active)
        smooth: list[int] = []

        def forwards(given: Any, tangents: Any) -> Any:
            of, here = bound(given)
            outs, moved = jax.jvp(of, tuple(here), tuple(tangents))
            smooth[:] = [at for at, out in enumerate(outs) if _smooth(out)]
            return outs, [moved[at] for at in smooth]

        with eqn.around.manager:
            closed, shapes = jax.make_jaxpr(forwards, return_shape=True)(
                [_like(avals[at]) for at in arrays], [_like(avals[at], cotangent=True) for at in active]
            )
        made = flat(closed, boxes=self.boxes)
        count = len(shapes[0])
        depends = _depends(made, made.takes[len(arrays) :])
        moved = dict(zip(smooth, made.gives[count:], strict=True))
        there = tuple([isinstance(moved.get(at), int) and moved[at] in depends for at in range(count)])
        wanted = {given for given in made.gives[:count] if isinstance(given, int)} | {
            moved[at] for at in range(count) if there[at]
        }
        made.equations = _needed(made.equations, wanted, depends)  # type: ignore[arg-type]
        made.gives = (*made.gives[:count], *[moved[at] if there[at] else Number(None, None) for at in range(count)])
        # A loop is one equation for results and tangents alike; it, and what leads to it, counts as running for the results.
        first = set(_needed(made.equations, {given for given in made.gives[:count] if isinstance(given, int)}, set()))
        moving = frozenset(
            at for at, part in enumerate(made.equations) if depends & set(part.gives) and part not in first
        )
        return Forward(made, count, there, moving)


def _run(eqn: Equation) -> Callable[[Sequence[Any]], list[Any]]:
    def run(operands: Sequence[Any]) -> list[Any]:
        out = eqn.primitive.bind(*operands, **eqn.primitive.get_bind_params(eqn.params))
        return list(out) if eqn.primitive.multiple_results else [out]

    return run


def _like(aval: Any, cotangent: bool = False) -> Any:
    weak = False if cotangent else getattr(aval, "weak_type", False)
    return jax.ShapeDtypeStruct(aval.shape, aval.dtype, weak_type=weak)


def _smooth(out: Any) -> bool:
    return bool(jax.dtypes.issubdtype(out.dtype, np.inexact))


def _depends(made: Flat, on: Sequence[int]) -> set[int]:
    """The places that depend on these."""
    found = set(on)
    for eqn in made.equations:
        if found.intersection(eqn.reads):
            found.update(eqn.gives)
    return found


def _needed(equations: list[Equation], wanted: set[int], depends: set[int]) -> list[Equation]:
    """The equations without those that only fill in zeros: JAX does not run these outside of a trace."""
    kept = []
    needed = set(wanted)
    for eqn in reversed(equations):
        if needed & set(eqn.gives) or depends & set(eqn.gives) or getattr(eqn.primitive, "effects", None):
            needed.update(eqn.reads)
            kept.append(eqn)
    return kept[::-1]


def is_checkpoint(eqn: Equation) -> bool:
    """Whether an equation is a call of `jax.checkpoint`."""
    return eqn.primitive is not None and eqn.name in CHECKPOINT


def is_custom(eqn: Equation) -> bool:
    """Whether an equation is a function with a rule of its own."""
    return eqn.primitive is not None and eqn.name in CUSTOM


def _bound(eqn: Equation, active: tuple[int, ...]) -> tuple[list[int], Callable[[Sequence[Any]], Any]]:
    """Which operands are arrays; and a function from their data to (the equation as a function of its active operands, these)."""
    arrays, run = [at for at, given in enumerate(eqn.takes) if not isinstance(given, Number)], _run(eqn)

    def bound(given: Sequence[Any]) -> Any:
        operands = [fact.data if isinstance(fact, Number) else None for fact in eqn.takes]
        for at, data in zip(arrays, given, strict=True):
            operands[at] = data

        def of(*moving: Any) -> Any:
            mine = list(operands)
            for at, data in zip(active, moving, strict=True):
                mine[at] = data
            return run(mine)

        return of, [operands[at] for at in active]

    return arrays, bound
