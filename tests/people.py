"""Programs that people have, in the small: each under tests/data/programs-of-people/, as it would be written for TensorFlow.

Each prints what it finds; NAME.out holds what it prints under TensorFlow 2.21 (`python -m tools.facts people` writes it).  The
programs find `tf`, `np` and two helpers: `numbers(*shape, seed=0)`, the same everywhere, and `fill(model)`, which puts such
numbers into all weights, so that nothing depends on chance.
"""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = Path(__file__).parent / "data" / "programs-of-people"
NAMES = sorted(path.stem for path in FOLDER.glob("*.py"))
NUMBER = re.compile(r"[-+]?\d+\.?\d*(?:e[-+]?\d+)?")


def numbers(*shape: int, seed: int = 0) -> np.ndarray:
    """Numbers with two decimals between 0 and 1, the same everywhere."""
    return (np.random.RandomState(seed).randint(0, 100, shape) / 100).astype("float32")


def fill(model: Any) -> None:
    """Put numbers of ours into all weights that train; the others stay as they begin."""
    for place, weight in enumerate(model.trainable_variables):
        weight.assign((numbers(*weight.shape, seed=place + 20) - 0.5) / max(1.0, len(weight.shape) - 1.0))


def printed(name: str, tf: Any) -> str:
    """What a program prints."""
    path = FOLDER / f"{name}.py"
    code = compile(path.read_text(encoding="utf-8"), str(path), "exec")
    stream = io.StringIO()
    with contextlib.redirect_stdout(stream):
        exec(code, {"tf": tf, "np": np, "numbers": numbers, "fill": fill, "__name__": name})
    return stream.getvalue()


def differences(ours: str, theirs: str) -> list[str]:
    """The lines in which two texts differ: in a word, or in a number by more than five units of its last digit, or 1e-4 of it."""
    mine, wanted = ours.splitlines(), theirs.splitlines()
    if len(mine) != len(wanted):
        return [f"{len(mine)} lines against {len(wanted)}"]
    return [f"{one!r} against {other!r}" for one, other in zip(mine, wanted, strict=True) if not alike(one, other)]


def alike(one: str, other: str) -> bool:
    """Whether two lines say the same."""
    if re.sub(r"\s+", " ", NUMBER.sub("#", one)) != re.sub(r"\s+", " ", NUMBER.sub("#", other)):
        return False
    pairs = zip(NUMBER.findall(one), NUMBER.findall(other), strict=True)
    return all(abs(float(a) - float(b)) <= max(1e-4 * abs(float(b)), 5 * _last(b)) for a, b in pairs)


def _last(text: str) -> float:
    """One unit of the last digit; a whole number has none to spare."""
    return 10.0 ** -len(text.partition(".")[2]) if "." in text and "e" not in text else 0.0
