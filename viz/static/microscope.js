// @ts-check
// The element microscope: a step's rule as heat maps in its own direction, one number chosen, its sum, and its way through the run.
// It reads what viz/microscope wrote down of a run; every word on it comes from there.

import { flat, reader, unflat, workedOut } from "./sums.js";
import { decoded, filled, largest, made, top, written } from "./arrays.js";
import { HIGH, cellsFor, columnsOf, heatMap } from "./heat.js";
import { factsTable, summed, termsPart } from "./terms.js";
import { knownTo, makersOf } from "./way.js";
import { difference, near } from "./difference.js";
import { pathPart } from "./path.js";

/** @typedef {import("./arrays.js").Many} Many */

/** The numbers that a factor makes of arrays, each where its first array has it.
 * @param {any} token @param {any} part @param {Record<string, Many>} known */
export function derived(token, part, known) {
  const first = known[token.array];
  return Float64Array.from(first.data, (own, i) => {
    const letters = /** @type {Record<string, number>} */ ({}), place = token.letters ? unflat(first.shape, i) : [];
    place.forEach((at, axis) => { for (const name in part.at[token.array][axis][2]) letters[name] = at; });
    const read = reader(part, letters, known);
    return workedOut(token.of, name => (name === token.array ? own : read(name)));
  });
}

/**
 * The panel.  hands: `jump(step)`, `select(thing)`.
 * @param {HTMLElement} box @param {any} data @param {{jump: (step: number) => void, select?: (thing: string) => void}} hands
 */
export function microscope(box, data, hands) {
  const { steps, words } = data, arrays = decoded(data.arrays), makers = makersOf(steps, arrays);
  let now = -1, step = /** @type {any} */ (null), known = /** @type {Record<string, Many>} */ ({}), maps = /** @type {any[]} */ ([]);
  let chosen = 0, hot = -1, found = /** @type {any} */ (null), room = 0, asked = /** @type {[number, number] | null} */ (null), waiting = 0;
  const formula = made("div.rule"), table = made("div.table"), quiet = made("p.quiet"), bench = made("div.bench", {}, formula, table);
  const terms = termsPart({ follow: (/** @type {number} */ i) => follow(i), point }, words);
  const path = pathPart(data, arrays, makers, leadTo, words);
  bench.append(terms.node);
  box.replaceChildren(quiet, bench, path.node);

  /** @param {number} at @param {string} name the operand, or the one that leads on */
  function follow(at, name = "") {
    const term = found.terms[at], names = Object.keys(term.from), from = name || names.find(one => /^d\d*$|'/.test(one.replace(" of the row", ""))) || names[0];
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
    const recorded = arrays[array].data[chosen], going = difference(data, arrays, makers, step, chosen, recorded);
    const say = (/** @type {any} */ got) => {
      if (typeof got === "string") return terms.difference(words.difference, "–", words[got]);
      const corner = got.left !== undefined && !near(got.left, got.right) && [got.left, got.right].some(one => near(one, recorded));
      terms.difference(words.difference, written(got.value), near(got.value, recorded) ? words.agrees : corner ? filled(words.corner, { left: written(got.left, 3), right: written(got.right, 3) }) : words.disagrees);
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
      map.show(name ? { part: [...lit], hot: term && mine(term) ? term.from[name] : undefined } : { number: chosen, part: [] });
    }
    terms.mark(hot);
  }
  /** The maps of a step, drawn anew. */
  function build() {
    const result = arrays[step.result], first = { name: result.name, plane: step.plane };
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
      const { one, numbers, array: name, part, of } = thing, mine = (/** @type {any} */ term) => term.part === part;
      const terms = () => /** @type {any[]} */ (found ? found.terms : []);
      const map = heatMap({
        ...thing, kind: one.kind, shape: one.shape, most: of ? largest(numbers) : one.most,
          id: `${name || "result"} ${part ?? ""}`,
      }, cells[i], {
        chosen: (/** @type {number} */ number) => {
          if (!name) return choose(number);
          const at = terms().findIndex(term => mine(term) && term.from[name] === number);
          if (at >= 0 && at !== hot) point(at);
          else leadTo(one.number, number);
        },
        moved: (/** @type {number[] | undefined} */ by, /** @type {string} */ key) => {
          if (key === "Enter") { if (name && hot >= 0) follow(hot, name); return; }
          if (!by) return;
          if (!name) return choose(map.plane.beside(chosen, by));
          const own = [...terms().keys()].filter(at => mine(terms()[at])),
            next = own.indexOf(hot) + (by[0] + by[1] > 0 ? 1 : -1);
          if (own.length) point(own[Math.max(0, Math.min(own.length - 1, next))]);
        },
        turned: (/** @type {number[]} */ held) => {
          if (name) return map.show({ part: [], held });
          choose(flat(one.shape, unflat(one.shape, chosen).map(
            (at, axis) => (map.plane.rest.includes(axis) ? held[axis] : at))));
        },
      }, words);
      thing.node = map.node;
      return { map, name, part };
    });
    const high = Math.max(...maps.map(({ map }) => map.rows)) * HIGH, style = `margin-top:${36 + Math.min(high, 120) / 2}px`;
    const note = (/** @type {string} */ said) => (said ? made("small", {}, said) : "");
    formula.replaceChildren(...row.map(thing => thing.node || made("div.sign", { style }, thing.sign, note(thing.note))),
      step.then ? made("p.quiet", {}, filled(words.then, step)) : "");
    for (const { map } of maps) map.paint();
    const all = [result, ...Object.values(step.reads).map(at => arrays[Number(at)])], own = [...new Set(all)].filter(one => one.data.length > 1);
    table.replaceChildren(own.length ? factsTable(own, own[0] === result ? arrays[step.of] : undefined, words) : "");
  }

  function show(/** @type {number} */ n) {
    now = n;
    step = steps[n] || null;
    bench.hidden = !step;
    quiet.hidden = Boolean(step);
    quiet.textContent = words.nothing;
    if (!step) return;
    known = knownTo(step, arrays);
    const result = arrays[step.result], mine = asked && (asked[0] === step.result || asked[0] === step.total) ? asked[1] : null;
    const focused = document.activeElement?.getAttribute?.("data-grid");
    build();
    choose(mine ?? path.placed(step.total ?? step.result) ?? top(result.data));
    asked = null;
    if (focused) (maps.find(({ map }) => map.id === focused) || maps[0]).map.grid.focus({ preventScroll: true });
  }
  box.addEventListener("keydown", event => {
    const by = event.key === "." ? 1 : event.key === "," ? -1 : 0;
    if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    hands.jump(now + by);
  });
  const sizes = new ResizeObserver(() => { if (step && Math.abs((formula.clientWidth || room) - room) > 8) { const kept = chosen; build(); choose(kept); } });
  sizes.observe(formula);
  return { show, destroy: () => { sizes.disconnect(); clearTimeout(waiting); },
    repaint: () => {
      maps.forEach(({ map }) => map.paint());
      path.repaint();
      if (step) path.show(step, step.total ?? step.result, chosen, now);
    },
  };
}
