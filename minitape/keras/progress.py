"""The lines that training prints."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping

WIDTH = 20  # marks of a full bar


class Progress:
    """One line per epoch, printed when the epoch is done (verbose=2), or updated while it runs (verbose=1).

    "auto" is 1 on a terminal and 2 elsewhere.  The lines of verbose=2 hold no times: the same run prints the same text.

    >>> progress = Progress(2, epochs=1, steps=4)
    >>> progress.start(0)
    Epoch 1/1
    >>> progress.end({"loss": 0.25, "accuracy": 0.5})
    4/4 - accuracy: 0.5000 - loss: 0.2500
    """

    def __init__(self, verbose: int | str, epochs: int = 0, steps: int = 0) -> None:
        live = 1 if sys.stdout.isatty() else 2
        self.verbose = live if verbose == "auto" else int(verbose)
        self.epochs, self.steps = epochs, steps
        self._began = 0.0

    def start(self, epoch: int) -> None:
        """An epoch begins."""
        self._began = time.perf_counter()
        if self.verbose and self.epochs:
            print(f"Epoch {epoch + 1}/{self.epochs}")

    def step(self, done: int, logs: Mapping[str, float]) -> None:
        """A step is done."""
        if self.verbose == 1:
            full = WIDTH * done // self.steps if self.steps else 0
            took = time.perf_counter() - self._began
            bar = "━" * full + "·" * (WIDTH - full)
            print(f"\r{done}/{self.steps or '?'} {bar} {took:.0f}s{measures(logs)}", end="", flush=True)

    def end(self, logs: Mapping[str, float]) -> None:
        """The epoch is over."""
        if self.verbose == 1:
            print()
        elif self.verbose == 2:
            print(f"{self.steps}/{self.steps}{measures(logs)}")


def measures(logs: Mapping[str, float]) -> str:
    """The measures in alphabetical order; small numbers with an exponent.

    >>> measures({"loss": 1.5, "accuracy": 0.00001})
    ' - accuracy: 1.0000e-05 - loss: 1.5000'
    """
    texts = {name: f"{value:.4f}" if abs(value) > 1e-3 else f"{value:.4e}" for name, value in sorted(logs.items())}
    return "".join(f" - {name}: {text}" for name, text in texts.items())
