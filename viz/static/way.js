// @ts-check
// The way of one number through the arrays of a run: which numbers take part, and which of them the most.  Pure functions.

import { termsOf, unflat } from "./sums.js";

/** @typedef {import("./arrays.js").Many} Many */
/** What made an array: the step, its rule, and the arrays that it read by their names in the rule.
 * @typedef {{step: number, told: any, known: Record<string, Many>, adds: number[] | null}} Maker */

const SEVERAL = 40_000;                                                      // terms that one way may look at

/** The arrays that a step reads, by their names in its rule. @param {any} told @param {Many[]} arrays @returns {Record<string, Many>} */
export const knownTo = ({ reads }, arrays) => Object.fromEntries(Object.keys(reads).flatMap(name => [name, `${name} of the row`].map(each => [each, arrays[reads[name]]])));

/** By array what made it.  A sum of what came back through several uses is a step of its own.
 * @param {Record<string, any>} steps @param {Many[]} arrays @returns {Map<number, Maker>} */
export function makersOf(steps, arrays) {
  const makers = new Map();
  for (const [step, told] of Object.entries(steps)) {
    const known = knownTo(told, arrays);
    if (told.total !== undefined && !makers.has(told.total)) makers.set(told.total, { step: Number(step), told, known, adds: [told.before, told.result] });
    if (!makers.has(told.result)) makers.set(told.result, { step: Number(step), told, known, adds: null });
  }
  return makers;
}

/** The first step that reads each array. @param {Record<string, any>} steps @returns {Map<number, number>} */
export function readersOf(steps) {
  const first = new Map();
  for (const [step, told] of Object.entries(steps)) for (const at of Object.values(told.reads)) if (!first.has(at)) first.set(at, Number(step));
  return first;
}

/** Whether an array of a rule is of the kind that the way goes along. */
const leads = (/** @type {string} */ way, /** @type {string} */ role) => {
  const name = role.replace(" of the row", "");
  return way === "back" ? /^d\d*$/.test(name) : way === "push" ? name.endsWith("'") : true;
};

/** The numbers that a number is made of, in arrays of its own kind, with what each term is worth.
 * @param {Maker} maker @param {number} array @param {number} number @param {Many[]} arrays @returns {[number, number, number][]} */
export function sourcesOf(maker, array, number, arrays) {
  if (maker.adds) return maker.adds.map(one => [one, number, arrays[one].data[number]]);
  if (!maker.told.rule) return [];
  const found = /** @type {[number, number, number][]} */ ([]);
  for (const { from, value } of termsOf(maker.told.rule, unflat(arrays[array].shape, number), maker.known)) {
    for (const name in from) if (leads(maker.told.way, name)) found.push([maker.known[name].number, from[name], value]);
  }
  const rule = maker.told.rule;                                             // what is done with the sum may read more
  if (rule.then !== undefined) for (const name in rule.at || {}) if (leads(maker.told.way, name) && maker.known[name].shape.length === arrays[array].shape.length) found.push([maker.known[name].number, number, 0]);
  return found;
}

/** From a number back to everything that it was made of: by array the numbers that take part, and the strongest way.
 * @param {Map<number, Maker>} makers @param {number} array @param {number} number @param {Many[]} arrays */
export function wayOf(makers, array, number, arrays) {
  const part = new Map([[array, new Set([number])]]), along = new Map([[array, number]]);
  let left = SEVERAL, strongest = /** @type {[number, number] | null} */ ([array, number]);
  while (strongest) {                                                        // the strongest term at each hop
    const maker = makers.get(strongest[0]), from = maker ? sourcesOf(maker, strongest[0], strongest[1], arrays) : [];
    let best = /** @type {[number, number, number] | null} */ (null);
    for (const one of from) if (!along.has(one[0]) && (!best || Math.abs(one[2]) > Math.abs(best[2]))) best = one;
    if (best) along.set(best[0], best[1]);
    strongest = best && [best[0], best[1]];
  }
  const stack = [[array, number]];
  while (stack.length && left > 0) {
    const [at, which] = /** @type {[number, number]} */ (stack.pop()), maker = makers.get(at);
    const from = maker ? sourcesOf(maker, at, which, arrays) : [];
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

/** Everything that a way is drawn from: for a question (or for the tangents of a run) by value the array that came back to it at last.
 * @param {any} data @param {Many[]} arrays @param {string} asked the step of the question, or "" for tangents */
export function pairsOf(data, arrays, asked) {
  const pairs = new Map(), whose = new Map();                                // by value its gradient; by any share of it the value
  for (const [target, seed] of data.asked[asked] || []) { pairs.set(target, seed); whose.set(seed, target); }
  for (const told of Object.values(/** @type {Record<string, any>} */ (data.steps))) {
    if (told.of === undefined || (told.way === "back" ? String(told.asked) !== asked : asked !== "" || told.way !== "push")) continue;
    for (const one of [told.result, told.total]) if (one !== undefined) { pairs.set(told.of, one); whose.set(one, told.of); }
  }
  return { pairs, whose };
}
