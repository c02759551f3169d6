"""Positions for a scene, as its `layout` block: derived from the scene, and no facts of the run."""

from __future__ import annotations

from .engine import LayoutError
from .graphviz import MOST, place
from .graphviz import effort_of as effort

__all__ = ["MOST", "LayoutError", "effort", "place"]
