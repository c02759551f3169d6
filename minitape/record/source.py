"""The learner's program as text: which statement ran, and where a number in it came from; `rewriting` changes it.

All of it works on source that Python still has; where there is none, answers are empty and explanations do with less.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from typing import Any, NamedTuple

from .provenance import Site


class Parsed(NamedTuple):
    """One file or cell: its tree, and the parent of every node."""

    tree: ast.Module
    parents: dict[ast.AST, ast.AST]


@functools.lru_cache(maxsize=64)
def _parsed(source: str) -> Parsed | None:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return None  # magics, or no source at all
    return Parsed(tree, {child: parent for parent in ast.walk(tree) for child in ast.iter_child_nodes(parent)})


def parsed(site: Site) -> Parsed | None:
    """The file or cell of a site, or None where there is no Python to read."""
    lines = site.lines
    return _parsed("".join(lines)) if lines else None


def node_at(site: Site) -> ast.expr | None:
    """The expression that the site's instruction computes."""
    found = site.expression()
    return found.node if found is not None and isinstance(found.node, ast.expr) else None


@functools.lru_cache(maxsize=256)
def own(site: Site) -> ast.expr | None:
    """The same expression as a node of `parsed(site).tree`, whose parents are known."""
    program = parsed(site)
    where = site._span
    if program is None:
        return None
    exact = [one for one in ast.walk(program.tree) if isinstance(one, ast.expr) and span(one) == where]
    return exact[0] if exact else None


def span(node: Any) -> tuple[int, int, int, int]:
    """Where a node stands: first and last line, first and last column."""
    return (node.lineno, node.end_lineno or 0, node.col_offset, node.end_col_offset or 0)


def statement(site: Site) -> ast.stmt | None:
    """The smallest statement around the site's line."""
    program = parsed(site)
    if program is None:
        return None
    around = [
        one
        for one in ast.walk(program.tree)
        if isinstance(one, ast.stmt) and first_line(one) <= site.line <= last_line(one)
    ]
    simple = [one for one in around if not hasattr(one, "body")]
    return min(simple or around, key=lambda one: last_line(one) - first_line(one), default=None)


def first_line(node: Any) -> int:
    """Its first line, decorators too."""
    return min([node.lineno, *[one.lineno for one in getattr(node, "decorator_list", [])]])


def last_line(node: Any) -> int:
    """Its last line."""
    return node.end_lineno or node.lineno


def block_at(site: Site) -> ast.With | None:
    """The `with` whose header holds the site: where a recorder was made."""
    program = parsed(site)
    if program is None:
        return None
    for one in ast.walk(program.tree):
        if isinstance(one, ast.With) and any(
            item.context_expr.lineno <= site.line <= last_line(item.context_expr) for item in one.items
        ):
            return one
    return None


def _block_named(site: Site, name: str) -> ast.With | None:
    """The `with name:` of a recorder that was made before its block."""
    program = parsed(site)
    for one in ast.walk(program.tree) if program is not None else ():
        if isinstance(one, ast.With) and any(
            isinstance(item.context_expr, ast.Name) and item.context_expr.id == name for item in one.items
        ):
            return one
    return None


def block_of(label: Any) -> ast.With | None:
    """The `with` block of a recorder."""
    return block_at(label.site) or _block_named(label.site, label.site.assigned_name())


# ---- where a number came from ---------------------------------------------------------------------------------------------


def operand(site: Site, position: int) -> ast.expr | None:
    """The source of one operand of the op at this site, or the whole expression where they cannot be told apart."""
    node = own(site)
    match node:
        case ast.BinOp(left=left, right=right):
            return (left, right)[position] if position < 2 else node
        case ast.Compare(left=left, comparators=[right]):
            return (left, right)[position] if position < 2 else node
        case ast.Call(args=arguments) if position < len(arguments) and not any(
            isinstance(one, ast.Starred) for one in arguments
        ):
            return arguments[position]
    return node


class Flow(NamedTuple):
    """What may have flowed into an expression: pieces of source, the functions called in them, names not followed."""

    pieces: tuple[ast.expr, ...]
    called: frozenset[str]
    open: bool

    def holds(self, site: Site, filename: str) -> bool:
        """Whether the instruction at this site is part of it, directly or in a function that it calls."""
        if site.filename != filename:
            return site.function in self.called
        line, end, column, end_column = site._span
        for piece in self.pieces:
            first, last, left, right = span(piece)
            if (first, left) <= (line, column) and (end or line, end_column) <= (last, right):
                return True
        return site.function != "<module>" and site.function in self.called


def flow(site: Site, expression: ast.expr | None) -> Flow:
    """Follow an expression backwards through the assignments of its own function, cell or file."""
    program = parsed(site)
    if program is None or expression is None:
        return Flow((), frozenset(), True)
    scope = _scope(program, expression)
    pieces, names, done, called = [expression], names_in(expression), set[str](), set[str]()
    unknown = False
    while names:
        name = names.pop()
        done.add(name)
        found = list(_assigned(scope, name))
        if not found and scope is not program.tree:
            if name in _parameters(scope):
                unknown = True
                continue
            found = list(_assigned(program.tree, name))
        if not found and not _imported(program.tree, name):
            unknown = True
        for value in found:
            pieces.append(value)
            names |= names_in(value) - done
    for piece in pieces:
        for one in ast.walk(piece):
            if isinstance(one, ast.Call):
                called.add(one.func.id if isinstance(one.func, ast.Name) else getattr(one.func, "attr", ""))
    return Flow(tuple(pieces), frozenset(called), unknown)


def literal(expression: ast.expr | None) -> bool:
    """Whether an expression is a number written out."""
    if isinstance(expression, ast.UnaryOp):
        expression = expression.operand
    if isinstance(expression, ast.List | ast.Tuple):
        return all(literal(one) for one in expression.elts)
    return isinstance(expression, ast.Constant)


def names_in(node: ast.AST) -> set[str]:
    """The names that an expression reads, without those of functions that it calls."""
    called = {one.func for one in ast.walk(node) if isinstance(one, ast.Call) and isinstance(one.func, ast.Name)}
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and one not in called}


def _scope(program: Parsed, node: ast.AST) -> ast.AST:
    while node in program.parents:
        node = program.parents[node]
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            return node
    return program.tree


def _parameters(scope: ast.AST) -> set[str]:
    arguments = getattr(scope, "args", None)
    if arguments is None:
        return set()
    return {one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}


def _imported(tree: ast.Module, name: str) -> bool:
    for one in ast.walk(tree):
        if isinstance(one, ast.Import | ast.ImportFrom):
            if any((alias.asname or alias.name.partition(".")[0]) == name for alias in one.names):
                return True
        elif isinstance(one, ast.FunctionDef | ast.ClassDef) and one.name == name:
            return True
    return name in dir(__builtins__) or hasattr(__builtins__, name)


def _inside(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a scope, without those of functions in it."""
    for child in ast.iter_child_nodes(scope):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            yield child
            yield from _inside(child)


def _assigned(scope: ast.AST, name: str) -> Iterator[ast.expr]:
    """The expressions whose values the name is given in this scope."""
    for one in _inside(scope):
        match one:
            case ast.Assign(targets=targets, value=value):
                if any(_binds(target, name) for target in targets):
                    yield value
            case ast.AugAssign(target=target, value=value) | ast.NamedExpr(target=target, value=value):
                if _binds(target, name):
                    yield value
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                if _binds(target, name):
                    yield value
            case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                if _binds(target, name):
                    yield value


def _binds(target: ast.AST, name: str) -> bool:
    if isinstance(target, ast.Name):
        return target.id == name
    if isinstance(target, ast.Tuple | ast.List):
        return any(_binds(one, name) for one in target.elts)
    return isinstance(target, ast.Starred) and _binds(target.value, name)


# ---- in words -----------------------------------------------------------------------------------------------------------


def one_line(node: ast.AST | None) -> bool:
    """Whether a node stands on one line."""
    return node is not None and span(node)[0] == span(node)[1]


def alias(site: Site) -> str:
    """The name under which the program knows this library: `tf` where nothing says otherwise."""
    program = parsed(site)
    for one in ast.walk(program.tree) if program is not None else ():
        if isinstance(one, ast.Import):
            for name in one.names:
                if name.name in ("minitape", "tensorflow"):
                    return name.asname or name.name
    return "tf"


def unparse(node: ast.AST | None, most: int = 40) -> str:
    """A piece of source on one line, shortened."""
    if node is None:
        return ""
    text = ast.unparse(node)
    return text if len(text) <= most else text[: most - 1] + "…"
