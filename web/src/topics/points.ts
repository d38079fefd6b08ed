/** two inputs that a network learns together, and how far apart it will represent them. */

import {
  finalDistance,
  fixedPoints,
  high,
  largeWeightLimit,
  low,
  type Pair,
  solve,
  timeToLose,
} from "../theory/points";
import {
  type Chart,
  type Line,
  type Mark,
  momentSlider,
  numberOf,
  type Quantity,
  type Schematic,
  type State,
  type Topic,
  type View,
} from "../topic";
import { Drawing } from "./drawing";
import { run, type Trained } from "./points_train";
import { exact, percent, short } from "./verdict";

const SAMPLES = 241;
/** Gains at which the final distance is scanned. */
const GAINS = Array.from({ length: 73 }, (_, i) => 10 ** (-2 + i / 24));

/** Distances are given as lengths and the theory works with their squares; the encoder's gain is √(h/dx), the decoder's √(y/h). */
function pairOf(state: State, encoder = numberOf(state, "encoder"), decoder = numberOf(state, "decoder")): Pair {
  const dx = numberOf(state, "dx") ** 2;
  const dy = numberOf(state, "dy") ** 2;
  const h = encoder ** 2 * dx;
  const y = decoder ** 2 * h;
  return {
    dx,
    dy,
    rateH: numberOf(state, "rate_h"),
    rateY: numberOf(state, "rate_y"),
    h,
    y,
    w: y - numberOf(state, "cosine") * Math.sqrt(y * dy),
  };
}

function finalOf(pair: Pair): number {
  return finalDistance(high(pair), low(pair));
}

function view(state: State, live?: Trained): View {
  const pair = pairOf(state);
  const [saddle, end] = fixedPoints(pair);
  const [aHigh, aLow] = [high(pair), low(pair)];
  const [tenth, most] = [timeToLose(pair, 0.1), timeToLose(pair, 0.9)];
  const wait = most > 0 ? tenth / most : 0;
  const settle = Math.min(...end.eigenvalues.map(Math.abs));
  // until the slowest direction at the end point has settled, but not so long that the fall is not seen
  const latest = Math.min(Math.max(1.6 * most, most + 4 / settle), 4 * most) || 1;
  const times = Array.from({ length: SAMPLES }, (_, i) => (latest * i) / (SAMPLES - 1));
  const found = solve(pair, times);
  const limit = solve(largeWeightLimit(pair), times);
  const axis = { label: "time (in the unit of τ)", values: times, range: [0, latest] as const };
  const marks: Mark[] = [
    { axis: "x", at: tenth, label: "10 %" },
    { axis: "x", at: most, label: "90 %" },
  ];
  const closest = Math.min(...found.h);
  const now = Math.round(numberOf(state, "moment") * (SAMPLES - 1));
  const moment = times[now]!;
  const merged = closest < 0.1 * Math.min(pair.h, end.h);

  const heights: Line[] = [
    { label: "h", y: found.h, colour: 0 },
    { label: "h for equal targets", y: limit.h, colour: 0, role: "reference", dash: "dash" },
  ];
  return {
    sentence: sentenceOf(pair, end.h, wait, merged) + compared(live),
    numbers: [
      { id: "final", label: "final distance h∞", value: end.h },
      { id: "low", label: "A low: set by inputs and targets", value: aLow },
      { id: "high", label: "A high: set by the initial weights", value: aHigh },
      { id: "escape", label: "growth rate away from h = 0", value: saddle.eigenvalues[0], unit: "1/time" },
      { id: "settle", label: "slowest rate at the end", value: settle, unit: "1/time" },
      { id: "wait", label: "plateau: time to 10 % / time to 90 % learned", value: wait },
      ...(live ? fitted(live) : []),
    ],
    charts: [
      {
        kind: "lines",
        id: "h",
        title: "Distance between the two representations",
        x: axis,
        y: { label: "h = ‖h₂ − h₁‖²" },
        lines: heights,
        moment,
        marks: [{ axis: "y", at: end.h, label: "h∞", side: "left" }],
      },
      {
        kind: "lines",
        id: "outputs",
        title: "Distance between the two outputs",
        x: axis,
        y: { label: "squared distance" },
        lines: [
          { label: "y = ‖ŷ₂ − ŷ₁‖²", y: found.y, colour: 2 },
          { label: "w = y − (ŷ₂ − ŷ₁)·(y₂ − y₁)", y: found.w, colour: 3, dash: "dash" },
        ],
        moment,
        marks: [{ axis: "y", at: pair.dy, label: "target", side: "left" }],
      },
      ...(live ? networkCharts(live) : []),
      {
        kind: "lines",
        id: "error",
        title: "Error of the difference, and its plateau",
        x: axis,
        y: { label: "squared error" },
        lines: [{ label: "2w − y + ‖y₂ − y₁‖²", y: found.error, colour: 1 }],
        marks,
        moment,
      },
      {
        kind: "scatter",
        id: "phase",
        title: "Path from the start past the saddle to the end",
        x: { label: "h" },
        y: { label: "w" },
        points: [
          {
            label: "",
            x: found.h[now]!,
            y: found.w[now]!,
            colour: 0,
            trail: found.h.slice(0, now + 1).map((value, i) => [value, found.w[i]!] as const),
          },
          { label: "end", x: end.h, y: 0, colour: 2 },
          { label: "saddle", x: saddle.h, y: 0, colour: 6 },
          { label: "start", x: pair.h, y: pair.w, colour: 1 },
        ],
      },
      {
        kind: "lines",
        id: "gains",
        title: "Final distance for other initial gains",
        wide: true,
        x: { label: "gain", values: GAINS, log: true, range: [0.01, 10] },
        y: { label: "h∞ = final ‖h₂ − h₁‖²", log: true },
        lines: [
          { label: "other encoder gains", y: GAINS.map((gain) => finalOf(pairOf(state, gain))), colour: 0 },
          {
            label: "other decoder gains",
            y: GAINS.map((gain) => finalOf(pairOf(state, undefined, gain))),
            colour: 1,
            dash: "dashdot",
          },
          ...(aLow > 0
            ? [
                {
                  label: "A low, set by inputs and targets",
                  y: GAINS.map(() => aLow),
                  colour: 2,
                  role: "reference" as const,
                  dash: "dash" as const,
                },
              ]
            : []),
        ],
        marks: [
          { axis: "x", at: numberOf(state, "encoder"), label: "encoder", colour: 0 },
          { axis: "x", at: numberOf(state, "decoder"), label: "decoder", colour: 1 },
        ],
      },
    ],
  };
}

/** How the theory compares with the network's curves. */
function fitted({ fit, h }: Trained): Quantity[] {
  return [
    { id: "fit_error", label: "error of the theory with fitted rates", value: fit.error },
    { id: "fit_h", label: "network's 1/τh", value: fit.pair.rateH, unit: "1/time" },
    { id: "fit_y", label: "network's 1/τy", value: fit.pair.rateY, unit: "1/time" },
    { id: "fit_final", label: "h∞ at these rates", value: finalOf(fit.pair) },
    { id: "network_final", label: "network's h now", value: h[h.length - 1]! },
  ];
}

function networkCharts(live: Trained): Chart[] {
  const { times, fit } = live;
  const theory = solve(fit.pair, times);
  const axis = { label: "flow time of the network", values: times };
  const both = (name: "h" | "y" | "w", colour: number): Line[] => [
    { label: `${name}, trained network`, y: live[name], colour, role: "trained" },
    { label: `${name}, theory with fitted rates`, y: theory[name], colour },
  ];
  return [
    {
      kind: "lines",
      id: "network_h",
      title: "A leaky-ReLU network with these initial gains",
      x: axis,
      y: { label: "h = ‖h₂ − h₁‖²" },
      lines: both("h", 0),
    },
    {
      kind: "lines",
      id: "network_y",
      title: "Its outputs",
      x: axis,
      y: { label: "squared distance" },
      lines: [...both("y", 2), ...both("w", 3).map((line, i) => (i ? { ...line, dash: "dash" as const } : line))],
    },
  ];
}

/** The sentence about the trained network: the error of the theory after its two rates are fitted. */
function compared(live: Trained | undefined): string {
  if (!live) return " The comparison with training appears after a network has been trained.";
  const { error } = live.fit;
  const off = percent(error);
  if (error <= 0.05)
    return ` With its two rates fitted, the theory matches the trained network within ${off} of the size of the curves.`;
  return ` With its two rates fitted, the theory differs from the trained network by ${off} of the size of the curves, as the charts below show. The theory treats encoder and decoder as linear maps with constant rates; in a network of this size the rates change during learning.`;
}

function sentenceOf(pair: Pair, end: number, wait: number, merged: boolean): string {
  const aLow = low(pair);
  const regime =
    pair.dy === 0
      ? end > 0
        ? `The targets are equal, but the representations stay ${short(end)} apart, because the decoder learns to ignore their initial difference`
        : "The targets are equal and the representations merge, because the encoder learns to remove their difference"
      : Math.abs(end / aLow - 1) < 0.1
        ? `The distance ends at ${short(end)}, set by inputs and targets alone (A low = ${short(aLow)}): the rich regime`
        : end > aLow
          ? `The distance ends at ${short(end)}, above the value ${short(aLow)} set by inputs and targets, because large encoder weights persist: the lazy regime`
          : `The distance ends at ${short(end)}, below the value ${short(aLow)} set by inputs and targets, because a strong decoder needs little difference`;
  const plateau =
    wait > 0.5
      ? "after a long plateau, because it starts near the saddle h = 0"
      : wait > 0.2
        ? "after a short plateau"
        : "without a plateau";
  return `${regime}; the error falls ${plateau}${merged ? ", and on the way the two points nearly merge" : ""}.`;
}

function schematic(state: State): Schematic {
  const [dx, dy] = [numberOf(state, "dx"), numberOf(state, "dy")];
  const drawing = new Drawing(7);
  const spread = (distance: number): number => 0.7 + Math.min(distance, 3) * 0.8;
  const two = (x: number, apart: number, names: readonly [string, string]): number[] =>
    names.map((label, i) =>
      drawing.node({
        x,
        y: 3.5 + (i ? apart : -apart),
        shape: "square",
        colour: i,
        label,
        side: x < 5 ? "left" : "right",
      }),
    );
  const [from, to] = [two(3, spread(dx), ["x₁", "x₂"]), two(17, spread(dy), ["y₁", "y₂"])];
  const between = spread(Math.sqrt(dx * dy));
  const middle = two(10, between, ["", ""]);
  // beside the node a name would lie on the line to the target
  drawing.word(10, 3.5 - between - 0.95, "h₁");
  drawing.word(10, 3.5 + between + 0.95, "h₂");
  [0, 1].forEach((i) => {
    drawing.join([from[i]!], [middle[i]!], () => ({ colour: i, weight: 1.6 }));
    drawing.join([middle[i]!], [to[i]!], () => ({ colour: i, weight: 1.6 }));
  });
  drawing.word(6.5, 3.5, "encoder");
  drawing.word(13.7, 3.5, "decoder");
  drawing.word(3, 8, "inputs");
  drawing.word(10, 8, "representations");
  drawing.word(17, 8, "targets");
  return drawing.done(
    "Two inputs pass through an encoder and a decoder; the distances between inputs and between targets are given, the distance between representations is learned.",
  );
}

export const points: Topic<Trained> = {
  id: "two_points",
  title: "Representations",
  question: "How far apart will a network represent two inputs that it learns together?",
  paper: {
    text: "van Rossem & Saxe 2024, When representations align: universality in representation learning dynamics",
    href: "https://arxiv.org/abs/2402.09142",
  },
  terms: ["representation", "encoder", "saddle", "rich", "flow"],
  theory: {
    text:
      "The theory holds for any architecture whose encoder and decoder are flexible enough to act as linear maps on two " +
      "nearby points. Three numbers then follow closed equations: the squared distances of the representations (h) and " +
      "of the outputs (y), and w, which compares outputs with targets. They are solved here in closed form. The point h " +
      "= 0 is a saddle: small weights stay near it for a while, which gives the plateau. Two numbers set the final " +
      "distance: A low depends only on inputs and targets, and A high depends on the initial weights. The trained " +
      "network (4–32–32–32–3, leaky ReLU, representation in the middle) starts with the same gains, distances and " +
      "cosine. Its two rates are not known in advance and are fitted to its curves.",
    equations: [
      "frac{d h}{d t} = −frac{1}{τ_{h}} dx w",
      "frac{d y}{d t} = −w ( frac{h}{τ_{y}} + frac{1}{τ_{h}} frac{dx y}{h} )",
      "frac{d w}{d t} = −frac{1}{2 τ_{y}} (3 w − y + dy) h − frac{1}{2 τ_{h}} dx frac{(y + w) w}{h}",
      "h_{∞} = frac{1}{2} A_{high} + sqrt{frac{1}{4} A_{high}^{2} + A_{low}^{2}}",
      "A_{high} = h_{0} − frac{τ_{y}}{τ_{h}} frac{dx y_{0}}{h_{0}},  A_{low}^{2} = frac{τ_{y}}{τ_{h}} dx dy",
    ],
  },
  controls: [
    {
      kind: "slider",
      id: "encoder",
      label: "Encoder gain",
      min: 0.01,
      max: 10,
      step: 0.05,
      value: 0.3,
      log: true,
      help: "‖h₂ − h₁‖ / ‖x₂ − x₁‖ at time 0.",
    },
    {
      kind: "slider",
      id: "decoder",
      label: "Decoder gain",
      min: 0.01,
      max: 10,
      step: 0.05,
      value: 0.3,
      log: true,
      help: "‖ŷ₂ − ŷ₁‖ / ‖h₂ − h₁‖ at time 0.",
    },
    {
      kind: "slider",
      id: "cosine",
      more: true,
      label: "Initial cosine",
      min: -1,
      max: 1,
      step: 0.05,
      value: 0,
      help: "Cosine between the difference of the outputs and the difference of the targets at time 0; if it is negative the points must first merge.",
    },
    {
      kind: "slider",
      id: "dx",
      more: true,
      label: "Distance between inputs",
      min: 0.1,
      max: 3,
      step: 0.05,
      value: 0.5,
      help: "‖x₂ − x₁‖.",
    },
    {
      kind: "slider",
      id: "dy",
      more: true,
      label: "Distance between targets",
      min: 0,
      max: 3,
      step: 0.05,
      value: 0.5,
      help: "‖y₂ − y₁‖.",
    },
    {
      kind: "slider",
      id: "rate_h",
      more: true,
      label: "Encoder rate 1/τh",
      min: 0.05,
      max: 5,
      step: 0.05,
      value: 0.5,
      log: true,
      help: "Effective learning rate of the encoder.",
    },
    {
      kind: "slider",
      id: "rate_y",
      more: true,
      label: "Decoder rate 1/τy",
      min: 0.05,
      max: 5,
      step: 0.05,
      value: 0.5,
      log: true,
      help: "Effective learning rate of the decoder.",
    },
    momentSlider((value) => `${Math.round(100 * value)} %`),
  ],
  schematic,
  main: ["network_h", "h"],
  ask: {
    prompt:
      "A network with small weights learns different targets for two inputs. What decides how far apart it will represent them in the end?",
    options: ["Its initial weights", "The distances between inputs and between targets alone"],
    right: (state) => {
      const pair = pairOf(state);
      return Math.abs(finalOf(pair) / low(pair) - 1) < 0.1 ? 1 : 0;
    },
    because:
      "From small weights every network passes close to the same saddle, where it has forgotten its initial weights.",
  },
  view,
  live: {
    label: "Train a leaky-ReLU network",
    fitted: "The form of its line is predicted; its two rates cannot be known in advance and are fitted.",
    key: (state) => ["encoder", "decoder", "cosine", "dx", "dy"].map((id) => state[id]).join(" "),
    run,
  },
  python: (state) => {
    const { rateH, rateY } = pairOf(state);
    const at = (id: string): string => exact(numberOf(state, id));
    return [
      "import scipy",
      "",
      "import festina as fs",
      "",
      `dx, dy = ${at("dx")} ** 2, ${at("dy")} ** 2`,
      `h = ${at("encoder")} ** 2 * dx`,
      `y = ${at("decoder")} ** 2 * h`,
      `w = y - ${at("cosine")} * (y * dy) ** 0.5`,
      `pair = fs.representation.TwoPoint(dx=dx, dy=dy, rates=(${rateH}, ${rateY}), start=(h, y, w))`,
      "saddle, end = pair.fixed_points",
      "",
      "",
      "def error(t):",
      "    state = pair.solve(t)",
      "    return float(2 * state.w - state.y + pair.dy)",
      "",
      "",
      "def lose(share):",
      "    goal, latest = error(0.0) + share * (error(float('inf')) - error(0.0)), 1.0",
      "    while error(latest) > goal:",
      "        latest *= 2",
      "    return scipy.optimize.brentq(lambda t: error(t) - goal, 0.0, latest, xtol=1e-14)",
      "",
      "",
      "numbers = {",
      '    "final": pair.final_distance,',
      '    "low": pair.low,',
      '    "high": pair.high,',
      '    "escape": saddle.eigenvalues[0],',
      '    "settle": min(map(abs, end.eigenvalues)),',
      '    "wait": lose(0.9) and lose(0.1) / lose(0.9),',
      "}",
    ].join("\n");
  },
};
