// @ts-check
// The document of a sheet, and its rows put into it.

import { rowsOf, forwards, between, placed, roomFor, history } from "./apply.js";
import { best } from "./view.js";

/** @param {HTMLElement} frame @param {import("./apply.js").Sheet} sheet */
export function sheetPart(frame, sheet) {
  const marks = /** @type {Element[][]} */ ([]);                           // an element's number may stand for several elements
  for (const node of frame.querySelectorAll("[data-k]")) {
    const other = node.getAttribute("data-k");
    if (other) marks[Number(other)].push(node);
    else marks.push([node]);
  }
  /** @param {number} number @param {string} what @returns {string | null} */
  const read = (number, what) => {
    const [node] = marks[number];
    if (what === "class") return (node.getAttribute(what) || "").replace("mt-", "");   // a row says a class without its prefix
    return what === "text" ? node.textContent : what === "html" ? node.innerHTML : node.getAttribute(what);
  };
  const written = new WeakMap();                                           // a document gives HTML back in a spelling of its own
  /** What is as it should be is left alone. @param {import("./apply.js").Change[]} changes */
  function apply(changes) {
    for (const [number, what, value] of changes) for (const node of marks[number]) {
      if (what === "text") { if (node.textContent !== (value || "")) node.textContent = value; }
      else if (what === "html") { if (written.get(node) !== value) { node.innerHTML = value || ""; written.set(node, value); } }
      else if (value === null) node.removeAttribute(what);
      else {
        const is = what === "class" ? `mt-${value}` : value;
        if (node.getAttribute(what) !== is) node.setAttribute(what, is);
      }
    }
  }
  const back = rowsOf(sheet.back, sheet.steps), forward = forwards(back, read), said = history(back, sheet.say, "html", read(sheet.say, "html"));
  const spaces = Object.entries(sheet.rooms).map(([name, told]) => {
    const places = told.map(room => rowsOf(room.place, 1)[0]);
    places[0] = places[1].map(([number, what]) => [number, what, read(number, what)]);   // the document has it
    const rooms = told.map(({ least, back = {} }, i) => {
      const ends = new Map(places[i].map(([number, what, value]) => [`${number} ${what}`, value])), rows = rowsOf(back, sheet.steps);
      return { least, place: places[i], back: rows, forward: forwards(rows, (number, what) => ends.get(`${number} ${what}`) ?? null) };
    });
    return { node: /** @type {Element} */ (frame.querySelector(`[data-room=${name}]`)), rooms, now: rooms[0] };
  });

  return {
    spaces: spaces.map(({ node }) => node),
    said, back, forward, apply,                                           // said: the sentence of each step, as HTML
    go(/** @type {number} */ from, /** @type {number} */ to) { for (const rows of [{ back, forward }, ...spaces.map(({ now }) => now)]) apply(between(rows.back, rows.forward, from, to)); },
    settle(/** @type {number} */ n, /** @type {[number, number] | null} */ box) {    // another width is one more row
      for (const space of spaces) {
        const width = space.node.clientWidth, sized = Array.isArray(space.rooms[0].least);
        const room = !sized ? roomFor(space.rooms, width) : box ? space.rooms[best(space.rooms.map(one => one.least), box)] : space.now;
        if (width && room !== space.now) apply(placed(space.now = room, n));
      }
    },
  };
}
