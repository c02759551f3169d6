"""State: a named place that holds a tensor, and that tapes watch by themselves."""

from __future__ import annotations

import ast
import enum
from collections.abc import Callable
from sys import getrefcount
from typing import Any, Self

import numpy as np

from .dtypes import as_dtype
from .ops.indexing import gather, gather_nd
from .ops.slicing import numpy_key
from .record.events import emit, here, state
from .record.ledger import ONE, VARIABLE, Buffer, ledger
from .record.refusal import invalid_argument, refusal, type_error, value_error
from .record.trail import assigned, made
from .scope import written
from .tensor import Operand, Place, Tensor, TensorShape, convert, to_array

Change = Callable[[np.ndarray, Any, np.ndarray], None]  # of an array, at some places, by a value
HELD_BY_VARIABLE = ONE[VARIABLE]  # and by nobody else


def _not_in_place(sign: str, method: str = "assign") -> Callable[[Variable, Any], Any]:
    """An operator that TensorFlow refuses: the name would go on to a tensor, and the variable stay as it is."""

    def refused(self: Variable, value: Any) -> Any:
        expression = here().expression()
        name, given = "variable", "value"
        if expression is not None and isinstance(expression.node, ast.AugAssign):
            name, given = ast.unparse(expression.node.target), ast.unparse(expression.node.value)
        alone = given.isidentifier() or given.replace(".", "", 1).isdigit()
        new = f"{name} {sign[:-1]} {given if alone else f'({given})'}"
        raise refusal(
            RuntimeError,
            f"`variable {sign} value` with `tf.Variable`s is not supported.",
            f"Write {name}.{method}({new if method == 'assign' else given}) to change the variable, or out = {new} "
            "for a new tensor.",
        )

    return refused


def _replace(array: np.ndarray, where: Any, value: np.ndarray) -> None:
    array[where] = value


def _scattered(how: str, change: Change, says: str) -> Callable[..., Variable]:
    """A method that changes a variable at the places of an IndexedSlices."""

    def scatter(self: Variable, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Variable:
        return self._changed(to_array(sparse_delta.indices), change, sparse_delta.values, scatter.__name__)

    scatter.__name__, scatter.__qualname__, scatter.__doc__ = f"scatter_{how}", f"Variable.scatter_{how}", says
    return scatter


class VariableSynchronization(enum.Enum):
    """When the copies of a variable on several devices are made equal; here there is one copy, and nothing to choose.

    >>> tf.Variable(1.0, synchronization=tf.VariableSynchronization.ON_READ).numpy()
    np.float32(1.0)
    """

    AUTO, NONE, ON_WRITE, ON_READ = range(4)


class VariableAggregation(enum.Enum):
    """How the copies of a variable on several devices are made equal; here there is one copy, and nothing to choose.

    >>> tf.Variable(1.0, aggregation=tf.VariableAggregation.MEAN).numpy()
    np.float32(1.0)
    """

    NONE, SUM, MEAN, ONLY_FIRST_REPLICA = range(4)


class Variable(Operand):
    """A place whose value can change.

    An op that takes a variable reads it: the entry remembers the value of that moment, and the gradient belongs to the
    place.  A tape watches every trainable variable that is read while it listens.

    >>> w = tf.Variable(1.0, name="w")
    >>> w
    <tf.Variable 'w:0' shape=() dtype=float32, numpy=1.0>
    >>> w.assign_add(2.0).numpy()
    np.float32(3.0)
    """

    __slots__ = ("__weakref__", "_handle", "_name", "_shape", "_trainable", "constraint", "tag")

    def __init__(
        self, initial_value: Any = None, trainable: bool | None = None, validate_shape: bool = True, caching_device: Any = None,
        name: str | None = None, variable_def: Any = None, dtype: Any = None, import_scope: Any = None,
        constraint: Callable[[Any], Any] | None = None, synchronization: Any = None, aggregation: Any = None, shape: Any = None,
    ) -> None:  # fmt: skip
        if initial_value is None:
            raise value_error("A tf.Variable needs an initial_value: tf.Variable(0.0), say.")
        if callable(initial_value):
            initial_value = initial_value()
        if dtype is not None and isinstance(initial_value, Operand):
            initial_value = convert(initial_value, dtype)
        array = to_array(initial_value, None if dtype is None else as_dtype(dtype).numpy_dtype)
        self._shape = TensorShape(array.shape if shape is None else shape)
        if not self._shape.is_compatible_with(array.shape):
            raise value_error(
                f"In this `tf.Variable` creation, the initial value's shape ({array.shape}) is not compatible with the "
                f"explicitly supplied `shape` argument ({shape}).",
                "Leave shape out, or write None for the lengths that may change: shape=[None].",
            )
        scope = state.context.scope
        self._name = written(f"{scope}/{name or 'Variable'}:0" if scope else f"{name or 'Variable'}:0")
        self._trainable = True if trainable is None else bool(trainable)
        self.constraint = constraint
        self._begin(array, name or "", initial_value)

    def _begin(self, array: np.ndarray, name: str, given: Any) -> None:
        """Take the first value."""
        self.tag = Place(array.shape, array.dtype, array.nbytes, name)
        self._handle = Tensor(array, self.tag, ledger.buffer_for(array), VARIABLE)
        made(self.tag)
        if isinstance(given, Operand):
            assigned(self.tag, given.tag, "tf.Variable")
        if state.listeners:
            emit("made", (self._handle,), tag=self.tag, kind="variable", implicit=False, name=name)

    @property
    def tensor_now(self) -> Tensor:
        for recorder in state.recorders:
            recorder.accessed(self)
        return self._handle

    @property
    def array_now(self) -> np.ndarray:
        return self._handle.array

    @property
    def trainable(self) -> bool:
        """Whether tapes watch it by themselves."""
        return self._trainable

    @property
    def name(self) -> str:
        """Its name, with TensorFlow's ":0"."""
        return self._name

    @property
    def shape(self) -> TensorShape:
        """The shape that its values have; None where they may differ."""
        return self._shape

    synchronization = VariableSynchronization.AUTO
    aggregation = VariableAggregation.NONE

    def is_initialized(self, name: str | None = None) -> Tensor:
        """True: a variable has a value from the beginning."""
        return convert(True)

    def value(self) -> Tensor:
        """A tensor with its present value, connected to it for tapes that are listening now."""
        from .ops.shapes import identity

        return identity(self)

    read_value = value

    def assign(
        self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Variable:
        """Put a new value in; raises ValueError when its shape is another.

        No derivative passes through: for a tape the place starts afresh with the value it now holds.
        """
        return self._put(to_array(value, self._cast_for(value)), "assign", value)

    def assign_add(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Variable:
        """Add to the value."""
        return self._take(self._handle.array + self._operand(delta), "assign_add", delta)

    def assign_sub(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Variable:
        """Subtract from the value."""
        return self._take(self._handle.array - self._operand(delta), "assign_sub", delta)

    def _operand(self, value: Any) -> np.ndarray:
        for recorder in state.recorders:
            recorder.accessed(self)
        tag = self.tag
        if value.__class__ is Tensor and value.tag.dtype is tag.dtype:  # as nearly always: a step's own update
            array = value.array
        else:
            wanted = self._cast_for(value)
            array = value.array_now if isinstance(value, Operand) else to_array(value, wanted)
        if array.shape != tag.shape:
            raise invalid_argument(
                f"Cannot update variable with shape {self.shape} using a Tensor with shape {list(array.shape)}, "
                "shapes must be equal.",
                "A number for all is added so: v.assign(v + 1.0), or v.assign_add(tf.fill(v.shape, 1.0))."
                if array.ndim == 0
                else "Only assign() on a Variable made with shape=tf.TensorShape(None) may change its shape.",
            )
        return array

    def _cast_for(self, value: Any) -> np.dtype[Any]:
        wanted = self.tag.dtype
        if isinstance(value, Operand) and value.tag.dtype != wanted:
            raise value_error(
                f"{self.name} holds {self.dtype.name}, but the new value is {value.dtype.name}: "
                f"convert it, tf.cast(value, tf.{self.dtype.name})"
            )
        return wanted

    def _put(self, array: Any, how: str, given: Any) -> Variable:
        tag = self.tag
        if array.dtype is not tag.dtype:
            array = np.asarray(array, dtype=tag.dtype)
        if array.shape != tag.shape:
            self._reshaped(array)
        return self._take(array, how, given)

    def _take(self, array: Any, how: str, given: Any) -> Variable:
        """Take a new value of the right dtype and shape."""
        tag = self.tag
        if array.__class__ is not np.ndarray:
            array = np.asarray(array)  # NumPy makes a bare number of a sum without axes
        handle = self._handle
        buffer = handle.buffer
        if (
            buffer.holds == HELD_BY_VARIABLE
            and getrefcount(handle) == HELD_BY_ONE
            and array.base is None
            and buffer.nbytes == tag.nbytes
            and not ledger.observers
        ):
            # Nobody else has the old value, so the new one takes over its handle and its place in the ledger; for a moment
            # there were both.
            handle.array = array
            live = ledger.live + buffer.nbytes
            if live > ledger.peak:
                ledger.peak = live
        else:
            del handle  # the old one goes as soon as the new one is there
            buffer = Buffer(tag.nbytes) if array.base is None else ledger.buffer_for(array)
            self._handle = Tensor(array, tag, buffer, VARIABLE)
        assigned(tag, given.tag if isinstance(given, Operand) else None, how)
        if state.listeners:
            emit("assign", (self._handle,), tag=tag, how=how)
        return self

    def _reshaped(self, array: np.ndarray) -> None:
        """Take the shape of a new value; raises ValueError where that may not change."""
        if not self._shape.is_compatible_with(array.shape):
            raise value_error(
                f"Cannot assign value to variable '{self.name}': Shape mismatch. "
                f"The variable shape {self._shape}, and the assigned value shape {TensorShape(array.shape)} are incompatible.",
                "Reduce or reshape the value to the variable's shape, or make the Variable with shape=tf.TensorShape(None).",
            )
        self.tag.shape, self.tag.nbytes = array.shape, array.nbytes

    # ---- a part of it -------------------------------------------------------------------------------------------------------

    def __getitem__(self, key: Any) -> Slice:
        """A part of the value, as a tensor; its `assign` puts another in."""
        return Slice(super().__getitem__(key), self, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        """Refused, as in TensorFlow: the part's own `assign` puts a value in."""
        raise type_error(
            "'Variable' object does not support item assignment.",
            "Its part does: v[0].assign(value), or v[1:].assign(values).",
        )

    __iadd__, __isub__ = _not_in_place("+=", "assign_add"), _not_in_place("-=", "assign_sub")
    __imul__, __itruediv__, __ipow__ = _not_in_place("*="), _not_in_place("/="), _not_in_place("**=")

    def _changed(self, where: Any, change: Change, value: Any, how: str) -> Variable:
        """The value with a change made at some places."""
        array = self.array_now.copy()
        try:
            change(array, where, to_array(value, self._cast_for(value)))
        except (IndexError, ValueError) as problem:
            raise invalid_argument(
                f"Cannot change {self.name} of shape {self.shape} there: {problem}",
                "Every index must lie inside the variable, with one update for each.",
            ) from None
        return self._put(array, how, value)

    def scatter_nd_update(self, indices: Any, updates: Any, name: str | None = None) -> Variable:
        """Put the updates in at index vectors (the last axis of `indices`)."""
        return self._changed(_vectors(indices), _replace, updates, "scatter_nd_update")

    def scatter_nd_add(self, indices: Any, updates: Any, name: str | None = None) -> Variable:
        """Add the updates at index vectors; what is named twice is added twice."""
        return self._changed(_vectors(indices), np.add.at, updates, "scatter_nd_add")

    def scatter_nd_sub(self, indices: Any, updates: Any, name: str | None = None) -> Variable:
        """Subtract the updates at index vectors."""
        return self._changed(_vectors(indices), np.subtract.at, updates, "scatter_nd_sub")

    scatter_update = _scattered("update", _replace, "Put the slices of an IndexedSlices in.")
    scatter_add = _scattered("add", np.add.at, "Add the slices of an IndexedSlices.")
    scatter_sub = _scattered("sub", np.subtract.at, "Subtract the slices of an IndexedSlices.")
    scatter_mul = _scattered("mul", np.multiply.at, "Multiply by the slices of an IndexedSlices.")
    scatter_div = _scattered("div", np.divide.at, "Divide by the slices of an IndexedSlices.")
    scatter_max = _scattered("max", np.maximum.at, "The larger of the value and the slices of an IndexedSlices.")
    scatter_min = _scattered("min", np.minimum.at, "The smaller of the value and the slices of an IndexedSlices.")

    def sparse_read(self, indices: Any, name: str | None = None) -> Tensor:
        """The slices at these indices."""
        return gather(self, indices)

    def gather_nd(self, indices: Any, name: str | None = None) -> Tensor:
        """The slices at index vectors."""
        return gather_nd(self, indices)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: Any) -> Variable:
        return _another(type(self), self.array_now, self.tag.name, self._settings())

    def __reduce__(self) -> Any:
        return _another, (type(self), self._leave("pickle"), self.tag.name, self._settings())

    def _settings(self) -> dict[str, Any]:
        """All that it was made with, but for its value."""
        names = [name for each in type(self).__mro__ for name in vars(each).get("__slots__", ())]
        kept = {name: getattr(self, name) for name in names if name not in ("__weakref__", "_handle", "tag")}
        return {**kept, **getattr(self, "__dict__", {})}

    def __format__(self, spec: str) -> str:
        return super().__format__(spec) if spec else repr(self)

    def __str__(self) -> str:
        return repr(self)

    def __repr__(self) -> str:
        return f"<tf.Variable '{self.name}' shape={self.shape} dtype={self.dtype.name}, numpy={self._text(True)}>"


def _another(kind: type[Variable], array: np.ndarray, name: str, settings: dict[str, Any]) -> Variable:
    """A new variable with these numbers: what a deep copy or a pickle of one is."""
    variable = kind.__new__(kind)
    for setting, value in settings.items():
        object.__setattr__(variable, setting, value)
    variable._begin(np.array(array), name, None)
    return variable


def _references_to_what_one_holds() -> int:
    """What `getrefcount` says in a function of something that one holder has beside it; versions of Python differ."""
    holder = [object()]
    held = holder[0]
    return getrefcount(held)


HELD_BY_ONE = _references_to_what_one_holds()


class Slice(Tensor):
    """A part of a variable: a tensor like any other, except that `assign` puts a new value in its place.

    >>> v = Variable([1.0, 2.0, 3.0])
    >>> v[1:].assign([7.0, 8.0]).numpy()
    array([1., 7., 8.], dtype=float32)
    """

    __slots__ = ("_key", "_variable")

    def __init__(self, part: Tensor, variable: Variable, key: Any) -> None:
        super().__init__(part.array, part.tag, part.buffer, part.holder)
        self._variable, self._key = variable, key

    def assign(
        self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Variable:
        """Put a new value in at this place; one that broadcasts is spread."""
        return self._variable._changed(numpy_key(self._key), _replace, value, "assign")


def _vectors(indices: Any) -> tuple[np.ndarray, ...]:
    return tuple(np.moveaxis(to_array(indices), -1, 0))
