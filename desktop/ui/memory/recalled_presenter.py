"""Opens what an answer was told of what was said before: read anew, with ways to the message, to edit and to forget."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from desktop.conversation.entities import Message, RecalledRef, RecallPart, Role, Thread
from desktop.core.errors import FileError
from desktop.memory.entities import MemoryItem, PassageKind, RecallScope
from desktop.ui.links import open_document, open_folder
from desktop.ui.memory.forgetting import Forgetting
from desktop.ui.presenting import Worker
from desktop.ui.services import UiServices
from desktop.ui.transcript.view import TranscriptView

if TYPE_CHECKING:
    from desktop.ui.memory.recalled_popup import RecalledPopup, RecalledRow
    from desktop.ui.theme.theme_manager import ThemeManager


class RecalledPresenter(QObject):
    """One for the window, whichever transcript asks.

    Signals:
        message_wanted: ids of a chat and of a message in it, which is to be shown.
        edit_wanted: the ``MemoryItem`` that is to be edited.
        choice_wanted: what the open chat is told is to be chosen.
    """

    message_wanted = Signal(str, str)
    edit_wanted = Signal(object)
    choice_wanted = Signal()

    def __init__(
        self,
        services: UiServices,
        theme: "ThemeManager",
        forgetting: Forgetting,
        current_thread: Callable[[], str | None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._services = services
        self._theme = theme
        self._forgetting = forgetting
        self._current_thread = current_thread
        self._worker = Worker(services)
        self._popup: RecalledPopup | None = None

    @property
    def popup(self) -> "RecalledPopup | None":
        """What is open."""
        return self._popup if self._popup is not None and shiboken6.isValid(self._popup) else None

    def connect_view(self, view: TranscriptView) -> None:
        """Serve the answers of this transcript."""
        view.context.actions.memories_requested.connect(
            lambda part, at, button: self._worker.start_once(
                self._open(part, at, button), f"show what was recalled at {id(button)}"
            )
        )

    async def _open(self, part: RecallPart, answered_at: datetime | None, button: QWidget) -> None:
        from desktop.ui.memory.recalled_popup import RecalledPopup

        rows, wishes = await self._rows(part, answered_at)
        if not shiboken6.isValid(button) or not button.isVisible():
            return  # scrolled away meanwhile
        popup = self._popup = RecalledPopup(self._theme, button.window())
        popup.message_wanted.connect(self.message_wanted)
        popup.edit_wanted.connect(self.edit_wanted)
        popup.choice_wanted.connect(self.choice_wanted)
        popup.document_wanted.connect(
            lambda piece_id: self._worker.start(self._show_document(piece_id), "show a document")
        )
        popup.forget_wanted.connect(lambda item_id: self._forgetting.forget([item_id]))
        popup.show_rows(rows, wishes, had_meaning=part.had_meaning)
        popup.open_at(button)

    async def _rows(
        self, part: RecallPart, answered_at: datetime | None
    ) -> "tuple[Sequence[RecalledRow], Sequence[RecalledRow]]":
        """Read what is named there in the words of now; what is about to be forgotten counts as gone."""
        from desktop.ui.memory.recalled_popup import RecalledRow

        ids = {kind: [ref.id for ref in part.found if ref.kind == kind] for kind in PassageKind}
        hidden, memory, repository = self._forgetting.hidden, self._services.memory, self._services.repository
        items = await memory.get([*ids[PassageKind.FACT], *part.standing])
        messages = {message.id: message for message in await repository.messages(ids[PassageKind.MESSAGE])}
        documents = await memory.passages(
            PassageKind.DOCUMENT, ids[PassageKind.DOCUMENT], RecallScope(thread_id=self._current_thread())
        )
        threads = await self._threads(items.values(), messages.values())

        def row(kind: str, ref_id: str, ref: RecalledRef | None) -> RecalledRow:
            bare = RecalledRow(kind=PassageKind(kind), id=ref_id, text=None)
            if ref is not None:
                bare = replace(bare, score=ref.score, words=ref.words, meaning=ref.meaning)
            if (item := items.get(ref_id)) is not None and ref_id not in hidden:
                source = item.source
                changed = answered_at is not None and item.updated_at > max(answered_at, item.created_at)
                bare = replace(bare, text=item.text, item=item, at=item.observed_at, has_changed=changed)
                return self._placed(
                    bare, threads, source.thread_id if source else "", source.message_id if source else ""
                )
            if (message := messages.get(ref_id)) is not None:
                said = replace(bare, text=message.text, at=message.created_at, by_user=message.role is Role.USER)
                return self._placed(said, threads, message.thread_id, message.id)
            if (document := documents.get(ref_id)) is not None:
                return replace(bare, text=document.text, title=document.source, place=document.place)
            return bare

        kinds = list(PassageKind)
        found = [row(ref.kind, ref.id, ref) for ref in part.found if ref.kind in kinds]
        return found, [row(PassageKind.FACT, item_id, None) for item_id in part.standing]

    async def _show_document(self, piece_id: str) -> None:
        """Open the file where its kind is harmless, else show where it lies."""
        document = await self._services.documents.document_of(piece_id)
        if document is None or not (open_document(document.path) or open_folder(document.path.parent)):
            name = document.path.name if document is not None else ""
            raise FileError("file.unreadable", name=name, detail=self.tr("The file is gone."))

    async def _threads(self, items: Iterable[MemoryItem], messages: Iterable[Message]) -> dict[str, Thread]:
        ids = {item.source.thread_id for item in items if item.source is not None}
        ids.update(message.thread_id for message in messages)
        found = [await self._services.repository.get_thread(thread_id) for thread_id in ids]
        return {thread.id: thread for thread in found if thread is not None}

    def _placed(
        self, row: "RecalledRow", threads: Mapping[str, Thread], thread_id: str, message_id: str
    ) -> "RecalledRow":
        """Say where it is from; nobody goes to a chat that is gone or in the Trash."""
        if (thread := threads.get(thread_id)) is None:
            return row
        is_own = thread_id == self._current_thread()
        if thread.deleted_at is not None:
            return replace(row, title=thread.title)
        return replace(row, title=thread.title, thread_id=thread_id, message_id=message_id, is_own=is_own)
