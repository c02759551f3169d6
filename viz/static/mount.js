// @ts-check
// A player that writes its document itself and gives way to another one: in a notebook, in somebody's page, and where a
// page opens folds or turns knobs.

import { hostTheme, quietHost } from "./around.js";
import { besides, play } from "./player.js";

// Ids in a document must differ between players, and a notebook loads this module once for every widget.
const COUNT = Symbol.for("minitape.players"), shared = /** @type {any} */ (globalThis);
const IDS = "mtID";   // what they begin with in a sheet

besides.push(({ root, options, over, paint }) => {
  if (options.page) return {};
  const surroundings = new MutationObserver(paint);
  quietHost(root, over.signal);
  const themes = ["class", "data-jp-theme-light", "data-theme"];
  surroundings.observe(document.body, { attributes: true, attributeFilter: themes });
  return { theme: hostTheme, end: () => surroundings.disconnect() };
});

/** A player as `play` begins it, of a sheet that stands in `root` already or comes as `sheet.html`.
 * @param {HTMLElement} root @param {import("./apply.js").Sheet} sheet @param {any} options */
export function mount(root, sheet, options = {}) {
  const drawn = root.innerHTML;
  if (sheet.html) {
    shared[COUNT] = (shared[COUNT] || 0) + 1;
    root.innerHTML = sheet.html.replaceAll(IDS, `mt${shared[COUNT]}`);
  }
  const player = play(root, sheet, options), { ask } = player;
  const seen = () => Object.assign(player.seen(), ...ask("seen"));
  const predict = (/** @type {boolean} */ on) => void ask("predict", on);
  return {
    ...player, seen, predict,
    /** As another player was seen that stood here, at a step.
     * @param {{view: string, theme: string, predict: boolean}} as @param {number} step */
    taken(as, step) {
      player.theme(as.theme);
      predict(as.predict);
      if (seen().view !== as.view) player.view(as.view);
      if (player.step() !== step) player.go(step);
    },
    destroy() {
      player.stop();
      player.over.abort();
      player.sizes.disconnect();
      for (const part of [player.camera, player.instrument]) part.destroy();
      ask("end");
      root.innerHTML = sheet.html ? "" : drawn;
      root.classList.remove("mt");
      for (const name of ["data-theme", "data-ready", "data-lm-suppress-shortcuts", "tabindex"]) {
        root.removeAttribute(name);
      }
    },
  };
}
