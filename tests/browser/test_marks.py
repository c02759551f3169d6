"""What a scene's marks look like in the player: a rule of one's own, a stack, a link to the first run, the peak."""

from __future__ import annotations

from typing import Any

import pytest

import minitape as tf
import viz
from tests.browser.pages import player
from tests.viz import programs
from viz.paint.cards import octagon
from viz.paint.state import peak, peak_words
from viz.scene import Scene


def test_a_rule_of_ones_own_has_eight_corners(browser: Any, tmp_path: Any) -> None:
    with player(browser, tmp_path, programs.run("custom_gradient").scene) as it:
        it.key("End")
        corners = it.page.locator(".mt-picture path.mt-disc")
        assert corners.count() == 1
        box, path = corners.evaluate(
            "one => { const b = one.getBBox(); return [[b.x, b.y, b.width], one.getAttribute('d')]; }"
        )
        still = octagon(box[0] + box[2] / 2, box[1] + 11, box[2])
        assert [float(one) for one in _numbers(path)] == pytest.approx(
            [float(one) for one in _numbers(still)], abs=0.06
        )
        assert it.page.locator(".mt-legend", has_text="a gradient rule of your own").count() == 1


def _numbers(path: str) -> list[str]:
    import re

    return re.findall(r"-?\d+(?:\.\d+)?", path)


def test_what_is_folded_is_a_stack(browser: Any, tmp_path: Any) -> None:
    scene = programs.run("loop_folded").scene
    folded = [value["id"] for value in scene.values if value.get("group")]
    with player(browser, tmp_path, scene) as it:
        stacks = it.page.eval_on_selector_all(
            ".mt-picture .mt-stack", "all => all.map(one => one.closest('.mt-card').dataset.value)"
        )
        assert stacks == [one for one in folded for _ in range(2)]


def test_a_replay_leads_to_its_first_run_and_back(browser: Any, tmp_path: Any) -> None:
    scene = programs.run("nested_regions").scene
    replays = [at for at, step in enumerate(scene.steps) if step["kind"] == "replay"]
    first = scene.steps[replays[0]]["twin"]
    again = [at for at in replays if scene.steps[at]["twin"] == first]
    assert len(again) == 2
    with player(browser, tmp_path, scene) as it:
        it.open(f"#step={replays[0]}")
        said = it.page.text_content(".mt-say > span")
        assert said.replace("\u00a0", " ") == scene.steps[replays[0]]["say"]
        it.page.click(".mt-goto")
        assert it.step == first
        links = it.page.locator(".mt-goto")
        assert links.all_text_contents() == [f"step {at}" for at in again]
        links.nth(1).focus()
        it.key("Enter")  # with the keyboard too
        assert it.step == again[1]


@pytest.mark.parametrize("name", ["slope", "nested", "matrices"])
def test_the_peak_and_its_holders_are_told_as_in_the_still(browser: Any, tmp_path: Any, name: str) -> None:
    scene = programs.run(name).scene
    with player(browser, tmp_path, scene) as it:
        it.key("End")
        assert it.page.text_content(".mt-legend .mt-long") == peak_words(scene)
        middle = """node => { const b = node.getBoundingClientRect(); return b.x + b.width / 2; }"""
        bar = it.page.locator(".mt-scrub").bounding_box()
        there = bar["x"] + 9 + peak(scene)[1] * (bar["width"] - 18) / it.last
        assert abs(it.page.locator(".mt-strip .mt-peak").evaluate(middle) - there) < 2


def test_memory_is_drawn_in_stairs(browser: Any, tmp_path: Any) -> None:
    """Never sloped: its bands go across and up or down."""
    with player(browser, tmp_path, programs.run("nested").scene) as it:
        bands = it.page.eval_on_selector_all(".mt-mem .mt-held", "all => all.map(one => one.getAttribute('d'))")
        assert len(bands) == 4
        assert all(not set("LlCc") & set(band) and "h" in band and "v" in band for band in bands)


def clipped() -> Scene:
    """A gradient that is cut to a limit by a rule of its own, as a lesson has it."""

    @tf.custom_gradient
    def clip(x: Any) -> Any:
        return tf.identity(x), lambda upstream: tf.clip_by_value(upstream, -4.0, 4.0)

    x = tf.Variable(3.0, name="x")
    with viz.record() as run:
        with tf.GradientTape() as tape:
            y = clip(x) * x * x
        tape.gradient(y, x)
    return run.scene


@pytest.mark.parametrize("width", [1280, 500])
def test_why_something_is_not_written_down_stands_within_its_region(browser: Any, tmp_path: Any, width: int) -> None:
    """The words under a ghost lie on no side of the region around it: their letters are as wide as the layout took them for."""
    struck = """() => [...document.querySelectorAll(".mt-picture .mt-reason:not(.off) text")].flatMap(word => {
      const a = word.getBoundingClientRect();
      return [...document.querySelectorAll(".mt-picture .mt-ground.custom")].filter(ground => {
        const b = ground.getBoundingClientRect();
        return !(b.left + 1 < a.left && a.right < b.right - 1 && a.bottom < b.bottom);
      }).map(() => word.textContent);
    })"""
    with player(browser, tmp_path, clipped(), width=width) as it:
        it.key("End")
        assert it.page.locator(".mt-reason text").count()
        assert it.page.evaluate(struck) == []
