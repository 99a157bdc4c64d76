"""Chats out and in, as the front ends use it: announces what an import brought, and lets the indexes follow."""

import time
from collections.abc import Callable
from pathlib import Path

from desktop.conversation.interchange.exporting import ChatExport
from desktop.conversation.interchange.importing import ChatImport, Told
from desktop.conversation.interchange.ports import ChatExchange, ChatFileReader, Progress
from desktop.conversation.interchange.records import ImportReport, Verdict
from desktop.conversation.ports import AttachmentStore, FileReader, ThreadRepository
from desktop.conversation.service import ConversationService

ANNOUNCED_EVERY_SECONDS = 2.0


class Interchange:
    """``export`` writes files; ``import_file`` reads them."""

    def __init__(
        self,
        *,
        conversations: ConversationService,
        repository: ThreadRepository,
        exchange: ChatExchange,
        attachments: AttachmentStore,
        reader: ChatFileReader,
        files: FileReader,
        wake: Callable[[], object] = lambda: None,
    ) -> None:
        """``wake`` is called when there is something new for the index of vectors."""
        self.export = ChatExport(exchange, repository, attachments)
        self._conversations = conversations
        self._exchange = exchange
        self._import = ChatImport(reader, exchange, attachments, files)
        self._wake = wake

    async def import_file(
        self, path: Path, report: ImportReport, *, told: Told = lambda _progress, _report: None
    ) -> ImportReport:
        """Import a file or a folder; see ``ChatImport.run``. Whoever lists chats hears of them while they come."""
        announced = time.monotonic()

        def tell(progress: Progress, so_far: ImportReport) -> None:
            nonlocal announced
            told(progress, so_far)
            if time.monotonic() - announced >= ANNOUNCED_EVERY_SECONDS:
                announced = time.monotonic()
                self._conversations.many_changed.emit(frozenset())

        try:
            return await self._import.run(path, report, told=tell)
        finally:
            if any(outcome.thread_id for outcome in report.outcomes):
                self._conversations.many_changed.emit(_grown_in(report))
                self._wake()

    async def index(self) -> None:
        """Let what was imported be found by words, in small pieces; the next search waits for no more than what is left."""
        await self._exchange.index()


def _grown_in(report: ImportReport) -> frozenset[str]:
    grown = (Verdict.GREW, Verdict.BRANCHED)
    return frozenset(outcome.thread_id for outcome in report.outcomes if outcome.verdict in grown)
