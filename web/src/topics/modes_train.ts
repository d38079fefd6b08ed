/** Trains the deep linear network of the modes topic. */

import { chained, DeepLinear, frame, gaussian, strengths } from "../learn/linear";
import { normal } from "../learn/random";
import { type Matrix, scale, toRows, transpose } from "../theory/matrix";
import { bestRate } from "../theory/modes";
import { rotated } from "../theory/scaling";
import { type State, wordOf } from "../topic";
import { draw, exponent, lossOf, modeOf, representation, settingOf, type Task, theoryOf } from "./modes_setting";

/** Samples of a training run. */
const RECORDS = 160;
/** Above this number of steps the rate is raised, up to half of the largest stable one, so that visitors do not wait. */
const STEPS = 40_000;
/** Multiplications between two reports, some 30 ms of work. */
const WORK = 6e6;

export interface Trained {
  readonly times: number[];
  readonly loss: number[];
  /** One row per mode. */
  readonly strengths: number[][];
  /** Representations on the theory's map: samples × items × 2. */
  readonly places: [number, number][][];
  /** Answers of the network: samples × items × properties. */
  readonly answers: number[][][];
  /** The prediction at these times. */
  readonly expected: number[];
  readonly rate: number;
}

export function* run(state: State): Generator<Trained, void, void> {
  const setting = settingOf(state);
  const { task, depth, start, end } = setting;
  if (depth === Infinity) return;
  const [items, outputs, hidden] = [task.right.rows, task.left.rows, task.right.columns + 2];
  const draw_ = normal(7);
  const random = wordOf(state, "weights") === "random";
  const weights = startWeights(task, depth, hidden, start, random, draw_);
  const cross = scale(transpose(task.structure.y), 1 / items);
  const network = new DeepLinear(weights, cross, task.d);
  const best = bestRate(modeOf(task, 0), depth);
  const rate = Math.min(Math.max(0.1 * best, end / STEPS), 0.5 * best, end / 600);
  const steps = Math.ceil(end / rate);
  const found: Trained = {
    times: [],
    loss: [],
    strengths: Array.from({ length: task.s.length }, () => []),
    places: [],
    answers: [],
    expected: [],
    rate,
  };
  const record = (step: number): void => {
    found.times.push(step * rate);
    found.loss.push(network.loss);
    strengths(network.map, task.left, task.right).forEach((value, k) => found.strengths[k]!.push(value));
    found.answers.push(toRows(transpose(network.map)));
    const curves = theoryOf(setting, [step * rate]);
    const theory = curves.map(([value]) => value!);
    found.expected.push(lossOf(task, curves, 0));
    const seen = exponent(depth) === 1 ? network.map : network.hidden(1);
    found.places.push(draw(setting, rotated(transpose(seen), representation(task, depth, theory))));
  };
  const flops =
    weights.reduce((sum, w) => sum + w.rows * w.columns * (items + outputs) * 2, 0) +
    outputs * items * hidden * depth * 2;
  let work = 0;
  let next = 0;
  for (let step = 0; step <= steps; step++) {
    if (step >= next || step === steps) {
      record(step);
      next = Math.max(step + 1, Math.round((found.times.length * steps) / (RECORDS - 1)));
    }
    if (step < steps) network.step(rate);
    work += flops;
    if (work > WORK) {
      work = 0;
      yield { ...found };
    }
  }
  yield { ...found };
}

/** Aligned with the modes, or random with the size from which a mode grows from `start` on average. */
function startWeights(
  task: Task,
  depth: number,
  hidden: number,
  start: number,
  random: boolean,
  draw_: () => number,
): Matrix[] {
  const [items, outputs, rank] = [task.right.rows, task.left.rows, task.right.columns];
  if (!random) return chained(task.right, task.left, hidden, depth, start, draw_);
  if (depth === 1) return [gaussian(outputs, items, start, draw_)];
  // entries of variance σ² give a mode of two layers the strength Hσ²/2 to grow from
  const std = Math.sqrt((2 * start) / hidden);
  if (depth === 2) return [gaussian(hidden, items, std, draw_), gaussian(outputs, hidden, std, draw_)];
  return chained(frame(items, rank, draw_), frame(outputs, rank, draw_), hidden, depth, start, draw_);
}
