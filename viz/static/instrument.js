// @ts-check
// What is selected, and the tools that tell of it: the inspector, and the microscope, which is loaded when somebody opens either.

import { meant } from "./touch.js";

/** What was gzipped, as text. @param {string} packed */
export async function text(packed) {
  const bytes = Uint8Array.from(atob(packed), char => char.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
}
/** What a page packs: JSON, gzipped, as text.
 * @param {string} packed @returns {Promise<any>} */
export const unpacked = async packed => JSON.parse(await text(packed));

/** A text that a page carries by a name: as it is, or packed. @param {string} name */
export async function carriedText(name) {
  const told = document.getElementById(name)?.textContent || "";
  return told.startsWith("H4sI") ? text(told) : told;                      // what every gzipped text begins with
}
export const carried = async (/** @type {string} */ name) => JSON.parse(await carriedText(name));

const BOXES = ".mt-graph, .mt-code, .mt-strings";

/** All that is to be said of one value, or of one line: `about` has it by value, as HTML; `whole` puts the numbers of its arrays behind it.
 * @param {HTMLElement} box @param {Record<string, string>} about @param {() => void} quiet @param {((id: string, n: number) => void) | undefined} whole */
function inspectorPart(box, about, quiet, whole) {
  /** @param {string} thing "value:id" or "place:source|line" @param {number} n @param {string[]} places the line of each step */
  return (thing, n, places) => {
    const colon = thing.indexOf(":"), name = thing.slice(colon + 1), steps = places.flatMap((place, step) => (place === name ? [step] : []));
    const line = `<h2>${box.dataset.line}</h2><p>${steps.map(step => `<button class="mt-goto" data-go="${step}"${step === n ? ' aria-current="step"' : ""}>${step}</button>`).join(" ")}</p>`;
    box.innerHTML = thing.startsWith("place:") ? line : about[name] || "";
    for (const fact of /** @type {NodeListOf<HTMLElement>} */ (box.querySelectorAll("[data-from]"))) {
      fact.toggleAttribute("data-now", Number(fact.dataset.from) <= n && (fact.dataset.to === undefined || n < Number(fact.dataset.to)));
    }
    if (thing.startsWith("value:")) whole?.(name, n);
    quiet();
  };
}

/** `load` fetches what they are given, from the page or the kernel; without it there is neither tool.  hands: `select` hears of what is selected.
 * @param {HTMLElement} frame @param {(() => Promise<any>) | undefined} load @param {string[]} places the line of each step
 * @param {{jump: (step: number) => void, quiet: () => void, select?: (thing: string) => void}} hands */
export function instrumentPart(frame, load, places, hands) {
  const find = (/** @type {string} */ what) => /** @type {HTMLElement} */ (frame.querySelector(what)), scope = find(".mt-scope");
  let glass = /** @type {any} */ (null), tell = /** @type {ReturnType<typeof inspectorPart> | null} */ (null), coming = /** @type {Promise<void> | null} */ (null), step = 0, selected = "";
  const open = (/** @type {string} */ name) => !find(`.mt-${name}`).hidden;
  find(".mt-inspect").hidden = !load;
  if (scope) scope.hidden = !load;
  for (const box of /** @type {NodeListOf<HTMLElement>} */ (frame.querySelectorAll(BOXES))) box.tabIndex = 0;
  async function bring() {
    const { about, code, style, data } = await /** @type {any} */ (load)(), told = find(".mt-told");
    let kit = /** @type {any} */ (null);
    if (code) {
      const from = URL.createObjectURL(new Blob([code], { type: "text/javascript" })), sheet = document.createElement("style");
      kit = await import(from);
      URL.revokeObjectURL(from);
      sheet.textContent = style;
      frame.prepend(sheet);
      glass = kit.microscope(find(".mt-microscope"), data, { ...hands, select: (/** @type {string} */ thing) => { selected = thing; hands.select?.(thing); } });
    }
    tell = inspectorPart(told, about, hands.quiet, kit?.whole(told, data));
    show(step);
  }
  function flip(/** @type {string} */ name, on = !open(name)) {
    if (!load || (name === "microscope" && !scope)) return;
    find(`.mt-${name}`).hidden = !on;
    frame.toggleAttribute(`data-${name}`, on);
    if (name === "microscope") scope.setAttribute("aria-pressed", String(on));
    if (tell) show(step); else coming ||= bring();
  }
  function show(/** @type {number} */ n) {
    step = n;
    if (open("microscope")) glass?.show(n);
    if (open("inspector") && selected) tell?.(selected, n, places);
  }
  const thingOf = (/** @type {any} */ node) => (node?.dataset.value ? `value:${node.dataset.value}` : node?.dataset.place ? `place:${node.dataset.place}` : "");
  function select(/** @type {string} */ thing) {
    for (const one of frame.querySelectorAll("[data-selected]")) one.removeAttribute("data-selected");
    selected = thing;
    if (thing) for (const one of frame.querySelectorAll("[data-value], [data-place]")) if (thingOf(one) === thing) one.setAttribute("data-selected", "");
    hands.select?.(thing);
    if (open("inspector") && thing) tell?.(thing, step, places);
  }
  /** The next step of a line, from here on; after the last one the first. */
  function along(/** @type {string} */ place) {
    const steps = places.flatMap((one, at) => (one === place ? [at] : [])), next = steps.find(at => at > step) ?? steps[0];
    if (next !== undefined) hands.jump(next);
  }
  /** What a step looks at: a card, or its line. */
  const here = () => thingOf(frame.querySelector(".mt-card.on, .mt-row.on, .mt-linerow.fresh") || frame.querySelector(".mt-line.now"));
  const empty = (/** @type {any} */ one) => one.dataset.place && !places.includes(one.dataset.place);
  /** A card or a line that a finger came down beside; a line without a step is nothing that it would mean. */
  const beside = (/** @type {any} */ node, /** @type {any} */ event) => (event.pointerType === "touch" && node.closest(BOXES)
    ? meant([...frame.querySelectorAll("[data-value], [data-place]")].filter(one => !empty(one)), event.clientX, event.clientY) : null);
  frame.addEventListener("click", event => {
    const node = /** @type {any} */ (event.target), under = node.closest("[data-value], [data-place]"), at = under && !empty(under) ? under : beside(node, event) ?? under;
    if (!at || node.closest("[data-axis], .mt-microscope, .mt-inspector")) return;
    select(thingOf(at));
    if (at.dataset.place) along(at.dataset.place);
  });
  frame.addEventListener("keydown", event => {
    const box = /** @type {HTMLElement} */ (event.target), by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (!box.matches(BOXES) || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey || (!by && event.key !== "Enter")) return;
    event.preventDefault();
    event.stopPropagation();
    if (!by) {
      if (!selected) select(here());
      if (selected.startsWith("place:")) along(selected.slice(6));
      flip("inspector", true);
      return;
    }
    const all = [...new Set([...box.querySelectorAll("[data-value], [data-place]")].filter(one => one.getClientRects().length).map(thingOf))];
    const now = all.indexOf(selected), next = now < 0 ? Math.max(0, all.indexOf(here())) : Math.max(0, Math.min(all.length - 1, now + by));
    select(all[next] || "");
    box.querySelector("[data-selected]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
  return {
    show, flip: () => flip("microscope"), repaint: () => glass?.repaint(), destroy: () => glass?.destroy(),
    inspect() { if (!open("inspector") && !selected) select(here()); flip("inspector"); },
    /** Close the inspector; false where it was closed. */
    close() { const was = open("inspector"); if (was) flip("inspector", false); return was; },
  };
}
