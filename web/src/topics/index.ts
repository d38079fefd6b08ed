/** The topics, in the order in which a visitor meets them. */
import type { Topic } from "../topic";
import { addition } from "./addition";
import { contexts } from "./contexts";
import { inContext } from "./in_context";
import { lazy } from "./lazy";
import { modes } from "./modes";
import { points } from "./points";
import { race } from "./race";
import { yourData } from "./your_data";

export const topics: readonly Topic[] = [
  ...[modes, lazy, race, contexts, points, inContext, addition, yourData],
] as Topic[];
