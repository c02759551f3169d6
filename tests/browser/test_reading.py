"""Every program's picture can be read: no label is cut or lies on another, and each stands out from its ground."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.pages import CONTRAST_FAULTS, TEXT_FAULTS, VIEWS, WIDTHS, player
from tests.viz import programs
from viz.style import PALETTE

GO = "n => { const s = document.querySelector('.mt-scrub'); s.value = n; s.dispatchEvent(new Event('input')); }"


@pytest.fixture(scope="module", params=programs.NAMES)
def told(request: pytest.FixtureRequest) -> Any:
    """The scene of one program, made once for all widths."""
    return programs.run(request.param).scene


@pytest.mark.parametrize("width", WIDTHS)
def test_no_label_is_cut_or_lies_on_another(browser: Any, tmp_path: Any, told: Any, width: int) -> None:
    """At each step of the narrowest page; of the wider ones at each third, and at the end, where most is written."""
    faults, stride = [], 1 if width == min(WIDTHS) else 3
    with player(browser, tmp_path, told, width=width) as it:
        for view in VIEWS:
            it.open(f"#view={view}")
            for step in {*range(0, it.last + 1, stride), it.last}:
                it.page.evaluate(GO, step)
                faults += [f"{view}, step {step}: {one}" for one in it.page.evaluate(TEXT_FAULTS)]
    assert not faults


def test_all_text_stands_out_from_its_ground(browser: Any, tmp_path: Any, told: Any) -> None:
    """At the last step of each kind, and at the start and the end: by then all that a kind can show has been shown.

    At one width: colours are the same at all.
    """
    last_of_kind = sorted({one["kind"]: at for at, one in enumerate(told.steps)}.values())
    faults = []
    with player(browser, tmp_path, told, width=900) as it:
        for view in VIEWS:
            for theme in PALETTE:
                it.open(f"#view={view}&theme={theme}")
                for step in {0, *last_of_kind, it.last}:
                    it.page.evaluate(GO, step)
                    found = it.page.evaluate(CONTRAST_FAULTS)
                    faults += [f"{view}, {theme}, step {step}: {one}" for one in found]
    assert not faults
