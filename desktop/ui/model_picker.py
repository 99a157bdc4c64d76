"""The list of models at the button that says who answers: endpoints with their models, a search, and the way to the settings."""

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QHideEvent, QIcon, QKeyEvent, QPixmap
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop.conversation.entities import MOST_ASKED_BESIDE
from desktop.ui.clear_button import offer_clearing
from desktop.ui.controls import announce
from desktop.ui.endpoints.parts import shown, words
from desktop.ui.number_mark import number_mark
from desktop.ui.popup import Popup
from desktop.ui.state.model_choices import ModelChoice, filtered, number_of_models
from desktop.ui.theme.theme_manager import ThemeManager

WIDTH = 340
MOST_HEIGHT = 400
ICON = 16
SEARCH_FROM = 13
"""So many models have a search field."""
MOST_ASKED = 1 + MOST_ASKED_BESIDE


class ModelPicker(Popup):
    """Closes by itself at a choice, a click elsewhere, or Escape. While several models are picked, it stays.

    Signals:
        chosen: a ``ModelChoice``.
        several_chosen: a list of ``ModelChoice``, at each change of the models that are asked; the first answers in
            the chat.
        settings_requested: the way to the settings of models.
        closed: it is gone from the screen.
    """

    chosen = Signal(object)
    several_chosen = Signal(list)
    settings_requested = Signal()
    closed = Signal()

    def __init__(self, theme: ThemeManager, parent: QWidget, *, for_one_answer: bool = False) -> None:
        """``for_one_answer`` is a list that only picks a model, and changes nothing for what comes later."""
        super().__init__(parent)
        self.setObjectName("answerModelPicker" if for_one_answer else "modelPicker")
        self._theme = theme
        self._for_one_answer = for_one_answer
        self._choices: tuple[ModelChoice, ...] = ()
        self._asked: list[ModelChoice] = []
        self._anchor: QWidget | None = None
        self._list_height = 0
        self._search = QLineEdit()
        self._search.setObjectName("modelSearch")
        offer_clearing(self._search, theme)
        self._search.textChanged.connect(self._fill)
        self._search.installEventFilter(self)
        self._list = QListWidget()
        self._list.setObjectName("modelList")
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self._list.setUniformItemSizes(False)
        self._list.itemClicked.connect(self._choose)
        self._list.itemActivated.connect(self._choose)
        self._list.installEventFilter(self)
        self._nothing = words("muted", "noModelFound")
        self._for_new = QCheckBox()
        self._for_new.setObjectName("modelForNewChats")
        self._several = QCheckBox()
        self._several.setObjectName("modelAskSeveral")
        self._several.clicked.connect(self._switch_several)
        self._hint = words("muted", "modelSeveralHint")
        self._done = QPushButton()
        self._done.setObjectName("modelSeveralDone")
        self._done.clicked.connect(self.close)
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
        below.setSpacing(6)
        below.addWidget(self._for_new)
        below.addWidget(self._several)
        below.addWidget(self._hint)
        layout.addLayout(below)
        foot = QHBoxLayout()
        foot.addWidget(self._settings)
        foot.addStretch(1)
        foot.addWidget(self._done)
        layout.addLayout(foot)
        self.retranslate()

    @property
    def is_for_new_chats(self) -> bool:
        """What is chosen shall answer in new chats, too."""
        return self._for_new.isChecked() and not self.asks_several and not self._for_one_answer

    @property
    def asks_several(self) -> bool:
        """A choice adds a model to those that are asked, or takes it out."""
        return self._several.isChecked()

    def show_at(self, anchor: QWidget, choices: tuple[ModelChoice, ...], *, for_new_chats: bool = False) -> None:
        """Open below the button, or above it where there is more room, the model in use marked and selected."""
        self._choices, self._anchor = choices, anchor
        self._asked = sorted((choice for choice in choices if choice.number), key=lambda choice: choice.number)
        self._for_new.setChecked(for_new_chats)
        self._several.setChecked(len(self._asked) > 1 and not self._for_one_answer)
        self._search.clear()
        self._search.setVisible(number_of_models(choices) >= SEARCH_FROM)
        size = self._theme.px(ICON)
        self._list.setIconSize(QSize(size, size))
        self._show_foot()
        self._fill()
        self._take_room()
        self._place_at(anchor)
        self.show()
        (self._search if self._search.isVisible() else self._list).setFocus(Qt.FocusReason.PopupFocusReason)

    def _show_foot(self) -> None:
        """What stands below the list: how to ask one model, or several."""
        self._for_new.setVisible(not self.asks_several and not self._for_one_answer)
        self._several.setVisible(not self._for_one_answer)
        self._hint.setVisible(self.asks_several)
        self._done.setVisible(self.asks_several)

    def _switch_several(self) -> None:
        """Several from now on, beginning with the one in use; or only that."""
        if not self.asks_several:
            del self._asked[1:]
            self.several_chosen.emit(list(self._asked))
        self._show_foot()
        self._mark_all()
        self._layout_again()

    def _layout_again(self) -> None:
        """Fit to what stands below the list now, at the same button."""
        if self._anchor is not None and self.isVisible():
            self._take_room()
            self._place_at(self._anchor)

    def _take_room(self) -> None:
        """Be as high as all of it is; on a low screen the list is shorter."""
        layout = self.layout()
        assert layout is not None
        self._list.setFixedHeight(self._list_height)
        layout.activate()
        width = self._theme.px(WIDTH)
        height = max(layout.totalHeightForWidth(width), layout.totalMinimumSize().height())
        beyond = height - (self.screen().availableGeometry().height() - 16)
        if beyond > 0:
            self._list.setFixedHeight(max(60, self._list_height - beyond))
        self.resize(width, height - max(0, beyond))

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
        self._several.setText(self.tr("Ask several models"))
        self._hint.setText(
            self.tr("Each message goes to all of them, at most %1. Number 1 answers in the chat.").replace(
                "%1", str(MOST_ASKED)
            )
        )
        self._done.setText(self.tr("Done"))
        self._done.setAccessibleName(self.tr("Done"))
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
            picks = key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) or (watched is self._list and key == Qt.Key.Key_Space)
            if picks:
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
            self._list_height = min(MOST_HEIGHT, height + 2 * self._list.frameWidth() + 2)
            self._list.setFixedHeight(self._list_height)

    def _item(self, choice: ModelChoice) -> QListWidgetItem:
        text = shown(choice.text)
        if choice.is_heading and choice.is_given:
            text = self.tr("Set on the command line")
        elif choice.is_heading and choice.is_missing:
            text = self.tr("Not set up any more")
        elif choice.is_demo:
            text = self.tr("Demo model (answers from a script)")
        if choice.is_heading:
            return self._heading(text)
        item = QListWidgetItem(text)
        item.setData(Qt.ItemDataRole.UserRole, choice)
        item.setToolTip(text)
        item.setSizeHint(QSize(0, self.fontMetrics().height() + 14))
        self._mark(item, choice)
        return item

    def _mark_all(self) -> None:
        for row in range(self._list.count()):
            item = self._list.item(row)
            choice = item.data(Qt.ItemDataRole.UserRole)
            if isinstance(choice, ModelChoice):
                self._mark(item, choice)

    def _mark(self, item: QListWidgetItem, choice: ModelChoice) -> None:
        """Show whether the model is asked, and as which; one that cannot be added is off."""
        text, numbers = item.text(), [asked.is_same_as for asked in self._asked]
        number = numbers.index(choice.is_same_as) + 1 if choice.is_same_as in numbers else 0
        if self.asks_several:
            item.setIcon(number_mark(self._theme, number, self))
            spoken = self.tr("%1, asked, number %2") if number else self.tr("%1, not asked")
            spoken = spoken.replace("%2", str(number)).replace("%1", text)
            # What the command line gave has no place in the settings, and can only be the first.
            may_add = len(self._asked) < MOST_ASKED and not choice.is_given
        else:
            is_current = number == 1 and not self._for_one_answer
            item.setIcon(self._theme.icon("check", "accent", self._theme.px(ICON)) if is_current else self._blank())
            spoken = self.tr("%1, in use").replace("%1", text) if is_current else text
            may_add = not choice.is_missing
        item.setData(Qt.ItemDataRole.AccessibleTextRole, spoken)
        usual = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        item.setFlags(usual if number or may_add else Qt.ItemFlag.NoItemFlags)

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
        if item is None or not isinstance(choice, ModelChoice) or not item.flags() or not self.isVisible():
            return
        if self.asks_several:
            self._toggle(choice)
        else:
            self.close()
            self.chosen.emit(choice)

    def _toggle(self, choice: ModelChoice) -> None:
        """Ask this one, too, or no more; one at least is asked."""
        others = [asked for asked in self._asked if asked.is_same_as != choice.is_same_as]
        if len(others) == len(self._asked):
            self._asked.append(choice)
        elif others:
            self._asked = others
        self._mark_all()
        announce(self._list, self.tr("%n models are asked", "", len(self._asked)))
        self.several_chosen.emit(list(self._asked))

    def _open_settings(self) -> None:
        self.close()
        self.settings_requested.emit()
