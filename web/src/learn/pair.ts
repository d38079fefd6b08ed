/** A leaky-ReLU network that learns two points, started with a chosen gain of its encoder and of its decoder. */

import { type Matrix, multiply, multiplyLeft, multiplyRight, zeros } from "../theory/matrix";
import { gaussian } from "./linear";
import { normal } from "./random";

/** Widths from the input to the output; the representation is the one after `ENCODER` layers. */
const WIDTHS = [4, 32, 32, 32, 3];
const ENCODER = 2;
const SLOPE = 0.2;

export interface Wanted {
  /** ‖x₂ − x₁‖ and ‖y₂ − y₁‖. */
  readonly dx: number;
  readonly dy: number;
  /** ‖h₂ − h₁‖/‖x₂ − x₁‖ and ‖ŷ₂ − ŷ₁‖/‖h₂ − h₁‖ at the start. */
  readonly encoder: number;
  readonly decoder: number;
  /** Cosine between the outputs' and the targets' difference at the start. */
  readonly cosine: number;
}

/** Trains on the mean loss; points are columns. The mean output starts at the mean target, so that only the difference is learned. */
export class PairNetwork {
  readonly weights: Matrix[];
  private readonly activity: Matrix[];
  private readonly slopes: Matrix[];
  private readonly targets: Matrix;

  constructor(wanted: Wanted, seed: number) {
    const draw = normal(seed);
    this.weights = WIDTHS.slice(1).map((rows, l) => gaussian(rows, WIDTHS[l]!, 1 / Math.sqrt(WIDTHS[l]!), draw));
    this.activity = WIDTHS.map((width) => zeros(width, 2));
    this.slopes = WIDTHS.map((width) => zeros(width, 2));
    const along = unit(direction(WIDTHS[0]!, draw));
    const middle = unit(beside(direction(WIDTHS[0]!, draw), along));
    along.forEach((value, i) => {
      this.activity[0]!.data[2 * i] = middle[i]! - (value * wanted.dx) / 2;
      this.activity[0]!.data[2 * i + 1] = middle[i]! + (value * wanted.dx) / 2;
    });
    const depth = this.weights.length;
    this.forward();
    this.rescale(0, ENCODER, (wanted.encoder * wanted.dx) / norm(this.difference(ENCODER)));
    this.rescale(ENCODER, depth, (wanted.decoder * wanted.encoder * wanted.dx) / norm(this.difference(depth)));
    const outputs = unit(this.difference(depth));
    const other = unit(beside(direction(outputs.length, draw), outputs));
    const sine = Math.sqrt(1 - wanted.cosine ** 2);
    this.targets = zeros(outputs.length, 2);
    outputs.forEach((value, i) => {
      const half = (wanted.dy * (wanted.cosine * value + sine * other[i]!)) / 2;
      const mean = 0.5 * (this.activity[depth]!.data[2 * i]! + this.activity[depth]!.data[2 * i + 1]!);
      this.targets.data[2 * i] = mean - half;
      this.targets.data[2 * i + 1] = mean + half;
    });
  }

  /** Leaky ReLU keeps factors: the activity after layers `from` … `to` grows by `factor`. */
  private rescale(from: number, to: number, factor: number): void {
    const each = factor ** (1 / (to - from));
    for (let l = from; l < to; l++) this.weights[l]!.data.forEach((value, i, data) => (data[i] = each * value));
    this.forward();
  }

  private forward(): void {
    const depth = this.weights.length;
    for (let l = 0; l < depth; l++) {
      const { data } = multiply(this.weights[l]!, this.activity[l]!, this.activity[l + 1]!);
      const slopes = this.slopes[l + 1]!.data;
      for (let i = 0; i < data.length; i++) {
        slopes[i] = l === depth - 1 || data[i]! > 0 ? 1 : SLOPE;
        data[i]! *= slopes[i]!;
      }
    }
  }

  private difference(layer: number): number[] {
    const { data, rows } = this.activity[layer]!;
    return Array.from({ length: rows }, (_, i) => data[2 * i + 1]! - data[2 * i]!);
  }

  /** h, y and w of the two points now. */
  get state(): { readonly h: number; readonly y: number; readonly w: number } {
    const [hidden, outputs] = [this.difference(ENCODER), this.difference(this.weights.length)];
    const y = outputs.reduce((sum, value) => sum + value * value, 0);
    const w =
      y -
      outputs.reduce((sum, value, i) => sum + value * (this.targets.data[2 * i + 1]! - this.targets.data[2 * i]!), 0);
    return { h: hidden.reduce((sum, value) => sum + value * value, 0), y, w };
  }

  /** 1/(2N) Σ‖y − ŷ‖². */
  get loss(): number {
    const outputs = this.activity[this.weights.length]!;
    return outputs.data.reduce((sum, value, i) => sum + (value - this.targets.data[i]!) ** 2, 0) / 4;
  }

  /** −∂L/∂W of every layer. */
  descent(): Matrix[] {
    const depth = this.weights.length;
    let back = zeros(WIDTHS[depth]!, 2);
    back.data.forEach((_, i) => (back.data[i] = (this.targets.data[i]! - this.activity[depth]!.data[i]!) / 2));
    const changes: Matrix[] = [];
    for (let l = depth - 1; l >= 0; l--) {
      changes.unshift(multiplyRight(back, this.activity[l]!));
      back = multiplyLeft(this.weights[l]!, back);
      back.data.forEach((value, i) => (back.data[i] = value * this.slopes[l]!.data[i]!));
    }
    return changes;
  }

  /** A step of gradient descent. */
  step(rate: number): void {
    this.descent().forEach((change, l) => {
      const { data } = this.weights[l]!;
      for (let i = 0; i < data.length; i++) data[i]! += rate * change.data[i]!;
    });
    this.forward();
  }
}

function direction(size: number, draw: () => number): number[] {
  return Array.from({ length: size }, draw);
}

function norm(vector: readonly number[]): number {
  return Math.hypot(...vector);
}

function unit(vector: readonly number[]): number[] {
  const length = norm(vector);
  return vector.map((value) => value / length);
}

function beside(vector: readonly number[], axis: readonly number[]): number[] {
  const share = vector.reduce((sum, value, i) => sum + value * axis[i]!, 0);
  return vector.map((value, i) => value - share * axis[i]!);
}
