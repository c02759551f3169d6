"""What nbval compares of pictures, `-p tests.pictures`: their words, whichever order they stand in.

Where things stand comes from Graphviz and a machine's fonts, and may differ between two machines that are both right; scenes
are compared for that, by tests/viz.  What a picture says may not.
"""

from __future__ import annotations

import base64
import re
from typing import Any

SVG = re.compile(r"data:image/svg\+xml;base64,([\w+/=]+)")
WORDS = re.compile(r"<(?:text|tspan|title|desc)\b[^>]*>([^<]+)")


def pytest_configure() -> None:
    """Let nbval compare the words, in place of the picture."""
    from nbval.plugin import IPyNbCell  # reads much, for seconds

    plain = IPyNbCell.sanitize

    def sanitize(cell: Any, output: Any) -> Any:
        def words(picture: re.Match[str]) -> str:
            svg = base64.b64decode(picture[1]).decode()
            return f"PICTURE of {sorted(plain(cell, ' '.join(WORDS.findall(svg))).split())}"

        return plain(cell, SVG.sub(words, output) if isinstance(output, str) else output)

    IPyNbCell.sanitize = sanitize
