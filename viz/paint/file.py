"""A scene as a file, in the form that the file's suffix names."""

from __future__ import annotations

import io
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
        from .plot import memory

        drawn = io.BytesIO()
        memory(scene).figure.savefig(drawn, format="png", metadata={"Software": "minitape"})
        return files.write(path, drawn.getvalue())
    return files.write(
        path, _text(scene, suffix, at, (theme, view), frames, opened or {}, lenses or {}, embed) + files.STAMPS[suffix]
    )


def _text(
    scene: Scene,
    suffix: str,
    at: int,
    look: tuple[str, str],
    frames: Any,
    opened: Mapping[str, Scene],
    lenses: Mapping[str, str],
    embed: bool,
) -> str:
    theme, view = look
    if suffix == ".json":
        return scene.to_json() + "\n"
    if suffix == ".html":
        from .page import page

        return page(scene, step=at, view=view, theme=theme, opened=opened, lenses=lenses, embed=embed)
    if suffix == ".svg":
        from .svg import parts_of, picture, strip

        if frames is not None:
            return strip(scene, frames, theme=theme)
        return picture(scene, at or None, theme=theme, parts=parts_of(view))
    if suffix == ".dot":
        from .dot import text

        return text(scene)
    from .text import table

    return table(scene) + "\n"
