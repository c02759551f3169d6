"""The site: built by its one command, whole, and walked from a disk with nothing from outside."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from docs.site import build
from tests.support import NOTEBOOKS, python

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("myst_nb")
    folder = tmp_path_factory.mktemp("site") / "below" / "a path"
    said = python("-m", "docs.site.build", str(folder))
    assert said.returncode == 0, said.stdout + said.stderr
    return folder


def test_every_lesson_is_there_with_its_pictures(site: Path) -> None:
    for path in NOTEBOOKS:
        text = (site / "notebooks" / f"{path.stem}.html").read_text(encoding="utf-8")
        stored = path.read_text(encoding="utf-8").count('"<img alt')
        assert text.count("data:image/svg+xml;base64") >= stored > 0, path.name
    assert build.size(site) < build.MOST


def test_formulas_are_set_and_not_spelled(site: Path) -> None:
    for path in NOTEBOOKS:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        formulas = sum(
            source.count("$$") // 2 for one in cells if one["cell_type"] == "markdown" for source in one["source"]
        )
        text = (site / "notebooks" / f"{path.stem}.html").read_text(encoding="utf-8")
        assert text.count('display="block"') >= formulas and "$$" not in text, path.name


def test_it_walks_from_a_disk_with_no_request_and_no_error(site: Path, browser) -> None:
    for theme in ("light", "dark"):
        window = browser.new_context(color_scheme=theme, viewport={"width": 1280, "height": 900})
        page, faults = window.new_page(), []
        page.on("request", lambda one: one.url.startswith(("file:", "data:", "blob:")) or faults.append(one.url))
        page.on("console", lambda one: one.type in ("error", "warning") and faults.append(one.text))
        page.on("pageerror", lambda one: faults.append(str(one)))
        for path in sorted(site.rglob("*.html")):
            page.goto(path.as_uri())
            assert page.title(), path.name
        page.goto((site / "search.html").as_uri() + "?q=jacobian")
        page.wait_for_selector("#search-results li")
        assert not faults
        window.close()
