"""Where a number in the learner's program came from: an expression followed backwards through what was stored where.

Names, attributes, the keys of a dict, what was appended to a list, and the one call of a function are followed; a
comparison, an index and a draw by chance are not, because a number that only steers has no slope to lose.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from ..record.naming import Program, own_nodes, span_of
from ..record.provenance import Site
from .source import function_name, node_at

_STEERS = (
    "choice", "multinomial", "binomial", "randint", "integers", "argmax", "argmin", "argsort", "round", "floor", "ceil",
)  # fmt: skip
_ADDS = ("append", "appendleft", "extend", "insert", "add", "update", "fill", "setdefault")
_ANY = object()  # any key of a container


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


class _Binding(NamedTuple):
    """What holds a value in the learner's program: a name (`base`), an attribute of any object, or a key of either."""

    base: str
    attribute: bool
    key: Any
    scope: ast.AST
    since: tuple[int, int] = (0, 0)  # where it was last given a value of its own: what was stored before is gone


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
    steer: list[ast.expr] = []
    called: set[str] = set()
    waiting, done, unknown = [expression], set[_Binding](), False
    while waiting:
        piece = waiting.pop()
        pieces.append(piece)
        scope = _scope(program, piece)
        for binding in _loads(piece, scope, steer, called):
            binding = binding._replace(since=_renewed(program, piece, binding))
            if binding in done:
                continue
            done.add(binding)
            found = list(_stores(program, binding))
            unknown = unknown or not found and not binding.attribute and not _imported(program.tree, binding.base)
            waiting += found
    return Flow(tuple(pieces), tuple(steer), frozenset(called), unknown)


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


def _loads(node: ast.AST, scope: ast.AST, steer: list[ast.expr], called: set[str]) -> Iterator[_Binding]:
    """What an expression reads its numbers from; notes the parts that only steer, and the functions that are called."""
    match node:
        case ast.Compare():
            steer.append(node)
            return
        case ast.IfExp(test=test, body=body, orelse=orelse):
            steer.append(test)
            parts: list[ast.AST] = [body, orelse]
        case ast.Subscript(value=ast.Name(id=base) | ast.Attribute(attr=base) as held, slice=key):
            steer.append(key)
            yield _Binding(base, isinstance(held, ast.Attribute), _key(key), scope)
            parts = [held.value] if isinstance(held, ast.Attribute) else []
        case ast.Subscript(value=value, slice=key):
            steer.append(key)
            parts = [value]
        case ast.Call(func=func, args=arguments, keywords=keywords):
            name = function_name(node)
            if name in _STEERS and isinstance(node, ast.expr):
                steer.append(node)
                return
            called.add(name)
            parts = [*arguments, *[keyword.value for keyword in keywords]]
            parts += [func.value] if isinstance(func, ast.Attribute) else []
        case ast.Attribute(value=value, attr=base):
            yield _Binding(base, True, _ANY, scope)
            parts = [value]
        case ast.Name(id=base):
            yield _Binding(base, False, _ANY, scope)
            return
        case _:
            parts = list(ast.iter_child_nodes(node))
    for part in parts:
        yield from _loads(part, scope, steer, called)


def _key(node: ast.AST) -> Any:
    return node.value if isinstance(node, ast.Constant) else _ANY


# ---- what was stored there --------------------------------------------------------------------------------------------------


def _stores(program: Program, binding: _Binding) -> Iterator[ast.expr]:
    """The expressions stored to an attribute anywhere, to a name in its own scope or, if there are none, in the file."""
    if binding.attribute:
        yield from _given(ast.walk(program.tree), binding)
        return
    found = list(_given(own_nodes(binding.scope), binding))
    if binding.scope is not program.tree:
        if binding.base in _parameters(binding.scope) and binding.since == (0, 0):
            found += _handed_in(program, binding)
        elif not found:
            found = list(_given(own_nodes(program.tree), binding))
    yield from found


def _given(nodes: Iterator[ast.AST], binding: _Binding) -> Iterator[ast.expr]:
    for node in nodes:
        if _at(node) < binding.since:
            continue
        match node:
            case ast.Assign(targets=targets, value=value):
                if any(_binds(target, binding) for target in targets):
                    yield _at_key(value, binding.key)
            case (
                ast.AugAssign(target=target, value=value)
                | ast.NamedExpr(target=target, value=value)
                | ast.For(target=target, iter=value)
                | ast.comprehension(target=target, iter=value)
                | ast.AnnAssign(target=target, value=ast.expr() as value)
            ):
                if _binds(target, binding):
                    yield value
            case ast.Call(func=ast.Attribute(value=target, attr=name), args=[*_, value]) if name in _ADDS:
                if _binds(target, binding):
                    yield value


def _binds(target: ast.AST, binding: _Binding) -> bool:
    """Whether storing to a target gives this binding its value, or a part of it."""
    match target:
        case ast.Name(id=base):
            return not binding.attribute and base == binding.base
        case ast.Attribute(attr=base):
            return binding.attribute and base == binding.base
        case ast.Subscript(value=value, slice=key):
            here = _key(key)
            return (binding.key is _ANY or here is _ANY or here == binding.key) and _binds(value, binding)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return any(_binds(part, binding) for part in parts)
        case ast.Starred(value=value):
            return _binds(value, binding)
    return False


def _at(node: ast.AST) -> tuple[int, int]:
    """Where a node stands; one without a place counts as behind all others."""
    where = getattr(node, "target", node)
    return getattr(where, "lineno", sys.maxsize), getattr(where, "col_offset", 0)


def _renewed(program: Program, use: ast.AST, binding: _Binding) -> tuple[int, int]:
    """Where the last statement stands that every way to a use goes through, and that gives the name another value.

    So it is in the statements before the use in its own block, and in the blocks around it; a `with` block runs as a whole.
    """
    node = use
    while not binding.attribute and node in program.parents and node is not binding.scope:
        parent = program.parents[node]
        for body in (getattr(parent, "body", ()), getattr(parent, "orelse", ()), getattr(parent, "finalbody", ())):
            if isinstance(body, list) and node in body:
                before = [statement for each in body[: body.index(node)] for statement in _straight(each)]
                for statement in reversed(before):
                    if isinstance(statement, ast.Assign) and any(_renews(t, binding) for t in statement.targets):
                        return _at(statement)
        node = parent
    return 0, 0


def _straight(statement: ast.stmt) -> Iterator[ast.stmt]:
    """A statement, or those of its block where that is a `with`."""
    if isinstance(statement, ast.With):
        for inner in statement.body:
            yield from _straight(inner)
    else:
        yield statement


def _renews(target: ast.AST, binding: _Binding) -> bool:
    """Whether storing to a target leaves nothing of what the binding held."""
    match target:
        case ast.Name(id=base):
            return base == binding.base
        case ast.Subscript(value=ast.Name(id=base), slice=ast.Constant(value=key)):
            return base == binding.base and key == binding.key
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return any(_renews(part, binding) for part in parts)
    return False


def _at_key(value: ast.expr, key: Any) -> ast.expr:
    """What a dict display holds at one key; any other expression as it is."""
    if key is not _ANY and isinstance(value, ast.Dict):
        for written, stored in zip(value.keys, value.values, strict=True):
            if isinstance(written, ast.Constant) and written.value == key:
                return stored
        line, column = value.lineno, value.col_offset  # of no width: what lies under other keys did not flow here
        return ast.Constant(None, lineno=line, end_lineno=line, col_offset=column, end_col_offset=column)
    return value


def _handed_in(program: Program, binding: _Binding) -> list[ast.expr]:
    """The argument that a parameter is given, where its function is called once in the file."""
    scope = binding.scope
    if not isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
        return []
    calls = [
        node for node in ast.walk(program.tree) if isinstance(node, ast.Call) and function_name(node) == scope.name
    ]
    if len(calls) != 1 or any(isinstance(arg, ast.Starred) for arg in calls[0].args):
        return []
    names = [arg.arg for arg in (*scope.args.posonlyargs, *scope.args.args)]
    if names and names[0] in ("self", "cls") and isinstance(calls[0].func, ast.Attribute):
        names = names[1:]
    given = dict(zip(names, calls[0].args, strict=False)) | {
        keyword.arg or "": keyword.value for keyword in calls[0].keywords
    }
    return [given[binding.base]] if binding.base in given else []


def _scope(program: Program, node: ast.AST) -> ast.AST:
    while node in program.parents:
        node = program.parents[node]
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            return node
    return program.tree


def _parameters(scope: ast.AST) -> set[str]:
    arguments = getattr(scope, "args", None)
    if arguments is None:
        return set()
    return {argument.arg for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}


def _imported(tree: ast.Module, name: str) -> bool:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            if any((alias.asname or alias.name.partition(".")[0]) == name for alias in node.names):
                return True
        elif isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name:
            return True
    return hasattr(builtins, name)
