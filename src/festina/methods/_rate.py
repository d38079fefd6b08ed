"""Learning rates of other losses and libraries in our units."""

from festina.checks import check

REDUCTIONS = ("mean", "sum", "points")


def convert_rate(
    lr: float,
    outputs: int,
    *,
    reduction: str = "mean",
    batch: int | None = None,
    half: bool = False,
    momentum: float = 0.0,
) -> float:
    """Flow time that one step at learning rate ``lr`` advances: the ``rate`` of ``fs.Train`` for the same steps.

    festina's loss is L = 1/(2N) Σ ‖y − ŷ‖². A loss c·L that is descended at learning rate lr takes the steps of L at
    η = c·lr:

    - ``"mean"``, over data points and outputs (``torch.nn.functional.mse_loss``): c = 2/O
    - ``"points"``, summed over the O outputs, mean over data points: c = 2
    - ``"sum"``, summed over outputs and the B data points of a batch: c = 2·B

    With momentum m, once it has built up, a step advances flow time by η/(1 − m). The same run in festina is
    ``fs.Train(rate=η, optimiser="momentum", momentum=m)`` with the η of m = 0. Adam has no such rate, because its steps
    do not shrink with the gradient.

    Args:
        lr: the learning rate of the other library, > 0.
        outputs: number of outputs O.
        reduction: how the loss gathers squared errors: ``"mean"``, ``"points"`` or ``"sum"``.
        batch: data points B in a step (all, without mini-batches); needed for ``"sum"``.
        half: whether that loss has a factor ½ in front.
        momentum: m of heavy-ball or Nesterov momentum, at least 0 and below 1.

    Returns:
        η/(1 − m), in flow time per step.

    Raises:
        ValueError: an argument that is not allowed, or ``reduction="sum"`` without ``batch``.

    Example:
        >>> import festina as fs
        >>> fs.methods.convert_rate(0.05, outputs=10)
        0.01
        >>> fs.methods.convert_rate(0.05, outputs=10, reduction="sum", batch=100)
        10.0
    """
    lr, outputs = check.positive("lr", lr), check.whole("outputs", outputs)
    check.known("reduction", reduction, REDUCTIONS)
    if check.positive("momentum", momentum, zero=True) >= 1:
        raise ValueError(f"momentum is {momentum!r}; a number >= 0 and < 1 is needed.")
    if batch is not None:
        check.whole("batch", batch)
    elif reduction == "sum":
        raise ValueError("batch is missing; a summed loss grows with the data points of a step: give batch=....")
    doubled = lr if check.flag("half", half) else 2 * lr
    rate = {"mean": doubled / outputs, "points": doubled, "sum": doubled * (batch or 1)}[reduction]
    return rate / (1 - momentum)
