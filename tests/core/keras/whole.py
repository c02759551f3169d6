"""Whole programs, as people have them: each trains for a few steps from given weights, and gives what came out.

They run under TensorFlow and minitape alike, like those of parts.py, and their facts lie beside those.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.core.keras.parts import ONLY_FLOAT32, PARTS, Arrays, mark, weights_for
from tests.core.keras.programs import classes, numbers


def begun(model: Any) -> Any:
    """The model with small numbers of ours in all weights."""
    model.set_weights(weights_for(model, "float32"))
    return model


def ended(model: Any) -> Arrays:
    """Its weights."""
    return {f"weight {place}": each for place, each in enumerate(model.get_weights())}


def char_rnn(tf: Any, dtype: str) -> Arrays:
    """Letters foretold from letters: an LSTM trained by hand, and a text drawn from it step by step."""
    keras = tf.keras

    class Letters(keras.Model):  # type: ignore[name-defined,misc]
        def __init__(self) -> None:
            super().__init__()
            self.embedding = keras.layers.Embedding(7, 3)
            self.lstm = keras.layers.LSTM(4, return_sequences=True, return_state=True)
            self.dense = keras.layers.Dense(7)

        def call(self, x: Any, states: Any = None, return_state: bool = False, training: bool = False) -> Any:
            x = self.embedding(x, training=training)
            if states is None:
                states = self.lstm.get_initial_state(x.shape[0])
            x, *states = self.lstm(x, initial_state=states, training=training)
            x = self.dense(x, training=training)
            return (x, states) if return_state else x

    text = classes(2 * 6, 7, seed=2).reshape(2, 6)
    model = Letters()
    model(tf.constant(text[:, :-1]))
    begun(model)
    optimizer = keras.optimizers.SGD(0.5, momentum=0.5)
    loss_of, seen = keras.losses.SparseCategoricalCrossentropy(from_logits=True), []
    for _ in range(5):
        with tf.GradientTape() as tape:
            loss = loss_of(text[:, 1:], model(tf.constant(text[:, :-1]), training=True))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        seen.append(float(loss))
    letter, states, drawn = tf.constant([[1]]), None, []
    for _ in range(5):
        scores, states = model(letter, states=states, return_state=True)
        letter = tf.argmax(scores, axis=-1, output_type=tf.int32)
        drawn.append(int(letter[0, 0]))
    return {"losses": np.array(seen), "drawn": np.array(drawn), **ended(model)}


def transformer(tf: Any, dtype: str) -> Arrays:
    """A block of attention over letters, with a rate that warms up."""
    keras = tf.keras

    class Warm(keras.optimizers.schedules.LearningRateSchedule):  # type: ignore[name-defined,misc]
        def __init__(self, width: float, steps: float) -> None:
            super().__init__()
            self.width, self.steps = tf.cast(width, tf.float32), steps

        def __call__(self, step: Any) -> Any:
            step = tf.cast(step, dtype=tf.float32) + 1.0
            return tf.math.rsqrt(self.width) * tf.math.minimum(tf.math.rsqrt(step), step * (self.steps**-1.5))

    class Block(keras.layers.Layer):  # type: ignore[name-defined,misc]
        def __init__(self, width: int, heads: int, inner: int) -> None:
            super().__init__()
            self.attention = keras.layers.MultiHeadAttention(num_heads=heads, key_dim=width // heads)
            self.norms = [keras.layers.LayerNormalization(epsilon=1e-6) for _ in range(2)]
            self.add = keras.layers.Add()
            self.inner = keras.Sequential([keras.layers.Dense(inner, activation="gelu"), keras.layers.Dense(width)])

        def call(self, x: Any) -> Any:
            x = self.norms[0](self.add([x, self.attention(query=x, value=x, key=x, use_causal_mask=True)]))
            return self.norms[1](self.add([x, self.inner(x)]))

    class Decoder(keras.Model):  # type: ignore[name-defined,misc]
        def __init__(self) -> None:
            super().__init__()
            self.letters, self.places = keras.layers.Embedding(6, 8), keras.layers.Embedding(5, 8)
            self.block, self.last = Block(8, 2, 12), keras.layers.Dense(6)

        def call(self, x: Any) -> Any:
            return self.last(self.block(self.letters(x) + self.places(tf.range(x.shape[1]))))

    text = classes(3 * 6, 6, seed=4).reshape(3, 6)
    model = Decoder()
    model(tf.constant(text[:, :-1]))
    begun(model)
    optimizer = keras.optimizers.AdamW(Warm(8.0, 4.0), weight_decay=0.01, epsilon=1e-3, global_clipnorm=1.0)
    loss_of, mean = keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="none"), keras.metrics.Mean()
    for _ in range(5):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(loss_of(text[:, 1:], model(tf.constant(text[:, :-1]))))
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        mean(loss)
    return {"mean": np.asarray(mean.result()), "rate": np.asarray(optimizer.learning_rate), **ended(model)}


def vae(tf: Any, dtype: str) -> Arrays:
    """A variational autoencoder of small images, whose draws are given."""
    keras = tf.keras
    layers = keras.layers

    class Vae(keras.Model):  # type: ignore[name-defined,misc]
        def __init__(self) -> None:
            super().__init__()
            self.encoder = keras.Sequential([
                layers.InputLayer(shape=(4, 4, 1)), layers.Conv2D(3, 3, strides=2, padding="same", activation="tanh"),
                layers.Flatten(), layers.Dense(4),
            ])  # fmt: skip
            self.decoder = keras.Sequential([
                layers.InputLayer(shape=(2,)), layers.Dense(2 * 2 * 3, activation="tanh"),
                layers.Reshape(target_shape=(2, 2, 3)), layers.Conv2DTranspose(2, 3, strides=2, padding="same", activation="tanh"),
                layers.Conv2DTranspose(1, 3, strides=1, padding="same"),
            ])  # fmt: skip

    model = Vae()
    begun(model.encoder)
    begun(model.decoder)
    optimizer, seen = keras.optimizers.Adam(0.02, epsilon=1e-3), []
    x = tf.constant((numbers(3, 4, 4, 1) > 0).astype("float32"))
    for step in range(5):
        with tf.GradientTape() as tape:
            mean, logvar = tf.split(model.encoder(x), num_or_size_splits=2, axis=1)
            z = numbers(3, 2, seed=step) * tf.exp(logvar * 0.5) + mean
            logits = model.decoder(z)
            entropy = tf.nn.sigmoid_cross_entropy_with_logits(logits=logits, labels=x)
            kl = -0.5 * tf.reduce_sum(1.0 + logvar - tf.square(mean) - tf.exp(logvar), axis=1)
            loss = tf.reduce_mean(tf.reduce_sum(entropy, axis=[1, 2, 3]) + kl)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        seen.append(float(loss))
    return {"losses": np.array(seen), **ended(model)}


def gan(tf: Any, dtype: str) -> Arrays:
    """A generator and a discriminator of small images, each with an optimizer of its own."""
    keras = tf.keras
    layers = keras.layers
    generator = keras.Sequential([
        keras.Input((3,)), layers.Dense(2 * 2 * 4, use_bias=False), layers.BatchNormalization(), layers.LeakyReLU(),
        layers.Reshape((2, 2, 4)), layers.Conv2DTranspose(1, 5, strides=2, padding="same", use_bias=False, activation="tanh"),
    ])  # fmt: skip
    discriminator = keras.Sequential([
        keras.Input((4, 4, 1)), layers.Conv2D(4, 5, strides=2, padding="same"), layers.LeakyReLU(0.2), layers.Flatten(),
        layers.Dense(1),
    ])  # fmt: skip
    for model in (generator, discriminator):
        model.set_weights(
            [
                np.abs(each) if "variance" in w.path else each
                for each, w in zip(weights_for(model, "float32"), model.weights)
            ]
        )
    entropy = keras.losses.BinaryCrossentropy(from_logits=True)
    sides = [
        (generator, keras.optimizers.RMSprop(0.01, epsilon=1e-3)),
        (discriminator, keras.optimizers.SGD(0.05, momentum=0.5)),
    ]
    seen = []
    for step in range(5):
        real, noise = tf.constant(numbers(4, 4, 4, 1, seed=step) / 2), tf.constant(numbers(4, 3, seed=20 + step))
        with tf.GradientTape(persistent=True) as tape:
            made = generator(noise, training=True)
            yes, no = discriminator(real, training=True), discriminator(made, training=True)
            losses = [entropy(tf.ones_like(no), no), entropy(tf.ones_like(yes), yes) + entropy(tf.zeros_like(no), no)]
        for loss, (model, optimizer) in zip(losses, sides):
            optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        seen.append([float(each) for each in losses])
    facts = {f"generator {name}": each for name, each in ended(generator).items()}
    return {"losses": np.array(seen), **facts, **ended(discriminator)}


def actor_critic(tf: Any, dtype: str) -> Arrays:
    """One body and two heads: actions that paid off become more likely, and what they pay is foretold."""
    keras = tf.keras
    seen_by = keras.Input((3,))
    body = keras.layers.Dense(4, activation="relu")(seen_by)
    model = begun(
        keras.Model(
            inputs=seen_by, outputs=[keras.layers.Dense(2, activation="softmax")(body), keras.layers.Dense(1)(body)]
        )
    )
    optimizer, huber = (
        keras.optimizers.Adam(0.02, epsilon=1e-3),
        keras.losses.Huber(reduction=keras.losses.Reduction.SUM),
    )
    seen = []
    for step in range(5):
        place, chosen, paid = numbers(6, 3, seed=step), classes(6, 2, seed=step), np.abs(numbers(6, 1, seed=9 + step))
        with tf.GradientTape() as tape:
            chances, values = model(tf.constant(place))
            likely = tf.math.log(tf.gather(chances, chosen, axis=1, batch_dims=1))
            better = tf.stop_gradient(paid - values)
            loss = -tf.reduce_sum(likely * better[:, 0]) + huber(values, paid)
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        seen.append(float(loss))
    return {"losses": np.array(seen), **ended(model)}


def fitted(tf: Any, dtype: str) -> Arrays:
    """What `fit` measures: kept-aside data, weights of examples and classes, callbacks, regularizers."""
    keras = tf.keras
    x, y, weight = numbers(12, 3), classes(12, 2), np.abs(numbers(12, seed=8))

    def made(loss: Any = "binary_crossentropy", **options: Any) -> Any:
        model = keras.Sequential([
            keras.Input((3,)), keras.layers.Dense(4, activation="tanh", kernel_regularizer="l2"),
            keras.layers.Dense(1, activation="sigmoid", bias_regularizer=keras.regularizers.L1(0.05)),
        ])  # fmt: skip
        begun(model).compile(keras.optimizers.SGD(0.1, momentum=0.5), loss, **options)
        return model

    plain = {"batch_size": 5, "epochs": 3, "shuffle": False, "verbose": 0}
    facts: Arrays = {}

    def noted(name: str, model: Any, **options: Any) -> None:
        history = model.fit(x, y[:, None], **{**plain, **options}).history
        facts.update({f"{name}, {key}": np.array(values) for key, values in history.items()})
        facts.update({f"{name}, {key}": each for key, each in ended(model).items()})

    noted("split", made(metrics=["accuracy", keras.metrics.AUC(num_thresholds=10, name="auc")]), validation_split=0.25)
    noted("weighted", made(metrics=["mse"], weighted_metrics=["mae"]), sample_weight=weight)
    noted("classes", made(metrics=[keras.metrics.Precision(name="precision")]), class_weight={0: 0.5, 1: 2.0})
    held = (x[:4], y[:4, None], weight[:4])
    noted("held", made(weighted_metrics=["mse"]), validation_data=held, validation_batch_size=3, validation_freq=2)
    slower = keras.callbacks.LearningRateScheduler(lambda epoch, rate: rate * 0.5)
    noted("slower", made(), callbacks=[slower])
    stop = keras.callbacks.EarlyStopping(monitor="val_loss", patience=2, min_delta=0.5, restore_best_weights=True)
    noted("stopped", made(), epochs=9, validation_split=0.25, callbacks=[stop])
    facts["stopped at"] = np.array(stop.stopped_epoch)
    return facts


def two_outputs(tf: Any, dtype: str) -> Arrays:
    """Two inputs and two outputs, each with a loss and metrics."""
    keras = tf.keras
    a, b = keras.Input((3,), name="a"), keras.Input((2,), name="b")
    joined = keras.layers.Concatenate()([keras.layers.Dense(3, activation="tanh")(a), b * 2.0 + 1.0])
    first = keras.layers.Dense(2, activation="softmax", name="first")(joined)
    second = keras.layers.Dense(1, name="second")(joined[:, :2])
    facts: Arrays = {}
    for name, loss in {"list": ["sparse_categorical_crossentropy", "huber"], "dict": {"first": "sparse_categorical_crossentropy", "second": "mse"}}.items():  # fmt: skip
        model = begun(keras.Model(inputs=[a, b], outputs=[first, second]))
        weights = [1.0, 0.5] if name == "list" else {"first": 1.0, "second": 0.25}
        metrics = [["accuracy"], ["mae"]] if name == "list" else {"first": ["accuracy"], "second": ["mae", "mse"]}
        model.compile(keras.optimizers.SGD(0.05), loss, loss_weights=weights, metrics=metrics)
        x, y = [numbers(6, 3), numbers(6, 2, seed=1)], [classes(6, 2), numbers(6, 1, seed=2)]
        history = model.fit(x, y, batch_size=3, epochs=2, shuffle=False, verbose=0).history
        facts.update({f"{name}, {key}": np.array(values) for key, values in history.items()})
        facts.update({f"{name}, {key}": each for key, each in ended(model).items()})
        measured = model.evaluate(x, y, verbose=0, return_dict=True)
        facts.update({f"{name}, evaluate {key}": np.array(each) for key, each in measured.items()})
        facts.update({f"{name}, predict {i}": each for i, each in enumerate(model.predict(x, verbose=0))})
    return facts


def grad_cam(tf: Any, dtype: str) -> Arrays:
    """What an image's classes look at: the outputs of a layer inside a model, and gradients by them."""
    keras = tf.keras
    model = begun(keras.Sequential([
        keras.Input((5, 5, 1)), keras.layers.Conv2D(3, 2, activation="tanh", name="last_conv"),
        keras.layers.GlobalAveragePooling2D(), keras.layers.Dense(3),
    ]))  # fmt: skip
    inside = keras.Model(model.inputs, [model.get_layer("last_conv").output, *model.outputs])
    with tf.GradientTape() as tape:
        seen, scores = inside(tf.constant(numbers(1, 5, 5, 1)))
        best = scores[:, int(tf.argmax(scores[0]))]
    by_place = tape.gradient(best, seen)
    heat = tf.nn.relu(tf.squeeze(seen[0] @ tf.reduce_mean(by_place, axis=(0, 1, 2))[..., tf.newaxis]))
    return {
        "heat": heat,
        "by": by_place,
        "shape": np.array([0 if each is None else each for each in model.input_shape]),
    }


def masked(tf: Any, dtype: str) -> Arrays:
    """Masks travel: from `Embedding` and `Masking` through layers that know them, to the loss and the metrics."""
    keras, layers = tf.keras, tf.keras.layers
    words = np.array([[1, 2, 3, 0], [4, 0, 0, 0], [2, 5, 0, 0], [3, 1, 4, 2]])
    steps = numbers(4, 4, 3) * (words != 0)[:, :, None]
    facts: Arrays = {}

    def note(name: str, inputs: Any, outputs: Any, x: Any, y: Any, loss: str, metrics: list[Any]) -> None:
        model = begun(keras.Model(inputs, outputs))
        for each in model.layers:
            if hasattr(each, "moving_variance"):
                each.moving_variance.assign(abs(each.moving_variance.numpy()) + 0.5)
        model.compile(keras.optimizers.SGD(0.1, momentum=0.9), loss, metrics=metrics, weighted_metrics=["mae"])
        history = model.fit(x, y, batch_size=2, epochs=2, shuffle=False, verbose=0, validation_data=(x, y)).history
        facts.update({f"{name}, {key}": np.array(values) for key, values in history.items()})
        facts.update({f"{name}, {key}": each for key, each in ended(model).items()})
        facts[f"{name}, answer"] = model.predict(x, verbose=0)

    a = keras.Input((4,), dtype="int32")
    embedded = layers.Embedding(6, 3, mask_zero=True)(a)
    hidden = layers.Dropout(0.0)(
        layers.Dense(3, activation="tanh")(layers.Bidirectional(layers.LSTM(2, return_sequences=True))(embedded))
    )
    note("many", a, layers.TimeDistributed(layers.Dense(2))(hidden), words, numbers(4, 4, 2, seed=5), "mse", ["mse"])
    note("last", a, layers.Dense(1)(layers.GRU(2)(hidden)), words, numbers(4, 1), "mae", ["mse"])
    note("mean", a, layers.Dense(1)(layers.GlobalAveragePooling1D()(embedded)), words, numbers(4, 1), "mse", [])
    attended = layers.MultiHeadAttention(2, 2)(embedded, embedded)
    note(
        "attention",
        a,
        layers.LayerNormalization()(layers.Add()([attended, layers.Dense(3)(attended)])),
        words,
        numbers(4, 4, 3),
        "mse",
        ["mae"],
    )
    b = keras.Input((4, 3))
    counted = layers.BatchNormalization()(layers.Masking(0.0)(b))
    note("normalized", b, layers.SimpleRNN(2)(counted), steps, numbers(4, 2), "mse", [])
    joined = layers.Concatenate()([counted, layers.Maximum()([counted, layers.Dense(3)(counted)])])
    note("joined", b, layers.LSTM(2)(joined), steps, numbers(4, 2), "mse", [])
    both = layers.RNN([layers.GRUCell(2), layers.LSTMCell(2)], return_sequences=True)(
        layers.Activation("tanh")(counted)
    )
    note("cells", b, both, steps, numbers(4, 4, 2), "mse", ["mae"])

    class Own(keras.Model):  # type: ignore[name-defined,misc]
        def __init__(self) -> None:
            super().__init__()
            self.embedding, self.dense = layers.Embedding(6, 3, mask_zero=True), layers.Dense(2)
            self.gru = layers.GRU(2, return_sequences=True, return_state=True)

        def call(self, x: Any) -> Any:
            y, state = self.gru(self.embedding(x))
            return self.dense(y) + state[:, None]  # an op's answer has no mask

    own = Own()
    own(words)
    begun(own)
    facts["own"] = own(words)
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    facts["own loss"], facts["masked loss"] = (
        loss(words % 2, own(words)),
        loss(words % 2, own.dense(own.gru(own.embedding(words))[0])),
    )
    return facts


def datasets(tf: Any, dtype: str) -> Arrays:
    """fit, evaluate and predict on a `tf.data.Dataset`, also with weights, steps, and one that never ends."""
    keras, data = tf.keras, tf.data.Dataset
    x, y, weight = numbers(10, 3), numbers(10, 1, seed=1), numbers(10, seed=2)
    pairs = data.from_tensor_slices((x, y))
    facts: Arrays = {}
    ways = {
        "plain": (pairs.batch(4), {"validation_data": pairs.take(5).batch(2)}),
        "weighted": (data.from_tensor_slices((x, y, weight)).batch(4), {}),
        "part": (
            pairs.batch(3).repeat(),
            {"steps_per_epoch": 2, "validation_data": pairs.batch(2).repeat(), "validation_steps": 3},
        ),
        "mapped": (
            pairs.map(lambda a, b: (a * 2.0, b)).batch(5, drop_remainder=True).cache().prefetch(tf.data.AUTOTUNE),
            {},
        ),
        "seldom": (
            pairs.batch(5),
            {"validation_data": (x, y, weight), "validation_freq": 2, "validation_batch_size": 4},
        ),
        "classes": (data.from_tensor_slices((x, classes(10, 2))).batch(5), {"class_weight": {0: 1.0, 1: 3.0}}),
    }
    for name, (dataset, options) in ways.items():
        model = begun(keras.Sequential([keras.Input((3,)), keras.layers.Dense(4, activation="tanh"), keras.layers.Dense(1, activation="sigmoid")]))  # fmt: skip
        model.compile(keras.optimizers.Adam(0.05), "binary_crossentropy", metrics=["mae"], weighted_metrics=["mse"])
        history = model.fit(dataset, epochs=4, verbose=0, **options).history
        facts.update({f"{name}, {key}": np.array(values) for key, values in history.items()})
        facts.update({f"{name}, {key}": each for key, each in ended(model).items()})
        measured = model.evaluate(dataset, steps=2, verbose=0, return_dict=True)
        facts.update({f"{name}, evaluate {key}": np.array(each) for key, each in measured.items()})
        facts[f"{name}, predict"] = model.predict(dataset, steps=2, verbose=0)

    class Step(keras.Model):  # type: ignore[name-defined,misc]
        def train_step(self, given: Any) -> Any:
            facts[f"step {len(facts)}"] = given[0] if isinstance(given, tuple) else given
            return {"loss": tf.constant(0.0)}

    model = Step()
    model.compile("sgd", run_eagerly=True)
    for each in (x, data.from_tensor_slices(x).batch(10), data.from_tensors((x, y)), data.from_tensors((x,))):
        model.fit(each, batch_size=10, shuffle=False, verbose=0)
    return facts


WHOLE: dict[str, Callable[[Any, str], Arrays]] = {
    each.__name__: each
    for each in (char_rnn, transformer, vae, gan, actor_critic, fitted, two_outputs, grad_cam, masked, datasets)
}

# ---- all of them -------------------------------------------------------------------------------------------------------------

# By "NAME, DTYPE": every part in both dtypes, whole programs and what Keras has in float32 alone only in that.
PROGRAMS: dict[str, tuple[Callable[[Any, str], Any], str]] = {
    f"{name}, {dtype}": (program, dtype)
    for name, program in {**PARTS, **WHOLE}.items()
    for dtype in ("float32", "float64")
    if dtype == "float32" or name not in {*ONLY_FLOAT32, *WHOLE}
}


def marks(tf: Any, name: str) -> Any:
    """What a program gives under a TensorFlow, as marks."""
    program, dtype = PROGRAMS[name]
    tf.keras.utils.clear_session()
    return mark(program(tf, dtype))
