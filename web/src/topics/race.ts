/** extended XOR, where linear and XOR gating race and a ReLU network learns like the faster one. */
import { ReluNetwork } from "../learn/relu";
import { extendedXor } from "../learn/task";
import { CROSSOVER, linearGating, predictedLoss, startStrength, stepsTo, xorGating } from "../theory/gated";
import { area, firstPassage } from "../theory/passage";
import { type Line, momentSlider, numberOf, type Schematic, type State, type Topic } from "../topic";
import { blank, Drawing } from "./drawing";
import { percent, verdict, WORDS } from "./verdict";

/** Loss that counts as learned: jarvis2025 Fig. 2d. */
const CRITERION = 0.2;
const SEEDS = 5;
/** Margins of the chart of learning times, and the number of networks at each. */
const SWEEP = Array.from({ length: 13 }, (_, i) => i / 4);
const SWEEP_SEEDS = 3;
const WIDEST = 3;
const SMALLEST = 1e-6;
/** The time axis ends this factor after the slower gating has learned or, if that is very late, after the faster one. */
const BEYOND = 1.3;
const FAR = 3;
/** Training steps × hidden units between two reports: about 30 ms of work. */
const PORTION = 100_000;
/** Largest error of the predicted flow time that the sentence does not mention: two steps of 0.4, a claim of `transition`. */
const CLOSE = 0.8;
/** A unit is active at a point if its activity exceeds this fraction of its maximum: at Δ = 0 it touches zero at others. */
const THRESHOLD = 0.1;

interface Snapshot {
  /** Steps at which losses were read. */
  readonly steps: number[];
  /** One curve per seed. */
  readonly losses: number[][];
  /** After training: fraction of the map in units that are active at one point, and at both points of one sign. */
  readonly shares?: { readonly xor: number; readonly linear: number };
  /** Mean steps to the criterion at the margins of `SWEEP` trained so far. */
  readonly sweep: number[];
}

interface Setting {
  readonly delta: number;
  readonly units: number;
  readonly rate: number;
  /** Standard deviation of an initial weight. */
  readonly std: number;
  /** Last step shown: some time after both gatings have learned. */
  readonly last: number;
  /** Steps between two readings. */
  readonly every: number;
}

function settingOf(state: State): Setting {
  const [delta, units, rate] = [numberOf(state, "delta"), numberOf(state, "units"), numberOf(state, "rate")];
  const std = numberOf(state, "scale") / Math.sqrt(units);
  const times = [linearGating(delta), xorGating(delta)].map((gating) =>
    stepsTo(gating, CRITERION, rate, startStrength(gating, units, std)),
  );
  const last = Math.max(10, Math.ceil(Math.min(BEYOND * Math.max(...times), FAR * Math.min(...times))));
  return { delta, units, rate, std, last, every: Math.ceil(last / 300) };
}

function readings({ last, every }: Setting): number[] {
  return Array.from({ length: Math.floor(last / every) + 1 }, (_, i) => i * every);
}

function* train(state: State): Generator<Snapshot, void, void> {
  const setting = settingOf(state);
  const { units, rate, std, every } = setting;
  const steps = readings(setting);
  const portion = Math.max(1, Math.round(PORTION / units));
  const task = extendedXor(setting.delta);
  const networks = Array.from({ length: SEEDS }, (_, seed) => ReluNetwork.random(task, units, std, seed));
  const losses = networks.map((network) => [network.loss()]);
  let spent = 0;
  for (let i = 1; i < steps.length; i++) {
    networks.forEach((network, seed) => {
      for (let k = 0; k < every; k++) network.step(rate);
      losses[seed]!.push(network.loss());
    });
    spent += every * SEEDS;
    if (spent < portion) continue;
    spent = 0;
    yield { steps: steps.slice(0, i + 1), losses: losses.map((curve) => [...curve]), sweep: [] };
  }
  const done = { steps, losses, shares: gateShares(networks) };
  const sweep: number[] = [];
  yield { ...done, sweep: [] };
  for (const margin of SWEEP) {
    const times = Array.from({ length: SWEEP_SEEDS }, (_, seed) => {
      const network = ReluNetwork.random(extendedXor(margin), units, std, seed);
      const losses = [network.loss()];
      const limit = steps.at(-1)!;
      for (let step = 0; step < limit && losses[step]! > CRITERION; step++) {
        network.step(rate);
        losses.push(network.loss());
      }
      return firstPassage(Array.from(losses.keys()), losses, CRITERION);
    });
    sweep.push(times.reduce((sum, time) => sum + time, 0) / SWEEP_SEEDS);
    yield { ...done, sweep: [...sweep] };
  }
}

/** Distribution of trained units over gates, weighted by their part of the map; points 1, 2 and 0, 3 have the same sign. */
function gateShares(networks: readonly ReluNetwork[]): { xor: number; linear: number } {
  const found = { xor: 0, linear: 0 };
  for (const network of networks) {
    const sizes = network.sizes();
    const total = sizes.reduce((sum, size) => sum + size, 0);
    sizes.forEach((size, h) => {
      const activity = network.activity.subarray(4 * h, 4 * h + 4);
      const most = Math.max(...activity);
      const on = Array.from(activity, (value) => (value > THRESHOLD * most ? 1 : 0)).join("");
      const share = size / total / networks.length;
      if (on === "0110" || on === "1001") found.linear += share;
      else if (on.replaceAll("0", "") === "1") found.xor += share;
    });
  }
  return found;
}

const whole = (steps: number): string => (Number.isFinite(steps) ? `${Math.round(steps)}` : "never");
const tenth = (steps: number): string => (Number.isFinite(steps) ? steps.toFixed(1) : "never");

function meanAndSpread(values: readonly number[]): [number, number] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return [mean, Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)];
}

function schematic(state: State): Schematic {
  const { delta } = settingOf(state);
  const drawing = new Drawing(8);
  const corners = [
    [1, 1],
    [4, 1],
    [1, 4],
    [4, 4],
  ] as const;
  corners.forEach(([x, y], i) => drawing.node({ x, y: y + 1.2, shape: "square", colour: i === 1 || i === 2 ? 1 : 0 }));
  drawing.word(2.5, 0.8, "XOR in two inputs");
  drawing.word(2.5, 6.8, `third input ±Δ = ${delta.toFixed(2)}`);
  const inputs = drawing.column(9, blank(3), "inputs");
  const hidden = drawing.column(13, blank(5), "ReLU units");
  const output = drawing.column(17, blank(1), "output");
  drawing.join(inputs, hidden, () => ({ weight: 0.8 }));
  drawing.join(hidden, output, () => ({ weight: 0.8 }));
  return drawing.done(
    "Four points of two classes (blue and vermilion) form XOR in two inputs and are separable, with margin 2Δ, in a third. A ReLU network with one hidden layer learns the classes.",
  );
}

export const race: Topic<Snapshot> = {
  id: "race",
  title: "Gates",
  question: "When does a ReLU network switch from linear to XOR gating?",
  paper: { text: "Jarvis, Klein, Rosman and Saxe 2025, section 3", href: "https://arxiv.org/abs/2503.06181" },
  terms: ["relu", "gating", "xor", "singular", "loss", "area"],
  theory: {
    text:
      "Four points form XOR in two inputs and are linearly separable, with margin 2Δ, in a third. Two gatings compete: " +
      "two pathways by the sign of the target (linear), or one pathway per data point (XOR). Each pathway is a linear " +
      "network with one mode, solved in closed form. For n units with random weights its initial strength is nσ²/2. It " +
      "grows at the rate of its singular value s; a finite step η slows it slightly. Nothing is fitted.",
    equations: [
      'a(t) = frac{s / d}{1 − (1 − frac{s}{d a_{0}}) e^{−2 s t}},  t = "steps" · frac{ln(1 + η s)}{s},  a_{0} = frac{n σ^{2}}{2}',
      '"linear:"  s = frac{Δ}{2},  d = frac{Δ^{2}}{2},  n = frac{N}{2},  L = frac{1}{2} − Δ a + frac{1}{2} Δ^{2} a^{2}',
      '"XOR:"  s = frac{sqrt{2 + Δ^{2}}}{4},  d = frac{2 + Δ^{2}}{4},  n = frac{N}{4},  L = frac{1}{2} − 4 s a + 2 d a^{2}',
      '"the winner changes where both s are equal:"  Δ = sqrt{2/3}',
    ],
  },
  controls: [
    {
      kind: "slider",
      id: "delta",
      label: "Margin Δ",
      help: "How far apart the classes are in the third input; at 0 the task is XOR.",
      min: 0,
      max: WIDEST,
      step: 0.05,
      value: 0.5,
      format: (value) => value.toFixed(2),
    },
    {
      kind: "slider",
      id: "scale",
      label: "Initial scale σ√N",
      help: "Standard deviation σ of the initial weights times √N, for N hidden units; 2×10⁻⁴ in the paper.",
      min: SMALLEST,
      max: 1,
      step: 0.1,
      value: 2e-4,
      log: true,
    },
    {
      kind: "slider",
      id: "units",
      label: "Hidden units N",
      help: "Width of the ReLU networks; 128 in the paper. Both gatings divide these units among their pathways.",
      min: 8,
      max: 512,
      step: 8,
      value: 128,
    },
    {
      kind: "slider",
      id: "rate",
      label: "Step size η",
      help: "Step of gradient descent on the mean loss; 0.4 in the paper.",
      min: 0.05,
      max: 0.6,
      step: 0.05,
      value: 0.4,
      format: (value) => value.toFixed(2),
    },
    momentSlider((value) => `${Math.round(100 * value)} %`),
  ],
  schematic,
  ask: {
    prompt:
      "Four points can be separated by a line, with a small margin, or point by point, as XOR. Which solution will a ReLU network with small initial weights find at margin Δ = 0.5?",
    options: ["Draw the line: it is the simpler solution", "Learn point by point: it is the faster solution"],
    right: (state) => {
      const { delta, units, std, rate } = settingOf(state);
      const [linear, xor] = [linearGating(delta), xorGating(delta)].map((gating) =>
        stepsTo(gating, CRITERION, rate, startStrength(gating, units, std)),
      );
      return linear! < xor! ? 0 : 1;
    },
    because:
      "Pathways compete. The one with the larger singular value grows faster and learns the task, whether or not it is simpler. Below Δ = √(2/3) that is XOR.",
  },
  view(state, live) {
    const setting = settingOf(state);
    const { delta, units, rate, std, last } = setting;
    const steps = readings(setting);
    const gatings = [linearGating(delta), xorGating(delta)];
    const [linear, xor] = gatings.map((gating) => {
      const start = startStrength(gating, units, std);
      const time = stepsTo(gating, CRITERION, rate, start);
      return { s: gating.s, time, loss: steps.map((step) => predictedLoss(gating, step, rate, start)) };
    }) as [{ s: number; time: number; loss: number[] }, { s: number; time: number; loss: number[] }];
    const times = live?.losses.map((losses) => firstPassage(live.steps, losses, CRITERION)) ?? [];
    const learned = times.length > 0 && times.every(Number.isFinite);
    const [mean, spread] = learned ? meanAndSpread(times) : [NaN, NaN];
    // once the curves are whole
    const curve =
      live?.shares &&
      live.steps.map((_, i) => live.losses.reduce((sum, losses) => sum + losses[i]!, 0) / live.losses.length);
    const gap = curve && area(live.steps, linear.time < xor.time ? linear.loss : xor.loss, curve);
    const moment = last * numberOf(state, "moment");

    const trained: Line[] = (live?.losses ?? []).map((losses, seed) => ({
      label: seed ? `ReLU network, seed ${seed}` : `ReLU networks, ${units} units`,
      x: live!.steps,
      y: losses,
      colour: 6,
      role: "trained",
      among: SEEDS,
      quiet: seed > 0,
    }));
    const margins = Array.from({ length: 121 }, (_, i) => (i * WIDEST) / 120);
    const timesOf = (make: typeof xorGating): number[] =>
      margins.map((margin) => {
        const gating = make(margin);
        const time = stepsTo(gating, CRITERION, rate, startStrength(gating, units, std));
        return time <= 2 * last ? time : NaN;
      });

    return {
      sentence: sentence(setting, linear.time, xor.time, learned ? [mean, spread] : undefined, live?.shares, gap),
      numbers: [
        { id: "steps_linear", label: `linear gating, steps to loss ${CRITERION}`, value: linear.time, format: tenth },
        { id: "steps_xor", label: `XOR gating, steps to loss ${CRITERION}`, value: xor.time, format: tenth },
        ...(learned
          ? [{ id: "steps_relu", label: `ReLU networks, mean of ${SEEDS}`, value: mean, format: tenth }]
          : []),
        { id: "s_linear", label: "singular value, linear", value: linear.s },
        { id: "s_xor", label: "singular value, XOR", value: xor.s },
        { id: "crossover", label: "crossover Δ", value: CROSSOVER },
        ...(gap === undefined
          ? []
          : [{ id: "area", label: "area between the faster gating and the networks (∫|ΔL|/∫L)", value: gap }]),
      ],
      charts: [
        {
          kind: "lines",
          id: "loss",
          title: `Loss at Δ = ${delta.toFixed(2)}`,
          x: { label: "gradient steps", values: steps, range: [0, last] },
          y: { label: "loss" },
          moment,
          lines: [
            ...trained,
            { label: "linear gating, predicted", y: linear.loss, colour: 0 },
            { label: "XOR gating, predicted", y: xor.loss, colour: 1, dash: "dash" },
          ],
          marks: [{ axis: "y", at: CRITERION, label: "learned", side: "left" }],
        },
        {
          kind: "lines",
          id: "time",
          title: "Learning time by margin",
          x: { label: "margin Δ", values: margins, range: [0, WIDEST] },
          y: { label: `steps to loss ${CRITERION}` },
          lines: [
            ...(live?.sweep.length
              ? [
                  {
                    label: `ReLU networks, mean of ${SWEEP_SEEDS}`,
                    x: SWEEP.slice(0, live.sweep.length),
                    y: live.sweep,
                    colour: 6,
                    role: "trained" as const,
                  },
                ]
              : []),
            { label: "linear gating", y: timesOf(linearGating), colour: 0 },
            { label: "XOR gating", y: timesOf(xorGating), colour: 1, dash: "dash" },
          ],
          marks: [
            { axis: "x", at: CROSSOVER, label: "√(2/3)" },
            { axis: "x", at: delta, label: "Δ", colour: 2 },
          ],
        },
      ],
    };
  },
  live: {
    label: `Train ${WORDS[SEEDS]} ReLU networks`,
    key: (state) => ["delta", "scale", "units", "rate"].map((id) => state[id]).join(),
    run: train,
  },
  python(state) {
    const { delta, units, rate } = settingOf(state);
    return [
      "import numpy as np",
      "import festina as fs",
      "",
      `task = fs.tasks.extended_xor(${delta})`,
      `std, units, rate = ${numberOf(state, "scale")} / np.sqrt(${units}), ${units}, ${rate}`,
      "sign = task.y[:, 0]",
      'gatings = {"linear": np.array([sign > 0, sign < 0]), "xor": np.eye(4)}',
      'numbers = {"crossover": float(np.sqrt(2 / 3))}',
      "for name, gates in gatings.items():",
      "    network = fs.gated.pathways(gates, 1, initial=fs.initial.Gaussian(std))",
      "    own = task.statistics(network).effective[0]",
      "    s, d = (own.strengths[0], own.curvatures[0]) if own.rank else (0.0, 0.0)",
      "    start = units // len(gates) * std**2 / 2",
      `    end = s / d * (1 - np.sqrt(2 * ${CRITERION})) if s else np.inf`,
      "    time = fs.linear.time_to_strength(max(end, start), s, d, start) if s else np.inf",
      '    numbers[f"s_{name}"] = float(s)',
      '    numbers[f"steps_{name}"] = float(time * s / np.log1p(rate * s)) if s else np.inf',
    ].join("\n");
  },
};

function sentence(
  { delta, rate }: Setting,
  linear: number,
  xor: number,
  measured?: [number, number],
  shares?: Snapshot["shares"],
  gap?: number,
): string {
  const best = Math.min(linear, xor);
  const late = Math.max(linear, xor);
  const [fast, slow] = linear < xor ? ["linear", "XOR"] : ["XOR", "linear"];
  const side = delta < CROSSOVER ? "below" : "above";
  const head =
    late - best < 0.5
      ? `At Δ = ${delta.toFixed(2)} both gatings learn in ${whole(best)} steps`
      : `At Δ = ${delta.toFixed(2)}, ${side} the crossover √(2/3) ≈ 0.82, the ${fast} gating wins: it learns in ${whole(best)} steps, ` +
        `the ${slow} one ${Number.isFinite(late) ? `in ${whole(late)}` : "never"}`;
  const why =
    "networks with weights this large start in the middle of learning, while the prediction starts pathways at their mean strength";
  if (!measured)
    return `${head}${shares ? "; the ReLU networks have not learned in the time shown" : ""}.${verdict(gap, "The trained ReLU networks", why, true)}`;
  const [mean, spread] = measured;
  const miss = mean - best;
  const near = gap === undefined || gap <= 0.1;
  const agrees =
    Math.abs(miss) * rate <= CLOSE && near
      ? "as predicted"
      : `${Math.abs(miss).toFixed(1)} ${miss > 0 ? "later" : "earlier"} than predicted`;
  const tail = `${head}; the trained ReLU networks take ${mean.toFixed(1)} ± ${spread.toFixed(1)}, ${agrees}`;
  if (!shares) return `${tail}.`;
  const [share, where] =
    shares.xor > shares.linear
      ? [shares.xor, "respond to one point only"]
      : [shares.linear, "respond to both points of one sign"];
  return `${tail}; units that ${where} carry ${percent(share)} of their map.${near ? "" : verdict(gap, "Their loss", why)}`;
}
