# TensorFlow's guide "Introduction to modules, layers, and models", its calls in our own words.

# %% 1 the imports, but for TensorBoard
from datetime import datetime as _


# %% 2 a module
class Simple(tf.Module):
    def __init__(self, name=None):
        super().__init__(name=name)
        self.a_variable = tf.Variable(5.0, name="learns")
        self.fixed = tf.Variable(5.0, trainable=False, name="does_not")

    def __call__(self, x):
        return self.a_variable * x + self.fixed


simple = Simple(name="simple")
simple(tf.constant(5.0))

# %% 3 its variables
print("to be trained:", simple.trainable_variables)
print("all:", simple.variables)


# %% 4 a dense layer by hand
class Dense(tf.Module):
    def __init__(self, in_features, out_features, name=None):
        super().__init__(name=name)
        self.w = tf.Variable(tf.random.normal([in_features, out_features]), name="w")
        self.b = tf.Variable(tf.zeros([out_features]), name="b")

    def __call__(self, x):
        y = tf.matmul(x, self.w) + self.b
        return tf.nn.relu(y)


# %% 5 two of them
class Two(tf.Module):
    def __init__(self, name=None):
        super().__init__(name=name)
        self.dense_1 = Dense(in_features=3, out_features=3)
        self.dense_2 = Dense(in_features=3, out_features=2)

    def __call__(self, x):
        x = self.dense_1(x)
        return self.dense_2(x)


my_model = Two(name="the_model")
print("says:", my_model(tf.constant([[2.0, 2.0, 2.0]])))

# %% 6 the modules inside
print("inside:", my_model.submodules)

# %% 7 the variables inside
for var in my_model.variables:
    print(var, "\n")


# %% 8 variables made by the first call
class FlexibleModule(tf.Module):
    def __init__(self, out_features, name=None):
        super().__init__(name=name)
        self.is_built = False
        self.out_features = out_features

    def __call__(self, x):
        if not self.is_built:
            self.w = tf.Variable(tf.random.normal([x.shape[-1], self.out_features]), name="w")
            self.b = tf.Variable(tf.zeros([self.out_features]), name="b")
            self.is_built = True
        y = tf.matmul(x, self.w) + self.b
        return tf.nn.relu(y)


# %% 9 two of them
class FlexibleTwo(tf.Module):
    def __init__(self, name=None):
        super().__init__(name=name)
        self.dense_1 = FlexibleModule(out_features=3)
        self.dense_2 = FlexibleModule(out_features=2)

    def __call__(self, x):
        x = self.dense_1(x)
        return self.dense_2(x)


my_model = FlexibleTwo(name="the_model")
print("says:", my_model(tf.constant([[2.0, 2.0, 2.0]])))

# %% 10 left out: checkpoints

# %% 11 left out: checkpoints

# %% 12 left out: checkpoints

# %% 13 left out: checkpoints


# %% 14 as a function
class Compiled(tf.Module):
    def __init__(self, name=None):
        super().__init__(name=name)
        self.dense_1 = Dense(in_features=3, out_features=3)
        self.dense_2 = Dense(in_features=3, out_features=2)

    @tf.function
    def __call__(self, x):
        x = self.dense_1(x)
        return self.dense_2(x)


my_model = Compiled(name="the_model")

# %% 15 works as before
print(my_model([[2.0, 2.0, 2.0]]))
print(my_model([[[2.0, 2.0, 2.0], [2.0, 2.0, 2.0]]]))

# %% 16 left out: traced graphs

# %% 17 left out: traced graphs

# %% 18 left out: saved models

# %% 19 left out: saved models

# %% 20 left out: saved models

# %% 21 left out: saved models

# %% 22 left out: saved models

# %% 23 the model that was saved still works
print(my_model([[2.0, 2.0, 2.0]]))
print(my_model([[[2.0, 2.0, 2.0], [2.0, 2.0, 2.0]]]))


# %% 24 the dense layer as a Keras layer
class MyDense(tf.keras.layers.Layer):
    def __init__(self, in_features, out_features, **kwargs):
        super().__init__(**kwargs)
        self.w = tf.Variable(tf.random.normal([in_features, out_features]), name="w")
        self.b = tf.Variable(tf.zeros([out_features]), name="b")

    def call(self, x):
        y = tf.matmul(x, self.w) + self.b
        return tf.nn.relu(y)


simple_layer = MyDense(name="simple", in_features=3, out_features=3)

# %% 25 Keras 2: called on a list
simple_layer([[2.0, 2.0, 2.0]])


# %% 26 with a build
class Flexible(tf.keras.layers.Layer):
    def __init__(self, out_features, **kwargs):
        super().__init__(**kwargs)
        self.out_features = out_features

    def build(self, input_shape):
        self.w = tf.Variable(tf.random.normal([input_shape[-1], self.out_features]), name="w")
        self.b = tf.Variable(tf.zeros([self.out_features]), name="b")

    def call(self, inputs):
        return tf.matmul(inputs, self.w) + self.b


flexible = Flexible(out_features=3)

# %% 27 no variables yet
flexible.variables

# %% 28 the first call makes them
print("says:", flexible(tf.constant([[2.0, 2.0, 2.0], [3.0, 3.0, 3.0]])))

# %% 29 Keras 2: its variables
flexible.variables

# %% 30 differs: the message is the op's own
#: refused: Matrix size-incompatible: In[0]: [1,4], In[1]: [3,3] [Op:MatMul]
#:   at intro_to_modules.py, line 168
#:   The last axis of the left must match the first matrix axis of the right: (m, n) @ (n, p).
try:
    print("says:", flexible(tf.constant([[2.0, 2.0, 2.0, 2.0]])))
except tf.errors.InvalidArgumentError as e:
    print("refused:", e)


# %% 31 Keras 2: a Keras model
class LayeredModel(tf.keras.Model):
    def __init__(self, name=None, **kwargs):
        super().__init__(**kwargs)
        self.dense_1 = Flexible(out_features=3)
        self.dense_2 = Flexible(out_features=2)

    def call(self, x):
        x = self.dense_1(x)
        return self.dense_2(x)


layered = LayeredModel(name="the_model")
print("says:", layered(tf.constant([[2.0, 2.0, 2.0]])))

# %% 32 Keras 2: its variables
layered.variables

# %% 33 differs: a layer shows its name, as Keras 3 does
#: (<Flexible name=flexible_1, built=True>, <Flexible name=flexible_2, built=True>)
layered.submodules

# %% 34 differs: a tf.Variable of a layer counts, as in Keras 2
#: Model: "functional"
#: ┏━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━┓
#: ┃ Layer (type)                    ┃ Output Shape           ┃       Param # ┃
#: ┡━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━┩
#: │ input_layer (InputLayer)        │ (None, 3)              │             0 │
#: ├─────────────────────────────────┼────────────────────────┼───────────────┤
#: │ flexible_3 (Flexible)           │ (None, 3)              │            12 │
#: ├─────────────────────────────────┼────────────────────────┼───────────────┤
#: │ flexible_4 (Flexible)           │ (None, 2)              │             8 │
#: └─────────────────────────────────┴────────────────────────┴───────────────┘
#:  Total params: 20 (80.00 B)
#:  Trainable params: 20 (80.00 B)
#:  Non-trainable params: 0 (0.00 B)
inputs = tf.keras.Input(shape=[3])
x = Flexible(3)(inputs)
x = Flexible(2)(x)
my_functional_model = tf.keras.Model(inputs=inputs, outputs=x)
my_functional_model.summary()

# %% 35 called
my_functional_model(tf.constant([[2.0, 2.0, 2.0]]))

# %% 36 left out: saved models

# %% 37 left out: saved models

# %% 38 left out: saved models
