"""Loops, branches and derivatives as functions: eager, so each is a Python loop or `if`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ... import control_flow, nest
from ...custom import custom_gradient
from ...forward import ForwardAccumulator
from ...frames import new_loop
from ...ops import joins, shapes
from ...record.events import within
from ...record.refusal import described, needs_function, type_error, value_error
from ...tensor import convert
from .operands import Rows


def _switch(index: Any, branches: Any, *operands: Any) -> Any:
    chosen = branches[min(max(int(index), 0), len(branches) - 1)]
    needs_function(chosen, "ops.switch: a branch", "ops.switch(i, [lambda x: x, lambda x: -x], x)")
    return chosen(*operands)


def _while_loop(
    cond: Callable[..., Any], body: Callable[..., Any], loop_vars: Any, maximum_iterations: int | None = None
) -> Any:
    if isinstance(loop_vars, list | tuple):
        return control_flow.while_loop(cond, body, tuple(loop_vars), maximum_iterations=maximum_iterations)
    return control_flow.while_loop(cond, body, (loop_vars,), maximum_iterations=maximum_iterations)[0]


def _fori_loop(lower: Any, upper: Any, body_fun: Callable[..., Any], init_val: Any) -> Any:
    needs_function(body_fun, "ops.fori_loop: body_fun", "ops.fori_loop(0, 3, lambda i, x: x * 2.0, x)")
    value, loop = nest.map_structure(convert, init_val), new_loop("fori_loop")
    for number in range(int(lower), int(upper)):
        with within(loop=loop, iteration=number - int(lower)):
            value = nest.map_structure(convert, body_fun(convert(number), value))
    return value


def _rows(xs: Any, name: str) -> list[Any]:
    """The structure once for each slice along the first axis."""
    flat = [convert(leaf) for leaf in nest.flatten(xs)]
    columns = [joins.unstack(leaf) for leaf in flat]
    if len({len(column) for column in columns}) != 1:
        raise value_error(
            f"ops.{name}: xs must have one first axis in common, got shapes {[x.shape.as_list() for x in flat]}",
            "What has no such axis is better taken from outside, as the function may.",
        )
    return [nest.pack_sequence_as(xs, list(row)) for row in zip(*columns, strict=True)]


def _scan(
    f: Callable[..., Any], init: Any, xs: Any = None, length: int | None = None, reverse: bool = False, unroll: Any = 1
) -> Any:
    """The last carry, and what stands beside the carry each time, stacked: f(carry, x) gives (carry, y)."""
    needs_function(f, "ops.scan: f", "ops.scan(lambda carry, x: (carry + x, carry), 0.0, xs)")
    rows = [None] * int(length or 0) if xs is None else _rows(xs, "scan")
    carry, found, loop = nest.map_structure(convert, init), [], new_loop("scan")
    for number, row in enumerate(reversed(rows) if reverse else rows):
        with within(loop=loop, iteration=number):
            answer = f(carry, row)
            if not (isinstance(answer, tuple | list) and len(answer) == 2):
                raise value_error(
                    f"ops.scan: f returns the next carry and what is kept of this turn, got {type(answer).__name__}",
                    "return carry, carry: the second is stacked.",
                )
            carry, y = answer
            found.append(y)
    found = found[::-1] if reverse else found
    return carry, None if not found or found[0] is None else nest.map_structure(lambda *ys: joins.stack(ys), *found)


def _map(f: Callable[..., Any], xs: Any) -> Any:
    needs_function(f, "ops.map: f", "ops.map(lambda x: x * x, xs)")
    return _scan(lambda carry, x: (carry, f(x)), 0, xs)[1]


def _associative_scan(f: Callable[..., Any], elems: Any, reverse: bool = False, axis: int = 0) -> Any:
    """What is made of the first, the first two, the first three: f is handed slices that keep the axis, of length 1."""
    parts = [joins.split(leaf, leaf.shape[axis], axis) for leaf in map(convert, nest.flatten(elems))]
    rows = [nest.pack_sequence_as(elems, list(row)) for row in zip(*parts, strict=True)]
    rows = rows[::-1] if reverse else rows
    found = rows[:1]
    for row in rows[1:]:
        found.append(f(found[-1], row))
    return nest.map_structure(lambda *ys: joins.concat(ys, axis), *(found[::-1] if reverse else found))


def _jvp(fun: Callable[..., Any], primals: Any, tangents: Any, has_aux: bool = False) -> Any:
    for what, xs in (("primals", primals), ("tangents", tangents)):
        if not isinstance(xs, list | tuple):
            raise type_error(
                f"ops.jvp: {what} are a list, one for each argument of the function, got {described(xs)}",
                "Write ops.jvp(f, [x], [tf.ones_like(x)]).",
            )
    primals, tangents = ([convert(x) for x in xs] for xs in (primals, tangents))
    primals = [shapes.identity(x) for x in primals]  # one tangent for one primal, also where a tensor is given twice
    with ForwardAccumulator(primals, tangents) as accumulator:
        found = fun(*primals)
    out, *aux = found if has_aux else (found,)
    return (out, accumulator.jvp(out, unconnected_gradients="zero"), *aux)


ROWS: Rows = {
    "cond": lambda pred, true_fn, false_fn: control_flow.cond(pred, true_fn, false_fn), "switch": _switch,
    "while_loop": _while_loop, "fori_loop": _fori_loop, "scan": _scan, "map": _map, "associative_scan": _associative_scan,
    "vectorized_map": lambda function, elements: control_flow.vectorized_map(function, elements),
    "custom_gradient": lambda f: custom_gradient(f), "jvp": _jvp,
}  # fmt: skip
