"""The built files of the page; their source is ``web/`` and ``make page`` builds them."""

import json
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent


def page_path() -> Path:
    """The page as a file; any browser opens it, also without a server.

    Example:
        >>> page_path().name
        'index.html'
    """
    return _HERE / "index.html"


def widget_path() -> Path:
    """The module that notebooks load.

    Example:
        >>> widget_path().name
        'widget.js'
    """
    return _HERE / "widget.js"


def topic_settings() -> dict[str, dict[str, Any]]:
    """The topics of the page by name: title, question, and the settings that each one starts with.

    Example:
        >>> sorted(topic_settings())
        ['addition', 'contexts', 'in_context', 'modes', 'race', 'rich_and_lazy', 'two_points', 'your_data']
    """
    return json.loads((_HERE / "topics.json").read_text(encoding="utf-8"))
