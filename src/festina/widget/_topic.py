"""A topic of the page as a widget whose settings are traits: a notebook sets them, reads them and watches them."""

from functools import cache
from typing import Any

from festina.checks import check
from festina.checks.optional import need
from festina.page import topic_settings, widget_path


def show(topic: str, *, train: bool = True, **settings: object) -> Any:
    """A topic of ``festina explore`` in a notebook: the prediction, and networks that train next to it in the browser.

    Args:
        topic: its name, "modes", "rich_and_lazy", "race", "contexts",
            "two_points", "in_context", "addition" or "your_data" (whose ``table`` is your own, as CSV text).
        train: train networks in the browser, next to the prediction.
        settings: where the controls start, by name; the widget's attributes of these names set and read them later.

    Returns:
        The widget; ``widget.numbers`` holds what it shows, by name.

    Raises:
        ValueError: there is no such topic, a setting is not one of the topic's, or out of its range.
        ImportError: anywidget is not installed.

    Example:
        >>> import festina as fs
        >>> widget = fs.widget.show("race", train=False, delta=1.5)
        >>> widget.topic, widget.delta
        ('race', 1.5)
    """
    check.known("topic", topic, list(topic_settings()))
    kind = _kind(topic)
    from traitlets import TraitError

    for setting in settings:
        check.known(f"setting of {topic}", setting, list(_controls(topic)))
    try:
        return kind(train=train, **settings)
    except TraitError as error:
        raise ValueError(f"{topic}: {error}") from None


def _controls(name: str) -> dict[str, dict[str, Any]]:
    """The controls that hold a value, by the names of their settings."""
    return {c["id"]: c for c in topic_settings()[name]["controls"] if c["kind"] != "button"}


@cache
def _kind(name: str) -> Any:
    """The class of a topic's widget: one trait per setting, with the range of its control."""
    need("anywidget", "widget")
    import anywidget
    import traitlets

    def trait(control: dict[str, Any]) -> Any:
        value, text = control["value"], control.get("help", control["label"])
        if control["kind"] == "slider":
            counts = not control.get("log") and isinstance(control["step"], int) and isinstance(control["min"], int)
            number = traitlets.Int if counts else traitlets.Float
            return number(value, min=control["min"], max=control["max"], help=text)
        if control["kind"] == "text":
            return traitlets.Unicode(value, help=text)
        if control["kind"] == "choice":
            return traitlets.Enum([option["value"] for option in control["options"]], value, help=text)
        return traitlets.List(traitlets.List(traitlets.Bool()), value, help=text)

    members: dict[str, Any] = {setting: trait(control).tag(sync=True) for setting, control in _controls(name).items()}
    members |= {
        "topic": traitlets.Unicode(name, read_only=True, help="The topic that is shown.").tag(sync=True),
        "train": traitlets.Bool(True, help="Train networks next to the prediction.").tag(sync=True),
        "numbers": traitlets.Dict(help="What the topic shows, by name; filled once it is on a screen.").tag(sync=True),
        "_esm": widget_path(),
        "__doc__": topic_settings()[name]["question"],
        "__module__": __name__,
    }
    return type(name.title().replace("_", ""), (anywidget.AnyWidget,), members)
