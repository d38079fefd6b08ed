/** Trains the two-layer network of the rich-and-lazy topic. */

import { DeepLinear } from "../learn/linear";
import { kernelDistance, solveBalanced } from "../theory/balanced";
import { type Matrix, multiplyLeft, multiplyRight } from "../theory/matrix";
import type { State } from "../topic";
import { HIDDEN, RANGE, STRENGTHS, settingOf } from "./lazy_setting";

/** Steps after which training stops; it is then at the end of the axis, or λ is so large that all has been seen. */
const STEPS = 400_000;
/** Multiplications between two reports, some 30 ms of work. */
const WORK = 1.5e6;

export interface Trained {
  readonly times: number[];
  readonly loss: number[];
  readonly moved: number[];
  readonly strengths: number[][];
  /** The prediction at these times. */
  readonly expected: number[];
  readonly rate: number;
}

export function* run(state: State): Generator<Trained, void, void> {
  const { problem } = settingOf(state);
  const { first, second, cross } = problem;
  const path = solveBalanced(problem);
  const network = new DeepLinear([first, second], cross, 1);
  const norm = (w: Matrix): number => Math.sqrt(w.data.reduce((sum, value) => sum + value * value, 0));
  // the kernel's largest eigenvalue is at most ‖W1‖² + ‖W2‖², now or once the task is learned
  const rate =
    0.05 /
    Math.max(
      norm(first) ** 2 + norm(second) ** 2,
      2 * STRENGTHS.length * Math.hypot(STRENGTHS[0]!, problem.lambda / 2),
    );
  const steps = Math.min(Math.ceil(RANGE[1] / rate), STEPS);
  const begin = { r: multiplyLeft(first, first), a: multiplyRight(second, second) };
  const found: Trained = { times: [], loss: [], moved: [], strengths: STRENGTHS.map(() => []), expected: [], rate };
  const record = (step: number): void => {
    const [w1, w2] = network.weights as [Matrix, Matrix];
    found.times.push(step * rate);
    found.loss.push(network.loss);
    found.expected.push(path([step * rate]).loss[0]!);
    found.moved.push(kernelDistance(begin.r, begin.a, multiplyLeft(w1, w1), multiplyRight(w2, w2)));
    STRENGTHS.forEach((_, k) => found.strengths[k]!.push(network.map.data[k * network.map.columns + k]!));
  };
  let [next, work] = [0, 0];
  for (let step = 0; step <= steps; step++) {
    if (step >= next || step === steps) {
      record(step);
      next = Math.max(step + 1, Math.round(step * 1.05));
    }
    if (step < steps) network.step(rate);
    work += 12 * cross.data.length * HIDDEN;
    if (work > WORK) {
      work = 0;
      yield { ...found };
    }
  }
  yield { ...found };
}
