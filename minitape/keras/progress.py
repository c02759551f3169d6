"""The lines that training prints."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping

WIDTH = 20  # marks of a full bar


class Progress:
    """One line per epoch, printed when the epoch is done (verbose=2), or updated while it runs (verbose=1).

    "auto" is 1 on a terminal and 2 elsewhere.  The lines of verbose=2 hold no times: the same run prints the same text.
    Where nobody knows how many steps there are, the steps that were done are counted.

    >>> progress = Progress(2, epochs=2, steps=4)
    >>> progress.start(0)
    Epoch 1/2
    >>> progress.end({"accuracy": 0.5, "loss": -0.25})
    4/4 - accuracy: 0.5000 - loss: -2.5000e-01
    """

    def __init__(self, verbose: int | str, epochs: int = 0, steps: int = 0) -> None:
        live = 1 if sys.stdout.isatty() else 2
        self.verbose = live if verbose == "auto" else int(verbose)
        self.epochs, self.steps = epochs, steps
        self._began, self._done = 0.0, 0

    def start(self, epoch: int) -> None:
        """An epoch begins; a single one has no number."""
        self._began, self._done = time.perf_counter(), 0
        if self.verbose and self.epochs > 1:
            print(f"Epoch {epoch + 1}/{self.epochs}")

    def step(self, done: int, logs: Mapping[str, float]) -> None:
        """A step is done."""
        self._done = done
        if self.verbose == 1:
            self._bar(self.steps, logs)

    def end(self, logs: Mapping[str, float]) -> None:
        """The epoch is over; only now what was measured after its steps is there."""
        steps = self.steps or self._done
        if self.verbose == 1:
            self._done = steps
            self._bar(steps, logs)
            print()
        elif self.verbose == 2:
            print(f"{steps}/{steps}{measures(logs, signed=True)}")

    def _bar(self, steps: int, logs: Mapping[str, float]) -> None:
        """Print the line that moves over what it was before."""
        full = WIDTH * self._done // steps if steps else 0
        took = time.perf_counter() - self._began
        bar = "━" * full + "·" * (WIDTH - full)
        print(f"\r{self._done}/{steps or '?'} {bar} {took:.0f}s{measures(logs)}", end="", flush=True)


def measures(logs: Mapping[str, float], signed: bool = False) -> str:
    """The measures in their order; small numbers with an exponent, and where they are `signed` those below 0, as Keras has it.

    >>> measures({"accuracy": 0.00001, "loss": 1.5})
    ' - accuracy: 1.0000e-05 - loss: 1.5000'
    """
    texts = {}
    for name, value in logs.items():
        large = (value if signed else abs(value)) > 1e-3
        texts[name] = f"{value:.4f}" if large else f"{value:.4e}"
    return "".join(f" - {name}: {text}" for name, text in texts.items())
