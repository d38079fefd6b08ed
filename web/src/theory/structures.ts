/** What a deep linear network is to learn: one-hot items and their properties, and the modes of that. As in `festina.tasks`. */

import { fromRows, type Matrix, multiply, svd, symmetricEigen, transpose, zeros } from "./matrix";

export interface Structure {
  readonly id: string;
  readonly label: string;
  /** Names of the P items. */
  readonly items: readonly string[];
  /** The branch, group or row that each item belongs to; without it items have none. */
  readonly branches?: readonly number[];
  readonly properties: readonly string[];
  /** Properties of the items, P × properties. */
  readonly y: Matrix;
  /** What each mode tells apart, the strongest first. */
  readonly modes?: readonly string[];
  /** Its singular values in Python. */
  readonly python: string;
}

/** Modes of one-hot items: Σx = 1/P, Σyx = Yᵀ/P = U S Vᵀ. */
export interface Modes {
  /** Singular values of Σyx, largest first. */
  readonly s: Float64Array;
  /** Curvature of every mode, 1/P. */
  readonly d: number;
  /** Where strengths end: s/d. */
  readonly targets: Float64Array;
  /** Over properties, one mode per column. */
  readonly left: Matrix;
  /** Over items, one mode per column. */
  readonly right: Matrix;
  /** Modes of one singular value, as runs of indices. */
  readonly groups: readonly (readonly number[])[];
}

/** A singular value below this share of the largest is rounding error, not a mode. */
const RANK_TOLERANCE = 1e-12;
/** Singular values closer than this share of the largest span one subspace, in which any basis is as good. */
const DEGENERATE = 1e-9;

function count(n: number, name: (i: number) => string): string[] {
  return Array.from({ length: n }, (_, i) => name(i));
}

/** 2^levels items; each branch of the binary tree above them is a property its items share. */
export function hierarchy(levels: number): number[][] {
  const items = 2 ** levels;
  return count(items, String).map((_, item) => {
    const row: number[] = [];
    for (let level = 0; level <= levels; level++) {
      for (let branch = 0; branch < 2 ** level; branch++)
        row.push(Math.floor((item * 2 ** level) / items) === branch ? 1 : 0);
    }
    return row;
  });
}

/** A staircase: property k is held by item k and all after it. */
export function ordering(items: number): number[][] {
  return count(items, String).map((_, i) => count(items, String).map((__, k) => (k <= i ? 1 : 0)));
}

/** One property per group, held by its members. */
export function partition(groups: number, size: number): number[][] {
  return count(groups * size, String).map((_, i) =>
    count(groups, String).map((__, g) => (Math.floor(i / size) === g ? 1 : 0)),
  );
}

/** One item per combination of values, one property per value of each dimension: each dimension cuts across the others. */
export function dimensions(sizes: readonly number[]): number[][] {
  const items = sizes.reduce((product, n) => product * n, 1);
  return count(items, String).map((_, item) => {
    let [row, left, block] = [[] as number[], item, items];
    for (const n of sizes) {
      block /= n;
      const value = Math.floor(left / block);
      left -= value * block;
      row = row.concat(count(n, String).map((__, v) => (v === value ? 1 : 0)));
    }
    return row;
  });
}

/**
 * The limit of many random features with a given similarity of items: Y = √features·C^{1/2} has YYᵀ = features·C.
 *
 * `eigenvalues` and `vectors` are those of C.
 */
function limit(values: Float64Array, vectors: Matrix, features: number): Matrix {
  const weighted = zeros(vectors.rows, vectors.columns);
  for (let i = 0; i < vectors.rows; i++) {
    for (let k = 0; k < vectors.columns; k++) {
      weighted.data[i * vectors.columns + k] =
        vectors.data[i * vectors.columns + k]! * Math.sqrt(features * Math.max(values[k]!, 0));
    }
  }
  return multiply(weighted, transpose(vectors));
}

/** branching^depth items whose features flip on every branch with probability `flip`; many features, per `features`. */
export function tree(branching: number, depth: number, flip: number, features: number): Matrix {
  const items = branching ** depth;
  const shared = zeros(items, items);
  for (let i = 0; i < items; i++) {
    for (let j = 0; j < items; j++) {
      let level = depth;
      for (let [a, b] = [i, j]; a !== b; [a, b] = [Math.floor(a / branching), Math.floor(b / branching)]) level--;
      shared.data[i * items + j] = (1 - 2 * flip) ** (2 * (depth - level));
    }
  }
  const { values, vectors } = symmetricEigen(shared);
  return limit(values, vectors, features);
}

/** Features that vary smoothly along ties between items, with spread σ; many features, per `features`. */
function field(items: number, ties: readonly (readonly [number, number])[], features: number, sigma: number): Matrix {
  const precision = zeros(items, items);
  for (let i = 0; i < items; i++) precision.data[i * items + i] = 1 / sigma ** 2;
  for (const [i, j] of ties) {
    precision.data[i * items + i]! += 1;
    precision.data[j * items + j]! += 1;
    precision.data[i * items + j]! -= 1;
    precision.data[j * items + i]! -= 1;
  }
  const { values, vectors } = symmetricEigen(precision);
  return limit(
    values.map((value) => 1 / value),
    vectors,
    features,
  );
}

/** Items on a ring: neighbours are alike, and there is no first and no last. */
export function ring(items: number, features: number, sigma: number): Matrix {
  return field(
    items,
    count(items, String).map((_, i) => [i, (i + 1) % items] as const),
    features,
    sigma,
  );
}

/** Items on a grid, alike along both directions. */
export function grid(rows: number, columns: number, features: number, sigma: number): Matrix {
  const ties: (readonly [number, number])[] = [];
  for (let i = 0; i < rows * columns; i++) {
    if ((i + 1) % columns) ties.push([i, i + 1]);
    if (i + columns < rows * columns) ties.push([i, i + columns]);
  }
  return field(rows * columns, ties, features, sigma);
}

/** Modes of a structure. Within equal singular values the basis is spanned by the properties in their order. */
export function modesOf(structure: Structure): Modes {
  const { y } = structure;
  const items = y.rows;
  const found = svd(y);
  const top = found.values[0] ?? 0;
  const rank = found.values.filter((value) => value > RANK_TOLERANCE * top).length;
  const targets = found.values.slice(0, rank);
  const groups: number[][] = [];
  for (let k = 0; k < rank; k++) {
    if (k > 0 && targets[k - 1]! - targets[k]! <= DEGENERATE * top) groups[groups.length - 1]!.push(k);
    else groups.push([k]);
  }
  const right = zeros(items, rank);
  for (const group of groups) {
    const mean = group.reduce((sum, k) => sum + targets[k]!, 0) / group.length;
    const frame =
      group.length > 1 ? settle(y, found.left, group, mean) : group.map((k) => orient(columnOf(found.left, k)));
    group.forEach((k, at) => {
      targets[k] = mean;
      for (let i = 0; i < items; i++) right.data[i * rank + k] = frame[at]![i]!;
    });
  }
  const left = multiply(transpose(y), right);
  for (let i = 0; i < left.rows; i++) for (let k = 0; k < rank; k++) left.data[i * rank + k]! /= targets[k]!;
  return { s: targets.map((value) => value / items), d: 1 / items, targets, left, right, groups };
}

function columnOf(a: Matrix, k: number): number[] {
  return Array.from({ length: a.rows }, (_, i) => a.data[i * a.columns + k]!);
}

/** The sign that an SVD leaves open: the largest entry is positive. */
function orient(vector: number[]): number[] {
  const largest = vector.reduce((a, b) => (Math.abs(b) > Math.abs(a) + 1e-9 ? b : a), 0);
  return largest < 0 ? vector.map((value) => -value) : vector;
}

/** Orthonormal vectors of one subspace: properties projected on it, each less what the ones before it hold. */
function settle(y: Matrix, frame: Matrix, group: readonly number[], size: number): number[][] {
  const span = group.map((k) => columnOf(frame, k));
  const inner = (a: readonly number[], b: readonly number[]): number =>
    a.reduce((sum, value, i) => sum + value * b[i]!, 0);
  const less = (a: number[], b: readonly number[], share: number): number[] =>
    a.map((value, i) => value - share * b[i]!);
  const made: number[][] = [];
  const candidates = [
    ...Array.from({ length: y.columns }, (_, j) => columnOf(y, j)),
    ...span.map((v) => v.map((x) => size * x)),
  ];
  for (const property of candidates) {
    let inside: number[] = new Array<number>(y.rows).fill(0);
    for (const unit of span) inside = less(inside, unit, -inner(property, unit));
    for (let pass = 0; pass < 2; pass++) for (const unit of made) inside = less(inside, unit, inner(inside, unit));
    const length = Math.sqrt(inner(inside, inside));
    // what is nearly spanned already would bring in rounding error
    if (length < 0.05 * size) continue;
    made.push(orient(inside.map((value) => value / length)));
    if (made.length === group.length) break;
  }
  return made;
}

const NAMES = ["canary", "robin", "salmon", "sunfish", "oak", "pine", "rose", "daisy"];
const HAVE = [
  "grow",
  "move",
  "roots",
  "fly",
  "swim",
  "bark",
  "petals",
  "sing",
  "red breast",
  "pink flesh",
  "round body",
  "acorns",
  "needles",
  "thorns",
  "white rays",
];

const numbered = (n: number): string[] => count(n, (i) => `item ${i + 1}`);

/** Structures of the page, by name. */
export const STRUCTURES: readonly Structure[] = [
  {
    id: "hierarchy",
    label: "Hierarchy",
    items: NAMES,
    branches: count(8, String).map((_, i) => i >> 1),
    properties: HAVE,
    y: fromRows(hierarchy(3)),
    modes: [
      ...["everything: grow", "animals | plants", "birds | fish", "trees | flowers"],
      ...["canary | robin", "salmon | sunfish", "oak | pine", "rose | daisy"],
    ],
    python: "fs.tasks.living_things(8).statistics.strengths",
  },
  {
    id: "partition",
    label: "Partition",
    items: count(9, (i) => `${"abc"[Math.floor(i / 3)]}${(i % 3) + 1}`),
    branches: count(9, String).map((_, i) => Math.floor(i / 3)),
    properties: ["group a", "group b", "group c"],
    y: fromRows(partition(3, 3)),
    modes: ["group a", "group b", "group c"],
    python: "fs.tasks.partition(3, 3).statistics.strengths",
  },
  {
    id: "ring",
    label: "Ring",
    items: numbered(8),
    properties: count(8, (i) => `feature ${i + 1}`),
    y: ring(8, 8, 2),
    python: 'fs.tasks.mode_strengths("ring", 8, features=8, sigma=2.0)',
  },
  {
    id: "ordering",
    label: "Ordering",
    items: numbered(8),
    properties: count(8, (i) => `at least ${i + 1}`),
    y: fromRows(ordering(8)),
    python: "fs.tasks.ordering(8).statistics.strengths",
  },
  {
    id: "crossing",
    label: "Cross-cutting dimensions",
    items: count(8, (i) => `${i & 4 ? "large" : "small"} ${i & 2 ? "red" : "blue"} ${i & 1 ? "disc" : "cube"}`),
    branches: count(8, String).map((_, i) => i >> 2),
    properties: ["small", "large", "blue", "red", "cube", "disc"],
    y: fromRows(dimensions([2, 2, 2])),
    modes: ["what all share", "small | large", "blue | red", "cube | disc"],
    python: "fs.tasks.dimensions((2, 2, 2)).statistics.strengths",
  },
  {
    id: "grid",
    label: "Grid",
    items: count(9, (i) => `${"abc"[Math.floor(i / 3)]}${(i % 3) + 1}`),
    branches: count(9, String).map((_, i) => Math.floor(i / 3)),
    properties: count(9, (i) => `feature ${i + 1}`),
    y: grid(3, 3, 9, 2),
    python: 'fs.tasks.mode_strengths("grid", 3, 3, features=9, sigma=2.0)',
  },
  {
    id: "tree",
    label: "Random tree",
    items: count(8, (i) => `${(i >> 2) + 1}.${((i >> 1) & 1) + 1}.${(i & 1) + 1}`),
    branches: count(8, String).map((_, i) => i >> 1),
    properties: count(8, (i) => `feature ${i + 1}`),
    y: tree(2, 3, 0.1, 8),
    modes: [
      ...["what all share", "1 | 2", "1.1 | 1.2", "2.1 | 2.2"],
      ...["1.1.1 | 1.1.2", "1.2.1 | 1.2.2", "2.1.1 | 2.1.2", "2.2.1 | 2.2.2"],
    ],
    python: 'fs.tasks.mode_strengths("tree", 2, 3, flip=0.1, features=8)',
  },
];
