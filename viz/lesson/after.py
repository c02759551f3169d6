"""`%%after 02.1` on the first line of a notebook cell: it runs now, and what it shows waits for that guess."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import Any

from ..capture import alias_cell
from .guesses import Guess, guess_at, when


def notebook() -> Any:
    """The shell of the notebook that is running, or None: only there can something be shown later."""
    IPython: Any = sys.modules.get("IPython")
    shell = IPython and IPython.get_ipython()
    return shell if hasattr(shell, "kernel") else None


def load(shell: Any) -> None:
    """Register the magic with an IPython shell."""

    from IPython.utils.capture import capture_output

    def after(line: str, cell: str) -> None:
        """Run the cell, and show what it says and draws once the questions named behind %%after were guessed at."""
        guesses = [guess_at(name) for name in line.split()]
        # the line stays, as a comment: so lines keep their numbers, and the cell that of the whole
        body = f"# after {line.strip()}\n{cell}"
        alias_cell(shell.transform_cell(body), shell.transform_cell(f"%%after {line}".rstrip() + "\n" + cell))
        with capture_output() as caught:
            outcome = shell.run_cell(body, store_history=False)
        if outcome.success and not all(one.committed for one in guesses):
            later(guesses, _bundles(caught), key=body)
            return
        caught.show()
        problem = outcome.error_before_exec or outcome.error_in_exec
        if problem is not None:
            problem._render_traceback_ = list  # it was shown once; here it only ends the cell
            raise problem

    shell.register_magic_function(after, "cell", "after")


def _bundles(caught: Any) -> list[Callable[[], dict[str, Any]]]:
    text = caught.stdout + caught.stderr
    printed = [{"text/plain": text.rstrip("\n")}] if text else []
    return [partial(dict, data) for data in [*printed, *[one.data for one in caught.outputs]]]


def later(guesses: list[Guess], bundles: list[Callable[[], dict[str, Any]]], key: Any) -> None:
    """Show in this cell that something waits, and in its place, once all is guessed, what each of these gives."""
    from IPython.display import display, update_display

    names = " and ".join(one.name for one in guesses)
    waits = [f"○ this waits for your guess at {names}, above"] + [""] * (len(bundles) - 1)
    places = [display({"text/plain": words}, raw=True, display_id=True) for words, _ in zip(waits, bundles)]

    def show() -> None:
        for place, bundle in zip(places, bundles, strict=True):
            update_display(bundle(), raw=True, display_id=place.display_id)

    when(guesses, show, key)
