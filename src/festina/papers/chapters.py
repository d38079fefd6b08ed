"""The reading order: six chapters, each with what the papers claim, what we find, and where theory ends."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Chapter:
    """A chapter of the evidence.

    Attributes:
        title: its heading.
        names: its experiments, in reading order.
        claimed: what the papers claim.
        found: what we find.
        limits: where theory ends.
    """

    title: str
    names: tuple[str, ...]
    claimed: str
    found: str
    limits: str


CHAPTERS = (
    Chapter(
        "Learning in stages",
        ("semantic", "structures", "alignment", "depth", "saddles", "architectures", "modular_addition"),
        "A deep linear network that starts small learns one mode of the task after the other, the strongest first. "
        "Depth causes the stages: it puts saddle points on the way and makes the learning time depend on the start.",
        "The closed forms predict when each mode is learned, and the plateaus are the predicted saddles. "
        "One published scaling with depth is an upper bound that is far from tight. Other networks of units learn "
        "in stages for the same reason, and their initial weights predict the stages.",
        "Modes are independent only for small or decoupled starts; the prediction degrades in narrow networks and "
        "large initial weights.",
    ),
    Chapter(
        "Rich and lazy",
        ("balance", "regimes", "relative_scale", "early_layers", "reversal", "continual"),
        "The balance λ between layers decides whether a network changes its features (rich) or keeps them (lazy), and "
        "how fast it relearns. With it, forgetting in a sequence of tasks can be computed exactly.",
        "The exact solutions agree with gradient descent for every λ and shape. In nonlinear networks the relative "
        "scale of layers acts in the predicted direction, most of all from small weights.",
        "The exact solutions need two layers, white inputs and balanced weights; nonlinear networks follow only the "
        "direction of the effect.",
    ),
    Chapter(
        "Pathways and the race",
        (
            "speed",
            "routing",
            "transition",
            "context",
            "contexts",
            "turning",
            "equivalence",
            "deep",
            "imitation",
            "gates",
            "possible_gates",
            "winners",
        ),
        "A ReLU network behaves like a gated linear network whose pathways race: what is shared by more data learns "
        "faster and wins. Its units form a few modules that share their gates.",
        "With gates taken from the paper, gated networks predict ReLU networks on XOR and on three contexts. "
        "With more contexts, other initial scales or two hidden layers the deviation grows. Following units from "
        "their initial weights avoids it; on contexts eight numbers determine when they turn.",
        "Gates that are fixed from the start cannot describe units that change their gates after the first plateau; "
        "the statement about which gates are possible is too narrow.",
    ),
    Chapter(
        "Representations",
        (
            "two_points",
            "unfitted",
            "layers",
            "initial_weights",
            "final_distance",
            "fixed_points",
            "xor_structure",
            "blobs",
            "digits",
            "mnist",
            "adam",
        ),
        "The distance between the representations of two data points follows three equations with two effective "
        "rates, whatever the architecture, and so does the structure that a network ends with.",
        "After fitting two rates the curves are followed well in the later half of deep networks. Which points of XOR "
        "merge is predicted. For blobs and digits, the targets alone or a linear network predict at least as well as "
        "the theory.",
        "The theory is a linearisation around small distances: it fails for distant points, for very large weights "
        "and, in its time course, for Adam.",
    ),
    Chapter(
        "Decisions",
        ("decision", "mice", "recovery"),
        "A deep network of two pathways learns a decision by passing near saddles, which makes individuals differ: an "
        "early bias predicts the strategy at the end.",
        "The predicted relation between early bias and late slopes is found at every spread of initial biases. The "
        "relation between early and late bias depends on the learning rule and on the spread. Agents that are set to "
        "the accuracy of mice predict a stronger relation with late slopes than mice have.",
        "The spread of early biases of mice is not published, so that one of two sizes depends on it. Animals that "
        "have not learned do not show which network they follow.",
    ),
    Chapter(
        "Attention and recurrence",
        ("in_context", "recurrence"),
        "Linear attention with separate key and query learns to regress in context one principal component at a time; "
        "with merged ones it learns in one drop. Linear recurrent networks learn later and larger inputs first, and "
        "recurrence shapes stability and features.",
        "The plateaus, their order and, from the weights of each seed, their times are predicted. Softmax attention, "
        "fresh batches and tanh units keep the order.",
        "From large initial weights the reductions fail, for attention in some networks only; where eigenvalues are "
        "close together, they miss when a component is learned.",
    ),
)


def chapter(name: str) -> Chapter | None:
    """The chapter of an experiment; None for a user's file."""
    return next((part for part in CHAPTERS if name in part.names), None)
