"""Numbers that say where, or how many: any whole dtype says it, a row of docs/differences.md (TensorFlow takes int32 and int64)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minitape as tf

TABLE = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
TWO = TABLE[:2]

# What is asked of the numbers [1, 0] in some dtype, which `as_dtype` makes of others too.
ASKED: dict[str, Callable[[Any, Any], Any]] = {
    "gather": lambda n, _: tf.gather(TABLE, n),
    "gather_nd": lambda n, _: tf.gather_nd(TABLE, n[:, None]),
    "embedding_lookup": lambda n, _: tf.nn.embedding_lookup(TABLE, n),
    "one_hot": lambda n, _: tf.one_hot(n, 3),
    "bincount": lambda n, _: tf.math.bincount(n),
    "confusion_matrix": lambda n, _: tf.math.confusion_matrix(n, n),
    "sparse cross-entropy": lambda n, _: tf.nn.sparse_softmax_cross_entropy_with_logits(n, TWO),
    "in_top_k": lambda n, _: tf.math.in_top_k(n, TWO, 1),
    "segment_sum": lambda n, _: tf.math.segment_sum(TWO, tf.sort(n)),
    "unsorted_segment_sum": lambda n, _: tf.math.unsorted_segment_sum(TWO, n, 3),
    "scatter_nd": lambda n, _: tf.scatter_nd(n[:, None], TWO, [3, 2]),
    "tensor_scatter_nd_update": lambda n, _: tf.tensor_scatter_nd_update(TABLE, n[:, None], TWO),
    "dynamic_partition": lambda n, _: tf.dynamic_partition(TWO, n, 2)[0],
    "an index": lambda n, _: TABLE[n[0]],
    "reshape": lambda _, some: tf.reshape(TABLE, some([2, 3])),
    "tile": lambda _, some: tf.tile(TABLE, some([1, 2])),
    "pad": lambda _, some: tf.pad(TABLE, some([[0, 1], [0, 0]])),
    "slice": lambda _, some: tf.slice(TABLE, some([1, 0]), some([1, 2])),
    "repeat": lambda _, some: tf.repeat(TABLE, some([1, 2, 1]), axis=0),
    "split": lambda _, some: tf.split(TABLE, some([1, 1]), axis=1)[0],
    "zeros": lambda _, some: tf.zeros(some([2])),
    "fill": lambda _, some: tf.fill(some([2]), 1.0),
    "transpose": lambda n, _: tf.transpose(TABLE, n),
    "an axis": lambda n, _: tf.reduce_sum(TABLE, axis=n[0]),
    "expand_dims": lambda n, _: tf.expand_dims(TABLE, n[0]),
    "argmax": lambda n, _: tf.argmax(TABLE, axis=n[0]),
    "reverse": lambda n, _: tf.reverse(TABLE, n[:1]),
    "roll": lambda n, _: tf.roll(TABLE, n[0], axis=0),
    "sequence_mask": lambda n, _: tf.sequence_mask(n, 3),
}


@pytest.mark.parametrize(
    "dtype", [tf.uint8, tf.int8, tf.int16, tf.uint16, tf.uint32, tf.uint64], ids=lambda one: one.name
)
@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED)
def test_any_whole_dtype_says_where(asked: Callable[[Any, Any], Any], dtype: tf.DType) -> None:
    def some(numbers: Any) -> Any:
        return tf.constant(numbers, dtype)

    wanted = asked(tf.constant([1, 0]), tf.constant)
    np.testing.assert_array_equal(asked(some([1, 0]), some), wanted)


@pytest.mark.parametrize("repeats", [2.5, [1.5, 2.0], True, tf.constant(2.0)])
def test_parts_of_a_time_are_refused(repeats: Any) -> None:
    """TypeError, as in TensorFlow: 2.5 counted as 2."""
    with pytest.raises(TypeError, match="repeats must be an integer tensor; dtype="):
        tf.repeat([1, 2], repeats)


@pytest.mark.parametrize(
    "ask",
    [
        lambda: tf.expand_dims(TABLE, 1.0), lambda: tf.concat([TABLE, TABLE], 0.0), lambda: tf.argmax(TABLE, axis=1.0),
        lambda: tf.cumsum(TABLE, 0.5), lambda: tf.math.top_k(TABLE, 1.5), lambda: tf.pad(TABLE, [[0.5, 1.0], [0, 0]]),
        lambda: tf.slice(TABLE, [0.5, 0.0], [1.0, 1.0]), lambda: tf.roll(TABLE, 1.5, 0), lambda: tf.split(TABLE, [0.5, 1.5], 1),
        lambda: tf.reduce_sum(TABLE, axis=0.5), lambda: tf.squeeze(TABLE[None], 0.5), lambda: tf.sort(TABLE, axis=0.5),
    ],
)  # fmt: skip
def test_a_place_with_a_part_behind_the_point_is_refused(ask: Callable[[], Any]) -> None:
    """As in TensorFlow: several of these were cut off in silence."""
    with pytest.raises(
        (TypeError, tf.errors.InvalidArgumentError), match=r"Cannot convert .* to EagerTensor of dtype int32"
    ):
        ask()


def test_lengths_are_cut_off_where_it_is_said_how_many_there_are() -> None:
    assert tf.sequence_mask([1.5], 3).numpy().tolist() == [[True, False, False]]
    assert tf.sequence_mask([1.5]).numpy().tolist() == [[True, True]]
    assert tf.concat([TWO, TWO], axis=True).shape == (2, 4)
