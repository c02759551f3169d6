"""The names under which TensorFlow's programs ask for things, and the operands' names."""

from __future__ import annotations

import re
from operator import attrgetter
from typing import Any

import numpy as np
import pytest

import minitape as tf
from minitape.primitive import TABLE, Primitive
from tests.support import said

# What TensorFlow's guides on differentiation, variables, tensors, modules and training, and the programs around them, use.
NAMES = [
    "Module", "Tensor", "TensorShape", "TensorSpec", "UnconnectedGradients", "Variable", "GradientTape", "IndexedSlices",
    "abs", "acos", "acosh", "add", "add_n", "argmax", "argmin", "argsort", "as_dtype", "asin", "asinh", "atan", "atan2",
    "atanh", "bitcast", "boolean_mask", "broadcast_to", "case", "cast", "clip_by_global_norm", "clip_by_norm",
    "clip_by_value", "complex", "concat", "cond", "constant", "convert_to_tensor", "cos", "cosh", "cumsum",
    "custom_gradient", "device", "divide", "einsum", "ensure_shape", "equal", "exp", "expand_dims", "expm1", "eye", "fill",
    "floor", "floordiv", "foldl", "foldr", "function", "gather", "gather_nd", "get_static_value", "grad_pass_through",
    "greater", "greater_equal", "identity", "identity_n", "is_tensor", "less", "less_equal", "linspace", "logical_and",
    "logical_not", "logical_or", "map_fn", "matmul", "maximum", "meshgrid", "minimum", "multiply", "name_scope", "negative",
    "norm", "not_equal", "one_hot", "ones", "ones_like", "pad", "pow", "print", "range", "rank", "recompute_grad",
    "reduce_all", "reduce_any", "reduce_logsumexp", "reduce_max", "reduce_mean", "reduce_min", "reduce_prod", "reduce_sum",
    "repeat", "reshape", "reverse", "roll", "round", "scan", "scatter_nd", "searchsorted", "shape", "sigmoid", "sign",
    "sin", "sinh", "size", "slice", "sort", "split", "sqrt", "square", "squeeze", "stack", "stop_gradient", "strided_slice",
    "subtract", "switch_case", "tan", "tanh", "tensor_scatter_nd_add", "tensor_scatter_nd_update", "tensordot", "tile",
    "transpose", "truediv", "unique", "unstack", "vectorized_map", "where", "while_loop", "zeros", "zeros_like",
    "autodiff.ForwardAccumulator", "autodiff.GradientTape", "bitwise.bitwise_and", "bitwise.left_shift",
    "config.functions_run_eagerly", "config.run_functions_eagerly", "errors.InvalidArgumentError", "image.adjust_contrast",
    "linalg.cholesky", "linalg.det", "linalg.diag", "linalg.diag_part", "linalg.eigh", "linalg.eigvalsh", "linalg.expm",
    "linalg.global_norm", "linalg.inv", "linalg.lstsq", "linalg.matmul", "linalg.matvec", "linalg.norm", "linalg.pinv",
    "linalg.qr", "linalg.slogdet", "linalg.solve", "linalg.svd", "linalg.tensor_diag", "linalg.tensor_diag_part",
    "linalg.trace", "linalg.triangular_solve", "math.add", "math.argmax", "math.conj", "math.cumprod", "math.digamma",
    "math.divide_no_nan", "math.erf", "math.erfinv", "math.imag", "math.is_nan", "math.l2_normalize", "math.lgamma",
    "math.log", "math.log1p", "math.log_sigmoid", "math.multiply", "math.polygamma", "math.real", "math.reciprocal",
    "math.reduce_std", "math.reduce_sum", "math.reduce_variance", "math.rsqrt", "math.segment_sum", "math.sin",
    "math.square", "math.squared_difference", "math.top_k", "math.unsorted_segment_sum", "math.xlogy", "nest.flatten",
    "nest.map_structure", "nest.pack_sequence_as", "nn.avg_pool", "nn.batch_normalization", "nn.bias_add", "nn.conv1d",
    "nn.conv2d", "nn.conv2d_transpose", "nn.depthwise_conv2d", "nn.dropout", "nn.elu", "nn.embedding_lookup", "nn.gelu",
    "nn.l2_loss", "nn.l2_normalize", "nn.leaky_relu", "nn.log_softmax", "nn.max_pool", "nn.max_pool1d", "nn.moments",
    "nn.relu", "nn.relu6", "nn.selu", "nn.sigmoid", "nn.sigmoid_cross_entropy_with_logits", "nn.silu", "nn.softmax",
    "nn.softmax_cross_entropy_with_logits", "nn.softplus", "nn.sparse_softmax_cross_entropy_with_logits", "nn.tanh",
    "random.Generator", "random.categorical", "random.normal", "random.set_seed", "random.shuffle",
    "random.stateless_normal", "random.stateless_uniform", "random.truncated_normal", "random.uniform",
    "raw_ops.PreventGradient", "signal.fft", "signal.ifft", "signal.irfft", "signal.rfft", "test.compute_gradient", "bool",
    "complex64", "complex128", "float16", "float32", "float64", "int8", "int16", "int32", "int64", "string", "uint8",
    "keras.Model", "keras.Sequential", "keras.layers.BatchNormalization", "keras.layers.Dense", "keras.layers.Dropout",
    "keras.layers.Flatten", "keras.layers.Lambda", "keras.layers.Layer", "keras.losses.CategoricalCrossentropy",
    "keras.losses.MeanSquaredError", "keras.losses.SparseCategoricalCrossentropy", "keras.metrics.Mean",
    "keras.optimizers.Adam", "keras.optimizers.SGD",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_documented_name_is_there(name: str) -> None:
    found = attrgetter(name)(tf)
    assert callable(found) or isinstance(found, tf.DType)


# ---- operands by keyword ---------------------------------------------------------------------------------------------------

SPACES = {"": tf, "math.": tf.math, "nn.": tf.nn, "linalg.": tf.linalg, "bitwise.": tf.bitwise}
ROWS = {
    space + name: row
    for space, module in SPACES.items()
    for name, row in vars(module).items()
    if isinstance(row, Primitive) and name in module.__all__
}
# TensorFlow's names for the operands, where they are not x, or x and y.
CALLED = {
    "atan2": ("y", "x"), "math.atan2": ("y", "x"), "math.polygamma": ("a", "x"), "stop_gradient": ("input",),
    "math.real": ("input",), "math.imag": ("input",),
    **dict.fromkeys(["nn.elu", "nn.relu", "nn.relu6", "nn.selu", "nn.softplus", "nn.softsign", "math.softplus", "math.softsign"], ("features",)),
}  # fmt: skip
ONE_AND_TWO = {"b": [[True, False], [True, True]], "i": [[5, 6], [2, 3]], "f": [[0.3, 0.5], [0.2, 0.7]]}


def operands(row: Primitive) -> list[Any]:
    """Numbers that the row takes."""
    kind = next(one for one in ("f", "i", "b") if one in row.kinds)
    return [tf.constant(one) for one in ONE_AND_TWO[kind][: len(row.called)]]


@pytest.mark.parametrize("name", ROWS)
def test_operands_have_the_documented_names(name: str) -> None:
    row = ROWS[name]
    assert row.called == CALLED.get(name, ("x", "y")[: len(row.arguments)])
    given = operands(row)
    expected = np.asarray(row(*given))
    named = dict(reversed(list(zip(row.called, given, strict=True))))
    np.testing.assert_array_equal(row(**named, name="a"), expected)
    first, *others = row.called
    np.testing.assert_array_equal(row(given[0], **{one: named[one] for one in others}), expected)
    np.testing.assert_array_equal(row(*given, "a name, as TensorFlow has it last"), expected)


def test_many_rows_are_public() -> None:
    assert len(ROWS) > 100
    assert {row.name for row in ROWS.values()} <= set(TABLE)


def test_an_operand_by_keyword_is_watched_and_differentiated() -> None:
    x, y = tf.constant(3.0), tf.constant(4.0)
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        z = tf.multiply(y=y, x=tf.square(x=x))
    assert [float(one) for one in tape.gradient(z, [x, y])] == [24.0, 9.0]


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda x: tf.multiply(x), "Missing required positional argument 'y'\n  The operands are x, y"),
        (lambda x: tf.multiply(y=x), "Missing required positional argument 'x'"),
        (lambda x: tf.multiply(x, x, x), r"Too many arguments were given. Expected 2 \(x, y\) but got 3"),
        (lambda x: tf.multiply(x, x=x), "Got multiple values for argument 'x'"),
        (lambda x: tf.exp(y=x), "Got an unexpected keyword argument 'y'\n  The operands are x"),
        (lambda x: tf.exp(x, axis=0), "Got an unexpected keyword argument 'axis'"),
        (lambda x: tf.nn.relu(x=x), "Got an unexpected keyword argument 'x'\n  The operands are features"),
    ],
)
def test_operands_that_do_not_fit_say_which(call: Any, says: str) -> None:
    with pytest.raises(TypeError) as caught:
        call(tf.constant(2.0))
    assert re.search(says, said(caught.value))


def test_a_shape_of_numpys_numbers_is_shown_in_pythons() -> None:
    shape = tf.TensorShape([np.int64(5), None])
    assert (repr(shape), str(shape), repr(shape.as_list())) == ("TensorShape([5, None])", "(5, None)", "[5, None]")


# ---- where it is not TensorFlow's way: rows of docs/differences.md -----------------------------------------------------------


@pytest.mark.parametrize(
    "program",
    [
        lambda: 1.5 * tf.constant([1]),
        lambda: tf.constant([1]) < 1.5,
        lambda: tf.constant([1]) / tf.constant([1.5]),
        lambda: tf.constant([1]) / tf.constant([1], tf.int64),
        lambda: tf.constant([True]) * 2.0,
        lambda: tf.math.confusion_matrix([[0, 1], [1, 1]], [[0, 1], [1, 0]]),
        lambda: np.array([1.5]) + tf.constant([1]),
        lambda: tf.linalg.cholesky([[1.0, 2.0], [2.0, 1.0]]),
        lambda: tf.repeat([1, 2], [-1, 1]),
        lambda: tf.linalg.svd(tf.constant([[1j, 2.0], [3.0, 4.0]])),
        lambda: tf.linalg.qr(tf.constant([[1j, 2.0], [3.0, 4.0]])),
        lambda: tf.linalg.eigh(tf.constant([[1.0, 2j], [-2j, 4.0]])),
    ],
)
def test_what_is_refused_here(program: Any) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError):
        program()


def test_a_list_of_booleans_picks_rows() -> None:
    assert tf.constant([[1, 2], [3, 4]])[[True, False]].numpy().tolist() == [[1, 2]]


def test_the_second_derivative_of_a_product_with_a_zero() -> None:
    x = tf.constant([0.0, 2.0, 3.0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.reduce_prod(x)
        slope = inner.gradient(y, x)
    assert outer.jacobian(slope, x).numpy().tolist() == [[0.0, 3.0, 2.0], [3.0, 0.0, 0.0], [2.0, 0.0, 0.0]]


def test_a_tangent_is_a_tensor() -> None:
    x = tf.constant([1.0, 2.0])
    with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as accumulator:
        spread, summed = tf.scatter_nd([[1], [0]], x, [3]), tf.math.segment_sum(x, [0, 0])
    assert accumulator.jvp(spread).numpy().tolist() == [1.0, 1.0, 0.0]
    assert accumulator.jvp(summed).numpy().tolist() == [2.0]


def test_answers_of_several_tensors_have_names() -> None:
    q, r = factors = tf.linalg.qr([[3.0, 1.0], [4.0, 1.0]])
    assert factors.q is q and factors.r is r
    assert float(tf.linalg.slogdet([[-2.0, 0.0], [0.0, 1.0]]).sign) == -1.0
    assert tf.linalg.slogdet([[-1.0, 0.0], [0.0, 1.0]]).log_abs_determinant.numpy() == 0.0


IMAGES = tf.reshape(tf.range(8.0), [1, 2, 2, 2])


def test_a_batch_normalized_in_one_call() -> None:
    scale, offset = tf.constant([2.0, 3.0]), tf.constant([1.0, -1.0])
    with tf.GradientTape() as tape:
        tape.watch(IMAGES)
        y, mean, variance = tf.compat.v1.nn.fused_batch_norm(IMAGES, scale, offset)
        target = tf.reduce_sum(y * tf.sin(IMAGES))
    assert y.numpy()[0, 0] == pytest.approx(np.array([[-1.683014, -5.024521], [0.105662, -2.341507]]), rel=1e-5)
    assert mean.numpy().tolist() == [3.0, 4.0]
    assert variance.numpy() == pytest.approx([20 / 3, 20 / 3])  # divided by 3, not by 4
    whole = tape.gradient(target, IMAGES).numpy()
    mean, variance = tf.nn.moments(IMAGES, [0, 1, 2])
    with tf.GradientTape() as tape:
        tape.watch(IMAGES)
        mean, variance = tf.nn.moments(IMAGES, [0, 1, 2])
        y = (IMAGES - mean) / tf.sqrt(variance + 0.001) * scale + offset
        target = tf.reduce_sum(y * tf.sin(IMAGES))
    assert whole == pytest.approx(tape.gradient(target, IMAGES).numpy(), rel=1e-4, abs=1e-5)


def test_statistics_that_are_carried_along() -> None:
    ones = tf.ones([2])
    y, mean, variance = tf.compat.v1.nn.fused_batch_norm(IMAGES, ones, ones, ones, 4.0 * ones, is_training=False)
    assert y.numpy()[0, 0, 0] == pytest.approx([0.5, 1.0], abs=1e-3) and mean.numpy().tolist() == [1.0, 1.0]
    y, mean, variance = tf.compat.v1.nn.fused_batch_norm(
        tf.transpose(IMAGES, [0, 3, 1, 2]), ones, ones, ones, ones, data_format="NCHW", exponential_avg_factor=0.5
    )
    assert y.shape == [1, 2, 2, 2] and mean.numpy().tolist() == [2.0, 2.5]
    with pytest.raises(ValueError, match="needs mean and variance"):
        tf.compat.v1.nn.fused_batch_norm(IMAGES, ones, ones, is_training=False)
    with pytest.raises(ValueError, match="rank 4"):
        tf.compat.v1.nn.fused_batch_norm(ones, ones, ones)


def test_a_variance_moves_with_its_mean() -> None:
    x = tf.constant([[1.0, 2.0], [3.0, 5.0]])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            target = tf.reduce_sum(tf.nn.moments(x, [0])[1] ** 2)
        gradient = tape.gradient(target, x)
        total = tf.reduce_sum(gradient)
    assert gradient.numpy().tolist() == [[-2.0, -6.75], [2.0, 6.75]]
    assert outer.gradient(total, x).numpy().tolist() == [[0.0, 0.0], [0.0, 0.0]]


def test_what_is_accepted_though_tensorflow_refuses_it() -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.gather_nd(x, [1]) + tf.gather_nd(x, [1])
    assert tf.convert_to_tensor(tape.gradient(y, x)).numpy().tolist() == [0.0, 2.0]
    assert tf.constant([[1]], shape=[2, 2]).numpy().tolist() == [[1, 1], [1, 1]]
    assert float(tf.switch_case(1, [lambda: 1.0 * x[0], lambda: 1.0 * x[1]])) == 2.0


def test_text_is_no_number() -> None:
    assert tf.constant("a").numpy() == b"a"
    with pytest.raises(TypeError, match="Cannot convert 'a' to a tensor of dtype float32"):
        tf.Variable(1.0).assign("a")
    with pytest.raises(tf.errors.InvalidArgumentError, match="do not name places"):
        tf.one_hot([1.5], 2)


def test_a_variable_whose_shape_contradicts_its_value() -> None:
    with pytest.raises(ValueError, match="the initial value's shape"):
        tf.Variable([1.0, 2.0], shape=[3])


def test_a_jacobian_without_rows_knows_what_it_depends_on() -> None:
    x, other = tf.zeros([0]), tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch([x, other])
        y = x * 2.0
    of_x, of_other = tape.jacobian(y, [x, other])
    assert of_x.shape == [0, 0] and of_other is None


def test_sequences_may_have_their_channels_first() -> None:
    """TensorFlow's CPU refuses this layout; its other devices take it."""
    x, filters = tf.random.normal([2, 5, 3], seed=1), tf.random.normal([2, 3, 4], seed=2)
    first = tf.transpose(x, [0, 2, 1])
    for strides in (1, 2):
        there = tf.nn.conv1d(x, filters, strides, "SAME")
        back = tf.nn.conv1d_transpose(there, filters, [2, 5, 3], strides, "SAME")
        np.testing.assert_array_equal(
            tf.nn.conv1d(first, filters, strides, "SAME", data_format="NCW"), tf.transpose(there, [0, 2, 1])
        )
        np.testing.assert_array_equal(
            tf.nn.conv_transpose(
                tf.transpose(there, [0, 2, 1]), filters, [2, 3, 5], strides, "SAME", data_format="NCW"
            ),
            tf.transpose(back, [0, 2, 1]),
        )


def test_pool_says_what_it_takes() -> None:
    with pytest.raises(ValueError, match="'MAX' or 'AVG', got 'mean'"):
        tf.nn.pool([[[1.0], [2.0]]], [2], "mean")
    with pytest.raises(NotImplementedError, match="has them: take the largest of each patch"):
        tf.nn.pool([[[1.0], [2.0], [3.0]]], [2], "MAX", dilations=[2])


@pytest.mark.parametrize(
    ("dtype", "quotient"), [("uint8", "float32"), ("int16", "float32"), ("int32", "float64"), ("int64", "float64")]
)
def test_whole_numbers_are_divided_as_fractions_of_tensorflows_dtype(dtype: str, quotient: str) -> None:
    pixels = tf.constant([0, 51], dtype)
    for divided in (
        pixels / 255,
        tf.divide(pixels, 255),
        tf.math.divide_no_nan(pixels, tf.constant(255, dtype) + pixels * 0),
    ):
        assert divided.dtype.name == quotient
        np.testing.assert_allclose(divided, [0.0, 0.2], rtol=1e-7)
    assert (51 / tf.constant([51], dtype)).dtype.name == quotient


@pytest.mark.parametrize(("summed", "ops"), [("sum", 1), ("mean", 2), ("sqrt_n", 2)])
def test_a_sum_over_segments_keeps_the_segments_as_they_were_given(summed: str, ops: int) -> None:
    """It was two entries, of which one changed no shape, and what was kept had no name of the program's."""
    rows, target = tf.Variable([[1.0, 2.0], [3.0, 5.0], [7.0, 11.0]]), tf.constant([1, 0, 1])
    with tf.GradientTape() as tape:
        found = getattr(tf.math, f"unsorted_segment_{summed}")(rows, target, 3)
    assert len(tape.entries) == ops
    assert [kept.id for kept in tape.entries[0].saved] == [target.tag.id]
    assert tape.gradient(found, rows).shape == (3, 2)
    assert tf.math.unsorted_segment_sum(tf.ones([2, 2]), [[0, 1], [2, -1]], 3).numpy().tolist() == [1.0, 1.0, 1.0]
    assert tf.math.unsorted_segment_sum(tf.ones([0, 2]), [], 2).numpy().tolist() == [[0.0, 0.0]] * 2


def test_segments_keep_the_dtype_of_their_rows() -> None:
    """Also where there is none; a mean of whole numbers is cut, as in TensorFlow."""
    nothing = tf.constant([], tf.int32)
    assert tf.math.segment_max(nothing, nothing).dtype == tf.int32
    mean = tf.math.segment_mean(tf.constant([1, 2, -3, -4]), [0, 0, 1, 1])
    assert mean.dtype == tf.int32 and mean.numpy().tolist() == [1, -3]


def test_what_has_no_weight_has_no_moments() -> None:
    assert [float(moment) for moment in tf.nn.weighted_moments([1.0, 2.0], [0], [0.0, 0.0])] == [0.0, 0.0]


def test_lengths_that_are_no_whole_numbers_reach_into_the_next_place() -> None:
    assert tf.sequence_mask([1.5, 0.2]).numpy().tolist() == [[True, True], [True, False]]


def test_what_is_not_complex_is_its_own_conjugate() -> None:
    assert tf.transpose([[True, False]], conjugate=True).dtype == tf.bool
    assert tf.linalg.matrix_transpose([[1, 2]], conjugate=True).numpy().tolist() == [[1], [2]]


def test_a_leaky_slope_of_whole_numbers() -> None:
    np.testing.assert_allclose(tf.nn.leaky_relu([-1, 2]), [-0.2, 2.0])


def test_bytes_are_counted_and_not_computed_with_where_tensorflow_refuses() -> None:
    """Labels and pictures of data sets are uint8, where −1 is 255 and 16 ** 2 is 0."""
    labels, predictions = np.array([3, 0, 2, 2], "uint8"), np.array([3, 1, 2, 0])
    table = [[0, 1, 0, 0], [0, 0, 0, 0], [1, 0, 1, 0], [0, 0, 0, 1]]
    assert tf.math.confusion_matrix(labels, predictions).numpy().tolist() == table
    assert tf.math.confusion_matrix(np.array([], "uint8"), []).shape == (0, 0)
    assert tf.keras.ops.bincount(tf.constant(labels)).numpy().tolist() == [1, 0, 2, 1]
    x = tf.constant(np.eye(2, dtype="uint8"))
    for compute in (lambda: -x, lambda: x**2, lambda: x @ x):
        with pytest.raises(tf.errors.InvalidArgumentError, match="Value for attr 'T' of uint8 is not in the list"):
            compute()
