"""The names that the source of a program gives to what it computes."""

from __future__ import annotations

import ast
import functools
import linecache
from collections.abc import Iterator
from types import CodeType
from typing import Any, NamedTuple

from .cells import place_of

Span = tuple[int, int, int, int]


def span_of(node: Any) -> Span:
    """Where a node stands: first and last line, first and last column."""
    return (node.lineno, node.end_lineno or 0, node.col_offset, node.end_col_offset or 0)


_texts: dict[str, tuple[list[str], str]] = {}


def text_of(filename: str) -> str:
    """The whole source of a file or cell: the same string each time, so that caches find it without reading it."""
    lines = linecache.getlines(filename)
    known = _texts.get(filename)
    if known is None or known[0] is not lines:
        if len(_texts) >= 64:
            _texts.clear()
        known = _texts[filename] = lines, "".join(lines)
    return known[1]


class Expression(NamedTuple):
    """A piece of source and the names that its value gets."""

    node: ast.AST
    target: Any


_COMPREHENSIONS = ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp


def _one_of_several(value: ast.AST) -> tuple[ast.Call, list[ast.expr], int] | None:
    """Of `tape.gradient(y, [a, b])[1]`: the question, the sources, and the place of the one that is taken."""
    match value:
        case ast.Subscript(
            value=ast.Call(
                func=ast.Attribute(attr="gradient"), args=[_, ast.List(elts=several) | ast.Tuple(elts=several)]
            ) as call,
            slice=ast.Constant(value=int(place)),
        ) if place < len(several):
            return call, several, place
    return None


def _target(node: ast.AST | None) -> Any:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Constant | ast.Slice | ast.Tuple):
        return ast.unparse(node).removeprefix("self.")  # what lies under "W" is looked for when it is used
    if isinstance(node, ast.Tuple | ast.List):
        return [_target(element) for element in node.elts]
    return ""


class Program:
    """The source of a file or cell, read once, and what it says where.

    A cell with magics is no Python and says nothing: its lines still show, only the names are lost.
    """

    def __init__(self, source: str) -> None:
        try:
            self.tree = ast.parse(source)
        except (SyntaxError, ValueError):
            self.tree = ast.Module([], [])

    @functools.cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """The node around each node."""
        return {child: parent for parent in ast.walk(self.tree) for child in ast.iter_child_nodes(parent)}

    @functools.cached_property
    def functions(self) -> dict[str, list[ast.FunctionDef | ast.AsyncFunctionDef]]:
        """The functions and methods of the source, by name."""
        found: dict[str, list[ast.FunctionDef | ast.AsyncFunctionDef]] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                found.setdefault(node.name, []).append(node)
        return found

    @functools.cached_property
    def expressions(self) -> dict[Span, Expression]:
        """Each expression, by where it stands."""
        found: dict[Span, Expression] = {}

        def put(node: ast.AST, target: Any) -> None:
            span = span_of(node)
            if span not in found or target:
                found[span] = Expression(node, target)

        def pair(value: ast.AST, target: Any) -> None:
            # What is computed where a comprehension begins is an item that it takes, not what it gives.
            put(value, "" if isinstance(value, _COMPREHENSIONS) else target)
            if isinstance(value, ast.Tuple) and isinstance(target, list) and len(target) == len(value.elts):
                for element, name in zip(value.elts, target, strict=True):
                    pair(element, name)
            elif isinstance(value, ast.IfExp):
                pair(value.body, target)
                pair(value.orelse, target)
            elif (asked := _one_of_several(value)) is not None and isinstance(target, str):
                question, several, place = asked
                put(question, ["" for _ in several[:place]] + [target] + ["" for _ in several[place + 1 :]])

        for node in ast.walk(self.tree):
            if isinstance(node, ast.Assign):
                pair(node.value, _target(node.targets[0]))
            elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and node.value is not None:
                pair(node.value, _target(node.target))
            elif isinstance(node, ast.AugAssign):
                put(node, _target(node.target))
            elif isinstance(node, ast.With):
                for item in node.items:
                    put(item.context_expr, _target(item.optional_vars))
            elif isinstance(node, ast.expr):
                put(node, "")
        return found

    @functools.cached_property
    def handed_on(self) -> tuple[dict[Span, tuple[str, ...]], set[Span]]:
        """The names that calls and comprehensions of the source are assigned to, and what its functions return."""
        names: dict[Span, tuple[str, ...]] = {}
        returned: set[Span] = set()
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr) and node.value is not None:
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                held = [name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)]
                for piece in _pieces(node.value):
                    if isinstance(piece, ast.Call | ast.ListComp) or isinstance(node.value, ast.ListComp):
                        names[span_of(piece)] = tuple(held)
            elif isinstance(node, ast.Lambda):
                returned.update(map(span_of, _pieces(node.body)))
            elif isinstance(node, ast.FunctionDef):
                own = list(own_nodes(node))
                given = [piece for inner in own if isinstance(inner, ast.Return) for piece in _pieces(inner.value)]
                known = {piece.id for piece in given if isinstance(piece, ast.Name)}
                for inner in own:
                    if isinstance(inner, ast.Assign) and known.intersection(flat_names(_target(inner.targets[0]))):
                        given += _pieces(inner.value)
                returned.update(map(span_of, given))
        return names, returned

    @functools.cached_property
    def loop_variables(self) -> dict[int, set[str]]:
        """By line the loop variables of the comprehensions on it, which are names for one turn only."""
        found: dict[int, set[str]] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, _COMPREHENSIONS):
                targets = [part for turn in node.generators for part in ast.walk(turn.target)]
                names = {part.id for part in targets if isinstance(part, ast.Name)}
                for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                    found.setdefault(line, set()).update(names)
        return found

    @functools.cached_property
    def lambdas(self) -> list[tuple[int, int, str]]:
        """Where each lambda begins, and the name that it is bound to: by an assignment, an argument or a dict."""
        nodes, names = list(ast.walk(self.tree)), dict[ast.AST, str]()

        def bind(value: ast.AST | None, name: Any) -> None:
            wrapper = _target(value.func) if isinstance(value, ast.Call) else None
            if isinstance(value, ast.Call) and wrapper in _WRAPPERS and value.args:
                bind(value.args[0], name)
            elif isinstance(value, ast.IfExp):
                bind(value.body, name)
                bind(value.orelse, name)
            elif isinstance(value, ast.Tuple | ast.List) and isinstance(name, list) and len(name) == len(value.elts):
                for element, inner in zip(value.elts, name, strict=True):
                    bind(element, inner)
            elif isinstance(value, ast.Lambda) and isinstance(name, str):
                names[value] = name

        for node in nodes:
            match node:
                case ast.Assign(targets=[target, *_], value=value):
                    bind(value, _target(target))
                case ast.AnnAssign(target=target, value=value) | ast.NamedExpr(target=target, value=value):
                    bind(value, _target(target))
                case ast.keyword(arg=name, value=value):
                    bind(value, name)
                case ast.Dict(keys=keys, values=values):
                    for key, value in zip(keys, values, strict=True):
                        bind(value, key.value if isinstance(key, ast.Constant) else "")
        return [(node.lineno, node.col_offset, names.get(node, "")) for node in nodes if isinstance(node, ast.Lambda)]


@functools.lru_cache(maxsize=64)
def _program(source: str) -> Program:
    return Program(source)


def program_of(filename: str) -> Program:
    """The program in a file or cell; an empty one where Python no longer has the source."""
    return _program(text_of(filename))


def flat_names(target: Any) -> list[str]:
    """The names of an assignment from left to right, however nested."""
    return [name for part in target for name in flat_names(part)] if isinstance(target, list) else [target]


def _pieces(value: ast.AST | None) -> list[ast.AST]:
    """An expression, and the parts of it whose values it contains unchanged: items, branches."""
    match value:
        case None:
            return []
        case ast.Tuple(elts=inside) | ast.List(elts=inside) | ast.Dict(values=inside):
            return [value, *[piece for item in inside for piece in _pieces(item)]]
        case ast.IfExp(body=body, orelse=orelse):
            return [value, *_pieces(body), *_pieces(orelse)]
        case ast.ListComp(elt=item):
            return [value, *_pieces(item)]
    return [value]


def own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function or file, without those of functions and classes in it."""
    for node in ast.iter_child_nodes(function):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            yield node
            yield from own_nodes(node)


def called(function: Any, otherwise: str = "") -> str:
    """What a learner calls a function: its name, or that to which a line binds a lambda; "lambda" where none does.

    >>> called(print), called(3, "inner")
    ('print', 'inner')
    """
    name: str = getattr(function, "__name__", otherwise)
    code = getattr(function, "__code__", None)
    return name if name != "<lambda>" else "lambda" if code is None else _bound_name(code)


# Calls that return a function for the one they are given: a name for the result is a name for that function too.
_WRAPPERS = {"recompute_grad", "custom_gradient", "function", "partial"}


@functools.lru_cache(maxsize=256)
def _bound_name(code: CodeType) -> str:
    name, above = place_of(code)
    first = code.co_firstlineno + above
    body = min([((line or 0) + above, column) for line, _, column, _ in code.co_positions() if column], default=(0, 0))
    before = [found for found in program_of(name).lambdas if found[0] == first and found[:2] < body]
    return max(before, default=(0, 0, ""))[2] or "lambda"
