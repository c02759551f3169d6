"""Lessons as nbconvert hands them out, with no kernel and no widget: pictures, questions and knobs are there, and no error is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support import NOTEBOOKS

PICTURES = "() => [...document.images].map(one => one.decode().then(() => one.naturalWidth, () => 0))"


@pytest.mark.parametrize(("number", "form"), [("02", "html"), ("12", "html"), ("05", "slides")])
def test_a_lesson_without_a_kernel_is_whole(browser, tmp_path: Path, number: str, form: str) -> None:
    exporters = pytest.importorskip("nbconvert.exporters")
    [path] = [one for one in NOTEBOOKS if one.name.startswith(number)]
    text, _ = exporters.get_exporter(form)().from_filename(str(path))
    (tmp_path / "lesson.html").write_text(text, encoding="utf-8")
    page = browser.new_page()
    page.route("http*://**", lambda route: route.abort())  # nbconvert's own scripts, which nobody needs to see it
    page.goto((tmp_path / "lesson.html").as_uri(), wait_until="domcontentloaded")
    shown = page.inner_text("body")
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    stored = sum("<img" in "".join(o.get("data", {}).get("text/html", "")) for c in cells for o in c.get("outputs", []))
    widths = page.evaluate(f"async () => Promise.all(({PICTURES})())")
    assert len(widths) >= stored > 3 and min(widths) > 0
    assert shown.count("○ no guess yet: what follows waits for it") == sum(
        "predict(" in "".join(c["source"]) for c in cells
    )
    assert "○ this waits for your guess" in shown
    assert "Error displaying widget" not in shown and "model not found" not in shown and "<Turned" not in shown
    knobs = page.locator(".jp-Cell, .cell").filter(has_text="viz.live(").locator("img")
    assert knobs.count() == 1 and knobs.evaluate("one => one.naturalHeight > 100")
    page.close()
