# TensorFlow's guide "Introduction to Tensors", its calls in our own words.

# %% 1 the imports
import numpy as np

# %% 2 a number alone
scalar = tf.constant(4)
print(scalar)

# %% 3 a vector
vector = tf.constant([2.0, 3.0, 4.0])
print(vector)

# %% 4 a matrix of a given dtype
matrix = tf.constant([[1, 2], [3, 4], [5, 6]], dtype=tf.float16)
print(matrix)

# %% 5 three axes
cube = tf.constant([
    [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]],
    [[10, 11, 12, 13, 14], [15, 16, 17, 18, 19]],
    [[20, 21, 22, 23, 24], [25, 26, 27, 28, 29]],
])
print(cube)

# %% 6 as an array
np.array(matrix)

# %% 7 as an array, by a method
matrix.numpy()

# %% 8 arithmetic by functions
a = tf.constant([[1, 2], [3, 4]])
b = tf.constant([[1, 1], [1, 1]])
print(tf.add(a, b), "\n")
print(tf.multiply(a, b), "\n")
print(tf.matmul(a, b), "\n")

# %% 9 arithmetic by operators
print(a + b, "\n")
print(a * b, "\n")
print(a @ b, "\n")

# %% 10 other ops
c = tf.constant([[4.0, 5.0], [10.0, 1.0]])
print(tf.reduce_max(c))
print(tf.math.argmax(c))
print(tf.nn.softmax(c))

# %% 11 a list becomes a tensor
tf.convert_to_tensor([1, 2, 3])

# %% 12 an op on a list
tf.reduce_max([1, 2, 3])

# %% 13 an op on an array
tf.reduce_max(np.array([1, 2, 3]))

# %% 14 four axes
four = tf.zeros([3, 2, 4, 5])

# %% 15 what a tensor tells of its shape
print("dtype:", four.dtype)
print("axes:", four.ndim)
print("shape:", four.shape)
print("along axis 0:", four.shape[0])
print("along the last axis:", four.shape[-1])
print("elements in all: ", tf.size(four).numpy())

# %% 16 the rank as a tensor
tf.rank(four)

# %% 17 the shape as a tensor
tf.shape(four)

# %% 18 a row of numbers
vector = tf.constant([0, 1, 1, 2, 3, 5, 8, 13, 21, 34])
print(vector.numpy())

# %% 19 an index removes an axis
print("first:", vector[0].numpy())
print("second:", vector[1].numpy())
print("last:", vector[-1].numpy())

# %% 20 a slice keeps it
print("all:", vector[:].numpy())
print("up to 4:", vector[:4].numpy())
print("from 4:", vector[4:].numpy())
print("from 2 to 7:", vector[2:7].numpy())
print("each second:", vector[::2].numpy())
print("backwards:", vector[::-1].numpy())

# %% 21 the matrix again
print(matrix.numpy())

# %% 22 two indices
print(matrix[1, 1].numpy())

# %% 23 indices and slices
print("row:", matrix[1, :].numpy())
print("column:", matrix[:, 1].numpy())
print("last row:", matrix[-1, :].numpy())
print("end of the first row:", matrix[0, -1].numpy())
print("all but the first row:")
print(matrix[1:, :].numpy(), "\n")

# %% 24 three axes
print(cube[:, :, 4])

# %% 25 a shape
x = tf.constant([[1], [2], [3]])
print(x.shape)

# %% 26 a shape as a list
print(x.shape.as_list())

# %% 27 the same numbers in another shape
reshaped = tf.reshape(x, [1, 3])

# %% 28 both shapes
print(x.shape)
print(reshaped.shape)

# %% 29 the cube again
print(cube)

# %% 30 flat
print(tf.reshape(cube, [-1]))

# %% 31 neighbouring axes put together
print(tf.reshape(cube, [3 * 2, 5]), "\n")
print(tf.reshape(cube, [3, -1]))

# %% 32 what reshape is not for, and what it refuses
print(tf.reshape(cube, [2, 3, 5]), "\n")
print(tf.reshape(cube, [5, 6]), "\n")
try:
    tf.reshape(cube, [7, -1])
except Exception as e:
    print(f"{type(e).__name__}: {e}")

# %% 33 from dtype to dtype
wide = tf.constant([2.2, 3.3, 4.4], dtype=tf.float64)
narrow = tf.cast(wide, dtype=tf.float16)
whole = tf.cast(narrow, dtype=tf.uint8)
print(whole)

# %% 34 three ways to the same product
x = tf.constant([1, 2, 3])
y = tf.constant(2)
z = tf.constant([2, 2, 2])
print(tf.multiply(x, 2))
print(x * y)
print(x * z)

# %% 35 both are stretched
x = tf.reshape(x, [3, 1])
y = tf.range(1, 5)
print(x, "\n")
print(y, "\n")
print(tf.multiply(x, y))

# %% 36 the same without stretching
rows = tf.constant([[1, 1, 1, 1], [2, 2, 2, 2], [3, 3, 3, 3]])
columns = tf.constant([[1, 2, 3, 4], [1, 2, 3, 4], [1, 2, 3, 4]])
print(rows * columns)

# %% 37 stretched by hand
print(tf.broadcast_to(tf.constant([1, 2, 3]), [3, 3]))

# %% 38 rows of different lengths
ragged_list = [[0, 1, 2, 3], [4, 5], [6, 7, 8], [9]]

# %% 39 are no tensor
try:
    tensor = tf.constant(ragged_list)
except Exception as e:
    print(f"{type(e).__name__}: {e}")

# %% 40 left out: ragged tensors

# %% 41 left out: ragged tensors

# %% 42 a string
text = tf.constant("grey heron")
print(text)

# %% 43 several strings
texts = tf.constant(["grey heron", "small blue tit", "red kite"])
print(texts)

# %% 44 more than letters
tf.constant("🥳👍")

# %% 45 left out: strings

# %% 46 left out: strings

# %% 47 left out: strings

# %% 48 left out: strings

# %% 49 left out: strings

# %% 50 left out: sparse tensors
