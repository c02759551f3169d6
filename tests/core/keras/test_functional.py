"""Functional models: symbols, the calls that they remember, and the models between them."""

from __future__ import annotations

import re

import numpy as np
import pytest

import minitape as tf
from minitape.record.events import listening
from tests.core.keras.programs import filled, numbers
from tests.support import said

layers = tf.keras.layers


@pytest.fixture(autouse=True)
def fresh_names():
    tf.keras.utils.clear_session()


def net():
    """Two inputs that meet, a layer that is used twice, and two outputs."""
    a, b = tf.keras.Input((3,), name="a"), tf.keras.Input((2,))
    twice = layers.Dense(3, activation="tanh")
    joined = layers.Lambda(lambda pair: tf.concat(pair, 1))([twice(twice(a)), layers.Dense(2)(b)])
    y = layers.Dense(2)(joined)
    return filled(tf.keras.Model([a, b], [y, layers.Dense(1)(y)]))


# ---- symbols -----------------------------------------------------------------------------------------------------------------


def test_a_symbol_has_a_shape_and_no_numbers():
    x = tf.keras.Input((None, 4), dtype="float64")
    assert (
        repr(x.dtype) == "'float64'"
        and repr(x)
        == "<KerasTensor shape=(None, None, 4), dtype=float64, sparse=False, ragged=False, name=keras_tensor>"
    )
    with pytest.raises(TypeError, match=r"cannot be used as a boolean[\s\S]*tf.keras.ops.where"):
        bool(x)
    programs = (lambda: tf.sin(x), lambda: tf.ones([4]) - x, lambda: list(x))
    for program in programs:
        with pytest.raises(ValueError, match=r"^A KerasTensor cannot be used as input to a TensorFlow function"):
            program()


@pytest.mark.parametrize(
    ("layer", "shape", "made"),
    [
        (lambda: layers.Dense(3), (None, 4), (None, None, 3)),
        (lambda: layers.Conv2D(2, 3), (None, None, 1), (None, None, None, 2)),
        (lambda: layers.Conv2D(2, 3, padding="same", strides=2), (9, 8, 1), (None, 5, 4, 2)),
        (lambda: layers.Flatten(), (3, 4), (None, 12)),
        (lambda: layers.Lambda(lambda x: tf.reduce_sum(x, 1)), (None, 4), (None, 4)),
        (lambda: layers.Lambda(lambda x: tf.reshape(x, [-1, 2])), (6,), (None, 2)),
        (lambda: layers.Embedding(5, 2), (3,), (None, 3, 2)),
        (lambda: tf.keras.Sequential([layers.Dense(3), layers.Dense(2)]), (4,), (None, 2)),
    ],
)  # fmt: skip
def test_a_layer_on_a_symbol_finds_out_the_shape(layer, shape, made):
    """An open length stays open wherever it comes through; nothing is recorded, and nobody hears it."""
    each, x = layer(), tf.keras.Input(shape)
    with tf.GradientTape() as tape:
        assert each(x).shape == made
    assert tape.entries == () and each.built
    lengths = [7 if length is None else length for length in shape]
    assert each(tf.zeros([5, *lengths])).shape.is_compatible_with(made)


def test_weights_are_made_where_all_can_see_it():
    class Scaled(layers.Layer):
        def build(self, shape):
            self.scale = self.add_weight(shape=[shape[-1]], initializer="ones", name="scale")

        def call(self, x):
            return x * self.scale

    x, heard = tf.keras.Input((2,)), []
    with listening(lambda event, tensors: heard.append(event.kind)):
        Scaled()(x)
    assert "made" in heard and "op" not in heard


def test_a_length_that_is_given_is_not_open():
    assert layers.Dense(3)(tf.keras.Input((2,), batch_size=4)).shape == (4, 3)


# ---- models ------------------------------------------------------------------------------------------------------------------


def test_a_model_repeats_the_calls_of_its_layers():
    model = net()
    assert type(model) is tf.keras.models.Functional and isinstance(model, tf.keras.Model)
    assert [each.name for each in model.layers] == [
        "a",
        "dense",
        "input_layer",
        "dense_1",
        "lambda",
        "dense_2",
        "dense_3",
    ]
    a, b = numbers(4, 3), numbers(4, 2, seed=1)
    y, z = model([a, b])
    first, second, third, last = model.layers[1], model.layers[3], model.layers[5], model.layers[6]
    np.testing.assert_array_equal(y, third(tf.concat([first(first(a)), second(b)], 1)))
    np.testing.assert_array_equal(z, last(y))
    assert len(model.trainable_variables) == 8, "a layer that is used twice has its weights once"


def test_structures_go_in_and_come_out():
    x = tf.keras.Input((2,))
    model = tf.keras.Model({"x": x}, {"twice": layers.Lambda(lambda x: 2.0 * x)(x), "same": x})
    answer = model({"x": tf.ones([1, 2])})
    assert answer["twice"].numpy().tolist() == [[2.0, 2.0]] and answer["same"].numpy().tolist() == [[1.0, 1.0]]


def test_a_layer_of_several_outputs_and_of_keywords():
    class Both(layers.Layer):
        def call(self, x, other=None, scale=1.0):
            return scale * x, x + other

    x = tf.keras.Input((2,))
    scaled, added = Both()(x, other=x, scale=3.0)
    model = tf.keras.Model(x, [added, scaled])
    assert [each.numpy().tolist() for each in model(tf.ones([1, 2]))] == [[[2.0, 2.0]], [[3.0, 3.0]]]
    inner = tf.keras.Model(x, layers.Dense(1, kernel_initializer="ones")(model(x)[1]))
    assert inner(tf.ones([1, 2])).numpy() == [[6.0]], "a model is a layer of another"


def test_a_model_from_the_middle_of_another_shares_its_weights():
    x = tf.keras.Input((3,))
    hidden = layers.Dense(4)(x)
    whole, front = tf.keras.Model(x, layers.Dense(1)(hidden)), tf.keras.Model(x, hidden)
    assert front.layers[1] is whole.layers[1] and len(front.variables) == 2
    back = tf.keras.Model(hidden, whole.outputs[0])
    value = tf.constant(numbers(2, 3))
    np.testing.assert_array_equal(back(front(value)), whole(value))


def test_tapes_see_the_layers_inside():
    model = net()
    with tf.GradientTape() as tape:
        y, z = model([tf.ones([1, 3]), tf.ones([1, 2])])
        loss = tf.reduce_sum(y) + tf.reduce_sum(z)
    assert [each.application.context.layer for each in tape.entries if each.application.op == "matmul"] == [
        "dense", "dense", "dense_1", "dense_2", "dense_3",
    ]  # fmt: skip
    assert all(each is not None for each in tape.gradient(loss, model.trainable_variables))


def test_a_functional_model_is_fitted():
    x = tf.keras.Input((1,))
    model = tf.keras.Model(x, layers.Dense(1, kernel_initializer="zeros")(x))
    model.compile(tf.keras.optimizers.SGD(0.3), "mse")
    inputs = np.linspace(-1, 1, 16, dtype="float32")[:, None]
    history = model.fit(inputs, 3 * inputs + 1, epochs=60, verbose=0)
    assert history.history["loss"][-1] < 1e-3 < history.history["loss"][0]


# ---- what Keras prints of them -----------------------------------------------------------------------------------------------

NET = """\
Model: "functional"
┏━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━┓
┃ Layer (type)        ┃ Output Shape      ┃    Param # ┃ Connected to      ┃
┡━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━┩
│ a (InputLayer)      │ (None, 3)         │          0 │ -                 │
├─────────────────────┼───────────────────┼────────────┼───────────────────┤
│ dense (Dense)       │ (None, 3)         │         12 │ a[0][0],          │
│                     │                   │            │ dense[0][0]       │
├─────────────────────┼───────────────────┼────────────┼───────────────────┤
│ input_layer         │ (None, 2)         │          0 │ -                 │
│ (InputLayer)        │                   │            │                   │
├─────────────────────┼───────────────────┼────────────┼───────────────────┤
│ dense_1 (Dense)     │ (None, 2)         │          6 │ input_layer[0][0] │
├─────────────────────┼───────────────────┼────────────┼───────────────────┤
│ lambda (Lambda)     │ (None, 5)         │          0 │ dense[1][0],      │
│                     │                   │            │ dense_1[0][0]     │
├─────────────────────┼───────────────────┼────────────┼───────────────────┤
│ dense_2 (Dense)     │ (None, 2)         │         12 │ lambda[0][0]      │
├─────────────────────┼───────────────────┼────────────┼───────────────────┤
│ dense_3 (Dense)     │ (None, 1)         │          3 │ dense_2[0][0]     │
└─────────────────────┴───────────────────┴────────────┴───────────────────┘
 Total params: 33 (132.00 B)
 Trainable params: 33 (132.00 B)
 Non-trainable params: 0 (0.00 B)
"""


def test_the_table_of_a_net_says_what_is_connected(capsys: pytest.CaptureFixture[str]) -> None:
    net().summary()
    assert capsys.readouterr().out == NET


CHAIN = """\
│ input_layer (InputLayer)        │ (None, 8, 8, 1)        │             0 │
├─────────────────────────────────┼────────────────────────┼───────────────┤
│ a_layer_whose_name_is_far_too_… │ (None, 6, 6, 4)        │            40 │
│ (Conv2D)                        │                        │               │
├─────────────────────────────────┼────────────────────────┼───────────────┤
│ flatten (Flatten)               │ (None, 144)            │             0 │
"""


def test_the_table_of_a_chain(capsys: pytest.CaptureFixture[str]) -> None:
    x = tf.keras.Input((8, 8, 1))
    y = layers.Flatten()(layers.Conv2D(4, 3, name="a_layer_whose_name_is_far_too_long_for_a_table")(x))
    tf.keras.Model(x, y).summary()
    assert CHAIN in capsys.readouterr().out


def test_refusals():
    a, b = tf.keras.Input((3,), name="a"), tf.keras.Input((2,), name="b")
    for program, says in (
        (lambda: tf.keras.Model(1, 2), "All `inputs` values must be KerasTensors. Received: inputs=1"),
        (lambda: layers.Dense(1)(tf.keras.Input(())), "expected min_ndim=2, found ndim=1"),
        (lambda: tf.keras.Model(a, tf.ones([1])), "All `outputs` values must be KerasTensors."),
        (lambda: tf.keras.Model(a, layers.Dense(1)(b)), "Output with name 'b' is not connected to `inputs`"),
        (
            lambda: tf.keras.Model([a, b], [a, b])(tf.ones([1, 3])),
            "expects 2 input(s), but it received 1 input tensors.",
        ),
    ):
        with pytest.raises(ValueError) as caught:
            program()
        assert says in said(caught.value)


def test_a_class_of_ones_own_between_symbols():
    class Own(tf.keras.Model):
        def train_step(self, data):
            return {"loss": tf.constant(3.0)}

    class Wide(Own):
        def __init__(self, width):
            x = tf.keras.Input((width,))
            super().__init__(inputs=x, outputs=tf.keras.layers.Dense(2, kernel_initializer="ones")(x), name="wide")

    x = tf.keras.Input((3,))
    plain, wide = Own(x, tf.keras.layers.Dense(1, kernel_initializer="ones")(x)), Wide(3)
    assert plain(tf.ones([1, 3])).numpy() == 3.0 and wide(tf.ones([1, 3])).numpy().tolist() == [[3.0, 3.0]]
    assert (wide.name, wide.output_shape, len(wide.layers)) == ("wide", (None, 2), 2)
    wide.compile("sgd")
    assert wide.fit(np.ones((2, 3)), verbose=0).history == {"loss": [3.0]}


def test_a_width_may_be_said_as_input_dim_and_a_summary_handed_to_a_function():
    lines = []
    model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_dim=3)])
    model.summary(print_fn=lines.append)
    assert model.output_shape == (None, 2) and "(None, 2)" in lines[0]


def test_shapes_of_several_inputs_are_a_list():
    a, b = tf.keras.Input((3,), name="a"), tf.keras.Input((2,), name="b")
    model = tf.keras.Model({"b": b, "a": a}, {"out": layers.Dense(1)(a)})
    assert model.input_shape == [(None, 3), (None, 2)] and model.output_shape == (None, 1)
    assert tf.keras.Model([a], layers.Dense(1)(a)).input_shape == (None, 3)


@pytest.mark.parametrize("kind", ["layer", "sequential", "model of symbols"])
def test_what_a_layer_is_told_of_training_where_the_model_is_made_stands(kind: str) -> None:
    """As the guide on transfer learning says; Keras 3.15 trains the layer all the same."""
    norm, x = layers.BatchNormalization(), tf.keras.Input((3,))
    inside = {
        "layer": lambda: norm,
        "sequential": lambda: tf.keras.Sequential([tf.keras.Input((3,)), norm]),
        "model of symbols": lambda: tf.keras.Model(x, norm(x)),
    }[kind]()
    model = tf.keras.Model(x, layers.Dense(1)(inside(x, training=False)))
    model(tf.ones([4, 3]), training=True)
    model.compile("sgd", "mse")
    model.fit(tf.ones([4, 3]), tf.ones([4, 1]), verbose=0)
    assert norm.moving_mean.numpy().tolist() == [0.0, 0.0, 0.0]
    inside(tf.ones([4, 3]), training=True)
    assert norm.moving_mean.numpy().all()


def test_lengths_that_are_not_known_stay_so_in_a_layer_of_ones_own() -> None:
    """Found by two runs on zeros: the length of the first stood there, as a number."""

    class Own(layers.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.inner = layers.Embedding(20, 4)

        def call(self, x):
            return self.inner(x), tf.reduce_sum(x, 1)

    own = Own()
    model = tf.keras.Model(x := tf.keras.Input((None,), dtype="int64"), own(x)[0])
    assert own.output_shape == ((None, None, 4), (None,)) and own.inner.output_shape == (None, None, 4)
    assert model(tf.ones([2, 5], tf.int64)).shape == (2, 5, 4) and own.output_shape[0] == (None, None, 4)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"layer_range": "dense"}, "should be the names of the first and the last layer, got 'dense'"),
        (
            {"layer_range": ["dense", "nowhere"]},
            "do not match the layer names in the model. Received: ['dense', 'nowhere']",
        ),
        ({"positions": [0.5, 1.0]}, "2 of them for 4 columns"),
        ({"line_length": 12}, "Insufficient console width"),
    ],
)
def test_what_a_summary_cannot_take(options: dict[str, object], says: str) -> None:
    with pytest.raises(ValueError) as caught:
        net().summary(**options)
    assert says in said(caught.value)


def test_a_sequential_takes_no_name_from_models_of_symbols() -> None:
    tf.keras.Sequential([tf.keras.Input((3,)), layers.Dense(2)])
    x = tf.keras.Input((3,))
    assert tf.keras.Model(x, layers.Dense(1)(x)).name == "functional"


def test_functions_of_symbols_are_operations_and_no_layers() -> None:
    x = tf.keras.Input((3,))
    model = tf.keras.Model(x, layers.Dense(1, name="last")(tf.keras.ops.exp(x[:, :2]) * 2.0))
    assert [layer.name for layer in model.layers] == ["input_layer", "last"]
    assert [one.name for one in model.operations] == ["input_layer", "get_item", "exp", "multiply", "last"]
    assert len(tf.keras.models.clone_model(model).operations) == 5


def test_inputs_get_the_axes_of_their_symbols():
    """As in Keras: a last axis of one number is added or left out, so that x may be a row of numbers."""
    x = tf.keras.Input((1,), name="a")
    line = tf.keras.Model(x, tf.keras.layers.Dense(2, kernel_initializer="ones")(x))
    stack = tf.keras.Sequential([tf.keras.Input((1,)), tf.keras.layers.Dense(2, kernel_initializer="ones")])
    numbers = np.array([1.0, 2.0, 3.0], "float32")
    for model in (line, stack):
        assert model(numbers).numpy().tolist() == model(numbers[:, None]).numpy().tolist() == [[1, 1], [2, 2], [3, 3]]
        assert model.predict(numbers).shape == (3, 2)
    stack.compile("sgd", "mse")
    assert len(stack.fit(numbers, np.ones((3, 2)), epochs=2, verbose=0).epoch) == 2
    words = tf.keras.Input(())
    table = tf.keras.Model(words, tf.keras.layers.Embedding(9, 2)(words))
    assert table(np.ones((6, 1), int)).shape == (6, 2)
    with tf.GradientTape() as tape:
        v = tf.Variable(numbers)
        y = line(v)
    assert tape.gradient(y, v).numpy().tolist() == [2.0, 2.0, 2.0]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (
            np.ones((2, 3, 4), "float32"),
            "Input 0 with name 'x' of layer 'net' is incompatible with the layer: expected ",
        ),
        (np.ones(4, "float32"), "expected shape=(None, 4), found shape=(4,)"),
        (
            {"y": np.ones((2, 4))},
            "Missing data for input \"x\". You passed a data dictionary with keys ['y']. Expected ",
        ),
    ],
)
def test_inputs_that_are_others_than_the_symbols(given: object, says: str):
    x = tf.keras.Input((4,), name="x")
    model = tf.keras.Model(x, tf.keras.layers.Dense(2)(x), name="net")
    with pytest.raises(ValueError, match=re.escape(says)):
        model(given)
    with pytest.raises(ValueError, match="Missing data for input"):
        tf.keras.Model({"x": x}, model(x))({"z": np.ones((2, 4))})
