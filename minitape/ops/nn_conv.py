"""Convolutions and pooling.

A convolution y = C(x, w) is bilinear.  So are its two transposes: towards the image, X(y, w), and towards the filter,
W(x, y); and the transposes of each of the three are the other two.  Images are [batch, rows, columns, channels].
"""

from __future__ import annotations

import functools
import math
from typing import Any, NamedTuple

import numpy as np

from ..kinds import Bilinear, General, Linear
from ..notes import Notes, named
from ..primitive import flat
from ..record.refusal import invalid_argument
from ..tensor import Tensor, convert, to_array
from .indexing import gather_, scatter_add_
from .reductions import lowest, reduce_sum
from .shapes import broadcast_to_, expand_dims, reshape_, squeeze, transpose


class Window(NamedTuple):
    """How a window goes over an image: its size, its steps, the spread of its points, and the border around the image."""

    size: tuple[int, int]
    strides: tuple[int, int]
    dilations: tuple[int, int]
    border: tuple[tuple[int, int], tuple[int, int]]
    image: tuple[int, int]

    def over(self) -> list[int]:
        """How many windows there are, along rows and along columns."""
        return [
            (length + sum(border) - (size - 1) * spread - 1) // step + 1
            for length, border, size, spread, step in zip(
                self.image, self.border, self.size, self.dilations, self.strides
            )
        ]


# fmt: off
conv2d_ = Bilinear("conv2d", lambda x, y, window: _conv(x, y, window),
    lambda g, y, window: conv2d_image_(g, y, window=window), lambda g, x, window: conv2d_filter_(x, g, window=window),
    notes=Notes(phrase="x ∗ y, each window of x times y", sign="∗", kinds="f"))
conv2d_image_ = Bilinear("conv2d_image", lambda x, y, window: _image(x, y, window),
    lambda g, y, window: conv2d_(g, y, window=window), lambda g, x, window: conv2d_filter_(g, x, window=window),
    notes=Notes(phrase="x spread through the filter y", sign="∗ᵀ", title="Conv2DBackpropInput", kinds="f"))
conv2d_filter_ = Bilinear("conv2d_filter", lambda x, y, window: _filter(x, y, window),
    lambda g, y, window: conv2d_image_(y, g, window=window), lambda g, x, window: conv2d_(x, g, window=window),
    notes=Notes(phrase="each window of x times y, summed", sign="∗ᵀ", title="Conv2DBackpropFilter", kinds="f"))
windows_ = Linear("windows", lambda x, window: _flat_windows(x, window),
    lambda g, window: unwindows_(g, window=window),
    notes=Notes(phrase="the windows of x", title="ExtractImagePatches", kinds="f"))
unwindows_ = Linear("unwindows", lambda x, window: _add_windows(x, window),
    lambda g, window: windows_(g, window=window),
    notes=Notes(phrase="x, each window added up in its place", kinds="f"))
max_pool_ = General("max_pool", lambda x, window: _windows(x, window, lowest(x)).max((4, 5)),
    vjp=[lambda g, x, window, x_shape: _at_largest(g, x, window, x_shape)],
    jvp=[lambda t, x, window: gather_(reshape_(t, shape=(-1,)), max_places_(x, window=window), axis=0)],
    notes=Notes(phrase="the largest of each window of x", sign="max", kinds="iuf"))
avg_pool_ = Linear("avg_pool", lambda x, window: _windows(x, window).sum((4, 5)) / _counts(window, x.dtype),
    lambda g, window, x_dtype, out_shape: _over_windows(g / _counts(window, x_dtype), window, out_shape),
    notes=Notes(phrase="the mean of each window of x", sign="mean", kinds="f"))
max_places_ = flat("max_places", lambda x, window: _max_places(x, window),
    notes=Notes(phrase="where each window of x is largest", title="MaxPoolWithArgmax"))
# fmt: on


def _at_largest(g: Tensor, x: Tensor, window: Window, shape: tuple[int, ...]) -> Tensor:
    """What comes back to each window, at the place of its largest number (the first of them)."""
    line = scatter_add_(g, max_places_(x, window=window), axis=0, shape=(math.prod(shape),))
    return reshape_(line, shape=shape)


def _over_windows(g: Tensor, window: Window, shape: tuple[int, ...]) -> Tensor:
    """A number of each window, added up at all the places that it was taken from."""
    single, spread = _spread_out(window, shape)
    return unwindows_(broadcast_to_(reshape_(g, shape=single), shape=spread), window=window)


@functools.lru_cache(maxsize=256)
def _spread_out(window: Window, shape: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The shapes of one number for each window, and of as many as the window has."""
    *lead, channels = shape
    return (*lead, 1, 1, channels), (*lead, *window.size, channels)


# ---- in NumPy -------------------------------------------------------------------------------------------------------


def _windows(x: np.ndarray, window: Window, fill: Any = 0.0) -> np.ndarray:
    """All windows, as a view: [batch, rows, columns, channels, window rows, window columns]."""
    if any(any(pair) for pair in window.border):
        x = np.pad(x, ((0, 0), *window.border, (0, 0)), constant_values=fill)
    reach = tuple((size - 1) * spread + 1 for size, spread in zip(window.size, window.dilations, strict=True))
    seen = np.lib.stride_tricks.sliding_window_view(x, reach, axis=(1, 2))
    (down, right), (below, beside) = window.strides, window.dilations
    return seen[:, ::down, ::right, :, ::below, ::beside]


def _conv(x: np.ndarray, y: np.ndarray, window: Window) -> np.ndarray:
    return np.tensordot(_windows(x, window), y, ((4, 5, 3), (0, 1, 2)))


def _filter(x: np.ndarray, g: np.ndarray, window: Window) -> np.ndarray:
    return np.tensordot(_windows(x, window), g, ((0, 1, 2), (0, 1, 2))).transpose(1, 2, 0, 3)


def _image(g: np.ndarray, y: np.ndarray, window: Window) -> np.ndarray:
    return _spread(np.tensordot(g, y, ((3,), (3,))).transpose(0, 1, 2, 5, 3, 4), window)


def _spread(parts: np.ndarray, window: Window) -> np.ndarray:
    """Windows (laid out as by `_windows`) added up where they were taken from."""
    batch, rows, columns, channels = parts.shape[:4]
    (top, bottom), (left, right) = window.border
    height, width = window.image
    whole = np.zeros((batch, height + top + bottom, width + left + right, channels), parts.dtype)
    for i, j in np.ndindex(window.size):
        row, column = i * window.dilations[0], j * window.dilations[1]
        down, beside = window.strides
        whole[:, row : row + down * rows : down, column : column + beside * columns : beside] += parts[..., i, j]
    return np.ascontiguousarray(whole[:, top : top + height, left : left + width])


def _flat_windows(x: np.ndarray, window: Window) -> np.ndarray:
    return np.ascontiguousarray(np.moveaxis(_windows(x, window), 3, 5))


def _add_windows(x: np.ndarray, window: Window) -> np.ndarray:
    return _spread(np.moveaxis(x, 5, 3), window)


@functools.lru_cache(maxsize=256)
def _counts(window: Window, dtype: np.dtype[Any]) -> np.ndarray:
    """How many numbers of the image each window has: [1, rows, columns, 1]."""
    counts: np.ndarray = _windows(np.ones((1, *window.image, 1), dtype), window).sum((4, 5))
    return counts


def _max_places(x: np.ndarray, window: Window) -> np.ndarray:
    """For each window the index of its largest number (the first of them) in the flat batch."""
    numbers = _windows(np.arange(x.size, dtype=np.int64).reshape(x.shape), window)
    values = _windows(x, window, lowest(x))
    lead = values.shape[:4]
    best = values.reshape(*lead, -1).argmax(-1)
    return np.take_along_axis(numbers.reshape(*lead, -1), best[..., None], -1)[..., 0]


# ---- the public functions -------------------------------------------------------------------------------------------


def _pair(value: Any, channels_first: bool = False) -> tuple[int, int]:
    numbers = [int(number) for number in to_array(value).reshape(-1)]
    if len(numbers) == 1:
        numbers *= 2
    if len(numbers) == 4:
        numbers = numbers[2:] if channels_first else numbers[1:3]
    return numbers[0], numbers[1]


def _window(image: tuple[int, ...], size: Any, strides: Any, padding: Any, dilations: Any = 1) -> Window:
    sizes, steps, spreads = _pair(size), _pair(strides), _pair(dilations)
    border = []
    if min(steps) < 1:
        raise invalid_argument(f"Stride must be > 0, but got {min(steps)}", "1 visits every place.")
    for axis in (0, 1):
        reach = (sizes[axis] - 1) * spreads[axis] + 1
        word = padding if isinstance(padding, str) else None
        if word == "SAME":
            missing = max(0, (-(-image[axis] // steps[axis]) - 1) * steps[axis] + reach - image[axis])
            border.append((missing // 2, missing - missing // 2))
        elif word == "VALID":
            border.append((0, 0))
        elif word is not None:
            raise invalid_argument(
                f"Value for attr 'padding' of {padding!r} is not in the list of allowed values: 'SAME', 'VALID', 'EXPLICIT'",
                f"Write {word.upper()!r}: tf.nn takes capitals, Keras's layers small letters."
                if word.upper() in ("SAME", "VALID")
                else "'VALID' leaves the border out, 'SAME' fills it with zeros.",
            )
        else:
            border.append(_pair(padding[axis + 1]))
        if image[axis] + sum(border[-1]) < reach:
            raise invalid_argument(
                f"a window that reaches over {reach} does not fit an axis of {image[axis]}",
                "Use padding='SAME', or a smaller window.",
            )
    return Window(sizes, steps, spreads, (border[0], border[1]), (image[0], image[1]))


def _image_tensor(x: Any, data_format: str | None) -> tuple[Tensor, bool]:
    first = bool(data_format) and str(data_format).startswith("NC")
    image = convert(x)
    if image.ndim != 4:
        raise invalid_argument(
            f"an image must have 4 axes, [batch, rows, columns, channels], got {image.shape}",
            "One image alone is x[tf.newaxis]; one without channels x[..., tf.newaxis].",
        )
    return (transpose(image, [0, 2, 3, 1]) if first else image), first


def _filter_tensor(filters: Any, image: Tensor, axis: int) -> Tensor:
    """The filters, whose `axis` is as long as the image has channels."""
    filters = convert(filters, hint=image.tag.dtype)
    if filters.ndim != 4 or filters.tag.shape[axis] != image.tag.shape[3]:
        kinds = ["rows", "columns", "channels", "outputs"] if axis == 2 else ["rows", "columns", "outputs", "channels"]
        raise invalid_argument(
            f"an image of {image.tag.shape[3]} channels, {image.shape.as_list()}, and filters of shape {filters.shape.as_list()} "
            "do not go together",
            f"Filters are [{', '.join(kinds)}], with as many channels as the image: [3, 3, "
            + ("{0}, 8]." if axis == 2 else "8, {0}].").format(image.tag.shape[3]),
        )
    return filters


def _back(y: Tensor, first: bool) -> Tensor:
    return transpose(y, [0, 3, 1, 2]) if first else y


@named("nn.conv2d")
def conv2d(
    input: Any, filters: Any, strides: Any, padding: Any, data_format: str = "NHWC", dilations: Any = None,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """Every window of the images times the filters, summed: [batch, rows, columns, outputs].

    Args: input [batch, rows, columns, channels]; filters [rows, columns, channels, outputs]; strides, one or two numbers;
    padding, "SAME" or "VALID".  Raises InvalidArgumentError where the channels differ.

    >>> tf.nn.conv2d([[[[1.0], [2.0], [3.0]]]], [[[[1.0]], [[-1.0]]]], strides=1, padding="VALID").numpy().ravel()
    array([-1., -1.], dtype=float32)
    """
    image, first = _image_tensor(input, data_format)
    filters = _filter_tensor(filters, image, 2)
    steps, spreads = _pair(strides, first), 1 if dilations is None else _pair(dilations, first)
    window = _window(image.tag.shape[1:3], filters.tag.shape[:2], steps, padding, spreads)
    return _back(conv2d_(image, filters, window=window), first)


@named("nn.conv1d")
def conv1d(
    input: Any, filters: Any, stride: Any = 1, padding: Any = "VALID", data_format: str = "NWC", dilations: Any = None,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """Convolution along one axis: input [batch, length, channels], filters [length, channels, outputs].

    >>> tf.nn.conv1d([[[1.0], [2.0], [4.0]]], [[[1.0]], [[-1.0]]]).numpy().ravel()
    array([-1., -2.], dtype=float32)
    """
    at, layout = _row_of(data_format)
    wide = conv2d(
        expand_dims(input, at), expand_dims(filters, 0), _along(stride), padding, layout, _along(dilations or 1)
    )
    return squeeze(wide, at)


def _row_of(data_format: str) -> tuple[int, str]:
    """Where a sequence gets an axis of one row to be an image, and the layout that the image has."""
    return (2, "NCHW") if data_format == "NCW" else (1, "NHWC")


def _along(setting: Any) -> list[int]:
    """A setting for the one axis of a sequence, as an image takes it."""
    return [1, int(np.ravel(to_array(setting))[0])]


@named("nn.convolution")
def convolution(
    input: Any, filters: Any, strides: Any = None, padding: Any = "VALID", data_format: str | None = None, dilations: Any = None,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """`conv2d` of images, and `conv1d` of sequences.

    >>> tf.nn.convolution([[[1.0], [2.0], [3.0]]], [[[1.0]], [[-1.0]]]).numpy().ravel()
    array([-1., -1.], dtype=float32)
    """
    plain, layout = (conv1d, "NWC") if len(convert(filters).tag.shape) == 3 else (conv2d, "NHWC")
    return plain(input, filters, 1 if strides is None else strides, padding, data_format or layout, dilations)


@named("nn.conv2d_transpose")
def conv2d_transpose(
    input: Any, filters: Any, output_shape: Any, strides: Any, padding: Any = "SAME", data_format: str = "NHWC",
    dilations: Any = None, name: str | None = None,
) -> Tensor:  # fmt: skip
    """The transpose of `conv2d` towards its images: numbers spread through the filters [rows, columns, outputs, channels].

    >>> tf.nn.conv2d_transpose([[[[1.0]]]], [[[[1.0]], [[2.0]]]], [1, 1, 2, 1], 1, "VALID").numpy().ravel()
    array([1., 2.], dtype=float32)
    """
    image, first = _image_tensor(input, data_format)
    filters = _filter_tensor(filters, image, 3)
    shape = [int(size) for size in to_array(output_shape)]
    size = shape[2:] if first else shape[1:3]
    spreads = 1 if dilations is None else _pair(dilations, first)
    window = _window(tuple(size), filters.tag.shape[:2], _pair(strides, first), padding, spreads)
    asked = [shape[0], *window.over(), shape[1 if first else 3]]
    there = [*image.tag.shape[:3], filters.tag.shape[2]]
    if asked != there:
        raise invalid_argument(
            f"output_shape={shape} does not fit: "
            + (
                f"a convolution of it has batch, rows and columns {asked[:3]}, the input has {there[:3]}"
                if asked[:3] != there[:3]
                else f"it says {asked[3]} channels, the filters lead to {there[3]}"
            ),
            "With strides of 2 and padding 'SAME', 5 rows become 9 or 10; the channels are those of the filters.",
        )
    return _back(conv2d_image_(image, filters, window=window), first)


@named("nn.conv1d_transpose")
def conv1d_transpose(
    input: Any, filters: Any, output_shape: Any, strides: Any, padding: Any = "SAME", data_format: str = "NWC",
    dilations: Any = None, name: str | None = None,
) -> Tensor:  # fmt: skip
    """The transpose of `conv1d` towards its sequences: numbers spread through the filters [length, outputs, channels].

    >>> tf.nn.conv1d_transpose([[[1.0], [3.0]]], [[[1.0]], [[2.0]]], [1, 3, 1], 1, "VALID").numpy().ravel()
    array([1., 5., 6.], dtype=float32)
    """
    at, layout = _row_of(data_format)
    shape = [int(size) for size in to_array(output_shape)]
    wide = conv2d_transpose(
        expand_dims(input, at), expand_dims(filters, 0), [*shape[:at], 1, *shape[at:]], _along(strides), padding, layout,
        _along(dilations or 1),
    )  # fmt: skip
    return squeeze(wide, at)


@named("nn.conv_transpose")
def conv_transpose(
    input: Any, filters: Any, output_shape: Any, strides: Any, padding: Any = "SAME", data_format: str | None = None,
    dilations: Any = None, name: str | None = None,
) -> Tensor:  # fmt: skip
    """`conv2d_transpose` of images, and `conv1d_transpose` of sequences.

    >>> tf.nn.conv_transpose([[[1.0], [3.0]]], [[[1.0]], [[2.0]]], [1, 3, 1], 1, "VALID").numpy().ravel()
    array([1., 5., 6.], dtype=float32)
    """
    line = len(convert(filters).tag.shape) == 3
    plain, layout = (conv1d_transpose, "NWC") if line else (conv2d_transpose, "NHWC")
    return plain(input, filters, output_shape, strides, padding, data_format or layout, dilations)


@named("nn.depthwise_conv2d")
def depthwise_conv2d(
    input: Any, filter: Any, strides: Any, padding: Any, data_format: str | None = None, dilations: Any = None,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """Each channel convolved with filters of its own [rows, columns, channels, multiplier]; its outputs stand together.

    >>> tf.nn.depthwise_conv2d([[[[1.0, 2.0]]]], [[[[3.0], [4.0]]]], [1, 1, 1, 1], "VALID").numpy().ravel()
    array([3., 8.], dtype=float32)
    """
    image, first = _image_tensor(input, data_format)
    filters = convert(filter, hint=image.tag.dtype)
    rows, columns, channels, multiplier = filters.tag.shape
    spreads = 1 if dilations is None else _pair(dilations, first)
    window = _window(image.tag.shape[1:3], (rows, columns), _pair(strides, first), padding, spreads)
    seen = expand_dims(windows_(image, window=window), -1)  # [batch, rows, columns, i, j, channels, 1]
    mixed = reduce_sum(seen * filters, axis=[3, 4])
    return _back(reshape_(mixed, shape=(*mixed.tag.shape[:3], channels * multiplier)), first)


@named("nn.atrous_conv2d")
def atrous_conv2d(value: Any, filters: Any, rate: int, padding: Any, name: str | None = None) -> Tensor:
    """`conv2d` with a dilation: `rate` positions from each number of a window to the next.

    >>> tf.nn.atrous_conv2d([[[[1.0], [2.0], [4.0]]]], [[[[1.0]], [[-1.0]]]], 2, "VALID").numpy().ravel()
    array([-3.], dtype=float32)
    """
    return conv2d(value, filters, 1, padding, dilations=rate)


@named("nn.separable_conv2d")
def separable_conv2d(
    input: Any, depthwise_filter: Any, pointwise_filter: Any, strides: Any, padding: Any,
    data_format: str | None = None, dilations: Any = None, name: str | None = None,
) -> Tensor:  # fmt: skip
    """`depthwise_conv2d`, whose outputs a 1 × 1 convolution then mixes.

    >>> tf.nn.separable_conv2d([[[[1.0, 2.0]]]], [[[[3.0], [4.0]]]], [[[[1.0], [1.0]]]], [1, 1, 1, 1], "VALID").numpy().ravel()
    array([11.], dtype=float32)
    """
    apart = depthwise_conv2d(input, depthwise_filter, strides, padding, data_format, dilations)
    return conv2d(apart, pointwise_filter, 1, "VALID", data_format or "NHWC")
