/** What the in-context topic computes: a spectrum of inputs, heads at the start, and the staircase that follows. */
import { normal } from "../learn/random";
import {
  alignedWins,
  diagonal,
  type Heads,
  plateaus,
  type Regression,
  race,
  rates,
  reach,
  risk,
  strengthOf,
  type Win,
} from "../theory/attention";
import { numberOf, type State, wordOf } from "../topic";

export const SAMPLES = 241;
const SEED = 5;
export const LENGTHS = ["2", "8", "32", "128", "inf"];

export interface Setting {
  readonly task: Regression;
  readonly heads: Heads;
  /** Standard deviation, or size of value, key and query, at the start. */
  readonly start: number;
  readonly random: boolean;
}

/** λ_d ∝ ratio^{d−1} with mean one. */
export function spectrum(dimension: number, ratio: number): number[] {
  const raw = Array.from({ length: dimension }, (_, d) => ratio ** d);
  const sum = raw.reduce((total, value) => total + value, 0);
  return raw.map((value) => (dimension * value) / sum);
}

export function settingOf(state: State): Setting {
  const [dimension, count, start] = [numberOf(state, "dimension"), numberOf(state, "heads"), numberOf(state, "start")];
  const word = wordOf(state, "length");
  const task = {
    eigenvalues: spectrum(dimension, numberOf(state, "ratio")),
    length: word === "inf" ? Infinity : Number(word),
  };
  const random = wordOf(state, "weights") === "random";
  const draw = normal(SEED);
  // six digits, so that the lines of Python hold exactly these weights
  const row = (): number[] => Array.from({ length: dimension }, () => Number((start * draw()).toPrecision(6)));
  const along = (h: number): number[] => Array.from({ length: dimension }, (_, d) => (d === h ? start : 0));
  const made = Array.from({ length: count }, (_, h) =>
    random
      ? { key: row(), query: row(), value: row()[0]! }
      : { key: along(h), query: along(h), value: h < dimension ? start : 0 },
  );
  return {
    task,
    start,
    random,
    heads: {
      key: made.map(({ key }) => key),
      query: made.map(({ query }) => query),
      value: made.map(({ value }) => value),
    },
  };
}

export interface Solution {
  readonly setting: Setting;
  readonly wins: readonly Win[];
  /** When each win is half learned. */
  readonly halves: readonly number[];
  readonly times: number[];
  /** One row per component. */
  readonly strengths: number[][];
  readonly loss: number[];
  readonly levels: number[];
  readonly ends: number[];
}

/** Strength of every component at the times. */
export function strengthsAt(
  { setting: { task }, wins }: Pick<Solution, "setting" | "wins">,
  times: readonly number[],
): number[][] {
  const found = task.eigenvalues.map(() => times.map(() => 0));
  for (const win of wins) strengthOf(win, times).forEach((value, i) => (found[win.component]![i]! += value));
  return found;
}

export function lossAt(task: Regression, strengths: readonly (readonly number[])[], i: number): number {
  return risk(task, diagonal(strengths.map((row) => row[i]!)), task.length);
}

export const keyOf = (state: State): string =>
  ["dimension", "ratio", "length", "heads", "start", "weights"].map((id) => state[id]).join(" ");

let kept: { readonly key: string; readonly solution: Solution } | undefined;

/** The solution at a state; the last one is kept, because moving the moment changes nothing of it. */
export function solutionOf(state: State): Solution {
  const key = keyOf(state);
  if (kept?.key !== key) {
    const setting = settingOf(state);
    const { task, heads, start, random } = setting;
    const wins = random ? race(task, heads) : alignedWins(task, heads.value.length, start);
    const halves = wins.map((win) => reach(win, 0.5));
    const finite = (values: number[]): number[] => values.filter((time) => Number.isFinite(time) && time > 0);
    const last = 1.4 * (Math.max(...finite(wins.map((win) => reach(win, 0.99))), 0) || 1);
    const begin = Math.min(0.15 * Math.min(...finite(halves), last), 0.02 * last);
    const times = Array.from({ length: SAMPLES }, (_, i) => begin * (last / begin) ** (i / (SAMPLES - 1)));
    const strengths = strengthsAt({ setting, wins }, times);
    const loss = times.map((_, i) => lossAt(task, strengths, i));
    kept = {
      key,
      solution: { setting, wins, halves, times, strengths, loss, levels: plateaus(task), ends: rates(task).ends },
    };
  }
  return kept.solution;
}
