"""What the sources of other frameworks have in common while they write a run down: its places, ops, regions and sentences."""

from __future__ import annotations

from collections.abc import Mapping
from types import FrameType
from typing import Any

from ..schema import clean
from .borrowed import Instruction, learner_frame
from .numbers import Snapshot
from .places import Places
from .records import FORWARD, Applied, Context, Failed, Op, Record, Recorder, Site, Value
from .run import OfFramework


class RunNotes:
    """What is known of a run so far."""

    def __init__(self, run: OfFramework) -> None:
        self.run, run.notes = run, self
        self.stream = run.stream
        self.places = Places()
        self._sites: dict[Any, Site] = {}
        self._op_count = 0

    def add(self, record: Record) -> Record:
        """Note a record, at the line that is running, with what is going on."""
        if record.site is None:
            record.site = self.here()
        if record.context is FORWARD:
            record.context = self.context()
        self.stream.records.append(record)
        return record

    def context(self) -> Context:
        """What is going on."""
        raise NotImplementedError

    def here(self) -> Site:
        """Where a record is noted that says no place itself."""
        return self.site()

    def site(self, frame: FrameType | None = None) -> Site:
        """The learner's instruction that is running."""
        frame = frame or learner_frame()
        place = id(frame.f_code), frame.f_lasti
        known = self._sites.get(place)
        if known is None:
            known = self._sites[place] = self.places.site(Instruction(frame.f_code, frame.f_lasti))
        return known

    def op(self, row: Any, takes: tuple[Value, ...], gives: tuple[Value, ...], **facts: Any) -> Op:
        """An op that was applied."""
        self._op_count += 1
        return Op(f"o{self._op_count}", row, takes, gives, **facts)

    def ran(self, op: Op, numbers: Mapping[Value, Snapshot] | None = None) -> None:
        """Note that an op ran, and what its results were."""
        self.add(Applied(op=op, site=op.site, context=op.context, numbers=numbers or {}))

    def failed(self, error: BaseException, recorder: Recorder | None = None, site: Site | None = None) -> None:
        """Note the error that ended a backward pass or the block."""
        message = str(error).splitlines()[0] if str(error) else ""
        self.add(Failed(error=clean(type(error).__name__), message=clean(message), recorder=recorder, site=site))

    def say(self, note: str) -> None:
        """A sentence on what could not be had, once."""
        if note not in self.stream.notes:
            self.stream.notes += (note,)

    def finish(self) -> None:
        """The block is over."""
