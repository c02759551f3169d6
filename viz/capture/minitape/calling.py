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

# When the program returns, its tapes and values end at a line of its caller.  This caller has no source; of any other, such as
# a notebook's own machinery, the whole file would be parsed to name the line.
_outside: dict[str, Any] = {}
exec(compile("def call(program, values): return program(**values)", "<call>", "exec"), _outside)


def called(
    program: Callable[..., Any], values: Mapping[str, Any], title: str = "", again: list[Any] | None = None
) -> tuple[Run, Any, Exception | None]:
    """Call a program with these arguments and watch it; an error of its own ends the run, at the line that raised it.

    Args: program; values, by argument; title, of the run; again, if it was called before, the answer of `chances()` from then:
    it draws the same numbers, random states are put back afterwards, and its prints are dropped.
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
                run.block = run.failed = Site(code, trace.tb_lasti)
            trace = trace.tb_next
        problem.__traceback__ = None  # its frames would keep the program's tapes alive
    return run, result, error


def busy() -> bool:
    """Whether a recorder or listener is active: it would hear a program that is called now."""
    return bool(state.recorders or state.listeners)
