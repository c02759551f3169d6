# TensorFlow's tutorial "Custom layers", its calls in our own words.

# %% 1 the import
# import minitape as tf is the one line that changes.

# %% 2 the machine
print(tf.test.is_gpu_available())

# %% 3 two layers
layer = tf.keras.layers.Dense(100)
layer = tf.keras.layers.Dense(10, input_shape=(None, 5))

# %% 4 called
layer(tf.zeros([10, 5]))

# %% 5 its variables
layer.variables

# %% 6 by their names
layer.kernel, layer.bias


# %% 7 a layer of one's own
class MyDense(tf.keras.layers.Layer):
    def __init__(self, num_outputs):
        super(MyDense, self).__init__()
        self.num_outputs = num_outputs

    def build(self, input_shape):
        self.kernel = self.add_weight("kernel", shape=[int(input_shape[-1]), self.num_outputs])

    def call(self, inputs):
        return tf.matmul(inputs, self.kernel)


layer = MyDense(10)

# %% 8 Keras 2: called
_ = layer(tf.zeros([10, 5]))
print(_.shape)  # also

# %% 9 differs: names as Keras 3 gives them
#: ['kernel']
print([var.name for var in layer.trainable_variables])


# %% 10 a block of layers
class Block(tf.keras.Model):
    def __init__(self, kernel_size, filters):
        super(Block, self).__init__(name="")
        filters1, filters2, filters3 = filters
        self.conv2a = tf.keras.layers.Conv2D(filters1, (1, 1))
        self.bn2a = tf.keras.layers.BatchNormalization()
        self.conv2b = tf.keras.layers.Conv2D(filters2, kernel_size, padding="same")
        self.bn2b = tf.keras.layers.BatchNormalization()
        self.conv2c = tf.keras.layers.Conv2D(filters3, (1, 1))
        self.bn2c = tf.keras.layers.BatchNormalization()

    def call(self, input_tensor, training=False):
        x = self.conv2a(input_tensor)
        x = self.bn2a(x, training=training)
        x = tf.nn.relu(x)
        x = self.conv2b(x)
        x = self.bn2b(x, training=training)
        x = tf.nn.relu(x)
        x = self.conv2c(x)
        x = self.bn2c(x, training=training)
        x += input_tensor
        return tf.nn.relu(x)


block = Block(1, [1, 2, 3])

# %% 11 called
_ = block(tf.zeros([1, 2, 3, 3]))
for place, one in enumerate(block.variables):  # also
    one.assign(0.1 * (place + 1) * tf.ones(one.shape))
print(block(tf.reshape(tf.range(18.0), [1, 2, 3, 3])))  # also
print(block(tf.reshape(tf.range(18.0), [1, 2, 3, 3]), training=True))  # also

# %% 12 its layers
block.layers

# %% 13 how many variables
len(block.variables)

# %% 14 as a table
block.summary()

# %% 15 the same as a stack
my_seq = tf.keras.Sequential([
    tf.keras.layers.Conv2D(1, (1, 1), input_shape=(None, None, 3)),
    tf.keras.layers.BatchNormalization(),
    tf.keras.layers.Conv2D(2, 1, padding="same"),
    tf.keras.layers.BatchNormalization(),
    tf.keras.layers.Conv2D(3, (1, 1)),
    tf.keras.layers.BatchNormalization(),
])
my_seq(tf.zeros([1, 2, 3, 3]))

# %% 16 as a table
my_seq.summary()
