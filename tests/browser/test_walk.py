"""The walk of a learner through a lesson in a real JupyterLab, on a laptop's screen: every fifth lesson, and all of them with
`pytest -m deep tests/browser/test_walk.py`.

Every guess is wrong first, every field gets three wrong answers and then the right one, every exercise wrong programs and then a
right one, every knob goes to both ends; nothing raises, nothing complains.  With MINITAPE_SCREENSHOTS=folder it leaves pictures there, in both themes.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.browser.lab import RUN_CELL, Lab, Notebook
from tests.seal import plain, tasks
from tests.support import NOTEBOOKS, READINGS, deep
from tests.viz.test_tasks import CHECK, PROGRAMS
from viz.lesson.tasks import TASKS

pytestmark = pytest.mark.deep

WALKED = NOTEBOOKS if deep() else NOTEBOOKS[2::5]  # every lesson is run and stepped, whatever is walked

QUESTION = ".widget-box.mt-question"
FIELD = f'{QUESTION}:has(input[placeholder="your answer"])'
GUESS = f'{QUESTION}:not(:has(input[placeholder="your answer"]))'
NONSENSE = ["an elephant", "-123.25", "[]"]
WAITS = "this waits for your guess"
MOVE = """(node, to) => {
  if (node.type === "checkbox") node.checked = to; else node.value = to;
  node.dispatchEvent(new Event("input", { bubbles: true }));
}"""


def answered(notebook: Notebook, cell: str, source: str) -> str:
    """What an exercise's cell says once this is written into it."""
    notebook.page.evaluate(RUN_CELL, [notebook.name, cell, source])
    notebook.wait_idle()
    [outputs] = [one["outputs"] for one in notebook.cells() if one["id"] == cell]
    assert not [one for one in outputs if one["output_type"] == "error"], outputs
    return "".join("".join(one.get("text", "")) for one in outputs)


def wrong_guesses(notebook: Notebook, names: list[str]) -> None:
    """Each question is answered wrongly; what waited for it comes then, and not before."""
    for number, name in enumerate(names):
        asked, one = notebook.page.locator(GUESS).nth(number), plain()[name]
        assert notebook.page.get_by_text(f"{WAITS} at {name}").count() >= 1, f"{name} is answered already"
        if options := one.get("options"):
            wrong = next(at for at, option in enumerate(options) if str(option) != str(one["right"]))
            asked.locator("button").nth(wrong).click()
        else:
            asked.locator("input").fill("nonsense")
            asked.locator("button").first.click()
        asked.get_by_text("● your guess").wait_for()
        notebook.wait(
            "name => !document.body.innerText.includes(`this waits for your guess at ${name},`)", argument=name
        )
        notebook.page.get_by_text(re.compile("You said .*; right is")).nth(number).wait_for()


def fields(notebook: Notebook, names: list[str]) -> None:
    """Each answer that is a word or a number: three wrong ones first, each with its story, then the right one."""
    for number, name in enumerate(names):
        asked, one = notebook.page.locator(FIELD).nth(number), plain()[name]
        told = [(f"{answer}", story) for answer, story in one["wrong"]] + [(text, "Not this.") for text in NONSENSE]
        for answer, sentence in [
            *[(text, f"✗ {story}") for text, story in told[:3]],
            (f"{one['right']}", f"✓ {one['why']}"),
        ]:
            asked.locator("input").fill(answer)
            asked.locator("input").press("Enter")
            asked.get_by_text(sentence).wait_for()


def exercises(notebook: Notebook, cells: dict[str, str]) -> int:
    """Wrong programs first, then the solution; the count of those that were tried."""
    count, written = 0, tasks()
    for cell, source in cells.items():
        found = CHECK.search(source)
        if found is None or found[1] not in TASKS:
            continue
        line = source[found.start() :]
        for code, piece in written[found[1]].get("wrong", [])[:3]:
            said = answered(notebook, cell, f"{code.strip()}\n{line}")
            assert "✗ " in said and piece in said, (found[1], said)
        said = answered(notebook, cell, f"{PROGRAMS[found[1]][0].strip()}\n{line}")
        assert "✓ " in said, (found[1], said)
        count += 1
    return count


def knobs(notebook: Notebook, name: str) -> None:
    """Each to both ends, and through all choices; the program is traced at each, whatever it does there."""
    box = notebook.page.locator(".mt-live:not(.mt-shelf.away *)").last
    box.scroll_into_view_if_needed()
    for number in range(box.locator("input[data-knob], select[data-knob]").count()):
        knob = box.locator("input[data-knob], select[data-knob]").nth(number)
        kind = knob.evaluate("one => one.type")
        ends = (
            [knob.get_attribute("min"), knob.get_attribute("max")]
            if kind == "range"
            else [True, False, True]
            if kind == "checkbox"
            else [str(at) for at in range(knob.locator("option").count())]
        )
        for end in ends:
            knob.evaluate(MOVE, end)
            notebook.page.wait_for_timeout(900)
            now = knob.evaluate("one => one.type === 'checkbox' ? one.checked : one.value")
            assert now == end or float(now) == float(end), f"{name}: {end} was not taken"
        notebook.screenshot(f"walk-{name}-knob-{number + 1}")


@pytest.mark.parametrize("path", WALKED, ids=[path.stem for path in WALKED])
def test_a_learner_walks_through(lab: Lab, path: Path) -> None:
    stored = json.loads(path.read_text(encoding="utf-8"))["cells"]
    cells = {one["id"]: "".join(one["source"]) for one in stored if one["cell_type"] == "code"}
    names = [found for source in cells.values() for found in re.findall(r'\bpredict\("([\d.]+)"', source)]
    plainly = [
        found for source in cells.values() for found in re.findall(r'^check\("([\d.]+)", \.\.\.\)', source, re.M)
    ]
    with lab.open(path.name, size=(1366, 768)) as notebook:
        notebook.screenshot(f"walk-{path.stem}-opened")
        notebook.run_all()
        assert notebook.page.get_by_text("● your guess").count() == 0
        wrong_guesses(notebook, names)
        assert notebook.page.get_by_text(WAITS).count() == 0
        notebook.screenshot(f"walk-{path.stem}-guessed")
        for theme in ("dark", "light"):
            notebook.set_theme(theme)
            if notebook.page.locator(".mt-next").count():
                notebook.page.locator(".mt").first.scroll_into_view_if_needed()
            notebook.screenshot(f"walk-{path.stem}-{theme}")
        if notebook.page.locator(".mt-live").count():
            knobs(notebook, path.stem)
        assert notebook.page.locator(FIELD).count() == len(plainly)
        assert bool(plainly) != (path.stem in READINGS)
        fields(notebook, plainly)
        exercises(notebook, cells)
        assert notebook.complaints() == {}
