"""Random changes of images for training.  A seed begins a stream of its own; `stateless_` functions always draw the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import InvalidArgumentError
from ..ops.draws import draws
from ..ops.joins import stack
from ..ops.random_stateless import stateless_uniform
from ..ops.refused import adjust_contrast
from ..ops.shapes import reverse
from ..record.refusal import refusal
from ..tensor import Tensor, convert, to_array
from .colours import adjust_brightness, adjust_hue, adjust_saturation

Draw = Callable[[int], np.ndarray]  # so many numbers between 0 and 1


def _drawn(seed: Any) -> Draw:
    return lambda count: draws(None if seed is None else int(seed)).random(count)


def _drawn_without_state(seed: Any) -> Draw:
    return lambda count: stateless_uniform([count], seed).array_now.astype(float)


def _between(draw: Draw, lower: float, upper: float) -> float:
    if not lower <= upper:
        raise refusal(
            ValueError, f"upper must be at least lower, got {lower} and {upper}", "Give the smaller one first."
        )
    return float(lower + draw(1)[0] * (upper - lower))


def _flipped(image: Any, axis: int, draw: Draw) -> Tensor:
    image = convert(image)
    if image.ndim == 3:
        return reverse(image, [axis]) if draw(1)[0] < 0.5 else image
    turned = draw(image.shape[0]) < 0.5
    return stack([reverse(image[index], [axis]) if turn else image[index] for index, turn in enumerate(turned)])


def _cropped(value: Any, size: Any, draw: Draw) -> Any:
    value, lengths = convert(value), [int(length) for length in to_array(size)]
    room = [have - want for have, want in zip(value.shape, lengths, strict=True)]
    if min(room) < 0:
        raise refusal(
            InvalidArgumentError,
            f"Need value.shape >= size, got {list(value.shape)} and {lengths}",
            "tf.image.resize makes the image large enough first.",
        )
    first = np.minimum((draw(len(room)) * (np.array(room) + 1)).astype(int), room)
    return value[tuple(slice(int(start), int(start) + length) for start, length in zip(first, lengths, strict=True))]


def random_flip_left_right(image: Any, seed: Any = None) -> Tensor:
    """Columns reversed with probability 1/2, in a batch for each image by itself."""
    return _flipped(image, 1, _drawn(seed))


def random_flip_up_down(image: Any, seed: Any = None) -> Tensor:
    """Rows reversed with probability 1/2, in a batch for each image by itself."""
    return _flipped(image, 0, _drawn(seed))


def random_crop(value: Any, size: Any, seed: Any = None, name: str | None = None) -> Any:
    """A part of this size at a random position; raises InvalidArgumentError where it does not fit.

    >>> random_crop(np.zeros((4, 4, 3)), [2, 3, 3]).shape
    TensorShape([2, 3, 3])
    """
    return _cropped(value, size, _drawn(seed))


def random_brightness(image: Any, max_delta: float, seed: Any = None) -> Tensor:
    """The image lighter or darker by a random number up to `max_delta`."""
    return adjust_brightness(image, _between(_drawn(seed), -max_delta, max_delta))


def random_contrast(image: Any, lower: float, upper: float, seed: Any = None) -> Tensor:
    """Distances from the mean times a random number between `lower` and `upper`."""
    return adjust_contrast(image, _between(_drawn(seed), lower, upper))


def random_saturation(image: Any, lower: float, upper: float, seed: Any = None) -> Tensor:
    """Saturation times a random number between `lower` and `upper`."""
    return adjust_saturation(image, _between(_drawn(seed), lower, upper))


def random_hue(image: Any, max_delta: float, seed: Any = None) -> Tensor:
    """Hues turned by a random share of the circle, up to `max_delta`."""
    return adjust_hue(image, _between(_drawn(seed), -max_delta, max_delta))


def stateless_random_flip_left_right(image: Any, seed: Any) -> Tensor:
    """`random_flip_left_right`, always the same for a seed."""
    return _flipped(image, 1, _drawn_without_state(seed))


def stateless_random_flip_up_down(image: Any, seed: Any) -> Tensor:
    """`random_flip_up_down`, always the same for a seed."""
    return _flipped(image, 0, _drawn_without_state(seed))


def stateless_random_crop(value: Any, size: Any, seed: Any, name: str | None = None) -> Any:
    """`random_crop`, always the same for a seed.

    >>> stateless_random_crop(np.zeros((4, 4, 3)), [2, 3, 3], seed=[1, 2]).shape
    TensorShape([2, 3, 3])
    """
    return _cropped(value, size, _drawn_without_state(seed))


def stateless_random_brightness(image: Any, max_delta: float, seed: Any) -> Tensor:
    """`random_brightness`, always the same for a seed."""
    return adjust_brightness(image, _between(_drawn_without_state(seed), -max_delta, max_delta))


def stateless_random_contrast(image: Any, lower: float, upper: float, seed: Any) -> Tensor:
    """`random_contrast`, always the same for a seed."""
    return adjust_contrast(image, _between(_drawn_without_state(seed), lower, upper))


def stateless_random_saturation(image: Any, lower: float, upper: float, seed: Any = None) -> Tensor:
    """`random_saturation`, always the same for a seed."""
    return adjust_saturation(image, _between(_drawn_without_state(seed), lower, upper))


def stateless_random_hue(image: Any, max_delta: float, seed: Any) -> Tensor:
    """`random_hue`, always the same for a seed."""
    return adjust_hue(image, _between(_drawn_without_state(seed), -max_delta, max_delta))
