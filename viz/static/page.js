// @ts-check
// An exported page: the player with an address of its own, and the folds of a long run that the page can open by
// itself, level by level.

import { readAddress } from "./address.js";
import { table } from "./apply.js";
import { carried, carriedText } from "./instrument.js";
import { mount } from "./mount.js";

/** @typedef {import("./apply.js").Sheet} Sheet */

const WORD = /[\d.]+|[A-Za-z]+|[₀-₉]+|./gsu;

/** A text that is told as what it takes of a known one, in words: how far it is from piece to piece beyond what is new
 * between them, how long each is, and what is new behind it.
 * @param {string} known @param {number[]} skips @param {number[]} lengths @param {string[]} news */
function together(known, skips, lengths, news) {
  const words = known.match(WORD) || [];
  let here = 0;
  return lengths.map((length, i) => {
    const taken = words.slice(here, here + length);
    here += length + skips[i] + (news[i].match(WORD) || []).length;
    return taken.join("") + news[i];
  }).join("");
}

// of the way to a fold: how deep it lies, its own id, and the way to the one around it
const depth = (/** @type {string} */ way) => way.split("/").length;
const leaf = (/** @type {string} */ way) => way.slice(way.lastIndexOf("/") + 1);
const above = (/** @type {string} */ way) => way.slice(0, Math.max(0, way.lastIndexOf("/")));

/** Texts by their ways, each of which takes of the one around it, else of the one before; the first takes of a known
 * one (viz/paint/alike.py).  They are remembered.
 * @param {string} told @param {string} known */
export function chained(told, known) {
  const [numbers, ...news] = told.split("\n");
  const [ways, skips, lengths] = /** @type {[string[], number[][], number[][]]} */ (JSON.parse(numbers));
  const beside = ways.filter(one => !above(one));
  const texts = new Map([["", known]]);
  /** @type {(way: string) => string} */
  const find = way => {
    const base = above(way) || beside[beside.indexOf(way) - 1] || "";
    const at = ways.indexOf(way);
    const from = lengths.slice(0, at).flat().length;
    return together(textOf(base), skips[at], lengths[at], news.slice(from, from + lengths[at].length));
  };
  /** @type {(way: string) => string} */
  const textOf = way => texts.get(way) ?? texts.set(way, find(way)).get(way) ?? "";
  return { ways, textOf };
}

/** A sheet that is told as one text: what a player needs, its HTML, and what the microscope is given.
 * @param {string} text */
function sheetIn(text) {
  const [told, html, lens] = text.split("\t");
  return { .../** @type {Sheet} */ (JSON.parse(told)), html, lens };
}

/**
 * Begin the page's player.  A page has no kernel that could tell more of the run: it carries, by the way to a fold
 * ("fold 3/fold 3.2"), the sheet in which that is open, as many as there was room for; what the microscope is given, by
 * the same ways; and what can be found in folds alone.
 * @param {HTMLElement} root @param {any} options as of `mount`
 */
export async function mountPage(root, options) {
  const html = root.textContent || "";
  const inside = await carried("inside");
  const [own, lens, told] = await Promise.all(["sheet", "lens", "opened"].map(carriedText));
  const sheet = /** @type {Sheet} */ (JSON.parse(own));
  const { ways, textOf } = chained(told, [own, html + (sheet.score || ""), lens].join("\t"));
  const has = new Set(ways);
  const sheetOf = (/** @type {string} */ way) => sheetIn(textOf(way));
  let player = /** @type {any} */ (null);
  let now = "", { folds } = sheet;   // the way to what is open, and the folds in it
  /** The way to a fold from here: in what is open, or beside it. @param {string} id */
  function wayTo(id) {
    for (let way = now; ; way = above(way)) {
      const there = way ? `${way}/${id}` : id;
      if (has.has(there)) return there;
      if (!way) return "";
    }
  }
  /** The step stays where it was: at a fold's beginning when it is opened, at the fold when it is closed. */
  function show(/** @type {string} */ way, /** @type {any} */ more = {}) {
    const at = has.has(way) ? way : "";
    const told = at ? sheetOf(at) : { ...sheet, lens: "" };
    const fold = leaf(depth(at) > depth(now) || !now ? at : now);
    const there = [...folds, ...told.folds].find(([one]) => one === fold);
    const begins = more.fresh && more.step === undefined ? { step: there?.[1] ?? 0 } : {};
    player?.destroy();
    [now, folds] = [at, told.folds];
    if (!at) root.innerHTML = html;
    player = mount(root, told, {
      ...options, ...more, ...begins,
      page: true,
      open: now ? now.split("/") : [],
      opens: (/** @type {string} */ one) => Boolean(wayTo(one)),
      onopen(/** @type {string[]} */ ids) {
        const shuts = now && ids.length < depth(now) || !ids.length;
        turn(shuts ? ids.join("/") : wayTo(ids.at(-1) || ""));
      },
      onturn: enter,
      inside: table(inside).filter(([, , , , , way]) => way !== now),
      enter(/** @type {string} */ way, /** @type {number} */ step, /** @type {string} */ thing) {
        turn(way, step);
        player.light(thing);
      },
      microscope: !now ? options.microscope : told.lens && (async () => JSON.parse(told.lens)),
    });
  }
  /** Open all folds that a turn of a loop lies in, one in the other, as far as they are here. */
  function enter(/** @type {number} */ loop, /** @type {number} */ at) {
    let way = "", told = /** @type {any} */ (sheet);
    for (;;) {
      const step = told.loops[loop].at[at];
      const lies = (/** @type {any} */ [, from, to]) => from <= step && step < to;
      const [id] = told.folds.find(lies) || [""];
      const next = way ? `${way}/${id}` : id;
      if (!has.has(next)) return turn(way, step);
      told = sheetOf(way = next);
    }
  }
  const turn = (/** @type {string} */ way, /** @type {number | undefined} */ step = undefined) =>
    show(way, { ...player.seen(), step, fresh: true });
  show(readAddress().open);
  addEventListener("hashchange", () => {
    const told = readAddress(), way = has.has(told.open) ? told.open : "";
    if (way !== now && (!told.open || way)) turn(way, told.step ?? undefined);
  });
}
