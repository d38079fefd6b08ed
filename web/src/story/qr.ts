/** Text as a QR code: bytes, error correction of level L, versions 1 to 10 (up to 271 bytes), by the standard's own steps. */

/** Per version: codewords in all, codewords of correction in a block, blocks. ISO/IEC 18004, level L. */
const SIZES: readonly (readonly [number, number, number])[] = [
  [26, 7, 1],
  [44, 10, 1],
  [70, 15, 1],
  [100, 20, 1],
  [134, 26, 1],
  [172, 18, 2],
  [196, 20, 2],
  [242, 24, 2],
  [292, 30, 2],
  [346, 18, 4],
];
/** Centres of the alignment patterns of each version. */
const ALIGNED: readonly (readonly number[])[] = [
  [],
  [6, 18],
  [6, 22],
  [6, 26],
  [6, 30],
  [6, 34],
  [6, 22, 38],
  [6, 24, 42],
  [6, 26, 46],
  [6, 28, 50],
];
const MASKS: readonly ((i: number, j: number) => boolean)[] = [
  (i, j) => (i + j) % 2 === 0,
  (i) => i % 2 === 0,
  (_, j) => j % 3 === 0,
  (i, j) => (i + j) % 3 === 0,
  (i, j) => (Math.floor(i / 2) + Math.floor(j / 3)) % 2 === 0,
  (i, j) => ((i * j) % 2) + ((i * j) % 3) === 0,
  (i, j) => (((i * j) % 2) + ((i * j) % 3)) % 2 === 0,
  (i, j) => (((i + j) % 2) + ((i * j) % 3)) % 2 === 0,
];

/** Product in the field of 256 elements, modulo x⁸+x⁴+x³+x²+1. */
function times(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d);
    product ^= ((b >>> bit) & 1) * a;
  }
  return product;
}

/** The remainder of the data by the generator ∏(x − 2ⁱ): the codewords of correction. */
function correction(data: readonly number[], count: number): number[] {
  let generator = [1];
  for (let i = 0, root = 1; i < count; i++, root = times(root, 2)) {
    const next = [...generator, 0];
    generator.forEach((value, k) => {
      next[k + 1]! ^= times(value, root);
    });
    generator = next;
  }
  const rest = new Array<number>(count).fill(0);
  for (const value of data) {
    const factor = value ^ rest.shift()!;
    rest.push(0);
    generator.slice(1).forEach((part, k) => {
      rest[k]! ^= times(part, factor);
    });
  }
  return rest;
}

/** The remainder of a binary polynomial, for the words of format and version. */
function remainder(value: number, generator: number, bits: number): number {
  let rest = value << bits;
  for (let bit = 31 - Math.clz32(rest); bit >= bits; bit--) if ((rest >>> bit) & 1) rest ^= generator << (bit - bits);
  return (value << bits) | rest;
}

/** Data and correction of a version, interleaved over its blocks. */
function codewords(bytes: Uint8Array, version: number): number[] {
  const [all, spare, blocks] = SIZES[version - 1]!;
  const capacity = all - spare * blocks;
  const bits: number[] = [];
  const push = (value: number, count: number): void => {
    for (let i = count - 1; i >= 0; i--) bits.push((value >>> i) & 1);
  };
  push(4, 4);
  push(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) push(byte, 8);
  push(0, Math.min(4, 8 * capacity - bits.length));
  while (bits.length % 8) bits.push(0);
  const data: number[] = [];
  for (let i = 0; i < bits.length; i += 8) data.push(bits.slice(i, i + 8).reduce((sum, bit) => 2 * sum + bit, 0));
  for (let pad = 0xec; data.length < capacity; pad ^= 0xec ^ 0x11) data.push(pad);
  const short = Math.floor(capacity / blocks);
  const long = capacity % blocks;
  let at = 0;
  const parts = Array.from({ length: blocks }, (_, b) => {
    const length = short + (b >= blocks - long ? 1 : 0);
    at += length;
    return data.slice(at - length, at);
  });
  const checks = parts.map((part) => correction(part, spare));
  const woven = (rows: readonly number[][], length: number): number[] =>
    Array.from({ length }, (_, i) => rows.flatMap((row) => (i < row.length ? [row[i]!] : []))).flat();
  return [...woven(parts, short + 1), ...woven(checks, spare)];
}

/** Penalty of a pattern: runs, blocks, what looks like a finder, and imbalance. */
function penalty(dark: readonly (readonly boolean[])[]): number {
  const size = dark.length;
  let sum = 0;
  for (const line of [...dark, ...dark.map((_, j) => dark.map((row) => row[j]!))]) {
    const text = line.map(Number).join("");
    for (const run of text.match(/0{5,}|1{5,}/g) ?? []) sum += run.length - 2;
    for (let i = 0; i + 11 <= size; i++) if (/^(10111010000|00001011101)$/.test(text.slice(i, i + 11))) sum += 40;
  }
  for (let i = 1; i < size; i++)
    for (let j = 1; j < size; j++) {
      const one = dark[i]![j];
      if (dark[i - 1]![j] === one && dark[i]![j - 1] === one && dark[i - 1]![j - 1] === one) sum += 3;
    }
  const share = dark.flat().filter(Boolean).length / size ** 2;
  return sum + 10 * Math.floor(Math.abs(20 * share - 10));
}

/** The modules of a QR code, `true` where dark, without its quiet rim. */
export function qr(text: string): boolean[][] {
  const bytes = new TextEncoder().encode(text);
  const version =
    1 + SIZES.findIndex(([all, spare, blocks], i) => bytes.length <= all - spare * blocks - (i < 9 ? 2 : 3));
  if (version === 0) throw new Error(`a text of ${bytes.length} bytes is too long for this QR code; 271 fit`);
  const size = 17 + 4 * version;
  const fixed: (boolean | undefined)[][] = Array.from({ length: size }, () => new Array(size).fill(undefined));
  const square = (row: number, column: number, radius: number, dark: (ring: number) => boolean): void => {
    for (let i = -radius; i <= radius; i++)
      for (let j = -radius; j <= radius; j++)
        if (fixed[row + i] && column + j >= 0 && column + j < size)
          fixed[row + i]![column + j] = dark(Math.max(Math.abs(i), Math.abs(j)));
  };
  for (let i = 0; i < size; i++) fixed[6]![i] = fixed[i]![6] = i % 2 === 0;
  const far = size - 4;
  for (const [row, column] of [
    [3, 3],
    [3, far],
    [far, 3],
  ] as const)
    square(row, column, 4, (ring) => ring !== 2 && ring !== 4);
  const centres = ALIGNED[version - 1]!;
  // not where finders are
  for (const row of centres)
    for (const column of centres)
      if (!((row === 6 || row > size - 9) && (column === 6 || column > size - 9) && (row === 6 || column === 6)))
        square(row, column, 2, (ring) => ring !== 1);
  const format = (mask: number): void => {
    // level L is 01
    const word = remainder((1 << 3) | mask, 0x537, 10) ^ 0x5412;
    for (let i = 0; i < 15; i++) {
      const bit = ((word >>> i) & 1) === 1;
      fixed[i < 6 ? i : i < 8 ? i + 1 : size - 15 + i]![8] = bit;
      fixed[8]![i < 8 ? size - 1 - i : i === 8 ? 7 : 14 - i] = bit;
    }
    fixed[size - 8]![8] = true;
  };
  format(0);
  if (version >= 7) {
    const word = remainder(version, 0x1f25, 12);
    for (let i = 0; i < 18; i++) {
      const [a, b] = [Math.floor(i / 3), size - 11 + (i % 3)];
      fixed[a]![b] = fixed[b]![a] = ((word >>> i) & 1) === 1;
    }
  }
  const bits = codewords(bytes, version).flatMap((word) =>
    Array.from({ length: 8 }, (_, i) => ((word >>> (7 - i)) & 1) === 1),
  );
  // from the lower right in columns of two, up and down, past the column of the timing pattern
  const places: [number, number][] = [];
  for (let right = size - 1, up = true; right > 0; right -= 2, up = !up) {
    if (right === 6) right--;
    for (let k = 0; k < size; k++)
      for (const column of [right, right - 1]) {
        const row = up ? size - 1 - k : k;
        if (fixed[row]![column] === undefined) places.push([row, column]);
      }
  }
  const masked = MASKS.map((flip, mask) => {
    format(mask);
    const made = fixed.map((row) => row.map((module) => module ?? false));
    places.forEach(([i, j], k) => {
      made[i]![j] = (bits[k] ?? false) !== flip(i, j);
    });
    return made;
  });
  const costs = masked.map(penalty);
  return masked[costs.indexOf(Math.min(...costs))]!;
}
