// @ts-check
// anywidget's entry for a program with knobs.  Where they stand is sent at once, so a slow kernel is never asked for a
// position that is gone: `widget.js` says why.  The player of each structure is kept, on a shelf that is laid out and
// not painted while another is seen: turned back to, it is told what is different, and not made or laid out anew.

import { mount } from "./mount.js";
import { livePart, focusIn } from "./live.js";
import { keep } from "./keep.js";
import { following, telling } from "./model.js";

const PLAYERS = 8;   // players that are kept, as many as the kernel has pages

function soon(/** @type {() => void} */ act) {
  if ("requestIdleCallback" in globalThis) requestIdleCallback(act, { timeout: 1000 });
  else setTimeout(act, 50);
}

/** @param {{model: any, el: HTMLElement}} host */
function renderTurned({ model, el }) {
  const get = (/** @type {string} */ name) => model.get(name);
  /** By number, the last seen at the end. */
  const pages = /** @type {Map<number, {shelf: HTMLElement, player: any, live: any}>} */ (new Map());
  let now = /** @type {any} */ (null), last = -1;
  keep(model, el, () => (now ? { sheet: now.player.sheet } : {}));   // the kernel sends each page once
  el.style.position = "relative";                                    // shelves that are away are as wide
  const tell = telling(model);

  /** A player for a sheet, away until it is to be seen.
   * @param {any} sheet @param {any} seen @param {number} step @param {string} [away] */
  function made(sheet, seen, step, away = "") {
    const shelf = el.appendChild(document.createElement("div"));
    const page = /** @type {any} */ ({ shelf });
    shelf.className = `mt-shelf ${away}`;
    /** One that is out of sight says nothing. */
    const send = (/** @type {string} */ name) => (/** @type {any} */ value) => { if (page === now) tell(name, value); };
    page.player = mount(shelf.appendChild(document.createElement("div")), sheet, {
      ...seen, step,
      onstep: send("step"), onview: send("view"), onpredict: send("predict"),
      onshow: () => page.live?.draw(),
    });
    const turns = (/** @type {any} */ values) => tell("values", values);
    page.live = livePart(page.player, get("live"), get("turn"), turns, () => tell("settled", get("settled") + 1));
    return page;
  }
  /** Keep a page, as the one that was seen last or before all others; of too many the oldest goes.
   * @param {number} number @param {any} page */
  function kept(number, page) {
    const others = [...pages].filter(([one]) => one !== number);
    pages.clear();
    const all = page === now ? [...others, [number, page]] : [[number, page], ...others];
    for (const [one, other] of all) pages.set(one, other);
    for (const [oldest, { shelf, player }] of [...pages].slice(0, -PLAYERS)) {
      player.destroy();
      shelf.remove();
      pages.delete(oldest);
    }
  }
  /** A page that may be turned to is made ready while nothing else is to be done: first its document, then where
   * everything stands. */
  function ahead() {
    const sheet = get("ahead");
    if (sheet.page && !pages.has(sheet.page)) soon(() => {
      if (!now || pages.has(sheet.page)) return;
      const page = made(sheet, now.player.seen(), sheet.steps - 1, "away out");
      kept(sheet.page, page);
      soon(() => {
        if (page === now || !pages.has(sheet.page)) return;
        page.shelf.className = "mt-shelf away";
        page.player.settle();
      });
    });
  }
  /** The page that the last turn is about comes into sight; one that is not known is asked for. */
  function begin() {
    const turn = get("turn"), sheet = get("sheet");
    const known = pages.get(turn.page), told = known || sheet.page === turn.page;
    if (now && now === known) return;
    if (!told) {
      tell("wanted", turn.page);
      if (now) return;
    }
    const before = now, back = before && focusIn(before.shelf);
    const seen = before?.player.seen() || { view: get("view"), theme: get("theme"), predict: get("predict") };
    const ended = before && before.player.step() === before.player.sheet.steps - 1;     // who is at the end stays there
    const at = (/** @type {any} */ { steps }) => (ended ? steps - 1 : before ? before.player.step() : get("step"));
    now = known || made(sheet, seen, at(sheet));
    before?.player.stop();
    kept(told ? turn.page : sheet.page, now);
    if (known) now.player.taken(seen, at(now.player.sheet));
    last = turn.count;
    now.live.begin(told ? turn : { ...turn, lines: [] });
    if (before) before.shelf.className = "mt-shelf away";
    now.shelf.className = "mt-shelf";
    back?.(now.shelf);   // asks where things stand, so it comes last
  }
  function turned() {
    const turn = get("turn");
    if (pages.get(turn.page) !== now) return begin();
    if (turn.count === last) return;
    last = turn.count;
    now.live.told(turn);
  }
  begin();
  const over = following(model, () => now.player, { ahead, sheet: begin, turn: turned });
  return () => {
    now = null;
    over();
    for (const { shelf, player } of pages.values()) { player.destroy(); shelf.remove(); }
  };
}

export default { render: renderTurned };
