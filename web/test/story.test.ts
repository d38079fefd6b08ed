/** The story: the prediction from a network's own weights, its links and codes, and the picture that carries them. */
import { describe, expect, test } from "vitest";
import { classCode, guessCode, readClass, readGuess, readTold, writeTold } from "../src/story/code";
import { BELIEFS, drawnPlaces, Fresh, peakOf, TIMES } from "../src/story/network";
import { qr } from "../src/story/qr";

describe("a fresh network", () => {
  test.each([
    [1, 1e-5],
    [2, 1e-5],
    [3, 1e-3],
  ])("of seed %d parts its branches when the seal says", (seed, start) => {
    const fresh = new Fresh(seed, start);
    const believed: number[] = [];
    const times: number[] = [];
    while (!fresh.done) {
      fresh.step();
      times.push(fresh.time);
      believed.push(fresh.believes(BELIEFS[0]!));
    }
    fresh.measured.forEach((time, level) => {
      expect(Math.abs(time / fresh.sealed[level]! - 1)).toBeLessThan(0.03);
    });
    const [own, sealed] = [peakOf(times, believed), peakOf(TIMES, fresh.predictedBelief(BELIEFS[0]!))];
    expect(Math.abs(own.gone / sealed.gone - 1)).toBeLessThan(0.03);
    expect(own.height).toBeGreaterThan(0.2);
    // a look every few steps tells the same as every step
    expect(fresh.peak(BELIEFS[0]!).gone).toBeCloseTo(own.gone, 2);
    expect(fresh.peak(BELIEFS[0]!).height).toBeCloseTo(own.height, 3);
    fresh.seen.at(-1)!.places.forEach((place, i) => {
      expect(place).toBeCloseTo((i + 0.5) / 8, 1);
    });
  });

  test("is drawn by a visitor with the same branches", () => {
    const late = drawnPlaces([5, 10, 15], 60);
    late.forEach((place, i) => {
      expect(place).toBeCloseTo((i + 0.5) / 8, 2);
    });
    expect(new Set(drawnPlaces([20, 30, 40], 0).map((place) => place.toFixed(1)))).toEqual(new Set(["0.5"]));
  });
});

test("codes and links come back as they were, and nothing else is read", () => {
  for (const seed of [0, 12345, 2 ** 20 - 1]) {
    expect(readClass(classCode(seed).toLowerCase())).toBe(seed);
    for (const steps of [
      [0, 0, 0],
      [255, 255, 255],
      [17, 99, 180],
    ]) {
      const code = guessCode(seed, steps);
      expect(code).toMatch(/^[0-9A-Z]{6}$/);
      expect(readGuess(seed, code)).toEqual(steps);
      expect(readTold(writeTold({ seed, you: steps, at: 1794999999 }))).toEqual({ seed, you: steps, at: 1794999999 });
    }
  }
  const strangers = Array.from({ length: 640 }, (_, i) => readGuess(i + 1, guessCode(0, [10, 20, 30])));
  expect(strangers.filter(Boolean).length).toBeLessThan(40);
  for (const hash of ["#story?x", "#story?class=12345", "#story?class=7KQ2&you=1.2.256&at=1794999999"])
    expect(typeof readTold(hash)).toBe("string");
  expect(readTold("#story")).toEqual({});
});

/** Reads the codewords of one block back: the mask from the format word, then the zigzag. */
function codewords(code: readonly (readonly boolean[])[]): { data: number[]; spare: number } {
  const size = code.length;
  const version = (size - 17) / 4;
  const format = [0, 1, 2, 3, 4, 5, 7, 8].map((j) => code[8]![j]);
  const word = format.reduce((sum, bit) => 2 * sum + Number(bit), 0) ^ (0x5412 >> 7);
  expect(word >> 6).toBe(1);
  const mask = (word >> 3) & 7;
  const flip = (i: number, j: number): boolean =>
    [
      (i + j) % 2,
      i % 2,
      j % 3,
      (i + j) % 3,
      ((i >> 1) + Math.floor(j / 3)) % 2,
      ((i * j) % 2) + ((i * j) % 3),
      (((i * j) % 2) + ((i * j) % 3)) % 2,
      (((i + j) % 2) + ((i * j) % 3)) % 2,
    ][mask] === 0;
  const far = size - 7;
  const used = (i: number, j: number): boolean =>
    i === 6 ||
    j === 6 ||
    (i < 9 && j < 9) ||
    (i < 9 && j >= size - 8) ||
    (i >= size - 8 && j < 9) ||
    (version > 1 && Math.abs(i - far) <= 2 && Math.abs(j - far) <= 2);
  const bits: number[] = [];
  for (let right = size - 1, up = true; right > 0; right -= 2, up = !up) {
    if (right === 6) right = 5;
    for (let k = 0; k < size; k++)
      for (const j of [right, right - 1]) {
        const i = up ? size - 1 - k : k;
        if (!used(i, j)) bits.push(Number(code[i]![j] !== flip(i, j)));
      }
  }
  const data = Array.from({ length: Math.floor(bits.length / 8) }, (_, w) =>
    bits.slice(8 * w, 8 * w + 8).reduce((sum, bit) => 2 * sum + bit, 0),
  );
  return { data, spare: [7, 10, 15, 20, 26][version - 1]! };
}

test.each([["7KQ2"], ["a link of some length, so that it needs version three"], ["x".repeat(100)]])(
  "a QR code holds %s, with codewords that correct it",
  (text) => {
    const { data, spare } = codewords(qr(text));
    // powers of 2 in the field of 256 elements
    const powers = [1];
    for (let i = 1; i < 255; i++) powers.push((powers[i - 1]! << 1) ^ (powers[i - 1]! > 127 ? 0x11d : 0));
    const product = (a: number, b: number): number =>
      a && b ? powers[(powers.indexOf(a) + powers.indexOf(b)) % 255]! : 0;
    for (let root = 0; root < spare; root++)
      expect(data.reduce((sum, value) => product(sum, powers[root]!) ^ value, 0)).toBe(0);
    expect(data[0]! >> 4).toBe(4);
    const length = ((data[0]! & 15) << 4) | (data[1]! >> 4);
    const bytes = Array.from({ length }, (_, i) => ((data[i + 1]! & 15) << 4) | (data[i + 2]! >> 4));
    expect(new TextDecoder().decode(new Uint8Array(bytes))).toBe(text);
    expect(() => qr("x".repeat(272))).toThrow("too long");
  },
);
