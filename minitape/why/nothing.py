"""No path leads back: the source was not used, or a region or the learner's own rule let no derivative through."""

from __future__ import annotations

from typing import Any

from . import source
from .explanation import Explanation
from .fixes import Fix
from .kin import exchanged, made_beside
from .question import Asked


def no_path(asked: Asked) -> Explanation:
    """Nothing leads from the target to the source, as far as the trail remembers."""
    behind = asked.history.behind(asked.tags)
    leaves = [tag for tag, edges in behind.items() if not edges and (tag.variable or tag in asked.history.made)]
    from_ = ", ".join(dict.fromkeys(asked.own_name(tag) for tag in leaves[:4]))
    known = f" {asked.target_name} was made from {from_}." if from_ and leaves != asked.tags else ""
    far = " (as far as the log reaches back)" if asked.history.full() else ""
    application = asked.history.producer.get(asked.tags[0])
    if asked.forward:
        if not asked.diary.watched:
            return asked.none("F01", f"{asked.the} was given no tangent to carry.", "none")
        seeds = ", ".join(asked.own_name(tag) for tag in asked.diary.watched)
        what = f"{asked.target_name} does not depend on {seeds}{far}."
        fix = Fix(
            "ask for zeros instead of None", f'{asked.who}.jvp({asked.target_name}, unconnected_gradients="zero")'
        )
        return asked.none("M08", what + known, "none", application.site if application else None, fix)
    if (turned := exchanged(asked)) is not None:
        return turned
    if asked.source.tag.variable and not getattr(asked.source, "trainable", True):
        fix = Fix("differentiate by `trainable_variables`: they leave such statistics out")
        what = (
            f"{asked.source_name} is a Variable with trainable=False: a statistic that is kept beside the model, which "
            f"{asked.target_name} does not depend on{far}."
        )
        return asked.none("M09", what, "none", application.site if application else None, fix)
    region = asked.history.hidden_in_region(asked.tags, asked.source.tag)
    if region is not None:
        return _outside_region(asked, region)
    if (rule := _constant_rule(asked, behind)) is not None:
        return rule
    if (beside := made_beside(asked)) is not None:
        return beside
    fix = Fix(
        "if 0 is what you want there, ask for it",
        f'{asked.who}.gradient({asked.target_name}, {asked.source_name}, unconnected_gradients="zero")',
    )
    what = f"no path leads from {asked.source_name} to {asked.target_name}{far}: it was not used.{known}"
    steps = (
        (asked.source_name, "", "source"),
        (asked.target_name, application.primitive.sign if application else "", "apart"),
    )
    return asked.none("M08", what, "none", application.site if application else None, fix, steps=steps)


def _outside_region(asked: Asked, region: Any) -> Explanation:
    """Under compat("tf"): a region's body used a value that the region was not given as a positional argument."""
    name, node = asked.source_name, source.node_at(region.site)
    keyword = name in [source.unparse(keyword.value) for keyword in getattr(node, "keywords", ())]
    how = (
        "as a keyword, which TensorFlow's regions do not follow"
        if keyword
        else "inside, but is not one of its arguments"
    )
    return asked.none(
        "R06" if keyword else "R07", f"{name} is used by the region at {asked.at(region.site)} {how}.", "ghost", region.site,
        Fix(f"pass {name} in as a positional argument"),
        steps=((name, "", "source"), (asked.target_name, region.op, "hidden")),
    )  # fmt: skip


def _constant_rule(asked: Asked, behind: Any) -> Explanation | None:
    """A second derivative of a gradient function that does not use the source."""
    for application in asked.applications_of(behind):
        cause = application.context.cause
        if cause is not None and cause.primitive.kind == "call" and asked.source.tag in cause.inputs:
            return asked.none(
                "C05", f"the gradient function of {cause.op} does not use {asked.source_name}: to {asked.the} "
                    "its answer is a constant.",
                "none", application.site, Fix(f"compute the gradient from {asked.source_name}, with tensors, not from "
                    "a fixed number"),
            )  # fmt: skip
    return None
