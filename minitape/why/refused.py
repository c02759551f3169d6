"""Questions that have no answer: the tape is used up, or this thing can have no slope at all."""

from __future__ import annotations

from typing import Any

from . import fixes, plain
from .explanation import Explanation
from .flow import flow
from .own_rule import refused_rule
from .question import Asked


def released(asked: Asked) -> Explanation | None:
    """The tape has answered already, and kept nothing for a second question."""
    refused, spent = asked.diary.last("refused"), asked.diary.spent
    if asked.forward or spent is None or not all(hasattr(value, "tag") for value in (*asked.targets, asked.source)):
        return None
    before = [
        question
        for question in asked.diary.questions
        if asked.source.tag in question.sources and set(asked.tags) <= set(question.targets)
    ]
    if refused is None and before:
        return None
    path = asked.history.path(asked.tags, asked.is_source)
    if path is None or any(edge.kind != "recorded" for edge in path):
        return None  # the answer would have been None in any case: that cause is told instead
    # It was asked, and did not come to an answer.
    failed = spent.kind == "asked" and all(question.moment.tick != spent.tick for question in asked.diary.questions)
    if failed and (rule := refused_rule(asked, path)) is not None:
        return rule
    again = asked.diary.asked_again(asked.tags, [asked.source.tag])
    fix = fixes.into_loop(asked, spent.site) if again else fixes.persistent(asked.label, asked.who)
    return Explanation(
        "M13", asked.title, "not to be had",
        f"{asked.the} has answered already, at {asked.at(spent.site)}, and let go of everything that it kept.",
        spent.site, fix, cut="released", recorder=asked.who, steps=asked.steps(path),
    )  # fmt: skip


def no_tensor(asked: Asked) -> Explanation | None:
    """The target or the source is no tensor, so no recorder can know it."""
    for what, value in [*(("target", target) for target in asked.targets), ("source", asked.source)]:
        if hasattr(value, "tag") or (what == "source" and asked.forward):
            continue
        name = asked.target_name if what == "target" else asked.source_name
        if value is None:
            return asked.none(
                "NONE",
                f"{name} is None itself: the recorder that was to give it did not see how. Ask that one why.",
                "none",
            )
        return _left(asked, what, name, value)
    return None


def _left(asked: Asked, what: str, name: str, value: Any) -> Explanation:
    """The target or the source is a plain number or a NumPy array."""
    is_, numbers = plain.kind(value)
    which, _ = plain.asked_with(asked.here, what)
    came = flow(asked.here, which)
    edge = plain.export_behind(came, asked.here, asked.history.exports) if which is not None else None
    fix = plain.mend(asked.here, what, name)
    if edge is not None and not fix.text.startswith("a branch"):
        how = fixes.how(edge)
        return asked.none(
            "M04", f"{name} is {is_}: it left {asked.the} at {asked.at(edge.site)}, through {how}.", "scissors",
            edge.site, fixes.stay(edge), steps=((asked.own_name(edge.of), "", "known"), (name, how, "scissors")),
        )  # fmt: skip
    return asked.none("M25", f"{name} is {is_}, and {numbers} leave no trace.", "eye", None, fix)


def no_slope(asked: Asked) -> Explanation | None:
    """The source holds whole numbers."""
    if asked.forward:
        if asked.diary.watched or not asked.diary.refused:
            return None
        tag, code, role = asked.diary.refused[0], "F03", "its primal"
    else:
        tag, code, role = asked.source.tag, "M03", asked.source_name
    if tag.dtype.kind in "fc":
        return None
    made = asked.history.made.get(tag)
    return asked.none(
        code,
        f"{role} is {tag.dtype}, and whole numbers have no slope{f' (made at {asked.at(made.site)})' if made else ''}.",
        "eye", made.site if made else None, fixes.floats(made.site if made else None, asked.source_name),
    )  # fmt: skip
