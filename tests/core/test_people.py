"""Programs that people have print what they print under TensorFlow: `tests/people.py` says how."""

from __future__ import annotations

import pytest

import minitape as tf
from tests import people
from tools.facts import PEOPLE

THEIRS = PEOPLE.read()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", people.NAMES)
def test_a_program_prints_what_it_prints_under_tensorflow(name: str) -> None:
    assert not people.differences(people.printed(name, tf), THEIRS[f"{name} 1"])


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("loss 1.010", "loss 1.000"),
        ("step 1", "step 2"),
        ("a", "b"),
        ("1.0\n", "1.0\n1.0\n"),
        ("[1.0]", "1.0"),
        ("-1.0", "1.0"),
    ],
)
def test_a_difference_would_be_found(ours: str, theirs: str) -> None:
    assert people.differences(ours, theirs) and not people.differences(theirs, theirs)
