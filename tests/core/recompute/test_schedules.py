"""Schedules: counts equal to the formula, executed runs equal to the plan (checks 10 and 11)."""

from __future__ import annotations

import functools
import heapq
import itertools
import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minitape as tf
from minitape.recompute import tree
from minitape.recompute.schedules import _play
from tests.core.recompute.measuring import held


@functools.cache
def fewest(steps: int, slots: int) -> int:
    """The fewest extra runs of a step that reverse so many steps with so many stored states, tried by brute force."""
    if steps <= 1:
        return 0
    if slots == 1:
        return steps * (steps - 1) // 2
    return min(first + fewest(steps - first, slots - 1) + fewest(first, slots) for first in range(1, steps))


@pytest.mark.parametrize("n", range(1, 130))
def test_revolve_is_the_formula(n):
    for slots in range(1, 12):
        shape = tree.revolve(0, n, slots)
        assert tree.runs(shape) == n + tree.extra_runs(n, slots)
        if n > 1:
            assert tree.size(shape) == n


def test_the_table():
    for n in (1, 2, 3, 4, 5, 6, 8, 10, 16, 32, 64, 100):
        for slots in (1, 2, 3, 4, 5, 8, 10):
            assert tf.plan(n, "revolve", slots).extra_runs == fewest(n, slots)
    assert [tf.plan(16, "revolve", c).runs for c in (1, 2, 3, 4, 5, 8)] == [136, 61, 49, 43, 41, 38]
    assert [tf.plan(64, "revolve", c).runs for c in (4, 8)] == [264, 201]
    assert [tf.plan(100, "revolve", c).runs for c in (3, 5, 8, 10)] == [590, 416, 345, 322]
    assert [(p.runs, p.peak_states) for p in (tf.plan(n, "halving") for n in (16, 32, 100))] == [
        (64, 5),
        (160, 6),
        (672, 7),
    ]
    assert [(p.runs, p.peak_states) for p in (tf.plan(n, "sqrt") for n in (16, 64, 100))] == [
        (32, 7),
        (128, 15),
        (200, 19),
    ]
    assert tf.plan(100, "sqrt", keep_last=True).runs == 190


@given(st.integers(1, 129), st.integers(1, 11))
@settings(max_examples=60, deadline=None)
def test_a_plan_never_stores_more_than_its_slots(n, slots):
    plan = tf.plan(n, "revolve", slots)
    assert plan.stored <= slots
    assert plan.runs == sum(action.what in ("ADVANCE", "TAPE") for action in plan.actions)
    assert [a.step for a in plan.actions if a.what == "REVERSE"] == list(reversed(range(n)))
    assert plan.actions[-1].held == ()


def chain(n, **how):
    runs = [0]

    def step(x):
        runs[0] += 1
        return tf.sin(x)

    return tf.checkpoint_sequential([step] * n, **how), runs


@given(
    st.integers(1, 24), st.sampled_from(["none", "sqrt", "halving", "revolve", "uniform", "budget"]), st.integers(1, 6)
)
@settings(max_examples=40, deadline=None)
def test_executed_runs_and_bytes_are_those_of_the_plan(n, schedule, size):
    how = {"revolve": {"slots": size}, "uniform": {"segments": size}, "budget": {"budget": 8 * (size + 6)}}.get(
        schedule, {}
    )
    net, runs = chain(n, schedule=schedule, step_bytes=8, **how)
    x = tf.constant(0.3, tf.float64)
    result = held(net, x)
    assert runs[0] == net.plan.runs and result.after == 0
    assert result.peak == net.plan.peak_bytes
    assert float(result.gradients[0]) == pytest.approx(
        float(held(chain(n, schedule="none")[0], x).gradients[0]), rel=1e-12
    )
    if schedule == "budget":
        assert net.plan.peak_bytes <= how["budget"]


@pytest.mark.parametrize(
    ("how", "forward", "peak", "runs"),
    [
        ({"schedule": "none"}, 128000, 128000, 16),
        ({"segments": 4}, 32000, 56000, 32),
        ({"schedule": "halving"}, 16000, 40000, 64),
    ],
)
def test_sixteen_steps_of_8000_bytes(how, forward, peak, runs):
    net, count = chain(16, **how)
    result = held(net, tf.constant(np.linspace(0.1, 1.0, 1000)))
    assert (result.forward, result.peak, result.after, count[0]) == (forward, peak, 0, runs)


TABLE = [(16, c) for c in (1, 2, 3, 4, 5, 8)] + [(64, c) for c in (4, 8)] + [(100, c) for c in (3, 5, 8, 10)]


@pytest.mark.parametrize(("n", "slots"), TABLE)
def test_revolve_executed(n, slots):
    net, runs = chain(n, schedule="revolve", slots=slots, step_bytes=8)
    x = tf.constant(0.3, tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = net(x)
    slope = tape.gradient(y, x)
    assert runs[0] == net.plan.runs == n + tree.extra_runs(n, slots) and net.plan.stored <= slots
    plain = 0.3
    for _ in range(n):
        plain = math.sin(plain)
    assert float(y) == pytest.approx(plain, rel=1e-12)
    assert float(slope) == pytest.approx(derivative_of_sines(0.3, n), rel=1e-12)


def derivative_of_sines(x, n):
    slope = 1.0
    for _ in range(n):
        slope, x = slope * math.cos(x), math.sin(x)
    return slope


# ---- unequal steps ------------------------------------------------------------------------------------------------------------


def every_tree(low, high):
    """All trees over the steps from low to high."""
    if low == high:
        yield []
        return
    for rest in every_tree(low + 1, high):
        yield [low, *rest]
    for end in range(low + 1, high):
        for inner, rest in itertools.product(every_tree(low, end), list(every_tree(end, high))):
            yield [tree.Segment(inner), *rest]


def cost(shape, costs):
    return sum(costs[action.step] for action in _play(shape, costs)[0] if action.what in ("ADVANCE", "TAPE"))


@pytest.mark.parametrize("n", range(1, 9))
def test_the_dynamic_programme_is_as_cheap_as_any_tree(n):
    draw = random.Random(n)
    trees = list(every_tree(0, n))
    for _ in range(6 if n < 7 else 1):  # 8558 trees of eight steps
        costs, sizes = [draw.randint(1, 9) for _ in range(n)], [draw.randint(1, 5) for _ in range(n)]
        known = [(_play(shape, sizes)[2], cost(shape, costs)) for shape in trees]
        for budget in range(1, sum(sizes) + 1):
            best = min((price for peak, price in known if peak <= budget), default=math.inf)
            if math.isinf(best):
                with pytest.raises(ValueError, match="do not fit"):
                    tf.plan(n, "budget", step_bytes=sizes, step_costs=costs, budget=budget)
                continue
            plan = tf.plan(n, "budget", step_bytes=sizes, step_costs=costs, budget=budget)
            assert plan.cost == best and plan.peak_bytes <= budget


@pytest.mark.parametrize("n", range(1, 7))
def test_the_dynamic_programme_is_as_cheap_as_any_moves(n):
    draw = random.Random(n)
    for units in range(1, 6):
        costs = [draw.randint(1, 9) for _ in range(n)]
        best = least_cost(costs, units, open_steps=True)
        assert math.isinf(best) == (n > 1 == units)  # the beginning of the chain, and what the last step keeps
        if math.isinf(best):
            continue
        for unit in (1, 524_288):
            plan = tf.plan(n, "budget", step_bytes=unit, step_costs=costs, budget=units * unit)
            assert (plan.cost, plan.unit) == (best, 1) and plan.peak_bytes <= units * unit


def test_two_hundred_steps_are_planned_at_least_as_well_as_by_revolve():
    for slots in (4, 20):
        revolve = tf.plan(200, "revolve", slots)
        plan = tf.plan(200, "budget", step_bytes=4096, budget=4096 * revolve.peak_states)
        assert plan.runs <= revolve.runs and plan.unit == 1 and plan.peak_states <= revolve.peak_states


def test_odd_sizes_are_rounded_and_the_plan_says_so():
    sizes = [100_000 + number for number in range(120)]
    plan = tf.plan(120, "budget", step_bytes=sizes, budget=3_000_001)
    assert plan.unit > 1 and f"rounded up to multiples of {plan.unit}" in str(plan)
    assert plan.peak_bytes <= 3_000_001
    even = tf.plan(120, "budget", step_bytes=100_000, budget=3_000_000)
    assert even.runs <= plan.runs <= 1.05 * even.runs and "rounded" not in str(even)


@given(
    st.integers(1, 40), st.sampled_from(["none", "sqrt", "halving", "revolve", "uniform"]), st.integers(1, 6), st.data()
)
@settings(max_examples=60, deadline=None)
def test_the_peak_of_a_tree_is_that_of_its_moves(n, schedule, size, data):
    sizes = data.draw(st.lists(st.integers(1, 9), min_size=n, max_size=n))
    plan = tf.plan(n, schedule, size, sizes, segments=size, keep_last=data.draw(st.booleans()))
    assert tree.peak(plan.shape, sizes) == plan.peak_bytes


def least_cost(costs, slots, open_steps=False):
    """The cheapest way to reverse a chain with so many stored states: a search over all moves, not only trees.

    A state of the search: what is stored, which steps are recorded, where the running value is, how many steps are still to be
    reversed.  Revolve reverses a step as soon as it is recorded, and counts stored states only; with `open_steps` recorded steps
    may stay open, and what they keep counts too.
    """
    n = len(costs)
    order = itertools.count(1)
    heap, done = [(0, 0, (frozenset([0]), frozenset(), 0, n))], set()

    def fits(stored, recorded):
        return len(stored | recorded if open_steps else stored) <= slots

    while heap:
        spent, _, (stored, recorded, at, left) = heapq.heappop(heap)
        if left == 0:
            return spent
        if (stored, recorded, at, left) in done:
            continue
        done.add((stored, recorded, at, left))
        moves = [(0, (stored, recorded, state, left)) for state in stored if state != at]
        moves += [(0, (stored - {state}, recorded, at, left)) for state in stored if state]
        if at < left:
            moves += [(costs[at], (stored, recorded, at + 1, left)), (0, (stored | {at}, recorded, at, left))]
            if open_steps or at == left - 1:
                moves.append((costs[at], (stored, recorded | {at}, at + 1, left)))
        if left - 1 in recorded:
            moves.append((0, (stored, recorded - {left - 1}, left, left - 1)))
        for price, state in moves:
            if fits(*state[:2]):
                heapq.heappush(heap, (spent + price, next(order), state))
    return math.inf


@pytest.mark.parametrize("n", range(1, 9))
def test_revolve_is_as_cheap_as_any_moves(n):
    for slots in range(1, 5):
        assert least_cost([1] * n, slots) == tf.plan(n, "revolve", slots).runs


def test_what_cannot_be_is_refused():
    for wrong in (
        lambda: tf.plan(0),
        lambda: tf.plan(4, "spiral"),
        lambda: tf.plan(4, "revolve"),
        lambda: tf.plan(4, step_bytes=[1, 2]),
        lambda: tf.plan(4, "budget", budget=0),
        lambda: tf.plan(2, step_bytes=[1, -1]),
    ):
        with pytest.raises(ValueError):
            wrong()


def test_it_prints():
    assert str(tf.plan(4, "halving")) == "halving: 4 steps, 8 runs (4 again), at most 3 states = 3 bytes\n[0 1] [2 3]"
    assert [str(action) for action in tf.plan(2, "revolve", 1).actions] == [
        "store 0", "advance 0", "tape 1", "reverse 1", "load 0", "tape 0", "reverse 0", "free 0",
    ]  # fmt: skip
