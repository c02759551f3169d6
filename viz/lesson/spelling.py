"""One spelling for all ways in which a learner may write the same answer."""

from __future__ import annotations

import ast
import re
from typing import Any

_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
LONGEST = 500  # characters of an answer that is read as numbers or words; the patterns below take the square of it
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?"


def canonical(answer: Any, kind: str = "") -> str:
    """The one spelling; numbers count to four digits, and nothing that a learner can write raises.

    Args: answer; kind, "letters" where single letters are meant in any order, "order" where their order is the answer.

    >>> canonical(6), canonical("6.0"), canonical(" None "), canonical(4.4417057), canonical("(10, None)"), canonical("Outer")
    ('6', '6', 'none', '4.442', '(10, none)', 'outer')
    >>> canonical("−15.5"), canonical("4 000 bytes"), canonical("5 and 3"), canonical("numpy.square"), canonical("The rows.")
    ('-15.5', '4000', '(5, 3)', 'np.square', 'rows')
    >>> canonical("b, e and F", "letters"), canonical(["f", "e", "b"], "letters"), canonical([4, 3.0, "2"], "order")
    ('b e f', 'b e f', '4 3 2')
    """
    try:
        return _pieces(answer, kind) if kind else _plain(answer)
    except Exception:  # a learner's own object may raise anything
        return f"a {type(answer).__name__}"


def _plain(answer: Any) -> str:
    answer = _unwrapped(answer)
    if isinstance(answer, str):
        return _text(answer)
    if isinstance(answer, list | tuple):
        return "(" + ", ".join(_plain(part) for part in answer) + ")"
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    if isinstance(answer, int | float):
        return f"{float(answer) + 0.0:.4g}" if abs(answer) < 1e6 or answer != answer else f"{float(answer):.6g}"
    return str(answer).lower()


def _unwrapped(answer: Any) -> Any:
    """A tensor, a variable or a NumPy value as Python's own numbers and lists."""
    if hasattr(answer, "numpy") and not isinstance(answer, type):
        answer = answer.numpy()
    return answer.tolist() if hasattr(answer, "tolist") and not isinstance(answer, type) else answer


def _text(text: str) -> str:
    if len(text) > LONGEST:
        return text.lower()
    text = " ".join(text.replace("−", "-").replace("\u202f", " ").split()).strip()
    text = re.sub(r"^[\w/]+ ?= ?(?=[-+\d(\[])", "", text)  # dy_dx = 6
    text = re.sub(
        rf"^({_NUMBER}) ?(?:b|bytes?|times|entries|lines)$", r"\1", re.sub(r"(?<=\d) (?=\d{3}\b)", "", text), flags=re.I
    )
    if re.fullmatch(rf"[(\[]? ?{_NUMBER}(?:(?:\s*[,;]\s*|\s+and\s+|\s+){_NUMBER})+ ?[)\]]?", text, re.I):
        return _plain([float(number) for number in re.findall(_NUMBER, text, re.I)])
    try:
        value = ast.literal_eval(text)
    except (SyntaxError, ValueError):
        value = text
    if not isinstance(value, str):
        return _plain(value)
    word = value.lower().strip(" .\"'`").replace("numpy.", "np.")
    word = re.sub(r"^(?:the|an) ", "", word)
    word = {"true": "yes", "false": "no"}.get(word, word)
    found = re.fullmatch(r"\(?([a-e])\)?[.:)]?(?: .*)?", word)
    if found and (len(word) <= 3 or word[1] in ":)"):
        return found[1]  # "b)", "(b)", "b: when it has answered"
    return str(_WORDS.index(word)) if word in _WORDS else word


def _pieces(answer: Any, kind: str) -> str:
    answer = _unwrapped(answer)
    if answer is None or isinstance(answer, bool):
        return str(answer).lower()
    if isinstance(answer, list | tuple | set | frozenset):
        parts = [_plain(part) for part in answer]
    elif isinstance(answer, dict):
        return "a dict"
    else:
        parts = re.findall(r"\w+", str(answer).lower())
    letters = [letter for part in parts if part != "and" for letter in part]
    return " ".join(sorted(set(letters)) if kind == "letters" else letters)
