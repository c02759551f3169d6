// @ts-check
// What a widget's model and its player tell each other.

/** Tells the model, and so the kernel, at once; nothing that it knows already, or that came from there.
 * @param {any} model @returns {(name: string, value: any) => void} */
export const telling = model => (name, value) => {
  if (model.get(name) === value) return;
  model.set(name, value);
  model.save_changes();
};

/** Has the player that is seen stand and look as the model says, and does besides what is to be done at other changes.
 * @param {any} model @param {() => any} playing the player @param {Record<string, () => void>} acts by what changes
 * @returns {() => void} what ends it */
export function following(model, playing, acts) {
  const asked = (/** @type {string} */ name) => () => playing()[name](model.get(name));
  const step = () => {
    if (model.get("step") !== playing().step()) playing().go(model.get("step"));
  };
  const all = Object.entries({ ...acts, step, view: asked("view"), theme: asked("theme"), predict: asked("predict") });
  for (const [name, act] of all) model.on(`change:${name}`, act);
  return () => { for (const [name, act] of all) model.off(`change:${name}`, act); };
}
