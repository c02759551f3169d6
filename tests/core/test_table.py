"""Every row of the derivative table against outside truths, automatically.

Elementwise rows bring their cases along (a row's `domain`); the others have theirs here.  A row without a case fails.
"""

from __future__ import annotations

import gc
import itertools
import zlib
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

import minitape as tf
import minitape.image  # its rows load on first use
from minitape.entry import PLAN, Entry
from minitape.kinds import Elementwise
from minitape.ops.joins import stack
from minitape.ops.nn_conv import Window, conv2d_, windows_
from minitape.primitive import TABLE, Primitive
from minitape.record.events import listening
from minitape.tensor import constant
from minitape.testing import check_gradients, numerical_jvp
from minitape.trace import compute

TYPED_KEY = (("slice", 0, 2, None), 1)


class Case(NamedTuple):
    """A row applied: its inputs as arrays, and its settings."""

    inputs: tuple[np.ndarray, ...]
    params: dict[str, Any] = {}


def numbers(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-2.0, 2.0, shape)


def waves(*shape: int) -> np.ndarray:
    return numbers(*shape) + 1j * numbers(*shape, seed=1)


def distinct(*shape: int) -> np.ndarray:
    """Numbers that keep away from each other, in no order."""
    count = int(np.prod(shape))
    return (
        np.random.default_rng(1).permutation(np.linspace(-2.0, 2.0, count)).reshape(shape) if count else np.zeros(shape)
    )


def simple(**params: Any) -> list[Case]:
    """A matrix, and an empty matrix."""
    return [Case((numbers(2, 3),), params), Case((numbers(0, 3),), params)]


def reductions(make: Any = numbers, empty: bool = True) -> list[Case]:
    """All axes, one, several, none; kept or not; a single number and no number."""
    cases = [
        Case((make(2, 3, 2),), {"axis": axis, "keepdims": keepdims})
        for axis in [(0, 1, 2), (1,), (2, 0), ()]
        for keepdims in [False, True]
    ]
    cases.append(Case((make(),), {"axis": (), "keepdims": False}))
    if empty:
        cases.append(Case((make(0, 3),), {"axis": (0,), "keepdims": False}))
    cases.append(Case((make(0, 3),), {"axis": (1,), "keepdims": True}))
    return cases


def products(*flags: tuple[bool, bool]) -> Iterator[Case]:
    for a, b in flags:
        params = {"transpose_a": a, "transpose_b": b}
        left, right = (3, 2) if a else (2, 3), (4, 3) if b else (3, 4)
        yield Case((numbers(*left), numbers(*right, seed=1)), params)
        yield Case((numbers(5, *left), numbers(*right, seed=1)), params)
        yield Case((numbers(5, 1, *left), numbers(2, *right, seed=1)), params)
        yield Case((numbers(0, *left), numbers(0, *right)), params)


def running(x: np.ndarray) -> list[Case]:
    """Along each axis, with and without each number itself, in both directions."""
    return [
        Case((x,), {"axis": axis, "exclusive": exclusive, "reverse": turned})
        for axis, exclusive, turned in itertools.product((0, -1), (False, True), (False, True))
    ] + [Case((x[:0],), {"axis": 0, "exclusive": True, "reverse": False})]


def matrices(make: Any, **params: Any) -> list[Case]:
    """One matrix, one of a single number, a batch of them, an empty batch."""
    return [Case(make(*shape), params) for shape in [(3, 3), (1, 1), (2, 2, 2), (0, 2, 2)]]


def regular(*shape: int) -> np.ndarray:
    """Matrices far from having no inverse."""
    return numbers(*shape) + 4.0 * np.eye(shape[-1])


def positive(*shape: int) -> np.ndarray:
    root = numbers(*shape)
    return root @ np.swapaxes(root, -1, -2) + 2.0 * np.eye(shape[-1])


def spread(*shape: int) -> np.ndarray:
    """Matrices whose singular values, and whose symmetric part's eigenvalues, keep away from each other and from 0."""
    count = min(shape[-2:])
    return 0.3 * numbers(*shape) + np.eye(*shape[-2:]) * (1.0 + 2.0 * np.arange(max(count, shape[-1])))


def right_side(*shape: int) -> tuple[np.ndarray, np.ndarray]:
    return regular(*shape), numbers(*shape[:-1], 2, seed=1)


WINDOWS = [
    Window((2, 2), (1, 1), (1, 1), ((0, 0), (0, 0)), (3, 3)),
    Window((2, 3), (2, 1), (1, 1), ((0, 1), (1, 1)), (3, 4)),
    Window((2, 1), (1, 2), (2, 1), ((1, 1), (0, 0)), (3, 3)),
]


def image(window: Window) -> np.ndarray:
    return numbers(2, *window.image, 2)


def seen(window: Window) -> np.ndarray:
    """What a convolution over the image would give."""
    return numbers(*conv2d_.forward(image(window), np.zeros((*window.size, 2, 2)), window).shape, seed=2)


INDICES = np.array([[2, 0], [2, 2]])
CONDITION = np.array([True, False, True])

# Rows whose inputs are not just numbers from a domain.
CASES: dict[str, list[Case]] = {
    "where": [
        Case((CONDITION, numbers(3), numbers(3, seed=1))),
        Case((CONDITION, numbers(2, 3), numbers())),
        Case((np.array(True), numbers(2), numbers(2, seed=1))),
        Case((np.zeros(0, bool), numbers(0), numbers(0))),
    ],
    "clip_by_value": [
        Case((np.array([-1.7, 0.3, 1.9]), np.array(-1.0), np.array(1.2))),
        Case((np.array([[-1.7, 0.3], [1.9, 0.1]]), np.array([-1.0, -0.5]), np.array([[1.2], [0.6]]))),
        Case((np.zeros(0), np.array(-1.0), np.array(1.0))),
        Case((np.array(0.5), np.array(-1.0), np.array(1.0))),
    ],
    "floormod": [
        Case((np.array([2.3, 3.1, -0.6]), np.array([1.0, 0.7, 0.4]))),
        Case((np.array([[2.3], [3.1]]), np.array([1.0, 0.7, -0.4]))),
        Case((np.array(2.3), np.array(1.0))),
        Case((np.zeros(0), np.zeros(0))),
    ],
    "maximum": [
        Case((np.array([0.5, -1.0, 2.0]), np.array([1.0, -2.0, 0.3]))),
        Case((np.array([[0.5], [1.5]]), np.array([1.0, -2.0, 0.3]))),
        Case((np.array(0.5), np.array(0.1))),
        Case((np.zeros(0), np.zeros(0))),
    ],
    "relu6": [
        Case((np.array([-1.0, 2.0, 7.0]),)),
        Case((np.array(2.0),)),
        Case((np.zeros(0),)),
    ],
    "leaky_relu": [Case((one,), {"alpha": 0.3}) for one in (np.array([-1.0, 2.0]), np.array(-0.5), np.zeros((0, 2)))],
    "negative": [*simple(), Case((numbers(),))],
    "conj": [*simple(), Case((numbers(),)), Case((numbers(2) + 1j * numbers(2, seed=1),))],
    "real": [*simple(), Case((numbers(2) + 1j * numbers(2, seed=1),))],
    "imag": [Case((numbers(2) + 1j * numbers(2, seed=1),)), Case((np.zeros(0, complex),))],
    "complex_abs": [Case((np.array([3 + 4j, -1 + 0.5j]),)), Case((np.array(1j),)), Case((np.zeros(0, complex),))],
    "cast": [
        Case((numbers(2, 3),), {"dtype": np.dtype("float64")}),
        Case((numbers(2),), {"dtype": np.dtype("complex128")}),
        Case((numbers(2) + 1j * numbers(2, seed=1),), {"dtype": np.dtype("float64")}),
    ],
    "identity": [*simple(), Case((numbers(),))],
    "checkpoint_name": simple(label="a"),
    "reshape": [
        Case((numbers(2, 3),), {"shape": (3, 2)}),
        Case((numbers(1),), {"shape": ()}),
        Case((numbers(2, 3),), {"shape": (-1,)}),
        Case((numbers(0, 3),), {"shape": (3, 0)}),
    ],
    "transpose": [
        Case((numbers(2, 3, 4),), {"perm": (2, 0, 1)}),
        Case((numbers(),), {"perm": ()}),
        Case((numbers(0, 3),), {"perm": (1, 0)}),
    ],
    "broadcast_to": [
        Case((numbers(3),), {"shape": (2, 3)}),
        Case((numbers(2, 1),), {"shape": (4, 2, 3)}),
        Case((numbers(),), {"shape": (2, 2)}),
        Case((numbers(1),), {"shape": (0,)}),
    ],
    "resize": [
        Case((numbers(2, 3, 2, 2),), {"rows": numbers(4, 3, seed=1), "columns": numbers(1, 2, seed=2)}),
        Case((numbers(0, 3, 2, 1),), {"rows": numbers(2, 3, seed=1), "columns": numbers(2, 2, seed=2)}),
    ],
    "sum_to": [
        Case((numbers(2, 3),), {"shape": (3,)}),
        Case((numbers(4, 2, 3),), {"shape": (2, 1)}),
        Case((numbers(2),), {"shape": ()}),
        Case((numbers(0, 2),), {"shape": (1, 2)}),
    ],
    "getitem": [
        Case((numbers(3, 4),), {"key": key})
        for key in [
            (1,),
            (-1, 2),
            TYPED_KEY,
            (("slice", None, None, -1),),
            ("...", 0),
            (None, 2, None),
            (("slice", 2, None, None), ("slice", 0, 4, 3)),
            (("slice", 5, None, None),),
            (),
        ]
    ],
    "put": [
        Case((numbers(2),), {"shape": (3, 4), "key": TYPED_KEY}),
        Case((numbers(),), {"shape": (3,), "key": (-1,)}),
        Case((numbers(0),), {"shape": (3,), "key": (("slice", 3, None, None),)}),
    ],
    "pad": [Case((one,), {"paddings": ((1, 0), (0, 2)), "value": 0}) for one in (numbers(2, 3), numbers(0, 3))],
    "tile": [
        Case((numbers(2, 3),), {"multiples": (2, 1)}),
        Case((numbers(2),), {"multiples": (3,)}),
        Case((numbers(2),), {"multiples": (0,)}),
        Case((numbers(),), {"multiples": ()}),
    ],
    "reverse": simple(axis=(0,)) + simple(axis=(0, 1)),
    "roll": simple(shift=(1,), axis=(0,)) + simple(shift=(2, -1), axis=(0, 1)),
    "concat": [
        Case((numbers(2, 3), numbers(2, 1), numbers(2, 0)), {"axis": 1}),
        Case((numbers(2, 3), numbers(1, 3)), {"axis": -2}),
        Case((numbers(2),), {"axis": 0}),
    ],
    "add_n": [
        Case((numbers(2, 3), numbers(2, 3, seed=1), numbers(2, 3, seed=2))), Case((numbers(), numbers(seed=1)))
    ],
    "stack": [
        Case((numbers(3), numbers(3, seed=1)), {"axis": axis}) for axis in (0, 1, -1)
    ] + [Case((numbers(), numbers()), {"axis": 0}), Case((numbers(0),), {"axis": 0})],
    "unstack": [Case((numbers(2, 3),), {"axis": axis}) for axis in (0, 1, -1)] + [Case((numbers(2, 0),), {"axis": 0})],
    "split": [
        Case((numbers(2, 5),), {"sizes": (2, 3), "axis": 1}),
        Case((numbers(4),), {"sizes": (1, 0, 3), "axis": -1}),
        Case((numbers(2, 0),), {"sizes": (1, 1), "axis": 0}),
    ],
    "gather": [
        Case((numbers(3, 4), INDICES), {"axis": 0}),
        Case((numbers(2, 3), INDICES), {"axis": 1}),
        Case((numbers(3), np.array(1)), {"axis": 0}),
        Case((numbers(3), np.zeros(0, int)), {"axis": 0}),
        Case((numbers(3, 0), INDICES), {"axis": 0}),
    ],
    "scatter_add": [
        Case((numbers(2, 2, 4), INDICES), {"axis": 0, "shape": (3, 4)}),
        Case((numbers(2, 2, 2), INDICES), {"axis": 1, "shape": (2, 3)}),
        Case((numbers(), np.array(1)), {"axis": 0, "shape": (3,)}),
        Case((numbers(0), np.zeros(0, int)), {"axis": 0, "shape": (3,)}),
    ],
    "diag": [Case((numbers(3),)), Case((numbers(2, 3),)), Case((numbers(0),))],
    "diag_part": [Case((numbers(3, 3),)), Case((numbers(2, 2, 3),)), Case((numbers(0, 0),))],
    "reduce_sum": reductions(),
    "reduce_mean": reductions(empty=False),
    "cumsum": [
        Case((numbers(3, 2),), {"axis": axis, "exclusive": exclusive, "reverse": turned})
        for axis, exclusive, turned in itertools.product((0, 1, -1), (False, True), (False, True))
    ] + [Case((numbers(0, 2),), {"axis": 0, "exclusive": False, "reverse": False})],
    "reduce_max": reductions(distinct, empty=False),
    "reduce_min": reductions(distinct, empty=False),
    "reduce_prod": reductions() + [
        Case((np.array([2.0, 0.0, 3.0]),), {"axis": (0,), "keepdims": False}),
        Case((np.array([0.0, 0.0, 3.0]),), {"axis": (0,), "keepdims": False}),
    ],
    "product_of_others": [
        Case((numbers(3),), {"axis": (0,)}),
        Case((numbers(2, 3),), {"axis": (1,)}),
        Case((numbers(3, 2, 2),), {"axis": (0, 2)}),
        Case((np.array([2.0, 0.0, 3.0, 0.0]),), {"axis": (0,)}),
        Case((numbers(),), {"axis": ()}),
        Case((numbers(0, 2),), {"axis": (0,)}),
    ],
    "reduce_logsumexp": reductions(empty=False),
    "softmax_along": [Case(one.inputs, {"axis": one.params["axis"]}) for one in reductions(empty=False)],
    "matmul": list(products((False, False), (True, False), (False, True), (True, True))),
    "softmax": [*simple(axis=-1), *simple(axis=1), Case((numbers(3),), {"axis": 0})],
    "log_softmax": [*simple(axis=-1), *simple(axis=1), Case((numbers(3),), {"axis": 0})],
    "softmax_cross_entropy": [
        Case((numbers(2, 3), positive(3, 3)[:2]), {"axis": 1}),
        Case((numbers(2, 3, 2), numbers(2, 3, 2, seed=1)), {"axis": 1}),
        Case((numbers(3), numbers(3, seed=1)), {"axis": 0}),
        Case((numbers(0, 3), numbers(0, 3)), {"axis": 1}),
    ],
    "sparse_softmax_cross_entropy": [
        Case((numbers(2, 3), np.array([2, 0]))),
        Case((numbers(2, 2, 3), INDICES)),
        Case((numbers(3), np.array(1))),
        Case((numbers(0, 3), np.zeros(0, int))),
    ],
    "l2_loss": simple(),
    "mirror_pad": [
        Case((numbers(3, 2),), {"paddings": ((1, 2), (0, 1)), "mode": "reflect"}),
        Case((numbers(3),), {"paddings": ((3, 1),), "mode": "symmetric"}),
    ],
    "unmirror": [
        Case((numbers(6, 3),), {"shape": (3, 2), "paddings": ((1, 2), (0, 1)), "mode": "reflect"}),
        Case((numbers(7),), {"shape": (3,), "paddings": ((3, 1),), "mode": "symmetric"}),
    ],
    "take_along": [
        Case((numbers(2, 3), INDICES)),
        Case((numbers(3), np.array([2, 2, 0, 1]))),
        Case((numbers(2, 0), np.zeros((2, 0), int))),
        Case((numbers(2, 3), np.array([2, 0]))),
        Case((numbers(2, 2, 3), INDICES)),
        Case((numbers(3), np.array(1))),
    ],
    "put_along": [
        Case((numbers(2, 2), INDICES), {"shape": (2, 3)}),
        Case((numbers(4), np.array([2, 2, 0, 1])), {"shape": (3,)}),
        Case((numbers(2, 0), np.zeros((2, 0), int)), {"shape": (2, 3)}),
        Case((numbers(2), np.array([2, 0])), {"shape": (2, 3)}),
        Case((numbers(2, 2), INDICES), {"shape": (2, 2, 3)}),
        Case((numbers(), np.array(1)), {"shape": (3,)}),
    ],
    "fft": [Case((waves(*shape),), {"axes": axes}) for shape, axes in [((4,), (-1,)), ((2, 3), (-1,)), ((2, 4, 3), (-2, -1)), ((0, 2), (-1,))]],
    "rfft": [Case((numbers(*shape),), {"axes": axes}) for shape, axes in [((4,), (-1,)), ((2, 5), (-1,)), ((2, 4, 3), (-2, -1)), ((0, 2), (-1,))]],
    "irfft": [
        Case((waves(*shape),), {"axes": axes, "length": length})
        for shape, axes, length in [((3,), (-1,), 4), ((2, 3), (-1,), 5), ((2, 4, 2), (-2, -1), 2), ((2, 4, 2), (-2, -1), 3), ((0, 2), (-1,), 2)]
    ],
    "polygamma": [
        Case((np.array(1.0), np.array([0.5, 1.7, 14.0]))), Case((np.array([[0.0], [3.0]]), np.array([0.7, 2.0]))), Case((np.array(2.0), np.zeros(0))),
    ],
    "complex": [Case((numbers(2, 3), numbers(2, 3, seed=1))), Case((numbers(), numbers(seed=1))), Case((numbers(0), numbers(0)))],
    "reduce_euclidean_norm": reductions(empty=False)[:6],
    "cumprod": running(numbers(3, 2)),
    "cumulative_logsumexp": [case for case in running(numbers(3, 2)) if not case.params["exclusive"]],  # its first is -inf
    "einsum": [
        Case((numbers(2, 3), numbers(3, 4, seed=1)), {"left": "ij", "right": "jk", "result": "ik"}),
        Case((numbers(2, 3), numbers(2, 3, seed=1)), {"left": "ij", "right": "ij", "result": ""}),
        Case((numbers(2), numbers(3, seed=1)), {"left": "i", "right": "j", "result": "ji"}),
        Case((numbers(1, 3, 2), numbers(4, 2, 3, seed=1)), {"left": "bij", "right": "bjk", "result": "bki"}),
        Case((numbers(0, 3), numbers(3, 2)), {"left": "ij", "right": "jk", "result": "ik"}),
    ],
    "inverse": matrices(lambda *shape: (regular(*shape),)),
    "det": matrices(lambda *shape: (regular(*shape),)),
    "slogdet": matrices(lambda *shape: (regular(*shape),)),
    "cholesky": matrices(lambda *shape: (positive(*shape),)),
    "solve": matrices(right_side, adjoint=False) + matrices(right_side, adjoint=True),
    "triangular_solve": [
        case for lower, adjoint in itertools.product((False, True), repeat=2)
        for case in matrices(right_side, lower=lower, adjoint=adjoint)
    ],
    "qr": [
        *[Case((one,), {"full": False}) for one in (regular(3, 3), regular(2, 4, 4)[:, :, :2], regular(4, 4)[:2], regular(0, 2, 2))],
        Case((regular(2, 4, 4)[:, :2],), {"full": True}),
    ],
    "svd": [
        *[Case((one,), {"full": False}) for one in (spread(3, 3), spread(4, 2), spread(2, 2, 4), spread(1, 1), spread(0, 2, 2))],
        Case((spread(2, 3, 3),), {"full": True}),
    ],
    "singular_values": [Case((one,)) for one in (spread(3, 3), spread(4, 2), spread(2, 2, 4), spread(0, 2, 2))],
    "eigh": matrices(lambda *shape: (spread(*shape),)),
    "one_over_gaps": [Case((one,)) for one in (numbers(3), numbers(2, 3), numbers(1), numbers(2, 0))],
    **{name: matrices(lambda *shape: (numbers(*shape),)) for name in ("both_triangles", "skew", "lower_half", "below_diagonal")},
    "band_part": [
        Case((numbers(3, 4),), {"lower": lower, "upper": upper}) for lower, upper in [(-1, 0), (0, -1), (1, 1), (0, 0), (-1, -1)]
    ] + [Case((numbers(2, 0, 2),), {"lower": 0, "upper": 0})],
    "conv2d": [Case((image(w), numbers(*w.size, 2, 2, seed=1)), {"window": w}) for w in WINDOWS],
    "conv2d_image": [Case((seen(w), numbers(*w.size, 2, 2, seed=1)), {"window": w}) for w in WINDOWS],
    "conv2d_filter": [Case((image(w), seen(w)), {"window": w}) for w in WINDOWS],
    "max_pool": [Case((distinct(*image(w).shape),), {"window": w}) for w in WINDOWS],
    "avg_pool": [Case((image(w),), {"window": w}) for w in WINDOWS],
    "windows": [Case((image(w),), {"window": w}) for w in WINDOWS],
    "unwindows": [Case((windows_.forward(image(w), w) * 1.0,), {"window": w}) for w in WINDOWS],
}  # fmt: skip
CASES["minimum"] = CASES["maximum"]
CASES["ifft"] = CASES["fft"]

# Rows without a derivative: inputs and settings to run them with.
FLAT: dict[str, Case] = {
    "one_hot": Case((np.array([0, 2]),), {"depth": 3, "on": 1, "off": 0, "dtype": np.dtype("float32")}),
    "reduce_any": Case((CONDITION,), {"axis": (0,), "keepdims": False}),
    "reduce_all": Case((CONDITION,), {"axis": (0,), "keepdims": False}),
    "argmax": Case((numbers(3),), {"axis": 0, "dtype": np.dtype("int64")}),
    "argmin": Case((numbers(3),), {"axis": 0, "dtype": np.dtype("int64")}),
    "share": Case((np.array([1.0, 3.0, 3.0]), np.array(3.0)), {"axis": (0,)}),
    **{
        name: Case((numbers(3),))
        for name in ("floor", "ceil", "round", "is_nan", "is_inf", "is_finite", "stop_gradient", "zeros")
    },
    **{
        name: Case((numbers(3), numbers(3, seed=1)))
        for name in ("floordiv", "truncatediv", "equal", "not_equal", "less", "less_equal", "greater", "greater_equal")
    },
    **{name: Case((CONDITION, ~CONDITION)) for name in ("logical_and", "logical_or", "logical_xor")},
    "logical_not": Case((CONDITION,)),
    **{name: Case((np.array([5]), np.array([3]))) for name in ("bitwise_and", "bitwise_or", "bitwise_xor")},
    "invert": Case((np.array([5]),)),
    "left_shift": Case((np.array([5]), np.array([1]))),
    "right_shift": Case((np.array([5]), np.array([1]))),
    "argsort": Case((numbers(3),), {"descending": False}),
    "bincount": Case((np.array([1, 1, 3]),), {"least": 0, "most": None, "dtype": np.dtype("int32")}),
    "weighted_bincount": Case((np.array([1, 1, 3]), numbers(3)), {"least": 0, "most": 3}),
    "confusion_matrix": Case((np.array([0, 1]), np.array([1, 1])), {"count": 2, "dtype": np.dtype("int32")}),
    "weighted_confusion_matrix": Case(
        (np.array([0, 1]), np.array([1, 1]), numbers(2)), {"count": 2, "dtype": np.dtype("float32")}
    ),
    "histogram_fixed_width": Case((numbers(3), np.array([0.0, 1.0])), {"parts": 2, "dtype": np.dtype("int32")}),
    "sequence_mask": Case((np.array([1, 2]),), {"width": 3, "dtype": np.dtype("bool")}),
    "in_top_k": Case((np.array([1, 0]), numbers(2, 3)), {"k": 1}),
    **{name: Case((np.array([2, 1, 2]),), {"dtype": np.dtype("int32")}) for name in ("unique", "unique_with_counts")},
    "invert_permutation": Case((np.array([2, 0, 1]),)),
    "unravel_index": Case((np.array([2, 5]),), {"dims": (3, 3)}),
    "places": Case((CONDITION,)),
    "categorical": Case((numbers(2, 3), numbers(2, 2, 3)), {"dtype": np.dtype("int64")}),
    "searchsorted": Case((np.array([0.0, 1.0]), numbers(3)), {"right": False}),
    "max_places": Case((image(WINDOWS[0]),), {"window": WINDOWS[0]}),
}


def within(domain: Any, *shape: int, seed: int) -> np.ndarray:
    """Numbers of a row's domain."""
    draw = np.random.default_rng(seed)
    if domain == "positive":
        return draw.uniform(0.5, 2.0, shape)
    if domain == "nonzero":
        return draw.uniform(0.3, 1.8, shape) * draw.choice([-1.0, 1.0], shape)
    low, high = domain
    return draw.uniform(low, high, shape)


def cases(name: str) -> list[Case]:
    row = TABLE[name]
    if name in CASES or not isinstance(row, Elementwise):
        return CASES.get(name, [])
    shapes: dict[int, list[tuple[tuple[int, ...], ...]]] = {
        1: [((),), ((3,),), ((2, 3),), ((0,),), ((2, 0),)],
        2: [((), ()), ((3,), (3,)), ((2, 3), (3,)), ((), (2,)), ((2, 1), (1, 3)), ((0,), ()), ((4, 1, 2), (3, 1))],
    }
    seed = zlib.crc32(name.encode())
    return [
        Case(tuple(within(row.notes.domain, *shape, seed=seed + i) for i, shape in enumerate(one)))
        for one in shapes[len(row.arguments)]
    ]


SLOPED = [name for name, row in TABLE.items() if row.kind not in ("flat", "refused")]
REFUSED: dict[str, Case] = {
    "prevent_gradient": Case((numbers(3),), {"message": "no"}),
    "bitcast": Case((numbers(3),), {"dtype": np.dtype("complex64")}),
    "adjust_contrast": Case((numbers(2, 2, 3), np.array(2.0))),
    "adjust_saturation": Case((np.abs(numbers(2, 2, 3)), np.array(0.5))),
    "adjust_hue": Case((np.abs(numbers(2, 2, 3)), np.array(0.5))),
}
NUMBERED = [pytest.param(name, case, id=f"{name}-{i}") for name in SLOPED for i, case in enumerate(cases(name))]


def moving(case: Case, row: Primitive) -> list[int]:
    """The positions of the inputs with a derivative."""
    return [i for i, one in enumerate(case.inputs) if row.variadic or row.differentiable(i)]


def applied(row: Primitive, case: Case) -> Any:
    """The row as a function of the inputs with a derivative, the others standing still."""
    places = moving(case, row)

    def function(*moved: Any) -> Any:
        inputs: list[Any] = [constant(one) for one in case.inputs]
        for place, one in zip(places, moved, strict=True):
            inputs[place] = one
        return row(*inputs, **case.params)

    return function, [case.inputs[i] for i in places]


def test_no_row_is_without_a_case() -> None:
    assert [name for name in SLOPED if not cases(name)] == []
    assert [name for name, row in TABLE.items() if row.kind == "flat" and name not in FLAT] == []
    assert [name for name in [*CASES, *FLAT] if name not in TABLE] == []
    assert [name for name, row in TABLE.items() if row.kind == "refused"] == sorted(REFUSED, key=list(TABLE).index)
    assert len(TABLE) >= 60


def test_all_kinds_of_row_are_in_use() -> None:
    assert {row.kind for row in TABLE.values()} == {"elementwise", "linear", "bilinear", "general", "flat", "refused"}


@pytest.mark.parametrize(("name", "case"), NUMBERED)
def test_derivatives(name: str, case: Case) -> None:
    function, point = applied(TABLE[name], case)
    check_gradients(function, point, order=2, directions=1, tolerance=1e-7)


@pytest.mark.parametrize("name", [name for name in SLOPED if isinstance(TABLE[name], Elementwise)])
def test_broadcasting_is_undone(name: str) -> None:
    row = TABLE[name]
    for case in cases(name):
        inputs = [constant(one) for one in case.inputs]
        with tf.GradientTape() as tape:
            tape.watch([inputs[i] for i in moving(case, row)])
            out = row(*inputs, **case.params)
        assert out.shape == np.broadcast_shapes(*[one.shape for one in case.inputs])
        wanted = [inputs[i] for i in moving(case, row)]
        for source, gradient in zip(wanted, tape.gradient(out, wanted), strict=True):
            assert gradient.shape == source.shape and gradient.dtype == source.dtype


# Rows that run on tensors alone: a rule needs more than operators and rows, the output is complex, or there are several.
ON_TENSORS = {
    "backward": [
        "pow",
        "elu",
        "selu",
        "complex",
        "complex_abs",
        "concat",
        "add_n",
        "stack",
        "unstack",
        "split",
        "gather",
        "reduce_max",
        "reduce_min",
        "reduce_prod",
        "product_of_others",
        "reduce_logsumexp",
        "reduce_euclidean_norm",
        "diag_part",
        "inverse",
        "solve",
        "triangular_solve",
        "det",
        "slogdet",
        "cholesky",
        "qr",
        "svd",
        "singular_values",
        "eigh",
        "cumulative_logsumexp",
        "xlogy",
        "xdivy",
        "xlog1py",
        "fft",
        "ifft",
        "rfft",
        "irfft",
        "resize",
    ],
    "forward": [
        "pow",
        "elu",
        "selu",
        "complex",
        "complex_abs",
        "unstack",
        "split",
        "product_of_others",
        "solve",
        "triangular_solve",
        "det",
        "slogdet",
        "cholesky",
        "qr",
        "svd",
        "singular_values",
        "eigh",
        "softmax",
        "log_softmax",
        "cumulative_logsumexp",
        "xlogy",
        "xdivy",
        "xlog1py",
        "fft",
        "ifft",
        "rfft",
    ],
}


def backwards(row: Primitive, inputs: list[Any], wanted: list[Any], case: Case) -> tuple[list[Any], list[Any], bool]:
    """The gradients over arrays, those over tensors, and whether the first were over arrays indeed."""
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(wanted)
        out = row(*inputs, **case.params)
    alone = tape.gradient(out, wanted)
    with listening(lambda event, tensors: None):  # somebody listens: the rules run on tensors
        heard = tape.gradient(out, wanted)
    return alone, heard, bool(tape.written.items[PLAN].back) and not isinstance(out, tuple) and out.dtype.is_floating


def forwards(row: Primitive, inputs: list[Any], wanted: list[Any], case: Case) -> tuple[list[Any], list[Any], bool]:
    """The same of tangents."""
    draw = np.random.default_rng(0)
    tangents = [constant(draw.normal(size=one.shape).astype(one.dtype.as_numpy_dtype)) for one in wanted]

    def pushed() -> tuple[Any, list[Any]]:
        with tf.autodiff.ForwardAccumulator(wanted, tangents) as accumulator:
            out = row(*inputs, **case.params)
        return out, [accumulator.jvp(one) for one in (out if isinstance(out, tuple) else (out,))]

    out, alone = pushed()
    with listening(lambda event, tensors: None):
        heard = pushed()[1]
    moves = tuple([any(one is other for other in wanted) for one in inputs])
    floating = not isinstance(out, tuple) and out.dtype.is_floating
    return alone, heard, floating and row.pushes.get(moves, False)


@pytest.mark.filterwarnings("ignore::minitape.errors.SummedTarget")
@pytest.mark.parametrize(("direction", "answers"), [("backward", backwards), ("forward", forwards)])
@pytest.mark.parametrize("name", SLOPED)
def test_a_rule_gives_the_same_bits_over_arrays_as_over_tensors(name: str, direction: str, answers: Any) -> None:
    row = TABLE[name]
    over_arrays = []
    for case, dtype in itertools.product(cases(name), ["float64", "float32"]):
        inputs = [constant(one.astype(dtype) if one.dtype == np.float64 else one) for one in case.inputs]
        alone, heard, arrays = answers(row, inputs, [inputs[i] for i in moving(case, row)], case)
        if arrays:
            for one, other in zip(alone, heard, strict=True):
                assert (one is None) == (other is None)
                if one is not None:
                    assert (one.dtype, one.shape) == (other.dtype, other.shape)
                    np.testing.assert_array_equal(one.numpy(), other.numpy(), err_msg=f"{case} {dtype}")
        over_arrays.append(arrays)
    # No path is compared with itself; and a row that fell off the quick path, or came to it, says so.
    assert any(over_arrays) == (name not in ON_TENSORS[direction])
    if any(over_arrays):
        complex_ones = [any(np.iscomplexobj(one) for one in case.inputs) or row.name == "cast" for case in cases(name)]
        assert all(np.repeat(complex_ones, 2) | np.array(over_arrays))


@pytest.mark.parametrize("name", SLOPED)
def test_a_batch_of_directions_is_each_of_them_alone(name: str) -> None:
    row = TABLE[name]
    for case, dtype in itertools.product(cases(name), ["float64", "float32"]):
        inputs = [constant(one.astype(dtype) if one.dtype == np.float64 else one) for one in case.inputs]
        draw = np.random.default_rng(0)
        # Of two inputs that may move, one does too, since rules then meet values of another rank.
        for wanted in {tuple(moving(case, row)), *[(one,) for one in moving(case, row)[:2]]}:
            primals = [inputs[i] for i in wanted]
            batch = [draw.normal(size=(3, *one.shape)).astype(one.dtype.as_numpy_dtype) for one in primals]

            def pushed(
                make: Any, tangents: list[Any], primals: Any = primals, inputs: Any = inputs, case: Any = case
            ) -> Any:
                with make(primals, [constant(one) for one in tangents]) as accumulator:
                    out = row(*inputs, **case.params)
                found = [accumulator.jvp(one) for one in (out if isinstance(out, tuple) else (out,))]
                return [None if one is None else one.numpy() for one in found]

            accumulators = tf.autodiff.ForwardAccumulator
            alone = [pushed(accumulators, [tangent[i] for tangent in batch]) for i in range(3)]
            at_once = pushed(accumulators._batch_accumulator, batch)
            with listening(lambda event, tensors: None):  # over tensors
                heard = pushed(accumulators._batch_accumulator, batch)
            for each in (at_once, heard):
                for found, *one_by_one in zip(each, *alone, strict=True):
                    assert (found is None) == (one_by_one[0] is None)
                    if found is not None:
                        np.testing.assert_array_equal(found, np.stack(one_by_one), err_msg=f"{case} {dtype} {wanted}")


WRITTEN_OUT = [
    name for name, row in TABLE.items() if not row.variadic and row.outputs == 1 and len(row.arguments) in (1, 2)
]


@pytest.mark.parametrize("name", [name for name in WRITTEN_OUT if name not in REFUSED])
def test_a_listener_hears_of_an_op_what_it_hears_the_plain_way(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    row = TABLE[name]
    case = FLAT[name] if row.kind == "flat" else cases(name)[0]

    def heard() -> list[Any]:
        told: list[Any] = []
        inputs = [constant(one) for one in case.inputs]
        numbers = [one for one in inputs if one.dtype.is_floating or one.dtype.is_complex]

        def listen(event: Any, tensors: Any) -> None:
            values = [None if one is None else (one.numpy().tobytes(), one.dtype, one.holder) for one in tensors]
            told.append((event.kind, event.facts.get("of") is not None, values))

        start = tf.ledger.reading()
        with tf.GradientTape() as outer, tf.GradientTape() as tape, listening(listen):
            outer.watch(numbers), tape.watch(numbers)
            out = row(*inputs, **case.params)
            told.append([now - then for now, then in zip(tf.ledger.reading().values(), start.values(), strict=True)])
        for one in (outer, tape):
            told += [(e.op, e.wanted, e.recorded_by, e.not_recorded_by, [s.name for s in e.saved]) for e in one.entries]
        del out
        return told

    quick = heard()
    monkeypatch.setattr(Primitive, "run_heard", property(lambda row: lambda *xs, params: compute(row, xs, params)))
    assert quick == heard()


# ---- slips that NumPy forgives --------------------------------------------------------------------------------------------


def slips(row: Any, case: Case) -> Iterator[str]:
    """What a row does wrong on this case that no number shows at once, and what to write instead."""
    single = [one.astype("float32") if one.dtype == np.float64 else one for one in case.inputs]
    given = [one.copy() for one in single]
    with np.errstate(all="ignore"):
        out = row.forward(*given, **case.params)
    outs = out if isinstance(out, tuple) else (out,)
    for position, (before, after) in enumerate(zip(single, given, strict=True)):
        if before.tobytes() != after.tobytes():
            name = row.argument_name(position)
            yield f"row {row.name!r}: the forward computation overwrites {name}: write {name} * 2, and not {name} *= 2"
    if any(one.dtype == np.float32 for one in single) and "dtype" not in case.params:
        for one in outs:
            if one.dtype in (np.float64, np.complex128):
                yield f"row {row.name!r}: of float32 the forward computation makes {one.dtype}: make constants with x.dtype"
    if isinstance(row, Elementwise):
        inputs = [constant(one) for one in single]
        with tf.GradientTape() as tape:
            tape.watch([inputs[position] for position in moving(case, row)])
            out = row(*inputs, **case.params)
        for entry in tape.entries:
            change = tf.ones_like(out)
            for position in moving(case, row):
                found = row.vjp[position](change, [*inputs, out], entry.application)
                if found.shape != out.shape and found.shape != ():
                    yield (
                        f"row {row.name!r}: rule {position} (for {row.arguments[position]}) gives {found.shape} of a change of "
                        f"{out.shape}: an elementwise rule sums nothing and adds no axis"
                    )


@pytest.mark.parametrize("name", sorted(TABLE))
def test_a_row_overwrites_nothing_widens_nothing_and_sums_nothing(name: str) -> None:
    assert [slip for case in cases(name) for slip in slips(TABLE[name], case)] == []


def _overwrites(x: Any) -> Any:
    x *= 2.0
    return x


@pytest.mark.parametrize(
    ("forward", "rule", "told"),
    [
        (_overwrites, lambda dx: dx * 2.0, "overwrites x: write x * 2, and not x *= 2"),
        (lambda x: x.astype("float64"), lambda dx: dx, "of float32 the forward computation makes float64"),
        (lambda x: x * 2.0, lambda dx: stack([dx, dx]), "gives (2, 3) of a change of (3,)"),
    ],
    ids=["overwrites", "widens", "adds an axis"],
)
def test_a_slip_is_told(forward: Any, rule: Any, told: str) -> None:
    row = Elementwise("a_slip", forward, rule)
    try:
        assert told in " ".join(slips(row, Case((numbers(3),))))
    finally:
        row.withdraw()


# ---- honest saves ---------------------------------------------------------------------------------------------------------


def masks(row: Primitive, case: Case) -> Iterator[tuple[int, ...]]:
    places = moving(case, row)
    for count in range(1, len(places) + 1):
        yield from itertools.combinations(places, count)


def taped(row: Primitive, case: Case, watched: tuple[int, ...]) -> tuple[Entry, list[Any], list[Any], tf.GradientTape]:
    inputs = [constant(one) for one in case.inputs]
    with tf.GradientTape(persistent=True) as tape:
        for position in watched:
            tape.watch(inputs[position])
        out = row(*inputs, **case.params)
    (entry,) = tape.entries
    return entry, inputs, list(out) if isinstance(out, tuple) else [out], tape


@pytest.mark.parametrize(("name", "case"), NUMBERED)
def test_a_rule_runs_with_the_saved_names_alone(name: str, case: Case) -> None:
    row = TABLE[name]
    for watched in masks(row, case):
        entry, inputs, outputs, _tape = taped(row, case, watched)
        draw = np.random.default_rng(3)
        seeds = [constant(draw.standard_normal(one.shape).astype(one.dtype.numpy_dtype)) for one in outputs]
        everything = [*inputs, *outputs]
        wanted = [row.pullback(entry.application, everything, seeds, i) for i in watched]
        del everything, inputs, outputs
        kept = entry.values()
        places = [p if p >= 0 else len(case.inputs) + ~p for p in row.saves(entry.wanted)]
        assert [i for i, one in enumerate(kept) if one is not None] == sorted(places)
        for position, expected in zip(watched, wanted, strict=True):
            found = row.pullback(entry.application, kept, seeds, position)
            assert expected is not None and found is not None
            np.testing.assert_array_equal(found.numpy(), expected.numpy())


@pytest.mark.parametrize("name", SLOPED)
def test_a_rule_uses_every_name_it_saves(name: str) -> None:
    row, case = TABLE[name], cases(name)[0]
    for watched in masks(row, case):
        entry, _inputs, outputs, _tape = taped(row, case, watched)
        seeds = [constant(np.ones(one.shape, one.dtype.numpy_dtype)) for one in outputs]
        for missing in [i for i, one in enumerate(entry.values()) if one is not None]:
            values: list[Any] = entry.values()
            values[missing] = None
            with pytest.raises((TypeError, ValueError, AttributeError)):
                for position in watched:
                    row.pullback(entry.application, values, seeds, position)


@pytest.mark.parametrize(
    ("program", "saved"),
    [
        (lambda x, y: x + y, []),
        (lambda x, y: x - y, []),
        (lambda x, y: -x, []),
        (lambda x, y: tf.exp(x), ["out"]),
        (lambda x, y: tf.tanh(x), ["out"]),
        (lambda x, y: tf.sin(x), ["x"]),
        (lambda x, y: x * y, ["y"]),
        (lambda x, y: y * x, ["x"]),
        (lambda x, y: x * x, ["x", "y"]),
        (lambda x, y: x / y, ["y"]),
        (lambda x, y: y / x, ["x", "y"]),
        (lambda x, y: tf.reduce_sum(x), []),
        (lambda x, y: tf.reshape(x, [2, 1]), []),
        (lambda x, y: tf.nn.relu(x), ["out"]),
    ],
)
def test_what_is_saved_is_the_least(program: Any, saved: list[str]) -> None:
    x, y = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        program(x, y)
    assert [one.name for one in tape.entries[0].saved] == saved


def test_both_watched_inputs_save_both() -> None:
    x, y = tf.constant(2.0), tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        x * y
    assert [one.name for one in tape.entries[0].saved] == ["x", "y"]


def test_what_is_not_saved_is_freed() -> None:
    gc.disable()
    try:
        before = tf.ledger.live
        x = tf.zeros([1000])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.tanh(x + 1.0)  # the sum is not needed in the backward pass, tanh's output is
        assert tf.ledger.live - before == 4000 + 4000
        assert tf.ledger.held_for_backward == 4000
        del tape, x, y
        assert tf.ledger.live == before
    finally:
        gc.enable()


# ---- rows without a derivative --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name, row in TABLE.items() if row.kind == "flat"])
def test_flat_rows_are_not_recorded(name: str) -> None:
    inputs = [constant(one) for one in FLAT[name].inputs]
    floats = [one for one in inputs if one.dtype.is_floating]
    with (
        tf.GradientTape() as tape,
        tf.autodiff.ForwardAccumulator(floats, [tf.ones_like(one) for one in floats]) as acc,
    ):
        tape.watch(floats)
        out = TABLE[name](*inputs, **FLAT[name].params)
    assert tape.entries == ()
    assert [one for one in tf.nest.flatten(acc.jvp(out)) if one is not None] == []
    assert [one for one in tape.gradient(out, floats) if one is not None] == []


@pytest.mark.parametrize("name", REFUSED)
def test_a_refused_derivative_is_a_lookup_error(name: str) -> None:
    x, *others = (constant(one) for one in REFUSED[name].inputs)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = TABLE[name](x, *others, **REFUSED[name].params)
    with pytest.raises(LookupError):
        tape.gradient(y, x)
    with pytest.raises(LookupError), tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)):
        TABLE[name](x, *others, **REFUSED[name].params)


# ---- complex numbers: TensorFlow 2.21's convention, g * conj(f') ----------------------------------------------------------

Z, W = np.array([1.5 - 0.5j, -0.75 + 2j]), np.array([0.5 + 1j, 2 - 0.25j])
SEED = np.array([1 - 2j, 0.5 + 3j])
COMPLEX: dict[str, Any] = {
    "multiply": (lambda z, w: z * w, [-1.5 - 2j, 0.25 + 6.125j], [2.5 - 2.5j, 5.625 - 3.25j]),
    "divide": (
        lambda z, w: z / w,
        [2 + 0j, 0.4307692307692308 + 1.4461538461538461j],
        [-0.40000000000000013 - 2.8j, -1.1450887573964497 + 1.1162130177514795j],
    ),
    "pow": (
        lambda z, w: z**w,
        [-2.6134723690509127 - 0.8321977710777391j, 20.746141318114894 - 4.4182074695373705j],
        [1.5250971982721433 - 1.5458569721436757j, -44.26874622963488 + 14.582916683781406j],
    ),
    "square": (lambda z, w: tf.square(z), [5 - 5j, 11.25 - 6.5j], None),
    "sqrt": (lambda z, w: tf.sqrt(z), [0.265112631764402 - 0.848695886358033j, -0.7461409147649076 + 0.725192627429426j], None),
    "exp": (lambda z, w: tf.exp(z), [8.230324568750154 - 5.717468155483327j, 1.190278149470841 - 0.8044823853045177j], None),
    "sin": (lambda z, w: tf.sin(z), [-0.9598148042393005 - 0.679320165386005j, 8.79300424839317 + 7.0221658134815526j], None),
    "tanh": (lambda z, w: tf.tanh(z), [-0.18519545747307115 - 0.37872780784944626j, -3.5367248901450044 - 0.5594212781602309j], None),
    "sigmoid": (lambda z, w: tf.sigmoid(z), [0.049016894236841746 - 0.3426531882566764j, 1.6025641510030804 + 0.6541625416487841j], None),
    "acosh": (lambda z, w: tf.acosh(z), [-0.04620720666398459 - 1.6647419845665143j, -1.3026662809275786 - 0.17307540661558796j], None),
    "sign": (lambda z, w: tf.sign(z), [-0.3162277660168379 - 0.9486832980505138j, 0.6669742086793194 + 0.2501153282547446j], None),
    "conj": (lambda z, w: tf.math.conj(z), [1 + 2j, 0.5 - 3j], None),
    "cumsum": (lambda z, w: tf.cumsum(z), [1.5 + 1j, 0.5 + 3j], None),
    "where": (lambda z, w: tf.where([True, False], z, w), [1 - 2j, 0], [0, 0.5 + 3j]),
    "reduce_prod": (lambda z, w: tf.reduce_prod(z) * tf.constant([1.0, 0.0], z.dtype), [-4.75 - 0.5j, 2.5 - 2.5j], None),
}  # fmt: skip
REAL: dict[str, Any] = {
    "real": (lambda z: tf.math.real(z), [2, -3]),
    "imag": (lambda z: tf.math.imag(z), [2j, -3j]),
    "abs": (lambda z: tf.abs(z), [1.8973665961010275 - 0.6324555320336759j, 1.0533703247651751 - 2.8089875327071336j]),
    "cast": (lambda z: tf.cast(z, z.dtype.real_dtype), [2, -3]),
}


@pytest.mark.parametrize(("dtype", "tolerance"), [("complex64", 2e-5), ("complex128", 1e-12)])
@pytest.mark.parametrize("name", COMPLEX)
def test_complex_gradients(name: str, dtype: str, tolerance: float) -> None:
    program, by_z, by_w = COMPLEX[name]
    z, w, seed = (tf.constant(one.astype(dtype)) for one in (Z, W, SEED))
    with tf.GradientTape() as tape:
        tape.watch([z, w])
        out = program(z, w)
    for gradient, expected in zip(tape.gradient(out, [z, w], output_gradients=seed), (by_z, by_w), strict=True):
        if expected is None:
            assert gradient is None
        else:
            assert gradient.dtype == dtype
            np.testing.assert_allclose(gradient.numpy(), expected, rtol=tolerance)


@pytest.mark.parametrize("name", REAL)
def test_complex_to_real(name: str) -> None:
    program, expected = REAL[name]
    z = tf.constant(Z)
    with tf.GradientTape() as tape:
        tape.watch(z)
        out = program(z)
    assert out.dtype == tf.float64
    np.testing.assert_allclose(
        tape.gradient(out, z, tf.constant([2.0, -3.0], tf.float64)).numpy(), expected, rtol=1e-12
    )


def test_real_to_complex() -> None:
    r = tf.constant([2.0, -3.0], tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(r)
        out = tf.cast(r, tf.complex128) * tf.constant(Z)
    np.testing.assert_allclose(tape.gradient(out, r, tf.constant(SEED)).numpy(), [2.5, 5.625])


@pytest.mark.parametrize("name", [*COMPLEX, *REAL])
def test_complex_in_both_modes_to_second_order(name: str) -> None:
    program = COMPLEX[name][0] if name in COMPLEX else lambda z, w: REAL[name][0](z)
    # x ** y towards its base needs a derivative by a constant in the table's own terms; w stays still for where's sake too.
    check_gradients(lambda z: program(z, tf.constant(W)), [Z], order=2, directions=1)


def test_complex_matmul() -> None:
    a, b = numbers(2, 3) + 1j * numbers(2, 3, seed=1), numbers(3, 2, seed=2) + 1j * numbers(3, 2, seed=3)
    for case in [
        lambda a, b: tf.matmul(a, b),
        lambda a, b: tf.matmul(a, b, adjoint_a=True, adjoint_b=True),
        lambda a, b: tf.matmul(a, b, transpose_a=True, transpose_b=True),
    ]:
        check_gradients(case, [a, b], directions=1)


def test_the_difference_is_sharp() -> None:
    """The yardstick itself: five points give eleven digits."""
    found = numerical_jvp(lambda x: tf.sin(x), [0.7], [1.0])
    assert abs(float(found) - np.cos(0.7)) < 1e-11
