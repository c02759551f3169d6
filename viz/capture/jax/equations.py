"""A jaxpr as a flat list of equations: what `jit` has boxed is opened, and every array has a place of its own."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from jax.extend.core import Literal

from ...schema import clean
from ..borrowed import Instruction, is_library

OPENED = {"jit": "jaxpr", "pjit": "jaxpr", "closed_call": "call_jaxpr", "core_call": "call_jaxpr"}
CUSTOM = {"custom_jvp_call": "call_jaxpr", "custom_vjp_call": "call_jaxpr", "custom_lin": ""}
CHECKPOINT = ("remat2", "checkpoint", "remat")
_places = itertools.count(1)


class Number(NamedTuple):
    """A literal of a jaxpr."""

    data: Any
    aval: Any


Taken = int | Number  # an operand: the place of an array, or a literal


@dataclass(slots=True, eq=False)
class Equation:
    """One equation: a primitive with its parameters, on arrays at places."""

    primitive: Any
    params: Mapping[str, Any]
    takes: tuple[Taken, ...]
    gives: tuple[int, ...]
    around: Any = None  # the settings under which it was traced
    site: Instruction | None = None  # the learner's instruction; None for one of JAX's own, in a rule of it
    layer: str = ""  # the learner's jitted functions and named scopes around it
    helps: bool = False  # it runs only for what the backward pass needs
    stands_for: Any = None  # of a rule of the program's own: see `plan.Rule`; of a checkpoint: its plan
    transposed: int = 0  # in how many backward passes of the function's own it stands

    @property
    def name(self) -> str:
        """What JAX calls its primitive."""
        return str(self.primitive)

    @property
    def reads(self) -> list[int]:
        """The places of the arrays that it takes."""
        return [taken for taken in self.takes if isinstance(taken, int)]


@dataclass(slots=True, eq=False)
class Flat:
    """Equations in order, with what goes in and comes out."""

    takes: tuple[int, ...]
    gives: tuple[Taken, ...]
    equations: list[Equation]
    avals: dict[int, Any]
    consts: dict[int, Any] = field(default_factory=dict)  # arrays that the function has closed over

    def aval(self, taken: Taken) -> Any:
        """Shape and dtype of an operand."""
        return taken.aval if isinstance(taken, Number) else self.avals[taken]

    def again(self, takes: Sequence[Taken], avals: dict[int, Any], like: Equation | None = None) -> Flat:
        """The same equations on other operands, with places of their own; an equation without a line gets the line of `like`."""
        map_: dict[int, Taken] = dict(zip(self.takes, takes, strict=True))

        def fresh(place: int) -> int:
            made = map_[place] = new_place(self.avals[place], avals)
            return made

        consts = {fresh(place): data for place, data in self.consts.items()}
        equations = []
        for eqn in self.equations:
            operands = tuple([one_ if isinstance(one_, Number) else map_[one_] for one_ in eqn.takes])
            made = replace(eqn, takes=operands, gives=tuple(map(fresh, eqn.gives)))
            if like is not None:
                made.site, made.layer, made.transposed = made.site or like.site, like.layer, like.transposed
                made.helps = made.helps or like.helps
            equations.append(made)
        gives = tuple([taken if isinstance(taken, Number) else map_[taken] for taken in self.gives])
        return Flat(tuple([taken for taken in takes if isinstance(taken, int)]), gives, equations, avals, consts)


def new_place(aval: Any, avals: dict[int, Any]) -> int:
    """A place that no other array has."""
    made = next(_places)
    avals[made] = aval
    return made


def flat(closed: Any, *, boxes: bool = False) -> Flat:
    """The equations of a closed jaxpr; with `boxes` a jitted call stays one equation."""
    return _Opening(boxes).whole(closed)


class _Opening:
    def __init__(self, boxes: bool) -> None:
        self.boxes = boxes
        self.made = Flat((), (), [], {})

    def whole(self, closed: Any) -> Flat:
        made = self.made
        made.takes = tuple([self.place(var.aval) for var in closed.jaxpr.invars])
        made.gives = self.into(closed.jaxpr, self.constants(closed), made.takes, None, "")
        return made

    def place(self, aval: Any) -> int:
        return new_place(aval, self.made.avals)

    def constants(self, closed: Any) -> list[int]:
        places = [self.place(var.aval) for var in closed.jaxpr.constvars]
        self.made.consts.update(zip(places, closed.consts, strict=True))
        return places

    def into(
        self, jaxpr: Any, consts: Sequence[Taken], takes: Sequence[Taken], site: Instruction | None, layer: str,
        around: int = 0,
    ) -> tuple[Taken, ...]:  # fmt: skip
        env: dict[Any, Taken] = dict(zip((*jaxpr.constvars, *jaxpr.invars), (*consts, *takes), strict=True))

        def read(var: Any) -> Taken:
            return Number(var.val, var.aval) if isinstance(var, Literal) else env[var]

        for eqn in jaxpr.eqns:
            name, operands = str(eqn.primitive), [read(var) for var in eqn.invars]
            scopes, transposed = stack_of(eqn)
            here, path = site or site_of(eqn.source_info), "/".join([name for name in (layer, *scopes) if name])
            if name in OPENED and not self.boxes:
                inner = eqn.params[OPENED[name]]
                jaxpr_ = getattr(inner, "jaxpr", inner)
                consts_ = self.constants(inner) if hasattr(inner, "consts") else []
                ours = of_the_program(jaxpr_)
                label = "/".join([name for name in (path, clean(str(eqn.params.get("name", "")))) if name])
                outs = self.into(jaxpr_, consts_, operands, None if ours else here, label if ours else path, transposed)
                env.update(zip(eqn.outvars, outs, strict=True))
                continue
            gives = tuple([self.place(var.aval) for var in eqn.outvars])
            env.update(zip(eqn.outvars, gives, strict=True))
            self.made.equations.append(Equation(
                eqn.primitive, eqn.params, tuple(operands), gives, eqn.ctx, here, path, transposed=around + transposed
            ))  # fmt: skip
        return tuple([read(var) for var in jaxpr.outvars])


def stack_of(eqn: Any) -> tuple[list[str], int]:
    """The named scopes around an equation, and in how many backward passes it stands."""
    names, transposed = [], 0
    for scope in getattr(eqn.source_info.name_stack, "stack", ()):
        if type(scope).__name__ == "Scope":
            names.append(clean(scope.name))
        transposed += getattr(scope, "name", "") == "transpose" and type(scope).__name__ != "Scope"
    return names, transposed


def site_of(info: Any) -> Instruction | None:
    """The learner's instruction that made an equation; None where there is none below our own frames."""
    if info.traceback is None:
        return None
    for code, lasti in zip(*info.traceback.raw_frames(), strict=True):
        if code.co_filename.startswith(_HERE):
            return None
        if not is_library[code.co_filename]:
            return Instruction(code, lasti)
    return None


def of_the_program(jaxpr: Any) -> bool:
    """Whether a jitted function is the program's, and not JAX's."""
    said = str(getattr(jaxpr.debug_info, "func_src_info", ""))
    file = said.partition(" at ")[2].rpartition(":")[0]
    return bool(file) and not is_library[file]


def called(jaxpr: Any, otherwise: str) -> str:
    """The name of the function that a jaxpr was traced from."""
    return clean(str(getattr(jaxpr.debug_info, "func_src_info", "")).partition(" at ")[0]) or otherwise


_HERE = __file__.rpartition("equations.py")[0]
