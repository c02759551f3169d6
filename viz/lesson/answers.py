"""predict and check: a learner commits a guess and learns whether it was right; hint and solution, to learn alone."""

from __future__ import annotations

import os
from typing import Any

from .after import later, notebook
from .bank import find, judged, unpacked
from .guesses import Guess, compared, guess_at, line, shown, tried
from .judge import Property, blank
from .spelling import canonical
from .tasks import TASKS

LONG = 500  # the longest sentence, in characters
EMPTY = "○ not answered yet"
_given: dict[str, int] = {}  # how many hints were shown, by question


class NotRight(AssertionError):
    """A wrong answer, where MINITAPE_STRICT=1 asks for an error instead of a friendly line (tests do)."""


def predict(name: str, guess: Any = ..., *, hands: bool = False) -> Any:
    """Put a question before the program runs, and note the guess; cells under `%%after NAME` show themselves then.

    Args: name, of the question; guess, where it is typed; hands, for a class: count hands, then reveal, and note no names.
    Returns the guess, for `check` to compare afterwards.  In a notebook the question has buttons, or a field; elsewhere `...`
    means that there is no guess yet.  Raises ValueError for a question that does not exist.

    >>> guess = predict("02.1")
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
    if guess is ... and notebook():
        from IPython.display import display

        from .panel import Panel

        display(Panel(guess_at(name), hands))
        return guess_at(name)
    print(item["ask"])
    if options:
        print("  " + " | ".join(options))
    if guess is ...:
        print(f"○ no guess yet: put {'one of these' if options else 'it'} in place of the dots")
        return guess
    kind = item.get("as", "")
    if options and canonical(guess, kind) not in {canonical(option, kind) for option in options}:
        print(f"○ {shown(guess)} is not among these: choose one")
        return ...
    print(f"● your guess: {shown(guess)}. Run on and see.")
    guess_at(name).commit(guess)
    return guess


def check(what: str | Property, answer: Any = ...) -> None:
    """Say what an answer is worth, in one line; `...` is no answer yet, and nothing that a learner writes is an error.

    In a notebook an answer that is a word or a number has a field, with hints beside it, as long as the dots stand there.

    Args: what, the name of a question or exercise, or a property of code (`slopes()`, `entries(2)`, …); answer, the learner's.
    Numbers are compared to four digits.  With MINITAPE_STRICT=1 in the environment a wrong answer raises NotRight; a name
    that no notebook uses always raises ValueError.

    >>> check("02.3", ...)
    ○ not answered yet
    >>> check("02.3", 6)
    ✗ 6 is what x has in the end. Look at one arrow alone: how much does it carry?
    >>> check("02.10", lambda f, x: 2.0 * x)
    ✗ For f(x) = x * sin(x) at x = 0.6 it gives 1.2; a central difference gives 1.0598.
    """
    if isinstance(answer, Guess):
        if notebook() and not answer.committed:
            return later([answer], [lambda: {"text/plain": line(*compared(answer))}], key=("check", answer.name))
        print(line(*compared(answer)) if answer.committed else EMPTY)
        return None
    if isinstance(what, str) and what not in TASKS:
        right, sentence = (None, "") if blank(answer) else _sealed(what, answer)
    else:
        right, sentence = _judged(TASKS[what]() if isinstance(what, str) else what, answer)
    if right is None and isinstance(what, str) and what not in TASKS and notebook():
        return _field(what)
    if right is None:
        print(EMPTY)
        return None
    if isinstance(what, str):
        tried(what, right)
    verdict = line(right, sentence)
    if not right and os.environ.get("MINITAPE_STRICT") == "1":
        raise NotRight(verdict)
    print(verdict)
    return None


def hint(name: str, number: int = 0) -> None:
    """A hint, and at the second call a clearer one; `number` (1 or 2) asks for one of them.

    >>> hint("02.3", 1)
    Hint 1 of 2: Step back to where the first number arrives at x, and look at that arrow alone.
    >>> hint("02.3", 2)
    Hint 2 of 2: Not 6. 6 is what x has in the end. Look at one arrow alone: how much does it carry?
    >>> hint("02.3")
    That was the last hint. solution('02.3') shows the answer.
    """
    print(_hinted(name, number))


def _hinted(name: str, number: int = 0) -> str:
    hints = find(name)["hints"]
    at = number or _given.get(name, 0) + 1
    _given[name] = max(at, _given.get(name, 0))
    if 1 <= at <= len(hints):
        return f"Hint {at} of {len(hints)}: {hints[at - 1]}"
    return f"That was the last hint. solution({name!r}) shows the answer."


def solution(name: str) -> None:
    """The answer, for who has tried: code for an exercise, the answer and why it is right for a question.

    >>> solution("02.3")
    3
    3: the other factor, times the 1 that came from y.
    """
    print("\n".join(_solved(name)))


def _solved(name: str) -> list[str]:
    item = find(name)
    return [unpacked(item["solution"]).strip("\n"), *([item["why"]] if "right" in item else [])]


def _field(name: str) -> None:
    """A field for the answer: what is written there is judged and counted, and its hints end in the answer."""
    from IPython.display import display

    from .panel import Field

    def judge(text: str) -> str:
        right, sentence = _sealed(name, text)
        tried(name, right)
        return line(right, sentence)

    def hint_() -> tuple[str, str]:
        most = len(find(name)["hints"])
        told = "  ".join(_solved(name)) if _given.get(name, 0) >= most else _hinted(name)
        return told, "Show the answer" if _given[name] >= most else "Another hint"

    display(Field(name, judge, hint_))


def _sealed(name: str, answer: Any) -> tuple[bool, str]:
    right, story = judged(name, answer)
    return right, find(name)["why"] if right else story or "Not this. Go back to the picture and look once more."


def _judged(wanted: Property, answer: Any) -> tuple[bool | None, str]:
    try:
        fault = wanted.fault(answer)
    except (Exception, SystemExit) as error:  # an object of the learner's that raises when it is compared or printed
        return False, f"This cannot be judged: looking at it raises {type(error).__name__}."
    if fault is ...:
        return None, ""
    told = " ".join((fault or wanted.why).split())  # an error may have many lines, and a learner's object a long name
    return not fault, told if len(told) < LONG else f"{told[:LONG]}…"
