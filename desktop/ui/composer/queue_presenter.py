"""Connects the messages that wait above the composer with the service that sends them."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop.agent.run import Run
from desktop.conversation.queued import QueuedMessage
from desktop.ui.composer.composer_presenter import ComposerPresenter
from desktop.ui.main_window import MainWindow
from desktop.ui.presenting import Worker
from desktop.ui.services import UiServices
from desktop.ui.shortcuts import keys_of
from desktop.ui.theme.theme_manager import ThemeManager

if TYPE_CHECKING:
    from desktop.ui.composer.queue_panel import QueuePanel


class QueuePresenter(QObject):
    """Shows what waits in the open chat; the panel is made when there is something for the first time.

    A message that is being changed is not sent. When its chat is left, what stands in the editor is kept, and the editor
    is there again on return.
    """

    def __init__(
        self,
        window: MainWindow,
        composer: ComposerPresenter,
        services: UiServices,
        theme: ThemeManager,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._composer = composer
        self._queue = services.queue
        self._chat = services.chat
        self._theme = theme
        self._worker = Worker(services)
        self._thread_id = ""
        self._panel: QueuePanel | None = None
        self._edited: dict[str, QueuedMessage] = {}
        """By thread the message that is being changed, as it was before."""
        composer.thread_shown.connect(self._show_thread)
        services.queue.changed.connect(self._changed)
        services.chat.run_started.connect(self._run_changed)
        services.chat.run_ended.connect(self._run_changed)
        window.close_requested.connect(self._write_edit)

    @property
    def panel(self) -> "QueuePanel | None":
        """What shows the messages, once there were any."""
        return self._panel

    def _show_thread(self, thread_id: str) -> None:
        if thread_id == self._thread_id:
            return
        if self._panel is not None and self._thread_id in self._edited:
            self._panel.editor.write()
            self._panel.show_editor(None)
        self._thread_id = thread_id
        self._show()
        if thread_id:
            self._worker.start(self._load(thread_id), "load what waits")

    async def _load(self, thread_id: str) -> None:
        await self._queue.load(thread_id)
        if thread_id == self._thread_id:
            self._show()
            self._show_edit()

    def _show_edit(self) -> None:
        """Go on with a change that was begun before the chat was left."""
        queue = self._queue.queue_of(self._thread_id)
        edited = self._edited.get(self._thread_id)
        message = next((m for m in queue.messages if edited is not None and m.id == edited.id), None)
        if message is not None and self._panel is not None and self._panel.editor.isHidden():
            self._panel.show_editor(message.text, has_files=bool(message.attachments))

    def _changed(self, thread_id: str) -> None:
        edited = self._edited.get(thread_id)
        if edited is not None and self._queue.queue_of(thread_id).held != edited.id:
            del self._edited[thread_id]  # it was removed, or is sent as it was
            if thread_id == self._thread_id and self._panel is not None:
                self._panel.show_editor(None)
        if thread_id == self._thread_id:
            self._show()

    def _run_changed(self, run: Run) -> None:
        if run.thread_id == self._thread_id and self._panel is not None:
            self._show()

    def _show(self) -> None:
        queue = self._queue.queue_of(self._thread_id)
        if self._panel is None and not queue.messages:
            return
        panel = self._panel or self._make_panel()
        panel.show_queue(queue, answers=bool(self._chat.runs_of(self._thread_id)))

    def _make_panel(self) -> "QueuePanel":
        from desktop.ui.composer.queue_panel import QueuePanel

        panel = self._panel = QueuePanel(self._theme)
        panel.edit_requested.connect(self._edit)
        panel.remove_requested.connect(lambda message_id: self._remove([message_id]))
        panel.now_requested.connect(lambda message_id: self._worker.start(self._queue.send_now(message_id), "send now"))
        panel.move_requested.connect(lambda message_id, by: self._worker.start(self._move(message_id, by), "move"))
        panel.go_on_requested.connect(lambda: self._queue.go_on(self._thread_id))
        panel.discard_requested.connect(self._discard)
        panel.left.connect(self._window.composer.focus_text)
        panel.editor.saved.connect(lambda text: self._save(text, release=True))
        panel.editor.written.connect(lambda text: self._save(text, release=False))
        panel.editor.left.connect(self._give_up)
        self._window.composer.column.place_above(panel)
        return panel

    # -- changing one

    def _edit(self, message_id: str) -> None:
        queue = self._queue.queue_of(self._thread_id)
        message = next((each for each in queue.messages if each.id == message_id), None)
        edited = self._edited.get(self._thread_id)
        if message is None or self._panel is None or (edited is not None and edited.id == message_id):
            return
        if edited is not None:
            self._panel.editor.write()
            self._queue.release(edited.id)
        if self._queue.hold(message_id):
            self._edited[self._thread_id] = message
            self._panel.show_editor(message.text, has_files=bool(message.attachments))

    def _write_edit(self) -> None:
        if self._panel is not None and self._thread_id in self._edited:
            self._panel.editor.write()

    def _save(self, text: str, *, release: bool) -> None:
        if (edited := self._edited.get(self._thread_id)) is not None:
            self._worker.start(self._queue.change(edited.id, text, release=release), "change what waits")

    def _give_up(self) -> None:
        if (edited := self._edited.get(self._thread_id)) is not None:
            self._worker.start(self._queue.change(edited.id, edited.text), "change what waits back")

    # -- the others

    async def _move(self, message_id: str, places: int) -> None:
        await self._queue.move(message_id, places)
        if self._panel is not None:
            self._panel.focus_row(message_id)

    def _discard(self) -> None:
        self._remove([message.id for message in self._queue.queue_of(self._thread_id).messages])

    def _remove(self, message_ids: list[str]) -> None:
        self._worker.start(self._removed(self._thread_id, message_ids), "remove what waits")

    async def _removed(self, thread_id: str, message_ids: list[str]) -> None:
        before = await self._queue.remove(thread_id, message_ids)
        there = {message.id for message in self._queue.queue_of(thread_id).messages}
        gone = [message_id for message_id in message_ids if message_id not in there]
        if not gone:
            return
        self._window.toast.present(
            lambda: self.tr("%n messages will not be sent", "", len(gone)),
            lambda: self.tr("Undo"),
            lambda: self._worker.start(self._queue.put_back(thread_id, gone, before), "put back what waited"),
            shortcut=keys_of("undo"),
            over=lambda: self._worker.start(self._queue.forget_removed(gone), "forget what was removed"),
        )
