"""Reductions, and running results."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from .words import WHOLE, Claims, Use, along, axes_of, linear, repeated, row


def _reduced(use: Use) -> tuple[str, Callable[[str], str], str]:
    """The words for a reduction's axes; a function that spreads something of the result's shape over x; the same axes, kept."""
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


@row("product_of_others")
def _others(use: Use) -> Claims:
    over, _, _ = _reduced(use)
    change = (
        f"others_times_rest(d, x{over})"  # of each number: the others of d, each times the product of the rest, summed
    )
    return Claims(f"product_of_others(x{over})", (change,), (change,))


@row("share")
def _share(use: Use) -> Claims:
    axes = axes_of(use.settings["axis"], len(use.x))
    return Claims(f"share(x = {repeated('extreme', use.takes[1], use.x, axes)}{along(axes, len(use.x))})")


def _softmax(use: Use) -> str:
    """Along all axes of a matrix the words say so, since without them the last axis would be understood."""
    axes = axes_of(use.settings["axis"], len(use.x))
    return f"softmax(x{along(axes, len(use.x) + (len(use.x) > 1))})"


@row("reduce_logsumexp")
def _logsumexp(use: Use) -> Claims:
    over, spread, _ = _reduced(use)
    part = _softmax(use)
    return Claims(f"log(sum(exp(x){over}))", (f"{spread('d')} × {part}",), (f"sum(d × {part}{over})",))


@row("reduce_euclidean_norm")
def _norm(use: Use) -> Claims:
    over, spread, _ = _reduced(use)
    return Claims(f"√(sum(x²{over}))", (f"{spread('d ÷ out')} × x",), (f"sum(d × x{over}) ÷ out",))


@row("reduce_any", "reduce_all", "argmax", "argmin")
def _found(use: Use) -> Claims:
    axes = axes_of(use.settings.get("axis"), len(use.x))
    return Claims(f"{use.name.removeprefix('reduce_')}(x{along(axes, len(use.x), bool(use.settings.get('keepdims')))})")


@row("softmax", "softmax_along", "log_softmax")
def _soft(use: Use) -> Claims:
    axes = axes_of(use.settings["axis"], len(use.x))
    over = along(axes, len(use.x), keepdims=len(use.x) > 1)
    if use.name != "log_softmax":
        both = f"(d − sum(d × out{over})) × out"
        if use.name == "softmax_along":
            return Claims(_softmax(use), (both,), (both,))
        return Claims(f"exp(x) ÷ sum(exp(x){over})", (both,), (both,))
    return Claims(f"x − log(sum(exp(x){over}))", (f"d − exp(out) × sum(d{over})",), (f"d − sum(exp(out) × d{over})",))


@row("softmax_cross_entropy", "sparse_softmax_cross_entropy")
def _cross_entropy(use: Use) -> Claims:
    ndim = len(use.x)
    axis = int(use.settings.get("axis", -1)) % ndim
    over, kept = along((axis,), ndim), along((axis,), ndim, keepdims=ndim > 1)
    logs, d = f"log_softmax(logits{over})", repeated("d", use.out, use.x, (axis,))
    if use.name == "softmax_cross_entropy":
        surplus = f"(softmax(logits{over}){WHOLE}{kept}) − labels)"
        back, push = (f"{surplus} × {d}", f"−{logs} × {d}"), (f"sum({surplus} × d{over})", f"−sum({logs} × d{over})")
        return Claims(f"−sum(labels × {logs}{over})", back, push)
    surplus = f"(softmax(logits{over}) − one_hot(labels, {use.x[axis]} places))"
    return Claims(f"−take_along({logs}, labels)", (f"{surplus} × {d}", ""), (f"sum({surplus} × d{over})", ""))


@row("cumsum", "cumprod", "cumulative_logsumexp")
def _running(use: Use) -> Claims:
    flags = [word for word in ("exclusive", "reverse") if use.settings[word]]
    where = f", axis {use.settings['axis'] % len(use.x)}"
    forth = where + "".join([f", {word}" for word in flags])
    turned = [word for word in ("exclusive", "reverse") if use.settings[word] != (word == "reverse")]
    back = where + "".join([f", {word}" for word in turned])
    if use.name == "cumsum":
        return linear(f"cumsum({{x}}{forth})", f"cumsum(d{back})")
    if use.name == "cumprod":
        push = f"cumsum(divide_no_nan(d, x){forth}) × out"
        return Claims(f"cumprod(x{forth})", (f"divide_no_nan(cumsum(d × out{back}), x)",), (push,))
    if use.settings["exclusive"]:  # its first number is −∞, of which exp(−out) makes no number
        return Claims(f"log(cumsum(exp(x){forth}))", ("",), ("",))
    push = f"cumsum(d × exp(x){forth}) × exp(−out)"
    return Claims(f"log(cumsum(exp(x){forth}))", (f"exp(x) × cumsum(d × exp(−out){back})",), (push,))
