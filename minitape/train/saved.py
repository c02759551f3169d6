"""What a checkpoint saves, under names made of attributes, positions in lists and keys of dicts, as in TensorFlow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from ..module import Module
from ..record.refusal import value_error
from ..variable import Variable


class Saved(NamedTuple):
    """Something to be saved: what it is called, what it holds now, and how another value is put in."""

    name: str
    thing: Any
    read: Callable[[], np.ndarray]
    put: Callable[[np.ndarray], None]


def saved_in(thing: Any, name: str = "", seen: set[int] | None = None) -> Iterator[Saved]:
    """All that is saved of an object, each once, under the first name that leads to it."""
    seen = set() if seen is None else seen
    if id(thing) in seen:
        return
    seen.add(id(thing))
    if isinstance(thing, Variable):
        yield Saved(name, thing, lambda: thing.array_now, lambda array: _assign(thing, array, name))
    elif isinstance(getattr(thing, "taken", None), int):  # an iterator over a dataset: how far it came
        yield Saved(name, thing, lambda: np.array(thing.taken), lambda array: thing.take_up(int(array)))
    else:
        for child, value in _children(thing):
            yield from saved_in(value, f"{name}/{child}" if name else child, seen)
        if isinstance(getattr(thing, "_iterations", None), int):  # an optimizer: how many steps it made
            own = f"{name}/iterations" if name else "iterations"
            yield Saved(own, thing, lambda: np.array(thing._iterations), lambda array: _count(thing, array))


def _children(thing: Any) -> list[tuple[str, Any]]:
    if isinstance(thing, Mapping):
        return [(str(key), value) for key, value in thing.items()]
    if isinstance(thing, list | tuple):
        return [(str(position), value) for position, value in enumerate(thing)]
    if isinstance(thing, Module):
        hidden = thing._TF_MODULE_IGNORED_PROPERTIES
        return [(name.lstrip("_"), value) for name, value in sorted(vars(thing).items()) if name not in hidden]
    if hasattr(thing, "_tracked"):
        return list(thing._tracked.items())
    if isinstance(thing, type) or not isinstance(getattr(thing, "variables", None), list | tuple):
        return []
    return [(f"variables/{position}", variable) for position, variable in enumerate(thing.variables)]


def trackable(thing: Any) -> bool:
    """Whether there is, or can be, something to save in it."""
    return isinstance(thing, Variable | Module | Mapping | list | tuple) or any(
        hasattr(thing, name) for name in ("variables", "_tracked", "taken")
    )


def _assign(variable: Variable, array: np.ndarray, name: str) -> None:
    if not variable.shape.is_compatible_with(array.shape):
        raise value_error(
            f"Received incompatible tensor with shape {array.shape} when attempting to restore variable with shape "
            f"{variable.shape} and name {name}.",
            "The checkpoint was written by a program with another shape there.",
        )
    variable.assign(array.astype(variable.tag.dtype))


def _count(optimizer: Any, array: np.ndarray) -> None:
    optimizer._iterations = int(array)
