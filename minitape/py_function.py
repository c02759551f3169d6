"""Plain Python between tensors: what TensorFlow needs a call for, because elsewhere it traces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from . import nest
from .dtypes import as_dtype
from .errors import InvalidArgumentError
from .record.refusal import refusal
from .tensor import Operand, convert


def numpy_function(
    func: Callable[..., Any], inp: Any, Tout: Any, stateful: bool = True, name: str | None = None
) -> Any:
    """What a function of NumPy arrays answers, as tensors; no gradient passes through, and `tape.why` says where it ended.

    `Tout` is not asked, as in eager TensorFlow: a result has the dtype that the function gave it.

    >>> numpy_function(np.sinh, [convert(1.0)], "float32").numpy()
    np.float32(1.1752012)
    """
    answer = func(*[value._read().numpy() if isinstance(value, Operand) else np.array(value) for value in inp])
    answers = [None if part is None else convert(part) for part in nest.flatten(answer)]
    return answers[0] if len(answers) == 1 else answers


def py_function(func: Callable[..., Any], inp: Any, Tout: Any, name: str | None = None) -> Any:
    """What a function of tensors answers, as tensors of the dtypes `Tout`; tapes follow it inside.

    Raises InvalidArgumentError for another number of results than dtypes, ValueError for a tensor of another dtype.

    >>> py_function(lambda x: x * x, [3.0], "float32").numpy()
    np.float32(9.0)
    """
    answer = func(*[convert(value) for value in inp])
    if not isinstance(Tout, list | tuple):
        return _as(answer, Tout)
    parts: Sequence[Any] = answer if isinstance(answer, list | tuple) else [] if answer is None else [answer]
    if len(parts) != len(Tout):
        raise refusal(
            InvalidArgumentError,
            f"{getattr(func, '__name__', 'the function')} returns {len(parts)} values, but expects to see {len(Tout)} values.",
            "Tout names a dtype for each.",
        )
    return [_as(part, kind) for part, kind in zip(parts, Tout, strict=True)]


def _as(value: Any, kind: Any) -> Any:
    if isinstance(value, Operand):
        return convert(value, kind)
    return convert(value, as_dtype(kind))
