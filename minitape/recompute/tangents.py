"""Accumulators inside of a tape carry their tangents through a region, in and out beside the values."""

from __future__ import annotations

from typing import NamedTuple

from ..forward import ForwardAccumulator
from ..tensor import Tag, Tensor


class Carried(NamedTuple):
    """What one accumulator adds to a region: tangents of inputs come in, tangents of results go out."""

    kind: type[ForwardAccumulator]
    seeds: list[tuple[Tag, Tag]]  # (an input, its tangent)
    moved: list[int]  # the results that have a tangent, which follows among the results


def carried_through(
    accumulators: list[ForwardAccumulator], inputs: dict[Tag, Tensor], outputs: list[Tensor]
) -> tuple[list[Tensor], list[Carried]]:
    """The results with their tangents, innermost accumulator first, because an outer one moves an inner one's tangents."""
    results, carried = list(outputs), []
    for accumulator in reversed(accumulators):
        seeds = []
        for tag in list(inputs):
            tangent = accumulator.tangent(tag)
            if tangent is not None:
                inputs.setdefault(tangent.tag, tangent)
                seeds.append((tag, tangent.tag))
        found = [(index, accumulator.tangent(result.tag)) for index, result in enumerate(results)]
        if seeds:
            carried.append(
                Carried(type(accumulator), seeds, [index for index, tangent in found if tangent is not None])
            )
            results += [tangent for _, tangent in found if tangent is not None]
    return results, carried
