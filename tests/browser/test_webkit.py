"""Exported pages in WebKit, from a disk.  `pytest -m deep` runs it where a WebKit is (`webkit2gtk-driver` and `xvfb` of Debian)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.webkit import WebKit, webkit
from tests.support import deep
from tests.viz import programs
from viz.microscope.pack import packed
from viz.paint.page import page
from viz.tell import opened_folds

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not deep(), reason="opened by `pytest -m deep tests/browser/test_webkit.py`"),
    pytest.mark.deep,
]

READY = """async () => {
  const ready = () => document.querySelector("[data-ready]"), until = performance.now() + 20000;
  while (!ready() && performance.now() < until) await new Promise(done => setTimeout(done, 50));
  return Boolean(ready());
}"""
COUNT = "() => document.querySelector('.mt-count').textContent"
SHOWN = "() => [...document.querySelectorAll('.mt-number, .mt-say > span, .mt-linenumber')].map(one => one.textContent).join('|')"


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebKit]:
    with webkit(tmp_path_factory.mktemp("home")) as window:
        yield window


def shown(window: WebKit, folder: Path, text: str, fragment: str = "") -> None:
    (folder / "page.html").write_text(text, encoding="utf-8")
    window.goto("about:blank")
    window.goto((folder / "page.html").as_uri() + fragment)
    assert window.evaluate(READY)


@pytest.mark.parametrize("name", ["nested", "recompute", "keras_step"])
def test_back_is_as_exact_as_forward(window: WebKit, tmp_path: Path, name: str) -> None:
    scene = programs.run(name).scene
    shown(window, tmp_path, page(scene), "#step=0&predict=off")
    last = len(scene.steps) - 1
    there = []
    for step in range(last + 1):
        assert window.evaluate(COUNT) == f"{step} / {last}"
        there.append(window.evaluate(SHOWN))
        window.key("ArrowRight")
    for step in range(last, -1, -1):
        assert window.evaluate(SHOWN) == there[step], step
        window.key("ArrowLeft")
    window.key("End", "g", "t")
    assert window.evaluate(COUNT) == f"{last} / {last}"
    assert window.evaluate("() => document.querySelector('.mt-frame').dataset.view") == "score"


def test_folds_open_level_by_level(window: WebKit, tmp_path: Path) -> None:
    run = programs.run("loop_folded")
    opened = opened_folds(run, everything=True)
    way = next(one for one in opened if "/" in one)
    shown(window, tmp_path, page(run.scene, opened=opened), f"#open={way.replace(' ', '%20').replace('/', '%2F')}")
    assert window.evaluate("() => document.querySelectorAll('.mt-card').length") == len(opened[way].values)


def test_the_microscope_is_loaded(window: WebKit, tmp_path: Path) -> None:
    scene: Any = programs.run("keras_step").scene
    shown(window, tmp_path, page(scene, lenses={"": packed(scene)}), "#step=20&predict=off")
    window.key("m")
    loaded = "async () => { for (let i = 0; i < 100 && !document.querySelector('.mt-microscope > *'); i++) await new Promise(done => setTimeout(done, 50)); return document.querySelectorAll('.mt-microscope > *').length; }"
    assert window.evaluate(loaded) > 0


def test_a_page_in_a_frame_tells_its_height(window: WebKit, tmp_path: Path) -> None:
    (tmp_path / "inner.html").write_text(page(programs.run("nested").scene, embed=True), encoding="utf-8")
    (tmp_path / "outer.html").write_text(
        "<!doctype html><script>window.told = []; addEventListener('message', event => told.push(event.data));</script>"
        '<iframe src="inner.html" sandbox="allow-scripts" style="width: 700px; height: 480px"></iframe>',
        encoding="utf-8",
    )
    window.goto((tmp_path / "outer.html").as_uri())
    told = window.evaluate(
        "async () => { for (let i = 0; i < 100 && !told.length; i++) await new Promise(done => setTimeout(done, 50)); return told; }"
    )
    assert told and all(one["type"] == "minitape" and 300 < one["height"] < 1200 for one in told)
