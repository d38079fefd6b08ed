/**
 * The eigenvalues of a λ-balanced network's dynamics, its start as rows that each grow or decay with one of them, and the
 * factor of QQᵀ at any time. Step by step as in `festina.linear`; Source: braun2022 and domine2025 (partitioned solution).
 */

import { dot, fullSvd, type Matrix, multiplyLeft, orthonormalise, scale, transpose, zeros } from "./matrix";

/** A component below this share of the weights (times √n for n terms) is the rounding error of their sum. */
const NOISE = 4 * Number.EPSILON;

export interface Problem {
  /** W1, hidden × inputs. */
  readonly first: Matrix;
  /** W2, outputs × hidden. */
  readonly second: Matrix;
  /** Σyx, outputs × inputs. */
  readonly cross: Matrix;
  /** c where Σx = c·1. */
  readonly curvature: number;
  /** λ of the weights. */
  readonly lambda: number;
}

export interface Frame {
  readonly left: Matrix;
  readonly right: Matrix;
  /** Singular values of Σyx. */
  readonly s: Float64Array;
  readonly large: Float64Array;
  readonly small: Float64Array;
  /** √c W1 and √c W2 in the singular vectors. */
  readonly qv: Matrix;
  readonly qu: Matrix;
}

/** Rows of PᵀQ(0): growing, decaying, then the rest, with the eigenvalue of each. */
export interface Rows {
  readonly m: Matrix;
  readonly noise: Float64Array;
  readonly grows: readonly boolean[];
  readonly excess: Float64Array;
  readonly phi: Float64Array;
}

export function frameOf({ first, second, cross, curvature, lambda }: Problem): Frame {
  const { left, values, right } = fullSvd(cross);
  const top = values[0] ?? 0;
  const noise = Number.EPSILON * Math.max(cross.rows, cross.columns) * top;
  const s = values.map((value) => (value > noise ? value : 0));
  // singular values that differ by rounding are equal: at t → ∞ any difference would decide a race
  for (let begin = 0; begin < s.length; ) {
    let end = begin + 1;
    while (end < s.length && s[end - 1]! - s[end]! <= 4 * s.length * Number.EPSILON * top) end++;
    const mean = s.slice(begin, end).reduce((sum, value) => sum + value, 0) / (end - begin);
    s.fill(mean, begin, end);
    begin = end;
  }
  const half = (curvature * Math.abs(lambda)) / 2;
  const [large, small] = [new Float64Array(s.length), new Float64Array(s.length)];
  s.forEach((value, i) => {
    const phi = Math.hypot(value, half);
    const norm = phi > 0 ? Math.hypot(phi + half, value) : 1;
    large[i] = phi > 0 ? (phi + half) / norm : 1;
    small[i] = value / norm;
  });
  const root = Math.sqrt(curvature);
  const qv = scale(multiplyLeft(right, transpose(first)), root);
  return { left, right, s, large, small, qv, qu: scale(multiplyLeft(left, second), root) };
}

/** The Frobenius norm: at most √n above the largest singular value, which is near enough for a noise level. */
function size(a: Matrix): number {
  return Math.sqrt(dot(a, a));
}

export function rowsOf(frame: Frame, imbalance: number): Rows {
  const { s, qv, qu } = frame;
  const k = s.length;
  const hidden = qv.columns;
  const [gv, gu] = imbalance >= 0 ? [frame.small, frame.large] : [frame.large, frame.small];
  const rest = qu.rows > k ? qu : qv;
  const edge = qu.rows > k ? imbalance / 2 : -imbalance / 2;
  const count = k + k + rest.rows - k;
  const m = zeros(count, hidden);
  const noise = new Float64Array(count);
  const excess = new Float64Array(count);
  const phi = new Float64Array(count);
  const [vSize, uSize] = [size(qv), size(qu)];
  const unit = NOISE * Math.sqrt(count);
  const half = Math.abs(imbalance) / 2;
  for (let i = 0; i < k; i++) {
    for (let h = 0; h < hidden; h++) {
      const [v, u] = [qv.data[i * hidden + h]!, qu.data[i * hidden + h]!];
      m.data[i * hidden + h] = gv[i]! * v + gu[i]! * u;
      m.data[(k + i) * hidden + h] = gu[i]! * v - gv[i]! * u;
    }
    noise[i] = unit * (gv[i]! * vSize + gu[i]! * uSize);
    noise[k + i] = unit * (gu[i]! * vSize + gv[i]! * uSize);
    phi[i] = Math.hypot(s[i]!, half);
    phi[k + i] = -phi[i]!;
    excess[i] = excess[k + i] = phi[i]! > 0 ? s[i]! * (s[i]! / (phi[i]! + half)) : 0;
  }
  for (let i = k; i < rest.rows; i++) {
    m.data.set(rest.data.subarray(i * hidden, (i + 1) * hidden), (k + i) * hidden);
    noise[k + i] = unit * size(rest);
    phi[k + i] = edge;
  }
  const grows = Array.from({ length: count }, (_, i) => (i < k ? phi[i]! > 0 : i >= 2 * k && edge > 0));
  return { m, noise, grows, excess, phi };
}

/** R̂ (rank × eigenvalues), and the eigenvalue at which each of its rows begins. */
export interface Echelon {
  readonly hat: Matrix;
  readonly leads: readonly number[];
}

export function echelon({ m, noise, grows, excess, phi }: Rows): Echelon {
  const { rows: count, columns: hidden } = m;
  const key = (i: number): number => (grows[i] ? excess[i]! : phi[i]!);
  const order = Array.from({ length: count }, (_, i) => i);
  order.sort((i, j) => (grows[i] === grows[j] ? key(j) - key(i) || i - j : grows[i] ? -1 : 1));
  const groups: number[][] = [];
  order.forEach((i, at) => {
    const before = order[at - 1];
    if (before !== undefined && key(before) === key(i) && grows[before] === grows[i])
      groups[groups.length - 1]!.push(i);
    else groups.push([i]);
  });
  const place = new Int32Array(count);
  const basis: Float64Array[] = [];
  const leads: number[] = [];
  const row = (i: number): Float64Array => m.data.subarray(i * hidden, (i + 1) * hidden);
  groups.forEach((group, rank) => {
    for (const i of group) place[i] = rank;
    const known = basis.length;
    const left = group.map((i) => project(row(i), basis));
    const rounding = group.map((i) => noise[i]! + carried(row(i), basis, leads, row, noise));
    const open = new Set(group.keys());
    for (const at of [...open]) if (!(length(left[at]!) > rounding[at]!)) open.delete(at);
    while (open.size && basis.length < hidden) {
      // the largest remainder next: a pivoted QR of the group
      const best = [...open].reduce((a, b) => (length(left[b]!) > length(left[a]!) ? b : a));
      const norm = length(left[best]!);
      if (!(norm > rounding[best]!)) break;
      const unit = left[best]!.map((value) => value / norm);
      basis.push(unit);
      leads.push(group[best]!);
      open.delete(best);
      for (const at of open) left[at] = project(left[at]!, basis.slice(known));
    }
  });
  const hat = zeros(basis.length, count);
  basis.forEach((vector, i) => {
    for (let j = 0; j < count; j++) hat.data[i * count + j] = place[j]! < place[leads[i]!]! ? 0 : inner(vector, row(j));
  });
  return { hat, leads };
}

function inner(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

function length(a: Float64Array): number {
  return Math.sqrt(inner(a, a));
}

/** What of a vector is orthogonal to the basis; twice, because once is not enough. */
function project(vector: Float64Array, basis: readonly Float64Array[]): Float64Array {
  const left = Float64Array.from(vector);
  for (let pass = 0; pass < 2; pass++) {
    const shares = basis.map((unit) => inner(left, unit));
    basis.forEach((unit, k) => {
      for (let i = 0; i < left.length; i++) left[i]! -= shares[k]! * unit[i]!;
    });
  }
  return left;
}

/** Rounding of the earlier rows enters by as much of them as this row is made of. */
function carried(
  vector: Float64Array,
  basis: readonly Float64Array[],
  leads: readonly number[],
  row: (i: number) => Float64Array,
  noise: Float64Array,
): number {
  const shares = new Float64Array(basis.length);
  let total = 0;
  for (let i = basis.length - 1; i >= 0; i--) {
    let left = inner(basis[i]!, vector);
    for (let j = i + 1; j < basis.length; j++) left -= inner(basis[i]!, row(leads[j]!)) * shares[j]!;
    shares[i] = left / inner(basis[i]!, row(leads[i]!));
    total += Math.abs(shares[i]!) * noise[leads[i]!]!;
  }
  return total;
}

/** Evaluates the factor diag(e^{φt}/r) Ω₁ of QQᵀ at one time, eigenvalues × rank; arrays are kept from time to time. */
export function evaluator(
  { grows, excess, phi }: Rows,
  { hat, leads }: Echelon,
  half: number,
): (t: number) => Float64Array {
  const count = phi.length;
  const rank = leads.length;
  const total = count + rank;
  const [halfLog, slow, fall, sizes] = [count, count, count, total].map((n) => new Float64Array(n)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const stacked = new Float64Array(total * rank);
  const order = new Int32Array(total);
  const sorted = zeros(total, rank);
  const q = zeros(total, rank);
  const made = new Float64Array(count * rank);
  const decays = phi.map((value) => Math.abs(value));
  return (t) => {
    const common = half * t;
    const root = Math.sqrt(t);
    for (let j = 0; j < count; j++) {
      const x = 2 * decays[j]! * t;
      halfLog[j] = 0.5 * Math.log(x > 0 ? -Math.expm1(-x) / x : 1);
      slow[j] = (grows[j] ? excess[j]! * t : 0) + halfLog[j]!;
      fall[j] = phi[j]! < 0 ? Math.exp(-x / 2) : 1;
    }
    stacked.fill(0);
    sizes.fill(0);
    for (let i = 0; i < rank; i++) {
      const lead = leads[i]!;
      let top = 0;
      for (let j = 0; j < count; j++) {
        const share = hat.data[i * count + j]!;
        if (share === 0) continue;
        // ln(r_j/r_i): what growing eigenvalues share cancels before it is computed
        const log = slow[j]! - slow[lead]! - (!grows[j] && grows[lead] ? common : 0);
        const value = log < 0 ? share * Math.exp(log) : share;
        stacked[j * rank + i] = value;
        top = Math.max(top, Math.abs(value));
      }
      const inverse = Math.exp(-slow[lead]! - (grows[lead] ? common : 0)) / root;
      stacked[(total - 1 - i) * rank + i] = inverse;
      top = Math.max(top, inverse);
      // a common factor per column changes no span; it keeps the columns of one size
      for (let j = 0; j < total; j++) {
        const value = stacked[j * rank + i]! / top;
        stacked[j * rank + i] = value;
        if (Math.abs(value) > sizes[j]!) sizes[j] = Math.abs(value);
      }
    }
    // Householder's QR keeps the digits of graded rows if large ones come before small ones
    for (let j = 0; j < total; j++) {
      let at = j;
      for (; at > 0 && sizes[order[at - 1]!]! < sizes[j]!; at--) order[at] = order[at - 1]!;
      order[at] = j;
    }
    for (let at = 0; at < total; at++) {
      for (let i = 0; i < rank; i++) sorted.data[at * rank + i] = stacked[order[at]! * rank + i]!;
    }
    orthonormalise(sorted, q);
    for (let at = 0; at < total; at++) {
      const j = order[at]!;
      if (j >= count) continue;
      const factor = (fall[j]! * Math.exp(-halfLog[j]!)) / root;
      for (let i = 0; i < rank; i++) made[j * rank + i] = factor * q.data[at * rank + i]!;
    }
    return made;
  };
}
