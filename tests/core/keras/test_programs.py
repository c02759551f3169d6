"""What programs ask of training: steps of one's own, optimizers that know their weights, callbacks, data, and what is refused."""

from __future__ import annotations

import re

import numpy as np
import pytest

import minitape as tf
from tests.core.keras.programs import numbers
from tests.support import python, said

keras = tf.keras
layers, losses, metrics, optimizers = keras.layers, keras.losses, keras.metrics, keras.optimizers


def line():
    model = keras.Sequential([keras.Input((2,)), layers.Dense(1, kernel_initializer="zeros")])
    x = numbers(8, 2)
    return model, x, x @ np.array([[2.0], [-1.0]], "float32")


def test_keras_loads_on_first_use():
    show = "import sys, minitape as tf; print('minitape.keras' in sys.modules); tf.keras.layers; print('minitape.keras' in sys.modules)"
    assert python("-c", show).stdout.split() == ["False", "True"]
    assert (
        tf.losses is losses
        and tf.metrics is metrics
        and tf.optimizers is optimizers
        and tf.initializers is keras.initializers
    )


def test_a_step_of_ones_own_sees_all_metrics():
    class Own(keras.Model):
        def __init__(self):
            super().__init__()
            self.dense = layers.Dense(1, kernel_initializer="zeros")
            self.seen = metrics.Sum(name="seen")

        def call(self, x):
            return self.dense(x)

        def train_step(self, data):
            x, y = data
            with tf.GradientTape() as tape:
                y_pred = self(x, training=True)
                loss = self.compute_loss(y=y, y_pred=y_pred)
            gradients = tape.gradient(loss, self.trainable_variables)
            self.optimizer.apply(gradients, self.trainable_variables)
            for metric in self.metrics:
                if metric.name in ("loss", "seen"):
                    metric.update_state(loss)
                else:
                    metric.update_state(y, y_pred)
            return {metric.name: metric.result() for metric in self.metrics}

    _, x, y = line()
    model = Own()
    model.compile("sgd", "mse", metrics=["mae", "accuracy"])
    history = model.fit(x, y, epochs=2, batch_size=4, verbose=0).history
    assert list(history) == ["accuracy", "loss", "mae", "seen"] and len(history["mae"]) == 2
    assert history["seen"][1] == pytest.approx(2 * history["loss"][1]), (
        "measures of a model's own begin anew each epoch"
    )


def test_an_optimizer_knows_its_weights():
    a, b = tf.Variable(1.0, name="a"), tf.Variable(2.0, name="b")
    optimizer = optimizers.Adam(0.1)
    optimizer.apply_gradients([(tf.constant(1.0), a)])
    with pytest.raises(ValueError, match=r"Unknown variable: b:0\. This optimizer can only be called for .*a:0"):
        optimizer.apply_gradients([(tf.constant(1.0), b)])
    other = optimizers.Adam(0.1)
    other.build([a, b])
    other.apply_gradients([(tf.constant(1.0), b)])
    with pytest.warns(UserWarning, match="do not exist for variables"):
        other.apply([None, tf.constant(1.0)])
    assert b.numpy() < 2.0 and int(other.iterations) == 2


def test_slices_are_squared_one_by_one_and_the_table_holds_plain_arrays():
    """As in Keras; a row that was picked once has the plain square."""
    found = []
    for rows, share in (([1, 1], 1.0), ([1], 2.0)):
        table = tf.Variable(numbers(3, 2))
        with tf.GradientTape() as tape:
            loss = share * tf.reduce_sum(tf.gather(table, rows))
        optimizer = optimizers.Adam(0.1)
        optimizer.apply_gradients([(tape.gradient(loss, table), table)])
        found.append(optimizer.variables[2].numpy()[1])
        assert all(type(each.array_now) is np.ndarray for each in (table, *optimizer.variables))
    assert found[0] == pytest.approx(0.001 * 2.0) and found[1] == pytest.approx(0.001 * 4.0)


def test_adafactor_squares_slices_one_by_one():
    """The numbers are Keras's own."""
    table, adafactor = tf.Variable(np.arange(12.0, dtype="float32").reshape(4, 3)), optimizers.Adafactor(0.1)
    for _ in range(3):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.gather(table, [1, 1, 3]) * [[1.0, -2.0, 3.0], [4.0, 5.0, -7.0], [0.5, 2.0, 1.0]])
        adafactor.apply_gradients([(tape.gradient(loss, table), table)])
    np.testing.assert_allclose(table[1::2], [[0.683, 2.995, 6.002], [7.969, 7.018, 9.885]], atol=1e-3)


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        *[("Ftrl", {name: -1.0}) for name in ("initial_accumulator_value", "l1_regularization_strength", "l2_regularization_strength",
                                              "l2_shrinkage_regularization_strength")],
        ("Ftrl", {"learning_rate_power": 0.5}), ("Lion", {"beta_1": 0.0}), ("Lion", {"beta_1": 1.5}),
        ("AdamW", {"weight_decay": None}), ("SGD", {"momentum": "a"}), ("SGD", {"momentum": 1.5}),
    ],
)  # fmt: skip
def test_optimizers_refuse_what_keras_refuses(kind, options):
    with pytest.raises(ValueError, match=next(iter(options))):
        getattr(optimizers, kind)(**options)


def test_a_rate_may_be_a_schedule_or_a_function():
    halves = optimizers.schedules.ExponentialDecay(0.5, 1, 0.5)
    weight, optimizer = tf.Variable(1.0), optimizers.SGD(halves)
    for _ in range(2):
        optimizer.apply_gradients([(tf.constant(1.0), weight)])
    assert weight.numpy() == 0.25 and float(optimizer.learning_rate) == 0.125 and optimizer.variables == []
    with pytest.raises(TypeError, match="not settable"):
        optimizer.learning_rate = 0.1
    optimizer.learning_rate = lambda: 0.25
    optimizer.apply_gradients([(tf.constant(1.0), weight)])
    assert weight.numpy() == 0.0


def test_names_in_a_list_are_left_without_decay():
    kernel, bias = tf.Variable([1.0], name="kernel"), tf.Variable([1.0], name="bias")
    optimizer = optimizers.AdamW(0.5, weight_decay=0.5)
    optimizer.exclude_from_weight_decay(var_names=["bias"])
    zero = tf.zeros([1])
    optimizer.apply_gradients([(zero, kernel), (zero, bias)])
    assert kernel.numpy() == 0.75 and bias.numpy() == 1.0


def test_callbacks_hear_of_everything():
    heard = []
    names = [name for name in dir(keras.callbacks.Callback) if name.startswith("on_") and name[3:8] != "batch"]
    functions = {name: (lambda *args, name=name, **kwargs: heard.append(name)) for name in names}
    model, x, y = line()
    model.compile("sgd", "mse")
    model.fit(
        x, y, batch_size=4, validation_data=(x, y), verbose=0, callbacks=[keras.callbacks.LambdaCallback(**functions)]
    )
    model.predict(x, callbacks=[keras.callbacks.LambdaCallback(**functions)])
    batch, tested = ["on_train_batch_begin", "on_train_batch_end"], ["on_test_batch_begin", "on_test_batch_end"]
    assert heard == [
        "on_train_begin", "on_epoch_begin", *batch, *batch, "on_test_begin", *tested, *tested, "on_test_end",
        "on_epoch_end", "on_train_end", "on_predict_begin", "on_predict_batch_begin", "on_predict_batch_end",
        "on_predict_end",
    ]  # fmt: skip


def test_what_callbacks_are_told_and_what_a_history_knows():
    told = {}

    class Told(keras.callbacks.Callback):
        def on_epoch_begin(self, epoch, logs=None):
            told["begin"] = logs

        def on_train_end(self, logs=None):
            told["end"] = sorted(logs)

    model, x, y = line()
    model.compile("sgd", "mse", metrics=["mae"])
    slower = keras.callbacks.LearningRateScheduler(lambda epoch, rate: rate / 2)
    history = model.fit(x, y, epochs=2, batch_size=4, verbose=0, callbacks=[slower, Told()])
    # What one callback adds to an epoch's measures stands in the history, and is no measure of the training.
    assert told == {"begin": {}, "end": ["loss", "mae"]} and "learning_rate" in history.history
    assert history.params == {"verbose": 0, "epochs": 2, "steps": 2} and history.model is model
    model.compile("sgd", "mse", metrics=["mae", "mape"])
    measures = model.evaluate(x, y, verbose=0, return_dict=True)
    assert list(measures) == sorted(measures) and next(iter(measures)) == "loss"
    model.compile("sgd", "mse", metrics=["accuracy"])
    assert list(model.evaluate(x, y, verbose=0, return_dict=True)) == ["accuracy", "loss"]


@pytest.mark.parametrize(
    ("metric", "name", "mode"),
    [
        (lambda: "acc", "val_acc", "max"),
        (lambda: keras.metrics.AUC(name="area"), "area", "max"),
        (lambda: "mae", "mae", "min"),
        (lambda: keras.metrics.FalsePositives(), "false_positives", "min"),
        (lambda: lambda y, p: tf.abs(y - p), "<lambda>", None),
        (lambda: keras.metrics.Mean("score"), "score", None),
    ],
)
def test_whether_a_monitored_measure_should_grow(metric, name, mode):
    keras.utils.clear_session()  # the second metric of a kind has another name
    model, x, y = line()
    model.compile("sgd", "mse", metrics=[metric()])
    stop = keras.callbacks.EarlyStopping(monitor=name, patience=1)
    if mode is None:  # of a measure of one's own nobody can tell; TensorFlow does not guess either
        with pytest.raises(ValueError, match=rf"monitor={name}[\s\S]*mode='max' or mode='min'"):
            model.fit(x, y, verbose=0, validation_data=(x, y), callbacks=[stop])
    else:
        model.fit(x, y, verbose=0, validation_data=(x, y), callbacks=[stop])
        assert stop.better(1.0, 0.0) == (mode == "max")


def test_a_plateau_and_the_best_weights(tmp_path):
    model, x, y = line()
    model.compile(optimizers.SGD(0.5), "mse")
    plateau = keras.callbacks.ReduceLROnPlateau(monitor="loss", factor=0.5, patience=1, min_delta=1e9)
    best = keras.callbacks.ModelCheckpoint(
        tmp_path / "best{epoch}", monitor="loss", save_best_only=True, save_weights_only=True
    )
    history = model.fit(x, y, epochs=3, verbose=0, callbacks=[plateau, best]).history
    assert history["learning_rate"] == [0.5, 0.5, 0.25] and (tmp_path / "best1").exists()
    with pytest.warns(UserWarning, match="conditioned on metric `val_loss` which is not available"):
        model.fit(x, y, verbose=0, callbacks=[keras.callbacks.EarlyStopping()])


def test_what_a_checkpoint_says(tmp_path, capsys: pytest.CaptureFixture[str]):
    """The lines of Keras."""
    model, x, y = line()
    model.compile(optimizers.SGD(0.125), "mse")
    for best, rate in ((True, 0.125), (True, 0.0), (False, 0.0)):
        model.optimizer.learning_rate = rate
        saving = keras.callbacks.ModelCheckpoint(
            str(tmp_path / "w{epoch}"), "loss", verbose=1, save_weights_only=True, save_best_only=best
        )
        losses_seen = model.fit(x, y, epochs=2, batch_size=8, shuffle=False, verbose=0, callbacks=[saving]).history[
            "loss"
        ]
        first, second = (f"{loss:.5f}" for loss in losses_seen)
        folder = f"{tmp_path}/w"
        saved = f"saving model to {folder}1\n\nEpoch 1: finished saving model to {folder}1\n"
        again = f"saving model to {folder}2\n\nEpoch 2: finished saving model to {folder}2\n"
        if not best:
            expected = f"\nEpoch 1: {saved}\nEpoch 2: {again}"
        elif rate:
            expected = (
                f"\nEpoch 1: loss improved from None to {first}, {saved}"
                f"\nEpoch 2: loss improved from {first} to {second}, {again}"
            )
        else:
            expected = (
                f"\nEpoch 1: loss improved from None to {first}, {saved}\nEpoch 2: loss did not improve from {first}\n"
            )
        assert capsys.readouterr().out == expected


@pytest.mark.parametrize(
    ("callback", "said"),
    [
        (
            keras.callbacks.EarlyStopping("loss", min_delta=10.0, patience=2, verbose=1, restore_best_weights=True),
            "Epoch 3: early stopping\nRestoring model weights from the end of the best epoch: 1.\n",
        ),
        (
            keras.callbacks.ReduceLROnPlateau(
                "loss", factor=0.5, patience=1, min_delta=10.0, verbose=1, cooldown=2, min_lr=0.1
            ),
            "\nEpoch 2: ReduceLROnPlateau reducing learning rate to 0.125.\n"
            "\nEpoch 4: ReduceLROnPlateau reducing learning rate to 0.1.\n",
        ),
        (
            keras.callbacks.LearningRateScheduler(lambda epoch, rate: rate * 0.5 if epoch < 2 else rate, verbose=1),
            "".join(
                f"\nEpoch {epoch}: LearningRateScheduler setting learning rate to {rate}.\n"
                for epoch, rate in enumerate([0.125] + 5 * [0.0625], 1)
            ),
        ),
    ],
    ids=["early stopping", "plateau", "scheduler"],
)
def test_a_callback_says_what_it_does(callback, said, capsys):
    """As Keras prints it; a rate that `min_lr` stopped was shown as float32 rounds it."""
    model, x, y = line()
    model.compile(optimizers.SGD(0.25), "mse")
    model.fit(x, y, epochs=6, verbose=0, callbacks=[callback])
    assert capsys.readouterr().out == said


def test_a_repeating_iterable_goes_on_from_epoch_to_epoch():
    def forever():
        for number in range(100):
            yield tf.fill([2, 2], float(number)), tf.zeros([2, 1])

    model, *_ = line()
    seen = []

    class Look(keras.callbacks.Callback):
        def on_train_batch_begin(self, batch, logs=None):
            seen.append(batch)

    model.compile("sgd", "mse")
    model.fit(forever(), epochs=2, steps_per_epoch=3, verbose=0, callbacks=[Look()])
    assert seen == [0, 1, 2, 0, 1, 2]


def test_losses_of_layers_and_weights():
    dense = layers.Dense(
        2, kernel_regularizer="l2", activity_regularizer=keras.regularizers.L1(0.5), kernel_initializer="ones"
    )
    model = keras.Sequential([dense])
    assert model(tf.ones([4, 3])).shape == [4, 2]
    assert [float(each) for each in model.losses] == pytest.approx([0.5 * 24 / 4, 0.01 * 6])
    dense.trainable = False
    assert [float(each) for each in model.losses] == pytest.approx([3.0]), "a frozen weight costs nothing"


def test_float64_predictions_have_a_float64_loss():
    loss = losses.MeanSquaredError()(tf.constant([[1.0]], tf.float64), tf.constant([[4.0]], tf.float64))
    assert (
        loss.dtype == tf.float64
        and losses.MeanSquaredError(dtype="float32")([[1.0]], tf.constant([[4.0]], tf.float64)).dtype == tf.float32
    )


def test_the_mean_is_over_what_counts():
    loss = losses.SparseCategoricalCrossentropy(from_logits=True, ignore_class=1)
    assert loss([0, 1], [[0.0, 0.0], [9.0, -9.0]]).numpy() == pytest.approx(np.log(2))


def test_the_loss_of_an_output_is_a_mean_over_examples():
    x = keras.Input((1,))
    model = keras.Model(x, [layers.Lambda(lambda x: x, name="a")(x), layers.Dense(1, name="b")(x)])
    model.compile("sgd", ["mse", None])
    values = np.array([[1.0], [2.0], [3.0]], "float32")
    assert model.evaluate(values, [0 * values, values], batch_size=2, verbose=0, return_dict=True)[
        "a_loss"
    ] == pytest.approx(14 / 3)


def test_weights_may_be_float64_from_now_on():
    keras.backend.set_floatx("float64")
    try:
        model = keras.Sequential([layers.Dense(2, activation="tanh"), layers.Dense(1)])
        y = model(tf.constant([[1.0, 2.0]], tf.float64))
        assert y.dtype == tf.float64 and {one.dtype for one in model.weights} == {tf.float64}
        assert keras.Input((1,)).dtype == tf.float64 and metrics.Mean().dtype == "float64"
    finally:
        keras.backend.set_floatx("float32")
    with pytest.raises(ValueError, match="Unknown `floatx` value"):
        keras.backend.set_floatx("float8")


def test_names_that_are_not_there_say_why():
    with pytest.raises(AttributeError, match=r"no attribute 'datasets': out of scope \(downloads"):
        keras.datasets
    with pytest.raises(AttributeError, match="did you mean 'losses'"):
        keras.lossses


def test_the_decay_of_keras_2_is_left_out_aloud():
    """As in Keras 3, which goes on without it."""
    with pytest.warns(UserWarning, match=r"`decay` is no longer supported and will be ignored. .*InverseTimeDecay"):
        optimizer = optimizers.SGD(0.1, momentum=0.9, decay=1e-6)
    weight = tf.Variable(1.0)
    optimizer.apply_gradients([(tf.constant(1.0), weight)])
    assert float(weight) == pytest.approx(0.9)


REFUSALS = {
    "two clips": (lambda: optimizers.SGD(clipnorm=1.0, clipvalue=1.0), "Only one of `clipnorm`"),
    "steps that are added up": (lambda: optimizers.SGD(0.1, gradient_accumulation_steps=2), "once with their mean"),
    "a scaled loss": (lambda: optimizers.SGD(0.1, loss_scale_factor=2.0), "divide the gradients by as much"),
    "a step of no optimizer": (lambda: optimizers.Optimizer().apply_gradients([(tf.ones([]), tf.Variable(1.0))]), "must have a method step"),
    "boundaries": (lambda: optimizers.schedules.PiecewiseConstantDecay([1], [1.0]), "1 less than the length of values"),
    "decay_steps": (lambda: optimizers.schedules.CosineDecay(0.1, 0), r"`decay_steps`. Expected a number in \(0, ∞\)"),
    "reduction": (lambda: losses.Huber(reduction="most"), "Invalid value for argument `reduction`"),
    "loss by name": (lambda: losses.get("hubert"), r"Could not interpret loss identifier: hubert. Did you mean 'huber'\? Names are"),
    "activation by name": (lambda: keras.activations.get("rulu"), r"identifier: rulu. Did you mean 'relu'\? Names are"),
    "a rate without a point": (lambda: optimizers.SGD(1), r"learning_rate=1\n.*point: tf.keras.optimizers.SGD\(1.0\)"),
    "a rate of nothing": (lambda: optimizers.Adam(None), r"learning_rate=None\n.*Python number: tf.keras.optimizers.Adam\(0.01\)"),
    "a momentum without a point": (lambda: optimizers.SGD(0.1, momentum=1), r"`momentum` must be a float between \[0, 1\]. Received: momentum=1"),
    "metric by name": (lambda: metrics.get("AUCC"), "Could not interpret metric identifier: AUCC"),
    "regularizer": (lambda: keras.regularizers.L2(-1.0), r"`l2`. Expected a number in \[0, ∞\)"),
    "threshold": (lambda: metrics.Precision(thresholds=2.0), "Threshold values must be in"),
    "curve": (lambda: metrics.AUC(curve="P"), r"`curve`. Expected one of \('ROC', 'PR'\). Received: curve='P'"),
    "reshape": (lambda: layers.Reshape((2, 2))(tf.ones([1, 5])), "total size of the tensor must be unchanged"),
    "permute": (lambda: layers.Permute((0, 1)), "Invalid permutation argument"),
    "merge of one": (lambda: layers.Add()(tf.ones([2, 2])), "should be called on a list of inputs"),
    "concatenate": (lambda: layers.Concatenate()([keras.Input((2, 3)), keras.Input((3, 3))]), "matching shapes except"),
    "add": (lambda: layers.Add()([keras.Input((2,)), keras.Input((3,))]), "incompatible shapes"),
    "kernel_size": (lambda: layers.Conv2D(2, (3, 3, 3)), "must be a tuple of 2 integers"),
    "padding": (lambda: layers.Conv2D(2, 3, padding="causal"), r"`padding`. Expected one of \('valid', 'same'\)"),
    "output_padding": (lambda: layers.Conv2DTranspose(2, 3, output_padding=1), "strictly less than `strides`"),
    "units": (lambda: layers.LSTM(0), "expected a positive integer"),
    "cell": (lambda: layers.RNN(layers.Dense(2)), "`state_size` attribute"),
    "bidirectional": (lambda: layers.Bidirectional(layers.LSTM(2), merge_mode="both"), "`merge_mode`. Expected one of .*puts both outputs side by side"),
    "no layer": (lambda: layers.TimeDistributed(tf.sin), "Please initialize `TimeDistributed`"),
    "axes": (lambda: layers.TimeDistributed(layers.Dense(2))(tf.ones([2, 3])), "at least 3 dimensions"),
    "slope": (lambda: layers.LeakyReLU(-1.0), r"`negative_slope`. Expected a number in \[0, ∞\)"),
    "batch of a stateful layer": (lambda: [layer(tf.ones([n, 2, 2])) for layer in [layers.GRU(2, stateful=True)] for n in (2, 3)], "batch size of the input sequences must be the same"),
    "split of batches": (lambda: compiled().fit(iter([]), validation_split=0.5), "only supported for tensors"),
    "outputs": (lambda: compiled(loss={"there": "mse"}).fit(tf.ones([2, 2]), tf.ones([2, 1]), verbose=0), "are no outputs of the model"),
    "orthogonal": (lambda: keras.initializers.Orthogonal()([3]), "at least two-dimensional"),
    "mode": (lambda: keras.initializers.VarianceScaling(mode="fan"), "`mode`. Expected one of .*Received: mode='fan'"),
    "distribution": (lambda: keras.initializers.VarianceScaling(distribution="even"), "`distribution`. Expected one of .*Received: distribution='even'"),
    "scale": (lambda: keras.initializers.VarianceScaling(scale=0.0), r"`scale`. Expected a number in \(0, ∞\)"),
    "half of a normalization": (lambda: layers.Normalization(mean=1.0), "both `mean` and `variance` must be set"),
    "a normalization that knows": (lambda: layers.Normalization(mean=1.0, variance=4.0).adapt([[1.0]]), "Cannot `adapt`"),
    "filters in groups": (lambda: layers.Conv2D(3, 3, groups=2), "filters must be evenly divisible .* groups=2, filters=3"),
    "channels in groups": (lambda: layers.Conv2D(4, 3, groups=2)(tf.ones([1, 5, 5, 3])), "groups=2, but the input has 3 channels"),
    "groups of a transpose": (lambda: layers.Conv2DTranspose(4, 3, groups=2), "'groups': 2"),
    "groups of a separable": (lambda: layers.SeparableConv2D(4, 3, groups=2), "'groups': 2"),
    "callback": (lambda: keras.callbacks.LambdaCallback(on_end=print), "unexpected name 'on_end'"),
}  # fmt: skip


def compiled(loss="mse"):
    model, *_ = line()
    model.compile("sgd", loss)
    return model


@pytest.mark.parametrize("name", REFUSALS)
def test_refusals_name_the_cause_and_what_to_type(name: str):
    program, says = REFUSALS[name]
    with pytest.raises((ValueError, TypeError, NotImplementedError)) as caught:
        program()
    assert re.search(says, said(caught.value), re.DOTALL), said(caught.value)


@pytest.mark.parametrize("distribution", ["untruncated_normal", "truncated_normal", "normal"])
def test_a_variance_is_the_same_cut_off_or_not(distribution: str):
    """What will be cut off at two standard deviations is drawn wider, 0.114 instead of 0.1, so that it keeps the variance."""
    drawn = keras.initializers.VarianceScaling(2.0, "fan_out", distribution, seed=1)([50, 200]).numpy()
    assert drawn.std() == pytest.approx(0.1, rel=0.02)
    assert (abs(drawn).max() < 2 * 0.114) == (distribution != "untruncated_normal")


@pytest.mark.parametrize("rate", ["dropout", "recurrent_dropout"])
def test_a_sequence_drops_the_same_numbers_in_every_step(rate: str):
    tf.random.set_seed(1)
    layer = layers.SimpleRNN(
        3, activation=None, use_bias=False, kernel_initializer="ones", recurrent_initializer="identity",
        return_sequences=True, **{rate: 0.5},
    )  # fmt: skip
    x = tf.ones([1, 3, 4])
    resting = layer(x).numpy()
    assert np.allclose(resting[0, :, 0], [4.0, 8.0, 12.0])
    trained = layer(x, training=True).numpy()[0]
    steps = np.diff(trained, axis=0)
    if rate == "dropout":
        assert np.allclose(steps, trained[:1]) and float(trained[0, 0]) in {0.0, 2.0, 4.0, 6.0, 8.0}
    assert not np.allclose(trained, layer(x, training=True).numpy()[0]) or rate == "dropout"


def test_weights_are_saved_after_so_many_batches(tmp_path):
    model, x, y = line()
    model.compile("sgd", "mse")
    path = tmp_path / "made" / "{epoch:02d}-{batch}.weights.h5"
    saving = keras.callbacks.ModelCheckpoint(path, save_weights_only=True, save_freq=3)
    model.fit(x, y, batch_size=2, epochs=2, verbose=0, callbacks=[saving])  # four batches an epoch
    assert sorted(each.name for each in (tmp_path / "made").iterdir()) == ["01-3.weights.h5", "02-2.weights.h5"]
    for wrong, says in (({"save_freq": "batch", "save_weights_only": True}, "save_freq"), ({}, "not whole models")):
        with pytest.raises(ValueError, match=says):
            keras.callbacks.ModelCheckpoint(path, **wrong)


def test_a_loss_of_ones_own_gets_labels_as_keras_gives_them():
    """Whole numbers and doubles come as the predictions are; `fit` itself makes doubles narrow, and leaves whole numbers."""
    kinds = []

    def loss(y_true, y_pred):
        kinds.append((y_true.dtype.name, y_pred.dtype.name))
        return tf.reduce_mean((y_true - y_pred) ** 2, -1)

    class Own(keras.Model):
        def train_step(self, data):
            kinds.append(tuple(each.dtype.name for each in data))
            return {"loss": 0.0}

    model, x, y = line()
    model.compile("sgd", loss)
    for truth in (y.astype("float64"), np.arange(8)[:, None]):
        model.fit(x.astype("float64"), truth, verbose=0)
    own = Own()
    own.compile("sgd")
    own.fit(x.astype("float64"), np.arange(8), verbose=0)
    assert kinds == [("float32", "float32")] * 2 + [("float32", "int64")]
