"""One self-contained HTML file: the sheet, the player and its style, with nothing to fetch.  Where scripts are off, the sheet is
the picture of the last step.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from ..scene import Scene
from ..schema import dumps
from ..style import PALETTE, css_variables
from . import looks
from .alike import alike
from .find import columns, findable
from .fit import fitted
from .frame import check, sheet

STATIC = Path(__file__).parent.parent / "static"
SHORT = STATIC / "short.json"

# The style sheet's files: the looks of marks stand before them.  The first is for all hosts that have a style of their own, the
# last for some, in this order: knobs, a comparison, another page.
HOST = "host.css"
STYLES = (
    HOST, "player.css", "pictures.css", "panels.css", "narrow.css",
    "table.css", "live.css", "touch.css", "pairs.css", "embed.css",
)  # fmt: skip
NOT_A_STEPPERS = ("live.css", "pairs.css", "embed.css")

KEPT = ("keep.js", "model.js")  # of every widget in a notebook
AROUND = ("around.js",)  # wherever a player stands in somebody's page
WIDGET = ("widget.js",)  # of the stepper

# The player's modules, each after those that it imports; and what some files are for, which not every page has.
MODULES = (
    "apply.js", "common.js", "view.js", "touch.js", "signs.js", "around.js", "stage.js", "room.js", "aim.js", "follow.js",
    "map.js", "hands.js", "camera.js", "score.js", "sheet.js", "hover.js", "search.js", "packed.js", "scope.js",
    "instrument.js", "address.js", "clock.js", "dots.js", "player.js", "predict.js", "lens.js", "folds.js", "mount.js",
    "page.js", *KEPT, *WIDGET,
)  # fmt: skip

PACKED = "H4sI"  # what every gzipped text begins with

FOR = {
    "predict.js": "mt-asks", "lens.js": "data-lens", "folds.js": "mt-unfold", "page.js": "mountPage", "scope.js": "mt-scope",
    "mount.js": "mountPage|mountAlone", "packed.js": PACKED,
    "table.css": "mt-flat", "live.css": "mt-live", "pairs.css": "mt-pair", "embed.css": "data-embed",
}  # fmt: skip

# Of a program with knobs: their plot, the knobs, and what turns them: a page by itself, or a kernel.
LIVE = ("plot.js", "live.js", "alone.js", "turned.js")

# Of a page with many players and no kernel.
COURSE = (*LIVE[:-1], "course.js")

# Of a page inside of another page.
EMBED = ("embed.js",)

# Of a question in a notebook, without a player.
QUESTION = ("common.js", *AROUND, "keep.js", "question.js")

# The element microscope's: a page carries them as text, and loads them when somebody opens it.
MICROSCOPE = (
    "sums.js", "elements.js", "arrays.js", "heat.js", "terms.js", "way.js", "difference.js", "path.js",
    "microscope.js", "whole.js",
)  # fmt: skip
MICROSCOPE_STYLE = "microscope.css"

PAGE = """<!doctype html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="data:,">
{packed}<style>
{style}html{{background:{light}}}html:has(.mt[data-theme=dark]){{background:{dark}}}body{{margin:0}}
@media print{{html,html:has(.mt[data-theme=dark]){{background:{light}}}}}</style>
<script type="module">
{script}
</script>
</head>
<body>
{data}<main id="player" class="mt"{theme} style="--width: {width}px">{body}</main>
</body>
</html>
"""

PLAIN = 30_000  # letters of a text that a page carries as it is: short ones are smaller so, among words that are like their own

# What a page may do: run its own module and draw itself.  It fetches nothing and sends nothing, whatever its labels hold; a
# script is known by its digest, so that none that came in with a text would run.  What is loaded later it makes itself (`blob:`).
POLICY = (
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src {scripts} blob:; "
    "base-uri 'none'; form-action 'none'"
)


# ---- the files ------------------------------------------------------------------------------------------------------------


def _plain(data: str, beside: str | None = None) -> str:
    """JSON as a page has it, or as it has the one beside: a short text stands in a script element, and cannot close it."""
    is_plain = _short(data if beside is None else beside)
    return re.sub("</(?=script)", r"<\\/", data, flags=re.IGNORECASE).replace("<!", "<\\u0021") if is_plain else data


def _short(text: str) -> bool:
    """Whether a page has a text as it is: JSON, which has no lines, and that short."""
    return len(text) < PLAIN and "\n" not in text


def bare(code: str) -> str:
    """A module as it stands behind those that it imports: of what it exports only the default, for whom a page is not ours."""
    return re.sub(r"^(import [^;]+;\n|export (?!default))", "", code, flags=re.MULTILINE)


def stamp(told: Mapping[str, Mapping[str, str]]) -> str:
    """What short modules were made of, and what they are, as one number: neither has changed since."""
    return hashlib.sha256(dumps(told).encode()).hexdigest()[:16]


@cache
def written() -> dict[str, str]:
    """The player's modules as people read them, by the names of their files."""
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(STATIC.glob("*.js"))}


@cache
def carried() -> dict[str, str]:
    """The modules as a page has them: shortened (`tools/shorten.py`), or as they are written where one has changed since."""
    told = json.loads(SHORT.read_text(encoding="utf-8"))
    fresh = told["stamp"] == stamp({"written": written(), "short": told["short"]})
    return told["short"] if fresh else {name: bare(code) for name, code in written().items()}


def source(files: Iterable[str]) -> str:
    """Modules behind each other, as a page has them."""
    return "\n".join(carried()[name] for name in files)


@cache
def module(without: tuple[str, ...] = (), more: tuple[str, ...] = (), files: tuple[str, ...] = MODULES) -> str:
    """The player as one ES module that imports nothing: its files behind each other, but for those that its host does not need,
    and what it can do besides."""
    return source(name for name in (*files, *more) if name not in without)


@cache
def script(files: tuple[str, ...], begin: str) -> str:
    """These modules and how a page begins, as a script of its own."""
    return f"{source(files)}\n{begin}"


@cache
def stylesheet(without: tuple[str, ...] = ()) -> str:
    """The player's style sheet, colours and looks included, without files that are not needed; on paper it is black on white."""
    frame = "".join((STATIC / name).read_text(encoding="utf-8") for name in STYLES if name not in without)
    paper = "@media print{.mt.mt[data-theme]{--bg:#ffffff;--ink:#000000}}\n"
    return f"{short(css_variables())}{looks.sheet()}\n{short(frame)}{paper}"


def short(style: str) -> str:
    """A style sheet without comments and indentation."""
    style = re.sub(r"/\*.*?\*/\n*", "", style, flags=re.DOTALL)
    return re.sub(r"\s*([{};,>!\n])\s*|(?<=:)\s+", lambda found: (found[1] or "").strip("\n"), style).replace(";}", "}")


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
) -> str:
    """The scene as one HTML file that works from a disk, without a kernel and without a network.

    It opens at `step` in `view` ("graph" or "score"), unless its address says otherwise (`#step=9&view=score&theme=dark`;
    a link past a question that waits ends in `&predict=off`).  `theme` is "light", "dark" or "" (as the reader's system
    prefers), `width` the most it takes, in px.  Where scripts are off, it shows the last step.  Of a long run, folded,
    `opened` has by a fold's id the scene in which it is open: the page unfolds what is there; `lenses` has what the
    microscope is given, packed, by the same ids, "" for the page as it opens.  `embed` is for a frame inside of another page: the
    picture stands first, and the host is told how high the page would be.
    `told` is a sheet that was made otherwise than a run's.

    Raises ValueError for a theme or a view that does not exist.

    >>> scene = Scene(title="one", steps=[{"kind": "start", "say": "Nothing has run yet.", "memory": {}}])
    >>> page(scene, theme="dark").startswith("<!doctype html>")
    True
    """
    check(theme, view, "the reader's system prefers")
    how: dict[str, Any] = {"level": 1, "page": True, "embed": embed}
    told, opened, lenses = told or sheet(scene, view, **how), opened or {}, lenses or {}
    body, own = told.pop("html"), dumps(told)
    options = "page: true" + (f", step: {int(step)}" if step else "")
    options += "".join(
        f', {name}: "{given}"' for name, given in (("view", view), ("theme", theme)) if given not in ("graph", "")
    )
    lens = unpacked(lenses[""]) if "" in lenses else ""
    data = {**({"lens": lens} if lens else {}), "sheet": own}
    if lens:
        options += ', microscope: () => carried("lens")'
    seen: dict[str, str] = {}
    if opened:
        seen = {
            way: _text(sheet(inner, view, short=True, **how), own, lenses.get(way), lens)
            for way, inner in opened.items()
        }
        known = "\t".join([_plain(own), body + told.get("score", ""), _plain(lens)])
        data |= {"opened": alike(seen, known), "inside": dumps(inside(scene, opened))}
        body = f"<noscript>{body}</noscript>"  # as it is written, what a script reads of it; a browser spells HTML in its own way
    begin = f'{"mountPage" if opened else "mountCarried"}(document.getElementById("player"), {{ {options} }});'
    return document(
        body, data, begin, (), list(seen.values()),
        title=scene.title, theme=theme, width=width, lang=lang, embed=embed,
    )  # fmt: skip


def document(
    body: str, data: Mapping[str, str], begin: str, more: tuple[str, ...], seen: list[str], *,
    title: str, theme: str, lang: str, embed: bool, width: int = 1280,
) -> str:  # fmt: skip
    """A player's page: its HTML, texts that its script asks for by name, and how it begins, which takes `more` of the modules.

    `seen` are texts that it packs: of style and modules it carries what something in it, or in these, is for.
    """
    texts = [body, *data.values(), *seen]
    plain, long = ({name: text for name, text in data.items() if _short(text) is short} for short in (True, False))
    packed = {name: packed_text(text) for name, text in long.items()}
    unneeded = {
        name
        for name, what in FOR.items()
        if not any(word in text for word in what.split("|") for text in (*texts, *packed.values(), begin))
    }
    files = [name for name in MODULES if name not in (*AROUND, *KEPT, *WIDGET, *unneeded)]
    begin += 'embedPart(document.getElementById("player"));' if embed else ""
    code = script((*files, *more, *(EMBED if embed else ())), begin)
    style = stylesheet(tuple(name for name in STYLES if name in {HOST, *unneeded}))
    text = PAGE.format(
        lang=escape(lang), title=escape(title or "minitape"), style=fitted(style, texts, code),
        light=PALETTE["light"]["bg"], dark=PALETTE["dark"]["bg"], theme=f' data-theme="{theme}"' if theme else "",
        width=int(width), body=body, script=code,
        data=_carried({name: _plain(text) for name, text in plain.items()}),
        packed=_carried(packed),  # not between words that are like each other
    )  # fmt: skip
    return guarded(text)


def _carried(texts: Mapping[str, str]) -> str:
    """Texts by their names, as a page has them."""
    return "".join(f'<script type="application/json" id="{name}">{text}</script>\n' for name, text in texts.items())


def guarded(text: str) -> str:
    """The page with its policy in front of everything that a reader's browser might run."""
    modules = re.findall(r'<script type="module">(.*?)</script>', text, re.DOTALL)
    digests = [b64encode(hashlib.sha256(code.encode()).digest()).decode() for code in modules]
    policy = POLICY.format(scripts=" ".join(f"'sha256-{digest}'" for digest in digests))
    first = '<meta charset="utf-8">'
    return text.replace(first, f'{first}\n<meta http-equiv="Content-Security-Policy" content="{policy}">', 1)


def _text(told: dict[str, Any], own: str, glass: str | None, lens: str) -> str:
    """One of many sheets as a text, parted by tabs: what a player needs and what the microscope is given, each spelled as the
    page's own is, and between them its HTML."""
    html = told.pop("html").replace("\n", "&#10;").replace("\t", "&#9;")
    return "\t".join([_plain(dumps(told), own), html, _plain(unpacked(glass), lens) if glass else ""])


def packed(told: Any) -> str:
    """A sheet as a page carries it until it is asked for."""
    return packed_text(dumps(told))


def packed_text(text: str) -> str:
    """A text, gzipped, in letters."""
    return b64encode(gzip.compress(text.encode(), mtime=0)).decode("ascii")


def unpacked(text: str) -> str:
    """What was packed, as JSON."""
    return gzip.decompress(b64decode(text)).decode()


def inside(scene: Scene, opened: Mapping[str, Scene]) -> list[list[Any]]:
    """What can be found in folds alone, by columns: as `find.findable` has it, and the way to the fold."""
    seen = {(row[0], row[1]) for row in findable(scene)}
    rows = []
    for way, inner in opened.items():
        for row in findable(inner):
            if (row[0], row[1]) not in seen:
                seen.add((row[0], row[1]))
                rows.append([*row, way])
    return columns(rows)
