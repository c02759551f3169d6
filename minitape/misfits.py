"""The errors for operands that do not fit an op: they name the op, the shapes or dtypes, and what to type instead."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .dtypes import mixed
from .errors import InvalidArgumentError, ResourceExhaustedError
from .record.refusal import described, in_our_words, invalid_argument, printable, refusal
from .tensor import Tensor

if TYPE_CHECKING:
    from .primitive import Primitive

_SHORT = {"float16": "half", "float32": "float", "float64": "double"}


def check_dtypes(primitive: Primitive, inputs: tuple[Tensor, ...]) -> None:
    """Raise InvalidArgumentError where the row does not take a dtype, or wants one dtype for all."""
    if not inputs:
        return
    first = inputs[0].tag.dtype
    if primitive.selective and first.kind not in primitive.kinds:
        raise _wrong_kind(primitive, inputs[0])
    for position, operand in enumerate(inputs if primitive.same_dtype else ()):
        if operand.tag.dtype != first:
            wanted, got = inputs[0].dtype.name, operand.dtype.name
            raise invalid_argument(
                f"cannot compute {primitive.title} as input #{position}(zero-based) was expected to be a "
                f"{_SHORT.get(wanted, wanted)} tensor but is a {_SHORT.get(got, got)} tensor [Op:{primitive.title}]",
                mixed(first, operand.tag.dtype),
            )


def _wrong_kind(primitive: Primitive, operand: Tensor) -> InvalidArgumentError:
    if operand.tag.dtype.kind == "c":
        advice = "tf.abs(x), tf.math.real(x) or tf.math.imag(x) makes real numbers of it"
    elif operand.tag.dtype.kind == "b":
        advice = "tf.cast(x, tf.float32) makes 1 of True and 0 of False"
    elif operand.tag.dtype.kind == "O":
        advice = "float(text) makes a number of a text"
    elif "f" in primitive.kinds:
        advice = "write 4.0 instead of 4, or tf.cast(x, tf.float32)"
    else:
        advice = "tf.cast(x, tf.complex64) makes one" if primitive.kinds == "c" else "tf.cast makes another dtype"
    return invalid_argument(
        f"Value for attr 'T' of {_SHORT.get(operand.dtype.name, operand.dtype.name)} is not in the list of allowed values "
        f"[Op:{primitive.title}]",
        f"{primitive.name} does not take {operand.dtype.name}: {advice}.",
    )


def _advice(shapes: list[list[int]], words: str) -> str:
    """What to type where a row has no hint of its own."""
    if "negative integer powers" in words:
        return "Whole numbers have no halves: write 2.0 instead of 2, or tf.cast(x, tf.float32) ** -1."
    if "numpy boolean" in words:
        return "Truth values are no numbers: tf.cast(x, tf.float32) makes 1 of True and 0 of False; tf.logical_not turns them."
    fewer, more = min(shapes, key=len, default=[]), max(shapes, key=len, default=[])
    if "broadcast" in words and len(shapes) == 2 and 0 < len(fewer) < len(more) and fewer == more[: len(fewer)]:
        return "Axes meet from the last one on: what has one number for each row is a column, x[..., tf.newaxis]."
    return "Look at the shapes above: print(x.shape) shows a tensor's own."


def refused(primitive: Primitive, inputs: tuple[Tensor, ...], params: dict[str, Any], problem: Exception) -> Exception:
    """The error where NumPy could not compute the op: its problem in our words, with shapes and settings."""
    shapes = [list(operand.tag.shape) for operand in inputs]
    settings = ", ".join(f"{name}={described(value)}" for name, value in params.items() if not callable(value))
    what = " vs. ".join(map(str, shapes)) + (f" with {settings}" if settings else "")
    asked = getattr(primitive, "misfit", None) if isinstance(problem, ValueError | IndexError) else None
    misfit, _, better = (asked(*shapes, **params) if asked else "").partition("\n")
    words = f"{type(problem).__name__}: {printable(str(problem), 300)}"
    if isinstance(problem, MemoryError):
        return refusal(
            ResourceExhaustedError, f"no memory for {primitive.name} of {what} [Op:{primitive.title}]", words
        )
    if not isinstance(problem, ValueError | IndexError) and not in_our_words(problem):  # Python's words, of the inside
        summary, detail = f"{primitive.name} cannot take {what}", words
    elif misfit:
        # NumPy's signatures say nothing here.
        summary, detail = misfit, "" if "gufunc" in str(problem) else str(problem)
    elif "broadcast" in str(problem) or "matmul" in str(problem):  # NumPy's words for shapes that do not go together
        summary, detail = f"Incompatible shapes: {what}", str(problem)
    else:
        summary, detail = str(problem), f"{primitive.name} of {what}"
    hint = f"{getattr(primitive, 'hint', '') or _advice(shapes, str(problem))} {better}".strip()
    if isinstance(problem, TypeError) and "required" in str(problem):
        hint = f"Settings of {primitive.name} are given by name, behind its operands."
    return invalid_argument(f"{summary} [Op:{primitive.title}]" + (f"\n  {detail}" if detail else ""), hint)
