"""Recompute wrappers, and the control flow that they know of (checks 13 to 15)."""

from __future__ import annotations

import warnings
import weakref

import pytest

import minitape as tf
from minitape.recompute import (
    NonDeterministicRecomputeWarning,
    RecomputeMismatchError,
    RecomputeSideEffectWarning,
    VariableChangedWarning,
)
from minitape.recompute.wrapper import CtrlFlowWarning
from minitape.record.events import Context, listening, state

Wrapper = tf.AbstractRecomputeWrapper


class Coupling(Wrapper):
    """Additive coupling with one function on both sides, written as the document describes."""

    keeps_inputs = False
    hands_up = True

    def __init__(self, v):
        self.v, self.runs, self.seen = v, 0, []

    def f(self, x):
        self.runs += 1
        return tf.sin(x) * self.v

    def call(self, x1, x2):
        y1 = x1 + self.f(x2)
        return y1, x2 + self.f(y1)

    def inverse(self, y1, y2):
        x2 = y2 - self.f(y1)
        return y1 - self.f(x2), x2

    def _gradient(self, grad_ys, rev_ys, variables=()):
        self.seen.append(rev_ys)
        (d1, d2), (y1, y2) = grad_ys, rev_ys
        out, (back,), g_vars, _ = self._block_recompute_and_gradients(self.f, [y1], d2, variables)
        x2, d1 = y2 - out, d1 + back
        out, (back,), f_vars, _ = self._block_recompute_and_gradients(self.f, [x2], d1, variables)
        return (d1, d2 + back), (y1 - out, x2), [a + b for a, b in zip(f_vars, g_vars)]


def test_it_is_abstract_and_has_the_documented_path():
    assert tf.layers.AbstractRecomputeWrapper.AbstractRecomputeWrapper is Wrapper
    with pytest.raises(TypeError, match=r"abstract.*_gradient.*call"):
        Wrapper()
    assert Wrapper.CtrlFlowWarnedOnce is False


def test_a_chain_hands_rebuilt_values_up():
    x1, x2 = tf.constant(1.0), tf.constant(2.0)
    layers = [Coupling(tf.Variable(0.5 + n / 4)) for n in range(3)]
    variables = [layer.v for layer in layers]
    with tf.GradientTape() as tape:
        tape.watch([x1, x2])
        y = x1, x2
        for layer in layers:
            y = layer(*y)
    ours = tape.gradient(y, [x1, x2, *variables])
    assert [layer.runs for layer in layers] == [4, 4, 4]
    with tf.GradientTape() as tape:
        tape.watch([x1, x2])
        a, b = x1, x2
        for v in variables:
            a = a + tf.sin(b) * v
            b = b + tf.sin(a) * v
    theirs = tape.gradient((a, b), [x1, x2, *variables])
    assert [float(one) for one in ours] == pytest.approx([float(one) for one in theirs], rel=1e-5)
    (last,), (middle,), (first,) = (layer.seen for layer in reversed(layers))
    assert [one.tag for one in last] == [one.tag for one in y]
    assert not {one.tag for one in (*middle, *first)} & {one.tag for one in y}


def test_the_backward_pass_may_begin_in_the_middle():
    x = tf.constant(1.0)
    one, two = Coupling(tf.Variable(0.5)), Coupling(tf.Variable(0.75))
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = one(x, x)
        z = two(*y)
    with tf.GradientTape() as plain:
        plain.watch(x)
        a = x + tf.sin(x) * 0.5
    middle = float(plain.gradient(a, x))
    for _ in range(2):
        assert float(tape.gradient(y[0], x)) == pytest.approx(middle, rel=1e-6)
        tape.gradient(z, x)


def test_a_call_that_handed_its_inputs_up_is_let_go_of_before_the_call_above_runs():
    """Else the record of a layer, and what it holds, lives until all layers above it are through."""
    records = []

    class Watched(Coupling):
        def call(self, x1, x2):
            records.append(weakref.ref(self._record))
            return super().call(x1, x2)

        def _gradient(self, grad_ys, rev_ys, variables=()):
            gone.append([record() is None for record in records])
            return super()._gradient(grad_ys, rev_ys, variables)

    gone, x = [], tf.constant(1.0)
    layers = [Watched(tf.Variable(0.5)) for _ in range(3)]
    with tf.GradientTape() as tape:
        tape.watch(x)
        y1, y2 = x, x
        for layer in layers:
            y1, y2 = layer(y1, y2)
        loss = y1 * y2
    assert tape.gradient(loss, x) is not None
    assert gone == [[False, False, False], [False, False, True], [False, True, True]]


def test_a_layer_that_hands_up_without_having_to_is_not_asked_to_undo_itself():
    """Only those with `hands_up` have an `inverse`, which a backward pass that begins in the middle calls."""

    class Forgetful(Wrapper):
        keeps_inputs = keeps_outputs = False
        given = []

        def call(self, x):
            return 2.0 * x

        def _gradient(self, grad_ys, rev_ys):
            self.given.append([y is None for y in rev_ys])
            return (2.0 * grad_ys[0],), (tf.constant(0.0),)

    x, layer = tf.constant(1.0), Forgetful()
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = layer(x)
        z = layer(y)
    assert float(tape.gradient(z, x)) == 4.0 and float(tape.gradient(y, x)) == 2.0
    assert Forgetful.given == [[True], [False], [True]]


class Pair(Wrapper):
    """Takes and returns structures."""

    def call(self, pair, scale=1.0):
        return {"sum": (pair["a"] + pair["b"][0]) * scale, "product": [pair["a"] * pair["b"][0]]}

    def _gradient(self, grad_ys, rev_ys):
        d_product, d_sum = grad_ys
        ((pair,), scale) = self._record.inputs, self._record.kwargs.get("scale", 1.0)
        a, b = pair["a"], pair["b"][0]
        return (d_sum * scale + d_product * b, d_sum * scale + d_product * a), (None, None)


def test_structures_and_two_calls_of_one_layer():
    layer, x, y = Pair(), tf.constant(2.0), tf.constant(5.0)
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        one = layer({"a": x, "b": [y]}, scale=3.0)
        two = layer({"a": y, "b": (x, x)[:1]})
        total = one["sum"] + one["product"][0] + two["sum"]
    assert [float(g) for g in tape.gradient(total, [x, y])] == [3.0 + 5.0 + 1.0, 3.0 + 2.0 + 1.0]
    assert not hasattr(layer, "_outputs") and vars(layer) == {}


@pytest.mark.parametrize(
    ("answer", "text"), [((1.0,), "not 1 values"), ((1, 2, 3, 4), "not 4 values"), (3.0, "not float")]
)
def test_a_wrong_answer_names_the_class(answer, text):
    class Odd(Wrapper):
        def call(self, x):
            return x * 2.0

        def _gradient(self, grad_ys, rev_ys):
            return answer

    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = Odd()(x)
    with pytest.raises(ValueError, match=f"Odd._gradient must return.*{text}"):
        tape.gradient(y, x)


def test_left_values():
    layer = Coupling(tf.Variable(1.0))
    a = tf.constant(1.0)
    b = tf.identity(a)
    c = tf.identity(b)
    r = tf.constant(9.0)
    layer._set_recomputed_tensor(c, None)
    assert layer._check_get_recomputed_tensor(c) is c
    layer._set_recomputed_tensor(c, r)
    assert all(layer._check_get_recomputed_tensor(one) is r for one in (a, b, c))
    for wrong in (lambda: layer._set_recomputed_tensor(1.0, r), lambda: layer._check_get_recomputed_tensor("x")):
        with pytest.raises(TypeError, match="tensor"):
            wrong()


def test_the_block_gives_the_gradients_of_side_inputs():
    v, x, k = tf.Variable(3.0), tf.constant(2.0), tf.constant(5.0)
    layer = Coupling(v)
    out, (dx,), (dv,), side = layer._block_recompute_and_gradients(
        lambda x, k, how: x * x * v * k, [x], tf.constant(1.0), [v], k=k, how="fast"
    )
    assert [float(one) for one in (out, dx, dv, side["k"])] == [60.0, 60.0, 20.0, 12.0]
    assert list(side) == ["k"]


def test_recompute_wrapper():
    v = tf.Variable(3.0)
    runs = []

    def f(x, scale):
        runs.append(1)
        return {"y": tf.sin(x) * v * scale}

    x, scale = tf.constant(0.5), tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch([x, scale])
        y = tf.RecomputeWrapper(f)(x, scale=scale)["y"]
    assert [round(float(g), 5) for g in tape.gradient(y, [x, scale, v])] == [5.2655, 1.43828, 0.95885]
    assert len(runs) == 2


@pytest.mark.parametrize(
    ("wrap", "slope"),
    [(tf.RecomputeWrapper, 0.87758), (lambda f: lambda x: tf.ReversibleLayer(f, tf.sin)(x, x)[0], 1.0 + 0.87758)],
)
def test_tensors_from_outside_get_their_gradients(wrap, slope):
    k, unwatched, x = tf.constant(3.0), tf.constant(1.0), tf.constant(0.5)
    layer = wrap(lambda x: tf.sin(x) * k * unwatched)
    with tf.GradientTape() as second:
        second.watch([x, k])
        with tf.GradientTape() as tape:
            tape.watch([x, k])
            y = layer(x)
        dx, dk = tape.gradient(y, [x, k])
    assert float(dk) == pytest.approx(0.47943, abs=1e-5)  # sin(0.5)
    assert float(dx) == pytest.approx(3 * 0.87758 + (slope - 0.87758), abs=1e-4)
    assert float(second.gradient(dk, x)) == pytest.approx(0.87758, abs=1e-5)


def test_a_wrapper_compares_its_runs():
    v, x, runs = tf.Variable(2.0, name="v"), tf.constant(2.0), []

    def again(f, **options):
        runs.clear()
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.RecomputeWrapper(f, name="mine", **options)(x)
        return y, lambda: tape.gradient(y, x)

    def fickle(x):
        runs.append(1)
        return x * x if len(runs) == 1 else tf.sin(x)

    with pytest.raises(RecomputeMismatchError, match=r"'mine'.*at op 1"):
        again(fickle)[1]()
    assert float(again(fickle, determinism="off")[1]()) == pytest.approx(-0.41615, abs=1e-5)
    _, gradient = again(lambda x: x * v)
    v.assign(3.0)
    with pytest.warns(VariableChangedWarning, match="v:0 has changed since region 'mine'"):
        assert float(gradient()) == 3.0
    _, gradient = again(lambda x: x * v, determinism="values")
    v.assign(4.0)
    with pytest.raises(RecomputeMismatchError, match="v:0"):
        gradient()
    y, gradient = again(lambda x: x * tf.random.uniform([]), preserve_rng=False)
    with pytest.warns(NonDeterministicRecomputeWarning, match="'mine' draws"):
        assert 2.0 * float(gradient()) != float(y)
    with pytest.warns(RecomputeSideEffectWarning, match="assigns to v "):
        again(lambda x: x * v.assign_add(1.0))[1]()
    with pytest.raises(TypeError, match="got 3"):
        tf.RecomputeWrapper(3)


@pytest.mark.parametrize(
    ("options", "kept"),
    [({"higher_order": "recompute"}, 4), ({"policy": tf.policies.ops("tanh")}, 8), ({"early_stop": True}, 4)],
)
def test_with_the_options_of_a_region_a_wrapper_is_one(options, kept):
    v, x = tf.Variable(3.0), tf.constant(0.5)

    def body(x, scale):
        return {"y": tf.sin(tf.tanh(x) * v) * scale}

    def slopes(f):
        with tf.GradientTape(persistent=True) as outer:
            outer.watch(x)
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = f(x, scale=2.0)["y"]
            held = sum(saved.nbytes for entry in tape.entries for saved in entry.saved)
            first = tape.gradient(y, [x, v])
        return held, [float(one) for one in (*first, *[outer.gradient(one, x) for one in first])]

    held, found = slopes(tf.RecomputeWrapper(body, **options))
    assert held == kept and found == slopes(body)[1]
    with pytest.raises(TypeError, match="polcy"):
        tf.RecomputeWrapper(body, polcy=None)


def test_clean_scope():
    layer = Coupling(tf.Variable(1.0))
    assert layer._get_clean_grad_scope(Context(scope="a/b/recompute_2_grad")) == "a/b/"
    assert layer._get_clean_grad_scope(Context(scope="recompute_2_grad")) == ""
    with pytest.raises(ValueError, match="'a/b'"):
        layer._get_clean_grad_scope(Context(scope="a/b"))


def test_scopes_of_a_rerun():
    """Each entry of a rerun carries the scope of its region, and none that comes later does."""
    g, x = tf.recompute_grad(lambda x: tf.sin(tf.exp(x)), name="wave"), tf.constant(1.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            with tf.name_scope("a"), tf.name_scope("b"):
                y = g(x)
        before = len(outer.entries)
        for number in (1, 2):
            d = tape.gradient(y, x)
            again = [entry for entry in outer.entries[before:] if entry.region]
            assert again and {entry.scope for entry in again} == {f"a/b/recompute_{number}_grad"}
            before = len(outer.entries)
        later = d * d
    assert later is not None and (outer.entries[-1].op, outer.entries[-1].scope) == ("multiply", "")


# ---- what is told of a call ---------------------------------------------------------------------------------------------------


def test_events_of_wrapped_layers_come_in_pairs():
    x, layers = tf.constant(1.0), [tf.RecomputeWrapper(tf.sin), tf.ReversibleLayer(tf.sin, tf.tanh)]
    for layer, kinds in zip(layers, (["open", "close", "replay", "close"], ["open", "close"]), strict=True):
        heard = []
        with listening(lambda event, tensors: heard.append(event)):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = layer(x) if layer is layers[0] else layer(x, x)[1]
            tape.gradient(y, x)
        told = [event for event in heard if event.kind.startswith("region")]
        assert [event.kind for event in told] == [f"region {kind}" for kind in kinds]
        assert len({event.facts["region"] for event in told}) == 1
        assert tf.explain_recompute(tape).startswith(f"{type(layer).__name__}: ran 2 times")


def test_what_a_variable_holds_is_saved_by_nobody():
    """It lives anyway, as the ledger has it: neither a region nor a plain tape is charged with it."""
    v = tf.Variable([1.0, 2.0])
    for wrap in (
        tf.recompute_grad,
        tf.RecomputeWrapper,
    ):  # the first reads a variable again, the second keeps its tensor
        with tf.GradientTape() as tape:
            y = wrap(lambda v: tf.sin(tf.sin(v)))(v)
        assert tf.explain_recompute(tape).endswith("ran once; keeps 0 bytes, a plain tape 8")
        assert tape.gradient(y, v) is not None


# ---- control flow -------------------------------------------------------------------------------------------------------------


def test_where_a_while_loop_is():
    seen = {}

    @tf.custom_gradient
    def noted(x):
        def grad(dy):
            seen["body gradient"] = Wrapper.is_in_while_loop()
            return dy * 2.0

        return x * 2.0, grad

    def body(i, x):
        seen["body"], seen["context"] = Wrapper.is_in_while_loop(), state.context
        assert Wrapper.is_in_while_loop(graph="no context: the present one is meant") is True
        return i + 1, noted(x)

    def condition(i, x):
        seen["condition"] = Wrapper.is_in_while_loop()
        return i < 2

    def branch():
        seen["branch"] = Wrapper.is_in_while_loop()
        return 1

    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        _, y = tf.while_loop(condition, body, [tf.constant(0), x])
    assert float(tape.gradient(y, x)) == 4.0
    tf.cond(True, branch, branch)
    seen["top"] = Wrapper.is_in_while_loop()
    with pytest.raises(ZeroDivisionError):
        tf.while_loop(lambda i: True, lambda i: 1 / 0, [tf.constant(0)])
    seen["after an exception"] = Wrapper.is_in_while_loop()
    context = seen.pop("context")
    assert (
        isinstance(context, Context) and Wrapper.is_in_while_loop(context) is True
    )  # asked later, and of another place
    assert seen == {
        "condition": True, "body": True, "body gradient": True, "branch": False, "top": False, "after an exception": False,
    }  # fmt: skip


@pytest.mark.parametrize("wrap", [tf.recompute_grad, tf.RecomputeWrapper])
def test_a_layer_with_a_variable_in_a_loop(wrap):
    v, runs = tf.Variable(2.0, name="v"), []

    def f(x):
        runs.append(1)
        return x * v

    layer = wrap(f)
    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        _, y = tf.while_loop(lambda i, x: i < 5, lambda i, x: (i + 1, layer(x)), [tf.constant(0), x])
    assert len(runs) == 5
    assert [float(one) for one in tape.gradient(y, [x, v])] == [32.0, 80.0]
    assert len(runs) == 10
    loops = [entry.application.context for entry in tape.entries]
    assert [one.iteration for one in loops if one.frame] == [0, 1, 2, 3, 4]


def test_a_variable_that_the_loop_never_read_is_told_once(monkeypatch):
    monkeypatch.setattr(Wrapper, "CtrlFlowWarnedOnce", False)
    inside, outside = tf.Variable(1.0, name="v"), tf.Variable(1.0, name="v_1")
    layer = tf.RecomputeWrapper(tf.sin)
    given = [outside, inside]
    answers = []

    def body(i):
        inside * 2.0
        answers.append(layer._update_variables_for_context([i], given))
        return i + 1

    with warnings.catch_warnings(record=True) as told, tf.GradientTape():
        warnings.simplefilter("always")
        tf.while_loop(lambda i: i < 2, body, [tf.constant(0)])
    assert issubclass(CtrlFlowWarning, tf.errors.MinitapeWarning)
    assert [one.category for one in told] == [CtrlFlowWarning] and "v_1:0" in str(told[0].message)
    assert Wrapper.CtrlFlowWarnedOnce
    for answer in answers:
        assert answer is not given and [one is other for one, other in zip(answer, given, strict=True)] == [True, True]
