"""One self-contained HTML file: the player, its style and one scene, with nothing to fetch."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from html import escape
from pathlib import Path

from ..scene import Scene
from ..style import PALETTE, css_variables

STATIC = Path(__file__).parent.parent / "static"

STYLES = ("player.css", "score.css", "search.css")
VIEWS = ("graph", "score")

# The player's modules, each after those that it imports.
MODULES = (
    "language.js", "tools.js", "facts.js", "words.js", "graph.js", "table.js", "time.js", "plan.js", "labels.js", "score.js",
    "search.js", "hover.js",
    "legend.js", "player.js", "page.js", "widget.js",
)  # fmt: skip

PAGE = """<!doctype html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>
{style}
html {{ background: {light}; }}
html:has(.mt[data-theme=dark]) {{ background: {dark}; }}
body {{ margin: 0; }}
@media print {{ html, html:has(.mt[data-theme=dark]) {{ background: {light}; }} }}
noscript svg {{ display: block; max-width: 100%; height: auto; margin: 1em auto; }}
</style>
</head>
<body>
<noscript>
{fallback}
</noscript>
<div id="player" class="mt"{theme} style="--width: {width}px"></div>
<script type="application/json" id="scene">{scene}</script>
<script type="application/json" id="opened">{opened}</script>
<script type="module">
{module}
const told = id => JSON.parse(document.getElementById(id).textContent);
mountPage(document.getElementById("player"), told("scene"), told("opened"), {options});
</script>
</body>
</html>
"""


def _quoted(data: str) -> str:
    """JSON of which no text can close the script element that it stands in."""
    return data.replace("<", "\\u003c")


def module() -> str:
    """The player as one ES module that imports nothing: its files behind each other, without their import lines."""
    parts = ((STATIC / name).read_text(encoding="utf-8") for name in MODULES)
    return "\n".join(re.sub(r"^import [^;]+;\n", "", part, flags=re.MULTILINE) for part in parts)


def stylesheet() -> str:
    """The player's style sheet, colours included; on paper it is always the light palette on white."""
    paper = {**PALETTE["light"], "bg": "#ffffff", "ink": "#000000"}
    on_paper = "".join(f"--{name}:{colour};" for name, colour in paper.items())
    player = "".join((STATIC / name).read_text(encoding="utf-8") for name in STYLES)
    return f"{css_variables()}\n{player}@media print{{.mt.mt[data-theme]{{{on_paper}}}}}\n"


def page(
    scene: Scene,
    *,
    step: int = 0,
    view: str = "graph",
    theme: str = "",
    width: int = 1280,
    picture: str = "",
    words: str = "",
    lang: str = "en",
    opened: Mapping[str, Scene] | None = None,
) -> str:
    """The scene as one HTML file that works from a disk, without a kernel and without a network.

    It opens at `step` in `view` ("graph" or "score"), unless its address says otherwise (`#step=9&view=score&theme=dark`).
    `theme` is "light", "dark" or "" (as the reader's system prefers), `width` the most it takes, in px.  Where scripts are
    off, `picture` (an SVG) and `words` stand in.  Of a long run, folded, `opened` has by a fold's id the scene in which it is
    open: the page unfolds what is there.  Raises ValueError for a theme or a view that does not exist.

    >>> scene = Scene(title="one", steps=[{"kind": "start", "say": "Nothing has run yet.", "memory": {}}])
    >>> page(scene, theme="dark").startswith("<!doctype html>")
    True
    """
    if theme not in ("", *PALETTE):
        raise ValueError(f"no theme is called {theme!r}: light, dark, or '' for what the reader's system prefers")
    if view not in VIEWS:
        raise ValueError(f"no view is called {view!r}: {' or '.join(VIEWS)}")
    told = words or "\n".join(f"{n}. {one.get('say', '')}" for n, one in enumerate(scene.steps))
    return PAGE.format(
        lang=escape(lang),
        title=escape(scene.title or "minitape"),
        style=stylesheet(),
        light=PALETTE["light"]["bg"],
        dark=PALETTE["dark"]["bg"],
        fallback=f"{picture}\n<pre>{escape(told)}</pre>",
        theme=f' data-theme="{theme}"' if theme else "",
        width=int(width),
        scene=_quoted(scene.to_json()),
        opened=_quoted(
            "{" + ",".join(f"{json.dumps(key)}:{one.to_json()}" for key, one in (opened or {}).items()) + "}"
        ),
        module=module(),
        options=f'{{ page: true, step: {int(step)}, view: "{view}", theme: "{theme}" }}',
    )
