"""What layers are: their weights, names, contexts, derivatives, and what they refuse."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import minitape as tf
from minitape.testing import check_gradients
from tests.core.keras.programs import built, numbers
from tests.support import said

layers = tf.keras.layers


@pytest.fixture(autouse=True)
def fresh_names():
    tf.keras.utils.clear_session()


# ---- the documents' own examples -------------------------------------------------------------------------------------------


def regression():
    x, targets = tf.constant([[2.0, 3.0], [1.0, 4.0]]), tf.constant([[1.0], [-1.0]])
    dense = layers.Dense(1)
    dense.build([None, 2])
    dense.kernel.assign([[0.5], [-1.0]])
    dense.bias.assign([0.25])
    return dense, lambda: tf.reduce_sum((dense(x) - targets) ** 2.0)


def test_the_documented_accumulator_example():
    dense, loss_fn = regression()
    kernel_fprop = []
    for tangent in ([[1.0], [0.0]], [[0.0], [1.0]]):
        with tf.autodiff.ForwardAccumulator(dense.kernel, tf.constant(tangent)) as acc:
            kernel_fprop.append(acc.jvp(loss_fn()))
    with tf.autodiff.ForwardAccumulator(dense.bias, tf.constant([1.0])) as acc:
        bias_fprop = acc.jvp(loss_fn())
    with tf.GradientTape() as tape:
        loss = loss_fn()
    kernel_grad, bias_grad = tape.gradient(loss, (dense.kernel, dense.bias))
    np.testing.assert_allclose(kernel_grad, tf.stack(kernel_fprop)[:, tf.newaxis])
    np.testing.assert_allclose(bias_grad, bias_fprop[tf.newaxis])
    assert [float(each) for each in (*kernel_fprop, bias_fprop)] == [-15.5, -34.5, -10.0]


def test_kernel_and_bias_are_variables():
    dense, _ = regression()
    assert isinstance(dense.kernel, tf.Variable) and isinstance(dense.bias, tf.Variable)
    assert dense.kernel.value is dense.kernel, "Keras: the variable behind it"
    assert dense.kernel.value().numpy().tolist() == [[0.5], [-1.0]], "TensorFlow: its present value"
    assert repr(dense.bias) == "<Variable path=dense/bias, shape=(1,), dtype=float32, value=[0.25]>"
    assert copy.deepcopy(dense.kernel).path == "dense/kernel"


def test_a_model_is_a_plain_callable():
    ran = []
    model = tf.keras.Sequential([layers.Lambda(lambda x: ran.append(x) or x), layers.Dense(2)])
    assert model.variables == []
    with tf.GradientTape(persistent=True) as tape:
        r = tf.constant([[1, 2]])
        for _ in range(4):
            r = model(r)
    assert len(ran) == 4, "building runs nothing"
    assert [each.path for each in model.variables] == ["sequential/dense/kernel", "sequential/dense/bias"]
    assert all(each is not None for each in tape.gradient(r, model.variables))


# ---- derivatives -------------------------------------------------------------------------------------------------------------

WIDE = {"dtype": "float64"}


@pytest.mark.parametrize(
    ("layer", "shape"),
    [
        (lambda: layers.Dense(2, activation="tanh", **WIDE), (3, 2)),
        (lambda: layers.Dense(2, activation="softmax", use_bias=False, **WIDE), (2, 2, 2)),
        (lambda: layers.Conv2D(2, 2, padding="same", **WIDE), (1, 3, 3, 1)),
        (lambda: layers.BatchNormalization(**WIDE), (3, 2)),
        (
            lambda: tf.keras.Sequential([layers.Dense(2, activation="softplus", **WIDE), layers.Flatten(**WIDE)]),
            (2, 2, 2),
        ),
    ],
    ids=["dense", "softmax", "conv", "norm", "sequential"],
)
def test_derivatives(layer, shape):
    each = layer()
    if isinstance(each, tf.keras.Sequential):
        each._dtype = tf.float64
    each.build((None, *shape[1:]))
    x = tf.constant(np.asarray(numbers(*shape), "float64") + 0.05)
    check_gradients(lambda x: each(x, training=True), [x], order=2, directions=1)


def test_derivatives_by_the_weights():
    dense = built(layers.Dense(2, activation="sigmoid", dtype="float64"), (None, 2))
    x = tf.constant(np.asarray(numbers(3, 2), "float64"))
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(dense(x) ** 3.0)
    gradient, step = tape.gradient(y, dense.kernel).numpy(), 1e-5

    def moved(by):
        dense.kernel.assign(dense.kernel.numpy() + by)
        return float(tf.reduce_sum(dense(x) ** 3.0))

    for index in np.ndindex(2, 2):
        by = np.zeros((2, 2))
        by[index] = step
        up, down = moved(by), moved(-2 * by)
        moved(by)
        assert gradient[index] == pytest.approx((up - down) / (2 * step), rel=1e-6)


def slopes(function, numbers_):
    x = tf.constant(numbers_)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    return y.numpy().tolist(), tape.gradient(y, x).numpy().tolist()


def test_activations_take_keras_arguments_and_bend_where_keras_does():
    """What Keras 3.15 gives, at the bends themselves."""
    kinds = tf.keras.activations
    x = [-1.0, 0.0, 1.0, 3.0, 4.0]
    for relu in (kinds.relu, lambda x, **options: layers.ReLU(**options)(x)):
        assert slopes(lambda x, f=relu: f(x, max_value=3.0), x) == ([0, 0, 1, 3, 3], [0, 0, 1, 1, 0])
        assert slopes(lambda x, f=relu: f(x, threshold=1.0), x) == ([0, 0, 0, 3, 4], [0, 0, 0, 1, 1])
        bounded = slopes(lambda x, f=relu: f(x, negative_slope=0.5, max_value=3.0, threshold=1.0), x)
        assert bounded == ([-1, -0.5, 0, 3, 3], [0.5, 0.5, 0, 1, 0])
        assert slopes(lambda x, f=relu: f(x, negative_slope=0.5), x) == ([-0.5, 0, 1, 3, 4], [0.5, 0.5, 1, 1, 1])
        assert slopes(lambda x, f=relu: f(x, max_value=6.0), [6.0, 7.0]) == ([6, 6], [0, 0]), "as relu6"
    assert slopes(lambda x: tf.keras.backend.relu(x, alpha=0.5, max_value=3.0), x)[0] == [-0.5, 0, 1, 3, 3]
    assert slopes(lambda x: kinds.leaky_relu(x, negative_slope=0.5), x)[0] == [-0.5, 0, 1, 3, 4]
    assert slopes(lambda x: kinds.elu(x, alpha=2.0), [0.0, 1.0]) == ([0, 1], [2, 1])
    assert slopes(kinds.hard_tanh, x) == ([-1, 0, 1, 1, 1], [1, 1, 1, 0, 0])


def test_an_activation_is_found_by_its_name_and_takes_a_symbol():
    kinds = tf.keras.activations
    symbol = tf.keras.Input((4,))
    for name in set(kinds.__all__) - {"get", "serialize"}:
        function = getattr(kinds, name)
        assert kinds.get(name) is function and layers.Dense(1, activation=name).activation == function
        more = (0.0, 0.0) if name == "threshold" else ()
        assert function.__name__ == name and tuple(function(symbol, *more).shape) == (None, 2 if name == "glu" else 4)
        assert kinds.get(kinds.serialize(function))([[1.0, -1.0]], *more) is not None
    with pytest.raises(ValueError, match=r"divisible by 2[\s\S]*twice as many units"):
        kinds.glu(tf.ones([2, 3]))
    symbol = tf.keras.Input((3,))
    assert layers.Dense(1, activation=tf.nn.relu).get_config()["activation"] == "relu"
    model = tf.keras.Model(symbol, kinds.relu(kinds.silu(symbol), max_value=2.0))
    assert model(tf.constant([[0.0, 5.0, -1.0]])).numpy().tolist() == [[0, 2, 0]]


def test_a_cell_takes_its_one_state_alone_and_gives_it_back_so():
    """As Keras 3.15; an initial state of one row is that of all examples, and one too many is nobody's."""
    x, h = tf.ones([2, 5]), tf.constant([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]])
    for kind in (layers.SimpleRNNCell, layers.GRUCell):
        cell = kind(3)
        output, alone = cell(x, h)
        again, [in_a_list] = cell(x, [h])
        assert alone.shape == (2, 3) and np.array_equal(alone, output)
        np.testing.assert_array_equal(output, again)
        np.testing.assert_array_equal(alone, in_a_list)
        around = layers.RNN(cell)
        one_row = around(tf.ones([2, 4, 5]), initial_state=h[:1])
        each = around(tf.ones([2, 4, 5]), initial_state=[tf.repeat(h[:1], 2, axis=0), h])
        np.testing.assert_allclose(one_row, each, rtol=1e-4, atol=1e-6)  # a product of one row sums in another order


def test_callbacks_with_defaults_and_any_arguments_are_called():
    class Hears(tf.keras.callbacks.Callback):
        def __init__(self):
            self.heard = []

        def on_epoch_begin(self, *args, **kwargs):
            self.heard.append(args[0])

        def on_epoch_end(self, epoch, logs=None, more=3):
            self.heard.append(sorted(logs))

        @staticmethod
        def on_train_end(logs):
            pass

    model, hears = tf.keras.Sequential([layers.Dense(1)]), Hears()
    model.compile("sgd", "mse")
    model.fit(tf.ones([2, 1]), tf.ones([2, 1]), epochs=1, verbose=0, callbacks=[hears])
    assert hears.heard == [0, ["loss"]]


def test_a_hinge_on_the_margin_itself_has_keras_slope():
    for loss, truth in ((tf.keras.losses.Hinge(), [[1.0, -1.0]]), (tf.keras.losses.CategoricalHinge(), [[1.0, 0.0]])):
        guess = tf.constant([[1.0, -1.0]] if loss.name == "hinge" else [[1.0, -0.0]])
        with tf.GradientTape() as tape:
            tape.watch(guess)
            value = loss(truth, guess)
        assert float(value) == 0 and tape.gradient(value, guess)[0, 0].numpy() < 0, loss.name


# ---- who wrote what ----------------------------------------------------------------------------------------------------------


def test_entries_know_their_layer():
    model = tf.keras.Sequential([layers.Dense(2, activation="relu"), layers.Dense(1)], name="model")
    with tf.GradientTape() as tape:
        loss = tf.keras.losses.MeanSquaredError()([[1.0]], model(tf.ones([1, 3])))
    seen = [
        (each.application.op, each.application.context.layer, each.application.context.scope) for each in tape.entries
    ]
    assert seen == [
        ("matmul", "dense", "model/dense"), ("add", "dense", "model/dense"), ("relu", "dense", "model/dense"),
        ("matmul", "dense_1", "model/dense_1"), ("add", "dense_1", "model/dense_1"),
        ("squared_difference", "", "mean_squared_error"), ("reduce_mean", "", "mean_squared_error"),
        ("reduce_mean", "", "mean_squared_error"),
    ]  # fmt: skip
    assert loss.shape == []


def test_entries_name_the_line_that_called_the_model():
    model = tf.keras.Sequential([layers.Dense(1)])
    with tf.GradientTape() as tape:
        model(tf.ones([1, 2]))  # this line
    assert all("this line" in entry.application.site.text for entry in tape.entries)


# ---- weights, found and frozen ------------------------------------------------------------------------------------------------


def test_variables_of_all_kinds_are_found():
    class Scale(layers.Layer):
        def __init__(self):
            super().__init__()
            self.plain = tf.Variable(2.0)
            self.inner = {"many": [layers.Dense(1), (layers.Dense(1),)]}

        def call(self, x):
            return self.inner["many"][0](x) * self.plain + self.inner["many"][1][0](x)

    scale = Scale()
    scale(tf.ones([1, 1]))
    assert len(scale.variables) == len(scale.trainable_variables) == 5
    assert scale.variables[0] is scale.plain
    assert [each.name for each in scale.submodules] == ["dense", "dense_1"]


def test_a_module_finds_what_is_in_its_layers():
    class Net(tf.Module):
        def __init__(self):
            super().__init__()
            self.stack = tf.keras.Sequential([layers.Dense(2), layers.BatchNormalization()])
            self.ends = [layers.Dense(1)]

        def __call__(self, x):
            return self.ends[0](self.stack(x))

    net = Net()
    net(tf.ones([1, 3]))
    assert isinstance(net.stack, tf.Module)
    assert [each.path for each in net.trainable_variables] == [
        "dense_1/kernel", "dense_1/bias", "sequential/dense/kernel", "sequential/dense/bias",
        "sequential/batch_normalization/gamma", "sequential/batch_normalization/beta",
    ]  # fmt: skip
    assert len(net.variables) == 8 and len(net.submodules) == 4


def test_a_frozen_layer_is_not_watched():
    model = tf.keras.Sequential([layers.Dense(2), layers.Dense(1)])
    model.build((None, 2))
    model.layers[0].trainable = False
    with tf.GradientTape() as tape:
        model(tf.ones([1, 2]))
    assert [each.path for each in tape.watched_variables()] == ["sequential/dense_1/kernel", "sequential/dense_1/bias"]
    assert len(model.trainable_variables) == len(model.non_trainable_variables) == 2
    model.layers[0].trainable = True
    assert len(model.trainable_variables) == 4
    norm = layers.BatchNormalization()
    norm.build((None, 1))
    norm.trainable = False
    norm.trainable = True
    assert [each.trainable for each in norm.variables] == [True, True, False, False]


def test_training_is_told_to_the_layers_inside():
    seen = []

    class Listens(layers.Layer):
        def call(self, x, training=None):
            seen.append(training)
            return x

    class Deaf(layers.Layer):
        def __init__(self):
            super().__init__()
            self.inner = Listens()

        def call(self, x):
            return self.inner(x)

    model = tf.keras.Sequential([Deaf(), Listens()])
    model(tf.ones([1]), training=True)
    model(tf.ones([1]))
    model.layers[1](tf.ones([1]), True)
    assert seen == [True, True, None, None, True]


@pytest.mark.parametrize(
    ("asked", "dropped"),
    [(lambda f, x: f(x), True), (lambda f, x: f(x, None), False), (lambda f, x: f(x, training=None), False)],
    ids=["nothing said", "by its place", "by its name"],
)
def test_who_says_none_says_that_it_is_not_for_training(asked, dropped):
    """As Keras does, whatever is around: only where nothing is said the call around it says it."""

    class Around(layers.Layer):
        def __init__(self, inner):
            super().__init__()
            self.inner = inner

        def call(self, x, training=None):
            return asked(self.inner, x)

    drop = layers.Dropout(1.0)
    for inner in (drop, tf.keras.Sequential([drop]), layers.TimeDistributed(drop)):
        x = tf.ones([1, 2, 2])
        assert bool((Around(inner)(x, training=True).numpy() == 0.0).all()) is dropped


@pytest.mark.parametrize(("said", "dropped"), [({}, True), ({"training": None}, False), ({"training": False}, False)])
def test_a_signature_that_says_training_says_it_to_the_layers_inside(said, dropped):
    class Samples(layers.Layer):
        def __init__(self, inner):
            super().__init__()
            self.inner = inner

        def call(self, x, training=True):
            return self.inner(x)

    drop = layers.Dropout(1.0)
    for inner in (drop, tf.keras.Sequential([drop])):
        assert bool((Samples(inner)(tf.ones([1, 2]), **said).numpy() == 0.0).all()) is dropped
    around = tf.keras.Sequential([Samples(drop)])
    assert around(tf.ones([1, 2]), training=False).numpy().all()  # who calls says it before the signature does


def test_a_layer_that_is_called_for_no_training_says_it_to_nobody_beside_it():
    """A base that stays as it is, and what stands behind it trains: Keras switches that off, too."""

    class Net(layers.Layer):
        def __init__(self):
            super().__init__()
            self.base, self.drop = layers.Dropout(1.0), layers.Dropout(1.0)

        def call(self, x, training=None):
            still = self.base(x, training=False)
            return still, self.drop(still)

    still, dropped = Net()(tf.ones([3]), training=True)
    assert still.numpy().tolist() == [1.0, 1.0, 1.0]
    assert dropped.numpy().tolist() == [0.0, 0.0, 0.0]


def test_dropout_draws_from_tf_random_or_its_own_seed():
    x = tf.ones([100])
    tf.random.set_seed(3)
    first = layers.Dropout(0.3)(x, training=True).numpy()
    tf.random.set_seed(3)
    assert (layers.Dropout(0.3)(x, training=True).numpy() == first).all()
    assert set(first.round(4)) == {np.float32(0.0), np.float32(1.4286)}
    own, again = (layers.Dropout(0.3, seed=1)(x, training=True).numpy() for _ in range(2))
    assert (own == again).all()
    assert (layers.Dropout(0.5, noise_shape=(None, 1))(tf.ones([5, 4]), training=True).numpy().std(axis=1) == 0).all()


def test_weights_are_drawn_from_tf_random():
    weights = []
    for _ in range(2):
        tf.random.set_seed(5)
        dense = layers.Dense(2)
        dense.build((None, 2))
        weights.append(dense.get_weights())
    assert (weights[0][0] == weights[1][0]).all() and weights[0][0].any()


def test_arrays_and_lists_are_taken():
    dense = built(layers.Dense(1), (None, 2))
    for given in (np.ones((1, 2)), [[1.0, 1.0]], tf.ones([1, 2], "float64"), tf.Variable([[1.0, 1.0]])):
        assert dense(given).dtype == tf.float32


def test_building_by_hand_builds_once():
    class Counts(layers.Layer):
        built_with: tuple = ()

        def build(self, input_shape):
            self.built_with = (*self.built_with, tuple(input_shape))
            self.w = self.add_weight(shape=[input_shape[-1]], initializer="ones", name="w")

        def call(self, x):
            return x * self.w

    each = Counts()
    each.build((None, 2))
    each(tf.ones([3, 2]))
    assert each.built and each.built_with == ((None, 2),) and each.w.path == "counts/w"


def test_summary(capsys: pytest.CaptureFixture[str]):
    model = tf.keras.Sequential([tf.keras.Input((3,)), layers.Dense(2), layers.BatchNormalization(), layers.Dense(1)])
    model.summary()
    assert capsys.readouterr().out == SUMMARY
    unbuilt = tf.keras.Sequential([layers.Dense(2)])
    unbuilt.summary()
    assert "│ dense_2 (Dense)                 │ ?                      │   0 (unbuilt) │" in capsys.readouterr().out
    unbuilt(tf.ones([4, 3]))
    unbuilt.summary()
    assert "│ dense_2 (Dense)                 │ (4, 2)                 │             8 │" in capsys.readouterr().out


def test_what_is_normalized_with_is_kept_in_weights_that_do_not_train(capsys: pytest.CaptureFixture[str]):
    """As in Keras: 7 numbers for 3 columns, and the layer can be adapted after a model was made of it."""
    data = np.arange(12.0).reshape(4, 3)
    layer = tf.keras.layers.Normalization()
    assert layer.mean is None and layer.variance is None
    x = tf.keras.Input((3,))
    model = tf.keras.Model(x, tf.keras.layers.Dense(1, kernel_initializer="ones")(layer(x)))
    layer.adapt(data)
    model.summary()
    said = capsys.readouterr().out
    assert "Total params: 11 (48.00 B)" in said and "Non-trainable params: 7 (32.00 B)" in said
    assert layer.mean.numpy().tolist() == [[4.5, 5.5, 6.5]] and layer.variance.numpy().tolist() == [[11.25] * 3]
    assert [(weight.name, weight.trainable) for weight in layer.weights] == [
        ("mean", False),
        ("variance", False),
        ("count", False),
    ]
    assert model(data).numpy().ravel() == pytest.approx(np.array([-4.0249224, -1.3416407, 1.3416407, 4.0249224]))
    assert layer.get_config()["mean"] is None
    other = tf.keras.layers.Normalization()
    other.build((None, 3))
    with pytest.warns(UserWarning, match="changes nothing: layer.adapt"):
        assert other(data).numpy().tolist() == data.tolist()
    other.set_weights(layer.get_weights())
    assert other(data).numpy().tolist() == layer(data).numpy().tolist()
    whole = tf.keras.layers.Normalization(axis=None)
    whole.adapt(data[:, 0])
    assert whole.mean.shape == (1,) and whole.adapt_mean.shape == ()
    given = tf.keras.layers.Normalization(mean=[1.0, 2.0, 3.0], variance=4.0)
    assert given(data[:1]).numpy().tolist() == [[-0.5, -0.5, -0.5]] and given.weights == []
    assert given.mean.numpy().tolist() == [[1.0, 2.0, 3.0]] and given.get_config()["variance"] == 4.0


@pytest.mark.parametrize(
    ("make", "shape", "expected"),
    [
        (lambda: tf.keras.layers.Conv2D(6, 3, groups=2, strides=2, padding="same"), (2, 5, 5, 4), (3, 3, 2, 6)),
        (lambda: tf.keras.layers.Conv2D(4, 3, groups=4, data_format="channels_first"), (2, 4, 5, 5), (3, 3, 1, 4)),
        (lambda: tf.keras.layers.Conv1D(4, 3, groups=2, padding="causal"), (2, 6, 4), (3, 2, 4)),
    ],
)
def test_groups_are_convolutions_side_by_side(make, shape, expected):
    """Each is the full convolution whose kernel has zeros where channel and filter are of different groups."""
    layer = make()
    layer.build(shape)
    assert tuple(layer.kernel.shape) == expected
    layer.set_weights([np.cos(np.arange(weight.size)).reshape(weight.shape) for weight in layer.get_weights()])
    kernel, bias = layer.get_weights()
    inside, outside, groups = expected[-2], expected[-1] // layer.groups, layer.groups
    full = np.zeros((*expected[:-2], inside * groups, expected[-1]), "float32")
    for group in range(groups):
        filters = slice(group * outside, (group + 1) * outside)
        full[..., group * inside : (group + 1) * inside, filters] = kernel[..., filters]
    config = {**layer.get_config(), "groups": 1, "name": "whole"}
    whole = type(layer).from_config(config)
    whole.build(shape)
    whole.set_weights([full, bias])
    x = tf.constant(np.sin(np.arange(np.prod(shape))).reshape(shape), tf.float32)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        apart, together = layer(x), whole(x)
    assert apart.numpy() == pytest.approx(together.numpy(), abs=1e-5)
    slopes = [tape.gradient(y, x, output_gradients=tf.cos(y)).numpy() for y in (apart, together)]
    assert slopes[0] == pytest.approx(slopes[1], abs=1e-4)


def test_a_summary_shows_several_outputs_as_keras_does(capsys: pytest.CaptureFixture[str]):
    """A tuple where a layer was given tensors, a list where it was given symbols."""

    class Last(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.gru = tf.keras.layers.GRU(2, return_state=True)

        def call(self, x):
            return self.gru(x)[1]

    model = Last()
    model(tf.ones([1, 3, 4]))
    model.summary()
    assert "│ ((1, 2), (1, 2))       │" in capsys.readouterr().out
    x = tf.keras.Input((3, 4))
    tf.keras.Model(x, tf.keras.layers.GRU(2, return_state=True)(x)).summary()
    assert "│ [(None, 2), (None, 2)] │" in capsys.readouterr().out


def test_summary_counts_what_the_optimizer_remembers(capsys: pytest.CaptureFixture[str]):
    model = tf.keras.Sequential([layers.Dense(2)])
    model.compile("adam", "mse")
    model.fit(np.ones([4, 3]), np.ones([4, 2]), verbose=0)
    model.summary()
    printed = capsys.readouterr().out
    assert "│ dense (Dense)                   │ (None, 2)              │             8 │" in printed
    assert printed.endswith(OPTIMIZED)


OPTIMIZED = """\
 Total params: 26 (108.00 B)
 Trainable params: 8 (32.00 B)
 Non-trainable params: 0 (0.00 B)
 Optimizer params: 18 (76.00 B)
"""
SUMMARY = """\
Model: "sequential"
┏━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━┓
┃ Layer (type)                    ┃ Output Shape           ┃       Param # ┃
┡━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━┩
│ dense (Dense)                   │ (None, 2)              │             8 │
├─────────────────────────────────┼────────────────────────┼───────────────┤
│ batch_normalization             │ (None, 2)              │             8 │
│ (BatchNormalization)            │                        │               │
├─────────────────────────────────┼────────────────────────┼───────────────┤
│ dense_1 (Dense)                 │ (None, 1)              │             3 │
└─────────────────────────────────┴────────────────────────┴───────────────┘
 Total params: 19 (76.00 B)
 Trainable params: 15 (60.00 B)
 Non-trainable params: 4 (16.00 B)
"""


# ---- refusals ----------------------------------------------------------------------------------------------------------------


class Forgot(layers.Layer):
    def __init__(self):
        self.w = 1.0


@pytest.mark.parametrize(
    ("program", "kind", "says"),
    [
        (lambda: built(layers.Dense(1), (None, 2))(tf.zeros([2, 3])), ValueError,
         "Input 0 of layer 'dense' is incompatible with the layer: expected axis -1 of input shape to have value 2"),
        (lambda: layers.Dense(1)(tf.zeros([2])), ValueError, "expected min_ndim=2, found ndim=1. Full shape received: (2,)"),
        (lambda: built(layers.Dense(1), (None, 2)).set_weights([[1.0]]), ValueError,
         "You called `set_weights(weights)` on layer 'dense' with a weight list of length 1, but the layer was expecting 2 weights."),
        (lambda: built(layers.Dense(1), (None, 2)).set_weights([[[1.0]] * 3, [1.0]]), ValueError,
         "Layer dense weight shape (2, 1) is not compatible with provided weight shape (3, 1)."),
        (lambda: layers.Dense(2, activation="nope"), ValueError, "Could not interpret activation function identifier: nope"),
        (lambda: layers.Dense(0), ValueError, "Received an invalid value for `units`, expected a positive integer."),
        (lambda: layers.Dropout(1.5), ValueError, "Invalid value received for argument `rate`."),
        (lambda: layers.Dense(1, unit=3), ValueError, "Unrecognized keyword arguments passed to Dense: {'unit': 3}"),
        (lambda: tf.keras.Sequential([abs]), ValueError, "Only instances of `keras.Layer` can be added to a Sequential model."),
        (lambda: layers.Layer()(tf.zeros([2])), NotImplementedError, "Layer Layer does not have a `call()` method implemented"),
        (lambda: Forgot()(1.0), RuntimeError, "In layer 'Forgot', you forgot to call `super().__init__()`"),
        (lambda: tf.keras.losses.get("nope"), ValueError, "Could not interpret loss identifier: nope"),
        (lambda: tf.keras.optimizers.get("nope"), ValueError, "Could not interpret optimizer identifier: nope"),
        (lambda: tf.keras.losses.MeanSquaredError(reduction="x"), ValueError, "Invalid value for argument `reduction`."),
        (lambda: tf.keras.losses.sparse_categorical_crossentropy([[0, 1]], [[0.1, 0.9]]), ValueError, "Arguments `target` and `output`"),
        (lambda: tf.keras.Sequential([layers.Dense(1)]).fit(np.ones((2, 2)), np.ones((2, 1))), ValueError,
         "You must call `compile()` before using the model."),
    ],
)  # fmt: skip
def test_refusals(program, kind, says):
    with pytest.raises(kind) as caught:
        program()
    assert says in said(caught.value)


def test_an_error_inside_says_in_which_layer():
    model = tf.keras.Sequential([layers.Lambda(lambda x: tf.matmul(x, x), name="square")])
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        model(tf.ones([2, 3]))
    assert caught.value.__notes__ == ["in layer 'square' (Lambda)"]


def test_a_layer_that_knows_no_masks_says_that_it_ends_one():
    embedded = tf.keras.layers.Embedding(3, 2, mask_zero=True)(tf.constant([[1, 0]]))
    with pytest.warns(UserWarning, match="does not support masking"):
        tf.keras.layers.Flatten()(embedded)


def test_a_layer_of_ones_own_is_given_the_mask_of_a_symbol():
    """As in the guide on masking, whose TemporalSoftmax cannot do without one."""

    class Counted(layers.Layer):
        def __init__(self):
            super().__init__()
            self.supports_masking = True

        def call(self, inputs, mask=None):
            assert mask is not None and mask.shape == inputs.shape[:2]
            return tf.reduce_sum(tf.cast(mask, "float32"), axis=1)

    ids = tf.keras.Input(shape=(None,), dtype="int32")
    x = layers.Embedding(10, 3, mask_zero=True)(ids)
    x = layers.Dense(2)(layers.LSTM(4, return_sequences=True)(x))
    both = layers.Add()([x, x])
    model = tf.keras.Model(ids, Counted()(both))
    assert model(np.array([[1, 2, 0], [3, 0, 0]])).numpy().tolist() == [2.0, 1.0]
    assert (x.masked, layers.Flatten()(tf.keras.Input((3, 2))).masked, layers.LSTM(4)(x).masked) == (2, 0, 0)


def test_a_mask_dies_with_its_tensor():
    from minitape.keras import masks

    kept = len(masks._kept)
    embedded = tf.keras.layers.Embedding(3, 2, mask_zero=True)(tf.constant([[1, 0]]))
    assert masks.of(embedded).numpy().tolist() == [[True, False]] and len(masks._kept) == kept + 1
    del embedded
    assert len(masks._kept) == kept


def test_attention_leaves_its_inputs_their_masks():
    from minitape.keras import masks

    x = tf.keras.layers.Embedding(3, 2, mask_zero=True)(tf.constant([[1, 0]]))
    y = tf.keras.layers.MultiHeadAttention(1, 2)(x, x)
    assert masks.of(x).numpy().tolist() == masks.of(y).numpy().tolist() == [[True, False]]


def test_where_a_mask_leaves_nothing_shares_are_0_and_an_attention_without_shares_looks_at_all() -> None:
    """Keras's numbers, 3.15."""
    shares = tf.keras.layers.Softmax()
    given, mask = tf.constant([[1.0, 2.0, 3.0], [1.0, 2.0, 0.0]]), tf.constant([[True, False, True], [False] * 3])
    np.testing.assert_allclose(shares(given, mask=mask), [[0.11920291, 0.0, 0.880797], [0.0] * 3], atol=1e-7)
    x = tf.constant(np.random.RandomState(0).randn(1, 3, 4).astype("float32"))
    mask = tf.constant([[[True, True, False], [True, True, False], [False, False, False]]])
    for dropout, last in (
        (0.0, [-1.625100, -2.297800, 2.432200, -3.594100]),
        (0.1, [0.3505, -1.3123, -0.0387, -1.6158]),
    ):
        attention = tf.keras.layers.MultiHeadAttention(2, 3, dropout=dropout)
        attention(x, x)
        random = np.random.RandomState(1)
        attention.set_weights([random.randn(*weight.shape).astype("float32") for weight in attention.weights])
        np.testing.assert_allclose(attention(x, x, attention_mask=mask)[0, 2], last, atol=1e-4)
        found, scores = attention(x, x, attention_mask=mask, return_attention_scores=True)
        np.testing.assert_allclose(found[0, 2], [0.3505, -1.3123, -0.0387, -1.6158], atol=1e-4)
        assert not np.any(scores[0, :, 2])


def test_a_mask_of_queries_that_is_given_counts() -> None:
    """A row of docs/differences.md: Keras writes over it."""
    x = tf.constant(np.random.RandomState(0).randn(1, 2, 4).astype("float32"))
    attention = tf.keras.layers.MultiHeadAttention(1, 3)
    _, scores = attention(x, x, query_mask=tf.constant([[True, False]]), return_attention_scores=True)
    assert np.any(scores[0, 0, 0]) and not np.any(scores[0, 0, 1])


def test_a_stack_without_layers_or_with_two_inputs_is_refused() -> None:
    x = tf.ones([2, 3])
    with pytest.raises(ValueError, match=r"Sequential model .* cannot be built because it has no layers"):
        tf.keras.Sequential()(x)
    with pytest.raises(TypeError, match=r"takes one input, and a second one of shape \(2, 3\)"):
        tf.keras.Sequential([tf.keras.layers.Dense(2)])(x, x)
    assert tf.keras.Sequential([tf.keras.Input((3,))])(x).shape == (2, 3)
    assert tf.keras.Sequential([tf.keras.layers.Dense(2)])(x, training=tf.constant(True)).shape == (2, 2)


def test_a_window_is_two_wide_where_nothing_is_said() -> None:
    assert tf.keras.layers.MaxPooling2D()(tf.ones([1, 6, 4, 1])).shape == (1, 3, 2, 1)
    assert tf.keras.layers.AveragePooling1D()(tf.ones([1, 6, 1])).shape == (1, 3, 1)
