// @ts-check
// An array as a heat map: numbers where they fit, squares where not, a window and the whole array where it is large.

import { flat, unflat } from "./sums.js";
import { dots, filled, hueOf, made, odd, oddsOf, placed_, scale, sized, strength, written, ODD } from "./arrays.js";

const MOST = 14, WINDOW = 5;                                                 // rows or columns drawn whole; of a window
export const HIGH = 24;                                                      // px of a row
const DOTS = { side: 110, dot: 6, faint: 20 }, WRAP = 40;                    // of the whole array; columns of a long vector

/** Which number lies where in the plane: two axes of the array, the others held.
 * @param {number[]} shape @param {boolean} turned @param {number[] | undefined} plane */
export function planeOf(shape, turned, plane) {
  const all = [1, 1, ...shape].slice(Math.min(2, shape.length)), axes = all.map((_, axis) => axis);   // what has no rows is one
  const [p, q] = plane && all.length > 2 ? plane : axes.slice(-2), ways = turned ? [q, p] : [p, q], held = all.map(() => 0);
  const rest = axes.filter(axis => !ways.includes(axis)), [rows, columns] = ways.map(axis => all[axis]);
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
    const from = where(number) || [0, 0], [row, column] = [rows, columns].map((all, i) => Math.max(0, Math.min(all - 1, from[i] + by[i])));
    return at(row, column);
  }
  return { rows, columns, rest, held, at, where, beside };
}

const tone = (/** @type {number} */ one, /** @type {number} */ most, /** @type {string} */ hue, /** @type {boolean} */ numbers) => {
  const share = strength(one, most), part = numbers ? 0.05 + 0.42 * share : 0.08 + 0.9 * share;
  return one === 0 || odd(one) ? "none" : `color-mix(in srgb, var(--${one > 0 ? hue : "mute"}) ${(100 * part).toFixed(0)}%, transparent)`;
};

/**
 * One heat map.  `numbers` are what is drawn (of a derived operand what it is made into), `hands.chosen(flat)` and
 * `hands.moved(by, key)` tell what a reader does with it.
 * @param {{name: string, kind: string, shape: number[], numbers: ArrayLike<number>, most: number, turned?: boolean, plane?: number[], id: string}} one
 * @param {{wide: number, digits: boolean}} cell @param {any} hands @param {Record<string, string>} words
 */
export function heatMap(one, cell, hands, words) {
  const { shape, numbers, most } = one, plane = planeOf(shape, Boolean(one.turned), one.plane), how = scale(most);
  const hue = hueOf(one.kind), long = shape.length === 1 && plane.rows === 1 && plane.columns > MOST;
  const large = plane.rows > MOST || plane.columns > MOST;
  const high = Math.min(plane.rows, large ? WINDOW : MOST), wide = Math.min(plane.columns, large ? WINDOW : MOST);
  const { wide: w, digits } = cell, h = HIGH, left = large && !long ? 26 : 0, above = large ? 16 : 0;
  const odds = oddsOf(numbers), counted = odds.map(([kind, count]) => filled(words[kind], { count }));
  const body = made("g", { transform: `translate(${left} ${above})` }), marks = made("g", { transform: `translate(${left} ${above})` });
  const grid = made("svg.grid", {
    width: wide * w + left, height: high * h + above, tabindex: 0, role: "application", "aria-roledescription": words.grid, "data-grid": one.id,
    onclick: (/** @type {MouseEvent} */ event) => {
      const box = grid.getBoundingClientRect(), x = Math.floor((event.clientX - box.left - left) / w), y = Math.floor((event.clientY - box.top - above) / h);
      if (x >= 0 && y >= 0 && x < wide && y < high) hands.chosen(plane.at(y + first[0], x + first[1]));
    },
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      const by = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0], Home: [0, -1e9], End: [0, 1e9], PageUp: [-10, 0], PageDown: [10, 0] }[event.key];
      if (event.ctrlKey || event.metaKey || event.altKey || (!by && event.key !== "Enter")) return;
      event.preventDefault();
      event.stopPropagation();
      hands.moved(by, event.key);
    },
  }, body, marks);
  const squares = /** @type {any[]} */ ([]), edges = /** @type {[Text, boolean, number][]} */ ([]), ends = (/** @type {number} */ n) => (n > 1 ? [0, n - 1] : [0]);
  for (let r = 0; r < high; r++) for (let c = 0; c < wide; c++) {
    const rect = made("rect", { x: c * w + 1, y: r * h + 1, width: w - 2, height: h - 2, rx: 3 }), text = document.createTextNode("");
    const sign = digits ? made("text", { x: (c + 0.5) * w, y: (r + 0.5) * h + 4 }, text) : made("path.sign");
    squares.push([rect, digits ? text : sign]);
    body.append(rect, sign);
  }
  const edge = (/** @type {boolean} */ down, /** @type {number} */ at) => {
    const text = document.createTextNode("");
    edges.push([text, down, at]);
    body.append(made("text.ax", down ? { x: -13, y: (at + 0.5) * h + 4 } : { x: (at + 0.5) * w, y: -5 }, text));
  };
  if (large) ends(wide).forEach(at => edge(false, at));
  if (large && !long) ends(high).forEach(at => edge(true, at));
  const whole = large ? overview() : null, pickers = plane.rest.length ? made("div.slices") : null;
  let first = [-1, -1], shown = "", seen = /** @type {number | undefined} */ (undefined);

  function cells(/** @type {number} */ row, /** @type {number} */ column) {
    const name = `${row} ${column} ${plane.held}`;
    if (name === shown) return;
    shown = name;
    first = [row, column];
    for (let r = 0; r < high; r++) for (let c = 0; c < wide; c++) {
      const number = numbers[plane.at(r + row, c + column)], [rect, sign] = squares[r * wide + c], x = c * w, y = r * h;
      rect.style.fill = tone(number, most, hue, digits);
      rect.style.stroke = odd(number) ? "var(--ink)" : number === 0 ? "var(--line)" : "none";
      if (digits) sign.data = how.text(number);
      else {
        sign.setAttribute("transform", `translate(${x + w / 2} ${y + h / 2})`);
        sign.setAttribute("d", ODD[odd(number)] || (number < 0 ? "M-4 0h8" : ""));
      }
    }
    edges.forEach(([text, down, at]) => { text.data = String(at + (down ? row : column)); });
  }
  /** Every number as one dot, or per block the one that is largest. */
  function overview() {
    const drawn = dots({ kind: one.kind, most, data: numbers }, plane, { ...DOTS, wrap: long ? WRAP : 0 });
    const { canvas, block, unit } = drawn;
    const frame = made("span.within"),
      title = filled(words[block > 1 ? "dots" : "dot"], { block }) + (odds.length ? words.odd_dots : "");
    const node = made("div.over", { title, onclick: (/** @type {MouseEvent} */ event) => {
      const box = canvas.getBoundingClientRect();
      const at = [event.clientY - box.top, event.clientX - box.left].map(px => Math.floor(px / drawn.px));
      const number = drawn.best[at[0] * drawn.across + at[1]];
      if (number >= 0) hands.chosen(number);
    } }, canvas, frame);
    const mark = () => {
      const [r, c] = drawn.where(plane.at(first[0], first[1])) || [0, 0];
      const size = (/** @type {number} */ n) => Math.max(4, n * unit + 2);
      frame.setAttribute("style", `left:${c * unit - 1}px;top:${r * unit - 1}px;width:${size(wide)}px;height:${size(high)}px`);
    };
    return { node, mark, paint: () => drawn.paint(drawn.colours()) };
  }
  function pick() {
    pickers.replaceChildren(...plane.rest.map(axis => {
      const to = (/** @type {number} */ by) => () => { plane.held[axis] = (plane.held[axis] + by + shape[axis]) % shape[axis]; hands.turned(plane.held.slice()); };
      const name = filled(words.axis, { axis });
      return made("span", {}, made("button", { type: "button", "aria-label": filled(words.before, { name }), onclick: to(-1) }, "‹"), ` ${name}: ${plane.held[axis]} / ${shape[axis]} `,
        made("button", { type: "button", "aria-label": filled(words.after, { name }), onclick: to(1) }, "›"));
    }));
  }
  /** Show a sheet, a number, and those that take part in it.
   * @param {{number?: number, part: number[], hot?: number, held?: number[]}} what */
  function show({ number, part, hot, held }) {
    seen = number ?? part[0];
    const sheet = held || (seen === undefined ? plane.held : unflat(shape, seen));
    for (const axis of plane.rest) plane.held[axis] = sheet[axis];
    const [row, column] = (seen !== undefined && plane.where(seen)) || [0, 0];
    const from = (/** @type {number} */ at, /** @type {number} */ size, /** @type {number} */ all, /** @type {number} */ before) =>
      before >= 0 && at >= before && at < before + size ? before : Math.max(0, Math.min(all - size, at - Math.floor(size / 2)));
    if (large) cells(from(row, high, plane.rows, first[0]), from(column, wide, plane.columns, first[1]));
    else cells(0, 0);
    const inside = (/** @type {number} */ one_) => {
      const at = plane.where(one_), [y, x] = at ? [at[0] - first[0], at[1] - first[1]] : [-1, -1];
      return y >= 0 && x >= 0 && y < high && x < wide ? [[y, x]] : [];
    };
    const lit = part.flatMap(inside), boxes = [];
    if (lit.length) {
      const ys = lit.map(at => at[0]), xs = lit.map(at => at[1]), [y0, y1, x0, x1] = [Math.min(...ys), Math.max(...ys), Math.min(...xs), Math.max(...xs)];
      if (new Set(lit.map(String)).size === (y1 - y0 + 1) * (x1 - x0 + 1)) boxes.push(made("rect.lit", { x: x0 * w, y: y0 * h, width: (x1 - x0 + 1) * w, height: (y1 - y0 + 1) * h, rx: 4 }));
      else for (const [y, x] of lit) boxes.push(made("rect.lit", { x: x * w + 0.5, y: y * h + 0.5, width: w - 1, height: h - 1, rx: 4 }));
    }
    for (const [what, at] of /** @type {[string, number | undefined][]} */ ([["rect.one", number], ["rect.term", hot]])) for (const [y, x] of at === undefined ? [] : inside(at)) {
      boxes.push(made(what, { x: x * w + 0.5, y: y * h + 0.5, width: w - 1, height: h - 1, rx: 4 }));
    }
    marks.replaceChildren(...boxes);
    const at = hot ?? seen;
    grid.setAttribute("aria-label", `${one.name}, ${[sized(shape), ...counted].join(", ")}${at === undefined ? "" : `, ${placed_(unflat(shape, at))} ${written(numbers[at])}`}`);
    whole?.mark();
    if (pickers) pick();
  }
  const size = sized(one.turned ? [...shape].reverse() : shape);
  const node = made("figure.heat", {}, made("figcaption", { style: `color:var(--${hue})` }, one.name + (one.turned && shape.length > 1 ? "ᵀ" : ""),
    made("span", {}, digits && how.power ? `${size} · ${how.power}` : size),
    odds.length && shape.length ? made("span.odds", {}, ...odds.map(([kind], i) => [digits ? null : made("svg", { width: 12, height: 12, viewBox: "-6 -6 12 12", "aria-hidden": "true" }, made("path.sign", { d: ODD[kind] })), ` ${counted[i]} `])) : null), grid, whole?.node, pickers);
  return { node, grid, plane, show, paint: () => whole?.paint(), rows: high, columns: wide, id: one.id };
}

/** How wide the squares are: numbers where all fit, the narrowest maps first.
 * @param {number[]} columns @param {number} room */
export function cellsFor(columns, room) {
  const all = columns.reduce((a, b) => a + b, 0), side = Math.max(12, Math.min(24, Math.floor(room / Math.max(1, all))));
  const out = columns.map(() => ({ wide: side, digits: false }));
  let used = all * side;
  for (const at of columns.map((_, i) => i).sort((a, b) => columns[a] - columns[b])) {
    if (side === 24 && used + columns[at] * 16 <= room) { used += columns[at] * 16; out[at] = { wide: 40, digits: true }; }
  }
  return out;
}
/** How many columns of an array are drawn.
 * @param {number[]} shape @param {boolean} turned @param {number[] | undefined} plane */
export function columnsOf(shape, turned, plane) {
  const { rows, columns } = planeOf(shape, turned, plane);
  return Math.min(columns, rows > MOST || columns > MOST ? WINDOW : MOST);
}
