"""Structures of tensors: lists, tuples, named tuples and dicts, nested to any depth (TensorFlow's `tf.nest`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from .record.refusal import described, type_error, value_error


def is_nested(structure: Any) -> bool:
    """True for a list, tuple or mapping.

    >>> tf.nest.is_nested([1]), tf.nest.is_nested({}), tf.nest.is_nested(3.0), tf.nest.is_nested("abc")
    (True, True, False, False)
    """
    kind = type(structure)
    nested = _nested.get(kind)
    if nested is None:
        nested = _nested[kind] = issubclass(kind, list | tuple | Mapping)
    return nested


_nested: dict[type, bool] = {}  # by type, because asking whether it is a Mapping costs as much as a small op


def _children(structure: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(structure, Mapping):
        # Sorted, as in TensorFlow: two dicts with the same keys flatten alike whatever their order.
        return iter([(key, structure[key]) for key in _sorted(structure)])
    return enumerate(structure)


def _sorted(keys: Any) -> list[Any]:
    try:
        return sorted(keys)
    except TypeError:
        raise type_error(
            f"the keys of a dict of tensors must be of one sortable type, got {list(keys)}", "Use text for all."
        ) from None


def flatten(structure: Any) -> list[Any]:
    """The leaves from left to right; dicts in the order of their sorted keys.

    >>> tf.nest.flatten([1, (2, [3]), {"b": 5, "a": 4}])
    [1, 2, 3, 4, 5]
    """
    if not is_nested(structure):
        return [structure]
    return _flat(structure, DEEPEST)


def places(structure: Any) -> list[str]:
    """Where each leaf lies, as one writes it behind the name of the whole, in the order of `flatten`.

    >>> places({"b": 5, "a": [4, 3]})
    ["['a'][0]", "['a'][1]", "['b']"]
    """
    if not is_nested(structure):
        return [""]
    return [f"[{key!r}]{inner}" for key, child in _children(structure) for inner in places(child)]


DEEPEST = 100  # Python itself would go on until no room is left, not even to let go of a tensor


def _flat(structure: Any, deeper: int) -> list[Any]:
    if not is_nested(structure):
        return [structure]
    if isinstance(structure, (list, tuple)) and True not in [is_nested(child) for child in structure]:
        return list(structure)
    if not deeper:
        raise _in_itself()
    return [leaf for _, child in _children(structure) for leaf in _flat(child, deeper - 1)]


def _in_itself() -> ValueError:
    return value_error(
        "a structure that contains itself, or one nested a hundred deep, has no leaves to count",
        "Build it of other lists: print it to see where it comes back to itself.",
    )


def _rebuild(structure: Any, children: dict[Any, Any]) -> Any:
    if isinstance(structure, Mapping):
        built = {key: children[key] for key in structure}
        return built if type(structure) is dict else type(structure)(built)  # type: ignore[call-arg]
    if hasattr(structure, "_fields"):
        return type(structure)(*children.values())
    return type(structure)(children.values())


def map_structure(function: Callable[..., Any], *structures: Any, check_types: bool = True) -> Any:
    """The same structure with `function` applied to the leaves, taken from all structures side by side.

    >>> tf.nest.map_structure(lambda a, b: a + b, {"x": 1, "y": [2]}, {"x": 10, "y": [20]})
    {'x': 11, 'y': [22]}
    """
    if is_nested(structures[0]):
        flatten(structures[0])  # refuses a structure that contains itself
    return _mapped(function, structures, check_types)


def _mapped(function: Callable[..., Any], structures: tuple[Any, ...], check_types: bool) -> Any:
    first, *others = structures
    for other in others:
        assert_same_structure(first, other, check_types)
    if not is_nested(first):
        return function(*structures)
    children = {key: tuple([structure[key] for structure in structures]) for key, _ in _children(first)}
    return _rebuild(first, {key: _mapped(function, parts, True) for key, parts in children.items()})


def pack_sequence_as(structure: Any, flat_sequence: Any) -> Any:
    """The flat sequence in the shape of the structure; raises ValueError when the counts differ.

    >>> tf.nest.pack_sequence_as({"b": 0, "a": (0, 0)}, [1, 2, 3])
    {'b': 3, 'a': (1, 2)}
    """
    flat = list(flat_sequence)
    if (
        type(structure) is list
        and len(structure) == len(flat)
        and True not in [is_nested(child) for child in structure]
    ):
        return flat
    count = len(flatten(structure))
    if count != len(flat):
        raise value_error(
            f"Could not pack sequence. Structure had {count} atoms, but flat_sequence had {len(flat)} items.",
            f"tf.nest.flatten({structure!r}) shows them.",
        )
    leaves = iter(flat)
    return map_structure(lambda _: next(leaves), structure) if is_nested(structure) else flat[0]


def assert_same_structure(nest1: Any, nest2: Any, check_types: bool = True) -> None:
    """Raise ValueError (TypeError where only the kinds differ) unless both have the same structure.

    >>> tf.nest.assert_same_structure([1, {"a": 2}], [3, {"a": 4}])
    """

    _compare(nest1, nest2, nest1, nest2, check_types)


# Not a closure: one that calls itself is a reference cycle, and would keep the compared tensors alive.
def _compare(first: Any, second: Any, nest1: Any, nest2: Any, check_types: bool) -> None:
    if is_nested(first) != is_nested(second):
        raise value_error(
            _differ(nest1, nest2, f"{described(first)} and {described(second)}: only one of them is a sequence")
        )
    if not is_nested(first):
        return
    if (
        check_types
        and type(first) is not type(second)
        and not (isinstance(first, Mapping) and isinstance(second, Mapping))
    ):
        raise type_error(
            _differ(nest1, nest2, f"a {type(first).__name__} stands where a {type(second).__name__} stands")
        )
    keys1, keys2 = [key for key, _ in _children(first)], [key for key, _ in _children(second)]
    if keys1 != keys2:
        what = "keys" if isinstance(first, Mapping) else "number of elements"
        raise value_error(_differ(nest1, nest2, f"they don't have the same {what}: {keys1} against {keys2}"))
    for key in keys1:
        _compare(first[key], second[key], nest1, nest2, check_types)


def _differ(nest1: Any, nest2: Any, why: str) -> str:
    first, second = described(nest1), described(nest2)
    return f"The two structures don't have the same nested structure.\n  first:  {first}\n  second: {second}\n  {why}"


__all__ = ["assert_same_structure", "flatten", "is_nested", "map_structure", "pack_sequence_as"]
