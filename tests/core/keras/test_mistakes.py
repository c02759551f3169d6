"""What is typed in a first hour with layers, losses, optimizers and datasets and is no program: each mistake is answered with
what was met, the learner's own line, and what to type."""

from __future__ import annotations

import linecache
import math
import re
from typing import Any

import numpy as np
import pytest

import minitape as tf

FIT = 'model = tf.keras.Sequential([tf.keras.layers.Dense(2)])\nmodel.compile("sgd", "mse")\nx = np.ones((4, 2))\n'
STEP = "w = tf.Variable([1.0])\n"

# The program, whose last line is the mistake; and what must be said, in this order.
MISTAKES: list[tuple[str, list[str]]] = [
    # a class is not what it makes
    ("tf.keras.losses.MeanSquaredError(tf.ones([2]), tf.ones([2]))", ["MeanSquaredError makes a loss", "(2,)", "MeanSquaredError(), and loss(y_true, y_pred)"]),
    ("tf.keras.losses.BinaryCrossentropy([1.0, 0.0], [0.5, 0.5])", ["BinaryCrossentropy makes a loss", "a list", "loss(y_true, y_pred)"]),
    ("tf.keras.metrics.Mean([1.0, 2.0])", ["Mean makes a metric", "a list", "Mean(), and metric(values)"]),
    ("tf.keras.metrics.Accuracy([1.0], [1.0])", ["Accuracy makes a metric", "metric(y_true, y_pred)"]),
    ("x = tf.ones([2, 3])\ntf.keras.layers.Concatenate([x, x])", ["Concatenate makes a layer", "(2, 3)", "layer(x)"]),
    ("x = tf.keras.Input((3,))\ntf.keras.layers.Add([x, x])", ["Add makes a layer", "(None, 3)", "layer(x)"]),
    ("mean = tf.keras.metrics.Mean\nmean.update_state([1.0])", ["update_state was called on a class", "[1.0]", "made = tf.keras.metrics.Mean(...), and made.update_state(...)"]),
    (STEP + "opt = tf.keras.optimizers.Adam\nopt.apply_gradients([(tf.constant([1.0]), w)])", ["apply_gradients was called on a class", "made.apply_gradients(...)"]),
    ("tf.keras.Sequential([tf.keras.layers.Dense])", ["It is a class", "tf.keras.layers.Dense(units)"]),
    ("tf.keras.Sequential([tf.keras.layers.Flatten])", ["It is a class", "tf.keras.layers.Flatten()"]),
    ("tf.keras.Sequential([tf.keras.layers.Dense(1), 'relu'])", ["Received: 'relu'", "tf.keras.layers.Activation('relu')"]),
    ("tf.keras.Sequential().add([tf.keras.layers.Dense(1)])", ["of type <class 'list'>", "one layer at a time"]),
    # what Keras has and this library has not
    ("tf.keras.Sequential([tf.keras.layers.Dense(1)]).to_json()", ["has no attribute 'to_json'", "model.get_config()"]),
    ("tf.keras.Sequential([tf.keras.layers.Dense(1)]).make_train_function()", ["'make_train_function'", "model.train_step(batch)"]),
    ("tf.keras.layers.Dense(1).stateless_call([], [], tf.ones([1, 2]))", ["'stateless_call'", "layer(x)"]),
    ("tf.keras.layers.LSTM(1).state_dict()", ["'LSTM' object has no attribute 'state_dict'", "layer.get_weights()"]),
    ("tf.keras.optimizers.Adam().set_weights([])", ["'set_weights'", "variable.assign(value)"]),
    ("tf.keras.optimizers.Adam().stateless_apply([], [], [])", ["'stateless_apply'", "optimizer.apply_gradients"]),
    # weights that are still to be made
    ("tf.keras.layers.Dense(3).count_params()", ["`count_params` on layer 'dense", "isn't built", "once on data"]),
    ("tf.keras.Sequential([tf.keras.layers.Dense(3)]).count_params()", ["on layer 'sequential", "layer.build(input_shape)"]),
    ("class M(tf.keras.Model):\n    def __init__(self):\n        super().__init__()\n        self.d = tf.keras.layers.Dense(2)\nM().count_params()", ["on layer 'm", "isn't built"]),
    # what lies beside each other
    ("tf.keras.layers.Concatenate()([tf.zeros((2, 3)), tf.zeros((3, 3))])", ["Received: input_shape=[(2, 3), (3, 3)]", "axis -1"]),
    ("tf.keras.layers.Dot(axes=1)([tf.zeros((2, 3)), tf.zeros((2, 4))])", ["axis values 3 (at axis 1) != 4 (at axis 1)", "(2, 3), (2, 4)"]),
    ("tf.keras.layers.GlobalAveragePooling2D(2)", ["`data_format`", "('channels_last', 'channels_first')", "data_format=2"]),
    # weights of examples
    ("model = tf.keras.Sequential([tf.keras.layers.Embedding(6, 4, mask_zero=True), tf.keras.layers.Dense(6)])\ndef mean(y, p): return tf.reduce_mean(p)\nmodel.compile('sgd', 'sparse_categorical_crossentropy', metrics=[mean])\nmodel.fit(np.array([[1, 2, 0]]), np.array([[1, 2, 0]]), verbose=0)", ["mean gave one for all", "Leave out its tf.reduce_mean"]),
    ("tf.keras.losses.MeanSquaredError()(tf.ones([2, 3]), tf.ones([2, 3]), sample_weight=[1.0, 2.0, 3.0])", ["(3,)", "(2,)", "one weight for each example"]),
    ("tf.keras.metrics.Mean().update_state([1.0, 2.0], sample_weight=[1.0, 2.0, 3.0])", ["(3,)", "(2,)", "one weight for each example"]),
    ("tf.keras.metrics.BinaryAccuracy().update_state([1, 0], [0.5, 0.2], sample_weight=[1.0, 2.0, 3.0])", ["(3,)", "(2,)", "one weight for each example"]),
    ("tf.keras.metrics.AUC().update_state([1, 0], [0.5, 0.2], sample_weight=[1.0, 2.0, 3.0])", ["(3,)", "(2,)", "one weight for each example"]),
    ("tf.keras.metrics.MeanIoU(2).update_state([1, 0], [1, 0], sample_weight=[1.0, 2.0, 3.0])", ["(3,)", "(2,)", "one weight for each example"]),
    ("tf.keras.metrics.R2Score().update_state([[1.0], [0.0]], [[1.0], [0.0]], sample_weight=[1.0, 2.0, 3.0])", ["(3, 1)", "(2, 1)", "one weight for each example"]),
    ("tf.keras.metrics.F1Score().update_state([[1.0], [0.0]], [[1.0], [0.0]], sample_weight=[1.0, 2.0, 3.0])", ["(3, 1)", "(2, 1)", "one weight for each example"]),
    # attention
    ("tf.keras.layers.MultiHeadAttention(2, 4)(tf.ones([1, 3, 4]))", ["a query alone", "(1, 3, 4)", "layer(x, x)"]),
    ("tf.keras.layers.MultiHeadAttention(2, 4)(tf.ones([3, 4]), tf.ones([5, 4]))", ["(3, 4) and (5, 4)", "x[tf.newaxis]"]),
    ("tf.keras.layers.MultiHeadAttention(2, 4)(tf.ones([1, 3, 4]), tf.ones([1, 5, 4]), attention_mask=tf.ones([1, 2, 5]))", ["[1, 2, 5]", "[1, 3, 5]", "[batch, queries, keys]"]),
    # a model that is fitted
    (FIT + "model.fit(x, verbose=0)", ["No loss to compute", "fit(x, y)"]),
    (FIT + "model.evaluate(x, verbose=0)", ["No loss to compute", "evaluate(x, y)"]),
    (FIT + "model.fit((x, x), verbose=0)", ["expects 1 input(s), but it received 2", "model.fit(x, y)"]),
    (FIT + "model.predict(3.0)", ["x is arrays, a dataset", "3.0", "one row for each example"]),
    (FIT + "model.compile('sgd', 'mse', metrics='mae')", ["`metrics` argument to be a list", "'mae'", "metrics=['mae']"]),
    (FIT + "model.compile('sgd', 'mse', weighted_metrics='mae')", ["`weighted_metrics`", "weighted_metrics=['mae']"]),
    (FIT + "model.fit(x, x, verbose=0)['loss']", ["'History' object is not subscriptable", "history.history['loss']"]),
    ("class Silent(tf.keras.Model):\n    def call(self, x): x + 1.0\nmodel = Silent()\nmodel.compile('sgd', 'mse')\nmodel.fit(np.ones((4, 2)), np.ones((4, 2)), verbose=0)", ["None values not supported", "no `return`"]),
    ("tf.keras.layers.Add()([tf.ones([8, 3]), tf.ones([8, 2])])", ["Inputs have incompatible shapes", "(8, 3)", "(8, 2)", "Concatenate()"]),
    (FIT + "model.fit(x, x, validation_data=x, verbose=0)", ["No loss to compute", "validation_data=(x_val, y_val)"]),
    (FIT + "model.fit(tf.data.Dataset.from_tensor_slices((x, x)).batch(2), x, verbose=0)", ["`y` argument is not supported", "from_tensor_slices((x, y))"]),
    (FIT + "model.fit(tf.data.Dataset.from_tensor_slices((x, x)).batch(2).repeat(), verbose=0)", ["infinite dataset", "steps_per_epoch=100"]),
    (FIT + "model.fit(x, np.array(['a', 'b', 'c', 'd']), verbose=0)", ["Invalid dtype: <U1", "but str", "np.unique(y, return_inverse=True)[1]"]),
    (FIT + "model.fit(np.array([[1.0, None], [2.0, 3.0]]), x[:2], verbose=0)", ["Invalid dtype: object", "NoneType, float", "x.astype('float32')"]),
    (FIT + "model.fit(x, x, class_weight=[1.0, 2.0], verbose=0)", ["got [1.0, 2.0]", "class_weight={0: 1.0, 1: 5.0}"]),
    (FIT + "model.compile('sgd', 'mse', ['accuracy'])", ["loss_weights are numbers", "got ['accuracy']", 'metrics=["accuracy"]']),
    (FIT + "model.compile('sgd', lambda y_pred: 1.0)", ["a loss is called with (y_true, y_pred)", "<lambda> takes (y_pred)", "def loss(y_true, y_pred): ..."]),
    (FIT + "model.compile('sgd', 'mse', metrics=[lambda y_pred: 1.0])", ["a metric is called with (y_true, y_pred)", "def metric(y_true, y_pred): ..."]),
    (FIT + "model.fit(x, x, callbacks=[lambda epoch: 5], verbose=0)", ["a callback has methods", "<lambda> has none", "LambdaCallback(on_epoch_end="]),
    (FIT + "model.fit(x, 5.0, verbose=0)", ["y holds one number", "5.0", "np.full((len(x), 1), 5.0)"]),
    (FIT + "model.fit(None, verbose=0)", ["got None", "model.fit(x, y)"]),
    (FIT + "model.fit(lambda: 5, verbose=0)", ["got <lambda>", "model.fit(batches(), steps_per_epoch=10)"]),
    (FIT + "model.predict(x[:0])", ["There are no examples", "print(x.shape)"]),
    ("class S(tf.keras.optimizers.schedules.LearningRateSchedule):\n    def __call__(self): return 0.1\ntf.keras.optimizers.SGD(S())", ["a schedule is called with (step)", "takes ()", "def __call__(self, step): ..."]),
    ("class L(tf.keras.losses.Loss):\n    def call(self, y_pred): return 1.0\nL()", ["the call of a loss is called with (y_true, y_pred)", "L.call takes (y_pred)", "def call(self, y_true, y_pred): ..."]),
    ("tf.keras.layers.Reshape(6)", ["a tuple, got 6", "Reshape((6,))"]),
    ("tf.keras.layers.Lambda(5)", ["must be a function, got 5", "tf.keras.layers.Lambda(lambda x: x * 2.0)"]),
    ("tf.keras.layers.Bidirectional(tf.keras.layers.Dense(3))", ["goes through steps", "Dense name=", "Bidirectional(tf.keras.layers.LSTM(4))"]),
    ("tf.keras.layers.BatchNormalization(axis=5)(tf.ones([2, 3]))", ["axis=5", "(2, 3)", "axis=-1"]),
    ("tf.Variable(1.0).gradient()", ["has no attribute 'gradient'", "tape.gradient(loss, x)"]),
    ("opt = tf.keras.optimizers.SGD(0.1)\nopt.apply_gradients([])", ["No gradients provided", "There are no pairs at all"]),
    ("tf.keras.Input(3)", ["Cannot convert '3' to a shape", "tf.keras.Input((3,))"]),
    ("tf.keras.utils.to_categorical([0, 5], num_classes=3)", ["class 5 is none of 3 classes", "num_classes is one more"]),
    ("tf.keras.utils.to_categorical(['cat'])", ["got ['cat']", "np.unique(names, return_inverse=True)[1]"]),
    # datasets
    ("tf.data.Dataset.from_tensor_slices(np.ones((4, 2)), np.ones((4,)))", ["a second argument ndarray float64 [4]", "from_tensor_slices((x, y))"]),
    ("list(tf.data.Dataset.from_tensor_slices([1, 2]).map(lambda x, y: x))", ["<lambda>(x, y)", "1 part: Tensor <dtype: 'int32'> []", "write lambda x: ..."]),
    ("list(tf.data.Dataset.from_tensor_slices(([1], [2])).map(lambda x: x))", ["<lambda>(x)", "2 parts", "write lambda x, y: ..."]),
    ("tf.data.Dataset.range(3)[0]", ["cannot be indexed", "next(iter(ds))"]),
    # texts, shapes, places
    ("tf.constant('3.0') * 2.0", ["Op:Mul", "float(text)"]),
    ("'loss: ' + tf.constant(1.0)", ["Op:AddV2", 'f"{x}"']),
    ("tf.sin('1')", ["Op:Sin", "float(text)"]),
    ("tf.ones([2, 2]) @ 3.0", ["(2, 2) and ()", "x * 3.0"]),
    ("tf.Variable([1.0, 2.0]).assign_add(1.0)", ["shape []", "v.assign(v + 1.0)"]),
    ("tf.tensor_scatter_nd_update(tf.ones([3]), [0], [5.0])", ["updates of shape (1,)", "indices of shape [1]", "indices.shape[:-1]"]),
    ("tf.tensor_scatter_nd_max(tf.ones([3]), [0], [5.0])", ["updates of shape (1,)", "indices of shape [1]", "indices.shape[:-1]"]),
]  # fmt: skip


def answer(program: str, called: str) -> Exception:
    linecache.cache[called] = len(program), None, program.splitlines(keepends=True), called
    with pytest.raises(Exception) as caught:
        exec(compile(program, called, "exec"), {"tf": tf, "np": np, "math": math})
    return caught.value


@pytest.mark.parametrize(("program", "says"), MISTAKES, ids=[program.splitlines()[-1] for program, _ in MISTAKES])
def test_a_mistake_is_told_with_its_line_and_what_to_type(program: str, says: list[str], tmp_path: Any) -> None:
    lines = program.splitlines()
    told = str(answer(program, str(tmp_path / "cell.py")))
    assert f"line {len(lines)}: {lines[-1]}" in told
    where = 0
    for words in says:
        assert words in told[where:], told
        where = told.index(words, where)


OWN = {
    "class M(tf.keras.metrics.Metric):\n    def __init__(self):\n        self.n = self.add_weight()\nM()": 'Write super().__init__(name="...")',
    "class L(tf.keras.layers.Layer):\n    def build(self): pass\nL()(tf.ones([1, 2]))": "def build(self, input_shape): ...",
    "class L(tf.keras.layers.Layer):\n    def call(x): return x\nL()(tf.ones([1, 2]))": "def call(self, inputs): ...",
    "class M(tf.keras.Model):\n    def call(self, x): return tf.keras.layers.Dense(2)(x)\n"
    "m = M()\nm.compile('sgd', 'mse')\nm.fit(np.ones((2, 2)), np.ones((2, 2)), verbose=0)": "made in __init__, not in call",
    "class M(tf.keras.Model):\n    def train_step(self, x, y): return {}\n"
    "m = M()\nm.compile('sgd')\nm.fit(np.ones((2, 2)), np.ones((2, 2)), verbose=0)": "def train_step(self, data): x, y = data",
    "class M(tf.keras.Model):\n    def train_step(self, data): pass\n"
    "m = M()\nm.compile('sgd')\nm.fit(np.ones((2, 2)), np.ones((2, 2)), verbose=0)": 'return {"loss": loss}',
}


@pytest.mark.parametrize("program", OWN)
def test_a_class_of_ones_own_that_cannot_be_called_is_told_what_to_write(program: str, tmp_path: Any) -> None:
    told = str(answer(program, str(tmp_path / "cell.py")))
    assert OWN[program] in told and re.search(rf"line ({len(program.splitlines())}|3: self.n)", told)


def test_a_layer_without_weights_counts_none_at_once() -> None:
    layers = tf.keras.layers
    assert [each.count_params() for each in (layers.ReLU(), layers.Dropout(0.5), layers.Activation("relu"))] == [
        0,
        0,
        0,
    ]


def test_a_dataset_says_what_to_write_for_what_arrays_have() -> None:
    with pytest.raises(AttributeError, match=r"no attribute 'shape': write ds.element_spec"):
        tf.data.Dataset.range(3).shape
    with pytest.raises(AttributeError, match=r"write for element in ds.as_numpy_iterator\(\)"):
        tf.data.Dataset.range(3).numpy()
    assert not hasattr(tf.data.Dataset.range(3), "wxyz")


def test_functions_that_take_what_they_are_given_are_called() -> None:
    pairs = tf.data.Dataset.from_tensor_slices(([1, 2], [3, 4]))
    assert [int(x) for x in pairs.map(lambda *parts: parts[1])] == [3, 4]
    assert [int(x) for x in pairs.map(lambda x, y, more=5: x + y + more)] == [9, 11]
    assert [float(x) for x in pairs.map(tf.add)] == [4.0, 6.0]


def test_an_array_on_the_left_of_a_matrix_takes_its_dtype() -> None:
    """As that of TensorFlow: programs have their data as float64 arrays of NumPy's, and their weights as float32."""
    data, w = np.arange(6.0).reshape(2, 3), tf.Variable(np.ones((3, 1), np.float32))
    with tf.GradientTape() as tape:
        y = data @ w
    assert y.dtype == tf.float32 and tape.gradient(y, w).numpy().tolist() == [[3.0], [5.0], [7.0]]
    assert (data.T @ data @ w).dtype == tf.float32 and ([[1, 2, 3]] @ w).dtype == tf.float32
