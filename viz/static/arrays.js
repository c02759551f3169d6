// @ts-check
// Arrays as a page has them: their numbers, what is said of a whole array, how a number is written, and small elements made by hand.

/** @typedef {{number: number, name: string, kind: string, of: string, shape: number[], data: ArrayLike<number>, most: number}} Many */

const KINDS = /** @type {Record<string, any>} */ ({ f4: Float32Array, f8: Float64Array, i4: Int32Array, u1: Uint8Array });

/** @param {any[]} told @returns {Many[]} */
export const decoded = told => told.map(({ shape, dtype, data, number, name, kind, of }, at) => {
  const numbers = data === undefined ? [Number(number)] : new KINDS[dtype](Uint8Array.from(atob(data), one => one.charCodeAt(0)).buffer);
  return { number: at, name, kind, of, shape, data: numbers, most: largest(numbers) };
});

/** The largest size among finite numbers, 1 where all are 0.
 * @param {ArrayLike<number>} data */
export function largest(data) {
  let most = 0;
  for (let i = 0; i < data.length; i++) { const size = Math.abs(data[i]); if (size > most && size < Infinity) most = size; }
  return most || 1;
}

/** Where the largest size stands.
 * @param {ArrayLike<number>} data */
export function top(data) {
  let best = 0;
  for (let i = 1; i < data.length; i++) if (Math.abs(data[i]) > Math.abs(data[best])) best = i;
  return best;
}

/** The marks of what is no finite number, drawn around a point; the words of the microscope have the same keys. */
export const ODD = /** @type {Record<string, string>} */ ({ nan: "M-4-4l8 8m0-8l-8 8", up: "M-5 4L0-5L5 4Z", down: "M-5-4L0 5L5-4Z" });
/** Which of the marks a number has; none where it is finite. @param {number} one */
export const odd = one => (Number.isNaN(one) ? "nan" : one === Infinity ? "up" : one === -Infinity ? "down" : "");
/** How many numbers have each mark, those that any has. @param {ArrayLike<number>} data @returns {[string, number][]} */
export function oddsOf(data) {
  const counts = /** @type {Record<string, number>} */ ({ nan: 0, up: 0, down: 0 });
  for (let i = 0; i < data.length; i++) if (!Number.isFinite(data[i])) counts[odd(data[i])]++;
  return Object.entries(counts).filter(([, count]) => count);
}
/** How much a number stands out where one dot stands for many: what is not finite before all others. @param {number} one */
export const weight = one => (Number.isFinite(one) ? Math.abs(one) : Infinity);

/** Norm, range, zeros, and a histogram of 20 bins; of the finite numbers.
 * @param {ArrayLike<number>} data */
export function told(data) {
  let square = 0, low = Infinity, high = -Infinity, zeros = 0;
  for (let i = 0; i < data.length; i++) {
    const one = data[i];
    if (Number.isFinite(one)) {
      square += one * one;
      if (one === 0) zeros++;
      if (one < low) low = one;
      if (one > high) high = one;
    }
  }
  const bins = Array(20).fill(0), wide = high - low || 1;
  for (let i = 0; i < data.length; i++) if (Number.isFinite(data[i])) bins[Math.min(19, Math.floor((20 * (data[i] - low)) / wide))]++;
  return { norm: Math.sqrt(square), low, high, zeros, bins };
}

/** What is worked out once for each thing that it is asked of.
 * @template K, V @param {(of: K) => V} make @returns {(of: K) => V} */
export function once(make) {
  const known = new Map();
  return of => {
    if (!known.has(of)) known.set(of, make(of));
    return known.get(of);
  };
}

/** The hue of a kind of number. @param {string} kind */
export const hueOf = kind => (/^(gradient|tangent)/.test(kind) ? kind : "value");
/** Red, green and blue of what is over zero, under it, and no finite number, as an element has these colours (#rrggbb).
 * @param {Element} node @param {string} kind */
export function coloursOf(node, kind) {
  const style = getComputedStyle(node);
  return [hueOf(kind), "mute", "ink"].map(name => style.getPropertyValue(`--${name}`).trim()).map(hex => [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16)));
}
/** Which of them a number has. @param {number} one */
export const colourOf = one => (odd(one) ? 2 : one >= 0 ? 0 : 1);
/** Of numbers that lie in rows, in blocks of so many each way, those that stand out most in their blocks; -1 where there is none.
 * @param {ArrayLike<number>} data @param {number} rows @param {number} columns @param {number} block @param {(row: number, column: number) => number} at where each lies */
export function strongestOf(data, rows, columns, block, at) {
  const across = Math.ceil(columns / block), best = Array(across * Math.ceil(rows / block)).fill(-1);
  for (let row = 0; row < rows; row++) for (let column = 0; column < columns; column++) {
    const i = at(row, column), place = Math.floor(row / block) * across + Math.floor(column / block);
    if (i < data.length && (best[place] < 0 || weight(data[i]) > weight(data[best[place]]))) best[place] = i;
  }
  return best;
}

const minus = (/** @type {any} */ text) => String(text).replaceAll("-", "−");
/** A number in so many significant digits, or up to seven where it is not whole and would be shown as whole.
 * @param {number} one @returns {string} */
export function written(one, digits = 4) {
  if (Number.isNaN(one)) return "NaN";
  if (!Number.isFinite(one)) return one > 0 ? "∞" : "−∞";
  if (one === 0) return "0";
  if (digits < 7 && one % 1 && !(Number(one.toPrecision(digits)) % 1)) return written(one, digits + 1);
  const size = Math.abs(one);
  return size >= 1e5 || size < 1e-3 ? minus(one.toExponential(2)).replace("e+", "e") : minus(Number(one.toPrecision(digits)));
}

/** How the numbers of one array are written in squares: one power of ten for all of them, and at most four signs each.
 * @param {number} most the largest size */
export function scale(most) {
  const small = most >= 0.1 && most < 1, power = small || (most >= 1 && most < 100) ? 0 : Math.floor(Math.log10(most));
  const digits = small ? 3 : most >= 10 && !power ? 1 : 2;
  return {
    power: power ? `×10${[...String(power)].map(one => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(one)] || "⁻").join("")}` : "",
    text: (/** @type {number} */ one) => {
      if (Number.isNaN(one)) return "NaN";
      if (!Number.isFinite(one)) return one > 0 ? "∞" : "−∞";
      const shown = minus((one / 10 ** power).toFixed(digits)), round = /^−?0(\.0+)?$/.test(shown);
      return round ? (one === 0 ? "0" : "≈0") : small ? shown.replace("0.", ".") : shown;
    },
  };
}

/** @param {number[]} shape */
export const sized = shape => shape.length === 0 ? "1" : shape.length === 1 ? `(${shape[0]},)` : shape.join("×");
/** @param {number[]} place */
export const placed_ = place => place.length ? `[${place.join(", ")}]` : "";

/** A word with its gaps filled.
 * @param {string} text @param {Record<string, any>} facts */
export const filled = (text, facts = {}) => text.replace(/\{(\w+)\}/g, (_, name) => String(facts[name]));

const SVG = "http://www.w3.org/2000/svg";
/** An element: "tag.class.class", attributes (on… are listeners; null and false are left out), children.
 * @param {string} what @param {Record<string, any>} attributes @param {any[]} children @returns {any} */
export function made(what, attributes = {}, ...children) {
  const [tag, ...names] = what.split("."), drawn = /^(svg|g|rect|path|text|line)$/.test(tag);
  const node = /** @type {any} */ (drawn ? document.createElementNS(SVG, tag) : document.createElement(tag));
  if (names.length) node.setAttribute("class", names.map(name => `mt-${name}`).join(" "));
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(3).filter(one => one !== null && one !== undefined && one !== false));
  return node;
}
