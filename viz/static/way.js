// @ts-check
// The way of one number through the arrays of a run: which numbers take part, and which of them the most.  Pure
// functions.

import { filled } from "./elements.js";
import { termsOf, unflat } from "./sums.js";

/** @typedef {import("./arrays.js").Many} Many */
/** What made an array: the step, its rule, and the arrays that it read by their names in the rule.
 * @typedef {{step: number, told: any, known: Record<string, Many>, adds: number[] | null}} Maker */

const SEVERAL = 40_000;   // terms that one way may look at

/** The arrays that a step reads, by their names in its rule.
 * @param {any} told @param {Many[]} arrays @returns {Record<string, Many>} */
export const knownTo = ({ reads }, arrays) => Object.fromEntries(Object.keys(reads).flatMap(name =>
  [name, `${name} of the row`].map(each => [each, arrays[reads[name]]])));

/** By array what made it.  A sum of what came back through several uses is a step of its own.
 * @param {Record<string, any>} steps @param {Many[]} arrays @returns {Map<number, Maker>} */
export function makersOf(steps, arrays) {
  const makers = new Map();
  for (const [step, told] of Object.entries(steps)) {
    const maker = { step: Number(step), told, known: knownTo(told, arrays), adds: null };
    const { total, before, result } = told;
    if (total !== undefined && !makers.has(total)) makers.set(total, { ...maker, adds: [before, result] });
    if (!makers.has(result)) makers.set(result, maker);
  }
  return makers;
}

/** Whether nothing more comes back to the value of a step for the same question.
 * @param {Record<string, any>} steps @param {any} look */
export const isLast = (steps, look) => Object.values(steps)
  .filter(one => one.way === "back" && one.asked === look.asked && one.of === look.of).at(-1) === look;

/** What the array is called that a step gives: of several shares each has the name of their sum.
 * @param {any} told @param {Many[]} arrays @param {Record<string, string>} words */
export const givenName = (told, arrays, words) => {
  const { name } = arrays[told.result];
  return told.share ? filled(words.share, { name }) : name;
};

/** The first step that reads each array. @param {Record<string, any>} steps @returns {Map<number, number>} */
export function readersOf(steps) {
  const first = new Map();
  for (const [step, told] of Object.entries(steps)) {
    for (const at of Object.values(told.reads)) if (!first.has(at)) first.set(at, Number(step));
  }
  return first;
}

/** Whether an array of a rule is of the kind that the way goes along. */
const leads = (/** @type {string} */ way, /** @type {string} */ role) => {
  const name = role.replace(" of the row", "");
  if (way === "back") return /^d\d*$/.test(name);
  return way !== "push" || name.endsWith("'");
};

/** The numbers that a number is made of, in arrays of its own kind, with what each term is worth.
 * @param {Maker} maker @param {number} array @param {number} number @param {Many[]} arrays
 * @returns {[number, number, number][]} */
export function sourcesOf(maker, array, number, arrays) {
  const { adds, known, told: { rule, way } } = maker, { shape } = arrays[array];
  if (adds) return adds.map(one => [one, number, arrays[one].data[number]]);
  if (!rule) return [];
  const found = /** @type {[number, number, number][]} */ ([]);
  for (const { from, value } of termsOf(rule, unflat(shape, number), known)) {
    for (const name in from) if (leads(way, name)) found.push([known[name].number, from[name], value]);
  }
  if (rule.then === undefined) return found;
  for (const name in rule.at || {}) {                                        // what is done with the sum may read more
    const one = known[name];
    if (leads(way, name) && one.shape.length === shape.length) found.push([one.number, number, 0]);
  }
  return found;
}

/** From a number back to everything that it was made of: by array the numbers that take part, and the strongest way.
 * @param {Map<number, Maker>} makers @param {number} array @param {number} number @param {Many[]} arrays */
export function wayOf(makers, array, number, arrays) {
  const sources = (/** @type {number} */ at, /** @type {number} */ which) => {
    const maker = makers.get(at);
    return maker ? sourcesOf(maker, at, which, arrays) : [];
  };
  const along = new Map([[array, number]]);
  let strongest = /** @type {[number, number] | null} */ ([array, number]);
  while (strongest) {                                                        // the strongest term at each hop
    let best = /** @type {[number, number, number] | null} */ (null);
    for (const one of sources(...strongest)) {
      if (!along.has(one[0]) && (!best || Math.abs(one[2]) > Math.abs(best[2]))) best = one;
    }
    if (best) along.set(best[0], best[1]);
    strongest = best && [best[0], best[1]];
  }
  const part = new Map([[array, new Set([number])]]);
  const stack = [[array, number]];
  let left = SEVERAL;
  while (stack.length && left > 0) {
    const from = sources(.../** @type {[number, number]} */ (stack.pop()));
    left -= 1 + from.length;
    for (const [to, where] of from) {
      const some = part.get(to) || new Set();
      if (some.has(where)) continue;
      part.set(to, some.add(where));
      stack.push([to, where]);
    }
  }
  return { part, along, whole: stack.length === 0 };
}

/** Everything that a way is drawn from: for a question (or for the tangents of a run) by value the sum of what has come
 * back to it.
 * @param {any} data @param {Many[]} arrays @param {string} asked the step of the question, or "" for tangents
 * @param {number} [until] the step by which it has */
export function pairsOf(data, arrays, asked, until = Infinity) {
  const pairs = new Map();   // by value its gradient
  const whose = new Map();   // by any share of it the value
  const pair = (/** @type {number} */ value, /** @type {number} */ change) => {
    pairs.set(value, change);
    whose.set(change, value);
  };
  for (const [target, seed] of data.asked[asked] || []) pair(target, seed);
  for (const [step, told] of Object.entries(/** @type {Record<string, any>} */ (data.steps))) {
    if (Number(step) > until) break;
    const mine = told.way === "back" ? String(told.asked) === asked : asked === "" && told.way === "push";
    if (told.of === undefined || !mine) continue;
    for (const one of [told.result, told.total]) if (one !== undefined) pair(told.of, one);
  }
  return { pairs, whose };
}
