"""Every notebook as a learner meets it: run in JupyterLab, and stepped with mouse and keys."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

from tests.browser.lab import Lab, Notebook
from tests.browser.pages import COVERED, REST, WITHOUT_CAMERA
from tests.browser.test_no_kernel import has_widget
from tests.support import NOTEBOOKS

QUESTION = ".widget-box.mt-question"
NEXT, BACK, COUNT = ".mt-next", ".mt-back", ".mt-count"


def test_there_are_notebooks():
    assert NOTEBOOKS


# What a stepper shows: its counter, and the picture, all that is drawn, but for where the camera stands, and the light on what the
# mouse rests on.  It is kept under a name and compared where it is, once both are as before, or both changed.
SHOWS = """async (box, [name, before, same]) => {
  const state = () => [box.querySelector(".mt-count").innerText, (WITHOUT_CAMERA)(box.querySelector(".mt")).replaceAll(' data-lit=""', "")];
  const kept = box.kept ??= {}, alike = () => kept[name].map((one, at) => one === kept[before][at]);
  kept[name] = state();
  for (let tries = 0; before && tries < 750 && !alike().every(one => one === same); tries++) {
    await new Promise(done => setTimeout(done, 20));
    kept[name] = state();
  }
  return before ? alike() : kept[name];
}""".replace("WITHOUT_CAMERA", WITHOUT_CAMERA)


class Stepper:
    """One stepper in an open notebook."""

    def __init__(self, notebook: Notebook, number: int) -> None:
        self.box = notebook.outputs(NEXT).nth(number).element_handle()
        self.box.scroll_into_view_if_needed()

    def click(self, selector: str) -> None:
        self.box.query_selector(selector).click()

    def press(self, key: str) -> None:
        self.box.query_selector(NEXT).press(key)

    def shows(self, name: str, before: str = "", *, same: bool = False) -> None:
        """Remember under a name what is shown; wait until it is the same as `before`, or all of it differs."""
        parts = self.box.evaluate(SHOWS, [name, before, same])
        if not before:
            assert all(parts), "no picture"
        else:
            told = zip(("counter", "picture"), parts, strict=True)
            assert parts == [same, same], ", ".join(
                f"{one} {'is' if as_is else 'is not'} that of {before}" for one, as_is in told
            )


# Which players do not show picture, buttons, lanes, memory, knobs and legend together in the window, and by how many px they are too high.
TOO_HIGH = """() => [...document.querySelectorAll(".mt-frame")].filter(one => one.checkVisibility() && !one.closest(".mt-shelf.away")).flatMap(one => {
  let window = one.parentElement;
  while (!/auto|scroll/.test(getComputedStyle(window).overflowY) || window.scrollHeight < window.clientHeight + 100) window = window.parentElement;
  const over = one.getBoundingClientRect().bottom - one.closest(".mt").getBoundingClientRect().top - window.clientHeight;
  return over > 1 ? [`${one.querySelector(".mt-title").textContent}: ${Math.round(over)}`] : [];
})"""


def step_through(stepper: Stepper, go: Any, forwards: str, backwards: str) -> None:
    stepper.press("Home")  # a program with knobs opens at its last step
    stepper.shows("start")
    go(forwards)
    stepper.shows("after", "start")
    go(backwards)
    stepper.shows("back", "after")
    stepper.shows("back", "start", same=True)  # back is as exact as forward


# How many pictures wait: asked of the outputs' texts as they stand in the page, which needs no layout.
WAITING = "() => [...document.querySelectorAll('.jp-OutputArea-output')].filter(one => one.textContent.includes('this waits for your guess')).length"


def guess_each(notebook: Notebook) -> None:
    """As a learner: nothing is compared before a guess; then the first option of each question, or a word in its field, and
    the same word in every field that checks an answer."""
    page = notebook.page
    for number in range(page.locator(QUESTION).count()):
        asked = page.locator(QUESTION).nth(number)
        check = asked.get_by_role("button", name="Check", exact=True)
        if check.count():
            asked.locator("input").fill("nonsense")
            check.click()
            asked.get_by_text("✗").wait_for()
            continue
        waits = page.evaluate(WAITING)
        if asked.locator("input").count():
            asked.locator("input").fill("nonsense")
        asked.locator("button").first.click()
        asked.get_by_text("● your guess").wait_for()
        notebook.wait(f"before => ({WAITING})() < before", argument=waits)
    assert not page.evaluate(WAITING)


# A change of theme takes JupyterLab a second: each notebook begins in the one that the notebook before it ended in.
@pytest.mark.parametrize(
    ("path", "themes"),
    list(zip(NOTEBOOKS, itertools.cycle([("light", "dark"), ("dark", "light")]), strict=False)),
    ids=[path.stem for path in NOTEBOOKS],
)
def test_it_runs_and_steps(lab: Lab, path: Path, themes: tuple[str, str]):
    first, second = themes
    with lab.open(path.name, theme=first) as notebook:
        notebook.run_all()
        assert notebook.complaints() == {}
        guess_each(notebook)
        if has_widget(path):
            notebook.page.locator(NEXT).first.wait_for()
        for number in range(notebook.outputs(NEXT).count()):
            stepper = Stepper(notebook, number)
            step_through(stepper, stepper.click, NEXT, BACK)
            step_through(stepper, stepper.press, "ArrowRight", "ArrowLeft")
            notebook.screenshot(f"{path.stem}-{number + 1}-{first}")
        notebook.set_theme(second)
        notebook.screenshot(f"{path.stem}-{second}")
        notebook.page.set_viewport_size({"width": 1366, "height": 768})  # a small laptop
        notebook.page.evaluate(REST)
        assert notebook.page.evaluate(TOO_HIGH) == []
        assert notebook.page.evaluate(COVERED) == []
        assert notebook.complaints() == {}
