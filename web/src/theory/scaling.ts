/** Multidimensional scaling of a few points to the plane, and one linear map on which their whole history is drawn. */

import { type Matrix, multiply, multiplyLeft, multiplyRight, svd, symmetricEigen, zeros } from "./matrix";

const STEPS = 300;
/** Shares by which further principal components tilt the plane from which scaling starts: symmetric clusters then come apart. */
const TILTS = [0, 0.15, 0.45];

export interface Scaled {
  /** items × 2. */
  readonly points: Matrix;
  /** Kruskal's stress-1, √(Σ(δ̂ − δ)²/Σδ²): 0 when the map shows every distance exactly. */
  readonly stress: number;
}

/** Coordinates in which inner products of the centred points are kept: items × k, largest spread first. */
export function classical(points: Matrix): Matrix {
  const { rows, columns } = points;
  const centred = zeros(rows, columns);
  for (let j = 0; j < columns; j++) {
    let mean = 0;
    for (let i = 0; i < rows; i++) mean += points.data[i * columns + j]! / rows;
    for (let i = 0; i < rows; i++) centred.data[i * columns + j] = points.data[i * columns + j]! - mean;
  }
  const { values, vectors } = symmetricEigen(multiplyRight(centred, centred));
  const made = zeros(rows, rows);
  for (let i = 0; i < rows; i++) {
    for (let k = 0; k < rows; k++)
      made.data[i * rows + k] = vectors.data[i * rows + k]! * Math.sqrt(Math.max(values[k]!, 0));
  }
  return made;
}

function distances(points: Matrix): Float64Array {
  const { rows, columns } = points;
  const made = new Float64Array(rows * rows);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < i; j++) {
      let sum = 0;
      for (let k = 0; k < columns; k++) sum += (points.data[i * columns + k]! - points.data[j * columns + k]!) ** 2;
      made[i * rows + j] = made[j * rows + i] = Math.sqrt(sum);
    }
  }
  return made;
}

/** Points of the plane whose distances follow those of the given points (items × anything), by majorisation (SMACOF). */
export function scalePoints(points: Matrix): Scaled {
  const wanted = distances(points);
  const total = wanted.reduce((sum, value) => sum + value * value, 0);
  const frame = classical(points);
  const found = TILTS.map((tilt) => {
    let plane = zeros(points.rows, 2);
    for (let i = 0; i < points.rows; i++) {
      for (let k = 0; k < frame.columns; k++) {
        plane.data[2 * i + (k % 2)]! += frame.data[i * frame.columns + k]! * (k < 2 ? 1 : tilt * (k % 4 < 2 ? 1 : -1));
      }
    }
    for (let step = 0; step < STEPS; step++) plane = improve(plane, wanted);
    const now = distances(plane);
    const stress = total > 0 ? Math.sqrt(wanted.reduce((sum, value, i) => sum + (value - now[i]!) ** 2, 0) / total) : 0;
    return { points: plane, stress };
  });
  // a tilt must earn its place: rounding should not choose the map
  return found.reduce((best, next) => (next.stress < best.stress - 1e-6 ? next : best));
}

/** One step of majorisation: X ← B(X)X/n with B_ij = −δ_ij/d_ij(X). */
function improve(plane: Matrix, wanted: Float64Array): Matrix {
  const n = plane.rows;
  const now = distances(plane);
  const next = zeros(n, 2);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const at = now[i * n + j]!;
      if (i === j || at === 0) continue;
      const share = wanted[i * n + j]! / at / n;
      next.data[2 * i]! += share * (plane.data[2 * i]! - plane.data[2 * j]!);
      next.data[2 * i + 1]! += share * (plane.data[2 * i + 1]! - plane.data[2 * j + 1]!);
    }
  }
  return next;
}

/** The rotation (columns of `from` × columns of `to`) that brings the rows of `from` nearest to those of `to`. */
export function rotationTo(from: Matrix, to: Matrix): Matrix {
  const { left, right } = svd(multiplyLeft(from, to));
  return multiplyRight(left, right);
}

/** Rows of `from`, rotated to lie nearest to those of `to`: what a rotation of hidden units leaves open. */
export function rotated(from: Matrix, to: Matrix): Matrix {
  return multiply(from, rotationTo(from, to));
}
