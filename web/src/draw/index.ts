/** Any chart as an SVG of its own: what is saved, and how matrices and points are drawn on the page. */
import type { Palette } from "../palette";
import type { Chart } from "../topic";
import { round, type Size, text } from "./frame";
import { drawHeat } from "./heat";
import { drawLines } from "./lines";
import { drawScatter } from "./scatter";

/** The chart as SVG; with its title and on paper where it is saved on its own. */
export function render(chart: Chart, size: Size, palette: Palette, alone: boolean): string {
  const { width, height, letter } = size;
  const top = letter * (alone ? 2.4 : 0.7);
  const head = alone
    ? `<rect width="100%" height="100%" fill="${palette.paper}"/>${text(letter * 0.5, letter * 1.4, chart.title, `font-weight="600" font-size="${round(letter * 1.1)}" fill="${palette.ink}"`)}`
    : "";
  const body = { lines: drawLines, heat: drawHeat, scatter: drawScatter }[chart.kind] as (
    chart: Chart,
    size: Size,
    palette: Palette,
    top: number,
  ) => string;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ` +
    `font-family="system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif" font-size="${letter}">${head}${body(chart, size, palette, top)}</svg>`
  );
}
