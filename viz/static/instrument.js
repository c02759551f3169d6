// @ts-check
// What is selected, and the way to the tools that tell of it: the microscope and the inspector are loaded when somebody opens them.

import { meant } from "./touch.js";

/** What was gzipped, as text. @param {string} packed */
export async function text(packed) {
  const bytes = Uint8Array.from(atob(packed), char => char.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
}
/** What a page packs: JSON, gzipped, as text.
 * @param {string} packed @returns {Promise<any>} */
export const unpacked = async packed => JSON.parse(await text(packed));

/** The kernel packs it when it is first wanted.
 * @param {any} model @returns {() => Promise<string>} */
export const packedBy = model => () => new Promise(done => {
  const look = () => { if (model.get("lens")) { model.off("change:lens", look); done(model.get("lens")); } };
  model.on("change:lens", look);
  model.set("wanted", model.get("wanted") + 1);
  model.save_changes();
});

const TOOLS = ["microscope", "inspector"], BOXES = ".mt-graph, .mt-code, .mt-strings";

/** `load` fetches what was packed, from the page or the kernel; without it there is neither tool.  hands: `select` hears of what is selected.
 * @param {HTMLElement} frame @param {(() => Promise<string>) | undefined} load @param {string[]} places the line of each step
 * @param {{jump: (step: number) => void, quiet: () => void, select?: (thing: string) => void}} hands */
export function instrumentPart(frame, load, places, hands) {
  const find = (/** @type {string} */ what) => /** @type {HTMLElement} */ (frame.querySelector(what)), tools = /** @type {Record<string, any>} */ ({});
  let coming = /** @type {Promise<void> | null} */ (null), step = 0, selected = "";
  const open = (/** @type {string} */ name) => !find(`.mt-${name}`).hidden;
  find(".mt-inspect").hidden = !load;
  find(".mt-scope").hidden = !load || !frame.hasAttribute("data-arrays");
  for (const box of /** @type {NodeListOf<HTMLElement>} */ (frame.querySelectorAll(BOXES))) box.tabIndex = 0;
  async function bring() {
    const told = await /** @type {any} */ (load)(), { code, style, data } = typeof told === "string" ? await unpacked(told) : told, from = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
    const kit = await import(from), sheet = document.createElement("style"), more = { ...hands, select: (/** @type {string} */ thing) => { selected = thing; hands.select?.(thing); } };
    URL.revokeObjectURL(from);
    sheet.textContent = style;
    frame.prepend(sheet);
    for (const name of TOOLS) tools[name] = kit[name](find(name === "inspector" ? ".mt-told" : ".mt-microscope"), data, more);
    show(step);
  }
  function flip(/** @type {string} */ name, on = !open(name)) {
    if (!load || (name === "microscope" && find(".mt-scope").hidden)) return;
    find(`.mt-${name}`).hidden = !on;
    frame.toggleAttribute(`data-${name}`, on);
    if (name === "microscope") find(".mt-scope").setAttribute("aria-pressed", String(on));
    if (tools[name]) show(step); else coming ||= bring();
  }
  function show(/** @type {number} */ n) {
    step = n;
    if (open("microscope")) tools.microscope?.show(n);
    if (open("inspector") && selected) tools.inspector?.show(selected, n, places);
  }
  const thingOf = (/** @type {any} */ node) => (node?.dataset.value ? `value:${node.dataset.value}` : node?.dataset.place ? `place:${node.dataset.place}` : "");
  function select(/** @type {string} */ thing) {
    for (const one of frame.querySelectorAll("[data-selected]")) one.removeAttribute("data-selected");
    selected = thing;
    if (thing) for (const one of frame.querySelectorAll("[data-value], [data-place]")) if (thingOf(one) === thing) one.setAttribute("data-selected", "");
    hands.select?.(thing);
    if (open("inspector") && thing) tools.inspector?.show(thing, step, places);
  }
  /** The next step of a line, from here on; after the last one the first. */
  function along(/** @type {string} */ place) {
    const steps = places.flatMap((one, at) => (one === place ? [at] : [])), next = steps.find(at => at > step) ?? steps[0];
    if (next !== undefined) hands.jump(next);
  }
  /** What a step looks at: a card, or its line. */
  const here = () => thingOf(frame.querySelector(".mt-card.on, .mt-row.on, .mt-linerow.fresh") || frame.querySelector(".mt-line.now"));
  /** A card or a line that a finger came down beside. */
  const beside = (/** @type {any} */ node, /** @type {any} */ event) => (event.pointerType === "touch" && node.closest(BOXES)
    ? meant(frame.querySelectorAll("[data-value], [data-place]"), event.clientX, event.clientY) : null);
  frame.addEventListener("click", event => {
    const node = /** @type {any} */ (event.target), at = node.closest("[data-value], [data-place]") ?? beside(node, event);
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
    show, flip: () => flip("microscope"), repaint: () => tools.microscope?.repaint(), destroy: () => tools.microscope?.destroy(),
    inspect() { if (!open("inspector") && !selected) select(here()); flip("inspector"); },
    /** Close the inspector; false where it was closed. */
    close() { const was = open("inspector"); if (was) flip("inspector", false); return was; },
  };
}
