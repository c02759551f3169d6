"""`tf.nn`."""

# Written by python -m tools.names; the names stand at their rows.

from ..ops.averages import compute_average_loss, scale_regularization_loss
from ..ops.candidates import (
    all_candidate_sampler, compute_accidental_hits, fixed_unigram_candidate_sampler, nce_loss, sampled_softmax_loss,
)  # fmt: skip
from ..ops.composed import gelu, silu, silu as swish
from ..ops.counting import in_top_k
from ..ops.elementwise import elu, erf, leaky_relu, log_sigmoid, relu, relu6, selu, sigmoid, softplus, softsign, tanh
from ..ops.losses import (
    l2_loss, log_poisson_loss, sigmoid_cross_entropy_with_logits, softmax_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits, weighted_cross_entropy_with_logits,
)  # fmt: skip
from ..ops.nn import (
    batch_normalization, bias_add, crelu, depth_to_space, dropout, embedding_lookup, l2_normalize, log_softmax, moments,
    softmax, space_to_depth, weighted_moments,
)  # fmt: skip
from ..ops.nn_conv import (
    atrous_conv2d, conv1d, conv1d_transpose, conv2d, conv2d_transpose, conv_transpose, convolution, depthwise_conv2d,
    separable_conv2d,
)  # fmt: skip
from ..ops.pooling import (
    avg_pool, avg_pool1d, avg_pool as avg_pool2d, max_pool, max_pool1d, max_pool as max_pool2d, max_pool_with_argmax,
    pool,
)  # fmt: skip
from ..ops.sorting import top_k
from ..ops.statistics import zero_fraction

__all__ = [
    "all_candidate_sampler", "atrous_conv2d", "avg_pool", "avg_pool1d", "avg_pool2d", "batch_normalization", "bias_add",
    "compute_accidental_hits", "compute_average_loss", "conv1d", "conv1d_transpose", "conv2d", "conv2d_transpose",
    "conv_transpose", "convolution", "crelu", "depth_to_space", "depthwise_conv2d", "dropout", "elu",
    "embedding_lookup", "erf", "fixed_unigram_candidate_sampler", "gelu", "in_top_k", "l2_loss", "l2_normalize",
    "leaky_relu", "log_poisson_loss", "log_sigmoid", "log_softmax", "max_pool", "max_pool1d", "max_pool2d",
    "max_pool_with_argmax", "moments", "nce_loss", "pool", "relu", "relu6", "sampled_softmax_loss",
    "scale_regularization_loss", "selu", "separable_conv2d", "sigmoid", "sigmoid_cross_entropy_with_logits", "silu",
    "softmax", "softmax_cross_entropy_with_logits", "softplus", "softsign", "space_to_depth",
    "sparse_softmax_cross_entropy_with_logits", "swish", "tanh", "top_k", "weighted_cross_entropy_with_logits",
    "weighted_moments", "zero_fraction",
]  # fmt: skip
