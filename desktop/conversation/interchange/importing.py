"""Takes chats in from files: each whole or not at all, with what it has beside its text; says what became of each."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from pathlib import Path, PurePath

from desktop.conversation.entities import AttachmentKind, AttachmentPart
from desktop.conversation.file_kinds import kind_of, text_of
from desktop.conversation.interchange.ports import (
    ChatExchange,
    ChatFile,
    ChatFileReader,
    KeptFile,
    Progress,
    SkippedEntry,
)
from desktop.conversation.interchange.records import (
    ImportedChat,
    ImportReport,
    Outcome,
    Source,
    Verdict,
    Why,
)
from desktop.conversation.ports import AttachmentStore, FileReader
from desktop.core.errors import FileError, StorageError, ThreadwellError
from desktop.core.safe_files import safe_suffix
from desktop.core.tasks import held_back

logger = logging.getLogger(__name__)

Told = Callable[[Progress, ImportReport], object]
"""Hears how far it is, and what became of the chats so far, after each of them."""
MOST_OUTCOMES = 100_000
_MORE_EXACT: Mapping[str, tuple[str, ...]] = {
    ".txt": (".csv", ".json", ".md"),
    ".zip": (".docx", ".xlsx", ".pptx", ".odt", ".ods", ".epub"),
    ".jpg": (".jpeg",),
    ".bin": (".bmp", ".tif", ".tiff", ".ico"),
}
"""What a file may be called that is told by its bytes as something more general."""


class ChatImport:
    """Imports files with chats. Nothing that is here is changed, and nothing that comes in is allowed anything."""

    def __init__(
        self, reader: ChatFileReader, exchange: ChatExchange, attachments: AttachmentStore, files: FileReader
    ) -> None:
        self._reader = reader
        self._exchange = exchange
        self._attachments = attachments
        self._files = files

    async def run(
        self, path: Path, report: ImportReport, *, told: Told = lambda _progress, _report: None
    ) -> ImportReport:
        """Import a file, or a folder with files; ``report`` grows with each chat, so that it holds also when this is
        cancelled, which leaves what was taken in.

        An error that ends it early is in the report. Raises ``FileError`` where no chat was found, and where the file
        cannot be opened.
        """
        progress = Progress(done=0, total=1)
        waiting: _Waiting | None = None
        try:
            async with self._reader.read(path) as found:
                async for one in found:
                    if isinstance(one, ChatFile):
                        if waiting is not None:
                            await self._keep(one, waiting)
                        continue
                    if isinstance(one, Progress):
                        progress = one
                    else:
                        await self._finish(waiting, report)
                        waiting = await self._begin(one, report)
                    told(progress, report)
                await self._finish(waiting, report)
                waiting = None
        except ThreadwellError as error:
            if not report.outcomes:
                raise
            report.problem, report.problem_params = error.code, dict(error.params)
            logger.warning("an import ended early: %s", error.code)
        finally:
            if waiting is not None:
                await self._give_up(waiting)
        if not report.outcomes or [(one.title, one.why) for one in report.outcomes] == [(path.name, Why.UNREADABLE)]:
            raise FileError("file.no_chats", name=path.name)
        told(Progress(done=1, total=1), report)
        return report

    async def _begin(self, found: ImportedChat | SkippedEntry, report: ImportReport) -> "_Waiting | None":
        """Note what is skipped; return a chat that waits for its files."""
        if isinstance(found, SkippedEntry):
            _note(report, Outcome(verdict=Verdict.SKIPPED, title=found.name, why=found.why))
            return None
        if not found.messages:
            _note(report, Outcome(verdict=Verdict.SKIPPED, title=found.chat.title, why=Why.EMPTY))
            return None
        missing = await self._exchange.missing(found) if found.files else frozenset[str]()
        wanted = {key for message in found.messages if message.id in missing for key in message.file_ids}
        return _Waiting(found, wanted & found.files)

    async def _finish(self, waiting: "_Waiting | None", report: ImportReport) -> None:
        """Store a chat whose files have come."""
        if waiting is None:
            return
        try:
            outcome, cancellation = await held_back(self._exchange.take_in(waiting.chat, waiting.kept))
        except StorageError as error:
            if error.code != "storage.failed":  # of the disk: the next one would not fare better
                raise
            logger.warning("an imported chat could not be stored: %s", error)
            outcome = Outcome(verdict=Verdict.SKIPPED, title=waiting.chat.chat.title, why=Why.UNREADABLE)
            cancellation = None
        if outcome.verdict in (Verdict.SKIPPED, Verdict.KNOWN):
            await self._give_up(waiting)
        waiting.kept = {}
        _note(report, outcome)
        if cancellation is not None:  # it is stored, and stands in the report
            raise cancellation

    async def _give_up(self, waiting: "_Waiting") -> None:
        """Delete the files of a chat that was not stored; those that belong to a chat stay."""
        for kept in waiting.kept.values():
            try:
                await self._attachments.discard(kept.attachment_id)
            except StorageError as error:
                logger.warning("a file of a chat that was not imported is deleted later: %s", error.code)

    async def _keep(self, file: ChatFile, waiting: "_Waiting") -> None:
        if file.key not in waiting.wanted or file.key in waiting.kept:
            return
        try:
            waiting.kept[file.key] = await self._kept(file, waiting.parts.get(file.key), waiting.chat.source)
        except FileError as error:
            logger.info("a file of an imported chat cannot be kept: %s", error.code)

    async def _kept(self, file: ChatFile, part: AttachmentPart | None, source: Source) -> KeptFile:
        """Keep a file as what its bytes are: of a picture nothing is shown or sent but what our own reader made of it."""
        data, kind = file.data, _kind(file.data)
        if kind is AttachmentKind.IMAGE and (part is None or part.kind is kind or source is not Source.THREADWELL):
            try:
                picture = await self._files.picture(data)
            except FileError as error:
                logger.info("a picture of an imported chat cannot be shown: %s", error.code)
            else:
                key = await self._attachments.add(
                    data, suffix=f".{picture.file_format}", sent=picture.data, thumbnail=picture.thumbnail
                )
                return KeptFile(
                    attachment_id=key,
                    size=len(data),
                    media_type=picture.media_type,
                    sent_size=len(picture.data),
                    width=picture.width,
                    height=picture.height,
                    kind=kind,
                )
        suffix = await asyncio.to_thread(_suffix, data, file.name, kind)
        key = await self._attachments.add(data, suffix=suffix)
        if part is None or part.text or source is Source.THREADWELL:
            return KeptFile(attachment_id=key, size=len(data), kind=None if part is None else part.kind)
        return await self._with_text(KeptFile(attachment_id=key, size=len(data)), kind, data)

    async def _with_text(self, kept: KeptFile, kind: AttachmentKind, data: bytes) -> KeptFile:
        """Read what a model is sent of a file, of which its export does not say it."""
        fields: Mapping[str, str | int] = {}
        try:
            if kind is AttachmentKind.PDF:
                pdf = await self._files.pdf(data)
                fields = {"text": pdf.text, "pages": pdf.pages, "pages_read": pdf.pages_read}
            elif kind is AttachmentKind.TEXT:
                fields = {"text": await asyncio.to_thread(text_of, data)}
        except FileError as error:
            logger.info("a file of an imported chat has no text that can be read: %s", error.code)
        shown = AttachmentKind.PDF if kind is AttachmentKind.PDF else AttachmentKind.TEXT
        return KeptFile(
            attachment_id=kept.attachment_id,
            size=kept.size,
            kind=shown,
            text=str(fields.get("text", "")),
            pages=int(fields.get("pages", 0)),
            pages_read=int(fields.get("pages_read", 0)),
        )


class _Waiting:
    """A chat whose files are still coming."""

    def __init__(self, chat: ImportedChat, wanted: set[str] | frozenset[str]) -> None:
        self.chat = chat
        self.wanted = wanted
        self.kept: dict[str, KeptFile] = {}
        self.parts = {
            part.attachment_id: part
            for message in chat.messages
            for part in message.parts
            if isinstance(part, AttachmentPart)
        }


def _note(report: ImportReport, outcome: Outcome) -> None:
    if len(report.outcomes) < MOST_OUTCOMES:
        report.outcomes.append(outcome)


def _kind(data: bytes) -> AttachmentKind:
    try:
        return kind_of(data)
    except FileError:  # a picture of a kind that is not shown
        return AttachmentKind.TEXT


def _suffix(data: bytes, name: str, kind: AttachmentKind) -> str:
    """Return the ending of the kept file: that of a text by its name where that is one of a text, and never a program's."""
    if kind is AttachmentKind.PDF:
        return ".pdf"
    suffix, own = safe_suffix(data), PurePath(name).suffix.lower()
    return own if own in _MORE_EXACT.get(suffix, ()) else suffix
