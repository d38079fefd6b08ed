/** A two-layer ReLU network, ŷ = W2 max(0, W1 x), trained by full-batch gradient descent on the mean loss. */
import { normal } from "./random";

/** What is learned: one row per data point. */
export interface Task {
  readonly x: readonly (readonly number[])[];
  readonly y: readonly (readonly number[])[];
}

/** Weights as matrices: `first` is (hidden, inputs), `second` (outputs, hidden). */
export interface Weights {
  readonly first: readonly (readonly number[])[];
  readonly second: readonly (readonly number[])[];
}

/** Outputs are handled in blocks of this many, whose sums stay in registers: twice as fast as one by one. */
const BLOCK = 4;

export class ReluNetwork {
  readonly points: number;
  readonly inputs: number;
  /** Outputs, filled up with zeros to whole blocks. */
  readonly outputs: number;
  /** (hidden, inputs), row after row. */
  readonly first: Float64Array;
  /** (hidden, outputs): transposed, so that a unit's weights lie together. */
  readonly second: Float64Array;
  /** (hidden, points): max(0, W1 x) at the last forward pass. */
  readonly activity: Float64Array;
  private readonly y: Float64Array;
  private readonly error: Float64Array;
  /** The inputs that are not 0, point by point: one-hot inputs are mostly 0. */
  private readonly places: Int32Array[];
  private readonly values: Float64Array[];
  /** Units that are on at a point, or points at which a unit is on. */
  private readonly on: Int32Array;
  private readonly back: Float64Array;

  constructor(
    task: Task,
    readonly hidden: number,
  ) {
    this.points = task.x.length;
    this.inputs = task.x[0]!.length;
    const outputs = Math.ceil(task.y[0]!.length / BLOCK) * BLOCK;
    this.outputs = outputs;
    this.first = new Float64Array(hidden * this.inputs);
    this.second = new Float64Array(hidden * outputs);
    this.activity = new Float64Array(hidden * this.points);
    this.y = new Float64Array(this.points * outputs);
    task.y.forEach((row, n) => this.y.set(row, n * outputs));
    this.error = new Float64Array(this.y.length);
    this.on = new Int32Array(Math.max(hidden, this.points));
    this.back = new Float64Array(this.points);
    this.places = task.x.map((row) => Int32Array.from(row.flatMap((value, i) => (value === 0 ? [] : [i]))));
    this.values = task.x.map((row) => Float64Array.from(row.filter((value) => value !== 0)));
  }

  /** Independent normal weights of one standard deviation. */
  static random(task: Task, hidden: number, std: number, seed: number): ReluNetwork {
    const network = new ReluNetwork(task, hidden);
    const draw = normal(seed);
    for (let i = 0; i < network.first.length; i++) network.first[i] = std * draw();
    const count = task.y[0]!.length;
    for (let h = 0; h < hidden; h++)
      for (let o = 0; o < count; o++) network.second[h * network.outputs + o] = std * draw();
    return network;
  }

  static from(task: Task, weights: Weights): ReluNetwork {
    const network = new ReluNetwork(task, weights.first.length);
    network.first.set(weights.first.flat());
    weights.second.forEach((row, o) => row.forEach((w, h) => (network.second[h * network.outputs + o] = w)));
    return network;
  }

  /** One forward pass; gives the loss 1/(2N) Σ‖y − ŷ‖² of the present weights. */
  loss(): number {
    const { hidden, points, inputs, outputs, first, second, activity, error, y, on } = this;
    let total = 0;
    for (let n = 0; n < points; n++) {
      const places = this.places[n]!;
      const values = this.values[n]!;
      let count = 0;
      for (let h = 0; h < hidden; h++) {
        let sum = 0;
        for (let k = 0; k < places.length; k++) sum += first[h * inputs + places[k]!]! * values[k]!;
        activity[h * points + n] = sum > 0 ? sum : 0;
        if (sum > 0) on[count++] = h;
      }
      for (let o = 0; o < outputs; o += BLOCK) {
        const at = n * outputs + o;
        let e0 = -y[at]!;
        let e1 = -y[at + 1]!;
        let e2 = -y[at + 2]!;
        let e3 = -y[at + 3]!;
        for (let k = 0; k < count; k++) {
          const h = on[k]!;
          const active = activity[h * points + n]!;
          const w = h * outputs + o;
          e0 += active * second[w]!;
          e1 += active * second[w + 1]!;
          e2 += active * second[w + 2]!;
          e3 += active * second[w + 3]!;
        }
        error[at] = e0;
        error[at + 1] = e1;
        error[at + 2] = e2;
        error[at + 3] = e3;
        total += e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3;
      }
    }
    return total / (2 * points);
  }

  /** One step of gradient descent; gives the loss before it. */
  step(rate: number): number {
    const before = this.loss();
    const { hidden, points, inputs, outputs, first, second, activity, error, on, back } = this;
    const scale = rate / points;
    for (let h = 0; h < hidden; h++) {
      let count = 0;
      for (let n = 0; n < points; n++)
        if (activity[h * points + n]! > 0) {
          back[count] = 0;
          on[count++] = n;
        }
      for (let o = 0; o < outputs; o += BLOCK) {
        const w = h * outputs + o;
        const w0 = second[w]!;
        const w1 = second[w + 1]!;
        const w2 = second[w + 2]!;
        const w3 = second[w + 3]!;
        let g0 = 0;
        let g1 = 0;
        let g2 = 0;
        let g3 = 0;
        for (let k = 0; k < count; k++) {
          const n = on[k]!;
          const active = activity[h * points + n]!;
          const at = n * outputs + o;
          const e0 = error[at]!;
          const e1 = error[at + 1]!;
          const e2 = error[at + 2]!;
          const e3 = error[at + 3]!;
          g0 += active * e0;
          g1 += active * e1;
          g2 += active * e2;
          g3 += active * e3;
          back[k]! += e0 * w0 + e1 * w1 + e2 * w2 + e3 * w3;
        }
        second[w] = w0 - scale * g0;
        second[w + 1] = w1 - scale * g1;
        second[w + 2] = w2 - scale * g2;
        second[w + 3] = w3 - scale * g3;
      }
      for (let k = 0; k < count; k++) {
        const places = this.places[on[k]!]!;
        const values = this.values[on[k]!]!;
        const change = scale * back[k]!;
        for (let i = 0; i < places.length; i++) first[h * inputs + places[i]!]! -= change * values[i]!;
      }
    }
    return before;
  }

  /** What each unit adds to the map, ‖its activity‖·‖its output weights‖. */
  sizes(): Float64Array {
    const { hidden, points, outputs, activity, second } = this;
    return new Float64Array(hidden).map((_, h) => {
      let input = 0;
      let output = 0;
      for (let n = 0; n < points; n++) input += activity[h * points + n]! ** 2;
      for (let o = 0; o < outputs; o++) output += second[h * outputs + o]! ** 2;
      return Math.sqrt(input * output);
    });
  }
}
