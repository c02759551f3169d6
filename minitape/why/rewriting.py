"""Changes of the learner's source: lines put in, taken out, moved into a block, and one expression for another."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any, NamedTuple

from ..record.naming import Program, span_of
from ..record.provenance import Site
from .source import first_line, last_line, names_in


class Edit(NamedTuple):
    """Lines `first` to `last` become `lines`; with `last` = `first` − 1 they are put in before `first`."""

    first: int
    last: int
    lines: tuple[str, ...]


def applied(edits: tuple[Edit, ...], source: str) -> str:
    """The source with the edits made.

    >>> print(applied((Edit(2, 2, ("two",)), Edit(1, 0, ("zero",))), "1\\n2"))
    zero
    1
    two
    """
    lines = source.splitlines()
    for edit in sorted(edits, key=lambda edit: (edit.first, edit.last), reverse=True):
        lines[edit.first - 1 : edit.last] = edit.lines
    return "\n".join(lines) + ("\n" if source.endswith("\n") else "")


def indent_of(site: Site, line: int) -> str:
    """The white space at the start of a line."""
    lines = site.lines
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    return text[: len(text) - len(text.lstrip())]


def insert_before(site: Site, line: int, text: str) -> Edit:
    """A new line above another, indented alike."""
    return Edit(line, line - 1, (indent_of(site, line) + text,))


def moved_into(site: Site, moving: ast.stmt, block: ast.With) -> tuple[Edit, ...]:
    """Move a statement to the end of a `with` block, with those statements between the two that it depends on."""
    inner = indent_of(site, first_line(block.body[0]))
    outer = indent_of(site, first_line(moving))
    lines = [line.rstrip("\n") for line in site.lines]
    needed, chosen = names_in(moving), [moving]
    for statement in reversed(_between(site.program, block, moving)):
        if _bound(statement) & needed:
            chosen.insert(0, statement)
            needed |= names_in(statement)
    edits = []
    text: list[str] = []
    for statement in chosen:
        piece = lines[first_line(statement) - 1 : last_line(statement)]
        text += [inner + line.removeprefix(outer) for line in piece]
        edits.append(Edit(first_line(statement), last_line(statement), ()))
    return (*edits, Edit(last_line(block) + 1, last_line(block), tuple(text)))


def moved_to_start(site: Site, moving: ast.stmt, block: ast.With) -> tuple[Edit, ...]:
    """Move a statement from above a `with` block to its start."""
    lines = [line.rstrip("\n") for line in site.lines]
    first = first_line(block.body[0])
    inner, outer = indent_of(site, first), indent_of(site, first_line(moving))
    text = tuple(inner + line.removeprefix(outer) for line in lines[first_line(moving) - 1 : last_line(moving)])
    return (Edit(first_line(moving), last_line(moving), ()), Edit(first, first - 1, text))


def block_moved(site: Site, block: ast.With, before: ast.stmt) -> tuple[Edit, ...]:
    """Move a whole `with` block to where another statement stands, above it."""
    inner, outer = indent_of(site, first_line(before)), indent_of(site, block.lineno)
    lines = [line.rstrip("\n") for line in site.lines[block.lineno - 1 : last_line(block)]]
    text = tuple(inner + line.removeprefix(outer) if line.strip() else line for line in lines)
    there = first_line(before)
    return (Edit(block.lineno, last_line(block), ()), Edit(there, there - 1, text))


def _between(program: Program, block: ast.With, moving: ast.stmt) -> list[ast.stmt]:
    """The statements between the end of a block and a later statement beside it."""
    parent = program.parents.get(moving)
    for body in (getattr(parent, "body", []), getattr(parent, "orelse", [])):
        if moving in body:
            return [statement for statement in body if last_line(block) < first_line(statement) < first_line(moving)]
    return []


def _bound(statement: ast.stmt) -> set[str]:
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def replaced(site: Site, node: ast.expr, text: str) -> Edit:
    """An expression that stands on one line, replaced by other source."""
    (edit,) = all_replaced(site, [(node, text)])
    return edit


def all_replaced(site: Site, pieces: Iterable[tuple[Any, str]]) -> tuple[Edit, ...]:
    """Pieces of source, each on one line, replaced by others; several may stand on the same line."""
    lines: dict[int, bytes] = {}
    for node, text in sorted(pieces, key=lambda piece: span_of(piece[0])[::2], reverse=True):
        raw = lines.get(node.lineno) or site.lines[node.lineno - 1].rstrip("\n").encode()
        lines[node.lineno] = raw[: node.col_offset] + text.encode() + raw[node.end_col_offset :]
    return tuple(Edit(number, number, (raw.decode(),)) for number, raw in sorted(lines.items()))
