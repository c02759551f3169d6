"""Whether the tape knew the source at all, and in time: watched never, too late, by another tape, or under another name."""

from __future__ import annotations

from typing import Any

from ..record.provenance import Site
from . import fixes, source
from .explanation import Explanation, Note
from .fixes import Fix
from .history import Edge
from .question import Asked, word


def never_watched(asked: Asked) -> Explanation | None:
    """The path is there, but the tape did not know the source when it was used."""
    if asked.forward:
        return None
    tag = asked.source.tag
    path = asked.history.path(asked.tags, asked.is_source)
    watched = asked.diary.watched_since(tag)
    first = path[-1] if path else None
    replaced = _replaced(asked, tag, path)
    if replaced is not None:
        return replaced
    if watched is not None:
        if path and not any(edge.cut for edge in path) and first is not None and first.application.tick < watched.tick:
            return asked.none(
                "M02",
                f"{asked.the} began to watch {asked.source_name} at {asked.at(watched.site)}, after it was used at "
                f"{asked.at(first.site)}.",
                "eye", first.site, fixes.watch_earlier(asked, watched.site, first.site), steps=asked.steps(path),
            )  # fmt: skip
        return None
    if first is None or path is None or _reads_itself(asked) and any(edge.cut for edge in path):
        return None  # that there is no path, or that it is cut, is the better answer
    made = asked.history.made.get(tag)
    application = asked.history.producer.get(tag)
    code, advice = "M01", ""
    if tag.variable and not getattr(asked.source, "trainable", True):
        code, advice = "M09", "differentiate by `trainable_variables`, or watch it"
        what = f"{asked.source_name} is a Variable with trainable=False, and {asked.the} watches only trainable ones by itself."
    elif application is not None and not tag.variable:
        code, at = "M07", asked.at(application.site)
        what = f"{asked.source_name} came to {asked.the} as a finished number, computed at {at}, and was never watched."
    elif (other := _watcher(asked, tag)) is not None:
        code = "M17"
        what = f"{other.name} watches {asked.source_name}, but {asked.the} does not: every tape has its own eyes."
    else:
        how = f" (made at {asked.at(made.site)}{'' if tag.variable else ' as a constant'})" if made else ""
        why = "" if not tag.variable else ", and it was told not to watch variables by itself"
        what = f"{asked.the} never watched {asked.source_name}{how}{why}."
    use = _first_use(asked, first)
    return asked.none(
        code, what, "eye", use, fixes.watch(asked, use, advice), steps=asked.steps(path), notes=_rest(asked, path)
    )


def _first_use(asked: Asked, on_path: Edge) -> Site:
    """The first use of the source that the target depends on and the tape could have heard.

    The path with the fewest steps may begin at a later one, and a `watch` above that alone would miss the others: a rule of the
    first derivative uses the source again.
    """
    uses = [
        edge.application
        for edges in asked.history.behind(asked.tags).values()
        for edge in edges
        if edge.application is not None
        and asked.is_source(edge.of)
        and asked.diary.at(edge.application.tick) == "listening"
    ]
    return min(uses, key=lambda application: application.tick).site if uses else on_path.site


def _watcher(asked: Asked, tag: Any) -> Any:
    """Another tape that watches the source: it wrote down an op in which nothing else could be watched."""
    history = asked.history
    for application, _ in history.uses.get(tag, ()):
        if any(value is not tag and (value.variable or value in history.producer) for value in application.inputs):
            continue
        for recorder, reason in application.verdicts:
            if (
                reason == ""
                and recorder.kind == "tape"
                and recorder is not asked.label
                and application.verdict(asked.label) is not None
            ):
                return recorder
    return None


def _rest(asked: Asked, path: list[Edge]) -> tuple[Note, ...]:
    """Notes on further cuts of the path."""
    cuts = [edge for edge in path if edge.cut]
    return tuple(Note("", f"then the path is cut once more: {word(cut)} at {asked.at(cut.site)}.") for cut in cuts[:2])


def _reads_itself(asked: Asked) -> bool:
    """Whether the tape watches this source by itself when it is read."""
    watches = getattr(asked.recorder, "_watch_accessed", True)
    return asked.source.tag.variable and getattr(asked.source, "trainable", True) and watches


def _replaced(asked: Asked, tag: Any, path: list[Edge] | None) -> Explanation | None:
    """The name that was asked for has been bound to another object since."""
    application, made = asked.history.producer.get(tag), asked.history.made.get(tag)
    behind = asked.history.behind(asked.tags)
    if application is not None and not tag.variable and (name := application.site.assigned_name()):
        for of in application.inputs:
            trail = asked.history.path([of], lambda tag: tag.variable)
            old = next((e.of for e in reversed(trail or ()) if e.of.variable), of if of.variable else None)
            if old is not None and name in (
                asked.own_name(old),
                *application.site.operand_names(),
                *_augmented(application.site),
            ):
                if asked.history.status(application) == "recorded" and path is not None:
                    continue
                return asked.none(
                    "M05", f"{name} is no Variable any more: at {asked.at(application.site)} it became a plain tensor, "
                        f"which {asked.the} does not watch.",
                    "slide", application.site, fixes.assign(asked, application.site, name),
                    steps=(
                        (f"{name} (Variable)", "", "known"), (f"{name} (tensor)", application.primitive.sign, "ghost"),
                        *asked.steps(path)[1:],
                    ),
                )  # fmt: skip
    if path is None and made is not None and asked.tags:
        name = made.site.assigned_name()
        namesakes = [
            other
            for other in behind
            if other is not tag and name and asked.own_name(other) == name and other.id < tag.id
        ]
        if namesakes and made.tick > max(
            (application.tick for application in asked.applications_of(behind)), default=0
        ):
            return asked.none(
                "M05", f"{name} was made anew at {asked.at(made.site)}, after {asked.target_name} was computed "
                    "from another object of that name.",
                "slide", made.site, Fix(f"make {name} once, and change it with {name}.assign(...)"),
                steps=((f"{name} (used)", "", "known"), (f"{name} (now)", "", "ghost")),
            )  # fmt: skip
    return None


def _augmented(site: Site) -> tuple[str, ...]:
    statement = source.statement(site)
    return (
        (statement.target.id,)
        if isinstance(statement, source.ast.AugAssign) and isinstance(statement.target, source.ast.Name)
        else ()
    )
