"""Rows that work number by number.

Each rule says how a small change of one input arrives at the output; going forward `dx` is a tangent, going back it is a
cotangent, and the words are the same.  What a rule names besides `dx`, a tape keeps.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..dtypes import as_dtype, mixed
from ..errors import InvalidArgumentError, UnimplementedError
from ..kinds import Elementwise, General, Linear
from ..notes import Notes, named, written
from ..primitive import flat
from ..record.refusal import invalid_argument, refusal, value_error
from ..tensor import Operand, Tensor, convert

# fmt: off
# ---- arithmetic: op, NumPy's forward, one rule per input ------------------------------------------------------------
add = Elementwise("add", np.add, lambda dx: dx, lambda dy: dy,
    notes=Notes("x + y", sign="+", tf="add math.add", title="AddV2", kinds="iufcO"))
subtract = Elementwise("subtract", np.subtract, lambda dx: dx, lambda dy: -dy,
    notes=Notes("x − y", sign="−", tf="subtract math.subtract", title="Sub", kinds="iufc"))
multiply = Elementwise("multiply", np.multiply, lambda dx, y: dx * y, lambda dy, x: dy * x,
    notes=Notes("x × y", sign="×", tf="multiply math.multiply", title="Mul"))
divide = Elementwise("divide", np.true_divide, lambda dx, y: dx / y, lambda dy, x, y: dy * (-x / y / y),
    notes=Notes("x ÷ y", sign="÷", tf="divide realdiv truediv math.divide math.truediv", title="RealDiv",
        domain="nonzero", quiet=True, kinds="iufc", fractions=True))
pow = Elementwise("pow", np.power, lambda dx, x, y: dx * (y * pow(x, y - 1.0)),
    lambda dy, x, out: dy * (out * _log_where_positive(x)),
    notes=Notes("x ^ y", sign="xʸ", tf="pow math.pow", domain="positive", quiet=True, kinds="ifc"))
floormod = Elementwise("floormod", lambda x, y: np.mod(x, _no_zero(y)), lambda dx: dx,
    lambda dy, x, y: -dy * floor(x / y),
    notes=Notes("x mod y", sign="mod", tf="floormod math.floormod math.mod", title="FloorMod", domain="positive",
        quiet=True, kinds="iuf"))
truncatemod = Elementwise("truncatemod", lambda x, y: np.fmod(x, _no_zero(y)), lambda dx: dx,
    lambda dy, x, y: -dy * truncatediv(x, y),
    notes=Notes(phrase="what x ÷ y leaves, with the sign of x", sign="rem", tf="truncatemod", title="TruncateMod",
        domain="positive", quiet=True, kinds="iuf"))
negative = Linear("negative", np.negative, lambda g: -g,
    notes=Notes("−x", sign="−", tf="negative math.negative", title="Neg", kinds="ifc", takes_batches=True))

# ---- powers and roots -----------------------------------------------------------------------------------------------
square = Elementwise("square", np.square, lambda dx, x: dx * (2.0 * x),
    notes=Notes("x²", sign="x²", tf="square math.square", kinds="iufc"))
sqrt = Elementwise("sqrt", np.sqrt, lambda dx, out: sqrt_slope(dx, out), jvp=[lambda dx, out: dx * 0.5 / out],
    notes=Notes("√(x)", sign="√", tf="sqrt math.sqrt", domain="positive", kinds="fc", quiet=True))
sqrt_slope = Elementwise("sqrt_slope", lambda x, y: np.where(x == 0, x, 0.5 * x / y),
    lambda dx, y: dx * 0.5 / y, lambda dy, x, y: dy * (-0.5 * x / (y * y)),
    notes=Notes("x ÷ 2 ÷ y if x ≠ 0 else 0", sign="÷2√", title="SqrtGrad", domain="nonzero", kinds="fc",
        quiet=True))
rsqrt = Elementwise("rsqrt", lambda x: 1 / np.sqrt(x), lambda dx, out: rsqrt_slope(dx, out),
    notes=Notes("1 ÷ √(x)", sign="1/√", tf="math.rsqrt", domain="positive", kinds="fc", quiet=True))
rsqrt_slope = Elementwise("rsqrt_slope", lambda x, y: np.where(x == 0, x, -0.5 * x * (y * y * y)),
    lambda dx, y: rsqrt_slope(dx, y), lambda dy, x, y: dy * (-1.5 * x * (y * y)),
    notes=Notes("−x × 0.5 × y³ if x ≠ 0 else 0", sign="1/√′", title="RsqrtGrad", kinds="fc", quiet=True))
reciprocal = Elementwise("reciprocal", np.reciprocal, lambda dx, out: reciprocal_slope(dx, out),
    notes=Notes("1 ÷ x", sign="1/x", tf="math.reciprocal", domain="nonzero", kinds="fc", quiet=True))
reciprocal_slope = Elementwise("reciprocal_slope", lambda x, y: np.where(x == 0, x, -x * (y * y)),
    lambda dx, y: reciprocal_slope(dx, y), lambda dy, x, y: dy * (-2.0 * x * y),
    notes=Notes("−x × y² if x ≠ 0 else 0", sign="1/x′", title="ReciprocalGrad", kinds="fc", quiet=True))

# ---- exponentials and logarithms ------------------------------------------------------------------------------------
exp = Elementwise("exp", np.exp, lambda dx, out: dx * out, notes=Notes(tf="exp math.exp", kinds="fc", quiet=True))
expm1 = Elementwise("expm1", np.expm1, lambda dx, x: dx * exp(x),
    notes=Notes("exp(x) − 1", tf="expm1 math.expm1", kinds="fc", quiet=True))
log = Elementwise("log", np.log, lambda dx, x: dx / x,
    notes=Notes(tf="math.log", domain="positive", kinds="fc", quiet=True))
log1p = Elementwise("log1p", np.log1p, lambda dx, x: dx / (1.0 + x),
    notes=Notes("log(1 + x)", tf="log1p math.log1p", domain="positive", kinds="fc", quiet=True))
sigmoid = Elementwise("sigmoid", lambda x: _sigmoid(x), lambda dx, out: dx * (out * (1.0 - out)),
    notes=Notes("1 ÷ (1 + exp(−x))", sign="σ", tf="sigmoid math.sigmoid nn.sigmoid", kinds="fc", quiet=True))
softplus = Elementwise("softplus", lambda x: np.logaddexp(np.zeros((), x.dtype), x), lambda dx, x: dx * sigmoid(x),
    notes=Notes("log(1 + exp(x))", tf="math.softplus nn.softplus", called=("features",), kinds="f"))
log_sigmoid = Elementwise("log_sigmoid", lambda x: -np.logaddexp(np.zeros((), x.dtype), -x),
    lambda dx, x: dx * sigmoid(-x),
    notes=Notes("−log(1 + exp(−x))", sign="log σ", tf="math.log_sigmoid nn.log_sigmoid", kinds="f"))

# ---- circles and hyperbolas -----------------------------------------------------------------------------------------
sin = Elementwise("sin", np.sin, lambda dx, x: dx * cos(x), notes=Notes(tf="sin math.sin", kinds="fc"))
cos = Elementwise("cos", np.cos, lambda dx, x: dx * -sin(x), notes=Notes(tf="cos math.cos", kinds="fc"))
tan = Elementwise("tan", np.tan, lambda dx, out: dx * (1.0 + out * out),
    notes=Notes(tf="tan math.tan", domain=(-1.2, 1.2), kinds="fc"))
asin = Elementwise("asin", np.arcsin, lambda dx, x: dx / sqrt(1.0 - x * x),
    notes=Notes(tf="asin math.asin", domain=(-0.8, 0.8), kinds="fc", quiet=True))
acos = Elementwise("acos", np.arccos, lambda dx, x: -dx / sqrt(1.0 - x * x),
    notes=Notes(tf="acos math.acos", domain=(-0.8, 0.8), kinds="fc", quiet=True))
atan = Elementwise("atan", np.arctan, lambda dx, x: dx / (1.0 + x * x), notes=Notes(tf="atan math.atan", kinds="fc"))
sinh = Elementwise("sinh", np.sinh, lambda dx, x: dx * cosh(x),
    notes=Notes(tf="sinh math.sinh", kinds="fc", quiet=True))
cosh = Elementwise("cosh", np.cosh, lambda dx, x: dx * sinh(x),
    notes=Notes(tf="cosh math.cosh", kinds="fc", quiet=True))
tanh = Elementwise("tanh", np.tanh, lambda dx, out: dx * (1.0 - out * out),
    notes=Notes(tf="tanh math.tanh nn.tanh", kinds="fc"))
asinh = Elementwise("asinh", np.arcsinh, lambda dx, x: dx / sqrt(x * x + 1.0),
    notes=Notes(tf="asinh math.asinh", kinds="fc"))
acosh = Elementwise("acosh", np.arccosh, lambda dx, out: dx / sinh(out),
    notes=Notes(tf="acosh math.acosh", domain=(1.2, 3.0), kinds="fc", quiet=True))
atanh = Elementwise("atanh", np.arctanh, lambda dx, x: dx / (1.0 - x * x),
    notes=Notes(tf="atanh math.atanh", domain=(-0.8, 0.8), kinds="fc", quiet=True))
atan2 = Elementwise("atan2", np.arctan2, lambda dy, y, x: dy * (x / (x * x + y * y)),
    lambda dx, y, x: dx * (-y / (x * x + y * y)), arguments=("y", "x"),
    notes=Notes(tf="atan2 math.atan2", domain="nonzero", kinds="f"))
divide_no_nan = Elementwise("divide_no_nan", lambda x, y: _no_nan(x, y), lambda dx, y: divide_no_nan(dx, y),
    lambda dy, x, y: dy * divide_no_nan(divide_no_nan(-x, y), y),
    notes=Notes("x ÷ y if y ≠ 0 else 0", sign="÷", tf="math.divide_no_nan", title="DivNoNan", domain="nonzero",
        kinds="iufc", fractions=True))
erf = Elementwise("erf", lambda x: _special(math.erf, x), lambda dx, x: dx * (2.0 / math.sqrt(math.pi) * exp(-x * x)),
    notes=Notes(tf="math.erf nn.erf", kinds="f"))

# ---- corners: the slope is that of one side; TensorFlow's choice at the corner itself -------------------------------
abs_ = Elementwise("abs", np.abs, lambda dx, x: dx * sign_(x),
    notes=Notes("|x|", sign="|x|", domain="nonzero", kinds="iuf"))
sign_ = Elementwise("sign", np.sign, lambda dx: dx * 0.0, notes=Notes(domain="nonzero"))
relu = Elementwise("relu", lambda x: np.maximum(x, 0), lambda dx, out: dx * sign_(out),
    notes=Notes("max(x, 0)", tf="nn.relu", called=("features",), domain="nonzero", kinds="iuf"))
relu6 = Elementwise("relu6", lambda x: np.clip(x, 0, 6), lambda dx, out: dx * (sign_(out) * sign_(6.0 - out)),
    notes=Notes("min(max(x, 0), 6)", tf="nn.relu6", called=("features",), domain="nonzero", kinds="iuf"))
leaky_relu_ = Elementwise("leaky_relu", lambda x, alpha: np.where(x > 0, x, x * x.dtype.type(alpha)),
    lambda dx, x, alpha: dx * (alpha + (1.0 - alpha) * sign_(relu(x))),
    notes=Notes("x if x > 0 else alpha × x", sign="leaky", domain="nonzero", kinds="f"))
softsign = Elementwise("softsign", lambda x: x / (1 + np.abs(x)), lambda dx, x: dx / square(1.0 + abs_(x)),
    notes=Notes("x ÷ (1 + |x|)", tf="math.softsign nn.softsign", called=("features",), domain="nonzero", kinds="f"))
elu = Elementwise("elu", lambda x: np.where(x > 0, x, np.expm1(np.minimum(x, 0))),
    lambda dx, out: dx * where(out > 0.0, 1.0, out + 1.0),
    notes=Notes("x if x > 0 else exp(x) − 1", tf="nn.elu", called=("features",), domain="nonzero", kinds="f"))
selu = Elementwise("selu", lambda x: _selu(x),
    lambda dx, out: dx * where(out < 0.0, out + _SELU_SCALE * _SELU_ALPHA, _SELU_SCALE),
    notes=Notes(phrase="scale × elu(x)", tf="nn.selu", called=("features",), domain="nonzero", kinds="f"))
maximum = Elementwise("maximum", np.maximum, lambda dx, x, y: select(x >= y, dx, zeros_(dx)),
    lambda dy, x, y: select(x >= y, zeros_(dy), dy),
    notes=Notes("max(x, y)", sign="max", tf="maximum math.maximum", kinds="iuf"))
minimum = Elementwise("minimum", np.minimum, lambda dx, x, y: select(x <= y, dx, zeros_(dx)),
    lambda dy, x, y: select(x <= y, zeros_(dy), dy),
    notes=Notes("min(x, y)", sign="min", tf="minimum math.minimum", kinds="iuf"))
clip = Elementwise("clip_by_value", lambda x, low, high: np.maximum(np.minimum(x, high), low),
    lambda dx, x, low, high: select((x >= low) & (x <= high), dx, zeros_(dx)),
    lambda dl, x, low: select(x < low, dl, zeros_(dl)),
    lambda dh, x, high: select(x > high, dh, zeros_(dh)), arguments=("x", "low", "high"),
    notes=Notes("min(max(x, low), high)", sign="clip"))
# What is not chosen gets 0, whatever comes back: 0 times an infinite slope would be nan.
select = Elementwise("where", np.where, None, lambda dx, condition: select(condition, dx, zeros_(dx)),
    lambda dy, condition: select(condition, zeros_(dy), dy), arguments=("condition", "x", "y"),
    notes=Notes("x if condition else y", same_dtype=False))
zeros_ = flat("zeros", np.zeros_like, notes=Notes("0", sign="0", title="ZerosLike"))
squared_difference = Elementwise("squared_difference", lambda x, y: np.square(x - y),
    lambda dx, x, y: dx * (2.0 * (x - y)), lambda dy, x, y: dy * (-2.0 * (x - y)),
    notes=Notes("(x − y)²", sign="(x−y)²", tf="math.squared_difference", kinds="iuf"))

# ---- no slope: the output moves in steps, or is no number -----------------------------------------------------------
floor = flat("floor", np.floor, notes=Notes(tf="floor math.floor", kinds="f"))
ceil = flat("ceil", np.ceil, notes=Notes(tf="math.ceil math.ceiling", kinds="f"))
round = flat("round", lambda x: x if x.dtype.kind in "iu" else np.rint(x),
    notes=Notes(tf="round math.rint math.round"))
floordiv = flat("floordiv", lambda x, y: _floordiv(x, _no_zero(y)), arguments=("x", "y"),
    notes=Notes("x // y", sign="//", tf="floordiv math.floordiv", title="FloorDiv", quiet=True, kinds="iuf"))
truncatediv = flat("truncatediv", lambda x, y: _truncated(x, _no_zero(y)), arguments=("x", "y"),
    notes=Notes(phrase="x ÷ y without what is behind the point", sign="÷|", tf="truncatediv", title="TruncateDiv",
        quiet=True, kinds="iuf"))
equal = flat("equal", np.equal, arguments=("x", "y"), notes=Notes("x = y", sign="=", tf="equal math.equal"))
not_equal = flat("not_equal", np.not_equal, arguments=("x", "y"),
    notes=Notes("x ≠ y", sign="≠", tf="not_equal math.not_equal"))
less = flat("less", np.less, arguments=("x", "y"), notes=Notes("x < y", sign="<", tf="less math.less", kinds="iuf"))
less_equal = flat("less_equal", np.less_equal, arguments=("x", "y"),
    notes=Notes("x ≤ y", sign="≤", tf="less_equal math.less_equal", kinds="iuf"))
greater = flat("greater", np.greater, arguments=("x", "y"),
    notes=Notes("x > y", sign=">", tf="greater math.greater", kinds="iuf"))
greater_equal = flat("greater_equal", np.greater_equal, arguments=("x", "y"),
    notes=Notes("x ≥ y", sign="≥", tf="greater_equal math.greater_equal", kinds="iuf"))
logical_and = flat("logical_and", np.logical_and, arguments=("x", "y"),
    notes=Notes("x and y", sign="and", tf="logical_and math.logical_and", kinds="b"))
logical_or = flat("logical_or", np.logical_or, arguments=("x", "y"),
    notes=Notes("x or y", sign="or", tf="logical_or math.logical_or", kinds="b"))
logical_xor = flat("logical_xor", np.logical_xor, arguments=("x", "y"),
    notes=Notes(phrase="x xor y", sign="xor", tf="math.logical_xor", kinds="b"))
logical_not = flat("logical_not", np.logical_not,
    notes=Notes(phrase="not x", sign="not", tf="logical_not math.logical_not", kinds="b"))
places_ = flat("places", np.argwhere, notes=Notes(phrase="the places where x holds"))
is_nan = flat("is_nan", np.isnan, notes=Notes(tf="math.is_nan", kinds="f"))
is_inf = flat("is_inf", np.isinf, notes=Notes(tf="math.is_inf", kinds="f"))
is_finite = flat("is_finite", np.isfinite, notes=Notes(tf="math.is_finite", kinds="f"))
stop_gradient = flat("stop_gradient", lambda x: x,
    notes=Notes(phrase="x, as a constant", sign="stop", tf="stop_gradient", called=("input",)))

# ---- complex numbers, and from one dtype to another -----------------------------------------------------------------
conj = Linear("conj", np.conj, lambda g: conj(g), notes=Notes(sign="x̄", tf="math.conj", takes_batches=True))
real = Linear("real", lambda x: np.real(x).copy(), lambda g, x_dtype: cast_(g, dtype=x_dtype),
    notes=Notes(phrase="Re x", sign="Re", tf="math.real", called=("input",), takes_batches=True))
imag = Linear("imag", lambda x: np.imag(x).copy(), lambda g, x_dtype: cast_(g, dtype=x_dtype) * 1j,
    notes=Notes(phrase="Im x", sign="Im", takes_batches=True))
complex_ = General("complex", lambda x, y: _complex(x, y), vjp=[lambda g: real(g), lambda g: imag(g)],
    jvp=[lambda t, out_dtype: cast_(t, dtype=out_dtype), lambda t, out_dtype: cast_(t, dtype=out_dtype) * 1j],
    notes=Notes(phrase="x + i y", sign="x+iy", kinds="f"))
complex_abs = General("complex_abs", np.abs, vjp=[lambda g, x: cast_(g, dtype=x.tag.dtype) * sign(x)],
    jvp=[lambda t, x: real(t * conj(sign(x)))],
    notes=Notes("|x|", sign="|x|"))
cast_ = Linear("cast", lambda x, dtype: _as(x, dtype), lambda g, x_dtype: cast_(g, dtype=x_dtype),
    notes=Notes("x", phrase="x as dtype", takes_batches=True))
# fmt: on

_SELU_ALPHA, _SELU_SCALE = 1.6732632423543772, 1.0507009873554805


def _selu(x: np.ndarray) -> np.ndarray:
    scale, alpha = x.dtype.type(_SELU_SCALE), x.dtype.type(_SELU_ALPHA)
    return np.where(x > 0, scale * x, scale * alpha * np.expm1(np.minimum(x, 0)))


def _floordiv(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Of floats the floor of the rounded quotient: 1 // 0.1 is 10, as in TensorFlow; NumPy says 9."""
    return np.floor(np.true_divide(x, y)) if x.dtype.kind == "f" else np.floor_divide(x, y)


def _truncated(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The quotient, cut off towards zero; of whole numbers in their own dtype, because floats cannot hold all of them."""
    if x.dtype.kind == "f":
        return np.trunc(np.true_divide(x, y))
    return np.floor_divide(x, y) + ((np.mod(x, y) != 0) & ((x < 0) != (y < 0)))


def _no_zero(y: np.ndarray) -> np.ndarray:
    if y.dtype.kind in "iu" and not y.all():
        raise invalid_argument(
            "Integer division by zero", "Whole numbers know no infinity: divide floats, or use tf.math.divide_no_nan."
        )
    return y


def _sigmoid(x: np.ndarray) -> np.ndarray:
    if x.dtype.kind == "c":
        return 1 / (1 + np.exp(-x))
    return np.exp(np.minimum(x, 0)) / (1 + np.exp(-np.abs(x)))  # never overflows


def _special(function: Any, x: np.ndarray) -> np.ndarray:
    return np.vectorize(function, otypes=[x.dtype])(x) if x.size else x.copy()


def _no_nan(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    zero = y == 0
    return np.where(zero, x.dtype.type(0), x / np.where(zero, y.dtype.type(1), y))


def _complex(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    if x.dtype.itemsize < 4:
        raise TypeError(f"x and y must be float32 or float64, not {x.dtype}")
    return np.asarray(x + 1j * y, np.complex64 if x.dtype.itemsize == 4 else np.complex128)


def _as(x: np.ndarray, dtype: np.dtype[Any]) -> np.ndarray:
    return np.real(x).astype(dtype) if x.dtype.kind == "c" and dtype.kind != "c" else x.astype(dtype)


@written("log(x) if x > 0 else 0")
def _log_where_positive(x: Any) -> Tensor:
    """TensorFlow's log in the derivative of a power: 0 where the base is not positive (complex: where it is 0)."""
    positive = not_equal(x, 0.0) if x.dtype.is_complex else x > 0.0
    return where(positive, log(where(positive, x, x * 0.0 + 1.0)), x * 0.0)


@named("abs math.abs")
def abs(x: Any, name: str | None = None) -> Tensor:
    """The size of a number: |x|, and for a complex x + iy the square root of x² + y².

    >>> tf.abs([-1.0, 2.0]).numpy()
    array([1., 2.], dtype=float32)
    """
    x = convert(x)
    return complex_abs(x) if x.dtype.is_complex else abs_(x)


@named("sign math.sign")
def sign(x: Any, name: str | None = None) -> Tensor:
    """-1, 0 or 1; of a complex number x / |x|.

    >>> tf.sign([-3.0, 0.0]).numpy()
    array([-1.,  0.], dtype=float32)
    """
    x = convert(x)
    if not x.dtype.is_complex:
        return sign_(x)
    size = complex_abs(x)
    return x / cast_(where(size > 0.0, size, 1.0), dtype=x.tag.dtype)


@named("cast")
def cast(x: Any, dtype: Any, name: str | None = None) -> Tensor:
    """The same numbers in another dtype; a derivative passes between floating dtypes only.

    >>> tf.cast([1.7, 2.2], "int32").numpy()
    array([1, 2], dtype=int32)
    """
    tensor, wanted = convert(x), as_dtype(dtype).numpy_dtype
    if "O" in (tensor.tag.dtype.kind, wanted.kind) and tensor.tag.dtype != wanted:
        raise refusal(
            UnimplementedError,
            f"Cast {tensor.dtype.name} to {as_dtype(dtype).name} is not supported",
            "Texts and numbers are converted in Python, with float(...) and str(...).",
        )
    return tensor if tensor.tag.dtype == wanted else cast_(tensor, dtype=wanted)


@written("x if condition else y")
@named("where")
def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Tensor:
    """`x` where the condition holds, else `y`; with the condition alone, the indices at which it holds, shape [count, rank].

    >>> tf.where([True, False], [1.0, 2.0], 0.0).numpy()
    array([1., 0.], dtype=float32)
    >>> tf.where([True, False, True]).numpy()
    array([[0],
           [2]])
    """
    if (x is None) != (y is None):
        raise value_error(
            "x and y must both be non-None or both be None.",
            "tf.where(c, x, y) chooses, tf.where(c) gives the places where c holds.",
        )
    given, condition = condition, convert(condition)
    if x is None:
        return places_(condition)
    if condition.tag.dtype.kind != "b":
        kind = condition.dtype.name
        raise refusal(
            InvalidArgumentError if isinstance(given, Operand) else TypeError,
            f"cannot compute SelectV2 as input #0(zero-based) was expected to be a bool tensor but is a {kind} tensor"
            if isinstance(given, Operand)
            else f"Cannot convert {given!r} to EagerTensor of dtype bool",
            "A condition says yes or no: x > 0, say, or tf.cast(x, tf.bool).",
        )
    hint = next((operand.tag.dtype for operand in (x, y) if isinstance(operand, Operand)), None)
    tensors = isinstance(x, Operand) and isinstance(y, Operand)
    x = convert(x, hint=hint)
    y = convert(y, hint=hint or x.tag.dtype)
    if x.tag.dtype != y.tag.dtype:
        raise refusal(
            InvalidArgumentError if tensors else TypeError,
            f"cannot compute SelectV2 as input #2(zero-based) was expected to be a {x.dtype.name} tensor but is a "
            f"{y.dtype.name} tensor [Op:SelectV2]",
            mixed(x.tag.dtype, y.tag.dtype),
        )
    return select(condition, x, y)


@named("nn.leaky_relu")
def leaky_relu(features: Any, alpha: float = 0.2, name: str | None = None) -> Tensor:
    """`x` where positive, else `alpha * x`.

    >>> tf.nn.leaky_relu([-1.0, 2.0]).numpy()
    array([-0.2,  2. ], dtype=float32)
    """
    x = convert(features)
    return leaky_relu_(cast(x, "float32") if x.dtype.is_integer else x, alpha=alpha)
