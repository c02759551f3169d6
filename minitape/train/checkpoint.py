"""`tf.train.Checkpoint`: the numbers of a program's variables, written to a file and read back."""

from __future__ import annotations

import os
import weakref
from typing import Any

import numpy as np

from ..module import Module, waiting
from ..record.refusal import refusal, value_error
from ..variable import Variable
from .files import VALUE, kept, note, read, write
from .saved import Saved, saved_in, trackable


class Checkpoint:
    """Saves and restores the variables in modules, layers, models, optimizers, lists and dicts, by the path that leads to them.

    A file is written under another name, and renamed when it is complete.  Values whose variables do not exist yet, such as the
    weights of a layer that was not called, are assigned as soon as they do.  Raises ValueError for what holds no variables.

    >>> import tempfile, os
    >>> step, weights = tf.Variable(3), [tf.Variable([1.0, 2.0])]
    >>> checkpoint = tf.train.Checkpoint(step=step, weights=weights)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = checkpoint.save(os.path.join(folder, "ckpt"))
    ...     _ = step.assign(0)
    ...     status = checkpoint.restore(path)
    >>> os.path.basename(path), int(step)
    ('ckpt-1', 3)
    """

    save_counter: Any

    def __init__(self, root: Any = None, **objects: Any) -> None:
        for name, thing in {**objects, **({} if root is None else {"root": root})}.items():
            if not trackable(thing):
                raise value_error(
                    f"`Checkpoint` was expecting {name} to be a trackable object, got {thing!r}.",
                    "Variables, modules, layers, models, optimizers, and lists and dicts of them can be saved.",
                )
        self._root, self._objects = root, dict(objects)
        self._counter: Variable | None = None

    def __getattr__(self, name: str) -> Any:
        if name == "save_counter":
            return self._counting()
        objects = self.__dict__.get("_objects", {})
        if name in objects:
            return objects[name]
        raise AttributeError(f"this Checkpoint holds {list(objects)}, and no {name!r}")

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_"):
            super().__setattr__(name, value)
        else:
            self._objects[name] = value

    def _counting(self) -> Variable:
        if self._counter is None:
            self._counter = Variable(0, trainable=False, name="save_counter", dtype="int64")
        return self._counter

    @property
    def _tracked(self) -> dict[str, Any]:
        """What it saves, by name: its objects, its root, and the save counter."""
        counter = {} if self._counter is None else {"save_counter": self._counter}
        return {**self._objects, **({} if self._root is None else {"": self._root}), **counter}

    def _saved(self) -> list[Saved]:
        return [saved._replace(name=saved.name.strip("/")) for saved in saved_in(self)]

    def write(self, file_prefix: Any, options: Any = None) -> Any:
        """Save under this name, without a number; returns the name."""
        prefix = os.fspath(file_prefix)
        write(prefix, {saved.name + VALUE: saved.read() for saved in self._saved()})
        return prefix

    def save(self, file_prefix: Any, options: Any = None) -> str:
        """Save under the name with the next number, and note it as the folder's latest; returns the full name."""
        prefix = os.fspath(file_prefix)
        name = f"{prefix}-{int(self._counting().assign_add(1))}"
        self.write(name)
        folder = os.path.dirname(name)
        newest = os.path.basename(name)
        note(folder, [*[older for older in kept(folder) if older != newest], newest])
        return name

    def read(self, save_path: Any, options: Any = None) -> Status:
        """Assign the numbers of a file to the variables; raises NotFoundError where there is no file, ValueError for a shape."""
        return Status(self, read(os.fspath(save_path)))

    def restore(self, save_path: Any, options: Any = None) -> Status:
        """`read`, and the save counter too; with None, which `latest_checkpoint` returns at first, nothing is restored."""
        if save_path is None:
            return Status(self, {})
        self._counting()
        return self.read(save_path)


class Status:
    """The state of a restore: which values were assigned, and which wait for their variables."""

    def __init__(self, checkpoint: Checkpoint, arrays: dict[str, np.ndarray]) -> None:
        self._checkpoint, self._waiting = checkpoint, dict(arrays)
        self._restored: set[int] = set()
        self._settle()
        if self._waiting:
            # The objects keep the waiting values alive, also where the program keeps neither checkpoint nor status.
            for thing in checkpoint._tracked.values():
                if isinstance(thing, Module) or hasattr(thing, "_slots"):  # layers and models; optimizers
                    vars(thing)["_restoring"] = self
            waiting.append(weakref.WeakMethod(self._settle))

    def _settle(self) -> None:
        """Assign the waiting values whose variables exist by now."""
        for saved in self._checkpoint._saved():
            array = self._waiting.pop(saved.name + VALUE, None)
            if array is not None:
                saved.put(array)
                self._restored.add(id(saved.thing))
        if not self._waiting:
            waiting[:] = [reference for reference in waiting if reference() not in (None, self._settle)]

    def assert_consumed(self) -> Status:
        """Raises AssertionError unless everything in the file was assigned."""
        self._settle()
        if self._waiting:
            raise refusal(
                AssertionError,
                f"Unresolved object in checkpoint: {sorted(name.removesuffix(VALUE) for name in self._waiting)}",
                "A layer's weights are made by its first call; expect_partial() says that the rest is not wanted.",
            )
        return self.assert_existing_objects_matched()

    def assert_existing_objects_matched(self) -> Status:
        """Raises AssertionError unless every variable of the program was in the file."""
        self._settle()
        missing = [saved.name for saved in self._checkpoint._saved() if id(saved.thing) not in self._restored]
        if missing:
            raise refusal(
                AssertionError,
                f"Found {len(missing)} Python objects that were not bound to checkpointed values: {missing}",
                "The program that wrote the file did not have them under these names.",
            )
        return self

    def assert_nontrivial_match(self) -> Status:
        """Raises AssertionError unless something was restored."""
        self._settle()
        if not self._restored:
            raise refusal(
                AssertionError, "Nothing in the checkpoint was restored", "Its names belong to another program."
            )
        return self

    def expect_partial(self) -> Status:
        """Drop the waiting values."""
        self._waiting.clear()
        self._settle()
        return self
