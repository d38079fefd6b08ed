/** Gradient descent on squared units, f(a, b) = Σ w (u·x_a + v·x_b)², that learn to add modulo p: the answer to a and b is x_{a+b}. */

/** Mean loss ½ ⟨‖x_{a+b} − f(a, b)‖²⟩ over all p² sums. */
export class Quadratic {
  /** u, v and w of each unit, one after the other: units × 3 × p. */
  readonly weights: Float64Array;
  readonly units: number;
  loss = 0;
  private readonly p: number;
  /** x_a[j] = x[j − a], p × p. */
  private readonly codes: Float64Array;
  /** u·x_a and v·x_b of each unit, and the derivatives by them. */
  private readonly read: Float64Array;
  private readonly back: Float64Array;
  private readonly change: Float64Array;
  /** What the network answers to every sum: p² × p. */
  readonly answers: Float64Array;

  constructor(template: readonly number[], weights: Float64Array) {
    const p = template.length;
    this.p = p;
    this.weights = weights.slice();
    this.units = weights.length / (3 * p);
    this.codes = new Float64Array(p * p);
    for (let a = 0; a < p; a++) for (let j = 0; j < p; j++) this.codes[a * p + j] = template[(j - a + p) % p]!;
    this.read = new Float64Array(this.units * 2 * p);
    this.back = new Float64Array(this.units * 2 * p);
    this.change = new Float64Array(weights.length);
    this.answers = new Float64Array(p * p * p);
    this.refresh();
  }

  /** Answers, loss, and the way down, −∂L/∂weights. */
  private refresh(): void {
    const { p, units, codes, read, back, weights, change, answers } = this;
    for (let i = 0; i < units; i++)
      for (let part = 0; part < 2; part++)
        for (let a = 0; a < p; a++) {
          let sum = 0;
          for (let j = 0; j < p; j++) sum += weights[(i * 3 + part) * p + j]! * codes[a * p + j]!;
          read[(i * 2 + part) * p + a] = sum;
        }
    answers.fill(0);
    back.fill(0);
    change.fill(0);
    this.loss = 0;
    const miss = new Float64Array(p);
    for (let a = 0; a < p; a++)
      for (let b = 0; b < p; b++) {
        const at = (a * p + b) * p;
        for (let i = 0; i < units; i++) {
          const square = (read[i * 2 * p + a]! + read[(i * 2 + 1) * p + b]!) ** 2;
          for (let c = 0; c < p; c++) answers[at + c]! += weights[(i * 3 + 2) * p + c]! * square;
        }
        const goal = ((a + b) % p) * p;
        for (let c = 0; c < p; c++) {
          miss[c] = codes[goal + c]! - answers[at + c]!;
          this.loss += miss[c]! ** 2;
        }
        for (let i = 0; i < units; i++) {
          const sum = read[i * 2 * p + a]! + read[(i * 2 + 1) * p + b]!;
          const out = (i * 3 + 2) * p;
          let along = 0;
          for (let c = 0; c < p; c++) {
            along += miss[c]! * weights[out + c]!;
            change[out + c]! += miss[c]! * sum * sum;
          }
          back[i * 2 * p + a]! += 2 * sum * along;
          back[(i * 2 + 1) * p + b]! += 2 * sum * along;
        }
      }
    for (let i = 0; i < units; i++)
      for (let part = 0; part < 2; part++)
        for (let a = 0; a < p; a++) {
          const slope = back[(i * 2 + part) * p + a]!;
          for (let j = 0; j < p; j++) change[(i * 3 + part) * p + j]! += slope * codes[a * p + j]!;
        }
    const mean = 1 / (p * p);
    this.loss *= 0.5 * mean;
    for (let i = 0; i < change.length; i++) change[i]! *= mean;
  }

  /** −∂L/∂weights. */
  get descent(): Float64Array {
    return this.change;
  }

  step(rate: number): void {
    for (let i = 0; i < this.weights.length; i++) this.weights[i]! += rate * this.change[i]!;
    this.refresh();
  }

  /** The share of sums whose answer is nearest to the right code. */
  get right(): number {
    const { p, codes, answers } = this;
    let count = 0;
    for (let a = 0; a < p; a++)
      for (let b = 0; b < p; b++) {
        let [best, most] = [0, -Infinity];
        for (let c = 0; c < p; c++) {
          let product = 0;
          for (let j = 0; j < p; j++) product += codes[c * p + j]! * answers[(a * p + b) * p + j]!;
          if (product > most) [best, most] = [c, product];
        }
        if (best === (a + b) % p) count++;
      }
    return count / (p * p);
  }
}
