"""Every picture of a cut, in a browser: no text lies on other text or leaves the picture, and all of it can be read."""

from __future__ import annotations

from typing import Any

import pytest

import viz
from tests.browser.pages import CONTRAST_FAULTS, TEXT_FAULTS
from tests.core.test_leaks import LEAKS
from tests.core.test_paths import PROGRAMS
from tests.core.test_why import EXPLAINED, NUMBERS, run

TALL = 4000  # px: so many pictures are in the window at once that none has to be scrolled to


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("named", [True, False], ids=["by-name", "following"])
def test_it_can_be_read(browser: Any, theme: str, named: bool) -> None:
    pictures = {
        row: viz.cut(run(program[0])["e"], theme=theme if named else "").svg
        for row, program in (EXPLAINED | NUMBERS | LEAKS | PROGRAMS).items()
    }
    window = browser.new_context(viewport={"width": 800, "height": TALL}, color_scheme=theme)
    try:
        page, rows = window.new_page(), list(pictures)
        for first in range(0, len(rows), 12):
            some = rows[first : first + 12]
            page.set_content("".join(f'<div class="mt mt-picture" id="{row}">{pictures[row]}</div>' for row in some))
            page.evaluate("() => document.fonts.ready.then(() => new Promise(requestAnimationFrame))")
            assert page.evaluate("() => document.documentElement.scrollHeight") <= TALL
            assert (page.evaluate(TEXT_FAULTS), page.evaluate(CONTRAST_FAULTS)) == ([], []), some
    finally:
        window.close()
