"""From a real record to a scene: facts against goldens, and against the numbers that the program computed."""

from __future__ import annotations

import gc
import os
import re
import subprocess
import sys
from typing import Any

import pytest

import minitape as tf
import viz
from viz.scene import Scene
from viz.tell.scenes import scene_of

from . import programs


@pytest.mark.parametrize("name", programs.NAMES)
def test_golden(name: str) -> None:
    kept = (programs.DATA / "goldens" / f"{name}.txt").read_text(encoding="utf-8")
    assert programs.golden(programs.told(programs.kept(name).stream)) == kept, (
        "if this is meant: python -m tests.viz.programs, and look at the difference"
    )


@pytest.mark.parametrize("name", programs.NAMES)
def test_json_both_ways(name: str) -> None:
    scene = programs.kept(name).scene
    assert Scene.from_json(scene.to_json()) == scene


@pytest.mark.parametrize("name", programs.NAMES)
def test_every_name_in_a_step_exists(name: str) -> None:
    scene = programs.kept(name).scene
    values = {value["id"]: {cell["id"] for cell in value["cells"]} for value in scene.values}
    edges = {edge["id"] for edge in scene.edges}
    recorders = {one["id"] for one in scene.recorders}
    regions = {one["id"] for one in scene.regions}
    lines = {(source["id"], line) for source in scene.sources for line, _ in source["lines"]}
    for step in scene.steps:
        assert step["say"].strip()
        for focus in step.get("focus", []):
            identity, cell = focus if isinstance(focus, list) else (focus, "v")
            assert cell in values[identity]
        assert all(edge in edges for edge, _ in step.get("flow", []))
        assert all(recorder in recorders for recorder, _ in step.get("marks", []))
        for place in filter(None, [step.get("place"), step.get("cause")]):
            assert tuple(place) in lines
    for value in scene.values:
        assert value.get("region") is None or value["region"] in regions
    for edge in scene.edges:
        assert {edge["a"], edge["b"]} <= values.keys()


def number(text: str) -> float:
    return float(text.replace("−", "-"))


@pytest.mark.parametrize(
    "name", ["slope", "diamond", "persistent", "nested", "loop", "paused", "recompute", "schedule"]
)
def test_contributions_add_up_to_the_gradient(name: str) -> None:
    scene = programs.kept(name).scene
    checked = 0
    for value in scene.values:
        for cell in value["cells"]:
            if not cell["kind"].startswith("gradient") or cell["id"] == "v" or cell["states"][-1]["text"] == "None":
                continue
            # What was carried to this value for this question, by the recorder of the cell, after it was last emptied.
            start, end = cell["states"][0]["t"], cell["states"][-1]["t"]
            parts = [
                number(one["text"])
                for edge in scene.edges
                if edge["a"] == value["id"]
                for one in edge.get("carried", [])
                if one["by"] == cell["by"] and start <= one["t"] <= end
            ]
            if parts:
                checked += 1
                assert sum(parts) == pytest.approx(number(cell["states"][-1]["text"]), abs=2e-4)
    assert checked


def final(scene: Scene, name: str, cell: str) -> Any:
    value = next(one for one in scene.values if one["name"] == name)
    return next(one for one in value["cells"] if one["label"] == cell)["states"][-1]


def test_the_documented_numbers_are_in_the_picture() -> None:
    assert final(programs.kept("slope").scene, "x", "∂y/∂x")["text"] == "6"
    assert final(programs.kept("persistent").scene, "x", "∂z/∂x")["text"] == "108"
    assert final(programs.kept("nested").scene, "x", "∂d/∂x")["text"] == "30"
    assert final(programs.kept("order_rule").scene, "dy", "outer")["text"] == "10.0948"
    assert final(programs.kept("order_rule").scene, "t", "inner")["text"] == "∅"
    assert final(programs.kept("forward_over_backward").scene, "backward", "acc")["data"]["numbers"] == [6.0, 0.0]
    cut = final(programs.kept("dedented").scene, "x", "∂d/∂x")
    assert cut["text"] == "None"
    assert "outer" in cut["why"]


def test_not_yet_none_and_zero_are_three_things() -> None:
    with viz.record() as run:
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = x * 0.0
        tape.gradient(y, x)
    value = next(one for one in run.scene.values if one["name"] == "x")
    states = next(cell for cell in value["cells"] if cell["kind"] == "gradient")["states"]
    assert [state["text"] for state in states] == ["0"]
    assert states[0]["t"] > value["born"]  # before that the slot is empty
    assert final(programs.kept("unwatched").scene, "x", "∂y/∂x")["text"] == "None"


def test_outer_lane_has_exactly_the_outer_tapes_entries() -> None:
    with viz.record() as run:
        x = tf.Variable(5.0)
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                y = x * x * x
            d = inner.gradient(y, x)
    scene = run.scene
    lane = next(one["id"] for one in scene.recorders if one["name"] == "outer")
    marks = [
        mark for step in scene.steps for recorder, mark in step.get("marks", []) if recorder == lane and mark == "op"
    ]
    assert len(marks) == len(outer.entries) == 8
    assert d is not None


def test_memory_is_the_ledgers() -> None:
    start = tf.ledger.reading()
    with viz.record() as run:
        x = tf.Variable(tf.zeros([1000]))
        with tf.GradientTape() as tape:
            y = tf.exp(x)
        z = tape.gradient(y, x)
    end = tf.ledger.reading()
    memory = run.scene.steps[-1]["memory"]
    for holder, total in memory.items():
        assert total == end[holder] - start[holder]
    assert z is not None
    # the variable's first value is a constant that is gone by now; at the peak: x, y, the seed, the gradient
    assert max(max(sum(s["memory"].values()), s.get("high", 0)) for s in run.scene.steps) == 16_000


def test_a_garbage_from_before_is_not_the_runs() -> None:
    old = tf.zeros([1000])
    with viz.record() as run:
        x = tf.Variable(1.0)
        del old
        y = x * 2.0
    assert run.scene.steps[-1]["memory"] == {"variable": 4, "python": 4}
    assert y is not None


def test_a_value_from_before_appears_under_its_name() -> None:
    early = tf.constant(4.0)
    with viz.record() as run:
        late = early * early
    assert late is not None
    value = run.scene.values[0]
    assert (value["name"], value["born"], value["cells"][0]["states"][0]["text"]) == ("early", 0, "4")


def test_two_processes_give_the_same_bytes() -> None:
    program = (
        "from tests.viz import programs\n"
        "for name in programs.NAMES:\n"
        "    print(programs.golden(programs.run(name).scene))\n"
    )
    root = programs.DATA.parents[1]
    texts = {
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=root,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(texts) == 1


def test_a_tape_alone_can_be_drawn_before_and_after_it_is_used() -> None:
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
        z = tf.exp(y)
    before = viz.table(tape)
    assert tape.gradient(z, x) is not None
    after = viz.table(tape)
    for table in (before, after):
        assert "op" in table
    assert [value["name"] for value in viz.graph(tape).scene.values] == ["x", "y", "z"]


def test_a_run_holds_no_arrays() -> None:
    import gc

    import numpy as np

    with viz.record() as run:
        x = tf.zeros([1234])
        y = x * 2.0
    del x, y
    gc.collect()
    assert not [one for one in gc.get_objects() if isinstance(one, np.ndarray) and one.shape == (1234,)]
    assert len(run) == 3


def test_a_scene_goes_as_soon_as_nobody_has_it() -> None:
    """Nothing of it, or of what told and placed it, knows itself: Python's collector, which visits every object, is not needed."""
    nested = "nested_regions"  # which know what lies in them, and where they lie
    streams = [programs.kept(name).stream for name in programs.NAMES if name != nested]
    gc.collect()
    gc.disable()
    try:
        for stream in streams:
            assert scene_of(stream).steps
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_wrong_things_are_refused_with_the_next_thing_to_type() -> None:
    with pytest.raises(TypeError, match=r"viz\.record"):
        viz.table(3.0)
    with viz.record() as run:
        tf.Variable(1.0)
    with pytest.raises(ValueError, match=r"\.html"):
        viz.export(run, "picture.gif")
    with pytest.raises(IndexError, match="steps 0 to"):
        viz.graph(run, 99)


def test_an_error_inside_leaves_nobody_listening() -> None:
    from minitape.record.events import state

    with pytest.raises(ZeroDivisionError), viz.record() as run:
        x = tf.Variable(1.0)
        with tf.GradientTape():
            _ = x * 2.0
            raise ZeroDivisionError
    assert state.listeners == ()
    assert state.recorders == ()
    assert tf.ledger.observers == ()
    assert any("ZeroDivisionError" in step["say"] for step in run.scene.steps)


def test_beside_a_line_stands_what_it_gave_and_nothing_on_the_way() -> None:
    """A call of the library's may take several ops: only the last one makes what the line's name is given."""
    with viz.record() as run:
        x = tf.constant([[1.0], [3.0]])
        loss = tf.keras.losses.MeanSquaredError()(tf.zeros([2, 1]), x)
    given = [text for step in run.scene.steps for _, text in step.get("produced", []) if text.startswith("loss")]
    assert given == ["loss = 5"] and float(loss) == 5.0


def test_what_is_added_and_nearly_cancels_is_told_in_more_digits() -> None:
    """0.5 + (−0.5) is not 1.5e−6: Heron's steps towards a root, gone back through."""
    a = tf.Variable(2.0)
    with viz.record() as run:
        with tf.GradientTape() as tape:
            s = tf.constant(1.0)
            for _ in range(4):
                s = 0.5 * (s + a / s)
        tape.gradient(s, a)
    told = "\n".join(step["say"].replace("−", "-") for step in run.scene.steps)
    sums = re.findall(r"added: (\S+) \+ \(?([^ )]+)\)? = (\S+)\.$", told, re.MULTILINE)
    assert len(sums) > 4
    for first, second, total in sums:
        assert float(first) + float(second) == pytest.approx(float(total), rel=0.06)


def test_what_eye_makes_is_made_when_its_line_runs() -> None:
    """It stood there before anything ran; so did places by `tf.where`, and what an initializer or keras.random draws."""
    with viz.record() as run:
        x = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
        one = tf.eye(2)
        places = tf.where([True, False, True])
        drawn = tf.keras.random.normal((2, 2), seed=1)
        ones = tf.keras.initializers.Ones()((2, 2))
        y = x * one + drawn * ones
        z = places + 1
    born = {value["name"]: value["born"] for value in run.scene.values}
    assert [born[name] for name in ("x", "one", "places", "drawn", "ones")] == [1, 2, 3, 4, 5], born
    assert y.shape == (2, 2) and z.shape == (2, 1)
