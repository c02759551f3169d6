"""A path leads back, and something cuts it: not heard, no slope, numbers that left, a variable in between."""

from __future__ import annotations

from typing import Any

from . import filled, fixes, source
from .explanation import Explanation, Note
from .fixes import Fix
from .history import Edge
from .question import Asked, word


def a_cut(asked: Asked) -> Explanation | None:
    """A path leads from the target to the source, and somewhere no derivative passes."""
    path = asked.history.path(asked.tags, asked.is_source)
    cuts = [edge for edge in path or () if edge.cut]
    if path is None or not cuts:
        return None
    if not cuts[0].certain and any(edge.certain for edge in cuts):
        cuts.sort(key=lambda edge: not edge.certain)
    while cuts[0].kind == "flat" and cuts[0].of.dtype.kind not in "fc" and len(cuts) > 1 and cuts[1].kind == "flat":
        cuts.pop(0)  # a mask that was cast back to numbers: the comparison that made it is the cause
    return _stopped(asked, cuts[0], path, cuts[1:])


def _stopped(asked: Asked, edge: Edge, path: list[Edge], rest: list[Edge]) -> Explanation:
    """The explanation of one cut; the others behind it become notes."""
    site = edge.site
    notes = tuple(
        Note("", f"then the path is cut once more: {word(other)} at {asked.at(other.site)}.")
        for other in rest[:2]
        if other.site != site and (other.kind != edge.kind or other.kind in ("flat", "export", "assign"))
    )
    more = {"steps": asked.steps(path, edge), "notes": notes}
    name = asked.name(edge.into) if edge.into is not None else "a value"
    where = asked.at(site)
    match edge.kind:
        case "flat":
            return _flat(asked, edge, more)
        case "export":
            sure = "" if edge.certain else " (as far as can be told)"
            code, cut, fix = "M04", "scissors", fixes.stay(edge)
            what = f"the path from {asked.target_name} reaches {fixes.how(edge)} at {where}{sure}, where "
            what += f"{filled.assigned(site) or asked.name(edge.of)} {fixes.left(edge, asked.the)}."
        case "assign":
            code, cut, fix = "M10", "wall", fixes.instead_of_state(asked.name(edge.of), edge.record.how)
            what = f"{name} was given the value of {asked.name(edge.of)} by {edge.record.how} at {where}: the "
            what += "value crosses, a derivative does not."
        case "forgotten":
            code, cut, fix = "M13", "released", Fix("call reset() before what matters, not after it")
            what = f"{asked.the} had written this down and was reset since."
        case "overlooked":
            code, cut, fix = "M21", "wall", fixes.output(name)
            way = "a tangent" if asked.forward else "a backward pass"
            what = f"{name} was computed at {where} inside of a custom gradient: only what that returns has {way}."
        case "elsewhere":
            code, cut, fix = "F01" if asked.forward else "M06", "ghost", fixes.thread()
            what = f"{name} was computed at {where} in another thread, where {asked.the} does not listen."
        case "paused":
            code, cut, fix = "M21", "pause", Fix(f"compute {name} outside the stop_recording block")
            what = f"{name} was computed at {where} while {asked.the} was stopped by stop_recording."
        case _:
            return _not_heard(asked, edge, name, where, more)
    return asked.none(code, what, cut, site, fix, **more)


def _not_heard(asked: Asked, edge: Edge, name: str, where: str, more: dict[str, Any]) -> Explanation:
    """An op that ran while the recorder did not listen, or in a backward pass, its own or another recorder's."""
    application, site = edge.application, edge.site
    actor = application.context.actor
    block = source.block_of(asked.label)
    into = fixes.into_block(asked, site)
    if edge.kind == "hidden" and asked.forward and actor is asked.label:
        what = (
            f"{asked.target_name} was made of a tangent that {asked.the} carried: what an accumulator works out itself it does "
            "not follow."
        )
        return asked.none("F06", what, "ghost", site, fixes.accumulator_around(asked, block), **more)
    if edge.kind == "hidden":
        who = actor.name if actor is not None else "an outer recorder"
        what = (
            f"{asked.target_name} belongs to {who}, which is outside; {asked.the} never sees what an outer "
            "recorder works out."
        )
        ask = f"{who}.jvp({asked.who}.jvp(…))" if asked.forward else ""
        return asked.none("F06", what, "ghost", site, Fix(f"ask {asked.who} first, then {who}", ask), **more)
    if application.context.phase == "gradient" and actor is not None:
        own = actor is asked.label
        code = "F11" if asked.forward else "M18" if own else "M16"
        by = f"{asked.who}.gradient" if own else f"{actor.name}.gradient"
        what = (
            f"{asked.target_name} was computed by {by} at {where}, outside the block of {asked.the}, so "
            f"{asked.the} has no backward ops to differentiate."
        )
        return asked.none(code, what, "ghost", site, into, **more)
    last, first = asked.diary.last("exit"), asked.diary.last("enter")
    if edge.kind == "before" and not asked.forward and first is not None:
        begin = f" (at {asked.at(first.site)})"
        what = f"{name} was computed at {where}, before {asked.the} began to listen{begin}."
        return asked.none("M07", what, "ghost", site, fixes.into_start(asked, site), **more)
    code = "F01" if asked.forward else "M06"
    end = f"after {asked.the} stopped listening" if edge.kind == "after" else f"before {asked.the} listened"
    at = f" ({asked.at(last.site)})" if last is not None and edge.kind == "after" and block is None else ""
    if edge.kind == "before" and first is None:
        end = f"and {asked.the} never listened: it was not entered"
    fix = fixes.into_start(asked, site) if edge.kind == "before" else into
    return asked.none(code, f"{name} was computed at {where}, {end}{at}.", "ghost", site, fix, **more)


def _flat(asked: Asked, edge: Edge, more: dict[str, Any]) -> Explanation:
    """An op without a slope."""
    application, where = edge.application, asked.at(edge.site)
    op = fixes.op_name(application)
    if application.op == "stop_gradient":
        what = f"{op} at {where} {'holds the tangent back' if asked.forward else 'stops the backward pass'}."
        return asked.none("M21", what, "stop", edge.site, fixes.unwrapped(edge.site, op), **more)
    if edge.position in application.primitive.inert and application.primitive.kind != "flat":
        what = (
            f"{asked.name(edge.of)} only chooses in {op} at {where}; what it chooses moves in steps, and has no slope."
        )
    elif edge.into.dtype.kind not in "fc":
        what = f"{op} at {where} makes {edge.into.dtype} numbers, which move in steps: no useful slope."
    else:
        what = f"{op} at {where} moves in steps: flat, with jumps, and no useful slope."
    return asked.none("M11", what, "wall", edge.site, fixes.surrogate(edge.site, application, asked.forward), **more)
