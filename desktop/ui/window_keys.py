"""The main window's keys: its shortcuts, the way from part to part, and Escape back to the message field."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QShortcut
from PySide6.QtWidgets import QWidget

from desktop.ui.shortcuts import SHORTCUTS, sequences

if TYPE_CHECKING:
    from desktop.ui.main_window import MainWindow

REASON = Qt.FocusReason.ShortcutFocusReason


class WindowKeys(QObject):
    """Connects the table of shortcuts with the window. What needs the services goes out as the window's signals."""

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        sidebar, when_possible = window.sidebar, window.early_requests.when_possible
        actions = {
            "new_chat": sidebar.new_chat_requested.emit,
            "temporary_chat": sidebar.temporary_chat_requested.emit,
            "search": window.focus_search,
            "next_chat": when_possible(lambda: sidebar.step_thread(1)),
            "previous_chat": when_possible(lambda: sidebar.step_thread(-1)),
            "chat_options": window.header.options_requested.emit,
            "undo": window.undo_requested.emit,
            "focus_message": window.composer.focus_text,
            "focus_transcript": when_possible(self._focus_transcript),
            "previous_message": when_possible(lambda: self._go_to_message(-1)),
            "next_message": when_possible(lambda: self._go_to_message(1)),
            "copy_answer": window.copy_answer_requested.emit,
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
        for shortcut_id, action in actions.items():
            if shortcut_id not in SHORTCUTS:
                continue
            for sequence in sequences(shortcut_id):
                QShortcut(sequence, window).activated.connect(action)
        # The list of threads has this one for itself, for the row it stands on.
        for sequence in sequences("rename"):
            context = Qt.ShortcutContext.WidgetWithChildrenShortcut
            QShortcut(sequence, window.right_side, context=context).activated.connect(window.header.edit_title)

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
