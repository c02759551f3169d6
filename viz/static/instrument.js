// @ts-check
// What is selected, and the tools that tell of it: the inspector, and the microscope, both read when somebody opens
// either.

import { chorded, press, taken } from "./common.js";
import { unzipped } from "./packed.js";
import { toolsOf } from "./scope.js";
import { meant } from "./touch.js";

/** A text that a page carries by a name: as it is, or packed. @param {string} name */
export async function carriedText(name) {
  const told = document.getElementById(name)?.textContent || "";
  return told.startsWith("H4sI") ? unzipped(told) : told;                  // what every gzipped text begins with
}
export const carried = async (/** @type {string} */ name) => JSON.parse(await carriedText(name));

const BOXES = ".mt-graph, .mt-code, .mt-strings", THINGS = "[data-value], [data-place]";

/** `load` fetches what they are given, from the page or the kernel; without it there is neither tool.  hands: `select`
 * hears of what is selected.
 * @param {HTMLElement} frame @param {(() => Promise<any>) | undefined} load
 * @param {string[]} places the line of each step
 * @param {{jump: (step: number) => void, select?: (thing: string) => void}} hands */
export function instrumentPart(frame, load, places, hands) {
  const find = (/** @type {string} */ what) => /** @type {HTMLElement} */ (frame.querySelector(what));
  const scope = find(".mt-scope"), told = find(".mt-told");
  const panels = /** @type {Record<string, HTMLElement>} */ ({
    microscope: find(".mt-microscope"), inspector: find(".mt-inspector"),
  });
  let about = /** @type {Record<string, string> | null} */ (null);         // what the inspector says of each value
  let glass = /** @type {any} */ (null), whole = /** @type {any} */ (null);
  let coming = /** @type {Promise<void> | null} */ (null);
  let step = 0, selected = "";
  find(".mt-inspect").hidden = !load;
  if (scope) scope.hidden = !load;
  for (const box of /** @type {NodeListOf<HTMLElement>} */ (frame.querySelectorAll(BOXES))) box.tabIndex = 0;

  // -- the tools
  async function bring() {
    const given = await /** @type {any} */ (load)();
    if (given.data) [glass, whole] = await toolsOf(given, frame, panels.microscope, told, { ...hands, select: choose });
    about = given.about;
    show(step);
  }
  function flip(/** @type {string} */ name, on = Boolean(panels[name].hidden)) {
    if (!load || (name === "microscope" && !scope)) return;
    panels[name].hidden = !on;
    frame.toggleAttribute(`data-${name}`, on);
    if (name === "microscope") press(scope, on);
    if (about) show(step); else coming ||= bring();
  }
  function show(/** @type {number} */ n) {
    step = n;
    if (!panels.microscope.hidden) glass?.show(n);
    tell();
  }
  const stepsOf = (/** @type {string} */ place) => places.flatMap((one, at) => (one === place ? [at] : []));
  function lineTold(/** @type {string} */ place) {
    const steps = stepsOf(place).map(at =>
      `<button class="mt-goto" data-go="${at}"${at === step ? ' aria-current="step"' : ""}>${at}</button>`);
    return `<h2>${told.dataset.line}</h2><p>${steps.join(" ")}</p>`;
  }
  /** All that is to be said of the value, or of the line, that is selected: of a value its HTML, and the numbers of its
   * arrays behind it. */
  function tell() {
    if (panels.inspector.hidden || !selected || !about) return;
    const line = selected.startsWith("place:");
    const name = selected.slice(selected.indexOf(":") + 1).split("@")[0];   // of one number in the microscope its array
    told.innerHTML = line ? lineTold(name) : about[name] || "";
    for (const fact of /** @type {NodeListOf<HTMLElement>} */ (told.querySelectorAll("[data-from]"))) {
      fact.toggleAttribute("data-now", Number(fact.dataset.from) <= step && !(Number(fact.dataset.to) <= step));
    }
    if (!line) whole?.(name, step);
  }

  // -- what is selected
  function thingOf(/** @type {any} */ node) {
    const { value, place } = node?.dataset || {};
    return value ? `value:${value}` : place ? `place:${place}` : "";
  }
  function choose(/** @type {string} */ thing) { selected = thing; hands.select?.(thing); }
  function select(/** @type {string} */ thing) {
    choose(thing);
    for (const one of frame.querySelectorAll(THINGS)) {
      one.toggleAttribute("data-selected", thing !== "" && thingOf(one) === thing);
    }
    tell();
  }
  /** The next step of a line, from here on; after the last one the first. */
  function along(/** @type {string} */ place) {
    const steps = stepsOf(place), next = steps.find(at => at > step) ?? steps[0];
    if (next !== undefined) hands.jump(next);
  }
  /** What a step looks at: a card, or its line. */
  const here = () => thingOf(
    frame.querySelector(".mt-card.on, .mt-row.on, .mt-linerow.fresh") || frame.querySelector(".mt-line.now"));

  // -- hands
  /** A line without a step: nothing that a finger would mean. */
  const empty = (/** @type {any} */ one) => one.dataset.place && !places.includes(one.dataset.place);
  /** A card or a line that a finger came down beside. */
  function beside(/** @type {any} */ node, /** @type {any} */ event) {
    if (event.pointerType !== "touch" || !node.closest(BOXES)) return null;
    return meant([...frame.querySelectorAll(THINGS)].filter(one => !empty(one)), event.clientX, event.clientY);
  }
  frame.addEventListener("click", event => {
    const node = /** @type {any} */ (event.target);
    const under = node.closest(THINGS);
    const at = under && !empty(under) ? under : beside(node, event) ?? under;
    if (!at || node.closest("[data-axis], .mt-microscope, .mt-inspector")) return;
    select(thingOf(at));
    if (at.dataset.place) along(at.dataset.place);
  });
  frame.addEventListener("keydown", event => {
    const box = /** @type {HTMLElement} */ (event.target);
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (!box.matches(BOXES) || event.shiftKey || chorded(event) || (!by && event.key !== "Enter")) return;
    taken(event);
    if (!by) {
      if (!selected) select(here());
      if (selected.startsWith("place:")) along(selected.slice(6));
      flip("inspector", true);
      return;
    }
    const seen = [...box.querySelectorAll(THINGS)].filter(one => one.getClientRects().length);
    const all = [...new Set(seen.map(thingOf))];
    const now = all.indexOf(selected), next = now < 0 ? all.indexOf(here()) : Math.min(all.length - 1, now + by);
    select(all[Math.max(0, next)] || "");
    box.querySelector("[data-selected]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
  return {
    show,
    flip: () => flip("microscope"),
    inspect() { if (panels.inspector.hidden && !selected) select(here()); flip("inspector"); },
    /** Close the inspector; false where it was closed. */
    close() {
      const was = !panels.inspector.hidden;
      if (was) flip("inspector", false);
      return was;
    },
    repaint: () => glass?.repaint(),
    destroy: () => glass?.destroy(),
  };
}
