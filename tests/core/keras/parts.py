"""Layers, losses, metrics, optimizers and schedules one by one: programs that run under TensorFlow and minitape alike.

Each takes the module as `tf` and a dtype, and gives arrays by name.  What Keras 3.15 (TensorFlow 2.21, CPU) gave for them lies
in tests/data/keras-parts.json as marks (`mark`): `python -m tools.facts parts` writes it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.core.keras.programs import classes, numbers

Arrays = dict[str, Any]


def mark(value: Any) -> Any:
    """What stands for an array in the facts: its shape, its largest number, and two sums with weights like no others."""
    if isinstance(value, dict):
        return {name: mark(each) for name, each in value.items()}
    if (
        isinstance(value, str)
        or value is None
        or isinstance(value, list)
        and all(isinstance(each, str) for each in value)
    ):
        return value
    array = np.asarray(value, "float64").ravel()
    place = np.arange(array.size)
    sums = [float(array @ np.cos(1.0 + slope * place)) for slope in (0.7, 1.9)]
    return [list(np.shape(value)), float(np.abs(array).max(initial=0.0)), *sums]


def unlike(ours: Any, theirs: Any, close: float, where: str = "") -> list[str]:
    """In what two marks differ: sums by more than `close` times the largest number and the root of the count."""
    if isinstance(theirs, dict):
        if not isinstance(ours, dict) or ours.keys() != theirs.keys():
            return [f"{where}: {sorted(ours)} against {sorted(theirs)}"]
        return [each for name in theirs for each in unlike(ours[name], theirs[name], close, f"{where}/{name}")]
    if not isinstance(theirs, list) or not theirs or isinstance(theirs[0], str):
        return [] if ours == theirs else [f"{where}: {ours} against {theirs}"]
    if ours[0] != theirs[0]:
        return [f"{where}: shape {ours[0]} against {theirs[0]}"]
    room = close * max(theirs[1], 0.5) * max(1.0, float(np.prod(theirs[0])) ** 0.5)
    far = [(a, b) for a, b in zip(ours[1:], theirs[1:], strict=True) if not abs(a - b) <= room]
    return [f"{where}: {a} against {b}, room for {room:.1g}" for a, b in far]


# ---- layers ----------------------------------------------------------------------------------------------------------------

MASKS = [
    np.array([[True, False], [True, True]]),
    np.array([[True, False, True], [False, True, True]]),
]  # of queries, values
# Each: how it is made, of the module `layers` and common options; the shapes of its inputs; the options of its call.
LAYERS: dict[str, tuple[Callable[[Any, dict[str, Any]], Any], list[tuple[int, ...]], dict[str, Any]]] = {
    "Reshape": (lambda k, o: k.Reshape((3, -1), **o), [(2, 6, 2)], {}),
    "Permute": (lambda k, o: k.Permute((2, 1), **o), [(2, 3, 4)], {}),
    "RepeatVector": (lambda k, o: k.RepeatVector(3, **o), [(2, 4)], {}),
    "LeakyReLU": (lambda k, o: k.LeakyReLU(**o), [(2, 5)], {}),
    "LeakyReLU 0.25": (lambda k, o: k.LeakyReLU(negative_slope=0.25, **o), [(2, 5)], {}),
    "ELU": (lambda k, o: k.ELU(**o), [(2, 5)], {}),
    "ELU 0.5": (lambda k, o: k.ELU(alpha=0.5, **o), [(2, 5)], {}),
    "ReLU threshold": (lambda k, o: k.ReLU(max_value=1.5, negative_slope=0.1, threshold=0.35, **o), [(2, 5)], {}),
    "Softmax axes": (lambda k, o: k.Softmax(axis=(-2, -1), **o), [(2, 3, 4)], {}),
    "mish": (lambda k, o: k.Activation("mish", **o), [(2, 5)], {}),
    "hard_silu": (lambda k, o: k.Activation("hard_silu", **o), [(2, 5)], {}),
    "Conv1D": (lambda k, o: k.Conv1D(3, 2, **o), [(2, 6, 2)], {}),
    "Conv1D causal": (lambda k, o: k.Conv1D(3, 2, padding="causal", dilation_rate=2, activation="tanh", **o), [(2, 6, 2)], {}),
    "Conv1D same": (lambda k, o: k.Conv1D(3, 3, padding="same", strides=2, use_bias=False, **o), [(2, 5, 2)], {}),
    "Conv2D pairs": (lambda k, o: k.Conv2D(3, (2, 3), strides=(2, 1), padding="same", **o), [(2, 5, 4, 2)], {}),
    "Conv2DTranspose": (lambda k, o: k.Conv2DTranspose(3, 3, **o), [(2, 3, 4, 2)], {}),
    "Conv2DTranspose same": (lambda k, o: k.Conv2DTranspose(2, 5, strides=2, padding="same", use_bias=False, **o), [(2, 3, 3, 3)], {}),
    "Conv2DTranspose valid": (lambda k, o: k.Conv2DTranspose(2, 2, strides=3, activation="tanh", **o), [(1, 3, 3, 2)], {}),
    "Conv2DTranspose output_padding": (lambda k, o: k.Conv2DTranspose(2, 3, strides=2, padding="same", output_padding=1, **o), [(1, 3, 3, 2)], {}),
    "DepthwiseConv2D": (lambda k, o: k.DepthwiseConv2D(2, depth_multiplier=2, **o), [(2, 4, 4, 3)], {}),
    "AveragePooling2D": (lambda k, o: k.AveragePooling2D((2, 3), strides=2, padding="same", **o), [(2, 5, 6, 2)], {}),
    "AveragePooling1D": (lambda k, o: k.AveragePooling1D(3, strides=1, **o), [(2, 5, 2)], {}),
    "MaxPooling1D": (lambda k, o: k.MaxPooling1D(2, **o), [(2, 6, 1)], {}),
    "GlobalAveragePooling2D": (lambda k, o: k.GlobalAveragePooling2D(**o), [(2, 3, 4, 2)], {}),
    "GlobalMaxPooling2D": (lambda k, o: k.GlobalMaxPooling2D(keepdims=True, **o), [(1, 3, 2, 2)], {}),
    "GlobalAveragePooling1D": (lambda k, o: k.GlobalAveragePooling1D(**o), [(2, 5, 3)], {}),
    "GlobalMaxPooling1D": (lambda k, o: k.GlobalMaxPooling1D(**o), [(1, 4, 3)], {}),
    "ZeroPadding2D": (lambda k, o: k.ZeroPadding2D(((1, 0), (2, 3)), **o), [(2, 2, 3, 2)], {}),
    "Cropping2D": (lambda k, o: k.Cropping2D(((1, 0), (1, 1)), **o), [(2, 4, 5, 2)], {}),
    "UpSampling2D": (lambda k, o: k.UpSampling2D((2, 3), **o), [(2, 2, 3, 2)], {}),
    "UpSampling2D bilinear": (lambda k, o: k.UpSampling2D((2, 3), interpolation="bilinear", **o), [(2, 3, 2, 2)], {}),
    "Concatenate": (lambda k, o: k.Concatenate(axis=1, **o), [(2, 3, 2), (2, 1, 2)], {}),
    "Add": (lambda k, o: k.Add(**o), [(2, 3), (2, 3), (2, 1)], {}),
    "Subtract": (lambda k, o: k.Subtract(**o), [(2, 3), (2, 3)], {}),
    "Multiply": (lambda k, o: k.Multiply(**o), [(2, 3), (2, 3), (2, 3)], {}),
    "Average": (lambda k, o: k.Average(**o), [(2, 3), (2, 3), (2, 3)], {}),
    "Maximum": (lambda k, o: k.Maximum(**o), [(2, 3), (2, 3)], {}),
    "Minimum": (lambda k, o: k.Minimum(**o), [(2, 3), (2, 3)], {}),
    "Dot": (lambda k, o: k.Dot(axes=(2, 1), normalize=True, **o), [(2, 3, 4), (2, 4, 2)], {}),
    "Dot of vectors": (lambda k, o: k.Dot(axes=1, **o), [(2, 3), (2, 3)], {}),
    "LayerNormalization": (lambda k, o: k.LayerNormalization(**o), [(3, 2, 4)], {}),
    "LayerNormalization axes": (lambda k, o: k.LayerNormalization(axis=[1, 2], epsilon=1e-5, **o), [(3, 2, 4)], {}),
    "LayerNormalization middle": (lambda k, o: k.LayerNormalization(axis=1, center=False, **o), [(3, 4, 2)], {}),
    "UnitNormalization": (lambda k, o: k.UnitNormalization(**o), [(3, 4)], {}),
    "GroupNormalization": (lambda k, o: k.GroupNormalization(2, **o), [(3, 2, 2, 4)], {}),
    "GroupNormalization each": (lambda k, o: k.GroupNormalization(-1, scale=False, **o), [(2, 5, 3)], {}),
    "GroupNormalization axis": (lambda k, o: k.GroupNormalization(2, axis=1, epsilon=1e-5, **o), [(2, 4, 3)], {}),
    "RMSNormalization": (lambda k, o: k.RMSNormalization(**o), [(3, 2, 4)], {}),
    "SpectralNormalization": (lambda k, o: k.SpectralNormalization(k.Dense(3, **o), power_iterations=2, **o), [(2, 4)], {}),
    "SpectralNormalization training": (lambda k, o: k.SpectralNormalization(k.Conv2D(3, 2, **o), **o), [(2, 4, 4, 2)], {"training": True}),
    "PReLU": (lambda k, o: k.PReLU(**o), [(2, 3, 4)], {}),
    "PReLU shared": (lambda k, o: k.PReLU(shared_axes=[1], **o), [(2, 3, 4)], {}),
    "Identity": (lambda k, o: k.Identity(**o), [(2, 3)], {}),
    "ActivityRegularization": (lambda k, o: k.ActivityRegularization(0.25, 0.5, **o), [(2, 3)], {}),
    "Conv1DTranspose": (lambda k, o: k.Conv1DTranspose(3, 3, strides=2, padding="same", **o), [(2, 4, 2)], {}),
    "Conv1DTranspose valid": (lambda k, o: k.Conv1DTranspose(2, 4, strides=3, activation="tanh", **o), [(2, 3, 2)], {}),
    "Conv1DTranspose output_padding": (lambda k, o: k.Conv1DTranspose(2, 3, strides=2, padding="same", output_padding=1, **o), [(1, 3, 2)], {}),
    "Cropping1D": (lambda k, o: k.Cropping1D((1, 2), **o), [(2, 5, 3)], {}),
    "UpSampling1D": (lambda k, o: k.UpSampling1D(3, **o), [(2, 2, 3)], {}),
    "ZeroPadding1D": (lambda k, o: k.ZeroPadding1D((0, 2), **o), [(2, 2, 3)], {}),
    "GaussianDropout": (lambda k, o: k.GaussianDropout(0.5, **o), [(2, 3)], {}),
    "AlphaDropout": (lambda k, o: k.AlphaDropout(0.5, **o), [(2, 3)], {}),
    "Rescaling": (lambda k, o: k.Rescaling(0.5, offset=-1.0, **o), [(3, 4)], {}),
    "EinsumDense": (lambda k, o: k.EinsumDense("abc,cd->abd", output_shape=(None, 3), bias_axes="d", activation="tanh", **o), [(2, 3, 4)], {}),
    "Attention": (lambda k, o: k.Attention(**o), [(2, 3, 4), (2, 5, 4)], {}),
    "Attention scaled": (lambda k, o: k.Attention(use_scale=True, **o), [(2, 3, 4), (2, 5, 2), (2, 5, 4)], {}),
    "Attention concat": (lambda k, o: k.Attention(True, "concat", **o), [(2, 3, 4), (2, 3, 4)], {"use_causal_mask": True}),
    "Attention masked": (lambda k, o: k.Attention(**o), [(2, 2, 3), (2, 3, 3)], {"mask": MASKS}),
    "AdditiveAttention": (lambda k, o: k.AdditiveAttention(**o), [(2, 3, 4), (2, 5, 4)], {}),
    "MultiHeadAttention": (lambda k, o: k.MultiHeadAttention(2, 4, **o), [(2, 4, 5), (2, 3, 5)], {}),
    "MultiHeadAttention causal": (lambda k, o: k.MultiHeadAttention(2, 4, value_dim=2, use_bias=False, **o), [(2, 4, 5), (2, 4, 5)], {"use_causal_mask": True}),
    "MultiHeadAttention three": (lambda k, o: k.MultiHeadAttention(2, 4, output_shape=4, **o), [(2, 4, 5), (2, 3, 6), (2, 3, 2)], {}),
    "MultiHeadAttention axes": (lambda k, o: k.MultiHeadAttention(2, 4, attention_axes=(1, 2), **o), [(1, 2, 3, 4), (1, 3, 2, 4)], {}),
    "SimpleRNN": (lambda k, o: k.SimpleRNN(3, **o), [(2, 4, 2)], {}),
    "SimpleRNN all": (lambda k, o: k.SimpleRNN(3, activation="relu", use_bias=False, return_sequences=True, go_backwards=True, **o), [(2, 4, 2)], {}),
    "LSTM": (lambda k, o: k.LSTM(3, **o), [(2, 4, 2)], {}),
    "LSTM all": (lambda k, o: k.LSTM(3, return_sequences=True, go_backwards=True, activation="relu", recurrent_activation="hard_sigmoid", **o), [(2, 4, 2)], {}),
    "GRU": (lambda k, o: k.GRU(3, **o), [(2, 4, 2)], {}),
    "GRU before": (lambda k, o: k.GRU(3, reset_after=False, return_sequences=True, **o), [(2, 4, 2)], {}),
    "GRU without bias": (lambda k, o: k.GRU(3, use_bias=False, return_sequences=True, **o), [(2, 4, 2)], {}),
    "Bidirectional": (lambda k, o: k.Bidirectional(k.LSTM(3, return_sequences=True, **o), **o), [(2, 4, 2)], {}),
    "Bidirectional sum": (lambda k, o: k.Bidirectional(k.GRU(3, **o), merge_mode="sum", **o), [(2, 4, 2)], {}),
    "Bidirectional mul": (lambda k, o: k.Bidirectional(k.SimpleRNN(3, return_sequences=True, **o), merge_mode="mul", **o), [(2, 4, 2)], {}),
    "RNN of two": (lambda k, o: k.RNN([k.LSTMCell(3, **o), k.GRUCell(2, **o)], return_sequences=True, **o), [(2, 4, 2)], {}),
    "TimeDistributed": (lambda k, o: k.TimeDistributed(k.Dense(3, activation="tanh", **o), **o), [(2, 4, 2)], {}),
    "TimeDistributed conv": (lambda k, o: k.TimeDistributed(k.Conv2D(2, 2, **o), **o), [(2, 3, 3, 3, 1)], {}),
    "Dense regularized": (lambda k, o: k.Dense(3, kernel_regularizer=_kinds(k).L1L2(0.125, 0.25), bias_regularizer=_kinds(k).L2(0.5), activity_regularizer=_kinds(k).L1(0.0625), **o), [(2, 4)], {}),
}  # fmt: skip


def _kinds(layers: Any) -> Any:
    """The regularizers beside these layers."""
    import sys

    return sys.modules[layers.__name__.rpartition(".layers")[0]].regularizers


def weights_for(layer: Any, dtype: str) -> list[np.ndarray]:
    """Small numbers of ours, in the order of the layer's weights."""
    return [0.3 * numbers(*each.shape, seed=31 + place).astype(dtype) for place, each in enumerate(layer.weights)]


def of_layer(tf: Any, dtype: str, name: str) -> Arrays:
    """Output, gradients by inputs and weights, and the weights after five steps with momentum."""
    make, shapes, options = LAYERS[name]
    layer = make(tf.keras.layers, {"dtype": dtype})
    inputs = [tf.constant(numbers(*shape, seed=41 + place).astype(dtype)) for place, shape in enumerate(shapes)]
    attends = name.startswith("MultiHead")

    def call() -> Any:
        if attends:
            return layer(*inputs, **options)
        return layer(inputs if len(inputs) > 1 else inputs[0], **options)

    def loss_of(y: Any) -> Any:
        total = tf.reduce_sum(y * y * numbers(*y.shape, seed=9).astype(dtype))
        for each in layer.losses:
            total = total + tf.cast(each, dtype)
        return total

    call()
    layer.set_weights(weights_for(layer, dtype))
    with tf.GradientTape(persistent=True) as tape:
        for each in inputs:
            tape.watch(each)
        y = call()
        loss = loss_of(y)
    variables = layer.trainable_variables
    facts: Arrays = {"y": y, "loss": loss, "weights": [each.path.split("/", 1)[1] for each in layer.weights]}
    facts.update({f"by input {i}": each for i, each in enumerate(tape.gradient(loss, inputs))})
    if variables:
        facts.update({f"by weight {i}": each for i, each in enumerate(tape.gradient(loss, variables))})
        optimizer = tf.keras.optimizers.SGD(0.001, momentum=0.875)
        for _ in range(5):
            with tf.GradientTape() as step:
                loss = loss_of(call())
            optimizer.apply_gradients(zip(step.gradient(loss, variables), variables))
        facts.update({f"weight {i} after": each.numpy() for i, each in enumerate(layer.weights)})
    return facts


def states(tf: Any, dtype: str) -> Arrays:
    """Recurrent layers that give and take states, go on where they ended, and leave steps out."""
    layers, x = tf.keras.layers, tf.constant(numbers(2, 4, 2).astype(dtype))
    facts: Arrays = {}
    mask = np.array([[True, False, True, False], [False, True, True, True]])
    for name in ("SimpleRNN", "LSTM", "GRU"):
        layer = getattr(layers, name)(3, return_sequences=True, return_state=True, dtype=dtype)
        layer(x)
        layer.set_weights(weights_for(layer, dtype))
        y, *after = layer(x, mask=tf.constant(mask))
        again, *_ = layer(x, initial_state=after)
        facts.update({f"{name} y": y, f"{name} state": after[-1], f"{name} again": again})
    kept = layers.GRU(3, stateful=True, dtype=dtype)
    kept(x)
    kept.set_weights(weights_for(kept, dtype))
    kept.reset_states() if hasattr(kept, "reset_states") else kept.reset_state()
    facts["first"], facts["second"] = kept(x), kept(x)
    both = layers.Bidirectional(layers.LSTM(3, return_state=True, dtype=dtype), dtype=dtype)
    both(x)
    both.set_weights(weights_for(both, dtype))
    facts.update({f"both {i}": each for i, each in enumerate(both(x))})
    return facts


def attention_scores(tf: Any, dtype: str) -> Arrays:
    """The scores of an attention with a mask."""
    layer = tf.keras.layers.MultiHeadAttention(2, 4, dtype=dtype)
    x = tf.constant(numbers(2, 4, 5).astype(dtype))
    layer(x, x)
    layer.set_weights(weights_for(layer, dtype))
    mask = np.tri(4, dtype=bool)[None] & (np.arange(4) != 1)
    mask[:, 1, 0] = True
    y, scores = layer(x, x, attention_mask=tf.constant(np.repeat(mask, 2, 0)), return_attention_scores=True)
    return {"y": y, "scores": scores}


# ---- losses ----------------------------------------------------------------------------------------------------------------

_SIGNS = (classes(12, 2).reshape(4, 3)).astype("float64")
_ROWS = np.eye(3)[classes(4, 3)]
_LOGITS = numbers(4, 3, seed=1).astype("float64")
_CHANCES = np.exp(_LOGITS) / np.exp(_LOGITS).sum(-1, keepdims=True)
_SURE = 1 / (1 + np.exp(-_LOGITS))
_FAR = numbers(4, 3, seed=5).astype("float64")

LOSSES: dict[str, tuple[str, dict[str, Any], Any, Any]] = {
    "mape": ("MeanAbsolutePercentageError", {}, _FAR + 0.05, _LOGITS),
    "msle": ("MeanSquaredLogarithmicError", {}, np.abs(_FAR), np.abs(_LOGITS)),
    "cosine": ("CosineSimilarity", {}, _FAR, _LOGITS),
    "cosine 0": ("CosineSimilarity", {"axis": 0}, _FAR, _LOGITS),
    "huber": ("Huber", {}, _FAR, _LOGITS),
    "huber 0.5": ("Huber", {"delta": 0.5}, _FAR, _LOGITS),
    "log_cosh": ("LogCosh", {}, _FAR, _LOGITS),
    "hinge": ("Hinge", {}, _SIGNS, _LOGITS),
    "squared_hinge": ("SquaredHinge", {}, 2 * _SIGNS - 1, _LOGITS),
    "categorical_hinge": ("CategoricalHinge", {}, _ROWS, _LOGITS),
    "kl": ("KLDivergence", {}, _CHANCES[::-1].copy(), _CHANCES),
    "poisson": ("Poisson", {}, np.abs(_FAR), np.abs(_LOGITS) + 0.1),
    "binary": ("BinaryCrossentropy", {"label_smoothing": 0.1}, _SIGNS, _SURE),
    "focal": ("BinaryFocalCrossentropy", {}, _SIGNS, _SURE),
    "focal balanced": ("BinaryFocalCrossentropy", {"apply_class_balancing": True, "alpha": 0.4, "gamma": 3.0, "from_logits": True}, _SIGNS, _LOGITS),
    "categorical": ("CategoricalCrossentropy", {"from_logits": True, "label_smoothing": 0.1}, _ROWS, _LOGITS),
    "categorical focal": ("CategoricalFocalCrossentropy", {}, _ROWS, _CHANCES),
    "categorical focal logits": ("CategoricalFocalCrossentropy", {"gamma": 1.0, "from_logits": True}, _ROWS, _LOGITS),
    "sparse": ("SparseCategoricalCrossentropy", {"from_logits": True}, classes(4, 3), _LOGITS),
    "sparse, ignored": ("SparseCategoricalCrossentropy", {"from_logits": True, "ignore_class": 1}, np.array([0, 1, 2, 1]), _LOGITS),
    "dice": ("Dice", {}, _SIGNS, _SURE),
    "tversky": ("Tversky", {"alpha": 0.3, "beta": 0.7}, _SIGNS, _SURE),
}  # fmt: skip


def losses(tf: Any, dtype: str) -> Arrays:
    """Each loss reduced in every way, weighted, and its gradients."""
    facts: Arrays = {}
    for name, (kind, options, truth, guess) in LOSSES.items():
        if dtype == "float64" and name == "log_cosh":
            continue
        for reduction in ("sum_over_batch_size", "sum", "none"):
            y = tf.constant(guess.astype(dtype))
            with tf.GradientTape() as tape:
                tape.watch(y)
                loss = getattr(tf.keras.losses, kind)(reduction=reduction, dtype=dtype, **options)(
                    truth.astype(dtype) if truth.dtype.kind == "f" else truth, y
                )
            facts[f"{name}, {reduction}"], facts[f"{name}, {reduction}, by y"] = loss, tape.gradient(loss, y)
        if name not in ("dice", "tversky", "cosine 0", "sparse, ignored"):
            weights = np.array([1.0, 0.0, 2.0, 0.5]).astype(dtype)
            for reduction in ("sum_over_batch_size", "mean_with_sample_weight"):
                loss = getattr(tf.keras.losses, kind)(reduction=reduction, dtype=dtype, **options)
                facts[f"{name}, weighted, {reduction}"] = loss(
                    truth, tf.constant(guess.astype(dtype)), sample_weight=weights
                )
    return facts


# ---- metrics ---------------------------------------------------------------------------------------------------------------

_SCORES = np.random.RandomState(3).permutation(np.linspace(0.03, 0.98, 24)).reshape(8, 3)
_YES = classes(24, 2, seed=2).reshape(8, 3).astype("float64")

METRICS: dict[str, tuple[str, dict[str, Any], Any, Any]] = {
    "AUC": ("AUC", {}, _YES, _SCORES),
    "AUC PR": ("AUC", {"curve": "PR", "num_thresholds": 20}, _YES, _SCORES),
    "AUC PR minoring": ("AUC", {"curve": "PR", "summation_method": "minoring", "num_thresholds": 10}, _YES, _SCORES),
    "AUC majoring": ("AUC", {"summation_method": "majoring", "thresholds": [0.2, 0.5, 0.7]}, _YES, _SCORES),
    "AUC labels": ("AUC", {"multi_label": True, "num_labels": 3, "num_thresholds": 30}, _YES, _SCORES),
    "Precision": ("Precision", {}, _YES, _SCORES),
    "Precision many": ("Precision", {"thresholds": [0.1, 0.4, 0.8]}, _YES, _SCORES),
    "Precision top": ("Precision", {"top_k": 2}, _YES, _SCORES),
    "Recall": ("Recall", {}, _YES, _SCORES),
    "Recall class": ("Recall", {"class_id": 1, "thresholds": 0.3}, _YES, _SCORES),
    "Recall top": ("Recall", {"top_k": 1}, _YES, _SCORES),
    "TruePositives": ("TruePositives", {}, _YES, _SCORES),
    "FalsePositives": ("FalsePositives", {"thresholds": [0.25, 0.75]}, _YES, _SCORES),
    "TrueNegatives": ("TrueNegatives", {}, _YES, _SCORES),
    "FalseNegatives": ("FalseNegatives", {}, _YES, _SCORES),
    "RootMeanSquaredError": ("RootMeanSquaredError", {}, _YES, _SCORES),
    "MeanSquaredLogarithmicError": ("MeanSquaredLogarithmicError", {}, _YES, _SCORES),
    "MeanAbsolutePercentageError": ("MeanAbsolutePercentageError", {}, _YES + 0.5, _SCORES),
    "CosineSimilarity": ("CosineSimilarity", {}, _YES + 0.1, _SCORES),
    "LogCoshError": ("LogCoshError", {}, _YES, _SCORES),
    "TopKCategoricalAccuracy": ("TopKCategoricalAccuracy", {"k": 2}, np.eye(3)[classes(8, 3)], _SCORES),
    "SparseTopKCategoricalAccuracy": ("SparseTopKCategoricalAccuracy", {"k": 2}, classes(8, 3), _SCORES),
    "SparseCategoricalCrossentropy": ("SparseCategoricalCrossentropy", {}, classes(8, 3), _SCORES),
    "CategoricalCrossentropy": ("CategoricalCrossentropy", {"from_logits": True}, np.eye(3)[classes(8, 3)], _SCORES),
    "BinaryCrossentropy": ("BinaryCrossentropy", {}, _YES, _SCORES),
    "KLDivergence": ("KLDivergence", {}, _SCORES[::-1].copy(), _SCORES),
    "Poisson": ("Poisson", {}, _YES, _SCORES),
    "Hinge": ("Hinge", {}, _YES, _SCORES),
    "SquaredHinge": ("SquaredHinge", {}, _YES, _SCORES),
    "CategoricalHinge": ("CategoricalHinge", {}, np.eye(3)[classes(8, 3)], _SCORES),
    "F1Score": ("F1Score", {}, np.eye(3)[classes(8, 3)], _SCORES),
    "F1Score micro": ("F1Score", {"average": "micro", "threshold": 0.5}, _YES, _SCORES),
    "F1Score weighted": ("F1Score", {"average": "weighted"}, np.eye(3)[classes(8, 3)], _SCORES),
    "R2Score": ("R2Score", {}, _YES, _SCORES),
}  # fmt: skip


def metrics(tf: Any, dtype: str) -> Arrays:
    """Each metric after one batch, after two, and of weighted examples."""
    facts: Arrays = {}
    for name, (kind, options, truth, guess) in METRICS.items():
        metric = getattr(tf.keras.metrics, kind)(**options)
        truth, guess = (each.astype("float32") if each.dtype.kind == "f" else each for each in (truth, guess))
        facts[f"{name}, named"] = metric.name
        for part, rows in (("first", slice(5)), ("both", slice(5, None))):
            metric.update_state(truth[rows], guess[rows])
            facts[f"{name}, {part}"] = np.asarray(metric.result())
        metric.reset_state()
        metric.update_state(truth, guess, sample_weight=np.array([1.0, 0.0, 2.0, 1.0, 0.5, 0.0, 1.0, 3.0], "float32"))
        facts[f"{name}, weighted"] = np.asarray(metric.result())
    iou = tf.keras.metrics.MeanIoU(num_classes=3)
    iou.update_state(classes(9, 3), classes(9, 3, seed=1))
    facts["MeanIoU"] = np.asarray(iou.result())
    mean = tf.keras.metrics.Mean()
    mean.update_state(_SCORES.astype("float32"), sample_weight=np.arange(8).astype("float32"))
    facts["Mean"], facts["Mean, state"] = np.asarray(mean.result()), np.array([float(each) for each in mean.variables])
    return facts


# ---- optimizers and schedules ------------------------------------------------------------------------------------------------

# In float64 Keras rounds some of its own numbers to float32 (`differences.md`): these are the same in both.
betas = {"beta_1": 0.875, "beta_2": 0.96875}
OPTIMIZERS: dict[str, Callable[[Any], Any]] = {
    "SGD clipnorm": lambda k: k.SGD(0.1, momentum=0.875, clipnorm=1.0),
    "SGD clipvalue": lambda k: k.SGD(0.1, clipvalue=0.5),
    "SGD global_clipnorm": lambda k: k.SGD(0.1, nesterov=True, momentum=0.5, global_clipnorm=2.0),
    "SGD weight_decay": lambda k: k.SGD(0.1, weight_decay=0.0625),
    "Adam amsgrad": lambda k: k.Adam(0.05, amsgrad=True, **betas),
    "Adam weight_decay": lambda k: k.Adam(0.05, weight_decay=0.03125, clipnorm=0.5, **betas),
    "AdamW": lambda k: k.AdamW(0.05, weight_decay=0.0078125, **betas),
    "AdamW decay": lambda k: k.AdamW(0.05, weight_decay=0.125, amsgrad=True, **betas),
    "Nadam": lambda k: k.Nadam(0.05, **betas),
    "Adamax": lambda k: k.Adamax(0.05, **betas),
    "Adagrad": lambda k: k.Adagrad(0.1, initial_accumulator_value=0.125),
    "Adagrad start": lambda k: k.Adagrad(0.1, initial_accumulator_value=0.5),
    "Adadelta": lambda k: k.Adadelta(1.0),
    "RMSprop momentum": lambda k: k.RMSprop(0.01, momentum=0.875),
    "RMSprop centered": lambda k: k.RMSprop(0.01, centered=True, rho=0.8),
    "RMSprop both": lambda k: k.RMSprop(0.01, momentum=0.5, centered=True),
    "Ftrl": lambda k: k.Ftrl(0.05, initial_accumulator_value=0.125),
    "Ftrl l1": lambda k: k.Ftrl(
        0.1,
        initial_accumulator_value=0.25,
        l1_regularization_strength=0.125,
        l2_regularization_strength=0.0625,
        l2_shrinkage_regularization_strength=0.03125,
        beta=0.5,
    ),
    "Lion": lambda k: k.Lion(0.03125, **betas),
    "Lion decay": lambda k: k.Lion(0.03125, weight_decay=0.125, clipnorm=1.0, **betas),
    "Lamb": lambda k: k.Lamb(0.05, **betas),
    "Adafactor": lambda k: k.Adafactor(0.5),
    "Adafactor slow": lambda k: k.Adafactor(0.0625, relative_step=False, clip_threshold=0.5, weight_decay=0.125),
    "exponential": lambda k: k.SGD(k.schedules.ExponentialDecay(0.1, 2, 0.5)),
    "cosine": lambda k: k.Adam(k.schedules.CosineDecay(0.1, 4), **betas),
    "Adam defaults": lambda k: k.Adam(),
    "AdamW defaults": lambda k: k.AdamW(),
    "Nadam defaults": lambda k: k.Nadam(),
    "RMSprop defaults": lambda k: k.RMSprop(),
    "Adagrad defaults": lambda k: k.Adagrad(),
}
_SLOTS = (
    "velocity_hat", "velocity", "average_gradient", "accumulated_grad", "accumulated_delta_var", "accumulator", "momentum", "norm",
    "linear",
)  # fmt: skip


def slot_of(name: str) -> str | None:
    """Which slot an optimizer's variable is."""
    name = name.split(":")[0]
    return next((slot for slot in _SLOTS if name == slot or name.endswith(f"_{slot}")), None)


def optimizers(tf: Any, dtype: str) -> Arrays:
    """Weights and slots after five steps."""
    facts: Arrays = {}
    for name, make in OPTIMIZERS.items():
        if dtype == "float64" and (name.endswith("defaults") or name == "Nadam"):
            continue
        optimizer = make(tf.keras.optimizers)
        weights = [tf.Variable(numbers(2, 3).astype(dtype)), tf.Variable(np.asarray(1.5, dtype))]
        for step in range(5):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum((weights[0] * weights[1] - 1.0) ** 2.0) * (0.5 + step)
            optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
        facts.update({f"{name}, weight {i}": each.numpy() for i, each in enumerate(weights)})
        seen: dict[str, int] = {}
        for variable in optimizer.variables:
            slot = slot_of(variable.name)
            if slot is not None:
                seen[slot] = seen.get(slot, -1) + 1
                facts[f"{name}, {slot} {seen[slot]}"] = variable.numpy()
        facts[f"{name}, rate"], facts[f"{name}, steps"] = (
            np.asarray(optimizer.learning_rate),
            np.asarray(optimizer.iterations),
        )
    return facts


CLIPPED: dict[str, Callable[[Any], Callable[[list[Any]], list[Any]]]] = {
    "by global norm": lambda tf: lambda slopes: tf.clip_by_global_norm(slopes, 1.0)[0],
    "by norm": lambda tf: lambda slopes: [tf.clip_by_norm(each, 0.5) for each in slopes],
    "by value": lambda tf: lambda slopes: [tf.clip_by_value(each, -0.5, 0.5) for each in slopes],
}


def slices(tf: Any, dtype: str) -> Arrays:
    """A table from which rows were picked, some several times and in two places: weights after three steps."""
    facts: Arrays = {}
    makes = {name: make for name, make in OPTIMIZERS.items() if dtype == "float32" or not name.endswith("defaults")}
    makes.update({
        "Adam global_clipnorm": lambda k: k.Adam(0.1, global_clipnorm=0.5, **betas),
        "Adam clipvalue": lambda k: k.Adam(0.1, clipvalue=0.25, **betas),
        **{name: lambda k: k.Adam(0.1, **betas) for name in CLIPPED},
    })  # fmt: skip
    for name in ("RMSprop centered", "Lamb", "Adafactor", "Adafactor slow"):  # which Keras cannot do
        del makes[name]
    if dtype == "float64":
        del makes["Nadam"]
    for name, make in makes.items():
        optimizer, table = make(tf.keras.optimizers), tf.Variable(numbers(4, 3).astype(dtype))
        for _ in range(3):
            with tf.GradientTape() as tape:
                picked = tf.nn.embedding_lookup(table, [[1, 1], [2, 1]])
                loss = tf.reduce_sum(picked * picked * numbers(2, 2, 3, seed=3).astype(dtype))
                loss += tf.reduce_sum(tf.gather(table, [2, 3, 2]) ** 2.0)
            (slope,) = CLIPPED.get(name, lambda tf: list)(tf)(tape.gradient(loss, [table]))
            optimizer.apply_gradients([(slope, table)])
        facts[f"{name}, rows"], facts[f"{name}, values"] = slope.indices, slope.values
        facts[f"{name}, table"] = table.numpy()
    return facts


SCHEDULES: dict[str, Callable[[Any], Any]] = {
    "exponential": lambda k: k.ExponentialDecay(0.3, 7, 0.9),
    "exponential stairs": lambda k: k.ExponentialDecay(0.3, 7, 0.9, staircase=True),
    "inverse": lambda k: k.InverseTimeDecay(0.3, 7, 0.9),
    "inverse stairs": lambda k: k.InverseTimeDecay(0.3, 7, 0.9, staircase=True),
    "piecewise": lambda k: k.PiecewiseConstantDecay([5, 14], [0.3, 0.2, 0.1]),
    "polynomial": lambda k: k.PolynomialDecay(0.3, 10, 0.01, power=2.0),
    "polynomial cycle": lambda k: k.PolynomialDecay(0.3, 10, 0.01, power=0.5, cycle=True),
    "cosine": lambda k: k.CosineDecay(0.3, 12, alpha=0.1),
    "cosine warm": lambda k: k.CosineDecay(0.0, 12, warmup_target=0.3, warmup_steps=4),
    "restarts": lambda k: k.CosineDecayRestarts(0.3, 5, t_mul=1.5, m_mul=0.9, alpha=0.05),
    "restarts alike": lambda k: k.CosineDecayRestarts(0.3, 5, t_mul=1.0),
}


def schedules(tf: Any, dtype: str) -> Arrays:
    """The rates of the first steps."""
    kinds = tf.keras.optimizers.schedules
    return {name: np.array([float(make(kinds)(step)) for step in range(24)]) for name, make in SCHEDULES.items()}


def constraints(tf: Any, dtype: str) -> Arrays:
    """What constraints make of a weight."""
    kinds, w = tf.keras.constraints, tf.constant(numbers(3, 4).astype(dtype))
    made = {
        "max": kinds.MaxNorm(1.0), "non_neg": kinds.NonNeg(), "unit": kinds.UnitNorm(axis=1),
        "between": kinds.MinMaxNorm(0.5, 1.0, rate=0.7),
    }  # fmt: skip
    return {name: each(w) for name, each in made.items()}


PARTS: dict[str, Callable[[Any, str], Arrays]] = {
    **{f"layer {name}": (lambda tf, dtype, name=name: of_layer(tf, dtype, name)) for name in LAYERS},
    "states": states, "attention scores": attention_scores, "losses": losses, "metrics": metrics, "optimizers": optimizers, "slices": slices,
    "schedules": schedules, "constraints": constraints,
}  # fmt: skip
ONLY_FLOAT32 = {  # Keras computes these, or with numbers of its own, in float32, whatever comes in
    "metrics", "schedules", "layer LeakyReLU", "layer UpSampling2D bilinear",
}  # fmt: skip
