"""Rows of the table of claims, measured again by scripts that were written from the papers' text, at small settings.

Only NumPy and SciPy are used; of festina the bound and the expected verdict of a claim, and nothing that computes.
"""

from itertools import pairwise

import numpy as np
import pytest
import scipy

from festina.papers import find
from festina.papers.claims import verdict


def decide(experiment, name, measured):
    """The verdict of a number on a claim, beside the recorded one."""
    claim = next(claim for claim in find(experiment).claims if claim.name == name)
    assert not callable(claim.bound)
    return verdict(measured, 0.0, claim.bound, claim.relation), claim.expected


def agree(experiment, name, measured):
    found, expected = decide(experiment, name, measured)
    assert found == expected, f"{experiment}, {name}: {measured} {found}, expected {expected}"


# deep linear networks: saxe2014, saxe2019, saxe_lecture


def linear_flow(cross, first, second, times):
    """Gradient flow of two linear layers on white inputs: products W2 W1 at the times."""
    hidden = len(first)

    def field(_, flat):
        w1, w2 = flat[: first.size].reshape(first.shape), flat[first.size :].reshape(second.shape)
        miss = cross - w2 @ w1
        return np.concatenate([(w2.T @ miss).ravel(), (miss @ w1.T).ravel()])

    start = np.concatenate([first.ravel(), second.ravel()])
    found = scipy.integrate.solve_ivp(field, (0, times[-1]), start, "DOP853", times, rtol=1e-9, atol=1e-12)
    w1, w2 = np.split(found.y.T, [first.size], axis=1)
    return w2.reshape(-1, len(second), hidden) @ w1.reshape(-1, hidden, first.shape[1])


@pytest.fixture(scope="module")
def passages():
    """Strengths of three modes, s = 4, 2, 1, from random weights of two sizes: (scales, times, modes)."""
    rng, times, strengths = np.random.default_rng(5), np.linspace(0, 32, 1601), np.array([4.0, 2.0, 1.0])
    draws = rng.standard_normal((8, 3)), rng.standard_normal((3, 8))
    scales = (1e-5, 1e-4)
    maps = [linear_flow(np.diag(strengths), scale * draws[0], scale * draws[1], times) for scale in scales]
    return scales, times, strengths, np.array([np.diagonal(path, axis1=1, axis2=2) for path in maps])


def test_modes_are_learned_one_after_another_the_largest_first(passages):
    _, times, strengths, paths = passages
    half = times[np.argmax(paths[0] > strengths / 2, axis=0)]
    agree("semantic", "order of modes", float(np.all(np.diff(half) > 0)))
    agree("saddles", "order", float(np.all(np.diff(half) > 0)))
    # between two half-times the loss rests where the modes learned so far leave it
    middle = np.array([np.sqrt(a * b) for a, b in pairwise(half)])
    loss = 0.5 * ((strengths - paths[0]) ** 2).sum(axis=1)
    left = 0.5 * np.array([(strengths[k + 1 :] ** 2).sum() for k in range(2)])
    drops = 0.5 * strengths[1:] ** 2
    agree("saddles", "plateau", float(np.max(np.abs(np.interp(middle, times, loss) - left) / drops)))


def test_the_four_items_of_figure_7_are_told_apart_from_the_root_to_the_leaves():
    # one property of all four, one of each pair, one of each item
    items = np.vstack([np.ones((1, 4)), np.kron(np.eye(2), np.ones(2)), np.eye(4)])
    left, values, right = np.linalg.svd(items / 4)
    rng, times = np.random.default_rng(2), np.linspace(0, 80, 801)
    first, second = (1e-3 * rng.standard_normal(shape) for shape in ((16, 4), (7, 16)))
    paths = linear_flow(items / 4, first, second, times)
    grown = np.einsum("ok,toi,ki->tk", left[:, :4], paths, right)
    half = times[np.argmax(grown > values[:4] / 2, axis=0)]
    levels = [half[:1], half[1:2], half[2:]]
    agree("semantic", "order of modes", float(all(a.max() < b.min() for a, b in pairwise(levels))))


def test_the_time_of_a_mode_grows_with_the_logarithm_of_the_scale_over_its_strength(passages):
    scales, times, strengths, paths = passages
    half = np.array([[np.interp(s / 2, path[:, k], times) for k, s in enumerate(strengths)] for path in paths])
    slope = (half[0] - half[1]) / np.log(scales[1] / scales[0])
    agree("saddles", "time", float(np.max(np.abs(slope * strengths - 1))))


def test_a_shallow_network_has_no_stages_and_no_illusions():
    # eight one-hot items, so that Σx = 1/8 and dW/dt = Σyx − W Σx; integrated from small random weights
    tree = np.vstack([np.eye(8), np.kron(np.eye(4), np.ones(2)), np.kron(np.eye(2), np.ones(4)), np.ones((1, 8))])
    times, start = np.linspace(0, 80, 200), 1e-4 * np.random.default_rng(0).standard_normal(tree.size)
    found = scipy.integrate.solve_ivp(
        lambda _, w: (tree.ravel() - w) / 8, (0, 80), start, t_eval=times, rtol=1e-9, atol=1e-12
    )
    outputs = found.y.T.reshape(-1, *tree.shape)
    wrong = np.where(tree == 0, outputs, 0.0)
    # an illusion is a false belief that grows beyond the random start
    agree("semantic", "no illusions without depth", float((np.abs(wrong) - np.abs(wrong[0])).max()))
    left, values, right = np.linalg.svd(tree, full_matrices=False)
    grown = np.einsum("ok,toi,ki->tk", left, outputs, right)
    learned = [np.interp(value / 2, grown[:, k], times) for k, value in enumerate(values)]
    agree("semantic", "no stages without depth", float(max(learned) / min(learned) - 1))


def test_chains_of_layers_take_longer_the_deeper_they_are_only_from_small_layers():
    def steps(depth, layer, target=2.0):
        """Steps to 99 % at the best step of saxe2014, 1/(D s^{2−2/D}), of b' = b^{D−1} (s − b^D)."""
        rate, b, count = 1 / (depth * target ** (2 - 2 / depth)), layer, 0
        while b**depth < 0.99 * target:
            b, count = b + rate * b ** (depth - 1) * (target - b**depth), count + 1
        return count

    agree("depth", "orthogonal", steps(100, 1.0) / steps(10, 1.0))
    assert steps(5, 0.1) > 5 * steps(4, 0.1)
    # flow time from b0 ≪ 1: t (D − 2) s → b0^{−(D−2)}
    starts = np.array([1e-3, 1e-2])
    times = []
    for b0 in starts:
        found = scipy.integrate.quad(lambda u: np.exp(-4 * u) / (2 - np.exp(6 * u)), np.log(b0), np.log(1.0), limit=200)
        times.append(found[0])
    slope = np.log(times[0] / times[1]) / np.log(starts[1] / starts[0])
    agree("depth", "small start", abs(slope / 4 - 1))


# alignment: jarvis2025 Assumption 2.1, App. A.1, App. E


def rotated(strengths, seed, shape=(6, 8)):
    """A matrix with these singular values and random singular vectors, and those of the strongest."""
    rng = np.random.default_rng(seed)
    left, right = (np.linalg.qr(rng.standard_normal((n, n)))[0][:, : len(strengths)] for n in shape)
    return left * strengths @ right.T, left[:, 0], right[:, 0]


def linear_steps(cross, hidden, seeds, rate, steps, std=1e-4, inputs=None):
    """Two linear layers by gradient descent on white inputs, (networks, …) at a time: weights before every step.

    With ``inputs``, (points, features), every step sees one data point alone, drawn in passes through all of them.
    """
    rng = np.random.default_rng(seeds)
    first, second = (
        std * rng.standard_normal((seeds, hidden, cross.shape[1])),
        std * rng.standard_normal((seeds, cross.shape[0], hidden)),
    )
    for k in range(steps):
        yield first, second
        if inputs is None:
            miss = cross - second @ first
        else:
            if k % len(inputs) == 0:
                order = iter(rng.permutation(len(inputs)))
            x = inputs[next(order)]
            miss = np.outer(cross @ x, x) - second @ first @ np.outer(x, x)
        back = second.transpose(0, 2, 1) @ miss
        second = second + rate * miss @ first.transpose(0, 2, 1)
        first = first + rate * back


def linear_losses(cross, *args, **given):
    return np.array([0.5 * ((cross - b @ a) ** 2).sum(axis=(1, 2)) for a, b in linear_steps(cross, *args, **given)])


def test_the_strongest_mode_aligns_before_anything_is_learned():
    strengths, rate = np.array([4.0, 2.0, 1.0]), 0.001
    cross, left, right = rotated(strengths, 0)
    times, gone = [], []
    for hidden in (16, 64, 256):
        cosines, losses = [], []
        for first, second in linear_steps(cross, hidden, 40, rate, 500):
            a, b = first @ right, left @ second
            cosines.append((a * b).sum(axis=1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1))
            losses.append(0.5 * ((cross - second @ first) ** 2).sum(axis=(1, 2)))
        at = np.argmax(np.array(cosines) > 0.9, axis=0)
        times.append(rate * at.mean() / (np.arctanh(0.9) / (2 * strengths[0])) - 1)
        gone.append(np.mean(1 - np.array(losses)[at, np.arange(40)] / losses[0]))
    agree("alignment", "time of alignment", np.abs(times).max())
    agree("alignment", "silent", max(gone))


def test_small_stochastic_steps_are_full_batch_steps():
    strengths = np.array([4.0, 2.0, 1.0])
    cross, _, _ = rotated(strengths, 1, (3, 3))
    points = np.sqrt(12) * np.linalg.qr(np.random.default_rng(4).standard_normal((12, 3)))[0]
    full = linear_losses(cross, 16, 4, 0.001, 14_000)
    single = linear_losses(cross, 16, 4, 0.001, 14_000, inputs=points)
    assert full[-1].max() < 0.01 * full[0].max()
    agree("alignment", "stochastic steps", float(np.mean([area(a, b) for a, b in zip(single.T, full.T, strict=True)])))


def test_singular_values_alone_set_the_time_course_and_a_narrow_layer_learns_the_strongest_modes():
    strengths = np.array([4.0, 2.0, 1.0])
    means = [linear_losses(rotated(strengths, seed)[0], 64, 20, 0.01, 1500).mean(axis=1) for seed in range(3)]
    agree("alignment", "singular values", max(area(a, b) for a in means for b in means))
    cross, _, _ = rotated(strengths, 0)
    left, values, right = np.linalg.svd(cross)
    off = []
    for count in (1, 2):
        for first, second in linear_steps(cross, count, 3, 0.02, 2000, std=0.01):
            found = second @ first
        best = left[:, :count] * values[:count] @ right[:count]
        off.append(np.linalg.norm(found - best, axis=(1, 2)).mean() / np.linalg.norm(best))
    agree("alignment", "narrow layers", max(off))


# gates on items in contexts: jarvis2025


def context_inputs(items, contexts):
    """One-hot item beside one-hot context, context after context."""
    return np.array([[*np.eye(items)[i], *np.eye(contexts)[c]] for c in range(contexts) for i in range(items)])


def poly_bernoulli(n, k):
    """Number of lonesum n × k matrices, Σ_m (m!)² S(n+1, m+1) S(k+1, m+1), by Stirling numbers of the second kind."""

    def stirling(a, b):
        return sum((-1) ** (b - j) * scipy.special.comb(b, j, exact=True) * j**a for j in range(b + 1)) // (
            scipy.special.factorial(b, exact=True)
        )

    return sum(
        scipy.special.factorial(m, exact=True) ** 2 * stirling(n + 1, m + 1) * stirling(k + 1, m + 1)
        for m in range(min(n, k) + 1)
    )


def test_lemma_4_1_knows_a_part_of_the_possible_gates():
    rng = np.random.default_rng(0)
    small = {tuple(row) for row in rng.standard_normal((20_000, 4)) @ context_inputs(2, 2).T > 0}
    assert len(small) == poly_bernoulli(2, 2) == 14
    assert len({tuple(row) for row in rng.standard_normal((200_000, 6)) @ context_inputs(3, 3).T > 0}) <= 230
    assert poly_bernoulli(3, 3) == 230
    # the lemma's gates: by context (2^C), or on at a single point
    agree("possible_gates", "lemma_small", (4 + 4) / len(small))
    agree("possible_gates", "lemma", (8 + 24) / poly_bernoulli(8, 3))


HIERARCHY = np.vstack([np.ones((1, 8)), np.kron(np.eye(2), np.ones(4)), np.kron(np.eye(4), np.ones(2)), np.eye(8)]).T
"""Eight items with the 15 properties of a binary tree."""


def context_task(contexts=3):
    """Properties that hold always, and as many for each context that hold in it alone."""
    x = context_inputs(8, contexts)
    rows = [np.hstack([HIERARCHY, *(HIERARCHY * (c == k) for k in range(contexts))]) for c in range(contexts)]
    return x, np.vstack(rows)


def descend(x, y, gates, units, std, step, steps, every=20, seed=0):
    """Gated pathways of linear units, or ReLU units where ``gates`` is None, by steps on the summed loss.

    Contextual pathways see items alone, as in the paper's App. F. Returns losses, last activity and last weights.
    """
    rng = np.random.default_rng(seed)
    masks = np.ones((sum(units), x.shape[1]))
    if gates is not None:
        opened = np.repeat(gates, units, axis=0).T
        masks[: len(masks)][np.repeat(~gates.all(axis=1), units)] *= np.arange(x.shape[1]) < 8
    first, second = std * rng.standard_normal(masks.shape) * masks, std * rng.standard_normal((sum(units), y.shape[1]))
    losses = []
    for k in range(steps + 1):
        on = opened if gates is not None else (x @ first.T > 0)
        hidden = on * (x @ first.T)
        miss = y - hidden @ second
        if k % every == 0:
            losses.append(0.5 * (miss**2).sum() / len(x))
        back = (miss @ second.T) * on
        first, second = first + step * (back.T @ x) * masks, second + step * hidden.T @ miss
    return np.array(losses), hidden, second, first


COMMON, DOUBLE, SINGLE = [(0, 1, 2)], [(0, 1), (0, 2), (1, 2)], [(0,), (1,), (2,)]


def opened_in(subsets):
    return np.array([[point // 8 in subset for point in range(24)] for subset in subsets])


@pytest.fixture(scope="module")
def contextual():
    """A ReLU network of 160 units and gated networks of as many units in all pathways, scale 0.005 / H."""
    x, y = context_task()
    hidden, step, steps = 160, 0.004, 2600
    kinds = {"double": COMMON + DOUBLE, "single": COMMON + SINGLE, "both": COMMON + DOUBLE + SINGLE}
    found = {"relu": descend(x, y, None, [hidden], 0.005 / hidden, step, steps)}
    for name, subsets in kinds.items():
        units = [hidden // len(subsets)] * len(subsets)
        found[name] = descend(x, y, opened_in(subsets), units, 0.005 / hidden, step, steps)
    return found


def area(first, second):
    return np.abs(first - second).sum() / second.sum()


def learning_time(losses):
    return int(np.argmax(losses < losses[0] / 10))


def test_pathways_for_two_contexts_learn_like_relu_and_faster_than_for_one(contextual):
    times = {name: learning_time(losses) for name, (losses, *_) in contextual.items()}
    agree("winners", "race", times["double"] / times["single"])
    agree("winners", "unique", times["double"] / min(times["single"], times["both"]))
    relu = contextual["relu"][0]
    ratio = area(contextual["single"][0], relu) / area(contextual["double"][0], relu)
    assert ratio > 1, "the direction; the factor of three is that of 700 units"


def test_pathways_for_single_contexts_remain_inactive(contextual):
    _, hidden, second, _ = contextual["both"]
    units = 160 // 7
    power = [((hidden[:, a : a + units] @ second[a : a + units]) ** 2).sum() for a in range(0, 7 * units, units)]
    agree("context", "both", sum(power[4:]) / sum(power[1:]))


def test_no_unit_of_a_relu_network_is_specific_to_one_context(contextual):
    _, hidden, second, _ = contextual["relu"]
    sent = np.linalg.norm(hidden, axis=0) * np.linalg.norm(second, axis=1)
    contexts = (hidden.reshape(3, 8, -1).mean(axis=1) > 0).sum(axis=0)
    agree("equivalence", "no specific activity", sent[contexts == 1].sum() / sent.sum())
    agree("contexts", "three", sent[contexts == 2].sum() / sent[(contexts == 1) | (contexts == 2)].sum())


def test_gates_of_the_lemma_do_what_trained_units_do(contextual):
    _, hidden, second, first = contextual["relu"]
    x, y = context_task()
    gates = hidden.T > 0
    allowed = np.array([*(np.repeat(row, 8) for row in np.ndindex(2, 2, 2)), *np.eye(24)], dtype=bool)
    sent = np.linalg.norm(hidden, axis=0) * np.linalg.norm(second, axis=1)
    literal = (gates[:, None] == allowed).all(axis=2).any(axis=1)
    agree("possible_gates", "used", sent[literal].sum() / sent.sum())
    response = x @ first.T
    near = ((gates[:, None] != allowed) * (response.T**2)[:, None]).sum(axis=2).argmin(axis=1)
    left = ((y - (allowed[near].T * response) @ second) ** 2).sum()
    linear = ((y - x @ np.linalg.lstsq(x, y, rcond=None)[0]) ** 2).sum()
    agree("possible_gates", "used, by function", left / linear)


def test_removing_an_input_or_an_output_never_raises_the_top_singular_value():
    x, y = context_task()
    cross = y.T @ x
    top = np.linalg.norm(cross, 2)
    ratios = [np.linalg.norm(np.delete(cross, k, axis), 2) / top for axis in (0, 1) for k in range(cross.shape[axis])]
    agree("winners", "interlacing", max(ratios))
    gates = np.random.default_rng(0).random((300, 24)) < 0.5
    agree("winners", "common", max(np.linalg.norm((y * gate[:, None]).T @ x, 2) / top for gate in gates))


# two points: vanrossem2024


def pair_field(dx, dy, fast_h, fast_y):
    """Equation (7), with squared distances as variables."""

    def field(_, z):
        h, y, w = z
        return [
            -fast_h * dx * w,
            -w * (fast_y * h + fast_h * dx * y / h),
            -fast_y / 2 * (3 * w - y + dy) * h - fast_h / 2 * dx * (y + w) * w / h,
        ]

    return field


def two_dimensional(dx, dy, fast_h, fast_y, high):
    """Equation (25), corrected: its last term belongs inside the bracket; the invariant is −A_high/(dx r)."""
    r = fast_h / fast_y  # τy/τh
    invariant = -high / (dx * r)

    def field(h, w):
        first = -(fast_y / r / dx) * h**3 + fast_y * dy * h + 4 * fast_y * h * w + fast_h * dx * w**2 / h
        return np.array([-fast_h * dx * w, -0.5 * (first + invariant * (fast_h * dx * w - fast_y * h**2))])

    return field


@pytest.mark.parametrize("high", [0.7, -0.9])
def test_equations_29_to_36_the_final_distance_is_stable_and_zero_is_not(high):
    dx, dy, fast_h, fast_y = 0.8, 1.3, 0.6, 0.35
    low = np.sqrt(fast_h / fast_y * dx * dy)
    end = high / 2 + np.hypot(high / 2, low)
    field, step = two_dimensional(dx, dy, fast_h, fast_y, high), 1e-6
    assert field(end, 0.0) == pytest.approx(0, abs=1e-12)
    jacobian = np.stack(
        [(field(end + step, 0.0) - field(end - step, 0.0)), (field(end, step) - field(end, -step))], axis=1
    ) / (2 * step)
    root = np.sqrt(high**2 + 4 * low**2)
    assert np.trace(jacobian) == pytest.approx(-fast_y * (high / 2 + root), rel=1e-5)  # (30)
    determinant = fast_y**2 / 4 * (2 * low**2 + 0.5 * (high + root) ** 2)
    assert np.linalg.det(jacobian) == pytest.approx(determinant, rel=1e-5)  # (31)
    agree("fixed_points", "always stable", float(np.sum(np.linalg.eigvals(jacobian).real >= 0)))
    # along the directions of (34) the flow near zero is λ of (35): one grows
    for sign in (1, -1):
        rate = fast_y * (high + sign * root) / 2
        direction = np.array([1.0, -fast_y / fast_h * (high + sign * root) / (2 * dx)])
        small = 1e-7
        assert field(*(small * direction)) / small == pytest.approx(rate * direction, rel=1e-5)
        assert (rate > 0) == (sign > 0)


def test_equation_48_is_the_density_of_final_distances():
    dx, dy, gain = 0.8, 1.3, 0.4
    low = np.sqrt(dx * dy)

    def final(gain):
        encoder, decoder = np.random.default_rng(1).normal(gain, gain, (2, 100_000))
        high = dx * (encoder - decoder)
        return high / 2 + np.hypot(high / 2, low)

    found, sharper = final(gain), final(gain / 4)
    agree("fixed_points", "sharper", sharper.std() / sharper.mean() * found.mean() / found.std())

    def density(h):
        scaled = (h - low**2 / h) / (np.sqrt(2) * dx * gain)
        return (1 + low**2 / h**2) / (2 * np.sqrt(np.pi) * dx * gain) * np.exp(-(scaled**2) / 2)

    assert scipy.integrate.quad(density, 0, np.inf)[0] == pytest.approx(1, rel=1e-6)
    below = [scipy.integrate.quad(density, 0, h)[0] for h in np.quantile(found, [0.1, 0.5, 0.9])]
    assert below == pytest.approx([0.1, 0.5, 0.9], abs=0.006)


def test_equation_14_as_printed_for_squared_distances():
    # in the convention of (41), the gain G multiplies squared distances: n layers of weights of gain g give G^n, G = g²
    rng, gain, depth, width = np.random.default_rng(3), 0.8, 12, 300
    moved = rng.standard_normal((width, 40))
    before = (moved**2).sum()
    for _ in range(depth):
        moved = gain / np.sqrt(width) * rng.standard_normal((width, width)) @ moved
    assert np.log((moved**2).sum() / before) == pytest.approx(depth * np.log(gain**2), rel=0.03)


def leaky(h):
    return np.where(h > 0, h, 0.01 * h)


@pytest.mark.parametrize(
    ("experiment", "rate", "steps"), [("xor_structure", 0.24, 10_000), ("adam", 0.001, 8_000)], ids=["descent", "adam"]
)
def test_one_of_two_pairs_of_xor_merges_in_a_network_of_one_hidden_layer(experiment, rate, steps):
    """Leaky ReLU units, Xavier's weights with the gain of Table 2, biases at zero; four points, mean squared error."""
    x, y = np.array([[0.0, 0], [1, 0], [0, 1], [1, 1]]), np.array([[0.0], [1], [1], [0]])
    found = []
    for seed in range(3):
        rng, units, gain = np.random.default_rng(seed), 100, 0.0015
        sizes = [(2, units), (units,), (units, 1), (1,)]
        parts = [gain * np.sqrt(2 / sum(s)) * rng.standard_normal(s) if len(s) > 1 else np.zeros(s) for s in sizes]
        memory = [(np.zeros(s), np.zeros(s)) for s in sizes]
        for k in range(1, steps + 1):
            drive = x @ parts[0] + parts[1]
            miss = (leaky(drive) @ parts[2] + parts[3] - y) / 4
            back = miss @ parts[2].T * np.where(drive > 0, 1, 0.01)
            slopes = [x.T @ back, back.sum(axis=0), leaky(drive).T @ miss, miss.sum(axis=0)]
            if experiment == "adam":
                memory = [
                    (0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g**2) for (m, v), g in zip(memory, slopes, strict=True)
                ]
                slopes = [m / (1 - 0.9**k) / (np.sqrt(v / (1 - 0.999**k)) + 1e-8) for m, v in memory]
            parts = [part - rate * slope for part, slope in zip(parts, slopes, strict=True)]
        hidden = leaky(x @ parts[0] + parts[1])
        distances = ((hidden[:, None] - hidden) ** 2).sum(axis=2)
        same = np.array([distances[0, 3], distances[1, 2]])
        found.append(np.sort(same) / np.mean([distances[i, j] for i, j in ((0, 1), (0, 2), (1, 3), (2, 3))]))
    nearer, farther = np.median(found, axis=0)
    if experiment == "adam":
        agree("adam", "one hidden layer", farther)
    else:
        agree("xor_structure", "one pair", farther)
        agree("xor_structure", "merged pair", nearer)


# pathways that race: saxe_lecture "The neural race reduction"

TREE = np.vstack([np.ones((1, 4)), np.kron(np.eye(2), np.ones(2)), np.eye(4)]).T
"""Four items with the seven properties of a binary tree."""


def learning_time_of_a_path(targets, starts, step=0.05, steps=6000):
    """Flow time until half of the loss on a path's data is gone, the path being a chain of layers on white items.

    ``targets`` are several tasks, each with inputs and outputs of its own, behind one shared chain of middle layers:
    the lecture's edge that several pathways share. All the data of all tasks are one mean. Only the first is timed.
    """
    first, *middle, last = starts
    data = 2 * len(TREE)  # two equal parts of the data, as in a race of two
    for k in range(steps):
        hidden, inner = [], np.eye(len(first[0]))
        for w in middle:
            inner = w @ inner
        hidden = [inner @ a for a in first]
        miss = [y.T - last @ h for y, h in zip(targets, hidden, strict=True)]
        losses = (miss[0] ** 2).sum()
        if k == 0:
            begin = losses
        if losses <= begin / 2:
            return k * step
        back = [last.T @ m for m in miss]
        change = step / data
        new_first = [a + change * inner.T @ b for a, b in zip(first, back, strict=True)]
        new_middle = [w + change * sum(b @ a.T for a, b in zip(first, back, strict=True)) for w in middle]
        last = last + change * sum(m @ h.T for m, h in zip(miss, hidden, strict=True))
        first, middle = new_first, new_middle
    return np.inf


def path_start(rng, layers=2, tasks=1, hidden=32, std=0.03, factors=(1.0, 1.0)):
    """Random weights of a path: one encoder for each task, shared layers, one decoder of the properties."""
    first = [factors[0] * std * rng.standard_normal((hidden, 4)) for _ in range(tasks)]
    middle = [std * rng.standard_normal((hidden, hidden)) for _ in range(layers - 2)]
    return first, *middle, factors[1] * std * rng.standard_normal((7, hidden))


def test_the_lecture_s_four_properties_make_a_pathway_faster():
    rng, half = np.random.default_rng(0), [TREE / 2]
    usual = [learning_time_of_a_path([TREE], path_start(rng)) for _ in range(8)]
    slower = {
        "correlation": [learning_time_of_a_path(half, path_start(rng)) for _ in range(4)],
        "depth": [learning_time_of_a_path([TREE], path_start(rng, layers=3)) for _ in range(4)],
        "size": [learning_time_of_a_path([TREE], path_start(rng, factors=(0.3, 0.3))) for _ in range(4)],
    }
    faster = {
        "balance": [learning_time_of_a_path([TREE], path_start(rng, factors=(4.0, 0.25))) for _ in range(4)],
        "sharing": [learning_time_of_a_path([TREE] * 3, path_start(rng, tasks=3)) for _ in range(4)],
    }
    alike = max(usual) / min(usual)  # what random weights alone do
    ratios = {name: np.mean(times) / np.mean(usual) for name, times in slower.items()}
    ratios |= {name: np.mean(usual) / np.mean(times) for name, times in faster.items()}
    for name, ratio in ratios.items():
        (claim,) = (claim for claim in find("speed").claims if claim.name == name)
        assert verdict(float(ratio), 0.0, alike, claim.relation) == claim.expected, (name, ratio, alike)


def test_the_edge_that_all_routes_share_ends_stronger_and_teaches_pairs_that_were_never_trained():
    domains, trained, hidden, step, rng = 5, 3, 16, 0.01, np.random.default_rng(1)
    strengths, target = np.linalg.svd(TREE, compute_uv=False), TREE.T
    offsets = (np.arange(domains)[None] - np.arange(domains)[:, None]) % domains
    known = (offsets < trained).astype(float)[:, :, None, None]  # (outputs, inputs)

    def columns(count, gain):
        return gain * np.linalg.qr(rng.standard_normal((hidden, count)))[0]

    left = {}
    for gain in (0.05, 2.5):
        encoders = np.array([columns(4, gain) for _ in range(domains)])
        decoders = np.array([columns(7, gain).T for _ in range(domains)])
        shared = columns(hidden, gain)
        for _ in range(8000 if gain < 1 else 20_000):
            codes = shared @ encoders
            miss = known * (target - decoders[:, None] @ codes)
            inward = (decoders.transpose(0, 2, 1)[:, None] @ miss).sum(axis=0)
            decoders = decoders + step / (1 + gain**4) * np.einsum("baoi,ahi->boh", miss, codes)
            change = np.einsum("ahi,aki->hk", inward, encoders), shared.T @ inward
            shared, encoders = (w + step / (1 + gain**4) * g for w, g in zip((shared, encoders), change, strict=True))
        error = ((target - decoders[:, None] @ shared @ encoders) ** 2).sum(axis=(2, 3)) / (target**2).sum()
        assert error[known[:, :, 0, 0] > 0].max() < 0.01
        left[gain] = error[known[:, :, 0, 0] == 0].mean()
        if gain < 1:
            ends = np.linalg.svd(shared, compute_uv=False)[:4], np.linalg.svd(encoders[0], compute_uv=False)
            wanted = (domains * strengths) ** (1 / 3), strengths ** (1 / 3) * domains ** (-1 / 6)
            agree("routing", "shared", max(np.abs(e / w - 1).max() for e, w in zip(ends, wanted, strict=True)))
    agree("routing", "rich", left[0.05])
    agree("routing", "lazy", left[2.5])


# imbalance: saxe_lecture "From exponential to sigmoidal dynamics", "Exact continual learning dynamics"


def balanced_start(strengths, lambda_, sign=1.0):
    """Layers with W1 W1ᵀ − W2ᵀ W2 = −λ and a diagonal map of these strengths: a² − b² = −λ, a b = strength."""
    strengths = np.asarray(strengths)
    root = np.hypot(lambda_, 2 * strengths)
    return np.diag(np.sqrt((root - lambda_) / 2)), sign * np.diag(np.sqrt((root + lambda_) / 2))


def test_the_balance_of_layers_turns_an_exponential_curve_into_a_sigmoidal_one():
    strengths = np.linspace(1.0, 0.5, 4)
    steepest, rates = {}, {}
    for size in (0.0, 10.0):
        times = np.linspace(0, 15 / np.hypot(0.5, size), 1500)
        paths = linear_flow(np.diag(strengths), *balanced_start(np.full(4, 0.01), size), times)
        loss = 0.5 * ((np.diag(strengths) - paths) ** 2).sum(axis=(1, 2))
        half = times[np.argmax(loss <= loss[0] / 2)]
        steepest[size] = times[np.argmin(np.gradient(loss, times))] / half
        first = loss > loss[0] / np.e
        rates[size] = -np.polyfit(times[first], np.log(loss[first]), 1)[0]
    agree("balance", "sigmoidal", steepest[0.0])
    agree("balance", "exponential", steepest[10.0])
    agree("balance", "rate", abs(rates[10.0] / 20 - 1))


def test_a_reversed_task_is_unlearned_only_if_layers_differ_and_sooner_without_depth():
    strength, sizes = 2.0, (1e-3, 1e-2, 1e-1)
    target, recovered = strength * np.eye(2), []
    for size in (0.0, *sizes):
        times = np.linspace(0, 6, 6001)
        path = linear_flow(target, *balanced_start([strength] * 2, size, sign=-1.0), times)[:, 0, 0]
        assert path[0] == pytest.approx(-strength)
        recovered.append(times[np.argmax(path >= strength / 2)] if path[-1] >= strength / 2 else np.inf)
    assert recovered[0] == np.inf
    agree("reversal", "shallow", np.log(4) / max(recovered[1:]))  # da/dt = s − a, from −s to s/2
    slope = -np.polyfit(np.log(sizes[:2]), recovered[1:3], 1)[0]
    agree("reversal", "logarithm", abs(slope * strength - 1))


# recurrence: proca2025


def recurrent_flow(strengths, hidden, std, steps, rate, seed):
    """ŷ = Σ_k Wy Wh^k Wx x(T−k) by gradient descent on ½ Σ_k ‖A_k − Wy Wh^k Wx‖²; the maps of every lag over time.

    ``strengths`` are (lags, modes): A_k is diagonal, since inputs of all steps are white and unrelated.
    """
    rng, (lags, modes) = np.random.default_rng(seed), strengths.shape
    x, h, y = (std * rng.standard_normal(shape) for shape in ((hidden, modes), (hidden, hidden), (modes, hidden)))
    found = []
    for _ in range(steps):
        powers = [np.eye(hidden)]
        for _ in range(lags - 1):
            powers.append(h @ powers[-1])
        maps = [y @ power @ x for power in powers]
        found.append([np.diag(part) for part in maps])
        miss = [np.diag(wanted) - part for wanted, part in zip(strengths, maps, strict=True)]
        dx = sum((y @ power).T @ m for power, m in zip(powers, miss, strict=True))
        dy = sum(m @ (power @ x).T for power, m in zip(powers, miss, strict=True))
        dh = np.zeros_like(h)
        for k in range(1, lags):
            for j in range(k):
                dh += (y @ powers[k - 1 - j]).T @ miss[k] @ (powers[j] @ x).T
        x, h, y = x + rate * dx, h + rate * dh, y + rate * dy
    return np.array(found)


def test_a_recurrent_network_learns_late_inputs_and_large_modes_first():
    late = np.array([[1.0, 0.0], [0.0, 0.5], [0.0, 1.0], [0.0, 0.0]])
    large = np.array([[2.0, 1.0]] * 4)
    ratios = {"later first": [], "larger first": []}
    for seed in range(2):
        for name, strengths, lag, steps in (("later first", late, 2, 8000), ("larger first", large, 0, 1500)):
            path = recurrent_flow(strengths, 8, 0.01, steps, 0.04 if lag else 0.01, seed)
            assert np.abs(path[-1] - strengths).max() < 0.1
            early = np.argmax(path[:, 0, 0] > path[-1, 0, 0] / 2)
            ratios[name].append(np.argmax(path[:, lag, 1] > path[-1, lag, 1] / 2) / early)
    for name, found in ratios.items():
        agree("recurrence", name, np.mean(found))


# pretraining: saxe_lecture "Effect of initialization"


def test_layers_that_are_pretrained_greedily_cost_as_much_each():
    rng, strength, width, layer = np.random.default_rng(3), 2.0, 8, 0.1
    target = strength * np.linalg.qr(rng.standard_normal((width, 4)))[0].T

    def until(weights, goal, x, rate):
        """Steps until the loss of a linear chain on inputs with covariance x is below a ten-thousandth of the first."""
        count, limit = 0, 1e-4 * 0.5 * np.trace(goal @ x @ goal.T)
        while True:
            below = [np.eye(x.shape[0])]
            for w in weights:
                below.append(w @ below[-1])
            miss = (goal - below[-1]) @ x
            if 0.5 * np.trace((goal - below[-1]) @ miss.T) <= limit:
                return weights, count
            above, changed = np.eye(len(goal)), []
            for k in reversed(range(len(weights))):
                changed.append(weights[k] + rate * above.T @ miss @ below[k].T)
                above = above @ weights[k]
            weights, count = changed[::-1], count + 1

    depths, steps = (2, 4, 6), np.zeros((6, 3))
    for network in steps:
        stack, spent, x = [], [], np.eye(width)
        for _ in range(max(depths) - 1):
            pair = [layer / np.sqrt(width) * rng.standard_normal((width, width)) for _ in range(2)]
            (encoder, _), count = until(pair, np.eye(width), x, 0.25 / 2)
            stack, spent, x = [*stack, encoder], [*spent, count], encoder @ x @ encoder.T
        last = layer / np.sqrt(width) * rng.standard_normal((4, width))
        for k, depth in enumerate(depths):
            rate = 0.25 / (depth * strength ** (2 - 2 / depth))
            network[k] = sum(spent[: depth - 1]) + until([*stack[: depth - 1], last], target, np.eye(width), rate)[1]
    middle = np.median(steps, axis=0)
    off = np.abs(middle - np.polyval(np.polyfit(depths, middle, 1), depths)).max() / np.ptp(middle)
    agree("depth", "pretraining", off)
