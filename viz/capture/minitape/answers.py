"""minitape's explanations and plans as plain data, for the pictures of a cut and of a schedule."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from minitape.recompute.schedules import CheckpointPlan
from minitape.tape import GradientTape
from minitape.variable import Variable
from minitape.why.explanation import Explanation, number, short

from ...schema import clean, cleaned
from ..numbers import snapshot

_MOVES = ("ADVANCE", "TAPE", "REVERSE")


def answered(why: Explanation) -> dict[str, Any]:
    """An explanation as plain data: what was asked and answered, the path as [name, sign, state], and what to type next."""
    told = why.site is not None and why.code != "OK"
    facts = {
        "title": why.asked,
        "answer": why.answer if why.answer in ("None", "not to be had") else why.answer.removeprefix("a number"),
        "code": "" if why.code == "OK" else why.code,
        "say": why.what,
        "place": _place(why.site) if told else "",
        "line": why.site.text if told and why.site is not None else "",
        "fix": why.fix.text,
        "type": why.fix.code,
        "paths": [_path(why, path) for path in dict.fromkeys(why.paths)],
        "missing": [use.how for use in dict.fromkeys(why.unrecorded)],
        "notes": [note.text for note in why.notes],
        "recorder": why.recorder,
        "forward": why.forward,
        "cut": why.cut,
        "steps": [list(step) for step in why.steps],
    }
    return {key: cleaned(fact) for key, fact in facts.items()}


def _place(site: Any) -> str:
    label = site.label if site.label.startswith("cell ") else site.label.replace("\\", "/").rpartition("/")[2]
    return f"{label}, line {site.line}"


def _path(why: Explanation, path: Any) -> str:
    names = " → ".join([why.steps[0][0] if why.steps else "source", *short(path.ops)])
    count = why.paths.count(path)
    brought = path.brought if path.product is None else path.product
    product = "" if brought is None else f"   {number(brought)}"
    return f"{names}{product}{f'   ×{count}' if count > 1 else ''}"


def grid_of(plan: CheckpointPlan) -> dict[str, Any]:
    """A plan's moves as a grid: a column for each move that runs something, with the states that are held after it."""
    if not isinstance(plan, CheckpointPlan):
        raise TypeError(
            f'a schedule is drawn from a plan, tf.plan(16, "sqrt") for one, and not from {type(plan).__name__}'
        )
    ran: set[int] = set()
    columns = []
    for action in plan.actions:
        if action.what in _MOVES:
            again = action.what != "REVERSE" and action.step in ran
            columns.append(
                {"what": action.what.lower(), "step": action.step, "held": list(action.held), "again": again}
            )
            ran.add(action.step)
    return {
        "title": clean(f"{plan.schedule}: {plan.steps} steps, {plan.runs} runs"),
        "said": f"{plan.extra_runs} runs again, at most {plan.peak_states} states = {plan.peak_bytes} bytes",
        "steps": plan.steps, "columns": columns,
    }  # fmt: skip


def variable_facts(variable: Variable) -> dict[str, Any]:
    """What a variable is and holds, as plain data; it goes by the name that it has in the notebook."""
    names = [name for name, held in vars(sys.modules["__main__"]).items() if held is variable and name[0] != "_"]
    now, slope = snapshot(variable.array_now), variable.tag.dtype.kind in "fc"
    return {
        "name": clean(names[0] if names else variable.name.partition(":")[0]), "text": now.text, "data": now.data,
        "shape": list(variable.array_now.shape), "dtype": variable.dtype.name, "bytes": variable.array_now.nbytes,
        "slope": slope, "watched": slope and variable.trainable,
    }  # fmt: skip


def give_faces(
    explained: Callable[..., Any], planned: Callable[..., Any], taped: Callable[..., Any], held: Callable[..., Any]
) -> None:
    """Let explanations, plans, tapes and variables show themselves at the end of a notebook's cell."""
    Variable._repr_mimebundle_ = held  # type: ignore[attr-defined]
    GradientTape._repr_mimebundle_ = taped  # type: ignore[attr-defined]
    Explanation._repr_mimebundle_ = explained  # type: ignore[attr-defined]
    CheckpointPlan._repr_mimebundle_ = planned  # type: ignore[attr-defined]
