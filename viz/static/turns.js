// @ts-check
// A sheet whose program was traced anew: some attributes are told anew over all steps, in both directions, and the step stays.

/** What an attribute of an element is over the steps: step, value, step, value, each until the next.
 * @typedef {[number, string, any[]]} Told */

/** @param {any[]} line @param {number} step */
export function valueAt(line, step) {
  let found = line[1];
  for (let i = 2; i < line.length && line[i] <= step; i += 2) found = line[i + 1];
  return found;
}

/** Rows in both directions, in which some attributes are told anew.
 * @param {import("./apply.js").Rows} back @param {import("./apply.js").Rows} forward @param {Told[]} lines */
export function retold(back, forward, lines) {
  const anew = /** @type {Set<string>[]} */ ([]);                           // by an element's number, its attributes
  for (const [number, what] of lines) (anew[number] ||= new Set()).add(what);
  for (const rows of [back, forward]) rows.forEach((row, n) => { if (row.some(old)) rows[n] = row.filter(one => !old(one)); });
  function old(/** @type {import("./apply.js").Change} */ [number, what]) { return anew[number] !== undefined && anew[number].has(what); }
  for (const [number, what, line] of lines) for (let i = 2; i < line.length; i += 2) {
    back[line[i]].push([number, what, line[i - 1]]);
    forward[line[i]].push([number, what, line[i + 1]]);
  }
}

/** An attribute at every step, from what it is at one of them.
 * @param {import("./apply.js").Rows} back @param {import("./apply.js").Rows} forward @param {number} number @param {string} what
 * @param {string | null} now @param {number} step */
export function wholeLine(back, forward, number, what, now, step) {
  const out = [], mine = (/** @type {any} */ [one, name]) => one === number && name === what;
  out[step] = now;
  for (let n = step; n > 0; n--) out[n - 1] = (back[n].find(mine) || [0, "", out[n]])[2];
  for (let n = step + 1; n < back.length; n++) out[n] = (forward[n].find(mine) || [0, "", out[n - 1]])[2];
  return out;
}

/** The marks under a player's numbers that say what these were, each with its number's texts over the steps.
 * @param {any} player as `mount` gives it @returns {[Element, (string | null)[]][]} */
export function numbersOf({ frame, rows, step }) {
  const marks = new Map([...frame.querySelectorAll("[data-k='']")].map((node, number) => [node, number]));
  return [...frame.querySelectorAll("[data-was]")].map(node => {
    const told = node.previousElementSibling;
    return [node, wholeLine(rows.back, rows.forward, /** @type {any} */ (marks.get(told)), "text", told.textContent, step())];
  });
}

/** @param {any} player as `mount` gives it @param {Told[]} lines */
export function turnPlayer(player, lines) {
  const { rows, sheet } = player, step = player.step();
  retold(rows.back, rows.forward, lines);
  rows.apply(lines.map(([number, what, line]) => [number, what, valueAt(line, step)]));
  const say = lines.find(([number, what]) => number === sheet.say && what === "html");
  player.retold(say ? Array.from({ length: sheet.steps }, (_, n) => valueAt(say[2], n)) : null);
}
