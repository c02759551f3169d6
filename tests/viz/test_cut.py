"""The pictures of explanations: one mark for each way in which a path can stop, and words for those who do not see it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest

import minitape as tf
import viz
from tests.core.test_why import EXPLAINED, NUMBERS, run
from viz.capture import answered
from viz.style import PALETTE
from viz.tell.cut import MARKS
from viz.tell.cut import cut_of as drawn


def cut_of(why: Any) -> dict[str, Any]:
    return drawn(answered(why))


WANTED = {
    "M01 constant": "eye", "M02": "eye", "M03 constant": "eye", "M04 np.mean": "scissors", "M05 x = x + 1": "slide",
    "M06": "ghost", "M07 between": "ghost", "M08": "gap", "M09": "eye", "M10": "wall", "M11 round": "wall", "M13": "released",
    "M16": "ghost", "M17": "eye", "M18": "ghost", "M21 stop_gradient": "stop", "M21 stop_recording": "pause", "F01": "ghost",
    "F06": "ghost", "F11": "ghost",
}  # fmt: skip


@pytest.mark.parametrize("row", WANTED)
@pytest.mark.parametrize("theme", PALETTE)
def test_every_cut_has_its_mark_and_its_words(row: str, theme: str) -> None:
    why = run(EXPLAINED[row][0])["e"]
    facts = cut_of(why)
    assert facts["mark"] == WANTED[row]
    svg = viz.cut(why, theme=theme).svg
    root = ET.fromstring(svg)
    said = " ".join(root.itertext())
    assert why.code in said and why.what[-20:].rstrip(".") in said.replace("  ", " ")
    assert dict(MARKS.values())[facts["mark"]] in said
    assert PALETTE[theme]["bg"] in svg
    assert facts["nodes"][0]["name"] == why.steps[0][0]


@pytest.mark.parametrize("row", [*EXPLAINED, *NUMBERS])
def test_every_explanation_can_be_drawn(row: str) -> None:
    why = run((EXPLAINED | NUMBERS)[row][0])["e"]
    root = ET.fromstring(viz.cut(why).svg)
    width, height = float(root.get("width", 0)), float(root.get("height", 0))
    assert 300 < width < 1200 and 60 < height < 900
    for text in root.iter("{http://www.w3.org/2000/svg}text"):
        assert (text.text or "").strip()


def test_it_shows_itself_and_is_the_same_each_time() -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    why = tape.why(y, x)
    bundle = why._repr_mimebundle_()
    assert bundle["text/plain"] == str(why)
    assert re.search(r'<img alt="dy/dx is None: .* Fix: .*" src="data:image/svg\+xml;base64,', bundle["text/html"])
    assert viz.cut(why).svg == viz.cut(why).svg
    assert not re.search(r"0x[0-9a-f]{6}", str(bundle))


def test_a_long_path_is_folded() -> None:
    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = x
        for _ in range(20):
            y = y * 1.1
        y = tf.stop_gradient(y)
        for _ in range(20):
            y = y * 1.1
    facts = cut_of(tape.why(y, x))
    assert len(facts["nodes"]) <= 8
    assert facts["nodes"][facts["where"]]["state"] == "flat"
    ET.fromstring(viz.cut(tape.why(y, x)).svg)


def test_names_that_are_no_latin_letters_are_safe() -> None:
    权重 = tf.constant(1.0)
    with tf.GradientTape() as tape:
        损失 = 权重 * 2.0
    svg = viz.cut(tape.why(损失, 权重)).svg
    ET.fromstring(svg)
    assert "权重" in svg


@pytest.mark.parametrize(("row", "node"), [("M11 comparison", "x > 1.0"), ("C02 a rule that answers None", "twice(x)")])
def test_the_mark_stands_where_the_words_say(row: str, node: str) -> None:
    facts = cut_of(run(EXPLAINED[row][0])["e"])
    assert facts["nodes"][facts["where"]]["name"] == node


def test_without_a_theme_it_follows_the_reader() -> None:
    why = run(EXPLAINED["M06"][0])["e"]
    both = viz.cut(why).svg
    assert PALETTE["light"]["bg"] in both and "prefers-color-scheme:dark" in both and PALETTE["dark"]["bg"] in both
    assert "prefers-color-scheme" not in viz.cut(why, theme="dark").svg


def test_a_tangent_points_forward_and_a_gradient_back() -> None:
    tangent, gradient = run(NUMBERS["F09"][0])["e"], run(NUMBERS["M24 both paths are added"][0])["e"]
    assert cut_of(tangent)["forward"] and not cut_of(gradient)["forward"]
    colours = PALETTE["light"]
    assert colours["tangent"] in viz.cut(tangent, theme="light").svg
    assert colours["gradient"] not in viz.cut(tangent, theme="light").svg


def test_a_note_keeps_the_learners_names() -> None:
    said = " ".join(ET.fromstring(viz.cut(run(NUMBERS["M20"][0])["e"]).svg).itertext())
    assert "v has changed since" in said
