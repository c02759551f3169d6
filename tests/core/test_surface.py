"""The names under which TensorFlow's programs ask for things, and the operands' names."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

import numpy as np
import pytest

import minitape as tf
from minitape.primitive import TABLE, Primitive

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
        (lambda x: tf.multiply(x), "Missing required positional argument 'y': the operands are x, y"),
        (lambda x: tf.multiply(y=x), "Missing required positional argument 'x'"),
        (lambda x: tf.multiply(x, x, x), r"Too many arguments were given. Expected 2 \(x, y\) but got 3"),
        (lambda x: tf.multiply(x, x=x), "Got multiple values for argument 'x'"),
        (lambda x: tf.exp(y=x), "Got an unexpected keyword argument 'y': the operands are x"),
        (lambda x: tf.exp(x, axis=0), "Got an unexpected keyword argument 'axis'"),
        (lambda x: tf.nn.relu(x=x), "Got an unexpected keyword argument 'x': the operands are features"),
    ],
)
def test_operands_that_do_not_fit_say_which(call: Any, says: str) -> None:
    with pytest.raises(TypeError, match=says):
        call(tf.constant(2.0))


# ---- where it is not TensorFlow's way: rows of docs/differences.md -----------------------------------------------------------


@pytest.mark.parametrize(
    "program",
    [
        lambda: 1.5 * tf.constant([1]),
        lambda: tf.constant([1]) < 1.5,
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
