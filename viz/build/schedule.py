"""A plan's moves as a grid: which step ran when, which states were kept meanwhile."""

from __future__ import annotations

from typing import Any

from minitape.recompute.schedules import Plan

MOVES = ("ADVANCE", "TAPE", "REVERSE")


def grid_of(plan: Plan) -> dict[str, Any]:
    """The facts of the picture: one column per move that runs something, each with the states that are held after it."""
    ran: set[int] = set()
    columns = []
    for action in plan.actions:
        if action.what in MOVES:
            again = action.what != "REVERSE" and action.step in ran
            columns.append(
                {"what": action.what.lower(), "step": action.step, "held": list(action.held), "again": again}
            )
            ran.add(action.step)
    return {
        "title": f"{plan.schedule}: {plan.steps} steps, {plan.runs} runs",
        "said": f"{plan.extra_runs} runs again, at most {plan.peak_states} states = {plan.peak_bytes} bytes",
        "steps": plan.steps, "columns": columns,
    }  # fmt: skip
