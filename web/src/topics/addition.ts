/** Squared units learn to add modulo p: one wave after the other, the strongest in the code of the numbers first. */

import { Quadratic } from "../learn/quadratic";
import { normal } from "../learn/random";
import { ignitions, powers, templateOf } from "../theory/waves";
import {
  type Chart,
  type Line,
  MODES,
  numberOf,
  roundUp,
  type Schematic,
  type State,
  type Topic,
  type View,
  wordOf,
} from "../topic";
import { blank, Drawing } from "./drawing";
import { exact, short } from "./verdict";

/** Units for each wave: a few of them share a wave, so that its squares cancel. */
const UNITS_PER_WAVE = 8;
const RATE = 0.01;
/** Steps of a run, at most; a visitor should not wait. */
const STEPS = 12_000;
const RECORDS = 240;
/** A step is drawn between so much of its time and its time, because a line has one value at each. */
const STEEP = 1 - 1e-6;
/** Multiplications between two reports, some 30 ms of work. */
const WORK = 6e6;

interface Setting {
  readonly p: number;
  readonly ratio: number;
  readonly template: number[];
  /** Loss that each wave takes away. */
  readonly powers: number[];
  readonly weights: Float64Array;
  /** The time of each wave. */
  readonly times: number[];
  readonly end: number;
}

const keyOf = (state: State): string => ["p", "ratio", "start"].map((id) => state[id]).join(" ");
let kept: { readonly key: string; readonly setting: Setting } | undefined;

function settingOf(state: State): Setting {
  const key = keyOf(state);
  if (kept?.key !== key) {
    const [p, ratio] = [Number(wordOf(state, "p")), numberOf(state, "ratio")];
    const template = templateOf(p, ratio);
    const draw = normal(2);
    const weights = new Float64Array(3 * p * UNITS_PER_WAVE * ((p - 1) / 2)).map(
      () => numberOf(state, "start") * draw(),
    );
    const times = ignitions(template, weights);
    const end = roundUp(1.6 * Math.max(...times));
    kept = { key, setting: { p, ratio, template, powers: powers(template), weights, times, end } };
  }
  return kept.setting;
}

export interface Trained {
  readonly times: number[];
  readonly loss: number[];
  /** Share of each wave in the answers, one row per wave. */
  readonly shares: number[][];
  /** Share of the sums that are right. */
  readonly right: number;
  /** How much of each wave each unit answers with, units × waves. */
  readonly units: number[][];
}

function* run(state: State): Generator<Trained, void, void> {
  const { p, ratio, template, weights, end, powers: each } = settingOf(state);
  const network = new Quadratic(template, weights);
  const rate = Math.max(RATE, end / STEPS);
  const steps = Math.ceil(end / rate);
  const found: { times: number[]; loss: number[]; shares: number[][] } = {
    times: [],
    loss: [],
    shares: each.map(() => []),
  };
  const report = (): Trained => ({ ...found, right: network.right, units: spectra(network, p) });
  let work = 0;
  for (let step = 0; step <= steps; step++) {
    if (step === steps || step >= (found.times.length * steps) / RECORDS) {
      found.times.push(step * rate);
      found.loss.push(network.loss);
      each.forEach((_, k) => found.shares[k]!.push(shareOf(network.answers, p, k + 1, ratio ** k)));
    }
    if (step < steps) network.step(rate);
    work += 6 * p ** 3 * network.units;
    if (work > WORK) {
      work = 0;
      yield report();
    }
  }
  yield report();
}

/** ⟨f, wave⟩ over ⟨wave, wave⟩ of the wave k in the right answers. */
function shareOf(answers: Float64Array, p: number, k: number, size: number): number {
  const wave = Array.from({ length: p }, (_, c) => size * Math.cos((2 * Math.PI * k * c) / p));
  let sum = 0;
  for (let a = 0; a < p; a++)
    for (let b = 0; b < p; b++)
      for (let c = 0; c < p; c++) sum += wave[(c - a - b + 2 * p) % p]! * answers[(a * p + b) * p + c]!;
  return sum / (p * p * wave.reduce((all, value) => all + value * value, 0));
}

/** Strength of each wave in the outgoing weights of each unit, the units in the order of their waves. */
function spectra({ weights, units }: Quadratic, p: number): number[][] {
  const rows = Array.from({ length: units }, (_, i) => {
    const out = weights.subarray((i * 3 + 2) * p, (i * 3 + 3) * p);
    return Array.from({ length: (p - 1) / 2 }, (_, k) => {
      let [re, im] = [0, 0];
      out.forEach((value, j) => {
        re += value * Math.cos((2 * Math.PI * (k + 1) * j) / p);
        im += value * Math.sin((2 * Math.PI * (k + 1) * j) / p);
      });
      return Math.hypot(re, im) * Math.sqrt(2 / p);
    });
  });
  const best = (row: number[]): number => row.indexOf(Math.max(...row));
  return rows.sort((a, b) => best(a) - best(b) || Math.max(...b) - Math.max(...a));
}

const nameOf = (k: number): string => `wave ${k + 1}`;

/** The waves in the order of their times. */
function orderOf(times: readonly number[]): number[] {
  return times.map((_, k) => k).sort((a, b) => times[a]! - times[b]!);
}

function view(state: State, live?: Trained): View {
  const { p, times, end, powers: each } = settingOf(state);
  const all = each.reduce((sum, power) => sum + power, 0);
  const order = orderOf(times);
  const axis = { label: "flow time", values: [0, end], range: [0, end] as const };
  const steps: Line[] = times.map((t, k) => ({
    label: nameOf(k),
    x: [0, t * STEEP, t, end],
    y: [0, 0, 1, 1],
    colour: MODES + (k % 6),
  }));
  const levels = [all];
  for (const k of order) levels.push(levels[levels.length - 1]! - each[k]!);
  const stairs: Line = {
    label: "prediction",
    x: [0, ...order.flatMap((k) => [times[k]! * STEEP, times[k]!]), end],
    y: levels.flatMap((level) => [level, level]).map((level) => Math.max(level, 0)),
    colour: 6,
  };
  const trained = live && live.times.length > 2 ? live : undefined;
  const halves = trained?.shares.map((share) => trained.times[share.findIndex((value) => value > 0.5)] ?? Number.NaN);
  const bands: Line[] = (trained?.shares ?? []).map((share, k) => ({
    label: "trained network",
    x: trained!.times,
    y: share,
    colour: MODES + (k % 6),
    role: "trained",
    quiet: true,
  }));
  const units: Chart[] = trained
    ? [
        {
          kind: "heat",
          id: "units",
          title: "Each unit specialises in one wave",
          label: "strength",
          sizes: true,
          wide: true,
          tall: true,
          matrix: trained.units,
          rows: trained.units.map((_, i) => `unit ${i + 1}`),
          columns: each.map((_, k) => nameOf(k)),
        },
      ]
    : [];
  return {
    sentence: sentenceOf(p, order, times, halves, trained?.right),
    numbers: [
      { id: "before", label: "loss before any wave", value: all },
      { id: "after", label: "loss after the strongest wave", value: all - Math.max(...each) },
      { id: "first", label: "first wave begins", value: times[order[0]!]!, unit: "flow time" },
      { id: "last", label: "last wave begins", value: times[order[order.length - 1]!]!, unit: "flow time" },
      ...(trained ? [{ id: "right", label: "fraction of correct sums", value: trained.right }] : []),
    ],
    charts: [
      {
        kind: "lines",
        id: "waves",
        title: "How much of each wave is learned",
        wide: true,
        x: axis,
        y: { label: "share learned", range: [-0.1, 1.25] },
        lines: [...bands, ...steps],
      },
      {
        kind: "lines",
        id: "loss",
        title: "Loss: one plateau for each wave",
        wide: true,
        x: axis,
        y: { label: "loss", range: [0, 1.05 * all] },
        lines: [
          ...(trained
            ? [{ label: "trained network", x: trained.times, y: trained.loss, colour: 6, role: "trained" as const }]
            : []),
          stairs,
        ],
      },
      ...units,
    ],
  };
}

function sentenceOf(
  p: number,
  order: readonly number[],
  times: readonly number[],
  halves: readonly number[] | undefined,
  right: number | undefined,
): string {
  const list = (waves: readonly number[]): string => waves.map((k) => k + 1).join(", ");
  const said = `On a clock of ${p} hours waves are predicted to begin in the order ${list(order)}, at ${order.map((k) => short(times[k]!)).join(", ")}: then their first units become large.`;
  if (!halves || right === undefined)
    return `${said} The comparison with training appears after a network has been trained.`;
  const learned = orderOf(halves).filter((k) => Number.isFinite(halves[k]!));
  if (!learned.length) return `${said} The trained network has not learned a wave yet.`;
  const same = learned.every((k, i) => k === order[i]);
  return `${said} The trained network has half learned waves ${list(learned)} at ${learned.map((k) => short(halves[k]!)).join(", ")}: ${same ? "the predicted order" : "not quite the predicted order"}. A wave needs several units, so it is half learned later than it begins. Now ${Math.round(100 * right)} % of all sums are correct.`;
}

function schematic(state: State): Schematic {
  const p = Number(wordOf(state, "p"));
  const drawing = new Drawing(8);
  const [a, b] = [0, 1].map((part) =>
    drawing.node({ x: 4, y: 2 + 4 * part, shape: "square", colour: part, label: part ? "b" : "a", side: "left" }),
  );
  const hidden = drawing.column(10, blank(6), "squared units");
  const sum = drawing.node({ x: 16, y: 4, shape: "square", colour: 2, label: "a + b", side: "right" });
  drawing.join([a!], hidden, () => ({ colour: 0, weight: 0.8 }));
  drawing.join([b!], hidden, () => ({ colour: 1, weight: 0.8 }));
  drawing.join(hidden, [sum], () => ({ weight: 0.8 }));
  return drawing.done(
    `The inputs are two numbers from 0 to ${p - 1}; the target is their sum on a clock of ${p} hours. Each number is coded by ${(p - 1) / 2} waves around the clock.`,
  );
}

export const addition: Topic<Trained> = {
  id: "addition",
  title: "Addition",
  question: "How does a network learn to add on a clock?",
  paper: {
    text: "Kunin et al. 2025, Alternating gradient flows: a theory of feature learning in two-layer neural networks",
    href: "https://arxiv.org/abs/2506.06489",
  },
  terms: ["wave", "unit", "saddle", "loss", "flow"],
  theory: {
    text:
      "The code of a number a is one vector, rotated by a places, so each of its waves is shifted by a times an angle. " +
      "The answer to a and b is the code of a + b, modulo p. Units square what they read, so a product of two waves can " +
      "become the wave of the sum. While units are small they do not affect each other, and each wave in each unit " +
      "grows independently until it diverges. The first is the wave that is strongest in the code, in the unit with the " +
      "best initial weights. The theory predicts the order and the plateaus. The predicted times are those of the first " +
      "unit of each wave, before the other units follow. They become exact as the initial weights become small. In the " +
      "equations, ρ is the size of wave k in the weights u, v and w of a unit, and ψ is the mismatch of their phases.",
    equations: [
      "f(a, b) = Σ w_{i} (u_{i} · x_{a} + v_{i} · x_{b})^{2}",
      "frac{d ρ_{u}}{d t} = C_{k} ρ_{v} ρ_{w} cos ψ,  C_{k} = sqrt{2} frac{|x_{k}|^{3}}{p^{3/2}}",
      "frac{d ψ}{d t} = −C_{k} sin ψ ( frac{ρ_{v} ρ_{w}}{ρ_{u}} + frac{ρ_{u} ρ_{w}}{ρ_{v}} + frac{ρ_{u} ρ_{v}}{ρ_{w}} )",
      'L = frac{1}{p} Σ |x_{k}|^{2}  "over waves not yet learned"',
    ],
  },
  controls: [
    {
      kind: "choice",
      id: "p",
      label: "Hours of the clock",
      value: "7",
      options: ["5", "7", "11"].map((value) => ({ value, label: value })),
      help: "The modulus p; a clock of p hours has (p − 1)/2 waves.",
    },
    {
      kind: "slider",
      id: "ratio",
      label: "Strength of each wave / wave before",
      min: 0.6,
      max: 1,
      step: 0.05,
      value: 0.8,
      help: "How strong each wave is in the code of a number, relative to the wave before it.",
    },
    {
      kind: "slider",
      id: "start",
      label: "Initial weights",
      min: 0.005,
      max: 0.05,
      step: 0.05,
      value: 0.015,
      log: true,
      help: "Standard deviation of the random weights at time 0.",
    },
  ],
  schematic,
  ask: {
    prompt: "A network learns to add on a clock of seven hours, where 5 + 4 = 2. How does it learn all 49 sums?",
    options: [
      "Sum by sum, the easy ones first",
      "All sums alike, little by little",
      "In a few sudden steps, each for all sums",
    ],
    right: () => 2,
    because:
      "Each step is one wave around the clock. A wave is a part of every sum, and the strongest wave grows first.",
  },
  view,
  live: { label: "Train squared units", key: keyOf, run },
  python: (state) => {
    const { p, ratio } = settingOf(state);
    return [
      "import numpy as np",
      "",
      "import festina as fs",
      "",
      `p, ratio = ${p}, ${exact(ratio)}`,
      "waves = np.arange(1, (p + 1) // 2)",
      "code = (ratio ** (waves - 1) * np.cos(2 * np.pi * np.outer(np.arange(p), waves) / p)).sum(axis=1)",
      "codes = np.array([np.roll(code, a) for a in range(p)])",
      "a, b = np.divmod(np.arange(p * p), p)",
      "task = fs.Task(np.hstack([codes[a], codes[b]]), codes[(a + b) % p])",
      "powers = np.abs(np.fft.fft(code)[waves]) ** 2 / p",
      "before = 0.5 * task.statistics.power",
      'numbers = {"before": float(before), "after": float(before - powers.max())}',
    ].join("\n");
  },
};
