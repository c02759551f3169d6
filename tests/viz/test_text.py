"""Words: a table that stays in its columns in any script, and a story of one sentence per step."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitape as tf
import viz
from tests.viz.scenes import cut, squared, weights
from viz.layout.sizes import columns
from viz.paint.text import described, story, table
from viz.scene import Scene

TABLE = """\
step  what      line   value  gradient, tangent  memory
----  --------  -----  -----  -----------------  ------
   0  start                                         0 B
   1  variable  1      x = 3                        4 B
   2  enter     2                                   4 B
   3  op        3      y = 9                        8 B
   4  exit      3                                   8 B
   5  seed      4             ∂y/∂y = 1            12 B
   6  back      4 ← 3         ∂y/∂x = 3            16 B
   7  back      4 ← 3         ∂y/∂x = 6            16 B
   8  free      4                                  12 B"""


def test_the_table_of_a_square() -> None:
    assert table(squared()) == TABLE


def test_the_story_of_a_square() -> None:
    lines = story(squared()).split("\n")
    assert lines[:3] == ["A square", "How steep is x · x?", ""]
    assert [line.split(". ", 1)[1] for line in lines if line[:1].isdigit()] == [one["say"] for one in squared().steps]
    assert "   How steep? 3 / 6" in lines


def test_several_sources_are_named() -> None:
    scene = squared()
    scene.sources.append({"id": "d", "label": "other.py", "lines": [[7, "pass"]]})
    scene.steps[2]["place"] = ["d", 7]
    assert "other.py:7" in table(scene)
    assert "cell 1:4 ← cell 1:3" in table(scene)


def test_an_error_is_told_whole_and_a_number_of_the_text_once() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError) as caught, viz.record() as run:
        h = tf.ones([1, 3]) * 2.0
        h @ tf.ones([2, 3])
    rows, _, said = str(run).partition("\n\n")
    assert " ones([1, 3]) = all 1, 2, h = all 2 " in rows, rows
    first, _, advice = str(caught.value).split("\n  ")
    assert said == f"2: An error ends the run: InvalidArgumentError: {first}. {advice}"


def test_none_and_arrays_in_words() -> None:
    assert "∂y/∂y = ✂ None" in table(cut())
    assert "h = −1.5…2.25" in table(weights())
    said = described(weights(), 1)
    assert "2×3 1, −2, 0, 0.5, 4, nan" in said
    assert "h 64×3 −1.5…2.25" in said
    assert "None, cut (loss came after the tape had stopped)" in described(cut(), 8)


@given(st.text(max_size=60), st.text(max_size=60))
def test_columns_stand_under_each_other_whatever_the_names(name: str, text: str) -> None:
    scene = squared()
    scene.values[0]["name"] = name
    scene.values[0]["cells"][0]["states"][0]["text"] = text
    lines = table(scene).split("\n")
    assert len(lines) == 11
    assert all(line == line.rstrip() for line in lines)
    assert len({columns(line) for line in lines}) == 1, "the last column is flush right"


@given(st.text())
def test_a_sentence_stays_on_one_line(say: str) -> None:
    scene = Scene(steps=[{"kind": "start", "say": say, "memory": {}}])
    assert "\n" not in story(scene)
    assert len(table(scene).splitlines()) == 3
