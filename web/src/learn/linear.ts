/** Gradient descent on a deep linear network ŷ = W_D … W_1 x whose inputs are white: Σx = c·1. Plain and small enough to run live. */

import {
  copy,
  dot,
  identity,
  type Matrix,
  multiply,
  multiplyLeft,
  multiplyRight,
  orthonormalise,
  zeros,
} from "../theory/matrix";

/** A matrix of independent normal entries. */
export function gaussian(rows: number, columns: number, std: number, draw: () => number): Matrix {
  const made = zeros(rows, columns);
  for (let i = 0; i < made.data.length; i++) made.data[i] = std * draw();
  return made;
}

/** Random orthonormal columns. */
export function frame(rows: number, columns: number, draw: () => number): Matrix {
  return orthonormalise(gaussian(rows, columns, 1, draw));
}

/**
 * Layers that carry each mode with the same strength, W_l = R_l diag(b) R_{l−1}ᵀ with b = strength^{1/D}.
 *
 * R_0 = `right` and R_D = `left`; the frames between are random. Source: saxe2014 eq. (6).
 */
export function chained(
  right: Matrix,
  left: Matrix,
  hidden: number,
  depth: number,
  strength: number,
  draw: () => number,
): Matrix[] {
  const rank = right.columns;
  const frames = [right, ...Array.from({ length: depth - 1 }, () => frame(hidden, rank, draw)), left];
  const layer = strength ** (1 / depth);
  return Array.from({ length: depth }, (_, l) => {
    const made = multiplyRight(frames[l + 1]!, frames[l]!);
    made.data.forEach((value, i) => (made.data[i] = layer * value));
    return made;
  });
}

/** A network in training; `step` changes its weights in place. */
export class DeepLinear {
  readonly weights: Matrix[];
  /** W_l … W_1 for l = 0 … D. */
  private readonly below: Matrix[];
  /** W_D … W_{l+1} for l = 0 … D. */
  private readonly above: Matrix[];
  private readonly miss: Matrix;
  private readonly back: Matrix[];
  private readonly change: Matrix[];

  /** Weights from input to output, Σyx (outputs × inputs) and c where Σx = c·1. */
  constructor(
    weights: readonly Matrix[],
    private readonly cross: Matrix,
    private readonly curvature: number,
  ) {
    this.weights = weights.map(copy);
    this.below = [identity(cross.columns), ...weights.map((w) => zeros(w.rows, cross.columns))];
    this.above = [...weights.map((w) => zeros(cross.rows, w.columns)), identity(cross.rows)];
    this.miss = zeros(cross.rows, cross.columns);
    this.back = weights.map((w) => zeros(w.rows, cross.columns));
    this.change = weights.map((w) => zeros(w.rows, w.columns));
    this.refresh();
  }

  private refresh(): void {
    const depth = this.weights.length;
    this.below[1]!.data.set(this.weights[0]!.data);
    for (let l = 1; l < depth; l++) multiply(this.weights[l]!, this.below[l]!, this.below[l + 1]!);
    this.above[depth - 1]!.data.set(this.weights[depth - 1]!.data);
    for (let l = depth - 2; l > 0; l--) multiply(this.above[l + 1]!, this.weights[l]!, this.above[l]!);
    const map = this.map.data;
    const { data } = this.miss;
    for (let i = 0; i < data.length; i++) data[i] = this.cross.data[i]! - this.curvature * map[i]!;
  }

  /** W_D … W_1. */
  get map(): Matrix {
    return this.below[this.weights.length]!;
  }

  /** ½ c ‖W − Σyx/c‖². */
  get loss(): number {
    return dot(this.miss, this.miss) / (2 * this.curvature);
  }

  /** Representation of each input in hidden layer `layer` (1 is the first): hidden × inputs. */
  hidden(layer: number): Matrix {
    return this.below[layer]!;
  }

  /** W_l += η (W_D…W_{l+1})ᵀ (Σyx − W Σx) (W_{l−1}…W_1)ᵀ, all layers at once. */
  step(rate: number): void {
    const depth = this.weights.length;
    for (let l = 0; l < depth; l++) {
      const back = l === depth - 1 ? this.miss : multiplyLeft(this.above[l + 1]!, this.miss, this.back[l]!);
      const change = l === 0 ? back : multiplyRight(back, this.below[l]!, this.change[l]!);
      const { data } = this.weights[l]!;
      for (let i = 0; i < data.length; i++) data[i]! += rate * change.data[i]!;
    }
    this.refresh();
  }
}

/** a_α = u_αᵀ W v_α of every mode. */
export function strengths(map: Matrix, left: Matrix, right: Matrix): number[] {
  const turned = multiply(map, right);
  return Array.from({ length: right.columns }, (_, k) => {
    let sum = 0;
    for (let i = 0; i < left.rows; i++) sum += left.data[i * left.columns + k]! * turned.data[i * turned.columns + k]!;
    return sum;
  });
}
