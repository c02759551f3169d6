"""`tf.keras.preprocessing.sequence`: lists of word numbers as rows of one length, and as pairs for word2vec."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...record.refusal import described, value_error
from ..utils import pad_sequences

EULER = 0.577  # with as many digits as Keras has


def make_sampling_table(size: int, sampling_factor: float = 1e-5) -> np.ndarray:
    """How likely a word is to be taken, by its rank: of frequent words, as Zipf's law has them, fewer are needed.

    >>> tf.keras.preprocessing.sequence.make_sampling_table(4).round(4).tolist()
    [0.0032, 0.0032, 0.0055, 0.0074]
    """
    rank = np.maximum(np.arange(size), 1)
    rarity = sampling_factor * (rank * (np.log(rank) + EULER) + 0.5 - 1.0 / (12.0 * rank))
    return np.minimum(1.0, np.sqrt(rarity))


def skipgrams(
    sequence: Sequence[int], vocabulary_size: int, window_size: int = 4, negative_samples: float = 1.0,
    shuffle: bool = True, categorical: bool = False, sampling_table: Any = None, seed: int | None = None,
) -> tuple[list[list[int]], list[Any]]:  # fmt: skip
    """Pairs of words that stand near each other, labelled 1, and pairs with a word by chance, labelled 0; 0 is no word.

    Args: sequence, the numbers of the words of a text; window_size, how far apart they may be; negative_samples, how many
    pairs by chance for each of the others; categorical, for labels [0, 1] and [1, 0]; sampling_table, how likely each word is
    to be taken.  Raises ValueError for a text.

    >>> tf.keras.preprocessing.sequence.skipgrams([1, 2, 3], 4, window_size=1, negative_samples=0, shuffle=False)
    ([[1, 2], [2, 1], [2, 3], [3, 2]], [1, 1, 1, 1])
    """
    if isinstance(sequence, str):
        raise value_error(
            f"skipgrams takes the numbers of words, got {described(sequence)}",
            "tf.keras.preprocessing.text.Tokenizer numbers them: fit_on_texts, then texts_to_sequences.",
        )
    # The draws are those of Python's generator, in Keras's order: after random.seed both give the same pairs.
    pairs: list[list[int]] = []
    for place, word in enumerate(sequence):
        if not word or (sampling_table is not None and sampling_table[word] < random.random()):
            continue
        around = range(max(0, place - window_size), min(len(sequence), place + window_size + 1))
        pairs += [[word, sequence[other]] for other in around if other != place and sequence[other]]
    near, far = ([0, 1], [1, 0]) if categorical else (1, 0)
    labels: list[Any] = [near] * len(pairs)
    if negative_samples > 0:
        count, words = int(len(pairs) * negative_samples), [word for word, _ in pairs]
        random.shuffle(words)
        pairs += [[words[each % len(words)], random.randint(1, vocabulary_size - 1)] for each in range(count)]
        labels += [far] * count
    if shuffle:
        seed = random.randint(0, 10_000_000) if seed is None else seed
        for each in (pairs, labels):  # the same order for both
            random.seed(seed)
            random.shuffle(each)
    return pairs, labels


__all__ = ["make_sampling_table", "pad_sequences", "skipgrams"]
