"""Arguments: of many kinds that have no place in a call, and good ones, so that a bad one is alone in it."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numpy as np

import minitape as tf
import viz


def _cycle() -> Any:
    ring: list[Any] = [1.0]
    ring.append(ring)
    return ring


def _deep(depth: int = 5_000) -> Any:
    nest: Any = 1.0
    for _ in range(depth):
        nest = [nest]
    return nest


def _dict_in_itself() -> Any:
    ring: dict[str, Any] = {"a": 1.0}
    ring["b"] = ring
    return ring


class Odd:
    """An object that is nothing in particular."""


class Refusing:
    """Compares with nothing, has no truth, no length and no text."""

    def _no(self, *given: Any) -> Any:
        raise ValueError("not asked")

    __bool__ = __len__ = __eq__ = __hash__ = __index__ = _no  # type: ignore[assignment]


GRID = np.arange(6.0, dtype=np.float32).reshape(2, 3) / 7 + 0.1

BAD: dict[str, Callable[[], Any]] = {
    "None": lambda: None,
    "a text": lambda: "text",
    "an empty text": lambda: "",
    "bytes": lambda: b"bytes",
    "half a letter": lambda: "a\ud800",
    "a long text": lambda: "x{}" * 70_000,
    "True": lambda: True,
    "nan": lambda: float("nan"),
    "inf": lambda: float("inf"),
    "a fraction": lambda: 1.5,
    "a complex number": lambda: 1.0 + 2.0j,
    "-1": lambda: -1,
    "-7": lambda: -7,
    "0": lambda: 0,
    "a billion": lambda: 10**9,
    "beyond int64": lambda: 2**70,
    "ten to the 5000": lambda: 10**5000,
    "an empty list": list,
    "no rows": lambda: np.zeros((0, 3), np.float32),
    "0-d": lambda: np.array(0.5, np.float32),
    "a shape of billions": lambda: [10**9, 10**9],
    "a billion elements": lambda: np.broadcast_to(np.float64(1), (10**9,)),
    "many axes": lambda: np.zeros((1,) * 40, np.float32),
    "objects": lambda: np.array([Odd(), None], object),
    "a structured array": lambda: np.zeros(2, [("a", "f4"), ("b", "i4")]),
    "a masked array": lambda: np.ma.array([1.0, 2.0], mask=[True, False]),
    "byte-swapped": lambda: GRID.astype(">f4"),
    "dates": lambda: np.array(["2026-01-01"], "datetime64[D]"),
    "durations": lambda: np.array([5], "timedelta64[s]"),
    "a matrix": lambda: np.asmatrix(GRID),
    "texts": lambda: np.array(["a", "b"]),
    "a list in itself": _cycle,
    "a deep list": _deep,
    "a dict": lambda: {"a": 1.0},
    "a dict in itself": _dict_in_itself,
    "a set": lambda: {1.0, 2.0},
    "a generator": lambda: (x for x in (1.0, 2.0)),
    "a class": lambda: Odd,
    "an object": Odd,
    "a refusing object": Refusing,
    "a function": lambda: lambda *given: None,
    "a function of nothing": lambda: lambda: 1.0,
    "a slice": lambda: slice(None, None, 0),
    "...": lambda: ...,
    "a module": lambda: types,
    "ragged": lambda: [[1.0], [2.0, 3.0]],
    "None inside": lambda: [1.0, None],
    "an int tensor": lambda: tf.constant([5, 6]),
    "a bool tensor": lambda: tf.constant([[True], [False]]),
    "a complex tensor": lambda: tf.constant([1.0 + 2.0j]),
    "a text tensor": lambda: tf.constant(["a"]),
    "a half tensor": lambda: tf.constant([1.0, 2.0], tf.float16),
    "a variable": lambda: tf.Variable([1.0, 2.0]),
    "a dtype": lambda: tf.float32,
    "a used generator": lambda: iter(()),
}  # fmt: skip

# The same numbers, spelled otherwise: the answer is the same.
SPELLINGS: dict[str, Callable[[np.ndarray], Any]] = {
    "non-contiguous": lambda x: np.repeat(x, 2, -1)[..., ::2],
    "column by column": np.asfortranarray,
    "backwards": lambda x: np.ascontiguousarray(x[..., ::-1])[..., ::-1],
    "read-only": lambda x: _read_only(x),
    "byte-swapped": lambda x: x.astype(x.dtype.newbyteorder(">")),
    "a subclass": lambda x: np.ma.array(x),
    "a tensor": tf.constant,
    "a variable": tf.Variable,
}


def _read_only(x: np.ndarray) -> np.ndarray:
    x = x.copy()
    x.flags.writeable = False
    return x


# ---- good arguments, so that one bad one is alone ------------------------------------------------------------------------------


def _recorded() -> Any:
    x = tf.Variable([0.5, 0.25])
    with viz.record() as run, tf.GradientTape() as tape:
        y = tf.reduce_sum(x * x)
        tape.gradient(y, x)
    return run


def _tape() -> Any:
    with tf.GradientTape(persistent=True) as tape:
        X = tf.Variable(GRID)
        tape.watch(X)
        X * X
    return tape


def _model() -> Any:
    model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    return model


SQUARE = np.array([[2.0, 0.5], [0.5, 3.0]], np.float32)
IMAGE = np.linspace(0.1, 0.9, 48, dtype=np.float32).reshape(1, 4, 4, 3)

GOOD: dict[str, list[Any]] = {
    "shape": [[2, 3]], "axis": [0, -1, [0]], "axes": [[0], 1, (0, 1)], "dtype": [tf.float32], "fn": [lambda *x: x[0]],
    "func": [lambda *x: x[0]], "function": [lambda *x: x[0]], "f": [lambda x: x * x], "num_classes": [3], "units": [2],
    "filters": [2, SQUARE.reshape(2, 2, 1, 1)], "kernel_size": [2], "rate": [0.5], "equation": ["ij->i"], "perm": [[1, 0]],
    "indices": [np.array([0, 1]), np.array([[0], [1]])], "run": ["run"], "figure": ["figure"], "why": ["why"],
    "plan": ["plan"], "path": ["out.json"], "name": ["x"], "steps": [4], "n": [4, 2], "policy": ["sqrt", None],
    "model": ["model"], "seed": [[1, 2], 3], "count": [2], "buffer_size": [2], "batch_size": [2], "size": [[4, 4], 2],
    "ksize": [2], "strides": [1], "padding": ["VALID"], "depth": [3], "num": [2], "k": [1], "images": [IMAGE],
    "image": [IMAGE[0]],
    "pred": [True], "true_fn": [lambda: 1.0], "false_fn": [lambda: 2.0], "cond": [lambda i: i < 3], "body": [lambda i: i + 1],
    "loop_vars": [[tf.constant(0)]], "elems": [GRID], "condition": [True], "text": ["{}"], "data": [{}], "tensors": [[GRID]],
    "values": [[GRID], GRID], "num_segments": [2], "segment_ids": [np.array([0, 1])], "mode": ["CONSTANT", 1],
    "paddings": [[[0, 0], [1, 1]]], "multiples": [[1, 2]], "repeats": [2], "shift": [1], "begin": [[0, 0]],
    "num_or_size_splits": [1], "mask": [np.array([True, False])], "y_true": [GRID], "y_pred": [GRID], "labels": [GRID],
    "logits": [GRID], "identifier": ["relu", "sgd", "mse"], "config": [{}], "program": [lambda x=1.0: tf.constant(x) * 2.0],
    "layer": ["layer"], "layers": [[]], "cell": ["cell"], "cells": [["cell"]], "dataset": ["dataset"], "datasets": [("dataset",)],
}  # fmt: skip
PLAIN = [GRID, SQUARE, 1, 0.5, [0], np.array([0, 1]), "x", IMAGE, [GRID], None, np.array([True, False]), "dataset"]
LIVE: dict[str, Callable[[], Any]] = {
    "run": _recorded,
    "figure": lambda: viz.schedule(tf.plan(4, "sqrt")).facts,
    "plan": lambda: tf.plan(4, "sqrt"),
    "model": _model,
    "layer": lambda: tf.keras.layers.Dense(2),
    "cell": lambda: tf.keras.layers.SimpleRNNCell(2),
    "dataset": lambda: tf.data.Dataset.from_tensor_slices(GRID),
}
# How an instance is made where good arguments by name are not enough.
MADE: dict[str, Callable[[], Any]] = {
    "Tensor": lambda: tf.constant(GRID),
    "Variable": lambda: tf.Variable(GRID),
    "GradientTape": lambda: _tape(),
    "TensorShape": lambda: tf.TensorShape([2, 3]),
    "DType": lambda: tf.float32,
    "Sequential": _model,
    "Model": _model,
    "Functional": _model,
    "Run": _recorded,
    "Dataset": lambda: LIVE["dataset"](),
    "Iterator": lambda: iter(LIVE["dataset"]()),
    "NumpyIterator": lambda: LIVE["dataset"]().as_numpy_iterator(),
    "DatasetSpec": lambda: LIVE["dataset"]().element_spec,
    "Figure": LIVE["figure"],
    "Scene": lambda: _recorded().scene,
    "Stream": lambda: _recorded().stream,
    "Picture": lambda: viz.graph(_recorded()),
    "Text": lambda: viz.table(_recorded()),
    "Comparison": lambda: viz.compare(_recorded()),
    "TensorArray": lambda: tf.TensorArray(tf.float32, 2),
    "Generator": lambda: tf.random.Generator.from_seed(1),
    "Layer": lambda: tf.keras.layers.Dense(2),
    "Optimizer": lambda: tf.keras.optimizers.SGD(),
    "Metric": lambda: tf.keras.metrics.Mean(),
    "Loss": lambda: tf.keras.losses.MeanSquaredError(),
    "Callback": tf.keras.callbacks.Callback,
    "Checkpoint": lambda: tf.train.Checkpoint(v=tf.Variable(1.0)),
    "ForwardAccumulator": lambda: tf.autodiff.ForwardAccumulator(tf.constant(1.0), tf.constant(1.0)),
}


def live(value: Any) -> Any:
    """A good value, those that are asked for by name made."""
    if isinstance(value, str) and value in LIVE:
        return LIVE[value]()
    nested = isinstance(value, list | tuple) and value and isinstance(value[0], str)
    return type(value)(live(each) for each in value) if nested else value
