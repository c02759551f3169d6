"""What a source collected: a title, and everything that happened as a stream."""

from __future__ import annotations

from ..schema import clean
from .stream import Stream


class Recorded:
    """A recorded run of any framework; viz/__init__.py gives it a face, and a subclass its stream."""

    def __init__(self, title: str = "", lead: str = "") -> None:
        for name, words in (("title", title), ("lead", lead)):
            if not isinstance(words, str):
                raise TypeError(
                    f'{name} is a text that stands above the pictures, not {type(words).__name__}: viz.record("a step")'
                )
        self.title, self.lead = clean(title), clean(lead)
        self.listening = False

    @property
    def stream(self) -> Stream:
        """The run as records."""
        raise NotImplementedError

    def __len__(self) -> int:
        raise NotImplementedError
