"""Where do the representations of two points end, and how random is this distance?

At the one stable fixed point. The printed Jacobians are those of the reduced dynamics. At the final distance the trace
is negative and the determinant positive, for all rates, distances and starts. Zero repels along one of two directions.
For starts that are drawn as the paper does, final distances have the printed density, which becomes sharp as the
weights get small.

Source: vanrossem2024 App. A.3, App. A.6, eqs. (29)-(36) and (48).
"""

import numpy as np
import scipy

from festina import papers
from festina.analysis import final_distance
from festina.papers import setting
from festina.plot import COLOURS, look
from festina.representation import TwoPoint

STEP = 1e-5  # relative step of numerical derivatives: their error is its square


class Settings(papers.Settings):
    draws: int = setting(1000, "pairs of points, with random rates, distances and starts", least=1)
    starts: int = setting(100_000, "drawn starts of one pair", least=10)
    gains: tuple[float, ...] = setting((0.05, 0.2, 0.8), "gains G of the drawn starts", above=0)
    distances: tuple[float, float] = setting((0.8, 1.3), "squared distances of inputs and of targets", above=0)
    seeds: int = setting(1, "sets of drawn starts", least=1)
    seed: int = setting(0, "seed of all draws", least=0)


quick = Settings(draws=50, starts=20_000)
caption = (
    "Two representations end at the only stable fixed point, and their distance becomes less random as the weights get "
    "small. (a) Flow of the squared distance h and of the alignment w, with the stable fixed point (filled) and the "
    "saddle at zero (open). (b) Eigenvalues at the final distance, numerical against printed. (c) Final distances of "
    "drawn starts (steps) and the printed density (lines), for three gains."
)


def _field(pair: TwoPoint, h: float, w: float) -> np.ndarray:
    """Equation (7) with the squared output distance y from its invariant, eq. (24)."""
    fast_h, fast_y = pair.rates[:2]
    y = fast_y / fast_h / pair.dx * h**2 - fast_y / fast_h / pair.dx * pair.high * h
    slope = -fast_y / 2 * (3 * w - y + pair.dy) * h - fast_h / 2 * pair.dx * (y + w) * w / h
    return np.array([-fast_h * pair.dx * w, slope])


def _jacobian(pair: TwoPoint) -> np.ndarray:
    """Numerical derivatives of the flow at the final distance."""
    h, step = pair.final_distance, STEP * pair.final_distance
    columns = [_field(pair, h + x, w) - _field(pair, h - x, -w) for x, w in ((step, 0.0), (0.0, step))]
    return np.stack(columns, axis=1) / (2 * step)


def compute(settings: Settings) -> papers.Results:
    """Draw pairs, differentiate their flow, and draw starts of one pair."""
    c, rng = papers.Results(settings), np.random.default_rng(settings.seed)
    traces, determinants, rates = [], [], []
    c.found, c.printed = [], []
    for dx, dy, fast_h, fast_y, h, y, angle in np.exp(rng.normal(0.0, 1.0, (settings.draws, 7))):
        w = y - np.cos(angle) * np.sqrt(y * dy)
        pair = TwoPoint(dx, dy, (fast_h, fast_y), (h, y, w))
        root, jacobian = np.hypot(pair.high, 2 * pair.low), _jacobian(pair)
        trace = -fast_y * (pair.high / 2 + root)
        determinant = fast_y**2 / 4 * (2 * pair.low**2 + 0.5 * (pair.high + root) ** 2)
        traces.append(np.trace(jacobian) / trace - 1)
        determinants.append(np.linalg.det(jacobian) / determinant - 1)
        c.found.append(np.sort_complex(np.linalg.eigvals(jacobian)))
        apart = np.emath.sqrt(trace**2 / 4 - determinant)
        c.printed.append(np.sort_complex([trace / 2 - apart, trace / 2 + apart]))
        for sign in (1, -1):
            rate, slope = fast_y * (pair.high + sign * root) / 2, -fast_y / fast_h * (pair.high + sign * root) / 2 / dx
            small = 0.01 * STEP * pair.low**2 / root  # small compared with both fixed points
            flow = _field(pair, small, slope * small) / small
            printed = rate * np.array([1.0, slope])
            rates.append(np.linalg.norm(flow - printed) / np.linalg.norm(printed))
    c.stability = float(np.max(np.abs([traces, determinants])))
    c.unstable = float(sum(np.max(np.real(each)) >= 0 for each in c.found))
    c.zero = float(max(rates))
    c.final = {gain: _draw(settings, gain, rng) for gain in settings.gains}
    c.off = {gain: _distance(settings, gain, drawn) for gain, drawn in c.final.items()}
    return c


def _draw(settings: Settings, gain: float, rng: np.random.Generator) -> np.ndarray:
    """Final distances from starts with h(0)/dx and y(0)/h(0) both from N(G, G²), at equal rates."""
    dx, dy = settings.distances
    encoder, decoder = rng.normal(gain, gain, (2, settings.starts))
    return np.asarray(final_distance(dx * (encoder - decoder), np.sqrt(dx * dy)))


def _density(settings: Settings, gain: float, h: np.ndarray) -> np.ndarray:
    """Equation (48)."""
    dx, dy = settings.distances
    scaled = (h - dx * dy / h) / (np.sqrt(2) * dx * gain)
    return (1 + dx * dy / h**2) / (2 * np.sqrt(np.pi) * dx * gain) * np.exp(-(scaled**2) / 2)


def _distance(settings: Settings, gain: float, drawn: np.ndarray) -> float:
    """Largest difference between the distribution of drawn distances and the integral of the density."""
    grid = np.quantile(drawn, np.linspace(0.001, 0.999, 400))
    below = scipy.integrate.quad(lambda h: _density(settings, gain, np.array([h]))[0], 0, grid[0])[0]
    fine = np.linspace(grid[0], grid[-1], 20_001)
    integral = below + scipy.integrate.cumulative_simpson(_density(settings, gain, fine), x=fine, initial=0)
    return float(np.max(np.abs(np.interp(grid, fine, integral) - np.linspace(0.001, 0.999, 400))))


@papers.panel("Flow of two representations", "squared distance h", "alignment w")
def _plane(c, ax):
    dx, dy = c.settings.distances
    pair = TwoPoint(dx, dy, (1.0, 1.0), (0.3, 0.1, 0.1 - 0.9 * np.sqrt(0.1 * dy)))
    h, w = np.meshgrid(np.linspace(0.02, 2.0, 30), np.linspace(-0.8, 0.6, 30))
    flow = np.array([[_field(pair, *at) for at in zip(*row, strict=True)] for row in zip(h, w, strict=True)])
    ax.streamplot(h, w, flow[..., 0], flow[..., 1], color="0.6", linewidth=0.7, arrowsize=0.7, density=0.9)
    ax.plot(pair.final_distance, 0, "o", color=COLOURS[0], markersize=7)
    ax.plot(0, 0, "o", color=COLOURS[1], markerfacecolor="white", markersize=7, clip_on=False)
    ax.set(xlim=(0, 2), ylim=(-0.8, 0.6))


@papers.panel("Eigenvalues at the final distance", "printed (minus the real part)", "numerical (minus the real part)")
def _eigenvalues(c, ax):
    printed, found = (np.real(np.ravel(each)) for each in (c.printed, c.found))
    ends = [(-printed).min(), (-printed).max()]
    ax.loglog(ends, ends, color="0.5", linewidth=0.8)
    ax.loglog(-printed, -found, ".", markersize=3, color=COLOURS[0])


@papers.panel("Final distances of drawn starts", "squared distance h", "density", legend="upper right")
def _densities(c, ax):
    h = np.linspace(0.02, 3.0, 400)
    for colour, (gain, drawn) in zip(COLOURS, c.final.items(), strict=False):
        ax.hist(drawn, 120, range=(0, 3), density=True, histtype="step", color=colour, alpha=0.4, linewidth=2)
        ax.plot(h, _density(c.settings, gain, h), label=f"G = {gain:g}", **look("predicted", colour))
    ax.set_ylim(0, 1.3 * _density(c.settings, c.settings.gains[0], h).max())


@papers.claim("vanrossem2024 eqs. (29), (30), (31)", at_most=1e-5, because="the error of numerical derivatives")
def _stability(c):
    """The published trace and determinant at the final distance match the reduced dynamics (largest relative error over
    {s.draws} pairs of points with random rates, distances and starts)."""
    return c.stability


@papers.claim("vanrossem2024 App. A.3", at_most=0.0, because="always, says the paper")
def _always_stable(c):
    """The fixed point at the final distance is stable for all rates, distances and starts (pairs of {s.draws} with an
    eigenvalue that is not negative)."""
    return c.unstable


@papers.claim(
    "vanrossem2024 eqs. (33), (34), (35)", at_most=1e-3, because="the flow is taken at a small distance from zero"
)
def _zero(c):
    """Near zero the flow has the published directions and rates, of which one grows (largest relative error of the flow
    along them)."""
    return c.zero


@papers.claim(
    "vanrossem2024 eq. (48)",
    at_most=lambda c: 1.63 / np.sqrt(c.settings.starts),
    because="1.63/√n, the 99 % point of Kolmogorov's distance of n draws",
)
def _distribution(c):
    """Final distances from starts drawn as in the paper have the published density (largest difference between the
    distributions, largest over gains)."""
    return max(c.off.values())


@papers.claim("vanrossem2024 App. A.6", at_most=0.5, because="half of the relative spread at a four times larger gain")
def _sharper(c):
    """The final distance is less random from smaller weights (its relative spread at the smallest gain over that at the
    next)."""
    spreads = [drawn.std() / drawn.mean() for drawn in c.final.values()]
    return float(spreads[0] / spreads[1])
