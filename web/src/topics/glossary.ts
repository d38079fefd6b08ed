/** What the words of the page mean, for a reader who knows no theory of learning; each topic names those it uses. */
export const GLOSSARY = {
  mode: "One of the independent directions into which a task comes apart: a pattern over the inputs that goes with a pattern over the outputs, such as “animals move, plants have roots”. Also called a singular mode.",
  strength: "How much of a mode the network carries: 0 at the start, and at the end as much as the data ask for.",
  singular:
    "The size of a mode in the data, s: how strongly its two patterns go together. Large ones are learned first.",
  loss: "How wrong the network is: half the squared error, averaged over the data.",
  flow: "The clock of learning: the number of steps of gradient descent times the size of a step.",
  area: "How far the prediction is from the trained network: the area between the two loss curves, as a share of the area below the loss.",
  rich: "Rich learning builds new features; lazy learning keeps the features of the random start and only combines them.",
  kernel:
    "The tangent kernel says how a step on one example changes the answer to another. It stays as it is in lazy learning and turns in rich learning.",
  balance:
    "Layers are balanced (λ = 0) where they are equally strong; λ is the difference between the squares of their weights.",
  relu: "A unit that passes on what is positive and is silent otherwise. Which inputs it is on for is its gating.",
  gating:
    "The choice which units are on for which inputs. For a given gating the network is linear, so that its learning can be predicted.",
  pathway:
    "The units that are on for the same inputs: a linear network within the network. Pathways race for the task, and the fastest takes it.",
  xor: "Exclusive or: the answer is yes where exactly one of two inputs is on. No linear network can learn it.",
  context:
    "A part of the input that says which question is asked about an item, so that the same item can have different answers.",
  representation: "The activity of the hidden units for one input. Inputs with similar activity are treated alike.",
  encoder: "The layers before the representation; the layers after it are the decoder.",
  saddle:
    "A point at which learning almost stands still although the task is not learned. From small weights networks wait there.",
  attention:
    "A layer that compares a query with every example of a sequence and answers with a mixture of what they say.",
  component: "A direction in which the inputs vary, independent of the others; the principal ones vary most.",
  wave: "A pattern that rises and falls a whole number of times around the clock; also called a Fourier component.",
  unit: "A hidden unit with the weights that it reads and writes by.",
  white: "Inputs are whitened by changing their units until all directions vary equally and none goes with another.",
} as const;

export type Term = keyof typeof GLOSSARY;

const NAMES: Partial<Record<Term, string>> = {
  singular: "singular value",
  flow: "flow time",
  area: "area between the curves",
  rich: "rich and lazy",
  kernel: "tangent kernel",
  balance: "balanced",
  relu: "ReLU unit",
  xor: "XOR",
  component: "principal component",
  white: "whitened",
};

/** A word as the page writes it. */
export const nameOf = (term: Term): string => NAMES[term] ?? term;
