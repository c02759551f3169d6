"""Regions in the scene: what is let go, what runs again, and on whose card."""

from __future__ import annotations

from typing import Any

import pytest

import minitape as tf
import viz
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
