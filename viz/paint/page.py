"""One self-contained HTML file: the sheet, the player and its style, with nothing to fetch.  Where scripts are off, the sheet is
the picture of the last step.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from base64 import b64decode, b64encode
from collections.abc import Mapping
from functools import cache, lru_cache
from html import escape
from pathlib import Path
from typing import Any

from ..scene import Scene
from ..style import PALETTE, css_variables
from . import looks
from .alike import parts
from .find import columns, findable
from .frame import VIEWS, sheet

STATIC = Path(__file__).parent.parent / "static"

STYLES = ("player.css", "table.css", "live.css", "touch.css", "looks.css")  # live.css: where there are knobs

KEPT = ("keep.js",)  # of every widget in a notebook
WIDGET = ("inside.js", "widget.js")  # of the stepper

# The player's modules, each after those that it imports.
MODULES = (
    "apply.js", "camera.js", "sheet.js", "host.js", "hover.js", "search.js", "predict.js", "touch.js", "lens.js",
    "instrument.js", "player.js", "page.js", *KEPT, *WIDGET,
)  # fmt: skip

# Of a program with knobs: what a turn changes, the knobs, and what turns them: a page by itself, or a kernel.
LIVE = ("turns.js", "live.js", "alone.js", "turned.js")

# Of a page with many players and no kernel.
COURSE = (*LIVE[:-1], "course.js")

# Of a page inside of another page.
EMBED, EMBED_STYLE = ("embed.js",), "embed.css"

# Of a comparison of two runs.
PAIRS_STYLE = "pairs.css"

# Of a question in a notebook, without a player.
QUESTION = ("host.js", *KEPT, "question.js")

# The element microscope's: a page carries them as text, and loads them when somebody opens it.
MICROSCOPE = (
    "sums.js",
    "arrays.js",
    "heat.js",
    "terms.js",
    "way.js",
    "difference.js",
    "path.js",
    "microscope.js",
    "inspector.js",
)
MICROSCOPE_STYLE = "microscope.css"

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
</style>
</head>
<body>
<script type="application/json" id="sheet">{sheet}</script>
<div id="player" class="mt"{theme} style="--width: {width}px">{body}</div>
<script type="application/json" id="opened">{opened}</script>
<script type="application/json" id="lenses">{lenses}</script>
<script type="application/json" id="inside">{inside}</script>
<script type="module">
{module}
const told = id => JSON.parse(document.getElementById(id).textContent);
mountPage(document.getElementById("player"), told("sheet"), told("opened"), told("lenses"), {options}, told("inside"));{tells}
</script>
</body>
</html>
"""


TELLS = """
embedPart(document.getElementById("player"));"""

# What a page may do: run its own module and draw itself.  It fetches nothing and sends nothing, whatever its labels hold; a
# script is known by its digest, so that none that came in with a text would run.  What is loaded later it makes itself (`blob:`).
POLICY = (
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src {scripts} blob:; "
    "base-uri 'none'; form-action 'none'"
)


# ---- the files ------------------------------------------------------------------------------------------------------------


def _quoted(data: str) -> str:
    """JSON of which no text can close the script element that it stands in."""
    return data.replace("<", "\\u003c")


# Strings, templates and patterns stay as they are; between other words and signs no blank is needed.
_JS = re.compile(
    r'"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|(?<=[(=,:])\s*/(?:[^/\\\n]|\\.)+/[gimsuy]*|[ \t]*(=>|[{}()\[\];,:?=<>+*&|!]+)[ \t]*'
)


@cache
def module(without: tuple[str, ...] = (), more: tuple[str, ...] = (), files: tuple[str, ...] = MODULES) -> str:
    """The player as one ES module that imports nothing: its files behind each other, but for those that its host does not need,
    and what it can do besides; without imports, comments and indentation."""
    parts = ((STATIC / name).read_text(encoding="utf-8") for name in (*files, *more) if name not in without)
    code = "\n".join(re.sub(r"^import [^;]+;\n", "", part, flags=re.MULTILINE) for part in parts)
    code = re.sub(r"/\*\*.*?\*/", "", code, flags=re.DOTALL)
    code = re.sub(r"(^|;|,|\{|\})\s*//[^\n]*$", r"\1", code, flags=re.MULTILINE)
    return _JS.sub(lambda found: found[1] or found[0], re.sub(r"\n\s*", "\n", code).strip())


@cache
def stylesheet(without: tuple[str, ...] = ()) -> str:
    """The player's style sheet, colours and looks included, without files that are not needed; on paper it is black on white."""
    frame = "".join(
        (STATIC / name).read_text(encoding="utf-8") for name in STYLES if name not in (*without, looks.FILE.name)
    )
    return f"{css_variables()}\n{looks.sheet()}\n{short(frame)}@media print{{.mt.mt[data-theme]{{--bg:#ffffff;--ink:#000000}}}}\n"


@cache
def pairs() -> str:
    """What a comparison of two runs has besides the style sheet."""
    return short((STATIC / PAIRS_STYLE).read_text(encoding="utf-8"))


@cache
def embedded() -> str:
    """What a page inside of another has besides the style sheet."""
    return short((STATIC / EMBED_STYLE).read_text(encoding="utf-8"))


def short(style: str) -> str:
    """A style sheet without comments and indentation."""
    style = re.sub(r"/\*.*?\*/\n*", "", style, flags=re.DOTALL)
    return re.sub(r"\s*([{};,>\n])\s*|(?<=:)\s+", lambda found: (found[1] or "").strip("\n"), style)


def page(
    scene: Scene,
    *,
    step: int = 0,
    view: str = "graph",
    theme: str = "",
    width: int = 1280,
    lang: str = "en",
    opened: Mapping[str, Scene] | None = None,
    lenses: Mapping[str, str] | None = None,
    embed: bool = False,
    told: dict[str, Any] | None = None,
    more_style: str = "",
) -> str:
    """The scene as one HTML file that works from a disk, without a kernel and without a network.

    It opens at `step` in `view` ("graph" or "score"), unless its address says otherwise (`#step=9&view=score&theme=dark`;
    a link past a question that waits ends in `&predict=off`).  `theme` is "light", "dark" or "" (as the reader's system
    prefers), `width` the most it takes, in px.  Where scripts are off, it shows the last step.  Of a long run, folded,
    `opened` has by a fold's id the scene in which it is open: the page unfolds what is there; `lenses` has what the
    microscope is given, packed, by the same ids, "" for the page as it opens.  `embed` is for a frame inside of another page: the
    picture stands first, and the host is told how high the page would be.
    `told` is a sheet that was made otherwise than a run's, and `more_style` what that needs besides.

    Raises ValueError for a theme or a view that does not exist.

    >>> scene = Scene(title="one", steps=[{"kind": "start", "say": "Nothing has run yet.", "memory": {}}])
    >>> page(scene, theme="dark").startswith("<!doctype html>")
    True
    """
    if theme not in ("", *PALETTE):
        raise ValueError(f"no theme is called {theme!r}: light, dark, or '' for what the reader's system prefers")
    if view not in VIEWS:
        raise ValueError(f"no view is called {view!r}: {' or '.join(VIEWS)}")
    how: dict[str, Any] = {"level": 1, "page": True, "embed": embed}
    told, placed = told or sheet(scene, view, **how), all(one.layout for one in [scene, *(opened or {}).values()])
    body = told.pop("html")
    own, lenses = _quoted(_json(told)), dict(lenses or {})
    sheets = {key: _json(sheet(one, view, **how)) for key, one in (opened or {}).items()}
    glass, first = {key: unpacked(one) for key, one in lenses.items() if key}, lenses.get("", "")
    text = PAGE.format(
        lang=escape(lang),
        title=escape(scene.title or "minitape"),
        style=stylesheet(without=("live.css", "table.css") if placed else ("live.css",))
        + (embedded() if embed else "")
        + more_style,
        light=PALETTE["light"]["bg"],
        dark=PALETTE["dark"]["bg"],
        theme=f' data-theme="{theme}"' if theme else "",
        width=int(width),
        body=body,
        sheet=own,
        opened=_quoted(_json(alike(sheets, own))),
        lenses=_quoted(
            _json({**({"": first} if "" in lenses else {}), **alike(glass, unpacked(first) if first else "")})
        ),
        inside=_quoted(_json(inside(scene, opened or {}))),
        module=module(without=(*KEPT, *WIDGET), more=EMBED if embed else ()),
        options=f'{{ page: true, step: {int(step)}, view: "{view}", theme: "{theme}" }}',
        tells=TELLS if embed else "",
    )
    return guarded(text)


def guarded(text: str) -> str:
    """The page with its policy in front of everything that a reader's browser might run."""
    modules = re.findall(r'<script type="module">(.*?)</script>', text, re.DOTALL)
    digests = [b64encode(hashlib.sha256(code.encode()).digest()).decode() for code in modules]
    policy = POLICY.format(scripts=" ".join(f"'sha256-{digest}'" for digest in digests))
    first = '<meta charset="utf-8">'
    return text.replace(first, f'{first}\n<meta http-equiv="Content-Security-Policy" content="{policy}">', 1)


def packed(told: Any) -> str:
    """A sheet as a page carries it until it is asked for."""
    return b64encode(gzip.compress(_json(told).encode(), mtime=0)).decode("ascii")


def unpacked(text: str) -> str:
    """What was packed, as JSON."""
    return gzip.decompress(b64decode(text)).decode()


def alike(texts: Mapping[str, str], known: str) -> dict[str, str]:
    """Texts, packed, each as what it takes of the one around it, else of the one before, which is nearest in the run; the first
    takes of a known one (`static/page.js` reads them)."""
    out, before = {}, known
    for way, text in texts.items():
        around = texts[way.rpartition("/")[0]] if "/" in way else before
        plain = _counted_alike(around) and _counted_alike(text)
        out[way] = packed(parts(text, around if plain else ""))
        before = before if "/" in way else text
    return out


@lru_cache(maxsize=4)
def _counted_alike(text: str) -> bool:
    """Whether a page counts a text's letters as Python does: it takes some of them for two."""
    return len(text.encode("utf-16-le", "surrogatepass")) == 2 * len(text)


def inside(scene: Scene, opened: Mapping[str, Scene]) -> list[list[Any]]:
    """What can be found in folds alone, by columns: as `find.findable` has it, and the way to the fold."""
    seen = {(row[0], row[1]) for row in findable(scene)}
    rows = []
    for way, one in opened.items():
        for row in findable(one):
            if (row[0], row[1]) not in seen:
                seen.add((row[0], row[1]))
                rows.append([*row, way])
    return columns(rows)


def _json(told: Any) -> str:
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
