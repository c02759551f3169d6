"""Regions in the scene: what is let go, what runs again, and on whose card."""

from __future__ import annotations

import contextlib
import warnings
from typing import Any

import pytest

import minitape as tf
import viz
from minitape.recompute import VariableChangedWarning
from viz.capture.numbers import number
from viz.paint import state as at
from viz.scene import Scene

from . import programs
from .test_claims import claims


def scene_of(name: str) -> Scene:
    scene = programs.kept(name).scene
    assert isinstance(scene, Scene)
    return scene


def named(scene: Scene, name: str) -> dict[str, Any]:
    return next(one for one in scene.values if one["name"] == name)


def kinds(scene: Scene, kind: str) -> list[int]:
    return [at_ for at_, step in enumerate(scene.steps) if step["kind"] == kind]


def test_each_replayed_op_links_to_its_first_run_and_uses_its_card() -> None:
    scene = scene_of("recompute")
    replays = kinds(scene, "replay")
    assert len(replays) == 6
    for one in replays:
        twin = scene.steps[one]["twin"]
        assert scene.steps[twin]["kind"] == "op"
        assert scene.steps[twin]["focus"] == scene.steps[one]["focus"]
    assert len({scene.steps[one]["twin"] for one in replays}) == 6
    assert [value["name"] for value in scene.values] == ["x", "a", "b", "y", "a₂", "b₂", "z"], (
        "no card is made for a rerun"
    )


def test_an_interior_value_is_away_after_the_forward_pass_and_back_while_it_is_needed() -> None:
    scene = scene_of("recompute")
    value = named(scene, "a₂")
    seed, replay = (
        kinds(scene, "seed")[0],
        next(k for k in kinds(scene, "replay") if scene.steps[k]["focus"] == [value["id"]]),
    )
    assert at.again_at(value, value["born"]) == ""
    assert at.again_at(value, seed) == "away"
    assert at.again_at(value, replay) == "replay"
    assert at.again_at(value, len(scene.steps) - 1) == "away"


def test_a_region_is_open_closed_replaying_and_done_and_counts_its_bytes() -> None:
    scene = scene_of("recompute")
    regions = [one for one in scene.regions if one["kind"] == "recompute"]
    assert [[one["state"] for one in region["states"]] for region in regions] == [
        ["open", "closed", "replaying", "done"]
    ] * 2
    assert [(region["kept"], region["plain"], region["runs"]) for region in regions] == [(4, 12, 2)] * 2
    assert regions[0]["states"][-1]["text"] == "kept 4 B of 12 B · ran 2 ×"


def test_the_account_in_the_picture_is_the_one_in_words() -> None:
    with viz.record() as run:
        wave = tf.recompute_grad(lambda h: tf.sin(tf.cos(tf.sin(h))), name="wave")
        x = tf.constant([1.0, 2.0])
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = wave(x)
        tape.gradient(y, x)
        tape.gradient(y, x)
    said = tf.explain_recompute(tape)
    region = next(one for one in run.scene.regions if one["kind"] == "recompute")
    assert said == f"wave: ran {region['runs']} times; keeps {region['kept']} bytes, a plain tape {region['plain']}"
    assert len(kinds(run.scene, "replay")) == 6


def test_a_region_that_saves_nothing_says_so() -> None:
    scene = scene_of("recompute_saves_nothing")
    assert any("saved nothing" in note for note in scene.notes)
    assert any("saves nothing" in step["say"] for step in scene.steps)
    assert not any("saved nothing" in note for note in scene_of("recompute").notes)


def test_a_region_that_saves_in_one_call_of_two_is_not_said_to_save_nothing() -> None:
    with viz.record() as run:
        x = tf.Variable([1.0, 2.0])
        little, much = (tf.recompute_grad(f, name="block") for f in (tf.square, lambda h: tf.sin(tf.cos(tf.sin(h)))))
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(much(little(tf.sin(x))))
        tape.gradient(y, x)
    kept = [(one["kept"], one["plain"]) for one in run.scene.regions if one["kind"] == "recompute"]
    assert kept[0][0] >= kept[0][1] > 0 and kept[1][0] < kept[1][1]
    assert not any("saved nothing" in one for one in run.scene.notes)


def test_regions_in_regions_run_as_often_as_they_do() -> None:
    runs: dict[str, int] = {}

    def counted(name: str, body: Any) -> Any:
        def call(h: Any) -> Any:
            runs[name] = runs.get(name, 0) + 1
            return body(h)

        return tf.recompute_grad(call, name=name)

    with viz.record() as run:
        inner = counted("inner", lambda h: tf.cos(tf.sin(h)))
        outer = counted("outer", lambda h: tf.sin(inner(h)))
        x = tf.constant(0.5)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = outer(x)
        tape.gradient(y, x)
    shown = {one["label"]: one["runs"] for one in run.scene.regions if one["kind"] == "recompute"}
    assert shown == runs == {"inner": 3, "outer": 2}
    inside, around = (next(one for one in run.scene.regions if one["label"] == name) for name in ("inner", "outer"))
    assert inside["parent"] == around["id"]


def test_no_tape_of_a_rerun_gets_a_lane() -> None:
    assert [one["name"] for one in scene_of("recompute").recorders] == ["tape"]
    assert [one["name"] for one in scene_of("recompute_second_order").recorders] == ["outer", "inner"]


def test_a_rerun_that_is_written_down_has_cards_with_a_twin() -> None:
    scene = scene_of("recompute_second_order")
    twins = [value for value in scene.values if "twin" in value]
    names = {value["id"]: value["name"] for value in scene.values}
    assert [names[one["twin"]] for one in twins] == ["a", "y"]
    assert [scene.steps[k]["kind"] for k in (twins[0]["born"], twins[1]["born"])] == ["replay", "replay"]


def test_a_reversible_layer_rebuilds_its_inputs_on_their_own_cards() -> None:
    scene = scene_of("reversible")
    back = [one["focus"][0] for one in scene.steps if one["kind"] == "rebuild"]
    names = {value["id"]: value["name"] for value in scene.values}
    assert {"x1", "x2"} <= {names[one] for one in back}
    assert {one["kind"] for one in scene.regions} == {"tape", "rebuild"}


def test_a_custom_gradient_is_a_ground_of_its_own() -> None:
    scene = scene_of("custom_gradient")
    region = next(one for one in scene.regions if one["kind"] == "custom")
    assert [value["name"] for value in scene.values if value.get("region") == region["id"]] == ["e", "1+e", "log(1+e)"]
    assert named(scene, "y")["region"] != region["id"]


@pytest.mark.parametrize("name", ["recompute", "nested_regions", "schedule"])
def test_the_gradient_is_the_plain_programs(name: str) -> None:
    source = (programs.DATA / "programs" / f"{name}.py").read_text(encoding="utf-8")
    space: dict[str, Any] = {"tf": tf}
    plain: dict[str, Any] = {"tf": tf}
    exec(source, space)
    exec(source.replace("@tf.recompute_grad\n", "").replace('schedule="sqrt"', 'schedule="none"'), plain)
    assert float(space["slope"]) == pytest.approx(float(plain["slope"]), rel=1e-6)
    said = programs.kept(name).scene.steps[-1]["say"]
    assert f"slope is {float(space['slope']):.4f}"[:13] in said


def test_what_a_value_inside_of_a_region_is_used_for_is_added_up() -> None:
    def block(h: Any) -> Any:
        k = tf.tanh(h * 3.0)
        return k + k * k

    x = tf.Variable(0.5)
    with viz.record() as run:
        with tf.GradientTape() as tape:
            y = tf.recompute_grad(block)(x)
        slope = tape.gradient(y, x)
    said = [step["say"] for step in run.scene.steps]
    assert any("What arrives is added: 1 + 0.9051 = 1.9051." in text for text in said), said
    assert any("What arrives is added: 1.9051 + 0.9051 = 2.8103." in text for text in said), said
    k = float(tf.tanh(1.5))
    assert float(slope) == pytest.approx((1 + 2 * k) * (1 - k * k) * 3, rel=1e-5)
    formulas = ["".join(part[1] for part in step.get("formula", [])) for step in run.scene.steps]
    assert any(text.startswith("0.5078=2.8103×(1 − 0.9051²)") for text in formulas), formulas
    assert sum("0.5×3" in text for text in formulas) == 2  # the number that stands in the formula is there again, too


def test_a_rule_of_ones_own_inside_of_a_region_runs_again_on_its_own_cards() -> None:
    @tf.custom_gradient
    def square(z: Any) -> Any:
        return z * z, lambda upstream: 7.0 * upstream

    x = tf.Variable(1.5)
    with viz.record() as run:
        with tf.GradientTape() as tape:
            y = tf.recompute_grad(lambda z: square(z) * z)(x)
        tape.gradient(y, x)
    said = [step["say"] for step in run.scene.steps]
    assert any(text.startswith("square(x) runs again") for text in said), said
    assert not any("(a value)" in text for text in said)


def said(run: Any) -> list[str]:
    return [step["say"] for step in run.scene.steps]


def test_a_rerun_that_comes_to_another_number_says_so_and_its_result_stays() -> None:
    with viz.record() as run:
        w = tf.Variable(1.0, name="w")
        layer = tf.recompute_grad(lambda h: tf.exp(w * h), name="layer")
        x = tf.constant(0.0)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = layer(x + 2.0)
            z = y * y
        w.assign(0.5)
        for _ in range(2):
            with pytest.warns(VariableChangedWarning):
                tape.gradient(z, x)
    again = [one for one in said(run) if "runs again:" in one]
    assert [one.rpartition("; ")[2] for one in again if one.startswith("exp")] == ["at step 8 it was 7.3891."] * 2
    squares = [" ".join(term[1] for term in step["formula"]) for step in run.scene.steps if "to y, its" in step["say"]]
    assert squares == ["7.3891 = 1 × 7.3891", "14.7781 = 7.3891 + 1 × 7.3891"] * 2, "the program still has the first y"


def test_a_rerun_that_somebody_writes_down_has_the_names_of_its_first_run() -> None:
    with viz.record() as run:
        f = tf.recompute_grad(lambda x: tf.sin(x) * x, name="f")
        x = tf.constant(1.0)
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = f(x)
            slope = inner.gradient(y, x)
        outer.gradient(slope, x)
    names = [value["name"] for value in run.scene.values]
    assert {"sin(x)", "(sin(x))₂", "y", "y₂"} <= set(names) and "t₁" not in names


def test_what_a_rerun_makes_of_nothing_has_the_card_of_the_first_run() -> None:
    with viz.record() as run:
        cell = tf.keras.layers.SimpleRNN(2)
        x = tf.ones([1, 2, 1])
        cell(x)
        with tf.GradientTape() as tape:
            y = tf.recompute_grad(lambda s: cell(s) + tf.constant([1.0, 2.0]))(x)
        tape.gradient(y, cell.trainable_variables)
    assert not [one for one in said(run) if "a value" in one]


class Doubled(tf.AbstractRecomputeWrapper):
    def call(self, x: Any) -> Any:
        return 2.0 * x

    def _gradient(self, grad_ys: Any, rev_ys: Any) -> Any:
        return (2.0 * grad_ys[0],), (rev_ys[0] / 2.0,)


def test_a_layer_that_goes_back_by_its_own_rule_runs_nothing_again() -> None:
    with viz.record() as run:
        x = tf.constant([3.0, -1.0])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = Doubled()(x) * x
        tape.gradient(y, x)
    told = said(run)
    assert "tape goes back through Doubled by its own rule: nothing in it runs again." in told
    assert "The rule of Doubled is at work: 2.0 * grad_ys[0] is [6, −2]." in told
    assert not [one for one in told if "runs again (run" in one or "From its results" in one]
    assert not [region for region in run.scene.regions if region.get("runs", 1) > 1]
    assert not [claim for claim in claims(run.scene) if claim[1]]


def test_what_a_policy_keeps_does_not_run_again() -> None:
    with viz.record() as run:
        x, w = tf.constant([[1.0, 2.0]]), tf.Variable([[1.0, 0.5], [0.2, -1.0]])
        f = tf.recompute_grad(lambda z: tf.tanh(z @ w) * z, policy=tf.policies.ops("matmul"))
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        tape.gradient(y, x)
    again = [one for one in said(run) if " again" in one]
    assert "x @ w does not run again: z@w was kept, [[1.4, −1.5]]." in again
    assert sum("runs again: " in one for one in again) == 2


def formulas(run: Any, kind: str = "contribution") -> list[str]:
    steps = [step for step in run.scene.steps if step["kind"] == kind]
    return [" ".join(term[0] for term in step.get("formula", ())).strip() for step in steps]


def test_each_step_back_through_a_reversible_layer_has_its_formula() -> None:
    run = programs.kept("reversible")
    told = formulas(run)
    for step in (
        "∂z/∂v₆ = ∂z/∂y2", "∂z/∂y1 += ∂z/∂v₆ × cos(y1)", "∂z/∂v₅ = ∂z/∂y1", "∂z/∂v₄ += − ∂z/∂v₅ × sin(v₄)",
        "∂z/∂v₄ += ∂z/∂y2", "∂z/∂x1 = ∂z/∂v₂",
    ):  # fmt: skip
        assert step in told, (step, told)
    bare = [step["say"] for step in run.scene.steps if step["kind"] == "contribution" and not step.get("formula")]
    assert len(bare) == 4 and all(one.startswith("Out of ") for one in bare), "a region hands on what has been told"
    assert "y1 = v₂ + v₅" in " ".join(said(run)) and "v₂ = y1 − v₅" in formulas(run, "rebuild")


def test_a_reversible_layer_is_told_as_well_when_it_is_asked_again() -> None:
    with viz.record() as run:
        c, x = tf.Variable(0.5), tf.constant([0.5, -1.0])
        net = tf.ReversibleSequential(
            [tf.ReversibleLayer(lambda h: h + c, lambda h: tf.nn.relu(h) + 0.1)] * 2, drift="off"
        )
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y1, y2 = net(x, x * 0.5)
            loss = tf.reduce_sum(y1 - y2)
        tape.gradient(loss, [x, c])
        tape.gradient(loss, [x, c])
    back = formulas(run, "rebuild")
    assert len(back) == 20 and back[:10] == back[10:]
    assert not [claim for claim in claims(run.scene) if claim[1]]


def test_a_reversible_layer_under_an_accumulator_gives_its_inputs_back() -> None:
    layer = tf.ReversibleLayer(lambda h: tf.nn.relu(h) + 0.1, lambda h: h * h)
    with viz.record() as run:
        b = tf.constant([1.5, 0.5])
        with tf.autodiff.ForwardAccumulator(b, tf.ones_like(b)) as acc:
            with tf.GradientTape() as tape:
                tape.watch(b)
                y1, y2 = layer(b, b * 0.5)
                loss = tf.reduce_sum(y1 - y2)
            d = tape.gradient(loss, b)
        acc.jvp(d)
    assert [one for one in said(run) if "gives b back: [1.5, 0.5]." in one], said(run)
    assert not [claim for claim in claims(run.scene) if claim[1]]


def test_a_variable_that_has_changed_counts_in_a_rerun_as_it_is_then() -> None:
    with viz.record() as run:
        w, x = tf.Variable([2.0, 1.0], name="w"), tf.constant([0.5, 1.0])
        f = tf.recompute_grad(lambda h: tf.tanh(h * w), name="f")
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        w.assign([0.5, 3.0])
        with pytest.warns(VariableChangedWarning):
            tape.gradient(y, x)
    told = list(claims(run.scene))
    assert len(told) > 9 and not [claim for claim in told if claim[1]], told
    assert any("[0.5, 3]" in claim for _, _, claim in told)


def test_a_gradient_that_is_a_region_itself_repeats_nothing_number_by_number() -> None:
    with viz.record() as run:
        v = tf.constant([0.6, -0.4])
        f = tf.recompute_grad(lambda a: tf.sin(a * a + 1.5), higher_order="recompute", name="f")
        with tf.GradientTape() as outer:
            outer.watch(v)
            with tf.GradientTape() as inner:
                inner.watch(v)
                y = f(v)
            total = tf.reduce_sum(inner.gradient(y, v))
        outer.gradient(total, v)
    told = list(claims(run.scene))
    assert len(told) > 30 and not [claim for claim in told if claim[1]], [claim for claim in told if claim[1]]
    assert not [one for one in said(run) if "a value" in one]


def test_what_a_layer_of_ones_own_hands_on_is_added() -> None:
    with viz.record() as run:
        x = tf.constant([3.0, -1.0])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = Doubled()(x)
            loss = tf.reduce_sum(y * y + x * x)
        tape.gradient(loss, x)
    assert formulas(run)[-1] == "" and "∂loss/∂x += ∂loss/∂(x·x) × x" in formulas(run)
    assert not [claim for claim in claims(run.scene) if claim[1]]


def test_an_exact_layer_tells_its_grid_on_cards_of_its_own() -> None:
    layer = tf.ReversibleLayer(tf.sin, lambda h: h * 0.5, exact=True)
    with viz.record() as run:
        x = tf.constant([1.0, 2.0])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y1, y2 = layer(x, x + 1.0)
            loss = tf.reduce_sum(y1 * y2)
        tape.gradient(loss, x)
    told, back = said(run), formulas(run, "rebuild")
    assert [one for one in told if one.endswith("gives x back: [1, 2].")] and len(back) == 20
    assert len({one.partition(" = ")[0] for one in back}) == 20, "each value comes back once"
    assert not [claim for claim in claims(run.scene) if claim[1]]


class Halved(tf.AbstractRecomputeWrapper):
    def call(self, x: Any) -> Any:
        return tf.tanh(x) * 3.0

    def _gradient(self, grad_ys: Any, rev_ys: Any) -> Any:
        again = self._block_recompute_and_gradients(self.call, list(self._record.inputs), grad_ys[0], ())
        return (again[1][0] * 0.5,), None


def test_a_layer_that_hands_on_something_else_than_its_rerun_found_says_so() -> None:
    with viz.record() as run:
        x = tf.constant([1.0, -0.5])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = Halved()(x)
        tape.gradient(y, x)
    told = said(run)
    assert [one for one in told if one.startswith("Out of Halved, by its own rule, back to x: ")], told
    assert not [one for one in told if "by its own rule: nothing" in one], "its block does run again"


def test_a_variable_that_a_region_was_given_counts_as_it_was_given() -> None:
    with viz.record() as run:
        w, a = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="w"), tf.constant([2.0, 0.5])
        f = tf.RecomputeWrapper(lambda v: tf.tanh(v[::-1] * a))
        with tf.GradientTape(persistent=True) as tape:
            y = f(w)
        w.assign(w * 0.5)
        with warnings.catch_warnings(action="error"):
            tape.gradient(y, w)
    assert [one for one in said(run) if "runs again: " in one and one.endswith("as at step 5.")], said(run)
    assert not [claim for claim in claims(run.scene) if claim[1]]


def test_what_is_saved_is_what_the_tape_follows() -> None:
    with viz.record() as run:
        w, x = tf.Variable([0.5, -0.3]), tf.constant([1.0, 2.0])
        cell = tf.recompute_grad(lambda h: tf.tanh(h * w + x), name="cell")
        with tf.GradientTape() as tape:
            cell(tf.zeros([2]))
        x2 = tf.constant([1.0, 2.0])
        with tf.GradientTape() as tape:
            tape.watch(x2)
            with tf.autodiff.ForwardAccumulator(x2, tf.ones_like(x2)) as acc:
                y = tf.recompute_grad(tf.sin, name="sine")(x2)
            acc.jvp(y)
    told = said(run)
    assert [
        one for one in told if one.startswith("Out of cell") and one.endswith("would keep 16 B; this keeps 8 B.")
    ], told
    assert [one for one in told if one.startswith("Out of sine") and "plain" not in one], "tangents are not counted"


def test_a_region_whose_first_run_was_not_recorded_is_told_as_far_as_it_is_known() -> None:
    x, f, net = (
        tf.constant([0.5, 0.1]),
        tf.recompute_grad(lambda h: tf.sin(h) * h, name="f"),
        tf.ReversibleLayer(tf.sin, tf.tanh),
    )
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y, halves = f(x), net(x, x * 2.0)
    with viz.record() as run:
        g = tape.gradient(y, x)
        tape.gradient(halves[0] * halves[1], x)
    told = said(run)
    assert "tape needs what was let go in f: it runs again (run 2)." in told
    assert g is not None and [one for one in told if one.endswith(" is [0.9182, 0.1993].")], told
    assert not [one for one in told if "could not be told" in one or "from a value" in one]


def test_arithmetic_on_gradients_is_no_rerun_of_the_call() -> None:
    with viz.record() as run:
        x = tf.constant([3.0, -1.0])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = Doubled()(x)
        tape.gradient(y, x)
    assert not [one for one in said(run) if "runs again:" in one]


def test_a_weight_of_the_same_shape_is_no_input_that_a_reversible_layer_gives_back() -> None:
    with viz.record() as run:
        w = tf.Variable([0.5, 2.0], name="w")
        layer = tf.ReversibleLayer(lambda h: tf.sin(w * h), tf.tanh)
        x1, x2 = tf.constant([1.0, 2.0]), tf.constant([0.5, -1.0])
        with tf.GradientTape() as tape:
            tape.watch([x1, x2])
            y1, y2 = layer(x1, x2)
            loss = tf.reduce_sum(y1 * y2)
        tape.gradient(loss, [x1, x2, w])
    assert [one for one in said(run) if "gives x1 back: [1, 2]." in one]


def test_segments_and_what_a_policy_keeps_have_names_of_their_own() -> None:
    with viz.record() as run:
        net = tf.checkpoint_sequential([lambda h: tf.sin(h)] * 4, segments=2)
        x = tf.constant(0.5)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = net(x)
        tape.gradient(y, x)
    assert any(one.startswith("tape goes back from y,") for one in said(run))
    assert "y₂" not in [value["name"] for value in run.scene.values]


def test_a_tape_goes_back_through_the_tangents_that_a_rerun_carries() -> None:
    with viz.record() as run:
        x = tf.constant([1.0, 2.0])
        f = tf.recompute_grad(lambda z: tf.sin(z) * z, name="f")
        with tf.GradientTape() as tape:
            tape.watch(x)
            with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as acc:
                y = f(x)
            slope = acc.jvp(y)
        d = tape.gradient(slope, x)
    told = said(run)
    assert not [one for one in told if one.startswith("d ") and "listen" in one], "the rerun's accumulator is acc"
    assert [one for one in told if one.startswith("Back through slope = t")], told
    wrong = [claim for claim in claims(run.scene) if claim[1]]
    assert not wrong, wrong
    shares = [one for one in told if " to x" in one and one.startswith("Back through")]
    assert shares[-1].endswith(f"{number(float(d[0]))}, {number(float(d[1]))}].")  # all that arrives at x is told


def test_what_a_region_hands_on_is_added_to_what_was_there_before_it() -> None:
    w = tf.Variable([[0.5, -0.3], [0.2, 0.8]])
    block = tf.recompute_grad(lambda x: x + tf.nn.relu(x @ w))
    h = tf.constant([[1.0, 2.0]])
    with viz.record() as run:
        with tf.GradientTape() as tape:
            for _ in range(3):
                h = block(h)
            loss = tf.reduce_sum(h)
        tape.gradient(loss, w)
    sums = [(wrong, claim) for _, wrong, claim in claims(run.scene) if claim.startswith("[[") and "] + [" in claim]
    assert len(sums) > 1 and not [claim for wrong, claim in sums if wrong], sums


def test_a_region_in_a_region_has_its_names_where_both_are_written_down_again() -> None:
    inner = tf.recompute_grad(lambda z: tf.sin(z) * z)
    outer = tf.recompute_grad(lambda x: inner(x) + inner(x * 2.0))
    x = tf.Variable(0.5)
    with viz.record() as run:
        with tf.GradientTape() as t2:
            with tf.GradientTape() as t1:
                y = outer(x)
            g = t1.gradient(y, x)
        t2.gradient(g, x)
    said = [step["say"] for step in run.scene.steps]
    assert not any("a value" in text for text in said), [text for text in said if "a value" in text]


def test_while_a_rule_of_the_programs_own_is_at_work_the_eye_is_on_what_it_goes_back_from() -> None:
    """No op of the rule has a card: the picture went to whatever was made last."""

    @tf.custom_gradient
    def both(x: Any) -> Any:
        def grad(of_double: Any, of_half: Any) -> Any:
            return 2.0 * of_double + 0.5 * of_half

        return (2.0 * x, 0.5 * x), grad

    x = tf.Variable([3.0, -1.0])
    with viz.record() as run:
        with tf.GradientTape() as tape:
            double, half = both(x)
            y = double * half
        tape.gradient(y, x)
    names = {value["id"]: value["name"] for value in run.scene.values}
    looked = [[names[one] for one in step["focus"]] for step in run.scene.steps if "at work" in step["say"]]
    assert len(looked) == 3 and looked == [["double", "half"]] * 3


@pytest.mark.parametrize("outer", [False, True])
def test_what_is_added_share_by_share_is_not_told_to_be_added_again(outer: bool) -> None:
    """At the region's door "Added to …", and out of it "another …. What arrives is added": a class added it twice."""
    x = tf.Variable([1.0, 2.0])
    layer = tf.recompute_grad(lambda h: tf.sin(h) * h, name="layer")
    with viz.record() as run, tf.GradientTape() if outer else contextlib.nullcontext():
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(layer(x) * x)
        tape.gradient(y, x)
    said = [step["say"] for step in run.scene.steps]
    whole = "Out of layer, back to x: [1.3818, 0.154] in all, which has been added already."
    assert whole in said
    after = said[said.index(whole) + 1]
    assert after.startswith("v" if outer else "∂y/∂x is") or "records this addition too" in after
    assert not any("another" in one or "is added" in one for one in said)
    assert sum("Added to" in one for one in said) == 2


def test_what_variables_hold_is_charged_to_neither_side() -> None:
    """The arrays of w and x live anyway: they were charged to the plain tape, and the region needs w as well."""
    w, x = tf.Variable(tf.ones([30, 30])), tf.Variable(tf.ones([1, 30]))

    def body(h: tf.Tensor) -> tf.Tensor:
        return tf.tanh(h @ w)

    def kept(layer: Any) -> int:
        before = tf.ledger.reading()["tape"]
        with tf.GradientTape() as tape:
            y = layer(x)
        assert tape.entries
        del y  # so that nobody but the tape has what it keeps
        return int(tf.ledger.reading()["tape"] - before)

    for wrap in (tf.recompute_grad, tf.RecomputeWrapper):
        layer = wrap(body)
        with viz.record() as run, tf.GradientTape():
            layer(x)
        region = next(one for one in run.scene.regions if one["kind"] == "recompute")
        assert (region["kept"], region["plain"]) == (kept(layer), kept(body)) == (0, 120)
        said = "Beside what variables hold, a plain tape would keep 120 B; this keeps 0 B."
        assert any(step["say"].endswith(said) for step in run.scene.steps)
