"""Examples of the functions that have NumPy's names: those of `tf.keras.ops`, `tf.keras.backend` and `tf.experimental.numpy`.

A line is a call, which is the same in all of these namespaces, and what it gives: after ->, as lists of numbers; after ~,
rounded and printed; after =, as it is.  A line for one namespace alone begins with its name.
"""

from __future__ import annotations

_TABLE = """
abs([-1.0, 2.0]) -> [1.0, 2.0]
absolute([-1.0, 2.0]) -> [1.0, 2.0]
add([1.0, 2.0], [10.0, 20.0]) -> [11.0, 22.0]
all([True, False]) -> False
allclose([1.0, 2.0], [1.0, 2.000001]) -> True
amax([[4.0, 1.0], [2.0, 3.0]], axis=1) -> [4.0, 3.0]
amin([[4.0, 1.0], [2.0, 3.0]], axis=1) -> [1.0, 2.0]
angle([1.0, -1.0]) ~ [0.    3.142]
any([True, False]) -> True
append([1.0, 2.0], [3.0]) -> [1.0, 2.0, 3.0]
arange(2, 8, 2) -> [2, 4, 6]
arccos([0.0, 0.5]) ~ [1.571 1.047]
arccosh([1.0, 2.0]) ~ [0.    1.317]
arcsin([0.0, 0.5]) ~ [0.    0.524]
arcsinh([0.0, 2.0]) ~ [0.    1.444]
arctan([0.0, 1.0]) ~ [0.    0.785]
arctan2([1.0, 1.0], [1.0, -1.0]) ~ [0.785 2.356]
arctanh([0.0, 0.5]) ~ [0.    0.549]
argmax([3.0, 9.0, 6.0]) -> 1
argmin([3.0, 9.0, 6.0]) -> 0
argpartition([3.0, 9.0, 6.0], 1) -> [0, 2, 1]
argsort([3.0, 9.0, 6.0]) -> [0, 2, 1]
around([1.25, 2.75], 1) -> [1.2, 2.8]
array([1.0, 2.0]) -> [1.0, 2.0]
array_equal([1.0, 2.0], [1.0, 3.0]) -> False
array_split([1.0, 2.0, 3.0], 2)[0] -> [1.0, 2.0]
asarray([1.0, 2.0]) -> [1.0, 2.0]
associative_scan(lambda a, b: a + b, tf.constant([1.0, 2.0, 3.0])) -> [1.0, 3.0, 6.0]
atleast_1d(3.0) -> [3.0]
atleast_2d([1.0, 2.0]) -> [[1.0, 2.0]]
average([1.0, 2.0, 6.0], weights=[1.0, 1.0, 2.0]) -> 3.75
average_pool([[[1.0], [3.0], [2.0], [4.0]]], 2) -> [[[2.0], [3.0]]]
bartlett(5) -> [0.0, 0.5, 1.0, 0.5, 0.0]
batch_flatten(tf.ones([2, 3, 4])).shape = TensorShape([2, 12])
batch_normalization([[1.0], [3.0]], [2.0], [1.0], -1, epsilon=0.0) -> [[-1.0], [1.0]]
ops.binary_crossentropy([1.0, 0.0], [0.5, 0.25]) ~ [0.693 0.288]
bincount([1, 1, 3]) -> [0, 2, 0, 1]
bitwise_and([5, 6], [3, 3]) -> [1, 2]
bitwise_invert([0, 1]) -> [-1, -2]
bitwise_left_shift([1, 2], [3, 1]) -> [8, 4]
bitwise_not([0, 1]) -> [-1, -2]
bitwise_or([5, 6], [3, 3]) -> [7, 7]
bitwise_right_shift([8, 5], [3, 1]) -> [1, 2]
bitwise_xor([5, 6], [3, 3]) -> [6, 5]
blackman(3) ~ [-0.  1. -0.]
broadcast_to([1.0, 2.0], [2, 2]) -> [[1.0, 2.0], [1.0, 2.0]]
cast([1.75, -1.75], "int32") -> [1, -1]
cast_to_floatx([1, 2]) = array([1., 2.], dtype=float32)
ops.categorical_crossentropy([[0.0, 1.0]], [[0.5, 0.5]]) ~ [0.693]
cbrt([8.0, -27.0]) ~ [ 2. -3.]
cdist([[0.0, 0.0]], [[3.0, 4.0], [0.0, 1.0]]) -> [[5.0, 1.0]]
ceil([1.25, -1.25]) -> [2.0, -1.0]
celu([-100.0, 2.0], 2.0) -> [-2.0, 2.0]
cholesky([[4.0, 2.0], [2.0, 2.0]]) -> [[2.0, 0.0], [1.0, 1.0]]
cholesky_inverse([[2.0, 0.0], [1.0, 1.0]]) -> [[0.5, -0.5], [-0.5, 1.0]]
clip([-3.0, 0.5, 3.0], -1.0, 1.0) -> [-1.0, 0.5, 1.0]
concatenate([[1.0, 2.0], [3.0]]) -> [1.0, 2.0, 3.0]
cond(True, lambda: 1.0, lambda: 2.0) = 1.0
conj([1.0 + 2.0j]) -> [(1-2j)]
conjugate([1.0 + 2.0j]) -> [(1-2j)]
constant([1.0, 2.0]) -> [1.0, 2.0]
conv([[[1.0], [2.0], [4.0]]], [[[1.0]], [[-1.0]]]) -> [[[-1.0], [-2.0]]]
conv_transpose([[[1.0], [3.0]]], [[[1.0]], [[2.0]]]) -> [[[1.0], [5.0], [6.0]]]
convert_to_numpy([1.0, 2.0]) = array([1., 2.])
convert_to_tensor([1.0, 2.0]) -> [1.0, 2.0]
copy([1.0, 2.0]) -> [1.0, 2.0]
corrcoef([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]])[0, 1] ~ -1.0
correlate([1.0, 2.0, 3.0], [1.0, 10.0]) -> [21.0, 32.0]
cos([0.0, 1.0]) ~ [1.   0.54]
cosh([0.0, 1.0]) ~ [1.    1.543]
count_nonzero([0.0, 1.0, 2.0]) -> 2
count_params(tf.ones([2, 3])) = 6
cross([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]) -> [0.0, 0.0, 1.0]
cumprod([1.0, 2.0, 3.0]) -> [1.0, 2.0, 6.0]
cumsum([1.0, 2.0, 3.0]) -> [1.0, 3.0, 6.0]
custom_gradient(lambda x: (x * x, lambda upstream: upstream))(tf.constant(3.0)) -> 9.0
deg2rad([0.0, 180.0]) ~ [0.    3.142]
depth_to_space([[[[1.0, 2.0, 3.0, 4.0]]]], 2)[0, :, :, 0] -> [[1.0, 2.0], [3.0, 4.0]]
depthwise_conv([[[[1.0, 2.0]]]], [[[[3.0], [4.0]]]]) -> [[[[3.0, 8.0]]]]
det([[1.0, 2.0], [3.0, 4.0]]) ~ -2.0
diag([1.0, 2.0]) -> [[1.0, 0.0], [0.0, 2.0]]
diagflat([[1.0, 2.0]]) -> [[1.0, 0.0], [0.0, 2.0]]
diagonal([[1.0, 2.0], [3.0, 4.0]]) -> [1.0, 4.0]
diff([1.0, 4.0, 9.0]) -> [3.0, 5.0]
digitize([0.5, 1.5, 2.5], [1.0, 2.0]) -> [0, 1, 2]
divide([1.0, 2.0], [4.0, 8.0]) -> [0.25, 0.25]
divide_no_nan([1.0, 2.0], [4.0, 0.0]) -> [0.25, 0.0]
dot([1.0, 2.0], [3.0, 4.0]) -> 11.0
dot_product_attention(tf.ones([1, 2, 1, 3]), tf.ones([1, 2, 1, 3]), tf.ones([1, 2, 1, 3])).shape = TensorShape([1, 2, 1, 3])
dropout(tf.ones([50]), 0.5).shape = TensorShape([50])
dsplit([[[1.0, 2.0]]], 2)[1] -> [[[2.0]]]
dstack([[1.0, 2.0], [3.0, 4.0]]) -> [[[1.0, 3.0], [2.0, 4.0]]]
dtype([1.0, 2.0]) = 'float32'
eigh([[2.0, 0.0], [0.0, 1.0]])[0] -> [1.0, 2.0]
einsum("ij,j->i", [[1.0, 2.0], [3.0, 4.0]], [1.0, 10.0]) -> [21.0, 43.0]
elu([-1.0, 2.0]) ~ [-0.632  2.   ]
empty([2]) -> [0.0, 0.0]
empty_like([1.0, 2.0]) -> [0.0, 0.0]
equal([1.0, 2.0], [1.0, 3.0]) -> [True, False]
erf([0.0, 1.0]) ~ [0.    0.843]
erfc([0.0, 1.0]) ~ [1.    0.157]
erfinv([0.0, 0.5]) ~ [0.    0.477]
exp([0.0, 1.0]) ~ [1.    2.718]
exp2([1.0, 3.0]) ~ [2. 8.]
expand_dims([1.0, 2.0], 0) -> [[1.0, 2.0]]
expm1([0.0, 1.0]) ~ [0.    1.718]
exponential([0.0, 1.0]) ~ [1.    2.718]
extract_sequences([1.0, 2.0, 3.0], 2, 1) -> [[1.0, 2.0], [2.0, 3.0]]
eye(2) -> [[1.0, 0.0], [0.0, 1.0]]
fabs([-1.0, 2.0]) -> [1.0, 2.0]
fft(([1.0, 2.0], [0.0, 0.0]))[0] -> [3.0, -1.0]
fft2(([[1.0, 2.0]], [[0.0, 0.0]]))[0] -> [[3.0, -1.0]]
flatten([[1.0, 2.0], [3.0, 4.0]]) -> [1.0, 2.0, 3.0, 4.0]
flip([1.0, 2.0, 3.0]) -> [3.0, 2.0, 1.0]
fliplr([[1.0, 2.0], [3.0, 4.0]]) -> [[2.0, 1.0], [4.0, 3.0]]
flipud([[1.0, 2.0], [3.0, 4.0]]) -> [[3.0, 4.0], [1.0, 2.0]]
floor([1.75, -1.75]) -> [1.0, -2.0]
floor_divide([7.0, -7.0], [2.0, 2.0]) -> [3.0, -4.0]
fmax([1.0, float("nan")], [0.0, 2.0]) -> [1.0, 2.0]
fmin([1.0, float("nan")], [0.0, 2.0]) -> [0.0, 2.0]
fmod([7.0, -7.0], [4.0, 4.0]) -> [3.0, -3.0]
foldl(lambda total, x: 10.0 * total + x, tf.constant([1.0, 2.0, 3.0])) -> 123.0
foldr(lambda total, x: 10.0 * total + x, tf.constant([1.0, 2.0, 3.0])) -> 321.0
fori_loop(0, 3, lambda i, x: x * 2.0, 1.0) -> 8.0
full([2], 7.0) -> [7.0, 7.0]
full_like([1.0, 2.0], 7.0) -> [7.0, 7.0]
gather([1.0, 2.0, 3.0], [2, 0]) -> [3.0, 1.0]
gcd([12, 7], [18, 14]) -> [6, 7]
gelu([-1.0, 1.0]) ~ [-0.159  0.841]
geomspace(1.0, 8.0, 4) ~ [1. 2. 4. 8.]
get_item([1.0, 2.0, 3.0], 1) = 2.0
get_uid("example") > 0 = True
glu([3.0, 4.0, 0.0, 100.0]) -> [1.5, 4.0]
greater([1.0, 3.0], [2.0, 2.0]) -> [False, True]
greater_equal([1.0, 2.0], [2.0, 2.0]) -> [False, True]
hamming(5) ~ [0.08 0.54 1.   0.54 0.08]
hanning(5) ~ [0.  0.5 1.  0.5 0. ]
hard_shrink([-2.0, 0.25, 2.0]) -> [-2.0, 0.0, 2.0]
hard_sigmoid([-9.0, 0.0, 9.0]) -> [0.0, 0.5, 1.0]
hard_silu([-9.0, 0.0, 9.0]) -> [-0.0, 0.0, 9.0]
hard_swish([-9.0, 0.0, 9.0]) -> [-0.0, 0.0, 9.0]
hard_tanh([-9.0, 0.5, 9.0]) -> [-1.0, 0.5, 1.0]
heaviside([-1.0, 0.0, 2.0], [0.5, 0.5, 0.5]) -> [0.0, 0.5, 1.0]
histogram([0, 1, 3], 3)[0] -> [1, 1, 1]
hsplit([1.0, 2.0, 3.0, 4.0], 2)[1] -> [3.0, 4.0]
hstack([[1.0, 2.0], [3.0]]) -> [1.0, 2.0, 3.0]
hypot([3.0, 5.0], [4.0, 12.0]) -> [5.0, 13.0]
i0([0.0, 1.0]) ~ [1.    1.266]
identity(2) -> [[1.0, 0.0], [0.0, 1.0]]
ifft2(([[3.0, -1.0]], [[0.0, 0.0]]))[0] -> [[1.0, 2.0]]
imag([1.0 + 2.0j]) -> [2.0]
in_top_k([1, 0], [[0.2, 0.8], [0.1, 0.9]], 1) -> [True, False]
inner([1.0, 2.0], [3.0, 4.0]) -> 11.0
int_shape(tf.keras.Input((3,))) = (None, 3)
inv([[2.0, 0.0], [0.0, 4.0]]) -> [[0.5, 0.0], [0.0, 0.25]]
irfft(([3.0, -1.0], [0.0, 0.0])) -> [1.0, 2.0]
is_keras_tensor(tf.keras.Input((3,))) = True
is_tensor([1.0, 2.0]) = False
isclose([1.0, 2.0], [1.0, 2.1]) -> [True, False]
isfinite([1.0, float("inf")]) -> [True, False]
isin([1, 2, 3], [2, 5]) -> [False, True, False]
isinf([1.0, float("inf")]) -> [False, True]
isnan([1.0, float("nan")]) -> [False, True]
isneginf([1.0, -float("inf")]) -> [False, True]
isposinf([1.0, float("inf")]) -> [False, True]
isreal([1.0, 2.0]) -> [True, True]
jvp(lambda x: x * x, [3.0], [1.0])[1] -> 6.0
kaiser(3, 2.0) ~ [0.439 1.    0.439]
kron([1.0, 2.0], [1.0, 10.0]) -> [1.0, 10.0, 2.0, 20.0]
l2_normalize([3.0, 4.0]) ~ [0.6 0.8]
layer_normalization([[1.0, 3.0]]) ~ [[-1.  1.]]
lcm([4, 6], [6, 4]) -> [12, 12]
ldexp([1.0, 3.0], [3, 1]) -> [8.0, 6.0]
leaky_relu([-1.0, 2.0]) ~ [-0.2  2. ]
left_shift([1, 2], [3, 1]) -> [8, 4]
less([1.0, 3.0], [2.0, 2.0]) -> [True, False]
less_equal([1.0, 2.0], [2.0, 1.0]) -> [True, False]
linspace(0.0, 1.0, 3) -> [0.0, 0.5, 1.0]
log([1.0, 2.0]) ~ [0.    0.693]
log10([1.0, 1000.0]) ~ [0. 3.]
log1p([0.0, 1.0]) ~ [0.    0.693]
log2([1.0, 8.0]) ~ [0. 3.]
log_sigmoid([0.0, 1.0]) ~ [-0.693 -0.313]
log_softmax([1.0, 1.0]) ~ [-0.693 -0.693]
logaddexp([0.0], [0.0]) ~ [0.693]
logaddexp2([1.0], [1.0]) -> [2.0]
logdet([[2.0, 0.0], [0.0, 3.0]]) ~ 1.792
logical_and([True, True], [True, False]) -> [True, False]
logical_not([True, False]) -> [False, True]
logical_or([True, False], [False, False]) -> [True, False]
logical_xor([True, True], [True, False]) -> [False, True]
logspace(0.0, 2.0, 3) ~ [  1.  10. 100.]
logsumexp([0.0, 0.0]) ~ 0.693
lstsq([[1.0, 0.0], [1.0, 1.0]], [1.0, 3.0]) ~ [1. 2.]
map(lambda x: x * x, tf.constant([1.0, 2.0])) -> [1.0, 4.0]
map_fn(lambda x: x * x, tf.constant([1.0, 2.0, 3.0])) -> [1.0, 4.0, 9.0]
matmul([[1.0, 2.0], [3.0, 4.0]], [1.0, 10.0]) -> [21.0, 43.0]
matrix_rank([[1.0, 2.0], [2.0, 4.0]]) -> 1
max([[4.0, 1.0], [2.0, 3.0]], axis=1) -> [4.0, 3.0]
max_pool([[[1.0], [3.0], [2.0], [4.0]]], 2) -> [[[3.0], [4.0]]]
maximum([1.0, 3.0], [2.0, 2.0]) -> [2.0, 3.0]
mean([[4.0, 1.0], [2.0, 3.0]], axis=1) -> [2.5, 2.5]
median([3.0, 9.0, 6.0]) -> 6.0
meshgrid([1.0, 2.0], [3.0, 4.0])[1] -> [[3.0, 3.0], [4.0, 4.0]]
min([[4.0, 1.0], [2.0, 3.0]], axis=1) -> [1.0, 2.0]
minimum([1.0, 3.0], [2.0, 2.0]) -> [1.0, 2.0]
mish([-1.0, 2.0]) ~ [-0.303  1.944]
mod([7.0, -7.0], [4.0, 4.0]) -> [3.0, 1.0]
moments([1.0, 3.0], 0)[1] -> 1.0
moveaxis([[1.0, 2.0]], 0, 1) -> [[1.0], [2.0]]
moving_average_update(tf.Variable(1.0), 3.0, momentum=0.5) -> 2.0
multi_hot(tf.constant([0, 2]), 4) -> [1.0, 0.0, 1.0, 0.0]
multiply([1.0, 2.0], [10.0, 20.0]) -> [10.0, 40.0]
nan_to_num([1.0, float("nan")]) -> [1.0, 0.0]
nanargmax([1.0, float("nan"), 3.0]) -> 2
nanargmin([1.0, float("nan"), 3.0]) -> 0
nancumprod([1.0, float("nan"), 3.0]) -> [1.0, 1.0, 3.0]
nancumsum([1.0, float("nan"), 3.0]) -> [1.0, 1.0, 4.0]
nanmax([1.0, float("nan"), 3.0]) -> 3.0
nanmean([1.0, float("nan"), 3.0]) -> 2.0
nanmedian([1.0, float("nan"), 3.0]) -> 2.0
nanmin([1.0, float("nan"), 3.0]) -> 1.0
nanpercentile([1.0, float("nan"), 3.0], 50) -> 2.0
nanprod([1.0, float("nan"), 3.0]) -> 3.0
nanquantile([1.0, float("nan"), 3.0], 0.5) -> 2.0
nanstd([1.0, float("nan"), 3.0]) -> 1.0
nansum([1.0, float("nan"), 3.0]) -> 4.0
nanvar([1.0, float("nan"), 3.0]) -> 1.0
ndim([[1.0, 2.0]]) = 2
negative([1.0, -2.0]) -> [-1.0, 2.0]
nonzero([0.0, 1.0, 2.0])[0] -> [1, 2]
norm([3.0, 4.0]) -> 5.0
normalize([3.0, 4.0]) ~ [0.6 0.8]
not_equal([1.0, 2.0], [1.0, 3.0]) -> [False, True]
one_hot([0, 2], 3) -> [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
ones([2]) -> [1.0, 1.0]
ones_like([3.0, 4.0]) -> [1.0, 1.0]
outer([1.0, 2.0], [3.0, 4.0]) -> [[3.0, 4.0], [6.0, 8.0]]
pad([1.0, 2.0], [[1, 2]]) -> [0.0, 1.0, 2.0, 0.0, 0.0]
percentile([1.0, 2.0, 3.0, 5.0], 50) -> 2.5
permute_dimensions([[1.0, 2.0], [3.0, 4.0]], (1, 0)) -> [[1.0, 3.0], [2.0, 4.0]]
pinv([[2.0], [0.0]]) -> [[0.5, 0.0]]
polar([2.0], [0.0]) -> [(2+0j)]
pow([2.0, 3.0], 2) -> [4.0, 9.0]
power([2.0, 3.0], [3.0, 2.0]) -> [8.0, 9.0]
prod([1.0, 2.0, 5.0]) -> 10.0
psnr([0.0, 0.0], [1.0, 1.0], 10.0) ~ 20.0
ptp([3.0, 9.0, 6.0]) -> 6.0
qr([[2.0, 0.0], [0.0, 1.0]])[0].shape = TensorShape([2, 2])
quantile([1.0, 2.0, 3.0, 5.0], 0.5) -> 2.5
rad2deg([0.0, 3.14159]) ~ [  0. 180.]
rand(2, 3).shape = TensorShape([2, 3])
randint(1, 2, [3]) -> [1, 1, 1]
randn(2, 3).shape = TensorShape([2, 3])
random(2, 3).shape = TensorShape([2, 3])
random_normal([2, 3]).shape = TensorShape([2, 3])
random_uniform([2, 3]).shape = TensorShape([2, 3])
ravel([[1.0, 2.0], [3.0, 4.0]]) -> [1.0, 2.0, 3.0, 4.0]
real([1.0 + 2.0j]) -> [1.0]
reciprocal([2.0, 4.0]) -> [0.5, 0.25]
relu([-1.0, 2.0]) -> [0.0, 2.0]
relu6([-1.0, 2.0, 9.0]) -> [0.0, 2.0, 6.0]
remainder([7.0, -7.0], [4.0, 4.0]) -> [3.0, 1.0]
repeat([1.0, 2.0], 2) -> [1.0, 1.0, 2.0, 2.0]
backend.repeat([[1.0, 2.0]], 2) -> [[[1.0, 2.0], [1.0, 2.0]]]
repeat_elements([1.0, 2.0], 2, axis=0) -> [1.0, 1.0, 2.0, 2.0]
reshape([1.0, 2.0, 3.0, 4.0], [2, 2]) -> [[1.0, 2.0], [3.0, 4.0]]
result_type("int32", "float32") = dtype('float64')
reverse([1.0, 2.0, 3.0], 0) -> [3.0, 2.0, 1.0]
rfft([1.0, 2.0])[0] -> [3.0, -1.0]
right_shift([8, 5], [3, 1]) -> [1, 2]
rms_normalization([[3.0, 3.0]]) ~ [[1. 1.]]
roll([1.0, 2.0, 3.0], 1) -> [3.0, 1.0, 2.0]
rot90([[1.0, 2.0], [3.0, 4.0]]) -> [[2.0, 4.0], [1.0, 3.0]]
round([1.25, 1.75]) -> [1.0, 2.0]
rsqrt([4.0, 16.0]) -> [0.5, 0.25]
saturate_cast([300.0, -5.0], "uint8") -> [255, 0]
scan(lambda carry, x: (carry + x, carry * x), 0.0, tf.constant([1.0, 2.0, 3.0]))[1] -> [0.0, 2.0, 9.0]
scatter([[0], [2]], [1.0, 2.0], [4]) -> [1.0, 0.0, 2.0, 0.0]
scatter_update([1.0, 2.0, 3.0], [[1]], [7.0]) -> [1.0, 7.0, 3.0]
searchsorted([1.0, 2.0, 3.0], [1.5, 3.0]) -> [1, 2]
seed(1) =
segment_max([1.0, 2.0, 5.0], [0, 0, 1]) -> [2.0, 5.0]
segment_min([1.0, 2.0, 5.0], [0, 0, 1]) -> [1.0, 5.0]
segment_prod([1.0, 2.0, 5.0], [0, 0, 1]) -> [2.0, 5.0]
segment_sum([1.0, 2.0, 5.0], [0, 0, 1]) -> [3.0, 5.0]
select([[True, False]], [[1.0, 2.0]], 5.0) -> [1.0, 5.0]
selu([-1.0, 2.0]) ~ [-1.111  2.101]
separable_conv([[[[1.0, 2.0]]]], [[[[3.0], [4.0]]]], [[[[1.0], [1.0]]]]) -> [[[[11.0]]]]
shape([[1.0, 2.0]])[1] = 2
sigmoid([0.0, 1.0]) ~ [0.5   0.731]
sign([-3.0, 0.0, 3.0]) -> [-1.0, 0.0, 1.0]
signbit([-1.0, 2.0]) -> [True, False]
silu([-1.0, 2.0]) ~ [-0.269  1.762]
sin([0.0, 1.0]) ~ [0.    0.841]
sinc([0.0, 0.5]) ~ [1.    0.637]
sinh([0.0, 1.0]) ~ [0.    1.175]
size([[1.0, 2.0]]) = 2
ops.size([[1.0, 2.0]]) -> 2
slice([1.0, 2.0, 3.0], [1], [2]) -> [2.0, 3.0]
slice_update([1.0, 2.0, 3.0], [1], [7.0]) -> [1.0, 7.0, 3.0]
slogdet([[2.0, 0.0], [0.0, -3.0]])[0] -> -1.0
soft_shrink([-2.0, 0.25, 2.0]) -> [-1.5, 0.0, 1.5]
softmax([1.0, 1.0]) -> [0.5, 0.5]
softplus([0.0, 1.0]) ~ [0.693 1.313]
softsign([-1.0, 3.0]) -> [-0.5, 0.75]
solve([[2.0, 0.0], [0.0, 4.0]], [2.0, 2.0]) -> [1.0, 0.5]
solve_triangular([[2.0, 0.0], [1.0, 1.0]], [2.0, 2.0], lower=True) -> [1.0, 1.0]
sort([3.0, 9.0, 6.0]) -> [3.0, 6.0, 9.0]
space_to_depth([[[[1.0], [2.0]], [[3.0], [4.0]]]], 2) -> [[[[1.0, 2.0, 3.0, 4.0]]]]
ops.sparse_categorical_crossentropy([1], [[0.5, 0.5]]) ~ [0.693]
sparse_plus([-2.0, 0.0, 2.0]) -> [0.0, 0.25, 2.0]
sparse_sigmoid([-2.0, 0.0, 2.0]) -> [0.0, 0.5, 1.0]
sparsemax([1.0, 0.5, -2.0]) -> [0.75, 0.25, 0.0]
split([1.0, 2.0, 3.0, 4.0], 2)[1] -> [3.0, 4.0]
sqrt([4.0, 9.0]) -> [2.0, 3.0]
square([2.0, 3.0]) -> [4.0, 9.0]
squareplus([-1.5, 0.0, 1.5]) -> [0.5, 1.0, 2.0]
squeeze([[1.0, 2.0]]) -> [1.0, 2.0]
stack([[1.0, 2.0], [3.0, 4.0]]) -> [[1.0, 2.0], [3.0, 4.0]]
std([1.0, 3.0]) -> 1.0
stop_gradient([1.0, 2.0]) -> [1.0, 2.0]
subtract([1.0, 2.0], [10.0, 20.0]) -> [-9.0, -18.0]
sum([[4.0, 1.0], [2.0, 3.0]], axis=1) -> [5.0, 5.0]
svd([[2.0, 0.0], [0.0, 1.0]])[1] -> [2.0, 1.0]
swapaxes([[1.0, 2.0]], 0, 1) -> [[1.0], [2.0]]
swish([-1.0, 0.0]) ~ [-0.269  0.   ]
switch(True, 1.0, 2.0) -> 1.0
ops.switch(1, [lambda x: x, lambda x: -x], tf.constant(2.0)) -> -2.0
take([1.0, 2.0, 3.0], [2, 0]) -> [3.0, 1.0]
take_along_axis([[1.0, 2.0], [3.0, 4.0]], [[1], [0]], axis=1) -> [[2.0], [3.0]]
tan([0.0, 1.0]) ~ [0.    1.557]
tanh([0.0, 1.0]) ~ [0.    0.762]
tanh_shrink([-3.0, 0.0]) ~ [-2.005  0.   ]
tensordot([[1.0, 2.0]], [[3.0], [4.0]], 1) -> [[11.0]]
threshold([0.5, 1.0, 3.0], 1.0, -7.0) -> [-7.0, -7.0, 3.0]
tile([1.0, 2.0], [2]) -> [1.0, 2.0, 1.0, 2.0]
to_dense(1.0) = 1.0
top_k([3.0, 9.0, 6.0], 2)[0] -> [9.0, 6.0]
trace([[1.0, 2.0], [3.0, 4.0]]) -> 5.0
transpose([[1.0, 2.0], [3.0, 4.0]]) -> [[1.0, 3.0], [2.0, 4.0]]
trapezoid([1.0, 2.0, 4.0]) -> 4.5
tri(2) -> [[1.0, 0.0], [1.0, 1.0]]
tril([[1.0, 2.0], [3.0, 4.0]]) -> [[1.0, 0.0], [3.0, 4.0]]
triu([[1.0, 2.0], [3.0, 4.0]]) -> [[1.0, 2.0], [0.0, 4.0]]
true_divide([1.0, 2.0], [4.0, 8.0]) -> [0.25, 0.25]
trunc([1.75, -1.75]) -> [1.0, -1.0]
truncated_normal([2, 3]).shape = TensorShape([2, 3])
uniform(2.0, 3.0, [2]).shape = TensorShape([2])
unique([3.0, 1.0, 3.0]) -> [1.0, 3.0]
unravel_index([5, 3], (2, 3))[0] -> [1, 1]
unstack([[1.0, 2.0], [3.0, 4.0]])[1] -> [3.0, 4.0]
update(tf.Variable(1.0), 3.0) -> 3.0
update_add(tf.Variable(1.0), 3.0) -> 4.0
update_sub(tf.Variable(1.0), 3.0) -> -2.0
vander([1.0, 2.0]) -> [[1.0, 1.0], [2.0, 1.0]]
var([1.0, 3.0]) -> 1.0
vdot([1.0, 2.0], [3.0, 4.0]) -> 11.0
vectorized_map(lambda x: x * x, tf.constant([1.0, 2.0])) -> [1.0, 4.0]
view([1.0], "int32") -> [1065353216]
view_as_complex([[1.0, 2.0]]) -> [(1+2j)]
view_as_real([1.0 + 2.0j]) -> [[1.0, 2.0]]
vsplit([[1.0], [2.0]], 2)[1] -> [[2.0]]
vstack([[1.0, 2.0], [3.0, 4.0]]) -> [[1.0, 2.0], [3.0, 4.0]]
where([True, False], [1.0, 2.0], [3.0, 4.0]) -> [1.0, 4.0]
while_loop(lambda i: i < 3, lambda i: (i + 1,), (0,))[0] -> 3
zeros([2]) -> [0.0, 0.0]
zeros_like([3.0, 4.0]) -> [0.0, 0.0]
"""
_SHOWN = {"->": "{}.numpy().tolist()", "~": "print({}.numpy().round(3))", "=": "{}"}
_LINES = {line.partition("(")[0]: line for line in _TABLE.strip().split("\n")}


def example(namespace: str, name: str) -> str:
    """A program that calls a function of a namespace, and what it prints; raises KeyError where there is no line for it.

    >>> example("tf.keras.ops", "std").split("\\n")
    ['>>> tf.keras.ops.std([1.0, 3.0]).numpy().tolist()', '1.0']
    """
    alone = f"{namespace.rpartition('.')[2]}."
    line = _LINES.get(alone + name) or _LINES[name]
    mark = next(mark for mark in _SHOWN if f" {mark} " in f"{line} ")
    call, _, answer = line.partition(f" {mark}")
    called = _SHOWN[mark].format(f"{namespace}.{call.removeprefix(alone)}")
    return f">>> {called}\n{answer.strip()}"
