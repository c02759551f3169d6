"""`tf.random`."""

# Written by python -m tools.names; the names stand at their rows.

from ..ops.candidates import (
    all_candidate_sampler, fixed_unigram_candidate_sampler, log_uniform_candidate_sampler, uniform_candidate_sampler,
)  # fmt: skip
from ..ops.draws import set_seed
from ..ops.random import categorical, gamma, normal, poisson, shuffle, truncated_normal, uniform
from ..ops.random_generator import Generator, get_global_generator, set_global_generator
from ..ops.random_stateless import (
    fold_in, split, stateless_categorical, stateless_normal, stateless_shuffle, stateless_truncated_normal,
    stateless_uniform,
)  # fmt: skip

__all__ = [
    "Generator", "all_candidate_sampler", "categorical", "fixed_unigram_candidate_sampler", "fold_in", "gamma",
    "get_global_generator", "log_uniform_candidate_sampler", "normal", "poisson", "set_global_generator", "set_seed",
    "shuffle", "split", "stateless_categorical", "stateless_normal", "stateless_shuffle", "stateless_truncated_normal",
    "stateless_uniform", "truncated_normal", "uniform", "uniform_candidate_sampler",
]  # fmt: skip
