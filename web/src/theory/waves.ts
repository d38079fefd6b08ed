/**
 * Addition modulo p, wave by wave: while squared units are small, each wave of each unit grows by itself.
 *
 * A unit's part at frequency k is three complex numbers, of u, v and w, with utility C_k Re(u v w̄ …), C_k = √2 |x̂_k|³ p^{−3/2}; they
 * climb it and diverge at a finite time, the earliest unit's time being that of the wave. Source: kunin2025, section on modular addition.
 */

/** Norm of a unit's part at which it is no longer small; times depend on it little, because growth diverges. */
const LARGE = 0.5;
/** Relative length of a step of the integration. */
const STEP = 0.01;

type Complex = readonly [number, number];

/** Σ_j value_j e^{−2πi k j/p}. */
export function fourier(values: ArrayLike<number>, k: number): Complex {
  let [re, im] = [0, 0];
  for (let j = 0; j < values.length; j++) {
    const angle = (2 * Math.PI * k * j) / values.length;
    re += values[j]! * Math.cos(angle);
    im -= values[j]! * Math.sin(angle);
  }
  return [re, im];
}

/** Waves of strengths 1, ratio, ratio², … in the code of a number; its phases are all zero. */
export function templateOf(p: number, ratio: number): number[] {
  return Array.from({ length: p }, (_, j) => {
    let sum = 0;
    for (let k = 1; k <= (p - 1) / 2; k++) sum += ratio ** (k - 1) * Math.cos((2 * Math.PI * k * j) / p);
    return sum;
  });
}

/** Loss that each wave takes away once it is learned: |x̂_k|²/p. */
export function powers(template: readonly number[]): number[] {
  const p = template.length;
  return Array.from({ length: (p - 1) / 2 }, (_, i) => {
    const [re, im] = fourier(template, i + 1);
    return (re * re + im * im) / p;
  });
}

/** When a part of a unit, small at first, is large: magnitudes and phase of its three numbers climb C a b c cos ψ. */
function ignition(a0: number, b0: number, c0: number, phase: number, rate: number): number {
  let [a, b, c, psi, t] = [a0, b0, c0, phase, 0];
  for (let i = 0; i < 100_000 && a * a + b * b + c * c < LARGE * LARGE; i++) {
    const slope = (x: number, y: number, z: number, s: number): [number, number, number, number] => [
      rate * y * z * Math.cos(s),
      rate * x * z * Math.cos(s),
      rate * x * y * Math.cos(s),
      -rate * Math.sin(s) * ((y * z) / x + (x * z) / y + (x * y) / z),
    ];
    const first = slope(a, b, c, psi);
    const scale = Math.max(...[a, b, c].map((x, k) => Math.abs(first[k]!) / x), Math.abs(first[3]));
    const h = STEP / scale;
    const middle = slope(
      a + (h / 2) * first[0],
      b + (h / 2) * first[1],
      c + (h / 2) * first[2],
      psi + (h / 2) * first[3],
    );
    a += h * middle[0];
    b += h * middle[1];
    c += h * middle[2];
    psi += h * middle[3];
    t += h;
  }
  return t;
}

/** The time of each wave: that of the first unit whose part at its frequency is large. Weights are units × 3 × p. */
export function ignitions(template: readonly number[], weights: Float64Array): number[] {
  const p = template.length;
  const units = weights.length / (3 * p);
  return Array.from({ length: (p - 1) / 2 }, (_, i) => {
    const k = i + 1;
    const [re, im] = fourier(template, k);
    const [size, turn] = [Math.hypot(re, im), Math.atan2(im, re)];
    const rate = Math.SQRT2 * size ** 3 * p ** -1.5;
    const times = Array.from({ length: units }, (_, unit) => {
      const parts = [0, 1, 2].map((part) =>
        fourier(weights.subarray((unit * 3 + part) * p, (unit * 3 + part + 1) * p), k),
      );
      const [a, b, c] = parts.map(([x, y]) => Math.sqrt(2 / p) * Math.hypot(x, y));
      const [u, v, w] = parts.map(([x, y]) => Math.atan2(y, x));
      return ignition(a!, b!, c!, u! + v! - w! - turn, rate);
    });
    return Math.min(...times);
  });
}
