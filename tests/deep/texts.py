"""A program whose names and texts are anybody's, through every renderer; and what a good output is."""

from __future__ import annotations

import json
import linecache
import random
import re
import xml.etree.ElementTree as ET
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import minitape as tf
import viz
from viz.scene import Scene

PIECES = [
    "x", "loss", "ñ", "数", "שלום", "مرحبا", "é", "👩‍👩‍👧‍👦", "🏳️‍🌈", "ẍ̧̨", "Z͑ͫ̓ͪ", "{", "}", "{}", "{0}", "{x.__class__}", "%s", "%(x)s", "$", "$x^2$", "\\frac{", "\\",
    "\\n", "\n", "\r\n", "\t", "\0", "\x07", "\x08", "\x1b[31m", "\x7f", "\x85", "\x9b", "\u2028", "\u2029", "\ufeff", "\ufffe", "\uffff", "\u00ad",
    "\u200b", "\u200e", "\u200f", "\u061c", "\u202a", "\u202b", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069", "\ud800", "\udfff", "\udcff",
    "<", ">", "&", "&amp;", "&#x;", "&#0;", "&#xd800;", "&lt;script&gt;", "<b>", "<b onclick=alert(1)>", "</script>", "<script>alert(1)</script>",
    "<!--", "-->", "<![CDATA[", "]]>", "<?xml", "</svg>", "</style>", "</text>", "<img src=x onerror=alert(1)>", "\" onload=\"alert(1)", "' x='", "`${alert(1)}`",
    "javascript:alert(1)", "url(http://x.test/)", "@import", "}*{display:none}", "\"]; x [label=\"", "//", "/*", "*/", "#", "-- ", "|", "| a | b |", "[a](b)", "__import__",
    "*" * 9, "_", " ", "  ", "\u3000", "\xa0",
]  # fmt: skip
UNSEEN = re.compile(
    "[\ud800-\udfff\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]"
)
ISOLATED = re.compile("\u2068[\u0590-\u08ff]+\u2069")
LEFTWARD = re.compile("[\u05d0-\u05ea\u0621-\u064a]")


def text_of(seed: int) -> str:
    """A text by its seed; each piece comes alone, then they come together."""
    if seed < len(PIECES):
        return PIECES[seed]
    draw = random.Random(seed)
    return "".join(draw.choices(PIECES, k=draw.randint(2, 9)))


PLAIN = "plain"
SOURCE = """with tf.name_scope("scope"), tf.GradientTape() as tape:
    y = layer(x) * x  # {text}
    tape.gradient(tf.reduce_sum(y), x); said = "{text}"
    raise Odd(text)
"""


def program(text: str) -> dict[str, Any]:
    """What the program recorded: a run, an explanation, a plan and a model, with the text in every slot that there is."""

    class Odd(Exception):
        pass

    line = " ".join(text.split()) if text.isprintable() else text.replace("\n", " ").replace("\r", " ")
    source = SOURCE.replace("{text}", line.replace("\\", "/").replace('"', "'"))
    name = f"<{text}>.py".replace("\0", "")  # Python itself takes no such file
    tf.keras.backend.clear_session()
    whole = text.encode("utf-8", "replace").decode("utf-8")  # half a character is refused where things are named
    x = tf.Variable([[1.0, 2.0]], name=whole)
    layer = tf.keras.layers.Dense(2, name=whole)
    Odd.__name__ = Odd.__qualname__ = whole.replace("\0", "") or "Odd"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    try:
        code = compile(source, name, "exec")
    except (SyntaxError, ValueError, UnicodeError):  # no source at all: the line is there, and has no program
        code = compile(SOURCE.replace("{text}", "plain"), name.encode("utf-8", "replace").decode("utf-8"), "exec")
    space = {"tf": tf, "x": x, "layer": layer, "Odd": Odd, "text": text}
    try:
        with viz.record(text, lead=text) as run, viz.region(text), tf.name_scope("s"):
            exec(code.replace(co_name=whole), space)
    except Odd:
        pass
    model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1, name=whole or "d")], name=whole or "m")
    with tf.GradientTape() as tape:
        tape.watch(x)
        z = tf.constant(2.0) * float(x[0, 0])
    return {"run": run, "why": tape.why(z, x), "model": model, "tape": space.get("tape"), "x": x}


def rendered(text: str, folder: Path) -> dict[str, str]:
    """All that is made of the program, by what it is."""
    made = program(text)
    run, out = made["run"], {}
    for suffix in ("html", "svg", "json", "txt", "dot"):
        path = folder / f"run.{suffix}"
        viz.export(run, str(path))
        out[f"export.{suffix}"] = path.read_text(encoding="utf-8", errors="strict")
    viz.export(run, str(folder / "strip.svg"), frames=[0, 1])
    out["strip.svg"] = (folder / "strip.svg").read_text(encoding="utf-8")
    for name, view in (("graph", viz.graph), ("score", viz.score), ("lanes", viz.lanes)):
        out[f"{name}.svg"] = view(run).svg
        out |= bundle(name, view(run)._repr_mimebundle_())
    drawn = {"cut": viz.cut(made["why"]), "compare": viz.compare(run, **{text: run})}
    for name, one in drawn.items():
        out[f"{name}.svg"], out[f"{name}.txt"], out[f"{name}.json"] = one.svg, one.text, one.facts.to_json()
        out |= bundle(name, one._repr_mimebundle_())
    if "$" in text:  # matplotlib's formulas
        viz.export(run, str(folder / "run.png"))
        drawn["compare"].figure.savefig(folder / "compare.png")
    stepper = viz.step(run)
    out |= bundle("step", stepper._repr_mimebundle_())
    out["widget.json"] = json.dumps(
        [
            stepper.trait_values()[name]
            for name in sorted(stepper.keys)
            if isinstance(stepper.trait_values()[name], str | list)
        ]
    )
    out["stream.json"] = run.stream.to_json()
    out["scene.json"] = run.scene.to_json()
    out["run.txt"], out["table.txt"] = repr(run), str(viz.table(run))
    assert Scene.from_json(out["scene.json"]) == run.scene
    again = viz.Stream.from_json(out["stream.json"])
    assert again.to_json() == out["stream.json"] and again.scene.to_json() == out["scene.json"]  # type: ignore[attr-defined]
    return out


def bundle(name: str, data: Any) -> dict[str, str]:
    data = data[0] if isinstance(data, tuple) else data
    kinds = {"text/plain": "txt", "text/html": "html"}
    return {f"{name}.bundle.{kinds[kind]}": value for kind, value in (data or {}).items() if kind in kinds}


class Elements(HTMLParser):
    """What elements a page has, with which attributes, and the programs in it."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: Counter[str] = Counter()
        self.programs: list[str] = []
        self.addresses: set[str] = set()
        self._program = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            self.found[f"{tag}[{name}]"] += 1
            if name in ("src", "href", "xlink:href", "action", "http-equiv"):
                self.addresses.add(re.sub(r"[\d.]+", "0", (value or "")[:30]))
            if name == "style":
                self.addresses |= {
                    one for one in re.findall(r"url\(([^)]*)|@import", value or "") if one[:1] not in "#'"
                }
        self.found[tag] += 1
        self._program = tag == "script" and dict(attrs).get("type") != "application/json"

    def handle_endtag(self, tag: str) -> None:
        self._program = False

    def handle_data(self, data: str) -> None:
        if self._program:
            self.programs.append(data)

    def handle_comment(self, data: str) -> None:
        self.found["<!--"] += 1

    def handle_decl(self, decl: str) -> None:
        self.found["<!"] += 1

    def unknown_decl(self, data: str) -> None:
        self.found["<!["] += 1

    def handle_pi(self, data: str) -> None:
        self.found["<?"] += 1


def elements(text: str) -> Counter[str]:
    """Elements and attributes of an SVG, which an XML parser must take."""
    found: Counter[str] = Counter()
    for one in ET.fromstring(text).iter():
        found[str(one.tag)] += 1
        for name in one.attrib:
            found[f"{one.tag}[{name}]"] += 1
    return found


def problem(name: str, text: str, plain: str, most: int) -> str:
    """What is wrong with an output, against that of the same program with plain names; "" if nothing is."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return "it is no UTF-8"
    alone = ISOLATED.sub("", text)  # words that run to the left may stand between the two signs that isolate them
    bare = UNSEEN.search(re.sub(r"\\u[0-9a-f]{4}", "", alone) if not name.endswith(".json") else text)
    if name.endswith(".svg") and not bare:
        bare = LEFTWARD.search(alone)
    if bare:
        return f"a bare {ord(bare[0]):04X}: {text[max(0, bare.start() - 30) : bare.end() + 10]!r}"
    often = 2.0 if name.endswith(".html") else 1.2  # wide words have pictures of their own for narrow windows
    if len(text) > len(plain) * often + most:
        return f"{len(text):,} letters, of plain names {len(plain):,}"
    if name.endswith(".svg"):
        new = set(elements(text)) - set(elements(plain))
    elif name.endswith(".html"):
        found, known = Elements(text), Elements(plain)
        if found.programs != known.programs:
            return "another program"
        if found.addresses - known.addresses:
            return f"other addresses: {found.addresses - known.addresses}"
        new = set(found.found) - set(known.found) - {"span[style]"}  # how wide a word of a line of code may be
    elif name.endswith(".json"):
        json.loads(text)
        new = set()
    else:
        new = set()
    return f"elements that plain names do not make: {sorted(new)}" if new else ""
