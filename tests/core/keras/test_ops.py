"""`tf.keras.ops`: NumPy's functions with NumPy's defaults, in the dtypes of Keras."""

from __future__ import annotations

import numpy as np
import pytest

import minitape as tf
from minitape.testing import check_gradients

ops = tf.keras.ops
A = np.array([[1.0, -2.0, 0.5], [4.0, 0.25, -1.0]], np.float32)
S = np.array([[2.0, 0.5], [0.5, 1.0]], np.float32)
N = np.array([[3, 1, 2], [6, 5, 4]], np.int32)

AS_NUMPY = {
    "cumsum": [(A,), (A, 1)],
    "cumprod": [(A,), (A, 0)],
    "sort": [(A,), (A, None)],
    "argsort": [(A,), (A, None)],
    "argmax": [(A,), (A, 1)],
    "diag": [(A,), (A, 1), (A[0], -1), (A, 7)],
    "trace": [(S,), (A, 1), (np.stack([S, 2 * S, 3 * S]),)],
    "eye": [(3,), (2, 3), (3, 3, 1)],
    "linspace": [(0, 1, 5), (0.0, 1.0), (2.0, 3.0, 4, False)],
    "expand_dims": [(A, 1), (A, (0, 2)), (A, (0, -1))],
    "tile": [(A, 2), (A, (2, 1, 1))],
    "round": [(A,), (A / 3.0, 1)],
    "any": [(A,), ([0.0, 0.0],)],
    "all": [(A,), ([1.0, 0.0],)],
    "count_nonzero": [(A,), (A, 1)],
    "sum": [(A,), ([True, False, True],)],
    "divide": [(A, 2), (N, N), (N, 2)],
    "maximum": [(N, 2.5), (2, 2.5), (N, 2)],
    "subtract": [(N, 1.5), (1, A)],
    "floor": [(A,)],
    "logical_and": [(A, [1, 0, 1]), ([True], [1])],
    "logical_xor": [([1, 0], [True, True])],
}


@pytest.mark.parametrize("name", AS_NUMPY)
def test_defaults_and_shapes_are_numpys(name):
    for arguments in AS_NUMPY[name]:
        found, wanted = np.asarray(getattr(ops, name)(*arguments)), getattr(np, name)(*arguments)
        np.testing.assert_allclose(found, wanted, rtol=1e-6)
        kind = {"f": "float32", "i": "int32", "b": "bool"}[np.asarray(wanted).dtype.kind]
        assert found.shape == np.shape(wanted) and found.dtype == kind, arguments


def test_arguments_by_name_are_numpys():
    assert ops.argmax(A, axis=1, keepdims=True).shape == (2, 1) and ops.argmin(A, keepdims=True).shape == (1, 1)
    assert float(ops.max(A, initial=9.0)) == 9.0 and ops.min(A, axis=0, initial=-1.5).numpy().tolist() == [
        -1.5,
        -2.0,
        -1.5,
    ]
    assert [place.numpy().tolist() for place in ops.where(A < 0.0)] == [[0, 1], [1, 2]]
    assert ops.linspace(0, 1, 3, dtype="float64").numpy().tolist() == [0.0, 0.5, 1.0]


def test_a_norm_with_an_order_is_that_of_a_matrix():
    for order in (None, 1, 2, np.inf, "fro", "nuc"):
        np.testing.assert_allclose(ops.norm(A, order), np.linalg.norm(A, order), rtol=1e-5)
        assert ops.norm(A, order, keepdims=True).shape == (1, 1)
    np.testing.assert_allclose(ops.norm(A, 1, axis=1), np.linalg.norm(A, 1, axis=1))


def test_probabilities_of_no_axis_are_those_of_all_numbers():
    assert float(ops.sum(ops.softmax(A, axis=None))) == pytest.approx(1.0)
    np.testing.assert_allclose(ops.exp(ops.log_softmax(A, axis=None)), ops.softmax(A, axis=None), rtol=1e-6)


def test_gelu_is_near_the_exact_one_as_in_keras():
    """Of `tf.nn.gelu` and `tf.keras.activations.gelu` the exact one is meant, of `tf.keras.ops.gelu` the other."""
    assert float(ops.gelu(1.0)) == pytest.approx(0.841192, abs=1e-6)
    assert float(tf.keras.activations.gelu(1.0)) == pytest.approx(0.841345, abs=1e-6)


@pytest.mark.parametrize("function", [
    ops.cumsum, ops.trace, ops.diag, lambda x: ops.diag(x[0], 1), lambda x: ops.norm(x, "nuc"), ops.tanh_shrink, ops.squareplus,
    lambda x: ops.sort(x, None) ** 2.0, lambda x: ops.softmax(x, None), ops.sparsemax, ops.sparse_plus, ops.soft_shrink,
    lambda x: ops.celu(x, 2.0), lambda x: ops.glu(x, 0), ops.hard_shrink, lambda x: ops.threshold(x, 0.3, -1.0),
])  # fmt: skip
def test_they_are_differentiated(function):
    check_gradients(function, [tf.constant(A * 1.1, tf.float64)])


def test_a_model_is_made_of_them():
    x = tf.keras.Input((4,))
    model = tf.keras.Model(x, ops.glu(ops.squareplus(x)) * ops.linspace(0.0, 1.0, 2))
    assert model(tf.zeros([3, 4])).shape == (3, 2)
