"""What a page loads when its microscope or inspector is opened: code, style, words, arrays, rules and facts, in one piece."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from ..paint.inspect import about
from ..paint.page import MICROSCOPE, MICROSCOPE_STYLE, STATIC, module, short
from ..paint.page import packed as squeezed
from ..scene import Scene
from .specimen import specimen

__all__ = ["packed", "spoken"]


@cache
def spoken() -> dict[str, str]:
    """Every word of the microscope, by its key in `words.toml`."""
    return tomllib.loads((Path(__file__).parent / "words.toml").read_text(encoding="utf-8"))


def packed(scene: Scene) -> str:
    """All that the microscope needs of a scene, as text for a page to keep until somebody wants it.

    >>> import minitape as tf, viz
    >>> with viz.record() as run:
    ...     y = tf.constant([1.0, 2.0]) * 3.0
    >>> packed(run.scene)[:4]
    'H4sI'
    """
    style = short((STATIC / MICROSCOPE_STYLE).read_text(encoding="utf-8"))
    return squeezed(
        {
            "code": module(files=MICROSCOPE),
            "style": style,
            "data": {**specimen(scene), "words": spoken(), "about": about(scene)},
        }
    )
