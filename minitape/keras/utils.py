"""`tf.keras.utils`."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable
from collections.abc import Sequence as Row
from typing import Any

import numpy as np

from ..dtypes import as_dtype
from ..ops.draws import set_seed
from ..record.refusal import described, invalid_argument, value_error
from ..tensor import convert
from .names import clear_session, floatx
from .progress import Progress
from .py_dataset import PyDataset
from .symbol import KerasTensor


def to_categorical(x: Any, num_classes: int | None = None) -> np.ndarray:
    """Whole numbers as one-hot rows.

    >>> tf.keras.utils.to_categorical([0, 2])
    array([[1., 0., 0.],
           [0., 0., 1.]])
    """
    numbers = np.asarray(x)
    if numbers.dtype.kind not in "biuf":
        raise value_error(
            f"to_categorical takes classes by number, got {described(x)}",
            "np.unique(names, return_inverse=True)[1] numbers the names of classes.",
        )
    numbers = numbers.astype(int)
    count = int(numbers.max()) + 1 if num_classes is None else num_classes
    if numbers.size and not -count <= numbers.min() <= numbers.max() < count:
        wrong = numbers.max() if numbers.max() >= count else numbers.min()
        raise invalid_argument(
            f"to_categorical: class {wrong} is none of {count} classes, 0 to {count - 1}",
            "Classes are numbered from 0 on; num_classes is one more than the largest.",
        )
    return np.eye(count)[numbers]


def set_random_seed(seed: int) -> None:
    """Start every generator anew: Python's, NumPy's and `tf.random`'s.

    >>> tf.keras.utils.set_random_seed(1)
    """
    random.seed(seed)
    np.random.seed(seed)
    set_seed(seed)


def normalize(x: Any, axis: int = -1, order: float = 2) -> np.ndarray:
    """Vectors divided by their length; what is 0 stays 0.

    >>> tf.keras.utils.normalize([[3.0, 4.0]])
    array([[0.6, 0.8]])
    """
    numbers = np.asarray(x, float)
    length = np.linalg.norm(numbers, order, axis, keepdims=True)
    return numbers / np.where(length == 0, 1, length)


def pad_sequences(
    sequences: Row[Row[Any]], maxlen: int | None = None, dtype: Any = "int32", padding: str = "pre",
    truncating: str = "pre", value: float = 0.0,
) -> np.ndarray:  # fmt: skip
    """Lists of different lengths as rows of one: shorter ones are filled up, longer ones cut, at their beginning or ("post") end.

    >>> tf.keras.utils.pad_sequences([[1, 2, 3], [4]], padding="post")
    array([[1, 2, 3],
           [4, 0, 0]], dtype=int32)
    """
    length = max(map(len, sequences)) if maxlen is None else maxlen
    rows = np.full((len(sequences), length), value, dtype)
    for row, sequence in zip(rows, sequences, strict=True):
        kept = sequence[-length:] if truncating == "pre" else sequence[:length]
        if len(kept) and length:
            row[slice(length - len(kept), None) if padding == "pre" else slice(len(kept))] = kept
    return rows


def img_to_array(img: Any, data_format: str | None = None, dtype: Any = None) -> np.ndarray:
    """A picture as an array with an axis for the channels; raises ValueError where it has neither two axes nor three.

    >>> tf.keras.utils.img_to_array([[0, 255]]).shape
    (1, 2, 1)
    """
    numbers = np.asarray(img, as_dtype(dtype or floatx()).numpy_dtype)
    if numbers.ndim not in (2, 3):
        raise value_error(f"Unsupported image shape: {numbers.shape}", "Rows, columns, and perhaps channels.")
    numbers = numbers.reshape((*numbers.shape[:2], -1))
    return numbers.transpose(2, 0, 1) if data_format == "channels_first" else numbers


class Progbar:
    """A line that says how far a loop is, and the means of what it measures; `stateful_metrics` names what is shown as it is.

    Args: target, the number of steps, or None; verbose, 0 for silence, 1 for a line that moves, 2 for one line at the end.

    >>> bar = tf.keras.utils.Progbar(2, verbose=2)
    >>> bar.update(1, [("loss", 4.0)])
    >>> bar.add(1, [("loss", 2.0)])
    2/2 - loss: 2.0000
    """

    def __init__(
        self, target: int | None, width: int = 20, verbose: int = 1, interval: float = 0.05, stateful_metrics: Any = None,
        unit_name: str = "step",
    ) -> None:  # fmt: skip
        self.target, self._kept = target, set(stateful_metrics or ())
        self._progress = Progress(verbose, steps=target or 0)
        self._progress.start(0)
        self._seen, self._sums = 0, dict[str, tuple[float, int]]()

    def update(self, current: int, values: Row[tuple[str, Any]] | None = None, finalize: bool | None = None) -> None:
        """So many steps are done; `values` are pairs of a name and what the last step measured."""
        done = self.target is not None and current >= self.target if finalize is None else finalize
        steps = max(current - self._seen, 1)
        for name, value in values or ():
            number = float(np.mean(value))
            before, count = (0.0, 0) if done or name in self._kept else self._sums.get(name, (0.0, 0))
            weight = 1 if done or name in self._kept else steps
            self._sums[name] = before + number * weight, count + weight
        self._seen = current
        means = {name: total / count for name, (total, count) in self._sums.items()}
        self._progress.step(current, means)
        if done:
            self._progress.end(means)

    def add(self, n: int, values: Row[tuple[str, Any]] | None = None) -> None:
        """So many steps more are done."""
        self.update(self._seen + n, values)


def register_keras_serializable(package: str = "Custom", name: str | None = None) -> Callable[[Any], Any]:
    """Does nothing to a class: classes are found by their names here.

    >>> @tf.keras.utils.register_keras_serializable()
    ... class Own: ...
    """
    return lambda cls: cls


def timeseries_dataset_from_array(
    data: Any, targets: Any, sequence_length: int, sequence_stride: int = 1, sampling_rate: int = 1, batch_size: int | None = 128,
    shuffle: bool = False, seed: int | None = None, start_index: int | None = None, end_index: int | None = None,
) -> Any:  # fmt: skip
    """A dataset of windows: `sequence_length` rows, `sampling_rate` apart, the next beginning `sequence_stride` later.

    With targets each window comes with the target at the index where it begins.  Raises ValueError for a stride
    or a rate that is not below the length of the data.

    >>> windows = tf.keras.utils.timeseries_dataset_from_array([1, 2, 3, 4], None, sequence_length=3)
    >>> [batch.numpy().tolist() for batch in windows]
    [[[1, 2, 3], [2, 3, 4]]]
    """
    from ..data import Dataset

    for what, value in (("sampling_rate", sampling_rate), ("sequence_stride", sequence_stride)):
        if not 0 < value < len(data):
            raise value_error(
                f"`{what}` must be higher than 0 and lower than the length of the data. Received: {what}={value}, for data "
                f"of length {len(data)}",
                "1 is usual.",
            )
    begin, end = start_index or 0, len(data) if end_index is None else end_index
    count = end - begin - (sequence_length - 1) * sampling_rate
    count = count if targets is None else min(count, len(targets))
    starts = np.arange(0, count, sequence_stride)
    if shuffle:
        np.random.RandomState(np.random.randint(1_000_000) if seed is None else seed).shuffle(starts)
    rows = _rows(data)[begin:end]
    indices = starts[:, None] + np.arange(0, sequence_length * sampling_rate, sampling_rate)
    parts = rows[indices] if targets is None else (rows[indices], _rows(targets)[begin:end][starts])
    windows = Dataset.from_tensor_slices(parts)
    if shuffle:
        windows = windows.shuffle(1024 if batch_size is None else batch_size * 8, seed=seed)
    return windows if batch_size is None else windows.batch(batch_size)


def _rows(data: Any) -> np.ndarray:
    """An array of data; numbers in a list have the dtypes of tensors, int32 and float32."""
    return np.asarray(convert(data) if isinstance(data, list | tuple) else data)


def unpack_x_y_sample_weight(data: Any) -> tuple[Any, Any, Any]:
    """What a `train_step` is given, as inputs, truths and weights; None for what is not there.

    Raises ValueError for a tuple of another length.

    >>> tf.keras.utils.unpack_x_y_sample_weight((1, 2))
    (1, 2, None)
    """
    parts = tuple(data) if isinstance(data, list | tuple) else (data,)
    if not 0 < len(parts) <= 3:
        raise value_error(
            f"Data is expected to be in format `x`, `(x,)`, `(x, y)`, or `(x, y, sample_weight)`, found: {data}",
            "Give it a tuple of one to three.",
        )
    x, y, weight = (*parts, None, None)[:3]
    return x, y, weight


def pack_x_y_sample_weight(x: Any, y: Any = None, sample_weight: Any = None) -> Any:
    """Inputs, truths and weights as one batch, as `train_step` is given it: what `unpack_x_y_sample_weight` takes apart.

    >>> tf.keras.utils.pack_x_y_sample_weight([1], [2])
    ([1], [2])
    """
    if y is None:
        return (x,) if isinstance(x, list | tuple) else x
    return (x, y) if sample_weight is None else (x, y, sample_weight)


def is_keras_tensor(x: Any) -> bool:
    """Whether it is a symbol.

    >>> tf.keras.utils.is_keras_tensor(1.0)
    False
    """
    return isinstance(x, KerasTensor)


def custom_object_scope(custom_objects: Any) -> contextlib.AbstractContextManager[None]:
    """A block that changes nothing: classes are found by their names here.

    >>> with tf.keras.utils.custom_object_scope({}):
    ...     pass
    """
    return contextlib.nullcontext()


Sequence = PyDataset  # its name in Keras 2

__all__ = [
    "Progbar", "PyDataset", "Sequence", "clear_session", "custom_object_scope", "img_to_array", "is_keras_tensor", "normalize",
    "pack_x_y_sample_weight", "pad_sequences", "register_keras_serializable", "set_random_seed",
    "timeseries_dataset_from_array", "to_categorical", "unpack_x_y_sample_weight",
]  # fmt: skip
