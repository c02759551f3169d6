// @ts-check
// "Where is w1?": a box that finds values, ops, lines and steps by their words, lists them, and leads to where they
// are.

import { focusOn } from "./common.js";

const MOST_HITS = 12;
/** Name, what the list says of it, other words that find it, the step to go to, what lights up there; and the way to
 * its fold, in one.
 * @typedef {[string, string, string, number, string, string?]} Hit */

/** Whole names first, then names that begin so, then names that hold it, then everything else that says it.
 * @param {Hit[]} hits @param {string} question */
export function findIn(hits, question) {
  const asked = question.trim().toLowerCase().replace(/^where is |\?$/g, "").replace(/^(line|step):/, "$1 ");
  const ranked = /** @type {Hit[][]} */ ([[], [], [], []]);
  if (asked) for (const hit of hits) {
    const [name, said, also] = hit.slice(0, 3).map(word => String(word).toLowerCase());
    const says = `${also} ${said}`.includes(asked);
    const rank = [name === asked, name.startsWith(asked), name.includes(asked), says].indexOf(true);
    ranked[rank]?.push(hit);
  }
  return ranked.flat();
}

/** @param {HTMLElement} node the box
 * @param {(asked: string) => Hit[]} hits what there is, of the turns of loops that which is asked for
 * @param {{jump: Function, light: Function, focus: Function, turn: (thing: string) => boolean | undefined, enter?:
 * any}} hands */
export function searchPart(node, hits, hands) {
  const [input, list, row, more] = ["input", "ul", "template", "p [data-slot]"]
    .map(what => /** @type {any} */ (node.querySelector(what)));
  let found = /** @type {Hit[]} */ ([]), at = 0;

  function show() {
    const all = findIn(hits(input.value), input.value);
    found = all.slice(0, MOST_HITS);
    list.replaceChildren(...found.map(([name, said, , step], i) => {
      const item = row.content.firstElementChild.cloneNode(true);
      item.children[0].textContent = name;
      item.children[1].textContent = said;
      item.querySelector("[data-slot]").textContent = step;
      item.addEventListener("click", () => take(i));
      item.addEventListener("pointerenter", () => hands.light(found[i][4]));
      return item;
    }));
    const due = all.length > found.length ? "more" : all.length ? "" : input.value.trim() ? "nothing" : "hint";
    for (const one of node.querySelectorAll("[data-say]")) {
      one.toggleAttribute("hidden", one.getAttribute("data-say") !== due);
    }
    more.textContent = all.length - found.length;
    mark(0);
  }
  function mark(/** @type {number} */ i) {
    at = Math.min(Math.max(0, i), found.length - 1);
    [...list.children].forEach((item, k) => item.setAttribute("aria-selected", String(k === at)));
    list.children[at]?.scrollIntoView({ block: "nearest" });
  }
  function take(/** @type {number} */ i) {
    const [, , , step, thing, way] = found[i] || [];
    if (step === undefined) return;
    open(false);
    if (way) return hands.enter(way, step, thing);
    if (hands.turn(thing)) return;
    hands.jump(step);
    hands.light(thing);
  }
  function open(/** @type {boolean} */ on) {
    if (node.hidden !== on) return;
    node.hidden = !on;
    if (!on) return hands.focus();
    show();
    focusOn(input);
    input.select();
  }
  const acts = /** @type {Record<string, () => void>} */ ({
    ArrowDown: () => mark(at + 1), ArrowUp: () => mark(at - 1), Enter: () => take(at), Escape: () => open(false),
  });
  input.addEventListener("input", show);
  node.addEventListener("keydown", event => {
    if (acts[event.key]) event.preventDefault();
    acts[event.key]?.();
    event.stopPropagation();   // what is typed here is nobody's shortcut
  });
  node.addEventListener("focusout", event => {
    if (event.relatedTarget && !node.contains(/** @type {Node} */ (event.relatedTarget))) open(false);
  });
  return { open, opened: () => !node.hidden };
}
