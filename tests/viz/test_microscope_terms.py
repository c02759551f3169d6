"""The microscope's table of terms: for each op, the terms that a page adds up are the number that was recorded, in value, VJP and JVP."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minitape as tf
import viz
from minitape.ops import indexing, nn_conv, padding, shapes
from minitape.ops.reductions import weights_
from tests.viz.test_player import node, run  # noqa: F401  (a fixture)
from viz.microscope import table
from viz.microscope.expression import FUNCTIONS, tree
from viz.microscope.rule import SPECIAL
from viz.microscope.specimen import specimen
from viz.scene import Scene
from viz.tell.scenes import scene_of

WINDOW = nn_conv.Window((2, 2), (2, 1), (1, 1), ((0, 0), (0, 1)), (5, 4))
BIG = nn_conv.Window((3, 2), (1, 2), (1, 2), ((1, 1), (0, 1)), (5, 6))
PLACES = np.array([[0, 2], [1, 2]])

# By a name, the shapes of what is watched, and the program.
PROGRAMS: dict[str, tuple[list[tuple[int, ...]], Callable[..., Any]]] = {
    "matmul": ([(3, 4), (4, 2)], lambda x, y: tf.matmul(x, y)),
    "matmul, turned": ([(4, 3), (2, 4)], lambda x, y: tf.matmul(x, y, transpose_a=True, transpose_b=True)),
    "matmul, batched": ([(2, 1, 3, 4), (5, 4, 2)], lambda x, y: tf.matmul(x, y)),
    "matmul, batched and turned": ([(2, 3, 4), (2, 5, 4)], lambda x, y: tf.matmul(x, y, transpose_b=True)),
    "einsum": ([(2, 3, 4), (4, 5)], lambda x, y: tf.einsum("bik,ko->bio", x, y)),
    "conv2d": ([(2, 5, 4, 2), (2, 2, 2, 3)], lambda x, y: nn_conv.conv2d_(x, y, window=WINDOW)),
    "conv2d, spread": ([(1, 5, 6, 1), (3, 2, 1, 2)], lambda x, y: nn_conv.conv2d_(x, y, window=BIG)),
    "conv2d_image": ([(2, 2, 4, 3), (2, 2, 2, 3)], lambda x, y: nn_conv.conv2d_image_(x, y, window=WINDOW)),
    "conv2d_filter": ([(2, 5, 4, 2), (2, 2, 4, 3)], lambda x, y: nn_conv.conv2d_filter_(x, y, window=WINDOW)),
    "windows": ([(2, 5, 4, 2)], lambda x: nn_conv.windows_(x, window=WINDOW)),
    "unwindows": ([(2, 2, 4, 2, 2, 2)], lambda x: nn_conv.unwindows_(x, window=WINDOW)),
    "max_pool": ([(1, 4, 4, 2)], lambda x: tf.nn.max_pool2d(x, 2, 2, "VALID")),
    "max_pool, steps and a border": ([(2, 5, 3, 2)], lambda x: tf.nn.max_pool2d(x, [3, 2], [2, 1], "SAME")),
    "max_pool, many as large": ([(1, 4, 4, 2)], lambda x: tf.nn.max_pool2d(tf.nn.relu(x), 2, 1, "VALID")),
    "l2_loss": ([(2, 3)], lambda x: tf.nn.l2_loss(x)),
    "avg_pool, no border": ([(1, 4, 4, 1)], lambda x: tf.nn.avg_pool2d(x, 2, 1, "VALID")),
    "avg_pool": ([(1, 5, 4, 2)], lambda x: tf.nn.avg_pool2d(x, 2, 2, "SAME")),
    "broadcasting": ([(3, 1), (2, 1, 4)], lambda x, y: x * y + y / (x * x + 1.0) - x),
    "functions": (
        [(2, 3)],
        lambda x: tf.tanh(x) + tf.sigmoid(x) * tf.exp(x) - tf.sin(x) * tf.cos(x) + tf.sqrt(tf.square(x) + 1.0),
    ),
    "corners": (
        [(2, 3), (3,)],
        lambda x, y: tf.maximum(tf.nn.relu(x), y) + tf.minimum(x, y) + tf.abs(x) + tf.nn.leaky_relu(y),
    ),
    "choice": ([(2, 3), (2, 3)], lambda x, y: tf.where(x > 0.0, x * 2.0, y) + tf.clip_by_value(x, -0.5, 0.5)),
    "logarithms": (
        [(2, 3)],
        lambda x: tf.math.log(x * x + 1.0) + tf.math.log1p(x * x) + tf.math.softplus(x) - tf.math.rsqrt(x * x + 1.0),
    ),
    "reduce_sum": ([(2, 3, 4)], lambda x: tf.reduce_sum(x, [0, 2])),
    "reduce_sum, kept": ([(2, 3, 4)], lambda x: tf.reduce_sum(x, 1, keepdims=True)),
    "reduce_mean": ([(2, 3, 4)], lambda x: tf.reduce_mean(x, -1)),
    "reduce_mean, all": ([(3, 4)], lambda x: tf.reduce_mean(x)),
    "reduce_max": ([(3, 4)], lambda x: tf.reduce_max(x, 1)),
    "reduce_max, shared": ([(3, 4)], lambda x: tf.reduce_max(tf.nn.relu(x), 0, keepdims=True)),
    "reduce_min": ([(3, 4)], lambda x: tf.reduce_min(x)),
    "reduce_logsumexp": ([(3, 4)], lambda x: tf.reduce_logsumexp(x, 1)),
    "softmax, many": ([(2, 3, 2)], lambda x: weights_(x, axis=(0, 2))),
    "norm": ([(3, 4)], lambda x: tf.math.reduce_euclidean_norm(x, axis=1)),
    "softmax": ([(3, 4)], lambda x: tf.nn.softmax(x)),
    "softmax, down": ([(3, 4)], lambda x: tf.nn.softmax(x, axis=0)),
    "log_softmax": ([(3, 4)], lambda x: tf.nn.log_softmax(x)),
    "cross entropy": ([(4, 3)], lambda x: tf.nn.sparse_softmax_cross_entropy_with_logits([0, 2, 1, 1], x)),
    "cross entropy, soft": (
        [(2, 3)],
        lambda x: tf.nn.softmax_cross_entropy_with_logits(labels=tf.one_hot([0, 2], 3), logits=x),
    ),
    "cross entropy, both moving": (
        [(2, 3), (2, 3)],
        lambda x, y: tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=x, axis=0),
    ),
    "cross entropy of a row": ([(3,)], lambda x: tf.nn.sparse_softmax_cross_entropy_with_logits(2, x)),
    "cross entropy of yes and no": (
        [(2, 3), (2, 3)],
        lambda x, y: tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=x),
    ),
    "cumsum": ([(3, 4)], lambda x: tf.cumsum(x, 1) + tf.cumsum(x, 0, exclusive=True) + tf.cumsum(x, 1, reverse=True)),
    "broadcast_to": ([(3, 1)], lambda x: tf.broadcast_to(x, [2, 3, 4])),
    "sum_to": ([(2, 3, 4)], lambda x: shapes.sum_to_(x, shape=(3, 1))),
    "identity": ([(3,)], lambda x: tf.identity(x) - x),
    "cast": ([(3,)], lambda x: tf.cast(tf.cast(x, tf.float64), tf.float32)),
    "reshape": ([(2, 6)], lambda x: tf.reshape(x, [3, 2, 2])),
    "transpose": ([(2, 3, 4)], lambda x: tf.transpose(x, [2, 0, 1])),
    "reverse": ([(2, 3)], lambda x: tf.reverse(x, [1])),
    "concat": ([(2, 3), (2, 1)], lambda x, y: tf.concat([x, y, x], -1)),
    "stack": ([(2, 3), (2, 3)], lambda x, y: tf.stack([x, y], 1)),
    "add_n": ([(2, 3), (2, 3)], lambda x, y: tf.add_n([x, y, x])),
    "split": ([(2, 6)], lambda x: tf.split(x, [1, 2, 3], 1)[2]),
    "unstack": ([(3, 2)], lambda x: tf.unstack(x, axis=0)[1]),
    "pad": ([(2, 3)], lambda x: tf.pad(x, [[1, 0], [2, 1]])),
    "tile": ([(2, 3)], lambda x: tf.tile(x, [2, 2])),
    "diag": ([(3,)], lambda x: padding.diag_(x)),
    "diag_part": ([(2, 3, 3)], lambda x: tf.linalg.diag_part(x)),
    "band_part": ([(3, 4)], lambda x: tf.linalg.band_part(x, 1, 0) + tf.linalg.band_part(x, -1, 2)),
    "getitem": ([(4, 5, 3)], lambda x: x[1, ::-2, None, ..., 1:]),
    "put": ([(2, 2)], lambda x: shapes.put_(x, shape=(4, 5), key=(("slice", None, None, 2), ("slice", 1, 3, None)))),
    "gather": ([(3, 4)], lambda x: tf.gather(x, PLACES, axis=1)),
    "gather, rows": ([(3, 4)], lambda x: tf.gather(x, [2, 0, 2])),
    "scatter_add": ([(3, 2, 2)], lambda x: indexing.scatter_add_(x, tf.constant(PLACES), axis=1, shape=(3, 4))),
    "take_along": ([(2, 4)], lambda x: indexing.take_along_(x, tf.constant([[1], [3]]))),
    "put_along": ([(2, 2)], lambda x: indexing.put_along_(x, tf.constant(PLACES), shape=(2, 4))),
    "take_along, one of each row": ([(2, 4)], lambda x: tf.gather(x, [3, 1], batch_dims=1)),
    "put_along, one in each row": ([(2,)], lambda x: indexing.put_along_(x, tf.constant([3, 1]), shape=(2, 4))),
    "layer normalization": ([(3, 4)], lambda x: tf.keras.layers.LayerNormalization()(x)),
    "batch normalization": ([(6, 3)], lambda x: tf.keras.layers.BatchNormalization()(x, training=True)),
    "attention": ([(2, 3, 4), (2, 3, 4)], lambda x, y: tf.nn.softmax(tf.matmul(x, y, transpose_b=True) / 2.0) @ y),
    "numbers that are none": ([(3,)], lambda x: tf.math.log(x - x) - tf.math.log(x - x) + x),
}

CHECK = """
import { termsOf, total, agrees, unflat, FUNCTIONS } from "./sums.js";
const kinds = { f4: Float32Array, f8: Float64Array, i4: Int32Array, u1: Uint8Array };
const wrong = [], met = [];
for (const [name, { arrays, steps }] of Object.entries(data.programs)) {
  const numbers = arrays.map(({ shape, dtype, data, number }) => ({ shape,
    data: data === undefined ? [Number(number)] : new kinds[dtype](Uint8Array.from(atob(data), one => one.charCodeAt(0)).buffer) }));
  for (const [step, { rule, reads, result, way, op }] of Object.entries(steps)) {
    if (!rule) continue;
    met.push(`${op} ${way}`);
    const known = {};
    for (const [role, at] of Object.entries(reads)) known[role] = known[`${role} of the row`] = numbers[at];
    const out = numbers[result];
    for (let i = 0; i < out.data.length; i++) {
      const place = unflat(out.shape, i), terms = termsOf(rule, place, known), sum = total(rule, place, terms, known);
      if (!agrees(sum, out.data[i], terms)) { wrong.push([name, Number(step), op, way, place, sum, out.data[i]]); break; }
    }
  }
}
console.log(JSON.stringify({ wrong, met: [...new Set(met)].sort(), functions: Object.keys(FUNCTIONS) }));
"""


@np.errstate(all="ignore")
def recorded(name: str) -> dict[str, Any]:
    """The arrays and rules of a program: its values, its tangents, and what comes back from every number of its result."""
    sizes, program = PROGRAMS[name]
    chance = np.random.default_rng(len(name))
    given = [tf.Variable(chance.normal(size=size).astype("f")) for size in sizes]
    moves = [tf.constant(chance.normal(size=size).astype("f")) for size in sizes]
    with viz.record() as seen, tf.autodiff.ForwardAccumulator(given, moves), tf.GradientTape() as tape:
        out = program(*given)
        seed = tf.constant(chance.normal(size=out.shape).astype("f"))
    backward = specimen(told(seen))
    with viz.record() as seen:
        with tf.GradientTape() as tape:
            out = program(*given)
        tape.gradient(out, given, output_gradients=seed)
    found = specimen(told(seen))
    shift = len(found["arrays"])
    moved = {f"{step}0": _shifted(one, shift) for step, one in backward["steps"].items()}
    return {
        "arrays": found["arrays"] + backward["arrays"],
        "steps": {**found["steps"], **{f"1000{k}": one for k, one in moved.items()}},
    }


def told(seen: Any) -> Scene:
    return scene_of(seen.stream, placed=False)


def _shifted(step: dict[str, Any], by: int) -> dict[str, Any]:
    return {
        **step,
        "result": step["result"] + by,
        "reads": {name: number + by for name, number in step["reads"].items()},
    }


@pytest.fixture(scope="module")
def added(node: str, tmp_path_factory: pytest.TempPathFactory) -> Any:  # noqa: F811
    return run(node, tmp_path_factory.mktemp("sums"), CHECK, {"programs": {name: recorded(name) for name in PROGRAMS}})


def test_the_terms_of_every_number_add_up_to_the_recorded_one(added: Any) -> None:
    assert added["wrong"] == []


def test_every_row_is_tried_in_every_direction(added: Any) -> None:
    met = set(added["met"])
    rows = {*table.ROWS, *SPECIAL} - {"stop_gradient", "real", "conj"}  # of real numbers these are no ops
    assert {f"{op} {way}" for op in rows for way in ("value", "back", "push")} - met == {"unstack push", "split push"}


def test_a_page_works_out_what_python_says_that_it_can(added: Any) -> None:
    assert set(added["functions"]) == FUNCTIONS


def test_a_wrong_row_is_seen(node: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    from viz.microscope.relation import Relation

    right = table.ROWS["matmul"]

    def turned(call: table.Call) -> list[Relation]:
        (one,) = right(call)
        return [Relation(one.lengths, {**one.at, "x": one.at["x"][::-1]})]  # xᵀ for x

    monkeypatch.setitem(table.ROWS, "matmul", turned)
    sizes = {"x": ([(3, 3), (3, 3)], lambda x, y: x @ y)}
    monkeypatch.setattr("tests.viz.test_microscope_terms.PROGRAMS", sizes)
    found = run(node, tmp_path, CHECK, {"programs": {"x": recorded("x")}})
    assert {(op, way) for _, _, op, way, *_ in found["wrong"]} == {
        ("matmul", "value"),
        ("matmul", "back"),
        ("matmul", "push"),
    }


def test_what_has_no_row_is_told_no_sum() -> None:
    with viz.record() as seen:
        with tf.GradientTape() as tape:
            x = tf.Variable([[2.0, 1.0], [1.0, 3.0]])
            y = tf.linalg.det(x)
        tape.gradient(y, x)
    steps = specimen(told(seen))["steps"].values()
    assert [(one["op"], one["way"], "rule" in one) for one in steps] == [
        ("det", "value", False),
        ("det", "back", False),
    ]


def test_words_that_are_no_expression_are_left_alone() -> None:
    assert tree("unheard(x)") is None
    assert tree("d × share(x, out)") is None


def test_a_negative_number_behind_a_sign_stands_in_brackets(node: str, tmp_path: Path) -> None:  # noqa: F811
    """−0.5 × −0.3 would be read as a difference."""
    code = """
    import { factorsOf } from "./terms.js";
    const tokens = [{ array: "a" }, { sign: "×" }, { array: "b" }, { sign: "×" }, { array: "c" }].map(one => ({ ...one, part: 0 }));
    const known = { a: { kind: "value", data: [-0.5] }, b: { kind: "value", data: [-0.3] }, c: { kind: "value", data: [2] } };
    console.log(JSON.stringify(factorsOf({ row: tokens }, known, { part: 0, from: { a: 0, b: 0, c: 0 } }).map(one => one[1]).join("")));"""
    assert run(node, tmp_path, code) == "−0.5 × (−0.3) × 2"
