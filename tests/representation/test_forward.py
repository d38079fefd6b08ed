"""The parts of a forward pass."""

import numpy as np
import pytest

from festina.representation._forward import convolve

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("kernel", [1, 3, 8])
def test_a_convolution_is_the_sum_over_its_kernel(kernel):
    rng = np.random.default_rng(kernel)
    a, weight = rng.standard_normal((2, 3, 8)), rng.standard_normal((4, 3, kernel))
    expected = np.array(
        [[sum(np.correlate(point[i], each[i], "valid") for i in range(3)) for each in weight] for point in a]
    )
    np.testing.assert_allclose(np.asarray(convolve(a, weight)), expected, rtol=1e-5, atol=1e-6)
