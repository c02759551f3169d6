"""The stepper with knobs as a Jupyter widget.  This module alone needs anywidget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import traitlets

from ..paint.page import LIVE, NOT_A_STEPPERS, WIDGET, module, packed, stylesheet
from ..paint.svg import picture
from ..paint.text import story
from ..paint.widget import Stepper
from .idle import Idle, first, possible
from .page import carried

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .session import Live


CALM = 0.4  # s without a turn until the parts for a page without a kernel are made


class Turned(Stepper):
    """A stepper of which the program is traced anew whenever a knob is turned; step, view and focus stay.

    `values` says where the knobs stand, and may be set; `turn` is what the last turn changed.  The browser keeps one turn on the
    way and then sends the newest position, so a slow kernel drops those between.
    """

    _esm = module(without=WIDGET, more=tuple(name for name in LIVE if name != "alone.js"))
    _css = stylesheet(without=tuple(name for name in NOT_A_STEPPERS if name != "live.css"))

    live = traitlets.Dict().tag(sync=True)
    # `turn` says where they stand: one message less to wait for.
    values = traitlets.Dict().tag(sync=True, echo_update=False)
    turn = traitlets.Dict().tag(sync=True)
    settled = traitlets.Int(0).tag(sync=True, echo_update=False)
    ahead = traitlets.Dict().tag(sync=True)  # a page that may be turned to, for a moment
    still = traitlets.Dict().tag(sync=True)  # what a saved notebook shows where no widget is, since a knob was turned
    wanted = traitlets.Int(0).tag(sync=True)  # a page, by its number, that the browser does not have

    def __init__(self, live: Live) -> None:
        self._live, self._count, self._idle = live, 0, Idle()
        scene = live.scene
        told = live.begin()
        self._sent = {told["page"]}  # a viewer keeps pages, so each is sent once
        curve = (live.known_curve(live.values) or []) if possible() else live.curve(live.values)
        turn = {"count": 0, "page": told["page"], "lines": [], **self._stands()}
        super().__init__(
            scene,
            sheet=told,
            picture=picture(live.still, len(scene.steps) - 1, theme=live.theme),
            words=story(scene),
            step=len(scene.steps) - 1,  # there every number is seen moving
            theme=live.theme,
            live=live.told(),
            values=dict(live.values),
            turn={**turn, "curve": curve},
        )
        self._idle.begin(self._work())

    def _work(self) -> Iterator[object]:
        """Work in the background: the pages one switch or choice away, the curve, then other pages."""
        near, far = self._live.stands()
        for page in self._live.preparing(near):
            if page is not None and page["page"] not in self._sent:
                self._sent.add(page["page"])
                self.ahead = page  # the browser prepares it; it is not saved a second time
                self.ahead = {}
            yield None
        if self._live.known_curve(self._live.values) is None:
            yield from self._live.curving(self._live.values)
            self._tell()
        yield from self._live.preparing(far)
        if self._count:
            yield CALM
            yield from self._rest()

    def _rest(self) -> Iterator[None]:
        """The picture and the words for who has no kernel, where the knobs stand now."""
        scene = self._live.still
        yield
        self._picture, self._words = picture(scene, len(scene.steps) - 1, theme=self.theme), story(scene)
        self.still = self._resting()
        yield

    @traitlets.observe("values")
    def _turn(self, change: Any) -> None:
        if dict(self.values) == self._live.values:
            return
        self._idle.stop()
        try:
            self._live.checked(self.values)
        except (KeyError, ValueError):  # from an older page, or a position that is none
            self.values = dict(self._live.values)
            return
        with first():
            told = self._live.turned(dict(self.values), self.view)
            self._count += 1
            self.scene = self._live.run.scene
            told.pop("sheet", None)
            page = self._page()
            with self.hold_sync():
                if page["page"] not in self._sent:
                    self._show(page)
                self.turn = {**told, "page": page["page"], "count": self._count}

    def _page(self) -> dict[str, Any]:
        """The sheet of the page that is seen."""
        return self._live.page.sheet if self._live.page else self._live.begin()

    def _show(self, sheet: dict[str, Any]) -> None:
        self.sheet = sheet
        self._sent.add(sheet["page"])

    @traitlets.observe("wanted")
    def _send_again(self, change: Any) -> None:
        """The browser asks for a page that it does not have."""
        if self.wanted:
            self.sheet, self.wanted = self._page(), 0

    @traitlets.observe("settled", "view")
    def _tell_the_rest(self, change: Any) -> None:
        """A gesture ended: now there is time for what is not in view, the other view and a missing curve."""
        if self._count == 0 or self._live.page is None:
            return
        if not possible():
            self._live.curve(self._live.values)
        self._live.rest()
        self._tell()
        self._idle.begin(self._work())

    def _tell(self) -> None:
        """All that this page tells differently from when it was made: so it can be saved, and shown once more, as it is now."""
        live, page = self._live, self._page()
        self._count += 1
        told = {"page": page["page"], "lines": live.page.since() if live.page else [], "count": self._count}
        self.turn = {**self._stands(), **told, "curve": live.known_curve(live.values)}

    def _stands(self) -> dict[str, Any]:
        """Where the knobs stand, and what the program does there."""
        live = self._live
        return {"values": live.values, **live.height(live.run), "refused": live.refusal(live.run)}

    def carried(self) -> dict[str, Any]:
        """All that a page needs to play this without a kernel: every position, traced in advance."""
        told, html = carried(self._live, self.view)
        options = {"step": self.step, "view": self.view, "theme": self.theme}
        return {"kind": "turns", "html": html, "live": packed(told), "options": options}

    def close(self) -> None:
        """Put the widget away, and leave undone what was to be done for it."""
        self._idle.stop()
        super().close()
