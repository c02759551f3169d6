"""What stands on cards, tabs and the axis of time says what it is of, and only what is so."""

from __future__ import annotations

import re
from typing import Any

import pytest

import minitape as tf
import viz
from tests.viz.test_layers_fold import recorded
from viz.paint.cards import row
from viz.paint.lens import place
from viz.paint.time import Axis, alarms
from viz.tell.scenes import scene_of


def test_targets_with_long_names_are_told_apart() -> None:
    """The cards of a weight had two rows called ∂target."""
    w = tf.Variable(2.0, name="w")
    with viz.record() as run, tf.GradientTape(persistent=True) as tape:
        a_rather_long_name = w * w
        another_rather_long_name = w * 3.0
        the_loss = w * 4.0
        for target in (a_rather_long_name, another_rather_long_name, the_loss, a_rather_long_name):
            tape.gradient(target, w)
    labels = [cell["label"] for cell in run.scene.values[0]["cells"][1:]]
    assert labels == ["∂target/∂w", "∂target₂/∂w", "∂the_loss/∂w"]


def test_a_derivative_without_room_for_its_name_is_no_other() -> None:
    """Of ∂loss/∂kernel a card had ∂loss alone, which is a change of the loss; half a bracket says nothing either."""
    kernel, embeddings = tf.Variable(2.0, name="kernel"), tf.Variable(1.0, name="embeddings")
    with viz.record() as run:
        with tf.GradientTape() as tape:
            loss = (kernel * embeddings + 1.0) ** 2
        tape.gradient(loss, [kernel, embeddings])
    labels = {value["name"]: cell["label"] for value in run.scene.values for cell in value["cells"][1:]}
    assert {"kernel": "∂loss/∂kernel", "embeddings": "∂loss/∂embed…"}.items() <= labels.items(), labels
    assert all(label.startswith("∂loss/∂") and "(" not in label for label in labels.values()), labels
    assert "∂loss/∂embeddings = 12" in str(run) and "∂loss/∂embed…" not in str(run)


@pytest.mark.filterwarnings("ignore")
def test_what_a_tape_wrote_down_in_a_fold_is_no_ghost() -> None:
    """Whoever has a gradient was written down, also where the last op of its fold was not."""
    for name in ("hessian", "pinn"):
        for value in scene_of(recorded(name), placed=False).values:
            back = [cell for cell in value["cells"][1:] if cell["kind"].startswith("gradient")]
            shown = [
                state for cell in back for state in cell.get("states", []) if state["text"] not in ("None", "never")
            ]
            assert not (value.get("ghost") and shown), f"{name}: {value['name']}"


def test_a_name_that_is_the_formula_stands_before_it_too() -> None:
    with viz.record() as run:
        h = tf.constant([[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]])
        tf.reduce_mean(h * h)
    told = next(step["formula"] for step in run.scene.steps if step.get("formula"))
    assert [term[0] for term in told] == ["h·h", "=", "h", "×", "h"]


def test_of_loops_of_one_line_the_first_has_it_and_the_others_their_number() -> None:
    loops: list[dict[str, Any]] = [
        {"label": label} for label in ("for a in b:", "while c:", "for a in b:", "for a in b:")
    ]
    buttons = place(loops)[0].kids[0].kids
    assert [button.attrs["text"] for button in buttons] == ["for a in b: 1", "while c:", "2", "3"]
    assert [button.attrs["aria_label"] for button in buttons][2:] == ["for a in b: 2", "for a in b: 3"]


def test_a_warning_is_faint_before_its_step() -> None:
    x = tf.Variable(0.0, name="x")
    with viz.record() as run, tf.GradientTape() as tape:
        tape.gradient(tf.math.log(x), x)
    at = min(alarm["t"] for alarm in run.scene.alarms)
    drawn = alarms(run.scene, Axis(run.scene, 600.0), 0.0)[0].kids[-1]
    assert (
        at and [str(drawn.now("cls", step)) for step in (0, at - 1, at, at + 1)] == ["alarm ahead"] * 2 + ["alarm"] * 2
    )


def test_a_negative_number_behind_a_sign_stands_in_brackets() -> None:
    """A sum was told as −0.6195 + −2.0674, in words and in formulas."""
    x = tf.Variable(-3.0, name="x")
    with viz.record() as run:
        with tf.GradientTape() as tape:
            y = 2.0 * (x * x) - x
        tape.gradient(y, x)
    said = [step["say"] for step in run.scene.steps]
    formulas = [" ".join(term[row] for term in step.get("formula", [])) for step in run.scene.steps for row in (0, 1)]
    assert not [text for text in said + formulas if re.search(r"[+−×÷] −", text)]
    assert any("added: −1 + (−6) = −7." in text for text in said)
    assert "−3 × (−3) = 9" in formulas


def test_where_derivatives_share_a_place_the_squares_are_those_of_the_newest() -> None:
    """A weight with more derivatives than a card has rows: the name, the shape and the squares are told of one of them."""

    def gradient(step: int, first: float) -> dict[str, Any]:
        data = {"shape": [8], "numbers": [first, *[-1.0] * 7]}
        return {
            "id": f"g{step}",
            "label": f"g{step}",
            "kind": "gradient",
            "states": [{"t": step, "text": "", "data": data}],
        }

    cells = [gradient(1, 4.0), gradient(8, -4.0)]
    drawn = row({"id": "x", "name": "x", "kind": "variable", "cells": cells}, cells, (0, 24, 200, 21), set())
    marks = {mark.key: mark for group in drawn for mark in [group, *group.kids]}
    assert [marks["label:x|g1"].now("text", step) for step in (1, 8)] == ["g1", "g8"]
    assert [bool(marks["pos:x|g1"].now("d", step)) for step in (1, 8)] == [True, False]
