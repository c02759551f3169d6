"""Numbers as a picture can hold them: a few digits, or a small picture of an array; as plain data, both ways."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ..schema import ARRAY, NUMBER, check, clean

MOST = 64  # numbers that an array may have to be drawn one by one; also no side longer than SIDE
SIDE = 8
LEAST = 1e-3  # of a smaller number the first digits are kept, and not six decimals: a gradient that vanishes is not 0


class Whole(NamedTuple):
    """Every number of an array, as bytes."""

    shape: tuple[int, ...]
    dtype: str  # f4 | f8 | i4 | u1, little-endian
    data: bytes

    @property
    def array(self) -> np.ndarray:
        """The numbers again."""
        return np.frombuffer(self.data, "<" + self.dtype).reshape(self.shape)


WHOLE = 16_384  # numbers that an array may have to be kept whole


def whole(array: np.ndarray) -> Whole | None:
    """An array's numbers in a form that a page can read; None for too many, or for what is no real number.

    >>> whole(np.array([1, 2])).array.tolist(), whole(np.array([1j])) is None
    ([1, 2], True)
    """
    kind, size = array.dtype.kind, array.dtype.itemsize
    if not 0 < array.size <= WHOLE or kind not in "fiub":
        return None
    form = "u1" if kind == "b" else "f4" if kind == "f" and size <= 4 else "f8" if kind == "f" or size > 4 else "i4"
    if kind in "iu" and size > 4 and np.abs(array).max() < 2**31:
        form = "i4"  # indices are int64, and small
    return Whole(array.shape, form, array.astype("<" + form, order="C").tobytes())


class Measure(NamedTuple):
    """What is asked of all numbers of an array together."""

    squares: float  # the sum of the squares of those that are finite
    nan: int  # how many are none
    infinite: int  # how many are ∞ or −∞


class Snapshot:
    """What a value was at one moment: text for a cell, and for arrays the numbers or their range.

    A single number becomes text when it is first read, so that recording need not wait for it.
    """

    __slots__ = ("_text", "data", "measure", "value", "whole")

    def __init__(self, text: str | None = None, data: dict[str, Any] | None = None, value: float | None = None) -> None:
        self._text, self.data = text, data
        self.value = value  # of a single real number: what formulas compute with
        self.whole: Whole | None = None  # every number, where the program ran and there was room: not in JSON
        self.measure: Measure | None = None  # of an array that is kept whole, once it was asked for: see `measured`

    @property
    def text(self) -> str:
        """What a cell shows."""
        if self._text is None:
            self._text = number(self.value)
        return self._text


AT_ONCE = 1 << 16  # numbers that are measured together: a few hundred KB


def measure(snaps: list[Snapshot]) -> None:
    """Measure arrays that are kept whole.  Small ones are very many in a long run, so those of a size are measured together."""
    alike: dict[tuple[str, int], list[Snapshot]] = {}
    for snap in snaps:
        if snap.whole is not None and snap.measure is None:
            alike.setdefault((snap.whole.dtype, len(snap.whole.data)), []).append(snap)
    for (dtype, length), some in alike.items():
        count = max(1, AT_ONCE * np.dtype(dtype).itemsize // length)
        for at in range(0, len(some), count):
            part = some[at : at + count]
            data = b"".join([snap.whole.data for snap in part if snap.whole is not None])
            arrays = np.frombuffer(data, "<" + dtype).reshape(len(part), -1).astype("f8")
            finite, nan = np.isfinite(arrays), np.isnan(arrays).sum(axis=1)
            with np.errstate(over="ignore"):  # a sum may be infinite where no number is
                squares = np.square(np.where(finite, arrays, 0.0)).sum(axis=1)
            infinite = arrays.shape[1] - finite.sum(axis=1) - nan
            found = map(Measure._make, zip(squares.tolist(), nan.tolist(), infinite.tolist(), strict=True))
            for snap, facts in zip(part, found, strict=True):
                snap.measure = facts


def measured(snap: Snapshot) -> Measure | None:
    """The measure of an array; None where it is not kept whole.

    >>> some = snapshot(np.array([3.0, 4.0, np.inf]))
    >>> some.whole = whole(np.array([3.0, 4.0, np.inf]))
    >>> measured(some)
    Measure(squares=25.0, nan=0, infinite=1)
    """
    if snap.measure is None:
        measure([snap])
    return snap.measure


def plain(snap: Snapshot) -> Any:
    """A snapshot as plain data: a number, or an object with the text or the numbers of an array.

    >>> plain(Snapshot(None, None, 2.5)), plain(Snapshot("6", None, 6.0)), plain(snapshot(np.array([1.0, 2.0])))
    (2.5, 6.0, {'shape': [2], 'numbers': [1.0, 2.0]})
    """
    if snap.data is not None:
        usual = shape_text(snap.data["shape"])
        return {**snap.data, **({"text": snap.text} if snap.text != usual else {})}
    if snap.value is None:
        return {"text": snap.text}
    value = snap.value if np.isfinite(snap.value) else str(float(snap.value))
    return value if number(snap.value) == snap.text else {"text": snap.text, "value": value}


def checked(data: Any, path: str) -> Snapshot:
    """The snapshot that plain data describe; raises ValueError with the path to what is wrong."""
    if not isinstance(data, dict):
        check(data, NUMBER, path)
        return Snapshot(None, None, float(data))
    if "shape" not in data:
        check(data, {"text": str, "value?": NUMBER}, path)
        return Snapshot(clean(data["text"]), None, float(data["value"]) if "value" in data else None)
    check(data, {**ARRAY, "text?": str}, path)
    shape, numbers = data["shape"], data.get("numbers")
    if numbers is not None and (len(shape) > 2 or not _of_shape(numbers, shape) or not 0 < int(np.prod(shape)) <= MOST):
        raise ValueError(f"{path}.numbers: they are not {shape}, or more than {MOST}")
    text = clean(data["text"]) if "text" in data else shape_text(shape)
    return Snapshot(text, {key: fact for key, fact in data.items() if key != "text"})


def _of_shape(numbers: Any, shape: list[int]) -> bool:
    if not shape:
        return not isinstance(numbers, list)
    return isinstance(numbers, list) and len(numbers) == shape[0] and all(_of_shape(row, shape[1:]) for row in numbers)


def number(value: Any) -> str:
    """A number in at most four decimals and six digits; a real minus sign, so that it lines up.

    What would be a whole number then, and is none, has up to seven digits: 1 − 0.9999999 is not 1 − 1, and has a logarithm.
    Processors differ in the last bits of a sum. So two digits more are made first: what is 0.79375 but for these is one number.

    >>> number(10.094786), number(-0.5), number(108.0), number(1.5e-7), number(True)
    ('10.0948', '−0.5', '108', '1.5e−7', 'True')
    >>> number(0.9999999), number(-0.99999), number(2.00001), number(2.0000002)
    ('0.9999999', '−0.99999', '2.00001', '2')
    >>> number(0.79374999), number(0.79375005), number(0.0000123449999), number(0.0000123450001)
    ('0.7937', '0.7937', '1.234e−5', '1.234e−5')
    """
    real = type(value) is float  # by far the most frequent
    if not real and isinstance(value, bool | np.bool_):
        return str(bool(value))
    if not real and isinstance(value, complex | np.complexfloating):
        return f"{number(value.real)}{'+' if value.imag >= 0 else '−'}{number(abs(value.imag))}i"
    if not real and isinstance(value, int | np.integer):
        text = str(int(value))
    else:
        value = float(value)
        if not math.isfinite(value):
            text = {"inf": "∞", "-inf": "-∞"}.get(str(value), "nan")
        elif value and not 1e-4 <= abs(value) < 1e6:
            mantissa, _, exponent = f"{float(f'{value:.5e}'):.3e}".partition("e")
            text = f"{mantissa.rstrip('0').rstrip('.')}e{int(exponent)}"
        else:
            whole = len(str(int(abs(value))))
            most = max(0, min(4, 6 - whole))
            text = f"{round(value, most + 2):.{most}f}"
            if whole < 4 and not value.is_integer() and float(text).is_integer():
                most = 7 - whole * (abs(value) >= 1.0)
                tried = [f"{value:.{decimals}f}" for decimals in range(5, most + 1)]
                text = next((longer for longer in tried if not float(longer).is_integer()), text)
            text = text.rstrip("0").rstrip(".") if "." in text else text
    return ("0" if text == "-0" else text).replace("-", "−")


def shape_text(shape: Any) -> str:
    """The lengths of an array as 2×3, or, of one axis, as Python writes them: 3 alone would be read as a number, [3] as an array.

    >>> shape_text((2, 3)), shape_text((3,)), shape_text(())
    ('2×3', '(3,)', '')
    """
    return f"({shape[0]},)" if len(shape) == 1 else "×".join(map(str, shape))


def snapshot(array: np.ndarray) -> Snapshot:
    """The value of this moment."""
    if array.ndim == 0:
        kind = array.dtype.kind
        if kind == "f":
            return Snapshot(None, None, float(array))
        return Snapshot(number(array[()]), None, float(array) if kind in "biu" else None)
    if array.dtype.kind not in "biufc":
        return Snapshot(shape_text(array.shape), None)
    shape = list(array.shape)
    if array.dtype.kind == "c":
        return Snapshot(f"{shape_text(shape)} complex", None)
    small = array.ndim <= 2 and array.size <= MOST and all(0 < length <= SIDE for length in shape)
    if not array.size:
        return Snapshot(f"{shape_text(shape)} empty", {"shape": shape})
    truths = {"true": int(array.sum())} if array.dtype.kind == "b" else {}
    if small:
        some = {"numbers": _rows(array.astype(float).tolist())}
    else:
        some = {"low": _rows(float(array.min())), "high": _rows(float(array.max()))}
    return Snapshot(shape_text(shape), {"shape": shape, **some, **truths})


def _rows(value: Any) -> Any:
    if isinstance(value, list):
        return [_rows(row) for row in value]
    if not math.isfinite(value):
        return str(value)  # JSON has no inf and no nan: they are written as words
    if value and abs(value) < LEAST:
        return float(f"{value:.4g}")
    rounded = round(value, 6)
    if rounded != value and (
        rounded.is_integer() or repr(rounded)[-1] == "5"
    ):  # rounded once more it may go the other way
        said, tried = number(value), (round(value, decimals) for decimals in (6, 7, 8, 9))
        rounded = next((one for one in tried if number(one) == said), value)
    return rounded + 0.0


def added(one: Snapshot, other: Snapshot) -> Snapshot | None:
    """The sum of two values; None where their numbers are not known.

    >>> added(snapshot(np.array([1.0, 2.0])), snapshot(np.array([0.5, -2.0]))).data["numbers"]
    [1.5, 0.0]
    """
    both = [exactly(snap) for snap in (one, other)]
    if both[0] is None or both[1] is None:
        return None
    made = both[0] + both[1]
    found = snapshot(made)
    if one.whole is not None and other.whole is not None:
        found.whole = whole(made)
    return found


def near(one: Snapshot, other: Snapshot) -> bool:
    """Whether two values are the same but for rounding; values whose numbers are not known count as the same.

    >>> one, other = Snapshot(None, None, 1.0), Snapshot(None, None, 1.0000001)
    >>> near(one, other), near(one, Snapshot(None, None, 2.0))
    (True, False)
    """
    both = [exactly(snap) for snap in (one, other)]
    if both[0] is None or both[1] is None or both[0].shape != both[1].shape:
        return True
    top = np.abs(both[0][np.isfinite(both[0])]).max(initial=0.0)
    return bool(np.allclose(both[0], both[1], rtol=1e-3, atol=1e-4 * top, equal_nan=True))


def exactly(snap: Snapshot) -> np.ndarray | None:
    """The numbers of a value; None where they are not known.

    >>> exactly(Snapshot("1.5", None, 1.50001)), exactly(Snapshot("?"))
    (array(1.50001), None)
    """
    if snap.whole is not None:
        return snap.whole.array
    if snap.value is not None:
        return np.asarray(snap.value)
    return np.array(snap.data["numbers"], float) if snap.data is not None and "numbers" in snap.data else None


def flat(things: Any) -> list[Any]:
    """The items of nested lists, or a single thing, as one list.

    >>> flat([[1, 2], [3]]), flat(4)
    ([1, 2, 3], [4])
    """
    return [inner for thing in things for inner in flat(thing)] if isinstance(things, list) else [things]


def spelled(snap: Snapshot) -> str:
    """The value as a sentence says it: the number, or short rows, or the shape.

    >>> spelled(snapshot(np.array([1.0, 2.5]))), spelled(snapshot(np.zeros((20, 3))))
    ('[1, 2.5]', '20×3 numbers, all 0')
    >>> spelled(snapshot(np.array([1.0, np.nan] * 9)))
    '18 numbers, some of them nan'
    >>> spelled(snapshot(np.array([1.0, 2.0]) > 1.5)), spelled(snapshot(np.arange(20.0) > 7.0))
    ('[False, True]', '20 booleans, 12 of them True')
    """
    data = snap.data
    if data is None:
        return snap.text
    true, size = data.get("true"), int(np.prod(data["shape"]))
    if "numbers" in data and size <= 6:
        return _spell(data["numbers"], true is not None)
    shape = snap.text.strip("(,)")  # a sentence says "64 numbers"
    if true is not None:
        return f"{shape} booleans, {f'{true} of them' if 0 < true < size else 'all'} {bool(true)}"
    if "numbers" in data:
        found = np.array(data["numbers"], float)
        none = int(np.isnan(found).sum())
        if none:
            return f"{shape} numbers, {none} of them nan"
        low, high = number(found.min()), number(found.max())
    elif "low" in data:
        low, high = _spell(data["low"]), _spell(data["high"])
        if low == "nan":  # NumPy's minimum is nan if any number is
            count = "some" if snap.whole is None else int(np.isnan(snap.whole.array).sum())
            return f"{shape} numbers, {count} of them nan"
    else:
        return f"{shape} numbers"
    return f"{shape} numbers, all {low}" if low == high else f"{shape} numbers from {low} to {high}"


def _spell(numbers: Any, truths: bool = False) -> str:
    if isinstance(numbers, list):
        return "[" + ", ".join(_spell(row, truths) for row in numbers) + "]"
    return number(bool(numbers) if truths else float(numbers))
