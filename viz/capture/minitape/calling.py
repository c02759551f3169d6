"""A run of one call of a learner's function: everything that it did, what it gave back, and how it failed."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from minitape.record.provenance import Site

from .recording import Recording, Run


def called(
    program: Callable[..., Any], values: Mapping[str, Any], title: str = ""
) -> tuple[Run, Any, Exception | None]:
    """Call a program with these arguments and watch it; an error of its own ends the run, at the line that raised it.

    Returns the run, the program's result, and its error or None.

    >>> run, result, error = called(lambda x: 1 / x, {"x": 0})
    >>> run.error
    ('ZeroDivisionError', 'division by zero')
    """
    code = inspect.unwrap(program).__code__
    run, result, error = Run(Site(code, 0), title), None, None
    try:
        with Recording(run):
            result = program(**values)
    except Exception as problem:
        error = problem
        trace = problem.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code is code:
                run.block = Site(code, trace.tb_lasti)
            trace = trace.tb_next
        problem.__traceback__ = None  # its frames would keep the program's tapes alive
    return run, result, error
