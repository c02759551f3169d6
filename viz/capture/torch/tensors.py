"""Tensors as values of a stream: which tensor is which value, what it holds, and who has its bytes.

Nothing here keeps a tensor: each is known by a weak handle, and a storage by the handles and saved copies that are alive.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch

from ..numbers import Snapshot, shape_text, snapshot
from ..records import Value

HOLDERS = ("variable", "python", "tape", "flight")


class Store:
    """Some bytes, and who has them."""

    __slots__ = ("flying", "holder", "live", "nbytes", "places", "saved", "values", "variable")

    def __init__(self, nbytes: int) -> None:
        self.nbytes = nbytes
        self.values: list[Value] = []
        self.live = self.saved = 0  # tensors that are alive; copies that a graph keeps
        self.variable = self.flying = False
        self.holder = ""
        self.places: dict[Any, Value] = {}  # the last value of that offset, shape and stride


class Handle(weakref.ref):  # type: ignore[type-arg]
    """A tensor that is a value, held weakly."""

    __slots__ = ("key", "store", "value", "version")
    key: int
    value: Value
    version: int
    store: Store


def version_of(tensor: Any) -> int:
    """How often a tensor was changed in place; -1 for one that does not count."""
    return -1 if tensor.is_inference() else int(tensor._version)


def place_of(tensor: Any) -> tuple[Any, ...]:
    """Where in its storage a tensor lies."""
    return (
        tensor.storage_offset(), tuple(tensor.shape), tuple(tensor.stride()), tensor.dtype, tensor.is_conj(),
        tensor.is_neg(),
    )  # fmt: skip


def tensors_in(arguments: Any) -> list[Any]:
    """The tensors among arguments, those of lists too."""
    found = []
    for argument in arguments:
        if isinstance(argument, torch.Tensor):
            found.append(argument)
        elif isinstance(argument, list | tuple):
            found += tensors_in(argument)
    return found


class Tensors:
    """The tensors of a run."""

    def __init__(self) -> None:
        self.quiet = 0  # our own work on tensors, which nobody tells
        self.working = False  # whether a backward pass is on its way
        self.totals = dict.fromkeys(HOLDERS, 0)
        self._handles: dict[int, Handle] = {}
        self._stores: dict[int, Store] = {}
        self._touched: dict[Store, None] = {}
        self._alive: dict[Value, int] = {}
        self._gone: list[Value] = []
        self._count = 0

    # ---- which tensor is which value ------------------------------------------------------------------------------------

    def find(self, tensor: Any) -> Value | None:
        """The value that a tensor is; None for one never met, or changed behind our back."""
        handle = self._handles.get(id(tensor))
        same = handle is not None and handle() is tensor
        if handle is not None and same and (handle.value.variable or handle.version == version_of(tensor)):
            return handle.value
        store = self._stores.get(self.pointer(tensor))
        if store is None or not (store.live or store.saved):
            return None
        value = store.places.get(place_of(tensor))
        return None if value is None else self.put(tensor, value)

    def known(self, tensor: Any) -> Value:
        """The value that a tensor is; a new one for a tensor never met."""
        return self.find(tensor) or self.new(tensor)

    def put(self, tensor: Any, value: Value) -> Value:
        """From here on, this tensor is this value."""
        old = self._handles.pop(id(tensor), None)
        if old is not None and old() is not None:
            self._drop(old)
        store = self.store_of(tensor)
        store.places[place_of(tensor)] = value
        handle = Handle(tensor, self._died)
        handle.key, handle.value, handle.version, handle.store = id(tensor), value, version_of(tensor), store
        self._handles[handle.key] = handle
        store.live += 1
        store.variable |= value.variable
        if value not in store.values:
            store.values.append(value)
        self._alive[value] = self._alive.get(value, 0) + 1
        self._touched[store] = None
        return value

    def new(self, tensor: Any, name: str = "") -> Value:
        """A value of its own for a tensor."""
        dtype = str(tensor.dtype).removeprefix("torch.")
        nbytes = tensor.numel() * tensor.element_size()
        self._count += 1
        return self.put(tensor, Value(f"v{self._count}", dtype, tuple(tensor.shape), nbytes, False, name))

    def plain(self, number: Any) -> Value:
        """A value for a number that stands in a formula."""
        self._count += 1
        return Value(f"v{self._count}", "float32" if isinstance(number, float) else "int64")

    def changed(self, tensor: Any) -> None:
        """A tensor has changed in place: what else lay in its storage is no longer what it was."""
        self.store_of(tensor).places.clear()

    def _died(self, handle: Handle) -> None:
        if self._handles.get(handle.key) is handle:
            del self._handles[handle.key]
        self._drop(handle)

    def _drop(self, handle: Handle) -> None:
        handle.store.live -= 1
        self._touched[handle.store] = None
        left = self._alive[handle.value] = self._alive[handle.value] - 1
        if not left:
            self._gone.append(handle.value)

    # ---- bytes -----------------------------------------------------------------------------------------------------------

    @staticmethod
    def pointer(tensor: Any) -> int:
        """Where a tensor's storage lies; 0 for none."""
        try:
            return int(tensor.untyped_storage().data_ptr())
        except (RuntimeError, NotImplementedError):  # sparse and other tensors without a storage
            return 0

    def store_of(self, tensor: Any) -> Store:
        """The storage of a tensor."""
        where = self.pointer(tensor)
        if not where:
            return Store(0)
        known = self._stores.get(where)
        if known is None or not (known.live or known.saved):
            if known is not None:
                self._settle(known, [])
            known = self._stores[where] = Store(tensor.untyped_storage().nbytes())
        return known

    def keep(self, store: Store, by: int) -> None:
        """A graph keeps a copy more, or lets go of one."""
        store.saved += by
        self._touched[store] = None

    def flies(self, tensor: Any) -> None:
        """A tensor was made by a backward pass that is on its way."""
        self.store_of(tensor).flying = True

    def landed(self) -> None:
        """The backward pass is over."""
        self.working = False
        self._touched.update(dict.fromkeys(store for store in self._stores.values() if store.flying))
        for store in self._stores.values():
            store.flying = False

    def _holder(self, store: Store) -> str:
        if store.variable and store.live:
            return "variable"
        if store.live and not (store.flying and self.working):
            return "python"
        return "tape" if store.saved > 0 else "flight" if store.live else ""

    def _settle(self, store: Store, moved: list[tuple[Value, str]]) -> None:
        after = self._holder(store)
        if after != store.holder:
            if store.holder:
                self.totals[store.holder] -= store.nbytes
            if after:
                self.totals[after] += store.nbytes
            store.holder = after
            moved += [(value, after) for value in store.values]

    def settled(self) -> tuple[list[tuple[Value, str]], list[Value]]:
        """What has changed hands, and which values are gone, since this was last asked."""
        moved: list[tuple[Value, str]] = []
        touched, self._touched = self._touched, {}
        for store in touched:
            self._settle(store, moved)
        gone, self._gone = self._gone, []
        return moved, [value for value in gone if not self._alive.get(value)]

    # ---- numbers ---------------------------------------------------------------------------------------------------------

    @contextmanager
    def unseen(self) -> Iterator[None]:
        """A block of our own work on tensors."""
        self.quiet += 1
        try:
            yield
        finally:
            self.quiet -= 1

    def see(self, tensor: Any) -> Snapshot:
        """What a tensor holds now."""
        self.quiet += 1
        try:
            if tensor.layout is not torch.strided or tensor.device.type == "meta" or tensor.is_quantized:
                return Snapshot(f"{shape_text(tensor.shape)} {str(tensor.layout).removeprefix('torch.')}".strip(), None)
            plain = torch.zeros_like(tensor) if tensor._is_zerotensor() else tensor.detach()
            if plain.dtype is torch.bfloat16 or plain.dtype is torch.float16:
                plain = plain.float()
            if plain.device.type != "cpu":
                plain = plain.cpu()
            if plain.ndim == 0 and plain.dtype in (torch.float32, torch.float64):
                return Snapshot(None, None, plain.item())
            return snapshot(plain.resolve_conj().resolve_neg().numpy())
        except (RuntimeError, TypeError, NotImplementedError):
            return Snapshot(shape_text(tensor.shape) or "?", None)
        finally:
            self.quiet -= 1
