"""A secret that is given and never shown again: a field, whether one is kept, and the ways to keep and to forget it."""

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QLineEdit, QPushButton, QSizePolicy, QWidget

from desktop.ui.controls import describe, set_enabled
from desktop.ui.settings.layouts import Wrapping

MOST_CHARACTERS = 4_000
LEAST_WIDTH = 180


class TokenField(QWidget):
    """``given`` carries the token, empty to forget it."""

    given = Signal(str)

    def __init__(self, object_name: str, *, is_password: bool = False) -> None:
        """``is_password``: that is what people call it."""
        super().__init__()
        self._is_password = is_password
        self._is_kept = False
        self._edit, self._keep, self._forget = QLineEdit(), QPushButton(), QPushButton()
        self._edit.setObjectName(object_name)
        self._edit.setEchoMode(QLineEdit.EchoMode.Password)
        self._edit.setMinimumWidth(LEAST_WIDTH)
        self._edit.setMaxLength(MOST_CHARACTERS)
        self._edit.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._keep.setObjectName(f"{object_name}Keep")
        self._forget.setObjectName(f"{object_name}Forget")
        self.setLayout(Wrapping(self._edit, self._keep, self._forget))
        self.setFocusProxy(self._edit)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._edit.textChanged.connect(self._retranslate)
        self._edit.returnPressed.connect(self._give)
        self._keep.clicked.connect(self._give)
        self._forget.clicked.connect(lambda: self.given.emit(""))
        self._retranslate()

    def show_kept(self, is_kept: bool) -> None:
        """Say whether a token is kept."""
        self._is_kept = is_kept
        self._retranslate()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _give(self) -> None:
        if token := self._edit.text().strip():
            self._edit.clear()
            self.given.emit(token)

    def _retranslate(self) -> None:
        if self._is_password:
            kept, keep, forget = (
                self.tr("A password is kept"),
                self.tr("Keep the password"),
                self.tr("Forget the password"),
            )
            name = self.tr("Password of the server")
        else:
            kept, keep, forget = self.tr("A token is kept"), self.tr("Keep the token"), self.tr("Forget the token")
            name = self.tr("Token of the server")
        self._edit.setPlaceholderText(kept if self._is_kept else self.tr("None"))
        self._keep.setText(self.tr("Keep"))
        self._forget.setText(self.tr("Forget"))
        describe(self._keep, keep, tooltip="")
        describe(self._forget, forget, tooltip="")
        self._edit.setAccessibleName(name)
        set_enabled(self._keep, bool(self._edit.text().strip()))
        set_enabled(self._forget, self._is_kept)
