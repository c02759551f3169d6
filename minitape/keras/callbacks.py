"""`tf.keras.callbacks`: what a training tells on its way."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..errors import refuses
from ..record.refusal import refusal


def _silent(self: Any, *args: Any, **kwargs: Any) -> None:
    """Nothing, unless a subclass says otherwise."""


class Callback:
    """Hears of a training: subclass it and write those of the methods below that you need; `self.model` is the model.

    >>> import minitape as tf
    >>> class Count(tf.keras.callbacks.Callback):
    ...     batches = 0
    ...     def on_train_batch_end(self, batch, logs=None):
    ...         self.batches += 1
    >>> model, count = tf.keras.Sequential([tf.keras.layers.Dense(1)]), Count()
    >>> model.compile("sgd", "mse")
    >>> history = model.fit(tf.ones([4, 1]), tf.ones([4, 1]), batch_size=2, epochs=3, verbose=0, callbacks=[count])
    >>> count.batches
    6
    """

    model: Any = None
    params: Any = None

    def set_model(self, model: Any) -> None:
        """Which model is trained."""
        self.model = model

    def set_params(self, params: dict[str, Any]) -> None:
        """How it is trained: verbose, epochs, steps."""
        self.params = params

    def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Before a step."""
        self.on_batch_begin(batch, logs)

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """After a step; logs are the measures so far."""
        self.on_batch_end(batch, logs)

    on_batch_begin = on_batch_end = on_epoch_begin = on_epoch_end = _silent
    on_train_begin = on_train_end = on_test_begin = on_test_end = on_predict_begin = on_predict_end = _silent
    on_test_batch_begin = on_test_batch_end = on_predict_batch_begin = on_predict_batch_end = _silent


class History(Callback):
    """What `fit` measured: for every name a list with one number per epoch."""

    def __init__(self) -> None:
        self.epoch: list[int] = []
        self.history: dict[str, list[float]] = {}

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Note an epoch."""
        self.epoch.append(epoch)
        for name, value in (logs or {}).items():
            self.history.setdefault(name, []).append(value)

    def __repr__(self) -> str:
        return f"<History of {len(self.epoch)} epochs: {', '.join(self.history)}>"


class LambdaCallback(Callback):
    """Functions of your own, by the names of a callback's methods.

    >>> said = LambdaCallback(on_epoch_end=lambda epoch, logs: print(epoch, logs))
    >>> said.on_epoch_end(0, {"loss": 0.5})
    0 {'loss': 0.5}
    """

    def __init__(self, **functions: Callable[..., Any]) -> None:
        for name, function in functions.items():
            if not hasattr(Callback, name):
                raise refusal(
                    TypeError,
                    f"LambdaCallback got an unexpected name {name!r}.",
                    f"Names are {', '.join(each for each in dir(Callback) if each.startswith('on_'))}.",
                )
            setattr(self, name, function)


class LearningRateScheduler(Callback):
    """Sets the learning rate before each epoch to what a function of the epoch (and of the rate before) says.

    >>> import minitape as tf
    >>> model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    >>> model.compile("sgd", "mse")
    >>> slower = LearningRateScheduler(lambda epoch, rate: rate / 2)
    >>> seen = model.fit(tf.ones([2, 1]), tf.ones([2, 1]), epochs=2, verbose=0, callbacks=[slower])
    >>> [round(rate, 4) for rate in seen.history["learning_rate"]]
    [0.005, 0.0025]
    """

    def __init__(self, schedule: Callable[..., float], verbose: int = 0) -> None:
        self.schedule, self.verbose = schedule, verbose

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Set the rate."""
        optimizer = self.model.optimizer
        takes = len(inspect.signature(self.schedule).parameters)
        rate = self.schedule(epoch, float(optimizer.learning_rate)) if takes > 1 else self.schedule(epoch)
        if not isinstance(rate, float | np.floating):
            raise refusal(
                ValueError,
                f"The output of the `schedule` function should be a float. Got: {rate!r}",
                "Return float(...) from it.",
            )
        optimizer.learning_rate = rate
        if self.verbose:
            print(f"\nEpoch {epoch + 1}: LearningRateScheduler setting learning rate to {rate}.")

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Put the rate into the history."""
        if logs is not None:
            logs["learning_rate"] = float(self.model.optimizer.learning_rate)


class _Monitor(Callback):
    """Watches one number from epoch to epoch."""

    def __init__(self, monitor: str, min_delta: float, mode: str) -> None:
        if mode not in ("auto", "min", "max"):
            raise refusal(
                ValueError, f"mode {mode!r} is unknown", "It is 'min', 'max', or 'auto', which goes by the name."
            )
        self.monitor, self.mode, self.min_delta = monitor, mode, abs(min_delta)
        self.best: float | None = None
        grows = ("acc", "auc", "precision", "recall", "f1", "top_k", "score", "cosine", "positives", "iou", "io_u")
        up = mode == "max" or mode == "auto" and any(each in monitor for each in grows) and "false" not in monitor
        self.sign = -1 if up else 1

    def better(self, value: float, than: float | None) -> bool:
        """Whether a value is better by more than `min_delta`."""
        return than is None or self.sign * value < self.sign * than - self.min_delta

    def measured(self, logs: Any) -> float | None:
        """The number; warns where there is none."""
        value = (logs or {}).get(self.monitor)
        if value is None:
            warnings.warn(
                f"{type(self).__name__} conditioned on metric `{self.monitor}` which is not available. "
                f"Available metrics are: {','.join(logs or {})}",
                stacklevel=3,
            )
        return value


class EarlyStopping(_Monitor):
    """Stops where a number has not become better for `patience` epochs; may put the best weights back.

    Args: monitor, a name of the history; min_delta, what counts as better; mode, "min", "max" or "auto", which goes by the
    name; baseline, what it must be better than; start_from_epoch, what comes before is not looked at.

    >>> import minitape as tf
    >>> model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    >>> model.compile(tf.keras.optimizers.SGD(0.0), "mse")
    >>> stop = EarlyStopping(monitor="loss", patience=2)
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
        """Begin to wait."""
        self.wait = self.stopped_epoch = self.best_epoch = 0
        self.best = self.best_weights = None

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Look at the number."""
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
    """Makes the learning rate smaller where a number has not become better for `patience` epochs."""

    def __init__(
        self, monitor: str = "val_loss", factor: float = 0.1, patience: int = 10, verbose: int = 0, mode: str = "auto",
        min_delta: float = 1e-4, cooldown: int = 0, min_lr: float = 0.0,
    ) -> None:  # fmt: skip
        super().__init__(monitor, min_delta, mode)
        if factor >= 1.0:
            raise refusal(
                ValueError, f"ReduceLROnPlateau does not support a factor >= 1.0. Got {factor}", "0.1 is usual."
            )
        self.factor, self.patience, self.verbose = factor, patience, verbose
        self.cooldown, self.min_lr = cooldown, min_lr
        self.on_train_begin()

    def on_train_begin(self, logs: Any = None) -> None:
        """Begin to wait."""
        self.wait = self.cooling = 0
        self.best = None

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Look at the number."""
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
            if self.wait >= self.patience and rate > self.min_lr:
                optimizer.learning_rate = max(rate * self.factor, self.min_lr)
                self.cooling, self.wait = self.cooldown, 0
                if self.verbose:
                    new = float(optimizer.learning_rate)
                    print(f"\nEpoch {epoch + 1}: ReduceLROnPlateau reducing learning rate to {new}.")


class ModelCheckpoint(_Monitor):
    """Saves the weights after each epoch, or where `monitor` is the best so far; the path may name measures, as in "{epoch}"."""

    def __init__(
        self, filepath: Any, monitor: str = "val_loss", verbose: int = 0, save_best_only: bool = False,
        save_weights_only: bool = False, mode: str = "auto", save_freq: str = "epoch",
    ) -> None:  # fmt: skip
        super().__init__(monitor, 0.0, mode)
        if not save_weights_only or save_freq != "epoch":
            raise refusal(
                ValueError,
                "ModelCheckpoint saves weights, and once per epoch.",
                "Write ModelCheckpoint(path, save_weights_only=True); the model itself is your program.",
            )
        self.filepath, self.verbose, self.save_best_only = filepath, verbose, save_best_only

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Save."""
        if self.save_best_only:
            value = self.measured(logs)
            if value is None or not self.better(value, self.best):
                return
            self.best = value
        self.model.save_weights(str(self.filepath).format(epoch=epoch + 1, **(logs or {})))


class Told:
    """Tells several callbacks; one without a method of that name is left out.

    >>> Told([LambdaCallback(on_epoch_begin=lambda epoch, logs: print(epoch))], None, {})("on_epoch_begin", 3)
    3
    """

    def __init__(self, callbacks: Sequence[Any] | None, model: Any, params: dict[str, Any]) -> None:
        self.callbacks = (
            list(callbacks) if isinstance(callbacks, list | tuple) else [callbacks] * (callbacks is not None)
        )
        for method, argument in (("set_params", params), ("set_model", model)):
            for each in self.callbacks:
                getattr(each, method, _ignored)(argument)

    def __call__(self, what: str, *place: int, logs: Any = None) -> None:
        for each in self.callbacks:
            getattr(each, what, _ignored)(*place, logs)


def _ignored(*args: Any) -> None:
    """What a callback does where it has no method."""


__all__ = [
    "Callback", "EarlyStopping", "History", "LambdaCallback", "LearningRateScheduler", "ModelCheckpoint", "ReduceLROnPlateau",
]  # fmt: skip

__getattr__ = refuses("keras.callbacks", __all__)
