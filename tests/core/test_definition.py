"""What is said of a row that is written wrong, where it is written; and how a row looks."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minitape as tf
from minitape.kinds import Bilinear, Elementwise, General, Linear
from minitape.notes import NAMES, Notes
from minitape.ops.elementwise import exp
from minitape.primitive import TABLE, flat
from tests.support import ROOT

Make = Callable[[], Any]


def row(*rules: Any, forward: Any = np.exp, **more: Any) -> Make:
    return lambda: Elementwise("odd", forward, *rules, **more)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (row(lambda dx, ouut: dx * ouut), r"row 'odd': rule 0 \(for x\) names 'ouut', which it does not have\n  It may name x, out \(which a tape then keeps\)"),
        (row(lambda dx, x, axis: dx * x, forward=lambda x, axes: x), r"names 'axis', .*\n.* free of cost axes, x_shape, out_shape, x_dtype, shapes"),
        (row(lambda dx, y_shape: dx), "names 'y_shape'"),
        (row(lambda dx, x: dx * x, forward=np.hypot), r"its forward computation takes 2 operands, and the row has 1 input \(x\)\n  Give each operand a rule"),
        (row(lambda dx, x: dx * x, forward=lambda x, y: x * y), "takes 2 operands, and the row has 1 input"),
        (row(lambda dx, x: dx * x, lambda dy: dy, forward=lambda x: x), r"takes 1 operand, and the row has 2 inputs \(x, y\)"),
        (row(lambda dx, x: dx * x, arguments=("a", "b"), forward=lambda a, b: a), r"it has 2 inputs \(a, b\) and 1 rule\n  One rule per input"),
        (row(), r"it has no rule\n  Write lambda dx, x: ... for each input, or flat"),
        (row(lambda dx, x: dx * np.exp(x)), r"uses NumPy, so its second derivative would be lost\n  Say it with rows of the table"),
        (row("dx * x"), r"rule 0 \(for x\) is 'dx \* x' and no function\n  Write lambda dx, x"),
        (row(lambda x: x), r"begins with 'x', where the change must be\n  Write lambda dx, x"),
        (row(lambda: 1.0), r"has no parameter\n  The first is the change"),
        (row(lambda dx: dx, jvp=[lambda dx, z: dx * z]), "names 'z'"),
        (row(lambda dx: dx, forward="exp"), "its forward computation is 'exp' and no function"),
        (lambda: General("odd", lambda x, y: x, vjp=[lambda g: g, None], jvp=[lambda t: t]), r"it has 2 inputs \(x, y\) and 1 jvp rule"),
        (lambda: General("odd", lambda x: x, vjp=[lambda g, out1: g], jvp=[lambda t: t], outputs=1), r"vjp rule 0 \(for x\) names 'out1'"),
        (lambda: Bilinear("odd", np.matmul, lambda g, y: g), r"it has 2 inputs \(x, y\) and 1 rule"),
        (lambda: Linear("odd", np.negative, None), "the transpose is None and no function"),
        (lambda: Linear("odd", np.negative, lambda g, axis: g), "the transpose names 'axis'"),
    ],
)  # fmt: skip
def test_a_fault_is_named_where_it_is_written(make: Make, says: str) -> None:
    with pytest.raises(ValueError, match=says) as caught:
        make()
    assert "odd" not in TABLE  # the next attempt finds the name free
    assert len(str(caught.value).splitlines()) <= 3
    if "lambda" in says or "names" in says:
        assert re.search(r"np\.|\.py:\d+|Write|Give", str(caught.value))


def test_the_line_is_named() -> None:
    def rule(dx: Any, nothing: Any) -> Any:
        return dx

    with pytest.raises(ValueError, match=rf"test_definition.py:{rule.__code__.co_firstlineno}$"):
        row(rule)()


@pytest.mark.parametrize(("note", "meant"), [("formla", "formula"), ("domian", "domain"), ("colour", None)])
def test_a_note_that_is_misspelled_is_named_with_what_was_meant(note: str, meant: str | None) -> None:
    asked = rf"Did you mean {meant}=\.\.\.\? There are" if meant else "There are"
    with pytest.raises(TypeError, match=rf"a row has no note '{note}'\n  {asked} formula, phrase, "):
        Notes(**{note: "x"})  # type: ignore[arg-type]


@pytest.mark.parametrize("answer", ["text", None, [1.0]])
def test_a_forward_that_returns_no_array_says_so(answer: Any) -> None:
    odd = flat("odd", lambda x: answer)
    try:
        with pytest.raises(TypeError, match=r"row 'odd': the forward computation returned .* and no array"):
            odd(1.0)
    finally:
        odd.withdraw()


@pytest.mark.parametrize(
    ("rule", "kind", "says"),
    [
        (lambda dx, x: dx / chsh(x), ValueError, "row 'odd': a rule says 'chsh', which its file does not have"),  # noqa: F821
        (lambda dx: 3.0, ValueError, "row 'odd': a rule returned 3.0, a float, and not what becomes of the change"),
        (lambda dx, x: None, ValueError, "row 'odd': a rule returned None, a NoneType"),
    ],
)
@pytest.mark.parametrize("heard", [False, True])
def test_a_rule_that_fails_names_its_row(rule: Any, kind: type[Exception], says: str, heard: bool) -> None:
    odd = row(rule)()
    x = tf.constant(0.5)
    try:
        with tf.GradientTape() as outer, pytest.raises(kind, match=says) as caught:
            if heard:
                outer.watch(x)
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = odd(x)
            with nullcontext() if heard else outer.stop_recording():
                tape.gradient(y, x)
        assert "\n  at " in str(caught.value) and len(str(caught.value).splitlines()) == 3
        if "None" not in says:  # where nothing moves there is no tangent: that is no fault
            with pytest.raises(kind, match=says), tf.autodiff.ForwardAccumulator(x, x):
                odd(x)
    finally:
        odd.withdraw()


def test_a_rule_that_loses_its_second_derivative_says_so() -> None:
    k = tf.constant(2.0)
    with pytest.raises(ValueError, match=r"rule 0 \(for x\) borrows the tensor 'k', .*\n  Make it an operand"):
        row(lambda dx: dx * k)()
    with pytest.raises(ValueError, match=r"rule 0 \(for x\) uses math, .*\n  Say it with rows of the table"):
        row(lambda dx, x: dx * math.sinh(x))()
    odd = row(lambda dx, x: dx * math.exp(x))()  # here `exp` is a row, too: only when it runs is it seen
    x = tf.constant(0.5)
    try:
        with (
            tf.GradientTape() as outer,
            pytest.raises(TypeError, match=r"row 'odd': a rule makes a Python number .* float\(\)"),
        ):
            outer.watch(x)
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = odd(x)
            tape.gradient(y, x)
    finally:
        odd.withdraw()


def test_a_setting_that_is_missing_is_asked_for() -> None:
    odd = Elementwise("odd", lambda x, alpha: x * alpha, lambda dx, alpha: dx * alpha)
    try:
        with pytest.raises(tf.errors.InvalidArgumentError, match="Settings of odd are given by name"):
            odd(1.0)
        assert float(odd(2.0, alpha=3.0)) == 6.0
    finally:
        odd.withdraw()


def test_a_name_that_is_taken_leaves_nothing_behind() -> None:
    made = row(lambda dx, out: dx * out)()
    with pytest.raises(ValueError, match=r"the table has a row 'odd' already\n.*TABLE\['odd'\]\.withdraw\(\)"):
        row(lambda dx, out: dx * out)()
    made.withdraw()
    row(lambda dx, out: dx * out)().withdraw()


def test_what_a_row_may_name() -> None:
    made = Elementwise(
        "odd", lambda x, axis: x, lambda dx, x, out, x_shape, out_dtype, shapes, axis: dx * exp(x), notes=Notes(tf="math.odd")
    )  # fmt: skip
    assert TABLE["odd"] is made and NAMES["math.odd"] is made and made.module == __name__
    with pytest.raises(ValueError, match=r"tf\.math\.odd is there already"):
        Elementwise("odder", np.exp, lambda dx, out: dx * out, notes=Notes(tf="math.odd"))
    assert "odder" not in TABLE
    made.withdraw()
    assert "odd" not in TABLE and "math.odd" not in NAMES


ROWS = [
    (path.name, number, line)
    for path in sorted(Path(ROOT / "minitape" / "ops").glob("*.py"))
    for block in re.finditer(r"(?s)# fmt: off\n(.*?)# fmt: on", path.read_text(encoding="utf-8"))
    for number, line in enumerate(block[1].splitlines())
]


def test_a_row_is_no_wider_than_code() -> None:
    assert len(ROWS) > 200
    assert [(file, line) for file, _, line in ROWS if len(line) > 120] == []


def test_notes_stand_apart_from_the_mathematics() -> None:
    """On a row of several lines they begin a line of their own."""
    for file, number, line in ROWS:
        if "notes=Notes(" in line and not line.lstrip().startswith("notes="):
            assert re.match(r"\w+ = \w+\(", line), (file, number, line)


def test_the_notes_say_what_they_can() -> None:
    for name, one in TABLE.items():
        assert one.notes.sign != name and one.notes.title != "".join(part.title() for part in name.split("_")), name


def test_names_are_taken_once() -> None:
    assert tf.math.divide is tf.truediv is NAMES["realdiv"]
