/** The network of the story: eight living things, two layers, random weights; predicted from these weights and then trained. */

import { DeepLinear, gaussian, strengths } from "../learn/linear";
import { normal } from "../learn/random";
import { type Matrix, multiply, multiplyLeft, scale, transpose } from "../theory/matrix";
import { grow } from "../theory/modes";
import { modesOf, STRUCTURES } from "../theory/structures";

const structure = STRUCTURES[0]!;
const task = modesOf(structure);
const MODES = task.s.length;
const ITEMS = structure.items.length;
const HIDDEN = 64;
/** Step of gradient descent; the fastest stable one is above 2. */
export const RATE = 0.04;
/** Steps from one look at the network to the next: what is measured must not depend on how fast a screen is. */
const LOOK = 3;
/** The time axis of the story, long enough for its slowest network. */
export const END = 65;
const SAMPLES = 261;

export const THINGS = structure.items;
/** What parts at each level of the tree, broad to fine. */
export const LEVELS = ["animals | plants", "birds | fish, trees | flowers", "canary | robin, and so on"] as const;
/** The level of each mode; the first mode is what all things share. */
const LEVEL = [0, 1, 2, 2, 3, 3, 3, 3];
export const TIMES: readonly number[] = Array.from({ length: SAMPLES }, (_, i) => (END * i) / (SAMPLES - 1));

/** The branch points: what parts there, at which level, and which things it holds. */
export const SPLITS: readonly { mode: number; level: number; name: string; things: readonly number[] }[] = LEVEL.map(
  (level, mode) => ({
    mode,
    level,
    name: structure.modes![mode]!,
    things: THINGS.map((_, i) => i).filter((i) => Math.abs(task.right.data[i * MODES + mode]!) > 1e-6),
  }),
).filter(({ level }) => level > 0);

/** How far a mode moves its things apart on the tree of height 1, per unit of answer. */
const REACH = LEVEL.map((level, k) => {
  const entries = Array.from({ length: ITEMS }, (_, i) => Math.abs(task.right.data[i * MODES + k]!));
  return level === 0 ? 0 : 2 ** -(level + 1) / (task.targets[k]! * Math.max(...entries));
});

/** Places of the things on the tree from their answers along each mode (modes × things). */
function placesOf(along: (k: number, i: number) => number): number[] {
  return Array.from({ length: ITEMS }, (_, i) => REACH.reduce((place, reach, k) => place - reach * along(k, i), 0.5));
}

/** Places if each level is half learned at the given times: what a visitor draws. */
export function drawnPlaces(halves: readonly number[], t: number): number[] {
  const share = (k: number): number => 1 / (1 + Math.exp(-2 * task.s[k]! * (t - halves[LEVEL[k]! - 1]!)));
  return placesOf((k, i) => (LEVEL[k] ? share(k) * task.targets[k]! * task.right.data[i * MODES + k]! : 0));
}

/** A belief: a thing and a property, by their indices. */
export interface Belief {
  readonly thing: number;
  readonly property: number;
  readonly words: string;
}
const beliefOf = (thing: string, property: string, words: string): Belief => ({
  thing: structure.items.indexOf(thing),
  property: structure.properties.indexOf(property),
  words,
});
/** One false belief for each level of the tree. */
export const BELIEFS: readonly Belief[] = [
  beliefOf("canary", "roots", "canaries have roots"),
  beliefOf("canary", "swim", "canaries swim"),
  beliefOf("robin", "sing", "robins sing"),
];

export interface Peak {
  readonly time: number;
  readonly height: number;
  /** When half of it has come, and when half of it is gone again. */
  readonly from: number;
  readonly gone: number;
}

/** The highest point of a belief and the time at which half of it is gone. */
export function peakOf(times: readonly number[], values: readonly number[]): Peak {
  const top = values.reduce((best, value, i) => (value > values[best]! ? i : best), 0);
  const half = values[top]! / 2;
  const after = values.findIndex((value, i) => i > top && value < half);
  const share = (values[after - 1]! - half) / (values[after - 1]! - values[after]!);
  return {
    time: times[top]!,
    height: values[top]!,
    from: times[values.findIndex((value) => value >= half)]!,
    gone: after < 0 ? Number.NaN : times[after - 1]! + share * (times[after]! - times[after - 1]!),
  };
}

/** What the network answers at a time: places of the things on the tree, and how far it holds each of `BELIEFS`. */
export interface Seen {
  readonly time: number;
  readonly places: readonly number[];
  readonly beliefs: readonly number[];
}

/** A network with its own seed: what is predicted from its first weights, and the training that follows. */
export class Fresh {
  /** Predicted strengths of the modes at `TIMES`. */
  readonly predicted: readonly (readonly number[])[];
  /** Predicted times at which each mode, and each level of the tree, is half learned. */
  readonly halves: readonly number[];
  readonly sealed: readonly number[];
  /** What the network has answered so far. */
  readonly seen: Seen[] = [];
  time = 0;
  private steps = 0;
  private readonly network: DeepLinear;
  private readonly crossed: number[] = new Array<number>(MODES).fill(Number.NaN);
  private before: readonly number[];

  /** `start`: the strength from which a mode grows on average. */
  constructor(
    readonly seed: number,
    readonly start: number,
  ) {
    const draw = normal(seed);
    const std = Math.sqrt((2 * start) / HIDDEN);
    const weights = [
      gaussian(HIDDEN, ITEMS, std, draw),
      gaussian(structure.properties.length, HIDDEN, std, draw),
    ] as const;
    const parts = partsOf(weights[0], weights[1]);
    const strength = (k: number, t: number): number => {
      const [growing, decaying] = grow(t, { s: task.s[k]!, d: task.d }, ...parts[k]!);
      return growing - decaying;
    };
    this.predicted = task.groups.flat().map((k) => TIMES.map((t) => strength(k, t)));
    this.halves = task.groups.flat().map((k) => crossing((t) => strength(k, t) - task.targets[k]! / 2));
    this.sealed = levelsOf(this.halves);
    this.network = new DeepLinear(weights, scale(transpose(structure.y), 1 / ITEMS), task.d);
    this.before = strengths(this.network.map, task.left, task.right);
  }

  get done(): boolean {
    return this.time >= END;
  }

  /** One step of gradient descent. */
  step(): void {
    this.network.step(RATE);
    const now = strengths(this.network.map, task.left, task.right);
    now.forEach((value, k) => {
      const [half, old] = [task.targets[k]! / 2, this.before[k]!];
      if (Number.isNaN(this.crossed[k]!) && value >= half)
        this.crossed[k] = this.time + (RATE * (half - old)) / (value - old);
    });
    this.before = now;
    this.steps++;
    this.time = this.steps * RATE;
    if (this.steps % LOOK && !this.done) return;
    this.seen.push({ time: this.time, places: this.places(), beliefs: BELIEFS.map((belief) => this.believes(belief)) });
  }

  /** The network's belief so far. */
  peak(belief: Belief): Peak {
    const index = BELIEFS.indexOf(belief);
    return peakOf([0, ...this.seen.map(({ time }) => time)], [0, ...this.seen.map(({ beliefs }) => beliefs[index]!)]);
  }

  /** Times at which the levels were half learned by the network, where that has happened. */
  get measured(): number[] {
    return levelsOf(this.crossed);
  }

  /** Where the network's answers put the things on the tree. */
  private places(): number[] {
    const along = multiplyLeft(task.left, this.network.map);
    return placesOf((k, i) => along.data[k * ITEMS + i]!);
  }

  /** Where the prediction puts them at a sample of `TIMES`. */
  predictedPlaces(sample: number): number[] {
    return placesOf((k, i) => this.predicted[k]![sample]! * task.right.data[i * MODES + k]!);
  }

  /** How far the network holds a belief, from 0 to 1. */
  believes({ thing, property }: Belief): number {
    return this.network.map.data[property * ITEMS + thing]!;
  }

  predictedBelief({ thing, property }: Belief): number[] {
    return TIMES.map((_, t) =>
      this.predicted.reduce(
        (sum, curve, k) =>
          sum + task.left.data[property * MODES + k]! * curve[t]! * task.right.data[thing * MODES + k]!,
        0,
      ),
    );
  }
}

/** ‖W₁v + W₂ᵀu‖²/4 and ‖W₁v − W₂ᵀu‖²/4 of each mode: what grows and what decays in it. */
function partsOf(first: Matrix, second: Matrix): [number, number][] {
  const [reads, writes] = [multiply(first, task.right), multiplyLeft(second, task.left)];
  return Array.from({ length: MODES }, (_, k) => {
    let [growing, decaying] = [0, 0];
    for (let h = 0; h < HIDDEN; h++) {
      const [p, q] = [reads.data[h * MODES + k]!, writes.data[h * MODES + k]!];
      growing += (p + q) ** 2 / 4;
      decaying += (p - q) ** 2 / 4;
    }
    return [growing, decaying];
  });
}

/** Where a rising function crosses zero within the axis. */
function crossing(rising: (t: number) => number): number {
  let [low, high] = [0, END];
  for (let i = 0; i < 50; i++) {
    const middle = (low + high) / 2;
    if (rising(middle) < 0) low = middle;
    else high = middle;
  }
  return high;
}

/** The mean over the modes of each level. */
function levelsOf(values: readonly number[]): number[] {
  return LEVELS.map((_, level) => {
    const own = values.filter((__, k) => LEVEL[k] === level + 1);
    return own.reduce((sum, value) => sum + value, 0) / own.length;
  });
}
