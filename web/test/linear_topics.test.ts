/** The modes, rich-and-lazy and two-points topics: what they say is finite everywhere, and networks do what is predicted. */
import { describe, expect, test } from "vitest";
import { PairNetwork } from "../src/learn/pair";
import { complete } from "../src/state";
import { dot } from "../src/theory/matrix";
import type { Lines, Slider, State, Topic } from "../src/topic";
import { lazy } from "../src/topics/lazy";
import { modes } from "../src/topics/modes";
import { points } from "../src/topics/points";

/** Mean difference of loss curves: gradient descent at a tenth of the best step is some per cent slower than the flow. */
const STEP_ERROR = 0.02;
/** From random weights a mode's own start scatters about the mean that the prediction uses: by a factor e it is 1/2s early or late. */
const SCATTER = 0.1;
/** A tenth of the curves' size: the theory takes a small deep network for two linear maps. */
const FOLLOWED = 0.1;

function at(topic: Topic<any>, wanted: Partial<State> = {}): State {
  const { state, misfits } = complete(topic, wanted);
  expect(misfits).toEqual([]);
  return state;
}

function trained<Snapshot>(topic: Topic<Snapshot>, wanted: Partial<State>): number {
  const state = at(topic, wanted);
  let last: Snapshot | undefined;
  for (const snapshot of topic.live!.run(state)) last = snapshot;
  return topic.view(state, last).numbers.find(({ id }) => id === "area")!.value;
}

describe("every end of every control", () => {
  for (const topic of [modes, lazy, points] as Topic<any>[]) {
    const controls = typeof topic.controls === "function" ? topic.controls({}) : topic.controls;
    const states = controls.flatMap((control): Partial<State>[] => {
      if (control.kind === "choice") return control.options.map(({ value }) => ({ [control.id]: value }));
      return [(control as Slider).min, (control as Slider).max].map((value) => ({ [control.id]: value }));
    });
    test(topic.id, () => {
      for (const wanted of states) {
        const view = topic.view(at(topic, wanted));
        const said = JSON.stringify(wanted);
        expect(view.sentence, said).toMatch(/\.$/);
        expect(view.sentence, said).not.toMatch(/NaN|Infinity|undefined/);
        for (const { id, value } of view.numbers) expect(Number.isFinite(value), `${said} ${id}`).toBe(true);
        expect(new Set(view.charts.map(({ id }) => id)).size).toBe(view.charts.length);
        for (const chart of view.charts) {
          const values =
            chart.kind === "lines"
              ? chart.lines.flatMap(({ y }) => y)
              : chart.kind === "heat"
                ? chart.matrix.flat()
                : chart.points.flatMap(({ x, y, trail }) => [x, y, ...(trail ?? []).flat()]);
          expect(values.every(Number.isFinite), `${said} ${chart.id}`).toBe(true);
        }
      }
    });
  }
});

describe("networks beside predictions", () => {
  for (const depth of ["1", "2", "3"]) {
    test(`${depth} layers on the modes`, () => expect(trained(modes, { depth, start: 0.01 })).toBeLessThan(STEP_ERROR));
  }
  test("two layers at random, whose modes are mixed at first", () => {
    expect(trained(modes, { weights: "random", start: 1e-4 })).toBeLessThan(SCATTER);
  });
  for (const [shape, lambda] of [
    ["square", 0],
    ["funnel", -2],
    ["fan", 1],
  ] as const) {
    test(`${shape}, λ = ${lambda}`, () =>
      expect(trained(lazy, { shape, lambda, scale: 0.1 })).toBeLessThan(STEP_ERROR));
  }
});

describe("a network that learns two points", () => {
  const wanted = { dx: 0.5, dy: 1, encoder: 0.3, decoder: 2, cosine: -0.4 };
  test("starts where it is asked to", () => {
    const { h, y, w } = new PairNetwork(wanted, 3).state;
    expect(h).toBeCloseTo((0.3 * 0.5) ** 2, 12);
    expect(y).toBeCloseTo(4 * h, 12);
    expect(w).toBeCloseTo(y + 0.4 * Math.sqrt(y), 12);
  });
  test("descends along its gradient", () => {
    const network = new PairNetwork(wanted, 3);
    const change = network.descent();
    const slope = change.reduce((sum, one) => sum + dot(one, one), 0);
    const before = network.loss;
    network.step(1e-7);
    // the loss falls by rate·‖∇L‖², up to the next order of the rate
    expect((before - network.loss) / (1e-7 * slope)).toBeCloseTo(1, 4);
  });
  test("is followed by the theory with fitted rates", () => {
    const state = at(points, { encoder: 0.3, decoder: 0.3 });
    const live = [...points.live!.run(state)].at(-1)!;
    const numbers = Object.fromEntries(points.view(state, live).numbers.map(({ id, value }) => [id, value]));
    expect(numbers.fit_error).toBeLessThan(FOLLOWED);
    expect(Math.abs(numbers.fit_final! / numbers.network_final! - 1)).toBeLessThan(FOLLOWED);
  });
});

describe("what is said", () => {
  const said = (topic: Topic<any>, wanted: Partial<State>): string => topic.view(at(topic, wanted)).sentence;
  test("regimes by shape and sign", () => {
    const word = (shape: string, lambda: number): string =>
      /is (lazy|rich|delayed rich):/.exec(said(lazy, { shape, lambda }))![1]!;
    expect([word("square", 10), word("square", -10), word("square", 0)]).toEqual(["lazy", "lazy", "rich"]);
    expect([word("funnel", 10), word("funnel", -10)]).toEqual(["lazy", "delayed rich"]);
    expect([word("fan", 10), word("fan", -10)]).toEqual(["delayed rich", "lazy"]);
  });
  test("one layer has no stages", () => expect(said(modes, { depth: "1" })).toContain("no stages"));
  test("small weights wait, large ones do not", () => {
    expect(said(points, { encoder: 0.03, decoder: 0.03 })).toContain("long plateau");
    expect(said(points, { encoder: 5 })).toContain("lazy regime; the error falls without a plateau");
  });
  test("the map's trails begin together and end at the final map", () => {
    const view = modes.view(at(modes, { start: 1e-5 }));
    const map = view.charts.find(({ id }) => id === "representation")!;
    if (map.kind !== "scatter") throw new Error("the map is a scatter");
    const spread = (k: number): number => Math.max(...map.points.map(({ trail }) => Math.hypot(...trail!.at(k)!)));
    expect(spread(0)).toBeLessThan(0.02 * spread(-1));
    const strengths = view.charts.find(({ id }) => id === "strengths") as Lines;
    expect(strengths.lines.every(({ y }) => y.every((value, i) => i === 0 || value >= y[i - 1]! - 1e-12))).toBe(true);
  });
});
