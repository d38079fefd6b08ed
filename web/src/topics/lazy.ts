/** The imbalance of two layers decides whether features are learned. */

import { type Matrix, toRows, transpose } from "../theory/matrix";
import { imbalanced } from "../theory/modes";
import { area } from "../theory/passage";
import {
  type Line,
  MODES,
  momentSlider,
  numberOf,
  type Quantity,
  type Schematic,
  type State,
  type Topic,
  type View,
} from "../topic";
import { blank, Drawing } from "./drawing";
import {
  HIDDEN,
  keyOf,
  LAZY,
  RANGE,
  type Regime,
  type Setting,
  SHAPES,
  STRENGTHS,
  settingOf,
  solutionOf,
} from "./lazy_setting";
import { run, type Trained } from "./lazy_train";
import { exact, percent, short, verdict } from "./verdict";

function view(state: State, live?: Trained): View {
  const { setting, path, found, regime, wait } = solutionOf(state);
  const { problem, lambda, times } = setting;
  const seen = times.map((_, i) => i).filter((i) => times[i]! > RANGE[0] / 1.1 && times[i]! < RANGE[1] * 1.1);
  const of = (row: readonly number[]): number[] => seen.map((i) => row[i]!);
  const axis = { label: "flow time", values: of(times), log: true, range: RANGE };
  const moment = RANGE[0] * (RANGE[1] / RANGE[0]) ** numberOf(state, "moment");
  const losses: Line[] = [{ label: "prediction", y: of(found.loss), colour: 6 }];
  const moves: Line[] = [{ label: "prediction", y: of(found.kernelDistance), colour: 6 }];
  let gap: number | undefined;
  const lines: Line[] = found.strengths.map((y, k) => ({
    label: `mode ${k + 1} (s = ${STRENGTHS[k]})`,
    y: of(y),
    colour: MODES + k,
  }));
  const numbers: Quantity[] = [
    { id: "kernel_distance", label: "largest kernel distance", value: regime.distance },
    { id: "imbalance", label: "imbalance |λ|/2s", value: regime.imbalance },
    { id: "delay", label: "kernel half-turned at t =", value: regime.delay, unit: "flow time" },
    { id: "lazy_share", label: "fraction learned before the kernel turned", value: regime.lazyShare },
    { id: "wait", label: "delay: time to 10 % / time to 90 % learned", value: wait },
  ];
  if (live && live.times.length > 2) {
    const x = live.times.slice(1);
    losses.unshift({ label: "trained network", x, y: live.loss.slice(1), colour: 6, role: "trained" });
    moves.unshift({ label: "trained network", x, y: live.moved.slice(1), colour: 6, role: "trained" });
    lines.unshift(
      ...live.strengths.map(
        (y, k): Line => ({
          label: "trained network",
          x,
          y: y.slice(1),
          colour: MODES + k,
          role: "trained",
          quiet: true,
        }),
      ),
    );
    gap = area(live.times, live.expected, live.loss);
    numbers.push({ id: "area", label: "area between prediction and network (∫|ΔL|/∫L)", value: gap });
  }
  const now = path([moment]);
  const inputs = Array.from({ length: problem.cross.columns }, (_, i) => `${i + 1}`);
  const outputs = Array.from({ length: problem.cross.rows }, (_, i) => `${i + 1}`);

  return {
    sentence:
      sentenceOf(setting, regime, wait) +
      verdict(gap, "The trained network", "the training step is not small for weights of this size"),
    numbers,
    charts: [
      { kind: "lines", id: "loss", title: "Loss", x: axis, y: { label: "loss" }, lines: losses, moment },
      {
        kind: "lines",
        id: "kernel",
        title: "Turn of the tangent kernel",
        x: axis,
        y: { label: "kernel distance", range: [0, 1] },
        lines: moves,
        moment,
        marks: [{ axis: "y", at: LAZY, label: "lazy below", side: "left" }],
      },
      {
        kind: "lines",
        id: "strengths",
        title: "Strength of each mode",
        x: axis,
        y: { label: "strength uᵀW₂W₁v" },
        lines,
        moment,
      },
      shapeChart(lambda, setting.scale),
      {
        kind: "heat",
        id: "input",
        title: "Input representation W₁ᵀW₁",
        label: "similarity of inputs",
        matrix: toRows(now.input(0)),
        rows: inputs,
        columns: inputs,
      },
      {
        kind: "heat",
        id: "output",
        title: "Output representation W₂W₂ᵀ",
        label: "similarity of outputs",
        matrix: toRows(now.output(0)),
        rows: outputs,
        columns: outputs,
      },
    ],
  };
}

/** One aligned mode, in units of its half-learning time: between a sigmoid (λ = 0) and an exponential (|λ| → ∞). */
function shapeChart(lambda: number, start: number): View["charts"][number] {
  const mode = { s: STRENGTHS[0]!, d: 1 };
  // a mode that starts above half of its end has no half-learning time
  const begin = Math.min(start, 0.1);
  const halves = (own: number): number => {
    let [low, high] = [0, 1e3];
    for (let i = 0; i < 80; i++) {
      const middle = 0.5 * (low + high);
      if (imbalanced([middle], mode, begin, own)[0]! >= 0.5) high = middle;
      else low = middle;
    }
    return high;
  };
  const values = Array.from({ length: 121 }, (_, i) => i / 30);
  const curve = (own: number): number[] => {
    const half = halves(own);
    return imbalanced(
      values.map((t) => t * half),
      mode,
      begin,
      own,
    );
  };
  return {
    kind: "lines",
    id: "shape",
    title: `Sigmoid to exponential: one mode from ${short(begin)}`,
    x: { label: "time / half-learning time", values, range: [0, 4] },
    y: { label: "strength / final strength", range: [0, 1.02] },
    lines: [
      { label: "balanced", y: curve(0), colour: 6, dash: "dot", role: "reference" },
      {
        label: "|λ| → ∞",
        y: values.map((t) => 1 - (1 - begin) * ((1 - 0.5) / (1 - begin)) ** t),
        colour: 6,
        dash: "dash",
        role: "reference",
      },
      { label: `here, λ = ${short(lambda)}`, y: curve(lambda), colour: 0 },
    ],
  };
}

function sentenceOf(
  { lambda, scale: size }: Setting,
  { name, distance, delay, lazyShare }: Regime,
  wait: number,
): string {
  const stronger =
    lambda > 0
      ? "the output layer is stronger"
      : lambda < 0
        ? "the input layer is stronger"
        : "the layers are balanced";
  const what =
    name === "lazy"
      ? `learning is lazy: the kernel turns by ${short(distance)} at most, and representations stay near their initial form`
      : name === "rich"
        ? `learning is rich: the kernel turns by ${short(distance)}, half of it by t = ${short(delay)}, and representations take the structure of the task`
        : `learning is delayed rich: ${percent(lazyShare)} of the loss is lost while the kernel hardly moves, then the kernel turns by ${short(distance)}, half of it by t = ${short(delay)}`;
  const manner =
    wait > 0.15
      ? "in sigmoids, after a delay"
      : wait > 0.03
        ? "almost exponentially"
        : "fast at first, with a long tail";
  return `At λ = ${short(lambda)} and scale ${short(size)} ${stronger} and ${what}; the loss falls ${manner}.`;
}

function schematic(state: State): Schematic {
  const { problem, lambda } = settingOf(state);
  const drawing = new Drawing(8);
  const inputs = drawing.column(3, blank(problem.cross.columns), "inputs");
  const hidden = drawing.column(9, blank(HIDDEN), "hidden units");
  const outputs = drawing.column(15, blank(problem.cross.rows), "outputs");
  // the stronger layer is drawn stronger
  const [first, second] = [Math.sqrt(Math.max(1 - lambda / 3, 0.5)), Math.sqrt(Math.max(1 + lambda / 3, 0.5))];
  drawing.join(inputs, hidden, () => ({ weight: first, colour: 0 }));
  drawing.join(hidden, outputs, () => ({ weight: second, colour: 1 }));
  drawing.word(6, -0.4, "W₁");
  drawing.word(12, -0.4, "W₂");
  const which =
    lambda > 0
      ? "the output layer W₂ starts stronger"
      : lambda < 0
        ? "the input layer W₁ starts stronger"
        : "both layers start equally strong";
  return drawing.done(`A linear network of two layers learns a map with three modes; ${which}.`);
}

export const lazy: Topic<Trained> = {
  id: "rich_and_lazy",
  title: "Starts",
  question: "Does a network learn new features, or does it only combine its initial ones?",
  paper: {
    text: "Dominé et al. 2025, From lazy to rich: exact learning dynamics in deep linear networks",
    href: "https://arxiv.org/abs/2409.14623",
  },
  terms: ["rich", "kernel", "balance", "mode", "strength", "flow", "area"],
  theory: {
    text:
      "Learning conserves the difference W₂ᵀW₂ − W₁W₁ᵀ between the two layers. If this difference is λ·1 and the inputs " +
      "are whitened, learning has an exact solution. Small λ and small weights give rich learning: the tangent kernel " +
      "turns, representations take the task's structure, and strengths rise along S-shaped curves. A square network with large " +
      "|λ| is lazy, and its strengths rise exponentially towards their ends. A funnel (more inputs than outputs) is " +
      "lazy only for λ > 0. With λ < 0 it first learns lazily and turns its kernel later, after a time of order |λ|/s². " +
      "In a fan (more outputs than inputs) the signs are reversed.",
    equations: [
      "W_{2}^{T} W_{2} − W_{1} W_{1}^{T} = λ 1,  Q = ( W_{1}^{T} ; W_{2} )",
      "frac{d}{d t} (Q Q^{T}) = F Q Q^{T} + Q Q^{T} F − (Q Q^{T})^{2},  F = ( −frac{λ}{2}, Σ_{yx}^{T} ; Σ_{yx}, frac{λ}{2} )",
      '"one aligned mode:"  frac{d a}{d t} = sqrt{λ^{2} + 4 a^{2}} (s − a)',
      'K = 1 ⊗ X W_{1}^{T} W_{1} X^{T} + W_{2} W_{2}^{T} ⊗ X X^{T},  "distance" = 1 − frac{⟨K_{0}, K⟩}{‖K_{0}‖ ‖K‖}',
    ],
  },
  controls: [
    {
      kind: "slider",
      id: "lambda",
      label: "Imbalance λ",
      min: -10,
      max: 10,
      step: 0.25,
      value: 0,
      help: "W₂ᵀW₂ − W₁W₁ᵀ = λ·1; above 0 the output layer is stronger.",
    },
    {
      kind: "slider",
      id: "scale",
      label: "Initial scale",
      min: 1e-3,
      max: 3,
      step: 0.05,
      value: 0.01,
      log: true,
      help: "Root-mean-square singular value of the map W₂W₁ at time 0; about 0.78 for the task itself.",
    },
    {
      kind: "choice",
      id: "shape",
      label: "Shape",
      value: "square",
      options: Object.entries(SHAPES).map(([value, { label }]) => ({ value, label })),
      help: "Inputs, hidden units, outputs.",
    },
    momentSlider((value) => `t = ${short(RANGE[0] * (RANGE[1] / RANGE[0]) ** value)}`),
  ],
  schematic,
  ask: {
    prompt:
      "Both layers start small and equally strong. Will the network keep its initial features, or learn new ones?",
    options: ["It keeps and combines them: lazy learning", "It learns new ones: rich learning"],
    right: (state) => (solutionOf(state).regime.name === "lazy" ? 0 : 1),
    because:
      "Small weights must align with the task before they can grow. Only if one layer is much stronger can the other layer learn alone and leave the features unchanged.",
  },
  view,
  live: { label: "Train the network", key: keyOf, run },
  python: (state) => {
    const { problem, lambda, scale: size, map, times } = settingOf(state);
    const rows = (a: Matrix): string => JSON.stringify(toRows(a));
    return [
      "import numpy as np",
      "import scipy",
      "",
      "import festina as fs",
      "",
      `x = ${problem.cross.columns} ** 0.5 * np.eye(${problem.cross.columns})`,
      `task = fs.Task(x, x @ np.array(${rows(transpose(problem.cross))}))`,
      `initial = fs.initial.Balanced(${size}, lambda_=${lambda}, map=${rows(map)})`,
      `network = fs.DeepLinear(hidden=(${HIDDEN},), initial=initial)`,
      "regime = network.regime(task)",
      "loss = lambda t: float(fs.evolve(network, task, np.array([t])).loss[0])",
      `latest = ${exact(times[times.length - 1]!)}`,
      "begin, end = loss(0.0), loss(latest)",
      "lose = lambda share: scipy.optimize.brentq(lambda t: loss(t) - begin - share * (end - begin), 0.0, latest, xtol=1e-14)",
      "numbers = {",
      '    "kernel_distance": regime.kernel_distance,',
      '    "imbalance": abs(initial.lambda_) / 2,',
      '    "delay": regime.delay,',
      '    "lazy_share": regime.lazy_share,',
      '    "wait": lose(0.1) / lose(0.9),',
      "}",
    ].join("\n");
  },
};
