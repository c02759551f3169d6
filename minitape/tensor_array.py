"""`tf.TensorArray`: tensors by index, which a loop writes one by one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .dtypes import as_dtype
from .errors import OutOfRangeError
from .ops.creation import size as size_
from .ops.creation import zeros
from .ops.joins import concat, split, stack, unstack
from .record.refusal import invalid_argument, refusal, value_error
from .tensor import Tensor, TensorShape, convert, to_array


class TensorArray:
    """Tensors by index, of one dtype and, unless `infer_shape=False`, of one shape.

    Tapes follow what is in it: a tensor that is read is the tensor that was written.  `write` changes the array and returns it.
    What was read is gone from the array, unless `clear_after_read=False`.  Raises ValueError without a size.

    >>> squares = tf.TensorArray(tf.float32, size=3)
    >>> for i in range(3):
    ...     squares = squares.write(i, float(i * i))
    >>> squares.stack().numpy()
    array([0., 1., 4.], dtype=float32)
    """

    flow = handle = None  # in TensorFlow's graphs an order of writing and a name; here neither is needed

    def __init__(
        self, dtype: Any, size: Any = None, dynamic_size: bool | None = None, clear_after_read: bool | None = None,
        tensor_array_name: str | None = None, handle: Any = None, flow: Any = None, infer_shape: bool = True,
        element_shape: Any = None, colocate_with_first_write_call: bool = True, name: str | None = None,
    ) -> None:  # fmt: skip
        if size is None:
            raise value_error(
                "Size must be declared for TensorArrays when eager execution is enabled.",
                "tf.TensorArray(tf.float32, size=0, dynamic_size=True) grows as it is written.",
            )
        self._dtype, self.dynamic_size = as_dtype(dtype), bool(dynamic_size)
        self._clears = clear_after_read is not False
        self._same_shape, self.element_shape = bool(infer_shape), TensorShape(element_shape)
        self._tensors: list[Tensor | None] = [None] * int(size)
        self._cleared: set[int] = set()

    @property
    def dtype(self) -> Any:
        """The dtype of all tensors in it."""
        return self._dtype

    def size(self, name: str | None = None) -> Tensor:
        """How many tensors it has room for."""
        return size_(np.empty(len(self._tensors)))

    def write(self, index: Any, value: Any, name: str | None = None) -> TensorArray:
        """Put a tensor at an index, and return the array.

        Raises OutOfRangeError for an index out of range, ValueError for another shape than before, InvalidArgumentError for
        another dtype.
        """
        index = int(to_array(index))
        if index < 0:
            raise refusal(
                OutOfRangeError, f"Writing to negative indices (index {index}) is not allowed.", "The first is 0."
            )
        if index >= len(self._tensors) and not self.dynamic_size:
            raise refusal(
                OutOfRangeError,
                f"Tried to write to index {index} but array is not resizeable and size is: {len(self._tensors)}",
                "dynamic_size=True lets it grow.",
            )
        value = convert(value, hint=self._dtype.numpy_dtype)
        self._check(value)
        self._tensors += [None] * (index + 1 - len(self._tensors))
        self._tensors[index] = value
        self._cleared.discard(index)
        return self

    def _check(self, value: Tensor) -> None:
        if value.dtype != self._dtype:
            raise invalid_argument(
                f"TensorArray dtype is {self._dtype.name} but Op is trying to write dtype {value.dtype.name}",
                f"tf.cast(value, tf.{self._dtype.name})",
            )
        if self._same_shape and not self.element_shape.is_compatible_with(value.shape):
            raise value_error(
                f"Incompatible shape for value ({value.shape}), expected ({self.element_shape})",
                "infer_shape=False lets shapes differ.",
            )
        if self._same_shape and not self.element_shape.is_fully_defined():
            self.element_shape = value.shape

    def read(self, index: Any, name: str | None = None) -> Tensor:
        """The tensor at an index; raises OutOfRangeError for one out of range, InvalidArgumentError for one read before."""
        index = int(to_array(index))
        self._within(index)
        if self._tensors[index] is None and index in self._cleared:
            raise invalid_argument(
                f"Could not read index {index} twice because it was cleared after a previous read (perhaps try setting "
                "clear_after_read = false?)",
                "tf.TensorArray(..., clear_after_read=False)",
            )
        value = self._at(index)
        if self._clears:
            self._tensors[index] = None
            self._cleared.add(index)
        return value

    def _within(self, index: int) -> None:
        if not 0 <= index < len(self._tensors):
            raise refusal(
                OutOfRangeError,
                f"Tried to read from index {index} but array size is: {len(self._tensors)}",
                "Its places are 0 to size - 1.",
            )

    def _at(self, index: int) -> Tensor:
        """What stands there; zeros where nothing was written, or where it was taken out by a read."""
        value = self._tensors[index]
        if value is not None:
            return value
        if not self.element_shape.is_fully_defined():
            raise value_error(
                f"Nothing was written to index {index}, and no shape is known for zeros in its place",
                "Write it first, or say element_shape=[...].",
            )
        return zeros(self.element_shape, self._dtype)

    def _all(self, join: Callable[[list[Tensor]], Tensor]) -> Tensor:
        return join([self._at(index) for index in range(len(self._tensors))])

    def stack(self, name: str | None = None) -> Tensor:
        """All as one tensor, along a new first axis; zeros where nothing was written, and where it was read and cleared."""
        if not self._tensors:
            return zeros([0, *(self.element_shape if self.element_shape.is_fully_defined() else [])], self._dtype)
        return self._all(stack)

    def concat(self, name: str | None = None) -> Tensor:
        """All as one tensor, one after the other along their first axis."""
        return self._all(lambda parts: concat(parts, 0))

    def gather(self, indices: Any, name: str | None = None) -> Tensor:
        """Some as one tensor, along a new first axis."""
        places = [int(index) for index in to_array(indices)]
        for index in places:
            self._within(index)
        return stack([self._at(index) for index in places])

    def unstack(self, value: Any, name: str | None = None) -> TensorArray:
        """Write the slices of a tensor, from index 0 on; raises ValueError for more than the array holds."""
        return self._fill(unstack(convert(value, hint=self._dtype.numpy_dtype)))

    def scatter(self, indices: Any, value: Any, name: str | None = None) -> TensorArray:
        """Write the slices of a tensor at these indices."""
        parts = unstack(convert(value, hint=self._dtype.numpy_dtype))
        for index, part in zip(to_array(indices), parts, strict=True):
            self.write(index, part)
        return self

    def split(self, value: Any, lengths: Any, name: str | None = None) -> TensorArray:
        """Write parts of these lengths, from index 0 on."""
        counts = [int(length) for length in to_array(lengths)]
        return self._fill(split(convert(value, hint=self._dtype.numpy_dtype), counts))

    def _fill(self, parts: Any) -> TensorArray:
        if len(parts) > len(self._tensors) and not self.dynamic_size:
            raise value_error(
                f"Cannot unstack {len(parts)} tensors into a TensorArray of static size {len(self._tensors)}",
                "dynamic_size=True lets it grow.",
            )
        for index, part in enumerate(parts):
            self.write(index, part)
        return self

    def identity(self) -> TensorArray:
        """The array itself."""
        return self

    def close(self, name: str | None = None) -> None:
        """Let go of all that is in it."""
        self._tensors, self._cleared = [], set()
