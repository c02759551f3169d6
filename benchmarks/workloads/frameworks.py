"""How the frameworks are reached: those that share a spelling share a program."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from functools import partial
from typing import Any

PEERS = ("torch", "tensorflow", "jax", "autograd", "mygrad", "micrograd")
ALWAYS = ("floor", "primal", "minitape")  # "primal": the value alone, without any derivative, by hand


def present(framework: str) -> bool:
    """Whether a framework is installed; whether it also works is seen when it is asked for something."""
    return framework in ALWAYS or importlib.util.find_spec(framework) is not None


def library(framework: str) -> Any:
    """minitape or TensorFlow, both written as `tf`."""
    return importlib.import_module(framework)


def functional(framework: str) -> tuple[Any, Any]:
    """autograd or jax, and its NumPy: both take gradients of functions, and spell it alike."""
    if framework == "jax":
        importlib.import_module("jax").config.update("jax_enable_x64", True)
    return importlib.import_module(framework), importlib.import_module(f"{framework}.numpy")


def by_framework(
    *, floor: Any, taped: Any = None, function: Any = None, **others: Callable[..., Any]
) -> dict[str, Callable[..., Any]]:
    """Makers by framework: `taped` serves minitape and TensorFlow, `function` autograd and jax, the others themselves."""
    makers: dict[str, Callable[..., Any]] = {"floor": floor}
    if taped:
        makers |= {framework: partial(taped, framework) for framework in ("minitape", "tensorflow")}
    if function:
        makers |= {framework: partial(function, framework) for framework in ("jax", "autograd")}
    return makers | others
