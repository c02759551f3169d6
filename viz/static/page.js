// An exported page: the player with an address of its own, and the folds of a long run that the page can open by itself.

import { mount } from "./player.js";
import { list } from "./tools.js";

/**
 * Draw the page's scene.  `opened` has by a fold's id the scene in which it is open: one at a time, since a page has no kernel
 * that could tell more of the run.  options: as of `mount`.  Returns the player.
 */
export function mountPage(root, scene, opened, options = {}) {
  const asked = new URLSearchParams(location.hash.slice(1)).get("open");
  const groupOf = id => list(scene.groups).find(one => one.id === id);
  let player = null, now = "";
  function show(id, more) {
    player?.destroy();
    now = opened[id] ? id : "";
    player = mount(root, now ? opened[now] : scene, {
      ...options, ...more, page: true, open: now ? [now] : [], opens: one => Boolean(opened[one]), onopen: ids => turn(ids.at(-1) || ""),
    });
  }
  // The step stays where it was: at a fold's beginning when it is opened, at the fold when it is closed.
  function turn(id, step) {
    const at = groupOf(id || now)?.from ?? 0, view = player.seen();
    show(id, { ...view, step: step ?? at, fresh: true });
  }
  show(asked || "", {});
  addEventListener("hashchange", () => {
    const said = new URLSearchParams(location.hash.slice(1)), id = said.get("open") || "";
    if (id !== now && (!id || opened[id])) turn(id, /^\d{1,9}$/.test(said.get("step") || "") ? Number(said.get("step")) : undefined);
  });
  return player;
}
