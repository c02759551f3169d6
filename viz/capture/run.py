"""What a source collected: a title, and everything that happened as a stream."""

from __future__ import annotations

from typing import Any

from ..schema import clean
from .stream import Stream


class Recorded:
    """A recorded run of any framework; viz/__init__.py gives it a face, and a subclass its stream."""

    def __init__(self, title: str = "", lead: str = "") -> None:
        for name, words in (("title", title), ("lead", lead)):
            if not isinstance(words, str):
                raise TypeError(
                    f'the {name} of a run is a text, not {type(words).__name__}: viz.record("a title", lead="what to look for")'
                )
        self.title, self.lead = clean(title), clean(lead)
        self.listening = False

    @property
    def stream(self) -> Stream:
        """The run as records."""
        raise NotImplementedError

    def __len__(self) -> int:
        raise NotImplementedError


class OfFramework(Recorded):
    """A program of another framework's, whose records are written down as it runs."""

    def __init__(self, title: str = "", lead: str = "", **facts: Any) -> None:
        super().__init__(title, lead)
        self._stream = Stream(title=self.title, lead=self.lead, **facts)
        self.missing: tuple[str, ...] = ()  # what this version of the framework does not let be told
        self.notes: Any = None

    @property
    def stream(self) -> Stream:
        """The run as records."""
        return self._stream

    def __len__(self) -> int:
        return len(self._stream)
