"""The list of models at the button that says who answers: endpoints with their models, a search, and the way to the settings."""

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QHideEvent, QIcon, QKeyEvent, QPixmap
from PySide6.QtWidgets import (
    QCheckBox,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop.ui.endpoints.parts import shown, words
from desktop.ui.popup import Popup
from desktop.ui.state.model_choices import ModelChoice, filtered, number_of_models
from desktop.ui.theme.theme_manager import ThemeManager

WIDTH = 340
MOST_HEIGHT = 400
SEARCH_FROM = 13
"""So many models have a search field."""


class ModelPicker(Popup):
    """Closes by itself at a choice, a click elsewhere, or Escape.

    Signals:
        chosen: a ``ModelChoice``.
        settings_requested: the way to the settings of models.
        closed: it is gone from the screen.
    """

    chosen = Signal(object)
    settings_requested = Signal()
    closed = Signal()

    def __init__(self, theme: ThemeManager, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("modelPicker")
        self._theme = theme
        self._choices: tuple[ModelChoice, ...] = ()
        self._search = QLineEdit()
        self._search.setObjectName("modelSearch")
        self._search.setClearButtonEnabled(True)
        self._search.textChanged.connect(self._fill)
        self._search.installEventFilter(self)
        self._list = QListWidget()
        self._list.setObjectName("modelList")
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self._list.setIconSize(QSize(16, 16))
        self._list.setUniformItemSizes(False)
        self._list.itemClicked.connect(self._choose)
        self._list.itemActivated.connect(self._choose)
        self._list.installEventFilter(self)
        self._nothing = words("muted", "noModelFound")
        self._for_new = QCheckBox()
        self._for_new.setObjectName("modelForNewChats")
        self._settings = QPushButton()
        self._settings.setObjectName("modelSettings")
        self._settings.setProperty("role", "link")
        self._settings.clicked.connect(self._open_settings)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.setSpacing(6)
        for widget in (self._search, self._list, self._nothing):
            layout.addWidget(widget)
        below = QVBoxLayout()
        below.setContentsMargins(6, 4, 0, 0)
        below.addWidget(self._for_new)
        layout.addLayout(below)
        layout.addWidget(self._settings)
        self.retranslate()

    @property
    def is_for_new_chats(self) -> bool:
        """What is chosen shall answer in new chats, too."""
        return self._for_new.isChecked()

    def show_at(self, anchor: QWidget, choices: tuple[ModelChoice, ...], *, for_new_chats: bool) -> None:
        """Open below the button, or above it where there is more room, the model in use marked and selected."""
        self._choices = choices
        self._for_new.setChecked(for_new_chats)
        self._search.clear()
        self._search.setVisible(number_of_models(choices) >= SEARCH_FROM)
        self._fill()
        self.adjustSize()
        self._place_at(anchor)
        self.show()
        (self._search if self._search.isVisible() else self._list).setFocus(Qt.FocusReason.PopupFocusReason)

    def _place_at(self, anchor: QWidget) -> None:
        top_left = anchor.mapToGlobal(QPoint(0, 0))
        window = anchor.window().frameGeometry()
        is_at_right = top_left.x() + anchor.width() // 2 > window.center().x()
        x = top_left.x() + (anchor.width() - self.width() if is_at_right else 0)
        y = top_left.y() + anchor.height() + 6
        if (screen := anchor.screen()) is not None:
            room = screen.availableGeometry()
            x = max(room.left() + 4, min(x, room.right() - self.width() - 4))
            if y + self.height() > room.bottom() or top_left.y() > window.center().y():
                y = max(room.top() + 4, top_left.y() - self.height() - 6)
        self.move(x, y)

    def retranslate(self) -> None:
        self.setAccessibleName(self.tr("Choose a model"))
        self._list.setAccessibleName(self.tr("Models"))
        self._search.setPlaceholderText(self.tr("Search models"))
        self._search.setAccessibleName(self.tr("Search models"))
        self._nothing.setText(self.tr("No model has this name. Others can be added in the settings."))
        self._for_new.setText(self.tr("Use it for new chats, too"))
        self._settings.setText(self.tr("Model settings…"))
        self._settings.setAccessibleName(self.tr("Model settings…"))

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        super().hideEvent(event)
        self.closed.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            key = event.key()
            if watched is self._search and key in (Qt.Key.Key_Down, Qt.Key.Key_PageDown):
                self._list.setFocus()
                return True
            if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._choose(self._list.currentItem())
                return True
        return super().eventFilter(watched, event)

    def _fill(self) -> None:
        self._list.clear()
        current: QListWidgetItem | None = None
        first: QListWidgetItem | None = None
        for choice in filtered(self._choices, self._search.text()):
            if choice.is_demo and self._list.count():
                self._list.addItem(self._heading(self.tr("Built in")))  # it belongs to none of the endpoints above it
            item = self._item(choice)
            self._list.addItem(item)
            if not choice.is_heading:
                first = first or item
                current = item if choice.is_current else current
        if (selected := current or first) is not None:
            self._list.setCurrentItem(selected)
            self._list.scrollToItem(selected)
        self._list.setVisible(first is not None)
        self._nothing.setVisible(first is None)
        height = sum(self._list.item(row).sizeHint().height() for row in range(min(self._list.count(), 60)))
        self.setFixedWidth(self._theme.px(WIDTH))
        if not self.isVisible():
            self._list.setFixedHeight(min(MOST_HEIGHT, height + 2 * self._list.frameWidth() + 2))

    def _item(self, choice: ModelChoice) -> QListWidgetItem:
        text = shown(choice.text)
        if choice.is_heading and choice.is_given:
            text = self.tr("Set on the command line")
        elif choice.is_demo:
            text = self.tr("Demo model (answers from a script)")
        if choice.is_heading:
            return self._heading(text)
        item = QListWidgetItem(text)
        item.setData(Qt.ItemDataRole.UserRole, choice)
        item.setToolTip(text)
        item.setSizeHint(QSize(0, self.fontMetrics().height() + 14))
        item.setIcon(self._theme.icon("check", "accent", 16) if choice.is_current else self._blank())
        if choice.is_current:
            item.setData(Qt.ItemDataRole.AccessibleTextRole, self.tr("%1, in use").replace("%1", text))
        return item

    def _heading(self, text: str) -> QListWidgetItem:
        item = QListWidgetItem(text)
        item.setToolTip(text)
        item.setSizeHint(QSize(0, self.fontMetrics().height() + 8))
        item.setFlags(Qt.ItemFlag.NoItemFlags)
        item.setTextAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom)
        return item

    @staticmethod
    def _blank() -> QIcon:
        pixmap = QPixmap(16, 16)
        pixmap.fill(Qt.GlobalColor.transparent)
        return QIcon(pixmap)

    def _choose(self, item: QListWidgetItem | None) -> None:
        choice = item.data(Qt.ItemDataRole.UserRole) if item is not None else None
        if isinstance(choice, ModelChoice) and not choice.is_heading and self.isVisible():
            self.close()
            self.chosen.emit(choice)

    def _open_settings(self) -> None:
        self.close()
        self.settings_requested.emit()
