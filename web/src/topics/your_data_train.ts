/** Prediction and training for the reader's own table, with two layers. */
import { chained, gaussian, strengths } from "../learn/linear";
import { normal } from "../learn/random";
import { TwoLayers } from "../learn/regression";
import { strength, timeToStrength } from "../theory/modes";
import { type Regression, readTable, regression, type Table } from "../theory/table";
import { numberOf, roundUp, type State, wordOf } from "../topic";

export const SAMPLES = 201;
const RECORDS = 160;
const STEPS = 60_000;
/** Multiplications between two reports, some 30 ms of work. */
const WORK = 6e6;
/** Number of modes shown; the loss contains all of them. */
export const SHOWN = 6;

export interface Setting {
  readonly table: Table;
  readonly task: Regression;
  readonly start: number;
  readonly white: boolean;
  readonly times: number[];
}

export const keyOf = (state: State): string =>
  ["table", "targets", "inputs", "start", "weights"].map((id) => state[id]).join("\n");

let kept: { readonly key: string; readonly setting: Setting } | undefined;

export function settingOf(state: State): Setting {
  const key = keyOf(state);
  if (kept?.key !== key) {
    const table = readTable(wordOf(state, "table"));
    if (typeof table === "string") throw new Error(table);
    const white = wordOf(state, "inputs") === "white";
    const task = regression(table, numberOf(state, "targets"), white);
    // relative to the final strength of the strongest mode, so that a table in any units starts small
    const start = (numberOf(state, "start") * task.s[0]!) / task.d[0]!;
    const shown = task.s.slice(0, SHOWN).filter((s) => s > 0.02 * task.s[0]!);
    const last = Math.max(
      ...shown.map((s, k) =>
        timeToStrength((0.98 * s) / task.d[k]!, { s, d: task.d[k]! }, Math.min(start, (0.5 * s) / task.d[k]!), 2),
      ),
    );
    const end = roundUp(last);
    kept = {
      key,
      setting: {
        table,
        task,
        start,
        white,
        times: Array.from({ length: SAMPLES }, (_, i) => (end * i) / (SAMPLES - 1)),
      },
    };
  }
  return kept.setting;
}

/** Strength of every mode at the times. */
export function curvesOf({ task, start }: Setting, times: readonly number[]): number[][] {
  return task.s.map((s, k) => strength(times, { s, d: task.d[k]! }, start, 2));
}

/** ½ ⟨y²⟩ − Σ (s a − ½ d a²). */
export function lossOf({ task }: Setting, curves: readonly (readonly number[])[], i: number): number {
  return curves.reduce(
    (loss, curve, k) => loss - task.s[k]! * curve[i]! + 0.5 * task.d[k]! * curve[i]! ** 2,
    0.5 * task.power,
  );
}

export interface Trained {
  readonly times: number[];
  readonly loss: number[];
  /** One row per mode. */
  readonly strengths: number[][];
  readonly expected: number[];
}

export function* run(state: State): Generator<Trained, void, void> {
  const setting = settingOf(state);
  const { task, start, times } = setting;
  const end = times[times.length - 1]!;
  const [inputs, outputs, rank] = [task.cross.columns, task.cross.rows, task.s.length];
  const hidden = Math.max(inputs, outputs);
  const draw = normal(11);
  const std = Math.sqrt((2 * start) / hidden);
  const [first, second] =
    wordOf(state, "weights") === "random"
      ? [gaussian(hidden, inputs, std, draw), gaussian(outputs, hidden, std, draw)]
      : chained(task.right, task.left, Math.max(hidden, rank), 2, start, draw);
  const network = new TwoLayers(first!, second!, task.inputs, task.cross, task.power);
  // the curvature of the loss at the end is at most 2 (s/d) times the largest variance of the inputs
  const variance = Math.max(...Array.from({ length: inputs }, (_, i) => task.inputs.data[i * inputs + i]!));
  const steepest = 2 * variance * Math.max(...task.s.map((s, k) => s / task.d[k]!));
  const rate = Math.min(Math.max(0.05 / steepest, Math.min(end / STEPS, 0.5 / steepest)), end / 600);
  const steps = Math.ceil(end / rate);
  const found: Trained = { times: [], loss: [], strengths: task.s.map(() => []), expected: [] };
  const record = (step: number): void => {
    found.times.push(step * rate);
    found.loss.push(network.loss);
    strengths(network.map, task.left, task.right).forEach((value, k) => found.strengths[k]!.push(value));
    found.expected.push(lossOf(setting, curvesOf(setting, [step * rate]), 0));
  };
  const flops = 4 * hidden * inputs * outputs + outputs * inputs * inputs;
  let [work, next] = [0, 0];
  for (let step = 0; step <= steps; step++) {
    if (step >= next || step === steps) {
      record(step);
      next = Math.max(step + 1, Math.round((found.times.length * steps) / (RECORDS - 1)));
    }
    if (step < steps) network.step(rate);
    work += flops;
    if (work > WORK) {
      work = 0;
      yield { ...found };
    }
  }
  yield { ...found };
}
