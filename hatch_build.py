"""The README as a package index can show it: links and pictures that are relative here lead to the project's address."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#)([^)\s]+)\)")


def portable(text: str, address: str) -> str:
    """The text with relative links made absolute; without an address pictures are left out, and links are their words."""

    def moved(found: re.Match[str]) -> str:
        picture, words, path = found.groups()
        if address:
            return f"{picture}[{words}]({address}/{'raw' if picture else 'blob'}/HEAD/{path})"
        return "" if picture else words

    return LINK.sub(moved, text).lstrip()


class Readme(MetadataHookInterface):
    """What hatchling asks for the fields that pyproject.toml calls dynamic."""

    def update(self, metadata: dict) -> None:
        root = Path(self.root)
        project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
        address = project["tool"]["minitape"]["address"]
        text = portable((root / "README.md").read_text(encoding="utf-8"), address)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
        if address:
            metadata["urls"] = {"Source": address, "Issues": f"{address}/issues"}
