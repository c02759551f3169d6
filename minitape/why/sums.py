"""Whether one gradient mixes the slopes of several elements, so that it is a sum over them."""

from __future__ import annotations

import math
from typing import Any

from .history import Edge, ProgramHistory
from .question import Asked


def summed(asked: Asked) -> str:
    """What to say where a gradient is a sum over elements that share a source; "" where each has its own."""
    size = math.prod(asked.tags[0].shape)
    if len(asked.tags) > 1:
        return f"the gradient of several targets is the gradient of their sum ({len(asked.tags)} targets)."
    if size == 1 or separate(asked.history, asked.tags[0], asked.source.tag):
        return ""
    return f"{asked.target_name} has {size} elements, and a gradient is that of their sum."


def separate(history: ProgramHistory, target: Any, of: Any) -> bool:
    """Whether each element of the target depends on one element of the source alone, so that their sum mixes no slopes.

    This holds where all is computed number by number, and where a column of single numbers, or a vector that becomes one, goes
    through a model row by row.  On the way the numbers may be the columns of a matrix, too: `tf.transpose(tf.stack([x, t]))`.
    """
    if target.shape != of.shape:
        return False
    is_column = len(of.shape) > 0 and math.prod(of.shape) == of.shape[0]
    behind = history.behind([target])
    # What depends on the source element by element; what does so row by row; what has a column for each row of the source.
    numbers, rows, columns = {of}, {of}, set[Any]()
    for tag in sorted(behind, key=lambda tag: tag.id):
        edges = [edge for edge in behind[tag] if edge.kind == "recorded" and (edge.of in rows or edge.of in columns)]
        if not edges:
            continue
        if is_column and all(_by_column(edge, edge.of in columns, of.shape[0]) for edge in edges):
            (rows if tag.shape[0] == of.shape[0] else columns).add(tag)
            continue
        if any(edge.of in columns for edge in edges):
            return False
        rows.add(tag)
        if all(edge.of in numbers and edge.of.shape == tag.shape and _by_number(edge.application) for edge in edges):
            numbers.add(tag)
        elif not is_column or not all(_by_row(edge, of.shape[0]) for edge in edges):
            return False
    return target in numbers or is_column


def _by_column(edge: Edge, from_columns: bool, count: int) -> bool:
    """Whether an op leads to, or from, a matrix with `count` columns, one for each row of the source, and keeps them apart."""
    of, into, op = tuple(edge.of.shape), tuple(edge.into.shape), edge.application.op
    whole = len(into) == 2 and into[1] == count != into[0]  # the result has such columns
    if op == "transpose":
        return len(of) == 2 and of[0 if from_columns else 1] != count and into == (of[1], of[0])
    if not from_columns:
        return whole and of == (count,) and op in ("stack", "expand_dims", "reshape", "getitem", "put")
    if into == (count,):  # one row of it
        return of[0] != count and op in ("unstack", "getitem", "squeeze", "reshape", "put")
    if op == "matmul":  # a matrix from the left, in nets that have an example in each column
        return whole and edge.position == 1
    return whole and (_by_number(edge.application) and of == into or op in ("concat", "split", "slice", "pad"))


def numbers_only(history: ProgramHistory, target: Any, of: Any) -> bool:
    """Whether the target is computed from the source number by number; broadcasting on the way is allowed."""
    behind = history.behind([target])
    known = {of}
    for tag in sorted(behind, key=lambda tag: tag.id):
        edges = [edge for edge in behind[tag] if edge.kind == "recorded" and edge.of in known]
        if edges and not all(_by_number(edge.application) for edge in edges):
            return False
        known |= {tag} if edges else set()
    return target in known


def _by_number(application: Any) -> bool:
    return application.primitive.kind == "elementwise" or application.op in _NUMBER_BY_NUMBER


_NUMBER_BY_NUMBER = ("cast", "identity", "conj", "real", "negative", "add", "subtract")
_ROW_BY_ROW = (
    "matmul", "reduce_sum", "reduce_mean", "reshape", "getitem", "concat", "expand_dims", "squeeze", "softmax",
    "broadcast_to", "log_softmax", "slice", "split", "stack", "unstack", "pad", "put", "conv2d", "unbroadcast",
)  # fmt: skip
_TO_COLUMN = ("expand_dims", "getitem", "reshape", "stack")


def _by_row(edge: Edge, count: int) -> bool:
    """Whether an op keeps the rows of its operand apart, as far as shapes tell."""
    into, of, op = edge.into, edge.of, edge.application.op
    if not into.shape[:1] == of.shape[:1] == (count,):
        return False
    if op == "matmul" and (edge.position != 0 or len(of.shape) < 2):
        return False
    if _by_number(edge.application):  # in a matrix the numbers of a vector stand one in each column
        return len(of.shape) > 1 or len(into.shape) == 1
    longer = max(of.shape, into.shape, key=len)
    if len(of.shape) != len(into.shape) and longer.count(count) > 1:  # which of its axes has come or gone?
        return False
    if op in ("getitem", "put") and of.shape == into.shape:  # a slice of all rows turns them round, x[::-1]
        return False
    return op in (_ROW_BY_ROW if len(of.shape) > 1 else _TO_COLUMN if len(longer) > 1 else ())
