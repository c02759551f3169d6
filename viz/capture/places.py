"""Instructions of a program as sites of a stream: file or cell, line, expression, and what its result is assigned to."""

from __future__ import annotations

import ast
import os
from typing import Any

from ..schema import clean
from .borrowed import Instruction
from .records import Record, Site, Source

WITHOUT_RESULTS = (".fit", ".evaluate")  # of Keras: they return a history, and numbers


class Places:
    """The sources and sites of one stream, each once."""

    def __init__(self) -> None:
        self._sources: dict[str, Source] = {}
        self._sites: dict[Instruction, Site] = {}

    def source(self, at: Instruction) -> Source:
        """The file or cell of an instruction."""
        known = self._sources.get(at.filename)
        if known is None:
            label = at.label if at.label.startswith("cell ") else os.path.basename(at.filename)
            lines = tuple([clean(line.rstrip("\n")) for line in at.lines])
            known = self._sources[at.filename] = Source(f"s{len(self._sources)}", clean(label), lines)
        return known

    def site(self, at: Instruction) -> Site:
        """An instruction as a site of the stream."""
        at = at.settled()
        known = self._sites.get(at)
        if known is None:
            expression = at.expression()
            node = None if expression is None else expression.node
            form = "call" if is_call(node) else "augmented" if isinstance(node, ast.AugAssign) else ""
            known = self._sites[at] = Site(
                f"l{len(self._sites)}", self.source(at), at.line, clean(at.function), at.begins,
                _cleaned(at.assigned_names()), "" if node is None else clean(_unparsed(node)), form,
                tuple([clean(name) for name in at.operand_names()]),
            )  # fmt: skip
        return known


def without_results(records: list[Record]) -> None:
    """Calls that change variables and in which a recorder listens train: they return none of the tensors inside.

    What such a line assigns, `history = model.fit(x, y)`, is the name of nothing that was made there, nor of its tape.  The tape
    of `fit` may stand in a `train_step` of the program's own, and `evaluate` has none: these two are known by their names.
    """
    listening = {record.site for record in records if record.kind == "enter"}
    for record in records:
        site = record.site
        if site is None or site.form != "call" or record.kind != "assign":
            continue
        if site in listening or site.text.partition("(")[0].endswith(WITHOUT_RESULTS):
            site.names, site.form = "", "training"
    for record in records:
        if record.kind == "enter" and record.site is not None and record.site.form == "training":
            recorder: Any = getattr(record, "recorder", None)
            recorder.name = recorder.kind


def is_call(node: ast.AST | None) -> bool:
    """Whether this piece of source runs a function, which may make more than its result: a call, or a property."""
    return isinstance(node, ast.Call | ast.Attribute)


def _cleaned(names: Any) -> Any:
    return [_cleaned(name) for name in names] if isinstance(names, list) else clean(names)


def _unparsed(node: ast.AST) -> str:
    try:
        text = ast.unparse(node)
        return text[1:-1] if isinstance(node, ast.Tuple) else text
    except (RecursionError, ValueError):
        return ""  # an expression of a thousand terms has no short name
