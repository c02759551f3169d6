"""What is told of a program: recorders, rules, regions, tangents, reasons, and what cannot be had."""

from __future__ import annotations

import time
from typing import Any

import pytest

import viz

tf = pytest.importorskip(
    "tensorflow", reason="TensorFlow is not installed: .ci/tensorflow runs these tests where it is"
)


def says(run: Any) -> str:
    return "\n".join(step["say"] for step in run.scene.steps)


def kinds(run: Any) -> list[str]:
    return [record.kind for record in run.stream.records]


def ops(run: Any) -> dict[str, Any]:
    return {one.op.row.name: one.op for one in run.stream.records if one.kind == "op"}


def test_tapes_have_their_names_and_variables_are_watched_when_they_are_read() -> None:
    with viz.record(tf) as run:
        x = tf.Variable(3.0)
        with tf.GradientTape() as outer, tf.GradientTape(watch_accessed_variables=False) as blind:
            y = x * x
        slopes = outer.gradient(y, x), blind.gradient(y, x)
    assert slopes[1] is None and slopes[0] == 6
    assert [one["name"] for one in run.scene.recorders] == ["outer", "blind"]
    op = next(one.op for one in run.stream.records if one.kind == "op")
    assert [one.name for one in op.taken] == ["outer"] and [(by.name, why) for by, why in op.refused] == [
        ("blind", "unwatched")
    ]
    assert [one.recorder.name for one in run.stream.records if one.kind == "watch"] == ["outer"]


def test_a_sum_is_told_once_all_of_it_is_there() -> None:
    with viz.record(tf) as run:
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = x * x * x
        tape.gradient(y, x)
    assert "What arrives is added: 9 + 9 + 9 = 27." in says(run)
    assert kinds(run).count("total") == 1


def test_what_is_kept_is_asked_of_tensorflow() -> None:
    with viz.record(tf) as run:
        x = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            tf.exp(x), tf.sin(x), x + x, -x, tf.nn.relu(x)
    saved = {name: op.saved[0][1] if op.saved else () for name, op in ops(run).items()}
    assert saved == {"Exp": (-1,), "Sin": (0,), "AddV2": (0, 1), "Neg": (), "Relu": (-1,)}
    assert tape is not None


def test_what_is_kept_in_part_is_told_in_part() -> None:
    with viz.record(tf) as run:
        x = tf.Variable([1.0, -2.0])
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                y = tf.nn.relu(x * x)
            slope = inner.gradient(y, x)
        outer.gradient(slope, x)
    rules = [
        one.op for one in run.stream.records if one.kind == "op" and one.op.row.name == "ReluGrad" and one.op.saved
    ]
    assert [op.saved[0][1] for op in rules] == [(1,)]  # the output of relu, and not what came back


def test_bytes_are_absent_and_said_to_be() -> None:
    with viz.record(tf) as run:
        tf.Variable(1.0)
    assert run.stream.holders == () and all(record.memory == () for record in run.stream.records)
    assert any("Memory is not shown" in note for note in run.scene.notes)
    assert run.scene.holders == [] and "0 B" not in says(run)


def test_tangents_are_told_by_value_and_their_arithmetic_is_said_to_be_missing() -> None:
    with viz.record(tf) as run:
        x = tf.constant(3.0)
        with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
            y = tf.reduce_sum(x * x)
        slope = acc.jvp(y)
    assert slope == 6
    tangents = [record.numbers[record.tangent].text for record in run.stream.records if record.kind == "tangent"]
    assert tangents == ["1", "6", "6"]
    assert "acc looks up its tangent of y: 6." in says(run)
    assert any("Tangents are shown by value" in note for note in run.scene.notes)
    assert not [one for one in run.stream.records if one.kind == "op" and one.context.phase == "jvp"]


def test_a_region_runs_again() -> None:
    with viz.record(tf) as run:

        @tf.recompute_grad
        def f(a: Any) -> Any:
            return tf.exp(tf.exp(tf.exp(a)))

        x = tf.constant([0.1, 0.2])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        tape.gradient(y, x)
    (region,) = [one for one in run.scene.regions if one["kind"] == "recompute"]
    assert (region["runs"], region["kept"], region["plain"]) == (2, 8, 32)
    assert [step["kind"] for step in run.scene.steps].count("replay") == 3
    assert "runs again (run 2)" in says(run)


def test_a_rule_of_ones_own_is_told_line_by_line() -> None:
    with viz.record(tf) as run:

        @tf.custom_gradient
        def f(x: Any) -> Any:
            e = tf.exp(x)

            def grad(dy: Any) -> Any:
                return dy * e * x

            return e * x, grad

        x = tf.constant(1.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        tape.gradient(y, x)
    assert ops(run)["f"].own_rule and ops(run)["f"].saved[0][1] == (0,)
    assert "The rule of f is at work: dy * e * x is 2.7183." in says(run)
    assert "Back through y = f(x) to x, by its own rule: 2.7183." in says(run)


def test_a_traced_function_is_one_op() -> None:
    w = tf.Variable(2.0)

    @tf.function
    def step(a: Any) -> Any:
        return tf.sin(a) * w

    x = tf.constant(1.0)
    with viz.record(tf) as run:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = step(x)
        slopes = tape.gradient(y, [x, w])
    assert [one.op.row.name for one in run.stream.records if one.kind == "op" and one.context.phase == "forward"] == [
        "step"
    ]
    back = [record for record in run.stream.records if record.kind == "contribution"]
    assert [record.numbers[record.part].value for record in back] == [pytest.approx(float(one)) for one in slopes]
    assert any("each call is told as one op" in note for note in run.scene.notes)


def test_rows_of_a_jacobian() -> None:
    with viz.record(tf) as run:
        x = tf.Variable([1.0, 2.0])
        with tf.GradientTape(persistent=True) as tape:
            y = x * x
        tape.jacobian(y, x, experimental_use_pfor=False)
        tape.jacobian(y, x)
    asked = [record.row for record in run.stream.records if record.kind == "gradient"]
    seeds = [record.numbers[record.part].data["numbers"] for record in run.stream.records if record.kind == "seed"]
    assert asked == [0, 1, None] and seeds == [[1.0, 0.0], [0.0, 1.0]]
    assert any("vectorized" in note for note in run.scene.notes)


def test_a_variable_changes() -> None:
    with viz.record(tf) as run:
        x = tf.Variable(1.0)
        x.assign_add(2.0)
        x.assign(5.0)
    assert [(record.how, record.numbers[record.value].text) for record in run.stream.records if record.kind == "assign"] == [
        ("assign_add", "3"), ("assign", "5"),
    ]  # fmt: skip


def test_what_a_stopped_and_a_persistent_tape_do() -> None:
    with viz.record(tf) as run:
        x = tf.Variable(1.0)
        with tf.GradientTape(persistent=True) as tape:
            y = x * 2.0
            with tape.stop_recording():
                z = y * 3.0
            tape.reset()
        assert tape.gradient(z, x) is None
        del tape
    found = kinds(run)
    assert [kind for kind in found if kind in ("pause", "resume", "reset", "deleted", "release")] == [
        "pause", "resume", "reset", "deleted",
    ]  # fmt: skip


def test_parameters_are_called_as_their_model_calls_them() -> None:
    model = tf.keras.Sequential([tf.keras.layers.Dense(3, name="hidden"), tf.keras.layers.Dense(1, name="out")])
    x = tf.ones([2, 2])
    model(x)
    with viz.record(tf) as run:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(model(x))
        tape.gradient(loss, model.trainable_variables)
    names = {value["name"] for value in run.scene.values}
    assert {one.path for one in model.trainable_variables} <= names


def test_why_a_gradient_is_none() -> None:
    with viz.record(tf) as run:
        x, c, late, other = tf.Variable(1.0), tf.constant(2.0), tf.Variable(3.0), tf.Variable(4.0)
        whole = tf.constant([1, 2])
        before = late * 1.0
        with tf.GradientTape(persistent=True) as tape:
            y = x * c * before
            cut = tf.stop_gradient(x) * 2.0
            rounded = tf.cast(tf.cast(x, tf.int32), tf.float32) * 2.0
            with tape.stop_recording():
                unseen = x * 3.0
            lost = unseen + x * 0.0
            away = other * 2.0
        for target in (y, cut, rounded, unseen, lost):
            tape.gradient(target, [x, c, late, other])
    assert run.why(y, x) == "x has a gradient: it came back through Mul."
    assert run.why(y, c).startswith("tape does not watch c") and run.why(y, c).endswith("tape.watch(c).")
    assert "was not listening when late was read" in run.why(y, late) and "late * 1.0" in run.why(y, late)
    assert "ends at StopGradient" in run.why(cut, x) and "no derivative" in run.why(cut, x)
    assert "ends at Cast" in run.why(rounded, x)
    assert "ends at Mul" in run.why(unseen, x) and "x * 3.0" in run.why(unseen, x)
    assert "The target is not made of other" in run.why(y, other)
    assert "holds int32" in run.why(y, whole) or "takes no part" in run.why(y, whole)
    assert "No tape was asked" in run.why(away, x)
    with pytest.raises(TypeError, match=r"run\.why\(y, x\)"):
        run.why(y, 3)


def test_a_refused_version_and_missing_names() -> None:
    from viz.capture.tensorflow import private, record

    class Old:
        __version__ = "1.15.0"

    with pytest.raises(RuntimeError, match=r"1\.15\.0 was never tried"):
        record(Old)
    assert private.probe() == ()
    gone = private.Name("eager.backprop:no_such_name", "nothing could be told")
    assert private.probe((gone,)) == ("nothing could be told",)
    with pytest.raises(RuntimeError, match="without it nothing could be told"):
        private.probe((gone._replace(needed=True),))


def test_a_tape_from_before_the_run_is_left_alone() -> None:
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    with viz.record(tf) as run:
        slope = tape.gradient(y, x)
    assert slope == 6 and "gradient" not in kinds(run)


def test_the_cost_of_recording() -> None:
    x, aim = tf.random.normal([256, 64]), tf.random.normal([256, 1])
    w, v = tf.Variable(tf.random.normal([64, 64])), tf.Variable(tf.random.normal([64, 1]))

    def step() -> None:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.tanh(x @ w) @ v - aim))
        for one, slope in zip((w, v), tape.gradient(loss, [w, v]), strict=True):
            one.assign_sub(0.001 * slope)

    def seconds() -> float:
        began = time.perf_counter()
        for _ in range(5):
            step()
        return time.perf_counter() - began

    step()
    plain = min(seconds() for _ in range(3))
    with viz.record(tf):
        seconds()
        recorded = min(seconds() for _ in range(2))
    assert recorded < 60 * plain  # about 10 on an idle machine


def test_the_command_knows_a_script_by_its_imports(tmp_path: Any) -> None:
    from viz.program import framework_of, recorded

    script = tmp_path / "train.py"
    script.write_text(
        "import tensorflow as tf\nx = tf.Variable(3.0)\nwith tf.GradientTape() as tape:\n    y = x * x\n"
        "slope = tape.gradient(y, x)\n"
    )
    assert framework_of(str(script)) == [tf]
    assert recorded(str(script), str(tmp_path / "train.txt")) == 0
    table = (tmp_path / "train.txt").read_text()
    assert "∂y/∂x = 6" in table and "memory" not in table


def test_a_region_in_a_region_is_written_down_by_its_reruns_alone() -> None:
    with viz.record(tf) as run:
        leaf = tf.recompute_grad(tf.sin)
        whole = tf.recompute_grad(lambda a: leaf(leaf(a)))
        x = tf.constant(0.5)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = whole(x)
        tape.gradient(y, x)
    calls = [one.op for one in run.stream.records if one.kind == "op" and one.op.region]
    assert [(len(op.context.region), op.context.phase, bool(op.taken)) for op in calls] == [
        (1, "forward", False), (1, "forward", False), (0, "forward", True), (1, "recompute", True), (1, "recompute", True),
    ]  # fmt: skip
