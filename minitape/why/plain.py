"""A plain number where a tensor belongs, as a target or a source: which of the learner's lines has to change, and how."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from ..record.events import here
from ..record.provenance import Site
from . import fixes, log, source
from .fixes import Fix
from .flow import Flow, flow, literal
from .history import Edge
from .stores import ANY, Binding, renewed, scope_of, stores

_CHOOSE = ("cond", "case", "switch_case")


def kind(value: Any) -> tuple[str, str]:
    """What a value is that is no tensor, and which kind of number leaves no trace."""
    if isinstance(value, np.ndarray):
        return "an array of NumPy's", "NumPy's arrays"
    if isinstance(value, np.generic):
        return f"a {type(value).__name__} of NumPy's", "NumPy's numbers"
    return f"a plain {type(value).__name__}", "plain numbers"


def asked_with(site: Site, what: str) -> tuple[ast.expr | None, ast.expr | None]:
    """What stands in the question for the target or the source, and for the source."""
    given: list[ast.expr] = getattr(source.node_at(site), "args", [])
    place = 0 if what == "target" else 1
    return given[place] if len(given) > place else None, given[1] if len(given) > 1 else None


def export_behind(came: Flow, site: Site, exports: list[Any]) -> Edge | None:
    """The last export that flowed into a value."""
    left = next((export for export in reversed(exports) if came.holds(export.site, site.filename)), None)
    return Edge("export", None, left.tag, None, 0, left) if left is not None else None


def mend(site: Site, what: str, name: str) -> Fix:
    """What to change, where no tensor's numbers left: the line that makes the plain number; "" where that is not known."""
    which, asked_for = asked_with(site, what)
    tf = source.alias(site)
    came = flow(site, which)
    if what == "target" and (branch := _branch(came)) is not None:
        value = source.unparse(branch.body)
        return fixes.one_change(
            f"a branch gives a plain number: write lambda: {tf}.constant({value})",
            site,
            branch.body,
            f"{tf}.constant({value})",
        )
    if isinstance(asked_for, ast.Name) and (made := _made(site, asked_for)) is not None:
        value = fixes.with_points(made) if literal(made) else ast.unparse(made)
        text = f"write {asked_for.id} = {tf}.Variable({value}) at line {made.lineno}, or {tf}.constant({value}) and "
        text += f"tape.watch({asked_for.id}): then it is a tensor before the tape listens"
        return fixes.one_change(text, site, made, f"{tf}.Variable({value})")
    if what == "source":
        called = name if name.isidentifier() else "x"
        return Fix(f"make it a tensor before the tape listens: {called} = {tf}.Variable({name})")
    return Fix(f"compute it from tensors, with functions of {tf}")


def _branch(came: Flow) -> ast.Lambda | None:
    """The lambda that `tf.cond` was given for a branch, and that answers with a number that is written out."""
    for piece in came.pieces:
        if isinstance(piece, ast.Call) and source.function_name(piece) in _CHOOSE:
            for branch in ast.walk(piece):
                if isinstance(branch, ast.Lambda) and literal(branch.body) and source.one_line(branch.body):
                    return branch
    return None


def _made(site: Site, name: ast.Name) -> ast.expr | None:
    """What a name is given by the one line that gives it numbers: written out, or by NumPy."""
    binding = Binding(name.id, False, ANY, scope_of(site.program, name))
    found = list(stores(site.program, renewed(site.program, name, binding)))
    if len(found) != 1 or not source.one_line(found[0]):
        return None
    by_numpy = isinstance(found[0], ast.Call) and ast.unparse(found[0].func).startswith(("np.", "numpy."))
    numbers = literal(found[0]) and all(
        isinstance(part.value, int | float) for part in ast.walk(found[0]) if isinstance(part, ast.Constant)
    )
    return found[0] if numbers or by_numpy else None


def advice(what: str) -> str:
    """The same as a sentence, for an error that is raised at the question itself."""
    site = here()
    which, _ = asked_with(site, what)
    edge = export_behind(flow(site, which), site, log.exports()) if which is not None else None
    if edge is not None and _branch(flow(site, which)) is None:
        there = f"line {edge.site.line}" if edge.site.filename == site.filename else str(edge.site)
        text = f"it left the tape at {there}: {fixes.stay(edge).text}"
    else:
        text = mend(site, what, source.unparse(which) or "x").text
    return text[:1].upper() + text[1:] + "."
