"""The card of the demo model on the page of the first start: all of it is one button."""

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from desktop.ui.controls import IconLabel, describe
from desktop.ui.endpoints.parts import words
from desktop.ui.theme.theme_manager import ThemeManager


class DemoCard(QPushButton):
    """Says what the demo model is, and what a click leads to."""

    def __init__(self, theme: ThemeManager) -> None:
        super().__init__()
        self.setObjectName("useDemo")
        self.setProperty("role", "demoCard")
        self._title = words("strong")
        self._text = words("muted", "demoText")
        self._try = QLabel()
        self._try.setProperty("role", "demoTry")
        texts = QVBoxLayout()
        texts.setSpacing(2)
        texts.addWidget(self._title)
        texts.addWidget(self._text)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(15, 13, 15, 13)
        layout.setSpacing(12)
        layout.addWidget(IconLabel(theme, "clapperboard", "muted", 20), 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(texts, 1)
        layout.addWidget(self._try, 0, Qt.AlignmentFlag.AlignVCenter)
        layout.addWidget(IconLabel(theme, "chevron-right", "accent", 16), 0, Qt.AlignmentFlag.AlignVCenter)
        for part in self.findChildren(QWidget):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._retranslate()

    def sizeHint(self) -> QSize:  # noqa: N802
        return self._layout_size()

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return self._layout_size()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _layout_size(self) -> QSize:
        """A button measures its own text, of which there is none."""
        layout = self.layout()
        return super().sizeHint() if layout is None else layout.minimumSize()

    def _retranslate(self) -> None:
        self._title.setText(self.tr("Demo model"))
        text = self.tr(
            "This is not a real model: its answers come from a script. It needs no key and no network, and shows"
            " everything that Threadwell can do."
        )
        self._text.setText(text)
        self._try.setText(self.tr("Try it"))
        describe(self, self.tr("Try the demo model"), tooltip="")
        self.setAccessibleDescription(text)
