"""What ops on whole arrays say of themselves, in formulas that can be worked out: value, VJP and JVP, with the settings of the use.

Ops that work number by number say it in their row already.  Here stand those that join, sum, move or pick numbers, and those
whose VJP is another formula than their JVP.  A formula is in the row's own names, with `d` for the cotangent or tangent
that arrives; what cannot be said truly is left empty, and then no picture says it.  `tests/viz/claims.py` works them out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any, NamedTuple

from .numbers import number, shape_text

Shape = tuple[int, ...]


class Claims(NamedTuple):
    """The formulas of one call; by each argument what comes back to it, and what its tangent adds to that of the result."""

    formula: str
    back: tuple[str, ...] = ()
    push: tuple[str, ...] = ()


class Use(NamedTuple):
    """What a row may ask: how many operands of which shapes, the shapes of the results, the settings."""

    name: str
    arguments: Sequence[str]
    takes: Sequence[Shape]
    gives: Sequence[Shape]
    settings: Mapping[str, Any]

    @property
    def x(self) -> Shape:
        """The shape of the first operand."""
        return self.takes[0]

    @property
    def out(self) -> Shape:
        """The shape of the first result."""
        return self.gives[0]


ROWS: dict[str, Callable[[Use], Claims]] = {}


def claims(use: Use) -> Claims | None:
    """The formulas of a call; None for an op that has no row here."""
    found = ROWS.get(use.name)
    return None if found is None else found(use)


def row(*ops: str) -> Callable[[Callable[[Use], Claims]], Callable[[Use], Claims]]:
    """Enter a function as the row of these ops."""

    def enter(made: Callable[[Use], Claims]) -> Callable[[Use], Claims]:
        ROWS.update(dict.fromkeys(ops, made))
        return made

    return enter


def linear(formula: str, back: str) -> Claims:
    """An op of one operand that is its own derivative; `back` is its transpose."""
    return Claims(formula.format(x="x"), (back,), (formula.format(x="d"),))


# ---- words ------------------------------------------------------------------------------------------------------------------


def axes_of(setting: Any, ndim: int) -> tuple[int, ...]:
    """An axis setting as places from the front; None is all of them."""
    if setting is None:
        return tuple(range(ndim))
    many = setting if isinstance(setting, list | tuple) else (setting,)
    return tuple(sorted({int(axis) % max(1, ndim) for axis in many}))


def along(axes: Sequence[int], ndim: int, keepdims: bool = False) -> str:
    """Which axes a function runs along, as its last words: nothing where it is all of them.

    >>> along((0,), 2), along((0, 2), 3, keepdims=True), along((0, 1), 2)
    (', axis 0', ', axes 0 2, kept', '')
    """
    every = len(axes) == ndim
    said = "" if every else f", ax{'i' if len(axes) == 1 else 'e'}s {' '.join(map(str, axes))}"
    return said + (", kept" if keepdims and ndim else "")


def shaped(shape: Shape) -> str:
    """A shape as the last words of a function."""
    return f"shape {shape_text(shape)}" if shape else "shape []"


def repeated(what: str, small: Shape, big: Shape, axes: Sequence[int] = ()) -> str:
    """An array once more along axes that it does not have, or has a single number on.

    >>> repeated("d", (3,), (3, 4), (1,)), repeated("d", (4,), (3, 4)), repeated("d", (), ())
    ('repeat(d, axis 1, shape 3×4)', 'repeat(d, shape 3×4)', 'd')
    """
    if small == big:
        return what
    behind = bool(axes) and len(small) < len(big) and tuple(axes) != tuple(range(len(axes)))
    return f"repeat({what}{along(axes, len(big)) if behind else ''}, {shaped(big)})"


def summed(what: str, big: Shape, small: Shape) -> str:
    """An array summed over the axes along which another one was repeated to have its shape.

    >>> summed("d", (16, 8), (8,)), summed("d", (3, 4), (3, 1)), summed("d", (2, 3), ()), summed("d", (2, 3, 4), (3, 1))
    ('sum(d, axis 0)', 'sum(d, axis 1, kept)', 'sum(d)', 'reshape(sum(d, axes 0 2), shape 3×1)')
    """
    if big == small:
        return what
    lead = len(big) - len(small)
    ones = [lead + axis for axis, length in enumerate(small) if length == 1 and big[lead + axis] != 1]
    axes = [*range(lead), *ones]
    if lead and ones:
        return f"reshape(sum({what}{along(axes, len(big))}), {shaped(small)})"
    return f"sum({what}{along(axes, len(big), keepdims=bool(ones))})"


def key_text(key: Any) -> str | None:
    """An index as it is written; None for one that is too long to say.

    >>> key_text((1, ("slice", None, None, -2))), key_text(("...", None))
    ('1, ::−2', '..., new')
    """
    parts = list(key) if isinstance(key, tuple) and not (key and key[0] == "slice") else [key]
    said = [_part(one) for one in parts]
    return None if None in said else ", ".join(map(str, said))


def _part(one: Any) -> str | None:
    if one is None:
        return "new"
    if one == "..." or one is Ellipsis:
        return "..."
    if isinstance(one, int):
        return number(one)
    if isinstance(one, slice):
        one = ("slice", one.start, one.stop, one.step)
    if isinstance(one, tuple) and one[:1] == ("slice",):
        start, stop, step = ["" if bound is None else number(bound) for bound in one[1:]]
        return f"{start}:{stop}:{step}" if step not in ("", "1") else f"{start}:{stop}"
    return None


# ---- number by number, where the row has only a phrase ------------------------------------------------------------------------


@row("cast")
def _cast(use: Use) -> Claims:
    kind = str(use.settings.get("dtype"))
    return Claims("x" if kind.startswith(("float", "complex")) else f"cast(x, {kind})", ("d",), ("d",))


@row("stop_gradient")
def _stop(use: Use) -> Claims:
    return Claims("x")


@row("sqrt_slope")
def _slope(use: Use) -> Claims:
    return Claims("x ÷ 2 ÷ y if y ≠ 0 else 0", ("", ""), ("", ""))


@row("selu")
def _selu(use: Use) -> Claims:
    slope = "d × (out + 1.7581 if out < 0 else 1.0507)"
    return Claims("1.0507 × x if x > 0 else 1.7581 × (exp(x) − 1)", (slope,), (slope,))


# ---- many numbers into few -----------------------------------------------------------------------------------------------------


def _reduced(use: Use) -> tuple[str, Callable[[str], str], str]:
    """How a reduction's axes are said; how something of its result's shape is spread over x; the same axes, kept."""
    axes = axes_of(use.settings.get("axis"), len(use.x))
    kept = bool(use.settings.get("keepdims"))
    return (
        along(axes, len(use.x), kept),
        lambda what: repeated(what, use.out, use.x, () if kept else axes),
        along(axes, len(use.x), True),
    )


@row("reduce_sum")
def _sum(use: Use) -> Claims:
    over, spread, _ = _reduced(use)
    return linear(f"sum({{x}}{over})", spread("d"))


@row("reduce_mean")
def _mean(use: Use) -> Claims:
    over, spread, _ = _reduced(use)
    count = prod(use.x) // max(1, prod(use.out))
    return linear(f"mean({{x}}{over})", spread(f"d ÷ {count}") if use.x != use.out else "d")


@row("reduce_max", "reduce_min")
def _extreme(use: Use) -> Claims:
    over, spread, _ = _reduced(use)
    which = use.name.removeprefix("reduce_")
    bare = over.removesuffix(", kept")
    share = f"share_of_{which}(x{bare})"
    return Claims(f"{which}(x{over})", (f"{spread('d')} × {share}",), (f"sum(d × {share}{over})",))


@row("reduce_prod")
def _product(use: Use) -> Claims:
    over, spread, _ = _reduced(use)
    others = f"product_of_others(x{over.removesuffix(', kept')})"
    return Claims(f"prod(x{over})", (f"{spread('d')} × {others}",), (f"sum(d × {others}{over})",))


@row("reduce_logsumexp")
def _logsumexp(use: Use) -> Claims:
    over, spread, _ = _reduced(use)
    part = f"exp(x − {spread('out')})"
    return Claims(f"log(sum(exp(x){over}))", (f"{spread('d')} × {part}",), (f"sum(d × {part}{over})",))


@row("reduce_euclidean_norm")
def _norm(use: Use) -> Claims:
    over, spread, _ = _reduced(use)
    return Claims(f"√(sum(x²{over}))", (f"{spread('d ÷ out')} × x",), (f"sum(d × x{over}) ÷ out",))


@row("reduce_any", "reduce_all", "argmax", "argmin")
def _found(use: Use) -> Claims:
    axes = axes_of(use.settings.get("axis"), len(use.x))
    return Claims(
        f"{use.name.removeprefix('reduce_')}(x{along(axes, len(use.x), bool(use.settings.get('keepdims')))})"
    )


@row("softmax", "log_softmax")
def _soft(use: Use) -> Claims:
    over = along((int(use.settings["axis"]) % len(use.x),), len(use.x), keepdims=len(use.x) > 1)
    if use.name == "softmax":
        both = f"(d − sum(d × out{over})) × out"
        return Claims(f"exp(x) ÷ sum(exp(x){over})", (both,), (both,))
    return Claims(
        f"x − log(sum(exp(x){over}))", (f"d − exp(out) × sum(d{over})",), (f"d − sum(exp(out) × d{over})",)
    )


@row("cumsum", "cumprod", "cumulative_logsumexp")
def _running(use: Use) -> Claims:
    flags = [word for word in ("exclusive", "reverse") if use.settings[word]]
    where = f", axis {use.settings['axis'] % len(use.x)}"
    forth = where + "".join([f", {word}" for word in flags])
    if use.name != "cumsum":
        return Claims(f"cumprod(x{forth})" if use.name == "cumprod" else f"log(cumsum(exp(x){forth}))", ("",), ("",))
    turned = [word for word in ("exclusive", "reverse") if use.settings[word] != (word == "reverse")]
    return linear(f"cumsum({{x}}{forth})", f"cumsum(d{where}{''.join([f', {word}' for word in turned])})")


# ---- numbers that only move ----------------------------------------------------------------------------------------------------


@row("reshape")
def _reshape(use: Use) -> Claims:
    return linear(f"reshape({{x}}, {shaped(use.out)})", f"reshape(d, {shaped(use.x)})")


@row("transpose")
def _transpose(use: Use) -> Claims:
    ndim = len(use.x)
    perm = use.settings["perm"]
    order = tuple(reversed(range(ndim))) if perm is None else tuple(int(axis) % ndim for axis in perm)
    if order == tuple(range(ndim)):
        return linear("{x}", "d")
    if order == (1, 0):
        return linear("{x}ᵀ", "dᵀ")
    undo = " ".join([str(order.index(axis)) for axis in range(ndim)])
    return linear(f"transpose({{x}}, axes {' '.join(map(str, order))})", f"transpose(d, axes {undo})")


@row("broadcast_to")
def _broadcast(use: Use) -> Claims:
    return linear(repeated("{x}", use.x, use.out), summed("d", use.out, use.x))


@row("sum_to")
def _sum_to(use: Use) -> Claims:
    return linear(summed("{x}", use.x, use.out), repeated("d", use.out, use.x))


@row("getitem", "put")
def _piece(use: Use) -> Claims:
    key = key_text(use.settings["key"])
    if key is None:
        return Claims("", ("",), ("",))
    if use.name == "getitem":
        return linear(f"{{x}}[{key}]", f"place(d, [{key}], {shaped(use.x)})")
    return linear(f"place({{x}}, [{key}], {shaped(use.out)})", f"d[{key}]")


@row("reverse")
def _reverse(use: Use) -> Claims:
    over = along(axes_of(use.settings["axis"], len(use.x)), len(use.x))
    return linear(f"reverse({{x}}{over})", f"reverse(d{over})")


@row("roll")
def _roll(use: Use) -> Claims:
    shifts, axes = use.settings["shift"], use.settings["axis"]
    if len(axes) != 1:
        return Claims("", ("",), ("",))
    where = f"axis {axes[0] % len(use.x)}"
    return linear(f"roll({{x}}, by {number(shifts[0])}, {where})", f"roll(d, by {number(-shifts[0])}, {where})")


@row("concat", "stack")
def _join(use: Use) -> Claims:
    ndim, start, back, push = len(use.out), 0, [], []
    axis = use.settings["axis"] % ndim
    for place, shape in enumerate(use.takes):
        lead = ":, " * axis
        length = 1 if use.name == "stack" else shape[axis]
        back.append(f"d[{lead}{start}]" if use.name == "stack" else f"d[{lead}{start}:{start + length}]")
        parts = ["d" if other == place else f"zeros({shaped(one)})" for other, one in enumerate(use.takes)]
        push.append(f"{use.name}({', '.join(parts)}, axis {axis})")
        start += length
    names = ", ".join([f"value{place}" for place in range(len(use.takes))])
    return Claims(f"{use.name}({names}, axis {axis})", tuple(back), tuple(push))


@row("unstack", "split")
def _part_off(use: Use) -> Claims:
    axis = use.settings["axis"] % len(use.x)
    joined = ", ".join([f"d{place}" for place in range(len(use.gives))])
    first = f"{':, ' * axis}0" if use.name == "unstack" else f"{':, ' * axis}0:{use.out[axis]}"
    name = "stack" if use.name == "unstack" else "concat"
    back = f"{name}({joined}, axis {axis})" if len(use.gives) > 1 else f"reshape(d, {shaped(use.x)})"
    return Claims(f"x[{first}]", (back,), ("",))


@row("pad")
def _pad(use: Use) -> Claims:
    paddings = use.settings["paddings"]
    if use.settings["value"]:
        return Claims("", ("",), ("",))
    key = ", ".join([f"{low}:{low + length}" for (low, _), length in zip(paddings, use.x, strict=True)])
    return linear(f"place({{x}}, [{key}], {shaped(use.out)})", f"d[{key}]")


@row("tile")
def _tile(use: Use) -> Claims:
    often = tuple(int(one) for one in use.settings["multiples"])
    apart = tuple([one for pair in zip(often, use.x, strict=True) for one in pair])
    copies = along(range(0, 2 * len(use.x), 2), 2 * len(use.x))
    return linear(
        f"tile({{x}}, {shape_text(often).strip('[]')} times)", f"sum(reshape(d, {shaped(apart)}){copies})"
    )


@row("diag", "diag_part")
def _diagonal(use: Use) -> Claims:
    other = {"diag": "diag_part", "diag_part": "diag"}[use.name]
    return linear(f"{use.name}({{x}})", f"{other}(d)")


@row("gather", "scatter_add")
def _gather(use: Use) -> Claims:
    axis = use.settings["axis"] % max(1, len(use.x if use.name == "gather" else use.out))
    where = f"indices, axis {axis}"
    if use.name == "gather":
        forth, back = f"gather({{x}}, {where})", f"add_at(d, {where}, {shaped(use.x)})"
    else:
        forth, back = f"add_at({{x}}, {where}, {shaped(use.out)})", f"gather(d, {where})"
    return Claims(forth.format(x="x"), (back, ""), (forth.format(x="d"), ""))


@row("take_along", "put_along")
def _along(use: Use) -> Claims:
    if use.name == "take_along":
        forth, back = "take_along({x}, indices)", f"add_along(d, indices, {shaped(use.x)})"
    else:
        forth, back = f"add_along({{x}}, indices, {shaped(use.out)})", "take_along(d, indices)"
    return Claims(forth.format(x="x"), (back, ""), (forth.format(x="d"), ""))


@row("one_hot")
def _one_hot(use: Use) -> Claims:
    plain = (use.settings.get("on"), use.settings.get("off")) == (1, 0)
    return Claims(f"one_hot(x, {use.settings['depth']} places)" if plain else "")


# ---- products --------------------------------------------------------------------------------------------------------------------


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
    if not all(one.isalpha() or not one for one in (left, right, result)):
        return Claims("", ("", ""), ("", ""))

    def product(one: str, other: str, out: str, *names: str) -> str:
        alone = set(out) - set(one) - set(other) or any(len(set(word)) < len(word) for word in (one, other, out))
        return "" if alone else f'einsum("{one},{other}→{out}", {", ".join(names)})'

    return Claims(
        product(left, right, result, "x", "y"),
        (product(result, right, left, "d", "y"), product(left, result, right, "x", "d")),
        (product(left, right, result, "d", "y"), product(left, right, result, "x", "d")),
    )


@row("conv2d", "conv2d_image", "conv2d_filter")
def _convolution(use: Use) -> Claims:
    """Three products of one sum; the settings of the windows are not said, so that the words name the kind of product."""
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
        tuple([one.format(**said) for one in back]),
        (forth.format(x="d", y="y"), forth.format(x="x", y="d")),
    )


@row("windows", "unwindows")
def _windows(use: Use) -> Claims:
    words = "“the windows of {x}”", "“{x}, each window added up in its place”"
    forth, back = words if use.name == "windows" else words[::-1]
    return linear(forth, back.format(x="d"))


# ---- matrices ----------------------------------------------------------------------------------------------------------------------


@row("inverse")
def _inverse(use: Use) -> Claims:
    return Claims("inverse(x)", ("−outᵀ @ d @ outᵀ",), ("−out @ d @ out",))


@row("solve")
def _solve(use: Use) -> Claims:
    if use.settings.get("adjoint") or len(use.x) > 2:
        return Claims("", ("", ""), ("", ""))
    return Claims(
        "solve(x, y)",
        ("−solve(xᵀ, d) @ outᵀ", "solve(xᵀ, d)"),
        ("−solve(x, d @ out)", "solve(x, d)"),
    )


@row("det")
def _det(use: Use) -> Claims:
    if len(use.x) > 2:
        return Claims("det(x)", ("",), ("",))
    return Claims("det(x)", ("d × out × inverse(xᵀ)",), ("out × sum(inverse(xᵀ) × d)",))


@row("complex_abs", "complex", "real", "imag", "conj", "mirror_pad", "unmirror", "triangular_solve", "slogdet", "cholesky",
     "band_part", "qr", "svd", "singular_values", "eigh", "fft", "ifft", "rfft", "irfft", "max_places", "argsort",
     "searchsorted", "logical_xor", "logical_not", "erfinv", "ndtri", "lgamma", "resize")  # fmt: skip
def _named(use: Use) -> Claims:
    """What is said by its name alone: nothing is told of how it goes back or on, beyond what its row says in numbers."""
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
