/** The shell: links, sliders, ticks, and every chart of every topic as SVG and CSV. */
import { describe, expect, it } from "vitest";
import { ends, linearTicks, logTicks, scale } from "../src/axis";
import { show } from "../src/format";
import { csv, svg } from "../src/save";
import { complete, controlsOf, defaults, read, stepOf, steps, valueAt, write } from "../src/state";
import { MODES, type Slider, type State, type Topic } from "../src/topic";
import { topics } from "../src/topics";

const sliders = (topic: Topic, state: State) =>
  controlsOf(topic, state).filter((control): control is Slider => control.kind === "slider");

/** The defaults, every end of every slider, every choice, and every button. */
function settings(topic: Topic): State[] {
  const first = defaults(topic);
  const found = [first];
  for (const control of controlsOf(topic, first)) {
    const wanted: Partial<State>[] =
      control.kind === "slider"
        ? [control.min, control.max].map((value) => ({ [control.id]: value }))
        : control.kind === "choice"
          ? control.options.map(({ value }) => ({ [control.id]: value }))
          : control.kind === "button"
            ? [control.press(first)]
            : control.kind === "text"
              ? []
              : [{ [control.id]: control.value.map((row) => row.map((open) => !open)) }];
    found.push(...wanted.map((values) => complete(topic, { ...first, ...values }).state));
  }
  return found;
}

describe.each(topics.map((topic) => [topic.id, topic] as const))("%s", (_, topic) => {
  it("is restored from its link at every setting", () => {
    for (const state of settings(topic))
      expect(read(topics, write(topic, state))).toEqual({ topic, state, chosen: true });
  });

  it("can be saved at every setting, with nothing missing", () => {
    for (const state of settings(topic))
      for (const chart of topic.view(state).charts) {
        expect(svg(chart)).not.toMatch(/NaN|undefined|Infinity/);
        expect(csv(chart)).not.toMatch(/NaN|undefined/);
      }
  });

  it("says a sentence without holes at every setting", () => {
    for (const state of settings(topic)) expect(topic.view(state).sentence).not.toMatch(/NaN|undefined|null/);
  });

  it("writes lines of Python without the dust of binary fractions", () => {
    for (const state of settings(topic)) expect(topic.python(state)).not.toMatch(/\.\d*(0{7,}[1-9]|9{8,})/);
  });

  it("names every chart and number once", () => {
    const { charts, numbers } = topic.view(defaults(topic));
    for (const ids of [charts.map(({ id }) => id), numbers.map(({ id }) => id)])
      expect(new Set(ids).size).toBe(ids.length);
  });

  it("has sliders whose steps lead from end to end and hold the default", () => {
    for (const slider of sliders(topic, defaults(topic))) {
      expect([valueAt(slider, 0), valueAt(slider, steps(slider))]).toEqual([slider.min, slider.max]);
      for (let step = 0; step <= steps(slider); step++) expect(stepOf(slider, valueAt(slider, step))).toBe(step);
      expect(slider.value).toBeGreaterThanOrEqual(slider.min);
      expect(slider.value).toBeLessThanOrEqual(slider.max);
    }
  });
});

describe("a link", () => {
  const first = topics[0]!;
  const slider = sliders(first, defaults(first))[0]!;
  it.each([
    ["#nowhere", /no topic/],
    [`#${first.id}?${slider.id}=${slider.max + 1}`, /must be a .*number from/],
    [`#${first.id}?${slider.id}=1e999`, /must be a .*number from/],
    [`#${first.id}?${slider.id}=Infinity`, /must be a .*number from/],
    [`#${first.id}?${slider.id}=${slider.min}&${slider.id}=${slider.max}`, /twice/],
    [`#${first.id}?${slider.id}`, /name=value/],
    [`#${first.id}?${slider.id}=%E0%A4%A`, /cannot be read/],
    [`#${first.id}?__proto__=1`, /no setting/],
    [`#${first.id}?a=1?b=2`, /two question marks/],
    [`#${first.id}?${"a".repeat(3000)}=1`, /longer/],
  ])("number %# is refused with a word", (hash, word) => {
    const { state, wrong } = read(topics, hash);
    expect(state).toEqual(defaults(first));
    expect(wrong).toMatch(word);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it("without settings gives the defaults without a word", () => {
    for (const hash of ["", "#", `#${first.id}`, `#${first.id}?`])
      expect(read(topics, hash)).toEqual({ topic: first, state: defaults(first) });
  });
});

describe("an axis", () => {
  it("has round ticks inside its ends", () => {
    expect(linearTicks(0, 1, 5).map(({ text }) => text)).toEqual(["0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
    expect(linearTicks(-3, 47, 5).map(({ at }) => at)).toEqual([0, 10, 20, 30, 40]);
    expect(logTicks(2e-6, 30, 4).map(({ text }) => text)).toEqual(["10⁻⁵", "10⁻³", "10⁻¹", "10¹"]);
    expect(logTicks(2, 60, 4).map(({ text }) => text)).toEqual(["2", "5", "10", "20", "50"]);
  });

  it("holds its values, whatever they are", () => {
    expect(ends({ label: "" }, [0, 1], 0.1)).toEqual([0, 1.1]);
    expect(ends({ label: "" }, [2, 2], 0.1)).toEqual([1.8, 2.2]);
    expect(ends({ label: "" }, [Number.NaN], 0)).toEqual([0, 1]);
    expect(ends({ label: "", log: true }, [0, -1, 10, 1000], 0)).toEqual([10, 1000]);
    expect(ends({ label: "", range: [3, 4] }, [0, 9], 0)).toEqual([3, 4]);
    const log = scale({ label: "", log: true }, [1, 100], 4);
    expect([log.place(1), log.place(10), log.place(100)]).toEqual([0, 0.5, 1]);
  });
});

it("numbers are short", () => {
  expect(
    [0, 0.25, 1234.5, -0.1, 2e-4, 1e-6, 1.5e7, Number.POSITIVE_INFINITY, Number.NaN].map((value) => show(value)),
  ).toEqual(["0", "0.25", "1230", "−0.1", "2×10⁻⁴", "10⁻⁶", "1.5×10⁷", "∞", "–"]);
});

it("cells of a table are quoted and gaps are empty", () => {
  const table = csv({
    kind: "lines",
    id: "a",
    title: "",
    x: { label: "t", values: [0, 1] },
    y: { label: "" },
    lines: [
      { label: 'a, "b"', y: [1, Number.NaN] },
      { label: "c", x: [0.5], y: [2] },
    ],
  });
  expect(table).toBe('t,"a, ""b""",c\r\n0,1,\r\n0.5,,2\r\n1,,\r\n');
});

it("curves of modes have the colours of modes, which things do not have", () => {
  const curves = (id: string, chart: string) => {
    const topic = topics.find((one) => one.id === id)!;
    const drawn = topic.view(defaults(topic)).charts.find((one) => one.id === chart);
    return drawn?.kind === "lines" ? drawn.lines : [];
  };
  for (const [id, chart] of [
    ["modes", "strengths"],
    ["rich_and_lazy", "strengths"],
    ["in_context", "strengths"],
    ["addition", "waves"],
    ["your_data", "strengths"],
  ] as const) {
    const colours = curves(id, chart).map((line) => line.colour);
    expect(colours.length).toBeGreaterThan(2);
    for (const colour of colours) expect(colour).toBeGreaterThanOrEqual(MODES);
  }
});

it("the answer to a question is what the page's sentence says, at every setting", () => {
  const says = { rich_and_lazy: [/learning is lazy/, 0], race: [/the XOR gating wins/, 1] } as const;
  for (const [id, [words, option]] of Object.entries(says)) {
    const topic = topics.find((one) => one.id === id)!;
    const answers = new Set<boolean>();
    for (const state of settings(topic)) {
      const said = words.test(topic.view(state).sentence);
      expect(topic.ask!.right(state) === option, topic.view(state).sentence).toBe(said);
      answers.add(said);
    }
    expect(answers.size, id).toBe(2);
  }
});
