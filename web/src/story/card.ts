/** The card: when each branch splits according to the visitor, festina and the network, with the guesses of a class. */
import { escaped, round, text } from "../draw/frame";
import type { Palette } from "../palette";
import { END, LEVELS } from "./network";

export interface Told {
  readonly title: string;
  readonly foot: string;
  /** Times of the three levels. */
  readonly you?: readonly number[];
  readonly festina?: readonly number[];
  readonly network?: readonly number[];
  /** Guesses of a class, three times each. */
  readonly guesses?: readonly (readonly number[])[];
}

/** Describes a difference. */
export function off(said: number, was: number): string {
  const by = Math.abs(said - was);
  return by < 0.05 ? "exactly right" : `${by.toFixed(1)} too ${said < was ? "early" : "late"}`;
}

/** About how wide words are, in letters: narrow letters are half as wide as others. */
const wide = (words: string): number =>
  [...words].reduce((sum, letter) => sum + (/[fijlt,. ]/.test(letter) ? 0.32 : 0.57), 0);

/** The mean absolute difference of the three times. */
export function miss(said: readonly number[], was: readonly number[]): number {
  return said.reduce((sum, time, i) => sum + Math.abs(time - was[i]!), 0) / said.length;
}

const SHAPES = {
  you: (x: number, y: number, r: number) =>
    `M${round(x - r)} ${round(y + r)}L${round(x + r)} ${round(y + r)}L${x} ${round(y - r)}Z`,
  festina: (x: number, y: number, r: number) =>
    `M${round(x - 1.15 * r)} ${y}L${x} ${round(y - 1.15 * r)}L${round(x + 1.15 * r)} ${y}L${x} ${round(y + 1.15 * r)}Z`,
  network: (x: number, y: number, r: number) =>
    `M${round(x - 1.2 * r)} ${y}a${round(1.2 * r)} ${round(1.2 * r)} 0 1 0 ${round(2.4 * r)} 0a${round(1.2 * r)} ${round(1.2 * r)} 0 1 0 ${round(-2.4 * r)} 0`,
};

export const cardHeight = (told: Told, letter: number): number => round(letter * (told.guesses ? 34 : 23.3));

/** The card as SVG, of a width. */
export function drawCard(told: Told, width: number, letter: number, palette: Palette): string {
  const height = cardHeight(told, letter);
  const [left, right] = [1.2 * letter, width - 1.2 * letter];
  const x = (time: number): number => round(left + (Math.min(time, END) / END) * (right - left));
  const words = (px: number, py: number, say: string, more = ""): string =>
    text(px, py, say, `font-size="${letter}" fill="${palette.ink}" ${more}`);
  const paint = {
    you: `fill="${palette.paper}" stroke="${palette.ink}" stroke-width="2"`,
    festina: `fill="none" stroke="${palette.lines[0]}" stroke-width="2.4"`,
    network: `fill="${palette.lines[4]}"`,
  };
  const r = 0.5 * letter;
  const mark = (who: keyof typeof SHAPES, time: number, y: number): string =>
    `<path d="${SHAPES[who](x(time), y, r)}" ${paint[who]}/>`;
  const parts = [words(left, 1.7 * letter, told.title, 'font-weight="700"')];
  let at = left;
  const keys: [keyof typeof SHAPES, string, boolean][] = [
    ["you", "you", told.you !== undefined],
    ["festina", "festina, sealed", told.festina !== undefined],
    ["network", "the network", told.network !== undefined],
  ];
  for (const [who, say, there] of keys) {
    if (!there) continue;
    parts.push(`<path d="${SHAPES[who](round(at + r), 3.3 * letter, r)}" ${paint[who]}/>`);
    parts.push(words(at + 1.5 * letter, 3.65 * letter, say));
    at += (wide(say) + 2.6) * letter;
  }
  if (told.guesses) parts.push(words(at, 3.65 * letter, `dots: ${told.guesses.length} guesses`));
  const tall = (height - 9.8 * letter) / LEVELS.length;
  LEVELS.forEach((name, level) => {
    const y = round(4.9 * letter + (level + 0.62) * tall);
    parts.push(words(left, y - tall * 0.62 + 1.2 * letter, name));
    const says = [
      ...(told.you && told.network ? [`you: ${off(told.you[level]!, told.network[level]!)}`] : []),
      ...(told.festina && told.network ? [`festina: ${off(told.festina[level]!, told.network[level]!)}`] : []),
    ].join(" · ");
    parts.push(words(right, y + 1.55 * letter, says, 'text-anchor="end"'));
    parts.push(`<path d="M${left} ${y}H${right}" stroke="${palette.grid}" stroke-width="3" stroke-linecap="round"/>`);
    parts.push(...dots(told.guesses ?? [], level, x, y, letter, palette));
    if (told.you) parts.push(mark("you", told.you[level]!, y));
    if (told.network) parts.push(mark("network", told.network[level]!, y));
    if (told.festina) parts.push(mark("festina", told.festina[level]!, y));
  });
  const below = height - 3.6 * letter;
  const small = `font-size="${round(0.84 * letter)}" fill="${palette.quiet}"`;
  for (let time = 0; time <= END; time += 10)
    parts.push(
      `<path d="M${x(time)} ${round(below - 0.5 * letter)}v${round(0.5 * letter)}" stroke="${palette.quiet}"/>`,
      time
        ? text(x(time), below + letter, String(time), `text-anchor="middle" ${small}`)
        : text(left, below + letter, "time 0", small),
    );
  parts.push(text(left, height - 1 * letter, told.foot, small));
  return `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${escaped(told.title)}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"><rect width="100%" height="100%" rx="10" fill="${palette.paper}"/>${parts.join("")}</svg>`;
}

/** Guesses of a class in bins, one dot above the other. */
function dots(
  guesses: readonly (readonly number[])[],
  level: number,
  x: (time: number) => number,
  y: number,
  letter: number,
  palette: Palette,
): string[] {
  const bins = new Map<number, number>();
  const step = END / 60;
  // dots are stacked while a row has room, and overlap beyond that
  const counts = new Map<number, number>();
  for (const guess of guesses) {
    const bin = Math.round(guess[level]! / step);
    counts.set(bin, (counts.get(bin) ?? 0) + 1);
  }
  const rise = Math.min(0.55, 2.6 / Math.max(1, ...counts.values())) * letter;
  return guesses.map((guess) => {
    const bin = Math.round(guess[level]! / step);
    const stacked = bins.get(bin) ?? 0;
    bins.set(bin, stacked + 1);
    return `<circle class="dot" cx="${x(bin * step)}" cy="${round(y - 0.7 * letter - stacked * rise)}" r="${round(0.26 * letter)}" fill="${palette.ink}" fill-opacity="0.55"/>`;
  });
}
