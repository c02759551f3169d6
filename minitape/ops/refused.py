"""Ops that TensorFlow refuses to differentiate: they compute, and their derivative is a LookupError."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np

from ..notes import PLAIN, Notes, named
from ..primitive import Primitive
from ..tensor import Tensor, convert
from .clip import saturate_cast
from .elementwise import cast


class Refused(Primitive):
    """A row whose derivative is an error; `reason` makes its text from the op's settings.

    >>> x = tf.constant(3.0)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = tf.raw_ops.PreventGradient(input=x, message="ask nobody")
    >>> tape.gradient(y, x)
    Traceback (most recent call last):
        ...
    LookupError: Gradient explicitly disabled. Reason: b'ask nobody'
    """

    kind = "refused"

    def __init__(
        self, name: str, forward: Callable[..., Any], reason: Callable[..., str], arguments: Sequence[str] = ("x",),
        notes: Notes = PLAIN,
    ) -> None:  # fmt: skip
        super().__init__(name, forward, arguments=arguments, notes=notes)
        self.reason = reason

    def _refuse(self, application: Any) -> NoReturn:
        raise LookupError(self.reason(**application.params))

    def pullback(self, application: Any, values: Any, cotangents: Any, position: int) -> NoReturn:
        """Raises LookupError."""
        self._refuse(application)

    def pushforward(self, application: Any, values: Any, tangents: Any, space: Any = None) -> NoReturn:
        """Raises LookupError."""
        self._refuse(application)


# fmt: off
prevent_gradient_ = Refused("prevent_gradient", lambda x, message: x,
    lambda message: f"Gradient explicitly disabled. Reason: {message.encode()!r}",
    notes=Notes(phrase="x, never to be differentiated"))
adjust_contrast_ = Refused("adjust_contrast", lambda x, y: _contrast(x, y),
    lambda: "gradient registry has no entry for: AdjustContrastv2", arguments=("x", "y"),
    notes=Notes(phrase="(x − mean) × y + mean", title="AdjustContrastv2", kinds="f", same_dtype=False))
# fmt: on


def _contrast(x: np.ndarray, factor: np.ndarray) -> np.ndarray:
    mean = x.mean((-3, -2), keepdims=True)
    return np.asarray((x - mean) * factor + mean, x.dtype)


@named("raw_ops.PreventGradient")
def prevent_gradient(input: Any, message: str = "", name: str | None = None) -> Tensor:
    """The tensor itself; differentiating through it raises LookupError with the message.

    >>> tf.raw_ops.PreventGradient(3.0, message="not this way").numpy()
    np.float32(3.0)
    """
    return prevent_gradient_(convert(input), message=message)


def adjust_contrast(images: Any, contrast_factor: Any) -> Tensor:
    """Images [..., rows, columns, channels] with their distance from the mean of each channel multiplied.

    TensorFlow has no derivative for it: LookupError.

    >>> tf.image.adjust_contrast([[[1.0], [3.0]]], 2.0).numpy().ravel()
    array([0., 4.], dtype=float32)
    """
    images = convert(images)
    if images.dtype.is_floating:
        return adjust_contrast_(images, contrast_factor)
    # Whole numbers stand for fractions of the largest that their dtype holds, as in images.
    scaled = cast(images, "float32") / float(images.dtype.max)
    back = adjust_contrast_(scaled, contrast_factor) * (float(images.dtype.max) + 0.5)
    return saturate_cast(back, images.dtype)
