"""Plain Python functions between tensors, for which TensorFlow has calls because it may trace."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from . import nest
from .dtypes import as_dtype
from .record.refusal import invalid_argument
from .tensor import Operand, convert


def numpy_function(
    func: Callable[..., Any] | None = None,
    inp: Any = None,
    Tout: Any = None,
    stateful: bool = True,
    name: str | None = None,
) -> Any:
    """The results of a function of NumPy arrays, as tensors; no gradient passes, and `tape.why` says where it ended.

    As in eager TensorFlow `Tout` is ignored: a result has the dtype that the function gave it.  Without `func` it decorates.

    >>> tf.numpy_function(np.sinh, [tf.constant(1.0)], "float32").numpy()
    np.float32(1.1752012)
    >>> @tf.numpy_function(Tout="float32")
    ... def twice(x):
    ...     return 2 * x
    >>> twice(tf.constant(1.5)).numpy()
    np.float32(3.0)
    """
    if func is None:
        return _decorates(numpy_function, Tout=Tout, stateful=stateful, name=name)
    answer = func(*[value.tensor_now.numpy() if isinstance(value, Operand) else np.array(value) for value in inp])
    answers = [None if part is None else convert(part) for part in nest.flatten(answer)]
    return answers[0] if len(answers) == 1 else answers


def py_function(
    func: Callable[..., Any] | None = None, inp: Any = None, Tout: Any = None, name: str | None = None
) -> Any:
    """The results of a function of tensors, as tensors of the dtypes `Tout`; tapes follow its ops.  Without `func` it decorates.

    Raises InvalidArgumentError for another number of results than dtypes, ValueError for a tensor of another dtype.

    >>> tf.py_function(lambda x: x * x, [3.0], "float32").numpy()
    np.float32(9.0)
    """
    if func is None:
        return _decorates(py_function, Tout=Tout, name=name)
    answer = func(*[convert(value) for value in inp])
    if not isinstance(Tout, list | tuple):
        return _as(answer, Tout)
    parts: Sequence[Any] = answer if isinstance(answer, list | tuple) else [] if answer is None else [answer]
    if len(parts) != len(Tout):
        raise invalid_argument(
            f"{getattr(func, '__name__', 'the function')} returns {len(parts)} values, but expects to see {len(Tout)} values.",
            "Tout names a dtype for each.",
        )
    return [_as(part, kind) for part, kind in zip(parts, Tout, strict=True)]


def _decorates(whole: Callable[..., Any], **options: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def decorate(func: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(func)
        def call(*inputs: Any) -> Any:
            return whole(func, inputs, **options)

        return call

    return decorate


def _as(value: Any, kind: Any) -> Any:
    if isinstance(value, Operand):
        return convert(value, kind)
    return convert(value, as_dtype(kind))
