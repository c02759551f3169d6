"""NumPy's names for tensors, where NumPy itself is the judge: what TensorFlow 2.21 cannot answer under NumPy 2."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minitape as tf

tnp = tf.experimental.numpy
X = np.linspace(-1.2, 2.4, 6).reshape(2, 3)


@pytest.mark.parametrize(
    "program",
    [
        lambda np: np.exp(3), lambda np: np.sqrt(2), lambda np: np.isinf(X), lambda np: np.around([1.256, -0.5, 1.5], 2),
        lambda np: np.round([0.5, 1.5, 2.5]), lambda np: np.var(X, ddof=1), lambda np: np.std(X, axis=0, ddof=1),
        lambda np: np.average(X, axis=1, weights=[1.0, 2.0, 3.0]), lambda np: np.average(X, weights=X + 3.0), lambda np: np.log10(1000),
        lambda np: np.sum([1, 2], dtype="float32"), lambda np: np.diag(X, -1), lambda np: np.roll(X, 2, axis=1),
        lambda np: np.moveaxis(np.zeros((2, 3, 4, 5)), [0, 2], [3, 0]).shape, lambda np: np.linspace(0, 1, 4, dtype="float32"),
    ],
)  # fmt: skip
def test_as_numpy(program: Any) -> None:
    ours, theirs = program(tnp), program(np)
    if isinstance(theirs, tuple):
        assert tuple(ours) == theirs
        return
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    assert ours.dtype == theirs.dtype and ours.shape == theirs.shape
    np.testing.assert_allclose(ours, theirs, rtol=1e-12)


def test_draws_begin_anew() -> None:
    def drawn() -> list[float]:
        tnp.random.seed(1)
        return [
            float(tnp.random.rand()),
            float(tnp.random.randn(2)[1]),
            int(tnp.random.randint(5)),
            float(tnp.random.uniform(2, 3)),
        ]

    assert drawn() == drawn()


def test_tensors_keep_their_ways() -> None:
    with pytest.raises(NotImplementedError, match=r"tnp\.reshape"):
        tnp.experimental_enable_numpy_behavior()
