"""Lets a second start raise the first window and ask something of it: a local socket whose name belongs to the data folder."""

import hashlib
import logging
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QDeadlineTimer, QObject, QThread
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from desktop.core.start_request import MOST_BYTES, NOTHING, StartRequest, read_line

logger = logging.getLogger(__name__)

_RAISE = b"raise "
"""Followed by a request, as a line."""
_TIMEOUT_MS = 1000
_PATIENCE_MS = 10_000
"""A start takes its time on a slow machine, and the user may have clicked twice."""
_PAUSE_MS = 50


def _socket_name(data_dir: Path) -> str:
    return "threadwell-" + hashlib.sha256(str(data_dir.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:24]


class RaiseServer(QObject):
    """Held by the first window. Only the same user may connect; what can be asked is in ``StartRequest``.

    ``raised`` is told the request, whose files and chat may be anything.
    """

    def __init__(self, data_dir: Path, raised: Callable[[StartRequest], None]) -> None:
        super().__init__()
        self._raised = raised
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._connected)
        name = _socket_name(data_dir)
        if not self._server.listen(name):
            QLocalServer.removeServer(name)  # left by a crash: we hold the folder's lock, so nobody else listens
            self._server.listen(name)

    def _connected(self) -> None:
        while (connection := self._server.nextPendingConnection()) is not None:
            connection.readyRead.connect(self._read)
            connection.disconnected.connect(connection.deleteLater)
            if connection.bytesAvailable():
                self._answer(connection)

    def _read(self) -> None:
        connection = self.sender()
        if isinstance(connection, QLocalSocket):
            self._answer(connection)

    def _answer(self, connection: QLocalSocket) -> None:
        if not connection.canReadLine() and connection.bytesAvailable() < MOST_BYTES:
            return  # the rest is on its way
        line = bytes(connection.readLine(MOST_BYTES).data())
        try:
            if not line.startswith(_RAISE):
                raise ValueError("it does not say what it wants")
            request = read_line(line.removeprefix(_RAISE).decode())
        except ValueError as error:
            logger.warning("a second start asked for what is not done: %s", error)
        else:
            logger.info("raised for a second start")
            self._raised(request)
            connection.write(b"ok\n")
            connection.flush()
        connection.disconnectFromServer()

    def close(self) -> None:
        self._server.close()


def ask_first_window(data_dir: Path, request: StartRequest = NOTHING) -> bool:
    """Ask the window that holds the data folder to come to the front and do this; False when none answers in time.

    The folder may be held by a window that starts just now and does not listen yet.
    """
    patience = QDeadlineTimer(_PATIENCE_MS)
    while not (answered := _ask(_socket_name(data_dir), request)) and not patience.hasExpired():
        QThread.msleep(_PAUSE_MS)
    return answered


def _ask(name: str, request: StartRequest) -> bool:
    socket = QLocalSocket()
    socket.connectToServer(name)
    if not socket.waitForConnected(_TIMEOUT_MS):
        return False
    socket.write(_RAISE + request.to_line().encode() + b"\n")
    socket.waitForBytesWritten(_TIMEOUT_MS)
    answered = socket.waitForReadyRead(_TIMEOUT_MS)
    socket.abort()
    return answered
