# TensorFlow's tutorial "Customization basics: tensors and operations", its calls in our own words.

# %% 1 the import
# import minitape as tf is the one line that changes.

# %% 2 ops on numbers and lists
print(tf.math.add(1, 2))
print(tf.math.add([1, 2], [3, 4]))
print(tf.math.square(5))
print(tf.math.reduce_sum([1, 2, 3]))
print(tf.math.square(2) + tf.math.square(3))

# %% 3 what a tensor tells of itself
x = tf.linalg.matmul([[1]], [[2, 3]])
print(x)
print(x.shape)
print(x.dtype)

# %% 4 to and from NumPy
import numpy as np

ndarray = np.ones([3, 3])
print("an op of TensorFlow on an array")
tensor = tf.math.multiply(ndarray, 42)
print(tensor)
print("a function of NumPy on a tensor")
print(np.add(tensor, 1))
print("as an array")
print(tensor.numpy())

# %% 5 the machine
x = tf.random.uniform([3, 3])
(print("GPUs: "),)
print(tf.config.list_physical_devices("GPU"))
(print("on GPU 0:  "),)
print(x.device.endswith("GPU:0"))

# %% 6 placed by hand, and timed
import time


def time_matmul(x):
    start = time.time()
    for loop in range(10):
        tf.linalg.matmul(x, x)
    result = time.time() - start
    print("10 loops: {:0.2f}ms".format(1000 * result)[:10])  # but for the time


print("on the CPU:")
with tf.device("CPU:0"):
    x = tf.random.uniform([1000, 1000])
    assert x.device.endswith("CPU:0")
    time_matmul(x)
if tf.config.list_physical_devices("GPU"):
    print("on the GPU:")
    with tf.device("GPU:0"):
        x = tf.random.uniform([1000, 1000])
        assert x.device.endswith("GPU:0")
        time_matmul(x)

# %% 7 left out: datasets of files

# %% 8 left out: datasets of files

# %% 9 left out: datasets of files
