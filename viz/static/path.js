// @ts-check
// The way of one number, drawn: all arrays in program order, values above, what came back or went along below; each is
// the button of its step.

import { unflat } from "./sums.js";
import { dots, placed_, sized, written } from "./arrays.js";
import { filled, made, taken } from "./elements.js";
import { planeOf } from "./heat.js";
import { givenName, pairsOf, readersOf, wayOf } from "./way.js";

/** @typedef {import("./arrays.js").Many} Many */

const SMALL = { side: 44, dot: 9, faint: 40 };   // of a small picture
const MANY = 24;                                 // more arrays than that stand there only if they take part

/** A small picture of an array that can be drawn again in a moment.
 * @param {Many} one */
function thumbnail(one) {
  const plane = planeOf(one.shape, false, one.shape.length === 4 ? [1, 2] : undefined);
  const drawn = dots(one, plane, { ...SMALL, wrap: one.shape.length < 2 ? Math.min(one.data.length, 8) : 0 });
  const { block, unit } = drawn;
  const frame = made("i.spot", { hidden: true });
  let base = /** @type {Uint8ClampedArray | null} */ (null);
  return {
    node: made("span.small", {}, drawn.canvas, frame),
    repaint: () => { base = null; },
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
      const at = strongest === undefined ? null : drawn.where(strongest);
      frame.hidden = !at;
      if (!at) return;
      const side = Math.max(5, Math.round(unit) + 4);
      const [top, left] = at.map(place => Math.round(place * unit) - 2);
      frame.setAttribute("style", `left:${left}px;top:${top}px;width:${side}px;height:${side}px`);
    },
  };
}

/** @param {any} data @param {Many[]} arrays @param {Map<number, import("./way.js").Maker>} makers
 * @param {(array: number, number: number) => void} lead @param {Record<string, string>} words */
export function pathPart(data, arrays, makers, lead, words) {
  const said = made("p.quiet"), line = made("div.stretch"), node = made("div.way", {}, said, line);
  const questions = Object.keys(data.asked), used = readersOf(data.steps);
  const first = (/** @type {number} */ array) => makers.get(array)?.step ?? (used.get(array) ?? 0) - 0.5;
  const seeds = new Map(questions.flatMap(step =>
    data.asked[step].map((/** @type {number[]} */ [, seed]) => [seed, Number(step)])));
  const stepOf = (/** @type {number} */ array) => makers.get(array)?.step ?? seeds.get(array);
  let shown = "", strongest = new Map(), { pairs, whose } = pairsOf(data, arrays, shown);
  let columns = /** @type {{value: number, last: number | undefined, halves: any[], node: any}[]} */ ([]);

  /** The buttons of a question's arrays: every value that something came back to, and all that these are made of. */
  function lay(/** @type {string} */ asked) {
    shown = asked;
    ({ pairs, whose } = pairsOf(data, arrays, asked));
    const values = new Set(pairs.keys());
    for (const [array, { told, known: reads }] of makers) {
      if (told.way !== "value" || pairs.size && !pairs.has(array)) continue;
      values.add(array);
      for (const one of Object.values(reads)) values.add(one.number);
    }
    columns = [...values].sort((a, b) => first(a) - first(b)).map(value => {
      const halves = [half(value, ""), half(pairs.get(value), ".after")];
      return { value, last: pairs.get(value), halves, node: made("div.hops", {}, ...halves.map(one => one.node)) };
    });
    line.replaceChildren(...columns.map(one => one.node));
  }
  /** @param {number | undefined} array @param {string} row */
  function half(array, row) {
    if (array === undefined) return { node: made("span.hop"), array };
    const { name, kind } = arrays[array], number = made("b"), thumb = thumbnail(arrays[array]);
    const beside = row ? ".mt-after" : ":not(.mt-after)";
    function onkeydown(/** @type {KeyboardEvent} */ event) {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!by) return;
      const all = /** @type {HTMLElement[]} */ ([...line.querySelectorAll(`button.mt-hop${beside}:not([disabled])`)]);
      taken(event);
      all[all.indexOf(button) + by]?.focus();
    }
    const onclick = () => lead(array, strongest.get(array) ?? 0);
    const short = row ? name.replace(/^∂(\(.*?\)|[^/(]*)\//, "∂/") : name;
    const button = made(`button.hop${row}`, { type: "button", style: `--own:var(--${kind})`, onclick, onkeydown },
      made("span", {}, short), thumb.node, number);
    return { node: button, array, number, thumb };
  }
  /** What has come back by a step stands below: of several shares the sum so far. */
  function renew(/** @type {number} */ until) {
    ({ pairs, whose } = pairsOf(data, arrays, shown, until));
    for (const { value, last, halves } of columns) {
      const old = halves[1], sum = pairs.get(value) ?? last;
      if (sum === old.array) continue;
      halves[1] = half(sum, ".after");
      const focused = document.activeElement === old.node;
      old.node.replaceWith(halves[1].node);
      if (focused) halves[1].node.focus({ preventScroll: true });
    }
  }
  /** Which question the arrays of a step belong to. */
  function questionOf(/** @type {any} */ { way, asked }) {
    if (way !== "value") return way === "back" ? String(asked) : "";
    return questions.includes(shown) ? shown : questions.at(-1) || "";
  }
  /** @param {any} half @param {Set<number> | undefined} part which of its numbers take part, if any do
   * @param {boolean} current whether it is where the way begins */
  function showHalf({ node: button, array, number, thumb }, part, current) {
    const { name, shape, data } = arrays[array], maker = stepOf(array);
    const one = part && strongest.get(array);
    const value = one === undefined ? "" : written(data[one], 3);
    button.classList.toggle("mt-on", Boolean(part));
    button.disabled = maker === undefined;
    button.toggleAttribute("aria-current", current);
    number.textContent = value;
    const place = one === undefined ? "" : placed_(unflat(shape, one));
    const named = [`${name} ${value}`.trim(), place].filter(Boolean).join(", ");
    const facts = { name: named, shape: sized(shape), step: maker, count: part?.size ?? 0, all: data.length };
    button.setAttribute("aria-label", filled(words[maker === undefined ? "hop_given" : "hop"], facts));
    thumb.draw(part || new Set(), one);
  }
  /** Follow a number of what a step gives.
   * @param {any} told @param {number} array @param {number} number @param {number} now the step */
  function show(told, array, number, now) {
    const asked = questionOf(told);
    if (asked !== shown || !columns.length) lay(asked);
    renew(told.way === "back" ? now : Infinity);
    const [value, change] = told.way === "value" ? [array, pairs.get(array)] : [told.of, array];
    const parts = new Map();
    strongest = new Map();
    const put = (/** @type {number} */ from) => {
      const { part, along, whole } = wayOf(makers, from, number, arrays);
      for (const [at, some] of part) parts.set(at, some);
      for (const [at, one] of along) strongest.set(at, one);
      return whole;
    };
    let whole = true, reached = 0;
    if (change !== undefined) {
      whole = put(change);
      for (const [at, some] of [...parts]) {                                 // a value stands where its gradient does
        const of = whose.get(at);
        for (const same of of === undefined ? [] : [of, pairs.get(of)]) {
          if (same === undefined || parts.has(same)) continue;
          parts.set(same, some);
          strongest.set(same, strongest.get(at) ?? [...some][0]);
        }
      }
    }
    if (value !== undefined && makers.has(value) && told.way !== "push") whole = put(value) && whole;
    for (const { node: column, halves } of columns) {
      const takes = halves.some(({ array: at }) => parts.has(at));
      reached += Number(takes);
      column.hidden = !takes && columns.length > MANY;
      for (const one of halves) {
        const at = one.array;
        if (at === undefined) continue;
        showHalf(one, parts.get(at), stepOf(at) === now && (at === array || at === told.result));
      }
    }
    const alone = array === told.result && told.before !== undefined;       // a share whose sum is not told
    const called = alone ? givenName(told, arrays, words) : arrays[array].name;
    const name = `${called}${placed_(unflat(arrays[array].shape, number))}`;
    said.textContent = filled(words[whole ? "way" : "way_cut"], { name, count: reached, all: columns.length });
    node.hidden = columns.length < 2;
    const here = line.querySelector("[aria-current]")?.parentElement, seen = line.scrollLeft;
    if (here && (here.offsetLeft < seen || here.offsetLeft + here.offsetWidth > seen + line.clientWidth)) {
      line.scrollLeft = here.offsetLeft - line.clientWidth / 2;
    }
  }
  function repaint() {
    for (const { halves } of columns) for (const { thumb } of halves) thumb?.repaint();
  }
  return { node, show, stepOf, placed: (/** @type {number} */ array) => strongest.get(array), repaint };
}
