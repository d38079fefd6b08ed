/**
 * Eight items in C contexts: the joint race of pathways that are each open in a set of contexts.
 *
 * Every block of properties is the 15 × 8 hierarchy H, whose item modes (tree wavelets) all pathways share. So the race
 * falls apart into one small system per distinct singular value σ of H. In a mode that sums to zero over items pathway p
 * is a number A and a vector B over contexts; in the constant mode the pathway that is open everywhere also sees the
 * context inputs and keeps C hidden directions. All start at nσ_w²/2 and are integrated jointly, from the start.
 *
 * Outputs are coordinates in the span of the targets, where context c asks for σ τ_c with
 *   τ_c = e_c + (√(C+1) − 1)/C · 1,  τ_b·τ_c = 1 + δ_bc:
 * the 1 is the common block, δ_bc the context's own. Source: jarvis2025 section 4, App. F; saxe2022.
 */
import { integrate } from "./integrate";

export const ITEMS = 8;

/** Distinct σ² of the hierarchy of eight items and how many modes share each; the first is the constant mode. */
export const HIERARCHY = [
  { square: 15, modes: 1 },
  { square: 7, modes: 1 },
  { square: 3, modes: 2 },
  { square: 1, modes: 4 },
] as const;

/** A context input is 1 for each of the eight items, along whose constant direction it adds up. */
const CONTEXT_INPUT = Math.sqrt(ITEMS);

/** Loss of the zero map, ½⟨‖y‖²⟩, whatever the number of contexts. */
export const START_LOSS = 4;

/** τ_c, one row per context. */
export function targets(contexts: number): Float64Array[] {
  const shift = (Math.sqrt(contexts + 1) - 1) / contexts;
  return Array.from({ length: contexts }, (_, c) =>
    new Float64Array(contexts).map((_, i) => shift + (i === c ? 1 : 0)),
  );
}

export interface SingularValues {
  /** What a pathway sees of the targets, largest first: it grows with these while nothing is learned. */
  readonly raw: number[];
  /** What the common pathway leaves for it, largest first. */
  readonly left: number[];
}

/** Effective singular values S of a pathway open in `open` of the contexts. */
export function singularValues(contexts: number, open: number): SingularValues {
  const count = ITEMS * contexts;
  const raw: number[] = [];
  const left: number[] = [];
  for (const { square, modes } of HIERARCHY) {
    const sigma = Math.sqrt(square) / count;
    const constant = square === HIERARCHY[0].square;
    for (let i = 0; i < modes; i++) {
      if (constant && open === contexts) {
        raw.push(sigma * Math.sqrt((contexts + 1) * (contexts + ITEMS)));
        for (let c = 1; c < contexts; c++) raw.push(sigma * Math.sqrt(ITEMS));
      } else raw.push(sigma * Math.sqrt(open * open + open));
      // the common pathway learns the constant mode whole: it sees the contexts
      if (!constant) left.push(sigma * Math.sqrt((open * (contexts - open)) / contexts));
    }
  }
  return { raw: raw.sort((a, b) => b - a), left: left.sort((a, b) => b - a) };
}

export interface Race {
  readonly times: number[];
  readonly loss: number[];
  /** ‖W_p‖ of each pathway over time, in the order given. */
  readonly strengths: number[][];
}

/** The pathway's gates: one boolean per context. */
export type Gates = readonly boolean[];

/** One pathway in one mode: A is (hidden, features) and Bᵀ (hidden, contexts), at `at` and `out` in the state. */
interface Part {
  readonly at: number;
  readonly out: number;
  readonly hidden: number;
  /** 1, the items' mode; or that and the C contexts, of which one is on. */
  readonly features: number;
  /** The contexts it is open in. */
  readonly open: readonly number[];
}

/**
 * Loss and strengths of pathways with these gates, a closed row being no pathway at all.
 *
 * `start` is the strength every mode of every pathway begins with. `tolerance` is that of the integration.
 */
export function race(
  contexts: number,
  gates: readonly Gates[],
  start: number,
  times: readonly number[],
  tolerance = 1e-7,
): Race {
  const loss = times.map(() => 0);
  const squares = gates.map(() => times.map(() => 0));
  const count = ITEMS * contexts;
  const goals = targets(contexts);
  const used = gates.map((_, p) => p).filter((p) => gates[p]!.some(Boolean));
  for (const { square, modes } of HIERARCHY) {
    const sigma = Math.sqrt(square);
    const parts = layout(
      contexts,
      used.map((p) => gates[p]!),
      square === HIERARCHY[0].square,
    );
    const first = begin(contexts, parts, goals, Math.sqrt(start));
    const goal = Float64Array.from(goals.flatMap((row) => Array.from(row, (value) => sigma * value)));
    // (contexts, contexts): what is missing in each context
    const error = new Float64Array(goal.length);
    // what the hidden directions of pathways that see contexts do in each: (hidden, contexts)
    const activity = parts.map(({ hidden }) => new Float64Array(hidden > 1 ? hidden * contexts : 0));
    const sum = new Float64Array(contexts);

    const miss = (state: Float64Array): void => {
      error.set(goal);
      for (let p = 0; p < parts.length; p++) {
        const { at, out, hidden, features, open } = parts[p]!;
        if (hidden === 1) {
          const a = state[at]!;
          for (let o = 0; o < contexts; o++) {
            const value = a * state[out + o]!;
            for (let i = 0; i < open.length; i++) error[open[i]! * contexts + o]! -= value;
          }
          continue;
        }
        const active = activity[p]!;
        for (let h = 0; h < hidden; h++) {
          const row = at + h * features;
          for (let c = 0; c < contexts; c++) {
            const value = state[row]! + CONTEXT_INPUT * state[row + c + 1]!;
            active[h * contexts + c] = value;
            for (let o = 0; o < contexts; o++) error[c * contexts + o]! -= value * state[out + h * contexts + o]!;
          }
        }
      }
    };
    const field = (state: Float64Array, change: Float64Array): void => {
      miss(state);
      for (let p = 0; p < parts.length; p++) {
        const { at, out, hidden, features, open } = parts[p]!;
        if (hidden === 1) {
          const a = state[at]! / count;
          let back = 0;
          for (let o = 0; o < contexts; o++) {
            let total = 0;
            for (let i = 0; i < open.length; i++) total += error[open[i]! * contexts + o]!;
            change[out + o] = a * total;
            back += state[out + o]! * total;
          }
          change[at] = back / count;
          continue;
        }
        const active = activity[p]!;
        for (let h = 0; h < hidden; h++) {
          const row = at + h * features;
          sum.fill(0);
          let total = 0;
          for (let c = 0; c < contexts; c++) {
            const value = active[h * contexts + c]!;
            let back = 0;
            for (let o = 0; o < contexts; o++) {
              const e = error[c * contexts + o]!;
              back += state[out + h * contexts + o]! * e;
              sum[o]! += value * e;
            }
            total += back;
            change[row + c + 1] = (CONTEXT_INPUT * back) / count;
          }
          change[row] = total / count;
          for (let o = 0; o < contexts; o++) change[out + h * contexts + o] = sum[o]! / count;
        }
      }
    };
    integrate(field, first, times, tolerance, tolerance * Math.sqrt(start), (i, state) => {
      miss(state);
      let squared = 0;
      for (const e of error) squared += e * e;
      loss[i]! += (modes * squared) / (2 * count);
      parts.forEach((part, p) => (squares[used[p]!]![i]! += modes * mapSquare(part, state, contexts)));
    });
  }
  return { times: [...times], loss, strengths: squares.map((row) => row.map(Math.sqrt)) };
}

/** Where each open pathway stands in the state of one mode. */
function layout(contexts: number, gates: readonly Gates[], constant: boolean): Part[] {
  let at = 0;
  return gates.map((gate) => {
    const [hidden, features] = constant && gate.every(Boolean) ? [contexts, contexts + 1] : [1, 1];
    const open = Array.from(gate.keys()).filter((c) => gate[c]);
    const part = { at, out: at + hidden * features, hidden, features, open };
    at += hidden * (features + contexts);
    return part;
  });
}

/** Balanced layers of strength b each on the singular vectors of what a pathway sees. */
function begin(contexts: number, parts: readonly Part[], goals: readonly Float64Array[], b: number): Float64Array {
  const last = parts.at(-1);
  const state = new Float64Array(last ? last.at + last.hidden * (last.features + contexts) : 0);
  for (const { at, out, hidden, features, open } of parts) {
    if (hidden > 1) {
      // singular vectors: contexts apart, and all together with the items' constant direction
      const length = Math.sqrt(contexts + ITEMS);
      for (let h = 0; h < hidden; h++) {
        state[at + h * features] = b / length;
        for (let c = 0; c < contexts; c++)
          state[at + h * features + c + 1] = b * ((h === c ? 1 : 0) - (1 - CONTEXT_INPUT / length) / contexts);
        state[out + h * contexts + h] = b;
      }
    } else {
      let square = 0;
      for (let o = 0; o < contexts; o++) {
        let sum = 0;
        for (const c of open) sum += goals[c]![o]!;
        state[out + o] = sum;
        square += sum * sum;
      }
      for (let o = 0; o < contexts; o++) state[out + o]! *= b / Math.sqrt(square);
      state[at] = b;
    }
  }
  return state;
}

/** ‖BA‖² of one pathway in one mode. */
function mapSquare({ at, out, hidden, features }: Part, state: Float64Array, contexts: number): number {
  let total = 0;
  for (let o = 0; o < contexts; o++)
    for (let f = 0; f < features; f++) {
      let sum = 0;
      for (let h = 0; h < hidden; h++) sum += state[out + h * contexts + o]! * state[at + h * features + f]!;
      total += sum * sum;
    }
  return total;
}
