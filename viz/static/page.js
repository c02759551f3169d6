// @ts-check
// An exported page: the player with an address of its own, and the folds of a long run that the page can open by itself, level by level.

import { readAddress } from "./host.js";
import { table } from "./apply.js";
import { text, unpacked } from "./instrument.js";
import { mount } from "./player.js";

/** @typedef {import("./apply.js").Sheet} Sheet */

/** A text that is told as what it takes of a known one and what is new behind each piece.
 * @param {any[]} told @param {string} known */
export function together(told, known) {
  let out = "";
  for (let i = 0; i < told.length; i += 3) out += known.slice(told[i], told[i] + told[i + 1]) + told[i + 2];
  return out;
}

const depth = (/** @type {string} */ way) => way.split("/").length, leaf = (/** @type {string} */ way) => way.slice(way.lastIndexOf("/") + 1);
const above = (/** @type {string} */ way) => way.slice(0, Math.max(0, way.lastIndexOf("/")));

/** One of several texts, each of which takes of the one around it, else of the one before; the first takes of `known` (viz/paint/page.py,
 * `alike`).  `read` remembers them.
 * @param {Record<string, string>} texts packed @param {string} way @param {string} known @param {Map<string, string>} read @returns {Promise<string>} */
async function textOf(texts, way, known, read) {
  const ways = Object.keys(texts).filter(one => one && !above(one)), base = above(way) || ways[ways.indexOf(way) - 1];
  if (!read.has(way)) read.set(way, together(await unpacked(texts[way]), base ? await textOf(texts, base, known, read) : known));
  return /** @type {string} */ (read.get(way));
}

/**
 * Begin the page's player.  `opened` has by the way to a fold ("fold 3/fold 3.2") the sheet in which it is open, packed, as many as there
 * was room for, since a page has no kernel that could tell more of the run; `lenses` has by the same ways what the microscope is given,
 * "" for the page as it is closed; `inside` what can be found in folds alone.  options: as of `mount`.
 * @param {HTMLElement} root @param {Sheet} sheet @param {Record<string, string>} opened @param {Record<string, string>} lenses @param {any} options
 * @param {any[][]} inside
 */
export function mountPage(root, sheet, opened, lenses, options = {}, inside = []) {
  const html = root.innerHTML, own = document.getElementById("sheet")?.textContent || "";
  const sheets = new Map(), glass = new Map();
  let player = /** @type {any} */ (null), now = "", folds = sheet.folds;
  /** The way to a fold from here: in what is open, or beside it. @param {string} id */
  function wayTo(id) {
    for (let way = now; ; way = above(way)) {
      if (opened[way ? `${way}/${id}` : id]) return way ? `${way}/${id}` : id;
      if (!way) return "";
    }
  }
  async function lens() {
    return now ? JSON.parse(await textOf(lenses, now, await text(lenses[""]), glass)) : lenses[""];
  }
  /** The step stays where it was: at a fold's beginning when it is opened, at the fold when it is closed. */
  async function show(/** @type {string} */ way, /** @type {any} */ more = {}) {
    const other = opened[way] ? JSON.parse(await textOf(opened, way, own, sheets)) : null, at = other ? way : "";
    const there = [...folds, ...(other || sheet).folds].find(([one]) => one === leaf(depth(at) > depth(now) || !now ? at : now));
    player?.destroy();
    [now, folds] = [at, (other || sheet).folds];
    if (!other) root.innerHTML = html;
    player = mount(root, other || sheet, {
      ...options, ...more, ...(more.fresh && more.step === undefined ? { step: there?.[1] ?? 0 } : {}), page: true, open: now ? now.split("/") : [], opens: (/** @type {string} */ one) => Boolean(wayTo(one)),
      onopen: (/** @type {string[]} */ ids) => turn(now && ids.length < depth(now) || !ids.length ? ids.join("/") : wayTo(ids.at(-1) || "")),
      inside: table(inside).filter(([, , , , , way]) => way !== now), enter: (/** @type {string} */ way, /** @type {number} */ step, /** @type {string} */ thing) => turn(way, step).then(() => player.light(thing)),
      microscope: lenses[now] && lens, onturn: enter,
    });
  }
  /** Open all folds that a turn of a loop lies in, one in the other, as far as they are here. */
  async function enter(/** @type {number} */ loop, /** @type {number} */ at) {
    let way = "", told = /** @type {any} */ (sheet);
    for (;;) {
      const step = told.loops[loop].at[at], [id] = told.folds.find((/** @type {any} */ [, from, to]) => from <= step && step < to) || [""], next = way ? `${way}/${id}` : id;
      if (!opened[next]) return turn(way, step);
      told = JSON.parse(await textOf(opened, way = next, own, sheets));
    }
  }
  const turn = (/** @type {string} */ way, /** @type {number | undefined} */ step = undefined) => show(way, { ...player.seen(), step, fresh: true });
  show(readAddress().open);
  addEventListener("hashchange", () => {
    const told = readAddress(), way = opened[told.open] ? told.open : "";
    if (way !== now && (!told.open || way)) turn(way, told.step ?? undefined);
  });
}
