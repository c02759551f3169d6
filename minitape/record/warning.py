"""Warnings for numbers that are wrong in silence, and the switch that makes errors of them or turns them off."""

from __future__ import annotations

import contextvars
import functools
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from .blocks import Block
from .events import refused
from .provenance import Site, hide_library, learner_frame

modes = ["warn"]  # warn | error | off: then what only they need is not worked out

# inf and nan are answers here, as in TensorFlow; NumPy's own words for them would name a line of ours, never the learner's.
warnings.filterwarnings("ignore", r".* encountered in ", RuntimeWarning, r"minitape(\.|$)", append=True)


# NumPy keeps in a context variable what it warns of.  That has no public name: it is what `np.seterr` sets in an empty context.
_context = contextvars.Context()
_context.run(np.seterr, all="ignore")
_SETTINGS = list(_context.items())


def quiet(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function without NumPy's warnings: the decorator `np.errstate(all="ignore")`, at half of its cost.

    >>> quiet(np.log)(np.float64(0.0))
    np.float64(-inf)
    """
    if len(_SETTINGS) != 1:  # a NumPy that keeps it elsewhere
        return np.errstate(all="ignore")(function)
    ((setting, silent),) = _SETTINGS

    @functools.wraps(function)
    def quietly(*arguments: Any, **settings: Any) -> Any:
        before = setting.set(silent)
        try:
            return function(*arguments, **settings)
        finally:
            setting.reset(before)

    return quietly


class strict(Block):
    """From now on, or for a block, the warnings of minitape are errors.

    As a statement it holds until the next call; as a context manager it ends with its block.  `strict(False)` turns the
    warnings off, `strict(None)` makes them warnings again.

    >>> x = tf.constant(3)
    >>> with tf.strict(), tf.GradientTape() as tape:
    ...     tape.watch(x)
    Traceback (most recent call last):
    minitape.errors.NoSlope: The dtype of the watched tensor must be floating (e.g. tf.float32), got tf.int32: ...
    """

    def __init__(self, on: bool | None = True) -> None:
        self._before, modes[0] = modes[0], "warn" if on is None else "error" if on else "off"

    def __enter__(self) -> strict:
        self.entered = True
        return self

    def put_back(self) -> None:
        """Restore what held before."""
        modes[0] = self._before
        self.entered = False

    def __repr__(self) -> str:
        return {"warn": "<warnings>", "error": "<warnings are errors>", "off": "<no warnings>"}[modes[0]]


def warn(category: type[Warning], message: str) -> None:
    """Warn at the learner's line, or raise where `strict` says so.

    The line stands in the message too: Python shows none for a notebook's cell under the name that a reader knows it by.
    """
    if modes[0] == "off":
        return
    frame = learner_frame()
    site = Site(frame.f_code, frame.f_lasti)
    message += f"\n  at {site}"
    if modes[0] == "error":
        hide_library()
        problem: Any = category(message)
        problem.site = site
        raise refused(problem)
    module = frame.f_globals.get("__name__", "<learner>")
    registry = frame.f_globals.setdefault("__warningregistry__", {})
    warnings.warn_explicit(message, category, site.label, site.line, module, registry)
