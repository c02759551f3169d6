"""One op, forwards, as one function: compute, wrap, write down.

A function for each row of one or two operands and one output, from the text in `template.py`: here stands what differs from row
to row.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from sys import _getframe
from typing import Any

import numpy as np

from ..entry import USERS
from ..record.events import emit, new_event, state, ticks
from ..record.ledger import BEFORE_TAPE, FLIGHT, NOBODY, ONE, PYTHON, SETTLED, TAPE, ledger
from ..record.provenance import is_library
from ..record.trail import UNLOGGED, remember
from ..record.warning import quiet
from ..rule import Plan
from ..tensor import Literal, Operand, Tag, Tensor, serials
from ..trace import Application, as_tensors, compute, general, shown, wrap
from . import template
from .text import filled, made

NOTHING: dict[str, Any] = {}
new = object.__new__

# NumPy's function as Python's operator, which is a fifth of the time for two single numbers.
SIGNS = {np.add: "{} + {}", np.subtract: "{} - {}", np.multiply: "{} * {}", np.negative: "-{}"}
QUIET = {np.true_divide: quiet(operator.truediv)}

NAMES = {
    "Application": Application, "NOTHING": NOTHING, "ONE": ONE, "ONE_TAPE": ONE[TAPE], "SETTLED_TAPE": SETTLED[TAPE],
    "USERS": USERS,
    "BEFORE_TAPE": BEFORE_TAPE, "NOBODY": NOBODY, "new_event": new_event, "FLIGHT": FLIGHT, "Operand": Operand,
    "TAPE": TAPE, "Tag": Tag, "Tensor": Tensor, "UNLOGGED": UNLOGGED, "as_tensors": as_tensors, "general": general,
    "HELD_BY_PYTHON": ONE[PYTHON], "PYTHON": PYTHON, "charges": ledger.charges, "getframe": _getframe,
    "held": ledger.held, "is_library": is_library,
    "ledger": ledger, "new": new, "remember": remember, "serials": serials, "shown": shown, "state": state,
    "ticks": ticks, "wrap": wrap,
}  # fmt: skip


def _wraps(name: str, counted: str) -> Callable[[Any, int], Tensor]:
    return made(name, filled(template.WRAPS.strip(), {"name": name, "fresh": _counts(counted)}), NAMES)


def _counts(counted: str) -> str:
    """The text that makes a tensor on bytes of its own, and tells the ledger of it."""
    return filled(template.FRESH.strip(), {"counted": filled(counted.strip(), {"charged": template.CHARGED.strip()})})


fresh = _wraps("fresh", template.COUNTED)  # `tensor.fresh`, for all holders but tapes
landed = _wraps("landed", template.LANDED)  # the same around an array that was in flight


def literal(value: float, dtype: np.dtype[Any]) -> Literal:
    """A Python number beside a tensor, in its dtype."""
    number = new(Literal)
    number.array = dtype.type(value)
    number.tag = Tag((), dtype, dtype.itemsize) if state.recorders else nameless[dtype]
    return number


def told(value: float, dtype: np.dtype[Any]) -> Tensor:
    """The same where somebody listens, who hears of every number that becomes a tensor."""
    number = fresh(dtype.type(value), state.holder)
    emit("made", (number,), tag=number.tag, kind="constant", implicit=True)
    return number


class _Nameless(dict[Any, Tag]):
    """For each dtype one tag, shared by all literal numbers that nobody records: nobody has to tell them apart."""

    def __missing__(self, dtype: np.dtype[Any]) -> Tag:
        tag = self[dtype] = Tag((), dtype, dtype.itemsize)
        return tag


nameless = _Nameless()


def straight(row: Any, reflected: bool = False, heard: bool = False) -> Callable[..., Any]:
    """The function that computes a row: written out for it, or the plain way for rows that are unlike most.

    `reflected`: as a method of its second operand, for Python's operators.  `heard`: for where somebody listens.
    """
    plain = compute if heard else general
    if row.variadic or row.outputs != 1 or not 1 <= len(row.arguments) <= 2:
        return lambda *operands, params=NOTHING: plain(row, operands, params)
    name = (row.name if row.name.isidentifier() else "op") + "_reflected" * reflected + "_heard" * heard
    names = ["x", "y"][: len(row.arguments)]
    tags, arrays = [f"{name}_tag" for name in names], [f"{name}_array" for name in names]
    plans: dict[str, Plan] = {}
    always_new = isinstance(row.bare, np.ufunc)  # and never a view
    pieces = {
        "name": name,
        "parameters": ", ".join(names[::-1] if reflected else names),
        "operands": _tuple(names),
        "called": ", ".join(names),
        "read": _tuple([f"{name}.tensor_now" for name in names]),
        "converted": _converted(row, names),
        "tags": "\n".join([f"{tag} = {name}.tag" for tag, name in zip(tags, names)]),
        "dtypes": _dtypes(row, names, tags),
        "arrays": "\n".join([f"{array} = {name}.array" for array, name in zip(arrays, names)]),
        "forward": _forward(row, arrays),
        "base": "" if always_new else "base = array.base",
        "the_same": "".join([f" or array is {array}" for array in arrays]),
        "all_tags": _tuple(tags),
        "first": tags[0],
        "second": tags[1] if len(tags) == 2 else "None",
        "record": _record(row, names, plans),
        "fresh": _counts(template.COUNTED),
        "site": template.SITE.strip(),
    }
    pieces["usual"] = "" if heard else filled(template.USUAL.strip(), pieces)
    pieces["unseen"] = "" if heard else filled(template.UNSEEN.strip(), pieces)
    pieces["told"] = (
        filled(template.TOLD.strip(), pieces | {"operands": "".join([f"{name}, " for name in names])}) if heard else ""
    )
    pieces["wrapped"] = pieces["fresh"] if always_new else filled(template.WRAPPED.strip(), pieces)
    return made(
        name,
        filled(template.TEMPLATE.strip(), pieces),
        {
            **NAMES, **plans, "general": plain, "row": row, "forward": QUIET.get(row.bare, row.forward),
            "literal": told if heard else literal,
        },
    )  # fmt: skip


def _tuple(names: list[str]) -> str:
    """The text of a tuple, without its brackets."""
    return ", ".join(names) if len(names) > 1 else f"{names[0]},"


def _converted(row: Any, names: list[str]) -> str:
    if row.same_dtype and len(names) == 2:
        return filled(template.NUMBERS.strip(), {"x": names[0], "y": names[1]})
    wrong = " or ".join([f"{name}.__class__ is not Tensor" for name in names])
    return filled(template.OTHERS.strip(), {"not_tensors": wrong, "operands": _tuple(names)})


def _dtypes(row: Any, names: list[str], tags: list[str]) -> str:
    """The text that sends operands of dtypes that the row does not take to the plain way, which raises the error for them."""
    taken = row.kinds.strip("iu") if row.notes.fractions else row.kinds
    wrong = [f"{tags[0]}.dtype.kind not in {taken!r}"] if row.selective else []
    wrong += [f"{tag}.dtype is not {tags[0]}.dtype" for tag in tags[1:] if row.same_dtype]
    return f"if {' or '.join(wrong)}:\n    return general(row, ({_tuple(names)}), params)" if wrong else ""


def _forward(row: Any, arrays: list[str]) -> str:
    sign = SIGNS.get(row.forward)
    code = getattr(row.bare, "__code__", None)
    settings = code is not None and code.co_argcount + code.co_kwonlyargcount > len(arrays)
    return sign.format(*arrays) if sign else f"forward({', '.join(arrays)}{', **params' * settings})"


def _record(row: Any, names: list[str], plans: dict[str, Plan]) -> str:
    """The text that writes the application on a tape: for each choice of followed inputs, with what the pullback needs."""
    sloped = [i for i in range(len(names)) if row.differentiable(i)]
    makers = [f"{name}_maker" for name in names]
    asked = "\n".join([f"{maker} = followed.get({name}_tag)" for maker, name in zip(makers, names)])
    none, passed = " and ".join([f"{maker} is None" for maker in makers]), "verdicts += tape.passed\ncontinue"
    if row.kind == "flat":
        return f"followed = tape.followed\n{asked}\nverdicts += tape.passed if {none} else tape.flat"
    text = ""
    for count, wanted in enumerate(_choices(len(names), sloped)):
        plan = "plan_" + "".join(names[i] for i in wanted)
        plans[plan] = row.plan(tuple([i in wanted for i in range(len(names))]))
        test = " and ".join([f"{makers[i]} is not None" for i in wanted])
        keep = f"plan = {plan}\n" + _keep(plans[plan], names)
        if not plans[plan].keeps_outputs:
            # Tapes that keep the same inputs share the handles.  Handles on an output are each tape's own: as long as an inner
            # tape has one, the output may still go into ops that the outer tape must see (`Entries.reachable`).
            keep = f"if plan is not {plan}:\n" + _indented(keep)
        text += f"{'elif' if count else 'if'} {test}:\n" + _indented(keep)
        for i in wanted:
            text += _indented(filled(template.USED.strip(), {"maker": makers[i], "tag": f"{names[i]}_tag"}))
    text += "else:\n" + _indented(passed)
    floats = (
        ""
        if row.same_dtype and row.kind in ("elementwise", "bilinear")
        else filled(template.FLOATS.strip(), {"none": none})
    )
    return filled(template.RECORD.strip(), {"makers": asked, "floats": floats, "plans": text})


def _choices(count: int, sloped: list[int]) -> list[list[int]]:
    return [[0, 1], [0], [1]] if len(sloped) == 2 else [[i] for i in sloped]


def _keep(plan: Plan, names: list[str]) -> str:
    values = [*names, "out"]
    kept = [f"kept_{values[position]}" for position in plan.positions]
    text = ""
    for handle, position in zip(kept, plan.positions):
        value = values[position]
        pieces = {"kept": handle, "value": value, "array": f"{value}_array", "tag": f"{value}_tag"}
        if value == "out":
            pieces |= {"array": "array", "tag": "tag"}
        keep = filled(template.KEEP.strip(), pieces)
        if value == "y" and kept[0] == "kept_x":
            keep = filled(template.KEEP_TWICE.strip(), {"keep": keep})
        text += keep + "\n"
    return text + (f"kept = {kept[0]}\n" if plan.alone else f"kept = ({''.join(f'{handle}, ' for handle in kept)})\n")


def _indented(text: str) -> str:
    return "".join([f"    {line}\n" for line in text.splitlines()])
