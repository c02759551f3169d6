"""`RecomputeWrapper`: the simplest child of the wrapper class, which keeps its inputs and runs all of its layer again."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, ClassVar

from .. import nest
from ..record.refusal import type_error, value_error
from ..tensor import Operand
from .grad import recompute_grad
from .inside import Inside, run_body
from .wrapper import AbstractRecomputeWrapper


class RecomputeWrapper(AbstractRecomputeWrapper):
    """A layer or function that keeps its inputs only and runs again for its gradient; keyword arguments count as inputs.

    Args: layer; preserve_rng, determinism, name, higher_order, policy and early_stop, as for `recompute_grad`.  With one of the
    last three the layer runs as a region of `recompute_grad`, and `_gradient` is not called.  Raises TypeError for a layer
    that cannot be called; RecomputeMismatchError, at the gradient, where the layer does something else when it runs again.

    >>> v = tf.Variable(3.0)
    >>> wrapped = tf.RecomputeWrapper(lambda x, scale: tf.sin(x) * v * scale)
    >>> with tf.GradientTape() as tape:
    ...     y = wrapped(tf.constant(0.5), scale=2.0)
    >>> round(float(tape.gradient(y, v)), 5)
    0.95885
    """

    keeps_outputs: ClassVar[bool] = False
    compares: ClassVar[bool] = True

    def __init__(
        self,
        layer: Callable[..., Any],
        *,
        preserve_rng: bool = True,
        determinism: str = "metadata",
        name: str | None = None,
        **region: Any,
    ) -> None:
        if not callable(layer):
            raise type_error(f"RecomputeWrapper wraps a layer or a function, got {layer!r}")
        if determinism not in ("off", "metadata", "values"):
            raise value_error(f"determinism is one of 'off', 'metadata', 'values', got {determinism!r}")
        self.layer, self.preserve_rng, self.determinism, self.name = layer, preserve_rng, determinism, name
        self._region: Callable[..., Any] | None = None
        if region:
            as_region = recompute_grad(preserve_rng=preserve_rng, determinism=determinism, name=self._called, **region)
            self._region = as_region(lambda args, kwargs: self.call(args, kwargs))

    @property
    def _called(self) -> str:
        return self.name or type(self).__name__

    def call(self, args: Any, kwargs: Any) -> Any:
        """The layer itself."""
        return self.layer(*args, **kwargs)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._region is not None:
            return self._region(args, kwargs)
        return self._call((args, kwargs), {})

    def _gradient(self, grad_ys: Any, rev_ys: Any, **grad_kwargs: Any) -> tuple[Any, ...]:
        inputs = list(self._record.inputs)
        again = functools.partial(self._block_recompute_and_gradients, self._again, inputs)
        _, grad_xs, grad_vars, _ = again(list(grad_ys), grad_kwargs.get("variables", ()))
        flat = zip(nest.flatten(grad_xs), nest.flatten(inputs), strict=True)
        grads = [gradient for gradient, given in flat if isinstance(given, Operand)]
        return grads, [None] * len(grads), grad_vars

    def _again(self, args: Any, kwargs: Any) -> Any:
        """The layer once more, compared with what it did when it was called."""
        script = None if self.determinism == "off" else self._record.script
        inside = Inside(self._called, set(), values=self.determinism == "values", script=script)
        value, _ = run_body(lambda leaves: self.call(args, kwargs), [], inside)
        return value
