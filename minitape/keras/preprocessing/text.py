"""`tf.keras.preprocessing.text`: words of Python's texts as numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ...record.refusal import value_error
from ..allowed import one_of

FILTERS = '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~\t\n'
MODES = ("binary", "count", "freq", "tfidf")


def text_to_word_sequence(input_text: str, filters: str = FILTERS, lower: bool = True, split: str = " ") -> list[str]:
    """The words of a text, without the characters in `filters`.

    >>> tf.keras.preprocessing.text.text_to_word_sequence("The cat, the hat!")
    ['the', 'cat', 'the', 'hat']
    """
    plain = (input_text.lower() if lower else input_text).translate({ord(each): split for each in filters})
    return [word for word in plain.split(split) if word]


class Tokenizer:
    """Numbers words from 1 on, the most frequent first; `fit_on_texts` counts them, `texts_to_sequences` looks them up.

    Args: num_words, below which numbers are used; filters, characters that are no part of words; char_level, for characters in
    place of words; oov_token, a word that stands for those that were not counted and has the number 1; analyzer, a function from
    a text to its words.

    >>> tokenizer = tf.keras.preprocessing.text.Tokenizer(oov_token="?")
    >>> tokenizer.fit_on_texts(["the cat", "the hat"])
    >>> tokenizer.word_index, tokenizer.texts_to_sequences(["The dog, the cat"])
    ({'?': 1, 'the': 2, 'cat': 3, 'hat': 4}, [[2, 1, 2, 3]])
    """

    def __init__(
        self, num_words: int | None = None, filters: str = FILTERS, lower: bool = True, split: str = " ",
        char_level: bool = False, oov_token: str | None = None, analyzer: Callable[[str], Sequence[str]] | None = None,
    ) -> None:  # fmt: skip
        self.num_words, self.filters, self.lower, self.split = num_words, filters, lower, split
        self.char_level, self.oov_token, self.analyzer = char_level, oov_token, analyzer
        self.document_count = 0
        self.word_counts: dict[str, int] = {}
        self.word_docs: dict[str, int] = {}  # in how many texts a word stands
        self.word_index: dict[str, int] = {}
        self.index_word: dict[int, str] = {}
        self.index_docs: dict[int, int] = {}

    def _words(self, text: Any) -> Sequence[str]:
        if self.char_level or isinstance(text, list):
            parts: Sequence[str] = text
            return [each.lower() for each in parts] if self.lower else parts
        if self.analyzer is not None:
            return self.analyzer(text)
        return text_to_word_sequence(text, self.filters, self.lower, self.split)

    def fit_on_texts(self, texts: Sequence[Any]) -> None:
        """Count the words of these texts, and number all that were counted so far."""
        for text in texts:
            self.document_count += 1
            words = self._words(text)
            for word in words:
                self.word_counts[word] = self.word_counts.get(word, 0) + 1
            for word in dict.fromkeys(words):
                self.word_docs[word] = self.word_docs.get(word, 0) + 1
        by_count = sorted(self.word_counts, key=self.word_counts.__getitem__, reverse=True)
        first = [] if self.oov_token is None else [self.oov_token]
        self.word_index = {word: number for number, word in enumerate([*first, *by_count], 1)}
        self.index_word = {number: word for word, number in self.word_index.items()}
        self.index_docs = {self.word_index[word]: count for word, count in self.word_docs.items()}

    def _known(self, number: int | None) -> int | None:
        """This number, or that of the word for unknown ones where it is none or too large; None to leave it out."""
        inside = number is not None and not (self.num_words and number >= self.num_words)
        return number if inside else self.word_index.get(self.oov_token or "")

    def texts_to_sequences_generator(self, texts: Sequence[Any]) -> Iterator[list[int]]:
        """The numbers of each text's words, one text after the other."""
        for text in texts:
            numbers = (self._known(self.word_index.get(word)) for word in self._words(text))
            yield [number for number in numbers if number is not None]

    def texts_to_sequences(self, texts: Sequence[Any]) -> list[list[int]]:
        """The numbers of each text's words."""
        return list(self.texts_to_sequences_generator(texts))

    def sequences_to_texts(self, sequences: Sequence[Sequence[int]]) -> list[str]:
        """The words behind the numbers, with blanks between them."""
        known = [[self._known(each if each in self.index_word else None) for each in numbers] for numbers in sequences]
        return [" ".join(self.index_word[each] for each in numbers if each is not None) for numbers in known]

    def texts_to_matrix(self, texts: Sequence[Any], mode: str = "binary") -> np.ndarray:
        """A row for each text, with a column for each number; see `sequences_to_matrix`."""
        return self.sequences_to_matrix(self.texts_to_sequences(texts), mode)

    def sequences_to_matrix(self, sequences: Sequence[Sequence[int]], mode: str = "binary") -> np.ndarray:
        """Which words a text has ("binary"), how many of each ("count"), their share ("freq"), or how telling they are ("tfidf").

        Raises ValueError where no text was counted, and nothing else says how many columns there are.
        """
        one_of("mode", mode, MODES)
        if not self.num_words and not self.word_index:
            raise value_error(
                "Specify a dimension (`num_words` argument), or fit on some text data first.",
                "tokenizer.fit_on_texts(texts)",
            )
        width = self.num_words or len(self.word_index) + 1
        counts = np.zeros((len(sequences), width))
        for row, numbers in zip(counts, sequences, strict=True):
            np.add.at(row, [number for number in numbers if number < width], 1.0)
        if mode == "count":
            return counts
        if mode == "freq":
            return counts / np.maximum([[len(numbers)] for numbers in sequences], 1)
        if mode == "binary":
            return np.minimum(counts, 1.0)
        texts = np.array([self.index_docs.get(number, 0) for number in range(width)])
        weights = np.log(1 + self.document_count / (1 + texts))
        return np.where(counts > 0, (1 + np.log(np.maximum(counts, 1.0))) * weights, 0.0)


__all__ = ["Tokenizer", "text_to_word_sequence"]
