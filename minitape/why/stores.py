"""What a name, an attribute or a key of the learner's program was given, and where: the stores that `flow` goes back through."""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ..record.naming import Program, own_nodes
from .source import function_name

ANY = object()  # any key of a container
_ADDS = ("append", "appendleft", "extend", "insert", "add", "update", "fill", "setdefault", "itemset", "put", "push")
# Functions of NumPy that write into the array that they are given first.
WRITES = ("put", "copyto", "place", "putmask", "put_along_axis", "fill_diagonal", "at")
_VIEWS = ("flat", "T", "real", "imag")  # attributes of an array through which it is written into
_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
_LOOPS = ast.For | ast.AsyncFor | ast.While | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


class Binding(NamedTuple):
    """What holds a value in the learner's program: a name (`base`), an attribute of any object, or a key of either."""

    base: str
    attribute: bool
    key: Any
    scope: ast.AST
    since: tuple[int, int] = (0, 0)  # where it was last given a value of its own: what was stored before is gone
    until: tuple[int, int] = (
        sys.maxsize,
        0,
    )  # and where it is read: what is stored behind that comes too late, but in loops


def key_of(node: ast.AST) -> Any:
    """The key that is written out between brackets, or ANY."""
    return node.value if isinstance(node, ast.Constant) else ANY


def scope_of(program: Program, node: ast.AST) -> ast.AST:
    """The function around a node, or the whole file."""
    while node in program.parents:
        node = program.parents[node]
        if isinstance(node, _FUNCTIONS | ast.Lambda):
            return node
    return program.tree


def functions(program: Program, name: str) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The functions and methods of this name."""
    return program.functions.get(name, [])


def is_property(program: Program, name: str) -> bool:
    """Whether a class of the program's works this attribute out by a function."""
    kinds = [ast.unparse(decorator) for function in functions(program, name) for decorator in function.decorator_list]
    return any(kind.rpartition(".")[2] in ("property", "cached_property") for kind in kinds)


def returned(program: Program, call: ast.Call) -> list[ast.expr]:
    """What a call of one of the program's own functions may answer with."""
    if isinstance(call.func, ast.Attribute):
        of = call.func.value
        if isinstance(of, ast.Name) and imported(program.tree, of.id):  # np.sum is no method of the program's
            return []
    return [
        node.value
        for function in functions(program, function_name(call))
        for node in own_nodes(function)
        if isinstance(node, ast.Return) and node.value is not None
    ]


def stores(program: Program, binding: Binding) -> Iterator[ast.expr]:
    """The expressions stored to an attribute anywhere, or to a name in its own scope or the nearest one around it that has any.

    Where an item is stored the target itself is among them, because an array made by NumPy takes numbers out of a tensor there.
    """
    if binding.attribute:
        yield from _given(ast.walk(program.tree), binding)
        yield from _made_with(program, binding)
        return
    scope = binding.scope
    while True:
        here = binding._replace(scope=scope)
        found = list(_given(_reaching(program, here), here)) + _written_by_calls(program, here)
        if binding.base in parameters(scope) and binding.since == (0, 0):
            yield from (*found, *handed_in(program, here))
            return
        if found or scope is program.tree:
            yield from found
            return
        scope = scope_of(program, scope)


def _reaching(program: Program, binding: Binding) -> Iterator[ast.AST]:
    """The nodes of a scope, and those of functions in which its name means the same."""
    yield from _since(binding)
    for node in ast.walk(binding.scope):
        if node is not binding.scope and isinstance(node, _FUNCTIONS) and not _is_local(node, binding.base):
            yield from own_nodes(node)
    if any(isinstance(node, ast.Global) and binding.base in node.names for node in own_nodes(binding.scope)):
        yield from _reaching(program, binding._replace(scope=program.tree))


def _since(binding: Binding) -> Iterator[ast.AST]:
    """The nodes of its scope from where the binding was given a value of its own, up to where it is read."""
    return (node for node in own_nodes(binding.scope) if binding.since <= _at(node) <= binding.until)


def _at(node: ast.AST) -> tuple[int, int]:
    """Where a node stands; one without a place counts as behind all others."""
    where = getattr(node, "target", node)
    return getattr(where, "lineno", sys.maxsize), getattr(where, "col_offset", 0)


def _end(program: Program, use: ast.expr, scope: ast.AST) -> tuple[int, int]:
    """Where a use ends; in a loop what stands behind it may have come before."""
    node: ast.AST = use
    while node in program.parents and node is not scope:
        if isinstance(node, _LOOPS):
            return sys.maxsize, 0
        node = program.parents[node]
    return use.end_lineno or sys.maxsize, use.end_col_offset or 0


def renewed(program: Program, use: ast.expr, binding: Binding) -> Binding:
    """The binding as a use of it finds it: since the last statement that every way to the use goes through, and that gives the
    name another value.

    So it is in the statements before the use in its own block, and in the blocks around it; a `with` block runs as a whole.
    """
    node: ast.AST = use
    while not binding.attribute and node in program.parents and node is not binding.scope:
        parent = program.parents[node]
        for body in (getattr(parent, "body", ()), getattr(parent, "orelse", ()), getattr(parent, "finalbody", ())):
            if isinstance(body, list) and node in body:
                before = [statement for each in body[: body.index(node)] for statement in _straight(each)]
                for statement in reversed(before):
                    if isinstance(statement, ast.Assign) and any(_renews(one, binding) for one in statement.targets):
                        return binding._replace(since=_at(statement), until=_end(program, use, binding.scope))
        node = parent
    return binding


def _straight(statement: ast.stmt) -> Iterator[ast.stmt]:
    """A statement, or those of its block where that is a `with`."""
    if isinstance(statement, ast.With):
        for inner in statement.body:
            yield from _straight(inner)
    else:
        yield statement


def _renews(target: ast.AST, binding: Binding) -> bool:
    """Whether storing to a target leaves nothing of what the binding held."""
    match target:
        case ast.Name(id=base):
            return base == binding.base
        case ast.Subscript(value=ast.Name(id=base), slice=ast.Constant(value=key)):
            return base == binding.base and key == binding.key
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return any(_renews(part, binding) for part in parts)
    return False


def _is_local(function: ast.AST, name: str) -> bool:
    """Whether a name belongs to a function itself: a parameter, or bound there and not declared to be another's."""
    own = list(own_nodes(function))
    if any(isinstance(node, ast.Global | ast.Nonlocal) and name in node.names for node in own):
        return False
    bound = (isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store) for node in own)
    return name in parameters(function) or any(bound)


def _given(nodes: Iterable[ast.AST], binding: Binding) -> Iterator[ast.expr]:
    for node in nodes:
        match node:
            case ast.Assign(targets=targets, value=value):
                if any(_binds(target, binding) for target in targets):
                    yield _at_key(value, binding.key)
                    yield from _items(targets, binding)
            case (
                ast.AugAssign(target=target, value=value)
                | ast.NamedExpr(target=target, value=value)
                | ast.For(target=target, iter=value)
                | ast.comprehension(target=target, iter=value)
                | ast.AnnAssign(target=target, value=ast.expr() as value)
            ):
                if _binds(target, binding):
                    yield value
                    yield from _items([target], binding)
            case ast.Call(func=ast.Name(id="setattr"), args=[_, ast.Constant(value=name), value]):
                if binding.attribute and name == binding.base:
                    yield value
            case ast.Call(func=ast.Attribute(value=target, attr=name)) if name in _ADDS and _binds(target, binding):
                yield from node.args[-1:]
                yield from [keyword.value for keyword in node.keywords if binding.key in (ANY, keyword.arg)]
                if name in ("fill", "itemset"):
                    yield node
            case ast.Call(args=[target, *_]) if function_name(node) in WRITES and _binds(target, binding):
                yield node
            case ast.Call(keywords=keywords):
                if any(keyword.arg == "out" and _binds(keyword.value, binding) for keyword in keywords):
                    yield node


def _items(targets: list[ast.expr], binding: Binding) -> Iterator[ast.expr]:
    """Of the targets of an assignment the items of containers, `a[i]`."""
    for target in targets:
        for part in ast.walk(target):
            if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store) and _binds(part, binding):
                yield part


def _binds(target: ast.AST, binding: Binding) -> bool:
    """Whether storing to a target gives this binding its value, or a part of it."""
    match target:
        case ast.Name(id=base):
            return not binding.attribute and base == binding.base
        case ast.Attribute(attr=base, value=value):
            if binding.attribute and base == binding.base:
                return True
            return base in _VIEWS and _binds(value, binding)
        case ast.Subscript(value=value, slice=key):
            here = key_of(key)
            return (binding.key is ANY or here is ANY or here == binding.key) and _binds(value, binding)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return any(_binds(part, binding) for part in parts)
        case ast.Starred(value=value):
            return _binds(value, binding)
    return False


def _at_key(value: ast.expr, key: Any) -> ast.expr:
    """What a dict display holds at one key; any other expression as it is."""
    if key is not ANY and isinstance(value, ast.Dict):
        for written, stored in zip(value.keys, value.values, strict=True):
            if isinstance(written, ast.Constant) and written.value == key:
                return stored
        line, column = value.lineno, value.col_offset  # of no width: what lies under other keys did not flow here
        return ast.Constant(None, lineno=line, end_lineno=line, col_offset=column, end_col_offset=column)
    return value


def _written_by_calls(program: Program, binding: Binding) -> list[ast.expr]:
    """What functions of the program write into a container that they are given: `step(new, u)`, which fills `new`."""
    found: list[ast.expr] = []
    for node in _since(binding):
        given = [isinstance(value, ast.Name) and value.id == binding.base for value in getattr(node, "args", ())]
        if not isinstance(node, ast.Call) or True not in given:
            continue
        for function in functions(program, function_name(node)):
            names = _positional(function, isinstance(node.func, ast.Attribute))
            for name, is_given in zip(names, given, strict=False):
                if is_given:
                    found += _changes(function, binding._replace(base=name, scope=function))
    return found


def _changes(function: ast.AST, binding: Binding) -> list[ast.expr]:
    """What a function puts into one of its parameters; to bind the name anew changes nothing outside."""
    nodes = [
        node
        for node in own_nodes(function)
        if isinstance(node, ast.Call)
        or isinstance(node, ast.Assign | ast.AugAssign)
        and any(isinstance(part, ast.Subscript) for part in _targets(node))
    ]
    return list(_given(nodes, binding))


def _targets(node: ast.Assign | ast.AugAssign) -> list[ast.expr]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return [part for target in targets for part in ([*target.elts] if isinstance(target, ast.Tuple) else [target])]


def _made_with(program: Program, binding: Binding) -> Iterator[ast.expr]:
    """What an attribute is given where its object is made: `Point(a=...)` of a class without an `__init__`, in order too."""
    classes = {node.name: node for node in ast.walk(program.tree) if isinstance(node, ast.ClassDef)}
    for node in ast.walk(program.tree):
        if not isinstance(node, ast.Call) or function_name(node) not in (*classes, "SimpleNamespace"):
            continue
        yield from [keyword.value for keyword in node.keywords if keyword.arg == binding.base]
        made = classes.get(function_name(node))
        fields = [each.target for each in made.body if isinstance(each, ast.AnnAssign)] if made is not None else []
        for field, value in zip(fields, node.args, strict=False):
            if isinstance(field, ast.Name) and field.id == binding.base:
                yield value


def handed_in(program: Program, binding: Binding) -> list[ast.expr]:
    """The argument that a parameter is given, where its function is called once in the file."""
    scope = binding.scope
    if not isinstance(scope, _FUNCTIONS):
        return []
    name, maker = scope.name, program.parents.get(scope)
    if name == "__init__" and isinstance(maker, ast.ClassDef):
        name = maker.name
    calls = [node for node in ast.walk(program.tree) if isinstance(node, ast.Call) and function_name(node) == name]
    if len(calls) != 1 or any(isinstance(argument, ast.Starred) for argument in calls[0].args):
        return []
    bound = isinstance(calls[0].func, ast.Attribute) or name != scope.name
    given = dict(zip(_positional(scope, bound), calls[0].args, strict=False)) | {
        keyword.arg or "": keyword.value for keyword in calls[0].keywords
    }
    return [given[binding.base]] if binding.base in given else []


def _positional(function: ast.FunctionDef | ast.AsyncFunctionDef, of_an_object: bool) -> list[str]:
    """The names of the arguments that are given by position; a method's without its first."""
    names = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
    return names[1:] if of_an_object and names[:1] in (["self"], ["cls"]) else names


def parameters(scope: ast.AST) -> set[str]:
    """The names of a function's parameters."""
    arguments = getattr(scope, "args", None)
    if not isinstance(arguments, ast.arguments):
        return set()
    return {argument.arg for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}


def imported(tree: ast.AST, name: str) -> bool:
    """Whether a name is that of a module, a function or a class, or Python's own: nothing flows out of it by itself."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            if any((alias.asname or alias.name.partition(".")[0]) == name for alias in node.names):
                return True
        elif isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name:
            return True
    return hasattr(builtins, name)
