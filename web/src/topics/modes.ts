/** how a deep linear network learns structure, one mode after another. */

import { type Line, type Mark, type Quantity, type Topic, type State, type View, numberOf } from "../topic";
import { area } from "../theory/passage";
import { type Matrix, multiply, toRows, transpose, zeros } from "../theory/matrix";
import { timeToStrength } from "../theory/modes";
import { STRUCTURES } from "../theory/structures";
import {
  SAMPLES,
  type Setting,
  type Task,
  draw,
  exponent,
  learned,
  lossOf,
  modeOf,
  representation,
  settingOf,
  theoryOf,
} from "./modes_setting";
import { type Trained, run } from "./modes_train";

const short = (value: number): string => Number(value.toPrecision(3)).toString();

/** Names of several words would cover each other on the map. */
function initials(name: string): string {
  const words = name.split(" ");
  return words.length > 2 ? words.map(([first]) => first).join("") : name;
}

function groupName(group: readonly number[], s: number): string {
  const [first, last] = [group[0]! + 1, group[group.length - 1]! + 1];
  return `${first === last ? `mode ${first}` : `modes ${first}–${last}`} (s = ${short(s)})`;
}

function view(state: State, live?: Trained): View {
  const setting = settingOf(state);
  const { task, depth, start, end, times } = setting;
  const curves = theoryOf(setting, times);
  const loss = times.map((_, i) => lossOf(task, curves, i));
  const at = Math.round(numberOf(state, "moment") * (SAMPLES - 1));
  const unit = depth === Infinity ? "depth × flow time" : "flow time";
  const axis = { label: unit, values: times, range: [0, end] as const };
  const marks: Mark[] = at > 0 && at < SAMPLES - 1 ? [{ axis: "x", at: times[at]!, label: "moment" }] : [];
  const halves = task.groups.map(([k]) => timeToStrength(0.5 * task.targets[k!]!, modeOf(task, k!), start, depth));
  const strongest = modeOf(task, 0);
  const rise = [0.1, 0.9].map((share) => timeToStrength(share * task.targets[0]!, strongest, start, depth));

  const lines: Line[] = task.groups.map((group, g) => ({
    label: groupName(group, task.s[group[0]!]!),
    y: curves[g]!,
    colour: g % 6,
    width: 2.5,
    ...(g >= 6 ? { dash: "dash" as const } : {}),
  }));
  const numbers: Quantity[] = [
    { id: "first", label: "strongest mode half learned", value: halves[0]!, unit },
    { id: "last", label: "weakest mode half learned", value: halves[halves.length - 1]!, unit },
    { id: "rise", label: "its rise (10 to 90 %) over its half time", value: (rise[1]! - rise[0]!) / halves[0]! },
    { id: "loss", label: "loss at the moment", value: loss[at]! },
  ];
  const losses: Line[] = [{ label: "prediction", y: loss, width: 2.5 }];
  let places: [number, number][] | undefined;
  if (live && live.times.length > 1) {
    live.strengths.forEach((y, k) =>
      lines.push({ label: "network", x: live.times, y, colour: 6, width: 1, dash: "dot", quiet: k > 0 }),
    );
    losses.push({ label: "network", x: live.times, y: live.loss, colour: 1, width: 1.2, dash: "dash" });
    numbers.push({
      id: "area",
      label: "prediction against network (∫|ΔL|/∫L)",
      value: area(live.times, live.expected, live.loss),
    });
    const near = live.times.findIndex((t) => t >= times[at]! - 1e-9 * end);
    if (near >= 0) places = live.places[near];
  }
  const trails = Array.from({ length: 40 }, (_, i) => Math.round((at * i) / 39));
  const paths = trails.map((i) =>
    draw(
      setting,
      representation(
        task,
        depth,
        curves.map((curve) => curve[i]!),
      ),
    ),
  );
  const points = task.structure.items.map((name, i) => ({
    label: initials(name),
    x: paths[39]![i]![0],
    y: paths[39]![i]![1],
    colour: i % 6,
    trail: paths.map((step) => step[i]!),
  }));
  const reach = Math.max(...draw(setting, learned(task, depth)).flat().map(Math.abs));
  const span = [-1.25 * reach, 1.25 * reach] as const;
  const map = multiply(task.left, transpose(weighted(task, curves, at)));
  const largest = Math.max(...task.structure.y.data);
  const wide = task.structure.properties.length > 10;

  return {
    sentence: sentenceOf(setting, halves, (rise[1]! - rise[0]!) / halves[0]!),
    numbers,
    charts: [
      {
        kind: "lines",
        id: "strengths",
        title: "Strength of each mode",
        x: axis,
        y: { label: "strength a" },
        lines,
        marks,
      },
      { kind: "lines", id: "loss", title: "Loss", x: axis, y: { label: "loss" }, lines: losses, marks },
      {
        kind: "scatter",
        id: "representation",
        equal: true,
        title: `${exponent(depth) === 1 ? "Answers to the items" : "Items in the first hidden layer"}${places ? " (rings: the network)" : ""}`,
        x: { label: "dimension 1 (same unit as dimension 2)", range: span },
        y: { label: "dimension 2", range: span },
        // below the prediction's points, which they should hide behind
        points: [...(places ?? []).map(([x, y]) => ({ label: "", x, y, colour: 6, ring: true })), ...points],
      },
      {
        kind: "heat",
        id: "vectors",
        title: "Which items a mode tells apart (v)",
        label: "entry of v",
        matrix: toRows(transpose(task.right)),
        rows: task.groups.flatMap((group) => group.map((k) => `mode ${k + 1}`)),
        columns: task.structure.items,
      },
      {
        kind: "heat",
        id: "answers",
        title: "What the network answers at the moment",
        label: "predicted property",
        matrix: toRows(transpose(map)),
        rows: task.structure.items,
        columns: task.structure.properties,
        bound: largest,
        wide,
      },
      // a table as wide as the page needs no second one beside it
      ...(wide
        ? []
        : [
            {
              kind: "heat" as const,
              id: "targets",
              title: "What it is to answer",
              label: "property",
              matrix: toRows(task.structure.y),
              rows: task.structure.items,
              columns: task.structure.properties,
              bound: largest,
            },
          ]),
    ],
  };
}

/** V diag(a) at a sample: items × modes. */
function weighted(task: Task, curves: readonly (readonly number[])[], at: number): Matrix {
  const made = zeros(task.right.rows, task.right.columns);
  task.groups.forEach((group, g) => {
    for (const k of group)
      for (let i = 0; i < made.rows; i++)
        made.data[i * made.columns + k] = curves[g]![at]! * task.right.data[i * made.columns + k]!;
  });
  return made;
}

function sentenceOf({ task, depth, start }: Setting, halves: readonly number[], rise: number): string {
  const [first, last] = [halves[0]!, halves[halves.length - 1]!];
  if (depth === 1) {
    return `One layer learns all modes at once: each closes its gap at the same rate d = ${short(task.d)}, however strong it is, and is half learned at t ≈ ${short(first)}; there are no stages.`;
  }
  const layers = depth === Infinity ? "Infinitely many layers" : `${depth} layers`;
  const manner =
    rise < 0.5 ? "suddenly, after a long wait" : rise < 1.2 ? "in a sigmoid" : "gradually, because it starts large";
  if (task.groups.length === 1) {
    return `${layers} learn all modes together from strength ${short(start)}, because they are equally strong: each is half learned at ${short(first)} and rises ${manner}.`;
  }
  return (
    `${layers} learn one mode after another from strength ${short(start)}: the strongest is half learned at ${short(first)}, ` +
    `the weakest at ${short(last)}, ${short(last / first)} times later; each rises ${manner}.`
  );
}

export const modes: Topic<Trained> = {
  id: "modes",
  title: "Modes",
  question: "In which order does a deep linear network learn what there is to learn?",
  paper: {
    text: "Saxe, McClelland & Ganguli 2014, Exact solutions to the nonlinear dynamics of learning in deep linear neural networks",
    href: "https://arxiv.org/abs/1312.6120",
  },
  theory: {
    text:
      "The correlation of items with properties is a sum of modes, Σyx = U S Vᵀ. From small weights that are equally strong in every layer each mode " +
      "grows by itself, and the strong ones first: broad distinctions before fine ones. One layer has no such stages; more layers wait longer and then " +
      "rise more suddenly. The map shows where items are once all is learned, with distances kept as well as a plane can; each mode moves them along a straight line of it. The structures are those of Saxe, McClelland & Ganguli 2019.",
    equations: [
      "du/dt = D u^(2−2/D) (s − d u)",
      "D = 1:  u(t) = (s/d)(1 − e^(−dt)) + u₀ e^(−dt)",
      "D = 2:  u(t) = (s/d) / (1 − (1 − s/(d u₀)) e^(−2st))",
      "D → ∞, T = D t:  u(T) = (s/d) / (1 + W₀[z₀ e^(z₀ − s²T/d)]),  z₀ = s/(d u₀) − 1",
      "L(t) = ½ Σ d (u − s/d)²",
    ],
  },
  controls: [
    {
      kind: "choice",
      id: "structure",
      label: "Structure",
      value: "hierarchy",
      options: STRUCTURES.map(({ id, label }) => ({ value: id, label })),
      help: "What the items have in common.",
    },
    {
      kind: "choice",
      id: "depth",
      label: "Layers",
      value: "2",
      help: "Number of weight layers D.",
      options: [...["1", "2", "3", "4", "6"].map((value) => ({ value, label: value })), { value: "inf", label: "∞" }],
    },
    {
      kind: "slider",
      id: "start",
      label: "Initial strength u₀",
      min: 1e-5,
      max: 0.2,
      step: 0.05,
      value: 1e-3,
      log: true,
      help: "Strength of every mode at time 0: the product over all layers.",
    },
    {
      kind: "slider",
      id: "moment",
      label: "Moment",
      min: 0,
      max: 1,
      step: 0.01,
      value: 1,
      format: (value) => `${Math.round(100 * value)} %`,
      help: "The time, as a share of the time axis, at which representations and answers are shown.",
    },
    {
      kind: "choice",
      id: "weights",
      label: "Trained network starts",
      value: "aligned",
      help: "The prediction assumes a start on the modes; from random weights of the same size deep networks come later.",
      options: [
        { value: "aligned", label: "on the modes" },
        { value: "random", label: "at random" },
      ],
    },
  ],
  view,
  live: {
    label: "Train a linear network",
    key: (state) => ["structure", "depth", "start", "weights"].map((id) => state[id]).join(" "),
    run,
  },
  python: (state) => {
    const { task, depth, start, times } = settingOf(state);
    const at = Math.round(numberOf(state, "moment") * (SAMPLES - 1));
    return [
      "import math",
      "",
      "import festina as fs",
      "",
      `s = ${task.structure.python}`,
      `d, depth, start = 1 / ${task.structure.items.length}, ${depth === Infinity ? "math.inf" : depth}, ${start}`,
      "reach = lambda share, s: fs.linear.time_to_strength(share * s / d, s, d, start, depth)",
      "half = reach(0.5, s)",
      `now = fs.linear.strength(${times[at]!}, s, d, start, depth)`,
      "numbers = {",
      '    "first": float(half[0]),',
      '    "last": float(half[-1]),',
      '    "rise": float((reach(0.9, s[0]) - reach(0.1, s[0])) / half[0]),',
      '    "loss": float(0.5 * d * sum((now - s / d) ** 2)),',
      "}",
    ].join("\n");
  },
};
