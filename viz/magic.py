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
            outcome = shell.run_cell(cell, store_history=False)
        if len(run):
            display(step(run))
        problem = outcome.error_before_exec or outcome.error_in_exec
        if problem is not None:
            problem._render_traceback_ = list  # it was shown once, above the picture; here it only ends the cell
            raise problem

    shell.register_magic_function(tape, "cell", "tape")
