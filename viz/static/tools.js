// Small tools: elements, text, numbers as a learner reads them.

// html("div.mt-a.mt-b", {title: "t"}, child, ...): attributes may be left out, children may be nested lists with gaps.
const maker = create => (what, ...rest) => {
  const [tag, ...names] = what.split("."), node = create(tag), first = rest[0];
  const attributes = first && Object.getPrototypeOf(first) === Object.prototype ? rest.shift() : {};
  if (names.length) node.setAttribute("class", names.join(" "));
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...rest.flat(2).filter(child => child !== null && child !== undefined && child !== false));
  return node;
};
export const html = maker(tag => document.createElement(tag));
export const svg = maker(tag => document.createElementNS("http://www.w3.org/2000/svg", tag));
export const text = (x, y, content, cls, anchor = "start") => svg("text", { x, y, class: cls, "text-anchor": anchor }, content);
export const squeeze = (node, width) => { put(node, "textLength", round(width)); put(node, "lengthAdjust", "spacingAndGlyphs"); };

// Attributes and text are touched only where they change: a step through 300 marks stays cheap.
export const put = (node, name, value) => { if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value); };
export const classes = (node, ...names) => put(node, "class", names.filter(Boolean).join(" "));
export const write = (node, content) => { if (node.textContent !== content) node.textContent = content; };

// Scroll a box (never the page) so that the part {x, y, w, h} of what it holds shows.  In the next frame: asking the
// browser for positions in the middle of a step would make it lay out the page twice.
const waiting = new WeakMap();
export function keepInView(box, part) {
  cancelAnimationFrame(waiting.get(box));
  waiting.set(box, requestAnimationFrame(() => {
    const { scrollLeft: x, scrollTop: y, clientWidth: w, clientHeight: h } = box;
    if (part.w && (part.x < x + 24 || part.x + part.w > x + w - 24)) box.scrollLeft = part.x + part.w / 2 - w / 2;
    if (part.y < y + 16 || part.y + part.h > y + h - 16) box.scrollTop = part.y + part.h / 2 - h / 2;
  }));
}

export const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
export const round = value => Math.round(value * 10) / 10;
export const list = value => value || [];

// A text that changes keeps the room of its widest form from the start (CSS draws that one unseen): no line ever jumps.
const widest = texts => texts.reduce((a, b) => (columns(b) > columns(a) ? b : a), "");
export const steady = (texts, attributes = {}) => html("span", { ...attributes, "data-widest": widest(texts) }, html("span"));

// Columns of a monospaced face that a string takes, as the layout counts them: combining marks none, CJK two.
const MARK = /\p{M}/u, WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]/;
export const columns = string => [...string].reduce((sum, char) => sum + (MARK.test(char) ? 0 : WIDE.test(char) ? 2 : 1), 0);

export function shorten(string, most) {
  return columns(string) <= most ? string : `${[...string].slice(0, most - 1).join("")}…`;
}
export function wrap(string, most) {
  const lines = [];
  for (const word of string.split(" ")) {
    if (lines.length && columns(`${lines.at(-1)} ${word}`) <= most) lines.push(`${lines.pop()} ${word}`);
    else lines.push(word);
  }
  return lines;
}
// A number of the scene, whichever way it was written: what JSON cannot say (NaN, infinity) comes as text and stays text.
const NUMBER = /^[−-]?[\d.]+(e[−+-]?\d+)?$/;
const numeric = value => (typeof value === "string" && NUMBER.test(value) ? Number(value.replaceAll("−", "-")) : value);
export function digits(value, count = 4) {
  value = numeric(value);
  if (typeof value !== "number") return String(value ?? "nan");
  return String(Number(value.toPrecision(count))).replace("-", "−");
}
// Three digits, as short as the layout counts them (Python's .3g): 0.000031 and 12345 turn to powers of ten.
export function brief(value) {
  value = numeric(value);
  if (typeof value !== "number") return String(value ?? "nan");
  const exponent = value ? Math.floor(Math.log10(Math.abs(Number(value.toPrecision(3))))) : 0;
  if (exponent >= -4 && exponent < 3) return digits(value, 3);
  const [mantissa, power] = Number(value.toPrecision(3)).toExponential().split("e");
  return `${mantissa}e${power[0]}${power.slice(1).padStart(2, "0")}`.replace(/^-/, "−").replace("e-", "e−");
}
export function amount(bytes, unit) {
  if (unit !== "B" || bytes < 10000) return `${digits(bytes)} ${unit}`;
  const [size, word] = bytes < 1e6 ? [1e3, "kB"] : bytes < 1e9 ? [1e6, "MB"] : [1e9, "GB"];
  return `${digits(bytes / size, 3)} ${word}`;
}
