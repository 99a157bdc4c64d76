"""How a notification of the system is shown: over D-Bus on Linux, as a message of the tray icon elsewhere."""

import asyncio
import logging
import os
import sys
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QSocketNotifier, Signal
from PySide6.QtWidgets import QSystemTrayIcon

from desktop.core.tasks import uninterrupted
from desktop.ui.app_icon import app_icon
from desktop.ui.presenting import Worker

if TYPE_CHECKING:
    from jeepney import Message
    from jeepney.io.blocking import DBusConnection

logger = logging.getLogger(__name__)

_NAME, _PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
_SHOWN_MS = 10_000


class DesktopNotifier(QObject):
    """Shows notices by a key of the caller's; the same key replaces its notice. This one shows nothing.

    ``clicked`` carries the key of the notice that was clicked.
    """

    clicked = Signal(str)

    def show(self, key: str, title: str, text: str) -> None:
        """Show a notice; both texts are plain."""

    def withdraw(self, key: str) -> None:
        """Take a notice away that says nothing new any more."""

    def close(self) -> None:
        """Take all away, and let go of the system's service."""


def make_notifier(worker: Worker, open_label: str, parent: QObject) -> DesktopNotifier:
    """Return what this system has. ``open_label`` is the word for the click on a notice."""
    if sys.platform.startswith("linux") and os.environ.get("DBUS_SESSION_BUS_ADDRESS"):
        return FreedesktopNotifier(worker, open_label, parent)
    if not sys.platform.startswith("linux") and QSystemTrayIcon.isSystemTrayAvailable():
        return TrayNotifier(parent)
    return DesktopNotifier(parent)


class FreedesktopNotifier(DesktopNotifier):
    """``org.freedesktop.Notifications``. Where nothing answers, nothing is shown, and the log says so once.

    Not through QtDBus: from Python it cannot send the unsigned numbers of this interface. Connecting happens in a
    thread; from then on the connection only ever sends small messages and reads what has already arrived.
    """

    def __init__(self, worker: Worker, open_label: str, parent: QObject) -> None:
        super().__init__(parent)
        self._worker = worker
        self._open_label = open_label
        self._connection: DBusConnection | None = None
        self._is_connecting = False
        self._is_closed = False
        self._has_complained = False
        self._socket: QSocketNotifier | None = None
        self._wanted: dict[str, tuple[str, str]] = {}
        """What is to be shown as soon as there is a connection."""
        self._calls: dict[int, str] = {}
        """The key of each notice by the serial number of the call that shows it, until that is answered."""
        self._ids: dict[str, int] = {}

    def show(self, key: str, title: str, text: str) -> None:
        self._wanted[key] = (title, text)
        if self._connection is not None:
            self._send_wanted()
        elif not self._is_connecting and not self._is_closed:
            self._is_connecting = True
            self._worker.start(self._connect(), "connect to the notification service")

    def withdraw(self, key: str) -> None:
        self._wanted.pop(key, None)
        self._calls = {serial: shown for serial, shown in self._calls.items() if shown != key}
        notice_id = self._ids.pop(key, None)
        if notice_id is not None:
            self._call("CloseNotification", "u", (notice_id,))

    def close(self) -> None:
        self._is_closed = True
        for key in list(self._ids):
            self.withdraw(key)
        self._disconnect()

    async def _connect(self) -> None:
        try:
            connection = await uninterrupted(asyncio.to_thread(_open_connection))
        except Exception as error:  # noqa: BLE001 -- no bus, no service, a broken one: there is nothing to be done
            self._complain(f"{type(error).__name__}: {error}")
            self._wanted.clear()
            return
        finally:
            self._is_connecting = False
        if self._is_closed:
            connection.close()
            return
        self._connection = connection
        self._socket = QSocketNotifier(connection.sock.fileno(), QSocketNotifier.Type.Read, self)
        self._socket.activated.connect(self._read)
        self._send_wanted()
        self._read()  # what came while nobody listened

    def _send_wanted(self) -> None:
        wanted, self._wanted = self._wanted, {}
        for key, (title, text) in wanted.items():
            hints = {"desktop-entry": ("s", "threadwell"), "category": ("s", "im.received")}
            body = (
                *("Threadwell", self._ids.get(key, 0), "threadwell", title, text),
                *(["default", self._open_label], hints, -1),
            )
            serial = self._call("Notify", "susssasa{sv}i", body)
            if serial is not None:
                self._calls[serial] = key

    def _call(self, member: str, signature: str, body: tuple[Any, ...]) -> int | None:
        """Send a call; its serial number, or None where the connection is lost."""
        from jeepney import DBusAddress, new_method_call

        if self._connection is None:
            return None
        address = DBusAddress(_PATH, bus_name=_NAME, interface=_NAME)
        serial = next(self._connection.outgoing_serial)
        try:
            self._connection.send(new_method_call(address, member, signature, body), serial=serial)
        except OSError as error:
            self._complain(str(error))
            self._disconnect()
            return None
        return serial

    def _read(self) -> None:
        """Take all messages that have arrived."""
        while self._connection is not None:
            try:
                message = self._connection.receive(timeout=0)
            except TimeoutError:
                return
            except (OSError, ValueError) as error:
                self._complain(str(error))
                self._disconnect()
                return
            self._handle(message)

    def _handle(self, message: "Message") -> None:
        from jeepney import HeaderFields, MessageType

        kind, fields = message.header.message_type, message.header.fields
        if kind is MessageType.signal:
            if fields.get(HeaderFields.interface) == _NAME and len(message.body) == 2:
                self._handle_signal(fields.get(HeaderFields.member), *message.body)
            return
        key = self._calls.pop(fields.get(HeaderFields.reply_serial, -1), None)
        if kind is MessageType.error:
            self._complain(str(fields.get(HeaderFields.error_name)))
        elif key is not None:
            self._ids[key] = message.body[0]

    def _handle_signal(self, member: str | None, notice_id: object, detail: object) -> None:
        key = next((key for key, shown in self._ids.items() if shown == notice_id), None)
        if key is None:
            return
        if member == "ActivationToken":
            os.environ["XDG_ACTIVATION_TOKEN"] = str(detail)  # with it Wayland lets Qt raise the window
        elif member == "ActionInvoked":
            self.clicked.emit(key)
        elif member == "NotificationClosed":
            self._ids.pop(key, None)

    def _complain(self, reason: str) -> None:
        if not self._has_complained:
            self._has_complained = True
            logger.info("the desktop shows no notifications: %s", reason)

    def _disconnect(self) -> None:
        self._ids.clear()
        self._calls.clear()
        if self._socket is not None:
            self._socket.setEnabled(False)
            self._socket.deleteLater()
            self._socket = None
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()


def _open_connection() -> "DBusConnection":
    """Connect to the session bus and ask for the service's signals."""
    from jeepney import MatchRule, message_bus
    from jeepney.io.blocking import Proxy, open_dbus_connection

    connection = open_dbus_connection("SESSION")
    try:
        bus = Proxy(message_bus, connection, timeout=5)
        bus.AddMatch(MatchRule(type="signal", interface=_NAME, path=_PATH))
    except BaseException:
        connection.close()
        raise
    return connection


class TrayNotifier(DesktopNotifier):
    """A message of an icon in the system's tray, which is there only while it is needed."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._key = ""
        self._tray: QSystemTrayIcon | None = None

    def show(self, key: str, title: str, text: str) -> None:
        if self._tray is None:
            self._tray = QSystemTrayIcon(app_icon(), self)
            self._tray.setToolTip("Threadwell")
            self._tray.messageClicked.connect(self._message_clicked)
        self._key = key
        self._tray.show()
        self._tray.showMessage(title, text, app_icon(), _SHOWN_MS)

    def withdraw(self, key: str) -> None:
        if key == self._key and self._tray is not None:
            self._tray.hide()

    def close(self) -> None:
        if self._tray is not None:
            self._tray.hide()

    def _message_clicked(self) -> None:
        self.clicked.emit(self._key)
