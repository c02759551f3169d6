// @ts-check
// A central difference: the program run again from one array, one of its numbers moved a little up and a little down.

import { termsOf, total, unflat } from "./sums.js";

/** @typedef {import("./arrays.js").Many} Many */

const LONGEST = 3_000_000;                                                      // terms; more would take seconds
const SLICE = 400;                                                           // terms between two looks at the clock

/** What the target comes to by one number, worked out by the rules of the values alone: no derivative is asked.  A generator, so that it
 * can be let run between two keys.  The answer is a number with its slopes on both sides where they differ, or the key of a word.
 * @param {any} data @param {Many[]} arrays @param {Map<number, import("./way.js").Maker>} makers @param {any} look a step that goes back
 * @param {number} number @param {number} recorded @returns {Generator<undefined, {value: number, left?: number, right?: number} | string>} */
export function* difference(data, arrays, makers, look, number, recorded) {
  const asked = data.asked[look.asked], start = look.of;
  if (!asked || start === undefined) return "no_difference";
  const later = Object.values(data.steps).filter(one => one.way === "back" && one.asked === look.asked && one.of === start);
  if (later[later.length - 1] !== look) return "a_share";
  const same = (/** @type {Many} */ one) => one.number === start || (one.of && one.of === arrays[start].of && one.kind === arrays[start].kind && !makers.has(one.number));
  const family = arrays.filter(same), moved = new Set(family.map(one => one.number)), cards = new Set([arrays[start].of]), dark = new Set();
  const order = [...makers.entries()].filter(([, { told }]) => told.way === "value").sort((a, b) => a[1].step - b[1].step);
  for (const [array, { told, known }] of order) {                            // what the number reaches
    if (moved.has(array) || told.op === "stop_gradient" || !Object.values(known).some(one => moved.has(one.number))) continue;
    if (!told.rule || !told.taken.includes(look.by)) dark.add(arrays[array].of);
    else { moved.add(array); cards.add(arrays[array].of); }
  }
  for (let before = -1; before !== dark.size;) {                             // and what it reaches in ways that nobody wrote down
    before = dark.size;
    for (const [takes, gives] of data.dark) if (takes.some((/** @type {string} */ card) => cards.has(card) || dark.has(card))) for (const one of gives) dark.add(one);
    for (const [array, { known }] of order) if (Object.values(known).some(one => dark.has(one.of))) dark.add(arrays[array].of);
  }
  if (asked.some((/** @type {number[]} */ [target]) => dark.has(arrays[target].of))) return "no_difference";
  const begin = arrays[start].data[number], step = 1e-4 * Math.max(1, Math.abs(begin));
  let count = 0, pause = SLICE;
  /** @param {number} by @returns {Generator<undefined, number | null>} */
  function* run(by) {
    const now = new Map(family.map(one => [one.number, { ...one, data: Float64Array.from(one.data, (old, i) => (i === number ? begin + by : old)) }]));
    for (const [array, { told, known }] of order) {
      if (!moved.has(array) || now.has(array)) continue;
      const read = Object.fromEntries(Object.entries(known).map(([name, one]) => [name, now.get(one.number) || one])), { shape, data: old } = arrays[array];
      const made = new Float64Array(old.length);
      for (let i = 0; i < made.length; i++) {
        const place = unflat(shape, i), terms = termsOf(told.rule, place, read);
        made[i] = total(told.rule, place, terms, read);
        count += terms.length + 1;
        if (count > LONGEST) return null;
        if (count > pause) { pause = count + SLICE; yield; }
      }
      now.set(array, { ...arrays[array], data: made });
    }
    return asked.reduce((/** @type {number} */ sum, /** @type {number[]} */ [target, seed]) => {
      const many = now.get(target)?.data || arrays[target].data;
      for (let i = 0; i < many.length; i++) sum += arrays[seed].data[i] * many[i];
      return sum;
    }, 0);
  }
  const above = yield* run(step), below = yield* run(-step);
  if (above === null || below === null) return "too_long";
  const value = (above - below) / (2 * step);
  if (near(value, recorded)) return { value };
  const here = yield* run(0);
  return here === null ? { value } : { value, left: (here - below) / step, right: (above - here) / step };
}

/** Whether a difference is what single precision lets one see of a derivative. */
export const near = (/** @type {number} */ one, /** @type {number} */ other) => Math.abs(one - other) <= 1e-3 * Math.max(Math.abs(one), Math.abs(other)) + 1e-6;
