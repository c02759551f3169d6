"""What a call of the program's has for a name of what it hands over: the `features` of `model.fit(features, labels)`.

The library makes tensors of arrays, and batches of those, so that no name of the program's stands for what is computed with.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import numpy as np

from minitape.record.provenance import Site, is_library, names_in, value_in
from minitape.tensor import Operand

from ..within import LONG, items_of

STEPS = {"train_step", "test_step", "predict_step"}  # of Keras: their x, y and sample_weight are parts of a batch
PARTS = ["x", "y", "sample_weight"]
HELD_BACK = "validation_data"  # what `fit` evaluates: such parts in a tuple

Means = Callable[[Any], bool]


def handed_over(stack: list[FrameType], means: Means) -> str:
    """What the program calls a value that it handed over, from the outermost of its calls; "" for one that it did not.

    `stack` has the frames of the program and of the library, from the outermost inwards.
    """
    found, inside = "", list[FrameType]()
    for frame in reversed(stack):
        if is_library[frame.f_code.co_filename]:
            inside.insert(0, frame)
        else:
            found = (_in_call(frame, inside, means) if inside else "") or found
            inside = []
    return found


def _in_call(frame: FrameType, inside: list[FrameType], means: Means) -> str:
    """The same of one call: the frame that makes it, and those of the library in it."""
    expression = Site(frame.f_code, frame.f_lasti).expression()
    called = next((below for below in inside if below.f_code.co_argcount), inside[0])  # a wrapper takes whatever comes
    call = expression and expression.node
    if not isinstance(call, ast.Call) or any(isinstance(argument, ast.Starred) for argument in call.args):
        return ""
    parameters = [name for name in called.f_code.co_varnames[: called.f_code.co_argcount] if name != "self"]
    given = dict(zip(parameters, call.args, strict=False)) | {
        word.arg: word.value for word in call.keywords if word.arg
    }
    for place, argument in enumerate(call.args):
        given[f"args[{place}]"] = argument  # of a layer, which takes any arguments
    for word in call.keywords:
        given[f'kwargs["{word.arg}"]'] = word.value
    for below in inside:
        step = below.f_code.co_name
        for held, value in _held(below, means):
            name, key = (held, "") if held in given else _split(held)
            if step in STEPS and name in PARTS:
                return _part_of_batch(called, given, step == "test_step", (name, key), value)
            if below is called or (name == held and "[" not in held):  # a wrapper's args have a place more, for self
                found = _written(given.get(name), key)
                if found:
                    return found
    return ""


def _part_of_batch(
    called: FrameType, given: dict[str, ast.expr], tested: bool, part: tuple[str, str], value: Any
) -> str:
    """A batch by what it is taken of: `features_batch`, or `features` where it is all of them.

    Of a dataset, and of what has no name, it is an x or a y, as Keras has it.
    """
    (name, key), data, node = part, value_in(called, part[0]), given.get(part[0])
    split = bool(value_in(called, "validation_split"))  # the rest of them is held back
    pair = value_in(called, HELD_BACK) if tested and not split else None
    if isinstance(pair, tuple) and PARTS.index(name) < len(pair):
        data, node = pair[PARTS.index(name)], given.get(HELD_BACK)
        node = node.elts[PARTS.index(name)] if isinstance(node, ast.Tuple) else None
    elif pair is not None:
        data = node = None
    if not (isinstance(data, list | tuple | dict | Operand) or hasattr(data, "__array__")):
        return f"{name}_batch{key}"
    if not split and _is_all(data, key, value):
        return _written(node, key) or name + key
    taken = (_written(node, key) or name).partition("[")[0]
    return f"{taken}_batch" + ("" if isinstance(node, ast.List | ast.Dict) else key)


def _is_all(data: Any, key: str, value: Operand) -> bool:
    """Whether a batch is what was given, in its order."""
    part = next((part for name, part in items_of([("", data)]) if name == key), None) if key else data
    numbers = part.array_now if isinstance(part, Operand) else np.asarray(part)
    return numbers.shape == value.shape and bool((numbers.astype(value.array_now.dtype) == value.array_now).all())


def _held(frame: FrameType, means: Means) -> Iterator[tuple[str, Any]]:
    """Where a frame has a value, and the value."""
    names = names_in(frame)
    yield from ((name, held) for name, held in names if means(held))
    yield from items_of(names, means)


def _split(held: str) -> tuple[str, str]:
    """The name and the key of an item: `x` and `["a"]` of `x["a"]`."""
    name, bracket, key = held.partition("[")
    return name, bracket + key


def _written(node: ast.expr | None, key: str) -> str:
    """An argument, or its part with this key, as a name; "" for what is none: a sum, a call."""
    match node:
        case ast.Tuple(elts=parts) | ast.List(elts=parts) if (place := re.fullmatch(r"\[(\d+)\]", key)) is not None:
            return _written(parts[int(place[1])], "") if int(place[1]) < len(parts) else ""
        case ast.Dict(keys=keys, values=parts):
            by_key = {f'["{word.value!s}"]': part for word, part in zip(keys, parts) if isinstance(word, ast.Constant)}
            return _written(by_key.get(key), "")
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name + key
        case ast.Subscript():
            text = ast.unparse(node).replace("-", "−").replace("'", '"') + key
            return text if len(text) <= LONG else ""
    return ""
