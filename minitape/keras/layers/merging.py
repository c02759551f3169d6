"""Layers that merge several tensors into one."""

from __future__ import annotations

import functools
import re
from typing import Any

from ...ops.creation import ones_like
from ...ops.einsum import einsum
from ...ops.elementwise import add, logical_and, logical_or, maximum, minimum, multiply, subtract, where
from ...ops.joins import concat
from ...ops.reductions import reduce_any, reduce_sum
from ...ops.shapes import expand_dims
from ...record.refusal import value_error
from ...tensor import convert
from .. import masks
from ..layer import Layer
from ..losses.errors import unit


class Merge(Layer):
    """What these layers share: the input is a list of tensors; missing axes are inserted after the batch."""

    _example = (
        ">>> a, b = tf.constant([[1.0, 5.0]]), tf.constant([[3.0, 4.0]])\n>>> tf.keras.layers.{}()([a, b]).numpy()"
    )
    fewest = 1
    op: Any = None  # of two tensors: all others are taken in one after the other
    supports_masking = True

    def build(self, input_shape: Any) -> None:
        """There is nothing to make; raises ValueError for anything else than a list."""
        if not isinstance(input_shape, list | tuple) or not all(
            isinstance(shape, list | tuple) for shape in input_shape
        ):
            raise value_error(
                f"A `{type(self).__name__}` layer should be called on a list of inputs. Received: input_shape={input_shape} "
                "(not a list of shapes)",
                f"Write {type(self).__name__}()([a, b]).",
            )
        if len(input_shape) < self.fewest:
            raise value_error(
                f"A `{type(self).__name__}` layer should be called on a list of at least {self.fewest} inputs. "
                f"Received {len(input_shape)}.",
                f"Write {type(self).__name__}()([a, b]).",
            )
        if self.op is not None:
            self.compute_output_shape(input_shape)

    def call(self, inputs: Any) -> Any:
        most = max(tensor.ndim for tensor in inputs)
        alike = []
        for tensor in inputs:
            for _ in range(most - tensor.ndim):
                tensor = expand_dims(tensor, 1)
            alike.append(tensor)
        return self.merged(alike)

    def merged(self, inputs: list[Any]) -> Any:
        """The result for tensors with equally many axes."""
        return functools.reduce(type(self).op, inputs)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """A step counts where it counts in any of the inputs; unknown where one of them has no mask."""
        if mask is None or any(given is None for given in mask):
            return None
        return functools.reduce(logical_or, mask)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The shape that all of them broadcast to; raises ValueError where they do not."""
        if not isinstance(input_shape[0], list | tuple):
            self.build(input_shape)
        most = max(map(len, input_shape))
        wide = [(shape[0], *[1] * (most - len(shape)), *shape[1:]) for shape in input_shape]
        return tuple(_joined(column, input_shape) for column in zip(*wide, strict=True))


def _joined(column: tuple[Any, ...], shapes: Any) -> Any:
    found = {length for length in column if length != 1}
    known = found - {None}
    if len(known) > 1:
        raise value_error(
            f"Inputs have incompatible shapes. Received shapes {[tuple(shape) for shape in shapes]}",
            "Lengths must be the same, or 1; Concatenate() puts tensors side by side.",
        )
    return None if None in found else known.pop() if known else 1


class Add(Merge, answer="array([[4., 9.]], dtype=float32)"):
    """The sum of a list of tensors, number by number, in shapes that broadcast."""

    op = add


class Subtract(Merge, answer="array([[-2.,  1.]], dtype=float32)"):
    """The first of two tensors minus the second, in shapes that broadcast; raises ValueError for another number of them."""

    fewest = 2

    def merged(self, inputs: list[Any]) -> Any:
        if len(inputs) != 2:
            raise value_error(
                f"A `Subtract` layer should be called on exactly 2 inputs. Received {len(inputs)}.",
                "Subtract()([a, b]) is a - b.",
            )
        return subtract(*inputs)


class Multiply(Merge, answer="array([[ 3., 20.]], dtype=float32)"):
    """The product of a list of tensors, number by number, in shapes that broadcast."""

    op = multiply


class Average(Add, answer="array([[2. , 4.5]], dtype=float32)"):
    """The mean of a list of tensors, number by number, in shapes that broadcast."""

    def merged(self, inputs: list[Any]) -> Any:
        return super().merged(inputs) / float(len(inputs))


class Maximum(Merge, answer="array([[3., 5.]], dtype=float32)"):
    """The largest of a list of tensors, number by number, in shapes that broadcast."""

    op = maximum

    def merged(self, inputs: list[Any]) -> Any:
        """One after the other; where a step of one does not count, the other is compared with itself."""
        answer, counts = inputs[0], masks.of(inputs[0])
        for tensor in inputs[1:]:
            its = masks.of(tensor)
            tensor = tensor if its is None else where(expand_dims(its, -1), tensor, answer)
            answer = type(self).op(answer if counts is None else where(expand_dims(counts, -1), answer, tensor), tensor)
            counts = None if its is None or counts is None else logical_or(counts, its)
        return answer


class Minimum(Maximum, answer="array([[1., 4.]], dtype=float32)"):
    """The smallest of a list of tensors, number by number, in shapes that broadcast."""

    op = minimum


class Concatenate(Merge, answer="array([[1., 5., 3., 4.]], dtype=float32)"):
    """The tensors of a list joined along an axis; raises ValueError where their other lengths differ."""

    def __init__(self, axis: int = -1, **options: Any) -> None:
        super().__init__(**options)
        self.axis = axis

    def call(self, inputs: Any) -> Any:
        self.compute_output_shape([convert(tensor).shape for tensor in inputs])
        return concat(list(inputs), self.axis)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """True where any joined number counts; an input without a mask counts everywhere."""
        if mask is None or not masks.known(mask):
            return None
        parts = []
        for tensor, its in zip(inputs, mask, strict=True):
            ones = ones_like(tensor, "bool")
            parts.append(
                ones if its is None else logical_and(expand_dims(its, -1) if its.ndim < tensor.ndim else its, ones)
            )
        return reduce_any(concat(parts, self.axis), -1)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The lengths along the axis added; raises ValueError where the others differ."""
        shapes = [list(shape) for shape in input_shape]
        axis = self.axis % len(shapes[0])
        along = [shape[axis] for shape in shapes]
        for other in range(len(shapes[0])):
            if other != axis and len({shape[other] for shape in shapes if other < len(shape)} - {None}) > 1:
                raise value_error(
                    "A `Concatenate` layer requires inputs with matching shapes except for the concatenation axis. "
                    f"Received: input_shape={[tuple(shape) for shape in input_shape]}",
                    f"They are put together along axis {self.axis}; Concatenate(axis=...) takes another.",
                )
        shapes[0][axis] = None if None in along else sum(along)
        return tuple(shapes[0])


def dot_along(a: Any, b: Any, i: int, j: int) -> Any:
    """Products of each example of a with that of b, summed along axis i of a and axis j of b; at least [batch, 1].

    >>> dot_along(tf.ones([2, 3]), tf.ones([2, 3, 4]), 1, 1).shape
    TensorShape([2, 4])
    """
    left, right = "z" + "abcdef"[: a.ndim - 1], "z" + "ghijkl"[: b.ndim - 1]
    right = right.replace(right[j], left[i])
    result = left.replace(left[i], "") + right[1:].replace(left[i], "")
    y = einsum(f"{left},{right}->{result}", a, b)
    return expand_dims(y, -1) if y.ndim == 1 else y


class Dot(Merge):
    """Sums of products along an axis of each of two tensors, example by example; `normalize` makes them cosines.

    >>> a, b = tf.constant([[1.0, 5.0]]), tf.constant([[3.0, 4.0]])
    >>> tf.keras.layers.Dot(axes=1)([a, b]).numpy()
    array([[23.]], dtype=float32)
    """

    fewest = 2

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """None: sums over steps have no steps."""
        return None

    def __init__(self, axes: Any, normalize: bool = False, **options: Any) -> None:
        super().__init__(**options)
        self.axes, self.normalize = axes, normalize

    def call(self, inputs: Any) -> Any:
        a, b = inputs
        i, j = (self.axes, self.axes) if isinstance(self.axes, int) else self.axes
        i, j = i % a.ndim, j % b.ndim
        if a.shape[i] != b.shape[j]:
            raise value_error(
                f"Incompatible input shapes: axis values {a.shape[i]} (at axis {i}) != {b.shape[j]} (at axis {j}). "
                f"Full input shapes: {tuple(a.shape)}, {tuple(b.shape)}",
                "The axes that are summed over have one length; Dot(axes=(1, 2)) names one for each tensor.",
            )
        if self.normalize:
            a, b = unit(a, i), unit(b, j)
        return reduce_sum(a * b, 1, keepdims=True) if a.ndim == b.ndim == 2 else dot_along(a, b, i, j)

    def compute_output_shape(self, input_shape: Any) -> Any:
        return Layer.compute_output_shape(self, input_shape)


def _called(name: str, kind: type[Merge]) -> Any:
    """The layer as a function of the list; the example of its class is told of it."""

    def function(inputs: Any, **options: Any) -> Any:
        return kind(**options)(inputs)

    function.__name__ = function.__qualname__ = name
    call = re.compile(rf"(?<=\.){kind.__name__}\((.*)\)\(\[a, b\]\)")
    function.__doc__ = call.sub(rf"{name}([a, b], \1)", kind.__doc__ or "").replace(", )", ")")
    return function


adding, averaging = _called("add", Add), _called("average", Average)
multiplying, subtracting = _called("multiply", Multiply), _called("subtract", Subtract)
largest, smallest = _called("maximum", Maximum), _called("minimum", Minimum)
concatenated, dotted = _called("concatenate", Concatenate), _called("dot", Dot)
