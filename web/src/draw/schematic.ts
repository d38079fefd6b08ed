/** The task and the network of a topic as a small SVG. */
import type { Palette } from "../palette";
import type { Schematic } from "../topic";
import { escaped, round, text, tickSize, widthOf } from "./frame";

/** Stretches the drawing to the width that the page has for it. */
const ACROSS = 1.55;
const DOWN = 1.12;
/** Radius of a node, in letters. */
const RADIUS = 0.4;

export function drawSchematic({ nodes, links, words, caption }: Schematic, letter: number, palette: Palette): string {
  const small = tickSize(letter);
  const across = (value: number): number => round(value * letter * ACROSS);
  const down = (value: number): number => round(value * letter * DOWN);
  const colour = (index: number | undefined): string => (index === undefined ? palette.quiet : palette.lines[index]!);
  const parts: string[] = [];
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  const cover = (x0: number, x1: number, y0: number, y1: number): void => {
    left = Math.min(left, x0);
    right = Math.max(right, x1);
    top = Math.min(top, y0);
    bottom = Math.max(bottom, y1);
  };
  for (const { from, to, colour: own, weight = 1 } of links) {
    const [a, b] = [nodes[from]!, nodes[to]!];
    parts.push(
      `<path d="M${across(a.x)} ${down(a.y)}L${across(b.x)} ${down(b.y)}" stroke="${colour(own)}" stroke-width="${round(1.1 * weight)}" stroke-opacity="0.55" fill="none"/>`,
    );
  }
  for (const node of nodes) {
    const [x, y, r] = [across(node.x), down(node.y), round(RADIUS * letter)];
    const paint = `fill="${node.colour === undefined ? palette.paper : colour(node.colour)}" stroke="${colour(node.colour)}" stroke-width="1.4"`;
    parts.push(
      node.shape === "square"
        ? `<rect x="${x - r}" y="${y - r}" width="${2 * r}" height="${2 * r}" ${paint}/>`
        : `<circle cx="${x}" cy="${y}" r="${r}" ${paint}/>`,
    );
    cover(x - r, x + r, y - r, y + r);
    if (!node.label) continue;
    const [width, before] = [widthOf(node.label, small), node.side === "left"];
    const at = before ? x - 1.7 * r : x + 1.7 * r;
    parts.push(
      text(
        at,
        y + small * 0.35,
        node.label,
        `fill="${palette.ink}" font-size="${small}" text-anchor="${before ? "end" : "start"}"`,
      ),
    );
    cover(before ? at - width : at, before ? at : at + width, y - small / 2, y + small / 2);
  }
  for (const word of words) {
    const [x, y, half] = [across(word.x), down(word.y), widthOf(word.text, small) / 2];
    parts.push(
      text(x, y + small * 0.35, word.text, `fill="${palette.quiet}" font-size="${small}" text-anchor="middle"`),
    );
    cover(x - half, x + half, y - small / 2, y + small * 0.6);
  }
  const margin = 4;
  const [width, height] = [round(right - left + 2 * margin), round(bottom - top + 2 * margin)];
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${escaped(caption)}" width="${width}" height="${height}" viewBox="${round(left - margin)} ${round(top - margin)} ${width} ${height}" ` +
    `font-family="system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif">${parts.join("")}</svg>`
  );
}
