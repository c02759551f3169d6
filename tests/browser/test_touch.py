"""Under a finger, on a phone and on a tablet: targets of 44 px, swipes, a page that scrolls, and nothing cut."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import minitape as tf
import viz
from tests.browser.pages import TEXT_FAULTS, scene
from tests.viz import programs
from viz.paint.page import page as page_of

DEVICES = {"phone": (390, 844), "tablet": (820, 1180)}
TARGETS = "button, select, summary, input, [role=button], [role=spinbutton], [role=option]"

# What a finger that comes down up to 21 px beside the middle of a target does not hit; the label of a switch is one with it.
SMALL = """targets => [...document.querySelectorAll(targets)].flatMap(one => {
  const node = one.closest("label") || one;
  if (!node.checkVisibility({ visibilityProperty: true }) || node.closest("[inert], [disabled]") || !node.getClientRects().length) return [];
  node.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  const { left, top, width, height } = node.getBoundingClientRect(), [x, y] = [left + width / 2, top + height / 2];
  const missed = [[-21, 0], [21, 0], [0, -21], [0, 21], [0, 0]].filter(([dx, dy]) => !node.contains(document.elementFromPoint(x + dx, y + dy)));
  return missed.length ? [`${node.className} ${node.textContent.trim().slice(0, 20)}: ${width} x ${height}, ${missed.map(([dx, dy]) => `${dx} ${dy} ${document.elementFromPoint(x + dx, y + dy)?.outerHTML.slice(0, 60)}`)}`] : [];
})"""
COUNT = "Number(document.querySelector('.mt-count').textContent.split('/')[0])"


@contextmanager
def device(browser: Any, folder: Path, text: str, name: str, fragment: str = "") -> Iterator[Any]:
    """A page on a phone or a tablet."""
    (folder / "page.html").write_text(text, encoding="utf-8")
    width, height = DEVICES[name]
    context = browser.new_context(
        viewport={"width": width, "height": height}, has_touch=True, is_mobile=True, reduced_motion="reduce"
    )
    context.set_default_timeout(10_000)
    try:
        page = context.new_page()
        page.goto((folder / "page.html").as_uri() + fragment)
        page.wait_for_selector("[data-ready]", state="attached")
        assert page.evaluate("matchMedia('(pointer: coarse)').matches")
        yield page
    finally:
        context.close()


def finger(page: Any, where: str, way: list[tuple[int, int]]) -> None:
    """One finger that comes down in the middle of something, goes by these px, and is lifted."""
    box = page.locator(where).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + min(box["height"] / 2, 60)
    touch = page.context.new_cdp_session(page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for part in range(1, 9):
        for dx, dy in way:
            at = {"x": x + dx * part / 8, "y": y + dy * part / 8}
            touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [at]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    touch.detach()


@pytest.mark.parametrize("name", DEVICES)
@pytest.mark.parametrize("embed", [False, True], ids=["page", "embedded"])
def test_every_target_is_as_large_as_a_finger(browser: Any, tmp_path: Any, name: str, embed: bool) -> None:
    run = programs.run("recompute")
    last = max(at for at, step in enumerate(run.scene.steps) if "twin" in step)
    with device(browser, tmp_path, page_of(run.scene, step=last, embed=embed), name) as page:
        assert page.is_visible(".mt-say .mt-goto")
        assert page.evaluate(SMALL, TARGETS) == []
        page.tap(".mt-find")
        page.fill(".mt-query", "x")
        assert page.is_visible(".mt-hit") and page.evaluate(SMALL, ".mt-query, .mt-hit") == []


@pytest.mark.parametrize("name", DEVICES)
def test_options_of_a_question_are_too(browser: Any, tmp_path: Any, name: str) -> None:
    asked = scene("nested")
    asked.steps[3]["ask"] = {"question": "What comes next?", "options": ["1", "2", "75"], "answer": "75"}
    with device(browser, tmp_path, page_of(asked, step=3), name) as page:
        assert page.is_visible(".mt-option") and page.evaluate(SMALL, TARGETS) == []


@pytest.mark.parametrize("name", DEVICES)
def test_knobs_are_too(browser: Any, tmp_path: Any, name: str) -> None:
    def program(x, twice=False, how=("sin", "cos")):
        with tf.GradientTape(persistent=twice) as tape:
            tape.watch(x)
            y = tf.sin(x) if how == "sin" else tf.cos(x)
        return tape.gradient(y, x)

    live = viz.live(program, x=(0.0, 3.0, 1.0), twice=False, how=["sin", "cos"])
    viz.export(live, tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    with device(browser, tmp_path, text, name) as page:
        page.wait_for_selector(".mt-dial")
        assert page.evaluate(SMALL, TARGETS) == []


@pytest.mark.parametrize("name", DEVICES)
def test_a_swipe_steps_and_a_page_scrolls(browser: Any, tmp_path: Any, name: str) -> None:
    with device(browser, tmp_path, page_of(scene("slope"), step=3), name) as page:
        assert not page.locator(".mt-graph.wide").count()
        for where in (".mt-words", ".mt-graph"):
            finger(page, where, [(-120, 4)])
            assert page.evaluate(COUNT) == 4
            finger(page, where, [(120, -4)])
            assert page.evaluate(COUNT) == 3
            finger(page, where, [(-20, 0)])  # a tap that slipped
            finger(page, where, [(-80, -90)])
            assert page.evaluate(COUNT) == 3
        page.evaluate("document.body.style.paddingBottom = '900px'; scrollTo(0, 0)")
        finger(page, ".mt-words", [(0, -100)])
        page.wait_for_function("scrollY > 20")
        assert page.evaluate(COUNT) == 3


def test_a_graph_that_is_larger_than_its_box_is_moved(browser: Any, tmp_path: Any) -> None:
    with device(browser, tmp_path, page_of(scene("nested"), step=6), "phone") as page:
        assert page.locator(".mt-graph.wide").count()
        before = page.evaluate("document.querySelector('.mt-graph').scrollLeft")
        finger(page, ".mt-graph", [(-90, 0)])
        page.wait_for_function(f"document.querySelector('.mt-graph').scrollLeft > {before}")
        assert page.evaluate(COUNT) == 6


@pytest.mark.parametrize("name", DEVICES)
@pytest.mark.parametrize("view", ["graph", "score"])
def test_nothing_is_cut(browser: Any, tmp_path: Any, name: str, view: str) -> None:
    with device(browser, tmp_path, page_of(scene("nested"), step=22, view=view), name) as page:
        assert page.evaluate(TEXT_FAULTS) == []
        title = page.locator(".mt-title").bounding_box()
        assert title["height"] < 40  # on one line, not a word on each


@pytest.mark.parametrize("name", DEVICES)
def test_a_finger_beside_a_card_or_a_line_means_the_nearest(browser: Any, tmp_path: Any, name: str) -> None:
    """They are smaller than a finger: what comes down less than half of one beside a card or a line selects it."""
    with device(browser, tmp_path, page_of(scene("slope"), step=3), name) as page:
        selected = "document.querySelector('[data-selected]')?.dataset.value"
        box = page.locator(".mt-card[data-value] .mt-face").first.bounding_box()
        value = page.evaluate("document.querySelector('.mt-card[data-value]').dataset.value")
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] - 60)
        assert page.evaluate(selected) is None
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] - 15)
        assert page.evaluate(selected) == value


@pytest.mark.parametrize("name", DEVICES)
def test_a_finger_on_a_line_without_a_step_means_the_nearest_that_has_one(
    browser: Any, tmp_path: Any, name: str
) -> None:
    """Lines are closer than fingers: one that leads nowhere yields to its neighbour."""
    asked = scene("slope")
    asked.sources[0]["lines"].append((5, "# done"))
    with device(browser, tmp_path, page_of(asked, step=2), name) as page:
        box = page.locator(".mt-line").last.bounding_box()
        page.touchscreen.tap(box["x"] + 60, box["y"] + box["height"] / 2)
        assert page.evaluate(COUNT) == 5 and page.locator("[data-selected]").get_attribute("data-place") == "cell1|4"
