"""NumPy's functions and Python's own, and what is written with tensors in their place.

A row is a call as NumPy has it, its arguments by name and in NumPy's order, and beside it the same with tensors.  What is not
given is left out there.  Of several rows of one function the first counts that has a place for all that is given.
"""

from __future__ import annotations

import ast
import functools
from typing import NamedTuple

_SAME = (
    "sin cos tan sinh cosh tanh exp sqrt square abs sign floor round",  # tf.sin
    "log log1p expm1 ceil lgamma erf erfc erfinv digamma conj real imag angle rint reciprocal",  # tf.math.log
)
_OTHERWISE = {
    "arcsin": "asin", "arccos": "acos", "arctan": "atan", "arcsinh": "asinh", "arccosh": "acosh", "arctanh": "atanh",
    "absolute": "abs", "fabs": "abs", "gammaln": "math.lgamma", "psi": "math.digamma", "expit": "sigmoid", "negative": "negative",
    "conjugate": "math.conj", "i0": "math.bessel_i0", "acos": "acos", "asin": "asin", "atan": "atan", "acosh": "acosh",
    "asinh": "asinh", "atanh": "atanh", "positive": "identity",
}  # fmt: skip
_REDUCTIONS = {
    "sum": "reduce_sum", "mean": "reduce_mean", "prod": "reduce_prod", "max": "reduce_max", "amax": "reduce_max",
    "min": "reduce_min", "amin": "reduce_min", "std": "math.reduce_std", "var": "math.reduce_variance",
}  # fmt: skip
_OF_TWO = {
    "add": "add", "subtract": "subtract", "multiply": "multiply", "divide": "divide", "true_divide": "divide", "power": "pow",
    "pow": "pow", "float_power": "pow", "maximum": "maximum", "fmax": "maximum", "minimum": "minimum", "fmin": "minimum",
    "arctan2": "atan2", "atan2": "atan2", "mod": "math.mod", "remainder": "math.mod", "fmod": "truncatemod",
    "xlogy": "math.xlogy", "cross": "linalg.cross",
}  # fmt: skip
_OF_A_MATRIX = ("inv", "det", "cholesky", "eigvalsh", "eigh", "slogdet", "qr", "pinv", "expm", "matrix_transpose")
_ROWS = [
    *[(f"{name}(x)", f"tf.{name}(x)") for name in _SAME[0].split()],
    *[(f"{name}(x)", f"tf.math.{name}(x)") for name in _SAME[1].split()],
    *[(f"{name}(x)", f"tf.{ours}(x)") for name, ours in _OTHERWISE.items()],
    *[(f"{name}(x, y)", f"tf.{ours}(x, y)") for name, ours in _OF_TWO.items()],
    *[(f"{name}(a)", f"tf.linalg.{name}(a)") for name in _OF_A_MATRIX],
    *[
        (f"{name}(a, axis, dtype, out, {'ddof, ' * (name in ('std', 'var'))}keepdims)",
         f"tf.{ours}(a, axis=axis, keepdims=keepdims)") for name, ours in _REDUCTIONS.items()
    ],
    # The methods and functions of the largest and the smallest have no dtype.
    *[(f"{name}(a, axis, out, keepdims)", f"tf.{_REDUCTIONS[name]}(a, axis=axis, keepdims=keepdims)")
      for name in ("max", "amax", "min", "amin")],
    ("average(a, axis)", "tf.reduce_mean(a, axis=axis)"),
    ("average(a, axis, weights)", "tf.reduce_sum(a * weights) / tf.reduce_sum(weights)"),
    ("ptp(a, axis)", "tf.reduce_max(a, axis=axis) - tf.reduce_min(a, axis=axis)"),
    ("logsumexp(a, axis)", "tf.reduce_logsumexp(a, axis=axis)"),
    ("softmax(x, axis)", "tf.nn.softmax(x, axis)"),
    ("fsum(x)", "tf.reduce_sum(x)"),
    ("cumsum(a, axis)", "tf.cumsum(flat(a))", "tf.cumsum(a, axis=axis)"),
    ("cumprod(a, axis)", "tf.math.cumprod(flat(a))", "tf.math.cumprod(a, axis=axis)"),
    ("cumulative_sum(x, axis)", "tf.cumsum(flat(x))", "tf.cumsum(x, axis=axis)"),
    ("cumulative_prod(x, axis)", "tf.math.cumprod(flat(x))", "tf.math.cumprod(x, axis=axis)"),
    ("diff(a)", "a[..., 1:] - a[..., :-1]"),
    ("trapz(y, x)", "tf.reduce_sum((y[..., 1:] + y[..., :-1]) / 2.0, axis=-1)",
     "tf.reduce_sum((y[..., 1:] + y[..., :-1]) * (x[..., 1:] - x[..., :-1]) / 2.0, axis=-1)"),
    ("trapezoid(y, x)", "tf.reduce_sum((y[..., 1:] + y[..., :-1]) / 2.0, axis=-1)",
     "tf.reduce_sum((y[..., 1:] + y[..., :-1]) * (x[..., 1:] - x[..., :-1]) / 2.0, axis=-1)"),
    ("exp2(x)", "2.0 ** x"),
    ("log(x, base)", "tf.math.log(x) / tf.math.log(base)"),
    ("log2(x)", "tf.math.log(x) / 0.6931471805599453"),
    ("log10(x)", "tf.math.log(x) / 2.302585092994046"),
    ("logaddexp(x, y)", "x + tf.math.softplus(y - x)"),
    ("hypot(x, y)", "tf.sqrt(x ** 2 + y ** 2)"),
    ("cbrt(x)", "tf.sign(x) * tf.abs(x) ** (1 / 3)"),
    ("gamma(x)", "tf.exp(tf.math.lgamma(x))"),
    ("deg2rad(x)", "x * 0.017453292519943295"),
    ("radians(x)", "x * 0.017453292519943295"),
    ("rad2deg(x)", "x * 57.29577951308232"),
    ("degrees(x)", "x * 57.29577951308232"),
    ("clip(a, a_min, a_max, min, max)", "tf.clip_by_value(a, a_min, a_max)", "tf.maximum(a, a_min)", "tf.minimum(a, a_max)",
     "tf.clip_by_value(a, min, max)", "tf.maximum(a, min)", "tf.minimum(a, max)"),
    ("polyval(p, x)", "tf.math.polyval(tf.unstack(p), x)"),
    ("dot(a, b)", "tf.tensordot(a, b, 1)"),
    ("matmul(a, b)", "a @ b"),
    ("inner(a, b)", "tf.tensordot(a, b, [[-1], [-1]])"),
    ("outer(a, b)", "tf.tensordot(flat(a), flat(b), 0)"),
    ("vdot(a, b)", "tf.tensordot(flat(a), flat(b), 1)"),
    ("tensordot(a, b, axes)", "tf.tensordot(a, b, 2)", "tf.tensordot(a, b, axes)"),
    ("norm(x, ord, axis, keepdims)", "tf.norm(x, axis=axis, keepdims=keepdims)", "tf.norm(x, ord, axis, keepdims=keepdims)"),
    ("svd(a, full_matrices, compute_uv)", "tf.linalg.svd(a, compute_uv=compute_uv)"),
    ("reshape(a, shape)", "tf.reshape(a, shape)"),
    ("ravel(a)", "tf.reshape(a, [-1])"),
    ("flatten(a)", "tf.reshape(a, [-1])"),
    ("transpose(a, axes)", "tf.transpose(a, perm=axes)"),
    ("squeeze(a, axis)", "tf.squeeze(a, axis=axis)"),
    ("expand_dims(a, axis)", "tf.expand_dims(a, axis)"),
    ("broadcast_to(a, shape)", "tf.broadcast_to(a, shape)"),
    ("repeat(a, repeats, axis)", "tf.repeat(a, repeats, axis=axis)"),
    ("roll(a, shift, axis)", "tf.roll(a, shift, axis)"),
    ("flip(m, axis)", "tf.reverse(m, axis=[axis])"),
    ("flipud(m)", "tf.reverse(m, axis=[0])"),
    ("fliplr(m)", "tf.reverse(m, axis=[1])"),
    ("sort(a, axis)", "tf.sort(a, axis=axis)"),
    ("take(a, indices, axis)", "tf.gather(flat(a), indices)", "tf.gather(a, indices, axis=axis)"),
    ("where(condition, x, y)", "tf.where(condition, x, y)"),
    ("concatenate(arrays, axis)", "tf.concat(arrays, axis=0)", "tf.concat(arrays, axis=axis)"),
    ("concat(arrays, axis)", "tf.concat(arrays, axis=0)", "tf.concat(arrays, axis=axis)"),
    ("append(a, values, axis)", "tf.concat([flat(a), flat(values)], axis=0)", "tf.concat([a, values], axis=axis)"),
    ("permute_dims(a, axes)", "tf.transpose(a, perm=axes)"),
    ("vecdot(a, b)", "tf.reduce_sum(a * b, axis=-1)"),
    ("matvec(a, b)", "tf.linalg.matvec(a, b)"),
    ("svdvals(a)", "tf.linalg.svd(a, compute_uv=False)"),
    ("vector_norm(x, axis, keepdims)", "tf.norm(x, axis=axis, keepdims=keepdims)"),
    ("matrix_norm(x)", "tf.norm(x, axis=[-2, -1])"),
    ("stack(arrays, axis)", "tf.stack(arrays, axis=axis)"),
    ("split(a, parts, axis)", "tf.split(a, parts, axis=axis)"),
    ("argmax(a, axis)", "tf.argmax(a, axis=axis)"),
    ("predict(model, x)", "model(x)"),
    ("predict_on_batch(model, x)", "model(x)"),
]  # fmt: skip
# Where it matters how many axes something has: the function, its first (or for `solve` its second) argument's axes, and the row.
_BY_RANK = {
    ("solve", 1): ("solve(a, b)", "tf.linalg.solve(a, b[:, tf.newaxis])[:, 0]"),
    ("solve", 2): ("solve(a, b)", "tf.linalg.solve(a, b)"),
    ("diag", 1): ("diag(v)", "tf.linalg.diag(v)"),
    ("diag", 2): ("diag(v)", "tf.linalg.diag_part(v)"),
    ("flip", 1): ("flip(m, axis)", "tf.reverse(m, axis=[0])"),
    ("flip", 2): ("flip(m, axis)", "tf.reverse(m, axis=[0, 1])", "tf.reverse(m, axis=[axis])"),
    ("roll", 1): ("roll(a, shift, axis)", "tf.roll(a, shift, axis=0)"),
    ("trace", 2): ("trace(a)", "tf.linalg.trace(a)"),
    ("diagonal", 2): ("diagonal(a)", "tf.linalg.diag_part(a)"),
    ("dot", 0): ("dot(a, b)", "a * b"),
    ("inner", 0): ("inner(a, b)", "a * b"),
    ("vdot", 0): ("vdot(a, b)", "a * b"),
    ("tril", 2): ("tril(m)", "tf.linalg.band_part(m, -1, 0)"),
    ("triu", 2): ("triu(m)", "tf.linalg.band_part(m, 0, -1)"),
    ("tile", 1): ("tile(a, reps)", "tf.tile(a, [reps])"),
    ("norm", 1): ("norm(x, ord)", "tf.norm(x, ord=ord)"),
    ("softmax", 1): ("softmax(x)", "tf.nn.softmax(x)"),
    ("vstack", 1): ("vstack(arrays)", "tf.stack(arrays)"),
    ("vstack", 2): ("vstack(arrays)", "tf.concat(arrays, axis=0)"),
    ("hstack", 1): ("hstack(arrays)", "tf.concat(arrays, axis=0)"),
    ("hstack", 2): ("hstack(arrays)", "tf.concat(arrays, axis=1)"),
    ("column_stack", 1): ("column_stack(arrays)", "tf.stack(arrays, axis=1)"),
    ("column_stack", 2): ("column_stack(arrays)", "tf.concat(arrays, axis=1)"),
}  # fmt: skip
OF_SEVERAL = ("vstack", "hstack", "column_stack")  # the axes that matter are those of each array in the list
IGNORED = {
    "predict": ("verbose", "batch_size"),
    "predict_on_batch": (),
}  # arguments that change nothing of what it answers


class Row(NamedTuple):
    """A function as NumPy has it, and as tensors have it: the names of its arguments, and an expression in them."""

    names: tuple[str, ...]
    text: str

    @property
    def used(self) -> set[str]:
        """The names that the expression has a place for."""
        return {node.id for node in ast.walk(ast.parse(self.text)) if isinstance(node, ast.Name)} & set(self.names)

    @property
    def needed(self) -> set[str]:
        """Those that it cannot do without: all but what stands behind a keyword alone."""
        return {
            node.id
            for node in ast.walk(ast.parse(self.text, mode="eval").body)
            if isinstance(node, ast.Name) and node.id in self.names
        } - {
            keyword.value.id
            for call in ast.walk(ast.parse(self.text))
            for keyword in getattr(call, "keywords", ())
            if isinstance(keyword.value, ast.Name)
        }


def _row(written: tuple[str, ...]) -> tuple[str, list[Row]]:
    call = ast.parse(written[0], mode="eval").body
    assert isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
    names = tuple(argument.id for argument in call.args if isinstance(argument, ast.Name))
    return call.func.id, [Row(names, text) for text in written[1:]]


@functools.cache
def _table() -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for written in _ROWS:
        name, rows = _row(written)
        found.setdefault(name, []).extend(rows)
    return found


def known(name: str) -> bool:
    """Whether a function of this name may have a counterpart."""
    return name in _table() or name == "einsum" or any(name == other for other, _ in _BY_RANK)


def rows(name: str, rank: int | None) -> list[Row]:
    """The rows of a function, for something of so many axes."""
    special = _row(_BY_RANK[name, rank])[1] if rank is not None and (name, rank) in _BY_RANK else []
    return [*special, *_table().get(name, [])]
