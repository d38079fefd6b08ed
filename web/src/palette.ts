/**
 * Colours, the same as the library's figures. Things, modes and signs have palettes of their own: things have Okabe and Ito's hues,
 * modes one sequence from the strongest to the weakest, signs a pair that neither of them uses.
 */
import type { Dash, Line } from "./topic";

export interface Palette {
  /** Six things, ink, six modes. */
  readonly lines: readonly string[];
  readonly ink: string;
  readonly quiet: string;
  readonly grid: string;
  readonly paper: string;
  /** Ends and middle of diverging colours. */
  readonly low: string;
  readonly middle: string;
  readonly high: string;
}

export const LIGHT: Palette = {
  lines: [
    ...["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"],
    ...["#3d2b8e", "#8a3fa6", "#b5487f", "#a8601f", "#7d7200", "#4a7a3a"],
  ],
  ink: "#16202c",
  quiet: "#53606f",
  grid: "#e3e8ee",
  paper: "#ffffff",
  low: "#01665e",
  middle: "#f7f7f5",
  high: "#8c510a",
};

/** The same hues, lighter, because blue and black vanish on a dark ground. */
export const DARK: Palette = {
  lines: [
    ...["#4AA3E0", "#F27A2E", "#22C596", "#E6A0C9", "#F2B63C", "#A5DCFF", "#F4F6F8"],
    ...["#a79bff", "#cf94f0", "#f09ac2", "#f0ae7a", "#d8cc5a", "#a3cf86"],
  ],
  ink: "#e9eef4",
  quiet: "#a3b0bf",
  grid: "#2b3746",
  paper: "#151d27",
  low: "#5ab4ac",
  middle: "#1d2733",
  high: "#d8b365",
};

/** The visual grammar: a trained network is a wide band, a prediction a thin line, a reference thinner still. */
const ROLES = {
  trained: { width: 7, opacity: 0.3 },
  predicted: { width: 1.8, opacity: 1 },
  reference: { width: 1.2, opacity: 0.85 },
} as const;

/** Width in pixels and opacity of a line. */
export function strokeOf(line: Line): { readonly width: number; readonly opacity: number } {
  const { width, opacity } = ROLES[line.role ?? "predicted"];
  // bands of several networks lie on each other and are together as pale as one
  return { width, opacity: 1 - (1 - opacity) ** (1 / (line.among ?? 1)) };
}

/** Dashes in multiples of the line's width. */
export const DASHES: Record<Dash, readonly number[]> = {
  solid: [],
  dash: [4, 2.4],
  dot: [1.1, 1.8],
  dashdot: [5, 2, 1.1, 2],
};

/** A colour between two, `at` from 0 to 1. */
export function mix(from: string, to: string, at: number): string {
  const channel = (hex: string, i: number) => Number.parseInt(hex.slice(1 + 2 * i, 3 + 2 * i), 16);
  const mixed = [0, 1, 2].map((i) => Math.round(channel(from, i) + at * (channel(to, i) - channel(from, i))));
  return `#${mixed.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** The colour of a value between −1 and 1, diverging; of a size between 0 and 1 in shades of ink. */
export function shade(palette: Palette, value: number, sizes = false): string {
  if (sizes) return mix(palette.middle, palette.ink, Math.max(0, Math.min(1, Number.isFinite(value) ? value : 0)));
  const clipped = Math.max(-1, Math.min(1, Number.isFinite(value) ? value : 0));
  return clipped < 0 ? mix(palette.middle, palette.low, -clipped) : mix(palette.middle, palette.high, clipped);
}
