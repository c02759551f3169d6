"""What values are called in programs of layers, losses and `fit`: a line lends its names only to what they belong to."""

from __future__ import annotations

import linecache
import warnings
from typing import Any

import numpy as np
import pytest

import minitape as tf
import viz
from tests.viz import array_programs
from tests.viz.neurons import Net
from tests.viz.test_layers_fold import told
from viz.capture.within import items_of
from viz.scene import Scene
from viz.tell.scenes import scene_of

NET = """
class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(2)

    def call(self, inputs):
        x = self.dense(inputs)
        return x

model = Net()
model.build((None, 3))
examples = np.ones((4, 3), "float32")
"""
LOSS = """
loss_fn = tf.keras.losses.{kind}
with tf.GradientTape() as tape:
    loss = {call}
grads = tape.gradient(loss, model.trainable_variables)
"""
CALLS = [
    "loss_fn(targets, model(examples))",
    "loss_fn(model(examples), targets)",
    "loss_fn(y_true=targets, y_pred=model(examples))",
    "loss_fn(y_pred=model(examples), y_true=targets)",
    "loss_fn(targets, y_pred=model(examples))",
    "loss_fn(*[targets], model(examples))",
]
FIT = """
history = model.fit(examples, targets, batch_size=2, epochs=1, shuffle=False, verbose=0)
"""
COMPILED = """
model.compile("sgd", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
"""


def recorded(source: str, **given: Any) -> Any:
    name = f"<named {hash(source)}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    tf.keras.utils.clear_session()
    with warnings.catch_warnings(action="ignore"), viz.record() as run:
        exec(compile(source, name, "exec"), {"tf": tf, "np": np, **given})
    return run.stream


def shapes(scene: Scene, name: str) -> list[list[int]]:
    """Of the values of this name, numbered or not."""
    return [value["shape"] for value in scene.values if value["name"].strip("₀₁₂₃₄₅₆₇₈₉") == name]


@pytest.mark.parametrize("kind", ["MeanSquaredError()", "mean_absolute_error", "Huber()"])
@pytest.mark.parametrize("call", CALLS)
def test_what_a_model_gives_is_not_named_after_the_argument_beside_it(call: str, kind: str) -> None:
    targets = tf.constant(np.full((4, 2), 0.5, "float32"))
    stream = recorded(NET + LOSS.format(kind=kind, call=call), targets=targets)
    for opened in ((), ("all",)):
        scene = scene_of(stream, opened, placed=False)
        made = {value["name"]: value.get("op") for value in scene.values}
        assert "loss" in made and not any(op for name, op in made.items() if name.startswith("targets"))


def test_labels_that_a_loss_takes_as_numbers_name_no_logits() -> None:
    """The loss makes tensors of its labels itself: of all that it takes, only the logits come from a line with a name."""
    call = LOSS.format(kind="SparseCategoricalCrossentropy(from_logits=True)", call=CALLS[0])
    scene = scene_of(recorded(NET + call, targets=np.array([0, 1, 1, 0])), placed=False)
    assert "targets" not in {value["name"] for value in scene.values}
    scene = told("char_rnn")
    assert "targets" not in {value["name"] for value in scene.values}
    assert not any("targets" in step["say"] for step in scene.steps)


OWN = """
def made():
    return tf.sin(w)

with tf.GradientTape() as tape:
    tape.watch(w)
    hidden = made()
    loss = tf.matmul(hidden, w)
grad = tape.gradient(loss, w)
"""


def test_what_a_function_of_the_programs_made_has_the_name_of_where_it_is_used() -> None:
    names = {value["name"] for value in scene_of(recorded(OWN, w=tf.constant([[0.5]])), placed=False).values}
    assert {"hidden", "w", "loss"} <= names and "sin(w)" not in names


def test_what_follows_a_starred_argument_has_no_place() -> None:
    stream = recorded("loss = tf.where(*pair, other)\n", pair=(tf.constant([True]), tf.constant([1.0])), other=[2.0])
    op = next(record.op for record in stream.records if record.kind == "op")
    assert op.site is not None and op.site.operands == ()


@pytest.mark.parametrize("opened", [(), ("all",)])
def test_what_fit_makes_is_not_the_history_that_it_returns(opened: tuple[str, ...]) -> None:
    scene = scene_of(recorded(NET + COMPILED + FIT, targets=np.array([0, 1, 1, 0])), opened, placed=False)
    assert not shapes(scene, "history") and "history" not in str([step["say"] for step in scene.steps])
    assert "history" not in str([step.get("produced") for step in scene.steps])
    assert [recorder["name"] for recorder in scene.recorders] == ["tape₁", "tape₂"]  # one for each batch
    assert shapes(scene, "loss") == [[], []] and any("∂loss/∂" in step["say"] for step in scene.steps)
    assert not shapes(scene, "examples") and not shapes(scene, "targets")  # a batch is not all of them


OWN_STEP = """
class Stepped(tf.keras.Sequential):
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            wrong = self.compute_loss(x, y, self(x, training=True))
        self.optimizer.apply_gradients(zip(tape.gradient(wrong, self.trainable_variables), self.trainable_variables))
        return {"loss": wrong}

model = Stepped([tf.keras.layers.Dense(2)])
model.build((None, 3))
examples = np.ones((4, 3), "float32")
"""


@pytest.mark.parametrize("net", [NET, OWN_STEP], ids=["fit", "train_step"])
def test_neither_a_history_nor_a_score_is_a_tensor(net: str) -> None:
    judged = "history = model.fit(examples, targets, validation_data=(examples, targets), verbose=0)\n"
    judged += "score = model.evaluate(examples, targets, verbose=0)\n"
    scene = scene_of(recorded(net + COMPILED + judged, targets=np.array([0, 1, 1, 0])), ("all",), placed=False)
    assert not shapes(scene, "history") and not shapes(scene, "score")
    produced = str([step.get("produced") for step in scene.steps])
    assert "history" not in produced and "score" not in produced
    assert scene.recorders


def test_a_call_that_gives_a_tensor_still_names_it() -> None:
    source = 'examples = np.ones((4, 3), "float32")\nanswer = tf.keras.layers.Dense(2)(examples)\n'
    scene = scene_of(recorded(source), placed=False)
    assert [value["shape"] for value in scene.values if value["name"] == "answer"] == [[4, 2]]
    assert any("answer = " in line for step in scene.steps for _, line in step.get("produced", []))


def test_a_batch_is_not_the_answer_that_is_predicted_from_it() -> None:
    source = NET + "batches = tf.data.Dataset.from_tensor_slices(examples).batch(2)\nanswer = model.predict(batches)\n"
    named = [value for value in scene_of(recorded(source), ("all",), placed=False).values if value["name"] == "answer"]
    assert [value["kind"] for value in named] == ["value"]


@pytest.mark.filterwarnings("ignore:a gradient of shape")
def test_the_backward_pass_of_a_layer_is_said_once_and_begins_with_a_capital() -> None:
    said = [step["say"] for step in told("pinn").steps]
    assert not any("ack through back through" in words or words.startswith("back through") for words in said)
    assert any(words.startswith("Back through the backward pass of net, 14 ops: ") for words in said)
    assert any(words.startswith("Back through net, 14 ops as one step: ") for words in said)


WAVE = """
def wave(x):
    s = tf.sin(x)
    return s * s

"""
TAPE = "with tf.GradientTape() as tape:\n    "


@pytest.mark.parametrize(
    "asks",
    [
        TAPE + "tape.watch(r); y = wave(r)\ndy_dr = tape.gradient(y, r)",
        TAPE + "tape.watch([r]); y = tf.recompute_grad(wave)(r)\ndy_dr = tape.gradient(y, [r])",
        TAPE + "tape.watch(r); y = r; y = wave(y)\nslope = tape.gradient(y, r)",
        TAPE + "y = wave(w)\nslopes = tape.gradient(y, {'by r': w})",
        "with tf.autodiff.ForwardAccumulator(r, tf.ones([])) as acc:\n    y = wave(r)\ndy = acc.jvp(y)",
    ],
)
def test_what_was_there_before_the_run_has_the_name_by_which_a_derivative_is_asked(asks: str) -> None:
    """A function that uses it calls it something else."""
    stream = recorded(WAVE + asks, r=tf.constant(0.5), w=tf.Variable(0.5, name="weight"))
    names = {value["name"] for value in scene_of(stream, placed=False).values}
    assert names & {"r", "w"} and not names & {"x", "weight"}, names


@pytest.mark.parametrize("lines", ["y1, y2 = turned(x)", "[y1, y2] = turned(x)", "(y1, _), y2 = turned(x), x * x"])
def test_results_that_are_unpacked_have_their_names(lines: str) -> None:
    turned = "def turned(x):\n    return tf.cos(x) - 1.0, tf.sin(x) * 3.0\n\n"
    asks = f"{TAPE}{lines}\nslope = tape.gradient(y1, x)"
    scene = scene_of(recorded(turned + asks, x=tf.Variable(0.5)), placed=False)
    names = {value["name"]: value.get("op") for value in scene.values}
    assert names.get("y1") and names.get("y2") and "x" in names, names


def test_a_value_that_nobody_holds_any_more_is_freed_while_a_run_looks_for_names() -> None:
    x = tf.Variable(tf.ones([1000]))
    with viz.record():
        with tf.GradientTape() as tape:
            first, second = (lambda given: (tf.sin(given), tf.cos(given)))(x)
            y = tf.reduce_sum(first * second)
        tape.gradient(y, x)
        before = tf.ledger.live
        del first, second
        assert before - tf.ledger.live == 8000


@pytest.mark.parametrize("layers", ["[tf.sin] * 3", "[tf.keras.layers.Dense(3, 'tanh') for _ in range(3)]"])
def test_what_goes_round_a_loop_has_its_name_in_every_turn(layers: str) -> None:
    """`h = layer(h)` is one line: the next turn's call takes what the call before it gave."""
    source = f"{TAPE}h = x\n    for layer in {layers}:\n        h = layer(h)\n    loss = tf.reduce_sum(h)\ntape.gradient(loss, x)"
    values = scene_of(recorded(source, x=tf.Variable([[0.5, 1.0, -1.0]])), placed=False).values
    names = [value["name"] for value in values]
    assert [name for name in names if name[0] == "h"] == ["h", "h₂", "h₃"] and names[-1] == "loss", names
    if "Dense" not in layers:
        assert names == ["x", "h", "h₂", "h₃", "loss"]


HOLDERS = {
    "in a dict": ("held = {'w': tf.Variable([[2.0]]), 'b': tf.Variable([1.0])}", "held['w']", "held['b']", {"w", "b"}),
    "in a list": ("held = [tf.Variable([[2.0]]), tf.Variable([1.0])]", "held[0]", "held[1]", {"held[0]", "held[1]"}),
    "in a module": (
        "held = tf.Module()\nheld.line = tf.Module()\nheld.line.w, held.line.b = tf.Variable([[2.0]]), tf.Variable([1.0])",
        "held.line.w",
        "held.line.b",
        {"line.w", "line.b"},
    ),
}


@pytest.mark.parametrize("where", HOLDERS)
def test_variables_that_lie_in_something_are_called_by_their_place(where: str) -> None:
    made, w, b, expected = HOLDERS[where]
    space: dict[str, Any] = {"tf": tf, "x": tf.constant([[3.0]])}
    exec(made, space)
    asks = f"{TAPE}y = tf.reduce_sum(x @ {w} + {b})\nslopes = tape.gradient(y, [{w}, {b}])"
    scene = scene_of(recorded(asks, **space), placed=False)
    assert {value["name"] for value in scene.values} >= expected, [value["name"] for value in scene.values]


def test_their_place_names_them_where_no_derivative_is_asked_for() -> None:
    held = {"w": tf.Variable([[2.0]]), "inner": tf.Module()}
    held["inner"].b = tf.Variable([1.0])
    with viz.record() as run:
        tf.reduce_sum(tf.ones([1, 1]) @ held["w"] + held["inner"].b)
    assert {value["name"] for value in run.scene.values} >= {"w", "inner.b"}


def test_a_number_in_a_call_is_no_value_with_a_method() -> None:
    source = f"{TAPE}y = tf.sqrt(3.0) * x\ntape.gradient(y, x)"
    names = {value["name"] for value in scene_of(recorded(source, x=tf.Variable(2.0)), placed=False).values}
    assert "sqrt(3)" in names


def test_what_a_layer_gives_to_others_has_the_name_of_the_layer() -> None:
    net = tf.keras.Sequential([tf.keras.layers.Dense(2, "tanh", name="first"), tf.keras.layers.Dense(1, name="last")])
    source = f"{TAPE}loss = tf.reduce_mean(net(x) ** 2.0)\ntape.gradient(loss, net.trainable_variables)"
    values = scene_of(recorded(source, net=net, x=tf.constant([[0.5, 1.0]])), placed=False).values
    made = {value["name"]: value.get("op") for value in values}
    assert made["first"] == "tanh" and list(made.values()).count("matmul") == 2 and "last" not in made  # that is net(x)


def test_the_block_has_its_own_names_for_what_it_hands_to_functions() -> None:
    source = (
        "make = lambda z: z * w\njudge = lambda x: tf.sigmoid(x * 3.0)\n"
        f"{TAPE}fake = make(noise)\n    loss = judge(true) - judge(fake)\ntape.gradient(loss, w)"
    )
    given = {"w": tf.Variable(0.5), "noise": tf.constant(0.2), "true": tf.constant(1.0)}
    names = {value["name"] for value in scene_of(recorded(source, **given)).values}
    assert names >= {"fake", "noise", "true", "w", "loss"} and not names & {"x", "z"}, names


def test_what_a_call_hands_to_a_function_is_not_what_the_call_gives() -> None:
    source = f"{TAPE}ys = tf.map_fn(lambda t: t * w, xs)\n    loss = tf.reduce_sum(ys)\ntape.gradient(loss, w)"
    values = scene_of(recorded(source, w=tf.Variable(2.0), xs=tf.constant([1.0, 2.0])), placed=False).values
    made = {value["name"]: value.get("op") for value in values}
    assert made["t"] == made["t₂"] == "unstack" and made["ys"] == "stack" and "ys₂" not in made, made


@pytest.mark.parametrize("letter", ["v", "g", "t"])
def test_names_that_nobody_gave_are_none_of_the_programs(letter: str) -> None:
    source = (
        "with tf.autodiff.ForwardAccumulator(x, tf.ones(2)) as acc, tf.GradientTape() as outer:\n"
        "    with tf.GradientTape() as tape:\n"
        f"        {letter} = tf.sin(x)\n        {letter} = tf.linalg.matvec([[1.0, 2.0]], {letter})\n"
        f"        {letter} = tf.reduce_sum({letter} * 2.0)\n"
        f"    slope = tape.gradient({letter}, x)\nouter.gradient(slope, x)\n"
    )
    values = scene_of(recorded(source, x=tf.Variable([0.5, 1.0])), "all", placed=False).values
    made = {value["name"]: value.get("op") for value in values if value["name"][0] not in "0123456789−"}
    assert (made[letter], made[f"{letter}₂"], made[f"{letter}₃"]) == ("sin", "reshape", "reduce_sum")
    assert len(made) == sum(value["name"][0] not in "0123456789−" for value in values)


def test_an_answer_of_a_later_round_has_the_number_of_its_card() -> None:
    source = (
        "for step in range(2):\n    with tf.GradientTape() as tape:\n        loss = w * w\n"
        "    grad = tape.gradient(loss, w)\n    w.assign_sub(0.1 * grad)\n"
    )
    scene = scene_of(recorded(source, w=tf.Variable(1.0)), placed=False)
    assert [step["say"].split(" is ")[0] for step in scene.steps if step["kind"] == "gradients"] == ["grad", "grad₂"]


def test_a_rule_of_ones_own_is_what_a_tape_keeps_of_its_call() -> None:
    source = (
        "@tf.custom_gradient\ndef square(x):\n    return x * x, lambda upstream: 2.0 * x * upstream\n"
        f"{TAPE}y = square(x)\ntape.gradient(y, x)"
    )
    said = [step["say"] for step in scene_of(recorded(source, x=tf.Variable(3.0)), placed=False).steps]
    assert any("y is 9. tape writes this down and keeps the rule of square" in say for say in said), said
    assert not any("needs no values" in say for say in said)


def test_gradients_have_the_names_that_the_program_uses_them_by() -> None:
    source = (
        f"{TAPE}loss = w * x + b\n"
        "grads = tape.gradient(loss, [w, b])\nby_name = dict(zip('wb', grads))\n"
        "for g, v in zip(grads, [w, b]):\n    v.assign_sub(0.1 * g)\ndouble = by_name['w'] * 2.0\n"
    )
    given = {"w": tf.Variable(2.0), "b": tf.Variable(1.0), "x": tf.constant(3.0)}
    scene = scene_of(recorded(source, **given), "all", placed=False)
    names = [value["name"] for value in scene.values]
    assert {"g", "g₂", "0.1·g", "(0.1·g)₂"} <= set(names)
    assert sorted(name for name in set(names) if names.count(name) > 1) in ([], ["0.1"]), names


def test_what_stands_in_a_list_is_called_as_the_program_would_write_it() -> None:
    w, b = tf.Variable([2.0, 1.0]), tf.Variable(1.0)
    with viz.record() as run:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w * w) * b
        slopes = tape.gradient(loss, {"w": w, "b": b})
        half = slopes["w"] * 0.5
        clipped, norm = tf.clip_by_global_norm([half, slopes["b"]], 1.0)
    assert float(norm) > 1.0 and len(clipped) == 2
    names = {value["name"] for value in scene_of(run.stream, placed=False).values}
    assert names >= {"loss", 'slopes["w"]', 'slopes["b"]', "half", "norm", "clipped[0]", "clipped[1]"}, names


def test_a_dict_of_gradients_stands_beside_its_line_as_a_dict() -> None:
    w, b = tf.Variable([2.0, 1.0]), tf.Variable(1.0)
    with viz.record() as run:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w * w) * b
        slopes = tape.gradient(loss, {"w": w, "b": b})
    assert sorted(slopes) == ["b", "w"]
    beside = [text for step in run.scene.steps for _, text in step.get("produced", ())]
    assert 'slopes = {"b": 5, "w": [4, 2]}' in beside, beside


def test_a_tangent_of_a_value_without_a_name_is_numbered_and_targets_stand_in_one_bracket() -> None:
    x = tf.Variable(1.5)
    with viz.record() as run:
        with tf.GradientTape() as tape:
            with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
                y = tf.exp(x + 0.0) / x * 2.0
            slope = acc.jvp(y)
        tape.gradient(slope, x)
        with tf.GradientTape() as tape:
            u, v = x * x, x + 1.0
        tape.gradient([u, v], x)
    scene = scene_of(run.stream, "all", placed=False)
    names = [value["name"] for value in scene.values]
    assert "slope" in names and not any("()" in name for name in names), names
    text = " ".join(
        [step["say"] for step in scene.steps] + ["".join(map(str, step.get("formula", []))) for step in scene.steps]
    )
    assert "∂(u+v)/∂x" in text and "((u+v))" not in text and "d()" not in text


def test_tangents_that_were_asked_for_together_stand_beside_their_line_together() -> None:
    x = tf.constant([1.0, 2.0])
    with viz.record() as run:
        with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 0.0])) as acc:
            square, line, last = tf.reduce_sum(x * x), x * 3.0, x + 1.0
        moved = acc.jvp({"square": square, "line": line})
        both = acc.jvp([last, x])
    assert len(both) == len(moved) == 2
    beside = {text for step in run.scene.steps for _, text in step.get("produced", ()) if text[:4] in ("move", "both")}
    assert beside == {'moved = {"line": [3, 0], "square": 2}', "both = [[1, 0], [1, 0]]"}


SECOND = """
x, b = tf.Variable(2.0), tf.Variable(1.0)
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        s = x + b
        y = s * s
    dx, db = inner.gradient(y, [x, b])
ddx = outer.gradient(dx, x)
"""


def test_what_an_addition_hands_on_under_another_tape_has_steps_of_its_own() -> None:
    """The sum at s is an op that `outer` writes down; that both x and b get it as it is are two steps more."""
    scene = scene_of(recorded(SECOND), placed=False)
    back = [(step["say"], [term[0] for term in step.get("formula", ())]) for step in scene.steps]
    sums = next(
        place for place, (say, _) in enumerate(back) if say.startswith("What arrives at s is added: 3 + 3 = 6.")
    )
    assert [say for say, _ in back[sums + 1 : sums + 3]] == [
        "Back through s = x + b to x: 6.",
        "Back through s = x + b to b: 6.",
    ]
    assert [formula for _, formula in back[sums + 1 : sums + 3]] == [["∂y/∂x", "=", "∂y/∂s"], ["∂y/∂b", "=", "∂y/∂s"]]


def test_one_gradient_under_two_names_has_both_on_its_line_and_the_first_elsewhere() -> None:
    says = [step["say"] for step in scene_of(recorded(SECOND), placed=False).steps]
    assert any(say.startswith("dx is 6. db is 6.") for say in says)
    assert any(say.startswith("outer goes back from dx") for say in says)


def test_one_of_several_gradients_has_the_name_that_it_is_given() -> None:
    lines = "x, b = tf.Variable(2.0), tf.Variable(1.0)\nwith tf.GradientTape() as tape:\n    y = x * b\n"
    scene = scene_of(recorded(lines + "slope = tape.gradient(y, [b, x])[1]\nstep = slope * 0.5"), placed=False)
    assert scene.steps[-2]["say"].startswith("∂y/∂b is 2. slope is 1.")
    assert [term[0] for term in scene.steps[-1]["formula"]] == ["step", "=", "slope", "×", "0.5"]


def test_a_gradient_without_a_name_is_introduced_by_the_one_that_is_used_for_it() -> None:
    lines = "x = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    y = x * x\n"
    scene = scene_of(recorded(lines + "step = 0.5 * tape.gradient(y, x)"), placed=False)
    assert scene.steps[-2]["say"].startswith("g₁ = ∂y/∂x is 4.")
    assert [term[0] for term in scene.steps[-1]["formula"]] == ["step", "=", "0.5", "×", "g₁"]


def test_a_name_that_ends_with_e_is_bracketed_as_any_other() -> None:
    """Of sample−mean the e before the sign is none of 7.5e−5."""
    source = "sample, rate = tf.Variable(3.0), tf.constant(2.0)\nwith tf.GradientTape() as tape:\n    loss = (rate - sample) ** 2\n"
    scene = scene_of(recorded(source + "g = tape.gradient(loss, sample)"), placed=False)
    formulas = [" ".join(term[0] for term in step.get("formula", ())) for step in scene.steps]
    assert "loss = (rate−sample) ^ 2" in formulas
    assert any("× 2 × (rate−sample)" in formula for formula in formulas), formulas


@pytest.mark.parametrize(
    ("line", "formula"), [("(-b) ** 2", "y = (−b) ^ 2"), ("3.0 - (-b)", "y = 3 − (−b)"), ("tf.exp(-b)", "y = exp(−b)")]
)
def test_a_name_with_a_sign_of_its_own_is_bracketed_where_it_would_be_read_otherwise(line: str, formula: str) -> None:
    source = f"b = tf.Variable(3.0)\nwith tf.GradientTape() as tape:\n    y = {line}\n"
    scene = scene_of(recorded(source + "g = tape.gradient(y, b)"), placed=False)
    formulas = [" ".join(term[0] for term in step.get("formula", ())) for step in scene.steps]
    assert formula in formulas and not any("× -b^" in each for each in formulas), formulas


SPLIT = """
u, v = tf.Variable([1.0, 2.0]), tf.Variable([3.0, 4.0])
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        z = tf.concat([u, v], 0) ** 2
        a, b = tf.split(z, 2)
        f = tf.reduce_sum(a * b)
    grads = inner.gradient(f, {"u": u, "v": v})
    penalty = tf.reduce_sum(grads["u"] ** 2)
h = outer.gradient(penalty, u)
"""


def test_a_part_of_what_an_op_gives_has_its_own_formula_and_name() -> None:
    """The second piece of a split is not told by the formula of the first, and what lies in a dict is no variable of that name."""
    scene = scene_of(recorded(SPLIT), placed=False)
    told = [(step["say"], " ".join(term[0] for term in step.get("formula", ()))) for step in scene.steps]
    assert any(say.startswith("Back through a and b to z:") for say, _ in told)
    formulas = [formula for say, formula in told if say.startswith("Back through v₁ to v:")]
    assert formulas and all(formula.endswith("[2:4]") for formula in formulas), formulas
    names = {value["name"] for value in scene.values}
    assert {'grads["u"]', 'grads["u"]^2'} <= names and "u^2" not in names, names


def test_the_state_of_a_metric_from_before_the_run_is_called_after_it() -> None:
    """It was total and count, total₂ and count₂."""
    accuracy, loss = tf.keras.metrics.BinaryAccuracy(name="accuracy"), tf.keras.metrics.Mean(name="loss")
    source = """
later = tf.keras.metrics.Mean(name="later")
for metric in (loss, later):
    metric.update_state([1.0, 2.0])
accuracy.update_state([1.0, 0.0], [0.9, 0.8])
ratio = loss.total / loss.count
"""
    scene = scene_of(recorded(source, accuracy=accuracy, loss=loss), placed=False)
    names = {value["name"] for value in scene.values if value["kind"] == "variable"}
    assert names == {f"{of}/{part}" for of in ("accuracy", "loss", "later") for part in ("total", "count")}
    assert any(
        "loss/total ÷ loss/count" in " ".join(term[0] for term in step.get("formula", [])) for step in scene.steps
    )
    assert [one.name for one in accuracy.variables] == ["total", "count"]  # as in Keras


def test_a_value_may_be_its_own_tangent_and_two_each_others() -> None:
    """Along x itself: the picture was lost, as the name of a tangent is that of what it is the tangent of."""
    for tangents in ("[x, y]", "[y, x]"):
        source = f"""
with tf.autodiff.ForwardAccumulator([x, y], {tangents}) as acc:
    z = x * y
moved = acc.jvp(z)
"""
        scene = scene_of(recorded(source, x=tf.Variable(2.0), y=tf.Variable(3.0)), placed=False)
        assert shapes(scene, "z") == [[]] and any("moved" in str(step.get("produced")) for step in scene.steps)
        assert len({value["name"] for value in scene.values}) == len(scene.values)


@pytest.mark.parametrize(
    ("call", "uses", "first", "last"),
    [
        ("parts = tf.split(x, 2)", "parts[0] * parts[1]", "parts[0] = x[0:2]", "z = parts[0] × parts[1]"),
        ("rows = tf.unstack(x)", "rows[0] + rows[3]", "rows[0] = x[0]", "z = rows[0] + rows[3]"),
        ("stats = tf.nn.moments(x, 0)", "stats[0] + stats[1]", "v₁ = mean(x, kept)", "z = stats[0] + stats[1]"),
        ("best = tf.nn.top_k(x, 2)", "tf.exp(best.values)", "v₁ = argsort(x, descending)", "z = exp(best.values)"),
        ("qr = tf.linalg.qr([x])", "[tf.exp(one) for one in qr][0]", "qr.q = qr(v₁)[0]", "exp(one) = exp(qr.q)"),
    ],
)
def test_several_results_under_one_name_are_called_as_the_program_writes_them(
    call: str, uses: str, first: str, last: str
) -> None:
    """`parts` and `parts₂` they were, and `stats₂ + stats`; the last was `answer` alone where Python inlines comprehensions."""
    run = array_programs.recorded(f"x = tf.Variable([1.0, 3.0, 2.0, 5.0])\n{call}\nz = {uses}\n", call)
    formulas = [" ".join(term[0] for term in step.get("formula", ())) for step in run.scene.steps]
    assert first in formulas and last in formulas, formulas


KERAS = """
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
features, held = np.arange(12, dtype="float32").reshape((4, 3)), np.ones((2, 3), "float32")
labels, truths = features[:, :1], np.zeros((2, 1), "float32")
pairs = tf.data.Dataset.from_tensor_slices((features, labels)).batch(2)
by_name = {"a": features, "b": features[::-1] + 1.0}
"""
TWO = """
a, b = tf.keras.Input([3], name="a"), tf.keras.Input([3], name="b")
model = tf.keras.Model([a, b], tf.keras.layers.Dense(1)(a + b))
model.compile("sgd", "mse")
"""
SUBCLASS = """
class Own(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(1)

    def call(self, inputs):
        return self.dense(inputs)
{step}
model = Own()
model.compile("sgd", "mse")
"""
STEP = """
    def train_step(self, data):
        images, targets = data
        return {"loss": tf.reduce_mean(self.compute_loss(y=targets, y_pred=self(images)))}
"""
HANDED = {
    "model.fit(features, labels, batch_size=2, verbose=0)": ["features_batch", "labels_batch"] * 2,
    "model.fit(features, labels, shuffle=False, verbose=0)": ["features", "labels"],
    "model.fit(x=features[:2], y=2.0 * truths, shuffle=False, verbose=0)": ["features[:2]", "y"],
    "model.fit(tf.ones([2, 3]), np.zeros((2, 1)), verbose=0)": ["x", "y"],
    "model.fit(features, labels, shuffle=False, validation_data=(held, truths), verbose=0)": [
        "features", "labels", "held", "truths"
    ],
    "model.fit(features, labels, shuffle=False, validation_split=0.5, verbose=0)": ["features_batch", "labels_batch"] * 2,
    "model.fit(pairs, verbose=0)": ["x_batch", "y_batch"] * 2,
    "model.fit(features, labels, shuffle=False, validation_data=pairs, verbose=0)": [
        "features", "labels", *["x_batch", "y_batch"] * 2
    ],
    "model.evaluate(features, labels, batch_size=2, verbose=0)": ["features_batch", "labels_batch"] * 2,
    "model.predict(held)": ["held"],
    "model.train_on_batch(held, truths)": ["held", "truths"],
    "model.test_on_batch(held, y=truths)": ["held", "truths"],
    "model.predict_on_batch(held)": ["held"],
    "loss = tf.keras.losses.MeanSquaredError()(truths, model(held))": ["held", "truths"],
    "loss = tf.keras.losses.MeanSquaredError()(tf.zeros_like(truths), truths)": ["truths"],
    TWO + "model.fit(by_name, labels, batch_size=4, verbose=0, shuffle=False)": ['by_name["a"]', 'by_name["b"]', "labels"],
    TWO + "model.predict([features, by_name['b']])": ["features", 'by_name["b"]'],
    SUBCLASS.format(step="") + "model.fit(pairs.take(1), verbose=0)": ["x_batch", "y_batch"],
    SUBCLASS.format(step=STEP) + "model.fit(features, labels, verbose=0)": ["images", "targets"],
}  # fmt: skip


def taken(stream: Any) -> list[str]:
    """The names of what ops took, each value once."""
    return [
        value.name
        for value in dict.fromkeys(
            value for record in stream.records if record.kind == "op" for value in record.op.takes
        )
    ]


@pytest.mark.parametrize("line", HANDED)
def test_a_batch_is_called_by_what_the_program_handed_over(line: str) -> None:
    """They were v₁ and v₂, zeros and ones; and what is not all of an array is not called so."""
    found = taken(recorded(KERAS + line))
    kept = [name for name in found if name.partition("[")[0].removesuffix("_batch") in _HANDED]
    assert kept == HANDED[line], found


_HANDED = {"features", "labels", "held", "truths", "x", "y", "by_name", "images", "targets", "inputs"}


def test_a_batch_has_its_name_in_the_formulas() -> None:
    scene = scene_of(recorded(KERAS + "model.fit(features, labels, batch_size=2, verbose=0)"), ("all",), placed=False)
    formulas = ["".join(term[0] for term in step["formula"]) for step in scene.steps if "formula" in step]
    assert any("features_batch@" in formula.replace(" ", "") for formula in formulas), formulas
    assert any("labels_batch−dense" in formula.replace(" ", "") for formula in formulas), formulas


def test_an_item_of_a_long_list_has_its_place_for_a_name() -> None:
    """From the hundredth on they were v₁, v₂ ..."""
    source = """
losses = []
with tf.GradientTape() as tape:
    for turn in range(150):
        losses.append(w * turn)
    total = tf.reduce_sum(tf.stack(losses))
slope = tape.gradient(total, w)
"""
    names = taken(recorded(source, w=tf.Variable(2.0)))
    assert {"losses[0]", "losses[149]"} <= {*names}, names


def test_an_array_that_two_lines_take_is_one_thing() -> None:
    """`sum(mask₂)` it was, behind `ce × mask`; and ids was v₁ for the first who took it, and ids for the second."""
    source = """
mask, ids = np.array([1.0, 0.0], "float32"), np.array([[1, 0], [2, 0]])
loss = tf.reduce_sum(ce * mask) / tf.reduce_sum(mask)
full, taken = tf.not_equal(ids, 0), tf.gather(table, ids)
mask = mask + 1.0
late = tf.reduce_sum(mask)
"""
    given = {"ce": tf.constant([2.0, 3.0]), "table": tf.Variable(tf.ones([3, 2]))}
    scene = scene_of(recorded(source, **given), ("all",), placed=False)
    formulas = [
        "".join(term[0] for term in step["formula"]).replace(" ", "") for step in scene.steps if "formula" in step
    ]
    assert {"ce×mask", "full=(ids≠0)", "taken=gather(table,ids,axis0)", "late=sum(mask₂)"} <= {*formulas}, formulas
    assert any(formula.endswith("=sum(mask)") for formula in formulas), formulas


def test_the_weights_of_a_net_of_neurons_are_called_by_where_they_lie() -> None:
    """They were `wi`, `wi₂` …, as the comprehension calls each in turn, and `(neurons[0].b)₂`."""
    net = Net(2, [2, 1])
    with viz.record() as run:
        with tf.GradientTape() as tape:
            out = net([2.0, 3.0])
        tape.gradient(out, net.parameters())
    names = {value["name"] for value in run.scene.values if value.get("kind") == "variable"}
    neurons = [(0, 0), (0, 1), (1, 0)]
    assert names == {f"layers[{layer}].neurons[{at}].{held}" for layer, at in neurons for held in ("w[0]", "w[1]", "b")}


def test_a_key_is_written_only_where_it_is_the_name() -> None:
    """To write one may take long, or do something."""

    class Key:
        def __repr__(self) -> str:
            written.append(self)
            return "Key()"

    written: list[Key] = []
    values = [("held", {Key(): 1.5, Key(): 2.5})]
    assert list(items_of(values, lambda value: value == 2.5)) == [("held[Key()]", 2.5)]
    assert len(written) == 1
