"""The exercises: every right program is accepted, every wrong one refused with its reason, and nothing makes a check fall over.

The programs are in tests/data/tasks.toml; the cells that they stand in, and the empty programs, are those of the notebooks.
"""

from __future__ import annotations

import ast
import contextlib
import io
import itertools
import json
import linecache
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minitape as tf
import viz
from tests.seal import hints, plain, tasks
from tests.support import NOTEBOOKS, as_python
from viz.lesson import check, hint, solution
from viz.lesson.spelling import canonical
from viz.lesson.tasks import TASKS

CHECK = re.compile(r'^check\("([\d.]+)", (.+)\)$', re.M)
FILES = itertools.count(1)


def cells() -> dict[str, dict[str, str]]:
    """The code cells of each notebook, by its number and by their ids."""
    found = {}
    for path in NOTEBOOKS:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        found[path.name[:2]] = {
            c["id"]: as_python("".join(c["source"])) for c in notebook["cells"] if c["cell_type"] == "code"
        }
    return found


CELLS = cells()
PLACES = {name: (source[: found.start()], found[2])
          for notebook in CELLS.values() for source in notebook.values()
          for found in CHECK.finditer(source) if (name := found[1]) in TASKS}  # fmt: skip
PROGRAMS = {name: [one["solution"], *one.get("right", [])] for name, one in tasks().items()}
WRONG = [(name, code, said) for name, one in tasks().items() for code, said in one.get("wrong", [])]


def space(name: str) -> dict[str, Any]:
    """The names that a learner's cell finds: the imports, and the cells that the exercise builds on."""
    names = {"tf": tf, "viz": viz, "np": np, "__name__": "learner"}
    for cell in tasks()[name].get("given", []):
        with contextlib.suppress(TypeError):  # the cell of a clinic that fails on purpose, with what it defines before
            run(tasks()[cell[1:]]["solution"] if cell[0] == "=" else CELLS[name[:2]][cell], names)
    return names


def run(code: str, names: dict[str, Any]) -> None:
    """Run a cell as a notebook would: from a file whose lines can be read again."""
    file = f"<cell {next(FILES)}>"
    linecache.cache[file] = (len(code), None, code.splitlines(keepends=True), file)
    exec(compile(code, file, "exec"), names)


def judged(name: str, code: str) -> str:
    """What check says of a program in the cell of this exercise."""
    names, out = space(name), io.StringIO()
    run(code, names)
    with contextlib.redirect_stdout(out):
        check(name, eval(PLACES[name][1], names))
    return out.getvalue()


def test_every_exercise_has_a_cell_a_judge_and_programs():
    assert set(PLACES) == set(TASKS) == set(tasks())
    for name, one in tasks().items():
        assert len(one["hints"]) == 2 and len(one.get("wrong", [])) >= 3 and len(PROGRAMS[name]) >= 2, name


def test_there_are_enough_wrong_programs_and_right_ones():
    """The empty program counts as a wrong one: it stands in every list."""
    wrong, right = len(WRONG) + len(TASKS), sum(len(programs) for programs in PROGRAMS.values())
    assert wrong >= 265, f"{wrong} wrong programs, {right} right ones"
    assert right >= 119, f"{wrong} wrong programs, {right} right ones"


@pytest.mark.parametrize("name", list(TASKS))
def test_the_empty_program_is_no_answer(name: str):
    said = judged(name, PLACES[name][0])
    assert said == "○ not answered yet\n"


@pytest.mark.parametrize("name", list(TASKS))
def test_right_programs_are_accepted(name: str):
    for code in PROGRAMS[name]:
        assert judged(name, code).startswith("✓ "), f"{judged(name, code)}\n{code}"


@pytest.mark.parametrize(("name", "code", "piece"), WRONG, ids=[f"{name}-{i}" for i, (name, *_) in enumerate(WRONG)])
def test_wrong_programs_are_refused_with_the_reason(name: str, code: str, piece: str):
    said = judged(name, code)
    assert said.startswith("✗ "), f"{said}\n{code}"
    assert piece in said, f"{said}\n{code}"
    assert said.count("\n") == 1, "one line"


@pytest.mark.parametrize("name", [name for name in TASKS if name.startswith("16.")])
def test_pieces_of_a_tape_are_judged_in_any_order(name: str):
    """After Run All the other pieces are there, and still hold their dots."""
    names = {"tf": tf, "viz": viz, "np": np, "__name__": "learner", "check": lambda *given: None}
    with contextlib.redirect_stdout(io.StringIO()):
        for cell in ("value", "modify-1", "modify-2", "back", "apply-1", "record-1", "make-1", "make-2", "make-3"):
            run(CELLS["16"][cell], names)
    before = dict(names)

    def told(code: str) -> str:
        run(code, names)
        with contextlib.redirect_stdout(io.StringIO()) as out:
            check(name, eval(PLACES[name][1], names))
        return out.getvalue()

    assert told(PLACES[name][0]) == "○ not answered yet\n"
    for code, piece in tasks()[name]["wrong"]:
        said = told(code)
        assert said.startswith("✗ ") and piece in said, f"{said}\n{code}"
    for code in PROGRAMS[name]:
        assert told(code).startswith("✓ "), code
    assert {key for key in before if names[key] is not before[key]} <= {PLACES[name][1], "__builtins__"}


@pytest.mark.parametrize("name", list(TASKS))
def test_a_hard_coded_answer_is_refused(name: str):
    """A function that gives what the solution gives at the first place, wherever it is asked."""
    names = space(name)
    run(PROGRAMS[name][0], names)
    solution, first, asked = eval(PLACES[name][1], names), [], []
    if isinstance(solution, type) or not callable(solution):
        pytest.skip("no function")

    def learned(*arguments: Any) -> Any:
        asked.append(arguments)
        if not first:
            first.append(solution(*arguments))
        return first[0]

    with contextlib.redirect_stdout(io.StringIO()) as out:
        check(name, learned)
    if len(asked) == 1 and name in ("07.10", "07.11", "17.7"):
        pytest.skip("what it does is looked at, once: it did so")
    assert out.getvalue().startswith("✗ "), out.getvalue()


RULES = {  # what a rule of the learner's is given from above, by its name there
    "01.8": "arrives", "09.5": "upstream", "09.6": "upstream", "09.7": "upstream", "09.10": "d_first", "09.11": "upstream",
    "15.6": "grad_ys", "16.3": "upstream", "16.4": "upstream",
}  # fmt: skip


class Forgetful(ast.NodeTransformer):
    """Reads 1 wherever the name is read."""

    def __init__(self, name: str, instead: str) -> None:
        self.name, self.instead = name, ast.parse(instead, mode="eval").body
        self.read = 0

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id != self.name or not isinstance(node.ctx, ast.Load):
            return node
        self.read += 1
        return self.instead


@pytest.mark.parametrize("name", list(RULES))
def test_a_forgotten_upstream_is_refused(name: str):
    """The solution itself, where what comes from above counts for 1."""
    instead = {"15.6": "(tf.constant(1.0),)", "16.3": "Value(1.0)", "16.4": "Value(1.0)", "01.8": "1.0"}
    for code in PROGRAMS[name]:
        forgets = [Forgetful(one, instead.get(name, "tf.constant(1.0)")) for one in (RULES[name], "dy", "u")]
        tree = ast.parse(code)
        for one in forgets:
            tree = ast.fix_missing_locations(one.visit(tree))
        if any(one.read for one in forgets):
            said = judged(name, ast.unparse(tree))
            assert said.startswith("✗ "), f"{said}\n{ast.unparse(tree)}"
            break
    else:
        pytest.fail("no program reads what comes from above")


class Biting:
    """An object that raises whenever it is looked at."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError("do not touch")

    def __repr__(self) -> str:
        raise RuntimeError("do not look")

    __str__ = __eq__ = __float__ = __call__ = __len__ = __iter__ = __repr__  # type: ignore[assignment]
    __hash__ = None  # type: ignore[assignment]


def exits(*_: Any) -> None:
    raise SystemExit(3)


def deep(*arguments: Any) -> Any:
    return deep(*arguments)


HOSTILE = [
    None, True, 0, -1, 10**400, float("nan"), float("inf"), 1j, "", "…", "[1, 2", "9" * 5000, b"6", [], [[]], (), {}, {"a": ...},
    [None], [None, None], ["a", 1.0, None], object(), Biting(), [Biting()], Biting, int, print, len, exits, deep, iter([1]),
    np.array([]), np.array([1.0, 2.0]), np.array(["a"]), np.array(None), np.float64(6.0), tf.constant(6.0), tf.constant([1.0, 2.0]),
    tf.constant([[1.0]]), tf.constant("six"), tf.Variable(3.0), tf.GradientTape(), (tf.GradientTape(), 27.0),
    lambda *a: None, lambda *a: "six", lambda *a: 6.0, lambda *a: tf.constant([1.0, 2.0]), lambda *a: a, lambda *a: (a, a),
    lambda *a: Biting(), lambda *a: [Biting()], lambda *a: 1 / 0, lambda *a: a[0] ** 0.5, lambda *a: [None], lambda *a: {},
    lambda *a: np.nan, lambda *a: (lambda *b: None), lambda: 6.0, lambda *a: [tf.constant([1.0, 2.0])] * 3, lambda *a: object(),
]  # fmt: skip


# A question of each kind, all exercises.
@pytest.mark.parametrize("name", ["02.1", "02.7", "04.1", "08.6", "10.3", *TASKS])
def test_no_check_ever_raises(name: str, capsys: pytest.CaptureFixture[str]):
    right = {canonical(one, plain()[name].get("as", "")) for one in (plain()[name]["right"], *plain()[name].get("also", []))} if (
        name in plain()
    ) else set()  # fmt: skip
    for answer in HOSTILE:
        check(name, answer)
        *_, said = capsys.readouterr().out.splitlines()  # above it stands what the learner's function printed
        assert said.startswith(("✗ ", "○ ", "✓ ")) and len(said) < 600
        if name in plain():
            assert said.startswith("✓") == (canonical(answer, plain()[name].get("as", "")) in right)
        elif name not in ("03.6", "11.5", "15.9"):  # where a Variable of 3.0, six segments and an empty dict are right
            assert not said.startswith("✓"), answer


# ---- answers in other spellings ---------------------------------------------------------------------------------------------

SPELLINGS: dict[str, list[Any]] = {
    "01.1": [8, 8.0, "8", "8.0", "eight", tf.constant(8.0), np.int64(8), "dz/dy = 8", " 8. "],
    "01.3": [
        [5, 3],
        (5, 3),
        "5, 3",
        "5 3",
        "5 and 3",
        "[5, 3]",
        "(5.0, 3.0)",
        np.array([5, 3]),
        tf.constant([5.0, 3.0]),
    ],
    "01.7": ["s and y", "y and s", "s, y", ["y", "s"], ("s", "y"), "sy", {"s", "y"}],
    "02.4": ["b", "B", "b)", "(b)", "b.", '"b"', "b: when it has answered"],
    "02.6": ["ACBD", "acbd", "A C B D", "A, C, B, D", ["A", "C", "B", "D"], "A-C-B-D"],
    "02.7": [None, "None", "none", "None."],
    "04.1": ["befg", "b, e, f, g", ["b", "e", "f", "g"], "gfeb", "B E F G", "b, e, f and g", ("g", "f", "e", "b")],
    "04.3": ["np.square", "numpy.square", "NumPy.square", "np.square(x)"],
    "05.1": [8, "8 bytes", "8 B", "8b"],
    "06.3": ["(10, None)", (10, None), [10, None], (10.0, None), "10, None"],
    "07.5": [0.2, "0.2", ".2", 0.2000001, np.float32(0.2)],
    "08.4": [[11, 17], "11, 17", tf.constant([11.0, 17.0]), "[11. 17.]"],
    "08.6": ["the sum of the rows", "sum of the rows", "The sum of the rows.", "sum of rows"],
    "10.3": ["4 3 2 1", [4, 3, 2, 1], "4321", "4, 3, 2, 1", (4, 3, 2, 1), "4-3-2-1", np.array([4, 3, 2, 1]), 4321],
    "10.6": [["a", "b", "b", "a"], "abba", "a b b a", "a, b, b, a", "a\nb\nb\na"],
    "12.1": [(3, 1), [3, 1], "3, 1", "(3, 1)", "3 and 1"],
    "12.5": [3.5, "3.5", tf.constant(3.5)],
    "13.6": ["b.jvp", "b", "b.jvp(y)", "b first"],
    "14.5": ["forward_over_back", "forward over back"],
    "15.1": [16000, "16000", "16 000", "16000 bytes", "16 000 bytes", 16e3],
    "15.7": ["no", "No.", False],
}


@pytest.mark.parametrize("name", list(SPELLINGS))
def test_a_right_answer_may_be_spelled_in_many_ways(name: str, capsys: pytest.CaptureFixture[str]):
    for answer in SPELLINGS[name]:
        check(name, answer)
        assert capsys.readouterr().out.startswith("✓"), answer


def test_another_spelling_is_not_another_answer(capsys: pytest.CaptureFixture[str]):
    for name, answer in (
        ("04.1", "bef"),
        ("10.3", "1234"),
        ("01.3", "3, 5"),
        ("02.4", "c)"),
        ("06.3", (10, 2)),
        ("15.7", True),
    ):
        check(name, answer)
        assert capsys.readouterr().out.startswith("✗"), name


# ---- hints and solutions ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(plain()))
def test_a_hint_does_not_say_the_answer(name: str):
    one = plain()[name]
    told = " ".join(hints(one)).lower()
    right = canonical(one["right"], one.get("as", ""))
    assert len(hints(one)) == 2
    if right in ("none", "outer", "list") or len(right) == 1:
        pytest.skip("a plain word or digit, which a hint may use for something else")
    assert not re.search(rf"(?<![\w.]){re.escape(right)}(?![\w.])", told)


@pytest.mark.parametrize("name", list(TASKS))
def test_a_hint_is_not_the_program(name: str):
    body = [line.strip() for line in tasks()[name]["solution"].splitlines() if line.strip() not in PLACES[name][0]]
    told = " ".join(tasks()[name]["hints"])
    assert sum(len(line) > 12 and line in told for line in body) <= max(1, len(body) // 3), told


def test_hints_come_one_after_the_other_and_the_solution_when_asked(capsys: pytest.CaptureFixture[str]):
    for wanted in ("Hint 1 of 2:", "Hint 2 of 2:", "That was the last hint. solution('03.9')"):
        hint("03.9")
        assert capsys.readouterr().out.startswith(wanted)
    hint("03.9", 1)
    assert capsys.readouterr().out.startswith("Hint 1 of 2:")
    solution("03.9")
    assert capsys.readouterr().out == tasks()["03.9"]["solution"].strip("\n") + "\n"
    with pytest.raises(ValueError, match="no question"):
        hint("99.9")


def test_cells_ask_names_and_carry_no_harness():
    """An exercise is what a learner writes and one line that judges it: no branch on whether it is written yet."""
    for notebook, sources in CELLS.items():
        for cell, source in sources.items():
            assert "is not ..." not in source and "is ..." not in source, f"{notebook} {cell}"


# ---- the notebooks as a course ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def test_every_exercise_says_how_much_it_asks(path: Path):
    stars = 0
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            stars = source.count("★") if cell["id"] != "title" else 0
        elif re.search(r'^check\("[\d.]+", (?!guess|silent)', source, re.M):
            assert 1 <= stars <= 3, f"{cell['id']}: {stars} stars"


def test_next_leads_through_all_lessons_in_order():
    lessons = [path for path in NOTEBOOKS if not path.name.startswith("00")]
    for lesson, following in itertools.pairwise([*lessons, None]):
        text = "".join(json.loads(lesson.read_text(encoding="utf-8"))["cells"][-1]["source"])
        first = re.search(r"(?:Next:|Back to the) \[[^\]]*\]\(([^)]+)\)", text)
        assert first and first[1] == (following.name if following else "README.md"), lesson.name
