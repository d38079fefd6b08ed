"""Errata of vanrossem2024."""

import numpy as np

from festina.analysis import final_distance
from festina.papers.errata.erratum import erratum, flow, off
from festina.papers.published import published
from festina.papers.setups.pairs import train
from festina.representation import TwoPoint
from festina.tasks import two_points

DX, DY, RATES = 0.6, 1.4, (0.7, 0.3)
START = (0.5, 0.4, 0.4 - 0.6)


def _slope(h: float, y: float, w: float, dy: float) -> float:
    """dw/dt of eq. (7)."""
    fast_h, fast_y = RATES
    return -fast_y / 2 * (3 * w - y + dy) * h - fast_h / 2 * DX * (y + w) * w / h


@erratum("vanrossem2024 eq. (17)", "½ in the gradient", "¼, hence 1/τh = η/2", "ODE solve of the two maps")
def gradient() -> tuple[float, float]:
    """h after gradient descent at rate η on both maps, against the theory at 1/τ = η and at η/2."""
    eta, a, b = 0.8, 0.4, np.array([0.3, -0.5])
    target = np.array([np.sqrt(DY), 0.0])

    def field(_: float, s: np.ndarray) -> np.ndarray:
        error = s[0] * s[1:] - target
        return np.append(-eta * DX / 4 * s[1:] @ error, -eta / 4 * s[0] * error)

    out, times = a * b, np.array([0.0, 9.0])
    start = (a**2, out @ out, out @ (out - target))
    reference = flow(field, np.append(a, b), times)[0, -1] ** 2
    printed, correct = (TwoPoint(DX, DY, (r, r), start).solve(9.0).h for r in (eta, eta / 2))
    return off(printed, reference), off(correct, reference)


@erratum("vanrossem2024 eq. (25)", "last term outside −½(…)", "inside", "eq. (7) at a point", bound=1e-12)
def bracket() -> tuple[float, float]:
    """dw/dt in two variables against eq. (7) in three."""
    (fast_h, fast_y), (h, y, w) = RATES, START
    pair = TwoPoint(DX, DY, RATES, START)
    first = -(fast_y**2) / fast_h / DX * h**3 + fast_y * DY * h + 4 * fast_y * h * w + fast_h * DX * w**2 / h
    last = pair.invariant * (fast_h * DX * w - fast_y * h**2)
    reference = _slope(h, y, w, DY)
    return off(-0.5 * first + last, reference), off(-0.5 * (first + last), reference)


@erratum("vanrossem2024 eqs. (39), (40)", "e^{−A t}", "e^{−A t/τy}", "ODE solve of h")
def identical_targets() -> tuple[float, float]:
    """h(t) for two points with one target."""
    h, y, times = 0.9, 0.3, np.linspace(0, 5, 9)
    pair = TwoPoint(DX, 0.0, RATES, (h, y, y))
    high = pair.high
    reference = flow(lambda _, h: RATES[1] * h * (high - h), h, times)[0]
    printed, correct = (high / (1 + (high / h - 1) * np.exp(-high * times * rate)) for rate in (1.0, RATES[1]))
    return off(printed, reference), off(correct, reference)


@erratum(
    "vanrossem2024 eq. (42)", "exponents inverted", "h' = h/G, y' = y/G², w' = w/G², t' = G t", "chain rule on eq. (7)"
)
def rescaling() -> tuple[float, float]:
    """dw'/dt' of the rescaled variables by the chain rule against eq. (43), at G = 7."""
    gain, (h, y, w) = 7.0, START
    found = []
    for power in (1, -1):
        chain = gain ** (3 * power) * _slope(h, y, w, DY)
        scaled = _slope(h * gain**power, y * gain ** (2 * power), w * gain ** (2 * power), DY / gain**2)
        found.append(off(scaled, chain))
    return found[0], found[1]


@erratum(
    "vanrossem2024 eqs. (9), (22)",
    "e^{−t/τy}, where a bar seems to be lost: the text below, and eq. (18), have it",
    "e^{−t/τȳ}",
    "ODE solve of the mean",
)
def mean() -> tuple[float, float]:
    """The loss where the mean output starts off its target and has a rate of its own."""
    offset, rate, times = 0.8, 1.1, np.linspace(0, 4, 9)
    pair = TwoPoint(DX, DY, (*RATES, rate), (*START, offset))
    state = pair.solve(times)
    rest = 0.25 * (state.w + 0.5 * (DY - state.y))
    reference = 0.5 * flow(lambda _, m: -rate * m, np.sqrt(offset), times)[0] ** 2 + rest
    return off(0.5 * offset * np.exp(-2 * RATES[1] * times) + rest, reference), off(pair.loss(times), reference)


@erratum("vanrossem2024 eq. (46)", "ratio τy/τh dropped", "kept", "median of 100,000 drawn starts", bound=0.01)
def ratio() -> tuple[float, float]:
    """Median final distance over 100,000 drawn starts at r = τy/τh = 3.

    With h(0)/dx and y(0)/h(0) both drawn from N(G, G²), A_high is Gaussian with mean dx G(1 − r), and h∞ grows with it.
    """
    gain, r = 0.5, 3.0
    encoder, decoder = np.random.default_rng(0).normal(gain, gain, (2, 100_000))
    low = float(np.sqrt(r * DX * DY))
    printed, kept = (final_distance(DX * gain * high, low) for high in (0.0, 1 - r))
    reference = np.median(final_distance(DX * (encoder - r * decoder), low))
    return off(printed, reference), off(kept, reference)


@erratum(
    "vanrossem2024 §4.1",
    "→ A_high for large weights",
    "only if A_high > 0, else → A_low²/|A_high|",
    "closed form at G = 1e4",
    bound=1e-3,
)
def large_weights() -> tuple[float, float]:
    """Final distance at G = 1e4 where A_high < 0."""
    pair = TwoPoint(DX, DY, RATES, (0.5, 4.0, 4.0 - 0.9 * np.sqrt(4.0 * DY))).scaled(1e4)
    reference = pair.final_distance
    return abs(pair.high - reference) / reference, off(pair.low**2 / abs(pair.high), reference)


@erratum(
    "vanrossem2024 App. B.1",
    "dx = 0.5, dy = 1",
    "dx² = 1, dy² = 0.5, as in the released code",
    "error of the fit that Fig. 2 shows to be good, 20 layers of 60 units",
    bound=0.1,
)
def points() -> tuple[float, float]:
    """Error of the fitted theory on the points that the text names, and on those of the released code.

    A default network of 20 layers, narrow enough to train in seconds; geometric mean over four of them.
    """
    plan = published("default", width=60, epochs=2000, lasting=2.0)
    found = (train(plan, two_points(which), 4).errors for which in ("text", "released"))
    printed, correct = (float(np.exp(np.log(errors).mean())) for errors in found)
    return printed, correct
