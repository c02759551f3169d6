"""TensorFlow's public guides and tutorials: what they call, in programs of our own, printing what TensorFlow prints.

Each program lies under tests/data/guides/ beside the words that TensorFlow 2.21 printed for it.  Left out are cells that need
tf.data, downloads, saved models or checkpoints, ragged, sparse or string tensors, accelerators, or a traced graph.
"""

from __future__ import annotations

import math
import re

import pytest

import minitape as tf
from tests import guides

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|inf|nan)j?")
NAMES = sorted(path.stem for path in guides.FOLDER.glob("*.py"))


def words(text: str) -> list[str]:
    """The text between the numbers, however it is spaced."""
    return [re.sub(r"\s+", "", part) for part in NUMBER.split(text)]


def numbers(text: str) -> list[complex]:
    return [complex(one) for one in NUMBER.findall(text)]


def landed(name: str) -> bool:
    """Whether all that the program calls is there."""
    return hasattr(tf, "keras") or "tf.keras" not in (guides.FOLDER / f"{name}.py").read_text(encoding="utf-8")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [name for name in NAMES if landed(name)])
def test_a_guide_prints_what_tensorflow_prints(name: str) -> None:
    ours, theirs = guides.run(name, tf), (guides.FOLDER / f"{name}.out").read_text(encoding="utf-8")
    for line, expected in zip(ours.splitlines(), theirs.splitlines(), strict=False):
        assert words(line) == words(expected), f"{name}:\n  ours:   {line}\n  theirs: {expected}"
        for one, other in zip(numbers(line), numbers(expected), strict=True):
            close = math.isclose(abs(one), abs(other), rel_tol=2e-5, abs_tol=2e-6)
            assert close or (one != one and other != other), f"{name}:\n  ours:   {line}\n  theirs: {expected}"
    assert len(ours.splitlines()) == len(theirs.splitlines())


def test_all_the_guides_are_there() -> None:
    assert len(NAMES) == 11 and all(map(landed, NAMES))


def test_a_function_runs_each_time(capsys: pytest.CaptureFixture[str]) -> None:
    """A row of docs/differences.md: TensorFlow prints while it traces only."""

    @tf.function
    def doubled(x: tf.Tensor) -> tf.Tensor:
        print("running")
        return x * 2.0

    assert float(doubled(tf.constant(1.0)) + doubled(tf.constant(2.0))) == 6.0
    assert capsys.readouterr().out == "running\nrunning\n"
