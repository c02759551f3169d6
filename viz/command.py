"""The command `minitape`: record a whole program, and say what is installed."""

from __future__ import annotations

import argparse
import os
import runpy
import sys
from collections.abc import Sequence
from typing import Any


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code.

    >>> main(["about"]) == 0
    minitape ...
    True
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    end = given.index("--") if "--" in given else len(given)
    parser = _parser()
    options, rest = parser.parse_known_args(given[:end])
    # What is not ours is the program's, wherever it stands.
    options.arguments = [*rest, *given[end + 1 :]]
    if options.arguments and options.run is not _record:
        parser.error(f"unrecognized arguments: {' '.join(options.arguments)}")
    return int(options.run(options))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="minitape", description="Record a program's gradients, and look at them.")
    commands = parser.add_subparsers(required=True, metavar="command")
    record = commands.add_parser(
        "record",
        help="run a program and write what happened as a page that steps",
        epilog="All other arguments are the program's own; after -- also an -o.",
        allow_abbrev=False,
    )
    record.add_argument("script", help="a Python file")
    record.add_argument(
        "-o", "--output", default="", help="the file to write; its suffix says what: .html .svg .json .txt …"
    )
    record.set_defaults(run=_record)
    about = commands.add_parser("about", help="versions, and what is missing for pictures")
    about.set_defaults(run=_about)
    return parser


def _record(options: argparse.Namespace) -> int:
    from . import export, record

    script = os.path.abspath(options.script)
    if not os.path.isfile(script):
        print(f"minitape: there is no file {options.script}", file=sys.stderr)
        return 2
    output = options.output or os.path.splitext(os.path.basename(script))[0] + ".html"
    before, path = sys.argv, list(sys.path)
    sys.argv, sys.path[0:0] = [script, *options.arguments], [os.path.dirname(script)]
    failure: Any = None
    # What the program holds outlives the recording, so that it does not look as if everything were let go at the end.
    space: dict[str, Any] = {}
    try:
        with record(os.path.basename(script)) as run:
            try:
                space.update(runpy.run_path(script, run_name="__main__"))
            except SystemExit as ended:
                failure = ended if ended.code else None
            except Exception as problem:
                failure = problem
    finally:
        sys.argv, sys.path[:] = before, path
    print(f"{export(run, output)}: {len(run.scene.steps) - 1} steps")  # type: ignore[attr-defined]
    if failure is not None:
        print(
            f"minitape: the program ended with {failure!r}; the page shows what happened up to there", file=sys.stderr
        )
    return 1 if failure is not None else 0


def _about(options: argparse.Namespace) -> int:
    from .capture import about

    print(about())
    return 0
