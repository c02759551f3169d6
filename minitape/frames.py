"""Frames of control flow: loop bodies, loop conditions and branches, each with the values that it reads from outside."""

from __future__ import annotations

import itertools
from typing import Any

from .record.events import Context, Label, Verdict, changed, here, state
from .tensor import Tag, moment
from .trace import Sees, Verdicts

_loops = itertools.count(1)


class Frame:
    """One iteration of a loop's body or condition, or one branch.

    `captures` are the tags of the variables and outer tensors that were read inside.
    """

    straight = False
    sees = Sees.OPS  # a recorder that sees the ops inside of regions, and keeps nothing for a backward pass

    def __init__(self, kind: str, loop: str, iteration: int | None, outer: Frame | None) -> None:
        self.label = Label(kind, here())
        self.took: Verdicts = ((self.label, Verdict.RECORDED),)
        self.kind = kind  # while_body | while_cond | cond_branch
        self.loop = loop
        self.iteration = iteration
        self.outer = outer
        self.captures: set[Tag] = set()
        self._began = moment()

    @property
    def in_while_loop(self) -> bool:
        """Whether this frame or one around it belongs to a while loop."""
        return self.kind.startswith("while") or (self.outer is not None and self.outer.in_while_loop)

    # ---- the recorder's side (trace.Recorder) -----------------------------------------------------------------------------

    def record(self, application: Any, inputs: Any, outputs: Any) -> Verdict:
        """Note outer tensors."""
        for value in inputs:
            if value.tag.id < self._began and not value.tag.variable:
                self.captures.add(value.tag)
        return Verdict.CAPTURES

    def accessed(self, variable: Any) -> None:
        """Note a variable."""
        self.captures.add(variable.tag)

    def forget(self, tag: Tag) -> None:
        """Nothing is followed."""

    def __repr__(self) -> str:
        where = f" {self.loop}[{self.iteration}]" if self.loop else ""
        return f"<{self.kind}{where}>"


def new_loop(name: str | None = None) -> str:
    """A name for one run of a loop, within the loops around it."""
    own = f"{name or 'while'}#{next(_loops)}"
    around = state.context.frame
    return f"{around.loop}[{around.iteration}]/{own}" if around is not None and around.loop else own


class inside(changed):
    """Run a block as a loop's body, its condition, or a branch."""

    def __init__(self, kind: str, loop: str = "", iteration: int | None = None) -> None:
        outer = state.context.frame
        self._frame = frame = Frame(
            kind, loop or (outer.loop if outer else ""), outer.iteration if outer and not loop else iteration, outer
        )
        recorders = (*state.recorders, frame) if state.recorders else ()  # who reads what matters to tapes only
        context = state.context._replace(frame=frame, loop=frame.loop, iteration=frame.iteration)
        super().__init__(recorders=recorders, context=context)

    def __enter__(self) -> Frame:
        super().__enter__()
        return self._frame


def frame_of(context: Context | None = None) -> Frame | None:
    """The frame of a context (by default the present one); in a backward pass, that of the op which is being reversed."""
    context = state.context if context is None else context
    if context.frame is None and context.cause is not None:
        return frame_of(context.cause.context)
    found: Frame | None = context.frame
    return found
