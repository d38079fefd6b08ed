/** Modes, λ-balanced networks, pairs of points, structures and training against the library's numbers in golden/linear.json. */

import { describe, expect, test } from "vitest";
import file from "../golden/linear.json";
import { DeepLinear } from "../src/learn/linear";
import { balancedWeights, kernelDistance, solveBalanced } from "../src/theory/balanced";
import { fitRates } from "../src/theory/fit";
import { fromRows, type Matrix, multiplyRight, pick, toRows } from "../src/theory/matrix";
import { grow, imbalanced, strength, timeToStrength, wrightOmega } from "../src/theory/modes";
import { finalDistance, fixedPoints, high, invariant, low, type Pair, solve } from "../src/theory/points";
import { modesOf, STRUCTURES } from "../src/theory/structures";

/** Both sides are double precision; nine digits is what the library itself promises. */
const DIGITS = 1e-9;
/** Two searches for the least squares stop where the error is flat, a square root of rounding from it. */
const FITTED = 1e-6;

type Num = number | "inf";
const real = (value: Num): number => (value === "inf" ? Infinity : value);
const golden: any = file;

/** Largest difference, relative to each expected number or, where that is smaller, to `floor`. */
function miss(found: readonly number[], expected: readonly Num[], floor = 0): number {
  expect(found.length).toBe(expected.length);
  return found.reduce((worst, value, i) => {
    const goal = real(expected[i]!);
    if (value === goal) return worst;
    const off = Math.abs(value - goal) / Math.max(Math.abs(goal), floor);
    return Number.isNaN(off) ? Infinity : Math.max(worst, off);
  }, 0);
}

const flat = (a: Matrix): number[] => Array.from(a.data);

describe("modes", () => {
  for (const c of golden.modes) {
    test(`depth ${c.depth}, s=${c.s}, d=${c.d}, from ${c.start}`, () => {
      const mode = { s: c.s, d: c.d };
      expect(miss(strength(c.times.map(real), mode, c.start, real(c.depth)), c.strengths)).toBeLessThan(DIGITS);
      expect(miss([timeToStrength(c.goal, mode, c.start, real(c.depth))], [c.time])).toBeLessThan(DIGITS);
    });
  }
  test("growing and decaying parts", () => {
    for (const c of golden.grow) {
      const found = c.times.map((t: Num) => grow(real(t), c, c.rho, c.kappa));
      expect(
        miss(
          found.map((f: number[]) => f[0]),
          c.growing,
        ),
      ).toBeLessThan(DIGITS);
      expect(
        miss(
          found.map((f: number[]) => f[1]),
          c.decaying,
        ),
      ).toBeLessThan(DIGITS);
    }
  });
  test("Wright's omega solves its equation over all sizes", () => {
    for (let y = -700; y < 1e8; y = y < 50 ? y + 1.37 : 3 * y) {
      const w = wrightOmega(y);
      expect(Math.abs(w + Math.log(w) - y)).toBeLessThan(1e-13 * (1 + Math.abs(y)));
    }
  });
});

describe("λ-balanced networks", () => {
  for (const c of golden.balanced) {
    const shape = `${c.cross[0].length}-${c.first.length}-${c.cross.length}`;
    test(`${shape}, λ=${c.lambda}`, () => {
      const first = fromRows(c.first);
      const second = fromRows(c.second);
      const path = solveBalanced({ first, second, cross: fromRows(c.cross), curvature: c.curvature, lambda: c.lambda })(
        c.times,
      );
      // losses and distances that tend to zero are compared with what they started from
      expect(miss(path.loss, c.loss, c.loss[0])).toBeLessThan(DIGITS);
      expect(miss(path.kernelDistance, c.kernel_distance, 1)).toBeLessThan(DIGITS);
      c.seen.forEach((at: number, i: number) => {
        const floor = Math.max(...c.output[i].flat().map(Math.abs), ...c.input[i].flat().map(Math.abs));
        expect(miss(flat(path.map(at)), c.map[i].flat(), floor)).toBeLessThan(DIGITS);
        expect(miss(flat(path.input(at)), c.input[i].flat(), floor)).toBeLessThan(DIGITS);
        expect(miss(flat(path.output(at)), c.output[i].flat(), floor)).toBeLessThan(DIGITS);
      });
      expect(kernelDistance(path.input(0), path.output(0), path.input(0), path.output(0))).toBeLessThan(DIGITS);
    });
  }
});

test("one λ-balanced mode by itself is the network of one unit per layer", () => {
  const times = [0, 0.01, 0.1, 1, 3, 10, Infinity];
  for (const lambda of [-30, -0.4, 0, 1e-9, 2, 500]) {
    for (const start of [1e-6, 0.02, 0.9, 3]) {
      const weights = balancedWeights(fromRows([[start]]), 1, lambda);
      const [expected] = solveBalanced({ ...weights, cross: fromRows([[0.8]]), curvature: 0.5, lambda })(
        times,
      ).strengths;
      expect(miss(imbalanced(times, { s: 0.8, d: 0.5 }, start, lambda), expected!, 1e-3)).toBeLessThan(DIGITS);
    }
  }
});

describe("two points", () => {
  golden.points.forEach(
    (c: { pair: Pair; times: Num[]; h: Num[]; y: Num[]; w: Num[]; [key: string]: any }, i: number) => {
      test(`pair ${i + 1}`, () => {
        const found = solve(c.pair, c.times.map(real));
        const floor = Math.max(c.pair.dy, ...c.y.map(real)) * 1e-3;
        expect(miss(found.h, c.h, 1e-3 * Math.max(...c.h.map(real)))).toBeLessThan(DIGITS);
        expect(miss(found.y, c.y, floor)).toBeLessThan(DIGITS);
        expect(miss(found.w, c.w, floor)).toBeLessThan(DIGITS);
        found.error.forEach((e, k) =>
          expect(Math.abs(e - (2 * found.w[k]! - found.y[k]! + c.pair.dy))).toBeLessThan(DIGITS * 1e3 * floor),
        );
        expect(miss([high(c.pair), low(c.pair), invariant(c.pair)], [c.high, c.low, c.invariant])).toBeLessThan(DIGITS);
        const points = fixedPoints(c.pair).map((p) => [p.h, ...p.eigenvalues]);
        expect(miss(points.flat(), c.fixed_points.flat())).toBeLessThan(DIGITS);
        expect(points[1]![0]).toBe(finalDistance(high(c.pair), low(c.pair)));
      });
    },
  );
});

test("rates fitted to curves that are not quite the theory's", () => {
  for (const c of golden.fits) {
    const { pair, error } = fitRates(c, c.dx, c.dy);
    expect(miss([pair.rateH, pair.rateY, error], [...c.rates, c.error])).toBeLessThan(FITTED);
  }
});

describe("structures", () => {
  for (const c of golden.structures) {
    test(c.id, () => {
      const structure = STRUCTURES.find(({ id }) => id === c.id)!;
      const modes = modesOf(structure);
      expect(miss(Array.from(modes.s), c.strengths)).toBeLessThan(DIGITS);
      expect(structure.items.length).toBe(structure.y.rows);
      expect(structure.properties.length).toBe(structure.y.columns);
      if (c.y) expect(toRows(structure.y)).toEqual(c.y);
      modes.groups.forEach((group, i) => {
        if (c.maps)
          expect(
            miss(flat(multiplyRight(pick(modes.left, group), pick(modes.right, group))), c.maps[i].flat(), 1),
          ).toBeLessThan(DIGITS);
      });
    });
  }
});

describe("training", () => {
  for (const c of golden.training) {
    test(`${c.weights.length} layers`, () => {
      const network = new DeepLinear(c.weights.map(fromRows), fromRows(c.cross), c.curvature);
      let done = 0;
      c.steps.forEach((step: number, i: number) => {
        for (; done < step; done++) network.step(c.rate);
        expect(miss(flat(network.map), c.map[i].flat(), 1)).toBeLessThan(DIGITS);
        expect(miss([network.loss], [c.loss[i]], c.loss[0])).toBeLessThan(DIGITS);
      });
    });
  }
});
