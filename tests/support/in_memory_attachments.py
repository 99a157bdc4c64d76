"""Fakes for attached files: a store in memory, and a reader that takes no process."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from desktop.conversation.entities import AttachmentPart
from desktop.conversation.ports import ReadPdf, ReadPicture
from desktop.core.clock import Clock, utc_now
from desktop.core.errors import FileError, StorageError
from desktop.core.ids import new_id


@dataclass
class _Kept:
    original: bytes
    suffix: str
    sent: bytes | None
    thumbnail: bytes | None
    created_at: datetime
    thread_id: str | None = None


class InMemoryAttachments:
    """See ``conversation.ports.AttachmentStore``. Originals are put into the test's home when somebody asks for their place."""

    def __init__(self, *, clock: Clock = utc_now) -> None:
        self._clock = clock
        self._kept: dict[str, _Kept] = {}
        self.drafts: dict[str, tuple[AttachmentPart, ...]] = {}

    async def add(
        self, original: bytes, *, suffix: str, sent: bytes | None = None, thumbnail: bytes | None = None
    ) -> str:
        attachment_id = new_id()
        self._kept[attachment_id] = _Kept(original, suffix, sent, thumbnail, self._clock())
        return attachment_id

    async def discard(self, attachment_id: str) -> None:
        kept = self._kept.get(attachment_id)
        if kept is not None and kept.thread_id is None:
            del self._kept[attachment_id]

    def original(self, attachment_id: str) -> Path | None:
        kept = self._kept.get(attachment_id)
        if kept is None:
            return None
        path = Path.home() / f"{attachment_id}{kept.suffix}"
        path.write_bytes(kept.original)
        return path

    async def sent(self, attachment_id: str) -> bytes | None:
        kept = self._kept.get(attachment_id)
        return kept.sent if kept else None

    async def thumbnail(self, attachment_id: str) -> bytes | None:
        kept = self._kept.get(attachment_id)
        return kept.thumbnail if kept else None

    async def save_draft(self, thread_id: str, attachments: Sequence[AttachmentPart]) -> None:
        self.drafts[thread_id] = tuple(attachments)

    async def load_draft(self, thread_id: str) -> tuple[AttachmentPart, ...]:
        return self.drafts.get(thread_id, ())

    async def sweep(self, before: datetime) -> int:
        wanted = {part.attachment_id for parts in self.drafts.values() for part in parts}
        old = [
            key
            for key, kept in self._kept.items()
            if kept.thread_id is None and key not in wanted and kept.created_at < before
        ]
        for key in old:
            del self._kept[key]
        return len(old)

    def claim(self, thread_id: str, attachments: Sequence[AttachmentPart]) -> None:
        """What the beginning of a turn does to the files of its message."""
        for part in attachments:
            kept = self._kept.get(part.attachment_id)
            if kept is None or kept.thread_id not in (None, thread_id):
                raise StorageError("storage.attachment_missing", name=part.name)
        for part in attachments:
            self._kept[part.attachment_id].thread_id = thread_id

    def claim_new(self, thread_id: str, ids: Sequence[str]) -> None:
        """What the end of a call does to the files of its result."""
        for attachment_id in ids:
            kept = self._kept.get(attachment_id)
            if kept is not None and kept.thread_id is None:
                kept.thread_id = thread_id

    def copy(self, attachment_id: str, thread_id: str | None) -> str:
        """What branching a thread does to a file."""
        copied = new_id()
        if (kept := self._kept.get(attachment_id)) is not None:
            self._kept[copied] = replace(kept, thread_id=thread_id)
        return copied

    def forget(self, ids: Iterable[str]) -> None:
        """What happens to the files of a message that was taken out of the queue for good."""
        for attachment_id in ids:
            self._kept.pop(attachment_id, None)

    def forget_thread(self, thread_id: str) -> None:
        """What a purge does to the files of a thread and of its draft."""
        drafted = {part.attachment_id for part in self.drafts.pop(thread_id, ())}
        self._kept = {
            key: kept
            for key, kept in self._kept.items()
            if kept.thread_id != thread_id and not (kept.thread_id is None and key in drafted)
        }


class ReaderOnPaper:
    """Implements ``FileReader``: pictures pass as they are, PDFs cannot be read."""

    async def picture(self, data: bytes) -> ReadPicture:
        return ReadPicture(media_type="image/png", data=data, thumbnail=data, width=40, height=30, file_format="png")

    async def pdf(self, data: bytes) -> ReadPdf:
        raise FileError("file.pdf_unreadable")
