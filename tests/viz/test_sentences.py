"""What steps say of programs as students and course authors write them: names, sentences and formulas that were once wrong."""

from __future__ import annotations

from viz.layout.sizes import lines

from . import array_programs


def formulas(source: str) -> list[str]:
    """The formulas of a program's steps."""
    steps = array_programs.recorded(source, "formulas").scene.steps
    return [" ".join(term[0] for term in step["formula"] if term[0]) for step in steps if "formula" in step]


def sentences(source: str) -> list[str]:
    """What a program's steps say."""
    return [step["say"] for step in array_programs.recorded(source, "sentences").scene.steps]


def test_an_array_that_a_call_makes_within_a_line_is_called_by_the_call() -> None:
    """It was v₁, which no sentence made known; a single number is its own name."""
    source = """
x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
m = tf.ones_like(x) * x + tf.eye(2)
n = tf.shape(x)[0] + tf.rank(x)
"""
    assert formulas(source) == ["v₁ = ones_like(x) × x", "m = v₁ + eye(2)", "shape(x)[0]", "n = shape(x)[0] + 2"]


def test_what_changes_no_number_says_what_it_does() -> None:
    """n = size and loss = y said that nothing happened."""
    source = "x = tf.constant(2.0)\nk = tf.cast(x, tf.float64)\ny = tf.stop_gradient(k)\n"
    assert formulas(source) == ["k = cast(x, float64)", "y = stop_gradient(k)"]


def test_an_array_that_a_line_makes_and_nobody_names_has_a_sentence() -> None:
    """The labels of a GAN's loss were v₁, and no step said what that is."""
    said = sentences("fake_scores = tf.constant([0.5, 1.0])\ny = tf.ones_like(fake_scores) - fake_scores\n")
    assert said[2:] == ["v₁ is made by tf.ones_like(fake_scores): a constant, [1, 1].", "y is [0.5, 0]."]
    drawn = "a = tf.constant(2.0)\ny = tf.random.uniform([2], a, a + 1.0) * 2.0\n"  # of what the call draws first it makes more
    assert not any("is made by" in one or one.startswith("uniform") for one in sentences(drawn))
    said = sentences("for _ in range(2):\n    w = tf.Variable([1.0, 2.0])\n    c = tf.ones([2])\n    y = w * c\n")
    assert [one for one in said if "₂ is made" in one] == [
        "w₂ is made: a variable that holds [1, 2].",
        "c₂ is made: a constant, [1, 1].",
    ]


def test_a_power_that_is_a_number_is_one_less_on_the_way_back() -> None:
    """It was w^(2 − 1)."""
    source = "w = tf.Variable([3.0, 2.0])\nwith tf.GradientTape() as tape:\n    y = w ** {}\ntape.gradient(y, w)\n"
    for power, told in (("2", "w"), ("3.0", "w²"), ("0.5", "w^(−0.5)")):
        assert formulas(source.format(power))[-1].endswith(f"× {told}"), power
    n = "n = tf.constant(2.0)\n" + source.format("n")
    assert formulas(n)[-1].endswith("× n × w^(n − 1)")


def test_a_call_of_two_ops_alike_in_a_loop_gives_one_value() -> None:
    """The first of two triangular systems was called by the name of the solution, and the solution delta₂."""
    source = """
L = tf.constant([[2.0, 0.0], [1.0, 1.0]])
for b in (tf.constant([[2.0], [2.0]]), tf.constant([[4.0], [1.0]])):
    delta = tf.linalg.cholesky_solve(L, b)
    moved = delta + 1.0
for b in (1.0, 2.0):
    turn = tf.tanh(b)
"""
    named = [one.partition(" is ")[0] for one in sentences(source)]
    assert [name for name in named if name.startswith(("delta", "turn"))] == ["delta", "delta₂", "turn", "turn₂"]


def test_rows_of_a_jacobian_that_is_made_of_them_have_names() -> None:
    """J = stack(g₁, g₂), and nobody had said which those are."""
    source = "x = tf.Variable([1.0, 2.0])\nwith tf.GradientTape() as tape:\n    y = x * x\nJ = tape.jacobian(y, x)\n"
    said = sentences(source)
    assert "Row 0 of ∂y/∂x is [2, 0]. It is called g₁." in said
    assert "J = stack(g₁, g₂, axis 0)" in formulas(source)


def test_several_things_in_a_sentence_have_commas() -> None:
    source = """
x = tf.Variable([[1.0, 2.0, 3.0]])
with tf.GradientTape() as tape:
    a, b, c = tf.split(x, 3, axis=1)
    y = a * b * c
tape.gradient(y, x)
"""
    assert any(one.startswith("Back through a, b and c to x: ") for one in sentences(source))


def test_weights_that_a_loop_calls_alike_have_their_own_names() -> None:
    """And none of a region's: they were recompute_1_grad/w and recompute_1_grad/w₂."""
    source = """
ws = [tf.Variable([[0.5]], name=f"w{i}") for i in range(2)]
h = tf.constant([[1.0]])
with tf.GradientTape() as tape:
    for w in ws:
        @tf.recompute_grad
        def block(h, w=w):
            return tf.tanh(h @ w)
        h = block(h)
tape.gradient(h, ws)
"""
    named = {value["name"] for value in array_programs.recorded(source, "weights").scene.values}
    assert {"w0", "w1"} <= named and not any("grad" in name for name in named), named
    plain = {value["name"] for value in array_programs.recorded(source.replace(', name=f"w{i}"', ""), "w").scene.values}
    assert {"w", "w₂"} <= plain, plain


def test_what_is_a_little_more_than_what_it_was_made_of_is_told_in_more_digits() -> None:
    """A gradient check: 0.5 = 0.5 + 1e−5 was not so, nor was f(0.5) the one of f(0.5)."""
    source = """
w, x = tf.constant([0.5, -1.2]), tf.constant(1.5)
up = tf.sin(w + 1e-5)
down = x - 0.00001
same = x + 0.0
"""
    scene = array_programs.recorded(source, "check").scene
    rows = [" ".join(term[1] for term in step["formula"] if term[1]) for step in scene.steps if "formula" in step]
    cards = {value["name"]: value["cells"][0]["states"][-1] for value in scene.values}
    assert (
        lines(cards["w+1e−5"]) == ["[0.50001, −1.2]"] and cards["down"]["text"] == "1.49999"
    )  # as the sentence says it
    assert rows[0] == "[0.5, −1.2] + 1e−5 = [0.50001, −1.2]" and "= sin([0.50001, −1.2])" in rows[1]
    assert rows[2:] == ["1.49999 = 1.5 − 1e−5", "1.5 = 1.5 + 0"]


def test_an_array_without_a_name_is_called_by_what_it_is_to_the_op() -> None:
    """A tape kept v₁ for the backward pass: that these are the indices stood nowhere."""
    source = """
table = tf.Variable([[0.1, 0.2], [0.3, 0.4]])
with tf.GradientTape() as tape:
    row = tf.gather(table, [1])
drawn = tf.random.categorical(table, 1)
"""
    said = sentences(source)
    assert any(one.startswith("row is ") and "keeps indices for the backward pass" in one for one in said), said
    assert "drawn = argmax(table + noise, axis 1, kept)" in formulas(source)


def test_zeros_where_nothing_came_back_are_called_so() -> None:
    """Of eigenvalues alone: the cotangent of the vectors was v₁, of which no sentence told."""
    source = """
x = tf.Variable([[2.0, 0.5], [0.5, 1.0]])
with tf.GradientTape() as outer:
    with tf.GradientTape() as tape:
        e, v = tf.linalg.eigh(x)
        y = tf.reduce_sum(e * e)
    g = tape.gradient(y, x)
outer.gradient(g, x)
"""
    told = formulas(source)
    assert any(one.endswith("@ zeros") for one in told) and not any("v₁" in one for one in told), told


def test_the_way_back_of_eigenvectors_is_what_a_lecture_writes() -> None:
    """It had no formula; with eight matrices of numbers in it, it would run over the buttons."""
    source = """
x = tf.Variable([[2.0, 0.5], [0.5, 1.0]])
with tf.GradientTape() as tape:
    e, v = tf.linalg.eigh(x)
    y = e[1] * v[0, 1]
tape.gradient(y, x)
"""
    steps = array_programs.recorded(source, "eigh").scene.steps
    told = [[" ".join([term[row] for term in step.get("formula", [])]) for row in (0, 1)] for step in steps]
    words = "lower_half(2 × symmetric(v @ (diag(∂y/∂e) + one_over_gaps(e) × (vᵀ @ ∂y/∂v)) @ vᵀ))"
    assert any(above == f"∂y/∂x = {words}" and below.endswith(f"0]] = {words}"[3:]) for above, below in told), told[-2:]


def test_of_one_value_with_two_names_each_line_has_its_own() -> None:
    """The state of an LSTM was h in c's formulas, too, and the next one c, though c was there."""
    source = """
x = tf.constant([1.0, -1.0])
h = c = tf.zeros([2])
with tf.GradientTape() as tape:
    tape.watch(x)
    c = c * x + x
    h = tf.tanh(c) * h
tape.gradient(h, x)
"""
    assert "h is made: a constant, [0, 0]. h is called c, too." in sentences(source)
    told = formulas(source)
    assert "c × x" in told and "c₂ = (c·x) + x" in told and "∂h₂/∂x += ∂h₂/∂(c·x) × c" in told, told
    assert any(one.endswith("× h") for one in told)


def test_of_a_long_list_the_values_are_counted() -> None:
    """All thirty terms stood in the sentence of each step back, and in a formula that ran over the buttons beneath it."""
    source = """
w = tf.Variable(2.0)
with tf.GradientTape() as tape:
    terms = [w * float(turn) for turn in range(COUNT)]
    total = tf.add_n(terms)
slope = tape.gradient(total, w)
"""
    assert "Back through total = terms[0] + terms[1] to terms[1]: 1." in sentences(source.replace("COUNT", "2"))
    assert "Back through total = the sum of 30 values to terms[29]: 1." in sentences(source.replace("COUNT", "30"))
    assert "total = the sum of 30 values" in formulas(source.replace("COUNT", "30"))
    assert "total = 30 values, stacked" in formulas(source.replace("COUNT", "30").replace("add_n", "stack"))
