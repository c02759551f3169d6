"""What a layer requires of its input."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..record.refusal import value_error

_SEQUENCES = (
    "Sequences are [batch, steps, features]: a recurrent layer before this one gives all of its steps with "
    "return_sequences=True; one sequence alone is x[tf.newaxis]."
)


class InputSpec(NamedTuple):
    """What a layer requires of its input: `ndim` axes, or at least `min_ndim`, and lengths along some `axes`.

    >>> layer = tf.keras.layers.Dense(1)
    >>> y = layer(tf.ones([2, 3]))
    >>> layer.input_spec
    InputSpec(min_ndim=2, axes={-1: 3})
    """

    ndim: int | None = None
    min_ndim: int | None = None
    axes: dict[int, int] = {}

    def __repr__(self) -> str:
        return f"InputSpec({', '.join(f'{what}={said}' for what, said in self._asdict().items() if said)})"

    def check(self, name: str, shape: tuple[Any, ...]) -> None:
        """Raise ValueError where a shape is not of this kind.

        >>> tf.keras.InputSpec(min_ndim=2).check("dense", (3,))
        Traceback (most recent call last):
            ...
        ValueError: Input 0 of layer 'dense' is incompatible with the layer: expected min_ndim=2, found ndim=1. Full shape ...
        """
        what = f"Input 0 of layer {name!r} is incompatible with the layer: expected"
        if self.ndim is not None and len(shape) != self.ndim:
            raise value_error(
                f"{what} ndim={self.ndim}, found ndim={len(shape)}. Full shape received: {shape}",
                _SEQUENCES
                if (self.ndim, len(shape)) == (3, 2)
                else "The first axis is the batch: one example alone is x[tf.newaxis]."
                if len(shape) == self.ndim - 1
                else "tf.reshape, or tf.keras.layers.Flatten() before this layer, changes the number of axes.",
            )
        if self.min_ndim is not None and len(shape) < self.min_ndim:
            raise value_error(
                f"{what} min_ndim={self.min_ndim}, found ndim={len(shape)}. Full shape received: {shape}",
                _SEQUENCES
                if (self.min_ndim, len(shape)) == (3, 2)
                else "The first axis is the batch: one example alone is x[tf.newaxis]"
                + ("; pictures without channels are x[..., tf.newaxis]." if self.min_ndim == 4 else "."),
            )
        for axis, length in self.axes.items():
            if shape[axis] not in (length, None):
                raise value_error(
                    f"{what} axis {axis} of input shape to have value {length}, but received input with shape {shape}",
                    "The weights were made for another width: build the layer on the shape that you call it with.",
                )
