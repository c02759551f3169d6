"""A function traced to a jaxpr, and the jaxpr interpreted: its value first, and then its gradients, order by order."""

from __future__ import annotations

import inspect
import os
from collections.abc import Sequence
from typing import Any

import jax
import jaxlib
import numpy as np

from minitape.record.provenance import adopt

from ...schema import clean
from ..records import Asked, Entered, Left, Recorder, Watched
from ..run import OfFramework
from .equations import flat
from .interpreter import Interpreter
from .notes import Array, Notes
from .private import found
from .rules import Rules
from .tapes import Tape

for _module in (jax, jaxlib):
    adopt(os.path.dirname(_module.__file__))
WORDS = {
    "tape": "grad", "tapes": "grads", "a_tape": "A grad", "plain_tape": "a plain grad", "as_what": ", as a residual",
    "lets_go": "lets go of its residuals", "look_away": "what its equations would keep as residuals is dropped",
    "no_tape_looks": "where no residuals are kept", "variables": "arguments", "python": "arrays",
    "listens": "begins to differentiate", "watches": "differentiates by", "block_ends": "The function has returned",
    "does_not_watch": "does not differentiate by", "a_constant": "an array,",
    "one_entry": "writes it down as one equation", "one_entry_many": "write it down as one equation",
}  # fmt: skip
NO_BYTES = (
    "This is JAX's jaxpr, interpreted equation by equation. Memory is not shown: under jit, XLA fuses equations and decides "
    "by itself what is held and when."
)

TRACED = (
    "viz.record_jax traces a function to a jaxpr, as jax.jit does: where Python asks for the number of a traced array, "
    "jax.numpy.where or jax.lax.cond stays in the jaxpr."
)
SMALL = "₀₁₂₃₄₅₆₇₈₉"
MOST = 9  # orders of differentiation


class Run(OfFramework):
    """A function of JAX's that was recorded, as a stream."""

    def __init__(self, title: str = "", lead: str = "") -> None:
        super().__init__(title, lead, framework="JAX", notes=(NO_BYTES,), vocabulary=WORDS)
        self.value: Any = None
        self.gradients: list[Any] = []  # of each order, as jax.grad gives it

    @property
    def gradient(self) -> Any:
        """The gradient of the highest order that was asked for."""
        return self.gradients[-1] if self.gradients else None


def recorded(f: Any, args: Sequence[Any], run: Run, argnums: Any, order: int, boxes: bool) -> Run:
    """Trace a function, and interpret it and its gradients."""
    clean_state = found("_src.core.trace_state_clean")
    if clean_state is not None and not clean_state():
        raise ValueError(
            "viz.record_jax runs with real numbers, and here JAX is tracing: call it outside, not inside of jax.jit, jax.grad "
            "or jax.vmap"
        )
    if not 1 <= order <= MOST:
        raise ValueError(f"order is how often to differentiate, from 1 to {MOST}, not {order}")
    try:
        closed, shape = jax.make_jaxpr(f, return_shape=True)(*args)
    except jax.errors.ConcretizationTypeError as problem:
        problem.add_note(TRACED)
        raise
    _differentiable(f, args, shape, argnums, order)
    notes = Notes(run, _closed_over(f))
    machine = Interpreter(notes, Rules(boxes))
    flat_ = flat(closed, boxes=boxes)
    named = _named(f, args)
    arrays = [notes.meet(jax.numpy.asarray(leaf), name) for _, name, leaf in named]
    env = dict(zip(flat_.takes, arrays, strict=True))
    wanted = (argnums,) if isinstance(argnums, int) else tuple(argnums)
    wanted = tuple([at % len(args) for at in wanted])
    sources = [one for (at, _, _), one in zip(named, arrays, strict=True) if at in wanted]
    machine.tapes = [_tape(notes, level, order, sources) for level in range(order, 0, -1)]
    machine.run(flat_, env, machine.tapes)
    value = target = machine.array(flat_.gives[0], env)
    _name(target, f)
    run.value = value.data
    tapes = list(machine.tapes)
    while tapes:
        tape = tapes.pop()
        notes.add(Left(recorder=tape.recorder))
        target = _back(machine, run, tape, tapes, target, sources)
        structure = jax.tree_util.tree_structure(
            args[argnums] if isinstance(argnums, int) else tuple(args[at] for at in wanted)
        )
        run.gradients[-1] = jax.tree_util.tree_unflatten(structure, run.gradients[-1])
    return run


def _tape(notes: Notes, level: int, order: int, sources: list[Array]) -> Tape:
    """The recorder of one order: the first is the innermost."""
    tape = Tape(Recorder(f"g{level}", "tape", f"grad{SMALL[level]}" if order > 1 else "grad"))
    notes.add(Entered(recorder=tape.recorder))
    for one in sources:
        notes.add(Watched(recorder=tape.recorder, value=one.value))
    tape.follows.update(sources)
    return tape


def _back(machine: Interpreter, run: Run, tape: Tape, outer: list[Tape], target: Array, sources: list[Array]) -> Array:
    notes = machine.notes
    notes.add(Asked(recorder=tape.recorder, targets=(target.value,), sources=tuple([one.value for one in sources])))
    seed = notes.new(jax.numpy.ones(target.aval.shape, target.aval.dtype))
    got = machine.back(tape, [(target, seed)] if target in tape.follows else [], outer)
    for one in sources:
        if one not in got:  # JAX answers with zeros
            got[one] = notes.new(jax.numpy.zeros(one.aval.shape, one.aval.dtype))
    machine.ends(tape, sources, got)
    run.gradients.append([got[one].data for one in sources])
    return got[sources[0]]


def _differentiable(f: Any, args: Sequence[Any], shape: Any, argnums: Any, order: int) -> None:
    """Refuse what has no gradient: in JAX's own words, and for results of many numbers with what to type instead."""
    leaves = jax.tree_util.tree_leaves(shape)
    one = len(leaves) == 1 and jax.tree_util.tree_structure(shape) == jax.tree_util.tree_structure(0)
    name = getattr(f, "__name__", "f")
    if one and leaves[0].shape:
        raise TypeError(
            f"Gradient only defined for scalar-output functions. Output had shape: {tuple(leaves[0].shape)}. "
            f"To see the gradient of its sum: viz.record_jax(lambda *args: {name}(*args).sum(), …)"
        )
    gradient = jax.eval_shape(jax.grad(f, argnums), *args)
    if order > 1 and (jax.tree_util.tree_structure(gradient) != jax.tree_util.tree_structure(0) or gradient.shape):
        raise TypeError(
            f"order={order} differentiates the gradient again, so it takes one argument that is a single number; a Hessian times "
            f"a direction v: viz.record_jax(lambda x: jax.numpy.vdot(jax.grad({name})(x), v), x)"
        )


def _named(f: Any, args: Sequence[Any]) -> list[tuple[int, str, Any]]:
    """Every array that goes in: of which argument, under which name."""
    try:
        names = list(inspect.signature(f).parameters)
    except (TypeError, ValueError):
        names = []
    leaves = []
    for at, arg in enumerate(args):
        name = names[at] if at < len(names) else f"argument {at}"
        for path, leaf in jax.tree_util.tree_flatten_with_path(arg)[0]:
            below = jax.tree_util.keystr(path, simple=True, separator=".")
            leaves.append((at, clean(f"{name}.{below}" if below else name), leaf))
    return leaves


def _closed_over(f: Any) -> dict[str, Any]:
    """Arrays that a function has at hand under a name."""
    try:
        inner = inspect.getclosurevars(inspect.unwrap(f))
    except (TypeError, ValueError):
        return {}
    both = {**inner.globals, **inner.nonlocals}
    return {name: held for name, held in both.items() if isinstance(held, jax.Array | np.ndarray)}


def _name(target: Array, f: Any) -> None:
    name = clean(str(getattr(f, "__name__", "")))
    if name.isidentifier() and not target.value.name:
        target.value.name = name
