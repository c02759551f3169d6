"""Where in the learner's program something happened.

While a program runs only `(code object, instruction offset)` is kept; file, line, text and names are worked out from the
source when somebody looks, because asking Python for a line number is slow in long functions.
"""

from __future__ import annotations

import ast
import contextlib
import dis
import functools
import inspect
import itertools
import linecache
import os
import sys
from collections.abc import Callable, Mapping
from types import CodeType, FrameType
from typing import Any, NamedTuple

import numpy as np

from .cells import cell_number, place_of
from .naming import Expression, Program, Span, program_of

_HOME = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# contextlib stands between a learner's `with` and a block of ours that is written as a generator; NumPy's own Python between
# `np.mean(x)` and the tensor that is asked for its numbers.
_library_folders = [_HOME + os.sep, contextlib.__file__, os.path.dirname(np.__file__) + os.sep]
GENERATED = "<minitape: "  # how the file names of the engine's generated functions begin


class _Known(dict[str, bool]):
    """By file name whether it is the library's own: one look-up per frame while a program runs."""

    def __missing__(self, filename: str) -> bool:
        found = self[filename] = filename.startswith((*_library_folders, GENERATED))
        return found


is_library = _Known()


def adopt(folder: str) -> None:
    """Count the code in this folder as library code: records then name the line that called it."""
    _library_folders.append(os.path.abspath(folder) + os.sep)
    is_library.clear()


def learner_frame(above: int = 1) -> FrameType:
    """The nearest frame on the stack that is not the library's own; the first `above` are known to be."""
    frame = sys._getframe(above)
    while is_library[frame.f_code.co_filename]:
        outer = frame.f_back
        if outer is None:
            break
        frame = outer
    return frame


hiding = [True]  # whether our own frames are marked for those who show tracebacks


def hide_library() -> None:
    """Mark our own frames on the stack: IPython and pytest leave marked ones out of a traceback, but for the last."""
    frame: FrameType | None = sys._getframe(1) if hiding[0] and sys.gettrace() is None else None
    while frame is not None:
        if frame.f_code.co_flags & inspect.CO_OPTIMIZED and is_library[frame.f_code.co_filename]:
            local = frame.f_locals
            _drop_copies(local)
            local["__tracebackhide__"] = True
        frame = frame.f_back


def name_in(frame: FrameType, means: Callable[[Any], bool]) -> str:
    """The first name in a frame, local before global, whose value is the one meant; "" if there is none.

    Names that begin with an underscore do not count.
    """
    found = _name_among(names_in(frame), means)
    if found or (not frame.f_code.co_flags & inspect.CO_OPTIMIZED and frame.f_locals is frame.f_globals):
        return found
    return _name_among(list(frame.f_globals.items()), means)


def names_in(frame: FrameType) -> list[tuple[str, Any]]:
    """The names that a frame has by itself, and what they stand for."""
    local = frame.f_locals
    found = list(local.items())
    if frame.f_code.co_flags & inspect.CO_OPTIMIZED:
        _drop_copies(local)
    elif local is not frame.f_globals and frame.f_code.co_name == "<module>":
        found += frame.f_globals.items()  # since Python 3.13 a comprehension hides them from its module's frame
    return found


def is_loop_variable(frame: FrameType, name: str) -> bool:
    """Whether a name is the loop variable of a comprehension on the line that the frame is at."""
    filename, above = place_of(frame.f_code)
    return name in program_of(filename).loop_variables.get(frame.f_lineno + above, ())


def value_in(frame: FrameType, name: str) -> Any:
    """What a name of the frame's own stands for; None for one that it does not have."""
    local = frame.f_locals
    found = local.get(name)
    if frame.f_code.co_flags & inspect.CO_OPTIMIZED:
        _drop_copies(local)
    elif found is None and frame.f_code.co_name == "<module>":
        return frame.f_globals.get(name)  # hidden by a comprehension, as above
    return found


def _drop_copies(local: Mapping[str, Any]) -> None:
    """Empty the dictionary that a function's frame answered with, unless somebody else (`locals()`, a debugger) has it too.

    Up to Python 3.12 the frame keeps it, and with it values whose names have gone on to others; later there is none.
    """
    # Of its four holders one is the frame, and the others are our caller, this function and the question.
    if type(local) is dict and sys.gettrace() is None and sys.getrefcount(local) == 4:
        local.clear()


def _name_among(names: list[tuple[str, Any]], means: Callable[[Any], bool]) -> str:
    for name, value in names:
        if not name.startswith("_") and means(value):
            return name
    return ""


class Site(NamedTuple):
    """One instruction of the learner's program."""

    code: CodeType
    lasti: int

    @property
    def _span(self) -> Span:
        line, end_line, column, end_column = _position(self.code, self.lasti // 2)
        above = place_of(self.code)[1]
        return ((line or self.code.co_firstlineno) + above, (end_line or 0) + above, column or 0, end_column or 0)

    @property
    def line(self) -> int:
        """The line number, counted from 1 in its file or cell."""
        return self._span[0]

    @property
    def filename(self) -> str:
        """The file as Python knows it."""
        return place_of(self.code)[0]

    @property
    def program(self) -> Program:
        """What stands in that file or cell."""
        return program_of(self.filename)

    @property
    def begins(self) -> int:
        """The line where its function begins."""
        return self.code.co_firstlineno + place_of(self.code)[1]

    @property
    def function(self) -> str:
        """The function it stands in; "<module>" at the top level."""
        return self.code.co_name

    @property
    def label(self) -> str:
        """What a reader knows the place by: "cell 2" of a notebook, else the file's path."""
        number = cell_number(self.filename)
        return f"cell {number}" if number else self.filename

    @property
    def text(self) -> str:
        """The source line, stripped."""
        return linecache.getline(self.filename, self.line).strip()

    @property
    def lines(self) -> list[str]:
        """The whole source of the file or cell, line by line."""
        return linecache.getlines(self.filename)

    def __str__(self) -> str:
        return f"{self.label}, line {self.line}" + (f": {self.text}" if self.text else "")

    def settled(self) -> Site:
        """The same instruction at its first offset: of one that Python has specialized, frames may tell a later offset."""
        return Site(self.code, _beginnings(self.code)[self.lasti // 2])

    def expression(self) -> Expression | None:
        """The piece of source that this instruction computes, or None where Python kept no columns or no source."""
        return self.program.expressions.get(self._span)

    def loop(self) -> ast.For | ast.While | None:
        """The loop around this instruction in its own function, or None."""
        expression = self.expression()
        node = expression.node if expression is not None else None
        while node is not None and not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            if isinstance(node, ast.For | ast.While):
                return node
            node = self.program.parents.get(node)
        return None

    def operand_names(self) -> list[str]:
        """The names of the operands of this expression from left to right; "" for one that is no plain name."""
        expression = self.expression()
        match expression and expression.node:
            case ast.BinOp(left=left, right=right):
                operands = [left, right]
            case ast.UnaryOp(operand=operand):
                operands = [operand]
            case ast.Call(args=arguments):
                # How many values a starred argument stands for is not known: what follows it has no place.
                operands = list(itertools.takewhile(lambda argument: not isinstance(argument, ast.Starred), arguments))
            case _:
                operands = []
        return [operand.id if isinstance(operand, ast.Name) else "" for operand in operands]

    def hands_on(self) -> tuple[tuple[str, ...], bool]:
        """The names that this line gives to what a call or a comprehension in it makes, and whether its function returns that."""
        names, returned = self.program.handed_on
        return names.get(self._span, ()), self._span in returned

    def assigned_name(self) -> str:
        """The one name that the value made here was given, or ""."""
        names = self.assigned_names()
        return names if isinstance(names, str) else ""

    def assigned_names(self) -> Any:
        """The name, or the nested list of names, on the left of `=` (or after `as`) around this expression; "" for none."""
        expression = self.expression()
        return expression.target if expression else ""


# Makes one of a tuple of its parts, for half the time of Site(...), which runs Python code.
new_site: Callable[[tuple[CodeType, int]], Site] = functools.partial(tuple.__new__, Site)


@functools.lru_cache(
    maxsize=1024
)  # Python goes through all positions from the first, and a line is asked for again and again
def _position(code: CodeType, unit: int) -> tuple[int | None, int | None, int | None, int | None]:
    """Line, last line, column and last column of a unit of a function's bytecode, as far as Python kept them."""
    return next(itertools.islice(code.co_positions(), unit, None), (None,) * 4)


@functools.lru_cache(maxsize=256)
def _beginnings(code: CodeType) -> list[int]:
    """For each unit of a function's bytecode the offset at which its instruction begins.

    Python 3.11 calls in two instructions, and a specialized call happens in the first of them.
    """
    begins: list[int] = []
    offsets, called = [], False
    for instruction in dis.get_instructions(code):
        begins.append(begins[-1] if called else instruction.offset)
        offsets.append(instruction.offset)
        called = instruction.opname == "PRECALL"
    ends = [*offsets[1:], len(code.co_code)]
    return [begin for begin, at, end in zip(begins, offsets, ends) for _ in range(at, end, 2)]
