// @ts-check
// A sheet whose program was traced anew: some attributes are told anew over all steps, and the step stays.

import { nameOf } from "./apply.js";

/** What an attribute of an element is over the steps: step, value, step, value, each until the next; the first from the beginning on.
 * @typedef {[number, string, any[]]} Told */
/** @typedef {import("./apply.js").Line} Line */

/** @param {Told} told @returns {Line} */
export const lineOf = ([number, what, line]) => ({ number, what, until: line.filter((_, i) => i && i % 2 === 0), values: line.filter((_, i) => i % 2) });

/** The marks under a player's numbers that say what these were, each with its number's text over the steps.
 * @param {any} player as `mount` gives it @returns {[Element, Line][]} */
export const numbersOf = ({ frame, rows }) => [...frame.querySelectorAll("[data-was]")].map(node => [node, rows.line(rows.marks.findIndex((/** @type {Element[]} */ [first]) => first === node.previousElementSibling), "text")]);

/** @param {any} player as `mount` gives it @param {Told[]} told */
export function turnPlayer({ rows, step, retold }, told) {
  for (const line of told.map(lineOf)) {
    rows.lines.set(nameOf(line), line);
    rows.put(line, step());
  }
  retold();
}
