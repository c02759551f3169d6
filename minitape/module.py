"""`tf.Module`: an object that finds the variables it holds."""

from __future__ import annotations

import functools
import re
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from . import nest
from .record.refusal import type_error, value_error
from .scope import name_scope
from .variable import Variable

Method = TypeVar("Method", bound=Callable[..., Any])

# Functions of checkpoints that were restored before the variables were made: called when an object has made some.  Held weakly.
waiting: list[weakref.WeakMethod[Callable[[], None]]] = []


def grown() -> None:
    """Call the functions in `waiting`, because a module has new variables."""
    for reference in tuple(waiting):
        settle = reference()
        if settle is None:
            waiting.remove(reference)
        else:
            settle()


class Module:
    """Collects the variables and modules in its attributes, also those inside lists, tuples and dicts.

    The order is that of the attributes' names; a module's own come before those of the modules in it.  Raises ValueError
    for a name that is no Python identifier.

    >>> class Line(tf.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.slope, self.height = tf.Variable(2.0, name="slope"), tf.Variable(1.0, name="height")
    ...
    ...     def __call__(self, x):
    ...         return self.slope * x + self.height
    >>> line = Line()
    >>> line.name, [variable.name for variable in line.trainable_variables], float(line(3.0))
    ('line', ['height:0', 'slope:0'], 7.0)
    """

    # Attributes that are not searched; a subclass may add its own.
    _TF_MODULE_IGNORED_PROPERTIES: frozenset[str] = frozenset(("_name", "_name_scope"))

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "forward" in vars(cls) and not any("__call__" in vars(base) for base in cls.__mro__):
            setattr(cls, "__call__", _has_forward)  # noqa: B010  a plain assignment is no method to the type checker

    def __init__(self, name: str | None = None) -> None:
        name = _snake(type(self).__name__) if name is None else name
        if not name.isidentifier():
            raise value_error(
                f"{name!r} is not a valid module name. Module names must be valid Python identifiers",
                "Write letters, digits and _, such as 'my_model'.",
            )
        self._name = name
        with name_scope(name) as path:  # a module keeps the scope in which it was made, wherever it is called
            self._name_scope = name_scope(path)

    @property
    def name(self) -> str:
        """The name given, or the class's in small letters."""
        return self._name

    @property
    def name_scope(self) -> Any:
        """Enter it to give variables this module's name in front of theirs."""
        return self._name_scope

    @property
    def variables(self) -> Sequence[Variable]:
        """All variables, each once."""
        return tuple(found for found in self._found() if isinstance(found, Variable))

    @property
    def trainable_variables(self) -> Sequence[Variable]:
        """The variables that tapes watch by themselves."""
        return tuple(variable for variable in self.variables if variable.trainable)

    @property
    def non_trainable_variables(self) -> Sequence[Variable]:
        """All other variables."""
        return tuple(variable for variable in self.variables if not variable.trainable)

    @property
    def submodules(self) -> tuple[Module, ...]:
        """All modules inside this one."""
        return tuple(found for found in self._found() if isinstance(found, Module))

    def _searched(self) -> Sequence[Any]:
        """Where its variables and modules are looked for: in its attributes, in the order of their names."""
        return [value for name, value in sorted(vars(self).items()) if name not in self._TF_MODULE_IGNORED_PROPERTIES]

    def _found(self) -> Iterator[Any]:
        """Variables and modules, nearest first, each once."""
        seen, waiting = {id(self)}, [self]
        while waiting:
            inner = []
            for value in waiting.pop(0)._searched():
                for leaf in nest.flatten(value) if _sortable(value) else ():
                    if isinstance(leaf, Variable | Module) and id(leaf) not in seen:
                        seen.add(id(leaf))
                        yield leaf
                        inner += [leaf] if isinstance(leaf, Module) else []
            waiting = inner + waiting

    @classmethod
    def with_name_scope(cls, method: Method) -> Method:
        """A method that runs inside the module's name scope.

        >>> class Cell(tf.Module):
        ...     @tf.Module.with_name_scope
        ...     def make(self):
        ...         return tf.Variable(1.0, name="w").name
        >>> Cell().make()
        'cell/w:0'
        """

        @functools.wraps(method)
        def inside(self: Module, *args: Any, **kwargs: Any) -> Any:
            with self.name_scope:
                return method(self, *args, **kwargs)

        return inside  # type: ignore[return-value]


def _snake(name: str) -> str:
    """CamelCase as snake_case."""
    return re.sub(r"((?<=[a-z0-9])[A-Z]|(?!^)[A-Z](?=[a-z]))", r"_\1", name).lower()


def _has_forward(self: Module, *values: Any, **settings: Any) -> Any:
    raise type_error(
        f"{type(self).__name__!r} object is not callable: it has forward, as in PyTorch, but no __call__",
        "Write def __call__(self, x) instead of def forward(self, x).",
    )


def _sortable(value: Any) -> bool:
    """Whether `nest` can flatten it: a dict whose keys cannot be sorted is no structure of tensors."""
    try:
        nest.flatten(value)
    except TypeError:
        return False
    return True
