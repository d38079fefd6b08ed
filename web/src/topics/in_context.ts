/** Linear attention learns to regress in context, one principal component of the inputs after another. */

import { componentDistance, diagonal, overlap, risk } from "../theory/attention";
import { area } from "../theory/passage";
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
import { keyOf, LENGTHS, SAMPLES, settingOf, solutionOf } from "./in_context_setting";
import { run, type Trained } from "./in_context_train";
import { exact, short, verdict, WORDS } from "./verdict";

/** Numbers of examples at which the in-context risk is drawn. */
const EXAMPLES = Array.from({ length: 49 }, (_, i) => 2 ** (i / 6));
/** Drops that last longer than this fraction of the time to the next one are not separate steps: the library's bound. */
const APART = 0.5;

function view(state: State, live?: Trained): View {
  const solution = solutionOf(state);
  const { setting, halves, times, strengths, loss, levels, ends } = solution;
  const { task } = setting;
  const at = Math.round(numberOf(state, "moment") * (SAMPLES - 1));
  const axis = { label: "flow time", values: times, log: true, range: [times[0]!, times[SAMPLES - 1]!] as const };
  const moment = times[at]!;
  const size = task.eigenvalues.length;
  const now = diagonal(strengths.map((row) => row[at]!));
  const trained = live && live.times.length > 2 ? live : undefined;
  const near = trained ? trained.times.findIndex((time) => time >= 0.999 * moment) : -1;
  const own = near >= 0 ? trained!.maps[near] : undefined;
  const gap = trained && area(trained.times, trained.expected, trained.loss);
  const name = (d: number): string => `component ${d + 1} (λ = ${short(task.eigenvalues[d]!)})`;

  const distances = times.map((_, i) => componentDistance(task, diagonal(strengths.map((row) => row[i]!))));
  const ownDistances = trained?.maps.map((map) => componentDistance(task, map));
  const band = (y: number[], colour: number, label = "trained attention", quiet = true): Line => ({
    label,
    x: trained!.times.slice(1),
    y: y.slice(1),
    colour,
    role: "trained",
    quiet,
  });
  const numbers: Quantity[] = [
    { id: "first", label: "first component half learned", value: halves[0]!, unit: "flow time" },
    { id: "last", label: "last component half learned", value: halves[halves.length - 1]!, unit: "flow time" },
    { id: "plateau", label: "loss after the first drop", value: levels[1]! },
    { id: "least", label: "lowest possible loss", value: levels[size]! },
    { id: "loss", label: "loss at this time", value: loss[at]! },
    ...(gap === undefined ? [] : [{ id: "area", label: "area between prediction and network (∫|ΔL|/∫L)", value: gap }]),
  ];
  const charts: Chart[] = [
    {
      kind: "lines",
      id: "loss",
      title: "Loss, and its predicted plateaus",
      wide: true,
      x: axis,
      y: { label: "loss" },
      moment,
      lines: [
        ...(trained ? [band(trained.loss, 6, "trained attention", false)] : []),
        { label: "prediction", y: loss, colour: 6 },
      ],
      marks: levels.map((level, m) => ({
        axis: "y",
        at: level,
        label: m === 0 ? "nothing learned" : `${WORDS[m] ?? m} learned`,
        ...(m ? { colour: MODES + m - 1, side: "left" as const } : {}),
      })),
    },
    {
      kind: "lines",
      id: "strengths",
      title: "Strength of each principal component",
      x: axis,
      y: { label: "strength eᵀMe" },
      moment,
      lines: [
        ...(trained
          ? task.eigenvalues.map((_, d) =>
              band(
                trained.maps.map((map) => map[d * size + d]!),
                MODES + d,
              ),
            )
          : []),
        ...strengths.map((y, d): Line => ({ label: name(d), y, colour: MODES + d })),
      ],
    },
    {
      kind: "lines",
      id: "distance",
      title: "Distance from regression on the first m components",
      x: axis,
      y: { label: "⟨(ŷ − ŷₘ)²⟩ / ⟨y²⟩", range: [0, Math.max(...distances.map((row) => Math.max(...row))) * 1.05] },
      moment,
      lines: Array.from({ length: size }, (_, k) => k + 1).flatMap((m): Line[] => [
        ...(ownDistances
          ? [
              band(
                ownDistances.map((row) => row[m]!),
                MODES + m - 1,
              ),
            ]
          : []),
        { label: m === 1 ? "m = 1" : `m = ${m}`, y: distances.map((row) => row[m]!), colour: MODES + m - 1 },
      ]),
    },
    ...(
      [
        ["predicted", now],
        ["trained", own],
      ] as const
    ).flatMap(([kind, map]): Chart[] =>
      map
        ? [
            {
              kind: "heat",
              id: `map_${kind}`,
              title: kind === "predicted" ? "Predicted map M at this time" : "Trained attention's map M",
              label: "entry of M",
              matrix: Array.from({ length: size }, (_, i) =>
                Array.from({ length: size }, (__, j) => map[i * size + j]!),
              ),
              rows: task.eigenvalues.map((_, d) => `e${d + 1}`),
              columns: task.eigenvalues.map((_, d) => `e${d + 1}`),
              bound: Math.max(...ends),
            },
          ]
        : [],
    ),
    {
      kind: "lines",
      id: "risk",
      title: "Loss with n examples in the context, at this time",
      wide: true,
      x: { label: "examples n", values: EXAMPLES, log: true, range: [1, 256] },
      y: { label: "loss" },
      lines: [
        ...(own
          ? [
              {
                label: "trained attention",
                y: EXAMPLES.map((n) => risk(task, own, n)),
                colour: 6,
                role: "trained" as const,
              },
            ]
          : []),
        { label: "prediction", y: EXAMPLES.map((n) => risk(task, now, n)), colour: 6 },
        {
          label: "at the end of learning",
          y: EXAMPLES.map((n) => risk(task, diagonal(ends), n)),
          colour: 2,
          role: "reference",
          dash: "dash",
        },
      ],
      marks: Number.isFinite(task.length) ? [{ axis: "x", at: task.length, label: `N = ${task.length}` }] : [],
    },
  ];
  return { sentence: sentenceOf(state, gap), numbers, charts };
}

function sentenceOf(state: State, gap: number | undefined): string {
  const { setting, wins, halves, levels } = solutionOf(state);
  const { task, random } = setting;
  const size = task.eigenvalues.length;
  const heads = setting.heads.value.length;
  const order = wins.every(({ component }, k) => component === k) ? ", the largest variance first," : "";
  const apart = overlap(wins) <= APART;
  const when = halves.map(short).join(", ");
  const count = wins.length === 1 ? "one principal component" : `${WORDS[wins.length]} principal components`;
  const head =
    `${heads === 1 ? "One head learns" : `${WORDS[heads] ?? heads} heads learn`} ${count} of the inputs`.replace(
      /^./,
      (letter) => letter.toUpperCase(),
    );
  const manner =
    wins.length < 2
      ? `, half of it by t = ${when}`
      : apart
        ? ` one after another${order} each half learned at t = ${when}`
        : `${order} but so close together (t = ${when}) that the drops overlap and leave almost no plateaus`;
  const rest =
    wins.length < size
      ? `; the loss ends at ${short(levels[wins.length]!)}, above the lowest possible ${short(levels[size]!)}, because a head of rank one can hold only one component`
      : `; the loss ends at the lowest possible value, ${short(levels[size]!)}`;
  const why = random
    ? "heads of this size interact before they have turned to a component"
    : "the training step is not small";
  return `${head}${manner}${rest}.${verdict(gap, "The trained attention", why)}`;
}

function schematic(state: State): Schematic {
  const { task, heads } = settingOf(state);
  const count = heads.value.length;
  const tokens = ["x₁ y₁", "x₂ y₂", "…", Number.isFinite(task.length) ? `x y (${task.length})` : "x y (∞)", "query x"];
  const nodes: Schematic["nodes"][number][] = tokens.map((label, i) => ({
    x: 5,
    y: 1 + 1.7 * i,
    shape: "square",
    label,
    side: "left",
    ...(i === 4 ? { colour: 1 } : {}),
  }));
  const links: Schematic["links"][number][] = [];
  const step = Math.min(1.7, 6.8 / Math.max(1, count - 1));
  for (let h = 0; h < count; h++) {
    const at = nodes.length;
    nodes.push({ x: 10, y: 4.4 + step * (h - (count - 1) / 2), colour: h % 6 });
    tokens.forEach((_, i) => links.push({ from: i, to: at, colour: h % 6, weight: 0.6 }));
    links.push({ from: at, to: tokens.length + count, colour: h % 6 });
  }
  nodes.push({ x: 15, y: 4.4, label: "ŷ", side: "right" });
  return {
    caption: `Each sequence shows examples of a new regression, then a query; ${count === 1 ? "one head" : `${WORDS[count] ?? count} heads`} of linear attention must answer it from the context.`,
    nodes,
    links,
    words: [
      { x: 5, y: 9.6, text: "sequence" },
      { x: 10, y: 9.6, text: "heads v k qᵀ" },
      { x: 15, y: 9.6, text: "answer" },
    ],
  };
}

export const inContext: Topic<Trained> = {
  id: "in_context",
  title: "Attention",
  question: "How does attention learn to learn from the examples in its context?",
  paper: {
    text: "Zhang, Singh, Latham and Saxe 2025, Training dynamics of in-context learning in linear attention",
    href: "https://arxiv.org/abs/2501.16265",
  },
  terms: ["attention", "component", "strength", "saddle", "loss", "flow", "area"],
  theory: {
    text:
      "Every sequence shows N examples of a new linear regression and then a query. Attention without softmax answers " +
      "with one matrix M between the correlation b of the examples and the query. With separate key and query of rank " +
      "one, each head is a chain of three layers. From small weights the network waits at a saddle, learns the " +
      "principal component of largest variance, waits at the next saddle, and so on. After m drops of the loss it " +
      "performs regression on the first m principal components in context. If each head starts on one component, the " +
      "solution is exact. From random weights, a head turns to a component while it is small. The time at which it " +
      "would diverge gives the initial strength of its chain.",
    equations: [
      "ŷ = b^{T} M x_{q},  b = frac{1}{N} Σ_{n} y_{n} x_{n},  M = Σ_{h} v_{h} k_{h} q_{h}^{T}",
      "frac{d u_{d}}{d t} = 3 u_{d}^{4/3} (s_{d} − c_{d} u_{d}),  s_{d} = λ_{d}^{2},  c_{d} = λ_{d}^{2} ( (1 + frac{1}{N}) λ_{d} + frac{Tr Λ}{N} )",
      "L_{m} = frac{1}{2} ( Tr Λ − Σ_{d ≤ m} frac{s_{d}^{2}}{c_{d}} )",
    ],
  },
  controls: [
    {
      kind: "slider",
      id: "dimension",
      label: "Dimension D",
      min: 2,
      max: 5,
      step: 1,
      value: 3,
      help: "Number of input dimensions, which is also the number of principal components.",
    },
    {
      kind: "slider",
      id: "ratio",
      label: "Ratio of neighbouring variances",
      min: 0.4,
      max: 0.9,
      step: 0.05,
      value: 0.6,
      help: "Variance of each principal component divided by that of the one before; the mean variance is one.",
      format: (value) => value.toFixed(2),
    },
    {
      kind: "choice",
      id: "length",
      label: "Examples N in a sequence",
      value: "32",
      options: LENGTHS.map((value) => ({ value, label: value === "inf" ? "∞" : value })),
      help: "With few examples the correlation b is noisy, and the best answer shrinks.",
    },
    {
      kind: "slider",
      id: "heads",
      label: "Heads",
      min: 1,
      max: 8,
      step: 1,
      value: 4,
      help: "Each head has rank one and can hold one principal component.",
    },
    {
      kind: "slider",
      id: "start",
      label: "Size of initial weights σ",
      min: 0.01,
      max: 0.1,
      step: 0.05,
      value: 0.02,
      log: true,
      help: "Standard deviation of random weights, or the size of value, key and query if heads start on the components.",
    },
    {
      kind: "choice",
      id: "weights",
      label: "Initial heads",
      value: "random",
      options: [
        { value: "random", label: "random" },
        { value: "aligned", label: "on the components" },
      ],
      help: "On the components the prediction is exact. For random heads it is an approximation for small weights: the heads compete for components.",
    },
    momentSlider((value) => `${Math.round(100 * value)} %`),
  ],
  schematic,
  ask: {
    prompt:
      "The network must solve a new regression in every sequence. How will its loss fall while it learns to do this?",
    options: [
      "Smoothly from the beginning",
      "In one drop, when it understands the task",
      "In steps, one for each principal component of the inputs",
    ],
    right: (state) => {
      const { wins } = solutionOf(state);
      // a single head of rank one learns a single component, in one drop that leaves the others
      return wins.length < 2 ? undefined : overlap(wins) <= APART ? 2 : 0;
    },
    because:
      "Key, query and value of a head multiply each other, so a head grows slowly while it is small and then suddenly. The component of largest variance gives the strongest gradient.",
  },
  view,
  live: { label: "Train linear attention", key: keyOf, run },
  python: (state) => {
    const { task, heads, random, start } = settingOf(state);
    const { times } = solutionOf(state);
    const at = Math.round(numberOf(state, "moment") * (SAMPLES - 1));
    const [size, length] = [task.eigenvalues.length, Number.isFinite(task.length) ? task.length : "math.inf"];
    const rows = (matrix: readonly (readonly number[])[]): string => JSON.stringify(matrix);
    const initial = random
      ? `fs.initial.Weights([np.array(${rows(heads.query)}), np.array(${rows(heads.key)}), np.array(${rows([heads.value])})])`
      : `fs.attention.AlignedHeads(${start} ** 3)`;
    return [
      "import math",
      "",
      "import numpy as np",
      "",
      "import festina as fs",
      "",
      `variances = ${numberOf(state, "ratio")} ** np.arange(${size})`,
      `task = fs.tasks.in_context_regression(${size} * variances / variances.sum(), length=${length})`,
      `initial = ${initial}`,
      `network = fs.LinearAttention(heads=${heads.value.length}, initial=initial)`,
      `method = ${wordOf(state, "weights") === "random" ? "fs.Reduced()" : "fs.Exact()"}`,
      `path = fs.evolve(network, task, [0.0, ${exact(times[at]!)}], method=method)`,
      "levels = task.plateaus",
      ...(random
        ? ['half = path.notes["times"]']
        : [
            `s, ends = task.eigenvalues[:${heads.value.length}] ** 2, task.final_strengths[:${heads.value.length}]`,
            `half = fs.linear.time_to_strength(0.5 * ends, s, s / ends, ${start} ** 3, 3)`,
          ]),
      "numbers = {",
      '    "first": float(half[0]),',
      '    "last": float(half[-1]),',
      '    "plateau": float(levels[1]),',
      '    "least": float(levels[-1]),',
      '    "loss": float(path.loss[-1]),',
      "}",
    ].join("\n");
  },
};
