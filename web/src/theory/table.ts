/** A table of numbers as a regression: read, centred, scaled, and its modes. */
import { type Matrix, multiply, multiplyLeft, scale, svd, symmetricEigen, zeros } from "./matrix";

export const MOST_ROWS = 500;
export const MOST_COLUMNS = 24;
/** Directions of the inputs with less than this share of the largest variance are not inputs. */
const FLAT = 1e-9;
/** A singular value below this share of the largest is rounding error, not a mode. */
const RANK_TOLERANCE = 1e-9;

export interface Table {
  readonly names: readonly string[];
  readonly rows: readonly (readonly number[])[];
}

/** Cells of one line; quotation marks keep a separator inside a cell. */
function cells(line: string, separator: string): string[] {
  const found: string[] = [];
  let [cell, quoted] = ["", false];
  for (const sign of line) {
    if (sign === '"') quoted = !quoted;
    else if (sign === separator && !quoted) {
      found.push(cell.trim());
      cell = "";
    } else cell += sign;
  }
  return [...found, cell.trim()];
}

const isNumber = (cell: string): boolean => cell !== "" && Number.isFinite(Number(cell));

/** The table that a text holds, or what is wrong with it. A first line without numbers names the columns; a first column without numbers names the rows. */
export function readTable(text: string): Table | string {
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== "");
  if (lines.length < 4)
    return "The table needs at least four lines: one per data point, and columns separated by commas, semicolons or tabs.";
  const separator = ["\t", ";", ","].find((sign) => lines[0]!.includes(sign));
  if (separator === undefined)
    return "The first line has a single column; separate columns by commas, semicolons or tabs.";
  let grid = lines.map((line) => cells(line, separator));
  const width = grid[0]!.length;
  const ragged = grid.findIndex((row) => row.length !== width);
  if (ragged >= 0) return `Line ${ragged + 1} has ${grid[ragged]!.length} cells, the first line has ${width}.`;
  const titled = grid[0]!.every((cell) => !isNumber(cell));
  const head = titled ? grid[0]! : grid[0]!.map((_, j) => `column ${j + 1}`);
  if (titled) grid = grid.slice(1);
  const labelled = grid.every((row) => !isNumber(row[0]!));
  if (labelled) grid = grid.map((row) => row.slice(1));
  const names = labelled ? head.slice(1) : head;
  if (names.length < 2) return "The table needs at least two columns of numbers: an input and a target.";
  if (names.length > MOST_COLUMNS)
    return `The table has ${names.length} columns of numbers; up to ${MOST_COLUMNS} can be shown here.`;
  if (grid.length > MOST_ROWS)
    return `The table has ${grid.length} data points; up to ${MOST_ROWS} can be trained on here.`;
  for (const [i, row] of grid.entries())
    for (const [j, cell] of row.entries())
      if (!isNumber(cell)) return `Data point ${i + 1}, column “${names[j]}”: “${cell.slice(0, 20)}” is not a number.`;
  const rows = grid.map((row) => row.map(Number));
  const constant = names.findIndex((_, j) => rows.every((row) => row[j] === rows[0]![j]));
  if (constant >= 0) return `Column “${names[constant]}” has the same value in every data point; leave it out.`;
  return { names, rows };
}

/** A linear regression by its correlations, with its modes Σyx = U S Vᵀ and d_α = v_αᵀ Σx v_α. */
export interface Regression {
  /** Σx, inputs × inputs. */
  readonly inputs: Matrix;
  /** Σyx, outputs × inputs. */
  readonly cross: Matrix;
  /** ⟨y²⟩. */
  readonly power: number;
  readonly s: readonly number[];
  readonly d: readonly number[];
  readonly left: Matrix;
  readonly right: Matrix;
  /** Correlation of each mode's input with each column of inputs, modes × columns. */
  readonly reads: number[][];
  /** ½ ⟨(y − Wx)²⟩ of the best W. */
  readonly least: number;
}

/** Columns less their mean, over their standard deviation, as a matrix. */
function standard(rows: readonly (readonly number[])[]): Matrix {
  const made = zeros(rows.length, rows[0]!.length);
  for (let j = 0; j < made.columns; j++) {
    const mean = rows.reduce((sum, row) => sum + row[j]!, 0) / rows.length;
    const deviation = Math.sqrt(rows.reduce((sum, row) => sum + (row[j]! - mean) ** 2, 0) / rows.length);
    rows.forEach((row, i) => (made.data[i * made.columns + j] = (row[j]! - mean) / deviation));
  }
  return made;
}

/** The last `targets` columns from the others; inputs standardised, and whitened on request. */
export function regression({ rows }: Table, targets: number, white: boolean): Regression {
  const count = rows.length;
  const plain = standard(rows.map((row) => row.slice(0, -targets)));
  const y = standard(rows.map((row) => row.slice(-targets)));
  const correlation = scale(multiplyLeft(plain, plain), 1 / count);
  const { values, vectors } = symmetricEigen(correlation);
  const kept = Array.from(values.keys()).filter((k) => values[k]! > FLAT * values[0]!);
  // rotated to the principal components; white ones have variance one
  const turn = zeros(plain.columns, kept.length);
  kept.forEach((k, at) => {
    for (let i = 0; i < plain.columns; i++)
      turn.data[i * kept.length + at] = vectors.data[i * vectors.columns + k]! / (white ? Math.sqrt(values[k]!) : 1);
  });
  const x = multiply(plain, turn);
  const inputs = scale(multiplyLeft(x, x), 1 / count);
  const cross = scale(multiplyLeft(y, x), 1 / count);
  const found = svd(cross);
  const rank = found.values.filter((value) => value > RANK_TOLERANCE * found.values[0]!).length;
  const s = Array.from(found.values.slice(0, rank));
  const seen = multiply(inputs, found.right);
  const d = s.map((_, k) => {
    let sum = 0;
    for (let i = 0; i < inputs.rows; i++)
      sum += found.right.data[i * found.right.columns + k]! * seen.data[i * seen.columns + k]!;
    return sum;
  });
  const projected = multiply(x, found.right);
  const shared = scale(multiplyLeft(plain, projected), 1 / count);
  const reads = s.map((_, k) =>
    Array.from({ length: plain.columns }, (__, j) => shared.data[j * shared.columns + k]! / Math.sqrt(d[k]!)),
  );
  const power = y.data.reduce((sum, value) => sum + value * value, 0) / count;
  // the best map explains ‖Σyx Σx^{-1/2}‖²; along principal components Σx is diagonal
  let explained = 0;
  for (let o = 0; o < cross.rows; o++)
    for (let i = 0; i < cross.columns; i++)
      explained += cross.data[o * cross.columns + i]! ** 2 / inputs.data[i * inputs.columns + i]!;
  const cut = (a: Matrix): Matrix => ({
    rows: a.rows,
    columns: rank,
    data: Float64Array.from(
      { length: a.rows * rank },
      (_, at) => a.data[Math.floor(at / rank) * a.columns + (at % rank)]!,
    ),
  });
  return {
    inputs,
    cross,
    power,
    s,
    d,
    left: cut(found.left),
    right: cut(found.right),
    reads,
    least: 0.5 * Math.max(0, power - explained),
  };
}
