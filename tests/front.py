"""Writes the picture at the top of the README, a real page in a real browser: `python -m tests.front`.

The file carries a digest of what the page says at that step, and a test compares it: a picture of an older player fails.
"""

from __future__ import annotations

import hashlib
import io
import os
import pathlib
import re
import sys
import tempfile

import viz
from tests.browser.conftest import FLAGS, chromium
from tests.viz import programs

PICTURE = pathlib.Path(__file__).parents[1] / "docs" / "pictures" / "stepper.png"
STEP, WIDE, HIGH = 24, 1280, 906
SAYS = "What the page says"


def write(folder: pathlib.Path) -> pathlib.Path:
    """The page: a gradient of a gradient, in the middle of the outer tape's backward pass."""
    run = programs.run("nested")
    run.stream.title = "nested.py"
    return pathlib.Path(viz.export(run, folder / "nested.html", start=STEP))


def said(path: pathlib.Path) -> str:
    """A digest of all words and numbers of a page, wherever its marks may stand."""
    body = re.sub(r"<(script|style)\b.*?</\1>", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    return hashlib.sha256(" ".join(re.sub(r"<[^>]*>", " ", body).split()).encode()).hexdigest()


def main() -> None:
    """Open the page, and keep what a reader sees of it."""
    from PIL import Image
    from PIL.PngImagePlugin import PngInfo
    from playwright.sync_api import sync_playwright

    noted, root = PngInfo(), sys.platform == "linux" and os.geteuid() == 0
    with tempfile.TemporaryDirectory() as room, sync_playwright() as playwright:
        path = write(pathlib.Path(room))
        noted.add_text(SAYS, said(path))
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS + ["--no-sandbox"] * root)
        seen = browser.new_page(
            viewport={"width": WIDE, "height": HIGH}, device_scale_factor=1.5, reduced_motion="reduce"
        )
        seen.goto(path.as_uri())
        seen.wait_for_timeout(600)
        drawn = Image.open(io.BytesIO(seen.screenshot()))
        browser.close()
    drawn.quantize(256).save(PICTURE, pnginfo=noted, optimize=True)


if __name__ == "__main__":
    main()
