"""What is left of the list of checks: Keras, bytes counted twice, policies, and random programs (2, 10, 12, 17, 19)."""

from __future__ import annotations

import contextlib
import gc
import io
import tracemalloc
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minitape as tf
from minitape.engine import straight
from minitape.recompute import policies
from tests.core.recompute.measuring import held

# ---- check 2 ----------------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(tf, "keras"), reason="tf.keras is not there yet")
def test_the_documented_model():
    def printing(x):
        tf.print("running")
        return x

    model = tf.keras.Sequential([tf.keras.layers.Lambda(printing), tf.keras.layers.Dense(2)])
    again = tf.recompute_grad(model)
    assert again.__wrapped__ is model and list(again.__wrapped__.variables) == []

    def lines(run):
        stream = io.StringIO()
        with contextlib.redirect_stderr(stream), contextlib.redirect_stdout(stream):
            answer = run()
        return answer, stream.getvalue().splitlines()

    def forward():
        with tf.GradientTape(persistent=True) as tape:
            r = tf.constant([[1, 2]])
            for _ in range(4):
                r = again(r)
        return tape, r

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (tape, r), printed = lines(forward)
        assert printed == ["running"] * 4
        first, printed = lines(lambda: tape.gradient(r, model.variables))
        assert printed == ["running"] * 4
        second, printed = lines(lambda: tape.gradient(r, again.__wrapped__.variables))
        assert printed == ["running"] * 4
    assert len(again.__wrapped__.variables) == 2
    for one, other in zip(first, second, strict=True):
        np.testing.assert_array_equal(one, other)


# ---- check 12 ---------------------------------------------------------------------------------------------------------------


def sines(x):
    a = tf.checkpoint_name(tf.sin(x), "a")
    b = tf.checkpoint_name(tf.sin(a), "b")
    return tf.sin(b)


@pytest.mark.parametrize(
    ("policy", "units"),
    [
        (None, 1),  # x
        (policies.nothing, 1),
        (policies.everything, 4),  # x, and what the three sines made: a name keeps no bytes of its own
        (policies.save_only("a"), 2),
        (policies.save_any_but("a"), 2),
        (policies.save_except("a"), 4),  # the value under the name is the sine's own, and that has no name
        (policies.ops("sin"), 4),
        (policies.larger_than(7999), 4),
        (policies.larger_than(8000), 1),
        (policies.both(policies.ops("sin"), policies.larger_than(8000)), 1),
    ],
)
def test_policies(policy, units):
    x = tf.constant(np.linspace(0.1, 1.0, 1000))
    region = tf.recompute_grad(sines, policy=policy)
    before = tf.ledger.held_for_backward
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = region(x)
    assert tf.ledger.held_for_backward - before == units * 8000
    assert f"keeps {units * 8000} bytes, a plain tape 24000" in tf.explain_recompute(tape)
    np.testing.assert_array_equal(tape.gradient(y, x), held(sines, x).gradients[0])


def test_what_is_kept_is_not_computed_again(monkeypatch):
    from minitape.ops import elementwise

    computed = []
    sin = elementwise.sin.forward
    monkeypatch.setattr(elementwise.sin, "forward", lambda x: computed.append(1) or sin(x))
    for name, heard in (("run", False), ("run_heard", True)):
        monkeypatch.setattr(elementwise.sin, name, straight(elementwise.sin, heard=heard))
    x = tf.constant(1.0)
    for policy, runs in ((None, 6), (policies.everything, 3), (policies.save_only("a"), 6), (policies.ops("sin"), 3)):
        computed.clear()
        held(tf.recompute_grad(sines, policy=policy), x)
        assert len(computed) == runs


# ---- check 17 ---------------------------------------------------------------------------------------------------------------


def test_accumulators_refuse_what_does_not_fit():
    x = tf.constant([1.0, 2.0])
    with pytest.raises(ValueError, match=r"\(3,\).*\(2,\)"):
        tf.autodiff.ForwardAccumulator(x, tf.ones([3]))
    with pytest.raises(ValueError, match=r"\[2\] was specified as a primal multiple times"):
        tf.autodiff.ForwardAccumulator([x, x], [x, x])


# ---- check 19 ---------------------------------------------------------------------------------------------------------------

UNARY = [tf.sin, tf.tanh, tf.exp, lambda x: x * x, lambda x: -x, lambda x: x * 0.5]
BINARY = [lambda a, b: a + b, lambda a, b: a * b, lambda a, b: a - b]


@st.composite
def programs(draw):
    """Steps of a program on a growing list of values, and where regions begin and end."""
    steps = []
    for position in range(draw(st.integers(2, 12))):
        operands = st.integers(0, position + 1)  # two inputs come first
        if draw(st.booleans()):
            steps.append((draw(st.sampled_from(UNARY)), (draw(operands),)))
        else:
            steps.append((draw(st.sampled_from(BINARY)), (draw(operands), draw(operands))))
    cuts = sorted(draw(st.sets(st.integers(1, len(steps) - 1), max_size=3))) if len(steps) > 1 else []
    return steps, [0, *cuts, len(steps)]


CHOICES = [None, policies.nothing, policies.everything, policies.ops("sin", "multiply")]


def used_on_both_sides(steps, cuts):
    """Whether a value is used in two parts, or in one and as a result: then its contributions are added in other groups."""
    results = {len(steps) + 1, len(steps)}
    parts = [next(number for number, cut in enumerate(cuts[1:]) if step < cut) for step in range(len(steps))]
    for value in range(len(steps) + 2):
        users = {parts[step] for step, (_, operands) in enumerate(steps) if value in operands}
        if len(users) + (value in results) > 1:
            return True
    return False


@given(
    programs(),
    st.sampled_from(CHOICES),
    st.sampled_from(["record", "recompute"]),
    st.sampled_from(["metadata", "values"]),
    st.booleans(),
    st.booleans(),
)
@settings(max_examples=50, deadline=None)
def test_random_programs_with_regions_at_random_cuts(program, policy, mode, determinism, early_stop, nested):
    steps, cuts = program

    def part(low, high):
        def run(values):
            values = list(values)
            for function, operands in steps[low:high]:
                values.append(function(*[values[one] for one in operands]))
            return values

        return run

    def whole(wrap):
        def run(a, b):
            values = [a, b]
            for low, high in zip(cuts, cuts[1:]):
                values = wrap(part(low, high))(values)
            return values[-1], values[-2]

        return run

    def wrap(f):
        options = {"policy": policy, "higher_order": mode, "determinism": determinism, "early_stop": early_stop}
        return tf.recompute_grad(tf.recompute_grad(f, **options) if nested else f, **options)

    a, b = tf.constant([0.3, -0.2], tf.float64), tf.constant([0.7, 0.1], tf.float64)
    with np.errstate(all="ignore"):
        plain, regions = held(whole(lambda f: f), a, b), held(whole(wrap), a, b)
    strict = not used_on_both_sides(steps, cuts)
    for one, other in zip(plain.gradients, regions.gradients, strict=True):
        assert (one is None) == (other is None)
        if one is not None and strict:
            np.testing.assert_array_equal(other, one)
        elif one is not None:
            np.testing.assert_allclose(other, one, rtol=1e-13, atol=1e-300)
    assert regions.after == 0
    if policy in (None, policies.nothing):
        assert regions.forward <= sum(8 * 2 * (low + 2) for low in cuts[:-1])
    else:  # what goes in, and at most all that is made inside
        assert regions.forward <= sum(8 * 2 * (low + 2 + high - low) for low, high in zip(cuts, cuts[1:]))


@given(st.lists(st.sampled_from(UNARY), min_size=1, max_size=12), st.data())
@settings(max_examples=40, deadline=None)
def test_random_chains_by_random_schedules_are_equal_to_the_bit(steps, data):
    n = len(steps)
    schedule = data.draw(st.sampled_from(["none", "uniform", "sqrt", "halving", "revolve", "budget"]))
    size = data.draw(st.integers(1, 5))
    how = {"revolve": {"slots": size}, "uniform": {"segments": size}, "budget": {"budget": size + 5}}.get(schedule, {})
    options = {"policy": data.draw(st.sampled_from(CHOICES)), "early_stop": data.draw(st.booleans())}
    net = tf.checkpoint_sequential(steps, schedule=schedule, **how, **options)

    def plain(x):
        for step in steps:
            x = step(x)
        return x

    x = tf.constant([0.3, -0.2], tf.float64)
    with np.errstate(all="ignore"):
        ours, theirs = held(net, x), held(plain, x)
    np.testing.assert_array_equal(ours.gradients[0], theirs.gradients[0])
    assert ours.after == 0 and net.plan.steps == n


# ---- check 10 ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "how", [{"schedule": "none"}, {"segments": 4}, {"schedule": "halving"}, {"schedule": "revolve", "slots": 3}]
)
def test_what_the_ledger_says_is_what_python_has(how):
    """16 sine steps on 800 kB: beyond what tapes hold there are the result, its slope, and three values at work."""
    array = 800_000
    net = tf.checkpoint_sequential([tf.sin] * 16, **how)
    x = tf.constant(np.linspace(0.1, 1.0, array // 8))
    wanted = held(net, x).peak
    gc.collect()
    tracemalloc.start()
    try:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = net(x)
        tape.gradient(y, x)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    own = array  # x is held by the tape, and was there before
    assert wanted - own <= peak <= wanted - own + 5.2 * array


def test_what_the_ledger_says_of_reversible_layers_is_what_python_has():
    array = 800_000
    a, b = tf.constant(np.linspace(0.1, 1.0, array // 8)), tf.constant(np.linspace(0.3, 1.0, array // 8))
    peaks = []
    for depth in (4, 16, 64):
        net = tf.ReversibleSequential([tf.ReversibleLayer(tf.sin, tf.sin) for _ in range(depth)], drift="off")
        gc.collect()
        tracemalloc.start()
        try:
            with tf.GradientTape() as tape:
                tape.watch([a, b])
                y = net(a, b)
            tape.gradient(y, [a, b])
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
    # Three are held; beside them there are two results, two slopes, and three values at work.
    assert 3 * array <= min(peaks) and max(peaks) <= 10.2 * array
    assert max(peaks) - min(peaks) < array
