"""An expression that leaves for NumPy or Python, rewritten with tensors, by a table of NumPy's functions and ours."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np

from .counterparts import IGNORED, OF_SEVERAL, Row, known, rows
from .source import function_name, one_line

_BARE = (
    "float", "complex", "float32", "float64", "asarray", "copy", "item", "tolist", "astype", "numpy",
    "ascontiguousarray", "asanyarray",
)  # fmt: skip
_PACKS = ("constant", "convert_to_tensor", "array", "Variable", "asarray")
_SEVERAL = ast.List | ast.Tuple
_BARE_CALLS = ("float", "complex")
_PYTHON = ("abs", "sum", "max", "min", "pow")  # Python's own, which take tensors as they are
# Functions that take no tensor, or do not answer with one.
_TAKE_NO_TENSOR = ("round", "str", "int", "repr", "format", "bool", "print", "eval", "len")
_TENSORS = ("tf", "tensorflow", "minitape", "keras")
_MODULES = ("np", "numpy", "math", "cmath", "scipy", "sp", "special", "linalg", "la", "LA")
_ATTRIBUTES = {"T": "transpose", "mT": "matrix_transpose", "real": "real", "imag": "imag"}
_WHOLE_NUMBERS = ("int", "bool", "int32", "int64", "uint8")

Rank = Callable[[ast.expr], int | None]  # how many axes what a piece of source stands for has, if that is known


class _NoCounterpart(Exception):
    """Something in the expression has no counterpart among tensors."""


def on_tape(
    node: ast.expr, parents: dict[ast.AST, ast.AST], tf: str, rank: Rank = lambda node: None
) -> tuple[ast.expr, str] | None:
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
        return whole, ast.unparse(_Rewriting(tf, node, rank).tensors(whole))
    except _NoCounterpart:
        return None


# ---- how far the numbers go -----------------------------------------------------------------------------------------------


def _whole(node: ast.expr, parents: dict[ast.AST, ast.AST]) -> ast.expr:
    """The outermost expression that works on the numbers that left."""
    whole: ast.expr = node
    child, around = node, parents.get(node)
    while isinstance(around, ast.expr):
        match around:
            case ast.Call():
                name = function_name(around)
                packs = name in _PACKS
                if not (packs or name in _BARE or _counts(around)) or _is_op(around) and not packs:
                    break
                # tf.constant(x, shape=y.shape) is what x becomes, and not y
                if not packs or around.args[:1] in ([whole], [child]) or _method(around) is not None:
                    whole = around
            case ast.Attribute(attr=name):
                whole = around if name in _ATTRIBUTES else whole
            case ast.BinOp(op=operator):
                whole = around if isinstance(operator, ast.MatMult) else whole
            case ast.UnaryOp() | ast.List() | ast.Tuple():
                pass
            case _ if child is not _item(around):
                break
        child, around = around, parents.get(around)
    return whole


def _item(comprehension: ast.AST) -> ast.expr | None:
    """What a comprehension makes of each turn; None for anything else."""
    return comprehension.elt if isinstance(comprehension, ast.ListComp | ast.GeneratorExp) else None


def _counts(call: ast.Call) -> bool:
    """Whether a function is called that has a counterpart, or takes tensors as they are."""
    name = function_name(call)
    if _method(call) is not None:  # a list's `append` is no array's
        return known(name) and (hasattr(np.ndarray, name) or name in IGNORED)
    return known(name) or isinstance(call.func, ast.Name) and name in _PYTHON


def _base(call: ast.Call) -> str:
    """The name that a call begins with, `np` of `np.linalg.norm(x)`; "" where it begins with something else."""
    base = call.func
    while isinstance(base, ast.Attribute):
        base = base.value
    return base.id if isinstance(base, ast.Name) else ""


def _method(call: ast.Call) -> ast.expr | None:
    """What a method is called on; None for a function, also one of a module's."""
    return (
        call.func.value if isinstance(call.func, ast.Attribute) and _base(call) not in (*_MODULES, *_TENSORS) else None
    )


def _is_op(call: ast.Call) -> bool:
    """Whether a call is of tensors already, and not of NumPy's or Python's own functions."""
    return _base(call) in _TENSORS


def _takes_tensors(whole: ast.expr, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether a tensor can stand there: not in a text, in a call that takes none or is NumPy's, or in a slice of an array."""
    around: ast.AST | None = whole
    while around is not None and not isinstance(around, ast.stmt):
        around = parents.get(around)
        if isinstance(around, ast.Call) and (function_name(around) in _TAKE_NO_TENSOR or _base(around) in _MODULES):
            return False
        if isinstance(around, ast.JoinedStr):
            return False
        if isinstance(around, ast.Attribute) and isinstance(parents.get(around), ast.Call):
            return False  # a method of arrays that has no counterpart
    targets = getattr(around, "targets", [])
    return not any(isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Slice) for target in targets)


# ---- the same with tensors --------------------------------------------------------------------------------------------------


class _Rewriting:
    """One expression, rewritten with tensors: `export` is the piece of it where the numbers left."""

    def __init__(self, tf: str, export: ast.expr, rank: Rank) -> None:
        self.tf, self.export, self.rank = tf, export, rank

    def tensors(self, node: ast.expr) -> ast.expr:
        """The expression with tensors; raises _NoCounterpart."""
        match node:
            case ast.Call(func=ast.Name(id=name), args=[value]) if name in _BARE_CALLS:
                return (
                    value if node is self.export else self.tensors(value)
                )  # what is exported is a tensor, whoever made it
            case ast.Call(func=ast.Attribute(value=value, attr=name), args=[]) if name in _BARE and node is self.export:
                return value
            case ast.Call(func=ast.Name(id=name)) if name in _PYTHON and not node.keywords:
                return ast.Call(node.func, [self.tensors(value) for value in node.args], [])
            case ast.Call():
                return self._call(node)
            case ast.BinOp(left=left, op=ast.MatMult(), right=right):
                return self._product(self.tensors(left), self.tensors(right), self._axes(left), self._axes(right))
            case ast.BinOp(left=left, op=op, right=right):
                return ast.BinOp(self.tensors(left), op, self.tensors(right))
            case ast.UnaryOp(op=op, operand=operand):
                return ast.UnaryOp(op, self.tensors(operand))
            case ast.Attribute(value=value, attr=name) if name in _ATTRIBUTES and not _is_module(node):
                return self._filled(_ATTRIBUTES[name], [value], [])
            case ast.List(elts=parts) | ast.Tuple(elts=parts):
                return ast.List([self.tensors(part) for part in parts])
            case ast.ListComp(elt=item, generators=generators) | ast.GeneratorExp(elt=item, generators=generators):
                return ast.ListComp(self.tensors(item), generators)
        return node

    def _call(self, call: ast.Call) -> ast.expr:
        """A call of a function of NumPy's or Python's, or of a method of an array."""
        name, of = function_name(call), _method(call)
        values = [*([of] if of is not None else []), *call.args]
        if name in (*_BARE, *_PACKS) and values:
            if name == "astype" and ast.unparse(values[-1]).strip("'\"").rpartition(".")[2] in _WHOLE_NUMBERS:
                raise _NoCounterpart  # whole numbers have no slope
            first = self.tensors(values[0])
            if isinstance(values[0], _SEVERAL) or _item(values[0]) is not None:
                return ast.Call(ast.Name(f"{self.tf}.convert_to_tensor"), [first], [])
            return first
        if of is not None and name in ("reshape", "transpose") and len(call.args) > 1:
            values = [of, ast.List(call.args)]  # x.reshape(2, 3)
        if name == "einsum" and not call.keywords:
            return ast.Call(ast.Name(f"{self.tf}.einsum"), [self.tensors(value) for value in values], [])
        if _base(call) == "math" and (name == "remainder" or name in ("prod", "fsum") and self._axes(values[0]) != 1):
            raise _NoCounterpart  # they differ from those of NumPy
        keywords = [keyword for keyword in call.keywords if keyword.arg not in IGNORED.get(name, ())]
        return self._filled(name, values, keywords)

    def _filled(self, name: str, values: list[ast.expr], keywords: list[ast.keyword]) -> ast.expr:
        """The row of a function, with these arguments in it."""
        counted = self._axes(values[1 if name == "solve" and len(values) > 1 else 0]) if values else None
        if name in ("dot", "inner") and 0 in map(self._axes, values):
            counted = 0
        if name in OF_SEVERAL:
            each = {self._axes(value) for value in getattr(values[0], "elts", ())}
            counted = each.pop() if len(each) == 1 else None
        for row in rows(name, counted):
            given: dict[str | None, ast.expr] = dict(zip(row.names, values, strict=False))
            given |= {keyword.arg: keyword.value for keyword in keywords}
            given = {key: value for key, value in given.items() if not _is_none(value)}
            if len(values) <= len(row.names) and row.needed <= given.keys() <= row.used:
                return self._in_row(row, given)
        raise _NoCounterpart

    def _in_row(self, row: Row, given: dict[str | None, ast.expr]) -> ast.expr:
        if isinstance(given.get("arrays"), ast.Call | ast.BinOp | ast.Attribute):
            raise _NoCounterpart  # a tensor is no list of tensors
        tensors = {name: value if name == "model" else self.tensors(value) for name, value in given.items()}
        if isinstance(tensors.get("shape"), ast.Constant | ast.UnaryOp):
            tensors["shape"] = ast.List([tensors["shape"]])  # a shape is a list, also of one length
        axes = {name: self._axes(value) for name, value in given.items()}
        if row.text == "a @ b":
            return self._product(tensors["a"], tensors["b"], axes["a"], axes["b"])
        filled: ast.expr = _Fill(self.tf, row.names, tensors, axes).visit(ast.parse(row.text, mode="eval").body)
        return filled

    def _product(self, left: ast.expr, right: ast.expr, of_left: int | None, of_right: int | None) -> ast.expr:
        """What `@` of arrays is: `@` of tensors takes matrices alone."""
        if of_left == of_right == 2 or max(of_left or 0, of_right or 0) > 2:
            return ast.BinOp(left, ast.MatMult(), right)
        if (of_left, of_right) == (2, 1):
            return ast.Call(ast.Name(f"{self.tf}.linalg.matvec"), [left, right], [])
        return ast.Call(ast.Name(f"{self.tf}.tensordot"), [left, right, ast.Constant(1)], [])

    def _axes(self, node: ast.expr) -> int | None:
        """How many axes a piece of source has, as far as it shows that."""
        match node:
            case ast.Constant():
                return 0
            case ast.List(elts=[first, *_]) | ast.Tuple(elts=[first, *_]):
                inner = self._axes(first)
                return None if inner is None else inner + 1
            case ast.BinOp(left=left, right=right):
                known = [axes for axes in map(self._axes, (left, right)) if axes is not None]
                return max(known) if len(known) == 2 and not isinstance(node.op, ast.MatMult) else None
            case ast.UnaryOp(operand=value) | ast.Attribute(value=value, attr="T"):
                return self._axes(value)
            case ast.Call(func=ast.Attribute(value=value, attr=name), args=[]) if name in _BARE:
                return self.rank(node) if node is self.export else self._axes(value)
        return self.rank(node)


class _Fill(ast.NodeTransformer):
    """A row's expression with the arguments in the places of their names; a keyword whose argument is not given goes."""

    def __init__(
        self, tf: str, names: tuple[str, ...], given: dict[Any, ast.expr], axes: dict[Any, int | None]
    ) -> None:
        self.tf, self.names, self.given, self.axes = tf, names, given, axes

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id == "tf":
            return ast.Name(self.tf)
        return self.given[node.id] if node.id in self.names else node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Name) and node.func.id == "flat":
            (argument,) = node.args
            assert isinstance(argument, ast.Name)
            value = self.given[argument.id]
            if self.axes[argument.id] == 1:
                return value
            if self.axes[argument.id] == 0:
                return ast.List([value])
            return ast.Call(ast.Name(f"{self.tf}.reshape"), [value, ast.List([ast.Constant(-1)])], [])
        node.keywords = [each for each in node.keywords if not self._is_missing(each.value)]
        return self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        node.left, node.right = self._one_tensor(node.left), self._one_tensor(node.right)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        node.value = self._one_tensor(self.visit(node.value))
        return node

    def _one_tensor(self, node: ast.expr) -> ast.expr:
        """A list of tensors as one tensor, which can be computed with."""
        return ast.Call(ast.Name(f"{self.tf}.convert_to_tensor"), [node], []) if isinstance(node, _SEVERAL) else node

    def _is_missing(self, value: ast.expr) -> bool:
        return isinstance(value, ast.Name) and value.id in self.names and value.id not in self.given


def _is_none(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def _is_module(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id in (*_MODULES, *_TENSORS)
