"""A gradient function of the learner's own on the path: it gave None, gave too much, or took no notice of what came back."""

from __future__ import annotations

import ast

from ..record.diary import plain
from . import rewriting, source
from .explanation import Explanation
from .fixes import Fix
from .history import Edge
from .question import Asked
from .rules import GradSource, grad_source
from .zeros import zero


def held_by_rule(asked: Asked, path: list[Edge]) -> Explanation:
    """Everything was recorded, and a gradient function answered None."""
    edge = next(
        (step for step in path if step.application is not None and step.application.primitive.kind == "call"), path[0]
    )
    name, read = edge.application.op, grad_source(edge.application)
    what = f"the gradient function of {name}, called at {asked.at(edge.site)}, gave None for {asked.name(edge.of)}"
    if read is None or any(answer is not None for answer in read.answers):
        fix = Fix(f"let the gradient function of {name} return one gradient per input")
        return asked.none("C02", f"{what}.", "wall", edge.site, fix, steps=asked.steps(path, edge))
    what += f": it returns nothing ({asked.at(read.site)})."
    return asked.none("C02", what, "wall", edge.site, _with_return(name, read), steps=asked.steps(path, edge))


def _with_return(name: str, read: GradSource) -> Fix:
    """Put `return` before what the function computes last."""
    text = f"let the gradient function of {name} end with a return of one gradient per input"
    last = read.node.body[-1] if isinstance(read.node, ast.FunctionDef) else None
    if not isinstance(last, ast.Expr) or not source.one_line(last):
        return Fix(text)
    whole = f"return {ast.unparse(last.value)}"
    return Fix(text, whole, (rewriting.replaced(read.site, last.value, whole),), read.site.filename)


def refused_rule(asked: Asked, path: list[Edge]) -> Explanation | None:
    """The question ended in an error, because a gradient function has not one answer per input."""
    for edge in path:
        read = grad_source(edge.application) if edge.application is not None else None
        counts = {len(answer.elts) for answer in read.answers if isinstance(answer, ast.Tuple)} if read else set()
        inputs = len(edge.application.inputs) if edge.application is not None else 0
        if read is None or edge.application.primitive.grad_code is None or not counts or inputs in counts:
            continue
        name, count = edge.application.op, max(counts)
        what = (
            f"the gradient function of {name} ({asked.at(read.site)}) returns {count} gradients for {inputs} "
            f"input{'' if inputs == 1 else 's'}, so there is no answer."
        )
        fix = Fix(f"let the gradient function of {name} return {_numeral(inputs)}")
        return asked.none("C02", what, "wall", edge.site, fix, steps=asked.steps(path, edge))
    return None


def _numeral(count: int) -> str:
    return "one gradient" if count == 1 else f"{count} gradients, one per input"


# ---- rules that take no notice of what comes back ----------------------------------------------------------------------------


def deaf_rule(asked: Asked, paths: list[list[Edge]]) -> tuple[Edge, GradSource] | None:
    """The first step at which a gradient function gave a number without reading what had come back."""
    for edge in {
        id(edge.application): edge for path in paths for edge in path if edge.application is not None
    }.values():
        read = grad_source(edge.application)
        _, gave = asked.diary.slopes.get((edge.application.tick, edge.position), (None, None))
        if read is not None and read.ignores and not zero(plain(gave)):
            return edge, read
    return None


def of_one(asked: Asked, edge: Edge) -> bool:
    """Whether what had come back to a step was a 1, with which a rule that takes no notice of it is right by chance."""
    came, _ = asked.diary.slopes.get((edge.application.tick, edge.position), (None, None))
    came = plain(came)
    while isinstance(came, list) and len(came) == 1:
        came = came[0]
    return bool(came == 1.0)


def takes_no_notice(asked: Asked, edge: Edge, read: GradSource) -> str:
    """What such a rule does, in words."""
    names = " and ".join(read.upstream)
    return (
        f"the rule of {edge.application.op} takes no notice of what comes back to it: its gradient function "
        f"({asked.at(read.site)}) never reads {names}, so the slope of all that was made from its result is lost."
    )


def times_upstream(edge: Edge, read: GradSource) -> Fix:
    """Multiply the answer of the rule by what comes back."""
    text = f"multiply by {read.upstream[0]} what the gradient function of {edge.application.op} returns"
    answer = read.answers[0] if len(read.answers) == 1 else None
    if (
        answer is None
        or len(read.upstream) > 1
        or isinstance(answer, ast.Tuple | ast.List)
        or not source.one_line(answer)
    ):
        return Fix(text)
    alone = isinstance(answer, ast.Constant | ast.Name | ast.Attribute | ast.Call | ast.Subscript)
    whole = ast.unparse(answer) if alone else f"({ast.unparse(answer)})"
    product = f"{read.upstream[0]} * {whole}"
    return Fix(text, product, (rewriting.replaced(read.site, answer, product),), read.site.filename)
