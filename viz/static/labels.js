// Numbers in a narrow place: those that do not fit drop out, except at the step at hand and at the steps it goes back to.

import { svg, put } from "./tools.js";

const BUCKET = 64, AIR = 4;                              // px: where neighbours are looked for, and the least between two

export function labelSpace(width) {
  const labels = [], buckets = new Map();
  const bucketsOf = ({ x, w }) => {
    const first = Math.floor(x / BUCKET), last = Math.floor((x + w) / BUCKET);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  };
  const near = box => new Set(bucketsOf(box).flatMap(i => buckets.get(i) || []));
  const overlap = (a, b) => a.x < b.x + b.w + AIR && b.x < a.x + a.w + AIR && a.y < b.y + b.h && b.y < a.y + a.h;
  return {
    // {x, y, w, h, t, node, cls}: a text in its box, there from step t on.  The first come are the last to drop out.
    add(one) {
      one.rivals = [...near(one)].filter(other => overlap(one, other));
      for (const other of one.rivals) other.rivals.push(one);
      one.fits = one.x >= 0 && one.x + one.w <= width && !one.rivals.some(other => other.fits);
      for (const i of bucketsOf(one)) buckets.set(i, [...(buckets.get(i) || []), one]);
      labels.push(one);
    },
    nodes: () => svg("g", labels.map(one => one.node)),
    update(n, again) {
      const forced = labels.filter(one => one.t === n), wins = new Set();
      for (const one of [...forced, ...labels.filter(other => again.includes(other.t))]) {
        if (![...wins].some(other => overlap(one, other))) wins.add(one);
      }
      for (const one of labels) {
        const seen = one.t <= n && (wins.has(one) || (one.fits && !one.rivals.some(other => wins.has(other))));
        const now = seen ? `${one.cls}${one.t === n ? " here" : ""}` : "off";
        if (now !== one.now) put(one.node, "class", one.now = now);
      }
    },
  };
}
