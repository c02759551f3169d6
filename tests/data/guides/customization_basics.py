# TensorFlow's tutorial "Customization basics: tensors and operations", its calls in our own words.
import time

print(tf.math.add(1, 2))
print(tf.math.add([1, 2], [3, 4]))
print(tf.math.square(5))
print(tf.math.reduce_sum([1, 2, 3]))
print(tf.math.square(2) + tf.math.square(3))
x = tf.linalg.matmul([[1]], [[2, 3]])
print(x)
print(x.shape)
print(x.dtype)
ndarray = np.ones([3, 3])
tensor = tf.math.multiply(ndarray, 42)
print(tensor)
print(np.add(tensor, 1))
print(tensor.numpy())
x = tf.random.uniform([3, 3])
print(bool(tf.config.list_physical_devices("GPU")))
print(x.device.endswith("GPU:0"))


def timed(x):
    start = time.time()
    for loop in range(10):
        tf.linalg.matmul(x, x)
    return time.time() - start


with tf.device("CPU:0"):
    x = tf.random.uniform([100, 100])
    assert x.device.endswith("CPU:0")
    timed(x)
