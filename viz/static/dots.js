// @ts-check
// One dot runs along each active edge.  An animation leaves no trace in the document, so nothing has to be tidied up.

/** @param {HTMLElement} root the frame */
export function runDots(root) {
  requestAnimationFrame(() => {
    const dots = [...root.querySelectorAll("[data-dot]")];
    for (const path of [...root.querySelectorAll(".mt-flow:not(.off)")].slice(0, dots.length)) {
      const line = `path("${path.getAttribute("d")}")`;
      const hue = getComputedStyle(path).stroke;
      const back = path.classList.contains("back");
      dots.shift()?.animate({
        offsetPath: [line, line],
        offsetDistance: back ? ["100%", "0%"] : ["0%", "100%"],
        visibility: ["visible", "visible"],
        fill: [hue, hue],
      }, { duration: 300, easing: "ease-in-out" });
    }
  });
}
