// Facts: what holds at step n.

import { NOT_YET, NEVER, CUT } from "./language.js";
import { list, digits, brief, amount } from "./tools.js";

export function latest(facts, n) {
  let found = -1;
  for (let i = 0; i < facts.length && facts[i].t <= n; i++) found = i;
  return found;
}
export const fact = (facts, n) => facts[latest(facts, n)];
// A span starts to hold at its step `from` and ends to hold at its step `to`.
export const begun = (spans, n) => spans.some(span => span.from <= n);
export const holds = (spans, n) => spans.some(span => span.from <= n && (span.to === undefined || span.to === null || n < span.to));
// A value of a region: "away" (its bytes are gone, until it runs again), or back by "replay" or "rebuild".
export function againAt(value, n) {
  const now = list(value.again).find(span => holds([span], n));
  return now ? now.kind : value.again && (value.gone ?? Infinity) <= n ? "away" : "";
}
export const placeOf = place => (place ? place.join("|") : "");

// The focus of a step as a map: value id -> null for the whole card, or the set of its cells.
export function focusOf(step) {
  const focus = new Map();
  for (const one of list(step.focus)) {
    if (typeof one === "string") focus.set(one, focus.get(one) || { card: true, cells: new Set() }).get(one).card = true;
    else focus.set(one[0], focus.get(one[0]) || { card: false, cells: new Set() }).get(one[0]).cells.add(one[1]);
  }
  return focus;
}

// An array as rows of numbers (leading axes under each other), or null where it is too large to be drawn as squares.
const SIDE = 8, SHORT = 13;
export function rowsOf(data) {
  if (!data?.numbers || !list(data.shape).length) return null;
  const flat = [data.numbers].flat(9), across = data.shape.at(-1), down = data.shape.slice(0, -1).reduce((a, b) => a * b, 1);
  if (!(across > 0 && across <= SIDE && down > 0 && down <= SIDE) || flat.length !== across * down) return null;
  return Array.from({ length: down }, (_, i) => flat.slice(i * across, (i + 1) * across));
}
export const shapeText = shape => (list(shape).length === 1 ? `[${shape[0]}]` : list(shape).join("×"));
// What a cell shows as text: its number, the range of a large array, or one of the three signs.
export function faceText(state) {
  if (!state) return NOT_YET;
  if (state.text === CUT) return `✂ ${CUT}`;
  const { numbers, low, high } = state.data || {};
  if (numbers) {
    const known = [numbers].flat(9).map(Number).filter(Number.isFinite);
    return known.length > 1 ? `${brief(Math.min(...known))}…${brief(Math.max(...known))}` : state.text || "[ ]";
  }
  return low !== undefined && high !== undefined ? `${brief(low)}…${brief(high)}` : state.text || NOT_YET;
}
// The same where there is room for words: a few numbers one by one, more of them as shape and range.
export function lineText(state) {
  const rows = state && rowsOf(state.data), one = row => `[${row.map(brief).join(", ")}]`;
  if (rows && rows.flat().length <= 4) return rows.length > 1 ? `[${rows.map(one).join(", ")}]` : one(rows[0]);
  return state?.data ? `${shapeText(state.data.shape)}: ${faceText(state)}` : faceText(state);
}
// The same in a narrow place: only what is as short as a number or two is told one by one.
export function shortText(state) {
  const rows = state?.data?.shape?.length === 1 ? rowsOf(state.data) : null, told = rows ? `[${rows[0].map(brief).join(", ")}]` : "";
  return told && told.length <= SHORT ? told : faceText(state);
}
export function stateWords(state) {
  if (!state) return "not yet";
  if (state.text === CUT) return `None, cut${state.why ? `: ${state.why}` : ""}`;
  if (state.text === NEVER) return "∅, this recorder does not see it";
  if (!state.data) return state.text;
  const { shape, numbers } = state.data, head = `[${list(shape).join(", ")}]`;
  if (!numbers) return `${head} from ${digits(state.data.low)} to ${digits(state.data.high)}`;
  const line = row => (Array.isArray(row) ? row.map(line).join(Array.isArray(row[0]) ? "\n" : "  ") : digits(row));
  return `${head}\n${line(numbers)}`;
}
export const cellWords = (cell, n) => `${cell.label} ${stateWords(fact(list(cell.states), n))}`;

// How high memory went, where, and who held it.
export function peakWords(scene) {
  const sum = step => scene.holders.reduce((total, { id }) => total + (step.memory?.[id] || 0), 0), { steps, unit } = scene;
  const highs = steps.map(step => Math.max(sum(step), step.high || 0)), peak = Math.max(...highs, 0), at = highs.indexOf(peak);
  const held = scene.holders.filter(({ id }) => steps[at].memory?.[id]).map(({ id, label }) => `${label} ${amount(steps[at].memory[id], unit)}`);
  const inside = peak - sum(steps[at]);
  return `peak ${amount(peak, unit)} at step ${at}: ${[...held, ...(inside ? [`inside the step ${amount(inside, unit)} more`] : [])].join(", ")}`;
}
