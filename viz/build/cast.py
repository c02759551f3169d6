"""Who appears in the picture: which values get a card, what they are called, what knows them.

An op of the learner's gets a card for its result.  A backward or tangent op gets one only when another recorder wrote it
down: then it is part of that recorder's program.  Otherwise it is seen as numbers on the edges it runs along.
"""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Iterable
from typing import Any

from minitape import nest
from minitape.record.events import Label
from minitape.record.provenance import Site
from minitape.tensor import Tag
from minitape.trace import Application

from .again import Again
from .fold import Fold
from .numbers import Snapshot
from .run import Moment, Run

GRADIENT, TANGENT = "ḡ", "ṫ"  # without a name of their own they are numbered: g₁, g₂ ..., t₁, t₂ ...
SHORT = 12  # characters that a piece of source may have to serve as a name


def seen_by_others(application: Application) -> bool:
    """True when a recorder other than the one that caused it wrote the application down."""
    actor = application.context.actor
    return any(not reason and label is not actor for label, reason in application.verdicts)


class Cast:
    """The recorders and values of a run."""

    def __init__(self, run: Run, open_: Iterable[str] = ()) -> None:
        self.run = run
        self.again = Again(run)
        self.fold = Fold(self.again.moments, open_)
        self.moments = self.fold.moments
        self.recorders: list[Label] = []  # outermost first
        self.spans: dict[Label, list[int]] = {}  # first and last moment of listening
        self.applications: dict[Tag, Application] = {}  # of every value with a card that an op made
        self.calls: dict[Tag, Application] = {}  # of what a region made: the region as one application
        self.hidden: dict[Tag, Application] = {}  # of values that a recorder made unseen, but that seen work uses
        self.results: dict[Tag, Snapshot] = {}
        self.cards: dict[Tag, None] = {}  # in the order in which they appear
        self.made: dict[Tag, Moment] = {}
        self.gradients: dict[Tag, Label] = {}  # cotangents: whose way back made them
        self.tangents: dict[Tag, tuple[Label, Tag]] = {}  # tangents: whose, and of what
        self.order: dict[Label, int] = {}
        self.names: dict[Tag, str] = {}
        self.answered: set[Tag] = set()  # cotangents that were handed to the learner
        self.consumers: dict[Tag, set[Site]] = {}
        self._taken: dict[str, int] = {}
        self._read()
        self._order_recorders()
        self._name_all()

    # ---- one pass over the moments ---------------------------------------------------------------------------------------

    def _read(self) -> None:
        used: dict[Tag, None] = {}
        assigned: dict[Tag, None] = {}
        unseen: dict[Tag, Application] = {}
        for index, moment in enumerate(self.moments):
            self.results.update(moment.numbers)
            event, facts = moment.event, moment.event.facts
            label: Any = facts.get("label")
            if event.kind == "deleted" and label not in self.spans:
                continue  # a tape from before the run
            if label is not None and label not in self.spans:
                self.recorders.append(label)
                self.spans[label] = [index, index]
            match event.kind:
                case "made":
                    self.made[facts["tag"]] = moment
                case "enter" | "exit" | "pause" | "resume":
                    if event.kind == "enter" and self.spans[label] != [index, index]:
                        self.spans[label][0] = min(self.spans[label][0], index)
                    self.spans[label][1] = index
                case "op":
                    application: Application = facts["application"]
                    if application.context.phase == "forward" or seen_by_others(application):
                        used.update(dict.fromkeys(application.inputs))
                        for tag in application.inputs:
                            self.consumers.setdefault(tag, set()).add(application.site)
                        for tag in application.outputs:
                            self.applications[tag] = application
                            used[tag] = None
                    else:
                        unseen.update(dict.fromkeys(application.outputs, application))
                case "gradient":
                    used.update(dict.fromkeys([*facts["targets"], *facts["sources"]]))
                case "seed" | "contribution":
                    self.gradients[facts["part"]] = label
                case "gradients":
                    self.answered.update(one for one in facts["answers"] if one is not None)
                case "total":
                    self.gradients[facts["total"]] = label
                case "again":
                    used.update(dict.fromkeys(facts["application"].outputs))
                case "call":
                    self.calls.update(dict.fromkeys(facts["application"].outputs, facts["application"]))
                    used.update(dict.fromkeys([*facts["application"].inputs, *facts["application"].outputs]))
                case "watch":
                    used[facts["tag"]] = None
                case "assign":
                    assigned[facts["tag"]] = None
                case "look-up":
                    if facts["of"] in self.tangents or facts["of"] in self.gradients:
                        used[facts["of"]] = None
                case "tangent":
                    self.tangents[facts["tangent"]] = (label, facts["of"])
                    if facts.get("seed"):
                        used[facts["of"]] = None
        # What an optimizer keeps for itself goes into no op: the memory has its bytes, the graph has nothing to tell of it.
        self.cards = used | {tag: None for tag in assigned if tag in used or self._by_the_learner(tag)}
        special = self.answered | self.gradients.keys() | self.tangents.keys()
        self.hidden = {tag: one for tag, one in unseen.items() if tag in self.cards and tag not in special}

    def _by_the_learner(self, tag: Tag) -> bool:
        """Whether a variable is from before the run, or was given a name on the line that made it."""
        return tag not in self.made or bool(self.made[tag].event.site.assigned_names())

    def _order_recorders(self) -> None:
        """Order 1 for a recorder of the learner's ops; one more for each recorder whose work it wrote down."""
        taken: dict[Label, set[Label]] = {label: set() for label in self.recorders}
        for moment in self.moments:
            application = moment.event.facts.get("application") if moment.event.kind in ("op", "call") else None
            if application is None or application.context.actor is None:
                continue
            for label, reason in application.verdicts:
                if not reason and label is not application.context.actor:
                    taken.setdefault(label, set()).add(application.context.actor)

        def order(label: Label, above: tuple[Label, ...] = ()) -> int:
            inner = [one for one in taken.get(label, ()) if one not in above]
            return 1 + max((order(one, (*above, label)) for one in inner), default=0)

        for label in self.recorders:
            self.order[label] = order(label)
        entered = {label: self.spans[label][0] for label in self.recorders}
        self.recorders.sort(key=lambda label: entered[label])
        self.recorder_ids = {label: f"r{i}" for i, label in enumerate(self.recorders)}
        self.recorder_names = self._recorder_names()

    def _recorder_names(self) -> dict[Label, str]:
        plain = [label.name for label in self.recorders]
        names: dict[Label, str] = {}
        count: dict[str, int] = {}
        for label, name in zip(self.recorders, plain, strict=True):
            count[name] = count.get(name, 0) + 1
            names[label] = name if plain.count(name) == 1 else f"{name}{_subscript(count[name])}"
        return names

    # ---- names -------------------------------------------------------------------------------------------------------------

    def _name_all(self) -> None:
        self.given = self._answers()
        for tag in self.cards:
            self.names[tag] = self._unique(self.given.get(tag) or self._name(tag))

    def _answers(self) -> dict[Tag, str]:
        """The names that gradients and looked-up tangents are given by an assignment."""
        found: dict[Tag, str] = {}
        for moment in self.moments:
            facts = moment.event.facts
            if moment.event.kind == "gradients" and facts["row"] is None:
                names = moment.event.site.assigned_names()
                flat = nest.flatten(names) if isinstance(names, list) else [names]
                if len(flat) == len(facts["answers"]):
                    found.update({tag: name for tag, name in zip(facts["answers"], flat, strict=True) if tag and name})
            elif moment.event.kind == "look-up" and facts["found"] is not None:
                name = moment.event.site.assigned_name()
                if name:
                    found.setdefault(facts["found"], name)
        return found

    def introduced(self, tag: Tag) -> bool:
        """Whether the making of a value is a step of its own: a variable, or a constant that the learner named."""
        event = self.made[tag].event
        named = event.site.assigned_name() or self.run.names.get(tag)
        return event.facts["kind"] == "variable" or bool(named and not event.facts["implicit"])

    def _name(self, tag: Tag) -> str:
        if tag in self.made:
            event, numbers = self.made[tag].event, self.made[tag].numbers
            name = (
                ""
                if event.facts["implicit"]
                else event.facts.get("name") or event.site.assigned_name() or self.run.names.get(tag, "")
            )
            if not name and tag in self.tangents:
                label, of = self.tangents[tag]
                return dotted(self._name(of), self.order[label])
            return name or (numbers[tag].text if numbers[tag].data is None else "")
        if tag in self.hidden:
            snap = self.results.get(tag)
            return snap.text if snap is not None and snap.data is None else ""
        called = self.calls.get(tag)
        if called is not None and self._is_result(tag, called) and (name := called.site.assigned_name()):
            return name
        application = self.applications.get(tag)
        if application is None:
            if tag in self.gradients:
                return GRADIENT
            if tag in self.tangents:
                label, of = self.tangents[tag]
                return dotted(self._name(of), self.order[label])
            return self.run.names.get(tag, "") or tag.name or self._written_name(tag)
        if application.context.phase == "forward":
            result = self._is_result(tag, application)
            name = application.site.assigned_name() if result else ""
            return name or self.run.names.get(tag, "") or (_source_text(application.site) if result else "")
        if tag in self.tangents:
            label, of = self.tangents[tag]
            return dotted(self._name(of), self.order[label]) if of in self.cards else TANGENT
        return GRADIENT if application.context.phase == "gradient" else TANGENT

    def _written_name(self, tag: Tag) -> str:
        """The name under which the source hands a value to the first op that uses it."""
        for application in self.applications.values():
            if tag in application.inputs:
                names = application.site.operand_names()
                if len(names) >= len(application.inputs):
                    return names[application.inputs.index(tag)]
        return ""

    def _is_result(self, tag: Tag, application: Application) -> bool:
        """Of several ops made by one call of the learner's, only the last makes what the call returns."""
        expression = application.site.expression()
        return not isinstance(expression and expression.node, ast.Call) or application.site not in self.consumers.get(
            tag, ()
        )

    def _unique(self, name: str) -> str:
        if not name or name in (GRADIENT, TANGENT):
            letter = {GRADIENT: "g", TANGENT: "t"}.get(name, "v")
            self._taken[letter + "#"] = count = self._taken.get(letter + "#", 0) + 1
            return f"{letter}{_subscript(count)}"
        if name[0] in "0123456789−∞":
            return name  # a number is no name: several may be alike
        self._taken[name] = self._taken.get(name, 0) + 1
        return name if self._taken[name] == 1 else f"{name}{_subscript(self._taken[name])}"


def dotted(name: str, order: int) -> str:
    """ẋ for a tangent, ẍ for one of an outer accumulator; names of several letters carry a d in front instead.

    >>> dotted("x", 1), dotted("loss", 1)
    ('ẋ', 'dloss')
    """
    dots = "̇" if order == 1 else "̈"
    return unicodedata.normalize("NFC", name + dots) if len(name) == 1 else f"d{name}"


def _subscript(value: int) -> str:
    return "".join("₀₁₂₃₄₅₆₇₈₉"[int(digit)] for digit in str(value))


def _source_text(site: Site) -> str:
    """The piece of source that made a value, where it is short enough to be its name."""
    expression = site.expression()
    if expression is None or isinstance(expression.node, ast.AugAssign):
        return ""
    text = ast.unparse(expression.node)
    text = text.removeprefix("(").removesuffix(")") if isinstance(expression.node, ast.Tuple) else text
    text = re.sub(r"[A-Za-z_][\w.]*\.(\w+\()", r"\1", text)  # tf.math.sin( is sin( to the eye
    text = text.replace(" * ", "·").replace(" ** ", "^").replace(" + ", "+").replace(" - ", "−")
    return text if len(text) <= SHORT else ""


def site_of(moment: Moment) -> Site:
    """The learner's instruction behind a moment."""
    application: Any = moment.event.facts.get("application")
    return application.site if moment.event.kind == "op" and application is not None else moment.event.site
