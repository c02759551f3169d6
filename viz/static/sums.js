// @ts-check
// The element microscope's sums: the terms of one number, by the rule that Python wrote down (viz/microscope/rule.py),
// added up here.  Pure functions: they know no op and no document.

/** A place along an axis: constant, divisor, counts of letters, and perhaps [array of places, its lines, length of the
 * axis].
 * @typedef {[number, number, Record<string, number>, [string, Line[], number]?]} Line */
/** A number, a name, or [what, part, …].
 * @typedef {number | string | any[]} Tree */
/** Where the sums within a term run, and the letters of the term that they depend on.
 * @typedef {{over: [string, number][], when: [Line, number][], at: Record<string, Line[]>, by: string[]}} Inner */
/** @typedef {{over: [string, number][], let: [string, number, Line][], when: [Line, number][], of: Tree,
 *   at: Record<string, Line[]>, views?: Record<string, number[]>, as?: [number[], number[]], if?: Tree,
 *   inner?: Inner}} Part */
/** @typedef {{parts: Part[], then?: Tree, at?: Record<string, Line[]>, join?: string}} Rule */
/** @typedef {{shape: number[], data: ArrayLike<number>}} Numbers */
/** One term: which part, the letters, its number, how large the numbers are that it comes from, and where the numbers
 * lie that it is made of.
 * @typedef {{part: number, letters: Record<string, number>, value: number, size: number,
 *   from: Record<string, number>}} Term */

/** @type {Record<string, (...numbers: number[]) => number>} */
export const FUNCTIONS = {
  exp: Math.exp, log: Math.log, log1p: Math.log1p, expm1: Math.expm1,
  sin: Math.sin, cos: Math.cos, tan: Math.tan, sinh: Math.sinh, cosh: Math.cosh, tanh: Math.tanh,
  asinh: Math.asinh, acosh: Math.acosh, atanh: Math.atanh,
  asin: Math.asin, acos: Math.acos, atan: Math.atan, atan2: Math.atan2,
  sqrt: Math.sqrt, sign: Math.sign, floor: Math.floor, sigmoid: x => 1 / (1 + Math.exp(-x)),
  min: Math.min, max: Math.max, abs: Math.abs,
};
/** @type {Record<string, (...numbers: number[]) => number>} */
const SIGNS = {
  "+": (a, b) => a + b, "×": (a, b) => a * b, "÷": (a, b) => a / b, "^": (a, b) => a ** b,
  mod: (a, b) => a - b * Math.floor(a / b),
  ">": (a, b) => +(a > b), "≥": (a, b) => +(a >= b), "<": (a, b) => +(a < b), "≤": (a, b) => +(a <= b),
  "=": (a, b) => +(a === b), "≠": (a, b) => +(a !== b), and: (a, b) => a && b, or: (a, b) => a || b,
};

/** What an expression comes to; `read` tells the number of a name, or of a sum within.
 * @param {Tree} tree @param {(name: any) => number} read @returns {number} */
export function workedOut(tree, read) {
  if (typeof tree === "number") return tree;
  if (typeof tree === "string") return read(tree);
  const [what, ...parts] = tree;
  if (what === "Σ") return read(tree);
  if (what === "if") return workedOut(workedOut(parts[0], read) ? parts[1] : parts[2], read);
  const numbers = parts.map(part => workedOut(part, read));
  if (what === "−") return numbers.length === 1 ? -numbers[0] : numbers[0] - numbers[1];
  return (SIGNS[what] || FUNCTIONS[what])(...numbers);
}

/** How large the numbers are that an expression adds: what single precision rounds is a share of these, not of what is
 * left of them.
 * @param {Tree} tree @param {(name: any) => number} read @returns {number} */
export function sizeOf(tree, read) {
  if (!Array.isArray(tree)) return Math.abs(workedOut(tree, read));
  const [what, ...parts] = tree;
  const value = Math.abs(workedOut(tree, read));
  const sizes = what === "if" || what === "Σ" ? [] : parts.map(part => sizeOf(part, read));
  if (what === "+" || what === "−") return sizes.reduce((a, b) => a + b, 0);
  if (what === "×") return sizes[0] * sizes[1];
  if (what === "÷") return sizes[0] / Math.abs(workedOut(parts[1], read));
  if (what === "^") return Math.max(value, sizes[0] ** workedOut(parts[1], read)) || value;
  return value * (1 + Math.max(0, ...sizes));
}

/** @param {number[]} shape @param {number[]} place */
export const flat = (shape, place) => place.reduce((sum, at, axis) => sum * shape[axis] + at, 0);
/** @param {number[]} shape @param {number} at */
export const unflat = (shape, at) => [...shape].reverse().map(size => {
  const here = at % size;
  at = Math.floor(at / size);
  return here;
}).reverse();

/** Where a line leads, with these letters; null where there is nothing: between two places, or outside.
 * @param {Line} line @param {Record<string, number>} letters @param {number} length
 * @param {Record<string, Numbers>} arrays */
export function along([constant, over, counts, look], letters, length, arrays) {
  let at = constant;
  for (const name in counts) at += counts[name] * letters[name];
  if (look) {
    const [name, lines, wrap] = look;
    const there = position(lines, letters, arrays[name].shape, arrays);
    const found = there === null ? NaN : arrays[name].data[there];
    at += found < 0 ? found + wrap : found;
  }
  at /= over;
  return Number.isInteger(at) && at >= 0 && at < length ? at : null;
}

/** @param {Line[]} lines @param {Record<string, number>} letters @param {number[]} shape
 * @param {Record<string, Numbers>} arrays */
export function position(lines, letters, shape, arrays) {
  let at = 0;
  for (let axis = 0; axis < lines.length; axis++) {
    const here = along(lines[axis], letters, shape[axis], arrays);
    if (here === null) return null;
    at = at * shape[axis] + here;
  }
  return at;
}

/** The letters of the k-th of all choices.
 * @param {[string, number][]} over @param {number} k @param {Record<string, number>} letters */
function chosen(over, k, letters) {
  for (let i = over.length - 1; i >= 0; i--) {
    const [letter, count] = over[i];
    letters[letter] = k % count;
    k = Math.floor(k / count);
  }
  return letters;
}
const choices = (/** @type {[string, number][]} */ over) => over.reduce((all, [, n]) => all * n, 1);

/** Reads the numbers of a part: of a name where these letters lead, of a sum within all that it adds up.
 * @param {Pick<Part, "at" | "views" | "inner">} part @param {Record<string, number>} letters
 * @param {Record<string, Numbers>} arrays @returns {(name: any) => number} */
export function reader({ inner, at, views }, letters, arrays) {
  const place = (/** @type {string} */ name) =>
    position(at[name], letters, views?.[name] || arrays[name].shape, arrays);
  return name => {
    if (typeof name === "string") return arrays[name].data[place(name) ?? -1];
    const { over, when, at } = /** @type {Inner} */ (inner);
    let sum = 0;
    for (let k = choices(over); k--;) {
      const here = chosen(over, k, { ...letters });
      if (when.some(([line, length]) => along(line, here, length, arrays) === null)) continue;
      if (Object.keys(at).some(one => position(at[one], here, arrays[one].shape, arrays) === null)) continue;
      sum += workedOut(name[1], reader({ at }, here, arrays));
    }
    return sum;
  };
}

const placed = (/** @type {number[]} */ place) => Object.fromEntries(place.map((at, axis) => [`r${axis}`, at]));

/** Every term of the number at a place.  `arrays` has the numbers by the names of the rule.
 * @param {Rule} rule @param {number[]} place @param {Record<string, Numbers>} arrays @returns {Term[]} */
export function termsOf(rule, place, arrays) {
  const terms = /** @type {Term[]} */ ([]);
  rule.parts.forEach((part, number) => {
    const own = placed(part.as ? unflat(part.as[1], flat(part.as[0], place)) : place);
    const { over } = part, count = choices(over), names = Object.keys(part.at);
    const sums = new Map();   // those within terms, by expression and letters
    next: for (let k = 0; k < count; k++) {
      const letters = chosen(over, k, { ...own });
      const from = /** @type {Record<string, number>} */ ({});
      for (const [name, length, line] of part.let) {
        const at = along(line, letters, length, arrays);
        if (at === null) continue next;
        letters[name] = at;
      }
      for (const [line, length] of part.when) if (along(line, letters, length, arrays) === null) continue next;
      for (const name of names) {
        const at = position(part.at[name], letters, part.views?.[name] || arrays[name].shape, arrays);
        if (at === null) continue next;
        from[name] = at;
      }
      const read = (/** @type {any} */ name) => {
        if (typeof name === "string") return arrays[name].data[from[name]];
        const key = JSON.stringify([name, /** @type {Inner} */ (part.inner).by.map(one => letters[one])]);
        if (!sums.has(key)) sums.set(key, reader(part, letters, arrays)(name));
        return sums.get(key);
      };
      if (part.if !== undefined && !workedOut(part.if, read)) continue;
      terms.push({ part: number, letters, value: workedOut(part.of, read), size: sizeOf(part.of, read), from });
    }
  });
  return terms;
}

/** What the terms come to.
 * @param {Rule} rule @param {number[]} place @param {Term[]} terms @param {Record<string, Numbers>} arrays */
export function total(rule, place, terms, arrays) {
  const values = terms.map(term => term.value), { join } = rule;
  const sum = join === "max" ? Math.max(...values)
    : join === "min" ? Math.min(...values)
    : values.reduce((a, b) => a + b, 0);
  if (rule.then === undefined) return sum;
  const own = placed(place), at = rule.at || {};
  function read(/** @type {string} */ name) {
    if (name === "sum") return sum;
    if (name === "count") return values.length;
    return arrays[name].data[position(at[name], own, arrays[name].shape, arrays) ?? -1];
  }
  return workedOut(rule.then, read);
}

/** Whether a sum is the recorded number, as near as the order of adding in single precision lets it be.
 * @param {number} sum @param {number} recorded @param {Term[]} terms */
export function agrees(sum, recorded, terms) {
  if (Number.isNaN(sum) || Number.isNaN(recorded)) return Number.isNaN(sum) === Number.isNaN(recorded);
  if (!Number.isFinite(sum) || !Number.isFinite(recorded)) return sum === recorded;
  const most = terms.reduce((top, { size }) => Math.max(top, size || 0), Math.abs(recorded));
  return Math.abs(sum - recorded) <= 2e-5 * Math.max(most, 1e-30);
}
