/** The reader's own table: its modes, and the predicted loss beside a network that is trained on it. Nothing leaves the page. */

import { timeToStrength } from "../theory/modes";
import { area } from "../theory/passage";
import { readTable } from "../theory/table";
import {
  type Chart,
  type Line,
  MODES,
  momentSlider,
  numberOf,
  type Quantity,
  type Schematic,
  type State,
  type Topic,
  type View,
  wordOf,
} from "../topic";
import { blank, Drawing } from "./drawing";
import { exact, percent, short, verdict, WORDS } from "./verdict";
import { curvesOf, keyOf, lossOf, run, SAMPLES, SHOWN, settingOf, type Trained } from "./your_data_train";

/** Twelve gardens, invented. */
const EXAMPLE = `garden,sun,rain,soil,height,leaves,flowers
A,8.1,3.2,6.1,41,18,9
B,7.4,4.1,5.2,38,20,8
C,3.0,7.7,6.6,30,31,2
D,5.2,5.9,3.1,27,22,4
E,9.0,2.1,4.4,36,12,10
F,2.1,8.4,5.0,22,33,1
G,6.6,5.0,7.3,45,27,7
H,4.4,6.8,2.2,20,23,3
I,7.9,3.9,3.0,30,15,8
J,3.7,7.1,7.9,38,34,3
K,5.9,4.6,4.8,33,21,6
L,8.6,2.8,7.0,46,19,10
`;

function view(state: State, live?: Trained): View {
  const setting = settingOf(state);
  const { table, task, times, start } = setting;
  const targets = numberOf(state, "targets");
  const [inputs, outputs] = [table.names.slice(0, -targets), table.names.slice(-targets)];
  const curves = curvesOf(setting, times);
  const loss = times.map((_, i) => lossOf(setting, curves, i));
  const at = Math.round(numberOf(state, "moment") * (SAMPLES - 1));
  const moment = times[at]!;
  const axis = { label: "flow time", values: times, range: [0, times[SAMPLES - 1]!] as const };
  const shown = task.s.slice(0, SHOWN);
  const halves = shown.map((s, k) =>
    timeToStrength((0.5 * s) / task.d[k]!, { s, d: task.d[k]! }, Math.min(start, (0.5 * s) / task.d[k]!), 2),
  );
  const trained = live && live.times.length > 2 ? live : undefined;
  const gap = trained && area(trained.times, trained.expected, trained.loss);
  const name = (k: number): string => `mode ${k + 1}`;
  const written = shown.map((_, k) => outputs.map((__, o) => task.left.data[o * task.left.columns + k]!));
  /** A mode is called by the input that it reads most and the target that it drives most. */
  const called = (k: number): string =>
    `${name(k)}: ${brief(inputs[strongest(task.reads[k]!)]!)} → ${brief(outputs[strongest(written[k]!)]!)}`;
  const explained = 1 - task.least / (0.5 * task.power);
  const numbers: Quantity[] = [
    { id: "points", label: "data points", value: table.rows.length },
    { id: "s_first", label: "strongest mode, singular value", value: task.s[0]! },
    { id: "first", label: "strongest mode half learned", value: halves[0]!, unit: "flow time" },
    { id: "least", label: "lowest loss of a linear map", value: task.least },
    { id: "loss", label: "predicted loss at this time", value: loss[at]! },
    ...(gap === undefined ? [] : [{ id: "area", label: "area between prediction and network (∫|ΔL|/∫L)", value: gap }]),
  ];
  const heat = (id: string, title: string, matrix: number[][], columns: readonly string[], label: string): Chart => ({
    kind: "heat",
    id,
    title,
    label,
    matrix,
    rows: shown.map((_, k) => name(k)),
    columns,
    bound: 1,
  });
  return {
    sentence: sentenceOf(state, halves, explained, gap),
    numbers,
    charts: [
      {
        kind: "lines",
        id: "loss",
        title: "Loss",
        wide: true,
        x: axis,
        y: { label: "loss" },
        moment,
        lines: [
          ...(trained
            ? [{ label: "trained network", x: trained.times, y: trained.loss, colour: 6, role: "trained" as const }]
            : []),
          { label: "prediction", y: loss, colour: 6 },
        ],
        marks: [{ axis: "y", at: task.least, label: "lowest possible", side: "left" }],
      },
      {
        kind: "lines",
        id: "strengths",
        title: "Strength of each mode",
        wide: true,
        x: axis,
        y: { label: "strength a" },
        moment,
        lines: [
          ...(trained
            ? shown.map(
                (_, k): Line => ({
                  label: "trained network",
                  x: trained.times,
                  y: trained.strengths[k]!,
                  colour: MODES + k,
                  role: "trained",
                  quiet: true,
                }),
              )
            : []),
          ...shown.map((s, k): Line => ({ label: `${called(k)} (s = ${short(s)})`, y: curves[k]!, colour: MODES + k })),
        ],
      },
      heat("reads", "Which inputs each mode reads", task.reads.slice(0, SHOWN), inputs, "correlation"),
      heat("writes", "Which outputs each mode drives", written, outputs, "entry of u"),
    ],
  };
}

const brief = (word: string): string => (word.length > 9 ? `${word.slice(0, 8)}…` : word);

/** The place of the entry that is largest in size. */
const strongest = (row: readonly number[]): number =>
  row.reduce((best, value, i) => (Math.abs(value) > Math.abs(row[best]!) ? i : best), 0);

function sentenceOf(state: State, halves: readonly number[], explained: number, gap: number | undefined): string {
  const { task, white, table, times } = settingOf(state);
  const count = task.s.length === 1 ? "one mode" : `${WORDS[task.s.length] ?? task.s.length} modes`;
  const [last, end] = [halves[halves.length - 1]!, times[SAMPLES - 1]!];
  const beyond = last > end ? `, long after the end of the charts at ${short(end)}` : "";
  const order =
    halves.length > 1
      ? `; the strongest is half learned at t = ${short(halves[0]!)}, ${halves.length > 2 ? "the weakest shown" : "the other"} at ${short(last)}${beyond}`
      : `, half learned at t = ${short(halves[0]!)}`;
  const why =
    wordOf(state, "weights") === "random"
      ? "random weights must first align with the modes"
      : white
        ? "the training step is not small"
        : "these inputs are correlated, so modes affect each other, while the theory treats them as independent (whiten the inputs to see the difference)";
  return `This table of ${table.rows.length} data points has ${count}${order}; the best linear map explains ${percent(explained)} of the targets' variance.${verdict(gap, "The trained network", why)}`;
}

function schematic(state: State): Schematic {
  const { table, task } = settingOf(state);
  const targets = numberOf(state, "targets");
  const [inputs, outputs] = [table.names.slice(0, -targets), table.names.slice(-targets)];
  const drawing = new Drawing(8);
  const cut = (names: readonly string[]): string[] => names.slice(0, 7).map(brief);
  const left = drawing.column(5, cut(inputs), "inputs", () => ({ side: "left" }));
  const middle = drawing.column(9, blank(Math.min(6, Math.max(task.cross.columns, task.cross.rows))), "hidden units");
  const right = drawing.column(13, cut(outputs), "targets", () => ({ side: "right" }));
  drawing.join(left, middle, () => ({ weight: 0.8 }));
  drawing.join(middle, right, () => ({ weight: 0.8 }));
  return drawing.done(
    `A linear network of two layers learns your ${outputs.length === 1 ? "target column" : `${outputs.length} target columns`} from ${inputs.length === 1 ? "one input column" : `${inputs.length} input columns`}.`,
  );
}

export const yourData: Topic<Trained> = {
  id: "your_data",
  title: "Your data",
  question: "What would a network learn first from your own table?",
  paper: {
    text: "Saxe, McClelland & Ganguli 2014, Exact solutions to the nonlinear dynamics of learning in deep linear neural networks",
    href: "https://arxiv.org/abs/1312.6120",
  },
  terms: ["mode", "strength", "singular", "white", "loss", "flow", "area"],
  theory: {
    text:
      "Columns are centred and divided by their standard deviation. The correlation of targets with inputs is a sum of " +
      "modes. From small weights each mode grows independently, and strong modes grow first. This is exact if the " +
      "inputs are whitened: uncorrelated and of equal variance. For other inputs the curvature of a mode is the " +
      "variance of the inputs along it, which is an approximation. Your table stays in this page: it is not sent " +
      "anywhere, and links do not contain it.",
    equations: [
      "Σ_{yx} = U S V^{T},  d = v^{T} Σ_{x} v",
      "a(t) = frac{s / d}{1 − (1 − frac{s}{d a_{0}}) e^{−2 s t}},  L = frac{1}{2} ⟨y^{2}⟩ − Σ ( s a − frac{1}{2} d a^{2} )",
    ],
  },
  controls(state) {
    const table = readTable(typeof state.table === "string" ? state.table : EXAMPLE);
    const columns = typeof table === "string" ? 2 : table.names.length;
    return [
      {
        kind: "text",
        id: "table",
        label: "Your table (CSV)",
        value: EXAMPLE,
        help: "Paste a table or open a file: one data point per line, with the targets in the last columns. Names in the first line and first column are optional. The table stays on your computer.",
        refuse: (text) => {
          const found = readTable(text);
          return typeof found === "string" ? found : undefined;
        },
      },
      {
        kind: "slider",
        id: "targets",
        label: "Target columns",
        min: 1,
        max: Math.max(2, columns - 1),
        step: 1,
        value: Math.min(3, Math.floor(columns / 2)),
        help: "Number of last columns that the network learns from the others.",
      },
      {
        kind: "choice",
        id: "inputs",
        label: "Inputs",
        value: "white",
        options: [
          { value: "white", label: "whitened" },
          { value: "standard", label: "standardised" },
        ],
        help: "Whitened inputs are uncorrelated and have equal variance, as the theory assumes; standardised inputs keep their correlations.",
      },
      {
        kind: "slider",
        id: "start",
        label: "Initial strength",
        min: 1e-5,
        max: 0.2,
        step: 0.05,
        value: 1e-3,
        log: true,
        help: "Strength of every mode at time 0, as a fraction of the final strength of the strongest mode.",
      },
      {
        kind: "choice",
        id: "weights",
        label: "Initial weights of the trained network",
        value: "aligned",
        options: [
          { value: "aligned", label: "aligned" },
          { value: "random", label: "random" },
        ],
        help: "The prediction assumes weights that are aligned with the modes.",
      },
      momentSlider((value) => `${Math.round(100 * value)} %`),
    ];
  },
  schematic,
  view,
  live: { label: "Train a linear network", key: keyOf, run },
  python: (state) => {
    const { table, times, white } = settingOf(state);
    const targets = numberOf(state, "targets");
    const at = Math.round(numberOf(state, "moment") * (SAMPLES - 1));
    return [
      "import numpy as np",
      "",
      "import festina as fs",
      "",
      `table = np.array(${JSON.stringify(table.rows)})`,
      "table = (table - table.mean(axis=0)) / table.std(axis=0)",
      `x, y = table[:, :-${targets}], table[:, -${targets}:]`,
      ...(white
        ? [
            "variances, axes = np.linalg.eigh(x.T @ x / len(x))",
            "kept = variances > 1e-9 * variances.max()",
            "x = x @ axes[:, kept] / np.sqrt(variances[kept])",
          ]
        : []),
      "task = fs.Task(x, y)",
      "s, d = task.statistics.strengths, task.statistics.curvatures",
      `start = ${exact(numberOf(state, "start"))} * s[0] / d[0]`,
      `a = fs.linear.strength(${exact(times[at]!)}, s, d, start, 2)`,
      "numbers = {",
      '    "points": len(table),',
      '    "s_first": float(s[0]),',
      '    "first": float(fs.linear.time_to_strength(0.5 * s[0] / d[0], s[0], d[0], start, 2)),',
      '    "least": float(task.statistics.floor),',
      '    "loss": float(0.5 * task.statistics.power - sum(s * a - 0.5 * d * a**2)),',
      "}",
    ].join("\n");
  },
};
