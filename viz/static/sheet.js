// @ts-check
// The document of a sheet.  It is written as it stands at the last step; here it is made to stand at any other.

import { linesOf, nameOf, named, valueAt } from "./apply.js";
import { best } from "./view.js";

/** @typedef {import("./apply.js").Line} Line */

/** @param {HTMLElement} frame @param {import("./apply.js").Sheet} sheet */
export function sheetPart(frame, sheet) {
  const marks = /** @type {Element[][]} */ ([]);   // an element's number may stand for several elements
  for (const node of frame.querySelectorAll("[data-k]")) {
    const other = node.getAttribute("data-k");
    if (other) marks[Number(other)].push(node);
    else marks.push([node]);
  }
  /** @param {{number: number, what: string}} line @returns {string | null} */
  const read = ({ number, what }) => {
    const [node] = marks[number];
    if (what === "text") return node.textContent;
    if (what === "html") return node.innerHTML;
    // a line says a class without its prefix
    return what === "class" ? (node.getAttribute(what) || "").replace("mt-", "") : node.getAttribute(what);
  };
  const written = new WeakMap();   // a document gives HTML back in a spelling of its own
  /** What is as it should be is left alone. @param {Line} line @param {number} step */
  function put(line, step) {
    const { number, what } = line, value = valueAt(line, step);
    for (const node of marks[number]) {
      if (what === "text") {
        if (node.textContent !== (value || "")) node.textContent = value;
      } else if (what === "html") {
        if (written.get(node) === value) continue;
        node.innerHTML = value || "";
        written.set(node, value);
      } else if (value === null) node.removeAttribute(what);
      else {
        const is = what === "class" ? `mt-${value}` : value;
        if (node.getAttribute(what) !== is) node.setAttribute(what, is);
      }
    }
  }
  const lines = named(linesOf(sheet.back));
  for (const line of lines.values()) line.values.push(read(line));
  const spaces = Object.entries(sheet.rooms).map(([name, told]) => {
    const rooms = told.map(({ least, place, back = {} }, i) => {
      const lines = named(linesOf(back));
      for (const one of linesOf(i ? place : told[1].place)) {   // of the first one the document has the places
        const line = lines.get(nameOf(one)) || { ...one, until: [], values: [] };
        line.values.push(i ? one.values[0] : read(one));
        lines.set(nameOf(one), line);
      }
      return { least, lines };
    });
    return { node: /** @type {Element} */ (frame.querySelector(`[data-room=${name}]`)), rooms, now: rooms[0] };
  });

  return {
    marks, lines, put, spaces: spaces.map(({ node }) => node),
    go(/** @type {number} */ from, /** @type {number} */ to) {
      for (const all of [lines, ...spaces.map(({ now }) => now.lines)]) {
        for (const line of all.values()) if (valueAt(line, from) !== valueAt(line, to)) put(line, to);
      }
    },
    /** Another width is another room; of those that say how large they are, the box chooses.
     * @param {number} step @param {[number, number] | null} box */
    settle(step, box) {
      for (const space of spaces) {
        const { node, rooms, now } = space;
        const sized = Array.isArray(now.least), width = node.clientWidth;
        const room = sized
          ? box && rooms[best(rooms.map(one => one.least), box)]
          : rooms.find(one => width >= one.least);
        if (!width || !room || room === now) continue;
        space.now = room;
        for (const line of room.lines.values()) put(line, step);
      }
    },
    /** An attribute of an element, over all steps. @param {number} number @param {string} what @returns {Line} */
    line: (number, what) => lines.get(nameOf({ number, what }))
      || { number, what, until: [], values: marks[number] ? [read({ number, what })] : [] },
  };
}
