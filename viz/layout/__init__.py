"""Positions for a scene, as the contract's `layout` block: what is derived, never what happened."""

from __future__ import annotations

from .engine import LayoutError
from .graphviz import MOST, place
from .graphviz import effort_of as effort

__all__ = ["MOST", "LayoutError", "effort", "place"]
