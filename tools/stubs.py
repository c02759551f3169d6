"""What TensorFlow's namespaces accept and give, for editors and type checkers: the files minitape/names/*.pyi.

Names, order and defaults come from the rows and functions themselves.  What they do not say by themselves is said here once:
the type of an argument goes by its name.  `python -m tools.names` writes these files along with the namespaces.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from typing import Any

from minitape.manual import manual
from minitape.primitive import Primitive

# An argument's type by its name; all others are tensors.
TYPES = {
    "DTypeLike": "dtype out_type output_type output_dtype index_type type out_idx",
    "ShapeLike": "shape dims shape_x shape_y noise_shape output_shape batch_shape",
    "Integers": "axis axes strides dilations ksize stride perm multiples num_or_size_splits fft_length begin size end seed "
    "repeats shift",
    "Integer": "k num_classes maxlen minlength maxlength",
    "str | Sequence[Sequence[int]]": "padding",
    "IntegerPairs": "paddings",
    "object": "alg var validate_indices",
    "str | float": "ord",
}
BY_NAME = {name: kind for kind, names in TYPES.items() for name in names.split()}
# Where the name alone does not decide: (what is called, its argument or "return").
SAID = {
    ("add_n", "inputs"): "Sequence[TensorLike]",
    ("concat", "values"): "Sequence[TensorLike] | Operand",
    ("stack", "values"): "Sequence[TensorLike] | Operand",
    ("global_norm", "t_list"): "Iterable[TensorLike | None]",
    ("clip_by_global_norm", "t_list"): "Iterable[TensorLike | None]",
    ("clip_by_global_norm", "return"): "tuple[list[Tensor], Tensor]",
    ("tensordot", "axes"): "int | Sequence[int] | Sequence[Sequence[int]]",
    ("eye", "num_rows"): "Integer",
    ("eye", "num_columns"): "Integer | None",
    ("cast", "x"): "TensorLike | Sequence[str]",
    ("fill", "value"): "TensorLike | str",
    ("clip_by_norm", "return"): "Tensor",
    ("clip_by_value", "return"): "Tensor",
}
# What a setting decides: the same call, with two answers.
OVERLOADS = {
    "svd": [
        "(tensor: TensorLike, full_matrices: bool = ..., compute_uv: Literal[True] = ..., name: str | None = ...)"
        " -> tuple[Tensor, Tensor, Tensor]",
        "(tensor: TensorLike, full_matrices: bool = ..., *, compute_uv: Literal[False], name: str | None = ...) -> Tensor",
    ],
}
WORDS = {  # where each word of a signature comes from
    "collections.abc": ("Iterable", "Sequence"),
    "typing": ("Literal", "overload"),
    "minitape.names.accepted": ("DTypeLike", "Integer", "IntegerPairs", "Integers", "ShapeLike", "TensorLike"),
    "minitape.tensor": ("Operand", "Tensor", "TensorShape"),
}


def stub(says: str, space: str, names: dict[str, Any]) -> str:
    """The text of one file."""
    lines: list[str] = []
    for name, what in sorted(names.items()):
        lines += definition(name, what)
    body = "\n".join(lines)
    homes = dict(known(names.values()))
    imports: dict[str, list[str]] = {}
    for word in sorted(set(body.replace("[", " ").replace("]", " ").replace(",", " ").replace("(", " ").split())):
        word = word.rstrip(":.").lstrip("@")
        if word in homes and f"import {word} " not in body:
            imports.setdefault(homes[word], []).append(word)
    head = [f"# {says}", "#", "# Written by python -m tools.names; the names stand at their rows.", ""]
    up = "." * (1 + space.count("/") + 1)
    for home, words in sorted(imports.items(), key=lambda item: (item[0].startswith("minitape"), item[0])):
        home = home.replace("minitape.", up, 1) if home.startswith("minitape.") else home
        head.append(f"from {home} import {', '.join(dict.fromkeys(words))}")
    exported = [f"__all__ = {sorted(names)!r}".replace("'", '"')]
    return "\n".join([*head, "", body, "", *exported, ""])


def known(found: Any) -> Iterator[tuple[str, str]]:
    """The words that signatures may use, each with its module."""
    for what in found:  # the named tuples that functions return
        module = sys.modules[what.module if isinstance(what, Primitive) else what.__module__]
        for word, value in vars(module).items():
            if isinstance(value, type) and value.__module__.startswith("minitape.ops"):
                yield word, value.__module__
    for home, words in WORDS.items():
        for word in words:
            yield word, home


def definition(name: str, what: Any) -> list[str]:
    """A row or a function as a definition without a body."""
    if isinstance(what, type):
        return [f"from {what.__module__.replace('minitape.', '..', 1)} import {what.__name__} as {name}"]
    if isinstance(what, Primitive):
        operands = ", ".join([f"{one}: TensorLike" for one in what.called])
        says = manual(what).partition("\n")[0]
        return [f'def {name}({operands}, name: str | None = ...) -> Tensor: """{says}"""']
    own = what.__name__
    if own in OVERLOADS:
        return [line for one in OVERLOADS[own] for line in ("@overload", f"def {name}{one}: ...")]
    signature = inspect.signature(what)
    given = [argument(own, one) for one in signature.parameters.values()]
    return [
        f"def {name}({', '.join(starred(given, signature))}) -> {SAID.get((own, 'return'), signature.return_annotation)}: ..."
    ]


def starred(given: list[str], signature: inspect.Signature) -> list[str]:
    """The arguments, with the star in front of those that must be named."""
    kinds = [one.kind for one in signature.parameters.values()]
    only = inspect.Parameter.KEYWORD_ONLY
    if only in kinds and inspect.Parameter.VAR_POSITIONAL not in kinds:
        given.insert(kinds.index(only), "*")
    return given


def argument(function: str, one: inspect.Parameter) -> str:
    """One argument with its type, and dots where it has a default."""
    kind = SAID.get((function, one.name)) or (
        BY_NAME.get(one.name, "TensorLike") if one.annotation in ("Any", inspect.Parameter.empty) else one.annotation
    )
    if one.default is None and not kind.endswith("None") and kind != "object":
        kind += " | None"
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}.get(one.kind, "")
    return f"{stars}{one.name}: {kind}" + ("" if one.default is inspect.Parameter.empty else " = ...")
