/** A topic on the page: its drawing, question, controls, sentence, numbers, charts and glossary, and the training. */
import { element, Figure, type Look } from "./chart";
import { Controls } from "./controls";
import { drawSchematic } from "./draw/schematic";
import { show } from "./format";
import { train } from "./live";
import { mathml } from "./math";
import { DARK, LIGHT } from "./palette";
import { complete, controlsOf } from "./state";
import type { Ask, Chart, Quantity, State, Topic } from "./topic";
import { GLOSSARY, nameOf } from "./topics/glossary";

/** A pause after the last move of a slider before networks are trained again. */
const REST = 350;
/** Milliseconds in which the moment runs from 0 to 1. */
const PLAY = 5000;

/** The steps of a topic: a question, the sealed prediction, the training network, the reason, and all settings. */
const STEPS = ["ask", "sealed", "training", "why", "play"] as const;
type Step = (typeof STEPS)[number];

export interface Shown {
  readonly topic: string;
  readonly state: State;
  readonly sentence: string;
  readonly numbers: Readonly<Record<string, number>>;
  readonly charts: readonly Chart[];
  readonly training: "off" | "waiting" | "running" | "done" | "impossible";
  readonly playing: boolean;
  readonly step: Step;
}

export interface Hooks {
  /** The state was changed by hand. */
  readonly changed: (state: State) => void;
  /** Training was switched on or off by hand. */
  readonly switched?: (on: boolean) => void;
  /** A view was drawn. */
  readonly drawn?: (shown: Shown) => void;
  /** The visitor has come to all settings. */
  readonly answered?: () => void;
}

/** One topic in an element of the page. */
export class TopicView {
  readonly root = element("section", { class: "topic" });
  private readonly controls = new Controls(
    (values) => this.change(values),
    (wrong) => this.root.classList.toggle("stale", wrong),
  );
  private readonly sentence = element("p", { class: "sentence", "aria-live": "polite" });
  private readonly numbers = element("dl", { class: "numbers" });
  private readonly charts = element("div", { class: "charts" });
  private readonly code = element("code");
  private readonly status = element("span", { class: "status", "aria-hidden": "true" });
  private readonly switch?: HTMLButtonElement;
  private readonly player?: HTMLButtonElement;
  private readonly drawing = element("div", { class: "drawing" });
  private readonly caption = element("figcaption");
  private readonly asked = element("section", { class: "ask", "aria-label": "A question first" });
  private readonly side = element("div", { class: "side" });
  private step: Step = "play";
  private chosen?: number;
  private sealed = "";
  private presenting = false;
  /** Which chart a presenter shows. */
  private at = 0;
  private playing?: number;
  private readonly figures = new Map<string, Figure>();
  private readonly observer = new ResizeObserver(() => {
    this.figures.forEach((figure) => figure.fit());
    this.hold();
  });
  private drawn = "";
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
    ask = false,
  ) {
    const panel = element("div", { class: "panel" }, this.controls.root);
    if (controlsOf(topic, state).some(({ id }) => id === "moment")) {
      this.player = element("button", { type: "button", class: "play" }, "▶ Play");
      this.player.addEventListener("click", () => (this.playing === undefined ? this.play() : this.pauseAt()));
      panel.append(this.player);
    }
    if (topic.live) {
      this.switch = element(
        "button",
        { type: "button", class: "train", "data-control": "live" },
        element("span", { class: "lamp" }),
        topic.live.label,
        this.status,
      );
      this.switch.addEventListener("click", () => {
        this.train(!this.live);
        this.hooks.switched?.(this.live);
      });
      panel.append(this.switch);
    }
    const head = element("header", {}, element("h2", {}, topic.question));
    this.side.append(panel, this.numbers);
    const scene = element(
      "div",
      { class: "scene" },
      element("figure", { class: "schematic" }, this.drawing, this.caption),
      element("div", { class: "said" }, this.asked, this.sentence),
    );
    this.root.append(head, this.side, element("div", { class: "seen" }, scene, this.charts, words(topic, this.code)));
    this.observer.observe(this.charts);
    this.observer.observe(this.side);
    this.asked.tabIndex = -1;
    if (ask && topic.ask) this.step = "ask";
    this.enter();
  }

  /** Runs the moment from the start to the end, once. */
  play(): void {
    if (!this.player) return;
    this.pauseAt();
    const begin = performance.now();
    const next = (now: number): void => {
      const share = Math.min(1, Math.max(0, (now - begin) / PLAY));
      this.state = { ...this.state, moment: Math.round(100 * share) / 100 };
      this.playing = share < 1 ? requestAnimationFrame(next) : undefined;
      this.showPlayer();
      this.paint();
    };
    this.playing = requestAnimationFrame(next);
    this.showPlayer();
  }

  private pauseAt(): void {
    if (this.playing !== undefined) cancelAnimationFrame(this.playing);
    this.playing = undefined;
    this.showPlayer();
    this.schedule();
  }

  private showPlayer(): void {
    if (this.player) this.player.textContent = this.playing === undefined ? "▶ Play" : "❚❚ Pause";
  }

  /** Goes to the next step, or to a presenter's next chart; false at the end of the topic. */
  next(): boolean {
    const after = STEPS[STEPS.indexOf(this.step) + 1];
    if (after) {
      // nothing is sealed or trained where there is nothing to train
      this.go(after === "sealed" && this.training === "impossible" ? "play" : after);
      return true;
    }
    return this.turn(1);
  }

  /** Goes a step back; false at the beginning of the topic. */
  back(): boolean {
    if (this.step === "play" && this.turn(-1)) return true;
    const before = STEPS[STEPS.indexOf(this.step) - 1];
    if (!before || !this.topic.ask) return false;
    this.go(before);
    return true;
  }

  /** Shows one chart at a time, or all of them again. */
  present(on: boolean): void {
    this.presenting = on;
    this.at = 0;
    this.schedule();
  }

  private turn(by: number): boolean {
    const to = this.at + by;
    if (!this.presenting || to < 0 || to >= this.figures.size) return false;
    this.at = to;
    this.schedule();
    return true;
  }

  private go(step: Step): void {
    const held = this.asked.contains(document.activeElement);
    this.step = step;
    if (step === "sealed") this.sealed = new Date().toLocaleTimeString("en-GB");
    this.enter();
    if (step === "play") this.open();
    if (!held) return;
    // the button that was pressed is gone; the focus goes on with the story
    const focus = step === "play" ? this.controls.root.querySelector<HTMLElement>("input, button, textarea") : null;
    (focus ?? this.asked).focus({ preventScroll: true });
  }

  private enter(): void {
    this.root.dataset.step = this.step;
    this.asked.hidden = this.step === "play" && this.chosen === undefined;
    if (this.step === "play") this.hooks.answered?.();
    this.follow();
    this.paint();
  }

  /** What is asked and answered at this step and at these settings. */
  private tell(): void {
    const { ask } = this.topic;
    if (!ask || this.asked.hidden) return;
    const form = JSON.stringify([this.step, this.chosen, this.step === "ask" ? 0 : this.state, this.training]);
    if (this.asked.dataset.form === form) return;
    this.asked.dataset.form = form;
    const button = (words: string, act: () => void, kind = "go"): HTMLButtonElement => {
      const made = element("button", { type: "button", class: kind }, words);
      made.addEventListener("click", act);
      return made;
    };
    if (this.step === "ask") {
      const options = ask.options.map((option, i) =>
        button(
          option,
          () => {
            this.chosen = i;
            this.next();
          },
          "option",
        ),
      );
      this.asked.replaceChildren(
        element("p", { class: "prompt" }, element("strong", {}, "First, a guess. "), ask.prompt),
        element(
          "div",
          { class: "options" },
          ...options,
          button("Show me everything", () => this.go("play"), "skip"),
        ),
      );
      return;
    }
    const words: Record<Exclude<Step, "ask">, string> = {
      sealed: `Thin lines are predictions. They were sealed at ${this.sealed}; no network has been trained yet.`,
      training: `A network is training now. Wide bands are the network. ${this.topic.live?.fitted ?? `Thin lines were sealed at ${this.sealed}.`}`,
      why: "",
      play: "",
    };
    const actions: Record<Exclude<Step, "ask">, HTMLElement[]> = {
      sealed: [button(this.topic.live?.label ?? "Go on", () => this.next())],
      training: [button("Why?", () => this.next())],
      why: [button("Play with the settings", () => this.next())],
      play: [],
    };
    const held = this.asked.contains(document.activeElement);
    this.asked.replaceChildren(
      element("p", { class: "answer", role: "status" }, ...this.answer(ask), words[this.step]),
      ...actions[this.step],
    );
    // a step that comes by itself must not take the focus away
    if (held) (this.asked.querySelector<HTMLElement>(".go") ?? this.asked).focus({ preventScroll: true });
  }

  /** What the prediction says at these settings, and why. */
  private answer(ask: Ask): (Node | string)[] {
    const right = ask.right(this.state);
    if (right === undefined) return ["The question does not apply at these settings."];
    const verdict =
      this.chosen === undefined
        ? "The prediction"
        : this.chosen === right
          ? "Yes. The prediction"
          : "Not this time. The prediction";
    const first = ask.right(complete(this.topic, {}).state);
    const why =
      this.step === "sealed" || this.step === "training"
        ? ""
        : right === first
          ? ask.because
          : `At the initial settings it was “${ask.options[first!]!}”.`;
    return [element("strong", {}, `${verdict} says: “${ask.options[right]!}”. `), why];
  }

  /** On opening the moment runs once, unless the reader's system asks for less motion. */
  open(): void {
    if (this.step === "play" && !matchMedia("(prefers-reduced-motion: reduce)").matches) this.play();
  }

  /** A panel higher than the window scrolls with the page until its foot is seen, instead of being cut. */
  private hold(): void {
    const spare = innerHeight - this.side.offsetHeight - 12;
    this.side.style.setProperty("--hold", `${Math.min(12, spare)}px`);
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
    return { ...this.shown!, training: this.training, playing: this.playing !== undefined, step: this.step };
  }

  close(): void {
    this.halt();
    if (this.playing !== undefined) cancelAnimationFrame(this.playing);
    this.observer.disconnect();
    if (this.frame !== undefined) cancelAnimationFrame(this.frame);
  }

  private change(values: Partial<State>): void {
    if (this.playing !== undefined) this.pauseAt();
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
    const impossible = live.impossible?.(this.state);
    // nothing is trained behind a question or before the seal
    const begun = STEPS.indexOf(this.step) >= STEPS.indexOf("training");
    const key = this.live && begun && impossible === undefined ? live.key(this.state) : undefined;
    if (key === undefined || key !== this.key) {
      this.halt();
      this.snapshot = undefined;
      this.key = key;
      this.training = impossible !== undefined ? "impossible" : key === undefined ? "off" : "waiting";
      if (key !== undefined) this.pause = setTimeout(() => this.begin(), REST);
    }
    this.switch!.setAttribute("aria-pressed", String(key !== undefined));
    this.switch!.disabled = impossible !== undefined;
    this.switch!.title = impossible ?? "";
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
        if (this.step === "training") this.next();
      },
    );
  }

  private say(): void {
    this.status.textContent = {
      off: "off",
      waiting: "…",
      running: "training",
      done: "trained",
      impossible: "not possible",
    }[this.training];
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
    this.shown = {
      topic: topic.id,
      state,
      sentence: view.sentence,
      numbers: Object.fromEntries(view.numbers.map(({ id, value }) => [id, value])),
      charts: view.charts,
      training: this.training,
      playing: this.playing !== undefined,
      step: this.step,
    };
    this.tell();
    this.sentence.textContent = view.sentence;
    this.numbers.replaceChildren(...view.numbers.map(quantity));
    this.code.textContent = topic.python(state);
    this.arrange(view.charts);
    this.lead(view.charts);
    for (const chart of view.charts) this.figures.get(chart.id)!.update(chart, look, this.playing !== undefined);
    const schematic = topic.schematic(state);
    const drawn = drawSchematic(schematic, look.letter, look.palette);
    if (this.drawn !== drawn) this.drawing.innerHTML = this.drawn = drawn;
    this.caption.textContent = schematic.caption;
    this.hooks.drawn?.(this.shown);
  }

  /** Marks the chart that is shown alone, before all of them are or by a presenter. */
  private lead(charts: readonly Chart[]): void {
    const main = this.topic.main?.find((id) => this.figures.has(id)) ?? charts[0]!.id;
    const shown = this.step === "play" ? charts[Math.min(this.at, charts.length - 1)]!.id : main;
    this.figures.forEach((figure, id) => {
      figure.root.classList.toggle("main", id === shown);
      const whole = this.step === "sealed" || !this.topic.live?.fitted;
      figure.seal(id === main && whole && this.sealed && this.step !== "play" ? this.sealed : undefined);
    });
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

/** The words, the theory, the paper, and the same in Python; opened when asked for. */
function words(topic: Topic, code: HTMLElement): HTMLElement {
  const equations = topic.theory.equations.map((line) => {
    const item = element("li");
    item.innerHTML = mathml(line);
    return item;
  });
  const paper = element(
    "a",
    { href: topic.paper.href, target: "_blank", rel: "noopener noreferrer" },
    topic.paper.text,
  );
  const copy = element("button", { type: "button", class: "copy" }, "Copy");
  copy.addEventListener("click", () => copied(copy, code.textContent ?? ""));
  return element(
    "div",
    { class: "words" },
    element(
      "details",
      { class: "terms" },
      element("summary", {}, "Glossary"),
      element(
        "dl",
        {},
        ...topic.terms.flatMap((term) => [element("dt", {}, nameOf(term)), element("dd", {}, GLOSSARY[term])]),
      ),
    ),
    element(
      "details",
      {},
      element("summary", {}, "The theory"),
      element("p", {}, topic.theory.text),
      element("ul", { class: "equations" }, ...equations),
      element("p", {}, "Source: ", paper),
    ),
    element("details", {}, element("summary", {}, "The same in Python"), copy, element("pre", {}, code)),
  );
}

/** Puts text on the clipboard and says so on the button. */
export async function copied(button: HTMLButtonElement, text: string, done = "Copied"): Promise<void> {
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = done;
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
  return {
    palette: dark ? DARK : LIGHT,
    letter: Math.round(Number.parseFloat(getComputedStyle(root).fontSize) * 0.82),
    // beside one title and one sentence a presenter's chart has a third of the screen
    ...(root.classList.contains("presenter") ? { tallest: 0.36 * innerHeight } : {}),
  };
}
