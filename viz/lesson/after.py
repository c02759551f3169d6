"""`%%after 02.1` on the first line of a notebook cell: it runs now, and what it shows waits for that guess."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ..capture import alias_cell
from ..magic import ran
from .guesses import Guess, guess_at, when

VIEW = "application/vnd.jupyter.widget-view+json"
Bundle = dict[str, Any]


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
        # the line stays as a comment, so that lines and the cell keep their numbers
        body = f"# after {line.strip()}\n{cell}"
        alias_cell(shell.transform_cell(body), shell.transform_cell(f"%%after {line}".rstrip() + "\n" + cell))
        with capture_output() as caught:
            problem = ran(shell, body)
        if problem is None and not all(guess.committed for guess in guesses):
            bundles = _bundles(caught)
            later(guesses, bundles, key=body, meanwhile=[_still(bundle(), guesses) for bundle in bundles])
            return
        caught.show()
        if problem is not None:
            raise problem

    shell.register_magic_function(after, "cell", "after")


def _bundles(caught: Any) -> list[Callable[[], Bundle]]:
    text = caught.stdout + caught.stderr
    printed = [{"text/plain": text.rstrip("\n")}] if text else []
    return [partial(dict, data) for data in [*printed, *[output.data for output in caught.outputs]]]


def _still(bundle: Bundle, guesses: list[Guess]) -> Bundle:
    """The picture and words of a waiting stepper, up to the step before the answer; {} for anything else."""
    if VIEW not in bundle:
        return {}
    from ..paint import cells
    from .question import waiting

    stepper = cells.showing(bundle[VIEW]["model_id"])
    scene = getattr(stepper, "scene", None)
    shown = scene and waiting(scene, [guess.name for guess in guesses], stepper.view, stepper.theme)
    return shown._repr_mimebundle_() if shown else {}


def later(
    guesses: list[Guess], bundles: Sequence[Callable[[], Bundle]], key: Any, meanwhile: Sequence[Bundle] = ()
) -> None:
    """Show in this cell that something waits, and in its place, once all is guessed, what each of these gives.

    `meanwhile` is what may be seen of each of them until then.
    """
    from IPython.display import display, update_display

    names = " and ".join(guess.name for guess in guesses)
    waits: list[Bundle] = [dict(seen) for seen in meanwhile] or [{} for _ in bundles]
    places = []
    for number, seen in enumerate(waits):
        said = f"○ this waits for your guess at {names}, above" if not number else ""
        if seen and said:
            seen["text/html"] = f"<p>{said}</p>{seen['text/html']}"
        seen["text/plain"] = "\n\n".join(text for text in (said, seen.get("text/plain", "")) if text)
        places.append(display(seen, raw=True, display_id=True))

    def show() -> None:
        for place, bundle in zip(places, bundles, strict=True):
            update_display(bundle(), raw=True, display_id=place.display_id)

    when(guesses, show, key)
