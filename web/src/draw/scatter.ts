/** Labelled points with the trails they left, as SVG. */
import { ends, scale } from "../axis";
import { show } from "../format";
import type { Palette } from "../palette";
import type { Scatter } from "../topic";
import { type Box, colourOf, escaped, frame, leftOf, marks, round, type Size, text, tickSize, widthOf } from "./frame";

/** Space around the points, as a share of what they span. */
const PAD = 0.08;

interface Area {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const meet = (a: Area, b: Area): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** Where a label goes: right of its point, left, above or below, then farther out, wherever it covers nothing. */
function placeLabel(
  px: number,
  py: number,
  width: number,
  size: number,
  box: Box,
  taken: readonly Area[],
): Area & { readonly away: boolean } {
  for (const distance of [1, 2.2, 3.6, 5]) {
    for (const [dx, dy] of [
      [1, 0],
      [-1, 0],
      [0, -1],
      [0, 1],
      [1, -1],
      [1, 1],
      [-1, -1],
      [-1, 1],
    ] as const) {
      const x = px + dx * size * 0.7 * distance + (dx < 0 ? -width : dx === 0 ? -width / 2 : 0);
      const y = py + dy * size * 1.05 * distance;
      const area = { left: x, right: x + width, top: y - size * 0.55, bottom: y + size * 0.55 };
      const inside =
        area.left >= box.left && area.right <= box.right && area.top >= box.top && area.bottom <= box.bottom;
      if (inside && !taken.some((other) => meet(area, other))) return { ...area, away: distance > 1 };
    }
  }
  return {
    left: px + size * 0.7,
    right: px + size * 0.7 + width,
    top: py - size * 0.5,
    bottom: py + size * 0.5,
    away: false,
  };
}

export function drawScatter(chart: Scatter, size: Size, palette: Palette, top: number): string {
  const { letter } = size;
  const small = tickSize(letter);
  const trails = chart.points.flatMap((point) => point.trail ?? []);
  let xs = ends(chart.x, [...chart.points.map((point) => point.x), ...trails.map(([x]) => x)], PAD);
  let ys = ends(chart.y, [...chart.points.map((point) => point.y), ...trails.map(([, y]) => y)], PAD);
  const bottom = size.height - letter * 3.3;
  const left = leftOf(scale(chart.y, ys, 5).ticks, letter);
  const box = { left, top, right: size.width - letter, bottom };
  if (chart.equal) [xs, ys] = level(xs, ys, (box.right - box.left) / (box.bottom - box.top));
  const [x, y] = [scale(chart.x, xs, 5), scale(chart.y, ys, 5)];
  const at = (u: number, v: number): [number, number] => [
    round(box.left + x.place(u) * (box.right - box.left)),
    round(box.bottom - y.place(v) * (box.bottom - box.top)),
  ];
  const places = chart.points.map((point) => at(point.x, point.y));
  const dot = letter * 0.36;
  const taken: Area[] = chart.points.flatMap((point, i) =>
    point.label
      ? [
          {
            left: places[i]![0] - dot,
            right: places[i]![0] + dot,
            top: places[i]![1] - dot,
            bottom: places[i]![1] + dot,
          },
        ]
      : [],
  );
  const parts = chart.points.map((point, i) => {
    const colour = palette.lines[colourOf(point, i)]!;
    const [px, py] = places[i]!;
    const steps = (point.trail ?? []).map(([u, v]) => at(u, v).join(" "));
    const trail = steps.length
      ? `<path d="M${steps.join("L")}L${px} ${py}" stroke="${colour}" stroke-opacity="0.5" stroke-width="1.6" fill="none"/>`
      : "";
    // a trained network is a wide ring, a prediction a small dot, so that they differ in shape on any ground
    const paint = point.ring
      ? `fill="none" stroke="${colour}" stroke-opacity="0.45" stroke-width="${round(0.9 * dot)}"`
      : `fill="${colour}"`;
    return `${trail}<circle cx="${px}" cy="${py}" r="${round(point.ring ? 1.8 * dot : dot)}" ${paint}><title>${escaped(`${point.label}: ${show(point.x)}, ${show(point.y)}`)}</title></circle>`;
  });
  const labels = chart.points.map((point, i) => {
    if (!point.label) return "";
    const [px, py] = places[i]!;
    const area = placeLabel(px, py, widthOf(point.label, small), small, box, taken);
    taken.push(area);
    const line = (area.top + area.bottom) / 2;
    const near = px < area.left ? area.left - 2 : px > area.right ? area.right + 2 : (area.left + area.right) / 2;
    const leader = area.away
      ? `<path d="M${px} ${py}L${round(near)} ${round(line)}" stroke="${palette.quiet}" stroke-width="0.7"/>`
      : "";
    return (
      leader +
      text(
        (area.left + area.right) / 2,
        line + small * 0.35,
        point.label,
        `fill="${palette.ink}" font-size="${small}" text-anchor="middle"`,
      )
    );
  });
  return `${frame(box, x, y, chart, size, palette)}${marks(chart.marks, box, x, y, size, palette)}${parts.join("")}${labels.join("")}`;
}

/** Widens the shorter axis until one unit is equally long on both. */
function level(xs: [number, number], ys: [number, number], ratio: number): [[number, number], [number, number]] {
  const [width, height] = [xs[1] - xs[0], ys[1] - ys[0]];
  const widen = ([low, high]: [number, number], length: number): [number, number] => [
    (low + high - length) / 2,
    (low + high + length) / 2,
  ];
  return width / height < ratio ? [widen(xs, height * ratio), ys] : [xs, widen(ys, width / ratio)];
}
