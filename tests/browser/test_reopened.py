"""A notebook that was run and saved, opened again the day after: what was live can be stepped while nothing has run yet; and where
nothing can run, or no widget is shown at all, there is a still of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.browser.lab import LOAD, Lab

NAME, COPY = "02_gradient_tape.ipynb", "saved.ipynb"
VIEW = "application/vnd.jupyter.widget-view+json"
ERRORS = ("model not found", "Error displaying", "Error creating", "Traceback")
# Pictures and questions that are seen, by their words.
STILLS = """() => [...document.querySelectorAll(".mt-still")].filter(one => one.checkVisibility() && one.offsetHeight > 8)
  .map(one => one.querySelector("img") ? (one.querySelector("img").naturalWidth ? "picture" : "") : one.textContent.trim())"""


@pytest.fixture(scope="module")
def saved(lab: Lab) -> tuple[Path, int]:
    """The lesson as JupyterLab saved it after Run All, and how many players there were."""
    (lab.root / COPY).write_bytes((lab.root / NAME).read_bytes())
    with lab.open(COPY) as first:
        first.run_all()
        players = first.page.locator(".mt-scrub:not(.mt-shelf.away *)").count()
        first.page.wait_for_timeout(1000)
        first.in_panel("panel => panel.context.save().then(() => null)")
    return lab.root / COPY, players


def widgets(path: Path) -> list[Any]:
    """The outputs that are widgets."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [one for cell in cells for one in cell.get("outputs", []) if VIEW in one.get("data", {})]


def test_what_was_saved_can_be_stepped_before_anything_runs(lab: Lab, saved: tuple[Path, int]) -> None:
    path, players = saved
    assert players > 1
    assert len(json.dumps(json.loads(path.read_text(encoding="utf-8")))) < 2_000_000
    with lab.open(COPY, fresh=True) as again:
        again.wait(f'() => document.querySelectorAll(".mt-scrub").length === {players}', LOAD)
        for player in again.page.locator(".mt").all():
            said = set()
            for button in (".mt-first", ".mt-next", ".mt-next"):
                player.locator(button).click(force=True)
                said.add(player.locator(".mt-say > span").inner_text())
            assert len(said) > 1
        assert not [one for one in ERRORS if one in again.page.locator("body").inner_text()]
        assert again.page.evaluate(STILLS) == [], "a widget that is seen covers its still"
        assert again.console_errors == [] and again.outside == []
        again.screenshot("reopened")


def seen(told: list[str], path: Path, players: int) -> None:
    assert told.count("picture") >= players and len(told) == len(widgets(path)) > players
    assert all(told) and any("What will dy_dx be" in one for one in told), "questions too"


def test_with_no_kernel_at_all_there_is_a_still_of_each(lab: Lab, saved: tuple[Path, int]) -> None:
    """ipywidgets begins with a session only, and says "Loading widget..." until then."""
    with lab.open(COPY, kernel=False) as bare:
        bare.wait('() => document.querySelectorAll(".mt-still").length > 1', LOAD)
        seen(bare.page.evaluate(STILLS), *saved)
        assert not [one for one in ERRORS if one in bare.page.locator("body").inner_text()]
        bare.page.locator(".mt-still img").first.scroll_into_view_if_needed()
        bare.screenshot("no-kernel")


@pytest.mark.parametrize("kind", ["html", "slides"])
def test_as_a_page_there_is_a_still_of_each_without_a_network(
    browser: Any, tmp_path: Path, saved: tuple[Path, int], kind: str
) -> None:
    """nbconvert shows a widget whose state was saved with scripts from elsewhere, or not at all."""
    nbconvert = pytest.importorskip("nbconvert")
    html, _ = nbconvert.get_exporter(kind)().from_filename(str(saved[0]))
    (tmp_path / "page.html").write_text(html, encoding="utf-8")
    window = browser.new_context().new_page()
    window.goto((tmp_path / "page.html").as_uri(), wait_until="domcontentloaded")
    window.wait_for_timeout(500)
    seen(window.evaluate(STILLS), *saved)
    assert not [one for one in ERRORS if one in window.locator("body").inner_text()]
    window.context.close()
