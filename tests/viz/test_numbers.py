"""Numbers as a picture holds them."""

from __future__ import annotations

import numpy as np

import minitape as tf
import viz
from viz.capture.numbers import number, snapshot, spelled


def test_a_small_number_is_not_nothing() -> None:
    """In an array too: a gradient that vanishes is 1e−11, and not 0."""
    small = snapshot(np.array([[1.92e-11, -3.456e-7], [0.0, 0.5]]))
    assert small.data == {"shape": [2, 2], "numbers": [[1.92e-11, -3.456e-7], [0.0, 0.5]]}
    assert spelled(small) == "[[1.92e−11, −3.456e−7], [0, 0.5]]"


def test_what_is_no_whole_number_is_not_shown_as_one() -> None:
    """A chance that was clipped at 0.9999999 was shown as 1, and its logarithm of 1 − 1 was −15.94."""
    with viz.record() as run:
        p = tf.clip_by_value(tf.constant([1.0, 0.25]), 1e-7, 1.0 - 1e-7)
        rest = 1.0 - p[0]
        tf.math.log(rest)
    said = [" ".join(term[1] for term in step["formula"]) for step in run.scene.steps if "formula" in step]
    assert said[0] == "[0.9999999, 0.25] = min(max([1, 0.25], 1e−7), 0.9999999)" and said[1].endswith("= 0.9999999"), (
        said
    )
    assert [number(one) for one in (1.0, 3.0, 3.0000002, 123456.7)] == [
        "1",
        "3",
        "3",
        "123457",
    ]  # noise, and six digits


def test_answers_of_yes_and_no_are_told_as_such() -> None:
    """`x > 0` was [1, 0], and a mask "3×3 numbers from 0 to 1"."""
    with viz.record() as run:
        x = tf.constant([2.0, -1.0])
        kept = x > 0.0
        tf.where(kept, x, 0.0)
        tf.linalg.band_part(tf.ones([3, 3]), -1, 0) > 0.0
    told = {step["say"].split(" is ")[0]: step for step in run.scene.steps}
    assert told["kept"]["say"].startswith("kept is [True, False].")
    assert told["kept"]["formula"][0][1] == "[True, False]", told["kept"]
    assert any("is 3×3 booleans, 6 of them True" in say["say"] for say in told.values()), told.keys()


def test_a_number_of_an_array_is_rounded_once() -> None:
    """0.8904503 was 0.89045 in an array, which is 0.8904, and 0.8905 by itself: 0.8905 = reshape([[0.8904]])."""
    for value in (0.8904502987861633, 0.8904497, -2.00015004, 123.45649996, 12345.4999, 0.5, 0.33335):
        array = np.array([value])
        (kept,) = snapshot(array).data["numbers"]
        assert number(kept) == number(value), value
    assert snapshot(np.array([0.123456789])).data["numbers"] == [0.123457]
