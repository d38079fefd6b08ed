/**
 * In-context linear regression by linear attention: stationary points, closed forms and the race of heads.
 *
 * Examples x ~ N(0, Λ) with y = w·x and w new in every sequence; the answer to a query is bᵀ M x_q with b = (1/N) Σ y_n x_n.
 * Everything is written along the eigenvectors of Λ. As `festina.attention`; Source: zhang2025.
 */
import { integrate } from "./integrate";
import { strength, timeToStrength } from "./modes";

export interface Regression {
  /** λ_d, largest first. */
  readonly eigenvalues: readonly number[];
  /** Number N of examples, perhaps infinite. */
  readonly length: number;
}

/** Rank-one heads along the eigenvectors of Λ: M = Σ_h v_h k_h q_hᵀ. */
export interface Heads {
  readonly value: readonly number[];
  readonly key: readonly (readonly number[])[];
  readonly query: readonly (readonly number[])[];
}

/** s_d = λ_d² and c_d = λ_d² ((1 + 1/N) λ_d + Tr Λ/N); strengths end at s_d/c_d. */
export function rates({ eigenvalues, length }: Regression): {
  s: number[];
  c: number[];
  ends: number[];
  trace: number;
} {
  const trace = eigenvalues.reduce((sum, value) => sum + value, 0);
  const s = eigenvalues.map((value) => value ** 2);
  const c = eigenvalues.map((value, d) => s[d]! * ((1 + 1 / length) * value + trace / length));
  return { s, c, ends: s.map((value, d) => value / c[d]!), trace };
}

/** Zero, where only rounding is left of it. */
function settled(loss: number, trace: number): number {
  return Math.abs(loss) < 1e-14 * trace ? 0 : loss;
}

/** L_m = ½ [Tr Λ − Σ_{d ≤ m} s_d²/c_d], m = 0 … D: the loss on each step of the staircase. */
export function plateaus(task: Regression): number[] {
  const { s, ends, trace } = rates(task);
  const found = [0.5 * trace];
  s.forEach((value, d) => found.push(found[d]! - 0.5 * value * ends[d]!));
  return found.map((level) => settled(level, trace));
}

/** L_n(M) = ½ [Tr Λ − 2 Tr(Mᵀ Λ²) + Tr(Mᵀ B_n M Λ)] with n examples in the context; M is D × D, row after row. */
export function risk({ eigenvalues }: Regression, map: ArrayLike<number>, examples: number): number {
  const { s, c, trace } = rates({ eigenvalues, length: examples });
  const size = eigenvalues.length;
  let loss = trace;
  for (let i = 0; i < size; i++) {
    loss -= 2 * s[i]! * map[i * size + i]!;
    for (let j = 0; j < size; j++) loss += map[i * size + j]! ** 2 * (c[i]! / eigenvalues[i]!) * eigenvalues[j]!;
  }
  return settled(0.5 * loss, trace);
}

/** ⟨(ŷ − ŷ_m)²⟩/⟨y²⟩ from principal-component regression with the first m components, m = 0 … D. */
export function componentDistance(task: Regression, map: ArrayLike<number>): number[] {
  const { eigenvalues } = task;
  const { c, ends, trace } = rates(task);
  const size = eigenvalues.length;
  return Array.from({ length: size + 1 }, (_, m) => {
    let sum = 0;
    for (let i = 0; i < size; i++)
      for (let j = 0; j < size; j++) {
        const away = map[i * size + j]! - (i === j && i < m ? ends[i]! : 0);
        sum += away * away * (c[i]! / eigenvalues[i]!) * eigenvalues[j]!;
      }
    return sum / trace;
  });
}

/** M = diag(u). */
export function diagonal(strengths: readonly number[]): number[] {
  const size = strengths.length;
  return Array.from({ length: size * size }, (_, at) => (at % (size + 1) ? 0 : strengths[at / (size + 1)]!));
}

/** A component that a head learns like a chain of three layers: du/dt = 3 u^{4/3} (s − c u). */
export interface Win {
  readonly component: number;
  readonly head: number;
  readonly s: number;
  readonly c: number;
  /** Strength from which its chain starts. */
  readonly start: number;
}

/** Strength of a win at the times. */
export function strengthOf({ s, c, start }: Win, times: readonly number[]): number[] {
  return strength(times, { s, d: c }, start, 3);
}

/** When a win is at a share of its end. */
export function reach({ s, c, start }: Win, share: number): number {
  return timeToStrength((share * s) / c, { s, d: c }, start, 3);
}

/** Heads that start on one eigenvector each, with value, key and query of size `layer`: one chain per head, exactly. */
export function alignedWins(task: Regression, heads: number, layer: number): Win[] {
  const { s, c } = rates(task);
  return s.slice(0, heads).map((value, d) => ({ component: d, head: d, s: value, c: c[d]!, start: layer ** 3 }));
}

/** How long a drop lasts (10 to 90 %) over the time to the next one, largest over components. */
export function overlap(wins: readonly Win[]): number {
  let worst = 0;
  for (let k = 0; k + 1 < wins.length; k++) {
    const wait = reach(wins[k + 1]!, 0.5) - reach(wins[k]!, 0.5);
    worst = Math.max(worst, (reach(wins[k]!, 0.9) - reach(wins[k]!, 0.1)) / Math.max(wait, 1e-300));
  }
  return worst;
}

const geometric = (from: number, to: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => from * (to / from) ** (i / (count - 1)));
/** Shares of a component at which its time is tabulated while the other heads are followed. */
const SHARES = [
  ...geometric(1e-4, 0.02, 16).slice(0, -1),
  ...Array.from({ length: 97 }, (_, i) => 0.02 + 0.01 * i),
  ...geometric(0.02, 1e-6, 16)
    .slice(1)
    .map((share) => 1 - share),
];
/** Longest path on which a head is followed, in units of 1/s₁ at unit size. */
const ALIGNING = 400;
/** Places of that path at which a head is looked at. */
const LOOKS = 400;
const TOLERANCE = 1e-8;

interface Learned {
  readonly component: number;
  readonly times: number[];
}

function shareAt(times: readonly number[], time: number): number {
  if (time <= times[0]!) return SHARES[0]!;
  const last = times.length - 1;
  if (time >= times[last]!) return SHARES[last]!;
  let [low, high] = [0, last];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle]! <= time) low = middle;
    else high = middle;
  }
  return SHARES[low]! + ((SHARES[high]! - SHARES[low]!) * (time - times[low]!)) / (times[high]! - times[low]!);
}

/**
 * The race of heads: which head learns which component, and when, from the weights it starts with.
 *
 * A small head does not feel the others: dv = kᵀGq, dk = v G q, dq = v G k with G what nobody has learned yet. It turns to an
 * eigenvector of G and diverges at a finite time t*; a chain of three diverges at u₀^{−1/3}/s, so it learns as a chain from
 * u₀ = (s t*)^{−3}. The first to diverge learns, and what it learns is taken from the others.
 */
export function race(task: Regression, heads: Heads): Win[] {
  const { s, c, ends } = rates(task);
  // value, key and query end at (s/c)^{1/3} each
  const final = Math.sqrt(3) * Math.cbrt(Math.max(...ends));
  const left = new Map(heads.value.map((v, h) => [h, [v, ...heads.key[h]!, ...heads.query[h]!]]));
  const learned: Learned[] = [];
  const wins: (Win & { readonly time: number })[] = [];
  while (left.size && learned.length < s.length) {
    let first: { head: number; time: number; unit: readonly number[] } | undefined;
    for (const [head, weights] of left) {
      const found = follow(weights, s, learned, final);
      if (!first || found.time < first.time) first = { head, ...found };
    }
    if (!first || !Number.isFinite(first.time)) break;
    // a head may still read what another one has learned meanwhile; that it cannot learn
    const reads = first.unit
      .slice(1, 1 + s.length)
      .map((value, d) => (learned.some(({ component }) => component === d) ? 0 : Math.abs(value)));
    const component = reads.indexOf(Math.max(...reads));
    const win = {
      component,
      head: first.head,
      s: s[component]!,
      c: c[component]!,
      start: (s[component]! * first.time) ** -3,
      time: first.time,
    };
    wins.push(win);
    // what a chain has at its start it has from the beginning
    learned.push({
      component,
      times: SHARES.map((share) => (share * win.s <= win.start * win.c ? 0 : reach(win, share))),
    });
    left.delete(first.head);
  }
  return wins.sort((a, b) => a.time - b.time);
}

/** When a small head diverges (∞: never) and what it reads then, followed along the path dℓ = ‖w‖ dt, on which nothing diverges. */
function follow(
  weights: readonly number[],
  s: readonly number[],
  learned: readonly Learned[],
  final: number,
): { time: number; unit: readonly number[] } {
  const size = Math.sqrt(weights.reduce((sum, value) => sum + value * value, 0));
  const count = s.length;
  const end = s.map((value, d) => (learned.some(({ component }) => component === d) ? 0 : value));
  const rate = Math.max(...end);
  if (size === 0 || rate === 0) return { time: Infinity, unit: weights };
  const [length, gradient] = [2 * count + 1, new Float64Array(count)];
  const force = (unit: Float64Array, g: ArrayLike<number>, into: Float64Array): number => {
    let pull = 0;
    for (let d = 0; d < count; d++) {
      const [k, q] = [unit[1 + d]!, unit[1 + count + d]!];
      pull += k * g[d]! * q;
      into[1 + d] = unit[0]! * g[d]! * q;
      into[1 + count + d] = unit[0]! * g[d]! * k;
    }
    into[0] = pull;
    let outward = 0;
    for (let i = 0; i < length; i++) outward += unit[i]! * into[i]!;
    return outward;
  };
  const field = (state: Float64Array, change: Float64Array): void => {
    for (let d = 0; d < count; d++) gradient[d] = s[d]!;
    for (const { component, times } of learned)
      gradient[component]! -= s[component]! * shareAt(times, state[length + 1]! / size);
    const outward = force(state, gradient, change);
    for (let i = 0; i < length; i++) change[i]! -= outward * state[i]!;
    change[length] = outward;
    change[length + 1] = Math.exp(-state[length]!);
  };
  const grown = Math.log(final / size);
  let before = Float64Array.from([...weights.map((value) => value / size), 0, 0]);
  let seen = before;
  // along the whole path, and then again between the two looks between which the head has grown to its final size
  for (let span = ALIGNING / rate, round = 0; round < 2; round++, span /= LOOKS) {
    const path = Array.from({ length: LOOKS + 1 }, (_, i) => (span * i) / LOOKS);
    const begin = before;
    integrate(field, begin, path, TOLERANCE, TOLERANCE * 1e-3, (_, state) => {
      before = seen;
      seen = state.slice();
      return state[length]! >= grown;
    });
    if (seen[length]! < grown) break;
  }
  const outward = force(seen, end, new Float64Array(length));
  const unit = Array.from(seen.subarray(0, length));
  // a head on the stable manifold of zero never grows
  if (outward <= 1e-6 * rate) return { time: Infinity, unit };
  return { time: (seen[length + 1]! + Math.exp(-seen[length]!) / outward) / size, unit };
}
