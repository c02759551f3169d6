// @ts-check
// What is saved with a notebook: the state of its widgets, so that it can be opened again, and stepped, with no kernel.

const STATE = "application/vnd.jupyter.widget-state+json", KEEPS = Symbol.for("minitape.keeps");

/** From now on the notebook that shows a widget is saved as JupyterLab's "Save Widget State Automatically" would.  JupyterLab and
 * Notebook 7 let a widget reach its notebook; elsewhere this does nothing.
 * @param {any} model */
export function keep(model) {
  const manager = model.widget_manager, notebook = manager?.context;
  if (!notebook?.saveState?.connect || !notebook.model?.setMetadata || manager[KEEPS]) return;
  manager[KEEPS] = true;
  notebook.saveState.connect((/** @type {any} */ _, /** @type {string} */ now) => {
    if (now === "started") notebook.model.setMetadata("widgets", { [STATE]: manager.get_state_sync({ drop_defaults: true }) });
  });
}
