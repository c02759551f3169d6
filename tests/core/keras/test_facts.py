"""Layers, losses, metrics, optimizers and training against what Keras gives for the same programs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minitape as tf
from tests.core.keras.programs import PROGRAMS, plain
from tools.facts import KERAS

FACTS = KERAS.read()
CLOSE = 1e-6  # relative to the largest number of a tensor: float32, added up in another order


def differences(ours: Any, theirs: Any, where: str = "") -> list[str]:
    """Every number, name or shape in which two results differ."""
    if isinstance(theirs, dict) and isinstance(ours, dict) and ours.keys() == theirs.keys():
        return [each for key in theirs for each in differences(ours[key], theirs[key], f"{where}/{key}")]
    try:
        a, b = np.asarray(ours, float), np.asarray(theirs, float)
    except (TypeError, ValueError):  # names, or a list of several tensors
        if not isinstance(theirs, list) or not isinstance(ours, list) or len(ours) != len(theirs):
            return [] if ours == theirs else [f"{where}: {ours} against {theirs}"]
        return [
            each for i, pair in enumerate(zip(ours, theirs, strict=True)) for each in differences(*pair, f"{where}/{i}")
        ]
    if a.shape != b.shape:
        return [f"{where}: shape {a.shape} against {b.shape}"]
    far = np.abs(a - b) > CLOSE * max(1e-3, float(np.abs(b).max(initial=0.0)))
    return [f"{where}: {a[far]} against {b[far]}"] if far.any() else []


@pytest.mark.parametrize("name", PROGRAMS)
def test_as_keras(name: str) -> None:
    assert not differences(plain(PROGRAMS[name](tf)), FACTS[name])


def test_every_program_has_its_facts() -> None:
    assert set(PROGRAMS) == set(FACTS)
