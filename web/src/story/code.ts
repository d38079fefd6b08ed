/** The story's state in a link, and the short codes by which a class and its guesses travel without a server. */
import { END } from "./network";

/** Digits and letters without I, L, O and U, which are mistaken for others. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** Seeds of classes have four letters. */
export const SEEDS = 2 ** 20;
/** Branch points lie on a grid of this many steps, so a link holds them exactly. */
export const GRID = 255;

export const timeAt = (step: number): number => (END * step) / GRID;
export const stepOf = (time: number): number => Math.min(GRID, Math.max(0, Math.round((GRID * time) / END)));

function letters(value: number, count: number): string {
  return Array.from({ length: count }, (_, i) => ALPHABET[Math.floor(value / 32 ** (count - 1 - i)) % 32]).join("");
}

function numberOf(text: string): number | undefined {
  const read = text.toUpperCase().replaceAll("O", "0").replace(/[IL]/g, "1");
  const digits = [...read].map((letter) => ALPHABET.indexOf(letter));
  return digits.includes(-1) ? undefined : digits.reduce((sum, digit) => 32 * sum + digit, 0);
}

export const classCode = (seed: number): string => letters(seed, 4);
export function readClass(text: string): number | undefined {
  return text.trim().length === 4 ? numberOf(text.trim()) : undefined;
}

/** Six check bits that detect a mistyped guess. */
function check(seed: number, steps: readonly number[]): number {
  let hash = seed + 1;
  for (const step of steps) hash = (Math.imul(hash ^ step, 0x9e3779b1) >>> 7) ^ hash;
  return (hash >>> 0) % 64;
}

/** A guess as six letters. */
export function guessCode(seed: number, steps: readonly number[]): string {
  return letters(steps.reduce((sum, step) => 256 * sum + step, 0) * 64 + check(seed, steps), 6);
}

/** The branch points of a guess, or nothing if the code does not belong to this class. */
export function readGuess(seed: number, text: string): number[] | undefined {
  const value = text.length === 6 ? numberOf(text) : undefined;
  if (value === undefined) return undefined;
  const whole = Math.floor(value / 64);
  const steps = [Math.floor(whole / 65536), Math.floor(whole / 256) % 256, whole % 256];
  return check(seed, steps) === value % 64 ? steps : undefined;
}

export interface Told {
  /** The seed of the network in the visitor's turn. */
  readonly seed?: number;
  /** The visitor's branch points, on the grid. */
  readonly you?: readonly number[];
  /** When the prediction was sealed, in seconds since 1970. */
  readonly at?: number;
}

export function writeTold({ seed, you, at }: Told): string {
  if (seed === undefined) return "#story";
  const parts = [`class=${classCode(seed)}`, ...(you ? [`you=${you.join(".")}`] : []), ...(at ? [`at=${at}`] : [])];
  return `#story?${parts.join("&")}`;
}

/** Reads a link to the story strictly; returns a text that says what is wrong. */
export function readTold(hash: string): Told | string {
  const [, query] = hash.split("?", 2);
  if (!query) return {};
  const found = /^class=([0-9A-Za-z]{4})(?:&you=(\d{1,3})\.(\d{1,3})\.(\d{1,3})&at=(\d{9,11}))?$/.exec(query);
  if (!found || hash.split("?").length > 2) return "it names no class or guess of this story";
  const seed = readClass(found[1]!);
  if (seed === undefined) return "its class code is not valid";
  if (found[2] === undefined) return { seed };
  const you = found.slice(2, 5).map(Number);
  if (you.some((step) => step > GRID)) return `a branch point is beyond ${GRID}`;
  return { seed, you, at: Number(found[5]) };
}
