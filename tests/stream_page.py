"""The list of records in docs/stream.md, made from viz/capture/records.py and parts.py: `python -m tests.stream_page` writes it anew."""

from __future__ import annotations

import inspect
import re
from dataclasses import MISSING
from typing import Any

from tests.support import ROOT
from viz.capture.records import KINDS, Context, Record
from viz.capture.stream import TABLES, Stream, described

PAGE = ROOT / "docs" / "stream.md"
BEGIN, END = "<!-- made by tests/stream_page.py from viz/capture/records.py and parts.py -->", "<!-- end -->"
# A comment above a field, or behind it.
_COMMENT = re.compile(r"^(?:    # (.*)\.\n)?    (\w+): [^=#]+?(?: = .*?)?(?:  # (.*))?$", re.MULTILINE)
_WORDS = {"str": "a text", "int": "a whole number", "bool": "true or false", "Any": "a name, or a nested list of names",
          "Snapshot": "a number", "Context": "a context"}  # fmt: skip


def _type(kind: tuple[str, tuple[Any, ...]]) -> str:
    """A field's type in words."""
    head, parts = kind
    if head in TABLES:
        return f"the id of a {head.lower()}"
    match head:
        case "optional":
            return f"{_type(parts[0])}, or null"
        case "tuple":
            return f"a list, each {_type(parts[0])}"
        case "pair":
            return f"[{'; '.join(map(_type, parts))}]"
        case "map":
            return f"an object: {_type(parts[0])} to {_type(parts[1])}"
    return _WORDS[head]


def _said(made: type[Any]) -> dict[str, str]:
    """What is said of each field."""
    return {name: above or behind for above, name, behind in _COMMENT.findall(inspect.getsource(made))}


def _fields(made: type[Any], without: set[str] = frozenset()) -> list[str]:  # type: ignore[assignment]
    said = _said(made)
    lines = []
    for name, (kind, usual) in described(made).items():
        if name in without:
            continue
        need = "" if usual is not MISSING else " **Needed.**"
        lines.append(
            f"- `{name}`: {_type(kind)}.{need}{' ' + said[name][:1].upper() + said[name][1:] + '.' if said.get(name) else ''}"
        )
    return lines


def _doc(made: type[Any]) -> str:
    return " ".join((inspect.getdoc(made) or "").split("\n\n")[0].split())


def text() -> str:
    """The generated part of the page."""
    common = set(described(Record))
    lines = [BEGIN, "", "### The stream", "", '- `schema`: `"viz-stream/1"`. **Needed.**']
    lines += [line for line in _whole() if line]
    lines += ["", "### Tables", ""]
    for table, made in TABLES.values():
        lines += [f"**`{table}`**: {_doc(made)}", "", *_fields(made), ""]
    lines += [
        f"**A context**: {_doc(Context)}",
        "",
        *_fields(Context),
        "",
        "### Records",
        "",
        "Any record may have:",
        "",
    ]
    lines += ["- `kind`: which of those below.", *_fields(Record), ""]
    for kind, made in KINDS.items():
        own = _fields(made, common)
        lines += [f"**`{kind}`**: {_doc(made)}", "", *own, ""] if own else [f"**`{kind}`**: {_doc(made)}", ""]
    return "\n".join([*lines, END])


def _whole() -> list[str]:
    said = _said(Stream)
    types = {"title": "a text", "lead": "a text", "framework": "a text", "notes": "a list of texts", "vocabulary": "an object of texts", "holders": "a list of texts",
             "before": "an object: holder to bytes", "block": "the id of a site", "records": "a list of records"}  # fmt: skip
    lines = []
    for name, kind in types.items():
        comment = said.get(name, "")
        lines.append(f"- `{name}`: {kind}.{' ' + comment[:1].upper() + comment[1:] + '.' if comment else ''}")
    return lines


def page() -> str:
    """The whole page, with the part that is made put in anew."""
    written = PAGE.read_text(encoding="utf-8")
    before, _, rest = written.partition(BEGIN)
    return before + text() + rest.partition(END)[2]


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
