/** Addition on a clock: the gradient, the conserved growth of a wave, and the order in which waves are learned. */
import { expect, test } from "vitest";
import { Quadratic } from "../src/learn/quadratic";
import { normal } from "../src/learn/random";
import { defaults } from "../src/state";
import { ignitions, powers, templateOf } from "../src/theory/waves";
import type { Topic } from "../src/topic";
import { addition, type Trained } from "../src/topics/addition";

const weightsOf = (p: number, units: number, size: number, seed: number): Float64Array => {
  const draw = normal(seed);
  return new Float64Array(3 * p * units).map(() => size * draw());
};

test("a step goes down the gradient of the loss", () => {
  const [template, weights] = [templateOf(5, 0.8), weightsOf(5, 4, 0.5, 1)];
  const { descent } = new Quadratic(template, weights);
  for (const i of [0, 7, 13, 29, 44]) {
    const at = (by: number): number => {
      const moved = weights.slice();
      moved[i]! += by;
      return new Quadratic(template, moved).loss;
    };
    expect(descent[i]).toBeCloseTo((at(-1e-5) - at(1e-5)) / 2e-5, 6);
  }
});

test("the loss of a silent network is the sum of its waves", () => {
  const template = templateOf(7, 0.8);
  const silent = new Quadratic(template, new Float64Array(3 * 7));
  expect(silent.loss).toBeCloseTo(
    powers(template).reduce((sum, power) => sum + power, 0),
    12,
  );
});

test("an aligned unit diverges when the closed form says", () => {
  // u, v and w are the same wave: da/dt = C a², large at (1/a₀ − 1/a₁)/C
  const [p, size] = [7, 1e-3];
  const template = templateOf(p, 0.8);
  const wave = Array.from({ length: p }, (_, j) => size * Math.sqrt(2 / p) * Math.cos((2 * Math.PI * j) / p));
  const rate = Math.SQRT2 * (p / 2) ** 3 * p ** -1.5;
  const [first] = ignitions(template, new Float64Array([...wave, ...wave, ...wave]));
  expect(first! / ((1 / size - Math.sqrt(3) / 0.5) / rate)).toBeCloseTo(1, 3);
});

test("a small unit grows as its waves do, apart from each other", () => {
  const [p, size] = [7, 0.004];
  const template = templateOf(p, 0.8);
  const weights = weightsOf(p, 1, size, 3);
  const time = Math.min(...ignitions(template, weights));
  const network = new Quadratic(template, weights);
  const norm = (): number => Math.sqrt(network.weights.reduce((sum, value) => sum + value * value, 0));
  let t = 0;
  for (; norm() < 0.3 && t < 2 * time; t += 0.01) network.step(0.01);
  expect(t / time).toBeGreaterThan(0.9);
  expect(t / time).toBeLessThan(1.1);
});

test("the trained network learns the waves in the predicted order and all sums", () => {
  const state = defaults(addition as Topic);
  let last: Trained | undefined;
  for (const snapshot of addition.live!.run(state)) last = snapshot;
  expect(last!.right).toBe(1);
  expect(addition.view(state, last).sentence).toContain("the predicted order");
});
