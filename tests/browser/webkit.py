"""WebKit, Safari's engine, driven by its own WebDriver: as much of it as a page's tests need.  Debian has it as `webkit2gtk-driver`, `xvfb`."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

DRIVER, SCREEN = shutil.which("WebKitWebDriver"), shutil.which("Xvfb")
BROWSERS = sorted(Path("/usr").glob("lib/*/webkit2gtk-4.*/MiniBrowser"))
KEYS = {"ArrowLeft": "\ue012", "ArrowRight": "\ue014", "Home": "\ue011", "End": "\ue010", "Enter": "\ue007"}


class WebKit:
    """One window."""

    def __init__(self, address: str) -> None:
        self._address = address
        binary = {"binary": str(BROWSERS[-1]), "args": ["--automation"]}
        told = self._ask("POST", "/session", capabilities={"alwaysMatch": {"webkitgtk:browserOptions": binary}})
        self._address += f"/session/{told['sessionId']}"
        self._ask("POST", "/timeouts", script=60_000)

    def _ask(self, method: str, path: str, **body: Any) -> Any:
        data = json.dumps(body).encode() if method == "POST" else None
        asked = Request(self._address + path, data, {"Content-Type": "application/json"}, method=method)
        return json.load(urlopen(asked, timeout=90))["value"]

    def goto(self, url: str) -> None:
        """Open a page and wait until it is loaded."""
        self._ask("POST", "/url", url=url)

    def evaluate(self, function: str) -> Any:
        """What a function in the page gives back, as data."""
        script = f"const done = arguments[0]; Promise.resolve(({function})()).then(done, fault => done(String(fault)))"
        return self._ask("POST", "/execute/async", script=script, args=[])

    def key(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for name in keys:
            value = KEYS.get(name, name)
            strokes = [{"type": kind, "value": value} for kind in ("keyDown", "keyUp")]
            self._ask("POST", "/actions", actions=[{"type": "key", "id": "keys", "actions": strokes}])

    def close(self) -> None:
        """End the session."""
        self._ask("DELETE", "")


@contextmanager
def webkit(folder: Path) -> Iterator[WebKit]:
    """A WebKit on a screen that nobody sees, with a home of its own in a folder; raises FileNotFoundError without one."""
    if not (DRIVER and SCREEN and BROWSERS):
        raise FileNotFoundError("there is no WebKitWebDriver with its MiniBrowser, or no Xvfb")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    read, write = os.pipe()
    with subprocess.Popen(
        [SCREEN, "-displayfd", str(write), "-screen", "0", "1400x1000x24", "-nolisten", "tcp"],
        pass_fds=[write],
        **quiet,
    ) as screen:
        os.close(write)
        with os.fdopen(read) as told:
            display = f":{told.readline().strip()}"
        around = {**os.environ, "DISPLAY": display, "HOME": str(folder), "LIBGL_ALWAYS_SOFTWARE": "1"}
        with subprocess.Popen([DRIVER, f"--port={port}", "--host=127.0.0.1"], env=around, **quiet) as driver:
            try:
                window = _when_it_listens(f"http://127.0.0.1:{port}")
                yield window
                window.close()
            finally:
                driver.terminate()
                screen.terminate()


def _when_it_listens(address: str) -> WebKit:
    for _ in range(100):
        try:
            urlopen(f"{address}/status", timeout=5).close()
            break
        except URLError:
            time.sleep(0.1)
    return WebKit(address)
