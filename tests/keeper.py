"""Runs a server for as long as the tests live: `python -m tests.keeper COMMAND...`.

A test run that is killed cannot end its servers.  So a server is started through this program, whose standard input is a
pipe from the tests.  Nothing is ever written into that pipe; it ends when the tests end it, or when they are gone,
however they went.  Then the server and everything in its process group is ended too.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from typing import NoReturn

PATIENCE = 10  # seconds, for a server that was asked to end


def end(server: subprocess.Popen[bytes]) -> None:
    """End the server and its group: it is asked first."""
    for number in ("SIGTERM", "SIGKILL"):
        try:
            if hasattr(os, "killpg"):
                os.killpg(server.pid, getattr(signal, number))
            else:
                server.kill()
            server.wait(PATIENCE)
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            pass


def keep(command: list[str]) -> NoReturn:
    """Run the command until it ends by itself or until standard input ends."""
    server = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)

    def follow() -> None:
        os._exit(server.wait())

    threading.Thread(target=follow, daemon=True).start()
    sys.stdin.buffer.read()
    end(server)
    os._exit(0)


if __name__ == "__main__":
    keep(sys.argv[1:])
