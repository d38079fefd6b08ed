"""``festina explore``: one page, on this machine only, and words when it cannot be served."""

import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

import festina as fs
from festina.page import Server, page_path

pytestmark = pytest.mark.slow


def test_it_serves_the_page_with_a_policy_that_forbids_outside_requests():
    with Server(port=0) as server, urlopen(server.url) as answer:
        assert answer.read() == page_path().read_bytes()
        policy = answer.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "http" not in policy
    stated, _, more = policy.partition("; frame-ancestors ")
    assert f'content="{stated}"' in page_path().read_text(encoding="utf-8")
    assert more == "'none'"


def test_it_listens_on_this_machine_only():
    with Server(port=0) as server:
        assert server.url.startswith("http://127.0.0.1:")
        assert server._server.server_address[0] == "127.0.0.1"


@pytest.mark.parametrize("path", ["../cli.py", "topics.json", "%2e%2e/_serve.py", "index.html/x"])
def test_there_is_nothing_else_to_get(path):
    with Server(port=0) as server, pytest.raises(HTTPError, match="404"):
        urlopen(server.url + path)


def test_a_head_has_no_body():
    with Server(port=0) as server, urlopen(Request(server.url, method="HEAD")) as answer:
        assert answer.read() == b""
        assert int(answer.headers["Content-Length"]) == page_path().stat().st_size


@pytest.mark.parametrize("port", [-1, 65536])
def test_a_port_is_a_port(port):
    with pytest.raises(ValueError, match=rf"port is {port}; give a whole number from 1 to 65535"):
        Server(port)


def test_a_port_that_is_taken_is_named():
    with Server(port=0) as server:
        port = int(server.url.rstrip("/").rpartition(":")[2])
        with pytest.raises(ValueError, match=rf"port {port} is taken by another program; give another with --port"):
            Server(port)
        words = [sys.executable, "-m", "festina", "explore", "--no-open", "--port", str(port)]
        run = subprocess.run(words, capture_output=True, text=True, check=False)
    assert run.returncode == 64
    assert run.stderr.startswith(f"festina: port {port} is taken by another program; give another with --port")


def test_explore_serves_until_it_is_interrupted_and_ends_kindly():
    # a shell that runs the tests in the background has its children ignore Ctrl-C
    hears = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    hears += "from festina.cli import main; main()"
    words = [sys.executable, "-c", hears, "explore", "--no-open", "--port", "0"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = next(word for word in process.stdout.readline().split() if word.startswith("http"))
        with urlopen(url) as answer:
            assert b"<title>festina</title>" in answer.read()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (0, "")
    assert out == "Goodbye.\n"
    with (
        pytest.raises(OSError, match="refused"),
        socket.create_connection(("127.0.0.1", int(url.rstrip("/").rpartition(":")[2]))),
    ):
        pass


def test_nothing_but_the_page_uses_the_network():
    """Modules for connections are imported by the server alone; a store asks for the name of its host."""
    root = Path(fs.__file__).parent
    network = re.compile(r"^\s*(?:import|from) (urllib|http|socket|socketserver|ssl|ftplib|smtplib|requests|httpx)\b")
    found = {
        (str(path.relative_to(root)), match[1])
        for path in root.rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if (match := network.match(line))
    }
    assert {name for name, module in found if module != "socket"} == {"page/_page.py"}
    asks = {"storage/store.py", "sweeps/_store.py"}
    assert {name for name, module in found if module == "socket"} - {"page/_page.py"} == asks
    for name in asks:
        assert set(re.findall(r"socket\.(\w+)", (root / name).read_text(encoding="utf-8"))) == {"gethostname"}
