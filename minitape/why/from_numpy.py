"""An expression that leaves for NumPy or Python, rewritten with tensors, by a table of NumPy's functions and ours."""

from __future__ import annotations

import ast

from .source import function_name, one_line

_COUNTERPARTS = {
    "mean": "reduce_mean", "average": "reduce_mean", "sum": "reduce_sum", "max": "reduce_max", "amax": "reduce_max",
    "min": "reduce_min", "amin": "reduce_min", "prod": "reduce_prod", "arctan": "atan", "arcsin": "asin", "arccos": "acos",
    "log": "math.log", "log1p": "math.log1p", "expm1": "math.expm1", "power": "pow", "absolute": "abs", "fabs": "abs",
    "arctan2": "atan2", "std": "math.reduce_std", "var": "math.reduce_variance", "norm": "norm", "clip": "clip_by_value",
    "concatenate": "concat", "dot": "tensordot", "multiply": "multiply", "subtract": "subtract", "divide": "divide",
    **{name: name for name in (
        "sin", "cos", "tan", "exp", "sqrt", "square", "tanh", "sinh", "cosh", "abs", "maximum", "minimum", "add", "matmul",
        "reshape", "transpose", "where", "stack", "squeeze", "sign", "pow", "argmax",
    )},
}  # fmt: skip
_BARE = ("float", "complex", "float32", "float64", "asarray", "copy", "item", "tolist", "astype", "ravel", "numpy")
_PACKS = ("constant", "convert_to_tensor", "array", "Variable", "asarray")
_SEVERAL = ast.List | ast.Tuple
_BARE_CALLS = ("float", "complex")
# Functions that take no tensor, or do not answer with one.
_TAKE_NO_TENSOR = ("round", "str", "int", "repr", "format", "bool", "print", "eval", "len")


class _NoCounterpart(Exception):
    """Something in the expression has no counterpart among tensors."""


def on_tape(node: ast.expr, parents: dict[ast.AST, ast.AST], tf: str) -> tuple[ast.expr, str] | None:
    """The expression around an export that has to change, and what to write instead; None where no rewriting is known.

    >>> tree = ast.parse("y = np.sqrt(np.sum(w.numpy() ** 2)) * w")
    >>> parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    >>> [call] = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and "numpy" in ast.unparse(node.func)]
    >>> whole, instead = on_tape(call, parents, "tf")
    >>> ast.unparse(whole), instead
    ('np.sqrt(np.sum(w.numpy() ** 2))', 'tf.sqrt(tf.reduce_sum(w ** 2))')
    """
    whole = _whole(node, parents)
    if not one_line(whole) or not _takes_tensors(whole, parents):
        return None
    try:
        return whole, ast.unparse(_with_tensors(whole, tf, node))
    except _NoCounterpart:
        return None


def _whole(node: ast.expr, parents: dict[ast.AST, ast.AST]) -> ast.expr:
    """The outermost expression that works on the numbers that left."""
    whole: ast.expr = node
    child, around = node, parents.get(node)
    while isinstance(around, ast.expr) and not isinstance(
        around, ast.JoinedStr | ast.FormattedValue | ast.Compare | ast.IfExp
    ):
        if isinstance(around, ast.Call):
            name = function_name(around)
            method = isinstance(around.func, ast.Attribute) and not isinstance(around.func.value, ast.Name)
            if not (name in _COUNTERPARTS or name in _BARE or name in _PACKS) or (
                _is_op(around) and name not in _PACKS
            ):
                break
            if name not in _PACKS or around.args[:1] in ([whole], [child]) or method:
                whole = around
        elif not isinstance(around, ast.Attribute | ast.BinOp | ast.UnaryOp | _SEVERAL) and child is not _item(around):
            break
        child, around = around, parents.get(around)
    return whole


def _item(comprehension: ast.AST) -> ast.expr | None:
    """What a comprehension makes of each turn; None for anything else."""
    return comprehension.elt if isinstance(comprehension, ast.ListComp | ast.GeneratorExp) else None


def _is_op(call: ast.Call) -> bool:
    """Whether a call is of tensors already, and not of NumPy's or Python's own functions."""
    return _of(call, "tf", "tensorflow", "minitape", "keras")


def _of(call: ast.Call, *libraries: str) -> bool:
    """Whether a function is called that belongs to one of these."""
    base = call.func
    while isinstance(base, ast.Attribute):
        base = base.value
    return isinstance(base, ast.Name) and base.id in libraries


def _takes_tensors(whole: ast.expr, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether a tensor can stand there: not in a text, in a call that takes none or is NumPy's, or in a slice of an array."""
    around: ast.AST | None = whole
    while around is not None and not isinstance(around, ast.stmt):
        around = parents.get(around)
        if isinstance(around, ast.Call) and (function_name(around) in _TAKE_NO_TENSOR or _of(around, "np", "numpy")):
            return False
        if isinstance(around, ast.JoinedStr):
            return False
        if isinstance(around, ast.Attribute) and isinstance(parents.get(around), ast.Call):
            return False  # a method of arrays that has no counterpart
    targets = getattr(around, "targets", [])
    return not any(isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Slice) for target in targets)


def _with_tensors(node: ast.expr, tf: str, export: ast.expr) -> ast.expr:
    """The expression rewritten with tensors; raises _NoCounterpart."""
    match node:
        case ast.Call(func=ast.Name(id=name), args=[value]) if name in _BARE_CALLS and node is export:
            return value  # what is exported is a tensor, whoever made it
        case ast.Call(func=ast.Attribute(value=value, attr=name), args=[]) if name in _BARE and node is export:
            return value
        case ast.Call(func=ast.Name(id=name), args=[value]) if name in _BARE_CALLS:
            return _with_tensors(value, tf, export)
        case ast.Call(func=ast.Attribute(value=ast.Name()), args=[*values]) if values:
            return _function(node, function_name(node), values, tf, export)
        case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in _BARE:
            return _with_tensors(value, tf, export)
        case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in _COUNTERPARTS:
            return _function(node, name, [value, *node.args], tf, export)
        case ast.Call(func=ast.Attribute(value=ast.Attribute()), args=[*values]) if values:  # np.linalg.norm
            return _function(node, function_name(node), values, tf, export)
        case ast.BinOp(left=left, op=op, right=right):
            return ast.BinOp(_with_tensors(left, tf, export), op, _with_tensors(right, tf, export))
        case ast.UnaryOp(op=op, operand=operand):
            return ast.UnaryOp(op, _with_tensors(operand, tf, export))
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return ast.List([_with_tensors(part, tf, export) for part in parts])
        case ast.ListComp(elt=item, generators=generators) | ast.GeneratorExp(elt=item, generators=generators):
            return ast.ListComp(_with_tensors(item, tf, export), generators)
        case ast.Call():
            raise _NoCounterpart
    return node


def _function(call: ast.Call, name: str, values: list[ast.expr], tf: str, export: ast.expr) -> ast.expr:
    first = values[0]
    if name in (*_BARE, *_PACKS):
        tensors = _with_tensors(first, tf, export)
        if isinstance(first, _SEVERAL) or _item(first) is not None:
            return ast.Call(ast.Name(f"{tf}.convert_to_tensor"), [tensors], [])
        return tensors
    if name not in _COUNTERPARTS:
        raise _NoCounterpart
    arguments, keywords = [_with_tensors(value, tf, export) for value in values], list(call.keywords)
    if name == "dot" and len(arguments) == 2:
        arguments.append(ast.Constant(1))
    if name == "concatenate" and len(arguments) == 1 and not keywords:
        keywords = [ast.keyword("axis", ast.Constant(0))]
    return ast.Call(ast.Name(f"{tf}.{_COUNTERPARTS[name]}"), arguments, keywords)
