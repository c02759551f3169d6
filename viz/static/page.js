// @ts-check
// An exported page: the player with an address of its own, and the folds of a long run that the page can open by itself.

import { readAddress } from "./host.js";
import { unpacked } from "./instrument.js";
import { mount } from "./player.js";

/** @typedef {import("./apply.js").Sheet} Sheet */

/**
 * Begin the page's player.  `opened` has by a fold's id the sheet in which it is open, packed: one at a time, since a page has no
 * kernel that could tell more of the run; `lenses` has by the same ids what the microscope is given, "" for the page as it is closed.
 * options: as of `mount`.
 * @param {HTMLElement} root @param {Sheet} sheet @param {Record<string, string>} opened @param {Record<string, string>} lenses @param {any} options
 */
export function mountPage(root, sheet, opened, lenses, options = {}) {
  const html = root.innerHTML;
  let player = /** @type {any} */ (null), now = "", folds = sheet.folds;
  async function show(/** @type {string} */ id, /** @type {any} */ more = {}) {
    const other = opened[id] ? await unpacked(opened[id]) : null;
    player?.destroy();
    now = other ? id : "";
    folds = other?.folds || sheet.folds;
    if (!other) root.innerHTML = html;
    player = mount(root, other || sheet, {
      ...options, ...more, page: true, open: now ? [now] : [], opens: (/** @type {string} */ one) => Boolean(opened[one]),
      onopen: (/** @type {string[]} */ ids) => turn(ids.at(-1) || ""), microscope: lenses[now] && (async () => lenses[now]),
    });
  }
  /** The step stays where it was: at a fold's beginning when it is opened, at the fold when it is closed. */
  function turn(/** @type {string} */ id, /** @type {number | null} */ step = null) {
    const at = [...folds, ...sheet.folds].find(([one]) => one === (id || now))?.[1] ?? 0;
    show(id, { ...player.seen(), step: step ?? at, fresh: true });
  }
  show(readAddress().open);
  addEventListener("hashchange", () => {
    const told = readAddress(), id = opened[told.open] ? told.open : "";
    if (id !== now && (!told.open || id)) turn(id, told.step);
  });
}
