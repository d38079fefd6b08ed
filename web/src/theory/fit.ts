/** Effective learning rates of two points from measured curves; the same search as `festina.representation.fit`. */

import { type Pair, solve } from "./points";

export interface Measured {
  readonly times: readonly number[];
  readonly h: readonly number[];
  readonly y: readonly number[];
  readonly w: readonly number[];
}

export interface Fit {
  readonly pair: Pair;
  /** √(∫Σ(measured − theory)²/∫Σ measured²) over h, y and w: 0 is a perfect fit. */
  readonly error: number;
}

/** Around the rates read off the curves, in decades: where the search may begin instead. */
const COMMON = Array.from({ length: 33 }, (_, i) => -2 + i / 8);
const RATIO = [-0.5, 0, 0.5];
/** Times at which beginnings are tried. */
const COARSE = 100;
/** How far (in logarithms) rates may go from where they begin, so that curves without information end somewhere. */
const REACH = Math.log(1e8);
const STEPS = 60;

/** 1/τh and 1/τy by least squares on the closed form, from the first measured point. Source: vanrossem2024 App. B.1 eq. (49). */
export function fitRates(measured: Measured, dx: number, dy: number): Fit {
  const { times, h, y, w } = measured;
  const weights = times.map((t, i) => 0.5 * ((times[i + 1] ?? t) - (times[i - 1] ?? t)));
  const elapsed = times.map((t) => t - times[0]!);
  const pairAt = (logs: readonly [number, number]): Pair => ({
    dx,
    dy,
    rateH: Math.exp(logs[0]),
    rateY: Math.exp(logs[1]),
    h: h[0]!,
    y: y[0]!,
    w: w[0]!,
  });
  const all = times.map((_, i) => i);
  const residuals = (logs: readonly [number, number], at: readonly number[]): Float64Array => {
    const found = solve(
      pairAt(logs),
      at.map((i) => elapsed[i]!),
    );
    const gaps = new Float64Array(3 * at.length);
    at.forEach((i, k) => {
      const root = Math.sqrt(weights[i]!);
      gaps[3 * k] = (found.h[k]! - h[i]!) * root;
      gaps[3 * k + 1] = (found.y[k]! - y[i]!) * root;
      gaps[3 * k + 2] = (found.w[k]! - w[i]!) * root;
    });
    return gaps;
  };
  const squares = (gaps: Float64Array): number => gaps.reduce((sum, gap) => sum + gap * gap, 0);
  const few =
    all.length <= COARSE
      ? all
      : Array.from({ length: COARSE }, (_, i) => Math.round((i * (all.length - 1)) / (COARSE - 1)));
  const [logH, logY] = begin(measured, dx);
  let best: [number, number] = [logH, logY];
  let least = Infinity;
  for (const common of COMMON) {
    for (const ratio of RATIO) {
      const logs: [number, number] = [logH + Math.LN10 * common, logY + Math.LN10 * (common + ratio)];
      const size = squares(residuals(logs, few));
      if (size < least) [best, least] = [logs, size];
    }
  }
  best = descend((logs) => residuals(logs, all), best);
  const size = all.reduce((sum, i) => sum + weights[i]! * (h[i]! ** 2 + y[i]! ** 2 + w[i]! ** 2), 0);
  return { pair: pairAt(best), error: Math.sqrt(squares(residuals(best, all)) / size) };
}

/** Logarithms of rates by two regressions: h − h(0) on ∫w, and y − h y(0)/h(0) on h(h − h(0)). */
function begin({ times, h, y, w }: Measured, dx: number): [number, number] {
  let [turned, first, firstPower, second, secondPower] = [0, 0, 0, 0, 0];
  times.forEach((t, i) => {
    if (i > 0) turned += 0.5 * (w[i]! + w[i - 1]!) * (t - times[i - 1]!);
    first += -dx * turned * (h[i]! - h[0]!);
    firstPower += (dx * turned) ** 2;
    const curvature = (h[i]! * (h[i]! - h[0]!)) / dx;
    second += curvature * (y[i]! - (y[0]! / h[0]!) * h[i]!);
    secondPower += curvature ** 2;
  });
  const slope = (top: number, bottom: number, otherwise: number): number =>
    top / bottom > 0 && Number.isFinite(top / bottom) ? top / bottom : otherwise;
  const rate = slope(first, firstPower, 1 / (times[times.length - 1]! - times[0]!));
  return [Math.log(rate), Math.log(rate * slope(second, secondPower, 1))];
}

/** Least squares in two unknowns by Levenberg and Marquardt's steps. */
function descend(
  residuals: (at: readonly [number, number]) => Float64Array,
  start: readonly [number, number],
): [number, number] {
  let at: [number, number] = [...start];
  let gaps = residuals(at);
  let size = gaps.reduce((sum, gap) => sum + gap * gap, 0);
  let damping = 1e-3;
  for (let step = 0; step < STEPS; step++) {
    const slopes = [0, 1].map((k) => {
      const nudge = 1e-5;
      const [up, down] = [nudge, -nudge].map((by) =>
        residuals(k === 0 ? [at[0] + by, at[1]] : [at[0], at[1] + by]),
      ) as [Float64Array, Float64Array];
      return up.map((value, i) => (value - down[i]!) / (2 * nudge));
    }) as [Float64Array, Float64Array];
    const product = (a: Float64Array, b: Float64Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
    const [aa, ab, bb] = [product(slopes[0], slopes[0]), product(slopes[0], slopes[1]), product(slopes[1], slopes[1])];
    const [pa, pb] = [product(slopes[0], gaps), product(slopes[1], gaps)];
    let better = false;
    while (!better && damping < 1e12) {
      const [a, b] = [aa * (1 + damping), bb * (1 + damping)];
      const determinant = a * b - ab * ab;
      if (!(determinant > 0)) return at;
      const move = [(ab * pb - b * pa) / determinant, (ab * pa - a * pb) / determinant] as const;
      const go = (k: 0 | 1): number =>
        Math.max(start[k] - REACH, Math.min(start[k] + REACH, at[k] + Math.max(-1, Math.min(1, move[k]))));
      const next: [number, number] = [go(0), go(1)];
      const nextGaps = residuals(next);
      const nextSize = nextGaps.reduce((sum, gap) => sum + gap * gap, 0);
      better = nextSize <= size;
      if (better) {
        const settled = Math.hypot(...move) < 1e-11 || size - nextSize <= 1e-15 * size;
        [at, gaps, size, damping] = [next, nextGaps, nextSize, damping / 10];
        if (settled) return at;
      } else damping *= 10;
    }
    if (!better) return at;
  }
  return at;
}
