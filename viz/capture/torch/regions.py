"""Checkpoints, both kinds: a region that saves what goes in, and runs again when the backward pass comes to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch

from ..records import Answered, Entered, Left, Op, Recorder
from ..regions import Region
from .notes import Graph, Notes
from .tensors import tensors_in


class Regions:
    """Stands in for the two functions that `checkpoint` calls."""

    def __init__(self, notes: Notes, plain: Callable[..., Any] | None, forward: Callable[..., Any] | None) -> None:
        self.notes, self.plain, self.reentrant_forward = notes, plain, forward
        self._count = 0

    def begun(self, function: Any, args: Any) -> Region:
        """A new region, for a call with these arguments."""
        self._count += 1
        name = getattr(function, "__name__", type(function).__name__)
        around = tuple([region.name for region in self.notes.regions])
        return Region(self._count, name, around, map(self.notes.value, tensors_in(args)))

    def generator(self, function: Any, *rest: Any, **settings: Any) -> Iterator[None]:
        """In place of the generator behind `checkpoint(use_reentrant=False)`."""
        assert self.plain is not None
        region: Region | None = None

        def again(*args: Any, **kwargs: Any) -> Any:
            return function(*args, **kwargs) if region is None else self._again(region, function, args, kwargs)

        inner = self.plain(again, *rest, **settings)
        if torch.is_grad_enabled():
            region = self.begun(function, rest[5:])
        next(inner)
        if region is None:
            yield
        else:
            self._opens(region)
            try:
                yield
            except BaseException as error:
                self._closes(region)
                inner.throw(error)
                raise
            self._as_one(region, self._closes(region))
        for _ in inner:
            pass

    def forward(self, context: Any, function: Any, *rest: Any) -> Any:
        """In place of `CheckpointFunction.forward`, behind `checkpoint(use_reentrant=True)`."""
        assert self.reentrant_forward is not None
        region = self.begun(function, rest[1:])

        def body(*args: Any) -> Any:
            if region.runs:
                return self._again(region, function, args, {})
            self._opens(region)
            try:
                return function(*args)
            finally:
                self._closes(region)

        body.region = region  # type: ignore[attr-defined]
        return self.reentrant_forward(context, body, *rest)

    # ---- what is told ---------------------------------------------------------------------------------------------------

    def _opens(self, region: Region) -> None:
        notes = self.notes
        notes.settle()
        notes.add(region.opened(context=notes.context()))
        notes.regions.append(region)
        region.start = len(notes.stream.records)

    def _closes(self, region: Region) -> list[Op]:
        notes = self.notes
        notes.settle()
        notes.regions.remove(region)
        body = region.body(notes.stream.records)
        notes.add(region.closed(context=notes.context()))
        return body

    def _as_one(self, region: Region, body: list[Op]) -> None:
        """What the graph keeps instead of the values inside: what went in."""
        notes = self.notes
        if not body or not body[-1].taken:
            return
        recorder, takes = body[-1].taken[0], region.takes
        region.entry = notes.op(
            notes.rows.own(region.name, len(takes)), takes, body[-1].gives, site=notes.site(), context=notes.context(),
            taken=(recorder,), saved=((recorder, tuple(range(len(takes)))),), region=region.id,
        )  # fmt: skip
        notes.ran(region.entry)

    def _again(self, region: Region, function: Any, args: Any, kwargs: Any) -> Any:
        """What a region does when the backward pass needs what was let go in it."""
        notes = self.notes
        if not notes.passes:
            return function(*args, **kwargs)
        work = notes.passes[-1]
        notes.settle()
        work.flush()
        outer, inner = region.during("gradient", work.recorder), region.during("recompute", work.recorder)
        notes.add(region.replayed(context=outer))
        around, rerun = work.rerun, Graph(Recorder(f"{region.id} {region.runs}", "tape", "rerun"))
        work.rerun, rerun.begun = rerun, True
        notes.add(Entered(recorder=rerun.recorder, context=inner))
        notes.regions.append(region)
        try:
            return function(*args, **kwargs)
        finally:
            notes.settle()
            notes.regions.remove(region)
            notes.add(Left(recorder=rerun.recorder, context=inner))
            notes.add(region.closed(context=outer))
            work.reruns.append((region, rerun))
            if notes.regions:
                work.rerun = around


def leave(notes: Notes, work: Any, path: tuple[str, ...] | None) -> None:
    """The backward pass has left the regions that are not around this path."""
    for region, graph in [*work.reruns]:
        if path is None or path[: len(region.path)] != region.path:
            work.reruns.remove((region, graph))
            context = region.during("gradient", work.recorder)
            notes.add(Answered(recorder=graph.recorder, sources=(), answers=(), context=context))
