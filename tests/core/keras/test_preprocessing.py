"""Texts as numbers, and pairs of words: what is said here is what Keras gives."""

from __future__ import annotations

import random

import numpy as np
import pytest

import minitape as tf

sequence, text = tf.keras.preprocessing.sequence, tf.keras.preprocessing.text
SENTENCES = ["I love my dog", "I love my cat", "You love my dog!", "Do you think my dog is amazing?"]


def fitted(**settings):
    tokenizer = text.Tokenizer(**settings)
    tokenizer.fit_on_texts(SENTENCES)
    return tokenizer


def test_words_are_numbered_by_how_often_they_come():
    tokenizer = fitted(num_words=100, oov_token="<OOV>")
    words = ["<OOV>", "my", "love", "dog", "i", "you", "cat", "do", "think", "is", "amazing"]
    assert tokenizer.word_index == {word: number for number, word in enumerate(words, 1)}
    assert tokenizer.texts_to_sequences(SENTENCES) == [
        [5, 3, 2, 4],
        [5, 3, 2, 7],
        [6, 3, 2, 4],
        [8, 6, 9, 2, 4, 10, 11],
    ]
    assert tokenizer.texts_to_sequences(["my dog loves my manatee"]) == [[2, 4, 1, 2, 1]]
    assert tokenizer.sequences_to_texts([[2, 1, 3, 99]]) == ["my <OOV> love <OOV>"]
    assert tokenizer.word_counts["my"] == 4 and tokenizer.word_docs["dog"] == 3 and tokenizer.document_count == 4


def test_characters_and_lists_of_words():
    letters = text.Tokenizer(char_level=True)
    letters.fit_on_texts(["To be or not"])
    assert letters.word_index == {"o": 1, " ": 2, "t": 3, "b": 4, "e": 5, "r": 6, "n": 7}
    assert letters.texts_to_sequences(["Tone"]) == [[3, 1, 7, 5]] and letters.sequences_to_texts([[1, 2]]) == ["o  "]
    few = text.Tokenizer(filters="", lower=False, num_words=3, oov_token="?")
    few.fit_on_texts(["a b", ["a", "C"], "a b c."])
    assert few.word_index == {"?": 1, "a": 2, "b": 3, "C": 4, "c.": 5}
    assert few.texts_to_sequences(["a b c. d", ["C", "a"]]) == [[2, 1, 1, 1], [1, 2]]
    assert few.sequences_to_texts([[1, 2, 3, 4, 9]]) == ["? a ? ? ?"]
    lower = text.Tokenizer(analyzer=lambda words: words.split("-"))
    lower.fit_on_texts([["A", "a"], "b-b-b"])
    assert lower.word_index == {"b": 1, "a": 2}


@pytest.mark.parametrize(
    ("mode", "rows"),
    [
        ("binary", [[0, 1, 0, 1, 0, 0], [0, 0, 1, 0, 0, 0]]),
        ("count", [[0, 2, 0, 1, 0, 0], [0, 0, 1, 0, 0, 0]]),
        ("freq", [[0, 0.6667, 0, 0.3333, 0, 0], [0, 0, 1, 0, 0, 0]]),
        ("tfidf", [[0, 0.9952, 0, 0.6931, 0, 0], [0, 0, 0.6931, 0, 0, 0]]),
    ],
)
def test_a_text_as_a_row(mode: str, rows: list[list[float]]):
    assert fitted(num_words=6).texts_to_matrix(["my dog my cat", "love"], mode).round(4).tolist() == rows


def test_what_a_tokenizer_refuses():
    with pytest.raises(ValueError, match="fit on some text data first"):
        text.Tokenizer().texts_to_matrix(["a"])
    with pytest.raises(ValueError, match="Invalid value for argument `mode`"):
        fitted().texts_to_matrix(["a"], "most")
    with pytest.raises(ValueError, match="takes the numbers of words, got"):
        sequence.skipgrams("a b c", 4)


def test_pairs_of_words_and_pairs_by_chance():
    """After the same seed of Python's generator they are those of Keras."""
    random.seed(3)
    pairs, labels = sequence.skipgrams([1, 2, 0, 3, 4], 6, window_size=2)
    assert pairs == [[4, 1], [2, 3], [1, 5], [2, 1], [2, 1], [1, 2], [3, 4], [4, 3], [3, 5], [3, 2], [3, 4], [2, 3]]
    assert labels == [0, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1]
    random.seed(4)
    table = sequence.make_sampling_table(6, 0.1)
    assert table == pytest.approx([0.31522479, 0.31522479, 0.54759727, 0.74155641, 0.91281675, 1.0])
    pairs, labels = sequence.skipgrams(
        [1, 2, 3, 4, 5], 6, window_size=1, negative_samples=0.5, categorical=True, sampling_table=table, seed=5
    )
    assert pairs == [[4, 1], [2, 3], [2, 3], [5, 4], [2, 1], [3, 2], [4, 5], [1, 2], [5, 3], [4, 3], [3, 4], [3, 2]]
    assert [label[1] for label in labels] == [0, 1, 0, 1, 1, 1, 1, 1, 0, 1, 1, 0]


def test_what_stands_elsewhere_too():
    assert sequence.pad_sequences([[1], [2, 3]]).tolist() == [[0, 1], [2, 3]]
    windows = tf.keras.preprocessing.timeseries_dataset_from_array(np.arange(4.0), None, 3)
    assert [window.numpy().tolist() for window in windows] == [[[0, 1, 2], [1, 2, 3]]]
    with pytest.raises(AttributeError, match=r"'image': out of scope .*img_to_array"):
        tf.keras.preprocessing.image
