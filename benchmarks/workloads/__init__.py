"""The workloads: each one a file, with one function per framework that makes a step to be timed.

A maker takes the arrays that all frameworks start from and returns a function without arguments; what that returns, as
arrays, must agree between frameworks before anything is timed.  What is written for `tf` serves minitape and TensorFlow
alike, what is written for a function of arrays serves autograd and jax: they spell it the same.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, NamedTuple

FILES = ("chain", "mlp", "deep", "moons", "products", "jacobians", "tangents", "nested", "convolution")

Step = Callable[[], list[Any]]


class Workload(NamedTuple):
    """One thing to be measured, in one size."""

    makers: dict[str, Callable[..., Step]]  # framework: function of the settings
    settings: dict[str, Any]
    small: dict[str, Any]  # settings for a quick look, and for the test
    per: int = 1  # ops or iterations in a step: times are told for each
    against: str = "floor"  # the framework that a ratio is taken to
    tolerance: float = 1e-9


def groups() -> list[dict[str, Workload]]:
    """Every workload by name, file by file: those of a file are measured in turn, so that they can be compared."""
    return [importlib.import_module(f"{__name__}.{name}").WORKLOADS for name in FILES]


def all_of_them() -> dict[str, Workload]:
    """Every workload by name."""
    return {name: workload for group in groups() for name, workload in group.items()}
