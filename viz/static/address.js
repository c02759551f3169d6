// @ts-check
// The address of a page: a deep link that survives a reload.

export const VIEWS = ["graph", "score", "loop"];

/** What the address says; nonsense counts as nothing. */
export function readAddress(hash = location.hash) {
  const { step, theme, view, open = "", predict } = Object.fromEntries(new URLSearchParams(hash.slice(1)));
  return {
    step: /^\d{1,9}$/.test(step) ? Number(step) : null,
    open,
    predict: predict === "on" || (predict === "off" ? false : null),
    theme: theme === "light" || theme === "dark" ? theme : "",
    view: VIEWS.includes(view) ? view : "",
  };
}

/** @param {AbortSignal} over once a player has gone, it writes nothing
 * @param {() => string} words what the address is to say */
export function addressPart(over, words) {
  let writing = 0;
  function write() {
    clearTimeout(writing);
    writing = 0;
    const told = words();
    if (over.aborted || location.hash === told) return;
    try { window.history.replaceState(null, "", told); } catch { /* a sandboxed frame has no address of its own */ }
  }
  return {
    write,
    /** Soon, and once for many quick steps: browsers refuse an address for each. */
    remember() {
      clearTimeout(writing);
      writing = window.setTimeout(write, 40);
    },
    /** What is to be written soon is written now. */
    settle() { if (writing) write(); },
  };
}
