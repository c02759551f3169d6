"""A scene as a file, in the form that the file's suffix names."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .. import files
from ..scene import Scene

SUFFIXES = (".html", ".svg", ".png", ".json", ".dot", ".txt")


def write(
    scene: Scene, path: Any, start: int = 0, theme: str = "", frames: Any = None, view: str = "graph",
    opened: Mapping[str, Scene] | None = None, lenses: Mapping[str, str] | None = None, embed: bool = False,
) -> str:  # fmt: skip
    """Write the scene and return the path; raises ValueError for a suffix that has no form."""
    path = Path(os.fspath(path))
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise ValueError(f"{path.name!r}: the suffix says what to write, one of {', '.join(SUFFIXES)}")
    if embed and suffix != ".html":
        raise ValueError(
            f"{path.name!r}: embed=True is for a page that steps inside of another one; name it {path.stem}.html"
        )
    at = start if start >= 0 else len(scene.steps) + start
    if suffix == ".png":
        from .plot import memory, png

        return files.write(path, png(memory(scene).figure))
    if suffix == ".json":
        text = scene.to_json() + "\n"
    elif suffix == ".html":
        from .page import page

        text = page(scene, step=at, view=view, theme=theme, opened=opened, lenses=lenses, embed=embed)
    elif suffix == ".svg":
        from .svg import parts_of, picture, strip

        parts = parts_of(view)
        if frames is None:
            text = picture(scene, at or None, theme=theme, parts=parts)
        else:
            text = strip(scene, frames, theme=theme)
    elif suffix == ".dot":
        from .dot import text as dot

        text = dot(scene)
    else:
        from .text import table

        text = table(scene) + "\n"
    return files.write(path, text + files.STAMPS[suffix])
