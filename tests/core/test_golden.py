"""TensorFlow's own results, case by case: tests/data/tensorflow-golden.json holds each program and what TensorFlow 2.21 gave."""

from __future__ import annotations

import contextlib
import functools
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
_SHAPES = "tangents that do not fit their primal are refused where they are given, not where they hurt"
_TEACHING = "a plain Python number gets an exception that says what to do, not an AttributeError from inside"
_ARRAYS = "a tape keeps arrays of its own, never the learner's tensor objects: test_ledger.py asks the ledger instead"
_OPS = (
    "abs add_const const_div cos div_const exp log1p_abs matmul_const maximum0 mul_const mul_self pow3 reduce_max reduce_mean "
    "reduce_sum relu reshape sigmoid sin softmax softplus square sub_const tanh"
)
DIFFERENT: dict[str, str] = {
    "fa_misc/mismatch_shape": _SHAPES,
    "fa_misc/mismatch_scalar_vs_vector": _SHAPES,
    "fa_mismatch_on_use/scalar_vs_vec_construct": _SHAPES,
    "fa_mismatch_on_use/scalar_primal_vec_tangent_jvp": _SHAPES,
    "fa_mismatch_on_use/vec_primal_scalar_tangent_jvp": _SHAPES,
    "fa_mismatch_on_use/vec_primal_scalar_tangent_sum": _SHAPES,
    "fa_misc/python_float_primal": _TEACHING,
    "fa_misc/jvp_of_python_float": _TEACHING,
    "tape_errors/source_python_float": _TEACHING,
    "tape_errors/target_python_float": _TEACHING,
    "tape_errors/batch_jacobian_bad_rank": "a ValueError that names the rank, also for rank 0, where TensorFlow trips over it",
    **{f"tape_saved_tensors_per_op/{op}": _ARRAYS for op in _OPS.split()},
    "tape_persistent_frees/persistent": _ARRAYS,
    "tape_persistent_frees/non_persistent": _ARRAYS,
}


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


@functools.cache
def run(name: str) -> Case:
    """Run a golden program under minitape."""
    case = Case()
    body = "\n".join("    " + line for line in CASES[name]["program"])
    preamble = "\n".join(META["preamble"])
    space = {"tf": tf, "np": np, "gc": gc, "weakref": weakref, "j": plain}
    exec(preamble + "\ndef program(c):\n" + body, space)
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
    """The families of this file: tapes and accumulators, in programs without Keras, custom gradients or recompute."""
    program = "\n".join(CASES[name].get("program", []))
    waits = ("tf.keras", "recompute_grad", "custom_gradient")
    return name.startswith(("tape_", "fa_")) and not any(one in program for one in waits)


@pytest.mark.parametrize("name", [name for name in CASES if landed(name)])
def test_as_tensorflow(name: str) -> None:
    case = run(name)
    for key, theirs in CASES[name]["outputs"].items():
        if f"{name}/{key}" not in DIFFERENT:
            assert same(case.out.get(key), theirs), f"{key}\n  ours:   {case.out.get(key)}\n  theirs: {theirs}"


@pytest.mark.parametrize("key", DIFFERENT)
def test_a_difference_is_one(key: str) -> None:
    """No row stays when minitape has come to agree; and each says why, also in the document."""
    name, part = key.split("/")
    assert not same(run(name).out.get(part), CASES[name]["outputs"][part])
    assert len(DIFFERENT[key]) > 20
    assert f"`{key}`" in (pathlib.Path(__file__).parents[2] / "docs" / "differences.md").read_text(encoding="utf-8")


def test_most_cases_have_landed() -> None:
    assert sum(map(landed, CASES)) >= 14
