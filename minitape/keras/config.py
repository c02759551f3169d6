"""The arguments of an object's constructor: `get_config` gives them, and `from_config` makes another object of them.

Every argument of a constructor is an attribute of the same name, so `get_config` reads them from the object, and no class
writes them down a second time.
"""

from __future__ import annotations

import inspect
import weakref
from collections.abc import Callable, Mapping
from typing import Any

from ..dtypes import DType
from ..notes import WhenAsked
from ..record.refusal import behind, did_you_mean, refusal, type_error, value_error
from .names import snake

NAMED: dict[Any, str] = {}  # functions that stand in a config by their names; `activations.py` fills it

KINDS = (
    "Constraint", "Initializer", "Layer", "LearningRateSchedule", "Loss", "Metric", "Optimizer", "Regularizer",
)  # fmt: skip


class Configured:
    """Something that can say with which arguments it was made.

    There are `KINDS` (layers, losses, ...); within a kind a class is found by its name.

    >>> class Thing(Configured):
    ...     def __init__(self, width=1.0):
    ...         self.width = width
    >>> Thing(2.0).get_config(), Thing.from_config({"width": 3.0}).width
    ({'width': 2.0}, 3.0)
    """

    _kind: str = "object"
    _classes: Any = {}
    _kept_as: dict[str, str] = {}  # by argument: its attribute, where that has another name
    _fixed: tuple[str, ...] = ()  # arguments of the base class that this class sets itself
    _example: str  # of a family whose examples differ by the class's name and by the `answer`, which each says

    def __init_subclass__(cls, answer: str = "", **options: Any) -> None:
        super().__init_subclass__(**options)
        if answer:
            cls.__doc__ = cls.__doc__ and f"{cls.__doc__}\n\n{cls._example.format(cls.__name__)}\n{answer}"
        if cls.__name__ in KINDS and _ours(cls):
            cls._kind, cls._classes = snake(cls.__name__), weakref.WeakValueDictionary()
        cls._classes[cls.__name__] = cls

    def get_config(self) -> dict[str, Any]:
        """The arguments of its constructor, by name: numbers, names, and dicts for objects.

        A subclass that keeps an argument under another name writes a `get_config` of its own.
        """
        config, missing = {}, []
        for name in arguments(_maker(type(self))):
            attribute = self._kept_as.get(name, name)
            if hasattr(self, attribute):
                config[name] = described(getattr(self, attribute))
            else:
                missing.append(name)
        if missing and _maker(type(self)) is type(self):
            raise refusal(
                NotImplementedError,
                f"{type(self).__name__} does not say what it was made with: its constructor takes {missing}, and there is no "
                "attribute of that name.",
                f"Write self.{missing[0]} = {missing[0]} in __init__, or a get_config of your own.",
            )
        return config

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> Any:
        """Another object, made with the same arguments."""
        return cls(**config)


def _maker(cls: type) -> type:
    """The class whose constructor's arguments a config holds; its subclasses add theirs in their own `get_config`."""
    classes = [ancestor for ancestor in cls.__mro__ if issubclass(ancestor, Configured)]
    own = [
        position for position, ancestor in enumerate(classes) if "get_config" in vars(ancestor) and not _ours(ancestor)
    ]
    return classes[own[-1] + 1] if own else classes[0]


def _ours(cls: type) -> bool:
    return cls.__module__.startswith(__name__.rpartition(".")[0])


def arguments(cls: type) -> list[str]:
    """The names of a constructor's arguments; if it takes **options, those of the next constructor too."""
    if "__signature__" in vars(cls):
        return list(vars(cls)["__signature__"].parameters)
    names: dict[str, None] = {}
    fixed: set[str] = set()
    table = getattr(cls, "_taken", ())  # arguments that stand in a table of the class, and not in its signature
    for ancestor in cls.__mro__:
        fixed.update(vars(ancestor).get("_fixed", ()))
        if "__init__" not in vars(ancestor):
            continue
        if "__signature__" in vars(ancestor):
            names.update(dict.fromkeys(vars(ancestor)["__signature__"].parameters))
            break
        parameters = [*inspect.signature(vars(ancestor)["__init__"]).parameters.values()][1:]
        named = [item for item in parameters if item.kind in (item.POSITIONAL_OR_KEYWORD, item.KEYWORD_ONLY)]
        names.update(dict.fromkeys([*(item.name for item in named), *table]))
        if not any(item.kind is item.VAR_KEYWORD for item in parameters):
            break
        if ancestor.__name__ in KINDS:  # a kind refuses what it does not know
            break
    first = [name for name in ("name", "trainable", "dtype") if name in names]
    return [name for name in (*first, *(name for name in names if name not in first)) if name not in fixed]


class OfFunction(Configured):
    """A function with settings, as an object: the constructor takes the function's arguments from the third on, and common ones.

    A class names its function where it is defined, and is told by it: its first sentence, its example, and in `_means` what
    becomes of its numbers.  The settings stand before the `_common` arguments, or after them where `_settings_last`.
    """

    function: Callable[..., Any]
    _means: str
    _common: dict[str, Any] = {}
    _settings_last = False
    _settings: dict[str, Any] = {}

    def __init_subclass__(
        cls, function: Callable[..., Any] | None = None, usual_name: str = "", settings_last: bool | None = None
    ) -> None:
        super().__init_subclass__()
        if function is None:
            return
        setattr(cls, "function", staticmethod(function))  # noqa: B010  a type checker takes it for a method
        setattr(cls, "usual_name", usual_name or snake(cls.__name__))  # noqa: B010  which the kind declares
        settings = {item.name: item.default for item in [*inspect.signature(function).parameters.values()][2:]}
        cls._settings = settings
        if _ours(cls):
            cls.__doc__ = WhenAsked(lambda _, kind: kind._told())  # type: ignore[assignment]
        last = cls._settings_last if settings_last is None else settings_last
        order = {**cls._common, **settings} if last else {**settings, **cls._common}
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        cls.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [inspect.Parameter(name, kind, default=default) for name, default in order.items()]
        )

    @classmethod
    def _told(cls) -> str | None:
        function = behind(cls.function)
        if function.__doc__ is None:  # Python was told to leave docstrings out
            return None
        from ..manual import of_function  # with rooms that load late

        says = function.__doc__.partition("\n")[0]
        return f"{says}\n\n{cls._means.format(function.__name__)}\n\n{of_function(cls, function)}"

    def _settle(self, args: tuple[Any, ...], options: dict[str, Any]) -> dict[str, Any]:
        """Keep the settings as attributes, and return the common arguments."""
        cls = next((ancestor for ancestor in type(self).__mro__ if "__signature__" in vars(ancestor)), None)
        if cls is None:
            kind = type(self).__name__
            raise type_error(f"{kind} has no function of its own", f"Write a class of {kind} that has one.")
        given = vars(cls)["__signature__"].bind(*args, **options).arguments
        for name, default in self._settings.items():
            setattr(self, name, given.pop(name, default))
        return dict(given)

    def _of(self, y_true: Any, y_pred: Any) -> Any:
        return type(self).function(y_true, y_pred, **{name: getattr(self, name) for name in self._settings})


def described(value: Any) -> Any:
    """A value as a config holds it.

    >>> from .initializers import Constant
    >>> described(Constant(2.0))
    {'class_name': 'Constant', 'config': {'value': 2.0}}
    """
    if isinstance(value, Configured):
        return {"class_name": type(value).__name__, "config": value.get_config()}
    if isinstance(value, DType):
        return value.name
    if isinstance(value, list | tuple):
        return type(value)(described(part) for part in value)
    if isinstance(value, dict):
        return {key: described(part) for key, part in value.items()}
    return NAMED.get(behind(value), value) if callable(value) else value


def revived(kind: type[Configured], description: Any) -> Any:
    """The object that a description stands for; anything else comes back as it is.

    Raises ValueError where there is no class of that name.
    """
    if not isinstance(description, Mapping) or "class_name" not in description:
        return description
    name = description["class_name"]
    if name not in kind._classes:  # Keras takes those of optimizers in small letters
        name = next((known for known in list(kind._classes) if known.lower() == name), name)
    if name not in kind._classes:
        raise value_error(
            f"Could not find the {kind._kind} class {name!r}.",
            "Define or import it first: a class of your own is found by its name.",
        )
    return kind._classes[name].from_config(description.get("config", {}))


def pick(
    kind: type[Configured], identifier: Any, short: Mapping[str, Callable[[], Any]] | None = None, hint: str = ""
) -> Any:
    """The object of a kind for a name, a class, a description or an object; None and functions come back as they are.

    Names are those of the classes, as they are or in small letters, and the `short` ones.  Raises ValueError for others.
    """
    short = short or {}
    if identifier is None or isinstance(identifier, kind):
        return identifier
    if isinstance(identifier, Mapping) and "class_name" in identifier:
        return revived(kind, identifier)
    if isinstance(identifier, str):
        if identifier in short:
            return short[identifier]()
        for cls in list(kind._classes.values()):
            if identifier in (cls.__name__, snake(cls.__name__), cls.__name__.lower()):
                return cls()
    elif isinstance(identifier, type) and issubclass(identifier, kind):
        return identifier()
    elif callable(identifier):
        return identifier
    written = str.lower if kind._kind == "optimizer" else snake
    public = [
        name for name, cls in kind._classes.items()
        if _ours(cls) and name not in KINDS and name[0] != "_" and (not issubclass(cls, OfFunction) or hasattr(cls, "function"))
    ]  # fmt: skip
    made = [written(name) for name in public if not _needs_more(kind._classes[name])]
    raise no_such_name(kind._kind, identifier, sorted({*made, *short}), hint)


def _needs_more(cls: type) -> bool:
    """Whether a class takes what it cannot do without, so that its name alone makes no object."""
    needed = [item for item in inspect.signature(cls).parameters.values() if item.default is item.empty]
    return any(item.kind is item.POSITIONAL_OR_KEYWORD for item in needed)


def no_such_name(what: str, identifier: Any, names: list[str], hint: str) -> Exception:
    """What is raised for a name that stands for nothing of a kind: the nearest one that does, and all of them."""
    near = did_you_mean([identifier], names) if isinstance(identifier, str) else ""
    known = f" Names are {', '.join(names)}." if names else ""
    return value_error(f"Could not interpret {what} identifier: {identifier}{near or '.'}{known}", hint)


def stored(room: str, get: Callable[[Any], Any], called: str, made: str, config: str = "config") -> tuple[Any, Any]:
    """`serialize` and `deserialize` of a room of `tf.keras`: an object as the name of its class and its arguments, and back.

    `called` and `config` are the names of their arguments; `made` is an object of the room, for their examples.
    """

    def serialize(*args: Any, **named: Any) -> Any:
        return described(inspect.signature(serialize).bind(*args, **named).arguments[called])

    def deserialize(*args: Any, **named: Any) -> Any:
        return get(inspect.signature(deserialize).bind(*args, **named).arguments[config])

    parameter, kind = inspect.Parameter, inspect.Parameter.POSITIONAL_OR_KEYWORD
    name, begin = repr(made.partition("(")[0]), f">>> room = tf.keras.{room}\n"
    takes = [[parameter(called, kind)], [parameter(config, kind), parameter("custom_objects", kind, default=None)]]
    for function, parameters in zip((serialize, deserialize), takes):
        function.__qualname__ = function.__name__
        vars(function)["__signature__"] = inspect.Signature(parameters)
    serialize.__doc__ = (
        "An object as the name of its class and its arguments; a function of the room by its name.\n\n"
        f'{begin}>>> room.serialize(room.{made})["class_name"]\n{name}'
    )
    deserialize.__doc__ = (
        "The object that such a description, or a name, stands for; raises ValueError for an unknown one.\n\n"
        f"{begin}>>> type(room.deserialize(room.serialize(room.{made}))).__name__\n{name}"
    )
    return serialize, deserialize
