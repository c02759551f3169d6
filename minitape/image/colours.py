"""Colours, brightness, and measures of whole images.  The last axis holds the channels; floats lie between 0 and 1."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..dtypes import as_dtype
from ..ops.clip import saturate_cast
from ..ops.elementwise import abs as abs_
from ..ops.elementwise import cast, log, maximum
from ..ops.hsv import saturated_, turned_
from ..ops.joins import concat
from ..ops.linalg import tensordot
from ..ops.nn_conv import depthwise_conv2d
from ..ops.padding import pad, tile
from ..ops.reductions import reduce_mean, reduce_sum
from ..ops.shapes import reshape
from ..ops.statistics import reduce_std
from ..record.refusal import value_error
from ..tensor import Tensor, convert


def convert_image_dtype(image: Any, dtype: Any, saturate: bool = False, name: str | None = None) -> Any:
    """The image in another dtype: whole numbers run to the largest that the dtype holds, floats from 0 to 1.

    >>> tf.image.convert_image_dtype(np.uint8([[[0], [51], [255]]]), "float32").numpy().ravel()
    array([0.        , 0.20000002, 1.        ], dtype=float32)
    >>> tf.image.convert_image_dtype([[[0.0], [0.2], [1.0]]], "uint8").numpy().ravel()
    array([  0,  51, 255], dtype=uint8)
    """
    image, wanted = convert(image), as_dtype(dtype)
    have = image.dtype
    if have == wanted:
        return image
    narrow: Callable[..., Tensor] = saturate_cast if saturate else cast
    if have.is_floating:
        return cast(image, wanted) if wanted.is_floating else narrow(image * (wanted.max + 0.5), wanted)
    if wanted.is_floating:
        return cast(image, wanted) * (1.0 / have.max)
    if have.max > wanted.max:
        return narrow(image // ((int(have.max) + 1) // (int(wanted.max) + 1)), wanted)
    return narrow(image, wanted) * ((int(wanted.max) + 1) // (int(have.max) + 1))


def _as_floats(image: Any, function: Callable[[Tensor], Tensor]) -> Any:
    """A function of the image as floats, converted back to the image's dtype."""
    image = convert(image)
    floats = image if image.dtype.name in ("float32", "float16") else convert_image_dtype(image, "float32")
    return convert_image_dtype(function(floats), image.dtype, saturate=True)


def adjust_brightness(image: Any, delta: Any) -> Tensor:
    """The image plus `delta`; an image of whole numbers is taken as floats from 0 to 1 for that, and keeps its dtype.

    >>> tf.image.adjust_brightness([[[0.25]]], 0.5).numpy().ravel()
    array([0.75], dtype=float32)
    >>> tf.image.adjust_brightness(np.uint8([[[200]]]), 0.5).numpy().ravel()
    array([255], dtype=uint8)
    """
    return _as_floats(image, lambda x: x + delta)


def adjust_gamma(image: Any, gamma: float = 1, gain: float = 1) -> Tensor:
    """The image as gain × x ** gamma, its floats from 0 to 1; raises ValueError for a gamma below 0.

    >>> tf.image.adjust_gamma([[[0.5]]], gamma=2.0).numpy().ravel()
    array([0.25], dtype=float32)
    """
    if isinstance(gamma, int | float) and gamma < 0:
        raise value_error(f"Gamma should be a non-negative real number, got {gamma}.")
    return _as_floats(image, lambda x: x ** float(gamma) * float(gain))


def adjust_saturation(image: Any, saturation_factor: Any, name: str | None = None) -> Tensor:
    """The image [..., 3] with its saturation times a factor.

    As in TensorFlow it has no derivative: a gradient through it raises LookupError.

    >>> tf.image.adjust_saturation([[[1.0, 0.0, 0.0]]], 0.5).numpy().ravel()
    array([1. , 0.5, 0.5], dtype=float32)
    """
    return _as_floats(image, lambda x: saturated_(x, convert(saturation_factor, hint=np.dtype("float32"))))


def adjust_hue(image: Any, delta: Any, name: str | None = None) -> Tensor:
    """The image [..., 3] with its hues turned by `delta`, a share of the colour circle.

    As in TensorFlow it has no derivative: a gradient through it raises LookupError.

    >>> tf.image.adjust_hue([[[1.0, 0.0, 0.0]]], 0.5).numpy().ravel()  # red becomes cyan
    array([0., 1., 1.], dtype=float32)
    """
    return _as_floats(image, lambda x: turned_(x, convert(delta, hint=np.dtype("float32"))))


def rgb_to_grayscale(images: Any, name: str | None = None) -> Tensor:
    """The perceived brightness as one channel: [..., 3] becomes [..., 1].

    >>> tf.image.rgb_to_grayscale([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]]).numpy().round(4).ravel()
    array([0.2989, 0.587 ], dtype=float32)
    """
    return _as_floats(images, lambda x: tensordot(x, np.array([[0.2989], [0.587], [0.114]], x.tag.dtype), 1))


def grayscale_to_rgb(images: Any, name: str | None = None) -> Tensor:
    """Three equal channels for one: [..., 1] becomes [..., 3].

    >>> tf.image.grayscale_to_rgb([[[0.25], [0.5]]]).numpy()[0]
    array([[0.25, 0.25, 0.25],
           [0.5 , 0.5 , 0.5 ]], dtype=float32)
    """
    images = convert(images)
    return tile(images, [1] * (images.ndim - 1) + [3])


_YUV = [[0.299, -0.14714119, 0.61497538], [0.587, -0.28886916, -0.51496512], [0.114, 0.43601035, -0.10001026]]
_YUV_BACK = [[1.0, 1.0, 1.0], [0.0, -0.394642334, 2.03206185], [1.13988303, -0.58062185, 0.0]]
_YIQ = [[0.299, 0.59590059, 0.2115], [0.587, -0.27455667, -0.52273617], [0.114, -0.32134392, 0.31119955]]
_YIQ_BACK = [[1.0, 1.0, 1.0], [0.95598634, -0.27201283, -1.10674021], [0.6208248, -0.64720424, 1.70423049]]


def _mixed(images: Any, matrix: list[list[float]]) -> Tensor:
    images = convert(images)
    return tensordot(images, np.array(matrix, images.tag.dtype), 1)


def rgb_to_yuv(images: Any) -> Tensor:
    """Brightness and two colour differences (YUV) for red, green and blue: floats [..., 3], and the same shape back.

    >>> tf.image.rgb_to_yuv([[[1.0, 1.0, 1.0], [1.0, 0.0, 0.0]]]).numpy().round(3)[0] + 0.0
    array([[ 1.   ,  0.   ,  0.   ],
           [ 0.299, -0.147,  0.615]], dtype=float32)
    """
    return _mixed(images, _YUV)


def yuv_to_rgb(images: Any) -> Tensor:
    """Red, green and blue for what `rgb_to_yuv` gives: [..., 3].

    >>> tf.image.yuv_to_rgb(tf.image.rgb_to_yuv([[[1.0, 0.5, 0.25]]])).numpy().round(3).ravel()
    array([1.  , 0.5 , 0.25], dtype=float32)
    """
    return _mixed(images, _YUV_BACK)


def rgb_to_yiq(images: Any) -> Tensor:
    """Brightness and two colour differences (YIQ) for red, green and blue: floats [..., 3], and the same shape back.

    >>> tf.image.rgb_to_yiq([[[1.0, 1.0, 1.0], [1.0, 0.0, 0.0]]]).numpy().round(3)[0] + 0.0
    array([[1.   , 0.   , 0.   ],
           [0.299, 0.596, 0.212]], dtype=float32)
    """
    return _mixed(images, _YIQ)


def yiq_to_rgb(images: Any) -> Tensor:
    """Red, green and blue for what `rgb_to_yiq` gives: [..., 3].

    >>> tf.image.yiq_to_rgb(tf.image.rgb_to_yiq([[[1.0, 0.5, 0.25]]])).numpy().round(3).ravel()
    array([1.  , 0.5 , 0.25], dtype=float32)
    """
    return _mixed(images, _YIQ_BACK)


# ---- the image as a whole -----------------------------------------------------------------------------------------------------


def per_image_standardization(image: Any) -> Any:
    """Each image scaled to mean 0 and standard deviation 1; an image of one colour becomes zeros.

    >>> tf.image.per_image_standardization([[[1.0], [3.0]]]).numpy().ravel()
    array([-1.,  1.], dtype=float32)
    """
    image = convert(image)
    floats = image if image.dtype.is_floating else cast(image, "float32")
    count = float(np.prod(image.shape[-3:]))
    deviation = reduce_std(floats, [-3, -2, -1], keepdims=True)
    return (floats - reduce_mean(floats, [-3, -2, -1], keepdims=True)) / maximum(deviation, 1.0 / count**0.5)


def total_variation(images: Any, name: str | None = None) -> Tensor:
    """The sum of the absolute differences of neighbouring pixels, one number per image.

    Raises ValueError for other ranks than 3 and 4.

    >>> tf.image.total_variation([[[1.0], [3.0]], [[1.0], [3.0]]]).numpy()
    np.float32(4.0)
    """
    images = convert(images)
    if images.ndim not in (3, 4):
        raise value_error("'images' must be either 3 or 4-dimensional.", "[rows, columns, channels], or a batch.")
    down = images[..., 1:, :, :] - images[..., :-1, :, :]
    across = images[..., 1:, :] - images[..., :-1, :]
    return reduce_sum(abs_(down), [-3, -2, -1]) + reduce_sum(abs_(across), [-3, -2, -1])


def image_gradients(image: Any) -> tuple[Tensor, Tensor]:
    """Differences down the rows and along the columns of a batch: two tensors of its shape, 0 where no neighbour follows.

    >>> down, across = tf.image.image_gradients([[[[1.0], [3.0]], [[2.0], [7.0]]]])
    >>> down.numpy().ravel(), across.numpy().ravel()
    (array([1., 4., 0., 0.], dtype=float32), array([2., 0., 5., 0.], dtype=float32))
    """
    image = convert(image)
    down = pad(image[:, 1:] - image[:, :-1], [[0, 0], [0, 1], [0, 0], [0, 0]])
    across = pad(image[:, :, 1:] - image[:, :, :-1], [[0, 0], [0, 0], [0, 1], [0, 0]])
    return down, across


def sobel_edges(image: Any) -> Tensor:
    """The smoothed derivatives of a batch of images down the rows and along the columns, on a new last axis (Sobel 1968).

    >>> tf.image.sobel_edges(np.ones((1, 4, 5, 3), "float32")).shape
    TensorShape([1, 4, 5, 3, 2])
    """
    image = convert(image)
    down = np.array([[-1, -2, -1], [0, 0, 0], [1, 2, 1]], image.tag.dtype)
    filters = np.tile(np.stack([down, down.T], -1)[:, :, None, :], (1, 1, image.shape[-1], 1))
    bordered = pad(image, [[0, 0], [1, 1], [1, 1], [0, 0]], mode="REFLECT")
    found = depthwise_conv2d(bordered, filters, [1, 1, 1, 1], "VALID")
    return reshape(found, [*image.shape, 2])


def psnr(a: Any, b: Any, max_val: Any, name: str | None = None) -> Any:
    """The peak signal-to-noise ratio of two images in decibels: 20 log max − 10 log of the mean squared difference.

    >>> float(tf.image.psnr(np.zeros((8, 8, 1)), np.full((8, 8, 1), 0.1), max_val=1.0))
    20.0
    """
    a, b = (convert_image_dtype(image, "float32") for image in (a, b))
    largest = convert_image_dtype(convert(max_val), "float32") if isinstance(max_val, np.generic) else float(max_val)
    square = reduce_mean((a - b) * (a - b), [-3, -2, -1])
    ten = float(np.log(np.float32(10.0)))
    return log(convert(largest)) * (20.0 / ten) - log(square) * (10.0 / ten)


def ssim(
    img1: Any, img2: Any, max_val: float, filter_size: int = 11, filter_sigma: float = 1.5, k1: float = 0.01, k2: float = 0.03,
    return_index_map: bool = False,
) -> Tensor:  # fmt: skip
    """The structural similarity of two images (Wang et al. 2004), from means, variances and covariances in windows.

    >>> image = np.linspace(0, 1, 256, dtype="float32").reshape(16, 16, 1)
    >>> float(tf.image.ssim(image, image, max_val=1.0))
    1.0
    """

    def compared(both: Tensor) -> Tensor:
        half = both.shape[0] // 2
        x, y = both[:half], both[half:]
        bell = np.exp(-np.square(np.arange(filter_size) - (filter_size - 1) / 2) / (2 * filter_sigma**2))
        window = np.outer(bell, bell) / bell.sum() ** 2
        filters = np.tile(window.astype(x.tag.dtype)[:, :, None, None], (1, 1, x.shape[-1], 1))

        def mean(z: Tensor) -> Tensor:
            return depthwise_conv2d(z, filters, [1, 1, 1, 1], "VALID")

        small, smaller = (k1 * max_val) ** 2, (k2 * max_val) ** 2
        mean_x, mean_y = mean(x), mean(y)
        product, squares = mean_x * mean_y * 2.0, mean_x * mean_x + mean_y * mean_y
        light = (product + small) / (squares + small)
        contrast = (mean(x * y) * 2.0 - product + smaller) / (mean(x * x + y * y) - squares + smaller)
        return reduce_mean(light * contrast, -1 if return_index_map else [-3, -2, -1])

    first, second = (convert_image_dtype(image, "float32") for image in (img1, img2))
    single = first.ndim == 3
    answer = compared(concat([first[None], second[None]] if single else [first, second], 0))
    return answer[0] if single else answer
