/** Trains a topic's networks beside the page. */
import type { State } from "./topic";
import { topics } from "./topics";

self.addEventListener("message", (event: MessageEvent<{ id: string; state: State }>) => {
  const topic = topics.find(({ id }) => id === event.data.id);
  for (const snapshot of topic?.live?.run(event.data.state) ?? []) self.postMessage({ snapshot });
  self.postMessage({ done: true });
});
