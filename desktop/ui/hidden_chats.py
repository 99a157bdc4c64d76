"""Says in the window that a chat which is not shown has its answer, where no list of chats does."""

from PySide6.QtCore import QObject

from desktop.agent.run import Run
from desktop.ui.main_window import MainWindow
from desktop.ui.services import UiServices
from desktop.ui.state.outcomes import Outcome, Outcomes
from desktop.ui.state.readable import readable
from desktop.ui.system_notices import TITLE_CHARACTERS, SystemNotices


class HiddenChats(QObject):
    """The sidebar marks such a chat, and a hidden window has notifications of the system; this is for the window without a
    sidebar. It never takes the place of a message that something can be undone with."""

    def __init__(self, window: MainWindow, services: UiServices, notices: SystemNotices, parent: QObject) -> None:
        super().__init__(parent)
        self._window = window
        self._services = services
        self._notices = notices
        self._outcomes = Outcomes()
        self._open_id = ""
        services.chat.run_ended.connect(self._run_ended)

    def show_thread(self, thread_id: str) -> None:
        """This one is in sight now."""
        self._open_id = thread_id

    def _run_ended(self, run: Run) -> None:
        outcome, window = self._outcomes.note(run), self._window
        goes_on = self._services.chat.runs_of(run.thread_id) or self._services.queue.goes_on_after(run)
        is_told = window.sidebar.isVisible() or not window.isActiveWindow() or window.toast.can_act
        is_wanted = self._services.settings.settings.appearance.notify
        if run.thread_id == self._open_id or goes_on or outcome is Outcome.STOPPED or is_told or not is_wanted:
            return
        thread_id = run.thread_id
        title = " ".join(readable(window.sidebar.model.title_of(thread_id)).split())[:TITLE_CHARACTERS]
        title = title or self.tr("New chat")
        failed = outcome is Outcome.FAILED
        window.toast.present(
            lambda: (self.tr("The answer failed: %1") if failed else self.tr("The answer is ready: %1")).replace(
                "%1", title
            ),
            lambda: self.tr("Show"),
            lambda: self._notices.chosen.emit(thread_id),
        )
