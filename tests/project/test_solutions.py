"""Every blank of the notebooks can be filled: the right answer is accepted, and a well-known wrong one is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.kernel import code_cells, ran
from tests.project.test_notebooks import shown
from tests.seal import plain, tasks
from tests.support import NOTEBOOKS, READINGS

BLANK = re.compile(r'\b(?:(check)\("([\d.]+)", \.\.\.|(predict)\("([\d.]+)")\)')
TASK = re.compile(r'^check\("([\d.]+)", (?!\.\.\.|guess|silent).+\)$', re.M)
each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])


def filled(source: str) -> str:
    """The cell with its blank questions answered as `lessons.json` says."""
    return BLANK.sub(lambda found: "{}({!r}, {!r})".format(*asked(found), plain()[asked(found)[1]]["right"]), source)


def asked(found: re.Match[str]) -> tuple[str, str]:
    """Which function asks, and the question's name."""
    return (found[1], found[2]) if found[1] else (found[3], found[4])


def written(source: str, program: str) -> str:
    """The cell of an exercise with this program above its check."""
    return f"{program.strip()}\n\n{source[TASK.search(source).start() :]}"


def run(sources: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], list[str]]:
    """Run the cells in one fresh kernel, strictly; gives every cell's printed text and errors, as one string each, and all
    that they show, pictures included.
    """
    cells = ran(sources, folder, monkeypatch, MINITAPE_STRICT="1")
    texts = [
        "".join(
            output.get("text", "") + (f"{output['ename']}: {output['evalue']}" if "ename" in output else "")
            for output in cell.outputs
        )
        for cell in cells
    ]
    return texts, ["\n".join(shown(output) for output in cell.outputs) for cell in cells]


@each_notebook
def test_every_blank_has_an_answer(path: Path):
    for cell in code_cells(path):
        if "..." in cell.source:
            task = TASK.search(cell.source)
            assert (task and task[1] in tasks()) or BLANK.search(cell.source), (
                f"no answer for this blank\n{cell.source}"
            )


@pytest.mark.slow
@each_notebook
def test_right_answers_are_accepted_and_wrong_ones_refused(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    cells, wanted = [], []
    for cell in code_cells(path):
        task, found = TASK.search(cell.source), BLANK.search(cell.source)
        if task:  # a mistake first: what it leaves behind is put right below
            one = tasks()[task[1]]
            for mark, program in (("✗", one["wrong"][0][0]), ("✓", one["solution"])):
                cells.append(written(cell.source, program))
                wanted.append((mark, 1))
            continue
        if found and found[1] == "check":
            for answer, _ in plain()[found[2]]["wrong"]:
                cells.append(f'check("{found[2]}", {answer!r})')
                wanted.append(("✗", 1))
        cells.append(filled(cell.source))
        wanted.append(("error" if "raises-exception" in cell.tags else "✓", cell.source.count("check(")))
    assert any(mark == "✓" and checks for mark, checks in wanted) != (path.stem in READINGS)
    if path.stem in READINGS:
        return
    texts, seen = run(cells, tmp_path, monkeypatch)
    for source, (mark, checks), text in zip(cells, wanted, texts, strict=True):
        if mark == "error":
            assert re.search(r"^[A-Z]\w+: ", text, re.M), source  # an error's name, or that of a warning made one
        elif mark == "✗":
            assert "NotRight: ✗" in text, f"{source}\n{text}"
        elif source == "summary()":
            assert "✓" in text and "✗" not in text, text  # all of it was right in the end
        else:
            assert "Error" not in text and text.count("✓") == checks, f"{source}\n{text}"
    # what `tells` an answer is told once the guess is made: so the test that stored outputs do not tell it can fail
    for name in re.findall(r'\bpredict\("([\d.]+)"', "\n".join(cells)):
        for piece in plain()[name].get("tells", []):
            assert re.search(piece, "\n".join(seen)), f"{piece!r}, of {name}, is nowhere"
