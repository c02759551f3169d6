// @ts-check
// What stands in a sheet at each step, read from the columns that Python sends.  Pure functions: they know no document.

/** Changes as they are sent, by attribute ("text" and "html" are what stands in an element): of each change the
 * element's number as the distance from the one before; what was there before it, so told where it is a number, too;
 * and the step, from that of the change before or, where another element begins, from the first of the element before.
 * Without steps it is a value of each element.
 * @typedef {Record<string, [number[], (string | number | null)[], number[]?]>} Columns */
/** Everything that Python tells about a run (viz/paint/page.py); a room has the places planned for a width of at least
 * `least` px, or says how large it is (w, h), and the one that comes out largest is taken; `score` stands in no
 * document until a player puts it there.
 * @typedef {{html?: string, score?: string, steps: number, say: number, back: Columns,
 *   rooms: Record<string, {least: any, place: Columns, back?: Columns}[]>,
 *   find: any[][], together: {values: any[][], places: string[]},
 *   folds: [string, number, number][], loops?: any[]}} Sheet */
/** An attribute of an element over the steps: its values until each of these steps, and from the last one on; null
 * where it is not there.
 * @typedef {{number: number, what: string, until: number[], values: (string | null)[]}} Line */

/** A table that is sent by columns, row by row.
 * @param {any[][]} columns @returns {any[]} */
export const table = columns => (columns[0] || []).map((_, i) => columns.map(column => column[i]));

/** The lines of a table; what stands behind its last change is not told there.
 * @param {Columns} columns */
export function linesOf(columns) {
  const lines = /** @type {Line[]} */ ([]);
  for (const [what, [numbers, values, dates = []]] of Object.entries(columns)) {
    let number = 0;            // the element's
    let first = 0, step = 0;   // of its first change, and of this one
    let sum = 0;
    numbers.forEach((apart, i) => {
      const begins = apart || !i, after = dates[i] || 0, value = values[i];
      if (begins) lines.push({ number: number += apart, what, until: [], values: [] });
      step = begins ? (first += after) : step + after;
      const line = lines[lines.length - 1];
      line.until.push(step);
      line.values.push(typeof value === "number" ? String(sum = Math.round((sum + value) * 1000) / 1000) : value);
    });
  }
  return lines;
}

/** Lines by their element and attribute.
 * @param {Line[]} lines @returns {Map<string, Line>} */
export const named = lines => new Map(lines.map(line => [nameOf(line), line]));
export const nameOf = (/** @type {{number: number, what: string}} */ { number, what }) => `${number} ${what}`;

/** What an attribute is at a step.
 * @param {Line} line @param {number} step */
export const valueAt = ({ until, values }, step) =>
  values.at(until.findIndex(end => step < end)) ?? null;   // -1: the last one
