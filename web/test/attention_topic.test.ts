/** The in-context topic: finite everywhere, and attention does what is predicted. */
import { describe, expect, test } from "vitest";
import { complete } from "../src/state";
import type { State } from "../src/topic";
import { inContext } from "../src/topics/in_context";

/** Gradient descent at a twentieth of the stable step is near the flow. */
const STEP_ERROR = 0.02;
/** The race of heads is a theory of small weights: within 5 % in time below a weight of 0.02, which shifts drops of the loss. */
const RACE_ERROR = 0.1;

function at(wanted: Partial<State>): State {
  const { state, misfits } = complete(inContext as never, wanted);
  expect(misfits).toEqual([]);
  return state;
}

test("all corners of the settings are finite", () => {
  for (const start of [0.01, 0.1])
    for (const heads of [1, 8])
      for (const dimension of [2, 5])
        for (const ratio of [0.4, 0.9])
          for (const weights of ["random", "aligned"])
            for (const length of ["2", "inf"]) {
              const wanted = { start, heads, dimension, ratio, weights, length };
              const { numbers, sentence, charts } = inContext.view(at(wanted));
              expect(
                numbers.filter(({ value }) => !Number.isFinite(value)),
                JSON.stringify(wanted),
              ).toEqual([]);
              expect(sentence).not.toMatch(/NaN|undefined|Infinity/);
              for (const chart of charts)
                if (chart.kind === "lines")
                  expect(
                    chart.lines.every(({ y }) => y.every(Number.isFinite)),
                    chart.id,
                  ).toBe(true);
            }
});

describe("trained attention", () => {
  const gap = (wanted: Partial<State>): number => {
    const state = at(wanted);
    const live = [...inContext.live!.run(state)].at(-1);
    return inContext.view(state, live).numbers.find(({ id }) => id === "area")!.value;
  };
  test("follows the closed form from heads on the components", () =>
    expect(gap({ weights: "aligned" })).toBeLessThan(STEP_ERROR));
  test("is near the race of heads from small random ones", () =>
    expect(gap({ weights: "random", start: 0.01 })).toBeLessThan(RACE_ERROR));
});

test("one head learns one component, and says why it stops", () => {
  expect(inContext.view(at({ heads: 1 })).sentence).toContain("above the lowest possible");
  expect(inContext.view(at({})).charts.find(({ id }) => id === "loss")).toMatchObject({ marks: { length: 4 } });
});
