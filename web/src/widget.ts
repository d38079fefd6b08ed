/** A topic in a notebook: the settings are the model's traits, so that Python can set and read them. */
import uplotStyle from "uplot/dist/uPlot.min.css?inline";
import { lookOf, TopicView } from "./app";
import { element } from "./chart";
import { complete, controlsOf } from "./state";
import style from "./style.css?inline";
import type { State, Value } from "./topic";
import { topics } from "./topics";

/** What anywidget gives: the traits of the Python object. */
interface Model {
  get: (name: string) => unknown;
  set: (name: string, value: unknown) => void;
  save_changes: () => void;
  on: (event: string, callback: () => void) => void;
  off: (event: string, callback: () => void) => void;
}

function render({ model, el }: { model: Model; el: HTMLElement }): () => void {
  const topic = topics.find(({ id }) => id === model.get("topic"));
  if (!topic) throw new Error(`there is no topic ${String(model.get("topic"))}`);
  const root = element("div", { class: "festina notebook" });
  el.append(element("style", {}, uplotStyle, style), root);
  const ids = controlsOf(topic, {})
    .filter((control) => control.kind !== "button")
    .map((control) => control.id);
  const wanted = () => complete(topic, Object.fromEntries(ids.map((id) => [id, model.get(id) as Value]))).state;
  const send = (state: State) => {
    for (const id of ids) if (JSON.stringify(model.get(id)) !== JSON.stringify(state[id])) model.set(id, state[id]);
    model.save_changes();
  };
  const view = new TopicView(
    topic,
    wanted(),
    lookOf(root),
    {
      changed: send,
      switched: (on) => {
        model.set("train", on);
        model.save_changes();
      },
      drawn: ({ numbers }) => {
        const finite = Object.fromEntries(
          Object.entries(numbers).map(([id, value]) => [id, Number.isFinite(value) ? value : null]),
        );
        if (JSON.stringify(model.get("numbers")) === JSON.stringify(finite)) return;
        model.set("numbers", finite);
        model.save_changes();
      },
    },
    Boolean(model.get("train")),
  );
  root.append(view.root);
  const listen = () => {
    const state = wanted();
    view.set(state);
    // what does not fit goes back to Python as the value that is shown
    send(state);
  };
  const train = () => view.train(Boolean(model.get("train")));
  for (const id of ids) model.on(`change:${id}`, listen);
  model.on("change:train", train);
  // drawn once more now that the element has a width
  const frame = requestAnimationFrame(() => view.restyle(lookOf(root)));
  return () => {
    cancelAnimationFrame(frame);
    for (const id of ids) model.off(`change:${id}`, listen);
    model.off("change:train", train);
    view.close();
  };
}

export default { render };
