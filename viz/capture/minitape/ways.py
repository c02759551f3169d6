"""What a line of the program takes from within an object or a list, as it writes that: `batch.x`, `g.values`, `state.h[0]`.

The way is gone in what the program holds, and nothing of the program's runs for it: a property is not asked.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from types import FrameType, MemberDescriptorType
from typing import Any

from minitape.ops.indexing import IndexedSlices
from minitape.record.provenance import Site, value_in
from minitape.tensor import Operand

from ..within import LONG

Way = tuple[str, tuple[ast.expr, ...]]  # the name that it begins with, and what follows: attributes and items


def ways_of(site: Site) -> tuple[Way, ...]:
    """The ways that an expression of the program's writes, the longest first."""
    expression = site.expression()
    nodes = [] if expression is None else list(ast.walk(expression.node))
    functions = {node.func for node in nodes if isinstance(node, ast.Call)}
    ways = (_way(node) for node in nodes if node not in functions)
    return tuple([(name, steps) for name, steps in ways if name and steps])


def _way(node: ast.AST) -> Way:
    steps: list[ast.expr] = []
    while isinstance(node, ast.Attribute | ast.Subscript):
        steps.insert(0, node)
        node = node.value
    return (node.id if isinstance(node, ast.Name) else ""), tuple(steps)


def written(frame: FrameType, ways: tuple[Way, ...], means: Callable[[Any], bool]) -> str:
    """How a line writes the way to a value, where it does and that is short: without `self.`, as the program calls its own."""
    ends = (_end(frame, *way) for way in ways)
    return next((text for text, held in ends if means(held) and len(text) <= LONG), "")


def _end(frame: FrameType, name: str, steps: tuple[ast.expr, ...]) -> tuple[str, Any]:
    """The text of a way, and where it leads: to None where there is none."""
    held, text = _named(frame, name), "" if name == "self" and isinstance(steps[0], ast.Attribute) else name
    for step in steps:
        if isinstance(step, ast.Attribute):
            held, text = _attribute(held, step.attr), f"{text}.{step.attr}" if text else step.attr
        else:
            key = _key(frame, step)
            if _is_plain(held) and type(key) is int and -len(held) <= key < len(held):
                held, key = held[key], key % len(held)
            elif isinstance(held, dict) and isinstance(key, str | int):
                held = dict.get(held, key)
            else:
                held = None
            text = f'{text}["{key}"]' if isinstance(key, str) else f"{text}[{key}]"
    return text, held


def _named(frame: FrameType, name: str) -> Any:
    held = value_in(frame, name)
    return frame.f_globals.get(name) if held is None else held


def _key(frame: FrameType, step: ast.expr) -> Any:
    """What stands in square brackets, where that is a number, a string or a name."""
    match step:
        case ast.Subscript(slice=ast.Constant(value=key)):
            return key
        case ast.Subscript(slice=ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(key)))):
            return -key
        case ast.Subscript(slice=ast.Name(id=name)):
            return _named(frame, name)
    return None


def _is_plain(held: Any) -> bool:
    """Whether this is a list or a tuple, also one of the program's own kind that finds items as these do."""
    return getattr(type(held), "__getitem__", None) in (list.__getitem__, tuple.__getitem__)


def _attribute(held: Any, name: str) -> Any:
    """An attribute that is simply there; None for one that Python would have to compute."""
    if isinstance(held, IndexedSlices):
        return getattr(held, name) if name in ("values", "indices") else None
    if isinstance(held, Operand):
        return None
    own = getattr(held, "__dict__", None)
    if isinstance(own, dict) and name in own:
        return own[name]
    if isinstance(held, tuple) and name in getattr(held, "_fields", ()):
        return getattr(held, name)
    found = inspect.getattr_static(type(held), name, None)
    if isinstance(found, MemberDescriptorType):
        try:
            return found.__get__(held)
        except AttributeError:  # a slot that nothing is in
            return None
    return found if isinstance(found, Operand) else None
