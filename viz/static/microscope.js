// @ts-check
// The element microscope: a step's rule as heat maps in its own direction, one number chosen, its sum, and its way
// through the run.  It reads what viz/microscope wrote down of a run; every word on it comes from there.

import { flat, reader, unflat, workedOut } from "./sums.js";
import { decoded, largest, top, written } from "./arrays.js";
import { clamp, filled, made, taken } from "./elements.js";
import { HIGH, cellsFor, columnsOf, heatMap } from "./heat.js";
import { factsTable, summed, termsPart } from "./terms.js";
import { givenName, isLast, knownTo, makersOf } from "./way.js";
import { difference, near } from "./difference.js";
import { pathPart } from "./path.js";

/** @typedef {import("./arrays.js").Many} Many */

/** The numbers that a factor makes of arrays, each where its first array has it.
 * @param {any} token @param {any} part @param {Record<string, Many>} known */
export function derived(token, part, known) {
  const first = known[token.array];
  return Float64Array.from(first.data, (own, i) => {
    const letters = /** @type {Record<string, number>} */ ({});
    const place = token.letters ? unflat(first.shape, i) : [];
    place.forEach((at, axis) => {
      for (const name in part.at[token.array][axis][2]) letters[name] = at;
    });
    const read = reader(part, letters, known);
    return workedOut(token.of, name => (name === token.array ? own : read(name)));
  });
}

/**
 * The panel.  hands: `jump(step)`, `select(thing)`.
 * @param {HTMLElement} box @param {any} data
 * @param {{jump: (step: number) => void, select?: (thing: string) => void}} hands
 */
export function microscope(box, data, hands) {
  const { steps, words } = data, arrays = decoded(data.arrays), makers = makersOf(steps, arrays);
  let now = -1, step = /** @type {any} */ (null);
  let known = /** @type {Record<string, Many>} */ ({});        // the arrays that it reads
  let maps = /** @type {any[]} */ ([]);
  let chosen = 0;                                              // the number whose sum is told
  let found = /** @type {any} */ (null), hot = -1;             // its terms, and the one that is pointed at
  let asked = /** @type {[number, number] | null} */ (null);   // the number that was led to
  let room = 0, waiting = 0;
  const formula = made("div.rule"), table = made("div.table"), quiet = made("p.quiet");
  const bench = made("div.bench", {}, formula, table);
  const terms = termsPart({ follow: (/** @type {number} */ i) => follow(i), point }, words);
  const path = pathPart(data, arrays, makers, leadTo, words);
  bench.append(terms.node);
  box.replaceChildren(quiet, bench, path.node);

  /** @param {number} at @param {string} name the operand, or the one that leads on */
  function follow(at, name = "") {
    const term = found.terms[at], names = Object.keys(term.from);
    const onward = names.find(one => /^d\d*$|'/.test(one.replace(" of the row", "")));
    const from = name || onward || names[0];
    if (from) leadTo(known[from].number, term.from[from]);
  }
  function leadTo(/** @type {number} */ array, /** @type {number} */ number) {
    const there = makers.get(array)?.step ?? path.stepOf(array);
    if (there === undefined) return;
    asked = [array, number];
    if (there === now) show(now);
    else hands.jump(there);
  }
  function point(/** @type {number} */ i) {
    if (i === hot) return;
    hot = i;
    light();
  }
  function choose(/** @type {number} */ number) {
    chosen = number;
    hot = -1;
    found = summed(step, known, arrays[step.result], chosen);
    light();
    terms.show(step, known, arrays, chosen, found, hot);
    const whole = step.total ?? step.result, { kind, of, shape } = arrays[whole];
    compare(whole);
    if (of) hands.select?.(`${kind}:${of}@${unflat(shape, chosen)}`);
    path.show(step, whole, chosen, now);
  }
  /** The central difference beside the sum, worked out between two keys. */
  function compare(/** @type {number} */ array) {
    clearTimeout(waiting);
    terms.difference("", "", "");
    if (step.way === "value") return;
    const recorded = arrays[array].data[chosen];
    const going = difference(data, arrays, makers, step, chosen, recorded);
    const verdict = (/** @type {any} */ { value, left, right }) => {
      if (near(value, recorded)) return words.agrees;
      const corner = left !== undefined && !near(left, right) && [left, right].some(one => near(one, recorded));
      return corner ? filled(words.corner, { left: written(left, 3), right: written(right, 3) }) : words.disagrees;
    };
    const say = (/** @type {any} */ got) => {
      if (typeof got === "string") terms.difference(words.difference, "–", words[got]);
      else terms.difference(words.difference, written(got.value), verdict(got));
    };
    const work = () => {
      for (const begin = performance.now(); performance.now() - begin < 6;) {
        const { done, value } = going.next();
        if (done) return say(value);
      }
      waiting = window.setTimeout(work, 4);
    };
    waiting = window.setTimeout(work, 30);
  }
  function light() {
    for (const { map, name, part } of maps) {
      const mine = (/** @type {any} */ term) => term.part === part;
      const lit = new Set(/** @type {any[]} */ (found?.terms || []).filter(mine).map(({ from }) => from[name]));
      lit.delete(undefined);
      const term = found?.terms[hot];
      const pointed = term && mine(term) ? term.from[name] : undefined;
      map.show(name ? { part: [...lit], hot: pointed } : { number: chosen, part: [] });
    }
    terms.mark(hot);
  }
  /** The maps of a step, drawn anew. */
  function build() {
    const result = arrays[step.result], first = { name: givenName(step, arrays, words), plane: step.plane };
    const row = [first, { sign: step.rule ? "=" : "←" }, ...step.row].map(token => {
      const { sign, array, of, part } = token, one = array ? known[array] : result;
      return sign ? token : { ...token, one, numbers: of ? derived(token, step.rule.parts[part], known) : one.data };
    });
    const drawn = row.filter(thing => thing.one);
    const signs = row.reduce((sum, { sign }) => (sign ? sum + 22 + 9 * Math.min(12, sign.length) : sum), 0);
    room = formula.clientWidth || 760;
    const columns = drawn.map(({ one, turned, plane }) => columnsOf(one.shape, Boolean(turned), plane));
    const cells = cellsFor(columns, room - signs - 26 * drawn.length);
    maps = drawn.map((thing, i) => {
      const map = mapOf(thing, cells[i]);
      thing.node = map.node;
      return { map, name: thing.array, part: thing.part };
    });
    const high = Math.max(...maps.map(({ map }) => map.rows)) * HIGH;
    const style = `margin-top:${36 + Math.min(high, 120) / 2}px`;
    const note = (/** @type {string} */ said) => (said ? made("small", {}, said) : "");
    formula.replaceChildren(
      ...row.map(thing => thing.node || made("div.sign", { style }, thing.sign, note(thing.note))),
      step.then ? made("p.quiet", {}, filled(words.then, step)) : "");
    for (const { map } of maps) map.paint();
    const all = [arrived(), ...Object.values(step.reads).map(at => arrays[Number(at)])];
    const own = [...new Set(all)].filter(one => one.data.length > 1);
    table.replaceChildren(own.length ? factsTable(own, own[0] === all[0] ? arrays[step.of] : undefined, words) : "");
  }
  /** What a step gives as a whole: of several shares their sum by then. */
  function arrived() {
    const result = arrays[step.result], sum = arrays[step.total ?? step.before ?? step.result];
    if (!step.share) return result;
    return isLast(steps, step) && sum !== arrays[step.before] ? sum : { ...sum, name: filled(words.so_far, sum) };
  }
  /** The map of one thing in a step's row: without a name it is the result's.
   * @param {any} thing @param {{wide: number, digits: boolean}} cell */
  function mapOf(thing, cell) {
    const { one, numbers, array: name, part, of } = thing;
    const mine = (/** @type {any} */ term) => term.part === part;
    const terms = () => /** @type {any[]} */ (found ? found.terms : []);
    const most = of ? largest(numbers) : one.most, id = `${name || "result"} ${part ?? ""}`;
    const map = heatMap({ ...thing, kind: one.kind, shape: one.shape, most, id }, cell, {
      chosen(/** @type {number} */ number) {
        if (!name) return choose(number);
        const at = terms().findIndex(term => mine(term) && term.from[name] === number);
        if (at >= 0 && at !== hot) point(at);
        else leadTo(one.number, number);
      },
      moved(/** @type {number[] | undefined} */ by, /** @type {string} */ key) {
        if (key === "Enter") return void (name && hot >= 0 && follow(hot, name));
        if (!by) return;
        if (!name) return choose(map.plane.beside(chosen, by));
        const own = [...terms().keys()].filter(at => mine(terms()[at]));
        const next = own.indexOf(hot) + (by[0] + by[1] > 0 ? 1 : -1);
        if (own.length) point(own[clamp(0, next, own.length - 1)]);
      },
      turned(/** @type {number[]} */ held) {
        if (name) return map.show({ part: [], held });
        const { rest } = map.plane;
        const place = unflat(one.shape, chosen).map((at, axis) => (rest.includes(axis) ? held[axis] : at));
        choose(flat(one.shape, place));
      },
    }, words);
    return map;
  }

  function show(/** @type {number} */ n) {
    now = n;
    step = steps[n] || null;
    bench.hidden = !step;
    quiet.hidden = Boolean(step);
    quiet.textContent = words.nothing;
    if (!step) return;
    known = knownTo(step, arrays);
    const result = arrays[step.result];
    const mine = asked && (asked[0] === step.result || asked[0] === step.total) ? asked[1] : null;
    const focused = document.activeElement?.getAttribute?.("data-grid");
    build();
    choose(mine ?? path.placed(step.total ?? step.result) ?? top(result.data));
    asked = null;
    if (focused) (maps.find(({ map }) => map.id === focused) || maps[0]).map.grid.focus({ preventScroll: true });
  }
  box.addEventListener("keydown", event => {
    const by = event.key === "." ? 1 : event.key === "," ? -1 : 0;
    if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
    taken(event);
    hands.jump(now + by);
  });
  const sizes = new ResizeObserver(() => {
    if (!step || Math.abs((formula.clientWidth || room) - room) <= 8) return;
    build();
    choose(chosen);
  });
  sizes.observe(formula);
  return {
    show,
    destroy() { sizes.disconnect(); clearTimeout(waiting); },
    repaint() {
      maps.forEach(({ map }) => map.paint());
      path.repaint();
      if (step) path.show(step, step.total ?? step.result, chosen, now);
    },
  };
}
