/** From numbers to places on an axis, and the ticks between. */
import { power, tick } from "./format";
import type { Axis } from "./topic";

export interface Tick {
  readonly at: number;
  readonly text: string;
}

export interface Scale {
  readonly log: boolean;
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly Tick[];
  /** From a value to 0…1. */
  readonly place: (value: number) => number;
}

/** Steps 1, 2 or 5 times a power of ten, about `count` of them between the ends. */
export function linearTicks(low: number, high: number, count: number): Tick[] {
  const rough = (high - low) / count;
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = size * ([1, 2, 5].find((factor) => factor * size >= rough) ?? 10);
  const ticks: Tick[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++)
    ticks.push({ at: i * step || 0, text: tick(i * step, step) });
  return ticks;
}

/** Powers of ten, thinned to about `count`; within a single decade, steps of 1, 2 and 5. */
export function logTicks(low: number, high: number, count: number): Tick[] {
  const [first, last] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
  if (last - first >= 1) {
    const stride = Math.max(1, Math.ceil((last - first) / count));
    const ticks: Tick[] = [];
    for (let k = first; k <= last; k++) if ((k - last) % stride === 0) ticks.push({ at: 10 ** k, text: power(k) });
    return ticks;
  }
  const ticks: Tick[] = [];
  for (let k = first - 1; k <= last + 1; k++)
    for (const factor of [1, 2, 5]) {
      const at = factor * 10 ** k;
      if (at >= low * (1 - 1e-9) && at <= high * (1 + 1e-9)) ticks.push({ at, text: tick(at, 10 ** k) });
    }
  return ticks;
}

/** The ends that hold every finite value, or the axis's own; with a margin where `pad` asks for one. */
export function ends(axis: Axis, values: Iterable<number>, pad: number): [number, number] {
  if (axis.range) return [axis.range[0], axis.range[1]];
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (!Number.isFinite(value) || (axis.log && value <= 0)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (low > high) return axis.log ? [0.1, 1] : [0, 1];
  if (axis.log) {
    if (low === high) return [low / 2, high * 2];
    const margin = (high / low) ** pad;
    return [low / margin, high * margin];
  }
  if (low === high) {
    const half = Math.abs(low) * 0.1 || 1;
    return [low - half, high + half];
  }
  const margin = pad * (high - low);
  // a curve that starts or ends at zero keeps zero as the end of its axis
  return [low === 0 ? 0 : low - margin, high === 0 ? 0 : high + margin];
}

/** A scale between two ends with about `count` ticks. */
export function scale(axis: Axis, [low, high]: [number, number], count: number): Scale {
  const log = axis.log ?? false;
  const [from, to] = log ? [Math.log(low), Math.log(high)] : [low, high];
  return {
    log,
    low,
    high,
    ticks: log ? logTicks(low, high, count) : linearTicks(low, high, count),
    place: (value) => ((log ? Math.log(value) : value) - from) / (to - from),
  };
}
