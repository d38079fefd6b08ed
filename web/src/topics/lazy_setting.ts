/** What the rich-and-lazy topic computes: a task, λ-balanced initial weights that are unrelated to it, and the resulting regime. */

import { balancedWeights, type Path, solveBalanced } from "../theory/balanced";
import { type Matrix, scale, zeros } from "../theory/matrix";
import type { Problem } from "../theory/riccati";
import { numberOf, type State, wordOf } from "../topic";

/** Singular values of the task, strongest first. */
export const STRENGTHS = [1, 0.5, 0.25];
/**
 * Singular values of the initial map, relative to its scale: distinct, with root mean square one. The sign gives its
 * determinant the sign of the task's: otherwise a balanced square network ends on a saddle.
 */
const SPREAD = [-1.6, 0.6, Math.sqrt(3 - 1.6 ** 2 - 0.6 ** 2)];
export const HIDDEN = 3;
/** Times, evenly spaced in their logarithm, at which the library evaluates a network to name its regime. */
const GRID = 400;
/** Kernel distance below which learning counts as lazy: the library's threshold. */
export const LAZY = 0.1;
export const RANGE = [1e-2, 1e3] as const;
export const SHAPES: Record<string, { readonly inputs: number; readonly outputs: number; readonly label: string }> = {
  square: { inputs: 3, outputs: 3, label: "square (3–3–3)" },
  funnel: { inputs: 6, outputs: 3, label: "funnel (6–3–3)" },
  fan: { inputs: 3, outputs: 6, label: "fan (3–3–6)" },
};

export interface Setting {
  readonly problem: Problem;
  readonly lambda: number;
  readonly scale: number;
  /** Initial end-to-end map, with scale one. */
  readonly map: Matrix;
  readonly times: number[];
}

/** Orthonormal cosine waves, one per column. */
function waves(size: number): Matrix {
  const made = zeros(size, size);
  for (let i = 0; i < size; i++) {
    for (let k = 0; k < size; k++)
      made.data[i * size + k] = Math.sqrt((k ? 2 : 1) / size) * Math.cos((Math.PI * (i + 0.5) * k) / size);
  }
  return made;
}

/** A map unrelated to the task's modes, which are the axes: cosine waves, in different orders at both ends. */
function startMap(inputs: number, outputs: number): Matrix {
  const [left, right] = [waves(outputs), waves(inputs)];
  const made = zeros(outputs, inputs);
  SPREAD.forEach((value, k) => {
    const [a, b] = [k, inputs - 1 - ((k + 1) % HIDDEN)];
    for (let o = 0; o < outputs; o++) {
      for (let i = 0; i < inputs; i++)
        made.data[o * inputs + i]! += value * left.data[o * outputs + a]! * right.data[i * inputs + b]!;
    }
  });
  return made;
}

export function settingOf(state: State): Setting {
  const { inputs, outputs } = SHAPES[wordOf(state, "shape")] ?? SHAPES.square!;
  const [lambda, size] = [numberOf(state, "lambda"), numberOf(state, "scale")];
  const cross = zeros(outputs, inputs);
  STRENGTHS.forEach((value, k) => (cross.data[k * inputs + k] = value));
  const map = startMap(inputs, outputs);
  const { first, second } = balancedWeights(scale(map, size), HIDDEN, lambda);
  // from well before the fastest eigenvalue acts to well after the slowest one, as `network.regime(task)` does
  const [strong, weak] = [STRENGTHS[0]!, STRENGTHS[STRENGTHS.length - 1]!];
  const begin = Math.log(1e-3 / Math.hypot(strong, lambda / 2));
  const end = Math.log((1e3 * Math.hypot(weak, lambda / 2)) / weak ** 2);
  const times = [0, ...Array.from({ length: GRID }, (_, i) => Math.exp(begin + ((end - begin) * i) / (GRID - 1)))];
  return { problem: { first, second, cross, curvature: 1, lambda }, lambda, scale: size, map, times };
}

export interface Regime {
  readonly name: "lazy" | "rich" | "delayed rich";
  readonly distance: number;
  readonly imbalance: number;
  readonly delay: number;
  readonly lazyShare: number;
}

/** As `network.regime(task)`. Source: domine2025 (rich and lazy). */
function regimeOf({ lambda, times }: Setting, { loss, kernelDistance: moved }: Path): Regime {
  const distance = Math.max(...moved);
  const imbalance = Math.abs(lambda) / (2 * STRENGTHS[0]!);
  const half = moved.findIndex((value) => value >= distance / 2);
  const tenth = moved.findIndex((value) => value >= distance / 10);
  const last = loss[loss.length - 1]!;
  return {
    name: distance < LAZY ? "lazy" : imbalance <= 1 ? "rich" : "delayed rich",
    distance,
    imbalance,
    delay: times[half]!,
    lazyShare: loss[0]! > last ? (loss[0]! - loss[tenth]!) / (loss[0]! - last) : 0,
  };
}

/** Time at which the loss has lost a share of what it will lose: bracketed on the grid, then by the closed form itself. */
function timeToLose(
  path: (times: readonly number[]) => Path,
  times: readonly number[],
  loss: readonly number[],
  share: number,
): number {
  const goal = loss[0]! + share * (loss[loss.length - 1]! - loss[0]!);
  const at = loss.findIndex((value) => value <= goal);
  if (at <= 0) return 0;
  let [low, high] = [times[at - 1]!, times[at]!];
  let [above, below] = [loss[at - 1]! - goal, loss[at]! - goal];
  for (let i = 0; i < 40 && high - low > 1e-13 * high; i++) {
    // the chord, kept a little inside so that both ends move
    const chord = low + ((high - low) * above) / (above - below);
    const inside = 1e-9 * (high - low) + 1e-14 * high;
    const middle =
      i % 4 === 3
        ? 0.5 * (low + high)
        : Math.min(Math.max(chord + (i % 2 ? inside : -inside), low + inside), high - inside);
    const miss = path([middle]).loss[0]! - goal;
    if (miss <= 0) [high, below] = [middle, miss];
    else [low, above] = [middle, miss];
  }
  return 0.5 * (low + high);
}

export interface Solution {
  readonly setting: Setting;
  readonly path: (times: readonly number[]) => Path;
  readonly found: Path;
  readonly regime: Regime;
  readonly wait: number;
}

export const keyOf = (state: State): string => ["lambda", "scale", "shape"].map((id) => state[id]).join(" ");

let kept: { readonly key: string; readonly solution: Solution } | undefined;

/** The solution at a state; the last one is kept, because moving the moment changes nothing of it. */
export function solutionOf(state: State): Solution {
  const key = keyOf(state);
  if (kept?.key !== key) {
    const setting = settingOf(state);
    const path = solveBalanced(setting.problem);
    const found = path(setting.times);
    const [early, late] = [0.1, 0.9].map((share) => timeToLose(path, setting.times, found.loss, share)) as [
      number,
      number,
    ];
    kept = { key, solution: { setting, path, found, regime: regimeOf(setting, found), wait: early / late } };
  }
  return kept.solution;
}
