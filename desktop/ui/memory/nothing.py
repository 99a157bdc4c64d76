"""What stands in the place of the list of memories where there is nothing to list, and why that is."""

from enum import Enum, auto

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from desktop.ui.controls import IconLabel, Words, describe, text_of
from desktop.ui.dialogs.parts import plain_label, set_plain
from desktop.ui.theme.theme_manager import ThemeManager


class PageState(Enum):
    LOADING = auto()
    LIST = auto()
    EMPTY = auto()
    """Nothing is remembered at all."""
    NOTHING_REPLACED = auto()
    NOTHING_WAITS = auto()
    NO_MATCH = auto()
    FAILED = auto()


class NothingHere(QWidget):
    """An icon, a few words, and in ``act`` a button for what can be done about it."""

    def __init__(self, theme: ThemeManager) -> None:
        super().__init__()
        self.setObjectName("memoryNothing")
        self._icon = IconLabel(theme, "brain", "muted", 36)
        self._title, self._words = QLabel(), plain_label("", "muted")
        self._title.setProperty("role", "title")
        self._title.setObjectName("memoryNothingTitle")
        for label in (self._title, self._words):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            label.setWordWrap(True)
        self.act = QPushButton()
        self.act.setObjectName("memoryNothingAct")
        layout = QVBoxLayout(self)
        layout.setSpacing(8)
        layout.addStretch(1)
        layout.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addWidget(self._title)
        layout.addWidget(self._words)
        layout.addWidget(self.act, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(2)

    def show_state(self, state: PageState, failure: Words, *, is_told: bool) -> None:
        """Say why there is no list; without ``is_told`` no words yet, for what may be over in a moment."""
        title, words, act = self._words_of(state, failure)
        self._title.setText(title if is_told else "")
        set_plain(self._words, words if is_told else "")
        self.act.setText(act)
        describe(self.act, act, tooltip="")
        self.act.setVisible(bool(act) and is_told)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._fit()

    def least_height(self, width: int) -> int:
        """How much it takes without the picture, which can be missed."""
        layout = self.layout()
        assert layout is not None
        taken = self._icon.sizeHint().height() + layout.spacing()
        return layout.totalHeightForWidth(width) - (0 if self._icon.isHidden() else taken)

    def _fit(self) -> None:
        """Leave out the picture where the words need its room."""
        self._icon.setVisible(self.height() >= self.least_height(self.width()) + 2 * self._icon.sizeHint().height())

    def _words_of(self, state: PageState, failure: Words) -> tuple[str, str, str]:
        match state:
            case PageState.LIST:
                return "", "", ""
            case PageState.LOADING:
                return self.tr("Reading the memories…"), "", ""
            case PageState.FAILED:
                return self.tr("The memories could not be read"), text_of(failure), self.tr("Try again")
            case PageState.EMPTY:
                words = self.tr(
                    "When you say something in a chat that is worth knowing later, it is noted here."
                    " You can also write down yourself what answers should know."
                )
                return self.tr("Nothing is remembered yet"), words, self.tr("Write one yourself")
            case PageState.NOTHING_REPLACED:
                words = self.tr("When you say something newer, the memory that is no longer true is kept here.")
                return self.tr("Nothing has been replaced yet"), words, self.tr("Show what is in use")
            case PageState.NOTHING_WAITS:
                words = self.tr("What comes from a chat with text that others wrote waits here until you accept it.")
                return self.tr("Nothing waits for your look"), words, self.tr("Show what is in use")
            case PageState.NO_MATCH:
                return (
                    self.tr("No memory matches"),
                    self.tr("Try other words, or look at another kind or state."),
                    self.tr("Show all"),
                )
