"""The inspector: a value or a line is selected by click or by keys, and all that is to be said of it stands there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.browser.pages import CONTRAST_FAULTS
from tests.browser.test_microscope import opened, perceptron

TOLD = "document.querySelector('.mt-told').textContent"
READY = "document.querySelector('.mt-told h2') !== null"
SELECTED = "[...document.querySelectorAll('.mt-card[data-selected]')].map(one => one.dataset.value).join()"


def test_a_click_selects_and_the_inspector_tells(browser: Any, tmp_path: Path) -> None:
    run = perceptron()
    h = next(one["id"] for one in run.scene.values if one["name"] == "h")
    with opened(browser, tmp_path, run) as it:
        it.page.locator(f".mt-card[data-value={h}]:visible").first.dispatch_event("click")
        assert it.page.evaluate(SELECTED).split(",")[0] == h
        it.key("i")
        it.becomes(True, READY)
        told = it.page.evaluate(TOLD)
        for part in (
            "made by tanh",
            "h = tf.tanh(a)",
            "tape wrote it down",
            "tape keeps it, as h's own result",
            "by matmul, for h@v",
            "∂loss/∂h",
        ):
            assert part in told, part
        assert it.page.evaluate("document.querySelectorAll('.mt-told .mt-grid rect').length") >= 30  # the whole value
        now = "document.querySelectorAll('.mt-told dd[data-now]').length"
        held = it.page.evaluate(now)
        it.key("Home")
        assert it.page.evaluate(now) < held  # who holds it is told for the step at hand
        it.page.click(".mt-told dd [data-go]")
        assert it.step == next(one["born"] for one in run.scene.values if one["id"] == h)
        assert it.page.evaluate(CONTRAST_FAULTS) == []
        it.key("Escape")
        assert not it.page.is_visible(".mt-inspector")


def test_beside_the_microscope_it_tells_of_the_array_there(browser: Any, tmp_path: Path) -> None:
    """What is selected then is one number of an array: the inspector was empty."""
    run = perceptron()
    born = next(one["born"] for one in run.scene.values if one["name"] == "h")
    with opened(browser, tmp_path, run) as it:
        it.key("Home", *["ArrowRight"] * born, "m")
        it.page.locator(".mt-microscope .mt-grid").first.wait_for()
        it.key("i")
        it.becomes(True, READY)
        assert "made by tanh" in it.page.evaluate(TOLD)


def test_all_of_it_by_keys(browser: Any, tmp_path: Path) -> None:
    with opened(browser, tmp_path, perceptron()) as it:
        it.page.locator(".mt-graph:visible").first.focus()
        it.key("End", "ArrowDown", "ArrowDown")
        one = it.page.evaluate(SELECTED)
        it.key("ArrowDown")
        other = it.page.evaluate(SELECTED)
        assert one and other and one != other
        it.key("Enter")
        it.becomes(True, READY)
        assert it.page.is_visible(".mt-inspector")
        it.key("ArrowUp")
        assert it.page.evaluate(SELECTED) == one
        step = it.step
        it.key("ArrowLeft")  # the player's own keys stay its own
        assert it.step == step - 1


def test_a_line_leads_to_its_steps(browser: Any, tmp_path: Path) -> None:
    run = perceptron()
    places = [step.get("place") for step in run.scene.steps]
    ours = [at for at, place in enumerate(places) if place == run.scene.steps[3]["place"]]
    with opened(browser, tmp_path, run) as it:
        it.key("Home")
        line = f".mt-line[data-place='{'|'.join(map(str, places[3]))}']"
        for step in [*ours, ours[0]]:
            it.page.click(line)
            assert it.step == step
        it.key("i")
        it.becomes(True, READY)
        assert (
            it.page.eval_on_selector_all(".mt-told [data-go]", "all => all.map(one => Number(one.dataset.go))") == ours
        )
        it.page.locator(".mt-code").focus()
        it.key("ArrowDown", "Enter")
        assert places[it.step] == run.scene.steps[it.step]["place"]
