"""uvicorn on a loop that is not its own: no signal handlers, no clock that ticks, and patience with nobody."""

import asyncio
import contextlib
import socket
import sys
from collections.abc import Generator
from typing import Any

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from desktop.api.guard import ApiLimits

GOODBYE_SECONDS = 2
"""How long the last responses may take when the server ends."""
MOST_HEAD_BYTES = 32_000
_BACKLOG = 128


class HttpServer(uvicorn.Server):
    """Serves until ``end`` on the loop that runs it."""

    def __init__(self, app: ASGIApp, limits: ApiLimits) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http=_protocol(limits.head_seconds),
                ws="none",
                lifespan="off",
                log_config=None,
                log_level="error",
                access_log=False,
                server_header=False,
                date_header=False,
                proxy_headers=False,
                timeout_keep_alive=int(limits.head_seconds) or 1,
                timeout_graceful_shutdown=GOODBYE_SECONDS,
                h11_max_incomplete_event_size=MOST_HEAD_BYTES,
            )
        )
        self._ending = asyncio.Event()

    async def serve_on(self, listener: socket.socket) -> None:
        """Serve on a socket that listens, until ``end``; then it is closed."""
        await self.serve([listener])

    def end(self) -> None:
        self.should_exit = True
        self._ending.set()

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """The signals are the program's."""
        yield

    async def main_loop(self) -> None:
        """uvicorn's own wakes ten times a second, to see whether it is to end."""
        await self._ending.wait()


def listening_socket(port: int) -> socket.socket:
    """Return a socket on this port of the loopback, 0 for a free one. Raises ``OSError``."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if sys.platform == "win32":  # there another program could take a share of it
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        listener.listen(_BACKLOG)  # here, so that a failure is one of this step
        listener.setblocking(False)
    except BaseException:
        listener.close()
        raise
    return listener


def _protocol(head_seconds: float) -> type[H11Protocol]:
    class Protocol(H11Protocol):
        """Closes a connection on which no whole head of a request comes in time."""

        _deadline: asyncio.TimerHandle | None = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._watch()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            self._watch()

        def on_response_complete(self) -> None:
            super().on_response_complete()
            self._watch()

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            self._stop_watching()

        def _watch(self) -> None:
            is_busy = self.cycle is not None and not self.cycle.response_complete
            if is_busy or self.transport.is_closing():
                self._stop_watching()
            elif self._deadline is None:
                self._deadline = self.loop.call_later(head_seconds, self._give_up)

        def _stop_watching(self) -> None:
            if self._deadline is not None:
                self._deadline.cancel()
                self._deadline = None

        def _give_up(self) -> None:
            self._deadline = None
            if self.conn.our_state is not h11.CLOSED:
                self.transport.close()

    return Protocol
