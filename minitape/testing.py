"""Derivatives checked against differences of the function's values.

`check_gradients` is for any function; the library's own table is tested with it.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from . import nest
from .forward import ForwardAccumulator
from .ops.elementwise import imag, real
from .ops.joins import stack
from .record.warning import strict
from .tape import GradientTape, UnconnectedGradients
from .tensor import Operand, Tensor, constant, convert
from .trace import no_recording

STEP = 1e-3  # of a central difference over five points: its error is about STEP**4, and rounding stays below 1e-12

Flat = Callable[[list[Tensor]], list[Tensor]]  # tensors with a slope in, tensors with a slope out


def check_gradients(
    function: Callable[..., Any], arguments: Any, *, order: int = 2, modes: Sequence[str] = ("reverse", "forward"),
    directions: int = 2, seed: int = 0, tolerance: float = 1e-6,
) -> None:  # fmt: skip
    """Check a function's derivatives against differences of its values; raise AssertionError where they disagree.

    Everything runs in float64 (complex128).  At the point `arguments`, in random directions u and v:

    * forward: the accumulator's J u against a central difference along u;
    * reverse: the tape's <Jᵀ v, u> against <v, the same difference>;
    * both: <v, J u> = <Jᵀ v, u>.

    Order 2 asks the same of the derivatives themselves, as functions of the point and of the direction: tapes in tapes,
    accumulators in accumulators, and either over the other.

    Args: function, from tensors (or structures of them) to a tensor or a structure; arguments, the list of its arguments,
    or a single one; order, how many derivatives deep; modes, "reverse" (GradientTape), "forward" (ForwardAccumulator) or
    both; directions, how many random pairs; seed, of those; tolerance, allowed error, relative where the numbers are
    larger than 1.  Whole numbers, booleans and strings have no slope: such inputs stay as they are, with a warning.
    Choose a point away from kinks.  Raises ValueError where nothing is there to check.

    >>> check_gradients(lambda x, y: tf.sin(x) * y, [tf.constant([0.5, 1.0]), tf.constant(3.0)])

    A function that leaves the tape half-way is caught:

    >>> check_gradients(lambda x: float(x) * x, [tf.constant(3.0)], order=1)
    Traceback (most recent call last):
        ...
    AssertionError: wrong derivative: reverse, order 1, argument 0
      reverse            ...
      central difference ...
      error              ...
      ...
    """
    for mode in modes:
        if mode not in ("reverse", "forward"):
            raise ValueError(f"modes may hold 'reverse' and 'forward', got {mode!r}")
    inputs = arguments if isinstance(arguments, list | tuple) else [arguments]
    flat, point, names = _flat(function, inputs)
    if not point:
        raise ValueError("check_gradients: no input has a slope. Write 3.0 instead of 3, or tf.cast(x, tf.float32).")
    # No warnings: what they would say shows in the comparison of numbers.
    with no_recording(), strict(False):
        if not flat(_tensors(point)):
            raise ValueError(
                "check_gradients: no output has a slope: the function answers in whole numbers or booleans only."
            )
        draw = np.random.default_rng(seed)
        _check(flat, point, names, order, tuple(modes), (), directions, draw, tolerance)


def numerical_jvp(function: Callable[..., Any], arguments: Any, tangents: Any, step: float = STEP) -> Any:
    """The change of the function's answer along `tangents`, by a central difference over five points, in float64.

    Returns arrays in the structure of the answer; zeros where the answer has no slope.

    >>> round(float(numerical_jvp(lambda x: x * x, [3.0], [1.0])), 9)
    6.0
    """
    inputs, moves = (given if isinstance(given, list | tuple) else [given] for given in (arguments, tangents))
    nest.assert_same_structure(inputs, moves, check_types=False)
    leaves = [_wide(leaf) for leaf in nest.flatten(inputs)]
    changes = [np.asarray(change) for change in nest.flatten(moves)]

    def outputs(distance: float) -> Any:
        moved = [
            constant(leaf + (distance * change).astype(leaf.dtype)) if _has_slope(leaf) else constant(leaf)
            for leaf, change in zip(leaves, changes, strict=True)
        ]
        return nest.map_structure(
            lambda result: convert(result).array_now, function(*nest.pack_sequence_as(inputs, moved))
        )

    with no_recording():
        return nest.map_structure(
            lambda a, b, c, d: _slope(a, b, c, d, step), *[outputs(n * step) for n in (-2, -1, 1, 2)]
        )


def numerical_gradient(function: Callable[..., Any], arguments: Any, step: float = STEP) -> list[np.ndarray]:
    """The derivative of the function's (summed) answer by each argument, one number of an argument at a time.

    >>> [gradient] = numerical_gradient(lambda x: x * x, [[1.0, 3.0]])
    >>> gradient.round(9).tolist()
    [2.0, 6.0]
    """
    inputs = [_wide(argument) for argument in (arguments if isinstance(arguments, list | tuple) else [arguments])]
    answers = []
    for position, value in enumerate(inputs):
        gradient = np.zeros_like(value)
        for index in np.ndindex(value.shape):
            moves = [np.zeros_like(other) for other in inputs]
            moves[position][index] = 1.0
            changes = nest.flatten(numerical_jvp(function, inputs, moves, step))
            gradient[index] = sum(change.sum() for change in changes)
        answers.append(gradient)
    return answers


def compute_gradient(f: Callable[..., Any], x: Sequence[Any], delta: float | None = None) -> tuple[Any, Any]:
    """TensorFlow's `tf.test.compute_gradient`: the Jacobians by each argument, as the tape has them and as differences do.

    Args: f, from tensors to a tensor; x, the list of its arguments; delta, how far they are moved (default 2**-10).
    Returns two tuples of matrices [numbers in the answer, numbers in the argument], in the arguments' dtype; a complex number
    counts as two real ones, its real part and its imaginary part.

    >>> theory, numbers = tf.test.compute_gradient(lambda x: x * x, [tf.constant([1.0, 3.0])])
    >>> theory[0].tolist(), bool(abs(theory[0] - numbers[0]).max() < 1e-2)
    ([[2.0, 0.0], [0.0, 6.0]], True)
    """
    if not isinstance(x, list | tuple):
        raise ValueError(
            f"`x` must be a list or tuple of tensors, got {type(x).__name__}. Write compute_gradient(f, [x])."
        )
    points = [convert(array) for array in x]
    with GradientTape(persistent=True) as tape:
        tape.watch(points)
        answer = _reals(convert(f(*points)))
    size, step = answer.array_now.size, 2.0**-10 if delta is None else delta
    found = tape.jacobian(answer, points, UnconnectedGradients.ZERO)
    theory = tuple(_real_view(slope.array_now.reshape(size, point.array.size)) for slope, point in zip(found, points))
    return theory, tuple(_differences(f, points, position, size, step) for position in range(len(points)))


def _reals(answer: Tensor) -> Tensor:
    """A complex answer as pairs of real numbers."""
    return stack([real(answer), imag(answer)], -1) if answer.dtype.is_complex else answer


def _real_view(matrix: np.ndarray) -> np.ndarray:
    """A matrix of complex numbers as one of twice as many columns."""
    matrix = matrix.copy()
    return matrix.view(matrix.real.dtype) if matrix.dtype.kind == "c" else matrix


def _differences(f: Callable[..., Any], points: list[Tensor], position: int, size: int, step: float) -> np.ndarray:
    array = points[position].array_now
    flat = _real_view(array.reshape(-1))
    columns = np.zeros((size, flat.size), flat.dtype)
    with no_recording():
        for column in range(flat.size):
            sides = []
            for sign in (1.0, -1.0):
                moved = flat.copy()
                moved[column] += sign * step
                argument = constant(moved.view(array.dtype).reshape(array.shape))
                arguments = [*points[:position], argument, *points[position + 1 :]]
                sides.append(_reals(convert(f(*arguments))).array_now.reshape(-1))
            columns[:, column] = (sides[0] - sides[1]) / (2.0 * step)
    return columns


# ---- the comparison -------------------------------------------------------------------------------------------------------


def _has_slope(array: np.ndarray) -> bool:
    return array.dtype.kind in "fc"


def _wide(value: Any) -> np.ndarray:
    """The numbers of an input, in float64 or complex128 where they have a slope."""
    array = np.asarray(value.array_now if isinstance(value, Operand) else value)
    return array.astype({"f": np.float64, "c": np.complex128}.get(array.dtype.kind, array.dtype))


def _tensors(arrays: Sequence[np.ndarray]) -> list[Tensor]:
    return [constant(array) for array in arrays]


def _flat(function: Callable[..., Any], inputs: Sequence[Any]) -> tuple[Flat, list[np.ndarray], list[str]]:
    """The function on the inputs with a slope, side by side; the point; and what to call each input."""
    leaves, names = [], []
    for position, value in enumerate(inputs):
        parts = nest.flatten(value)
        leaves += [_wide(part) for part in parts]
        names += [f"argument {position}" + (f", part {i}" if nest.is_nested(value) else "") for i in range(len(parts))]
    for name, leaf in zip(names, leaves, strict=True):
        if not _has_slope(leaf):
            warnings.warn(
                f"check_gradients leaves {name} as it is: dtype {leaf.dtype} has no slope. Write 3.0 instead of 3.",
                stacklevel=3,
            )

    def flat(moving: list[Tensor]) -> list[Tensor]:
        rest = iter(moving)
        whole = [next(rest) if _has_slope(leaf) else constant(leaf) for leaf in leaves]
        outputs = [convert(leaf) for leaf in nest.flatten(function(*nest.pack_sequence_as(list(inputs), whole)))]
        return [output for output in outputs if output.dtype.is_floating or output.dtype.is_complex]

    point = [leaf for leaf in leaves if _has_slope(leaf)]
    return flat, point, [name for name, leaf in zip(names, leaves, strict=True) if _has_slope(leaf)]


def _slope(before2: np.ndarray, before: np.ndarray, after: np.ndarray, after2: np.ndarray, step: float) -> np.ndarray:
    if not _has_slope(before):
        return np.zeros(before.shape)
    return np.asarray((8.0 * (after - before) - (after2 - before2)) / (12.0 * step))


def _random_like(draw: np.random.Generator, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
    def normal(array: np.ndarray) -> np.ndarray:
        real = draw.standard_normal(array.shape)
        return np.asarray(real + 1j * draw.standard_normal(array.shape) if array.dtype.kind == "c" else real)

    return [normal(array) for array in arrays]


def _inner(left: Sequence[np.ndarray], right: Sequence[np.ndarray]) -> float:
    """<v, u>: for complex numbers that of the plane, which makes Jᵀ TensorFlow's g * conj(f')."""
    return float(sum(np.real(np.conj(v) * u).sum() for v, u in zip(left, right, strict=True)))


def _pushed(flat: Flat, point: list[np.ndarray], position: int, tangent: Tensor) -> list[Tensor]:
    inputs = _tensors(point)
    with ForwardAccumulator(inputs[position], tangent) as accumulator:
        outputs = flat(inputs)
    return accumulator.jvp(outputs, UnconnectedGradients.ZERO)


def _derivative(flat: Flat, mode: str, count: int) -> Flat:
    """The first derivative as a function of the point (`count` tensors) and of the direction (the rest)."""

    def reverse(inputs: list[Tensor]) -> list[Tensor]:
        point, cotangents = inputs[:count], inputs[count:]
        with GradientTape() as tape:
            tape.watch(point)
            outputs = flat(point)
        return tape.gradient(outputs, point, cotangents, UnconnectedGradients.ZERO)

    def forward(inputs: list[Tensor]) -> list[Tensor]:
        point, tangents = inputs[:count], inputs[count:]
        with ForwardAccumulator(point, tangents) as accumulator:
            outputs = flat(point)
        return accumulator.jvp(outputs, UnconnectedGradients.ZERO)

    return reverse if mode == "reverse" else forward


def _check(
    flat: Flat, point: list[np.ndarray], names: list[str], order: int, modes: tuple[str, ...], over: tuple[str, ...],
    directions: int, draw: np.random.Generator, tolerance: float,
) -> None:  # fmt: skip
    values = [tensor.array_now for tensor in flat(_tensors(point))]
    for _ in range(directions):
        v, u = _random_like(draw, values), _random_like(draw, point)
        pull = _derivative(flat, "reverse", len(point))
        pulled = [leaf.array_now for leaf in pull(_tensors([*point, *v]))] if "reverse" in modes else []
        for position, name in enumerate(names):
            change = [np.zeros_like(array) if i != position else u[i] for i, array in enumerate(point)]
            back = _inner([pulled[position]], [u[position]]) if "reverse" in modes else None
            tangent = constant(u[position])
            pushed = [leaf.array_now for leaf in _pushed(flat, point, position, tangent)] if "forward" in modes else []
            found = partial(_against_difference, flat, point, change, v, back, pushed, name, over, tolerance)
            try:
                found(STEP)
            except AssertionError:  # of what bends sharply the difference may be to blame: this one is 256 times closer
                found(STEP / 4)
            if back is not None and "forward" in modes:
                forward, reverse = (" over ".join((mode, *over)) for mode in ("forward", "reverse"))
                _agree(
                    f"{forward} against {reverse}",
                    name,
                    ("<v, J u>", _inner(v, pushed)),
                    ("<Jᵀ v, u>", back),
                    "the two modes",
                    tolerance,
                )
    if order > 1:
        for mode in modes:
            seeds = _random_like(draw, values if mode == "reverse" else point)
            kind = "cotangent" if mode == "reverse" else "tangent"
            more = [*names, *[f"{kind} {i}" for i in range(len(seeds))]]
            derivative = _derivative(flat, mode, len(point))
            _check(derivative, [*point, *seeds], more, order - 1, modes, (mode, *over), directions, draw, tolerance)


def _against_difference(
    flat: Flat, point: list[np.ndarray], change: list[np.ndarray], v: list[np.ndarray], back: float | None,
    pushed: list[np.ndarray], name: str, over: tuple[str, ...], tolerance: float, step: float,
) -> None:  # fmt: skip
    """What the tape and the accumulator found along `change`, where they were asked, against a difference over this step."""
    difference = numerical_jvp(lambda *moved: flat(list(moved)), point, change, step)
    if back is not None:
        what = ("central difference", _inner(v, difference))
        mode = " over ".join(("reverse", *over))
        _agree(mode, name, ("reverse", back), what, "<Jᵀ v, u> along random u and v", tolerance)
    for output, (ours, theirs) in enumerate(zip(pushed, difference if pushed else [], strict=True)):
        where, number, other = _worst(ours, theirs)
        mode, what = " over ".join(("forward", *over)), ("central difference", other)
        _agree(mode, name, ("forward", number), what, f"output {output}{where} of J u", tolerance)


def _worst(ours: np.ndarray, theirs: np.ndarray) -> tuple[str, Any, Any]:
    """The element at which two arrays are furthest apart, and the two numbers there."""
    if ours.shape != theirs.shape:
        raise AssertionError(f"a derivative of shape {ours.shape} where the function's answer has {theirs.shape}")
    if not ours.size:
        return "", 0.0, 0.0
    distance = np.nan_to_num(np.abs(ours - theirs), nan=np.inf)
    index = np.unravel_index(int(np.argmax(distance)), ours.shape)
    return str([int(number) for number in index]) if index else "", ours[index].item(), theirs[index].item()


def _agree(mode: str, name: str, ours: tuple[str, Any], theirs: tuple[str, Any], where: str, tolerance: float) -> None:
    error, scale = abs(ours[1] - theirs[1]), max(1.0, abs(ours[1]), abs(theirs[1]))
    if error <= tolerance * scale:
        return
    order = mode.split(" against ", maxsplit=1)[0].count(" over ") + 1
    lines = [(ours[0], ours[1]), (theirs[0], theirs[1]), ("error", error)]
    width = max(len(label) for label, _ in lines)
    table = "\n".join(f"  {label:<{width}} {number: .12g}" for label, number in lines)
    raise AssertionError(
        f"wrong derivative: {mode}, order {order}, {name}\n{table}\n  at {where}; more than {tolerance:g} is too much. "
        "A kink close to the point gives such an error too."
    )
