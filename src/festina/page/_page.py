"""The built page, whose source is ``web/`` and which ``make page`` builds, and its server for this machine only."""

import errno
import json
import re
import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from festina.checks import check

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


HOST = "127.0.0.1"
PORT = 8787
"""The default; always the same one, so that a link to a setting still works tomorrow."""


class Server:
    """The page at ``http://127.0.0.1:port/``, as a context in which it is served.

    Args:
        port: port to listen on; 0 for any that is free.

    Raises:
        ValueError: ``port`` is not a port, is taken, or may not be listened on.

    Example:
        >>> from urllib.request import urlopen
        >>> with Server(port=0) as server:
        ...     urlopen(server.url).headers["Content-Type"]
        'text/html; charset=utf-8'
    """

    PORT = PORT

    def __init__(self, port: int = PORT):
        if isinstance(port, bool) or not isinstance(port, int) or not 0 <= port <= 65535:
            shown = check.shown(port)
            raise ValueError(f"port is {shown}; give a whole number from 1 to 65535, or 0 for any that is free.")
        try:
            self._server = ThreadingHTTPServer((HOST, port), _Handler)
        except OSError as error:
            why = {errno.EADDRINUSE: "is taken by another program", errno.EACCES: "may not be used by you"}
            known = why.get(error.errno or 0)
            if known is None:
                raise
            raise ValueError(f"port {port} {known}; give another with --port, or --port 0 for any free one.") from None
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    @property
    def url(self) -> str:
        """Address of the page."""
        return f"http://{HOST}:{self._server.server_port}/"

    def wait(self) -> None:
        """Serve until interrupted."""
        while self._thread.is_alive():
            self._thread.join(0.5)

    def __enter__(self) -> "Server":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    """Gives the one page there is, and forbids it to ask for anything else."""

    server_version = "festina"
    sys_version = ""

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def _answer(self, with_body: bool) -> None:
        if self.path.split("?")[0] not in ("/", "/index.html"):
            self.send_error(HTTPStatus.NOT_FOUND, "There is one page here, at /")
            return
        body = page_path().read_bytes()
        # the page carries its policy, stated once, in its head
        policy = re.search(rb'http-equiv="Content-Security-Policy" content="([^"]+)"', body)
        assert policy is not None
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", f"{policy[1].decode()}; frame-ancestors 'none'")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        if with_body:
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the terminal belongs to the one who typed the command."""
