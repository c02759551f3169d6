"""What is our own about datasets: where they stand to tapes, pictures, memory and chance, and what they refuse."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest

import minitape as tf
from minitape.record.events import listening
from tests.support import said

Dataset = tf.data.Dataset


def test_no_tape_sees_a_step() -> None:
    """As in TensorFlow: what a step computes is a constant to the loop."""
    v = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        total = tf.constant(0.0)
        for x in Dataset.from_tensor_slices([1.0, 2.0]).map(lambda x: x * v):
            total += x * v
    assert float(total) == 12.0
    assert float(tape.gradient(total, v)) == 6.0  # not 12: one factor is a constant


def test_a_listener_hears_elements_and_no_steps() -> None:
    kinds = []
    with listening(lambda event, tensors: kinds.append(event.kind)):
        list(Dataset.range(3).map(lambda x: x + 1).filter(lambda x: x > 1))
    assert kinds == ["made", "made"]


def test_elements_keep_no_dataset_alive() -> None:
    whole = Dataset.from_tensor_slices(np.zeros((1000, 100)))
    before = tf.ledger.live
    rows = list(whole.take(2))
    assert tf.ledger.live - before == 2 * 800
    assert all(row.array.base is None for row in rows)


def test_the_array_that_it_was_made_of_can_change() -> None:
    numbers = np.arange(3)
    dataset = Dataset.from_tensor_slices(numbers)
    numbers[:] = 7
    for row in dataset.as_numpy_iterator():
        assert row != 7
    twice = Dataset.from_tensors([1, 2]).repeat().as_numpy_iterator()
    next(twice)[:] = 9  # an array of the caller's own
    assert next(twice).tolist() == [1, 2]


def test_asking_what_elements_are_like_changes_no_order() -> None:
    """`map`'s function runs for it, on an element that was drawn; all that draws is put back."""
    seen = []
    tf.random.set_seed(3)
    dataset = Dataset.range(20).shuffle(20, seed=1).map(lambda x: (x, tf.random.uniform([])))
    for asked in (False, True):
        tf.random.set_seed(3)
        fresh = Dataset.range(20).shuffle(20, seed=1).map(lambda x: (x, tf.random.uniform([])))
        assert not asked or repr(fresh) == repr(dataset)
        seen.append([(int(x), float(u)) for x, u in fresh])
    assert seen[0] == seen[1]


def test_seeds() -> None:
    def orders(seed: Any, whole: int | None = None) -> list[list[int]]:
        if whole is not None:
            tf.random.set_seed(whole)
        dataset = Dataset.range(30).shuffle(30, seed=seed)
        return [[int(x) for x in dataset] for _ in range(2)]

    assert orders(1, 5) == orders(1, 5) and orders(None, 5) == orders(None, 5)
    assert orders(1, 5) != orders(2, 5) and orders(1, 5) != orders(1, 6)
    assert orders(None) != orders(None)
    assert len({tuple(order) for order in orders(1, 5)}) == 2


def test_a_buffer_bounds_how_far_an_element_moves_ahead() -> None:
    order = [int(x) for x in Dataset.range(100).shuffle(5, seed=2)]
    assert all(x <= place + 4 for place, x in enumerate(order)) and order != sorted(order)


def test_shuffle_reaches_every_order() -> None:
    assert len({tuple(int(x) for x in Dataset.range(3).shuffle(3, seed=n)) for n in range(60)}) == 6


def test_a_cache_runs_a_function_once() -> None:
    runs: list[int] = []

    def counted(x: Any) -> Any:
        runs.append(1)
        return x * 2

    dataset = Dataset.range(3).map(counted).cache()
    assert [int(x) for x in dataset.repeat(3)] == [0, 2, 4] * 3 and len(runs) == 3
    broken_off = Dataset.range(3).map(counted).cache()
    next(iter(broken_off))
    assert [int(x) for x in broken_off] == [0, 2, 4]


def test_an_endless_source_is_read_no_further_than_needed() -> None:
    read: list[int] = []

    def counting() -> Any:
        for number in range(10**9):
            read.append(number)
            yield number

    endless = Dataset.from_generator(counting, output_types=tf.int64)
    assert [x.numpy().tolist() for x in endless.shuffle(2).batch(2).take(1)] != []
    assert len(read) <= 4
    assert [[int(x) for x in w] for w in endless.window(2, 3).take(2)] == [[0, 1], [3, 4]]


def test_options_are_noted() -> None:
    options = tf.data.Options()
    options.experimental_distribute.auto_shard_policy = "OFF"
    dataset = Dataset.range(2).with_options(options)
    assert dataset.options().experimental_distribute.auto_shard_policy == "OFF"
    assert [int(x) for x in dataset] == [0, 1]


@pytest.mark.parametrize("name", ["list_files", "load", "save", "snapshot"])
def test_what_reads_files_says_so(name: str) -> None:
    with pytest.raises(AttributeError, match="reads or writes files"):
        getattr(Dataset, name)
    assert not hasattr(Dataset.range(1), name)


@pytest.mark.parametrize("name", ["TFRecordDataset", "TextLineDataset", "FixedLengthRecordDataset"])
def test_datasets_of_files_are_out_of_scope(name: str) -> None:
    with pytest.raises(AttributeError, match="out of scope"):
        getattr(tf.data, name)


@pytest.mark.parametrize(
    ("build", "text"),
    [
        (lambda: Dataset.from_tensor_slices(1.0), "rank >= 1"),
        (lambda: Dataset.from_tensor_slices(([1], [1, 2])), "Dimensions 1 and 2"),
        (lambda: list(Dataset.range(2).map(lambda x: None)), "Return the new element"),
        (lambda: list(Dataset.range(2).filter(lambda x: x)), "it returned int64 of shape []"),
        (lambda: list(Dataset.range(2).flat_map(lambda x: x)), "must return a `Dataset` object"),
        (lambda: Dataset.range(2).cache("file"), "in memory"),
        (lambda: list(Dataset.range(2).window(1).batch(2)), "flat_map"),
        (lambda: list(Dataset.range(2).concatenate(Dataset.from_tensor_slices([1.0]))), "int64 vs. float32"),
        (lambda: Dataset.range(2).reduce(0, lambda state, x: x), "Begin with a state of that dtype"),
        (lambda: len(Dataset.range(2).repeat()), "ds.take(n) has an end"),
        (lambda: list(Dataset.range(2).unbatch()), "Dataset.from_tensors takes it whole"),
    ],
)
def test_a_refusal_teaches(build: Any, text: str) -> None:
    with pytest.raises(Exception) as caught:
        build()
    assert text in said(caught.value) and "test_dataset.py" in str(caught.value)


def test_a_loop_leaves_nothing_behind() -> None:
    gc.collect()
    before = tf.ledger.live
    for batch in Dataset.from_tensor_slices(np.zeros((64, 8), "float32")).shuffle(64).batch(16).repeat(2):
        tf.reduce_sum(batch * 2.0)
    del batch
    gc.collect()
    assert tf.ledger.live == before


def test_what_is_empty_is_known_to_be() -> None:
    numbers = tf.data.Dataset.range(5)
    assert [
        int(each.cardinality()) for each in (numbers.take(0), numbers.skip(5), numbers.skip(9), numbers.repeat(0))
    ] == [0] * 4
    assert int(numbers.repeat().cardinality()) == tf.data.INFINITE_CARDINALITY
    assert int(numbers.take(0).repeat().cardinality()) == 0 and list(numbers.take(0).repeat()) == []


def test_windows_end_with_their_targets() -> None:
    """As in Keras, where a series has fewer targets than windows."""
    windows = tf.keras.utils.timeseries_dataset_from_array([0, 1, 2, 3, 4, 5], [10, 20], sequence_length=2)
    assert [(x.numpy().tolist(), y.numpy().tolist()) for x, y in windows] == [([[0, 1], [1, 2]], [10, 20])]


def test_windows_of_a_list_have_the_dtypes_of_tensors() -> None:
    """As in Keras: int32 and float32 of Python's numbers, and those of arrays as they are."""
    make = tf.keras.utils.timeseries_dataset_from_array
    dtypes = [next(iter(make(data, None, 2))).dtype for data in ([1, 2, 3], [1.0, 2.0, 3.0], np.arange(3), np.ones(3))]
    assert dtypes == [tf.int32, tf.float32, tf.int64, tf.float64]
    x, y = next(iter(make(np.arange(3.0), [5, 6, 7], 2)))
    assert x.dtype == tf.float64 and y.dtype == tf.int32


@pytest.mark.parametrize(
    ("settings", "spec"),
    [
        ({}, "TensorSpec(shape=(None, None), dtype=tf.int32, name=None)"),
        ({"drop_remainder": True}, "TensorSpec(shape=(2, None), dtype=tf.int32, name=None)"),
        ({"padded_shapes": [6]}, "TensorSpec(shape=(None, 6), dtype=tf.int32, name=None)"),
    ],
)
def test_what_is_known_of_padded_batches(settings: Any, spec: str) -> None:
    """As TensorFlow says it."""
    rows = Dataset.from_generator(lambda: iter([[1], [1, 2], [3]]), output_signature=tf.TensorSpec([None], tf.int32))
    assert str(rows.padded_batch(2, **settings).element_spec) == spec


@pytest.mark.parametrize(
    "step",
    [
        lambda ds: ds.map(3), lambda ds: ds.filter(None), lambda ds: ds.flat_map(3), lambda ds: ds.interleave(3),
        lambda ds: ds.reduce(0, 3), lambda ds: ds.scan(0, 3), lambda ds: ds.take_while(None),
    ],
)  # fmt: skip
def test_a_step_without_a_function_is_refused_before_an_element_comes(step: Any) -> None:
    """ValueError, as in TensorFlow: a TypeError came from the first element on, from where it was used."""
    with pytest.raises(ValueError, match=r"Argument `func` must be a callable\. Received func="):
        step(Dataset.range(3))
