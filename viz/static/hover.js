// @ts-check
// Point at one thing and it lights up everywhere else: card, string, code line, term of the formula, marks of its
// steps, memory.

import { table } from "./apply.js";

/** What belongs to a value: its id, its steps, its line, and who holds its bytes from when to when.
 * @typedef {[string, number[], string, [string, number, number | null][]]} Belongings */
const KINDS = ["value", "place", "step", "holder"], MARKED = KINDS.map(kind => `[data-${kind}]`).join();

/** What lights up with a thing, such as "value:x" or "step:3", at step n.
 * @param {Belongings[]} values @param {string[]} places the line of each step @param {string} thing
 * @param {number} n */
export function companions(values, places, thing, n) {
  const found = new Set([thing]);
  for (const [id, steps, place, held] of values) {
    const value = `value:${id}`;
    const holders = held.filter(([, from, to]) => from <= n && (to === null || n < to));
    const its = [
      ...steps.map(step => `step:${step}`), ...holders.map(([by]) => `holder:${by}`),
      ...(place ? [`place:${place}`] : []),
    ];
    if (thing === value) for (const one of its) found.add(one);
    else if (its.includes(thing)) found.add(value);
  }
  places.forEach((place, step) => {
    if (place && thing === `step:${step}`) found.add(`place:${place}`);
    if (thing === `place:${place}`) found.add(`step:${step}`);
  });
  return found;
}

let hand = "";   // where it was seen last, over any player

/** @param {Element} root @param {import("./apply.js").Sheet["together"]} together
 * @param {(event: PointerEvent) => number} stepAt */
export function hoverPart(root, together, stepAt) {
  const values = table(together.values);
  let lit = /** @type {Element[]} */ ([]), shown = "";
  const things = (/** @type {any} */ { dataset }) =>
    KINDS.filter(kind => dataset[kind]).map(kind => `${kind}:${dataset[kind]}`);
  function clear() {
    for (const node of lit.splice(0)) node.removeAttribute("data-lit");
    shown = "";
  }
  function light(/** @type {string} */ thing, /** @type {number} */ n) {
    if (`${thing} ${n}` === shown) return;
    clear();
    if (!thing) return;
    shown = `${thing} ${n}`;
    const all = companions(values, together.places, thing, n);
    lit = [...root.querySelectorAll(MARKED)].filter(node => things(node).some(one => all.has(one)));
    for (const node of lit) node.setAttribute("data-lit", "");
  }
  function over(/** @type {PointerEvent} */ event, /** @type {number} */ n) {
    const at = `${event.clientX} ${event.clientY}`;
    if (at === hand) return;   // it rests, and the picture has moved under it
    hand = at;
    const node = event.pointerType === "touch" ? null : /** @type {Element} */ (event.target).closest?.(MARKED);
    if (!node) return clear();
    const thing = things(node)[0];
    light(thing, thing.startsWith("holder:") && node.closest("[data-axis]") ? stepAt(event) : n);
  }
  return { clear, light, over };
}
