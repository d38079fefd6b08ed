/** The state of a topic and its written form in the URL: `#race?delta=0.3&gates=110.101`. */
import type { Control, Grid, Slider, State, Topic, Value } from "./topic";

/** Longer than any link the page writes; what is longer was not written by it. */
const LONGEST_LINK = 2000;
const NUMBER = /^-?\d{1,17}(\.\d{1,17})?(e[+-]?\d{1,3})?$/;
const GRID = /^[01]+(\.[01]+)*$/;

type Held = Exclude<Control, { kind: "button" }>;

/** The controls at a state, those a function of the state included. */
export function controlsOf(topic: Topic, state: Partial<State>): readonly Control[] {
  return typeof topic.controls === "function" ? topic.controls(state) : topic.controls;
}

function held(controls: readonly Control[]): Held[] {
  return controls.filter((control): control is Held => control.kind !== "button");
}

function copy(value: Value | Grid["value"]): Value {
  return typeof value === "object" ? value.map((row) => [...row]) : value;
}

/** A slider that counts (contexts, units) takes only whole numbers. */
function whole(slider: Slider): boolean {
  return !slider.log && Number.isInteger(slider.step) && Number.isInteger(slider.min);
}

/** Why a value does not fit a control, or nothing if it fits. */
export function misfit(control: Held, value: unknown): string | undefined {
  if (control.kind === "slider") {
    const fits =
      typeof value === "number" &&
      value >= control.min &&
      value <= control.max &&
      (!whole(control) || Number.isInteger(value));
    return fits
      ? undefined
      : `${control.id} must be a ${whole(control) ? "whole " : ""}number from ${control.min} to ${control.max}`;
  }
  if (control.kind === "choice") {
    const words = control.options.map((option) => option.value);
    return words.includes(value as string) ? undefined : `${control.id} must be one of ${words.join(", ")}`;
  }
  if (control.kind === "text") return typeof value === "string" ? control.refuse(value) : `${control.id} must be text`;
  const [rows, columns] = [control.rows.length, control.columns.length];
  const fits =
    Array.isArray(value) &&
    value.length === rows &&
    value.every(
      (row) => Array.isArray(row) && row.length === columns && row.every((cell) => typeof cell === "boolean"),
    );
  return fits ? undefined : `${control.id} must be ${rows} rows of ${columns} toggles`;
}

/**
 * Completes a state: uses the wanted values that fit and the default of every other control. The controls may depend on
 * the state (a number of contexts shapes a grid), so they are asked until they no longer change.
 */
export function complete(topic: Topic, wanted: Partial<State>): { state: State; misfits: string[] } {
  let state: Record<string, Value> = {};
  let misfits: string[] = [];
  for (let round = 0; round < 4; round++) {
    const before = JSON.stringify(state);
    const next: Record<string, Value> = {};
    misfits = [];
    for (const control of held(controlsOf(topic, state))) {
      const value = Object.hasOwn(wanted, control.id) ? wanted[control.id] : undefined;
      const word = value === undefined ? undefined : misfit(control, value);
      if (word) misfits.push(word);
      next[control.id] = copy(value === undefined || word ? control.value : value);
    }
    state = next;
    if (JSON.stringify(state) === before) break;
  }
  for (const id of Object.keys(wanted))
    if (!Object.hasOwn(state, id)) misfits.push(`there is no setting ${id.slice(0, 24)}`);
  return { state, misfits };
}

/** A topic at its defaults. */
export function defaults(topic: Topic): State {
  return complete(topic, {}).state;
}

/** The link's part after `#`; a reader's own table is not in it. */
export function write(topic: Topic, state: State): string {
  const carried = held(controlsOf(topic, state)).filter((control) => control.kind !== "text");
  const parts = carried.map((control) => {
    const value = state[control.id]!;
    const text = typeof value === "object" ? value.map((row) => row.map(Number).join("")).join(".") : String(value);
    return `${control.id}=${encodeURIComponent(text)}`;
  });
  return parts.length ? `#${topic.id}?${parts.join("&")}` : `#${topic.id}`;
}

export interface Read {
  readonly topic: Topic;
  readonly state: State;
  /** Whether the link names settings, as one that a reader has shared does. */
  readonly chosen?: boolean;
  /** What was wrong with the link; the state is then the defaults. */
  readonly wrong?: string;
}

/**
 * Reads a link strictly: a topic that exists, settings that exist, once each, in range. Anything else gives the defaults and
 * says why; a link can only choose settings.
 */
export function read(topics: readonly Topic[], hash: string): Read {
  const first = topics[0]!;
  const refuse = (topic: Topic, wrong: string): Read => ({ topic, state: defaults(topic), wrong });
  if (hash === "" || hash === "#") return { topic: first, state: defaults(first) };
  if (hash.length > LONGEST_LINK) return refuse(first, "it is longer than any link of this page");
  const [name = "", query, ...more] = hash.slice(1).split("?");
  const topic = topics.find((candidate) => candidate.id === name);
  if (!topic) return refuse(first, "it names no topic of this page");
  if (more.length) return refuse(topic, "it has two question marks");
  if (query === undefined || query === "") return { topic, state: defaults(topic) };
  // without a prototype, so that a setting called __proto__ is one like any other
  const wanted: Record<string, Value> = Object.create(null);
  for (const part of query.split("&")) {
    const [id = "", text, ...rest] = part.split("=");
    if (!/^\w{1,24}$/.test(id) || text === undefined || rest.length)
      return refuse(topic, "a setting is not of the form name=value");
    if (Object.hasOwn(wanted, id)) return refuse(topic, `it sets ${id} twice`);
    const value = parse(text);
    if (value === undefined) return refuse(topic, `${id} cannot be read`);
    wanted[id] = value;
  }
  if (held(controlsOf(topic, {})).some((control) => control.kind === "text" && Object.hasOwn(wanted, control.id)))
    return refuse(topic, "a table cannot come from a link");
  const candidates = interpret(topic, wanted);
  const { state, misfits } = complete(topic, candidates);
  return misfits.length ? refuse(topic, misfits[0]!) : { topic, state, chosen: true };
}

/** Text as it stands in the link; whether `10` is a number, a word or a row of toggles is decided by the control. */
function parse(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Converts each text to the type of its control; a text without a control or in the wrong form stays text. */
function interpret(topic: Topic, texts: Record<string, Value>): Partial<State> {
  let wanted: Record<string, Value> = { ...texts };
  // a second look, because numbers read in the first decide which controls there are
  for (let round = 0; round < 2; round++) {
    const controls = held(controlsOf(topic, complete(topic, wanted).state));
    wanted = { ...texts };
    for (const control of controls) {
      const text = texts[control.id];
      if (typeof text !== "string") continue;
      if (control.kind === "slider" && NUMBER.test(text)) wanted[control.id] = Number(text);
      if (control.kind === "grid" && GRID.test(text))
        wanted[control.id] = text.split(".").map((row) => [...row].map((cell) => cell === "1"));
    }
  }
  return wanted;
}

/** The number of steps of a slider. */
export function steps(slider: Slider): number {
  const length = slider.log ? Math.log10(slider.max / slider.min) : slider.max - slider.min;
  return Math.max(1, Math.round(length / slider.step));
}

/** The slider's value at a step, without rounding errors of binary fractions. */
export function valueAt(slider: Slider, step: number): number {
  if (step <= 0) return slider.min;
  if (step >= steps(slider)) return slider.max;
  const value = slider.log ? slider.min * 10 ** (step * slider.step) : slider.min + step * slider.step;
  return Math.min(slider.max, Math.max(slider.min, Number(value.toPrecision(slider.log ? 4 : 12))));
}

/** The step nearest to a value. */
export function stepOf(slider: Slider, value: number): number {
  const length = slider.log ? Math.log10(value / slider.min) : value - slider.min;
  return Math.min(steps(slider), Math.max(0, Math.round(length / slider.step)));
}
