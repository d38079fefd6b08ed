/** A figure on the page: title, legend, plot, and buttons that save it. Lines are drawn by uPlot, the rest as SVG. */
import uPlot from "uplot";
import { type Scale, scale } from "./axis";
import { render } from "./draw";
import { colourOf, markColour, tickSize } from "./draw/frame";
import { boundOf, heatHeight } from "./draw/heat";
import { labelled, limits, marksOf, named } from "./draw/lines";
import { show } from "./format";
import { DASHES, type Palette, shade, strokeOf } from "./palette";
import { saveButtons } from "./save";
import type { Chart, Heat, Line, Lines } from "./topic";

export interface Look {
  readonly palette: Palette;
  /** Size of letters in pixels. */
  readonly letter: number;
  /** The largest height of a plot in pixels, where a whole chart must fit the screen. */
  readonly tallest?: number;
}

/** Heights of plots: a share of the width, up to so many letters. */
const TALLEST = { lines: 23, heat: 23, scatter: 28 };
const SHARE = { lines: 0.66, heat: 0.66, scatter: 0.8 };
/** A wide chart of lines is lower. */
const WIDE_SHARE = 0.42;
/** Milliseconds after which values are at rest. */
const REST = 250;
/** Milliseconds after the last change until axes fit again. */
const STEADY = 600;
type Limits = ReturnType<typeof limits>;

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** One figure; `update` redraws it, in place where only numbers changed. */
export class Figure {
  readonly root: HTMLElement;
  private readonly title = element("h3");
  /** When the prediction was sealed; hidden where it is not. */
  private readonly stamp = element("p", { class: "sealed", hidden: "" });
  private readonly legend = element("ul", { class: "legend" });
  private readonly plot = element("div", { class: "plot" });
  private readonly readings: HTMLElement[] = [];
  private drawn?: { plot: uPlot; form: string };
  private scales!: { x: Scale; y: Scale };
  private data: uPlot.AlignedData = [[]];
  private width = 0;
  /** The sample under the pointer. */
  private under?: number;
  private cut = false;
  private markup = "";
  private form = "";
  private cells: SVGRectElement[] = [];
  private rest?: ReturnType<typeof setTimeout>;
  /** The limits that are shown, those that the curves ask for, and of which axes they are. */
  private held?: { readonly shown: Limits; readonly wanted: Limits; readonly axes: string };

  constructor(
    private chart: Chart,
    private look: Look,
    place: string,
  ) {
    const caption = element(
      "figcaption",
      {},
      this.title,
      saveButtons(() => this.chart, place),
    );
    this.root = element(
      "figure",
      { class: "chart", "data-chart": chart.id },
      this.stamp,
      caption,
      this.legend,
      this.plot,
    );
  }

  /** Stamps the chart with the time at which its prediction was sealed, or takes the stamp off. */
  seal(at?: string): void {
    this.stamp.hidden = at === undefined;
    this.stamp.textContent = at === undefined ? "" : `sealed ${at}`;
  }

  /** Draws a chart; with `cut`, lines end at its moment. */
  update(chart: Chart, look: Look, cut = false): void {
    this.chart = chart;
    this.look = look;
    this.cut = cut;
    this.root.classList.toggle("wide", chart.wide ?? false);
    if (this.title.textContent !== chart.title) this.title.textContent = chart.title;
    this.plot.setAttribute("role", "img");
    this.plot.setAttribute("aria-label", describe(chart));
    this.width = this.plot.clientWidth;
    if (this.width > 0) this.draw();
  }

  /** Draws again where the width has changed. */
  fit(): void {
    if (this.plot.clientWidth === this.width) return;
    this.update(this.chart, this.look, this.cut);
  }

  private get size() {
    const {
      chart,
      width,
      look: { letter, tallest: most = Infinity },
    } = this;
    const kind = chart.kind === "heat" && chart.tall ? "scatter" : chart.kind;
    const share = chart.wide && kind === "lines" ? WIDE_SHARE : SHARE[kind];
    const tallest = Math.round(Math.min(most, Math.max(letter * 15, Math.min(letter * TALLEST[kind], width * share))));
    return { width, letter, height: chart.kind === "heat" ? heatHeight(chart, width, tallest, letter) : tallest };
  }

  private draw(): void {
    if (this.chart.kind === "lines") {
      this.drawLines(this.chart);
      return;
    }
    if (this.chart.kind === "heat" && this.recolour(this.chart)) return;
    const drawn = render(this.chart, this.size, this.look.palette, false);
    if (drawn === this.markup) return;
    this.markup = drawn;
    this.plot.innerHTML = drawn;
    this.cells = [...this.plot.querySelectorAll<SVGRectElement>("rect:has(title)")];
  }

  /** While only values change, cells change their colours; their words follow when the values rest. */
  private recolour(chart: Heat): boolean {
    const form = JSON.stringify([this.size, this.look, chart.rows, chart.columns, chart.label, boundOf(chart)]);
    const same = this.form === form && this.cells.length > 0;
    this.form = form;
    if (!same) return false;
    const bound = boundOf(chart);
    const columns = chart.columns.length;
    this.cells.forEach((cell, i) => {
      const value = chart.matrix[Math.floor(i / columns)]![i % columns]! / bound;
      const colour = shade(this.look.palette, value, chart.sizes);
      if (cell.getAttribute("fill") !== colour) cell.setAttribute("fill", colour);
    });
    clearTimeout(this.rest);
    this.rest = setTimeout(() => {
      this.form = "";
      if (this.plot.isConnected) this.draw();
    }, REST);
    return true;
  }

  /** While a slider moves, axes may only grow, so that the curves are seen to move; they fit again when it rests. */
  private steady(chart: Lines): Limits {
    const wanted = limits(chart);
    const axes = JSON.stringify([chart.x.label, chart.x.log, chart.y.label, chart.y.log]);
    const held = this.held?.axes === axes ? this.held : undefined;
    if (held && JSON.stringify(held.wanted) === JSON.stringify(wanted)) return held.shown;
    const hull = (side: "x" | "y"): [number, number] => {
      const [[low, high], [from, to]] = [wanted[side], held?.shown[side] ?? wanted[side]];
      return [Math.min(low, from), Math.max(high, to)];
    };
    this.held = { shown: { x: hull("x"), y: hull("y") }, wanted, axes };
    clearTimeout(this.rest);
    if (held)
      this.rest = setTimeout(() => {
        this.held = undefined;
        if (this.plot.isConnected) this.draw();
      }, STEADY);
    return this.held.shown;
  }

  private drawLines(chart: Lines): void {
    const both = this.steady(chart);
    this.scales = { x: scale(chart.x, both.x, this.width < 420 ? 4 : 6), y: scale(chart.y, both.y, 5) };
    this.data = aligned(chart, this.cut ? (chart.moment ?? Infinity) : Infinity);
    const form = JSON.stringify([
      this.look,
      chart.x.label,
      chart.x.log,
      chart.y.label,
      chart.y.log,
      chart.lines.map((line, i) => [line.label, colourOf(line, i), line.dash, line.role, line.quiet]),
    ]);
    const { width, height } = this.size;
    if (this.drawn?.form === form) {
      if (this.drawn.plot.width !== width || this.drawn.plot.height !== height)
        this.drawn.plot.setSize({ width, height });
      this.drawn.plot.setData(this.data);
      return;
    }
    this.drawn?.plot.destroy();
    this.plot.replaceChildren();
    this.drawLegend(chart);
    this.drawn = { plot: new uPlot(this.options(chart, width, height), this.data, this.plot), form };
  }

  private drawLegend(chart: Lines): void {
    this.readings.length = 0;
    const entries = (chart.direct ? [] : named(chart)).map(({ line, colour }) => {
      const dashes = DASHES[line.dash ?? "solid"].map((part) => part * 2).join(" ");
      const { width, opacity } = strokeOf({ ...line, among: 1 });
      const key = `<svg width="26" height="10" aria-hidden="true"><path d="M1 5h24" stroke="${this.look.palette.lines[colour]}" stroke-width="${width}" stroke-opacity="${opacity}" stroke-dasharray="${dashes}"/></svg>`;
      const reading = element("output");
      this.readings.push(reading);
      const entry = element("li", {}, line.label, reading);
      entry.insertAdjacentHTML("afterbegin", key);
      return entry;
    });
    this.legend.replaceChildren(...entries);
  }

  private options(chart: Lines, width: number, height: number): uPlot.Options {
    const { palette, letter } = this.look;
    const axis = (side: "x" | "y"): uPlot.Axis => ({
      stroke: palette.quiet,
      labelFont: `${letter}px ${FONT}`,
      // whole pixels: of "12.6px" uPlot would scale the 6 alone to the pixels of the display
      font: `${tickSize(letter)}px ${FONT}`,
      label: chart[side].label,
      labelSize: letter * 1.7,
      labelGap: 2,
      gap: side === "x" ? 7 : 4,
      size: (_, words) =>
        side === "x"
          ? letter * 1.9 + 3
          : letter * (0.9 + 0.52 * Math.max(2, ...(words ?? []).map((word) => word.length))),
      grid: { stroke: palette.grid, width: 1 },
      ticks: { show: false },
      splits: () => this.scales[side].ticks.map((tick) => tick.at),
      // given the filtered splits, so looked up rather than counted
      values: (_, splits) => splits.map((at) => this.scales[side].ticks.find((tick) => tick.at === at)?.text ?? ""),
      filter: (_, splits) => splits,
    });
    const range = (side: "x" | "y"): uPlot.Scale => ({
      time: false,
      distr: chart[side].log ? 3 : 1,
      range: () => [this.scales[side].low, this.scales[side].high],
    });
    return {
      width,
      height,
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, points: { size: 6 } },
      padding: [letter * 0.6, letter * 0.9, 0, 0],
      scales: { x: range("x"), y: range("y") },
      axes: [axis("x"), axis("y")],
      series: [
        {},
        ...chart.lines.map((line, i) => ({
          stroke: palette.lines[colourOf(line, i)]!,
          width: strokeOf(line).width,
          dash: DASHES[line.dash ?? "solid"].map((part) => part * strokeOf(line).width),
          alpha: strokeOf(line).opacity,
          points: { show: false },
          pxAlign: 0,
        })),
      ],
      hooks: { draw: [(plot) => this.drawMarks(plot)], setCursor: [(plot) => this.readAt(plot)] },
    };
  }

  private drawMarks(plot: uPlot): void {
    const chart = this.chart as Lines;
    const marks = marksOf(chart);
    const { ctx, bbox } = plot;
    const { palette, letter } = this.look;
    const ratio = uPlot.pxRatio;
    ctx.save();
    ctx.font = `${tickSize(letter) * ratio}px ${FONT}`;
    ctx.lineWidth = ratio;
    ctx.textBaseline = "alphabetic";
    let row = 0;
    // on a rim of the ground's colour, so that a line behind it does not strike it through
    const write = (label: string, x: number, y: number): void => {
      ctx.save();
      ctx.setLineDash([]);
      ctx.lineWidth = 3 * ratio;
      ctx.lineJoin = "round";
      ctx.strokeStyle = palette.paper;
      ctx.strokeText(label, x, y);
      ctx.fillText(label, x, y);
      ctx.restore();
    };
    for (const mark of marks) {
      const at = Math.round(plot.valToPos(mark.at, mark.axis, true));
      const share = mark.axis === "x" ? (at - bbox.left) / bbox.width : (at - bbox.top) / bbox.height;
      if (!(share >= 0 && share <= 1)) continue;
      ctx.strokeStyle = markColour(mark, palette);
      ctx.fillStyle = palette.quiet;
      ctx.setLineDash([3 * ratio, 3 * ratio]);
      ctx.beginPath();
      if (mark.axis === "x") {
        ctx.moveTo(at, bbox.top);
        ctx.lineTo(at, bbox.top + bbox.height);
        ctx.stroke();
        ctx.textAlign = share > 0.6 ? "right" : "left";
        write(mark.label, at + (share > 0.6 ? -5 : 5) * ratio, bbox.top + letter * (1 + 1.2 * row++) * ratio);
      } else {
        ctx.moveTo(bbox.left, at);
        ctx.lineTo(bbox.left + bbox.width, at);
        ctx.stroke();
        ctx.textAlign = mark.side ?? "right";
        // near the top of the plot there is room below the line only
        write(
          mark.label,
          mark.side === "left" ? bbox.left + 4 * ratio : bbox.left + bbox.width - 4 * ratio,
          share * bbox.height < 1.5 * letter * ratio ? at + 1.2 * letter * ratio : at - 6 * ratio,
        );
      }
    }
    ctx.setLineDash([]);
    const ends = chart.direct ? labelled(chart, (value) => plot.valToPos(value, "y", true), 1.15 * letter * ratio) : [];
    for (const { line, colour, at, i } of ends) {
      const value = this.under === undefined ? undefined : nearest(this.data[i + 1]!, this.under);
      ctx.fillStyle = palette.lines[colour]!;
      ctx.textAlign = "right";
      const words = value == null ? line.label : `${line.label}  ${show(value)}`;
      write(words, bbox.left + bbox.width - 2 * ratio, at);
    }
    ctx.restore();
  }

  /** Under the pointer, every line's value stands in the legend. */
  private readAt(plot: uPlot): void {
    const index = plot.cursor.idx;
    if ((this.chart as Lines).direct) {
      if (this.under === (index ?? undefined)) return;
      this.under = index ?? undefined;
      plot.redraw(false, false);
      return;
    }
    const lines = (this.chart as Lines).lines;
    let entry = 0;
    lines.forEach((line, i) => {
      if (line.quiet) return;
      const value = index == null ? undefined : nearest(this.data[i + 1]!, index);
      const reading = this.readings[entry++];
      if (reading) reading.textContent = value == null ? "" : show(value);
    });
  }
}

const FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif";

function nearest(values: ArrayLike<number | null | undefined>, index: number): number | null | undefined {
  for (let away = 0; away < values.length; away++) {
    const value = values[index - away] ?? values[index + away];
    if (value != null) return value;
  }
  return undefined;
}

/** uPlot's columns: one x for all, `null` where a line has a gap, `undefined` where it has no point of its own. */
function aligned(chart: Lines, latest: number): uPlot.AlignedData {
  const positive = chart.y.log ?? false;
  const clean = (values: readonly number[]) =>
    values.map((value) => (Number.isFinite(value) && (!positive || value > 0) ? value : null));
  const shown = (line: Line) => {
    const x = line.x ?? chart.x.values;
    return clean(line.y).map((value, i) => (x[i]! <= latest ? value : null));
  };
  if (chart.lines.every((line) => !line.x))
    return [[...chart.x.values], ...chart.lines.map(shown)] as uPlot.AlignedData;
  return uPlot.join(
    chart.lines.map(
      (line) => [[...(line.x ?? chart.x.values)].slice(0, line.y.length), shown(line)] as uPlot.AlignedData,
    ),
  );
}

function describe(chart: Chart): string {
  if (chart.kind === "lines")
    return `${chart.title}: ${chart.y.label} against ${chart.x.label}; ${named(chart)
      .map(({ line }) => line.label)
      .join(", ")}`;
  if (chart.kind === "heat")
    return `${chart.title}: ${chart.matrix.length} by ${chart.matrix[0]?.length ?? 0} values of ${chart.label}`;
  return `${chart.title}: ${chart.points.map((point) => point.label).join(", ")}`;
}
