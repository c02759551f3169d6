// @ts-check
// The camera over the graph: how large it is drawn, which part of it is seen, and that what a step looks at is among it.
// Only boxes scroll, never the page.  A box names what it follows (data-follow); the graph's can be made larger and smaller as well.

import { hostWindow } from "./around.js";
import { signsPart } from "./signs.js";
import { dragged } from "./touch.js";
import { AIR, LEGIBLE, around, fitting, into, readable, uncut, within } from "./view.js";

const MOST = 4;                               // times its own size, by hand
const GLIDE = 260, NUDGE = 90;                // ms; px of an arrow key
const SAID = ".mt-rlabel, .mt-tag, .mt-chip:not(.off)";   // words that stand by themselves
const CLOSE = 56;                             // px to an edge of a box that follows: what is nearer is moved to its middle
const LOW = 720, LEAST = 150, GOOD = 180;     // px of a low window; that a graph has in it, a card with its edges; that matter more than the legend
const CODE = [180, 110];                      // px that code and formula have over knobs: before these go there, and once they are there

/** @typedef {import("./view.js").Part} Part */

/** How wide a graph's box is where no map stands beside it. @param {HTMLElement} shelf */
export function unmapped(shelf) {
  const tools = /** @type {HTMLElement} */ (shelf.querySelector(".mt-tools"));
  return shelf.clientWidth - tools.offsetWidth - parseFloat(getComputedStyle(shelf).columnGap);
}

/** How high the window is in which a player stands, of which it may want only so much. @param {HTMLElement} root the frame */
export function windowOf(root) {
  return Math.min("page" in root.dataset ? innerHeight : hostWindow(root), Number(root.parentElement?.dataset.most) || Infinity);
}

/** @param {HTMLElement} root the frame @param {() => boolean} still whether a reader wants no motion
 * @param {import("./touch.js").Listen} listen */
export function cameraPart(root, still, listen) {
  const find = (/** @type {string} */ what) => /** @type {any} */ (root.querySelector(what));
  const boxes = /** @type {HTMLElement[]} */ ([...root.querySelectorAll("[data-follow]")]), box = find(".mt-graph"), picture = find("svg.mt-picture");
  const terms = find(".mt-terms:not([aria-hidden])"), [map, plan, sight, lit] = ["svg.mt-map", ".mt-plan", ".mt-sight", ".mt-here"].map(find);
  let soon = 0, gliding = 0, chosen = 0, whole = false;                    // chosen by hand: 0 is "as it reads best"
  let goal = /** @type {[number, number, number] | null} */ (null), laid = "", said = "";
  const size = () => /** @type {[number, number]} */ (picture.getAttribute("viewBox").split(" ").slice(2).map(Number));
  const scale = () => Number(box.style.getPropertyValue("--scale")) || 1;
  const room = () => /** @type {[number, number]} */ ([box.clientWidth, box.clientHeight]);
  /** The view: its size, and where it begins. */
  const here = () => /** @type {[number, number, number]} */ ([scale(), box.scrollLeft, box.scrollTop]);
  /** What is in the middle of a view, in px of the picture. */
  const middle = (/** @type {[number, number, number]} */ [s, x, y]) => room().map((side, i) => ([x, y][i] + side / 2) / s);
  const shelf = find(".mt-room"), wide = () => unmapped(shelf);
  const base = () => (whole ? fitting(size(), room()) : chosen || readable(size(), [wide(), box.clientHeight]));

  /** The room that is left for the graph, and for all that stands in its row, so that all of a player is seen at once.
   * @param {boolean} [moved] whether the knobs have just changed their place
   * @returns {{ box: [number, number], most: number, other: number, aside: number }} */
  function space(moved = false) {
    const [work, left, right, knobs] = [".mt-work", ".mt-left", ".mt-right", ".mt-work > .mt-live"].map(find), high = windowOf(root);
    root.toggleAttribute("data-low", high < LOW);
    const beside = left.getBoundingClientRect().right <= right.getBoundingClientRect().left + 1;
    const turned = knobs ? knobs.offsetHeight + parseFloat(getComputedStyle(knobs).marginTop) : 0, rest = root.offsetHeight - work.offsetHeight, graphs = right.offsetHeight - box.offsetHeight;
    // knobs go under the code where the graph has no room else, if that leaves the code some; they are higher there, and stay all the same
    const was = root.hasAttribute("data-aside"), over = high - rest - turned;
    const aside = beside && turned > 0 && over - graphs < Math.min(GOOD, size()[1]) && over >= CODE[Number(was)] && (was || !moved);   // there and back once: many are too high there
    if (aside !== was) { root.toggleAttribute("data-aside", aside); return space(true); }
    const other = graphs + (aside ? 0 : turned), free = high - rest - other;
    const graph = Math.max(LEAST, free, Math.min(GOOD, free + (find(":scope > .mt-legend")?.offsetHeight || 0)));
    const under = high - /** @type {Part} */ (within(box, root)).t;   // what stands above it is seen as well, where that leaves enough
    return { box: [wide(), beside ? graph : Math.max(GOOD, 0.3 * high, Math.min(0.6 * high, under))], most: Math.max(LEAST, high - rest), other, aside: aside ? turned : 0 };
  }
  /** The box is as high as the picture needs at the size at which it is read, and no higher than there is room.  What stands already is
   * not written again: whoever writes has the browser lay out everything once more. */
  function measure() {
    if (picture && box.clientWidth) {
      const { box: [W, H], most, other, aside } = space(), [w, h] = size(), high = Math.min(H, h * readable([w, h], [W, H]));
      const tall = Math.ceil(Math.max(high, Math.min(H, LEAST))), left = find(".mt-left").style, work = `${Math.max(most, tall + other) - aside}px`;
      if (box.style.height !== `${tall}px`) box.style.height = `${tall}px`;
      if (left.getPropertyValue("--work") !== work) left.setProperty("--work", work);   // the code is as high as what stands beside it
      mapped();
      if (laid !== (laid = `${[w, h, ...room()]}`)) { cancelAnimationFrame(gliding); goal = null; put(base(), 0, 0); outline(plan, parts(".mt-card")); look(true); }   // another picture, or another box
    }
    boxes.forEach(edges);
  }
  /** @param {number} k @param {number} x @param {number} y */
  function put(k, x, y) {
    box.style.setProperty("--scale", String(Math.round(k * 1e4) / 1e4));
    box.scrollLeft = x;
    box.scrollTop = y;
    drawMap();
  }
  /** Glides to a size and a place. @param {number} k @param {number} x @param {number} y */
  function glide(k, x, y) {
    cancelAnimationFrame(gliding);
    const from = here(), began = performance.now(), to = goal = [k, x, y], [W, H] = room(), a = middle(from), b = middle(to);
    const time = still() || to.every((at, i) => Math.abs(at - from[i]) < (i ? 1 : 1e-3)) ? 0 : GLIDE;
    signs?.hide();
    const move = (/** @type {number} */ now) => {                           // the middle of the view goes straight to its new place
      const part = time ? Math.min(1, Math.max(0, (now - began) / time)) : 1, eased = part * part * (3 - 2 * part);
      if (part === 1) { put(k, x, y); return arrived(); }
      const s = from[0] + (k - from[0]) * eased, [cx, cy] = [0, 1].map(i => a[i] + (b[i] - a[i]) * eased);
      put(s, cx * s - W / 2, cy * s - H / 2);
      gliding = requestAnimationFrame(move);
    };
    move(began);
  }
  function arrived() { goal = null; edges(box); signs?.show(); }
  /** Which sides of a box hide something. @param {HTMLElement} one */
  function edges(one) {
    one.classList.toggle("wide", one.scrollWidth > one.clientWidth + 2);
    one.classList.toggle("tall", one.scrollHeight > one.clientHeight + 2);
  }

  const partOf = (/** @type {Element} */ node) => within(node, picture, scale()), parts = (/** @type {string} */ what) => [...picture.querySelectorAll(what)].map(partOf);
  const nodes = () => /** @type {Element[]} */ ([...picture.querySelectorAll(box.dataset.follow)]);
  /** The cards that a step looks at, and those that its sentence names besides. */
  const looked = () => [...new Set(nodes().map(node => node.closest(".mt-card") || node))], seen = () => looked().map(partOf);
  const named = () => (shelf.dataset.named || "").split(" ").map((/** @type {string} */ id) => picture.querySelector(`.mt-card[data-value="${id}"]`)).filter(Boolean);
  /** The card that was made last, or what is there where the first will be: what is seen at a step that looks at none. */
  const latest = () => {
    const made = (/** @type {HTMLElement} */ card) => Number(card.dataset.go);
    const cards = /** @type {HTMLElement[]} */ ([...picture.querySelectorAll(".mt-card[data-go]")]).filter(made).sort((a, b) => made(a) - made(b));
    const card = cards.findLast(one => !one.classList.contains("future")), first = cards[0] && partOf(cards[0]);
    if (card || !first) return card ? partOf(card) : null;
    const far = (/** @type {Part} */ part) => Math.abs(part.l - first.l) + Math.abs(part.t - first.t);
    const there = /** @type {Part[]} */ (parts(".mt-card:not(.future)").filter(Boolean));
    return there.sort((a, b) => far(a) - far(b))[0] || first;   // what is there already, next to it
  };
  /** The size at which a part is in view, with air around it. @param {Part | null | undefined} part */
  function largest(part, air = AIR) {
    const [w, h] = size(), [W, H] = room();
    return part ? Math.min(W / (Math.min(w, part.r + air) - Math.max(0, part.l - air)), H / (Math.min(h, part.b + air) - Math.max(0, part.t - air))) : 0;
  }
  /** The size at which all of a step is in view, and what of it is: no smaller than its words can be read. */
  function aim() {
    const now = base(), cards = seen(), news = [...cards, ...parts(".mt-chip.fresh")], also = [...news, ...named().map(partOf)], all = around([...also, ...parts(".mt-flow:not(.off)")]);
    const least = Math.min(now, whole ? 0 : chosen || LEGIBLE);
    const fit = (/** @type {Part | null} */ part, air = AIR) => Math.min(now, largest(part, air) + 1e-3);
    // all that moves; else the cards that are named, too; else the cards, edge to edge if need be, and as much of the rest as there is room for; else a row of one that is too large
    const some = also.reduce((/** @type {Part | null} */ part, card) => (card && fit(around([part, card])) >= least ? around([part, card]) : part), null);
    const faces = around(looked().map(card => partOf(card.querySelector(".mt-face") || card)));   // what is said beside a card is not what a step looks at
    const views = /** @type {[Part | null, number?][]} */ ([[all], [around(also)], fit(around(cards)) < least ? [faces, 1] : [some], [some]]);
    const found = views.find(view => fit(...view) >= least);
    return found ? { k: whole ? now : fit(...found), part: found[0], all } : { k: now, part: nodes().map(partOf).find(Boolean) || all, all };
  }
  /** A view of this size, near one with that in its middle, that has one part in it and as much of more as it can, and cuts few words.
   * @param {number} k @param {number[]} about @param {Part} at @param {Part} more */
  function towards(k, about, at, more) {
    const spans = (/** @type {Part} */ part) => /** @type {[number, number][]} */ ([[part.l * k, part.r * k], [part.t * k, part.b * k]]), whole = size().map(side => side * k), rooms = room();
    const [must, all] = [spans(at), spans(more)], view = about.map((mid, i) => into(mid * k - rooms[i] / 2, rooms[i], must[i], all[i], whole[i]));
    const words = parts(SAID).flatMap(part => part || []).map(spans);
    view.forEach((from, i) => { view[i] = uncut(from, rooms[i], all[i], words.filter(word => word[1 - i][1] > view[1 - i] && word[1 - i][0] < view[1 - i] + rooms[1 - i]).map(word => word[i]), whole[i]); });
    return /** @type {[number, number, number]} */ ([k, ...view]);
  }
  function look(jump = false) {
    const tall = terms?.getClientRects().length ? `${terms.getBoundingClientRect().height}px` : said;   // hidden: see signs.js
    if (tall !== said) find(".mt-formula").style.setProperty("--now", said = tall);   // the code has the rest
    for (const one of boxes) if (one !== box || !picture) { one.classList.remove("tall"); scroll(one); edges(one); uncover(one); }   // what sticks to an edge is measured where it stands
    if (!picture || !box.clientWidth) return;
    const { k, part, all } = aim(), about = middle(goal || here()), [x, y] = about;
    const at = part || latest() || { l: x, r: x, t: y, b: y }, to = towards(k, about, at, part && all || at);
    if (!jump) return glide(...to);
    put(...to);
    signs?.show();
  }
  /** @param {HTMLElement} one a box that follows without a size of its own */
  function scroll(one) {
    if (one.scrollWidth <= one.clientWidth + 2 && one.scrollHeight <= one.clientHeight + 2) return void (one.scrollTop = 0);
    const parts = (one.dataset.follow || "-").split(", ").flatMap(what => [...one.querySelectorAll(what)]).flatMap(each => within(each, one) || []);
    const [first] = parts, all = around(parts), { r: W, b: H } = /** @type {Part} */ (within(one, one));
    if (!all) return void (find(".mt-scrub")?.value == 0 && (one.scrollTop = 0));   // nothing has run yet
    const { t, b } = all.b - all.t <= H - 32 ? all : first;                // what it names first is seen in any case
    if (first.l < 24 || first.r > W - 24) one.scrollLeft += (first.l + first.r - W) / 2;
    if (t < CLOSE || b > H - CLOSE) one.scrollTop += (t + b - H) / 2;
  }
  /** Where the line that asked sticks to an edge, the one that is gone back through is seen whole, or from its first row on, and none beside is shown by half.
   * @param {HTMLElement} one */
  function uncover(one) {
    const [now, cause] = [".now", ".cause"].map(what => [...one.querySelectorAll(what)].map(each => within(each, one))[0]), H = one.clientHeight;
    if (!now || !cause) return;
    const last = now.t + now.b > H, edge = last ? now.t : now.b;
    one.scrollTop += Math.min(cause.t - (last ? 0 : edge), Math.max(0, cause.b - (last ? edge : H)));
    for (const line of one.querySelectorAll("li")) {
      const part = within(line, one);
      line.style.visibility = part && part.t < edge - 1 && part.b > edge + 1 ? "hidden" : "";
    }
  }
  /** In the next frame: asked in the middle of a step, the browser would lay out the page twice. */
  function follow() {
    cancelAnimationFrame(soon);
    soon = requestAnimationFrame(() => look());
  }

  // -- the small picture of it all
  /** Of a picture that is larger than its box stands a small one beside the box, in a column of its own: it covers nothing.  Whether it
   * does depends on no step, so none moves anything. */
  function mapped() {
    const [w, h] = size(), k = base(), out = !whole && (w * k > wide() + 2 || h * k > box.clientHeight + 2);
    shelf.toggleAttribute("data-map", out);
    map.toggleAttribute("hidden", !out);
  }
  function drawMap() {
    if (map.hasAttribute("hidden") || !box.clientWidth) return;   // hidden: see signs.js
    const [w, h] = size(), [W, H] = room(), s = scale(), l = Math.max(0, box.scrollLeft / s), t = Math.max(0, box.scrollTop / s);
    outline(sight, [{ l, t, r: l + Math.min(w, W / s), b: t + Math.min(h, H / s) }]);
    outline(lit, seen());   // each card for itself: one box around cards far from each other is around nearly everything
  }
  function outline(/** @type {Element} */ node, /** @type {(Part | null)[]} */ parts) {
    const told = parts.map(part => part && `M${Math.round(part.l)} ${Math.round(part.t)}h${Math.round(part.r - part.l)}v${Math.round(part.b - part.t)}h${Math.round(part.l - part.r)}z`).join("");
    if (node.getAttribute("d") !== told) node.setAttribute("d", told);
  }

  // -- hands
  /** Larger or smaller, about a point of the window. @param {number} by @param {number} [x] @param {number} [y] */
  function zoom(by, x, y) {
    if (!picture) return false;
    const b = box.getBoundingClientRect(), [px, py] = [(x ?? b.left + b.width / 2), (y ?? b.top + b.height / 2)], s = scale(), p = picture.getBoundingClientRect();
    const k = Math.min(MOST, Math.max(Math.min(fitting(size(), room()), 1), s * by));
    if (Math.abs(k - s) < 1e-4) return false;
    cancelAnimationFrame(gliding);
    [chosen, whole, goal] = [k, false, null];
    mapped();
    const [gx, gy] = [(px - p.left) / s, (py - p.top) / s];
    put(k, gx * k - (px - b.left), gy * k - (py - b.top));
    arrived();
    pressed();
    return true;
  }
  /** All of it, or as it reads best. */
  function fit() {
    if (!picture) return;
    [whole, chosen] = [!whole, 0];
    mapped();
    pressed();
    look();
  }
  function pressed() { find("[data-act=fit]")?.setAttribute("aria-pressed", String(whole)); }
  /** @param {KeyboardEvent} event whether it was the camera's */
  function key(event) {
    const way = /** @type {Record<string, number[]>} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] })[event.key];
    if (!picture || !event.shiftKey || !way || /** @type {Element} */ (event.target).closest?.("input, select")) return false;
    const [s, x, y] = here();
    glide(s, x + NUDGE * way[0], y + NUDGE * way[1]);
    return true;
  }
  /** Glides to cards: to all of them where there is room, else to the first. @param {Element[]} cards */
  function reveal(cards) {
    const k = scale(), all = around(cards.map(partOf)), part = /** @type {Part} */ (largest(all) >= k ? all : partOf(cards[0]));
    glide(...towards(k, middle(here()), part, part));
  }
  const spoken = () => [...looked(), ...named()], signs = picture && signsPart(find(".mt-signs"), box, spoken, reveal);
  let held = /** @type {number[] | null} */ (null), apart = 0, moved = false;
  if (picture) {
    listen(box, "wheel", event => {
      if (!event.ctrlKey && !event.metaKey && !box.contains(document.activeElement)) return;   // else the page scrolls
      if (zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : event.ctrlKey ? 0.01 : 0.002)), event.clientX, event.clientY) || event.ctrlKey) event.preventDefault();
    }, { passive: false });
    listen(box, "pointerdown", event => {
      moved = false;
      if (event.button === 0 && event.pointerType !== "touch") held = [event.clientX, event.clientY, box.scrollLeft, box.scrollTop];
    });
    listen(window, "pointermove", event => {
      if (!held || !moved && Math.hypot(event.clientX - held[0], event.clientY - held[1]) < 5) return;
      cancelAnimationFrame(gliding);
      [moved, goal] = [true, null];
      box.classList.add("held");
      put(scale(), held[2] + held[0] - event.clientX, held[3] + held[1] - event.clientY);
    });
    for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) listen(window, end, () => {
      held = null; box.classList.remove("held");
    });
    listen(box, "click", event => { if (moved) event.stopPropagation(); moved = false; });   // a drag is no click
    const spread = (/** @type {TouchList} */ [a, b]) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
    listen(box, "touchstart", event => { if (event.touches.length === 2) apart = spread(event.touches); }, { passive: true });
    listen(box, "touchmove", event => {
      if (event.touches.length !== 2) return;
      const [a, b] = event.touches, now = spread(event.touches);
      zoom(now / apart, (a.clientX + b.clientX) / 2, (a.clientY + b.clientY) / 2);
      apart = now;
      event.preventDefault();
    }, { passive: false });
    listen(box, "scroll", () => { if (!goal) { drawMap(); signs?.show(); } }, { passive: true });
    dragged(listen, map, event => {
      cancelAnimationFrame(gliding);
      goal = null;
      const m = map.getBoundingClientRect(), [w, h] = size(), [W, H] = room(), s = scale();
      put(s, ((event.clientX - m.left) / m.width) * w * s - W / 2, ((event.clientY - m.top) / m.height) * h * s - H / 2);
    });
  }

  /** One dot runs along each active edge.  An animation leaves no trace in the document, so nothing has to be tidied up. */
  function run() {
    if (still()) return;
    requestAnimationFrame(() => {
      const dots = [...root.querySelectorAll("[data-dot]")];
      for (const path of [...root.querySelectorAll(".mt-flow:not(.off)")].slice(0, dots.length)) {
        const line = `path("${path.getAttribute("d")}")`, hue = getComputedStyle(path).stroke, back = path.classList.contains("back");
        const along = { offsetPath: [line, line], offsetDistance: back ? ["100%", "0%"] : ["0%", "100%"], visibility: ["visible", "visible"], fill: [hue, hue] };
        dots.shift()?.animate(along, { duration: 300, easing: "ease-in-out" });
      }
    });
  }
  return { measure, follow, run, key, zoom, fit, next: () => signs?.next(), space: () => (picture && box.clientWidth ? space().box : null), destroy: () => { cancelAnimationFrame(soon); cancelAnimationFrame(gliding); } };
}
