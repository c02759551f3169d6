"""Draws: repeatable, of the right kind, and differentiated by what they depend on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minitape as tf

DRAWS: dict[str, Any] = {
    "normal": lambda: tf.random.normal([50]),
    "uniform": lambda: tf.random.uniform([50]),
    "whole": lambda: tf.random.uniform([50], maxval=100, dtype=tf.int32),
    "truncated": lambda: tf.random.truncated_normal([50]),
    "gamma": lambda: tf.random.gamma([50], 2.0),
    "poisson": lambda: tf.random.poisson([50], 9.0),
    "categorical": lambda: tf.random.categorical(tf.zeros([1, 9]), 50)[0],
    "shuffle": lambda: tf.random.shuffle(tf.range(50)),
    "dropout": lambda: tf.nn.dropout(tf.ones([50]), 0.5),
    "of an op's own seed": lambda: tf.random.normal([50], seed=3),
}


@pytest.mark.parametrize("name", DRAWS)
def test_the_same_seed_gives_the_same(name: str) -> None:
    tf.random.set_seed(5)
    first, second = DRAWS[name]().numpy(), DRAWS[name]().numpy()
    tf.random.set_seed(5)
    again = DRAWS[name]().numpy()
    np.testing.assert_array_equal(first, again)
    assert (first != second).any()


def test_without_state_the_seed_says_it_all() -> None:
    for draw in (tf.random.stateless_normal, tf.random.stateless_uniform, tf.random.stateless_truncated_normal):
        np.testing.assert_array_equal(draw([9], seed=[1, 2]), draw([9], seed=tf.constant([1, 2])))
        assert (draw([9], seed=[1, 2]).numpy() != draw([9], seed=[1, 3]).numpy()).any()
    seeds = tf.random.split([1, 2], 3)
    assert seeds.shape == [3, 2] and len({tuple(one) for one in seeds.numpy().tolist()}) == 3
    assert tf.random.fold_in([1, 2], 1).numpy().tolist() != tf.random.fold_in([1, 2], 2).numpy().tolist()


def test_a_generator_goes_its_own_way() -> None:
    one, other = tf.random.Generator.from_seed(1), tf.random.Generator.from_seed(1)
    tf.random.normal([3])
    np.testing.assert_array_equal(one.normal([3]), other.normal([3]))
    first, second = one.split(2)
    assert (first.uniform([5]).numpy() != second.uniform([5]).numpy()).any()
    one.reset_from_seed(1)
    np.testing.assert_array_equal(one.normal([3]), tf.random.Generator.from_seed(1).normal([3]))
    assert not hasattr(one, "state")


def test_the_numbers_are_where_they_should_be() -> None:
    tf.random.set_seed(0)
    assert abs(float(tf.reduce_mean(tf.random.normal([20000], mean=3.0, stddev=2.0))) - 3.0) < 0.1
    spread = tf.random.uniform([1000], -1.0, 2.0).numpy()
    assert spread.min() >= -1.0 and spread.max() < 2.0 and spread.dtype == np.float32
    assert np.abs(tf.random.truncated_normal([1000]).numpy()).max() <= 2.0
    often = tf.math.bincount(tf.cast(tf.random.categorical([[0.0, np.log(3.0)]], 4000)[0], tf.int32)).numpy()
    assert 0.7 < often[1] / 4000 < 0.8
    kept = tf.nn.dropout(tf.ones([4000]), 0.25).numpy()
    assert set(np.round(kept * 3.0).tolist()) == {0.0, 4.0} and 0.72 < (kept > 0).mean() < 0.78


def test_a_draw_is_differentiated_by_its_mean_and_deviation() -> None:
    mean, deviation = tf.Variable(1.0), tf.Variable(2.0)
    with tf.GradientTape() as tape:
        drawn = tf.random.normal([4], mean, deviation)
    by_mean, by_deviation = tape.gradient(drawn, [mean, deviation])
    assert float(by_mean) == 4.0
    assert float(by_deviation) == pytest.approx(float(np.sum((drawn.numpy() - 1.0) / 2.0)), rel=1e-5)
