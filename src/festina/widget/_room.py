"""A demo of the page as a widget whose settings are traits: a notebook sets them, reads them and watches them."""

from functools import cache
from typing import Any

from festina import _check
from festina._page_file import room_settings, widget_path


def show(name: str, *, train: bool = True, **settings: Any) -> Any:
    """A demo of the page in a notebook, with its settings as attributes.

    Args:
        name: ``"race"`` (two gatings of extended XOR race to explain the data, and ReLU networks train beside them),
            ``"modes"`` (a deep linear network learns the modes of a structure, one after the other),
            ``"rich_and_lazy"`` (from rich to lazy learning with the balance λ, the scale and the shape of the network),
            ``"contexts"`` (pathways gated by context, opened and closed by clicking) or ``"two_points"`` (two data
            points whose representations meet or part).
        train: train networks in the browser, beside the prediction.
        settings: where the controls start, by name; the widget's attributes of these names set and read them later.

    Returns:
        The widget; ``widget.numbers`` holds what it shows, by name.

    Raises:
        ValueError: no such demo, or a setting that is not one of its own, or out of its range.
        ImportError: anywidget is not installed.

    Example:
        >>> import festina as fs
        >>> fs.widget.show("race", train=False).room
        'race'
    """
    kind = _kind(_check.known("name", name, room_settings()))
    from traitlets import TraitError

    for setting in settings:
        _check.known(f"setting of the demo {name!r}", setting, list(_controls(name)))
    try:
        return kind(train=train, **settings)
    except TraitError as error:
        raise ValueError(f"demo {name!r}: {error}") from None


def _controls(name: str) -> dict[str, dict[str, Any]]:
    """The controls that hold a value, by the names of their settings."""
    return {c["id"]: c for c in room_settings()[name]["controls"] if c["kind"] != "button"}


@cache
def _kind(name: str) -> Any:
    """The class of a demo's widget: one trait per setting, with the range of its control."""
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
        if control["kind"] == "choice":
            return traitlets.Enum([option["value"] for option in control["options"]], value, help=text)
        return traitlets.List(traitlets.List(traitlets.Bool()), value, help=text)

    members: dict[str, Any] = {setting: trait(control).tag(sync=True) for setting, control in _controls(name).items()}
    members |= {
        "room": traitlets.Unicode(name, read_only=True, help="The demo that is shown.").tag(sync=True),
        "train": traitlets.Bool(True, help="Train networks beside the prediction.").tag(sync=True),
        "numbers": traitlets.Dict(help="What the demo shows, by name; filled once it is on a screen.").tag(sync=True),
        "_esm": widget_path(),
        "__doc__": room_settings()[name]["question"],
        "__module__": __name__,
    }
    return type(name.title().replace("_", ""), (anywidget.AnyWidget,), members)
