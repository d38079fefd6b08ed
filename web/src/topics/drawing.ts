/** Builds the schematic of a topic: columns of nodes, all joined to the next. */
import type { Link, Node, Schematic } from "../topic";

type Look = Omit<Node, "x" | "y" | "label">;

export class Drawing {
  private readonly nodes: Node[] = [];
  private readonly links: Link[] = [];
  private readonly words: { x: number; y: number; text: string }[] = [];

  /** Labels below columns, all on one line. */
  private readonly feet: { x: number; text: string }[] = [];

  /** `height` in letters, within which columns are centred. */
  constructor(private readonly height: number) {}

  /** Adds a column of nodes, named or not, with a label below; returns their indices. */
  column(
    x: number,
    labels: readonly (string | undefined)[],
    word: string,
    look: (i: number) => Look = () => ({}),
  ): number[] {
    const gap = Math.min(1.35, this.height / Math.max(labels.length, 1));
    const made = labels.map((label, i) => {
      this.nodes.push({
        x,
        y: (this.height + gap * (2 * i + 1 - labels.length)) / 2,
        ...(label ? { label } : {}),
        ...look(i),
      });
      return this.nodes.length - 1;
    });
    if (word) this.feet.push({ x, text: word });
    return made;
  }

  node(node: Node): number {
    return this.nodes.push(node) - 1;
  }

  /** Links from each of one to each of the other. */
  join(
    from: readonly number[],
    to: readonly number[],
    look: (i: number, j: number) => Omit<Link, "from" | "to"> | undefined = () => ({}),
  ): void {
    from.forEach((a, i) =>
      to.forEach((b, j) => {
        const own = look(i, j);
        if (own) this.links.push({ from: a, to: b, ...own });
      }),
    );
  }

  word(x: number, y: number, text: string): void {
    this.words.push({ x, y, text });
  }

  done(caption: string): Schematic {
    const lowest = Math.max(...this.nodes.map(({ y }) => y));
    return {
      caption,
      nodes: this.nodes,
      links: this.links,
      words: [...this.words, ...this.feet.map(({ x, text }) => ({ x, y: lowest + 1.4, text }))],
    };
  }
}

/** Nodes without names. */
export const blank = (count: number): undefined[] => Array.from({ length: count }, () => undefined);
