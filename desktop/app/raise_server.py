"""Lets a second start raise the first window: a local socket whose name belongs to the data folder."""

import hashlib
import logging
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QDeadlineTimer, QObject, QThread
from PySide6.QtNetwork import QLocalServer, QLocalSocket

logger = logging.getLogger(__name__)

_RAISE = b"raise\n"
_TIMEOUT_MS = 1000
_PATIENCE_MS = 10_000
"""A start takes its time on a slow machine, and the user may have clicked twice."""
_PAUSE_MS = 50


def _socket_name(data_dir: Path) -> str:
    return "threadwell-" + hashlib.sha256(str(data_dir.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:24]


class RaiseServer(QObject):
    """Held by the first window. Only the same user may connect; the one thing that can be asked is to be raised."""

    def __init__(self, data_dir: Path, raise_window: Callable[[], None]) -> None:
        super().__init__()
        self._raise_window = raise_window
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
        if bytes(connection.readAll().data()).startswith(_RAISE):
            logger.info("raised for a second start")
            self._raise_window()
            connection.write(b"ok\n")
            connection.flush()
        connection.disconnectFromServer()

    def close(self) -> None:
        self._server.close()


def ask_first_window(data_dir: Path) -> bool:
    """Ask the window that holds the data folder to come to the front; False when none answers within ``_PATIENCE_MS``.

    The folder may be held by a window that starts just now and does not listen yet.
    """
    patience = QDeadlineTimer(_PATIENCE_MS)
    while not (answered := _ask(_socket_name(data_dir))) and not patience.hasExpired():
        QThread.msleep(_PAUSE_MS)
    return answered


def _ask(name: str) -> bool:
    socket = QLocalSocket()
    socket.connectToServer(name)
    if not socket.waitForConnected(_TIMEOUT_MS):
        return False
    socket.write(_RAISE)
    socket.waitForBytesWritten(_TIMEOUT_MS)
    answered = socket.waitForReadyRead(_TIMEOUT_MS)
    socket.abort()
    return answered
