"""The learner's program as text: which statement ran, where a number in it came from, and how to change it.

All of it works on source that Python still has; where there is none, answers are empty and explanations do with less.
"""

from __future__ import annotations

import ast
import copy
import functools
from collections.abc import Iterator
from typing import Any, NamedTuple

from .provenance import Site


class Parsed(NamedTuple):
    """One file or cell: its tree, and the parent of every node."""

    tree: ast.Module
    parents: dict[ast.AST, ast.AST]


class Edit(NamedTuple):
    """Lines `first` to `last` become `lines`; with `last` = `first` − 1 they are put in before `first`."""

    first: int
    last: int
    lines: tuple[str, ...]


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
    span = site._span
    if program is None:
        return None
    exact = [one for one in ast.walk(program.tree) if isinstance(one, ast.expr) and _span(one) == span]
    return exact[0] if exact else None


def _span(node: Any) -> tuple[int, int, int, int]:
    return (node.lineno, node.end_lineno or 0, node.col_offset, node.end_col_offset or 0)


def statement(site: Site) -> ast.stmt | None:
    """The smallest statement around the site's line."""
    program = parsed(site)
    if program is None:
        return None
    around = [
        one for one in ast.walk(program.tree) if isinstance(one, ast.stmt) and _first(one) <= site.line <= _last(one)
    ]
    simple = [one for one in around if not hasattr(one, "body")]
    return min(simple or around, key=lambda one: _last(one) - _first(one), default=None)


def _first(node: Any) -> int:
    return min([node.lineno, *[one.lineno for one in getattr(node, "decorator_list", [])]])


def _last(node: Any) -> int:
    return node.end_lineno or node.lineno


def block_at(site: Site) -> ast.With | None:
    """The `with` whose header holds the site: where a recorder was made."""
    program = parsed(site)
    if program is None:
        return None
    for one in ast.walk(program.tree):
        if isinstance(one, ast.With) and any(
            item.context_expr.lineno <= site.line <= _last(item.context_expr) for item in one.items
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
            first, last, left, right = _span(piece)
            if (first, left) <= (line, column) and (end or line, end_column) <= (last, right):
                return True
        return site.function != "<module>" and site.function in self.called


def flow(site: Site, expression: ast.expr | None) -> Flow:
    """Follow an expression backwards through the assignments of its own function, cell or file."""
    program = parsed(site)
    if program is None or expression is None:
        return Flow((), frozenset(), True)
    scope = _scope(program, expression)
    pieces, names, done, called = [expression], _names(expression), set[str](), set[str]()
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
            names |= _names(value) - done
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


def _names(node: ast.AST) -> set[str]:
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


# ---- how to change it -----------------------------------------------------------------------------------------------------


def applied(edits: tuple[Edit, ...], source: str) -> str:
    """The source with the edits made.

    >>> print(applied((Edit(2, 2, ("two",)), Edit(1, 0, ("zero",))), "1\\n2"))
    zero
    1
    two
    """
    lines = source.splitlines()
    for one in sorted(edits, key=lambda edit: (edit.first, edit.last), reverse=True):
        lines[one.first - 1 : one.last] = one.lines
    return "\n".join(lines) + ("\n" if source.endswith("\n") else "")


def indent_of(site: Site, line: int) -> str:
    """The white space at the start of a line."""
    lines = site.lines
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    return text[: len(text) - len(text.lstrip())]


def insert_before(site: Site, line: int, text: str) -> Edit:
    """A new line above a line, as far to the right as it."""
    return Edit(line, line - 1, (indent_of(site, line) + text,))


def moved_into(site: Site, moving: ast.stmt, block: ast.With) -> tuple[Edit, ...]:
    """Move a statement to the end of a `with` block, and with it what it needs of the lines between."""
    inner = indent_of(site, _first(block.body[0]))
    outer = indent_of(site, _first(moving))
    lines = [one.rstrip("\n") for one in site.lines]
    program = parsed(site)
    between = _between(program, block, moving) if program is not None else []
    needed, chosen = _names(moving), [moving]
    for one in reversed(between):
        if _bound(one) & needed:
            chosen.insert(0, one)
            needed |= _names(one)
    edits = []
    text: list[str] = []
    for one in chosen:
        piece = lines[_first(one) - 1 : _last(one)]
        text += [inner + line.removeprefix(outer) for line in piece]
        edits.append(Edit(_first(one), _last(one), ()))
    return (*edits, Edit(_last(block) + 1, _last(block), tuple(text)))


def moved_to_start(site: Site, moving: ast.stmt, block: ast.With) -> tuple[Edit, ...]:
    """Move a statement from above a `with` block to its start."""
    lines = [one.rstrip("\n") for one in site.lines]
    first = _first(block.body[0])
    inner, outer = indent_of(site, first), indent_of(site, _first(moving))
    text = tuple(inner + line.removeprefix(outer) for line in lines[_first(moving) - 1 : _last(moving)])
    return (Edit(_first(moving), _last(moving), ()), Edit(first, first - 1, text))


def _between(program: Parsed, block: ast.With, moving: ast.stmt) -> list[ast.stmt]:
    """The statements between the end of a block and a later statement beside it."""
    parent = program.parents.get(moving)
    for body in (getattr(parent, "body", []), getattr(parent, "orelse", [])):
        if moving in body:
            return [one for one in body if _last(block) < _first(one) < _first(moving)]
    return []


def _bound(statement_: ast.stmt) -> set[str]:
    return {one.id for one in ast.walk(statement_) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}


def replaced(site: Site, node: ast.expr, text: str) -> Edit:
    """An expression that stands on one line, replaced by other source."""
    lines = site.lines
    line = lines[node.lineno - 1].rstrip("\n")
    raw = line.encode()
    before, after = raw[: node.col_offset].decode(), raw[node.end_col_offset :].decode()
    return Edit(node.lineno, node.lineno, (before + text + after,))


def one_line(node: ast.AST | None) -> bool:
    """Whether a node stands on one line."""
    return node is not None and _span(node)[0] == _span(node)[1]


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


_TWINS = {
    "mean": "reduce_mean", "average": "reduce_mean", "sum": "reduce_sum", "max": "reduce_max", "amax": "reduce_max",
    "min": "reduce_min", "amin": "reduce_min", "prod": "reduce_prod", "arctan": "atan", "arcsin": "asin", "arccos": "acos",
    "log": "math.log", "log1p": "math.log1p", "power": "pow", "dot": "tensordot", "absolute": "abs", "concatenate": "concat",
    "arctan2": "atan2", "float32": "", "float64": "", "array": "", "asarray": "",
}  # fmt: skip
_SAME = [
    "sin",
    "cos",
    "tan",
    "exp",
    "sqrt",
    "square",
    "tanh",
    "sinh",
    "cosh",
    "abs",
    "maximum",
    "minimum",
    "multiply",
    "add",
    "subtract",
    "divide",
    "matmul",
    "reshape",
    "transpose",
    "where",
    "stack",
    "squeeze",
    "sign",
]


def twin(node: ast.expr | None, tf: str) -> tuple[str, str] | None:
    """For an export, how it is written and what to write instead: `np.mean(x)` is `tf.reduce_mean(x)`, `float(x)` is `x`."""
    match node:
        case ast.Call(func=ast.Name(id="float" | "int" | "complex"), args=[value]):
            return unparse(node), ast.unparse(value)
        case ast.Call(func=ast.Attribute(value=value, attr="numpy")):
            return unparse(node), ast.unparse(value)
        case ast.Call(func=ast.Attribute(value=ast.Name(), attr=name)) if name in _TWINS or name in _SAME:
            arguments = copy.deepcopy(node)
            new = _TWINS.get(name, name)
            if not new:
                return unparse(node), ast.unparse(node.args[0]) if node.args else "x"
            arguments.func = ast.Name(f"{tf}.{new}")
            return unparse(node), ast.unparse(arguments)
        case ast.Call():
            return unparse(node), ""
    return None
