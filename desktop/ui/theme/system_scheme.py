"""What the desktop prefers: dark or light, and whether things may move; by Qt's hints, else the freedesktop portal or AppKit."""

import os
import sys

from PySide6.QtCore import SLOT, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

_SERVICE = "org.freedesktop.portal.Desktop"
_PATH = "/org/freedesktop/portal/desktop"
_INTERFACE = "org.freedesktop.portal.Settings"
_SCHEME = ("org.freedesktop.appearance", "color-scheme")
"""1 prefers dark; 0 is no preference, 2 prefers light."""
_REDUCED = ("org.freedesktop.appearance", "reduced-motion")
"""1 asks for less motion."""
_ANIMATIONS = ("org.gnome.desktop.interface", "enable-animations")
"""The older way to say it: false asks for none."""

NOT_URGENT_MS = 500
"""Where Qt knows the colours, the portal is only asked about motion, and not before the window stands."""


class SystemScheme(QObject):
    """Knows what the system prefers at present; ``changed`` when that became known or another."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._portal: dict[tuple[str, str], object] = {}
        self._pending: dict[object, tuple[str, str]] = {}
        self._mac_is_still = False
        QGuiApplication.styleHints().colorSchemeChanged.connect(self.changed)
        if sys.platform == "darwin":
            QTimer.singleShot(NOT_URGENT_MS, self, self._ask_mac)
            QGuiApplication.instance().applicationStateChanged.connect(self._ask_mac)
        if QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Unknown:
            self._ask_portal()
        else:
            QTimer.singleShot(NOT_URGENT_MS, self, self._ask_portal)

    @property
    def is_dark(self) -> bool:
        scheme = QGuiApplication.styleHints().colorScheme()
        if scheme == Qt.ColorScheme.Unknown:
            return self._portal.get(_SCHEME) == 1
        return scheme == Qt.ColorScheme.Dark

    @property
    def wants_less_motion(self) -> bool:
        if sys.platform == "win32":  # elsewhere Qt does not know
            return not QApplication.isEffectEnabled(Qt.UIEffect.UI_General)
        if sys.platform == "darwin":
            return self._mac_is_still
        return self._portal.get(_REDUCED) == 1 or self._portal.get(_ANIMATIONS) is False

    def _ask_mac(self) -> None:
        """Ask at the start, and whenever the user comes back, maybe from the system's settings."""
        from desktop.ui.theme.mac_motion import mac_wants_less_motion

        if mac_wants_less_motion() is not self._mac_is_still:
            self._mac_is_still = not self._mac_is_still
            self.changed.emit()

    def _ask_portal(self) -> None:
        """Send the questions; the answers come as signals, so that a slow portal holds nothing up."""
        if not sys.platform.startswith("linux") or not os.environ.get("DBUS_SESSION_BUS_ADDRESS"):
            return
        from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusPendingCallWatcher

        bus = QDBusConnection.sessionBus()
        slot = SLOT("_setting_changed(QString,QString,QDBusVariant)")
        # Qt's type hints want bytes there, Qt itself a text.
        bus.connect(_SERVICE, _PATH, _INTERFACE, "SettingChanged", self, slot)  # pyright: ignore[reportArgumentType]
        for key in (_SCHEME, _REDUCED, _ANIMATIONS):
            message = QDBusMessage.createMethodCall(_SERVICE, _PATH, _INTERFACE, "Read")
            message.setArguments(list(key))
            watcher = QDBusPendingCallWatcher(bus.asyncCall(message), self)
            watcher.finished.connect(self._portal_answered)
            self._pending[watcher] = key

    def _portal_answered(self, watcher: object) -> None:
        from PySide6.QtDBus import QDBusMessage, QDBusPendingCallWatcher

        assert isinstance(watcher, QDBusPendingCallWatcher)
        reply = watcher.reply()
        key = self._pending.pop(watcher)
        watcher.deleteLater()
        if reply.type() == QDBusMessage.MessageType.ReplyMessage and reply.arguments():
            self._take(key, reply.arguments()[0])  # else there is no portal, or it does not know

    @Slot(str, str, "QDBusVariant")
    def _setting_changed(self, namespace: str, name: str, value: object) -> None:
        if (namespace, name) in (_SCHEME, _REDUCED, _ANIMATIONS):
            self._take((namespace, name), value)

    def _take(self, key: tuple[str, str], value: object) -> None:
        from PySide6.QtDBus import QDBusVariant

        while isinstance(value, QDBusVariant):
            value = value.variant()
        before = (self.is_dark, self.wants_less_motion)
        self._portal[key] = value
        if (self.is_dark, self.wants_less_motion) != before:
            self.changed.emit()
