"""A comparison as a page: from difference to difference, through both graphs, and through the turns of a loop of both."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import minitape as tf
import viz
from tests.browser.pages import exported
from tests.viz.test_runs import step, train
from viz.paint.strips import shown

# The px of the smallest letters on the cards, and what of the frames is beyond the box.
SIZES = """() => {
  const box = document.querySelector(".mt-graph").getBoundingClientRect();
  const here = [...document.querySelectorAll(".mt-pairhere:not(.off)")].map(node => node.getBoundingClientRect());
  const scale = Number(document.querySelector(".mt-graph").style.getPropertyValue("--scale"));
  const texts = [...document.querySelectorAll(".mt-picture text")].map(node => parseFloat(getComputedStyle(node).fontSize) * scale);
  return { letters: Math.min(...texts), frames: here.length, signs: document.querySelector(".mt-signs").innerText,
    out: here.filter(one => one.left < box.left - 1 || one.right > box.right + 1 || one.top < box.top - 1 || one.bottom > box.bottom + 1).length };
}"""


@pytest.mark.parametrize("width", [640, 1280])
def test_from_difference_to_difference(browser: Any, tmp_path: Path, width: int) -> None:
    made = viz.compare(before=step(), after=step(tf.nn.relu))
    with exported(browser, Path(viz.export(made, tmp_path / "page.html")), width=width) as it:
        rows = made.facts["rows"]
        assert (it.step, it.last) == (0, len(rows)) and it.page.inner_text("h1") == "before against after"
        for at, row in enumerate(rows, 1):
            it.key("ArrowRight")
            assert it.page.inner_text(".mt-say").endswith(row["say"])
            assert it.page.get_attribute(".mt-pair.now", "data-go") == str(at)
            seen = it.page.evaluate("() => new Promise(requestAnimationFrame)") and it.page.evaluate(SIZES)
            assert seen["frames"] == sum(bool(card) for card in row["cards"]), row["say"]
            # in a narrow box one of both cards, where the letters of both would get too small: a sign leads to the other
            assert seen["out"] <= (width < 900) and seen["out"] == ("after" in seen["signs"]), row["say"]
            assert seen["letters"] >= 11
        it.page.click("[data-go='1']")
        assert it.step == 1 and it.page.inner_text(".mt-say").endswith(made.facts["said"][0])
        it.click("theme")
        assert it.page.get_attribute("#player", "data-theme") == "dark"


def test_the_turns_of_two_runs(browser: Any, tmp_path: Path) -> None:
    made = viz.compare(slow=train(0.1), fast=train(0.5, 9))
    ((one, other),) = made.facts["loops"]
    loss, theirs = (next(card for card in loop["body"] if card["name"] == "loss") for loop in (one, other))
    with exported(browser, Path(viz.export(made, tmp_path / "page.html", view="loop"))) as it:
        assert it.page.inner_text(".mt-lens .mt-say").startswith("Turn 8 of 0 to 11")  # the last that both have
        assert "12 turns (in fast 9)" in it.page.inner_text(".mt-lens")
        it.page.focus(".mt-loopbox")
        it.key("Home")
        for turn in range(12):
            card = it.page.locator(f"[data-card={loss['id']}] .mt-number").all_text_contents()
            assert card[:2] == [shown(loss, "values", turn), shown(theirs, "values", turn)]
            said, head = it.page.inner_text(".mt-lens .mt-say"), f"Turn {turn} of 0 to 11"
            assert said.startswith(
                f"{head}: |loss| is {card[0]} in slow and {card[1]} in fast" if turn < 9
                else f"{head}, only in slow: |loss| is {card[0]}"
            )  # fmt: skip
            assert it.page.inner_text(".mt-enter") == f"what differs in turn {turn}"
            it.key("ArrowRight")
        assert shown(theirs, "values", 9) == "·"  # it had no such turn
        for turn, way in ((4, "Enter"), (10, "ArrowDown"), (7, ".mt-enter")):
            it.page.focus(".mt-loopbox")
            it.key("Home")
            for _ in range(turn):
                it.key("ArrowRight")
            it.page.click(way) if way.startswith(".") else it.key(way)
            row = made.facts["rows"][it.step - 1]
            assert row["turns"] == [turn] and row["name"].endswith("matmul") and it.page.is_visible(".mt-pair.now")
            assert it.page.locator(".mt-right .mt-say").inner_text().replace("\xa0", " ").endswith(row["say"])
            it.key("l")
        curves = it.page.locator(".mt-lens [data-turns]").last
        curves.scroll_into_view_if_needed()
        axis = curves.bounding_box()
        it.page.mouse.move(axis["x"] + axis["width"] * 0.5 / 12, axis["y"] + 40)
        it.page.mouse.down()
        it.page.mouse.move(axis["x"] + axis["width"] * 3.5 / 12, axis["y"] + 40, steps=4)
        it.page.mouse.up()
        assert it.page.inner_text(".mt-lens .mt-say").startswith("Turn 3 of")
        it.page.emulate_media(media="print")
        picture = it.page.locator(".mt-looppicture").first.bounding_box()
        assert picture["x"] + picture["width"] <= it.page.viewport_size["width"]
        it.page.set_viewport_size({"width": 720, "height": 1000})  # a sheet of paper
        picture = it.page.locator(".mt-looppicture").first.bounding_box()
        assert picture["x"] + picture["width"] <= 720


def test_in_a_narrow_window_what_was_found_and_the_graphs_come_before_the_list(browser: Any, tmp_path: Path) -> None:
    made = viz.compare(before=step(), after=step(tf.nn.relu))
    page = Path(viz.export(made, tmp_path / "page.html"))
    for width, narrow in ((640, True), (1280, False)):
        with exported(browser, page, width=width) as it:
            tops = [it.page.locator(one).bounding_box()["y"] for one in (".mt-right .mt-say", ".mt-graph", ".mt-pairs")]
            assert (tops == sorted(tops)) is narrow


@pytest.mark.parametrize("width", [800, 1280])
def test_a_run_of_a_long_name_does_not_touch_its_number(browser: Any, tmp_path: Path, width: int) -> None:
    """It was "symplectic0.99"."""
    made = viz.compare(symplectic=step(), after=step(tf.nn.relu))
    gaps = """() => [...document.querySelectorAll(".mt-side")].map(side => {
      const [name, number] = ["i", "b"].map(tag => {
        const range = document.createRange();
        range.selectNodeContents(side.querySelector(tag));
        return range.getClientRects()[0];
      });
      return number.top > name.bottom - 4 ? 8 : number.left - name.right;
    })"""
    with exported(browser, Path(viz.export(made, tmp_path / "page.html")), width=width) as it:
        assert min(it.page.evaluate(gaps)) >= 8
