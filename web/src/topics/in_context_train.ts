/** Trains linear attention of the in-context topic on its expected loss. */
import { LinearAttention } from "../learn/attention";
import { rates, risk } from "../theory/attention";
import type { State } from "../topic";
import { lossAt, solutionOf, strengthsAt } from "./in_context_setting";

const RECORDS = 200;
/** Steps up to which the rate stays at a twentieth of the stable one; for longer ones it rises to a fifth. */
const STEPS = 400_000;
/** Steps between two reports, some 30 ms of work. */
const REPORT = 20_000;

export interface Trained {
  readonly times: number[];
  readonly loss: number[];
  /** M at each time, D × D row after row. */
  readonly maps: number[][];
  /** The prediction at these times. */
  readonly expected: number[];
}

export function* run(state: State): Generator<Trained, void, void> {
  const solution = solutionOf(state);
  const { setting, times } = solution;
  const { task, heads } = setting;
  const { c, ends } = rates(task);
  const network = new LinearAttention(task, heads);
  const last = times[times.length - 1]!;
  // the curvature of a learned chain of three is 3 c u^{4/3}; larger weights at the start make it larger
  const size = Math.max(
    ...heads.value.map(Math.abs),
    ...heads.key.flat().map(Math.abs),
    ...heads.query.flat().map(Math.abs),
  );
  const steepest = Math.max(
    ...c.map((value, d) => 3 * value * Math.max(ends[d]! ** (4 / 3), heads.value.length * size ** 4)),
  );
  const rate = Math.min(Math.max(0.05 / steepest, Math.min(last / STEPS, 0.2 / steepest)), last / 500);
  const steps = Math.ceil(last / rate);
  const found: Trained = { times: [], loss: [], maps: [], expected: [] };
  const record = (step: number): void => {
    const map = Array.from(network.map);
    found.times.push(step * rate);
    found.loss.push(risk(task, map, task.length));
    found.maps.push(map);
    found.expected.push(lossAt(task, strengthsAt(solution, [step * rate]), 0));
  };
  const growth = (last / times[0]!) ** (1 / RECORDS);
  let next = 0;
  for (let step = 0; step <= steps; step++) {
    if (step >= next || step === steps) {
      record(step);
      next = Math.max(step + 1, Math.ceil(times[0]! / rate), Math.round(step * growth));
    }
    if (step < steps) network.step(rate);
    if ((step + 1) % REPORT === 0) yield { ...found };
  }
  yield { ...found };
}
