"""Random changes of images for training.  A seed begins a stream of its own; `stateless_` functions always draw the same."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..ops.draws import draws
from ..ops.joins import stack
from ..ops.random_stateless import stateless_uniform
from ..ops.refused import adjust_contrast
from ..ops.shapes import reverse
from ..record.refusal import invalid_argument, value_error
from ..tensor import Tensor, convert, to_array
from .colours import adjust_brightness, adjust_hue, adjust_saturation

Draw = Callable[[int], np.ndarray]  # so many numbers between 0 and 1


class _Same(NamedTuple):
    """A seed of two whole numbers, which gives the same draws each time."""

    numbers: Any


def _drawn(seed: Any) -> Draw:
    if isinstance(seed, _Same):
        return lambda count: stateless_uniform([count], seed.numbers).array_now.astype(float)
    return lambda count: draws(None if seed is None else int(seed)).random(count)


def _between(draw: Draw, lower: float, upper: float) -> float:
    if not lower <= upper:
        raise value_error(f"upper must be at least lower, got {lower} and {upper}", "Give the smaller one first.")
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
        raise invalid_argument(
            f"Need value.shape >= size, got {list(value.shape)} and {lengths}",
            "tf.image.resize makes the image large enough first.",
        )
    first = np.minimum((draw(len(room)) * (np.array(room) + 1)).astype(int), room)
    return value[tuple(slice(int(start), int(start) + length) for start, length in zip(first, lengths, strict=True))]


def random_flip_left_right(image: Any, seed: Any = None) -> Tensor:
    """An image with its columns reversed in half of all cases; in a batch each image is reversed or not by itself.

    >>> image = np.array([[[0.25], [0.5], [0.75]]], "float32")
    >>> drawn = [tf.image.random_flip_left_right(image).numpy().ravel().tolist() for _ in range(50)]
    >>> sorted({tuple(columns) for columns in drawn})
    [(0.25, 0.5, 0.75), (0.75, 0.5, 0.25)]
    """
    return _flipped(image, 1, _drawn(seed))


def random_flip_up_down(image: Any, seed: Any = None) -> Tensor:
    """An image with its rows reversed in half of all cases; in a batch each image is reversed or not by itself.

    >>> image = np.array([[[0.25]], [[0.5]]], "float32")
    >>> drawn = [tf.image.random_flip_up_down(image).numpy().ravel().tolist() for _ in range(50)]
    >>> sorted({tuple(rows) for rows in drawn})
    [(0.25, 0.5), (0.5, 0.25)]
    """
    return _flipped(image, 0, _drawn(seed))


def random_crop(value: Any, size: Any, seed: Any = None, name: str | None = None) -> Any:
    """A part of this size at a random position; raises InvalidArgumentError where it does not fit.

    >>> image = np.zeros((4, 4, 3), "float32")
    >>> tf.image.random_crop(image, [2, 3, 3]).shape
    TensorShape([2, 3, 3])
    """
    return _cropped(value, size, _drawn(seed))


def random_brightness(image: Any, max_delta: float, seed: Any = None) -> Tensor:
    """The image lighter or darker by a random number between -`max_delta` and `max_delta`.

    Raises ValueError for a negative `max_delta`.

    >>> image = np.array([[[0.25], [0.5], [0.75]]], "float32")
    >>> more = tf.image.random_brightness(image, max_delta=0.125).numpy() - image
    >>> bool((abs(more) <= 0.125).all()), bool(np.ptp(more) < 1e-6)  # the same for all pixels
    (True, True)
    """
    return adjust_brightness(image, _between(_drawn(seed), -max_delta, max_delta))


def random_contrast(image: Any, lower: float, upper: float, seed: Any = None) -> Tensor:
    """The image with each channel's distances from its mean times a random number between `lower` and `upper`.

    Raises ValueError where `lower` is larger than `upper`.

    >>> image = np.array([[[0.25], [0.5], [0.75]]], "float32")
    >>> changed = tf.image.random_contrast(image, 0.5, 1.0).numpy()
    >>> changed.mean(), bool(0.25 <= np.ptp(changed) <= 0.5)
    (np.float32(0.5), True)
    """
    return adjust_contrast(image, _between(_drawn(seed), lower, upper))


def random_saturation(image: Any, lower: float, upper: float, seed: Any = None) -> Tensor:
    """The image [..., 3] with its saturation times a random number between `lower` and `upper`.

    Raises ValueError where `lower` is larger than `upper`.

    >>> red = np.array([[[1.0, 0.0, 0.0]]], "float32")
    >>> changed = tf.image.random_saturation(red, 0.5, 0.75).numpy().ravel()
    >>> float(changed[0]), bool((0.25 <= changed[1:]).all() and (changed[1:] <= 0.5).all())
    (1.0, True)
    """
    return adjust_saturation(image, _between(_drawn(seed), lower, upper))


def random_hue(image: Any, max_delta: float, seed: Any = None) -> Tensor:
    """The image [..., 3] with its hues turned by a random share of the colour circle between -`max_delta` and `max_delta`.

    Raises ValueError for a negative `max_delta`.

    >>> red = np.array([[[1.0, 0.0, 0.0]]], "float32")
    >>> changed = tf.image.random_hue(red, 0.1).numpy().ravel()
    >>> float(changed.max()), float(changed.min())  # a hue is turned, brightness and saturation stay
    (1.0, 0.0)
    """
    return adjust_hue(image, _between(_drawn(seed), -max_delta, max_delta))


def _stateless(function: Callable[..., Any], given: str = "") -> Callable[..., Any]:
    """The twin of a function that draws: it takes a seed of two whole numbers, which gives the same draws each time."""
    signature = inspect.signature(function)
    parameters = [
        item.replace(default=item.empty) if item.name == "seed" else item for item in signature.parameters.values()
    ]

    def twin(*args: Any, **options: Any) -> Any:
        bound = taken.bind(*args, **options)
        bound.arguments["seed"] = _Same(bound.arguments["seed"])
        return function(*bound.args, **bound.kwargs)

    name = function.__name__
    twin.__name__ = twin.__qualname__ = f"stateless_{name}"
    vars(twin)["__signature__"] = taken = signature.replace(parameters=parameters)
    twin.__doc__ = f"""`{name}` with a seed of two whole numbers, always the same for a seed.

    >>> image = np.array([[[0.75, 0.25, 0.5]]], "float32")
    >>> first, second = [tf.image.stateless_{name}(image{given}, seed=[1, 2]).numpy() for _ in range(2)]
    >>> bool((first == second).all())
    True
    """
    return twin


stateless_random_flip_left_right = _stateless(random_flip_left_right)
stateless_random_flip_up_down = _stateless(random_flip_up_down)
stateless_random_crop = _stateless(random_crop, ", [1, 1, 2]")
stateless_random_brightness = _stateless(random_brightness, ", 0.125")
stateless_random_contrast = _stateless(random_contrast, ", 0.5, 1.0")
stateless_random_saturation = _stateless(random_saturation, ", 0.5, 1.0")
stateless_random_hue = _stateless(random_hue, ", 0.1")
