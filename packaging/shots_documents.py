"""Documents as knowledge among the screenshots: in the settings, at the message, below an answer; real files are read."""

import asyncio
import os
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMenu, QToolButton
from shots_scenes import Scene, scene

from desktop.memory.documents import DocumentPiece, DocumentReader, DocumentState, Progress, RootSummary
from tests.support.document_files import docx_of, pdf_of

if TYPE_CHECKING:
    from shots_stage import Stage

DOCUMENT_SCENES: list[Scene] = []
LEASE = (
    "Lease of the garden house\nThe rent is 640 euros a month, due on the third working day.",
    "Notice has to be given three months ahead, in writing.",
    "Pets other than cats need the consent of the owner.",
)
HOUSE_RULES = "# Hausordnung\n\n## Ruhezeiten\n\nVon 22 bis 6 Uhr ist Ruhe. Der Hof wird um 21 Uhr abgeschlossen.\n" * 6
MINUTES = "# 例会记录\n\n## 结论\n\n下次例会在十一月二十日上午十点,由林工准备样机。预算上限为两万八千元。\n" * 8


class _HeldReader:
    """The app's own reader, which stands still after the first piece of a file until it may go on."""

    def __init__(self, reader: DocumentReader, name: str) -> None:
        self._reader, self._name = reader, name
        self._may_go_on = asyncio.Event()

    async def pieces(
        self, name: str, data: bytes, told: Callable[[Progress], object]
    ) -> AsyncGenerator[DocumentPiece, None]:
        async with aclosing(self._reader.pieces(name, data, told)) as pieces:
            async for piece in pieces:
                yield piece
                if name == self._name:
                    told(Progress(done=12, total=80))
                    await self._may_go_on.wait()

    def go_on(self) -> None:
        self._may_go_on.set()

    async def rest(self) -> None:
        await self._reader.rest()


def _write(folder: Path) -> None:
    notes = folder / "Notes of the housing co-operative, collected since the house was bought"
    for sub in (notes, notes / ".git", notes / "pictures"):
        sub.mkdir(parents=True)
    (notes / "rules.md").write_text(HOUSE_RULES, "utf-8")
    (notes / "minutes.docx").write_bytes(docx_of([("berschrift1", "Minutes"), ("", "The roof is done. " * 80)]))
    (notes / ".git" / "config").write_text("x", "utf-8")
    (notes / "pictures" / "roof.jpg").write_bytes(b"jpg")
    (notes / "scan.pdf").write_bytes(b"%PDF-1.7 broken")
    (folder / "lease.pdf").write_bytes(pdf_of(LEASE))
    (folder / "例会记录.md").write_text(MINUTES, "utf-8")
    (folder / "gone.txt").write_text("Bring the ladder back.", "utf-8")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7\nnothing in it")
    (folder / "atlas.pdf").write_bytes(
        pdf_of([f"Sheet {number}\nRivers and roads of the north." for number in range(80)])
    )


@asynccontextmanager
async def _documents(stage: "Stage", *, only_chat: str | None = None) -> AsyncIterator[Path]:
    """Files of every kind, and afterwards none of them is known any more."""
    service = stage.session.container.memory.documents
    with TemporaryDirectory(prefix="threadwell-shots-files-") as name:
        folder = Path(name) / "Documents"
        folder.mkdir()
        _write(folder)
        try:
            yield folder
        finally:
            for summary in await service.summaries():
                await service.remove(summary.root.id)
            await service.purge()


async def _until(stage: "Stage", what: str, reached: Callable[[list[RootSummary]], bool]) -> None:
    service = stage.session.container.memory.documents
    for _ in range(600):
        if reached(list(await service.summaries())):
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"not reached: {what}")


def _are_read(summaries: list[RootSummary]) -> bool:
    """All that was added was looked at, and nothing waits any more."""
    return bool(summaries) and all(each.files and not each.count(DocumentState.WAITING) for each in summaries)


@scene(DOCUMENT_SCENES, "65-documents")
async def of_all_and_of_one(stage: "Stage") -> None:
    from shots_world import TITLES

    service = stage.session.container.memory.documents
    window = await stage.settings("documents")
    page = window.page("documents")
    await stage.picture("65-documents-1-none", of=lambda: window)
    thread_id = await stage.thread(TITLES[1])
    async with _documents(stage) as folder:
        (notes,) = (each for each in folder.iterdir() if each.is_dir())
        await service.add(
            [folder / "lease.pdf", notes, folder / "broken.pdf", folder / "gone.txt"], only_thread_id=None
        )
        await service.add([folder / "例会记录.md"], only_thread_id=thread_id)
        await _until(stage, "all is read", _are_read)
        (folder / "gone.txt").unlink()
        held = _HeldReader(service._reader, "atlas.pdf")
        service._reader = held
        await service.add([folder / "atlas.pdf"], only_thread_id=None)
        await _until(stage, "one is being read", lambda _: service.reading.progress.total == 80)
        await stage.settle()
        await stage.settle()
        await asyncio.sleep(0.5)
        await stage.picture("65-documents-2-list", of=lambda: window)
        for number, share in ((3, 0.5), (4, 1.0)):
            page.verticalScrollBar().setValue(int(page.verticalScrollBar().maximum() * share))
            await stage.picture(f"65-documents-{number}-further", of=lambda: window)
        page.verticalScrollBar().setValue(0)
        held.go_on()
        await _until(stage, "all is read", _are_read)
        service._reader = held._reader
        (root,) = [each.root for each in await service.summaries() if each.root.path.name == "lease.pdf"]
        await stage.press(f"removeDocument-{root.id}", window)
        await stage.picture("65-documents-5-removed", of=lambda: window)
        window.toast.act()
        await stage.settle()
    window.close()


@scene(DOCUMENT_SCENES, "65-documents-of-a-chat")
async def of_a_chat(stage: "Stage") -> None:
    from shots_world import TITLES

    service = stage.session.container.memory.documents
    await stage.open(TITLES[3])
    button, menu = stage.find(QToolButton, "knowledgeButton"), stage.find(QMenu, "knowledgeMenu")
    await stage.picture_each("65-documents-of-a-chat-1-menu", lambda: _pop_up(button, menu), "knowledgeMenu")
    thread_id = stage.presenter.thread_id
    async with _documents(stage) as folder:
        held = _HeldReader(service._reader, "atlas.pdf")
        service._reader = held
        await service.add([folder / "atlas.pdf"], only_thread_id=thread_id)
        await _until(stage, "one is being read", lambda _: service.reading.progress.total == 80)
        await asyncio.sleep(0.5)
        await stage.picture("65-documents-of-a-chat-2-being-read")
        held.go_on()
        await _until(stage, "all is read", _are_read)
        service._reader = held._reader
        await service.add(
            [folder / "lease.pdf", folder / "broken.pdf", folder / "例会记录.md"], only_thread_id=thread_id
        )
        await _until(stage, "all is read", _are_read)
        await asyncio.sleep(0.5)
        await stage.picture("65-documents-of-a-chat-3-failed")
        (root,) = [each.root for each in await service.summaries() if each.root.path.name == "broken.pdf"]
        await service.remove(root.id)
        (folder / "例会记录.md").write_text(MINUTES + "\n改期:二十七日。\n", "utf-8")
        os.utime(folder / "例会记录.md", (2e9, 2e9))
        held = _HeldReader(service._reader, "例会记录.md")
        service._reader = held
        service._look_now()
        await _until(stage, "one changed", lambda found: any(each.changed for each in found))
        await asyncio.sleep(0.5)
        await stage.picture("65-documents-of-a-chat-4-changed")
        held.go_on()
        await _until(stage, "all is read", _are_read)
        service._reader = held._reader
        await stage.session.container.memory.service.indexing.catch_up()
        await stage.pilot.send("How much is the rent, when is it due, and what was said about pets?")
        await stage.pilot.answer_ends()
        await stage.settle()
        buttons = [w for w in stage.window.findChildren(QToolButton, "recalled-memories") if w.isVisible()]
        buttons[-1].click()
        await stage.settle()
        await stage.picture("65-documents-of-a-chat-5-recalled")
        popup = stage.presenter.memory.recalled.popup
        if popup is not None:
            popup.close()
    await stage.settle()


def _pop_up(button: QToolButton, menu: QMenu) -> None:
    menu.popup(button.mapToGlobal(button.rect().topLeft()) - QPoint(0, menu.sizeHint().height()))
