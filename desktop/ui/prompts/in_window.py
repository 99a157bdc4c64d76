"""The user's prompts in the window: into the message, out of messages, and as the instructions of a chat."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from desktop.conversation.prompts.entities import MOST_TEXT, SavedPrompt
from desktop.ui.presenting import Worker
from desktop.ui.prompts.edit_menu import EditMenu
from desktop.ui.prompts.filling import fill_in
from desktop.ui.services import UiServices
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.transcript.view import TranscriptView

if TYPE_CHECKING:
    from desktop.ui.dialogs.thread_options import ThreadOptionsDialog
    from desktop.ui.prompts.chooser import PromptChooser
    from desktop.ui.window_presenter import WindowPresenter


class PromptsInWindow(QObject):
    """What is saved is the user's from then on, whatever becomes of the chat it was taken from."""

    def __init__(self, presenter: "WindowPresenter", services: UiServices, theme: ThemeManager) -> None:
        super().__init__(presenter)
        self._presenter = presenter
        self._window = presenter.window
        self._services = services
        self._theme = theme
        self._worker = Worker(services)
        self._inserter = presenter.offers.library
        self._inserter.selected_text = self._window.transcript.selected_text
        menu = EditMenu(self._window.composer.edit)
        menu.insert_requested.connect(self.choose)
        menu.save_requested.connect(self.keep_text)
        self._window.keys.add("insert_prompt", self.choose)
        presenter.options.dialog_opened.connect(self._equip_options)
        self.connect_view(self._window.transcript)
        presenter.transcript.equipped.connect(self.connect_view)

    def connect_view(self, view: TranscriptView) -> None:
        """Let messages of this view be saved as prompts."""
        view.context.actions.prompt_wanted.connect(
            lambda message_id: self._worker.start_once(self._keep_message(message_id), "save a message as prompt")
        )

    def choose(self) -> None:
        """Let the user choose a prompt, and insert it."""
        self._worker.start_once(self._choose(), "choose a prompt")

    async def _choose(self) -> None:
        chooser = await self._made_chooser(self._window)
        chooser.chosen.connect(self._inserter.insert)
        chooser.managing_requested.connect(lambda: self._presenter.open_settings("prompts"))
        chooser.open()

    async def _made_chooser(self, parent: QWidget) -> "PromptChooser":
        from desktop.ui.prompts.chooser import PromptChooser

        return PromptChooser(parent, self._theme, await self._services.prompts.all())

    # -- saving

    def keep_text(self, text: str) -> None:
        """Let the user save a text as a prompt."""
        text = text.replace("\u2029", "\n").strip("\n")
        if len(text) > MOST_TEXT:
            self._window.toast.tell(lambda: self.tr("This text is too long for a prompt."))
            return
        from desktop.ui.prompts.keeping import draft_of, open_editor

        open_editor(self._window, self._services.prompts, self._worker, draft_of(text), done=self._tell_kept)

    async def _keep_message(self, message_id: str) -> None:
        for message in await self._services.repository.messages([message_id]):
            self.keep_text(message.text)

    def _tell_kept(self, prompt: SavedPrompt) -> None:
        self._window.toast.present(
            lambda: self.tr("“%1” is one of your prompts now").replace("%1", prompt.name),
            lambda: self.tr("Show"),
            lambda: self._presenter.open_settings("prompts"),
        )

    # -- instructions of a chat

    def _equip_options(self, dialog: "ThreadOptionsDialog") -> None:
        dialog.prompts_requested.connect(
            lambda: self._worker.start_once(self._choose_instructions(dialog), "choose instructions")
        )

    async def _choose_instructions(self, dialog: "ThreadOptionsDialog") -> None:
        chooser = await self._made_chooser(dialog)
        chooser.chosen.connect(
            lambda prompt: fill_in(dialog, prompt, dialog.put_instructions, accept_words=self.tr("Use"))
        )
        chooser.managing_requested.connect(dialog.reject)
        chooser.managing_requested.connect(lambda: self._presenter.open_settings("prompts"))
        chooser.open()
