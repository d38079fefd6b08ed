"""A topic of the page as a widget whose settings are traits: a notebook sets them, reads them and watches them."""

from functools import cache
from typing import Any

from festina import _check
from festina.page import topic_settings, widget_path


def race(*, train: bool = True, **settings: Any) -> Any:
    """Two gatings of extended XOR race to explain the data, and ReLU networks train beside them.

    Args:
        train: train networks in the browser, beside the prediction.
        settings: where the controls start, by name; the widget's attributes of these names set and read them later.

    Returns:
        The widget; ``widget.numbers`` holds what it shows, by name.

    Raises:
        ValueError: a setting is not one of the topic's, or out of its range.
        ImportError: anywidget is not installed.

    Example:
        >>> widget = race(train=False)
        >>> widget.topic
        'race'
    """
    return _make("race", train, settings)


def modes(*, train: bool = True, **settings: Any) -> Any:
    """A deep linear network learns the modes of a structure, one after the other. As :func:`race`.

    Example:
        >>> modes().topic
        'modes'
    """
    return _make("modes", train, settings)


def rich_and_lazy(*, train: bool = True, **settings: Any) -> Any:
    """From rich to lazy learning with the balance λ, the scale and the shape of the network. As :func:`race`.

    Example:
        >>> rich_and_lazy().topic
        'rich_and_lazy'
    """
    return _make("rich_and_lazy", train, settings)


def contexts(*, train: bool = True, **settings: Any) -> Any:
    """Pathways gated by context, opened and closed by clicking. As :func:`race`.

    Example:
        >>> contexts().topic
        'contexts'
    """
    return _make("contexts", train, settings)


def in_context(*, train: bool = True, **settings: Any) -> Any:
    """Linear attention learns to regress in context, one principal component after another. As :func:`race`.

    Example:
        >>> in_context().topic
        'in_context'
    """
    return _make("in_context", train, settings)


def two_points(*, train: bool = True, **settings: Any) -> Any:
    """Two data points whose representations meet or part. As :func:`race`.

    Example:
        >>> two_points().topic
        'two_points'
    """
    return _make("two_points", train, settings)


def your_data(*, train: bool = True, **settings: Any) -> Any:
    """The modes of a table of your own (``table``, as CSV text), and a network trained on it. As :func:`race`.

    Example:
        >>> your_data(targets=1).topic
        'your_data'
    """
    return _make("your_data", train, settings)


def _make(name: str, train: bool, settings: dict[str, Any]) -> Any:
    kind = _kind(name)
    from traitlets import TraitError

    for setting in settings:
        _check.known(f"setting of widget.{name}", setting, list(_controls(name)))
    try:
        return kind(train=train, **settings)
    except TraitError as error:
        raise ValueError(f"widget.{name}: {error}") from None


def _controls(name: str) -> dict[str, dict[str, Any]]:
    """The controls that hold a value, by the names of their settings."""
    return {c["id"]: c for c in topic_settings()[name]["controls"] if c["kind"] != "button"}


@cache
def _kind(name: str) -> Any:
    """The class of a topic's widget: one trait per setting, with the range of its control."""
    try:
        import anywidget
    except ImportError:
        raise ImportError("Widgets need anywidget: pip install 'festina[widget]'.") from None
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
        "train": traitlets.Bool(True, help="Train networks beside the prediction.").tag(sync=True),
        "numbers": traitlets.Dict(help="What the topic shows, by name; filled once it is on a screen.").tag(sync=True),
        "_esm": widget_path(),
        "__doc__": topic_settings()[name]["question"],
        "__module__": __name__,
    }
    return type(name.title().replace("_", ""), (anywidget.AnyWidget,), members)
