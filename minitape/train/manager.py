"""`tf.train.CheckpointManager`: a folder with the last few checkpoints."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from .files import kept, note


class CheckpointManager:
    """Saves checkpoints with increasing numbers, and keeps the last `max_to_keep`.

    >>> import tempfile, os
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     manager = tf.train.CheckpointManager(tf.train.Checkpoint(v=tf.Variable(1.0)), folder, max_to_keep=2)
    ...     for _ in range(3):
    ...         path = manager.save()
    ...     [os.path.basename(name) for name in manager.checkpoints]
    ['ckpt-2', 'ckpt-3']
    """

    def __init__(
        self, checkpoint: Any, directory: Any, max_to_keep: int | None, keep_checkpoint_every_n_hours: float | None = None,
        checkpoint_name: str = "ckpt", step_counter: Any = None, checkpoint_interval: int | None = None,
        init_fn: Callable[[], Any] | None = None,
    ) -> None:  # fmt: skip
        self.checkpoint, self.directory = checkpoint, os.fspath(directory)
        self.checkpoint_interval = checkpoint_interval  # how many steps lie between two, at least
        self._most, self._name, self._steps, self._begin = max_to_keep, checkpoint_name, step_counter, init_fn
        self._saved_at: int | None = None
        self._names = [name for name in kept(self.directory) if os.path.exists(self._path(name) + ".npz")]

    def _path(self, name: str) -> str:
        return os.path.join(self.directory, name)

    @property
    def checkpoints(self) -> list[str]:
        """The names of those that are kept, oldest first."""
        return [self._path(name) for name in self._names]

    @property
    def latest_checkpoint(self) -> str | None:
        """The name of the newest, or None."""
        return self.checkpoints[-1] if self._names else None

    def save(self, checkpoint_number: Any = None, check_interval: bool = True, options: Any = None) -> Any:
        """Save, and delete the oldest beyond `max_to_keep`; returns the name, or None before `checkpoint_interval` is over."""
        if self.checkpoint_interval is not None and self._steps is not None:
            step = int(self._steps)
            if check_interval and self._saved_at is not None and step - self._saved_at < self.checkpoint_interval:
                return None
            self._saved_at = step
        prefix = self._path(self._name)
        if checkpoint_number is None:
            path = self.checkpoint.save(prefix)
        else:
            self.checkpoint.save_counter.assign_add(1)
            path = self.checkpoint.write(f"{prefix}-{int(checkpoint_number)}")
        name = os.path.basename(path)
        self._names = [*[kept for kept in self._names if kept != name], name]
        while self._most is not None and len(self._names) > self._most:
            os.unlink(self._path(self._names.pop(0)) + ".npz")
        note(self.directory, self._names)
        return path

    def restore_or_initialize(self) -> str | None:
        """Restore the newest and return its name; where there is none, call `init_fn` and return None."""
        if self.latest_checkpoint is not None:
            self.checkpoint.restore(self.latest_checkpoint)
        elif self._begin is not None:
            self._begin()
        return self.latest_checkpoint
