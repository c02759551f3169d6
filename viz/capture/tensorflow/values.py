"""Eager tensors and variables as values of a stream: which one is which value, and what it holds.

Nothing here keeps a tensor: each is known by a weak handle.  A variable is known by the tensor of its handle, which all reads
go through; a tensor that C++ has read from one is known by the bytes that they share.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, TypeVar

import numpy as np
import tensorflow as tf

from ...schema import clean
from ..numbers import Snapshot, shape_text, snapshot
from ..records import Site, Value
from .private import found

Fact = TypeVar("Fact")

stopped = found("pywrap_tfe:TFE_Py_TapeSetIsStopped")
trainable = found("eager.backprop_util:IsTrainable")


def eager(thing: Any) -> bool:
    """Whether something is a tensor that has numbers now."""
    return isinstance(thing, tf.Tensor) and hasattr(thing, "numpy")


def variable_of(thing: Any) -> Any:
    """The variable that something is, or that a variable of Keras wraps; None for anything else."""
    inner = thing if isinstance(thing, tf.Variable) else getattr(thing, "value", None)
    return inner if isinstance(inner, tf.Variable) else None


def told(thing: Any) -> bool:
    """Whether something is a tensor with numbers or a variable."""
    return eager(thing) or variable_of(thing) is not None


def is_handle(tensor: Any) -> bool:
    """Whether a tensor is the handle of a variable, and not that of an iterator or a table."""
    data = getattr(tensor, "_handle_data", None)
    return bool(tensor.dtype == tf.resource and data is not None and data.shape_and_type)


def _drop(known: dict[int, Any], key: int) -> Callable[[Any], None]:
    def died(handle: Any) -> None:
        if known.get(key, (None,))[0] is handle:
            del known[key]

    return died


def _held(known: dict[int, tuple[Any, Fact]], tensor: Any) -> Fact | None:
    """What is known of a tensor; None for another tensor that has got its id since."""
    handle, fact = known.get(id(tensor), (None, None))
    return fact if handle is not None and handle() is tensor else None


def _form(dtype: Any, shape: Any) -> tuple[str, tuple[int, ...], int]:
    """A dtype's name, lengths and bytes, as far as a shape is known."""
    lengths = tuple([length or 0 for length in shape]) if shape.rank is not None else ()
    return dtype.name, lengths, int(np.prod(lengths)) * max(dtype.size, 0)


class Values:
    """The values of a run."""

    def __init__(self) -> None:
        self.quiet = 0  # above 0 during our own work, which is not recorded
        self._known: dict[int, tuple[Any, Value]] = {}  # by identity of a tensor, with a weak handle on it
        self._made: dict[int, tuple[Any, Site]] = {}  # made by the library unseen: at which line of the program
        self._variables: dict[Value, tuple[Any, Any]] = {}  # the handle of each variable, weakly, and its dtype
        self._names: dict[int, tuple[Any, str]] = {}  # what models call their variables, by handle
        self._count = 0

    # ---- which tensor is which value ------------------------------------------------------------------------------------

    def find(self, tensor: Any) -> Value | None:
        """The value that a tensor is; None for one never met."""
        return _held(self._known, tensor)

    def known(self, tensor: Any) -> Value:
        """The value that a tensor is; a new one for a tensor never met."""
        return self.find(tensor) or self.new(tensor)

    def answers(self, tensors: Any) -> tuple[tuple[Value | None, ...], dict[Value, Snapshot]]:
        """The values of tensors that answer a question, None for a None, and their numbers."""
        found = [None if tensor is None else (self.known(tensor), self.see(tensor)) for tensor in tensors]
        return tuple([pair and pair[0] for pair in found]), dict([pair for pair in found if pair is not None])

    def put(self, tensor: Any, value: Value) -> Value:
        """From here on, this tensor is this value."""
        self._known[id(tensor)] = weakref.ref(tensor, _drop(self._known, id(tensor))), value
        return value

    def new(self, tensor: Any, name: str = "") -> Value:
        """A value of its own for a tensor, or for the rows of one (`tf.IndexedSlices`)."""
        self._count += 1
        return self.put(tensor, Value(f"v{self._count}", *_form(tensor.dtype, tensor.shape), False, name))

    def variable(self, handle: Any, dtype: Any, shape: Any, name: str = "", label: str = "") -> Value:
        """A value for a variable."""
        self._count += 1
        value = Value(f"v{self._count}", *_form(dtype, shape), True, clean(name), clean(label))
        self._variables[value] = weakref.ref(handle), dtype
        return self.put(handle, value)

    def unseen_at(self, tensor: Any, site: Site) -> None:
        """The library made a tensor, at that line of the program; it is told when the program uses it."""
        self._made[id(tensor)] = weakref.ref(tensor, _drop(self._made, id(tensor))), site

    def made_at(self, tensor: Any) -> Site | None:
        """Where the library made a tensor unseen."""
        return _held(self._made, tensor)

    # ---- variables ------------------------------------------------------------------------------------------------------

    def learn(self, holder: Any) -> None:
        """A model, a layer or a module: its variables are called by their paths in it."""
        for variable in holder.variables:
            inner = variable_of(variable)
            if inner is not None:
                name = getattr(variable, "path", "") or str(variable.name).partition(":")[0]
                self._names.setdefault(id(inner.handle), (weakref.ref(inner.handle), clean(name)))

    def name_of(self, handle: Any) -> str:
        """What a model calls a variable; "" where nobody says."""
        return _held(self._names, handle) or ""

    def handle(self, value: Value) -> Any:
        """The handle of a variable; None where it is gone."""
        return self._variables[value][0]() if value in self._variables else None

    def read(self, value: Value) -> Any:
        """What a variable holds, as a tensor that no recorder has seen being read; None for one that is gone."""
        handle, dtype = self._variables[value]
        there, reading = handle(), found("ops.gen_resource_variable_ops:read_variable_op")
        if there is None or reading is None:
            return None
        with self.unseen():
            return reading(there, dtype)

    def read_from(self, tensor: Any) -> Value | None:
        """The variable that C++ has read without an op: the one whose bytes the tensor shares."""
        where = address(tensor)
        if where is None:
            return None
        shape, dtype = tuple(tensor.shape), tensor.dtype.name
        for value in self._variables:
            if value.shape == shape and value.dtype == dtype:
                now = self.read(value)
                if now is not None and address(now) == where:
                    return value
        return None

    # ---- numbers --------------------------------------------------------------------------------------------------------

    @contextmanager
    def unseen(self) -> Iterator[None]:
        """A block of our own work on tensors, which no tape, no accumulator and no callback sees."""
        with ExitStack() as stack:
            if not stopped():
                stack.enter_context(_STOP())
            self.quiet += 1
            try:
                yield
            finally:
                self.quiet -= 1

    def see(self, tensor: Any) -> Snapshot:
        """What a tensor, or a variable's handle, holds now."""
        try:
            if isinstance(tensor, tf.IndexedSlices):
                shape = shape_text(tuple(tensor.values.shape))
                return Snapshot(f"rows of {shape}", None)
            if is_handle(tensor):
                value = self.find(tensor)
                tensor = None if value is None else self.read(value)
                if tensor is None:
                    return Snapshot("?", None)
            array = np.asarray(tensor.numpy())
            if tensor.dtype == tf.bfloat16:
                array = array.astype(np.float32)
            return snapshot(array)
        except (AttributeError, RuntimeError, TypeError, ValueError, tf.errors.OpError):  # a data set, a resource
            return Snapshot(shape_text(tuple(tensor.shape)) if tensor.shape.rank else "?", None)


_STOP = found("eager.record:stop_recording")  # TensorFlow's own: while a run is recorded, another stands in its place


def address(tensor: Any) -> int | None:
    """Where an eager tensor's bytes lie; None where they are not in this process's memory."""
    try:
        return int(np.asarray(memoryview(tensor)).__array_interface__["data"][0])
    except (BufferError, TypeError, ValueError):
        return None
