"""Steppers that nobody sees any more hold nothing."""

from __future__ import annotations

import gc
from types import SimpleNamespace
from typing import Any

import pytest

import minitape as tf
import viz
from viz.capture.minitape import Run
from viz.paint import cells
from viz.scene import Scene

pytest.importorskip("anywidget")
from viz.paint import widget
from viz.paint.frame import sheet
from viz.paint.widget import Stepper


def stepper() -> Any:
    with viz.record() as run:
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = x * x
        tape.gradient(y, x)
    return viz.step(run)


def test_a_stepper_is_painted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    painted = []
    monkeypatch.setattr(widget, "sheet_of", lambda *args: painted.append(sheet(*args)) or painted[-1])
    shown = stepper()
    assert painted == [shown.sheet]


def alive() -> list[int]:
    gc.collect()
    found = gc.get_objects()  # a stepper is of a class of its own, below Stepper: anywidget makes one for each
    return [sum(issubclass(type(each), kind) for each in found) for kind in (Stepper, Run, Scene)]


def test_a_plain_program_keeps_none_of_its_steppers() -> None:
    before = alive()
    for _ in range(5):
        repr(stepper())
    assert alive() == before


class Shell:
    """As much of IPython's shell as tells which cell runs."""

    def __init__(self) -> None:
        self.cell, self.heard, self.user_ns = "", [], {}
        self.events = SimpleNamespace(register=lambda name, call: self.heard.append(call))

    def get_parent(self) -> Any:
        return {"metadata": {"cellId": self.cell}}

    def run(self, cell: str) -> None:
        self.cell = cell
        for call in self.heard:
            call(SimpleNamespace(cell_id=cell))


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch) -> Shell:
    shell = Shell()
    monkeypatch.setitem(cells.sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setattr(cells, "_following", [])
    monkeypatch.setattr(cells, "rests", lambda widget: None)  # as with a front end
    return shell


def test_a_cell_that_runs_again_puts_away_what_it_showed(shell: Shell) -> None:
    before = alive()
    for _ in range(5):
        shell.run("a")
        stepper()._repr_mimebundle_()
    assert alive()[0] == before[0] + 1
    shell.run("a")
    assert alive() == before


def test_what_another_cell_shows_stays_and_what_was_put_away_can_be_shown_again(shell: Shell) -> None:
    shell.run("a")
    kept = stepper()
    kept._repr_mimebundle_()
    shell.run("b")
    kept._repr_mimebundle_()
    shell.run("a")
    assert kept.comm is not None
    shell.run("b")
    assert kept.comm is None
    shell.run("c")
    data, _ = kept._repr_mimebundle_()
    assert kept.comm is not None and "application/vnd.jupyter.widget-view+json" in data
    cells.put_away(kept)
