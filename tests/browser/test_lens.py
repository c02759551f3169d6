"""The loop lens in a page: turn by turn with keys and by dragging, and into a turn."""

from __future__ import annotations

from typing import Any

import pytest

import minitape as tf
import viz
from tests.browser.pages import Player, player
from tests.viz import programs
from tests.viz.test_loops import rnn
from viz.paint.strips import shown
from viz.scene import Scene


@pytest.fixture(scope="module")
def told() -> Scene:
    return rnn(12)[0].scene


def turn(it: Player) -> int:
    return int(it.page.get_attribute(".mt-loopbox", "aria-valuenow"))


def test_turn_by_turn(browser: Any, tmp_path: Any, told: Scene) -> None:
    loop = told.loops[0]
    h = next(one for one in loop["body"] if one["name"] == "h")
    with player(browser, tmp_path, told) as it:
        it.key("l")
        assert it.page.is_visible(".mt-looppicture") and not it.page.is_visible(".mt-graph")
        assert turn(it) == 11
        it.key("Home")
        for at in range(12):
            assert turn(it) == at
            card = it.page.locator(f"[data-card={h['id']}]")
            assert card.locator(".mt-number").all_text_contents() == [shown(h, "values", at), shown(h, "gradients", at)]
            assert f"Turn {at} of" in it.page.inner_text(".mt-lens .mt-say")
            it.key("ArrowRight")
        it.key("PageUp")
        assert turn(it) == 1
        before = it.page.inner_html(".mt-lens")
        it.key("ArrowRight", "ArrowLeft")
        assert it.page.inner_html(".mt-lens") == before  # back is as exact as forward


def test_a_mirrored_axis_has_each_turn_twice(browser: Any, tmp_path: Any, told: Scene) -> None:
    with player(browser, tmp_path, told) as it:
        it.click("to-loop")
        axis = it.page.locator("[data-cells]").first.bounding_box()
        each, y = axis["width"] / 25, axis["y"] + 8
        for cell, expected in ((3, 3), (24, 0), (20, 4), (13, 11)):
            it.page.mouse.move(axis["x"] + each * (cell + 0.5), y)
            it.page.mouse.down()
            assert turn(it) == expected
            it.page.mouse.up()
        it.page.mouse.down()
        it.page.mouse.move(axis["x"] + each * 6.5, y, steps=3)
        it.page.mouse.up()
        assert turn(it) == 6


def test_a_turn_opens_in_the_graph(browser: Any, tmp_path: Any, told: Scene) -> None:
    with player(browser, tmp_path, told) as it:
        it.click("to-loop")
        it.key("Home", "ArrowRight", "ArrowRight", "Enter")
        assert it.page.is_visible(".mt-graph")
        assert it.step == told.loops[0]["steps"][2]


def test_the_lens_and_its_loops_are_seen_in_their_view_alone(browser: Any, tmp_path: Any) -> None:
    with viz.record() as run:
        x = tf.constant(0.5)
        for _ in range(2):
            for _ in range(4):
                x = tf.sin(x)
            x = x + 1.0
        for _ in range(4):
            x = tf.cos(x)
    scene = run.scene
    assert len(scene.loops) > 1
    with player(browser, tmp_path, scene) as it:
        labels = it.page.locator("[data-loop]").all_text_contents()
        assert len({*labels}) == len(scene.loops)  # a line that loops twice has two names
        for view, seen in (("graph", False), ("loop", True), ("score", False), ("loop", True), ("graph", False)):
            it.click(f"to-{view}")
            assert [it.page.is_visible(one) for one in (".mt-loops", ".mt-lens")] == [seen, seen], view
            assert it.page.is_visible(".mt-graph") == (view == "graph")


def test_a_program_without_a_loop_has_no_lens(browser: Any, tmp_path: Any) -> None:
    with player(browser, tmp_path, programs.run("slope").scene, view="loop") as it:
        assert it.page.locator(".mt-to-loop").count() == 0
        assert it.page.is_visible(".mt-graph")
        it.key("l")
        assert it.page.is_visible(".mt-graph")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_its_words_are_read(browser: Any, tmp_path: Any, told: Scene, theme: str) -> None:
    smallest = """() => Math.min(...[...document.querySelectorAll(".mt-looppicture text")].filter(node => node.textContent.trim())
      .map(node => parseFloat(getComputedStyle(node).fontSize) * node.getScreenCTM().a))"""
    for width in (640, 1280):
        with player(browser, tmp_path, told, width=width, theme=theme) as it:
            it.click("to-loop")
            assert it.page.evaluate(smallest) >= 11 - 0.05
            assert it.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
