"""The bar above the transcript: the thread's title, the model that answers, the state of the tool servers."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QStackedWidget, QToolButton, QWidget

from desktop.ui.controls import ElidedButton, ElidedLabel, describe, prepare_icon_button, select_from_end
from desktop.ui.theme.theme_manager import ThemeManager

if TYPE_CHECKING:
    from desktop.tools.entities import ServerStatus
    from desktop.ui.server_popup import ServerPopup

HEIGHT = 52
TITLE_HEIGHT = 34


class Header(QWidget):
    """Emits ``rename_requested`` with the title typed, ``sidebar_toggled`` and ``new_chat_requested``."""

    rename_requested = Signal(str)
    sidebar_toggled = Signal()
    new_chat_requested = Signal()

    def __init__(self, theme: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("header")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(HEIGHT)
        self._theme = theme
        self._title = ""
        self._has_thread = False
        self._sidebar_visible = True
        self._statuses: Sequence[ServerStatus] = ()
        self._toggle = QToolButton()
        prepare_icon_button(self._toggle, theme, "sidebarToggle", "panel-left")
        self._toggle.clicked.connect(self.sidebar_toggled)
        self._new_chat = QToolButton()
        prepare_icon_button(self._new_chat, theme, "headerNewChat", "square-pen")
        self._new_chat.clicked.connect(self.new_chat_requested)
        self._title_button = ElidedButton()
        self._title_button.setObjectName("threadTitle")
        self._title_button.setProperty("role", "titleButton")
        self._title_button.clicked.connect(self.edit_title)
        self._title_edit = QLineEdit()
        self._title_edit.setObjectName("headerTitleEdit")
        self._title_edit.returnPressed.connect(self._finish_edit)
        self._title_edit.installEventFilter(self)
        self._title_stack = QStackedWidget()
        self._title_stack.setFixedHeight(TITLE_HEIGHT)
        self._title_stack.addWidget(self._title_button)
        self._title_stack.addWidget(self._title_edit)
        self._model = ElidedLabel()
        self._model.setObjectName("modelLabel")
        self._model.setProperty("role", "muted")
        self._model.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._chip = QLabel()
        self._chip.setObjectName("demoChip")
        self._chip.setProperty("role", "chip")
        self._chip.hide()
        self._servers = QToolButton()
        prepare_icon_button(self._servers, theme, "serversButton", "plug")
        self._servers.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._servers.clicked.connect(self._show_servers)
        self._popup: ServerPopup | None = None
        self._arrange()
        self._retranslate()

    @property
    def last_control(self) -> QWidget:
        """Where the Tab key leaves the header."""
        return self._servers

    def set_title(self, title: str, *, has_thread: bool) -> None:
        """Show the thread's title; without a thread it cannot be renamed."""
        if self._title_stack.currentWidget() is self._title_edit and (title, has_thread) != (
            self._title,
            self._has_thread,
        ):
            self._cancel_edit()
        self._title, self._has_thread = title, has_thread
        self._retranslate()

    def set_model(self, label: str, *, scripted: bool) -> None:
        self._model.set_full_text(label)
        self._model.setToolTip(self.tr("Answers come from %1").replace("%1", label))
        self._model.setAccessibleName(self.tr("Model: %1").replace("%1", label))
        self._chip.setVisible(scripted)

    def set_statuses(self, statuses: "Sequence[ServerStatus]") -> None:
        """Show how the tool servers are."""
        self._statuses = statuses
        if self._popup is not None:
            self._popup.set_statuses(statuses)
        self._describe_servers()

    def set_sidebar_visible(self, visible: bool) -> None:
        self._sidebar_visible = visible
        self._new_chat.setVisible(not visible)
        self._retranslate()

    def edit_title(self) -> None:
        """Let the user type another title."""
        if self._has_thread:
            select_from_end(self._title_edit, self._title)
            self._title_stack.setCurrentWidget(self._title_edit)
            self._title_edit.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if watched is self._title_edit and self._title_stack.currentWidget() is self._title_edit:
            if event.type() == QEvent.Type.FocusOut:
                self._finish_edit()
            elif isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
                if event.type() == QEvent.Type.KeyPress:
                    self._cancel_edit()
                return True
        return super().eventFilter(watched, event)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _arrange(self) -> None:
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 0, 14, 0)
        layout.setSpacing(4)
        layout.addWidget(self._toggle)
        layout.addWidget(self._new_chat)
        layout.addWidget(self._title_stack, 3)
        layout.addSpacing(8)
        layout.addWidget(self._model, 1)
        layout.addSpacing(4)
        layout.addWidget(self._chip, 0, Qt.AlignmentFlag.AlignVCenter)
        layout.addSpacing(4)
        layout.addWidget(self._servers)

    def _retranslate(self) -> None:
        self._title_button.set_full_text(self._title or self.tr("New chat"))
        self._title_button.setEnabled(self._has_thread)
        tip = self.tr("Rename this chat") if self._has_thread else ""
        describe(
            self._title_button,
            self._title or self.tr("New chat"),
            shortcut="F2" if self._has_thread else "",
            tooltip=tip,
        )
        self._title_edit.setAccessibleName(self.tr("Title of the chat"))
        toggle = self.tr("Hide the sidebar") if self._sidebar_visible else self.tr("Show the sidebar")
        describe(self._toggle, toggle, shortcut="Ctrl+B")
        describe(self._new_chat, self.tr("New chat"), shortcut="Ctrl+N")
        self._chip.setText(self.tr("Demo · scripted"))
        self._chip.setToolTip(
            self.tr("No model is connected. The built-in demo answers from a script, without network.")
        )
        self._describe_servers()

    def _describe_servers(self) -> None:
        ready = sum(status.is_ready for status in self._statuses)
        failed = sum(status.has_failed for status in self._statuses)
        total = len(self._statuses)
        self._servers.setText(f"{ready}/{total}" if ready != total else str(total))
        text = self.tr("Tool servers: %1 of %2 ready").replace("%1", str(ready)).replace("%2", str(total))
        if failed:
            text += ", " + self.tr("%n failed", "", failed)
        describe(self._servers, text)
        self._theme.set_icon(self._servers, "plug", "error" if failed else "muted")

    def _show_servers(self) -> None:
        if self._popup is None:
            from desktop.ui.server_popup import ServerPopup

            self._popup = ServerPopup(self._theme, self)
            self._popup.set_statuses(self._statuses)
        self._popup.show_below(self._servers)

    def _finish_edit(self) -> None:
        title = " ".join(self._title_edit.text().split())
        self._cancel_edit()
        if title and title != self._title:
            self.rename_requested.emit(title)

    def _cancel_edit(self) -> None:
        had_focus = self._title_edit.hasFocus()
        self._title_stack.setCurrentWidget(self._title_button)
        if had_focus:
            self._title_button.setFocus()
