// anywidget's entry: the player, its state kept in the model.

import { mount } from "./player.js";

/** anywidget's entry: the same player, its step kept in the model (a moment later, so that a drag is one message). */
function render({ model, el }) {
  const root = document.createElement("div");
  el.append(root);
  let player = null, waiting = null;
  const send = (name, value) => {
    if (model.get(name) === value) return;                                // it came from there
    model.set(name, value);
    clearTimeout(waiting);
    waiting = setTimeout(() => model.save_changes(), 150);
  };
  const begin = () => {
    player?.destroy();
    player = mount(root, model.get("scene"), {
      step: model.get("step"), view: model.get("view"), theme: model.get("theme"), predict: model.get("predict"),
      onstep: n => send("step", n), onview: view => send("view", view),
      open: model.get("opened"), onopen: ids => send("opened", ids), onpredict: on => send("predict", on),
    });
  };
  const changes = {
    "change:scene": begin,
    "change:step": () => { if (model.get("step") !== player.step()) player.go(model.get("step")); },
    "change:view": () => player.view(model.get("view")),
    "change:theme": () => player.theme(model.get("theme")),
    "change:predict": () => player.predict(model.get("predict")),
  };
  begin();
  for (const [name, act] of Object.entries(changes)) model.on(name, act);
  return () => {
    clearTimeout(waiting);
    for (const [name, act] of Object.entries(changes)) model.off(name, act);
    player.destroy();
    root.remove();
  };
}

export default { render };
