"""What passes between wrapped layers: the record of a call, and rebuilt values left with those of the forward pass."""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import nest
from ..call import Derivative
from ..record.ledger import TAPE
from ..tensor import Operand, Tag, Tensor
from ..trace import Application
from .account import Account, nbytes
from .determinism import Readings
from .inside import At, Step, at

if TYPE_CHECKING:
    from .wrapper import AbstractRecomputeWrapper

Key = Any


def key(tensor: Tensor) -> Key:
    """A key that a value shares with its identities: its buffer; for a part of a buffer also address, shape and strides."""
    array, base = tensor.array, tensor.array.base
    if base is None:
        return tensor.buffer
    layout = array.__array_interface__["data"][0], array.shape, array.strides
    while isinstance(base.base, np.ndarray):
        base = base.base
    whole = isinstance(base, np.ndarray) and layout == (base.__array_interface__["data"][0], base.shape, base.strides)
    return tensor.buffer if whole else (tensor.buffer, *layout)


class _Attached:
    """Rebuilt values, by the key of the value from the forward pass, and dropped with the last handle on that."""

    def __init__(self) -> None:
        self.values: dict[Key, Tensor] = {}
        self._keys: dict[Tag, Key] = {}

    def put(self, tensor: Tensor, rebuilt: Tensor) -> None:
        value_key = self._keys[tensor.tag] = key(tensor)
        self.values[value_key] = rebuilt
        tensor.tag.followers = (*tensor.tag.followers, weakref.ref(self))

    def forget(self, tag: Tag) -> None:
        if not tag.handles:
            self.values.pop(self._keys.pop(tag, ()), None)


_attached = _Attached()
# The call that made a value, under the key of the call's first output.  One output is enough to find it: the next layer takes
# all outputs of a call or none.
_makers: weakref.WeakValueDictionary[Key, WrappedCall] = weakref.WeakValueDictionary()


def attach(tensor: Tensor, rebuilt: Tensor) -> None:
    """Store a rebuilt value for the original, for as long as anybody has a handle on that."""
    _attached.put(tensor, rebuilt)


def attached(tensor: Tensor) -> Tensor | None:
    """The rebuilt value stored for a tensor, or None."""
    return _attached.values.get(key(tensor))


class WrappedCall(Derivative):
    """One call of a wrapped layer, and its pullback.

    `inputs` is what `call` was given, in its structure, while `_gradient` runs and if the class keeps it; `kwargs` are the
    keyword arguments, `variables` the trainable variables that were read.
    """

    __slots__ = (
        "_after", "_after_faint", "_into", "_keys", "_layer", "_outputs", "_rebuilt", "_template", "_watch", "account", "anchor",
        "arrived", "captured", "drawn", "draws", "inputs", "kwargs", "readings", "script", "sources", "variables",
    )  # fmt: skip

    def __init__(
        self, layer: AbstractRecomputeWrapper, kwargs: dict[str, Any], anchor: bool, watch: Any, account: Account
    ) -> None:
        self.account = account
        self._layer, self.kwargs, self.anchor, self._watch = layer, kwargs, anchor, watch
        self.inputs: Any = None
        self.variables: tuple[Any, ...] = ()
        self.captured: list[Tensor] = []  # tensors from outside, while `_gradient` runs
        self.arrived: dict[Tag, Any] = {}  # and what has come back to them so far
        self.readings = Readings({})
        self.script: list[Step] = []  # what `call` did, for a layer that compares
        self.sources: list[str] = []  # from where the call drew random numbers
        self.drawn: list[Any] | None = None  # where the generators were before the call, if it drew from any
        self.draws: dict[str, list[Any]] | None = None  # the same for single blocks of a layer that rebuilds its inputs
        self._outputs: tuple[Tensor, ...] | None = None
        self._rebuilt: tuple[Any, ...] | None = None  # left by the layer after this one, in the walk that is going on
        self._after: WrappedCall | None = None
        self._after_faint: Any = None

    # ---- forward ------------------------------------------------------------------------------------------------------------

    def made(self, args: Any, flat: list[Tensor], outputs: list[Tensor]) -> None:
        """The call is done: keep its outputs if the class says so.

        Where a layer rebuilds its inputs, the layers before it need not keep their outputs.
        """
        leaves = iter(range(len(flat)))
        self._template = nest.map_structure(
            lambda value: at(next(leaves)) if isinstance(value, Operand) else value, args
        )
        self._into = tuple([key(leaf) for leaf in flat])
        self._keys = tuple([key(output) for output in outputs])
        if self._layer.keeps_outputs:
            self._outputs = tuple([output.handle(TAPE) for output in outputs])
            self.account.result_bytes = nbytes([output.buffer for output in outputs])
        if self._keys:
            _makers[self._keys[0]] = self
        if self._layer.hands_up:
            for before in self._before():
                if set(before._keys) <= set(self._into):
                    before._after = self
                    if not before.anchor:
                        before._outputs = None
                        before.account.result_bytes = 0

    def _before(self) -> list[WrappedCall]:
        found = {
            id(call): call
            for call in [_makers.get(value_key) for value_key in self._into]
            if call is not None and call is not self
        }
        return list(found.values())

    # ---- back ---------------------------------------------------------------------------------------------------------------

    def pull(
        self, application: Application, values: Any, cotangents: Any, wanted: tuple[bool, ...]
    ) -> Iterator[tuple[int, Tensor | None]]:
        """Call the layer's `_gradient`."""
        answers = self._layer._back(self, application, values, cotangents)
        for position, want in enumerate(wanted):
            if want:
                yield position, answers[position]

    def accumulate(self, captured: Sequence[Tensor], found: Sequence[Any]) -> None:
        """Accumulate the cotangents that a block's rerun found for tensors from outside."""
        for capture, cotangent in zip(captured, found, strict=True):
            if cotangent is not None:
                before = self.arrived.get(capture.tag)
                self.arrived[capture.tag] = cotangent if before is None else before + cotangent

    def unwatched(self) -> None:
        """Do not compare what will be rebuilt: a warning has said already why it may differ."""
        self._watch = None

    @property
    def count(self) -> int:
        """How many tensors went in, in the structure of the arguments."""
        return len(self._into)

    def recalls(self, kept: list[Any], keeps: bool) -> None:
        """Put the inputs and the tensors from outside back together, from what the entry kept."""
        if keeps:
            self.inputs = nest.map_structure(
                lambda leaf: kept[leaf.position] if isinstance(leaf, At) else leaf, self._template
            )
        self.captured = [value for value in kept[self.count + len(self.variables) :] if value is not None]

    def forgets(self) -> None:
        """The backward pass is over."""
        self.inputs, self.captured, self.arrived = None, [], {}

    def rev_ys(self) -> tuple[Any, ...]:
        """The outputs: rebuilt ones if the layer after left some, else the true ones; an anchor's are always true."""
        rebuilt, self._rebuilt = self._rebuilt, None
        left = [_attached.values.get(value_key) for value_key in self._keys]
        if not self.anchor and rebuilt is not None:
            return rebuilt
        some = any([value is not None for value in left])
        if self._outputs is not None and (self.anchor or not some):
            return self._outputs
        if some:
            own = self._outputs or (None,) * len(left)
            return tuple([kept if value is None else value for value, kept in zip(left, own, strict=True)])
        after = self._after or (self._after_faint() if self._after_faint else None)
        if after is None:
            return (None,) * len(self._keys)
        # The backward pass began at this layer, not after it: undo the later one just for its inputs.
        inputs = dict(zip(after._into, nest.flatten(after._layer._undone(after)), strict=True))
        return tuple([inputs[value_key] for value_key in self._keys])

    def hand_up(self, rev_xs: Sequence[Any]) -> None:
        """Store the rebuilt inputs for the layers that made them."""
        if self._watch is not None:
            self._watch(rev_xs)
        rebuilt = dict(zip(self._into, rev_xs, strict=True))
        for before in self._before():
            values = tuple([rebuilt.get(value_key) for value_key in before._keys])
            if all([value is not None for value in values]):
                before._rebuilt = values
            if before._after is self:  # or earlier layers of a released tape would keep it alive
                before._after, before._after_faint = None, weakref.ref(self)
