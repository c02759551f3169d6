"""What objects were made with, and what is kept of models."""

from __future__ import annotations

import doctest
import inspect
import json
from operator import attrgetter

import numpy as np
import pytest

import minitape as tf
from tests.core.keras.parts import LAYERS, LOSSES, METRICS, OPTIMIZERS, SCHEDULES, weights_for
from tests.core.keras.programs import numbers

keras = tf.keras
layers = keras.layers


def called(layer, name: str):
    _, shapes, options = LAYERS[name]
    inputs = [tf.constant(numbers(*shape, seed=place)) for place, shape in enumerate(shapes)]
    return (
        layer(*inputs, **options) if name.startswith("MultiHead") else layer(inputs if len(inputs) > 1 else inputs[0])
    )


@pytest.mark.parametrize("name", LAYERS)
def test_a_layer_is_made_again_from_its_config(name: str):
    layer = LAYERS[name][0](layers, {})
    config = layer.get_config()
    twin = type(layer).from_config(json.loads(json.dumps(config)))
    assert json.dumps(twin.get_config()) == json.dumps(config) and twin.name == layer.name
    y = called(layer, name)
    called(twin, name)
    assert [each.shape for each in twin.weights] == [each.shape for each in layer.weights]
    for each in (layer, twin):
        each.set_weights(weights_for(each, "float32"))
    assert np.array_equal(called(layer, name), called(twin, name)) and y.shape == called(twin, name).shape


@pytest.mark.parametrize("name", LAYERS)
def test_a_layer_on_symbols_foretells_its_shape(name: str):
    make, shapes, options = LAYERS[name]
    layer = make(layers, {})
    symbols = [keras.Input(shape[1:]) for shape in shapes]
    y = (
        layer(*symbols, **options)
        if name.startswith("MultiHead")
        else layer(symbols if len(symbols) > 1 else symbols[0])
    )
    assert y.shape == (None, *called(make(layers, {}), name).shape[1:])


def test_losses_metrics_optimizers_and_schedules_are_made_again():
    for kind, options, *_ in LOSSES.values():
        loss = getattr(keras.losses, kind)(**options)
        twin = keras.losses.deserialize(json.loads(json.dumps(keras.losses.serialize(loss))))
        assert type(twin) is type(loss) and twin.get_config() == loss.get_config()
    for kind, options, *_ in METRICS.values():
        metric = getattr(keras.metrics, kind)(**options)
        assert keras.metrics.deserialize(keras.metrics.serialize(metric)).get_config() == metric.get_config()
    for make in OPTIMIZERS.values():
        optimizer = make(keras.optimizers)
        twin = keras.optimizers.deserialize(json.loads(json.dumps(keras.optimizers.serialize(optimizer))))
        assert type(twin) is type(optimizer) and twin.get_config() == optimizer.get_config()
    for make in SCHEDULES.values():
        schedule = make(keras.optimizers.schedules)
        twin = type(schedule).from_config(schedule.get_config())
        assert [float(twin(step)) for step in range(5)] == [float(schedule(step)) for step in range(5)]


def test_a_class_of_ones_own_says_what_it_was_made_with():
    class Scale(layers.Layer):
        def __init__(self, factor=2.0, **options):
            super().__init__(**options)
            self.factor = factor

    class Hidden(layers.Layer):
        def __init__(self, factor):
            super().__init__()
            self.by = factor

    class Said(layers.Dense):
        def __init__(self, width, **options):
            super().__init__(width, **options)

        def get_config(self):
            config = super().get_config()
            return {"width": config.pop("units"), **config}

    assert Scale.from_config(Scale(3.0, name="s").get_config()).factor == 3.0
    with pytest.raises(NotImplementedError, match=r"(?s)takes \['factor'\].*self.factor = factor"):
        Hidden(1.0).get_config()
    assert Said.from_config(Said(3, activation="tanh").get_config()).units == 3


def test_models_are_made_again():
    x = [numbers(4, 3), numbers(4, 2, seed=1)]
    model = keras.Model(*_plain())
    for twin in (type(model).from_config(model.get_config()), keras.models.clone_model(model)):
        assert [each.shape for each in twin.weights] == [each.shape for each in model.weights]
        twin.set_weights(model.get_weights())
        assert np.array_equal(twin(x), model(x))
        assert {id(each) for each in twin.weights}.isdisjoint(id(each) for each in model.weights)
    stack = keras.Sequential([keras.Input((3,)), layers.Dense(2, activation="relu"), layers.BatchNormalization()])
    for twin in (
        keras.Sequential.from_config(json.loads(json.dumps(stack.get_config()))),
        keras.models.clone_model(stack),
    ):
        twin.set_weights(stack.get_weights())
        assert np.array_equal(twin(x[0]), stack(x[0])) and twin.name == stack.name

    class Own(keras.Model):
        pass

    with pytest.raises(ValueError, match="received Own"):
        keras.models.clone_model(Own())


def _plain():
    a, b = keras.Input((3,)), keras.Input((2,))
    return [a, b], layers.Dense(2)(layers.Concatenate()([layers.Dense(2, activation="tanh")(a), b * 2.0]))


def test_a_sequential_without_an_input_has_no_batch_of_its_own():
    """Keras remembers the batch of the first call here, (2, 4, 3)."""
    model = keras.Sequential([layers.Dense(3)])
    model(tf.ones([2, 4, 5]))
    assert (model.input_shape, model.output_shape) == ((None, 4, 5), (None, 4, 3))
    assert model(tf.ones([7, 4, 5])).shape == (7, 4, 3)


def test_weights_go_into_a_file_and_come_back(tmp_path):
    def made():
        return keras.Sequential([layers.Dense(3), layers.BatchNormalization(), layers.LSTM(2)])

    model, x = made(), numbers(2, 4, 3)
    with pytest.raises(ValueError, match="has no weights to save yet"):
        model.save_weights(tmp_path / "w")
    model(x)
    model.set_weights(weights_for(model, "float32"))
    path = tmp_path / "line.weights.h5"
    model.save_weights(path)
    with pytest.raises(ValueError, match="is there already"):
        model.save_weights(path, overwrite=False)
    twin = made()
    with pytest.raises(ValueError, match="not built yet"):
        twin.load_weights(path)
    twin(x)
    twin.load_weights(str(path))
    assert all(np.array_equal(a, b) for a, b in zip(model.get_weights(), twin.get_weights()))
    wider = keras.Sequential([layers.Dense(3), layers.BatchNormalization(), layers.LSTM(4)])
    wider(x)
    with pytest.raises(ValueError, match="is not compatible with provided weight shape"):
        wider.load_weights(path)
    wider.load_weights(path, skip_mismatch=True)
    assert np.array_equal(wider.get_weights()[0], model.get_weights()[0])
    (tmp_path / "other").write_text("no weights")
    with pytest.raises(ValueError, match="no file of weights"):
        model.load_weights(tmp_path / "other")
    with pytest.raises(NotImplementedError, match="save_weights"):
        model.save("model.keras")


def test_symbols_of_layers_and_models():
    stack = keras.Sequential([layers.Dense(4, activation="relu", name="first"), layers.Dense(2, name="second")])
    for what in ("inputs", "input_shape", "output_shape"):
        with pytest.raises(AttributeError, match="call it once"):
            getattr(stack, what)
    with pytest.raises(AttributeError):
        stack.layers[0].output
    stack(numbers(5, 3))
    assert stack.input_shape == (None, 3) and stack.layers[0].output_shape == (None, 4)
    outputs = [each.output for each in stack.layers]  # before anybody asked for the inputs
    inside = keras.Model(inputs=stack.inputs, outputs=outputs)
    x = numbers(2, 3)
    hidden, y = inside(x)
    assert np.array_equal(y, stack(x)) and hidden.shape == [2, 4]
    shared = layers.Dense(2)
    a = shared(keras.Input((2,)))
    assert shared.output is a and shared.input.shape == (None, 2)
    shared(a)
    with pytest.raises(AttributeError, match="2 symbols"):
        shared.output


def test_arithmetic_on_symbols_is_layers():
    x = keras.Input((3,), name="x")
    y = (2.0 * x - x[:, :1]) / 4.0 + keras.ops.exp(-x) ** 2.0
    model = keras.Model(x, keras.ops.where(y > 1.0, y, abs(y) + 1.0))
    v = numbers(4, 3)
    expected = (2 * v - v[:, :1]) / 4 + np.exp(-v) ** 2
    assert np.allclose(model(v), np.where(expected > 1, expected, abs(expected) + 1), rtol=1e-6)
    assert [each.name.rstrip("_0123456789") for each in model.operations][:3] == ["x", "multiply", "get_item"]
    with pytest.raises(ValueError, match=r"tf.keras.ops"):
        tf.sin(x)


def test_a_loss_tells_of_a_dtype_that_it_was_given():
    assert "dtype" not in keras.losses.MeanSquaredError().get_config()
    assert keras.losses.MeanSquaredError(dtype="float64").get_config()["dtype"] == "float64"


def test_keras_ops_are_numpys():
    ops, a, b = keras.ops, numbers(3, 4), numbers(3, 4, seed=1)
    assert ops.mean(np.array([1, 2])).numpy() == 1.5, "whole numbers have a mean that is none"
    for name, arguments, options in [
        ("sum", (a,), {"axis": 0}), ("max", (a,), {"axis": (0, 1)}), ("var", (a,), {"axis": 1, "keepdims": True}),
        ("swapaxes", (a, 0, 1), {}), ("moveaxis", (numbers(2, 3, 4), 0, -1), {}), ("transpose", (numbers(2, 3, 4), (1, 0, 2)), {}),
        ("concatenate", ([a, b],), {"axis": 1}), ("stack", ([a, b],), {"axis": -1}), ("split", (a, [1, 3]), {"axis": 1}),
        ("flip", (a,), {"axis": 1}), ("roll", (a, 1), {"axis": 0}), ("roll", (a, 1), {}), ("tile", (a, (2, 1)), {}), ("repeat", (a, 2), {"axis": 1}),
        ("take", (a, np.array([0, -1])), {"axis": 1}), ("take_along_axis", (a, np.argsort(a, 1)), {"axis": 1}), ("tril", (a, -1), {}),
        ("triu", (a, 1), {}), ("pad", (a, ((1, 0), (0, 2))), {}), ("dot", (a, b.T), {}), ("matmul", (a, b.T), {}),
        ("outer", (a[0], b[0]), {}), ("cumsum", (a,), {"axis": 1}), ("argmax", (a,), {}), ("argmin", (a,), {"axis": 1}),
        ("maximum", (a, b), {}), ("power", (np.abs(a), 2.0), {}), ("floor_divide", (a, 0.5), {}), ("clip", (a, -1.0, 1.0), {}),
        ("expm1", (a,), {}), ("arctan2", (a, b), {}), ("sort", (a,), {"axis": 0}), ("eye", (3,), {}), ("full", ((2, 2), 3.0), {}),
        ("zeros_like", (a,), {}), ("reshape", (a, (4, 3)), {}), ("squeeze", (a[:1],), {"axis": 0}), ("where", (a > 0, a, b), {}),
    ]:  # fmt: skip
        ours, theirs = getattr(ops, name)(*arguments, **options), getattr(np, name)(*arguments, **options)
        for each, other in zip(ours, theirs) if isinstance(theirs, list) else [(ours, theirs)]:
            assert np.allclose(each, other, rtol=1e-5, atol=1e-6), name
    assert ops.slice(a, [1, 2], [2, 1]).numpy().tolist() == a[1:3, 2:3].tolist()
    assert (ops.shape([[1, 2]]), ops.ndim([[1, 2]]), ops.size([[1, 2]])) == ((1, 2), 2, 2)
    x = keras.Input((4,))
    assert ops.shape(x) == (None, 4) and ops.split(x, 2, axis=1)[0].shape == (None, 2)


ROOMS = (
    "constraints", "initializers", "layers", "losses", "metrics", "optimizers", "optimizers.schedules",
    "regularizers",
)  # fmt: skip


@pytest.mark.parametrize("name", ["serialize", "deserialize"])
@pytest.mark.parametrize("room", ROOMS)
def test_what_a_room_stores_it_reads_as_its_example_says(room, name):
    function = getattr(attrgetter(room)(tf.keras), name)
    found = doctest.DocTestParser().get_doctest(function.__doc__, {"tf": tf}, name, None, None)
    assert len(found.examples) == 2 and doctest.DocTestRunner(verbose=False).run(found).failed == 0
    assert [*inspect.signature(function).parameters][1:] == ["custom_objects"] * (name == "deserialize")
    if name == "deserialize":
        with pytest.raises(ValueError, match=r"Could not find the .* class 'Unknown'"):
            function({"class_name": "Unknown", "config": {}})
    with pytest.raises(TypeError, match="missing a required argument"):
        function()


def test_an_optimizer_is_described_in_small_letters_too():
    made = tf.keras.optimizers.get({"class_name": "adam", "config": {"learning_rate": 0.5}})
    assert type(made) is tf.keras.optimizers.Adam and float(made.learning_rate) == 0.5
