"""Files, written beside their place and moved into it: an interrupted write never costs the page that was there before."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
from typing import Any

# The last line of what minitape writes, in the comments of each form, so that its own files can be told from a stranger's.
# A scene says itself what it is, a plot names its maker, and a table is known by its first line.
STAMPS = {
    ".html": "<!-- written by minitape -->\n",
    ".svg": "<!-- written by minitape -->\n",
    ".dot": "// written by minitape\n",
    ".txt": "",
    ".json": "",
    ".png": "",
}
_OURS = re.compile(
    rb'written by minitape( -->)?\s*\Z|\A\{"schema":"(minitape|viz)-'
    rb"|\A\x89PNG.{,400}Software\0minitape|\Astep +what +line +value",
    re.DOTALL,
)


def write(path: Any, content: str | bytes) -> str:
    """Write a whole file, or leave what was there as it was; returns the path.

    A link stays a link, and a file keeps its permissions.  A device or a pipe is written to.  Raises OSError with the name
    of what is in the way: a folder that is not there, a folder of that name, a file that may not be written.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = write(os.path.join(folder, "page.html"), "<p>here</p>")
    ...     os.listdir(folder)
    ['page.html']
    """
    path = os.fspath(path)
    data = content.encode() if isinstance(content, str) else content
    check(path)
    place = os.path.realpath(path)
    if os.path.exists(place) and not os.path.isfile(place):  # /dev/stdout: there is nothing to move into its place
        with open(place, "wb") as device:
            device.write(data)
        return str(path)
    folder, name = os.path.split(place)
    beside = os.path.join(folder, f".{name[:80]}.{secrets.token_hex(4)}.part")
    try:
        with open(beside, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if os.path.exists(place):
            os.chmod(beside, os.stat(place).st_mode & 0o777)
        os.replace(beside, place)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(beside)
        raise
    return str(path)


def check(path: Any) -> None:
    """Raise OSError, with the name of what is in the way, where `write` could not write."""
    path = os.fspath(path)
    place = os.path.realpath(path)
    folder = os.path.dirname(place)
    if os.path.isdir(place):
        raise IsADirectoryError(errno.EISDIR, "this is a folder; name a file", path)
    if not os.path.isdir(folder):
        raise FileNotFoundError(errno.ENOENT, "there is no such folder to write into", os.path.dirname(path) or folder)
    if os.path.exists(place):
        if not os.access(place, os.W_OK):
            raise PermissionError(errno.EACCES, "this file may not be written", path)
        if not os.path.isfile(place):
            return
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, "this folder may not be written into", folder)


def ours(path: Any) -> bool:
    """Whether minitape wrote this file, and so may write it again unasked.

    >>> ours(__file__)
    False
    """
    try:
        with open(path, "rb") as file:
            head = file.read(1000)
            file.seek(max(0, os.path.getsize(path) - 1000))
            tail = file.read()
    except OSError:
        return False
    return bool(_OURS.search(head) or _OURS.search(tail))
