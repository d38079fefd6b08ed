/** Labelled points with the trails they left, as SVG. */
import { ends, scale } from "../axis";
import { show } from "../format";
import type { Palette } from "../palette";
import type { Scatter } from "../topic";
import { SMALL, type Size, colourOf, escape, frame, leftOf, marks, round, text, widthOf } from "./frame";

/** Space around the points, as a share of what they span. */
const PAD = 0.08;

export function drawScatter(chart: Scatter, size: Size, palette: Palette, top: number): string {
  const { letter } = size;
  const trails = chart.points.flatMap((point) => point.trail ?? []);
  let xs = ends(chart.x, [...chart.points.map((point) => point.x), ...trails.map(([x]) => x)], PAD);
  let ys = ends(chart.y, [...chart.points.map((point) => point.y), ...trails.map(([, y]) => y)], PAD);
  const bottom = size.height - letter * 3.3;
  const left = leftOf(scale(chart.y, ys, 5).ticks, letter);
  const box = { left, top, right: size.width - letter, bottom };
  if (chart.equal) [xs, ys] = level(xs, ys, (box.right - box.left) / (box.bottom - box.top));
  const [x, y] = [scale(chart.x, xs, 5), scale(chart.y, ys, 5)];
  const at = (u: number, v: number): [number, number] => [round(box.left + x.place(u) * (box.right - box.left)), round(box.bottom - y.place(v) * (box.bottom - box.top))];
  const taken: { start: number; end: number; line: number }[] = [];
  const parts = chart.points.map((point, i) => {
    const colour = palette.lines[colourOf(point, i)]!;
    const [px, py] = at(point.x, point.y);
    const steps = (point.trail ?? []).map(([u, v]) => at(u, v).join(" "));
    const trail = steps.length ? `<path d="M${steps.join("L")}L${px} ${py}" stroke="${colour}" stroke-opacity="0.5" stroke-width="1.6" fill="none"/>` : "";
    const paint = point.ring ? `fill="none" stroke="${colour}" stroke-width="1.6"` : `fill="${colour}"`;
    const dot = `<circle cx="${px}" cy="${py}" r="${round(letter * (point.ring ? 0.62 : 0.36))}" ${paint}><title>${escape(`${point.label}: ${show(point.x)}, ${show(point.y)}`)}</title></circle>`;
    if (!point.label) return trail + dot;
    const [width, gap] = [widthOf(point.label, letter * SMALL), letter * 0.7];
    const before = px + gap + width > box.right;
    const start = before ? px - gap - width : px + gap;
    // a label goes below those it would cover
    let line = py + letter * 0.33;
    while (taken.some((other) => Math.abs(other.line - line) < letter * 0.95 && start < other.end && other.start < start + width) && line < box.bottom) line += letter * 0.5;
    taken.push({ start, end: start + width, line });
    return trail + dot + text(before ? px - gap : px + gap, line, point.label, `fill="${palette.ink}" font-size="${round(letter * SMALL)}" text-anchor="${before ? "end" : "start"}"`);
  });
  return `${frame(box, x, y, chart, size, palette)}${marks(chart.marks, box, x, y, size, palette)}${parts.join("")}`;
}

/** Widens the shorter axis until one unit is equally long on both. */
function level(xs: [number, number], ys: [number, number], ratio: number): [[number, number], [number, number]] {
  const [width, height] = [xs[1] - xs[0], ys[1] - ys[0]];
  const widen = ([low, high]: [number, number], length: number): [number, number] => [(low + high - length) / 2, (low + high + length) / 2];
  return width / height < ratio ? [widen(xs, height * ratio), ys] : [xs, widen(ys, width / ratio)];
}
