"""What a subclass of `Optimizer` remembers, in Keras's words: made in `build`, changed in `update_step`."""

from __future__ import annotations

from typing import Any

from ...variable import Variable
from .. import initializers


class Memory:
    """Variables that belong to an optimizer, and how a step changes them."""

    _own: list[Variable]
    _slots: dict[Any, dict[str, Variable]]

    def add_variable_from_reference(
        self, reference_variable: Any, name: str | None = None, initializer: Any = "zeros"
    ) -> Variable:
        """A variable of another's shape and dtype, by default filled with zeros."""
        return self.add_variable(reference_variable.shape, initializer, reference_variable.dtype, name=name)

    def add_variable(
        self, shape: Any, initializer: Any = "zeros", dtype: Any = None, aggregation: str = "none",
        name: str | None = None,
    ) -> Variable:  # fmt: skip
        """A variable of the optimizer's own."""
        value = initializers.get(initializer)(tuple(shape), dtype=dtype or "float32")
        self._own.append(Variable(value, trainable=False, name=name))
        return self._own[-1]

    def _get_variable_index(self, variable: Any) -> int:
        return list(self._slots).index(variable.ref())

    def assign(self, variable: Any, value: Any) -> None:
        """Put a value into a variable."""
        variable.assign(value)

    def assign_add(self, variable: Any, value: Any) -> None:
        """Add to a variable."""
        variable.assign_add(value)

    def assign_sub(self, variable: Any, value: Any) -> None:
        """Take away from a variable."""
        variable.assign_sub(value)
