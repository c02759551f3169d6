"""On paper: the picture at its step, sentence, formula, code, lanes and memory, all of each, on no page more than that takes."""

from __future__ import annotations

import re
import zlib
from typing import Any

import pytest

from tests.browser.pages import REST, TEXT_FAULTS, player
from tests.viz import programs

A4 = 718  # px between its margins
ALL = {"graph": ["say", "terms", "picture", "code", "strip.lanes", "strip.memory", "legend"], "score": ["say", "terms", "strings", "code", "strip.memory", "legend"]}  # fmt: skip
CUT = """() => [...document.querySelectorAll(".mt-graph, .mt-code, .mt-strings, .mt-left")].filter(one => one.getClientRects().length)
  .filter(one => getComputedStyle(one).maskImage !== "none" || getComputedStyle(one).overflowY !== "visible" && one.scrollHeight > one.clientHeight + 2
    || one.scrollWidth > one.clientWidth + 2).map(one => one.className)"""
OVERLAP = """names => {
  const boxes = names.map(name => [name, document.querySelector(`.mt-${name}`).getBoundingClientRect()]), found = [];
  for (const [a, p] of boxes) for (const [b, q] of boxes)
    if (a < b && p.left < q.right - 1 && q.left < p.right - 1 && p.top < q.bottom - 1 && q.top < p.bottom - 1) found.push(`${a} on ${b}`);
  return found;
}"""


def sheets(pdf: bytes) -> list[int]:
    """How many bytes of drawing each page has."""
    out = []
    for thing in re.findall(rb"/Type /Page\n.*?/Contents (\d+) 0 R", pdf, re.DOTALL):
        head = re.search(rb"\n%s 0 obj\n<<[^>]*/Length (\d+)>> stream\n" % thing, pdf)
        assert head is not None
        out.append(len(zlib.decompress(pdf[head.end() : head.end() + int(head[1])])))
    return out


@pytest.mark.parametrize("view", ["graph", "score"])
@pytest.mark.parametrize("name", ["nested", "keras_step"])
def test_a_page_on_paper_has_all_and_nothing_is_cut(browser: Any, tmp_path: Any, name: str, view: str) -> None:
    scene = programs.run(name).scene
    at = max(step for step, one in enumerate(scene.steps) if one.get("formula"))
    with player(browser, tmp_path, scene) as it:
        it.open(f"#step={at}&view={view}&theme=dark")
        for wide in (False, True):
            drawn = sheets(it.page.pdf(format="A4", landscape=wide))
            assert 1 <= len(drawn) <= (3 if wide else 2) and min(drawn) > 1000, drawn
        it.page.set_viewport_size({"width": A4, "height": 1040})
        it.page.emulate_media(media="print")
        it.page.evaluate(REST)
        hidden = [one for one in ALL[view] if not it.page.is_visible(f".mt-{one} >> nth=0")]
        assert hidden == []
        assert it.page.evaluate(CUT) == []
        assert it.page.evaluate(OVERLAP, ALL[view]) == []
        for gone in ("controls", "options", "scrub"):
            assert not it.page.is_visible(f".mt-{gone}")
        if view == "graph":
            assert it.page.evaluate(TEXT_FAULTS) == []
            # as wide as the paper, not the column beside the code
            width = it.page.evaluate("document.querySelector('svg.mt-picture').getBoundingClientRect().width")
            own = float(it.page.get_attribute("svg.mt-picture", "viewBox").split()[2])
            assert width >= 0.9 * min(A4 - 40, own)
