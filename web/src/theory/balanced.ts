/**
 * Two layers, white inputs, λ-balanced weights: the exact solution at any shape, any λ, any time.
 *
 * With Σx = c·1, W2ᵀW2 − W1W1ᵀ = λ·1 and Q = √c [W1ᵀ; W2] the flow is dQ/dt = F Q − ½ Q QᵀQ with
 * F = [[−cλ/2, Σyxᵀ], [Σyx, cλ/2]]. Nothing is inverted and nothing overflows: the rows of PᵀQ(0), fastest eigenvalue
 * first, are brought to echelon form once, and each time costs one thin QR. The same steps as `festina.linear`'s exact
 * solution; Source: braun2022 and domine2025 (partitioned solution); saxe_lecture eqs. (13)-(15).
 */

import { dot, fullSvd, type Matrix, multiply, multiplyRight, scale, trace, zeros } from "./matrix";
import { echelon, evaluator, frameOf, type Problem, rowsOf } from "./riccati";

/** Times are moved into this range: at the one end nothing has changed to double precision, at the other everything. */
const EARLIEST = 1e-150;
const LATEST = 1e290;

export interface Path {
  /** ½ c ‖W2W1 − Σyx/c‖²: above what no linear map can reach. */
  readonly loss: number[];
  /** 1 − ⟨K(0), K(t)⟩/(‖K(0)‖‖K(t)‖) of the neural tangent kernel. */
  readonly kernelDistance: number[];
  /** u_αᵀ W2W1 v_α, one row per mode. */
  readonly strengths: number[][];
  /** W1ᵀW1, inputs × inputs, at the i-th time. */
  readonly input: (i: number) => Matrix;
  /** W2W2ᵀ, outputs × outputs, at the i-th time. */
  readonly output: (i: number) => Matrix;
  /** W2W1, outputs × inputs, at the i-th time. */
  readonly map: (i: number) => Matrix;
}

/** Weights with a prescribed end-to-end map (outputs × inputs) and W2ᵀW2 − W1W1ᵀ = λ·1. Source: domine2025. */
export function balancedWeights(map: Matrix, hidden: number, lambda: number): { first: Matrix; second: Matrix } {
  const { left, values, right } = fullSvd(map);
  const first = zeros(hidden, map.columns);
  const second = zeros(map.rows, hidden);
  for (let k = 0; k < hidden; k++) {
    const s = k < Math.min(map.rows, map.columns) ? values[k]! : 0;
    const strong = Math.sqrt((Math.hypot(lambda, 2 * s) + Math.abs(lambda)) / 2);
    const weak = strong > 0 ? s / strong : 0;
    const [a, b] = lambda > 0 ? [weak, strong] : [strong, weak];
    for (let i = 0; i < map.columns && k < map.columns; i++)
      first.data[k * map.columns + i] = a * right.data[i * map.columns + k]!;
    for (let o = 0; o < map.rows && k < map.rows; o++) second.data[o * hidden + k] = b * left.data[o * map.rows + k]!;
  }
  return { first, second };
}

/** The factors of ⟨K_a, K_b⟩ on white inputs: in⟨A,A'⟩ + tr A tr R' + tr A' tr R + out⟨R,R'⟩, A = W2W2ᵀ, R = W1ᵀW1. */
export function kernelOverlap(r: Matrix, a: Matrix, r2: Matrix, a2: Matrix): number {
  return r.rows * dot(a, a2) + trace(a) * trace(r2) + trace(a2) * trace(r) + a.rows * dot(r, r2);
}

/** 1 − cosine of two tangent kernels, each given by W1ᵀW1 and W2W2ᵀ. */
export function kernelDistance(r: Matrix, a: Matrix, r2: Matrix, a2: Matrix): number {
  const norm = Math.sqrt(kernelOverlap(r, a, r, a) * kernelOverlap(r2, a2, r2, a2));
  return norm > 0 ? Math.max(1 - kernelOverlap(r, a, r2, a2) / norm, 0) : 0;
}

/** The solution of a λ-balanced network, prepared once: loss, strengths, kernel and representations at times (∞ allowed). */
export function solveBalanced(problem: Problem): (times: readonly number[]) => Path {
  const { cross, curvature, lambda } = problem;
  const imbalance = curvature * lambda;
  const frame = frameOf(problem);
  const rows = rowsOf(frame, imbalance);
  const found = echelon(rows);
  const k = frame.s.length;
  const [gv, gu] = imbalance >= 0 ? [frame.small, frame.large] : [frame.large, frame.small];
  const latest = LATEST / (2 * Math.max(1, ...rows.phi.map(Math.abs)));
  const root = Math.sqrt(curvature);
  const rank = found.leads.length;
  const evaluate = evaluator(rows, found, Math.abs(imbalance) / 2);
  const kv = zeros(cross.columns, rank);
  const ku = zeros(cross.rows, rank);
  const modes = zeros(cross.rows, cross.columns);
  const [r, a] = [zeros(cross.columns, cross.columns), zeros(cross.rows, cross.rows)];
  const begin = {
    r: scale(multiplyRight(frame.qv, frame.qv), 1 / curvature),
    a: scale(multiplyRight(frame.qu, frame.qu), 1 / curvature),
  };
  const size0 = kernelOverlap(begin.r, begin.a, begin.r, begin.a);

  /** Fills kv and ku, the factors of W1ᵀW1 and W2W2ᵀ in the singular vectors. */
  const fill = (time: number): void => {
    const kernel = evaluate(Math.min(Math.max(time, EARLIEST), latest));
    for (let i = 0; i < rank; i++) {
      for (let j = 0; j < k; j++) {
        const up = kernel[j * rank + i]!;
        const down = kernel[(k + j) * rank + i]!;
        kv.data[j * rank + i] = (gv[j]! * up + gu[j]! * down) / root;
        ku.data[j * rank + i] = (gu[j]! * up - gv[j]! * down) / root;
      }
      for (let j = k; j < cross.columns; j++) kv.data[j * rank + i] = kernel[(k + j) * rank + i]! / root;
      for (let j = k; j < cross.rows; j++) ku.data[j * rank + i] = kernel[(k + j) * rank + i]! / root;
    }
  };
  const around = (vectors: Matrix, half: Matrix): Matrix => {
    const turned = multiply(vectors, half);
    return multiplyRight(turned, turned);
  };

  return (times) => {
    const loss: number[] = [];
    const moved: number[] = [];
    const strengths: number[][] = Array.from({ length: k }, () => []);
    for (const time of times) {
      fill(time);
      multiplyRight(ku, kv, modes);
      for (let j = 0; j < k; j++) {
        const at = j * cross.columns + j;
        strengths[j]!.push(modes.data[at]!);
        modes.data[at]! -= frame.s[j]! / curvature;
      }
      loss.push(0.5 * curvature * dot(modes, modes));
      multiplyRight(kv, kv, r);
      multiplyRight(ku, ku, a);
      const norm = Math.sqrt(size0 * kernelOverlap(r, a, r, a));
      moved.push(norm > 0 ? Math.max(1 - kernelOverlap(begin.r, begin.a, r, a) / norm, 0) : 0);
    }
    const at = <Seen>(i: number, see: () => Seen): Seen => {
      fill(times[i]!);
      return see();
    };
    return {
      loss,
      kernelDistance: moved,
      strengths,
      input: (i) => at(i, () => around(frame.right, kv)),
      output: (i) => at(i, () => around(frame.left, ku)),
      map: (i) => at(i, () => multiplyRight(multiply(frame.left, ku), multiply(frame.right, kv))),
    };
  };
}
