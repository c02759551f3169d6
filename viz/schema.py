"""Plain data that comes from outside: read, held against a description of it, and refused with the path to what is wrong.

A description is plain data too: `str`, `int`, `float`, `bool` or `None` for one thing, `[shape]` for a list, `(shape, shape)` for
a list of just these, `{str: shape}` for a mapping, `{"a", "b"}` for one of these words, `{"key": shape, "key?": shape}` for a
record (with `?` it may be left out), `Either(shape, …)` and `Any`.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any

MOST = 1_000_000  # things in one list or mapping
LONGEST = 100_000  # letters in one text
SHOWN = 2_000  # letters of one text of a program's: of a longer one beginning and end are kept
LARGEST = 400_000_000  # letters of JSON

_PLAIN = {str: "a text", int: "a whole number", float: "a number", bool: "true or false"}
# Not for the eye: half of a surrogate pair, which no file can hold; signs that steer a terminal; signs that turn the text around
# or break its line; what is no character.
_UNSEEN = re.compile(
    "[\ud800-\udfff\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]"
)


class Either:
    """One of several shapes, each with the kinds of data that it may describe."""

    def __init__(self, *shapes: Any) -> None:
        self.shapes = [(shape, _kinds(shape)) for shape in shapes]


def _kinds(shape: Any) -> tuple[type, ...]:
    if isinstance(shape, Either):
        return tuple(kind for _, kinds in shape.shapes for kind in kinds)
    if isinstance(shape, type):
        return (int, float) if shape is float else (shape,)
    if isinstance(shape, set | frozenset):
        return (str,)
    return (object,) if shape is Any else (dict if isinstance(shape, dict) else type(None) if shape is None else list,)


def maybe(shape: Any) -> Either:
    """This shape, or nothing."""
    return Either(None, shape)


# Numbers as pictures have them: JSON has no inf and no nan, so that these travel as words.
NUMBER = Either(float, {"inf", "-inf", "nan"})
ROWS = Either(NUMBER, [Either(NUMBER, [NUMBER])])
ARRAY = {"shape": [int], "numbers?": ROWS, "low?": NUMBER, "high?": NUMBER, "true?": int}


def check(data: Any, shape: Any, path: str) -> None:
    """Raise ValueError with the path to the first thing that is not as the shape says.

    >>> check({"steps": [{"say": "a"}, {"say": 5}]}, {"steps": [{"say": str}]}, "scene")
    Traceback (most recent call last):
    ValueError: scene.steps[1].say: expected a text, got 5
    """
    if shape is Any:
        return
    if shape is None:
        if data is not None:
            raise wrong(path, "nothing", data)
    elif isinstance(shape, type):
        _plain(data, shape, path)
    elif isinstance(shape, list):
        bounded(data, list, "a list", path)
        for place, item in enumerate(data):
            check(item, shape[0], f"{path}[{place}]")
    elif isinstance(shape, tuple):
        if not isinstance(data, list) or len(data) != len(shape):
            raise wrong(path, f"a list of {len(shape)}", data)
        for place, (item, inner) in enumerate(zip(data, shape, strict=True)):
            check(item, inner, f"{path}[{place}]")
    elif isinstance(shape, set | frozenset):
        if not isinstance(data, str) or data not in shape:
            raise wrong(path, "one of " + ", ".join(sorted(shape)), data)
    elif isinstance(shape, dict):
        _record(data, shape, path)
    else:
        _either(data, shape, path)


def _plain(data: Any, shape: type, path: str) -> None:
    right: Any = (int, float) if shape is float else shape
    if not isinstance(data, right) or (isinstance(data, bool) and shape is not bool):
        raise wrong(path, _PLAIN[shape], data)
    if isinstance(data, float) and not math.isfinite(data):  # as 1e999 is
        raise wrong(path, "a number that there is", str(data))
    if shape is str and len(data) > LONGEST:
        raise ValueError(f"{path}: a text of {len(data)} letters is too long (at most {LONGEST})")


def bounded(data: Any, kind: type, words: str, path: str) -> None:
    """Raise ValueError unless the data is of this kind, and of a size that a program of people's may have."""
    if not isinstance(data, kind):
        raise wrong(path, words, data)
    if len(data) > MOST:  # type: ignore[arg-type]
        raise ValueError(f"{path}: {len(data)} are too many (at most {MOST})")  # type: ignore[arg-type]


def _record(data: Any, shape: dict[Any, Any], path: str) -> None:
    bounded(data, dict, "an object", path)
    if str in shape:
        for key, item in data.items():
            check(item, shape[str], f"{path}[{key!r}]")
        return
    for key, inner in shape.items():
        name = key.removesuffix("?")
        if name in data:
            check(data[name], inner, f"{path}.{name}")
        elif name is key:
            raise ValueError(f"{path}.{name}: it is missing")
    known = {key.removesuffix("?") for key in shape}
    for key in data:
        if key not in known:
            raise ValueError(f"{path}.{key}: unknown here; known are {', '.join(sorted(known))}")


def _either(data: Any, shape: Either, path: str) -> None:
    """Hold data against each shape; a fault inside of one of them is told where it is, else what could have stood here."""
    found: list[ValueError] = []
    for inner, kinds in shape.shapes:
        if isinstance(data, kinds):  # to be refused by the others first took most of the time of reading arrays
            try:
                return check(data, inner, path)
            except ValueError:
                break
    for inner, _ in shape.shapes:
        try:
            return check(data, inner, path)
        except ValueError as problem:
            found.append(problem)
    inside = [problem for problem in found if not str(problem).startswith(f"{path}:")]
    if inside:
        raise inside[0]
    raise wrong(path, " or ".join(getattr(problem, "expected", "something else") for problem in found), data)


def wrong(path: str, expected: str, data: Any) -> ValueError:
    """A refusal that names the place, what belongs there and what was found."""
    found = json.dumps(data, ensure_ascii=True) if isinstance(data, str | int | float | bool | None) else (
        f"a {type(data).__name__}" if isinstance(data, list | dict) else repr(type(data)))  # fmt: skip
    problem: Any = ValueError(f"{path}: expected {expected}, got {found if len(found) <= 60 else found[:59] + '…'}")
    problem.expected = expected  # for whoever has several shapes to offer
    refusal: ValueError = problem
    return refusal


def dumps(data: Any) -> str:
    """Data as one line of JSON; the same data give the same bytes."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def loads(text: str | bytes, what: str) -> Any:
    """JSON as data; raises ValueError, which names `what` was read, for what is no JSON, too large or nested too deep."""
    if len(text) > LARGEST:
        raise ValueError(f"{what}: {len(text)} letters are too many (at most {LARGEST})")
    try:
        return json.loads(text, parse_constant=_no_number)
    except RecursionError:
        raise ValueError(f"{what}: lists within lists, too deep to be a {what}") from None
    except json.JSONDecodeError as problem:
        raise ValueError(f"{what}: no JSON ({problem})") from None


def _no_number(word: str) -> Any:
    raise ValueError(f"{word} is no number of JSON: write it as a text, {json.dumps(word.lower())}")


def clean(text: str, most: int = SHOWN) -> str:
    """A text of the program's as it may stand in a picture: what is not for the eye is made visible, and length has an end.

    >>> clean("a\\ud800b"), clean("x\\u202ey"), clean("plain {braces}"), clean("x" * 5000)[998:1025]
    ('a\ufffdb', 'x⟨202E⟩y', 'plain {braces}', 'xx… 3,500 letters more …xxx')
    """
    if not (text.isascii() and text.isprintable()):
        if len(text) > most:
            text = _ends(text, most)
        text = _UNSEEN.sub(_shown, text)
    return text if len(text) <= most else _ends(text, most)


def _ends(text: str, most: int) -> str:
    kept = most // 2, most // 4
    return f"{text[: kept[0]]}… {len(text) - sum(kept):,} letters more …{text[len(text) - kept[1] :]}"


def _shown(found: re.Match[str]) -> str:
    code = ord(found[0])
    return "\ufffd" if 0xD800 <= code <= 0xDFFF else f"⟨{code:04X}⟩"


def cleaned(data: Any) -> Any:
    """Plain data with all of its texts clean."""
    if isinstance(data, str):
        return clean(data, 6 * LONGEST)
    if isinstance(data, list):
        return [cleaned(item) for item in data]
    if isinstance(data, dict):
        return {clean(key, 6 * LONGEST): cleaned(item) for key, item in data.items()}
    return data
