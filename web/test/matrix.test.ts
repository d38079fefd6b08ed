/** Linear algebra and scaling, held to what defines them. */
import { describe, expect, test } from "vitest";
import { frame, gaussian } from "../src/learn/linear";
import { normal } from "../src/learn/random";
import {
  add,
  dot,
  fullSvd,
  identity,
  type Matrix,
  multiply,
  multiplyLeft,
  multiplyRight,
  scale,
  svd,
  symmetricEigen,
  transpose,
  zeros,
} from "../src/theory/matrix";
import { classical, rotated, scalePoints } from "../src/theory/scaling";

/** Rounding of a few hundred operations. */
const ROUNDING = 1e-13;

const off = (a: Matrix, b: Matrix): number => Math.sqrt(dot(add(a, b, -1), add(a, b, -1)));

function diagonal(values: Float64Array, rows = values.length, columns = values.length): Matrix {
  const made = zeros(rows, columns);
  values.forEach((value, i) => (made.data[i * columns + i] = value));
  return made;
}

describe("decompositions", () => {
  const draw = normal(3);
  const shapes = [
    [4, 4],
    [7, 3],
    [3, 7],
    [1, 5],
    [6, 1],
  ] as const;
  for (const [rows, columns] of shapes) {
    test(`singular values of ${rows} × ${columns}`, () => {
      const a = gaussian(rows, columns, 1, draw);
      const { left, values, right } = svd(a);
      expect(off(multiply(multiply(left, diagonal(values)), transpose(right)), a)).toBeLessThan(ROUNDING);
      expect(off(multiplyLeft(left, left), identity(values.length))).toBeLessThan(ROUNDING);
      expect([...values]).toEqual([...values].sort((x, y) => y - x));
      const full = fullSvd(a);
      expect(off(multiplyLeft(full.left, full.left), identity(rows))).toBeLessThan(ROUNDING);
      expect(off(multiplyLeft(full.right, full.right), identity(columns))).toBeLessThan(ROUNDING);
      expect(
        off(multiply(multiply(full.left, diagonal(values, rows, columns)), transpose(full.right)), a),
      ).toBeLessThan(ROUNDING);
    });
  }
  test("rank below the shape, and zero", () => {
    const thin = multiplyRight(gaussian(6, 2, 1, draw), gaussian(5, 2, 1, draw));
    for (const a of [thin, zeros(4, 3)]) {
      const { left, values, right } = fullSvd(a);
      expect(values[2]).toBeLessThan(ROUNDING);
      expect(off(multiply(multiply(left, diagonal(values, a.rows, a.columns)), transpose(right)), a)).toBeLessThan(
        ROUNDING,
      );
      expect(off(multiplyLeft(left, left), identity(a.rows))).toBeLessThan(ROUNDING);
    }
  });
  test("graded columns keep the digits of small singular values", () => {
    const a = multiply(frame(5, 3, draw), diagonal(Float64Array.of(1, 1e-9, 1e-18)));
    const { values } = svd(a);
    [1, 1e-9, 1e-18].forEach((expected, i) => expect(Math.abs(values[i]! / expected - 1)).toBeLessThan(1e-12));
  });
  test("eigenvectors of a symmetric matrix, of either sign", () => {
    const a = gaussian(6, 6, 1, draw);
    const symmetric = add(a, transpose(a));
    const { values, vectors } = symmetricEigen(symmetric);
    expect(off(multiply(symmetric, vectors), multiply(vectors, diagonal(values)))).toBeLessThan(ROUNDING);
    expect(off(multiplyLeft(vectors, vectors), identity(6))).toBeLessThan(ROUNDING);
    expect(values[0]! * values[5]!).toBeLessThan(0);
  });
});

describe("scaling", () => {
  test("points of a plane keep all distances", () => {
    const flat = multiplyRight(gaussian(7, 2, 1, normal(5)), frame(5, 2, normal(6)));
    const { points, stress } = scalePoints(flat);
    expect(stress).toBeLessThan(1e-6);
    expect(points.columns).toBe(2);
  });
  test("no map is worse than the principal components", () => {
    const cloud = gaussian(8, 6, 1, normal(8));
    const plane = classical(cloud);
    const first = zeros(8, 2);
    for (let i = 0; i < 8; i++) for (let j = 0; j < 2; j++) first.data[2 * i + j] = plane.data[8 * i + j]!;
    const between = (a: Matrix): number[] =>
      Array.from({ length: 8 }, (_, i) =>
        Array.from({ length: i }, (__, j) =>
          Math.hypot(
            ...Array.from({ length: a.columns }, (___, k) => a.data[i * a.columns + k]! - a.data[j * a.columns + k]!),
          ),
        ),
      ).flat();
    const wanted = between(cloud);
    const miss = (a: Matrix): number =>
      Math.sqrt(
        between(a).reduce((sum, value, i) => sum + (value - wanted[i]!) ** 2, 0) /
          wanted.reduce((sum, value) => sum + value ** 2, 0),
      );
    const { points, stress } = scalePoints(cloud);
    expect(Math.abs(miss(points) - stress)).toBeLessThan(ROUNDING);
    expect(stress).toBeLessThan(miss(first));
  });
  test("the map is a stationary point of the stress", () => {
    const cloud = gaussian(6, 5, 1, normal(4));
    const { points } = scalePoints(cloud);
    const between = (a: Matrix, i: number, j: number): number =>
      Math.hypot(
        ...Array.from({ length: a.columns }, (_, k) => a.data[i * a.columns + k]! - a.data[j * a.columns + k]!),
      );
    for (let i = 0; i < 6; i++) {
      let [pull, size] = [0, 0];
      for (let j = 0; j < 6; j++) {
        if (i === j) continue;
        pull += (1 - between(cloud, i, j) / between(points, i, j)) * (points.data[2 * i]! - points.data[2 * j]!);
        size += between(cloud, i, j);
      }
      // majorisation converges linearly: what is left after its steps is far below what a page can show
      expect(Math.abs(pull)).toBeLessThan(1e-3 * size);
    }
  });
  test("a rotation is undone", () => {
    const cloud = gaussian(8, 4, 1, normal(1));
    expect(off(rotated(multiply(cloud, transpose(frame(6, 4, normal(2)))), cloud), cloud)).toBeLessThan(ROUNDING);
    expect(off(rotated(scale(cloud, 2), cloud), scale(cloud, 2))).toBeLessThan(ROUNDING);
  });
});
