"""The bar above the transcript: the thread's title, the model that answers, the state of the tool servers."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLineEdit,
    QStackedWidget,
    QToolButton,
    QWidget,
)
from shiboken6 import isValid

from desktop.ui.controls import ElidedButton, describe, prepare_icon_button, select_from_end
from desktop.ui.foreign_text_chip import ForeignTextChip
from desktop.ui.header_chips import ChipButton, ChipLabel
from desktop.ui.instructions_chip import InstructionsChip
from desktop.ui.model_button import ModelButton
from desktop.ui.origin_button import OriginButton
from desktop.ui.servers_button import ServersButton
from desktop.ui.shortcuts import keys_of
from desktop.ui.theme.theme_manager import ThemeManager

if TYPE_CHECKING:
    from desktop.tools.entities import ServerStatus
    from desktop.ui.server_popup import ServerPopup

HEIGHT = 52
TITLE_HEIGHT = 34
LEAST_TITLE = 96
"""What the title keeps where there is little room: the model's name gives way first, which the composer says too."""


class Header(QWidget):
    """Emits ``rename_requested`` with the title typed, ``sidebar_toggled``, ``new_chat_requested``, ``model_requested``,
    ``options_requested``, ``memories_requested``, ``servers_shown``, ``servers_managed``; with a server's id
    ``server_restart_requested``, ``server_sign_in_requested`` and ``server_sign_in_cancelled``; ``origin_requested`` to go
    to the chat that this one was branched from.
    """

    rename_requested = Signal(str)
    sidebar_toggled = Signal()
    new_chat_requested = Signal()
    model_requested = Signal()
    options_requested = Signal()
    memories_requested = Signal()
    origin_requested = Signal()
    servers_managed = Signal()
    server_restart_requested = Signal(str)
    server_sign_in_requested = Signal(str)
    server_sign_in_cancelled = Signal(str)
    servers_shown = Signal()

    def __init__(self, theme: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("header")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self._title = ""
        self._has_thread = False
        self._sidebar_visible = True
        self._statuses: Sequence[ServerStatus] = ()
        self._focus_before: QWidget | None = None
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
        self._title_stack.addWidget(self._title_button)
        self._title_stack.addWidget(self._title_edit)
        self.model_button = ModelButton()
        self.model_button.clicked.connect(self.model_requested)
        self._chip = ChipLabel(theme, "demoChip", "chip", "bot", "warning")
        self._temporary = ChipLabel(theme, "temporaryChip", "quietChip", "circle-dashed", "text")
        self.origin = OriginButton(theme)
        self.origin.clicked.connect(self.origin_requested)
        self.instructions = InstructionsChip(theme)
        self.instructions.clicked.connect(self.options_requested)
        self._memory_use, self._is_memory_paused = "", False
        self._memory = ChipButton(theme, "brain")
        self._memory.setObjectName("memoryChip")
        self._memory.clicked.connect(
            lambda: (self.memories_requested if self._is_memory_paused else self.options_requested).emit()
        )
        self._memory.hide()
        self.foreign_text = ForeignTextChip(theme)
        self._chips = (self._chip, self._temporary, self._memory, self.foreign_text)
        self._own_options = ""
        self._options = QToolButton()
        prepare_icon_button(self._options, theme, "chatOptions", "sliders-horizontal")
        self._options.clicked.connect(self.options_requested)
        self._servers = ServersButton()
        prepare_icon_button(self._servers, theme, "serversButton", "plug")
        self._servers.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._servers.clicked.connect(self.show_servers)
        self._popup: ServerPopup | None = None
        self._arrange()
        self._retranslate()
        theme.changed.connect(self._take_sizes)
        self._take_sizes()

    @property
    def first_control(self) -> QWidget:
        """Where the keyboard enters the header."""
        return self._title_button if self._has_thread else self._toggle

    def focus_stops(self) -> list[QWidget]:
        """Where Tab stops, in reading order."""
        return [
            self._toggle,
            self._new_chat,
            self._title_button,
            self._title_edit,
            self.origin,
            self.instructions,
            self._memory,
            self.model_button,
            self._options,
            self._servers,
        ]

    def set_title(self, title: str, *, has_thread: bool) -> None:
        """Show the thread's title; without a thread it cannot be renamed."""
        if self._title_stack.currentWidget() is self._title_edit and (title, has_thread) != (
            self._title,
            self._has_thread,
        ):
            self._cancel_edit()
        self._title, self._has_thread = title, has_thread
        self._retranslate()

    def set_model(self, label: str, short: str = "", *, scripted: bool, are_several: bool = False) -> None:
        self.model_button.set_model(label, short, are_several=are_several)
        self._chip.setVisible(scripted)

    def set_origin(self, title: str | None, *, is_deleted: bool = False) -> None:
        """Mark a chat that was branched from the one of this title; None for any other."""
        self.origin.show_origin(title, is_deleted=is_deleted)

    def set_temporary(self, is_temporary: bool) -> None:
        """Mark a chat of which nothing is kept."""
        self._temporary.setVisible(is_temporary)

    def set_memory_use(self, words: str, *, is_paused: bool = False) -> None:
        """Say what the chat is told of what was said before, where that is not what is usual; else empty.

        While memory ``is_paused``, which a chat cannot change, a click leads to the memories.
        """
        self._memory_use, self._is_memory_paused = words, is_paused
        self._memory.set_full_text(words)
        tip = self.tr("What the answers of this chat are told. Click to choose.") if words else ""
        if is_paused:
            tip = self.tr(
                "Nothing is taken from your chats, and answers are told nothing. Click to go to the memories."
            )
        describe(self._memory, words or self.tr("What answers are told"), tooltip=f"<qt>{tip}</qt>" if tip else "")
        self._memory.setAccessibleDescription(tip)
        self._memory.setVisible(bool(words))

    def set_own_options(self, words: str) -> None:
        """Mark that the chat does something in its own way, said in ``words``; empty for one that does not."""
        self._own_options = words
        self._describe_options()

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
        if self._has_thread and self._title_stack.currentWidget() is not self._title_edit:
            self._focus_before = QApplication.focusWidget()
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

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._memory.updateGeometry()  # what it wants depends on the header
        self._give_way()

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._give_way()
        return done

    def _give_way(self) -> None:
        """In a narrow header the button for the model goes: the model stands below the message, too. Where that does not
        suffice, the chips are pictures, and the title may be shorter."""
        if (layout := self.layout()) is None:
            return
        is_shown = self.model_button.isVisibleTo(self)
        wanted = self._theme.px(LEAST_TITLE)
        others = layout.totalMinimumSize().width() + wanted - self._title_stack.minimumWidth()
        others += sum(chip.saved for chip in self._chips if chip.isVisibleTo(self))
        model = self.model_button.minimumSizeHint().width() + 4
        others -= model if is_shown else 0
        if (has_room := others + model <= self.width()) != is_shown:
            self.model_button.setVisible(has_room)
        is_brief = others > self.width()
        for chip in self._chips:
            chip.set_brief(is_brief)
        self._title_stack.setMinimumWidth(min(wanted, LEAST_TITLE) if is_brief else wanted)

    def _take_sizes(self) -> None:
        self.setFixedHeight(self._theme.px(HEIGHT))
        self._title_stack.setFixedHeight(self._theme.px(TITLE_HEIGHT))
        self._give_way()

    def _arrange(self) -> None:
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 0, 14, 0)
        layout.setSpacing(4)
        layout.addWidget(self._toggle)
        layout.addWidget(self._new_chat)
        layout.addWidget(self._title_stack, 3)
        layout.addWidget(self.origin, 0, Qt.AlignmentFlag.AlignVCenter)
        layout.addWidget(self.instructions, 0, Qt.AlignmentFlag.AlignVCenter)
        layout.addWidget(self._temporary, 0, Qt.AlignmentFlag.AlignVCenter)
        layout.addWidget(self._memory, 0, Qt.AlignmentFlag.AlignVCenter)
        layout.addWidget(self.model_button)
        layout.addSpacing(4)
        layout.addWidget(self._chip, 0, Qt.AlignmentFlag.AlignVCenter)
        layout.addWidget(self.foreign_text, 0, Qt.AlignmentFlag.AlignVCenter)
        layout.addSpacing(4)
        layout.addWidget(self._options)
        layout.addWidget(self._servers)

    def _retranslate(self) -> None:
        self._title_button.set_full_text(self._title or self.tr("New chat"))
        self._title_button.setEnabled(self._has_thread)
        tip = self.tr("Rename this chat") if self._has_thread else ""
        describe(
            self._title_button,
            self._title or self.tr("New chat"),
            shortcut=keys_of("rename") if self._has_thread else "",
            tooltip=tip,
        )
        self._title_edit.setAccessibleName(self.tr("Title of the chat"))
        toggle = self.tr("Hide the sidebar") if self._sidebar_visible else self.tr("Show the sidebar")
        describe(self._toggle, toggle, shortcut=keys_of("toggle_sidebar"))
        describe(self._new_chat, self.tr("New chat"), shortcut=keys_of("new_chat"))
        self._chip.set_words(self.tr("Scripted"))
        self._chip.setToolTip(
            self.tr("No model is connected. The built-in demo answers from a script, without network.")
        )
        self._temporary.set_words(self.tr("Temporary"))
        tip = self.tr(
            "This chat is told nothing of your other chats, nothing of it is remembered, and when you leave it, it is"
            " removed from this computer for good."
        )
        self._temporary.setToolTip(f"<qt>{tip}</qt>")
        self._temporary.setAccessibleDescription(tip)
        self._describe_options()
        self.set_memory_use(self._memory_use, is_paused=self._is_memory_paused)
        self._describe_servers()

    def _describe_options(self) -> None:
        own = self._own_options
        text = self.tr("Chat options: %1").replace("%1", own) if own else self.tr("Chat options")
        describe(self._options, text, shortcut=keys_of("chat_options"))
        style = Qt.ToolButtonStyle
        self._options.setToolButtonStyle(style.ToolButtonTextBesideIcon if own else style.ToolButtonIconOnly)
        self._options.setText("•" if own else "")  # a mark that does not depend on colours
        self._theme.set_icon(self._options, "sliders-horizontal", "accent" if own else "muted")

    def _describe_servers(self) -> None:
        ready = sum(status.is_ready for status in self._statuses)
        failed = sum(status.has_failed for status in self._statuses)
        total = len(self._statuses)
        are_waiting = all(status.is_stopped for status in self._statuses)
        self._servers.show_count(ready, total, is_waiting=are_waiting)
        if are_waiting and total:
            text = self.tr("Tool servers: %1, started when you begin to write").replace("%1", str(total))
        else:
            words = (
                self.tr("Tool servers: %1 of %2 ready, %n failed", "", failed)
                if failed
                else self.tr("Tool servers: %1 of %2 ready")
            )
            text = words.replace("%1", str(ready)).replace("%2", str(total))
        describe(self._servers, text)
        self._theme.set_icon(self._servers, "plug", "error" if failed else "muted")

    def show_servers(self) -> None:
        """Show the tool servers and how they are."""
        self.servers_shown.emit()
        if self._popup is None:
            from desktop.ui.server_popup import ServerPopup

            self._popup = ServerPopup(self._theme, self)
            self._popup.manage_requested.connect(self.servers_managed)
            self._popup.restart_requested.connect(self.server_restart_requested)
            self._popup.sign_in_requested.connect(self.server_sign_in_requested)
            self._popup.sign_in_cancelled.connect(self.server_sign_in_cancelled)
            self._popup.set_statuses(self._statuses)
        self._popup.show_below(self._servers)

    def _finish_edit(self) -> None:
        title = " ".join(self._title_edit.text().split())
        self._cancel_edit()
        if title and title != self._title:
            self.rename_requested.emit(title)

    def _cancel_edit(self) -> None:
        had_focus = self._title_edit.hasFocus()
        before, self._focus_before = self._focus_before, None  # the change below takes the focus and comes here again
        self._title_stack.setCurrentWidget(self._title_button)
        if had_focus:
            is_there = before is not None and isValid(before) and before.isVisible()
            (before if before is not None and is_there else self._title_button).setFocus()
