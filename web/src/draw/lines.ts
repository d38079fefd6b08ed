/** Curves as SVG. */
import { ends, type Scale, scale } from "../axis";
import { DASHES, type Palette, strokeOf } from "../palette";
import type { Line, Lines, Mark } from "../topic";
import { type Box, colourOf, frame, leftOf, marks, round, type Size, text, widthOf } from "./frame";

/** Space above and below the curves, as a share of their height. */
const PAD = 0.04;

/** The lines that stand in a legend. */
export function named(chart: Lines): { line: Line; colour: number }[] {
  return chart.lines.map((line, i) => ({ line, colour: colourOf(line, i) })).filter(({ line }) => !line.quiet);
}

/** Lines with the height at which each one's name stands: just above its end, or above the name below it. */
export function labelled(
  chart: Lines,
  place: (value: number) => number,
  apart: number,
): { line: Line; colour: number; at: number; i: number }[] {
  const found = chart.lines
    .map((line, i) => ({ line, colour: colourOf(line, i), at: place(line.y[line.y.length - 1]!) - 0.35 * apart, i }))
    .filter(({ line }) => !line.quiet)
    .sort((a, b) => b.at - a.at);
  found.forEach((label, i) => {
    const below = found[i - 1];
    if (below) label.at = Math.min(label.at, below.at - apart);
  });
  return found;
}

/** The chart's own marks and the moment. */
export function marksOf(chart: Lines): readonly Mark[] {
  const own = chart.marks ?? [];
  const last = chart.x.range?.[1] ?? chart.x.values[chart.x.values.length - 1]!;
  // at the end of the axis it says nothing
  return chart.moment === undefined || chart.moment >= last * (1 - 1e-9)
    ? own
    : [...own, { axis: "x", at: chart.moment, label: "now" }];
}

/** The ends of both axes. */
export function limits(chart: Lines): { x: [number, number]; y: [number, number] } {
  const own = chart.lines.flatMap((line) => (line.x ? [line.x] : []));
  const all = chart.lines.some((line) => !line.x) ? [chart.x.values, ...own] : own;
  return {
    x: ends(chart.x, all.flat(), 0),
    y: ends(
      chart.y,
      chart.lines.flatMap((line) => line.y),
      PAD,
    ),
  };
}

function path(line: Line, chart: Lines, box: Box, x: Scale, y: Scale): string {
  const xs = line.x ?? chart.x.values;
  let [data, open] = ["", false];
  line.y.forEach((value, i) => {
    const [u, v] = [x.place(xs[i]!), y.place(value)];
    const drawn = Number.isFinite(u) && Number.isFinite(v);
    if (drawn)
      data += `${open ? "L" : "M"}${round(box.left + u * (box.right - box.left))} ${round(box.bottom - v * (box.bottom - box.top))}`;
    open = drawn;
  });
  return data;
}

function stroke(line: Line, colour: string): string {
  const { width, opacity: pale } = strokeOf(line);
  const dashes = DASHES[line.dash ?? "solid"].map((part) => round(part * width)).join(" ");
  const opacity = pale === 1 ? "" : ` stroke-opacity="${pale}"`;
  return `stroke="${colour}" stroke-width="${width}" fill="none"${dashes && ` stroke-dasharray="${dashes}"`}${opacity}`;
}

/** Entries of the legend in columns as wide as the widest. */
function legend(
  chart: Lines,
  left: number,
  top: number,
  { width, letter }: Size,
  palette: Palette,
): { drawn: string; height: number } {
  const entries = chart.direct ? [] : named(chart);
  const column = letter * 4 + Math.max(0, ...entries.map(({ line }) => widthOf(line.label, letter)));
  const perRow = Math.max(1, Math.floor((width - left) / column));
  const drawn = entries.map(({ line, colour }, i) => {
    const [x, y] = [left + (i % perRow) * column, top + letter * (0.5 + 1.5 * Math.floor(i / perRow))];
    const key = `<path d="M${round(x)} ${round(y)}h${letter * 2}" ${stroke({ ...line, among: 1 }, palette.lines[colour]!)}/>`;
    return key + text(x + letter * 2.5, y + letter * 0.35, line.label, `fill="${palette.ink}"`);
  });
  return { drawn: drawn.join(""), height: Math.ceil(entries.length / perRow) * letter * 1.5 };
}

export function drawLines(chart: Lines, size: Size, palette: Palette, top: number): string {
  const both = limits(chart);
  const [x, y] = [scale(chart.x, both.x, 6), scale(chart.y, both.y, 5)];
  const left = leftOf(y.ticks, size.letter);
  const key = legend(chart, left, top, size, palette);
  const box = { left, top: top + key.height, right: size.width - size.letter, bottom: size.height - size.letter * 3.3 };
  const clip = `clip-${chart.id}`;
  const curves = chart.lines.map(
    (line, i) =>
      `<path d="${path(line, chart, box, x, y)}" ${stroke(line, palette.lines[colourOf(line, i)]!)} stroke-linejoin="round"/>`,
  );
  const down = (value: number): number => box.bottom - y.place(value) * (box.bottom - box.top);
  const names = (chart.direct ? labelled(chart, down, 1.15 * size.letter) : []).map(({ line, colour, at }) =>
    text(
      box.right - 2,
      at,
      line.label,
      `fill="${palette.lines[colour]!}" text-anchor="end" paint-order="stroke" stroke="${palette.paper}" stroke-width="3"`,
    ),
  );
  return (
    `<clipPath id="${clip}"><rect x="${box.left}" y="${box.top - 2}" width="${box.right - box.left}" height="${box.bottom - box.top + 4}"/></clipPath>` +
    `${frame(box, x, y, chart, size, palette)}<g clip-path="url(#${clip})">${curves.join("")}</g>${marks(marksOf(chart), box, x, y, size, palette)}${names.join("")}${key.drawn}`
  );
}
