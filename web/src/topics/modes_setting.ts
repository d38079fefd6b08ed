/** What the modes topic computes: a structure's modes over time, and a map on which representations are drawn. */

import { type Matrix, multiply, multiplyLeft, toRows, zeros } from "../theory/matrix";
import { type Mode, strength, timeToStrength } from "../theory/modes";
import { scalePoints } from "../theory/scaling";
import { type Modes, modesOf, STRUCTURES, type Structure } from "../theory/structures";
import { numberOf, roundUp, type State, wordOf } from "../topic";

export const SAMPLES = 201;

export interface Task extends Modes {
  readonly structure: Structure;
}

export interface Given {
  readonly task: Task;
  readonly depth: number;
  readonly start: number;
  readonly end: number;
  readonly times: number[];
}

export interface Setting extends Given {
  /** Strength of each group of equal modes, the loss, and the items on the map, at the times. */
  readonly curves: readonly number[][];
  readonly loss: readonly number[];
  readonly paths: readonly [number, number][][];
}

const tasks = new Map<string, Task>();

function taskOf(id: string): Task {
  let found = tasks.get(id);
  if (!found) {
    const structure = STRUCTURES.find((one) => one.id === id) ?? STRUCTURES[0]!;
    found = { structure, ...modesOf(structure) };
    tasks.set(id, found);
  }
  return found;
}

/** The k-th mode. */
export function modeOf(task: Task, k: number): Mode {
  return { s: task.s[k]!, d: task.d };
}

let kept: { readonly key: string; readonly setting: Setting } | undefined;

/** What the state asks for; kept until it changes, because every frame asks. */
export function settingOf(state: State): Setting {
  const key = ["structure", "depth", "start"].map((id) => state[id]).join(" ");
  if (kept?.key !== key) kept = { key, setting: makeSetting(state) };
  return kept.setting;
}

function makeSetting(state: State): Setting {
  const task = taskOf(wordOf(state, "structure"));
  const word = wordOf(state, "depth");
  const depth = word === "inf" ? Infinity : Number(word);
  const start = numberOf(state, "start");
  const last = task.groups.map(([k]) => timeToStrength(0.98 * task.targets[k!]!, modeOf(task, k!), start, depth));
  const end = roundUp(Math.max(...last));
  const times = Array.from({ length: SAMPLES }, (_, i) => (end * i) / (SAMPLES - 1));
  const setting = { task, depth, start, end, times };
  const curves = theoryOf(setting, times);
  const paths = times.map((_, i) =>
    draw(
      setting,
      representation(
        task,
        depth,
        curves.map((curve) => curve[i]!),
      ),
    ),
  );
  return { ...setting, curves, paths, loss: times.map((_, i) => lossOf(task, curves, i)) };
}

/** Strength over time of each group of equal modes. */
export function theoryOf({ task, depth, start }: Given, times: readonly number[]): number[][] {
  return task.groups.map(([k]) => strength(times, modeOf(task, k!), start, depth));
}

/** ½ Σ d (a − s/d)². */
export function lossOf(task: Task, curves: readonly (readonly number[])[], i: number): number {
  return task.groups.reduce(
    (sum, group, g) => sum + 0.5 * task.d * group.length * (curves[g]![i]! - task.targets[group[0]!]!) ** 2,
    0,
  );
}

/** Depth of the layer whose representation is drawn: the first hidden layer, or the outputs where there is none. */
export function exponent(depth: number): number {
  return depth === 1 || depth === Infinity ? 1 : 1 / depth;
}

const maps = new Map<string, Matrix>();

/** v_αᵀZ of the final map Z of the items: where each mode, once learned, has moved the items. modes × 2. */
function mapOf({ task, depth }: Given): Matrix {
  const key = `${task.structure.id} ${depth}`;
  let found = maps.get(key);
  if (!found) {
    found = multiplyLeft(task.right, scalePoints(learned(task, depth)).points);
    maps.set(key, found);
  }
  return found;
}

/** Items × modes: V diag(aᵉ), the representation of the items in the basis of their modes. */
export function representation(task: Task, depth: number, values: readonly number[]): Matrix {
  const made = zeros(task.right.rows, task.right.columns);
  task.groups.forEach((group, g) => {
    const size = Math.max(values[g]!, 0) ** exponent(depth);
    for (const k of group)
      for (let i = 0; i < made.rows; i++)
        made.data[i * made.columns + k] = size * task.right.data[i * made.columns + k]!;
  });
  return made;
}

/** The representation at the end of learning. */
export function learned(task: Task, depth: number): Matrix {
  const ends = task.groups.map(([k]) => task.targets[k!]!);
  return representation(task, depth, ends);
}

/** A representation (items × modes) on the map. */
export function draw(setting: Given, points: Matrix): [number, number][] {
  const map = mapOf(setting);
  const { task, depth } = setting;
  const stretched = zeros(map.rows, 2);
  task.groups.forEach((group) => {
    const size = task.targets[group[0]!]! ** -exponent(depth);
    for (const k of group) for (let j = 0; j < 2; j++) stretched.data[2 * k + j] = size * map.data[2 * k + j]!;
  });
  return toRows(multiply(points, stretched)) as [number, number][];
}
