"""The site in Firefox: every page opened and every lesson walked, from a disk.  `pytest -m deep` runs it where a Firefox is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.firefox import Firefox, firefox
from tests.browser.test_site import WALK, site  # noqa: F401
from tests.support import NOTEBOOKS, deep

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not deep(), reason="walked by `pytest -m deep tests/browser/test_firefox.py`"),
    pytest.mark.deep,
]


@pytest.fixture
def window(tmp_path: Path) -> Iterator[Firefox]:
    with firefox(tmp_path) as window:
        window.size(1280, 900)
        window.evaluate("() => console.error('heard') || 1")
        assert window.faults == ["heard"]
        window.faults.clear()
        yield window


def test_every_page_and_every_lesson_in_firefox(site: Path, window: Firefox) -> None:  # noqa: F811
    lessons = {path.stem for path in NOTEBOOKS}
    pages = sorted(site.rglob("*.html"))
    steps = 0
    for page in pages:
        window.goto(page.as_uri())
        if page.stem in lessons:
            seen = window.evaluate(WALK)
            steps += seen["steps"]
            assert not seen["stuck"] and not seen["dead"] and not seen["left"], (page.name, seen)
        assert not window.faults, (page.name, window.faults)
    assert steps > 700 and len(pages) > 50
