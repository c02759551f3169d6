"""Why a leaf has no gradient, or a gradient of nothing but zeros: read from the records of a run."""

from __future__ import annotations

from typing import Any

from ..numbers import flat
from ..records import Op, Value
from ..stream import Stream
from ..why import made_of, place, through


def why(stream: Stream, tensor: Any, value: Value | None, name: str) -> str:
    """One sentence for what `.grad` of a tensor is, and for what to type where it is None."""
    if not tensor.requires_grad:
        return f"{name} does not require grad, so that autograd does not follow it: {name}.requires_grad_() before it is used."
    if not tensor.is_leaf:
        return f"{name} is no leaf: its gradient passes through and is not stored. {name}.retain_grad() keeps it."
    if value is None:
        return f"{name} takes no part in what was recorded: no op took it."
    records: list[Any] = stream.records
    shares = [record for record in records if record.kind == "contribution" and record.into is value]
    if tensor.grad is not None and shares:
        return _present(records, shares, name, bool(tensor.grad.any()))
    if shares:
        return f"A gradient came to {name}, and is not in .grad: torch.autograd.grad returns it, zero_grad() clears it."
    if not any(record.kind == "gradient" for record in records):
        return f"No backward pass was recorded: loss.backward() is what fills {name}.grad."
    return _cut(records, value, name)


def _present(records: list[Any], shares: list[Any], name: str, some: bool) -> str:
    if some:
        return f"{name}.grad is there: it came back through {through(shares)}."
    into = shares[0].into
    backward = [record for record in records if record.kind == "contribution"]
    first: Any = next((share for share in backward if _nothing(share)), shares[0])
    op: Op = first.context.cause
    where = "" if first.into is into else f" on the way to {name}"
    return f"{name}.grad is all zeros: {op.row.name}{place(op.site)} gave back nothing but zeros{where}."


def _nothing(share: Any) -> bool:
    """Whether nothing but zeros came."""
    seen = share.numbers.get(share.part)
    if seen is None or seen.data is None:
        return seen is not None and seen.value == 0
    return set(flat(seen.data.get("numbers", [seen.data.get("low"), seen.data.get("high")]))) == {0}


def _cut(records: list[Any], value: Value, name: str) -> str:
    """Where the way from a leaf to the targets ends."""
    targets = {target for record in records if record.kind == "gradient" for target in record.targets}
    ops = [record.op for record in records if record.kind == "op" and record.op.context.phase == "forward"]
    if not any(value in op.takes for op in ops):
        return f"{name} takes no part in what was recorded: no op took it."
    made, cuts = made_of([value], ops, lambda op: bool(op.taken))
    if made & targets:
        return f"{name} leads to a target, but the gradient for it was not asked for: name it in `inputs`, or leave `inputs` out."
    if cuts:
        op = cuts[-1]
        reason = op.refused[0][1] if op.refused else "nobody wrote it down"
        return f"The way from {name} to the target ends at {op.row.name}{place(op.site)}: {reason}."
    return f"What is made of {name} never flows into a target of a backward pass."
