"""One browser and one JupyterLab for all browser tests."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator

import pytest

from tests.browser.lab import Lab
from tests.support import ROOT, not_here

FLAGS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-color-profile=srgb",
    "--js-flags=--max-lazy",  # of a page's script, which each page compiles anew, only what is called
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",  # nothing can be fetched from elsewhere
]


def chromium() -> str | None:
    """Where a Chromium lies: MINITAPE_CHROMIUM, else the usual names on PATH, else the usual place on a Mac.

    One that has no windows comes first: it renders the same for less.
    """
    named = os.environ.get("MINITAPE_CHROMIUM")
    if named:
        return named
    for name in ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome"):
        if path := shutil.which(name):
            return path
    mac = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
    return mac if os.path.exists(mac) else None


@pytest.fixture(scope="session")
def browser() -> Iterator:
    """A headless Chromium with no way out of this machine; `browser.new_context()` gives a clean window."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        not_here("playwright is not installed")
    path = chromium()
    if path is None:
        not_here("no Chromium found; install one, or name it in MINITAPE_CHROMIUM")
    root = sys.platform == "linux" and os.geteuid() == 0
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=FLAGS + ["--no-sandbox"] * root)
        yield started
        started.close()


@pytest.fixture(scope="session")
def lab(browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """A JupyterLab that serves a copy of notebooks/; `lab.open(name)` opens one of them, `lab.root` is the copy."""
    room = tmp_path_factory.mktemp("lab")
    root = room / "notebooks"
    shutil.copytree(ROOT / "notebooks", root, ignore=shutil.ignore_patterns(".ipynb_checkpoints", "__pycache__"))
    with Lab(browser, root, room) as started:
        yield started
