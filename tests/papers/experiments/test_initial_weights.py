"""Numbers over few networks."""

import math

import numpy as np
import pytest

from festina.papers import find
from festina.papers.experiments.initial_weights import spread


@pytest.mark.filterwarnings("error")
def test_one_network_has_no_spread():
    assert math.isnan(spread(np.array([2.0])))
    assert spread(np.array([1.0, 3.0])) == pytest.approx(np.sqrt(2) / 2)


def test_correlations_over_agents_need_four_of_them():
    with pytest.raises(ValueError, match="setting seeds of decision is 3; >= 4 is needed"):
        find("decision").settings(seeds=3)
