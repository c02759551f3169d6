// @ts-check
// The way of one number, drawn: all arrays in program order, values above, what came back or went along below; each is the button of its step.

import { unflat } from "./sums.js";
import { dots, filled, made, once, placed_, sized, written } from "./arrays.js";
import { planeOf } from "./heat.js";
import { pairsOf, readersOf, wayOf } from "./way.js";

/** @typedef {import("./arrays.js").Many} Many */

const SMALL = { side: 44, dot: 9, faint: 40 };                                // of a small picture
const MANY = 24;                                                             // more arrays than that stand there only if they take part

/** A small picture of an array that can be drawn again in a moment.
 * @param {Many} one */
function thumbnail(one) {
  const plane = planeOf(one.shape, false, one.shape.length === 4 ? [1, 2] : undefined);
  const drawn = dots(one, plane, { ...SMALL, wrap: one.shape.length < 2 ? Math.min(one.data.length, 8) : 0 }), { block, unit } = drawn;
  const frame = made("i.spot", { hidden: true });
  let base = /** @type {Uint8ClampedArray | null} */ (null);
  return {
    node: made("span.small", {}, drawn.canvas, frame), repaint: () => { base = null; },
    /** Those that take part stand out, the strongest is framed.
     * @param {Set<number> | undefined} part @param {number | undefined} strongest */
    draw(part, strongest) {
      const shown = new Uint8ClampedArray(base ||= drawn.colours()), lit = new Set();
      if (part && part.size < one.data.length) {
        for (const number of part) {
          const at = drawn.where(number);
          if (at) lit.add(Math.floor(at[0] / block) * drawn.across + Math.floor(at[1] / block));
        }
        drawn.best.forEach((_, i) => { if (!lit.has(i)) shown[4 * i + 3] *= 0.22; });
      }
      drawn.paint(shown);
      const at = strongest === undefined ? null : drawn.where(strongest), side = Math.max(5, Math.round(unit) + 4);
      frame.hidden = !at;
      if (!at) return;
      const [top, left] = at.map(place => Math.round(place * unit) - 2);
      frame.setAttribute("style", `left:${left}px;top:${top}px;width:${side}px;height:${side}px`);
    },
  };
}

/** @param {any} data @param {Many[]} arrays @param {Map<number, import("./way.js").Maker>} makers @param {(array: number, number: number) => void} lead
 * @param {Record<string, string>} words */
export function pathPart(data, arrays, makers, lead, words) {
  const said = made("p.quiet"), line = made("div.stretch"), node = made("div.way", {}, said, line), used = readersOf(data.steps);
  const questions = Object.keys(data.asked), thumbs = /** @type {ReturnType<typeof thumbnail>[]} */ ([]);
  const first = (/** @type {number} */ array) => makers.get(array)?.step ?? (used.get(array) ?? 0) - 0.5;
  const seeds = new Map(questions.flatMap(step => data.asked[step].map((/** @type {number[]} */ [, seed]) => [seed, Number(step)])));
  const stepOf = (/** @type {number} */ array) => makers.get(array)?.step ?? seeds.get(array);
  let shown = "", columns = /** @type {{value: number, change: number | undefined, node: any, halves: any[]}[]} */ ([]), strongest = new Map();
  const known = once((/** @type {string} */ asked) => pairsOf(data, arrays, asked));
  const thumb = once((/** @type {number} */ array) => {
    const drawn = thumbnail(arrays[array]);
    thumbs.push(drawn);
    return drawn;
  });

  /** The buttons of a question's arrays: every value that something came back to, and all that these are made of. */
  function lay(/** @type {string} */ asked) {
    shown = asked;
    const { pairs } = known(asked), values = new Set(pairs.keys());
    for (const [array, { told, known: reads }] of makers) {
      if (told.way !== "value") continue;
      if (pairs.size && !pairs.has(array)) continue;
      values.add(array);
      for (const one of Object.values(reads)) values.add(one.number);
    }
    columns = [...values].sort((a, b) => first(a) - first(b)).map(value => {
      const change = pairs.get(value), halves = [value, change].map((array, row) => half(array, row));
      return { value, change, halves, node: made("div.hops", {}, ...halves.map(one => one.node)) };
    });
    line.replaceChildren(...columns.map(one => one.node));
  }
  function half(/** @type {number | undefined} */ array, /** @type {number} */ row) {
    if (array === undefined) return { node: made("span.hop"), array };
    const one = arrays[array], number = made("b"), button = made(row ? "button.hop.after" : "button.hop", {
      type: "button", style: `--own:var(--${one.kind})`, onclick: () => lead(array, strongest.get(array) ?? 0),
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key], all = /** @type {any[]} */ ([...line.querySelectorAll("button.mt-hop:not([disabled])")].filter(at => at.classList.contains("mt-after") === Boolean(row)));
        if (!by) return;
        event.preventDefault();
        event.stopPropagation();
        all[all.indexOf(button) + by]?.focus();
      },
    }, made("span", {}, row ? one.name.replace(/^∂(\(.*?\)|[^/(]*)\//, "∂/") : one.name), thumb(array).node, number);
    return { node: button, array, number };
  }
  /** Follow a number of what a step gives. */
  function show(/** @type {any} */ told, /** @type {number} */ array, /** @type {number} */ number, /** @type {number} */ now) {
    const asked = told.way === "back" ? String(told.asked) : told.way === "push" ? "" : shown && questions.includes(shown) ? shown : questions[questions.length - 1] || "";
    if (asked !== shown || !columns.length) lay(asked);
    const { pairs, whose } = known(asked), value = told.way === "value" ? array : told.of, change = told.way === "value" ? pairs.get(value) : array;
    const parts = new Map(), put = (/** @type {any} */ way) => { for (const [at, some] of way.part) parts.set(at, some); for (const [at, one] of way.along) strongest.set(at, one); return way.whole; };
    strongest = new Map();
    let whole = true;
    if (change !== undefined) {
      whole = put(wayOf(makers, change, number, arrays));
      for (const [at, some] of [...parts]) {                                 // a value stands where its gradient does
        const of = whose.get(at), last = of === undefined ? undefined : pairs.get(of);
        for (const same of [of, last]) if (same !== undefined && !parts.has(same)) { parts.set(same, some); strongest.set(same, strongest.get(at) ?? [...some][0]); }
      }
    }
    if (value !== undefined && makers.has(value) && told.way !== "push") whole = put(wayOf(makers, value, number, arrays)) && whole;
    let reached = 0;
    for (const { value: of, change: to, node: column, halves } of columns) {
      const takes = parts.has(of) || (to !== undefined && parts.has(to));
      reached += Number(takes);
      column.hidden = !takes && columns.length > MANY;
      halves.forEach(({ node: button, array: at, number: text }) => {
        if (at === undefined) return;
        const part = parts.get(at), one = strongest.get(at), maker = stepOf(at), at_ = part && one !== undefined;
        button.classList.toggle("mt-on", Boolean(part));
        button.disabled = maker === undefined;
        button.toggleAttribute("aria-current", maker === now && (at === array || at === told.result));
        text.textContent = at_ ? written(arrays[at].data[one], 3) : "";
        button.setAttribute("aria-label", filled(words[maker === undefined ? "hop_given" : "hop"], { name: [`${arrays[at].name} ${text.textContent}`.trim(), at_ && placed_(unflat(arrays[at].shape, one))].filter(Boolean).join(", "), shape: sized(arrays[at].shape), step: maker, count: part ? part.size : 0, all: arrays[at].data.length }));
        thumb(at).draw(part || new Set(), at_ ? one : undefined);
      });
    }
    const name = `${arrays[array].name}${placed_(unflat(arrays[array].shape, number))}`;
    said.textContent = filled(words[whole ? "way" : "way_cut"], { name, count: reached, all: columns.length });
    node.hidden = columns.length < 2;
    const here = line.querySelector("[aria-current]")?.parentElement;
    if (here && (here.offsetLeft < line.scrollLeft || here.offsetLeft + here.offsetWidth > line.scrollLeft + line.clientWidth)) line.scrollLeft = here.offsetLeft - line.clientWidth / 2;
  }
  return { node, show, stepOf, placed: (/** @type {number} */ array) => strongest.get(array), repaint: () => { for (const one of thumbs) one.repaint(); } };
}
