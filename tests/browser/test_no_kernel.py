"""Every notebook as it lies in a fresh clone, opened in JupyterLab before any run: with no kernel, and untrusted.

All of them open in one page: in the file of those that run, which are handed out one by one, each worker would load its own.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.browser.lab import Lab
from tests.support import NOTEBOOKS

WIDGET = "application/vnd.jupyter.widget-view+json"


def has_widget(path: Path) -> bool:
    """Whether the committed notebook shows a live stepper: its stored outputs hold a widget's view, and its still."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    data = [output.get("data", {}) for cell in cells for output in cell.get("outputs", [])]
    return any(WIDGET in one and "<img" in "".join(one["text/html"]) for one in data)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def test_it_is_readable_with_no_kernel_and_no_trust(lab: Lab, path: Path):
    widgets = has_widget(path)
    with lab.open(path.name, kernel=False) as notebook:
        assert not notebook.in_panel("panel => panel.content.model.cells.get(0).trusted === true")
        outputs = notebook.page.locator(".jp-OutputArea-output")
        if widgets:
            picture = notebook.page.locator('.jp-OutputArea-output img[src^="data:image/svg"]').first
            picture.wait_for()
            assert picture.evaluate("image => image.decode().then(() => image.naturalWidth > 0)")
        text = "\n".join(outputs.all_inner_texts())
        assert "Error displaying widget" not in text
        assert "model not found" not in text
        notebook.screenshot(f"{path.stem}-no-kernel")
        assert notebook.in_panel("panel => panel.sessionContext.session === null")
        assert json.loads(lab.ask("/api/kernels")) == []
        assert notebook.complaints() == {}
