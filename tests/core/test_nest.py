"""Structures (`tf.nest`)."""

from __future__ import annotations

import collections
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitape as tf


class Point(NamedTuple):
    x: Any
    y: Any


structures = st.recursive(
    st.integers(),
    lambda inside: st.one_of(
        st.lists(inside, max_size=3),
        st.lists(inside, max_size=3).map(tuple),
        st.dictionaries(st.text("abc", max_size=2), inside, max_size=3),
        st.tuples(inside, inside).map(lambda pair: Point(*pair)),
    ),
    max_leaves=10,
)


@given(structures)
def test_packing_undoes_flattening(structure: Any) -> None:
    assert tf.nest.pack_sequence_as(structure, tf.nest.flatten(structure)) == structure
    assert tf.nest.map_structure(lambda one: one, structure) == structure
    tf.nest.assert_same_structure(structure, structure)


@given(structures)
def test_types_and_order_of_keys_stay(structure: Any) -> None:
    mapped = tf.nest.map_structure(str, structure)
    assert type(mapped) is (str if isinstance(structure, int) else type(structure))
    if isinstance(structure, dict):
        assert list(mapped) == list(structure)
    assert tf.nest.flatten(mapped) == [str(one) for one in tf.nest.flatten(structure)]


def test_dicts_flatten_by_sorted_key() -> None:
    assert tf.nest.flatten({"b": 1, "a": (2, [3])}) == [2, 3, 1]
    assert tf.nest.flatten(collections.OrderedDict([("b", 1), ("a", 2)])) == [2, 1]
    assert type(tf.nest.map_structure(abs, collections.OrderedDict(a=-1))) is collections.OrderedDict


def test_what_is_no_structure() -> None:
    assert [tf.nest.flatten(one) for one in (None, "ab", 3)] == [[None], ["ab"], [3]]
    assert not any(map(tf.nest.is_nested, [None, "ab", 3, tf.constant([1, 2]), tf.Variable([1.0])]))


@pytest.mark.parametrize(
    ("one", "two", "problem"),
    [
        ([1], [1, 2], ValueError),
        ([1], 1, ValueError),
        ({"a": 1}, {"b": 1}, ValueError),
        ([1], (1,), TypeError),
        ([1, [2]], [1, (2,)], TypeError),
    ],
)
def test_different_structures_are_refused(one: Any, two: Any, problem: type[Exception]) -> None:
    with pytest.raises(problem, match=r"^The two structures don't have the same nested structure"):
        tf.nest.assert_same_structure(one, two)
    with pytest.raises(problem):
        tf.nest.map_structure(lambda a, b: a, one, two)


def test_counts_must_match() -> None:
    with pytest.raises(ValueError, match="Could not pack sequence"):
        tf.nest.pack_sequence_as([1, 2], [1])


def test_gradients_come_in_the_structure_of_the_sources() -> None:
    a, b, c = tf.Variable(2.0), tf.Variable(3.0), tf.Variable(4.0)
    with tf.GradientTape(persistent=True) as tape:
        y = a * b + c
    for sources in ({"w": a, "b": (b, [c])}, [a, (b, c)], Point(a, [b, c]), a):
        gradients = tape.gradient(y, sources)
        tf.nest.assert_same_structure(gradients, sources)
        expected = {id(a): 3.0, id(b): 2.0, id(c): 1.0}
        assert [float(one) for one in tf.nest.flatten(gradients)] == [
            expected[id(one)] for one in tf.nest.flatten(sources)
        ]
