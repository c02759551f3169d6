"""Every function of NumPy's that has a slope: the fix that is told for it is made, and gives NumPy's value and the right gradient."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.core.test_why import number, run

PLACES = {"np": np, "np.linalg": np.linalg, "math": math}
# What is differentiated: how it is written, its number or numbers, and another like it.
ARRAYS = {
    "a number": ("0.3", "0.45"),
    "a vector": ("[0.3, 0.5, 0.4]", "np.array([0.45, 0.35, 0.6], np.float32)"),
    "a matrix": ("[[0.3, 0.5, 0.4], [0.7, 0.2, 0.6]]", "np.array([[0.45, 0.35, 0.6], [0.15, 0.25, 0.55]], np.float32)"),
    "a square": ("[[2.0, 0.5, 0.4], [0.7, 1.5, 0.6], [0.1, 0.35, 1.1]]", "np.array([0.45, 0.35, 0.6], np.float32)"),
}  # fmt: skip
OF_A_NUMBER = ("{f}({x})", "{f}({x}, {c})", "{f}({c}, {x})", "{f}([{x}, {c}])")
CALLS = (
    "{f}({x})", "{f}({x}, {c})", "{f}({c}, {x})", "{f}([{x}, {c}])", "{f}({x}, axis=0)", "{f}({x}, axis=-1, keepdims=True)",
    "{f}({x}, 0.32, 0.55)", "{f}({x}, 1)",
)  # fmt: skip
METHODS = (
    "{x}.{f}", "{x}.{f}()", "{x}.{f}({c})", "{x}.{f}(axis=0)", "{x}.{f}(axis=-1, keepdims=True)", "{x}.{f}(0.32, 0.55)",
    "{x}.{f}('float64')", "{x}.{f}(float)",
)  # fmt: skip
OTHERS = (
    "np.where({x} > 0.4, {x}, {c})", "np.einsum('...i->...', {x})", "np.concatenate([{c}, {x}], axis=0)", "np.take({x}, [0, 1], axis=0)",
    "{x} @ {c}", "{c} @ {x}", "{x}.T", "{x}.T @ {c}", "{c} @ {x}.T", "np.sqrt(np.sum({x} ** 2, axis=0))", "{x}.T.sum(0)", "abs({x})",
    "np.log({x}.mean()) * {c}", "{x}.flatten().dot({x}.ravel())", "np.reshape({x}, -1)", "{x}.reshape(-1)", "{x}.clip(max=0.45)",
    "np.reshape({x}, (3, -1))", "{x}.reshape(3, -1)", "{x}.reshape((3, -1))",
)  # fmt: skip
# They read or write files, set how NumPy works, or take the time of NumPy's own tests.
NOT_CALLED = (
    "save",
    "load",
    "from",
    "gen",
    "mem",
    "open",
    "set",
    "show",
    "get",
    "print",
    "test",
    "info",
    "to",
    "dump",
    "err",
    "empty",
)
# Places that are no whole numbers, and whole numbers for a tensor that has others: NumPy takes them, and nobody writes them.
ODD = (
    "np.take({x}, {c})",
    "np.roll({x}, {c})",
    "np.outer({x}, 1)",
    "np.linalg.outer({x}, 1)",
    "np.polyval({x}, 1)",
    "{x}.take({c})",
)
PROGRAM = """
import math
c = {c}
x = tf.Variable({values})
with tf.GradientTape() as tape:
    s = {made}
    a = {expression}
    y = tf.reduce_sum(tf.sin(tf.cast(a, tf.float32)))
g = tape.gradient(y, x)
e = tape.why(y, x)
"""
# What has a slope in NumPy and no counterpart of a line here: then the tensor's own functions are spoken of, and nothing is made up.
WITHOUT = {
    *(f"math.{name}" for name in ["copysign", "dist", "nextafter", "prod", "remainder"]),
    *(f"np.{name}" for name in ["arange", "asarray_chkfinite", "asfortranarray", "asmatrix", "atleast_1d", "atleast_2d", "atleast_3d", "block", "bmat", "clip", "column_stack", "compress", "concat", "concatenate", "convolve", "copysign", "corrcoef", "correlate", "cov", "delete", "diagflat", "dstack", "ediff1d", "extract", "full_like", "geomspace", "gradient", "histogram_bin_edges", "hstack", "intersect1d", "kaiser", "kron", "ldexp", "linspace", "logaddexp2", "logspace", "median", "nan_to_num", "nancumprod", "nancumsum", "nanmax", "nanmean", "nanmedian", "nanmin", "nanpercentile", "nanprod", "nanquantile", "nanstd", "nansum", "nanvar", "nextafter", "pad", "partition", "percentile", "poly", "polyadd", "polyder", "polyint", "polymul", "polysub", "quantile", "real_if_close", "require", "resize", "roll", "rollaxis", "roots", "rot90", "row_stack", "sinc", "spacing", "stack", "tile", "tril", "trim_zeros", "triu", "union1d", "unique", "unique_values", "unwrap", "vander", "vecmat", "vstack"]),
    *(f"np.linalg.{name}" for name in ["cond", "eigvals", "matrix_power", "multi_dot", "tensorinv", "tensorsolve"]),
    *(f"x.{name}" for name in ["compress", "view"]),
}  # fmt: skip


def slope(expression: str, values: str, c: str, square: bool) -> tuple[Any, Any] | None:
    """The value and the gradient by central differences, as NumPy has them; None where there is none."""
    at, space = np.array(eval(values)), {"np": np, "math": math, "c": eval(c)}
    code = compile(expression, "<expression>", "eval")

    def f(x: Any) -> Any:
        s = (x + x.T) / 2.0 if square else x
        return eval(code, {**space, "s": float(s) if s.ndim == 0 else s.copy()})

    try:
        value = f(at)
        if not isinstance(value, float | np.ndarray) or np.asarray(value).dtype.kind != "f" or not np.size(value):
            return None
        slopes = []
        for step in (1e-5, 2e-5):
            found = np.zeros(at.shape)
            for place in np.ndindex(at.shape):
                moved = np.zeros(at.shape)
                moved[place] = step
                found[place] = (np.sin(f(at + moved)).sum() - np.sin(f(at - moved)).sum()) / (2 * step)
            slopes.append(found)
    except Exception:
        return None
    there = np.isfinite(slopes[0]).all() and slopes[0].any() and np.allclose(*slopes, 1e-4, 1e-6)
    return (value, slopes[0]) if there and np.array_equal(value, f(at)) else None


def written(kind: str) -> Iterator[tuple[str, str]]:
    """Each function's name with each way to write it."""
    for place, module in PLACES.items():
        for name in sorted(dir(module)):
            found = getattr(module, name)
            if name.startswith(("_", *NOT_CALLED)) or isinstance(found, type) or not callable(found):
                continue
            for call in OF_A_NUMBER if kind == "a number" else CALLS:
                yield f"{place}.{name}", call.replace("{f}", f"{place}.{name}")
    if kind == "a number":
        return
    for name in sorted(dir(np.ndarray)):
        if not name.startswith(("_", *NOT_CALLED)):
            for call in METHODS:
                yield f"x.{name}", call.replace("{f}", name)
    for call in OTHERS:
        yield call, call


@pytest.mark.parametrize("kind", ARRAYS)
def test_what_is_told_instead_of_numpy_is_right(kind: str) -> None:
    values, c = ARRAYS[kind]
    square = kind == "a square"
    tried, without, wrong = set[str](), set[str](), list[str]()
    for name, call in written(kind):
        plain = call.format(x="s", c="c")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            known = None if call in ODD or "norm({x}, 0.32" in call else slope(plain, values, c, square)
        if known is None:
            continue
        left = "float(s)" if kind == "a number" else "s.numpy()"
        expression = call.format(x=left, c="c")
        made = "(x + tf.transpose(x)) / 2.0" if square else "x * 1.0"
        program = PROGRAM.format(c=c, values=values, made=made, expression=expression)
        try:
            space = run(program)
        except Exception:
            continue  # tensors have no such numbers: of 80 bits, say
        fix = space["e"].fix
        if space["g"] is not None or space["e"].code != "M04":
            wrong.append(f"{expression}: {space['e']}")
            continue
        if not fix.edits:
            without.add(name)
            continue
        tried.add(name)
        changed = fix.apply(space["text"])
        try:
            again = run(changed)
            assert again["g"] is not None, str(again["e"])
            np.testing.assert_allclose(number(again["a"]), known[0], 1e-4, 1e-5)
            np.testing.assert_allclose(number(again["g"]), known[1], 2e-3, 1e-4)
        except Exception as problem:
            wrong.append(f"{expression}: {fix.text}: {type(problem).__name__} {str(problem)[:300]}")
    assert not wrong, "\n".join(wrong)
    assert len(tried) >= 120  # a program that cannot run is left out, but not most of them
    assert without - tried <= WITHOUT, sorted(without - tried - WITHOUT)


@pytest.mark.parametrize(
    ("expression", "instead"),
    [
        ("np.linalg.norm(w)", "tf.norm(w)"),
        ("np.ravel(w)", "tf.reshape(w, [-1])"),
        ("X @ w.numpy()", "tf.linalg.matvec(X, w)"),
        ("w.numpy() @ v", "tf.tensordot(w, v, 1)"),
        ("W.numpy().T", "tf.transpose(W)"),
        ("np.linalg.inv(W)", "tf.linalg.inv(W)"),
        ("np.linalg.solve(W.numpy(), v)", "tf.linalg.solve(W, v[:, tf.newaxis])[:, 0]"),
        ("np.cumsum(w)", "tf.cumsum(w)"),
        ("np.einsum('ij,j->i', W.numpy(), v)", "tf.einsum('ij,j->i', W, v)"),
        ("np.outer(w.numpy(), v)", "tf.tensordot(w, v, 0)"),
        ("math.atan2(w[0], 2.0)", "tf.atan2(w[0], 2.0)"),
        ("math.lgamma(w[0])", "tf.math.lgamma(w[0])"),
        ("w.numpy().astype(float)", "w"),
    ],
)
def test_the_fix_is_written_as_a_teacher_would(expression: str, instead: str) -> None:
    space = run(f"""
        import math
        X, v = np.ones([2, 3], np.float32), np.ones([3], np.float32)
        w, W = tf.Variable([1.0, 2.0, 3.0]), tf.Variable(tf.eye(3) * 2.0)
        with tf.GradientTape(persistent=True) as tape:
            y = tf.reduce_sum(tf.cast({expression}, tf.float32))
        e = tape.why(y, W if "W" in {expression!r} else w)
        """)
    e = space["e"]
    assert e.code == "M04"
    assert f"write {instead} instead of" in e.fix.text, str(e)
    again = run(e.fix.apply(space["text"]))
    np.testing.assert_allclose(number(again["y"]), number(space["y"]), rtol=1e-5)
    assert again["e"].code in ("OK", "M19"), str(again["e"])


def test_a_model_is_called_and_not_asked_to_predict() -> None:
    space = run("""
        m, X = tf.keras.Sequential([tf.keras.layers.Dense(1)]), tf.ones([2, 3])
        m(X)
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(m.predict(X, verbose=0))
        g = tape.gradient(y, m.layers[0].kernel)
        e = tape.why(y, m.layers[0].kernel)
        """)
    assert space["g"] is None and space["e"].code == "M04"
    assert "write m(X) instead of m.predict(X, verbose=0)" in space["e"].fix.text
    assert number(run(space["e"].fix.apply(space["text"]))["g"]) == [[2.0], [2.0], [2.0]]


def test_whole_numbers_have_no_counterpart_with_a_slope() -> None:
    space = run("""
        w = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.constant(w.numpy().astype(int) * 1.5))
        e = tape.why(y, w)
        """)
    assert space["e"].code == "M04" and not space["e"].fix.edits, str(space["e"])
