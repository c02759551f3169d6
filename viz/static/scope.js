// @ts-check
// The microscope's modules, which a page or a kernel has as text: loaded when somebody opens it.

/** The microscope, and what shows a value whole.
 * @param {{code: string, style: string, data: any}} given @param {HTMLElement} frame @param {HTMLElement} glass
 * @param {HTMLElement} told where they stand @param {any} hands */
export async function toolsOf({ code, style, data }, frame, glass, told, hands) {
  const from = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const sheet = document.createElement("style");
  const kit = await import(from);
  URL.revokeObjectURL(from);
  sheet.textContent = style;
  frame.prepend(sheet);
  return [kit.microscope(glass, data, hands), kit.whole(told, data)];
}
