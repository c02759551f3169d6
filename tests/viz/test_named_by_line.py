"""Names of values as learners write them: each belongs to the value whose line it is, also where much is told as one step."""

from __future__ import annotations

import numpy as np
import pytest

import minitape as tf
from tests.viz.test_named import recorded, shapes
from viz.tell.scenes import scene_of

TURNS = """
cost = tf.constant(0.0)
with tf.GradientTape() as tape:
    for turn in range(30):
        push = tf.tanh(gain * place)
        cost += push * push
        place = place + 0.1 * push - 0.01
slope = tape.gradient(cost, gain)
"""


def test_in_a_fold_each_value_has_the_name_of_its_own_line() -> None:
    """All had that of the last line: `cost` was called place."""
    scene = scene_of(recorded(TURNS, gain=tf.Variable(0.5), place=tf.constant(1.0)), placed=False)
    assert len(scene.groups) > 3
    seed = next(step["say"] for step in scene.steps if step["kind"] == "seed")
    assert seed.startswith("tape goes back from cost"), seed
    assert any("place" in value["name"] for value in scene.values)


def test_an_update_that_is_too_large_is_told_where_it_happens_also_in_a_long_run() -> None:
    source = """
for step in range(12):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(w * 0.5 - 1.0) + tf.square(w - 3.0) + 0.1 * w * w + tf.sin(w) + tf.cos(2.0 * w))
    w.assign_sub(rates[step] * tape.gradient(loss, w))
"""
    rates = [1e-3] * 5 + [40.0] + [1e-9] * 6
    scene = scene_of(recorded(source, w=tf.Variable([1.0, 2.0]), rates=rates), placed=False)
    told = [step for step in scene.steps if "moves by" in step["say"]]
    assert len(told) == 1 and "more rounds of the same" in told[0]["say"], [step["say"] for step in told]


def test_a_lone_op_of_a_long_run_is_told_as_what_it_is() -> None:
    source = TURNS + "last = 2.0 * slope\n"
    scene = scene_of(recorded(source, gain=tf.Variable(0.5), place=tf.constant(1.0)), placed=False)
    assert not any("1 op as one step" in step["say"] for step in scene.steps)
    assert shapes(scene, "last") == [[]]


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        ("net.bias = tf.Variable([1.0]) if wanted else None\nz = x + net.bias", "bias"),
        ("y = tf.sin(x) if wanted else tf.cos(x)", "y"),
        ("i = 1\nself.m[i] = self.m[i] * 0.9 + x", "m[i]"),
    ],
)
def test_a_name_stands_left_of_whatever_is_assigned(lines: str, name: str) -> None:
    from types import SimpleNamespace

    given = {"net": SimpleNamespace(), "self": SimpleNamespace(m=[0.0, tf.constant([2.0])]), "wanted": True}
    scene = scene_of(recorded(lines, x=tf.constant([0.5]), **given), placed=False)
    assert shapes(scene, name) == [[1]], [value["name"] for value in scene.values]


def test_what_a_comprehension_takes_is_not_what_it_gives() -> None:
    scene = scene_of(recorded("rows = [row * 2.0 for row in x]", x=tf.ones([2, 3])), placed=False)
    assert not shapes(scene, "rows") and shapes(scene, "row") == [[3], [3]]


ATTRIBUTE = """
class Learner:
    def step(self, x):
        with tf.GradientTape() as tape:
            self.loss = self.measure(x * w)
        return tape.gradient(self.loss, w)

    def forward(self, x):
        with tf.autodiff.ForwardAccumulator(w, tf.constant(1.0)) as acc:
            y = self.measure(x * w)
        return acc.jvp(y)

learner = Learner()
learner.measure = lambda p: tf.reduce_sum(p)
learner.step(x)
learner.forward(x)
"""


def test_what_a_tape_or_an_accumulator_is_asked_for_has_the_name_by_which_it_is_asked() -> None:
    scene = scene_of(recorded(ATTRIBUTE, x=tf.constant([1.0, 2.0]), w=tf.Variable(3.0)), placed=False)
    assert shapes(scene, "loss") == shapes(scene, "y") == [[]]


def test_what_a_property_makes_on_its_way_is_not_what_it_gives() -> None:
    dense = tf.keras.layers.Dense(1, kernel_regularizer=tf.keras.regularizers.L2(0.5))
    dense.build((None, 2))
    source = "loss = tf.add_n(dense.losses)"
    values = scene_of(recorded(source, dense=dense), placed=False).values
    made = {value["name"]: value.get("op") for value in values if value["kind"] == "value"}
    assert "square" in made.values() and not any(
        name.startswith("dense.losses") for name in made if made[name] == "square"
    )


def test_an_array_of_numpys_has_the_name_by_which_a_line_takes_it() -> None:
    source = "with tf.GradientTape() as tape:\n    y = tf.matmul(inputs, w)\nslope = tape.gradient(y, w)"
    stream = recorded(source, inputs=np.ones((3, 2), "float32"), w=tf.Variable([[1.0], [2.0]]))
    scene = scene_of(stream, placed=False)
    assert shapes(scene, "inputs") == [[3, 2]] and any("keeps inputs" in step["say"] for step in scene.steps)


def test_what_comes_out_of_rounds_that_are_not_told_keeps_its_name() -> None:
    source = """
def slope(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.exp(-x * x) * tf.sin(x) + x * x * 0.5)
    return tape.gradient(y, x)

at = tf.constant([1.0, 2.0])
for turn in range(12):
    there = at - 0.1 * slope(at)
    at = there
"""
    scene = scene_of(recorded(source), placed=False)
    watched = [step["say"] for step in scene.steps if step["kind"] == "watch"]
    assert watched[-1].split(" watches ")[1].startswith("there"), watched


def test_the_numbers_of_two_metrics_are_told_apart() -> None:
    source = """
mean, error = tf.keras.metrics.Mean(name="loss"), tf.keras.metrics.MeanAbsoluteError(name="mae")
mean.update_state([1.0, 2.0])
error.update_state([[1.0]], [[3.0]])
"""
    names = {value["name"] for value in scene_of(recorded(source), placed=False).values if value["kind"] == "variable"}
    assert names == {"loss/total", "loss/count", "mae/total", "mae/count"}


def test_an_array_under_the_name_of_a_tensor_is_numbered() -> None:
    """`loss(predicted, wanted)` of a function of (wanted, predicted): inside of it names say the contrary."""
    source = """
def loss(wanted, predicted):
    return tf.reduce_mean(tf.square(tf.subtract(wanted, predicted)))

with tf.GradientTape() as tape:
    predicted = w * 2.0
    error = loss(predicted, labels)
slope = tape.gradient(error, w)
"""
    stream = recorded(source, labels=np.ones((3,), "float32"), w=tf.Variable([1.0, 2.0, 3.0]))
    assert shapes(scene_of(stream, placed=False), "predicted") == [[3]]


def test_what_goes_back_is_no_loop_of_the_line_that_asks() -> None:
    """It was called "line 8 ×12"."""
    source = """
x = tf.Variable(0.5)
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = x
        for turn in range(40):
            y = tf.sin(y) * x
    slope = inner.gradient(y, x)
second = outer.gradient(slope, x)
"""
    scene = scene_of(recorded(source), placed=False)
    folds = [step["say"] for step in scene.steps if step["kind"] == "fold"]
    assert any("Line 8 (1 of " in said for said in folds) and not any("Line 8 ×" in said for said in folds), folds


def test_a_variable_is_named_by_where_it_lies_when_it_is_first_used() -> None:
    """Those of the first layer were params[0] and params[1], of the second w and b; one in a dict was the v of a comprehension."""
    source = """
class Layer:
    def __init__(self, w, b):
        self.w, self.b = tf.Variable(w), tf.Variable(b)

    def __call__(self, x):
        return x * self.w + self.b

layers, params = [Layer(0.5, 0.1), Layer(2.0, 0.3)], {"out": {"scale": tf.Variable(3.0)}}
with tf.GradientTape() as tape:
    y = tf.constant(1.0)
    for layer in layers:
        y = layer(y)
    y = y * params["out"]["scale"] + tf.add_n([v * v for v in tf.nest.flatten(params)])
listed = [p for layer in layers for p in (layer.w, layer.b)]
slopes = tape.gradient(y, listed)
"""
    values = scene_of(recorded(source), placed=False).values
    assert [value["name"] for value in values if value["kind"] == "variable"] == ["w", "b", "w₂", "b₂", "out.scale"]


def test_the_name_on_its_own_line_is_before_that_of_a_loop_over_what_is_asked() -> None:
    source = """
a = tf.Variable(2.0)
with tf.GradientTape(persistent=True) as tape:
    i, root = tf.while_loop(lambda i, x: i < 2, lambda i, x: (i + 1, 0.5 * (x + a / x)), (0, tf.constant(1.0)))
    power = tf.foldl(lambda so_far, c: so_far * a + c, tf.constant([1.0, -2.0, 0.5]))
for t in (root, power):
    tape.gradient(t, a)
"""
    scene = scene_of(recorded(source), placed=False)
    seeds = [step["say"].split(",")[0] for step in scene.steps if step["kind"] == "seed"]
    assert seeds == ["tape goes back from root", "tape goes back from power"]


def test_of_two_with_one_name_the_earlier_has_it_alone() -> None:
    """The variable was centre₂, since a function took a constant under that name first."""
    source = """
def far(centre):
    return tf.reduce_sum(tf.square(x - centre))

centre = tf.Variable([0.2, -0.1])
target = far(tf.constant([0.5, 0.5]))
with tf.GradientTape() as tape:
    loss = tf.square(far(centre) - target)
slope = tape.gradient(loss, centre)
"""
    values = scene_of(recorded(source, x=tf.constant([1.0, 2.0])), placed=False).values
    assert [value["kind"] for value in values if value["name"] == "centre"] == ["variable"]


def test_items_have_the_names_by_which_they_are_held() -> None:
    """A field of a named tuple was heads[0], an item of a list that is made anew the a of a comprehension, of a dict the l of another."""
    source = """
from collections import namedtuple

heads = namedtuple("Heads", "shared own")(tf.Variable([[0.5]]), tf.Variable([[2.0]]))
with tf.GradientTape(persistent=True) as tape:
    losses = {"a": tf.reduce_sum(x @ heads.shared), "b": tf.reduce_sum(x @ heads.own)}
    both = sum(losses[k] for k in losses)
slopes = {k: tape.gradient(l, heads.shared) for k, l in losses.items()}
sums = [tf.zeros([2])]
for turn in range(2):
    sums = [s + 1.0 for s in sums]
means = [s / 2.0 for s in sums]
"""
    scene = scene_of(recorded(source, x=tf.constant([[1.0], [2.0]])), placed=False)
    names = [value["name"] for value in scene.values]
    assert {"shared", "own", 'losses["a"]', 'losses["b"]', "sums[0]", "(sums[0])₂", "(sums[0])₃"} <= set(names), names


def test_what_a_metric_counts_has_the_name_of_the_metric() -> None:
    """They were total and count, and set to 0 before the first step."""
    source = """
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(tf.ones([2, 1]), tf.ones([2, 1]), verbose=0)
"""
    scene = scene_of(recorded(source), placed=False)
    changed = [step["say"].split(" changes")[0] for step in scene.steps if step["kind"] == "assign"]
    assert changed[:2] == ["kernel", "bias"] and {"loss/total", "loss/count"} <= set(changed), changed


def test_a_list_of_one_gradient_is_a_list() -> None:
    """It was the gradient itself, and what took it `grads × 2`, which Python would not compute so."""
    source = """
with tf.GradientTape(persistent=True) as tape:
    loss = tf.reduce_sum(w * w)
grads = tape.gradient(loss, [w])
alone = tape.gradient(loss, w)
both = grads[0] * 2.0 + alone
"""
    scene = scene_of(recorded(source, w=tf.Variable([1.0, 2.0])), placed=False)
    beside = [said for step in scene.steps for _, said in step.get("produced", [])]
    assert "grads = [[2, 4]]" in beside and "alone = [2, 4]" in beside, beside
    assert any(step["say"].startswith("grads[0] is [2, 4].") for step in scene.steps)
    formulas = [[term[0] for term in step["formula"]] for step in scene.steps if "formula" in step]
    assert any("grads[0]" in terms for terms in formulas), formulas


def test_what_a_rule_works_out_on_its_way_has_not_the_name_of_the_answer() -> None:
    """In a folded run the 0.5 that comes back through `0.5 * (...)` was called dq, and the answer dq₂."""
    source = """
def energy(q, v):
    kinetic = 0.5 * (v[0]**2 + v[1]**2 + 2 * v[0] * v[1] * tf.cos(q[0] - q[1]))
    return kinetic + tf.cos(q[0]) + tf.cos(q[1])

with tf.GradientTape(persistent=True) as outer:
    with tf.GradientTape(persistent=True) as inner:
        e = energy(q, v)
    dq = inner.gradient(e, q)
    dv = inner.gradient(e, v)
rows = [outer.jacobian(dv, v), outer.jacobian(dv, q), outer.jacobian(dq, q)]
"""
    stream = recorded(source, q=tf.Variable([0.3, 0.7]), v=tf.Variable([0.1, -0.2]))
    shapes_of = {value["name"]: value["shape"] for value in scene_of(stream, placed=False).values}
    assert shapes_of["dq"] == shapes_of["dv"] == [2] and not {"dq₂", "dv₂"} & shapes_of.keys()


@pytest.mark.parametrize(
    ("lines", "names"),
    [
        ("clipped, total = tf.clip_by_global_norm([x, x], 1.0)", ["total", "clipped[0]", "clipped[1]"]),
        ("both = tf.clip_by_global_norm([x, x], 1.0)", ["both[1]", "both[0][0]", "both[0][1]"]),
        ("best = tf.math.top_k(x, 1)", ["best.indices", "best.values"]),
        ("mean, spread = tf.nn.moments(x, 0)", ["spread", "mean"]),
        ("p, q = two(x)", ["p", "q"]),
        ("out = by_name(x)", ['out["mu"]', 'out["sd"]']),
        ("halves = [0.5 * tf.exp(part) for part in (x, x)]", ["halves[0]", "halves[1]"]),
        ("for turn in range(2):\n        p, q = two(x)\n        w.assign(p)", ["p", "q", "p₂", "q₂"]),
    ],
)
@pytest.mark.parametrize("after", ["w.assign(x)", "other = tf.sin(w)"])
def test_what_calls_gave_a_function_that_has_ended_is_called_as_its_lines_have_it(
    lines: str, names: list[str], after: str
) -> None:
    source = f"""
def two(a):
    return a * 2.0, tf.exp(a)

def by_name(a):
    return {{"mu": a * 2.0, "sd": tf.exp(a)}}

def step():
    {lines}
    {after}

step()
"""
    scene = scene_of(recorded(source, x=tf.constant([1.0, 2.0]), w=tf.Variable([1.0, 2.0])), ("all",), placed=False)
    made = [value["name"] for value in scene.values if value.get("op")]
    assert [name for name in made if name in names] == names, made


HELD = """
import numpy as np
from collections import namedtuple
from dataclasses import dataclass

Pair = namedtuple("Pair", "w b")

class Batch:
    def __init__(self, held):
        self.x, self.arrays = held, np.ones((1, 2), "float32")
        self.inner = Pair(tf.constant([5.0, 6.0]), held)
        self.rows = [{"h": tf.constant([1.0, 2.0])}]

    def twice(self):
        return self.inner.w * 2.0

    @property
    def made(self):
        raise AssertionError("a property is not asked")

class Own(list):
    def __getitem__(self, key):
        raise AssertionError("nor is a list of its own kind")

@dataclass(slots=True)
class Slots:
    a: object

own, batch, slots, pair, lists = Own([x + 0.0]), Batch(x + 0.0), Slots(x + 0.0), Pair(x + 0.0, x + 0.0), [[x + 0.0]]
"""


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("y = 0.1 * batch.x", "batch.x"),
        ("y = tf.exp(batch.x)", "batch.x"),
        ("batch.twice()", "inner.w"),
        ("y = slots.a * 2.0", "slots.a"),
        ("y = tf.multiply(x=pair.b, y=2.0)", "pair.b"),
        ('y = batch.rows[-1]["h"] * 2.0', 'batch.rows[0]["h"]'),
        ("for i in range(1):\n        y = lists[i][0] * 2.0", "lists[0][0]"),
        ("y = tf.matmul(batch.arrays, tf.ones([2, 1]))", "arrays"),
        ("y = batch.arrays @ tf.Variable([[1.0], [2.0]])", "batch.arrays"),
        ("y = batch.x.T if False else batch.x - 1.0", "batch.x"),
        ("y = 2.0 * (batch.x if hasattr(batch, 'x') else batch.made)", "batch.x"),
        ("y = 2.0 * (own[0] if not own else batch.x)", "batch.x"),
    ],
)
def test_what_lies_in_an_object_is_called_as_the_line_writes_it(line: str, name: str) -> None:
    """They were `x+0`, v₁ or ones."""
    source = f"{HELD}\ndef step():\n    {line}\n\nstep()\n"
    scene = scene_of(recorded(source, x=tf.constant([3.0, 4.0])), ("all",), placed=False)
    named = [value["name"] for value in scene.values]
    assert name in named, named


def test_slices_of_a_gradient_are_called_as_the_line_writes_them() -> None:
    """They were g₁."""
    source = """
with tf.GradientTape() as tape:
    rows = tf.gather(table, [0, 2])
    loss = tf.reduce_sum(rows * rows)
g = tape.gradient(loss, table)
table.scatter_sub(tf.IndexedSlices(0.1 * g.values, g.indices))
"""
    table = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    formulas = [step.get("formula") or [] for step in scene_of(recorded(source, table=table), placed=False).steps]
    assert ["0.1", "×", "g.values"] in [[term[0] for term in formula[:3]] for formula in formulas]


def test_a_variable_that_has_a_name_keeps_it_where_a_line_takes_it_from_a_layer() -> None:
    dense = tf.keras.layers.Dense(2)
    dense.build((None, 2))
    values = scene_of(recorded("y = x @ dense.kernel", x=tf.ones([1, 2]), dense=dense), placed=False).values
    assert [value["name"] for value in values if value["kind"] == "variable"] == ["kernel"]
