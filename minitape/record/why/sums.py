"""Whether one gradient mixes the slopes of several elements, so that it is a sum over them."""

from __future__ import annotations

import math
from typing import Any

from ..history import History
from .question import Asked


def summed(asked: Asked) -> str:
    """What to say where a gradient is a sum over elements that share a source; "" where each has its own."""
    size = math.prod(asked.tags[0].shape)
    if len(asked.tags) > 1:
        return f"the gradient of several targets is the gradient of their sum ({len(asked.tags)} targets)."
    if size == 1 or separate(asked.history, asked.tags[0], asked.source._tag):
        return ""
    return f"{asked.target_name} has {size} elements, and a gradient is that of their sum."


def separate(history: History, target: Any, of: Any) -> bool:
    """Whether every element of the target has an element of the source for itself, so that a sum over them mixes nothing."""
    if target.shape != of.shape:
        return False
    behind = history.behind([target])
    depends = {of}
    for tag in sorted(behind, key=lambda one: one.id):
        edges = [edge for edge in behind[tag] if edge.kind == "recorded" and edge.of in depends]
        if edges:
            depends.add(tag)
            if tag.shape != target.shape or any(
                edge.of.shape != tag.shape or not _by_number(edge.row) for edge in edges
            ):
                return False
    return True


def _by_number(row: Any) -> bool:
    return row.primitive.kind == "elementwise" or row.op in (
        "cast",
        "identity",
        "conj",
        "real",
        "negative",
        "add",
        "subtract",
    )
