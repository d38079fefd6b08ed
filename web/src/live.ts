/** Runs a topic's training in a worker, or in slices between repaints where a worker cannot be had. */
import type { State, Topic } from "./topic";
import TrainWorker from "./worker?worker&inline";

/** Starts training; `emit` gets what there is to see, `done` is called when training has ended by itself. Gives a way to stop. */
export function train(topic: Topic, state: State, emit: (snapshot: unknown) => void, done: () => void): () => void {
  let stop = () => {};
  const slice = () => {
    const steps = topic.live!.run(state);
    let stopped = false;
    stop = () => {
      stopped = true;
    };
    const next = () => {
      if (stopped) return;
      const { value, done: ended } = steps.next();
      if (ended) return done();
      emit(value);
      setTimeout(next);
    };
    setTimeout(next);
  };
  try {
    const worker = new TrainWorker();
    stop = () => worker.terminate();
    worker.addEventListener("message", ({ data }: MessageEvent<{ snapshot: unknown } | { done: true }>) =>
      "done" in data ? done() : emit(data.snapshot),
    );
    worker.addEventListener(
      "error",
      (event) => {
        event.preventDefault();
        worker.terminate();
        slice();
      },
      { once: true },
    );
    worker.postMessage({ id: topic.id, state });
  } catch {
    slice();
  }
  return () => stop();
}
