/**
 * What a topic is: a question, controls, and a view that is a pure function of their state (and of what training has emitted).
 *
 * Topics know nothing of the page: no DOM, no URL, no drawing. They import only this file, `theory/` and `learn/`, because a
 * worker imports them too. The page draws controls and charts, keeps the state in the URL, runs training and saves figures.
 * `topics/index.ts` lists them. Tests are `test/*.test.ts` (vitest), numbers written by the Python side are `golden/*.json`.
 */

import type { Term } from "./topics/glossary";

/** A slider gives a number, a choice a string, a grid of toggles rows of booleans. */
export type Value = number | string | boolean[][];
/** One value per control; what the URL says has been checked against the controls before a topic sees it. */
export type State = Readonly<Record<string, Value>>;

interface Labelled {
  /** Name in the URL, in Python and in tests: ASCII, short, stable (`delta`, `scale`, `contexts`). */
  readonly id: string;
  readonly label: string;
  /** One plain sentence, shown when its question mark is pressed and read by screen readers. */
  readonly help?: string;
  /** Shown only among the further settings. */
  readonly more?: boolean;
}
export interface Slider extends Labelled {
  readonly kind: "slider";
  readonly min: number;
  readonly max: number;
  /** In units of the value; for a `log` slider in decades (0.05 is a twentieth of a decade). */
  readonly step: number;
  /** The default. */
  readonly value: number;
  readonly log?: boolean;
  readonly unit?: string;
  readonly format?: (value: number) => string;
}
export interface Choice extends Labelled {
  readonly kind: "choice";
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly value: string;
}
/** Toggles in rows and columns, such as which pathway is open in which context. */
export interface Grid extends Labelled {
  readonly kind: "grid";
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  readonly value: readonly (readonly boolean[])[];
}
/** Sets several controls at once, such as a preset gating; its `press` gives the values that change. */
export interface Button extends Labelled {
  readonly kind: "button";
  readonly press: (state: State) => Partial<State>;
}
/** A table that the reader pastes or opens. It never leaves the page: neither a link nor the network carries it. */
export interface Text extends Labelled {
  readonly kind: "text";
  readonly value: string;
  /** Why a text cannot be used, or nothing where it can. */
  readonly refuse: (text: string) => string | undefined;
}
export type Control = Slider | Choice | Grid | Button | Text;

export interface Axis {
  /** With the unit: "flow time (τ)", "loss". */
  readonly label: string;
  readonly log?: boolean;
  /** Fixed ends; without it the data decide. Fix it where a moving axis would hide what the slider does. */
  readonly range?: readonly [number, number];
}
/** The colour of the strongest mode; the five after it are those of weaker ones. */
export const MODES = 7;
export type Dash = "solid" | "dash" | "dot" | "dashdot";
export interface Line {
  /** In the legend, the CSV and tests. Lines with `quiet` (further seeds, say) are drawn but not in the legend. */
  readonly label: string;
  readonly y: readonly number[];
  /** Its own x values, where they differ from the chart's (a training curve beside a theory). */
  readonly x?: readonly number[];
  /** What is learned: an index into the palette (0…5 things, 6 ink, 7…12 modes, the strongest first); by default the line's position. */
  readonly colour?: number;
  /** Lines of different colour differ in dash too, where the order of their values does not tell them apart. */
  readonly dash?: Dash;
  /**
   * The visual grammar: a trained network is a wide band, a prediction a thin line, a reference (a limit, a
   * comparison that is neither) thinner still. By default a prediction.
   */
  readonly role?: "trained" | "predicted" | "reference";
  /** How many such lines lie on each other, one for each seed. */
  readonly among?: number;
  readonly quiet?: boolean;
}
/** A straight line across the chart: a crossover, a fixed point, a plateau. */
export interface Mark {
  readonly axis: "x" | "y";
  readonly at: number;
  readonly label: string;
  readonly colour?: number;
  /** At which end of a horizontal line its words are; by default right. */
  readonly side?: "left" | "right";
}
interface Titled {
  /** Unique in the topic; names the saved file and the test's handle. */
  readonly id: string;
  readonly title: string;
  /** Takes the whole width of the page. */
  readonly wide?: boolean;
}
export interface Lines extends Titled {
  readonly kind: "lines";
  readonly x: Axis & { readonly values: readonly number[] };
  readonly y: Axis;
  readonly lines: readonly Line[];
  readonly marks?: readonly Mark[];
  /** Names stand at the ends of their lines instead of in a legend. */
  readonly direct?: boolean;
  /** Where the moment is on the x axis; marked, and while the topic is played no line goes beyond it. */
  readonly moment?: number;
}
/** A matrix in diverging colours, symmetric about zero, or sizes in shades of ink. */
export interface Heat extends Titled {
  readonly kind: "heat";
  readonly matrix: readonly (readonly number[])[];
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  /** What a cell's value is; stands beside the colour bar. */
  readonly label: string;
  /** Largest absolute value of the colour bar; by default the matrix's. */
  readonly bound?: number;
  /** Its entries have no sign. */
  readonly sizes?: boolean;
  /** As tall as the points beside it. */
  readonly tall?: boolean;
}
export interface Point {
  readonly label: string;
  readonly x: number;
  readonly y: number;
  readonly colour?: number;
  /** A trained network's point: large and pale, so that the prediction is seen inside it. */
  readonly ring?: boolean;
  /** Where it came from, oldest first. */
  readonly trail?: readonly (readonly [number, number])[];
}
/** Labelled points, such as representations in two dimensions. */
export interface Scatter extends Titled {
  readonly kind: "scatter";
  readonly x: Axis;
  readonly y: Axis;
  readonly points: readonly Point[];
  /** One unit is equally long on both axes, as distances demand. */
  readonly equal?: boolean;
  readonly marks?: readonly Mark[];
}
export type Chart = Lines | Heat | Scatter;

/** A number worth reading, shown beside the sentence and compared with the library's by tests (by `id`). */
export interface Quantity {
  readonly id: string;
  readonly label: string;
  readonly value: number;
  readonly unit?: string;
  readonly format?: (value: number) => string;
}
export interface View {
  readonly charts: readonly Chart[];
  /** One sentence that says what is being seen at this setting, with its numbers. */
  readonly sentence: string;
  readonly numbers: readonly Quantity[];
}

export interface Live<Snapshot> {
  /** What is trained, as a toggle's label: "Train five ReLU networks". */
  readonly label: string;
  /** Says which settings the training depends on: it goes on while this string stays the same. */
  readonly key: (state: State) => string;
  /**
   * Trains and yields what there is to see, as plain data, after every 20–50 ms of work; ends when training ends.
   * The shell runs it in a worker, or in slices between repaints where no worker can be had. No clock, no Math.random.
   */
  readonly run: (state: State) => Generator<Snapshot, void, void>;
  /** What is fitted to the network while it trains, where not all of the prediction can be sealed before: a whole sentence. */
  readonly fitted?: string;
  /** Why nothing can be trained at this state, such as at infinite depth; nothing where it can. */
  readonly impossible?: (state: State) => string | undefined;
}

/** A circle or square of a schematic, at a place in units of letters. */
export interface Node {
  readonly x: number;
  readonly y: number;
  readonly colour?: number;
  readonly shape?: "circle" | "square";
  /** Written inside the node where it is short, else beside it. */
  readonly label?: string;
  readonly side?: "left" | "right" | "inside";
}
/** A line between two nodes, by their indices. */
export interface Link {
  readonly from: number;
  readonly to: number;
  readonly colour?: number;
  /** 1 is ordinary. */
  readonly weight?: number;
}
/** The task and the network as a small drawing. */
export interface Schematic {
  /** One sentence that says what is drawn, for the caption and for screen readers. */
  readonly caption: string;
  readonly nodes: readonly Node[];
  readonly links: readonly Link[];
  /** Words below or above the drawing's parts. */
  readonly words: readonly { readonly x: number; readonly y: number; readonly text: string }[];
}

/** A question to answer before the curves are shown. */
export interface Ask {
  readonly prompt: string;
  readonly options: readonly string[];
  /** The index of the option that the prediction says is right; nothing where the question does not apply. */
  readonly right: (state: State) => number | undefined;
  /** One sentence that says why. */
  readonly because: string;
}

export interface Topic<Snapshot = unknown> {
  /** In the URL and in Python (`fs.widget.show(id)`): modes, race, in_context, …. */
  readonly id: string;
  readonly title: string;
  readonly question: string;
  readonly paper: { readonly text: string; readonly href: string };
  /** A short paragraph and the equations in the notation of `math.ts`, shown when asked for. */
  readonly theory: { readonly text: string; readonly equations: readonly string[] };
  /** Words that a reader may not know, explained when asked for. */
  readonly terms: readonly Term[];
  readonly schematic: (state: State) => Schematic;
  readonly ask?: Ask;
  /** The chart that a visitor is led along before all of them are shown: the first of these that there is, or the first chart. */
  readonly main?: readonly string[];
  /**
   * The controls; a function where one control shapes another (the number of contexts shapes the grid). It is first called
   * with `{}` and must then give defaults.
   */
  readonly controls: readonly Control[] | ((state: Partial<State>) => readonly Control[]);
  /** What is seen. Must be pure and quick: below 15 ms on a laptop, because it runs at every move of a slider. */
  readonly view: (state: State, live?: Snapshot) => View;
  readonly live?: Live<Snapshot>;
  /**
   * The lines of Python that give the same numbers with festina at this state. They leave a dict `numbers` from the ids of
   * the view's quantities (those known without training) to floats; tests run them and compare.
   */
  readonly python: (state: State) => string;
}

/** The number that a slider holds. */
export function numberOf(state: Partial<State>, id: string): number {
  const value = state[id];
  if (typeof value !== "number") throw new Error(`state has no number ${id}`);
  return value;
}

/** The word that a choice holds. */
export function wordOf(state: Partial<State>, id: string): string {
  const value = state[id];
  if (typeof value !== "string") throw new Error(`state has no word ${id}`);
  return value;
}

/** The toggles that a grid holds. */
export function gridOf(state: Partial<State>, id: string): boolean[][] {
  const value = state[id];
  if (!Array.isArray(value)) throw new Error(`state has no grid ${id}`);
  return value;
}

/** The next of 1, 1.5, 2, 3, 4, 5, 6, 8 times a power of ten: an axis that ends there stands still while a slider moves a little. */
export function roundUp(value: number): number {
  const size = 10 ** Math.floor(Math.log10(value));
  return size * ([1, 1.5, 2, 3, 4, 5, 6, 8].find((factor) => factor * size >= value * (1 - 1e-9)) ?? 10);
}

/** The time at which representations and answers are shown, as a share of the time axis; Play runs it from 0 to 1. */
export function momentSlider(format: (share: number) => string): Slider {
  return {
    kind: "slider",
    id: "moment",
    label: "Time",
    min: 0,
    max: 1,
    step: 0.01,
    value: 1,
    format,
    help: "The time at which the network is shown, as a fraction of the time axis. Play runs it from start to end.",
  };
}
