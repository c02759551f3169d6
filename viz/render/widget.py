"""The player as a Jupyter widget.  This module alone needs anywidget, so import it only where a widget is wanted."""

from __future__ import annotations

from base64 import b64encode
from html import escape
from typing import Any

import anywidget
import traitlets

from ..scene import Scene
from ..style import PALETTE
from .html import module, stylesheet


class Stepper(anywidget.AnyWidget):  # type: ignore[misc,unused-ignore]
    """A scene that a learner steps through in a notebook; all stepping happens in the browser, none in the kernel.

    `step` follows the reader and moves the picture when it is set; `theme` is "", "light" or "dark"; `predict` says
    whether the scene's questions are asked before their answers are shown.  `picture` (an SVG) and `words` are what a
    reader sees who has no kernel: on a code forge, in a printed notebook, in one that is not trusted yet.
    Raises ValueError for a theme that does not exist.

    >>> scene = Scene(title="one", steps=[{"kind": "start", "say": "Nothing has run yet.", "memory": {}}])
    >>> Stepper(scene)
    <Stepper: one, 1 step>
    """

    _esm = module()
    _css = stylesheet()

    scene = traitlets.Dict().tag(sync=True)
    step = traitlets.Int(0).tag(sync=True)
    theme = traitlets.Unicode("").tag(sync=True)
    predict = traitlets.Bool(True).tag(sync=True)

    def __init__(
        self,
        scene: Scene,
        *,
        picture: str = "",
        words: str = "",
        step: int = 0,
        theme: str = "",
        ask: bool = True,
        **more: Any,
    ) -> None:
        if theme not in ("", *PALETTE):
            raise ValueError(f"no theme is called {theme!r}: light, dark, or '' for what the notebook has")
        step = max(0, min(step, len(scene.steps) - 1))
        self._picture, self._words = picture, words
        super().__init__(scene=scene.to_dict(), step=step, theme=theme, predict=ask, **more)

    def __repr__(self) -> str:
        count = len(self.scene.get("steps", ()))
        return f"<Stepper: {self.scene.get('title') or 'a run'}, {count} step{'' if count == 1 else 's'}>"

    def _repr_mimebundle_(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """The widget's view, and beside it a picture and words that need neither a kernel nor trust."""
        bundle = super()._repr_mimebundle_(**options)
        if bundle is None:
            return None
        data, metadata = bundle
        words = self._words or repr(self)
        if self._picture:
            # an <img> with its bytes inline is the only form that untrusted notebooks and offline exports both keep
            bytes64 = b64encode(self._picture.encode()).decode("ascii")
            said = escape(self.scene.get("title") or "a run", quote=True)
            data["text/html"] = f'<img alt="{said}" src="data:image/svg+xml;base64,{bytes64}">'
        data["text/plain"] = words
        return data, metadata
