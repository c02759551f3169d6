"""Which cells of a notebook show a widget: one that no cell shows any more lets go of what it holds.

ipywidgets keeps every widget until it is closed, so that a cell which is run again and again would leave one behind each time,
and a plain program, which shows none, as many as it makes.
"""

from __future__ import annotations

import sys
from collections.abc import MutableMapping
from typing import Any
from weakref import WeakSet, WeakValueDictionary

import comm

_shown: dict[str, WeakSet[Any]] = {}  # by the cell's id
_models: MutableMapping[str, Any] = WeakValueDictionary()  # by the id in what a cell shows
_following: list[Any] = []  # the shell that tells which cell begins


def shows(widget: Any) -> None:
    """A widget is about to be shown, by the cell that is running; one that was put away is taken out again."""
    if widget.comm is None:
        widget.layout.open()
        widget.open()
    _models[widget.model_id] = widget
    cell = _running()
    if cell:
        _shown.setdefault(cell, WeakSet()).add(widget)


def showing(model: str) -> Any:
    """The widget that a cell's output names, or None."""
    return _models.get(model)


def keep() -> None:
    """From now on keep all that was shown, for somebody who makes a page of it."""
    global _models
    _models = dict(_models)


def rests(widget: Any) -> None:
    """Put a widget away that nobody shows at the moment, where there is no front end to show it."""
    if isinstance(widget.comm, comm.DummyComm):
        put_away(widget)


def put_away(widget: Any) -> None:
    """Close a widget in such a way that it can be shown again."""
    widget.layout.close()
    widget.close()
    vars(widget).pop("_repr_mimebundle_", None)  # where ipywidgets notes that it is closed


def _running() -> str:
    """The id of the cell that is running; "" where there is no notebook, or one that does not tell."""
    IPython: Any = sys.modules.get("IPython")
    shell = IPython and IPython.get_ipython()
    parent = shell.get_parent() if hasattr(shell, "get_parent") else None
    cell = str((parent or {}).get("metadata", {}).get("cellId") or "")
    if cell and shell not in _following:
        _following[:] = [shell]
        shell.events.register("pre_run_cell", _begins)
    return cell


def _begins(info: Any) -> None:
    """A cell is run again: what it showed is gone from the notebook."""
    for widget in _shown.pop(getattr(info, "cell_id", None) or "", ()):
        if not any([widget in others for others in _shown.values()]):
            put_away(widget)
            _forget(_following[0], widget)


def _forget(shell: Any, widget: Any) -> None:
    """Take a widget out of `Out`, where IPython keeps what every cell answered for as long as the kernel lives."""
    outputs = shell.user_ns.get("_oh", {})
    for number in [number for number, value in outputs.items() if value is widget]:
        del outputs[number]
        shell.drop_by_id({f"_{number}": widget})
        for kept in ("outputs", "output_hist_reprs"):  # what the notebook was sent, since IPython 9, and its words
            getattr(shell.history_manager, kept, {}).pop(number, None)
