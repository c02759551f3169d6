"""What the sources of other frameworks have in common while they write a run down: its places, ops and sentences."""

from __future__ import annotations

from types import FrameType
from typing import Any

from minitape.record import provenance
from minitape.record.provenance import learner_frame

from ..schema import clean
from .places import Places
from .records import Op, Site, Value
from .run import OfFramework


class RunNotes:
    """What is known of a run so far."""

    def __init__(self, run: OfFramework) -> None:
        self.run, run.notes = run, self
        self.stream = run.stream
        self.places = Places()
        self._sites: dict[Any, Site] = {}
        self._op_count = 0

    def site(self, frame: FrameType | None = None) -> Site:
        """The learner's instruction that is running."""
        frame = frame or learner_frame()
        place = id(frame.f_code), frame.f_lasti
        known = self._sites.get(place)
        if known is None:
            known = self._sites[place] = self.places.site(provenance.Site(frame.f_code, frame.f_lasti))
        return known

    def op(self, row: Any, takes: tuple[Value, ...], gives: tuple[Value, ...], **facts: Any) -> Op:
        """An op that was applied."""
        self._op_count += 1
        return Op(f"o{self._op_count}", row, takes, gives, **facts)

    def say(self, note: str) -> None:
        """A sentence on what could not be had, once."""
        if note not in self.stream.notes:
            self.stream.notes += (note,)

    def said(self, error: BaseException) -> tuple[str, str]:
        """An error's kind and message."""
        return clean(type(error).__name__), clean(str(error).splitlines()[0] if str(error) else "")
