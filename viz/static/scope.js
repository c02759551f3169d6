// @ts-check
// The microscope's modules, which a page or a kernel has as text: loaded when somebody opens it.

/** @param {HTMLElement} frame @param {{code: string, style: string}} given */
export async function kitOf(frame, { code, style }) {
  const from = URL.createObjectURL(new Blob([code], { type: "text/javascript" })), sheet = document.createElement("style");
  const kit = await import(from);
  URL.revokeObjectURL(from);
  sheet.textContent = style;
  frame.prepend(sheet);
  return kit;
}
