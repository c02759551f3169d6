// @ts-check
// What the page's address asks for.

export const VIEWS = ["graph", "score", "loop"];

/** What the address says; nonsense counts as nothing. */
export function readAddress(hash = location.hash) {
  const told = new URLSearchParams(hash.slice(1)), [step, theme, view, open, predict] = ["step", "theme", "view", "open", "predict"].map(name => told.get(name) || "");
  return {
    step: /^\d{1,9}$/.test(step) ? Number(step) : null, open, predict: { on: true, off: false }[predict] ?? null,
    theme: theme === "light" || theme === "dark" ? theme : "", view: VIEWS.includes(view) ? view : "",
  };
}
