/** The tree of eight things: where they part, as predicted (thin), as a visitor draws it (dotted), as a network learns it (wide). */
import { element, type Look } from "../chart";
import { escaped, round, text } from "../draw/frame";
import { BELIEFS, drawnPlaces, END, type Fresh, LEVELS, peakOf, SPLITS, THINGS, TIMES } from "./network";

/** Heights of the handles of the three levels on the tree. */
const HANDLES = [0.5, 0.25, 0.125];
/** Every so many samples a line bends; more would not be seen. */
const STRIDE = 2;

let count = 0;

export class Tree {
  readonly root = element("div", { class: "tree" });
  private readonly id = `tree-${++count}`;
  private width = 0;
  private height = 0;
  private look?: Look;
  private fresh?: Fresh;
  private stamp = "";
  private predicted = false;
  private halves?: readonly number[];
  private move?: (level: number, time: number) => void;
  private bands: string[] = [];
  /** How much of what the network has shown is drawn. */
  private drawn = 0;

  /** `label` says to screen readers what the tree shows. */
  constructor(private label: () => string) {}

  /** Draws for the space that the tree has now. */
  fit(look: Look): void {
    const [width, height] = [this.root.clientWidth, this.root.clientHeight];
    if (!width || (width === this.width && height === this.height && look === this.look)) return;
    [this.width, this.height, this.look] = [width, height, look];
    this.draw();
  }

  /** A new network; with `stamp` its prediction is shown and sealed. */
  show(fresh: Fresh, stamp: string, predicted = true): void {
    [this.fresh, this.stamp, this.predicted] = [fresh, stamp, predicted];
    this.draw();
  }

  /** A visitor's branch points; with `move` they can be dragged. */
  guess(halves: readonly number[] | undefined, move?: (level: number, time: number) => void): void {
    const redraw =
      (this.halves === undefined) !== (halves === undefined) || (this.move === undefined) !== (move === undefined);
    [this.halves, this.move] = [halves, move];
    if (redraw) this.draw();
    else this.place();
  }

  /** Draws how far the network has come. */
  extend(): void {
    const { fresh } = this;
    const last = fresh?.seen.at(-1);
    if (!last || !this.look || !this.width) return;
    for (const { time, places } of fresh!.seen.slice(this.drawn)) {
      places.forEach((place, i) => {
        this.bands[i] += `${this.bands[i] ? "L" : "M"}${this.x(time)} ${this.y(place)}`;
      });
    }
    this.drawn = fresh!.seen.length;
    const [bands, heads] = [this.root.querySelectorAll(".band"), this.root.querySelectorAll(".head")];
    last.places.forEach((place, i) => {
      bands[i]!.setAttribute("d", this.bands[i]!);
      heads[i]!.setAttribute("transform", `translate(${this.x(last.time)} ${this.y(place)})`);
      heads[i]!.setAttribute("visibility", "visible");
    });
    // how far it has come stands on the axis, in the place of the ticks around it
    const front = this.root.querySelector(".front")!;
    const half = 3.6 * this.look.letter;
    const at = Math.max(half, this.x(last.time));
    front.setAttribute("visibility", fresh!.done ? "hidden" : "visible");
    front.querySelector("path")!.setAttribute("d", `M${this.x(last.time)} ${this.y(0)}V${this.y(1)}`);
    front.querySelector("text")!.setAttribute("x", String(at));
    front.querySelector("text")!.textContent = fresh!.done ? "" : `network: ${last.time.toFixed(1)}`;
    this.root.querySelectorAll(".tick").forEach((tick) => {
      const near = Math.abs(Number(tick.getAttribute("x")) - at) < half + this.look!.letter;
      tick.setAttribute("visibility", near && !fresh!.done ? "hidden" : "visible");
    });
  }

  private x(time: number): number {
    const { letter } = this.look!;
    return round(letter + (time / END) * (this.width - 7.2 * letter));
  }

  private y(place: number): number {
    const { letter } = this.look!;
    // on a phone a seal is as wide as the tree, and stands above it
    const top = (this.width < 40 * letter ? 2.6 : 0.6) * letter;
    return round(top + place * (this.height - 3.4 * letter - top));
  }

  private draw(): void {
    if (!this.look || !this.width) return;
    const { letter, palette } = this.look;
    const { id, width, height, fresh } = this;
    const shown = this.predicted && fresh !== undefined;
    const end = shown ? fresh.sealed[1]! : 0.45 * END;
    const colours = [0, 1, 2, 3].map((kind) => palette.lines[kind]!);
    const gradients = colours.map(
      (colour, kind) =>
        `<linearGradient id="${id}-${kind}" gradientUnits="userSpaceOnUse" x1="${this.x(0)}" x2="${this.x(END)}" y1="0" y2="0"><stop offset="${round(end / END - 0.06)}" stop-color="${palette.quiet}"/><stop offset="${round(end / END + 0.04)}" stop-color="${colour}"/></linearGradient>`,
    );
    const paint = (i: number): string => `stroke="url(#${id}-${i >> 1})" fill="none"`;
    const small = `font-size="${letter}" fill="${palette.quiet}"`;
    const halo = `paint-order="stroke" stroke="${palette.paper}" stroke-width="4" stroke-linejoin="round"`;
    const axis = Array.from({ length: Math.floor(END / 10) + 1 }, (_, i) => 10 * i).map(
      (t) =>
        `<path d="M${this.x(t)} ${this.y(0)}V${this.y(1)}" stroke="${palette.grid}"/>${text(this.x(t), this.y(1) + 1.5 * letter, String(t), `class="tick" text-anchor="middle" ${small}`)}`,
    );
    axis.push(text(this.x(END / 2), height - 0.4 * letter, "training time", `text-anchor="middle" ${small}`));
    const names = THINGS.map((name, i) =>
      text(
        this.x(END) + 0.7 * letter,
        this.y((i + 0.5) / 8) + 0.35 * letter,
        name,
        `font-size="${round(1.1 * letter)}" font-weight="600" fill="${palette.ink}"`,
      ),
    );
    const live = THINGS.map(
      (_, i) =>
        `<path class="band" ${paint(i)} stroke-width="${round(0.62 * letter)}" stroke-opacity="0.34" stroke-linecap="round" stroke-linejoin="round"/>`,
    );
    const heads = THINGS.map(
      (_, i) =>
        `<circle class="head" r="${round(0.42 * letter)}" fill="${colours[i >> 1]}" stroke="${palette.paper}" stroke-width="2" visibility="hidden"/>`,
    );
    const guess = THINGS.map(
      () =>
        `<path class="guess" stroke="${palette.ink}" stroke-width="2" stroke-dasharray="1 6" stroke-linecap="round" fill="none"/>`,
    );
    const handles = (this.move ? LEVELS : []).map(
      (name, level) =>
        `<g class="handle" role="slider" tabindex="0" aria-label="${escaped(`When does it part ${name}?`)}" aria-valuemin="0" aria-valuemax="${END}" data-level="${level}"><circle r="${Math.max(14, letter)}" fill="${palette.paper}" stroke="${palette.lines[6]}" stroke-width="2"/><path d="M-7 0L-2 -4V4ZM7 0L2 -4V4Z" fill="${palette.lines[6]}"/></g>`,
    );
    this.root.innerHTML =
      `<svg role="group" aria-label="${escaped(this.label())}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif">` +
      `<defs>${gradients.join("")}</defs>${axis.join("")}${shown ? this.illusion(fresh, halo) : ""}${live.join("")}${shown ? this.sealedTree(fresh, paint, halo) : ""}` +
      `${guess.join("")}${names.join("")}<g class="front" visibility="hidden"><path stroke="${palette.quiet}"/>${text(0, this.y(1) + 1.5 * letter, "", `text-anchor="middle" font-size="${letter}" fill="${palette.ink}"`)}</g>${heads.join("")}${this.seal()}${handles.join("")}</svg>`;
    this.bands = THINGS.map(() => "");
    this.drawn = 0;
    this.extend();
    this.place();
    this.root.querySelectorAll<SVGGElement>(".handle").forEach((handle) => this.listen(handle));
  }

  /** The prediction: thin lines, and a diamond where each branch is to part. */
  private sealedTree(fresh: Fresh, paint: (i: number) => string, halo: string): string {
    const { letter, palette } = this.look!;
    const samples = TIMES.map((_, s) => s).filter((s) => s % STRIDE === 0);
    const places = samples.map((s) => fresh.predictedPlaces(s));
    const lines = THINGS.map((_, i) => {
      const points = places.map((place, s) => `${this.x(TIMES[samples[s]!]!)} ${this.y(place[i]!)}`);
      return `<path class="sealed" d="M${points.join("L")}" ${paint(i)} stroke-width="1.8"/>`;
    });
    const marks = SPLITS.map(({ mode, level, name, things }) => {
      const time = fresh.halves[mode]!;
      const place = fresh.predictedPlaces(Math.round((time / END) * (TIMES.length - 1)));
      const height = things.reduce((sum, i) => sum + place[i]!, 0) / things.length;
      const [x, y, r] = [this.x(time), this.y(height), 0.42 * letter];
      const diamond = `<path class="split" d="M${round(x - r)} ${y}L${x} ${round(y - r)}L${round(x + r)} ${y}L${x} ${round(y + r)}Z" fill="${palette.paper}" stroke="${palette.ink}" stroke-width="1.6"/>`;
      // a visitor's tree would pass through the words
      if (level > 2 || this.halves) return diamond;
      // inside the fork, where no line passes
      const words = `font-size="${letter}" fill="${palette.ink}" ${halo}`;
      return diamond + text(x + 0.9 * letter, y + 0.35 * letter, name, words);
    });
    return lines.join("") + marks.join("");
  }

  /** When the network is to believe that canaries have roots. */
  private illusion(fresh: Fresh, halo: string): string {
    if (this.halves) return "";
    const { letter } = this.look!;
    const belief = BELIEFS[0]!;
    const { from, gone } = peakOf(TIMES, fresh.predictedBelief(belief));
    const [left, right] = [this.x(from), this.x(gone)];
    // on a phone the words begin at the left, where no branch is
    const words = (say: string, lines: number): string =>
      text(
        this.width < 40 * letter ? this.x(0) : left,
        this.y(1) - lines * letter,
        say,
        `font-size="${letter}" ${halo}`,
      );
    return `<g class="illusion"><rect x="${left}" y="${this.y(0)}" width="${round(right - left)}" height="${round(this.y(1) - this.y(0))}"/>${words("believes that", 1.6)}${words(belief.words, 0.4)}</g>`;
  }

  private seal(): string {
    if (!this.stamp) return "";
    const { letter } = this.look!;
    const [words, size] = [this.stamp, round(0.95 * letter)];
    const wide = round(words.length * 0.6 * size + letter);
    return `<g class="stamp" transform="translate(${this.x(0)} ${round(0.3 * letter)})"><rect width="${wide}" height="${round(1.9 * letter)}" rx="5"/>${text(wide / 2, 1.3 * letter, words, `text-anchor="middle" font-size="${size}" font-weight="700"`)}</g>`;
  }

  /** The visitor's tree and its handles. */
  private place(): void {
    const { halves } = this;
    if (!this.look || !this.width) return;
    const times = TIMES.filter((_, s) => s % STRIDE === 0);
    const places = halves ? times.map((t) => drawnPlaces(halves, t)) : [];
    this.root.querySelectorAll(".guess").forEach((path, i) => {
      path.setAttribute(
        "d",
        places.length ? `M${places.map((place, s) => `${this.x(times[s]!)} ${this.y(place[i]!)}`).join("L")}` : "",
      );
    });
    this.root.querySelectorAll<SVGGElement>(".handle").forEach((handle, level) => {
      const time = halves![level]!;
      handle.setAttribute("transform", `translate(${this.x(time)} ${this.y(HANDLES[level]!)})`);
      handle.setAttribute("aria-valuenow", time.toFixed(1));
      handle.setAttribute("aria-valuetext", `at time ${time.toFixed(1)}`);
    });
  }

  private listen(handle: SVGGElement): void {
    const level = Number(handle.dataset.level);
    const to = (time: number): void => this.move?.(level, Math.min(END, Math.max(0, time)));
    handle.addEventListener("pointerdown", (event) => {
      handle.setPointerCapture(event.pointerId);
      event.preventDefault();
      handle.focus();
    });
    handle.addEventListener("pointermove", (event) => {
      if (!handle.hasPointerCapture(event.pointerId)) return;
      const at = event.clientX - this.root.getBoundingClientRect().left;
      to(((at - this.x(0)) / (this.x(END) - this.x(0))) * END);
    });
    handle.addEventListener("keydown", (event) => {
      const now = this.halves![level]!;
      const by = { ArrowRight: 0.5, ArrowUp: 0.5, ArrowLeft: -0.5, ArrowDown: -0.5, PageUp: 5, PageDown: -5 }[
        event.key
      ];
      const next = by !== undefined ? now + by : event.key === "Home" ? 0 : event.key === "End" ? END : undefined;
      if (next === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      to(next);
    });
  }
}
