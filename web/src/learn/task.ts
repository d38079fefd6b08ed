/** The tasks that networks are trained on in the page. */
import { HIERARCHY, ITEMS, targets } from "../theory/contexts";
import type { Task } from "./relu";

/** Four points, XOR in two inputs and separable with margin 2Δ in the third: jarvis2025 eqs. (11)-(12). */
export function extendedXor(delta: number): Task {
  const signs = [
    [-1, -1],
    [1, -1],
    [-1, 1],
    [1, 1],
  ] as const;
  const x = signs.map(([a, b]) => [a, b, -a * b * delta]);
  return { x, y: signs.map(([a, b]) => [-a * b]) };
}

/**
 * Eight items in C contexts, x = [item; context] one-hot, targets as coordinates in their span (8C of them).
 *
 * Random weights look the same in any rotated basis, so that nothing changes but the time a step takes.
 */
export function contextTask(contexts: number): Task {
  const goals = targets(contexts);
  const modes = itemModes();
  const x: number[][] = [];
  const y: number[][] = [];
  for (let c = 0; c < contexts; c++)
    for (let item = 0; item < ITEMS; item++) {
      const input = new Array<number>(ITEMS + contexts).fill(0);
      input[item] = 1;
      input[ITEMS + c] = 1;
      x.push(input);
      y.push(modes.flatMap(({ sigma, vector }) => Array.from(goals[c]!, (goal) => sigma * vector[item]! * goal)));
    }
  return { x, y };
}

/** The singular values of the hierarchy with their vectors over items: a constant, then differences of halves. */
function itemModes(): { sigma: number; vector: number[] }[] {
  return HIERARCHY.flatMap(({ square, modes }, level) => {
    const block = level === 0 ? ITEMS : ITEMS / modes;
    return Array.from({ length: modes }, (_, i) => {
      const vector = Array.from({ length: ITEMS }, (_, item) => {
        if (Math.floor(item / block) !== i) return 0;
        const sign = level > 0 && item % block >= block / 2 ? -1 : 1;
        return sign / Math.sqrt(block);
      });
      return { sigma: Math.sqrt(square), vector };
    });
  });
}
