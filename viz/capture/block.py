"""The block of `with viz.record(framework) as run`: what it puts on when it begins is taken off when it ends, however it ends."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any, ClassVar

from .notes import RunNotes
from .records import Failed


def stand_in(stack: ExitStack, place: Any, name: str, ours: Any) -> None:
    """Put `ours` under a name of a class or module until the stack is closed."""
    stack.callback(setattr, place, name, vars(place)[name])
    setattr(place, name, ours)


class FrameworkBlock:
    """Watches a framework while its block runs."""

    framework: ClassVar[str]  # as people call it
    module: ClassVar[str]  # as Python imports it
    listening: ClassVar[bool] = False  # whether such a block is open

    def __init__(self, notes: RunNotes, missing: tuple[str, ...]) -> None:
        self.notes, self.run = notes, notes.run
        self.run.missing = missing

    def put_on(self, stack: ExitStack) -> None:
        """Put our functions in the place of the framework's wherever something is to be seen, until the stack is closed."""
        raise NotImplementedError

    def __enter__(self) -> Any:
        if self.listening:
            raise RuntimeError(f"{self.framework} is being recorded already: one viz.record({self.module}) at a time")
        self.notes.stream.block = self.notes.site()
        with ExitStack() as stack:
            stack.callback(setattr, type(self), "listening", False)
            type(self).listening = True
            self.put_on(stack)
            self._undo = stack.pop_all()
        self.run.listening = True
        return self.run

    def __exit__(self, kind: Any, problem: Any, traceback: Any) -> None:
        self.run.listening = False
        self._undo.close()
        self.notes.finish()
        last = self.notes.stream.records[-1] if self.notes.stream.records else None
        if problem is not None and not isinstance(last, Failed):  # a backward pass that failed has said so
            self.notes.failed(problem, site=self.notes.stream.block)
