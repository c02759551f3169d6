"""The records of a run as it goes on: arrays as values, equations as ops, and one note for each thing that happens."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import jax
import numpy as np

from ...schema import clean
from ..notes import RunNotes
from ..numbers import Snapshot, number, shape_text, snapshot
from ..records import FORWARD, Context, Made, Op, Recorder, Row, Site, Value, changed
from ..run import OfFramework
from .equations import Equation, Number
from .rows import Rows

FILLED = {"0": "zeros", "1": "ones"}  # an array of one number, by that number
SHORT = 14  # the longest formula that serves as a name, in letters
_WORD = re.compile(r"[^\W\d]\w*")


class Array:
    """An array of the run: its numbers, and the value that it is recorded as."""

    __slots__ = ("aval", "data", "literal", "op", "value")

    def __init__(self, data: Any, aval: Any, value: Value, op: Op | None = None) -> None:
        self.data, self.aval, self.value, self.op = data, aval, value, op
        self.literal = ""  # of a number that stands in the jaxpr: how it is written

    def numbers(self) -> dict[Value, Snapshot]:
        """What it holds, as records have it."""
        return {self.value: see(self.data)}


def values_of(arrays: Iterable[Array]) -> tuple[Value, ...]:
    """The values that arrays are recorded as."""
    return tuple([array.value for array in arrays])


class Notes(RunNotes):
    """What is known of a run so far."""

    def __init__(self, run: OfFramework, closed_over: Mapping[str, Any]) -> None:
        super().__init__(run)
        self.rows = Rows()
        self.machine: Any = None  # that runs the equations
        self.regions: list[Any] = []  # checkpoints that are running, outermost first
        self.work: Context = FORWARD  # the backward pass, or rerun, that is going on
        self.made: list[Array] = []  # by the equation that ran last
        self._closed_over = closed_over
        self._literals: dict[tuple[Equation, int], Array] = {}  # by equation, that of a checkpoint's first run
        self._contexts: dict[Any, Context] = {}
        self._value_count = 0
        here = self.site()  # this line assigns the run to its name, and no value of it
        self.block = self.stream.block = changed(here, id=f"{here.id} here", names="", text="", form="", operands=())

    # ---- one note -------------------------------------------------------------------------------------------------------

    def at(self, eqn: Equation) -> Site:
        """The learner's instruction that an equation was traced at."""
        site = self.block if eqn.site is None else self.places.site(eqn.site)
        by_rule = self.work.cause is not None and self.work.cause.own_rule  # JAX knows the line of the call alone
        if not eqn.helps and not by_rule:
            return site
        known = self._sites.get(site)  # an equation that only makes a residual does not make what the line assigns
        if known is None:
            known = self._sites[site] = changed(site, id=f"{site.id} helps", names="", text="", form="", operands=())
        return known

    def here(self) -> Site:
        """The line of the block: what no equation says has no other."""
        return self.block

    def context(self, eqn: Equation | None = None) -> Context:
        """What is going on."""
        path = tuple([region.name for region in self.regions])
        work, layer = self.work, "" if eqn is None else eqn.layer
        role = "residual" if eqn is not None and eqn.helps else self.work.role
        key = work, path, layer, role
        known = self._contexts.get(key)
        if known is None:
            inside = path or work.region
            plain = work is FORWARD and not inside and not layer and not role
            known = self._contexts[key] = (
                FORWARD if plain else Context(work.phase, work.cause, work.actor, role, layer=layer, region=inside)
            )
        return known

    @contextmanager
    def during(self, phase: str, cause: Op, actor: Recorder, role: str = "") -> Iterator[None]:
        """A block whose equations are the work of a recorder."""
        before = self.work
        self.work = Context(phase, cause, actor, role, region=before.region)
        try:
            yield
        finally:
            self.work = before

    def applied(
        self, eqn: Equation, takes: Sequence[Array], outs: Sequence[Any], name: str = "", own: bool = False
    ) -> Op:
        """Record an equation that has run, or several under one name; its results are in `made`."""
        row = self.rows.own(name, len(takes)) if name else self.rows.row(eqn, takes, outs)
        called = self._written(eqn, row, takes) if eqn.helps else ""
        gives = tuple([self._value(jax.typeof(out), called) for out in outs])
        site, context = self.at(eqn), self.context(eqn)
        op = self.op(row, values_of(takes), gives, site=site, context=context, own_rule=own)
        self.made = [Array(data, jax.typeof(data), value, op) for data, value in zip(outs, gives, strict=True)]
        self.ran(op, {array.value: see(array.data) for array in self.made})
        return op

    def _written(self, eqn: Equation, row: Row, takes: Sequence[Array]) -> str:
        """The name of a result that no line of the program names: its formula, if that is short."""
        named = {}
        for argument, array in zip(row.arguments, takes, strict=False):
            site = None if array.op is None else array.op.site
            named[argument] = array.value.name or (site.name if site is not None else "") or array.literal
        if eqn.name == "broadcast_in_dim" and takes[0].literal:
            return FILLED.get(takes[0].literal, row.name)
        if not all(named.values()) or len(named) != len(takes):
            return row.name
        text = _WORD.sub(lambda found: _part(named.get(found[0], found[0])), row.formula)
        for ours, short in (("×", "·"), ("^", "^"), ("+", "+"), ("−", "−"), ("/", "/")):
            text = text.replace(f" {ours} ", short)
        return clean(text) if 0 < len(text) <= SHORT else row.name

    # ---- values ---------------------------------------------------------------------------------------------------------

    def _value(self, aval: Any, name: str = "") -> Value:
        self._value_count += 1
        shape = tuple(aval.shape)
        size = int(np.prod(shape)) * aval.dtype.itemsize
        return Value(f"v{self._value_count}", str(aval.dtype), shape, size, False, name)

    def new(self, data: Any, name: str = "") -> Array:
        """An array that no equation made."""
        aval = jax.typeof(data)
        return Array(data, aval, self._value(aval, name))

    def meet(self, data: Any, name: str = "") -> Array:
        """An array that was there before: an argument, or one that the function has closed over."""
        name = name or next((name for name, held in self._closed_over.items() if held is data), "")
        made = self.new(data, name)
        made.value.early = see(data)
        return made

    def number(self, literal: Number, eqn: Equation | None = None, at: int = 0) -> Array:
        """The array of a literal; when an equation runs again, that of its first run."""
        known = self._literals.get((eqn, at)) if eqn is not None and self.regions else None
        if known is not None:
            return known
        made = Array(literal.data, literal.aval, self._value(literal.aval))
        if eqn is not None and self.regions:
            self._literals[eqn, at] = made
        made.literal = "" if np.ndim(literal.data) else number(np.asarray(literal.data)[()])
        self.add(Made(value=made.value, implicit=True, numbers=made.numbers()))
        return made


def _part(name: str) -> str:
    """A name inside of a formula."""
    return f"({name})" if re.search(r"[+−]", name[1:]) else name


def see(data: Any) -> Snapshot:
    """What an array holds now."""
    dtype = getattr(data, "dtype", None)
    if dtype is not None and jax.dtypes.issubdtype(dtype, jax.dtypes.extended):
        return Snapshot(f"{shape_text(data.shape)} key".strip(), None)
    array = np.asarray(data)
    return snapshot(array if array.dtype.kind in "biufc" else array.astype(np.float32))
