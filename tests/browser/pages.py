"""Pages with the player in them, opened from a disk, and what a test asks of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.support import ROOT
from viz.paint.frame import sheet
from viz.paint.page import module, page, stylesheet
from viz.scene import Scene

SCENES = ROOT / "tests" / "data" / "scenes"
NAMES = sorted(path.stem for path in SCENES.glob("*.json"))
WIDTHS = (640, 900, 1280)
VIEWS = ("graph", "score")
HEIGHT = 860

# What of the pictures and their buttons lies under a small map; beyond the edges of its box nothing of a picture is seen.
COVERED = """() => {
  const shown = node => node.checkVisibility({ visibilityProperty: true }) && !node.closest(".mt-shelf.away");
  return [...document.querySelectorAll("svg.mt-map")].filter(shown).flatMap(map => {
    const frame = map.closest(".mt-frame"), b = map.getBoundingClientRect(), box = frame.querySelector(".mt-graph").getBoundingClientRect();
    return [...frame.querySelectorAll(".mt-picture :is(.mt-face, text), .mt-tools button")].filter(shown).filter(node => {
      const a = node.getBoundingClientRect(), cut = node.closest(".mt-picture") ? box : a;
      return Math.max(a.left, cut.left, b.left) < Math.min(a.right, cut.right, b.right) && Math.max(a.top, cut.top, b.top) < Math.min(a.bottom, cut.bottom, b.bottom);
    }).map(node => `the map lies on ${node.textContent.trim() || node.getAttribute("class")}`);
  });
}"""

# Text that lies on other text in the graph, that leaves its card or the picture, is cut or too small, and numbers on edges that lie on each other or on
# cards; a tolerance for the air around glyphs.
TEXT_FAULTS = """() => {
  const inner = box => ({l: box.left + 1, r: box.right - 1, t: box.top + 3, b: box.bottom - 3});
  const seen = node => { const s = getComputedStyle(node); return s.visibility === "visible" && node.getClientRects().length; };
  const inside = node => {  // a box that scrolls hides what lies beyond its edges
    const frame = node.closest(".mt-strings")?.getBoundingClientRect(), box = node.getBoundingClientRect();
    return !frame || (box.top >= frame.top && box.bottom <= frame.bottom);
  };
  const faults = [], all = [];
  for (const node of document.querySelectorAll(":is(.mt-picture, .mt-sheetmusic) text")) {
    if (!node.textContent.trim() || !seen(node) || !inside(node)) continue;
    const box = node.getBoundingClientRect(), drawn = node.closest(".mt-picture, .mt-sheetmusic"), picture = drawn.getBoundingClientRect();
    const beside = drawn.matches(".mt-sheetmusic") ? 9 : 0;  // what stands at an end of the axis reaches a little over it
    const card = node.matches(".mt-name, .mt-label, .mt-number, .mt-shape") && node.closest(".mt-card").querySelector(".mt-face").getBoundingClientRect();
    if (card && (box.left < card.left - 1 || box.right > card.right + 1)) faults.push(`leaves its card: ${node.textContent}`);
    if (box.left < picture.left - 1 - beside || box.right > picture.right + 1 + beside || box.bottom > picture.bottom + 2)
      faults.push(`leaves the picture: ${node.textContent}`);
    all.push([node.textContent, inner(box)]);
  }
  all.sort(([, p], [, q]) => p.l - q.l);
  for (let i = 0; i < all.length; i++) for (let j = i + 1; j < all.length && all[j][1].l < all[i][1].r; j++) {
    const [a, p] = all[i], [b, q] = all[j];
    if (p.l < q.r && p.t < q.b && q.t < p.b) faults.push(`${a} lies on ${b}`);
  }
  const boxes = what => [...document.querySelectorAll(`.mt-picture ${what}`)].filter(seen).map(node => [node, node.getBoundingClientRect()]);
  const chips = boxes(".mt-chip .mt-capsule"), told = node => node.closest(".mt-chip, .mt-card").textContent;
  for (const [at, [chip, p]] of chips.entries()) for (const [other, q] of [...chips.slice(0, at), ...boxes(".mt-card .mt-face")])
    if (Math.min(p.right, q.right) - Math.max(p.left, q.left) > 2 && Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top) > 2) faults.push(`on an edge ${told(chip)} lies on ${told(other)}`);
  for (const node of document.querySelectorAll(".mt-say, .mt-term, .mt-text, .mt-out > span, .mt-title, .mt-hold span, .mt-lanename, .mt-linename, .mt-linenumber"))
    if (node.scrollWidth > node.clientWidth + 1 && node.clientWidth || node.scrollHeight > node.clientHeight + 3 && node.matches(".mt-out > span")) faults.push(`cut: ${node.textContent}`);
  for (const node of document.querySelectorAll(".mt-frame :not(option)"))
    if (node instanceof HTMLElement && [...node.childNodes].some(part => part.nodeType === 3 && part.textContent.trim()) && !node.closest("svg") && seen(node) && parseFloat(getComputedStyle(node).fontSize) < 11)
      faults.push(`too small: ${node.textContent}`);
  faults.push(...(COVERED)());
  if (document.documentElement.scrollWidth > innerWidth) faults.push("the page scrolls sideways");
  return faults;
}""".replace("COVERED", COVERED)

# Words of regions, and why something is not written down, that an edge or the outline of a region runs through, or that leave the picture.
STRUCK = """() => {
  const picture = document.querySelector(".mt-picture"), seen = node => node.checkVisibility({ visibilityProperty: true }) && !node.closest(".off");
  const words = [...picture.querySelectorAll(".mt-rlabel, .mt-tag, .mt-letgo, .mt-againmark")].filter(node => node.textContent.trim() && seen(node));
  const inner = node => {  // from the tops of its letters to a little under the line that they stand on, whatever fonts they are of
    const b = node.getBoundingClientRect(), m = node.getScreenCTM(), y = node.getStartPositionOfChar(0).matrixTransform(m).y;
    return { l: b.left + 2, r: b.right - 2, t: y - 9 * m.a, b: y + 2 * m.a };
  };
  // Every 4 px of a line.  A browser counts from the start of a line for each of them, so an edge is measured in its pieces, and once
  // for all steps.
  const piece = document.createElementNS("http://www.w3.org/2000/svg", "path"), known = window.known ??= new Map();
  const along = line => {
    const key = ["d", "x", "y", "width", "height"].map(name => line.getAttribute(name)).join();
    if (!known.has(key)) {
      const points = [], every = shape => {
        const long = shape.getTotalLength();
        for (let at = 0; at < long; at += 4) points.push(shape.getPointAtLength(at));
        return shape.getPointAtLength(long);
      };
      if (!line.matches("path")) every(line);
      else line.getAttribute("d").match(/[a-z][^a-z]*/gi).reduce((start, part) => {
        piece.setAttribute("d", start + part);
        const { x, y } = every(piece);
        return part.startsWith("M") ? part : `M${x} ${y}`;
      }, "");
      known.set(key, points);
    }
    return known.get(key);
  };
  const all = words.map(node => [node.textContent, inner(node)]), around = picture.getBoundingClientRect();
  const faults = all.filter(([, a]) => a.l < around.left || a.r > around.right || a.b > around.bottom).map(([told]) => `leaves the picture: ${told}`);
  for (const path of picture.querySelectorAll(".mt-edge, .mt-flow, .mt-ground")) {
    if (getComputedStyle(path).stroke === "none" || !seen(path)) continue;
    const b = path.getBoundingClientRect(), near = all.filter(([, a]) => a.l < b.right && a.r > b.left && a.t < b.bottom && a.b > b.top);
    if (!near.length) continue;
    const { a: scale, e: left, f: top } = path.getScreenCTM(), points = along(path);
    for (const [told, a] of near)
      if (points.some(({ x, y }) => x * scale + left > a.l && x * scale + left < a.r && y * scale + top > a.t && y * scale + top < a.b)) faults.push(`struck through by ${path.matches(".mt-ground") ? "an outline" : "an edge"}: ${told}`);
  }
  return faults;
}"""

# Lines of a formula that end in a sign (a sum so far has numbers), terms that are broken although a line has room, and numbers at its end that stand on two lines although one has room.
HANGING = """() => [...document.querySelectorAll(".mt-terms:not([aria-hidden])")].flatMap(box => {
  const terms = [...box.querySelectorAll(".mt-term")], top = node => node.getBoundingClientRect().top;
  const narrow = terms.filter(node => !node.matches(".op")).flatMap(node => [...node.children]).filter(part => {
    const range = document.createRange();
    range.selectNodeContents(part);
    const rows = [...range.getClientRects()];
    return new Set(rows.map(row => Math.round(row.top))).size > 1 && rows.reduce((sum, row) => sum + row.width, 0) < box.clientWidth - 60;
  });
  return narrow.map(part => `a line had room for ${part.textContent}`).concat(terms.filter((node, at) => node.matches(".op") && !/[\\p{L}\\d]/u.test(node.textContent) && terms[at + 1] && top(terms[at + 1]) > top(node) + 9)
    .map(node => `a line ends in ${node.textContent}`))
    .concat([...box.querySelectorAll("div")].filter(tail => {
      const row = [...tail.querySelectorAll(".mt-term")].map(term => term.getBoundingClientRect());
      return row.some(term => term.top > row[0].bottom) && row.reduce((sum, term) => sum + term.width + 9, -9) < box.clientWidth;
    }).map(tail => `what the parts come to is broken: ${tail.textContent}`));
})"""

# Text whose contrast with what lies beneath it is under WCAG's AA: 4.5, or 3 where it is large.  What is not there yet, and
# a control that cannot be used, may be faint: WCAG leaves both out.
CONTRAST_FAULTS = """() => {
  const parsed = colour => {
    const [r, g, b, a = 1] = colour.match(/[\\d.e-]+/g).map(Number);
    return colour.startsWith("color(srgb") ? [255 * r, 255 * g, 255 * b, a] : [r, g, b, a];
  };
  const over = ([r, g, b, a], below) => [r, g, b].map((one, at) => one * a + below[at] * (1 - a));
  const luminance = rgb => rgb.map(one => one / 255).map(one => one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4)
    .reduce((sum, one, at) => sum + one * [0.2126, 0.7152, 0.0722][at], 0);
  const opacities = new Map();  // much the same is around all of them
  const opacity = node => {
    if (!node || node.nodeType !== 1) return 1;
    if (!opacities.has(node)) opacities.set(node, Number(getComputedStyle(node).opacity) * opacity(node.parentNode));
    return opacities.get(node);
  };
  const painted = node => {
    const s = getComputedStyle(node), shape = node instanceof SVGGeometryElement && node.tagName !== "line";
    const colour = shape ? s.fill : node instanceof SVGElement ? "none" : s.backgroundColor;
    if (!/^(rgb|color)/.test(colour) || s.visibility !== "visible") return null;
    const [r, g, b, a] = parsed(colour);
    return [r, g, b, a * opacity(node) * (shape ? Number(s.fillOpacity) : 1)];
  };
  if (!document.getElementById("found")) {  // it stays: to style the whole page anew takes a quarter of the time
    const sheet = Object.assign(document.createElement("style"), { id: "found", textContent: "* { pointer-events: all !important; }" });
    document.head.append(sheet);
  }
  const faults = new Set();
  for (const node of document.querySelectorAll(".mt *")) {
    const own = [...node.childNodes].some(one => one.nodeType === 3 && one.textContent.trim());
    if (!own || node.closest("title, desc, style, option, .future, .later, .mt-measure, :disabled")) continue;
    const s = getComputedStyle(node), box = node.getBoundingClientRect(), drawn = node instanceof SVGElement;
    if (s.visibility !== "visible" || !box.width || !opacity(node)) continue;
    const x = box.x + box.width / 2, y = box.y + box.height / 2;
    if (y < 0 || y > innerHeight || x < 0 || x > innerWidth) continue;
    const stack = document.elementsFromPoint(x, y), at = stack.indexOf(node);
    if (at < 0) continue;  // scrolled out of its box
    let ground = [255, 255, 255];
    for (const one of stack.slice(at).reverse()) { const paint = painted(one); if (paint && one !== node || paint && !drawn) ground = over(paint, ground); }
    if (drawn && s.paintOrder.startsWith("stroke") && s.stroke !== "none") ground = over(parsed(s.stroke), ground);
    const ink = parsed(drawn ? s.fill : s.color);
    const [low, high] = [luminance(over([ink[0], ink[1], ink[2], ink[3] * opacity(node)], ground)), luminance(ground)].sort((p, q) => p - q);
    const size = parseFloat(s.fontSize) * (drawn ? node.getScreenCTM()?.a ?? 1 : 1), large = size >= 24 || size >= 18.66 && Number(s.fontWeight) >= 700;
    const ratio = (high + 0.05) / (low + 0.05);
    if (ratio < (large ? 3 : 4.5)) faults.add(`${ratio.toFixed(2)}: ${node.textContent.trim().slice(0, 40)} (${node.getAttribute("class")})`);
  }
  return [...faults];
}"""


WITHOUT_CAMERA = """node => {
  const copy = node.cloneNode(true);
  for (const each of copy.querySelectorAll(".mt-signs")) each.remove();
  for (const [one, names] of [[".mt-graph", ["style", "class"]], [".mt-formula", ["style"]], [".mt-room", ["data-map"]], [".mt-map", ["hidden"]], [".mt-sight, .mt-here", ["d"]]])
    for (const each of copy.querySelectorAll(one)) for (const name of names) each.removeAttribute(name);
  for (const each of copy.querySelectorAll("[title]")) {  // one that came back stands behind the others
    const said = each.getAttribute("title");
    each.removeAttribute("title");
    each.setAttribute("title", said);
  }
  return copy.outerHTML;
}"""


# To a step; to an address; until what follows from that has been drawn; and what is wrong, step by step.
GO = "n => { const s = document.querySelector('.mt-scrub'); s.value = n; s.dispatchEvent(new Event('input')); }"
REST = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"
TURN = f"""hash => new Promise(done => {{
  if (location.hash === hash) return done();
  addEventListener("hashchange", () => ({REST})().then(done), {{ once: true }});
  location.hash = hash;
}})"""
AT_EACH = "steps.flatMap(n => { go(n); return find().map(one => `step ${n}: ${one}`); })"
PRESS = "key => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))"


def scene(name: str) -> Scene:
    """A stored scene."""
    return Scene.from_json((SCENES / f"{name}.json").read_text(encoding="utf-8"))


class Player:
    """A page with a player in it.  Every request for anything but the page, and every complaint, is remembered."""

    def __init__(self, page: Any, url: str, switch: str = "") -> None:
        self.page, self.url, self.switch = page, url, switch
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.heard = {
            "request": lambda one: one.url.startswith(("data:", "blob:", url.split("#")[0])) or self._asked(one.url),
            "console": lambda one: one.type in ("error", "warning") and self.complaints.append(one.text),
            "pageerror": lambda error: self.complaints.append(str(error)),
        }
        for event, act in self.heard.items():
            page.on(event, act)

    def _asked(self, url: str) -> None:
        self.requests.append(url)

    def leave(self) -> None:
        """Leave the window as if nobody had been there."""
        for event, act in self.heard.items():
            self.page.remove_listener(event, act)
        self.page.mouse.move(-1, -1)
        self.page.goto("about:blank")

    def open(self, fragment: str = "") -> Player:
        if self.page.url != "about:blank":  # another address of the same page would not load it anew
            self.page.goto("about:blank")
        self.page.goto(self.url + self.address(fragment))
        self.page.wait_for_selector("[data-ready], .mt-remark:only-child", state="attached")
        self.page.evaluate("() => document.fonts.ready.then(() => new Promise(requestAnimationFrame))")
        return self

    def turn(self, fragment: str) -> None:
        """Go where the fragment leads, on the page that is open."""
        self.page.evaluate(TURN, self.address(fragment))

    def widen(self, width: int) -> None:
        """Make the window as wide as that."""
        self.page.set_viewport_size({"width": width, "height": HEIGHT})
        self.page.evaluate(REST)

    def faults(self, script: str, steps: Iterable[int]) -> list[str]:
        """What a script finds wrong at each of these steps."""
        return self.page.evaluate(f"steps => {{ const find = {script}, go = {GO}; return {AT_EACH}; }}", [*steps])

    def address(self, fragment: str) -> str:
        """The fragment, with the questions of the page switched as this test wants them."""
        return f"{fragment or '#'}&{self.switch}" if self.switch else fragment

    @property
    def step(self) -> int:
        return int(self.page.text_content(".mt-count").split("/")[0])

    @property
    def last(self) -> int:
        return int(self.page.text_content(".mt-count").split("/")[1])

    def key(self, *keys: str) -> None:
        for one in keys:
            self.page.keyboard.press(one)

    def click(self, name: str) -> None:
        self.page.click(f".mt-{name}")

    def html(self) -> str:
        """The page as steps leave it; where the camera stands depends on the way there, and is left out."""
        return self.page.eval_on_selector(".mt", WITHOUT_CAMERA)

    def fragment(self) -> str:
        # the page writes it 40 ms after the last key, on its own clock: asked on that clock, it cannot be too early
        told = self.page.evaluate("() => new Promise(done => setTimeout(() => done(location.hash), 60))")
        return told.removesuffix(f"&{self.switch}").rstrip("#") if self.switch else told

    def becomes(self, expected: Any, script: str) -> None:
        """Waits until the page answers `script` as expected; says what it answered to the end if it never does."""
        try:
            self.page.wait_for_function(f"expected => ({script}) === expected", arg=expected)
        except Exception as never:
            raise AssertionError(f"{script} is {self.page.evaluate(script)!r}, expected {expected!r}") from never


_last: list[Any] = []  # the scene that was made a page last, how, and the page: the tests of a file mostly share it


def _page(what: Scene, how: dict[str, Any]) -> str:
    asked = [what, *how.values()]
    if not _last or _last[0].keys() != how.keys() or any(one is not other for one, other in zip(_last[1], asked)):
        _last[:] = how, asked, page(what, **how)
    return str(_last[2])


@contextmanager
def player(
    browser: Any,
    folder: Path,
    what: Scene,
    *,
    width: int = 1280,
    still: bool = True,
    asks: bool = False,
    own: bool = False,
    **how: Any,
) -> Iterator[Player]:
    """The export of a scene, opened from a disk; closing it checks that it asked for nothing and complained of nothing.

    Nothing leads past a question that waits, so the questions are off but where a test is about them (`asks`).  A test that
    changes the window for good, as Playwright's clock does, has one of its `own`."""
    path = folder / "page.html"
    path.write_text(_page(what, how), encoding="utf-8")
    quiet = "predict=off" if not asks and any("ask" in step for step in what.steps) else ""
    with _watched(browser, path, width, still, quiet, own) as opened:
        yield opened.open()


@contextmanager
def exported(browser: Any, path: Path, *, width: int = 1280) -> Iterator[Player]:
    """A page that was written before, opened from a disk; closing it checks the same."""
    with _watched(browser, path, width, still=True) as opened:
        yield opened.open()


@contextmanager
def embedded(browser: Any, folder: Path, script: str, scenes: dict[str, Scene], *, body: str = "") -> Iterator[Player]:
    """A page that is not ours, with players embedded: `script` has `mount`, `widget`, `scenes` and the module's `source`."""
    data = json.dumps({name: sheet(one) for name, one in scenes.items()}).replace("<", "\\u003c")
    code = module().replace("export default", "const widget =")
    source = json.dumps(f"{module()}\nexport {{ mount }};").replace("<", "\\u003c")
    path = folder / "host.html"
    path.write_text(
        f'<!doctype html><html><head><meta charset="utf-8"><link rel="icon" href="data:,"><style>{stylesheet()}</style>'
        f'</head><body><input id="outside"><div id="a"></div><div id="b"></div>{body}'
        f'<script type="module">\n{code}\nconst scenes = {data}, source = {source};\n{{\n{script}\n}}</script></body></html>',
        encoding="utf-8",
    )
    with _watched(browser, path, 1000, True) as opened:
        yield opened.open()


_free: list[Any] = []  # a window that no test is in: to make one takes four times as long as to load a page in it


@contextmanager
def _watched(
    browser: Any, path: Path, width: int, still: bool, switch: str = "", own: bool = False
) -> Iterator[Player]:
    page = browser.new_page() if own or not _free else _free.pop()
    page.set_default_timeout(10_000)
    page.set_viewport_size({"width": width, "height": HEIGHT})
    page.emulate_media(media="screen", color_scheme="light", reduced_motion="reduce" if still else "no-preference")
    sound = False
    try:
        opened = Player(page, path.as_uri(), switch)
        yield opened
        assert opened.requests == []
        assert opened.complaints == []
        opened.leave()
        sound = not own
    finally:
        if sound:
            _free.append(page)
        else:
            page.close()
