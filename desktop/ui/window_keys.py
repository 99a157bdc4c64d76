"""The main window's keys: its shortcuts, the way from part to part, and Escape back to the message field."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QShortcut
from PySide6.QtWidgets import QWidget

from desktop.ui.shortcuts import SHORTCUTS, Place, sequences

if TYPE_CHECKING:
    from desktop.ui.main_window import MainWindow

REASON = Qt.FocusReason.ShortcutFocusReason


class WindowKeys(QObject):
    """Connects the table of shortcuts with the window. What needs the services goes out as the window's signals.

    ``used`` comes before an action is carried out by its keys, with its id.
    """

    used = Signal(str)

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        sidebar, when_possible = window.sidebar, window.early_requests.when_possible
        self._shortcuts: dict[str, QShortcut] = {}
        self._actions: dict[str, Callable[[], object]] = {
            "new_chat": sidebar.new_chat_requested.emit,
            "temporary_chat": sidebar.temporary_chat_requested.emit,
            "palette": lambda: window.palette_requested.emit("palette"),
            "go_to_chat": lambda: window.palette_requested.emit("go_to_chat"),
            "run_action": lambda: window.palette_requested.emit("run_action"),
            "search": window.focus_search,
            "next_chat": when_possible(lambda: sidebar.step_thread(1)),
            "previous_chat": when_possible(lambda: sidebar.step_thread(-1)),
            "rename": window.header.edit_title,
            "chat_options": window.header.options_requested.emit,
            "undo": window.undo_requested.emit,
            "focus_message": window.composer.focus_text,
            "focus_transcript": when_possible(self._focus_transcript),
            "previous_message": when_possible(lambda: self._go_to_message(-1)),
            "next_message": when_possible(lambda: self._go_to_message(1)),
            "copy_answer": window.copy_answer_requested.emit,
            "copy_markdown": when_possible(lambda: window.transcript.context.actions.markdown_wanted.emit()),
            "what_was_sent": window.sent_requested.emit,
            "answer_again": window.again_requested.emit,
            "branch_map": window.map_requested.emit,
            "previous_version": lambda: window.version_step_requested.emit(-1),
            "next_version": lambda: window.version_step_requested.emit(1),
            "larger_text": lambda: window.text_size_requested.emit(1),
            "smaller_text": lambda: window.text_size_requested.emit(-1),
            "normal_text": lambda: window.text_size_requested.emit(0),
            "toggle_sidebar": window.toggle_sidebar,
            "next_part": lambda: self._go_to_part(1),
            "previous_part": lambda: self._go_to_part(-1),
            "settings": window.settings_requested.emit,
            "memory": sidebar.footer.memory_requested.emit,
            "shortcuts": window.show_shortcuts,
            "full_screen": self._toggle_full_screen,
            "close_window": window.close,
            "quit": window.close,
        }
        for shortcut_id in self._actions:
            self._connect(shortcut_id)

    def add(self, shortcut_id: str, act: Callable[[], object]) -> None:
        """Let the keys of an action of the table do this from now on."""
        is_new = shortcut_id not in self._actions
        self._actions[shortcut_id] = act
        if is_new:
            self._connect(shortcut_id)

    def act(self, shortcut_id: str) -> None:
        """Do what the keys of an action do."""
        self._actions[shortcut_id]()

    def can(self, shortcut_id: str) -> bool:
        """Whether the window itself carries out this action; others belong to what has the focus."""
        return shortcut_id in self._actions

    def renew(self) -> None:
        """Take the keys that are in force now."""
        for shortcut_id, shortcut in self._shortcuts.items():
            shortcut.setKeys(sequences(shortcut_id))

    def _connect(self, shortcut_id: str) -> None:
        if shortcut_id not in SHORTCUTS or SHORTCUTS[shortcut_id].place is Place.CHATS:
            return  # the lists have the keys of their rows for themselves
        context, area = Qt.ShortcutContext.WindowShortcut, self._window
        if shortcut_id == "rename":  # the list of threads has this one for itself, for the row it stands on
            context, area = Qt.ShortcutContext.WidgetWithChildrenShortcut, self._window.right_side
        # One for all keys, which stays when these change: keys may be what changes them.
        shortcut = QShortcut(area)
        shortcut.setContext(context)
        shortcut.setKeys(sequences(shortcut_id))
        shortcut.activated.connect(lambda: self._pressed(shortcut_id))
        self._shortcuts[shortcut_id] = shortcut

    def _pressed(self, shortcut_id: str) -> None:
        self.used.emit(shortcut_id)
        self.act(shortcut_id)

    def escape(self) -> None:
        """Escape that nobody wanted: back to the message field; there it closes a message of the window."""
        window = self._window
        if not window.composer.isAncestorOf(self._focused()):
            window.composer.focus_text()
        elif window.toast.isVisible():
            window.toast.dismiss()
        else:
            window.notices.close_newest()

    def _focused(self) -> QWidget:
        return self._window.focusWidget() or self._window

    def _focus_transcript(self) -> None:
        if (place := self._window.reading_place) is not None:
            place.setFocus(REASON)

    def _go_to_message(self, direction: int) -> None:
        window = self._window
        if window.has_transcript and window.reading_place is window.transcript:
            window.transcript.go_to_message(direction)

    def _go_to_part(self, step: int) -> None:
        """Move the focus to the next part in reading order that can be seen, in a circle."""
        window, focused = self._window, self._focused()
        parts = [part for part in window.parts() if part.isVisibleTo(window)]
        here = [index for index, part in enumerate(parts) if part is focused or part.isAncestorOf(focused)]
        target = parts[(here[0] + step) % len(parts) if here else 0]
        if target is window.sidebar:
            window.sidebar.focus_list()
        elif target is window.composer:
            window.composer.focus_text()
        elif target is window.header:
            window.header.first_control.setFocus(REASON)
        elif target is window.notices:
            window.notices.focus_first(REASON)
        else:
            target.setFocus(REASON)

    def _toggle_full_screen(self) -> None:
        self._window.setWindowState(self._window.windowState() ^ Qt.WindowState.WindowFullScreen)
