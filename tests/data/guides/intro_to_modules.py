# TensorFlow's guide "Introduction to modules, layers, and models", its calls in our own words.
class Simple(tf.Module):
    def __init__(self, name=None):
        super().__init__(name=name)
        self.a_variable = tf.Variable(5.0, name="train_me")
        self.fixed = tf.Variable(5.0, trainable=False, name="do_not_train_me")

    def __call__(self, x):
        return self.a_variable * x + self.fixed


simple = Simple(name="simple")
print(repr(simple(tf.constant(5.0))))
print("trainable variables:", simple.trainable_variables)
print("all variables:", simple.variables)


class Dense(tf.Module):
    def __init__(self, in_features, out_features, name=None):
        super().__init__(name=name)
        self.w = tf.Variable(tf.random.normal([in_features, out_features]), name="w")
        self.b = tf.Variable(tf.zeros([out_features]), name="b")

    def __call__(self, x):
        y = tf.matmul(x, self.w) + self.b
        return tf.nn.relu(y)


class Two(tf.Module):
    def __init__(self, name=None):
        super().__init__(name=name)
        self.dense_1 = Dense(in_features=3, out_features=3)
        self.dense_2 = Dense(in_features=3, out_features=2)

    def __call__(self, x):
        x = self.dense_1(x)
        return self.dense_2(x)


my_model = Two(name="the_model")
print("Model results:", my_model(tf.constant([[2.0, 2.0, 2.0]])))
print("Submodules:", [one.name for one in my_model.submodules])
for var in my_model.variables:
    print(var, "\n")


class Flexible(tf.Module):
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


class FlexibleTwo(tf.Module):
    def __init__(self, name=None):
        super().__init__(name=name)
        self.dense_1 = Flexible(out_features=3)
        self.dense_2 = Flexible(out_features=2)

    def __call__(self, x):
        x = self.dense_1(x)
        return self.dense_2(x)


my_model = FlexibleTwo(name="the_model")
print("Model results:", my_model(tf.constant([[2.0, 2.0, 2.0]])))


class Compiled(Two):
    @tf.function
    def __call__(self, x):
        x = self.dense_1(x)
        return self.dense_2(x)


my_model = Compiled(name="the_model")
print(my_model([[2.0, 2.0, 2.0]]))
print(my_model([[[2.0, 2.0, 2.0], [2.0, 2.0, 2.0]]]))


# -- layers
class MyDense(tf.keras.layers.Layer):
    def __init__(self, in_features, out_features, **kwargs):
        super().__init__(**kwargs)
        self.w = tf.Variable(tf.random.normal([in_features, out_features]), name="w")
        self.b = tf.Variable(tf.zeros([out_features]), name="b")

    def call(self, x):
        y = tf.matmul(x, self.w) + self.b
        return tf.nn.relu(y)


simple_layer = MyDense(name="simple", in_features=3, out_features=3)
print(repr(simple_layer(tf.constant([[2.0, 2.0, 2.0]]))))


class FlexibleLayer(tf.keras.layers.Layer):
    def __init__(self, out_features, **kwargs):
        super().__init__(**kwargs)
        self.out_features = out_features

    def build(self, input_shape):
        self.w = tf.Variable(tf.random.normal([input_shape[-1], self.out_features]), name="w")
        self.b = tf.Variable(tf.zeros([self.out_features]), name="b")

    def call(self, inputs):
        return tf.matmul(inputs, self.w) + self.b


flexible = FlexibleLayer(out_features=3)
print(flexible.variables)
print("Model results:", flexible(tf.constant([[2.0, 2.0, 2.0], [3.0, 3.0, 3.0]])))
try:
    print("Model results:", flexible(tf.constant([[2.0, 2.0, 2.0, 2.0]])))
except tf.errors.InvalidArgumentError as e:
    print("Failed:", type(e).__name__)


class LayeredModel(tf.keras.Model):
    def __init__(self, name=None, **kwargs):
        super().__init__(**kwargs)
        self.dense_1 = FlexibleLayer(out_features=3)
        self.dense_2 = FlexibleLayer(out_features=2)

    def call(self, x):
        x = self.dense_1(x)
        return self.dense_2(x)


layered = LayeredModel(name="the_model")
_ = layered(tf.constant([[2.0, 2.0, 2.0]]))
for one in (layered.dense_1, layered.dense_2):
    one.w.assign(tf.ones_like(one.w) * 0.5)
print("Model results:", layered(tf.constant([[2.0, 2.0, 2.0]])))
