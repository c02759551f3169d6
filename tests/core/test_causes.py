"""The table of mistakes, row by row: every row has a test, here or in test_why.py, and says of which kind it is.

explained   `why`, a warning or an error names the cause, the line and the fix
ours        a fault of TensorFlow that ours does not have: the right result is tested
outside     out of scope: a clear sentence says so
lesson      nothing goes wrong; the record shows what a learner did not expect
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minitape as tf

HERE = Path(__file__).parent
KINDS = {
    "explained": "M01 M02 M03 M04 M05 M06 M07 M08 M09 M10 M11 M12 M13 M14 M16 M17 M18 M19 M21 M23 M25 M26 M27 "
    "F01 F02 F03 F04 F06 F09 F11 R04 R05 R08 C01 C02 C03 C04 C05 C07 C08 C09 V01 V02",
    "ours": "F05 F07 F08 F13 R03 R06 R07 R11 R12 C06",
    "outside": "M22 F12 R09",
    "lesson": "M15 M20 M24 F10 F14 R01 R02 R10 R13 R14 V03",
}
EVERY = [
    *[f"M{i:02}" for i in range(1, 28)], *[f"F{i:02}" for i in range(1, 15)], *[f"R{i:02}" for i in range(1, 15)],
    *[f"C{i:02}" for i in range(1, 10)], *[f"V{i:02}" for i in range(1, 4)],
]  # fmt: skip


def test_every_row_has_a_kind_and_a_test() -> None:
    rows = [row for kind in KINDS.values() for row in kind.split()]
    assert sorted(rows) == sorted(EVERY)
    # A test names its rows in its own name, or as the key of a table.
    texts = [(HERE / name).read_text(encoding="utf-8") for name in ("test_causes.py", "test_why.py")]
    texts += [path.read_text(encoding="utf-8") for path in (HERE / "recompute").glob("test_*.py")]
    named = {found.upper() for text in texts for name in re.findall(r"def (test_\w+)", text)
             for found in re.findall(r"(?<![a-z0-9])[mfrcv]\d\d(?!\d)", name)}  # fmt: skip
    named |= {found for text in texts for found in re.findall(r'^ {4}"([MFRCV]\d\d)\b', text, re.MULTILINE)}
    assert set(EVERY) - named == set()


# ---- forward mode --------------------------------------------------------------------------------------------------------


def test_f05_the_documented_dense_example_runs() -> None:
    x = tf.constant([[2.0, 3.0], [1.0, 4.0]])
    dense = tf.keras.layers.Dense(1)
    dense.build([None, 2])
    with tf.autodiff.ForwardAccumulator(dense.kernel, tf.constant([[1.0], [0.0]])) as acc, tf.GradientTape() as tape:
        loss = tf.reduce_sum((dense(x) - tf.constant([1.0, -1.0])) ** 2.0)
    entry = tape.gradient(loss, dense.kernel)[0, 0]
    np.testing.assert_allclose(acc.jvp(loss), entry, rtol=1e-6)
    assert tape.why(loss, dense.kernel).code == "OK"


def test_f12_a_function_is_a_plain_call_and_tangents_go_through_it() -> None:
    """In TensorFlow a tangent made inside of a traced function cannot be asked for outside; here nothing is traced."""
    x = tf.constant(3.0)

    @tf.function
    def inside(a: Any) -> Any:
        return a * a

    with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
        y = inside(x)
    assert float(acc.jvp(y)) == 6.0
    assert "plain call" in (tf.function.__doc__ or "")


def test_f14_a_tangent_stands_beside_every_value() -> None:
    """The two-column trace: no dual numbers are needed to follow it."""
    x = tf.constant(2.0)
    with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
        values = [x, a := x * x, b := a * x]
    assert [float(one) for one in values] == [2.0, 4.0, 8.0]
    assert [float(acc.jvp(one)) for one in (x, a, b)] == [1.0, 4.0, 12.0]


# ---- recompute -----------------------------------------------------------------------------------------------------------


def counted(persistent: bool = False) -> tuple[list[int], tf.GradientTape, Any, Any]:
    """Four regions in a row, each noting that it runs."""
    ran: list[int] = []

    def layer(number: int) -> Any:
        @tf.recompute_grad
        def run(x: Any) -> Any:
            ran.append(number)
            return tf.sin(tf.cos(tf.sin(x)))

        return run

    x = y = tf.Variable(0.5)
    with tf.GradientTape(persistent=persistent) as tape:
        for number in range(4):
            y = layer(number)(y)
    return ran, tape, y, x


def test_r01_a_region_runs_again_last_one_first() -> None:
    ran, tape, y, x = counted(persistent=True)
    assert ran == [0, 1, 2, 3]
    tape.gradient(y, x)
    assert ran[4:] == [3, 2, 1, 0]
    tape.gradient(y, x)
    assert ran[8:] == [3, 2, 1, 0]
    assert tape.why(y, x).code == "OK"


def steps(count: int, segment: int) -> tuple[int, int]:
    """Bytes held after forward, and how many steps ran in all, of 16 sine steps in segments (0: no region)."""
    ran = [0]

    def part(x: Any) -> Any:
        for _ in range(max(segment, 1)):
            ran[0] += 1
            x = tf.sin(x)
        return x

    call = tf.recompute_grad(part) if segment else part
    x = y = tf.constant(np.linspace(0.1, 1.0, 1000))
    before = tf.ledger.held_for_backward
    with tf.GradientTape() as tape:
        tape.watch(x)
        for _ in range(count // max(segment, 1)):
            y = call(y)
        total = tf.reduce_sum(y)
    held = tf.ledger.held_for_backward - before
    tape.gradient(total, x)
    return held, ran[0]


def test_r02_memory_drops_when_a_sequence_is_wrapped_and_not_when_single_ops_are() -> None:
    plain, single, four, whole = (steps(16, segment)[0] for segment in (0, 1, 4, 16))
    assert plain == single == 128_000  # a sine keeps its input either way
    assert (four, whole) == (32_000, 8_000)


def test_r03_dropout_repeats_its_mask() -> None:
    x = tf.constant(np.ones(64))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.recompute_grad(lambda x: tf.nn.dropout(x, 0.5) * 1.0)(x)
    np.testing.assert_array_equal(tape.gradient(y, x, output_gradients=tf.ones_like(y)), y)


def test_r04_a_statistic_that_is_updated_twice_is_noticed() -> None:
    moving = tf.Variable(1.0, trainable=False, name="moving_mean")

    @tf.recompute_grad
    def region(x: Any) -> Any:
        moving.assign(0.5 * tf.reduce_mean(x))  # written, never read
        return tf.sin(tf.cos(tf.sin(x)))

    x = tf.constant([0.5, 1.5])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(region(x))
    with pytest.warns(tf.errors.MinitapeWarning, match=r"assigns to moving_mean at .*test_causes.*is_recomputing"):
        tape.gradient(y, x)


def test_r05_a_variable_changed_before_the_backward_pass_is_noticed() -> None:
    v = tf.Variable(2.0, name="v")
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.recompute_grad(lambda x: tf.sin(x * v))(x)
    v.assign(5.0)
    with pytest.warns(tf.errors.MinitapeWarning, match=r"variable v:0 has changed.*before you assign"):
        tape.gradient(y, x)


def test_r08_what_is_wrapped_is_named() -> None:
    with pytest.raises(AttributeError, match=r"\.__wrapped__\.variables"):
        _ = tf.recompute_grad(tf.sin).variables


def test_r09_layers_made_inside_of_a_region_and_symbolic_inputs() -> None:
    """A layer may be made inside, once; symbolic tensors are out of scope, and said to be."""
    made: list[Any] = []

    @tf.recompute_grad
    def region(x: Any) -> Any:
        if not made:
            made.append(tf.keras.layers.Dense(1, kernel_initializer="ones"))
        return tf.tanh(made[0](x))

    x = tf.Variable([[0.5, 0.25]])
    with tf.GradientTape() as tape:
        y = region(x)
    np.testing.assert_allclose(tape.gradient(y, x), np.full((1, 2), 1 - np.tanh(0.75) ** 2), rtol=1e-5)
    with pytest.raises((TypeError, NotImplementedError, ValueError), match=r"[Ii]nput"):
        tf.recompute_grad(tf.sin)(tf.keras.Input(shape=(2,)))


def test_r10_nested_regions_cost_a_run_for_each_level() -> None:
    ran = {"inner": 0, "outer": 0}

    @tf.recompute_grad
    def inner(x: Any) -> Any:
        ran["inner"] += 1
        return tf.sin(tf.cos(tf.sin(x)))

    @tf.recompute_grad
    def outer(x: Any) -> Any:
        ran["outer"] += 1
        return inner(inner(x))

    x = tf.Variable(0.5)
    with tf.GradientTape() as tape:
        y = outer(x)
    assert ran == {"inner": 2, "outer": 1}
    tape.gradient(y, x)
    assert ran == {"inner": 6, "outer": 2}


def test_r11_a_region_with_a_variable_in_a_while_loop() -> None:
    w = tf.Variable(1.5)
    body = tf.recompute_grad(lambda x: tf.sin(w * tf.cos(x)))
    x = tf.constant(0.5)
    with tf.GradientTape() as tape:
        _, y = tf.while_loop(lambda i, _: i < 3, lambda i, y: (i + 1, body(y)), [tf.constant(0), x])
    with tf.GradientTape() as plain:
        z = x
        for _ in range(3):
            z = tf.sin(w * tf.cos(z))
    assert float(tape.gradient(y, w)) == pytest.approx(float(plain.gradient(z, w)), rel=1e-6)


def test_r12_the_same_tensor_as_both_arguments() -> None:
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = tf.recompute_grad(lambda a, b: a + b)(x, x)
    assert float(tape.gradient(y, x)) == 2.0


def test_r13_building_a_model_runs_no_region() -> None:
    ran = [0]

    def count(x: Any) -> Any:
        ran[0] += 1
        return x * 2.0

    model = tf.keras.Sequential([tf.keras.layers.Lambda(tf.recompute_grad(count)) for _ in range(4)])
    model(tf.ones([1, 3]))
    assert ran[0] == 4


def test_r14_larger_segments_run_no_more_often() -> None:
    assert {segment: steps(16, segment)[1] for segment in (1, 4, 16)} == {1: 32, 4: 32, 16: 32}


# ---- custom gradients ----------------------------------------------------------------------------------------------------


def test_c01_a_rule_over_a_variable_must_take_it() -> None:
    v = tf.Variable(2.0)

    @tf.custom_gradient
    def scaled(x: Any) -> Any:
        return x * v, lambda dy: dy * v

    with (
        pytest.raises(TypeError, match=r"variables=None\):\n +return input_gradients, variable_gradients"),
        tf.GradientTape(),
    ):
        scaled(tf.constant(1.0))


def test_c03_a_gradient_for_each_variable() -> None:
    v = tf.Variable(2.0, name="scale")

    @tf.custom_gradient
    def scaled(x: Any) -> Any:
        return x * v, lambda dy, variables=None: (dy * v, [])

    with tf.GradientTape() as tape:
        y = scaled(tf.constant(1.0))
    with pytest.raises(ValueError, match=r"Must return gradient for each variable[\s\S]*<-  \(missing\)"):
        tape.gradient(y, v)


def test_c04_one_upstream_gradient_per_output() -> None:
    def two(x: Any, grad: Any) -> Any:
        with tf.GradientTape() as tape:
            a, b = tf.custom_gradient(lambda x: ((x * 2.0, x * 3.0), grad))(x)
            total = a + b
        return tape.gradient(total, x)

    x = tf.Variable(1.0)
    with pytest.raises(TypeError, match=r"2 outputs.*takes 1 positional argument[\s\S]*def grad\(dy1, dy2\)"):
        two(x, lambda dy: dy)
    assert float(two(x, lambda dy1, dy2: dy1 * 2.0 + dy2 * 3.0)) == 5.0
    assert float(two(x, lambda *dys: dys[0] * 2.0 + dys[1] * 3.0)) == 5.0


def test_c07_the_value_and_its_rule() -> None:
    with pytest.raises(TypeError, match=r"return y, grad; this one returned Tensor"):
        tf.custom_gradient(lambda x: x * 2.0)(tf.constant(1.0))


def test_c08_a_gradient_of_another_shape_is_refused() -> None:
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.custom_gradient(lambda x: (tf.reduce_sum(x), lambda dy: tf.constant(2.0)))(x)
    with pytest.raises(ValueError, match=r"of shape \(\) and dtype float32 for an input of shape \[2\]"):
        tape.gradient(y, x)


# ---- reversible layers ---------------------------------------------------------------------------------------------------


def test_v01_an_inverse_in_floating_point_drifts_and_says_so() -> None:
    inputs = [tf.constant(np.linspace(0.1, 1.0, 64, dtype="float32")) for _ in range(2)]
    net = tf.ReversibleSequential([tf.ReversibleLayer(tf.sin, lambda x: 2.0 * tf.tanh(x)) for _ in range(30)], tol=1e-7)
    with tf.GradientTape() as tape:
        tape.watch(inputs)
        y = tf.reduce_sum(net(*inputs)[0])
    with pytest.warns(tf.errors.MinitapeWarning, match="anchor_every"):
        tape.gradient(y, inputs)
    assert max(net.errors.values()) > 0


def test_v02_the_functions_need_no_inverse_and_one_that_changes_is_noticed() -> None:
    x1, x2 = tf.Variable([0.5, 0.2]), tf.Variable([0.1, 0.7])
    # None has an inverse.
    flattening = tf.ReversibleSequential([tf.ReversibleLayer(lambda x: x * 0.0 + 1.0, tf.nn.relu)])
    with tf.GradientTape() as tape:
        a, b = flattening(x1, x2)
        total = tf.reduce_sum(a * b)
    with tf.GradientTape() as plain:
        c = x1 + 1.0
        expected = tf.reduce_sum(c * (x2 + tf.nn.relu(c)))
    for ours, theirs in zip(tape.gradient(total, [x1, x2]), plain.gradient(expected, [x1, x2]), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-6)

    runs = [0.0]

    def another_each_time(x: Any) -> Any:
        runs[0] += 1.0
        return x * runs[0]

    changing = tf.ReversibleSequential([tf.ReversibleLayer(another_each_time, tf.sin)], tol=1e-6)
    with tf.GradientTape() as tape:
        a, b = changing(x1, x2)
        total = tf.reduce_sum(a * b)
    with pytest.warns(tf.errors.MinitapeWarning, match=r"[Dd]rift|rebuil"):
        tape.gradient(total, x1)


def test_v03_a_learner_who_keeps_the_outputs_saves_nothing() -> None:
    layers = [tf.ReversibleLayer(tf.sin, tf.tanh) for _ in range(8)]

    def held(keep: bool) -> int:
        a = b = tf.constant(np.linspace(0.1, 1.0, 1000))
        outputs: list[Any] = []
        before = tf.ledger.live
        with tf.GradientTape() as tape:
            tape.watch([a, b])
            for layer in layers:
                a, b = layer(a, b)
                if keep:
                    outputs += [a, b]
        return tf.ledger.live - before

    assert held(keep=True) - held(keep=False) >= 14 * 8_000
