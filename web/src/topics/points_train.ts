/** Trains the leaky-ReLU network of the two-points topic, and fits the theory's rates to it. */

import { PairNetwork, type Wanted } from "../learn/pair";
import { type Fit, fitRates, type Measured } from "../theory/fit";
import { numberOf, type State } from "../topic";

/** Records of a training run; when they are full, every second one is dropped. */
const RECORDS = 320;
const STEPS = 60_000;
/** Steps between two reports, some 30 ms of work. */
const REPORT = 200;
/** Training continues for a third of its time after this fraction of the loss is left. */
const LEARNED = 1e-4;

export interface Trained extends Measured {
  readonly fit: Fit;
  readonly rate: number;
}

/** Trains with a quarter of the largest tried step at which the loss does not grow, which is close to gradient flow. */
export function* run(state: State): Generator<Trained, void, void> {
  const wanted = {
    dx: numberOf(state, "dx"),
    dy: numberOf(state, "dy"),
    cosine: numberOf(state, "cosine"),
    encoder: numberOf(state, "encoder"),
    decoder: numberOf(state, "decoder"),
  };
  for (let rate = 0.1; rate > 1e-12; rate /= 3) {
    if (yield* train(wanted, rate / 4)) return;
  }
}

function* train(wanted: Wanted, rate: number): Generator<Trained, boolean, void> {
  const network = new PairNetwork(wanted, 1);
  const begin = network.loss;
  let found: { times: number[]; h: number[]; y: number[]; w: number[] } = { times: [], h: [], y: [], w: [] };
  const report = (): Trained => ({ ...found, rate, fit: fitRates(found, wanted.dx ** 2, wanted.dy ** 2) });
  let [stride, last] = [1, STEPS];
  for (let step = 0; step <= last; step++) {
    if (step % stride === 0) {
      const { h, y, w } = network.state;
      found.times.push(step * rate);
      found.h.push(h);
      found.y.push(y);
      found.w.push(w);
      if (found.times.length > RECORDS) {
        const thin = (row: number[]): number[] => row.filter((_, i) => i % 2 === 0);
        found = { times: thin(found.times), h: thin(found.h), y: thin(found.y), w: thin(found.w) };
        stride *= 2;
      }
    }
    network.step(rate);
    const { loss } = network;
    // the step is too large, unless the loss was zero from the start
    if (!(loss <= 1.5 * begin) && loss > 1e-12) return false;
    if (loss <= LEARNED * begin && last === STEPS) last = Math.min(STEPS, Math.ceil(1.33 * step) + 4);
    if ((step + 1) % REPORT === 0) yield report();
  }
  yield report();
  return true;
}
