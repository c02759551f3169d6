"""A rule of the table, and what a tape needs to run it: where its arguments come from, and what of them must be kept."""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

import numpy as np

from .trace import Application

Rule = Callable[..., Any]


class Bound:
    """A rule together with where its arguments come from."""

    __slots__ = ("_on_arrays", "_places", "free", "in_order", "rule", "saved")

    def __init__(self, row: Any, rule: Rule) -> None:
        self.rule = rule
        self._on_arrays: Any = None  # made when it is first asked for; False where there is none
        self.saved: dict[str, int] = {}  # name: position among inputs, or ~position among outputs
        self.free: dict[str, tuple[str, int]] = {}  # name: ("shape" | "dtype" | "param", position)
        code = rule.__code__
        for name in code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]:
            place = row.place(name)
            if place is not None:
                self.saved[name] = place
            elif name == "shapes":
                self.free[name] = ("shapes", 0)
            elif name.endswith(("_shape", "_dtype")) and row.place(name[:-6]) is not None:
                self.free[name] = (name[-5:], row.place(name[:-6]) or 0)
            else:
                self.free[name] = ("param", 0)
        self._places = tuple(self.saved.items())
        self.in_order = not self.free and not code.co_kwonlyargcount  # all that it takes is saved: no names needed

    def __call__(self, change: Any, values: Sequence[Any], application: Application, arrays: bool = False) -> Any:
        """The rule's answer; `values` are the inputs and then the outputs, None for those that were not kept.

        The change and the values are tensors, or, where `arrays` says so, NumPy's arrays and numbers.
        """
        known = self.facts(application) if self.free else {}
        for name, place in self._places:
            known[name] = values[place if place >= 0 else len(application.inputs) + ~place]
        return (self._on_arrays if arrays else self.rule)(change, **known)

    @property
    def on_arrays(self) -> Rule:
        """The rule over plain arrays, where it has one."""
        assert self.reads_arrays()
        found: Rule = self._on_arrays
        return found

    def reads_arrays(self) -> bool:
        """Whether the rule can run on plain arrays: whether it says nothing but operators and rows of the table."""
        if self._on_arrays is None:
            self._on_arrays = on_arrays(self.rule) or False
        return self._on_arrays is not False

    def facts(self, application: Application) -> dict[str, Any]:
        """What the rule names and no tape has to keep: settings, shapes and dtypes."""
        known: dict[str, Any] = {}
        for name, (what, place) in self.free.items():
            if what == "param":
                known[name] = application.params[name]
            elif what == "shapes":
                known[name] = [tag.shape for tag in application.inputs]
            else:
                tag = application.inputs[place] if place >= 0 else application.outputs[~place]
                known[name] = tag.shape if what == "shape" else tag.dtype
        return known


class Plan:
    """What is needed to go back through an op towards some of its inputs."""

    __slots__ = (
        "alone", "back", "elementwise", "heard", "keeps_outputs", "name", "of_call", "positions", "rules", "wanted",
    )  # fmt: skip

    def __init__(
        self,
        name: str,
        wanted: tuple[bool, ...],
        saved: tuple[int, ...],
        rules: tuple[tuple[int, Bound], ...] | None,
        elementwise: bool = False,
        of_call: bool = False,
    ) -> None:
        self.name = name
        self.wanted = wanted
        # Where what must be kept stands in the list of the inputs and then the outputs.
        self.positions = tuple([place if place >= 0 else len(wanted) + ~place for place in saved])
        self.keeps_outputs = any([position >= len(wanted) for position in self.positions])
        self.alone = not of_call and len(self.positions) == 1  # what is kept is one handle: no tuple around it
        self.elementwise = elementwise  # a single number comes back only where one arrived, and to an input that is one
        self.of_call = of_call  # then its derivative stands behind what is kept
        self.rules = rules  # for each wanted input its position and rule, if rules alone say what comes back
        # The engine's functions, made when they are first needed: over plain arrays (False: there is none), and over tensors.
        self.back: Any = None
        self.heard: Any = None

    def position_of(self, place: int) -> int:
        """The index among the kept values of the one at this place: an input's position, or ~position for an output."""
        return self.positions.index(place if place >= 0 else len(self.wanted) + ~place)


def on_arrays(rule: Any) -> Rule | None:
    """The same text with NumPy's functions in place of the rows that it names, or None where it needs more than numbers."""
    code = rule.__code__
    if code.co_freevars or "tag" in code.co_names:
        return None
    names: dict[str, Any] = {}
    for name in code.co_names:
        named = rule.__globals__.get(name, _MISSING)
        if hasattr(named, "bare"):
            names[name] = named.bare
        elif isinstance(named, FunctionType):  # a helper of the rules: it must be able to do the same
            names[name] = on_arrays(named)
        elif isinstance(named, int | float) or named is np or named is math or hasattr(named, "cache_info"):
            names[name] = named  # a cached function takes shapes, which are the same for both
        elif named is not _MISSING or name not in _PLAIN:
            return None
    if None in names.values():
        return None
    names["__name__"] = rule.__module__  # by which a warning or a traceback tells where it comes from
    same = FunctionType(code, names, rule.__name__, rule.__defaults__)
    same.__kwdefaults__ = rule.__kwdefaults__
    return same


_MISSING = object()
# What else a rule may name: Python's builtins, functions of `math` and NumPy, and attributes that shapes and arrays have alike.
_PLAIN = {*dir(builtins), "shape", "ndim", "sqrt", "pi", "prod", "argsort", "count", "index"}
