"""The texts of formulas and derivatives: each is read by a reader of its own, computed, and compared with the row's numbers."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest

import minitape as tf
from minitape import symbols
from minitape.kinds import Elementwise
from minitape.notes import NAMES, WRITTEN
from minitape.primitive import TABLE, Primitive
from minitape.symbols import expression
from minitape.tensor import constant
from tests.core.test_table import SLOPED, Case, cases, positive, regular

# ---- a reader that knows nothing of minitape's own ---------------------------------------------------------------------------

SIGNS = {
    "×": "*", "÷": "/", "−": "-", "²": "**2", "³": "**3", "^": "**", "≥": ">=", "≤": "<=", "≠": "!=", " = ": "==",
    "ᵀ": ".T", "√(": "sqrt(", "σ(": "sigmoid(", " mod ": "%", "π": "pi",
}  # fmt: skip


def python(text: str) -> str:
    """A text in Python's words."""
    text = re.sub(r"\|([^|]+)\|", r"abs(\1)", text)
    for ours, theirs in SIGNS.items():
        text = text.replace(ours, theirs)
    return text


def known(name: str) -> Any:
    """A function that a text calls: TensorFlow's name for it, on numbers."""
    op = NAMES.get(f"math.{name}") or NAMES.get(name)
    return lambda *given: op(*[tf.constant(float(one), tf.float64) for one in given]).numpy()


class Words(dict[str, Any]):
    def __missing__(self, name: str) -> Any:
        return {"pi": math.pi, "abs": abs, "max": max, "min": min, "sign": np.sign}.get(name) or known(name)


def computed(text: str, numbers: dict[str, Any], **functions: Any) -> Any:
    """What a text comes to."""
    with np.errstate(all="ignore"):
        return eval(python(text), {"__builtins__": {}}, Words(numbers | functions))


@pytest.mark.parametrize(
    ("text", "number"), [("−d × x ÷ y²", -0.75), ("d if x > 2 else 0", 1.0), ("|x − y| ^ (y − 1)", 1.0), ("d × (x ≥ y)", 1.0)]
)  # fmt: skip
def test_the_reader_reads(text: str, number: float) -> None:
    assert computed(text, {"d": 1.0, "x": 3.0, "y": 2.0}) == number


# ---- rows that work number by number -----------------------------------------------------------------------------------------

ELEMENTWISE = [name for name in SLOPED if isinstance(TABLE[name], Elementwise)]


def points(name: str) -> list[tuple[dict[str, Any], Case]]:
    """Single numbers from a row's cases."""
    row, found = TABLE[name], []
    for case in cases(name):
        if case.inputs[0].size:
            for place in np.ndindex(np.broadcast_shapes(*[one.shape for one in case.inputs])):
                inputs = [np.asarray(one) for one in np.broadcast_arrays(*case.inputs)]
                found.append(({key: one[place] for key, one in zip(row.arguments, inputs, strict=True)}, case))
    return found[:12]


def check(row: Primitive, numbers: dict[str, Any], params: dict[str, Any], change: float = 1.7) -> None:
    """Every derivative's text comes to what the tape gives."""
    inputs = [constant(numbers[key]) for key in row.arguments]
    for position, source in enumerate(inputs):
        if position in row.inert:
            continue
        with tf.GradientTape() as tape:
            tape.watch(source)
            out = row(*inputs, **params)
        found = tape.gradient(out, source, constant(np.float64(change))).numpy()
        text = str(symbols.derivative(row, position))
        told = computed(text, numbers | {"d": change, "out": out.numpy(), **params})
        np.testing.assert_allclose(told, found, rtol=2e-4, err_msg=f"{row.name}: {text}")


@pytest.mark.filterwarnings("ignore::minitape.errors.ClippedToZero")
@pytest.mark.parametrize("name", ELEMENTWISE)
def test_a_derivative_is_what_its_text_says(name: str) -> None:
    for numbers, case in points(name):
        check(TABLE[name], numbers, case.params)


@pytest.mark.parametrize("name", [name for name in TABLE if TABLE[name].notes.formula and name in ELEMENTWISE])
def test_an_op_is_what_its_formula_says(name: str) -> None:
    row = TABLE[name]
    for numbers, case in points(name):
        told = computed(row.notes.formula, numbers | case.params)
        np.testing.assert_allclose(told, row.bare(*map(np.asarray, numbers.values()), **case.params), rtol=1e-7)


# ---- matrices ------------------------------------------------------------------------------------------------------------------

GIVEN = np.random.default_rng(5)
SQUARE, OTHER, ROW = GIVEN.uniform(-1.0, 1.0, (3, 3)), GIVEN.uniform(-1.0, 1.0, (3, 3)), GIVEN.uniform(-1.0, 1.0, 4)
ALL = {"axis": (0,), "keepdims": False}
FUNCTIONS: dict[str, Any] = {
    "solve": np.linalg.solve, "inverse": np.linalg.inv, "triangular_solve": np.linalg.solve, "triangle": np.tril, "Σ": np.sum,
    "exp": np.exp, "spread": lambda d: d, "softmax_along": lambda x: np.exp(x) / np.exp(x).sum(), "share": lambda x, out: (x == out) * 1.0, "conj": np.conj,
    "product_of_others": lambda x: np.prod(x) / x, "symmetric": lambda x: (x + x.T) / 2.0, "lower_half": lambda x: (np.tril(x) + np.tril(x, -1)) / 2.0,
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "case"),
    [
        *[("matmul", Case((SQUARE, OTHER), {"transpose_a": a, "transpose_b": b})) for a in (False, True) for b in (False, True)],
        ("inverse", Case((regular(3, 3),))),
        *[("solve", Case((regular(3, 3), OTHER), {"adjoint": adjoint})) for adjoint in (False, True)],
        *[("triangular_solve", Case((np.tril(regular(3, 3)), OTHER), {"lower": True, "adjoint": adjoint})) for adjoint in (False, True)],
        ("det", Case((regular(3, 3),))),
        ("cholesky", Case((positive(3, 3),))),
        ("softmax", Case((ROW,), {"axis": 0})), ("log_softmax", Case((ROW,), {"axis": 0})), ("reduce_max", Case((ROW,), ALL)),
        ("reduce_prod", Case((ROW,), ALL)), ("reduce_logsumexp", Case((ROW,), ALL)), ("reduce_euclidean_norm", Case((ROW,), ALL)),
        ("negative", Case((ROW,))), ("conj", Case((ROW,))), ("identity", Case((ROW,))),
    ],
)  # fmt: skip
def test_a_derivative_of_matrices_is_what_its_text_says(name: str, case: Case) -> None:
    row = TABLE[name]
    inputs = [constant(one) for one in case.inputs]
    with tf.GradientTape() as tape:
        tape.watch(inputs)
        out = row(*inputs, **case.params)
    change = GIVEN.uniform(-1.0, 1.0, out.shape)
    numbers = {"d": change, "out": out.numpy(), **dict(zip(row.arguments, case.inputs, strict=True))}
    for position, found in enumerate(tape.gradient(out, inputs, constant(change))):
        text = str(symbols.derivative(row, position, case.params))
        np.testing.assert_allclose(
            computed(text, numbers, **FUNCTIONS), found.numpy(), rtol=1e-9, atol=1e-12, err_msg=text
        )


# ---- the checks can fail ---------------------------------------------------------------------------------------------------------


class Loose(Elementwise):
    """A row that is in no table."""

    listed = False


def test_another_rule_has_another_text() -> None:
    right = Loose("tanh", np.tanh, lambda dx, out: dx * (1.0 - out * out))
    wrong = Loose("tanh", np.tanh, lambda dx, out: dx * (1.0 + out * out))
    assert str(symbols.derivative(right, 0)) == "d × (1 − out²)"
    assert str(symbols.derivative(wrong, 0)) == "d × (1 + out²)"
    check(right, {"x": np.float64(0.5)}, {})
    check(wrong, {"x": np.float64(0.5)}, {})


@pytest.mark.parametrize(
    ("what", "fault"),
    [
        ("SUM", expression.ATOM),  # sums lose their brackets
        ("times", lambda a, b: expression.Product(False, [("×", b)])),  # a factor is lost
        ("minus", lambda a: a),  # and a sign
        ("_whole", lambda factor: (expression.Name(""), 1)),  # and what is the same
    ],
)
def test_a_writer_at_fault_is_found(monkeypatch: pytest.MonkeyPatch, what: str, fault: Any) -> None:
    monkeypatch.setattr(expression, what, fault)
    with pytest.raises((AssertionError, SyntaxError)):
        for name in ("tanh", "cos", "divide"):
            for numbers, case in points(name):
                check(TABLE[name], numbers, case.params)


# ---- what a text looks like --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("multiply", ["d × y", "d × x"]), ("log", ["d ÷ x"]), ("divide", ["d ÷ y", "−d × x ÷ y²"]), ("acos", ["−d ÷ √(1 − x²)"]),
        ("pow", ["d × y × x^(y − 1)", "d × out × (log(x) if x > 0 else 0)"]), ("softsign", ["d ÷ (1 + |x|)²"]),
        ("clip_by_value", ["d if x ≥ low and x ≤ high else 0", "d if x < low else 0", "d if x > high else 0"]), ("sign", ["0"]),
        ("leaky_relu", ["d × (alpha + (1 − alpha) × sign(max(x, 0)))"]), ("polygamma", ["None", "d × polygamma(a + 1, x)"]),
        ("reduce_mean", ["d ÷ count, for each"]), ("getitem", ["d in a field of zeros"]), ("concat", ["its own of the pieces of d"]),
        ("softmax", ["(d − Σ(d × out)) × out"]), ("slogdet", ["d1 × inverse(x)ᵀ"]),
    ],
)  # fmt: skip
def test_texts(name: str, texts: list[str]) -> None:
    row = TABLE[name]
    assert [str(symbols.derivative(row, i)) for i in range(len(row.arguments))] == texts


@pytest.mark.parametrize("name", SLOPED)
def test_every_rule_can_be_told(name: str) -> None:
    row = TABLE[name]
    for position in range(len(row.arguments)):
        if position not in row.inert:
            text = str(symbols.derivative(row, position))
            assert not re.search(r"<[a-z]|−−|− −|lambda", text), text


def test_a_setting_decides() -> None:
    row = TABLE["leaky_relu"]
    assert str(symbols.derivative(row, 0, {"alpha": 0.25})) == "d × (0.25 + 0.75 × sign(max(x, 0)))"
    assert str(symbols.formula(TABLE["matmul"], {"transpose_a": True})) == "xᵀ @ y"


def test_a_setting_that_is_no_number_is_only_named() -> None:
    matrices = {"rows": np.ones((2, 3)), "columns": np.ones((2, 2))}
    assert symbols.texts(TABLE["resize"], matrices).derivatives == ("“rowsᵀ · d · columns, in each channel”",)
    assert symbols.texts(TABLE["leaky_relu"], {"alpha": 0.5}) is symbols.texts(TABLE["leaky_relu"], {"alpha": 0.5})


def test_a_phrase_is_marked_as_one() -> None:
    assert symbols.texts(TABLE["reduce_sum"]) == ("“the sum of x”", ("“d, for each”",))
    assert symbols.texts(TABLE["lgamma"]) == ("“log |Γ(x)|”", ("d × digamma(x)",))
    assert symbols.texts(TABLE["floor"]) == ("floor(x)", ()) and symbols.texts(TABLE["where"]).derivatives[0] == ""


def test_a_rule_that_leaves_the_table_is_found() -> None:
    for rule in (
        lambda dx, x: dx * float(x),
        lambda dx, x: dx if x > 0.0 else -dx,
        lambda dx, x: dx * math.log(x),
    ):
        with pytest.raises(symbols.Unwritable, match="it asks"):
            symbols.derivative(Loose("odd", np.exp, rule), 0)


def test_formulas_of_helpers_name_their_parameters() -> None:
    for function, notes in WRITTEN.items():
        code: Any = function.__code__
        assert notes.formula or notes.phrase, function
        assert set(code.co_varnames[: code.co_argcount]) & set(re.findall(r"[^\Wᵀ]+", notes.phrase or str(notes.formula))) or callable(notes.formula)  # fmt: skip
