"""Short programs against TensorFlow's answers: `tests/expressions.py` says how they are written down."""

from __future__ import annotations

import pytest

import minitape as tf
from tests import expressions
from tools.facts import SUBJECTS

LINES = [(subject, line) for subject in expressions.SUBJECTS for line in expressions.lines(subject)]
FACTS = SUBJECTS.read()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("subject", "line"), LINES, ids=[f"{subject}: {line}" for subject, line in LINES])
def test_as_tensorflow(subject: str, line: str) -> None:
    assert not expressions.differences(expressions.answer(tf, line), FACTS[line])


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (["float32", [1.0, 2.0]], ["float32", [1.0, 2.00001]]),
        (["float32", [1.0]], ["float64", [1.0]]),
        (["float32", [[1.0]]], ["float32", [1.0]]),
        (["int32", 1], ["int32", 2]),
        ("! ValueError", "! TypeError"),
        ({"a": 1}, {"b": 1}),
        ([1, 2], [1]),
    ],
)
def test_a_difference_would_be_found(ours: object, theirs: object) -> None:
    assert expressions.differences(ours, theirs) and not expressions.differences(theirs, theirs)
