/**
 * Two points that meet in representational space: the effective theory in closed form.
 *
 * ḣ = −(1/τh) dx w;  ẏ = −w (h/τy + (1/τh) dx y/h);  ẇ = −(1/2τy)(3w − y + dy) h − (1/2τh) dx (y + w) w/h.
 * The same formulas as `festina.representation.TwoPoint`; Source: vanrossem2024 eq. (7).
 */

export interface Pair {
  /** Squared distance of the inputs, > 0. */
  readonly dx: number;
  /** Squared distance of the targets, ≥ 0. */
  readonly dy: number;
  /** 1/τh. */
  readonly rateH: number;
  /** 1/τy. */
  readonly rateY: number;
  /** Squared distance of the representations at time 0, > 0. */
  readonly h: number;
  /** Squared distance of the outputs at time 0. */
  readonly y: number;
  /** y less the product of output and target differences, at time 0. */
  readonly w: number;
}

export interface FixedPoint {
  readonly h: number;
  readonly eigenvalues: readonly [number, number];
}

export interface Path {
  readonly h: number[];
  readonly y: number[];
  readonly w: number[];
  /** Squared error of the output difference, ‖(ŷ₂ − ŷ₁) − (y₂ − y₁)‖² = 2w − y + dy. */
  readonly error: number[];
}

/** A_high = h(0) − (τy/τh) dx y(0)/h(0). Source: vanrossem2024 eq. (11). */
export function high({ rateH, rateY, dx, y, h }: Pair): number {
  return h - ((rateH / rateY) * dx * y) / h;
}

/** A_low = √(τy/τh) ‖x₂ − x₁‖ ‖y₂ − y₁‖. Source: vanrossem2024 eq. (11). */
export function low({ rateH, rateY, dx, dy }: Pair): number {
  return Math.sqrt((rateH / rateY) * dx * dy);
}

/** ½A_high + √(¼A_high² + A_low²), with all digits also where A_high ≪ 0. Source: vanrossem2024 eq. (10). */
export function finalDistance(aHigh: number, aLow: number): number {
  const bulk = 0.5 * Math.abs(aHigh) + 0.5 * Math.hypot(aHigh, 2 * aLow);
  return aHigh >= 0 ? bulk : aLow * (aLow / (bulk > 0 ? bulk : 1));
}

/** The saddle h = 0 and the end point, with the eigenvalues of their two directions. Source: vanrossem2024 eq. (29)-(35). */
export function fixedPoints(pair: Pair): readonly [FixedPoint, FixedPoint] {
  const [aHigh, aLow] = [high(pair), low(pair)];
  const root = Math.hypot(aHigh, 2 * aLow);
  const grows = finalDistance(aHigh, aLow);
  const shrinks = finalDistance(-aHigh, aLow);
  return [
    { h: 0, eigenvalues: [pair.rateY * grows, -pair.rateY * shrinks] },
    { h: grows, eigenvalues: [(-pair.rateY * root) / 2, -pair.rateY * grows] },
  ];
}

/** y/h − (τh/τy) h/dx, which the dynamics conserve. Source: vanrossem2024 eq. (24). */
export function invariant({ y, h, rateY, rateH, dx }: Pair): number {
  return y / h - ((rateY / rateH) * h) / dx;
}

/** ∫₀ᵗ e^{rate·s} ds. */
function integral(rate: number, t: number): number {
  return rate === 0 ? t : Math.expm1(rate * t) / rate;
}

/** h, y and w at the times (≥ 0, finite or ∞). Every term is positive, so no digit is lost; h may pass through zero. */
export function solve(pair: Pair, times: readonly number[]): Path {
  const { dx, dy, rateH, rateY, h, y, w } = pair;
  const kappa = Math.sqrt(dx * rateH * rateY) / 2;
  const p = Math.sqrt((2 * h) / (dx * rateH));
  const decoder = Math.sqrt((2 * y) / (h * rateY));
  const cosine = y * dy > 0 ? Math.min(1, Math.max(-1, (y - w) / Math.sqrt(y * dy))) : 0;
  const along = decoder * cosine;
  const across = decoder * Math.sqrt((1 - cosine) * (1 + cosine));
  const mu = (-rateY * high(pair)) / 4;
  const pull = kappa * Math.sqrt(dy);
  const omega = Math.hypot(mu, pull);
  // the eigenvector of +ω, written so that neither entry is a difference of near numbers
  const [first, second] = mu >= 0 ? [pull, omega + mu] : [omega - mu, pull];
  const length = Math.hypot(first, second);
  const [cos, sin] = length > 0 ? [first / length, second / length] : [1, 0];
  const grow = cos * p + sin * along;
  const decay = sin * p - cos * along;
  // everything is divided by e^{ωt}; ω − μ without cancellation
  const gap = mu <= 0 ? omega - mu : omega > 0 ? pull ** 2 / (omega + mu) : 0;
  const found: Path = { h: [], y: [], w: [], error: [] };
  const span = Math.sqrt(dy);
  for (const time of times) {
    const t = Math.min(time, 1e300);
    const fade = Math.exp(-2 * omega * t);
    const spent = integral(-2 * omega, t);
    const beside = mu <= 0 ? fade * integral(2 * mu, t) : Math.exp(-2 * gap * t) * integral(-2 * mu, t);
    const norm = fade + kappa ** 2 * (grow ** 2 * spent + decay ** 2 * fade * spent + across ** 2 * beside);
    const root = Math.sqrt(norm);
    // only at t = ∞ and on the way into a saddle is everything zero: the limit is the saddle, h = 0
    const over = (value: number): number => (norm > 0 ? value / root : 0);
    const encoder = over(cos * grow + sin * decay * fade);
    const output = kappa * encoder * over(sin * grow - cos * decay * fade);
    const aside = kappa * encoder * over(across * Math.exp(-gap * t));
    found.h.push(((dx * rateH) / 2) * encoder ** 2);
    found.y.push(output ** 2 + aside ** 2);
    found.w.push(output * (output - span) + aside ** 2);
    found.error.push((output - span) ** 2 + aside ** 2);
  }
  return found;
}

/** The same pair from weights so much larger that h becomes G h and the outputs G times theirs. Source: eq. (41)-(43). */
export function scaled(pair: Pair, gain: number): Pair {
  const y = gain ** 2 * pair.y;
  return { ...pair, h: gain * pair.h, y, w: y - gain * (pair.y - pair.w) };
}

/** What the pair tends to when its weights grow: equal targets, exponential and without a plateau. Source: eq. (39), (43). */
export function largeWeightLimit(pair: Pair): Pair {
  return { ...pair, dy: 0, w: pair.y };
}

/** First time at which the error has lost the share `lost` of what it will lose, by bisection on the closed form. */
export function timeToLose(pair: Pair, lost: number): number {
  const at = (t: number): number => solve(pair, [t]).error[0]!;
  const [begin, end] = [at(0), at(Infinity)];
  const goal = begin + lost * (end - begin);
  if (!(begin > end)) return 0;
  const gone = (t: number): boolean => at(t) <= goal;
  let up = 1 / (pair.rateY + pair.rateH);
  for (let i = 0; i < 200 && !gone(up); i++) up *= 2;
  let down = 0;
  for (let i = 0; i < 100 && up - down > 1e-14 * up; i++) {
    const middle = 0.5 * (up + down);
    if (gone(middle)) up = middle;
    else down = middle;
  }
  return up;
}
