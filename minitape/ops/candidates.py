"""Losses over very many classes, computed for the true ones and a few that are sampled (word2vec)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..notes import named
from ..record.refusal import invalid_argument, value_error
from ..tensor import Tensor, convert, created, to_array
from .creation import ones_like, zeros_like
from .draws import draws
from .elementwise import cast, log, stop_gradient
from .indexing import gather
from .joins import concat
from .linalg import matmul
from .losses import sigmoid_cross_entropy_with_logits, softmax_cross_entropy_with_logits
from .reductions import reduce_sum
from .shapes import reshape


class Sampled(NamedTuple):
    """Sampled classes, and the expected counts of the true and of the sampled ones."""

    sampled_candidates: Tensor
    true_expected_count: Tensor
    sampled_expected_count: Tensor


def _sample(
    true_classes: Any, num_sampled: int, unique: bool, seed: Any, chances: np.ndarray, draw: Callable[..., Any]
) -> Sampled:
    """Samples classes; where they must be unique, it draws until there are enough different ones."""
    true, count = to_array(true_classes), int(num_sampled)
    if unique and count > (chances > 0).sum():
        raise invalid_argument(
            f"When unique=True, num_sampled ({count}) must not be more than there are classes ({(chances > 0).sum()})",
            "unique=False draws the same class more than once.",
        )
    generator, tries = draws(seed), 0
    found: list[int] = []
    seen: set[int] = set()
    while len(found) < count:
        chosen, tries = int(draw(generator)), tries + 1
        if not (unique and chosen in seen):
            seen.add(chosen)
            found.append(chosen)

    def expected(classes: np.ndarray) -> Tensor:
        chance = chances[classes]
        return created(np.asarray(-np.expm1(tries * np.log1p(-chance)) if unique else chance * count, np.float32))

    sampled = np.array(found, np.int64)
    with np.errstate(divide="ignore"):
        return Sampled(created(sampled), expected(true), expected(sampled))


@named("random.log_uniform_candidate_sampler")
def log_uniform_candidate_sampler(
    true_classes: Any, num_true: int, num_sampled: int, unique: bool, range_max: int, seed: Any = None,
    name: str | None = None,
) -> Sampled:  # fmt: skip
    """Classes sampled like words sorted by frequency: class k has probability (log(k + 2) − log(k + 1)) / log(range_max + 1).

    >>> tf.random.log_uniform_candidate_sampler([[1]], 1, 2, False, 3).true_expected_count.numpy()
    array([[0.5849625]], dtype=float32)
    """
    whole = np.log(range_max + 1.0)
    chances = np.diff(np.log(np.arange(1.0, range_max + 2.0))) / whole

    def draw(generator: np.random.Generator) -> float:
        return min(float(np.exp(generator.random() * whole)) - 1, range_max - 1)

    return _sample(true_classes, num_sampled, unique, seed, chances, draw)


@named("random.uniform_candidate_sampler")
def uniform_candidate_sampler(
    true_classes: Any, num_true: int, num_sampled: int, unique: bool, range_max: int, seed: Any = None,
    name: str | None = None,
) -> Sampled:  # fmt: skip
    """Classes sampled with equal probability.

    >>> tf.random.uniform_candidate_sampler([[1]], 1, 2, False, 4).true_expected_count.numpy()
    array([[0.5]], dtype=float32)
    """
    chances = np.full(range_max, 1.0 / range_max)
    return _sample(true_classes, num_sampled, unique, seed, chances, lambda generator: generator.integers(range_max))


@named("random.fixed_unigram_candidate_sampler nn.fixed_unigram_candidate_sampler")
def fixed_unigram_candidate_sampler(
    true_classes: Any, num_true: int, num_sampled: int, unique: bool, range_max: int, vocab_file: str = "",
    distortion: float = 1.0, num_reserved_ids: int = 0, num_shards: int = 1, shard: int = 0, unigrams: Any = (),
    seed: Any = None, name: str | None = None,
) -> Sampled:  # fmt: skip
    """Classes sampled in proportion to given weights to the power of `distortion`; raises ValueError for a file of weights.

    >>> tf.nn.fixed_unigram_candidate_sampler([[1]], 1, 2, False, 2, unigrams=[1.0, 3.0]).true_expected_count.numpy()
    array([[1.5]], dtype=float32)
    """
    if vocab_file or num_shards != 1:
        raise value_error("weights are given as a list here, all in one", "unigrams=[1.0, 2.0, ...]")
    weights = np.concatenate([np.zeros(num_reserved_ids), to_array(unigrams).astype(float) ** distortion])
    chances = weights / weights.sum()
    return _sample(
        true_classes, num_sampled, unique, seed, chances, lambda generator: generator.choice(len(chances), p=chances)
    )


@named("random.all_candidate_sampler nn.all_candidate_sampler")
def all_candidate_sampler(
    true_classes: Any, num_true: int, num_sampled: int, unique: bool, seed: Any = None, name: str | None = None
) -> Sampled:
    """Every class once, so that a loss of samples can be tried against that of all classes.

    >>> tf.nn.all_candidate_sampler([[1]], 1, 3, True).sampled_candidates.numpy()
    array([0, 1, 2])
    """
    ones = np.ones(np.shape(to_array(true_classes)), np.float32)
    return Sampled(created(np.arange(num_sampled)), created(ones), created(np.ones(num_sampled, np.float32)))


@named("nn.compute_accidental_hits")
def compute_accidental_hits(
    true_classes: Any, sampled_candidates: Any, num_true: int, seed: Any = None, name: str | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """Where a sampled class is a true one: the rows, the positions in the sample, and for each the lowest float32.

    >>> [x.numpy().tolist() for x in tf.nn.compute_accidental_hits([[1, 2]], [5, 2], 2)][:2]
    [[0], [1]]
    """
    true, drawn = to_array(true_classes), to_array(sampled_candidates)
    rows, _, columns = np.nonzero(true[:, :, None] == drawn)
    lowest = np.full(len(rows), np.finfo(np.float32).min)
    return created(rows.astype(np.int32)), created(columns.astype(np.int64)), created(lowest)


def _logits(
    weights: Any, biases: Any, labels: Any, inputs: Any, num_sampled: int, num_classes: int, num_true: int,
    sampled_values: Any, remove_accidental_hits: bool, seed: Any,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """The logits of the true and of the sampled classes, [batch, num_true + num_sampled], and their labels."""
    classes = to_array(labels).astype(np.int64)
    drawn, expected_true, expected_drawn = sampled_values or log_uniform_candidate_sampler(
        classes, num_true, num_sampled, True, num_classes, seed
    )
    inputs, drawn = convert(inputs), to_array(drawn)
    kind = inputs.tag.dtype
    true_weights = reshape(gather(weights, classes.reshape(-1)), [-1, num_true, inputs.shape[1]])
    true = reduce_sum(inputs[:, None, :] * true_weights, 2) + gather(biases, classes)
    others = matmul(inputs, gather(weights, drawn), transpose_b=True) + gather(biases, drawn)
    if remove_accidental_hits:
        hits = (classes[:, :, None] == drawn).any(1)
        others = others + created(np.where(hits, np.finfo(np.float32).min, 0.0).astype(kind))
    true = true - log(cast(stop_gradient(convert(expected_true)), kind))
    others = others - log(cast(stop_gradient(convert(expected_drawn)), kind))
    return concat([true, others], 1), concat([ones_like(true) / num_true, zeros_like(others)], 1)


@named("nn.nce_loss")
def nce_loss(
    weights: Any, biases: Any, labels: Any, inputs: Any, num_sampled: int, num_classes: int, num_true: int = 1,
    sampled_values: Any = None, remove_accidental_hits: bool = False, name: str = "nce_loss",
) -> Tensor:  # fmt: skip
    """Noise-contrastive estimation: true classes are told from sampled ones; one loss per row of the batch.

    >>> weights, biases, inputs = np.ones((4, 2)), np.zeros(4), np.ones((3, 2))
    >>> tf.nn.nce_loss(weights, biases, [[1], [2], [3]], inputs, 2, 4).shape
    TensorShape([3])
    """
    sampling = num_sampled, num_classes, num_true, sampled_values, remove_accidental_hits, None
    logits, targets = _logits(weights, biases, labels, inputs, *sampling)
    return reduce_sum(sigmoid_cross_entropy_with_logits(labels=stop_gradient(targets), logits=logits), 1)


@named("nn.sampled_softmax_loss")
def sampled_softmax_loss(
    weights: Any, biases: Any, labels: Any, inputs: Any, num_sampled: int, num_classes: int, num_true: int = 1,
    sampled_values: Any = None, remove_accidental_hits: bool = True, seed: Any = None, name: str = "sampled_softmax_loss",
) -> Tensor:  # fmt: skip
    """The cross-entropy of the true classes among a few sampled ones; one loss per row of the batch.

    >>> weights, biases, inputs = np.ones((4, 2)), np.zeros(4), np.ones((3, 2))
    >>> tf.nn.sampled_softmax_loss(weights, biases, [[1], [2], [3]], inputs, 2, 4).shape
    TensorShape([3])
    """
    sampling = num_sampled, num_classes, num_true, sampled_values, remove_accidental_hits, seed
    logits, targets = _logits(weights, biases, labels, inputs, *sampling)
    return softmax_cross_entropy_with_logits(labels=stop_gradient(targets), logits=logits)
