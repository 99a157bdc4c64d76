"""In the header of a chat that was branched from another one: says from which, and leads back there."""

from PySide6.QtCore import QEvent, QSize
from PySide6.QtWidgets import QSizePolicy

from desktop.ui.controls import ElidedButton, describe, set_enabled
from desktop.ui.theme.theme_manager import ThemeManager

MOST_WIDTH, LEAST_FOR_WORDS = 220, 110


class OriginButton(ElidedButton):
    """Not there for a chat that began by itself."""

    frame = 44

    def __init__(self, theme: ThemeManager) -> None:
        super().__init__()
        self.setObjectName("branchedFrom")
        self._title: str | None = None
        self._is_deleted = False
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setMaximumWidth(MOST_WIDTH)
        theme.set_icon(self, "git-branch", "muted", 14)
        self._retranslate()
        self.hide()

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(self.frame, super().minimumSizeHint().height())

    def _elide(self) -> None:
        """A few letters would say less than the icon alone."""
        if self.width() < LEAST_FOR_WORDS:
            self.setText("")
        else:
            super()._elide()

    def show_origin(self, title: str | None, *, is_deleted: bool) -> None:
        """Name the chat that this one comes from; one that ``is_deleted`` cannot be gone to."""
        self._title, self._is_deleted = title, is_deleted
        self._retranslate()
        set_enabled(self, not is_deleted)
        self.setVisible(title is not None)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _retranslate(self) -> None:
        if self._title is None:
            describe(self, self.tr("Where this chat was branched from"), tooltip="")
            return
        words = self.tr("Branched from %1").replace("%1", self._title or self.tr("a chat without a title"))
        self.set_full_text(words)
        hint = (
            self.tr("It is in the Trash.") if self._is_deleted else self.tr("Click to go to where it leaves that chat.")
        )
        describe(self, words, tooltip=self.tr("%1. %2").replace("%2", hint).replace("%1", words))
