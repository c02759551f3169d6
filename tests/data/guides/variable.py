# TensorFlow's guide "Introduction to Variables", its calls in our own words.

# %% 1 the import, and where things are placed
# import minitape as tf is the one line that changes; the guide says in a comment how to log the devices.

# %% 2 variables of several dtypes
numbers = tf.constant([[1.0, 2.0], [3.0, 4.0]])
variable = tf.Variable(numbers)
switches = tf.Variable([False, False, False, True])
imaginary = tf.Variable([5 + 4j, 6 + 1j])

# %% 3 what a variable tells of itself
print("shape: ", variable.shape)
print("dtype: ", variable.dtype)
print("array: ", variable.numpy())

# %% 4 in ops
print("variable:", variable)
print("\ntensor:", tf.convert_to_tensor(variable))
print("\nlargest at:", tf.math.argmax(variable))
print("\nreshaped: ", tf.reshape(variable, ([1, 4])))

# %% 5 assigned, and what it refuses
a = tf.Variable([2.0, 3.0])
a.assign([1, 2])
try:
    a.assign([1.0, 2.0, 3.0])
except Exception as e:
    print(f"{type(e).__name__}: {e}")

# %% 6 a variable from a variable
a = tf.Variable([2.0, 3.0])
b = tf.Variable(a)
a.assign([5, 6])
print(a.numpy())
print(b.numpy())
print(a.assign_add([2, 3]).numpy())
print(a.assign_sub([7, 9]).numpy())

# %% 7 one name for two
a = tf.Variable(numbers, name="Mark")
b = tf.Variable(numbers + 1, name="Mark")
print(a == b)

# %% 8 not to be trained
step_counter = tf.Variable(1, trainable=False)

# %% 9 placed on the CPU
with tf.device("CPU:0"):
    a = tf.Variable([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    b = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    c = tf.matmul(a, b)
print(c)

# %% 10 computed elsewhere
with tf.device("CPU:0"):
    a = tf.Variable([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    b = tf.Variable([[1.0, 2.0, 3.0]])
with tf.device("GPU:0"):
    k = a * b
print(k)
