// @ts-check
// An exported page: the player with an address of its own, and the folds of a long run that the page can open by itself, level by level.

import { table } from "./apply.js";
import { carried, carriedText } from "./instrument.js";
import { mount, readAddress } from "./player.js";

/** @typedef {import("./apply.js").Sheet} Sheet */

/** A text that is told as what it takes of a known one: how much longer it is from piece to piece than what is new, how long each is, and what is
 * new behind each.
 * @param {number[]} skips @param {number[]} lengths @param {string[]} news @param {string} known */
export function together(skips, lengths, news, known) {
  let out = "", here = 0;
  lengths.forEach((length, i) => {
    out += known.slice(here, here + length) + news[i];
    here += length + news[i].length + skips[i];
  });
  return out;
}

/** HTML that is told as its tags and what fills them (viz/paint/alike.py, `in_columns`).
 * @param {Record<string, any>} told */
export function filled({ tags, ...fills }) {
  const next = Object.fromEntries(Object.entries(fills).map(([name, all]) => [name, all.values()]));
  return tags.replace(/ ([\w-]+)=""|~/g, (/** @type {string} */ gap, /** @type {string} */ name) => (name ? ` ${name}="${next[name].next().value}"` : next[gap].next().value));
}

const depth = (/** @type {string} */ way) => way.split("/").length, leaf = (/** @type {string} */ way) => way.slice(way.lastIndexOf("/") + 1);
const above = (/** @type {string} */ way) => way.slice(0, Math.max(0, way.lastIndexOf("/")));

/** Texts by their ways, each of which takes of the one around it, else of the one before; the first takes of a known one
 * (viz/paint/page.py, `alike`).  They are remembered.
 * @param {{ways: string[], told: any[][]}} all @param {() => Promise<string>} known @returns {(way: string) => Promise<string>} */
function chained({ ways, told: [skips, lengths, news] }, known) {
  const beside = ways.filter(one => !above(one)), texts = /** @type {Map<string, Promise<string>>} */ (new Map());
  /** @type {(way: string) => Promise<string>} */
  const find = async way => {
    const base = above(way) || beside[beside.indexOf(way) - 1], at = ways.indexOf(way);
    return together(skips[at], lengths[at], news[at], await (base ? textOf(base) : known()));
  };
  /** @type {(way: string) => Promise<string>} */
  const textOf = way => texts.get(way) || texts.set(way, find(way)).get(way) || known();
  return textOf;
}

/**
 * Begin the page's player.  It carries by the way to a fold ("fold 3/fold 3.2") the sheet in which it is open, as many as there was room
 * for, since a page has no kernel that could tell more of the run, what the microscope is given by the same ways, and what can be found in
 * folds alone.
 * @param {HTMLElement} root @param {any} options as of `mount`
 */
export async function mountPage(root, options) {
  const html = root.innerHTML, names = ["sheet", "opened", "lenses", "inside"];
  const [sheet, opened, glass, inside] = /** @type {[Sheet, any, any, any[][]]} */ (await Promise.all(names.map(carried)));
  const sheetOf = chained(opened, () => carriedText("sheet")), glassOf = chained(glass, () => carriedText("lens")), has = new Set(opened.ways);
  let player = /** @type {any} */ (null), now = "", folds = sheet.folds;
  /** The way to a fold from here: in what is open, or beside it. @param {string} id */
  function wayTo(id) {
    for (let way = now; ; way = above(way)) {
      if (has.has(way ? `${way}/${id}` : id)) return way ? `${way}/${id}` : id;
      if (!way) return "";
    }
  }
  /** The step stays where it was: at a fold's beginning when it is opened, at the fold when it is closed. */
  async function show(/** @type {string} */ way, /** @type {any} */ more = {}) {
    const other = has.has(way) ? JSON.parse(await sheetOf(way)) : null, at = other ? way : "";
    if (other) other.html = filled(other.html);
    const there = [...folds, ...(other || sheet).folds].find(([one]) => one === leaf(depth(at) > depth(now) || !now ? at : now));
    player?.destroy();
    [now, folds] = [at, (other || sheet).folds];
    if (!other) root.innerHTML = html;
    player = mount(root, other || sheet, {
      ...options, ...more, ...(more.fresh && more.step === undefined ? { step: there?.[1] ?? 0 } : {}), page: true, open: now ? now.split("/") : [], opens: (/** @type {string} */ one) => Boolean(wayTo(one)),
      onopen: (/** @type {string[]} */ ids) => turn(now && ids.length < depth(now) || !ids.length ? ids.join("/") : wayTo(ids.at(-1) || "")),
      inside: table(inside).filter(([, , , , , way]) => way !== now), enter: (/** @type {string} */ way, /** @type {number} */ step, /** @type {string} */ thing) => turn(way, step).then(() => player.light(thing)),
      microscope: !now ? options.microscope : glass.ways.includes(now) && (async () => JSON.parse(await glassOf(at))), onturn: enter,
    });
  }
  /** Open all folds that a turn of a loop lies in, one in the other, as far as they are here. */
  async function enter(/** @type {number} */ loop, /** @type {number} */ at) {
    let way = "", told = /** @type {any} */ (sheet);
    for (;;) {
      const step = told.loops[loop].at[at], [id] = told.folds.find((/** @type {any} */ [, from, to]) => from <= step && step < to) || [""], next = way ? `${way}/${id}` : id;
      if (!has.has(next)) return turn(way, step);
      told = JSON.parse(await sheetOf(way = next));
    }
  }
  const turn = (/** @type {string} */ way, /** @type {number | undefined} */ step = undefined) => show(way, { ...player.seen(), step, fresh: true });
  show(readAddress().open);
  addEventListener("hashchange", () => {
    const told = readAddress(), way = has.has(told.open) ? told.open : "";
    if (way !== now && (!told.open || way)) turn(way, told.step ?? undefined);
  });
}
