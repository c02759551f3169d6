"""A function traced to a jaxpr, and the jaxpr interpreted: its value first, and then its gradients, order by order."""

from __future__ import annotations

import inspect
import os
from collections.abc import Sequence
from typing import Any

import jax
import jaxlib
import numpy as np

from ...schema import clean
from ..borrowed import adopt, called
from ..records import Asked, Entered, Left, LookedUp, Recorder, Value, Watched
from ..run import OfFramework
from .equations import Flat, flat
from .forward import Carrier
from .interpreter import Arrays, Interpreter
from .notes import Array, Notes, values_of
from .private import found
from .rules import Rules, is_checkpoint
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

NO_INSIDE = (
    "What runs inside of a scan, while, cond or kernel is one box: its numbers are JAX's, its turns are not told. A loop of "
    "Python's over few turns stands in the jaxpr turn by turn."
)
NO_INNER = (
    "The function differentiates by itself (jax.grad inside): that backward pass is told as equations like any others; "
    "viz.record_jax(…, order=2) of what it differentiates tells one inside the other."
)
NO_REGIONS = "With order > 1 a gradient around another sees the equations of a checkpoint, and keeps their residuals."
OPAQUE = ("scan", "while", "cond", "pallas_call", "shard_map", "jit", "pjit")
TRACED = (
    "viz.record_jax traces a function to a jaxpr, as jax.jit does: where Python asks for the number of a traced array, "
    "jax.numpy.where or jax.lax.cond stays in the jaxpr."
)
SMALL = "₀₁₂₃₄₅₆₇₈₉"
MOST = 9  # the highest order of differentiation


class Run(OfFramework):
    """A function of JAX's that was recorded, as a stream."""

    def __init__(self, title: str = "", lead: str = "") -> None:
        super().__init__(title, lead, framework="JAX", notes=(NO_BYTES,), vocabulary=WORDS)
        self.value: Any = None
        self.gradients: list[Any] = []  # of each order, as jax.grad gives it
        self.tangent: Any = None  # in forward mode, as jax.jvp gives it

    def kept(self) -> list[Value]:
        """What the first gradient keeps for its backward pass, each array once: its residuals, with `bytes`, shape and dtype."""
        first = self.notes.machine.tapes[-1]
        return [array.value for array in first.residuals]

    @property
    def gradient(self) -> Any:
        """The gradient of the highest order that was asked for."""
        return self.gradients[-1] if self.gradients else None


def recorded(f: Any, args: Sequence[Any], run: Run, argnums: Any, order: int, boxes: bool, tangents: Any) -> Run:
    """Trace a function, and interpret it and its gradients, or its tangents."""
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
    if tangents is None:
        _differentiable(f, args, shape, argnums, order)
    else:
        jax.eval_shape(lambda *both: jax.jvp(f, both[: len(args)], both[len(args) :]), *args, *tangents)
    notes = Notes(run, _closed_over(f))
    machine = notes.machine = Interpreter(notes, Rules(boxes))
    made = flat(closed, boxes=boxes)
    named = _named(f, args)
    arrays = [notes.meet(jax.numpy.asarray(leaf), name) for _, name, leaf in named]
    env = dict(zip(made.takes, arrays, strict=True))
    if any(eqn.name in OPAQUE for eqn in made.equations):
        notes.say(NO_INSIDE)
    if any(eqn.transposed for eqn in made.equations):
        notes.say(NO_INNER)
    if tangents is None:
        _backward(machine, run, f, made, env, args, argnums, order, [at for at, _, _ in named])
    else:
        _forward(machine, run, f, made, env, shape, tangents)
    return run


def _backward(
    machine: Interpreter, run: Run, f: Any, made: Flat, env: Arrays, args: Sequence[Any], argnums: Any, order: int,
    of: list[int],
) -> None:  # fmt: skip
    notes, single = machine.notes, isinstance(argnums, int)
    wanted = [at % len(args) for at in ([argnums] if single else argnums)]
    by = {at: [env[place] for place, arg in zip(made.takes, of, strict=True) if arg == at] for at in wanted}
    sources = [array for at in wanted for array in by[at]]
    structure = jax.tree_util.tree_structure(args[argnums] if single else tuple([args[at] for at in wanted]))
    machine.tapes = [_tape(notes, level, order, sources) for level in range(order, 0, -1)]
    if order > 1 and any(is_checkpoint(eqn) for eqn in made.equations):
        notes.say(NO_REGIONS)
    machine.run(made, env, machine.tapes)
    target = machine.array(made.gives[0], env)
    _name(target, f)
    run.value = target.data
    tapes = list(machine.tapes)
    while tapes:
        tape = tapes.pop()
        notes.add(Left(recorder=tape.recorder))
        got = _back(machine, tape, tapes, target, sources)
        run.gradients.append(jax.tree_util.tree_unflatten(structure, [got[source].data for source in sources]))
        target = got[sources[0]]


def _forward(machine: Interpreter, run: Run, f: Any, made: Flat, env: Arrays, shape: Any, tangents: Any) -> None:
    notes = machine.notes
    carrier = Carrier(machine, Recorder("j1", "accumulator", "jvp"))
    notes.add(Entered(recorder=carrier.recorder))
    for place, tangent in zip(made.takes, jax.tree_util.tree_leaves(tangents), strict=True):
        if tangent.dtype != jax.dtypes.float0 if hasattr(tangent, "dtype") else True:
            carrier.seeds(env[place], notes.new(jax.numpy.asarray(tangent, env[place].aval.dtype)))
    carrier.run(made, env)
    notes.add(Left(recorder=carrier.recorder))
    outs = [machine.array(out, env) for out in made.gives]
    if len(outs) == 1:
        _name(outs[0], f)
    structure = jax.tree_util.tree_structure(shape)
    run.value = jax.tree_util.tree_unflatten(structure, [out.data for out in outs])
    moved = [carrier.tangents.get(out) for out in outs]
    zeros = [jax.numpy.zeros(out.aval.shape, out.aval.dtype) for out in outs]
    run.tangent = jax.tree_util.tree_unflatten(
        structure, [zero if tangent is None else tangent.data for tangent, zero in zip(moved, zeros, strict=True)]
    )
    for out, tangent in zip(outs, moved, strict=True):
        known = None if tangent is None else tangent.value
        notes.add(LookedUp(recorder=carrier.recorder, of=out.value, found=known))


def _tape(notes: Notes, level: int, order: int, sources: list[Array]) -> Tape:
    """The recorder of one order: the first is the innermost."""
    tape = Tape(Recorder(f"g{level}", "tape", f"grad{SMALL[level]}" if order > 1 else "grad"))
    notes.add(Entered(recorder=tape.recorder))
    for source in sources:
        notes.add(Watched(recorder=tape.recorder, value=source.value))
    tape.follows.update(sources)
    return tape


def _back(
    machine: Interpreter, tape: Tape, outer: list[Tape], target: Array, sources: list[Array]
) -> dict[Array, Array]:
    notes = machine.notes
    notes.add(Asked(recorder=tape.recorder, targets=(target.value,), sources=values_of(sources)))
    seed = notes.new(jax.numpy.ones(target.aval.shape, target.aval.dtype))
    machine.forget(tape, target)
    got = machine.back(tape, [(target, seed)] if target in tape.follows else [], outer)
    for source in sources:
        if source not in got:  # JAX answers with zeros
            got[source] = notes.new(jax.numpy.zeros(source.aval.shape, source.aval.dtype))
    machine.ends(tape, sources, got)
    return got


def _differentiable(f: Any, args: Sequence[Any], shape: Any, argnums: Any, order: int) -> None:
    """Raise JAX's own error for a function without a gradient; for a result of many numbers, say what to type instead."""
    leaves = jax.tree_util.tree_leaves(shape)
    single = len(leaves) == 1 and jax.tree_util.tree_structure(shape) == jax.tree_util.tree_structure(0)
    name = called(f, "f")
    name = "f" if name == "lambda" else name  # what it says to type must run
    if single and leaves[0].shape:
        raise TypeError(
            f"Gradient only defined for scalar-output functions. Output had shape: {tuple(leaves[0].shape)}. "
            f"To see the gradient of its sum: viz.record_jax(lambda *args: {name}(*args).sum(), …)"
        )
    by = [args[at] for at in ((argnums,) if isinstance(argnums, int) else argnums)]
    kinds = {jax.numpy.result_type(leaf) for leaf in (*jax.tree_util.tree_leaves(by), *leaves)}
    if single and order == 1 and all(jax.numpy.issubdtype(kind, jax.numpy.floating) for kind in kinds):
        return  # it has a gradient, and need not be traced once more
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
