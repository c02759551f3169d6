"""The callbacks that `fit` calls, and the list that calls them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np

from ...record.refusal import described, refusal, type_error, value_error


def _silent(self: Any, *args: Any, **kwargs: Any) -> None:
    """Nothing, unless a subclass says otherwise."""


class Callback:
    """Called by `fit` while it trains: subclass it and write those methods that you need; `self.model` is the model.

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
        """Note which model is trained."""
        self.model = model

    def set_params(self, params: dict[str, Any]) -> None:
        """Note how it is trained: verbose, epochs, steps."""
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
    """What `fit` measured: for every name a list with one number per epoch.

    >>> model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="zeros")])
    >>> model.compile(tf.keras.optimizers.SGD(0.125), "mse")
    >>> seen = model.fit(tf.ones([1, 1]), tf.ones([1, 1]), epochs=3, verbose=0)
    >>> seen.epoch, seen.history
    ([0, 1, 2], {'loss': [1.0, 0.25, 0.0625]})
    """

    def __init__(self) -> None:
        self.epoch: list[int] = []
        self.history: dict[str, list[float]] = {}

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        self.epoch.append(epoch)
        for name, value in (logs or {}).items():
            self.history.setdefault(name, []).append(value)

    def __getitem__(self, name: str) -> NoReturn:
        raise type_error("'History' object is not subscriptable", f"It has a dict: history.history[{name!r}].")

    def __repr__(self) -> str:
        return f"<History of {len(self.epoch)} epochs: {', '.join(self.history)}>"


class LambdaCallback(Callback):
    """Functions of your own, by the names of a callback's methods.

    Raises TypeError for another name.

    >>> printing = tf.keras.callbacks.LambdaCallback(on_epoch_end=lambda epoch, logs: print(epoch, logs))
    >>> printing.on_epoch_end(0, {"loss": 0.5})
    0 {'loss': 0.5}
    """

    def __init__(self, **functions: Callable[..., Any]) -> None:
        for name, function in functions.items():
            if not hasattr(Callback, name):
                raise type_error(
                    f"LambdaCallback got an unexpected name {name!r}.",
                    f"Names are {', '.join(name for name in dir(Callback) if name.startswith('on_'))}.",
                )
            setattr(self, name, function)


class LearningRateScheduler(Callback):
    """Sets the learning rate before each epoch to what a function of the epoch (and of the rate before) says.

    Raises ValueError where it says anything else than a number.

    >>> model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    >>> model.compile("sgd", "mse")
    >>> slower = tf.keras.callbacks.LearningRateScheduler(lambda epoch, rate: rate / 2)
    >>> seen = model.fit(tf.ones([2, 1]), tf.ones([2, 1]), epochs=2, verbose=0, callbacks=[slower])
    >>> [round(rate, 4) for rate in seen.history["learning_rate"]]
    [0.005, 0.0025]
    """

    def __init__(self, schedule: Callable[..., float], verbose: int = 0) -> None:
        self.schedule, self.verbose = schedule, verbose

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        optimizer = self.model.optimizer
        takes = len(inspect.signature(self.schedule).parameters)
        rate = self.schedule(epoch, float(optimizer.learning_rate)) if takes > 1 else self.schedule(epoch)
        if not isinstance(rate, float | np.floating):
            raise value_error(
                f"The output of the `schedule` function should be a float. Got: {rate!r}", "Return float(...) from it."
            )
        optimizer.learning_rate = rate
        if self.verbose:
            print(f"\nEpoch {epoch + 1}: LearningRateScheduler setting learning rate to {rate}.")

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Put the rate into the history."""
        if logs is not None:
            logs["learning_rate"] = float(self.model.optimizer.learning_rate)


class TerminateOnNaN(Callback):
    """Stops training where the loss is infinite or not a number.

    With `raise_error` it raises RuntimeError instead.

    >>> model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    >>> model.compile("sgd", "mse")
    >>> x = tf.constant([[float("nan")]])
    >>> seen = model.fit(x, x, epochs=5, verbose=0, callbacks=[tf.keras.callbacks.TerminateOnNaN()])
    Batch 0: Invalid loss, terminating training
    >>> len(seen.epoch)
    1
    """

    def __init__(self, raise_error: bool = False) -> None:
        self.raise_error = raise_error

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        loss = (logs or {}).get("loss")
        if loss is None or np.isfinite(loss):
            return
        if self.raise_error:
            raise refusal(
                RuntimeError,
                f"NaN or Inf loss encountered at batch {batch}. Loss value: {loss}. Terminating training immediately.",
                "viz.record() shows where the first of them is made.",
            )
        print(f"Batch {batch}: Invalid loss, terminating training")
        self.model.stop_training = True


class CallbackList:
    """Calls a method of several callbacks, of those that have it.

    >>> CallbackList([LambdaCallback(on_epoch_begin=lambda epoch, logs: print(epoch))], None, {})("on_epoch_begin", 3)
    3
    """

    def __init__(self, callbacks: Sequence[Any] | None, model: Any, params: dict[str, Any]) -> None:
        self.callbacks = (
            list(callbacks) if isinstance(callbacks, list | tuple) else [callbacks] * (callbacks is not None)
        )
        for callback in self.callbacks:
            _must_be_called(callback)
        for method, argument in (("set_params", params), ("set_model", model)):
            for callback in self.callbacks:
                getattr(callback, method, _ignored)(argument)

    def __call__(self, what: str, *number: int, logs: Any = None) -> None:
        for callback in self.callbacks:
            getattr(callback, what, _ignored)(*number, {} if logs is None else logs)


# What a method is called with, before the logs.
_NUMBERS = {"epoch": ["on_epoch"], "batch": ["on_batch", "on_train_batch", "on_test_batch", "on_predict_batch"]}
_METHODS = {f"{name}_{end}": number for number, names in _NUMBERS.items() for name in names for end in ("begin", "end")}
_METHODS |= dict.fromkeys([f"on_{name}_{end}" for name in ("train", "test", "predict") for end in ("begin", "end")], "")


def _must_be_called(callback: Any) -> None:
    """Refuse a class in the place of an object, and methods that cannot be called as `fit` does."""
    if isinstance(callback, type):
        raise type_error(
            f"callbacks are objects, and {callback.__name__} is a class",
            f"Make one of it: callbacks=[{callback.__name__}()].",
        )
    if not any(hasattr(callback, name) for name in (*_METHODS, "set_model")):
        raise type_error(
            f"a callback has methods such as on_epoch_end, and {described(callback)} has none",
            "A function becomes one: tf.keras.callbacks.LambdaCallback(on_epoch_end=lambda epoch, logs: ...).",
        )
    for name, number in _METHODS.items():
        method = getattr(callback, name, None)
        if inspect.ismethod(method) and method.__func__ not in vars(Callback).values():
            try:
                inspect.signature(method).bind(*[number] * bool(number), {})
            except TypeError:
                called = f"{number}, logs" if number else "logs"
                raise type_error(
                    f"{type(callback).__name__}.{name}{inspect.signature(method)} cannot be called with ({called}), as fit does",
                    f"Write def {name}(self, {f'{number}, ' * bool(number)}logs=None): ...",
                ) from None


def _ignored(*args: Any) -> None:
    """What a callback does where it has no method."""
