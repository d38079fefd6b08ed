/** What a reader meets: equations, the visual grammar, sizes of letters, tables of their own, verdicts. */
import { describe, expect, test } from "vitest";
import { tickSize } from "../src/draw/frame";
import { drawSchematic } from "../src/draw/schematic";
import { mathml } from "../src/math";
import { DARK, LIGHT, strokeOf } from "../src/palette";
import { defaults } from "../src/state";
import { readTable, regression } from "../src/theory/table";
import { topics } from "../src/topics";
import { percent, verdict } from "../src/topics/verdict";
import { yourData } from "../src/topics/your_data";

test("a trained network is thick and pale, a prediction thin and dark, also where several networks lie on each other", () => {
  const [band, line, thin] = (["trained", "predicted", "reference"] as const).map((role) =>
    strokeOf({ label: "", y: [], role }),
  );
  expect(band!.width).toBeGreaterThan(3 * line!.width);
  expect(band!.opacity).toBeLessThan(0.5);
  expect([line!.opacity, strokeOf({ label: "", y: [] }).width]).toEqual([1, line!.width]);
  expect(thin!.width).toBeLessThan(line!.width);
  const five = strokeOf({ label: "", y: [], role: "trained", among: 5 }).opacity;
  expect(1 - (1 - five) ** 5).toBeCloseTo(band!.opacity, 12);
});

test("what is learned has one colour, whether it is trained or predicted", () => {
  for (const topic of topics) {
    const state = defaults(topic);
    const [live] = topic.live!.run(state);
    const charts = topic.view(state, live).charts.flatMap((chart) => (chart.kind === "lines" ? [chart.lines] : []));
    const colours = (lines: (typeof charts)[number], trained: boolean) =>
      new Set(lines.filter(({ role }) => (role === "trained") === trained).map(({ colour }) => colour));
    expect(
      charts.some((lines) => colours(lines, true).size > 0),
      topic.id,
    ).toBe(true);
    // ink is the loss, in which nothing in particular is learned
    for (const lines of charts)
      for (const colour of colours(lines, true))
        expect(colour === 6 || colours(lines, false).has(colour), topic.id).toBe(true);
  }
});

test("ticks have whole pixels and at least eleven", () => {
  for (const letter of [8, 10, 12, 14, 14.5, 18]) {
    expect(Number.isInteger(tickSize(letter))).toBe(true);
    expect(tickSize(letter)).toBeGreaterThanOrEqual(11);
  }
});

describe("equations", () => {
  test("fractions, roots, indices and words", () => {
    expect(mathml("frac{a}{b_{1}^{2}}")).toContain(
      "<mfrac><mrow><mi>a</mi></mrow><mrow><msubsup><mi>b</mi><mrow><mn>1</mn></mrow><mrow><mn>2</mn></mrow></msubsup></mrow></mfrac>",
    );
    expect(mathml("sqrt{2}")).toContain("<msqrt><mrow><mn>2</mn></mrow></msqrt>");
    expect(mathml('"a < b" x')).toContain("a &#60; b");
    expect(() => mathml("frac{a")).toThrow("open brace");
  });
  test("all of all topics", () => {
    for (const topic of topics)
      for (const line of topic.theory.equations) expect(mathml(line)).not.toMatch(/[{}_^]|undefined/);
  });
});

test("every topic draws its task and network within its frame", () => {
  for (const topic of topics) {
    const drawn = drawSchematic(topic.schematic(defaults(topic)), 14, LIGHT);
    expect(drawn).toMatch(/<circle|<rect/);
    expect(drawn).not.toMatch(/NaN|Infinity|undefined/);
    expect(drawSchematic(topic.schematic(defaults(topic)), 14, DARK)).not.toBe(drawn);
  }
});

test("a verdict says follow, near or depart, and why", () => {
  expect(verdict(0.001, "It", "x")).toContain("follows the prediction");
  expect(verdict(0.07, "It", "x")).toContain("near the prediction, not exactly on it");
  expect(verdict(0.3, "They", "x", true)).toMatch(/depart visibly .* because x: prediction and training differ/);
  expect(verdict(undefined, "It", "x")).toContain("after a network has been trained");
  expect([percent(0.00001), percent(0.0123), percent(0.5)]).toEqual(["below 0.1\u00a0%", "1.2\u00a0%", "50\u00a0%"]);
});

test("every topic has one right answer among its options", () => {
  for (const topic of topics) if (topic.ask) expect(topic.ask.options[topic.ask.right(defaults(topic))!]).toBeTruthy();
});

describe("a table of the reader's own", () => {
  test("is read with names, without names, and with any separator", () => {
    expect(readTable("a,b\n1,2\n2,3\n3,5\n")).toEqual({
      names: ["a", "b"],
      rows: [
        [1, 2],
        [2, 3],
        [3, 5],
      ],
    });
    expect(readTable('id;"x;1";y\np;1;2\nq;2;1\nr;0;4\n')).toEqual({
      names: ["x;1", "y"],
      rows: [
        [1, 2],
        [2, 1],
        [0, 4],
      ],
    });
    expect(readTable("1\t2\n2\t1\n3\t7\n-1\t1e3")).toMatchObject({ names: ["column 1", "column 2"] });
  });
  test.each([
    ["", /at least four lines/],
    ["a\n1\n2\n3", /single column/],
    ["a,b\n1,2\n1\n2,3", /Line 3 has 1 cells/],
    ["a,b\n1,2\n2,\n3,4", /is not a number/],
    ["a,b\n1,2\n1,3\n1,4", /“a” has the same value/],
    [`a,b\n${Array.from({ length: 501 }, (_, i) => `${i},${i % 3}`).join("\n")}`, /501 data points/],
    [
      Array.from({ length: 4 }, (_, i) => Array.from({ length: 25 }, (_, j) => i * j + i).join(",")).join("\n"),
      /25 columns/,
    ],
  ])("number %# is refused with a word", (text, word) => expect(readTable(text)).toMatch(word));

  test("has modes whose sum is the correlation, and a least loss that no map is below", () => {
    const rows = Array.from({ length: 30 }, (_, i) => [
      Math.sin(i),
      Math.cos(2 * i) + Math.sin(i),
      Math.sin(3 * i),
      Math.sin(i) - Math.cos(5 * i),
    ]);
    for (const white of [true, false]) {
      const { s, d, cross, left, right, inputs, least, power } = regression(
        { names: ["a", "b", "c", "d"], rows },
        2,
        white,
      );
      for (let o = 0; o < cross.rows; o++)
        for (let i = 0; i < cross.columns; i++) {
          const sum = s.reduce(
            (total, value, k) => total + value * left.data[o * left.columns + k]! * right.data[i * right.columns + k]!,
            0,
          );
          expect(sum).toBeCloseTo(cross.data[o * cross.columns + i]!, 12);
        }
      if (white) {
        expect(d.every((value) => Math.abs(value - 1) < 1e-12)).toBe(true);
        expect(inputs.data[1]).toBeCloseTo(0, 12);
        expect(least).toBeCloseTo(0.5 * (power - s.reduce((sum, value) => sum + value ** 2, 0)), 12);
      }
      expect(least).toBeGreaterThan(0);
      expect(power).toBeCloseTo(2, 12);
    }
  });

  test("is trained beside the prediction, exactly where inputs are white", () => {
    const gap = (inputs: string): number => {
      const state = { ...defaults(yourData as never), inputs };
      const live = [...yourData.live!.run(state)].at(-1);
      return yourData.view(state, live).numbers.find(({ id }) => id === "area")!.value;
    };
    expect(gap("white")).toBeLessThan(0.02);
    expect(gap("standard")).toBeGreaterThan(gap("white"));
  });
});
