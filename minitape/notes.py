"""What a row says besides mathematics: how an op is written and described, which dtypes it takes, its names in TensorFlow."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, Never, NoReturn, TypeVar

EVERY_KIND = "biufcO"
NAMES: dict[str, Any] = {}  # TensorFlow's name without its `tf.`: the row or function that has it
WRITTEN: dict[Any, Notes] = {}  # a helper of the rules: how it is written where a derivative is told

Named = TypeVar("Named")


class Notes:
    """All that a row says besides its name, its forward computation and its derivatives.

    A `formula` is mathematics in the row's own names, with × ÷ − ² ³ ^ √(x) |x| xᵀ and `a if c else b`; pictures and tests
    compute with it.  A `phrase` is plain words.  A row that has both is described by its phrase, and written by its formula
    inside of other formulas.  Without either it is written as a call, name(x).
    """

    def __init__(
        self,
        formula: str = "",
        phrase: str = "",
        *,
        sign: str = "",  # for the disc of a picture: by default the row's name
        tf: str = "",  # TensorFlow's names for it, without `tf.`: "divide math.divide"
        title: str = "",  # what TensorFlow's messages call the op: by default the row's name in capitals
        called: tuple[str, ...] = (),  # TensorFlow's names of the operands, where they are not the row's
        domain: tuple[float, float] | str = (-2.0, 2.0),  # where the row is tested; or "positive", "nonzero"
        kinds: str = EVERY_KIND,  # NumPy's letters for the dtypes that it takes: "fc" for floats and complex numbers
        fractions: bool = False,  # whether whole numbers are computed with as fractions
        same_dtype: bool = True,  # whether the operands must have one dtype
        takes_batches: bool = False,  # whether one more axis in front of all values only repeats it, so that many tangents
        # go through it at once; elementwise rows do so anyway
        quiet: bool = False,  # log(0) is -inf, as in TensorFlow, and no warning
        doc: str = "",  # by default the formula or the phrase
        source: str = "",  # where the derivative can be looked up
        hint: str = "",  # what to try where the operands do not fit
        misfit: Callable[..., str]
        | None = None,  # (*shapes, **settings): TensorFlow's words; below them, how it would fit
        **misspelled: Never,
    ) -> None:
        if misspelled:
            _unknown(next(iter(misspelled)))
        self.formula, self.phrase, self.sign, self.tf, self.title = formula, phrase, sign, tf, title
        self.called, self.domain, self.kinds, self.same_dtype, self.quiet = called, domain, kinds, same_dtype, quiet
        self.fractions = fractions
        self.doc, self.source, self.hint, self.misfit = doc, source, hint, misfit
        self.takes_batches = takes_batches


class WhenAsked:
    """Stands in the place of `__doc__`: the text is written when somebody asks an object (None for its class) for it."""

    def __init__(self, write: Callable[[Any, Any], str | None]) -> None:
        self._write = write

    def __get__(self, thing: Any, kind: type) -> str | None:
        return self._write(thing, kind)


def _unknown(name: str) -> NoReturn:
    import difflib  # only a misspelled note needs it

    known = [*inspect.signature(Notes).parameters][:-1]
    near = difflib.get_close_matches(name, known, 1)
    meant = f"Did you mean {near[0]}=...? " if near else ""
    raise TypeError(f"a row has no note {name!r}\n  {meant}There are {', '.join(known)}.")


PLAIN = Notes()  # for rows without notes


def named(names: str) -> Callable[[Named], Named]:
    """Decorator: TensorFlow's names for a function, as `Notes.tf` has them for a row.

    >>> int(NAMES["truncatediv"](-7, 2))
    -3
    """

    def name(function: Named) -> Named:
        enter(names, function)
        return function

    return name


def enter(names: str, what: Any) -> None:
    """Register the names; raises ValueError for one that is taken."""
    for name in names.split():
        if name in NAMES:
            raise ValueError(f"tf.{name} is there already: it is {NAMES[name]!r}")
        NAMES[name] = what


def written(formula: Any = "", phrase: str = "") -> Callable[[Named], Named]:
    """Decorator: how a helper of the rules is written in the text of a derivative, in the names of its parameters.

    The formula may be a function of the helper's arguments that chooses one.  Tests compare it with the rule's numbers.  A
    helper without formula and phrase is written as a call.
    """

    def note(function: Named) -> Named:
        WRITTEN[function] = Notes(formula, phrase)
        return function

    return note


def call(name: str, arguments: Sequence[str]) -> str:
    """An op written as a call.

    >>> call("atan2", ["y", "x"])
    'atan2(y, x)'
    """
    return f"{name}({', '.join(arguments)})"
