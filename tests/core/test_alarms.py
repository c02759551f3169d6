"""No false alarm: which warnings the documented programs, the guides and the lessons give, cell by cell and line by line.

`test_seeds` and `test_documented` turn every warning into an error; here is what is longer than a test.
"""

from __future__ import annotations

import json
import linecache
import warnings
from pathlib import Path
from typing import Any

import pytest

import minitape as tf
from tests import guides
from tests.support import NOTEBOOKS, as_python

# Where a document makes the mistake on purpose, or shows its result: its line, and the warning that is due.
DUE_IN_GUIDES = {
    ("autodiff", "print(tape.gradient(y, x).numpy())"): "SummedTarget",  # "the gradient of the sum", says the guide
    ("autodiff", "g.watch(x)"): "NoSlope",  # integers, one of its causes of None
}
# The lesson on None is silent, so that the reader looks; with its sound on these cells say what they are about.
DUE_IN_LESSONS = {("04_none_detective", "run"): ["LeftTheTape"]}


def names(heard: list[warnings.WarningMessage]) -> list[str]:
    return [one.category.__name__ for one in heard if issubclass(one.category, tf.errors.MinitapeWarning)]


@pytest.mark.parametrize("name", sorted(path.stem for path in guides.FOLDER.glob("*.py")))
def test_a_guide_is_warned_of_what_it_shows_and_of_nothing_else(name: str) -> None:
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        guides.run(name, tf)
    lines = (guides.FOLDER / f"{name}.py").read_text(encoding="utf-8").splitlines()
    said = {(name, lines[one.lineno - 1].strip()): one.category.__name__ for one in heard}
    assert said == {key: due for key, due in DUE_IN_GUIDES.items() if key[0] == name}


def cells(path: Path, quiet: bool) -> dict[str, list[str]]:
    """Run a notebook's code cells one after the other; gives each cell's warnings by the cell's name."""
    space: dict[str, Any] = {"__name__": "__main__"}
    said: dict[str, list[str]] = {}
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] != "code":
            continue
        text = as_python("".join(cell["source"]))
        if not quiet:
            text = text.replace("tf.strict(False)", "tf.strict(None)")
        name = f"<{path.stem} {cell['id']}>"
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            try:
                exec(compile(text, name, "exec"), space)
            except Exception:
                if "raises-exception" not in cell["metadata"].get("tags", []):
                    raise
        if names(heard):
            said[cell["id"]] = names(heard)
    return said


@pytest.fixture(autouse=True)
def _as_it_was() -> Any:
    yield
    tf.strict(None)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def test_no_lesson_is_warned_of_anything(
    path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(path.parent)
    assert cells(path, quiet=True) == {}


def test_the_lesson_on_none_would_be_warned_of_the_number_that_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    lesson = next(path for path in NOTEBOOKS if path.stem == "04_none_detective")
    heard = cells(lesson, quiet=False)
    assert {(lesson.stem, cell): said for cell, said in heard.items()} == DUE_IN_LESSONS


def test_the_cells_that_are_named_here_are_there() -> None:
    ids = {(path.stem, cell["id"]) for path in NOTEBOOKS for cell in json.loads(path.read_text("utf-8"))["cells"]}
    assert set(DUE_IN_LESSONS) <= ids


@pytest.mark.parametrize("depth", [5, 20])
def test_a_net_that_is_built_under_a_tape_is_looked_through_once(depth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its weights are made while the tape listens; there is nothing to say, and the walk is not one for each of them."""
    from minitape.why.history import ProgramHistory

    walks, behind = [], ProgramHistory.behind
    monkeypatch.setattr(
        ProgramHistory, "behind", lambda self, *args, **named: walks.append(1) or behind(self, *args, **named)
    )
    model = tf.keras.Sequential([tf.keras.layers.Dense(2) for _ in range(depth)])
    with warnings.catch_warnings(action="error"):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(tf.ones([1, 2])))
        assert None not in tape.gradient(loss, model.trainable_variables)
    assert len(walks) == 1
