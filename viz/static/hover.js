// Point at one thing and it lights up everywhere else: card, string, code line, term of the formula, marks of its steps, memory.

import { list } from "./tools.js";
import { focusOf, holds, placeOf } from "./facts.js";

const MARKED = "[data-value],[data-ref],[data-place],[data-step],[data-holder]";

export function hoverPart(scene, frame, now, stepAt) {
  const values = new Map(scene.values.map(value => [value.id, value])), at = new Map(), stepsOf = new Map();
  const gather = (map, key, one) => map.set(key, (map.get(key) || new Set()).add(one));
  for (const value of scene.values) {
    gather(stepsOf, value.id, value.born);
    gather(at, placeOf(value.place), value.id);
  }
  scene.steps.forEach((step, i) => { for (const id of focusOf(step).keys()) gather(stepsOf, id, i); });
  const pins = new Map();
  for (const edge of scene.edges) pins.set(edge.a, [...(pins.get(edge.a) || []), ...list(edge.kept)]);
  let lit = [];

  // Who holds a value's bytes at a step, as far as the scene says.
  function holdersOf(value, n) {
    if (list(value.held).length) return value.held.filter(span => holds([span], n)).map(span => span.by);
    if (value.born > n) return [];
    const kept = holds([...(pins.get(value.id) || []), ...list(value.kept)], n);
    return [value.kind === "variable" && "variable", kept && "tape"].filter(Boolean);
  }

  // ids: values; steps: the marks of these too; places: these lines too; holder: this band of memory too.
  function show({ ids = [], steps = [], places = [], holder = null }) {
    clear();
    const wanted = new Set(ids), known = ids.map(id => values.get(id)).filter(Boolean);
    const when = new Set([...steps, ...(steps.length ? [] : ids.flatMap(id => [...(stepsOf.get(id) || [])]))]);
    const where = new Set([...places, ...known.map(value => placeOf(value.place))].filter(Boolean));
    const whose = new Set([holder, ...known.flatMap(value => holdersOf(value, now()))].filter(Boolean));
    for (const node of frame.querySelectorAll(MARKED)) {
      const { value, ref, place, step, holder: band } = node.dataset;
      if (!wanted.has(value) && !wanted.has(ref) && !where.has(place) && !when.has(Number(step ?? -1)) && !whose.has(band)) continue;
      node.setAttribute("data-lit", "");
      lit.push(node);
    }
  }
  function clear() { for (const node of lit.splice(0)) node.removeAttribute("data-lit"); }

  return {
    clear,
    light: ids => (ids?.length ? show({ ids }) : clear()),
    over(event) {
      const thing = event.pointerType !== "touch" && event.target.closest?.(MARKED);
      if (!thing) return clear();
      const { value, ref, place, step, holder } = thing.dataset;
      if (value || ref) return show({ ids: [value || ref] });
      if (place) return show({ ids: [...(at.get(place) || [])], places: [place] });
      if (step !== undefined) {
        const one = scene.steps[step];
        return show({ ids: [...focusOf(one).keys()], steps: [Number(step)], places: [placeOf(one.place)].filter(Boolean) });
      }
      const n = thing.closest(".mt-strip") ? stepAt(event) : now();
      return show({ ids: scene.values.filter(one => holdersOf(one, n).includes(holder)).map(one => one.id), steps: [n], holder });
    },
  };
}
