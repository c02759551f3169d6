"""Programs that run under TensorFlow with Keras 3 and under minitape alike: each takes the module as `tf`.

What Keras 3.15 (TensorFlow 2.21, CPU) gave for them lies in tests/data/keras-facts.json; weights and inputs are given, so
nothing depends on chance.  `plain` writes a result as that file does.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def numbers(*shape: int, seed: int = 0) -> np.ndarray:
    """Numbers with one decimal between -2 and 2, the same everywhere."""
    return (np.random.RandomState(seed).randint(-20, 21, shape) / 10).astype("float32")


def classes(count: int, kinds: int, seed: int = 0) -> np.ndarray:
    """Whole numbers, the same everywhere."""
    return np.random.RandomState(seed).randint(0, kinds, count)


def plain(value: Any) -> Any:
    """Tensors as nested lists."""
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if value is None or isinstance(value, str | bool):
        return value
    return np.asarray(value, "float64").tolist()


def derived(tf: Any, layer: Any, x: Any, training: bool = False) -> dict[str, Any]:
    """A layer's output, and the gradient of a weighted sum of its squares, by the input and all weights."""
    x = tf.constant(x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = layer(x, training=training)
        loss = tf.reduce_sum(y * y * numbers(*y.shape, seed=9))
    variables = layer.trainable_variables
    by_x, *by_weights = tape.gradient(loss, [x, *variables])
    paths = [each.name for each in variables]
    return {"y": y, "by_x": by_x, "by_weights": by_weights, "names": paths}


def filled(layer: Any, seed: int = 3) -> Any:
    """The layer with numbers of ours in all weights."""
    layer.set_weights([numbers(*each.shape, seed=seed + place) for place, each in enumerate(layer.weights)])
    return layer


def built(layer: Any, shape: Any) -> Any:
    """The layer, built for this shape, with numbers of ours."""
    layer.build(shape)
    return filled(layer)


# ---- layers ----------------------------------------------------------------------------------------------------------------


def dense(tf: Any) -> Any:
    kinds = ["linear", "relu", "tanh", "sigmoid", "softmax", "elu", "selu", "softplus", "gelu", "silu", "exponential"]
    return {
        kind: derived(tf, built(tf.keras.layers.Dense(3, activation=kind), (None, 2)), numbers(4, 2)) for kind in kinds
    }


def dense_of_sequences(tf: Any) -> Any:
    return derived(tf, built(tf.keras.layers.Dense(3, use_bias=False), (None, 5, 2)), numbers(4, 5, 2))


def dense_of_whole_numbers(tf: Any) -> Any:
    return built(tf.keras.layers.Dense(3), (None, 2))(tf.constant([[1, 2]]))


def small_layers(tf: Any) -> Any:
    layers = tf.keras.layers
    x = numbers(2, 3, 2)
    return {
        "flatten": derived(tf, layers.Flatten(), x),
        "relu": derived(tf, layers.ReLU(), x),
        "relu with bounds": derived(tf, layers.ReLU(max_value=1.0, negative_slope=0.2), x),
        "softmax": derived(tf, layers.Softmax(), x),
        "activation": derived(tf, layers.Activation("tanh"), x),
        "lambda": derived(tf, layers.Lambda(lambda x: x * x), x),
        "dropout, not training": derived(tf, layers.Dropout(0.5), x),
    }


def embedding(tf: Any) -> Any:
    layer = built(tf.keras.layers.Embedding(4, 2), (None,))
    with tf.GradientTape() as tape:
        y = layer(tf.constant([[0, 3], [3, 1]]))
        loss = tf.reduce_sum(y * y)
    return {"y": y, "gradient": tf.convert_to_tensor(tape.gradient(loss, layer.trainable_variables)[0])}


def batch_normalization(tf: Any) -> Any:
    answers = {}
    for name, shape, options in (
        ("of vectors", (5, 3), {}),
        ("of images", (2, 3, 2, 2), {}),
        ("plain", (5, 3), {"center": False, "scale": False}),
        ("channels first", (2, 2, 3), {"axis": 1}),
    ):
        layer = tf.keras.layers.BatchNormalization(momentum=0.5, **options)
        layer.build((None, *shape[1:]))
        positive = [np.abs(numbers(*each.shape, seed=7 + place)) for place, each in enumerate(layer.weights)]
        layer.set_weights([1.0 + each for each in positive])
        answers[name] = {
            "resting": derived(tf, layer, numbers(*shape)),
            "training": derived(tf, layer, numbers(*shape), training=True),
            "moved": layer.non_trainable_variables,
        }
    return answers


def conv2d(tf: Any) -> Any:
    answers = {}
    for name, options in (
        ("valid", {}),
        ("same", {"padding": "same", "activation": "relu"}),
        ("strides", {"padding": "same", "strides": 2}),
        ("spread", {"dilation_rate": 2, "use_bias": False}),
    ):
        layer = built(tf.keras.layers.Conv2D(2, 3, **options), (None, 6, 5, 2))
        answers[name] = derived(tf, layer, numbers(2, 6, 5, 2))
    image = np.random.RandomState(4).permutation(48).astype("float32").reshape(1, 6, 4, 2) / 10  # no two are alike
    answers["max"] = derived(tf, tf.keras.layers.MaxPooling2D(), image)
    answers["mean"] = derived(tf, tf.keras.layers.AveragePooling2D(2), image)
    return answers


# ---- losses and metrics ----------------------------------------------------------------------------------------------------


def losses(tf: Any) -> Any:
    kinds = tf.keras.losses
    logits, rows = numbers(4, 3, seed=1), np.eye(3, dtype="float32")[classes(4, 3)]
    chances = np.exp(logits) / np.exp(logits).sum(-1, keepdims=True)
    signs = (classes(4, 2)[:, None] * np.ones((1, 3))).astype("float32")
    cases = {
        "mse": (kinds.MeanSquaredError, {}, numbers(4, 3), logits),
        "mae": (kinds.MeanAbsoluteError, {}, numbers(4, 3), logits),
        "mse of a column": (kinds.MeanSquaredError, {}, numbers(4), numbers(4, 1, seed=1)),
        "binary": (kinds.BinaryCrossentropy, {}, signs, 1 / (1 + np.exp(-logits))),
        "binary from logits": (kinds.BinaryCrossentropy, {"from_logits": True}, signs, logits),
        "binary, smooth": (kinds.BinaryCrossentropy, {"from_logits": True, "label_smoothing": 0.2}, signs, logits),
        "categorical": (kinds.CategoricalCrossentropy, {}, rows, chances),
        "categorical, not normal": (kinds.CategoricalCrossentropy, {}, rows, 2 * chances),
        "categorical from logits": (kinds.CategoricalCrossentropy, {"from_logits": True}, rows, logits),
        "categorical, smooth": (kinds.CategoricalCrossentropy, {"label_smoothing": 0.1}, rows, chances),
        "sparse": (kinds.SparseCategoricalCrossentropy, {}, classes(4, 3), chances),
        "sparse, not normal": (kinds.SparseCategoricalCrossentropy, {}, classes(4, 3), chances * 0.5),
        "sparse from logits": (kinds.SparseCategoricalCrossentropy, {"from_logits": True}, classes(4, 3), logits),
        "hinge": (kinds.Hinge, {}, 2 * signs - 1, logits),
    }
    answers: dict[str, Any] = {}
    for name, (kind, options, truth, guess) in cases.items():
        answers[name] = {}
        for reduction in ("sum_over_batch_size", "sum", "none"):
            guessed = tf.constant(guess)
            with tf.GradientTape() as tape:
                tape.watch(guessed)
                loss = kind(reduction=reduction, **options)(truth, guessed)
            answers[name][reduction] = [loss, tape.gradient(loss, guessed)]
        answers[name]["weighted"] = kind(**options)(truth, guess, sample_weight=[1.0, 0.0, 2.0, 0.5])
    answers["functions"] = [
        kinds.mse(numbers(4, 3), logits), kinds.mae(numbers(4, 3), logits),
        kinds.binary_crossentropy(signs, logits, from_logits=True), kinds.categorical_crossentropy(rows, chances),
        kinds.sparse_categorical_crossentropy(classes(4, 3), logits, from_logits=True),
    ]  # fmt: skip
    return answers


def metrics(tf: Any) -> Any:
    kinds = tf.keras.metrics
    answers: dict[str, Any] = {}
    guess, sure = numbers(6, 3), np.abs(numbers(6, 1)) / 2
    truths = {
        "Accuracy": (classes(6, 2), classes(6, 2, seed=1)),
        "BinaryAccuracy": (classes(6, 2)[:, None], sure),
        "CategoricalAccuracy": (np.eye(3)[classes(6, 3)], guess),
        "SparseCategoricalAccuracy": (classes(6, 3), guess),
        "MeanSquaredError": (numbers(6, 3, seed=2), guess),
        "MeanAbsoluteError": (numbers(6, 3, seed=2), guess),
    }
    for name, (truth, predicted) in truths.items():
        metric = getattr(kinds, name)()
        metric.update_state(truth[:4], predicted[:4])
        first = metric.result()
        metric.update_state(truth[4:], predicted[4:])
        answers[name] = [metric.name, first, metric.result()]
        metric.reset_state()
        metric.update_state(truth, predicted, sample_weight=[1.0, 0.0, 2.0, 1.0, 0.5, 0.0])
        answers[name].append(metric.result())
    mean = kinds.Mean()
    mean.update_state([1.0, 3.0, 5.0], sample_weight=[1.0, 1.0, 0.0])
    answers["Mean"] = [mean.result(), mean(4.0)]
    return answers


# ---- training --------------------------------------------------------------------------------------------------------------


def optimizers(tf: Any) -> Any:
    kinds = tf.keras.optimizers
    answers = {}
    for name, make in {
        "SGD": lambda: kinds.SGD(0.1),
        "momentum": lambda: kinds.SGD(0.1, momentum=0.9),
        "nesterov": lambda: kinds.SGD(0.1, momentum=0.9, nesterov=True),
        "Adam": lambda: kinds.Adam(0.1),
        "Adam with betas": lambda: kinds.Adam(0.01, beta_1=0.8, beta_2=0.9, epsilon=1e-3),
        "RMSprop": lambda: kinds.RMSprop(0.1),
    }.items():
        weight, scale, optimizer = tf.Variable(numbers(2, 3)), tf.Variable(1.5), make()
        states = []
        for _ in range(3):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum((weight * scale - 1.0) ** 2.0)
            variables = [weight, scale]
            optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
            states.append([weight.numpy(), scale.numpy(), loss])
        answers[name] = [states, optimizer.iterations, optimizer.learning_rate]
    return answers


def model(tf: Any) -> Any:
    layers = tf.keras.layers
    norm, last = layers.BatchNormalization(momentum=0.5), layers.Dense(3, activation="softmax")
    each = tf.keras.Sequential([layers.Dense(4, activation="relu"), norm, last])
    each.build((None, 2))
    each.set_weights(
        [np.abs(numbers(*weight.shape, seed=20 + place)) + 0.1 for place, weight in enumerate(each.weights)]
    )
    return each


def training_steps(tf: Any) -> Any:
    answers = {}
    for name in ("SGD", "Adam", "RMSprop"):
        each, optimizer = model(tf), getattr(tf.keras.optimizers, name)(0.05)
        loss_object, states = tf.keras.losses.SparseCategoricalCrossentropy(), []
        for step in range(3):
            with tf.GradientTape() as tape:
                predictions = each(numbers(5, 2, seed=step), training=True)
                loss = loss_object(classes(5, 3, seed=step), predictions)
            gradients = tape.gradient(loss, each.trainable_variables)
            optimizer.apply_gradients(zip(gradients, each.trainable_variables))
            states.append([loss, [weight.numpy() for weight in each.weights]])
        answers[name] = states
    return answers


def fit(tf: Any) -> Any:
    each = model(tf)
    each.compile(tf.keras.optimizers.SGD(0.05), "sparse_categorical_crossentropy", metrics=["accuracy"])
    x, y = numbers(10, 2), classes(10, 3)
    others = numbers(5, 2, seed=1), classes(5, 3)
    seen = each.fit(x, y, batch_size=4, epochs=3, shuffle=False, verbose=0, validation_data=others)
    return {
        "history": seen.history,
        "evaluate": each.evaluate(x, y, batch_size=4, verbose=0),
        "as a dict": each.evaluate(x, y, verbose=0, return_dict=True),
        "predict": each.predict(x, batch_size=4, verbose=0),
        "batch after batch": [each.train_on_batch(x, y), each.train_on_batch(x, y), each.test_on_batch(x, y)],
        "weights": each.get_weights(),
    }


def functional(tf: Any) -> Any:
    layers = tf.keras.layers
    a, b = tf.keras.Input((3,), name="a"), tf.keras.Input((2,), name="b")
    twice = layers.Dense(3, activation="tanh", name="twice")
    joined = layers.Lambda(lambda pair: tf.concat(pair, 1), name="joined")(
        [twice(twice(a)), layers.Dense(2, name="beside")(b)]
    )
    y = layers.Dense(2, name="y")(joined)
    each = filled(tf.keras.Model([a, b], [y, layers.Dense(1, name="z")(y)]))
    with tf.GradientTape() as tape:
        y, z = each([numbers(4, 3), numbers(4, 2, seed=1)])
        loss = tf.reduce_sum(y * y) + tf.reduce_sum(z)
    return {
        "y": y,
        "z": z,
        "gradients": tape.gradient(loss, each.trainable_variables),
        "layers": [layer.name for layer in each.layers],
        "paths": [weight.path for weight in each.weights],
    }


def added_losses(tf: Any) -> Any:
    class Penalty(tf.keras.layers.Layer):  # type: ignore[name-defined]
        def call(self, x: Any) -> Any:
            self.add_loss(0.1 * tf.reduce_sum(x * x))
            return x

    each = tf.keras.Sequential([tf.keras.layers.Dense(2), Penalty()])
    each.build((None, 2))
    filled(each)
    each.compile(tf.keras.optimizers.SGD(0.01), "mse")
    seen = each.fit(numbers(4, 2), numbers(4, 2, seed=1), epochs=2, shuffle=False, verbose=0)
    return {
        "history": seen.history,
        "losses": [float(loss) for loss in each(numbers(4, 2)) is not None and each.losses],
    }


def frozen(tf: Any) -> Any:
    each = model(tf)
    each.layers[0].trainable = False
    each.layers[1].trainable = False
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(each(numbers(5, 2), training=True) ** 2.0)
    return {
        "gradients": tape.gradient(loss, each.trainable_variables),
        "trainable": [variable.path.split("/")[-1] for variable in each.trainable_variables],
        "others": [variable.path.split("/")[-1] for variable in each.non_trainable_variables],
        "loss": loss,
    }


def initial_weights(tf: Any) -> Any:
    kinds = tf.keras.initializers
    spread = {}
    for name in [
        "GlorotUniform",
        "GlorotNormal",
        "HeUniform",
        "HeNormal",
        "LecunNormal",
        "RandomUniform",
        "TruncatedNormal",
    ]:
        drawn = np.asarray(getattr(kinds, name)(seed=1)((200, 300)))
        spread[name] = [round(float(drawn.std()), 2), round(float(drawn.mean()), 2)]
    kernel = np.asarray(kinds.HeNormal(seed=2)((3, 3, 40, 80)))
    return {**spread, "kernel": round(float(kernel.std()), 2), "constant": kinds.Constant(3.0)((2,))}


def names(tf: Any) -> Any:
    tf.keras.utils.clear_session()
    layers = tf.keras.layers

    class Two(tf.keras.Model):  # type: ignore[name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.many = [layers.Dense(2), layers.Dense(2)]
            self.last = layers.BatchNormalization()

        def call(self, x: Any) -> Any:
            for each in self.many:
                x = each(x)
            return self.last(x)

    two, stack = Two(), tf.keras.Sequential([layers.Conv2D(1, 2), layers.Flatten(), layers.ReLU(), layers.Dense(2)])
    two(numbers(3, 2))
    stack(numbers(1, 3, 3, 1))
    lone = layers.Dense(1)
    lone.build((None, 2))
    return {
        "two": [each.path for each in two.variables],
        "weights": [each.path for each in two.weights],
        "learn": [each.path for each in two.trainable_variables],
        "stack": [each.path for each in stack.variables],
        "layers": [each.name for each in stack.layers],
        "lone": [lone.kernel.name, lone.kernel.path, lone.name, lone.dtype, lone.built],
    }


PROGRAMS = {
    each.__name__: each
    for each in (
        dense, dense_of_sequences, dense_of_whole_numbers, small_layers, embedding, batch_normalization, conv2d, losses, metrics,
        optimizers, training_steps, fit, functional, added_losses, frozen, initial_weights, names,
    )
}  # fmt: skip
