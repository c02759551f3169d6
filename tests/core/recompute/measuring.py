"""Bytes that tapes hold, over a run."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any, NamedTuple

import minitape as tf
from minitape.record.events import listening


class Held(NamedTuple):
    """What tapes held for the backward pass, in bytes above the level before; and the gradients."""

    forward: int
    peak: int
    after: int
    gradients: list[Any]


def held(function: Callable[..., Any], *inputs: Any) -> Held:
    gc.collect()  # what earlier tests left to the collector
    before, peak = tf.ledger.held_for_backward, [0]

    def hear(event: Any, tensors: Any) -> None:
        peak[0] = max(peak[0], tf.ledger.held_for_backward - before)

    with listening(hear):
        with tf.GradientTape() as tape:
            tape.watch(inputs)
            y = function(*inputs)
        forward = tf.ledger.held_for_backward - before
        gradients = tape.gradient(y, list(inputs))
    return Held(forward, peak[0], tf.ledger.held_for_backward - before, gradients)
