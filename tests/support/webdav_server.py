"""A real WebDAV server (wsgidav) on this computer, for backups; it can be told to answer otherwise."""

import io
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

from wsgidav.wsgidav_app import WsgiDAVApp

USER, PASSWORD = "me", "pa55-Wort-ü"


@dataclass
class WebdavServer:
    """``folder`` is what it serves; ``answers`` are statuses to be given instead, by method."""

    url: str
    folder: Path
    answers: dict[str, str] = field(default_factory=dict[str, str])
    headers: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    asked: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Method and path of what it was asked."""
    change: Callable[[str, bytes], bytes] = lambda _path, body: body
    """What it stores of a body that is sent to it."""


class _QuietHandler(WSGIRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def webdav_server(folder: Path, *, certificate: ssl.SSLContext | None = None) -> Iterator[WebdavServer]:
    """Serve ``folder``, which is made, with the user ``USER``; over TLS where a certificate is given."""
    folder.mkdir(exist_ok=True)
    app = WsgiDAVApp(
        {
            "provider_mapping": {"/": str(folder)},
            "simple_dc": {"user_mapping": {"*": {USER: {"password": PASSWORD}}}},
            "http_authenticator": {"accept_basic": True, "accept_digest": False, "default_to_digest": False},
            "verbose": 0,
            "logging": {"enable_loggers": []},
        }
    )
    server = WebdavServer(url="", folder=folder)

    def asked(environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        method, path = environ["REQUEST_METHOD"], environ["PATH_INFO"]
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        if method == "PUT":
            body = server.change(path, body)
            environ["CONTENT_LENGTH"] = str(len(body))
        environ["wsgi.input"] = io.BytesIO(body)
        server.asked.append((method, path))
        if status := server.answers.get(method):
            start_response(status, [("Content-Length", "0"), *server.headers])
            return [b""]
        return app(environ, start_response)

    httpd = make_server("127.0.0.1", 0, asked, handler_class=_QuietHandler)
    if certificate is not None:
        httpd.socket = certificate.wrap_socket(httpd.socket, server_side=True)
    scheme = "http" if certificate is None else "https"
    server.url = f"{scheme}://127.0.0.1:{httpd.server_port}/Backups"
    thread = threading.Thread(target=httpd.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        httpd.shutdown()
        httpd.server_close()
        thread.join()
