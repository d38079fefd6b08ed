/** The page: links to all topics, the link of the present setting, and how it looks. */
import "uplot/dist/uPlot.min.css";
import "./style.css";
import { copied, lookOf, type Shown, TopicView } from "./app";
import { element } from "./chart";
import { type Read, read, write } from "./state";
import { topics } from "./topics";

declare global {
  interface Window {
    /** What the page draws, for tests and for the curious. */
    festina: { view: () => Shown };
  }
}

/** Browsers count changes of the address and complain of many; one after the hand rests is enough. */
const ADDRESS_REST = 200;

const root = document.querySelector<HTMLElement>(".festina")!;
const notice = element("p", { class: "notice", role: "status", hidden: "" });
const stage = element("main");
const links = topics.map((topic) => element("a", { href: `#${topic.id}` }, topic.title));
let current: TopicView;
let timer: ReturnType<typeof setTimeout> | undefined;

const answered = new Set<string>();

function enter({ topic, state, chosen, wrong }: Read): void {
  notice.hidden = wrong === undefined;
  notice.textContent =
    wrong === undefined ? "" : `This link could not be read (${wrong}), so you see the settings to start from.`;
  clearTimeout(timer);
  if (current?.topic === topic) current.set(state);
  else {
    current?.close();
    // a link to a setting is shown at once; who comes to a topic for the first time is asked first
    const ask = chosen !== true && wrong === undefined && !answered.has(topic.id);
    current = new TopicView(
      topic,
      state,
      lookOf(root),
      { changed: remember, answered: () => answered.add(topic.id) },
      true,
      ask,
    );
    stage.replaceChildren(
      ...(location.hash.length > 1 ? [] : [welcome()]),
      current.root,
      onward(topics.indexOf(topic)),
    );
    current.restyle(lookOf(root));
    links.forEach((link, i) =>
      topics[i] === topic ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current"),
    );
    links[topics.indexOf(topic)]!.scrollIntoView({ block: "nearest", inline: "center" });
    document.title = `${topic.title} · festina`;
    if (chosen !== true && wrong === undefined) current.open();
  }
  // a link that cannot be read starts nothing
  if (wrong !== undefined) current.train(false);
}

/** What this is, how to read it, and where to begin. */
function welcome(): HTMLElement {
  const key = (kind: string, words: string) =>
    element("span", { class: "kind" }, element("span", { class: `key ${kind}`, "aria-hidden": "true" }), words);
  const close = element("button", { type: "button", class: "close" }, "Close");
  const made = element(
    "section",
    { class: "welcome", "aria-label": "Welcome" },
    element(
      "p",
      {},
      element("strong", {}, "Before you train it, festina tells you what your network will learn, and when. "),
      `Each of these ${topics.length} topics asks one question about learning, predicts the answer, and trains a network beside the prediction, here in your browser. They build on each other; begin with the modes.`,
    ),
    element(
      "p",
      { class: "keys" },
      key("trained", "Thick and pale: a trained network. "),
      key("predicted", "Thin and dark: the prediction. "),
      "Colours say what is learned. Words you do not know are explained at the foot of each topic.",
    ),
    close,
  );
  close.addEventListener("click", () => made.remove());
  return made;
}

/** The way through the topics. */
function onward(at: number): HTMLElement {
  const to = (i: number, words: string) => {
    const topic = topics[i];
    return topic ? [element("a", { href: `#${topic.id}` }, words.replace("…", topic.title))] : [];
  };
  return element(
    "nav",
    { class: "onward", "aria-label": "Next topic" },
    ...to(at - 1, "← …"),
    ...to(at + 1, "Next: … →"),
  );
}

function remember(): void {
  notice.hidden = true;
  clearTimeout(timer);
  timer = setTimeout(address, ADDRESS_REST);
}

function address(): void {
  clearTimeout(timer);
  const shown = current.view();
  history.replaceState(null, "", write(current.topic, shown.state));
}

function chrome(): HTMLElement {
  const theme = element("button", { type: "button" }, "Dark");
  const name = () => {
    theme.textContent = lookOf(root).palette.paper === "#ffffff" ? "Dark" : "Light";
  };
  theme.addEventListener("click", () => {
    root.dataset.theme = theme.textContent === "Dark" ? "dark" : "light";
    name();
    current.restyle(lookOf(root));
  });
  const large = element("button", { type: "button", "aria-pressed": "false" }, "Large");
  large.title = "Larger letters and lines, for a projector";
  large.addEventListener("click", () => {
    large.setAttribute("aria-pressed", String(root.classList.toggle("large")));
    current.restyle(lookOf(root));
  });
  const link = element("button", { type: "button" }, "Copy link");
  link.title = "A link to exactly this setting";
  link.addEventListener("click", () => {
    address();
    void copied(link, location.href);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    name();
    current.restyle(lookOf(root));
  });
  name();
  return element(
    "header",
    { class: "top" },
    element("h1", {}, "festina"),
    element("nav", { class: "topics", "aria-label": "Topics" }, ...links),
    element("div", { class: "tools" }, link, large, theme),
  );
}

root.append(chrome(), notice, stage);
addEventListener("hashchange", () => enter(read(topics, location.hash)));
enter(read(topics, location.hash));
window.festina = { view: () => current.view() };
