"""What an argument may be: one of a few values, a number in an interval, a whole number, or one for each axis."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..operands import unfit
from ..record.refusal import described, refusal, type_error, value_error
from ..tensor import Operand
from .names import parameters
from .symbol import KerasTensor


def one_of(what: str, value: Any, known: Sequence[Any], hint: str = "") -> Any:
    """The value of an argument that may have only these; raises ValueError for others.

    >>> one_of("score_mode", "dot", ("dot", "concat"))
    'dot'
    """
    if value not in known:
        raise value_error(
            f"Invalid value for argument `{what}`. Expected one of {tuple(known)}. Received: {what}={described(value)}",
            hint or f"{known[0]!r} is usual.",
        )
    return value


def unwritten(made: Any, method: str, advice: str) -> Exception:
    """What to raise for a method that each subclass writes, and this one did not.

    >>> print(str(unwritten(0.5, "call", "def call(self, x): ...")).splitlines()[0])
    float must have a method call
    """
    return refusal(NotImplementedError, f"{type(made).__name__} must have a method {method}", advice)


def made_first(cls: type, given: Any, room: str, called: str) -> None:
    """Raise ValueError where what a class makes was meant to be called: it was given data in place of settings.

    >>> made_first(dict, "a name", "losses", "y_true, y_pred")
    """
    if isinstance(given, list | tuple | np.ndarray | Operand | KerasTensor):
        shape = f" of shape {tuple(given.shape)}" if hasattr(given, "shape") else ""
        what = room.removesuffix("s").replace("losse", "loss")
        raise value_error(
            f"{cls.__name__} makes a {what}, and was given a {type(given).__name__}{shape}",
            f"Make it, then call it: {what} = tf.keras.{room}.{cls.__name__}(), and {what}({called}).",
        )


def within(what: str, value: Any, interval: str, hint: str) -> Any:
    """The value of an argument that is a number in an interval; raises ValueError for others.

    >>> within("rate", 0.5, "[0, 1)", "0.5 is usual."), within("steps", 3, "(0, ∞)", "1000, say.")
    (0.5, 3)
    """
    low, high = (float(end.replace("∞", "inf")) for end in interval[1:-1].split(","))
    try:
        inside = low < value < high or value == low and interval[0] == "[" or value == high and interval[-1] == "]"
    except TypeError:
        inside = False
    if not inside:
        received = f"Received: {what}={described(value)}"
        text = f"Invalid value received for argument `{what}`. Expected a number in {interval}. {received}"
        raise value_error(text, hint)
    return value


def called_with(function: Any, given: Sequence[str], what: str, write: str) -> None:
    """Raise TypeError for a function that cannot be called with so many arguments as it will be.

    >>> called_with(lambda y_pred: 1.0, ("y_true", "y_pred"), "a loss", "def loss(y_true, y_pred): ...")
    Traceback (most recent call last):
        ...
    TypeError: a loss is called with (y_true, y_pred), and <lambda> takes (y_pred)...
    """
    taken = unfit(function, given)
    if taken is not None:
        called, names = getattr(function, "__qualname__", type(function).__name__), ", ".join(taken.parameters)
        raise type_error(f"{what} is called with ({', '.join(given)}), and {called} takes ({names})", f"Write {write}")


def takes_inputs(layer: type) -> None:
    """Raise TypeError for a layer whose `build` or `call` has no parameter beside the layer itself.

    >>> takes_inputs(tf.keras.layers.Dense)
    """
    for what, takes in (("build", "input_shape"), ("call", "inputs")):
        bound = not isinstance(inspect.getattr_static(layer, what), staticmethod)
        if bound and len(parameters(getattr(layer, what))) < 2:
            raise type_error(
                f"{layer.__name__}.{what} takes the layer itself and {takes}, and has one parameter",
                f"Write def {what}(self, {takes}): ...",
            )


def positive(what: str, value: Any) -> int:
    """A whole number above 0; raises ValueError for what is none.

    >>> positive("units", 3)
    3
    """
    if not isinstance(value, int) or value <= 0:
        text = (
            f"Received an invalid value for `{what}`, expected a positive integer. Received: {what}={described(value)}"
        )
        raise value_error(text, f"It is a number, such as {what}=4.")
    return value


def lengths(value: Any, rank: int, what: str) -> tuple[int, ...]:
    """One number for each axis; raises ValueError for another number of them.

    >>> lengths(3, 2, "kernel_size")
    (3, 3)
    """
    given = (value,) * rank if isinstance(value, int) else tuple(value)
    if len(given) != rank or not all(isinstance(number, int) and number >= 0 for number in given):
        text = f"The `{what}` argument must be a tuple of {rank} integers. Received: {what}={value}"
        raise value_error(text, f"Write {what}={(3,) * rank}, or one number for all.")
    return given
