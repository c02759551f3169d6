"""Callbacks that follow one measure, and stop training, slow it down or save weights by it."""

from __future__ import annotations

import os
import warnings
from typing import Any

import numpy as np

from ...record.refusal import value_error
from .. import metrics
from ..allowed import one_of, within
from ..names import snake
from .base import Callback

_GROWS = "accuracy", "auc", "precision", "recall", "score", "cosine", "positives", "io_u"


class _Monitor(Callback):
    """Follows one measure from epoch to epoch."""

    def __init__(self, monitor: str, min_delta: float, mode: str) -> None:
        self.mode = one_of("mode", mode, ("auto", "min", "max"), "'auto' goes by the name.")
        self.monitor, self.min_delta = monitor, abs(min_delta)
        self.best: float | None = None

    @property
    def sign(self) -> int:
        """1 where less is better, -1 where more is; ValueError in mode "auto" for a measure of the program's own."""
        name = self.monitor.removeprefix("val_")
        if self.mode != "auto" or name.endswith("loss"):
            return -1 if self.mode == "max" else 1
        found = next((metric for metric in getattr(self.model, "_metrics", ()) if metric.name == name), None)
        measure = found.fn if isinstance(found, metrics.MeanMetricWrapper) else type(found)
        word = snake(getattr(measure, "__name__", ""))
        ours = getattr(measure, "__module__", "").startswith(metrics.__name__)
        if not ours or measure in (metrics.Mean, metrics.Sum):
            raise value_error(
                f"{type(self).__name__} callback received monitor={self.monitor}, but nobody knows whether it should be "
                "maximized or minimized.",
                "Pass mode='max' or mode='min'.",
            )
        return -1 if any(part in word for part in _GROWS) and "false" not in word else 1

    def better(self, value: float, than: float | None) -> bool:
        """Whether a value is better by more than `min_delta`."""
        sign = self.sign
        return than is None or sign * value < sign * than - self.min_delta

    def measured(self, logs: Any) -> float | None:
        """The measure; warns where there is none of that name."""
        value = (logs or {}).get(self.monitor)
        if value is None:
            warnings.warn(
                f"{type(self).__name__} conditioned on metric `{self.monitor}` which is not available. "
                f"Available metrics are: {','.join(logs or {})}",
                stacklevel=3,
            )
        return value


class EarlyStopping(_Monitor):
    """Stops training after `patience` epochs without improvement of a measure; may restore the best weights.

    Args: monitor, a name of the history; min_delta, the least improvement that counts; mode, "min", "max" or "auto", which
    goes by the name; baseline, which the measure must pass; start_from_epoch, the first epoch that counts.  Raises
    ValueError for another mode.

    >>> model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    >>> model.compile(tf.keras.optimizers.SGD(0.0), "mse")
    >>> stop = tf.keras.callbacks.EarlyStopping(monitor="loss", patience=2)
    >>> seen = model.fit(tf.ones([2, 1]), tf.zeros([2, 1]), epochs=9, verbose=0, callbacks=[stop])
    >>> len(seen.epoch), stop.stopped_epoch
    (3, 2)
    """

    def __init__(
        self, monitor: str = "val_loss", min_delta: float = 0, patience: int = 0, verbose: int = 0, mode: str = "auto",
        baseline: float | None = None, restore_best_weights: bool = False, start_from_epoch: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(monitor, min_delta, mode)
        self.patience, self.verbose, self.baseline = patience, verbose, baseline
        self.restore_best_weights, self.start_from_epoch = restore_best_weights, start_from_epoch
        self.on_train_begin()

    def on_train_begin(self, logs: Any = None) -> None:
        self.wait = self.stopped_epoch = self.best_epoch = 0
        self.best = self.best_weights = None

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        value = self.measured(logs)
        if value is None or epoch < self.start_from_epoch:
            return
        if self.restore_best_weights and self.best_weights is None:
            self.best_weights, self.best_epoch = self.model.get_weights(), epoch
        self.wait += 1
        if self.better(value, self.best):
            self.best, self.best_epoch = value, epoch
            if self.restore_best_weights:
                self.best_weights = self.model.get_weights()
            if self.baseline is None or self.better(value, self.baseline):
                self.wait = 0
        elif self.wait >= self.patience and epoch > 0:
            self.stopped_epoch = epoch
            self.model.stop_training = True

    def on_train_end(self, logs: Any = None) -> None:
        """Put the best weights back."""
        if self.stopped_epoch and self.verbose:
            print(f"Epoch {self.stopped_epoch + 1}: early stopping")
        if self.restore_best_weights and self.best_weights is not None:
            if self.verbose:
                print(f"Restoring model weights from the end of the best epoch: {self.best_epoch + 1}.")
            self.model.set_weights(self.best_weights)


class ReduceLROnPlateau(_Monitor):
    """Reduces the learning rate after `patience` epochs without improvement of a measure.

    Args: factor, below 1, by which it is multiplied; min_delta, the least improvement that counts; cooldown, epochs to wait
    after a reduction; min_lr, the lowest rate; monitor and mode, as for `EarlyStopping`.  Raises ValueError for a factor of
    1 or more.

    >>> model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="zeros")])
    >>> model.compile(tf.keras.optimizers.SGD(0.5), "mse")
    >>> slower = tf.keras.callbacks.ReduceLROnPlateau(monitor="loss", patience=1, factor=0.5)
    >>> _ = model.fit(tf.ones([2, 1]), tf.zeros([2, 1]), epochs=2, verbose=0, callbacks=[slower])
    >>> float(model.optimizer.learning_rate)
    0.25
    """

    def __init__(
        self, monitor: str = "val_loss", factor: float = 0.1, patience: int = 10, verbose: int = 0, mode: str = "auto",
        min_delta: float = 1e-4, cooldown: int = 0, min_lr: float = 0.0,
    ) -> None:  # fmt: skip
        super().__init__(monitor, min_delta, mode)
        self.factor = within("factor", factor, "(-∞, 1)", "0.1 is usual.")
        self.patience, self.verbose = patience, verbose
        self.cooldown, self.min_lr = cooldown, min_lr
        self.on_train_begin()

    def on_train_begin(self, logs: Any = None) -> None:
        self.wait = self.cooling = 0
        self.best = None

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        optimizer = self.model.optimizer
        if logs is not None:
            logs["learning_rate"] = float(optimizer.learning_rate)
        value = self.measured(logs)
        if value is None:
            return
        if self.cooling > 0:
            self.cooling -= 1
            self.wait = 0
        if self.better(value, self.best):
            self.best, self.wait = value, 0
        elif self.cooling <= 0:
            self.wait += 1
            rate = float(optimizer.learning_rate)
            if self.wait >= self.patience and rate > np.float32(self.min_lr):  # in which the rate is kept
                new = max(rate * self.factor, self.min_lr)
                optimizer.learning_rate = new
                self.cooling, self.wait = self.cooldown, 0
                if self.verbose:
                    print(f"\nEpoch {epoch + 1}: ReduceLROnPlateau reducing learning rate to {new}.")


class ModelCheckpoint(_Monitor):
    """Saves the weights after each epoch, or where `monitor` is the best so far; the path may name measures, as in "{epoch}".

    With a number as `save_freq` it saves after so many batches, with `verbose` it says so.  Folders that are not there are
    made.  Raises ValueError without `save_weights_only=True`: the model itself is your program.

    >>> import tempfile, os
    >>> model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    >>> model.compile("sgd", "mse")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     saving = tf.keras.callbacks.ModelCheckpoint(folder + "/{epoch}.weights.h5", save_weights_only=True)
    ...     seen = model.fit(tf.ones([2, 1]), tf.ones([2, 1]), epochs=2, verbose=0, callbacks=[saving])
    ...     sorted(os.listdir(folder))
    ['1.weights.h5', '2.weights.h5']
    """

    def __init__(
        self, filepath: Any, monitor: str = "val_loss", verbose: int = 0, save_best_only: bool = False,
        save_weights_only: bool = False, mode: str = "auto", save_freq: Any = "epoch",
    ) -> None:  # fmt: skip
        super().__init__(monitor, 0.0, mode)
        if not save_weights_only:
            raise value_error(
                "ModelCheckpoint saves weights, and not whole models.",
                "Write ModelCheckpoint(path, save_weights_only=True); the model itself is your program.",
            )
        if save_freq != "epoch" and not isinstance(save_freq, int):
            raise value_error(f"Unrecognized save_freq: {save_freq!r}.", 'Write "epoch", or after how many batches.')
        self.filepath, self.verbose, self.save_best_only = filepath, verbose, save_best_only
        self.save_freq, self.epoch, self.seen = save_freq, 0, 0

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        self.epoch = epoch

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        self.seen += 1
        if self.save_freq != "epoch" and self.seen >= self.save_freq:
            self.seen = 0
            self._save(self.epoch, logs, batch=batch + 1)

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        if self.save_freq == "epoch":
            self._save(epoch, logs)

    def _save(self, epoch: int, logs: Any, **more: int) -> None:
        path, why = str(self.filepath).format(epoch=epoch + 1, **more, **(logs or {})), ""
        if self.save_best_only:
            value = self.measured(logs)
            if value is None:
                return
            before = "None" if self.best is None else f"{self.best:.5f}"
            if not self.better(value, self.best):
                self._say(epoch, f"{self.monitor} did not improve from {before}")
                return
            self.best, why = value, f"{self.monitor} improved from {before} to {value:.5f}, "
        self._say(epoch, f"{why}saving model to {path}")
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        self.model.save_weights(path)
        self._say(epoch, f"finished saving model to {path}")

    def _say(self, epoch: int, what: str) -> None:
        if self.verbose:
            print(f"\nEpoch {epoch + 1}: {what}")
