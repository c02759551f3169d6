"""What a learner guessed and answered since the notebook began; it is kept in memory only, and without a name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from .bank import find, judged, unpacked


class Guess:
    """A guess that may still be to come: `value` is `...` until it is committed, and then stays.

    >>> Guess("02.1")
    ○ no guess yet
    """

    def __init__(self, name: str) -> None:
        self.name, self.value = name, ...
        self.hands: dict[str, int] = {}  # of a class: how many hands were up for each option

    @property
    def committed(self) -> bool:
        """Whether there is a guess."""
        return self.value is not ... or bool(self.hands)

    def commit(self, value: Any = ..., hands: dict[str, int] | None = None) -> None:
        """Note the guess, or the hands of a class, and show what waited for it; the first guess stays."""
        if not self.committed:
            self.value, self.hands = value, dict(hands or {})
            _tell()

    def __repr__(self) -> str:
        if self.hands:
            return "● hands: " + ", ".join(f"{option}: {count}" for option, count in self.hands.items())
        return f"● your guess: {shown(self.value)}" if self.committed else "○ no guess yet"


_guesses: dict[str, Guess] = {}
_waiting: dict[Any, tuple[list[Guess], Callable[[], None]]] = {}
_tried: dict[str, list[bool]] = {}  # by question whether each answer that was checked was right
# At questions that a teacher put into a stepper: the guess, and whether it was right.
_own: dict[str, tuple[str, bool]] = {}


def guess_at(name: str) -> Guess:
    """The guess at a question, the same one at every call; raises ValueError for a question that does not exist."""
    find(name)
    return _guesses.setdefault(name, Guess(name))


def when(guesses: Iterable[Guess], act: Callable[[], None], key: Any) -> None:
    """Do something once all of these are committed; of what has the same key, such as a cell's text, only the last."""
    _waiting[key] = (list(guesses), act)
    _tell()


def _tell() -> None:
    for key, (guesses, act) in list(_waiting.items()):
        if all(guess.committed for guess in guesses):
            del _waiting[key]
            act()


def waiting() -> list[tuple[Any, list[Guess], Callable[[], None]]]:
    """What waits: by which key, for which guesses, and how it shows itself."""
    return [(key, *what) for key, what in _waiting.items()]


def tried(name: str, right: bool) -> None:
    """Note that an answer was checked."""
    _tried.setdefault(name, []).append(right)


def guessed_at(question: str, guess: str, right: bool) -> None:
    """Note a guess at a question without a name; the first one stays."""
    _own.setdefault(question, (guess, right))


def forget() -> None:
    """Begin anew, as after a restart."""
    for notes in (_guesses, _waiting, _tried, _own):
        notes.clear()


def compared(guess: Guess) -> tuple[bool, str]:
    """A committed guess beside the truth, in words; the question is over, so the answer is said too."""
    item = find(guess.name)
    truth = unpacked(item["solution"])
    if guess.hands:
        count = sum(guess.hands.values())
        right = sum(many for option, many in guess.hands.items() if judged(guess.name, option)[0])
        return right == count, f"{right} of {count} hand{'s' * (count != 1)} for {truth}. {item['why']}"
    said, (is_right, story) = shown(guess.value), judged(guess.name, guess.value)
    if is_right:
        return True, f"You said {said}, and so it is. {item['why']}"
    return False, " ".join(text for text in (f"You said {said}; right is {truth}.", story, item["why"]) if text)


def comparisons(name: str) -> dict[str, str]:
    """What `compared` says of every option and of the truth, as the line that `check` prints; under "" of any other guess %s."""
    item = find(name)
    truth = unpacked(item["solution"])
    told = {"": f"○ You said %s. Right is {truth}. {item['why']}"}
    for option in [*item.get("options", []), truth]:
        guess = Guess(name)
        guess.value = option
        told[option] = line(*compared(guess))
    return told


def line(right: bool, sentence: str) -> str:
    """A verdict in one line."""
    return f"{'✓' if right else '✗'} {sentence}"


def summary() -> None:
    """Print your guesses and answers since the notebook began: each guess, and for each answer how many tries it took.

    >>> forget()
    >>> summary()
    ○ nothing guessed and nothing answered yet
    """
    guesses = [guess for guess in _guesses.values() if guess.committed]
    if not guesses and not _tried and not _own:
        print("○ nothing guessed and nothing answered yet")
    for guess in guesses:
        print(f"{guess.name:6} {'✓' if compared(guess)[0] else '✗'}  {f'{guess!r}'.removeprefix('● ')}")
    for question, (said, right) in _own.items():
        print(f"{'✓' if right else '✗'}  your guess: {said}   {question}")
    known = {guess.name for guess in guesses}
    for name, tries in [(name, tries) for name, tries in _tried.items() if name not in known]:
        count = tries.index(True) + 1 if True in tries else len(tries)
        print(f"{name:6} {'✓' if True in tries else '✗'}  {count} {'try' if count == 1 else 'tries'}")
    if count := len(guesses) + len(_own):
        good = sum(compared(guess)[0] for guess in guesses) + sum(right for _, right in _own.values())
        print(f"{good} of {count} guesses right: what surprised you is what you learned.")


def shown(guess: Any) -> str:
    """A guess in words, whatever it is."""
    try:
        return f"{guess}"
    except Exception:
        return f"a {type(guess).__name__}"
