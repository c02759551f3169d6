"""Training: one step, and many of them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .. import nest
from ..ops.joins import concat
from ..record.events import within
from ..record.refusal import described, type_error, value_error
from ..tape import GradientTape
from ..tensor import convert
from . import losses, metrics, optimizers
from .batches import Batches, is_data, split_off, unpack
from .callbacks.base import CallbackList, History
from .compiled import CompiledLoss, CompiledMetrics
from .contents import unique
from .progress import Progress
from .shapes import any_batch


class Trainer:
    """The training of a model: `compile`, `fit` and the steps that `fit` repeats."""

    optimizer: Any = None
    loss: Any = None  # as `compile` was given it
    compiled = False
    run_eagerly = False
    stop_training = False
    losses: Any
    trainable_variables: Any
    _measures: Callable[[], list[metrics.Metric]]
    _measures_inside: Callable[[], list[metrics.Metric]]
    __call__: Callable[..., Any]

    def _not_compiled(self) -> None:
        self._loss: CompiledLoss | None = None
        self._metrics = CompiledMetrics(self, None, None)
        self._mean_loss = metrics.Mean("loss")

    # ---- one step ---------------------------------------------------------------------------------------------------------

    def compile(
        self, optimizer: Any = "rmsprop", loss: Any = None, loss_weights: Any = None, metrics: Any = None,
        weighted_metrics: Any = None, run_eagerly: bool | None = None, steps_per_execution: int | None = None,
        jit_compile: Any = None, auto_scale_loss: bool = True,
    ) -> None:  # fmt: skip
        """Say how to train: with which optimizer, which loss, and which metrics to measure besides.

        Args: names or objects of `tf.keras.optimizers`, `losses` and `metrics`, or functions of (y_true, y_pred); for a model
        with several outputs lists of them, or dicts by the names of the outputs, and `loss_weights`.
        Everything is eager here; `run_eagerly`, `jit_compile` and the like are accepted and change nothing.

        >>> model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="zeros")])
        >>> model.compile(tf.keras.optimizers.SGD(0.125), "mse", metrics=["mae"])
        >>> model.train_on_batch(tf.ones([2, 1]), tf.ones([2, 1]), return_dict=True)
        {'loss': 1.0, 'mae': 1.0}
        """
        if isinstance(loss, optimizers.Optimizer) or isinstance(optimizer, losses.Loss):
            raise value_error(
                f"compile takes the optimizer before the loss, got optimizer={described(optimizer)}, loss={described(loss)}",
                "Write model.compile(optimizer, loss), or say which is which: model.compile(loss=loss, optimizer=optimizer).",
            )
        for weight in nest.flatten(loss_weights):
            if isinstance(weight, str) or callable(weight):
                raise value_error(
                    f"compile: loss_weights are numbers, one for each output, got {described(loss_weights)}",
                    'What is measured goes by its name: model.compile(optimizer, loss, metrics=["accuracy"]).',
                )
        self.optimizer, self.loss = optimizers.get(optimizer), loss
        self.compiled, self.run_eagerly = True, bool(run_eagerly)
        self._loss = None if loss is None else CompiledLoss(self, loss, loss_weights)
        self._metrics = CompiledMetrics(self, metrics, weighted_metrics)

    @property
    def metrics(self) -> list[metrics.Metric]:
        """The mean loss, the metrics given to `compile`, losses of several outputs, and those in attributes and layers inside."""
        means = list(self._loss.means.values()) if self._loss is not None else []
        return unique([self._mean_loss, *self._metrics, *means, *self._measures(), *self._measures_inside()])

    @property
    def metrics_names(self) -> list[str]:
        """The names of `metrics`, in their order."""
        return [metric.name for metric in self.metrics]

    def compute_loss(
        self, x: Any = None, y: Any = None, y_pred: Any = None, sample_weight: Any = None, training: bool = True
    ) -> Any:
        """The compiled loss plus what layers added with `add_loss`, regularization losses included."""
        parts = [] if self._loss is None or y is None else [self._loss(y, y_pred, sample_weight)]
        total, *more = [*parts, *self.losses] or [None]
        if total is None:
            raise value_error(
                "No loss to compute. Provide a `loss` argument in `compile()`.",
                'For example model.compile("sgd", loss="mse").'
                if self._loss is None
                else "There is a loss, and nothing to compare predictions with: give y too, fit(x, y), evaluate(x, y), "
                "validation_data=(x_val, y_val), or a dataset of pairs.",
            )
        for loss in more:
            total = total + loss
        return total

    def compute_metrics(self, x: Any, y: Any, y_pred: Any, sample_weight: Any = None) -> dict[str, Any]:
        """All metrics, updated with this batch; `sample_weight` is for those of `weighted_metrics`."""
        self._metrics.update(y, y_pred, sample_weight)
        return self.get_metrics_result()

    @property
    def compiled_loss(self) -> Callable[..., Any]:
        """The compiled loss, as a `train_step` for Keras 2 calls it: (y, y_pred, sample_weight, regularization_losses)."""

        def compiled_loss(y: Any, y_pred: Any, sample_weight: Any = None, regularization_losses: Any = None) -> Any:
            value = self.compute_loss(None, y, y_pred, sample_weight)
            self._mean_loss.update_state(value, sample_weight=nest.flatten(y)[0].shape[0])
            return value

        return compiled_loss

    @property
    def compiled_metrics(self) -> CompiledMetrics:
        """The compiled metrics, as a `train_step` for Keras 2 uses them: `self.compiled_metrics.update_state(y, y_pred)`."""
        return self._metrics

    def reset_metrics(self) -> None:
        """Start all measures anew."""
        for metric in self.metrics:
            metric.reset_state()

    def get_metrics_result(self) -> dict[str, Any]:
        """All metrics by their names."""
        return {metric.name: metric.result() for metric in self.metrics}

    def train_step(self, data: Any) -> dict[str, Any]:
        """Train on one batch: predict, compute the loss, its gradients, and apply them.  Override it for a step of your own."""
        x, y, sample_weight = unpack(data)
        with GradientTape() as tape:
            y_pred = self(x, training=True)
            loss = self.compute_loss(x, y, y_pred, sample_weight)
        variables = self.trainable_variables
        gradients = tape.gradient(loss, variables)
        self._compiled().apply_gradients(zip(gradients, variables, strict=True))
        self._mean_loss.update_state(loss, sample_weight=nest.flatten(x)[0].shape[0])
        return self.compute_metrics(x, y, y_pred, sample_weight)

    def test_step(self, data: Any) -> dict[str, Any]:
        """Evaluate one batch."""
        x, y, sample_weight = unpack(data)
        y_pred = self(x, training=False)
        loss = self.compute_loss(x, y, y_pred, sample_weight)
        self._mean_loss.update_state(loss, sample_weight=nest.flatten(x)[0].shape[0])
        return self.compute_metrics(x, y, y_pred, sample_weight)

    def predict_step(self, data: Any) -> Any:
        """Predict for one batch."""
        x, _, _ = unpack(data)
        return self(x, training=False)

    def _compiled(self) -> optimizers.Optimizer:
        if self.optimizer is None:
            raise value_error(
                "You must call `compile()` before using the model.", 'For example model.compile("sgd", loss="mse").'
            )
        answer: optimizers.Optimizer = self.optimizer
        return answer

    # ---- many steps -------------------------------------------------------------------------------------------------------

    def fit(
        self, x: Any = None, y: Any = None, batch_size: int | None = None, epochs: int = 1, verbose: int | str = "auto",
        callbacks: Sequence[Any] | None = None, validation_split: float = 0.0, validation_data: Any = None,
        shuffle: bool = True, class_weight: Mapping[int, float] | None = None, sample_weight: Any = None,
        initial_epoch: int = 0, steps_per_epoch: int | None = None, validation_steps: int | None = None,
        validation_batch_size: int | None = None, validation_freq: int = 1,
    ) -> History:  # fmt: skip
        """Train: go through the data `epochs` times in batches, with one `train_step` each.

        Args: x, inputs (or an iterable of batches (x, y)), and y, truths; batch_size, 32 unless given; verbose, 0 for
        silence, 1 for a line that moves, 2 for one line per epoch; callbacks, objects of `tf.keras.callbacks`;
        validation_data, (x, y) to evaluate after each epoch, or validation_split, the share of the data to keep for that;
        shuffle, for another order in each epoch; class_weight, a weight for the examples of each class; sample_weight, one for
        each example.  Raises ValueError when the model was not compiled.

        >>> model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="zeros")])
        >>> model.compile(tf.keras.optimizers.SGD(0.125), "mse", metrics=["mae"])
        >>> x = tf.ones([4, 1])
        >>> seen = model.fit(x, x, batch_size=4, epochs=2, verbose=0, validation_data=(x, 2.0 * x))
        >>> {name: [float(number) for number in numbers] for name, numbers in seen.history.items()}
        {'loss': [1.0, 0.25], 'mae': [1.0, 0.5], 'val_loss': [2.25, 1.5625], 'val_mae': [1.5, 1.25]}
        """
        self._compiled()
        if validation_split and validation_data is None:
            (x, y, sample_weight), validation_data = split_off((x, y, sample_weight), validation_split)
        batches = Batches(x, y, sample_weight, batch_size, shuffle, steps_per_epoch, class_weight)
        others = None
        if validation_data is not None:
            pair = isinstance(validation_data, list | tuple) and is_data(validation_data)
            held = validation_data if pair else (validation_data,)
            others = Batches(*held, **_sized(validation_batch_size or batch_size, validation_steps))
        progress, history = Progress(verbose, epochs, len(batches)), History()
        how = {"verbose": verbose, "epochs": epochs, "steps": len(batches) or None}
        callback_list = CallbackList(callbacks, self, how)
        history.set_params(how)
        history.set_model(self)
        self.history, self.stop_training = history, False
        callback_list("on_train_begin")
        logs: dict[str, float] = {}
        for epoch in range(initial_epoch, epochs):
            progress.start(epoch)
            callback_list("on_epoch_begin", epoch)
            logs = self._run(self.train_step, batches, progress, epoch * len(batches), callback_list, "train")
            if others is not None and (epoch + 1) % validation_freq == 0:
                measured = self._run(self.test_step, others, Progress(0), 0, callback_list, "test")
                logs.update({f"val_{name}": value for name, value in measured.items()})
            measures = dict(logs)  # callbacks may add to them
            callback_list("on_epoch_end", epoch, logs=measures)
            progress.end(measures)
            history.on_epoch_end(epoch, measures)
            if self.stop_training:
                break
        if hasattr(self.optimizer, "finalize_variable_values"):
            self.optimizer.finalize_variable_values(self.trainable_variables)
        callback_list("on_train_end", logs=logs)
        return history

    def evaluate(
        self, x: Any = None, y: Any = None, batch_size: int | None = None, verbose: int | str = "auto",
        sample_weight: Any = None, steps: int | None = None, callbacks: Sequence[Any] | None = None, return_dict: bool = False,
    ) -> Any:  # fmt: skip
        """The loss over all batches, or with metrics a list (with `return_dict` a dict) of all measures.

        Raises ValueError when the model was not compiled.

        >>> model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="zeros")])
        >>> model.compile(tf.keras.optimizers.SGD(0.125), "mse", metrics=["mae"])
        >>> model.evaluate(tf.ones([4, 1]), tf.ones([4, 1]), verbose=0, return_dict=True)
        {'loss': 1.0, 'mae': 1.0}
        """
        self._compiled()
        batches = Batches(x, y, sample_weight, **_sized(batch_size, steps))
        progress = Progress(verbose, steps=len(batches))
        progress.start(0)
        logs = self._run(self.test_step, batches, progress, 0, CallbackList(callbacks, self, {}), "test")
        progress.end(logs)
        return self._listed(logs, return_dict)

    def _run(
        self, step: Any, batches: Batches, progress: Progress, before: int, callback_list: CallbackList, what: str
    ) -> dict[str, float]:
        """Run a step on every batch; each op inside is recorded with the number of its step."""
        self.reset_metrics()
        _takes_a_batch(step)
        logs: dict[str, float] = {}
        if what == "test":
            callback_list("on_test_begin")
        for number, batch in enumerate(batches):
            callback_list(f"on_{what}_batch_begin", number)
            with within(loop=step.__name__, iteration=before + number), any_batch():
                logs = _numbers(step(batch))
            callback_list(f"on_{what}_batch_end", number, logs=logs)
            progress.step(number + 1, logs)
            if what == "train" and self.stop_training:
                break
        if not logs:  # the data was at its end
            logs = _numbers(self.get_metrics_result())
        if what == "test":
            callback_list("on_test_end", logs=logs)
        return logs

    def predict(
        self, x: Any, batch_size: int | None = None, verbose: int | str = 0, steps: int | None = None,
        callbacks: Sequence[Any] | None = None,
    ) -> Any:  # fmt: skip
        """The outputs for these inputs: an array, or arrays in the structure of the outputs.

        >>> model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones")])
        >>> model.predict(tf.constant([[1.0, 2.0], [3.0, 4.0]]))
        array([[3.],
               [7.]], dtype=float32)
        """
        callback_list, answers = CallbackList(callbacks, self, {}), []
        batches = Batches(x, **_sized(batch_size, steps))
        progress = Progress(verbose, steps=len(batches))
        callback_list("on_predict_begin")
        progress.start(0)
        for number, batch in enumerate(batches):
            callback_list("on_predict_batch_begin", number)
            answers.append(self.predict_step(batch))
            callback_list("on_predict_batch_end", number, logs={"outputs": answers[-1]})
            progress.step(number + 1, {})
        callback_list("on_predict_end")
        progress.end({})
        return nest.map_structure(lambda *parts: (concat(parts, 0) if len(parts) > 1 else parts[0]).numpy(), *answers)

    def train_on_batch(
        self, x: Any, y: Any = None, sample_weight: Any = None, class_weight: Any = None, return_dict: bool = False
    ) -> Any:
        """One training step on one batch; returns the loss, or with metrics a list (or a dict) of all measures."""
        self._compiled()
        return self._on_batch(self.train_step, x, y, sample_weight, class_weight, return_dict)

    def test_on_batch(self, x: Any, y: Any = None, sample_weight: Any = None, return_dict: bool = False) -> Any:
        """Evaluate one batch."""
        return self._on_batch(self.test_step, x, y, sample_weight, None, return_dict)

    def predict_on_batch(self, x: Any) -> Any:
        """The outputs for one batch, as an array."""
        return nest.map_structure(lambda tensor: tensor.numpy(), self.predict_step((convert(x),)))

    def _on_batch(self, step: Any, x: Any, y: Any, sample_weight: Any, class_weight: Any, return_dict: bool) -> Any:
        self.reset_metrics()
        batches = Batches(x, y, sample_weight, class_weight=class_weight)
        batches.size = batches.count
        return self._listed(_numbers(step(next(iter(batches)))), return_dict)

    def _listed(self, logs: dict[str, Any], return_dict: bool) -> Any:
        """Measures by name, or a list in the order of the metrics; those of several outputs go by the alphabet."""
        if return_dict:
            return dict(sorted(logs.items()))
        first = [
            metric.name for metric in self.metrics if not (self._metrics.several and metric in list(self._metrics))
        ]
        names = dict.fromkeys([*(name for name in first if name in logs), *sorted(logs)])
        values = [logs[name] for name in names]
        return values if len(values) > 1 else values[0]


def _sized(size: int | None, steps: int | None) -> dict[str, Any]:
    return {"size": size, "steps": steps, "anew": True}


def _takes_a_batch(step: Any) -> None:
    """Raise TypeError where a step of the learner's own cannot be called with one batch."""
    try:
        inspect.signature(step).bind(None)
    except TypeError:
        takes = ", ".join(inspect.signature(step).parameters) or "nothing"
        raise type_error(
            f"{step.__qualname__} is called with one batch, and takes {takes}",
            f"Write def {step.__name__}(self, data): x, y = data",
        ) from None


def _numbers(logs: Mapping[str, Any]) -> dict[str, Any]:
    """Measures as plain numbers, by the alphabet as Keras tells them; a metric with several contributes each by its name."""
    if not isinstance(logs, Mapping):
        raise type_error(
            f"a step of a model gives back its measures by name, a dict, got {described(logs)}",
            'End it with return {"loss": loss}, or {metric.name: metric.result() for metric in self.metrics}.',
        )
    plain: dict[str, Any] = {}
    for name, value in sorted(logs.items()):
        if isinstance(value, Mapping):
            plain.update(_numbers(value))
        else:
            array = value.numpy() if hasattr(value, "numpy") else value
            plain[name] = float(array) if getattr(array, "ndim", 0) == 0 else array
    return plain
