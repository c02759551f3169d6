"""Which versions are installed, and whether `viz` is ours."""

from __future__ import annotations

import importlib.util
import os
import sys

import numpy as np

VERSION = "0.2.0"


def about() -> str:
    """The installed versions, where `viz` comes from, and what is missing for pictures, in a few lines.

    Another package on the package index is called viz too, and an installer silently overwrites ours with it: this shows
    whether that happened.

    >>> import minitape
    >>> print(minitape.about().splitlines()[0])
    minitape ...
    """
    lines = [f"minitape {VERSION}", f"Python {sys.version.split()[0]}, NumPy {np.__version__}"]
    lines.append(_viz())
    for name, means in (
        ("anywidget", "runs show as still pictures, not as steppers"),
        ("matplotlib", "viz.memory and .png files cannot be drawn"),
    ):
        if importlib.util.find_spec(name) is None:
            lines.append(f"without {name}, {means}; pip install 'minitape[viz]' brings it")
    return "\n".join(lines)


def _viz() -> str:
    found = importlib.util.find_spec("viz")
    if found is None or found.origin is None:
        return "viz is missing: install minitape again"
    folder = os.path.dirname(found.origin)
    if not os.path.exists(os.path.join(folder, "scene.py")):
        return f"viz at {folder} is another package of that name: pip uninstall viz, then install minitape again"
    return f"viz {folder}"
