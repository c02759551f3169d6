"""Model: a layer that can be trained."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..ops.joins import concat
from ..record.events import within
from ..record.refusal import refusal
from ..tape import GradientTape
from ..tensor import convert
from . import losses, metrics, optimizers
from .batches import Batches, unpack
from .layer import Layer
from .progress import Progress
from .shapes import any_batch
from .summary import summary


class History:
    """What `fit` measured: for every name a list with one number per epoch."""

    def __init__(self) -> None:
        self.epoch: list[int] = []
        self.history: dict[str, list[float]] = {}

    def __repr__(self) -> str:
        return f"<History of {len(self.epoch)} epochs: {', '.join(self.history)}>"

    def add(self, epoch: int, logs: dict[str, float]) -> None:
        """Note an epoch."""
        self.epoch.append(epoch)
        for name, value in logs.items():
            self.history.setdefault(name, []).append(value)


class Model(Layer):
    """A layer of layers, with a training loop: subclass it, make the layers in `__init__`, and write `call`.

    Or call layers on `tf.keras.Input(shape)`: `Model(inputs, outputs)` is all that lies between.

    >>> import minitape as tf
    >>> class Line(tf.keras.Model):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.dense = tf.keras.layers.Dense(1, kernel_initializer="zeros")
    ...     def call(self, x):
    ...         return self.dense(x)
    >>> line = Line()
    >>> line.compile(optimizer=tf.keras.optimizers.SGD(0.1), loss="mse")
    >>> x = tf.constant([[0.0], [1.0]])
    >>> seen = line.fit(x, 2 * x + 1, epochs=100, verbose=0)
    >>> float(line.predict([[2.0]])[0, 0]) > 4.5
    True
    """

    optimizer: optimizers.Optimizer | None = None
    stop_training = False

    _functional: Any = None  # the class of Model(inputs, outputs); functional.py puts it here

    def __new__(cls, *args: Any, **options: Any) -> Any:
        return super().__new__(cls._functional if cls is Model and (args or "inputs" in options) else cls)

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._loss: losses.Loss | None = None
        self._wanted: list[Any] = []
        self._metrics: list[metrics.Metric] | None = None
        self._mean_loss = metrics.Mean("loss")

    # ---- what it consists of ---------------------------------------------------------------------------------------------

    @property
    def layers(self) -> list[Layer]:
        """The layers that it consists of."""
        return self._sublayers()

    def get_layer(self, name: str | None = None, index: int | None = None) -> Layer:
        """The layer of this name or number; raises ValueError where there is none."""
        layers = self.layers
        if index is not None:
            return layers[index]
        for layer in layers:
            if layer.name == name:
                return layer
        raise refusal(
            ValueError,
            f"No such layer: {name}. Existing layers are: {[layer.name for layer in layers]}.",
            "model.summary() shows them.",
        )

    def build(self, input_shape: Any) -> None:
        """Make the weights of all layers, by a call on zeros that nobody sees."""
        self.built = True
        self._shapes = tuple(input_shape), self.compute_output_shape(input_shape)

    def _first_call(self, inputs: Any) -> None:
        if type(self).build is Model.build:  # the layers are built as the call comes to them
            self.built = True
        else:
            super()._first_call(inputs)

    def summary(self) -> None:
        """Print the layers, the shapes of their outputs, and how many numbers they hold."""
        print(summary(self))

    # ---- one step ---------------------------------------------------------------------------------------------------------

    def compile(
        self,
        optimizer: Any = "rmsprop",
        loss: Any = None,
        metrics: Sequence[Any] | None = None,
        run_eagerly: bool | None = None,
        jit_compile: Any = None,
    ) -> None:
        """Say how to train: by which optimizer, to make what small, and what to measure besides.

        Args: names or objects of `tf.keras.optimizers`, `losses` and `metrics`, or functions of (y_true, y_pred).
        Everything is eager here; `run_eagerly` and `jit_compile` are accepted.
        """
        self.optimizer = optimizers.get(optimizer)
        self._loss = losses.get(loss)
        self._wanted, self._metrics = list(metrics or ()), None

    @property
    def metrics(self) -> list[metrics.Metric]:
        """The mean loss, and what `compile` asked for, once a batch was seen."""
        return [self._mean_loss, *(self._metrics or ())]

    def compute_loss(self, x: Any = None, y: Any = None, y_pred: Any = None, sample_weight: Any = None) -> Any:
        """The compiled loss, and whatever layers added with `add_loss`."""
        parts = [] if self._loss is None or y is None else [self._loss(y, y_pred, sample_weight)]
        total, *more = [*parts, *self.losses] or [None]
        if total is None:
            raise refusal(
                ValueError,
                "No loss to compute. Provide a `loss` argument in `compile()`.",
                'For example model.compile("sgd", loss="mse").',
            )
        for one in more:
            total = total + one
        return total

    def compute_metrics(self, x: Any, y: Any, y_pred: Any, sample_weight: Any = None) -> dict[str, Any]:
        """All metrics, with this batch taken into account."""
        if self._metrics is None:
            self._metrics = [
                metrics.accuracy_for(y, y_pred) if one in ("accuracy", "acc") else metrics.get(one)
                for one in self._wanted
            ]
        for one in self._metrics:
            one.update_state(y, y_pred, sample_weight)
        return self.get_metrics_result()

    def reset_metrics(self) -> None:
        """Start all measures anew."""
        for one in self.metrics:
            one.reset_state()

    def get_metrics_result(self) -> dict[str, Any]:
        """All metrics by their names."""
        return {one.name: one.result() for one in self.metrics}

    def train_step(self, data: Any) -> dict[str, Any]:
        """One batch: predict, compare, ask the tape, change the weights.  Override it for a step of your own."""
        x, y, sample_weight = unpack(data)
        with GradientTape() as tape:
            y_pred = self(x, training=True)
            loss = self.compute_loss(x, y, y_pred, sample_weight)
        variables = self.trainable_variables
        gradients = tape.gradient(loss, variables)
        self._compiled().apply_gradients(zip(gradients, variables, strict=True))
        self._mean_loss.update_state(loss, sample_weight=x.shape[0])
        return self.compute_metrics(x, y, y_pred, sample_weight)

    def test_step(self, data: Any) -> dict[str, Any]:
        """One batch without learning."""
        x, y, sample_weight = unpack(data)
        y_pred = self(x, training=False)
        self._mean_loss.update_state(self.compute_loss(x, y, y_pred, sample_weight), sample_weight=x.shape[0])
        return self.compute_metrics(x, y, y_pred, sample_weight)

    def predict_step(self, data: Any) -> Any:
        """One batch without truths."""
        return self(unpack(data)[0], training=False)

    def _compiled(self) -> optimizers.Optimizer:
        if self.optimizer is None:
            raise refusal(
                ValueError,
                "You must call `compile()` before using the model.",
                'For example model.compile("sgd", loss="mse").',
            )
        return self.optimizer

    # ---- many steps -------------------------------------------------------------------------------------------------------

    def fit(
        self,
        x: Any = None,
        y: Any = None,
        batch_size: int | None = None,
        epochs: int = 1,
        verbose: int | str = "auto",
        callbacks: Sequence[Any] | None = None,
        validation_data: Any = None,
        shuffle: bool = True,
        sample_weight: Any = None,
        initial_epoch: int = 0,
    ) -> History:
        """Train: `epochs` times through the data in batches, one `train_step` each.

        Args: x, inputs (or an iterable of batches (x, y)), and y, truths; batch_size, 32 unless given; verbose, 0 for
        silence, 1 for a line that moves, 2 for one line per epoch; callbacks, objects with `on_epoch_end(epoch, logs)`;
        validation_data, (x, y) to evaluate after each epoch; shuffle, in another order each epoch.
        Raises ValueError when the model was not compiled.
        """
        self._compiled()
        history = History()
        batches = Batches(x, y, sample_weight, batch_size, shuffle)
        progress = Progress(verbose, epochs, len(batches))
        for one in callbacks or ():
            if hasattr(one, "set_model"):
                one.set_model(self)
        self.stop_training = False
        for epoch in range(initial_epoch, epochs):
            progress.start(epoch)
            logs = self._run(self.train_step, batches, progress, epoch * len(batches))
            if validation_data is not None:
                others = Batches(*unpack(validation_data), batch_size, shuffle=False)
                measured = self._run(self.test_step, others, Progress(0))
                logs.update({f"val_{name}": value for name, value in measured.items()})
            progress.end(logs)
            history.add(epoch, logs)
            for one in callbacks or ():
                one.on_epoch_end(epoch, logs)
            if self.stop_training:
                break
        return history

    def evaluate(
        self,
        x: Any = None,
        y: Any = None,
        batch_size: int | None = None,
        verbose: int | str = "auto",
        sample_weight: Any = None,
        return_dict: bool = False,
    ) -> Any:
        """Measure without learning: the loss, or with metrics a list (or a dict) of all."""
        self._compiled()
        batches = Batches(x, y, sample_weight, batch_size, shuffle=False)
        progress = Progress(verbose, steps=len(batches))
        progress.start(0)
        logs = self._run(self.test_step, batches, progress)
        progress.end(logs)
        if return_dict:
            return logs
        return list(logs.values()) if len(logs) > 1 else logs["loss"]

    def _run(self, step: Any, batches: Batches, progress: Progress, before: int = 0) -> dict[str, float]:
        """Every batch once; every op inside knows the number of its step."""
        self.reset_metrics()
        logs: dict[str, float] = {}
        for number, batch in enumerate(batches):
            with within(loop=step.__name__, iteration=before + number), any_batch():
                logs = {name: float(value) for name, value in step(batch).items()}
            progress.step(number + 1, logs)
        return logs

    def predict(self, x: Any, batch_size: int | None = None, verbose: int | str = 0) -> np.ndarray:
        """The outputs for these inputs, as an array."""
        answers = [self.predict_step(batch) for batch in Batches(x, None, None, batch_size, shuffle=False)]
        return (concat(answers, 0) if len(answers) > 1 else answers[0]).numpy()

    def train_on_batch(self, x: Any, y: Any = None, sample_weight: Any = None, return_dict: bool = False) -> Any:
        """One step on one batch; returns the loss, or with metrics a list (or a dict) of all."""
        self._compiled()
        return self._on_batch(self.train_step, x, y, sample_weight, return_dict)

    def test_on_batch(self, x: Any, y: Any = None, sample_weight: Any = None, return_dict: bool = False) -> Any:
        """Measure one batch without learning."""
        return self._on_batch(self.test_step, x, y, sample_weight, return_dict)

    def predict_on_batch(self, x: Any) -> np.ndarray:
        """The outputs for one batch, as an array."""
        return self.predict_step((convert(x),)).numpy()

    def _on_batch(self, step: Any, x: Any, y: Any, sample_weight: Any, return_dict: bool) -> Any:
        self.reset_metrics()
        given = [x] if y is None else [x, y] if sample_weight is None else [x, y, sample_weight]
        logs = {name: float(value) for name, value in step(tuple(convert(one) for one in given)).items()}
        return logs if return_dict else list(logs.values()) if len(logs) > 1 else logs["loss"]
