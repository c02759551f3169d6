// @ts-check
// What surrounds a player, or a question, in somebody's page: its theme and its shortcuts.

import { chorded } from "./common.js";

/** What the surroundings ask for: JupyterLab, VS Code and the site say it on the body, else the system's preference. */
export function hostTheme(/** @type {boolean} */ dark) {
  const { body } = document;
  if (body?.dataset.jpThemeLight) return body.dataset.jpThemeLight === "false" ? "dark" : "light";
  if (body?.classList.contains("vscode-dark") || body?.classList.contains("vscode-high-contrast")) return "dark";
  if (body?.classList.contains("vscode-light")) return "light";
  if (/^(light|dark)$/.test(body?.dataset.theme || "")) return body.dataset.theme;
  return dark ? "dark" : "light";
}

/** How high the window is that a host has for a player: the box that scrolls it, or the page's.
 * @param {Element} root */
export function hostWindow(root) {
  for (let node = root.parentElement; node && node !== document.body; node = node.parentElement) {
    const scrolls = /auto|scroll/.test(getComputedStyle(node).overflowY) && node.scrollHeight > node.clientHeight;
    if (scrolls && node.clientHeight > 300) return node.clientHeight;
  }
  return innerHeight;
}

/** A host such as JupyterLab has shortcuts of its own on single keys (d d deletes a cell), and asks the element itself
 * that has the focus: for a key in here they are off, but anything with Ctrl, Cmd or Alt still belongs to the host.
 * @param {HTMLElement} root @param {AbortSignal} signal */
export function quietHost(root, signal) {
  const quiet = "data-lm-suppress-shortcuts";
  let last = /** @type {Element} */ (root);
  root.tabIndex = -1;
  addEventListener("keydown", event => {
    const at = /** @type {Element} */ (event.target);
    last.removeAttribute(quiet);
    if (chorded(event) || !root.contains(at)) return;
    last = at;
    at.setAttribute(quiet, "true");
  }, { capture: true, signal });
}
