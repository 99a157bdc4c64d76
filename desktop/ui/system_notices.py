"""Notifications of the system while nobody looks at the window: something waits for the user, or is done."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication, QWidget

from desktop.agent.run import Run
from desktop.core.settings import SettingsStore
from desktop.ui.desktop_notifier import DesktopNotifier, make_notifier
from desktop.ui.presenting import Worker
from desktop.ui.state.outcomes import Outcome, Outcomes
from desktop.ui.state.readable import readable

TITLE_CHARACTERS = 80


class SystemNotices(QObject):
    """Tells of a thread by its title alone: what was written in it is nobody's business on a locked screen.

    Nothing is shown while the window has the user's attention, nor where the settings say so; the task bar marks the
    window in either case. ``chosen`` carries the id of the thread whose notice was clicked. ``happened_meanwhile`` comes
    instead of a notification while the user works with the window: the thread's id, and what there is to be told of it.
    """

    chosen = Signal(str)
    happened_meanwhile = Signal(str, str)

    def __init__(
        self, window: QWidget, settings: SettingsStore, title_of: Callable[[str], str], worker: Worker, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._settings = settings
        self._title_of = title_of
        self._worker = worker
        self._notifier: DesktopNotifier | None = None
        self._shown: set[str] = set()
        self._waiting: set[str] = set()
        self._outcomes = Outcomes()

    def set_waiting(self, thread_id: str, waiting: bool) -> None:
        """A thread asks the user something, or no longer."""
        if waiting:
            self._waiting.add(thread_id)
            self._tell(thread_id, self.tr("Waiting for your answer"))
        elif thread_id in self._waiting:
            self._waiting.discard(thread_id)
            self._withdraw(thread_id)

    def run_ended(self, run: Run, *, are_all: bool) -> None:
        """An answer is done or failed; one that the user stopped is no news. ``are_all``: no other is awaited there."""
        outcome = self._outcomes.note(run)
        if are_all and outcome is Outcome.FAILED:
            self._tell(run.thread_id, self.tr("The answer failed"))
        elif are_all and outcome is Outcome.READY:
            self._tell(run.thread_id, self.tr("The answer is ready"))

    def window_activated(self) -> None:
        """The user looks at the window: what was told is seen."""
        if not self._is_seen():
            return  # it is on its way off the screen again
        for thread_id in list(self._shown):
            self._withdraw(thread_id)

    def close(self) -> None:
        """Take everything away; for the end of the program."""
        self._shown.clear()
        if self._notifier is not None:
            self._notifier.close()

    def _tell(self, thread_id: str, text: str) -> None:
        if self._is_seen():
            self.happened_meanwhile.emit(thread_id, text)
            return
        QApplication.alert(self._window)
        if self._settings.settings.appearance.notify:
            title = " ".join(readable(self._title_of(thread_id)).split())[:TITLE_CHARACTERS]
            self._shown.add(thread_id)
            self._present().show(thread_id, title or self.tr("New chat"), text)

    def _withdraw(self, thread_id: str) -> None:
        if thread_id in self._shown:
            self._shown.discard(thread_id)
            self._present().withdraw(thread_id)

    def _is_seen(self) -> bool:
        """Whether the window, or a dialog over it, is what the user works with."""
        window = self._window
        return window.isVisible() and not window.isMinimized() and QApplication.activeWindow() is not None

    def _present(self) -> DesktopNotifier:
        if self._notifier is None:
            self._notifier = make_notifier(self._worker, self.tr("Open"), self)
            self._notifier.clicked.connect(self.chosen)
        return self._notifier
