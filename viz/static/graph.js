// The graph: a card per value, an op's disc beside it, what flows along the edges.

import { SIZES, CAPSULE, SIGN_CHAR, NEVER, CUT, WAYS, isBack, octagon } from "./language.js";
import {
  html, svg, text, squeeze, put, classes, write, keepInView, clamp, round, list, columns, shorten, wrap,
} from "./tools.js";
import { latest, fact, begun, holds, againAt, focusOf, rowsOf, shapeText, faceText, cellWords } from "./facts.js";

const AGAIN = { away: "let go: it runs again when it is needed", replay: "run again", rebuild: "rebuilt" };

export function graphPart(scene, prefix) {
  const { DISC, CHAR, LABEL_CHAR, PAD, ROW, PIXEL } = SIZES, layout = scene.layout;
  const node = html("div.mt-graph", { tabindex: -1, role: "group", "aria-label": "Dataflow graph" });
  const values = new Map(scene.values.map(value => [value.id, value])), recorders = new Map(scene.recorders.map(r => [r.id, r]));
  const kinds = new Set(scene.steps.flatMap(step => list(step.flow).map(([, way]) => WAYS[way] || "value")));
  let draws = [], dots = new Map(), running = [], placed = null, zoom = 1;

  // Left to right unless that would shrink the text and top to bottom fits better; text too small to read scrolls instead.
  function pick(width, height) {
    const fit = L => Math.min((width - 4) / (L.w + 20), height / (L.h + 34), 1.5);
    const ways = ["LR", "TB"].filter(way => layout[way]);
    const way = ways.length < 2 ? ways[0] : fit(layout.LR) >= Math.min(0.84, fit(layout.TB)) ? "LR" : "TB";
    const all = fit(layout[way]);
    return { L: layout[way], vertical: way === "TB", scale: all >= 0.74 ? all : 0.8 };
  }

  // Where free-standing text may go: of several places the one that covers least of what is taken already.
  function space(taken) {
    const common = (from, size, other, otherSize) => Math.max(0, Math.min(from + size, other + otherSize) - Math.max(from, other));
    const covered = ([x, y, w, h]) => taken.reduce((sum, [a, b, c, d]) => sum + common(x, w, a, c) * common(y, h, b, d), 0);
    return {
      take: box => taken.push(box),
      best(options) {
        const [least] = options.map(option => ({ ...option, covered: covered(option.box) })).sort((a, b) => a.covered - b.covered);
        taken.push(least.box);
        return least;
      },
    };
  }

  function region(one, box) {
    const [x, y, w, h, base] = box, word = svg("tspan.mt-rword");
    const label = svg("text.mt-rlabel", { x: x + 10, y: base }, one.label, word);
    const closes = ["recompute", "rebuild"].includes(one.kind), size = { x, y, width: w, height: h, rx: 10 };
    const lid = closes && svg("rect.mt-lid", { ...size, style: `fill: url(#${prefix}-lid)` });   // hatched while it is closed
    const g = svg("g", { "data-region": one.id }, svg("rect", size), lid || null), named = svg("g", label);
    const states = list(one.states).length ? one.states : list(recorders.get(one.recorder)?.states);
    draws.push(({ n }) => {
      const now = fact(states, n), state = now?.state, said = now?.text || state;
      for (const part of [g, named]) classes(part, "mt-region", one.kind, `s-${state || "none"}`);
      write(word, said && columns(one.label + said) * 6.7 + 26 < w ? ` · ${said}` : "");
    });
    return { ground: g, named };
  }

  const pinAt = line => line.getPointAtLength(Math.max(0, line.getTotalLength() - 9));

  // An edge: the line itself, the flow over it, the dot that runs along it once, the pin of a kept input, the carried number.
  function edge(one, d, room) {
    const a = values.get(one.a), b = values.get(one.b), line = svg("path", { d, "data-edge": one.id });
    const length = line.getTotalLength(), at = u => line.getPointAtLength(length * u);
    const flow = svg("path", { d }), dot = svg("circle.mt-dot", { r: 5, style: `offset-path: path("${d}")` }), above = svg("g");
    dots.set(one.id, dot);
    const cuts = cutPairs(a, b);
    const spot = (width, height) => room.best([0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.2, 0.8].map(u => {
      const { x, y } = at(u);
      return { u, x, y, box: [x - width / 2 - 1, y - height / 2 - 1, width + 2, height + 2] };
    }));

    const carried = list(one.carried), kept = list(one.kept);
    if (kept.length) {
      const p = pinAt(line), title = svg("title");
      const pin = svg("path", { d: `M${round(p.x)} ${round(p.y - 5)}l5 5l-5 5l-5-5Z` }, title);
      const who = [...new Set(kept.map(k => recorders.get(k.by)?.name || k.by))].join(" and ");
      above.append(pin);
      draws.push(({ n }) => {
        const state = holds(kept, n) ? "kept" : begun(kept, n) ? "free" : "off";
        classes(pin, "mt-pin", state, kept.some(k => k.from === n || k.to === n) && state !== "off" && "fresh");
        write(title, state === "kept" ? `${who} keeps ${a.name} for the way back` : `${who} let go of ${a.name}`);
      });
    }
    if (carried.length) {
      const width = Math.max(...carried.map(c => columns(c.text))) * CHAR + 12, { x, y } = spot(width, 18);
      const title = svg("title"), number = text(round(x), round(y + 4.3), "", "mt-chiptext", "middle");
      const capsule = svg("rect", { y: round(y - 9), height: 18, rx: 9 }), chip = svg("g", title, capsule, number);
      above.append(chip);
      draws.push(({ n }) => {
        const now = fact(carried, n), w = now ? columns(now.text) * CHAR + 12 : 0;
        classes(chip, "mt-chip", now ? now.kind : "off", now?.t === n && "fresh");
        put(capsule, "x", round(x - w / 2));
        put(capsule, "width", round(w));
        write(number, now ? now.text : "");
        write(title, now ? `${now.text} through this use of ${a.name} (${recorders.get(now.by)?.name || now.by})` : "");
      });
    }
    if (cuts.length || b.ghost) {
      const p = spot(22, 20), gap = Math.min(26, length * 0.6), before = Math.max(0, length * p.u - gap / 2);
      line.setAttribute("style", `--cut: ${round(before)}px ${round(gap)}px ${round(length)}px`);
      const scissors = text(round(p.x), round(p.y + 7), "✂", "", "middle");
      above.append(scissors);
      draws.push(({ n }) => classes(scissors, "mt-scissors", cuts.some(isCut => isCut(n)) ? "" : "off"));
    }
    draws.push(({ n, flow: flows }) => {
      const way = flows.get(one.id), kind = WAYS[way] || "value", live = a.born <= n && b.born <= n;
      classes(line, "mt-edge", live && "live", b.ghost && "ghost", cuts.some(isCut => isCut(n)) && "cut", way && "beneath");
      classes(flow, "mt-flow", way ? kind : "off", isBack(way) && "back");
      put(flow, "marker-start", isBack(way) ? `url(#${prefix}-${kind})` : "none");
      put(flow, "marker-end", way && !isBack(way) ? `url(#${prefix}-${kind})` : "none");
      classes(dot, "mt-dot", way ? kind : "off");
    });
    return { under: [line, flow, dot], above };
  }

  // Where the way back is cut: the source says None while the result either had a gradient or was never written down.
  function cutPairs(a, b) {
    const stateOf = (cell, n) => cell && fact(list(cell.states), n), isNone = state => state?.text === CUT;
    const cutCells = list(a.cells).filter(cell => cell.kind !== "value" && list(cell.states).some(isNone));
    return cutCells.map(cell => {
      const twins = list(b.cells).filter(other => other.by === cell.by && other.kind === cell.kind);
      const twin = twins.find(other => other.id === cell.id) || twins[0];
      return n => {
        if (b.born > n || !isNone(stateOf(cell, n))) return false;
        const after = stateOf(twin, n);
        return Boolean(b.ghost) || Boolean(after && !isNone(after) && after.text !== NEVER);
      };
    });
  }

  // One row of a card: its label, and on the right "not yet", a number, a sign, or an array as squares or as a range.
  function cellRow(value, cell, x, y, w, h, first) {
    const isValue = cell.id === "v", base = y + h / 2 + 4.4, label = text(x + PAD, base, isValue ? value.name : cell.label, "");
    const ring = svg("rect", { x: x + 2, y: y + 1, width: w - 4, height: h - 2, rx: 5 }), holder = svg("g");
    const g = svg("g", { "data-cell": `${value.id}|${cell.id}` });
    const labelWidth = columns(label.textContent) * (isValue ? CHAR : LABEL_CHAR), room = w - 2 * PAD - labelWidth - 6;
    if (!first) g.append(svg("line.mt-rule", { x1: x + 7, x2: x + w - 7, y1: y, y2: y }));
    g.append(ring, label, holder);
    if (isValue && value.again) {
      const gone = text(x + w - PAD, base, "let go", "mt-letgo", "end");
      g.append(columns(label.textContent) * CHAR + 52 > w ? squeeze(gone, Math.max(12, room)) || gone : gone);
    }
    const states = list(cell.states);
    let shown;
    function content(state) {
      const rows = state && rowsOf(state.data);
      if (rows) return [...squares(rows, x + w - PAD, y, h), shapeLabel(state.data.shape, rows, base)];
      const words = faceText(state);
      const node = text(x + w - PAD, base, words, "", "end");
      if (columns(words) * CHAR > room + 3) squeeze(node, Math.max(8, room));
      return [node];
    }
    function shapeLabel(shape, rows, y) {
      const said = shapeText(shape), left = room - rows[0].length * PIXEL - 4;
      return said && columns(said) * 5.6 < left ? text(x + PAD + labelWidth + 5, y, said, "mt-shape") : null;
    }
    draws.push(({ n, focus }) => {
      const index = latest(states, n), state = states[index], unborn = value.born > n;
      classes(ring, "mt-cell", !focus.get(value.id)?.cells.has(cell.id) && "off");
      classes(label, isValue ? "mt-name" : `mt-label ${cell.kind}`, !state && "faint");
      if (index !== shown) holder.replaceChildren(...content(state).filter(Boolean));
      shown = index;
      const sign = !state ? "notyet" : state.text === CUT ? "none" : state.text === NEVER ? "never" : "";
      classes(holder, "mt-number", cell.kind, isValue && "own", sign, state?.t === n && n > 0 && "fresh", unborn && "unborn");
    });
    return g;
  }

  function squares(rows, right, y, h) {
    const size = Math.min(PIXEL, (h - 4) / rows.length);
    const top = y + (h - rows.length * size) / 2, left = right - rows[0].length * size;
    const most = Math.max(1e-300, ...rows.flat().filter(v => typeof v === "number").map(Math.abs));
    return rows.flatMap((row, i) => row.map((v, j) => {
      const cx = left + (j + 0.5) * size, cy = top + (i + 0.5) * size;
      if (typeof v !== "number") return svg("path.mt-sq.odd", { d: `M${round(cx - 2)} ${round(cy - 2)}l4 4m0-4l-4 4` });
      const sign = v < 0 ? "neg" : v === 0 ? "zero" : "pos";
      const side = v === 0 ? 1.6 : Math.max(1.6, (size - 1.4) * Math.sqrt(Math.abs(v) / most)), from = -side / 2;
      return svg(`rect.mt-sq.${sign}`, { x: round(cx + from), y: round(cy + from), width: round(side), height: round(side) });
    }));
  }

  function opSign(value, vertical, [x, y, w, h]) {
    // a word makes the disc a capsule: beside a card it may grow to CAPSULE px, above one as wide as the card
    const cx = vertical ? x + w / 2 : x + 11, cy = vertical ? y + 11 : y + h / 2, most = vertical ? w : CAPSULE;
    const said = value.sign || value.op, wanted = columns(said) * SIGN_CHAR + 7, wide = clamp(wanted, 22, most);
    const sign = wanted > most * 1.35 ? shorten(said, Math.floor(most / SIGN_CHAR) - 1) : said, word = columns(sign) > 1;
    const label = text(cx, cy + (word ? 3.6 : 5), sign, word ? "mt-opname" : "mt-opsign", "middle");
    if (columns(sign) * SIGN_CHAR + 7 > wide + 1) squeeze(label, wide - 7);
    const link = vertical ? { x1: cx, x2: cx, y1: cy + 11, y2: y + DISC } : { x1: cx + wide / 2, x2: x + DISC, y1: cy, y2: cy };
    const disc = value.custom ? svg("path.mt-disc", { d: octagon(cx, cy, wide) })
      : svg("rect.mt-disc", { x: cx - wide / 2, y: cy - 11, width: wide, height: 22, rx: 11 });
    const parts = [svg("line.mt-link", link), disc, label];
    // an op that keeps its own output (exp, tanh): the pin sits between its disc and its card
    const own = list(value.kept);
    if (own.length) {
      const [px, py] = vertical ? [cx, y + DISC - 4] : [x + DISC - 4, cy], said = `${value.name} itself is kept for the way back`;
      const pin = svg("path", { d: `M${px} ${py - 4.5}l4.5 4.5l-4.5 4.5l-4.5-4.5Z` }, svg("title", said));
      parts.push(pin);
      draws.push(({ n }) => classes(pin, "mt-pin", holds(own, n) ? "kept" : begun(own, n) ? "free" : "off"));
    }
    return parts;
  }

  function card(value, box, vertical, room) {
    const op = Boolean(value.op || value.sign), side = op && !vertical ? DISC : 0, over = op && vertical ? DISC : 0;
    const x = box[0] + side, y = box[1] + over, w = box[2] - side, h = box[3] - over, rx = value.kind === "variable" ? 2 : 8;
    const title = svg("title"), g = svg("g", { "data-value": value.id }, title);
    if (op) g.append(...opSign(value, vertical, box));
    if (value.again) {
      const mark = text(x + w + 1, y - 1, "↻", "mt-againmark", "middle");
      g.append(svg("rect.mt-sheet2", { x: x + 4, y: y + 4, width: w, height: h, rx }), mark);
    }
    for (const away of value.group ? [6, 3] : []) {                          // a stack: several values under the face of the last
      g.append(svg("rect.mt-stack", { x: x + away, y: y + away, width: w, height: h, rx }));
    }
    g.append(svg("rect.mt-halo", { x: x - 4, y: y - 4, width: w + 8, height: h + 8, rx: rx + 4 }));
    g.append(svg("rect.mt-face", { x, y, width: w, height: h, rx }));
    const heights = list(layout.rows?.[value.id]);
    let top = y + 3;
    list(value.cells).forEach((cell, i) => {
      const tall = heights[i] || ROW;
      g.append(cellRow(value, cell, x, top, w, tall, i === 0));
      top += tall;
    });
    if (value.ghost) g.append(ghostTag(value.ghost, x + w / 2, y, w, h, room));
    const type = `${value.dtype || ""}${list(value.shape).length ? `[${value.shape.join(", ")}]` : ""}`;
    const about = [`${value.name}${value.op ? `, made by ${value.op}` : ""}${type ? ` (${type})` : ""}`];
    if (value.ghost) about.push(`not written down: ${value.ghost}`);
    let told = "";
    draws.push(({ n, focus }) => {
      const unborn = value.born > n;
      const again = againAt(value, n);
      classes(g, "mt-card", value.kind, value.ghost && "ghost", again && `a-${again}`, unborn && "future", focus.get(value.id)?.card && "on");
      const key = unborn ? "unborn" : again + list(value.cells).map(cell => latest(list(cell.states), n)).join();
      if (key === told) return;
      told = key;
      const rows = list(value.cells).map(cell => cellWords(cell, n));
      write(title, unborn ? `${value.name}: not made yet` : [...about, ...rows, ...(again ? [AGAIN[again]] : [])].join("\n"));
    });
    return g;
  }

  // The reason of a ghost in a few short lines, under its card or above it; where it fits nowhere, the tooltip alone has it.
  function ghostTag(reason, middle, y, w, h, room) {
    const options = [Math.max(w + 36, 118) / 6, 15, 11].flatMap(most => {
      const broken = wrap(reason, most), lines = broken.length > 3 ? ["not written", "down"] : broken;
      const wide = Math.max(...lines.map(columns)) * 6, tall = lines.length * 13;
      const x = clamp(middle, wide / 2 - 6, placed.w + 6 - wide / 2);       // inside the picture, at its edges too
      return [y + h + 4, y - tall - 5].map(top => ({ x, top, lines, box: [x - wide / 2, top, wide, tall + 2] }));
    });
    const spot = room.best(options);
    if (spot.covered > 20) return svg("g");
    const at = i => round(spot.top + 11 + i * 13);
    return svg("g.mt-tag", spot.lines.map((line, i) => text(round(spot.x), at(i), line, "", "middle")));
  }

  function build(width, height, most) {
    draws = [];
    dots = new Map();
    const { L, vertical, scale } = pick(width, height);
    placed = L;
    zoom = scale;
    const tags = scene.values.some(value => value.ghost) ? 44 : 6;
    const W = L.w + 20, H = L.h + 14 + tags, byId = new Map(scene.regions.map(one => [one.id, one]));
    const depth = one => (one?.parent ? 1 + depth(byId.get(one.parent)) : 0);
    const shown = scene.values.filter(value => L.nodes[value.id]);
    const regions = scene.regions.filter(one => L.regions[one.id]).sort((a, b) => depth(a) - depth(b));
    const labelBox = ({ id, label }) => [L.regions[id][0] + 8, L.regions[id][4] - 11, columns(label) * 6.7 + 70, 15];
    const room = space([...shown.map(value => L.nodes[value.id]), ...regions.map(labelBox)]);
    const grounds = svg("g"), lines = svg("g"), names = svg("g"), cards = svg("g"), above = svg("g");
    for (const one of regions) {
      const { ground, named } = region(one, L.regions[one.id]);
      grounds.append(ground);
      names.append(named);                                                 // over the lines, which would strike it through
    }
    for (const one of scene.edges) {
      if (!list(one.kept).length || !L.edges[one.id]) continue;
      const p = pinAt(svg("path", { d: L.edges[one.id] }));
      room.take([p.x - 6, p.y - 6, 12, 12]);
    }
    for (const value of shown) cards.append(card(value, L.nodes[value.id], vertical, room));
    for (const one of scene.edges) {
      if (!L.edges[one.id] || !values.has(one.a) || !values.has(one.b)) continue;
      const parts = edge(one, L.edges[one.id], room);
      lines.append(...parts.under);
      above.append(parts.above);
    }
    const size = { viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 9, markerHeight: 9 };
    const turned = { markerUnits: "userSpaceOnUse", orient: "auto-start-reverse" };
    const head = kind => svg("path", { d: "M0 .5L8 4L0 7.5Z", class: `mt-fill ${kind}` });
    const markers = [...kinds].map(kind => svg("marker", { id: `${prefix}-${kind}`, ...size, ...turned }, head(kind)));
    const units = { width: 9, height: 9, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" };
    const hatch = svg("pattern", { id: `${prefix}-lid`, ...units }, svg("path.mt-lidline", { d: "M0 0V9" }));
    const picture = svg("svg.mt-picture", { viewBox: `0 0 ${W} ${H}`, width: round(W * scale), height: round(H * scale) },
      svg("defs", markers, hatch), svg("g", { transform: "translate(10 10)" }, grounds, lines, names, cards, above));
    node.style.maxHeight = `${most}px`;
    node.replaceChildren(picture);
    node.classList.toggle("wide", node.scrollWidth > node.clientWidth + 2);
    node.classList.toggle("tall", node.scrollHeight > node.clientHeight + 2);
  }

  // A graph larger than its box follows what happens.
  function follow(focus) {
    const boxes = [...focus.keys()].map(id => placed.nodes[id]).filter(Boolean);
    if (!boxes.length || !(node.classList.contains("wide") || node.classList.contains("tall"))) return;
    const [x, y, w, h] = boxes[0];
    keepInView(node, { x: (x + 6) * zoom, y: (y + 6) * zoom, w: (w + 8) * zoom, h: (h + 8) * zoom });
  }

  return {
    node, build,
    update(n) {
      const step = scene.steps[n], now = { n, focus: focusOf(step), flow: new Map(list(step.flow)) };
      for (const draw of draws) draw(now);
      follow(now.focus);
    },
    // One dot runs along each active edge.  An animation leaves no trace in the document, so nothing has to be tidied up.
    run(n) {
      for (const [id, way] of list(scene.steps[n].flow)) {
        const ends = isBack(way) ? ["100%", "0%"] : ["0%", "100%"], dot = dots.get(id);
        if (dot) running.push(dot.animate({ offsetDistance: ends, opacity: [1, 1] }, { duration: 300, easing: "ease-in-out" }));
      }
    },
    still: () => running.splice(0).forEach(animation => animation.cancel()),
  };
}
