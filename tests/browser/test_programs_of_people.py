"""Programs that people have, drawn: layers fold, and what is drawn can be read, in both themes, wide and narrow."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.pages import CONTRAST_FAULTS, GO, REST, TEXT_FAULTS, player
from tests.viz.test_layers_fold import DRAWN, recorded
from viz.tell.scenes import scene_of

STEPS = 12  # that are looked at, from the first to the last


@pytest.fixture(scope="module", params=DRAWN)
def told(request: pytest.FixtureRequest) -> Any:
    """The scene of one program, laid out once."""
    return request.param, scene_of(recorded(request.param))


@pytest.mark.filterwarnings("ignore")
def test_a_program_can_be_read_and_a_fold_says_whose_it_is(browser: Any, tmp_path: Any, told: tuple[str, Any]) -> None:
    name, scene = told
    faults = []
    with player(browser, tmp_path, scene) as it:
        some = sorted({*range(0, it.last + 1, max(1, it.last // STEPS)), it.last})
        for width in (640, 1280):
            it.widen(width)
            for theme in ("light", "dark"):
                it.turn(f"#view=graph&theme={theme}")
                faults += [f"{width}, {theme}, {one}" for one in it.faults(TEXT_FAULTS, some)]
                faults += [f"{width}, {theme}: {one}" for one in it.page.evaluate(CONTRAST_FAULTS)]
        it.page.set_viewport_size({"width": 960, "height": 647})  # as in JupyterLab on a small laptop
        high = "() => document.documentElement.scrollHeight > 647 ? [`${document.documentElement.scrollHeight} px high`] : []"
        it.turn("#view=graph&theme=light")
        it.page.evaluate(REST)
        faults += [f"in a low window, {one}" for one in it.faults(high, some)]
        for fold in [one for one in scene.groups if one["kind"] == "layer"][:3]:
            it.page.evaluate(GO, fold["from"])
            said = it.page.inner_text(".mt-say > span")
            assert (
                said.lower().startswith(f"{fold['label'].lower()}, ") and " as one step: " in said
            )  # a capital begins it
    assert not faults, name
