"""Python's operators on tensors and variables: `x * y` is `multiply(x, y)`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..tensor import Operand
from . import elementwise as e
from .linalg import matmul
from .shapes import getitem


def _binary(op: Callable[[Any, Any], Any]) -> tuple[Callable[[Any, Any], Any], Callable[[Any, Any], Any]]:
    return (lambda self, other: op(self, other)), (lambda self, other: op(other, self))


_OPERATORS = {
    "add": e.add, "sub": e.subtract, "mul": e.multiply, "truediv": e.divide, "floordiv": e.floordiv, "mod": e.floormod,
    "pow": e.pow, "matmul": matmul, "and": e.logical_and, "or": e.logical_or, "xor": e.logical_xor,
}  # fmt: skip
_COMPARISONS = {"lt": e.less, "le": e.less_equal, "gt": e.greater, "ge": e.greater_equal}


def _divide(x: Any, y: Any) -> Any:
    # TensorFlow divides whole numbers to float64.
    operands = [one for one in (x, y) if isinstance(one, Operand)]
    if all(one._tag.dtype.kind in "iu" for one in operands) and all(isinstance(one, Operand | int) for one in (x, y)):
        return e.divide(e.cast(x, "float64"), e.cast(y, "float64"))
    return e.divide(x, y)


_OPERATORS["truediv"] = _divide
for _name, _op in _OPERATORS.items():
    _forward, _reflected = _binary(_op)
    setattr(Operand, f"__{_name}__", _forward)
    setattr(Operand, f"__r{_name}__", _reflected)
for _name, _op in _COMPARISONS.items():
    setattr(Operand, f"__{_name}__", _binary(_op)[0])


def _equal(self: Any, other: Any) -> Any:
    return False if other is None else e.equal(self, other)


def _not_equal(self: Any, other: Any) -> Any:
    return True if other is None else e.not_equal(self, other)


def _unhashable(self: Any) -> int:
    raise TypeError(f"{type(self).__name__} is unhashable. Instead, use {type(self).__name__.lower()}.ref() as the key.")


Operand.__eq__ = _equal  # type: ignore[method-assign, assignment]
Operand.__ne__ = _not_equal  # type: ignore[method-assign, assignment]
Operand.__hash__ = _unhashable  # type: ignore[method-assign, assignment]
Operand.__neg__ = lambda self: e.negative(self)  # type: ignore[method-assign]
Operand.__pos__ = lambda self: self  # type: ignore[attr-defined]
Operand.__abs__ = lambda self: e.abs(self)  # type: ignore[method-assign]
Operand.__invert__ = lambda self: e.logical_not(self)  # type: ignore[method-assign]
Operand.__getitem__ = getitem  # type: ignore[method-assign]
