// @ts-check
// A central difference: the program run again from arrays that were moved a little there and a little back.

import { termsOf, total, unflat } from "./sums.js";
import { isLast } from "./way.js";

/** @typedef {import("./arrays.js").Many} Many */
/** @typedef {[number, import("./way.js").Maker][]} Order */

const LONGEST = 3_000_000;   // terms; more would take seconds
const SLICE = 400;           // terms between two looks at the clock

/** What a gradient or a tangent is by the rules of the values alone: no derivative is asked.  A generator, so that it
 * can be let run between two keys.  The answer is a number, with its slopes on both sides where they differ, or the key
 * of a word.
 * @param {any} data @param {Many[]} arrays @param {Map<number, import("./way.js").Maker>} makers @param {any} look
 * @param {number} number @param {number} recorded
 * @returns {Generator<undefined, {value: number, left?: number, right?: number} | string>} */
export function* difference(data, arrays, makers, look, number, recorded) {
  const asks = look.way === "back" ? gradient(data, arrays, makers, look, number) : tangent(data, arrays, look, number);
  if (typeof asks === "string") return asks;
  const { starts, follows, targets, step, answer } = asks, order = orderOf(makers);
  const moved = /** @type {Set<number>} */ (reached(data, arrays, order, starts, follows, targets));
  if (!moved) return "no_difference";
  let count = 0, pause = SLICE;
  /** @param {number} by @returns {Generator<undefined, number | null>} */
  function* run(by) {
    const now = new Map([...starts].map(([at, move]) =>
      [at, { ...arrays[at], data: Float64Array.from(arrays[at].data, (old, i) => old + by * move(i)) }]));
    for (const [array, { told, known }] of order) {
      if (!moved.has(array) || now.has(array)) continue;
      const read = Object.fromEntries(Object.entries(known).map(([name, one]) => [name, now.get(one.number) || one]));
      const { shape, data: old } = arrays[array];
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
    return answer(at => now.get(at)?.data || arrays[at].data);
  }
  const above = yield* run(step), below = yield* run(-step);
  if (above === null || below === null) return "too_long";
  const value = (above - below) / (2 * step);
  if (near(value, recorded)) return { value };
  const here = yield* run(0);
  return here === null ? { value } : { value, left: (here - below) / step, right: (above - here) / step };
}

/** How one number of a gradient is asked for: that number alone moves, and the targets are weighed with what was put in
 * there.
 * @param {any} data @param {Many[]} arrays @param {Map<number, import("./way.js").Maker>} makers @param {any} look
 * @param {number} number */
function gradient(data, arrays, makers, look, number) {
  const asked = data.asked[look.asked], start = look.of;
  if (!asked || start === undefined) return "no_difference";
  if (!isLast(data.steps, look)) return "a_share";
  const { of, kind, data: numbers } = arrays[start];
  const same = (/** @type {Many} */ one) =>
    one.number === start || (one.of && one.of === of && one.kind === kind && !makers.has(one.number));
  const only = (/** @type {number} */ i) => Number(i === number);
  return {
    starts: new Map(arrays.filter(same).map(one => [one.number, only])),
    follows: (/** @type {number} */ _, /** @type {any} */ told) => told.taken.includes(look.by),
    targets: asked.map((/** @type {number[]} */ [target]) => target),
    step: 1e-4 * Math.max(1, Math.abs(numbers[number])),
    answer(/** @type {(at: number) => ArrayLike<number>} */ numbersOf) {
      let sum = 0;
      for (const [target, seed] of asked) {
        const many = numbersOf(target);
        for (let i = 0; i < many.length; i++) sum += arrays[seed].data[i] * many[i];
      }
      return sum;
    },
  };
}

/** How one number of a tangent is asked for: the primals move along theirs, all at once.
 * @param {any} data @param {Many[]} arrays @param {any} look @param {number} number */
function tangent(data, arrays, look, number) {
  const primals = data.moves[look.by], target = look.of;
  if (!primals || target === undefined) return "no_difference";
  const mine = (/** @type {any} */ one) => one.way === "push" && one.by === look.by;
  const carried = new Set(Object.values(data.steps).filter(mine).map(one => one.of));
  const moves = new Map(primals.map((/** @type {number[]} */ [primal, direction]) => [primal, arrays[direction].data]));
  const most = Math.max(...primals.map((/** @type {number[]} */ [, direction]) => arrays[direction].most));
  return {
    starts: new Map([...moves].map(([at, direction]) => [at, (/** @type {number} */ i) => direction[i]])),
    follows: (/** @type {number} */ array) => carried.has(array),
    targets: [target],
    step: 1e-4 / most,
    answer: (/** @type {(at: number) => ArrayLike<number>} */ numbersOf) => numbersOf(target)[number],
  };
}

/** @param {Map<number, import("./way.js").Maker>} makers @returns {Order} */
const orderOf = makers => [...makers.entries()]
  .filter(([, { told }]) => told.way === "value").sort((a, b) => a[1].step - b[1].step);

/** The arrays that move with those that are moved; null where a target may do so in a way that nobody can compute anew,
 * or none does.
 * @param {any} data @param {Many[]} arrays @param {Order} order @param {Map<number, any>} starts
 * @param {(array: number, told: any) => boolean} follows @param {number[]} targets */
function reached(data, arrays, order, starts, follows, targets) {
  const moved = new Set(starts.keys());
  const cards = new Set([...moved].map(at => arrays[at].of));
  const dark = new Set();                                                    // cards that may move so
  for (const [array, { told, known }] of order) {
    if (moved.has(array) || told.op === "stop_gradient") continue;
    if (!Object.values(known).some(one => moved.has(one.number))) continue;
    const { of } = arrays[array];
    if (!told.rule || !follows(array, told)) dark.add(of);
    else {
      moved.add(array);
      cards.add(of);
    }
  }
  for (let before = -1; before !== dark.size;) {
    before = dark.size;
    for (const [takes, gives] of data.dark) {
      if (!takes.some((/** @type {string} */ card) => cards.has(card) || dark.has(card))) continue;
      for (const one of gives) dark.add(one);
    }
    for (const [array, { known }] of order) {
      if (Object.values(known).some(one => dark.has(one.of))) dark.add(arrays[array].of);
    }
  }
  return targets.some(at => dark.has(arrays[at].of)) || !targets.some(at => moved.has(at)) ? null : moved;
}

/** Whether a difference is what single precision lets one see of a derivative. */
export const near = (/** @type {number} */ one, /** @type {number} */ other) =>
  Math.abs(one - other) <= 1e-3 * Math.max(Math.abs(one), Math.abs(other)) + 1e-6;
