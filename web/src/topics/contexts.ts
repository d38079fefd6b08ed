/** eight items in several contexts; which pathways are open where decides how fast a gated network learns. */
import { ReluNetwork } from "../learn/relu";
import { contextTask } from "../learn/task";
import { ITEMS, type Race, race, START_LOSS, singularValues } from "../theory/contexts";
import { area, firstPassage } from "../theory/passage";
import {
  type Dash,
  type Grid,
  gridOf,
  type Line,
  momentSlider,
  numberOf,
  type Quantity,
  type Schematic,
  type State,
  type Topic,
} from "../topic";
import { Drawing } from "./drawing";
import { exact, percent, verdict, WORDS } from "./verdict";

const SEEDS = 3;
/** Share of the first loss that counts as learned. */
const LEARNED = 0.05;
/** Step of gradient descent on the summed loss; the mean loss takes 8C times as much. The paper's is a quarter of it. */
const STEP = 0.004;
/** Longest flow time shown, over the number 8C of data points: that of the paper's 8000 steps. */
const SPAN = 8;
/** The time axis ends so much after the gating that the paper finds has learned. */
const BEYOND = 1.8;
const READINGS = 200;
/** A unit is on in a context where its mean activity is above this share of its largest. */
const THRESHOLD = 0.1;
/** Multiplications between two looks: some 30 ms of work. */
const PORTION = 2e7;

interface Snapshot {
  readonly losses: number[][];
  /** Once trained: share of the contextual activity in units that are on in 1, 2, … C−1 contexts. */
  readonly shares?: number[];
}

interface Setting {
  readonly contexts: number;
  readonly units: number;
  readonly std: number;
  readonly rate: number;
  /** Strength at which each mode of each pathway starts: nσ²/2, n half of the units. */
  readonly start: number;
  readonly every: number;
  readonly times: number[];
}

function settingOf(state: State): Setting {
  const [contexts, units] = [numberOf(state, "contexts"), numberOf(state, "units")];
  const std = numberOf(state, "scale") / units;
  const rate = STEP * ITEMS * contexts;
  const start = (Math.floor(units / 2) * std * std) / 2;
  const every = Math.max(1, Math.round(spanOf(contexts, start) / STEP / READINGS));
  return {
    contexts,
    units,
    std,
    rate,
    start,
    every,
    times: Array.from({ length: READINGS + 1 }, (_, i) => i * every * rate),
  };
}

const spans = new Map<string, number>();

/** Flow time to show, over 8C: from a coarse look at the gating that the paper finds, so that it does not move with the gates. */
function spanOf(contexts: number, start: number): number {
  const key = `${contexts} ${start}`;
  let found = spans.get(key);
  if (found === undefined) {
    const times = Array.from({ length: 81 }, (_, i) => (SPAN * ITEMS * contexts * i) / 80);
    const { loss } = race(contexts, preset(contexts, "but_one"), start, times);
    const learned = firstPassage(times, loss, LEARNED * START_LOSS) / (ITEMS * contexts);
    found = Math.min(SPAN, BEYOND * learned);
    spans.set(key, found);
  }
  return found;
}

type Preset = "but_one" | "single" | "all" | "common";

/** Gates of a preset, filled up with closed rows. */
function preset(contexts: number, kind: Preset): boolean[][] {
  const row = (open: (c: number) => boolean): boolean[] => Array.from({ length: contexts }, (_, c) => open(c));
  const every = Array.from({ length: contexts }, (_, p) => p);
  const butOne = every.map((p) => row((c) => c !== contexts - 1 - p));
  const single = every.map((p) => row((c) => c === p));
  const found = [row(() => true)];
  if (kind === "but_one" || kind === "all") found.push(...butOne);
  // with two contexts they are the same
  if (kind === "single" || (kind === "all" && contexts > 2)) found.push(...single);
  while (found.length < rows(contexts)) found.push(row(() => false));
  return found;
}

/** Rows for a common pathway, those open in all contexts but one, and those open in one. */
function rows(contexts: number): number {
  return contexts > 2 ? 2 * contexts + 1 : 3;
}

let known: { key: string; race: Race } | undefined;

/** The prediction; kept, because the view is asked for again whenever training has gone on. */
function predict(setting: Setting, gates: boolean[][]): Race {
  const key = JSON.stringify([setting.contexts, setting.start, gates]);
  if (known?.key !== key) known = { key, race: race(setting.contexts, gates, setting.start, setting.times) };
  return known.race;
}

function* train(state: State): Generator<Snapshot, void, void> {
  const { contexts, units, std, rate, every, times } = settingOf(state);
  const task = contextTask(contexts);
  const networks = Array.from({ length: SEEDS }, (_, seed) => ReluNetwork.random(task, units, std, seed));
  const losses = networks.map((network) => [network.loss()]);
  const work = SEEDS * every * 3 * (ITEMS * contexts) ** 2 * units;
  const portion = Math.max(1, Math.round(PORTION / work));
  for (let i = 1; i < times.length; i++) {
    networks.forEach((network, seed) => {
      for (let k = 0; k < every; k++) network.step(rate);
      losses[seed]!.push(network.loss());
    });
    if (i % portion === 0 && i < times.length - 1) yield { losses: losses.map((curve) => [...curve]) };
  }
  yield { losses, shares: gateShares(networks, contexts) };
}

/** By how many contexts units are on in, short of all; each weighted by what it adds to the map, the mean over networks. */
function gateShares(networks: readonly ReluNetwork[], contexts: number): number[] {
  const found = new Array<number>(contexts - 1).fill(0);
  for (const network of networks) {
    const own = new Array<number>(contexts).fill(0);
    const sizes = network.sizes();
    for (let h = 0; h < network.hidden; h++) {
      const mean = Array.from({ length: contexts }, (_, c) => {
        let sum = 0;
        for (let item = 0; item < ITEMS; item++) sum += network.activity[h * network.points + c * ITEMS + item]!;
        return sum;
      });
      const most = Math.max(...mean);
      const on = mean.filter((value) => value > THRESHOLD * most).length;
      if (on > 0) own[on - 1]! += sizes[h]!;
    }
    const total = own.slice(0, -1).reduce((sum, size) => sum + size, 0);
    if (total > 0) found.forEach((_, k) => (found[k]! += own[k]! / total / networks.length));
  }
  return found;
}

function kindOf(open: number, contexts: number): { label: string; colour: number; dash: Dash } {
  if (open === contexts) return { label: "common, open in all contexts", colour: 6, dash: "solid" };
  const label = open === 1 ? "open in 1 context" : `open in ${open} contexts`;
  if (open === contexts - 1) return { label, colour: 1, dash: "dash" };
  if (open === 1) return { label, colour: 0, dash: "dot" };
  return { label, colour: open === 2 ? 2 : 3, dash: "dashdot" };
}

/** What the gating is made of, in words. */
function describe(gates: readonly boolean[][], contexts: number): string {
  const counts = new Array<number>(contexts + 1).fill(0);
  for (const row of gates) counts[row.filter(Boolean).length]!++;
  const parts: string[] = [];
  if (counts[contexts]) parts.push(counts[contexts] === 1 ? "a common pathway" : `${counts[contexts]} common pathways`);
  for (let k = contexts - 1; k > 0; k--) {
    const count = counts[k]!;
    if (!count) continue;
    const each = count === 1 ? "" : " each";
    parts.push(`${WORDS[count] ?? count} open in ${k === 1 ? "one context" : `${WORDS[k]} contexts`}${each}`);
  }
  const last = parts.pop();
  if (last === undefined) return "no pathway at all";
  return parts.length ? `${parts.join(", ")} and ${last}` : last;
}

function schematic(state: State): Schematic {
  const count = numberOf(state, "contexts");
  const gates = gridOf(state, "gates").filter((row) => row.some(Boolean));
  const drawing = new Drawing(9);
  const inputs = drawing.column(
    4,
    [...Array.from({ length: 3 }, () => "item"), "…", ...Array.from({ length: count }, (_, c) => `context ${c + 1}`)],
    "inputs",
    () => ({ side: "left" }),
  );
  const drawn = gates.slice(0, 7);
  const pathways = drawing.column(
    10,
    drawn.map((row) => row.map((open) => (open ? "●" : "○")).join("")),
    "pathways",
    (p) => ({ colour: kindOf(drawn[p]!.filter(Boolean).length, count).colour, side: "right" }),
  );
  const outputs = drawing.column(16, [undefined, undefined, undefined, undefined, undefined], "properties");
  const colour = (p: number) => ({ colour: kindOf(drawn[p]!.filter(Boolean).length, count).colour, weight: 0.7 });
  drawing.join(inputs, pathways, (i, p) => (i < 4 || drawn[p]!.every(Boolean) ? colour(p) : undefined));
  drawing.join(pathways, outputs, (p) => colour(p));
  const more = gates.length > drawn.length ? ` (${gates.length - drawn.length} more are not drawn)` : "";
  return drawing.done(
    `Eight items in ${WORDS[count]} contexts; each pathway is a linear network that is open (●) in some contexts and closed (○) in others${more}.`,
  );
}

export const contexts: Topic<Snapshot> = {
  id: "contexts",
  title: "Contexts",
  question: "Which pathways does a ReLU network share between contexts?",
  paper: { text: "Jarvis, Klein, Rosman and Saxe 2025, sections 4 and 5", href: "https://arxiv.org/abs/2503.06181" },
  terms: ["relu", "pathway", "context", "gating", "singular", "flow"],
  theory: {
    text:
      "Eight items have properties that all contexts share and properties that belong to one context; each block is a " +
      "hierarchy. A gated network has pathways that are open in some of the contexts. A pathway that is open in all " +
      "contexts sees items and contexts; the others see items only. Every pathway starts at strength nσ²/2, where n is " +
      "half of the ReLU network's units, because a random unit is active at a data point with probability ½. All " +
      "pathways are integrated jointly from the start. On the residual of the common pathway, pathways open in one " +
      "context and pathways open in all but one would be equally fast. Pathways open in more contexts see more of the " +
      "raw targets while the common pathway is still learning, so they start ahead. The gates are fixed here, but a " +
      "ReLU network changes its gates. Agreement falls as the number of contexts grows.",
    equations: [
      'frac{d B_{p}}{d t} = frac{1}{N} Σ_{c∈p} ( y_{c} − Σ_{j∋c} B_{j} A_{j} ) A_{p}^{T},  N = 8 C,  "and likewise" A_{p}',
      '"raw targets, open in" k "contexts:"  S = frac{σ}{N} sqrt{k^{2} + k}',
      '"residual of the common pathway:"  S = frac{σ}{N} sqrt{k (1 − k/C)}',
      "σ^{2} = 15, 7, 3, 3, 1, 1, 1, 1",
    ],
  },
  controls(state) {
    const count = typeof state.contexts === "number" ? state.contexts : 3;
    const gates: Grid = {
      kind: "grid",
      id: "gates",
      label: "Open in context",
      help: "Each row is a pathway; click where it is to be open. Empty rows are ignored.",
      rows: Array.from({ length: rows(count) }, (_, p) => `pathway ${p + 1}`),
      columns: Array.from({ length: count }, (_, c) => `${c + 1}`),
      value: preset(count, "but_one"),
    };
    const button = (kind: Preset, label: string, help: string) =>
      ({
        kind: "button",
        id: kind,
        label,
        help,
        press: (now: State) => ({ gates: preset(numberOf(now, "contexts"), kind) }),
      }) as const;
    return [
      {
        kind: "slider",
        id: "contexts",
        label: "Contexts C",
        help: "How many contexts the eight items appear in.",
        min: 2,
        max: 5,
        step: 1,
        value: 3,
      },
      gates,
      button(
        "but_one",
        "All but one",
        "A common pathway, and for each context one pathway that is closed there: the result of the paper.",
      ),
      button("single", "Single", "A common pathway, and one pathway per context that is open there only."),
      button(
        "all",
        "Both kinds",
        "A common pathway, and both kinds in competition: closed in one context, and open in one context.",
      ),
      button("common", "Common alone", "One pathway that is always open: a linear network."),
      {
        kind: "slider",
        id: "scale",
        label: "Initial scale σN",
        help: "Standard deviation σ of the initial weights times the number N of hidden units; 0.005 in the paper.",
        min: 0.001,
        max: 1,
        step: 0.1,
        value: 0.005,
        log: true,
      },
      {
        kind: "slider",
        id: "units",
        label: "Hidden units N",
        help: "Width of the ReLU networks; the paper has 500 to 700, which takes longer to train here.",
        min: 50,
        max: 500,
        step: 50,
        value: 200,
      },
      momentSlider((value) => `${Math.round(100 * value)} %`),
    ];
  },
  schematic,
  ask: {
    prompt:
      "Eight items have some properties in every context and others in one context only. Which units will a ReLU network build for the properties of a single context?",
    options: ["Units that are active in that one context", "Units that are active in all contexts but one"],
    // more contexts see more of the raw targets while the common pathway learns, and so start ahead
    right: (state) => {
      const count = numberOf(state, "contexts");
      return singularValues(count, count - 1).raw[0]! > singularValues(count, 1).raw[0]! ? 1 : 0;
    },
    because:
      "A unit that is active in more contexts sees more of the targets at the start, so it is ahead in the competition for the residual.",
  },
  view(state, live) {
    const setting = settingOf(state);
    const { contexts: count, units, times } = setting;
    const gates = gridOf(state, "gates");
    const found = predict(setting, gates);
    const open = gates.map((row) => row.filter(Boolean).length);
    const learned = firstPassage(times, found.loss, LEARNED * START_LOSS);
    const end = found.loss.at(-1)!;
    const moment = times.at(-1)! * numberOf(state, "moment");
    const trained: Line[] = (live?.losses ?? []).map((losses, seed) => ({
      label: seed ? `ReLU network, seed ${seed}` : `ReLU networks, ${units} units`,
      x: times.slice(0, losses.length),
      y: losses,
      colour: 6,
      role: "trained",
      among: SEEDS,
      quiet: seed > 0,
    }));
    const mean =
      live?.shares &&
      times.map((_, i) => live.losses.reduce((sum, losses) => sum + losses[i]!, 0) / live.losses.length);
    const gap = mean && area(times, found.loss, mean);
    const taught = mean && firstPassage(times, mean, LEARNED * START_LOSS);

    const seen = new Set<number>();
    const strengths: Line[] = [];
    gates.forEach((_, p) => {
      const k = open[p]!;
      if (k === 0) return;
      const kind = kindOf(k, count);
      strengths.push({
        ...kind,
        label: seen.has(k) ? `${kind.label}, pathway ${p + 1}` : kind.label,
        quiet: seen.has(k),
        y: found.strengths[p]!,
      });
      seen.add(k);
    });
    const kinds = [...seen].sort((a, b) => b - a);
    const common = seen.has(count);
    const values: Line[] = kinds.flatMap((k) => {
      const { label, colour } = kindOf(k, count);
      const { raw, left } = singularValues(count, k);
      const modes = Array.from(raw.keys(), (i) => i + 1);
      const lines: Line[] = [{ label: k === count ? label : `${label}, raw targets`, x: modes, y: raw, colour }];
      if (common && k < count)
        lines.push({
          label: `${label}, residual`,
          x: modes.slice(0, left.length),
          y: left,
          colour,
          dash: k === count - 1 ? "dash" : "dot",
        });
      return lines;
    });
    const numbers: Quantity[] = [
      {
        id: "time",
        label: `this gating, flow time to ${percent(LEARNED)} of the loss`,
        value: learned,
        format: unitless,
      },
      ...(taught === undefined
        ? []
        : [{ id: "time_relu", label: "ReLU networks, flow time to the same loss", value: taught, format: unitless }]),
      { id: "loss_end", label: "this gating, final loss", value: end },
      ...(gap === undefined
        ? []
        : [
            {
              id: "area",
              label: "area between the loss curves",
              value: gap,
              format: (value: number) => value.toFixed(3),
            },
          ]),
    ];
    const leading = kinds.find((k) => k < count);
    if (leading !== undefined) {
      const { raw, left } = singularValues(count, leading);
      numbers.push({ id: "s_raw", label: `S₁, raw targets, ${kindOf(leading, count).label}`, value: raw[0]! });
      if (common) numbers.push({ id: "s_left", label: "S₁, residual of the common pathway", value: left[0]! });
    }
    return {
      sentence: sentence(gates, setting, { learned, end, gap, taught }, live?.shares),
      numbers,
      charts: [
        {
          kind: "lines",
          id: "loss",
          title: "Loss",
          wide: true,
          x: { label: "flow time (step size × steps)", values: times, range: [0, times.at(-1)!] },
          y: { label: "loss" },
          moment,
          lines: [...trained, { label: "this gating, predicted", y: found.loss, colour: 6 }],
          marks: [{ axis: "y", at: LEARNED * START_LOSS, label: "learned", side: "left" }],
        },
        {
          kind: "lines",
          id: "strengths",
          title: "Strength of each pathway",
          x: { label: "flow time (step size × steps)", values: times, range: [0, times.at(-1)!] },
          y: { label: "strength ‖W‖ of its map" },
          moment,
          lines: strengths,
        },
        {
          kind: "lines",
          id: "values",
          title: "Effective singular values",
          x: { label: "mode of the pathway", values: Array.from({ length: ITEMS + count - 1 }, (_, i) => i + 1) },
          y: { label: "singular value S" },
          lines: values,
        },
      ],
    };
  },
  live: {
    label: `Train ${WORDS[SEEDS]} ReLU networks`,
    key: (state) => ["contexts", "scale", "units"].map((id) => state[id]).join(),
    run: train,
  },
  python(state) {
    const { contexts: count, units, times } = settingOf(state);
    const gates = gridOf(state, "gates").filter((row) => row.some(Boolean));
    const head = ["import numpy as np", "import festina as fs", "", `task = fs.tasks.context(${count})`];
    if (!gates.length) return [...head, 'numbers = {"time": np.inf, "loss_end": task.statistics.power / 2}'].join("\n");
    const open = gates.map((row) => row.filter(Boolean).length);
    const leading = Math.max(0, ...open.filter((k) => k < count));
    const lines = [
      ...head,
      `open_in = np.array([${gates.map((row) => `[${row.map(Number).join(", ")}]`).join(", ")}])`,
      `std, units = ${numberOf(state, "scale")} / ${units}, ${units}`,
      `gates = np.repeat(open_in, ${ITEMS}, axis=1)`,
      "always = open_in.all(axis=1)",
      `inputs = [None if a else range(${ITEMS}) for a in always]`,
      `widths = [${ITEMS + count - 1} if a else ${ITEMS} for a in always]`,
      'start = fs.gated.Decoupled.expected(std, {f"pathway {i + 1}": units // 2 for i in range(len(gates))})',
      "network = fs.gated.pathways(gates, widths, inputs=inputs, initial=start)",
      `times = np.linspace(0, ${exact(times.at(-1)!)}, ${times.length})`,
      "path = fs.evolve(network, task, times, method=fs.Reduced())",
      "numbers = {",
      `    "time": float(path.first_passage(${LEARNED} * task.statistics.power / 2)),`,
      '    "loss_end": float(path.loss[-1]),',
      "}",
    ];
    if (leading > 0) {
      const name = `pathway ${open.indexOf(leading) + 1}`;
      lines.push(
        "def largest(task):",
        "    statistics = task.statistics(network)",
        `    p = [label.split(" → ")[1] for label in statistics.labels].index("${name}")`,
        "    return float(statistics.effective[p].strengths[0])",
        'numbers["s_raw"] = largest(task)',
      );
      if (open.includes(count))
        lines.push(
          "linear = np.linalg.lstsq(task.x, task.y, rcond=None)[0]",
          'numbers["s_left"] = largest(fs.Task(task.x, task.y - task.x @ linear))',
        );
    }
    return lines.join("\n");
  },
};

const unitless = (time: number): string => (Number.isFinite(time) ? time.toFixed(1) : "after the time shown");

function sentence(
  gates: boolean[][],
  { contexts: count, times }: Setting,
  { learned, end, gap, taught }: { learned: number; end: number; gap?: number; taught?: number },
  shares?: readonly number[],
): string {
  const made = describe(gates, count);
  const head = Number.isFinite(learned)
    ? `With ${made}, the gated network has learned ${WORDS[count]} contexts at flow time ${learned.toFixed(0)}`
    : `With ${made}, the gated network still has loss ${end.toFixed(2)} of ${START_LOSS} at flow time ${times.at(-1)!.toFixed(0)}`;
  if (gap === undefined || !shares) return `${head}.${verdict(undefined, "", "")}`;
  const when =
    taught !== undefined && Number.isFinite(taught)
      ? `, the trained ReLU networks at ${taught.toFixed(0)}`
      : "; the trained ReLU networks have not learned in the time shown";
  const most = shares.indexOf(Math.max(...shares)) + 1;
  const where = most === 1 ? "a single context" : `${WORDS[most]} contexts`;
  return (
    `${head}${when}.${verdict(gap, "They", "their units choose and change their gates, while the gated network's gates are fixed", true)} ` +
    `${percent(shares[most - 1]!)} of their contextual activity is in units that are active in ${where}.`
  );
}
