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

    >>> import minitape as tf
    >>> float(checkpoint_name(tf.constant(2.0), "a"))
    2.0
    """
    answer: Tensor = _named(x, label=name)
    return answer


def everything(application: Application, value: Tensor) -> bool:
    """Keep all that is made inside: nothing is computed twice."""
    return True


def nothing(application: Application, value: Tensor) -> bool:
    """Keep the inputs only, as without a policy."""
    return False


def _name(application: Application) -> str | None:
    return application.params["label"] if application.primitive is _named else None


def save_only(*names: str) -> Policy:
    """Keep the values that `checkpoint_name` gave one of these names.

    >>> import minitape as tf
    >>> f = tf.recompute_grad(lambda x: tf.sin(checkpoint_name(tf.exp(x), "e")), policy=save_only("e"))
    >>> x = tf.Variable(0.0)
    >>> with tf.GradientTape() as tape:
    ...     y = f(x)
    >>> round(float(tape.gradient(y, x)), 4)
    0.5403
    """
    return lambda application, value: _name(application) in names


def save_any_but(*names: str) -> Policy:
    """Keep every named value but these."""
    return lambda application, value: _name(application) is not None and _name(application) not in names


def save_except(*names: str) -> Policy:
    """Keep every value, named or not, but these.

    What goes into a `checkpoint_name` has no name itself, and is kept: leaving names out does not bound what is kept.
    """
    return lambda application, value: _name(application) not in names


def ops(*names: str) -> Policy:
    """Keep what these ops make: `ops("matmul")` keeps products and computes the cheap rest again.

    >>> import minitape as tf
    >>> keep_products = ops("matmul")
    >>> f = tf.recompute_grad(lambda x, w: tf.tanh(x @ w), policy=keep_products)
    >>> f(tf.ones([1, 2]), tf.ones([2, 1])).numpy().round(2)
    array([[0.96]], dtype=float32)
    """
    return lambda application, value: application.op in names


def larger_than(nbytes: int) -> Policy:
    """Keep values of more bytes than this."""
    return lambda application, value: value.tag.nbytes > nbytes


def both(first: Policy, other: Policy) -> Policy:
    """Keep what both policies keep."""
    return lambda application, value: first(application, value) and other(application, value)


__all__ = [
    "Policy", "both", "checkpoint_name", "everything", "larger_than", "nothing", "ops", "save_any_but", "save_except",
    "save_only",
]  # fmt: skip
