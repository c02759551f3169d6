"""Two runs side by side, in words: the first difference in a sentence, the pairs that differ, and the cards where they stand."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from ..capture.numbers import number
from ..capture.records import Site
from ..capture.stream import Stream
from ..scene import Scene
from ..schema import clean
from .differences import ANOTHER, ONLY, SETTING, Differences, Pair, differences
from .distance import ROUNDING, SAME, SHAPE, UNKNOWN, Distance
from .loops import Loops
from .moments import Moment
from .pairs import both_shown, coarse_of, kind_of, mark_of, percent, settings_of, shape_of, short, shown
from .together import together
from .words import Words

ROWS, ENDS = 8, 5  # pairs of the table: the first that differ, and of the answers and errors the last
STEPS = 60  # of a page: so many of the first
TURNS = 100  # of a loop whose first difference is a step of the page, too; of longer ones some, evenly
ALIKE = 0.2  # the share of ops below which two programs count as strangers
SAID = ("op", "made", "given", "enter", "watch", "pause", "region", "again", "back", "error", "assign", "answer")
END = ("answer", "error", "assign", "look-up")
FORWARD = ("given", "made", "op", "assign")


class Told:
    """What is said of two runs."""

    def __init__(self, one: Stream, other: Stream, names: tuple[str, str]) -> None:
        self.names, self.words = tuple(clean(name) for name in names), Words()
        self.found = differences(one, other)
        self.streams = one, other

    @property
    def strangers(self) -> bool:
        """Whether the runs have hardly an op in common."""
        ops = [sum(moment.kind == "op" for moment in run.all) for run in self.found.moments]
        ended = any(moment.kind in ("error", "full") for run in self.found.moments for moment in run.all)
        return not ended and min(ops) > 0 and self.found.shared < max(1.0, ALIKE * max(ops))

    def facts(self, scenes: tuple[Scene, Scene] | None = None) -> dict[str, Any]:
        """The facts of the figure, without the memory."""
        said = self.sentences()
        if self.strangers:
            graphs = _graphs(scenes, ({}, {}))
            return {"names": self.names, "said": said, "rows": [], "more": 0, "loops": [], "graphs": graphs}
        pairs = [pair for pair in self.found.pairs if pair.verdict not in (SAME, UNKNOWN)]
        loops = together(*scenes) if scenes else []
        turns = [self._turns(pair, loops) for pair in pairs]
        brief, more = {id(pair) for pair in _chosen(pairs, ROWS)}, {id(pair) for pair in _chosen(pairs, STEPS)}
        more |= {id(pairs[at]) for at in _of_turns(turns)}
        rows = [
            self._row(pair, pair is self.found.first, scenes) | {"brief": id(pair) in brief, "turns": turn}
            for pair, turn in zip(pairs, turns, strict=True)
            if id(pair) in more
        ]
        marks = _marked(self.found, scenes) if scenes else ({}, {})
        return {
            "names": self.names, "said": said, "rows": rows, "more": len(pairs) - len(brief),
            "loops": loops, "graphs": _graphs(scenes, marks),
        }  # fmt: skip

    @cached_property
    def _by_loop(self) -> tuple[dict[str, dict[Any, int]], ...]:
        """Of each run, by loop: the turn that an op belongs to, and a value that it is the first to read."""
        out = []
        for stream in self.streams:
            loops, found = Loops(stream.records), dict[str, dict[Any, int]]()
            for at, turns in enumerate(loops.turns):
                place: dict[Any, int] = {}
                for turn in range(turns.times):
                    for op in loops.ops_in(at, turn):
                        place[op.id] = turn
                        for value in op.takes:
                            place.setdefault(value, turn)
                found[loops.name(at)] = place
            out.append(found)
        return tuple(out)

    def _turns(self, pair: Pair, loops: list[list[dict[str, Any]]]) -> list[int]:
        """In which turn of each loop of both it happened; −1 where in none."""
        out = []
        for both in loops:
            there = [self._by_loop[side][both[side]["id"]].get(_thing(moment), -1)
                     for side, moment in enumerate((pair.one, pair.other)) if moment is not None]  # fmt: skip
            out.append(max(there))
        return out

    # ---- sentences ----------------------------------------------------------------------------------------------------------

    def sentences(self) -> list[str]:
        """Where they first differ, what becomes of it, and who ended with an error."""
        first, real = self.found.first, self.found.real
        if self.strangers:
            ops = [sum(moment.kind == "op" for moment in run.all) for run in self.found.moments]
            return [self._of_both("differ.strangers", mine=ops[0], theirs=ops[1], shared=self.found.shared)]
        kept = "kept" if self.found.unsure else "bit"
        if first is None:
            return [self._of_both(f"differ.same.{kept}"), *self._unheard()]
        if first.verdict == ROUNDING and real is None:
            return [self._of_both("differ.rounding", far=self._most()), *self._unheard()]
        out = [self.words("differ.first", where=self.where(first), what=self.what(first))]
        if real is None:
            others = [pair for pair in self.found.pairs if pair is not first and not pair.quiet]
            apart = any(pair.verdict not in (SAME, UNKNOWN) for pair in others)
            if apart:
                out.append(self.words("differ.then_rounding", far=self._most()))
            else:
                out.append(self.words(f"differ.then_same.{kept}"))
        elif real is not first:
            out.append(self.words("differ.then_real", where=self.where(real), what=self.what(real)))
        if real is not None:
            out += self._after(first, real)
        return [*out, *self._unheard()]

    def _of_both(self, key: str, **facts: Any) -> str:
        """A sentence that names both runs."""
        return self.words(key, **{"one": self.names[0], "other": self.names[1], **facts})

    def _unheard(self) -> list[str]:
        """What is not known of two runs: numbers that were not kept, and events after a recording was full."""
        out = []
        if unsure := self.found.unsure:
            out.append(self.words(f"differ.unsure.{'one' if unsure == 1 else 'many'}", count=f"{unsure:,}"))
        for name, run in zip(self.names, self.found.moments, strict=True):
            out += [self.words("differ.full", name=name, limit=f"{run.limit:,}")] if run.limit else []
        return out

    def _after(self, first: Pair, real: Pair) -> list[str]:
        both = [pair for pair in self.found.pairs if pair.one is not None and pair.other is not None]
        same = sum(pair.verdict == SAME for pair in both)
        near = sum(pair.verdict in (ROUNDING, "dtype") for pair in both)
        unsure = self.found.unsure
        counts = {"same": same, "near": near, "unsure": unsure, "apart": len(both) - same - near - unsure}
        told = ", ".join(
            self.words(f"differ.count.{key}", count=f"{count:,}") for key, count in counts.items() if count
        )
        out = [self.words("differ.count", both=f"{len(both):,}", told=told)] if both else []
        odd = next((pair for pair in both if pair.far is not None and pair.far.odd), None)
        if odd is not None and odd is not first and odd is not real:
            out.append(self.words(f"differ.odd.{_odd(odd.far)}", where=self.where(odd), what=self.what(odd)))
        ended = next((pair for pair in self.found.pairs if pair.moment.kind == "error" and pair.verdict == ONLY), None)
        if ended is not None and ended is not first and ended is not real:
            out.append(self.words("differ.ended", what=self.what(ended)))
        return out

    def _most(self) -> str:
        """The largest difference of all pairs, where it is rounding."""
        far = max((pair for pair in self.found.pairs if pair.far is not None and pair.far.verdict == ROUNDING),
                  key=lambda pair: pair.far.share if pair.far else 0.0, default=None)  # fmt: skip
        if far is None or far.far is None:
            return self.words("differ.no_far")
        return self.words(
            "differ.share", share=number(far.far.share), units=number(round(far.far.units, 1)), dtype=coarse_of(far)
        )

    def where(self, pair: Pair) -> str:
        """The learner's line, in both where they differ in that, too."""
        lines = [self._line(site) for site in _sites(pair)]
        if not lines:
            return self.words("twins.somewhere")
        if len(lines) == 1 or lines[0] == lines[1]:
            return lines[0]
        return self._of_both("differ.lines", mine=lines[0], theirs=lines[1])

    def _line(self, site: Site) -> str:
        text = clean(short(" ".join(site.text.split())))
        if text:
            return self.words("twins.where", line=site.line, text=text)
        return self.words("differ.where", line=site.line)

    def what(self, pair: Pair) -> str:
        """What is there in one run, and what in the other."""
        if pair.one is None or pair.other is None:
            has, lacks = self.names if pair.one is not None else self.names[::-1]
            moment = pair.moment
            kind = moment.kind if moment.kind in SAID else "step"
            return self.words(
                f"differ.only.{kind}", has=has, lacks=lacks, name=moment.name, word=moment.word or moment.kind,
                number=shown(moment), text=clean(short(moment.text)),
            )  # fmt: skip
        mine, theirs = pair.one, pair.other
        if mine.kind != theirs.kind:
            at = mine.kind != "error"
            broken, going = (mine, theirs)[at], (mine, theirs)[not at]
            return self.words(
                "differ.stopped", has=self.names[at], lacks=self.names[not at], word=broken.word, other=going.word,
                text=clean(short(broken.text)),
            )  # fmt: skip
        if pair.verdict == "error":
            return self._of_both("differ.error", mine=mine.word, theirs=theirs.word)
        numbers = both_shown(pair)
        if pair.verdict == ANOTHER:
            return self._of_both("differ.another", mine=mine.word, theirs=theirs.word, a=numbers[0], b=numbers[1])
        if pair.verdict == SETTING:
            return self._of_both("differ.setting", word=mine.word, a=settings_of(pair, 0), b=settings_of(pair, 1))
        if pair.verdict == "dtype":
            numbers = (kind_of(mine.number), kind_of(theirs.number))
        elif pair.verdict == SHAPE:
            numbers = (shape_of(mine.number), shape_of(theirs.number))
        constant = mine.kind == "made" and mine.name in (shown(mine), "") and theirs.name in (shown(theirs), "")
        name = self.words("differ.constant") if constant else mine.name
        return self._of_both("differ.is", name=name, a=numbers[0], b=numbers[1])

    # ---- the table ----------------------------------------------------------------------------------------------------------

    def _row(self, pair: Pair, first: bool, scenes: tuple[Scene, Scene] | None) -> dict[str, Any]:
        numbers = both_shown(pair)
        return {
            "line": " · ".join(dict.fromkeys(str(site.line) for site in _sites(pair))), "name": self._named(pair),
            "one": numbers[0], "other": numbers[1], "far": self._far(pair), "mark": mark_of(pair), "first": first,
            "say": self.words("differ.first" if first else "differ.at", where=self.where(pair), what=self.what(pair)),
            "cards": [_card(*side) for side in zip((pair.one, pair.other), scenes or (None, None), strict=True)],
        }  # fmt: skip

    def _named(self, pair: Pair) -> str:
        moment = pair.moment
        kind = {"through": "back"}.get(moment.kind, moment.kind)
        if kind in ("back", "again", "region"):
            return self.words(f"differ.row.{kind}", name=moment.name, word=moment.word)
        words = " / ".join(
            dict.fromkeys(side.word for side in (pair.one, pair.other) if side is not None and side.word)
        )
        name = moment.name if moment.name != shown(moment) else ""
        return " = ".join(part for part in dict.fromkeys((name, words)) if part) or self.words("differ.constants")

    def _far(self, pair: Pair) -> str:
        far = pair.far
        if pair.verdict == ONLY:
            return self.words("differ.far.only", has=self.names[pair.one is None])
        if pair.verdict in (ANOTHER, SHAPE, SETTING, "error") and not (far and far.differing and far.verdict != SHAPE):
            return self.words(f"differ.by.{pair.verdict}")
        if far is None or not far.differing:
            return self.words("differ.far.same" if far is not None and pair.verdict == "dtype" else "differ.far.apart")
        if far.odd:
            if far.size == 1:
                return self.words(f"differ.far.odd.one.{_odd(far)}")
            return self.words(f"differ.far.odd.{_odd(far)}", nan=far.nan, infinite=far.infinite, size=far.size)
        if far.verdict == ROUNDING:
            return self.words("differ.far.rounding", units=number(round(far.units, 1)))
        where = self.words("differ.far.count", count=far.differing, size=far.size) if far.size > 1 else ""
        return self.words("differ.far.most", most=number(far.most), share=percent(far.there), where=where)


def _thing(moment: Moment) -> Any:
    """What the turn of a moment is known by: its op, or the value that was made for one."""
    return (
        moment.op.id if moment.op is not None else moment.value if moment.kind in ("made", "given", "watch") else None
    )


def _of_turns(turns: list[list[int]]) -> Iterator[int]:
    """The places of the first pairs of a turn, by loop: of so many turns as there is room for, evenly."""
    for loop in zip(*turns, strict=True):
        first: dict[int, int] = {}
        for at, turn in enumerate(loop):
            if turn >= 0:
                first.setdefault(turn, at)
        places = [first[turn] for turn in sorted(first)]
        gap = -(-len(places) // TURNS) or 1
        yield from {*places[::gap], *places[-1:]}


# ---- the table's rows and the pictures' marks -----------------------------------------------------------------------------


def _odd(far: Distance | None) -> str:
    """What has no distance: nan | infinite | both."""
    return "nan" if not far or not far.infinite else "both" if far.nan else "infinite"


def _sites(pair: Pair) -> list[Site]:
    """Where it happened, in each run; an error ends the whole block, so that its own line says little."""
    moments = [moment for moment in (pair.one, pair.other) if moment is not None and moment.site is not None]
    happened = [moment for moment in moments if moment.kind != "error"] or moments
    return [moment.site for moment in happened if moment.site is not None and moment.site.line]


def _chosen(pairs: list[Pair], most: int) -> list[Pair]:
    """The first that differ, and what came out in the end."""
    if len(pairs) <= most + ENDS:
        return pairs
    ends = [pair for pair in pairs[most:] if pair.moment.kind in END][-ENDS:]
    return [*pairs[:most], *ends]


def _marked(found: Differences, scenes: tuple[Scene, Scene]) -> tuple[dict[str, Any], dict[str, Any]]:
    """By card of each run's graph: what kind of difference its value has, and which is the first."""
    out: tuple[dict[str, Any], dict[str, Any]] = ({}, {})
    rank = {"near": 0, "only": 1, "apart": 2}
    for pair in found.pairs:
        if pair.verdict in (SAME, UNKNOWN) or pair.moment.kind not in (*FORWARD, "back", "watch"):
            continue
        mark = mark_of(pair)
        for moment, scene, marks in zip((pair.one, pair.other), scenes, out, strict=True):
            card = _card(moment, scene)
            if not card or moment is None:
                continue
            place = marks.setdefault(card, {"value": "", "gradient": "", "first": False})
            part = "gradient" if moment.kind == "back" else "value"
            if not place[part] or rank[mark] > rank[place[part]]:
                place[part] = mark
            if pair is found.first:
                place["first"] = True
    return out


def _card(moment: Moment | None, scene: Scene | None) -> str:
    """The card of a graph on which a moment shows; "" where it has none."""
    value = None if moment is None else moment.into if moment.kind in ("back", "through") else moment.value
    return scene.cards.get(value.id) or "" if value is not None and scene is not None else ""


def _graphs(scenes: tuple[Scene, Scene] | None, marks: tuple[dict[str, Any], dict[str, Any]]) -> list[dict[str, Any]]:
    if scenes is None:
        return []
    return [{"scene": scene.to_dict(), "marks": mark} for scene, mark in zip(scenes, marks, strict=True)]


def others_said(streams: list[Stream], names: list[str]) -> list[str]:
    """Of more than two runs, where each first differs from the first."""
    return [f"{names[at]}: " + " ".join(Told(streams[0], stream, (names[0], names[at])).sentences()[:1])
            for at, stream in enumerate(streams[1:], 1)]  # fmt: skip
