"""The notebooks as they are committed: executed, clean, and equal to what they give when they run again.

nbval compares outputs, but it passes a cell that was never executed without comparing anything, and it does not look at
metadata; the first tests of this file do.  The browser tests look at the live page.
"""

from __future__ import annotations

import ast
import base64
import html
import itertools
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.pictures import SVG
from tests.seal import plain
from tests.support import NOTEBOOKS, ROOT, as_python, python

WIDGET = "application/vnd.jupyter.widget-view+json"
PICTURE = re.compile(r"data:image/[\w+]+;base64,[\w+/=]+")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")  # of a terminal: its last letter must not hide what comes after it
ABSOLUTE = re.compile(r"(?<![\w+/=.~<-])/(root|home|tmp|usr|var|opt|Users|private)[/]\w|\b[A-Z]:\\+\w+\\")
ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}")
IGNORED = {"nbval-ignore-output", "nbval-skip"}
MOST_IGNORED = 2  # cells of one notebook that nbval may pass over

each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])


def read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


def code_cells(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code" and "".join(cell["source"]).strip()]


def tags(cell: dict[str, Any]) -> set[str]:
    """A cell's tags, with nbval's comments (`# NBVAL_SKIP`) as the tags that they stand for."""
    said = re.findall(r"^# *(NBVAL_\w+)", "".join(cell["source"]), re.MULTILINE)
    return set(cell["metadata"].get("tags", [])) | {comment.lower().replace("_", "-") for comment in said}


def texts(cell: dict[str, Any]) -> Iterator[str]:
    """What a cell says and shows, but for pictures in data URIs."""
    yield "".join(cell["source"])
    for output in cell.get("outputs", []):
        yield "".join(output.get("text", []))
        yield COLOUR.sub("", "\n".join(output.get("traceback", [])))
        for kind, data in output.get("data", {}).items():
            if kind.startswith("text/"):
                yield PICTURE.sub("", "".join(data))


def test_there_are_notebooks():
    assert NOTEBOOKS


@each_notebook
def test_it_was_executed_from_top_to_bottom(path: Path):
    counts = [cell["execution_count"] for cell in code_cells(read(path))]
    assert counts
    assert counts == list(range(1, len(counts) + 1))


@each_notebook
def test_it_shows_no_error_that_is_not_announced(path: Path):
    for cell in code_cells(read(path)):
        errors = [output["ename"] for output in cell["outputs"] if output["output_type"] == "error"]
        assert not errors or "raises-exception" in tags(cell), "".join(cell["source"])


@each_notebook
def test_it_holds_nothing_of_one_machine(path: Path):
    notebook = read(path)
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    assert "widgets" not in notebook["metadata"], "strip the widget state: it is large, and dead without its kernel"
    assert path.stat().st_size < 1_000_000
    for cell in notebook["cells"]:
        for text in texts(cell):
            assert not ABSOLUTE.search(text), text
            assert not ADDRESS.search(text), text


@each_notebook
def test_it_needs_what_the_first_command_installs(path: Path):
    """minitape and NumPy; what else a lesson imports is Python's own."""
    code = "\n".join(as_python("".join(cell["source"])) for cell in code_cells(read(path)))
    imports = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {getattr(node, "module", None) or alias.name for node in imports for alias in node.names}
    assert {name.partition(".")[0] for name in names} <= {"minitape", "viz", "numpy", *sys.stdlib_module_names}


@each_notebook
def test_every_widget_has_a_still_picture(path: Path):
    for cell in code_cells(read(path)):
        for output in cell["outputs"]:
            if WIDGET in output.get("data", {}):
                still = "".join(output["data"].get("text/html", ""))
                if still.startswith('<pre class="mt-question">'):
                    continue  # a question: its words are all of it
                assert re.search(r'<img[^>]*src="data:image/svg\+xml;base64,', still), "".join(cell["source"])
                assert re.search(r'<img[^>]*alt="[^"]', still), "a picture needs a text for those who do not see it"
                assert 'alt="a run"' not in still, f"it has no title: {''.join(cell['source'])}"


def shown(output: dict[str, Any]) -> str:
    """All that a stored output says, the words in its pictures included."""
    data = output.get("data", {})
    said = ["".join(output.get("text", "")), output.get("evalue", ""), "".join(data.get("text/plain", ""))]
    for coded in PICTURE.findall("".join(data.get("text/html", ""))):
        svg = base64.b64decode(coded.partition(",")[2]).decode()
        words = re.findall(r">([^<>]+)<", re.sub(r"<style.*?</style>", "", svg, flags=re.DOTALL))
        said.append(" ".join(html.unescape(one).strip() for one in words if one.strip()))
    return "\n".join(said)


@each_notebook
def test_nothing_under_a_question_answers_it(path: Path):
    """From its question on, no stored output tells an answer in the words in which this lesson would tell it."""
    asked: dict[str, list[str]] = {}
    for cell in code_cells(read(path)):
        for output in cell["outputs"]:
            for name, pieces in asked.items():
                for piece in pieces:
                    told = re.search(piece, shown(output))
                    assert not told, f"{told[0]!r} answers {name} in\n{''.join(cell['source'])}"
        for name in re.findall(r'\b(?:predict\(|ask=)"([\d.]+)"', "".join(cell["source"])):
            asked[name] = plain()[name].get("tells", [])


@each_notebook
def test_what_waits_for_a_guess_says_so_and_shows_no_more_than_a_still(path: Path):
    waiting: set[str] = set()
    for cell in code_cells(read(path)):
        source, outputs = "".join(cell["source"]), cell["outputs"]
        compared = set(re.findall(r'^check\("([\d.]+)", (?:guess|silent)', source, re.M))
        held = source.startswith("%%after") and set(source.splitlines()[0].split()[1:])
        for number, one in enumerate(outputs if held or compared else []):
            said, data = "".join(one.get("data", {}).get("text/plain", "?")), one.get("data", {})
            first = said.startswith("○ this waits for your guess at ")
            assert (first if compared or not number else not first) and WIDGET not in data, source
            assert "text/html" in data or not (said.partition("\n")[2] if first else said), source
        assert not held or held <= {*waiting, *asked_in(path, cell)}, f"no question above it: {source}"
        assert compared <= waiting, f"no question above it: {source}"
        waiting = (waiting | set(re.findall(r'\bpredict\("([\d.]+)"\)', source))) - compared
    assert not waiting, f"guesses that nobody compares: {waiting}"


def asked_in(path: Path, until: dict[str, Any]) -> set[str]:
    """The questions that a notebook asks above a cell."""
    above = itertools.takewhile(lambda cell: cell["id"] != until["id"], code_cells(read(path)))
    return {name for cell in above for name in re.findall(r'\bpredict\("([\d.]+)"\)', "".join(cell["source"]))}


@each_notebook
def test_a_stepper_that_waits_shows_its_run_up_to_the_question(path: Path):
    """Without a kernel there is a picture, not a bare sentence, of every stepper that a question holds back."""
    for cell in code_cells(read(path)):
        source = "".join(cell["source"])
        if source.startswith("%%after") and "viz.step(" in source:
            stills = [one for one in cell["outputs"] if PICTURE.search("".join(one["data"].get("text/html", "")))]
            assert len(stills) == 1, source
            assert "Nothing has run yet" in "".join(stills[0]["data"]["text/plain"]), "and its words"


@each_notebook
def test_few_of_its_cells_are_passed_over(path: Path):
    cells = code_cells(read(path))
    assert sum(bool(tags(cell) & IGNORED) for cell in cells) <= MOST_IGNORED
    assert any(cell["outputs"] and not tags(cell) & IGNORED for cell in cells), "nbval would compare nothing"


def nbval(place: Path, room: Path) -> Any:
    """Run nbval over a notebook or a folder of notebooks, with a clean IPython profile."""
    return python(
        *("-c", "import os, pytest, sys; os.environ['IPYTHONDIR'] = sys.argv.pop(1); sys.exit(pytest.main())"),
        *(str(room / "ipython"), "-c", str(ROOT / "pyproject.toml"), "-p", "no:cacheprovider", "-q", "-n0"),
        *("-p", "nbval", "-p", "tests.pictures", "--nbval", "--nbval-current-env", "--nbval-cell-timeout=120"),
        *("--nbval-sanitize-with", str(ROOT / "tests/data/sanitize.cfg"), str(place)),
        timeout=1200,
    )


@pytest.mark.slow
def test_nbval_gives_the_stored_outputs_again(tmp_path: Path):
    run = nbval(ROOT / "notebooks", tmp_path)
    assert run.returncode == 0, run.stdout[-10_000:] + run.stderr
    cells = sum(len(code_cells(read(path))) for path in NOTEBOOKS)
    assert re.search(rf"\b{cells} passed", run.stdout), run.stdout[-500:]


def change_one_digit(notebook: dict[str, Any]) -> str | None:
    """Change the last digit of the first stored number that nbval compares; gives the changed text."""

    def changed(text: str) -> str:
        return re.sub(r"\d(?!.*\d)", lambda digit: str((int(digit[0]) + 1) % 10), text, count=1, flags=re.DOTALL)

    for cell in code_cells(notebook):
        for output in [] if tags(cell) & IGNORED else cell["outputs"]:
            for place, key in ((output, "text"), (output.get("data", {}), "text/plain")):
                text = "".join(place.get(key, ""))
                if key in place and re.search(r"\d", text):
                    place[key] = changed(text)
                    return place[key]
    return None


def change_one_word(notebook: dict[str, Any]) -> str | None:
    """Change a name in the last picture that nbval compares; gives the name."""

    def changed(picture: re.Match[str]) -> str:
        svg = base64.b64decode(picture[1]).decode().replace(">loss<", ">lost<")
        return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"

    for cell in reversed(code_cells(notebook)):
        for output in [] if tags(cell) & IGNORED else cell["outputs"]:
            shown = "".join(output.get("data", {}).get("text/html", ""))
            if (other := SVG.sub(changed, shown)) != shown:
                output["data"]["text/html"] = other
                return "loss"
    return None


@pytest.mark.slow
def test_nbval_fails_when_a_stored_number_or_a_word_of_a_picture_is_changed(tmp_path: Path):
    for path in NOTEBOOKS:
        notebook = read(path)
        if change_one_word(notebook) and change_one_digit(notebook):
            break
    else:
        pytest.fail("no notebook shows a number and a picture with a loss")
    copy = tmp_path / path.name
    copy.write_text(json.dumps(notebook), encoding="utf-8")
    run = nbval(copy, tmp_path)
    assert run.returncode == 1, run.stdout[-10_000:] + run.stderr
    assert re.search(r"\b2 failed", run.stdout), run.stdout[-500:]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_cell_that_is_named_is_the_one_with_that_number_beside_it(path: Path) -> None:
    cells = code_cells(read(path))
    numbered = {cell["execution_count"]: "".join(cell["source"]).splitlines() for cell in cells}
    for cell in cells:
        for output in cell["outputs"]:
            said = "".join(output.get("text", [])) + "".join(output.get("data", {}).get("text/plain", []))
            for number, line, text in re.findall(r"(?:stops at|here) +cell (\d+), line (\d+): (.*)", said):
                assert numbered[int(number)][int(line) - 1].strip() == text.strip()
