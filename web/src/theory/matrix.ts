/** Small dense linear algebra in double precision: what the closed forms of the page need, and no more. */

/** A matrix, row after row. */
export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly data: Float64Array;
}

export function zeros(rows: number, columns: number): Matrix {
  return { rows, columns, data: new Float64Array(rows * columns) };
}

export function identity(size: number): Matrix {
  const made = zeros(size, size);
  for (let i = 0; i < size; i++) made.data[i * size + i] = 1;
  return made;
}

export function fromRows(rows: readonly (readonly number[])[]): Matrix {
  const made = zeros(rows.length, rows[0]?.length ?? 0);
  rows.forEach((row, i) => made.data.set(row, i * made.columns));
  return made;
}

export function toRows(a: Matrix): number[][] {
  return Array.from({ length: a.rows }, (_, i) => Array.from(a.data.subarray(i * a.columns, (i + 1) * a.columns)));
}

export function copy(a: Matrix): Matrix {
  return { rows: a.rows, columns: a.columns, data: a.data.slice() };
}

export function column(a: Matrix, j: number): number[] {
  return Array.from({ length: a.rows }, (_, i) => a.data[i * a.columns + j]!);
}

export function transpose(a: Matrix): Matrix {
  const made = zeros(a.columns, a.rows);
  for (let i = 0; i < a.rows; i++) {
    for (let j = 0; j < a.columns; j++) made.data[j * a.rows + i] = a.data[i * a.columns + j]!;
  }
  return made;
}

/** a b, written into `into` where it is given. */
export function multiply(a: Matrix, b: Matrix, into: Matrix = zeros(a.rows, b.columns)): Matrix {
  const { rows, columns: inner } = a;
  const columns = b.columns;
  const made = into.data;
  made.fill(0);
  for (let i = 0; i < rows; i++) {
    for (let k = 0; k < inner; k++) {
      const factor = a.data[i * inner + k]!;
      if (factor === 0) continue;
      for (let j = 0; j < columns; j++) made[i * columns + j]! += factor * b.data[k * columns + j]!;
    }
  }
  return into;
}

/** aᵀ b, without forming aᵀ. */
export function multiplyLeft(a: Matrix, b: Matrix, into: Matrix = zeros(a.columns, b.columns)): Matrix {
  const made = into.data;
  made.fill(0);
  for (let k = 0; k < a.rows; k++) {
    for (let i = 0; i < a.columns; i++) {
      const factor = a.data[k * a.columns + i]!;
      if (factor === 0) continue;
      for (let j = 0; j < b.columns; j++) made[i * b.columns + j]! += factor * b.data[k * b.columns + j]!;
    }
  }
  return into;
}

/** a bᵀ, without forming bᵀ. */
export function multiplyRight(a: Matrix, b: Matrix, into: Matrix = zeros(a.rows, b.rows)): Matrix {
  const inner = a.columns;
  for (let i = 0; i < a.rows; i++) {
    for (let j = 0; j < b.rows; j++) {
      let sum = 0;
      for (let k = 0; k < inner; k++) sum += a.data[i * inner + k]! * b.data[j * inner + k]!;
      into.data[i * b.rows + j] = sum;
    }
  }
  return into;
}

export function scale(a: Matrix, factor: number): Matrix {
  return { rows: a.rows, columns: a.columns, data: a.data.map((value) => factor * value) };
}

/** a + factor·b. */
export function add(a: Matrix, b: Matrix, factor = 1): Matrix {
  return { rows: a.rows, columns: a.columns, data: a.data.map((value, i) => value + factor * b.data[i]!) };
}

/** ⟨a, b⟩, the sum of products of entries. */
export function dot(a: Matrix, b: Matrix): number {
  let sum = 0;
  for (let i = 0; i < a.data.length; i++) sum += a.data[i]! * b.data[i]!;
  return sum;
}

export function trace(a: Matrix): number {
  let sum = 0;
  for (let i = 0; i < Math.min(a.rows, a.columns); i++) sum += a.data[i * a.columns + i]!;
  return sum;
}

/** Rotates columns i and j of an array of rows by (cosine, sine). */
function rotate(data: Float64Array, columns: number, rows: number, i: number, j: number, c: number, s: number): void {
  for (let k = 0; k < rows; k++) {
    const a = data[k * columns + i]!;
    const b = data[k * columns + j]!;
    data[k * columns + i] = c * a - s * b;
    data[k * columns + j] = s * a + c * b;
  }
}

const SWEEPS = 60;

/** Tangent of the angle that makes a pair of columns orthogonal (the smaller of the two). */
function tangent(difference: number, off: number): number {
  const zeta = difference / (2 * off);
  const root = Math.abs(zeta) > 1e150 ? Math.abs(zeta) : Math.sqrt(1 + zeta * zeta);
  return (zeta >= 0 ? 1 : -1) / (Math.abs(zeta) + root);
}

export interface Eigen {
  /** Largest first. */
  readonly values: Float64Array;
  /** One eigenvector per column. */
  readonly vectors: Matrix;
}

/** Eigenvalues and eigenvectors of a symmetric matrix, by Jacobi's rotations. */
export function symmetricEigen(a: Matrix): Eigen {
  const size = a.rows;
  const work = copy(a);
  const vectors = identity(size);
  const at = (i: number, j: number): number => work.data[i * size + j]!;
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let turned = false;
    for (let i = 0; i < size - 1; i++) {
      for (let j = i + 1; j < size; j++) {
        const off = at(i, j);
        if (Math.abs(off) <= Number.EPSILON * 0.25 * Math.sqrt(Math.abs(at(i, i) * at(j, j))) || off === 0) continue;
        if (Math.abs(off) < 1e-300) continue;
        turned = true;
        const t = tangent(at(j, j) - at(i, i), off);
        const c = 1 / Math.sqrt(1 + t * t);
        const s = t * c;
        rotate(work.data, size, size, i, j, c, s);
        for (let k = 0; k < size; k++) {
          const x = at(i, k);
          const y = at(j, k);
          work.data[i * size + k] = c * x - s * y;
          work.data[j * size + k] = s * x + c * y;
        }
        work.data[i * size + j] = work.data[j * size + i] = 0;
        rotate(vectors.data, size, size, i, j, c, s);
      }
    }
    if (!turned) break;
  }
  const order = Array.from({ length: size }, (_, i) => i).sort((i, j) => at(j, j) - at(i, i));
  return { values: Float64Array.from(order, (i) => at(i, i)), vectors: pick(vectors, order) };
}

/** The chosen columns, in their order. */
export function pick(a: Matrix, columns: readonly number[]): Matrix {
  const made = zeros(a.rows, columns.length);
  for (let i = 0; i < a.rows; i++) {
    columns.forEach((j, k) => (made.data[i * columns.length + k] = a.data[i * a.columns + j]!));
  }
  return made;
}

export interface Decomposition {
  /** rows × k, k = min(rows, columns). */
  readonly left: Matrix;
  /** Largest first. */
  readonly values: Float64Array;
  /** columns × k. */
  readonly right: Matrix;
}

/** Thin singular value decomposition a = left diag(values) rightᵀ, by one-sided Jacobi (small values keep their digits). */
export function svd(a: Matrix): Decomposition {
  if (a.rows < a.columns) {
    const { left, values, right } = svd(transpose(a));
    return { left: right, values, right: left };
  }
  const { rows, columns } = a;
  const work = copy(a);
  const right = identity(columns);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let turned = false;
    for (let i = 0; i < columns - 1; i++) {
      for (let j = i + 1; j < columns; j++) {
        let [first, second, off] = [0, 0, 0];
        for (let k = 0; k < rows; k++) {
          const x = work.data[k * columns + i]!;
          const y = work.data[k * columns + j]!;
          first += x * x;
          second += y * y;
          off += x * y;
        }
        if (off === 0 || Math.abs(off) <= 2 * Number.EPSILON * Math.sqrt(first * second)) continue;
        turned = true;
        const t = tangent(second - first, off);
        const c = 1 / Math.sqrt(1 + t * t);
        rotate(work.data, columns, rows, i, j, c, t * c);
        rotate(right.data, columns, columns, i, j, c, t * c);
      }
    }
    if (!turned) break;
  }
  const sizes = Array.from({ length: columns }, (_, j) => Math.hypot(...column(work, j)));
  const order = sizes.map((_, j) => j).sort((i, j) => sizes[j]! - sizes[i]!);
  const values = Float64Array.from(order, (j) => sizes[j]!);
  const left = pick(work, order);
  const noise = Number.EPSILON * Math.max(rows, columns) * (values[0] ?? 0);
  const known: number[] = [];
  for (let j = 0; j < columns; j++) {
    if (values[j]! > noise) known.push(j);
    for (let i = 0; i < rows; i++) left.data[i * columns + j]! /= values[j]! > noise ? values[j]! : Infinity;
  }
  return { left: complete(left, known), values, right: pick(right, order) };
}

/** The matrix with its columns outside `known` replaced so that all columns are orthonormal. */
export function complete(a: Matrix, known: readonly number[]): Matrix {
  const made = copy(a);
  const done = [...known];
  let next = 0;
  for (let j = 0; j < a.columns; j++) {
    if (known.includes(j)) continue;
    for (; next < a.rows; next++) {
      const vector = new Float64Array(a.rows);
      vector[next] = 1;
      for (let pass = 0; pass < 2; pass++) {
        for (const k of done) {
          let share = 0;
          for (let i = 0; i < a.rows; i++) share += vector[i]! * made.data[i * a.columns + k]!;
          for (let i = 0; i < a.rows; i++) vector[i]! -= share * made.data[i * a.columns + k]!;
        }
      }
      const length = Math.hypot(...vector);
      // a unit vector keeps at least 1/√rows beside the span of some of the axes: this one has enough of itself left
      if (length < 0.5 / Math.sqrt(a.rows)) continue;
      for (let i = 0; i < a.rows; i++) made.data[i * a.columns + j] = vector[i]! / length;
      break;
    }
    done.push(j);
  }
  return made;
}

/** All singular vectors: left rows × rows and right columns × columns, the thin ones first. */
export function fullSvd(a: Matrix): Decomposition {
  const thin = svd(a);
  const widen = (frame: Matrix): Matrix => {
    const wide = zeros(frame.rows, frame.rows);
    for (let i = 0; i < frame.rows; i++) {
      for (let j = 0; j < frame.columns; j++) wide.data[i * frame.rows + j] = frame.data[i * frame.columns + j]!;
    }
    return complete(
      wide,
      Array.from({ length: frame.columns }, (_, j) => j),
    );
  };
  return { left: widen(thin.left), values: thin.values, right: widen(thin.right) };
}

/** Orthonormal basis of the columns (rows ≥ columns) by Householder's reflections, in `q`; `a` is used as working space. */
export function orthonormalise(a: Matrix, q: Matrix = zeros(a.rows, a.columns)): Matrix {
  const { rows, columns, data } = a;
  const scales = new Float64Array(columns);
  for (let j = 0; j < columns; j++) {
    let top = 0;
    for (let i = j; i < rows; i++) top = Math.max(top, Math.abs(data[i * columns + j]!));
    if (top === 0) continue;
    let sum = 0;
    for (let i = j; i < rows; i++) sum += (data[i * columns + j]! / top) ** 2;
    const norm = top * Math.sqrt(sum);
    const head = data[j * columns + j]!;
    const beta = head > 0 ? -norm : norm;
    const pivot = head - beta;
    // the reflector v = (1, rest/pivot) is kept below the diagonal, its factor in `scales`
    for (let i = j + 1; i < rows; i++) data[i * columns + j]! /= pivot;
    scales[j] = -pivot / beta;
    data[j * columns + j] = beta;
    for (let k = j + 1; k < columns; k++) {
      let share = data[j * columns + k]!;
      for (let i = j + 1; i < rows; i++) share += data[i * columns + j]! * data[i * columns + k]!;
      share *= scales[j]!;
      data[j * columns + k]! -= share;
      for (let i = j + 1; i < rows; i++) data[i * columns + k]! -= share * data[i * columns + j]!;
    }
  }
  q.data.fill(0);
  for (let j = 0; j < columns; j++) q.data[j * columns + j] = 1;
  for (let j = columns - 1; j >= 0; j--) {
    for (let k = j; k < columns; k++) {
      let share = q.data[j * columns + k]!;
      for (let i = j + 1; i < rows; i++) share += data[i * columns + j]! * q.data[i * columns + k]!;
      share *= scales[j]!;
      q.data[j * columns + k]! -= share;
      for (let i = j + 1; i < rows; i++) q.data[i * columns + k]! -= share * data[i * columns + j]!;
    }
  }
  return q;
}
