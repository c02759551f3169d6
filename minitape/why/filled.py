"""Tensors that are written into an array made by NumPy, which holds plain numbers: how that is told, and what to do."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ..record.naming import own_nodes
from ..record.provenance import Site
from . import rewriting, source
from .rewriting import Edit
from .stores import WRITES, scope_of

_COPIES = ("array", "asarray", "copy")
_MAKES = (
    *_COPIES, "zeros", "ones", "empty", "full", "eye", "identity", "arange", "linspace", "zeros_like", "ones_like", "empty_like",
)  # fmt: skip


def item(node: ast.AST | None) -> ast.Subscript | None:
    """The item of an array that this piece of source writes; None where it writes none."""
    return node if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) else None


def writes(node: ast.AST | None) -> bool:
    """Whether this piece of source writes into an array: by an assignment to an item, or by a function made for that."""
    if isinstance(node, ast.Call):
        written = source.function_name(node) in (*WRITES, "fill", "itemset")
        return written or any(keyword.arg == "out" for keyword in node.keywords)
    return item(node) is not None


def assigned(site: Site) -> str:
    """For an assignment to an item: what it writes there; "" for anything else."""
    node = item(source.node_at(site))
    around = site.program.parents.get(node) if node is not None else None
    return source.unparse(around.value) if isinstance(around, ast.Assign | ast.AugAssign) else ""


def written(site: Site) -> str:
    """For an assignment to an item: how it is written, without its value; "" for anything else."""
    node = item(source.node_at(site))
    if node is None:
        return ""
    sign = "+=" if isinstance(site.program.parents.get(node), ast.AugAssign) else "="
    return f"{source.unparse(node)} {sign} …"


def instead(site: Site, tag: Any) -> tuple[str, tuple[Edit, ...]]:
    """What to do instead, in words and, where the array is made and filled in one function, as changes of lines."""
    tf, node = source.alias(site), item(source.node_at(site))
    text = "an array made by NumPy holds plain numbers: "
    gather = f"gather the tensors in a Python list and make one of it with {tf}.stack"
    found = _Filled(site, node, _array(node), tf, tag).rewritten() if node is not None and _array(node) else None
    if found is None:
        return f"{text}{gather}, or use {tf}.tensor_scatter_nd_update", ()
    pieces, made, here = found
    return f"{text}make a tensor, {made}, and write {here}; or {gather}", rewriting.all_replaced(site, pieces)


def _array(node: ast.AST) -> str:
    """The name of an item's array, `R` of `R[0][1]`; "" where it has none."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


class _Filled:
    """An array that one function makes by NumPy and fills: its lines, rewritten with tensors."""

    def __init__(self, site: Site, node: ast.expr, name: str, tf: str, tag: Any) -> None:
        self.node, self.name, self.tf, self.tag = node, name, tf, tag
        self.scope = scope_of(site.program, node)

    def rewritten(self) -> tuple[list[tuple[ast.AST, str]], str, str] | None:
        """Each statement with what to write instead, and the latter for the one that makes the array and the one asked about."""
        pieces: list[tuple[ast.AST, str]] = []
        made = here = ""
        if self._asks_for_an_array():
            return None
        for statement in self._statements():
            if isinstance(statement, ast.AnnAssign) or not source.one_line(statement):
                return None
            target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
            if isinstance(target, ast.Name):
                text = self._made(statement)
                made = made or text or ""
            else:
                text = self._written(statement, target)
            if text is None:
                return None
            pieces.append((statement, text))
            here = text if target is self.node else here
        return (pieces, made, here) if made and here else None

    def _statements(self) -> Iterator[ast.Assign | ast.AugAssign | ast.AnnAssign]:
        """The assignments to the array and to its items."""
        for node in own_nodes(self.scope):
            if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                stored = [part for target in targets for part in ast.walk(target) if hasattr(part, "ctx")]
                if any(_array(part) == self.name for part in stored if isinstance(part.ctx, ast.Store)):
                    yield node

    def _asks_for_an_array(self) -> bool:
        """Whether the function asks the array for what a tensor has not, `u.astype(...)`."""
        asked = [node for node in own_nodes(self.scope) if isinstance(node, ast.Attribute)]
        return any(node.attr not in ("shape", "ndim", "dtype") and _array(node.value) == self.name for node in asked)

    def _made(self, statement: ast.Assign | ast.AugAssign) -> str | None:
        """The line that makes the array, as one that makes a tensor."""
        call = statement.value
        if isinstance(statement, ast.AugAssign) or len(statement.targets) > 1 or not isinstance(call, ast.Call):
            return None
        made = source.function_name(call)
        if made not in _MAKES or not isinstance(call.func, ast.Attribute):
            return None
        of = call.func.value
        if not (isinstance(of, ast.Name) and of.id in ("np", "numpy")):
            if made != "copy":
                return None
            numbers: ast.expr = of
        else:
            numbers = call.args[0] if made in _COPIES and call.args else call
        return f"{self.name} = {self.tf}.convert_to_tensor({ast.unparse(numbers)}, {self.tf}.{self.tag.dtype})"

    def _written(self, statement: ast.Assign | ast.AugAssign, target: ast.expr) -> str | None:
        """A line that writes an item, as one that makes a tensor which has it."""
        if isinstance(statement, ast.Assign) and len(statement.targets) > 1 or not isinstance(target, ast.Subscript):
            return None
        value = statement.value
        if isinstance(statement, ast.AugAssign):
            value = ast.BinOp(ast.parse(ast.unparse(target), mode="eval").body, statement.op, value)
        if isinstance(target.slice, ast.Slice) and isinstance(target.value, ast.Name):
            return self._slice(target.slice, ast.unparse(value), isinstance(value, ast.Constant))
        places = _places(target)
        if places is None:
            return None
        return f"{self.name} = {self.tf}.tensor_scatter_nd_update({self.name}, [[{places}]], [{ast.unparse(value)}])"

    def _slice(self, taken: ast.Slice, value: str, plain: bool) -> str | None:
        if taken.step is not None or plain or not self.tag.shape:
            return None
        before = [f"{self.name}[:{ast.unparse(taken.lower)}]"] if taken.lower is not None else []
        after = [f"{self.name}[{ast.unparse(taken.upper)}:]"] if taken.upper is not None else []
        if not before and not after:
            return f"{self.name} = {value}"
        return f"{self.name} = {self.tf}.concat([{', '.join([*before, value, *after])}], axis=0)"


def _places(target: ast.expr) -> str | None:
    """The places of an item, one for each axis; None where one of them is a slice, or counts from the end."""
    places: list[ast.expr] = []
    while isinstance(target, ast.Subscript):
        places[:0] = target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]
        target = target.value
    if not isinstance(target, ast.Name) or any(
        isinstance(place, ast.Slice | ast.UnaryOp | ast.Starred | ast.List | ast.Compare)
        or isinstance(place, ast.Constant)
        and not isinstance(place.value, int)
        for place in places
    ):
        return None
    return ", ".join(map(ast.unparse, places))
