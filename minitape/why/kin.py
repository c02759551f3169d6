"""Target and source are kin, and no path leads between them: the other way round one does, or both were made from one value."""

from __future__ import annotations

import ast
import math
from collections import deque
from collections.abc import Iterator
from typing import Any

from . import rewriting, source
from .explanation import Explanation
from .fixes import Fix
from .flow import operand
from .question import Asked
from .rewriting import Edit


def exchanged(asked: Asked) -> Explanation | None:
    """The source was made from the target: the two have changed places."""
    made = next(
        (application for application in _behind(asked) if not set(asked.tags).isdisjoint(application.inputs)), None
    )
    if made is None or len(asked.tags) != 1:
        return None
    target, by = asked.target_name, asked.source_name
    what = (
        f"target and source have changed places: {by} was made from {target}, and no path leads from {by} to {target}."
    )
    swapped = f"{by}, {target}"
    fix = Fix(
        "the result comes first, and then what it is differentiated by", f"{asked.who}.gradient({swapped})",
        _asked_anew(asked, swapped), asked.here.filename,
    )  # fmt: skip
    return asked.none(
        "M08", what, "none", made.site, fix, steps=((target, "", "source"), (by, made.primitive.sign, "apart"))
    )


def made_beside(asked: Asked) -> Explanation | None:
    """The source is a new tensor, made from something that the target was made from, too."""
    application = asked.history.producer.get(asked.source.tag)
    of = _common(asked)
    if application is None or of is None:
        return None
    by, name, at = asked.source_name, _written(asked, of), asked.at(application.site)
    if by == name:
        what = f"{by} stands for another tensor since {at}; {asked.target_name} was made from the one before."
        return asked.none(
            "M08", what, "none", application.site, Fix(f"ask before {at}, or give the new one another name")
        )
    what = f"{by} is a tensor of its own, made from {name} at {at}; {asked.target_name} was made from {name}, and not from it."
    key, instead = _key_of(application, of), f"{asked.target_name}, {name}"
    # Where the source holds the same numbers, or a part of them, the call can be written anew.
    same = bool(key) or (application.op == "identity" and application.inputs[0] is of)
    text = f"ask for the gradient by {name}{', and take its part' if key else ''}"
    if not asked.history.knows(of, math.inf):
        text, same = f"{text} (and watch {name} first)", False
    if not same:
        text += f"; if you mean the one by {by}, compute {asked.target_name} from it"
    if not _writable(name):
        return asked.none("M08", what, "none", application.site, Fix(text))
    edits = _asked_anew(asked, instead, key) if same else ()
    fix = Fix(text, f"{asked.who}.gradient({instead}){key}", edits, asked.here.filename)
    return asked.none("M08", what, "none", application.site, fix)


def _behind(asked: Asked) -> Iterator[Any]:
    """The ops of the program, no gradients, that the source was made by, the last ones first."""
    waiting, seen = deque([asked.source.tag]), set[Any]()
    while waiting:
        tag = waiting.popleft()
        application = asked.history.producer.get(tag)
        if tag in seen or application is None:
            continue
        seen.add(tag)
        if application.context.phase == "forward":
            yield application
            waiting += application.inputs


def _common(asked: Asked) -> Any:
    """The nearest value that the source and the target were both made from, and that a derivative can be asked for."""
    target = asked.history.behind(asked.tags)
    inputs = [of for application in _behind(asked) for of in application.inputs if of.dtype.kind in "fc"]
    known = [of for of in inputs if of.variable or of in asked.diary.watched]
    shared = [of for of in inputs if of in target]
    found = next((of for of in shared if of in known), None)
    # Of two results of the same data, each with weights of its own, neither is a part of the other.
    if found is None and all(of in target for of in known):
        found = next(iter(shared), None)
    return found


def _written(asked: Asked, of: Any) -> str:
    """What the program calls a value that the source was made from: as it is written there, or by its own name."""
    application = asked.history.producer[asked.source.tag]
    if of in application.inputs:
        node, position = source.node_at(application.site), application.inputs.index(of)
        match node:
            case ast.Subscript(value=value) | ast.Call(func=ast.Attribute(value=value), args=[]):
                return source.unparse(value)
            case ast.UnaryOp(operand=value):
                return source.unparse(value)
            case ast.BinOp() | ast.Call():
                return source.unparse(operand(application.site, position))
    return asked.own_name(of)


def _key_of(application: Any, of: Any) -> str:
    """The brackets with which the source was taken out of a value; "" where it was made in another way."""
    node = source.node_at(application.site)
    if application.op == "getitem" and application.inputs[0] is of and isinstance(node, ast.Subscript):
        return f"[{ast.unparse(node.slice)}]"
    return ""


def _writable(name: str) -> bool:
    """Whether a name can be typed."""
    try:
        return isinstance(ast.parse(name, mode="eval").body, ast.Name | ast.Attribute | ast.Subscript)
    except SyntaxError:
        return False


# ---- the line that asked --------------------------------------------------------------------------------------------------


def _asked_anew(asked: Asked, arguments: str, after: str = "") -> tuple[Edit, ...]:
    """The last call that asked for this gradient, in the same words as `why` was asked, with other arguments."""
    words = [ast.unparse(argument) for argument in getattr(source.node_at(asked.here), "args", ())]
    for question in reversed(asked.diary.questions):
        site = question.moment.site
        call = source.node_at(site) if question.moment.kind == "asked" else None
        if isinstance(call, ast.Call) and [ast.unparse(argument) for argument in call.args] == words:
            plain = source.one_line(call) and not call.keywords and len(words) == 2
            return (rewriting.replaced(site, call, f"{ast.unparse(call.func)}({arguments}){after}"),) if plain else ()
    return ()
