/** Gradient descent on the expected loss of linear attention with separate key and query, along the eigenvectors of Λ. */
import { type Heads, type Regression, rates } from "../theory/attention";

/** Attention in training; `step` changes its weights in place. */
export class LinearAttention {
  readonly value: Float64Array;
  /** Heads × D, row after row. */
  readonly key: Float64Array;
  readonly query: Float64Array;
  /** M = Σ_h v_h k_h q_hᵀ, D × D. */
  readonly map: Float64Array;
  private readonly size: number;
  private readonly s: readonly number[];
  /** B_i along the eigenvectors. */
  private readonly b: readonly number[];
  private readonly gradient: Float64Array;
  private readonly up: Float64Array;
  private readonly down: Float64Array;

  constructor(
    private readonly task: Regression,
    { value, key, query }: Heads,
  ) {
    this.size = task.eigenvalues.length;
    this.value = Float64Array.from(value);
    this.key = Float64Array.from(key.flat());
    this.query = Float64Array.from(query.flat());
    const { s, c } = rates(task);
    this.s = s;
    this.b = c.map((one, d) => one / task.eigenvalues[d]!);
    this.map = new Float64Array(this.size ** 2);
    this.gradient = new Float64Array(this.size ** 2);
    this.up = new Float64Array(this.size);
    this.down = new Float64Array(this.size);
    this.refresh();
  }

  private refresh(): void {
    const { size, value, key, query, map } = this;
    map.fill(0);
    for (let h = 0; h < value.length; h++)
      for (let i = 0; i < size; i++) {
        const left = value[h]! * key[h * size + i]!;
        for (let j = 0; j < size; j++) map[i * size + j]! += left * query[h * size + j]!;
      }
    for (let i = 0; i < size; i++)
      for (let j = 0; j < size; j++)
        this.gradient[i * size + j] =
          (i === j ? this.s[i]! : 0) - this.b[i]! * map[i * size + j]! * this.task.eigenvalues[j]!;
  }

  /** dv = kᵀ G q, dk = v G q, dq = v Gᵀ k with G = Λ² − B M Λ, times the step. Source: zhang2025 (gradient flow). */
  step(rate: number): void {
    const { size, value, key, query, gradient, up, down } = this;
    for (let h = 0; h < value.length; h++) {
      const [v, at] = [value[h]!, h * size];
      let pull = 0;
      up.fill(0);
      down.fill(0);
      for (let i = 0; i < size; i++)
        for (let j = 0; j < size; j++) {
          const g = gradient[i * size + j]!;
          up[i]! += g * query[at + j]!;
          down[j]! += g * key[at + i]!;
        }
      for (let i = 0; i < size; i++) {
        pull += key[at + i]! * up[i]!;
        key[at + i]! += rate * v * up[i]!;
        query[at + i]! += rate * v * down[i]!;
      }
      value[h]! += rate * pull;
    }
    this.refresh();
  }
}
