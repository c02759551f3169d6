// @ts-check
// What several parts of the microscope do alike, above all small elements made by hand.

const SVG = "http://www.w3.org/2000/svg";
const isThere = (/** @type {any} */ one) => one !== null && one !== undefined && one !== false;

/** An element: "tag.class.class", attributes (on… are listeners; null and false are left out), children.
 * @param {string} what @param {Record<string, any>} attributes @param {any[]} children @returns {any} */
export function made(what, attributes = {}, ...children) {
  const [tag, ...names] = what.split(".");
  const drawn = /^(svg|g|rect|path|text|line)$/.test(tag);
  const node = /** @type {any} */ (drawn ? document.createElementNS(SVG, tag) : document.createElement(tag));
  if (names.length) node.setAttribute("class", names.map(name => `mt-${name}`).join(" "));
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (isThere(value)) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(3).filter(isThere));
  return node;
}

/** A word with its gaps filled.
 * @param {string} text @param {Record<string, any>} facts */
export const filled = (text, facts = {}) => text.replace(/\{(\w+)\}/g, (_, name) => String(facts[name]));

/** A number, or the end of a range that it lies beyond.
 * @param {number} low @param {number} number @param {number} high */
export const clamp = (low, number, high) => Math.max(low, Math.min(number, high));

/** A key that is used up: nobody else hears of it.
 * @param {Event} event */
export function taken(event) {
  event.preventDefault();
  event.stopPropagation();
}
