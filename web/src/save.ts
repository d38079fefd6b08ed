/** Saves a figure as SVG or PNG, and its numbers as CSV. */
import { render } from "./draw";
import { heatHeight } from "./draw/heat";
import { LIGHT } from "./palette";
import type { Chart } from "./topic";

/** A figure as it is saved: light, so that it can be printed, and of one size. */
const SIZE = { width: 720, height: 460, letter: 14 };
/** Pixels of the PNG for each of the SVG's. */
const FINE = 2;

function quoted(cell: string | number): string {
  const text = typeof cell === "number" && !Number.isFinite(cell) ? "" : String(cell);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function table(rows: (string | number)[][]): string {
  return `${rows.map((row) => row.map(quoted).join(",")).join("\r\n")}\r\n`;
}

/** The numbers of a chart: a column of x and one per line, a matrix with its labels, or points with their trails. */
export function csv(chart: Chart): string {
  if (chart.kind === "heat")
    return table([["", ...chart.columns], ...chart.matrix.map((row, i) => [chart.rows[i] ?? i, ...row])]);
  if (chart.kind === "scatter") {
    const places = chart.points.flatMap((point) =>
      [...(point.trail ?? []), [point.x, point.y] as const].map(([x, y], i) => [point.label, i, x, y]),
    );
    return table([["point", "step", chart.x.label, chart.y.label], ...places]);
  }
  const columns = chart.lines.map(
    (line) => new Map((line.x ?? chart.x.values).map((x, i) => [x, line.y[i] ?? Number.NaN])),
  );
  const xs = [...new Set(columns.flatMap((column) => [...column.keys()]))].sort((a, b) => a - b);
  return table([
    [chart.x.label, ...chart.lines.map((line) => line.label)],
    ...xs.map((x) => [x, ...columns.map((column) => column.get(x) ?? Number.NaN)]),
  ]);
}

function sizeOf(chart: Chart) {
  // a matrix needs no more paper than it fills, and its title
  return chart.kind === "heat"
    ? { ...SIZE, height: heatHeight(chart, SIZE.width, SIZE.height, SIZE.letter) + 2 * SIZE.letter }
    : SIZE;
}

export function svg(chart: Chart): string {
  return render(chart, sizeOf(chart), LIGHT, true);
}

async function png(drawn: string, width: number, height: number): Promise<Blob> {
  const image = new Image();
  // a data address, because a picture from a blob may not be read back from file://
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawn)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width * FINE, height * FINE];
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error("the browser could not make a PNG"))),
      "image/png",
    ),
  );
}

function download(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Saves an SVG as a PNG file. */
export async function savePng(drawn: string, width: number, height: number, name: string): Promise<void> {
  download(await png(drawn, width, height), name);
}

/** A small menu; `place` (the topic) goes into the names of the files. */
export function saveButtons(chart: () => Chart, place: string): HTMLElement {
  const kinds: [string, () => Blob | Promise<Blob>][] = [
    ["SVG", () => new Blob([svg(chart())], { type: "image/svg+xml" })],
    ["PNG", () => png(svg(chart()), SIZE.width, sizeOf(chart()).height)],
    ["CSV", () => new Blob([csv(chart())], { type: "text/csv" })],
  ];
  const bar = document.createElement("details");
  bar.className = "save";
  const open = document.createElement("summary");
  open.textContent = "Save";
  bar.append(open);
  for (const [kind, make] of kinds) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = kind;
    button.setAttribute("aria-label", `Save “${chart().title}” as ${kind}`);
    button.addEventListener("click", async () => {
      download(await make(), `festina-${place}-${chart().id}.${kind.toLowerCase()}`);
      bar.open = false;
    });
    bar.append(button);
  }
  return bar;
}
