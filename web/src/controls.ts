/** Sliders, choices, toggles and buttons: native elements, so that keys, touch and screen readers work as people expect. */
import { element } from "./chart";
import { show } from "./format";
import { stepOf, steps, valueAt } from "./state";
import type { Button, Choice, Control, Grid, Slider, State, Text, Value } from "./topic";

type Change = (values: Partial<State>) => void;

interface Part {
  readonly root: HTMLElement;
  /** Shows the state, whoever changed it. */
  readonly set: (state: State) => void;
}

/** The panel of a topic's controls. Elements stay as long as their control does, so that a drag or the focus is not lost. */
export class Controls {
  readonly root = element("div", { class: "controls" });
  private readonly further = element("details", { class: "more" }, element("summary", {}, "More settings"));
  private parts = new Map<string, { form: string; part: Part }>();
  private controls: readonly Control[] = [];
  private state: State = {};

  /** `refused` is told whether a text stands there that cannot be used. */
  constructor(
    private readonly change: Change,
    private readonly refused: (wrong: boolean) => void,
  ) {}

  update(controls: readonly Control[], state: State): void {
    this.state = state;
    this.controls = controls;
    const kept = new Map<string, { form: string; part: Part }>();
    for (const control of controls) {
      const form = JSON.stringify({ ...control, value: undefined });
      const old = this.parts.get(control.id);
      kept.set(control.id, old?.form === form ? old : { form, part: this.make(control) });
    }
    const rootsOf = (more: boolean): HTMLElement[] =>
      controls.filter((control) => (control.more ?? false) === more).map(({ id }) => kept.get(id)!.part.root);
    const [first, more] = [rootsOf(false), rootsOf(true)];
    this.place(this.root, more.length ? [...first, this.further] : first);
    this.place(this.further, [this.further.firstElementChild as HTMLElement, ...more]);
    this.parts = kept;
    for (const { part } of kept.values()) part.set(state);
  }

  /** Only what is new is put in: an element that is moved loses the focus. */
  private place(parent: HTMLElement, roots: HTMLElement[]): void {
    for (const child of [...parent.children]) if (!roots.includes(child as HTMLElement)) child.remove();
    roots.forEach((root, i) => {
      if (parent.children[i] !== root) parent.insertBefore(root, parent.children[i] ?? null);
    });
  }

  private make(control: Control): Part {
    if (control.kind === "slider") return slider(control, this.change);
    if (control.kind === "choice") return choice(control, this.change);
    if (control.kind === "grid") return grid(control, this.change);
    if (control.kind === "text") return table(control, this.change, this.refused);
    // asked when pressed, because what a button does may depend on the other controls
    const press = () =>
      this.controls
        .find((other): other is Button => other.kind === "button" && other.id === control.id)
        ?.press(this.state);
    return button(control, () => this.change(press() ?? {}));
  }
}

function identity(id: string): string {
  return `festina-${id}-${++count}`;
}
let count = 0;

interface Help {
  /** The question mark, beside the control's name. */
  readonly mark: Node;
  /** The sentence, below the name; hidden until asked for, and always read by screen readers with the control. */
  readonly text: Node;
  readonly describes: Record<string, string>;
}

/** Help that a key, a finger and a screen reader reach. */
function helpOf(control: Control): Help {
  const none = document.createDocumentFragment();
  if (!control.help) return { mark: none, text: none, describes: {} };
  const id = identity(`${control.id}-help`);
  const text = element("p", { class: "help", id, hidden: "" }, control.help);
  const mark = element(
    "button",
    {
      type: "button",
      class: "ask-help",
      "aria-expanded": "false",
      "aria-controls": id,
      "aria-label": `Help on ${control.label}`,
    },
    "?",
  );
  mark.addEventListener("click", () => {
    text.hidden = !text.hidden;
    mark.setAttribute("aria-expanded", String(!text.hidden));
  });
  return { mark, text, describes: { "aria-describedby": id } };
}

function slider(control: Slider, change: Change): Part {
  const name = identity(control.id);
  const help = helpOf(control);
  const input = element("input", {
    ...help.describes,
    type: "range",
    id: name,
    min: "0",
    max: String(steps(control)),
    step: "1",
    "data-control": control.id,
  });
  const output = element("output", { for: name });
  const words = (value: number) => (control.format ?? show)(value) + (control.unit ? ` ${control.unit}` : "");
  input.addEventListener("input", () => change({ [control.id]: valueAt(control, Number(input.value)) }));
  const set = (state: State) => {
    const value = state[control.id] as number;
    const step = stepOf(control, value);
    input.value = String(step);
    input.style.setProperty("--filled", `${(100 * step) / steps(control)}%`);
    output.textContent = words(value);
    input.setAttribute("aria-valuetext", words(value));
  };
  const head = element("div", { class: "head" }, element("label", { for: name }, control.label), help.mark, output);
  return { root: element("div", { class: "control slider" }, head, help.text, input), set };
}

function choice(control: Choice, change: Change): Part {
  const name = identity(control.id);
  const inputs = control.options.map((option) => {
    const input = element("input", { type: "radio", name, value: option.value, "data-control": control.id });
    input.addEventListener("change", () => change({ [control.id]: option.value }));
    return { input, root: element("label", {}, input, element("span", {}, option.label)) };
  });
  const set = (state: State) => {
    for (const { input } of inputs) input.checked = input.value === state[control.id];
  };
  const help = helpOf(control);
  const root = element(
    "fieldset",
    { class: "control choice", ...help.describes },
    element("legend", {}, control.label, " ", help.mark),
    help.text,
    ...inputs.map((option) => option.root),
  );
  return { root, set };
}

function grid(control: Grid, change: Change): Part {
  let held: boolean[][] = [];
  const cells = control.rows.map((row, i) =>
    control.columns.map((column, j) => {
      const cell = element("button", {
        type: "button",
        "data-control": control.id,
        "data-cell": `${i},${j}`,
        "aria-label": `${row}, ${column}`,
      });
      cell.addEventListener("click", () => {
        const next: Value = held.map((line, k) => line.map((open, l) => (k === i && l === j ? !open : open)));
        change({ [control.id]: next });
      });
      cell.addEventListener("keydown", (event) => {
        const [down, right] = (
          { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] } as Record<
            string,
            [number, number]
          >
        )[event.key] ?? [0, 0];
        const next = cells[i + down]?.[j + right];
        if (!next || next === cell) return;
        event.preventDefault();
        next.focus();
      });
      return cell;
    }),
  );
  const head = element(
    "tr",
    {},
    element("td"),
    ...control.columns.map((column) => element("th", { scope: "col" }, column)),
  );
  const body = cells.map((line, i) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, control.rows[i]!),
      ...line.map((cell) => element("td", {}, cell)),
    ),
  );
  const table = element("table", {}, element("thead", {}, head), element("tbody", {}, ...body));
  const set = (state: State) => {
    held = state[control.id] as boolean[][];
    cells.forEach((line, i) =>
      line.forEach((cell, j) => cell.setAttribute("aria-pressed", String(held[i]?.[j] ?? false))),
    );
  };
  const help = helpOf(control);
  const root = element(
    "fieldset",
    { class: "control grid", ...help.describes },
    element("legend", {}, control.label, " ", help.mark),
    help.text,
    element("div", { class: "scroll" }, table),
  );
  return { root, set };
}

function button(control: Button, press: () => void): Part {
  const help = helpOf(control);
  const pressed = element(
    "button",
    { ...help.describes, type: "button", class: "press", "data-control": control.id },
    control.label,
  );
  pressed.addEventListener("click", press);
  return { root: element("div", { class: "control preset" }, pressed, help.mark, help.text), set: () => {} };
}

/** A table of the reader's own: typed, pasted or opened; it is read here and goes nowhere. */
function table(control: Text, change: Change, refuse: (wrong: boolean) => void): Part {
  const name = identity(control.id);
  const help = helpOf(control);
  const area = element("textarea", {
    ...help.describes,
    id: name,
    rows: "7",
    spellcheck: "false",
    wrap: "off",
    "data-control": control.id,
  });
  const file = element("input", {
    type: "file",
    accept: ".csv,.tsv,.txt,text/csv,text/plain",
    "aria-label": `Open a file for ${control.label}`,
  });
  const wrong = element("p", { class: "wrong", role: "alert", hidden: "" });
  const take = () => {
    const refused = control.refuse(area.value);
    wrong.hidden = refused === undefined;
    wrong.textContent = refused ?? "";
    refuse(refused !== undefined);
    if (refused === undefined) change({ [control.id]: area.value });
  };
  area.addEventListener("input", take);
  file.addEventListener("change", async () => {
    const chosen = file.files?.[0];
    if (!chosen) return;
    area.value = await chosen.text();
    take();
  });
  const set = (state: State) => {
    const value = state[control.id] as string;
    // a text that is being mended is not replaced under the reader's hands
    if (wrong.hidden && area.value !== value) area.value = value;
  };
  const head = element("div", { class: "head" }, element("label", { for: name }, control.label), help.mark);
  return { root: element("div", { class: "control table" }, head, help.text, area, file, wrong), set };
}
