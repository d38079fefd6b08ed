/**
 * Extended XOR: two gatings race, each a set of equal pathways with disjoint gates, solved in closed form.
 *
 * A pathway's mode has input-output singular value s, input curvature d and strength a with da/dt = 2a(s − da); n equal
 * pathways have loss ½ − n s a + ½ n d a². Source: jarvis2025 section 3, App. C (with d = (2+Δ²)/4 for XOR gating).
 */

export interface Gating {
  readonly name: "linear" | "xor";
  /** Pathways, which divide the hidden units among them. */
  readonly pathways: number;
  /** Singular value of what one pathway sees. */
  readonly s: number;
  /** Curvature: variance of its inputs along that mode. */
  readonly d: number;
}

/** The margin at which both gatings have the same singular value: jarvis2025 eq. (26). */
export const CROSSOVER = Math.sqrt(2 / 3);

/** Two pathways, one for each sign of the target. */
export function linearGating(delta: number): Gating {
  return { name: "linear", pathways: 2, s: delta / 2, d: (delta * delta) / 2 };
}

/** Four pathways, one for each point. */
export function xorGating(delta: number): Gating {
  const square = 2 + delta * delta;
  return { name: "xor", pathways: 4, s: Math.sqrt(square) / 4, d: square / 4 };
}

/** a(t) = (s/d)/(1 − (1 − s/(d a0)) e^{−2st}) of a balanced mode of two layers: saxe2014 eq. (8). */
export function strength(time: number, s: number, d: number, start: number): number {
  if (start === 0) return 0;
  const saturation = s > 0 ? (-Math.expm1(-2 * s * time) * d) / s : 2 * d * time;
  return start / (start * saturation + Math.exp(-2 * s * time));
}

/** Flow time of one step η in the growth phase, where a step multiplies a mode by (1 + ηs)²: ln(1 + ηs)/s. */
export function stepTime(s: number, rate: number): number {
  return s > 0 ? Math.log1p(rate * s) / s : rate;
}

/** Initial strength nσ²/2 of a pathway of n random units with weights of standard deviation σ. */
export function startStrength(gating: Gating, units: number, std: number): number {
  return (Math.floor(units / gating.pathways) * std * std) / 2;
}

/** Loss after a number of steps of size `rate`. */
export function predictedLoss(gating: Gating, step: number, rate: number, start: number): number {
  const { pathways, s, d } = gating;
  if (s === 0) return 0.5;
  const a = strength(step * stepTime(s, rate), s, d, start);
  return 0.5 - pathways * s * a + 0.5 * pathways * d * a * a;
}

/**
 * Steps until the loss falls to a criterion below ½, a real number; infinite where it never does.
 *
 * n s² = d for both gatings, so that the loss is ½(1 − a d/s)².
 */
export function stepsTo(gating: Gating, criterion: number, rate: number, start: number): number {
  const { s, d } = gating;
  if (s === 0 || start === 0) return Infinity;
  const share = 1 - Math.sqrt(2 * criterion);
  const first = (start * d) / s;
  if (first >= share) return 0;
  return Math.log((share * (1 - first)) / (first * (1 - share))) / (2 * s) / stepTime(s, rate);
}
