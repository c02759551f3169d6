"""The words of random programs: each keeps its numbers where differences can be trusted, and away from kinks.

A word of ONE takes any tensor, one of ALONG_AN_AXIS a tensor with an axis; a word of TWO takes two that broadcast.  A row that
works number by number is a word as it stands; what follows it here are the others, and the rows that need more care.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import minitape as tf
import minitape.image  # its rows load on first use
from minitape.ops.images import resize_, weights
from minitape.primitive import TABLE, Primitive


def tamed(x: Any) -> Any:
    """A number between -1 and 1, whatever came before."""
    return tf.tanh(x)


def positive(x: Any) -> Any:
    return 1.5 + 0.5 * tf.tanh(x)


def flat(x: Any) -> Any:
    return tf.reshape(x, [-1])


def apart(x: Any) -> Any:
    """A vector whose numbers keep two units apart, in falling order: around 3 times their number, ..., 6, 3."""
    x = flat(tamed(x))
    return x + 3.0 * tf.range(float(x.shape[0]), 0.0, -1.0, dtype=x.dtype)


def definite(x: Any) -> Any:
    """A symmetric matrix with eigenvalues that keep apart: 1, 2, ..., and a little."""
    x = tamed(x)
    column = tf.reshape(x, [-1, 1])
    steps = tf.range(1.0, column.shape[0] + 1.0, dtype=x.dtype)
    return 0.1 * column @ tf.transpose(column) + tf.linalg.diag(steps + 0.05 * flat(x))


def wave(x: Any) -> Any:
    """A vector of complex numbers, none of them near 0."""
    return tf.complex(flat(positive(x)), flat(tamed(x)))


def orthogonal(x: Any) -> Any:
    """The factors of a matrix, squared: the signs of their columns are anybody's choice."""
    values, vectors = tf.linalg.eigh(definite(x))
    sizes, left, right = tf.linalg.svd(definite(x))
    return values + tf.square(vectors)[0] + sizes + tf.square(left)[0] + (left * right)[0]


def enlarged(x: Any) -> Any:
    """A picture of one column, with as many rows again."""
    column = tf.reshape(x, [1, -1, 1, 1])
    rows = column.shape[1]
    return flat(resize_(column, rows=weights("bilinear", rows, 2 * rows, False), columns=np.ones((1, 1))))


def within(row: Primitive, x: Any) -> Any:
    """Numbers where the row says that it can be tested."""
    domain = row.notes.domain
    if isinstance(domain, str):
        return positive(x)
    low, high = domain
    return (low + high) / 2.0 + (high - low) / 2.0 * tamed(x)


def word(row: Primitive) -> Callable[..., Any]:
    """A row that works number by number, on numbers of its domain: a new one is in the next random program by itself."""
    return lambda *operands: row(*[within(row, one) for one in operands])


def plain(row: Primitive, count: int) -> bool:
    """Whether its domain is all that there is to say: no settings, and no corner where two operands meet."""
    rules = [rule for i in range(len(row.arguments)) for rule in row.vjp_rules(i)]
    corners = any({"cast_", "floor"} & set(rule.rule.__code__.co_names) for rule in rules)
    settings = any(what == "param" for rule in rules for what, _ in rule.free.values())
    floats = row.kind == "elementwise" and "f" in row.kinds and not row.inert
    return floats and len(row.arguments) == count and not corners and not settings


ONE: dict[str, Callable[[Any], Any]] = {
    **{name: word(row) for name, row in TABLE.items() if plain(row, 1)},
    "resize": enlarged, "negative": tf.negative, "gelu": tf.nn.gelu, "silu": tf.nn.silu,
    "pow": lambda x: positive(x) ** 2.5, "identity": tf.identity, "reduce_sum": lambda x: tamed(tf.reduce_sum(x)),
    "reduce_mean": lambda x: tf.reduce_mean(x, axis=-1, keepdims=True),
    "reduce_prod": lambda x: tf.reduce_prod(tamed(x), axis=0), "logsumexp": lambda x: tf.reduce_logsumexp(x, axis=-1),
    "euclidean": lambda x: tf.math.reduce_euclidean_norm(positive(x)), "cumsum": lambda x: tamed(tf.cumsum(x, axis=-1)),
    "cumprod": lambda x: tf.math.cumprod(positive(x), axis=-1), "softmax": tf.nn.softmax,
    "log_softmax": tf.nn.log_softmax, "reverse": lambda x: tf.reverse(x, [-1]), "transpose": tf.transpose,
    "roll": lambda x: tf.roll(x, 1, -1), "first": lambda x: x[..., 0:1], "new": lambda x: x[tf.newaxis],
    "tile": lambda x: tf.tile(x, [2] * x.ndim), "pad": lambda x: tf.pad(x, [[0, 1]] * x.ndim),
    "gather": lambda x: tf.gather(x, [0, 0], axis=-1), "stack": lambda x: tf.stack([x, x * x]),
    "add_n": lambda x: tf.add_n([x, x * x, x]),
    "split": lambda x: sum(tf.unstack(x)),
    "polygamma": lambda x: tamed(tf.math.polygamma(tf.ones_like(x), positive(x))),
    "elu": lambda x: tf.nn.elu(-positive(x)), "selu": lambda x: tf.nn.selu(-positive(x)),
    "leaky_relu": lambda x: tf.nn.leaky_relu(-positive(x)), "floormod": lambda x: tf.math.floormod(positive(x), 5.0),
    "reshape": flat, "broadcast": lambda x: tamed(x) * tf.broadcast_to(x, x.shape),
    "concat": lambda x: tf.concat([flat(x), *tf.split(flat(tf.sin(x)), [1, -1])], 0),
    "largest": lambda x: tamed(tf.reduce_max(apart(x))), "smallest": lambda x: tf.reduce_min(apart(x)),
    "sort": lambda x: tamed(0.1 * tf.sort(apart(x))), "clip": lambda x: tf.clip_by_value(apart(x), 0.0, 4.5),
    "either": lambda x: tf.where(apart(x) > 4.5, tf.sin(flat(x)), flat(x)),
    "scatter": lambda x: tf.scatter_nd([[0]] * flat(x).shape[0], flat(x), [2]),
    "einsum": lambda x: tf.einsum("i,ij,j->i", flat(x), definite(x), flat(tamed(x))),
    "running": lambda x: tf.math.cumulative_logsumexp(flat(x)),
    "mirror": lambda x: tf.pad(flat(x), [[1, 1]], "SYMMETRIC"),
    "convolve": lambda x: flat(tf.nn.conv2d(tf.reshape(x, [1, -1, 1, 1]), tf.reshape(tamed(x), [-1, 1, 1, 1]), 1, "SAME")),
    "pool": lambda x: flat(tf.nn.avg_pool(tf.reshape(x, [1, -1, 1, 1]), [2, 1], 1, "SAME")),
    "largest_of_windows": lambda x: flat(tf.nn.max_pool(tf.reshape(apart(x), [1, -1, 1, 1]), [2, 1], 1, "SAME")),
    "squares": lambda x: tamed(tf.nn.l2_loss(x)),
    "windows": lambda x: flat(
        tf.image.extract_patches(tf.reshape(x, [1, -1, 1, 1]), [1, 2, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1], "SAME")[..., 1:]
    ),
    "surprise": lambda x: tf.nn.sparse_softmax_cross_entropy_with_logits(flat(x).shape[0] - 1, flat(tamed(x))),
    "matrix": lambda x: definite(x)[-1], "cholesky": lambda x: tf.linalg.cholesky(definite(x))[-1],
    "det": lambda x: tf.math.log(tf.linalg.det(definite(x))), "slogdet": lambda x: tf.linalg.slogdet(definite(x))[1],
    "inverse": lambda x: tf.linalg.inv(definite(x))[0],
    "solve": lambda x: flat(tf.linalg.solve(definite(x), tf.reshape(x, [-1, 1]))), "orthogonal": orthogonal,
    "back_substitution": lambda x: flat(tf.linalg.triangular_solve(definite(x), tf.reshape(x, [-1, 1]))),
    "singular": lambda x: tf.linalg.svd(definite(x), compute_uv=False),
    "qr": lambda x: (tf.linalg.qr(definite(x)).q + tf.linalg.qr(definite(x)).r)[0],
    "triangle": lambda x: tf.linalg.band_part(definite(x), 0, -1)[0],
    "diagonal": lambda x: tf.linalg.diag_part(definite(x)), "modulus": lambda x: tf.abs(wave(x)),
    "conjugate": lambda x: tf.math.imag(tf.math.conj(wave(x)) * wave(tf.sin(x))),
    "fourier": lambda x: tamed(tf.math.real(tf.signal.ifft(tf.signal.fft(wave(x)) * wave(x)))),
    "real_fourier": lambda x: tamed(tf.signal.irfft(tf.signal.rfft(tf.concat([flat(x), flat(x)], 0)) * 0.5)),
}  # fmt: skip
CASTS = {"narrow": tf.float32, "widen": tf.float64}
TWO: dict[str, Callable[[Any, Any], Any]] = {
    **{name: word(row) for name, row in TABLE.items() if plain(row, 2)},
    "pow": lambda x, y: positive(x) ** tamed(y), "maximum": lambda x, y: tf.maximum(positive(x) + 3.0, y),
    "minimum": lambda x, y: tf.minimum(positive(x) - 4.0, tamed(y)),
    "outer": lambda x, y: flat(tf.tensordot(tamed(x), tamed(y), 0))[:6],
    "matmul": lambda x, y: tf.reshape(tamed(x), [-1, 1]) @ tf.reshape(y, [1, -1]),
    "where": lambda x, y: tf.where(tf.constant(True), x, y),
    "cross_entropy": lambda x, y: tf.nn.softmax_cross_entropy_with_logits(flat(tf.sin(x)), flat(tamed(y))[0]),
}  # fmt: skip

ALONG_AN_AXIS = {
    "reduce_mean", "reduce_prod", "logsumexp", "cumsum", "cumprod", "softmax", "log_softmax", "reverse", "roll", "first", "gather",
    "split", "pad",
}  # fmt: skip
