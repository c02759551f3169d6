"""Firefox, driven by its own WebDriver BiDi: as much of it as a walk through pages needs."""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

BINARY = os.environ.get("MINITAPE_FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox")
LISTENS = re.compile(r"WebDriver BiDi listening on (\S+)")


class Firefox:
    """One window; `faults` are errors of its console, and requests to anywhere but the disk."""

    def __init__(self, address: str) -> None:
        import websocket  # comes with JupyterLab's server

        self._socket = websocket.create_connection(f"{address}/session", timeout=120, suppress_origin=True)
        self._count, self.faults = itertools.count(1), []
        self._ask("session.new", capabilities={})
        self._ask("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])
        self._window = self._ask("browsingContext.getTree")["contexts"][0]["context"]

    def _ask(self, method: str, **params: Any) -> Any:
        number = next(self._count)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            told = json.loads(self._socket.recv())
            if told.get("id") == number:
                if told["type"] == "error":
                    raise RuntimeError(f"{method}: {told['message']}")
                return told["result"]
            self._hear(told)

    def _hear(self, told: dict[str, Any]) -> None:
        what = told.get("params", {})
        if told.get("method") == "log.entryAdded" and what["level"] in ("error", "warn"):
            self.faults.append(what["text"])
        elif told.get("method") == "network.beforeRequestSent":
            url = what["request"]["url"]
            if not url.startswith(("file:", "data:", "blob:", "about:")):
                self.faults.append(url)

    def size(self, width: int, height: int) -> None:
        """The window's inner size, px."""
        self._ask("browsingContext.setViewport", context=self._window, viewport={"width": width, "height": height})

    def goto(self, url: str) -> None:
        """Open a page and wait until it is loaded."""
        self._ask("browsingContext.navigate", context=self._window, url=url, wait="complete")

    def evaluate(self, function: str) -> Any:
        """What a function in the page gives back, as data."""
        told = self._ask(
            "script.callFunction", functionDeclaration=f"async () => JSON.stringify(await ({function})())", awaitPromise=True,
            target={"context": self._window},
        )  # fmt: skip
        if told["type"] == "exception":
            raise RuntimeError(told["exceptionDetails"]["text"])
        return json.loads(told["result"]["value"])

    def screenshot(self, path: Path) -> None:
        """What the window shows, as a PNG."""
        from base64 import b64decode

        path.write_bytes(b64decode(self._ask("browsingContext.captureScreenshot", context=self._window)["data"]))


@contextmanager
def firefox(folder: Path) -> Iterator[Firefox]:
    """A Firefox without a window on a screen, with a profile of its own in a folder; raises FileNotFoundError without one."""
    if not BINARY:
        raise FileNotFoundError("there is no firefox-esr or firefox in PATH; MINITAPE_FIREFOX may name one")
    command = [BINARY, "--headless", "--no-remote", "--profile", str(folder), "--remote-debugging-port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stderr is not None
            yield Firefox(next(found[1] for line in process.stderr if (found := LISTENS.search(line))))
        finally:
            process.terminate()
