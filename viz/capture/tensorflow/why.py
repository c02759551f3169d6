"""Why a gradient is None: read from the records of a run."""

from __future__ import annotations

from typing import Any

from ..records import Op, Recorder, Value
from ..stream import Stream
from ..why import made_of, place, through


def why(stream: Stream, target: Value | None, source: Value | None, name: str) -> str:
    """One sentence for what the gradient of a target by a source is, and for what to type where it is None."""
    if source is None:
        return f"{name} takes no part in what was recorded: no op took it and no tape watched it."
    if target is None:
        return "The target takes no part in what was recorded: no op made it inside the block."
    records: list[Any] = stream.records
    if not source.dtype.startswith(("float", "bfloat", "complex")):
        return (
            f"{name} holds {source.dtype}, and only floats have gradients: make it tf.cast({name}, tf.float32) first."
        )
    question = _question(records, target, source)
    if question is None:
        return f"No tape was asked for it: tape.gradient(target, {name}) asks."
    asked, answered = question
    if answered is not None and answered.answers[answered.sources.index(source)] is not None:
        between = records[records.index(asked) : records.index(answered)]
        shares = [record for record in between if record.kind == "contribution" and record.into is source]
        return f"{name} has a gradient: it came back through {through(shares) or 'the target itself'}."
    return _cut(records[: records.index(asked)], asked.recorder, target, source, name)


def _question(records: list[Any], target: Value, source: Value) -> tuple[Any, Any] | None:
    """The last question of this target by this source, and its answer."""
    for at in range(len(records) - 1, -1, -1):
        asked = records[at]
        if asked.kind == "gradient" and target in asked.targets and source in asked.sources:
            later = (
                record for record in records[at:] if record.kind == "gradients" and record.recorder is asked.recorder
            )
            return asked, next(later, None)
    return None


def _cut(records: list[Any], recorder: Recorder, target: Value, source: Value, name: str) -> str:
    """Where the way from a source to the target ends."""
    who = recorder.name
    watched = any(
        record.kind == "watch" and record.recorder is recorder and record.value is source for record in records
    )
    ops: list[Op] = [record.op for record in records if record.kind == "op"]
    written = any(source in op.gives and recorder in op.taken for op in ops)
    uses = [op for op in ops if source in op.takes]
    if not watched and not written:
        if not source.variable:
            return f"{who} does not watch {name}: constants are watched when they are named, {who}.watch({name})."
        if uses:
            return f"{who} was not listening when {name} was read{place(uses[-1].site)}: read it inside {who}'s block."
        return f"{name} is never read while {who} listens."
    made, cuts = made_of(
        [source], [op for op in ops if op.context.phase != "recompute"], lambda op: recorder in op.taken
    )
    if target in made:
        return f"{name} leads to the target, but nothing came back: every derivative on the way is None."
    cut = next((op for op in reversed(cuts) if target in made_of(op.gives, ops)[0]), None)
    if cut is not None:
        refused = next((reason for by, reason in cut.refused if by is recorder), f"{who} was not listening")
        said = {"no derivative": "this op has no derivative", "unwatched": "what it took was not watched then"}
        return (
            f"The way from {name} to the target ends at {cut.row.name}{place(cut.site)}: {said.get(refused, refused)}."
        )
    if not uses:
        return f"No op takes {name}."
    return f"The target is not made of {name}: no op leads from one to the other (numpy() and float() lead out of TensorFlow)."
