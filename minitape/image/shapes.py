"""Sizes, borders and orientations of images: [rows, columns, channels], or a batch of such."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..ops.elementwise import cast
from ..ops.images import METHODS, nearest, resize_, weights
from ..ops.indexing import gather
from ..ops.joins import stack
from ..ops.nn_conv import _window, windows_
from ..ops.padding import pad
from ..ops.shapes import expand_dims, reshape, reverse, squeeze
from ..ops.shapes import transpose as transpose_
from ..record.refusal import invalid_argument, value_error
from ..tensor import Tensor, convert, to_array


class ResizeMethod:
    """The names of the methods of `resize`.

    >>> tf.image.ResizeMethod.BICUBIC
    'bicubic'
    """

    BILINEAR, NEAREST_NEIGHBOR, BICUBIC, AREA, LANCZOS3, LANCZOS5, GAUSSIAN, MITCHELLCUBIC = METHODS


def batch(images: Any, function: Callable[[Tensor], Tensor]) -> Tensor:
    """A function of a batch of images, also applied to a single one.  Raises ValueError for other ranks."""
    images = convert(images)
    if images.ndim == 3:
        return squeeze(function(expand_dims(images, 0)), [0])
    if images.ndim != 4:
        raise value_error(
            f"'images' must have either 3 or 4 dimensions, got shape {images.shape}.",
            "[rows, columns, channels], or [batch, rows, columns, channels]: image[..., tf.newaxis] adds the channel.",
        )
    return function(images)


def resize(
    images: Any, size: Any, method: str = "bilinear", preserve_aspect_ratio: bool = False, antialias: bool = False,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """Images in another size [rows, columns], in float32; "nearest" keeps the dtype.

    Args: method, one of "bilinear", "nearest", "bicubic", "area", "lanczos3", "lanczos5", "gaussian" and "mitchellcubic";
    antialias, to let every old pixel count where the image shrinks.  Raises ValueError for another method,
    InvalidArgumentError for a size below 1.

    >>> tf.image.resize([[[0.0], [2.0]]], [1, 4]).numpy().ravel()
    array([0. , 0.5, 1.5, 2. ], dtype=float32)
    """
    method = str(method).lower()
    if method not in METHODS:
        raise value_error(f"Resize method is not implemented: {method}", f"There are: {', '.join(METHODS)}.")
    rows, columns = (int(length) for length in to_array(size))
    if min(rows, columns) < 1:
        raise invalid_argument(f"output dimensions must be positive, got {rows} and {columns}")

    def resized(x: Tensor) -> Any:
        old, new = (x.shape[1], x.shape[2]), (rows, columns)
        if preserve_aspect_ratio:
            scale = min(np.float32(new[0] / old[0]), np.float32(new[1] / old[1]))
            new = (int(np.rint(scale * np.float32(old[0]))), int(np.rint(scale * np.float32(old[1]))))
        if old == new:
            return x if method == "nearest" else cast(x, "float32")
        if method == "nearest":
            return gather(gather(x, nearest(old[0], new[0]), axis=1), nearest(old[1], new[1]), axis=2)
        along = [weights(method, before, after, antialias) for before, after in zip(old, new, strict=True)]
        return resize_(cast(x, "float32"), rows=along[0], columns=along[1])

    return batch(images, resized)


def resize_with_pad(
    image: Any, target_height: int, target_width: int, method: str = "bilinear", antialias: bool = False
) -> Tensor:
    """The image resized to fit into this size with its proportions kept, in a border of zeros.

    >>> tf.image.resize_with_pad(np.ones((2, 4, 1), "float32"), 4, 4).numpy()[..., 0]
    array([[0., 0., 0., 0.],
           [1., 1., 1., 1.],
           [1., 1., 1., 1.],
           [0., 0., 0., 0.]], dtype=float32)
    """

    def fitted(x: Tensor) -> Tensor:
        ratio = max(x.shape[2] / target_width, x.shape[1] / target_height)
        height, width = x.shape[1] / ratio, x.shape[2] / ratio
        inside = (int(np.floor(height)), int(np.floor(width)))
        top, left = int(np.floor((target_height - height) / 2)), int(np.floor((target_width - width) / 2))
        return pad_to_bounding_box(
            resize(x, inside, method, antialias=antialias), max(top, 0), max(left, 0), target_height, target_width
        )

    return batch(image, fitted)


def resize_with_crop_or_pad(image: Any, target_height: int, target_width: int) -> Tensor:
    """The middle of the image, cropped to this size or padded with zeros.

    >>> tf.image.resize_with_crop_or_pad([[[1.0], [2.0], [3.0]]], 2, 1).numpy()[..., 0]
    array([[2.],
           [0.]], dtype=float32)
    """

    def fitted(x: Tensor) -> Tensor:
        over = [have - want for have, want in zip(x.shape[1:3], (target_height, target_width), strict=True)]
        cut = [max(length // 2, 0) for length in over]
        kept = [min(have, want) for have, want in zip(x.shape[1:3], (target_height, target_width), strict=True)]
        x = crop_to_bounding_box(x, *cut, *kept)
        top, left = (max(-length // 2, 0) for length in over)
        return pad_to_bounding_box(x, top, left, target_height, target_width)

    return batch(image, fitted)


def crop_to_bounding_box(
    image: Any, offset_height: int, offset_width: int, target_height: int, target_width: int
) -> Tensor:
    """A part of the image, from `offset_height` rows and `offset_width` columns on; raises ValueError where there is none.

    >>> tf.image.crop_to_bounding_box([[[1.0], [2.0], [3.0]]], 0, 1, 1, 2).numpy().ravel()
    array([2., 3.], dtype=float32)
    """
    top, left, height, width = (int(number) for number in (offset_height, offset_width, target_height, target_width))

    def part(x: Tensor) -> Tensor:
        if min(top, left) < 0 or min(height, width) < 1 or top + height > x.shape[1] or left + width > x.shape[2]:
            raise value_error(
                f"a part of {height} rows from {top} on and {width} columns from {left} on does not lie in {x.shape[1:3]}",
                "offset + target must be at most the image's own size.",
            )
        return x[:, top : top + height, left : left + width]

    return batch(image, part)


def pad_to_bounding_box(
    image: Any, offset_height: int, offset_width: int, target_height: int, target_width: int
) -> Tensor:
    """The image in a larger one of zeros, `offset_height` rows from the top and `offset_width` columns from the left.

    Raises ValueError where it would reach over the border.

    >>> tf.image.pad_to_bounding_box([[[1.0], [2.0]]], 1, 0, 2, 3).numpy()[..., 0]
    array([[0., 0., 0.],
           [1., 2., 0.]], dtype=float32)
    """
    top, left = int(offset_height), int(offset_width)

    def bordered(x: Tensor) -> Tensor:
        bottom, right = int(target_height) - top - x.shape[1], int(target_width) - left - x.shape[2]
        if min(top, left, bottom, right) < 0:
            raise value_error(
                f"an image of {x.shape[1:3]} at ({top}, {left}) does not lie in {target_height} × {target_width}",
                "offset + the image's size must be at most the target's.",
            )
        return pad(x, [[0, 0], [top, bottom], [left, right], [0, 0]])

    return batch(image, bordered)


def central_crop(image: Any, central_fraction: float) -> Tensor:
    """The middle of the image, a fraction of its rows and columns; raises ValueError for a fraction outside of (0, 1].

    >>> tf.image.central_crop([[[1.0], [2.0], [3.0]]] * 3, 0.3).numpy().ravel()
    array([2.], dtype=float32)
    """
    fraction = float(central_fraction)
    if not 0.0 < fraction <= 1.0:
        raise value_error(f"central_fraction must be within (0, 1], got {fraction}", "0.5 keeps half of each side.")

    def middle(x: Tensor) -> Tensor:
        cut = [int((length - length * fraction) / 2) for length in x.shape[1:3]]
        return crop_to_bounding_box(x, *cut, *[length - 2 * off for length, off in zip(x.shape[1:3], cut, strict=True)])

    return batch(image, middle)


def crop_and_resize(
    image: Any, boxes: Any, box_indices: Any, crop_size: Any, method: str = "bilinear", extrapolation_value: float = 0.0,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """Parts of a batch of images, resized to one size; boxes are [top, left, bottom, right] as fractions of the image.

    No derivative by the boxes here.  Raises ValueError for boxes that reach over the border, and for another method.

    >>> image = np.arange(16.0, dtype="float32").reshape(1, 4, 4, 1)
    >>> tf.image.crop_and_resize(image, [[0.0, 0.0, 1.0, 1.0]], [0], [2, 2]).numpy().ravel()
    array([ 0.,  3., 12., 15.], dtype=float32)
    """
    images, where = convert(image), to_array(boxes)
    rows, columns = (int(length) for length in to_array(crop_size))
    if method not in ("bilinear", "nearest"):
        raise value_error(f"method is 'bilinear' or 'nearest', got {method!r}")
    outside = where[(where < 0) | (where > 1)]
    if outside.size:
        raise value_error(
            f"a box is [top, left, bottom, right] in fractions of the image, from 0 to 1, got {outside[0]:g}",
            "Divide rows by the image's height less 1, and columns by its width less 1.",
        )
    parts = []
    for (top, left, bottom, right), number in zip(where, to_array(box_indices), strict=True):
        along = [
            _between(images.shape[axis], first, last, count, method)
            for axis, first, last, count in ((1, top, bottom, rows), (2, left, right, columns))
        ]
        chosen = cast(images, "float32")[int(number) : int(number) + 1]
        parts.append(squeeze(resize_(chosen, rows=along[0], columns=along[1]), [0]))
    return stack(parts)


def _between(old: int, first: float, last: float, count: int, method: str) -> np.ndarray:
    """The matrix that interpolates at `count` points from `first` to `last`, which are fractions of an axis of length `old`."""
    ends = np.float32(first) * (old - 1), np.float32(last) * (old - 1)
    where = np.linspace(*ends, count) if count > 1 else np.array([sum(ends) / 2])
    answer, below = np.zeros((count, old), np.float32), np.floor(where).astype(int)
    share = where - below
    if method == "nearest":
        below, share = np.floor(where + 0.5).astype(int), np.zeros(count)
    np.add.at(answer, (np.arange(count), below), 1 - share)
    np.add.at(answer, (np.arange(count), np.minimum(below + 1, old - 1)), share)
    return answer


def flip_left_right(image: Any) -> Tensor:
    """The columns reversed.

    >>> tf.image.flip_left_right([[[1.0], [2.0]]]).numpy().ravel()
    array([2., 1.], dtype=float32)
    """
    return batch(image, lambda x: reverse(x, [2]))


def flip_up_down(image: Any) -> Tensor:
    """The rows reversed.

    >>> tf.image.flip_up_down([[[1.0]], [[2.0]]]).numpy().ravel()
    array([2., 1.], dtype=float32)
    """
    return batch(image, lambda x: reverse(x, [1]))


def transpose(image: Any, name: str | None = None) -> Tensor:
    """Rows and columns exchanged: [rows, columns, channels] becomes [columns, rows, channels], in a batch too.

    >>> tf.image.transpose([[[1.0], [2.0]], [[3.0], [4.0]]]).numpy()[..., 0]
    array([[1., 3.],
           [2., 4.]], dtype=float32)
    """
    return batch(image, lambda x: transpose_(x, [0, 2, 1, 3]))


def rot90(image: Any, k: int = 1, name: str | None = None) -> Tensor:
    """The image turned counter-clockwise by k quarters.

    >>> tf.image.rot90([[[1.0], [2.0]], [[3.0], [4.0]]]).numpy()[..., 0]
    array([[2., 4.],
           [1., 3.]], dtype=float32)
    """
    turns: list[Callable[[Tensor], Tensor]] = [
        lambda x: x,
        lambda x: transpose(flip_left_right(x)),
        lambda x: flip_left_right(flip_up_down(x)),
        lambda x: flip_left_right(transpose(x)),
    ]
    return batch(image, turns[int(k) % 4])


def extract_patches(images: Any, sizes: Any, strides: Any, rates: Any, padding: str, name: str | None = None) -> Tensor:
    """The windows of a batch of images, each as one long row: [batch, rows, columns, numbers in a window].

    >>> tf.image.extract_patches([[[[1.0], [2.0], [3.0]]]], [1, 1, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], "VALID").numpy()[0, 0]
    array([[1., 2.],
           [2., 3.]], dtype=float32)
    """
    x = convert(images)
    found = windows_(x, window=_window(x.shape[1:3], sizes, strides, padding, rates))
    return reshape(found, [*found.shape[:3], int(np.prod(found.shape[3:]))])
