/** In-context regression by linear attention against the library's numbers in golden/attention.json. */
import { describe, expect, test } from "vitest";
import file from "../golden/attention.json";
import { LinearAttention } from "../src/learn/attention";
import {
  alignedWins,
  componentDistance,
  diagonal,
  plateaus,
  race,
  rates,
  reach,
  risk,
  strengthOf,
} from "../src/theory/attention";

/** Both sides are double precision. */
const DIGITS = 1e-9;
/** Heads are followed by two integrators with tolerance 1e-7 and stopped at slightly different places of their path. */
const FOLLOWED = 1e-4;

type Num = number | "inf";
const real = (value: Num): number => (value === "inf" ? Infinity : value);
const golden: any = file;
const taskOf = (c: any) => ({ eigenvalues: c.eigenvalues as number[], length: real(c.length) });

function miss(found: readonly number[], expected: readonly number[], floor = 0): number {
  expect(found.length).toBe(expected.length);
  return Math.max(...found.map((value, i) => Math.abs(value - expected[i]!) / Math.max(Math.abs(expected[i]!), floor)));
}

test("plateaus and final strengths", () => {
  for (const c of golden.levels) {
    expect(miss(plateaus(taskOf(c)), c.plateaus, 1)).toBeLessThan(DIGITS);
    expect(miss(rates(taskOf(c)).ends, c.ends)).toBeLessThan(DIGITS);
  }
});

test("loss, risk and distance from principal-component regression of any map", () => {
  for (const c of golden.maps) {
    const map = c.map.flat();
    expect(miss([risk(taskOf(c), map, real(c.length))], [c.loss])).toBeLessThan(DIGITS);
    expect(
      miss(
        c.examples.map((n: number) => risk(taskOf(c), map, n)),
        c.risk,
      ),
    ).toBeLessThan(DIGITS);
    expect(miss(componentDistance(taskOf(c), map), c.component_distance)).toBeLessThan(DIGITS);
  }
});

test("heads on the components are chains of three", () => {
  for (const c of golden.chains) {
    const wins = alignedWins(taskOf(c), c.eigenvalues.length, c.layer);
    const strengths = wins.map((win) => strengthOf(win, c.times));
    strengths.forEach((row, d) => expect(miss(row, c.strengths[d])).toBeLessThan(DIGITS));
    const loss = c.times.map((_: number, i: number) =>
      risk(taskOf(c), diagonal(strengths.map((row) => row[i]!)), real(c.length)),
    );
    // with infinitely many examples the loss tends to zero
    expect(miss(loss, c.loss, c.loss[0])).toBeLessThan(DIGITS);
  }
});

describe("the race of heads", () => {
  for (const c of golden.races) {
    test(`${c.value.length} heads, ${c.eigenvalues.length} components`, () => {
      const wins = race(taskOf(c), c);
      expect(wins.map(({ component }) => component)).toEqual(c.components);
      expect(wins.map(({ head }) => head)).toEqual(c.heads);
      expect(
        miss(
          wins.map((win) => reach(win, 0.5)),
          c.times,
        ),
      ).toBeLessThan(FOLLOWED);
    });
  }
});

test("training is the library's", () => {
  for (const c of golden.training) {
    const network = new LinearAttention(taskOf(c), c);
    let done = 0;
    c.steps.forEach((step: number, i: number) => {
      for (; done < step; done++) network.step(c.rate);
      expect(miss(Array.from(network.map), c.map[i].flat(), 1)).toBeLessThan(DIGITS);
      expect(miss([risk(taskOf(c), network.map, real(c.length))], [c.loss[i]])).toBeLessThan(DIGITS);
    });
  }
});
