"""predict and check: a learner commits a guess, and hears what it was worth."""

from __future__ import annotations

import os
from typing import Any

from .bank import canonical, digest, find
from .judge import Property

EMPTY = "○ not answered yet"


class NotRight(AssertionError):
    """A wrong answer, where MINITAPE_STRICT=1 asks for an error instead of a friendly line (tests do)."""


def predict(name: str, guess: Any = ...) -> Any:
    """Put a question before the program runs, and note the guess; `...` means that there is none yet.

    Returns the guess, to `check` it afterwards.  Raises ValueError for a question that does not exist.

    >>> guess = predict("02.1", ...)
    What will dy_dx be, for y = x*x at x = 3?
      3 | 6 | 9
    ○ no guess yet: put one of these in place of the dots
    >>> guess = predict("02.1", 9)
    What will dy_dx be, for y = x*x at x = 3?
      3 | 6 | 9
    ● your guess: 9. Run on and see.
    """
    item = find(name)
    options = item.get("options", [])
    print(item["ask"])
    if options:
        print("  " + " | ".join(options))
    if guess is ...:
        print(f"○ no guess yet: put {'one of these' if options else 'it'} in place of the dots")
    elif options and canonical(guess) not in {canonical(one) for one in options}:
        print(f"○ {guess} is not among these: choose one")
        return ...
    else:
        print(f"● your guess: {guess}. Run on and see.")
    return guess


def check(what: str | Property, answer: Any = ...) -> None:
    """Say what an answer is worth, in one line; `...` is no answer yet, and never an error.

    Args: what, the name of a question, or a property of code (`slopes()`, `entries(2)`, …); answer, the learner's.
    Numbers are compared to four digits.  With MINITAPE_STRICT=1 in the environment a wrong answer raises NotRight.

    >>> check("02.3", ...)
    ○ not answered yet
    >>> check("02.3", 6)
    ✗ 6 is what x has in the end. Look at one arrow alone: how much does it carry?
    """
    if answer is ...:
        print(EMPTY)
        return
    right, sentence = _sealed(what, answer) if isinstance(what, str) else _judged(what, answer)
    if right is None:
        print(EMPTY)
        return
    line = f"{'✓' if right else '✗'} {sentence}"
    if not right and os.environ.get("MINITAPE_STRICT") == "1":
        raise NotRight(line)
    print(line)


def _sealed(name: str, answer: Any) -> tuple[bool, str]:
    item, given = find(name), digest(name, answer)
    if given == item["right"]:
        return True, item["why"]
    return False, item["wrong"].get(given, "Not this. Go back to the picture and look once more.")


def _judged(wanted: Property, answer: Any) -> tuple[bool | None, str]:
    fault = wanted.fault(answer)
    if fault is ...:
        return None, ""
    return not fault, fault or wanted.why
