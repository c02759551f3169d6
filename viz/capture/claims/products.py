"""Products of arrays, convolutions, matrices; and ops of which only the name is told."""

from __future__ import annotations

from .words import Claims, Use, always, linear, row, summed


@row("cast")
def _cast(use: Use) -> Claims:
    return Claims(f"cast(x, {use.settings.get('dtype')})", ("d",), ("d",))


_SELU = ("d × (out + 1.7581 if out < 0 else 1.0507)",)
always({
    "stop_gradient": Claims("stop_gradient(x)"),
    "selu": Claims("1.0507 × x if x > 0 else 1.7581 × (exp(x) − 1)", _SELU, _SELU),
    "inverse": Claims("inverse(x)", ("−outᵀ @ d @ outᵀ",), ("−out @ d @ out",)),
    "l2_loss": Claims("sum(x²) ÷ 2", ("d × x",), ("sum(d × x)",)),
    "max_pool": Claims("“the largest of each window of x”", ("“d, put where each window of x is largest”",),
                       ("“d, read where each window of x is largest”",)),
    "avg_pool": linear("“the mean of each window of {x}”", "“d, a share for each number of its window”"),
})  # fmt: skip


# ---- products ---------------------------------------------------------------------------------------------------------


@row("matmul")
def _matmul(use: Use) -> Claims:
    a, b = bool(use.settings.get("transpose_a")), bool(use.settings.get("transpose_b"))
    x, y = "xᵀ" if a else "x", "yᵀ" if b else "y"
    lead = use.out[:-2]
    to_x = f"{y} @ dᵀ" if a else f"d @ {'y' if b else 'yᵀ'}"
    to_y = f"dᵀ @ {x}" if b else f"{'x' if a else 'xᵀ'} @ d"
    back = tuple(
        summed(words, (*lead, *shape[-2:]), shape) for words, shape in zip((to_x, to_y), use.takes, strict=True)
    )
    return Claims(f"{x} @ {y}", back, (f"{'dᵀ' if a else 'd'} @ {y}", f"{x} @ {'dᵀ' if b else 'd'}"))


@row("einsum")
def _einsum(use: Use) -> Claims:
    left, right, result = [use.settings[name] for name in ("left", "right", "result")]
    if not all(word.isalpha() or not word for word in (left, right, result)):
        return Claims("", ("", ""), ("", ""))

    def product(left: str, other: str, out: str, *names: str) -> str:
        alone = set(out) - set(left) - set(other) or any(len(set(word)) < len(word) for word in (left, other, out))
        return "" if alone else f'einsum("{left},{other}→{out}", {", ".join(names)})'

    return Claims(
        product(left, right, result, "x", "y"),
        (product(result, right, left, "d", "y"), product(left, result, right, "x", "d")),
        (product(left, right, result, "d", "y"), product(left, right, result, "x", "d")),
    )


@row("conv2d", "conv2d_image", "conv2d_filter")
def _convolution(use: Use) -> Claims:
    """The three products of a convolution; the words name the kind of product and leave out the settings of the windows."""
    words = {
        "conv2d": ("“{x} ∗ {y}, each window of {x} times {y}”",
                   "“{d} spread through the filter {y}”", "“each window of {x} times {d}, summed”"),
        "conv2d_image": ("“{x} spread through the filter {y}”",
                         "“{d} ∗ {y}, each window of {d} times {y}”", "“each window of {d} times {x}, summed”"),
        "conv2d_filter": ("“each window of {x} times {y}, summed”",
                          "“{y} spread through the filter {d}”", "“{x} ∗ {d}, each window of {x} times {d}”"),
    }  # fmt: skip
    forth, *back = words[use.name]
    said = {"x": "x", "y": "y", "d": "d"}
    return Claims(
        forth.format(**said),
        tuple([claim.format(**said) for claim in back]),
        (forth.format(x="d", y="y"), forth.format(x="x", y="d")),
    )


@row("windows", "unwindows")
def _windows(use: Use) -> Claims:
    words = "“the windows of {x}”", "“{x}, each window added up in its place”"
    forth, back = words if use.name == "windows" else words[::-1]
    return linear(forth, back.format(x="d"))


# ---- matrices ---------------------------------------------------------------------------------------------------------


@row("solve", "triangular_solve")
def _solve(use: Use) -> Claims:
    turned, triangular = bool(use.settings.get("adjoint")), use.name == "triangular_solve"
    x, back = ("xᵀ", "x") if turned else ("x", "xᵀ")
    upper = triangular and bool(use.settings["lower"]) == turned  # the triangle of what is solved, transposed or not
    part, back_part = (", upper" * upper, ", upper" * (triangular and not upper))
    to_y = f"{use.name}({back}, d{back_part})"
    to_x = f"−out @ {to_y}ᵀ" if turned else f"−{to_y} @ outᵀ"
    change = f"−{use.name}({x}, {'dᵀ' if turned else 'd'} @ out{part})"
    if triangular:  # the other triangle of x, and of a change of it, does nothing
        half = "below all, above 0" if use.settings["lower"] else "below 0, above all"
        moved = f"band_part(d, {half})"
        to_x = f"band_part({to_x}, {half})"
        change = f"−{use.name}({x}, {f'({moved})ᵀ' if turned else moved} @ out{part})"
    return Claims(f"{use.name}({x}, y{part})", (to_x, to_y), (change, f"{use.name}({x}, d{part})"))


@row("det")
def _det(use: Use) -> Claims:
    if len(use.x) > 2:
        return Claims("det(x)", ("",), ("",))
    return Claims("det(x)", ("d × out × inverse(xᵀ)",), ("out × sum(inverse(xᵀ) × d)",))


@row("cholesky")
def _cholesky(use: Use) -> Claims:
    """`symmetric` is the mean of a matrix and its transpose."""
    if len(use.x) > 2:
        return Claims("cholesky(x)", ("",), ("",))
    back = "symmetric(inverse(out)ᵀ @ lower_half(outᵀ @ d) @ inverse(out))"
    return Claims("cholesky(x)", (back,), ("out @ lower_half(inverse(out) @ symmetric(d) @ inverse(out)ᵀ)",))


@row("eigh")
def _eigh(use: Use) -> Claims:
    """What a lecture writes, of which the lower triangle holds all: no other number of the matrix is read."""
    whole = "out1 @ (diag(d0) + one_over_gaps(out0) × (out1ᵀ @ d1)) @ out1ᵀ"
    return Claims("eigh(x)[0]", (f"lower_half(2 × symmetric({whole}))" if len(use.x) == 2 else "",), ("",))


@row("both_triangles", "skew")
def _both(use: Use) -> Claims:
    sign = "−" if use.name == "skew" else "+"
    words = f"{{x}} {sign} {{x}}ᵀ" if len(use.x) == 2 else f"{use.name}({{x}})"
    return linear(words, words.format(x="d"))


@row("one_over_gaps")
def _gaps(use: Use) -> Claims:
    """1 ÷ (xⱼ − xᵢ) in row i and column j, and 0 where both are the same."""
    squares = f"sum(skew(d × out²), axis {len(use.x)})"
    return Claims("one_over_gaps(x)", (squares,), ("",))


@row("complex_abs", "complex", "real", "imag", "conj", "mirror_pad", "unmirror", "slogdet",
     "qr", "svd", "singular_values", "fft", "ifft", "rfft", "irfft", "max_places", "argsort",
     "searchsorted", "logical_xor", "logical_not", "erfinv", "ndtri", "lgamma", "resize", "bitcast",
     "prevent_gradient", "adjust_contrast")  # fmt: skip
def _named(use: Use) -> Claims:
    """An op of which only the name is told: no formula for its VJP or JVP, beyond what its row says."""
    first = "[0]" if len(use.gives) > 1 else ""
    turned = ", descending" if use.settings.get("descending") else ""
    words = f"{use.name}({', '.join(use.arguments)}{turned}){first}"
    by_number = {"lgamma": "d × digamma(x)", "erfinv": "d × √(π) ÷ 2 × exp(out²)",
                 "ndtri": "d × √(2 × π) × exp(0.5 × out²)"}  # fmt: skip
    slope = by_number.get(use.name)
    if slope:
        return Claims(words, (slope,), (slope,))
    nothing = ("",) * len(use.arguments)
    return Claims(words, nothing, nothing)
