"""Multi-head attention: each position of a sequence looks values up by the likeness of its query to their keys."""

from __future__ import annotations

import functools
import math
import string
from typing import Any

import numpy as np

from ...ops.einsum import einsum
from ...ops.elementwise import cast, logical_and, where
from ...ops.shapes import broadcastable, expand_dims
from ...record.refusal import type_error, value_error
from ...tensor import make
from .. import initializers
from ..allowed import positive
from ..layer import Layer
from .activation import Softmax, least
from .dense import EinsumDense
from .dropout import Dropout


class MultiHeadAttention(Layer):
    """Several attentions side by side (Vaswani et al. 2017): each head makes queries, keys and values by kernels of its own,
    weighs the values by softmax(query · key / √key_dim), and one more kernel mixes what the heads found.

    Args: num_heads; key_dim, of each head; value_dim, by default key_dim; dropout, of the weights; attention_axes, along which
    positions lie, by default all but the batch and the last; kernel_initializer, ... and those of the bias.
    A call takes query, value and key (by default the value); `use_causal_mask=True` hides what comes later;
    `attention_mask` [batch, queries, keys] says True where something may be seen; `query_mask`, `value_mask` and `key_mask`
    [batch, positions] are those of the inputs, unless given.

    >>> attention = tf.keras.layers.MultiHeadAttention(num_heads=2, key_dim=3)
    >>> x = tf.ones([1, 4, 5])
    >>> y, scores = attention(x, x, return_attention_scores=True, use_causal_mask=True)
    >>> y.shape, scores.numpy()[0, 0, 1].tolist()
    (TensorShape([1, 4, 5]), [0.5, 0.5, 0.0, 0.0])
    """

    starts = {"kernel": "glorot_uniform", "bias": "zeros"}
    _kept_as = {"output_shape": "given_output_shape"}
    supports_masking = True

    def __init__(
        self, num_heads: int, key_dim: int, value_dim: int | None = None, dropout: float = 0.0, use_bias: bool = True,
        output_shape: Any = None, attention_axes: Any = None, seed: int | None = None, **options: Any,
    ) -> None:  # fmt: skip
        super().__init__(**options)
        self.num_heads, self.key_dim = positive("num_heads", num_heads), positive("key_dim", key_dim)
        self.value_dim, self.dropout, self.use_bias = value_dim or key_dim, dropout, use_bias
        self.given_output_shape = (output_shape,) if isinstance(output_shape, int) else output_shape
        self.attention_axes = (attention_axes,) if isinstance(attention_axes, int) else attention_axes
        self.seed = seed

    query_dense: EinsumDense
    key_dense: EinsumDense
    value_dense: EinsumDense

    def build(self, query_shape: Any, value_shape: Any = None, key_shape: Any = None) -> None:
        if value_shape is None:
            raise type_error(
                f"{self.name} was given a query alone, of shape {tuple(query_shape)}: it looks up values",
                "Of a sequence that attends to itself both are the same: layer(x, x).",
            )
        if len(query_shape) < 3 or len(value_shape) != len(query_shape):
            raise value_error(
                f"{self.name}: query and value are [batch, positions, features], got shapes {tuple(query_shape)} and "
                f"{tuple(value_shape)}",
                "One sequence alone is x[tf.newaxis].",
            )
        heads = {"query": (query_shape, self.key_dim), "key": (key_shape or value_shape, self.key_dim),
                 "value": (value_shape, self.value_dim)}  # fmt: skip
        for name, (shape, width) in heads.items():
            layer = self._dense(name, len(shape) - 1, 1, (self.num_heads, width))
            layer.build(tuple(shape))
            setattr(self, f"{name}_dense", layer)
        rank = len(query_shape) + 1  # with an axis for the heads
        given = self.attention_axes
        axes = (
            tuple(range(1, rank - 2))
            if given is None
            else tuple(axis if axis >= 0 else rank - 1 + axis for axis in given)
        )
        self._likeness, self._gathering = _equations(rank, axes)
        self._looked = axes
        self._softmax = Softmax(axis=tuple(range(-len(axes), 0)), name="softmax", dtype=self.dtype)
        self._dropout = Dropout(self.dropout, seed=self.seed, name="dropout", dtype=self.dtype)
        end = tuple(self.given_output_shape or (query_shape[-1],))
        self.output_dense = self._dense("attention_output", len(query_shape) - 1, 2, end)
        self.output_dense.build((*query_shape[:-1], self.num_heads, self.value_dim))

    def _dense(self, name: str, free: int, summed: int, end: tuple[int, ...]) -> EinsumDense:
        letters = string.ascii_lowercase
        kept, bound, new = letters[:free], letters[free : free + summed], letters[free + summed :][: len(end)]
        settings = {option: _anew(getattr(self, option)) for option in self._taken}
        equation, shape = f"{kept}{bound},{bound}{new}->{kept}{new}", (None,) * (free - 1) + end
        dense = EinsumDense(
            equation, shape, bias_axes=new if self.use_bias else None, name=name, dtype=self.dtype, **settings
        )
        dense.supports_masking = True  # masks are applied in `call`
        return dense

    def call(
        self, query: Any, value: Any, key: Any = None, query_mask: Any = None, value_mask: Any = None, key_mask: Any = None,
        attention_mask: Any = None, return_attention_scores: bool = False, training: Any = None, use_causal_mask: bool = False,
    ) -> Any:  # fmt: skip
        """Three projections, two einsums with a softmax between them, and a projection back."""
        masks = [None if query_mask is None else expand_dims(cast(query_mask, "bool"), -1)]
        masks += [None if given is None else expand_dims(cast(given, "bool"), -2) for given in (value_mask, key_mask)]
        if use_causal_mask:
            masks.append(make(np.tri(query.shape[1], value.shape[1], dtype=bool)[None]))
        masks.append(None if attention_mask is None else cast(attention_mask, "bool"))
        mask = functools.reduce(lambda a, b: b if a is None else a if b is None else logical_and(a, b), masks)
        asked = self.query_dense(query) * (1.0 / math.sqrt(self.key_dim))
        offered, held = self.key_dense(value if key is None else key), self.value_dense(value)
        scores = einsum(self._likeness, offered, asked)
        if mask is not None:
            for _ in range(scores.ndim - mask.ndim):
                mask = expand_dims(mask, -2 * len(self._looked) - 1)
            if not broadcastable(mask.shape, scores.shape):
                wanted = [scores.shape[0], *scores.shape[2:]]
                raise value_error(
                    f"{self.name}: a mask of shape {[mask.shape[0], *mask.shape[2:]]} does not fit queries and keys, {wanted}",
                    f"attention_mask is [batch, queries, keys], here {wanted}: True where a query may see a key.",
                )
        if mask is not None and not (self.dropout or return_attention_scores) and query.ndim == 3:
            # As in the one op that Keras uses here, a query that may see nothing sees everything.
            scores, mask = where(mask, scores, least(scores.dtype)), None
        weights = self._softmax(scores, mask=mask)
        found = self.output_dense(einsum(self._gathering, self._dropout(weights), held))
        return (found, weights) if return_attention_scores else found


def _anew(start: Any) -> Any:
    """A new initializer with the same arguments; with a seed it gives all kernels the same numbers, as in Keras."""
    return type(start).from_config(start.get_config()) if isinstance(start, initializers.Initializer) else start


def _equations(rank: int, axes: tuple[int, ...]) -> tuple[str, str]:
    """The einsums from keys and queries to scores, and from scores and values to the answer."""
    asked = string.ascii_lowercase[:rank]
    others = iter(string.ascii_lowercase[rank:])
    offered = "".join(next(others) if axis in axes else letter for axis, letter in enumerate(asked))
    alike = [letter for axis, letter in enumerate(asked) if axis not in axes and axis != rank - 1]
    scores = "".join(alike) + "".join(asked[axis] for axis in axes) + "".join(offered[axis] for axis in axes)
    return f"{offered},{asked}->{scores}", f"{scores},{offered}->{asked}"
