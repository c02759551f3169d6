// @ts-check
// An array as a heat map: numbers where they fit, squares where not, a window and the whole array where it is large.

import { flat, unflat } from "./sums.js";
import { dots, hueOf, odd, oddsOf, placed_, scale, sized, strength, written, ODD } from "./arrays.js";
import { clamp, filled, made, taken } from "./elements.js";

const MOST = 14, WINDOW = 5;                    // rows or columns drawn whole; of a window
export const HIGH = 24;                         // px of a row
const DOTS = { side: 110, dot: 6, faint: 20 };  // of the whole array
const WRAP = 40;                                // columns of a long vector
const WAYS = /** @type {Record<string, number[]>} */ ({
  ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0],
  Home: [0, -1e9], End: [0, 1e9], PageUp: [-10, 0], PageDown: [10, 0],
});

/** Which number lies where in the plane: two axes of the array, the others held.
 * @param {number[]} shape @param {boolean} turned @param {number[] | undefined} plane */
export function planeOf(shape, turned, plane) {
  const all = [1, 1, ...shape].slice(Math.min(2, shape.length));   // what has no rows is one
  const axes = all.map((_, axis) => axis), held = all.map(() => 0);
  const [p, q] = plane && all.length > 2 ? plane : axes.slice(-2);
  const ways = turned ? [q, p] : [p, q], [rows, columns] = ways.map(axis => all[axis]);
  const rest = axes.filter(axis => !ways.includes(axis));
  /** @param {number} row @param {number} column */
  function at(row, column) {
    const place = held.slice();
    [place[ways[0]], place[ways[1]]] = [row, column];
    return flat(all, place);
  }
  /** The row and the column of a number; null on another sheet. @param {number} number */
  function where(number) {
    const place = unflat(all, number);
    return rest.every(axis => place[axis] === held[axis]) ? ways.map(axis => place[axis]) : null;
  }
  /** The number so many rows and columns from another, or at the edge. @param {number} number @param {number[]} by */
  function beside(number, by) {
    const from = where(number) || [0, 0];
    const [row, column] = [rows, columns].map((count, i) => clamp(0, from[i] + by[i], count - 1));
    return at(row, column);
  }
  return { rows, columns, rest, held, at, where, beside };
}

/** The colour behind a number; less of it where the number itself is to be read.
 * @param {number} one @param {number} most @param {string} hue @param {boolean} numbers */
function tone(one, most, hue, numbers) {
  if (one === 0 || odd(one)) return "none";
  const share = strength(one, most), part = numbers ? 0.05 + 0.42 * share : 0.08 + 0.9 * share;
  return `color-mix(in srgb, var(--${one > 0 ? hue : "mute"}) ${(100 * part).toFixed(0)}%, transparent)`;
}

/**
 * One heat map.  `numbers` are what is drawn (of a derived operand what it is made into), `hands.chosen(flat)` and
 * `hands.moved(by, key)` tell what a reader does with it.
 * @param {{name: string, kind: string, shape: number[], numbers: ArrayLike<number>, most: number, turned?: boolean,
 *   plane?: number[], id: string}} one
 * @param {{wide: number, digits: boolean}} cell @param {any} hands @param {Record<string, string>} words
 */
export function heatMap(one, cell, hands, words) {
  const { shape, numbers, most } = one, plane = planeOf(shape, Boolean(one.turned), one.plane), how = scale(most);
  const hue = hueOf(one.kind), long = shape.length === 1 && plane.rows === 1 && plane.columns > MOST;
  const large = plane.rows > MOST || plane.columns > MOST;
  const high = Math.min(plane.rows, large ? WINDOW : MOST), wide = Math.min(plane.columns, large ? WINDOW : MOST);
  const { wide: w, digits } = cell, h = HIGH;                      // px of a square
  const left = large && !long ? 26 : 0, above = large ? 16 : 0;    // px for the numbers of rows and columns
  const odds = oddsOf(numbers), counted = odds.map(([kind, count]) => filled(words[kind], { count }));
  let first = [-1, -1], shown = "";                                // the row and the column where the window begins

  // -- the squares
  const transform = `translate(${left} ${above})`;
  const body = made("g", { transform }), marks = made("g", { transform });
  const grid = made("svg.grid", {
    width: wide * w + left, height: high * h + above,
    tabindex: 0, role: "application", "aria-roledescription": words.grid, "data-grid": one.id,
    onclick(/** @type {MouseEvent} */ event) {
      const box = grid.getBoundingClientRect();
      const x = Math.floor((event.clientX - box.left - left) / w);
      const y = Math.floor((event.clientY - box.top - above) / h);
      if (x >= 0 && y >= 0 && x < wide && y < high) hands.chosen(plane.at(y + first[0], x + first[1]));
    },
    onkeydown(/** @type {KeyboardEvent} */ event) {
      const by = WAYS[event.key];
      if (event.ctrlKey || event.metaKey || event.altKey || (!by && event.key !== "Enter")) return;
      taken(event);
      hands.moved(by, event.key);
    },
  }, body, marks);
  const squares = /** @type {any[]} */ ([]);                       // a rectangle and its sign: a text, or an outline
  for (let r = 0; r < high; r++) for (let c = 0; c < wide; c++) {
    const rect = made("rect", { x: c * w + 1, y: r * h + 1, width: w - 2, height: h - 2, rx: 3 });
    const text = document.createTextNode("");
    const sign = digits ? made("text", { x: (c + 0.5) * w, y: (r + 0.5) * h + 4 }, text) : made("path.sign");
    squares.push([rect, digits ? text : sign]);
    body.append(rect, sign);
  }
  const edges = /** @type {[Text, boolean, number][]} */ ([]);
  function edge(/** @type {boolean} */ down, /** @type {number} */ at) {
    const text = document.createTextNode("");
    edges.push([text, down, at]);
    body.append(made("text.ax", down ? { x: -13, y: (at + 0.5) * h + 4 } : { x: (at + 0.5) * w, y: -5 }, text));
  }
  const ends = (/** @type {number} */ n) => (n > 1 ? [0, n - 1] : [0]);
  if (large) ends(wide).forEach(at => edge(false, at));
  if (large && !long) ends(high).forEach(at => edge(true, at));

  function cells(/** @type {number} */ row, /** @type {number} */ column) {
    const name = `${row} ${column} ${plane.held}`;
    if (name === shown) return;
    shown = name;
    first = [row, column];
    for (let r = 0; r < high; r++) for (let c = 0; c < wide; c++) {
      const number = numbers[plane.at(r + row, c + column)], [rect, sign] = squares[r * wide + c];
      rect.style.fill = tone(number, most, hue, digits);
      rect.style.stroke = odd(number) ? "var(--ink)" : number === 0 ? "var(--line)" : "none";
      if (digits) sign.data = how.text(number);
      else {
        sign.setAttribute("transform", `translate(${c * w + w / 2} ${r * h + h / 2})`);
        sign.setAttribute("d", ODD[odd(number)] || (number < 0 ? "M-4 0h8" : ""));
      }
    }
    edges.forEach(([text, down, at]) => { text.data = String(at + (down ? row : column)); });
  }

  // -- what is beside them
  /** Every number as one dot, or per block the one that is largest. */
  function overview() {
    const drawn = dots({ kind: one.kind, most, data: numbers }, plane, { ...DOTS, wrap: long ? WRAP : 0 });
    const { canvas, block, unit } = drawn;
    const title = filled(words[block > 1 ? "dots" : "dot"], { block }) + (odds.length ? words.odd_dots : "");
    function onclick(/** @type {MouseEvent} */ event) {
      const box = canvas.getBoundingClientRect();
      const at = [event.clientY - box.top, event.clientX - box.left].map(px => Math.floor(px / drawn.px));
      const number = drawn.best[at[0] * drawn.across + at[1]];
      if (number >= 0) hands.chosen(number);
    }
    const frame = made("span.within"), node = made("div.over", { title, onclick }, canvas, frame);
    function mark() {
      const [r, c] = drawn.where(plane.at(first[0], first[1])) || [0, 0];
      const size = (/** @type {number} */ n) => Math.max(4, n * unit + 2);
      const place = `left:${c * unit - 1}px;top:${r * unit - 1}px;width:${size(wide)}px;height:${size(high)}px`;
      frame.setAttribute("style", place);
    }
    return { node, mark, paint: () => drawn.paint(drawn.colours()) };
  }
  const whole = large ? overview() : null, pickers = plane.rest.length ? made("div.slices") : null;
  function pick() {
    pickers.replaceChildren(...plane.rest.map(axis => {
      const to = (/** @type {number} */ by) => () => {
        plane.held[axis] = (plane.held[axis] + by + shape[axis]) % shape[axis];
        hands.turned(plane.held.slice());
      };
      const name = filled(words.axis, { axis }), at = ` ${name}: ${plane.held[axis]} / ${shape[axis]} `;
      const before = filled(words.before, { name }), after = filled(words.after, { name });
      return made("span", {},
        made("button", { type: "button", "aria-label": before, onclick: to(-1) }, "‹"), at,
        made("button", { type: "button", "aria-label": after, onclick: to(1) }, "›"));
    }));
  }

  /** A frame around so many squares. @param {string} what @param {number} y @param {number} x */
  const framed = (what, y, x) =>
    made(what, { x: x * w + 0.5, y: y * h + 0.5, width: w - 1, height: h - 1, rx: 4 });
  /** Around squares that fill a rectangle one frame, else one around each. @param {number[][]} lit rows and columns */
  function litFrames(lit) {
    if (!lit.length) return [];
    const ys = lit.map(at => at[0]), xs = lit.map(at => at[1]);
    const y = Math.min(...ys), rows = Math.max(...ys) - y + 1;
    const x = Math.min(...xs), columns = Math.max(...xs) - x + 1;
    if (new Set(lit.map(String)).size !== rows * columns) return lit.map(([y, x]) => framed("rect.lit", y, x));
    return [made("rect.lit", { x: x * w, y: y * h, width: columns * w, height: rows * h, rx: 4 })];
  }
  /** Show a sheet, a number, and those that take part in it.
   * @param {{number?: number, part: number[], hot?: number, held?: number[]}} what */
  function show({ number, part, hot, held }) {
    const seen = number ?? part[0];
    const sheet = held || (seen === undefined ? plane.held : unflat(shape, seen));
    for (const axis of plane.rest) plane.held[axis] = sheet[axis];
    const [row, column] = (seen !== undefined && plane.where(seen)) || [0, 0];
    if (large) cells(windowAt(row, high, plane.rows, first[0]), windowAt(column, wide, plane.columns, first[1]));
    else cells(0, 0);
    const inside = (/** @type {number | undefined} */ number) => {
      const at = number === undefined ? null : plane.where(number);
      const [y, x] = at ? [at[0] - first[0], at[1] - first[1]] : [-1, -1];
      return y >= 0 && x >= 0 && y < high && x < wide ? [[y, x]] : [];
    };
    marks.replaceChildren(
      ...litFrames(part.flatMap(inside)),
      ...inside(number).map(([y, x]) => framed("rect.one", y, x)),
      ...inside(hot).map(([y, x]) => framed("rect.term", y, x)));
    const at = hot ?? seen;
    const place = at === undefined ? [] : [`${placed_(unflat(shape, at))} ${written(numbers[at])}`];
    grid.setAttribute("aria-label", [one.name, sized(shape), ...counted, ...place].join(", "));
    whole?.mark();
    if (pickers) pick();
  }

  const size = sized(one.turned ? [...shape].reverse() : shape);
  const icon = (/** @type {string} */ kind) =>
    made("svg", { width: 12, height: 12, viewBox: "-6 -6 12 12", "aria-hidden": "true" },
      made("path.sign", { d: ODD[kind] }));
  const caption = made("figcaption", { style: `color:var(--${hue})` },
    one.name + (one.turned && shape.length > 1 ? "ᵀ" : ""),
    made("span", {}, digits && how.power ? `${size} · ${how.power}` : size),
    odds.length && shape.length
      ? made("span.odds", {}, ...odds.map(([kind], i) => [digits ? null : icon(kind), ` ${counted[i]} `]))
      : null);
  const node = made("figure.heat", {}, caption, grid, whole?.node, pickers);
  return { node, grid, plane, show, paint: () => whole?.paint(), rows: high, columns: wide, id: one.id };
}

/** Where a window begins, of so many of all, that has one in it: where it was, or else with that one in its middle.
 * @param {number} at @param {number} size @param {number} all @param {number} before */
function windowAt(at, size, all, before) {
  if (before >= 0 && at >= before && at < before + size) return before;
  return clamp(0, at - Math.floor(size / 2), all - size);
}

/** How wide the squares are: numbers where all fit, the narrowest maps first.
 * @param {number[]} columns @param {number} room */
export function cellsFor(columns, room) {
  const all = columns.reduce((a, b) => a + b, 0);
  const side = clamp(12, Math.floor(room / Math.max(1, all)), 24);
  const out = columns.map(() => ({ wide: side, digits: false }));
  let used = all * side;
  if (side < 24) return out;
  for (const at of columns.map((_, i) => i).sort((a, b) => columns[a] - columns[b])) {
    const more = columns[at] * 16;
    if (used + more > room) continue;
    used += more;
    out[at] = { wide: 40, digits: true };
  }
  return out;
}
/** How many columns of an array are drawn.
 * @param {number[]} shape @param {boolean} turned @param {number[] | undefined} plane */
export function columnsOf(shape, turned, plane) {
  const { rows, columns } = planeOf(shape, turned, plane);
  return Math.min(columns, rows > MOST || columns > MOST ? WINDOW : MOST);
}
