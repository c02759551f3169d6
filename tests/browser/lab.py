"""Driving JupyterLab: a server of its own, and a notebook as a test sees it.

Menus and texts change from version to version, so the notebook is driven through `window.jupyterapp`
(`LabApp.expose_app_in_browser`), and only what a learner clicks inside an output is clicked.
"""

from __future__ import annotations

import json
import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.support import environment

STARTUP, LOAD, RUN, CLICK = 120_000, 60_000, 300_000, 10_000  # milliseconds
ATTEMPTS = 3  # at starting a server: another program may take the port that was free a moment ago

SETTINGS = {
    "@jupyterlab/apputils-extension/notification": {
        "fetchNews": "false",
        "checkForUpdates": False,
        "doNotDisturbMode": True,
    },
    "@jupyterlab/docmanager-extension/plugin": {"autosave": False},
    "@jupyterlab/notebook-extension/tracker": {"windowingMode": "none"},  # every cell is in the page
}
# What JupyterLab has shortcuts for; pressed in a player or a question, none of them may reach it.
KEYS = [
    "x", "d", "d", "a", "b", "m", "r", "y", "z", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Enter", "Escape",
    "c", "v", "1", "k", "j", "o", "l",
]  # fmt: skip

THEMES = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}

NO_SPLASH = '() => !document.getElementById("jupyterlab-splash")'  # the planets that circle while a theme loads

# `minitapePanel(path)` is the open notebook of that path, whatever has the focus.
FIND_PANEL = """
window.minitapePanel = path => {
  const app = window.jupyterapp;
  for (const widget of app && app.shell ? app.shell.widgets("main") : [])
    if (widget.context && widget.context.path === path && widget.sessionContext) return widget;
  return null;
};
"""

# From now on, with every key that comes into the window, before anybody else hears it, the notebook is compared with how it is
# now: as many cells, of the same kinds and texts, in the same mode.  `minitapeKeys()` says how many keys came, and the first
# after which it was another.
HEAR_KEYS = """path => {
  const { content } = minitapePanel(path), heard = [];
  const state = () => JSON.stringify([content.model.cells.length, content.mode, content.activeCellIndex,
    content.widgets.map(cell => [cell.model.type, cell.model.sharedModel.getSource(), cell.model.executionCount])]);
  const before = state();
  let leak = null;
  const look = () => { if (heard.length && leak === null && state() !== before) leak = heard.at(-1); };
  const hear = event => { look(); heard.push(event.key); };
  window.addEventListener("keydown", hear, true);
  window.minitapeKeys = () => {
    window.removeEventListener("keydown", hear, true);
    look();
    return [heard.length, leak];
  };
}"""

# Write this source into a cell, by notebook and the cell's id, and run it.
RUN_CELL = """([path, id, source]) => {
  const { content } = minitapePanel(path), at = content.widgets.findIndex(one => one.model.id === id);
  content.activeCellIndex = at;
  content.deselectAll();
  content.widgets[at].model.sharedModel.setSource(source);
  content.widgets[at].model.outputs.clear();
  return window.jupyterapp.commands.execute("notebook:run-cell").then(() => null);
}"""


class Lab:
    """A JupyterLab server with its own configuration, data, runtime and workspace folders, all below `room`."""

    def __init__(self, browser: Any, root: Path, room: Path) -> None:
        self.browser, self.root, self.room = browser, root, room
        self.token = secrets.token_hex(16)

    def __enter__(self) -> Lab:
        folders = {
            name: str(self.room / name.lower())
            for name in (
                "JUPYTER_CONFIG_DIR",
                "JUPYTER_DATA_DIR",
                "JUPYTER_RUNTIME_DIR",
                "JUPYTERLAB_SETTINGS_DIR",
                "JUPYTERLAB_WORKSPACES_DIR",
                "IPYTHONDIR",
            )
        }
        for folder in folders.values():
            Path(folder).mkdir()
        for name, values in SETTINGS.items():
            path = Path(folders["JUPYTERLAB_SETTINGS_DIR"], f"{name}.jupyterlab-settings")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(values))
        variables = environment(**folders)
        variables.pop("JUPYTER_PATH", None)
        for _ in range(ATTEMPTS):
            if self._start(variables):
                self.window = self.browser.new_context()  # one for all notebooks: Lab's own files are loaded once
                self.kept: dict[bool, Any] = {}  # pages between two notebooks, by whether theirs have kernels
                return self
        raise RuntimeError(f"JupyterLab did not start:\n{self.log.read_text()[-4000:]}")

    def _start(self, variables: dict[str, str]) -> bool:
        """Start the server at a port that is free now; whether it came up, for another program may take that port."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.base = f"http://127.0.0.1:{port}"
        self.log = self.room / "server.log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "tests.keeper"),
                    *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"),
                    "--ServerApp.ip=127.0.0.1",
                    f"--ServerApp.port={port}",
                    "--ServerApp.port_retries=0",
                    f"--IdentityProvider.token={self.token}",
                    f"--ServerApp.root_dir={self.root}",
                    "--ServerApp.terminals_enabled=False",
                    "--LabApp.expose_app_in_browser=True",
                    "--LabApp.news_url=None",
                    "--LabApp.check_for_updates_class=jupyterlab.handlers.announcements.NeverCheckForUpdate",
                    "--LabApp.extension_manager=readonly",
                ],
                cwd=self.root,
                env=variables,
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        deadline = time.monotonic() + STARTUP / 1000
        while self.process.poll() is None and time.monotonic() < deadline:
            try:
                self.ask("/api/status")
                return True
            except OSError:
                time.sleep(0.1)
        self.stop()
        return False

    def __exit__(self, *_: object) -> None:
        self.window.close()
        self.stop()

    def ask(self, path: str, method: str = "GET") -> bytes:
        """One request to the server's own interface."""
        request = urllib.request.Request(
            self.base + path, method=method, headers={"Authorization": f"token {self.token}"}
        )
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.read()

    def stop(self) -> None:
        try:
            self.ask("/api/shutdown", "POST")  # ends the kernels too
            self.process.wait(15)
        except (OSError, subprocess.TimeoutExpired):
            pass
        assert self.process.stdin is not None
        self.process.stdin.close()  # if it still runs, its keeper ends it now
        self.process.wait(60)

    def write(self, name: str, *sources: str) -> str:
        """A new notebook of these cells; its file's name."""
        cells = [
            {
                "cell_type": "code",
                "id": f"c{at}",
                "metadata": {},
                "outputs": [],
                "execution_count": None,
                "source": source,
            }
            for at, source in enumerate(sources)
        ]
        kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
        whole = {"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
        (self.root / f"{name}.ipynb").write_text(json.dumps(whole), encoding="utf-8")
        return f"{name}.ipynb"

    def open(
        self, name: str, *, kernel: bool = True, theme: str = "light", size: tuple[int, int] = (1400, 1000), fresh=False
    ) -> Notebook:
        """Open `notebooks/name`; use it as a context manager, so that its kernel ends.

        With `kernel=False` it is opened as after a fresh clone and before any run: untrusted, with no kernel. JupyterLab stays
        open between one notebook and the next, as it does for a learner, unless the last one failed or this is to be `fresh`.
        """
        return Notebook(self, name, kernel=kernel, theme=theme, size=size, fresh=fresh)


class Notebook:
    """An open notebook. `page` is Playwright's page; `complaints()` should stay empty."""

    def __init__(
        self, lab: Lab, name: str, *, kernel: bool, theme: str, size: tuple[int, int], fresh: bool = False
    ) -> None:
        self.lab, self.name, self.kernel, self.theme = lab, name, kernel, theme
        self.console_errors: list[str] = []
        self.outside: list[str] = []
        kept = None if fresh else lab.kept.pop(kernel, None)
        self.fresh, self.used = fresh, kept is not None
        self.page = kept or lab.window.new_page()
        self.page.set_viewport_size({"width": size[0], "height": size[1]})
        self.page.emulate_media(color_scheme="light", reduced_motion="reduce")  # Lab's theme is Lab's, not the system's
        self.page.set_default_timeout(CLICK)
        self.hears = {
            "request": self._asked,
            "websocket": self._asked,
            "console": self._heard,
            "pageerror": self._failed,
        }
        for event, heard in self.hears.items():
            self.page.on(event, heard)

    def __enter__(self) -> Notebook:
        try:
            self._open()
        except BaseException:
            self.page.close()
            raise
        return self

    def __exit__(self, failed: object, *_: object) -> None:
        kept = False
        try:
            if self.kernel:
                self.in_panel("panel => panel.sessionContext.shutdown()")
            if not (failed or self.fresh or self.console_errors):
                self.in_panel("panel => panel.dispose()")
                for event, heard in self.hears.items():
                    self.page.remove_listener(event, heard)
                self.lab.kept[self.kernel] = self.page
                kept = True
        finally:
            if not kept:
                self.page.close()

    def _open(self) -> None:
        if not self.used:
            self.page.add_init_script(FIND_PANEL)
            workspace = f"{self.lab.base}/lab/workspaces/{secrets.token_hex(6)}"  # its own, so that nothing is restored
            self.page.goto(f"{workspace}?token={self.lab.token}", timeout=LOAD)
            self.wait("() => window.jupyterapp && window.jupyterapp.shell", LOAD)
            self.page.evaluate("() => window.jupyterapp.restored.then(() => null)")
            self.wait(NO_SPLASH, LOAD)
        self.set_theme(self.theme)
        none = "{ shouldStart: false, canStart: false, autoStartDefault: false }"
        preference = "" if self.kernel else f", kernelPreference: {none}"
        self.page.evaluate(
            f'path => window.jupyterapp.commands.execute("docmanager:open", {{ path{preference} }}).then(() => null)',
            self.name,
        )
        self.wait("path => minitapePanel(path)?.context?.isReady", LOAD, self.name)
        if self.kernel:
            self.wait_idle(LOAD)
        self.in_panel("panel => panel.revealed.then(() => null)")

    def _inside(self, url: str) -> bool:
        parts = urllib.parse.urlsplit(url)
        return parts.hostname == "127.0.0.1" or parts.scheme in ("data", "blob", "about")

    def _asked(self, request: Any) -> None:
        if not self._inside(request.url):
            self.outside.append(request.url)

    def _heard(self, message: Any) -> None:
        if message.type == "error":
            self.console_errors.append(f"{message.text} ({message.location.get('url', '')})")

    def _failed(self, error: Any) -> None:
        stack = str(getattr(error, "stack", None) or "")
        if not self.kernel and "jupyterlab-manager" in stack and "reading 'kernel'" in str(error):
            return  # ipywidgets' own fault with any notebook that has no session
        self.console_errors.append(f"page error: {error} {stack}")

    def wait(self, condition: str, timeout: float = CLICK, argument: Any = None) -> None:
        """Wait until a JavaScript function gives something true."""
        self.page.wait_for_function(condition, arg=argument, timeout=timeout, polling=50)

    def in_panel(self, function: str) -> Any:
        """Call a JavaScript function on the notebook's panel."""
        return self.page.evaluate(f"path => ({function})(minitapePanel(path))", self.name)

    def wait_idle(self, timeout: float = RUN) -> None:
        self.wait(
            'path => minitapePanel(path)?.sessionContext.session?.kernel?.status === "idle"',
            timeout,
            self.name,
        )

    def run_all(self, timeout: float = RUN) -> None:
        """Clear every output, run every cell as "Run All Cells" does, and wait until the kernel is idle again."""
        self.in_panel(
            """panel => {
              const app = window.jupyterapp;
              app.shell.activateById(panel.id);
              window.minitapeRun = "running";
              app.commands.execute("notebook:clear-all-cell-outputs")
                .then(() => app.commands.execute("notebook:run-all-cells"))
                .then(() => { window.minitapeRun = "over"; }, error => { window.minitapeRun = `stopped: ${error}`; });
            }"""
        )
        self.wait('() => window.minitapeRun !== "running"', timeout)
        # The promise may be over at an error that a tag announces, while the cells after it still wait for their turn:
        # wait for the last of them, unless an error that nobody announced has ended the run.
        self.wait(
            """path => {
              const cells = minitapePanel(path).content.widgets.map(widget => widget.model)
                .filter(model => model.type === "code" && model.sharedModel.getSource().trim());
              const failed = model => !(model.getMetadata("tags") || []).includes("raises-exception") &&
                model.outputs.toJSON().some(output => output.output_type === "error");
              return cells.every(model => model.executionCount !== null) || cells.some(failed);
            }""",
            timeout,
            self.name,
        )
        self.wait_idle(timeout)

    def cells(self) -> list[dict[str, Any]]:
        """The code cells as they are now, in the notebook format."""
        whole = self.in_panel("panel => panel.content.model.toJSON()")
        return [cell for cell in whole["cells"] if cell["cell_type"] == "code" and "".join(cell["source"]).strip()]

    def cell_errors(self) -> list[str]:
        """What went wrong in cells: errors that no `raises-exception` tag announces, and cells that did not run."""
        errors = []
        for number, cell in enumerate(self.cells(), 1):
            expected = "raises-exception" in cell["metadata"].get("tags", [])
            for output in cell["outputs"]:
                if output["output_type"] == "error" and not expected:
                    errors.append(f"code cell {number}: {output['ename']}: {output['evalue']}")
            if self.kernel and cell["execution_count"] is None:
                errors.append(f"code cell {number} did not run")
        return errors

    def complaints(self) -> dict[str, list[str]]:
        """Everything that should not have happened so far; `{}` when all is well."""
        found = {
            "cell errors": self.cell_errors(),
            "console errors": self.console_errors,
            "requests to elsewhere": self.outside,
        }
        return {name: list(lines) for name, lines in found.items() if lines}

    def leak(self, keys: Iterable[str]) -> str | None:
        """Press these keys, wherever the focus is; the first of them that changed the notebook.

        The page itself looks, with each key: asked from here, it would tell the whole notebook hundreds of times.
        """
        self.page.evaluate(HEAR_KEYS, self.name)
        for key in keys:
            self.page.keyboard.press(key)
        heard, leak = self.page.evaluate("() => minitapeKeys()")
        assert heard, "no key came into the window"  # not each does: an open list of choices takes those that choose
        return leak

    def set_theme(self, theme: str) -> None:
        """Show Lab in its "light" or its "dark" theme."""
        light = str(theme == "light").lower()
        if self.page.evaluate("() => document.body.dataset.jpThemeLight") != light:
            self.page.evaluate(
                "theme => window.jupyterapp.commands.execute('apputils:change-theme', {theme}).then(() => null)",
                THEMES[theme],
            )
            self.wait("light => document.body.dataset.jpThemeLight === light", LOAD, light)
            self.wait(NO_SPLASH, LOAD)

    def outputs(self, selector: str) -> Any:
        """The output areas that hold something of that selector, as a Playwright locator."""
        return self.page.locator(".jp-OutputArea-output").filter(has=self.page.locator(selector))

    def click(self, selector: str, output: int = 0) -> None:
        """Click the first thing of that selector inside the n-th output that has one."""
        place = self.outputs(selector).nth(output).locator(selector).first
        place.scroll_into_view_if_needed()
        place.click()

    def screenshot(self, name: str) -> None:
        """Keep a picture of the window in the folder MINITAPE_SCREENSHOTS, if that is set."""
        folder = os.environ.get("MINITAPE_SCREENSHOTS")
        if folder:
            Path(folder).mkdir(parents=True, exist_ok=True)
            self.page.screenshot(path=str(Path(folder, f"{name}.png")))
