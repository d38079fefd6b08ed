/** Gradient descent on a linear network of two layers whose inputs have any correlations. */
import { copy, dot, type Matrix, multiply, multiplyLeft, multiplyRight, zeros } from "../theory/matrix";

export class TwoLayers {
  readonly first: Matrix;
  readonly second: Matrix;
  /** W₂W₁, outputs × inputs. */
  readonly map: Matrix;
  private readonly miss: Matrix;
  private readonly seen: Matrix;
  private readonly up: Matrix;
  private readonly down: Matrix;

  /** W₁ and W₂, Σx, Σyx and ⟨y²⟩. */
  constructor(
    first: Matrix,
    second: Matrix,
    private readonly inputs: Matrix,
    private readonly cross: Matrix,
    private readonly power: number,
  ) {
    [this.first, this.second] = [copy(first), copy(second)];
    this.map = zeros(cross.rows, cross.columns);
    this.miss = zeros(cross.rows, cross.columns);
    this.seen = zeros(cross.rows, cross.columns);
    this.up = zeros(second.rows, second.columns);
    this.down = zeros(first.rows, first.columns);
    this.refresh();
  }

  private refresh(): void {
    multiply(this.second, this.first, this.map);
    multiply(this.map, this.inputs, this.seen);
    for (let i = 0; i < this.miss.data.length; i++) this.miss.data[i] = this.cross.data[i]! - this.seen.data[i]!;
  }

  /** ½ [⟨y²⟩ − 2⟨W, Σyx⟩ + ⟨W, WΣx⟩]. */
  get loss(): number {
    return 0.5 * (this.power - 2 * dot(this.map, this.cross) + dot(this.map, this.seen));
  }

  /** W₁ += η W₂ᵀ(Σyx − WΣx), W₂ += η (Σyx − WΣx)W₁ᵀ, both at once. */
  step(rate: number): void {
    multiplyLeft(this.second, this.miss, this.down);
    multiplyRight(this.miss, this.first, this.up);
    for (let i = 0; i < this.first.data.length; i++) this.first.data[i]! += rate * this.down.data[i]!;
    for (let i = 0; i < this.second.data.length; i++) this.second.data[i]! += rate * this.up.data[i]!;
    this.refresh();
  }
}
