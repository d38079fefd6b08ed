"""Categories in noise: their coherence, and how well the strongest mode recovers them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import festina as fs

ROUNDING = 1e-12
"""Sums of products in double precision."""

FINITE = 0.12
"""Squared cosines of tables of side 120 spread by about 0.1 around the limit of large tables; the mean of four draws by
half of it, beside a bias of the same size. The two sides of an oblong table differ by 0.2 at coherence 2."""


recovery = fs.linear.category_recovery


class TestCoherence:
    def test_follows_its_formula(self):
        assert recovery(100, 400, 10, 20, 0.75, 0.5).coherence == pytest.approx(0.25 * 200 / 200, rel=ROUNDING)

    @given(st.floats(0, 1), st.floats(0.05, 0.95))
    def test_exchanges_of_sides_and_of_zero_and_one_play_no_part(self, inside, outside):
        sizes = (30, 50, 5, 9)
        found = recovery(*sizes, inside, outside)
        other = recovery(50, 30, 9, 5, inside, outside)
        assert found.coherence == pytest.approx(other.coherence, rel=ROUNDING)
        assert (found.objects, found.properties) == pytest.approx((other.properties, other.objects), abs=1e-9)
        assert found.coherence == pytest.approx(recovery(*sizes, 1 - inside, 1 - outside)[0], rel=1e-9, abs=1e-12)

    @pytest.mark.parametrize("shape", [(240, 240), (480, 120), (120, 480)])
    @pytest.mark.parametrize("wanted", [0.5, 2.0, 4.0])
    def test_recovered_is_what_the_strongest_mode_finds(self, shape, wanted):
        objects, properties = shape
        members, shared = objects // 5, properties // 5
        inside = 0.5 + 0.5 * (wanted * (objects * properties) ** 0.5 / (members * shared)) ** 0.5
        coherence, *expected = recovery(objects, properties, members, shared, inside, 0.5)
        assert coherence == pytest.approx(wanted, rel=1e-9)
        found = []
        for seed in range(4):
            table = fs.tasks.category(objects, properties, members, shared, inside, 0.5, seed).y
            u, _, vt = np.linalg.svd(table, full_matrices=False)
            found.append([u[:members, 0].sum() ** 2 / members, vt[0, :shared].sum() ** 2 / shared])
        assert np.abs(np.mean(found, axis=0) - expected).max() < FINITE

    @given(st.integers(1, 100), st.integers(1, 100), st.floats(0, 1), st.floats(0.02, 0.98))
    def test_recovered_is_bounded_and_starts_at_one(self, objects, properties, inside, outside):
        c, *recovered = recovery(objects, properties, objects, properties, inside, outside)
        assert -ROUNDING <= min(recovered) <= max(recovered) < 1
        assert (max(recovered) > 0) == (c > 1) or abs(c - 1) < 1e-9

    def test_bad_arguments_are_named(self):
        with pytest.raises(ValueError, match=r"inside is 1\.2; a probability"):
            recovery(9, 9, 2, 2, 1.2, 0.5)
        with pytest.raises(ValueError, match=r"outside is 0\.0: without noise"):
            recovery(9, 9, 2, 2, 0.9, 0.0)
        with pytest.raises(ValueError, match="members is 0"):
            recovery(9, 9, 0, 2, 0.9, 0.5)
        with pytest.raises(ValueError, match="is not finite"):
            recovery(9, 9, 2, 2, 0.9, 1e-310)
