/** What all drawings share: sizes, words, axes with their ticks, marks. */
import type { Scale } from "../axis";
import type { Palette } from "../palette";
import type { Axis, Mark } from "../topic";

export interface Size {
  readonly width: number;
  readonly height: number;
  /** Size of letters in pixels. */
  readonly letter: number;
}

/** The sides of the plot inside its axes. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Ticks and cells are written a little smaller than labels, and never below what can be read. */
const SMALL = 0.9;
const LEAST = 11;

/** Size of ticks in whole pixels: the charts' library scales only whole numbers to the pixels of the display. */
export function tickSize(letter: number): number {
  return Math.max(LEAST, Math.round(letter * SMALL));
}

export function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** A hundredth of a pixel is as fine as anyone sees. */
export const round = (value: number): number => Math.round(value * 100) / 100;

export function text(x: number, y: number, words: string, attributes: string): string {
  return `<text x="${round(x)}" y="${round(y)}" ${attributes}>${escaped(words)}</text>`;
}

/** Words along a vertical line. */
export function upright(x: number, y: number, words: string, attributes: string): string {
  return text(x, y, words, `${attributes} transform="rotate(-90 ${round(x)} ${round(y)})"`);
}

/** About how wide words are. */
export function widthOf(words: string, letter: number): number {
  return words.length * letter * 0.55;
}

/** The colour index of a line or point: its own, or its place in the chart. */
export function colourOf(item: { readonly colour?: number }, position: number): number {
  return item.colour ?? position % 7;
}

export function markColour(mark: Mark, palette: Palette): string {
  return mark.colour === undefined ? palette.quiet : palette.lines[mark.colour]!;
}

/** Where y ticks end and the plot begins. */
export function leftOf(ticks: Scale["ticks"], letter: number): number {
  return letter * 2.3 + Math.max(...ticks.map((tick) => widthOf(tick.text, letter)), letter);
}

/** Grid lines, ticks and labels of both axes. */
export function frame(
  box: Box,
  x: Scale,
  y: Scale,
  axes: { x: Axis; y: Axis },
  { letter }: Size,
  palette: Palette,
): string {
  const parts: string[] = [];
  const [width, height] = [box.right - box.left, box.bottom - box.top];
  const small = `fill="${palette.quiet}" font-size="${tickSize(letter)}"`;
  for (const tick of x.ticks) {
    const place = round(box.left + x.place(tick.at) * width);
    parts.push(`<path d="M${place} ${box.top}V${box.bottom}" stroke="${palette.grid}"/>`);
    parts.push(text(place, box.bottom + letter * 1.25, tick.text, `text-anchor="middle" ${small}`));
  }
  for (const tick of y.ticks) {
    const place = round(box.bottom - y.place(tick.at) * height);
    parts.push(`<path d="M${box.left} ${place}H${box.right}" stroke="${palette.grid}"/>`);
    parts.push(text(box.left - letter * 0.5, place + letter * 0.32, tick.text, `text-anchor="end" ${small}`));
  }
  const label = `text-anchor="middle" fill="${palette.quiet}"`;
  parts.push(text((box.left + box.right) / 2, box.bottom + letter * 2.7, axes.x.label, label));
  parts.push(upright(letter * 1.1, (box.top + box.bottom) / 2, axes.y.label, label));
  return parts.join("");
}

/** Straight lines across the plot, with their words; those of vertical lines one below the other. */
export function marks(
  items: readonly Mark[] | undefined,
  box: Box,
  x: Scale,
  y: Scale,
  { letter }: Size,
  palette: Palette,
): string {
  const parts: string[] = [];
  let row = 0;
  for (const mark of items ?? []) {
    const place = (mark.axis === "x" ? x : y).place(mark.at);
    if (!(place >= 0 && place <= 1)) continue;
    const colour = markColour(mark, palette);
    const style = `stroke="${colour}" stroke-dasharray="3 3" fill="none"`;
    const words = `fill="${palette.quiet}" font-size="${tickSize(letter)}" paint-order="stroke" stroke="${palette.paper}" stroke-width="3" stroke-linejoin="round"`;
    if (mark.axis === "x") {
      const at = round(box.left + place * (box.right - box.left));
      const before = place > 0.6;
      parts.push(`<path d="M${at} ${box.top}V${box.bottom}" ${style}/>`);
      parts.push(
        text(
          at + (before ? -5 : 5),
          box.top + letter * (1 + 1.2 * row++),
          mark.label,
          `${words} text-anchor="${before ? "end" : "start"}"`,
        ),
      );
    } else {
      const at = round(box.bottom - place * (box.bottom - box.top));
      parts.push(`<path d="M${box.left} ${at}H${box.right}" ${style}/>`);
      const before = mark.side === "left";
      const below = at - box.top < 1.5 * letter;
      parts.push(
        text(
          before ? box.left + 4 : box.right - 4,
          below ? at + 1.2 * letter : at - 6,
          mark.label,
          `${words} text-anchor="${before ? "start" : "end"}"`,
        ),
      );
    }
  }
  return parts.join("");
}
