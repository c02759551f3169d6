"""`%%tape` on the first line of a notebook cell: the cell as it stands, recorded and shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .capture import alias_cell


def load(shell: Any, record: Callable[[str], Any], step: Callable[[Any], Any]) -> None:
    """Register the magic with an IPython shell: it records a cell with `record` and shows the run with `step`."""
    from IPython.display import display

    def tape(line: str, cell: str) -> None:
        """Run the cell, and show what its tapes and accumulators did; words behind %%tape become the title."""
        # What runs is the rest of the learner's cell: it keeps the number of the whole.
        alias_cell(shell.transform_cell(cell), shell.transform_cell(f"%%tape {line}".rstrip() + "\n" + cell))
        with record(line.strip()) as run:
            problem = ran(shell, cell)
        if len(run):
            display(step(run))
        if problem is not None:
            raise problem

    shell.register_magic_function(tape, "cell", "tape")


def ran(shell: Any, cell: str) -> BaseException | None:
    """Run a learner's cell inside a magic, and give back what it raised: to be raised again, and shown then, once."""
    told: list[Any] = []
    before = shell._showtraceback
    shell._showtraceback = lambda kind, problem, lines: told.append(lines)
    try:
        outcome = shell.run_cell(cell, store_history=False)
    finally:
        shell._showtraceback = before
    problem: BaseException | None = outcome.error_before_exec or outcome.error_in_exec
    if problem is not None and told:
        problem._render_traceback_ = lambda: told[-1]  # type: ignore[attr-defined]  # without the frames of the magic
    return problem
