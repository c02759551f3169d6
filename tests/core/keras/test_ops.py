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
    # where Keras answers otherwise, and NumPy is the judge
    "vstack": [([A[0], A[1]],), ([A, A],)],
    "rot90": [(A, 2), (A, 3), (A, 0)],
    "isclose": [([1.0, np.inf, -np.inf], [np.inf, np.inf, np.inf]), (A, A + 1e-9)],
    "nanquantile": [([[1.0, np.nan], [np.nan, np.nan]], [0.2, 0.5], 1), ([[1.0, 4.0], [np.nan, 2.0]], 0.3)],
    "prod": [([True, False],), (A, 1)],
    "max": [([True, False],), (N, 0)],
    "arctan2": [(N, N[::-1])],
    "isnan": [(N,)],
    "square": [([True],)],
    "concatenate": [([N, A],)],
    "outer": [(N, A)],
    "dot": [(N, A.T)],
    "take_along_axis": [(A, np.array([0, 4]), None)],
}


@pytest.mark.filterwarnings("ignore:All-NaN slice")  # NumPy's own
@pytest.mark.parametrize("name", AS_NUMPY)
def test_defaults_and_shapes_are_numpys(name):
    for arguments in AS_NUMPY[name]:
        found, wanted = np.asarray(getattr(ops, name)(*arguments)), getattr(np, name)(*arguments)
        np.testing.assert_allclose(found, wanted, rtol=1e-6, equal_nan=True)
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


def test_counts_of_a_histogram_are_numpys():
    counts, edges = ops.histogram(N, 3)
    assert counts.numpy().tolist() == np.histogram(N, 3)[0].tolist()
    np.testing.assert_allclose(edges, np.histogram(N, 3)[1], rtol=1e-6)


def test_the_slope_of_sinc_at_0_is_that_of_its_limit():
    """Keras' is NaN."""
    x = tf.constant([0.0, 0.5])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = ops.sinc(x)
    assert tape.gradient(y, x).numpy()[0] == 0.0


def test_a_size_is_a_tensor_of_int32_as_in_keras():
    assert ops.size(A).dtype == tf.int32 and int(ops.size(A)) == 6


@pytest.mark.parametrize(
    ("mistake", "says"),
    [
        (lambda: ops.slice_update(A, [1], A[1]), r"updates of shape \(3,\) and 1 start index[\s\S]*row\[None\]"),
        (lambda: ops.scatter_update(A, [[0, 0]], [2.0], "mul"), "there are None, 'add', 'max' and 'min'"),
        (lambda: ops.take_along_axis(A, [[0]]), r"indices.shape=\(1, 1\)[\s\S]*axis=-1"),
        (lambda: ops.view_as_complex(A), r"got shape \(2, 3\)[\s\S]*ops.stack\(\[real, imag\], axis=-1\)"),
        (lambda: ops.cross(A, A[:, :1]), r"got 3 and 1, of shapes \(2, 3\) and \(2, 1\)"),
        (lambda: ops.quantile(A, 50), r"lie between 0 and 1. Received q=50"),
        (lambda: ops.quantile(A, 0.5, method="closest"), "expected one of linear, lower"),
        (lambda: ops.qr(S, mode="full"), "Received: mode=full"),
        (lambda: ops.unique([1, 2], size=3), "Leave size out"),
        (lambda: ops.map(5, A), r"ops.map: f must be a function, got 5"),
        (lambda: ops.scan(lambda carry, x: carry + x, 0.0, A[0]), r"return carry, carry"),
        (lambda: ops.map(lambda xs: xs[0], (A, S[:1])), r"got shapes \[\[2, 3\], \[1, 2\]\]"),
        (lambda: ops.switch(0, [3.0], A), "must be a function, got 3.0"),
    ],
)
def test_a_mistake_is_told_with_shapes_and_what_to_write(mistake, says):
    with pytest.raises((ValueError, TypeError, NotImplementedError), match=says):
        mistake()


@pytest.mark.parametrize("name", ["inv", "cholesky", "det", "logdet", "eigh", "qr"])
def test_matrices_that_are_symbols_can_be_solved_for(name):
    x = tf.keras.Input((2, 2))
    found = getattr(ops, name)(x)
    model = tf.keras.Model(x, found)
    wanted = getattr(ops, name)(S[None])
    for ours, theirs in zip(tf.nest.flatten(model(S[None])), tf.nest.flatten(wanted)):
        np.testing.assert_allclose(ours, theirs)


def test_loops_are_followed_by_tapes():
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        last, kept = ops.scan(lambda carry, row: (carry * row, carry), 1.0, x)
        powers = ops.fori_loop(0, 3, lambda i, y: y * x, ops.ones_like(x))
        i, y = ops.while_loop(lambda i, y: i < 2, lambda i, y: (i + 1, y * x), (0, x))
        sums = ops.associative_scan(lambda a, b: a + b, x, reverse=True)
    assert float(last) == 2.0 and kept.numpy().tolist() == [1.0, 1.0]
    assert tape.gradient(last, x).numpy().tolist() == [2.0, 1.0]
    assert tape.gradient(powers, x).numpy().tolist() == [3.0, 12.0]
    assert tape.gradient(y, x).numpy().tolist() == [3.0, 12.0] and int(i) == 2
    assert sums.numpy().tolist() == [3.0, 2.0] and tape.gradient(sums, x).numpy().tolist() == [1.0, 2.0]
    out, tangent = ops.jvp(lambda a, b: a * b, [x, x], [ops.ones_like(x), ops.zeros_like(x)])
    assert out.numpy().tolist() == [1.0, 4.0] and tangent.numpy().tolist() == [1.0, 2.0]


@pytest.mark.parametrize("function", [
    ops.median, lambda x: ops.quantile(x, [0.3, 0.7], axis=1), lambda x: ops.nanmean(ops.where(x > 0.0, x, np.nan)), ops.corrcoef,
    lambda x: ops.correlate(x[0], x[1], "full"), lambda x: ops.cross(x, x[::-1]), lambda x: ops.kron(x, x),
    lambda x: ops.slice_update(x, [0, 1], x[1:, :2]), lambda x: ops.segment_sum(x, [1, 1]), ops.layer_normalization, ops.sinc,
    lambda x: ops.rfft(x)[1], lambda x: ops.norm(x, -1), lambda x: ops.norm(x[0], -2), lambda x: ops.lstsq(ops.transpose(x), x[0]),
    lambda x: ops.cholesky_inverse(x[:, :2]), lambda x: ops.dot_product_attention(*[x[None, :, None]] * 3), lambda x: ops.logaddexp2(x, x * x),
    lambda x: ops.vander(x[0]), ops.trapezoid, ops.cbrt, lambda x: ops.fmax(x, 0.3), lambda x: ops.cdist(x, 2.0 * x),
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
