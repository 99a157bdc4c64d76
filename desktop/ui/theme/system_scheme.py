"""Whether the desktop prefers dark: Qt's hint, else the freedesktop portal, else light."""

import os
import sys

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication

_SERVICE = "org.freedesktop.portal.Desktop"
_PATH = "/org/freedesktop/portal/desktop"
_INTERFACE = "org.freedesktop.portal.Settings"
_NAMESPACE, _KEY = "org.freedesktop.appearance", "color-scheme"
_PREFERS_DARK = 1
"""The portal's value; 0 is no preference, 2 prefers light."""


class SystemScheme(QObject):
    """Knows the present scheme of the system; ``changed`` when it became known or another one."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._portal_says_dark = False
        self._pending: object = None
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self.changed)
        if hints.colorScheme() == Qt.ColorScheme.Unknown:
            self._ask_portal()

    @property
    def is_dark(self) -> bool:
        scheme = QGuiApplication.styleHints().colorScheme()
        if scheme == Qt.ColorScheme.Unknown:
            return self._portal_says_dark
        return scheme == Qt.ColorScheme.Dark

    def _ask_portal(self) -> None:
        """Send the question; the answer comes as a signal, so that a slow portal holds nothing up."""
        if not sys.platform.startswith("linux") or not os.environ.get("DBUS_SESSION_BUS_ADDRESS"):
            return
        from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusPendingCallWatcher

        message = QDBusMessage.createMethodCall(_SERVICE, _PATH, _INTERFACE, "Read")
        message.setArguments([_NAMESPACE, _KEY])
        watcher = QDBusPendingCallWatcher(QDBusConnection.sessionBus().asyncCall(message), self)
        watcher.finished.connect(self._portal_answered)
        self._pending = watcher

    def _portal_answered(self, watcher: object) -> None:
        from PySide6.QtDBus import QDBusMessage, QDBusPendingCallWatcher, QDBusVariant

        assert isinstance(watcher, QDBusPendingCallWatcher)
        reply = watcher.reply()
        self._pending = None
        watcher.deleteLater()
        if reply.type() != QDBusMessage.MessageType.ReplyMessage or not reply.arguments():
            return  # no portal, or it does not know: light
        value = reply.arguments()[0]
        while isinstance(value, QDBusVariant):
            value = value.variant()
        if (value == _PREFERS_DARK) != self._portal_says_dark:
            self._portal_says_dark = not self._portal_says_dark
            self.changed.emit()
