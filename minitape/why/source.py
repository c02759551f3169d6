"""The learner's program as text: which statement stands at a site, and in which block.

`flow` follows a number through it, and `rewriting` changes it.  Where Python no longer has the source, answers are empty and
explanations say less.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sized
from typing import Any

from ..record.naming import span_of
from ..record.provenance import Site, learner_frame, value_in


def node_at(site: Site) -> ast.expr | None:
    """The expression that the site's instruction computes."""
    found = site.expression()
    return found.node if found is not None and isinstance(found.node, ast.expr) else None


def statement(site: Site) -> ast.stmt | None:
    """The smallest statement around the site's line."""
    around = [
        node
        for node in ast.walk(site.program.tree)
        if isinstance(node, ast.stmt) and first_line(node) <= site.line <= last_line(node)
    ]
    simple = [statement for statement in around if not hasattr(statement, "body")]
    return min(simple or around, key=lambda statement: last_line(statement) - first_line(statement), default=None)


def first_line(node: Any) -> int:
    """Its first line, decorators too."""
    return min([node.lineno, *[decorator.lineno for decorator in getattr(node, "decorator_list", [])]])


def last_line(node: Any) -> int:
    """Its last line."""
    return node.end_lineno or node.lineno


def block_at(site: Site) -> ast.With | None:
    """The `with` whose header holds the site: where a recorder was made."""
    for node in ast.walk(site.program.tree):
        if isinstance(node, ast.With) and any(
            item.context_expr.lineno <= site.line <= last_line(item.context_expr) for item in node.items
        ):
            return node
    return None


def _block_named(site: Site, name: str) -> ast.With | None:
    """The `with name:` of a recorder that was made before its block."""
    for node in ast.walk(site.program.tree):
        if isinstance(node, ast.With) and any(
            isinstance(item.context_expr, ast.Name) and item.context_expr.id == name for item in node.items
        ):
            return node
    return None


def block_of(label: Any) -> ast.With | None:
    """The `with` block of a recorder."""
    return block_at(label.site) or _block_named(label.site, label.site.assigned_name())


def function_name(call: ast.Call) -> str:
    """What stands before a call's brackets, without what it belongs to; "" where that has no name."""
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def names_in(node: ast.AST) -> set[str]:
    """The names that an expression reads, without those of functions that it calls."""
    nodes = list(ast.walk(node))
    called = {call.func for call in nodes if isinstance(call, ast.Call)}
    return {name.id for name in nodes if isinstance(name, ast.Name) and name not in called}


def ranks(site: Site, export: ast.expr | None, tag: Any) -> Callable[[ast.expr], int | None]:
    """How many axes pieces of source at a site have: the one whose numbers left, and names that are still what they were."""
    frame = learner_frame()
    still_there = frame.f_code is site.code or frame.f_code.co_name == site.function == "<module>"
    own = [export]
    if isinstance(export, ast.Call) and len(export.args) == 1:
        own += export.args

    def rank(node: ast.expr) -> int | None:
        if any(node is piece for piece in own):
            return len(tag.shape)
        name = node.id if isinstance(node, ast.Name) and still_there else ""
        value = value_in(frame, name) if name else None
        shape = () if isinstance(value, int | float) else getattr(value, "shape", None)
        return len(shape) if isinstance(shape, Sized) else None

    return rank


# ---- in words -----------------------------------------------------------------------------------------------------------


def one_line(node: ast.AST | None) -> bool:
    """Whether a node stands on one line."""
    return node is not None and span_of(node)[0] == span_of(node)[1]


def alias(site: Site) -> str:
    """The name under which the program knows this library: `tf` where nothing says otherwise."""
    for node in ast.walk(site.program.tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                if name.name in ("minitape", "tensorflow"):
                    return name.asname or name.name
    return "tf"


def unparse(node: ast.AST | None, most: int = 40) -> str:
    """A piece of source on one line, shortened."""
    if node is None:
        return ""
    text = ast.unparse(node)
    if len(text) <= most:
        return text
    match node:  # cut at its end it would be the name of something else: of what stands before the sign
        case ast.BinOp(left=left, op=op, right=right):
            return ast.unparse(ast.BinOp(_cut(left, most), op, _cut(right, most)))
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return ast.unparse(ast.Compare(_cut(left, most), [op], [_cut(right, most)]))
    return text[: most - 1] + "…"


def _cut(operand: ast.expr, most: int) -> ast.expr:
    """An operand that leaves room for the other one."""
    return ast.Name(unparse(operand, most // 2 - 2)) if len(ast.unparse(operand)) > most // 2 - 2 else operand
