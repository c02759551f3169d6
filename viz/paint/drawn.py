"""A picture without steps as a file: a comparison as a page that goes from difference to difference, any other as it stands."""

from __future__ import annotations

import os
from html import escape
from pathlib import Path
from typing import Any

from .. import files
from ..style import PALETTE, css_variables
from . import compare
from .page import page

SUFFIXES = (".html", ".svg", ".png", ".json", ".txt")

STILL = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>
{style}
html, body {{ margin: 0; background: {light}; }}
main {{ max-width: 1100px; margin: 0 auto; padding: 16px 20px; color: var(--ink); font: 400 16px/1.5 var(--sans); }}
h1 {{ font-size: 22px; }} svg {{ max-width: 100%; height: auto; }} pre {{ font: 400 13px/1.5 var(--mono); overflow-x: auto; }}
{dark}
</style>
</head>
<body>
<main class="mt"{theme}>
<h1>{title}</h1>
{said}
{svg}
<pre>{text}</pre>
</main>
</body>
</html>
"""


def write(drawing: Any, path: Any, start: int = 0, theme: str = "", view: str = "graph", embed: bool = False) -> str:
    """Write a `Drawing` in the form that the suffix names and return the path; raises ValueError for a form that it has not."""
    path = Path(os.fspath(path))
    suffix, two = path.suffix.lower(), drawing.facts is not None and drawing.facts.kind == "runs"
    if suffix not in SUFFIXES:
        raise ValueError(
            f"{path.name!r}: this picture can be written as {', '.join(SUFFIXES)}; name it {path.stem}.html, "
            "or export one of its runs"
        )
    if embed and not (two and suffix == ".html"):
        raise ValueError(
            f"{path.name!r}: embed=True is for a page that steps: a run's, or that of two runs, {path.stem}.html"
        )
    if suffix == ".png":
        if not hasattr(drawing, "figure"):
            raise ValueError(
                f"{path.name!r}: a PNG is a plot of memory, which this picture has none of; name it {path.stem}.svg"
            )
        from .plot import png

        return files.write(path, png(drawing.figure))
    if suffix == ".json":
        if drawing.facts is None:
            raise ValueError(f"{path.name!r}: of this picture there are no facts to write; name it {path.stem}.svg")
        return files.write(path, drawing.facts.to_json() + "\n")
    if suffix == ".html":
        text = stepped(drawing.facts, start, theme, view, embed) if two else still(drawing, theme)
    else:
        text = (drawing.svg if suffix == ".svg" else drawing.text) + "\n"
    return files.write(path, text + files.STAMPS[suffix])


def stepped(facts: Any, start: int, theme: str, view: str, embed: bool) -> str:
    """A comparison of two runs as a page that goes from difference to difference."""
    from . import against

    story = against.story(facts)
    if view not in against.VIEWS:
        raise ValueError(f"a comparison has the views {' and '.join(against.VIEWS)}, not {view!r}")
    at = start if start >= 0 else max(0, len(story.steps) + start)
    told = against.sheet(facts, view, 1, True, embed)
    return page(story, step=at, view=view, theme=theme, embed=embed, told=told)


def still(drawing: Any, theme: str) -> str:
    """A page with a picture as it stands, and its words."""
    facts = drawing.facts or {}
    curves = facts.get("curves")  # of more than two runs, or of memory alone
    title = facts.get("title") or (compare.described(curves) if curves else drawing.words).split(".")[0]
    dark = f"html, body {{ background: {PALETTE['dark']['bg']}; }}"
    said = "".join(f"<p>{escape(sentence)}</p>" for sentence in (facts.get("said", []) if curves else []))
    return STILL.format(
        title=escape(title), said=said, svg=drawing.svg, text=escape(compare.table(curves) if curves else drawing.text),
        style=css_variables(), theme=f' data-theme="{theme}"' if theme else "", light=PALETTE[theme or "light"]["bg"],
        dark="" if theme else f"@media screen and (prefers-color-scheme: dark) {{ {dark} }}",
    )  # fmt: skip
