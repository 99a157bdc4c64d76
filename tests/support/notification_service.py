"""Stands in for the desktop's notification service on a session bus: keeps what it is asked to show, and clicks on it."""

import threading
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

from jeepney import DBusAddress, HeaderFields, Message, MessageType, message_bus, new_method_return, new_signal
from jeepney.io.blocking import DBusConnection, Proxy, open_dbus_connection

NAME, PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"


@dataclass
class Shown:
    """One notification as it was asked for."""

    number: int
    app: str
    title: str
    text: str
    actions: list[str]
    hints: dict[str, Any] = field(default_factory=dict[str, Any])
    times: int = 1


class NotificationService:
    """Answers in a thread of its own. ``shown`` holds what is on the screen by its number."""

    def __init__(self, address: str) -> None:
        self.shown: dict[int, Shown] = {}
        self.closed: list[int] = []
        self._connection: DBusConnection = open_dbus_connection(address)
        Proxy(message_bus, self._connection, timeout=20).RequestName(NAME)
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="notification service")

    def __enter__(self) -> "NotificationService":
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ends.set()
        self._thread.join(20)
        self._connection.close()

    def click(self, number: int) -> None:
        """The user clicks on the notification itself; the service then closes it."""
        self._emit("ActivationToken", "us", (number, "token"))
        self._emit("ActionInvoked", "us", (number, "default"))
        self._emit("NotificationClosed", "uu", (number, 2))
        self.shown.pop(number, None)

    def _serve(self) -> None:
        while not self._ends.is_set():
            try:
                message = self._connection.receive(timeout=0.02)
            except TimeoutError:
                continue
            if message.header.message_type is MessageType.method_call:
                self._answer(message)

    def _answer(self, message: Message) -> None:
        member = message.header.fields.get(HeaderFields.member)
        if member == "Notify":
            assert message.header.fields.get(HeaderFields.signature) == "susssasa{sv}i"
            app, replaced, _icon, title, text, actions, hints, _expires = message.body
            number = replaced or len(self.shown) + len(self.closed) + 1
            times = self.shown[number].times + 1 if number in self.shown else 1
            self.shown[number] = Shown(number, app, title, text, actions, dict(hints), times)
            self._connection.send(new_method_return(message, "u", (number,)))
        elif member == "CloseNotification":
            (number,) = message.body
            self.shown.pop(number, None)
            self.closed.append(number)
            self._connection.send(new_method_return(message))

    def _emit(self, member: str, signature: str, body: tuple[Any, ...]) -> None:
        self._connection.send(new_signal(DBusAddress(PATH, interface=NAME), member, signature, body))
