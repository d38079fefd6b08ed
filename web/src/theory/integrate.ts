/** Ordinary differential equations without stiffness: Dormand and Prince's pair of orders 5 and 4, step by error. */

/** Writes dy/dt at `state` into `change`. */
export type Field = (state: Float64Array, change: Float64Array) => void;

const STAGES = [
  [1 / 5],
  [3 / 40, 9 / 40],
  [44 / 45, -56 / 15, 32 / 9],
  [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
  [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
  [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
] as const;
/** Fifth-order weights less the fourth-order ones. */
const ERROR = [71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40] as const;

/** Weight of each slope at a share θ of a step: Shampine's interpolant of fourth order, as smooth as the steps. */
function between(theta: number): number[] {
  const rise = theta * theta * (3 - 2 * theta);
  const bump = (theta * (theta - 1)) ** 2;
  return [
    (rise * 35) / 384 + theta * (theta - 1) ** 2 - (bump * 5 * (2558722523 - 31403016 * theta)) / 11282082432,
    0,
    (rise * 500) / 1113 + (bump * 100 * (882725551 - 15701508 * theta)) / 32700410799,
    (rise * 125) / 192 - (bump * 25 * (443332067 - 31403016 * theta)) / 1880347072,
    (rise * -2187) / 6784 + (bump * 32805 * (23143187 - 3489224 * theta)) / 199316789632,
    (rise * 11) / 84 - (bump * 55 * (29972135 - 7076736 * theta)) / 822651844,
    theta * theta * (theta - 1) + (bump * 10 * (7414447 - 829305 * theta)) / 29380423,
  ];
}

/** More steps than any setting of the page takes; a slower integration is a fault, and stops. */
const STEP_LIMIT = 100_000;
/** Shortest step that is tried, as a share of the whole. */
const SHORTEST = 1e-12;

/** Calls `see(i, state)` at each of the times, which rise from 0, until it answers true; the state is only lent. */
export function integrate(
  field: Field,
  start: Float64Array,
  times: ArrayLike<number>,
  relative: number,
  absolute: number,
  see: (i: number, state: Float64Array) => unknown,
): void {
  const size = start.length;
  const slopes = Array.from({ length: 7 }, () => new Float64Array(size));
  const state = Float64Array.from(start);
  const trial = new Float64Array(size);
  const target = new Float64Array(size);
  const error = new Float64Array(size);
  const zero = new Float64Array(size);
  const end = times[times.length - 1] ?? 0;
  let now = 0;
  let seen = 0;
  let step = end / 1000;
  for (; seen < times.length && times[seen]! <= 0; seen++) if (see(seen, state) === true) return;
  field(state, slopes[0]!);
  for (let spent = 0; seen < times.length; spent++) {
    if (spent > STEP_LIMIT) throw new Error("the integration takes too many steps");
    const h = Math.min(step, end - now);
    for (let stage = 0; stage < 6; stage++) {
      advance(trial, state, slopes, STAGES[stage]!, h);
      field(trial, slopes[stage + 1]!);
    }
    advance(error, zero, slopes, ERROR, h);
    let worst = 0;
    for (let k = 0; k < size; k++) {
      const scale = absolute + relative * Math.max(Math.abs(state[k]!), Math.abs(trial[k]!));
      const miss = Math.abs(error[k]!) / scale;
      // not a number is not smaller than anything
      if (!(miss <= worst)) worst = miss;
    }
    if (!Number.isFinite(worst)) {
      // a step that is far too long leaves the finite numbers; if a short one does, the solution does
      if (h < SHORTEST * end) throw new Error("the integration left the finite numbers");
      step = 0.1 * h;
      // zero times what is not a number is not a number either
      for (const slope of slopes.slice(1)) slope.fill(0);
      continue;
    }
    step = h * Math.min(5, Math.max(0.2, 0.9 * Math.max(worst, 1e-10) ** -0.2));
    if (worst > 1) continue;
    const next = h < end - now ? now + h : end;
    target.set(trial);
    for (; seen < times.length && times[seen]! <= next; seen++) {
      if (times[seen]! < next) advance(trial, state, slopes, between((times[seen]! - now) / h), h);
      else trial.set(target);
      if (see(seen, trial) === true) return;
    }
    now = next;
    state.set(target);
    // the last stage is the first of the next step
    slopes[0]!.set(slopes[6]!);
  }
}

/** into = state + h Σ_j weights_j slopes_j; three slopes at a time, because reading and writing `into` is what takes time. */
function advance(
  into: Float64Array,
  state: Float64Array,
  slopes: readonly Float64Array[],
  weights: readonly number[],
  h: number,
): void {
  for (let j = 0; j < weights.length; j += 3) {
    const from = j === 0 ? state : into;
    const [a, b, c] = [slopes[j]!, slopes[j + 1] ?? state, slopes[j + 2] ?? state];
    const [wa, wb, wc] = [h * weights[j]!, h * (weights[j + 1] ?? 0), h * (weights[j + 2] ?? 0)];
    for (let k = 0; k < into.length; k++) into[k] = from[k]! + wa * a[k]! + wb * b[k]! + wc * c[k]!;
  }
}
