"""Numbers as a picture holds them."""

from __future__ import annotations

import numpy as np

from viz.capture.numbers import snapshot, spelled


def test_a_small_number_is_not_nothing() -> None:
    """In an array too: a gradient that vanishes is 1e−11, and not 0."""
    small = snapshot(np.array([[1.92e-11, -3.456e-7], [0.0, 0.5]]))
    assert small.data == {"shape": [2, 2], "numbers": [[1.92e-11, -3.456e-7], [0.0, 0.5]]}
    assert spelled(small) == "[[1.92e−11, −3.456e−7], [0, 0.5]]"
