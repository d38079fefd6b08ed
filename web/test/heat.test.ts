import { expect, test } from "vitest";
import { drawHeat } from "../src/draw/heat";
import { LIGHT, shade } from "../src/palette";
import type { Heat } from "../src/topic";

const matrix = [
  [0, 0.5],
  [0.25, 1],
];
const chart: Heat = { kind: "heat", id: "m", title: "m", label: "size", matrix, rows: ["a", "b"], columns: ["c", "d"] };
const draw = (more: Partial<Heat>): string =>
  drawHeat({ ...chart, ...more }, { width: 400, height: 300, letter: 14 }, LIGHT, 20);

test("sizes are shades of ink and have no negative end; signed numbers have both ends", () => {
  expect(shade(LIGHT, 1, true)).toBe(LIGHT.ink);
  expect(shade(LIGHT, 0, true)).toBe(shade(LIGHT, 0));
  expect(shade(LIGHT, -1)).toBe(LIGHT.low);
  expect(draw({})).toContain(">−1<");
  expect(draw({ sizes: true })).not.toContain(">−1<");
  expect(draw({ sizes: true })).not.toContain(LIGHT.low);
});
