"""One mode of a deep linear network: its strength over time in closed form, at any depth.

A mode has input-output singular value s, input curvature d and, in a balanced network of D layers, strength u with
    du/dt = D u^{2−2/D} (s − d u).
Everything broadcasts: rows are times, columns are modes. Time may be infinite.
"""

import math
from typing import Any

import numpy as np
import scipy

from festina.checks import check

Numbers = np.ndarray | float
"""A number or an array of them: everything broadcasts."""

SERIES_TERMS = 64
"""Terms of the expansion around v=1, used for v ≥ 1/2: the ratio of terms is ≤ 1/2, so 2^-64 is left out."""

CLOSE = 1e-9
"""A Newton step this small leaves its square, which is below rounding."""

MAX_STEPS = 10**7
"""Steps that ``descend`` takes one by one, some ten seconds' worth."""

STEP_LIMIT = 200
"""Bracketed Newton steps; each at least halves the bracket, so this is never reached in double precision."""


UNDERFLOWS = 1e-200
"""Starts below it are multiplied by ``LIFT``: their products with curvatures and exponentials would lose digits."""

LIFT = 2.0**600


def strength(times: Numbers, s: Numbers, d: Numbers, start: Numbers, depth: float = 2) -> np.ndarray:
    """Strength u(t) of a mode in a balanced network of ``depth`` layers.

    - D=1: u = s/d (1 − e^{−dt}) + u0 e^{−dt}
    - D=2: u = (s/d) / (1 − (1 − s/(d u0)) e^{−2st})
    - other D: the inverse of t(u) = [F(u) − F(u0)]/D, F(u) = u^q/(sq) ₂F₁(1, q; 1+q; du/s), q = 2/D − 1
    - D=∞: u = (s/d)/(1 + W₀[z0 e^{z0 − (s²/d)T}]), z0 = s/(d u0) − 1

    where u0 is ``start`` and t ``times`` in flow time; at infinite depth ``times`` is T = D·t.
    Holds when the layers are equally strong (balanced) and modes decouple.

    Args:
        times: flow times, any shape that broadcasts against the modes; ``np.inf`` gives the limit.
        s: singular value of Σyx, > 0.
        d: curvature, > 0.
        start: u0 ≥ 0 (any sign at depth 1).
        depth: number of weight layers, a real number ≥ 1 or ``math.inf``.

    Returns:
        u(t), in the shape that times, s, d and start broadcast to.

    Example:
        >>> import numpy as np, festina as fs
        >>> fs.linear.strength(np.array([0.0, 5.0, np.inf]), s=1.0, d=2.0, start=1e-3, depth=2).round(4)
        array([0.001 , 0.4889, 0.5   ])

    Source: saxe2014 eqs. (8)-(10); saxe_lecture "Analytic learning trajectory".
    """
    t, s, d, u0 = check.broadcast(times=times, s=s, d=d, start=start)
    _check_mode(s, d, depth)
    if not np.all(t >= 0):
        raise ValueError(f"times go down to {np.min(t):g}; flow time starts at 0, so give times >= 0, or np.inf.")
    if not np.all(np.isfinite(u0)):
        raise ValueError("start holds a value that is not finite; give the strength at time 0.")
    if depth > 1 and np.any(u0 < 0):
        raise ValueError(f"start goes down to {u0.min():g}; a balanced mode of depth {depth:g} needs start >= 0.")
    if depth == 1:
        # saxe_lecture D=1, with the d the slide leaves out
        return np.asarray(u0 * np.exp(-d * t) - s / d * np.expm1(-d * t))
    if depth == 2:
        return grow(t, s, d, u0, np.zeros_like(u0))[0]
    with np.errstate(under="ignore"):
        share = u0 * (d / s)
    lost = (u0 > 0) & (share < np.finfo(float).tiny)
    if np.any(lost):
        raise ValueError(
            f"start goes down to {u0[lost].min():g}, which is less than {np.finfo(float).tiny:.2g} of the end s/d "
            "and has no digits left in double precision; give a larger start, or 0 for a mode that is not there."
        )
    if depth == math.inf:
        return np.asarray(_infinite_depth(t, s, d, u0))
    return np.asarray(_any_depth(t, s, d, u0, depth))


def _check_mode(s: Numbers, d: Numbers, depth: float) -> None:
    if not isinstance(depth, int | float | np.number) or isinstance(depth, bool) or not depth >= 1:
        raise ValueError(f"depth is {check.shown(depth)}; a number of layers >= 1, or math.inf, is needed.")
    if not (np.all(np.greater(s, 0)) and np.all(np.greater(d, 0))):
        raise ValueError("s and d must be > 0: a mode is a singular value above zero on inputs that vary.")


def grow(times: Numbers, s: Numbers, d: Numbers, growing: Numbers, decaying: Numbers) -> tuple[np.ndarray, np.ndarray]:
    """Growing and decaying parts ρ(t), κ(t) of a mode of two layers; its strength is a = ρ − κ.

    With p = W1 v and q = W2ᵀu (vectors over the hidden units) ρ = ‖(p+q)/2‖² and κ = ‖(p−q)/2‖². Decoupled from other
    modes they obey ρ' = 2ρ(s − da), κ' = −2κ(s − da), and 16ρκ is conserved. Hence
        da/dt = √(16ρκ + 4a²) (s − d a),
    for any two-layer start, balanced (κ=0), λ-balanced (16ρκ=λ²) or random. The solution is rational in E = e^{−2Kt},
    K² = s² + 4d²ρκ, with positive terms only: nothing cancels, overflows or is inverted. s and d may be 0, and times
    ``np.inf``.

    Source: saxe2014 eq. (8); domine2025 (aligned case); the vector form is a consequence of theirs.
    """
    t, s, d, rho, kappa = check.broadcast(times=times, s=s, d=d, growing=growing, decaying=decaying)
    if not (np.all(rho >= 0) and np.all(kappa >= 0)):
        raise ValueError("growing and decaying are squared lengths; give numbers >= 0.")
    invariant = rho * kappa
    rate = np.hypot(s, 2 * d * np.sqrt(rho) * np.sqrt(kappa))  # K
    safe = np.where(rate > 0, rate, 1.0)
    with np.errstate(invalid="ignore"):
        fade = np.where(rate > 0, np.exp(-2 * rate * t), 1.0)  # E
        saturation = np.where(rate > 0, -np.expm1(-2 * rate * t) * d / safe, np.where(d > 0, 2 * d * t, 0.0))
    high = np.where(rate > 0, (s + rate) / (2 * safe), 0.5)
    low = np.where(rate > 0, 2 * d**2 * invariant / (safe * (rate + s) + (rate == 0)), 0.5)

    def solve(start: np.ndarray, other: np.ndarray, high: np.ndarray, low: np.ndarray) -> np.ndarray:
        # 0·∞ where a mode that cannot grow is asked for its limit; its product is 0
        with np.errstate(invalid="ignore", divide="ignore", under="ignore"):
            begin, faded, lift = start, fade, 1.0
            tiny = (start > 0) & (start < UNDERFLOWS)
            if tiny.any():  # a start whose products underflow is lifted, as is all that it is compared with
                lift = np.where(tiny, LIFT, 1.0)
                half, begin = np.exp(-rate * t), start * lift
                faded = np.where(tiny & (rate > 0), (lift * half) * half, lift * fade)
            top = begin * (high + low * fade) + np.where(invariant > 0, begin * other * saturation, 0.0)
            bottom = begin * saturation + high * faded + low * lift
            return np.where(start > 0, top / np.where(start > 0, bottom, 1.0), 0.0)

    if not kappa.any():  # a balanced start has no decaying part, and none appears
        return solve(rho, kappa, high, low), np.zeros_like(rho)
    return solve(rho, kappa, high, low), solve(kappa, rho, low, high)


def parts(first: np.ndarray, second: np.ndarray, left: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """ρ = ‖½(W1 v + W2ᵀu)‖² and κ = ‖½(W1 v − W2ᵀu)‖² for each column u of ``left`` and v of ``right``.

    ρ is the initial strength that matters: for entries of variance σ² and H hidden units its mean is Hσ²/2.

    Source: saxe2019 (initial strength from random weights).
    """
    p, q = first @ right, second.T @ left
    return np.sum(((p + q) / 2) ** 2, axis=0), np.sum(((p - q) / 2) ** 2, axis=0)


def _infinite_depth(t: np.ndarray, s: np.ndarray, d: np.ndarray, u0: np.ndarray) -> Any:
    """Infinite depth, T = D·t: saxe_lecture "V. Deep", with exponent −(s²/d)T."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        z0 = s / (d * u0) - 1
        decay = s**2 / d * t
        # W₀(e^y) from its logarithm y: z0 e^{z0} overflows for small starts
        u = np.asarray((s / d) / (1 + scipy.special.wrightomega(np.log(np.where(z0 > 0, z0, 1.0)) + z0 - decay)))
        # from above W₀ runs near its branch point −1/e, where 1 + W₀ has no digits left
        above = (z0 < 0) & (t > 0)
        u[above] = (s / d)[above] / _advance(decay[above], (d * u0 / s)[above], 2.0)
    return np.where((u0 == 0) | (t == 0) | (z0 == 0) | np.isinf(z0), u0, u)


def _power(p: float, v: Numbers) -> Numbers:
    """∫ v^{p−1} dv: v^p/p, less the constant 1/p where p is so near its pole that 1/p would swallow the digits."""
    with np.errstate(over="ignore"):
        return v**p / p if abs(p) > 0.25 else np.expm1(p * np.log(v)) / p if p else np.log(v)


def _integral(q: float, v: Numbers, rest: Numbers, log: Numbers) -> Numbers:
    """∫ v^{q−1}/(1−v) dv = v^q/q ₂F₁(1, q; 1+q; v), q ≥ −1, up to a constant.

    ``rest`` is 1−v with all its digits and ``log`` its logarithm, finite even where 1−v underflows. The first two
    terms, which have poles at q = 0 (depth 2) and q = −1 (infinite depth), are split off.
    """
    far, near = np.minimum(v, 0.5), np.minimum(rest, 0.5)
    below = far ** (q + 2) / (q + 2) * scipy.special.hyp2f1(1.0, q + 2, q + 3, far)
    # around v=1 (the logarithmic case c=a+b of ₂F₁): Σ (q)_n/n! [ψ(n+1) − ψ(q+n) − ln(1−v)] (1−v)^n
    above, weight = np.array(rest), np.ones_like(rest)
    for n in range(SERIES_TERMS):
        above += weight * (scipy.special.digamma(n + 1.0) - scipy.special.digamma(q + max(n, 2)) - log)
        weight = weight * (q + n) / (n + 1) * near
    return _power(q, v) + _power(q + 1, v) + np.where(v < 0.5, below, np.maximum(v, 0.5) ** q * above)


def _advance(span: np.ndarray, v0: np.ndarray, q: float) -> Any:
    """v at the time ``span`` after v0 > 0 for dv/dT = v^{1−q}(1−v); for v0 > 1 the 1/v that obeys it after 1/v0.

    In z = logit(v), dz/dT = v^{−q}: monotone and convex or concave, so a bracketed Newton iteration cannot fail.
    """
    rest0 = np.where(v0 > 1, (v0 - 1) / v0, 1 - v0)
    v0 = np.where(v0 > 1, 1 / v0, v0)
    z0 = np.log(v0) - np.log(rest0)
    base = _integral(q, v0, rest0, np.log(rest0))
    with np.errstate(over="ignore", invalid="ignore"):
        small = span * v0**-q  # change of z to first order
        low = z0 + np.where(np.isfinite(span), np.minimum(span, small), 0.0)
        high = z0 + np.where(np.isfinite(span), np.maximum(span, small), 1.0)
        # guess: the power law of the early phase, else the exponential approach of the late one
        early = v0**q + q * span
        guess = np.log(np.where(early > 0, early, 1.0)) / (q or 1.0)
        guess = np.where((early > 0) & (guess < 0), guess - np.log1p(-np.exp(np.minimum(guess, -1e-12))), span + z0)
    z = np.clip(np.where(np.isfinite(guess), guess, z0), low, high)
    with np.errstate(invalid="ignore", over="ignore"):
        v = np.where(np.isinf(span), 1.0, v0 + v0 * rest0 * small)
    live = np.flatnonzero(np.isfinite(span) & (small > 1e-9))
    z, low, high, goal = z[live], low[live], high[live], (base + span)[live]
    for _ in range(STEP_LIMIT):
        if not len(live):
            break
        now, rest = scipy.special.expit(z), scipy.special.expit(-z)
        with np.errstate(invalid="ignore", over="ignore"):
            miss = _integral(q, now, rest, -np.logaddexp(0.0, z)) - goal
            step = miss * now**-q  # dz/dT = v^{-q}
        # the last step in v itself: z = ln(v/(1−v)) of a tiny v has fewer digits than v
        v[live] = now - now * rest * step
        low, high = np.where(miss <= 0, z, low), np.where(miss >= 0, z, high)
        new = z - step
        new = np.where((new >= low) & (new <= high), new, 0.5 * (low + high))
        on = np.abs(step) > CLOSE + 4 * np.finfo(float).eps * np.abs(z)
        live, z, low, high, goal = live[on], new[on], low[on], high[on], goal[on]
    return v


def _any_depth(t: np.ndarray, s: np.ndarray, d: np.ndarray, u0: np.ndarray, depth: float) -> Any:
    end = s / d
    v0 = u0 / end
    span = depth * s * end ** (1 - 2 / depth) * t
    u = np.array(u0)
    inside, outside = (v0 > 0) & (v0 < 1) & (t > 0), (v0 > 1) & (t > 0)
    u[inside] = end[inside] * _advance(span[inside], v0[inside], 2 / depth - 1)
    # from above its end 1/v obeys the same equation with another exponent
    u[outside] = end[outside] / _advance(span[outside], v0[outside], 2 - 2 / depth)
    return u


def time_to_strength(end: Numbers, s: Numbers, d: Numbers, start: Numbers, depth: float = 2) -> np.ndarray:
    """Flow time in which a balanced mode goes from strength ``start`` to ``end``; ``inf`` where it never does.

    D=2: t = ln[u_f (s − d u0) / (u0 (s − d u_f))] / (2s); other depths: t = [F(u_f) − F(u0)]/D (see ``strength``).
    At infinite depth the result is T = D·t.

    Example:
        >>> import festina as fs
        >>> float(fs.linear.time_to_strength(0.25, s=1.0, d=2.0, start=1e-3).round(4))
        3.1063
        >>> float(fs.linear.strength(3.1063, s=1.0, d=2.0, start=1e-3).round(4))
        0.25

    Source: saxe2014 eq. (9); jarvis2025 App. A.1, above eq. (7).
    """
    uf, s, d, u0 = check.broadcast(end=end, s=s, d=d, start=start)
    _check_mode(s, d, depth)
    final = s / d
    between = ((u0 <= uf) & (uf < final)) | ((u0 >= uf) & (uf > final))
    reachable = between & ((u0 > 0) | (depth == 1))
    vf, v0 = np.where(reachable, uf / final, 0.5), np.where(reachable, u0 / final, 0.5)
    if depth == 1:
        time = np.log1p((vf - v0) / (1 - vf)) / d
    elif depth == 2:
        time = np.log1p((vf - v0) / (v0 * (1 - vf))) / (2 * s)
    else:
        above = v0 > 1
        rest0, restf = np.abs(1 - v0), np.abs(1 - vf)
        low, high = 2 / depth - 1, 2 - 2 / depth

        def span(q: float, chosen: np.ndarray | np.bool_, power: int) -> Numbers:
            """The integral between the two, of v or of 1/v; where it is not chosen, of anything."""
            ends = ((np.where(chosen, v, 0.5), np.where(chosen, rest, 0.5)) for v, rest in ((vf, restf), (v0, rest0)))
            scaled = ((v**power, rest / v if power < 0 else rest) for v, rest in ends)
            after, before = (_integral(q, v, rest, np.log(rest)) for v, rest in scaled)
            return after - before

        time = np.where(above, span(high, above, -1), span(low, ~above, 1))
        # at infinite depth time is T = D·t, so the factor D is already in it
        time = time / ((1 if depth == math.inf else depth) * s * final ** (1 - 2 / depth))
    return np.where(reachable, time, np.where(uf == u0, 0.0, np.inf))


def best_rate(s: Numbers, d: Numbers, depth: float) -> np.ndarray:
    """Step of gradient descent that is fastest at the end of a balanced mode: 1/(d D (s/d)^{2−2/D}).

    Twice it is the largest stable step. The curvature of the loss along the layers at the end point is its inverse.

    Example:
        >>> import festina as fs
        >>> float(fs.linear.best_rate(s=2.0, d=1.0, depth=2))
        0.25

    Source: saxe2014 section 2 (optimal learning rate against depth).
    """
    s, d = check.broadcast(s=s, d=d)
    _check_mode(s, d, depth)
    return np.asarray(1 / (d * depth * (s / d) ** (2 - 2 / depth)))


def descend(steps: np.ndarray, s: Numbers, d: Numbers, start: Numbers, rate: float) -> np.ndarray:
    """Strengths of balanced two-layer modes after these numbers of steps of gradient descent, exactly.

    u ← u (1 + η(s − d u))², step by step; rows are numbers of steps, columns modes.

    Args:
        steps: whole numbers, increasing.
        s, d, start: singular value, curvature and initial strength of each mode.
        rate: step size η.

    Source: saxe2014 (discrete time).
    """
    rate = check.positive("rate", rate)
    s, d, u = check.broadcast(s=s, d=d, start=start)
    at, found = 0, []
    wanted = [check.whole("steps", n, 0, MAX_STEPS) for n in check.listing("steps", steps, "whole numbers")]
    for step in wanted:
        for _ in range(step - at):
            u = u * (1 + rate * (s - d * u)) ** 2
        at = step
        found.append(u)
    return np.array(found)
