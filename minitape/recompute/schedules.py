"""Schedules: which steps of a long chain to keep and which to run again, as a plan to print, to draw and to execute."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ..record.refusal import value_error
from . import tree
from .grad import recompute_grad
from .tree import Node, Segment

SCHEDULES = ("none", "uniform", "sqrt", "halving", "revolve", "budget")


class Action(NamedTuple):
    """One move of a schedule.

    ADVANCE runs a step and keeps nothing, TAPE runs it and records it, REVERSE takes its derivative; STORE, LOAD and FREE
    are about the state before the step.
    """

    what: str
    step: int
    held: tuple[int, ...] = ()  # the states that are kept after it

    def __str__(self) -> str:
        return f"{self.what.lower()} {self.step}"


class CheckpointPlan(NamedTuple):
    """A schedule worked out: its shape, its moves, and what it costs."""

    schedule: str
    steps: int
    shape: list[Node]
    actions: tuple[Action, ...]
    runs: int
    cost: float
    peak_states: int
    peak_bytes: int
    # Sizes were rounded up to multiples of so many bytes to find the shape; a cheaper shape may then exist.
    unit: int = 1

    @property
    def extra_runs(self) -> int:
        """Step evaluations beyond one for each."""
        return self.runs - self.steps

    @property
    def stored(self) -> int:
        """The most states that are stored for a rerun at one time."""
        most = 0
        now: dict[int, int] = {}  # a region that begins where the one around it does stores nothing of its own
        for action in self.actions:
            if action.what in ("STORE", "FREE"):
                now[action.step] = now.get(action.step, 0) + (1 if action.what == "STORE" else -1)
                most = max(most, sum([count > 0 for count in now.values()]))
        return most

    def __str__(self) -> str:
        rounded = f" (found with sizes rounded up to multiples of {self.unit})" if self.unit > 1 else ""
        return (
            f"{self.schedule}: {self.steps} steps, {self.runs} runs ({self.extra_runs} again), "
            f"at most {self.peak_states} states = {self.peak_bytes} bytes{rounded}\n{_written(self.shape)}"
        )


def plan(
    n: int, schedule: str = "sqrt", slots: int | None = None, step_bytes: int | Sequence[int] = 1,
    step_costs: Sequence[float] | None = None, *, segments: int | None = None, keep_last: bool = False,
    budget: int | None = None,
) -> CheckpointPlan:  # fmt: skip
    """Work a schedule out for a chain of n steps.

    Args: schedule, "none", "uniform" (`segments` of equal length), "sqrt" (segments of about √n steps, Chen et al. 2016),
    "halving" (halves in halves), "revolve" (fewest runs with `slots` stored states, Griewank and Walther 2000) or "budget"
    (least cost within `budget` bytes, for unequal steps: exact, or for long chains of odd sizes with the sizes rounded up to
    the multiples that the printed plan names); step_bytes, of the state before a step, which is what the tape keeps of it;
    step_costs, for "budget"; keep_last, leave the last segment open.  Raises ValueError for what cannot be.

    >>> print(tf.plan(6, "sqrt"))
    sqrt: 6 steps, 12 runs (6 again), at most 4 states = 4 bytes
    [0 1 2] [3 4 5]
    >>> tf.plan(100, "revolve", slots=8).runs
    345
    """
    if schedule not in SCHEDULES:
        raise value_error(f"schedule is one of {', '.join(map(repr, SCHEDULES))}, got {schedule!r}")
    if n < 1:
        raise value_error(f"a chain has at least one step, got n={n}")
    if n > LONGEST:
        raise _too_long(n)
    sizes = [step_bytes] * n if isinstance(step_bytes, int) else list(step_bytes)
    costs = [1.0] * n if step_costs is None else list(step_costs)
    if len(sizes) != n or len(costs) != n:
        raise value_error(
            f"{n} steps need {n} sizes and costs, got {len(sizes)} and {len(costs)}",
            "Give one per step, or one number for all.",
        )
    if min(sizes) < 0 or min(costs) < 0:
        raise value_error(f"sizes and costs are 0 or more, got {min(*sizes, *costs):g} among them")
    shape = _shape(n, schedule, slots, segments, keep_last, budget, costs, sizes)
    actions, peak_states, peak_bytes = _play(shape, sizes)
    cost = sum([costs[action.step] for action in actions if action.what in ("ADVANCE", "TAPE")])
    unit = tree.grain(sizes, budget) if schedule == "budget" and budget else 1
    rounded = unit if any([size % unit for size in sizes]) else 1
    return CheckpointPlan(schedule, n, shape, actions, tree.runs(shape), cost, peak_states, peak_bytes, rounded)


LONGEST = 100_000  # steps
WRITTEN = 10_000_000  # states that may stand in the moves, which say at each one what is held


def _too_long(n: int) -> ValueError:
    return value_error(
        f"a plan writes down each move and what is held after it, and for {n} steps that is too much",
        "CheckpointPlan a shorter chain: make one step of several, plan(n // 100, schedule).",
    )


def _shape(
    n: int, schedule: str, slots: int | None, segments: int | None, keep_last: bool, budget: int | None,
    costs: list[float], sizes: list[int],
) -> list[Node]:  # fmt: skip
    if schedule == "none":
        return list(range(n))
    if schedule == "sqrt":
        return tree.uniform(n, segments or max(1, n // max(1, math.isqrt(n - 1) + 1)), keep_last)
    if schedule == "halving":
        return tree.halving(0, n)
    needed = {"uniform": ("segments", segments), "revolve": ("slots", slots), "budget": ("budget", budget)}[schedule]
    name, given = needed
    if given is None or given < 1:
        raise value_error(f"schedule {schedule!r} needs {name}=, a whole number above 0; got {given!r}")
    if schedule == "uniform":
        return tree.uniform(n, given, keep_last)
    if schedule == "revolve":
        return tree.revolve(0, n, given)
    return tree.cheapest(costs, sizes, given)


def _play(shape: list[Node], sizes: list[int]) -> tuple[tuple[Action, ...], int, int]:
    """The moves, and the most that is held at one time: a state counts once, whoever holds it."""
    actions: list[Action] = []
    held: dict[int, int] = {}
    peak = [0, 0]
    nbytes = written = 0

    def note(what: str, step: int, change: int = 0) -> None:
        nonlocal nbytes, written
        if change:
            before = held.get(step, 0)
            held[step] = before + change
            if not held[step]:
                del held[step]
            nbytes += ((step in held) - bool(before)) * sizes[step]
            peak[0] = max(peak[0], len(held))
            peak[1] = max(peak[1], nbytes)
        written += len(held)
        if written > WRITTEN:
            raise _too_long(len(sizes))
        actions.append(Action(what, step, tuple(sorted(held))))

    def forward(nodes: list[Node]) -> None:
        for node in nodes:
            if isinstance(node, int):
                note("TAPE", node, 1)
            elif isinstance(node, Segment):
                start = tree.first(node)
                note("STORE", start, 1)
                for step in range(start, start + tree.size(node)):
                    note("ADVANCE", step)
            else:
                forward(node)

    def backward(nodes: list[Node]) -> None:
        for node in reversed(nodes):
            if isinstance(node, int):
                note("REVERSE", node, -1)
            elif isinstance(node, Segment):
                note("LOAD", tree.first(node))
                forward(node.inner)
                backward(node.inner)
                note("FREE", tree.first(node), -1)
            else:
                backward(node)

    forward(shape)
    backward(shape)
    return tuple(actions), peak[0], peak[1]


def _written(nodes: list[Node]) -> str:
    return " ".join(
        str(node)
        if isinstance(node, int)
        else f"[{_written(node.inner)}]"
        if isinstance(node, Segment)
        else _written(node)
        for node in nodes
    )


class CheckpointedSequence:
    """Functions one after the other, run by a plan; what `checkpoint_sequential` returns."""

    def __init__(
        self, functions: Sequence[Callable[[Any], Any]], plan: CheckpointPlan, options: dict[str, Any]
    ) -> None:
        self.functions = list(functions)
        self.plan = plan
        self._options = options

    def __call__(self, x: Any) -> Any:
        return self._run(self.plan.shape, x)

    def _run(self, nodes: list[Node], x: Any) -> Any:
        for node in nodes:
            if isinstance(node, int):
                x = self.functions[node](x)
            elif isinstance(node, Segment):
                x = self._region(node)(x)
            else:
                x = self._run(node, x)
        return x

    def _region(self, node: Segment) -> Any:
        start = tree.first(node)
        name = f"steps {start} to {start + tree.size(node) - 1}"
        return recompute_grad(lambda x: self._run(node.inner, x), **{"name": name, **self._options})

    def __repr__(self) -> str:
        return f"<{len(self.functions)} functions by schedule {self.plan.schedule!r}: {self.plan.runs} runs>"


def checkpoint_sequential(
    functions: Sequence[Callable[[Any], Any]], segments: int | None = None, schedule: str | None = None,
    slots: int | None = None, keep_last: bool = False, *, budget: int | None = None,
    step_bytes: int | Sequence[int] = 1, step_costs: Sequence[float] | None = None, **options: Any,
) -> CheckpointedSequence:  # fmt: skip
    """The functions one after the other, as one function that a tape keeps little of, by a schedule of `plan`.

    Args: segments, how many for "uniform" (the default where it is given; else "sqrt"); the rest as in `plan`; options, those
    of `recompute_grad`.

    >>> net = tf.checkpoint_sequential([tf.sin] * 16, schedule="halving")
    >>> x = tf.constant(1.0)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = net(x)
    >>> round(float(tape.gradient(y, x)), 5), net.plan.runs
    (0.04501, 64)
    """
    chosen = schedule or ("uniform" if segments else "sqrt")
    worked_out = plan(
        len(functions), chosen, slots, step_bytes, step_costs, segments=segments, keep_last=keep_last, budget=budget
    )
    return CheckpointedSequence(functions, worked_out, options)
