"""One entry, backwards, as one function: what arrived at its output goes through the rules, and on to the inputs.

It is what `walk.py` does where nobody listens, for a row whose rules run on plain arrays, written out for the inputs that a
cotangent must come back to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..record.diary import SMALL, few
from ..record.events import state
from ..record.ledger import FLIGHT, ledger
from ..record.provenance import is_library
from ..rule import Bound, Plan
from ..tensor import Tensor
from ..trace import BARE, wrap
from .forward import landed
from .inline import formula
from .text import filled, made

# `arrived` is a NumPy number, a tensor, or an array that nobody else has and whose bytes the ledger counts as in flight.
# `asked`: what arrived is an answer, too, and stays.  `slopes`: where the diary notes what came back at each use of a few
# numbers; None on a long tape.
TEMPLATE = """
def {name}(application, kept, arrived, cotangents, asked, slopes):
    change = arrived
    own = change.__class__ is ndarray
    if not own and not isinstance(change, number):
        arrived = arrived.tensor_now  # slices of a table become the whole
        change = arrived.array[()]  # a number leaves its 0-d array
    heir = None
    {parts}
    if not asked:
        cotangents.pop(application.outcome, None)
        if own:
            charges[FLIGHT] -= change.nbytes
            ledger.live -= change.nbytes
"""

PART = """
part = {rule}
into = {into}
if {single}:
    if slopes is not None:
        slopes[application.tick, {position}] = {arrived}, part
    if into not in cotangents:
        cotangents[into] = part
    else:
        before = cotangents[into]
        cotangents[into] = (before if isinstance(before, number) else numbers(before)) + part
else:
    {array}
"""

# What arrived, where that was a single number: the diary holds no bytes that the ledger would have to count.
ALONE = "change if not change.shape else change.tolist() if change.size == 1 else None"

# For what comes back as an array, or has to become one: the ledger counts its bytes.
ARRAY = """
before = cotangents.get(into)
if part.shape != into.shape:
    part = sum_to(part, into.shape)
if slopes is not None and part.size <= SMALL:
    slopes[application.tick, {position}] = {alone}, part.tolist()
if before is not None:
    part = numbers(before) + part
if not into.shape:
    part = part[()]
elif part.base is None and part is not change:
    charges[FLIGHT] += part.nbytes
    ledger.live = live = ledger.live + part.nbytes
    if live > ledger.peak:
        ledger.peak = live
elif part is change and own and not asked:  # handed on as it is, to the first input that takes it
    own, heir = False, into
    del cotangents[application.outcome]
else:  # bytes that several share are counted by tensors
    if own or heir is not None and cotangents.get(heir) is change:
        arrived = cotangents[heir or application.outcome] = landed(change, FLIGHT)
        own = False
    part = wrap(part, (arrived,) if arrived.__class__ is Tensor else (), FLIGHT)
cotangents[into] = part
if before is not None and before.__class__ is ndarray:
    land(before.nbytes)
"""

HEARD = """
def {name}(label, application, kept, change, cotangents, slopes):
    {parts}
"""

HEARD_PART = """
part = {rule}
into = {into}
if part.tag.shape != into.shape:
    part = sum_to(part, shape=into.shape)
if slopes is not None and part.array.size <= SMALL:
    slopes[application.tick, {position}] = few(change.array) if change.array.size == 1 else None, few(part.array)
if into in cotangents or state.listeners:
    accumulate(label, cotangents, into, part, {position})
else:
    cotangents[into] = part
"""


def numbers(cotangent: Any) -> Any:
    """What has arrived as a NumPy number or array."""
    return cotangent if isinstance(cotangent, BARE) else cotangent.tensor_now.array[()]


NAMES = {
    "FLIGHT": FLIGHT, "SMALL": SMALL, "Tensor": Tensor, "landed": landed, "land": ledger.land, "charges": ledger.charges,
    "ledger": ledger,
    "ndarray": np.ndarray, "number": np.generic, "numbers": numbers, "wrap": wrap,
}  # fmt: skip


def back(plan: Plan, sum_to: Callable[..., Any]) -> Callable[..., Any] | None:
    """The function that takes an entry back to the wanted inputs, or None where their rules need more than plain arrays."""
    if plan.rules is None or not all([rule.reads_arrays() for _, rule in plan.rules]):
        return None
    parts, names = "", {**NAMES, "sum_to": sum_to}
    for i, rule in plan.rules:
        pieces = {
            "rule": _ruled(plan, i, rule, rule.on_arrays, ".array", names),
            "into": _input(len(plan.wanted), i),
            "position": str(i),
            "alone": ALONE,
            "single": "part.__class__ is into.dtype.type" + " and not into.shape" * (not plan.elementwise),
            "arrived": "change" if plan.elementwise else ALONE,
        }
        parts += filled(PART.strip(), pieces | {"array": filled(ARRAY.strip(), pieces)}) + "\n"
    name = _name(plan)
    return made(name, filled(TEMPLATE.strip(), {"name": name, "parts": parts}), names)


def heard(plan: Plan, sum_to: Any, accumulate: Callable[..., None]) -> Callable[..., None]:
    """The same on tensors, for a walk that is heard."""
    parts, names = "", {"sum_to": sum_to, "accumulate": accumulate, "state": state, "SMALL": SMALL, "few": few}
    for i, rule in plan.rules or ():
        pieces = {
            "rule": _ruled(plan, i, rule, rule.rule, "", names),
            "into": _input(len(plan.wanted), i),
            "position": str(i),
        }
        parts += filled(HEARD_PART.strip(), pieces) + "\n"
    name = _name(plan) + "_heard"
    return made(name, filled(HEARD.strip(), {"name": name, "parts": parts}), names)


def _name(plan: Plan) -> str:
    """A name for each choice of inputs, by which a traceback finds the text: `multiply_back_01` goes back to both."""
    inputs = "".join([str(i) for i, _ in plan.rules or ()])
    return f"{plan.name if plan.name.isidentifier() else 'op'}_back_{inputs}"


def _ruled(plan: Plan, position: int, rule: Bound, function: Any, numbers: str, names: dict[str, Any]) -> str:
    """The text of a rule: its own formula, or a call with the change, what the entry keeps for it, and what is free.

    `function`: the rule, on arrays or on tensors; `numbers`: the attribute of a kept handle that it takes, ".array" or none.
    """
    kept = {
        name: ("kept" if plan.alone else f"kept[{plan.position_of(place)}]") + numbers
        for name, place in rule.saved.items()
    }
    given = ["change", *kept.values()] if rule.in_order else ["change"]
    named = {} if rule.in_order else kept | dict(_free(plan, rule))
    if is_library[function.__code__.co_filename]:  # a learner's own rule is called, so that a traceback shows its line
        text = formula(function, given, named, names)
        if text is not None:
            return text
    names[f"rule_{position}"] = function
    return f"rule_{position}({', '.join([*given, *[f'{name}={text}' for name, text in named.items()]])})"


def _free(plan: Plan, rule: Bound) -> Iterator[tuple[str, str]]:
    """What `Bound.facts` finds for a rule: settings, shapes and dtypes."""
    for name, (what, place) in rule.free.items():
        if what == "param":
            yield name, f"application.params[{name!r}]"
        elif what == "shapes":
            yield name, "[tag.shape for tag in application.inputs]"
        else:
            yield name, f"{_input(len(plan.wanted), place) if place >= 0 else 'application.outcome'}.{what}"


def _input(count: int, position: int) -> str:
    """Where an application has the tag of this input."""
    if count > 2:
        return f"application.first[{position}]"
    return "application.second" if position else "application.first"
