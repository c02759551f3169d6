"""Random numbers in what runs again: the same, whoever draws them, or else it is told (checks 7 and 8)."""

from __future__ import annotations

import random
import warnings

import numpy as np
import pytest

import minitape as tf
from minitape.errors import MinitapeWarning
from minitape.recompute import NonDeterministicRecomputeWarning, RecomputeMismatchError
from tests.core.recompute.measuring import held

GENERATOR = tf.random.Generator.from_seed(3)
LAYER = tf.keras.layers.Dropout(0.5, seed=4)

DRAWS = {
    "tf.random": lambda x: tf.random.normal(x.shape, dtype=x.dtype),
    "an op's own seed": lambda x: tf.random.uniform(x.shape, seed=11, dtype=x.dtype),
    "dropout": lambda x: tf.nn.dropout(tf.ones_like(x), 0.5),
    "dropout with a seed": lambda x: tf.nn.dropout(tf.ones_like(x), 0.5, seed=7),
    "a generator": lambda x: GENERATOR.normal(x.shape, dtype=x.dtype),
    "the global generator": lambda x: tf.random.get_global_generator().normal(x.shape, dtype=x.dtype),
    "a layer": lambda x: tf.cast(LAYER(tf.ones_like(x), training=True), x.dtype),
    "np.random": lambda x: tf.constant(np.random.normal(size=x.shape), x.dtype),
    "random": lambda x: tf.fill(x.shape, tf.constant(random.random(), x.dtype)),
    "two of them": lambda x: GENERATOR.uniform(x.shape, dtype=x.dtype) * tf.random.uniform(x.shape, dtype=x.dtype),
}


@pytest.mark.parametrize("name", DRAWS)
@pytest.mark.parametrize("wrap", [tf.recompute_grad, tf.RecomputeWrapper])
def test_the_gradient_has_the_numbers_of_the_value(name, wrap):
    draw, x = DRAWS[name], tf.ones([64])
    region = wrap(lambda x: x * draw(x))
    for _ in range(3):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = region(x)
        later = DRAWS[name](x).numpy()
        np.testing.assert_array_equal(tape.gradient(y, x), y)
        np.testing.assert_array_equal(tape.gradient(y, x), y)
        assert (DRAWS[name](x).numpy() != later).any()  # the generator was left where it had come to
        assert (y.numpy() != later).any()


@pytest.mark.parametrize("name", DRAWS)
def test_reversible_layers_draw_the_same_in_each_block(name):
    """f runs before g, and is rebuilt after it."""
    draw = DRAWS[name]
    for seed in range(5):
        tf.random.set_seed(seed)
        kept = []

        def f(x, kept=kept):
            kept.append(draw(x))
            return x * kept[-1]

        net = tf.ReversibleSequential([tf.ReversibleLayer(f, f) for _ in range(3)], drift="raise", tol=1e-9)
        result = held(net, tf.constant(np.linspace(0.1, 1.0, 8)), tf.constant(np.linspace(0.5, 1.0, 8)))
        assert max(net.errors.values()) < 1e-12 and result.after == 0
        masks = [one.numpy() for one in kept[:6]]
        gradients = []  # of the first input, and of the second
        for a, b in ((np.ones(8), np.zeros(8)), (np.zeros(8), np.ones(8))):
            for one, other in zip(masks[::2], masks[1::2], strict=True):
                a = a + b * one
                b = b + a * other
            gradients.append(a + b)
        for ours, theirs in zip(result.gradients, gradients, strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-10)


def test_a_generator_that_is_made_inside_begins_again():
    made = []

    @tf.recompute_grad
    def noisy(x):
        if not made:
            made.append(tf.random.Generator.from_non_deterministic_state())
        return x * made[0].normal([8])

    x = tf.ones([8])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = noisy(x)
    np.testing.assert_array_equal(tape.gradient(y, x), y)


def test_without_it_the_masks_are_other_ones():
    net = tf.ReversibleSequential(
        [tf.ReversibleLayer(lambda x: x * tf.random.uniform(x.shape), tf.sin, preserve_rng=False)], drift="raise"
    )
    x = tf.ones([8])
    with (
        pytest.warns(NonDeterministicRecomputeWarning, match="'ReversibleLayer' draws from tf.random"),
        pytest.raises(FloatingPointError, match="layer 0 of 1"),
    ):
        held(net, x, x)


def test_the_rest_of_the_program_draws_on_as_if_nothing_had_run_again():
    x = tf.ones([8])
    region = tf.recompute_grad(lambda x: x * tf.random.uniform([8]) * GENERATOR.uniform([8]))
    ends = []
    for gradients in (0, 2):
        tf.random.set_seed(1)
        GENERATOR.reset_from_seed(1)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = region(x)
        for _ in range(gradients):
            tape.gradient(y, x)
        ends.append([tf.random.uniform([3]).numpy().tolist(), GENERATOR.normal([3]).numpy().tolist()])
    assert ends[0] == ends[1]


@pytest.mark.parametrize(
    ("name", "source"), [("dropout with a seed", "tf.random"), ("np.random", "np.random"), ("a layer", "of its own")]
)
def test_other_numbers_are_told_and_where_they_come_from(name, source):
    assert issubclass(NonDeterministicRecomputeWarning, MinitapeWarning)
    draw, x = DRAWS[name], tf.ones([64])

    def gradient(**options):
        region = tf.recompute_grad(lambda x: x * draw(x), name="masked", **options)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = region(x)
        return y, tape.gradient(y, x)

    with pytest.warns(NonDeterministicRecomputeWarning, match=f"'masked' draws from .*{source}.*preserve_rng") as told:
        y, slope = gradient(preserve_rng=False)
    assert len(told) == 1 and told[0].filename == __file__ and (y.numpy() != slope.numpy()).any()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        gradient()
        gradient(preserve_rng=False, determinism="off")
        with tf.compat("tf"):
            gradient()


def test_where_values_are_compared_other_numbers_are_refused():
    x = tf.ones([8])
    region = tf.recompute_grad(lambda x: x * tf.nn.dropout(tf.ones([8]), 0.5), preserve_rng=False, determinism="values")
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = region(x)
    with pytest.raises(RecomputeMismatchError, match=r"(?s)at op \d.*makes other numbers"):
        for _ in range(20):  # one mask in 256 is the same by chance
            tape.gradient(y, x)
