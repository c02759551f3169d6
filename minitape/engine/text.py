"""How generated functions are made: from text, which can be read again, also in a traceback."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from typing import Any

from ..record.provenance import GENERATED


def made(name: str, text: str, names: dict[str, Any]) -> Callable[..., Any]:
    """The function of this name, compiled from the text that defines it; `names` are what the text may refer to."""
    filename = f"{GENERATED}{name}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)  # without a time it is never dropped
    # A warning tells where it comes from by this name, and those of NumPy that come from us are passed over.
    space = {"__name__": __name__, **names}
    exec(compile(text, filename, "exec"), space)
    function: Callable[..., Any] = space[name]
    return function


def filled(template: str, pieces: dict[str, str]) -> str:
    """The template with a piece of text for each {name}: of several lines where the name stands alone on its line.

    Such a piece is indented as its name is; where it is empty the line goes away.

    >>> print(filled("def f(x):\\n    {first}\\n    return {answer}", {"first": "x += 1\\nx += 2", "answer": "x"}))
    def f(x):
        x += 1
        x += 2
        return x
    """
    lines = []
    for line in template.splitlines():
        name = line.strip()
        if name[:1] == "{" and name[-1:] == "}" and name[1:-1].isidentifier():
            indent = line[: len(line) - len(line.lstrip())]
            lines += [indent + line for line in pieces[name[1:-1]].splitlines()]
        else:
            lines.append(line.format_map(pieces))
    return "\n".join(lines)


def source(function: Any) -> str:
    """The text of a generated function, or of the one that computes a row of the table."""
    function = getattr(function, "run", function)
    return "".join(linecache.getlines(function.__code__.co_filename))
