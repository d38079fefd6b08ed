"""Topics in a notebook, on the side of Python: settings are traits with the ranges of their sliders."""

import pytest

import festina as fs
from festina.page import topic_settings, widget_path

pytestmark = pytest.mark.slow

TOPICS = tuple(topic_settings())


@pytest.mark.parametrize("topic", TOPICS)
def test_there_is_a_widget_of_every_topic_that_starts_as_the_page_does(topic):
    widget = fs.widget.show(topic, train=False)
    assert (widget.topic, widget.train, widget.numbers) == (topic, False, {})
    for control in topic_settings()[topic]["controls"]:
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

    with pytest.raises(ValueError, match=r"topic 'rase' is unknown. Did you mean 'race'\?"):
        fs.widget.show("rase")
    with pytest.raises(ValueError, match=r"setting of race 'gamma' is unknown. Known: delta"):
        fs.widget.show("race", gamma=1)
    with pytest.raises(ValueError, match=r"race: .*delta"):
        fs.widget.show("race", delta=-100)
    with pytest.raises(ValueError, match=r"modes: .*structure"):
        fs.widget.show("modes", structure="knot")
    with pytest.raises(TraitError, match="delta"):
        fs.widget.show("race").delta = -100
