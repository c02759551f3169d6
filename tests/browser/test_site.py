"""The site: built by its one command, whole, and walked from a disk with nothing from outside."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from docs.site import build
from tests.support import NOTEBOOKS, python

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("myst_nb")
    folder = tmp_path_factory.mktemp("site") / "below" / "a path"
    said = python("-m", "docs.site.build", str(folder))
    assert said.returncode == 0, said.stdout + said.stderr
    return folder


def test_every_lesson_is_there_with_its_pictures(site: Path) -> None:
    for path in NOTEBOOKS:
        text = (site / "notebooks" / f"{path.stem}.html").read_text(encoding="utf-8")
        stored = path.read_text(encoding="utf-8").count('"<img alt')
        assert text.count("data:image/svg+xml;base64") >= stored > 0, path.name
    assert build.size(site) < build.MOST


def test_beside_each_page_stand_the_titles_of_all(site: Path) -> None:
    """And nothing of what is in them."""
    for path in sorted(site.glob("*/*.html")):
        text = path.read_text(encoding="utf-8")
        tree = text[text.index('<div class="sidebar-tree">') :].partition("</div>")[0]
        titles = re.findall(r'<a class="(?:current )?reference internal" href="([^"]*)"', tree)
        there = {(path.parent / title).resolve() for title in titles if not title.startswith("#")}
        assert len(titles) > 50 and len(there) >= len(titles) - 1, path.name
        assert there >= {site / "notebooks" / f"{lesson.stem}.html" for lesson in NOTEBOOKS} - {path}, path.name


def test_formulas_are_set_and_not_spelled(site: Path) -> None:
    for path in NOTEBOOKS:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        formulas = sum(
            source.count("$$") // 2 for one in cells if one["cell_type"] == "markdown" for source in one["source"]
        )
        text = (site / "notebooks" / f"{path.stem}.html").read_text(encoding="utf-8")
        assert text.count('display="block"') >= formulas and "$$" not in text, path.name


VIEW = "application/vnd.jupyter.widget-view+json"

# Every part of a lesson in turn, as a reader: guess first, then step to the end and back, then turn every
# knob: a slider to both its ends, a switch both ways, a choice to each of its options.
WALK = """async () => {
  const rest = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)));
  const all = () => [...document.querySelectorAll(".mt-course")].filter(one => one.offsetParent);
  const seen = { players: 0, steps: 0, stuck: [], turned: {}, dead: [], guesses: 0, left: [] };
  const wait = async test => { for (let tries = 0; tries < 400 && !test(); tries++) await rest(); return Boolean(test()); };
  const ends = knob => knob.type === "checkbox" ? [!knob.checked, knob.checked] : knob.type === "range" ? [knob.min, knob.max] : [...knob.options].map(one => one.value);
  for (const one of all()) {
    one.scrollIntoView();
    if (one.querySelector("pre.mt-question") && !await wait(() => (one.scrollIntoView(), one.querySelector("[role=status]")))) seen.left.push(one.innerText);
    const option = one.querySelector("[data-option]:not(.mt *)"), field = one.querySelector("input[type=text]:not(.mt *)");
    if (field) field.value = "7";
    if (option || field) { (option || field.nextElementSibling).click(); seen.guesses++; }
  }
  for (let at = 0; at < all().length; at++) {
    const one = all()[at];
    one.scrollIntoView();
    if (!await wait(() => (one.scrollIntoView(), !one.dataset.told && !one.dataset.waits))) seen.left.push(one.innerText);
    if (!one.querySelector(":scope > .mt-frame")) continue;
    seen.players++;
    if (!await wait(() => one.matches("[data-ready]"))) { seen.left.push(one.innerText.slice(0, 60)); continue; }
    const button = name => one.querySelector(`.mt-${name}`), number = () => one.querySelector("[data-n]").textContent;
    if (button("predict")?.getAttribute("aria-pressed") === "true") button("predict").click();
    button("last").click();
    const end = number();
    button("first").click();
    if (number() !== "0" || end === "0") seen.stuck.push(end);
    for (let n = 0; n < end && n < 12; n++) button("next").click();
    if (number() !== String(Math.min(end, 12))) seen.stuck.push(number());
    button("last").click();
    seen.steps += Number(end);
    for (const { dataset: { knob: name } } of one.querySelectorAll(".mt-live :is(input, select)[data-knob]")) {
      const knob = () => one.querySelector(`.mt-live :is(input, select)[data-knob="${name}"]`), key = knob().type === "checkbox" ? "checked" : "value";
      const faces = new Set([one.querySelector(".mt-frame").innerText]);
      for (const value of ends(knob())) {
        knob()[key] = value;
        knob().dispatchEvent(new Event("input", { bubbles: true }));
        await rest();
        if (!await wait(() => (knob().type === "range" ? Number(knob().value) === Number(value) : knob()[key] === value))) seen.stuck.push(`${name} ${value}`);
        faces.add(one.querySelector(".mt-frame").innerText);
      }
      seen.turned[knob().type] = (seen.turned[knob().type] || 0) + 1;
      if (faces.size < 2) seen.dead.push(name);
    }
  }
  return seen;
}"""


def faults_of(page: Any) -> list[str]:
    """What a page complains of from now on, and what it asks for that lies elsewhere."""
    faults: list[str] = []
    page.on("request", lambda one: one.url.startswith(("file:", "data:", "blob:")) or faults.append(one.url))
    page.on("console", lambda one: one.type in ("error", "warning") and faults.append(one.text))
    page.on("pageerror", lambda one: faults.append(str(one)))
    return faults


def test_every_lesson_plays_with_no_kernel(site: Path, browser) -> None:
    window = browser.new_context(viewport={"width": 1280, "height": 900})
    page, walked = window.new_page(), {}
    faults = faults_of(page)
    for path in NOTEBOOKS:
        page.goto((site / "notebooks" / f"{path.stem}.html").as_uri())
        assert page.title(), path.name
        walked[path.stem] = seen = page.evaluate(WALK)
        assert not seen["stuck"] and not seen["dead"] and not seen["left"], (path.name, seen)
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        stored = [list(output.get("data", {})) for cell in cells for output in cell.get("outputs", [])]
        live = sum(VIEW in one and "image" not in one for one in stored)
        assert seen["players"] + seen["guesses"] >= live and not faults, (path.name, seen, live, faults)
    window.close()
    turned = Counter[str]()
    for one in walked.values():
        turned.update(one["turned"])
    assert turned["range"] >= 17 and turned["checkbox"] >= 7 and turned["select-one"] >= 5, turned
    assert sum(one["steps"] for one in walked.values()) > 700


def test_it_walks_from_a_disk_with_no_request_and_no_error(site: Path, browser) -> None:
    """Every page but the lessons, which the last test walked, and one of each folder in the dark: a page loads the same in both."""
    every = sorted(site.rglob("*.html"))
    lessons = {site / "notebooks" / f"{path.stem}.html" for path in NOTEBOOKS}
    one_of_each = list({path.parent: path for path in every}.values())
    for theme, paths in (("light", [path for path in every if path not in lessons]), ("dark", one_of_each)):
        window = browser.new_context(color_scheme=theme, viewport={"width": 1280, "height": 900})
        page = window.new_page()
        faults = faults_of(page)
        for path in paths:
            page.goto(path.as_uri())
            assert page.title(), path.name
        page.goto((site / "search.html").as_uri() + "?q=jacobian")
        page.wait_for_selector("#search-results li")
        assert not faults
        window.close()
