"""Loops and branches as functions: eager, so each is a Python loop or `if`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import nest
from .dtypes import as_dtype
from .errors import OutOfRangeError
from .frames import inside, new_loop
from .ops.creation import zeros
from .ops.joins import stack, unstack
from .recompute.loops import iteration
from .record.events import within
from .record.refusal import described, invalid_argument, needs_function, refusal, type_error, value_error
from .spec import TensorSpec
from .tensor import Tensor, convert
from .tensor_array import TensorArray


def while_loop(
    cond: Callable[..., Any], body: Callable[..., Any], loop_vars: Any, shape_invariants: Any = None,
    parallel_iterations: int = 10, back_prop: bool = True, swap_memory: bool = False,
    maximum_iterations: int | None = None, name: str | None = None, *, recompute: bool | str = False,
) -> Any:  # fmt: skip
    """Run the body while the condition holds; returns the loop variables in their structure.

    Args: recompute, what a tape keeps of an iteration: False, all that its ops save; True, its loop variables, and the body
    runs again in the backward pass; "reversible", nothing, and `body.inverse` rebuilds the loop variables.  Raises TypeError
    for a reversible body without `inverse`, and for a TensorArray where the body runs again; ValueError where the body returns
    another number of values than there are loop variables.

    >>> i, y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * 2.0), [tf.constant(0), tf.constant(1.0)])
    >>> int(i), float(y)
    (3, 8.0)
    """
    for what, value in (("cond", cond), ("body", body)):
        needs_function(
            value, f"tf.while_loop: {what}", "tf.while_loop(lambda i: i < 3, lambda i: (i + 1,), [tf.constant(0)])"
        )
    if not nest.is_nested(loop_vars):
        raise type_error(
            f"tf.while_loop: loop_vars is a list of what changes, got {described(loop_vars)}",
            "Write [tf.constant(0)], also for one; cond and body take as many arguments.",
        )
    variables = nest.map_structure(_carried, loop_vars)
    if recompute and any(isinstance(leaf, TensorArray) for leaf in nest.flatten(variables)):
        raise type_error(
            "tf.while_loop(recompute=...) runs its body again, and a TensorArray that the body writes to would change twice",
            "Leave recompute out, or carry a tensor: tf.concat([rows, row[tf.newaxis]], 0).",
        )
    count = 0
    loop = new_loop(name)
    step = iteration(body, recompute, f"{name or 'while'}_body")

    def goes_on() -> bool:
        with inside("while_cond", loop, count):
            return bool(cond(*variables))

    while (maximum_iterations is None or count < maximum_iterations) and goes_on():
        with inside("while_body", loop, count):
            answer = step(*variables)
        variables = _next(variables, answer, body)
        count += 1
    return variables


def _carried(leaf: Any) -> Any:
    return leaf if isinstance(leaf, TensorArray) else convert(leaf)


def _next(variables: Any, answer: Any, body: Callable[..., Any]) -> Any:
    """What the body returned, in the structure of the loop variables."""
    flat = nest.flatten(answer)
    before = nest.flatten(variables)
    if len(flat) != len(before):
        raise value_error(
            f"tf.while_loop: {getattr(body, '__name__', 'the body')} returned {len(flat)} "
            f"value{'s' * (len(flat) != 1)} for {len(before)} loop variable{'s' * (len(before) != 1)}",
            "Return one for each, in the same order, also those that stay as they are: return i + 1, x",
        )
    return nest.pack_sequence_as(variables, [_carried(leaf) for leaf in flat])


def cond(pred: Any, true_fn: Callable[[], Any], false_fn: Callable[[], Any], name: str | None = None) -> Any:
    """The result of one of two functions, by a condition.

    >>> tf.cond(True, lambda: 1, lambda: 2)
    1
    """
    for what, value in (("true_fn", true_fn), ("false_fn", false_fn)):
        needs_function(value, f"tf.cond: {what}", "tf.cond(x > 0, lambda: x, lambda: -x)")
    with inside("cond_branch"):
        return true_fn() if bool(pred) else false_fn()


def case(
    pred_fn_pairs: Any,
    default: Callable[[], Any] | None = None,
    exclusive: bool = False,
    strict: bool = False,
    name: str = "case",
) -> Any:
    """The result of the function that belongs to the first true condition.

    >>> tf.case([(False, lambda: 1), (True, lambda: 2)])
    2
    """
    for pair in pred_fn_pairs:
        pred, chosen = pair if isinstance(pair, tuple | list) and len(pair) == 2 else (True, pair)
        needs_function(
            chosen, "tf.case: what stands beside a condition", "tf.case([(x > 0, lambda: x)], default=lambda: -x)"
        )
        if bool(pred):
            return chosen()
    if default is None:
        raise invalid_argument(
            "tf.case: None of the conditions evaluated as True, and there is no default",
            "Give it one: tf.case([...], default=lambda: ...).",
        )
    return default()


def switch_case(
    branch_index: Any, branch_fns: Any, default: Callable[[], Any] | None = None, name: str = "switch_case"
) -> Any:
    """The result of the function with this number; for other numbers that of the default, or of the last function.

    >>> tf.switch_case(tf.constant(1), [lambda: "a", lambda: "b"])
    'b'
    """
    if convert(branch_index).dtype.is_floating:
        raise type_error(
            f"'branch_index' must be an integer Tensor, got {convert(branch_index).dtype}",
            "tf.cast(i, tf.int32) makes one.",
        )
    pairs = branch_fns.items() if isinstance(branch_fns, dict) else branch_fns
    known: dict[int, Any] = dict(
        pair if isinstance(pair, tuple) else (number, pair) for number, pair in enumerate(pairs)
    )
    chosen = known.get(int(branch_index), default or known[max(known)])
    needs_function(chosen, "tf.switch_case: a branch", "tf.switch_case(i, [lambda: x, lambda: -x])")
    return chosen()


# ---- the same function for every element ------------------------------------------------------------------------------------


def _elements(elems: Any, name: str) -> list[Any]:
    """The structure once for each element along the first axis."""
    flat = [convert(leaf) for leaf in nest.flatten(elems)]
    counts = {leaf.shape[0] if leaf.ndim else None for leaf in flat}
    if len(counts) != 1 or None in counts:
        raise value_error(
            f"tf.{name}: elems must have one first axis in common, got shapes {[leaf.shape.as_list() for leaf in flat]}",
            "What has no such axis is better taken from outside: tf.map_fn(lambda x: x * w, xs).",
        )
    columns = [unstack(leaf) for leaf in flat]
    return [nest.pack_sequence_as(elems, list(row)) for row in zip(*columns, strict=True)]


def _packed(answers: list[Any], specs: Any, name: str) -> Any:
    """The results of all elements stacked; of no elements as the specs say.  ValueError where two shapes differ."""
    if not answers:
        return nest.map_structure(
            lambda spec: zeros([0, *(spec.shape.as_list() if spec.shape else [])], spec.dtype), specs
        )

    def stacked(spec: Any, *results: Tensor) -> Tensor:
        for result in results:
            if not spec.shape.is_compatible_with(result.shape) or result.shape != results[0].shape:
                wanted = results[0].shape if spec.shape.is_compatible_with(results[0].shape) else spec.shape
                raise value_error(
                    f"tf.{name}: Incompatible shape for value ({result.shape}), expected ({wanted})",
                    "The results are stacked, so all have one shape.",
                )
        return stack(list(results))

    return nest.map_structure(stacked, specs, *answers)


def map_fn(
    fn: Callable[..., Any], elems: Any, dtype: Any = None, parallel_iterations: int | None = None, back_prop: bool = True,
    swap_memory: bool = False, infer_shape: bool = True, name: str | None = None, fn_output_signature: Any = None,
) -> Any:  # fmt: skip
    """The results of a function for each slice along the first axis, stacked.

    Args: fn_output_signature, the dtypes (or TensorSpecs) of what the function returns, where these are not those of `elems`.
    Raises ValueError where it returns another structure, InvalidArgumentError where another dtype.

    >>> tf.map_fn(lambda x: x * x, tf.constant([1.0, 2.0])).numpy()
    array([1., 4.], dtype=float32)
    >>> tf.map_fn(lambda x: x > 1.0, tf.constant([1.0, 2.0]), fn_output_signature="bool").numpy()
    array([False,  True])
    """
    needs_function(fn, "tf.map_fn: fn", "tf.map_fn(lambda x: x * x, xs)")
    asked = dtype if fn_output_signature is None else fn_output_signature
    specs = nest.map_structure(_spec, elems if asked is None else asked)
    return _packed(_mapped(lambda element: _as_signed(specs, fn(element)), elems), specs, "map_fn")


def _mapped(fn: Callable[..., Any], elems: Any) -> list[Any]:
    answers, loop = [], new_loop("map_fn")
    for number, element in enumerate(_elements(elems, "map_fn")):
        with within(loop=loop, iteration=number):
            answers.append(nest.map_structure(convert, fn(element)))
    return answers


def _spec(leaf: Any) -> TensorSpec:
    """The spec that a part of a signature stands for; of an element only the dtype counts."""
    return leaf if isinstance(leaf, TensorSpec) else TensorSpec(None, as_dtype(getattr(leaf, "dtype", leaf)))


def _written(answer: Any) -> str:
    """The signature of an answer, as it is typed."""
    return str(nest.map_structure(lambda tensor: f"tf.{tensor.dtype.name}", answer)).replace("'", "")


def _as_signed(specs: Any, answer: Any) -> Any:
    """What a mapped function returned, if it has the structure and the dtypes that it may have."""
    wanted, got = nest.flatten(specs), nest.flatten(answer)
    if len(wanted) != len(got):
        raise value_error(
            f"tf.map_fn: fn returned {len(got)} value{'s' * (len(got) != 1)} where its signature, by default that of elems, has "
            f"{len(wanted)}",
            f"Say what it returns: fn_output_signature={_written(nest.map_structure(convert, answer))}.",
        )
    nest.assert_same_structure(specs, answer)
    tensors = [convert(leaf, hint=spec.dtype.numpy_dtype) for leaf, spec in zip(got, wanted, strict=True)]
    for tensor, spec in zip(tensors, wanted, strict=True):
        if tensor.dtype != spec.dtype:
            raise invalid_argument(
                f"tf.map_fn: fn returned {tensor.dtype.name} where its signature, by default that of elems, says "
                f"{spec.dtype.name}",
                f"Say what it returns: fn_output_signature={_written(nest.pack_sequence_as(answer, tensors))}.",
            )
    return nest.pack_sequence_as(answer, tensors)


def vectorized_map(fn: Callable[..., Any], elems: Any, fallback_to_while_loop: bool = True, warn: bool = True) -> Any:
    """`map_fn`, one element after the other, so that each can be followed.

    >>> tf.vectorized_map(lambda x: x * x, tf.constant([1.0, 2.0])).numpy()
    array([1., 4.], dtype=float32)
    """
    needs_function(fn, "tf.vectorized_map: fn", "tf.vectorized_map(lambda x: x * x, xs)")
    answers = _mapped(fn, elems)
    return (
        _packed(answers, nest.map_structure(TensorSpec.from_tensor, answers[0]), "vectorized_map") if answers else elems
    )


def foldl(
    fn: Callable[..., Any], elems: Any, initializer: Any = None, parallel_iterations: int = 10, back_prop: bool = True,
    swap_memory: bool = False, name: str | None = None,
) -> Any:  # fmt: skip
    """All slices along the first axis folded into one, from the first to the last: fn(fn(fn(start, a), b), c).

    >>> tf.foldl(lambda total, x: total - x, tf.constant([1.0, 2.0, 3.0])).numpy()
    np.float32(-4.0)
    """
    start, found = _fold(fn, _elements(elems, "foldl"), initializer, "foldl")
    return found[-1] if found else start


def foldr(
    fn: Callable[..., Any], elems: Any, initializer: Any = None, parallel_iterations: int = 10, back_prop: bool = True,
    swap_memory: bool = False, name: str | None = None,
) -> Any:  # fmt: skip
    """All slices along the first axis folded into one, from the last to the first.

    >>> tf.foldr(lambda total, x: total - x, tf.constant([1.0, 2.0, 3.0])).numpy()
    np.float32(0.0)
    """
    start, found = _fold(fn, _elements(elems, "foldr")[::-1], initializer, "foldr")
    return found[-1] if found else start


def scan(
    fn: Callable[..., Any], elems: Any, initializer: Any = None, parallel_iterations: int = 10, back_prop: bool = True,
    swap_memory: bool = False, infer_shape: bool = True, reverse: bool = False, name: str | None = None,
) -> Any:  # fmt: skip
    """The intermediate results of a fold along the first axis, stacked.

    >>> tf.scan(lambda total, x: total + x, tf.constant([1.0, 2.0, 3.0])).numpy()
    array([1., 3., 6.], dtype=float32)
    """
    elements = _elements(elems, "scan")
    start, found = _fold(fn, elements[::-1] if reverse else elements, initializer, "scan")
    return _packed(found[::-1] if reverse else found, nest.map_structure(TensorSpec.from_tensor, start), "scan")


def _fold(fn: Callable[..., Any], elements: list[Any], initializer: Any, name: str) -> tuple[Any, list[Any]]:
    """The start and the running results; without a start the first element is both."""
    needs_function(fn, f"tf.{name}: fn", f"tf.{name}(lambda total, x: total + x, xs)")
    if initializer is None and not elements:
        raise refusal(
            OutOfRangeError, f"tf.{name}: elems has no elements, and there is no initializer", "initializer=0.0, say."
        )
    start = elements[0] if initializer is None else nest.map_structure(convert, initializer)
    found, loop, total = [start] if initializer is None else [], new_loop(name), start
    for number, element in enumerate(elements[len(found) :]):
        with within(loop=loop, iteration=number):
            total = nest.map_structure(convert, fn(total, element))
        if name == "scan":
            nest.assert_same_structure(start, total)
        found.append(total)
    return start, found
