"""What a region keeps besides its inputs: a policy is asked of every value made inside, and says yes or no.

A value that is kept is not computed again.  (The names are those of `jax.checkpoint_policies` in spirit.)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..kinds import Linear
from ..notes import Notes
from ..tensor import Tensor
from ..trace import Application

Policy = Callable[[Application, Tensor], bool]

_named = Linear(
    "checkpoint_name",
    lambda x, label: x,
    lambda dx: dx,
    notes=Notes("x", doc="The same value under a name that policies know."),
)


def checkpoint_name(x: Any, name: str) -> Tensor:
    """The same value, under a name that `save_only` and its like can speak of.

    >>> tf.checkpoint_name(tf.constant([1.0, 2.0]), "a").numpy()
    array([1., 2.], dtype=float32)
    """
    return _named(x, label=name)


def everything(application: Application, value: Tensor) -> bool:
    """Keep all that is made inside: nothing is computed twice.

    >>> f = tf.recompute_grad(lambda x: tf.sin(tf.exp(x)), policy=tf.policies.everything)
    >>> with tf.GradientTape() as tape:
    ...     y = f(tf.Variable([0.0, 1.0]))
    >>> [value.nbytes for value in tape.entries[0].saved]
    [8, 8]
    """
    return True


def nothing(application: Application, value: Tensor) -> bool:
    """Keep the inputs only, as without a policy.

    >>> f = tf.recompute_grad(lambda x: tf.sin(tf.exp(x)), policy=tf.policies.nothing)
    >>> with tf.GradientTape() as tape:
    ...     y = f(tf.Variable([0.0, 1.0]))
    >>> [value.nbytes for value in tape.entries[0].saved]
    []
    """
    return False


def _name(application: Application) -> str | None:
    return application.params["label"] if application.primitive is _named else None


def save_only(*names: str) -> Policy:
    """Keep the values that `checkpoint_name` gave one of these names.

    >>> x = tf.Variable([0.0, 1.0])
    >>> f = tf.recompute_grad(lambda x: tf.sin(tf.checkpoint_name(tf.exp(x), "e")), policy=tf.policies.save_only("e"))
    >>> with tf.GradientTape() as tape:
    ...     y = f(x)
    >>> [value.nbytes for value in tape.entries[0].saved], tape.gradient(y, x).numpy().round(3)
    ([8], array([ 0.54 , -2.478], dtype=float32))
    """
    return lambda application, value: _name(application) in names


def save_any_but(*names: str) -> Policy:
    """Keep every value that `checkpoint_name` gave a name, but for these names.

    >>> name = tf.checkpoint_name
    >>> f = tf.recompute_grad(lambda x: name(tf.exp(name(tf.sin(x), "a")), "b"), policy=tf.policies.save_any_but("a"))
    >>> with tf.GradientTape() as tape:
    ...     y = f(tf.Variable([0.0, 1.0]))
    >>> [value.nbytes for value in tape.entries[0].saved]
    [8]
    """
    return lambda application, value: _name(application) is not None and _name(application) not in names


def save_except(*names: str) -> Policy:
    """Keep every value, named or not, but those of these names.

    What goes into a `checkpoint_name` has no name itself, and is kept: leaving names out does not bound what is kept.

    >>> f = tf.recompute_grad(lambda x: tf.sin(tf.checkpoint_name(tf.exp(x), "e")), policy=tf.policies.save_except("e"))
    >>> with tf.GradientTape() as tape:
    ...     y = f(tf.Variable([0.0, 1.0]))
    >>> [value.nbytes for value in tape.entries[0].saved]
    [8, 8]
    """
    return lambda application, value: _name(application) not in names


def ops(*names: str) -> Policy:
    """Keep what these ops make: `ops("matmul")` keeps products and computes the cheap rest again.

    >>> x, w = tf.Variable(tf.ones([1, 2])), tf.Variable(tf.ones([2, 1]))
    >>> f = tf.recompute_grad(lambda x, w: tf.tanh(x @ w), policy=tf.policies.ops("matmul"))
    >>> with tf.GradientTape() as tape:
    ...     y = f(x, w)
    >>> [value.nbytes for value in tape.entries[0].saved]
    [4]
    """
    return lambda application, value: application.op in names


def larger_than(nbytes: int) -> Policy:
    """Keep values of more than `nbytes` bytes.

    >>> f = tf.recompute_grad(lambda x: tf.exp(tf.reduce_sum(tf.sin(x))), policy=tf.policies.larger_than(4))
    >>> with tf.GradientTape() as tape:
    ...     y = f(tf.Variable([0.0, 1.0]))
    >>> [value.nbytes for value in tape.entries[0].saved]
    [8]
    """
    return lambda application, value: value.tag.nbytes > nbytes


def both(first: Policy, other: Policy) -> Policy:
    """Keep what both policies keep.

    >>> large_sines = tf.policies.both(tf.policies.ops("sin"), tf.policies.larger_than(4))
    >>> f = tf.recompute_grad(lambda x: tf.exp(tf.sin(x)), policy=large_sines)
    >>> with tf.GradientTape() as tape:
    ...     y = f(tf.Variable([0.0, 1.0]))
    >>> [value.nbytes for value in tape.entries[0].saved]
    [8]
    """
    return lambda application, value: first(application, value) and other(application, value)


__all__ = [
    "Policy", "both", "checkpoint_name", "everything", "larger_than", "nothing", "ops", "save_any_but", "save_except",
    "save_only",
]  # fmt: skip
