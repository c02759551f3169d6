// @ts-check
// What a step looks at stays in view: a box names what it follows (data-follow); only the box scrolls, never the page.

/** @param {Element} root @param {() => boolean} still whether a reader wants no motion */
export function cameraPart(root, still) {
  const boxes = /** @type {HTMLElement[]} */ ([...root.querySelectorAll("[data-follow]")]);
  let frame = 0;

  /** Whether there is more than fits: then the edges of a box fade. */
  function measure() {
    for (const box of boxes) {
      box.classList.toggle("wide", box.scrollWidth > box.clientWidth + 2);
      box.classList.toggle("tall", box.scrollHeight > box.clientHeight + 2);
    }
  }
  function look() {
    for (const box of boxes) {
      if (!box.classList.contains("wide") && !box.classList.contains("tall")) continue;
      const seen = [...box.querySelectorAll(box.dataset.follow || "-")].find(one => one.getClientRects().length);
      if (!seen) continue;
      const a = seen.getBoundingClientRect(), b = box.getBoundingClientRect();
      if (a.left < b.left + 24 || a.right > b.right - 24) box.scrollLeft += (a.left + a.right - b.left - b.right) / 2;
      if (a.top < b.top + 16 || a.bottom > b.bottom - 16) box.scrollTop += (a.top + a.bottom - b.top - b.bottom) / 2;
    }
  }
  /** In the next frame: asked in the middle of a step, the browser would lay out the page twice. */
  function follow() { frame = void cancelAnimationFrame(frame) || requestAnimationFrame(look); }
  /** One dot runs along each active edge.  An animation leaves no trace in the document, so nothing has to be tidied up. */
  function run() {
    if (still()) return;
    requestAnimationFrame(() => {
      const dots = [...root.querySelectorAll("[data-dot]")];
      for (const path of [...root.querySelectorAll(".mt-flow:not(.off)")].slice(0, dots.length)) {
        const line = `path("${path.getAttribute("d")}")`, hue = getComputedStyle(path).stroke, back = path.classList.contains("back");
        const along = { offsetPath: [line, line], offsetDistance: back ? ["100%", "0%"] : ["0%", "100%"] };
        const seen = { visibility: ["visible", "visible"], fill: [hue, hue] };
        dots.shift()?.animate({ ...along, ...seen }, { duration: 300, easing: "ease-in-out" });
      }
    });
  }
  return { measure, follow, run, destroy: () => cancelAnimationFrame(frame) };
}
