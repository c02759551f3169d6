"""The kinds of number a tensor may hold, under TensorFlow's names."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from .record.refusal import described, type_error


class DType:
    """One kind of number: its name, and the NumPy dtype behind it.

    >>> tf.float32
    tf.float32
    >>> print(tf.float32)
    <dtype: 'float32'>
    >>> tf.float32 == "float32", tf.float32.is_floating, tf.float32.size
    (True, True, 4)
    """

    __slots__ = (
        "as_numpy_dtype", "is_bool", "is_complex", "is_floating", "is_integer", "is_unsigned", "name", "numpy_dtype", "size",
    )  # fmt: skip

    def __init__(self, name: str, numpy_dtype: Any) -> None:
        self.name = name
        self.numpy_dtype: np.dtype[Any] = np.dtype(numpy_dtype)
        self.as_numpy_dtype = self.numpy_dtype.type
        self.size = self.numpy_dtype.itemsize  # bytes of one number
        kind = self.numpy_dtype.kind
        self.is_floating, self.is_complex, self.is_bool = kind == "f", kind == "c", kind == "b"
        self.is_integer, self.is_unsigned = kind in "iu", kind == "u"  # unsigned integers are integers too

    @property
    def min(self) -> Any:
        """The lowest number that it can hold."""
        return np.finfo(self.numpy_dtype).min if self.is_floating else np.iinfo(self.numpy_dtype).min

    @property
    def max(self) -> Any:
        """The highest number that it can hold."""
        return np.finfo(self.numpy_dtype).max if self.is_floating else np.iinfo(self.numpy_dtype).max

    @property
    def real_dtype(self) -> DType:
        """The dtype of the real part."""
        return as_dtype(np.empty(0, self.numpy_dtype).real.dtype)

    @property
    def base_dtype(self) -> DType:
        """Itself: there are no reference dtypes here."""
        return self

    def __eq__(self, other: Any) -> builtins.bool:
        if other is None:
            return False
        try:
            return self.name == as_dtype(other).name
        except Exception:  # whatever else it is, no dtype
            return NotImplemented

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce__(self) -> Any:
        return as_dtype, (self.name,)

    def __repr__(self) -> str:
        return f"tf.{self.name}"

    def __str__(self) -> str:
        return f"<dtype: {self.name!r}>"

    @property
    def __array_interface__(self) -> Any:
        raise AttributeError  # so that NumPy asks `dtype` below instead of guessing

    @property
    def dtype(self) -> np.dtype[Any]:
        """The NumPy dtype: lets NumPy take a DType wherever it takes its own."""
        return self.numpy_dtype


_NUMBERS = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float16", "float32", "float64", "complex64", "complex128",
)  # fmt: skip
bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float16, float32, float64, complex64, complex128 = (  # noqa: A001
    DType(name, name) for name in _NUMBERS
)
string = DType("string", object)
half, double = float16, float64

_BY_NAME = {dtype.name: dtype for dtype in (
    bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float16, float32, float64, complex64, complex128, string,
)}  # fmt: skip
_BY_NAME["float"] = float32  # which NumPy takes for float64
_BY_NUMPY = {dtype.numpy_dtype: dtype for dtype in _BY_NAME.values()}


_KNOWN = "Write one that there is: tf.float32, tf.float64, tf.int32, tf.int64, tf.bool …"


def as_dtype(value: Any) -> DType:
    """The DType for a DType, a NumPy dtype, a Python type or a name; raises TypeError for anything else.

    >>> tf.as_dtype("float64"), tf.as_dtype(np.int32), tf.as_dtype(float)
    (tf.float64, tf.int32, tf.float32)
    """
    if isinstance(value, DType):
        return value
    if value is None:  # which NumPy takes for float64
        raise type_error("Cannot convert None to a minitape dtype", _KNOWN)
    if value is float:
        return float32
    if value is int:
        return int32
    if isinstance(value, str) and value in _BY_NAME:
        return _BY_NAME[value]
    try:
        dtype = np.dtype(value)
    except Exception:
        number = type(value).__name__ in ("int", "float")
        advice = "A number stands where a dtype belongs: a shape is one list, tf.zeros([3, 4])." if number else _KNOWN
        raise type_error(f"Cannot convert {described(value)} to a minitape dtype", advice) from None
    if dtype.kind in "US":
        return string
    found = _BY_NUMPY.get(dtype.newbyteorder("="))
    if found is None:
        raise type_error(
            f"Cannot convert {described(value)} to a minitape dtype: NumPy's {dtype} has no counterpart", _KNOWN
        )
    return found


_LOSES_LEAST = "biufc"  # the kinds of number: to the right of each are those that can hold it


def mixed(first: np.dtype, other: np.dtype) -> str:
    """What to type where two kinds of number meet: whole numbers become floats, and not the other way round.

    >>> mixed(np.dtype("int32"), np.dtype("float32"))
    'dtypes never mix silently: convert one side, tf.cast(value, tf.float32).'
    >>> mixed(np.dtype("object"), np.dtype("float32"))
    'A text is no number: float(text) makes one, and f"{x}" a text of a number.'
    """
    if "O" in (first.kind, other.kind):
        return 'A text is no number: float(text) makes one, and f"{x}" a text of a number.'
    wanted = max(first, other, key=lambda dtype: _LOSES_LEAST.find(dtype.kind))
    return f"dtypes never mix silently: convert one side, tf.cast(value, tf.{wanted.name})."
