/** The first topic as a story that is scrolled: a sealed prediction, a network that trains beside it, why, and the visitor's turn. */
import { element, Figure, type Look } from "../chart";
import { Controls } from "../controls";
import { LIGHT } from "../palette";
import { savePng } from "../save";
import { strength, timeToStrength } from "../theory/modes";
import { modesOf, STRUCTURES } from "../theory/structures";
import { type Lines, MODES, type State } from "../topic";
import { type Told as Card, cardHeight, drawCard, miss } from "./card";
import { classCode, guessCode, readClass, readGuess, SEEDS, stepOf, type Told, timeAt, writeTold } from "./code";
import { BELIEFS, type Belief, END, Fresh, peakOf, RATE, TIMES } from "./network";
import { qr } from "./qr";
import { canScan, scan } from "./scan";
import { Tree } from "./tree";

/** Strengths from which the first network and the visitor's start: weights ten times larger are a strength a hundred times larger. */
const FIRST = 1e-5;
const TURN = 1e-3;
/** Seconds that a training run takes on the screen. */
const SECONDS = 9;
/** Milliseconds of training in a frame, at most. */
const BUDGET = 5;
/** Milliseconds for which a sealed prediction is seen before the network trains. */
const PAUSE = 2500;

const calm = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;
const one = (time: number): string => time.toFixed(1);
const percent = (share: number): string => `${Math.round(100 * share)} %`;
const anySeed = (): number => crypto.getRandomValues(new Uint32Array(1))[0]! % SEEDS;

/** Date and time in the same words everywhere in the world. */
function moment(seconds: number): string {
  const [day, time] = new Date(1000 * seconds).toISOString().split("T");
  return `${day} ${time!.slice(0, 8)} UTC`;
}

/** Whether other machines cannot follow a link to this page. */
export const isLocal = (): boolean => location.protocol === "file:" || /^(127\.|localhost|\[::1\])/.test(location.host);

/** Trains at the pace of the clock; gives a way to stop. */
function chase(fresh: Fresh, tick: () => void, done: () => void): () => void {
  let last = performance.now();
  let owed = 0;
  const go = (now: number): void => {
    owed = Math.min(owed + ((END / RATE) * Math.max(0, now - last)) / (1000 * SECONDS), 120);
    last = now;
    const begin = performance.now();
    while (owed >= 1 && !fresh.done && performance.now() - begin < BUDGET) {
      fresh.step();
      owed--;
    }
    tick();
    if (fresh.done) done();
    else frame = requestAnimationFrame(go);
  };
  let frame = requestAnimationFrame(go);
  return () => cancelAnimationFrame(frame);
}

interface Scene {
  readonly root: HTMLElement;
  /** Draws what has changed, for the space there is. */
  readonly fit: () => void;
  /** What a presenter's key does before it goes on; false where there is nothing left to do. */
  readonly act?: () => boolean;
}

export class Story {
  readonly root = element("div", { class: "story" });
  private readonly scenes: Scene[];
  private at = 0;
  private presenting = false;
  private readonly seen = new Set<Element>();
  private readonly sizes = new ResizeObserver(() => this.fit());
  private readonly sight = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) this.seen[isIntersecting ? "add" : "delete"](target);
    this.fit();
  });

  // the first network
  private fresh = new Fresh(anySeed(), FIRST);
  private readonly tree = new Tree(() => "The tree of eight things: sealed prediction and network");
  private running = false;
  private stop = (): void => {};
  private waiting?: ReturnType<typeof setTimeout>;
  private readonly narration = element("p", { class: "sentence", "aria-live": "polite" });
  private readonly trainer = element("button", { type: "button", class: "go" });

  // the illusion and the reason
  private belief: Belief = BELIEFS[0]!;
  private readonly beliefChart: Figure;
  private readonly beliefSentence = element("p", { class: "sentence", "aria-live": "polite" });
  private start = FIRST;
  private readonly whyChart: Figure;
  private readonly whySentence = element("p", { class: "sentence" });

  // the visitor's turn
  private turn = new Fresh(anySeed(), TURN);
  private you: number[] = this.fresh.sealed.map(stepOf);
  private phase: "draw" | "training" | "done" = "draw";
  private sealedAt = 0;
  private readonly yours = new Tree(() => "Your tree, festina's sealed tree, and the network's");
  private readonly turnSentence = element("p", { class: "sentence", "aria-live": "polite" });
  private readonly sealer = element("button", { type: "button", class: "go" }, "Seal my guess");
  private readonly card = element("div", { class: "card", hidden: "" });
  private readonly cardButtons = element("p", { class: "buttons", hidden: "" });
  private stopTurn = (): void => {};
  private readonly classroom = element("div", { class: "classroom" });
  private guesses: number[][] = [];
  private readonly codes = element("textarea", {
    rows: "4",
    "aria-label": "Codes of the students",
    spellcheck: "false",
  });
  private readonly read = element("p", { role: "status" });
  private readonly histogram = element("div", { class: "card" });
  private readonly picture = element("video", { class: "camera", muted: "", playsinline: "", hidden: "" });
  private readonly scanner = element("button", { type: "button", class: "press" }, "Scan codes with the camera");
  private stopScan?: (() => void) | undefined;

  constructor(
    private look: Look,
    private readonly changed: () => void,
    told: Told,
  ) {
    this.beliefChart = new Figure(this.beliefLines(), look, "story");
    this.whyChart = new Figure(this.whyLines(), look, "story");
    this.scenes = [this.hook(), this.illusion(), this.why(), this.yourTurn()];
    this.root.append(...this.scenes.map(({ root }) => root));
    for (const { root } of this.scenes) {
      this.sizes.observe(root);
      this.sight.observe(root);
    }
    // in a scene of fixed height, a tree also changes its size when its neighbours come or go
    for (const tree of [this.tree, this.yours]) this.sizes.observe(tree.root);
    this.codes.addEventListener("input", () => this.gather());
    this.scanner.addEventListener("click", () => void this.pressScan());
    this.tree.show(this.fresh, this.stamp());
    this.set(told);
    if (!calm()) this.waiting = setTimeout(() => this.train(), PAUSE);
    this.narrate();
  }

  /** What is shown, for tests. */
  view(): Record<string, unknown> {
    return {
      seed: this.fresh.seed,
      sealed: this.fresh.sealed,
      measured: this.fresh.measured,
      done: this.fresh.done,
      said: this.narration.textContent,
      turn: { seed: this.turn.seed, you: this.you.map(timeAt), sealed: this.turn.sealed, measured: this.turn.measured },
      phase: this.phase,
      guesses: this.guesses.length,
    };
  }

  /** The link to what is shown: the visitor's turn, once it is sealed. */
  link(): string {
    return this.phase === "draw" ? "#story" : writeTold({ seed: this.turn.seed, you: this.you, at: this.sealedAt });
  }

  /** Shows what a link tells of: a class, or a turn that is over. */
  set({ seed, you, at }: Told): void {
    this.again(seed ?? anySeed());
    if (you) {
      this.you = [...you];
      this.sealedAt = at ?? 0;
      this.replay();
    }
    if (seed !== undefined) requestAnimationFrame(() => this.scenes[3]!.root.scrollIntoView());
  }

  restyle(look: Look): void {
    this.look = look;
    this.seen.clear();
    for (const { root } of this.scenes) this.seen.add(root);
    this.fit();
    this.showCard();
    this.showClass();
  }

  close(): void {
    clearTimeout(this.waiting);
    this.stop();
    this.stopTurn();
    this.stopScan?.();
    this.sizes.disconnect();
    this.sight.disconnect();
  }

  present(on: boolean): void {
    this.presenting = on;
    this.lead(0);
  }

  /** A presenter's next key: acts in the scene, then goes to the next one; false after the last. */
  next(): boolean {
    if (this.scenes[this.at]!.act?.()) return true;
    return this.lead(this.at + 1);
  }

  back(): boolean {
    return this.lead(this.at - 1);
  }

  private lead(to: number): boolean {
    if (!this.scenes[to]) return false;
    this.at = to;
    this.scenes.forEach(({ root }, i) => root.classList.toggle("away", this.presenting && i !== to));
    this.seen.add(this.scenes[to]!.root);
    this.fit();
    return true;
  }

  private fit(): void {
    for (const scene of this.scenes) if (this.seen.has(scene.root)) scene.fit();
  }

  /** A scene: one title, one sentence, what is seen, one control, and the way on. */
  private scene(id: string, title: string, ...parts: Node[]): HTMLElement {
    const heading = element("h2", { id: `chapter-${id}`, tabindex: "-1" }, title);
    return element("section", { class: `chapter ${id}`, "aria-labelledby": `chapter-${id}` }, heading, ...parts);
  }

  private onward(words: string): HTMLButtonElement {
    const button = element("button", { type: "button", class: "next" }, words);
    button.addEventListener("click", () => {
      const after = button.closest(".chapter")!.nextElementSibling ?? this.root.nextElementSibling;
      after?.scrollIntoView({ behavior: calm() ? "auto" : "smooth" });
      after?.querySelector<HTMLElement>("h2")?.focus({ preventScroll: true });
    });
    return button;
  }

  // — the hook: the sealed prediction and the network that chases it

  private hook(): Scene {
    this.trainer.addEventListener("click", () => this.press());
    const lead = element(
      "p",
      { class: "lead" },
      "festina, a Python library, predicts what a network will learn, and when.",
    );
    const root = this.scene(
      "hook",
      "This network will half believe that canaries have roots. We know when this belief will fade.",
      lead,
      this.tree.root,
      keys(),
      this.narration,
      element("p", { class: "buttons" }, this.trainer, this.onward("Why does it believe that? ↓")),
    );
    const act = (): boolean => {
      if (this.fresh.time > 0 || this.running) return false;
      this.press();
      return true;
    };
    return { root, fit: () => this.tree.fit(this.look), act };
  }

  private stamp(): string {
    return `sealed ${new Date().toLocaleTimeString("en-GB")}, before training`;
  }

  private press(): void {
    clearTimeout(this.waiting);
    if (this.fresh.done) {
      this.fresh = new Fresh(anySeed(), FIRST);
      this.tree.show(this.fresh, this.stamp());
      this.waiting = setTimeout(() => this.train(), calm() ? 0 : PAUSE);
    } else if (this.running) {
      this.stop();
      this.running = false;
    } else this.train();
    this.narrate();
  }

  private train(): void {
    this.running = true;
    let frames = 0;
    this.stop = chase(
      this.fresh,
      () => {
        this.tree.extend();
        this.narrate();
        // the second scene may be in sight as well; a few times a second is enough
        if (++frames % 6 === 0 && this.seen.has(this.scenes[1]!.root)) this.scenes[1]!.fit();
      },
      () => {
        this.running = false;
        this.narrate();
        this.scenes[1]!.fit();
      },
    );
  }

  /** One sentence that says what has just happened. */
  private narrate(): void {
    const { fresh } = this;
    const [first, second, third] = fresh.sealed;
    const [one_, two, three] = fresh.measured;
    const belief = fresh.believes(BELIEFS[0]!);
    const [gone, peak] = [peakOf(TIMES, fresh.predictedBelief(BELIEFS[0]!)).gone, fresh.peak(BELIEFS[0]!)];
    const miss = (said: number, was: number): number => Math.abs(was / said - 1);
    const worst = Math.max(miss(gone, peak.gone), ...fresh.sealed.map((time, i) => miss(time, fresh.measured[i]!)));
    const said =
      fresh.time === 0
        ? "It has not been trained yet. It will learn the properties of eight things. Thin lines predict when it tells them apart. Things on one line look the same to it."
        : fresh.done
          ? `The belief was half gone at time ${one(peak.gone)} (sealed prediction: ${one(gone)}). Animals and plants split at ${one(one_!)} (${one(first!)}), kinds at ${one(two!)} (${one(second!)}), single things at ${one(three!)} (${one(third!)}). All were within ${(100 * worst).toFixed(1)} %.`
          : three! > 0
            ? `It has separated single things at time ${one(three!)} (sealed prediction: ${one(third!)}).`
            : two! > 0
              ? `It has separated birds from fish and trees from flowers at time ${one(two!)} (sealed prediction: ${one(second!)}).`
              : one_! > 0
                ? `It was ${percent(peak.height)} sure that canaries have roots. At time ${one(one_!)} it separated animals from plants (sealed prediction: ${one(first!)}), and this belief fades.`
                : belief > 0.15
                  ? `Its answer to “do canaries have roots?” is ${percent(Math.round(20 * belief) / 20)} yes. This will fade when it separates animals from plants, at time ${one(first!)}.`
                  : "The network is training live in your browser. The wide bands are the network.";
    if (this.narration.textContent !== said) this.narration.textContent = said;
    const label = fresh.done ? "Train another network" : this.running ? "Pause" : fresh.time ? "Go on" : "Train it now";
    if (this.trainer.textContent !== label) this.trainer.textContent = label;
  }

  // — the illusion

  private illusion(): Scene {
    const controls = new Controls(
      ({ belief }) => {
        this.belief = BELIEFS[Number(belief)]!;
        update();
      },
      () => {},
    );
    const update = (): void => {
      controls.update(
        [
          {
            kind: "choice",
            id: "belief",
            label: "Choose a belief",
            value: "0",
            options: BELIEFS.map(({ words }, i) => ({ value: String(i), label: words })),
          },
        ],
        { belief: String(BELIEFS.indexOf(this.belief)) },
      );
      this.beliefChart.update(this.beliefLines(), this.look);
      this.beliefSentence.textContent = this.beliefWords();
    };
    const root = this.scene(
      "illusion",
      "It is told the opposite all the time. It believes it anyway.",
      this.beliefSentence,
      this.beliefChart.root,
      controls.root,
      element("p", { class: "buttons" }, this.onward("Why in stages? ↓")),
    );
    return { root, fit: update };
  }

  private beliefLines(): Lines {
    const index = BELIEFS.indexOf(this.belief);
    const { seen } = this.fresh;
    const predicted = this.fresh.predictedBelief(this.belief);
    const peak = peakOf(TIMES, predicted);
    return {
      kind: "lines",
      id: "belief",
      title: `“${this.belief.words}”`,
      wide: true,
      x: { label: "training time", values: TIMES, range: [0, END] },
      y: { label: "belief (0 no, 1 yes)", range: [-0.05, 0.5] },
      lines: [
        ...(seen.length > 1
          ? [
              {
                label: "the network",
                x: seen.map(({ time }) => time),
                y: seen.map(({ beliefs }) => beliefs[index]!),
                colour: 1,
                role: "trained" as const,
              },
            ]
          : []),
        { label: "prediction, sealed", y: predicted, colour: 1 },
      ],
      marks: [{ axis: "x", at: peak.gone, label: "half gone" }],
    };
  }

  private beliefWords(): string {
    const index = BELIEFS.indexOf(this.belief);
    const sealed = peakOf(TIMES, this.fresh.predictedBelief(this.belief));
    const own = this.fresh.peak(this.belief);
    const why = [
      "Half of all things have roots. The network has learned what all things share, but not yet that animals are different, so it answers “about half” for everything.",
      "Half of all animals swim. The network can tell animals from plants, but not yet birds from fish, so it answers “about half” for every animal.",
      "Half of all birds here sing. The network can tell birds from fish, but not yet one bird from the other, so it answers “about half” for both.",
    ][index]!;
    const measured = Number.isFinite(own.gone)
      ? ` The network’s belief peaked at ${one(own.time)} (${percent(own.height)}) and was half gone at ${one(own.gone)}.`
      : "";
    return `${why} Sealed prediction: the belief peaks at ${one(sealed.time)} (${percent(sealed.height)}) and is half gone at ${one(sealed.gone)}.${measured}`;
  }

  // — the reason

  private why(): Scene {
    const controls = new Controls(
      ({ start }) => {
        this.start = start as number;
        update();
      },
      () => {},
    );
    const update = (): void => {
      const state: State = { start: this.start };
      controls.update(
        [
          {
            kind: "slider",
            id: "start",
            label: "Initial strength",
            help: "How strongly a pattern passes through both layers at the start. Weights ten times as large make it 10 × 10 = 100 times as strong.",
            min: 1e-6,
            max: 0.1,
            step: 0.05,
            value: FIRST,
            log: true,
          },
        ],
        state,
      );
      this.whyChart.update(this.whyLines(), this.look);
      const [first, last] = [halfOf(0, this.start), halfOf(7, this.start)];
      this.whySentence.textContent = `All eight things grow, four move, two fly, one sings. A property that more things share is a stronger pattern in the data. Each layer learns a pattern faster the more of it the other layer already carries, so a pattern grows slowly at first and then faster and faster. The strongest is far ahead before the next one shows. From this initial strength the first pattern is half learned at ${one(first)}, the last at ${one(last)}.`;
    };
    const root = this.scene(
      "why",
      "Why in stages: what many things share is learned first.",
      this.whySentence,
      this.whyChart.root,
      controls.root,
      element("p", { class: "buttons" }, this.onward("Your turn ↓")),
    );
    return { root, fit: update };
  }

  private whyLines(): Lines {
    const names = ["everything", "animals | plants", "kinds", "single things"];
    return {
      kind: "lines",
      id: "shares",
      title: "When each pattern is half learned",
      wide: true,
      x: { label: "training time", values: TIMES, range: [0, END] },
      y: { label: "share learned", range: [0, 1.02] },
      lines: task.groups.map(([k], g) => ({
        label: `${names[g]!}: ${one(halfOf(k!, this.start))}`,
        y: strength(TIMES, { s: task.s[k!]!, d: task.d }, this.start, 2).map((value) => value / task.targets[k!]!),
        colour: MODES + g,
      })),
      marks: task.groups.map(([k], g) => ({
        axis: "x" as const,
        at: halfOf(k!, this.start),
        label: "",
        colour: MODES + g,
      })),
    };
  }

  // — the visitor's turn

  private yourTurn(): Scene {
    this.sealer.addEventListener("click", () => this.seal());
    const school = element("details", { class: "class" }, element("summary", {}, "With a class"), this.classroom);
    // a histogram needs to know its width
    school.addEventListener("toggle", () => this.gather());
    const root = this.scene(
      "turn",
      "Your turn: this network starts with ten times larger weights. When will its branches split?",
      this.turnSentence,
      this.yours.root,
      keys(true),
      this.card,
      this.cardButtons,
      element("p", { class: "buttons" }, this.sealer, this.onward("Play with all settings ↓")),
      school,
    );
    return {
      root,
      fit: () => {
        this.yours.fit(this.look);
        this.showCard();
      },
      act: () => {
        if (this.phase !== "draw") return false;
        this.seal();
        return true;
      },
    };
  }

  /** A new network to guess at. */
  private again(seed: number): void {
    this.stopTurn();
    if (seed !== this.turn.seed) this.codes.value = "";
    this.turn = new Fresh(seed, TURN);
    this.phase = "draw";
    this.you = this.fresh.sealed.map(stepOf);
    this.yours.show(this.turn, "", false);
    this.showTurn();
  }

  private showTurn(): void {
    const drag = (level: number, time: number): void => {
      const step = stepOf(time);
      // a fine branch cannot part before a broad one
      this.you = this.you.map((other, i) =>
        i === level ? step : i < level ? Math.min(other, step) : Math.max(other, step),
      );
      this.showTurn();
    };
    this.yours.guess(this.you.map(timeAt), this.phase === "draw" ? drag : undefined);
    const { sealed, measured } = this.turn;
    const [you, festina] = [this.you.map(timeAt), sealed].map((said) => miss(said, measured));
    this.turnSentence.textContent = {
      draw: `Drag the circles to where you think the branches split, or move them with the arrow keys: now at ${this.you.map((step) => one(timeAt(step))).join(", ")}. They start where the first network split.`,
      training: `Your guess and festina's prediction are sealed (${moment(this.sealedAt)}). The network is training.`,
      done: `You were off by ${one(you!)} on average, festina by ${one(festina!)}. Its weights were ten times as large as above, and learning was faster, but not ten times: each tenfold increase shortens the wait by the same amount.`,
    }[this.phase];
    this.sealer.hidden = this.phase !== "draw";
    this.cardButtons.hidden = this.card.hidden = this.phase !== "done";
    this.showCard();
    this.showClass();
  }

  private seal(): void {
    this.phase = "training";
    this.sealedAt = Math.floor(Date.now() / 1000);
    const held = this.sealer === document.activeElement;
    this.yours.show(this.turn, `sealed ${moment(this.sealedAt)}`);
    this.showTurn();
    this.changed();
    if (held) this.root.querySelector<HTMLElement>("#chapter-turn")!.focus({ preventScroll: true });
    const ready = (): void => {
      this.stopTurn = chase(
        this.turn,
        () => this.yours.extend(),
        () => this.finish(),
      );
    };
    const wait = setTimeout(ready, calm() ? 0 : PAUSE / 2);
    this.stopTurn = () => clearTimeout(wait);
  }

  /** The whole turn at once, from a link; its network is trained anew from its seed. */
  private replay(): void {
    this.yours.show(this.turn, `sealed ${moment(this.sealedAt)}`);
    while (!this.turn.done) this.turn.step();
    this.yours.extend();
    this.finish();
  }

  private finish(): void {
    this.phase = "done";
    this.showTurn();
  }

  private told(): Card {
    return {
      title: "When does a network tell eight things apart?",
      you: this.you.map(timeAt),
      festina: this.turn.sealed,
      network: this.turn.measured,
      foot: `sealed ${moment(this.sealedAt)}, before training · network ${classCode(this.turn.seed)}`,
    };
  }

  private showCard(): void {
    if (this.phase !== "done") return;
    const width = Math.min(this.card.clientWidth || 640, 760);
    this.card.innerHTML = drawCard(this.told(), width, letterFor(width, this.look), this.look.palette);
    if (this.cardButtons.childElementCount) return;
    const save = element("button", { type: "button", class: "press" }, "Save the card");
    save.addEventListener("click", () => {
      const [wide, letter] = [760, 15];
      void savePng(
        drawCard(this.told(), wide, letter, LIGHT),
        wide,
        cardHeight(this.told(), letter),
        "festina-card.png",
      );
    });
    const another = element("button", { type: "button", class: "press" }, "Guess again");
    another.addEventListener("click", () => {
      this.again(anySeed());
      this.changed();
      this.sealer.focus();
    });
    this.cardButtons.append(save, another);
  }

  // — a class, without a server

  private showClass(): void {
    const { seed } = this.turn;
    const code = classCode(seed);
    const form = JSON.stringify([code, this.phase, this.phase === "draw" ? 0 : this.you, this.look.palette.paper]);
    if (this.classroom.dataset.form === form) return;
    this.classroom.dataset.form = form;
    const url = `${location.href.split("#")[0]}${writeTold({ seed })}`;
    const own = element("input", {
      type: "text",
      maxlength: "4",
      size: "5",
      "aria-label": "Class code",
      spellcheck: "false",
    });
    const join = element("button", { type: "button", class: "press" }, "Join");
    const wrong = element("p", { class: "wrong", role: "alert", hidden: "" });
    join.addEventListener("click", () => {
      const found = readClass(own.value);
      wrong.hidden = found !== undefined;
      wrong.textContent = `“${own.value}” is not a class code. A class code has four letters or digits.`;
      if (found !== undefined) this.again(found);
    });
    const guess = guessCode(seed, this.you);
    const sealed =
      this.phase === "draw"
        ? []
        : [
            element(
              "p",
              {},
              "Your code for the teacher, to read out or to scan: ",
              element("strong", { class: "code" }, guess),
            ),
            square(guess, "QR code of your guess"),
          ];
    this.classroom.replaceChildren(
      element(
        "p",
        {},
        "Teacher: show this class code. ",
        element("strong", { class: "code" }, code),
        isLocal()
          ? " This page runs on this computer only, so a link to it does not work elsewhere. Students enter the code in their own copy."
          : " Students scan the picture or enter the code in the page.",
      ),
      ...(isLocal() ? [] : [square(url, "QR code of the link to this class")]),
      element("p", { class: "buttons" }, "Student: enter the class code ", own, join),
      wrong,
      ...sealed,
      element(
        "p",
        {},
        `Teacher: paste the codes of the students here, separated by spaces${canScan() ? ", or scan them" : ""}.`,
      ),
      this.codes,
      ...(canScan() ? [element("p", { class: "buttons" }, this.scanner), this.picture] : []),
      this.read,
      this.histogram,
    );
    if (this.codes.value) this.gather();
  }

  /** Starts or stops the camera; a code that it sees is one that is pasted. */
  private async pressScan(): Promise<void> {
    const show = (on: boolean): void => {
      this.picture.hidden = !on;
      this.scanner.textContent = on ? "Stop the camera" : "Scan codes with the camera";
    };
    if (this.stopScan) {
      this.stopScan();
      this.stopScan = undefined;
      return show(false);
    }
    show(true);
    try {
      this.stopScan = await scan(this.picture, (code) => {
        if (this.codes.value.split(/\s+/).includes(code)) return;
        this.codes.value = `${this.codes.value} ${code}`.trim();
        this.gather();
      });
    } catch (fault) {
      show(false);
      this.read.textContent = `The camera cannot be used (${fault instanceof Error ? fault.message : fault}). Paste the codes instead.`;
    }
  }

  /** The guesses of a class as dots beside festina and the network. */
  private gather(): void {
    const { seed } = this.turn;
    const [read, plot] = [this.read, this.histogram];
    const words = this.codes.value.split(/[\s,;]+/).filter(Boolean);
    const found = words.map((word) => ({ word, steps: readGuess(seed, word) }));
    const bad = found.filter(({ steps }) => !steps).map(({ word }) => `“${word.slice(0, 12)}”`);
    this.guesses = found.flatMap(({ steps }) => (steps ? [steps.map(timeAt)] : []));
    read.textContent = words.length
      ? `${this.guesses.length} ${this.guesses.length === 1 ? "guess" : "guesses"} read.${bad.length ? ` Not from this class: ${bad.slice(0, 5).join(", ")}.` : ""}`
      : "";
    const over = this.phase === "done";
    const width = Math.min(plot.clientWidth || 640, 760);
    const card: Card = {
      title: `Guesses of class ${classCode(seed)}`,
      foot: over ? this.told().foot : "festina and the network appear after the network has been trained",
      guesses: this.guesses,
      ...(over ? { festina: this.turn.sealed, network: this.turn.measured } : {}),
    };
    plot.innerHTML = this.guesses.length ? drawCard(card, width, letterFor(width, this.look), this.look.palette) : "";
  }
}

const task = modesOf(STRUCTURES[0]!);
const halfOf = (k: number, start: number): number =>
  timeToStrength(task.targets[k]! / 2, { s: task.s[k]!, d: task.d }, start, 2);

/** Letters of a card: as large as the page's where its words fit. */
const letterFor = (width: number, look: Look): number => Math.min(look.letter, width / 30);

/** What the shapes mean. */
function keys(you = false): HTMLElement {
  const key = (kind: string, words: string): HTMLElement =>
    element("span", { class: "kind" }, element("span", { class: `key ${kind}`, "aria-hidden": "true" }), words);
  return element(
    "p",
    { class: "keys" },
    key("predicted", "the sealed prediction"),
    key("split", "branches half apart"),
    key("trained", "the network"),
    ...(you ? [key("drawn", "you")] : []),
  );
}

/** A QR code as SVG. */
function square(text: string, label: string): HTMLElement {
  const modules = qr(text);
  const size = modules.length + 8;
  const path = modules.flatMap((row, i) => row.flatMap((dark, j) => (dark ? [`M${j + 4} ${i + 4}h1v1h-1z`] : [])));
  const made = element("div", { class: "qr" });
  made.innerHTML = `<svg role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path.join("")}" fill="#000"/></svg>`;
  return made;
}
