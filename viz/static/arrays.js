// @ts-check
// Arrays as a page has them: their numbers, what is said of a whole array, how a number is written, and a picture.

import { clamp, made } from "./elements.js";

/** @typedef {{number: number, name: string, kind: string, of: string, shape: number[],
 *   data: ArrayLike<number>, most: number}} Many */

const KINDS = /** @type {Record<string, any>} */ ({
  f4: Float32Array, f8: Float64Array, i4: Int32Array, u1: Uint8Array,
});

/** @param {any[]} told @returns {Many[]} */
export const decoded = told => told.map((one, number) => {
  const { dtype, data } = one;
  const bytes = data && Uint8Array.from(atob(data), letter => letter.charCodeAt(0)).buffer;
  const numbers = bytes ? new KINDS[dtype](bytes) : [Number(one.number)];
  return { ...one, number, data: numbers, most: largest(numbers) };
});

/** The largest size among finite numbers, 1 where all are 0.
 * @param {ArrayLike<number>} data */
export function largest(data) {
  let most = 0;
  for (let i = 0; i < data.length; i++) {
    const size = Math.abs(data[i]);
    if (size > most && size < Infinity) most = size;
  }
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
export const ODD = /** @type {Record<string, string>} */ ({
  nan: "M-4-4l8 8m0-8l-8 8", up: "M-5 4L0-5L5 4Z", down: "M-5-4L0 5L5-4Z",
});
/** Which of the marks a number has; none where it is finite. @param {number} one */
export const odd = one => (Number.isNaN(one) ? "nan" : one === Infinity ? "up" : one === -Infinity ? "down" : "");
/** How many numbers have each mark, those that any has.
 * @param {ArrayLike<number>} data @returns {[string, number][]} */
export function oddsOf(data) {
  const counts = /** @type {Record<string, number>} */ ({ nan: 0, up: 0, down: 0 });
  for (let i = 0; i < data.length; i++) if (!Number.isFinite(data[i])) counts[odd(data[i])]++;
  return Object.entries(counts).filter(([, count]) => count);
}
/** Norm, range, zeros, and a histogram of 20 bins; of the finite numbers.
 * @param {ArrayLike<number>} data */
export function told(data) {
  const finite = Array.from(data).filter(Number.isFinite);
  const bins = Array(20).fill(0);
  let square = 0, low = Infinity, high = -Infinity;
  for (const one of finite) [square, low, high] = [square + one * one, Math.min(low, one), Math.max(high, one)];
  for (const one of finite) bins[Math.min(19, Math.floor((20 * (one - low)) / (high - low || 1)))]++;
  return { norm: Math.sqrt(square), low, high, zeros: finite.filter(one => one === 0).length, bins };
}

/** The hue of a kind of number. @param {string} kind */
export const hueOf = kind => (/^(gradient|tangent)/.test(kind) ? kind : "value");
/** How strongly a number is drawn, from 0 to 1; what is not finite most of all.
 * @param {number} one @param {number} most */
export const strength = (one, most) => Math.pow(Number.isFinite(one) ? Math.min(1, Math.abs(one) / most) : 1, 0.75);

/** A picture of an array in so many px at most, a dot of so many for each number, or for each block of them that one
 * which stands out most in it.  A long row is wrapped like text.
 * @param {{kind: string, most: number, data: ArrayLike<number>}} one
 * @param {ReturnType<typeof import("./heat.js").planeOf>} plane
 * @param {{wrap: number, side: number, dot: number, faint: number}} how `faint` is the least cover, of 255 */
export function dots({ kind, most, data }, plane, { wrap, side, dot, faint }) {
  const columns = wrap || plane.columns, rows = wrap ? Math.ceil(data.length / wrap) : plane.rows;
  const block = Math.max(1, Math.ceil(Math.max(rows, columns) / side));
  const across = Math.ceil(columns / block), down = Math.ceil(rows / block);
  const px = clamp(1, Math.floor(side / Math.max(across, down)), dot);
  const best = Array(across * down).fill(-1);                              // the number that stands out in each block
  const size = (/** @type {number} */ i) => (i < 0 ? -1 : Number.isFinite(data[i]) ? Math.abs(data[i]) : Infinity);
  for (let row = 0; row < rows; row++) for (let column = 0; column < columns; column++) {
    const i = wrap ? row * wrap + column : plane.at(row, column);
    const at = Math.floor(row / block) * across + Math.floor(column / block);
    if (i < data.length && size(i) > size(best[at])) best[at] = i;
  }
  const canvas = made("canvas", { width: across, height: down, style: `width:${across * px}px;height:${down * px}px` });
  return {
    canvas, best, across, px, block, unit: px / block,
    /** The row and the column of a number. @param {number} number */
    where: number => (wrap ? [Math.floor(number / wrap), number % wrap] : plane.where(number)),
    /** Its colours (#rrggbb) are those that it has where it stands. */
    colours() {
      const style = getComputedStyle(canvas);
      const all = new Uint8ClampedArray(4 * best.length);
      const [over, under, other] = [hueOf(kind), "mute", "ink"].map(name => {
        const hex = style.getPropertyValue(`--${name}`).trim();
        return [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16));
      });
      best.forEach((i, at) => {
        const hue = odd(data[i]) ? other : data[i] >= 0 ? over : under;
        if (i >= 0) all.set([...hue, faint + (255 - faint) * strength(data[i], most)], 4 * at);
      });
      return all;
    },
    paint: (/** @type {Uint8ClampedArray<ArrayBuffer>} */ all) =>
      canvas.getContext("2d").putImageData(new ImageData(all, across), 0, 0),
  };
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
  if (size >= 1e5 || size < 1e-3) return minus(one.toExponential(2)).replace("e+", "e");
  return minus(Number(one.toPrecision(digits)));
}

/** How the numbers of one array are written in squares: one power of ten for all of them, and at most four signs each.
 * @param {number} most the largest size */
export function scale(most) {
  const small = most >= 0.1 && most < 1;
  const power = small || (most >= 1 && most < 100) ? 0 : Math.floor(Math.log10(most));
  const digits = small ? 3 : most >= 10 && !power ? 1 : 2;
  return {
    power: power ? `×10${[...String(power)].map(one => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(one)] || "⁻").join("")}` : "",
    text(/** @type {number} */ one) {
      if (Number.isNaN(one)) return "NaN";
      if (!Number.isFinite(one)) return one > 0 ? "∞" : "−∞";
      const shown = minus((one / 10 ** power).toFixed(digits));
      if (/^−?0(\.0+)?$/.test(shown)) return one === 0 ? "0" : "≈0";
      return small ? shown.replace("0.", ".") : shown;
    },
  };
}

/** @param {number[]} shape */
export const sized = shape =>
  shape.length === 0 ? "1" : shape.length === 1 ? `(${shape[0]},)` : shape.join("×");
/** @param {number[]} place */
export const placed_ = place => place.length ? `[${place.join(", ")}]` : "";
