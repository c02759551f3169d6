// @ts-check
// Rows of changes, and what follows from them.  A sheet is written as it stands at the last step; back[n] leads from step n to the
// step before, and everything else is derived here.  Pure functions: they know no document.

/** An element's number, one of its attributes ("text" and "html" are what stands in it), and a value; null takes it away.
 * @typedef {[number, string, string | null]} Change */
/** What leads from each step to its neighbour.
 * @typedef {Change[][]} Rows */
/** Rows as they are sent, by attribute: of each change the number as the distance from the one before, the value, so told where it is a number, too,
 * and the step, from that of the change before or, where another element begins, from the first of the element before; without steps all are of the first.
 * @typedef {Record<string, [number[], (string | number | null)[], number[]?]>} Columns */
/** Everything that Python tells about a run (viz/paint/page.py); a room has the places planned for a width of at least `least` px,
 * or says how large it is (w, h), and the one that comes out largest is taken; `score` stands in no document until a player puts it there.
 * @typedef {{html?: string, score?: string, steps: number, back: Columns, rooms: Record<string, {least: any, place: Columns, back?: Columns}[]>, find: any[][],
 *   together: {values: any[][], places: string[]},
 *   folds: [string, number, number][], say: number, loops?: any[]}} Sheet */

/** A table that is sent by columns, row by row.
 * @param {any[][]} columns @returns {any[]} */
export const table = columns => (columns[0] || []).map((_, i) => columns.map(column => column[i]));

/** @param {Columns} columns @param {number} steps @returns {Rows} */
export function rowsOf(columns, steps) {
  const rows = Array.from({ length: steps }, () => /** @type {Change[]} */ ([]));
  for (const [what, [numbers, values, dates]] of Object.entries(columns)) {
    let number = 0, first = 0, step = 0, sum = 0;
    numbers.forEach((apart, i) => {
      const after = dates ? dates[i] : 0;
      step = apart || !i ? (first += after) : step + after;
      const value = values[i];
      rows[step].push([number += apart, what, typeof value === "number" ? String(sum = Math.round((sum + value) * 1000) / 1000) : value]);
    });
  }
  return rows;
}

/** The last word on each attribute.
 * @param {Iterable<Change>} changes */
export const lastWords = changes => [...new Map([...changes].map(change => [`${change[0]} ${change[1]}`, change])).values()];

/** The way forward: what each row that leads a step back undoes.  `read` tells a value as it is at the last step.
 * @param {Rows} back @param {(number: number, what: string) => string | null} read @returns {Rows} */
export function forwards(back, read) {
  const now = new Map(), out = back.map(() => /** @type {Change[]} */ ([]));
  for (let n = back.length - 1; n > 0; n--) for (const [number, what, before] of back[n]) {
    const name = `${number} ${what}`;
    out[n].push([number, what, now.has(name) ? now.get(name) : read(number, what)]);
    now.set(name, before);
  }
  return out;
}

/** What leads from one step to another, however far: one change for each attribute.
 * @param {Rows} back @param {Rows} forward @param {number} from @param {number} to */
export function between(back, forward, from, to) {
  const rows = to > from ? forward.slice(from + 1, to + 1) : back.slice(to + 1, from + 1).reverse();
  return lastWords(rows.flat());
}

/** A room, its places at the last step and its rows, as it stands at a step.
 * @param {{place: Change[], back: Rows}} room @param {number} step */
export const placed = ({ place, back }, step) => lastWords([...place, ...back.slice(step + 1).reverse().flat()]);

/** The room for a width: the first that is not too wide; the rooms stand widest first.
 * @template {{least: any}} R
 * @param {R[]} rooms @param {number} width */
export const roomFor = (rooms, width) => rooms.find(room => width >= room.least) || rooms[rooms.length - 1];

/** One attribute at every step, from the first to the last.
 * @param {Rows} back @param {number} number @param {string} what @param {string | null} last */
export function history(back, number, what, last) {
  const out = [last];
  for (let n = back.length - 1; n > 0; n--) out.unshift((back[n].find(one => one[0] === number && one[1] === what) || [0, "", out[0]])[2]);
  return out;
}
