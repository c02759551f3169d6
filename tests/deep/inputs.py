"""Every public function and method with every kind of bad argument: what is called, with what, and what a good answer is.

`python -m tests.deep.inputs 0 40 results` calls each fortieth function, in a process of its own: what ends the interpreter
or takes all memory is a result too.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import resource
import signal
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import minitape as tf
from minitape.record.events import state

from . import arguments, public
from .arguments import BAD, SPELLINGS
from .public import LONGEST, Called, TooLong, Way, everything, given, limited, target, way_of

MEMORY = 3_000_000_000  # of addresses; NumPy and its threads take a part
HERE = {__file__, arguments.__file__, public.__file__}


# What is asked for is a list of values, a shape or a word, and Python goes through what it was given instead.
ONE_BY_ONE = {
    *[
        (name, "a billion elements")
        for name in ("compute_output_shape", "from_list", "set_floatx", "switch_case", "take")
    ],
    ("build", "bytes"),  # a shape of billions
}


KINDS = (
    tf.errors.MinitapeWarning, TypeError, ValueError, LookupError, RuntimeError, OSError, AttributeError,
    tf.errors.OpError,
)  # fmt: skip
# What Python and NumPy say of their own insides.
INSIDE = re.compile(
    r"object has no attribute|unhashable type|not subscriptable|object is not iterable|not callable|values to unpack|"
    r"object cannot be interpreted|recursion depth|cannot reshape|setting an array element|ufunc|unsupported operand|"
    r"must be real number|invalid literal|could not convert|"
    r"index out of range|list indices must|string indices|codec can't|Exceeds the limit|"
    r"no len\(\)|math domain|cannot convert float|too large to convert|operands could not|dimension is not"
)


def problem_with(error: BaseException) -> str:
    """What is wrong with an error that was raised; "" if it is as it should be."""
    text = str(error)
    if isinstance(error, TooLong):
        return "too long"
    if isinstance(error, ImportError) and "pip install" in text:  # it is about the machine, and not about the call
        return ""
    if not isinstance(error, KINDS):
        return f"kind {type(error).__name__}"
    first = text.partition("\n")[0]
    if in_the_programs_own(error):
        return ""
    if INSIDE.search(first) and " cannot " not in first and "[Op:" not in first:
        return f"bare: {type(error).__name__}: {INSIDE.search(first)[0]}"  # type: ignore[index]
    if len(text) > 3_000:
        return f"long message: {len(text) // 1000} thousand letters"
    with contextlib.suppress(UnicodeEncodeError):
        text.encode()
        site = getattr(error, "site", None)
        if site is None:
            return f"no line: {type(error).__name__}"
        if site.filename not in HERE or f"  at {site}" not in text:
            return f"another line: {type(error).__name__}"
        return ""
    return "half a letter in the message"


def in_the_programs_own(error: BaseException) -> bool:
    """Whether a function or an object of the program's itself raised it."""
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename in HERE and code.co_name in ("<lambda>", "_no"):
            return True
        trace = trace.tb_next
    return False


def quiet() -> tuple[Any, ...]:
    """What a call leaves as it was."""
    return (
        state.recorders, state.listeners, state.context, state.holder, state.site, state.instead, os.getcwd(),
        np.random.get_state()[2], sys.getrecursionlimit(),
    )  # fmt: skip


def plain(result: Any) -> Any:
    """The numbers of an answer, to be compared; None where it has none."""
    try:
        return [
            each.numpy() if tf.is_tensor(each) else np.array(each, dtype="=f4" if _swapped(each) else None)
            for each in tf.nest.flatten(result)
        ]
    except Exception:
        return None


# By chance another answer, or one about the argument's own type.
ABOUT_THE_MAKE = re.compile(r"random|shuffle|is_tensor|is_numeric_tensor|compute_output_shape")


def _swapped(value: Any) -> bool:
    return isinstance(value, np.ndarray) and not value.dtype.isnative  # handed through, as it came


def same(one: Any, other: Any) -> bool:
    """Whether two answers have the same numbers, to the bit or nearly: another order in memory may add up in another order."""
    if one is None or other is None or len(one) != len(other):
        return one is other
    return all(
        a.shape == b.shape
        and a.dtype == b.dtype
        and (a.dtype.kind not in "biufc" or np.allclose(a, b, 1e-5, 1e-6, equal_nan=True))
        for a, b in zip(one, other, strict=True)
    )


Log = Callable[[dict[str, Any]], None]


def tried(called: Called, log: Log) -> None:
    """All kinds of bad argument at all positions of one function, and other spellings of good ones."""
    try:
        way = way_of(called)
    except Exception as error:
        log({"path": called.path, "unmade": f"{type(error).__name__}: {error}"[:200]})
        return
    log({"path": called.path, "works": way.works, "positions": len(way.positions)})
    for position in way.positions:
        data = isinstance(way.needed.get(position), np.ndarray)
        for kind, make in BAD.items():
            if kind == "a billion elements" and not data or (called.path.rpartition(".")[2], kind) in ONE_BY_ONE:
                continue  # where a word or a number goes, Python compares it with that one by one: only that takes long
            log({"path": called.path, "position": position, "kind": kind, "begun": True})
            bad(called, way, position, kind, make(), log)
        if way.works and isinstance(way.needed.get(position), np.ndarray):
            spelled(called, way, position, log)


def bad(called: Called, way: Way, position: str, kind: str, value: Any, log: Log) -> None:
    """One call, and what was wrong with it."""
    function, before, taken = target(called), quiet(), 9.9
    for _ in range(3):  # a machine may be busy once
        wrong, text, start = "", "", time.process_time()
        try:
            with limited():
                given(function, way, {position: value})
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt | SystemExit):
                wrong = type(error).__name__
            else:
                wrong, text = problem_with(error), f"{type(error).__name__}: {error}"
        taken = min(taken, time.process_time() - start)
        if taken <= LONGEST:
            break
    if taken > LONGEST and not wrong:
        wrong = "slow"
    if called.path.endswith("timeseries_dataset_from_array"):  # its seed is NumPy's next number, as Keras has it
        before = quiet()
    if quiet() != before:
        wrong = "left something: " + str([a for a, b in zip(before, quiet(), strict=True) if a != b])[:100]
        tf.recorders(leave=True)
    tf.strict(None)
    if wrong:
        where = {"path": called.path, "position": position, "kind": kind}
        log({**where, "wrong": wrong, "text": ascii(text[:600]), "seconds": taken})


def spelled(called: Called, way: Way, position: str, log: Log) -> None:
    """The same numbers in other arrays: the same answer, wherever a second call gives that of the first."""
    function, good = target(called), way.needed[position]

    def answer(value: Any) -> Any:
        with limited():
            return plain(given(function, way, {position: value}))

    first, second = answer(good), answer(good)
    if first is None or not same(first, second) or ABOUT_THE_MAKE.search(called.path):
        return
    for kind, spell in SPELLINGS.items():
        where = {"path": called.path, "position": position, "kind": kind}
        log({**where, "spelled": True})
        try:
            found = answer(spell(good))
        except Exception as error:
            own = kind in ("a tensor", "a variable") and isinstance(error, tf.errors.InvalidArgumentError)
            if not own:  # an array takes the op's dtype, a tensor has its own
                text = ascii(f"{type(error).__name__}: {error}"[:600])
                log({**where, "wrong": "another spelling is refused", "text": text})
        else:
            by_chance = not same(first, found) and not all(same(first, answer(good)) for _ in range(20))
            if not same(first, found) and not by_chance:  # two draws of a small mask may be one another's equal
                log({**where, "wrong": "another spelling, another answer", "text": f"{first} {found}"[:600]})


def main(first: int, step: int, results: str) -> None:
    """Try each `step`-th function, from `first` on, and write down what was wrong."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with open(results, "a", encoding="utf-8", errors="backslashreplace") as file:

        def log(row: dict[str, Any]) -> None:
            file.write(json.dumps(row) + "\n")
            file.flush()

        for called in everything()[first::step]:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.RLIM_INFINITY))
            tried(called, log)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
