"""Ops that only move numbers, pick some or put them back."""

from __future__ import annotations

from ..numbers import number
from .words import Claims, Use, along, axes_of, key_text, linear, repeated, row, shaped, summed

MANY = 8  # values that an op takes or gives, of which more are counted and not named: a list of losses


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
        parts = ["d" if other == place else f"zeros({shaped(length)})" for other, length in enumerate(use.takes)]
        push.append(f"{use.name}({', '.join(parts)}, axis {axis})")
        start += length
    if len(use.takes) > MANY:
        done = "stacked" if use.name == "stack" else "joined"
        return Claims(f"“{len(use.takes)} values, {done}”", tuple(back), ("",) * len(use.takes))
    names = ", ".join([f"value{place}" for place in range(len(use.takes))])
    return Claims(f"{use.name}({names}, axis {axis})", tuple(back), tuple(push))


@row("add_n")
def _add_up(use: Use) -> Claims:
    count = len(use.takes)
    each = ("d",) * count
    if count > MANY:
        return Claims(f"“the sum of {count} values”", each, ("",) * count)
    return Claims(" + ".join([f"value{place}" for place in range(count)]), each, each)


@row("unstack", "split")
def _part_off(use: Use) -> Claims:
    axis = use.settings["axis"] % len(use.x)
    joined = ", ".join([f"d{place}" for place in range(len(use.gives))])
    first = f"{':, ' * axis}0" if use.name == "unstack" else f"{':, ' * axis}0:{use.out[axis]}"
    name = "stack" if use.name == "unstack" else "concat"
    back = f"{name}({joined}, axis {axis})" if len(use.gives) > 1 else f"reshape(d, {shaped(use.x)})"
    if len(use.gives) > MANY:
        back = f"“what came back to the {len(use.gives)} parts, {'stacked' if name == 'stack' else 'joined'}”"
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
    often = tuple(int(times) for times in use.settings["multiples"])
    apart = tuple([length for pair in zip(often, use.x, strict=True) for length in pair])
    copies = along(range(0, 2 * len(use.x), 2), 2 * len(use.x))
    return linear(f"tile({{x}}, {'×'.join(map(str, often))} times)", f"sum(reshape(d, {shaped(apart)}){copies})")


@row("diag", "diag_part", "lower_half", "below_diagonal")
def _diagonal(use: Use) -> Claims:
    other = {"diag": "diag_part", "diag_part": "diag"}.get(use.name, use.name)
    return linear(f"{use.name}({{x}})", f"{other}(d)")


@row("band_part")
def _band(use: Use) -> Claims:
    sides = ("below", use.settings["lower"]), ("above", use.settings["upper"])
    near = ", ".join([f"{side} {'all' if int(count) < 0 else int(count)}" for side, count in sides])
    return linear(f"band_part({{x}}, {near})", f"band_part(d, {near})")


@row("gather", "scatter_add")
def _gather(use: Use) -> Claims:
    axis = use.settings["axis"] % max(1, len(use.x if use.name == "gather" else use.out))
    where = f"indices, axis {axis}"
    if use.name == "gather":
        forth, back = f"gather({{x}}, {where})", f"add_at(d, {where}, {shaped(use.x)})"
    else:
        forth, back = f"add_at({{x}}, {where}, {shaped(use.out)})", f"gather(d, {where})"
    return linear(forth, back, others=1)


@row("take_along", "put_along")
def _along(use: Use) -> Claims:
    if use.name == "take_along":
        forth, back = "take_along({x}, indices)", f"add_along(d, indices, {shaped(use.x)})"
    else:
        forth, back = f"add_along({{x}}, indices, {shaped(use.out)})", "take_along(d, indices)"
    return linear(forth, back, others=1)


@row("one_hot")
def _one_hot(use: Use) -> Claims:
    plain = (use.settings.get("on"), use.settings.get("off")) == (1, 0)
    return Claims(f"one_hot(x, {use.settings['depth']} places)" if plain else "")
