/** Numbers as people read them. */

const SUPERSCRIPT: Record<string, string> = {
  "-": "⁻",
  "0": "⁰",
  "1": "¹",
  "2": "²",
  "3": "³",
  "4": "⁴",
  "5": "⁵",
  "6": "⁶",
  "7": "⁷",
  "8": "⁸",
  "9": "⁹",
};

/** 10⁻³ and the like. */
export function power(exponent: number): string {
  return `10${[...String(exponent)].map((sign) => SUPERSCRIPT[sign]).join("")}`;
}

/** A number to so many significant digits, with a power of ten where plain digits would be long. */
export function show(value: number, digits = 3): string {
  if (value === 0) return "0";
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "–" : value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) {
    const [mantissa = "", exponent = "0"] = value.toExponential(digits - 1).split("e");
    const short = String(Number(mantissa)).replace("-", "−");
    const tail = power(Number(exponent));
    return short === "1" ? tail : `${short}×${tail}`;
  }
  return String(Number(value.toPrecision(digits))).replace("-", "−");
}

/** Ticks of an axis with a common number of decimals. */
export function tick(value: number, step: number): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) return show(value, 3);
  const decimals = Math.max(0, -Math.floor(Math.log10(Math.abs(step)) + 1e-9));
  return value.toFixed(Math.min(decimals, 8)).replace("-", "−");
}
