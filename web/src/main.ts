/** The page: the story, links to all topics, the link of the present setting, and how it looks. */
import "uplot/dist/uPlot.min.css";
import "./style.css";
import { copied, lookOf, type Shown, TopicView } from "./app";
import { element } from "./chart";
import { defaults, type Read, read, write } from "./state";
import { readTold, type Told } from "./story/code";
import { isLocal, Story } from "./story/story";
import { topics } from "./topics";

declare global {
  interface Window {
    /** What the page draws, for tests and for the curious. */
    festina: { view: () => Shown; story: () => Record<string, unknown> | undefined };
  }
}

/** Browsers count changes of the address and complain of many; one after the hand rests is enough. */
const ADDRESS_REST = 200;

const root = document.querySelector<HTMLElement>(".festina")!;
const notice = element("p", { class: "notice", role: "status", hidden: "" });
const stage = element("main", { tabindex: "-1" });
// the first topic is told as a story
const links = topics.map((topic, i) => element("a", { href: i ? `#${topic.id}` : "#story" }, topic.title));
let current: TopicView;
let story: Story | undefined;
let presenting = false;
let timer: ReturnType<typeof setTimeout> | undefined;

const answered = new Set<string>();

/** Says what was wrong with a link. */
function complain(wrong: string | undefined): void {
  notice.hidden = wrong === undefined;
  notice.textContent =
    wrong === undefined ? "" : `This link could not be read (${wrong}), so you see the default settings.`;
}

function route(): void {
  clearTimeout(timer);
  const { hash } = location;
  if (hash === "" || hash === "#" || /^#story(\?|$)/.test(hash)) {
    const told = readTold(hash);
    tell(typeof told === "string" ? {} : told);
    complain(typeof told === "string" ? told : undefined);
  } else enter(read(topics, hash));
}

/** The story, with the first topic's settings at its end. */
function tell(told: Told): void {
  current?.close();
  story?.close();
  const first = topics[0]!;
  story = new Story(lookOf(root), address, told);
  current = new TopicView(first, defaults(first), lookOf(root), { changed: remember }, false);
  current.root.tabIndex = -1;
  place(0, story.root, current.root);
  story.restyle(lookOf(root));
  // its networks train when they come into sight
  const shown = current;
  const sight = new IntersectionObserver(([entry]) => {
    if (!entry?.isIntersecting) return;
    sight.disconnect();
    shown.train(true);
  });
  sight.observe(current.root.querySelector(".charts")!);
  if (presenting) present(true);
}

function enter({ topic, state, chosen, wrong }: Read): void {
  complain(wrong);
  if (current?.topic === topic && !story) current.set(state);
  else {
    current?.close();
    story?.close();
    story = undefined;
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
    place(topics.indexOf(topic), current.root);
    if (chosen !== true && wrong === undefined) current.open();
    if (presenting) current.present(true);
  }
  // a link that cannot be read starts nothing
  if (wrong !== undefined) current.train(false);
}

/** Puts a topic on the page. */
function place(at: number, ...parts: HTMLElement[]): void {
  stage.replaceChildren(...parts, onward(at));
  scrollTo(0, 0);
  current.restyle(lookOf(root));
  links.forEach((link, i) =>
    i === at ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current"),
  );
  links[at]!.scrollIntoView({ block: "nearest", inline: "center" });
  document.title = `${topics[at]!.title} · festina`;
}

/** The way through the topics. */
function onward(at: number): HTMLElement {
  const to = (i: number, words: string) => {
    const topic = topics[i];
    return topic ? [element("a", { href: links[i]!.hash }, words.replace("…", topic.title))] : [];
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
  // in the story a turn that is sealed comes before settings
  const told = story?.link();
  const changed = !story || JSON.stringify(current.view().state) !== JSON.stringify(defaults(current.topic));
  history.replaceState(
    null,
    "",
    told && (told !== "#story" || !changed) ? told : write(current.topic, current.view().state),
  );
}

/** One chart and one sentence at a time, in large letters; space and the arrows lead through them. */
function present(on: boolean): void {
  presenting = on;
  root.classList.toggle("presenter", on);
  presenter.setAttribute("aria-pressed", String(on));
  story?.present(on);
  current.present(on);
  restyle();
}

function turn(by: 1 | -1): void {
  const shown = story ?? current;
  if (by > 0 ? shown.next() : shown.back()) return;
  const to = links.findIndex((link) => link.hasAttribute("aria-current")) + by;
  if (links[to]) location.hash = links[to].hash;
}

function restyle(): void {
  current.restyle(lookOf(root));
  story?.restyle(lookOf(root));
}

const presenter = element("button", { type: "button", "aria-pressed": "false" }, "Present");

function chrome(): HTMLElement {
  const theme = element("button", { type: "button" }, "Dark");
  const name = () => {
    theme.textContent = lookOf(root).palette.paper === "#ffffff" ? "Dark" : "Light";
  };
  theme.addEventListener("click", () => {
    root.dataset.theme = theme.textContent === "Dark" ? "dark" : "light";
    name();
    restyle();
  });
  const large = element("button", { type: "button", "aria-pressed": "false" }, "Large");
  large.title = "Larger text and lines, for a projector";
  large.addEventListener("click", () => {
    large.setAttribute("aria-pressed", String(root.classList.toggle("large")));
    restyle();
  });
  presenter.title = "One chart and one sentence at a time: space or → for the next, ← for the previous, Escape to end";
  presenter.addEventListener("click", () => present(!presenting));
  addEventListener("keydown", (event) => {
    const typing = (event.target as HTMLElement).closest?.("input, textarea, [role=slider]");
    if (!presenting || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = {
      " ": () => turn(1),
      ArrowRight: () => turn(1),
      ArrowLeft: () => turn(-1),
      Escape: () => present(false),
    }[event.key];
    // a button that has the focus is pressed by the space bar
    if (
      !act ||
      (event.key === " " && (event.target as HTMLElement).closest?.("button:not([aria-pressed]), a, summary"))
    )
      return;
    event.preventDefault();
    act();
  });
  const link = element("button", { type: "button" }, "Copy link");
  link.title = "A link to these settings";
  link.addEventListener("click", () => {
    address();
    void copied(link, location.href, isLocal() ? "Copied; it works on this computer only" : "Copied");
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    name();
    restyle();
  });
  name();
  const skip = element("a", { class: "skip-link", href: "#main" }, "Skip to the question");
  skip.addEventListener("click", (event) => {
    event.preventDefault();
    stage.focus();
  });
  // in the documentation the page has this name and lies next to the pages
  const docs = location.pathname.endsWith("/explore.html") ? [element("a", { href: "index.html" }, "Docs")] : [];
  return element(
    "header",
    { class: "top" },
    skip,
    element("h1", {}, "festina"),
    element("nav", { class: "topics", "aria-label": "Topics" }, ...links),
    element("div", { class: "tools" }, ...docs, link, presenter, large, theme),
  );
}

root.append(chrome(), notice, stage);
addEventListener("hashchange", route);
route();
window.festina = { view: () => current.view(), story: () => story?.view() };
