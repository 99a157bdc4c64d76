"""Run inside a D-Bus session: stands in for the desktop's settings portal, then prints what the app takes from it.

Arguments: the key of the one setting that the portal knows, its value at first, and the one it changes to then.
"""

import sys
import threading
from typing import Any

from jeepney import DBusAddress, HeaderFields, MessageType, message_bus, new_error, new_method_return, new_signal
from jeepney.io.blocking import Proxy, open_dbus_connection

PORTAL = DBusAddress(
    "/org/freedesktop/portal/desktop", "org.freedesktop.portal.Desktop", "org.freedesktop.portal.Settings"
)
NAMESPACES = {"enable-animations": "org.gnome.desktop.interface"}
PATIENCE_MS = 20_000


class Portal:
    """Answers ``Read`` of one setting, wrapped twice as the real one does; other settings it does not know."""

    def __init__(self, key: str, value: str, later: str) -> None:
        self._name = (NAMESPACES.get(key, "org.freedesktop.appearance"), key)
        self._value, self._later = _variant(value), _variant(later)
        self._connection = open_dbus_connection()
        Proxy(message_bus, self._connection).RequestName(PORTAL.bus_name)

    def serve(self) -> None:
        while True:
            message = self._connection.receive()
            fields = message.header.fields
            if message.header.message_type is not MessageType.method_call or fields.get(HeaderFields.member) != "Read":
                continue
            if message.body == self._name:
                self._connection.send(new_method_return(message, "v", (("v", self._value),)))
            else:
                self._connection.send(new_error(message, "org.freedesktop.portal.Error.NotFound"))

    def change(self) -> None:
        """Say that the setting has its later value now."""
        self._connection.send(new_signal(PORTAL, "SettingChanged", "ssv", (*self._name, self._later)))


def _variant(text: str) -> tuple[str, Any]:
    return ("b", text == "true") if text in ("true", "false") else ("u", int(text))


def main() -> None:
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication

    from desktop.core.settings import Theme
    from desktop.ui.theme.theme_manager import ThemeManager

    portal = Portal(*sys.argv[1:4])
    threading.Thread(target=portal.serve, daemon=True).start()
    app = QApplication([])
    theme = ThemeManager(app, Theme.SYSTEM, "en")

    def look() -> str:
        return f"{theme.tokens.name} {'moving' if theme.has_motion else 'still'}"

    seen = [look()]
    theme.changed.connect(app.quit)
    QTimer.singleShot(PATIENCE_MS, app.quit)
    for step in (lambda: None, portal.change):
        step()
        app.exec()
        seen.append(look())
    sys.stdout.write(" | ".join(seen) + "\n")


if __name__ == "__main__":
    main()
