"""Checks of a row where it is defined: an error names the row, what is wrong with it, and what to write instead.

Every row is checked whenever minitape is imported, so the check is short; only a wrong row is examined closely.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import CodeType, FunctionType
from typing import Any, NoReturn

import numpy as np

from .record.refusal import type_error, value_error

XYZ = ("x", "y", "z")  # what operands are called, where the row has no better names
_MATHS = {*dir(math)} - {"pi", "e", "tau", "inf", "nan", "sqrt", "log", "prod"}  # constants may be made with these
_ONE, _MANY = "the transpose", "One rule per input, in their order; None for an input without a derivative."


def count(code: CodeType) -> int:
    """How many parameters a function has."""
    return code.co_argcount + code.co_kwonlyargcount


def check(row: Any, rules: Sequence[Any], part: str = "rule", several: bool = True) -> None:
    """Raises ValueError unless the rules fit the row.

    There is one for each input (`several`).  It is a function of the change and of names that the row has, and computes with
    rows of the table alone.
    """
    _forward(row, rules, part)
    if several and len(rules) != len(row.arguments):
        _wrong(row, f"it has {_inputs(row)} and {_counted(len(rules), part)}", _MANY)
    plain = {"out", *row.arguments}
    for position, rule in enumerate(rules):
        if type(rule) is not FunctionType:
            if rule is None and several:
                continue
            whose = _whose(row, part, position, several)
            _wrong(row, f"{whose} is {rule!r} and no function", "Write lambda dx, x: ..., or None for no derivative.")
        code, known = rule.__code__, rule.__globals__
        names = code.co_varnames[: count(code)]
        if not names or names[0] in plain or row.outputs != 1 or not plain.issuperset(names[1:]):
            _names(row, rule, _whose(row, part, position, several))
        found = [*map(known.get, code.co_names)]
        if code.co_freevars or math in found or np in found or np.ufunc in map(type, found):
            _foreign(row, rule, _whose(row, part, position, several))


def _whose(row: Any, part: str, position: int, several: bool) -> str:
    return f"{part} {position} (for {row.arguments[position]})" if several else _ONE


def _foreign(row: Any, rule: FunctionType, whose: str) -> None:
    """Raise where a rule borrows a tensor from outside, or computes with NumPy or `math` instead of the table."""
    code, known = rule.__code__, rule.__globals__
    for name, cell in zip(code.co_freevars, rule.__closure__ or ()):
        if hasattr(_content(cell), "tag"):
            advice = f"Make it an operand with a rule of its own, or a setting: lambda x, {name}: ..."
            _wrong(row, f"{whose} borrows the tensor {name!r}, which no tape could know of", advice, code)
    found = [known.get(name) for name in code.co_names]
    foreign = "NumPy" if np in found or np.ufunc in map(type, found) else "math"
    if foreign == "NumPy" or math in found and not _MATHS.isdisjoint(set(code.co_names).difference(known)):
        advice = f"Say it with rows of the table: exp(x) for {'np' if foreign == 'NumPy' else 'math'}.exp(x)."
        _wrong(row, f"{whose} uses {foreign}, so its second derivative would be lost", advice, code)


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # nothing is in it yet
        return None


def _forward(row: Any, rules: Sequence[Any], part: str) -> None:
    """Raise unless the forward computation takes the operands; x, y and z are operands, never settings."""
    forward, wanted = row.bare, len(row.arguments)
    if not wanted:
        _wrong(row, f"it has no {part}", "Write lambda dx, x: ... for each input, or flat(...) where none has any.")
    if type(forward) is np.ufunc:
        takes = forward.nin
    elif type(forward) is FunctionType:
        code = forward.__code__
        takes = code.co_argcount + code.co_kwonlyargcount
        if row.variadic or takes == wanted:
            return
        if takes > wanted:  # the others are settings
            others = code.co_varnames[wanted:takes]
            takes = wanted + sum(name in XYZ and row.arguments == XYZ[:wanted] for name in others)
    elif callable(forward):
        return
    else:
        _wrong(row, f"its forward computation is {forward!r} and no function", "Write np.exp, or lambda x: ...")
    if takes != wanted:
        _wrong(
            row, f"its forward computation takes {_counted(takes, 'operand')}, and the row has {_inputs(row)}",
            f"Give each operand a {part} (None for no derivative), or say arguments=(...).",
        )  # fmt: skip


def _names(row: Any, rule: FunctionType, whose: str) -> None:
    """Raise where a rule names, after the change, anything but inputs, outputs, their shapes and dtypes, and settings."""
    code = rule.__code__
    names = code.co_varnames[: count(code)]
    if not names:
        _wrong(row, f"{whose} has no parameter", "The first is the change: lambda dx, x: ...", code)
    if row.place(names[0]) is not None:
        advice = f"Write lambda dx, {names[0]}: dx * ..."
        _wrong(row, f"{whose} begins with {names[0]!r}, where the change must be", advice, code)
    forward = getattr(row.bare, "__code__", None)
    if forward is not None and forward.co_flags & 0x08:  # **settings: it may be anything
        return
    settings = [] if forward is None else list(forward.co_varnames[: count(forward)])
    for name in names[1:]:
        base = name[:-6] if name.endswith(("_shape", "_dtype")) else name
        if row.place(base) is None and name not in settings and name != "shapes":
            outs = ["out"] if row.outputs == 1 else [f"out{i}" for i in range(row.outputs)]
            free = [setting for setting in settings if setting not in row.arguments]
            free += [*[f"{out}_shape" for out in (*row.arguments, *outs)], f"{row.arguments[0]}_dtype", "shapes"]
            _wrong(
                row, f"{whose} names {name!r}, which it does not have",
                f"It may name {', '.join([*row.arguments, *outs])} (which a tape then keeps), and free of cost "
                f"{', '.join(free)} ...", code,
            )  # fmt: skip


def no_array(row: Any, result: Any) -> TypeError:
    """The error for a forward computation that returns no array."""
    return type_error(
        f"{'an op' if row is None else f'row {row.name!r}'}: the forward computation returned {result!r}, "
        f"a {type(result).__name__} and no array",
        "It gets NumPy arrays and returns one, or a tuple of them: lambda x: np.exp(x).",
    )


def faulty(row: Any, problem: Exception) -> Exception:
    """The error for a rule that failed while it ran: one that names the row, if it is a known mistake; else the problem."""
    if not row.listed:  # a call runs the learner's own lines
        return problem
    if isinstance(problem, NameError):
        return value_error(
            f"row {row.name!r}: a rule says {problem.name!r}, which its file does not have",
            "Import the row of that name into the file, or look how it is spelled: docs/ops.md lists all rows.",
        )
    answer = getattr(problem, "obj", None)
    if isinstance(answer, int | float | complex | None) and getattr(problem, "name", "") in ("tag", "shape", "size"):
        return value_error(
            f"row {row.name!r}: a rule returned {answer!r}, a {type(answer).__name__}, and not what becomes of the change",
            "It returns the change times something, or a change of its input's shape: lambda dx: dx * 3.0.",
        )
    return problem


def _inputs(row: Any) -> str:
    return f"{_counted(len(row.arguments), 'input')} ({', '.join(row.arguments)})"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _wrong(row: Any, what: str, advice: str, code: CodeType | None = None) -> NoReturn:
    row.withdraw()
    if code is None:
        code = getattr(row.bare, "__code__", None)
    where = f"\n  {code.co_filename}:{code.co_firstlineno}" if code is not None else ""
    raise ValueError(f"row {row.name!r}: {what}\n  {advice}{where}")
