"""What a page loads when its inspector or microscope is opened: what is said of each value, and of a run with arrays code, style,
words, arrays and rules, in one piece."""

from __future__ import annotations

from functools import cache
from typing import Any

from ..paint.inspect import about, has_arrays
from ..paint.page import MICROSCOPE, MICROSCOPE_STYLE, STATIC, short, source
from ..paint.page import packed as squeezed
from ..scene import Scene
from .specimen import specimen
from .words import spoken

__all__ = ["packed", "spoken"]


@cache
def kit() -> str:
    """The microscope's code, of which a player asks for two functions."""
    return f"{source(MICROSCOPE)}\nexport{{microscope,whole}};"


def packed(scene: Scene) -> str:
    """All that the microscope needs of a scene, as text for a page to keep until somebody wants it.

    >>> with viz.record() as run:
    ...     y = tf.constant([1.0, 2.0]) * 3.0
    >>> packed(run.scene)[:4]
    'H4sI'
    """
    told: dict[str, Any] = {"about": about(scene)}
    if has_arrays(scene):
        style = short((STATIC / MICROSCOPE_STYLE).read_text(encoding="utf-8"))
        told |= {"code": kit(), "style": style, "data": {**specimen(scene), "words": spoken()}}
    return squeezed(told)
