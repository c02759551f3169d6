# TensorFlow's tutorial "Custom layers", its calls in our own words.
layer = tf.keras.layers.Dense(100)
layer = tf.keras.layers.Dense(10)
settled(layer, [10, 5])
print(layer(tf.zeros([10, 5])).shape)
print(len(layer.variables), layer.kernel.shape, layer.bias.shape)


class MyDense(tf.keras.layers.Layer):
    def __init__(self, num_outputs):
        super().__init__()
        self.num_outputs = num_outputs

    def build(self, input_shape):
        self.kernel = self.add_weight(name="kernel", shape=[int(input_shape[-1]), self.num_outputs])

    def call(self, inputs):
        return tf.matmul(inputs, self.kernel)


layer = settled(MyDense(10), [10, 5])
_ = layer(tf.zeros([10, 5]))
print([var.name for var in layer.trainable_variables])
print(layer(tf.ones([1, 5])))


class Block(tf.keras.Model):
    def __init__(self, kernel_size, filters):
        super().__init__(name="")
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
print(block(tf.zeros([1, 2, 3, 3])))
print(len(block.layers), len(block.variables))
my_seq = tf.keras.Sequential([
    tf.keras.layers.Conv2D(1, (1, 1)),
    tf.keras.layers.BatchNormalization(),
    tf.keras.layers.Conv2D(2, 1, padding="same"),
    tf.keras.layers.BatchNormalization(),
    tf.keras.layers.Conv2D(3, (1, 1)),
    tf.keras.layers.BatchNormalization(),
])
print(my_seq(tf.zeros([1, 2, 3, 3])))
