"""Scenes, rendered: as text, SVG, one HTML file or a widget."""
