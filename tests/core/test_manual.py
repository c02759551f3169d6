"""What `help(tf.tanh)`, `tf.tanh?` and Tab say."""

from __future__ import annotations

import ast
import builtins
import doctest
import functools
import inspect
import re
import textwrap
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import minitape as tf
import viz
from minitape import examples
from minitape.notes import NAMES, Notes
from minitape.ops import special
from minitape.primitive import TABLE, Primitive
from tests.support import ROOT

ROWS = {name: what for name, what in NAMES.items() if isinstance(what, Primitive)}
each_row = pytest.mark.parametrize("row", {id(row): row for row in ROWS.values()}.values(), ids=lambda row: row.name)


def namespaces(space: ModuleType, path: str, seen: set[ModuleType]) -> Iterator[Any]:
    """All namespaces that a learner can reach by Tab, with how they are written."""
    seen.add(space)
    yield pytest.param(space, id=path)
    for name in space.__all__:
        found = getattr(space, name)
        if isinstance(found, ModuleType) and found not in seen:
            yield from namespaces(found, f"{path}.{name}", seen)


@pytest.mark.parametrize("space", [*namespaces(tf, "tf", set())])
def test_tab_offers_the_public_names_and_nothing_else(space: ModuleType) -> None:
    assert dir(space) == sorted(space.__all__)
    assert not [name for name in dir(space) if name in ("Any", "annotations", "refusal", "convert", "answering")]
    assert [name for name in dir(space) if not hasattr(space, name)] == []


@pytest.mark.parametrize("space", [*namespaces(tf, "tf", set()), pytest.param(viz, id="viz")])
def test_every_public_name_has_an_example(space: ModuleType) -> None:
    """They are run where they are found: with their files, and those that are made of a table further down."""
    named = {name: getattr(space, name) for name in space.__all__}
    ours = {
        name: what for name, what in named.items() if callable(what) and what.__module__.startswith(("minitape", "viz"))
    }
    errors = {name for name, what in ours.items() if isinstance(what, type) and issubclass(what, BaseException)}
    assert [name for name in ours.keys() - errors if ">>>" not in (inspect.getdoc(ours[name]) or "")] == []


def names_taken_for_granted(text: str) -> set[str]:
    """Names that the examples of a docstring use, and neither make nor import."""
    used, made = set[str](), {*dir(builtins), "tf", "viz", "np"}
    for example in doctest.DocTestParser().get_examples(text):
        for node in ast.walk(ast.parse(example.source)):
            if isinstance(node, ast.Name):
                (used if isinstance(node.ctx, ast.Load) else made).add(node.id)
            elif isinstance(node, ast.alias):
                made.add(node.asname or node.name)
            elif isinstance(node, ast.arg):
                made.add(node.arg)
            elif isinstance(node, ast.FunctionDef | ast.ClassDef):
                made.add(node.name)
    return used - made


@pytest.mark.parametrize("space", [*namespaces(tf, "tf", set()), pytest.param(viz, id="viz")])
def test_an_example_can_be_copied_into_a_notebook_that_has_imported_tf(space: ModuleType) -> None:
    wrong = {}
    for name in space.__all__:
        what = getattr(space, name)
        if callable(what) and str(getattr(what, "__module__", "")).startswith(("minitape", "viz")):
            parts = vars(what).items() if isinstance(what, type) else ()
            methods = [(part, found) for part, found in parts if part[0] != "_" and part != "function"]
            for part, found in [("", what), *methods]:
                if granted := names_taken_for_granted(inspect.getdoc(found) or ""):
                    wrong[f"{name}.{part}"] = granted
    assert wrong == {}


@each_row
def test_the_example_of_a_row_prints_what_it_says(row: Primitive) -> None:
    """The numbers are those of the heart, and the doctest is run by the engine."""
    examples = doctest.DocTestParser().get_doctest(row.__doc__ or "", {"tf": tf}, row.name, None, None)
    assert len(examples.examples) > 1
    runner = doctest.DocTestRunner(verbose=False)
    assert runner.run(examples).failed == 0


@each_row
def test_the_derivative_in_it_is_the_slope(row: Primitive) -> None:
    """The formula, as it stands in the text, against central differences at the example's operands."""
    text = row.__doc__ or ""
    space: dict[str, Any] = {}
    exec(next(line for line in text.split("\n") if "= tf.constant" in line).removeprefix(">>> "), {"tf": tf}, space)
    points = {name: value.numpy().astype("float64") for name, value in space.items() if value.dtype.is_floating}
    told = re.search(r"^    derivative    (.*(?:\n {18}.*)*)", text, re.MULTILINE)
    assert told
    lines = [line.strip() for line in told[1].split("\n")]
    assert (lines == ["none: no tape writes it down"]) == (row.kind == "flat")
    if row.kind == "flat":
        return
    for line in lines:
        by, _, formula = line.rpartition(": ") if line.startswith("by ") else (f"by {row.arguments[0]}", "", line)
        name, step = by.removeprefix("by "), 1e-6
        around = [row.forward(*(points | {name: points[name] + side}).values()) for side in (step, -step)]
        slope = (around[0] - around[1]) / (2 * step)
        told = evaluated(formula, points | {"out": row.forward(*points.values())})
        assert told == pytest.approx(slope, rel=1e-4), line  # constants in it are rounded


@pytest.mark.parametrize("path", ["keras.ops", "keras.backend", "experimental.numpy", "experimental.numpy.random"])
def test_each_function_with_a_name_of_numpys_has_an_example_that_runs(path: str) -> None:
    space: Any = functools.reduce(getattr, path.split("."), tf)
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
    for name in space.__all__:
        function = getattr(space, name)
        if inspect.isfunction(function) and function.__module__.startswith("minitape"):
            found = doctest.DocTestParser().get_doctest(function.__doc__ or "", {"tf": tf}, name, None, None)
            assert found.examples, name
            assert runner.run(found).failed == 0, name


# `dtype` and `empty` of NumPy's are something else, and the others take no lists.
OTHERS = {"dtype", "empty", "empty_like", "split", "hsplit", "vsplit", "dsplit", "take_along_axis", "unstack"}


@pytest.mark.parametrize(
    "name", [name for name in examples._LINES if callable(getattr(np, name, None)) and name not in OTHERS]
)
def test_the_numbers_of_an_example_are_numpys_own(name: str) -> None:
    call, mark, answer = re.split(" (->|~|=) ", examples._LINES[name])
    found = np.asarray(eval(f"np.{call}", {"np": np})) if mark != "=" else eval(f"np.{call}", {"np": np})
    told = {"->": lambda: repr(found.tolist()), "~": lambda: str(found.round(3)), "=": lambda: repr(found)}
    assert told[mark]() == answer


# What stands in a formula, as Python and NumPy have it.
WORDS = {
    "×": "*", "÷": "/", "−": "-", "²": "**2", "³": "**3", "√": "sqrt", "^": "**", "π": "pi", "≠": "!=", "≥": ">=", "≤": "<=",
    "σ": "sigmoid", " = ": " == ",
}  # fmt: skip


def evaluated(formula: str, values: dict[str, Any]) -> Any:
    """A formula of the text at each of the points."""
    formula = re.sub(r"\|([^|]*)\|", r"abs(\1)", formula)
    for word, meaning in WORDS.items():
        formula = formula.replace(word, meaning)
    known = {name: row.forward for name, row in TABLE.items() if row.outputs == 1}
    known |= {"pi": np.pi, "d": 1.0, "abs": abs}
    return [eval(formula, known | {name: value[i] for name, value in values.items()}) for i in range(2)]


@each_row
def test_a_tape_keeps_what_it_says(row: Primitive) -> None:
    found = re.search(r"^    a tape keeps  (.*)", row.__doc__ or "", re.MULTILINE)
    if found is None:
        assert row.kind == "flat"
        return
    told = dict(part.split(", to go back to ")[::-1] for part in found[1].split("; ") if ", to go back" in part)
    for position, name in enumerate(row.arguments):
        if row.differentiable(position):
            operands = [tf.constant([2.0, 3.0]) for _ in row.arguments]
            with tf.GradientTape() as tape:
                tape.watch(operands[position])
                row(*operands)
            kept = " and ".join(value.name for value in tape.entries[0].saved) or "nothing"
            assert kept == told.get(name, found[1])


@pytest.mark.parametrize("name", ROWS)
def test_a_row_says_what_it_is_called_and_how(name: str) -> None:
    row = ROWS[name]
    assert f"tf.{name}" in (row.__doc__ or "")
    assert [*inspect.signature(row).parameters] == [*row.called, "name"]


@each_row
def test_what_it_raises_is_true(row: Primitive) -> None:
    text, count = row.__doc__ or "", len(row.arguments)
    if "InvalidArgumentError" not in text:
        assert text.split("\n")[2].endswith("any dtype")
        return
    wrong = [tf.constant("a")] if count == 1 else [tf.ones([2]), tf.ones([3])]
    if not re.search("floats|any dtype", text) and count == 2:
        wrong = [tf.constant([1.0]), tf.constant([1.0])]
    with pytest.raises(tf.errors.InvalidArgumentError):
        row(*wrong)


def test_asking_is_seen_by_no_recorder_and_counted_by_no_ledger() -> None:
    x, before = tf.constant(2.0), tf.ledger.live
    with tf.GradientTape(persistent=True) as tape, tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)):
        tape.watch(x)
        assert "d × cos(x)" in (tf.sin.__doc__ or "")
    assert tape.entries == ()
    del tape
    assert tf.ledger.live == before


def test_a_kind_of_row_says_what_its_file_says() -> None:
    assert (Primitive.__doc__ or "").startswith("One row of the table")
    assert (type(tf.sin).__doc__ or "").startswith("Number by number")
    assert "forward" in inspect.signature(Primitive).parameters


def test_a_loss_of_a_function_has_its_example_and_a_class_of_ones_own_says_what_it_says() -> None:
    """The example itself is run with the others of its file."""

    class Own(tf.keras.losses.Huber):  # type: ignore[misc]
        """Mine."""

    lines = (tf.keras.losses.Huber.__doc__ or "").split("\n")
    assert lines[2] == "The mean of `huber` over the batch, or what `reduction` says."
    assert lines[-2].startswith(">>> tf.keras.losses.Huber(delta=2.0)([[") and lines[-1] == "np.float32(2.625)"
    assert tf.keras.losses.Huber().__doc__ == tf.keras.losses.Huber.__doc__
    assert Own.__doc__ == "Mine."


def test_the_row_in_contributing_has_an_example_that_runs() -> None:
    """No row of the table has its domain."""
    recipe = re.search(r"```python\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.DOTALL)
    assert recipe
    space = vars(special) | {"Notes": Notes}
    exec(textwrap.dedent(recipe[1]), space)
    row = space["erfcinv"]
    try:
        example = row.__doc__.replace("tf.math.erfcinv", "erfcinv")
        test = doctest.DocTestParser().get_doctest(example, {"tf": tf, "erfcinv": row}, row.name, None, None)
        assert len(test.examples) > 1 and doctest.DocTestRunner(verbose=False).run(test).failed == 0
    finally:
        row.withdraw()
