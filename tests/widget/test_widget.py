"""Rooms in a notebook, on the side of Python: settings are traits with the ranges of their sliders."""

import subprocess
import sys

import pytest

import festina as fs
from festina._page_file import room_settings, widget_path

ROOMS = tuple(room_settings())


@pytest.mark.parametrize("room", ROOMS)
def test_there_is_a_widget_of_every_room_that_starts_as_the_page_does(room):
    widget = fs.widget.show(room, train=False)
    assert (widget.room, widget.train, widget.numbers) == (room, False, {})
    for control in room_settings()[room]["controls"]:
        if control["kind"] != "button":
            assert getattr(widget, control["id"]) == control["value"]
            assert control["id"] in widget.keys
    assert widget._esm == widget_path().read_text(encoding="utf-8")


def test_settings_are_set_read_and_watched():
    widget = fs.widget.show("race", delta=1.5)
    assert widget.delta == 1.5
    seen = []
    widget.observe(lambda change: seen.append(change["new"]), "delta")
    widget.delta = 2
    assert seen == [2.0]


def test_wrong_settings_are_named():
    from traitlets import TraitError

    unknown = r"setting of the demo .race. is 'gamma', which is not known; known are: delta"
    with pytest.raises(ValueError, match=unknown):
        fs.widget.show("race", gamma=1)
    with pytest.raises(ValueError, match=r"demo .race.: .*delta"):
        fs.widget.show("race", delta=-100)
    with pytest.raises(ValueError, match=r"demo .modes.: .*structure"):
        fs.widget.show("modes", structure="knot")
    with pytest.raises(TraitError, match="delta"):
        fs.widget.show("race").delta = -100


def test_without_anywidget_festina_imports_and_says_what_to_install():
    code = "import sys; sys.modules['anywidget'] = None\nimport festina as fs\nfs.widget.show('race')"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.stderr.strip().endswith("ImportError: Widgets need anywidget: pip install 'festina[widget]'.")
