/** A topic on the page: its controls, sentence, numbers, charts and words, and the training beside them. */
import { Figure, type Look, element } from "./chart";
import { Controls } from "./controls";
import { show } from "./format";
import { train } from "./live";
import { DARK, LIGHT } from "./palette";
import type { Chart, Quantity, Topic, State } from "./topic";
import { complete, controlsOf } from "./state";

/** A pause after the last move of a slider before networks are trained again. */
const REST = 350;

export interface Shown {
  readonly topic: string;
  readonly state: State;
  readonly sentence: string;
  readonly numbers: Readonly<Record<string, number>>;
  readonly charts: readonly Chart[];
  readonly training: "off" | "waiting" | "running" | "done";
}

export interface Hooks {
  /** The state was changed by hand. */
  readonly changed: (state: State) => void;
  /** Training was switched on or off by hand. */
  readonly switched?: (on: boolean) => void;
  /** A view was drawn. */
  readonly drawn?: (shown: Shown) => void;
}

/** One topic in an element of the page. */
export class TopicView {
  readonly root = element("section", { class: "topic" });
  private readonly controls = new Controls((values) => this.change(values));
  private readonly sentence = element("p", { class: "sentence", "aria-live": "polite" });
  private readonly numbers = element("dl", { class: "numbers" });
  private readonly charts = element("div", { class: "charts" });
  private readonly code = element("code");
  private readonly status = element("span", { class: "status", "aria-hidden": "true" });
  private readonly switch?: HTMLButtonElement;
  private readonly figures = new Map<string, Figure>();
  private readonly observer = new ResizeObserver(() => this.figures.forEach((figure) => figure.fit()));
  private snapshot: unknown;
  private training: Shown["training"] = "off";
  private key?: string;
  private stop = () => {};
  private pause?: ReturnType<typeof setTimeout>;
  private frame?: number;
  private shown?: Shown;

  constructor(
    readonly topic: Topic,
    private state: State,
    private look: Look,
    private readonly hooks: Hooks,
    private live: boolean,
  ) {
    const panel = element("div", { class: "panel" }, this.controls.root);
    if (topic.live) {
      this.switch = element("button", { type: "button", class: "train", "data-control": "live" }, element("span", { class: "lamp" }), topic.live.label, this.status);
      this.switch.addEventListener("click", () => {
        this.train(!this.live);
        this.hooks.switched?.(this.live);
      });
      panel.append(this.switch);
    }
    const head = element("header", {}, element("h2", {}, topic.question));
    const side = element("div", { class: "side" }, panel, this.numbers);
    this.root.append(head, side, element("div", { class: "seen" }, this.sentence, this.charts, words(topic, this.code)));
    this.observer.observe(this.charts);
    this.follow();
    this.paint();
  }

  /** Sets the state from outside: a link, or a notebook. */
  set(state: State): void {
    this.state = state;
    this.follow();
    this.schedule();
  }

  /** Begins to train beside the prediction, or ends it. */
  train(on: boolean): void {
    if (this.live === on) return;
    this.live = on;
    this.key = undefined;
    this.follow();
    this.schedule();
  }

  restyle(look: Look): void {
    this.look = look;
    this.schedule();
  }

  /** What is drawn, at this moment. */
  view(): Shown {
    if (this.frame !== undefined) this.paint();
    return { ...this.shown!, training: this.training };
  }

  close(): void {
    this.halt();
    this.observer.disconnect();
    if (this.frame !== undefined) cancelAnimationFrame(this.frame);
  }

  private change(values: Partial<State>): void {
    this.set(complete(this.topic, { ...this.state, ...values }).state);
    this.hooks.changed(this.state);
  }

  private halt(): void {
    clearTimeout(this.pause);
    this.stop();
    this.stop = () => {};
  }

  /** Training follows the state: what depends on changed settings is stopped, forgotten, and begun again when the hand rests. */
  private follow(): void {
    const { live } = this.topic;
    if (!live) return;
    const key = this.live ? live.key(this.state) : undefined;
    if (key === undefined || key !== this.key) {
      this.halt();
      this.snapshot = undefined;
      this.key = key;
      this.training = key === undefined ? "off" : "waiting";
      if (key !== undefined) this.pause = setTimeout(() => this.begin(), REST);
    }
    this.switch!.setAttribute("aria-pressed", String(this.live));
    this.say();
  }

  private begin(): void {
    this.training = "running";
    this.say();
    this.stop = train(
      this.topic,
      this.state,
      (snapshot) => {
        this.snapshot = snapshot;
        this.schedule();
      },
      () => {
        this.training = "done";
        this.say();
      },
    );
  }

  private say(): void {
    this.status.textContent = { off: "off", waiting: "…", running: "training", done: "done" }[this.training];
    this.switch!.dataset.training = this.training;
  }

  private schedule(): void {
    this.frame ??= requestAnimationFrame(() => this.paint());
  }

  private paint(): void {
    if (this.frame !== undefined) cancelAnimationFrame(this.frame);
    this.frame = undefined;
    const { topic, state, look } = this;
    this.controls.update(controlsOf(topic, state), state);
    const view = topic.view(state, this.snapshot);
    this.shown = { topic: topic.id, state, sentence: view.sentence, numbers: Object.fromEntries(view.numbers.map(({ id, value }) => [id, value])), charts: view.charts, training: this.training };
    this.sentence.textContent = view.sentence;
    this.numbers.replaceChildren(...view.numbers.map(quantity));
    this.code.textContent = topic.python(state);
    this.arrange(view.charts);
    for (const chart of view.charts) this.figures.get(chart.id)!.update(chart, look);
    this.hooks.drawn?.(this.shown);
  }

  private arrange(charts: readonly Chart[]): void {
    const ids = charts.map((chart) => `${chart.kind} ${chart.id}`).join();
    if (this.charts.dataset.ids === ids) return;
    this.charts.dataset.ids = ids;
    const kept = new Map(charts.map((chart) => [chart.id, new Figure(chart, this.look, this.topic.id)]));
    this.figures.clear();
    kept.forEach((figure, id) => this.figures.set(id, figure));
    this.charts.replaceChildren(...[...kept.values()].map((figure) => figure.root));
  }
}

function quantity({ id, label, value, unit, format }: Quantity): HTMLElement {
  const words = element("dd", {}, (format ?? show)(value));
  if (unit) words.append(" ", element("small", {}, unit));
  return element("div", { "data-number": id }, element("dt", {}, label), words);
}

/** The theory, the paper, and the same in Python; opened when asked for. */
function words(topic: Topic, code: HTMLElement): HTMLElement {
  const equations = topic.theory.equations.map((line) => element("li", {}, line));
  const paper = element("a", { href: topic.paper.href, target: "_blank", rel: "noopener noreferrer" }, topic.paper.text);
  const copy = element("button", { type: "button", class: "copy" }, "Copy");
  copy.addEventListener("click", () => copied(copy, code.textContent ?? ""));
  return element(
    "div",
    { class: "words" },
    element("details", {}, element("summary", {}, "The theory"), element("p", {}, topic.theory.text), element("ul", { class: "equations" }, ...equations), element("p", {}, "Source: ", paper)),
    element("details", {}, element("summary", {}, "The same in Python"), copy, element("pre", {}, code)),
  );
}

/** Puts text on the clipboard and says so on the button. */
export async function copied(button: HTMLButtonElement, text: string): Promise<void> {
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Copying is not allowed here";
  }
  setTimeout(() => {
    button.textContent = before;
  }, 1500);
}

/** Dark or light as the reader's system says, unless the reader has chosen; letters as large as the root's. */
export function lookOf(root: HTMLElement): Look {
  const chosen = root.dataset.theme;
  const dark = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  return { palette: dark ? DARK : LIGHT, letter: Math.round(Number.parseFloat(getComputedStyle(root).fontSize) * 0.82) };
}
