"""The reference, from the docstrings: what is public, its signature, its words, its example, and where it is written.

Docstrings are plain sentences, not markup: every sign in them is shown as it stands, `code` and examples apart. So no
docstring of any room can break the site.
"""

from __future__ import annotations

import enum
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
HERE = ("minitape", "viz")

# a page: its file, its title, what it says first, and what is on it: modules, or single names of them
PAGES: list[tuple[str, str, str, list[str]]] = [
    ("tapes", "Tapes and accumulators", "Recording, asking, and asking why.", [
        "minitape.GradientTape", "minitape.autodiff.ForwardAccumulator", "minitape.Variable", "minitape.Tensor",
        "minitape.UnconnectedGradients", "minitape.IndexedSlices", "minitape.strict", "minitape.compat", "minitape.about",
    ]),
    ("rules", "Rules of your own, and running again", "Custom gradients, recomputation, reversible layers, schedules.", [
        "minitape.custom_gradient", "minitape.grad_pass_through", "minitape.recompute_grad", "minitape.policies",
        "minitape.RecomputeWrapper", "minitape.AbstractRecomputeWrapper", "minitape.ReversibleLayer",
        "minitape.ReversibleSequential", "minitape.checkpoint_sequential", "minitape.plan", "minitape.function",
    ]),
    ("viz", "Pictures", "`import viz`: every function takes a run, or a tape where a tape has enough to say.", ["viz"]),
    ("operations", "Operations", "What `minitape` itself has; [the derivative table](../docs/ops.md) says what each op keeps.", [
        "minitape",
    ]),
    ("namespaces", "Operations by subject", "The namespaces, as TensorFlow has them.", [
        "minitape.math", "minitape.nn", "minitape.linalg", "minitape.random", "minitape.bitwise", "minitape.image",
        "minitape.signal", "minitape.nest", "minitape.debugging", "minitape.test",
    ]),
    ("keras", "Layers, models, training", "`tf.keras`, as far as the documents' training programs need it.", [
        "minitape.keras", "minitape.keras.layers", "minitape.keras.losses", "minitape.keras.metrics",
        "minitape.keras.optimizers", "minitape.keras.optimizers.schedules", "minitape.keras.initializers",
        "minitape.keras.activations", "minitape.keras.callbacks", "minitape.keras.constraints",
        "minitape.keras.regularizers", "minitape.keras.models", "minitape.keras.utils",
        "minitape.keras.preprocessing.sequence", "minitape.keras.preprocessing.text", "minitape.Module",
    ]),
    ("numpy", "Operations under NumPy's names", "NumPy's functions on tensors, and those that Keras has beside them.", [
        "minitape.experimental.numpy", "minitape.experimental.numpy.random", "minitape.keras.ops",
        "minitape.keras.random", "minitape.keras.backend",
    ]),
    ("data", "Data, checkpoints, errors", "What a training program needs around its loop.", [
        "minitape.data", "minitape.data.experimental", "minitape.train", "minitape.config", "minitape.errors",
    ]),
]  # fmt: skip

FRONT = """Reference
=========

Every public name, from its docstring. What is named as in TensorFlow does what it does there, but for
:doc:`the differences </docs/differences>`.

.. toctree::

{pages}
"""


class Shown(str):
    """A default that is shown as these words."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


@dataclass(slots=True)
class Entry:
    """One public thing: under which name, what kind of thing, and the thing."""

    name: str
    thing: Any
    kind: str  # class | function | data


def write_reference(folder: Path, address: str) -> None:
    """Write the reference as pages of reStructuredText, and the page that lists them."""
    sys.path.insert(0, str(ROOT))  # the checkout, whatever is installed
    folder.mkdir(parents=True, exist_ok=True)
    pages = [(page, [(name, _found(name)) for name in page[3]]) for page in PAGES]
    told: dict[int, str] = {}  # under which name each thing is told, by its id: the first that it has
    for _, things in pages:
        for entry in (entry for name, thing in things for entry in _entries(name, thing)):
            told.setdefault(id(entry.thing), entry.name)
    said: set[int] = set()
    for (file, title, lead, names), things in pages:
        parts = [title, "=" * len(title), "", converted_line(lead), ""]
        for name, thing in things:
            if isinstance(thing, ModuleType):
                parts += _section(name, file, len(names) > 1)
            for entry in _entries(name, thing):
                if id(entry.thing) in said and entry.kind != "data":
                    parts.append(f"* ``{entry.name}`` is :py:obj:`{told[id(entry.thing)]}`\n")
                    continue
                said.add(id(entry.thing))
                parts += _written(entry, address, told)
        (folder / f"{file}.rst").write_text("\n".join(parts) + "\n", encoding="utf-8")
    front = FRONT.format(pages="\n".join(f"   {file}" for file, *_ in PAGES))
    (folder / "index.rst").write_text(front, encoding="utf-8")


def _section(name: str, file: str, several: bool) -> list[str]:
    return [name, "-" * len(name), ""] if several else []


def _found(name: str) -> Any:
    """The thing behind a dotted name."""
    import importlib

    head, *rest = name.split(".")
    thing: Any = importlib.import_module(head)
    for part in rest:
        thing = getattr(thing, part)
    return thing


def _entries(name: str, thing: Any) -> list[Entry]:
    """What a name of `PAGES` stands for."""
    return list(_public(name, thing)) if isinstance(thing, ModuleType) else [Entry(name, thing, _kind(thing))]


def _public(name: str, module: ModuleType) -> Iterator[Entry]:
    """What a module offers: its own list, or all that it has and minitape made, but for modules."""
    names = getattr(module, "__all__", None) or sorted(dir(module), key=str.lower)
    for one in names:
        thing = getattr(module, one, None)
        home = getattr(thing, "__module__", None) or type(thing).__module__
        if one.startswith("_") or isinstance(thing, ModuleType) or not str(home).startswith(HERE):
            continue
        yield Entry(f"{name}.{one}", thing, _kind(thing))


def _kind(thing: Any) -> str:
    return "class" if inspect.isclass(thing) else "function" if callable(thing) else "data"


def _written(entry: Entry, address: str, told: dict[int, str]) -> list[str]:
    """One entry as a directive, with its members where it is a class; what it has from another that is told, by name."""
    if entry.kind == "data":
        return [f".. py:data:: {entry.name}", ""]
    lines = [f".. py:{entry.kind}:: {entry.name}{_signature(entry.thing)}", ""]
    lines += _indented(converted(_words(entry.thing)) + _source(entry.thing, address))
    if entry.kind == "class":
        inherited: dict[str, list[str]] = {}
        for name, member in _members(entry.thing):
            public = [
                one for one in entry.thing.__mro__ if id(one) in told and _home(one, name) is _home(entry.thing, name)
            ]
            above = told[id(public[-1])]  # the most general class that has it
            if above == entry.name:
                lines += _indented(_member(name, member))
            else:
                inherited.setdefault(above, []).append(f":py:obj:`{name} <{above}.{name}>`")
        for above, names in inherited.items():
            lines += _indented([f"*From* :py:class:`{above}`: {', '.join(names)}", ""])
    return lines


def _member(name: str, member: Any) -> list[str]:
    if isinstance(member, property):
        return [f".. py:property:: {name}", "", *_indented(converted(inspect.getdoc(member) or ""))]
    return [
        f".. py:method:: {name}{_signature(member, bound=True)}",
        "",
        *_indented(converted(inspect.getdoc(member) or "")),
    ]


def _members(kind: type) -> Iterator[tuple[str, Any]]:
    """The public methods and properties that a class of ours has, in alphabetical order, each with words of its own."""
    for name in sorted(dir(kind)):
        home = _home(kind, name)
        if name.startswith("_") or home is None or not home.__module__.startswith(HERE):
            continue
        member = home.__dict__[name]
        member = member.__func__ if isinstance(member, classmethod | staticmethod) else member
        if (isinstance(member, property) or inspect.isfunction(member)) and inspect.getdoc(member):
            yield name, member


def _home(kind: type, name: str) -> type | None:
    """The class that defines what a class has under this name."""
    return next((base for base in kind.__mro__ if name in base.__dict__), None)


def _words(thing: Any) -> str:
    words = inspect.getdoc(thing) or ""
    return "" if not inspect.isclass(thing) and words == (inspect.getdoc(type(thing)) or "") else words


def _signature(thing: Any, bound: bool = False) -> str:
    """The signature on one line, without types that are only Any, and with defaults that say no address."""
    try:
        signature = inspect.signature(thing)
    except (TypeError, ValueError):
        return "(...)"
    parameters = list(signature.parameters.values())
    if bound and parameters and parameters[0].name in ("self", "cls"):
        parameters = parameters[1:]
    kept = []
    for one in parameters:
        note = one.annotation
        if note in (Any, "Any", inspect.Parameter.empty):
            one = one.replace(annotation=inspect.Parameter.empty)
        if " at 0x" in repr(one.default):
            one = one.replace(default=...)
        elif isinstance(one.default, enum.Enum):
            one = one.replace(default=Shown(str(one.default)))
        kept.append(one)
    back = signature.return_annotation
    if back in (Any, "Any") or inspect.isclass(thing):
        back = inspect.Signature.empty
    text = str(signature.replace(parameters=kept, return_annotation=back)).replace("'", "")
    return re.sub(r"\s+", " ", text).replace("\\", "\\\\")


def _source(thing: Any, address: str) -> list[str]:
    """Where it is written: as words, and as a link where the project has an address."""
    from minitape.primitive import Primitive  # the checkout's, once it is on the path

    code: Callable[..., Any] = inspect.unwrap(thing) if callable(thing) else thing
    if isinstance(thing, Primitive):  # a row of a table has no line of its own
        file = f"{thing.module.replace('.', '/')}.py"
        return [f"*Source:* `{file} <{address}/blob/HEAD/{file}>`__" if address else f"*Source:* {file}", ""]
    try:
        file = Path(inspect.getsourcefile(code) or "").resolve().relative_to(ROOT).as_posix()
        line = inspect.getsourcelines(code)[1]
    except (TypeError, OSError, ValueError):
        return []
    words = f"{file}, line {line}"
    if address:
        return [f"*Source:* `{words} <{address}/blob/HEAD/{file}#L{line}>`__", ""]
    return [f"*Source:* {words}", ""]


def _indented(lines: list[str]) -> list[str]:
    return [f"   {line}" if line else "" for line in lines]


def converted(words: str) -> list[str]:
    """A docstring as reStructuredText that says exactly the same.

    >>> converted("Adds x_ to y*.\\n\\n>>> 1 + 1\\n2\\n\\n    kept as it is")
    ['Adds x\\\\_ to y\\\\*.', '', '>>> 1 + 1', '2', '', '::', '', '    kept as it is', '']
    """
    out: list[str] = []
    for block in re.split(r"\n\s*\n", words.strip("\n")):
        lines = [line for line in block.split("\n") if line.strip()]
        if not lines:
            continue
        if lines[0].lstrip().startswith(">>>"):
            cut = len(lines[0]) - len(lines[0].lstrip())
            out += [line[cut:] for line in lines]
        elif lines[0].startswith("    "):
            out += ["::", "", *lines]
        else:
            out += _paragraphs(lines)
        out.append("")
    return out


def _paragraphs(lines: list[str]) -> list[str]:
    """Sentences, and what is indented below them as it stands."""
    plain = [line for line in lines if not line.startswith("    ")]
    if len(plain) == len(lines):
        return [converted_line(" ".join(line.strip() for line in lines))]
    first = next(at for at, line in enumerate(lines) if line.startswith("    "))
    out = [converted_line(" ".join(line.strip() for line in lines[:first])), "", "::", ""]
    rest = first
    while rest < len(lines) and lines[rest].startswith("    "):
        out.append(lines[rest])
        rest += 1
    return out + (["", *_paragraphs(lines[rest:])] if rest < len(lines) else [])


def converted_line(text: str) -> str:
    """A sentence with its `code` and links kept, and every other sign as it stands."""
    out = ""
    for part in re.split(r"(`[^`]+`|\[[^\]]+\]\([^)]+\))", text):
        if link := re.fullmatch(r"\[([^\]]+)\]\(\.\./(.+)\.md\)", part):
            out += f":doc:`{link[1]} </{link[2]}>`"
        elif re.fullmatch(r"`[^`]+`", part):
            before = "\\ " if out and out[-1] not in " (" else ""  # a literal stands alone, or behind a sign of its own
            out += f"{before}``{part[1:-1].strip()}``"
        elif part:
            joint = "\\ " if out.endswith("`") and part[0] not in " .,;:!?)" else ""
            out += joint + re.sub(r"([\\*_|`])", r"\\\1", part)
    return out
