"""Where a number in the learner's program came from: an expression followed backwards through what was stored where.

Names, attributes, the keys of a dict, what was appended to a list or written into an array, and the one call of a function are
followed; a comparison, an index and a draw by chance are not, because a number that only steers has no slope to lose.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from ..record.naming import Program, span_of
from ..record.provenance import Site
from .source import function_name, node_at
from .stores import (
    ANY,
    Binding,
    functions,
    imported,
    is_property,
    key_of,
    parameters,
    renewed,
    returned,
    scope_of,
    stores,
)

_STEERS = (
    "choice", "multinomial", "binomial", "randint", "integers", "argmax", "argmin", "argsort", "round", "floor", "ceil",
    "zeros_like", "ones_like", "empty_like", "shape", "ndim", "size", "len",
)  # fmt: skip


class Flow(NamedTuple):
    """What may have flowed into an expression.

    Args: pieces, of source; steer, the parts of these that only choose or compare; called, the names of the functions called;
    open, whether some name could not be followed.
    """

    pieces: tuple[ast.expr, ...]
    steer: tuple[ast.expr, ...]
    called: frozenset[str]
    open: bool

    def holds(self, site: Site, filename: str) -> bool:
        """Whether the instruction at this site is part of it, directly or in a function that it calls."""
        if site.filename != filename:
            return site.function in self.called
        where = site._span
        if any(_within(where, part) for part in self.steer):
            return False
        if any(_within(where, piece) for piece in self.pieces):
            return True
        return site.function != "<module>" and site.function in self.called


def _within(where: tuple[int, int, int, int], node: ast.expr) -> bool:
    line, end, column, end_column = where
    first, last, left, right = span_of(node)
    return (first, left) <= (line, column) and (end or line, end_column) <= (last, right)


def flow(site: Site, expression: ast.expr | None) -> Flow:
    """Follow an expression backwards through the stores of its own function, cell or file."""
    if expression is None:
        return Flow((), (), frozenset(), True)
    known = _known.setdefault(site.program, {})
    if expression not in known:
        known[expression] = _followed(site.program, expression)
    return known[expression]


_known: WeakKeyDictionary[Program, dict[ast.expr, Flow]] = WeakKeyDictionary()  # gone with the program


def _followed(program: Program, expression: ast.expr) -> Flow:
    pieces: list[ast.expr] = []
    reading = _Reading()
    waiting, done, unknown = [expression], set[Any](), False
    while waiting:
        piece = waiting.pop()
        pieces.append(piece)
        for read in reading.loads(piece, scope_of(program, piece)):
            binding = renewed(program, piece, read)
            if binding in done:
                continue
            done.add(binding)
            if is_property(program, binding.base) if binding.attribute else functions(program, binding.base):
                reading.called.add(binding.base)  # a function is handed on to what calls it: map(f, xs)
            found = list(stores(program, binding))
            unknown = unknown or not found and not binding.attribute and not imported(program.tree, binding.base)
            for stored in found:
                if isinstance(stored, ast.Subscript) and isinstance(stored.ctx, ast.Store):
                    pieces.append(stored)  # an item that was written into: nothing is read there but the key
                    reading.steer.append(stored.slice)
                else:
                    waiting.append(stored)
        for call in reading.calls:
            if call not in done:
                done.add(call)
                waiting += _behind_call(program, call)
        reading.calls.clear()
    return Flow(tuple(pieces), tuple(reading.steer), frozenset(reading.called), unknown)


def _behind_call(program: Program, call: ast.Call) -> list[ast.expr]:
    """What a call answers with, by the source of its function: what that returns, or the lambda that the name is bound to."""
    held = call.func
    if isinstance(held, ast.Name | ast.Attribute):
        binding = Binding(function_name(call), isinstance(held, ast.Attribute), ANY, scope_of(program, call))
        return [*filter(_is_function, stores(program, binding)), *returned(program, call)]
    return []


def _is_function(stored: ast.expr) -> bool:
    """Whether what a called name stands for is a function by its source: a lambda, another's name, or `partial`."""
    partial = isinstance(stored, ast.Call) and function_name(stored) == "partial"
    return (
        partial or isinstance(stored, ast.Lambda | ast.Name) and not isinstance(getattr(stored, "ctx", None), ast.Store)
    )


def literal(expression: ast.expr | None) -> bool:
    """Whether an expression is a number written out."""
    if isinstance(expression, ast.UnaryOp):
        expression = expression.operand
    if isinstance(expression, ast.List | ast.Tuple):
        return all(literal(element) for element in expression.elts)
    return isinstance(expression, ast.Constant)


def operand(site: Site, position: int) -> ast.expr | None:
    """The source of one operand of the op at this site, or the whole expression where they cannot be told apart."""
    node = node_at(site)
    written = site.expression()
    if written is not None and isinstance(written.node, ast.AugAssign) and position < 2:
        return (written.node.target, written.node.value)[position]
    match node:
        case ast.BinOp(left=left, right=right):
            return (left, right)[position] if position < 2 else node
        case ast.Compare(left=left, comparators=[right]):
            return (left, right)[position] if position < 2 else node
        case ast.Call(args=arguments) if position < len(arguments) and not any(
            isinstance(argument, ast.Starred) for argument in arguments
        ):
            return arguments[position]
    return node


# ---- what an expression reads ---------------------------------------------------------------------------------------------


class _Reading:
    """What expressions read: the parts of them that only steer, the names of the functions called, and the calls."""

    def __init__(self) -> None:
        self.steer: list[ast.expr] = []
        self.called: set[str] = set()
        self.calls: list[ast.Call] = []

    def loads(self, node: ast.AST, scope: ast.AST) -> Iterator[Binding]:
        """What an expression reads its numbers from."""
        match node:
            case ast.Compare():
                self.steer.append(node)
                return
            case ast.IfExp(test=test, body=body, orelse=orelse):
                self.steer.append(test)
                parts: list[ast.AST] = [body, orelse]
            case ast.Subscript(value=ast.Name(id=base) | ast.Attribute(attr=base) as held, slice=key):
                self.steer.append(key)
                yield Binding(base, isinstance(held, ast.Attribute), key_of(key), scope)
                parts = [held.value] if isinstance(held, ast.Attribute) else []
            case ast.Subscript(value=value, slice=key):
                self.steer.append(key)
                parts = [value]
            case ast.Call(func=ast.Name(id="getattr"), args=[value, ast.Constant(value=str(base)), *otherwise]):
                yield Binding(base, True, ANY, scope)
                parts = [value, *otherwise]
            case ast.Call(func=func, args=arguments, keywords=keywords):
                name = function_name(node)
                if name in _STEERS and isinstance(node, ast.expr):
                    self.steer.append(node)
                    return
                self.called.add(name)
                self.calls.append(node)
                parts = [*arguments, *[keyword.value for keyword in keywords]]
                parts += [func.value] if isinstance(func, ast.Attribute) else []
                parts += [func] if isinstance(func, ast.Subscript) else []
            case ast.Lambda(body=body):
                own = parameters(node)
                yield from (binding for binding in self.loads(body, scope) if binding.base not in own)
                parts = [*node.args.defaults]
            case ast.Attribute(value=value, attr=base):
                yield Binding(base, True, ANY, scope)
                parts = [value]
            case ast.Name(id=base):
                yield Binding(base, False, ANY, scope)
                return
            case _:
                parts = list(ast.iter_child_nodes(node))
        for part in parts:
            yield from self.loads(part, scope)
