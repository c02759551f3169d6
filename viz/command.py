"""The command `minitape`: record a whole program, open the course, and say what is installed."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

WRONG = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code: of `record` the program's own, 2 for what cannot be done.

    >>> main(["about"]) == 0
    minitape ...
    True
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    parser = _parser()
    if given[:1] == ["record"]:
        ours, given = _split(given)
        options = parser.parse_args(ours)
        options.arguments = given
    else:
        options, rest = parser.parse_known_args(given)
        if rest and options.run is not _lab:
            parser.error(f"unrecognized arguments: {' '.join(rest)}")
        options.arguments = rest
    return int(options.run(options))


def _split(given: list[str]) -> tuple[list[str], list[str]]:
    """What of `record`'s arguments is ours, and what the program's: all that stands behind the script, but for an -o.

    >>> _split(["record", "--force", "train.py", "--force", "-o", "page.html", "--", "-o", "its own"])
    (['record', '--force', 'train.py', '-o', 'page.html'], ['--force', '-o', 'its own'])
    """
    ours, rest = given[:1], given[1:]
    while rest and rest[0].startswith("-") and rest[0] != "--":
        ours.append(rest.pop(0))
        if ours[-1] in ("-o", "--output") and rest:
            ours.append(rest.pop(0))
    ours += rest[:1]
    rest = rest[1:]
    theirs: list[str] = []
    while rest:
        word = rest.pop(0)
        if word == "--":
            return ours, theirs + rest
        if word in ("-o", "--output"):
            ours += [word, *rest[:1]]
            rest = rest[1:]
        elif word.startswith("--output="):
            ours.append(word)
        else:
            theirs.append(word)
    return ours, theirs


def _parser() -> argparse.ArgumentParser:
    from .paint.file import SUFFIXES

    parser = argparse.ArgumentParser(prog="minitape", description="Record a program's gradients, and look at them.")
    parser.add_argument("--version", action="store_true", help="print the version")
    parser.set_defaults(run=_version)
    commands = parser.add_subparsers(metavar="command")
    record = commands.add_parser(
        "record",
        help="run a program and write what happened as a page that steps",
        epilog="All that stands behind the script is the program's own; behind -- also an -o.",
        allow_abbrev=False,
    )
    record.add_argument("script", help="a Python file, or with -m a module's name")
    record.add_argument(
        "-m", dest="module", action="store_true", help="run it as python -m does, as a part of its package"
    )
    suffixes = " ".join(SUFFIXES)
    record.add_argument(
        "-o", "--output", default="", help=f"the file to write; its suffix says what: {suffixes} (default: script.html)"
    )
    record.add_argument("--force", action="store_true", help="overwrite the file though minitape did not write it")
    record.add_argument(
        "--untested", action="store_true", help="record a version of PyTorch or TensorFlow that was never tried"
    )
    record.set_defaults(run=_record)
    lab = commands.add_parser(
        "lab",
        help="open the course in JupyterLab",
        epilog="All other arguments are JupyterLab's own, such as --no-browser.",
        allow_abbrev=False,
    )
    lab.add_argument("lesson", nargs="?", default="", help="a lesson's number, such as 06 (default: the first)")
    lab.set_defaults(run=_lab)
    about = commands.add_parser("about", help="versions, and what is missing for pictures")
    about.set_defaults(run=_about)
    return parser


def _record(options: argparse.Namespace) -> int:
    from .program import file_of, recorded, refused, say

    script, module = options.script, options.script if options.module else ""
    if module and not (script := file_of(module)):
        say(f"there is no module {module} to run here")
        return WRONG
    name = module.rpartition(".")[2] or os.path.splitext(os.path.basename(script))[0]
    output = options.output or f"{name}.html"
    if why := refused(script, output, options.force):
        say(why)
        return WRONG
    return recorded(script, output, options.arguments, module=module, untested=options.untested)


def _lab(options: argparse.Namespace) -> int:
    from .course import NoCourse, opened

    try:
        return opened(options.lesson, options.arguments)
    except NoCourse as why:
        print(f"minitape: {why}", file=sys.stderr)
        return WRONG


def _about(options: argparse.Namespace) -> int:
    from .capture import about

    print(about())
    return 0


def _version(options: argparse.Namespace) -> int:
    from .capture import version

    if not options.version:
        _parser().print_help(sys.stderr)
        return WRONG
    print(f"minitape {version()}")
    return 0
