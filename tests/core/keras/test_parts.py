"""Every layer, loss, metric, optimizer and schedule, and whole programs, against what Keras gives for them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import minitape as tf
from tests.core.keras.parts import ONLY_FLOAT32, PARTS, mark, unlike
from tests.core.keras.whole import WHOLE

FACTS = json.loads((Path(__file__).parents[2] / "data" / "keras-parts.json").read_text(encoding="utf-8"))
ALL = {**PARTS, **WHOLE}
NAMES = [
    f"{name}, {dtype}"
    for name in ALL
    for dtype in ("float32", "float64")
    if dtype == "float32" or name not in {*ONLY_FLOAT32, *WHOLE}
]


@pytest.mark.parametrize("name", NAMES)
def test_as_keras(name: str) -> None:
    part, _, dtype = name.rpartition(", ")
    tf.keras.utils.clear_session()
    differences = unlike(mark(ALL[part](tf, dtype)), FACTS[name], 1e-6 if dtype == "float32" else 1e-12)
    assert not differences, "\n".join(differences)


def test_every_part_has_its_facts() -> None:
    assert set(NAMES) == set(FACTS) - {"_meta"}


def test_a_mark_sees_a_number_that_is_wrong() -> None:
    right = [[0.1, 0.2, 0.3], [1.0, 2.0, 3.0]]
    for row in range(2):
        for column in range(3):
            wrong = [list(each) for each in right]
            wrong[row][column] *= 1 + 1e-3
            assert unlike(mark(wrong), mark(right), 1e-6)
    assert unlike(mark([1.0, 2.0]), mark([2.0, 1.0]), 1e-6) and not unlike(mark(right), mark(right), 1e-12)
