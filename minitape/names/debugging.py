"""`tf.debugging`: claims that are checked where they stand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..dtypes import as_dtype
from ..ops.joins import several
from ..ops.shapes import identity
from ..record.provenance import hiding
from ..record.refusal import invalid_argument, type_error, value_error
from ..tensor import Tensor, convert


def _prefix(message: Any) -> str:
    """The caller's own message, in front of ours."""
    return f"{message} " if message else ""


def _told(claim: str, name: str, holds: Callable[..., Any], operands: Sequence[tuple[Any, ...]]) -> str:
    """The docstring of an assertion; its example has the first operands of which it holds, and the first of which it does not."""
    good, bad = [
        next(each for each in operands if np.all(holds(*map(np.array, each))) == held) for held in (True, False)
    ]
    calls = [f">>> tf.debugging.{name}({', '.join(map(str, each))})" for each in (good, bad)]
    return f"""Raises InvalidArgumentError unless {claim} everywhere.

    {calls[0]}
    {calls[1]}
    Traceback (most recent call last):
        ...
    minitape.errors.InvalidArgumentError: Condition {claim} did not hold...
    """


def _compare(sign: str, holds: Callable[[Any, Any], Any], what: str) -> Callable[..., None]:
    def check(x: Any, y: Any, message: Any = None, summarize: int | None = None, name: str | None = None) -> None:
        x = convert(x)
        y = convert(y, hint=x.tag.dtype)
        found = np.asarray(holds(x.array, y.array))
        if found.all():
            return
        where = np.argwhere(~found)
        raise invalid_argument(
            _prefix(message) + f"Condition x {sign} y did not hold. It does not at the indices {where[:3].tolist()}\n"
            f"  x (shape={x.shape} dtype={x.dtype.name}) = {x.numpy()}\n  y (shape={y.shape} dtype={y.dtype.name}) = {y.numpy()}"
        )

    check.__name__ = check.__qualname__ = name = f"assert_{what}"
    check.__doc__ = _told(f"x {sign} y", name, holds, [([1.0, 2.0], y) for y in ([1.0, 2.0], 3.0, 0.0)])
    return check


def _against_zero(sign: str, holds: Callable[[Any], Any], what: str) -> Callable[..., None]:
    def check(x: Any, message: Any = None, summarize: int | None = None, name: str | None = None) -> None:
        x = convert(x)
        if not np.asarray(holds(x.array)).all():
            raise invalid_argument(
                _prefix(message) + f"Condition x {sign} 0 did not hold element-wise: "
                f"x (shape={x.shape} dtype={x.dtype.name}) = {x.numpy()}"
            )

    check.__name__ = check.__qualname__ = name = f"assert_{what}"
    check.__doc__ = _told(f"x {sign} 0", name, holds, [([1.0, 2.0],), ([0.0, 1.0],), ([-1.0, 0.0],), ([-1.0, -2.0],)])
    return check


assert_equal = _compare("==", np.equal, "equal")
assert_none_equal = _compare("!=", np.not_equal, "none_equal")
assert_less = _compare("<", np.less, "less")
assert_less_equal = _compare("<=", np.less_equal, "less_equal")
assert_greater = _compare(">", np.greater, "greater")
assert_greater_equal = _compare(">=", np.greater_equal, "greater_equal")
assert_positive = _against_zero(">", lambda x: x > 0, "positive")
assert_negative = _against_zero("<", lambda x: x < 0, "negative")
assert_non_negative = _against_zero(">=", lambda x: x >= 0, "non_negative")
assert_non_positive = _against_zero("<=", lambda x: x <= 0, "non_positive")


def assert_near(
    x: Any, y: Any, rtol: Any = None, atol: Any = None, message: Any = None, summarize: Any = None, name: str | None = None
) -> None:  # fmt: skip
    """Raises InvalidArgumentError unless |x − y| <= atol + rtol × |y| everywhere; both default to 10 × the dtype's epsilon.

    >>> tf.debugging.assert_near([1.0, 2.0], [1.0000001, 2.0])
    >>> tf.debugging.assert_near([1.0, 2.0], [1.0, 2.1], atol=0.01)
    Traceback (most recent call last):
        ...
    minitape.errors.InvalidArgumentError: x and y not equal to tolerance rtol = ..., atol = 0.01...
    """
    x = convert(x)
    y = convert(y, hint=x.tag.dtype)
    small = 10 * float(np.finfo(x.tag.dtype).eps)
    rtol, atol = small if rtol is None else float(rtol), small if atol is None else float(atol)
    if not (np.abs(x.array - y.array) <= atol + rtol * np.abs(y.array)).all():
        raise invalid_argument(
            _prefix(message)
            + f"x and y not equal to tolerance rtol = {rtol}, atol = {atol}\n  x = {x.numpy()}\n  y = {y.numpy()}"
        )


def check_numerics(tensor: Any, message: str, name: str | None = None) -> Tensor:
    """The tensor itself; raises InvalidArgumentError where it holds an infinity or NaN.

    >>> tf.debugging.check_numerics([1.0, 2.0], "the loss").numpy()
    array([1., 2.], dtype=float32)
    >>> tf.debugging.check_numerics([1.0, float("nan")], "the loss")
    Traceback (most recent call last):
        ...
    minitape.errors.InvalidArgumentError: the loss : Tensor had NaN values, the first at [1]...
    """
    x = convert(tensor)
    for kind, wrong in (("NaN", np.isnan(x.array)), ("Inf", np.isinf(x.array))):
        if wrong.any():
            raise invalid_argument(
                f"{message} : Tensor had {kind} values, the first at {np.argwhere(wrong)[0].tolist()}"
            )
    return identity(x)


def assert_all_finite(x: Any, message: str, name: str | None = None) -> Tensor:
    """The tensor itself; raises InvalidArgumentError where it holds an infinity or NaN.

    >>> tf.debugging.assert_all_finite([1.0], "fine").numpy()
    array([1.], dtype=float32)
    """
    return check_numerics(x, message)


def assert_rank(x: Any, rank: int, message: Any = None, name: str | None = None) -> None:
    """Raises ValueError unless x has exactly `rank` axes.

    >>> tf.debugging.assert_rank([1.0, 2.0], 1)
    >>> tf.debugging.assert_rank([1.0, 2.0], 2)
    Traceback (most recent call last):
        ...
    ValueError: Tensor must have rank 2. Received rank 1, shape (2,)...
    """
    shape = convert(x).shape
    if len(shape) != int(rank):
        raise value_error(
            _prefix(message) + f"Tensor must have rank {int(rank)}. Received rank {len(shape)}, shape {shape}"
        )


def assert_rank_at_least(x: Any, rank: int, message: Any = None, name: str | None = None) -> None:
    """Raises ValueError if x has fewer than `rank` axes.

    >>> tf.debugging.assert_rank_at_least([[1.0, 2.0]], 1)
    >>> tf.debugging.assert_rank_at_least(3.0, 1)
    Traceback (most recent call last):
        ...
    ValueError: Tensor must have rank at least 1. Received rank 0, shape ()...
    """
    shape = convert(x).shape
    if len(shape) < int(rank):
        raise value_error(
            _prefix(message) + f"Tensor must have rank at least {int(rank)}. Received rank {len(shape)}, shape {shape}"
        )


def assert_scalar(tensor: Any, message: Any = None, name: str | None = None) -> None:
    """Raises ValueError unless the tensor has no axes.

    >>> tf.debugging.assert_scalar(1.0)
    """
    shape = convert(tensor).shape
    if len(shape):
        raise value_error(_prefix(message) + f"Expected scalar shape, saw shape: {shape}.")


def assert_type(tensor: Any, tf_type: Any, message: Any = None, name: str | None = None) -> None:
    """Raises TypeError unless the tensor has this dtype.

    >>> tf.debugging.assert_type([1.0], tf.float32)
    >>> tf.debugging.assert_type([1.0], tf.int32)
    Traceback (most recent call last):
        ...
    TypeError: tensor must be of type tf.int32; got tf.float32...
    """
    found = convert(tensor).dtype
    if found != as_dtype(tf_type):
        raise type_error(_prefix(message) + f"tensor must be of type {as_dtype(tf_type)!r}; got {found!r}")


def assert_integer(x: Any, message: Any = None, name: str | None = None) -> None:
    """Raises TypeError unless x holds whole numbers.

    >>> tf.debugging.assert_integer([1, 2])
    >>> tf.debugging.assert_integer([1.0, 2.0])
    Traceback (most recent call last):
        ...
    TypeError: Expected x to be integer, got tf.float32...
    """
    found = convert(x).dtype
    if not found.is_integer:
        raise type_error(_prefix(message) + f"Expected x to be integer, got {found!r}")


def assert_shapes(
    shapes: Any, data: Any = None, summarize: Any = None, message: Any = None, name: str | None = None
) -> None:
    """Raises ValueError unless the shapes agree: pairs of a tensor and its lengths, numbers or letters.

    A letter stands for one length wherever it appears.

    >>> tf.debugging.assert_shapes([(tf.constant([[1.0, 2.0]]), ("N", 2)), (tf.constant([1.0]), ("N",))])
    """
    known: dict[str, int] = {}
    for tensor, wanted in shapes.items() if isinstance(shapes, dict) else shapes:
        shape = convert(tensor).shape
        wanted = tuple(wanted) if isinstance(wanted, list | tuple | str) else (wanted,)
        if len(shape) != len(wanted):
            raise value_error(_prefix(message) + f"Tensor of shape {shape} must have rank {len(wanted)}")
        for axis, (found, asked) in enumerate(zip(shape, wanted, strict=True)):
            length = known.setdefault(asked, found) if isinstance(asked, str) and asked != "." else asked
            if length not in (None, ".", found):
                raise value_error(
                    _prefix(message) + f"Tensor of shape {shape} must have length {length} along axis {axis}"
                )


def assert_same_float_dtype(tensors: Any = None, dtype: Any = None) -> Any:
    """The dtype that all have; raises ValueError unless it is one, and floating.

    >>> tf.debugging.assert_same_float_dtype([tf.constant([1.0]), tf.constant([2.0])])
    tf.float32
    """
    kinds = {convert(tensor).dtype for tensor in several(() if tensors is None else tensors)} | (
        {as_dtype(dtype)} if dtype is not None else set()
    )
    if len(kinds) > 1 or not all(kind.is_floating for kind in kinds):
        raise value_error(f"Expected one floating dtype, got {sorted(kind.name for kind in kinds)}")
    return kinds.pop() if kinds else as_dtype("float32")


def is_numeric_tensor(tensor: Any) -> bool:
    """Whether it is a tensor of numbers.

    >>> tf.debugging.is_numeric_tensor(tf.constant(1.0)), tf.debugging.is_numeric_tensor(1.0)
    (True, False)
    """
    return isinstance(tensor, Tensor) and tensor.tag.dtype.kind in "iufc"


def set_log_device_placement(enabled: bool) -> None:
    """Accepted: there is one device, so there is nothing to log.

    >>> tf.debugging.set_log_device_placement(True)
    """


def enable_traceback_filtering() -> None:
    """From here on tracebacks in IPython, notebooks and pytest leave out minitape's frames, all but the last: the default.

    >>> tf.debugging.enable_traceback_filtering()
    >>> tf.debugging.is_traceback_filtering_enabled()
    True
    """
    hiding[0] = True


def disable_traceback_filtering() -> None:
    """From here on every frame of a traceback is shown, for those who look for a fault in the library.

    >>> tf.debugging.disable_traceback_filtering()
    >>> tf.debugging.is_traceback_filtering_enabled()
    False
    >>> tf.debugging.enable_traceback_filtering()
    """
    hiding[0] = False


def is_traceback_filtering_enabled() -> bool:
    """Whether tracebacks leave minitape's own frames out.

    >>> tf.debugging.is_traceback_filtering_enabled()
    True
    """
    return hiding[0]


__all__ = [
    "assert_all_finite", "assert_equal", "assert_greater", "assert_greater_equal", "assert_integer", "assert_less",
    "assert_less_equal", "assert_near", "assert_negative", "assert_non_negative", "assert_non_positive", "assert_none_equal",
    "assert_positive", "assert_rank", "assert_rank_at_least", "assert_same_float_dtype", "assert_scalar", "assert_shapes",
    "assert_type", "check_numerics", "disable_traceback_filtering", "enable_traceback_filtering", "is_numeric_tensor",
    "is_traceback_filtering_enabled", "set_log_device_placement",
]  # fmt: skip
