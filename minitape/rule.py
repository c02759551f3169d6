"""A rule of the table, and what a tape needs to run it: where its arguments come from, and what of them must be kept."""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

import numpy as np

from .tensor import Tensor
from .trace import Application

Rule = Callable[..., Any]
OnKept = Callable[[Any, Any, Application], Any]


class Bound:
    """A rule together with where its arguments come from."""

    __slots__ = ("_on_arrays", "_places", "free", "rule", "saved")

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

    def __call__(self, change: Any, values: Sequence[Tensor | None], application: Application) -> Any:
        """The rule's answer, with `values` the inputs and then the outputs as far as they are there."""
        known = self._facts(application) if self.free else {}
        for name, place in self._places:
            known[name] = values[place if place >= 0 else len(application.inputs) + ~place]
        return self.rule(change, **known)

    def reads_arrays(self) -> bool:
        """Whether the rule can run on plain arrays: whether it says nothing but operators and rows of the table."""
        if self._on_arrays is None:
            self._on_arrays = on_arrays(self.rule) or False
        return self._on_arrays is not False

    def over(self, positions: Sequence[int], inputs: int, arrays: bool = True) -> OnKept:
        """The rule as a function of the change, what an entry keeps (of these positions), and its application.

        On plain arrays it answers with an array or a bare NumPy number, and is shown to nobody; else all are tensors.
        """
        rule: Rule = self._on_arrays if arrays else self.rule
        where = {name: positions.index(place if place >= 0 else inputs + ~place) for name, place in self._places}
        named, places, facts = tuple(where.items()), tuple(where.values()), self._facts
        alone = len(positions) == 1  # what is kept is a handle, and no tuple of them
        # A function for each case, because none of them has time to ask which it is.
        if self.free and not arrays:
            return lambda change, kept, application: rule(
                change, **{name: kept if alone else kept[i] for name, i in named}, **facts(application)
            )
        if self.free:
            return lambda change, kept, application: rule(
                change, **{name: (kept if alone else kept[i])._array for name, i in named}, **facts(application)
            )
        if not places:
            return lambda change, kept, application: rule(change)
        if alone and not arrays:
            return lambda change, kept, application: rule(change, kept)
        if alone:
            return lambda change, kept, application: rule(change, kept._array)
        if not arrays:
            return lambda change, kept, application: rule(change, *[kept[i] for i in places])
        return lambda change, kept, application: rule(change, *[kept[i]._array for i in places])

    def _facts(self, application: Application) -> dict[str, Any]:
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
    """What going back through an op towards some of its inputs takes."""

    __slots__ = ("_over_arrays", "_over_tensors", "_rules", "alone", "keeps_outputs", "positions", "wanted")

    def __init__(
        self,
        wanted: tuple[bool, ...],
        saved: tuple[int, ...],
        rules: tuple[tuple[int, Bound], ...] | None,
        listed: bool = True,
    ) -> None:
        self.wanted = wanted
        # Of what must be kept, the positions in the list of the inputs and then the outputs.
        self.positions = tuple([place if place >= 0 else len(wanted) + ~place for place in saved])
        self.keeps_outputs = any([position >= len(wanted) for position in self.positions])
        self.alone = listed and len(self.positions) == 1  # what is kept is one handle: no tuple around it
        self._rules = rules
        # Found when they are first asked for; False where there are none.
        self._over_arrays: Any = None
        self._over_tensors: Any = None

    def over_tensors(self, dtype: np.dtype[Any]) -> Sequence[tuple[int, OnKept]] | None:
        """For each wanted input its position and rule, if rules alone say what comes back; else None."""
        if dtype.kind == "c":  # of complex numbers rules are conjugated
            return None
        if self._over_tensors is None:
            rules, inputs = self._rules, len(self.wanted)
            self._over_tensors = rules is not None and tuple(
                [(i, rule.over(self.positions, inputs, arrays=False)) for i, rule in rules]
            )
        return self._over_tensors or None

    def over_arrays(self, dtype: np.dtype[Any]) -> Sequence[tuple[int, OnKept]] | None:
        """For each wanted input its position and rule, if all of them can run on plain arrays of this dtype; else None."""
        if dtype.kind != "f":  # of complex numbers rules are conjugated
            return None
        if self._over_arrays is None:
            rules, inputs = self._rules, len(self.wanted)
            able = rules is not None and all([rule.reads_arrays() for _, rule in rules])
            self._over_arrays = able and tuple([(i, rule.over(self.positions, inputs)) for i, rule in rules or ()])
        return self._over_arrays or None


def on_arrays(rule: Any) -> Rule | None:
    """The same text with NumPy's functions in place of the rows that it names, or None where it needs more than numbers."""
    code = rule.__code__
    if code.co_freevars or "_tag" in code.co_names:
        return None
    names: dict[str, Any] = {}
    for name in code.co_names:
        named = rule.__globals__.get(name, _MISSING)
        if hasattr(named, "bare"):
            names[name] = named.bare
        elif isinstance(named, FunctionType):  # a helper of the rules: it must be able to do the same
            names[name] = on_arrays(named)
        elif isinstance(named, int | float) or named is np or named is math:
            names[name] = named
        elif named is not _MISSING or name not in _PLAIN:
            return None
    if None in names.values():
        return None
    names["__name__"] = rule.__module__  # by which a warning or a traceback tells where it comes from
    same = FunctionType(code, names, rule.__name__, rule.__defaults__)
    same.__kwdefaults__ = rule.__kwdefaults__
    return same


_MISSING = object()
# What else a rule may say: Python's own words, and what a shape and an array understand alike.
_PLAIN = {*dir(builtins), "shape", "ndim", "sqrt", "pi", "prod", "argsort", "count", "index"}
