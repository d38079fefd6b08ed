/** Trains a room's networks beside the page. */
import type { State } from "./room";
import { rooms } from "./rooms";

self.addEventListener("message", (event: MessageEvent<{ id: string; state: State }>) => {
  const room = rooms.find(({ id }) => id === event.data.id);
  for (const snapshot of room?.live?.run(event.data.state) ?? []) self.postMessage({ snapshot });
  self.postMessage({ done: true });
});
