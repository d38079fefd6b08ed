/** Numbers read off loss curves; the same as the library's. */

/** First x at which a curve falls to a level, between samples by interpolation; infinite where it never does. */
export function firstPassage(x: ArrayLike<number>, y: ArrayLike<number>, level: number): number {
  for (let i = 0; i < y.length; i++) {
    if (!(y[i]! <= level)) continue;
    if (i === 0) return x[0]!;
    const share = (y[i - 1]! - level) / (y[i - 1]! - y[i]!);
    return x[i - 1]! + share * (x[i]! - x[i - 1]!);
  }
  return Infinity;
}

/** ∫|a − b| dx / ∫b dx by trapezoids over the samples both have: the `area` of `fs.compare`. */
export function area(x: ArrayLike<number>, a: ArrayLike<number>, b: ArrayLike<number>): number {
  const count = Math.min(x.length, a.length, b.length);
  let between = 0;
  let below = 0;
  for (let i = 1; i < count; i++) {
    const width = (x[i]! - x[i - 1]!) / 2;
    between += width * (Math.abs(a[i]! - b[i]!) + Math.abs(a[i - 1]! - b[i - 1]!));
    below += width * (b[i]! + b[i - 1]!);
  }
  return below > 0 ? between / below : NaN;
}
