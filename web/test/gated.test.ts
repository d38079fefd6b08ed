/** The race and contexts topics' theory and training against the library's numbers (golden/make_gated.py). */
import { describe, expect, test } from "vitest";
import file from "../golden/gated.json";
import { normal, uniform } from "../src/learn/random";
import { ReluNetwork } from "../src/learn/relu";
import { contextTask, extendedXor } from "../src/learn/task";
import { race, START_LOSS, singularValues } from "../src/theory/contexts";
import {
  CROSSOVER,
  linearGating,
  predictedLoss,
  startStrength,
  stepsTo,
  strength,
  xorGating,
} from "../src/theory/gated";
import { integrate } from "../src/theory/integrate";
import { area, firstPassage } from "../src/theory/passage";

interface Golden {
  rate: number;
  units: number;
  criterion: number;
  xor: { gating: string; delta: number; std: number; s: number; d: number; steps: number[]; loss: number[] }[];
  races: {
    contexts: number;
    subsets: number[][];
    start: number;
    times: number[];
    loss: number[];
    strengths: number[][];
    raw: number[][];
    left: number[][] | null;
  }[];
  trained: {
    x: number[][];
    y: number[][];
    first: number[][];
    second: number[][];
    rate: number;
    loss: number[];
    last: [number[][], number[][]];
  }[];
  tasks: {
    xor: { delta: number; x: number[][]; y: number[][] }[];
    context: { contexts: number; x: number[][]; gram: number[][] }[];
  };
}
const golden = file as unknown as Golden;

/** Both sides compute the same formula in double precision. */
const EXACT = 1e-9;
/** The library integrates the race to a relative 1e-9 a step; errors add up over growth by eight orders of magnitude. */
const INTEGRATED = 1e-6;

function gap(a: ArrayLike<number>, b: ArrayLike<number>): number {
  expect(a.length).toBe(b.length);
  let worst = 0;
  for (let i = 0; i < a.length; i++) worst = Math.max(worst, Math.abs(a[i]! - b[i]!));
  return worst;
}

describe("extended XOR", () => {
  test.each(golden.xor)("$gating gating at Δ = $delta from std $std", ({ gating, delta, std, s, d, steps, loss }) => {
    const own = gating === "linear" ? linearGating(delta) : xorGating(delta);
    expect(Math.abs(own.s - s)).toBeLessThan(EXACT);
    expect(Math.abs(own.d - d)).toBeLessThan(EXACT);
    const start = startStrength(own, golden.units, std);
    expect(
      gap(
        steps.map((step) => predictedLoss(own, step, golden.rate, start)),
        loss,
      ),
    ).toBeLessThan(EXACT);
  });

  test("both gatings are equally fast at the crossover and only there", () => {
    expect(linearGating(CROSSOVER).s).toBeCloseTo(xorGating(CROSSOVER).s, 14);
    expect(linearGating(CROSSOVER - 0.01).s).toBeLessThan(xorGating(CROSSOVER - 0.01).s);
    expect(linearGating(CROSSOVER + 0.01).s).toBeGreaterThan(xorGating(CROSSOVER + 0.01).s);
  });

  test.each([0.1, 0.7, 1, 3])("the loss is at the criterion after stepsTo, Δ = %f", (delta) => {
    for (const gating of [linearGating(delta), xorGating(delta)]) {
      const steps = stepsTo(gating, golden.criterion, golden.rate, 1e-8);
      expect(Math.abs(predictedLoss(gating, steps, golden.rate, 1e-8) - golden.criterion)).toBeLessThan(EXACT);
    }
  });

  test("limits: no margin, a start beyond the criterion, no start, infinite time", () => {
    expect(stepsTo(linearGating(0), 0.2, 0.4, 1e-8)).toBe(Infinity);
    expect(predictedLoss(linearGating(0), 50, 0.4, 1e-8)).toBe(0.5);
    expect(stepsTo(xorGating(1), 0.2, 0.4, 10)).toBe(0);
    expect(stepsTo(xorGating(1), 0.2, 0.4, 0)).toBe(Infinity);
    expect(strength(10, 1, 2, 0)).toBe(0);
    expect(strength(Infinity, 1, 2, 1e-3)).toBeCloseTo(0.5, 14);
    expect(strength(3, 0, 2, 0.1)).toBeCloseTo(0.1 / (1 + 2 * 2 * 0.1 * 3), 14);
  });
});

describe("contexts", () => {
  test.each(golden.races)("the race of $subsets in $contexts contexts", (given) => {
    const { contexts, subsets, start, times, loss, strengths, raw, left } = given;
    const gates = subsets.map((subset) => Array.from({ length: contexts }, (_, c) => subset.includes(c)));
    const found = race(contexts, gates, start, times, 1e-10);
    expect(gap(found.loss, loss)).toBeLessThan(INTEGRATED);
    strengths.forEach((row, p) => expect(gap(found.strengths[p]!, row)).toBeLessThan(INTEGRATED));
    subsets.forEach((subset, p) => {
      const values = singularValues(contexts, subset.length);
      expect(gap(values.raw, raw[p]!)).toBeLessThan(EXACT);
      if (left && subset.length < contexts) expect(gap(values.left, left[p]!)).toBeLessThan(EXACT);
    });
    // what the page draws is integrated less finely
    expect(gap(race(contexts, gates, start, times).loss, loss)).toBeLessThan(1e-4);
  });

  test("a closed row is no pathway, and without pathways nothing is learned", () => {
    const times = [0, 50, 200];
    const alone = race(3, [[true, true, false]], 1e-6, times);
    const beside = race(
      3,
      [
        [false, false, false],
        [true, true, false],
      ],
      1e-6,
      times,
    );
    expect(beside.loss).toEqual(alone.loss);
    expect(beside.strengths[0]).toEqual([0, 0, 0]);
    race(3, [[false, false, false]], 1e-6, times).loss.forEach((loss) => expect(loss).toBeCloseTo(START_LOSS, 12));
    race(4, [], 1e-6, times).loss.forEach((loss) => expect(loss).toBeCloseTo(START_LOSS, 12));
  });

  test("renaming contexts changes nothing but the names", () => {
    const times = [0, 40, 120];
    const one = race(
      3,
      [
        [true, true, true],
        [true, false, false],
      ],
      1e-6,
      times,
      1e-10,
    );
    const other = race(
      3,
      [
        [true, true, true],
        [false, false, true],
      ],
      1e-6,
      times,
      1e-10,
    );
    expect(gap(one.loss, other.loss)).toBeLessThan(EXACT);
    expect(gap(one.strengths[1]!, other.strengths[1]!)).toBeLessThan(EXACT);
  });

  test("pathways open in one context and in all but one are tied on what the common one leaves", () => {
    expect(gap(singularValues(5, 1).left, singularValues(5, 4).left)).toBeLessThan(EXACT);
    expect(singularValues(5, 4).raw[0]).toBeGreaterThan(singularValues(5, 1).raw[0]!);
  });
});

describe("training", () => {
  test.each(golden.trained.map((run, i) => ({ i, run })))("run $i follows the library's", ({ run }) => {
    const network = ReluNetwork.from(run, run);
    const losses = run.loss.slice(1).map(() => network.step(run.rate));
    losses.push(network.loss());
    expect(gap(losses, run.loss)).toBeLessThan(EXACT);
    expect(gap(network.first, run.last[0].flat())).toBeLessThan(EXACT);
    const second = run.last[1].map((row, o) => row.map((_, h) => network.second[h * network.outputs + o]!));
    expect(gap(second.flat(), run.last[1].flat())).toBeLessThan(EXACT);
  });

  test.each(golden.tasks.xor)("the task at Δ = $delta", ({ delta, x, y }) => {
    const task = extendedXor(delta);
    expect(gap(task.x.flat(), x.flat())).toBe(0);
    expect(gap(task.y.flat(), y.flat())).toBe(0);
  });

  test.each(golden.tasks.context)("the task of $contexts contexts, rotated", ({ contexts, x, gram }) => {
    const task = contextTask(contexts);
    expect(task.x).toEqual(x);
    const found = task.y.map((a) => task.y.map((b) => a.reduce((sum, value, i) => sum + value * b[i]!, 0)));
    expect(gap(found.flat(), gram.flat())).toBeLessThan(EXACT);
  });

  test("a unit's size is what it adds to the map", () => {
    const network = ReluNetwork.from(extendedXor(1), {
      first: [
        [0, 0, 1],
        [0, 0, -2],
      ],
      second: [[3, 0]],
    });
    network.loss();
    expect(Array.from(network.sizes())).toEqual([Math.SQRT2 * 3, 0].map((v) => expect.closeTo(v, 12) as number));
  });
});

describe("numbers", () => {
  test("seeds give the same normal numbers each time, others others, with mean 0 and variance 1", () => {
    const draws = Array.from({ length: 20000 }, normal(3));
    expect(Array.from({ length: 20000 }, normal(3))).toEqual(draws);
    expect(normal(4)()).not.toBe(draws[0]);
    const mean = draws.reduce((sum, z) => sum + z, 0) / draws.length;
    const power = draws.reduce((sum, z) => sum + z * z, 0) / draws.length;
    // five standard errors of 20000 draws
    expect(Math.abs(mean)).toBeLessThan(5 / Math.sqrt(20000));
    expect(Math.abs(power - 1)).toBeLessThan(5 * Math.sqrt(2 / 20000));
    const low = Array.from({ length: 20000 }, uniform(3)).filter((u) => u < 0.25).length;
    expect(Math.abs(low / 20000 - 0.25)).toBeLessThan(5 * Math.sqrt(0.1875 / 20000));
  });

  test("firstPassage and area", () => {
    expect(firstPassage([0, 1, 2], [1, 0.5, 0], 0.25)).toBeCloseTo(1.5, 14);
    expect(firstPassage([0, 1], [1, 0.5], 0.25)).toBe(Infinity);
    expect(firstPassage([3, 4], [0.1, 0], 0.25)).toBe(3);
    expect(area([0, 1, 3], [1, 1, 1], [2, 2, 2])).toBeCloseTo(0.5, 14);
  });

  test("the integrator on a circle, at the times asked for", () => {
    const seen: number[][] = [];
    const circle = (y: Float64Array, d: Float64Array): void => {
      d[0] = -y[1]!;
      d[1] = y[0]!;
    };
    integrate(circle, Float64Array.of(1, 0), [0, 1, 1, 10], 1e-10, 1e-12, (_, y) => void seen.push(Array.from(y)));
    [0, 1, 1, 10].forEach((t, i) => expect(gap(seen[i]!, [Math.cos(t), Math.sin(t)])).toBeLessThan(1e-8));
  });

  test("the integrator stops where numbers are no longer finite", () => {
    const explode = (y: Float64Array, d: Float64Array): void => {
      d[0] = y[0]! ** 2;
    };
    expect(() => integrate(explode, Float64Array.of(1), [2], 1e-8, 1e-8, () => {})).toThrow();
  });
});
