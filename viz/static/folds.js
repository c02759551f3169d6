// @ts-check
// The folds of a long run, as a player has them: which of them is here, and how to ask for others.

/** @param {HTMLElement} button @param {[string, number, number][]} folds those that can be asked for @param {string[]} opened those that are open
 * @param {(ids: string[]) => void} onopen */
export function foldsPart(button, folds, opened, onopen) {
  const here = (/** @type {number} */ n) => folds.find(([, from, to]) => from <= n && n < to);
  button.hidden = false;
  return {
    here,
    show(/** @type {number} */ n) { button.toggleAttribute("data-on", !here(n) && opened.length > 0); },
    /** Unfold what is folded here, or the first of all; else fold what was opened last. */
    turn(/** @type {number} */ n) {
      const one = here(n) || (opened.length ? undefined : folds[0]);
      onopen(one ? [...opened, one[0]] : opened.slice(0, -1));
    },
    shut() { if (opened.length) onopen(opened.slice(0, -1)); },
  };
}
