"""Every refusal speaks in one voice: what happened, with names and shapes; on which of the learner's lines; what to type next."""

from __future__ import annotations

import ast
import contextlib
import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minitape as tf
import viz
from minitape.keras.callbacks.base import CallbackList
from tests.support import ROOT

ONES, V = tf.ones([2, 3]), tf.Variable([1.0, 2.0], name="v")


class Deaf(tf.keras.callbacks.Callback):
    def on_epoch_end(self, logs: Any) -> None: ...


class Forgetful(tf.keras.Model):
    def __init__(self) -> None:
        self.dense = tf.keras.layers.Dense(1)


class Turned(tf.Module):
    def forward(self, x: Any) -> Any:
        return x


def spent() -> tf.GradientTape:
    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = x * x
    tape.gradient(y, x)
    return tape


def fitted() -> Any:
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", loss="mse")
    return model


def built() -> Any:
    layer = tf.keras.layers.Dense(2)
    layer.build([None, 3])
    return layer


def ruled(rule: Callable[..., Any], value: Callable[[Any], Any] = lambda x: x * 2.0) -> Any:
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.custom_gradient(lambda x: (value(x), rule))(x)
    return tape.gradient(y, x)


# Where a mistake is made in one of the functions above.
HELPED = range(spent.__code__.co_firstlineno, inspect.currentframe().f_lineno)  # type: ignore[union-attr]
# The mistake; its words: what it is about, shapes or values; and of what to type next.
MISTAKES: list[tuple[Callable[[], Any], list[str]]] = [
    # numbers into tensors, and back
    (lambda: tf.constant([[1], [2, 3]]), ["[[1], [2, 3]]", "same number of elements"]),
    (lambda: tf.constant([1.0, 2.0]) == [1, [2, 3]], ["[1, [2, 3]] cannot be a tensor", "Tensors hold numbers"]),
    (lambda: tf.constant(object()), ["object", "nested lists or a NumPy array"]),
    (lambda: tf.constant(1.5, tf.int32), ["1.5", "int32", "tf.cast"]),
    (lambda: tf.constant([1.0, 2.0], shape=[3]), ["2 elements into (3,)", "must fill the shape"]),
    (lambda: tf.convert_to_tensor(tf.constant(1.0), tf.float64), ["float64", "float32", "tf.cast(value, tf.float64)"]),
    (lambda: float(ONES), ["float()", "(2, 3)", "tf.reduce_sum(x)"]),
    (lambda: bool(ONES), ["(2, 3)", "tf.reduce_any", "tf.where(condition, a, b)"]),
    (lambda: len(tf.constant(1.0)), ["()", "tf.size(x)"]),
    (lambda: list(tf.constant(1.0)), ["scalar", "tf.stack"]),
    (lambda: ONES + tf.ones([2]), ["[2, 3] vs. [2]", "Axes meet from the last one on", "x[..., tf.newaxis]"]),
    (lambda: ONES + tf.ones([4]), ["[2, 3] vs. [4]", "print(x.shape)"]),
    (lambda: tf.constant(2) ** -1, ["Integers to negative integer powers", "2.0 instead of 2"]),
    (lambda: tf.reduce_mean(tf.constant([1, 2]) == [1, 3]), ["reduce_mean does not take bool", "tf.cast(x, tf.float32) makes 1 of True"]),
    (lambda: -(ONES > 0.0), ["negative cannot take [2, 3]", "no numbers", "tf.logical_not"]),
    (lambda: tf.random.normal([2], 0.0, "1"), ["'1'", "float32"]),
    (lambda: tf.constant(1.0) + None, ["None", "tape.why(target, source)"]),
    # ops
    (lambda: ONES + tf.ones([2]), ["[2, 3] vs. [2]", "Op:AddV2", "print(x.shape)"]),
    (lambda: tf.constant(3) * 1.5, ["Mul", "int32", "tf.cast(value, tf.float32)"]),
    (lambda: tf.where([True], tf.constant(1), tf.constant(1.5)), ["SelectV2", "tf.cast(value, tf.float32)"]),
    (lambda: tf.constant(1.0) + tf.constant(1.0, tf.float64), ["AddV2", "double", "tf.cast(value, tf.float32)"]),
    (lambda: tf.sqrt(tf.constant(4)), ["Op:Sqrt", "int32", "4.0 instead of 4"]),
    (lambda: tf.matmul(ONES, ONES), ["[2, 3]", "Op:MatMul"]),
    (lambda: tf.matmul(ONES, [1.0, 2.0, 3.0]), ["(2, 3) and (3,)", "tf.linalg.matvec"]),
    (lambda: tf.reshape(ONES, [4]), ["Op:Reshape", "[2, 3]"]),
    (lambda: tf.reduce_sum(ONES, 2), ["2", "2 dimension(s)", "-2 to 1"]),
    (lambda: tf.split(ONES, 2, 1), ["length 3", "2 equal pieces", "tf.split(x, [2, 3])"]),
    (lambda: tf.split(ONES, [1, 1], 1), ["[1, 1]", "length 3", "-1"]),
    (lambda: tf.pad(ONES, [[1, 0]]), ["paddings", "2 axes and 1 pairs", "[[1, 1], [0, 0]]"]),
    (lambda: tf.pad(ONES, [[3, 0], [0, 0]], mode="REFLECT"), ["paddings", "length 2", "mode='CONSTANT'"]),
    (lambda: tf.pad(ONES, [[1, 0], [0, 0]], mode="ROUND"), ["mode", "ROUND", "'REFLECT'"]),
    (lambda: tf.tile(ONES, [2]), ["multiples", "2 axes and 1 numbers", "tf.tile(x, [2, 1])"]),
    (lambda: tf.concat([ONES, tf.ones([2, 3, 1])], 0), ["[2, 3]", "Op:Concat"]),
    (lambda: tf.expand_dims(ONES, 7), ["axis 7", "3 axes", "print(x.shape)"]),
    (lambda: tf.gather([1.0, 2.0], [2]), ["indices = 2", "[0, 2)"]),
    (lambda: tf.gather_nd(ONES, [[0, 0, 0]]), ["length 3", "[2, 3]", "at most 2"]),
    (lambda: tf.gather_nd(ONES, [[0, 5]]), ["[0, 5]", "[2, 3]", "count from 0"]),
    (lambda: ONES["a"], ["'a'"]),
    (lambda: tf.boolean_mask(ONES, [True]), ["boolean_mask", "(1,)", "(2, 3)", "axis=1"]),
    (lambda: tf.slice(ONES, [0, 0], [2, 9]), ["tf.slice", "length 3", "size=-1"]),
    (lambda: tf.where([True], 1.0), ["x and y", "tf.where(c, x, y)"]),
    (lambda: tf.complex(tf.constant(1.0), tf.constant(1.0, tf.float64)), ["float32 float64", "tf.cast(imag, tf.float32)"]),
    (lambda: tf.constant(1) // 0, ["division by zero", "divide_no_nan"]),
    (lambda: tf.sort(ONES, direction="UP"), ["'UP'", "Upwards"]),
    (lambda: tf.math.top_k(ONES, 4), ["k=4", "(2, 3)", "k=3"]),
    (lambda: tf.unique(ONES), ["[2, 3]", "tf.reshape(x, [-1])"]),
    (lambda: tf.searchsorted([1.0, 2.0], [1.0], side="up"), ["up", "equal number"]),
    (lambda: tf.einsum("ij,jk->ik", ONES), ["2 operands, but 1", "tf.einsum('ij,jk->ik', a, b)"]),
    (lambda: tf.einsum("ijk->i", ONES), ["'ijk'", "2 axes", "one letter per axis"]),
    (lambda: tf.einsum("ij->ii", ONES), ["'ii'", "letters of the left"]),
    (lambda: tf.meshgrid([1.0], [2.0], indexing="xz"), ["'xz'", "'ij' rows first"]),
    (lambda: tf.linalg.inv(ONES), ["square", "(2, 3)", "rows and columns"]),
    (lambda: tf.math.segment_sum(ONES, [1, 0]), ["increasing", "unsorted_segment_sum"]),
    (lambda: tf.math.unsorted_segment_max(ONES, [0, 5], 2), ["segment_ids[1] = 5", "[0, 2)", "num_segments"]),
    (lambda: tf.math.segment_sum(ONES, [0]), ["[1]", "(2, 3)", "one id per row"]),
    (lambda: tf.tensor_scatter_nd_update(ONES, [[0]], [[1.0]]), ["(1, 1)", "[2, 3]", "indices.shape[:-1]"]),
    (lambda: tf.tensor_scatter_nd_update(ONES, [[0, 0], [1, 1]], [[7.0, 8.0]]), ["(1, 2)", "[2, 2]", "indices.shape[:-1]"]),
    (lambda: tf.tensor_scatter_nd_max(ONES[0], [0], [1.0]), ["(1,)", "[1]", "indices.shape[:-1]"]),
    (lambda: tf.math.segment_max(ONES, 0), ["vector", "[]", "unsorted_segment_sum"]),
    (lambda: tf.math.segment_sum(ONES, [0.0, 1.0]), ["whole numbers", "tf.cast(segment_ids, tf.int32)"]),
    (lambda: tf.linalg.set_diag(ONES, [1.0]), ["(1,)", "(2, 3)", "[2]"]),
    (lambda: tf.linalg.set_diag(ONES, tf.constant([1, 2])), ["int32 diagonal", "float32 matrix"]),
    (lambda: tf.keras.layers.Conv2DTranspose(1, 2, strides=2, dilation_rate=2), ["strides > 1", "dilation_rate > 1"]),
    (lambda: tf.debugging.assert_rank_at_least(ONES, 3), ["at least 3", "rank 2", "(2, 3)"]),
    (lambda: tf.ensure_shape(ONES, [3, 3]), ["[2, 3]", "[3, 3]", "tf.reshape"]),
    (lambda: tf.math.reduce_variance(tf.constant([1, 2])), ["int32", "fractions"]),
    (lambda: tf.random.uniform([2], dtype=tf.int32), ["maxval=10"]),
    (lambda: tf.random.stateless_normal([2], seed=[1]), ["seed=[1, 2]"]),
    (lambda: tf.nn.dropout(ONES, 1.5), ["rate=1.5", "four of five"]),
    (lambda: tf.nn.sparse_softmax_cross_entropy_with_logits([5], [[1.0, 2.0]]), ["5", "[0, 2)", "0 to 1"]),
    (lambda: tf.nn.sparse_softmax_cross_entropy_with_logits([1.0], [[1.0, 2.0]]), ["float32", "tf.cast(labels, tf.int32)"]),
    (lambda: tf.nn.softmax_cross_entropy_with_logits(tf.ones([2, 2]), ONES), ["logits_size=[2, 3]", "[2, 2]", "tf.one_hot"]),
    (lambda: tf.nn.softmax_cross_entropy_with_logits([0, 1, 2], ONES), ["class numbers", "labels_size=[3]", "tf.one_hot"]),
    (lambda: tf.math.confusion_matrix([0, 1], [0, 2], 2), ["`predictions`", "2", "0 to 1", "num_classes"]),
    (lambda: tf.math.confusion_matrix([0, 1], tf.eye(2)), ["[2]", "[2, 2]", "tf.argmax"]),
    (lambda: tf.constant(1e50), ["1e+50", "float32", "dtype=tf.float64"]),
    (lambda: tf.gather(ONES, [[0]], batch_dims=1), ["batch_dims=1", "[2, 3]", "[1, 1]"]),
    (lambda: tf.constant(1.0)[0], ["scalar", "Op:StridedSlice"]),
    (lambda: tf.complex(1.0, 2.0) > tf.complex(1.0, 2.0), ["complex64", "tf.abs(x)"]),
    (lambda: tf.signal.fft([1.0, 2.0]), ["Op:FFT", "tf.cast(x, tf.complex64)"]),
    (lambda: tf.nn.conv2d(tf.ones([1, 2, 2, 1]), tf.ones([3, 3, 2, 1]), 1, "SAME"), ["1 channels", "[3, 3, 2, 1]", "[3, 3, 1, 8]"]),
    (
        lambda: tf.nn.conv2d_transpose(tf.ones([1, 5, 5, 1]), tf.ones([3, 3, 1, 1]), [1, 3, 3, 1], 2),
        ["[1, 3, 3, 1]", "[1, 2, 2]", "[1, 5, 5]", "strides"],
    ),
    (
        lambda: tf.nn.conv2d_transpose(tf.ones([1, 5, 5, 1]), tf.ones([3, 3, 2, 1]), [1, 10, 10, 1], 2),
        ["1 channels", "lead to 2"],
    ),
    (lambda: tf.nn.conv2d(ONES, tf.ones([1, 1, 1, 1]), 1, "SAME"), ["4 axes", "(2, 3)", "x[tf.newaxis]"]),
    (lambda: tf.nn.conv2d(tf.ones([1, 2, 2, 1]), tf.ones([3, 3, 1, 1]), 1, "VALID"), ["reaches over 3", "padding='SAME'"]),
    # control flow, structures, specs
    (lambda: tf.case([(tf.constant(False), lambda: ONES)]), ["tf.case", "default=lambda: ..."]),
    (lambda: tf.map_fn(lambda x: x > 0.0, ONES), ["tf.map_fn", "bool", "float32", "fn_output_signature=tf.bool"]),
    (lambda: tf.map_fn(lambda x: (x, x), ONES), ["2 values", "has 1", "fn_output_signature=(tf.float32, tf.float32)"]),
    (lambda: tf.map_fn(lambda n: tf.ones([n]), tf.constant([1, 2]), tf.float32), ["tf.map_fn", "(2,)", "(1,)"]),
    (lambda: tf.scan(lambda total, x: total[0], ONES), ["tf.scan", "()", "(3,)"]),
    (lambda: tf.scan(lambda total, x: total, tf.ones([0, 3])), ["tf.scan", "no elements", "initializer"]),
    (lambda: tf.switch_case(tf.constant(1.0), [lambda: 1]), ["branch_index", "float32", "tf.cast(i, tf.int32)"]),
    (lambda: tf.map_fn(lambda x: x[0], (ONES, tf.ones([3]))), ["tf.map_fn", "[2, 3], [3]", "lambda x: x * w"]),
    (lambda: tf.function(lambda x: x, input_signature=[tf.TensorSpec([2])])(tf.ones([3])), ["tf.function", "(2,)", "(3,)"]),
    # variables
    (lambda: tf.Variable(), ["initial_value", "tf.Variable(0.0)"]),
    (lambda: V.assign([1.0, 2.0, 3.0]), ["v:0", "(2,)", "(3,)", "tf.TensorShape(None)"]),
    (lambda: V.assign_add([1.0, 2.0, 3.0]), ["(2,)", "[3]", "assign()"]),
    (lambda: V.assign(tf.constant([1, 2])), ["v:0", "float32", "int32", "tf.cast(value, tf.float32)"]),
    (lambda: V.__iadd__(ONES * 2.0), ["`variable += value`", "V.assign", "out = "]),
    (lambda: V.__setitem__(0, 1.0), ["item assignment", "v[0].assign(value)"]),
    # habits of other libraries
    (lambda: tf.zeros(3, 4), ["Cannot convert 4", "tf.zeros([3, 4])"]),
    (lambda: tf.random.normal(3, 2), ["got shape []", "one list", "of one number: [3]"]),
    (lambda: tf.tensordot(ONES, ONES, 1), ["In[0]: [2,3], In[1]: [2,3]", "[Op:MatMul]", "(m, n) @ (n, p)"]),
    (lambda: tf.eye((2, 2)), ["must be positive integer", "(2, 2)", "tf.eye(2, 3)"]),
    (lambda: ONES[tf.constant(1.0)], ["Only integers, slices", "float32", "tf.cast(i, tf.int32)"]),
    (lambda: f"{ONES:.2f}", ["unsupported format string", "np.round(x.numpy(), 3)", "all 6"]),
    (lambda: tf.linalg.cholesky_solve(tf.eye(2), tf.ones([2])), ["one column per system", "b[:, tf.newaxis]"]),
    (lambda: tf.tile(tf.ones([2]), 2), ["1-D", "tf.tile(x, [2])"]),
    (lambda: tf.broadcast_to(1.0, 3), ["got shape []", "tf.broadcast_to(x, [3])"]),
    (lambda: tf.reshape(ONES, 3, 2), ["requested shape has 3", "tf.reshape(x, [3, 2])"]),
    (lambda: tf.stack(tf.constant([1.0]), tf.constant([2.0])), ["`axis` = [2.]", "tf.stack([a, b])"]),
    (lambda: (V * 2.0).assign_sub([1.0, 1.0]), ["'assign_sub'", "v = v - step", "takes the variable's name"]),
    (lambda: tf.keras.optimizers.SGD(0.1).apply_gradients([ONES], [V]), ["2 arguments", "zip(gradients, variables)"]),
    (lambda: tf.keras.optimizers.SGD(0.1).minimize(ONES, [V]), ["'minimize'", "tape.gradient(loss, variables)"]),
    (lambda: tf.GradientTape(persistent=True).gradient(np.float32(4.0), ONES), ["float32 4.0", "tf.sin(x)"]),
    (lambda: ONES.mean(), ["'mean'", "tf.reduce_mean(x)"]),
    (lambda: V.astype("float64"), ["'Variable'", "tf.cast(x, dtype)"]),
    (lambda: ONES.backward(), ["'backward'", "tape.gradient(loss, x)"]),
    (lambda: tf.squeeze(ONES, 0), ["dim[0]", "[2, 3]", "x[0]"]),
    (lambda: tf.linalg.cross(ONES, tf.ones([4])), ["[2, 3]", "[4]", "length 3"]),
    (lambda: tf.repeat(ONES, [1, 2, 3], axis=0), ["3 counts", "length 2", "one for each"]),
    (lambda: tf.random.categorical(tf.ones([4]), 1), ["[4]", "logits[tf.newaxis]"]),
    (lambda: tf.random.uniform([2], 5, 1, tf.int32), ["5 >= 1", "not including"]),
    (lambda: tf.linalg.inv(tf.zeros([2, 2])), ["inverse", "[2, 2]", "Singular", "no row follows"]),
    # tapes and accumulators
    (lambda: tf.GradientTape().watch(tf.constant(1.0)), ["does not listen yet", "`with` block"]),
    (lambda: tf.GradientTape().gradient(ONES, ONES), ["never entered", "`with tape:`"]),
    (lambda: spent().gradient(ONES, ONES), ["answered already", "persistent=True"]),
    (lambda: tf.GradientTape().stop_recording().__enter__(), ["not recording", "indent this line"]),
    (lambda: tf.GradientTape(persistent=True).gradient(9.0, ONES), ["9.0", "float", "tf.constant"]),
    (lambda: tf.GradientTape(persistent=True).gradient(None, ONES), ["None", "tape.why(target, source)"]),
    (lambda: tf.GradientTape(persistent=True).gradient(ONES, ONES, [None, None]), ["1 targets and 2 seeds", "Write None"]),
    (lambda: tf.GradientTape().gradient(ONES, ONES, unconnected_gradients="nought"), ["'nought'", "'zero'"]),
    (lambda: tf.GradientTape(persistent=True).gradient(ONES, source=V), ["'source'", "Did you mean 'sources'?", "target=Tensor"]),
    (lambda: tf.GradientTape(persistent=True).gradient(ONES), ["missing 1", "'sources'", "target=Tensor", "gradient(target, sources"]),
    (lambda: tf.GradientTape(persistent=True).gradient(), ["missing 1 required positional argument: 'target'", "nothing"]),
    (lambda: tf.GradientTape(persistent=True).gradient(ONES, built()), ["Dense", "model.trainable_variables"]),
    (lambda: tf.autodiff.ForwardAccumulator(ONES), ["missing 1", "'tangents'", "ForwardAccumulator(primals, tangents)"]),
    (lambda: tf.autodiff.ForwardAccumulator(ONES, tangent=ONES), ["'tangent'", "Did you mean 'tangents'?"]),
    (lambda: tf.reduce_sum(), ["missing 1", "'input_tensor'", "reduce_sum(input_tensor, axis=None"]),
    (lambda: tf.nn.softmax(ONES, dim=1), ["'dim'", "Did you mean 'axis'?", "It is written tf.nn.softmax(logits, axis=-1"]),
    (lambda: tf.autodiff.ForwardAccumulator(2.0, 1.0), ["2.0", "tf.constant"]),
    (lambda: tf.autodiff.ForwardAccumulator(ONES, tf.ones([2])), ["(2,)", "(2, 3)", "tf.ones_like(x)"]),
    (lambda: tf.autodiff.ForwardAccumulator([ONES, ONES], [ONES, ONES]), ["multiple times", "sum the corresponding tangents"]),
    (lambda: tf.autodiff.ForwardAccumulator(ONES, ONES).jvp(3.0), ["3.0", "ask for the tensor"]),
    # rules of the learner's own
    (lambda: tf.custom_gradient(lambda x: x * 2.0)(ONES), ["Tensor", "return y, grad"]),
    (lambda: tf.custom_gradient(lambda x: (x * V, lambda dy: dy))(tf.ones([2])), ["v:0", "def grad(*upstream, variables=None)"]),
    (lambda: ruled(lambda dy: (dy, dy)), ["1 gradients, but returned 2"]),
    (lambda: ruled(lambda dy: tf.constant(2.0)), ["()", "[2]", "its input's shape"]),
    (lambda: ruled(lambda: 1.0), ["1 output", "0 positional", "def grad(upstream)"]),
    (lambda: tf.recompute_grad(tf.sin, determinism="maybe"), ["'maybe'"]),
    # Keras
    (lambda: fitted().fit(np.ones([2, 1]), np.ones([3, 1]), verbose=0), ["2", "3", "print(x.shape, y.shape)"]),
    (lambda: tf.keras.Sequential([tf.keras.layers.Dense(1)]).fit(ONES, ONES), ["compile()", 'loss="mse"']),
    (lambda: tf.keras.Sequential([tf.sin]), ["Sequential", "tf.keras.layers.Lambda"]),
    (lambda: built()(tf.ones([1, 4])), ["(1, 4)", "value 3", "shape that you call it with"]),
    (lambda: built().set_weights([np.ones([3, 2])]), ["length 1", "2 weights"]),
    (lambda: tf.keras.layers.Dense(0), ["units=0", "Dense(4)"]),
    (lambda: tf.keras.layers.Dropout(2.0), ["rate=2.0", "Dropout(0.2)"]),
    (lambda: tf.keras.layers.Dense(1, activation="rule"), ["rule", "relu"]),
    (lambda: tf.keras.optimizers.SGD().apply_gradients([(None, V)]), ["No gradients", "tape.why(loss, variable)"]),
    (lambda: tf.keras.layers.Flatten(ONES), ["Flatten makes a layer", "(2, 3)", "layer(x)"]),
    (lambda: tf.keras.layers.Dropout(ONES), ["Dropout makes a layer", "layer(x)"]),
    (lambda: tf.keras.layers.Dense(2).kernel, ["'kernel'", "layer.build((None, 3))"]),
    (lambda: tf.keras.layers.Conv2D(2, 3)(tf.ones([1, 8, 8])), ["(1, 8, 8)", "x[..., tf.newaxis]"]),
    (lambda: tf.keras.optimizers.get("sgdd"), ["sgdd", "adamw, ", "rmsprop"]),
    (lambda: tf.GradientTape().gradient(ONES, "w"), ["'w'", "without quotation marks"]),
    (lambda: tf.GradientTape().jacobian([ONES, ONES], V), ["of type list", "tf.stack"]),
    (lambda: V.assign(None), ["None", "tape.why(target, source)"]),
    (lambda: ONES.append(1.0), ["'append'", "tf.stack(parts)"]),
    (lambda: tf.keras.optimizers.Adam("0.1"), ["learning_rate", "'0.1'", "Adam(0.01)"]),
    (lambda: tf.keras.optimizers.SGD("fast"), ["learning_rate", "'fast'", "SGD(0.01)"]),
    (lambda: tf.keras.optimizers.SGD(0.1).apply_gradients([V]), ["pairs", "Variable", "zip(gradients, variables)"]),
    (lambda: tf.keras.optimizers.SGD(0.1).apply_gradients([(tf.ones([3]), V)]), ["(3,)", "v:0", "(2,)", "same order"]),
    (lambda: tf.keras.layers.Dense(2)(tf.constant(1.0)), ["'dense", "min_ndim=2", "x[tf.newaxis, :]"]),
    (lambda: tf.keras.optimizers.get("adamant"), ["adamant", "SGD(0.1)"]),
    (lambda: tf.keras.layers.LSTM(4)(ONES), ["expected ndim=3, found ndim=2", "(2, 3)", "x[tf.newaxis]"]),
    (lambda: tf.keras.Sequential(tf.keras.layers.Dense(1), tf.keras.layers.Dense(1)), ["one list", "([first, second])"]),
    (lambda: tf.keras.optimizers.Adam(lr=0.1), ["'lr'", "learning_rate"]),
    (lambda: Forgetful()(ONES), ["Forgetful", "you forgot to call `super().__init__()`", "Write it there"]),
    (lambda: tf.constant([1.0, "a"]), ["mixed types", "[1.0, 'a']", "float(text)"]),
    (lambda: tf.keras.losses.BinaryCrossentropy()(ONES, tf.ones([2, 1])), ["(2, 3)", "(2, 1)", "as many units"]),
    (lambda: tf.keras.losses.CategoricalCrossentropy()(tf.constant([0, 1]), ONES), ["(2,)", "(2, 3)", "sparse_categorical"]),
    (
        lambda: tf.keras.losses.SparseCategoricalCrossentropy()(tf.constant([0, 7]), ONES),
        ["7", "[0, 3)", "0 to 2", "ignore_class"],
    ),
    (lambda: tf.keras.layers.Conv2D(1, 5)(tf.ones([1, 3, 3, 1])), ["reaches over 5", "axis of 3", "padding='same'"]),
    (lambda: tf.keras.losses.get("mean"), ["mean", "y_true, y_pred"]),
    (lambda: tf.GradientTape(persistant=True), ["'persistant'. Did you mean 'persistent'?", "tf.GradientTape(persistent=False,"]),
    (lambda: tf.GradientTape().gradient(V, V, unconnected_gradient="zero"), ["Did you mean 'unconnected_gradients'?"]),
    (lambda: tf.reduce_sum(ONES, axes=0), ["'axes'. Did you mean 'axis'?", "tf.reduce_sum(input_tensor, axis=None,"]),
    (lambda: tf.reduce_mean(ONES, keepdim=True), ["'keepdim'. Did you mean 'keepdims'?"]),
    (lambda: tf.reduce_max(ONES, dim=0), ["reduce_max", "'dim'. Did you mean 'axis'?"]),
    (lambda: tf.clip_by_value(V, 0.0, max=1.0), ["'max'. Did you mean 'clip_value_max'?"]),
    (lambda: tf.keras.layers.Dense(unit=3), ["missing", "Did you mean 'units' by 'unit'?"]),
    (lambda: tf.keras.layers.Dense(3, activatoin="relu"), ["{'activatoin': 'relu'}. Did you mean 'activation'?"]),
    (lambda: tf.keras.layers.LSTM(3, return_sequence=True), ["passed to LSTM", "Did you mean 'return_sequences'?"]),
    (lambda: tf.keras.Model(input=ONES, output=ONES), ["Did you mean 'inputs'?"]),
    (lambda: tf.keras.optimizers.SGD(learnin_rate=0.1), ["{'learnin_rate': 0.1}. Did you mean 'learning_rate'?"]),
    (lambda: tf.keras.losses.Huber(dleta=0.1), ["Did you mean 'delta'?", "Huber(delta=1.0, reduction="]),
    (lambda: tf.keras.layers.Dropout(0.5)(ONES, trainning=True), ["Did you mean 'training'?"]),
    (lambda: tf.nn.conv2d(tf.ones([1, 4, 4, 1]), tf.ones([2, 2, 1, 1]), 1, "same"), ["of 'same' is not in", "Write 'SAME'"]),
    (lambda: tf.nn.max_pool2d(tf.ones([1, 4, 4, 1]), 2, 2, "valid"), ["of 'valid' is not in", "Write 'VALID'"]),
    (lambda: tf.ones([2, 4, 8]) @ tf.ones([2, 5, 8]), ["[2,4,8], In[1]: [2,5,8]", "Both have 8 columns", "transpose_b=True"]),
    (lambda: tf.matmul(tf.ones([4, 3]), tf.ones([4, 2])), ["[4,3], In[1]: [4,2]", "Both have 4 rows", "transpose_a=True"]),
    (lambda: tf.matmul(tf.ones([3, 2]), tf.ones([4, 3])), ["[3,2], In[1]: [4,3]", "The other way round they fit."]),
    (lambda: tf.GradientTape().gradient(V, V, ONES), ["of shape (2, 3) do not fit", "asked for with one list: tape.gradient(loss, [w, b])"]),
    (lambda: tf.keras.layers.LSTM(2)(tf.ones([3, 4])), ["ndim=3, found ndim=2", "return_sequences=True", "x[tf.newaxis]"]),
    (lambda: tf.scan(lambda a, x: a + x, [1.0, 2.0]), ["tf.scan: elems must have one first axis"]),
    (lambda: tf.optimizers.SGD(0.1).zero_grad(), ["no attribute 'zero_grad'", "Leave it out"]),
    (lambda: tf.optimizers.SGD(0.1).apply_gradients(zip(tf.clip_by_global_norm([V], 1.0), [V], strict=False)), ["got [", "gradients, norm = "]),
    (lambda: tf.keras.Sequential().compile("sdg"), ["sdg. Did you mean 'sgd'?"]),
    (lambda: tf.keras.layers.Dense(2, kernel_initializer="xavier"), ["xavier. Did you mean 'glorot_uniform'?"]),
    (lambda: tf.concat(ONES, ONES), ["second argument of tf.concat is an axis", "tf.concat([x, y], axis=0)"]),
    (lambda: tf.stack(V, V), ["second argument of tf.stack is an axis", "tf.stack([x, y], axis=0)"]),
    (lambda: tf.transpose(ONES, 1), ["[2, 3] with perm=(1,)", "tf.transpose(x, [1, 0])"]),
    (lambda: tf.random.normal([2], dtype=tf.int32), ["no int32: it would cut them off", "tf.random.uniform(shape, 0, 10, tf.int32)"]),
    (lambda: tf.random.uniform([2], dtype=tf.bool), ["no bool: it would cut them off", "that is < 5"]),
    (lambda: viz.record(limits=3), ["'limits'", "'limit'"]),
    (lambda: tf.optimizers.SGD(0.1).step(), ["SGD.step() missing 3", "The library calls step itself", "apply_gradients(zip("]),
    (lambda: tf.optimizers.Adam([V]), ["learning_rate=[", "Adam(0.01)", "apply_gradients(zip(gradients, weights))"]),
    (lambda: tf.optimizers.schedules.ExponentialDecay(0.1, 10), ["ExponentialDecay() missing 1", "'decay_rate'"]),
    (lambda: tf.keras.Sequential().eval(), ["no attribute 'eval'", "model(x, training=False)"]),
    (lambda: tf.keras.Sequential().zero_grad(), ["no attribute 'zero_grad'", "Leave it out: a tape adds"]),
    (lambda: Turned()(1.0), ["'Turned' object is not callable", "def __call__(self, x)"]),
    (lambda: tf.keras.layers.Dense(1).parameters(), ["no attribute 'parameters'", "Write layer.trainable_variables"]),
    (lambda: ONES.to("cpu"), ["no attribute 'to'", "one device, the CPU"]),
    (lambda: ONES.permute(1, 0), ["no attribute 'permute'", "write tf.transpose(x, axes)"]),
    (lambda: ONES.add(1.0), ["no attribute 'add'", "write tf.add(x, ...)"]),
    (lambda: V.mul_(2.0), ["no attribute 'mul_'", "x = x * y"]),
    (lambda: V.data, ["no attribute 'data'", "tf.stop_gradient(x)"]),
    (lambda: tf.keras.layers.GRU(3)(tf.ones([2, 4, 5]), initial_state=tf.zeros([2, 4])), ["initial_state of gru", "the shape [2, 4], and GRUCell needs [2, 3]", "tf.zeros([2, 3])"]),
    (lambda: tf.keras.layers.LSTM(3)(tf.ones([2, 4, 5]), initial_state=tf.zeros([2, 3])), ["LSTMCell needs [2, 3], [2, 3]", "a list of 2"]),
    (lambda: tf.keras.layers.LSTMCell(3)(tf.ones([2, 5]), tf.zeros([2, 3])), ["lstm_cell", "takes two states", "cell(x, [h, c])"]),
    (lambda: tf.keras.Sequential().compile("mse", tf.optimizers.SGD(0.1)), ["compile takes the optimizer before the loss", "loss=loss, optimizer=optimizer"]),
    (lambda: CallbackList([tf.keras.callbacks.History], None, {}), ["History is a class", "callbacks=[History()]"]),
    (lambda: CallbackList([Deaf()], None, {}), ["Deaf.on_epoch_end(logs) cannot be called with (epoch, logs)", "def on_epoch_end(self, epoch, logs=None)"]),
    (lambda: tf.while_loop(lambda i: i < 3, lambda i: i + 1, 0), ["loop_vars is a list of what changes, got 0", "[tf.constant(0)]"]),
    (lambda: tf.GradientTape().watch(), ["watch() missing 1", "'tensor'", "tf.GradientTape.watch(tensor)"]),
    (lambda: tf.GradientTape().watch(V, V), ["watch() takes 1 argument but 2", "tape.watch([a, b])"]),
    (lambda: tf.GradientTape().watch(tensors=V), ["watch() got an unexpected keyword argument 'tensors'", "Did you mean 'tensor'?"]),
    (lambda: tf.GradientTape().gradient(V, V, None, "zero", V), ["gradient() takes 4 arguments but 5", "tape.gradient(y, [a, b])"]),
    (lambda: tf.autodiff.ForwardAccumulator(V, [1.0, 0.0]), ["one primal has one tangent, got a list of 2", "tf.constant([1.0, 0.0])"]),
    (lambda: contextlib.ExitStack().enter_context(tf.GradientTape), ["brackets are missing", "with tf.GradientTape() as tape:"]),
    (lambda: contextlib.ExitStack().enter_context(tf.autodiff.ForwardAccumulator), ["brackets are missing", "ForwardAccumulator(x, tangent) as acc:"]),
    (lambda: tf.image.crop_and_resize(np.ones([1, 4, 4, 1], "f"), [[0, 0, 3, 3]], [0], [2, 2]), ["fractions of the image, from 0 to 1, got 3", "Divide rows"]),
    (lambda: tf.image.crop_and_resize(np.ones([1, 4, 4, 1], "f"), [[0.0, 0.0, 1.0, 1.0]], [0], [2, 2], "cubic"), ["'bilinear' or 'nearest', got 'cubic'"]),
    (lambda: tf.test.compute_gradient(lambda x: x * x, tf.constant([1.0])), ["Write compute_gradient(f, [x])"]),
]  # fmt: skip


@pytest.mark.parametrize(("mistake", "words"), MISTAKES, ids=[words[0] for _, words in MISTAKES])
def test_a_refusal_says_what_where_and_what_next(mistake: Callable[[], Any], words: list[str]) -> None:
    with pytest.raises(Exception) as caught:
        mistake()
    said = str(caught.value)
    assert [word for word in words if word not in said] == [], said
    lines = [line for line in said.splitlines() if line.startswith("  at ")]
    assert len(lines) == 1, said
    assert str(caught.value.site) in lines[0]  # type: ignore[attr-defined]  # as data too
    place = re.search(rf"{Path(__file__).name}, line (\d+): ", lines[0])
    assert place and int(place[1]) in (mistake.__code__.co_firstlineno, *HELPED), said


def test_what_a_busy_function_does_not_know_is_no_part_of_its_signature() -> None:
    busy = (
        tf.GradientTape,
        tf.GradientTape.gradient,
        tf.GradientTape.watch,
        tf.autodiff.ForwardAccumulator,
        tf.reduce_sum,
        tf.reduce_mean,
        tf.reduce_max,
    )
    for function in busy:
        parameters = inspect.signature(function).parameters.values()
        assert {parameter.kind for parameter in parameters} == {inspect.Parameter.POSITIONAL_OR_KEYWORD}, function
        assert "NotGiven" not in str(parameters), function


def test_no_name_steers_the_terminal_or_fills_it() -> None:
    """In a refusal, and in an explanation."""
    name = "\x1b[31m\u202e" + "x" * 100_000
    v = tf.Variable([1.0], name=name)
    with pytest.raises(ValueError, match="Cannot assign value to variable") as caught:
        v.assign([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.constant(2.0) * float(v[0])
    why = str(tape.why(y, v))
    for said in (str(caught.value), why):
        assert not re.search("[\x1b\u202e]", said) and len(said) < 3_000
    with pytest.raises(
        TypeError, match=r"^viz\.cut cannot take why=None\n  at .*\n  Python says of it: AttributeError"
    ):
        viz.cut(None)


# ---- every raise of the library --------------------------------------------------------------------------------------------

SAID = {"ValueError", "TypeError", "RuntimeError", "InvalidArgumentError", "NotImplementedError", "OverflowError"}
# What lies below the record cannot ask for a line; the rest speaks to the house, not to the learner, or says its own line.
ELSEWHERE = {
    "nest.py", "dtypes.py", "compatible.py", "recompute/tree.py", "operands.py",  # they know no frames
    "spec.py",  # `_fitted` gives the reason that `_bound` tells
    "primitive.py", "definition.py", "notes.py", "call.py", "ops/refused.py",  # the house's own mistakes; an op that has no derivative
    "testing.py", "record/", "why/",  # print a table; are asked what to type
}  # fmt: skip


def raises(path: Path) -> Iterator[tuple[ast.Raise, ast.FunctionDef | None]]:
    """Each `raise Kind(...)` of a file, with the function that it stands in."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and isinstance(node.exc.func, ast.Name):
            around: ast.AST | None = node
            while around is not None and not isinstance(around, ast.FunctionDef):
                around = parents.get(around)
            yield node, around


def on_arrays(function: ast.FunctionDef | None) -> bool:
    """Whether this is an op's own computation, whose refusals get their line from the trace."""
    return function is not None and any(
        one.annotation is not None and "np.ndarray" in ast.unparse(one.annotation) for one in function.args.args
    )


def test_every_refusal_knows_the_learners_line() -> None:
    plain = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sorted((ROOT / "minitape").rglob("*.py"))
        if not any(path.relative_to(ROOT / "minitape").as_posix().startswith(one) for one in ELSEWHERE)
        for node, function in raises(path)
        if node.exc.func.id in SAID and not on_arrays(function)  # type: ignore[union-attr]
    ]
    assert plain == [], (
        "write `raise value_error(text, advice)`, of minitape.record.refusal, or `refusal(Kind, text, advice)`"
    )
