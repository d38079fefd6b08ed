/** The race and contexts topics: what they say, what they train, how their controls fit together. */
import { describe, expect, test } from "vitest";
import { complete, controlsOf } from "../src/state";
import type { Button, Lines, State, Topic } from "../src/topic";
import { contexts } from "../src/topics/contexts";
import { race } from "../src/topics/race";

/** Two steps of 0.4: what the experiment `transition` claims of the prediction. */
const TWO_STEPS = 2;

function at(topic: Topic<any>, wanted: Partial<State>): State {
  const { state, misfits } = complete(topic, wanted);
  expect(misfits).toEqual([]);
  return state;
}

function trained<Snapshot>(topic: Topic<Snapshot>, state: State): Snapshot[] {
  return [...topic.live!.run(state)];
}

function quantities(topic: Topic<any>, state: State, live?: unknown): Record<string, number> {
  return Object.fromEntries(topic.view(state, live).numbers.map(({ id, value }) => [id, value]));
}

function chart(topic: Topic<any>, state: State, id: string, live?: unknown): Lines {
  return topic.view(state, live).charts.find((found) => found.id === id) as Lines;
}

describe("race", () => {
  test.each([0, 0.5, 1.2, 2, 3])("ReLU networks learn like the faster gating at Δ = %f", (delta) => {
    const state = at(race, { delta });
    const live = trained(race, state).at(-1)!;
    const found = quantities(race, state, live);
    const best = Math.min(found.steps_linear!, found.steps_xor!);
    expect(Math.abs(found.steps_relu! - best)).toBeLessThan(TWO_STEPS);
    expect(race.view(state, live).sentence).toContain("as predicted");
    const { xor, linear } = live.shares!;
    expect(delta < Math.sqrt(2 / 3) ? xor : linear).toBeGreaterThan(0.9);
  });

  test("says who wins on both sides of the crossover, before any training", () => {
    expect(race.view(at(race, { delta: 0.3 })).sentence).toContain(
      "below the crossover √(2/3) ≈ 0.82, the XOR gating wins",
    );
    expect(race.view(at(race, { delta: 1.5 })).sentence).toContain(
      "above the crossover √(2/3) ≈ 0.82, the linear gating wins",
    );
    expect(race.view(at(race, { delta: 0 })).sentence).toContain("the linear one never");
    expect(race.view(at(race, { delta: Math.sqrt(2 / 3) })).sentence).toContain("both gatings learn in 60 steps");
  });

  test("training yields growing curves, then learning times at all margins", () => {
    const state = at(race, { rate: 0.1, units: 512 });
    const seen = trained(race, state);
    expect(seen.length).toBeGreaterThan(15);
    expect(seen[0]!.losses[0]!.length).toBe(seen[0]!.steps.length);
    expect(seen[0]!.steps.length).toBeLessThan(seen.at(-1)!.steps.length);
    expect(seen.at(-1)!.sweep).toHaveLength(13);
    const times = chart(race, state, "time", seen.at(-1));
    expect(times.lines[0]!.x).toHaveLength(13);
    expect(times.marks!.map(({ at }) => at)).toEqual([Math.sqrt(2 / 3), 0.5]);
  });

  test("the time axis ends soon after both gatings have learned, whatever the margin and scale", () => {
    for (const wanted of [{}, { delta: 0 }, { delta: 3 }, { scale: 1 }, { scale: 1e-6 }]) {
      const state = at(race, wanted);
      const { steps_linear, steps_xor } = quantities(race, state);
      const [, last] = chart(race, state, "loss").x.range!;
      const best = Math.min(steps_linear!, steps_xor!);
      expect(last).toBeGreaterThanOrEqual(best);
      expect(last).toBeLessThan(Math.max(3.1 * best, 11));
    }
  });

  test("a visible misfit is said: from large weights nothing is as predicted", () => {
    const state = at(race, { scale: 1 });
    const { sentence, numbers } = race.view(state, trained(race, state).at(-1)!);
    expect(numbers.find(({ id }) => id === "area")!.value).toBeGreaterThan(0.1);
    expect(sentence).not.toContain("as predicted");
    expect(sentence).toContain("departs visibly from the prediction");
  });

  test("training depends on every setting", () => {
    const keys = [{}, { delta: 1 }, { scale: 1e-3 }, { units: 64 }, { rate: 0.2 }].map((wanted) =>
      race.live!.key(at(race, wanted)),
    );
    expect(new Set(keys).size).toBe(5);
  });
});

describe("contexts", () => {
  const press = (id: string, state: State): State => {
    const button = controlsOf(contexts as Topic<any>, state).find((control): control is Button => control.id === id)!;
    return at(contexts, { ...state, ...button.press(state) } as Partial<State>);
  };

  test.each([2, 3, 4, 5])("with %d contexts the presets fit the grid and say what they are", (count) => {
    const state = at(contexts, { contexts: count });
    const said = ["but_one", "single", "all", "common"].map((id) => contexts.view(press(id, state)).sentence);
    said.forEach((sentence) => expect(sentence).toMatch(/^With a common pathway/));
    expect(new Set(said).size).toBe(count === 2 ? 2 : 4);
    expect(contexts.view(press("but_one", state))).toEqual(contexts.view(state));
  });

  test("pathways open in all contexts but one learn sooner than single ones, and win where both race", () => {
    for (const count of [3, 4, 5]) {
      const state = at(contexts, { contexts: count });
      const times = ["but_one", "single"].map((id) => quantities(contexts, press(id, state)).time!);
      expect(times[0]!).toBeLessThan(times[1]!);
      const { lines } = chart(contexts, press("all", state), "strengths");
      const last = (label: string): number => lines.find((line) => line.label === label)!.y.at(-1)!;
      expect(last(`open in ${count - 1} contexts`)).toBeGreaterThan(10 * last("open in 1 context"));
    }
  });

  test("a linear network alone cannot learn contexts", () => {
    const state = press("common", at(contexts, {}));
    expect(quantities(contexts, state).time).toBe(Infinity);
    expect(contexts.view(state).sentence).toContain("still has loss 0.71 of 4");
    expect(chart(contexts, state, "values").lines).toHaveLength(1);
  });

  test("no pathway at all", () => {
    const state = at(contexts, { gates: Array.from({ length: 7 }, () => [false, false, false]) });
    const view = contexts.view(state);
    expect(view.sentence).toContain("no pathway at all");
    expect(quantities(contexts, state)).toEqual({ time: Infinity, loss_end: 4 });
    expect(contexts.python(state)).toContain("np.inf");
  });

  test("ReLU networks are trained beside, and their gates counted", () => {
    const state = at(contexts, { contexts: 2, units: 50 });
    const seen = trained(contexts, state);
    const live = seen.at(-1)!;
    expect(seen.slice(0, -1).every(({ shares }) => shares === undefined)).toBe(true);
    expect(live.shares!.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
    const loss = chart(contexts, state, "loss", live);
    expect(loss.lines).toHaveLength(4);
    expect(loss.lines[3]!.y).toHaveLength(loss.x.values.length);
    const found = quantities(contexts, state, live);
    // narrow networks follow the race less closely than wide ones; ten times the claim's 0.05 would be another curve
    expect(found.area).toBeLessThan(0.2);
    expect(contexts.view(state, live).sentence).toContain("in units that are active in a single context");
  });

  test("training does not begin again when only gates change", () => {
    const state = at(contexts, {});
    expect(contexts.live!.key(press("single", state))).toBe(contexts.live!.key(state));
    expect(contexts.live!.key(at(contexts, { contexts: 4 }))).not.toBe(contexts.live!.key(state));
  });
});
