"""Shapes found by an unobserved run on zeros, and on unit matrices where matrices are square.

A length that is not known (None) is tried with two numbers; lengths of the answer that differ between the two are not known
either.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import nest
from ..dtypes import as_dtype
from ..record.blocks import Block
from ..record.events import unobserved
from ..tensor import Operand, TensorShape, make
from . import masks
from .symbol import KerasTensor, symbols_in

TRIED = 8, 9  # lengths for axes of unknown length: long enough for the windows that slide along them


class _Now(threading.local):
    any_batch = False  # whether a run stands for batches of all lengths
    first: dict[Any, Any] | None = None  # shapes that layers noted in the first of two dry runs
    unsure: dict[Any, Any] = {}  # these, in the second


now = _Now()


class any_batch(Block):
    """A block in which batches stand for batches of any length, and layers note their shapes so."""

    def __enter__(self) -> None:
        self._before = now.any_batch
        self.entered = True
        now.any_batch = True

    def put_back(self) -> None:
        now.any_batch = self._before
        self.entered = False


def note(layer: Any, given: Any, made: Any) -> None:
    """Keep the shapes of a layer's first call; what differs between the lengths of a dry run is not known.

    >>> layer = tf.keras.layers.Embedding(9, 2)
    >>> y = layer(tf.constant([[1, 2, 3]]))
    >>> layer.input_shape, layer.output_shape
    ((1, 3), (1, 3, 2))
    """
    tensors = nest.flatten(made)
    again = layer in now.unsure
    if not all(isinstance(item, Operand) for item in tensors) or not (again or layer._shapes is None):
        return
    found = [_noted(item.shape) for item in (given, *tensors)]
    if again:
        found = [_common(*pair) for pair in zip(now.unsure.pop(layer), found, strict=True)]
    elif now.first is not None:
        now.first[layer] = found
    layer._shapes = found[0], nest.pack_sequence_as(made, found[1:])


def _noted(shape: Any) -> TensorShape:
    return TensorShape((None, *shape[1:]) if now.any_batch and len(shape) else shape)


def _common(one: Any, other: Any) -> TensorShape:
    return TensorShape([a if a == b else None for a, b in zip(one, other, strict=True)])


def dry_run(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What a function makes of symbols: its answer's structure, with a symbol for each tensor.

    >>> dry_run(lambda x: [x, x[0]], (KerasTensor((None, 3)),), {})[1].shape
    (3,)
    """
    several = any(None in symbol.shape for symbol in symbols_in((args, kwargs)))
    before = now.first, now.unsure
    try:
        now.first, now.unsure = {} if several else now.first, {} if several else now.unsure
        answers = [_on_zeros(function, args, kwargs, TRIED[0])]
        if several:
            now.first, now.unsure = None, now.first or {}
            answers.append(_on_zeros(function, args, kwargs, TRIED[1]))
    finally:
        now.first, now.unsure = before

    def symbol(first: Any, last: Any) -> KerasTensor:
        shape = tuple(a if a == b else None for a, b in zip(first.shape, last.shape, strict=True))
        found = KerasTensor(shape, first.dtype)
        mask = masks.of(first)
        found.masked = 0 if mask is None else mask.ndim
        return found

    return nest.map_structure(symbol, answers[0], answers[-1])


def mask_rank(layer: Any, args: tuple[Any, ...], plain: bool) -> int:
    """How many axes the mask has of what a layer makes of symbols, 0 without one; a `plain` layer hands on what it is given."""
    if plain and not (layer.supports_masking and any(symbol.masked for symbol in symbols_in(args))):
        return 0

    def mask(inputs: Any) -> Any:
        found = layer.compute_mask(inputs, masks.of(inputs))
        return found if isinstance(found, Operand) else make(np.zeros(()))

    return len(dry_run(mask, args, {}).shape)


def _on_zeros(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], length: int) -> Any:
    def zeros(leaf: Any) -> Any:
        if not isinstance(leaf, KerasTensor):
            return leaf
        shape = [length if n is None else n for n in leaf.shape]
        kind = as_dtype(leaf.dtype)
        numbers = np.zeros(shape, kind.numpy_dtype)
        if len(shape) > 2 and shape[-1] == shape[-2] and kind.is_floating:
            numbers += np.eye(shape[-1], dtype=numbers.dtype)  # a matrix that can be solved for
        tensor = make(numbers)
        if leaf.masked:
            masks.put(tensor, make(np.ones(shape[: leaf.masked], bool)))
        return tensor

    args, kwargs = nest.map_structure(zeros, (args, kwargs))
    with unobserved(), any_batch():
        return function(*args, **kwargs)
