/** Compares the trained network with the prediction, with the same wording in every topic. */

/** Area between the curves, as a fraction of the area below the network's, up to which no reader sees a difference. */
const SAME = 0.05;
/** … and up to which the curves are close to each other but visibly different. */
const NEAR = 0.1;

export const percent = (share: number): string => {
  const value = 100 * share;
  return `${value < 0.1 ? "below 0.1" : value < 10 ? Number(value.toPrecision(2)) : Math.round(value)}\u00a0%`;
};

/** A number with three digits and a true minus. */
export const short = (value: number): string => Number(value.toPrecision(3)).toString().replace("-", "−");

/** Numbers as code: rounded to twelve digits, without rounding errors of binary fractions. */
export const exact = (value: number): string => String(Number(value.toPrecision(12)));

export const WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight"];

/**
 * The sentence about a trained network. `gap` is ∫|ΔL|/∫L, undefined if there is no network yet; `why` explains a misfit
 * at this setting, as a clause that follows "because".
 */
export function verdict(gap: number | undefined, who: string, why: string, many = false): string {
  if (gap === undefined || !Number.isFinite(gap))
    return " The comparison with training appears after a network has been trained.";
  const area = `prediction and training differ by ${percent(gap)} (area between the loss curves)`;
  if (gap <= SAME) return ` ${who} ${many ? "follow" : "follows"} the prediction: ${area}.`;
  if (gap <= NEAR) return ` ${who} ${many ? "stay" : "stays"} near the prediction, not exactly on it: ${area}.`;
  return ` ${who} ${many ? "depart" : "departs"} visibly from the prediction, because ${why}: ${area}.`;
}
