import jax
import jax.numpy as jnp

import viz


def wave(a):
    return jnp.exp(jnp.cos(jnp.sin(a))) * 2.0


def loss(x):
    return jax.checkpoint(wave)(x * 2.0).sum()


run = viz.record_jax(loss, jnp.array([0.5, 1.5]))
