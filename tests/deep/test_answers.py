"""Whatever is given to a public function, it answers: with the right result, or with an error at the learner's line, and soon.

Every public function of both packages, and everything that its classes are made with, is given each kind of bad input in each
place, the other places filled with a tensor.
"""

from __future__ import annotations

import contextlib
import enum
import inspect
import io
import os
import signal
import sys
import types
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minitape as tf
import viz
from tests.support import deep

pytestmark = pytest.mark.deep

# ---- who is asked ----------------------------------------------------------------------------------------------------------

# What sets a state whatever it is given, what prints, and what is made by tf.constant and by nobody else.
NOT_ASKED = {"tf.strict", "tf.print", "tf.keras.utils.Progbar", "tf.Tensor", "viz.Text", "viz.Scene"}


def public(space: types.ModuleType, path: str, seen: set[int]) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every public function, row and class below a namespace, each once; not errors, nor what is Python's or NumPy's own."""
    listed = getattr(space, "__all__", None)
    for name in listed or [name for name in vars(space) if not name.startswith("_")]:
        found = getattr(space, name)
        home = found.__module__ if isinstance(found, type | types.FunctionType) else type(found).__module__
        if isinstance(found, types.ModuleType) and listed and found is not tf.errors:
            yield from public(found, f"{path}.{name}", seen)
        elif (
            id(found) in seen
            or not callable(found)
            or f"{path}.{name}" in NOT_ASKED
            or not home.startswith(("minitape", "viz") if listed else space.__name__)
        ):
            continue
        elif not (isinstance(found, type) and issubclass(found, BaseException | enum.Enum)):
            seen.add(id(found))
            yield f"{path}.{name}", found


def spaces() -> dict[str, list[tuple[str, Callable[..., Any]]]]:
    """The functions by namespace."""
    found = defaultdict(list)
    seen: set[int] = set()
    for name, function in [*public(tf, "tf", seen), *public(viz, "viz", seen)]:
        found[name.rpartition(".")[0]].append((name, function))
    return found


SPACES = spaces()

# ---- what they are given ------------------------------------------------------------------------------------------------------


class Thing:
    """Something that nobody knows."""


def in_itself() -> list[Any]:
    found: list[Any] = []
    found.append(found)
    return found


def read_only() -> np.ndarray:
    found = np.array([[1.0, 2.0], [3.0, 4.0]])
    found.flags.writeable = False
    return found


BAD: dict[str, Callable[[], Any]] = {
    "None": lambda: None,
    "text": lambda: "a",
    "bytes": lambda: b"a",
    "an object": Thing,
    "a type": lambda: int,
    "a function": lambda: lambda: 1,
    "a generator": lambda: (each for each in range(3)),
    "a dict": lambda: {"a": 1},
    "a set": lambda: {1, 2},
    "True": lambda: True,
    "a complex number": lambda: 1j,
    "NaN": lambda: float("nan"),
    "a negative number": lambda: -3,
    "a huge number": lambda: 10**30,
    "a number without memory": lambda: 10**15,
    "an empty list": list,
    "a list in itself": in_itself,
    "ragged lists": lambda: [[1.0], [1.0, 2.0]],
    "no numbers": lambda: np.zeros(0),
    "0-d": lambda: np.array(1.5),
    "5-d": lambda: np.ones((1, 2, 1, 2, 1)),
    "objects": lambda: np.array([Thing(), None], object),
    "records": lambda: np.array([(1, 2.0)], "i4,f4"),
    "dates": lambda: np.array(["2020-01-01"], "M8[D]"),
    "masked": lambda: np.ma.array([1.0, 2.0], mask=[False, True]),
}


def plain() -> np.ndarray:
    return np.array([[1.0, 2.0], [3.0, 4.0]])


SAME: dict[str, Callable[[], Any]] = {  # other layouts of the plain array
    "not contiguous": lambda: np.repeat(np.repeat(plain(), 2, 0), 3, 1)[::2, ::3],
    "by columns": lambda: np.asfortranarray(plain()),
    "read-only": read_only,
    "byte-swapped": lambda: plain().astype(">f8"),
}


def places(function: Callable[..., Any]) -> list[tuple[str, Callable[[Callable[[], Any]], Any]]]:
    """Where something can be given: the call with it there, by the name of the place."""
    parameters = list(inspect.signature(function).parameters.values())
    positional = [one for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    required = [one.name for one in positional if one.default is one.empty]
    if not required and (positional or any([one.kind is one.VAR_POSITIONAL for one in parameters])):
        required = [positional[0].name if positional else "the first"]
    more = [one.name for one in positional if one.name not in required]
    more += [one.name for one in parameters if one.kind is one.KEYWORD_ONLY]

    def at(place: int, make: Callable[[], Any]) -> Any:
        return function(*[make() if each == place else tf.ones([2, 2]) for each in range(len(required))])

    def by_name(name: str, make: Callable[[], Any]) -> Any:
        return function(*[tf.ones([2, 2]) for _ in required], **{name: make()})

    found: list[tuple[str, Any]] = [
        (name, lambda make, place=place: at(place, make)) for place, name in enumerate(required)
    ]
    if len(required) > 1:
        found.append(("everywhere", lambda make: function(*[make() for _ in required])))
    return found + [(name, lambda make, name=name: by_name(name, make)) for name in more]


# ---- how they answer ------------------------------------------------------------------------------------------------------------


class Late(BaseException):
    """No answer within the time."""


def answer(call: Callable[[], Any]) -> tuple[Any, str]:
    """What comes back, and what is wrong with that: it is late, or a bare error."""

    def late(*_: Any) -> None:
        raise Late

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, 1.0)  # of this process's own time: other work beside it does not count
    try:
        return call(), ""
    except Late:
        return None, "no answer within a second"
    except Exception as problem:
        site = getattr(problem, "site", None)
        if site is None or site.filename != __file__:
            return problem, f"{type(problem).__name__} without the line: {str(problem)[:100]!r}"
        if "\n" not in str(problem):
            return problem, f"{type(problem).__name__} without advice: {str(problem)[:100]!r}"
        if not isinstance(problem, TypeError | ValueError | NotImplementedError | AttributeError | tf.errors.OpError):
            return problem, f"{type(problem).__name__} is no kind that is documented"
        return problem, ""
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def same(one: Any, other: Any) -> bool:
    """Whether two answers say the same, as far as they are numbers or errors."""
    if isinstance(one, Exception) or isinstance(other, Exception):
        return type(one) is type(other)
    if isinstance(one, tf.Tensor | np.ndarray) and isinstance(other, tf.Tensor | np.ndarray):
        one, other = np.asarray(one), np.asarray(other)
        native = one.astype(one.dtype.newbyteorder("="))  # what hands on its input hands on its bytes
        return native.dtype == other.dtype and native.tobytes() == other.tobytes()
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return True


@pytest.fixture(autouse=True)
def nothing_stays(tmp_path: Path) -> Iterator[None]:
    """What a call sets or writes is undone."""
    before, random = os.getcwd(), tf.keras.backend.floatx()
    os.chdir(tmp_path)
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        yield
    os.chdir(before)
    tf.recorders(leave=True)
    tf.strict(None)
    tf.keras.backend.set_floatx(random)
    sys.settrace(None)


@pytest.mark.parametrize("space", SPACES)
def test_bad_input_is_answered(space: str, record_property: Any) -> None:
    wrong, tried = [], 0
    turn = 0
    for name, function in SPACES[space]:
        for place, call in places(function):
            turn += 1
            for number, (kind, make) in enumerate([*BAD.items(), *SAME.items()]):
                if not deep() and (number - turn) % 10:  # by default a tenth: other kinds in each place
                    continue
                tried += 1
                found, problem = answer(lambda: call(make))
                by_chance = "random" in name or "shuffle" in name
                if kind in SAME and not problem and not by_chance and not same(found, answer(lambda: call(plain))[0]):
                    problem = "another answer than for the same numbers in a plain array"
                if problem:
                    wrong.append(f"{name}, {place}: {kind}: {problem}")
                del found
    record_property("tried: bad inputs to every public function: answered with the line, the call and soon", tried)
    assert not wrong, f"{len(wrong)} of {tried}:\n" + "\n".join(wrong)
