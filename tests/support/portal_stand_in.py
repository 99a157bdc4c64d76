"""Run inside a D-Bus session: stands in for the desktop's settings portal, then prints which theme the app takes."""

import sys
import threading

from jeepney import DBusAddress, HeaderFields, MessageType, message_bus, new_method_return
from jeepney.io.blocking import Proxy, open_dbus_connection

PORTAL = DBusAddress("/org/freedesktop/portal/desktop", "org.freedesktop.portal.Desktop")


def serve(value: int, ready: threading.Event) -> None:
    """Answer every ``Read`` of the portal with ``value``, wrapped twice as the real one does."""
    with open_dbus_connection() as connection:
        Proxy(message_bus, connection).RequestName(PORTAL.bus_name)
        ready.set()
        while True:
            message = connection.receive()
            fields = message.header.fields
            if message.header.message_type is MessageType.method_call and fields.get(HeaderFields.member) == "Read":
                assert message.body == ("org.freedesktop.appearance", "color-scheme")
                connection.send(new_method_return(message, "v", (("v", ("u", value)),)))


def main() -> None:
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication

    from desktop.core.settings import Theme
    from desktop.ui.theme.theme_manager import ThemeManager

    ready = threading.Event()
    threading.Thread(target=serve, args=(int(sys.argv[1]), ready), daemon=True).start()
    assert ready.wait(20)
    app = QApplication([])
    theme = ThemeManager(app, Theme.SYSTEM, "en")
    before = theme.tokens.name
    theme.changed.connect(app.quit)
    QTimer.singleShot(int(sys.argv[2]), app.quit)
    app.exec()
    sys.stdout.write(f"{before} {theme.tokens.name}\n")


if __name__ == "__main__":
    main()
