"""The programs under programs/, and how they are run: each is a function of a `Case`, which it tells what came out.

The files name `tf` without importing it: they are loaded once with TensorFlow, whose answers are stored, and once with
minitape, which a test compares with them.
"""

from __future__ import annotations

import contextlib
import gc
import os
import re
import tempfile
import warnings
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

SOURCES = sorted((Path(__file__).parent / "programs").glob("*.py"))


class Case:
    """What a program is given as `c`: the outputs it stores, and what it printed by phase."""

    def __init__(self, tf: Any) -> None:
        self.tf = tf
        self.out: dict[str, Any] = {}
        self.printed: dict[str, list[str]] = {}

    @contextlib.contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Whatever is printed inside belongs to the phase of that name, but for TensorFlow's own log."""
        with tempfile.TemporaryFile("w+", encoding="utf-8") as file:
            around = os.dup(2)
            os.dup2(file.fileno(), 2)  # TensorFlow prints from C++, to the process's own standard error
            try:
                with contextlib.redirect_stderr(file), contextlib.redirect_stdout(file):
                    yield
            finally:
                file.flush()
                os.dup2(around, 2)
                os.close(around)
            file.seek(0)
            self.printed[name] = [line for line in file.read().splitlines() if not line.startswith("WARNING:")]

    def exc(self, name: str, thunk: Callable[[], Any]) -> None:
        """Store what the function gives, or the exception that it raises."""
        try:
            self.out[name] = plain(self.tf, thunk())
        except Exception as problem:
            self.out[name] = {"exception": type(problem).__name__, "message": without_places(str(problem))}


def without_places(message: str) -> str:
    """A message without what belongs to one run: the call's own name, addresses, and the lines that led to it."""
    message = re.sub(r"^\{\{function_node \S+\}\} ?", "", message)
    lines = [line.strip() for line in message.splitlines() if line.strip()] or [""]
    return re.sub(r"0x[0-9a-f]+", "0x0", lines[-1])


def plain(tf: Any, value: Any) -> Any:
    """A result in JSON: a tensor by its dtype, shape and numbers."""
    if isinstance(value, tf.Tensor | tf.Variable):
        return {"dtype": value.dtype.name, "shape": list(value.shape), "value": np.asarray(value).tolist()}
    if isinstance(value, dict):
        return {key: plain(tf, part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(tf, part) for part in value]
    return value


def load(tf: Any) -> dict[str, Callable[[Case], None]]:
    """The programs by their names, with this module as `tf`."""

    def make_model() -> Any:
        def running(x: Any) -> Any:
            tf.print("running")
            return x

        return tf.keras.Sequential([tf.keras.layers.Lambda(running), tf.keras.layers.Dense(2)])

    def f3(x: Any) -> Any:
        return x * x * x

    given = {
        "tf": tf, "np": np, "gc": gc, "weakref": weakref, "FA": tf.autodiff.ForwardAccumulator,
        "f3": f3, "make_model": make_model, "j": lambda value: plain(tf, value), "__name__": "programs",
    }  # fmt: skip
    programs: dict[str, Callable[[Case], None]] = {}
    for path in SOURCES:
        space = dict(given)
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), space)
        programs |= {name: thing for name, thing in space.items() if name not in given and name[0] != "_"}
    return programs


def run(tf: Any, program: Callable[[Case], None]) -> Case:
    """Run one program."""
    case = Case(tf)
    tf.keras.utils.clear_session()  # layers are numbered anew
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        program(case)
    case.out = plain(tf, case.out)
    return case
