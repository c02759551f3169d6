"""The player's code as a page carries it: no comments, no blanks, and names of variables as short as they can be.

Of each variable it looks for the part of the code in which it is known, and gives it the first name that no other one has there.
Names of properties, and names that no part of the code declares, stay.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import count, product

BLANK = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)+", re.DOTALL)
TOKEN = re.compile(
    r"""[A-Za-z_$][\w$]*|\.?\d[\w.]*(?:(?<=[eE])[+-]\d+)?|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'"""
    r"|\.\.\.|=>|\?\.(?!\d)|[=!]==?|[*<>]{2}=?|(?:&&|\|\||\?\?)=?|\+\+|--|[-+*/%<>&|^]=|[^\s\w]"
)
PATTERN = re.compile(r"/(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*")
PIECE = re.compile(r"(?:[^`\\$]|\\.|\$(?!\{))*(?:`|\$\{)", re.DOTALL)
KEYWORDS = {
    *(
        "async",
        "await",
        "break",
        "case",
        "catch",
        "class",
        "const",
        "continue",
        "default",
        "delete",
        "do",
        "else",
        "export",
    ),
    *(
        "extends",
        "finally",
        "for",
        "function",
        "get",
        "if",
        "import",
        "in",
        "instanceof",
        "let",
        "new",
        "null",
        "of",
        "return",
    ),
    *(
        "set",
        "static",
        "super",
        "switch",
        "this",
        "throw",
        "true",
        "false",
        "try",
        "typeof",
        "undefined",
        "var",
        "void",
    ),
    *("while", "yield"),
}
LETTERS = "etnsraoilcdmhupgfbkvwyxjqzETNSRAOILCDMHUPGFBKVWYXJQZ"  # those first that all of a page has most
BEFORE_BLOCKS = {")", "=>", "else", "try", "finally", "do", "catch", ";", "{", "}", ""}
BEFORE_TARGETS = {"(", ",", "{", "[", "...", ":", "const", "let"}
BEFORE_VALUES = {*["=", "(", ",", ":", "?", "[", "!", "&&", "||", "??", "=>", "...", "return", "of"]}
ENDS = {",", ")", "}", "]", "=", "=>", "of", "in", ";"}  # what stands behind a name where it is declared
NAME = re.compile(r"[A-Za-z_$][\w$]*$")


def tokens(code: str) -> Iterator[str]:
    """The code in pieces, without blanks and comments; of line ends those between things that nothing else divides."""
    at, before = 0, ""
    depths: list[int] = []  # of the gaps of templates that are open: how many braces are open in each
    while at < len(code):
        if blank := BLANK.match(code, at):
            at = blank.end()
            if "\n" in blank[0] and (before[-1:] in ")}]" or ends_a_name(before)) and NAME.match(code, at):
                yield "\n"
            continue
        sign, piece = code[at], None
        if sign == "`" or (sign == "}" and depths and not depths[-1]):
            if sign == "}":
                depths.pop()
            piece = PIECE.match(code, at + 1)
            if piece and piece[0].endswith("${"):
                depths.append(0)
        elif sign == "/" and (before in KEYWORDS or not (before[-1:] in ")]}`\"'" or ends_a_name(before))):
            piece = PATTERN.match(code, at)
        found = piece or TOKEN.match(code, at)
        assert found is not None
        if piece is None and depths and sign in "{}":
            depths[-1] += 1 if sign == "{" else -1
        before = code[at : found.end()]
        at = found.end()
        yield before


def ends_a_name(piece: str) -> bool:
    """Whether a letter behind it would be read as more of it."""
    return piece[-1:].isalnum() or piece[-1:] in ("_", "$")


def minified(code: str) -> str:
    """The code without comments and blanks.

    >>> minified("const a = 1;  // one\\nreturn `${ a } b` + +a / 2;")
    'const a=1;return`${a} b`+ +a/2;'
    """
    return joined(tokens(code))


def joined(pieces: Iterable[str]) -> str:
    """Pieces behind each other, with a blank where two would be read as one."""
    out, last = [], ""
    for piece in pieces:
        if (ends_a_name(last) and ends_a_name(piece[0])) or (last[-1:] == piece[0] and piece[0] in "+-"):
            out.append(" ")
        out.append(piece)
        last = piece
    return "".join(out)


def shortened(code: str) -> str:
    """Minified code in which the names of variables are short, without what is not used; what it exports keeps its name.

    >>> shortened("const found = one => ({ one, other: one.other, found() { one; } }); const no = 1; document.title = found(1);")
    'const e=e=>({one:e,other:e.other,found(){e}});document.title=e(1);'
    """
    pieces = list(tokens(code))
    needless = _needless(pieces)
    pieces = [piece for at, piece in enumerate(pieces) if at not in needless]
    while True:
        kinds = _kinds(pieces)
        found = _resolved(pieces, kinds, _declared(pieces, kinds))
        unused = _unused(pieces, found)
        if not unused:
            break
        pieces = [piece for at, piece in enumerate(pieces) if at not in unused]
    taken = KEYWORDS.union(piece for at, piece in enumerate(pieces) if kinds[at] and at not in found)
    places: dict[Variable, list[int]] = {}
    for at, variable in found.items():
        places.setdefault(variable, []).append(at)
    short: dict[Variable, str] = {}
    span, seen = (-1, -1), set[str]()
    for variable in sorted(
        places, key=lambda one: (one[1] - one[2], one[1], places[one][0])
    ):  # what lies around others first
        if variable[1:] != span:
            span = variable[1:]
            inside = (found[at] for at in range(span[0], span[1] + 1) if at in found)
            seen = {short[one] for one in inside if one in short}
        words = ("".join(letters) for size in count(1) for letters in product(LETTERS, repeat=size))
        short[variable] = next(word for word in words if word not in seen and word not in taken)
        seen.add(short[variable])
    for at, variable in found.items():
        pieces[at] = f"{pieces[at]}:{short[variable]}" if kinds[at] == "key" else short[variable]
    return joined(_in_one(pieces))


def _needless(pieces: list[str]) -> set[int]:
    """The brackets that are there for types alone: around a single parameter, and around what is one value without them."""
    out: set[int] = set()
    closing = _closing(pieces)
    for at, end in closing.items():
        if pieces[at] != "(" or pieces[at - 1] not in BEFORE_VALUES or end == at + 1:
            continue
        place = at + 1
        if pieces[place] == "[":
            place = closing[place]
        elif not NAME.match(pieces[place]) or pieces[place] in KEYWORDS - {"null"}:
            continue
        while pieces[place + 1] in (".", "?.", "(", "["):
            place = closing.get(place + 1, place + 2)
        arrow = pieces[end + 1 : end + 2] == ["=>"]
        if place + 1 == end and (not arrow or end == at + 2):
            out |= {at, end}
    return out


def _in_one(pieces: list[str]) -> Iterator[str]:
    """Constants that are declared one after the other, declared in one; and no sign that divides before the end of a block."""
    closing = _closing(pieces)
    followed: set[int] = set()
    for at, piece in enumerate(pieces):
        if piece == "const" and pieces[at - 1] not in ("(", "export"):
            end = at
            while pieces[end] not in (";", "of", "in") and end in range(len(pieces) - 1):
                end = closing.get(end, end) + 1
            if pieces[end : end + 2] == [";", "const"]:
                followed.add(end)
    for at, piece in enumerate(pieces):
        ends = piece in (";", ",") and pieces[at + 1 : at + 2] == ["}"]
        if at - 1 not in followed and not ends:
            yield "," if at in followed else piece


def _unused(pieces: list[str], found: dict[int, Variable]) -> set[int]:
    """The pieces of functions and constants at the top that nothing asks for."""
    out: set[int] = set()
    times = Counter(one for one in found.values() if one[1:] == (0, len(pieces)))
    closing = _closing(pieces)
    for at, one in found.items():
        if times[one] != 1:
            continue
        if pieces[at - 1] == "const" and pieces[at + 1] == "=":
            end = at
            while pieces[end] not in (";", ","):
                end = closing.get(end, end) + 1
            out.update(range(at - 1, end + 1) if pieces[end] == ";" else ())
        elif pieces[at - 1] == "function":
            begin = at - 2 if pieces[at - 2] == "async" else at - 1
            out.update(range(begin, closing[closing[at + 1] + 1] + 1))
    return out


Variable = tuple[str, int, int]  # its name, and from where to where in the code it is known


def _resolved(pieces: list[str], kinds: list[str], declared: list[Variable]) -> dict[int, Variable]:
    """Which variable stands where: of those of one name the one that is known in the smallest part."""
    by_name: dict[str, list[Variable]] = {}
    for one in sorted(declared, key=lambda one: one[2] - one[1]):
        by_name.setdefault(one[0], []).append(one)
    asked = ((at, by_name.get(piece, [])) for at, piece in enumerate(pieces) if kinds[at])
    told = ((at, next((one for one in some if one[1] <= at <= one[2]), None)) for at, some in asked)
    return {at: one for at, one in told if one is not None}


def _kinds(pieces: list[str]) -> list[str]:
    """Of each piece whether it is a "variable", one that is the key of its property as well ("key"), or neither."""
    kinds: list[str] = []
    inside: list[str] = [""]  # what is open: "(", "[", "{" of a block, "{}" of an object or a pattern
    before = ""
    for at, piece in enumerate(pieces):
        after = pieces[at + 1] if at + 1 < len(pieces) else ""
        kind = ""
        if NAME.match(piece) and piece not in KEYWORDS and before not in (".", "?."):
            first = inside[-1] == "{}" and (before in ("{", ",") or before in ("get", "set", "async"))
            if not first:
                kind = "variable"
            elif after in (",", "}", "="):
                kind = "key"
        if piece in ("(", "["):
            inside.append(piece)
        elif piece == "{":
            inside.append("{" if before in BEFORE_BLOCKS else "{}")
        elif piece.endswith("${"):
            if piece[0] == "}":
                inside.pop()
            inside.append("`")
        elif piece in (")", "]", "}") or (piece[0] == "}" and piece[-1] == "`"):
            inside.pop()
        kinds.append(kind)
        before = piece if piece != "\n" else before
    return kinds


def _declared(pieces: list[str], kinds: list[str]) -> list[Variable]:
    """What the code declares behind const, let and function, and as parameters; but for what it exports."""
    out: list[Variable] = []
    closing = _closing(pieces)
    blocks = [(0, len(pieces))]
    begins: dict[
        int, int
    ] = {}  # where a function's parameters begin, by where its body does: no name is declared in both
    exported: set[str] = set()

    def passed(at: int, ends: tuple[str, ...]) -> int:
        """The first of these signs from here on that stands in no bracket."""
        while at < len(pieces) and pieces[at] not in ends and not (at not in closing and pieces[at][0] in ")]}"):
            at = closing.get(at, at) + 1
        return at

    def statement(at: int) -> int:
        """Where a statement ends."""
        if pieces[at] in ("for", "if", "while"):
            end = statement(closing[at + 1] + 1)
            return statement(end + 2) if pieces[end + 1 : end + 2] == ["else"] else end
        return closing[at] if pieces[at] == "{" else passed(at, (";",))

    def body(at: int) -> int:
        """Where a function ends whose body begins here."""
        return closing[at] if pieces[at] == "{" else passed(at, (",", ";", "\n")) - 1

    def targets(begin: int, end: int, known: tuple[int, int]) -> None:
        """The names in a pattern, or among parameters."""
        for at in range(begin, end):
            if kinds[at] and pieces[at + 1] in ENDS and pieces[at - 1] in BEFORE_TARGETS:
                out.append((pieces[at], *known))

    for at, piece in enumerate(pieces):
        after = pieces[at + 1] if at + 1 < len(pieces) else ""
        while at > blocks[-1][1]:
            blocks.pop()
        if piece == "{":
            blocks.append((begins.get(at, at), closing[at]))
        elif piece in ("const", "let"):
            known = (at - 1, statement(at - 2)) if pieces[at - 2] == "for" else blocks[-1]
            end = at
            while pieces[end] in (",", "const", "let"):
                begin = end + 1
                end = closing.get(begin, begin) + 1
                targets(begin, end, known)
                end = passed(end, (",", ";", "of", "in", "\n"))
        elif piece == "function":
            name = at + 1 + (after == "*")
            if pieces[name] != "(":
                out.append((pieces[name], *blocks[-1]))
        elif piece == "=>" and kinds[at - 1]:
            begins[at + 1] = at - 1
            out.append((pieces[at - 1], at - 1, body(at + 1)))
        elif piece == "(" and pieces[at - 1] not in ("if", "for", "while"):
            then = closing[at] + 1
            if pieces[then : then + 1] in (["=>"], ["{"]):
                then += pieces[then] == "=>"
                begins[then] = at
                targets(at + 1, closing[at], (at, body(then)))
        elif piece == "export":
            exported.add(next(one for one, kind in zip(pieces[at:], kinds[at:], strict=True) if kind))
    return [one for one in out if one[1] or one[0] not in exported]


def _closing(pieces: list[str]) -> dict[int, int]:
    """Where each bracket that opens is closed."""
    out, opened = {}, []
    for at, piece in enumerate(pieces):
        if piece in ("(", "[", "{") or piece.endswith("${") and piece[0] == "`":
            opened.append(at)
        elif piece in (")", "]", "}") or (len(piece) > 1 and piece[0] == "}" and piece[-1] == "`"):
            out[opened.pop()] = at
    return out
