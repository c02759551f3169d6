"""A page inside of another page: picture, sentence, formula and buttons at once, its height told to the host, its keys its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import minitape as tf
import viz
from tests.support import ROOT
from tests.viz import programs

HOWTO = (ROOT / "docs" / "howto" / "embed_in_slides.md").read_text(encoding="utf-8")
SNIPPET = HOWTO.split("```html\n")[1].split("```")[0]  # the first: what an article takes
SEEN = """() => ["graph", "say", "terms", "controls", "scrub"].map(name => {
  const { top, bottom, left, right, height } = document.querySelector(`.mt-${name}`).getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth && height > 15 ? "" : `${name} ${top} ${bottom} ${left} ${right}`;
}).filter(Boolean)"""


@contextmanager
def article(
    browser: Any, folder: Path, run: Any, *, snippet: str = SNIPPET, width: int = 900, system: str = "light", **how: Any
) -> Iterator[Any]:
    """Somebody's page around the export; `.frame` is the window inside of it."""
    viz.export(run, folder / "nested.html", embed=True, **how)
    text = f'<!doctype html><html><head><meta charset="utf-8"><link rel="icon" href="data:,"></head><body><p>Before.</p>{snippet}<p>After.</p></body></html>'
    (folder / "article.html").write_text(text, encoding="utf-8")
    context = browser.new_context(
        viewport={"width": width, "height": 800}, reduced_motion="reduce", color_scheme=system
    )
    context.set_default_timeout(10_000)
    try:
        page = context.new_page()
        complaints: list[str] = []
        page.on("console", lambda one: one.type in ("error", "warning") and complaints.append(one.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto((folder / "article.html").as_uri())
        frame = page.frames[1]
        frame.wait_for_selector("[data-ready]", state="attached")
        yield page, frame
        assert complaints == []
    finally:
        context.close()


@pytest.mark.parametrize("name", ["nested", "recompute", "keras_step"])
@pytest.mark.parametrize("view", ["graph", "score"])
def test_all_is_seen_at_once_in_a_frame_that_nobody_resizes(browser: Any, tmp_path: Any, name: str, view: str) -> None:
    page = browser.new_page(viewport={"width": 720, "height": 480}, reduced_motion="reduce")
    run = programs.run(name)
    last = max(at for at, step in enumerate(run.scene.steps) if step.get("formula"))
    viz.export(run, tmp_path / "page.html", embed=True, start=last, view=view)
    page.goto((tmp_path / "page.html").as_uri() + "#predict=off")
    page.wait_for_selector("[data-ready]", state="attached")
    seen = SEEN if view == "graph" else SEEN.replace('"graph"', '"strings"')
    assert page.evaluate(seen) == []
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight && scrollX === 0")
    assert not page.is_visible(".mt-code") and not page.is_visible(".mt-memory")
    page.click("summary")
    assert page.evaluate(seen) == []  # what is opened stands under it
    assert page.is_visible(".mt-code") and page.is_visible(".mt-memory")
    page.close()


@pytest.mark.parametrize("width", [900, 420])
def test_it_sizes_itself_in_an_article_with_the_snippet_of_the_guide(browser: Any, tmp_path: Any, width: int) -> None:
    assert 'sandbox="allow-scripts"' in SNIPPET
    with article(browser, tmp_path, programs.run("nested"), width=width, start=-1) as (page, frame):
        high = "document.querySelector('iframe').clientHeight"
        page.wait_for_function(f"{high} !== 480")
        page.wait_for_timeout(200)
        rest = page.evaluate(high)
        # Nothing in it scrolls, and no room is left over.
        assert frame.evaluate("document.documentElement.scrollHeight") == rest
        assert rest - frame.evaluate("document.querySelector('.mt').offsetHeight") < 4
        frame.click("summary")
        page.wait_for_function(f"{high} > {rest + 100}")
        frame.click("summary")
        page.wait_for_function(f"{high} === {rest}")
        for fragment in ("score", "graph"):
            frame.click(f".mt-to-{fragment}")
        page.wait_for_function(f"{high} === {rest}")


def test_keys_buttons_and_tools_work_inside_and_stay_there(browser: Any, tmp_path: Any) -> None:
    with article(browser, tmp_path, programs.run("keras_step"), start=3) as (page, frame):

        def count() -> int:
            return int(frame.text_content(".mt-count").split("/")[0])

        page.evaluate("window.heard = []; addEventListener('keydown', event => heard.push(event.key))")
        page.keyboard.press("ArrowRight")
        assert count() == 3  # nobody has clicked into it yet
        frame.click(".mt-say")
        page.keyboard.press("ArrowRight")
        frame.click(".mt-next")
        assert count() == 5
        page.keyboard.press("Home")
        assert count() == 0 and page.evaluate("heard") == ["ArrowRight"]
        page.keyboard.press("t")
        assert frame.get_attribute(".mt", "data-theme") == "dark"
        frame.click(".mt-scope")  # loaded when it is opened, in a sandbox too
        frame.wait_for_selector(".mt-microscope > *")


@pytest.mark.parametrize(
    ("theme", "system", "shown"), [("", "dark", "dark"), ("", "light", "light"), ("light", "dark", "light")]
)
def test_its_colours_are_the_readers_or_the_ones_asked_for(
    browser: Any, tmp_path: Any, theme: str, system: str, shown: str
) -> None:
    with article(browser, tmp_path, programs.run("slope"), system=system, theme=theme) as (_, frame):
        assert frame.get_attribute(".mt", "data-theme") == shown


def test_the_height_is_told_once_for_each_height(browser: Any, tmp_path: Any) -> None:
    count = "<script>window.told = []; addEventListener('message', event => told.push(event.data));</script>"
    with article(browser, tmp_path, programs.run("slope"), snippet=count + SNIPPET, start=-1) as (page, frame):
        page.wait_for_function("told.length > 0")
        for _ in range(4):
            frame.click(".mt-back")
        page.wait_for_timeout(200)
        told = page.evaluate("told")
        assert len(told) <= 2 and all(one == {"type": "minitape", "height": one["height"]} for one in told)


def test_knobs_can_be_turned_in_a_frame(browser: Any, tmp_path: Any) -> None:
    def program(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.sin(x)
        return tape.gradient(y, x)

    live = viz.live(program, x=(0.0, 3.0, 1.0))
    with article(browser, tmp_path, live) as (page, frame):
        page.wait_for_function("document.querySelector('iframe').clientHeight !== 480")
        assert frame.is_visible(".mt-code") and frame.is_visible(".mt-graph")


def test_only_a_page_is_embedded(tmp_path: Any) -> None:
    with pytest.raises(ValueError, match=r"embed=True is for a page .*; name it run\.html"):
        viz.export(programs.run("slope"), tmp_path / "run.svg", embed=True)
