/** The glossary of the page, for a reader who knows no theory of learning; each topic names the terms it uses. */
export const GLOSSARY = {
  mode: "One of the independent parts of a task: a pattern over the inputs that predicts a pattern over the outputs, such as “animals move, plants have roots”. Also called a singular mode.",
  strength:
    "How much of a mode the network has learned: near 0 at the start; at the end, the value that fits the data.",
  singular:
    "The size s of a mode in the data: how strongly its two patterns are correlated. Modes with large singular values are learned first.",
  loss: "The error of the network: half the squared error, averaged over the data.",
  flow: "The time of learning: the number of gradient-descent steps times the step size.",
  area: "How far the prediction is from the trained network: the area between the two loss curves, as a fraction of the area below the network's curve. Below 5 % you cannot see the difference.",
  rich: "Rich learning builds new features; lazy learning keeps the random initial features and only combines them.",
  kernel:
    "The tangent kernel says how a learning step on one example changes the answer to another. It stays constant in lazy learning and turns in rich learning.",
  balance:
    "Two layers are balanced (λ = 0) if they are equally strong; λ is the difference between their squared weights.",
  relu: "A unit that passes on positive input and is silent otherwise. Its gating is the set of inputs for which it is active.",
  gating:
    "Which units are active for which inputs. For a given gating the network is linear, so its learning can be predicted.",
  pathway:
    "The units that are active for the same inputs: a linear network within the network. Pathways compete for the task, and the fastest one learns it.",
  xor: "Exclusive or: the answer is yes if exactly one of two inputs is on. No linear network can learn it.",
  context:
    "A part of the input that says which question is asked about an item. The same item can have different answers in different contexts.",
  representation: "The activity of the hidden units for one input. Inputs with similar activity are treated alike.",
  encoder: "The layers before the representation; the layers after it are the decoder.",
  saddle:
    "A point at which learning almost stops although the task is not yet learned. Networks with small initial weights stay near one for a while.",
  attention:
    "A layer that compares a query with every example of a sequence and answers with a weighted mixture of the examples.",
  component: "A direction in which the inputs vary, uncorrelated with the others; the first ones vary most.",
  wave: "A pattern that rises and falls a whole number of times around the clock; also called a Fourier component.",
  unit: "A hidden unit with its input and output weights.",
  white:
    "Inputs are whitened by a linear change of coordinates, after which all directions have the same variance and no two are correlated.",
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
