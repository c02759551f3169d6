// @ts-check
// The folds of a long run, as a player has them: which of them is here, and how to ask for others.

import { besides } from "./player.js";

besides.push(({ sheet, options, find, step, wall }) => {
  const folds = sheet.folds.filter((/** @type {any[]} */ [id]) => !options.opens || options.opens(id));
  const opened = /** @type {string[]} */ (options.open || []);
  if (!options.onopen || !folds.length && !opened.length) return {};
  const button = find(".mt-word.mt-fold");
  button.hidden = false;
  const here = () => folds.find((/** @type {any[]} */ [, from, to]) => from <= step() && step() < to);
  const shut = () => { if (opened.length) options.onopen(opened.slice(0, -1)); };
  /** Unfold what is folded here, or the first of all; else fold what was opened last. */
  function fold() {
    const one = here() || (opened.length ? undefined : folds[0]);
    if (one) options.onopen([...opened, one[0]]);
    else shut();
  }
  return {
    show: () => button.toggleAttribute("data-on", !here() && opened.length > 0),
    /** A turn of a loop is to be opened, which is folded here. @param {number} loop @param {number} turn */
    entered(loop, turn) {
      if (!here()) return;
      if (options.onturn) options.onturn(loop, turn);
      else fold();
    },
    inside: () => (wall() === Infinity ? options.inside : []),
    address: () => (opened.length ? `&open=${encodeURIComponent(opened.join("/"))}` : ""),
    acts: () => ({ fold, shut }),
  };
});
