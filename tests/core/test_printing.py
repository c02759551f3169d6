"""What TensorFlow prints: `str`, `repr`, f-strings and `tf.print`."""

from __future__ import annotations

import io
import pathlib
from typing import Any

import numpy as np
import pytest

import minitape as tf


@pytest.mark.parametrize(
    ("value", "as_str", "as_repr"),
    [
        (6.0, "tf.Tensor(6.0, shape=(), dtype=float32)", "<tf.Tensor: shape=(), dtype=float32, numpy=6.0>"),
        (3, "tf.Tensor(3, shape=(), dtype=int32)", "<tf.Tensor: shape=(), dtype=int32, numpy=3>"),
        (True, "tf.Tensor(True, shape=(), dtype=bool)", "<tf.Tensor: shape=(), dtype=bool, numpy=True>"),
        (1 + 2j, "tf.Tensor((1+2j), shape=(), dtype=complex128)", "<tf.Tensor: shape=(), dtype=complex128, numpy=(1+2j)>"),
        ([1, 2], "tf.Tensor([1 2], shape=(2,), dtype=int32)", "<tf.Tensor: shape=(2,), dtype=int32, numpy=array([1, 2], dtype=int32)>"),
        ([True, False], "tf.Tensor([ True False], shape=(2,), dtype=bool)", "<tf.Tensor: shape=(2,), dtype=bool, numpy=array([ True, False])>"),
        ([], "tf.Tensor([], shape=(0,), dtype=float32)", "<tf.Tensor: shape=(0,), dtype=float32, numpy=array([], dtype=float32)>"),
        ("hi", "tf.Tensor(b'hi', shape=(), dtype=string)", "<tf.Tensor: shape=(), dtype=string, numpy=b'hi'>"),
        ([[1.0, 2.5]], "tf.Tensor([[1.  2.5]], shape=(1, 2), dtype=float32)", "<tf.Tensor: shape=(1, 2), dtype=float32, numpy=array([[1. , 2.5]], dtype=float32)>"),
        (
            [[1.0, 2.0], [3.0, 4.5]],
            "tf.Tensor(\n[[1.  2. ]\n [3.  4.5]], shape=(2, 2), dtype=float32)",
            "<tf.Tensor: shape=(2, 2), dtype=float32, numpy=\narray([[1. , 2. ],\n       [3. , 4.5]], dtype=float32)>",
        ),
    ],
)  # fmt: skip
def test_tensors(value: Any, as_str: str, as_repr: str) -> None:
    x = tf.constant(value)
    assert (str(x), repr(x)) == (as_str, as_repr)


def test_large_tensors_are_shortened_as_numpy_does() -> None:
    assert str(tf.range(2000)) == "tf.Tensor([   0    1    2 ... 1997 1998 1999], shape=(2000,), dtype=int32)"


def test_float32_scalars_print_as_the_documents_do() -> None:
    assert repr(tf.constant(4.441705703735352)) == "<tf.Tensor: shape=(), dtype=float32, numpy=4.4417057>"


def test_variables() -> None:
    assert repr(tf.Variable(1.0, name="w")) == "<tf.Variable 'w:0' shape=() dtype=float32, numpy=1.0>"
    assert (
        str(tf.Variable([1, 2]))
        == "<tf.Variable 'Variable:0' shape=(2,) dtype=int32, numpy=array([1, 2], dtype=int32)>"
    )
    assert repr(tf.Variable([[1.0], [2.0]])) == (
        "<tf.Variable 'Variable:0' shape=(2, 1) dtype=float32, numpy=\narray([[1.],\n       [2.]], dtype=float32)>"
    )


def test_formats() -> None:
    s = tf.constant(2.0)
    assert f"{s} {s:.2f} {s:2.5f} {s!r}" == "2.0 2.00 2.00000 <tf.Tensor: shape=(), dtype=float32, numpy=2.0>"
    assert "%s" % s == "tf.Tensor(2.0, shape=(), dtype=float32)"  # noqa: UP031
    assert f"{tf.constant([1.0, 2.5])} {tf.constant(3):d}" == "[1.  2.5] 3"
    assert f"{tf.Variable(1.0)}" == "<tf.Variable 'Variable:0' shape=() dtype=float32, numpy=1.0>"
    assert f"{tf.Variable(1.0):.2f}" == "1.00"
    with pytest.raises(TypeError):
        f"{tf.constant([1.0, 2.0]):.2f}"


def test_shapes_and_dtypes() -> None:
    x = tf.zeros([2, 3])
    assert (str(x.shape), repr(x.shape), str(x.dtype), repr(x.dtype)) == (
        "(2, 3)", "TensorShape([2, 3])", "<dtype: 'float32'>", "tf.float32",
    )  # fmt: skip
    assert str(tf.TensorShape([2, None])) == "(2, None)" and str(tf.TensorShape([3])) == "(3,)"


def printed(*values: Any, **settings: Any) -> str:
    stream = io.StringIO()
    tf.print(*values, output_stream=stream, **settings)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (tf.constant(6.0), "6"),
        (tf.constant(-0.0), "-0"),
        (tf.constant(0.1), "0.1"),
        (tf.constant(1 / 3), "0.333333343"),
        (tf.constant(4.4417057), "4.4417057"),
        (tf.constant(10.094786), "10.0947857"),
        (tf.constant(1e15), "1e+15"),
        (tf.constant(123456789.0), "123456792"),
        (tf.constant(1234567.0), "1234567"),
        (tf.constant(0.0001), "0.0001"),
        (tf.constant(1e-5), "1e-05"),
        (tf.constant(0.1, tf.float64), "0.1"),
        (tf.constant(1 / 3, tf.float64), "0.33333333333333331"),
        (tf.constant(0.1, tf.float16), "0.0999755859"),
        (tf.constant([float("inf"), float("nan"), 1.0]), "[inf nan 1]"),
        (tf.constant([True, False]), "[1 0]"),
        (tf.constant([1, -2, 300]), "[1 -2 300]"),
        (tf.constant([100.0, 0.001, 12345.678]), "[100 0.001 12345.6777]"),
        (tf.constant([[1.0, 2.0], [3.0, 4.5]]), "[[1 2]\n [3 4.5]]"),
        (tf.range(20), "[0 1 2 ... 17 18 19]"),
        (tf.range(6.0), "[0 1 2 3 4 5]"),
        (tf.reshape(tf.range(8), [2, 2, 2]), "[[[0 1]\n  [2 3]]\n\n [[4 5]\n  [6 7]]]"),
        (tf.reshape(tf.range(100), [10, 10]), "[[0 1 2 ... 7 8 9]\n [10 11 12 ... 17 18 19]\n [20 21 22 ... 27 28 29]\n ...\n [70 71 72 ... 77 78 79]\n [80 81 82 ... 87 88 89]\n [90 91 92 ... 97 98 99]]"),
        (tf.constant(["a", "b"]), '["a" "b"]'),
        (tf.constant(1 + 2j), "(1+2j)"),
        (tf.zeros([2, 0]), "[[]\n []]"),
        (tf.Variable(2.0), "2"),
        ("text", "text"),
        (None, "None"),
        (1e-5, "1e-05"),
        (np.float32(0.1), "np.float32(0.1)"),
        (tf.float32, "tf.float32"),
        ([1, 2.5, "a", None, True], "[1, 2.5, 'a', None, True]"),
        ({"b": tf.constant([1.0, 2.5]), "a": tf.constant(2.0)}, "{'a': 2, 'b': [1 2.5]}"),
        ([tf.constant([1.0, 2.5]), [tf.constant(2.0), (tf.constant(2.0),)]], "[[1 2.5], [2, (2,)]]"),
    ],
)  # fmt: skip
def test_print(value: Any, text: str) -> None:
    assert printed(value) == text + "\n"


def test_print_settings(tmp_path: pathlib.Path) -> None:
    x = tf.range(20)
    assert printed("a", tf.constant(2.0), "b", sep=",", end="!") == "a,2,b!"
    assert printed(x, summarize=2) == "[0 1 ... 18 19]\n"
    assert printed(x, summarize=-1) == "[" + " ".join(map(str, range(20))) + "]\n"
    path = tmp_path / "out.txt"
    for _ in range(2):
        tf.print("x", tf.constant([1, 2]), output_stream=f"file://{path}")
    assert path.read_text() == "x [1 2]\nx [1 2]\n"
