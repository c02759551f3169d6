"""recompute_grad: one entry, run again in the backward pass (checks 1, 3 to 9, 16)."""

from __future__ import annotations

import pathlib
import random

import numpy as np
import pytest

import minitape as tf
from minitape.recompute import RecomputeMismatchError, RecomputeSideEffectWarning, VariableChangedWarning
from minitape.recompute.account import is_recomputing
from minitape.record.events import listening, state
from minitape.testing import check_gradients

FA = tf.autodiff.ForwardAccumulator
MODES = pytest.mark.parametrize("mode", ["record", "recompute"])


class Counted:
    """A function that counts its runs and remembers its inputs."""

    def __init__(self, f):
        self.f, self.runs, self.inputs = f, 0, []

    def __call__(self, *args, **kwargs):
        self.runs += 1
        self.inputs += [float(one) for one in args if isinstance(one, tf.Tensor) and one.ndim == 0]
        return self.f(*args, **kwargs)


def gradient(f, x, order=1):
    if order == 0:
        return f(x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = gradient(f, x, order - 1)
    return tape.gradient(y, x)


# ---- check 1 ----------------------------------------------------------------------------------------------------------------


def test_the_documented_example(capsys):
    y = tf.Variable(1.0)

    def my_function(x):
        print("running")
        return x * y

    for function, again in ((tf.recompute_grad(my_function), 4), (my_function, 0)):
        with tf.GradientTape() as tape:
            r = tf.constant(1.0)
            for _ in range(4):
                r = function(r)
        assert capsys.readouterr().out.count("running") == 4
        assert float(tape.gradient(r, [y])[0]) == 4.0
        assert capsys.readouterr().out.count("running") == again


def test_the_order_of_reruns_and_a_persistent_tape():
    y, f = tf.Variable(2.0), Counted(lambda x: x * y)
    g = tf.recompute_grad(f)
    with tf.GradientTape(persistent=True) as tape:
        r = first = tf.constant(3.0)
        tape.watch(r)
        for _ in range(4):
            r = g(r)
    runs = [f.runs]
    f.inputs.clear()
    assert [float(one) for one in tape.gradient(r, [y, first])] == [96.0, 16.0]
    assert f.inputs == [24.0, 12.0, 6.0, 3.0]
    runs.append(f.runs)
    tape.gradient(r, y)
    assert [*runs, f.runs] == [4, 8, 12]


# ---- check 3 ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("depth", range(1, 7))
def test_nested_regions_run_once_per_depth(depth):
    leaf = Counted(lambda x: x * x)
    f = tf.recompute_grad(leaf)
    for _ in range(depth - 1):
        f = tf.recompute_grad(lambda x, inner=f: inner(x))
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    assert leaf.runs == 1
    assert float(tape.gradient(y, x)) == 4.0
    assert leaf.runs == 1 + depth


@pytest.mark.parametrize("early_stop", [False, True])
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_what_a_policy_keeps_of_an_inner_region_stays_reachable(depth, early_stop):
    """The inner region's results are kept as what it returns and once more as what its own policy keeps: one value."""

    def region(x):
        return [x + x, tf.exp(x)]

    for _ in range(depth):
        region = tf.recompute_grad(region, policy=tf.recompute.policies.everything, early_stop=early_stop)
    x = tf.constant(1.0)
    held = tf.ledger.held_for_backward
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = region(x)[1]  # the other result goes
    assert [entry.held for entry in tape.entries] == [True]
    assert float(tape.gradient(y, x)) == pytest.approx(np.e)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = region(x)
        del y  # and what nobody can reach any more is let go of
        assert tf.ledger.held_for_backward == held and not any(entry.held for entry in tape.entries)


def test_two_by_two_segments():
    leaf = Counted(lambda x: x * 1.5)
    wrapped = tf.recompute_grad(leaf)
    segment = tf.recompute_grad(lambda x: wrapped(wrapped(x)))
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = segment(segment(x))
    assert leaf.runs == 4
    assert float(tape.gradient(y, x)) == 5.0625
    assert leaf.runs == 12


# ---- check 4 ----------------------------------------------------------------------------------------------------------------


@MODES
def test_higher_orders(mode):
    def wrap(f):
        return tf.recompute_grad(f, higher_order=mode)

    x, g = tf.constant(3.0), wrap(lambda x: x * x * x)
    assert [float(gradient(g, x, n)) for n in (1, 2, 3)] == [27.0, 18.0, 6.0]
    for f, once, twice in (
        (lambda x: g(tf.sin(x)), -0.0591467, 0.8214266),
        (lambda x: g(g(x)), 59049.0, 157464.0),
        (lambda x: tf.sin(g(x)), -7.8877478, -702.45655),
    ):
        assert float(gradient(f, x, 1)) == pytest.approx(once, rel=2e-6)
        assert float(gradient(f, x, 2)) == pytest.approx(twice, rel=2e-5)
    y = tf.Variable(2.0)
    h = wrap(lambda x: x * x * y)
    assert [float(gradient(h, x, n)) for n in (1, 2)] == [12.0, 4.0]
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            r = g(x)
        d = inner.gradient(r, x)
    assert float(outer.jacobian(d, x)) == 18.0


@pytest.mark.parametrize(
    ("mode", "single", "chain", "bytes_of_single", "bytes_of_chain"),
    [("record", (1, 1, 0), (2, 2, 1), 32, 64), ("recompute", (1, 1, 1), (2, 2, 3), 16, 32)],
)
def test_runs_at_second_order(mode, single, chain, bytes_of_single, bytes_of_chain):
    for times, wanted, most in ((1, single, bytes_of_single), (2, chain, bytes_of_chain)):
        f = Counted(lambda x: x * x * x)
        g = tf.recompute_grad(f, higher_order=mode)
        x = tf.constant(3.0, tf.float64)
        before = tf.ledger.held_for_backward
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                r = x
                for _ in range(times):
                    r = g(r)
            runs = [f.runs]
            d = inner.gradient(r, x)
            runs.append(f.runs - sum(runs))
        assert tf.ledger.held_for_backward - before <= most
        outer.gradient(d, x)
        assert (*runs, f.runs - sum(runs)) == wanted


@MODES
def test_against_central_differences(mode):
    v = tf.Variable(0.7, dtype=tf.float64)
    region = tf.recompute_grad(lambda x, k: tf.sin(x * k) * tf.exp(-x) * v, higher_order=mode)
    check_gradients(region, [tf.constant([0.3, 1.1]), tf.constant(0.8)])


# ---- check 5 ----------------------------------------------------------------------------------------------------------------


@MODES
def test_forward_mode(mode):
    f = Counted(lambda x: x * x * x)
    g = tf.recompute_grad(f, higher_order=mode)
    one = tf.constant(1.0)
    x = tf.constant(2.0)
    with FA(x, one) as acc:
        y = g(x)
    assert (float(acc.jvp(y)), f.runs) == (12.0, 1)

    for at, (first, second) in ((2.0, (12.0, 12.0)), (3.0, (27.0, 18.0))):
        x = tf.constant(at)
        f.runs = 0
        with FA(x, one) as acc:  # forward over backward
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = g(x)
            d = tape.gradient(y, x)
        assert (float(d), float(acc.jvp(d)), f.runs) == (first, second, 2)
        with FA(x, one) as a, FA(x, one) as b:
            y = g(x)
            p = b.jvp(y)
        assert (float(p), float(a.jvp(p))) == (first, second)
        f.runs = 0
        with tf.GradientTape() as tape:  # backward over forward
            tape.watch(x)
            with FA(x, one) as acc:
                y = g(x)
            p = acc.jvp(y)
        assert f.runs == 1
        assert float(tape.gradient(p, x)) == second
        assert f.runs == 2

    matrix, at, v = tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([0.1, 0.2]), tf.constant([1.0, -1.0])
    region = tf.recompute_grad(lambda x: tf.tanh(tf.linalg.matvec(matrix, x)))
    with FA(at, v) as acc:
        y = region(at)
    np.testing.assert_allclose(acc.jvp(y), [-0.78644776, -0.35920131], rtol=1e-6)


def test_a_tape_sees_a_lifted_region_as_one_entry():
    g = tf.recompute_grad(lambda x: tf.sin(x) * x)
    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        with FA(x, tf.constant(1.0)) as a, FA(x, tf.constant(1.0)) as b:
            y = g(x)
        p = a.jvp(b.jvp(y))
    assert len(tape.entries) == 1
    # d³/dx³ of x sin x
    assert float(tape.gradient(p, x)) == pytest.approx(-3 * np.sin(1.0) - np.cos(1.0), rel=1e-6)


# ---- check 6 ----------------------------------------------------------------------------------------------------------------


def test_whatever_goes_in_gets_its_gradient():
    x, k = tf.constant(2.0), tf.constant(5.0)
    times = tf.recompute_grad(lambda x, k: x * k)

    def gradients(f, *sources):
        with tf.GradientTape() as tape:
            tape.watch([one for one in sources if isinstance(one, tf.Tensor)])
            y = f()
        return [None if one is None else float(one) for one in tape.gradient(y, list(sources))]

    assert gradients(lambda: times(x, k=k), x, k) == [5.0, 2.0]
    v, three = tf.Variable(3.0), tf.constant(3.0)
    assert gradients(lambda: times(x, k=v), x, v) == [3.0, 2.0]
    borrowed = tf.recompute_grad(lambda x: x * three)
    assert gradients(lambda: borrowed(x), x, three) == [3.0, 2.0]
    with tf.compat("tf"):
        assert gradients(lambda: times(x, k=k), x, k) == [5.0, None]
        with pytest.warns(UserWarning, match="from outside"):
            assert gradients(lambda: borrowed(x), x, three) == [3.0, None]
    assert gradients(lambda: times(x, 4), x) == [4.0]
    both = tf.recompute_grad(lambda a, b: a * b + a)
    assert gradients(lambda: both(x, x), x) == [5.0]
    nothing = tf.recompute_grad(lambda: x * k)
    assert gradients(lambda: nothing(), x, k) == [5.0, 2.0]

    class Layer:
        @tf.recompute_grad
        def scaled(self, x):
            return x * 2.0

    assert gradients(lambda: Layer().scaled(x), x) == [2.0]


def test_structures_and_what_is_wrapped():
    x, y = tf.constant(2.0), tf.constant(3.0)

    def f(d, flag, *, more):
        """Doc."""
        return {"p": d["a"] * d["b"][0] * more, "flag": flag, "none": None, "a": (d["a"], y)}

    g = tf.recompute_grad(f)
    assert g.__wrapped__ is f and g.__name__ == "f" and g.__doc__ == "Doc." and not hasattr(g, "variables")
    with pytest.raises(AttributeError, match=r"__wrapped__\.variables"):
        g.variables
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([x, y])
        out = g({"a": x, "b": [y]}, "yes", more=4.0)
    assert (out["flag"], out["none"]) == ("yes", None)
    assert [float(one) for one in tape.gradient(out["p"], [x, y])] == [12.0, 8.0]
    assert float(tape.gradient(out["a"][1], y)) == 1.0 and float(tape.gradient(out["a"][0], x)) == 1.0


def test_one_entry_with_exact_bytes():
    x, k = tf.constant(np.ones(100)), tf.constant(np.ones(100))
    g = tf.recompute_grad(lambda x: tf.sin(tf.sin(x * k)))
    with tf.GradientTape() as tape:
        tape.watch([x, k])
        y = g(x)
    (entry,) = tape.entries
    assert {one.name: one.nbytes for one in entry.saved} == {"x": 800, "captured": 800}
    assert tf.explain_recompute(tape) == "g: ran once; keeps 1600 bytes, a plain tape 3200"
    tape.gradient(y, x)
    assert tf.explain_recompute(tape).startswith("g: ran 2 times") and not entry.held


def test_a_plain_tape_has_no_regions_inside_either():
    def body(h):
        return tf.exp(tf.tanh(tf.cos(tf.sin(h))))

    x, told = tf.constant(np.ones(10)), []
    for inside in (body, tf.recompute_grad(body), tf.RecomputeWrapper(body)):
        outer = tf.recompute_grad(lambda h, inside=inside: tf.sin(inside(tf.sin(h))), name="outer")
        with tf.GradientTape() as tape:
            tape.watch(x)
            outer(x)
        told.append(tf.explain_recompute(tape))
    assert told == ["outer: ran once; keeps 80 bytes, a plain tape 400"] * 3


@pytest.mark.parametrize("watched", [["x"], ["k"], ["x", "k"], []])
def test_what_a_plain_tape_would_keep_is_what_it_keeps(watched):
    names = {"x": tf.constant(np.ones(10)), "k": tf.constant(np.full(10, 2.0))}
    v = tf.Variable(np.ones(10))

    def body(h):
        return tf.sin(h * names["k"]) * v + tf.cos(h)

    found = []
    for f in (body, tf.recompute_grad(body)):
        with tf.GradientTape() as tape:
            tape.watch([names[name] for name in watched])
            result = f(names["x"])
        found.append(
            (tape, result, sum({one.name: one.nbytes for entry in tape.entries for one in entry.saved}.values()))
        )
    (plain, *_), (tape, _, kept) = found
    held = [one for entry in plain.entries for one in entry.values() if one is not None]
    buffers = {id(one.buffer): one.array.nbytes for one in held if not tf.ledger.of_variable(one.buffer)}
    assert tf.explain_recompute(tape) == f"body: ran once; keeps {kept} bytes, a plain tape {sum(buffers.values())}"


def test_a_region_without_tangents_runs_again_as_it_ran():
    layer, x, v = tf.RecomputeWrapper(tf.sin), tf.constant([0.5, 1.0]), tf.constant(1.0)
    f = tf.recompute_grad(lambda h: layer(h) * h)
    with tf.GradientTape() as tape:
        tape.watch(x)
        with FA(v, tf.ones_like(v)):
            y = f(x)
    np.testing.assert_allclose(tape.gradient(y, x), np.cos([0.5, 1.0]) * [0.5, 1.0] + np.sin([0.5, 1.0]), rtol=1e-6)


def test_a_capture_may_be_a_tangent_too():
    x, w = tf.constant([1.0, 2.0]), tf.constant([3.0, -1.0])
    slopes = []
    for f in (lambda h: h * h * w, tf.recompute_grad(lambda h: h * h * w)):
        with tf.GradientTape() as tape:
            tape.watch(x)
            with FA(x, w) as acc:
                y = f(x)
            slope = acc.jvp(y)
        slopes.append(tape.gradient(slope, x).numpy())
    np.testing.assert_allclose(*slopes)


# ---- check 7 ----------------------------------------------------------------------------------------------------------------


def test_dropout_repeats_its_mask():
    masks = []

    @tf.recompute_grad
    def dropout(x):
        mask = tf.cast(tf.random.uniform([8]) > 0.5, tf.float32)
        masks.append(mask.numpy() * np.random.random() * random.random())
        return x * mask

    x = tf.ones([8])
    for seed in range(100):
        tf.random.set_seed(seed)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = dropout(x)
        after = tf.random.uniform([1]).numpy()
        np.testing.assert_array_equal(tape.gradient(y, x), y)
        np.testing.assert_array_equal(masks[-1], masks[-2])
        tf.random.set_seed(seed)
        tf.random.uniform([8])
        assert tf.random.uniform([1]).numpy() == after  # the rerun left the generator as it was


def test_fresh_draws_are_noticed_when_values_are_compared():
    @tf.recompute_grad(preserve_rng=False, determinism="values")
    def dropout(x):
        return x * tf.cast(tf.random.uniform([8]) > 0.5, tf.float32)

    x = tf.ones([8])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = dropout(x)
    with pytest.raises(RecomputeMismatchError, match="uniform"):
        tape.gradient(y, x)


# ---- check 8 ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("again", "index", "text"),
    [
        (lambda x: (x * x * x, x), 1, "first run:  identity"),
        (lambda x: (x * x,), 1, "run again:  had ended"),
        (lambda x: (tf.stack([x * x, x]), x), 1, "run again:  stack"),
    ],
)
def test_a_rerun_that_does_something_else_is_refused(again, index, text):
    f = Counted(lambda x: (x * x, x) if f.runs == 1 else again(x))
    g, x = tf.recompute_grad(f, name="fickle"), tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        a, b = g(x)
        y = a + b
    with pytest.raises(RecomputeMismatchError, match=text) as refused:
        tape.gradient(y, x)
    assert (refused.value.region, refused.value.index) == ("fickle", index)


def test_results_in_another_order_are_refused():
    f = Counted(lambda x: (x * 2.0, x * 3.0)[:: 1 if f.runs == 1 else -1])
    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y, _ = tf.recompute_grad(f)(x)
    with pytest.raises(RecomputeMismatchError, match=r"(?s)returned what op 1, 2 made.*returned what op 2, 1 made"):
        tape.gradient(y, x)


def test_a_variable_that_changed():
    for level in ("metadata", "values"):
        x, v = tf.constant(3.0), tf.Variable(2.0, name="v")
        g = tf.recompute_grad(lambda x: x * v, determinism=level)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = g(x)
        v.assign(100.0)
        if level == "values":
            with pytest.raises(RecomputeMismatchError, match="v:0"):
                tape.gradient(y, [x, v])
        else:
            with pytest.warns(VariableChangedWarning, match="v:0") as warned:
                assert [float(one) for one in tape.gradient(y, [x, v])] == [100.0, 3.0]
            assert warned[0].filename == __file__


def test_side_effects_happen_twice_and_are_told():
    count = tf.Variable(0.0, trainable=False)

    @tf.recompute_grad
    def f(x):
        count.assign_add(1.0)
        return x * count

    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    with pytest.warns(RecomputeSideEffectWarning, match="assigns"):
        tape.gradient(y, x)
    assert float(count) == 2.0


# ---- checks 9 and 16 ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wrap", [tf.recompute_grad, lambda f: f])
def test_a_tape_inside(wrap):
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x * x
        return tape.gradient(y, x)

    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = wrap(f)(x)
    assert (float(y), float(tape.gradient(y, x))) == (27.0, 18.0)


def test_an_exception_on_rerun_leaves_everything_as_it_was():
    def body(x):
        assert is_recomputing() == (f.runs > 1)
        if f.runs == 2:
            raise RuntimeError("boom")
        return x * x * tf.random.uniform([])

    f = Counted(body)
    g, x = tf.recompute_grad(f), tf.constant(2.0)
    tf.random.set_seed(1)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = g(x)
    before = state.recorders, state.context, state.instead, state.holder
    tf.random.set_seed(2)
    expected = tf.random.uniform([]).numpy()
    tf.random.set_seed(2)
    with pytest.raises(RuntimeError, match="boom") as failed:
        tape.gradient(y, x)
    assert "run 1" in failed.value.__notes__[0]
    assert (state.recorders, state.context, state.instead, state.holder) == before and not is_recomputing()
    assert tf.random.uniform([]).numpy() == expected
    assert float(tape.gradient(y, x)) == pytest.approx(float(y))  # d(x² m)/dx = 2 x m = y at x = 2


# ---- for the pictures ---------------------------------------------------------------------------------------------------------


def test_events_tell_runs_twins_and_bytes():
    heard = []
    g, x = tf.recompute_grad(lambda x: tf.sin(tf.sin(x)), name="wave"), tf.constant(1.0)
    with listening(lambda event, tensors: heard.append(event)):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = g(x)
        tape.gradient(y, x)
    kinds = [event.kind for event in heard if event.kind.startswith("region")]
    assert kinds == ["region open", "region close", "region replay", "region close"]
    closes = [event.facts for event in heard if event.kind == "region close"]
    assert (closes[0]["saved_bytes"], closes[0]["plain_bytes"], closes[0]["run"]) == (4, 8, 0)
    ops = {event.facts["application"].tick: event.facts["application"] for event in heard if event.kind == "op"}
    assert [(ops[a].op, ops[b].op) for a, b in closes[1]["twins"]] == [("sin", "sin"), ("sin", "sin")]
    again = ops[closes[1]["twins"][0][1]].context
    assert (again.phase, again.region, again.scope) == ("recompute", ("wave",), "recompute_1_grad")


@pytest.mark.parametrize("wrap", [tf.recompute_grad, tf.RecomputeWrapper])
def test_a_run_that_fails_is_told_to_be_over(wrap):
    """Else whoever listens would take all that comes later for a part of it."""

    def body(x):
        y = tf.sin(x)
        if f.runs in (1, 3):
            raise RuntimeError("boom")
        return tf.sin(y)

    f, x, heard = Counted(body), tf.constant(1.0), []
    g = wrap(f)
    with listening(lambda event, tensors: heard.append(event.kind)), tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        with pytest.raises(RuntimeError, match="boom"):
            g(x)
        y = g(x)
        with pytest.raises(RuntimeError, match="boom"):
            tape.gradient(y, x)
        tape.gradient(y, x)
    runs = ["region open", "region close"] * 2 + ["region replay", "region close"] * 2
    assert [kind for kind in heard if kind.startswith("region")] == runs


def test_a_region_without_results_and_what_is_no_function():
    with tf.GradientTape() as tape:
        tape.watch(x := tf.constant(1.0))
        assert tf.recompute_grad(lambda x: "nothing" if tf.sin(x) < 1.0 else x)(x) == "nothing"
    assert not tape.entries
    with pytest.raises(TypeError, match="wraps a function, got 3"):
        tf.recompute_grad(3)
    with pytest.raises(TypeError, match=r"tf.policies.ops"):
        tf.recompute_grad(tf.sin, policy="matmul")


def test_no_special_case_in_the_recorders():
    house = pathlib.Path(tf.__file__).parent
    rooms = [*house.glob("tape*"), *house.glob("forward*")]
    files = [file for room in rooms for file in (room.rglob("*.py") if room.is_dir() else [room])]
    assert {"tape.py", "forward.py"} <= {file.name for file in files}
    for file in files:
        text = file.read_text(encoding="utf-8")
        assert "recompute" not in text and "region" not in text, file
