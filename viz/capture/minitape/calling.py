"""A run of one call of a learner's function: everything that it did, what it gave back, and how it failed."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from io import StringIO
from typing import Any

from minitape.recompute.chance import drawing_from
from minitape.recompute.chance import states as chances
from minitape.record.events import state
from minitape.record.provenance import Site

from .recording import Recording, Run

__all__ = ["busy", "called", "chances"]

# What ends when the program returns, its tapes and values, ends at a line of its caller's.  This one has no source: of any
# other, a notebook's own machinery for instance, the whole file would be parsed to say where.
_outside: dict[str, Any] = {}
exec(compile("def call(program, values): return program(**values)", "<call>", "exec"), _outside)


def called(
    program: Callable[..., Any], values: Mapping[str, Any], title: str = "", again: list[Any] | None = None
) -> tuple[Run, Any, Exception | None]:
    """Call a program with these arguments and watch it; an error of its own ends the run, at the line that raised it.

    Args: program; values, by argument; title, of the run; again, where it has been called before, what `chances()` said then: it
    draws the same numbers once more, whoever draws next notices nothing, and what it prints is not printed again.
    Returns the run, the program's result, and its error or None.

    >>> run, result, error = called(lambda x: 1 / x, {"x": 0})
    >>> run.error
    ('ZeroDivisionError', 'division by zero')
    """
    code = inspect.unwrap(program).__code__
    run, result, error = Run(Site(code, 0), title), None, None
    try:
        with ExitStack() as quietly:
            if again is not None:
                for block in (drawing_from(again), redirect_stdout(StringIO()), redirect_stderr(StringIO())):
                    quietly.enter_context(block)
            with Recording(run, sure=again is None):
                result = _outside["call"](program, values)
    except Exception as problem:
        error = problem
        trace = problem.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code is code:
                run.block = Site(code, trace.tb_lasti)
            trace = trace.tb_next
        problem.__traceback__ = None  # its frames would keep the program's tapes alive
    return run, result, error


def busy() -> bool:
    """Whether somebody is listening just now: a program that is called meanwhile would be heard by them."""
    return bool(state.recorders or state.listeners)
