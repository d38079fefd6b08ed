/** Matrices as SVG: cells in colours that fill the width, with a bar that says what they mean. */
import { show } from "../format";
import { type Palette, shade } from "../palette";
import type { Heat } from "../topic";
import { escaped, round, type Size, text, tickSize, upright, widthOf } from "./frame";

/** Letters' widths that the colour bar with its numbers and label takes. */
const BAR = 5;
/** Least height of a cell in letters. */
const LOWEST = 1.25;
const SHADES = 32;

interface Layout {
  readonly left: number;
  readonly width: number;
  readonly height: number;
  /** Labels of columns are level, where they fit. */
  readonly level: boolean;
  readonly below: number;
}

function layout(chart: Heat, width: number, height: number, letter: number): Layout {
  const tiny = tickSize(letter);
  const longest = (words: readonly string[]) => Math.max(0, ...words.map((word) => widthOf(word, tiny)));
  const [rows, columns] = [chart.matrix.length || 1, chart.matrix[0]?.length || 1];
  const left = longest(chart.rows) + letter * 0.8;
  const words = longest(chart.columns);
  const cell = Math.max(2, (width - left - letter * BAR) / columns);
  const level = words + letter * 0.4 < cell;
  const below = level ? letter * 1.8 : words + letter * 0.9;
  return { left, level, below, width: cell, height: Math.max(letter * LOWEST, (height - below) / rows) };
}

/** The height a matrix asks for, up to a largest. */
export function heatHeight(chart: Heat, width: number, tallest: number, letter: number): number {
  const { height, below } = layout(chart, width, tallest, letter);
  return Math.ceil(chart.matrix.length * height + below + letter * 0.7);
}

/** The value that has the full colour. */
export function boundOf({ bound, matrix }: Heat): number {
  return bound ?? (Math.max(0, ...matrix.flat().map(Math.abs).filter(Number.isFinite)) || 1);
}

export function drawHeat(chart: Heat, { width, height, letter }: Size, palette: Palette, top: number): string {
  const { left, width: across, height: down, level } = layout(chart, width, height - top, letter);
  const [rows, columns] = [chart.matrix.length, chart.matrix[0]?.length ?? 0];
  const bound = boundOf(chart);
  const tiny = tickSize(letter);
  const small = `fill="${palette.quiet}" font-size="${tiny}"`;
  const parts: string[] = [];
  chart.matrix.forEach((row, i) =>
    row.forEach((value, j) => {
      const words = escaped(`${chart.rows[i] ?? i + 1}, ${chart.columns[j] ?? j + 1}: ${show(value)}`);
      // cells overlap by a little, so that no ground shines through between them
      parts.push(
        `<rect x="${round(left + j * across)}" y="${round(top + i * down)}" width="${round(across + 0.3)}" height="${round(down + 0.3)}" fill="${shade(palette, value / bound, chart.sizes)}"><title>${words}</title></rect>`,
      );
    }),
  );
  const every = (cell: number): number => Math.max(1, Math.ceil((tiny * 1.1) / cell));
  chart.rows.forEach((word, i) => {
    if (i % every(down) === 0)
      parts.push(text(left - 5, top + (i + 0.5) * down + tiny * 0.35, word, `${small} text-anchor="end"`));
  });
  chart.columns.forEach((word, j) => {
    const [x, y] = [left + (j + 0.5) * across, top + rows * down];
    if (level) parts.push(text(x, y + tiny * 1.3, word, `${small} text-anchor="middle"`));
    else if (j % every(across) === 0) parts.push(upright(x + tiny * 0.35, y + 6, word, `${small} text-anchor="end"`));
  });
  parts.push(
    `<rect x="${round(left)}" y="${top}" width="${round(columns * across)}" height="${round(rows * down)}" fill="none" stroke="${palette.grid}"/>`,
  );
  parts.push(bar(left + columns * across + letter, top, rows * down, bound, chart, letter, palette));
  return parts.join("");
}

function bar(
  x: number,
  top: number,
  length: number,
  bound: number,
  { label, sizes }: Heat,
  letter: number,
  palette: Palette,
): string {
  const tiny = tickSize(letter);
  const parts: string[] = [];
  for (let k = 0; k < SHADES; k++) {
    const colour = shade(palette, 1 - ((sizes ? 1 : 2) * k) / (SHADES - 1), sizes);
    parts.push(
      `<rect x="${round(x)}" y="${round(top + (k * length) / SHADES)}" width="${round(letter * 0.8)}" height="${round(length / SHADES + 0.4)}" fill="${colour}"/>`,
    );
  }
  const places: [number, number][] = [
    [tiny * 0.8, bound],
    ...(sizes ? [] : [[length / 2 + tiny * 0.35, 0] as [number, number]]),
    [length, sizes ? 0 : -bound],
  ];
  for (const [down, value] of places)
    parts.push(text(x + letter * 1.1, top + down, show(value, 2), `fill="${palette.quiet}" font-size="${tiny}"`));
  // a label longer than the bar starts at its foot, so that it is not cut at the top
  const [at, anchor] = widthOf(label, letter) > length ? [top + length, "start"] : [top + length / 2, "middle"];
  parts.push(upright(x + letter * 3.7, at, label, `fill="${palette.quiet}" text-anchor="${anchor}"`));
  return parts.join("");
}
