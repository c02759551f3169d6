"""What is shown is true: numbers against TensorFlow's, sums at every step, lanes against entries, memory against the ledger."""

from __future__ import annotations

import gc
import re
from typing import Any

import numpy as np
import pytest

import minitape as tf
import viz
from viz.paint import state
from viz.scene import Scene
from viz.style import HOLDERS, PALETTE

from . import programs

# What TensorFlow 2.21 answers for the same programs.  It has no reversible layers and no schedules: there the plain program.
ANSWERS: dict[str, dict[str, Any]] = {
    "backward_over_forward": {"slope": 2.2072, "second": -2.7095},
    "batch_jacobian": {"rows": None},
    "custom_gradient": {"slope": 3.7468},
    "dedented": {"d": 10.0, "d2": "None"},
    "diamond": {"dx": 3.0, "dy": 8.0},
    "error": {"dy": [2.0, 2.0]},
    "forward_over_backward": {"backward": [3.0, 12.0], "product": [6.0, 0.0]},
    "jacobian": {"J": [[2.0, 0.0], [0.0, 6.0]]},
    "loop": {"g": -0.289, "w": 0.5632},
    "loop_folded": {"slope": 11.3814},
    "named_stretches": {"slope": 2.6601},
    "nested": {"d": 75.0, "d2": 30.0},
    "nested_regions": {"slope": 0.1176},
    "order_rule": {"dy": 4.4417, "d2y": 10.0948, "t": 4.4417, "nothing": "None"},
    "paused": {"dw": 6.0},
    "persistent": {"dz_dx": 108.0, "dy_dx": 6.0},
    "recompute": {"slope": 0.0849},
    "recompute_saves_nothing": {"slope": [0.7864, 0.42]},
    "recompute_second_order": {"d": 0.8415, "curve": 1.0806},
    "reversible": {"d1": 4.3243, "d2": -1.6648},
    "schedule": {"slope": 0.2059},
    "slope": {"dy_dx": 6.0},
    "training_folded": {"slope": 0.0, "w": 2.0},
    "unwatched": {"dy_dx": "None"},
}


def told(scene: Scene) -> dict[str, str]:
    """By name, what the lines of the program show at the end."""
    lines = {tuple(place): text for step in scene.steps for place, text in step.get("produced", [])}
    pairs = [re.findall(r"(\w+) = (.*?)(?=, \w+ = |$)", line) for line in lines.values()]
    return {name: said for found in pairs for name, said in found}


def numbers(said: str) -> Any:
    return "None" if said == "None" else [float(one) for one in re.findall(r"-?[\d.]+", said.replace("−", "-"))]


@pytest.mark.parametrize("name", [name for name, answers in ANSWERS.items() if None not in answers.values()])
def test_the_answers_shown_are_tensorflows(name: str) -> None:
    shown = told(programs.kept(name).scene)
    for answer, expected in ANSWERS[name].items():
        if expected == "None":
            assert shown[answer] == "None"
        else:
            assert numbers(shown[answer]) == pytest.approx(np.ravel(expected), abs=6e-5), answer


def number(text: str) -> float:
    return float(text.replace("−", "-"))


@pytest.mark.parametrize("name", programs.NAMES)
def test_at_every_step_the_shares_shown_add_up_to_the_gradient_shown(name: str) -> None:
    """Of each value and question: the numbers on its edges up to now, since the slot was last empty, are its number now."""
    scene, checked = programs.kept(name).scene, 0
    for value in scene.values:
        carried = [one for edge in scene.edges if edge["a"] == value["id"] for one in edge.get("carried", [])]
        for cell in value["cells"]:
            if not cell["kind"].startswith("gradient") or cell["id"] == "v":
                continue
            begun = 0
            for fact in cell["states"]:
                if fact["text"] == "":  # asked again: the slot is empty
                    begun = fact["t"]
                parts = [one for one in carried if one["by"] == cell["by"] and begun <= one["t"] <= fact["t"]]
                parts = [one for one in parts if not _of_another_question(scene, cell, one["t"])]
                if not parts or fact["text"] in ("", "None") or fact.get("data"):
                    continue
                if any("shares" in one["text"] or "×" in one["text"] or "[" in one["text"] for one in parts):
                    continue  # arrays: their shares are squares, not numbers
                assert sum(number(one["text"]) for one in parts) == pytest.approx(number(fact["text"]), abs=3e-4)
                checked += 1
    single = not any(value["shape"] for value in scene.values)
    graded = any(edge.get("carried") for edge in scene.edges)
    assert checked or not (single and graded)


def _of_another_question(scene: Scene, cell: dict[str, Any], at: int) -> bool:
    """Whether a share came back for another target of the same tape."""
    seeds = [
        (step, focus)
        for step, one in enumerate(scene.steps)
        if one["kind"] == "seed"
        for focus in one.get("focus", [])
        if isinstance(focus, list)
    ]
    asked = [focus[1] for step, focus in seeds if step <= at]
    return bool(asked) and asked[-1] != cell["id"]


def lane(scene: Scene, name: str) -> list[int]:
    """The steps at which a recorder has the tick of an entry."""
    identity = next(one["id"] for one in scene.recorders if one["name"] == name)
    return [at for at, step in enumerate(scene.steps) if [identity, "op"] in step.get("marks", [])]


def test_the_outer_lane_has_the_inner_ways_steps_and_the_dedented_one_loses_them() -> None:
    inside, outside = programs.kept("nested").scene, programs.kept("dedented").scene
    backward = [at for at in lane(inside, "outer") if at not in lane(inside, "inner")]
    marks = [mark for at in backward for _, mark in inside.steps[at]["marks"]]
    assert len(backward) == 6
    assert marks.count("back") == 4, "the products of the inner backward pass; the other two are its sums"
    assert lane(outside, "outer") == lane(outside, "inner")
    assert len(lane(outside, "outer")) == 1


def test_each_replayed_op_links_to_one_ghost() -> None:
    for name in ("recompute", "recompute_saves_nothing", "nested_regions", "schedule"):
        scene = programs.kept(name).scene
        replays = [step for step in scene.steps if step["kind"] == "replay"]
        assert replays
        for step in replays:
            first = scene.steps[step["twin"]]
            assert [mark for _, mark in first["marks"]] == ["ghost"]
            assert first["focus"] == step["focus"]
            assert f"step {step['twin']}" in step["say"]


@pytest.mark.parametrize("name", programs.NAMES)
def test_the_peak_drawn_is_the_ledgers(name: str) -> None:
    gc.collect()
    before = tf.ledger.live
    tf.ledger.restart_peak()
    run = programs.run(name)
    peak = tf.ledger.restart_peak() - before
    scene = run.scene
    assert state.peak(scene)[0] == peak
    words = state.peak_words(scene)
    assert words.startswith(f"peak {peak} B at step {state.peak(scene)[1]}: ")
    parts = [int(one) for one in re.findall(r"(\d+) B", words)]
    assert sum(parts[1:]) == peak, "its holders, and what is inside the step, make it up"
    assert words in viz.lanes(scene).svg or words.partition(":")[0] in viz.lanes(scene).svg


def test_memory_is_drawn_in_stairs() -> None:
    """Never sloped, and as high as the ledger's sums say: the top of each band is what all holders up to it have together."""
    scene = programs.kept("nested").scene
    colours = {PALETTE["light"][f"m-{holder}"]: holder for holder in HOLDERS}
    bands = re.findall(r'<path [^>]*fill="(#\w+)" d="M0 ([\d.]+)([hvHV\d. -]*)Z"', viz.lanes(scene).svg)
    assert {colours[colour] for colour, _, _ in bands} == {holder["id"] for holder in scene.holders}
    most, _ = state.peak(scene)
    for colour, ground, moves in bands:
        tall = y = float(ground)
        tops = [0.0]
        for way, by in re.findall(r"([hvHV])([\d.-]+)", moves):
            y = y + float(by) if way == "v" else float(by) if way == "V" else y
            tops += [y] if way in "vV" else []
        known = [holder["id"] for holder in scene.holders]
        held = known[: known.index(colours[colour]) + 1]
        sums = {sum(step.get("memory", {}).get(holder, 0) for holder in held) for step in scene.steps}
        assert {round((tall - top) / (tall - 6) * most) for top in tops[1:]} <= sums | {0}


@pytest.mark.parametrize("name", programs.NAMES)
def test_each_picture_has_words_and_a_table_beside_it(name: str) -> None:
    scene = programs.kept(name).scene
    bundle = viz.graph(scene)._repr_mimebundle_()
    assert scene.steps[-1]["say"].split(".")[0].replace("<", "&lt;") in bundle["text/html"].split(" src=")[0]
    table = str(viz.table(scene))
    assert all(str(at) in table for at in range(len(scene.steps)))
    desc = re.search(r"<desc[^>]*>([^<]*)</desc>", viz.score(scene).svg)
    assert desc is not None
    assert "Memory: " in desc[1]
