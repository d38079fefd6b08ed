/** how a deep linear network learns structure, one mode after another. */

import { type Matrix, multiply, toRows, transpose, zeros } from "../theory/matrix";
import { timeToStrength } from "../theory/modes";
import { area } from "../theory/passage";
import { STRUCTURES } from "../theory/structures";
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
import { draw, exponent, learned, modeOf, SAMPLES, type Setting, settingOf, type Task } from "./modes_setting";
import { run, type Trained } from "./modes_train";
import { exact, short, verdict, WORDS } from "./verdict";

/** Names of several words would cover each other on the map. */
function initials(name: string): string {
  const words = name.split(" ");
  return words.length > 2 ? words.map(([first]) => first).join("") : name;
}

/** The distinction that a mode makes, or its number if it has no name. */
function modeName({ structure }: Task, k: number): string {
  return structure.modes?.[k] ?? `mode ${k + 1}`;
}

function groupName(task: Task, group: readonly number[]): string {
  const [first, second, ...more] = group.map((k) => modeName(task, k));
  return second === undefined
    ? first!
    : `${first}; ${more.length ? `and ${WORDS[group.length - 1] ?? group.length - 1} more` : second}`;
}

function view(state: State, live?: Trained): View {
  const setting = settingOf(state);
  const { task, depth, start, end, times, curves, loss } = setting;
  const at = Math.round(numberOf(state, "moment") * (SAMPLES - 1));
  const unit = depth === Infinity ? "depth × flow time" : "flow time";
  const axis = { label: unit, values: times, range: [0, end] as const };
  const moment = times[at]!;
  const halves = task.groups.map(([k]) => timeToStrength(0.5 * task.targets[k!]!, modeOf(task, k!), start, depth));
  const strongest = modeOf(task, 0);
  const rise = [0.1, 0.9].map((share) => timeToStrength(share * task.targets[0]!, strongest, start, depth));

  const lines: Line[] = task.groups.map((group, g) => ({
    label: groupName(task, group),
    y: curves[g]!,
    colour: MODES + (g % 6),
    ...(g >= 6 ? { dash: "dash" as const } : {}),
  }));
  const numbers: Quantity[] = [
    { id: "first", label: "strongest mode half learned", value: halves[0]!, unit },
    { id: "last", label: "weakest mode half learned", value: halves[halves.length - 1]!, unit },
    {
      id: "rise",
      label: "rise time (10 to 90 %) of the strongest mode / its half-learning time",
      value: (rise[1]! - rise[0]!) / halves[0]!,
    },
    { id: "loss", label: "loss at this time", value: loss[at]! },
  ];
  const losses: Line[] = [{ label: "prediction", y: loss, colour: 6 }];
  let places: [number, number][] | undefined;
  let own: number[][] | undefined;
  let gap: number | undefined;
  if (live && live.times.length > 1) {
    const bands = task.groups.flatMap((group, g) =>
      group.map(
        (k): Line => ({
          label: "trained network",
          x: live.times,
          y: live.strengths[k]!,
          colour: MODES + (g % 6),
          role: "trained",
          among: group.length,
          quiet: true,
        }),
      ),
    );
    lines.unshift(...bands);
    losses.unshift({ label: "trained network", x: live.times, y: live.loss, colour: 6, role: "trained" });
    gap = area(live.times, live.expected, live.loss);
    numbers.push({ id: "area", label: "area between prediction and network (∫|ΔL|/∫L)", value: gap });
    const near = live.times.findIndex((t) => t >= times[at]! - 1e-9 * end);
    if (near >= 0) [places, own] = [live.places[near], live.answers[near]];
  }
  const trails = Array.from({ length: 40 }, (_, i) => Math.round((at * i) / 39));
  const paths = trails.map((i) => setting.paths[i]!);
  const points = task.structure.items.map((name, i) => ({
    label: initials(name),
    x: paths[39]![i]![0],
    y: paths[39]![i]![1],
    colour: task.structure.branches ? task.structure.branches[i]! % 6 : 0,
    trail: paths.map((step) => step[i]!),
  }));
  const reach = Math.max(...draw(setting, learned(task, depth)).flat().map(Math.abs));
  const span = [-1.25 * reach, 1.25 * reach] as const;
  const map = multiply(task.left, transpose(weighted(task, curves, at)));
  const largest = Math.max(...task.structure.y.data);
  const table = (id: string, title: string, matrix: number[][]): Chart => ({
    kind: "heat",
    id,
    title,
    label: "answer",
    wide: true,
    matrix,
    rows: task.structure.items,
    columns: task.structure.properties,
    bound: largest,
  });
  const why =
    wordOf(state, "weights") === "random"
      ? "random weights must first align with the modes"
      : "the training step is not small for these initial weights";

  return {
    sentence:
      sentenceOf(setting, halves, (rise[1]! - rise[0]!) / halves[0]!) +
      (depth === Infinity
        ? " A network with infinitely many layers cannot be trained; this is the limit of deeper and deeper networks."
        : verdict(gap, "The trained network", why)),
    numbers,
    charts: [
      {
        kind: "lines",
        id: "strengths",
        title: "Strength of each mode",
        x: axis,
        y: { label: "strength a" },
        lines,
        direct: true,
        moment,
      },
      { kind: "lines", id: "loss", title: "Loss", x: axis, y: { label: "loss" }, lines: losses, moment },
      {
        kind: "scatter",
        id: "representation",
        equal: true,
        title: `${exponent(depth) === 1 ? "Answers to the items" : "Items in the first hidden layer"}${places ? " (rings: the trained network)" : ""}`,
        x: { label: "dimension 1", range: span },
        y: { label: "dimension 2", range: span },
        // below the prediction's points, which they should hide behind
        points: [...(places ?? []).map(([x, y]) => ({ label: "", x, y, colour: 6, ring: true })), ...points],
      },
      {
        kind: "heat",
        id: "vectors",
        title: "Which items each mode separates (v)",
        label: "entry of v",
        tall: true,
        matrix: toRows(transpose(task.right)),
        rows: task.groups.flatMap((group) => group.map((k) => modeName(task, k))),
        columns: task.structure.items,
      },
      table("answers", "Predicted answers at this time", toRows(transpose(map))),
      own
        ? table("network_answers", "The trained network's answers", own)
        : table("targets", "Target answers", toRows(task.structure.y)),
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
    return `One layer learns all modes at once, so there are no stages. Every mode approaches its end at the same rate d = ${short(task.d)} and is half learned at t ≈ ${short(first)}.`;
  }
  const layers =
    depth === Infinity
      ? "Infinitely many layers"
      : `${{ 2: "Two", 3: "Three", 4: "Four", 6: "Six" }[depth] ?? depth} layers`;
  const manner =
    rise < 0.5
      ? "suddenly, after a long delay"
      : rise < 1.2
        ? "along an S-shaped curve"
        : "gradually, because it starts large";
  if (task.groups.length === 1) {
    return `${layers} learn all modes together from strength ${short(start)}, because they are equally strong: each is half learned at ${short(first)} and rises ${manner}.`;
  }
  return (
    `${layers} learn one mode after another from strength ${short(start)}: the strongest is half learned at ${short(first)}, ` +
    `the weakest at ${short(last)}, which takes ${short(last / first)} times as long; each rises ${manner}.`
  );
}

function schematic(state: State): Schematic {
  const { task, depth } = settingOf(state);
  const { items, properties, branches } = task.structure;
  const drawing = new Drawing(9);
  const colour = (i: number) => ({ colour: branches ? branches[i]! % 6 : 0 });
  const layers = depth === Infinity ? 4 : depth;
  const inputs = drawing.column(6, items.map(initials), "items", (i) => ({ ...colour(i), side: "left" }));
  let before = inputs;
  for (let l = 1; l < layers; l++) {
    const hidden = drawing.column(
      6 + (9 * l) / layers,
      blank(5),
      depth === Infinity && l === 2 ? "…" : layers === 2 ? "hidden units" : "",
    );
    drawing.join(before, hidden, (i) => (l === 1 ? { ...colour(i), weight: 0.7 } : { weight: 0.7 }));
    before = hidden;
  }
  const outputs = drawing.column(15, blank(Math.min(properties.length, 9)), "properties");
  drawing.join(before, outputs, (i) => (layers === 1 ? { ...colour(i), weight: 0.7 } : { weight: 0.7 }));
  const count =
    depth === Infinity
      ? "infinitely many layers"
      : depth === 1
        ? "one layer"
        : `${{ 2: "two", 3: "three", 4: "four", 6: "six" }[depth] ?? depth} layers`;
  return drawing.done(
    `A linear network with ${count} of weights learns which of ${properties.length} properties each of ${items.length} items has.${branches ? " Items of one branch share a colour." : ""}`,
  );
}

export const modes: Topic<Trained> = {
  id: "modes",
  title: "Stages",
  question: "What does a network learn first?",
  paper: {
    text: "Saxe, McClelland & Ganguli 2014, Exact solutions to the nonlinear dynamics of learning in deep linear neural networks",
    href: "https://arxiv.org/abs/1312.6120",
  },
  terms: ["mode", "strength", "singular", "loss", "flow", "area"],
  theory: {
    text:
      "The correlation of items with properties is a sum of modes, Σyx = U S Vᵀ. From small weights that are equally " +
      "strong in every layer, each mode grows independently, and strong modes grow first: broad distinctions before " +
      "fine ones. One layer has no such stages. More layers wait longer and then rise more suddenly. The map shows the " +
      "items as they are at the end of learning, with distances kept as well as a plane allows. Each mode moves the " +
      "items along a straight line of this map. The structures are those of Saxe, McClelland & Ganguli 2019.",
    equations: [
      "frac{d a}{d t} = D a^{2−2/D} (s − d a),  L = frac{1}{2} Σ d (a − frac{s}{d})^{2}",
      "D = 1:  a(t) = frac{s}{d} (1 − e^{−d t}) + a_{0} e^{−d t}",
      "D = 2:  a(t) = frac{s / d}{1 − (1 − frac{s}{d a_{0}}) e^{−2 s t}}",
      "D → ∞,  T = D t:  a(T) = frac{s / d}{1 + W_{0}( z_{0} e^{z_{0} − s^{2} T / d} )},  z_{0} = frac{s}{d a_{0}} − 1",
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
    momentSlider((value) => `${Math.round(100 * value)} %`),
    {
      kind: "choice",
      id: "weights",
      label: "Initial weights of the trained network",
      value: "aligned",
      help: "This formula assumes initial weights that are aligned with the modes; the story uses the random weights themselves. From random weights of the same size, deep networks learn later.",
      options: [
        { value: "aligned", label: "aligned" },
        { value: "random", label: "random" },
      ],
    },
  ],
  schematic,
  ask: {
    prompt: "The network learns the properties of eight living things. When will it know that a canary is not a fish?",
    options: [
      "Before it can tell animals from plants",
      "After it can tell animals from plants, before it can tell a canary from a robin",
      "Last of all, because a canary and a fish are both animals",
    ],
    right: (state) => {
      if (wordOf(state, "structure") !== "hierarchy" || wordOf(state, "depth") === "1") return undefined;
      // the second mode tells animals from plants, the third pair birds from fish, the last ones single items
      const { task, start, depth } = settingOf(state);
      const [, kingdom, kind, single] = task.groups.map(([k]) =>
        timeToStrength(0.5 * task.targets[k!]!, modeOf(task, k!), start, depth),
      );
      return kind! < kingdom! ? 0 : kind! < (single ?? Infinity) ? 1 : 2;
    },
    because: "Broad distinctions are shared by more items, so their modes are stronger and are learned earlier.",
  },
  view,
  live: {
    label: "Train a linear network",
    impossible: (state) =>
      wordOf(state, "depth") === "inf" ? "A network with infinitely many layers cannot be trained." : undefined,
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
      `now = fs.linear.strength(${exact(times[at]!)}, s, d, start, depth)`,
      "numbers = {",
      '    "first": float(half[0]),',
      '    "last": float(half[-1]),',
      '    "rise": float((reach(0.9, s[0]) - reach(0.1, s[0])) / half[0]),',
      '    "loss": float(0.5 * d * sum((now - s / d) ** 2)),',
      "}",
    ].join("\n");
  },
};
