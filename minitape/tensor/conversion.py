"""From Python's numbers and NumPy's arrays to tensors, with TensorFlow's defaults for dtypes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..dtypes import as_dtype
from ..errors import MaskDropped, ResourceExhaustedError
from ..record.busy import NOT_GIVEN, missing
from ..record.events import emit, state
from ..record.refusal import described, printable, refusal, type_error, unexplained, value_error
from ..record.warning import warn
from .operand import Operand
from .value import Tensor, created, make

_INT32 = np.iinfo(np.int32)


def to_array(value: Any, dtype: np.dtype[Any] | None = None) -> np.ndarray:
    """A fresh array with TensorFlow's defaults: Python floats are float32, Python ints int32, NumPy arrays keep their dtype."""
    # By far the most frequent: no need to ask further.
    if type(value) is float and (dtype is None or dtype.kind in "fc"):
        surely_fits = dtype is not None or -3.4e38 < value < 3.4e38
        return np.array(value, dtype or np.float32) if surely_fits else _float32(np.array(value))
    if isinstance(value, Operand):
        value = value.array_now
    if isinstance(value, str | bytes) and dtype is not None and dtype.kind != "O":
        raise _not_of(dtype, value, "Make a number of it first: float(text).")
    if dtype is not None and dtype.kind == "O" or isinstance(value, str | bytes):
        return _bytes(np.array(value, dtype=object))
    array = _gathered(value)
    if array.dtype.kind in "US":
        return _bytes(array.astype(object))
    if dtype is None:
        return _as_usual(value, array)
    if not isinstance(value, np.ndarray | np.generic) and not _fits(array, dtype):
        raise _not_of(
            dtype, value,
            "Make the tensor first and convert it then: tf.cast(tf.constant(...), dtype); to whole numbers that cuts off.",
        )  # fmt: skip
    return array.astype(dtype)


def _not_of(dtype: np.dtype[Any], value: Any, advice: str) -> Exception:
    return type_error(f"Cannot convert {described(value)} to a tensor of dtype {as_dtype(dtype).name}", advice)


def _as_usual(value: Any, array: np.ndarray) -> np.ndarray:
    """What came of a value, in the dtype that it has where nobody asks for one."""
    if isinstance(value, np.ndarray | np.generic) or isinstance(_first_leaf(value), np.generic | np.ndarray):
        return array
    if array.dtype == np.float64:
        return _float32(array)
    if array.dtype == np.int64 and (array.size == 0 or (array.min() >= _INT32.min and array.max() <= _INT32.max)):
        return array.astype(np.float32 if array.size == 0 and isinstance(value, list | tuple) else np.int32)
    return array


def _gathered(value: Any) -> np.ndarray:
    """The array that NumPy makes of a value; ValueError where it is not what a tensor can hold."""
    if isinstance(value, np.ndarray) and type(value) is not np.ndarray and np.any(getattr(value, "mask", False)):
        warn(
            MaskDropped,
            "a masked array became a tensor, which has no masks: what lies under the mask counts like everything else.\n"
            "  Write values.filled(0.0) for the number that is to stand there, or tf.where(mask, ...).",
        )
    try:
        array = np.array(value)
    except RecursionError:
        raise _in_itself() from None
    except ValueError as problem:
        if hasattr(problem, "site"):  # a refusal already, with a better reason
            raise
        raise value_error(
            f"Can't convert non-rectangular Python sequence to Tensor: {described(value)} has rows of different lengths. "
            "Give every row the same number of elements."
        ) from None
    except Exception as problem:
        raise no_tensor_from(value, problem) from None
    if isinstance(value, list | tuple):
        _of_one_kind(value, array.dtype.kind)
    if array.dtype.kind == "O":
        raise value_error(
            f"Attempt to convert a value ({described(value)}) with an unsupported type ({type(value)}) to a Tensor.",
            "Of a gradient that is None, tape.why(target, source) says why."
            if value is None
            else "Tensors hold numbers, booleans or text: give it those, in nested lists or a NumPy array.",
        )
    if array.dtype.kind in "mMV" or array.dtype.char in "gG":
        raise value_error(
            f"Failed to convert a NumPy array to a Tensor: there is no dtype for NumPy's {array.dtype}",
            "Make numbers of it that there are: array.astype('float64'), or a column of it, array['name'].",
        )
    return array if array.dtype.byteorder in "=|" else array.astype(array.dtype.newbyteorder("="))


def _of_one_kind(values: Any, kind: str) -> None:
    """Raise ValueError for a sequence that NumPy made one dtype of, and TensorFlow would not."""
    if kind in "US" and not all(isinstance(leaf, str | bytes | np.ndarray) for leaf in _leaves(values)):
        has = "has texts and numbers"
        advice = "Numbers alone, or texts alone: float(text) makes a number, str(number) a text."
    elif kind in "iufc" and isinstance(_first_leaf(values), bool | np.bool_):
        has = "begins with a boolean and goes on with numbers"
        advice = "Write 1 for True and 0 for False, or booleans throughout."
    else:
        return
    raise value_error(f"Can't convert Python sequence with mixed types to Tensor: {described(values)} {has}", advice)


def _float32(array: np.ndarray) -> np.ndarray:
    """Python's floats, as tensors have them; ValueError for one that a float32 cannot hold, where nobody asked for a dtype."""
    with np.errstate(over="ignore"):
        short = array.astype(np.float32)
    beyond = np.isinf(short) & np.isfinite(array)
    if beyond.any():
        raise value_error(
            f"Can't convert Python sequence with a value out of range: {array[beyond][0]} is beyond the largest float32, 3.4e38",
            "Ask for more digits: dtype=tf.float64.",
        )
    return short


def no_tensor_from(value: Any, problem: Exception) -> Exception:
    """What to raise where no tensor came of a value: the refusal that says why, or one for an error that nobody thought of."""
    if value is NOT_GIVEN:
        return missing()
    if not unexplained(problem):
        return problem
    if isinstance(problem, RecursionError):
        return _in_itself()
    kind: Any = ResourceExhaustedError if isinstance(problem, MemoryError) else ValueError
    answer: Exception = refusal(
        kind,
        f"{described(value)} cannot be a tensor",
        "Tensors hold numbers, booleans or text, as far as memory goes; "
        f"{type(problem).__name__}: {printable(str(problem), 200)}",
    )
    return answer


def _in_itself() -> ValueError:
    return value_error(
        "a list that contains itself, or one nested a hundred deep, cannot be a tensor or a structure of tensors",
        "Build it of other lists: print it to see where it comes back to itself.",
    )


def _bytes(array: np.ndarray) -> np.ndarray:
    """Strings as TensorFlow keeps them: bytes, in UTF-8."""
    encoded = np.empty(array.shape, object)
    for index in np.ndindex(array.shape):
        text = array[index]
        try:
            encoded[index] = text.encode() if isinstance(text, str) else text
        except UnicodeEncodeError as problem:  # half of a surrogate pair
            raise no_tensor_from(text, problem) from None
    return encoded


def _first_leaf(value: Any) -> Any:
    while isinstance(value, list | tuple) and value:
        value = value[0]
    return value


def _leaves(value: Any) -> Iterator[Any]:
    for part in value:
        if isinstance(part, list | tuple):
            yield from _leaves(part)
        else:
            yield part


def _fits(array: np.ndarray, dtype: np.dtype[Any]) -> bool:
    if not array.size:
        return True
    order = "biufc"
    kind, wanted = array.dtype.kind, dtype.kind
    if kind == "b" or wanted == "b":
        return kind == "b"
    return order.index("i" if kind == "u" else kind) <= order.index("i" if wanted == "u" else wanted)


DEEPEST = 100  # lists in lists: NumPy has 64 axes at most


def has_tensors(value: Any, deeper: int = DEEPEST) -> bool:
    """True for a list or tuple with a tensor or variable somewhere in it; raises RecursionError where it contains itself."""
    if isinstance(value, list | tuple):
        if not deeper:
            raise RecursionError
        return any(has_tensors(element, deeper - 1) for element in value)
    return isinstance(value, Operand)


def _pack(values: Any, dtype: Any) -> Tensor:
    raise NotImplementedError  # ops/shapes.py gives the real one: a list of tensors becomes their stack


pack = _pack


def convert(value: Any, dtype: Any = None, hint: np.dtype[Any] | None = None) -> Tensor:
    """The value as a tensor to compute with: a tensor itself, a variable's reading, or a new constant.

    `hint` is the dtype of the other operand: Python numbers and NumPy arrays take it if they can.
    """
    if isinstance(value, Operand):
        tensor = value.tensor_now
        if dtype is not None and tensor.tag.dtype != as_dtype(dtype).numpy_dtype:
            raise value_error(
                f"Tensor conversion requested dtype {as_dtype(dtype).name} for Tensor with dtype {tensor.dtype.name}: "
                f"{value!r}. Convert it yourself: tf.cast(value, tf.{as_dtype(dtype).name})"
            )
        return tensor
    if value is None:
        raise value_error(
            "None values not supported: a tensor was expected. A gradient that is None, perhaps? Ask tape.why(target, source).  "
            "Or a function that has no `return`?"
        )
    try:
        packed = has_tensors(value)
    except RecursionError:
        raise _in_itself() from None
    if packed:
        return pack(value, dtype)
    try:
        wanted = None if dtype is None else as_dtype(dtype).numpy_dtype
        if wanted is None and hint is not None and _takes(value, hint):
            wanted = hint
        tensor = make(to_array(value, wanted))
    except Exception as problem:
        raise no_tensor_from(value, problem) from None
    if state.listeners:
        emit("made", (tensor,), tag=tensor.tag, kind="constant", implicit=True)
    return tensor


def _takes(value: Any, hint: np.dtype[Any]) -> bool:
    if hint.kind == "O":
        return False
    if type(value) is float:
        return hint.kind in "fc"
    array = np.asarray(value)
    return array.dtype.kind in "biufc" and _fits(array, hint)


def constant(value: Any, dtype: Any = None, shape: Any = None, name: str = "Const") -> Tensor:
    """A tensor that holds a copy of the value; of a tensor it is the tensor itself, of a variable its number of now.

    Args: value, a number, nested list or array; dtype, by default float32 for Python floats, int32 for Python ints, and
    the array's own for NumPy; shape, to fill or reshape to.  Raises ValueError for rows of different lengths and TypeError
    for numbers that the dtype cannot hold, and for a tensor of another dtype.

    >>> tf.constant([[1, 2], [3, 4]], dtype=tf.float32)
    <tf.Tensor: shape=(2, 2), dtype=float32, numpy=
    array([[1., 2.],
           [3., 4.]], dtype=float32)>
    """
    wanted = None if dtype is None else as_dtype(dtype).numpy_dtype
    if isinstance(value, Operand):
        if wanted is not None and value.tag.dtype != wanted:
            raise type_error(
                f"Expected tensor {value!r} with dtype {as_dtype(dtype).name}, but got dtype {value.dtype.name}.",
                f"Convert it: tf.cast(x, tf.{as_dtype(dtype).name}).",
            )
        if isinstance(value, Tensor) and (shape is None or tuple(shape) == value.tag.shape):
            return value
        value = value._leave("tf.constant")
    array = to_array(value, wanted)
    if shape is not None:
        size = int(np.prod(shape, dtype=int))
        if array.size not in (1, size):
            raise type_error(
                f"Eager execution of tf.constant with unsupported shape: {array.size} elements into {tuple(shape)}",
                "The numbers must fill the shape, or be one number for all of it.",
            )
        array = array.reshape(shape) if array.size == size else np.full(shape, array.reshape(()), array.dtype)
        array = array.copy() if array.base is not None else array
    return created(array)
