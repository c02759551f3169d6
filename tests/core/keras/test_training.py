"""Training: optimizers that nobody watches, fit on small problems, what it prints, and what is recorded of it."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import minitape as tf
import viz
from minitape.keras.batches import Batches
from minitape.record.events import listening

layers, optimizers = tf.keras.layers, tf.keras.optimizers


def line():
    """A model of three numbers, and examples of y = 2a - b + 1."""
    model = tf.keras.Sequential([layers.Dense(1, kernel_initializer="zeros")])
    model.build((None, 2))
    x = np.random.RandomState(0).normal(size=(40, 2)).astype("float32")
    return model, x, (2 * x[:, :1] - x[:, 1:] + 1).astype("float32")


def test_no_gradients_provided():
    weight = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = weight * 2.0
    loss = y * y
    with pytest.raises(ValueError, match=r"^No gradients provided for any variable"):
        optimizers.SGD().apply_gradients([(tape.gradient(loss, weight), weight)])
    with pytest.raises(ValueError, match=r"^No gradients provided for any variable"):
        optimizers.SGD().apply_gradients([])


def test_some_gradients_missing():
    each, two = tf.Variable(1.0, name="one"), tf.Variable(1.0, name="two")
    with pytest.warns(UserWarning, match=r"^Gradients do not exist for variables \['two:0'\] when minimizing the loss"):
        optimizers.SGD(1.0).apply_gradients([(tf.constant(3.0), each), (None, two)])
    assert (each.numpy(), two.numpy()) == (-2.0, 1.0)


def momentum():
    return optimizers.SGD(momentum=0.9)


@pytest.mark.parametrize("make", [optimizers.SGD, momentum, optimizers.Adam, optimizers.RMSprop])
def test_an_update_is_watched_by_nobody(make):
    weight = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        make().apply_gradients([(tf.constant([1.0, 1.0]), weight)])
    assert tape.watched_variables() == () and tape.entries == ()
    kinds = []
    with listening(lambda event, tensors: kinds.append(event.kind)):
        make().apply_gradients([(tf.constant([1.0, 1.0]), weight)])
    assert "op" not in kinds and "assign" in kinds


def test_what_an_optimizer_remembers_is_counted():
    optimizer, weight = optimizers.Adam(), tf.Variable(np.zeros(1000, "float32"))
    assert len(optimizer.variables) == 1
    optimizer.apply_gradients([(tf.ones([1000]), weight)])
    assert [each.name for each in optimizer.variables] == ["learning_rate:0", "momentum:0", "velocity:0"]
    assert sum(4 * int(np.prod(each.shape)) for each in optimizer.variables) == 8004


def test_learning_rate_and_iterations():
    optimizer, weight = optimizers.SGD(0.5), tf.Variable(1.0)
    optimizer.learning_rate = 0.25
    assert optimizer.learning_rate.numpy() == 0.25
    optimizer.learning_rate.assign(1.0)
    assert optimizer.apply_gradients([(tf.constant(1.0), weight)]).numpy() == 1
    assert optimizer.iterations.dtype == tf.int64 and weight.numpy() == 0.0


def test_a_constraint_is_kept():
    dense = layers.Dense(1, kernel_constraint=tf.nn.relu, kernel_initializer="zeros")
    dense.build((None, 1))
    optimizers.SGD(1.0).apply_gradients([(tf.constant([[5.0]]), dense.kernel)])
    assert dense.kernel.numpy() == [[0.0]]


@pytest.mark.parametrize("optimizer", ["sgd", "adam", "rmsprop"])
def test_fit_finds_the_line(optimizer: str):
    tf.random.set_seed(1)
    model, x, y = line()
    made = optimizers.get(optimizer)
    made.learning_rate = 0.1
    model.compile(made, "mse", metrics=["mae"])
    history = model.fit(x, y, batch_size=8, epochs=40, verbose=0)
    assert history.history["loss"][-1] < 1e-3 < history.history["loss"][0]
    kernel, bias = model.get_weights()
    assert np.allclose(kernel, [[2.0], [-1.0]], atol=0.05) and np.allclose(bias, [1.0], atol=0.05)
    loss, error = model.evaluate(x, y, verbose=0)
    assert loss < 1e-3 and error < 0.05


def test_fit_separates_two_moons_of_points():
    tf.random.set_seed(2)
    angle = np.random.RandomState(1).uniform(0, np.pi, 60)
    side = np.arange(60) % 2
    turn = 1 - 2 * side
    x = np.stack([np.cos(angle) * turn + side, np.sin(angle) * turn + side / 2], 1).astype("float32")
    model = tf.keras.Sequential([layers.Dense(16, activation="relu"), layers.Dense(2)])
    loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(optimizers.Adam(0.05), loss, metrics=["accuracy"])
    history = model.fit(x, side, batch_size=20, epochs=60, verbose=0)
    assert history.history["accuracy"][-1] > 0.95
    assert (model.predict(x).argmax(1) == side).mean() > 0.95


def test_a_list_of_inputs_and_truths_is_validated_with():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="zeros")])
    model.compile(optimizers.SGD(0.125), "mse")
    x = np.ones([4, 1], "float32")
    assert model.fit(x, x, verbose=0, validation_data=[x, 3.0 * x]).history == {"loss": [1.0], "val_loss": [6.25]}


def test_what_fit_prints(capsys: pytest.CaptureFixture[str]):
    texts = []
    for _ in range(2):
        model, x, y = line()
        model.compile(optimizers.SGD(0.1), "mse", metrics=["mae"])
        model.fit(x, y, batch_size=16, epochs=2, shuffle=False, verbose=2, validation_data=(x, y))
        model.evaluate(x, y, verbose=2)
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1]
    first, *_ = texts[0].splitlines()
    assert first == "Epoch 1/2"
    assert [line.partition(" - ")[0] for line in texts[0].splitlines()[1::2]] == ["3/3", "3/3"]
    said = [part.split(":")[0] for part in texts[0].splitlines()[1].split(" - ")[1:]]
    assert said == ["loss", "mae", "val_loss", "val_mae"]
    model.fit(x, y, verbose=1)
    assert "\r2/2 ━━━━━━━━━━━━━━━━━━━━ 0s - loss: " in capsys.readouterr().out


def test_what_fit_prints_is_what_keras_prints_but_for_the_times(capsys: pytest.CaptureFixture[str]):
    """One epoch has no number; measures come by the alphabet, and what callbacks add after them; where nobody knows how many
    steps there are, they are counted; a loss below 0 has an exponent."""
    model, x, y = line()
    x, y = x[:8], y[:8]
    model.compile(optimizers.SGD(0.0), lambda y, p: -3.0 + 0.0 * tf.reduce_mean(p, -1), metrics=["mae", "accuracy"])
    batches = tf.data.Dataset.from_tensor_slices((x, y)).batch(2).filter(lambda x, y: True)
    rate = tf.keras.callbacks.LearningRateScheduler(lambda epoch: 0.0)
    seen = []
    steps = tf.keras.callbacks.LambdaCallback(on_train_batch_end=lambda batch, logs: seen.append(list(logs)))
    model.fit(batches, verbose=2, callbacks=[rate, steps], validation_data=batches)
    told = capsys.readouterr().out
    names = ["accuracy", "loss", "mae"]
    assert seen == [names] * 4
    assert re.sub(r": \S+", "", told) == (
        "4/4 - accuracy - loss - mae - val_accuracy - val_loss - val_mae - learning_rate\n"
    )
    assert " - loss: -3.0000e+00 - " in told
    assert list(model.evaluate(batches, verbose=2, return_dict=True)) == names
    assert re.sub(r": \S+", "", capsys.readouterr().out) == "4/4 - accuracy - loss - mae\n"
    model.predict(x, batch_size=4, verbose=2)
    assert capsys.readouterr().out == "2/2\n"


def test_the_line_that_moves_ends_with_what_was_validated(capsys: pytest.CaptureFixture[str]):
    model, x, y = line()
    model.compile(optimizers.SGD(0.1), "mse")
    model.fit(x[:8], y[:8], batch_size=4, verbose=1, validation_data=(x[:8], y[:8]))
    *moving, last = capsys.readouterr().out.split("\r")
    assert len(moving) == 3 and "val_loss" not in moving[-1] and " - val_loss: " in last and last.endswith("\n")


def test_an_epoch_of_all_steps_is_followed_by_one_that_begins_anew():
    """With as many steps as batches every second epoch had none."""
    losses = []
    for steps in (None, 3):
        for data in ("arrays", "dataset"):
            model, x, y = line()
            x, y = x[:12], y[:12]
            model.compile(optimizers.SGD(0.1), "mse")
            given = (x, y) if data == "arrays" else (tf.data.Dataset.from_tensor_slices((x, y)).batch(4),)
            size = 4 if data == "arrays" else None
            history = model.fit(*given, batch_size=size, steps_per_epoch=steps, epochs=3, shuffle=False, verbose=0)
            assert int(model.optimizer.iterations) == 9
            losses.append(history.history["loss"])
    assert losses[0] == losses[1] == losses[2] == losses[3]


def test_data_that_ends_too_early_is_said():
    model, x, y = line()
    model.compile(optimizers.SGD(0.1), "mse")
    batches = ((x[i : i + 4], y[i : i + 4]) for i in range(0, 12, 4))
    with pytest.warns(UserWarning, match="Your input ran out of data"):
        history = model.fit(batches, steps_per_epoch=2, epochs=3, verbose=0).history["loss"]
    assert len(history) == 3 and history[1] > 0 and history[2] == 0.0


class Pieces(tf.keras.utils.PyDataset):
    def __init__(self, x: np.ndarray, y: np.ndarray) -> None:
        super().__init__()
        self.x, self.y, self.ended = x, y, 0

    def __len__(self) -> int:
        return len(self.x) // 4

    def __getitem__(self, index: int) -> tuple[np.ndarray, np.ndarray]:
        rows = slice(4 * index, 4 * index + 4)
        return self.x[rows], self.y[rows]

    def on_epoch_end(self) -> None:
        self.ended += 1


def test_batches_of_a_class_of_ones_own_are_those_of_its_arrays():
    histories = []
    for made in (False, True):
        model, x, y = line()
        x, y = x[:16], y[:16]
        model.compile(optimizers.SGD(0.1), "mse")
        given = (Pieces(x, y),) if made else (x, y)
        size = None if made else 4
        history = model.fit(*given, batch_size=size, epochs=2, shuffle=False, verbose=0).history
        measured = model.evaluate(*given, batch_size=size, verbose=0)
        histories.append((history, measured, model.predict(given[0], batch_size=size).tolist()))
        if made:
            assert given[0].ended == 4
    assert histories[0] == histories[1]
    assert tf.keras.utils.Sequence is tf.keras.utils.PyDataset
    with pytest.raises(NotImplementedError, match="PyDataset must have a method __len__"):
        len(tf.keras.utils.PyDataset())
    with pytest.raises(NotImplementedError, match="PyDataset must have a method __getitem__"):
        tf.keras.utils.PyDataset()[0]


def test_batches_of_a_class_of_ones_own_are_shuffled_whole():
    tf.keras.utils.set_random_seed(0)
    x = np.arange(40, dtype="float32").reshape(40, 1)
    orders = [[int(x[0, 0]) for x, _ in Batches(Pieces(x, x), shuffle=True)] for _ in range(2)]
    assert sorted(orders[0]) == sorted(orders[1]) == list(range(0, 40, 4)) and orders[0] != orders[1]


def test_fit_is_recorded_like_any_other_program():
    model, x, y = line()
    model.compile(optimizers.SGD(0.1), "mse")
    with viz.record() as run:
        model.fit(x[:4], y[:4], batch_size=2, shuffle=False, verbose=0)
    ops = [each.op for each in run.stream.records if each.kind == "op"]
    steps = [each.context.iteration for each in ops if each.context.layer]
    assert steps == [0, 0, 1, 1] and {each.context.loop for each in ops} == {"train_step"}
    assert sum(each.kind == "enter" for each in run.stream.records) == 2
    assert "model.fit" in ops[0].site.text


def test_a_training_loop_of_ones_own():
    model, x, y = line()
    loss_object, optimizer = tf.keras.losses.MeanSquaredError(), optimizers.SGD(0.1)
    mean, seen = tf.keras.metrics.Mean("train_loss"), []
    for _ in range(30):
        mean.reset_state()
        with tf.GradientTape() as tape:
            loss = loss_object(y, model(x, training=True))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        mean.update_state(loss)
        seen.append(float(mean.result()))
    assert seen[-1] < 0.01 * seen[0] and int(optimizer.iterations) == 30


def test_a_step_of_ones_own_in_fit():
    class Mine(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable(5.0)

        def call(self, x):
            return self.w * x

        def train_step(self, data):
            x, y = data
            with tf.GradientTape() as tape:
                loss = self.compute_loss(y=y, y_pred=self(x, training=True))
            self.optimizer.apply(tape.gradient(loss, self.trainable_variables), self.trainable_variables)
            return {"distance": abs(self.w - 2.0)}

    model = Mine()
    model.compile(optimizers.SGD(0.1), tf.keras.losses.MeanSquaredError())
    x = np.linspace(-1, 1, 20, dtype="float32")
    history = model.fit(x, 2 * x, epochs=50, batch_size=20, verbose=0)
    assert history.history["distance"][-1] < 0.2 < history.history["distance"][0]


def test_batches_may_come_from_a_generator_and_callbacks_stop():
    model, x, y = line()
    model.compile(optimizers.SGD(0.1), "mse")

    class Stop:
        def set_model(self, model):
            self.model = model

        def on_epoch_end(self, epoch, logs):
            self.model.stop_training = logs["loss"] < 1.0

    history = model.fit([(x[:20], y[:20]), (x[20:], y[20:])], epochs=100, verbose=0, callbacks=[Stop()])
    assert 1 < len(history.epoch) < 100


def test_a_tape_holds_nothing_after_a_step():
    model, x, y = line()
    model.compile(optimizers.SGD(0.1), "mse")
    before = tf.ledger.held_for_backward
    model.fit(x, y, verbose=0)
    assert tf.ledger.held_for_backward == before


def test_a_train_step_of_ones_own_weighs_the_metrics_that_it_updates() -> None:
    """TensorFlow answers 7/3: there the metrics of `compile(metrics=...)` do not hear of the weights."""

    class Weighing(tf.keras.Model):
        def __init__(self) -> None:
            super().__init__()
            self.dense = tf.keras.layers.Dense(1, kernel_initializer="ones")

        def call(self, x: Any) -> Any:
            return self.dense(x)

        def train_step(self, data: Any) -> Any:
            x, y, weights = data
            predicted = self(x, training=True)
            for metric in self.metrics:
                if metric.name != "loss":
                    metric.update_state(y, predicted, sample_weight=weights)
            return {metric.name: metric.result() for metric in self.metrics if metric.name != "loss"}

    model = Weighing()
    model.compile(optimizer="sgd", loss="mse", metrics=["mae"])
    x = np.array([[1.0], [2.0], [4.0]], "float32")
    weights = np.array([1.0, 0.0, 1.0], "float32")
    history = model.fit(x, np.zeros((3, 1), "float32"), sample_weight=weights, batch_size=3, verbose=0)
    assert history.history["mae"] == [2.5]


def test_a_step_for_keras_2_measures_the_loss_and_what_was_asked_for() -> None:
    class Own(tf.keras.Model):
        def train_step(self, data: Any) -> Any:
            x, y = data
            with tf.GradientTape() as tape:
                y_pred = self(x, training=True)
                loss = self.compiled_loss(y, y_pred, regularization_losses=self.losses)
            self.optimizer.apply_gradients(zip(tape.gradient(loss, self.trainable_variables), self.trainable_variables))
            self.compiled_metrics.update_state(y, y_pred)
            return {each.name: each.result() for each in self.metrics}

    x = tf.keras.Input((2,))
    model = Own(x, tf.keras.layers.Dense(1, kernel_initializer="ones")(x))
    model.compile(tf.keras.optimizers.SGD(0.0), "mse", metrics=["mae"])
    history = model.fit(tf.ones([4, 2]), tf.zeros([4, 1]), epochs=1, verbose=0).history
    assert history == {"loss": [4.0], "mae": [2.0]} and list(history) == ["loss", "mae"]


def test_moving_averages_take_the_weights_places_when_fit_ends() -> None:
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, use_bias=False, kernel_initializer="ones")])
    model.compile(tf.keras.optimizers.SGD(0.25, use_ema=True, ema_momentum=0.5), "mse")
    model.fit(tf.ones([2, 1]), tf.zeros([2, 1]), batch_size=1, epochs=1, shuffle=False, verbose=0)
    assert float(model.weights[0][0, 0]) == 0.375  # 0.5 after the first step, 0.25 after the second: half of each
    with pytest.raises(ValueError, match="ema_momentum"):
        tf.keras.optimizers.SGD(use_ema=True, ema_momentum=2.0)
    with pytest.raises(ValueError, match="ema_overwrite_frequency"):
        tf.keras.optimizers.SGD(use_ema=True, ema_overwrite_frequency=-1)
    assert (
        tf.keras.optimizers.SGD(use_ema=True, ema_overwrite_frequency=0).ema_overwrite_frequency == 0
    )  # as None, in Keras too


def test_a_step_of_ones_own_finds_what_compile_was_given() -> None:
    """TensorFlow's lesson on recurrent nets writes `self.loss(labels, predictions)`; Keras's history then says 0.0."""

    class Own(tf.keras.Sequential):
        def train_step(self, data: Any) -> Any:
            x, y = data
            with tf.GradientTape() as tape:
                loss = self.loss(y, self(x, training=True))
            self.optimizer.apply_gradients(zip(tape.gradient(loss, self.trainable_variables), self.trainable_variables))
            return {"loss": loss}

    model = Own([tf.keras.layers.Dense(1, kernel_initializer="ones")])
    assert model.loss is None and not model.compiled and not model.run_eagerly
    model.compile(tf.keras.optimizers.SGD(0.0), tf.keras.losses.MeanSquaredError(), run_eagerly=True)
    assert model.compiled and model.run_eagerly
    assert model.fit(tf.ones([4, 2]), tf.zeros([4, 1]), verbose=0).history == {"loss": [4.0]}
    model.compile("sgd", "mse")
    assert model.loss == "mse"


def test_a_rate_has_the_dtype_that_weights_have() -> None:
    """In a program of float64, 0.01 is 0.01, as in Keras, and not 0.00999999977648."""
    tf.keras.backend.set_floatx("float64")
    try:
        w = tf.Variable(np.ones(1))
        sgd = tf.keras.optimizers.SGD(0.01)
        sgd.apply_gradients([(tf.constant(np.ones(1)), w)])
        assert float(w[0]) == 0.99 and float(sgd.learning_rate) == 0.01
    finally:
        tf.keras.backend.set_floatx("float32")


def test_a_list_of_measures_has_each_once() -> None:
    """Keras's has those that weighted metrics share a name with twice."""
    model = tf.keras.Sequential([tf.keras.Input((1,)), tf.keras.layers.Dense(1, kernel_initializer="ones")])
    model.compile("sgd", "mse", metrics=["mae"], weighted_metrics=["mae"])
    x, y = tf.constant([[1.0], [2.0]]), tf.constant([[2.0], [2.0]])
    assert model.evaluate(x, y, sample_weight=np.array([3.0, 1.0]), verbose=0) == [1.5, 0.5, 0.75]


@pytest.mark.parametrize(("room", "name"), [("metrics", "mean_absolute_error"), ("losses", "hinge")])
def test_a_name_that_means_nothing_lists_those_that_mean_something(room: str, name: str) -> None:
    with pytest.raises(ValueError) as caught:
        getattr(tf.keras, room).get("nonsense")
    assert f" {name}," in str(caught.value) and "function_" not in str(caught.value)
