/**
 * Strength of one mode of a deep linear network over time, in closed form at any depth.
 *
 * A mode has singular value s of Σyx, input curvature d and, in a balanced network of D layers, strength u with
 * du/dt = D u^{2−2/D} (s − d u). The same formulas as `festina.linear.strength`; Source: saxe2014 eqs. (8)-(10).
 */

/** Terms of the expansion around v = 1, used for v ≥ 1/2: the ratio of terms is ≤ 1/2, so 2^-64 is left out. */
const SERIES_TERMS = 64;
/** A Newton step this small leaves its square, which is below rounding. */
const CLOSE = 1e-9;
/** Bracketed Newton steps; each at least halves the bracket. */
const STEP_LIMIT = 200;

/** A mode: its singular value and the curvature of the inputs along it. */
export interface Mode {
  readonly s: number;
  readonly d: number;
}

/**
 * u(t) at the times (`Infinity` gives the limit), from `start` > 0; at depth `Infinity` times are T = D·t.
 *
 * D=1: u = s/d (1 − e^{−dt}) + u0 e^{−dt}; D=2: u = (s/d)/(1 − (1 − s/(d u0)) e^{−2st}); other D: the inverse of
 * t = [F(u) − F(u0)]/D with F(u) = u^q/(sq) ₂F₁(1, q; 1+q; du/s), q = 2/D − 1; D=∞: by Lambert's W.
 */
export function strength(times: readonly number[], mode: Mode, start: number, depth: number): number[] {
  const { s, d } = mode;
  if (depth === 1) return times.map((t) => start * Math.exp(-d * t) - (s / d) * Math.expm1(-d * t));
  if (depth === 2) return times.map((t) => grow(t, mode, start, 0)[0]);
  const end = s / d;
  const v0 = start / end;
  if (depth === Infinity) return infiniteDepth(times, mode, start);
  const pace = depth * s * end ** (1 - 2 / depth);
  if (v0 === 0 || v0 === 1) return times.map(() => start);
  if (v0 < 1) {
    const advance = advancer(v0, 2 / depth - 1);
    return times.map((t) => (t > 0 ? end * advance(pace * t) : start));
  }
  // from above its end 1/v obeys the same equation with another exponent
  const advance = advancer(v0, 2 - 2 / depth);
  return times.map((t) => (t > 0 ? end / advance(pace * t) : start));
}

/**
 * Growing and decaying parts ρ(t), κ(t) of a mode of two layers from any start; its strength is ρ − κ.
 *
 * da/dt = √(16ρκ + 4a²)(s − d a) with ρκ conserved: balanced (κ=0), λ-balanced (16ρκ=λ²) or random.
 */
export function grow(t: number, { s, d }: Mode, growing: number, decaying: number): [number, number] {
  const invariant = growing * decaying;
  const rate = Math.hypot(s, 2 * d * Math.sqrt(growing) * Math.sqrt(decaying));
  const fade = rate > 0 ? Math.exp(-2 * rate * t) : 1;
  const saturation = rate > 0 ? (-Math.expm1(-2 * rate * t) * d) / rate : d > 0 ? 2 * d * t : 0;
  const high = rate > 0 ? (s + rate) / (2 * rate) : 0.5;
  const low = rate > 0 ? (2 * d * d * invariant) / (rate * (rate + s)) : 0.5;
  const solve = (start: number, up: number, down: number): number => {
    if (!(start > 0)) return 0;
    const top = start * (up + down * fade) + (invariant > 0 ? invariant * saturation : 0);
    return top / (start * saturation + up * fade + down);
  };
  return [solve(growing, high, low), solve(decaying, low, high)];
}

/** Strength of a mode whose two layers are λ-balanced, from strength `start`: da/dt = √(λ²+4a²)(s − d a). */
export function imbalanced(times: readonly number[], mode: Mode, start: number, lambda: number): number[] {
  const root = Math.hypot(lambda, 2 * start);
  // (p+q)² and (p−q)² of layers p, q with pq = a and p² + q² = √(λ²+4a²)
  const growing = start >= 0 ? (root + 2 * start) / 4 : lambda ** 2 / (4 * (root - 2 * start) || 1);
  const decaying = start < 0 ? (root - 2 * start) / 4 : lambda ** 2 / (4 * (root + 2 * start) || 1);
  return times.map((t) => {
    const [up, down] = grow(t, mode, growing, decaying);
    return up - down;
  });
}

/** Flow time (at depth ∞: D·t) in which a balanced mode goes from strength `start` to `end`; ∞ where it never does. */
export function timeToStrength(end: number, { s, d }: Mode, start: number, depth: number): number {
  const final = s / d;
  const between = (start <= end && end < final) || (start >= end && end > final);
  if (!between || !(start > 0 || depth === 1)) return end === start ? 0 : Infinity;
  const [vf, v0] = [end / final, start / final];
  if (depth === 1) return Math.log1p((vf - v0) / (1 - vf)) / d;
  if (depth === 2) return Math.log1p((vf - v0) / (v0 * (1 - vf))) / (2 * s);
  const above = v0 > 1;
  const integral = integrator(above ? 2 - 2 / depth : 2 / depth - 1);
  const at = (v: number): number => {
    const rest = above ? Math.abs(1 - v) / v : Math.abs(1 - v);
    return integral(above ? 1 / v : v, rest, Math.log(rest));
  };
  return (at(vf) - at(v0)) / ((depth === Infinity ? 1 : depth) * s * final ** (1 - 2 / depth));
}

/** Step of gradient descent that is fastest at the end of a balanced mode, 1/(d D (s/d)^{2−2/D}); twice it is unstable. */
export function bestRate({ s, d }: Mode, depth: number): number {
  return 1 / (d * depth * (s / d) ** (2 - 2 / depth));
}

/** Infinite depth, T = D·t: u = (s/d)/(1 + W₀[z0 e^{z0 − (s²/d)T}]), z0 = s/(d u0) − 1. */
function infiniteDepth(times: readonly number[], { s, d }: Mode, start: number): number[] {
  const z0 = s / (d * start) - 1;
  if (start === 0 || z0 === 0 || !Number.isFinite(z0)) return times.map(() => start);
  if (z0 < 0) {
    // from above W₀ runs near its branch point −1/e, where 1 + W₀ has no digits left
    const advance = advancer((d * start) / s, 2);
    return times.map((t) => (t > 0 ? s / d / advance(((s * s) / d) * t) : start));
  }
  return times.map((t) => (t > 0 ? s / d / (1 + wrightOmega(Math.log(z0) + z0 - ((s * s) / d) * t)) : start));
}

/** The ω > 0 with ω + ln ω = y, that is W₀(e^y): no overflow however large y is. */
export function wrightOmega(y: number): number {
  if (y === -Infinity) return 0;
  if (y < -50) return Math.exp(y);
  let w = y < 1 ? Math.exp(Math.min(y, 0)) / (1 + Math.exp(Math.min(y, 0))) + 1e-300 : y - Math.log(y);
  for (let i = 0; i < STEP_LIMIT; i++) {
    // Newton in ln ω, which is monotone and concave: e^z + z = y
    const miss = w + Math.log(w) - y;
    const step = miss / (1 + w);
    w *= Math.exp(-step);
    if (Math.abs(step) < 1e-15 * (1 + 1 / w) || Math.abs(step) < 1e-16) break;
  }
  return w;
}

const EULER = 0.5772156649015329;

/** ψ(x), x > 0. */
export function digamma(x: number): number {
  let [sum, at] = [0, x];
  for (; at < 10; at++) sum -= 1 / at;
  const inverse = 1 / (at * at);
  const tail =
    inverse *
    (1 / 12 -
      inverse * (1 / 120 - inverse * (1 / 252 - inverse * (1 / 240 - inverse * (1 / 132 - (inverse * 691) / 32760)))));
  return sum + Math.log(at) - 0.5 / at - tail;
}

/** ∫ v^{p−1} dv: v^p/p, less the constant 1/p where p is so near its pole that 1/p would swallow the digits. */
function power(p: number, v: number): number {
  return Math.abs(p) > 0.25 ? v ** p / p : p ? Math.expm1(p * Math.log(v)) / p : Math.log(v);
}

/**
 * ∫ v^{q−1}/(1−v) dv = v^q/q ₂F₁(1, q; 1+q; v), q ≥ −1, up to a constant, as a function of v, 1−v and ln(1−v).
 *
 * The first two terms, which have poles at q = 0 (depth 2) and q = −1 (infinite depth), are split off.
 */
function integrator(q: number): Integral {
  let found = integrals.get(q);
  if (!found) {
    found = makeIntegral(q);
    integrals.set(q, found);
  }
  return found;
}

type Integral = (v: number, rest: number, log: number) => number;
/** One for each depth; its coefficients take longer than its use. */
const integrals = new Map<number, Integral>();

function makeIntegral(q: number): Integral {
  const differences = new Float64Array(SERIES_TERMS);
  const ratios = new Float64Array(SERIES_TERMS);
  let harmonic = -EULER;
  for (let n = 0; n < SERIES_TERMS; n++) {
    differences[n] = harmonic - digamma(q + Math.max(n, 2));
    ratios[n] = (q + n) / (n + 1);
    harmonic += 1 / (n + 1);
  }
  return (v, rest, log) => {
    let more = 0;
    if (v < 0.5) {
      let term = v ** (q + 2);
      for (let n = 0; n < SERIES_TERMS && term > 1e-18 * more; n++) {
        more += term / (q + 2 + n);
        term *= v;
      }
    } else {
      let weight = 1;
      more = rest;
      for (let n = 0; n < SERIES_TERMS; n++) {
        const added = weight * (differences[n]! - log);
        more += added;
        weight *= ratios[n]! * rest;
        if (n > 2 && Math.abs(added) < 1e-18 * Math.abs(more)) break;
      }
      more *= v ** q;
    }
    return power(q, v) + power(q + 1, v) + more;
  };
}

/**
 * v at a time after v0 > 0 for dv/dT = v^{1−q}(1−v); for v0 > 1 the 1/v that obeys it after 1/v0.
 *
 * In z = logit(v), dz/dT = v^{−q}: monotone and convex or concave, so a bracketed Newton iteration cannot fail.
 */
function advancer(begin: number, q: number): (span: number) => number {
  const integral = integrator(q);
  const rest0 = begin > 1 ? (begin - 1) / begin : 1 - begin;
  const v0 = begin > 1 ? 1 / begin : begin;
  const z0 = Math.log(v0) - Math.log(rest0);
  const base = integral(v0, rest0, Math.log(rest0));
  return (span) => {
    if (span === Infinity) return 1;
    const small = span * v0 ** -q;
    if (!(small > 1e-9)) return v0 + v0 * rest0 * small;
    let low = z0 + Math.min(span, small);
    let high = z0 + Math.max(span, small);
    // guess: the power law of the early phase, else the exponential approach of the late one
    const early = v0 ** q + q * span;
    let guess = early > 0 ? Math.log(early) / (q || 1) : 0;
    guess = early > 0 && guess < 0 ? guess - Math.log1p(-Math.exp(Math.min(guess, -1e-12))) : span + z0;
    let z = Math.min(Math.max(Number.isFinite(guess) ? guess : z0, low), high);
    let v = v0;
    for (let i = 0; i < STEP_LIMIT; i++) {
      const now = 1 / (1 + Math.exp(-z));
      const rest = 1 / (1 + Math.exp(z));
      const miss =
        integral(now, rest, z > 0 ? -z - Math.log1p(Math.exp(-z)) : -Math.log1p(Math.exp(z))) - (base + span);
      const step = miss * now ** -q;
      // the last step in v itself: z = ln(v/(1−v)) of a tiny v has fewer digits than v
      v = now - now * rest * step;
      if (miss <= 0) low = z;
      if (miss >= 0) high = z;
      const next = z - step;
      if (!(Math.abs(step) > CLOSE + 4 * Number.EPSILON * Math.abs(z))) break;
      z = next >= low && next <= high ? next : 0.5 * (low + high);
    }
    return v;
  };
}
