/** The rooms, in the order in which a visitor meets them. */
import type { Room } from "../room";
import { contexts } from "./contexts";
import { lazy } from "./lazy";
import { modes } from "./modes";
import { points } from "./points";
import { race } from "./race";

export const rooms: readonly Room[] = [race, modes, lazy, contexts, points] as Room[];
