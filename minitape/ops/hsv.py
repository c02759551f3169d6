"""Colours as hue, saturation and value, and rows that change them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..notes import Notes
from ..tensor import Tensor, convert
from ..trace import no_recording
from .clip import clip_by_value
from .elementwise import abs as abs_
from .elementwise import divide_no_nan, equal, where
from .joins import stack, unstack
from .reductions import reduce_max, reduce_min
from .refused import Refused

# fmt: off
saturated_ = Refused("adjust_saturation", lambda x, y: _through_hsv(x, 1, lambda s: np.clip(s * y, 0, 1)),
    lambda: "gradient registry has no entry for: AdjustSaturation", arguments=("x", "y"),
    notes=Notes(phrase="x with its saturation × y", same_dtype=False, kinds="f"))
turned_ = Refused("adjust_hue", lambda x, y: _through_hsv(x, 0, lambda h: np.mod(h + y, 1)),
    lambda: "gradient registry has no entry for: AdjustHue", arguments=("x", "y"),
    notes=Notes(phrase="x with its hue + y", same_dtype=False, kinds="f"))
# fmt: on


def _through_hsv(x: np.ndarray, channel: int, change: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    with no_recording():
        parts = list(np.moveaxis(rgb_to_hsv(x).numpy(), -1, 0))
        parts[channel] = np.asarray(change(parts[channel]), x.dtype)
        return np.asarray(hsv_to_rgb(np.stack(parts, -1)).numpy())


def rgb_to_hsv(images: Any, name: str | None = None) -> Tensor:
    """Hue, saturation and value, each between 0 and 1.

    >>> tf.image.rgb_to_hsv([[0.0, 0.5, 0.0]]).numpy().round(4)
    array([[0.3333, 1.    , 0.5   ]], dtype=float32)
    """
    images = convert(images)
    red, green, blue = unstack(images, axis=-1)
    value = reduce_max(images, -1)
    reach = value - reduce_min(images, -1)
    sixth = divide_no_nan(red * 0.0 + 1.0 / 6.0, reach)
    hue = where(
        equal(value, red),
        sixth * (green - blue),
        where(equal(value, green), sixth * (blue - red) + 1.0 / 3.0, sixth * (red - green) + 2.0 / 3.0),
    )
    hue = where(reach > 0.0, where(hue < 0.0, hue + 1.0, hue), hue * 0.0)
    return stack([hue, divide_no_nan(reach, value), value], -1)


def hsv_to_rgb(images: Any, name: str | None = None) -> Tensor:
    """Red, green and blue of hue, saturation and value.

    >>> tf.image.hsv_to_rgb([[0.0, 1.0, 0.5]]).numpy()
    array([[0.5, 0. , 0. ]], dtype=float32)
    """
    hue, saturation, value = unstack(convert(images), axis=-1)
    sixths = hue * 6.0
    pure = (
        clip_by_value(abs_(sixths - 3.0) - 1.0, 0.0, 1.0),
        clip_by_value(2.0 - abs_(sixths - 2.0), 0.0, 1.0),
        clip_by_value(2.0 - abs_(sixths - 4.0), 0.0, 1.0),
    )
    return stack([(1.0 - saturation + saturation * part) * value for part in pure], -1)
