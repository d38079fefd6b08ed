/** Seeded random numbers: the same seed gives the same numbers in every browser. */

/** Uniform numbers in [0, 1) from a 32-bit seed: sfc32, stirred before the first one is taken. */
export function uniform(seed: number): () => number {
  let a = 0x9e3779b9;
  let b = 0x243f6a88;
  let c = seed | 0;
  let counter = 1;
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 4294967296;
  };
  for (let i = 0; i < 20; i++) next();
  return next;
}

/** Normal numbers of mean 0 and variance 1: pairs from two uniform ones (Box and Muller). */
export function normal(seed: number): () => number {
  const draw = uniform(seed);
  let spare: number | undefined;
  return () => {
    if (spare !== undefined) {
      const value = spare;
      spare = undefined;
      return value;
    }
    // 1 − u is never 0
    const radius = Math.sqrt(-2 * Math.log(1 - draw()));
    const angle = 2 * Math.PI * draw();
    spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  };
}
