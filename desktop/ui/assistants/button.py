"""Below the message: which assistant answers in this chat, and the list to choose another one."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from desktop.ui.composer.icon_picker import ICON, IconPicker
from desktop.ui.controls import describe
from desktop.ui.popup import round_corners
from desktop.ui.theme.theme_manager import ThemeManager

MOST_IN_MENU = 40
MOST_WIDTH = 180


@dataclass(frozen=True)
class AssistantOffer:
    """An assistant in the list; ``hint`` is what it is for."""

    id: str
    name: str
    hint: str = ""


class AssistantButton(IconPicker):
    """Not there where there are no assistants and the chat has none.

    Signals:
        chosen: the id of the assistant that shall answer; empty for none in particular.
        managing_requested: the page with all of them is wanted.
        new_requested: a new one is wanted.
    """

    chosen = Signal(str)
    managing_requested = Signal()
    new_requested = Signal()

    def __init__(self, theme: ThemeManager) -> None:
        super().__init__("assistantButton", theme, most_width=MOST_WIDTH)
        self._offers: Sequence[AssistantOffer] = ()
        self._current: AssistantOffer | None = None
        self._is_gone = False
        self._menu = QMenu(self)
        self._menu.setObjectName("assistantMenu")
        self._menu.setToolTipsVisible(True)
        round_corners(self._menu)
        self._menu.aboutToHide.connect(lambda: self.set_open(False))
        self.clicked.connect(self.open_menu)
        theme.set_icon(self, "drama", "muted", ICON)
        self.hide()

    @property
    def offers(self) -> Sequence[AssistantOffer]:
        """Who can be chosen."""
        return self._offers

    @property
    def current(self) -> AssistantOffer | None:
        """Who answers in the chat."""
        return self._current

    def show_assistants(
        self, offers: Sequence[AssistantOffer], current: AssistantOffer | None, *, is_gone: bool = False
    ) -> None:
        """Offer these; ``current`` answers in the chat, and ``is_gone`` where it is not in the library any more."""
        self._offers, self._current, self._is_gone = tuple(offers), current, is_gone
        self.setVisible(bool(offers) or current is not None)
        self._retranslate()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _retranslate(self) -> None:
        current = self._current
        if current is None:
            text, tip = self.tr("No assistant"), self.tr("Choose an assistant for this chat")
        elif self._is_gone:
            text = self.tr("%1 (deleted)").replace("%1", current.name)
            tip = self.tr(
                "This assistant was deleted. The chat goes on with it as it was, until you choose another one."
            )
        else:
            text, tip = current.name, current.hint or self.tr("The assistant of this chat")
        self.set_full_text(text)
        describe(self, self.tr("Assistant: %1").replace("%1", text), tooltip=tip)

    def open_menu(self) -> None:
        """Show the list above the button."""
        self._fill_menu()
        self.set_open(True)
        height = self._menu.sizeHint().height()
        self._menu.popup(self.mapToGlobal(QPoint(0, -height - 4)))

    def _fill_menu(self) -> None:
        self._menu.clear()
        group = QActionGroup(self._menu)
        current = self._current.id if self._current is not None else ""
        rows = [AssistantOffer("", self.tr("No assistant")), *self._offers[:MOST_IN_MENU]]
        for offer in rows:
            action = QAction(offer.name.replace("&", "&&"), self._menu)
            action.setObjectName(f"assistant-{offer.id or 'none'}")
            action.setCheckable(True)
            action.setChecked(offer.id == current)
            action.setToolTip(offer.hint)
            action.triggered.connect(lambda _checked, offer=offer: self.chosen.emit(offer.id))
            group.addAction(action)
            self._menu.addAction(action)
        self._menu.addSeparator()
        self._menu.addAction(self.tr("New assistant…")).triggered.connect(self.new_requested)
        self._menu.addAction(self.tr("All assistants…")).triggered.connect(self.managing_requested)
