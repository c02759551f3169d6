"""What tensors and variables have in common: they can stand in a formula.

Arithmetic is given to them by `ops/operators.py`, once the table exists.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..absent import no_method
from ..dtypes import DType, as_dtype
from ..record.events import emit, state
from ..record.refusal import refusal, type_error, value_error
from ..record.trail import exported
from .shape import TensorShape
from .tag import Tag

if TYPE_CHECKING:
    from ..names.accepted import TensorLike
    from .value import Tensor


class Reference:
    """A hashable stand-in for a tensor or variable, because `==` on those compares numbers (`tensor.ref()`)."""

    __slots__ = ("_wrapped",)

    def __init__(self, wrapped: Any) -> None:
        self._wrapped = wrapped

    def deref(self) -> Any:
        """The tensor or variable itself."""
        return self._wrapped

    def __hash__(self) -> int:
        return hash(self._wrapped.tag)

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Reference) and self._wrapped.tag is other._wrapped.tag

    # So that a dict by references is a structure: the older value comes first.
    def __lt__(self, other: Reference) -> Any:
        return bool(self._wrapped.tag.id < other._wrapped.tag.id)

    def __repr__(self) -> str:
        return f"<Reference wrapping {self._wrapped!r}>"


class Operand:
    """What tensors and variables have in common: they can stand in a formula."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]

    # Above NumPy's 0, and no __array_ufunc__: `ndarray * tensor` asks the tensor, `np.sin(tensor)` takes its numbers.
    __array_priority__ = 1000

    tag: Tag

    if not TYPE_CHECKING:  # a type checker is to go on finding misspelt names by itself

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_"):
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            raise refusal(AttributeError, no_method(type(self).__name__, name))

    if TYPE_CHECKING:  # given by ops/operators.py

        def __add__(self, other: TensorLike) -> Tensor: ...
        def __radd__(self, other: TensorLike) -> Tensor: ...
        def __sub__(self, other: TensorLike) -> Tensor: ...
        def __rsub__(self, other: TensorLike) -> Tensor: ...
        def __mul__(self, other: TensorLike) -> Tensor: ...
        def __rmul__(self, other: TensorLike) -> Tensor: ...
        def __truediv__(self, other: TensorLike) -> Tensor: ...
        def __rtruediv__(self, other: TensorLike) -> Tensor: ...
        def __floordiv__(self, other: TensorLike) -> Tensor: ...
        def __mod__(self, other: TensorLike) -> Tensor: ...
        def __pow__(self, other: TensorLike) -> Tensor: ...
        def __rpow__(self, other: TensorLike) -> Tensor: ...
        def __matmul__(self, other: TensorLike) -> Tensor: ...
        def __rmatmul__(self, other: TensorLike) -> Tensor: ...
        def __neg__(self) -> Tensor: ...
        def __abs__(self) -> Tensor: ...
        def __invert__(self) -> Tensor: ...
        def __and__(self, other: TensorLike) -> Tensor: ...
        def __or__(self, other: TensorLike) -> Tensor: ...
        def __lt__(self, other: TensorLike) -> Tensor: ...
        def __le__(self, other: TensorLike) -> Tensor: ...
        def __gt__(self, other: TensorLike) -> Tensor: ...
        def __ge__(self, other: TensorLike) -> Tensor: ...
        def __getitem__(self, key: Any) -> Tensor: ...

    @property
    def tensor_now(self) -> Tensor:
        """The tensor to compute with: of a variable its value now, and recorders hear that it is read."""
        raise NotImplementedError

    @property
    def array_now(self) -> np.ndarray:
        raise NotImplementedError

    @property
    def shape(self) -> TensorShape:
        """The lengths of the axes."""
        return TensorShape(self.tag.shape)

    @property
    def dtype(self) -> DType:
        """The kind of number."""
        return as_dtype(self.tag.dtype)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.tag.shape)

    @property
    def name(self) -> str:
        """Tensors made outside of graphs have no name: this is a serial number, for debugging."""
        return f"value:{self.tag.id}"

    @property
    def device(self) -> str:
        """Where the numbers live; here always the one CPU."""
        return "/job:localhost/replica:0/task:0/device:CPU:0"

    def get_shape(self) -> TensorShape:
        """The same as `shape`."""
        return self.shape

    def set_shape(self, shape: Any) -> None:
        """Check that the shape is this one, as far as it is given; raises ValueError where it is not."""
        if not self.shape.is_compatible_with(shape):
            raise value_error(
                f"Tensor's shape {self.shape} is not compatible with supplied shape {TensorShape(shape)}.",
                "tf.reshape(x, shape) gives the same numbers another shape.",
            )

    def ref(self) -> Reference:
        """A hashable stand-in, for dict keys and sets.

        >>> x = tf.constant(1.0)
        >>> {x.ref(): "first"}[x.ref()]
        'first'
        """
        return Reference(self)

    def _leave(self, how: str) -> np.ndarray:
        """The numbers on their way out of the recorders' sight."""
        exported(self.tag, how)
        if state.listeners:
            emit("export", tag=self.tag, how=how)
        return self.array_now

    def numpy(self) -> np.ndarray:
        """A copy of the numbers as a NumPy array, or as a NumPy scalar where there is one number; no tape sees its further way.

        >>> tf.constant([1, 2]).numpy()
        array([1, 2], dtype=int32)
        """
        array = self._leave("numpy()")
        return array.copy()[()]  # an array of rank 0 becomes its one number

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if copy is False:
            raise value_error(
                "a tensor cannot be lent to NumPy without a copy: tensors never change. Use np.array(tensor) or tensor.numpy()."
            )
        return np.array(self._leave("np.asarray()"), dtype=dtype)

    def _scalar(self, how: str) -> Any:
        context = state.context
        if context.phase != "forward" and getattr(context.cause, "primitive", None) and context.cause.primitive.listed:
            raise type_error(
                f"row {context.cause.op!r}: a rule makes a Python number of a tensor, with {how}, so its second derivative "
                "would be lost",
                "Say it with rows of the table: exp(x) for math.exp(x).",
            )
        array = self._leave(how)
        if array.size != 1:
            raise type_error(
                f"only a tensor with one element can become a Python number: {how} of a tensor of shape {self.shape}",
                "Pick one, x[0], or bring them together, tf.reduce_sum(x); x.numpy() gives all of them.",
            )
        return array.reshape(())[()]

    def __float__(self) -> float:
        return float(self._scalar("float()"))

    def __int__(self) -> int:
        return int(self._scalar("int()"))

    def __complex__(self) -> complex:
        return complex(self._scalar("complex()"))

    def __index__(self) -> int:
        if self.tag.dtype.kind not in "iu":
            raise refusal(  # of this kind, as in TensorFlow, where NumPy's number is asked
                AttributeError,
                f"only an integer tensor can be an index, got dtype {self.dtype.name}: write int(x) to cut it off",
            )
        if self.tag.shape:
            raise type_error(
                f"only integer scalar arrays can be converted to a scalar index, got shape {self.shape}",
                "Take its number, i[0]; tf.gather(x, i) picks the rows of a tensor that i names.",
            )
        return int(self._scalar("index"))

    def __bool__(self) -> bool:
        array = self._leave("bool()")
        if array.size != 1:
            raise value_error(
                "The truth value of an array with more than one element is ambiguous: "
                f"this tensor has shape {self.shape}. Use tf.reduce_any(...) or tf.reduce_all(...) for one answer; "
                "tf.where(condition, a, b) chooses number by number."
            )
        return bool(array.reshape(())[()])

    def __len__(self) -> int:
        if not self.tag.shape:
            raise type_error(
                "Scalar tensor has no `len()`: its shape is (). For the number of elements use tf.size(x)."
            )
        return self.tag.shape[0]

    def __iter__(self) -> Iterator[Tensor]:
        if not self.tag.shape:
            raise type_error(
                "Cannot iterate over a scalar tensor. Its one number is x itself; a list of tensors needs tf.stack or brackets."
            )
        return (self[index] for index in range(self.tag.shape[0]))

    def __format__(self, spec: str) -> str:
        try:
            return format(self.array_now[()], spec)
        except TypeError as problem:
            advice = (
                f"A format is for one number: np.round(x.numpy(), 3), say, rounds all {self.array_now.size} of them."
            )
            raise type_error(str(problem), advice) from None

    def _text(self, as_repr: bool) -> str:
        array = self.array_now
        text = str(array[()]) if array.ndim == 0 else repr(array) if as_repr else str(array)
        return "\n" + text if "\n" in text else text
