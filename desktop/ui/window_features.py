"""What a window has beside its chats, composer and pages: each feature is made and connected here, in a few lines of its own."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop.ui.assistants.in_window import AssistantsInWindow
from desktop.ui.backup.restored_notice import RestoredNotice
from desktop.ui.composer.queue_presenter import QueuePresenter
from desktop.ui.help.feature import HelpFeature
from desktop.ui.hidden_chats import HiddenChats
from desktop.ui.keyboard.feature import KeyboardFeature
from desktop.ui.memory.session_presenter import SessionsInWindow
from desktop.ui.opening_feature import OpeningFeature
from desktop.ui.plan_presenter import PlanPresenter
from desktop.ui.presenting import Worker
from desktop.ui.prompts.in_window import PromptsInWindow
from desktop.ui.reading_feature import ReadingFeature
from desktop.ui.search_feature import SearchFeature
from desktop.ui.services import UiServices
from desktop.ui.shortcuts import keys_of
from desktop.ui.spoken_states import SpokenStates
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.transcript.find_presenter import FindPresenter
from desktop.ui.transcript.removal_presenter import RemovalPresenter
from desktop.ui.translations import Translations
from desktop.ui.window_state import WindowStateFile

if TYPE_CHECKING:
    from desktop.ui.window_presenter import WindowPresenter


class WindowFeatures(QObject):
    """Belongs to the presenter of a window, which is complete but for these."""

    def __init__(
        self,
        presenter: "WindowPresenter",
        services: UiServices,
        theme: ThemeManager,
        translations: Translations,
        state_file: WindowStateFile,
    ) -> None:
        super().__init__(presenter)
        self._presenter = presenter
        self._services = services
        self._theme = theme
        self.keyboard = KeyboardFeature(presenter, services, theme)
        self.reading = ReadingFeature(services, theme, presenter.window.toast, presenter.window)
        self.reading.connect_view(presenter.window.transcript)
        presenter.transcript.equipped.connect(self.reading.connect_view)
        self.find = FindPresenter(presenter.window, presenter.transcript, services, theme)
        self.removing = RemovalPresenter(presenter, services)
        self.help = HelpFeature(presenter, services, theme, translations)
        self.help.tell_of_update(state_file)
        self.opening = OpeningFeature(presenter, services)
        self.prompts = PromptsInWindow(presenter, services, theme)
        self.assistants = AssistantsInWindow(presenter, services)
        self.spoken = SpokenStates(presenter)
        self.search = SearchFeature(presenter)
        self.queue = QueuePresenter(presenter.window, presenter.composer, services, theme, self)
        self.plans = PlanPresenter(presenter, services)
        self.restored = RestoredNotice(presenter, services)
        self.sessions = SessionsInWindow(presenter, services, theme)
        self.hidden_chats = HiddenChats(presenter.window, services, presenter.system_notices, self)
        presenter.composer.thread_shown.connect(self.hidden_chats.show_thread)
        presenter.window.composer.paste_removed.connect(self._offer_paste_back)
        self._watch_what_is_read()

    def _watch_what_is_read(self) -> None:
        """An answer that ends where the user cannot see it is marked in the sidebar until its chat is seen."""
        presenter, window, worker = self._presenter, self._presenter.window, Worker(self._services)
        sidebar = presenter.sidebar
        sidebar.is_covered = lambda: presenter.memory.is_open or not window.isVisible() or window.isMinimized()
        window.activated.connect(sidebar.seen)
        sidebar.left.connect(lambda: worker.start(presenter.open_thread(None), "leave an archived chat"))

    def _offer_paste_back(self, pasted: str) -> None:
        composer = self._presenter.composer
        key = composer.key
        self._presenter.window.toast.present(
            lambda: self.tr("Pasted text removed"),
            lambda: self.tr("Undo"),
            lambda: composer.put_back(key, pasted),
            shortcut=keys_of("undo"),
        )
