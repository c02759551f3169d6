"""A question in a real JupyterLab: its keys are its own, whatever of it was clicked."""

from __future__ import annotations

import json

import pytest

from tests.browser.lab import KEYS, Lab

STATE = """panel => JSON.stringify([panel.content.model.cells.length, panel.content.mode, panel.content.activeCellIndex,
  panel.content.widgets.map(cell => [cell.model.type, cell.model.sharedModel.getSource(), cell.model.executionCount])])"""


@pytest.mark.parametrize(("name", "hands"), [("02.1", False), ("04.2", False), ("02.1", True)])
def test_no_key_leaves_a_question(lab: Lab, name: str, hands: bool) -> None:
    """After a click on its words, a button, a field, and after the guess: as many cells, of the same kinds, in the same mode."""
    asks = f'predict("{name}"{", hands=True" if hands else ""})'
    sources = ["from viz.lesson import predict", f"guess = {asks}", "0"]
    cells = [
        {"cell_type": "code", "id": f"c{at}", "metadata": {}, "outputs": [], "execution_count": None, "source": one}
        for at, one in enumerate(sources)
    ]
    whole = {"cells": cells, "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3"}}, "nbformat": 4}
    (lab.root / "asked.ipynb").write_text(json.dumps({**whole, "nbformat_minor": 5}), encoding="utf-8")
    with lab.open("asked.ipynb") as opened:
        opened.run_all()
        box = opened.page.locator(".widget-box.mt-question")
        box.wait_for()
        leaks = []
        parts = [
            "b",
            *(["input"] if box.locator("input").count() else []),
            "button >> nth=-1",
            ".widget-html >> nth=-1",
        ]
        for part in parts:
            box.locator(part).first.click(force=True)
            opened.page.wait_for_timeout(150)
            before = opened.in_panel(STATE)
            for key in KEYS:
                opened.page.keyboard.press(key)
                if opened.in_panel(STATE) != before:
                    leaks.append((part, key))
                    break
        assert leaks == []
        assert opened.in_panel("panel => panel.context.model.dirty")
        opened.page.keyboard.press("Control+s")  # with Ctrl it is the notebook's
        opened.page.wait_for_timeout(600)
        assert not opened.in_panel("panel => panel.context.model.dirty")
        assert opened.complaints() == {}
