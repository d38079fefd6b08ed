import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import festina as fs


def test_chances_inside_and_outside():
    task = fs.tasks.category(100, 120, 50, 60, inside=0.8, outside=0.3, centred=False)
    inside = task.y[:50, :60]
    outside = np.concatenate([task.y[50:].ravel(), task.y[:50, 60:].ravel()])
    for found, chance in ((inside, 0.8), (outside, 0.3)):
        assert abs(found.mean() - chance) < 5 * (chance * (1 - chance) / found.size) ** 0.5
    assert set(np.unique(task.y)) == {0.0, 1.0}


@given(st.integers(1, 8), st.integers(1, 8), st.floats(0, 1), st.floats(0, 1), st.booleans())
def test_shapes_and_centring(objects, properties, inside, outside, centred):
    task = fs.tasks.category(objects, properties, 1, 1, inside, outside, centred=centred)
    plain = fs.tasks.category(objects, properties, 1, 1, inside, outside, centred=False)
    assert task.y.shape == (objects, properties)
    assert np.allclose(plain.y - task.y, outside if centred else 0.0)


def test_certain_category_is_a_block():
    task = fs.tasks.category(4, 5, 2, 3, inside=1.0, outside=0.0)
    expected = np.zeros((4, 5))
    expected[:2, :3] = 1
    assert np.array_equal(task.y, expected)


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="members is 5, above the 4 objects"):
        fs.tasks.category(4, 4, 5, 1)
    with pytest.raises(ValueError, match="shared is 5, above the 4 properties"):
        fs.tasks.category(4, 4, 1, 5)
    with pytest.raises(ValueError, match=r"inside is 1\.1; a probability"):
        fs.tasks.category(4, 4, 1, 1, inside=1.1)
    with pytest.raises(ValueError, match=r"outside is -0\.1"):
        fs.tasks.category(4, 4, 1, 1, outside=-0.1)
    with pytest.raises(ValueError, match="objects is 0"):
        fs.tasks.category(0)
