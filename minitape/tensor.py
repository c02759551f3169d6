"""The value in your hand: an immutable array with a dtype, a shape, and a tag that recorders know it by.

A Tensor knows nothing of tapes or derivatives.  Arithmetic is given to it by `ops/operators.py`, once the table exists.
"""

from __future__ import annotations

import atexit
import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from .dtypes import DType, as_dtype
from .record.events import emit, state
from .record.ledger import ONE, SETTLED, Buffer, ledger
from .record.log import exported, made
from .record.refusal import refusal

_serials = itertools.count(1)
held, released = ledger.held, ledger.released


def moment() -> int:
    """A number between the ids of all values made before and of all made after."""
    return next(_serials)


class Tag(Buffer):
    """What records know a value by: it outlives the array, and describes it.

    All handles on one value share its tag, so identity means the tag, never the Python object.  Most values own their
    bytes, and then the tag is the ledger's buffer too: one object less for every op.
    """

    __slots__ = ("dtype", "followers", "handles", "id", "shape", "writers")

    variable = False
    name = ""

    def __init__(self, shape: tuple[int, ...], dtype: np.dtype[Any], nbytes: int) -> None:
        self.id = next(_serials)
        self.shape = shape
        self.dtype = dtype
        self.nbytes = nbytes
        self.holds = 0
        self.handles = 0
        # Weak references to the recorders that want to hear when the last handle is gone, and to the tapes with an entry
        # that made this value: those want to hear when nobody else has one, for such an entry may keep its own output.
        self.followers: tuple[Any, ...] = ()
        self.writers: tuple[Any, ...] = ()

    def __repr__(self) -> str:
        return f"<value {self.id} {self.shape} {self.dtype}>"


class Place(Tag):
    """A variable's tag: the value changes, the place stays."""

    __slots__ = ("name",)

    variable = True

    def __init__(self, shape: tuple[int, ...], dtype: np.dtype[Any], nbytes: int, name: str) -> None:
        super().__init__(shape, dtype, nbytes)
        self.name = name  # "" where it was given none


class TensorShape(tuple[Any, ...]):
    """The lengths of a tensor's axes; None stands for a length not known yet.

    >>> shape = TensorShape([2, 3])
    >>> shape, shape.rank, shape.as_list(), shape.num_elements(), shape == [2, 3]
    (TensorShape([2, 3]), 2, [2, 3], 6, True)
    >>> print(shape)
    (2, 3)
    """

    __slots__ = ()
    __hash__ = tuple.__hash__

    def __new__(cls, dims: Any = ()) -> TensorShape:
        unknown = dims is None or isinstance(dims, UnknownShape)
        return super().__new__(UnknownShape if unknown else cls, () if unknown else dims)

    @property
    def rank(self) -> Any:
        """The number of axes."""
        return len(self)

    @property
    def ndims(self) -> Any:
        """The number of axes."""
        return self.rank

    dims = property(list)

    def as_list(self) -> list[Any]:
        """The lengths as a list."""
        return list(self)

    def num_elements(self) -> int | None:
        """The number of numbers in a tensor of this shape, or None while a length is not known."""
        return None if None in self else int(np.prod(self, dtype=int))

    def is_fully_defined(self) -> bool:
        """True when every length is known."""
        return None not in self

    def is_compatible_with(self, other: Any) -> bool:
        """True when one tensor could have both shapes: no length is known to both and different."""
        other = other if isinstance(other, TensorShape) else TensorShape(other)
        if self.rank is None or other.rank is None:
            return True
        return len(self) == len(other) and all([a is None or b is None or a == b for a, b in zip(self, other)])

    def concatenate(self, other: Any) -> TensorShape:
        """Both, one after the other."""
        return self + TensorShape(other)

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        return TensorShape(found) if isinstance(key, slice) else found

    def __add__(self, other: Any) -> TensorShape:
        return TensorShape((*self, *other))

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, tuple | list) and tuple.__eq__(self, tuple(other))

    def __ne__(self, other: Any) -> bool:
        return not self == other

    def __repr__(self) -> str:
        return f"TensorShape({list(self)})"

    def __str__(self) -> str:
        return tuple.__repr__(self)


class UnknownShape(TensorShape):
    """A shape of which not even the rank is known: `TensorShape(None)`.

    >>> TensorShape(None), str(TensorShape(None)), TensorShape(None).rank
    (TensorShape(None), '<unknown>', None)
    """

    __slots__ = ()
    __hash__ = tuple.__hash__

    @property
    def rank(self) -> None:
        """Not known."""
        return

    def as_list(self) -> list[Any]:
        """Raises ValueError: there is nothing to list."""
        raise refusal(
            ValueError,
            "as_list() is not defined on an unknown TensorShape.",
            "Ask shape.rank first: it is None where nothing is known.",
        )

    def num_elements(self) -> None:
        """Not known."""
        return

    def is_fully_defined(self) -> bool:
        """False."""
        return False

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, UnknownShape)

    def __repr__(self) -> str:
        return "TensorShape(None)"

    def __str__(self) -> str:
        return "<unknown>"


class Reference:
    """A hashable stand-in for a tensor or variable, because `==` on those compares numbers (`tensor.ref()`)."""

    __slots__ = ("_wrapped",)

    def __init__(self, wrapped: Any) -> None:
        self._wrapped = wrapped

    def deref(self) -> Any:
        """The tensor or variable itself."""
        return self._wrapped

    def __hash__(self) -> int:
        return hash(self._wrapped._tag)

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Reference) and self._wrapped._tag is other._wrapped._tag

    def __repr__(self) -> str:
        return f"<Reference wrapping {self._wrapped!r}>"


class Operand:
    """What tensors and variables have in common: they can stand in a formula."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]

    # Above NumPy's 0, and no __array_ufunc__: `ndarray * tensor` asks the tensor, `np.sin(tensor)` takes its numbers.
    __array_priority__ = 1000

    _tag: Tag

    if TYPE_CHECKING:  # given by ops/operators.py

        def __add__(self, other: Any) -> Tensor: ...
        def __radd__(self, other: Any) -> Tensor: ...
        def __sub__(self, other: Any) -> Tensor: ...
        def __rsub__(self, other: Any) -> Tensor: ...
        def __mul__(self, other: Any) -> Tensor: ...
        def __rmul__(self, other: Any) -> Tensor: ...
        def __truediv__(self, other: Any) -> Tensor: ...
        def __rtruediv__(self, other: Any) -> Tensor: ...
        def __floordiv__(self, other: Any) -> Tensor: ...
        def __mod__(self, other: Any) -> Tensor: ...
        def __pow__(self, other: Any) -> Tensor: ...
        def __rpow__(self, other: Any) -> Tensor: ...
        def __matmul__(self, other: Any) -> Tensor: ...
        def __rmatmul__(self, other: Any) -> Tensor: ...
        def __neg__(self) -> Tensor: ...
        def __abs__(self) -> Tensor: ...
        def __invert__(self) -> Tensor: ...
        def __and__(self, other: Any) -> Tensor: ...
        def __or__(self, other: Any) -> Tensor: ...
        def __lt__(self, other: Any) -> Tensor: ...
        def __le__(self, other: Any) -> Tensor: ...
        def __gt__(self, other: Any) -> Tensor: ...
        def __ge__(self, other: Any) -> Tensor: ...
        def __getitem__(self, key: Any) -> Tensor: ...

    def _read(self) -> Tensor:
        """The tensor to compute with."""
        raise NotImplementedError

    @property
    def _array_now(self) -> np.ndarray:
        raise NotImplementedError

    @property
    def shape(self) -> TensorShape:
        """The lengths of the axes."""
        return TensorShape(self._tag.shape)

    @property
    def dtype(self) -> DType:
        """The kind of number."""
        return as_dtype(self._tag.dtype)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self._tag.shape)

    @property
    def name(self) -> str:
        """Tensors made outside of graphs have no name: this is a serial number, for debugging."""
        return f"value:{self._tag.id}"

    @property
    def device(self) -> str:
        """Where the numbers live; here always the one CPU."""
        return "/job:localhost/replica:0/task:0/device:CPU:0"

    def get_shape(self) -> TensorShape:
        """The same as `shape`."""
        return self.shape

    def ref(self) -> Reference:
        """A hashable stand-in, for dict keys and sets.

        >>> import minitape as tf
        >>> x = tf.constant(1.0)
        >>> {x.ref(): "first"}[x.ref()]
        'first'
        """
        return Reference(self)

    def _leave(self, how: str) -> np.ndarray:
        """The numbers on their way out of the recorders' sight."""
        exported(self._tag, how)
        if state.listeners:
            emit("export", tag=self._tag, how=how)
        return self._array_now

    def numpy(self) -> Any:
        """A copy of the numbers as a NumPy array, or as a NumPy scalar where there is one number; no tape sees its further way.

        >>> import minitape as tf
        >>> tf.constant([1, 2]).numpy()
        array([1, 2], dtype=int32)
        """
        array = self._leave("numpy()")
        return array[()].copy() if array.ndim == 0 else array.copy()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if copy is False:
            raise refusal(
                ValueError,
                "a tensor cannot be lent to NumPy without a copy: tensors never change. Use np.array(tensor) or tensor.numpy().",
            )
        return np.array(self._leave("np.asarray()"), dtype=dtype)

    def _scalar(self, how: str) -> Any:
        array = self._leave(how)
        if array.size != 1:
            raise refusal(
                TypeError,
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
        if self._tag.dtype.kind not in "iu":
            raise refusal(
                TypeError,
                f"only an integer tensor can be an index, got dtype {self.dtype.name}: write int(x) to cut it off",
            )
        return int(self._scalar("index"))

    def __bool__(self) -> bool:
        array = self._leave("bool()")
        if array.size != 1:
            raise refusal(
                ValueError,
                "The truth value of an array with more than one element is ambiguous: "
                f"this tensor has shape {self.shape}. Use tf.reduce_any(...) or tf.reduce_all(...).",
            )
        return bool(array.reshape(())[()])

    def __len__(self) -> int:
        if not self._tag.shape:
            raise refusal(
                TypeError, "Scalar tensor has no `len()`: its shape is (). For the number of elements use tf.size(x)."
            )
        return self._tag.shape[0]

    def __iter__(self) -> Iterator[Tensor]:
        if not self._tag.shape:
            raise refusal(
                TypeError,
                "Cannot iterate over a scalar tensor. Its one number is x itself; a list of tensors needs tf.stack or brackets.",
            )
        return (self[index] for index in range(self._tag.shape[0]))

    def __format__(self, spec: str) -> str:
        return format(self._array_now[()], spec)

    def __copy__(self) -> Any:
        return self

    def _text(self, as_repr: bool) -> str:
        array = self._array_now
        text = str(array[()]) if array.ndim == 0 else repr(array) if as_repr else str(array)
        return "\n" + text if "\n" in text else text


class Tensor(Operand):
    """A handle on an immutable array.

    >>> import minitape as tf
    >>> print(tf.constant([1, 2]))
    tf.Tensor([1 2], shape=(2,), dtype=int32)
    >>> tf.constant(6.0)
    <tf.Tensor: shape=(), dtype=float32, numpy=6.0>
    """

    __slots__ = ("__weakref__", "_array", "_buffer", "_holder", "_tag")

    def __init__(self, array: np.ndarray, tag: Tag, buffer: Buffer, holder: int) -> None:
        self._array = array
        self._tag = tag
        self._buffer = buffer
        self._holder = holder
        tag.handles += 1
        before = buffer.holds
        buffer.holds = before + ONE[holder] if before else ONE[holder]  # most values share this one integer
        if not before & SETTLED[holder]:
            held(buffer, before, holder)

    def __del__(self) -> None:
        tag, buffer, holder = self._tag, self._buffer, self._holder
        after = buffer.holds - ONE[holder]
        buffer.holds = after
        if not after & SETTLED[holder]:
            released(buffer, after, holder)
        tag.handles = handles = tag.handles - 1
        if tag.writers and handles <= len(tag.writers):
            _forget(tag.writers, tag)
        if tag.followers and not handles:
            _forget(tag.followers, tag)

    def _read(self) -> Tensor:
        return self

    @property
    def _array_now(self) -> np.ndarray:
        return self._array

    def handle(self, holder: int) -> Tensor:
        """Another handle on the same value, held by somebody else."""
        return Tensor(self._array, self._tag, self._buffer, holder)

    def __setitem__(self, key: Any, value: Any) -> None:
        raise AttributeError(
            "a tensor never changes, so `x[i] = value` cannot work: build a new one with tf.tensor_scatter_nd_update "
            "or tf.where, or keep the numbers in a tf.Variable"
        )

    def __str__(self) -> str:
        return f"tf.Tensor({self._text(False)}, shape={self.shape}, dtype={self.dtype.name})"

    def __repr__(self) -> str:
        return f"<tf.Tensor: shape={self.shape}, dtype={self.dtype.name}, numpy={self._text(True)}>"


def _forget(recorders: tuple[Any, ...], tag: Tag) -> None:
    for reference in recorders:
        recorder = reference()
        if recorder is not None:
            recorder.forget(tag)


@atexit.register
def _stop_counting() -> None:
    """At its end Python empties modules in any order: from then on nobody counts handles."""
    setattr(Tensor, "__del__", lambda self: None)  # noqa: B010  a plain assignment is no method to the type checker


def make(array: np.ndarray, holder: int | None = None) -> Tensor:
    """A tensor around an array that nobody else holds."""
    tag = Tag(array.shape, array.dtype, array.nbytes)
    buffer = tag if array.base is None else ledger.buffer_for(array)
    return Tensor(array, tag, buffer, state.holder if holder is None else holder)


# ---- from Python's numbers to arrays ------------------------------------------------------------------------------------

_INT32 = np.iinfo(np.int32)


def to_array(value: Any, dtype: np.dtype[Any] | None = None) -> np.ndarray:
    """A fresh array with TensorFlow's defaults: Python floats are float32, Python ints int32, NumPy arrays keep their dtype."""
    # By far the most frequent: no need to ask further.
    if type(value) is float and (dtype is None or dtype.kind in "fc"):
        return np.array(value, np.float32 if dtype is None else dtype)
    if isinstance(value, Operand):
        value = value._array_now
    if dtype is not None and dtype.kind == "O" or isinstance(value, str | bytes):
        return _bytes(np.array(value, dtype=object))
    try:
        array = np.array(value)
    except ValueError as problem:
        if hasattr(problem, "site"):  # a refusal already, with a better reason
            raise
        raise refusal(
            ValueError,
            f"Can't convert non-rectangular Python sequence to Tensor: {value!r} has rows of different lengths. "
            "Give every row the same number of elements.",
        ) from None
    if array.dtype.kind in "US":
        return _bytes(array.astype(object))
    if array.dtype.kind == "O":
        raise refusal(
            ValueError,
            f"Attempt to convert a value ({value!r}) with an unsupported type ({type(value)}) to a Tensor.",
            "Tensors hold numbers, booleans or text: give it those, in nested lists or a NumPy array.",
        )
    if dtype is not None:
        if not isinstance(value, np.ndarray | np.generic) and not _fits(array, dtype):
            raise refusal(
                TypeError,
                f"Cannot convert {value!r} to a tensor of dtype {as_dtype(dtype).name}",
                "Make the tensor first and convert it then: tf.cast(tf.constant(...), dtype); to whole numbers that cuts off.",
            )
        return array.astype(dtype)
    if isinstance(value, np.ndarray | np.generic) or isinstance(_first_leaf(value), np.generic | np.ndarray):
        return array
    if array.dtype == np.float64:
        return array.astype(np.float32)
    if array.dtype == np.int64 and (array.size == 0 or (array.min() >= _INT32.min and array.max() <= _INT32.max)):
        return array.astype(np.float32 if array.size == 0 and _empty(value) else np.int32)
    return array


def _bytes(array: np.ndarray) -> np.ndarray:
    """Strings as TensorFlow keeps them: bytes, in UTF-8."""
    encoded = np.empty(array.shape, object)
    for index in np.ndindex(array.shape):
        one = array[index]
        encoded[index] = one.encode() if isinstance(one, str) else one
    return encoded


def _empty(value: Any) -> bool:
    return isinstance(value, list | tuple)


def _first_leaf(value: Any) -> Any:
    while isinstance(value, list | tuple) and value:
        value = value[0]
    return value


def _fits(array: np.ndarray, dtype: np.dtype[Any]) -> bool:
    order = "biufc"
    kind, wanted = array.dtype.kind, dtype.kind
    if kind == "b" or wanted == "b":
        return kind == "b"
    return order.index("i" if kind == "u" else kind) <= order.index("i" if wanted == "u" else wanted)


def has_tensors(value: Any) -> bool:
    """True for a list or tuple with a tensor or variable somewhere in it."""
    if isinstance(value, list | tuple):
        return any(has_tensors(element) for element in value)
    return isinstance(value, Operand)


def _pack(values: Any, dtype: Any) -> Tensor:
    raise NotImplementedError  # ops/shapes.py gives the real one: a list of tensors becomes their stack


pack = _pack


def literal(value: float, dtype: np.dtype[Any]) -> Tensor:
    """A Python number that stands in a formula, as a tensor of the other operand's dtype."""
    tag = Tag((), dtype, dtype.itemsize)
    tensor = Tensor(np.array(value, dtype), tag, tag, state.holder)
    if state.listeners:
        emit("made", (tensor,), tag=tag, kind="constant", implicit=True)
    return tensor


def convert(value: Any, dtype: Any = None, hint: np.dtype[Any] | None = None) -> Tensor:
    """The value as a tensor to compute with: a tensor itself, a variable's reading, or a new constant.

    `hint` is the dtype of the other operand: Python numbers and NumPy arrays take it if they can.
    """
    if isinstance(value, Operand):
        tensor = value._read()
        if dtype is not None and tensor._tag.dtype != as_dtype(dtype).numpy_dtype:
            raise refusal(
                ValueError,
                f"Tensor conversion requested dtype {as_dtype(dtype).name} for Tensor with dtype {tensor.dtype.name}: "
                f"{value!r}. Convert it yourself: tf.cast(value, tf.{as_dtype(dtype).name})",
            )
        return tensor
    if value is None:
        raise refusal(
            ValueError,
            "None values not supported: a tensor was expected. A gradient that is None, perhaps? Ask tape.why(target, source).",
        )
    if has_tensors(value):
        return pack(value, dtype)
    wanted = None if dtype is None else as_dtype(dtype).numpy_dtype
    if wanted is None and hint is not None and _takes(value, hint):
        wanted = hint
    tensor = make(to_array(value, wanted))
    if state.listeners:
        emit("made", (tensor,), tag=tensor._tag, kind="constant", implicit=True)
    return tensor


def _takes(value: Any, hint: np.dtype[Any]) -> bool:
    if hint.kind == "O":
        return False
    if type(value) is float:
        return hint.kind in "fc"
    array = np.asarray(value)
    return array.dtype.kind in "biufc" and _fits(array, hint)


def constant(value: Any, dtype: Any = None, shape: Any = None, name: str = "Const") -> Tensor:
    """A tensor that holds a copy of the value.

    Args: value, a number, nested list or array; dtype, by default float32 for Python floats, int32 for Python ints, and
    the array's own for NumPy; shape, to fill or reshape to.  Raises ValueError for rows of different lengths and TypeError
    for numbers that the dtype cannot hold.

    >>> import minitape as tf
    >>> tf.constant([[1, 2], [3, 4]], dtype=tf.float32)
    <tf.Tensor: shape=(2, 2), dtype=float32, numpy=
    array([[1., 2.],
           [3., 4.]], dtype=float32)>
    """
    array = to_array(value, None if dtype is None else as_dtype(dtype).numpy_dtype)
    if shape is not None:
        size = int(np.prod(shape, dtype=int))
        if array.size not in (1, size):
            raise refusal(
                TypeError,
                f"Eager execution of tf.constant with unsupported shape: {array.size} elements into {tuple(shape)}",
                "The numbers must fill the shape, or be one number for all of it.",
            )
        array = array.reshape(shape) if array.size == size else np.full(shape, array.reshape(()), array.dtype)
        array = array.copy() if array.base is not None else array
    tensor = make(array)
    made(tensor._tag)
    if state.listeners:
        emit("made", (tensor,), tag=tensor._tag, kind="constant", implicit=False)
    return tensor
