# What models look like: several inputs and outputs, models in models, parts of them, lengths that are not known.
keras, layers = tf.keras, tf.keras.layers
keras.utils.clear_session()
title, body, tags = (keras.Input((width,), name=name) for name, width in (("title", 20), ("body", 20), ("tags", 5)))
features = layers.Dense(8, activation="relu", name="features")(layers.Concatenate(name="all")([title, body, tags]))
priority = layers.Dense(1, activation="sigmoid", name="priority")(features)
department = layers.Dense(4, activation="softmax", name="department")(features)
tickets = keras.Model([title, body, tags], [priority, department], name="tickets")
tickets.summary()
tickets.summary(show_trainable=True, layer_range=["features", "department"])

base = keras.Sequential([keras.Input((8, 8, 1)), layers.Conv2D(2, 3, name="filters"), layers.Flatten(name="flat")], name="base")
base.trainable = False
pictures = keras.Input((8, 8, 1), name="pictures")
transfer = keras.Model(pictures, layers.Dense(3, name="classes")(base(pictures)), name="transfer")
transfer.summary(expand_nested=True, show_trainable=True)
transfer.summary(line_length=60)
transfer.summary(positions=[0.5, 0.75, 1.0])

x = keras.Input((6,), name="x")
both = keras.Model(x, [layers.Dense(2, name="mean")(x), layers.Dense(2, name="spread")(x)], name="both")
first = keras.Model(x, layers.Dense(1, name="last")(both(x)[0]), name="chain_of_two")
first.summary()


class Positions(layers.Layer):
    def __init__(self, **options):
        super().__init__(**options)
        self.tokens = layers.Embedding(20, 4)

    def call(self, x):
        return self.tokens(x)

    def compute_mask(self, x, mask=None):
        return None


words = keras.Input((None,), dtype="int64", name="words")
keras.Model(words, layers.GRU(3, name="gru")(Positions(name="positions")(words)), name="reader").summary()
_, *states = layers.LSTM(3, return_state=True, name="lstm")(layers.Embedding(20, 4, name="tokens")(words))
keras.Model(words, states, name="states").summary()


class Own(keras.Model):
    def __init__(self):
        super().__init__(name="own")
        self.hidden, self.inner = layers.Dense(4, name="hidden"), keras.Sequential([layers.Dense(1, name="one")], name="inner")

    def call(self, x):
        return self.inner(self.hidden(x))


own = Own()
own.summary()
own(numbers(2, 3))
own.summary(expand_nested=True)

x = keras.Input((6,), name="numbers")
y = keras.ops.exp(layers.Dense(2, name="dense")(x)) + 1.0
functions = keras.Model(x, keras.ops.concatenate([y * 2.0, x[:, ::2] / y[:, :1]], axis=-1), name="functions")
functions.summary()
print([layer.name for layer in functions.layers])
