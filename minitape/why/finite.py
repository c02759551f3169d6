"""What to write where a slope is not finite: the function made for it, else a clip inside the domain, else a small number."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from . import fixes, source
from .fixes import Fix
from .history import Edge

# Where an op's slope ends: what its operand is kept inside of.  So near to 1 a small number would be lost.
_CLIPS = {
    "acos": "tf.clip_by_value({x}, -0.999999, 0.999999)", "asin": "tf.clip_by_value({x}, -0.999999, 0.999999)",
    "atanh": "tf.clip_by_value({x}, -0.999999, 0.999999)", "erfinv": "tf.clip_by_value({x}, -0.999999, 0.999999)",
    "ndtri": "tf.clip_by_value({x}, 1e-6, 0.999999)", "acosh": "tf.maximum({x}, 1.000001)",
    "log1p": "tf.maximum({x}, -0.999999)", "exp": "tf.minimum({x}, 80.0)", "sinh": "tf.clip_by_value({x}, -80.0, 80.0)",
    "cosh": "tf.clip_by_value({x}, -80.0, 80.0)", "expm1": "tf.minimum({x}, 80.0)",
}  # fmt: skip
_AT_ZERO = ("sqrt", "rsqrt", "log", "pow", "lgamma", "digamma", "reciprocal")
# Functions of several ops in which nothing is the learner's own to keep away from zero.
_INSIDE = {
    "norm": "tf.sqrt(tf.reduce_sum({x} * {x}{axis}) + 1e-12)",
    "reduce_euclidean_norm": "tf.sqrt(tf.reduce_sum({x} * {x}{axis}) + 1e-12)",
    "reduce_std": "tf.sqrt(tf.math.reduce_variance({x}{axis}) + 1e-12)",
}
# Expressions for which there is a function, as they are written, with a and x for what differs.
_MADE_FOR = (
    ("exp(x) / (1 + exp(x))", "tf.sigmoid({x})"), ("exp(x) / (exp(x) + 1)", "tf.sigmoid({x})"),
    ("1 / (1 + exp(-x))", "tf.sigmoid({x})"), ("1 / (exp(-x) + 1)", "tf.sigmoid({x})"),
    ("exp(x) / reduce_sum(exp(x))", "tf.nn.softmax({x})"), ("log(reduce_sum(exp(x)))", "tf.reduce_logsumexp({x})"),
    ("log(1 + exp(x))", "tf.math.softplus({x})"), ("log(exp(x) + 1)", "tf.math.softplus({x})"),
    ("log1p(exp(x))", "tf.math.softplus({x})"), ("log(1 - sigmoid(x))", "tf.math.log_sigmoid(-({x}))"),
    ("log(sigmoid(x))", "tf.math.log_sigmoid({x})"), ("log(softmax(x))", "tf.nn.log_softmax({x})"),
    ("a * log(x)", "tf.math.xlogy({a}, {x})"), ("log(x) * a", "tf.math.xlogy({a}, {x})"),
)  # fmt: skip


def finite(edge: Edge, before: Any, after: Any, chosen: bool) -> Fix:
    """Keep an op away from where its slope is infinite; `before` and `after` are what came to it and went on."""
    op, site, node = edge.application.op, edge.site, source.node_at(edge.site)
    tf = source.alias(site)
    if chosen:
        return Fix(
            f"both branches run: give {op} a harmless number where the other is chosen, {tf}.where(condition, x, 1.0)"
        )
    if node is None:
        return Fix(f"keep what {op} takes where its slope is finite")
    if (made := _made_for(node, site.program.parents)) is not None:
        whole, text = made
        return _change(site, whole, _ours(text, tf), "there is a function made for it")
    called = source.function_name(node) if isinstance(node, ast.Call) else ""
    taken = node.args[0] if isinstance(node, ast.Call) and node.args else None
    if called in _INSIDE and isinstance(node, ast.Call) and len(node.args) == 1 and _only_axes(node):
        axis = "".join(f", {ast.unparse(keyword)}" for keyword in node.keywords)
        text = _INSIDE[called].format(x=_operand(node.args[0]), axis=axis)
        return _change(site, node, _ours(text, tf), f"{op} inside of it has no finite slope at 0")
    negative = np.isnan(np.asarray(after, dtype=complex)).any() and not _all_zero(before)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        taken = node.left
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        text = f"{tf}.math.divide_no_nan({ast.unparse(node.left)}, {ast.unparse(node.right)})"
        return _change(site, node, text, "it is 0 where the divisor is, and so is its slope")
    if taken is None or op not in (*_CLIPS, *_AT_ZERO) or called not in (op, ""):
        return Fix(f"keep what {called or op} takes where its slope is finite")
    if op == "pow" and negative:
        text = f"{tf}.abs({ast.unparse(taken)})"
        return _change(site, taken, text, "a negative number to the power of a fraction is no real number")
    if op in _CLIPS:
        return _change(
            site, taken, _ours(_CLIPS[op].format(x=ast.unparse(taken)), tf), f"keep what {op} takes inside its domain"
        )
    if negative:
        return _change(site, taken, f"{tf}.maximum({ast.unparse(taken)}, 1e-12)", f"keep what {op} takes above 0")
    text = f"{ast.unparse(taken)} + 1e-12"
    text = f"({text})" if isinstance(node, ast.BinOp) else text
    return _change(site, taken, text, f"keep what {op} takes away from 0")


def _only_axes(call: ast.Call) -> bool:
    return all(keyword.arg in ("axis", "keepdims") for keyword in call.keywords)


def _change(site: Any, node: ast.expr, text: str, why: str) -> Fix:
    advice = f"{why}: write {text} instead of {source.unparse(node)}"
    return fixes.one_change(advice, site, node, text) if source.one_line(node) else Fix(advice)


def _ours(text: str, tf: str) -> str:
    return text.replace("tf.", f"{tf}.")


def _operand(node: ast.expr) -> str:
    """A piece of source as it may stand beside `*`."""
    text = ast.unparse(node)
    return text if isinstance(node, ast.Name | ast.Call | ast.Attribute | ast.Subscript) else f"({text})"


def _all_zero(value: Any) -> bool:
    return value is not None and not np.asarray(value, dtype=complex).any()


def _made_for(node: ast.expr, parents: dict[ast.AST, ast.AST]) -> tuple[ast.expr, str] | None:
    """The expression around an op, or that which it takes a part in, for which there is a function, and its call."""
    around: ast.AST | None = node
    while isinstance(around, ast.expr):
        for written, text in _MADE_FOR:
            found: dict[str, ast.expr] = {}
            if _fits(ast.parse(written, mode="eval").body, around, found):
                filled = text.format(**{name: ast.unparse(part) for name, part in found.items()})
                return around, ast.unparse(ast.parse(filled, mode="eval"))
        around = parents.get(around)
    return None


def _fits(pattern: ast.expr, node: ast.AST | None, found: dict[str, ast.expr]) -> bool:
    """Whether a piece of source is built like the pattern; notes what stands for its names."""
    match pattern:
        case ast.Name(id=name):
            return isinstance(node, ast.expr) and ast.dump(found.setdefault(name, node)) == ast.dump(node)
        case ast.Constant(value=value):
            return isinstance(node, ast.Constant) and node.value == value
        case ast.Call(func=ast.Name(id=name), args=[inner]):
            if not isinstance(node, ast.Call) or source.function_name(node) != name or len(node.args) != 1:
                return False
            return not node.keywords and _fits(inner, node.args[0], found)
        case ast.BinOp(left=left, op=op, right=right):
            if not isinstance(node, ast.BinOp) or type(node.op) is not type(op):
                return False
            return _fits(left, node.left, found) and _fits(right, node.right, found)
        case ast.UnaryOp(op=op, operand=operand):
            return isinstance(node, ast.UnaryOp) and type(node.op) is type(op) and _fits(operand, node.operand, found)
    return False
