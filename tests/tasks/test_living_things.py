import numpy as np
import pytest

import festina as fs


@pytest.mark.parametrize(("count", "levels"), [(4, 2), (8, 3)])
def test_numbers_are_those_of_the_hierarchy(count, levels):
    task = fs.tasks.living_things(count)
    assert np.array_equal(task.y, fs.tasks.hierarchy(levels).y)
    assert task.y.shape == (count, 2 * count - 1)
    assert task.inputs == task.items


def test_names_say_what_is_true():
    for task in (fs.tasks.living_things(4), fs.tasks.living_things(8)):
        has = {
            item: {p for p, y in zip(task.outputs, row, strict=True) if y}
            for item, row in zip(task.items, task.y, strict=True)
        }
        assert has["canary"] >= {"grow", "move", "fly"}
        assert has["salmon"] >= {"grow", "move", "swim"}
        assert has["oak"] >= {"grow", "roots", "bark"}
        assert has["rose"] >= {"grow", "roots", "petals"}
        assert not has["canary"] & {"roots", "swim", "bark", "petals"}
    assert "acorns" in has["oak"]
    assert "thorns" in has["rose"]
    assert "sing" in has["canary"]


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="count is 6; named tables exist for 4 and 8 items"):
        fs.tasks.living_things(6)
    with pytest.raises(ValueError, match="count is 0"):
        fs.tasks.living_things(0)
