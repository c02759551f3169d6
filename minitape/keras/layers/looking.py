"""Attention without kernels of its own, as sequence-to-sequence programs use it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.elementwise import cast, logical_and, logical_not, tanh, where
from ...ops.linalg import matmul
from ...ops.nn import softmax
from ...ops.reductions import reduce_sum
from ...ops.shapes import expand_dims
from ...record.refusal import value_error
from ...tensor import make
from ..allowed import one_of
from ..layer import Layer
from ..weight import Weight
from .dropout import Dropout

FAR = 1e9  # how far the scores of hidden positions are lowered (in float16 as far as its numbers go)


class Attention(Layer):
    """Values weighed by the likeness of their keys to each query: `softmax(query @ keyᵀ) @ value` (Luong et al. 2015).

    A call takes [query, value] or [query, value, key], each [batch, positions, features], and masks [batch, positions]
    of query and value.  Args: use_scale, for a weight that scales the scores; score_mode, "dot" or "concat"; dropout,
    of the weights.  Raises ValueError for another score_mode, and for another number of inputs.

    >>> query, value = tf.constant([[[9.0]]]), tf.constant([[[9.0], [0.0]]])
    >>> tf.keras.layers.Attention()([query, value]).numpy().round(3).tolist()
    [[[9.0]]]
    """

    supports_masking = True
    scale: Weight | None = None
    concat_score_weight: Weight | None = None

    def __init__(
        self, use_scale: bool = False, score_mode: str = "dot", dropout: float = 0.0, seed: int | None = None,
        **options: Any,
    ) -> None:  # fmt: skip
        super().__init__(**options)
        self.use_scale, self.dropout, self.seed = use_scale, dropout, seed
        self.score_mode = one_of("score_mode", score_mode, ("dot", "concat"))
        self._dropout = Dropout(dropout, seed=seed, name="dropout", dtype=self.dtype)

    def build(self, input_shape: Any) -> None:
        self.scale = self._made_scale(input_shape) if self.use_scale else None
        self.concat_score_weight = None
        if self.score_mode == "concat":
            self.concat_score_weight = self.add_weight((), "ones", name="concat_score_weight")

    def _made_scale(self, input_shape: Any) -> Weight:
        return self.add_weight((), "ones", name="scale")

    def _scores(self, query: Any, key: Any) -> Any:
        if self.concat_score_weight is None:
            scores = matmul(query, key, transpose_b=True)
            return scores if self.scale is None else scores * self.scale
        both = expand_dims(query, -2) + expand_dims(key, -3)
        return self.concat_score_weight * reduce_sum(tanh(both if self.scale is None else self.scale * both), -1)

    def call(
        self, inputs: Any, mask: Any = None, training: bool = False, return_attention_scores: bool = False,
        use_causal_mask: bool = False,
    ) -> Any:  # fmt: skip
        """Scores, their softmax, and the values weighed by it."""
        if not isinstance(inputs, list | tuple) or len(inputs) not in (2, 3):
            raise value_error(
                f"{type(self).__name__} layer must be called on a list of inputs of length 2 or 3, namely [query, value] "
                "or [query, value, key].",
                "For example layer([decoded, encoded]).",
            )
        query, value = inputs[0], inputs[1]
        of_query, of_value = (mask[0], mask[1]) if mask else (None, None)
        scores = self._scores(query, inputs[-1] if len(inputs) > 2 else value)
        seen = None if of_value is None else expand_dims(cast(of_value, "bool"), -2)
        if use_causal_mask:
            before = make(np.tri(scores.shape[-2], scores.shape[-1], dtype=bool)[None])
            seen = before if seen is None else logical_and(seen, before)
        if seen is not None:
            far = 65504.0 if scores.dtype == "float16" else FAR
            scores = where(logical_not(seen), scores - far, scores)
        weights = self._dropout(softmax(scores, -1), training=training)
        found = matmul(weights, value)
        if of_query is not None:
            found = where(expand_dims(cast(of_query, "bool"), -1), found, 0.0)
        return (found, weights) if return_attention_scores else found

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """The mask of the queries."""
        return mask[0] if mask else None

    def compute_output_shape(self, input_shape: Any) -> Any:
        """[batch, queries, length of a value]."""
        return (*input_shape[0][:-1], input_shape[1][-1])


class AdditiveAttention(Attention):
    """Attention whose scores are sums of `scale * tanh(query + key)` over the features (Bahdanau et al. 2014).

    >>> tf.keras.layers.AdditiveAttention()([tf.ones([2, 3, 4]), tf.ones([2, 5, 4])]).shape
    TensorShape([2, 3, 4])
    """

    def __init__(self, use_scale: bool = True, dropout: float = 0.0, **options: Any) -> None:
        super().__init__(use_scale, dropout=dropout, **options)

    def get_config(self) -> dict[str, Any]:
        return {name: value for name, value in super().get_config().items() if name != "score_mode"}

    def _made_scale(self, input_shape: Any) -> Weight:
        return self.add_weight((input_shape[0][-1],), "glorot_uniform", name="scale")

    def _scores(self, query: Any, key: Any) -> Any:
        both = tanh(expand_dims(query, -2) + expand_dims(key, -3))
        return reduce_sum(both if self.scale is None else self.scale * both, -1)
