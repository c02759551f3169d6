"""TensorFlow's own results, case by case: tests/data/tensorflow-golden.json holds each program and what TensorFlow 2.21 gave."""

from __future__ import annotations

import contextlib
import gc
import io
import json
import math
import pathlib
import warnings
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import minitape as tf

CASES = json.loads((pathlib.Path(__file__).parents[1] / "data" / "tensorflow-golden.json").read_text(encoding="utf-8"))
META = CASES.pop("_meta")

# Parts of a result in which minitape differs on purpose, as "case/key": each is a row of docs/differences.md.
DIFFERENT: dict[str, str] = {}


def plain(value: Any) -> Any:
    """A result as the golden file writes it."""
    if isinstance(value, tf.Tensor | tf.Variable):
        return {"dtype": value.dtype.name, "shape": list(value.shape), "value": np.asarray(value).tolist()}
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return value


class Case:
    """What a golden program is given as `c`."""

    def __init__(self) -> None:
        self.out: dict[str, Any] = {}
        self.inp: dict[str, Any] = {}
        self.printed: dict[str, list[str]] = {}

    @contextlib.contextmanager
    def phase(self, name: str) -> Iterator[None]:
        stream = io.StringIO()
        with contextlib.redirect_stderr(stream), contextlib.redirect_stdout(stream):
            yield
        self.printed[name] = stream.getvalue().splitlines()

    def exc(self, name: str, thunk: Callable[[], Any]) -> None:
        try:
            self.out[name] = plain(thunk())
        except Exception as problem:
            self.out[name] = {"exception": type(problem).__name__, "message": str(problem)}


def run(name: str) -> Case:
    """Run a golden program under minitape."""
    case = Case()
    body = "\n".join("    " + line for line in CASES[name]["program"])
    preamble = "\n".join(META["preamble"])
    space = {"tf": tf, "np": np, "gc": gc, "weakref": weakref, "j": plain}
    exec(preamble.replace("FA = ", "FA = ") + "\ndef program(c):\n" + body, space)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        space["program"](case)
    case.out = plain(case.out)
    return case


def same(ours: Any, theirs: Any) -> bool:
    """Equal to about 1e-6 relative; exceptions by their type."""
    if isinstance(theirs, dict) and "exception" in theirs:
        return isinstance(ours, dict) and ours.get("exception") == theirs["exception"].rsplit(".", 1)[-1]
    if isinstance(theirs, dict):
        return isinstance(ours, dict) and ours.keys() == theirs.keys() and all(same(ours[k], theirs[k]) for k in theirs)
    if isinstance(theirs, list):
        return isinstance(ours, list) and len(ours) == len(theirs) and all(map(same, ours, theirs))
    if isinstance(theirs, float) and isinstance(ours, float | int):
        return math.isclose(ours, theirs, rel_tol=2e-6, abs_tol=1e-7) or (math.isnan(ours) and math.isnan(theirs))
    return bool(ours == theirs)


def landed(name: str) -> bool:
    """The families of this file: tapes and accumulators, without Keras, custom gradients or recompute."""
    program = "\n".join(CASES[name].get("program", []))
    return name.startswith(("tape_", "fa_")) and "recompute_grad" not in program and "custom_gradient" not in program


@pytest.mark.parametrize("name", [name for name in CASES if landed(name)])
def test_as_tensorflow(name: str) -> None:
    case = run(name)
    for key, theirs in CASES[name]["outputs"].items():
        if f"{name}/{key}" not in DIFFERENT:
            assert same(case.out.get(key), theirs), f"{key}\n  ours:   {case.out.get(key)}\n  theirs: {theirs}"
