"""Checks where a row is defined: what is wrong is said there, in the words of the row, and what to write instead."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from types import CodeType, FunctionType
from typing import Any, NoReturn

import numpy as np

from .record.refusal import refusal

XYZ = ("x", "y", "z")  # what operands are called, where the row has no better names


def count(code: CodeType) -> int:
    """How many parameters a function has."""
    return code.co_argcount + code.co_kwonlyargcount


def parameters(code: CodeType) -> tuple[str, ...]:
    """Their names."""
    return code.co_varnames[: count(code)]


def module() -> str:
    """The module that makes a row: the nearest frame that is no constructor's."""
    frame = sys._getframe(2)
    while frame.f_code.co_name in ("__init__", "flat") and frame.f_back is not None:
        frame = frame.f_back
    return str(frame.f_globals.get("__name__", ""))


def check(row: Any, rules: Sequence[Any], part: str = "rule", several: bool = True) -> None:
    """Raises ValueError unless the rules fit the row.

    One for each input (`several`), each a function of the change and of names that the row has, and of the table alone.
    """
    _forward(row, rules, part)
    if several and len(rules) != len(row.arguments):
        _wrong(
            row, f"it has {_counted(len(row.arguments), 'input')} ({', '.join(row.arguments)}) and {_counted(len(rules), part)}",
            "One rule per input, in their order; None for an input without a derivative, or flat(...) where none has one.",
        )  # fmt: skip
    for position, rule in enumerate(rules):
        if rule is None and several:
            continue
        whose = f"{part} {position} (for {row.arguments[position]})" if several else "the transpose"
        if not isinstance(rule, FunctionType):
            _wrong(row, f"{whose} is {rule!r} and no function", "Write lambda dx, x: ..., or None for no derivative.")
        _names(row, rule, whose)
        _outside(row, rule, whose)


def _forward(row: Any, rules: Sequence[Any], part: str) -> None:
    """The forward computation takes the operands; x, y and z are operands, never settings."""
    forward = row.bare
    if not callable(forward):
        _wrong(row, f"its forward computation is {forward!r} and no function", "Write np.exp, or lambda x: ...")
    if not row.arguments:
        _wrong(
            row,
            f"it has no {part}",
            "Write lambda dx, x: ... for each input, or flat(...) where none has a derivative.",
        )
    code = getattr(forward, "__code__", None)
    if isinstance(forward, np.ufunc):
        takes = forward.nin
    elif isinstance(code, CodeType) and not row.variadic:
        known = row.arguments == XYZ[: len(row.arguments)]
        takes = sum(name in XYZ for name in parameters(code)) if known else len(row.arguments)
        takes = min(takes, count(code))
    else:
        return
    if takes != len(row.arguments):
        _wrong(
            row, f"its forward computation takes {_counted(takes, 'operand')}, and the row has "
            f"{_counted(len(row.arguments), 'input')} ({', '.join(row.arguments)})",
            f"Give each operand a {part} (None for no derivative), or say arguments=(...).",
        )  # fmt: skip


def _names(row: Any, rule: FunctionType, whose: str) -> None:
    """After the change, a rule names inputs, outputs, their shapes and dtypes, and settings."""
    code = rule.__code__
    if not count(code):
        _wrong(row, f"{whose} has no parameter", "The first is the change: lambda dx, x: ...", code)
    if row.place(first := parameters(code)[0]) is not None:
        _wrong(
            row, f"{whose} begins with {first!r}, where the change must be", f"Write lambda dx, {first}: dx * ...", code
        )  # fmt: skip
    forward = getattr(row.bare, "__code__", None)
    settings = [one for one in parameters(forward) if one not in row.arguments] if forward is not None else []
    anything = forward is not None and bool(forward.co_flags & 0x08)  # **settings
    for name in parameters(code)[1:]:
        base = name[:-6] if name.endswith(("_shape", "_dtype")) else name
        if not (row.place(base) is not None or name == "shapes" or name in settings or anything):
            outs = ["out"] if row.outputs == 1 else [f"out{i}" for i in range(row.outputs)]
            free = [f"{one}_shape" for one in (*row.arguments, *outs)] + [f"{row.arguments[0]}_dtype", "shapes"]
            _wrong(
                row, f"{whose} names {name!r}, which it does not have",
                f"It may name {', '.join([*row.arguments, *outs])} (which a tape then keeps), and free of cost "
                f"{', '.join([*settings, *free])} ...",
                code,
            )  # fmt: skip


def _outside(row: Any, rule: FunctionType, whose: str) -> None:
    """A rule that computes with NumPy would have no derivative of its own."""
    for name in rule.__code__.co_names:
        found = rule.__globals__.get(name)
        if found is np or isinstance(found, np.ufunc):
            _wrong(
                row, f"{whose} uses NumPy ({name}), so its second derivative would be lost",
                "Say it with rows of the table: exp(x) for np.exp(x).", rule.__code__,
            )  # fmt: skip


def no_array(row: Any, result: Any) -> TypeError:
    """What to say of a forward computation that answers with anything but numbers."""
    return refusal(
        TypeError,
        f"{'an op' if row is None else f'row {row.name!r}'}: the forward computation returned {result!r}, "
        f"a {type(result).__name__} and no array",
        "It gets NumPy arrays and returns one, or a tuple of them: lambda x: np.exp(x).",
    )


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _wrong(row: Any, what: str, advice: str, code: CodeType | None = None) -> NoReturn:
    row.withdraw()
    if code is None:
        code = getattr(row.bare, "__code__", None)
    place = f"\n  {code.co_filename}:{code.co_firstlineno}" if code is not None else ""
    raise ValueError(f"row {row.name!r}: {what}\n  {advice}{place}")
