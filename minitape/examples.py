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
any([True, False]) -> True
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
argsort([3.0, 9.0, 6.0]) -> [0, 2, 1]
around([1.25, 2.75], 1) -> [1.2, 2.8]
array([1.0, 2.0]) -> [1.0, 2.0]
array_equal([1.0, 2.0], [1.0, 3.0]) -> False
asarray([1.0, 2.0]) -> [1.0, 2.0]
atleast_1d(3.0) -> [3.0]
atleast_2d([1.0, 2.0]) -> [[1.0, 2.0]]
average([1.0, 2.0, 6.0], weights=[1.0, 1.0, 2.0]) -> 3.75
batch_flatten(tf.ones([2, 3, 4])).shape = TensorShape([2, 12])
broadcast_to([1.0, 2.0], [2, 2]) -> [[1.0, 2.0], [1.0, 2.0]]
cast([1.75, -1.75], "int32") -> [1, -1]
cast_to_floatx([1, 2]) = array([1., 2.], dtype=float32)
ceil([1.25, -1.25]) -> [2.0, -1.0]
celu([-100.0, 2.0], 2.0) -> [-2.0, 2.0]
clip([-3.0, 0.5, 3.0], -1.0, 1.0) -> [-1.0, 0.5, 1.0]
concatenate([[1.0, 2.0], [3.0]]) -> [1.0, 2.0, 3.0]
cond(True, lambda: 1.0, lambda: 2.0) = 1.0
conj([1.0 + 2.0j]) -> [(1-2j)]
conjugate([1.0 + 2.0j]) -> [(1-2j)]
constant([1.0, 2.0]) -> [1.0, 2.0]
convert_to_numpy([1.0, 2.0]) = array([1., 2.])
convert_to_tensor([1.0, 2.0]) -> [1.0, 2.0]
copy([1.0, 2.0]) -> [1.0, 2.0]
cos([0.0, 1.0]) ~ [1.   0.54]
cosh([0.0, 1.0]) ~ [1.    1.543]
count_nonzero([0.0, 1.0, 2.0]) -> 2
count_params(tf.ones([2, 3])) = 6
cumprod([1.0, 2.0, 3.0]) -> [1.0, 2.0, 6.0]
cumsum([1.0, 2.0, 3.0]) -> [1.0, 3.0, 6.0]
deg2rad([0.0, 180.0]) ~ [0.    3.142]
diag([1.0, 2.0]) -> [[1.0, 0.0], [0.0, 2.0]]
diff([1.0, 4.0, 9.0]) -> [3.0, 5.0]
divide([1.0, 2.0], [4.0, 8.0]) -> [0.25, 0.25]
divide_no_nan([1.0, 2.0], [4.0, 0.0]) -> [0.25, 0.0]
dot([1.0, 2.0], [3.0, 4.0]) -> 11.0
dropout(tf.ones([50]), 0.5).shape = TensorShape([50])
dtype([1.0, 2.0]) = 'float32'
einsum("ij,j->i", [[1.0, 2.0], [3.0, 4.0]], [1.0, 10.0]) -> [21.0, 43.0]
elu([-1.0, 2.0]) ~ [-0.632  2.   ]
empty([2]) -> [0.0, 0.0]
empty_like([1.0, 2.0]) -> [0.0, 0.0]
equal([1.0, 2.0], [1.0, 3.0]) -> [True, False]
erf([0.0, 1.0]) ~ [0.    0.843]
exp([0.0, 1.0]) ~ [1.    2.718]
exp2([1.0, 3.0]) ~ [2. 8.]
expand_dims([1.0, 2.0], 0) -> [[1.0, 2.0]]
expm1([0.0, 1.0]) ~ [0.    1.718]
exponential([0.0, 1.0]) ~ [1.    2.718]
eye(2) -> [[1.0, 0.0], [0.0, 1.0]]
flatten([[1.0, 2.0], [3.0, 4.0]]) -> [1.0, 2.0, 3.0, 4.0]
flip([1.0, 2.0, 3.0]) -> [3.0, 2.0, 1.0]
fliplr([[1.0, 2.0], [3.0, 4.0]]) -> [[2.0, 1.0], [4.0, 3.0]]
flipud([[1.0, 2.0], [3.0, 4.0]]) -> [[3.0, 4.0], [1.0, 2.0]]
floor([1.75, -1.75]) -> [1.0, -2.0]
floor_divide([7.0, -7.0], [2.0, 2.0]) -> [3.0, -4.0]
foldl(lambda total, x: 10.0 * total + x, tf.constant([1.0, 2.0, 3.0])) -> 123.0
foldr(lambda total, x: 10.0 * total + x, tf.constant([1.0, 2.0, 3.0])) -> 321.0
full([2], 7.0) -> [7.0, 7.0]
full_like([1.0, 2.0], 7.0) -> [7.0, 7.0]
gather([1.0, 2.0, 3.0], [2, 0]) -> [3.0, 1.0]
gelu([-1.0, 1.0]) ~ [-0.159  0.841]
geomspace(1.0, 8.0, 4) ~ [1. 2. 4. 8.]
get_item([1.0, 2.0, 3.0], 1) = 2.0
get_uid("example") > 0 = True
glu([3.0, 4.0, 0.0, 100.0]) -> [1.5, 4.0]
greater([1.0, 3.0], [2.0, 2.0]) -> [False, True]
greater_equal([1.0, 2.0], [2.0, 2.0]) -> [False, True]
hard_shrink([-2.0, 0.25, 2.0]) -> [-2.0, 0.0, 2.0]
hard_sigmoid([-9.0, 0.0, 9.0]) -> [0.0, 0.5, 1.0]
hard_silu([-9.0, 0.0, 9.0]) -> [-0.0, 0.0, 9.0]
hard_swish([-9.0, 0.0, 9.0]) -> [-0.0, 0.0, 9.0]
hard_tanh([-9.0, 0.5, 9.0]) -> [-1.0, 0.5, 1.0]
hstack([[1.0, 2.0], [3.0]]) -> [1.0, 2.0, 3.0]
hypot([3.0, 5.0], [4.0, 12.0]) -> [5.0, 13.0]
identity(2) -> [[1.0, 0.0], [0.0, 1.0]]
imag([1.0 + 2.0j]) -> [2.0]
in_top_k([1, 0], [[0.2, 0.8], [0.1, 0.9]], 1) -> [True, False]
inner([1.0, 2.0], [3.0, 4.0]) -> 11.0
int_shape(tf.keras.Input((3,))) = (None, 3)
is_keras_tensor(tf.keras.Input((3,))) = True
is_tensor([1.0, 2.0]) = False
isclose([1.0, 2.0], [1.0, 2.1]) -> [True, False]
isfinite([1.0, float("inf")]) -> [True, False]
isinf([1.0, float("inf")]) -> [False, True]
isnan([1.0, float("nan")]) -> [False, True]
l2_normalize([3.0, 4.0]) ~ [0.6 0.8]
leaky_relu([-1.0, 2.0]) ~ [-0.2  2. ]
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
logical_and([True, True], [True, False]) -> [True, False]
logical_not([True, False]) -> [False, True]
logical_or([True, False], [False, False]) -> [True, False]
logical_xor([True, True], [True, False]) -> [False, True]
logspace(0.0, 2.0, 3) ~ [  1.  10. 100.]
logsumexp([0.0, 0.0]) ~ 0.693
map_fn(lambda x: x * x, tf.constant([1.0, 2.0, 3.0])) -> [1.0, 4.0, 9.0]
matmul([[1.0, 2.0], [3.0, 4.0]], [1.0, 10.0]) -> [21.0, 43.0]
max([[4.0, 1.0], [2.0, 3.0]], axis=1) -> [4.0, 3.0]
maximum([1.0, 3.0], [2.0, 2.0]) -> [2.0, 3.0]
mean([[4.0, 1.0], [2.0, 3.0]], axis=1) -> [2.5, 2.5]
min([[4.0, 1.0], [2.0, 3.0]], axis=1) -> [1.0, 2.0]
minimum([1.0, 3.0], [2.0, 2.0]) -> [1.0, 2.0]
mish([-1.0, 2.0]) ~ [-0.303  1.944]
mod([7.0, -7.0], [4.0, 4.0]) -> [3.0, 1.0]
moveaxis([[1.0, 2.0]], 0, 1) -> [[1.0], [2.0]]
moving_average_update(tf.Variable(1.0), 3.0, momentum=0.5) -> 2.0
multiply([1.0, 2.0], [10.0, 20.0]) -> [10.0, 40.0]
ndim([[1.0, 2.0]]) = 2
negative([1.0, -2.0]) -> [-1.0, 2.0]
norm([3.0, 4.0]) -> 5.0
normalize([3.0, 4.0]) ~ [0.6 0.8]
not_equal([1.0, 2.0], [1.0, 3.0]) -> [False, True]
one_hot([0, 2], 3) -> [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
ones([2]) -> [1.0, 1.0]
ones_like([3.0, 4.0]) -> [1.0, 1.0]
outer([1.0, 2.0], [3.0, 4.0]) -> [[3.0, 4.0], [6.0, 8.0]]
pad([1.0, 2.0], [[1, 2]]) -> [0.0, 1.0, 2.0, 0.0, 0.0]
permute_dimensions([[1.0, 2.0], [3.0, 4.0]], (1, 0)) -> [[1.0, 3.0], [2.0, 4.0]]
pow([2.0, 3.0], 2) -> [4.0, 9.0]
power([2.0, 3.0], [3.0, 2.0]) -> [8.0, 9.0]
prod([1.0, 2.0, 5.0]) -> 10.0
ptp([3.0, 9.0, 6.0]) -> 6.0
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
roll([1.0, 2.0, 3.0], 1) -> [3.0, 1.0, 2.0]
round([1.25, 1.75]) -> [1.0, 2.0]
rsqrt([4.0, 16.0]) -> [0.5, 0.25]
seed(1) =
selu([-1.0, 2.0]) ~ [-1.111  2.101]
shape([[1.0, 2.0]])[1] = 2
sigmoid([0.0, 1.0]) ~ [0.5   0.731]
sign([-3.0, 0.0, 3.0]) -> [-1.0, 0.0, 1.0]
silu([-1.0, 2.0]) ~ [-0.269  1.762]
sin([0.0, 1.0]) ~ [0.    0.841]
sinh([0.0, 1.0]) ~ [0.    1.175]
size([[1.0, 2.0]]) = 2
slice([1.0, 2.0, 3.0], [1], [2]) -> [2.0, 3.0]
soft_shrink([-2.0, 0.25, 2.0]) -> [-1.5, 0.0, 1.5]
softmax([1.0, 1.0]) -> [0.5, 0.5]
softplus([0.0, 1.0]) ~ [0.693 1.313]
softsign([-1.0, 3.0]) -> [-0.5, 0.75]
sort([3.0, 9.0, 6.0]) -> [3.0, 6.0, 9.0]
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
swapaxes([[1.0, 2.0]], 0, 1) -> [[1.0], [2.0]]
swish([-1.0, 0.0]) ~ [-0.269  0.   ]
switch(True, 1.0, 2.0) -> 1.0
take([1.0, 2.0, 3.0], [2, 0]) -> [3.0, 1.0]
take_along_axis([[1.0, 2.0], [3.0, 4.0]], [[1], [0]]) -> [[2.0], [3.0]]
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
tri(2) -> [[1.0, 0.0], [1.0, 1.0]]
tril([[1.0, 2.0], [3.0, 4.0]]) -> [[1.0, 0.0], [3.0, 4.0]]
triu([[1.0, 2.0], [3.0, 4.0]]) -> [[1.0, 2.0], [0.0, 4.0]]
true_divide([1.0, 2.0], [4.0, 8.0]) -> [0.25, 0.25]
truncated_normal([2, 3]).shape = TensorShape([2, 3])
uniform(2.0, 3.0, [2]).shape = TensorShape([2])
unstack([[1.0, 2.0], [3.0, 4.0]])[1] -> [3.0, 4.0]
update(tf.Variable(1.0), 3.0) -> 3.0
update_add(tf.Variable(1.0), 3.0) -> 4.0
update_sub(tf.Variable(1.0), 3.0) -> -2.0
var([1.0, 3.0]) -> 1.0
vstack([[1.0, 2.0], [3.0, 4.0]]) -> [[1.0, 2.0], [3.0, 4.0]]
where([True, False], [1.0, 2.0], [3.0, 4.0]) -> [1.0, 4.0]
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
    line = _LINES.get(f"{namespace.rpartition('.')[2]}.{name}") or _LINES[name]
    mark = next(mark for mark in _SHOWN if f" {mark} " in f"{line} ")
    call, _, answer = line.partition(f" {mark}")
    called = _SHOWN[mark].format(f"{namespace}.{call.removeprefix('backend.')}")
    return f">>> {called}\n{answer.strip()}"
