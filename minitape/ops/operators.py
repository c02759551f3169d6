"""Python's operators on tensors and variables: `x * y` is `multiply(x, y)`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..primitive import Primitive
from ..record.refusal import type_error
from ..tensor import Operand, constant, convert
from . import bits
from . import elementwise as e
from .linalg import matmul
from .shapes import broadcastable
from .slicing import getitem


def _binary(op: Callable[[Any, Any], Any]) -> tuple[Callable[[Any, Any], Any], Callable[[Any, Any], Any]]:
    if isinstance(op, Primitive):  # straight to the trace: operators are what a program is made of
        return _first_time(op, "run"), _first_time(op, "run_reflected")

    def reflected(self: Any, other: Any) -> Any:
        # What stands left of a tensor takes its dtype, as a row does it: a float64 array of NumPy's, say.
        return op(convert(other, hint=self.tag.dtype), self)

    return (lambda self, other: op(self, other)), reflected


def _first_time(op: Primitive, run: str) -> Callable[[Any, Any], Any]:
    """The operator until its first use, which replaces it by the function that computes the op."""

    def operator(self: Any, other: Any) -> Any:
        for name, there in list(vars(Operand).items()):
            if there is operator:
                setattr(Operand, name, getattr(op, run))
        return getattr(op, run)(self, other)

    return operator


_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "add": e.add, "sub": e.subtract, "mul": e.multiply, "truediv": e.divide, "floordiv": e.floordiv, "mod": e.floormod,
    "pow": e.pow, "matmul": matmul,
}  # fmt: skip
_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "lt": e.less,
    "le": e.less_equal,
    "gt": e.greater,
    "ge": e.greater_equal,
}


def _bits(logical: Any, bitwise: Any) -> Callable[..., Any]:
    """Logical ops for booleans, bitwise ops for whole numbers."""

    def op(*operands: Any) -> Any:
        whole = any(operand.tag.dtype.kind in "iu" for operand in operands if isinstance(operand, Operand))
        return (bitwise if whole else logical)(*operands)

    return op


_OPERATORS["and"] = _bits(e.logical_and, bits.bitwise_and)
_OPERATORS["or"] = _bits(e.logical_or, bits.bitwise_or)
_OPERATORS["xor"] = _bits(e.logical_xor, bits.bitwise_xor)
for _name, _op in _OPERATORS.items():
    _forward, _reflected = _binary(_op)
    setattr(Operand, f"__{_name}__", _forward)
    setattr(Operand, f"__r{_name}__", _reflected)
for _name, _op in _COMPARISONS.items():
    setattr(Operand, f"__{_name}__", _binary(_op)[0])


def _equal(self: Any, other: Any) -> Any:
    # Where shapes do not fit nothing is equal: one False, as in TensorFlow.
    return False if other is None else e.equal(self, other) if _fit(self, other) else constant(False)


def _not_equal(self: Any, other: Any) -> Any:
    return True if other is None else e.not_equal(self, other) if _fit(self, other) else constant(True)


def _fit(x: Any, y: Any) -> bool:
    try:
        return broadcastable(x.shape, np.shape(y.array_now if isinstance(y, Operand) else y))
    except ValueError:  # it is no array: the comparison itself says why
        return True


def _unhashable(self: Any) -> int:
    raise type_error(
        f"{type(self).__name__} is unhashable. Instead, use {type(self).__name__.lower()}.ref() as the key."
    )


_OTHERS: dict[str, Callable[..., Any]] = {
    "__eq__": _equal, "__ne__": _not_equal, "__hash__": _unhashable, "__getitem__": getitem,
    "__neg__": lambda self: e.negative(self), "__pos__": lambda self: self, "__abs__": lambda self: e.abs(self),
    "__invert__": _bits(e.logical_not, bits.invert),
}  # fmt: skip
for _name, _op in _OTHERS.items():
    setattr(Operand, _name, _op)
