"""Every entry that is reversed is told, with its numbers, counted independently: by a gradient function of the test's own."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import viz

tf = pytest.importorskip(
    "tensorflow", reason="TensorFlow is not installed: .ci/tensorflow runs these tests where it is"
)
from . import programs  # noqa: E402

# What TensorFlow puts between a variable and an op, or around a custom gradient: the value goes through as it is.
PASSED_ON = {"ReadVariableOp", "Identity"}


class Counted:
    """What TensorFlow itself says of its backward passes: the type of each entry, and the numbers that it gave back."""

    def __init__(self) -> None:
        self.entries: list[str] = []
        self.numbers: list[float] = []

    def __enter__(self) -> Counted:
        from tensorflow.python import pywrap_tfe
        from tensorflow.python.eager import backprop

        self._register, self._plain = pywrap_tfe.TFE_Py_RegisterGradientFunction, backprop._gradient_function

        def counting(name: str, *args: Any) -> Any:
            gives = self._plain(name, *args)
            if name not in PASSED_ON and tf.executing_eagerly():
                self.entries.append(name)
                for one in gives if isinstance(gives, list | tuple) else [gives]:
                    if one is not None and one.dtype.is_floating:
                        self.numbers.append(size(one))
            return gives

        self._register(counting)
        return self

    def __exit__(self, *error: object) -> None:
        self._register(self._plain)


def size(one: Any) -> float:
    array = tf.convert_to_tensor(one).numpy() if isinstance(one, tf.IndexedSlices) else one.numpy()
    return round(float(abs(array.astype("float64")).sum()), 4)


ORDINARY = [
    "cube_to_third_order", "mlp_with_steps", "keras_training_step", "convolution_and_pooling", "attention",
    "persistent_and_stopped", "loops_and_resets",
]  # fmt: skip


@pytest.mark.parametrize("name", ORDINARY)
def test_every_entry_is_told(name: str) -> None:
    tf.keras.utils.set_random_seed(3)
    with Counted() as counted:
        programs.PROGRAMS[name]()
    tf.keras.utils.set_random_seed(3)
    with viz.record(tf) as run:
        programs.PROGRAMS[name]()
    told: dict[tuple[int, Any], str] = {}
    numbers, passes = Counter(), 0
    for record in run.stream.records:
        passes += record.kind == "gradient"
        if record.kind == "contribution":
            told[passes, record.context.cause] = record.context.cause.row.name
            snap = record.numbers[record.part]
            if snap.value is not None:
                numbers[round(abs(snap.value), 4)] += 1
    # An op of which only constants are asked gives back nothing that a tape follows: it is none that is told.
    assert not Counter(told.values()) - Counter(counted.entries)
    missing = Counter(counted.entries) - Counter(told.values())
    assert sum(missing.values()) <= 0.1 * len(counted.entries), missing
    assert not numbers - Counter(counted.numbers)
    assert [one for one in run.scene.steps if one["kind"] == "bare"] == []


@pytest.mark.parametrize("name", programs.PROGRAMS)
def test_every_program_is_drawn(name: str) -> None:
    with viz.record(tf, name) as run:
        programs.PROGRAMS[name]()
    assert [one for one in run.scene.steps if one["kind"] == "bare"] == []
    assert len(run.scene.steps) > 3 and "<svg" in viz.graph(run).svg
    text = run.stream.to_json()
    assert viz.Stream.from_json(text).to_json() == text
