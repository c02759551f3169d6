"""`recompute_grad`: a function as a recompute region."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, overload

import numpy as np

from .. import nest
from ..compatible import tensorflow
from ..decorated import Arguments, Decorated, Value
from ..grad_function import argument_names
from ..record.naming import called
from ..record.refusal import type_error, value_error
from ..tensor import convert
from .policies import Policy
from .region import Settings, run


class Recomputed(Decorated[Arguments, Value]):
    """What `recompute_grad` returns: called, it runs the function as a region."""

    def __init__(self, function: Callable[Arguments, Value], settings: Settings) -> None:
        self.__wrapped__ = function
        self.__name__ = getattr(function, "__name__", "inner")
        self.__doc__ = getattr(function, "__doc__", None)
        self._settings = settings

    def __call__(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Value:
        template, leaves = _taken_apart((args, kwargs))
        settings, names = self._settings, _names(self.__wrapped__, args, kwargs)
        if tensorflow():
            leaves = [convert(leaf) if isinstance(leaf, int | float | np.generic) else leaf for leaf in leaves]
            settings = settings._replace(
                preserve_rng=False,
                determinism="off",
                early_stop=False,
                leaves=len(nest.flatten(args)),
                captures=False,
                zeros=True,
                transposes=False,
            )
        value: Value = run(functools.partial(_call, self.__wrapped__, template), leaves, names, settings)
        return value

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(
            f"the function that recompute_grad made has no {name!r}; what it wraps may: .__wrapped__.{name}"
        )

    def __repr__(self) -> str:
        return f"<recompute_grad of {self.__name__}>"


@overload
def recompute_grad(f: Callable[Arguments, Value], **options: Any) -> Recomputed[Arguments, Value]: ...
@overload
def recompute_grad(
    f: None = None, **options: Any
) -> Callable[[Callable[Arguments, Value]], Recomputed[Arguments, Value]]: ...
def recompute_grad(  # type: ignore[misc]  # the overloads leave the options to this signature
    f: Callable[..., Any] | None = None,
    *,
    higher_order: str = "record",
    preserve_rng: bool = True,
    determinism: str = "metadata",
    policy: Policy | None = None,
    early_stop: bool = False,
    name: str | None = None,
) -> Any:
    """The function as a recompute checkpoint: tapes keep its inputs only, and it runs again for each gradient.

    Arguments, keyword arguments, variables and tensors from outside all get their gradients, in any order of
    differentiation and under accumulators.  (TensorFlow: `tf.recompute_grad`; the technique: Chen et al. 2016.)

    Args: f, the function, or nothing for a decorator with options; higher_order, what outer tapes see of a gradient:
    "record" the rerun op by op, "recompute" one more region; preserve_rng, draw the same random numbers again;
    determinism, what is compared between runs: "off", "metadata" (ops, shapes, dtypes) or "values"; policy, what to keep
    besides inputs (`policies`); early_stop, leave the function as soon as all numbers that the pullbacks read are there again
    (not while a picture is recorded, under accumulators, or with determinism="values"); name, in records, by default the
    function's.

    Raises TypeError for what is no function; RecomputeMismatchError where a rerun does something else than the first run.
    Warns where that cannot be ruled out: VariableChangedWarning, NonDeterministicRecomputeWarning,
    RecomputeSideEffectWarning.

    >>> y = tf.Variable(1.0)
    >>> @tf.recompute_grad
    ... def times_y(x):
    ...     print("running")
    ...     return x * y
    >>> with tf.GradientTape() as tape:
    ...     r = times_y(tf.constant(1.0))
    running
    >>> print(tape.gradient(r, y).numpy())
    running
    1.0
    """
    for what, given, allowed in (
        ("higher_order", higher_order, ("record", "recompute")),
        ("determinism", determinism, ("off", "metadata", "values")),
    ):
        if given not in allowed:
            raise value_error(f"{what} is one of {', '.join(map(repr, allowed))}, got {given!r}")
    if policy is not None and not callable(policy):
        raise type_error(
            f"policy is one of tf.policies, or a function like them, got {policy!r}",
            'Such as tf.policies.ops("matmul").',
        )
    if f is None:
        return functools.partial(
            recompute_grad, higher_order=higher_order, preserve_rng=preserve_rng, determinism=determinism, policy=policy,
            early_stop=early_stop, name=name,
        )  # fmt: skip
    if not callable(f):
        raise type_error(f"recompute_grad wraps a function, got {f!r}", "Wrap what computes: tf.recompute_grad(f)(x).")
    title = name or called(f) or getattr(f, "name", None) or type(f).__name__
    return Recomputed(f, Settings(title, higher_order, preserve_rng, determinism, policy, early_stop))


def _taken_apart(structure: Any) -> tuple[Any, list[Any]]:
    leaves = nest.flatten(structure)
    return nest.pack_sequence_as(structure, range(len(leaves))), leaves


def _call(function: Callable[..., Any], template: Any, leaves: list[Any]) -> Any:
    args, kwargs = nest.map_structure(lambda index: leaves[index], template)
    return function(*args, **kwargs)


def _names(function: Any, args: Any, kwargs: Any) -> list[str]:
    """What the function calls each leaf of its arguments."""
    by_name = [key for key in sorted(kwargs) for _ in nest.flatten(kwargs[key])]
    return argument_names(function, args) + by_name
