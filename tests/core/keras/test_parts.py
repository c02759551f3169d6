"""Every layer, loss, metric, optimizer and schedule, and whole programs, against what Keras gives for them."""

from __future__ import annotations

import pytest

import minitape as tf
from tests.core.keras.parts import mark, unlike
from tests.core.keras.whole import PROGRAMS, marks
from tools import facts

FACTS = facts.PARTS.read()


@pytest.mark.parametrize("name", PROGRAMS)
def test_as_keras(name: str) -> None:
    differences = unlike(marks(tf, name), FACTS[name], 1e-6 if name.endswith("float32") else 1e-12)
    assert not differences, "\n".join(differences)


def test_every_part_has_its_facts() -> None:
    assert list(FACTS) == list(PROGRAMS)


def test_a_mark_sees_a_number_that_is_wrong() -> None:
    right = [[0.1, 0.2, 0.3], [1.0, 2.0, 3.0]]
    for row in range(2):
        for column in range(3):
            wrong = [list(each) for each in right]
            wrong[row][column] *= 1 + 1e-3
            assert unlike(mark(wrong), mark(right), 1e-6)
    assert unlike(mark([1.0, 2.0]), mark([2.0, 1.0]), 1e-6) and not unlike(mark(right), mark(right), 1e-12)
