"""The program's names for values, found while it runs: by the line that makes a value, or else in the frames of the program."""

from __future__ import annotations

import sys
from collections.abc import Callable, Container, Iterable, Iterator
from types import CodeType, FrameType
from typing import Any, NamedTuple

from minitape.record.provenance import Site, is_library, is_loop_variable, learner_frame, name_in, names_in, value_in
from minitape.tensor import Operand, Tag
from minitape.trace import Application

from ...schema import clean
from ..places import is_call
from ..within import items_of, paths_from
from .handed import handed_over
from .ways import Way, ways_of, written

ITEMS = "<listcomp>"  # up to Python 3.11 the items of a comprehension are made in a function of its own


class Naming:
    """The names of a run's values: the block's own name wins over that of a function which the block calls."""

    def __init__(self, block: Site) -> None:
        self.block = block
        self.found: dict[Tag, str] = {}
        # Values with a known name, or made on a line that names them: frames need not be searched.
        self.done: set[Tag] = set()
        self._answers: set[Tag] = set()  # gradients that tapes handed out: they may stand in a list or a dict
        self._sought: set[Tag] = set()  # variables and answers that were looked for in what the program holds
        self._paths: dict[Tag, str] = {}  # by variable, the way to it in what the program holds
        self._arrays: dict[Tag, bool] = {}  # made of numbers and not used yet, and whether in passing
        # By instruction the name that its line has for what it makes, and whether there is more to look for.
        self._known: dict[Place, tuple[str, Line | None]] = {}
        # Those that need no further look: while lines wait for what a call gives, the last one alone.
        self._lines = self._known
        self.waiting: dict[Place, tuple[CodeType, tuple[str, ...]]] = {}  # such lines, and their names
        self._ways: dict[Place, tuple[Way, ...]] = {}  # by instruction, what its line writes of what lies in objects
        self._plain = set[Place]()  # lines that were seen to get one value, which has the line's name
        self._meanwhile: dict[Tag, str] = {}  # names that a function had, which may have ended before anybody used them
        # What a call made on a line with this name, and where: its result, or something on the way to it.
        self._perhaps: dict[Tag, tuple[str, CodeType]] = {}
        # Lines that may get a value from a function or a comprehension which makes it, and the names that they have for it.
        self._awaited: dict[Tag, list[tuple[Site, tuple[str, ...]]]] = {}
        self.given_to: dict[Tag, list[tuple[Site, str]]] = {}  # those that have got it
        self._named = set[Tag]()  # those with a name that such lines wait for all the same
        self._calls: dict[tuple[int, int], tuple[tuple[str, ...], bool]] = {}

    def made(self, application: Application, outcomes: tuple[Tag, ...]) -> None:
        """An op of the program's ran: its line may have a name for what it made."""
        place = id(application.code), application.lasti  # code is alive as long as what ran it, and slow to compare
        line = self._lines.get(place)
        if line is None:
            line = self._look_at(place, application)
        name, more = line
        if more is None:
            if name:
                self.done.update(outcomes)
            return
        if more.calls:
            self._perhaps.update(dict.fromkeys(outcomes, (name, application.code)))
            if place not in self._plain:
                self.waiting[place] = application.code, (name,)
                self._lines = {place: line}
        awaited = self._receivers(application.site, more)
        if awaited:
            self._awaited.update((tag, awaited) for tag in outcomes)
            for site, names in awaited:
                self.waiting[id(site.code), site.lasti] = site.code, names
            self._lines = {place: line}
        if name and not more.calls:
            (self._named if awaited else self.done).update(outcomes)

    def _look_at(self, place: Place, application: Application) -> tuple[str, Line | None]:
        """What a line says, where an op ran that was not the last one's: lines that wait may have got what they wait for."""
        if self._lines is not self._known:
            self.look_meanwhile()
        line = self._known.get(place)
        if line is None:
            line = self._known[place] = _line(application.site)
        return line

    def look_meanwhile(self) -> None:
        """Note what the names of lines that wait hold now: their function may end before anybody uses it.

        An op that ran elsewhere, or what is no op, may be the last that is heard of a function.
        """
        self._lines, frames = self._known, self._frames()
        waiting, self.waiting = self.waiting, {}
        for (_, lasti), (code, names) in waiting.items():
            for frame in frames:
                if frame.f_code is code:
                    if _is_at(frame, lasti):
                        self.waiting[id(code), lasti] = code, names
                    else:
                        held = [(name, value_in(frame, name)) for name in names]
                        self._note_held(frame, held)
                        if len(held) == 1 and isinstance(held[0][1], Operand):
                            self._plain.add((id(code), lasti))

    def _note_held(self, frame: FrameType, held: list[tuple[str, Any]]) -> None:
        """Names for values that a frame holds under names of a line, or in lists and dicts under these."""
        items = [*items_of(held)]
        for name, value in (*held, *items, *items_of(items)):
            if isinstance(value, Operand) and value.tag not in self.done:
                tag = value.tag
                if tag in self._awaited:
                    self._hand_out(tag, [frame])
                    if tag in self._named:
                        self._have_name(tag)
                        continue
                result, _ = self._perhaps.get(tag, ("", None))
                if name != result and (tag in self.given_to or result):
                    self._meanwhile.setdefault(tag, clean(name))

    def _receivers(self, site: Site, more: Line) -> list[tuple[Site, tuple[str, ...]]]:
        """The lines that may have names for what is made here: this one, and its callers as far as functions return the value."""
        found = [(site, more.names)] if more.names else []
        passed = more.returned or site.function == ITEMS
        for frame in self._frames()[-2::-1] if passed else ():
            if not passed:
                break
            place = id(frame.f_code), frame.f_lasti
            if place not in self._calls:
                self._calls[place] = Site(frame.f_code, frame.f_lasti).hands_on()
            names, passed = self._calls[place]
            passed |= frame.f_code.co_name == ITEMS
            if names:
                found.append((Site(frame.f_code, frame.f_lasti), names))
        return found

    def _hand_out(self, tag: Tag, frames: Iterable[FrameType]) -> None:
        """Look whether a value has reached the lines that may have a name for it."""
        means, left = _holds(tag), []
        for site, names in self._awaited.pop(tag):
            held = [(name, value_in(frame, name)) for frame in frames if frame.f_code is site.code for name in names]
            mine = [name for name, value in held if means(value)] + [name for name, _ in items_of(held, means)]
            if mine:
                self.given_to.setdefault(tag, []).append((site, clean(mine[0])))
            else:
                left.append((site, names))
        if left:
            self._awaited[tag] = left

    def answered(self, tags: Iterable[Tag]) -> None:
        """A tape handed out gradients."""
        self._answers.update(tags)

    def constant(self, tag: Tag, implicit: bool) -> None:
        """A tensor was made of numbers: of one that stands in a formula, which nobody named, or of an array that a call takes."""
        if tag.shape:
            self._arrays[tag] = implicit
        elif implicit:
            self.done.add(tag)

    @property
    def names(self) -> dict[Tag, str]:
        """The names that were found, each the best that there was for its value."""
        return self._meanwhile | self.found

    def used(self, tag: Tag) -> None:
        """A value without a name is used: a frame of the program may have one for it."""
        means = _holds(tag)
        if tag in self._arrays:
            self.done.update([tag] * self._arrays.pop(tag))
            name = handed_over(self._frames(whole=True), means)
            if name or tag in self.done:
                self._give(tag, name or self._found_in(self._frames(), tag))
                return
        frames = self._frames()
        if tag in self._awaited:
            self._hand_out(tag, frames)
            if tag in self._named:
                self._have_name(tag)
                return
        name, code = self._perhaps.get(tag, ("", None))
        if not (name and any(means(value_in(frame, name)) for frame in frames)):
            item = self._item_of_result(frames, tag)
            if frames[-1].f_code is code and not item:
                return  # still on its way inside of that call
            name = self._found_in(frames, tag) or item
            if not name and tag not in self._sought and (tag in self._answers or _may_lie_deep(tag)):
                self._sought.add(tag)
                name = self._lies_in(frames, tag)
            if not name and not (tag.variable and tag.name):
                name = self._written_in(frames, means)
        self._give(tag, name)

    def _found_in(self, frames: list[FrameType], tag: Tag) -> str:
        """The name of a value from the outermost frame that has one; an item of a list is no `x` of a comprehension over it."""
        means = _holds(tag)
        handed = {site.code: given for site, given in self.given_to.get(tag, ())}
        for place, frame in enumerate(frames):
            name = name_in(frame, means) or handed.get(frame.f_code)
            if name and is_loop_variable(frame, name):
                held = frames[: place + 1]
                return _item_in(_names_of(held), tag) or (tag.variable and self._lies_in(held, tag)) or name
            if name:
                return name
        return ""

    def _item_of_result(self, frames: Iterable[FrameType], tag: Tag) -> str:
        """The name of one of several results of a call: `parts[0]` of `parts = tf.split(x, 2)`."""
        name, _ = self._perhaps.get(tag, ("", None))
        held = [(name, value_in(frame, name)) for frame in frames] if name else []
        return _item_in(held, tag) or _item_in(items_of(held), tag)

    def _lies_in(self, frames: list[FrameType], tag: Tag) -> str:
        """The name of a gradient in a list or a dict, or of a variable wherever the program holds it; "" for no such place."""
        if tag.variable:
            return next(filter(None, (self._path_to(tag, names_in(frame)) for frame in frames)), "")
        return _item_in(_names_of(frames), tag)

    def _written_in(self, frames: Iterable[FrameType], means: Callable[[Any], bool]) -> str:
        """What lies in an object as the outermost line writes it that is at work on it: `batch.x`; "" where none does."""
        for frame in frames:
            place = id(frame.f_code), frame.f_lasti
            ways = self._ways.get(place)
            if ways is None:
                ways = self._ways[place] = ways_of(Site(frame.f_code, frame.f_lasti))
            name = written(frame, ways, means) if ways else ""
            if name:
                return name
        return ""

    def _path_to(self, tag: Tag, names: Iterable[tuple[str, Any]]) -> str:
        """The shortest way from one of these names to a variable; "" where none is short."""
        if tag not in self._paths:  # all that lie there are noted: a net has hundreds of them
            for path, held in paths_from(names):
                if isinstance(held, Operand):
                    self._paths.setdefault(held.tag, path)
        return self._paths.get(tag, "")

    def rest(self, frame: FrameType, variables: Iterable[Tag], seen: Container[Tag]) -> None:
        """Give values that no line names by itself (`y1, y2 = net(x)`) the names under which the program holds them now.

        Results may stand in a list or a dict (`clipped, norm = ...`), and variables deeper, in an object.
        """
        self.look_meanwhile()
        names = names_in(frame)
        for name, held in (*names, *items_of(names)):
            if isinstance(held, Operand) and not name.startswith("_"):
                tag, item = held.tag, not name.isidentifier()
                if tag in self._awaited:
                    self._hand_out(tag, [frame])
                    if tag in self._named:
                        continue
                result, _ = self._perhaps.get(tag, ("", None))
                named = tag.variable or (result and not name.startswith((f"{result}[", f"{result}.")))
                if tag in seen and tag not in self.done and not (item and named):
                    self._give(tag, name)
        for tag in variables:
            if _may_lie_deep(tag) and tag not in self.done and tag not in self._sought:
                self._sought.add(tag)
                self._give(tag, self._path_to(tag, names))

    def _give(self, tag: Tag, name: str) -> None:
        if name:
            self.found[tag] = clean(name)
            self._have_name(tag)

    def _have_name(self, tag: Tag) -> None:
        """Note that a value has a name; it needs no further look, unless lines further out still wait for it."""
        (self._named if tag in self._awaited else self.done).add(tag)

    def _frames(self, whole: bool = False) -> list[FrameType]:
        """The frames of the program, from the block, or else the file or cell, inwards; `whole`, with those of the library."""
        frame: FrameType | None = sys._getframe(1) if whole else learner_frame()
        found = []
        while frame is not None:
            if whole or not is_library[frame.f_code.co_filename]:
                found.append(frame)
                if frame.f_code is self.block.code or frame.f_code.co_name == "<module>":
                    return found[::-1]
            frame = frame.f_back
        return found[:1]


Place = tuple[int, int]  # the id of a code object, and the instruction


class Line(NamedTuple):
    """What a line does with the value that it makes, where it does not simply name it."""

    calls: bool  # it has a name for the result of a call, in which more may be made
    names: tuple[str, ...]  # the names for a list, of which it makes an item
    returned: bool  # its function gives it back


def _line(site: Site) -> tuple[str, Line | None]:
    """The name that a line has for the value it makes, and what else it may do with it."""
    expression, name = site.expression(), site.assigned_name()
    names, returned = site.hands_on()
    line = Line(bool(name) and is_call(expression and expression.node), () if name else names, returned)
    return name, line if any(line) else None


def _is_at(frame: FrameType, lasti: int) -> bool:
    """Whether a frame is still at this instruction: a call that has not returned."""
    at, code = frame.f_lasti, frame.f_code
    return at == lasti or Site(code, at).settled() == Site(code, lasti).settled()


def _may_lie_deep(tag: Tag) -> bool:
    """Whether this is a variable without a name of its own, which may lie in an object, a list or a dict."""
    return tag.variable and not tag.name


def _names_of(frames: Iterable[FrameType]) -> Iterator[tuple[str, Any]]:
    return (named for frame in frames for named in names_in(frame))


def _item_in(names: Iterable[tuple[str, Any]], tag: Tag) -> str:
    """The name of a value that lies in a list, a tuple or a dict of the program; "" for none."""
    return next((name for name, _ in items_of(names, _holds(tag))), "")


def _holds(tag: Tag) -> Callable[[Any], bool]:
    """Whether something that the program has is the value with this tag."""
    return lambda held: isinstance(held, Operand) and held.tag is tag
