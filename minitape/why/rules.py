"""What a gradient function of the learner's own does with what comes back to it, read from its source.

It is read and not run: a second run would print and count again, and after the backward pass it is gone.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any, NamedTuple

from ..record.provenance import Site, is_library
from . import source

Function = ast.FunctionDef | ast.Lambda


class GradSource(NamedTuple):
    """The source of a gradient function, and where it stands."""

    node: Function
    site: Site

    @property
    def upstream(self) -> list[str]:
        """The names of what comes back: all that it takes, but for `variables`."""
        given = self.node.args
        names = [each.arg for each in (*given.posonlyargs, *given.args, *([given.vararg] if given.vararg else []))]
        return [name for name in names if name not in ("variables", "self")]

    @property
    def ignores(self) -> bool:
        """Whether it never reads what comes back."""
        names = set(self.upstream)
        body = self.node.body if isinstance(self.node.body, list) else [self.node.body]
        return bool(names) and not any(
            isinstance(node, ast.Name) and node.id in names for part in body for node in ast.walk(part)
        )

    @property
    def answers(self) -> list[ast.expr | None]:
        """What it returns, once for each `return`; None for a `return` alone."""
        if isinstance(self.node, ast.Lambda):
            return [self.node.body]
        inner = [node for each in _functions_in(self.node.body) for node in ast.walk(each)]
        found = [node for part in self.node.body for node in ast.walk(part) if isinstance(node, ast.Return)]
        return [node.value for node in found if node not in inner]

    @property
    def in_proportion(self) -> bool:
        """Whether twice as much coming back surely gives twice the answer, so that one ÷ the other is a slope."""
        if isinstance(self.node, ast.Lambda):
            return _linear(self.node.body, set(self.upstream))
        return bool(self.answers) and _all_linear(self.node.body, set(self.upstream))


def _functions_in(body: Sequence[ast.stmt]) -> list[ast.AST]:
    return [node for part in body for node in ast.walk(part) if isinstance(node, ast.FunctionDef | ast.Lambda)]


def grad_source(application: Any) -> GradSource | None:
    """The source of the gradient function of a custom gradient's application; None for all else, and where it is not known."""
    code = rule_of(application)
    if code is None or is_library[code.co_filename]:
        return None
    site = Site(code, 0)
    count = code.co_argcount + code.co_kwonlyargcount
    found = [
        node
        for node in ast.walk(site.program.tree)
        if isinstance(node, ast.FunctionDef | ast.Lambda)
        and source.first_line(node) == site.begins
        and [each.arg for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
        == list(code.co_varnames[:count])
    ]
    return GradSource(found[0], site) if len(found) == 1 else None


def rule_of(application: Any) -> Any:
    """The code of the learner's gradient function that takes this application back, or None."""
    return getattr(application.primitive, "grad_code", None)


def slope_known(application: Any) -> bool:
    """Whether what an application gave, by what had arrived, is a slope: so for all ops, but not for each rule of a learner's."""
    code = rule_of(application)
    if code is None or is_library[code.co_filename]:
        return True
    read = grad_source(application)
    return read is not None and read.in_proportion


# ---- in proportion --------------------------------------------------------------------------------------------------------

_PRODUCTS = ("multiply", "matmul", "einsum", "tensordot", "matvec")  # linear in one of what they are given
_SUMS = ("add", "subtract", "add_n", "concat", "stack")  # in all of it together
_OF_THE_FIRST = (
    "divide", "negative", "identity", "reshape", "transpose", "reduce_sum", "reduce_mean", "cast", "expand_dims", "squeeze",
    "broadcast_to", "gather", "tile", "convert_to_tensor", "pad", "reverse",
)  # fmt: skip


def _all_linear(body: Sequence[ast.stmt], names: set[str]) -> bool:
    """Whether each `return` in a body gives something linear in these names; other names may take such values meanwhile."""
    for statement in body:
        match statement:
            case ast.Return(value=value):
                return value is not None and _linear(value, names)
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                if _linear(value, names):
                    names.add(name)
                elif _free(value, names):
                    names.discard(name)
                else:
                    return False
            case ast.If(test=test, body=then, orelse=orelse):
                if not (_free(test, names) and _all_linear(then, set(names)) and _all_linear(orelse, set(names))):
                    return False
            case ast.Expr() | ast.Pass():
                pass
            case _:
                return False
    return True


def _free(node: ast.AST, names: set[str]) -> bool:
    return not any(isinstance(part, ast.Name) and part.id in names for part in ast.walk(node))


def _linear(node: ast.AST, names: set[str]) -> bool:
    match node:
        case ast.Name(id=name):
            return name in names
        case ast.BinOp(left=left, op=ast.Mult() | ast.MatMult(), right=right):
            return _one_linear([left, right], names)
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return _linear(left, names) and _free(right, names)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=right):
            return _linear(left, names) and _linear(right, names)
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=value):
            return _linear(value, names)
        case ast.IfExp(test=test, body=then, orelse=orelse):
            return _free(test, names) and _linear_or_zero([then, orelse], names)
        case ast.Subscript(value=value, slice=key):
            return _linear(value, names) and _free(key, names)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return _linear_or_zero(parts, names)
        case ast.Call(args=[first, *others]):
            name = source.function_name(node)
            rest = [*others, *[keyword.value for keyword in node.keywords]]
            if name in _PRODUCTS:
                return _one_linear([first, *rest], names)
            if name == "where":
                return _free(first, names) and _linear_or_zero(rest, names)
            if name in _SUMS:
                return _linear_or_zero([first, *rest], names)
            return name in _OF_THE_FIRST and _linear(first, names) and all(_free(each, names) for each in rest)
    return False


def _one_linear(parts: Sequence[ast.AST], names: set[str]) -> bool:
    bound = [part for part in parts if not _free(part, names)]
    return len(bound) == 1 and _linear(bound[0], names)


def _linear_or_zero(parts: Sequence[ast.AST], names: set[str]) -> bool:
    return all(_linear(part, names) or _zero(part) for part in parts)


def _zero(node: ast.AST) -> bool:
    match node:
        case ast.Constant(value=value):
            return value is None or value == 0
        case ast.Call():
            return source.function_name(node) in ("zeros_like", "zeros")
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return all(map(_zero, parts))
    return False
