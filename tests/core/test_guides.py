"""TensorFlow's public guides and tutorials: what their cells call, in programs of our own, printing what TensorFlow prints.

`tests/guides.py` says how a guide is written down, and runs it.
"""

from __future__ import annotations

import cmath
import functools
import re

import pytest

import minitape as tf
from tests import guides, guides_page
from tests.support import ROOT

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|inf|nan)j?")
ERROR = re.compile(r"(.*?\b\w+Error: )(?:\{\{.*?\}\} )?(.*)")
NAMES = sorted(path.stem for path in guides.FOLDER.glob("*.py"))
CELLS = {name: guides.cells(name) for name in NAMES}
LEFT_OUT = "datasets of files, downloads, saved models, checkpoints, ragged tensors, sparse tensors, strings, accelerators, traced graphs"


def words(text: str) -> str:
    """The text between the numbers, however it is spaced, and without addresses."""
    return re.sub(r"\s+", "", NUMBER.sub("#", re.sub(r" at 0x[0-9a-f]+", "", text)))


def numbers(text: str) -> list[complex]:
    return [complex(one) for one in NUMBER.findall(re.sub(r" at 0x[0-9a-f]+", "", text))]


def close(one: complex, other: complex) -> bool:
    """To float32's last digit or two, or to the last of six decimals."""
    return cmath.isclose(one, other, rel_tol=1e-6, abs_tol=1.1e-6) or (one != one and other != other)


def apart(ours: str, theirs: str) -> str:
    """Where two printed texts differ: their numbers in the digits, an error's type and first sentence; "" if nowhere."""
    mine, wanted = ours.splitlines(), theirs.splitlines()
    for number, line in enumerate(wanted):
        if error := ERROR.fullmatch(line):  # the last that a cell prints; ours goes on, and teaches
            beginning = words(error[1] + re.split(r" \[Op|\. ", error[2])[0].rstrip("."))
            if not words("".join(mine[number : number + 1])).startswith(beginning):
                return f"{mine[number : number + 1]} does not begin {beginning!r}"
            ours, theirs = "\n".join(mine[:number]), "\n".join(wanted[:number])
            break
    if words(ours) != words(theirs):
        return f"{ours!r} is not {theirs!r}"
    pairs = zip(numbers(ours), numbers(theirs), strict=True)
    far = [pair for pair in pairs if not close(*pair)]
    return f"ours, theirs: {far}" if far else ""


@functools.cache
def ours(name: str) -> dict[int, str]:
    return guides.run(name, tf)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", NAMES)
def test_a_guide_prints_what_tensorflow_prints(name: str) -> None:
    theirs = guides.printed(guides.FOLDER / f"{name}.out")
    assert ours(name).keys() == theirs.keys()
    for cell in CELLS[name]:
        if cell.state in ("", "Keras 2"):
            assert not apart(ours(name)[cell.number], theirs[cell.number]), f"{name}, cell {cell.number}: {cell.about}"


DIFFERENT = [(name, cell) for name in NAMES for cell in CELLS[name] if cell.state == "differs"]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "cell"), DIFFERENT, ids=[f"{name}-{cell.number}" for name, cell in DIFFERENT])
def test_a_cell_that_differs_prints_what_it_says(name: str, cell: guides.Cell) -> None:
    """Each is named in a row of docs/differences.md, and none stays when minitape has come to agree."""
    printed = ours(name)[cell.number]
    assert cell.ours and not apart(printed, cell.ours)
    assert apart(printed, guides.printed(guides.FOLDER / f"{name}.out")[cell.number])
    assert f"`{name} {cell.number}`" in (ROOT / "docs" / "differences.md").read_text(encoding="utf-8")


def test_every_cell_is_accounted_for() -> None:
    assert len(NAMES) == 12
    for name in NAMES:
        assert [cell.number for cell in CELLS[name]] == list(range(1, len(CELLS[name]) + 1)), name
        for cell in CELLS[name]:
            if cell.state == "left out":
                assert cell.about in LEFT_OUT.split(", ") and not cell.code.strip(), f"{name}, cell {cell.number}"
            else:
                assert cell.about and cell.code.strip(), f"{name}, cell {cell.number}"


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("x = 1.001", "x = 1.000"),
        ("x = -1.0", "x = 1.0"),
        ("x = 1.0", "y = 1.0"),
        ("x = 1.0\n", "x = 1.0\nx = 1.0\n"),
        ("1.0\nValueError: it is so", "1.5\nValueError: it is so. And more."),
        ("ValueError: it was so", "ValueError: it is so. And more."),
        ("TypeError: it is so", "ValueError: it is so."),
    ],
)
def test_a_difference_would_be_found(ours: str, theirs: str) -> None:
    assert apart(ours, theirs) and not apart(theirs, theirs)


@pytest.mark.parametrize("path", guides_page.notebooks())
def test_every_name_of_a_notebook_is_there_or_refused_in_a_sentence(path: str) -> None:
    absent = []
    for name in guides_page.notebooks()[path]["names"]:
        try:
            guides_page.refused(name)
        except AttributeError as problem:
            absent.append(str(problem))
    assert not absent


def test_the_page_is_fresh() -> None:
    assert guides_page.PAGE.read_text(encoding="utf-8") == guides_page.page(), "run python -m tests.guides_page"


@pytest.mark.parametrize("name", ["io", "saved_model", "ragged", "sparse", "strings", "summary"])
def test_what_the_cells_left_out_would_need_is_said_to_be_out_of_scope(name: str) -> None:
    with pytest.raises(AttributeError, match="out of scope"):
        getattr(tf, name)


def test_a_function_runs_each_time(capsys: pytest.CaptureFixture[str]) -> None:
    """A row of docs/differences.md: TensorFlow prints while it traces only."""

    @tf.function
    def doubled(x: tf.Tensor) -> tf.Tensor:
        print("running")
        return x * 2.0

    assert float(doubled(tf.constant(1.0)) + doubled(tf.constant(2.0))) == 6.0
    assert capsys.readouterr().out == "running\nrunning\n"
