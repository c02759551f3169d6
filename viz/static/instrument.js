// @ts-check
// The way to the microscope: nothing of it is loaded before somebody opens it.

/** What a page packs: JSON, gzipped, as text.
 * @param {string} packed @returns {Promise<any>} */
export async function unpacked(packed) {
  const bytes = Uint8Array.from(atob(packed), char => char.charCodeAt(0));
  return JSON.parse(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text());
}

/** The kernel packs it when it is first wanted.
 * @param {any} model @returns {() => Promise<string>} */
export const packedBy = model => () => new Promise(done => {
  const look = () => { if (model.get("lens")) { model.off("change:lens", look); done(model.get("lens")); } };
  model.on("change:lens", look);
  model.set("wanted", model.get("wanted") + 1);
  model.save_changes();
});

/** `load` fetches what was packed, from the page or the kernel; without it there is no microscope here.
 * @param {HTMLElement} frame @param {(() => Promise<string>) | undefined} load @param {{jump: (step: number) => void, quiet: () => void}} hands */
export function instrumentPart(frame, load, hands) {
  const box = /** @type {HTMLElement} */ (frame.querySelector(".mt-microscope")), button = /** @type {HTMLElement} */ (frame.querySelector(".mt-lens"));
  let tool = /** @type {any} */ (null), coming = false, step = 0;
  button.hidden = !load;
  async function bring() {
    coming = true;
    const { code, style, data } = await unpacked(await /** @type {any} */ (load)()), from = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
    const { microscope } = await import(from), sheet = document.createElement("style");
    URL.revokeObjectURL(from);
    sheet.textContent = style;
    frame.prepend(sheet);
    tool = microscope(box, data, hands);
    if (!box.hidden) tool.show(step);
  }
  return {
    opened: () => !box.hidden,
    flip() {
      if (!load) return;
      box.hidden = !box.hidden;
      frame.toggleAttribute("data-microscope", !box.hidden);
      button.setAttribute("aria-pressed", String(!box.hidden));
      if (tool) { if (!box.hidden) tool.show(step); } else if (!coming) bring();
    },
    show(/** @type {number} */ n) { step = n; if (tool && !box.hidden) tool.show(n); },
    repaint: () => tool?.repaint(),
    destroy: () => tool?.destroy(),
  };
}
