"""How names are written: those of tangents, pieces of source as names, brackets and subscripts that leave no doubt."""

from __future__ import annotations

import ast
import functools
import re
import unicodedata
from collections import Counter
from typing import Any

from ..capture.numbers import Snapshot, flat
from ..capture.records import Op, Site
from ..capture.within import LONG

# More than one word: a subscript belongs to all of it, so that it stands in brackets.
SEVERAL = re.compile(r"[^\w.\u0307′/]")
SIGNS = ((" * ", "·"), (" ** ", "^"), (" + ", "+"), (" - ", "−"), (" @ ", "@"), (" / ", "÷"))
SHORT = 12  # characters that a piece of source may have to serve as a name
MODULE = "<module>"  # what Python calls the lines outside of all functions


def home_of(site: Site) -> tuple[Any, int, str]:
    """The function that a line stands in."""
    return site.source, site.begins, site.function


@functools.lru_cache(maxsize=4096)
def parsed(text: str) -> ast.expr | None:
    """A text as an expression; None for what is none."""
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def argument_names(text: str) -> tuple[list[str], list[str]]:
    """The names of targets and sources in the text of a question; "" for what is neither a name nor an attribute.

    >>> argument_names("tape.gradient(self.loss, [w, m.b, ws[0]])")
    (['loss'], ['w', 'b', ''])
    """
    call = parsed(text)
    if not isinstance(call, ast.Call):
        return [], []
    given = dict(zip(("target", "sources"), call.args, strict=False)) | {
        keyword.arg: keyword.value for keyword in call.keywords if keyword.arg
    }
    return _names_in(given.get("target")), _names_in(given.get("sources"))


def _names_in(node: ast.expr | None) -> list[str]:
    if isinstance(node, ast.List | ast.Tuple):
        return [name for element in node.elts for name in _names_in(element) or [""]]
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    return [name] if name else []


def operands_of(op: Op) -> tuple[str, ...]:
    """The names that an expression has for what its op takes; none where they may belong to others.

    A function hands its arguments on in an order of its own, beside values of its own, so that a call is believed only where what
    it calls is the op: `matmul(x, w)` names both, `loss_fn(targets, model(x))` nothing of what happens inside.  A number may be
    no value: `a * f(x)` takes one value, which is not `a`.
    """
    site = op.site
    if site is None or (site.form in ("call", "training") and not _calls(site.text, op)):
        return ()
    if len(site.operands) == len(op.takes):
        return site.operands
    if len(op.takes) != 1 or not site.operands:
        return ()
    alone = site.form == "call" or set(re.findall(r"[^\W\d]\w*", site.text)) == {site.operands[0]}
    return site.operands[:1] if alone else ()


def written_operands(op: Op) -> tuple[str, ...]:
    """The same, where an operand is no name as the line writes it: `batch.x`, an attribute.

    >>> from viz.capture.records import Row, Value
    >>> site = Site("", text="self.batch.x @ w", operands=("", "w"))
    >>> written_operands(Op("", Row("", "matmul"), (Value("a"), Value("b")), site=site))
    ('batch.x', 'w')
    """
    names = operands_of(op)
    written = _attributes(op.site.text) if op.site is not None and not all(names) else names
    return tuple([name or text for name, text in zip(names, written, strict=False)]) if written else names


@functools.lru_cache(maxsize=4096)
def _attributes(text: str) -> tuple[str, ...]:
    """By operand of an expression how it is written, where it is an attribute and short."""
    match parsed(text):
        case ast.BinOp(left=left, right=right):
            operands = [left, right]
        case ast.UnaryOp(operand=operand):
            operands = [operand]
        case ast.Call(args=operands):
            pass
        case _:
            return ()
    texts = [ast.unparse(node).removeprefix("self.") if isinstance(node, ast.Attribute) else "" for node in operands]
    return tuple([text if len(text) <= LONG and re.fullmatch(r"[\w.]+", text) else "" for text in texts])


def _calls(text: str, op: Op) -> bool:
    """Whether a call in this text is one of the op itself.

    >>> from viz.capture.records import Row
    >>> _calls("tf.matmul(x, w)", Op("", Row("", "matmul"))), _calls("loss_fn(y, model(x))", Op("", Row("", "subtract")))
    (True, False)
    """
    called = text.partition("(")[0].rpartition(".")[2]
    return _plain(called) in {_plain(op.row.name), _plain(op.row.same)}


def _plain(name: str) -> str:
    """The name of a function or op, as TensorFlow, Torch and JAX have it alike: reduce_sum is sum, MatMul matmul."""
    return name.lower().replace("_", "").removeprefix("reduce")


def dotted(name: str, rank: int) -> str:
    """ẋ for a tangent, and a d in front of names of several letters; a prime for one of an accumulator around that one.

    >>> dotted("x", 1), dotted("loss", 1), dotted("h·h", 1), dotted("ẋ", 2), dotted("x", 3)
    ('ẋ', 'dloss', 'd(h·h)', 'ẋ′', 'x″')
    """
    if rank == 1:
        return unicodedata.normalize("NFC", name + "̇") if len(name) == 1 else f"d{enclosed(name)}"
    return enclosed(name) + {2: "′", 3: "″", 4: "‴"}.get(rank, f"′{_superscript(rank - 1)}")


def enclosed(name: str) -> str:
    """A name as a part of another one: in brackets where more than letters, digits and dots belong to it.

    >>> enclosed("x₂"), enclosed("h·h"), enclosed("dense/kernel"), enclosed("∂y/∂x"), enclosed("(y+z)")
    ('x₂', '(h·h)', '(dense/kernel)', '(∂y/∂x)', '(y+z)')
    """
    return name if re.fullmatch(r"[\w.′″‴\u0307]+|\([^()]*\)", name) else f"({name})"


def source_text(site: Site, op: Op | None = None, keys: bool = False) -> str:
    """The piece of source that made a value, where it is short enough to be its name; with `keys` of a dict with their dict.

    >>> source_text(Site("", text="tf.math.sin(a * b)")), source_text(Site("", text="x ** 2 - 1"))
    ('sin(a·b)', 'x^2−1')
    >>> source_text(Site("", text="x @ self.w + params['b']")), source_text(Site("", text="x @ params['out']['w']"))
    ('x@w+b', 'x@out.w')
    >>> source_text(Site("", text="w + 1e-05")), source_text(Site("", text="h1e05 * 2.0"))
    ('w+1e−5', 'h1e05·2')
    >>> source_text(Site("", text="grads['w'] * 2"), None, keys=True), source_text(Site("", text="-x[-1]"))
    ('grads["w"]·2', '−x[−1]')
    """
    if site.form == "augmented":
        return ""
    method = op is not None and _is_method(site.text, op)
    text = site.text if method else re.sub(r"[A-Za-z_][\w.]*\.(\w+\()", r"\1", site.text)
    # What lies in an object or in dicts, by its own name.
    held = r"\bself\." if keys else r"\bself\.|\b\w+((?:\['\w+'\])+)"
    text = re.sub(held, lambda found: "" if keys else (found[1] or "")[2:-2].replace("']['", "."), text)
    text = re.sub(r"\['(\w+)'\]", r'["\1"]', text)
    for ours, theirs in SIGNS:
        text = text.replace(ours, theirs)
    text = re.sub(r"\b(\d+)\.0\b|(?<=\b\de)(-?)0(?=\d)", r"\1\2", text)
    text = re.sub(r'"[^"]*"|-', lambda found: "−" if found[0] == "-" else found[0], text)
    return text if len(text) <= SHORT else ""


def _is_method(text: str, op: Op) -> bool:
    """Whether a call is of a value's method, `a.sum(1)`, and not of a module's function, `tf.reduce_sum(a)`.

    What the op takes stands among the arguments of a function; a method has one of them in front of its dot.

    >>> from viz.capture.records import Row, Value
    >>> sums, products = Op("", Row("", "sum"), (Value(""),)), Op("", Row("", "matmul"), (Value("a"), Value("b")))
    >>> _is_method("a.sum(1)", sums), _is_method("torch.sum(a)", sums), _is_method("a.matmul(b)", products)
    (True, False, True)
    """
    given, named = _arguments_after_a_dot(text)
    return bool(op.takes) and given is not None and (not named or (_calls(text, op) and given < len(op.takes)))


@functools.lru_cache(maxsize=4096)
def _arguments_after_a_dot(text: str) -> tuple[int | None, bool]:
    """How many arguments such a call has, None for any other text; and whether there is a name in them."""
    call = parsed(text)
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
        return None, False
    given = [*call.args, *[keyword.value for keyword in call.keywords]]
    return len(given), any(isinstance(node, ast.Name) for argument in given for node in ast.walk(argument))


def number_as_name(snap: Snapshot | None) -> str:
    """A single number, which is its own name."""
    return snap.text if snap is not None and snap.data is None else ""


def all_alike(snap: Snapshot | None) -> str:
    """An array of zeros or of ones, which is its own name.

    >>> all_alike(Snapshot("(2,)", {"shape": [2], "numbers": [1.0, 1.0]})), all_alike(Snapshot("1", None, 1.0))
    ('ones', '')
    """
    data = snap.data if snap is not None and snap.data is not None else {}
    found = {*flat(data["numbers"])} if "numbers" in data else {data.get("low"), data.get("high")}
    return "zeros" if found == {0.0} else "ones" if found == {1.0} else ""


def numbered(names: list[str]) -> list[str]:
    """Names that are there several times, each with a number."""
    often, met, out = Counter(names), Counter[str](), []
    for name in names:
        met[name] += 1
        out.append(f"{name}{subscript(met[name])}" if often[name] > 1 else name)
    return out


def subscript(value: int) -> str:
    """A number below the line."""
    return "".join("₀₁₂₃₄₅₆₇₈₉"[int(digit)] for digit in str(value))


def _superscript(value: int) -> str:
    return "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(value))


def key_in(name: str, item: str) -> str:
    """The key of an item of a dict, of which the program writes the item so; "" for anything else.

    >>> key_in("grads", 'grads["w"]'), key_in("grads", "grads[0]"), key_in("g", 'grads["w"]')
    ('"w"', '', '')
    """
    key = item.removeprefix(f"{name}[").removesuffix("]") if item.startswith(f"{name}[") else ""
    return key if key.startswith('"') else ""


def counted(name: str, count: int) -> str:
    """A name that is there several times, with a number that belongs to all of it.

    >>> counted("x", 2), counted("tanh(h)", 3)
    ('x₂', '(tanh(h))₃')
    """
    return f"{name if SEVERAL.search(name) is None else f'({name})'}{subscript(count)}"


def in_a_line(message: str) -> str:
    """An error's message as sentences, without the line of the program, which the code beside it shows.

    >>> in_a_line("no slope\\n  at cell 3, line 2: tape.watch(x)\\n  whole numbers have none\\n  Write 3.0.")
    'no slope; whole numbers have none. Write 3.0.'
    """
    said, *more = [line.strip() for line in message.split("\n") if not line.startswith("  at ")]
    for line in more:
        said += (" " if said[-1:] in ".!?:;" else "; " if line[:1].islower() else ". ") + line
    return said
