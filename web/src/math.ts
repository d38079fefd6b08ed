/**
 * Equations as MathML, which browsers typeset themselves.
 *
 * The notation: `frac{a}{b}`, `sqrt{a}`, `x_{a}^{b}`, words in quotation marks, everything else in Unicode as it is read; two
 * spaces are a wide gap.
 */

const TOKEN = /\s{2,}|\s|"[^"]*"|frac|sqrt|Tr|ln|high|low|dx|dy|yx|\d+(?:\.\d+)?|[_^{}]|./gu;
const LETTER = /^\p{L}$/u;
/** Names of several letters that are factors. */
const NAMES = new Set(["Tr", "dx", "dy"]);
/** Letters that stand for sums and products, which are operators. */
const LARGE = new Set(["Σ"]);

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

class Reader {
  private readonly tokens: string[];
  private at = 0;

  constructor(text: string) {
    this.tokens = text.match(TOKEN) ?? [];
  }

  /** All up to the end, or up to the brace that closes a group. */
  row(): string {
    let made = "";
    while (this.at < this.tokens.length && this.tokens[this.at] !== "}") made += this.scripted();
    return made;
  }

  /** `{…}`, or the one thing that comes next. */
  private group(): string {
    if (this.tokens[this.at] !== "{") return this.atom();
    this.at++;
    const inside = this.row();
    if (this.tokens[this.at++] !== "}") throw new Error(`an equation has an open brace: ${this.tokens.join("")}`);
    return `<mrow>${inside}</mrow>`;
  }

  private scripted(): string {
    const base = this.atom();
    let [sub, sup] = ["", ""];
    for (; this.tokens[this.at] === "_" || this.tokens[this.at] === "^"; ) {
      if (this.tokens[this.at++] === "_") sub = this.group();
      else sup = this.group();
    }
    if (sub && sup) return `<msubsup>${base}${sub}${sup}</msubsup>`;
    return sub ? `<msub>${base}${sub}</msub>` : sup ? `<msup>${base}${sup}</msup>` : base;
  }

  private atom(): string {
    const token = this.tokens[this.at++] ?? "";
    if (token === "frac") return `<mfrac>${this.group()}${this.group()}</mfrac>`;
    if (token === "sqrt") return `<msqrt>${this.group()}</msqrt>`;
    if (token === "{") {
      this.at--;
      return this.group();
    }
    if (/^\s{2,}$/.test(token)) return '<mspace width="1.6em"/>';
    if (/^\s$/.test(token)) return "";
    if (token.startsWith('"')) return `<mtext>\u00a0${escaped(token.slice(1, -1))}\u00a0</mtext>`;
    if (/^\d/.test(token)) return `<mn>${token}</mn>`;
    // a name of several letters keeps its distance from what it multiplies
    if (token.length > 1)
      return `<mrow><mi>${escaped(token)}</mi>${NAMES.has(token) ? '<mspace width="0.17em"/>' : ""}</mrow>`;
    if (LETTER.test(token) && !LARGE.has(token)) return `<mi>${token}</mi>`;
    return `<mo>${escaped(token)}</mo>`;
  }
}

/** An equation as a MathML element's text. */
export function mathml(text: string): string {
  return `<math display="block"><mrow>${new Reader(text).row()}</mrow></math>`;
}
