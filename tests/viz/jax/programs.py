"""Functions that are recorded, with what they are called with: each is differentiated by its first argument."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {}


def program(*args: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def enter(f: Callable[..., Any]) -> Callable[..., Any]:
        PROGRAMS[f.__name__] = f, args
        return f

    return enter


def numbers(*shape: int, seed: int = 0) -> Any:
    return jnp.asarray(np.random.default_rng(seed).normal(size=shape), jnp.float32)


@program(2.0)
def cube(x: Any) -> Any:
    return x**3


@program(
    {"w": numbers(3, 4), "b": numbers(4), "v": numbers(4, 2, seed=1)}, numbers(5, 3, seed=2), numbers(5, 2, seed=3)
)
def mlp(params: Any, x: Any, y: Any) -> Any:
    h = jnp.tanh(x @ params["w"] + params["b"])
    h = jax.nn.relu(h)
    out = h @ params["v"]
    return jnp.mean((out - y) ** 2)


@program(numbers(3, 3, 1, 2), numbers(2, 6, 6, 1, seed=1))
def conv(kernel: Any, image: Any) -> Any:
    out = jax.lax.conv_general_dilated(image, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    return jnp.sum(jax.nn.sigmoid(out) ** 2)


@program(numbers(4, 3), jnp.array([0, 2, 1, 1]))
def cross_entropy(logits: Any, labels: Any) -> Any:
    logp = jax.nn.log_softmax(logits)
    return -jnp.mean(jnp.take_along_axis(logp, labels[:, None], axis=1))


@program(numbers(5, 4), numbers(3, 4, 4, seed=1))
def attention(x: Any, w: Any) -> Any:
    q, k, v = jnp.einsum("td,cde->cte", x, w)
    scores = jax.nn.softmax(q @ k.T / jnp.sqrt(4.0))
    return jnp.sum((x + scores @ v) ** 2)


@jax.custom_vjp
def clipped(x: Any, y: Any) -> Any:
    return jnp.sin(x) * y


def clipped_forward(x: Any, y: Any) -> Any:
    return clipped(x, y), (jnp.cos(x), y)


def clipped_backward(kept: Any, d: Any) -> Any:
    slope, y = kept
    return jnp.clip(d * slope * y, -0.5, 0.5), d


clipped.defvjp(clipped_forward, clipped_backward)


@program(numbers(3), numbers(3, seed=1))
def custom_vjp(x: Any, y: Any) -> Any:
    return jnp.sum(clipped(x, y) * 2.0)


@jax.custom_jvp
def safe(x: Any) -> Any:
    return jnp.log1p(jnp.exp(x))


@safe.defjvp
def _safe_jvp(primals: Any, tangents: Any) -> Any:
    (x,), (d,) = primals, tangents
    return safe(x), d * (1 - 1 / (1 + jnp.exp(x)))


@program(numbers(3))
def custom_jvp(x: Any) -> Any:
    return jnp.sum(safe(x) * x)


@jax.checkpoint
def block(x: Any) -> Any:
    return jnp.sin(jnp.cos(x) * 2.0)


@program(numbers(3))
def checkpoint(x: Any) -> Any:
    return jnp.sum(block(x) ** 2)


@jax.checkpoint
def outer_block(x: Any) -> Any:
    return jnp.tanh(block(jnp.exp(x))) * x


@program(numbers(3))
def checkpoint_in_checkpoint(x: Any) -> Any:
    return jnp.sum(outer_block(x) ** 2)


def _policy_block(x: Any) -> Any:
    return jnp.sin(jnp.exp(x @ x) * 2.0)


@program(numbers(3, 3) / 4)
def checkpoint_with_policy(x: Any) -> Any:
    kept = jax.checkpoint(_policy_block, policy=jax.checkpoint_policies.dots_saveable)
    return jnp.sum(kept(x) ** 2)


@program(numbers(3, 4))
def where_and_mask(x: Any) -> Any:
    return jnp.sum(jnp.where(x > 0, x**2, jnp.exp(x)) * (x < 1))


@program(numbers(6, 2), jnp.array([1, 1, 4]))
def gather(table: Any, places: Any) -> Any:
    rows = table[places]
    return jnp.sum(rows**2) + table[0, 1] * table[2:4].sum()


@program(jnp.asarray(numbers(4), jnp.bfloat16))
def bfloat16(x: Any) -> Any:
    return jnp.sum(jnp.exp(x) * x)


@program(numbers(8))
def complex_numbers(x: Any) -> Any:
    z = jnp.exp(1j * x) * x
    return jnp.sum(jnp.abs(z + 1.0) ** 2)


@jax.jit
def layer(x: Any, w: Any) -> Any:
    return jnp.tanh(x @ w)


@program(numbers(3, 3), numbers(2, 3, seed=1))
def jit_inside(w: Any, x: Any) -> Any:
    with jax.named_scope("first"):
        h = layer(x, w)
    return jnp.sum(layer(h, w))


@program((numbers(2), [numbers(2, seed=1), {"deep": numbers(2, seed=2)}]))
def pytree(params: Any) -> Any:
    a, (b, inner) = params
    return jnp.sum(a * b * inner["deep"] * a)


@program(numbers(3), jnp.array([2, 0, 1]), 3)
def integers(x: Any, order: Any, power: Any) -> Any:
    return jnp.sum(x[order] * jnp.arange(3)) ** 2 * power


@program(numbers(4))
def many_uses(x: Any) -> Any:
    y = x * x
    return jnp.sum(y * x + x / y + jnp.sin(x) * x * x)


@program(jnp.abs(numbers(64)) + 0.5)
def one_array_at_two_places(x: Any) -> Any:
    """What comes back to it is added in JAX's order, or the last bits differ."""
    power = x**x
    quotient = jnp.arctan2(x, x) * power
    return jnp.sum(quotient * jnp.sin(x))


@program(numbers(2))
def stopped(x: Any) -> Any:
    return jnp.sum(jax.lax.stop_gradient(x) * x + jnp.floor(x) + jnp.argmax(x))


@program(2.0)
def gradient_inside(x: Any) -> Any:
    return jax.grad(lambda y: jnp.sin(y) * y)(x) ** 2


@program(numbers(3))
def tangent_inside(x: Any) -> Any:
    value, moved = jax.jvp(jnp.tanh, (x,), (jnp.ones(3),))
    return jnp.sum(value * moved)


@program(numbers(3), numbers(3, 3, seed=1))
def solved(b: Any, a: Any) -> Any:
    return jnp.sum(jnp.linalg.solve(a + 4 * jnp.eye(3), b) ** 2)


# Functions with boxes, which JAX runs by its own compiler whatever it is asked: see `boxes` in the tests.
BOXES: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {}


def boxed(*args: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def enter(f: Callable[..., Any]) -> Callable[..., Any]:
        BOXES[f.__name__] = f, args
        return f

    return enter


@boxed(numbers(3), numbers(5, 3, seed=1))
def scan(h: Any, xs: Any) -> Any:
    last, _ = jax.lax.scan(lambda h, x: (jnp.tanh(h + x), None), h, xs)
    return jnp.sum(last)


@boxed(1.5)
def cond(x: Any) -> Any:
    return jax.lax.cond(x > 1, jnp.sin, jnp.cos, x) * x


@boxed(1.5)
def fori(x: Any) -> Any:
    return jax.lax.fori_loop(0, 3, lambda i, c: c * x, x)
