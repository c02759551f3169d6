"""What a dataset is to its steps, and the sources of datasets: tensors, lists, ranges, generators."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any, Self

import numpy as np

from ..dtypes import as_dtype
from ..recompute.chance import drawing_from, states
from ..record.refusal import described, invalid_argument, type_error
from ..spec import TensorSpec
from ..tensor import TensorShape, to_array
from .elements import INFINITE, UNKNOWN, arrays, common_spec, each, example, longer, rows, slices, spec_of, tensors


class Sources:
    """Elements that can be gone through again and again, how many there are and what they are like; and the ways to make such."""

    def __init__(self, kind: str, start: Callable[[], Iterator[Any]], count: int, spec: Callable[[], Any]) -> None:
        self._kind, self._start, self._count, self._find_spec = kind, start, count, spec

    def _step(
        self, kind: str, start: Callable[[], Iterator[Any]], count: int | None = None,
        spec: Callable[..., Any] | None = None,
    ) -> Self:  # fmt: skip
        """A dataset made of this one by one more step."""
        return type(self)(kind, start, self._count if count is None else count, spec or (lambda: self.element_spec))

    def _as(self, kind: str) -> Self:
        self._kind = kind
        return self

    @property
    def element_spec(self) -> Any:
        """TensorSpecs in the structure of the elements.

        The spec of a function's results is found by running the function, here on the first element.

        >>> tf.data.Dataset.from_tensor_slices([[1.0, 2.0]]).batch(8).element_spec
        TensorSpec(shape=(None, 2), dtype=tf.float32, name=None)
        """
        return self._find_spec()

    def _spec_through(self, function: Callable[[Any], Any]) -> Any:
        """The spec of a function's results: it is run on the first element and on one in which unknown lengths are longer."""
        spec = self.element_spec
        with drawing_from(states()):
            element = next(iter(self._start()), None)
            first = example(spec, 1) if element is None else element
            return common_spec(spec_of(function(first)), spec_of(function(longer(first, spec))))

    @classmethod
    def from_tensors(cls, tensors: Any, name: str | None = None) -> Any:
        """A dataset of one element, the whole.

        >>> tf.data.Dataset.from_tensors([1, 2]).element_spec
        TensorSpec(shape=(2,), dtype=tf.int32, name=None)
        """
        element = arrays(tensors)
        return cls("Tensor", lambda: iter([element]), 1, lambda: spec_of(element))

    @classmethod
    def from_tensor_slices(cls, tensors: Any, name: str | None = None) -> Any:
        """The slices along the first axis; raises ValueError for scalars, and for first axes of different lengths.

        >>> list(tf.data.Dataset.from_tensor_slices({"a": [1, 2]}).as_numpy_iterator())
        [{'a': np.int32(1)}, {'a': np.int32(2)}]
        """
        if name is not None and not isinstance(name, str):
            raise type_error(
                f"from_tensor_slices takes one structure of tensors, got a second argument {described(name)}",
                "Put them together: tf.data.Dataset.from_tensor_slices((x, y)).",
            )
        whole = arrays(tensors)
        _, count = rows(whole)
        spec = spec_of(whole)
        return cls(
            "TensorSlice",
            lambda: slices(whole),
            count,
            lambda: each(lambda leaf: TensorSpec(leaf.shape[1:], leaf.dtype), spec),
        )

    @classmethod
    def from_list(cls, elements: Any, name: str | None = None) -> Any:
        """The elements of a Python list, which may be structures.

        >>> pairs = tf.data.Dataset.from_list([(1, "one"), (2, "two")])
        >>> [(int(number), word.numpy().decode()) for number, word in pairs]
        [(1, 'one'), (2, 'two')]
        """
        known = [arrays(element) for element in elements]
        return cls("List", lambda: iter(known), len(known), lambda: spec_of(known[0]))

    @classmethod
    def range(cls, *args: Any, output_type: Any = "int64", name: str | None = None) -> Any:
        """Whole numbers, as Python's range, int64 if nothing else is said.

        >>> list(tf.data.Dataset.range(1, 7, 2).as_numpy_iterator())
        [np.int64(1), np.int64(3), np.int64(5)]
        """
        numbers, kind = range(*[int(number) for number in args]), as_dtype(output_type)
        return cls(
            "Range",
            lambda: (np.array(number, kind.numpy_dtype) for number in numbers),
            len(numbers),
            lambda: TensorSpec([], kind),
        )

    @classmethod
    def counter(cls, start: Any = 0, step: Any = 1, dtype: Any = "int64", name: str | None = None) -> Any:
        """An infinite dataset that counts from `start` in steps of `step`.

        >>> [int(x) for x in tf.data.Dataset.counter(start=1, step=3).take(4)]
        [1, 4, 7, 10]
        """
        kind = as_dtype(dtype)
        return cls(
            "Counter",
            lambda: (np.array(number, kind.numpy_dtype) for number in itertools.count(start, step)),
            INFINITE,
            lambda: TensorSpec([], kind),
        )

    @classmethod
    def from_generator(
        cls, generator: Callable[..., Any], output_types: Any = None, output_shapes: Any = None, args: Any = None,
        output_signature: Any = None, name: str | None = None,
    ) -> Any:  # fmt: skip
        """What a Python generator yields, as tensors of the declared dtypes.

        Raises TypeError without `output_signature` or `output_types`, and for a `generator` that cannot be called;
        InvalidArgumentError for an element of another structure or shape than declared.

        >>> pairs = tf.data.Dataset.from_generator(lambda: zip([1, 2], [0.5, 1.5]), output_types=("int32", "float32"))
        >>> [(int(x), float(y)) for x, y in pairs]
        [(1, 0.5), (2, 1.5)]
        """
        if not callable(generator):
            raise type_error("`generator` must be a Python callable.", "Pass the function: f, not f().")
        if output_signature is None and output_types is None:
            raise type_error(
                "To specify the output signature you need to provide either the `output_signature` argument or the "
                "`output_types` argument.",
                "output_signature=tf.TensorSpec(shape=(), dtype=tf.float32), or a tuple of them",
            )
        spec = _signature(output_types, output_shapes) if output_signature is None else output_signature
        given = [tensors(array) for array in map(to_array, args or ())]

        def start() -> Iterator[Any]:
            numbers = [tensor.numpy() for tensor in given]
            return (_declared(value, spec) for value in generator(*numbers))

        return cls("FlatMap", start, UNKNOWN, lambda: spec)


def _signature(types: Any, shapes: Any) -> Any:
    """TensorSpecs of these dtypes and shapes; without shapes they are not known."""
    if not isinstance(types, tuple | dict):
        return TensorSpec(None if shapes is None else shapes, types)
    if isinstance(types, dict):
        return {key: _signature(kind, None if shapes is None else shapes[key]) for key, kind in types.items()}
    return tuple(_signature(kind, None if shapes is None else shapes[position]) for position, kind in enumerate(types))


def _declared(value: Any, spec: Any) -> Any:
    """What a generator yielded, as arrays of the declared dtypes; raises InvalidArgumentError where it does not fit."""
    if isinstance(spec, tuple | dict) and not isinstance(spec, TensorShape):
        inside = isinstance(value, dict) if isinstance(spec, dict) else isinstance(value, tuple | list)
        if not inside or len(value) != len(spec):
            raise invalid_argument(
                f"`generator` yielded an element that did not match the expected structure. The expected structure was {spec}, "
                f"but the yielded element was {value!r}.",
                "Yield a tuple of that many.",
            )
        if isinstance(spec, dict):
            return {key: _declared(value[key], declared) for key, declared in spec.items()}
        return tuple(_declared(part, declared) for part, declared in zip(value, spec, strict=True))
    array = np.asarray(to_array(value)).astype(spec.dtype.numpy_dtype)
    if not spec.shape.is_compatible_with(array.shape):
        raise invalid_argument(
            f"`generator` yielded an element of shape {array.shape} where an element of shape {spec.shape} was expected.",
            "None stands for a length that may differ: tf.TensorSpec(shape=[None], ...)",
        )
    return array
